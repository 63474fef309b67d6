//! The editions of rules that are in a store, and how they are named where rules are asked for.

use scrutineer_desk::edition::{self, Edition};
use scrutineer_desk::orders::{Order, RulesetText};
use scrutineer_desk::verb_error::VerbError;
use scrutineer_engine::error::Code;
use std::path::Path as File;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::SystemTime;

/// What names an edition where rules are asked for.
const NAMES: &str = "edition:";
/// The editions of a store.
#[derive(Clone, Debug, Default)]
pub struct Known {
    /// Those of a key that somebody named here, the newest first.
    pub kept: Vec<Arc<Edition>>,
    /// Those that wait for that.
    pub offered: Vec<Arc<Edition>>,
    /// How many files cannot be relied on.
    pub bad: usize,
}

impl Known {
    /// Returns the edition that rules name, as `edition:46aa1b31394704e1`, and whether it is kept; none:
    /// they name something else.
    ///
    /// # Errors
    /// `no-such-edition`.
    pub fn named(&self, rules: &str) -> Result<Option<(Arc<Edition>, bool)>, VerbError> {
        let Some(name) = rules.strip_prefix(NAMES) else { return Ok(None) };
        let of = |all: &[Arc<Edition>]| all.iter().find(|one| one.name() == name).cloned();
        let found = of(&self.kept).map(|one| (one, true));
        let found = found.or_else(|| of(&self.offered).map(|one| (one, false)));
        match found {
            Some(found) => Ok(Some(found)),
            None => Err(edition::EditionError::NoSuch { name: name.into() }.into()),
        }
    }

    /// As [`Known::named`]; a ruleset that is not shipped is an edition that is kept here under its name too,
    /// the newest one.
    ///
    /// # Errors
    /// `no-such-edition`.
    pub fn called(&self, rules: &str) -> Result<Option<(Arc<Edition>, bool)>, VerbError> {
        if let Some(found) = self.named(rules)? {
            return Ok(Some(found));
        }
        let is_shipped = scrutineer_projections::ruleset::shipped_text(rules).is_some();
        let own = self.kept.iter().find(|one| one.id == rules).filter(|_| !is_shipped);
        Ok(own.map(|one| (Arc::clone(one), true)))
    }

    /// Returns what rules are called on a page: an edition by its name and its day.
    pub fn titled(&self, rules: &str) -> String {
        match self.called(rules) {
            Ok(Some((edition, _))) => edition.titled(),
            _ => rules.to_string(),
        }
    }

    /// All of them, those that are kept first.
    pub fn all(&self) -> impl Iterator<Item = &Arc<Edition>> {
        self.kept.iter().chain(&self.offered)
    }
}

/// Returns what names an edition where rules are asked for.
pub fn rules_of(edition: &Edition) -> String {
    format!("{NAMES}{}", edition.name())
}

/// When the two folders of editions changed last.
type Changed = [Option<SystemTime>; 2];

/// The editions of a store, read again when their folder changed.
#[derive(Default)]
pub struct Editions {
    at: Option<edition::Editions>,
    known: Mutex<(Changed, Arc<Known>)>,
}

impl Editions {
    /// Those of a store; none: it is in memory and has none.
    pub fn of(at: Option<edition::Editions>) -> Editions {
        Editions { at, known: Mutex::default() }
    }

    /// Returns where they are.
    ///
    /// # Errors
    /// Where the store is in memory and has none.
    pub fn at(&self) -> Result<&edition::Editions, VerbError> {
        self.at.as_ref().ok_or_else(|| {
            let (message, hint) = ("an invented tournament has no editions", "serve a store");
            VerbError::new(Code::invalid("demo-is-local"), message, hint)
        })
    }

    /// Returns them as they stand in the folder, into which [`edition::Editions::look`] brings what other servers
    /// take. What cannot be read is as if it were not there.
    pub fn now(&self) -> Arc<Known> {
        let Some(at) = &self.at else { return Arc::default() };
        let times = at.changed();
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if known.0 != times {
            *known = (times, Arc::new(read(at.folder())));
        }
        Arc::clone(&known.1)
    }
}

/// Reads those that stand in a folder. What cannot be read is as if it were not there.
fn read(store: &File) -> Known {
    let mut bad = 0;
    let mut good = |all: std::io::Result<edition::ByFile>| {
        let all = all.unwrap_or_default();
        let count = all.len();
        let read = all.into_iter().filter_map(|(_, read)| read.ok()).map(Arc::new);
        let mut read: Vec<Arc<Edition>> = read.collect();
        bad += count - read.len();
        read.sort_by(|one, other| other.time.cmp(&one.time).then_with(|| one.id.cmp(&other.id)));
        read
    };
    let (kept, offered) = (good(edition::kept(store)), good(edition::offered(store)));
    Known { kept, offered, bad }
}

/// Puts the texts of an edition into an order that names it.
///
/// # Errors
/// Where there is none of that name, or nobody has named its key.
pub fn resolved(known: &Known, order: Order) -> Result<Order, VerbError> {
    let Order::AmendRules(mut amend) = order else { return Ok(order) };
    match known.named(&amend.rules)? {
        None => {}
        Some((_, false)) => {
            let message = "nobody has named the key of this edition here";
            let hint =
                "the owner takes it with its key on the page /publisher, or `rules take` does";
            return Err(VerbError::new(Code::refused("edition-waits"), message, hint));
        }
        Some((edition, true)) => {
            let text = |file: &scrutineer_engine::event::RulesetFile| RulesetText {
                id: file.name.clone(),
                text: file.text.clone(),
            };
            amend.files = edition.rules.files.iter().map(text).collect();
            amend.rules.clone_from(&edition.id);
        }
    }
    Ok(Order::AmendRules(amend))
}
