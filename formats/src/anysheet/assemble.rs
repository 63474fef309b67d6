//! A tournament of what the sheets say.

use super::columns::SheetKind;
use super::grid::Row;
use super::matches::Read;
use super::names::Role;
use super::table::Table;
use super::{above, beside, days, listed, names};
use crate::build::Oddities;
use crate::csv::{self, Header};
use crate::error::shortened;
use crate::source::*;
use crate::{Fault, File, ImportError, check, near, outcome, phases, sheet, standings};
use scrutineer_engine::event::{Day, Per, PhaseKind, Scoresheet, UnknownFact};
use scrutineer_engine::names::folded;
use std::collections::BTreeSet;

/// What every source of a file is made with.
pub(super) struct Of<'a> {
    pub file: &'a File<'a>,
    pub format: &'static str,
    pub header: Header,
}

/// Makes a tournament of rounds; the first table is the one with which they begin, `kind` how they are played where
/// it is known.
pub(super) fn of_rounds(
    of: Of,
    tables: &[Table],
    kind: Option<PhaseKind>,
    read: Read,
    beside: &[Table],
) -> Result<Source, ImportError> {
    let Of { file, format, mut header } = of;
    let Some(first_table) = tables.first() else { return Err(Fault::Empty.into()) };
    let (grid, columns, round) = (first_table.grid, &first_table.columns, first_table.round);
    let Read { mut players, mut rounds, mut oddities, only_outcomes, is_games, high, halves } =
        read;
    // The file of one round may be called after it.
    let stem = crate::build::stem(file.name);
    let of_file = above::apart(&stem).filter(|_| columns.kind == SheetKind::Matches);
    let has_no_round = round.is_none() && !columns.has(Role::Round) && rounds.len() == 1;
    if let Some((_, number)) = of_file.filter(|_| has_no_round)
        && let Some((_, only)) = rounds.pop_first()
    {
        let name = names::round_name(number);
        rounds.insert(number, SourceRound { name, ..only });
    }
    // A later round alone is no tournament of that title: the next one would be taken for the same.
    if rounds.len() == 1 && !rounds.contains_key(&1) {
        header.title = header.whole_title.take().or(header.title);
    }
    let identity = header.identity(file.name);
    header.held_on = header.held_on.or_else(|| first_day(tables));
    if let Some((title, _)) = of_file.filter(|_| rounds.len() > 1 || rounds.contains_key(&1)) {
        header.title.get_or_insert_with(|| title.to_owned());
    }
    let mut published = beside::take(beside, &mut players, &mut oddities)?;
    if published.is_empty() && columns.kind == SheetKind::Standings {
        published = beside::of_cross(first_table, &players, &mut oddities);
    }
    let mut unknown = Vec::new();
    let numbered: Vec<u16> = rounds.keys().copied().filter(|round| *round < 9_000).collect();
    let cut = rounds.len() - numbered.len();
    if let (Some(first), Some(last)) = (numbered.first(), numbered.last()) {
        let holes = usize::from(last - first) + 1 != numbered.len();
        if let Some(missing) = (*first..=*last).find(|round| holes && !numbered.contains(round)) {
            // Where the next one stands, which somebody numbered so.
            let next = rounds.range(missing..).next().map(|(_, round)| round);
            let first = next.and_then(|round| check::appearances(round).next());
            let place = first.map_or_else(|| first_table.place(), |(_, place)| place.to_owned());
            return Err(Fault::Missing { what: format!("round {missing}") }.at(place));
        }
        if *first > 1 {
            unknown.push(UnknownFact::EarlierRounds);
            oddities.add(
                "the rounds",
                format!("The sheet begins with round {first}: the rounds before it are not known."),
            );
        }
    }
    let mut rounds: Vec<SourceRound> = rounds.into_values().collect();
    // Without a column for the round, somebody who plays twice shows that it is missing.
    if rounds.len() == 1
        && !columns.has(Role::Round)
        && round.is_none()
        && check::rounds(&players, &rounds).is_err_and(|error| error.code() == "twice-in-round")
    {
        let name = match columns.has(Role::Date) {
            true => "round (somebody plays twice, and days are no rounds: number them 1, 2, 3)",
            false => "round",
        };
        return Err(Fault::MissingColumn { name: name.into() }
            .at(grid.place(&grid.rows[columns.header.unwrap_or(0)])));
    }
    let part = columns.part().filter(|_| columns.has(Role::Round));
    if let Some(part) = part
        && let Err(error) = check::rounds(&players, &rounds)
        && error.code() == "twice-in-round"
        && let Some(row) = first_table.body().next()
    {
        return Err(columns.numbered_on(part, row).at(grid.place(row)));
    }
    let open = |round: &SourceRound| round.tables.iter().any(|table| !table.has_result());
    let is_running = header.unfinished || rounds.last().is_some_and(open);
    // Of goals, 0-0 is a draw as any other, and a match may end 2-2.
    let is_of_games = is_games && !are_goals(&rounds);
    if is_of_games && !only_outcomes {
        csv::without_games(&mut rounds, is_running, &mut oddities);
    }
    let is_open = outcome::postpone(&mut rounds, &mut oddities) || header.unfinished;
    check::rounds(&players, &rounds)?;
    let mut scoresheet = scoresheet(is_games, header.best_of, &rounds);
    match header.best_of {
        Some(best_of) if is_games => sheet::refuse(best_of, &rounds)?,
        None if is_of_games => sheet::report(scoresheet.best_of, &rounds, &mut oddities),
        None => scoresheet.best_of = None,
        Some(_) => {}
    }
    let of = if is_games { "games won" } else { "points of a game, not as games won" };
    match high {
        Some((place, [one, other])) if is_games => {
            let sentence =
                format!("{one}-{other} is read as {of}, like the lower scores around it.");
            oddities.add(&place, sentence);
        }
        Some((place, [one, other])) => {
            let sentence = format!("The scores are read as {of}: {one}-{other} at {place}.");
            oddities.add("the results", sentence);
        }
        None if !is_games => oddities.add("the results", format!("The scores are read as {of}.")),
        None => {}
    }
    tell_gaps(&rounds, &mut oddities);
    players.tell_alike(&mut oddities);
    near::tell(&players, &rounds, &mut oddities);
    unknown.extend(csv::unknown(&players, &rounds));
    if rounds.iter().any(|round| !round.byes.is_empty()) {
        unknown.push(UnknownFact::KindOfBye);
    }
    unknown.push(UnknownFact::Drops);
    if only_outcomes || header.games_unknown {
        unknown.push(UnknownFact::Games);
    }
    let halves = is_games && (halves || only_outcomes && add_up(&rounds, &published));
    let phases = match cut {
        0 if kind == Some(PhaseKind::RoundRobin) => {
            vec![phases::phase(PhaseKind::RoundRobin, rounds)]
        }
        0 => csv::split(rounds, &header, &mut oddities)?,
        cut => {
            let last = rounds.split_off(rounds.len() - cut);
            let both = [(PhaseKind::Swiss, rounds), (PhaseKind::Elimination, last)];
            let both = both.into_iter().filter(|(_, rounds)| !rounds.is_empty());
            both.map(|(kind, rounds)| phases::phase(kind, rounds)).collect()
        }
    };
    for phase in &phases {
        phases::tell_lost(phase, |player| players.name(player), &mut oddities);
    }
    unknown.sort_unstable();
    Ok(Source {
        scoresheet,
        players: players.list,
        phases,
        finished: !is_open,
        published,
        halves,
        unknown,
        ..about(file, format, header, identity, oddities)
    })
}

/// The first of the days that stand beside matches.
fn first_day(tables: &[Table]) -> Option<Day> {
    let at = |table: &Table| table.columns.at(Role::Date);
    let cells = tables.iter().filter_map(|table| Some((table, at(table)?)));
    let cells = cells.flat_map(|(table, at)| table.body().map(move |row| row.get(at)));
    let first = days::first(&cells.collect::<Vec<_>>());
    for table in tables {
        at(table).into_iter().for_each(|at| table.columns.read[at].set(first.is_some()));
    }
    first
}

/// Whether scores are goals: who wins a match of games has as many each time, or one more, and never five; nor does such
/// a match end 2-2.
fn are_goals(rounds: &[SourceRound]) -> bool {
    let tables = rounds.iter().flat_map(|round| &round.tables);
    let games = || tables.clone().filter_map(|table| sheet::games_of(&table.result.score));
    let won = games().filter(|[one, other, _]| one != other).map(|[one, other, _]| one.max(other));
    let is_goals = |[one, other, drawn]: [i32; 3]| {
        drawn == 0 && (one.max(other) > 4 || one == other && one > 1)
    };
    won.collect::<BTreeSet<_>>().len() > 2 || games().any(is_goals)
}

/// Whether published points add up to one for each match and bye, or less: a win counts one, not three.
fn add_up(rounds: &[SourceRound], published: &[PublishedRow]) -> bool {
    let tenths: i64 = published.iter().map(|row| row.points_tenths).sum();
    let most: usize = rounds.iter().map(|round| round.tables.len() + round.byes.len()).sum();
    tenths > 0 && tenths <= 10 * most as i64
}

/// Tells of a round in which many are missing who play in the rounds before and after it, as where the end of
/// a sheet is cut off: two of them or more, and more than a quarter.
fn tell_gaps(rounds: &[SourceRound], oddities: &mut Oddities) {
    let of = |round| check::appearances(round).map(|(player, _)| player).collect::<BTreeSet<_>>();
    let here: Vec<BTreeSet<usize>> = rounds.iter().map(of).collect();
    for (at, around) in here.windows(3).enumerate() {
        let both: Vec<&usize> = around[0].intersection(&around[2]).collect();
        let missing = both.iter().filter(|player| !around[1].contains(player)).count();
        if missing > 1 && missing * 4 > both.len() {
            let round = &rounds[at + 1].name;
            let sentence = format!(
                "{missing} of the {} who play in the rounds before and after it are not in it: is all of it there?",
                both.len()
            );
            oddities.add(round, sentence);
        }
    }
}

/// What every sheet has.
fn about(
    file: &File,
    format: &str,
    header: Header,
    identity: String,
    oddities: Oddities,
) -> Source {
    Source {
        platform: "csv".to_owned(),
        format: format.to_owned(),
        identity,
        title: header.title.unwrap_or_else(|| crate::build::stem(file.name)),
        held_on: header.held_on,
        rules: header.rules,
        cut: header.cut,
        oddities: oddities.finish(),
        ..Source::default()
    }
}

fn scoresheet(is_games: bool, declared: Option<u8>, rounds: &[SourceRound]) -> Scoresheet {
    let tables = || rounds.iter().flat_map(|round| &round.tables);
    let byes =
        || rounds.iter().flat_map(|round| &round.byes).filter_map(|bye| bye.reported.as_ref());
    if is_games {
        let played = || tables().filter_map(|table| sheet::games_of(&table.result.score));
        let best_of = declared.or_else(|| sheet::best_of(played()));
        return sheet::games_sheet(best_of, played().chain(byes().filter_map(sheet::games_of)));
    }
    let values = || tables().flat_map(|table| &table.result.score.seats).flatten().copied();
    let (min, max) = values().fold((0, 0), |(min, max), value| (min.min(value), max.max(value)));
    Scoresheet { lines: vec![sheet::line("points", Per::Seat, min, max, "points")], best_of: None }
}

/// Refuses a table whose columns of rounds have whom each player met, where none of that was read: it is no list.
fn refuse_lost_rounds(table: &Table) -> Result<(), ImportError> {
    let columns = &table.columns;
    let is_round = |at: &usize| columns.roles[*at] == Some(Role::OfRound);
    let rounds: Vec<usize> = (0..columns.roles.len()).filter(is_round).collect();
    if rounds.is_empty() {
        return Ok(());
    }
    let rows: Vec<&Row> = table.body().filter(|row| !columns.is_header(row)).collect();
    let players = rows.iter().map(|row| folded(&listed::name(columns, row)));
    let players: BTreeSet<String> = players.filter(|name| !name.is_empty()).collect();
    let cells = rows.iter().flat_map(|row| rounds.iter().map(move |at| (*row, *at)));
    let cells: Vec<(&Row, usize)> = cells.filter(|(row, at)| !row.get(*at).is_empty()).collect();
    let met: Vec<&(&Row, usize)> =
        cells.iter().filter(|(row, at)| says_whom(row.get(*at), &players)).collect();
    let is_lost = met.len() > 1 && met.len() * 2 >= cells.len();
    let Some((row, at)) = met.first().filter(|_| is_lost) else { return Ok(()) };
    let all: Vec<String> = rounds.iter().map(|at| format!("ignore={}", at + 1)).collect();
    let expected = format!(
        "an opponent's number and a result, such as 12w1, +12 or 12+; the sheet without its rounds is read with \
         `--columns {}`",
        all.join(",")
    );
    let place = format!("{}, {}", table.grid.place(row), columns.label(*at));
    Err(Fault::BadResult { found: shortened(row.get(*at)), expected }.at(place))
}

/// Whether a cell of a round says whom somebody met: the number of one of the players beside a letter or a sign, or
/// before a point, or a player's name.
fn says_whom(cell: &str, names: &BTreeSet<String>) -> bool {
    let words: Vec<&str> = cell.split_whitespace().collect();
    let is_player =
        |word: &str| word.parse().is_ok_and(|number: usize| (1..=names.len()).contains(&number));
    let is_name = |words: &[&str]| names.contains(&folded(&words.join(" ")));
    let is_beside = |word: &str| {
        let is_digit = |c: char| c.is_ascii_digit();
        let (start, end) = (word.find(is_digit), word.rfind(is_digit));
        let Some((start, end)) = start.zip(end) else { return false };
        let (before, behind) = (&word[..start], &word[end + 1..]);
        let is_mark = |c: char| c.is_alphabetic() || matches!(c, '+' | '=');
        let marks = before.chars().chain(behind.chars());
        is_player(&word[start..=end])
            && (1..3).contains(&marks.clone().count())
            && marks.clone().all(is_mark)
    };
    match &words[..] {
        [word] => is_beside(word) || is_name(&words),
        [one, "0" | "1" | "\u{bd}" | "0.5" | "0,5" | "1/2"] => is_player(one),
        [_, last] if is_beside(last) => true,
        [first, _] if is_beside(first) => true,
        [one, mark]
            if is_player(one)
                && mark.chars().count() < 3
                && !mark.contains(|c: char| c.is_ascii_digit()) =>
        {
            true
        }
        _ => is_name(&words) || words.split_last().is_some_and(|(_, before)| is_name(before)),
    }
}

/// Makes a tournament of players without rounds.
pub(super) fn of_listed(
    of: Of,
    table: &Table,
    mut oddities: Oddities,
    beside: &[Table],
) -> Result<Source, ImportError> {
    let Of { file, format, header } = of;
    refuse_lost_rounds(table)?;
    let mut listed = listed::read(table.grid, &table.columns, &mut oddities)?;
    listed.ratings.iter().for_each(|odd| oddities.add(&odd.place, odd.sentence.as_str()));
    beside::take(beside, &mut listed.players, &mut oddities)?;
    let mut unknown = vec![UnknownFact::Times];
    if listed.players.list.iter().any(|player| player.sign_up.is_none()) {
        unknown.push(UnknownFact::SignUpOrder);
    }
    let is_roster = table.columns.kind == SheetKind::Roster;
    if !is_roster {
        // What was played is not known, so that nothing is held against it.
        table.columns.are_not_kept(&listed::COMPARED);
        unknown.extend([UnknownFact::Drops, UnknownFact::Games, UnknownFact::EarlierRounds]);
        let sentence = "There are standings and no rounds: places and points are those of the sheet, and nothing is computed.";
        oddities.add("the sheet", sentence);
    }
    unknown.sort_unstable();
    let entrants = (0..listed.players.list.len()).collect();
    let phase = SourcePhase { kind: PhaseKind::Swiss, entrants, seeded: false, rounds: Vec::new() };
    let identity = header.identity(file.name);
    let scoresheet = match is_roster {
        true => sheet::games_sheet(header.best_of, std::iter::empty()),
        false => standings::scoresheet(!listed.published.is_empty()),
    };
    Ok(Source {
        scoresheet,
        players: listed.players.list,
        phases: if is_roster { Vec::new() } else { vec![phase] },
        finished: !is_roster,
        published: listed.published,
        places: listed.places,
        unknown,
        ..about(file, format, header, identity, oddities)
    })
}
