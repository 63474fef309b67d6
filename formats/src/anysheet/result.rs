//! A result as people write it: `2-1`, `2:1`, `½-½`, `0,5-0,5`, `+ -`, `Sieg`, `W 2-1`.

use super::sets;
use scrutineer_engine::names::plain;

/// Who won.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Outcome {
    First,
    Second,
    Draw,
    BothLost,
    /// Ruled by an arbiter: half a point for the first, none for the second.
    HalfFirst,
    /// The same the other way round.
    HalfSecond,
}

impl Outcome {
    /// The same as the second player has it.
    pub(super) fn turned(self) -> Outcome {
        match self {
            Outcome::First => Outcome::Second,
            Outcome::Second => Outcome::First,
            Outcome::HalfFirst => Outcome::HalfSecond,
            Outcome::HalfSecond => Outcome::HalfFirst,
            Outcome::Draw | Outcome::BothLost => self,
        }
    }
}

/// What is told of the last two.
pub(super) const HALF: &str = "Half a point for one and none for the other is read as a ruling.";

/// What a cell says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Cell {
    /// Nothing so far.
    Open,
    /// `-:-`, which is either that, or lost by both.
    Dashes,
    /// Games won and drawn.
    Games { games: [i32; 3], forfeit: bool },
    /// Games that are drawn, and who won all the same, as by penalties.
    Ruled { games: [i32; 3], outcome: Outcome },
    /// Only who won.
    Outcome { outcome: Outcome, forfeit: bool },
    /// A letter such as `D`, whose meaning the whole column tells.
    Letter(char),
    /// The spreadsheet has made a date of it.
    Date,
    /// Nothing that is known.
    Bad,
}

const WIN: &str = "win won wins sieg siege gewonnen gewinnt victoire gagne victoria gana ganada gano vittoria vinto \
    vinta vitoria venceu ganhou";
const LOSS: &str = "loss lost loses lose niederlage verloren verliert defaite perdu derrota perdida perdio pierde \
    sconfitta perso persa perdeu";
const DRAW: &str = "draw drawn tie tied unentschieden remis nul nulle egalite match empate tablas \
    pareggio patta pari patt";
const FORFEIT: &str = "walkover f ff k kl wo forfeit forfeited forfait kampflos incomparecencia forfettario np noshow tavolino";
const OPEN: &str = "open offen pending tbd na vs gegen live aberto aperto abierto ouvert";
/// That a match is to be played later, whatever day stands beside it.
const LATER: &str = "postponed ppd delayed suspended verlegt verschoben vertagt abgesagt abg ausgefallen nachholspiel \
    reporte reportee renvoye aplazado aplazada pospuesto rinviata rinviato rinv adiado adiada verl";
/// The same in several words.
const NOT_YET: &str = "noresult noresultyet notplayed notplayedyet notyetplayed tobeplayed keinergebnis nichtgespielt \
    nochnichtgespielt nochoffen wirdnachgeholt pasjoue nojugado nongiocata naojogado";
const MONTHS: &str = "jan feb mar apr may jun jul aug sep oct nov dec mrz mai okt dez janv fev fevr avr \
    juin juil aout ene abr ago set dic gen mag giu lug ott out";
/// The letters for won, drawn and lost, by language.
const LETTERS: [[char; 3]; 14] = [
    ['w', 'd', 'l'],
    ['w', 't', 'l'],
    // Home, drawn, away.
    ['h', 'd', 'a'],
    // Sieg or gewonnen, unentschieden or remis, Niederlage or verloren.
    ['s', 'u', 'n'],
    ['s', 'r', 'n'],
    ['s', 'u', 'v'],
    ['s', 'r', 'v'],
    ['g', 'u', 'v'],
    ['v', 'n', 'd'],
    ['v', 'n', 'p'],
    ['v', 'p', 's'],
    ['g', 'e', 'p'],
    ['g', 'n', 'p'],
    ['v', 'e', 'd'],
];
/// Those below a name that is Italian alone.
const ITALIAN: [[char; 3]; 3] = [['v', 'n', 's'], ['v', 'n', 'p'], ['v', 'p', 's']];
/// What says behind a score that it was made in overtime, as letters alone: the score stands.
const OVERTIME: &str = "nv nverl ot aet dts supp prol nachverlangerung overtime inovertime extratime afterextratime \
    afterovertime prolongation apresprolongation prorroga prorrogacao tempisupplementari";
/// What says that penalties decided a match.
const PENALTIES: &str = "ne ie ap so pso pen pens penalties onpenalties shootout penaltyschiessen nachpenaltyschiessen \
    elfmeterschiessen nachelfmeterschiessen imelfmeterschiessen npen tab tirsaubut auxtirsaubut auxtab rig rigori dcr \
    airigori penaltis penalti penales porpenales penaltys nospenaltis";
/// The words that may stand beside the half-time's score in brackets.
const HALF_TIME: &str = "hz ht mt halbzeit halftime";

fn has(list: &str, word: &str) -> bool {
    list.split_whitespace().any(|one| one == word)
}

/// What the letters of a column mean, where they can only mean one thing.
/// The column's name may tell the language: `S` is a win below `Ergebnis`, and lost below `Esito`.
pub(super) fn letters(cells: &[char], name: &str) -> Option<[char; 3]> {
    let sets: &[[char; 3]] = match plain(name).trim() {
        "esito" | "risultato" | "risultati" => &ITALIAN,
        _ => &LETTERS,
    };
    let fits = |set: &&[char; 3]| cells.iter().all(|letter| set.contains(letter));
    let meant = |set: &[char; 3]| {
        cells.iter().map(|letter| set.iter().position(|one| one == letter)).collect::<Vec<_>>()
    };
    let mut all = sets.iter().filter(fits);
    let first = all.next()?;
    let is_english = first[0] == 'w' && cells.iter().any(|letter| ['w', 'l'].contains(letter));
    (is_english || all.all(|other| meant(other) == meant(first))).then_some(*first)
}

/// What says that a match is over, and not how it ended.
const OVER: &str = "finished completed complete played done final finalized reported confirmed beendet abgeschlossen \
    gespielt fertig termine terminee jouee joue finalizado finalizada jugado terminado terminata finita conclusa giocata \
    encerrado encerrada concluido concluida jogado";

/// Whether a word says no more than that a match is over.
pub(super) fn is_over(text: &str) -> bool {
    has(OVER, plain(text).trim())
}

const WHITE: &str = "w white weiss weisser blanc blancs blancas bianco bianchi branco brancas";
const BLACK: &str = "b black schwarz schwarzer noir noirs negro negras nero neri preto pretas";

/// Whether a name of a column or a result begins with white's or black's, and with which: `true` is white.
pub(super) fn is_white(text: &str) -> Option<bool> {
    let plain = plain(text).replace('ß', "ss");
    let word = plain.split(|c: char| !c.is_alphabetic()).find(|word| !word.is_empty())?;
    match (has(WHITE, word), has(BLACK, word)) {
        (false, false) => None,
        (is_white, _) => Some(is_white),
    }
}

/// Which color a result says has won (`true` is white), and whether by a forfeit: `white`, `BLACK_WIN`, and of Go
/// `B+3.5`, `W+R`, `B+F`.
pub(super) fn won_by_color(text: &str) -> Option<(bool, bool)> {
    let is_white = is_white(text)?;
    let plain = plain(text).replace('ß', "ss");
    if let Some((color, by)) = plain.split_once('+') {
        let by = by.trim();
        let is_by = matches!(by, "" | "r" | "res" | "t" | "time" | "f" | "forfeit")
            || by.starts_with(|c: char| c.is_ascii_digit())
                && by.chars().all(|c| c.is_ascii_digit() || ".,\u{bd}".contains(c));
        let is_one = matches!(color.trim(), "b" | "w");
        return (is_one && is_by).then_some((is_white, by.starts_with('f')));
    }
    let mut words = plain.split(|c: char| !c.is_alphabetic()).filter(|word| !word.is_empty());
    let color = words.next()?;
    (color.len() > 1 && words.all(|word| has(WIN, word))).then_some((is_white, false))
}

/// Which color the name of a column names, wherever it stands in it: `White player`, `jugador_blancas`.
pub(super) fn color_of(name: &str) -> Option<bool> {
    let mut words = name.split(|c: char| !c.is_alphabetic());
    is_white(name)
        .or_else(|| words.find_map(|word| is_white(word).filter(|_| word.chars().count() > 1)))
}

/// What a result names beside words for a win: `Player 1` of `Player 1 Win`, `home` of `HOME_WIN`.
pub(super) fn won_by(text: &str) -> Option<String> {
    let plain = plain(text);
    let words: Vec<&str> = plain
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty() && !has(WIN, word))
        .collect();
    (words.len() < 4).then(|| words.join(" ")).filter(|said| said.contains(char::is_alphabetic))
}

/// Whether half a point stands in a cell.
pub(super) fn has_half(text: &str) -> bool {
    signs(text).contains('½')
}

/// Whether words say that a match is to be played later: `postponed`, `verlegt auf 14.3.`, `no result`. With games it
/// is something else.
fn is_later(folded: &str) -> bool {
    let letters: String = folded.chars().filter(|c| c.is_alphabetic()).collect();
    let mut words = folded.split(|c: char| !c.is_alphabetic());
    let squeezed: Vec<char> = folded.chars().filter(|c| !c.is_whitespace()).collect();
    let has_score = squeezed.windows(3).any(|three| {
        three[0].is_ascii_digit() && matches!(three[1], '-' | ':') && three[2].is_ascii_digit()
    });
    !has_score && (has(NOT_YET, &letters) || words.any(|word| has(LATER, word)))
}

/// Whether a word says that somebody won.
pub(super) fn is_win(word: &str) -> bool {
    has(WIN, plain(word).trim())
}

/// A word for a match that is to be played later.
pub(super) fn says_later(word: &str) -> bool {
    let plain = plain(word);
    has(LATER, plain.trim_matches(|c: char| !c.is_alphabetic()))
}

/// A score without the words behind it that it was made in overtime, and whether penalties decided it: `3:2 n.V.`.
fn before_overtime(folded: &str) -> Option<(&str, bool)> {
    let (score, behind) = folded.split_at(folded.rfind(|c: char| c.is_ascii_digit())? + 1);
    let is_sign = |c: char| c.is_alphabetic() || c.is_whitespace() || ".,()[]/".contains(c);
    let by_penalties = says_penalties(behind);
    let letters: String = behind.chars().filter(|c| c.is_alphabetic()).collect();
    let says = behind.chars().all(is_sign) && (by_penalties || has(OVERTIME, &letters));
    says.then_some((score, by_penalties))
}

/// Whether words say that penalties decided. Without its points `np` says that nobody played.
fn says_penalties(words: &str) -> bool {
    let letters: String = words.chars().filter(|c| c.is_alphabetic()).collect();
    has(PENALTIES, &letters) || letters == "np" && words.contains('.')
}

/// Whether a score has such words behind it, and stands all the same.
pub(super) fn has_overtime(text: &str) -> bool {
    before_overtime(&signs(text)).is_some() && matches!(read(text), Cell::Games { .. })
}

/// A drawn score with that of the penalties in brackets behind it, and who won these: `2:2 (4:5 i.E.)`,
/// `1-1 (4-3 pens)`.
pub(super) fn by_penalties(text: &str) -> Option<([i32; 3], Outcome)> {
    let folded = signs(text);
    let (score, said) = aside(&folded)?;
    let (score, is_behind) = before_overtime(score.trim_end()).unwrap_or((score, false));
    let is_sign = |c: char| c.is_alphanumeric() || c.is_whitespace() || ".,-:()[]".contains(c);
    let words: String = said.chars().filter(|c| !c.is_ascii_digit()).collect();
    let is_penalties = is_behind && !words.contains(char::is_alphabetic)
        || says_penalties(&words)
        || words.chars().filter(|c| c.is_alphabetic()).eq(['p']);
    if !is_penalties || !said.chars().all(is_sign) {
        return None;
    }
    let inner: String = said.chars().filter(|c| c.is_ascii_digit() || "-:".contains(*c)).collect();
    match (read(score), numbers(&inner)) {
        (Cell::Games { games, forfeit: false }, Ok(Some(decided))) => {
            let outcome = winner(decided);
            let is_drawn = games[0] == games[1] && decided[2] == 0;
            (is_drawn && outcome != Outcome::Draw).then_some((games, outcome))
        }
        _ => None,
    }
}

/// Half a point as one sign, and one sign for each dash.
fn signs(text: &str) -> String {
    let folded = plain(text)
        .replace(['\u{2010}', '\u{2011}', '\u{2012}', '\u{2013}', '\u{2014}', '\u{2212}'], "-")
        .replace("1\u{2044}2", "½")
        .replace("1/2", "½")
        .replace("0,5", "½")
        .replace("0.5", "½");
    // `.5` is `0.5`, and of `2.5` nothing is half a point alone.
    let mut before = ' ';
    let mut signs = String::with_capacity(folded.len());
    let mut chars = folded.chars().peekable();
    while let Some(c) = chars.next() {
        let is_half =
            matches!(c, '.' | ',') && !before.is_ascii_digit() && chars.peek() == Some(&'5');
        match is_half {
            true => {
                chars.next();
                signs.push('½');
            }
            false => signs.push(c),
        }
        before = c;
    }
    signs
}

/// Numbers without a point behind which there is nothing, such as `1.0-0.0`, as whole ones. A comma is one where the
/// text has two sides: `1,0` alone may be two numbers.
fn whole(text: &str) -> String {
    let chars: Vec<char> = text.chars().collect();
    let has_sides = text.contains(['-', ':', '/']);
    let is_point = |at: usize| match chars.get(at) {
        Some('.') => true,
        Some(',') => has_sides,
        _ => false,
    };
    let digits = |from: usize| chars.iter().skip(from).take_while(|c| c.is_ascii_digit()).count();
    let mut whole = String::with_capacity(text.len());
    let mut at = 0;
    while at < chars.len() {
        let count = digits(at);
        let is_first = at == 0 || !matches!(chars[at - 1], '.' | ',');
        whole.extend(&chars[at..at + count.max(1)]);
        at += count.max(1);
        if count == 0 || !is_first || !is_point(at) {
            continue;
        }
        // Of three digits it is a thousand, and what has more points is a day.
        let behind = digits(at + 1);
        let is_nothing = chars.iter().skip(at + 1).take(behind).all(|c| *c == '0');
        let is_last = !matches!(chars.get(at + 1 + behind), Some('.' | ','));
        if matches!(behind, 1 | 2) && is_nothing && is_last {
            at += 1 + behind;
        }
    }
    whole
}

/// A score and what stands in brackets behind it, where both have numbers: `2:1 (1:0)`.
fn aside(text: &str) -> Option<(&str, &str)> {
    let (score, said) = text.split_at(text.find(['(', '['])?);
    let has_number = |part: &str| part.contains(|c: char| c.is_ascii_digit() || c == '\u{bd}');
    (has_number(score) && has_number(said)).then_some((score, said))
}

/// Whether numbers in brackets stand behind a score, which are not read.
pub(super) fn has_aside(text: &str) -> bool {
    aside(text).is_some()
}

/// What is told of them, once for a sheet.
pub(super) fn aside_left_out(text: &str) -> String {
    let found = crate::error::shortened(text);
    format!("What stands in brackets behind a score, as in {found:?}, is not read.")
}

/// A score with numbers in brackets behind it: the half-time, or the points of the games. It is bad where these may be
/// the score, or decide it.
fn beside(score: &str, said: &str) -> Cell {
    let cell = read(score);
    let inner = said.trim().trim_start_matches(['(', '[']);
    let (inner, after) = inner.split_once([')', ']']).unwrap_or((inner, ""));
    let mut words = inner.split(|c: char| !c.is_alphabetic()).filter(|word| !word.is_empty());
    let is_sign = |c: char| {
        c.is_alphanumeric() || c.is_whitespace() || matches!(c, '-' | ':' | '/' | ',' | ';' | '.')
    };
    let is_plain = inner.chars().all(is_sign)
        && after.trim().is_empty()
        && words.all(|word| has(HALF_TIME, word));
    // Of 2:2 (4:3) the brackets say who won in the end.
    let decides = |[one, other, _]: [i32; 3]| match read(inner) {
        Cell::Games { games, .. } => {
            one == other && games[0] != games[1] && (games[0] > one || games[1] > other)
        }
        _ => false,
    };
    match &cell {
        Cell::Games { games, .. } if is_plain && !decides(*games) => cell,
        Cell::Outcome { .. } if is_plain && score.contains(['-', ':', '/']) => cell,
        _ => Cell::Bad,
    }
}

/// The signs of a result without its words, blanks and brackets; none where two numbers would become one without them.
fn signs_alone(text: &str) -> Option<String> {
    let is_left_out = |c: char| {
        c.is_alphabetic()
            || c.is_whitespace()
            || matches!(c, '(' | ')' | '[' | ']' | '.' | '*' | '?' | '_')
    };
    let is_digit = |c: char| c.is_ascii_digit();
    let (mut kept, mut left_out) = (String::with_capacity(text.len()), String::new());
    for (at, c) in text.char_indices() {
        if is_left_out(c) {
            left_out.push(c);
            continue;
        }
        if is_digit(c) && !left_out.is_empty() && kept.ends_with(is_digit) {
            // `1.250` and `1 250` are one number.
            let before = &kept[kept.trim_end_matches(is_digit).len()..];
            let behind = text[at..].chars().take_while(char::is_ascii_digit).count();
            let is_thousand = matches!(left_out.as_str(), "." | " ")
                && before.len() < 4
                && !before.starts_with('0')
                && behind == 3;
            if !is_thousand {
                return None;
            }
        }
        left_out.clear();
        kept.push(c);
    }
    Some(kept)
}

/// Whether halves stand behind whole numbers, as points of boards have them: `4,5:3,5`.
pub(super) fn has_half_among(text: &str) -> bool {
    let plain = plain(text).replace("1\u{2044}2", "½").replace(',', ".");
    let is_half = |part: &str| {
        let whole = part.strip_suffix(".5").or_else(|| part.strip_suffix('½'));
        whole.is_some_and(|whole| !whole.is_empty() && whole.bytes().all(|b| b.is_ascii_digit()))
    };
    let parts: Vec<&str> = plain.split(['-', ':', '\u{2013}']).map(str::trim).collect();
    parts.len() == 2 && parts.iter().any(|part| is_half(part))
}

/// Reads a cell.
pub(super) fn read(text: &str) -> Cell {
    // With this sign a spreadsheet is told that it is a text.
    let folded = signs(text.trim_start_matches('\''));
    if is_later(&folded) {
        return Cell::Open;
    }
    if let Some((score, by_penalties)) = before_overtime(&folded) {
        // Who won a drawn one nobody can tell.
        return match read(score) {
            Cell::Games { games, forfeit } if !by_penalties || games[0] != games[1] => {
                Cell::Games { games, forfeit }
            }
            _ => Cell::Bad,
        };
    }
    // An hour behind a score is no set, unless a set may end so.
    if let Some(games) =
        sets::counted(&folded).filter(|_| !sets::perhaps_hours(&folded).any(is_time))
    {
        return Cell::Games { games, forfeit: false };
    }
    if let Some((score, said)) = aside(&folded) {
        return beside(score, said);
    }
    let folded = folded
        .replace("n/a", "na")
        .replace("w/o", "wo")
        .replace("w.o.", "wo")
        .replace("no show", "noshow")
        .replace("no-show", "noshow");
    let folded = whole(&folded);
    if is_date(&folded) {
        return Cell::Date;
    }
    if let Some(games) = in_words(&folded) {
        return Cell::Games { games, forfeit: false };
    }
    let words: Vec<&str> =
        folded.split(|c: char| !c.is_alphabetic()).filter(|word| !word.is_empty()).collect();
    let Some(rest) = signs_alone(&folded) else { return Cell::Bad };
    let (mut outcome, mut forfeit, mut letter) = (None, false, None);
    for word in words {
        let said = match word {
            word if has(FORFEIT, word) => {
                forfeit = true;
                continue;
            }
            word if has(OPEN, word) && rest.chars().all(|c| c == '-') => return Cell::Open,
            word if has(WIN, word) => Outcome::First,
            word if has(LOSS, word) => Outcome::Second,
            word if has(DRAW, word) => Outcome::Draw,
            word if word.len() == 1 && letter.is_none() => {
                letter = word.chars().next();
                continue;
            }
            _ => return Cell::Bad,
        };
        if outcome.replace(said).is_some_and(|other| other != said) {
            return Cell::Bad;
        }
    }
    let number = match numbers(&rest) {
        Ok(number) => number,
        Err(cell) => {
            return if outcome.is_none() && letter.is_none() {
                with(cell, forfeit)
            } else {
                Cell::Bad
            };
        }
    };
    match (number, outcome, letter) {
        (None, None, None) if forfeit => Cell::Bad,
        (None, None, None) => Cell::Open,
        (None, Some(outcome), None) => Cell::Outcome { outcome, forfeit },
        (None, None, Some(letter)) if !forfeit => Cell::Letter(letter),
        (Some(games), said, None) if said.is_none_or(|said| said == winner(games)) => {
            Cell::Games { games, forfeit }
        }
        (Some(games), None, Some(letter)) => {
            // Fewer than in a column of letters, where all of them together tell what each is.
            let known = match winner(games) {
                Outcome::First => "wsvg",
                Outcome::Second => "lndp",
                _ => "dtuner",
            };
            match known.contains(letter) {
                true => Cell::Games { games, forfeit },
                false => Cell::Bad,
            }
        }
        _ => Cell::Bad,
    }
}

/// Whether words say no more than that nobody played.
pub(super) fn is_forfeit(text: &str) -> bool {
    let folded = plain(text)
        .replace("w/o", "wo")
        .replace("w.o.", "wo")
        .replace("no show", "noshow")
        .replace("no-show", "noshow");
    let mut words = folded.split_whitespace().peekable();
    words.peek().is_some() && words.all(|word| has(FORFEIT, word))
}

/// Games with a word or nothing between them: `2 zu 1`, `2 à 1`, `2 to 1`, `2x1`, `2 1`.
fn in_words(folded: &str) -> Option<[i32; 3]> {
    let words: Vec<&str> = folded.split(' ').filter(|word| !word.is_empty()).collect();
    let games = |word: &str| word.parse::<u8>().ok().filter(|games| *games < 100).map(i32::from);
    match words[..] {
        [one, between, other] if has("zu a to x per contra gegen v vs", between) => {
            Some([games(one)?, games(other)?, 0])
        }
        [one, other] => Some([games(one)?, games(other)?, 0]),
        [score] => {
            let (one, other) = score.split_once(['x', '\u{d7}'])?;
            Some([games(one)?, games(other)?, 0])
        }
        _ => None,
    }
}

/// The day and the month of a date that was a result; none where they cannot be told.
pub(super) fn of_date(text: &str) -> Option<[u8; 2]> {
    let folded = plain(text);
    let numbers: Vec<u16> = folded
        .split(|c: char| !c.is_ascii_digit())
        .filter_map(|number| number.parse().ok())
        .collect();
    let named = folded.split(|c: char| !c.is_alphabetic()).find_map(month);
    let small = |number: u16| u8::try_from(number).ok().filter(|number| (1..=31).contains(number));
    match (named, &numbers[..]) {
        (Some(month), [day, ..]) => Some([small(*day)?, month]),
        (None, [year, month, day]) if *year > 31 => Some([small(*day)?, small(*month)?]),
        (None, [day, month, year]) if *year > 31 => Some([small(*day)?, small(*month)?]),
        _ => None,
    }
}

/// A month by the first letters of its name.
fn month(word: &str) -> Option<u8> {
    let start = word.get(..3)?;
    let all = [
        "jan ene gen",
        "feb fev",
        "mar mrz",
        "apr abr avr",
        "mai may mag",
        "jun giu",
        "jul lug",
        "aug ago",
        "sep set",
        "oct okt ott out",
        "nov",
        "dec dez dic",
    ];
    (1..).zip(all).find(|(_, starts)| has(starts, start)).map(|(number, _)| number)
}

fn with(cell: Cell, is_forfeit: bool) -> Cell {
    match cell {
        Cell::Outcome { outcome, forfeit } => {
            Cell::Outcome { outcome, forfeit: forfeit || is_forfeit }
        }
        other => other,
    }
}

/// Whether a text is a time of day at which matches are played: `9:30`, `18:45`.
pub(super) fn is_time(text: &str) -> bool {
    text.trim().split_once(':').is_some_and(|(hour, minutes)| {
        let is_hour =
            hour.len() < 3 && hour.parse::<u8>().is_ok_and(|hour| (8..24).contains(&hour));
        let is_part = |minutes: u8| minutes < 60 && minutes.is_multiple_of(5);
        is_hour && minutes.len() == 2 && minutes.parse::<u8>().is_ok_and(is_part)
    })
}

/// Whether a text alone is rather a time of day than a score: a full hour from ten on, or a quarter.
pub(super) fn is_rather_a_time(text: &str) -> bool {
    let text = text.trim();
    let quarters = [":00", ":15", ":30", ":45"];
    is_time(text)
        && text.len() == 5
        && quarters.iter().any(|end| text.ends_with(end))
        && !text.starts_with('0')
}

/// Whether a text has three numbers.
pub(super) fn has_three(text: &str) -> bool {
    // Brackets behind a score are none of it.
    let text = text.split(['(', '[']).next().unwrap_or_default();
    text.split(|c: char| !c.is_ascii_digit()).filter(|part| !part.is_empty()).count() == 3
}

/// Whether a score is higher than games won in a match mostly are.
pub(super) fn is_high(games: &[i32; 3]) -> bool {
    games.iter().any(|games| *games > 9)
}

/// Whether scores are games won, or goals: most of them are small, and none is larger than goals can be. Otherwise
/// they are points of a game.
pub(super) fn are_games(scores: impl Iterator<Item = [i32; 3]>) -> bool {
    let (mut all, mut high, mut most) = (0, 0, 0);
    for games in scores {
        all += 1;
        high += usize::from(is_high(&games));
        most = most.max(games.into_iter().max().unwrap_or(0));
    }
    high * 2 < all.max(1) && most <= 30
}

/// Who has won more games.
pub(super) fn winner(games: [i32; 3]) -> Outcome {
    match games[0].cmp(&games[1]) {
        std::cmp::Ordering::Greater => Outcome::First,
        std::cmp::Ordering::Less => Outcome::Second,
        std::cmp::Ordering::Equal => Outcome::Draw,
    }
}

/// The games of a score; as an error what else the signs say.
fn numbers(rest: &str) -> Result<Option<[i32; 3]>, Cell> {
    let only = |outcome, forfeit| Err(Cell::Outcome { outcome, forfeit });
    match rest {
        "" | "-" => return Ok(None),
        "+" | "+-" | "+:-" | "+/-" | "+--" | "1-+" => return only(Outcome::First, true),
        "-+" | "-:+" | "-/+" | "--+" => return only(Outcome::Second, true),
        "--" | "-:-" | "-/-" | "---" | ":" => return Err(Cell::Dashes),
        "½" | "½-½" | "½:½" | "½/½" | "=" | "=-=" => return only(Outcome::Draw, false),
        "½-0" | "½:0" | "½/0" | "=-0" => return only(Outcome::HalfFirst, false),
        "0-½" | "0:½" | "0/½" | "0-=" => return only(Outcome::HalfSecond, false),
        "1" => return only(Outcome::First, false),
        "0" => return only(Outcome::Second, false),
        _ => {}
    }
    let parts: Option<Vec<i32>> = rest
        .split(['-', ':', '/'])
        .map(|part| {
            part.parse()
                .ok()
                .filter(|_| part.len() <= 4 && part.bytes().all(|b| b.is_ascii_digit()))
        })
        .collect();
    match parts.as_deref() {
        Some([first, second]) => Ok(Some([*first, *second, 0])),
        Some([first, second, drawn]) => Ok(Some([*first, *second, *drawn])),
        _ => Err(Cell::Bad),
    }
}

/// Whether a spreadsheet has made a date of a result: `02. Jan`, `1-Feb`, `2001-02-01`, `01.02.2026`, `46054`.
fn is_date(text: &str) -> bool {
    let is_month = |word: &str| {
        has(MONTHS, word)
            || (word.len() > 4
                && MONTHS.split_whitespace().any(|m| {
                    word.starts_with(m)
                        && m.len() >= 3
                        && !has(WIN, word)
                        && !has(LOSS, word)
                        && !has(DRAW, word)
                        && !has(FORFEIT, word)
                }))
    };
    let digits = text.bytes().any(|byte| byte.is_ascii_digit());
    let mut words = text.split(|c: char| !c.is_alphabetic()).filter(|word| !word.is_empty());
    if digits && words.any(is_month) {
        return true;
    }
    let groups: Vec<&str> =
        text.split(|c: char| !c.is_ascii_digit()).filter(|group| !group.is_empty()).collect();
    let dotted = text.contains('.') || text.contains('/');
    match groups.as_slice() {
        [one] => one.len() == 5 && text == *one,
        // No day and no month is 0.
        [one, two] if text.contains('/') && [one, two].iter().any(|number| **number == "0") => {
            false
        }
        [one, two] => {
            let is_bare =
                !text.contains(|c: char| c.is_alphabetic() || matches!(c, '-' | ':' | '+'));
            dotted && one.len() <= 4 && two.len() <= 4 && is_bare
        }
        [one, _, three, ..] => {
            one.len() == 4 || three.len() == 4 || dotted && !text.contains(['-', ':'])
        }
        [] => false,
    }
}
