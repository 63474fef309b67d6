//! Whether a text names somebody, however it is written.

use super::Part;
use scrutineer_engine::names::plain;

/// Shorter ids are only looked for among ids: `7` stands in many texts.
const SHORTEST_ID: usize = 4;

/// A shorter word of a name says nothing by itself.
const SHORTEST_PART: usize = 3;

/// By what a person is known, as words.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Known {
    names: Vec<Vec<String>>,
    ids: Vec<Vec<String>>,
    /// Of the team that they are.
    members: Vec<Vec<String>>,
}

/// How a text mentions somebody.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Mention {
    /// Not at all.
    None,
    /// A word of their name stands in it.
    Part,
    /// Their name or their id stands in it.
    Whole,
    /// It is their name or their id and nothing else.
    Exactly,
}

impl Known {
    /// Somebody who is called this.
    pub fn by_name(name: &str) -> Known {
        let mut known = Known::default();
        known.add(Part::Name, name);
        known
    }

    /// Adds a name, an id or a member.
    pub(crate) fn add(&mut self, part: Part, text: &str) {
        let words = words(text);
        let list = match part {
            Part::Name => &mut self.names,
            Part::Id => &mut self.ids,
            Part::Member => &mut self.members,
        };
        if !words.is_empty() && !list.contains(&words) {
            list.push(words);
        }
    }

    /// Adds what else somebody is known by.
    pub(crate) fn extend(&mut self, other: Known) {
        let lists = [
            (&mut self.names, other.names),
            (&mut self.ids, other.ids),
            (&mut self.members, other.members),
        ];
        for (to, from) in lists {
            for words in from.into_iter().filter(|words| !words.is_empty()) {
                if !to.contains(&words) {
                    to.push(words);
                }
            }
        }
    }

    /// Whether nothing is known of them.
    pub fn is_empty(&self) -> bool {
        self.names.is_empty() && self.ids.is_empty() && self.members.is_empty()
    }

    /// Whether they share an id; none where one of them has none.
    pub(crate) fn same_id(&self, other: &Known) -> Option<bool> {
        let has_both = !self.ids.is_empty() && !other.ids.is_empty();
        has_both.then(|| self.ids.iter().any(|id| other.ids.contains(id)))
    }

    /// Whether they share a name.
    pub(crate) fn same_name(&self, other: &Known) -> bool {
        self.names.iter().any(|name| other.names.contains(name))
    }

    /// Whether their name or their id stands in a text, such as a path.
    pub fn is_in(&self, text: &str) -> bool {
        self.mention(text) >= Mention::Whole
    }

    /// Whether a text is their name or their id and nothing else.
    pub fn is_exactly(&self, text: &str) -> bool {
        self.mention(text) == Mention::Exactly
    }

    pub(crate) fn mention(&self, text: &str) -> Mention {
        let text = words(text);
        let exactly = |known: &&Vec<String>| **known == text;
        let names = || self.names.iter().chain(&self.members);
        if names().chain(&self.ids).any(|known| exactly(&known)) {
            return Mention::Exactly;
        }
        let long =
            |id: &&Vec<String>| id.iter().map(|w| w.chars().count()).sum::<usize>() >= SHORTEST_ID;
        let by_id = self.ids.iter().filter(long).any(|id| holds(&text, id));
        if by_id || names().any(|name| holds(&text, name) || holds(&text, &turned(name))) {
            return Mention::Whole;
        }
        let mut parts = names().flatten().filter(|part| part.chars().count() >= SHORTEST_PART);
        if parts.any(|part| text.contains(part)) { Mention::Part } else { Mention::None }
    }
}

/// `Ann Lee` as `Lee, Ann`.
fn turned(name: &[String]) -> Vec<String> {
    name.split_last()
        .map_or(Vec::new(), |(last, rest)| std::iter::once(last).chain(rest).cloned().collect())
}

/// Whether words stand in a text, one directly behind the other.
fn holds(text: &[String], wanted: &[String]) -> bool {
    !wanted.is_empty() && text.windows(wanted.len()).any(|found| found == wanted)
}

/// The words of a text without their case and accents. Where a script puts no spaces between
/// words, each character is one.
fn words(text: &str) -> Vec<String> {
    let plain = plain(text);
    let mut words: Vec<String> = Vec::new();
    let mut open = false;
    for c in plain.chars() {
        if !c.is_alphanumeric() {
            open = false;
        } else if is_unspaced(c) {
            words.push(c.into());
            open = false;
        } else if let Some(word) = words.last_mut().filter(|_| open) {
            word.push(c);
        } else {
            words.push(c.into());
            open = true;
        }
    }
    words
}

/// Thai, Lao, Burmese and Khmer; kana, ideographs and Hangul, to which particles are attached.
fn is_unspaced(c: char) -> bool {
    matches!(u32::from(c),
        0x0E00..=0x0EFF | 0x1000..=0x109F | 0x1780..=0x17FF | 0x3040..=0x30FF | 0x3400..=0x4DBF
        | 0x4E00..=0x9FFF | 0xAC00..=0xD7AF | 0xF900..=0xFAFF | 0x20000..=0x3FFFF)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mention(name: &str, text: &str) -> Mention {
        Known::by_name(name).mention(text)
    }

    #[test]
    fn a_name_is_found_however_it_is_written() {
        for (name, text) in [
            ("Ann Lee", "ann lee came late"),
            ("Ann Lee", "ANN LEE's slip was torn"),
            ("Ann Lee", "the slip of Lee, Ann"),
            ("Ann  Lee", "(Ann\u{a0}Lee)"),
            ("Zoë Müller", "ZOE MULLER called a judge"),
            ("Zoe\u{308} Mu\u{308}ller", "Zoë Müller"),
            ("Jörg Weiß", "JÖRG WEISS left"),
            ("Łukasz Żak", "łukasz żak: slow play"),
            ("O'Brien", "O’Brien conceded"),
            ("山田太郎", "山田太郎は遅刻"),
            ("김철수", "김철수가 늦었다"),
            ("Cid", "a warning for Cid."),
            ("Ann \"Ace\" Lee", "Ann Ace Lee"),
        ] {
            assert!(mention(name, text) >= Mention::Whole, "{name} in {text}");
        }
    }

    #[test]
    fn a_part_is_no_name_and_a_word_within_a_word_is_nothing() {
        assert_eq!(mention("Ann Lee", "Lee asked for a judge"), Mention::Part);
        assert_eq!(mention("Ann Lee", "Ann met Bob Lee"), Mention::Part);
        assert_eq!(mention("Ann Lee", "annoyed, asleep"), Mention::None);
        assert_eq!(mention("Cid", "an accident"), Mention::None);
        assert_eq!(mention("Al Ma", "al was late"), Mention::None, "two letters say nothing");
    }

    #[test]
    fn a_short_id_stands_in_many_texts() {
        let mut known = Known::default();
        known.add(Part::Id, "7");
        assert_eq!(known.mention("table 7"), Mention::None);
        assert_eq!(known.mention("7"), Mention::Exactly);
        known.add(Part::Id, "DCI-4711 0815");
        assert_eq!(known.mention("dci 4711 0815 asked"), Mention::Whole);
    }
}
