//! `check-pairing` and `explain-pairing`: how a round came about.

mod pairing;

pub use pairing::explain;

use crate::args;
use crate::error::VerbError;
use crate::session::{Session, dated, hex, no_such_round, scope};
use crate::{Answer, Report};
use scrutineer_desk::answers::{CheckPairingAnswer, Dated, LotsChecked, RoundChecked, line};
use scrutineer_desk::table::{Align, Aligned};
use scrutineer_engine::event::{Origin, OriginKind, RoundNumber};
use scrutineer_projections::timeline::paired_by_engine;
use scrutineer_replay::again::{
    Finding, PairAgainError, PairedAgain, Place, lots_again, pair_again,
};
use scrutineer_replay::by_engine::not_asked_again;
use scrutineer_replay::loaded::{LoadedTournament, words};
use std::collections::BTreeMap;
use std::fmt::Write;

/// Draws one round again, or every round.
pub fn run(session: &Session, options: &args::CheckPairing) -> Result<Report, VerbError> {
    let event = session.event(&options.which, &options.when.known, true)?;
    let through = scope(&event.state, options.when.through)?.through.unwrap_or(RoundNumber::MAX);
    match options.round {
        Some(round) if round > through => Err(no_such_round(round, through)),
        Some(round) => check(session, &event, round),
        None => overview(session, &event, through),
    }
}

fn overview(
    session: &Session,
    event: &LoadedTournament,
    through: RoundNumber,
) -> Result<Report, VerbError> {
    let rounds = event.state.rounds().iter().filter(|round| !round.withdrawn);
    let rounds = rounds.filter(|round| round.number <= through);
    let checked: Vec<(RoundNumber, Result<PairedAgain, PairAgainError>)> = rounds
        .map(|round| (round.number, pair_again(&event.log, &event.state, round.number)))
        .collect();
    let holds =
        |(_, found): &(_, Result<PairedAgain, _>)| found.as_ref().is_ok_and(PairedAgain::holds);
    let mut lots = lots_again(&event.log);
    // Lots are those of a round if they were drawn before the next one was paired.
    let next = event.state.rounds().iter().find(|r| !r.withdrawn && r.number > through);
    lots.retain(|lots| next.is_none_or(|next| lots.seq < next.opened));
    let all_hold = checked.iter().all(holds) && lots.iter().all(|lots| lots.holds);
    let answer = if all_hold { Answer::Yes } else { Answer::No };
    if session.json {
        let round = |(round, found): &(RoundNumber, Result<PairedAgain, PairAgainError>)| {
            let error = |error: &PairAgainError| VerbError::from(error.clone()).problem();
            match found {
                Ok(found) => RoundChecked::of(event, found),
                Err(found) => RoundChecked::not_checked(*round, error(found)),
            }
        };
        let rounds = checked.iter().map(round).collect();
        let lots = lots.iter().map(LotsChecked::from).collect();
        let found = CheckPairingAnswer { tournament: event.into(), rounds, lots };
        return Ok(Report { text: line(&Dated::of(event, found)), answer });
    }
    let mut table = Aligned::new([
        ("round", Align::Right),
        ("method", Align::Left),
        ("seed", Align::Left),
        ("public dice", Align::Left),
        ("by hand", Align::Right),
        ("paired again", Align::Left),
    ]);
    let mut engines: BTreeMap<String, u32> = BTreeMap::new();
    for (round, found) in &checked {
        let found = match found {
            Ok(found) => found,
            Err(error) => {
                let blank = || "-".to_string();
                let why = format!("CANNOT be paired again: {error}");
                table.row([round.to_string(), blank(), blank(), blank(), blank(), why]);
                continue;
            }
        };
        let (method, seed, dice) = match &found.used {
            Some(used) => {
                let seed = hex(&used.seed[..4]);
                let engine = event.state.round(*round).and_then(paired_by_engine);
                let method = engine.unwrap_or_else(|| used.method.clone());
                (method, format!("{seed}…"), dice_text(used.dice.as_deref()))
            }
            None => ("not paired".to_string(), "-".to_string(), "-".to_string()),
        };
        let result = match (&found.used, found.holds()) {
            (None, _) => "-",
            _ if found.is_not_asked_again() => {
                *engines.entry(method.clone()).or_default() += 1;
                "not asked again"
            }
            (_, true) => "the same",
            (_, false) => "DIFFERS",
        };
        let by_hand = found.by_hand.len().to_string();
        table.row([found.round.to_string(), method, seed, dice, by_hand, result.to_string()]);
    }
    for lots in &lots {
        let result = if lots.holds { "the same" } else { "DIFFERS" };
        let blank = || "-".to_string();
        let method = format!("lots, event {}", lots.seq);
        table.row([blank(), method, blank(), blank(), blank(), result.to_string()]);
    }
    let mut text = table.text();
    for (engine, rounds) in engines {
        let _ = writeln!(text, "\n{}", not_asked_again(rounds, &engine));
    }
    Ok(Report { text: dated(event, text), answer })
}

fn dice_text(dice: Option<&[u8]>) -> String {
    dice.map_or("none".into(), |dice| String::from_utf8_lossy(dice).escape_default().to_string())
}

fn check(
    session: &Session,
    event: &LoadedTournament,
    round: RoundNumber,
) -> Result<Report, VerbError> {
    let found = pair_again(&event.log, &event.state, round)?;
    let answer = if found.holds() { Answer::Yes } else { Answer::No };
    if session.json {
        let (tournament, rounds) = (event.into(), vec![RoundChecked::of(event, &found)]);
        let found = CheckPairingAnswer { tournament, rounds, lots: Vec::new() };
        return Ok(Report { text: line(&Dated::of(event, found)), answer });
    }
    let mut text = dated(event, head(event, &found));
    let mut table = Aligned::new([
        ("table", Align::Right),
        ("recorded", Align::Left),
        ("paired again", Align::Left),
        ("because", Align::Left),
    ]);
    for (place, finding) in &found.places {
        let again = match finding {
            _ if found.used.is_none() || found.is_not_asked_again() => "-".to_string(),
            Finding::Same => "the same".to_string(),
            Finding::Differs(Some(other)) => format!("DIFFERS: {}", who(event, other)),
            Finding::Differs(None) => "DIFFERS: nothing".to_string(),
        };
        let gone = match found.taken_back.contains(&place.seq) {
            true => "; taken back later",
            false => "",
        };
        let because = origin(event, &place.origin);
        table.row([number(place), who(event, place), again, format!("{because}{gone}")]);
    }
    for place in &found.beyond {
        table.row([number(place), "-".into(), who(event, place), origin(event, &place.origin)]);
    }
    for place in &found.by_hand {
        let why = origin(event, &place.origin);
        table.row([number(place), who(event, place), "set later".into(), why]);
    }
    text.push_str(&table.text());
    text.push_str(&conclusion(event, &found));
    Ok(Report { text, answer })
}

fn head(event: &LoadedTournament, found: &PairedAgain) -> String {
    let title = event.title();
    let engine = event.state.round(found.round).and_then(paired_by_engine);
    match &found.used {
        Some(used) if engine.is_some() => format!(
            "{title}, round {}: paired by {}, with seed {} = {}\n\n",
            found.round,
            engine.unwrap_or_default(),
            used.draw,
            hex(&used.seed),
        ),
        None => format!("{title}, round {}: not paired from a seed\n\n", found.round),
        Some(used) => format!(
            "{title}, round {}: {} (version {}), seed {} = {}, public dice: {}\n\n",
            found.round,
            used.method,
            used.version,
            used.draw,
            hex(&used.seed),
            dice_text(used.dice.as_deref()),
        ),
    }
}

fn conclusion(event: &LoadedTournament, found: &PairedAgain) -> String {
    let mut text = String::new();
    let differ = found.places.iter().filter(|(_, found)| *found != Finding::Same).count();
    let differ = differ + found.beyond.len();
    let giver = match &found.used {
        Some(used) if used.is_for_engine() => "the recorded answer of the engine",
        _ => "the seed",
    };
    let _ = match (&found.used, differ) {
        (None, _) => writeln!(text, "\nnothing to draw again"),
        _ if found.is_not_asked_again() => {
            let engine = event.state.round(found.round).and_then(paired_by_engine);
            writeln!(text, "\n{}", not_asked_again(1, &engine.unwrap_or_default()))
        }
        (Some(_), 0) => writeln!(text, "\n{giver} gives every table and bye as it was recorded"),
        (Some(_), 1) => writeln!(text, "\none place differs from what {giver} gives"),
        (Some(_), more) => writeln!(text, "\n{more} places differ from what {giver} gives"),
    };
    match found.by_hand.len() {
        0 => {}
        1 => text.push_str("one place was set by hand later, as the log says\n"),
        more => {
            let _ = writeln!(text, "{more} places were set by hand later, as the log says");
        }
    }
    text
}

fn number(place: &Place) -> String {
    match (place.table, place.bye) {
        (Some(table), _) => table.to_string(),
        (None, Some(_)) => "bye".into(),
        (None, None) => "-".into(),
    }
}

/// The players of a place.
fn who(event: &LoadedTournament, place: &Place) -> String {
    let names: Vec<String> = place.players.iter().map(|player| event.name(*player)).collect();
    names.join(" - ")
}

fn origin(event: &LoadedTournament, origin: &Origin) -> String {
    let reason = || origin.reason.map(|reason| words(&event.book, &reason));
    match (origin.kind, origin.because) {
        (OriginKind::PairedRound, Some(because)) => because.word().to_string(),
        (OriginKind::PairedRound, None) => "paired".into(),
        (OriginKind::ByHand, _) => {
            format!("by hand: {}", reason().unwrap_or_else(|| "no reason given".into()))
        }
        (OriginKind::AsGiven, _) => "as given".into(),
    }
}
