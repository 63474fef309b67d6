//! `reach`: what players can still reach, and what each end of a match would make of one.

use crate::Report;
use crate::args;
use crate::error::VerbError;
use crate::session::{Session, dated};
use scrutineer_desk::answers::{Dated, ReachAnswer, line};
use scrutineer_desk::looking::{no_place, reachable};
use scrutineer_desk::names::find_player;
use scrutineer_desk::table::{Align, Aligned};
use scrutineer_projections::counted;
use scrutineer_projections::reach::{
    Basis, Chance, Effort, End, Outlook, PlayerReach, Reach, disputed,
};
use scrutineer_replay::loaded::LoadedTournament;

/// Says what everybody can reach, or one player.
pub fn run(session: &Session, options: &args::Reach) -> Result<Report, VerbError> {
    let event = session.event(&options.which, &options.known, false)?;
    let rules = session.rules(&event, options.rules.as_deref())?;
    let player = options.player.as_deref().map(|typed| find_player(&event, typed)).transpose()?;
    let found = reachable(&event, &rules, options.cut, Effort::USUAL)?;
    let one =
        player.map(|who| found.player(who).ok_or_else(|| no_place(&event, who))).transpose()?;
    Ok(Report::yes(match session.json {
        true => line(&Dated::of(&event, ReachAnswer::of(&event, &rules, &found, player))),
        false => dated(&event, text(&event, &found, one)),
    }))
}

fn text(event: &LoadedTournament, found: &Reach, one: Option<&PlayerReach>) -> String {
    let disputed = disputed(&event.state).map(|found| {
        let table = found.table().map_or(String::new(), |table| format!(" table {table}"));
        format!("round {}{table}", found.round().number)
    });
    let disputed: Vec<String> = disputed.collect();
    let missing = match (found.missing, &disputed[..]) {
        (0, _) => "every result is in".to_string(),
        (some, []) => format!("{} missing", counted(some, "result")),
        (some, places) => {
            let places = places.join(", ");
            format!("{} missing or disputed ({places})", counted(some, "result"))
        }
    };
    let left = match found.rounds_left {
        Some(0) => String::new(),
        Some(rounds) => format!(", {} to come", counted(rounds, "round")),
        None => ", and the plan does not say how many rounds are to come".into(),
    };
    let round = found.through;
    let mut text = format!("{}, round {round}: {missing}{left}.\n\n", event.title());
    text.push_str(&match one {
        Some(one) => ends(event, found, one),
        None => everybody(event, found),
    });
    text.push_str(&format!("\n{}", basis(found)));
    text
}

/// What the places were taken from.
fn basis(found: &Reach) -> String {
    let text = match found.basis {
        Basis::Counted(count) => {
            format!("Counted through: {} of results.", counted(count, "combination"))
        }
        Basis::Sampled(count) => format!(
            "The places are bounds; the sampled ones came out in {} of results.",
            counted(count, "combination"),
        ),
        Basis::Bounds => "The places are bounds that hold for every result and pairing.".into(),
    };
    format!(
        "{text}\nAll this holds as long as nobody drops, is penalized or has a result ruled, or one corrected that was neither postponed nor disputed.\n"
    )
}

fn head(found: &Reach) -> String {
    found.cut.map_or(String::new(), |cut| format!("top {cut}"))
}

/// The cells of an outlook: places, those of the sample, the cut.
fn cells(outlook: &Outlook) -> [String; 3] {
    let places = |best: u32, worst: u32| match best == worst {
        true => best.to_string(),
        false => format!("{best} to {worst}"),
    };
    let chance = outlook.chance.map_or("", |chance| match chance {
        Chance::Clinched => "clinched",
        Chance::Open => "open",
        Chance::Out => "out",
    });
    let sampled = outlook.seen.map_or(String::new(), |(best, worst)| places(best, worst));
    [places(outlook.best, outlook.worst), sampled, chance.to_string()]
}

/// A table whose rows begin with somebody or something, and go on with an outlook.
fn table(found: &Reach, first: &str, rows: impl Iterator<Item = (String, Outlook)>) -> String {
    let sampled = if matches!(found.basis, Basis::Sampled(_)) { "sampled" } else { "" };
    let cut = head(found);
    let mut table = Aligned::new([
        (first, Align::Left),
        ("places", Align::Right),
        (sampled, Align::Right),
        (&cut[..], Align::Left),
    ]);
    for (first, outlook) in rows {
        let [places, sampled, chance] = cells(&outlook);
        table.row([first, places, sampled, chance]);
    }
    table.text()
}

fn everybody(event: &LoadedTournament, found: &Reach) -> String {
    let rows = found.players.iter().map(|one| (event.name(one.player), one.outlook));
    table(found, "player", rows)
}

fn ends(event: &LoadedTournament, found: &Reach, one: &PlayerReach) -> String {
    let word = |end: End| match end {
        End::Win => "with a win",
        End::Draw => "with a draw",
        End::AgreedDraw => "with an agreed draw",
        End::Loss => "with a loss",
    };
    let each = one.ends.iter().map(|(end, outlook)| (word(*end).to_string(), *outlook));
    table(
        found,
        &event.name(one.player),
        [("all in all".into(), one.outlook)].into_iter().chain(each),
    )
}
