//! Names as people compare them, and texts that turn nothing round that stands beside them.

use crate::book::is_unseen;
use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

/// A name as people compare it: without case, without what nobody sees, and without the wide forms
/// of letters.
pub fn folded(name: &str) -> String {
    // Most names: none of what follows has anything to do, but for case and spaces.
    if name.is_ascii() {
        let words = name.split_whitespace().map(str::to_ascii_lowercase);
        return words.collect::<Vec<_>>().join(" ");
    }
    // What nobody sees keeps marks from their letters, so it goes first; and what a wide form becomes
    // may be unseen too.
    let is_seen = |c: &char| c.is_whitespace() || !is_unseen(*c);
    let seen: String = name.chars().filter(is_seen).nfkc().filter(is_seen).collect();
    // Upper case first: `ß` and `SS` are the same.
    let lower = seen.to_uppercase().to_lowercase();
    lower.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// A name as it looks: folded, with Latin letters in place of the Cyrillic and Greek ones that are
/// drawn like them.
pub fn looks(name: &str) -> String {
    let like = |c: char| match c.is_ascii() {
        true => c,
        false => LOOKS.iter().find(|(from, _)| *from == c).map_or(c, |(_, to)| *to),
    };
    match name.is_ascii() {
        true => folded(name),
        false => folded(name).chars().map(like).collect(),
    }
}

/// A text without case and accents, as people type it: `José` and `JOSE` are the same.
pub fn plain(text: &str) -> String {
    let plain: String = text.nfkd().filter(|c| !is_combining_mark(*c)).nfc().collect();
    // Upper case first: `ß` and `SS` are the same.
    plain.to_uppercase().to_lowercase()
}

/// A name as lists put it in order: without case and accents, and letters with a stroke beside those without.
pub fn listed(name: &str) -> String {
    let without = |c: char| match c {
        'ł' => "l",
        'ø' => "o",
        'đ' | 'ð' => "d",
        'ħ' => "h",
        'ı' => "i",
        'æ' => "ae",
        'œ' => "oe",
        'þ' => "th",
        _ => "",
    };
    plain(&folded(name)).chars().fold(String::new(), |mut listed, c| {
        match without(c) {
            "" => listed.push(c),
            letters => listed.push_str(letters),
        }
        listed
    })
}

/// A name as it is looked for: as lists have it, and with umlauts spelled out, `mueller` for `Müller`.
pub fn sought(name: &str) -> [String; 2] {
    let spelled = folded(name).replace('ä', "ae").replace('ö', "oe").replace('ü', "ue");
    [listed(name), listed(&spelled)]
}

/// Whether a name has in it what was typed, as [`sought`] gives that.
pub fn is_sought(name: &str, typed: &[String; 2]) -> bool {
    sought(name).iter().zip(typed).any(|(name, typed)| name.contains(typed))
}

/// Whether a name has letters of two of these scripts in one word: Latin, Cyrillic, Greek.
pub fn mixes_scripts(name: &str) -> bool {
    let script = |c: char| match c {
        'a'..='z' | 'A'..='Z' | '\u{c0}'..='\u{24f}' => Some(0),
        '\u{370}'..='\u{3ff}' => Some(1),
        '\u{400}'..='\u{52f}' => Some(2),
        _ => None,
    };
    let mixed = |word: &str| {
        let mut scripts = word.chars().filter(|c| c.is_alphabetic()).filter_map(script);
        let first = scripts.next();
        scripts.any(|other| Some(other) != first)
    };
    name.split_whitespace().any(mixed)
}

/// Letters that are drawn like Latin ones, folded: from Unicode's list of confusable characters.
const LOOKS: [(char, char); 31] = [
    ('а', 'a'),
    ('в', 'b'),
    ('с', 'c'),
    ('е', 'e'),
    ('н', 'h'),
    ('і', 'i'),
    ('ј', 'j'),
    ('к', 'k'),
    ('м', 'm'),
    ('о', 'o'),
    ('р', 'p'),
    ('ѕ', 's'),
    ('т', 't'),
    ('у', 'y'),
    ('х', 'x'),
    ('ԁ', 'd'),
    ('ԛ', 'q'),
    ('ԝ', 'w'),
    ('α', 'a'),
    ('β', 'b'),
    ('ε', 'e'),
    ('η', 'h'),
    ('ι', 'i'),
    ('κ', 'k'),
    ('μ', 'm'),
    ('ν', 'n'),
    ('ο', 'o'),
    ('ρ', 'p'),
    ('τ', 't'),
    ('υ', 'y'),
    ('χ', 'x'),
];

/// Whether a character turns the direction of what stands beside it: Unicode's marks, embeddings,
/// overrides and isolates.
pub fn turns(c: char) -> bool {
    matches!(c, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// A text with a sign in place of each character that turns the direction of others.
pub fn unturned(text: &str) -> String {
    text.replace(turns, "\u{fffd}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_of_plain_letters_is_compared_as_one_with_accents_is() {
        for letter in (0..128u8).map(char::from) {
            let name = format!("X{letter}y");
            assert_eq!(folded(&name) + "é", folded(&format!("{name}É")), "{letter:?}");
            assert_eq!(looks(&name) + "a", looks(&format!("{name}а")), "{letter:?}");
        }
    }

    #[test]
    fn a_name_with_an_umlaut_is_found_however_that_is_typed() {
        let found = |name: &str, typed: &str| is_sought(name, &sought(typed));
        for typed in ["Müller", "muller", "MUELLER", "Jürgen", "juergen", "mu\u{308}ller"] {
            assert!(found("Jürgen Müller", typed), "{typed}");
        }
        assert!(found("Jo Mueller", "müller") && found("Ida Weiß", "weiss"));
        assert!(!found("Jo Muller", "mueller") && !found("Jürgen Müller", "moeller"));
    }

    #[test]
    fn a_list_has_letters_with_a_stroke_or_a_mark_beside_those_without() {
        let mut names = ["Tom", "Łukasz", "Zoe", "Şule", "Mia", "Øyvind", "Paul", "Lena", "Sven"];
        names.sort_by_key(|name| listed(name));
        assert_eq!(
            names,
            ["Lena", "Łukasz", "Mia", "Øyvind", "Paul", "Şule", "Sven", "Tom", "Zoe"]
        );
    }
}
