//! The binary file in which Swiss-Manager keeps a tournament (`.TUNX`), which is only read.
//!
//! A file is a list of sections, each behind a marker of four bytes. Whatever stands in it is counted by the
//! file itself, so each count is held against the end of its section. Paths of the owner's disk, dates of
//! birth and national ids are passed over.

mod bytes;
mod rounds;

use super::build::{Oddities, Players, clean_name};
use super::chessresults::named_tie_breaks;
use super::report::{ranked_otherwise, rules_of};
use super::source::*;
use super::{File, ImportError, check, sheet};
use bytes::{Reader, Sections};
use scrutineer_engine::event::{Day, PhaseKind, UnknownFact};

/// That file.
pub(super) struct Tunx;

/// The first four bytes.
const MAGIC: [u8; 4] = bytes::marker(0x93);
/// Where the tournament's number on chess-results.com stands.
const NUMBER_AT: usize = 0x20;
/// Where the texts about the tournament begin.
const TEXTS_AT: usize = 0x6c;
/// Texts of a player.
const PLAYER_TEXTS: usize = 30;
/// Which of them are their title and their federation.
const TITLE_AT: usize = 4;
const FEDERATION_AT: usize = 10;
/// Bytes behind a player's texts.
const PLAYER_BYTES: usize = 110;

impl super::Format for Tunx {
    fn name(&self) -> &'static str {
        "swiss-manager tunx"
    }

    fn ending(&self) -> &'static str {
        "tunx"
    }

    fn detect(&self, file: &File) -> bool {
        file.bytes.starts_with(&MAGIC)
    }

    fn read(&self, file: &File) -> Result<Source, ImportError> {
        read(file.name, file.bytes)
    }
}

/// What the section of settings says.
struct Settings {
    kind: PhaseKind,
    is_of_teams: bool,
    rounds: usize,
    current: usize,
    players: usize,
    held_on: Option<Day>,
    /// The numbers of the tie-breaks, in their order.
    tie_breaks: Vec<u16>,
}

/// The most tie-breaks that there are.
const MOST_TIE_BREAKS: u16 = 6;

impl Settings {
    fn read(reader: &Reader<'_>, start: usize) -> Result<Settings, ImportError> {
        let at = |offset: usize, what: &str| reader.at(start + offset, what);
        let kind = at(0x0b, "the kind of tournament")?.u8()?;
        let tie_breaks = at(0x1b, "the number of tie-breaks")?.u16()?.min(MOST_TIE_BREAKS);
        let tie_break = |one: u16| at(0x1d + 2 * usize::from(one), "a tie-break")?.u16();
        Ok(Settings {
            kind: match kind {
                1 | 2 => PhaseKind::RoundRobin,
                _ => PhaseKind::Swiss,
            },
            is_of_teams: kind >= 2,
            rounds: usize::from(at(0, "the number of rounds")?.u16()?),
            current: usize::from(at(0x11, "the current round")?.u8()?),
            players: usize::from(at(0x13, "the number of players")?.u16()?),
            held_on: day_of(at(0x47, "the first day")?.u32()?),
            tie_breaks: (0..tie_breaks).map(tie_break).collect::<Result<_, _>>()?,
        })
    }
}

/// Reads the bytes strictly.
fn read(name: &str, bytes: &[u8]) -> Result<Source, ImportError> {
    let sections = Sections::find(bytes, TEXTS_AT)?;
    let number = Reader::of(bytes, 0..TEXTS_AT).at(NUMBER_AT, "the tournament's number")?.u32()?;
    let mut oddities = Oddities::default();
    let title = title(bytes, &sections, name, &mut oddities)?;
    let settings =
        Settings::read(&Reader::of(bytes, sections.settings.clone()), sections.settings.start)?;
    let rules = rules_of(settings.held_on);
    let tie_breaks = named_tie_breaks(settings.tie_breaks.iter().copied());
    if let Some(named) = tie_breaks.filter(|_| !settings.is_of_teams) {
        oddities.add("", ranked_otherwise(&named, rules));
    }
    let mut reader = Reader::of(bytes, sections.players.clone());
    let mut players = Players::default();
    for number in 1..=settings.players {
        player(&mut reader, number, &mut players, &mut oddities)?;
    }
    let count = players.list.len();
    let read = rounds::read(&reader, count, settings.current, settings.rounds, &mut oddities)?;
    if settings.is_of_teams {
        oddities
            .add("", "The teams are left out: what stands here are the games of their players.");
    }
    if !read.rounds.is_empty() {
        check::rounds(&players, &read.rounds)?;
    }
    let tables = read.rounds.iter().flat_map(|round| &round.tables);
    let scoresheet = sheet::games_sheet(
        Some(1),
        tables.filter_map(|table| sheet::games_of(&table.result.score)),
    );
    let identity = match number {
        0 => {
            let date = settings.held_on.map_or_else(String::new, |day| format!(" {day}"));
            let first = players.list.iter().take(2).map(|player| format!(" {}", player.name));
            format!("swiss-manager {title}{date}{}", first.collect::<String>())
        }
        number => format!("chess-results {number}"),
    };
    Ok(Source {
        platform: "swiss-manager".to_owned(),
        format: "swiss-manager tunx".to_owned(),
        identity,
        title,
        held_on: settings.held_on,
        rules: Some(rules.to_owned()),
        planned_rounds: u16::try_from(settings.rounds).ok().filter(|rounds| *rounds > 0),
        finished: !read.is_open && !read.rounds.is_empty() && settings.rounds <= read.rounds.len(),
        scoresheet,
        phases: vec![SourcePhase {
            kind: settings.kind,
            entrants: (0..players.list.len()).collect(),
            seeded: true,
            rounds: read.rounds,
        }],
        players: players.list,
        unknown: vec![UnknownFact::Times, UnknownFact::Tables, UnknownFact::Drops],
        oddities: oddities.finish(),
        ..Source::default()
    })
}

/// The first of the texts about the tournament; the file's name where it is empty.
fn title(
    bytes: &[u8],
    sections: &Sections,
    name: &str,
    oddities: &mut Oddities,
) -> Result<String, ImportError> {
    let mut reader = Reader::of(bytes, sections.texts.clone());
    let place = reader.place();
    let text = if reader.is_done() { String::new() } else { reader.text("the title")? };
    match text.trim().is_empty() {
        true => {
            oddities.add(&place, "Without a title it has the file's name.");
            Ok(super::build::stem(name))
        }
        false => clean_name("the title", &one_line(&text)).map_err(|fault| fault.at(place)),
    }
}

fn player(
    reader: &mut Reader<'_>,
    number: usize,
    players: &mut Players,
    oddities: &mut Oddities,
) -> Result<(), ImportError> {
    let place = reader.place();
    let mut texts = Vec::with_capacity(PLAYER_TEXTS);
    for _ in 0..PLAYER_TEXTS {
        texts.push(one_line(&reader.text("a text of a player")?).trim().to_owned());
    }
    let numbers = reader.bytes(PLAYER_BYTES, "the numbers of a player")?;
    let u16_at = |at: usize| u32::from(numbers[at]) + 256 * u32::from(numbers[at + 1]);
    let u32_at = |at: usize| u16_at(at) + 65_536 * u16_at(at + 2);
    let [last, first] = [&texts[0], &texts[1]];
    let name = match (last.is_empty(), first.is_empty()) {
        (false, false) => format!("{last}, {first}"),
        _ => format!("{last}{first}"),
    };
    let index = players.add_named(number, &name, &place, oddities)?;
    let player = &mut players.list[index];
    player.sign_up = u32::try_from(number).ok();
    let told = |at: usize| Some(texts[at].clone()).filter(|text| !text.is_empty());
    (player.title, player.federation) = (told(TITLE_AT), told(FEDERATION_AT));
    // What is 0 is not rated; who has no international rating may have a national one.
    let rating = [u16_at(0x08), u16_at(0x0a)].into_iter().find(|rating| *rating > 0);
    player.rating = rating.and_then(|rating| i32::try_from(rating).ok());
    player.publisher_id = Some(u32_at(0x18)).filter(|id| *id > 0).map(|id| id.to_string());
    Ok(())
}

/// A text in one line.
fn one_line(text: &str) -> String {
    text.split(|c: char| c.is_control())
        .filter(|part| !part.is_empty())
        .collect::<Vec<_>>()
        .join(" ")
}

/// The day of a number such as 20260328.
fn day_of(number: u32) -> Option<Day> {
    let (year, month, date) = (number / 10_000, number / 100 % 100, number % 100);
    super::build::day(&format!("{year:04}-{month:02}-{date:02}"))
}
