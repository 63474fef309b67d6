//! A tournament that goes out as a file of another program, and what such a file cannot hold.

use crate::rules::in_force;
use crate::store::Store;
use crate::verb_error::VerbError;
use scrutineer_engine::book::Book;
use scrutineer_engine::error::Code;
use scrutineer_engine::record::StreamId;
use scrutineer_engine::tournament::Round;
use scrutineer_formats::{ALL, File, Format, ONLY_WRITTEN, Source, WriteError, Written, rules_of};
use scrutineer_projections::crosstable::{Scope, check_rulings};
use scrutineer_projections::ruleset::{Ruleset, Step};
use scrutineer_projections::standings::{Detail, Standings};
use scrutineer_replay::loaded::{LoadedTournament, short_id, text_or};
use scrutineer_replay::neutral::{
    CHESS, add_places, add_tie_breaks, name_alone, neutral, number_as_told,
};
use std::sync::Arc;

/// How much of a title goes into a file's name.
const TITLE_LETTERS: usize = 40;

/// The formats that can be written.
pub fn writes() -> Vec<&'static dyn Format> {
    let nothing = Source::default();
    let all = ALL.iter().chain(&ONLY_WRITTEN).copied();
    all.filter(|format| format.write(&nothing, None).is_some()).collect()
}

/// Returns the word by which a format is asked for: `cobra` for `cobra json`.
pub fn word(format: &dyn Format) -> &'static str {
    format.name().split(' ').next().unwrap_or_default()
}

fn not_written(message: String) -> VerbError {
    let hint = "docs/FORMATS.md lists what each holds";
    VerbError::new(Code::invalid("unknown-format"), message, hint)
}

/// Returns the format of this name that can be written.
///
/// # Errors
/// `unknown-format`.
pub fn format_called(name: &str) -> Result<&'static dyn Format, VerbError> {
    let (writes, typed) = (writes(), name.to_lowercase());
    // So is called what `trf` writes: TRF16 with the records that pairing programs add.
    let wanted = if ["trf16", "trfx"].contains(&&typed[..]) { "trf" } else { &typed[..] };
    let found = writes.iter().find(|format| [word(**format), format.name()].contains(&wanted));
    found.copied().ok_or_else(|| {
        let names: Vec<&str> = writes.iter().map(|format| word(*format)).collect();
        not_written(format!("no format {name:?} is written; expected one of {}", names.join(", ")))
    })
}

/// Returns the word of the format whose files are named with this ending; none: no format has such files.
///
/// # Errors
/// `unknown-format` where several have, and none of them is called so.
pub fn word_by_ending(ending: &str) -> Result<Option<&'static str>, VerbError> {
    let all = writes().into_iter().filter(|format| format.ending() == ending);
    let words: Vec<&'static str> = all.map(word).collect();
    match &words[..] {
        [] => Ok(None),
        [one] => Ok(Some(*one)),
        several => match several.iter().find(|word| **word == ending) {
            Some(own) => Ok(Some(*own)),
            None => {
                let names = several.join(", ");
                let message = format!("files of several formats are named .{ending}: {names}");
                let hint = format!("say which: --format {}; a bundle is named .bundle", several[0]);
                Err(VerbError::new(Code::invalid("unknown-format"), message, hint))
            }
        },
    }
}

/// Returns what is given away of a tournament, with names where they are asked for, and its standings.
///
/// # Errors
/// Where it cannot be read, or there are no standings.
pub fn given(
    store: &Store,
    stream: StreamId,
    with_names: bool,
) -> Result<(LoadedTournament, Standings), VerbError> {
    let mut event = store.load(stream, true)?;
    if !with_names {
        event = LoadedTournament::of(stream, event.head, event.log, Book::new(stream));
    }
    let rules = in_force(event.state.ruleset().unwrap_or_default())?;
    check_rulings(&event.state, &rules)?;
    let standings = Standings::of(&event.state, &rules, Scope::default(), Detail::All)?;
    Ok((event, standings))
}

/// Writes a tournament in a format: anew, or into a file of it.
///
/// # Errors
/// Why the format cannot hold it.
pub fn written(
    event: &LoadedTournament,
    standings: &Standings,
    format: &dyn Format,
    into: Option<&File>,
) -> Result<Written, VerbError> {
    let is_cobra = word(format) == "cobra";
    let swiss = if is_cobra { before_the_cut(event, &standings.rules)? } else { None };
    let mut source = neutral(event, swiss.as_ref().unwrap_or(standings));
    if is_cobra && standings.is_final {
        add_places(&mut source, event, standings);
    }
    if word(format) == "tdf"
        && let Some(imported) = event.state.imported()
    {
        // TOM has many files of the same players.
        source.identity = text_or(&event.book, &imported.source_event, "");
    }
    let has_tie_breaks = word(format) == "chess-results";
    let is_report = ["trf", "trf26"].contains(&format.name());
    let is_gotha = word(format) == "opengotha";
    if has_tie_breaks {
        add_tie_breaks(&mut source, event, standings);
    }
    if has_tie_breaks || is_report {
        source.rules = Some(standings.rules.id.clone());
        name_alone(&mut source, event);
        number_as_told(&mut source, &event.state);
    }
    // Under other rulesets the first seat is no color.
    if is_gotha && standings.rules.first_seat.is_some() {
        source.rules = Some(standings.rules.id.clone());
    }
    if into.is_some() && !format.writes_into() {
        return Err(WriteError::NotInto { format: format.name().into() }.into());
    }
    let written = format.write(&source, into);
    let mut written =
        written.transpose()?.ok_or_else(|| not_written("the format is not written".into()))?;
    let others = other_tie_breaks(standings);
    if has_tie_breaks && !others.is_empty() {
        let others = others.join(", ");
        written.left_out.push(format!("tie-breaks that are not written there: {others}"));
    }
    let (own, other) = (&standings.rules.id, rules_of(source.held_on));
    if is_report && own != other {
        written.left_out.push(format!(
            "the ruleset {own}, by which points and ranks stand there: an import goes by {other} where `--rules` names no other"
        ));
    }
    let came_as = event.state.imported().map(|imported| &imported.format[..]);
    if is_report && into.is_none() && came_as == Some("trf") {
        written.left_out.push(
            "what the report that it came from says beside players and games, such as the first color: `--into` \
             that report keeps it"
                .into(),
        );
    }
    // Reports of chess know of them; OpenGotha has who is away at the players, who stay as they are in a file.
    let asked = source.report.asked.len();
    if asked > 0 && !is_report && (!is_gotha || into.is_some()) {
        written.left_out.push(format!("byes that were asked for in rounds to come: {asked}"));
    }
    Ok(written)
}

/// Returns the standings before the first bracket, by which Cobra ranks everybody; none where there are none.
fn before_the_cut(
    event: &LoadedTournament,
    rules: &Arc<Ruleset>,
) -> Result<Option<Standings>, VerbError> {
    let state = &event.state;
    let is_of_cut =
        |round: &&Round| state.phase_of(round).is_some_and(|phase| phase.kind.is_bracket());
    let rounds = state.rounds().iter().filter(|round| !round.withdrawn).filter(is_of_cut);
    let first = rounds.map(|round| round.number).min();
    let Some(through) = first.map(|first| first - 1).filter(|through| *through > 0) else {
        return Ok(None);
    };
    let scope = Scope { through: Some(through), final_order: Some(true) };
    Ok(Some(Standings::of(state, rules, scope, Detail::All)?))
}

/// By what else the standings are ordered than by points and by [`CHESS`].
fn other_tie_breaks(standings: &Standings) -> Vec<&str> {
    let rules = &standings.rules;
    let other = |step: &Step| match step {
        Step::Measure { measure, .. } => {
            let measure = rules.measures.get(*measure)?;
            let is_written =
                measure.id == "points" || CHESS.iter().any(|(_, id)| *id == measure.id);
            (!is_written).then_some(measure.label.as_str())
        }
        Step::HeadToHead { .. } => Some("direct encounter"),
    };
    standings.steps().iter().filter_map(other).collect()
}

/// Returns the name of a tournament's file, such as `spring-open-3fa2c1d4.bundle`.
pub fn file_name(title: &str, stream: StreamId, more: Option<&str>, ending: &str) -> String {
    let plain = |c: char| if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { ' ' };
    let plain: String = title.chars().map(plain).take(TITLE_LETTERS).collect();
    let mut words: Vec<String> = plain.split_whitespace().map(str::to_string).collect();
    words.push(short_id(stream));
    words.extend(more.map(str::to_string));
    format!("{}.{ending}", words.join("-"))
}
