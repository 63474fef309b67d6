//! What the columns of a sheet are called, in English, German, French, Spanish, Italian and Portuguese.

mod lists;

use lists::*;
use scrutineer_engine::names::plain;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

/// What a column holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Role {
    Round,
    Table,
    PlayerA,
    PlayerB,
    /// Both players in one cell: `Ann - Ben`.
    Pairing,
    Result,
    GamesA,
    GamesB,
    Drawn,
    PointsA,
    PointsB,
    Winner,
    Loser,
    Name,
    FirstName,
    LastName,
    FirstA,
    LastA,
    FirstB,
    LastB,
    Rank,
    Points,
    Wins,
    Losses,
    Draws,
    Omw,
    Gw,
    Ogw,
    Sos,
    Esos,
    Id,
    IdA,
    IdB,
    Rating,
    Division,
    Title,
    Federation,
    /// A country: a federation where it is a code of three letters, as chess lists have it.
    Country,
    Number,
    Date,
    /// A score without a side: of both players, or points.
    Score,
    Games,
    /// What a player did in one round.
    OfRound,
    /// Known, and not read.
    Ignore,
}

use Role::*;

/// The roles that a choice of columns may name, with their words.
pub(super) const WORDS: [(&str, Role); 40] = [
    ("round", Round),
    ("table", Table),
    ("player_a", PlayerA),
    ("player_b", PlayerB),
    ("pairing", Pairing),
    ("result", Result),
    ("games_a", GamesA),
    ("games_b", GamesB),
    ("games_drawn", Drawn),
    ("points_a", PointsA),
    ("points_b", PointsB),
    ("winner", Winner),
    ("loser", Loser),
    ("name", Name),
    ("first_name", FirstName),
    ("last_name", LastName),
    ("first_name_a", FirstA),
    ("last_name_a", LastA),
    ("first_name_b", FirstB),
    ("last_name_b", LastB),
    ("rank", Rank),
    ("points", Points),
    ("wins", Wins),
    ("losses", Losses),
    ("draws", Draws),
    ("omw", Omw),
    ("gw", Gw),
    ("ogw", Ogw),
    ("sos", Sos),
    ("esos", Esos),
    ("id", Id),
    ("id_a", IdA),
    ("id_b", IdB),
    ("rating", Rating),
    ("division", Division),
    ("title", Title),
    ("federation", Federation),
    ("sign_up", Number),
    ("date", Date),
    ("ignore", Ignore),
];

impl Role {
    /// Its word in a choice of columns; none where a choice cannot name it.
    pub fn word(self) -> Option<&'static str> {
        WORDS.iter().find(|(_, role)| *role == self).map(|(word, _)| *word)
    }
}

/// Whether a word is one of a list, in which blanks part them.
pub(super) fn has(list: &str, word: &str) -> bool {
    list.split_whitespace().any(|one| one == word)
}

/// Words and numbers of a name, in small letters without accents; `Player1` are two.
fn tokens(name: &str) -> Vec<String> {
    let mut tokens: Vec<String> = Vec::new();
    let (mut before, mut was_lower) = (' ', false);
    for raw in name.chars() {
        let folded = plain(&raw.to_string());
        for c in folded.chars() {
            let same = c.is_alphanumeric()
                && before.is_alphanumeric()
                && c.is_numeric() == before.is_numeric()
                && !(was_lower && raw.is_uppercase());
            match tokens.last_mut().filter(|_| same) {
                Some(last) => last.push(c),
                None if c.is_alphanumeric() => tokens.push(c.to_string()),
                None => {}
            }
            before = c;
        }
        if folded.is_empty() {
            continue;
        }
        was_lower = raw.is_lowercase();
    }
    tokens
}

fn base(word: &str) -> Option<Role> {
    // Every row of a file is looked at, so the lists are taken apart once.
    static BY_WORD: LazyLock<BTreeMap<&str, Role>> = LazyLock::new(|| {
        let words = NAMES.iter().rev();
        words
            .flat_map(|(role, list)| list.split_whitespace().map(move |word| (word, *role)))
            .collect()
    });
    BY_WORD.get(word).copied()
}

/// A role of one side, where there is one.
fn sided(role: Role, second: bool) -> Option<Role> {
    Some(match (role, second) {
        (Name, false) => PlayerA,
        (Name, true) => PlayerB,
        (FirstName, false) => FirstA,
        (FirstName, true) => FirstB,
        (LastName, false) => LastA,
        (LastName, true) => LastB,
        (Games | Result | Score | Wins, false) => GamesA,
        (Games | Result | Score | Wins, true) => GamesB,
        (Points, false) => PointsA,
        (Points, true) => PointsB,
        (Id, false) => IdA,
        (Id, true) => IdB,
        (Rating | Division | Title | Federation | Country | Ignore | Rank | Number, _) => Ignore,
        _ => return None,
    })
}

/// What a column of this name holds.
pub(super) fn role(name: &str) -> Option<Role> {
    if name.trim() == "#" {
        return Some(Number);
    }
    // Without the point it is a first name.
    if ["bo.", "br."].iter().any(|board| name.trim().eq_ignore_ascii_case(board)) {
        return Some(Table);
    }
    // What letters a result has says nothing else of it: `Result (W/D/L)`.
    if let Some((before, letters)) = name.split_once('(')
        && has(LETTERS, &tokens(letters).concat())
    {
        return role(before);
    }
    let tokens = tokens(name);
    let whole = tokens.concat();
    if whole.is_empty() || whole.len() > 60 {
        return None;
    }
    let is_word = tokens.len() == 1 || !has("a b 1 2", tokens.last().map_or("", |last| last));
    if let Some(role) = base(&whole).filter(|_| is_word) {
        return Some(role);
    }
    if has(ALONE, &whole) {
        return Some(if has(FIRST, &whole) { PlayerA } else { PlayerB });
    }
    let number = |token: &String| token.parse::<u16>().is_ok();
    let (numbers, others): (Vec<&String>, Vec<&String>) = tokens.iter().partition(|t| number(t));
    let is_round = |word: &str| has(ROUNDS, word) || has(NUMBERED, word);
    if numbers.len() == 1 && (others.is_empty() || others.len() == 1 && is_round(others[0])) {
        return Some(OfRound);
    }
    let is_side = |at: &usize| has(FIRST, &tokens[*at]) || has(SECOND, &tokens[*at]);
    let without = |at: &usize| {
        let rest: Vec<&str> = tokens
            .iter()
            .enumerate()
            .filter(|(own, _)| own != at)
            .map(|(_, token)| token.as_str())
            .collect();
        matches!(base(&rest.concat()), Some(FirstName | LastName))
    };
    // `First name 1`: the side is the number.
    let mut sides = (0..tokens.len()).filter(is_side);
    let side = sides.clone().find(without).or_else(|| sides.next());
    let second = side.map(|at| has(SECOND, &tokens[at]));
    let rest: Vec<&str> = tokens
        .iter()
        .enumerate()
        .filter(|(at, token)| Some(*at) != side && !has("in the of der des du de di", token))
        .map(|(_, token)| token.as_str())
        .collect();
    // `Player 1 rating`: the rating, of one of them; `Name Player 1`: a name.
    let is_name = |token: &&str| base(token) == Some(Name) || has("p j", token);
    let without: Vec<&str> = rest.iter().copied().filter(|token| !is_name(token)).collect();
    let found = match (rest.is_empty(), without.is_empty()) {
        (true, _) => None,
        (_, true) => Some(Name),
        _ => base(&rest.concat()).or_else(|| base(&without.concat())),
    }?;
    match second {
        Some(second) => sided(found, second),
        None => Some(found)
            .filter(|found| *found != Name || base(&rest.concat()) == Some(Name) || rest.len() > 1),
    }
}

/// The round of a column in which stands whom each player met there, or (then with `true`) how that ended:
/// `Opponent 1`, `R1 Ergebnis`, `Turno 2 risultato`.
pub(super) fn of_round(name: &str) -> Option<(u16, bool)> {
    let tokens = tokens(name);
    let is_number = |token: &&String| token.parse::<u16>().is_ok();
    let (numbers, words): (Vec<&String>, Vec<&String>) = tokens.iter().partition(is_number);
    let is_beside = |word: &String| has(ROUNDS, word) || has(BESIDE_NUMBERS, word);
    let words: Vec<&String> = words.into_iter().filter(|word| !is_beside(word)).collect();
    let ([number], [word]) = (&numbers[..], &words[..]) else { return None };
    let is_result = match base(word) {
        Some(Result | Score) => true,
        _ if has(OPPONENTS, word) => false,
        _ => return None,
    };
    Some((number.parse().ok()?, is_result))
}

/// Whose name a column of names has, in the order in which one of several is taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Whose {
    Player,
    /// As a player calls themselves somewhere: `Username`, `Gamertag`.
    Handle,
    Team,
}

/// Whose name a column of names has.
pub(super) fn whose(name: &str) -> Whose {
    let tokens = tokens(name);
    // `Heimmannschaft` is one too.
    let is_team = |token: &String| TEAMS.split(' ').any(|word| token.ends_with(word));
    let is_handle = |token: &String| has(HANDLES, token);
    match () {
        () if tokens.iter().any(is_team) => Whose::Team,
        () if is_handle(&tokens.concat()) || tokens.iter().any(is_handle) => Whose::Handle,
        () => Whose::Player,
    }
}

/// Whether a word of a column's name says no more than which of two it is.
fn is_mark(token: &str) -> bool {
    token.parse::<u16>().is_ok() || has("a b one two", token)
}

/// Whether two columns have the same name, but for numbers.
pub(super) fn are_alike(one: &str, other: &str) -> bool {
    let words = |name: &str| {
        let mut words = tokens(name);
        words.retain(|token| !is_mark(token));
        words
    };
    words(one) == words(other)
}

/// Whether a column's name has a number: `Player 2`, `Team B`.
pub(super) fn is_numbered(name: &str) -> bool {
    tokens(name).iter().any(|token| is_mark(token))
}

/// Whether a column is called after a time of day: `Uhrzeit`, `Kick-off`, `Time (UTC)`.
pub(super) fn is_time(name: &str) -> bool {
    let tokens = tokens(name);
    has(TIMES, &tokens.concat()) || tokens.first().is_some_and(|first| has(TIMES, first))
}

/// Whether cells say at which side somebody played, and nothing else: `Heim`, `Away`, `H`.
pub(super) fn are_sides<'c>(cells: impl Iterator<Item = &'c str>) -> bool {
    let words = cells.map(|cell| tokens(cell).concat()).filter(|word| !word.is_empty());
    let words: BTreeSet<String> = words.collect();
    let are = |list: &str| words.iter().all(|word| has(list, word));
    // One letter alone may be a name.
    let are_letters = || words.len() > 1 && SIDE_LETTERS.iter().any(|letters| are(letters));
    !words.is_empty() && (are(SIDES) || are_letters())
}

/// Which set a column is called after: `2. Satz`, `Set 2`, `Game 2`.
pub(super) fn set(name: &str) -> Option<u16> {
    let tokens = tokens(name);
    let mut number = None;
    for token in &tokens {
        match token.parse::<u16>() {
            Ok(one) if number.is_none() => number = Some(one),
            _ if has(SETS, token) => {}
            _ => return None,
        }
    }
    number.filter(|_| tokens.len() == 2)
}

/// Whether a word of a column's name is one for who wins: `Winner of the match`.
pub(super) fn is_of_winner(name: &str) -> bool {
    tokens(name).iter().any(|token| matches!(base(token), Some(Winner | Wins)))
}

/// Whether a column is called after the set that decides a match, behind those with a number: `MTB`, `Final set`.
pub(super) fn is_last_set(name: &str) -> bool {
    has(LAST_SETS, &tokens(name).concat())
}

/// Whether a column is called after a part of a match: half time, or one of two legs.
pub(super) fn is_of_part(name: &str) -> bool {
    let tokens = tokens(name);
    has(PARTS, &tokens.concat()) || tokens.iter().any(|token| token == "leg")
}

/// Whether a column is called after how a whole match ended.
pub(super) fn is_of_whole(name: &str) -> bool {
    has(WHOLE, &tokens(name).concat())
}

/// Whether columns are called after either side, and after each of them more than one.
pub(super) fn are_of_sides(names: &[&str]) -> bool {
    let count = |side: &str| {
        names.iter().filter(|name| tokens(name).iter().any(|token| has(side, token))).count()
    };
    count(FIRST) > 1 && count(SECOND) > 1
}

/// Whether a line alone is called after what stands above matches: a day, a court, a session, a part of the players.
pub(super) fn stands_above(line: &str) -> bool {
    let tokens = tokens(line);
    // `U12 Boys`
    let is_age = |two: &[String]| matches!(&*two[0], "u" | "o") && two[1].parse::<u8>().is_ok();
    // `Jim Hall` is somebody.
    let is_word = |token: &String| has(ABOVE, token);
    let has_digit = line.contains(|c: char| c.is_ascii_digit());
    tokens.iter().any(is_word) && (has_digit || tokens.iter().all(is_word))
        || tokens.windows(2).any(is_age)
}

/// Whether a column is called after parts of a tournament: `Phase`, `Stage`.
pub(super) fn is_part(name: &str) -> bool {
    has(PHASES, &tokens(name).concat())
}

/// A name without the number in brackets beside it, such as a seed: `[8] Hal`, `Hal [8]`.
pub(super) fn without_seed(name: &str) -> Option<&str> {
    let behind =
        || name.trim().strip_suffix(']')?.rsplit_once('[').map(|(rest, number)| (number, rest));
    let before = || name.trim().strip_prefix(['[', '('])?.split_once([']', ')']);
    let (number, rest) = before().or_else(behind)?;
    let is_number = !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
    Some(rest.trim()).filter(|rest| is_number && rest.contains(char::is_alphabetic))
}

/// What a column that is called after clubs holds where they are who plays: `Verein`, `Home club`.
pub(super) fn club(name: &str) -> Option<Role> {
    let mut tokens = tokens(name);
    let is_club = |token: &str| CLUBS.split(' ').find(|word| token.ends_with(word));
    let (token, word) = tokens.iter_mut().find_map(|token| {
        let word = is_club(token)?;
        Some((token, word))
    })?;
    *token = format!("{}team", &token[..token.len() - word.len()]);
    role(&tokens.join(" "))
}

/// Whether a column has what a player had before the match: `Record`, `P1 Record`, or one name for both players' such as
/// `Stand` twice.
pub(super) fn is_of_before(names: &[String], at: usize) -> bool {
    let tokens = tokens(&names[at]);
    tokens.iter().any(|token| token == "record")
        || has("stand standing bilanz bilan", &tokens.concat())
            && names.iter().filter(|name| **name == names[at]).count() == 2
}

/// Whether a column may hold both players of a match, though its name says no more than that there was one.
pub(super) fn may_be_pairing(name: &str) -> bool {
    tokens(name).concat() == "jogo"
}

/// Whether a column of points is called after a sum of anything.
pub(super) fn is_sum_of_points(name: &str) -> bool {
    has(SUMS, &tokens(name).concat())
}

/// Whether a column is called after what a table of standings counts, in a letter or three: `P`, `W`, `GF`, `PJ`.
pub(super) fn is_of_record(name: &str) -> bool {
    has(RECORDS, &tokens(name).concat())
}

/// Whether a cell begins with a number and is no place all the same: `3d`, `5 kyu`, `4.NC`.
pub(super) fn is_no_place(cell: &str) -> bool {
    let start = cell.trim_start_matches(['=', 'T', 't', '#', ' ']);
    let rest = start.trim_start_matches(|c: char| c.is_ascii_digit());
    let word: String = plain(rest.trim_start()).chars().take_while(|c| c.is_alphabetic()).collect();
    let is_parted =
        rest.strip_prefix(['.', ',']).is_some_and(|rest| rest.starts_with(char::is_alphanumeric));
    rest.len() < start.len() && (is_parted || !word.is_empty() && !has(ORDINALS, &word))
}

/// Whether a line is rather a note than a name: it has a sign of one, or small words that are in no name.
pub(super) fn is_note(line: &str) -> bool {
    let words: Vec<&str> = line.split_whitespace().collect();
    let is_small = |word: &&str| {
        word.starts_with(char::is_lowercase)
            && !has(PARTICLES, &plain(word))
            && !has(BETWEEN_NAMES, &plain(word))
    };
    let is_said = words.len() > 2
        && !line.starts_with(char::is_lowercase)
        && words.iter().any(is_small)
        && words.iter().any(|word| word.chars().all(|c| c.is_ascii_digit()));
    line.starts_with(['*', '(', '\u{2020}', '\u{2021}']) || words.contains(&"=") || is_said
}

/// Whether a cell is a column's name.
pub(super) fn is_known(name: &str) -> bool {
    role(name).is_some_and(|role| role != OfRound)
}

/// Whether a cell says that there is nobody: empty, a mark, `0`, or a word for a bye.
pub(super) fn is_nobody(cell: &str) -> bool {
    let word: String = plain(cell).chars().filter(|c| c.is_alphanumeric()).collect();
    word.is_empty() || word == "0" || has(BYES, &word) || has(UNPAIRED, &word) || is_bye(cell)
}

/// Whether a cell says that somebody was not paired: what that counts stands in the result.
pub(super) fn is_unpaired(cell: &str) -> bool {
    let word: String = plain(cell).chars().filter(|c| c.is_alphanumeric()).collect();
    has(UNPAIRED, &word)
}

/// Whether all words of a cell outside brackets are of a bye: `Half bye`, `BYE 1`, `Freilos (1:0)`.
fn is_bye(cell: &str) -> bool {
    let tokens = tokens(cell.split(['(', '[']).next().unwrap_or(""));
    let mut words = tokens.iter().filter(|token| !token.chars().all(char::is_numeric));
    tokens.iter().any(|token| has(CLEAR_BYES, token))
        && words.all(|word| [CLEAR_BYES, HALF, ZERO, BESIDE_BYES].iter().any(|all| has(all, word)))
}

/// Whether a cell without an opponent says that it is half a bye: `½ bye`, `0.5 bye`, `Half bye`.
pub(super) fn is_half_bye(cell: &str) -> bool {
    let is_half = |token: &String| has(HALF, token);
    is_bye(cell) && (super::result::has_half(cell) || tokens(cell).iter().any(is_half))
}

/// Whether it says that it is one of no point: `0 bye`, `Zero-point bye`.
pub(super) fn is_zero_bye(cell: &str) -> bool {
    let tokens = tokens(cell);
    let mut numbers = tokens.iter().filter(|token| token.chars().all(char::is_numeric));
    let is_nothing = numbers.next().is_some_and(|number| number == "0") && numbers.next().is_none();
    is_bye(cell) && (is_nothing || tokens.iter().any(|token| has(ZERO, token)))
}

/// Whether a word of a bye stands beside a number, or beside small words, or one that is in no name beside anything:
/// that is rather a note than a name.
fn is_like_bye(name: &str) -> bool {
    let words: Vec<&str> = name.split(|c: char| !c.is_alphanumeric()).collect();
    if words.iter().any(|word| has(SURE_BYES, &plain(word))) {
        return words.iter().filter(|word| !word.is_empty()).nth(1).is_some();
    }
    let is_word = |word: &&str| has(LIKE_BYES, &plain(word));
    let is_note = |word: &&str| {
        let is_small = word.starts_with(char::is_lowercase) && !has(PARTICLES, &plain(word));
        !is_word(word) && (is_small || word.contains(char::is_numeric))
    };
    words.iter().any(is_word) && words.iter().any(is_note)
}

/// What stands between two players, in the order in which it is looked for.
pub(super) const BETWEEN: [&str; 13] = [
    " vs. ",
    " vs ",
    " - ",
    " \u{2013} ",
    " \u{2014} ",
    " : ",
    " gegen ",
    " contre ",
    " contra ",
    " contro ",
    " x ",
    " v. ",
    " v ",
];

/// The number of a player, as `2`, `2.` or `#2`.
pub(super) fn number(cell: &str) -> Option<u16> {
    cell.trim_start_matches('#').trim_end_matches('.').parse().ok()
}

/// A name and the word for a bye before or behind it, where nobody is called so: `RIF descansa`, `spielfrei: Ann`.
pub(super) fn apart_from_bye(cell: &str) -> Option<(&str, &str)> {
    let trim = |text: &str| -> usize { text.trim_end_matches([':', '-', '\u{2013}', ' ']).len() };
    let (before, last) = cell.trim().rsplit_once(' ')?;
    if has(SURE_BYES, &plain(last)) {
        return Some((&before[..trim(before)], last)).filter(|(name, _)| !name.is_empty());
    }
    let (first, behind) = cell.trim().split_once(' ')?;
    let word = &first[..trim(first)];
    let name = behind.trim_start_matches([':', '-', '\u{2013}', ' ']);
    (has(SURE_BYES, &plain(word)) && !name.is_empty()).then_some((name, word))
}

/// A name without what its player had before the round, as pairings are printed: `Ann (1-0)`, `Ann 2-0-1`,
/// `Ann [4 pts]`.
pub(super) fn without_standing(name: &str) -> Option<&str> {
    let is_number = |text: &str| {
        let digits = text.trim_end_matches('\u{bd}');
        digits.len() < 5
            && !text.is_empty()
            && digits.bytes().all(|byte| byte.is_ascii_digit() || matches!(byte, b'.' | b','))
    };
    let is_record = |text: &str| {
        let parts: Vec<&str> = text.split(['-', '/', '\u{2013}']).map(str::trim).collect();
        matches!(parts.len(), 2 | 3) && parts.iter().all(|part| is_number(part))
    };
    let is_points = |text: &str| {
        let word = text.trim_start_matches(|c: char| c.is_numeric() || ".,".contains(c));
        let number = &text[..text.len() - word.len()];
        is_number(number)
            && has(
                "p pt pts points point punkte punkt pkt puntos punto punti pontos",
                &word.trim().to_lowercase(),
            )
    };
    let is_standing = |text: &str| is_record(text) || is_points(text);
    let is_name = |before: &str| before.contains(char::is_alphabetic);
    let name = name.trim();
    let end = name.strip_suffix([')', ']']);
    if let Some((before, inside)) = end.and_then(|name| name.rsplit_once(['(', '['])) {
        return (is_standing(inside.trim()) && is_name(before)).then(|| before.trim_end());
    }
    let mut spaces = name.rmatch_indices(' ').take(2);
    spaces.find_map(|(at, _)| {
        let (before, behind) = (name[..at].trim_end(), name[at..].trim());
        (is_standing(behind) && is_name(before)).then_some(before)
    })
}

/// Both players of a cell without a result.
pub(super) fn pair(text: &str) -> Option<(&str, &str)> {
    // The signs have no case but in ASCII, so that every index stays.
    let lower = text.to_ascii_lowercase();
    let (at, by) = BETWEEN.iter().find_map(|by| Some((lower.find(by)?, by)))?;
    let (first, second) = (text[..at].trim(), text[at + by.len()..].trim());
    let is_name = |text: &str| text.contains(char::is_alphabetic);
    (is_name(first) && is_name(second)).then_some((first, second))
}

/// Whether a name is rather a note that nobody was there, such as `x`, `N.N.` or `TBD`.
pub(super) fn is_doubtful(name: &str) -> bool {
    let word = name.trim().to_lowercase();
    word == "no show" || has(DOUBTFUL, &word) || is_like_bye(name)
}

/// What a last line begins with that is no player.
pub(super) fn is_total(cell: &str) -> bool {
    let word = tokens(cell).into_iter().next().unwrap_or_default();
    has(TOTALS, &word) && tokens(cell).len() <= 4
}

/// Whether a cell says that it is a sum, and no more than that: no team is called so.
pub(super) fn is_only_total(cell: &str) -> bool {
    is_total(cell)
        && tokens(cell).iter().all(|word| has(TOTALS, word) || has("der of de des", word))
}

/// Whether a line names a group of players, and says no more than that: `Gruppe B`, `Girone 2`, `2. Staffel`.
pub(super) fn is_group(line: &str) -> bool {
    let tokens = tokens(line);
    let is_mark = |token: &String| token.chars().count() == 1 || token.parse::<u8>().is_ok();
    match &tokens[..] {
        [one, other] => has(GROUPS, one) && is_mark(other) || is_mark(one) && has(GROUPS, other),
        _ => false,
    }
}

/// Whether words name the match for third place, and no more than that: `3rd place`, `Spiel um Platz 3`, `Bronze`.
fn is_third(tokens: &[String]) -> bool {
    let any = |words: &str| tokens.iter().any(|token| has(words, token));
    let words = [BRONZE, THIRD, PLACES, BESIDE_THIRD, BESIDE_ROUNDS];
    let is_of_it = |token: &String| words.iter().any(|words| has(words, token));
    (any(BRONZE) || any(THIRD) && any(PLACES)) && tokens.iter().all(is_of_it)
}

/// How many players are in the round that letters alone name: `QF`, `SF 2`.
fn in_letters(tokens: &[String]) -> Option<u16> {
    let is_mark = |token: &String| token.chars().count() == 1 || token.parse::<u8>().is_ok();
    let (first, rest) = tokens.split_first()?;
    match first.as_str() {
        "qf" if rest.len() < 2 && rest.iter().all(is_mark) => Some(8),
        "sf" if rest.len() < 2 && rest.iter().all(is_mark) => Some(4),
        _ => None,
    }
}

/// How many players are in a round that is called a part of the final: `1/4 de finale`, `1/8 final`, `½ finale`.
fn part_of_final(cell: &str, tokens: &[String]) -> Option<u16> {
    let plain = plain(cell);
    let is_part = |two: &[String]| two[0] == "1" && has("2 4 8 16 32", &two[1]);
    let at = tokens.windows(2).position(is_part)?;
    let is_of_final = tokens.iter().skip(at + 2).any(|one| has(FINALS, one));
    let part = tokens.get(at + 1)?.parse::<u16>().ok()?;
    (is_of_final && plain.contains(['/', '\u{2044}'])).then_some(2 * part)
}

/// The round that a cell in a column of rounds names: there `F` is the final too.
pub(super) fn round_of_column(cell: &str) -> Option<u16> {
    let is_final = cell.trim().eq_ignore_ascii_case("f");
    round(cell, true).or_else(|| is_final.then_some(10_000 - 2))
}

/// The round of so many players that `R16` names among rounds of a cut; otherwise it is the sixteenth one.
pub(super) fn round_of(cell: &str) -> Option<u16> {
    match &tokens(cell)[..] {
        [word, size] if word == "r" && has("8 16 32 64", size) => {
            size.parse::<u16>().ok().map(|size| 10_000 - size)
        }
        _ => None,
    }
}

/// The round that a heading or a cell names: its number, or for one of a cut (half-final, `Top 8`)
/// 10,000 less the players in it. The match for third place is one of the final's round.
pub(super) fn round(cell: &str, alone: bool) -> Option<u16> {
    let tokens = tokens(cell);
    let joined = tokens.concat();
    let cut = |words: &str| tokens.iter().any(|token| has(words, token)) || has(words, &joined);
    let number = tokens.iter().find_map(|token| token.parse::<u16>().ok());
    let is_round = tokens.iter().any(|token| has(ROUNDS, token));
    if tokens.len() > 6 || tokens.is_empty() {
        return None;
    }
    if alone && tokens.len() == 1 && number.is_some() {
        return number;
    }
    // Within a line `fecha 3` begins a day.
    if let [word, of] = &tokens[..]
        && has(NUMBERED, word)
        && (alone || cell.trim_start().starts_with(char::is_uppercase))
        && let Some(of) = of.parse::<u16>().ok().filter(|of| (1..100).contains(of))
    {
        return Some(of);
    }
    if let Some(size) = in_letters(&tokens).or_else(|| part_of_final(cell, &tokens)) {
        return Some(10_000 - size);
    }
    if is_third(&tokens) {
        return Some(10_000 - 2);
    }
    let size = match () {
        () if cut("top of") => {
            number.filter(|size| (2..=64).contains(size) && size.is_power_of_two())
        }
        () if cut("achtelfinale huitiemes huitieme octavos oitavas ottavi") => Some(16),
        () if cut(
            "quarterfinal quarterfinals quarter viertelfinale quart quarts cuartos quartas quarti",
        ) =>
        {
            Some(8)
        }
        () if cut(
            "semifinal semifinals semi halbfinale demi semifinale semifinales semifinais semifinali meiafinal",
        ) =>
        {
            Some(4)
        }
        () if cut(FINALS) && !is_round => Some(2),
        () => None,
    };
    let starts = |token: &String| has(ROUNDS, token) || token.parse::<u16>().is_ok();
    match (size, number) {
        (Some(size), _) if !(is_round && tokens.len() > 3) => Some(10_000 - size),
        (_, Some(number)) if is_round && tokens.first().is_some_and(starts) => Some(number),
        _ => None,
    }
}

/// The round that a line names that says no more than that: `Regional Finals 2026` is a title.
pub(super) fn round_alone(line: &str) -> Option<u16> {
    let is_of_cut = |token: &String| {
        round(token, false).is_some()
            || token.parse::<u16>().is_ok()
            || has(ROUNDS, token)
            || has(BESIDE_ROUNDS, token)
    };
    let tokens = tokens(line);
    let words = tokens.iter().filter(|token| token.parse::<u16>().is_err());
    let joined: String = words.map(String::as_str).collect();
    let is_alone = || tokens.iter().all(is_of_cut) || is_of_cut(&joined);
    round(line, false).filter(|round| *round < 9_000 || is_alone())
}

/// The name of a round.
pub(super) fn round_name(round: u16) -> String {
    match 10_000u16.saturating_sub(round) {
        2 => "Final".to_owned(),
        4 => "Semifinals".to_owned(),
        8 => "Quarterfinals".to_owned(),
        size if size <= 64 => format!("Round of {size}"),
        _ => format!("Round {round}"),
    }
}
