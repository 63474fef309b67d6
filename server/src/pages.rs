//! The pages: each a function of the store and of who looks, made from a template.
//!
//! Every page is whole without scripts: what is done on it is a form that posts an order.

#[cfg(test)]
mod access_tests;
pub mod alerts;
pub mod assets;
pub mod audit;
pub mod bracket;
mod called;
pub mod clock;
pub mod code;
pub mod compare;
pub mod confirm;
pub mod cross;
pub mod desk;
pub mod disputes;
mod divided;
pub mod entry;
pub mod export;
pub mod floor;
pub mod frame;
pub mod icons;
pub mod import;
#[cfg(test)]
pub(crate) mod kit;
pub mod log;
pub mod missing;
pub mod moved;
pub mod moves;
pub mod overlay;
mod own_course;
pub mod places;
pub mod player;
pub mod players;
pub mod policies;
pub mod print;
pub mod problem;
pub mod proved;
pub mod publisher;
pub mod reach;
pub mod replay;
pub mod review;
pub mod round;
pub mod rules;
pub mod screen;
pub mod season;
mod sentences;
pub mod staff;
pub mod standings;
pub mod stores;
pub mod tournaments;
pub mod webhooks;
pub mod what_if;
pub mod why;

use crate::gate::{Need, Role};
use crate::language::Language;
use crate::live::is_out;
use crate::venues::Copied;
pub(crate) use called::round_called;
use scrutineer_desk::answers::RoundTable;
use scrutineer_desk::asker::Asker;
use scrutineer_desk::desk::{match_of_player, of_chess, open_round};
use scrutineer_desk::floor::Floor;
use scrutineer_desk::orders::{AtDesk, Told, load, moment};
use scrutineer_desk::public::{Policy, Records};
use scrutineer_desk::reported::who_won;
use scrutineer_desk::rules::in_force;
use scrutineer_desk::store::Store;
use scrutineer_desk::verb_error::VerbError;
use scrutineer_engine::book::Commitment;
use scrutineer_engine::event::{Event, MatchResult, PlayerNumber, RoundNumber};
use scrutineer_engine::log::Head;
use scrutineer_engine::record::{StreamId, Time};
use scrutineer_engine::tournament::{MatchView, Round, Tournament};
use scrutineer_projections::ruleset::{Library, Ruleset};
use scrutineer_projections::timeline::Words;
use scrutineer_replay::loaded::LoadedTournament;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::sync::Arc;
use utoipa::ToSchema;

/// A tournament, and who looks at it.
pub struct Looked<'a> {
    /// The store.
    pub store: &'a Store,
    /// The tournament.
    pub stream: StreamId,
    /// Who looks.
    pub asker: &'a Asker,
    /// In which role.
    pub role: Role,
    /// In which role they came, who look at a copy, in which everybody is of the public.
    pub own_role: Role,
    /// The role that they came by, where their connection makes them less.
    pub lowered_from: Option<Role>,
    /// The path of the tournament's pages, such as `/t/7b9adae3`.
    pub base: &'a str,
    /// What the page calls them by in what it sends late.
    pub signer: String,
    /// A new key for the forms of the page: what is posted twice under it is done once.
    pub form_key: String,
    /// The address that the first phone is to open, as long as none has.
    pub awaited: Option<String>,
    /// How its floor stands.
    pub floor: Arc<Floor>,
    /// What became of the order that was posted last.
    pub said: Said,
    /// In which language.
    pub language: Language,
    /// Whether the language stands in the query; then links take it along.
    pub is_chosen: bool,
    /// The key of what is asked for beside the address.
    pub aside: Option<String>,
    /// What else the query says of what is printed, such as `made=k1`: the same in another language has it too.
    pub printed: String,
    /// What is shown to everybody.
    pub policy: Policy,
    /// The round that is being paired, where nobody may see it yet.
    pub prepared: Option<RoundNumber>,
    /// The pairings that are out though the results before them are hidden.
    pub pairings: Option<LoadedTournament>,
    /// The last event that is public, where results are hidden behind it.
    pub hidden: Option<u64>,
    /// The last event that everybody may know, for whoever is not of the staff.
    pub public_head: Option<Head>,
    /// Where others find this server, such as `http://192.0.2.7:7780`.
    pub origin: String,
    /// How the other laptop stands, where there is one.
    pub second: Option<crate::second::Line>,
    /// The same in a word, by which an open page sees whether that changed.
    pub stands: String,
    /// Where it is pushed and whether that works, where it is.
    pub publisher: Option<crate::pushing::Line>,
    /// The file of another program that it comes from, and whether that is followed.
    pub other_program: Option<crate::other_program::FileLine>,
    /// Addresses that are told nothing of it any more, since they did not take it; for the owner.
    pub given_up: Vec<String>,
    /// The editions of rules that are here, for those of the staff.
    pub editions: Arc<crate::editions::Known>,
    /// Of what it is a copy, where it is run elsewhere.
    pub copied: Option<Copied>,
    /// The code of the link of its screen, where one was made.
    pub screen: Option<String>,
}

/// What became of an order that was posted: the fields that come back to the page in its query.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(default)]
pub struct Said {
    /// The first event that was recorded.
    pub done: Option<u64>,
    /// Who of a list was enrolled before, by number.
    pub already: Option<String>,
    /// What was done on the floor, by its number.
    pub floor: Option<u64>,
    /// What was kept beside the log: `public`, or the number of a player with a wish of their own.
    pub kept: Option<String>,
    /// The code of why it was refused.
    pub refused: Option<String>,
    /// The same in words.
    pub why: Option<String>,
    /// What to do next.
    pub hint: Option<String>,
    /// The slip as it was typed.
    pub typed: Option<String>,
}

impl Looked<'_> {
    /// Whether everybody may read the records, and so get the page that checks itself.
    pub fn has_public_records(&self) -> bool {
        self.policy.records == Records::Public
    }

    /// Whether who looks may know of disqualifications: the staff, and everybody where records are public.
    fn names_disqualified(&self) -> bool {
        self.has_public_records() || Need::Staff.admits(self.role)
    }

    /// Whether results are hidden from whoever looks: of a copy its venue says so.
    fn hides_results(&self) -> bool {
        (self.hidden.is_some() || self.pairings.is_some()) && !Need::Staff.admits(self.role)
    }

    /// A query with the language, where it was chosen.
    fn taking(&self, query: &str) -> String {
        match (self.is_chosen, query.is_empty()) {
            (false, _) => query.to_string(),
            (true, true) => format!("?lang={}", self.language.tag()),
            (true, false) => format!("{query}&lang={}", self.language.tag()),
        }
    }

    /// Whether drafts are shown.
    pub fn sees_drafts(&self) -> bool {
        Need::Drafts.admits(self.role)
    }

    /// The round that is open, as far as it is shown: a draft is the scorekeepers' alone.
    fn open_round<'s>(&self, state: &'s Tournament) -> Option<&'s Round> {
        open_round(state).filter(|open| self.sees_drafts() || is_out(state, open))
    }

    /// The number of the last round, as far as it is shown; 0 before the first one.
    fn last_round(&self, state: &Tournament) -> RoundNumber {
        state.last_round().map_or(0, |last| match self.sees_drafts() || is_out(state, last) {
            true => last.number,
            false => last.number - 1,
        })
    }

    /// Asks at the desk of the tournament, and gives what there is to be known beside the answer.
    pub fn at_desk<T>(
        &self,
        ask: impl FnOnce(&AtDesk<'_>) -> Result<T, VerbError>,
    ) -> (Result<T, VerbError>, Vec<String>) {
        let asked = scrutineer_desk::desk::Asked::default();
        scrutineer_desk::orders::at_stream(self.asker, self.store, self.stream, asked, ask)
    }

    /// The answer of the desk, for programs.
    fn answer(
        &self,
        ask: impl FnOnce(&AtDesk<'_>) -> Result<Told, VerbError>,
    ) -> Result<Value, VerbError> {
        Ok(self.at_desk(ask).0?.json)
    }

    /// The tournament as it stands.
    fn load(&self) -> Result<LoadedTournament, VerbError> {
        Ok(speaking(self.store.load(self.stream, false)?, self.language))
    }

    /// The same as it was after an event, with its log.
    fn load_as_of(&self, seq: u64) -> Result<LoadedTournament, VerbError> {
        let (as_of, _) = moment(self.store, self.stream, Some(&seq.to_string()))?;
        Ok(speaking(load(self.store, self.stream, as_of, true)?, self.language))
    }

    /// As [`load`](Self::load); for whoever may not see the draft that is its last round, as it was before that
    /// was paired.
    fn load_out(&self) -> Result<LoadedTournament, VerbError> {
        let event = self.load()?;
        let draft = event.state.last_round().filter(|last| !is_out(&event.state, last));
        let Some(draft) = draft.filter(|_| !self.sees_drafts()) else { return Ok(event) };
        let whole = self.load_whole()?;
        // What was recorded with it, as the phase that it begins, is drafted too.
        let opened = whole.log.iter().find(|(header, _)| header.seq == draft.opened);
        self.load_as_of(opened.map_or(0, |(header, _)| header.seq - u64::from(header.part)))
    }

    /// The same with its log.
    fn load_whole(&self) -> Result<LoadedTournament, VerbError> {
        Ok(speaking(self.store.load(self.stream, true)?, self.language))
    }
}

/// Whether an address leads nobody here but this machine itself.
fn is_for_this_machine(origin: &str) -> bool {
    let host = origin.split("://").last().unwrap_or_default();
    ["127.", "localhost", "[::1]"].iter().any(|own| host.starts_with(own))
}

/// A tournament whose players without a name have a number in the language of the page.
pub(crate) fn speaking(mut event: LoadedTournament, language: Language) -> LoadedTournament {
    let is_number = |number: usize, name: &String| {
        name.strip_prefix("player ").is_some_and(|of| *of == number.to_string())
    };
    let all = (1..).zip(event.names.iter());
    let unnamed = all.filter(|(number, name)| is_number(*number, name)).map(|(number, _)| number);
    let unnamed: Vec<usize> = unnamed.filter(|_| language != Language::English).collect();
    for number in unnamed {
        let said = language.a("player-number", "player", number);
        Arc::make_mut(&mut event.names)[number - 1] = said;
    }
    event
}

/// The ruleset that is asked for, or the tournament's own.
///
/// # Errors
/// Where there is no such ruleset.
pub fn rules_of(event: &LoadedTournament, asked: Option<&str>) -> Result<Arc<Ruleset>, VerbError> {
    match asked.filter(|name| !name.is_empty()) {
        Some(name) => Ok(Arc::new(Library::shipped().ruleset(name)?)),
        None => Ok(in_force(event.state.ruleset().unwrap_or_default())?),
    }
}

/// A page from its template.
///
/// # Errors
/// Where a template cannot be filled, which is a fault of the program.
pub fn render(template: &impl askama::Template) -> Result<String, VerbError> {
    render_of(template, 0)
}

/// As [`render`], a page of about so many bytes: a long one is not copied as it grows.
///
/// # Errors
/// As [`render`].
pub fn render_of(template: &impl askama::Template, bytes: usize) -> Result<String, VerbError> {
    const USUAL: usize = 16 << 10;
    let mut page = String::with_capacity(USUAL + bytes);
    template.render_into(&mut page).map_err(|error| {
        let code = scrutineer_engine::error::Code::internal("page-not-made");
        VerbError::new(code, format!("the page cannot be made: {error}"), "tell its developers")
    })?;
    Ok(page)
}

/// A player as pages show them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[schema(as = Person)]
pub struct Person {
    /// Their number.
    pub number: PlayerNumber,
    /// Their name.
    pub name: String,
}

impl Person {
    fn of(event: &LoadedTournament, number: PlayerNumber) -> Person {
        Person { number, name: event.name(number) }
    }

    /// A player of an answer for programs.
    fn read(value: &Value) -> Option<Person> {
        let number = u32::try_from(value["number"].as_u64()?).ok()?;
        Some(Person { number, name: value["name"].as_str()?.to_string() })
    }
}

/// Names in a row. Where one of them has a comma of its own, such as `Lee, Ann`, semicolons stand between them.
fn in_a_row(names: &[String]) -> String {
    names.join(if names.iter().any(|name| name.contains(',')) { "; " } else { ", " })
}

/// A name that stands within other words: one that is written from right to left is set apart, so that
/// it does not turn the score behind it around.
fn set_apart(name: String) -> String {
    let turns = |c: char| {
        matches!(c, '\u{590}'..='\u{8ff}' | '\u{fb1d}'..='\u{fdff}' | '\u{fe70}'..='\u{feff}'
            | '\u{10800}'..='\u{10fff}' | '\u{1e800}'..='\u{1efff}')
    };
    match name.contains(turns) {
        true => format!("\u{2068}{name}\u{2069}"),
        false => name,
    }
}

/// The words of a tournament for sentences on pages.
struct Spoken<'a>(&'a LoadedTournament);

impl Words for Spoken<'_> {
    fn player(&self, number: PlayerNumber) -> String {
        set_apart(self.0.player(number))
    }

    fn text(&self, commitment: &Commitment) -> String {
        set_apart(self.0.text(commitment))
    }

    fn name(&self, number: PlayerNumber, name: &Commitment) -> String {
        set_apart(Words::name(self.0, number, name))
    }
}

/// What happened in an event of the log, in a sentence for the staff.
fn told(event: &LoadedTournament, seq: u64, logged: &Event) -> String {
    sentences::told_in(event, seq, logged, Language::English)
}

/// A time by the clock of this machine.
fn clock(time: Time) -> String {
    let known = chrono::DateTime::from_timestamp_micros(time.unix_micros);
    known.map_or(String::new(), |time| {
        time.with_timezone(&chrono::Local).format("%H:%M:%S").to_string()
    })
}

/// The day by the clock of this machine.
fn day_of(time: Time) -> String {
    let known = chrono::DateTime::from_timestamp_micros(time.unix_micros);
    known.map_or(String::new(), |time| {
        time.with_timezone(&chrono::Local).format("%Y-%m-%d").to_string()
    })
}

/// The day and the time by the clock of this machine, with its zone.
fn day_and_clock(time: Time) -> String {
    let known = chrono::DateTime::from_timestamp_micros(time.unix_micros);
    known.map_or(String::new(), |time| {
        time.with_timezone(&chrono::Local).format("%Y-%m-%d %H:%M:%S %:z").to_string()
    })
}

/// A time of an answer for programs, by the clock of this machine, with its zone.
fn clock_of(text: &str) -> String {
    let known = chrono::DateTime::parse_from_rfc3339(text);
    known.map_or(text.to_string(), |time| {
        time.with_timezone(&chrono::Local).format("%Y-%m-%d %H:%M:%S %:z").to_string()
    })
}

/// A score as the desk sets it: a dash of figures between the numbers, rulings in words.
fn set_score(slip: &str) -> String {
    if let Some(score) = of_one_game(slip) {
        return score.into();
    }
    let words = slip.split(' ');
    let set = |word| ruled(word, Language::English).unwrap_or_else(|| set_figures(word));
    words.map(set).collect::<Vec<_>>().join(" ")
}

/// A score as it is set in a tournament of chess, or in another one.
fn set_slip(slip: &str, is_chess: bool) -> String {
    of_chess(slip).filter(|_| is_chess).map_or_else(|| set_score(slip), str::to_string)
}

/// The same with how it came about in the reader's words.
fn said_slip(slip: &str, is_chess: bool, language: Language) -> String {
    of_chess(slip).filter(|_| is_chess).map_or_else(|| said_score(slip, language), str::to_string)
}

/// Whether white has the first seat: then a result is set as chess has it.
pub fn is_chess(event: &LoadedTournament) -> bool {
    rules_of(event, None).is_ok_and(|rules| rules.first_seat.is_some())
}

/// The number of a table; a dash where it has none, as in tournaments that were brought in by older versions.
pub fn shown_table(table: u32) -> String {
    if table == 0 { "–".into() } else { table.to_string() }
}

/// A single game whose ruling says the same as its score, as in chess and Go; none: it is another slip.
fn of_one_game(slip: &str) -> Option<&'static str> {
    match slip {
        "1-0 w-l" => Some("1–0"),
        "0-1 l-w" => Some("0–1"),
        "0-0-1 d-d" => Some("½–½"),
        _ => None,
    }
}

/// A ruling of a slip, such as `w-l`, in words; none: it is another word.
fn ruled(word: &str, language: Language) -> Option<String> {
    let seats: Vec<&str> = word.split('-').collect();
    let is_ruling = seats.len() > 1 && seats.iter().all(|seat| matches!(*seat, "w" | "l" | "d"));
    let all = |wanted: &str| seats.iter().all(|seat| *seat == wanted);
    is_ruling.then(|| match (all("d"), all("l")) {
        (true, _) => language.word("slip", "d"),
        (_, true) => language.word("slip", "nobody"),
        _ => seats.iter().map(|seat| language.word("slip", seat)).collect::<Vec<_>>().join("–"),
    })
}

/// With a dash of figures between numbers.
fn set_figures(slip: &str) -> String {
    let chars: Vec<char> = slip.chars().collect();
    let is_digit =
        |at: Option<usize>| at.and_then(|at| chars.get(at)).is_some_and(|one| one.is_ascii_digit());
    let one = |(at, c): (usize, &char)| match c {
        '-' if is_digit(at.checked_sub(1)) && is_digit(Some(at + 1)) => '–',
        other => *other,
    };
    chars.iter().enumerate().map(one).collect()
}

/// A score as it is set, with how it came about in the reader's words.
fn said_score(slip: &str, language: Language) -> String {
    if let Some(score) = of_one_game(slip) {
        return score.into();
    }
    let said =
        |word| ruled(word, language).unwrap_or_else(|| language.word("slip", &set_figures(word)));
    slip.split(' ').map(said).collect::<Vec<_>>().join(" ")
}

/// What somebody of the staff reads of a result that a player reports.
fn won_in_words(event: &LoadedTournament, seats: &[PlayerNumber], result: &MatchResult) -> String {
    let is_chess = is_chess(event);
    who_won(seats, result, |player| set_apart(event.name(player)), |slip| set_slip(slip, is_chess))
}

/// The players of a match, in the order of the seats.
fn seats_of(found: MatchView<'_>) -> Vec<PlayerNumber> {
    found.seats().iter().map(|seat| seat.player).collect()
}

/// How a match is named where its result is typed: by its table, or by who has the first seat where the table has
/// no number, as in tournaments that were brought in by older versions.
pub fn typed_table(found: MatchView<'_>) -> String {
    match (found.table(), found.seats().first()) {
        (Some(table), _) => table.to_string(),
        (None, Some(seat)) => format!("#{}", seat.player),
        (None, None) => String::new(),
    }
}

/// The match of a row of a round: that of its table, or of its players where the table has no number.
pub fn match_of_row<'a>(
    state: &'a Tournament,
    round: RoundNumber,
    row: &RoundTable,
) -> Option<MatchView<'a>> {
    match row.table {
        0 => match_of_player(state, round, row.players.first()?.player.number),
        table => state.at_table(round, table),
    }
}

/// The rounds that stand.
pub fn rounds_of(event: &LoadedTournament) -> Vec<RoundNumber> {
    let rounds = event.state.rounds().iter().filter(|round| !round.withdrawn);
    rounds.map(|round| round.number).collect()
}

/// A table without a result.
pub struct MissingTable {
    /// Its number.
    pub table: u32,
    /// Who sits there.
    pub players: Vec<Person>,
}

/// The tables of the round that is played that have no result. A draft has none, for nobody: it is not played yet.
pub fn missing_tables(event: &LoadedTournament) -> Vec<MissingTable> {
    let open = open_round(&event.state).filter(|open| is_out(&event.state, open));
    let Some(open) = open else { return Vec::new() };
    let of_round = event.state.matches().filter(|found| found.round().number == open.number);
    let without = of_round.filter(|found| found.result().is_none());
    let mut missing: Vec<MissingTable> = without
        .map(|found| MissingTable {
            table: found.table().unwrap_or(0),
            players: found.seats().iter().map(|seat| Person::of(event, seat.player)).collect(),
        })
        .collect();
    missing.sort_by_key(|row| row.table);
    missing
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_from_right_to_left_does_not_turn_a_score_around() {
        assert_eq!(set_apart("مريم".into()), "\u{2068}مريم\u{2069}");
        assert_eq!(set_apart("Šimková".into()), "Šimková");
    }

    #[test]
    fn names_that_hold_commas_are_not_read_as_more_people() {
        let names =
            |all: &[&str]| in_a_row(&all.iter().map(|one| one.to_string()).collect::<Vec<_>>());
        assert_eq!(names(&["Ann Lee", "Bo Park"]), "Ann Lee, Bo Park");
        assert_eq!(names(&["Lee, Ann", "Bo Park"]), "Lee, Ann; Bo Park");
    }

    #[test]
    fn how_a_score_came_about_is_said_in_the_readers_language() {
        let said = |language| said_score("0-0-3 agreed", language);
        assert_eq!(said(Language::German), "0–0–3 vereinbart");
        assert_eq!(said(Language::English), "0–0–3 agreed");
        let ruled = said_score("w-l no-show", Language::German);
        assert_eq!(ruled, "Sieg–Niederlage nicht erschienen");
        assert_eq!(Language::German.measure("possible game points"), "mögliche Spielpunkte");
        assert_eq!(Language::German.measure("OMW%"), "OMW%");
    }

    #[test]
    fn scores_are_set_with_a_dash_of_figures_and_words_are_not() {
        assert_eq!(set_score("2-1-1"), "2–1–1");
        assert_eq!(["1-0 w-l", "0-1 l-w", "0-0-1 d-d"].map(set_score), ["1–0", "0–1", "½–½"]);
        assert_eq!(set_score("w-l forfeit"), "win–loss forfeit");
        let chess = ["w-l", "l-w conceded", "0-0-1 agreed", "d-d", "w-l forfeit", "l-l no-show"];
        let set = chess.map(|slip| set_slip(slip, true));
        assert_eq!(set, ["1–0", "0–1", "½–½", "½–½", "+/−", "−/−"]);
        assert_eq!([set_slip("w-l", false), set_slip("void", true)], ["win–loss", "void"]);
        assert_eq!(set_score("2-0 l-w"), "2–0 loss–win");
        assert_eq!([set_score("d-d"), set_score("l-l void")], ["draw", "nobody wins void"]);
    }
}
