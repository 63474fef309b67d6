//! FIDE's tournament report file: TRF06, TRF16 and TRF26, with the records that pairing programs add.
//!
//! A line is a record; its first three characters say which. Columns count characters, from 1. Records that
//! are not known here are left out, as FIDE asks; a player's line is read strictly, with line and column.

mod days;
pub mod engine;
mod into;
mod lines;
mod points;
mod records;
mod requests;
mod rounds;
mod teams;
mod write;

use super::build::{self, Oddities, Players, clean_name, stem, tenths};
use super::report::{ChessReport, PointSystem, ranked_otherwise, rules_of};
use super::source::*;
use super::{Fault, File, ImportError, WriteError, Written, check, letters, limits, sheet};
pub(super) use days::held_on;
use lines::{Line, lines};
use records::Collected;
use rounds::{Block, Read};
use scrutineer_engine::event::{Day, PhaseKind, UnknownFact};
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
pub use write::{Dialect, write};
pub(crate) use write::{other_ranks_told, results, results_of};

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
        match file.text.filter(|text| !text.contains('\0')) {
            Some(text) => is_one(text),
            None => {
                letters::is_16_bits(file.bytes) && is_one(&text(file).0) || has_record(file.bytes)
            }
        }
    }

    fn read(&self, file: &File) -> Result<Source, ImportError> {
        let (text, told) = text(file);
        let mut source = read(file.name, &text)?;
        let oddity =
            |sentence: &str| Oddity { place: build::WHOLE.into(), sentence: sentence.into() };
        source.oddities.extend(told.map(oddity));
        Ok(source)
    }

    fn writes_into(&self) -> bool {
        true
    }

    fn write(&self, source: &Source, into: Option<&File>) -> Option<Result<Written, WriteError>> {
        Some(write_into(source, into, Dialect::Programs))
    }
}

/// The same as FIDE has it since 2026, which some pairing programs do not take.
pub struct Trf26;

impl super::Format for Trf26 {
    fn name(&self) -> &'static str {
        "trf26"
    }

    fn ending(&self) -> &'static str {
        "trf"
    }

    /// None: [`Trf`] reads them.
    fn detect(&self, _: &File) -> bool {
        false
    }

    fn read(&self, file: &File) -> Result<Source, ImportError> {
        Trf.read(file)
    }

    fn writes_into(&self) -> bool {
        true
    }

    fn write(&self, source: &Source, into: Option<&File>) -> Option<Result<Written, WriteError>> {
        Some(write_into(source, into, Dialect::Fide))
    }
}

/// Writes a tournament; with a report of it, what only a report says is taken from there.
fn write_into(
    source: &Source,
    into: Option<&File>,
    dialect: Dialect,
) -> Result<Written, WriteError> {
    let Some(file) = into else { return write(source, dialect) };
    let not_read = |error: ImportError| WriteError::IntoNotRead { why: error.to_string() };
    let (text, _) = text(file);
    if !lines(&text).any(|line| line.id() == "001" || records::is_one(line.id())) {
        let why = "it is no report of FIDE (TRF): no line of it is a record".to_owned();
        return Err(WriteError::IntoNotRead { why });
    }
    let report = super::Format::read(&Trf, file).map_err(not_read)?;
    let (births, rated) = beside_players(&text);
    let theirs = into::found(source, &report)?;
    let mut kept = into::kept(source, &report, &theirs, births, rated);
    let said = report.report.first_is_white();
    let merged = into::with_report(source, report, &theirs);
    kept.other_color = said.is_some() && merged.report.first_is_white() != said;
    write::write_kept(&merged, dialect, &kept)
}

/// The dates of birth in a report, by the numbers of its players, and how many it calls rated: no log has them.
fn beside_players(text: &str) -> (BTreeMap<u32, String>, Option<usize>) {
    let (mut births, mut rated) = (BTreeMap::new(), None);
    for line in lines(text) {
        match line.id() {
            "001" => {
                let line = line.aside(|line| rounds::blocks(line).is_ok()).unwrap_or(line);
                let born = line.text(70, 79);
                let is_date = born.chars().any(|c| c.is_ascii_digit() && c != '0')
                    && born.chars().all(|c| c.is_ascii_digit() || matches!(c, '/' | '.' | '-'));
                births.extend(number_of(&line).ok().filter(|_| is_date).map(|own| (own, born)));
            }
            "072" => rated = rated.or_else(|| first_number(&line.rest())),
            _ => {}
        }
    }
    (births, rated)
}

/// The columns of a player's line in which their rounds begin.
const ROUNDS: usize = 92;
/// The column in which their name begins.
const NAME: usize = 15;
/// The column of their title, in which one program begins the name.
const TITLE: usize = 11;

/// The text of a file, in whichever letters a program saved it, and what is to be told of them.
fn text<'a>(file: &File<'a>) -> (Cow<'a, str>, Option<&'static str>) {
    if let Some(text) = file.text.filter(|text| !text.contains('\0')) {
        return (Cow::Borrowed(text), None);
    }
    match letters::text(file.bytes) {
        Some((text, told)) => (Cow::Owned(text), told),
        None => (Cow::Owned(letters::of_8_bits(file.bytes)), None),
    }
}

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
    /// What is said of its first day, and where.
    day: Option<(String, String)>,
    system: String,
    /// How many rounds it is to have.
    rounds: Option<usize>,
    /// Which record said that.
    rounds_by: String,
    /// How many players it says that there are, and where.
    players: Option<(usize, String)>,
    /// What is kept as it stands.
    records: Collected,
}

/// Reads a text strictly.
fn read(name: &str, text: &str) -> Result<Source, ImportError> {
    let (mut head, mut listed) = (Head::default(), Vec::new());
    let (mut players, mut oddities) = (Players::default(), Oddities::default());
    let mut by_number: BTreeMap<u32, usize> = BTreeMap::new();
    let name_at = name_column(text, &mut oddities);
    for line in lines(text) {
        if line.id() != "001" {
            head.take(&line, &mut oddities);
            continue;
        }
        let player = player(line, name_at, &mut players, &mut oddities)?;
        if let Some(other) = by_number.insert(player.number, listed.len()) {
            let other: &Player<'_> = &listed[other];
            let (player_number, round) = (player.number.to_string(), "the list of players".into());
            let other = other.line.place(5);
            let fault = Fault::TwiceInRound { player: player_number, round, other };
            return Err(fault.at(player.line.place(5)));
        }
        listed.push(player);
    }
    if let Some((count, place)) = head.players.take().filter(|(count, _)| *count != listed.len()) {
        let sentence =
            format!("062 says {count} players; lines of players (001): {}.", listed.len());
        oddities.add(&place, sentence);
    }
    let records = std::mem::take(&mut head.records);
    let teams_at = [records.place("310"), records.place("013")];
    let teams_at = teams_at.iter().find(|place| !place.is_empty()).cloned().unwrap_or_default();
    let place_of_tie_breaks = records.place("202");
    let place_of_points = points::CODES.map(|code| (code, records.place(code)));
    let days_at = records.place("132");
    let mut report = records.finish(&mut oddities);
    head.find_day(&report, &days_at, &mut oddities);
    head.tidy(&mut report);
    let numbers: BTreeSet<u32> = by_number.keys().copied().collect();
    teams::tell(&report, &numbers, &teams_at, &mut oddities);
    let rules = rules_of(head.held_on);
    if let Some(named) = tie_breaks(&report) {
        oddities.add(&place_of_tie_breaks, ranked_otherwise(&named, rules));
    }
    let counted = points(&report, rules, &place_of_points, &mut oddities);
    rounds::open_games(&mut listed, &by_number);
    let reader = rounds::Reader::new(&listed, &by_number, &mut oddities);
    let Read { rounds, is_open, mut asked, unrated, forfeit_byes } = reader.rounds()?;
    requests::take(&mut report, rounds.len(), head.rounds, &by_number, &mut asked);
    (report.asked, report.unrated, report.forfeit_byes) = (asked, unrated, forfeit_byes);
    // Before the first round there is none.
    if !rounds.is_empty() {
        check::rounds(&players, &rounds)?;
    }
    let published = published(&listed, &mut oddities);
    let games = rounds.iter().flat_map(|round| &round.tables);
    let games = games.filter_map(|table| sheet::games_of(&table.result.score));
    let scoresheet = sheet::games_sheet(Some(1), games);
    let kind = head.kind();
    let title = head.title.unwrap_or_else(|| stem(name));
    let title = match clean_name("the title", &title) {
        Ok(title) => title,
        Err(fault) => {
            oddities.add("", format!("{fault}; it is shortened to what can be one."));
            let plain = title.chars().map(|c| if c.is_control() { ' ' } else { c });
            let plain: String = plain.take(limits::NAME_CHARS).collect();
            Some(plain.trim().to_owned())
                .filter(|one| !one.is_empty())
                .unwrap_or_else(|| stem(name))
        }
    };
    // Sections of one congress share title and days: who is seeded first tells them apart. A day of rounds alone is no
    // part of it, since it was not when older versions read the file.
    let date = head.held_on.filter(|_| head.day.is_some());
    let date = date.map_or_else(String::new, |day| format!(" {day}"));
    let first = by_number.values().take(2).map(|at| format!(" {}", players.list[*at].name));
    let identity = format!("trf {title}{date}{}", first.collect::<String>());
    let played = rounds.len();
    let after = if is_open {
        counted_rounds(&listed, &published, played, counted.as_ref())
    } else {
        played
    };
    let entrants = match report.is_by_line() {
        true => (0..listed.len()).collect(),
        false => by_number.values().copied().collect(),
    };
    Ok(Source {
        file: String::new(),
        platform: "trf".to_owned(),
        format: "trf".to_owned(),
        identity,
        title,
        held_on: head.held_on,
        rules: Some(rules.to_owned()),
        cut: None,
        planned_rounds: head.rounds.and_then(|rounds| u16::try_from(rounds).ok()),
        division_rounds: Vec::new(),
        goes_on: Vec::new(),
        finished: !is_open
            && report.asked.is_empty()
            && head.rounds.is_none_or(|rounds| rounds <= played),
        scoresheet,
        players: players.list,
        phases: vec![SourcePhase { kind, entrants, seeded: true, rounds }],
        drops: Vec::new(),
        published_after: u16::try_from(after).ok().filter(|_| !published.is_empty()),
        published,
        places: Vec::new(),
        published_digits: None,
        halves: false,
        points: counted,
        tie_breaks: Vec::new(),
        report,
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
            "042" if days::says_any(&value) => self.day = Some((value, line.place(5))),
            "092" | "192" => self.system += &value,
            "062" => self.players = first_number(&value).map(|count| (count, line.place(5))),
            "142" | "XXR" => self.take_rounds(line, first_number(&value), oddities),
            "TNR" => self.rounds = self.rounds.or_else(|| first_number(&value)),
            _ => {}
        }
        self.records.take(line, oddities);
    }

    /// How many rounds it is to have, of which the last record that says it counts.
    fn take_rounds(&mut self, line: &Line<'_>, rounds: Option<usize>, oddities: &mut Oddities) {
        let Some(rounds) = rounds else { return };
        let other = std::mem::replace(&mut self.rounds_by, line.id().to_owned());
        let said = self.rounds.replace(rounds);
        if let Some(said) = said.filter(|said| !other.is_empty() && *said != rounds) {
            let code = line.id();
            let sentence = format!(
                "{code} says {rounds} rounds, and {other} said {said}: {rounds} are taken."
            );
            oddities.add(&line.place(5), sentence);
        }
    }

    /// Understands the first day, for which a record may stand below that settles which it is. Where none is said, the
    /// days of the rounds, which stand at this place, say it.
    fn find_day(&mut self, report: &ChessReport, days_at: &str, oddities: &mut Oddities) {
        let Some((text, place)) = &self.day else {
            self.held_on = days::of_rounds(report);
            if let Some(day) = self.held_on {
                let sentence =
                    format!("042 says no day; the first of the days of rounds is taken: {day}.");
                oddities.add(days_at, sentence);
            }
            return;
        };
        self.held_on = days::first_day(text, report);
        if self.held_on.is_none() {
            let text = super::error::shortened(text);
            let sentence = format!(
                "042 does not say for sure which day: {text:?}. It is kept, and the tournament comes in without a day; \
                 with 2026/05/31 for 31 May 2026 it has one."
            );
            oddities.add(place, sentence);
        }
    }

    /// The kind of the tournament.
    fn kind(&self) -> PhaseKind {
        match self.system.to_lowercase().contains("robin") {
            true => PhaseKind::RoundRobin,
            false => PhaseKind::Swiss,
        }
    }

    /// Leaves out of the records what is said of the tournament itself.
    fn tidy(&self, report: &mut ChessReport) {
        report.records.retain(|record| match record.code.as_str() {
            "042" => self.day.is_some() && self.held_on.is_none(),
            "092" => record.text != write::kind_of(self.kind()),
            "142" => self.rounds.is_some(),
            _ => true,
        });
        if let (Some(rounds), Some(record)) =
            (self.rounds, report.records.iter_mut().find(|record| record.code == "142"))
        {
            record.text = rounds.to_string();
        }
    }
}

/// The tie-breaks that a report names, where they are others than the shipped rules for chess go by.
fn tie_breaks(report: &ChessReport) -> Option<String> {
    let plain = |text: &str| {
        text.to_uppercase()
            .split([',', ' '])
            .filter(|one| !one.is_empty())
            .map(str::to_owned)
            .collect::<Vec<_>>()
    };
    let named = report.records.iter().find(|one| matches!(&one.code[..], "202" | "212"))?;
    let own = plain(&named.text);
    let others: Vec<&String> = own.iter().filter(|one| *one != "PTS").collect();
    let is_other = !others.is_empty() && others != ["BH/C1", "BH", "DE", "WIN", "SB"];
    is_other.then(|| super::error::shortened(&own.join(", ")))
}

/// What results count, told where it is not what the shipped rules for chess count.
fn points(
    report: &ChessReport,
    rules: &str,
    places: &[(&str, String)],
    oddities: &mut Oddities,
) -> Option<PointSystem> {
    let place = |code: &str| places.iter().find(|(own, _)| *own == code).map_or("", |(_, at)| at);
    match points::read(report) {
        Ok(None) => None,
        Ok(Some(system)) => {
            let first = places.iter().find(|(_, at)| !at.is_empty()).map_or("", |(_, at)| at);
            let [win, draw, loss] = [system.win, system.draw, system.loss].map(points::of_colors);
            let sentence = format!(
                "A win counts {win}, a draw {draw}, a loss {loss}, a bye {}. \
                 Without `--rules` standings go by {rules}, which counts 1, ½, 0, 1; a ruleset that \
                 extends it with such [points] counts these. A report that is written into this one has them.",
                points::decimal(system.bye)
            );
            oddities.add(first, sentence);
            Some(system)
        }
        Err((code, text)) => {
            let text = super::error::shortened(&text);
            let sentence = format!("{code} says no points that can be understood: {text:?}.");
            oddities.add(place(&code), sentence);
            None
        }
    }
}

/// A title as FIDE spells it; older files have letters of their own. Others stay as they are.
fn title(text: &str) -> Option<String> {
    if text.is_empty() {
        return None;
    }
    Some(known_title(text).unwrap_or(text).to_owned())
}

/// A title of FIDE, of today or of older files.
fn known_title(text: &str) -> Option<&'static str> {
    let known = match text.to_lowercase().as_str() {
        "g" | "gm" => "GM",
        "m" | "im" => "IM",
        "f" | "fm" => "FM",
        "c" | "cm" => "CM",
        "gf" | "wgm" => "WGM",
        "mf" | "wim" => "WIM",
        "ff" | "wf" | "wfm" => "WFM",
        "cf" | "wcm" => "WCM",
        _ => return None,
    };
    Some(known)
}

/// The column in which the names begin, told where it is that of the titles: one program has none, and no engine minds.
fn name_column(text: &str, oddities: &mut Oddities) -> usize {
    let (mut players, mut aside, mut first) = (0, 0, None);
    for line in lines(text).filter(|line| line.id() == "001") {
        players += 1;
        if has_name_for_title(&line) {
            aside += 1;
            first = first.or_else(|| Some(line.place(TITLE)));
        }
    }
    let Some(first) = first.filter(|_| 2 * aside > players) else { return NAME };
    let sentence = format!(
        "The names begin in column {TITLE}, where titles belong; they are read from there."
    );
    oddities.add(&first, sentence);
    TITLE
}

/// Whether a name stands where the title belongs: what is there is no title, and goes on in the column that parts the
/// two.
fn has_name_for_title(line: &Line<'_>) -> bool {
    let text = line.text(TITLE, TITLE + 2);
    let begins_there = line.text(TITLE, TITLE).chars().all(char::is_alphabetic);
    let is_sex = matches!(line.text(10, 10).as_str(), "" | "m" | "w" | "f");
    is_sex
        && begins_there
        && text.chars().count() == 3
        && known_title(&text).is_none()
        && !WOMEN.contains(&line.text(TITLE, TITLE + 3).as_str())
        && !line.text(TITLE + 3, TITLE + 3).is_empty()
}

/// The titles of three letters, which may stand one column aside.
const WOMEN: [&str; 4] = ["WGM", "WIM", "WFM", "WCM"];

/// The title of a player's line; one of three letters stands one column aside where a program pads them to two.
fn title_in(line: &Line<'_>) -> Option<String> {
    let wider = line.text(11, 14);
    let is_wider = WOMEN.contains(&wider.as_str());
    let own = if is_wider { wider } else { line.text(11, 13) };
    title(&own)
}

/// That a name is longer than its columns, where that is why a line cannot be read.
fn long_name(line: &Line<'_>) -> Option<ImportError> {
    let (what, expected) = ("the name".to_owned(), "at most 33 letters and a blank".to_owned());
    let fault = Fault::BadValue { what, found: line.text(15, 48), expected };
    line.has_long_name().then(|| fault.at(line.place(48)))
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

fn player<'a>(
    mut line: Line<'a>,
    name_at: usize,
    players: &mut Players,
    oddities: &mut Oddities,
) -> Result<Player<'a>, ImportError> {
    let number = number_of(&line)?;
    if let Some(aside) = line.aside(|line| rounds::blocks(line).is_ok()) {
        let sentence = "The rounds do not stand in their columns; they are read beside them.";
        oddities.add(&aside.place(ROUNDS), sentence);
        line = aside;
    }
    let name = line.text(name_at, 47);
    let index = players.add_named(number, &name, &line.place(name_at), oddities)?;
    let player = &mut players.list[index];
    player.sign_up = Some(number);
    // What is 0 is not rated; national files have letters there, which are no rating.
    player.rating = line.text(49, 52).parse().ok().filter(|rating| *rating > 0);
    let id = line.text(58, 68);
    let is_id = id.chars().any(|c| c.is_alphanumeric() && c != '0');
    player.publisher_id = Some(id).filter(|_| is_id);
    player.title = title_in(&line).filter(|_| name_at == NAME);
    let federation = line.text(54, 56);
    let is_federation = federation.chars().any(char::is_alphanumeric);
    player.federation = Some(federation).filter(|_| is_federation);
    player.sex = match line.text(10, 10).as_str() {
        "m" | "M" => Some('m'),
        "w" | "W" | "f" | "F" => Some('w'),
        _ => None,
    };
    let points = line.text(81, 84);
    let rank = line.text(86, 89).parse().ok().filter(|rank| *rank > 0);
    let blocks = rounds::blocks(&line).map_err(|error| long_name(&line).unwrap_or(error))?;
    Ok(Player { line, number, points, rank, blocks })
}

/// The points and ranks of the file, where every player has one.
fn published(listed: &[Player<'_>], oddities: &mut Oddities) -> Vec<PublishedRow> {
    let mut rows = Vec::with_capacity(listed.len());
    for (player, one) in listed.iter().enumerate() {
        let Some(rank) = one.rank.filter(|_| !one.points.is_empty()) else {
            oddities
                .add(&one.line.place(81), "Without points and ranks of all nothing is compared.");
            return Vec::new();
        };
        let plain = one.points.replace('½', ".5");
        let zero = if plain.starts_with('.') { "0" } else { "" };
        let Some(points_tenths) = tenths(&format!("{zero}{plain}")) else {
            let points = &one.points;
            oddities.add(
                &one.line.place(81),
                format!("{points:?} are no points: nothing is compared."),
            );
            return Vec::new();
        };
        rows.push(PublishedRow { rank, player, points_tenths, record: None, values: Vec::new() });
    }
    rows.sort_by_key(|row| row.rank);
    rows
}

/// After how many rounds points are those of the file while the last one runs: some programs leave out its byes
/// until it is over.
fn counted_rounds(
    listed: &[Player<'_>],
    published: &[PublishedRow],
    played: usize,
    system: Option<&PointSystem>,
) -> usize {
    let system = system.cloned().unwrap_or_default();
    let explained = |rounds: usize| {
        let is_same = |row: &&PublishedRow| {
            rounds::points(&listed[row.player], rounds, &system) == row.points_tenths
        };
        published.iter().filter(is_same).count()
    };
    // Of no round nothing is compared.
    let before = played.saturating_sub(1);
    if before > 0 && explained(before) > explained(played) { before } else { played }
}

/// The number that a record begins with.
fn first_number(value: &str) -> Option<usize> {
    value.split_whitespace().next()?.parse().ok()
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
