//! Reading what stands on a slip: `2-1`, `1-1-1`, `5-3 10-8`, `w-l no-show`.

use scrutineer_engine::error::Code;
use scrutineer_engine::event::{
    How, MAX_PLACE, MatchResult, POSTPONED, Per, Ruling, Score, Scoresheet,
};
use scrutineer_projections::counted;
use scrutineer_projections::reach::agreed_draw;
use smallvec::{SmallVec, smallvec};

/// A draw as people write it; where scores are kept it does not say which, nor does `draw`.
const DRAWN: [&str; 8] = ["tie", "=", "½", "1/2", "½-½", "1/2-1/2", "0.5-0.5", "0,5-0,5"];

/// The longest slip that is read, in bytes.
pub const MAX_SLIP: usize = 1_000;

/// The largest value of a line of points of which nobody said how far it goes.
pub const UNLIMITED: i32 = 1_000_000;

/// Why a slip cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{text:?}: {what}")]
pub struct ScoreError {
    /// What was typed.
    pub text: String,
    /// What is wrong with it.
    pub what: String,
    /// Whether the slip is of a single game of two, as in chess.
    pub is_of_one_game: bool,
}

impl ScoreError {
    /// The stable code.
    pub const fn code(&self) -> Code {
        Code::invalid("bad-slip")
    }

    /// What to do next.
    pub const fn hint(&self) -> &'static str {
        if self.is_of_one_game {
            return "write the points of the first seat and of the second: `1-0`, `½-½` or `0-1`; `+-`, `-+` or `--` \
                    where somebody did not come; then how it ended: conceded, no-show, forfeit";
        }
        "write the seats' values in their order, such as 2-1 or 1-1-1 with a drawn game; `w-l` \
         where somebody ruled, `place 1-2-3-4` at a larger table; then how it ended: conceded, no-show, forfeit; `id` is an agreed draw, \
         `postponed` a match that is played later, `void` one that counts for nobody"
    }
}

/// Reads a slip: for each line of the scoresheet the values of the seats in their order, joined
/// with `-`; values that the table shares follow the last line of the seats, or stand by
/// themselves; `name=` before a line names it. `w-l`, `l-l`, `d-d`, `void` or `postponed` is a ruling over the
/// score, `place 2-1-3-4` one at a table of more than two. A last word says how it ended. Where
/// the scoresheet holds only who won, `1-0`, `½-½` and the like say that too. `+-`, `-+` and `--` are forfeits.
///
/// # Errors
/// Where it is no slip of this scoresheet.
pub fn parse_slip(sheet: &Scoresheet, seats: usize, text: &str) -> Result<MatchResult, ScoreError> {
    let shown: String = text.chars().take(60).collect();
    let who_won_only = sheet.seat_lines() == 0 && sheet.table_lines() == 0;
    let is_one_game = who_won_only || sheet.best_of == Some(1) && is_of_games(sheet);
    let is_of_one_game = seats == 2 && is_one_game;
    let bad = |what: String| ScoreError { text: shown.clone(), what, is_of_one_game };
    if text.len() > MAX_SLIP {
        return Err(bad("is too long for a slip".into()));
    }
    let lower = text.to_lowercase().replace(':', "-");
    let mut words: Vec<&str> = lower.split_whitespace().collect();
    let mut result = MatchResult::played(Score::default());
    if let Some(how) = words.last().and_then(|word| how_of(word)) {
        result.how = how;
        words.pop();
    }
    if words == ["id"] || (words.is_empty() && result.how == How::AgreedDraw) {
        return Ok(agreed_draw(sheet, seats));
    }
    // As tables of chess say who came; a colon between the signs is a dash by now.
    let came = match words[..] {
        ["+-" | "+/-" | "+--"] if seats == 2 => Some("w-l"),
        ["-+" | "-/+" | "--+"] if seats == 2 => Some("l-w"),
        ["--" | "-/-" | "---"] if seats == 2 => Some("l-l"),
        _ => None,
    };
    if let Some(letters) = came {
        (result.how, words) = (How::Forfeit, vec![letters]);
    }
    // As an arbiter of chess may decide.
    match words[..] {
        ["½-0" | "1/2-0" | "0.5-0" | "0,5-0"] => words = vec!["d-l"],
        ["0-½" | "0-1/2" | "0-0.5" | "0-0,5"] => words = vec!["l-d"],
        _ => {}
    }
    if let [word] = words[..] {
        let in_letters = match word {
            "1-0" if seats == 2 => Some("w-l"),
            "0-1" if seats == 2 => Some("l-w"),
            "draw" | "d" if seats == 2 => Some("d"),
            _ if DRAWN.contains(&word) => Some("d"),
            _ => None,
        };
        match in_letters {
            Some(letters) if who_won_only => words = vec![letters],
            Some("d") if seats == 2 && sheet.best_of == Some(1) && is_of_games(sheet) => {
                words = vec!["0-0-1"];
            }
            Some("d") => {
                let score = match (sheet.best_of, is_of_games(sheet)) {
                    (Some(games), true) => format!("type it, such as `{0}-{0}`; ", games / 2),
                    _ => String::new(),
                };
                let what = format!(
                    "is a draw, but by which score? {score}an agreed one is `id`, a ruled one `d-d`"
                );
                return Err(bad(what));
            }
            _ => {}
        }
    }
    if let Some(at) = words.iter().position(|word| *word == "place") {
        let places = words.get(at + 1).ok_or_else(|| bad("which places?".into()))?;
        result.rulings = places_of(places, seats).map_err(bad)?;
        words.drain(at..at + 2);
    } else if let Some((at, rulings)) =
        words.iter().enumerate().find_map(|(at, word)| Some((at, rulings_of(word, seats)?)))
    {
        result.rulings = rulings.map_err(bad)?;
        let word = words.remove(at);
        result.grade = (word == POSTPONED).then(|| POSTPONED.into());
    }
    match words.is_empty() {
        true if result.rulings.is_empty() => Err(bad("says nothing about the score".into())),
        true => Ok(result),
        false => {
            result.score = score_of(sheet, seats, &words).map_err(bad)?;
            Ok(result)
        }
    }
}

/// Whether a slip has the games that each won and, for both, those that were drawn.
fn is_of_games(sheet: &Scoresheet) -> bool {
    let is_games = sheet.seat_lines() == 1 && sheet.seat_line("games") == Some(0);
    is_games && sheet.table_lines() == 1
}

/// The result of a game of chess as it is set, however its slip has it; none: it is another slip.
pub fn of_chess(slip: &str) -> Option<&'static str> {
    let (result, how) = match slip.rsplit_once(' ') {
        Some((result, how @ ("agreed" | "conceded" | "forfeit" | "no-show"))) => (result, how),
        _ => (slip, ""),
    };
    let is_forfeit = matches!(how, "forfeit" | "no-show");
    Some(match (result, is_forfeit) {
        ("w-l" | "1-0" | "1-0 w-l", false) => "1–0",
        ("l-w" | "0-1" | "0-1 l-w", false) => "0–1",
        ("d-d" | "0-0-1" | "0-0-1 d-d", false) => "½–½",
        ("d-l", false) => "½–0",
        ("l-d", false) => "0–½",
        ("l-l" | "0-0 l-l", false) => "0–0",
        ("w-l" | "1-0 w-l", true) => "+/−",
        ("l-w" | "0-1 l-w", true) => "−/+",
        ("l-l" | "0-0 l-l", true) => "−/−",
        _ => return None,
    })
}

/// A result as a slip has it; [`parse_slip`] reads it again, but for what a slip does not hold.
pub fn write_slip(result: &MatchResult) -> String {
    let score = &result.score;
    let lines = score.seats.first().map_or(0, |values| values.len());
    let joined = |line: usize| {
        let values = score.seats.iter().map(|seat| seat.get(line).map_or(0, |value| *value));
        values.map(|value| value.to_string()).collect::<Vec<_>>().join("-")
    };
    let mut words: Vec<String> = (0..lines).map(joined).collect();
    if score.table.iter().any(|value| *value != 0) {
        for value in &score.table {
            match words.last_mut().filter(|_| lines > 0) {
                Some(last) => last.push_str(&format!("-{value}")),
                None => words.push(value.to_string()),
            }
        }
    }
    let ruled: Vec<String> = result.rulings.iter().flatten().map(ruling_word).collect();
    match result.rulings.first().copied().flatten() {
        Some(Ruling::NoResult) if result.is_postponed() => words.push(POSTPONED.into()),
        Some(Ruling::NoResult) => words.push("void".into()),
        Some(Ruling::Place(_)) => words.push(format!("place {}", ruled.join("-"))),
        Some(_) => words.push(ruled.join("-")),
        None => {}
    }
    words.extend(match result.how {
        How::Conceded => Some("conceded".into()),
        How::Forfeit => Some("forfeit".into()),
        How::NoShow => Some("no-show".into()),
        How::AgreedDraw => Some("agreed".into()),
        How::Played | How::Unknown => None,
    });
    words.join(" ")
}

/// A slip as it may be typed, such as `2-1` or `2-1 55-40`: what each seat has of each of its lines, the first seat the
/// most; empty where there is no such line.
pub fn example_slip(sheet: &Scoresheet, seats: usize) -> String {
    let lines = sheet.lines.iter().filter(|line| line.per == Per::Seat);
    let words = lines.map(|line| {
        let span = line.max.saturating_sub(line.min);
        let (won, lost) = match sheet.best_of.filter(|_| line.unit == "games") {
            Some(games) => (i32::from(games / 2 + 1), i32::from((games / 2).div_ceil(2))),
            None if (60..UNLIMITED).contains(&span) => (55, 40),
            None => (5, 2),
        };
        let value = |seat: usize| {
            let most = if seat == 0 { won } else { lost };
            (line.min + most.min(span)).to_string()
        };
        (0..seats).map(value).collect::<Vec<_>>().join("-")
    });
    words.collect::<Vec<_>>().join(" ")
}

fn ruling_word(ruling: &Ruling) -> String {
    match ruling {
        Ruling::Win => "w".into(),
        Ruling::Loss => "l".into(),
        Ruling::Draw => "d".into(),
        Ruling::NoResult => "void".into(),
        Ruling::Place(place) => place.to_string(),
    }
}

fn how_of(word: &str) -> Option<How> {
    Some(match word {
        "conceded" | "concession" => How::Conceded,
        "forfeit" | "forfeited" => How::Forfeit,
        "no-show" | "noshow" => How::NoShow,
        "agreed" => How::AgreedDraw,
        _ => return None,
    })
}

type Rulings = SmallVec<[Option<Ruling>; 2]>;

/// `w-l`, or nothing where the word is no ruling.
fn rulings_of(word: &str, seats: usize) -> Option<Result<Rulings, String>> {
    if matches!(word, "void" | POSTPONED) {
        return Some(Ok(smallvec![Some(Ruling::NoResult); seats]));
    }
    let one = |part: &str| match part {
        "w" | "win" => Some(Ruling::Win),
        "l" | "loss" => Some(Ruling::Loss),
        "d" | "draw" => Some(Ruling::Draw),
        _ => None,
    };
    let rulings: Option<Vec<Ruling>> = word.split('-').map(one).collect();
    let rulings = rulings?;
    Some(match rulings[..] {
        [Ruling::Draw] => Ok(smallvec![Some(Ruling::Draw); seats]),
        _ if rulings.len() == seats => Ok(rulings.into_iter().map(Some).collect()),
        [_] if seats == 2 => {
            Err("does not say who: `w-l` is a win of the first seat, `l-w` one of the second"
                .into())
        }
        _ => Err(format!("{} rulings for a table of {seats}", rulings.len())),
    })
}

fn places_of(word: &str, seats: usize) -> Result<Rulings, String> {
    let place = |part: &str| match part.parse::<u8>() {
        Ok(place @ 1..=MAX_PLACE) if usize::from(place) <= seats => Ok(Some(Ruling::Place(place))),
        _ => Err(format!("{part} is no place at a table of {seats}")),
    };
    let places: Rulings = word.split('-').map(place).collect::<Result<_, _>>()?;
    let first = places.iter().filter(|place| **place == Some(Ruling::Place(1))).count();
    match places.len() == seats {
        true if first == 1 => Ok(places),
        true => Err(format!("{first} players came in first; for a draw write `draw`")),
        false => Err(format!("{} places for a table of {seats}", places.len())),
    }
}

fn score_of(sheet: &Scoresheet, seats: usize, words: &[&str]) -> Result<Score, String> {
    let (seat_lines, table_lines) = (sheet.seat_lines(), sheet.table_lines());
    let mut score = Score {
        seats: smallvec![smallvec![0; seat_lines]; seats],
        table: smallvec![0; table_lines],
    };
    let (mut next_seat_line, mut next_table_line) = (0, 0);
    for word in words {
        let (name, values) = match word.split_once('=') {
            Some((name, values)) => (Some(name), values),
            None => (None, *word),
        };
        let values = values_of(values)?;
        if let Some(name) = name {
            match (sheet.seat_line(name), sheet.table_line(name)) {
                (Some(line), _) if values.len() == seats => {
                    set_seats(&mut score, line, &values);
                }
                (_, Some(line)) if values.len() == 1 => score.table[line] = values[0],
                (None, None) => return Err(format!("the scoresheet has no line {name:?}")),
                _ => return Err(format!("{name} has {} values", values.len())),
            }
            continue;
        }
        if next_seat_line < seat_lines && values.len() >= seats {
            set_seats(&mut score, next_seat_line, &values[..seats]);
            next_seat_line += 1;
            for &value in &values[seats..] {
                put(&mut score.table, &mut next_table_line, value)?;
            }
        } else if values.len() == 1 && next_seat_line == seat_lines {
            put(&mut score.table, &mut next_table_line, values[0])?;
        } else {
            if seats == 2 && seat_lines == 0 && sheet.table_lines() == 0 {
                return Err("This tournament records who won. Type `1-0`, `0-1` or `½`".into());
            }
            let said = counted(values.len(), "number");
            let such = example_slip(sheet, seats);
            return Err(format!(
                "{word} is {said}, and each of the {seats} at the table has one, as in `{such}`"
            ));
        }
    }
    match next_seat_line {
        0 if words.iter().any(|word| word.contains('=')) => Ok(score),
        lines if lines == seat_lines => Ok(score),
        lines => Err(format!("{lines} lines where the scoresheet has {seat_lines}")),
    }
}

fn set_seats(score: &mut Score, line: usize, values: &[i32]) {
    for (seat, &value) in score.seats.iter_mut().zip(values) {
        seat[line] = value;
    }
}

fn put(table: &mut [i32], next: &mut usize, value: i32) -> Result<(), String> {
    let place = table.get_mut(*next).ok_or("more values than the scoresheet has")?;
    *place = value;
    *next += 1;
    Ok(())
}

/// Values joined with `-`; a minus stands directly before its value.
fn values_of(text: &str) -> Result<Vec<i32>, String> {
    let mut values = Vec::new();
    let mut rest = text;
    loop {
        let minus = usize::from(rest.starts_with('-'));
        let end = rest[minus..].find('-').map_or(rest.len(), |at| minus + at);
        let value = rest[..end].parse().map_err(|_| format!("{:?} is no number", &rest[..end]))?;
        values.push(value);
        match rest.get(end + 1..) {
            Some(more) => rest = more,
            None => return Ok(values),
        }
    }
}
