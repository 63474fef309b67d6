//! The platforms whose events the deck cache holds.

use crate::error::shortened;
use crate::source::{PublishedRow, PublishedValue};
use crate::{Fault, ImportError};
use scrutineer_engine::event::UnknownFact;

/// Where a tournament was played, which decides how its file is to be read.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Platform {
    Melee,
    CardsRealm,
    ManaTraders,
    TopDeck,
    Mtgo,
}

const PLATFORMS: [(&str, &str, Platform); 5] = [
    ("melee.gg", "melee", Platform::Melee),
    ("cardsrealm.com", "cardsrealm", Platform::CardsRealm),
    ("manatraders.com", "manatraders", Platform::ManaTraders),
    ("topdeck.gg", "topdeck", Platform::TopDeck),
    ("mtgo.com", "mtgo", Platform::Mtgo),
];

impl Platform {
    /// The platform at an address, with its word.
    pub fn at(uri: &str) -> Result<(Platform, &'static str), ImportError> {
        let host = uri.split("://").nth(1).unwrap_or(uri).split(['/', '?', '#']).next();
        let host = host.unwrap_or("").to_ascii_lowercase();
        let on = |domain: &str| {
            host.strip_suffix(domain).is_some_and(|rest| rest.is_empty() || rest.ends_with('.'))
        };
        match PLATFORMS.iter().find(|(domain, _, _)| on(domain)) {
            Some((_, word, platform)) => Ok((*platform, word)),
            None => {
                let known = PLATFORMS.map(|(domain, _, _)| domain).join(", ");
                let uri = shortened(uri);
                Err(Fault::UnknownPlatform { uri, known }.at("Tournament.Uri"))
            }
        }
    }

    /// Whether a name stands for somebody of whom it says nothing: TopDeck's for an account that was
    /// removed, or none at all.
    pub(crate) fn is_unnamed(self, name: &str) -> bool {
        match self {
            Platform::CardsRealm => name.trim().is_empty(),
            Platform::TopDeck => name.trim() == "Deleted",
            _ => false,
        }
    }

    /// How many digits its percentages have; none: as many as a double prints.
    pub fn digits(self, published: &[PublishedRow]) -> Option<u8> {
        match self {
            Platform::CardsRealm | Platform::Mtgo => Some(4),
            Platform::ManaTraders => Some(3),
            // Eight, in later files seven: the longest value of the file tells.
            Platform::Melee => published.iter().flat_map(|row| &row.values).map(digits).max(),
            Platform::TopDeck => None,
        }
    }

    /// What its files never hold.
    pub fn unknown(self) -> Vec<UnknownFact> {
        use UnknownFact::*;
        let mut unknown = vec![SignUpOrder, Times, Tables, KindOfBye, Drops];
        if self == Platform::TopDeck {
            unknown.push(Games);
        }
        unknown.push(HowItEnded);
        if self == Platform::Mtgo {
            unknown.push(EarlierRounds);
        }
        unknown
    }
}

fn digits(value: &PublishedValue) -> u8 {
    let decimals = value.text.split_once('.').map_or(0, |(_, decimals)| decimals.len());
    u8::try_from(decimals).unwrap_or(u8::MAX).min(8)
}

/// The platform and the address without scheme, which changes more easily than the rest.
pub fn identity(platform: &str, uri: &str) -> String {
    let address = uri.trim().split("://").last().unwrap_or(uri).trim_end_matches('/');
    format!("{platform} {}", address.strip_prefix("www.").unwrap_or(address))
}
