//! A file is read, judged and folded before it goes into a store.

use super::StoreError;
use scrutineer_engine::book::{Book, BookError, Commitment, Field, PrivateEntry, commit};
use scrutineer_engine::decide::validate;
use scrutineer_engine::error::Code;
use scrutineer_engine::event::{Event, Ref, RulesetFile, UnknownFact};
use scrutineer_engine::handler::CommandError;
use scrutineer_engine::record::{CommandId, StreamId};
use scrutineer_engine::rejection::Rejection;
use scrutineer_engine::tournament::Tournament;
use scrutineer_formats::{ImportError, Oddity, Source, rules_of, standings};
use scrutineer_projections::crosstable::{FoldError, check_lines, check_rulings, rule_by_score};
use scrutineer_projections::measure::check_facts;
use scrutineer_projections::ruleset::{Library, Ruleset, RulesetError, parse};
use scrutineer_replay::loaded::player_names;
use scrutineer_store::texts::system_salt;
use std::collections::HashMap;
use std::sync::Arc;

/// What there is to say first where a file contradicts what stands.
const ANOTHER: &str = "another tournament, such as another night's, has another title or day: in a sheet \
    `# event:` or `# date:` above its columns says it; ";

/// Another version of a file takes back what stands.
const CHANGED_FILE: Code = Code::conflict("changed-file");

scrutineer_engine::errors! {
    /// Why a file is not brought in. Nothing of it is in the store then.
    pub enum AddError -> Option<String> {
        /// The file is not good.
        Import(#[from] ImportError) => (error) error.code(), "{0}", Some(error.hint().into());
        /// The ruleset is not good.
        Ruleset(#[from] RulesetError) = invalid "bad-ruleset", "{0}", None;
        /// Nothing says by which rules it was played.
        NoRuleset { file: String, why: String } = not_found "no-ruleset",
            "{file} does not say by which ruleset it was played{why}",
            Some("name one with --rules <id>; a CSV or another sheet may say `# rules: <id>` above its columns".into());
        /// The facts contradict each other.
        Rejected { file: String, seq: u64, why: Rejection } => { why, .. } why.code(),
            "{file}: event {seq}: {why}", Some(why.hint().into());
        /// Another file of the same event was imported, and this one takes back what stands there.
        CannotRenew { file: String, title: String, id: String, why: String, is_built_on: bool }
            => { is_built_on, .. } CHANGED_FILE,
            "{file} is another version of a tournament that the store already holds, {title} \
             ({id}), which it cannot bring up to date: {why}",
            Some(match is_built_on {
                false => format!("{ANOTHER}a tournament is never overwritten: where nobody built on it, `scrutineer \
                    tournaments remove <id> --reason <why>` makes room for a version that takes back what stands, \
                    such as a name that was mended: import it again; otherwise that version goes into another \
                    store: --store <folder>"),
                true => format!("{ANOTHER}a tournament is never overwritten: take back here what that version takes \
                    back, and import it again; otherwise it goes into another store: --store <folder>"),
            });
        /// The same of a file that another program keeps, which nobody gives another title.
        Contradicts { file: String, title: String, id: String, why: String, is_built_on: bool }
            => { is_built_on, .. } CHANGED_FILE,
            "{file} contradicts what {title} ({id}) has: {why}",
            Some(match is_built_on {
                false => "put it right in the other program and save once more, or here; where nobody built on it, \
                    `scrutineer tournaments remove <id> --reason <why>` makes room for that version: import it again",
                true => "put it right in the other program and save once more, or here",
            }.into());
        /// It has no result any more of a match of which an older version had one.
        ResultGone { file: String, what: String, way: String } => { way, .. } CHANGED_FILE,
            "{file} has no result any more of {what}, which has one here", Some(way.clone());
        /// It could not be written.
        Refused(#[from] CommandError) => (refusal) refusal.code(), "{0}", None;
        /// The store cannot be read.
        Store(#[from] StoreError) => (error) error.code(), "{0}", error.hint().map(str::to_string);
        /// The words cannot be kept.
        Book(#[from] BookError) = io "book-not-written", "{0}", None;
    }
}

/// A file that was read, judged and folded, but not stored.
pub struct Prepared {
    /// What the file says.
    pub source: Source,
    /// The id that the event has or would have.
    pub stream: StreamId,
    /// The ruleset.
    pub rules: Arc<Ruleset>,
    /// The events.
    pub events: Vec<Event>,
    /// The state after them.
    pub state: Tournament,
    /// Their words.
    pub private: Vec<PrivateEntry>,
    /// Under which it is recorded.
    pub command: CommandId,
    /// Whether it is compared once more though the same file was read before.
    pub(super) is_again: bool,
    /// Whether it comes by itself, and not with others.
    pub(super) is_alone: bool,
    /// Whether somebody brings it in, and no folder that is followed.
    pub(super) is_by_hand: bool,
}

impl Prepared {
    /// The text of one of its entries.
    pub(super) fn text(&self, number: u32) -> &str {
        let entry = self.private.iter().find(|entry| entry.number == number);
        entry.map_or("", |entry| &entry.text)
    }

    /// Compares it once more with its tournament, whose log has so many events, though the same file was read
    /// before: what was taken back since comes in again.
    pub fn again(&mut self, head: u64) {
        let seed = [&self.command.0.to_le_bytes()[..], &head.to_le_bytes()].concat();
        self.command = CommandId(u128::from_le_bytes(scrutineer_formats::stream_id(&seed)));
        self.is_again = true;
    }

    /// It comes by itself: where another version was read since, it is compared with what stands.
    pub fn alone(&mut self) {
        self.is_alone = true;
    }

    /// Somebody brings it in by itself: also what was taken back since it was read comes in anew.
    pub fn by_hand(&mut self) {
        self.alone();
        self.is_by_hand = true;
    }

    /// Takes another id: under this one the file was brought in and removed.
    pub(super) fn begin_anew(&mut self) {
        self.stream = StreamId(scrutineer_formats::stream_id(&self.stream.0));
        self.command = CommandId(u128::from_le_bytes(self.stream.0));
        let by_number: HashMap<u32, Commitment> =
            self.private.iter().map(|entry| (entry.number, commit(self.stream, entry))).collect();
        for event in &mut self.events {
            event.each_ref(&mut |reference| {
                if let Ref::Words(_, words) = reference
                    && let Some(anew) = by_number.get(&words.number)
                {
                    *words = *anew;
                }
            });
        }
        self.state = Tournament::of(&self.events);
    }

    /// What its players are called, by number.
    pub fn names(&self) -> Vec<String> {
        let mut book = Book::new(self.stream);
        // They were numbered one after another.
        self.private.iter().for_each(|entry| drop(book.add(entry.clone())));
        player_names(&self.state, &book)
    }
}

/// The ruleset by which a file was played: the one asked for, the one it names, its platform's of
/// the day, or the one for its score lines.
pub fn ruleset_for(
    source: &Source,
    asked: Option<&str>,
    library: &Library,
) -> Result<Vec<RulesetFile>, AddError> {
    let of_platform = || of_platform(source, library);
    let named = asked.map(str::to_string).or_else(|| source.rules.clone());
    let id = named.or_else(of_platform).or_else(|| by_score_lines(source).map(str::to_string));
    let id = id
        .ok_or_else(|| AddError::NoRuleset { file: source.file.clone(), why: as_points(source) })?;
    Ok(library.chain(&id)?)
}

/// Why the score lines of a file name no ruleset, and which one counts them: points of a game, be they of a sheet or
/// of a platform, are counted in no usual one.
fn as_points(source: &Source) -> String {
    if source.scoresheet.seat_line("points").is_none() {
        return String::new();
    }
    let found = source.oddities.iter().find(|one| one.place == "the results");
    let read = match found {
        Some(one) => one.sentence.as_str(),
        None => "Its scores are points of a game.",
    };
    format!(
        ". {read} Where the higher score wins, `--rules topdeck+outcome.line=points` counts 3 for a win and 1 for a \
         draw; docs/RULESETS.md shows how other rules are written"
    )
}

/// The edition under which a file's platform computed its standings.
pub fn of_platform(source: &Source, library: &Library) -> Option<String> {
    library.for_platform(&source.platform, source.held_on, source.printed_digits())
}

/// What there is to say of a file whose platform is known, but not how it computed on that day, and
/// of one whose standings were computed again under a later edition.
fn about_edition(source: &Source, library: &Library) -> Option<Oddity> {
    let platform = Some(&source.platform);
    let is_known = library.editions().iter().any(|e| e.platform.as_ref() == platform);
    let day = source.held_on?;
    if !is_known {
        return None;
    }
    let of_that_day = library.for_platform(&source.platform, Some(day), None);
    if let Some(edition) = of_platform(source, library) {
        let sentence =
            format!("Its values have the digits of {edition}: they were computed later.");
        let again = of_that_day.as_ref() != Some(&edition);
        return again.then(|| Oddity { place: "Standings".into(), sentence });
    }
    let sentence = format!(
        "How {} computed on {day} is not known: the ruleset goes by the score lines, and the \
         published values may be others.",
        source.platform
    );
    Some(Oddity { place: "the date".into(), sentence })
}

/// The usual ruleset for a scoresheet with such lines: one of matches alone where games are not known.
fn by_score_lines(source: &Source) -> Option<&'static str> {
    let has = |line: &str| source.scoresheet.seat_line(line).is_some();
    if source.rounds().next().is_none() && has(standings::PLACE) {
        Some(if has(standings::TENTHS) { "as-published" } else { "as-published-places" })
    } else if source.halves {
        Some(rules_of(source.held_on))
    } else if has("games") && source.unknown.contains(&UnknownFact::Games) {
        Some("mtr-single-game")
    } else if has("games") {
        Some("mtr")
    } else if has("match_points") {
        Some("netrunner")
    } else if has("objective") && has("survival") {
        Some("hgbts")
    } else {
        None
    }
}

/// Reads, judges and folds a file without storing it.
///
/// # Errors
/// Where the file or its ruleset is not good, or its facts contradict each other.
pub fn prepare(
    name: &str,
    bytes: &[u8],
    asked: Option<&str>,
    library: &Library,
) -> Result<Prepared, AddError> {
    prepare_source(scrutineer_formats::read(name, bytes)?, bytes, asked, library)
}

/// As [`prepare`], a file of these bytes that a reader of one's own has read already.
///
/// # Errors
/// As [`prepare`].
pub fn prepare_source(
    mut source: Source,
    bytes: &[u8],
    asked: Option<&str>,
    library: &Library,
) -> Result<Prepared, AddError> {
    let files = ruleset_for(&source, asked, library)?;
    if asked.is_none() && source.rules.is_none() {
        source.oddities.splice(..0, about_edition(&source, library));
    }
    let rules = Arc::new(parse(&files)?);
    for phase in &mut source.phases {
        for table in phase.rounds.iter_mut().flat_map(|round| &mut round.tables) {
            if table.has_result() {
                rule_by_score(&rules, &mut table.result);
            }
        }
    }
    let stream = StreamId(scrutineer_formats::stream_id(bytes));
    let file_hash = scrutineer_formats::file_hash(bytes);
    let mut private = Vec::new();
    let mut failed = None;
    let mut keep = |field: Field, text: &str| {
        let number = private.len() as u32 + 1;
        let drawn = PrivateEntry::new(number, field, text, &mut system_salt);
        let entry = drawn.unwrap_or_else(|error| {
            failed = Some(error);
            PrivateEntry { number, field, salt: [0; 32], text: String::new() }
        });
        let commitment = commit(stream, &entry);
        private.push(entry);
        commitment
    };
    let events = scrutineer_formats::events(&source, file_hash, &mut keep, files)?;
    if let Some(error) = failed {
        return Err(error.into());
    }
    let state = judge(&source.file, &events)?;
    if let Err(why) = check(&state, &rules) {
        let other = by_score_lines(&source).filter(|other| {
            let parsed = library.chain(other).and_then(|files| parse(&files));
            // Results are ruled on as each ruleset says.
            parsed.is_ok_and(|other| {
                check_lines(&state, &other).and_then(|()| check_facts(&state, &other)).is_ok()
            })
        });
        let then = match other {
            Some(other) => format!("name {other} as its ruleset instead (--rules {other})"),
            None => why.hint().to_string(),
        };
        let sentence = format!("There will be no standings: {why}; {then}.");
        source.oddities.push(Oddity { place: source.file.clone(), sentence });
    }
    let command = CommandId(u128::from_le_bytes(stream.0));
    Ok(Prepared {
        source,
        stream,
        rules,
        events,
        state,
        private,
        command,
        is_again: false,
        is_alone: false,
        is_by_hand: false,
    })
}

/// Whether a tournament has what a ruleset needs for standings.
fn check(state: &Tournament, rules: &Ruleset) -> Result<(), FoldError> {
    check_lines(state, rules)?;
    check_rulings(state, rules)?;
    check_facts(state, rules)
}

/// Admits each event in turn, so that a refusal can name which.
fn judge(file: &str, events: &[Event]) -> Result<Tournament, AddError> {
    let mut state = Tournament::default();
    for (seq, event) in (1..).zip(events) {
        validate(&state, event).map_err(|why| AddError::Rejected {
            file: file.into(),
            seq,
            why,
        })?;
        state.evolve(event);
    }
    Ok(state)
}
