//! The shipped rulesets, files of one's own beside them, and changes of single values.

mod change;
#[cfg(test)]
mod tests;

use super::parse::{Fault, Head, RulesetError, hash, head, near, parse};
use super::{Ruleset, limits};
use scrutineer_engine::event::{Day, RulesetFile};
use scrutineer_engine::names::{folded, unturned};
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

macro_rules! shipped_files {
    ($($id:literal),* $(,)?) => {
        [$(($id, include_str!(concat!("../../rulesets/", $id, ".toml")))),*]
    };
}

const SHIPPED: [(&str, &str); 33] = shipped_files![
    "as-published",
    "as-published-places",
    "battlefy",
    "battlefy-hct",
    "brackets",
    "cardsrealm",
    "carde",
    "carde-team",
    "commander-pods",
    "common",
    "fide-buchholz-2024",
    "fide-buchholz-2026",
    "fide-swiss-2026",
    "fide-team-swiss-2026",
    "fide-tiebreaks-2026",
    "flesh-and-blood",
    "go",
    "hgbts",
    "manatraders",
    "matches",
    "melee-2024-01",
    "melee-2024-06",
    "melee-2025-11",
    "melee-2025-11-10",
    "mtgo",
    "mtr",
    "mtr-single-game",
    "mtr-team",
    "netrunner",
    "pokemon",
    "splinterlands",
    "topdeck",
    "yugioh",
];

/// Rulesets that nobody chooses: standings go by them that were imported without a round.
const OF_STANDINGS: [&str; 2] = ["as-published", "as-published-places"];

/// How many rulesets are named whose ids are near.
const NEAR: usize = 3;

/// So many letters of a ruleset's name are enough to mean it.
const SPOKEN: usize = 4;

/// The texts that come with the program, shared ones too.
pub fn shipped() -> Vec<RulesetFile> {
    let file = |(name, text): (&str, &str)| RulesetFile { name: name.into(), text: text.into() };
    SHIPPED.map(file).to_vec()
}

/// The text that comes with the program under this name; none for another name.
pub fn shipped_text(name: &str) -> Option<&'static str> {
    SHIPPED.iter().find(|(known, _)| *known == name).map(|(_, text)| *text)
}

/// The hashes of the rulesets that come with the program, each with all that it extends.
pub fn shipped_hashes() -> &'static BTreeSet<[u8; 32]> {
    static HASHES: LazyLock<BTreeSet<[u8; 32]>> = LazyLock::new(|| {
        let library = Library::shipped();
        let ids = library.ids().into_iter().chain(OF_STANDINGS.map(str::to_owned));
        let chains = ids.filter_map(|id| library.chain(&id).ok());
        chains.map(|files| hash(&files)).collect()
    });
    &HASHES
}

/// What a ruleset is called, from its texts, nearest first: its id, and that it is not shipped where
/// it is none that comes with the program. Anybody can call a text like a shipped one.
pub fn called(files: &[RulesetFile]) -> String {
    let Some(file) = files.first() else { return "no ruleset".to_owned() };
    let id = unturned(&file.name);
    if shipped_hashes().contains(&hash(files)) {
        return id;
    }
    let not_shipped = "(not shipped)";
    let Some((base, changes)) = change::of(files) else { return format!("{id} {not_shipped}") };
    let changes: Vec<&str> = changes.split('+').map(without_section).collect();
    let changes = unturned(&changes.join(", "));
    match shipped_hashes().contains(&hash(&files[1..])) {
        true => format!("{base} with {changes} {not_shipped}"),
        false => format!("{} with {changes}", called(&files[1..])),
    }
}

/// A ruleset with changes of single values on top, as they stand behind the `+` of an expression: of
/// whatever texts it is, those of an edition or of a file too.
///
/// # Errors
/// Where a change is none, or what comes of it is no ruleset.
pub fn changed(files: &[RulesetFile], changes: &str) -> Result<Ruleset, RulesetError> {
    // Changes of changes are one text: so many may be made as there are values.
    let (own, files) = match change::of(files) {
        Some((_, own)) => (Some(own), &files[1..]),
        None => (None, files),
    };
    let key = |part: &str| part.split('=').next().map(|key| key.trim().to_owned());
    let set: BTreeSet<Option<String>> = changes.split('+').map(key).collect();
    let kept =
        own.into_iter().flat_map(|own| own.split('+')).filter(|part| !set.contains(&key(part)));
    let changes: Vec<&str> = kept.chain([changes]).collect();
    let changes = changes.join("+");
    let Some(base) = files.first() else { return parse(files) };
    let expression = format!("{}+{changes}", base.name);
    let top = change::file(&expression, &base.name, &changes, &head(base)?)?;
    let files: Vec<RulesetFile> = [top].into_iter().chain(files.iter().cloned()).collect();
    parse(&files).map_err(|error| change::retell(error, &expression))
}

/// A key as people say it: `settings.` goes without saying.
pub fn without_section(key: &str) -> &str {
    key.strip_prefix("settings.").unwrap_or(key)
}

/// What a list of rulesets says about one of them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edition {
    /// The ruleset's id.
    pub ruleset: String,
    /// Its name.
    pub name: String,
    /// The edition of the document it follows.
    pub edition: String,
    /// The document.
    pub source: String,
    /// What it extends.
    pub extends: Option<String>,
    /// The platform whose behaviour it follows, where it follows one.
    pub platform: Option<String>,
    /// The first day on which it is in force.
    pub from: Option<Day>,
    /// The last day on which it is known to be, where a later edition does not follow at once.
    pub until: Option<Day>,
    /// How many digits behind the point the platform printed at that time.
    pub printed_digits: Option<u8>,
}

#[derive(Clone)]
struct Held {
    head: Head,
    text: String,
    /// How faults name the file, where it isn't a shipped one.
    path: Option<String>,
}

/// Rulesets by id: the shipped ones and those that were loaded.
pub struct Library {
    held: BTreeMap<String, Held>,
}

impl Library {
    /// The shipped rulesets.
    pub fn shipped() -> Library {
        static SHIPPED: LazyLock<BTreeMap<String, Held>> = LazyLock::new(|| {
            let mut held = BTreeMap::new();
            for file in shipped() {
                // A test reads every shipped file, so none is left out here.
                if let Ok(head) = head(&file) {
                    held.insert(file.name, Held { head, text: file.text, path: None });
                }
            }
            held
        });
        Library { held: SHIPPED.clone() }
    }

    /// Adds a file; its id is the file's name without folder and `.toml`.
    pub fn load_file(&mut self, path: &str, text: &str) -> Result<String, RulesetError> {
        let id = stem(path).to_owned();
        let file = RulesetFile { name: id.clone(), text: text.to_owned() };
        if id.is_empty() || id.contains('+') || id.len() > limits::ID {
            let hint = "a name such as my-league.toml, without `+`".to_owned();
            return Err(at_file(path, "cannot be the file of a ruleset", Some(hint)));
        }
        let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
        if let Some(other) = id.chars().find(|c| !is_plain(*c)) {
            let message = format!("cannot be the file of a ruleset: its name has {other:?} in it");
            let hint = "letters a to z, digits, `-`, `_` and `.` are told apart from others: name it \
                        such as my-league.toml; its key `name` may be anything";
            return Err(at_file(path, &message, Some(hint.to_owned())));
        }
        let is_like = |(name, _): &&(&str, &str)| *name != id && folded(name) == folded(&id);
        if let Some((name, _)) = SHIPPED.iter().find(is_like) {
            let message = format!("looks like the shipped ruleset `{name}`");
            let hint = format!("name the file otherwise, such as {name}-mine.toml");
            return Err(at_file(path, &message, Some(hint)));
        }
        if self.held.get(&id).is_some_and(|held| held.text != text) {
            let message = format!("there is another ruleset with the id `{id}`");
            let hint = format!("name the file otherwise, such as {id}-mine.toml");
            return Err(at_file(path, &message, Some(hint)));
        }
        if !self.held.contains_key(&id) {
            let head = head(&file).map_err(|error| with_path(error, &id, path))?;
            let path = Some(path.to_owned());
            self.held.insert(id.clone(), Held { head, text: file.text, path });
        }
        Ok(id)
    }

    /// As [`Library::load_file`], from bytes that may be no text.
    pub fn load_bytes(&mut self, path: &str, bytes: &[u8]) -> Result<String, RulesetError> {
        match std::str::from_utf8(bytes) {
            Ok(text) => self.load_file(path, text),
            Err(error) => {
                let before = &bytes[..error.valid_up_to()];
                let line = before.iter().filter(|byte| **byte == b'\n').count() + 1;
                let message = format!("is not UTF-8 text (line {line})");
                Err(at_file(path, &message, None))
            }
        }
    }

    /// The ids that can be chosen, in order of the alphabet.
    pub fn ids(&self) -> Vec<String> {
        self.editions().into_iter().map(|edition| edition.ruleset).collect()
    }

    /// Every ruleset that can be chosen, by id.
    pub fn editions(&self) -> Vec<Edition> {
        let is_chosen = |id: &str| !OF_STANDINGS.contains(&id);
        let own = self.held.iter().filter(|(id, held)| !held.head.shared && is_chosen(id));
        own.map(|(id, held)| edition(id, &held.head)).collect()
    }

    /// The ruleset that follows a platform as it was on a day, without a day the newest; none for
    /// a day of which nobody knows how the platform computed. A platform computes old standings
    /// again: values with the `digits` that it prints only since a later edition are of that one.
    pub fn for_platform(
        &self,
        platform: &str,
        day: Option<Day>,
        digits: Option<u8>,
    ) -> Option<String> {
        let mut editions = self.editions();
        editions.retain(|edition| edition.platform.as_deref() == Some(platform));
        editions.sort_by_key(|edition| edition.from);
        let begun = |from: Option<Day>| day.is_none_or(|day| from.is_none_or(|from| from <= day));
        let (begun, later) = editions.split_at(editions.partition_point(|e| begun(e.from)));
        let latest = begun.last();
        // Of an edition that does not say its digits they tell nothing.
        let others = latest.is_none_or(|latest| {
            latest.printed_digits.is_some() && latest.printed_digits != digits
        });
        let prints = |edition: &&Edition| digits.is_some() && edition.printed_digits == digits;
        if let Some(again) = later.iter().find(prints).filter(|_| others) {
            return Some(again.ruleset.clone());
        }
        let latest = latest?;
        let is_over = day.is_some_and(|day| latest.until.is_some_and(|until| until < day));
        (!is_over).then(|| latest.ruleset.clone())
    }

    /// A ruleset's text and those it extends, nearest first. `id` may carry changes of single
    /// values: `mtr+points.draw=0+settings.percentage_floor=1/3`.
    pub fn chain(&self, id: &str) -> Result<Vec<RulesetFile>, RulesetError> {
        let Some((base, changes)) = id.split_once('+') else {
            return self.plain_chain(id);
        };
        let mut files = self.plain_chain(base)?;
        let held = &self.held[base];
        files.insert(0, change::file(id, base, changes, &held.head)?);
        Ok(files)
    }

    fn plain_chain(&self, id: &str) -> Result<Vec<RulesetFile>, RulesetError> {
        let mut files: Vec<RulesetFile> = Vec::new();
        let mut next = Some(id.to_owned());
        while let Some(id) = next {
            let Some(held) = self.held.get(&id) else {
                return Err(self.unknown(&id, files.last()));
            };
            let again = files.iter().any(|file| file.name == id);
            next = held.head.extends.clone().filter(|_| !again);
            if again {
                return Err(self.circle(&files, &id));
            }
            files.push(RulesetFile { name: id, text: held.text.clone() });
        }
        Ok(files)
    }

    /// The first file that a ruleset extends, directly or through others, and that is not here.
    pub fn lacks(&self, id: &str) -> Option<String> {
        let mut way = vec![id];
        while let Some(held) = self.held.get(*way.last()?) {
            let next = held.head.extends.as_deref().filter(|next| !way.contains(next))?;
            way.push(next);
        }
        way.last().map(|id| (*id).to_owned())
    }

    /// Reads a ruleset.
    pub fn ruleset(&self, id: &str) -> Result<Ruleset, RulesetError> {
        let files = self.chain(id)?;
        parse(&files).map_err(|error| self.with_paths(change::retell(error, id)))
    }

    fn with_paths(&self, mut error: RulesetError) -> RulesetError {
        for (id, held) in &self.held {
            if let Some(path) = &held.path {
                error = with_path(error, id, path);
            }
        }
        error
    }

    fn unknown(&self, id: &str, extended_by: Option<&RulesetFile>) -> RulesetError {
        let chosen = |held: &Held| extended_by.is_some() || !held.head.shared;
        let held: Vec<(&String, &Held)> = self.held.iter().filter(|(_, h)| chosen(h)).collect();
        let typed = id.to_lowercase();
        let mut near = near(&typed, held.iter().map(|(id, _)| id.as_str()));
        let called =
            |held: &Held| typed.len() >= SPOKEN && held.head.name.to_lowercase().contains(&typed);
        let named = held.iter().filter(|(id, held)| called(held) && !near.contains(&id.as_str()));
        let named: Vec<&str> = named.map(|(id, _)| id.as_str()).collect();
        near.extend(named);
        near.sort_by_cached_key(|near| {
            let held = &self.held[*near];
            let letters = if called(held) { 0 } else { strsim::osa_distance(&typed, near) };
            // A store hardly plays by what one platform computes.
            let of_platform = held.head.platform.is_some();
            (letters, of_platform, Reverse(held.head.effective_from), near.len(), Reverse(*near))
        });
        near.truncate(NEAR);
        // What is spelled most alike need not be what is meant: their names tell.
        let named = |near: &str| match self.held.get(near) {
            Some(held) => format!("`{near}` ({})", held.head.name),
            None => format!("`{near}`"),
        };
        let list = "`scrutineer rules list` shows every ruleset".to_owned();
        let hint = match &near[..] {
            [] => list,
            near => {
                let near: Vec<String> = near.iter().map(|near| named(near)).collect();
                format!("did you mean {}? {list}", near.join(" or "))
            }
        };
        let message = format!("there is no ruleset `{id}`");
        match extended_by {
            None => Fault::general(message, Some(hint)).into(),
            Some(file) => self.at_extends(&file.name, message, Some(hint)),
        }
    }

    fn circle(&self, files: &[RulesetFile], id: &str) -> RulesetError {
        let way: Vec<&str> = files.iter().map(|file| file.name.as_str()).chain([id]).collect();
        let last = files.last().map_or(id, |file| file.name.as_str());
        self.at_extends(last, format!("extends in a circle: {}", way.join(" -> ")), None)
    }

    /// A fault at the `extends` key of a file.
    fn at_extends(&self, id: &str, message: String, hint: Option<String>) -> RulesetError {
        let held = self.held.get(id);
        let text = held.map_or("", |held| held.text.as_str());
        let starts = |line: &str| line.trim_start().starts_with("extends");
        let line = text.lines().position(starts).map_or(0, |line| line + 1);
        let file = held.and_then(|held| held.path.clone()).unwrap_or(format!("{id}.toml"));
        let line = u32::try_from(line).unwrap_or(0);
        Fault { file, line, column: 1, key: "extends".to_owned(), message, hint }.into()
    }
}

fn edition(id: &str, head: &Head) -> Edition {
    Edition {
        ruleset: id.to_owned(),
        name: head.name.clone(),
        edition: head.edition.clone(),
        source: head.source.clone(),
        extends: head.extends.clone(),
        platform: head.platform.clone(),
        from: head.effective_from,
        until: head.effective_until,
        printed_digits: head.printed_digits,
    }
}

fn stem(path: &str) -> &str {
    let name = path.rsplit(['/', '\\']).next().unwrap_or(path);
    name.strip_suffix(".toml").unwrap_or(name)
}

fn at_file(path: &str, message: &str, hint: Option<String>) -> RulesetError {
    let mut fault = Fault::general(message, hint);
    fault.file = path.to_owned();
    fault.into()
}

/// Faults name a loaded file as it was given.
fn with_path(mut error: RulesetError, id: &str, path: &str) -> RulesetError {
    let name = format!("{id}.toml");
    for fault in error.faults.iter_mut().filter(|fault| fault.file == name) {
        fault.file = path.to_owned();
    }
    error
}
