//! The rows of a CSV: matches, byes, drops and the roster.

use std::collections::BTreeMap;

use crate::build::{Oddities, Players, clean_name};
use crate::error::shortened;
use crate::sheet;
use crate::source::*;
use crate::{Fault, ImportError, limits};
use scrutineer_engine::event::{ByeKind, DropReason, How, MatchResult, RoundWeight, Ruling, Score};

use super::columns::{Column, Columns, Record};
use super::words::{self, Kind};
use super::{empty_round, written};

/// Everything read so far.
pub struct Rows<'a> {
    columns: &'a Columns,
    pub players: Players,
    pub rounds: BTreeMap<u16, SourceRound>,
    pub drops: Vec<SourceDrop>,
    pub has_roster: bool,
    /// Whether a match may have no result so far.
    is_running: bool,
    pub oddities: Oddities,
    weighed: BTreeMap<u16, RoundWeight>,
    taken: BTreeMap<(u16, u32), usize>,
}

impl<'a> Rows<'a> {
    pub fn new(columns: &'a Columns, is_running: bool, oddities: Oddities) -> Rows<'a> {
        Rows {
            columns,
            is_running,
            oddities,
            players: Players::typed(),
            rounds: BTreeMap::new(),
            drops: Vec::new(),
            has_roster: false,
            weighed: BTreeMap::new(),
            taken: BTreeMap::new(),
        }
    }

    /// Takes a line of the roster.
    pub fn roster(&mut self, columns: &Columns, record: &Record) -> Result<(), ImportError> {
        self.has_roster = true;
        let place = record.place();
        let get = |column| record.get(columns, column);
        let name = get(Column::PlayerA);
        if self.players.known(name).is_some() {
            let (player, round) = (name.to_owned(), "the roster".to_owned());
            return Err(Fault::TwiceInRound { player, round, other: "above".into() }.at(place));
        }
        let optional = |what, column| number(what, get(column), i32::MIN.into(), i32::MAX.into());
        let sign_up = number("the place of sign-up", get(Column::SignUp), 1, u32::MAX.into());
        let sign_up = sign_up.map_err(|fault| fault.at(place.as_str()))?;
        let rating = optional("the rating", Column::Rating);
        let rating = rating.map_err(|fault| fault.at(place.as_str()))?;
        let text = |what: &str, column| match get(column) {
            "" => Ok(None),
            word => clean_name(what, word).map(Some).map_err(|fault| fault.at(place.as_str())),
        };
        let division = text("the division", Column::Division)?;
        let title = text("the title", Column::Title)?;
        let federation = text("the federation", Column::Federation)?;
        let publisher_id = text("the player's id", Column::Id)?;
        let index = self.players.named(name, &place)?;
        self.players.list_as_player(index);
        let player = &mut self.players.list[index];
        player.sign_up = sign_up.and_then(|number| u32::try_from(number).ok());
        player.rating = rating.and_then(|number| i32::try_from(number).ok());
        player.division = division;
        (player.title, player.federation) = (title, federation);
        player.publisher_id = publisher_id;
        Ok(())
    }

    /// Takes any other row.
    pub fn add(&mut self, record: &Record) -> Result<(), ImportError> {
        let at = |fault: Fault| fault.at(record.place());
        let kind = words::kind(self.get(record, Column::Kind)).map_err(at)?;
        let lowest = if matches!(kind, Kind::Drop(_)) { 0 } else { 1 };
        let most = limits::ROUNDS as i64;
        let round = number("the round", self.get(record, Column::Round), lowest, most);
        let round = round.map_err(at)?;
        let round = round.and_then(|round| u16::try_from(round).ok());
        let round = round.ok_or_else(|| at(Fault::Missing { what: "the round".into() }))?;
        let kind = match kind {
            Kind::Match(How::Played, None) if self.is_bye(record) => {
                let [player, other] =
                    [Column::PlayerA, Column::PlayerB].map(|column| self.get(record, column));
                if !words::is_bye(other) {
                    let (player, other) = (shortened(player), shortened(other));
                    let sentence = format!("{other:?} is nobody's name: {player:?} has a bye.");
                    self.oddities.add(&record.place(), sentence);
                }
                let score = self.score(record)?;
                if self.columns.starts_with_games()
                    && let Some([own, others, _]) = score.as_ref().and_then(sheet::games_of)
                    && own < others
                {
                    let sentence = format!(
                        "{:?} has a bye here, with more games lost than won: for a round that is lost write the \
                         kind `awarded loss`.",
                        shortened(player)
                    );
                    self.oddities.add(&record.place(), sentence);
                }
                Kind::Bye(ByeKind::Assigned)
            }
            kind => kind,
        };
        match kind {
            Kind::Match(how, ruling) => self.game(record, round, how, ruling),
            Kind::Bye(kind) => self.bye(record, round, kind),
            Kind::Drop(why) => self.drop(record, round, why),
            Kind::Roster => self.roster(self.columns, record),
        }
    }

    fn get<'r>(&self, record: &'r Record, column: Column) -> &'r str {
        record.get(self.columns, column)
    }

    fn player(&mut self, record: &Record, column: Column) -> Result<usize, ImportError> {
        let name = self.get(record, column);
        if name.is_empty() {
            let what = match column {
                Column::PlayerA => "player_a",
                _ => "player_b, or the kind of a row without an opponent, such as `bye`,",
            };
            return Err(Fault::Missing { what: what.into() }.at(record.place()));
        }
        if self.is_nobody(name) {
            let (what, expected) = match column {
                Column::PlayerA => {
                    ("player_a", "a player: who has the bye stands there, and `bye` in player_b")
                }
                _ => ("player_b", "a player, since a match of this kind has an opponent"),
            };
            let (what, expected, found) = (what.into(), expected.into(), shortened(name));
            return Err(Fault::BadValue { what, found, expected }.at(record.place()));
        }
        if self.has_roster && self.players.known(name).is_none() {
            return Err(Fault::UnknownPlayer { name: shortened(name) }.at(record.place()));
        }
        self.players.named(name, &record.place())
    }

    /// Whether a name is a word or a mark for nobody, and nobody of the roster is called so.
    fn is_nobody(&self, name: &str) -> bool {
        let is_word = words::is_bye(name) || words::is_blank(name);
        is_word && self.players.known(name).is_none()
    }

    /// Whether the opponent is somebody whom no roster can name.
    fn is_bye(&self, record: &Record) -> bool {
        let other = self.get(record, Column::PlayerB);
        !other.is_empty() && self.is_nobody(other)
    }

    /// The player of a row that has no opponent.
    fn alone(&mut self, record: &Record) -> Result<usize, ImportError> {
        let other = self.get(record, Column::PlayerB);
        if !self.is_nobody(other) {
            let expected = "nobody in a row of this kind".to_owned();
            let (what, found) = ("player_b".to_owned(), shortened(other));
            return Err(Fault::BadValue { what, found, expected }.at(record.place()));
        }
        self.player(record, Column::PlayerA)
    }

    fn round(&mut self, record: &Record, number: u16) -> Result<&mut SourceRound, ImportError> {
        let at = |fault: Fault| fault.at(record.place());
        let round = self.rounds.entry(number).or_insert_with(|| empty_round(number));
        if let Some(weight) = weight(record.get(self.columns, Column::Weight)).map_err(at)? {
            let before = self.weighed.insert(number, weight);
            if before.is_some_and(|before| before != weight) {
                let what = "the round's weight".to_owned();
                let found = format!("{}/{}", weight.num, weight.den);
                let expected = "the same weight in every row of the round".to_owned();
                return Err(at(Fault::BadValue { what, found, expected }));
            }
            round.weight = weight;
        }
        if round.tables.len() + round.byes.len() >= limits::TABLES {
            return Err(at(Fault::TooMany { what: "rows of a round", limit: limits::TABLES }));
        }
        Ok(round)
    }

    fn game(
        &mut self,
        record: &Record,
        round: u16,
        how: How,
        implied: Option<[Ruling; 2]>,
    ) -> Result<(), ImportError> {
        let at = |fault: Fault| fault.at(record.place());
        let players =
            [self.player(record, Column::PlayerA)?, self.player(record, Column::PlayerB)?];
        if players[0] == players[1] {
            return Err(at(Fault::AgainstSelf { player: self.players.name(players[0]) }));
        }
        let table = number("the table", self.get(record, Column::Table), 1, u32::MAX.into());
        let table = table.map_err(at)?.and_then(|table| u32::try_from(table).ok());
        let ruling = words::ruling(self.get(record, Column::Ruling)).map_err(at)?.or(implied);
        let score = self.score(record)?;
        let is_open = score.is_none() && ruling.is_none() && how != How::AgreedDraw;
        if is_open && !(self.is_running && how == How::Played) {
            return Err(at(Fault::Missing { what: "the score of the match".into() }));
        }
        // A draw that was agreed on without a score is a ruling: no line says it.
        let agreed = score.is_none() && how == How::AgreedDraw;
        let ruling = ruling.or(agreed.then_some([Ruling::Draw; 2]));
        let result = MatchResult {
            how,
            rulings: ruling.into_iter().flatten().map(Some).collect(),
            ..MatchResult::played(score.unwrap_or_default())
        };
        if let Some(table) = table {
            self.only_result(record, round, table, &result)?;
        }
        let seats = players.map(|player| SourceSeat { player, role: 0 }).to_vec();
        let place = record.place();
        self.round(record, round)?.tables.push(SourceTable { table, seats, result, place });
        Ok(())
    }

    fn only_result(
        &mut self,
        record: &Record,
        round: u16,
        table: u32,
        result: &MatchResult,
    ) -> Result<(), ImportError> {
        let index = self.rounds.get(&round).map_or(0, |round| round.tables.len());
        let Some(earlier) = self.taken.insert((round, table), index) else { return Ok(()) };
        let round = &self.rounds[&round];
        let first = &round.tables[earlier];
        let (what, round) = (format!("table {table}"), round.name.clone());
        let second = written(&result.score);
        let (first, other) = (written(&first.result.score), first.place.clone());
        Err(Fault::TwoResults { what, round, first, second, other }.at(record.place()))
    }

    fn bye(&mut self, record: &Record, round: u16, kind: ByeKind) -> Result<(), ImportError> {
        let player = self.alone(record)?;
        let reported = self.score(record)?;
        let place = record.place();
        self.round(record, round)?.byes.push(SourceBye { player, kind, reported, place });
        Ok(())
    }

    fn drop(&mut self, record: &Record, round: u16, why: DropReason) -> Result<(), ImportError> {
        let player = self.alone(record)?;
        let place = record.place();
        self.drops.push(SourceDrop { player, why, after_round: round, place });
        Ok(())
    }

    /// The score of a row; none where every cell of it is empty. A line that the table shares,
    /// such as games drawn, counts nothing where its cell alone is empty.
    fn score(&self, record: &Record) -> Result<Option<Score>, ImportError> {
        let mut seats = [Vec::new(), Vec::new()];
        let mut empty = Vec::new();
        for (at, name) in self.columns.seat_lines.iter().enumerate() {
            for (seat, end) in ["a", "b"].iter().enumerate() {
                let cell = self.get(record, Column::Seat(at, seat));
                match value(&format!("{name}_{end}"), cell, record)? {
                    Some(value) => seats[seat].push(value),
                    None => empty.push(format!("{name}_{end}")),
                }
            }
        }
        let mut table = Vec::new();
        let mut shared = false;
        for (at, name) in self.columns.table_lines.iter().enumerate() {
            let value = value(name, self.get(record, Column::Shared(at)), record)?;
            shared |= value.is_some();
            table.push(value.unwrap_or(0));
        }
        let filled = shared || seats.iter().any(|lines| !lines.is_empty());
        match empty.first() {
            _ if !filled => Ok(None),
            None => Ok(Some(sheet::score(&seats, &table))),
            Some(what) => Err(Fault::Missing { what: what.clone() }.at(record.place())),
        }
    }
}

fn value(what: &str, cell: &str, record: &Record) -> Result<Option<i32>, ImportError> {
    let most = i64::from(limits::SCORE);
    // Nobody wins or draws fewer than no games; a wargame's slip may count below nothing.
    let games = ["games_a", "games_b", "drawn"];
    let least = if games.contains(&what) { 0 } else { -most };
    let read = number(what, cell, least, most).map_err(|fault| fault.at(record.place()))?;
    Ok(read.and_then(sheet::in_limits))
}

/// A whole number; none where the cell is empty.
fn number(what: &str, cell: &str, min: i64, max: i64) -> Result<Option<i64>, Fault> {
    if cell.is_empty() {
        return Ok(None);
    }
    let (what, found) = (what.to_owned(), shortened(cell));
    let digits = cell.strip_prefix('-').unwrap_or(cell);
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(Fault::BadValue { what, found, expected: "a whole number".into() });
    }
    match cell.parse() {
        Ok(number) if (min..=max).contains(&number) => Ok(Some(number)),
        _ => Err(Fault::OutOfBounds { what, found, min, max }),
    }
}

/// A weight such as `2` or `1/2`; none where the cell is empty.
fn weight(cell: &str) -> Result<Option<RoundWeight>, Fault> {
    if cell.is_empty() {
        return Ok(None);
    }
    let (num, den) = cell.split_once('/').unwrap_or((cell, "1"));
    let part = |text: &str| text.trim().parse().ok().filter(|n| (1..=1_000u16).contains(n));
    match (part(num), part(den)) {
        (Some(num), Some(den)) => Ok(Some(RoundWeight { num, den })),
        _ => {
            let (what, found) = ("the round's weight".to_owned(), shortened(cell));
            Err(Fault::BadValue { what, found, expected: "such as 2 or 1/2".into() })
        }
    }
}
