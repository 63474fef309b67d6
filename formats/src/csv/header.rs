//! The `# key: value` lines at the top of a CSV.

use crate::build::{Oddities, clean_name, day};
use crate::error::shortened;
use crate::{Fault, ImportError, limits};
use scrutineer_engine::event::{Day, PhaseKind};

use super::words;

/// What the lines say.
#[derive(Default)]
pub struct Header {
    pub title: Option<String>,
    /// The title as it stands there, where it ends with a round that [`Self::title`] leaves out.
    pub whole_title: Option<String>,
    pub held_on: Option<Day>,
    /// Where a date stands that does not say for sure which day it is, and what is told of it.
    pub unclear_day: Option<(String, String)>,
    pub rules: Option<String>,
    pub cut: Option<u32>,
    pub best_of: Option<u8>,
    /// Whether only who won is known, and the games are not those that were played.
    pub games_unknown: bool,
    pub phases: Option<Phases>,
    /// Whether rounds are still to be played.
    pub unfinished: bool,
}

/// The phases with their numbers of rounds, and where they are declared. A phase alone may leave
/// its number to the file.
pub struct Phases {
    pub list: Vec<(PhaseKind, Option<usize>)>,
    pub place: String,
}

impl Header {
    /// Title and date, since a weekly event may have the same title every time; what is missing
    /// of these, the file's name stands for.
    pub fn identity(&self, file: &str) -> String {
        match (&self.title, self.held_on) {
            (Some(title), Some(day)) => format!("csv {title} {day}"),
            (Some(title), None) => format!("csv {title} {file}"),
            (None, _) => format!("csv {file}"),
        }
    }
}

/// The table below the header lines.
pub struct Table<'a> {
    pub text: &'a str,
    /// How many lines stand above it.
    pub lines_above: u64,
}

const KEYS: [&str; 8] = ["event", "date", "rules", "cut", "best_of", "games", "phases", "finished"];

/// Takes the header lines off a file.
pub fn split<'a>(
    text: &'a str,
    oddities: &mut Oddities,
) -> Result<(Header, Table<'a>), ImportError> {
    let mut header = Header::default();
    let mut table = Table { text, lines_above: 0 };
    while let Some(line) = table.text.split_inclusive('\n').next() {
        let words = &unpadded(line);
        if !words.is_empty() && !words.starts_with('#') && !is_separator(words) {
            break;
        }
        let place = format!("line {}", table.lines_above + 1);
        if let Some((key, value)) = words.trim_start_matches('#').split_once(':') {
            header.set(
                &words::plain(key),
                value.trim_start_matches(is_padding),
                &place,
                oddities,
            )?;
        }
        table.text = &table.text[line.len()..];
        table.lines_above += 1;
    }
    Ok((header, table))
}

/// A line without what a spreadsheet puts around it: separators up to its last column, and
/// quotation marks around a cell.
fn unpadded(line: &str) -> String {
    let words = line.trim().trim_end_matches(is_padding);
    let quoted = words.strip_prefix('"').and_then(|words| words.strip_suffix('"'));
    match quoted {
        Some(cell) if cell.starts_with(['#', 's', 'S']) => cell.replace("\"\"", "\""),
        _ => words.to_owned(),
    }
}

fn is_padding(letter: char) -> bool {
    letter.is_whitespace() || [',', ';'].contains(&letter)
}

/// Whether a line is Excel's own, which says by what the cells are separated: `sep=;`.
fn is_separator(words: &str) -> bool {
    let sign = words.get(..4).filter(|start| start.eq_ignore_ascii_case("sep="));
    sign.is_some() && words.len() <= 5
}

impl Header {
    /// Takes a line such as `# event: Autumn Open`.
    pub fn line(
        &mut self,
        line: &str,
        place: &str,
        oddities: &mut Oddities,
    ) -> Result<(), ImportError> {
        match unpadded(line).trim_start_matches('#').split_once(':') {
            Some((key, value)) => self.set(&words::plain(key), value.trim(), place, oddities),
            None => Ok(()),
        }
    }

    fn set(
        &mut self,
        key: &str,
        value: &str,
        place: &str,
        oddities: &mut Oddities,
    ) -> Result<(), ImportError> {
        let at = |fault: Fault| fault.at(place);
        match key {
            "event" => self.title = Some(clean_name("the tournament's title", value).map_err(at)?),
            "rules" => self.rules = Some(clean_name("the ruleset's id", value).map_err(at)?),
            "date" => {
                let day = day(value).filter(|_| value.len() == "2026-05-31".len());
                let expected = "a day such as 2026-05-31";
                self.held_on = Some(day.ok_or_else(|| at(bad("the date", value, expected)))?);
            }
            "cut" => self.cut = Some(number("the cut", value, 2, limits::PLAYERS).map_err(at)?),
            "best of" => {
                let games = number("best of", value, 1, 99).map_err(at)?;
                if games % 2 == 0 {
                    return Err(at(bad("best of", value, "an odd number of games")));
                }
                self.best_of = u8::try_from(games).ok();
            }
            "games" => match value.to_lowercase().as_str() {
                "unknown" => self.games_unknown = true,
                _ => return Err(at(bad("games", value, "unknown"))),
            },
            "phases" => {
                let list = phases(value).map_err(at)?;
                self.phases = Some(Phases { list, place: place.to_owned() });
            }
            "finished" => match value.to_lowercase().as_str() {
                "yes" => self.unfinished = false,
                "no" => self.unfinished = true,
                _ => return Err(at(bad("finished", value, "yes or no"))),
            },
            _ => {
                let known = KEYS.join(", ");
                let sentence =
                    format!("The key {:?} was ignored; {known} are known.", shortened(key));
                oddities.add(place, sentence);
            }
        }
        Ok(())
    }
}

fn bad(what: &str, found: &str, expected: &str) -> Fault {
    let (what, found) = (what.to_owned(), shortened(found));
    Fault::BadValue { what, found, expected: expected.to_owned() }
}

fn number(what: &str, text: &str, min: u32, max: usize) -> Result<u32, Fault> {
    let expected = format!("a number from {min} to {max}");
    let read = text.parse::<u32>().ok();
    let within = |value: &u32| *value >= min && *value as usize <= max;
    read.filter(within).ok_or_else(|| bad(what, text, &expected))
}

/// Phases such as `swiss 5, single elimination 3`.
fn phases(text: &str) -> Result<Vec<(PhaseKind, Option<usize>)>, Fault> {
    if let Some(kind) = words::phase_kind(text) {
        return Ok(vec![(kind, None)]);
    }
    let expected = "kinds with their rounds, such as \"swiss 5, single elimination 3\"";
    let one = |part: &str| {
        let (kind, rounds) = part.trim().rsplit_once(' ')?;
        let rounds = rounds.parse().ok().filter(|rounds| (1..=limits::ROUNDS).contains(rounds))?;
        Some((words::phase_kind(kind)?, Some(rounds)))
    };
    let read: Option<Vec<_>> = text.split(',').take(limits::ROUNDS).map(one).collect();
    read.ok_or_else(|| bad("the list of phases", text, expected))
}
