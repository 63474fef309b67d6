//! The words of the deck cache: results, and names of rounds.

use crate::error::shortened;
use crate::sheet::{self, Games};
use crate::{Fault, ImportError, limits};

/// The games as the other player sees them.
pub fn mirrored([first, second, drawn]: Games) -> Games {
    [second, first, drawn]
}

/// Games as they are written.
pub fn written([first, second, drawn]: Games) -> String {
    format!("{first}-{second}-{drawn}")
}

/// The games of a result such as `2-1-0`.
pub fn result(text: &str, place: &str) -> Result<Games, ImportError> {
    let fault = |fault: Fault| fault.at(format!("{place}.Result"));
    let parts: Vec<&str> = text.trim().split('-').collect();
    let plain = |part: &&str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    let ([_, _, _], true) = (&parts[..], parts.iter().all(plain)) else {
        let expected = "games won, lost and drawn, such as 2-1-0".to_owned();
        return Err(fault(Fault::BadResult { found: shortened(text), expected }));
    };
    let mut games = [0; 3];
    for (value, part) in games.iter_mut().zip(&parts) {
        let read = part.parse().ok().and_then(sheet::in_limits);
        *value = read.ok_or_else(|| {
            let (what, found) = ("a number of games".to_owned(), shortened(part));
            fault(Fault::OutOfBounds { what, found, min: 0, max: limits::SCORE.into() })
        })?;
    }
    Ok(games)
}

/// The number of a round that is called by nothing else, such as `Round 3`, or `3` at TopDeck.
pub fn number_of(name: &str) -> Option<i64> {
    let name = name.trim().to_ascii_lowercase();
    name.strip_prefix("round").unwrap_or(&name).trim().parse::<u32>().ok().map(i64::from)
}

/// Whether two lists of the file are one round: a cut may play for the lower places at the same
/// time, such as `Loser Semifinals` beside `Semifinals`.
pub fn played_beside(before: &str, name: &str) -> bool {
    let level = |name: &str| {
        let name = name.to_ascii_lowercase();
        match () {
            () if name.contains("quarterfinal") => Some(4),
            () if name.contains("semifinal") => Some(2),
            () if name.starts_with("match for ") || name.starts_with("final") => Some(1),
            () => None,
        }
    };
    level(before).is_some() && level(before) == level(name)
}

/// The shorter name is the main round's, but a place match never is.
pub fn main_name<'a>(before: &'a str, name: &'a str) -> &'a str {
    let place_match = |name: &str| name.to_ascii_lowercase().starts_with("match for ");
    match (place_match(before), place_match(name)) {
        (true, false) => name,
        (false, true) => before,
        _ if name.len() < before.len() => name,
        _ => before,
    }
}
