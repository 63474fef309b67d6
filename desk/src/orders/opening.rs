//! A tournament is opened.

use super::{AtDesk, RulesetText, Told, UNNAMED};
use crate::answers::NewAnswer;
use crate::asker::Asker;
use crate::desk::{Desk, Means, Opening, UNLIMITED, example_slip};
use crate::rehearsal::Chance;
use crate::signed::signer_for_new;
use crate::store::{Store, StoreError};
use crate::verb_error::VerbError;
use chrono::{Datelike, NaiveDate};
use scrutineer_engine::book::Field;
use scrutineer_engine::error::Code;
use scrutineer_engine::event::{
    Day, Per, PhaseKind, PlannedPhase, RulesetFile, ScoreLine, Scoresheet,
};
use scrutineer_engine::record::{StreamId, to_hex as hex};
use scrutineer_projections::crosstable::score_lines;
use scrutineer_projections::ruleset::{Formula, Library, Measure, Ruleset, called};
use scrutineer_replay::loaded::short_id;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// What a tournament is opened with.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct New {
    /// Its title.
    pub title: String,
    /// The id of the ruleset, with changes where there are any.
    pub rules: String,
    /// The texts of rulesets that are not shipped and that it needs.
    #[serde(default)]
    pub files: Vec<RulesetText>,
    /// Best of how many games, where games are counted; otherwise 3.
    pub best_of: Option<u8>,
    /// The phases, such as `swiss:5` (rounds), `single-elimination:8` (players) or
    /// `single-elimination:8:bo5`; otherwise as is usual under the ruleset.
    #[serde(default)]
    pub phases: Vec<String>,
    /// The day on which it is held, such as 2026-11-21.
    pub held_on: Option<String>,
    /// What is written on a slip, such as `games,drawn/table` or `objective:0..10,survival`; otherwise
    /// what the ruleset reads.
    pub slip: Option<String>,
}

/// What a tournament would be opened with, and the ruleset as it was read.
///
/// # Errors
/// What is wrong with it.
fn planned_opening(order: &New) -> Result<(Opening, Ruleset), VerbError> {
    let mut library = Library::shipped();
    for file in &order.files {
        library.load_file(&format!("{}.toml", file.id), &file.text)?;
    }
    let rules = library.ruleset(&order.rules)?;
    let opening = opening(order, &rules, library.chain(&order.rules)?)?;
    opening.check()?;
    Ok((opening, rules))
}

/// Refuses what no tournament can be opened with, before there is a store for it.
///
/// # Errors
/// What is wrong with it.
pub fn check(order: &New) -> Result<(), VerbError> {
    planned_opening(order).map(drop)
}

/// Opens a tournament, and gives its id.
///
/// # Errors
/// What is wrong with it, or why it cannot be recorded.
pub fn open(asker: &Asker, store: &Store, order: &New) -> Result<(StreamId, Told), VerbError> {
    open_as(asker, store, order, None)
}

/// As [`open`], under an id that is known beforehand. What was opened under it already is not opened
/// again, and its id is the answer.
///
/// # Errors
/// As for [`open`].
pub fn open_as(
    asker: &Asker,
    store: &Store,
    order: &New,
    id: Option<StreamId>,
) -> Result<(StreamId, Told), VerbError> {
    if let Some(id) = id
        && store.log().head(id).map_err(StoreError::from)?.seq > 0
    {
        let (done, repeated) = (Some((1, 1)), true);
        return Ok((id, Told { done, repeated, ..Told::default() }));
    }
    let (mut opening, rules) = planned_opening(order)?;
    let chance = Chance::of(asker.rehearse.as_deref(), store)?;
    let (signer, note) = signer_for_new(asker, &chance);
    opening.signer = signer;
    let (clock, random) = (|| chance.now(), || chance.random());
    let means = Means { actor: UNNAMED, clock: &clock, random: &random };
    let desk = Desk::open_as(store, means, asker.person.as_deref(), &opening, id)?;
    let at = AtDesk::new(asker, store, desk, means)?;
    let stream = at.desk.stream();
    let seed = at.state()?.opened().and_then(|opened| opened.seed_commitment).unwrap_or_default();
    let (slip, phases) = (slip_in_words(&opening.scoresheet), plan_in_words(&opening.plan));
    let text = format!(
        "{} is open under {}: tournament {}\n  slip    {slip}\n  phases  {phases}\n  pairing commitment {}:\n          \
         show it to someone before round 1. It reveals nothing; with it anyone can check later that no pairing was tampered with\n",
        opening.title,
        called(&opening.ruleset),
        short_id(stream),
        hex(&seed),
    );
    let (title, rules_id, seed_commitment) = (opening.title.clone(), rules.id.clone(), hex(&seed));
    let mut told = Told::only(
        text,
        NewAnswer { verb: "new", title, rules: rules_id, slip, phases, seed_commitment },
    );
    told.done = Some((1, 1));
    told.notes.extend(note);
    if asker.rehearse.is_some() {
        told.notes
            .push("this is a rehearsal: whoever knows its word foresees every pairing".into());
    }
    for line in score_lines(&rules) {
        let sheet = &opening.scoresheet;
        if sheet.seat_line(&line).or(sheet.table_line(&line)).is_none() {
            told.notes.push(format!(
                "{} reads {line:?}, which the slip does not have",
                called(&rules.files)
            ));
        }
    }
    let next = at.command("enroll \"Ann Lee\" \"Bob Smith\"");
    Ok((stream, told.next(format!("{next}   (or --csv players.csv)"))))
}

fn opening(order: &New, rules: &Ruleset, ruleset: Vec<RulesetFile>) -> Result<Opening, VerbError> {
    let title = order.title.trim().to_string();
    if Field::Title.objection(&title).is_some() {
        let hint = "titles have 1 to 200 characters that can be printed";
        return Err(VerbError::new(
            Code::invalid("bad-title"),
            "this is no title for a tournament",
            hint,
        ));
    }
    let games = order.best_of.unwrap_or(3);
    let scoresheet = match &order.slip {
        Some(lines) => sheet(lines, games)?,
        None => Opening::scoresheet_for(rules, games),
    };
    let mut plan = Vec::new();
    for phase in &order.phases {
        plan.push(planned(phase, &scoresheet)?);
    }
    if plan.is_empty() {
        let kind = usual_phase(rules);
        plan.push(PlannedPhase { kind, rounds: None, players: None, scoresheet: None });
    }
    let held_on = order.held_on.as_deref().map(day).transpose()?;
    Ok(Opening { title, held_on, ruleset, scoresheet, plan, signer: None })
}

/// How a ruleset is played where nobody says otherwise: Swiss, unless the ruleset knows nothing of
/// it. Pods where it speaks of places at a table, or of a bye that stands for several opponents.
pub fn usual_phase(rules: &Ruleset) -> PhaseKind {
    let several = |measure: &Measure| match &measure.formula {
        Formula::Opponents(opponents) => opponents.bye_as.is_some_and(|(count, _)| count > 1),
        _ => false,
    };
    match rules.phases.first() {
        _ if !rules.points.places.is_empty() => PhaseKind::Pods,
        _ if rules.measures.iter().any(several) => PhaseKind::Pods,
        Some(kind) if !rules.phases.contains(&PhaseKind::Swiss) => *kind,
        _ => PhaseKind::Swiss,
    }
}

fn day(text: &str) -> Result<Day, VerbError> {
    let known = NaiveDate::parse_from_str(text, "%Y-%m-%d").ok();
    let known = known.filter(|day| (1900..=9999).contains(&day.year()));
    let day = known.ok_or_else(|| {
        VerbError::new(
            Code::invalid("bad-day"),
            format!("{text:?} is no day"),
            "write it like 2026-11-21",
        )
    })?;
    Ok(Day { year: day.year() as u16, month: day.month() as u8, day: day.day() as u8 })
}

/// A kind of phase by its word.
pub fn kind(word: &str) -> Result<PhaseKind, VerbError> {
    let found = PhaseKind::ALL.iter().copied().find(|kind| kind.spelled() == word);
    found.ok_or_else(|| {
        let known: Vec<&str> = PhaseKind::ALL.iter().map(|kind| kind.spelled()).collect();
        VerbError::new(
            Code::invalid("bad-phase"),
            format!("{word:?} is no kind of phase"),
            format!("write `4 rounds`, `top 8`, or one of these: {}", known.join(", ")),
        )
    })
}

/// `swiss:5`, `single-elimination:8`, `single-elimination:8:bo5`; also `Swiss 5`, `5 rounds` and `top 8`.
fn planned(text: &str, sheet: &Scoresheet) -> Result<PlannedPhase, VerbError> {
    let typed = text.to_lowercase();
    let between = |c: char| c == ':' || c.is_whitespace();
    let typed = match typed.trim().strip_suffix("rounds").map(str::trim) {
        Some(rounds) if rounds.parse::<u16>().is_ok() => format!("swiss:{rounds}"),
        _ => typed,
    };
    let mut parts = typed.split(between).filter(|part| !part.is_empty());
    let kind = match parts.next().unwrap_or("") {
        "top" => PhaseKind::Elimination,
        word => kind(word)?,
    };
    let mut phase = PlannedPhase { kind, rounds: None, players: None, scoresheet: None };
    let bad = |part: &str| {
        let message = format!("{text:?}: {part:?} is no number of rounds, players or games");
        VerbError::new(
            Code::invalid("bad-phase"),
            message,
            "write it like swiss:5, single-elimination:8 or single-elimination:8:bo5",
        )
    };
    for part in parts {
        if let Some(games) = part.strip_prefix("bo") {
            let games = games.parse().map_err(|_| bad(part))?;
            phase.scoresheet = Some(best_of(sheet, games));
        } else if kind.is_bracket() {
            phase.players = Some(part.parse().ok().filter(|n| *n > 1).ok_or_else(|| bad(part))?);
        } else {
            phase.rounds = Some(part.parse().ok().filter(|n| *n > 0).ok_or_else(|| bad(part))?);
        }
    }
    Ok(phase)
}

/// The same slip, with another number of games.
pub fn best_of(sheet: &Scoresheet, games: u8) -> Scoresheet {
    Scoresheet { best_of: Some(games), ..sheet.clone() }
}

/// What a line of a slip counts, and the largest value of it, where nothing else is said; the smallest one is 0.
pub(super) fn usual_line(name: &str) -> (&'static str, i32) {
    match name {
        "games" | "drawn" => ("games", 99),
        _ => ("points", UNLIMITED),
    }
}

/// `games,drawn/table`, `objective:0..10,survival:-5..50`.
fn sheet(text: &str, games: u8) -> Result<Scoresheet, VerbError> {
    let bad = |part: &str| {
        let hint = "write it like games,drawn/table or objective:0..10,survival";
        VerbError::new(
            Code::invalid("bad-scoresheet"),
            format!("{part:?} is no line of a slip"),
            hint,
        )
    };
    let mut lines = Vec::new();
    for part in text.split(',') {
        let (name, range) = part.split_once(':').map_or((part, None), |(n, r)| (n, Some(r)));
        let (name, per) = match name.split_once('/') {
            Some((name, "table")) => (name, Per::Table),
            Some(_) => return Err(bad(part)),
            None => (name, Per::Seat),
        };
        let (unit, usual) = usual_line(name);
        let (min, max) = match range.map(|range| range.split_once("..")) {
            Some(Some((min, max))) => {
                (min.parse().map_err(|_| bad(part))?, max.parse().map_err(|_| bad(part))?)
            }
            Some(None) => return Err(bad(part)),
            None => (0, usual),
        };
        lines.push(ScoreLine { name: name.trim().into(), per, min, max, unit: unit.into() });
    }
    let best_of = lines.iter().any(|line| line.name == "games").then_some(games);
    Ok(Scoresheet { lines, best_of })
}

/// What is written on a slip, in words, with an example.
pub fn slip_in_words(sheet: &Scoresheet) -> String {
    if sheet.lines.is_empty() {
        return "who won: `w-l`, `l-w`, `d-d`; at larger tables `place 1-2-3-4`".into();
    }
    let line = |line: &ScoreLine| match line.per {
        Per::Seat => line.name.clone(),
        Per::Table => format!("{} of the table", line.name),
    };
    let lines = sheet.lines.iter().map(line).collect::<Vec<_>>().join(", ");
    let best = sheet.best_of.map_or(String::new(), |games| format!(", best of {games}"));
    let seats = example_slip(sheet, 2);
    let drawn = match sheet.table_lines() {
        0 => String::new(),
        count => format!(" or `{seats}{}`", "-1".repeat(count)),
    };
    format!("{lines}{best}: `{seats}`{drawn}")
}

/// The phases in words.
pub fn plan_in_words(plan: &[PlannedPhase]) -> String {
    let phase = |phase: &PlannedPhase| {
        let size = match (phase.rounds, phase.players) {
            (Some(1), _) => ", 1 round".into(),
            (Some(rounds), _) => format!(", {rounds} rounds"),
            (_, Some(players)) => format!(", {players} players"),
            _ => String::new(),
        };
        let best = phase.scoresheet.as_ref().and_then(|sheet| sheet.best_of);
        let best = best.map_or(String::new(), |games| format!(", best of {games}"));
        format!("{}{size}{best}", phase.kind.spelled())
    };
    let mut words: Vec<String> = plan.iter().map(phase).collect();
    let in_bracket = |phase: &PlannedPhase| phase.kind.is_bracket();
    if words.len() == 1 && !plan.iter().any(in_bracket) {
        words.push("whoever `cut` takes".into());
    }
    words.join("; then ")
}
