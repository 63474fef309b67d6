//! What things are called in the language of whoever reads: rounds, byes, reasons, what decides.

use crate::language::Language;
use scrutineer_desk::desk::waiting;
use scrutineer_desk::horizon::is_out;
use scrutineer_engine::event::{
    DropReason, PenaltyKind, PhaseKind, PlayerNumber, RoundNumber, Seq,
};
use scrutineer_engine::record::Time;
use scrutineer_engine::tournament::{MatchView, Tournament};
use scrutineer_pairing::running_phase;
use scrutineer_projections::bracket_rounds::bracket_places;
use scrutineer_projections::cut::StaysOut;
use scrutineer_projections::explain::{is_below_others, is_published, ties_with_others};
use scrutineer_projections::ruleset::{HeadToHead, Ruleset, Step};
use scrutineer_projections::standings::{Decided, Row, Standings, shown_place};

/// A round of a bracket for so many players, such as `Semi-final`.
pub fn stage_of(places: usize, language: Language) -> String {
    match places {
        2 => language.t("round-final"),
        4 => language.t("round-semi-final"),
        8 => language.t("round-quarter-final"),
        more => language.a("round-of", "players", more),
    }
}

/// A round: its number, or in a bracket its name.
pub fn round_called(state: &Tournament, number: RoundNumber, language: Language) -> String {
    match bracket_places(state, number) {
        Some(places) => stage_of(places, language),
        None => language.a("round-n", "round", number),
    }
}

/// A round where there is little room on a page of the staff: `R3`, or in a bracket the letters of its name.
pub fn round_short(state: &Tournament, number: RoundNumber) -> String {
    match bracket_places(state, number) {
        Some(2) => "F".into(),
        Some(4) => "SF".into(),
        Some(8) => "QF".into(),
        Some(more) => format!("of {more}"),
        None => format!("R{number}"),
    }
}

/// Whether a penalty takes something and waits for its player's next match.
pub fn counts_next(state: &Tournament, penalty: Seq) -> bool {
    state.penalty(penalty).is_some_and(|one| {
        one.kind != PenaltyKind::Warning
            && one.pairing.is_none()
            && state.served_in(penalty).is_none()
    })
}

/// What is taken from a player in a match that has no result yet, such as `game loss`: penalties of this match,
/// and those that waited for it.
pub fn taken_in(state: &Tournament, found: MatchView<'_>, player: PlayerNumber) -> Option<String> {
    if found.result().is_some() {
        return None;
    }
    let waiting = waiting(state, found).into_iter().filter(|one| one.player == player);
    let kinds: Vec<String> = waiting.map(|one| one.kind.to_string()).collect();
    (!kinds.is_empty()).then(|| kinds.join(", "))
}

/// The round in whose match a penalty counted; none: in none yet, or it takes nothing.
pub fn counted_in(state: &Tournament, penalty: Seq) -> Option<RoundNumber> {
    let one = state.penalty(penalty)?;
    let served = state.served_in(penalty);
    let found = match one.pairing {
        Some(pairing) => state.match_at(pairing),
        None => state.matches().find(|found| served.is_some() && found.result() == served),
    };
    found.map(|found| found.round().number)
}

/// A round that is being paired, of which its readers know nothing but that.
pub fn prepared_called(state: &Tournament, number: RoundNumber, language: Language) -> String {
    let is_next = number == state.next_round_number();
    match next_places(state).filter(|_| is_next) {
        Some(places) => stage_of(places, language),
        None => round_called(state, number, language),
    }
}

/// How many places are left in the round that is paired next, where that is one of a bracket.
fn next_places(state: &Tournament) -> Option<usize> {
    let phase = running_phase(state).filter(|phase| phase.kind == PhaseKind::Elimination)?;
    let own = state.rounds().iter().filter(|r| !r.withdrawn && r.phase == phase.number);
    let places = phase.entrants.len().max(2).next_power_of_two();
    places.checked_shr(own.count() as u32).filter(|left| *left > 1)
}

/// The round that is paired next, within other words of the desk: `round 5`, or in a bracket `the semi-final`.
pub fn next_within(state: &Tournament, language: Language) -> String {
    let number = state.next_round_number();
    within_text(&match next_places(state) {
        Some(places) => stage_of(places, language),
        None => language.a("round-n", "round", number),
    })
}

/// A round within a sentence of the staff: `round 4`, `the semi-final`.
pub fn round_within(state: &Tournament, number: RoundNumber) -> String {
    within_text(&round_called(state, number, Language::English))
}

/// What the last round is called within a sentence where it is a draft still; none: it is out, or there is none.
pub fn draft_within(state: &Tournament) -> Option<String> {
    let draft = state.last_round().filter(|last| !is_out(state, last))?;
    Some(round_within(state, draft.number))
}

/// A round's English name within a sentence: `round 4`, `the semi-final`.
pub fn within_text(name: &str) -> String {
    let name = within(name, Language::English);
    match name.strip_prefix("round ").is_some_and(|rest| rest.parse::<u32>().is_ok()) {
        true => name,
        false => format!("the {name}"),
    }
}

/// A name of ours within other words: where the language has small letters for it, with them.
pub fn within(name: &str, language: Language) -> String {
    match language {
        Language::English => name.to_lowercase(),
        Language::German => name.to_string(),
    }
}

/// Why somebody does not go on though they stand high enough.
pub fn stays_out(why: StaysOut, language: Language) -> String {
    language.t(match why {
        StaysOut::Dropped(DropReason::Left) => "out-dropped",
        StaysOut::Dropped(DropReason::NoShow) => "out-no-show",
        StaysOut::Dropped(DropReason::Disqualified) => "out-disqualified",
        StaysOut::Declined => "out-declined",
        StaysOut::NotInPhase => "out-knocked-out",
        StaysOut::NotHere => "out-not-here",
    })
}

/// The place of a row among others, such as `9th`; one that is shared says so.
pub fn placed(rows: &[Row], at: usize, language: Language) -> String {
    let place = language.place(rows[at].rank);
    match shown_place(rows, at).starts_with('=') {
        true => language.a("place-shared", "place", place),
        false => place,
    }
}

/// A player's place among others, as [`placed`]; none where they have none.
pub fn place_of(rows: &[Row], player: PlayerNumber, language: Language) -> Option<String> {
    let at = rows.iter().position(|row| row.player == player)?;
    Some(placed(rows, at, language))
}

/// What tells a player from the one before them.
pub fn decided(state: &Tournament, standings: &Standings, row: &Row, language: Language) -> String {
    match row.decided {
        Decided::First => String::new(),
        Decided::Phase if is_below_others(state, standings, row) => language.t("decided-division"),
        Decided::Phase => language.t("decided-phase"),
        Decided::Step(at) => {
            step_called(&standings.rules, &standings.layer(row).steps[at], language)
        }
        Decided::Lots if is_published(state) => language.t("decided-published"),
        Decided::Lots => language.t("decided-lots"),
        Decided::LotsPending if ties_with_others(state, standings, row) => {
            language.t("decided-tied-division")
        }
        Decided::Tied => language.t("decided-tied"),
        Decided::LotsPending => language.t("decided-lots-pending"),
    }
}

/// What a step of the rules goes by.
pub fn step_called(rules: &Ruleset, step: &Step, language: Language) -> String {
    match step {
        Step::Measure { measure, lowest_first } => {
            let label = language.measure(&rules.measures[*measure].label);
            match lowest_first {
                false => label,
                true => language.a("step-lowest-first", "measure", label),
            }
        }
        Step::HeadToHead { mode, by, .. } => {
            let step = language.t(head_to_head(*mode));
            match by.map(|by| language.measure(&rules.measures[by].label)) {
                Some(by) => language.with("step-by", [("step", &step), ("measure", &by)]),
                None => step,
            }
        }
    }
}

const fn head_to_head(mode: HeadToHead) -> &'static str {
    match mode {
        HeadToHead::AllMet => "step-head-to-head-all-met",
        HeadToHead::BeatAll => "step-head-to-head-beat-all",
        HeadToHead::Certain | HeadToHead::CertainAnew => "step-head-to-head",
    }
}

/// A time by the clock of the venue, with its zone.
pub fn at_time(time: Time, language: Language) -> String {
    let form = match language {
        Language::English => "%Y-%m-%d %H:%M:%S (UTC%:z)",
        Language::German => "%d.%m.%Y, %H:%M:%S (UTC%:z)",
    };
    let known = chrono::DateTime::from_timestamp_micros(time.unix_micros);
    known.map_or(String::new(), |time| time.with_timezone(&chrono::Local).format(form).to_string())
}
