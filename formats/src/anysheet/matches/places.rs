//! Names that are nobody's yet, and rounds as a column alone has them.

use crate::anysheet::names::{self, has};
use scrutineer_engine::names::plain;

/// Who comes out of a match.
const OUT_OF: &str = "winner winners loser losers sieger siegerin gewinner gewinnerin verlierer verliererin vainqueur \
    gagnant perdant ganador ganadora perdedor perdedora vincente vincitore perdente vencedor vencedora";
/// What stands between them and its number.
const BESIDE: &str = "of the von der des vom de du del dello della da do match game spiel partie partido partita jogo no nr hf vf af qf sf \
    group gruppe groupe grupo gruppo girone poule pool semi quarter";

/// Whether a name is a place for who comes out of another match: `Winner SF1`, `Sieger HF 2`, `Loser of match 3`.
pub(super) fn is_place(name: &str) -> bool {
    let plain = plain(name);
    let words: Vec<&str> =
        plain.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
    let Some((first, rest)) = words.split_first() else { return false };
    let is_code = |word: &&str| word.len() < 5 && word.contains(|c: char| c.is_ascii_digit());
    let is_round = |word: &str| names::round(word, false).is_some();
    let is_part =
        |word: &&str| is_code(word) || word.len() == 1 || has(BESIDE, word) || is_round(word);
    let without: Vec<&str> = rest.iter().copied().filter(|word| *word != "of").collect();
    let said = without.join(" ");
    has(OUT_OF, first)
        && rest.len() < 6
        && rest.iter().all(is_part)
        && (rest.iter().any(is_code) || is_round(&said) || names::is_group(&said))
}

/// Whether several words in the place of a name say that nobody was there.
pub(super) fn says_away(name: &str) -> bool {
    ["sits out", "sat out", "dropped out", "has left", "hat zur\u{fc}ckgezogen"]
        .contains(&name.trim().to_lowercase().as_str())
}

/// The round of a cell in a column of rounds that says no more than its number: `J1`, `1ª`, `2.º`.
pub(super) fn round(cell: &str) -> Option<u16> {
    let plain = cell.trim().to_lowercase();
    let number = ["j", "md", "gw"].iter().find_map(|word| plain.strip_prefix(word));
    let number = number.or_else(|| plain.strip_suffix(['\u{aa}', '\u{ba}', '\u{b0}']))?;
    number.trim_matches([' ', '.']).parse().ok().filter(|round| (1..100).contains(round))
}
