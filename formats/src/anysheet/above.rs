//! What stands above the columns of a sheet: `# key: value`, a title, a day, a round.

use super::columns::Columns;
use super::days;
use super::grid::{Grid, Row};
use super::names;
use crate::ImportError;
use crate::build::{Oddities, clean_name};
use crate::csv::Header;

/// Takes the lines `# key: value` off a sheet.
pub(super) fn lines_above(
    grid: &mut Grid,
    header: &mut Header,
    oddities: &mut Oddities,
) -> Result<(), ImportError> {
    let is_line =
        |row: &Row| row.get(0).len() > 1 && row.get(0).starts_with('#') && row.get(0).contains(':');
    let count = grid.rows.iter().take_while(|row| is_line(row)).count();
    for row in &grid.rows[..count] {
        let line = row.cells.join(", ");
        header.line(&line, &grid.place(row), oddities)?;
    }
    grid.rows.drain(..count);
    Ok(())
}

/// The title and the day in the lines above the columns, and the round that one of them names.
pub(super) fn title(grid: &Grid, columns: &Columns, header: &mut Header) -> Option<u16> {
    const KEYS: [&str; 12] = [
        "turnier",
        "tournament",
        "event",
        "tournoi",
        "torneo",
        "torneio",
        "titel",
        "title",
        "titre",
        "titolo",
        "titulo",
        "name",
    ];
    let mut round = None;
    for row in &grid.rows[..columns.header.unwrap_or(0)] {
        let mut words: Vec<&str> = row.filled().map(|(_, cell)| cell).collect();
        without_state(&mut words);
        let line = words.join(" ");
        if line.is_empty() || LEGS.contains(&letters(&line).as_str()) {
            continue;
        }
        let before_day = round_before_day(&line);
        let (before_day, dated) = match before_day {
            Some((round, dated)) => (Some(round), Some(dated)),
            None => (None, days::dated(&line)),
        };
        let rest = dated.as_ref().map_or(line.as_str(), |dated| &dated.rest);
        let named = before_day
            .or_else(|| names::round_alone(rest).filter(|_| words.len() == 1 || dated.is_some()));
        round = named.or(round);
        if let Some(dated) = &dated {
            header.held_on = header.held_on.or(dated.day);
            if let Some(sentence) = &dated.unclear {
                let told = || (grid.place(row), sentence.clone());
                header.unclear_day.get_or_insert_with(told);
            }
        }
        if named.is_some() {
            continue;
        }
        let plain = |word: &str| scrutineer_engine::names::plain(word.trim_end_matches(':'));
        let key = |line: &str| {
            line.split_once(':').is_some_and(|(key, _)| KEYS.contains(&plain(key).as_str()))
        };
        if let Some(dated) =
            dated.filter(|dated| !key(&line) && (dated.day.is_some() || !dated.has_words()))
        {
            let is_title = words.len() == 1 && line.split(' ').count() > 2 && dated.has_words();
            let of_round = apart(without_end(&dated.rest)).filter(|_| is_title);
            round = round.or(of_round.map(|(_, of)| of));
            if is_title && header.title.is_none() {
                header.title = clean_name("the title", &line).ok();
                if let Some(title) =
                    of_round.and_then(|(title, _)| clean_name("the title", title).ok())
                {
                    header.whole_title = header.title.replace(title);
                }
            }
            continue;
        }
        let value = match line.split_once(':') {
            Some((key, value)) if KEYS.contains(&plain(key).as_str()) => value.trim(),
            Some(_) if apart(&line).is_some() => line.as_str(),
            Some(_) => continue,
            None if words.len() > 1 && KEYS.contains(&plain(words[0]).as_str()) => words[1],
            None if words.len() == 1 => words[0],
            None => continue,
        };
        if value == line && is_club(value) {
            continue;
        }
        if header.title.is_none() {
            header.title = clean_name("the title", value).ok();
            if let Some((title, of)) = header.title.as_deref().and_then(apart) {
                let title = title.to_owned();
                header.whole_title = header.title.replace(title);
                round = round.or(Some(of));
            }
        } else if let Some((_, of)) = apart(value) {
            round = round.or(Some(of));
        }
    }
    round
}

/// What stands between a title and what is said behind it.
const SIGNS: [char; 8] = [',', ';', ':', '-', '\u{2013}', '\u{2014}', '|', '('];

fn is_sign(c: char) -> bool {
    c.is_whitespace() || SIGNS.contains(&c)
}

/// The longest line in which such words are looked for.
const LONGEST: usize = 300;

/// Takes off cells what says of when the sheet is, and what stands behind it: no day on which anything was held.
fn without_state(cells: &mut Vec<&str>) {
    let found = (0..cells.len()).find_map(|cell| {
        let at = state_at(&cells[cell..].join(" "))?;
        (at < cells[cell].len()).then_some((cell, at))
    });
    if let Some((cell, at)) = found {
        cells[cell] = cells[cell][..at].trim_end_matches(is_sign);
        cells.truncate(cell + usize::from(!cells[cell].is_empty()));
    }
}

/// Where a line says of when the sheet is: `Stand: 12.11.2026`.
fn state_at(line: &str) -> Option<usize> {
    const WORDS: [&str; 24] = [
        "stand",
        "aktualisiert",
        "zuletzt aktualisiert",
        "letzte aktualisierung",
        "gedruckt",
        "as of",
        "as at",
        "updated",
        "last updated",
        "last update",
        "printed",
        "etat au",
        "situation au",
        "mis a jour",
        "mise a jour",
        "derniere mise a jour",
        "a fecha de",
        "actualizado",
        "ultima actualizacion",
        "aggiornato",
        "ultimo aggiornamento",
        "situazione al",
        "atualizado",
        "ultima atualizacao",
    ];
    let begins = |at: &usize| {
        let before = line[..*at].trim_end();
        before.is_empty() || before.ends_with(SIGNS)
    };
    let says = |at: &usize| {
        let rest = scrutineer_engine::names::plain(line[*at..].trim_start());
        let says = |word: &&str| {
            rest.strip_prefix(*word).is_some_and(|rest| !rest.starts_with(char::is_alphabetic))
        };
        rest.contains(|c: char| c.is_ascii_digit()) && WORDS.iter().any(says)
    };
    let starts = line.char_indices().map(|(at, _)| at).filter(|_| line.len() <= LONGEST);
    starts.filter(begins).find(says)
}

/// What a round robin is called in which each two meet twice, as letters alone.
const LEGS: [&str; 11] = [
    "homeandaway",
    "hinundruckrunde",
    "hinundrueckrunde",
    "hinundruckspiel",
    "hinundrueckspiel",
    "allerretour",
    "alleretretour",
    "idayvuelta",
    "andataeritorno",
    "idaevolta",
    "turnoereturno",
];

fn letters(line: &str) -> String {
    scrutineer_engine::names::plain(line).chars().filter(|c| c.is_alphabetic()).collect()
}

/// Whether one of the rows above a table says that each two meet twice.
pub(super) fn has_legs(above: &[Row]) -> bool {
    let mut lines = above.iter().map(|row| letters(&row.cells.join(" ")));
    lines.any(|line| LEGS.iter().any(|words| line.contains(words)))
}

/// Whether a line names who holds the tournament, and not the tournament: `Schachklub Musterstadt e.V.`.
fn is_club(line: &str) -> bool {
    const ENDS: [&str; 9] = [
        "verein",
        "klub",
        "club",
        "verband",
        "circolo",
        "cercle",
        "federation",
        "associazione",
        "asociacion",
    ];
    const HELD: [&str; 22] = [
        "meisterschaft",
        "meisterschaften",
        "championship",
        "championships",
        "turnier",
        "tournament",
        "tournoi",
        "torneo",
        "torneio",
        "campionato",
        "championnat",
        "campeonato",
        "cup",
        "coupe",
        "coppa",
        "copa",
        "pokal",
        "open",
        "liga",
        "league",
        "night",
        "abend",
    ];
    let plain = scrutineer_engine::names::plain(line);
    let words = || plain.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    let is_of = |ends: &[&str]| words().any(|word| ends.iter().any(|end| word.ends_with(end)));
    let registered = plain.trim_end().ends_with("e.v.") || plain.trim_end().ends_with(" ev");
    (registered || is_of(&ENDS)) && !is_of(&HELD)
}

/// A line without its date, without what led to it: `Spring Cup, Round 2` of `Spring Cup, Round 2 on`.
fn without_end(rest: &str) -> &str {
    const BEFORE: [&str; 8] = ["am", "vom", "on", "at", "le", "el", "il", "den"];
    let rest = rest.trim_end_matches(is_sign);
    match rest.rsplit_once(' ') {
        Some((before, last)) if BEFORE.contains(&last) => before.trim_end_matches(is_sign),
        _ => rest,
    }
}

/// The round that a line begins with, and the date that is all that stands behind it: `Fecha 1 - 5 de marzo de 2022`,
/// which is no span of days.
fn round_before_day(line: &str) -> Option<(u16, days::Dated)> {
    let (word, rest) = line.split_once(' ')?;
    let digits = rest.find(|c: char| !c.is_ascii_digit())?;
    let (number, behind) = rest.split_at(digits);
    let dated = days::dated(behind)
        .filter(|dated| behind.starts_with([' ', ',', ':', '(']) && !dated.has_words())?;
    let is_word = word.chars().all(char::is_alphabetic);
    let round = names::round(&format!("{word} {number}"), false).filter(|_| is_word)?;
    (round < 9_000).then_some((round, dated))
}

/// The round that a line alone names, as it is or behind the title.
pub(super) fn heading(line: &str) -> Option<u16> {
    if let Some((round, _)) = round_before_day(line) {
        return Some(round);
    }
    // The numbers of a day are none of a round.
    let dated = days::dated(line);
    let line = dated.as_ref().map_or(line, |dated| without_end(&dated.rest));
    names::round(line, false).or_else(|| apart(line).map(|(_, round)| round))
}

/// A title without the round that it ends with, and that round: `Spring Cup, Round 2`, `Pokal (Runde 1)`,
/// `Coupe - 3e ronde`.
pub(super) fn apart(title: &str) -> Option<(&str, u16)> {
    let spaces = title.match_indices(' ').map(|(at, _)| at);
    // `2nd round` is as long as it gets.
    spaces.rev().take(2).find_map(|at| {
        let (before, last) = (title[..at].trim_end(), title[at..].trim());
        let last = last.trim_matches(['(', ')', '[', ']']);
        let round = names::round(last, false).filter(|round| *round < 9_000)?;
        let before = before.trim_end_matches(is_sign);
        before.chars().any(char::is_alphabetic).then_some((before, round))
    })
}
