//! What pages say to players, in the language of whoever reads: messages from `web/locales`.
//!
//! Pages of the staff are English, and so is what programs are told: codes, and the sentences of the log.

use fluent_bundle::concurrent::FluentBundle;
use fluent_bundle::{FluentArgs, FluentResource, FluentValue};
use std::fmt::Display;
use std::sync::LazyLock;

/// A language that pages speak.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Language {
    /// English.
    #[default]
    English,
    /// German.
    German,
}

/// The messages of a language.
type Messages = FluentBundle<FluentResource>;

static ENGLISH: LazyLock<Messages> = LazyLock::new(|| messages(Language::English));
static GERMAN: LazyLock<Messages> = LazyLock::new(|| messages(Language::German));

fn messages(language: Language) -> Messages {
    let tag = language.tag().parse().unwrap_or_default();
    let mut bundle = FluentBundle::new_concurrent(vec![tag]);
    // Names are set apart where they are put in; numbers need none of it.
    bundle.set_use_isolating(false);
    // What cannot be read is left out here; a test reads each file strictly.
    let (Ok(read) | Err((read, _))) = FluentResource::try_new(language.file().to_string());
    bundle.add_resource_overriding(read);
    bundle
}

/// What may stand in a message: a number, by which its words change, or a text.
pub trait Said {
    /// Returns it as the messages know it.
    fn said(&self) -> FluentValue<'static>;
}

impl Said for str {
    fn said(&self) -> FluentValue<'static> {
        FluentValue::from(self.to_string())
    }
}

impl Said for String {
    fn said(&self) -> FluentValue<'static> {
        self.as_str().said()
    }
}

macro_rules! numbers {
    ($($number:ty)+) => { $(
        impl Said for $number {
            fn said(&self) -> FluentValue<'static> {
                FluentValue::from(*self as f64)
            }
        }
    )+ };
}

numbers! { u8 u16 u32 u64 usize i32 i64 }

impl<T: Said + ?Sized> Said for &T {
    fn said(&self) -> FluentValue<'static> {
        (**self).said()
    }
}

impl Language {
    /// Every language.
    pub const ALL: [Language; 2] = [Language::English, Language::German];

    /// Returns its tag, such as `de`: for the attribute `lang`, the query `?lang=`, and the key of
    /// whatever keeps pages.
    pub const fn tag(self) -> &'static str {
        match self {
            Language::English => "en",
            Language::German => "de",
        }
    }

    /// Returns what it calls itself.
    pub const fn name(self) -> &'static str {
        match self {
            Language::English => "English",
            Language::German => "Deutsch",
        }
    }

    const fn file(self) -> &'static str {
        match self {
            Language::English => include_str!("../web/locales/en.ftl"),
            Language::German => include_str!("../web/locales/de.ftl"),
        }
    }

    /// Returns the language of a tag such as `de` or `de-AT`.
    pub fn of_tag(tag: &str) -> Option<Language> {
        let first = tag.trim().split('-').next().unwrap_or_default();
        Language::ALL.into_iter().find(|one| one.tag().eq_ignore_ascii_case(first))
    }

    /// Returns the language that a browser likes best by its `Accept-Language`; English where it likes
    /// none that there is.
    pub fn accepted(header: &str) -> Language {
        let weighed = header.split(',').take(50).filter_map(|part| {
            let mut fields = part.split(';');
            let tag = fields.next()?;
            let weight = fields.find_map(|field| field.trim().strip_prefix("q=")?.parse().ok());
            let weight: f32 = weight.unwrap_or(1.0);
            Some((Language::of_tag(tag)?, weight)).filter(|(_, weight)| *weight > 0.0)
        });
        // Of two that are liked as much, the first.
        let better = |best: Option<(Language, f32)>, one: (Language, f32)| match best {
            Some(best) if best.1 >= one.1 => Some(best),
            _ => Some(one),
        };
        weighed.fold(None, better).map_or(Language::English, |(language, _)| language)
    }

    fn say(self, key: &str, args: Option<&FluentArgs<'_>>) -> String {
        let bundle = match self {
            Language::English => &*ENGLISH,
            Language::German => &*GERMAN,
        };
        let Some(pattern) = bundle.get_message(key).and_then(|message| message.value()) else {
            return key.to_string();
        };
        bundle.format_pattern(pattern, args, &mut Vec::new()).into_owned()
    }

    /// Returns a message.
    pub fn t(self, key: &str) -> String {
        self.say(key, None)
    }

    /// Returns a message with one thing put in.
    pub fn a(self, key: &str, name: &'static str, value: impl Said) -> String {
        self.say(key, Some(&FluentArgs::from_iter([(name, value.said())])))
    }

    /// Returns a message with two things put in.
    pub fn b(
        self,
        key: &str,
        name: &'static str,
        value: impl Said,
        other: &'static str,
        second: impl Said,
    ) -> String {
        let args = FluentArgs::from_iter([(name, value.said()), (other, second.said())]);
        self.say(key, Some(&args))
    }

    /// Returns a message with whatever is put in.
    pub fn with<const N: usize>(self, key: &str, args: [(&'static str, &dyn Said); N]) -> String {
        let args = args.map(|(name, value)| (name, value.said()));
        self.say(key, Some(&FluentArgs::from_iter(args)))
    }

    /// Returns a word of a list that is known, such as why two meet: `because` and `same points` are
    /// `because-same-points`. One that has no message is shown as it is.
    pub fn word(self, list: &str, word: &str) -> String {
        let key = format!("{list}-{}", word.replace([' ', '_'], "-"));
        let said = self.say(&key, None);
        if said == key { word.to_string() } else { said }
    }

    /// Returns what a refusal is in the reader's words, by its code; none: it is said in English, as the refusal has it, with
    /// all that it names.
    pub fn refusal(self, code: &str) -> Option<String> {
        let key = format!("refusal-{code}");
        let said = self.say(&key, None);
        (self != Language::English && said != key).then_some(said)
    }

    /// Returns what a measure is called: the commonest in the reader's words, others as their ruleset has it.
    pub fn measure(self, label: &str) -> String {
        self.word("measure", label)
    }

    /// Returns points in words; those that are no whole number as they are.
    pub fn points(self, points: impl AsRef<str>) -> String {
        match points.as_ref().parse::<u32>() {
            Ok(whole) => self.a("points-n", "points", whole),
            Err(_) => self.a("points-n", "points", points.as_ref()),
        }
    }

    /// Returns a place, such as `9th`.
    pub fn place(self, rank: impl Display) -> String {
        let rank = rank.to_string();
        match (self, rank.parse::<u32>()) {
            (Language::English, Ok(rank)) => scrutineer_projections::ordinal(rank),
            _ => format!("{rank}."),
        }
    }
}

#[cfg(test)]
mod tests;
