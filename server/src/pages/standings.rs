//! The standings, as they are or as they were, under the tournament's rules or others.

use super::bracket::how_it_ended;
use super::called::{self, at_time, decided, round_called, stage_of, within};
use super::frame::{Frame, Tab, tables_of};
use super::missing::{postponed, postponed_in_words};
use super::reach::disputed_in_words;
use super::{Looked, Person, render, render_of, rules_of, speaking};
use crate::asides::KEY;
use crate::gate::Need;
use crate::horizon::last_told;
use crate::language::Language;
use crate::problem::plain;
use crate::query::encoded;
use crate::reading::up_to;
use askama::Template;
use scrutineer_desk::looking::{division_of, reachable};
use scrutineer_desk::orders::{load, moment, scope};
use scrutineer_desk::verb_error::VerbError;
use scrutineer_engine::event::{DropReason, PlayerNumber, RoundNumber};
use scrutineer_engine::names::{is_sought, sought};
use scrutineer_engine::record::to_hex;
use scrutineer_engine::tournament::{MatchView, Round, Tournament};
use scrutineer_projections::bracket_rounds::bracket_places;
use scrutineer_projections::crosstable::{PlayerRound, check_lines, check_rulings};
use scrutineer_projections::cut::{Cut, StaysOut, stays_out};
use scrutineer_projections::divisions::{DivisionPlaces, divisions};
use scrutineer_projections::explain::value_of;
use scrutineer_projections::measure::check_facts;
use scrutineer_projections::reach::{Chance, Effort, Reach};
use scrutineer_projections::ruleset::{self, Fact, Formula, Outcome, RoundKind, Step};
use scrutineer_projections::standings::{Decided, Detail, Row, Standings, shown_place};
use scrutineer_replay::loaded::LoadedTournament;
use serde::Deserialize;
use std::collections::{BTreeMap, BTreeSet};
use std::thread;

/// How many rows a page has.
const MOST_ROWS: usize = 500;
/// What a row of some ten rounds is about, in bytes.
const ROW_BYTES: usize = 1_024;

/// Which standings somebody asks for.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(default)]
pub struct View {
    /// As they were known after this event of the log, or at this time.
    #[serde(rename = "as-of")]
    pub as_of: Option<String>,
    /// Only the rounds up to this one.
    pub through: Option<RoundNumber>,
    /// Under this ruleset.
    pub rules: Option<String>,
    /// Only the players of this division, with places of their own.
    pub division: Option<String>,
    /// The last round that may be seen, where the one after it is a draft.
    #[serde(skip)]
    pub out: Option<RoundNumber>,
    /// Whether they are what everybody may know, whoever looks.
    #[serde(skip)]
    pub is_public: bool,
}

/// Whether a tournament is over, so that its standings as they are now stay. One that was imported is closed
/// where its file says that it is finished.
pub fn is_over(state: &Tournament) -> bool {
    state.is_closed()
}

/// The standings that somebody asked for, and what they should know of them.
pub struct Asked {
    /// The tournament.
    pub event: LoadedTournament,
    /// Its standings.
    pub standings: Standings,
    /// Those through the round before, where a table says who moved since.
    pub before: Option<Standings>,
    /// What is not as it is now.
    pub not_now: Vec<String>,
}

impl View {
    /// Folds what is asked for.
    ///
    /// # Errors
    /// Where there is no such moment, round or ruleset, or it cannot be folded.
    pub fn asked(&self, at: &Looked<'_>) -> Result<Asked, VerbError> {
        self.folded(at, false)
    }

    /// As [`View::asked`], for a table that says who moved since the round before.
    ///
    /// # Errors
    /// As [`View::asked`].
    pub fn asked_for_table(&self, at: &Looked<'_>) -> Result<Asked, VerbError> {
        self.folded(at, true)
    }

    fn folded(&self, at: &Looked<'_>, with_before: bool) -> Result<Asked, VerbError> {
        let typed = self.as_of.as_deref().map(str::trim).filter(|typed| !typed.is_empty());
        let (as_of, mut not_now) = moment(at.store, at.stream, typed)?;
        let event = speaking(load(at.store, at.stream, as_of, false)?, at.language);
        if let Some(as_of) = as_of {
            let when = at_time(as_of.recorded, at.language);
            let args: [(&str, &dyn crate::language::Said); 3] =
                [("event", &as_of.head.seq), ("last", &as_of.last), ("time", &when)];
            not_now.insert(0, at.language.with("not-now-as-of", args));
        }
        let is_public = self.is_public || !Need::Staff.admits(at.role);
        let told = last_told(&at.policy, at.hidden.is_some(), &event.state);
        let told = told.filter(|_| is_public);
        let wanted = up_to(up_to(scope(&event.state, self.through)?, self.out), told);
        if let Some(round) = self.through.filter(|round| told.is_none_or(|told| *round < told)) {
            not_now.push(at.language.a("not-now-through", "round", round));
        }
        let rules = rules_of(&event, self.rules.as_deref())?;
        check_rulings(&event.state, &rules)?;
        if self.rules.as_deref().is_some_and(|rules| !rules.is_empty()) {
            not_now.push(at.language.a("not-now-rules", "rules", ruleset::called(&rules.files)));
        }
        let state = &event.state;
        let fold = |wanted| Standings::of(state, &rules, wanted, Detail::Order);
        let is_in = |round: &&Round| {
            !round.withdrawn && wanted.through.is_none_or(|through| round.number <= through)
        };
        let last = state.rounds().iter().rfind(is_in).map(|round| round.number);
        let before = last.filter(|last| with_before && *last > 1).map(|last| last - 1);
        let fold_before = || fold(scope(state, Some(before?)).ok()?).ok();
        let (standings, before) = both(state, || fold(wanted), fold_before);
        let (mut standings, mut before) = (standings?, before);
        if let Some(typed) = self.division.as_deref().filter(|typed| !typed.trim().is_empty()) {
            let division = division_of(state, typed)?;
            standings = standings.of_division(state, division);
            before = before.map(|before| before.of_division(state, division));
        }
        Ok(Asked { standings, before, event, not_now })
    }

    /// What can still be reached, where the standings are those through the last round and
    /// something is open; none elsewhere.
    pub fn reach(&self, asked: &Asked, effort: Effort) -> Option<Reach> {
        // What is reached is a place among all.
        let last = asked.event.state.last_round().map_or(0, |last| last.number);
        let is_earlier = self.through.or(self.out).is_some() || asked.standings.through < last;
        if is_earlier || asked.standings.division().is_some() {
            return None;
        }
        let found = reachable(&asked.event, &asked.standings.rules, None, effort).ok()?;
        (found.missing > 0 || found.rounds_left != Some(0) || found.cut.is_some()).then_some(found)
    }

    /// The query that asks for the same.
    pub fn query(&self) -> String {
        let mut parts = Vec::new();
        let mut part = |name: &str, value: &Option<String>| {
            if let Some(value) = value.as_deref().filter(|value| !value.is_empty()) {
                parts.push(format!("{name}={}", encoded(value)));
            }
        };
        part("as-of", &self.as_of);
        part("through", &self.through.map(|round| round.to_string()));
        part("rules", &self.rules);
        part("division", &self.division);
        match parts.is_empty() {
            true => String::new(),
            false => format!("?{}", parts.join("&")),
        }
    }
}

#[derive(Template)]
#[template(path = "standings.html")]
struct StandingsPage {
    frame: Frame,
    /// Whether results are hidden from everybody.
    is_hidden: bool,
    /// Whether they are others than those that were announced at the end.
    is_corrected: bool,
    /// The tag of the language, where it was chosen.
    lang: &'static str,
    table: Table,
    /// What is looked for, how many there are of it, and how many in all.
    found: Option<(String, usize, usize)>,
    /// Where there are more rows than a page has: which of them these are.
    part: Option<String>,
    /// The queries of the rows before and behind them.
    earlier: Option<String>,
    later: Option<String>,
    view: View,
    query: String,
    last: RoundNumber,
    table_hash: String,
    rulesets: Vec<String>,
    divisions: Vec<Choice>,
}

/// From so many players on it is worth a thread to make two things of their standings at once.
const MANY: usize = 2_000;

/// Makes both, where there are many players each on a processor of its own.
fn both<A, B: Send>(
    state: &Tournament,
    one: impl FnOnce() -> A,
    other: impl FnOnce() -> B + Send,
) -> (A, B) {
    if state.players().len() < MANY {
        return (one(), other());
    }
    thread::scope(|threads| {
        let other = threads.spawn(other);
        let one = one();
        (one, other.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
    })
}

/// Whether a tournament that is closed has other standings than were announced last.
fn is_corrected(asked: &Asked, hash: [u8; 32]) -> bool {
    let state = &asked.event.state;
    let last = state.announcements().last().filter(|_| state.is_closed());
    last.is_some_and(|(_, last)| last.table != hash)
}

/// The standings of all, or of a division, as they can be chosen.
struct Choice {
    name: String,
    query: String,
    is_chosen: bool,
}

/// What can be chosen where players have divisions: everybody, and each of them.
fn choices(at: &Looked<'_>, view: &View, asked: &Asked) -> Vec<Choice> {
    let all = divisions(&asked.event.state);
    if all.is_empty() {
        return Vec::new();
    }
    let chosen = asked.standings.division();
    let choice = |division: Option<&str>| Choice {
        name: division.map_or_else(|| at.language.t("division-all"), str::to_string),
        query: at.taking(&View { division: division.map(str::to_string), ..view.clone() }.query()),
        is_chosen: division == chosen,
    };
    std::iter::once(None).chain(all.into_iter().map(Some)).map(choice).collect()
}

/// A table of standings, ready to be shown or printed.
pub struct Table {
    /// Above it.
    pub head: String,
    /// How many of their matches are postponed, and that places can change; empty: none.
    pub postponed: String,
    /// Which results are disputed, in a sentence each, as far as it is told here.
    pub disputed: Vec<String>,
    /// That others made the cut than these standings give; empty where none did.
    pub another_cut: String,
    /// What is not as it is now.
    pub not_now: Vec<String>,
    /// The rounds that count.
    pub rounds: Vec<RoundNumber>,
    /// What the columns of values are called.
    pub labels: Vec<String>,
    /// The column that says the most where there is room for one: the points, or the first.
    pub main: usize,
    /// The column whose values are names of rounds.
    pub named: Option<usize>,
    /// The rows.
    pub rows: Vec<Shown>,
    /// Who was disqualified and takes no place, by number; only where all rows are made.
    pub out: Vec<Shown>,
    /// Whether the final order holds.
    pub is_final: bool,
    /// Whether the tournament is over and these are its standings as they stay.
    pub is_over: bool,
    /// What the ruleset is called.
    pub rules: String,
    /// The division whose table it is; empty where it is everybody's.
    pub division: String,
    /// What the column of the other place is called: that in the division, or, in the table of one, that
    /// among all. Empty where nobody has a division.
    pub other_label: String,
    /// As [`Signs::told`].
    pub signs: String,
}

/// A row of the standings.
pub struct Shown {
    /// The place; `=` where it is shared.
    pub place: String,
    /// The place in their division with its name, or, in the table of one, that among all.
    pub other: String,
    /// How many places up since the round before.
    pub up: Option<i64>,
    /// Who.
    pub player: Person,
    /// Why they do not go on, though they stand high enough.
    pub passed: String,
    /// How a bracket ended for them, once the tournament is over; empty for everybody else.
    pub ended: String,
    /// Matches won, lost and drawn.
    pub record: String,
    /// One letter a round, and the same in a word.
    pub rounds: Vec<Cell>,
    /// The values that rank, and whether it is this one that tells them from the player before.
    pub values: Vec<(String, bool)>,
    /// What tells them from the player before.
    pub decided: String,
    /// Whether the line of the cut stands below.
    pub is_last_in: bool,
    /// What the line says.
    pub cut: String,
    /// Whether they make the cut whatever happens; none where that is open.
    pub clinched: Option<bool>,
}

/// What a round was to a player.
#[derive(Clone)]
pub struct Cell {
    /// What it was, such as `win`.
    pub kind: &'static str,
    /// In a letter.
    pub letter: String,
    /// In a word.
    pub word: String,
}

fn ranks_by(standings: &Standings, row: &Row, measure: usize) -> bool {
    let is_it = |step: &Step| matches!(step, Step::Measure { measure: of, .. } if *of == measure);
    standings.layer(row).steps.iter().any(is_it)
}

/// How far standings go: after a round, or in it as long as results are missing.
pub fn through_in_words(state: &Tournament, through: RoundNumber, language: Language) -> String {
    let missing = state.round(through).map_or(0, |round| round.open_matches);
    let called = |round| within(&round_called(state, round, language), language);
    match through {
        0 => language.t("standings-before"),
        round if missing > 0 => {
            language.b("standings-in", "round", called(round), "missing", missing)
        }
        round => language.a("standings-after", "round", called(round)),
    }
}

/// How far standings go that were told while what followed is hidden: not into a round of which nothing is known,
/// and of one that is known in part not how many results are missing.
pub fn told_through(state: &Tournament, through: RoundNumber, language: Language) -> String {
    let tables = tables_of(state, through);
    let open = state.round(through).map_or(0, |round| round.open_matches as usize);
    if open > 0 && open < tables {
        let round = within(&round_called(state, through, language), language);
        return language.a("standings-within", "round", round);
    }
    let unknown = u16::from(tables > 0 && open == tables);
    through_in_words(state, through.saturating_sub(unknown), language)
}

/// What a round can be to a player; of what is to be played later the sign is one of its own.
const KINDS: [&str; 11] = [
    "win",
    "loss",
    "draw",
    "bye",
    "none",
    "open",
    "forfeit-win",
    "forfeit-loss",
    "half-bye",
    "zero-bye",
    "later",
];

/// The same in the words of a language; asked for once for all rows.
fn cells(language: Language) -> [Cell; 11] {
    KINDS.map(|kind| Cell {
        kind,
        letter: language.t(&format!("letter-{kind}")),
        word: match kind {
            "half-bye" | "zero-bye" => language.word("bye", kind),
            _ => language.t(&format!("word-{kind}")),
        },
    })
}

/// Which kinds of rounds a table has.
#[derive(Clone, Copy, Debug, Default)]
pub struct Signs([bool; 11]);

impl Signs {
    /// Those of standings.
    fn of(standings: &Standings, later: &Later) -> Signs {
        let (table, mut signs) = (standings.table(), Signs::default());
        for (index, entrant) in (0..).zip(&table.entrants) {
            let own: Vec<PlayerRound> = table.rounds_of(index).map(|(_, one)| one).collect();
            for (round, ..) in &table.rounds {
                let found = own.iter().find(|one| one.round == *round).copied();
                signs.0[kind_of(found, later.contains(&(entrant.number, *round)))] = true;
            }
        }
        signs
    }

    /// Notes that a kind occurs.
    pub fn note(&mut self, kind: &str) {
        if let Some(at) = KINDS.iter().position(|one| *one == kind) {
            self.0[at] = true;
        }
    }

    /// What the signs mean: in chess those that are no result of a game, elsewhere those that occur.
    pub fn told(self, is_chess: bool, language: Language) -> String {
        // Results, forfeits, byes, no round at all, and what is played later: what is being played explains itself.
        let order: &[usize] = if is_chess { &[4, 10] } else { &[0, 1, 2, 6, 7, 3, 8, 9, 4, 10] };
        let cells = cells(language);
        let told = order.iter().filter(|kind| self.0[**kind]).map(|kind| &cells[*kind]);
        let told = told.map(|cell| format!("{} {}", cell.letter, cell.word));
        let of_chess = is_chess.then(|| language.t("chess-signs"));
        of_chess.into_iter().chain(told).collect::<Vec<_>>().join(" · ")
    }
}

/// Whose match of which round is to be played later.
type Later = BTreeSet<(PlayerNumber, RoundNumber)>;

fn later(state: &Tournament) -> Later {
    let of_match = |found: MatchView<'_>| {
        let round = found.round().number;
        found.seats().iter().map(|seat| (seat.player, round)).collect::<Vec<_>>()
    };
    postponed(state).flat_map(of_match).collect()
}

/// Which of [`cells`] a player's round is.
fn kind_of(found: Option<PlayerRound>, is_later: bool) -> usize {
    match found {
        None if is_later => 10,
        None => 4,
        Some(PlayerRound { kind: RoundKind::HalfBye, .. }) => 8,
        Some(PlayerRound { kind: RoundKind::ZeroBye, .. }) => 9,
        Some(found) if found.kind.is_bye() => 3,
        Some(PlayerRound { kind: RoundKind::ForfeitWin, .. }) => 6,
        Some(PlayerRound { kind: RoundKind::ForfeitLoss, .. }) => 7,
        Some(found) => match found.outcome {
            Outcome::Win => 0,
            Outcome::Loss => 1,
            Outcome::Draw => 2,
            _ if is_later => 10,
            _ => 5,
        },
    }
}

/// A cell of a player's round; where rules are those of chess, with the sign that its tables have.
fn cell(found: Option<PlayerRound>, is_later: bool, known: &[Cell; 11], is_chess: bool) -> Cell {
    let kind = kind_of(found, is_later);
    let mut cell = known[kind].clone();
    if let Some(found) = found.filter(|_| is_chess && kind != 5 && kind != 10) {
        // A round without an opponent has the letter of FIDE's reports: no forfeit is meant.
        let sign = match (found.kind, found.outcome) {
            (RoundKind::Bye, _) => "U",
            (RoundKind::AwardedBye | RoundKind::Vacant, _) => "F",
            (RoundKind::HalfBye, _) => "H",
            (RoundKind::ZeroBye | RoundKind::AwardedLoss, _) => "Z",
            (RoundKind::Played, Outcome::Win) => "1",
            (RoundKind::Played, Outcome::Draw) => "½",
            (RoundKind::Played | RoundKind::DoubleLoss, _) => "0",
            (_, Outcome::Win) => "+",
            (_, Outcome::Draw) => "=",
            _ => "−",
        };
        cell.letter = sign.into();
    }
    cell
}

/// Who was disqualified: they take no place, and what they played stays.
fn disqualified(asked: &Asked, language: Language) -> Vec<Shown> {
    let (standings, cells) = (&asked.standings, cells(language));
    let is_chess = standings.rules.first_seat.is_some();
    let (table, later) = (standings.table(), later(&asked.event.state));
    let shown = |(number, _): (PlayerNumber, RoundNumber)| {
        let own: Vec<PlayerRound> = table
            .index_of(number)
            .map_or(Vec::new(), |index| table.rounds_of(index).map(|(_, one)| one).collect());
        let of = |round: RoundNumber| own.iter().find(|one| one.round == round).copied();
        let record = standings.record_without_row(number);
        Shown {
            place: "–".into(),
            other: String::new(),
            up: None,
            player: Person::of(&asked.event, number),
            passed: called::stays_out(StaysOut::Dropped(DropReason::Disqualified), language),
            ended: String::new(),
            record: record.map_or(String::new(), |won| won.to_string().replace('-', "–")),
            rounds: table
                .rounds
                .iter()
                .map(|(round, ..)| {
                    cell(of(*round), later.contains(&(number, *round)), &cells, is_chess)
                })
                .collect(),
            values: standings.ranking_measures().iter().map(|_| (String::new(), false)).collect(),
            decided: String::new(),
            is_last_in: false,
            cut: String::new(),
            clinched: None,
        }
    };
    standings.disqualified(&asked.event.state).into_iter().map(shown).collect()
}

impl Table {
    /// The word for what it is called: the final standings, once they are.
    pub const fn head_word(&self) -> &'static str {
        if self.is_over { "paper-final" } else { "standings" }
    }

    /// The table of standings.
    pub fn of(asked: &Asked, language: Language) -> Table {
        let all: Vec<usize> = (0..asked.standings.rows.len()).collect();
        let out = disqualified(asked, language);
        Table { out, ..Table::part(asked, &all, None, language) }
    }

    /// Some rows of it, by their place in the order. Printing a value takes far longer than ranking by
    /// it, so that only those are made that are shown.
    fn part(asked: &Asked, rows: &[usize], reach: Option<&Reach>, language: Language) -> Table {
        let Asked { event, standings, before, not_now } = asked;
        let measures = standings.ranking_measures();
        let is_over = not_now.is_empty() && is_over(&event.state);
        // Before the first result they stand in the order of a list, and nobody makes a cut.
        let is_begun = event.state.matches().any(|one| one.result().is_some());
        let cut = Cut::of(&event.state, standings, None).filter(|_| is_begun);
        let line_at = cut.as_ref().and_then(Cut::line);
        let rounds: Vec<RoundNumber> =
            standings.table().rounds.iter().map(|(round, ..)| *round).collect();
        let (cells, is_chess) = (cells(language), standings.rules.first_seat.is_some());
        let later = later(&event.state);
        let divided = DivisionPlaces::of(&event.state, standings);
        let everybody = standings.everybody();
        let among_all: BTreeMap<PlayerNumber, usize> = match standings.division() {
            Some(_) => everybody.iter().zip(0..).map(|(row, at)| (row.player, at)).collect(),
            None => BTreeMap::new(),
        };
        let clinched: BTreeMap<PlayerNumber, bool> = reach
            .iter()
            .flat_map(|reach| &reach.players)
            .filter_map(|one| match one.outlook.chance? {
                Chance::Clinched => Some((one.player, true)),
                Chance::Out => Some((one.player, false)),
                Chance::Open => None,
            })
            .collect();
        let shown = |at: usize| {
            let row = &standings.rows[at];
            let layer = standings.layer(row);
            let own: Vec<PlayerRound> =
                layer.table.rounds_of(row.index).map(|(_, round)| round).collect();
            let of = |round: &RoundNumber| own.iter().find(|one| one.round == *round).copied();
            let is_later = |round: &RoundNumber| later.contains(&(row.player, *round));
            let passed = cut.iter().flat_map(|cut| &cut.passed).find(|(who, _)| *who == row.player);
            // Who left cannot reach the cut either: that they left says more.
            let chance = clinched.get(&row.player).copied();
            let gone = || {
                let why = stays_out(&event.state, standings.through, row.player);
                why.filter(|why| matches!(why, StaysOut::Dropped(_)))
            };
            let passed = match passed {
                Some((_, why)) => Some(*why),
                None => chance.filter(|is_in| !is_in).and_then(|_| gone()),
            };
            let was = before.as_ref().and_then(|before| before.row(row.player));
            let step = match row.decided {
                Decided::Step(step) => layer.steps.get(step),
                _ => None,
            };
            let decisive = step.and_then(|step| match step {
                Step::Measure { measure, .. } => Some(*measure),
                Step::HeadToHead { .. } => None,
            });
            let value = |measure: &usize| match ranks_by(standings, row, *measure) {
                true => value_of(standings, *measure, row).map_or("-".into(), |value| value.text),
                false => String::new(),
            };
            let line = cut.as_ref().filter(|_| line_at == Some(at + 1));
            let line_of = |cut: &Cut| match cut.tie.is_some() {
                true => language.a("cut-line-tie", "size", cut.size),
                false => language.a("cut-line", "size", cut.size),
            };
            Shown {
                place: shown_place(&standings.rows, at),
                other: match (standings.division(), divided.of_player(row.player)) {
                    (Some(_), _) => among_all
                        .get(&row.player)
                        .map_or(String::new(), |at| shown_place(everybody, *at)),
                    (None, Some(found)) => format!("{} {}", found.name, found.place()),
                    (None, None) => String::new(),
                },
                up: was.map(|was| i64::from(was.rank) - i64::from(row.rank)),
                player: Person::of(event, row.player),
                passed: passed.map_or(String::new(), |why| called::stays_out(why, language)),
                ended: match is_over {
                    true => how_it_ended(&event.state, &standings.rules, row.player, language),
                    false => String::new(),
                },
                record: standings
                    .record(row)
                    .map_or(String::new(), |won| won.to_string().replace('-', "–")),
                rounds: rounds
                    .iter()
                    .map(|round| cell(of(round), is_later(round), &cells, is_chess))
                    .collect(),
                values: measures.iter().map(|one| (value(one), decisive == Some(*one))).collect(),
                decided: decided(&event.state, standings, row, language),
                is_last_in: line.is_some(),
                cut: line.map_or(String::new(), line_of),
                clinched: chance.filter(|_| passed.is_none()),
            }
        };
        let head = through_in_words(&event.state, standings.through, language);
        let label = |measure: &usize| language.measure(&standings.rules.measures[*measure].label);
        let is_points = |measure: &usize| standings.rules.measures[*measure].id == "points";
        Table {
            head,
            postponed: postponed_in_words(&event.state, standings.through, language),
            disputed: Vec::new(),
            another_cut: cut
                .as_ref()
                .filter(|cut| cut.is_another())
                .map_or(String::new(), |cut| language.a("cut-another", "size", cut.size)),
            not_now: not_now.clone(),
            labels: measures.iter().map(label).collect(),
            main: measures.iter().position(is_points).unwrap_or(0),
            named: None,
            rows: rows.iter().copied().map(shown).collect(),
            out: Vec::new(),
            rounds,
            is_final: standings.is_final,
            is_over,
            rules: ruleset::called(&standings.rules.files),
            division: standings.division().unwrap_or_default().to_string(),
            other_label: match standings.division() {
                Some(_) => language.t("division-all"),
                None if divided.is_empty() => String::new(),
                None => language.t("division"),
            },
            signs: Signs::of(standings, &later).told(is_chess, language),
        }
    }
}

/// Calls the round in which somebody went out of a bracket what it is called elsewhere.
pub fn name_rounds(table: &mut Table, asked: &Asked, language: Language) {
    let (state, standings) = (&asked.event.state, &asked.standings);
    let measures = &standings.rules.measures;
    let is_round = |one: &usize| measures[*one].formula == Formula::Fact(Fact::KnockedOut);
    table.named = standings.ranking_measures().iter().position(is_round);
    let Some(at) = table.named else { return };
    for (value, _) in table.rows.iter_mut().filter_map(|row| row.values.get_mut(at)) {
        let round = value.parse::<RoundNumber>().ok();
        if let Some(places) = round.and_then(|round| bracket_places(state, round)) {
            *value = stage_of(places, language);
        }
    }
}

/// The codes of a ruleset that cannot count a tournament, where another one may.
const OF_RULES: [&str; 3] = ["missing-score-line", "unknown-fact", "not-ruled"];

/// Why a ruleset cannot count the matches, and those that can.
#[derive(Template)]
#[template(path = "standings_others.html")]
struct OthersPage {
    frame: Frame,
    why: String,
    /// The language of the reason.
    why_lang: &'static str,
    others: Vec<String>,
    may_amend: bool,
}

/// The page in the place of standings that a ruleset cannot count.
fn others(at: &Looked<'_>, error: &VerbError) -> Result<String, VerbError> {
    let event = at.load()?;
    let state = &event.state;
    let library = ruleset::Library::shipped();
    let counts = |id: &String| {
        library.ruleset(id).is_ok_and(|rules| {
            check_lines(state, &rules).is_ok()
                && check_rulings(state, &rules).is_ok()
                && check_facts(state, &rules).is_ok()
        })
    };
    let said = at.language.refusal(error.code.word);
    render(&OthersPage {
        frame: Frame::of(at, &event, Tab::Standings, "standings"),
        why_lang: if said.is_some() { at.language.tag() } else { Language::English.tag() },
        why: said.unwrap_or_else(|| plain(&error.message)),
        others: library.ids().into_iter().filter(counts).collect(),
        may_amend: Need::HeadJudge.admits(at.role)
            && !state.is_closed()
            && state.imported().is_none(),
    })
}

/// The standings. Where the ruleset cannot count the matches, the page says so and offers those that can.
///
/// # Errors
/// As [`View::asked`].
pub fn page(at: &Looked<'_>, view: &View, search: &str, from: usize) -> Result<String, VerbError> {
    let asked = match view.asked_for_table(at) {
        Err(error) if OF_RULES.contains(&error.code.word) => return others(at, &error),
        asked => asked?,
    };
    let page = || page_of(at, view, search, from, &asked);
    let (mut page, hash) = both(&asked.event.state, page, || asked.standings.hash());
    page.is_corrected = *view == View::default() && is_corrected(&asked, hash);
    page.table_hash = to_hex(&hash);
    render_of(&page, page.table.rows.len() * ROW_BYTES)
}

/// The page but for what the hash of its standings says.
fn page_of(
    at: &Looked<'_>,
    view: &View,
    search: &str,
    from: usize,
    asked: &Asked,
) -> StandingsPage {
    let search = search.trim();
    let wanted = sought(search);
    let rows = &asked.standings.rows;
    let is_wanted = |row: &Row| is_sought(&asked.event.name(row.player), &wanted);
    let is_shown = |at: &usize| search.is_empty() || is_wanted(&rows[*at]);
    let found: Vec<usize> = (0..rows.len()).filter(is_shown).collect();
    let from = from.min(found.len().saturating_sub(1)) / MOST_ROWS * MOST_ROWS;
    let until = found.len().min(from + MOST_ROWS);
    let part = |from: usize| {
        let query = view.query();
        let sign = if query.is_empty() { '?' } else { '&' };
        let search = match &at.aside {
            Some(key) => format!("{KEY}={key}"),
            None => format!("search={}", encoded(search)),
        };
        at.taking(&format!("{query}{sign}{search}&from={from}"))
    };
    // Who makes the cut whatever happens is marked where there is one.
    let cut = Cut::of(&asked.event.state, &asked.standings, None);
    let reach = cut.and_then(|_| view.reach(asked, Effort::FOR_THE_CUT));
    let mut frame = Frame::of(at, &asked.event, Tab::Standings, "standings");
    frame.view = view.query();
    let mut table = Table::part(asked, &found[from..until], reach.as_ref(), at.language);
    name_rounds(&mut table, asked, at.language);
    if at.hides_results() {
        let told = told_through(&asked.event.state, asked.standings.through, at.language);
        table.head = format!("{told}; {}", at.language.t("state-hidden"));
        table.is_over = false;
    } else {
        let (state, through) = (&asked.event.state, asked.standings.through);
        let is_staff = Need::Staff.admits(at.role);
        table.disputed = disputed_in_words(state, through, is_staff, at.language);
    }
    // Behind the last one, where everybody may know it.
    let is_whole = search.is_empty() && until == found.len();
    if is_whole && at.names_disqualified() {
        table.out = disqualified(asked, at.language);
    }
    StandingsPage {
        frame,
        is_hidden: at.hidden.is_some(),
        is_corrected: false,
        lang: if at.is_chosen { at.language.tag() } else { "" },
        table,
        part: (found.len() > MOST_ROWS).then(|| {
            let (first, all) = (from + 1, found.len());
            at.language.with("rows-part", [("first", &first), ("until", &until), ("all", &all)])
        }),
        earlier: from.checked_sub(MOST_ROWS).map(part),
        later: (until < found.len()).then(|| part(until)),
        found: (!search.is_empty()).then(|| (search.to_string(), found.len(), rows.len())),
        view: view.clone(),
        query: at.taking(&view.query()),
        divisions: choices(at, view, asked),
        last: at.last_round(&asked.event.state),
        table_hash: String::new(),
        rulesets: scrutineer_projections::ruleset::Library::shipped().ids(),
    }
}

#[cfg(test)]
mod tests {
    use super::super::kit::{HTML, enrolled, hall, planned};
    use super::*;
    use crate::gate::Role;
    use scrutineer_desk::orders::{Disqualify, Enroll, Pair, Person, Publish};
    use scrutineer_desk::public::Records;

    /// Whoever corrected a result behind the closing could sign the new standings on the command line alone.
    #[test]
    fn standings_that_were_corrected_behind_the_closing_are_announced_by_a_button() {
        let hall = hall();
        hall.all_in();
        hall.order(scrutineer_desk::orders::Close::default());
        let offered = || {
            let html = page(&hall.looked(), &View::default(), "", 0).expect("a page");
            html.contains("name=\"order\" value=\"announce\"")
        };
        assert!(!offered(), "nothing is other than it was announced");
        hall.correct("2 0-2");
        assert!(offered());
        hall.order(scrutineer_desk::orders::Announce::default());
        assert!(!offered());
    }

    /// A game that both lost was played, and was shown as a forfeit.
    #[test]
    fn a_game_of_chess_that_both_lost_has_a_nought_and_no_minus() {
        let hall = super::super::kit::of_chess();
        hall.order(Publish {});
        let has_minus = || {
            let html = page(&hall.looked(), &View::default(), "", 0).expect("a page");
            html.contains(">−</td>")
        };
        hall.slip("1 l-l");
        assert!(!has_minus());
        hall.correct("1 l-l no-show");
        assert!(has_minus());
    }

    #[test]
    fn final_standings_say_that_a_match_is_postponed_until_it_is_played() {
        let hall = hall();
        hall.slip("1 postponed");
        hall.all_in();
        let told = |language: Language, words: &str| {
            let mut looked = hall.looked();
            looked.language = language;
            let paper = |what| super::super::print::page(&looked, what, Default::default());
            let html = page(&looked, &View::default(), "", 0);
            [html, paper("standings"), paper("final")]
                .map(|html| html.expect("a page").contains(words))
        };
        let words =
            "1 match is postponed and counts for nobody yet: places can change when it is played.";
        let german = "1 Partie ist verlegt und zählt noch nicht: Wird sie gespielt, können sich \
                      Plätze ändern.";
        assert_eq!(told(Language::English, words), [true; 3]);
        hall.order(scrutineer_desk::orders::Close::default());
        assert_eq!(told(Language::English, words), [true; 3]);
        assert_eq!(told(Language::German, german), [true; 3]);
        hall.correct("2 postponed");
        assert_eq!(told(Language::English, "2 matches are postponed and count for"), [true; 3]);
        hall.correct("1 2-0");
        hall.correct("2 2-0");
        assert_eq!(told(Language::English, "for nobody yet"), [false; 3]);
    }

    /// Paper, screens and overlays had the places as if nothing were open.
    #[test]
    fn a_result_that_is_disputed_is_named_on_paper_and_told_to_the_room_without_its_table() {
        use super::super::{overlay, print, screen};
        use scrutineer_desk::orders::Rule;
        let hall = hall();
        hall.all_in();
        let staff = || {
            let at = hall.looked();
            let paper = |what| print::page(&at, what, Default::default());
            [page(&at, &View::default(), "", 0), paper("standings"), paper("final")]
                .map(|html| html.expect("a page"))
        };
        let room = |language| {
            let at = Looked { language, ..hall.looked() };
            let public = Looked { role: Role::Public, language, ..hall.looked() };
            let show = screen::Show { show: Some("standings".into()), ..Default::default() };
            [
                screen::page(&at, &show),
                overlay::page(&at, Some("standings")),
                page(&public, &View::default(), "", 0),
            ]
            .map(|html| html.expect("a page"))
        };
        let named = |html: &String| html.contains("The result of table 2 in round 1 is disputed");
        let unsettled = |html: &String| html.contains("One result is not settled yet");
        assert!(!staff().iter().any(named) && !room(Language::English).iter().any(unsettled));
        hall.dispute(2);
        assert!(staff().iter().all(named) && !staff().iter().any(unsettled));
        let english = room(Language::English);
        assert!(english.iter().all(unsettled) && !english.iter().any(named), "{english:?}");
        let german = room(Language::German);
        assert!(german.iter().all(|html| html.contains("Ein Ergebnis steht noch nicht fest")));
        let reason = "the slip shows it".to_string();
        hall.order(Rule { dispute: 1, upheld: Some(false), score: None, reason });
        assert!(!staff().iter().any(named) && !room(Language::English).iter().any(unsettled));
    }

    #[test]
    fn standings_that_the_rules_cannot_count_offer_rules_that_can() {
        let sheet = "# event: Goals\n# rules: mtr\n\
            round,table,player_a,player_b,points_a,points_b,ruling\n1,1,Ann,Bob,75,60,a\n";
        let mut hall = hall();
        let library = ruleset::Library::shipped();
        let prepared = scrutineer_desk::store::prepare("g.csv", sheet.as_bytes(), None, &library);
        let prepared = prepared.expect("read");
        hall.stream = prepared.stream;
        let now = scrutineer_desk::rehearsal::now();
        hall.store
            .add(prepared, &mut Vec::new(), scrutineer_engine::record::Actor(0), now)
            .expect("stored");
        let html = page(&hall.looked(), &View::default(), "", 0).expect("a page");
        assert!(html.contains("These rules cannot count the matches"), "{html}");
        assert!(html.contains("standings?rules=fide-buchholz-2026"), "{html}");
        assert!(!html.contains("rules=mtr\""), "it cannot either");
        let others = View { rules: Some("fide-buchholz-2026".into()), ..View::default() };
        assert!(page(&hall.looked(), &others, "", 0).expect("a page").contains("Ann"));
    }

    #[test]
    fn standings_name_everybody_once_and_escape_them() {
        let hall = hall();
        hall.play_on();
        let html = page(&hall.looked(), &View::default(), "", 0).expect("a page");
        let rows = html.matches("data-place=").count();
        assert_eq!(rows, 6);
        assert!(!html.contains(HTML));
    }

    #[test]
    fn standings_of_then_say_that_they_are_not_those_of_now() {
        let hall = hall();
        hall.play_on();
        let now = page(&hall.looked(), &View::default(), "", 0).expect("a page");
        assert!(!now.contains("Not as it is now"));
        let view = View { through: Some(1), ..View::default() };
        let then = page(&hall.looked(), &view, "", 0).expect("a page");
        assert!(then.contains("Not as it is now"));
        // Where the next round is a draft they stand as they are for those who may not see it.
        let view = View { out: Some(1), ..View::default() };
        let out = page(&hall.looked(), &view, "", 0).expect("a page");
        assert!(!out.contains("Not as it is now") && out.contains("after round 1"), "{out}");
        let view = View { as_of: Some("1000000".into()), ..View::default() };
        assert!(page(&hall.looked(), &view, "", 0).is_err());
        let view = View { rules: Some("no-such-rules".into()), ..View::default() };
        assert!(page(&hall.looked(), &view, "", 0).is_err());
    }

    #[test]
    fn standings_mark_who_is_in_or_out_whatever_happens() {
        let hall = planned(&["swiss:2", "single-elimination:2"]);
        hall.order(Pair::default());
        hall.order(Publish {});
        let view = View::default();
        let has_line = || page(&hall.looked(), &view, "", 0).expect("a page").contains("cutline");
        assert!(!has_line(), "nobody makes a cut before the first result");
        hall.play_on();
        assert!(has_line());
        let asked = view.asked(&hall.looked()).expect("standings");
        let reach = view.reach(&asked, Effort::FOR_THE_CUT).expect("a Swiss is played");
        let of = |chance| reach.players.iter().filter(|p| p.outlook.chance == Some(chance)).count();
        let html = page(&hall.looked(), &view, "", 0).expect("a page");
        let marks = |word: &str| html.matches(&format!(">{word}</span>")).count();
        assert_eq!(marks("clinched"), of(Chance::Clinched));
        assert_eq!(marks("cannot reach the cut"), of(Chance::Out));
        assert!(marks("clinched") + marks("cannot reach the cut") > 0, "{reach:?}");
    }

    /// Both had the word `out`.
    #[test]
    fn who_dropped_is_marked_so_and_not_as_one_who_cannot_reach_the_cut() {
        let hall = planned(&["swiss:2", "single-elimination:2"]);
        hall.order(Pair::default());
        hall.order(Publish {});
        hall.play_on();
        hall.all_in();
        let asked = View::default().asked(&hall.looked()).expect("standings");
        let last = asked.standings.rows.last().expect("a row").player;
        let told = |language: Language| {
            let looked = Looked { language, ..hall.looked() };
            let html = page(&looked, &View::default(), "", 0).expect("a page");
            let link = format!("/standings/{last}\"");
            let row = html.split("<tr data-place=").find(|row| row.contains(&link));
            row.expect("their row").to_string()
        };
        assert!(told(Language::English).contains(">cannot reach the cut</span>"));
        let player = format!("#{last}");
        hall.order(scrutineer_desk::orders::Drop { player, no_show: false });
        let row = told(Language::English);
        assert!(row.contains(">dropped</span>") && !row.contains("the cut</span>"), "{row}");
        let row = told(Language::German);
        assert!(row.contains(">ausgestiegen</span>") && !row.contains("möglich"), "{row}");
    }

    /// Each of them was a `B`.
    #[test]
    fn a_bye_that_is_worth_less_has_a_mark_of_its_own_and_what_it_means_stands_below() {
        use scrutineer_desk::orders::{Bye, ByeAskedFor};
        let hall = enrolled();
        for (player, kind) in [("#1", ByeAskedFor::Zero), ("#2", ByeAskedFor::Half)] {
            hall.order(Bye { player: player.into(), round: 1, kind });
        }
        hall.order(Pair::default());
        hall.order(Publish {});
        hall.all_in();
        let looked = |language| Looked { language, ..hall.looked() };
        let paper = |what| {
            let at = looked(Language::English);
            super::super::print::page(&at, what, Default::default()).expect("a page")
        };
        let html = page(&looked(Language::English), &View::default(), "", 0).expect("a page");
        for html in [&html, &paper("standings"), &paper("cross-by-rank")] {
            assert!(html.contains(">Z</td>") && html.contains(">H</td>"), "{html}");
            assert!(html.contains("W win · L loss · H half bye · Z zero bye"), "{html}");
        }
        assert!(html.contains("title=\"zero bye\">Z</td>"), "{html}");
        let german = page(&looked(Language::German), &View::default(), "", 0).expect("a page");
        assert!(german.contains("Z Freilos ohne Punkte"), "{german}");
        let html = page(&super::super::kit::hall().looked(), &View::default(), "", 0);
        assert!(!html.expect("a page").contains("B bye"), "nobody has such a bye");
    }

    /// Below the table stood what byes are, and nowhere what `+F` and `–` mean.
    #[test]
    fn every_sign_of_a_round_that_occurs_is_explained_and_no_other() {
        let hall = enrolled();
        hall.order(Pair::default());
        hall.order(Publish {});
        hall.slip("1 2-0 forfeit");
        hall.all_in();
        hall.order(Disqualify { player: "2".into(), reason: "stacked the deck".into() });
        hall.order(Pair::default());
        hall.order(Publish {});
        hall.all_in();
        let told =
            "W win · L loss · +F win by forfeit · −F loss by forfeit · B bye · – did not play";
        let html = page(&hall.looked(), &View::default(), "", 0).expect("a page");
        assert!(html.contains(told), "{html}");
        for what in ["standings", "cross-by-rank"] {
            let paper = super::super::print::page(&hall.looked(), what, Default::default());
            assert!(paper.expect("a page").contains(told), "{what}");
        }
    }

    /// It was "–", which was told as "did not play", and on the cross table a sign that was not explained.
    #[test]
    fn what_is_postponed_has_one_sign_on_every_table_and_the_rounds_of_a_bracket_are_explained() {
        let hall = planned(&["swiss:1", "single-elimination:2"]);
        hall.order(Pair::default());
        hall.order(Publish {});
        hall.slip("1 postponed");
        hall.all_in();
        let html = |language: Language, what: &str| {
            let looked = Looked { language, ..hall.looked() };
            match what {
                "page" => page(&looked, &View::default(), "", 0).expect("a page"),
                _ => super::super::print::page(&looked, what, Default::default()).expect("a page"),
            }
        };
        let (english, german) = ("* postponed, to be played", "* verlegt, noch zu spielen");
        let none = "– did not play";
        for what in ["page", "standings", "cross-by-rank", "cross-by-start"] {
            let shown = html(Language::English, what);
            assert!(shown.contains(english) && !shown.contains(none), "{what}: {shown}");
            let cell = if what.starts_with("cross") { " *</td>" } else { ">*</td>" };
            assert_eq!(shown.matches(cell).count(), 2, "{what}: {shown}");
            assert!(html(Language::German, what).contains(german), "{what}");
        }
        assert!(html(Language::English, "page").contains("title=\"postponed, to be played\">*<"));
        hall.order(scrutineer_desk::orders::Cut::default());
        hall.order(Pair::default());
        hall.order(Publish {});
        for what in ["cross-by-rank", "cross-by-start"] {
            let shown = html(Language::English, what);
            assert!(shown.contains(&format!("{none} · {english}")), "{what}: {shown}");
        }
        let (slip, reason) = ("1 2-0".to_string(), "played".to_string());
        let correct = scrutineer_desk::orders::Correct::default();
        hall.order(scrutineer_desk::orders::Correct { slip, reason, round: Some(1), ..correct });
        for what in ["page", "standings", "cross-by-rank"] {
            assert!(!html(Language::English, what).contains(english), "{what}");
        }
    }

    /// The line stood where a cut with the result of a postponed match would have been.
    #[test]
    fn no_line_is_drawn_where_the_cut_was_made_before_a_postponed_match_was_played() {
        let hall = planned(&["swiss:1", "single-elimination:2"]);
        hall.order(Pair::default());
        for slip in ["1 postponed", "2 2-0", "3 1-1-1"] {
            hall.slip(slip);
        }
        hall.order(scrutineer_desk::orders::Cut::default());
        hall.order(Pair::default());
        let then = View { through: Some(1), ..View::default() };
        let told = |language: Language| {
            let looked = Looked { language, ..hall.looked() };
            page(&looked, &then, "", 0).expect("a page")
        };
        let another = "Another cut was made: to a top 2 who are not the first 2 of these";
        assert!(!told(Language::English).contains(another));
        let (slip, reason) = ("1 2-0".to_string(), "played".to_string());
        let correct = scrutineer_desk::orders::Correct::default();
        hall.order(scrutineer_desk::orders::Correct { slip, reason, round: Some(1), ..correct });
        let html = told(Language::English);
        assert!(html.contains(another) && !html.contains("cutline"), "{html}");
        assert!(told(Language::German).contains("Der Schnitt fiel anders aus"));
    }

    /// The final standings had people out in rounds 5 and 6, where the bracket has a semi-final and a final.
    #[test]
    fn the_round_in_which_somebody_went_out_is_called_as_in_the_bracket() {
        let hall = planned(&["swiss:1", "single-elimination:2"]);
        for is_final in [false, true] {
            if is_final {
                hall.order(scrutineer_desk::orders::Cut::default());
            }
            hall.order(Pair::default());
            hall.all_in();
        }
        let html = page(&hall.looked(), &View::default(), "", 0).expect("a page");
        assert_eq!(html.matches(">Final</td>").count(), 1, "{html}");
        for what in ["standings", "final"] {
            let paper = super::super::print::page(&hall.looked(), what, Default::default());
            let paper = paper.expect("a page");
            assert_eq!(paper.matches(" named\">Final</td>").count(), 1, "{what}: {paper}");
        }
    }

    #[test]
    fn who_was_disqualified_stands_below_without_a_place_where_everybody_may_know_it() {
        let hall = hall();
        hall.order(Disqualify { player: "2".into(), reason: "stacked the deck".into() });
        let count = |at: &Looked<'_>, what: &str| {
            page(at, &View::default(), "", 0).expect("a page").matches(what).count()
        };
        let mut at = hall.looked();
        assert_eq!((count(&at, "data-place="), count(&at, ">disqualified<")), (5, 1));
        at.role = Role::Public;
        assert_eq!(count(&at, ">disqualified<"), 1);
        at.policy.records = Records::WithToken;
        assert_eq!(count(&at, ">disqualified<"), 0);
    }

    #[test]
    fn a_division_has_places_of_its_own_and_everybody_stands_with_both() {
        let hall = enrolled();
        let person = |(name, division): (&str, &str)| Person {
            name: name.into(),
            division: Some(division.into()),
            ..Person::default()
        };
        let people = [("Jo", "junior"), ("Sam", "senior"), ("Su & Co", "senior")];
        let people = people.into_iter().map(person).collect();
        hall.order(Enroll { people, ..Enroll::default() });
        hall.order(Pair::default());
        hall.order(Publish {});
        hall.play_on();
        let all = page(&hall.looked(), &View::default(), "", 0).expect("a page");
        assert!(all.contains("division=junior") && all.contains("<bdi>junior 1</bdi>"), "{all}");
        let senior = View { division: Some("Senior".into()), ..View::default() };
        let html = page(&hall.looked(), &senior, "", 0).expect("a page");
        let places: Vec<&str> =
            html.split("data-place=\"").skip(1).map(|rest| &rest[..1]).collect();
        assert_eq!(places, ["1", "2"], "{html}");
        assert!(html.contains("/print/standings?division=Senior"), "{html}");
        let other = View { division: Some("master".into()), ..View::default() };
        let refused = page(&hall.looked(), &other, "", 0).expect_err("no such division");
        assert_eq!(refused.code.word, "unknown-division");
    }

    #[test]
    fn a_search_leaves_those_of_that_name_with_their_places() {
        let hall = hall();
        let html = page(&hall.looked(), &View::default(), "LÉE", 0).expect("a page");
        assert_eq!(html.matches("data-place=").count(), 1, "{html}");
        assert!(html.contains("Ann Lee") && html.contains("1 of 6"));
        let html = page(&hall.looked(), &View::default(), "nobody", 0).expect("a page");
        assert!(html.contains("Nobody of that name"));
    }

    #[test]
    fn a_page_has_so_many_rows_and_leads_to_the_rest() {
        let hall = enrolled();
        let person = |n| Person { name: format!("One of many {n}"), ..Person::default() };
        let people = (0..MOST_ROWS).map(person).collect();
        hall.order(Enroll { people, ..Enroll::default() });
        let rows = |search: &str, from: usize| {
            let html = page(&hall.looked(), &View::default(), search, from).expect("a page");
            (html.matches("data-place=").count(), html)
        };
        let (count, first) = rows("", 0);
        assert!(count == MOST_ROWS && first.contains("1 to 500 of 506"), "{count}");
        assert!(first.contains("from=500") && !first.contains("from=0"));
        let (count, last) = rows("", 500);
        assert!(count == 6 && last.contains("501 to 506 of 506") && last.contains("from=0"));
        // A number that is none of a page's is that of the page with it, and behind the end the last.
        assert_eq!((rows("", 17).0, rows("", 1_000_000).0), (MOST_ROWS, 6));
        assert_eq!(rows("one of many 49", 0).0, 11);
    }

    #[test]
    fn a_query_survives_its_own_signs() {
        let rules = Some("mtr+settings.a=1/3&x".to_string());
        let view = View { rules, through: Some(2), ..View::default() };
        assert_eq!(view.query(), "?through=2&rules=mtr%2Bsettings.a%3D1%2F3%26x");
    }
}
