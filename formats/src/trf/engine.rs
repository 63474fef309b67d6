//! A tournament as a pairing engine is given it, and what it answers.
//!
//! The bytes are frozen: their hash stands in logs, and whoever verifies one makes them again. So this
//! shares nothing with the file that is written for people, which gets better with time; another way of
//! putting a tournament to an engine is another version of the method (`docs/FORMAT.md`).

use std::fmt::Write;

/// The most players that there is room for.
pub const MOST_PLAYERS: usize = super::write::MOST_PLAYERS;

/// What results are worth, in tenths of a point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Worth {
    /// A win.
    pub win: i64,
    /// A draw.
    pub draw: i64,
    /// A loss.
    pub loss: i64,
    /// A bye that the pairing gave.
    pub bye: i64,
    /// A bye won beforehand.
    pub full_bye: i64,
    /// Half a point asked for.
    pub half_bye: i64,
    /// A round that is missed.
    pub zero_bye: i64,
    /// Won without play.
    pub forfeit_win: i64,
    /// Lost without play.
    pub forfeit_loss: i64,
}

impl Worth {
    /// What every program takes for granted.
    pub const USUAL: Worth = Worth {
        win: 10,
        draw: 5,
        loss: 0,
        bye: 10,
        full_bye: 10,
        half_bye: 5,
        zero_bye: 0,
        forfeit_win: 10,
        forfeit_loss: 0,
    };
}

/// What a player's line says of a round.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RoundSaid {
    /// The number of the opponent, and whether the player has white; none: they had no opponent.
    pub against: Option<(u32, bool)>,
    /// The letter of the result.
    pub result: char,
}

impl RoundSaid {
    /// A round without an opponent.
    pub const fn alone(result: char) -> RoundSaid {
        RoundSaid { against: None, result }
    }
}

/// A player's line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlayerSaid {
    /// Their rating.
    pub rating: Option<i32>,
    /// Their points, in tenths.
    pub points: i64,
    /// Their rounds, and whether they sit out the one that is to be paired.
    pub rounds: Vec<RoundSaid>,
}

/// A tournament before a round that an engine is to pair.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Question {
    /// How many rounds it is to have.
    pub rounds: u32,
    /// Whether the first player began with white, where that is drawn.
    pub white_first: Option<bool>,
    /// What results are worth.
    pub worth: Worth,
    /// The players, by number.
    pub players: Vec<PlayerSaid>,
    /// The numbers of two who are not to meet, though their rounds do not say that they have.
    pub apart: Vec<[u32; 2]>,
}

impl Question {
    /// The bytes that the engine is given.
    pub fn text(&self) -> String {
        let mut text = String::new();
        // A text takes whatever is written into it.
        let _ = writeln!(text, "062 {}", self.players.len());
        let _ = writeln!(text, "092 Individual: Swiss-System");
        let _ = writeln!(text, "142 {0}\nXXR {0}", self.rounds);
        match self.white_first {
            Some(true) => text.push_str("152 W\nXXC white1\n"),
            Some(false) => text.push_str("152 B\nXXC black1\n"),
            None => {}
        }
        if self.worth != Worth::USUAL {
            self.worth_told(&mut text);
        }
        for (number, player) in (1..).zip(&self.players) {
            let rating = player.rating.filter(|rating| (1..=9_999).contains(rating)).unwrap_or(0);
            let (name, points) = (format!("Player {number}"), tenths(player.points));
            let _ = write!(
                text,
                "001 {number:4}      {name:33} {rating:4}{:28}{points:>4} {number:4}",
                ""
            );
            for round in &player.rounds {
                let result = round.result;
                let _ = match round.against {
                    Some((opponent, true)) => write!(text, "  {opponent:4} w {result}"),
                    Some((opponent, false)) => write!(text, "  {opponent:4} b {result}"),
                    None => write!(text, "  0000 - {result}"),
                };
            }
            text.push('\n');
        }
        for [one, other] in &self.apart {
            let _ = writeln!(text, "XXP {one:4} {other:4}");
        }
        text
    }

    fn worth_told(&self, text: &mut String) {
        let Worth { win, draw, loss, bye, full_bye, half_bye, zero_bye, .. } = self.worth;
        let Worth { forfeit_win, forfeit_loss, .. } = self.worth;
        let groups = [("W", win), ("D", draw), ("L", loss), ("Z", zero_bye), ("P", bye)];
        let groups = groups.map(|(symbol, worth)| format!(" {symbol}{:>4}", tenths(worth)));
        let _ = writeln!(text, "162 {}", groups.join("   "));
        let codes = [
            ("WW", win),
            ("BW", win),
            ("WD", draw),
            ("BD", draw),
            ("WL", loss),
            ("BL", loss),
            ("ZPB", zero_bye),
            ("HPB", half_bye),
            ("FPB", full_bye),
            ("PAB", bye),
            ("FW", forfeit_win),
            ("FL", forfeit_loss),
        ];
        let codes = codes.map(|(code, worth)| format!("{code}={}", tenths(worth)));
        let _ = writeln!(text, "XXS {}", codes.join(" "));
    }
}

/// Points as the file has them.
fn tenths(points: i64) -> String {
    format!("{}.{}", points / 10, points % 10)
}

/// Why an answer is none.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[allow(missing_docs, reason = "the fields are the words of the message")]
pub enum Garbled {
    /// There is nothing.
    #[error("it is empty")]
    Empty,
    /// A line that holds something else.
    #[error("line {line} is {found:?}, not {expected}")]
    Line { line: usize, found: String, expected: &'static str },
    /// As many pairs as were announced, or there are other lines.
    #[error("its first line announces {said} pairs, and {found} follow")]
    Count { said: usize, found: usize },
}

/// The pairs of an answer, white first, in its order; 0 where there is no opponent.
///
/// # Errors
/// Where it is not the number of pairs and then a line of two numbers for each.
pub fn pairs_of(answer: &str) -> Result<Vec<(u32, u32)>, Garbled> {
    let wrong = |line: usize, found: &str, expected: &'static str| {
        let found = found.chars().take(40).collect();
        Garbled::Line { line, found, expected }
    };
    let mut lines = answer.trim_end().lines();
    let first = lines.next().filter(|first| !first.trim().is_empty()).ok_or(Garbled::Empty)?;
    let said = number(first.trim());
    let said = said.ok_or_else(|| wrong(1, first, "the number of pairs"))? as usize;
    let mut pairs = Vec::new();
    for (line, text) in (2..).zip(lines) {
        let mut words = text.split_ascii_whitespace().map(number);
        match (words.next().flatten(), words.next().flatten(), words.next()) {
            (Some(white), Some(black), None) => pairs.push((white, black)),
            _ => return Err(wrong(line, text, "the numbers of two players")),
        }
    }
    match pairs.len() {
        found if found != said => Err(Garbled::Count { said, found }),
        _ => Ok(pairs),
    }
}

/// A number of digits alone.
fn number(word: &str) -> Option<u32> {
    word.parse().ok().filter(|_| word.bytes().all(|byte| byte.is_ascii_digit()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn question() -> Question {
        let met = |against, white, result| RoundSaid { against: Some((against, white)), result };
        let player = |rating, points, rounds: &[RoundSaid]| PlayerSaid {
            rating,
            points,
            rounds: rounds.to_vec(),
        };
        Question {
            rounds: 5,
            white_first: Some(false),
            worth: Worth::USUAL,
            players: vec![
                player(Some(2100), 10, &[met(2, false, '1')]),
                player(Some(900), 0, &[met(1, true, '0')]),
                player(None, 10, &[RoundSaid::alone('U'), RoundSaid::alone('Z')]),
            ],
            apart: Vec::new(),
        }
    }

    /// These bytes are hashed in logs: they stay as they are.
    #[test]
    fn what_an_engine_is_given_stays_as_it_is() {
        let expected = "\
062 3
092 Individual: Swiss-System
142 5
XXR 5
152 B
XXC black1
001    1      Player 1                          2100                             1.0    1     2 b 1
001    2      Player 2                           900                             0.0    2     1 w 0
001    3      Player 3                             0                             1.0    3  0000 - U  0000 - Z
";
        assert_eq!(question().text(), expected);
        let line = expected.lines().nth(6).expect("a player");
        let column = |from: usize, to: usize| &line[from - 1..to];
        assert_eq!((column(5, 8), column(15, 22)), ("   1", "Player 1"));
        assert_eq!((column(49, 52), column(81, 84), column(86, 89)), ("2100", " 1.0", "   1"));
        assert_eq!(column(92, 99), "   2 b 1");
        let apart = Question { apart: vec![[1, 3]], ..question() };
        assert_eq!(apart.text(), format!("{expected}XXP    1    3\n"));
        let three =
            Worth { win: 30, draw: 10, bye: 30, full_bye: 30, half_bye: 10, ..Worth::USUAL };
        let three =
            Question { worth: Worth { forfeit_win: 30, ..three }, white_first: None, ..question() };
        let told: Vec<String> = three.text().lines().skip(4).take(2).map(str::to_owned).collect();
        assert_eq!(
            told,
            [
                "162  W 3.0    D 1.0    L 0.0    Z 0.0    P 3.0",
                "XXS WW=3.0 BW=3.0 WD=1.0 BD=1.0 WL=0.0 BL=0.0 ZPB=0.0 HPB=1.0 FPB=3.0 PAB=3.0 \
                 FW=3.0 FL=0.0",
            ]
        );
    }

    #[test]
    fn an_answer_is_read_as_it_stands_or_not_at_all() {
        assert_eq!(pairs_of("2\n1 4\n3 0\n"), Ok(vec![(1, 4), (3, 0)]));
        assert_eq!(pairs_of("1\r\n 2   1 \r\n\r\n"), Ok(vec![(2, 1)]));
        assert_eq!(pairs_of(" \n"), Err(Garbled::Empty));
        assert_eq!(pairs_of("2\n1 4\n"), Err(Garbled::Count { said: 2, found: 1 }));
        let line =
            |line, found: &str, expected| Garbled::Line { line, found: found.into(), expected };
        for (text, at, found) in [
            ("1\n1\n", 2, "1"),
            ("1\n1 2 3\n", 2, "1 2 3"),
            ("1\n1 -2\n", 2, "1 -2"),
            ("1\n1 +2\n", 2, "1 +2"),
            ("1\n\n1 2\n", 2, ""),
            ("1\n1 99999999999\n", 2, "1 99999999999"),
        ] {
            assert_eq!(
                pairs_of(text),
                Err(line(at, found, "the numbers of two players")),
                "{text}"
            );
        }
        assert_eq!(pairs_of("Hello\n"), Err(line(1, "Hello", "the number of pairs")));
    }
}
