//! FIDE's tournament report file: TRF06, TRF16 and TRF26, with the records that pairing programs add.
//!
//! A line is a record; its first three characters say which. Columns count characters, from 1. Records that
//! are not known here are left out, as FIDE asks; a player's line is read strictly, with line and column.

pub mod engine;
mod lines;
mod rounds;
mod write;

use super::build::{Oddities, Players, day, stem, tenths};
use super::source::*;
use super::{Fault, File, ImportError, WriteError, Written, check, letters, limits, sheet};
use lines::{Line, lines};
use rounds::Block;
use scrutineer_engine::event::{Day, PhaseKind, UnknownFact};
use std::collections::BTreeMap;
pub(crate) use write::results;
pub use write::write;

/// FIDE's tournament report.
pub struct Trf;

impl super::Format for Trf {
    fn name(&self) -> &'static str {
        "trf"
    }

    fn ending(&self) -> &'static str {
        "trf"
    }

    fn detect(&self, file: &File) -> bool {
        match file.text {
            Some(text) => is_one(text),
            None => has_record(file.bytes),
        }
    }

    fn read(&self, file: &File) -> Result<Source, ImportError> {
        match file.text {
            Some(text) => read(file.name, text),
            None => read(file.name, &letters::of_8_bits(file.bytes)),
        }
    }

    fn write(&self, source: &Source, _: Option<&File>) -> Option<Result<Written, WriteError>> {
        Some(write(source))
    }
}

/// The columns of a player's line in which their rounds begin.
const ROUNDS: usize = 92;

/// Whether a text is such a file: a line of it is a player's.
fn is_one(text: &str) -> bool {
    lines(text)
        .any(|line| line.id() == "001" && line.text(4, 4).is_empty() && number_of(&line).is_ok())
}

/// Whether bytes that are no UTF-8 have a player's line: the file is of an older program, in 8 bits.
fn has_record(bytes: &[u8]) -> bool {
    bytes.split(|byte| matches!(byte, b'\n' | b'\r')).any(|line| line.starts_with(b"001 "))
}

/// A player's line.
struct Player<'a> {
    line: Line<'a>,
    number: u32,
    points: String,
    rank: Option<u32>,
    blocks: Vec<Block>,
}

/// What stands above the players.
#[derive(Default)]
struct Head {
    title: Option<String>,
    held_on: Option<Day>,
    system: String,
    /// How many rounds it is to have.
    rounds: Option<usize>,
    /// The first record of teams.
    teams: Option<String>,
}

/// Reads a text strictly.
fn read(name: &str, text: &str) -> Result<Source, ImportError> {
    let (mut head, mut listed) = (Head::default(), Vec::new());
    let (mut players, mut oddities) = (Players::default(), Oddities::default());
    let mut by_number: BTreeMap<u32, usize> = BTreeMap::new();
    for line in lines(text) {
        if line.id() != "001" {
            head.take(&line, &mut oddities);
            continue;
        }
        let player = player(line, &mut players)?;
        if let Some(other) = by_number.insert(player.number, listed.len()) {
            let other: &Player<'_> = &listed[other];
            let (player_number, round) = (player.number.to_string(), "the list of players".into());
            let other = other.line.place(5);
            let fault = Fault::TwiceInRound { player: player_number, round, other };
            return Err(fault.at(player.line.place(5)));
        }
        listed.push(player);
    }
    if let Some(place) = &head.teams {
        oddities
            .add(place, "The teams are left out: what stands here are the games of their players.");
    }
    let mut reader = rounds::Reader::new(&listed, &by_number, &mut oddities);
    let (rounds, is_open) = reader.rounds()?;
    // Before the first round there is none.
    if !rounds.is_empty() {
        check::rounds(&players, &rounds)?;
    }
    let published = published(&listed, &mut oddities)?;
    let games = rounds.iter().flat_map(|round| &round.tables);
    let games = games.filter_map(|table| sheet::games_of(&table.result.score));
    let scoresheet = sheet::games_sheet(Some(1), games);
    let title = head.title.unwrap_or_else(|| stem(name));
    // Sections of one congress share title and days: who is seeded first tells them apart.
    let date = head.held_on.map_or_else(String::new, |day| format!(" {day}"));
    let first = by_number.values().take(2).map(|at| format!(" {}", players.list[*at].name));
    let identity = format!("trf {title}{date}{}", first.collect::<String>());
    let played = rounds.len();
    let kind = match head.system.to_lowercase().contains("robin") {
        true => PhaseKind::RoundRobin,
        false => PhaseKind::Swiss,
    };
    let entrants = (0..listed.len()).collect();
    Ok(Source {
        file: String::new(),
        platform: "trf".to_owned(),
        format: "trf".to_owned(),
        identity,
        title,
        held_on: head.held_on,
        rules: Some("fide-buchholz-2024".to_owned()),
        cut: None,
        planned_rounds: head.rounds.and_then(|rounds| u16::try_from(rounds).ok()),
        finished: !is_open && head.rounds.is_none_or(|rounds| rounds <= played),
        scoresheet,
        players: players.list,
        phases: vec![SourcePhase { kind, entrants, seeded: true, rounds }],
        drops: Vec::new(),
        published_after: u16::try_from(played).ok().filter(|_| !published.is_empty()),
        published,
        places: Vec::new(),
        published_digits: None,
        unknown: vec![UnknownFact::Times, UnknownFact::Tables, UnknownFact::Drops],
        oddities: oddities.finish(),
    })
}

impl Head {
    fn take(&mut self, line: &Line<'_>, oddities: &mut Oddities) {
        let value = line.rest();
        match line.id() {
            "012" if !value.is_empty() => {
                if let Some(other) = self.title.replace(value.clone()) {
                    let other = super::error::shortened(&other);
                    oddities
                        .add(&line.place(5), format!("A second title; the first was {other:?}."));
                }
            }
            "042" => self.held_on = held_on(&value),
            "092" | "192" => self.system += &value,
            "142" | "XXR" => self.rounds = value.parse().ok().or(self.rounds),
            "013" | "310" => self.teams = self.teams.take().or_else(|| Some(line.place(1))),
            _ => {}
        }
    }
}

/// The number of a player's line.
fn number_of(line: &Line<'_>) -> Result<u32, ImportError> {
    let found = line.text(5, 8);
    let number = found.parse().ok().filter(|number| *number > 0);
    number.ok_or_else(|| {
        let (what, expected) = ("the pairing number".into(), "a number from 1 on".into());
        Fault::BadValue { what, found, expected }.at(line.place(5))
    })
}

fn player<'a>(line: Line<'a>, players: &mut Players) -> Result<Player<'a>, ImportError> {
    let number = number_of(&line)?;
    let index = players.add(&number.to_string(), &line.text(15, 47), &line.place(15))?;
    let player = &mut players.list[index];
    player.sign_up = Some(number);
    // What is 0 is not rated; national files have letters there, which are no rating.
    player.rating = line.text(49, 52).parse().ok().filter(|rating| *rating > 0);
    let id = line.text(58, 68);
    let is_id = id.chars().any(|c| c.is_alphanumeric() && c != '0');
    player.publisher_id = Some(id).filter(|_| is_id);
    let points = line.text(81, 84);
    let rank = line.text(86, 89).parse().ok().filter(|rank| *rank > 0);
    let blocks = rounds::blocks(&line)?;
    Ok(Player { line, number, points, rank, blocks })
}

/// The points and ranks of the file, where every player has one.
fn published(
    listed: &[Player<'_>],
    oddities: &mut Oddities,
) -> Result<Vec<PublishedRow>, ImportError> {
    let mut rows = Vec::with_capacity(listed.len());
    for (player, one) in listed.iter().enumerate() {
        let Some(rank) = one.rank.filter(|_| !one.points.is_empty()) else {
            oddities
                .add(&one.line.place(81), "Without points and ranks of all nothing is compared.");
            return Ok(Vec::new());
        };
        let points_tenths = tenths(&one.points).ok_or_else(|| {
            let (what, found) = ("the points".to_owned(), one.points.clone());
            let expected = "a number such as 4.5".to_owned();
            Fault::BadValue { what, found, expected }.at(one.line.place(81))
        })?;
        rows.push(PublishedRow { rank, player, points_tenths, record: None, values: Vec::new() });
    }
    rows.sort_by_key(|row| row.rank);
    Ok(rows)
}

/// The day of a date in one of the notations that files have, where it says for sure which.
pub(super) fn held_on(text: &str) -> Option<Day> {
    let parts: Vec<&str> =
        text.split(['/', '.', '-', ' ']).filter(|part| !part.is_empty()).collect();
    let [one, two, three] = parts[..] else { return None };
    let is_number = |part: &&str| part.bytes().all(|byte| byte.is_ascii_digit());
    if ![one, two, three].iter().all(is_number) {
        return None;
    }
    // Points stand behind days; between strokes the first may be a month.
    let is_day_first = text.contains('.') || one.parse::<u8>().is_ok_and(|day| day > 12);
    let (year, month, date) = match (one.len(), three.len()) {
        (4, _) => (one, two, three),
        (1..=2, 4) if is_day_first => (three, two, one),
        _ => return None,
    };
    day(&format!("{year}-{month:0>2}-{date:0>2}"))
}

/// How many rounds a line may have.
fn most_rounds(line: &Line<'_>, rounds: usize) -> Result<(), ImportError> {
    match rounds > limits::ROUNDS {
        true => {
            Err(Fault::TooMany { what: "rounds", limit: limits::ROUNDS }.at(line.place(ROUNDS)))
        }
        false => Ok(()),
    }
}
