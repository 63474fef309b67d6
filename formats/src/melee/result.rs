//! What Melee writes about the outcome of a match, in words and in games.

use crate::json::Node;
use crate::outcome::{self, Won};
use crate::sheet::{self, Games};
use crate::{Fault, ImportError};
use scrutineer_engine::event::{How, MatchResult};

/// The words of a result, such as `Ada won 2-1-0`; empty where there are none.
pub fn words<'a>(game: &Node<'a>) -> Result<&'a str, ImportError> {
    Ok(game.text_at("ResultString")?.or(game.text_at("Result")?).unwrap_or_default())
}

/// Whether a result was reported.
pub fn is_reported(game: &Node<'_>) -> Result<bool, ImportError> {
    let has_result = game.get("HasResult").is_none() || game.is("HasResult")?;
    Ok(has_result && !words(game)?.eq_ignore_ascii_case("not reported"))
}

/// What a match with a result says: the words, the games drawn, and those that each won.
pub fn said<'a>(game: &Node<'a>) -> Result<(&'a str, Vec<Option<i32>>), ImportError> {
    if !is_reported(game)? {
        return Ok(("", Vec::new()));
    }
    let mut games = vec![Some(game.score_at("GameDraws")?.unwrap_or(0))];
    for one in game.list("Competitors")? {
        games.push(one.score_at("GameWins")?);
    }
    Ok((words(game)?, games))
}

/// The result of a match of two with these names.
pub fn of(
    game: &Node<'_>,
    games: Option<Games>,
    names: &[String; 2],
) -> Result<MatchResult, ImportError> {
    let words = words(game)?;
    if !is_reported(game)? {
        return Ok(outcome::open());
    }
    let told = Told::from(words, names);
    // Words name the winner's games first.
    let games = games.or_else(|| match told.won {
        Some(Won::Seat(1)) => told.games.map(|[most, least, drawn]| [least, most, drawn]),
        _ => told.games,
    });
    if told.won.is_none() && games.is_none() {
        if words.is_empty() {
            return Ok(outcome::open());
        }
        let key = if game.get("ResultString").is_some() { "ResultString" } else { "Result" };
        let found = crate::error::shortened(words);
        let expected = "a player's name with won 2-1-0, 1-1-0 Draw, or forfeited the match";
        return Err(Fault::BadResult { found, expected: expected.into() }.at(game.place_of(key)));
    }
    let how = if told.is_forfeit { How::Forfeit } else { How::Unknown };
    let by_games = games.map(|[first, second, _]| match first.cmp(&second) {
        std::cmp::Ordering::Greater => Won::Seat(0),
        std::cmp::Ordering::Less => Won::Seat(1),
        std::cmp::Ordering::Equal => Won::Draw,
    });
    // A draw without a game is a draw all the same: Melee counts it.
    if told.won.or(by_games) == Some(Won::Draw)
        && let Some(games) = games.filter(|games| games[0] == games[1])
    {
        return Ok(MatchResult { how, ..MatchResult::played(sheet::games_score(games)) });
    }
    Ok(outcome::result(games, told.won.or(by_games), how))
}

/// What the words alone say.
#[derive(Default)]
struct Told {
    won: Option<Won>,
    games: Option<Games>,
    is_forfeit: bool,
}

impl Told {
    fn from(words: &str, names: &[String; 2]) -> Told {
        let games = words.split_whitespace().find_map(games);
        // The longer name first: one may begin with the other.
        let longer = usize::from(names[1].chars().count() > names[0].chars().count());
        let after = |seat: usize| Some((seat, words.strip_prefix(names[seat].as_str())?.trim()));
        let named = after(longer).or_else(|| after(1 - longer));
        let (won, is_forfeit) = match named {
            Some((seat, rest)) if rest.starts_with("won") => (Some(Won::Seat(seat)), false),
            Some((seat, rest)) if rest.starts_with("forfeited") => {
                (Some(Won::Seat(1 - seat)), true)
            }
            _ if words.to_lowercase().ends_with("draw") => (Some(Won::Draw), false),
            _ => (None, false),
        };
        Told { won, games, is_forfeit }
    }
}

/// Games such as `2-1-0`.
fn games(word: &str) -> Option<Games> {
    let mut games = [0; 3];
    let mut parts = word.split('-');
    for value in &mut games {
        *value =
            parts.next()?.parse().ok().filter(|games| *games >= 0).and_then(sheet::in_limits)?;
    }
    parts.next().is_none().then_some(games)
}
