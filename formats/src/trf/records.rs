//! The records that are kept as they stand: which, in which order, and what some of them mean.

use super::lines::{Line, columns};
use super::teams;
use crate::build::{Oddities, tenths};
use crate::report::{ChessReport, ReportRecord};
use std::collections::BTreeMap;

/// The records in the order in which they are written.
const ORDER: [&str; 51] = [
    "012", "022", "032", "042", "052", "062", "072", "082", "092", "102", "112", "122", "132",
    "142", "152", "162", "172", "182", "192", "202", "212", "222", "352", "362", "XXR", "BBW",
    "BBD", "BBL", "BBZ", "BBF", "BBU", "XXC", "XXS", "TNR", "ACC", "013", "310", "320", "330",
    "300", "240", "250", "260", "299", "BYE", "FOR", "XXA", "XXP", "XXZ", "801", "802",
];

/// Those that are not kept, since the tournament says them anew.
const SAID_ANEW: [&str; 5] = ["012", "062", "072", "082", "XXR"];

/// Those of which a report has one line: several are joined.
const ONE_LINE: [&str; 6] = ["022", "032", "102", "112", "122", "XXC"];

/// Those in which blanks part words and columns mean nothing.
const WORDS: [&str; 2] = ["XXC", "XXS"];

/// Those that stand below the players.
const BELOW: [&str; 16] = [
    "013", "310", "320", "330", "300", "240", "250", "260", "299", "BYE", "FOR", "XXA", "XXP",
    "XXZ", "801", "802",
];

/// Whether a record stands below the players.
pub fn is_below(code: &str) -> bool {
    BELOW.contains(&code)
}

/// Whether three characters are a record's.
pub fn is_one(code: &str) -> bool {
    ORDER.contains(&code)
}

/// The place of a record in the order in which they are written.
pub fn order(record: &ReportRecord) -> usize {
    ORDER.iter().position(|code| *code == record.code).unwrap_or(ORDER.len())
}

/// Whether a line begins as a record does: with three letters and digits, and a blank behind them.
fn is_like_code(line: &Line<'_>) -> bool {
    let code = line.id();
    let is_word = code.len() == 3 && code.bytes().all(|byte| byte.is_ascii_alphanumeric());
    let has_digit = code.bytes().any(|byte| byte.is_ascii_digit());
    is_word && line.text(4, 4).is_empty() && (has_digit || line.is_of_player())
}

/// The records of a file, and where the first of each kind stands.
#[derive(Default)]
pub struct Collected {
    records: Vec<ReportRecord>,
    places: BTreeMap<String, String>,
    /// Where the first national record stands, and how many there are.
    national: Option<(String, usize)>,
}

impl Collected {
    /// Keeps a line, where it is of a record that is kept.
    pub fn take(&mut self, line: &Line<'_>, oddities: &mut Oddities) {
        let code = line.id();
        if SAID_ANEW.contains(&code) {
            return;
        }
        if !ORDER.contains(&code) {
            // A player as their federation knows them: with a day of birth, and nothing that counts here.
            if code.len() == 3
                && code.bytes().all(|byte| byte.is_ascii_uppercase())
                && line.is_of_player()
            {
                let (_, count) = self.national.get_or_insert_with(|| (line.place(1), 0));
                *count += 1;
            } else if is_like_code(line) {
                let code = crate::error::shortened(code);
                let sentence = match line.is_of_player() {
                    true => format!(
                        "There is no record {code:?}: the line is left out. It looks like that of a player, 001."
                    ),
                    false => format!("There is no record {code:?}: the line is left out."),
                };
                oddities.add(&line.place(1), sentence);
            }
            return;
        }
        let mut text: String = match line.text(4, 4).is_empty() {
            true => line.from(5).into_iter().collect(),
            false => line.rest(),
        };
        if WORDS.contains(&code) {
            text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        }
        if code == "152" {
            text = text.trim().to_uppercase();
        }
        if ONE_LINE.contains(&code) {
            text = text.trim().to_owned();
        }
        if code == "013" {
            text = teams::in_columns(&text);
        }
        let text = text.trim_end().replace('\t', " ");
        if text.trim().is_empty() {
            return;
        }
        if text.contains('@') {
            oddities.add(&line.place(5), "An address of mail is left out.");
            return;
        }
        self.places.entry(code.to_owned()).or_insert_with(|| line.place(1));
        let same = self.records.iter_mut().find(|one| one.code == code && ONE_LINE.contains(&code));
        match same {
            Some(record) if code == "XXC" => record.text += &format!(" {text}"),
            Some(record) => record.text += &format!(", {text}"),
            None => self.records.push(ReportRecord { code: code.to_owned(), text }),
        }
    }

    /// Where the first record of this code stands.
    pub fn place(&self, code: &str) -> String {
        self.places.get(code).cloned().unwrap_or_default()
    }

    /// The records in the order in which they are written.
    pub fn finish(mut self, oddities: &mut Oddities) -> ChessReport {
        if let Some((place, count)) = self.national.take() {
            let sentence =
                format!("{count} records of players as their federations know them are left out.");
            oddities.add(&place, sentence);
        }
        self.records.sort_by_key(order);
        ChessReport { records: self.records, ..ChessReport::default() }
    }
}

/// Virtual points of some players in some rounds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Acceleration {
    pub tenths: i64,
    pub rounds: [u32; 2],
    pub players: [u32; 2],
}

impl ChessReport {
    /// Whether white is the color of the first of the ranking in the first round, where it is said.
    pub(super) fn first_is_white(&self) -> Option<bool> {
        let fide = self.of("152").find_map(|text| match text {
            "W" => Some(true),
            "B" => Some(false),
            _ => None,
        });
        let javafo = || {
            let mut words = self.of("XXC").flat_map(str::split_whitespace);
            words.find_map(|word| match word {
                "white1" => Some(true),
                "black1" => Some(false),
                _ => None,
            })
        };
        fide.or_else(javafo)
    }

    /// Says the color of the first of the ranking in the first round, in each of the records that say it.
    pub(super) fn set_first_color(&mut self, is_white: bool) {
        let (letter, word) = if is_white { ("W", "white1") } else { ("B", "black1") };
        self.records
            .iter_mut()
            .filter(|one| one.code == "152")
            .for_each(|one| one.text = letter.into());
        let other = |own: &&str| !matches!(*own, "white1" | "black1");
        match self.records.iter_mut().find(|one| one.code == "XXC") {
            Some(record) => {
                let words = record.text.split_whitespace().filter(other).chain([word]);
                record.text = words.collect::<Vec<_>>().join(" ");
            }
            None => self.records.push(ReportRecord { code: "XXC".into(), text: word.into() }),
        }
    }

    /// Whether players are ranked by their place in the file and not by their numbers.
    pub(super) fn is_by_line(&self) -> bool {
        self.of("XXC").flat_map(str::split_whitespace).any(|word| word == "rank")
    }

    /// The virtual points that XXA gives, each for all the players with following numbers who have the same.
    pub(super) fn accelerations(&self) -> Vec<Acceleration> {
        let mut runs: Vec<Acceleration> = Vec::new();
        for text in self.of("XXA") {
            let Ok(player) = columns(text, 5, 8).parse::<u32>() else { continue };
            let rest: String = text.chars().skip(4).collect();
            let mut last: Option<Acceleration> = None;
            for (round, points) in (1..).zip(rest.split_whitespace().map(tenths)) {
                let points = points.unwrap_or(0);
                match &mut last {
                    Some(run) if run.tenths == points => run.rounds[1] = round,
                    _ => {
                        runs.extend(last.take());
                        let (rounds, players) = ([round, round], [player, player]);
                        last = Some(Acceleration { tenths: points, rounds, players });
                    }
                }
            }
            runs.extend(last);
        }
        runs.retain(|run| run.tenths != 0);
        runs.sort_by_key(|run| (run.rounds, run.tenths, run.players));
        runs.dedup_by(|next, run| {
            let follows = next.rounds == run.rounds
                && next.tenths == run.tenths
                && next.players[0] == run.players[1].saturating_add(1);
            if follows {
                run.players[1] = next.players[1];
            }
            follows
        });
        runs
    }
}
