//! What every verb works with: the store, the rulesets, and how to answer.

use crate::args::Args;
use crate::beside::{Beside, Lent, may_record_in};
use crate::error::VerbError;
use crate::printable::printable;
use scrutineer_desk::asker::Asker;
use scrutineer_desk::hint::{Hint, HintPart};
use scrutineer_desk::keys::KeyFolder;
pub use scrutineer_desk::orders::{dated, load, no_such_round, scope, under_moment};
use scrutineer_desk::standing::Standing;
use scrutineer_desk::store::{Store, StoreAt, StoreError, is_copy};
use scrutineer_engine::book::Field;
use scrutineer_engine::error::Code;
use scrutineer_engine::event::RulesetFile;
use scrutineer_engine::log::RESTORE;
use scrutineer_engine::record::Actor;
pub use scrutineer_engine::record::to_hex as hex;
use scrutineer_projections::ruleset::{Library, Ruleset, parse};
use scrutineer_replay::loaded::LoadedTournament;
use scrutineer_store::{Mirror, Notice, Teller};
use std::cell::{Cell, RefCell};
use std::fs::File;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};
#[cfg(feature = "serve")]
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// The actor of what no named person did.
pub const PROGRAM: Actor = Actor(0);

/// How long a command waits for another one that has the store.
const PATIENCE: Duration = Duration::from_secs(3);

/// How much of a ruleset file is read; what is longer than a ruleset may be is refused later.
const RULESET_BYTES: usize = 1 << 20;

/// What a hint says where something of a store is damaged.
const RESTORED_FROM: &str = "`scrutineer restore --from <mirror or backup>`";
/// What it says where that store is a copy.
const COPIED_AGAIN: &str = "`scrutineer --store <store> backup <new folder>`";
/// The same of a damaged journal.
const COPY_AGAIN: &str = "the store itself is as it was; make another copy of it: \
                          `scrutineer --store <store> backup <new folder>`";
/// What a hint says where a database's records are damaged, over which nothing is brought back.
const RESTORE_DATABASE: &str = "whoever runs the database restores it to a time before the damage (docs/OPERATIONS.md, Restore \
                                to a point in time), or brings a backup into an empty one: `scrutineer restore --from <backup>`";

/// What is typed on the other laptop, the desk: the store here is none to name there.
const AT_THE_DESK: [&str; 2] = ["serve --second-code", "adopt <handover>"];
/// How a command begins that somebody else types, with their store and their keys.
const THEIRS: &str = "--store <its store> ";

/// What stands before a command to type next.
const NEXT: &str = "next: ";

/// Where somebody typed that the store and the keys are, by its option: a hint has to name it too.
static TYPED: OnceLock<Vec<(&'static str, String)>> = OnceLock::new();

/// What every verb works with.
pub struct Session {
    /// Where the store is.
    pub store: StoreAt,
    /// The node folder, where somebody named one.
    pub node: Option<PathBuf>,
    /// Who asks at the desk, and by what means.
    pub asker: Asker,
    /// What is to be done about the store's mirror.
    pub mirror: Mirror,
    /// The same for the next opening of [`Session::opener`]; what was done once the store has in mind.
    #[cfg(feature = "serve")]
    pub next_mirror: Arc<Mutex<Mirror>>,
    /// Whether to answer in JSON.
    pub json: bool,
    /// Whether what is looked at is not the log that was signed here last.
    pub in_doubt: Cell<bool>,
    /// The rulesets.
    pub rulesets: RefCell<Library>,
    /// The stores that their servers have closed for this command.
    lent: RefCell<Vec<Lent>>,
    /// The folders of which the other laptop was asked.
    asked: RefCell<Vec<PathBuf>>,
}

impl Session {
    /// A session for these arguments.
    pub fn new(args: &Args) -> Result<Session, VerbError> {
        let rulesets = RefCell::new(Library::shipped());
        let (person, rehearse) = (args.person.clone(), args.rehearse.clone());
        let person = person.map(|name| name.trim().to_string());
        if let Some(why) = person.as_deref().and_then(|name| Field::Staff.objection(name)) {
            let message = format!("the name that --as gives {why}");
            let hint = "type it like --as \"Ann Lee\", or leave it out";
            return Err(VerbError::new(Code::invalid("bad-name"), message, hint));
        }
        // A rehearsal's keys are foreseen like its draws: they are kept only where somebody says.
        let keys = args.keys.clone().or_else(|| key_folder().filter(|_| rehearse.is_none()));
        let (store, keys) = (StoreAt::new(&args.store, args.node.clone())?, KeyFolder::new(keys));
        let mirror = match &args.mirror {
            None => Mirror::AsBefore,
            Some(folder) if folder.as_os_str() == "none" => Mirror::Off,
            Some(folder) => Mirror::In(folder.clone()),
        };
        let typed_store = (args.clicked || was_typed("--store")).then(|| store.to_string());
        let typed_keys = args.keys.as_ref().filter(|_| was_typed("--keys"));
        let typed_keys = typed_keys.map(|folder| folder.display().to_string());
        let typed = [("--store", typed_store), ("--keys", typed_keys)];
        let typed = typed.into_iter().filter_map(|(option, typed)| Some((option, typed?)));
        // There is one session.
        let _ = TYPED.set(typed.collect());
        let named = std::env::var("SCRUTINEER_TOURNAMENT").ok();
        Ok(Session {
            store,
            node: args.node.clone(),
            asker: Asker { person, player: None, keys, rehearse, named, engine: None },
            #[cfg(feature = "serve")]
            next_mirror: Arc::new(Mutex::new(mirror.clone())),
            mirror,
            json: args.json,
            in_doubt: Cell::new(false),
            rulesets,
            lent: RefCell::default(),
            asked: RefCell::default(),
        })
    }

    /// Opens the store; what its user should know goes to standard error.
    pub fn store(&self) -> Result<Store, VerbError> {
        self.open(&self.store, false)
    }

    /// As [`Session::store`], the store that is there. One that can't be written is read.
    pub fn store_in(&self, at: &StoreAt) -> Result<Store, VerbError> {
        self.open(at, false)
    }

    /// As [`Session::opened_store`], for a verb that only reads: it waits for nobody, sees what
    /// stands in the journal while another desk writes, and keeps no desk from writing.
    pub fn store_to_read(&self) -> Result<Store, VerbError> {
        self.store_to_read_in(self.existing_store()?)
    }

    /// As [`Session::store_to_read`], the store that is there.
    pub fn store_to_read_in(&self, at: &StoreAt) -> Result<Store, VerbError> {
        let StoreAt::Folder(folder) = at else { return self.open(at, true) };
        if self.mirror == Mirror::AsBefore
            && let Some(store) = Store::open_closed(folder)
        {
            return Ok(store.or_sled().with_keys(self.asker.keys.clone()));
        }
        let store = self.open(at, true)?;
        // It is in order now, as far as anybody knows, and can be read for as long as it takes.
        // Where the journal can't be, there is nothing else to read.
        Ok(match store.is_read_only() {
            true => store,
            false => self.read_only(folder).unwrap_or(store),
        })
    }

    /// As [`Session::opened_store`], for a verb that looks at sled and the mirror too; while
    /// another desk writes, it looks at the rest. A mirror or a backup is looked at as it is.
    pub fn store_to_check(&self) -> Result<Store, VerbError> {
        match self.existing_store()? {
            StoreAt::Folder(folder) if is_copy(folder) => {
                Ok(Store::open_to_read(folder)?.with_keys(self.asker.keys.clone()))
            }
            at => self.open(at, true),
        }
    }

    fn open(&self, at: &StoreAt, reads: bool) -> Result<Store, VerbError> {
        let store = at.folder();
        if !reads {
            self.may_record_in(store)?;
        }
        let started = Instant::now();
        let mirror = if *at == self.store { self.mirror.clone() } else { Mirror::AsBefore };
        loop {
            let tell = Teller(Arc::new(tell));
            match Store::open_at(at, mirror.clone(), Some(tell)) {
                Err(error) if error.in_use() && reads => {
                    return Ok(self.read_only(store)?);
                }
                // A server gives it back when this command has ended.
                Err(error) if error.in_use() && self.is_lent(store)? => {}
                // Another desk is at it; most commands take a moment.
                Err(error) if error.in_use() && started.elapsed() < PATIENCE => {
                    std::thread::sleep(Duration::from_millis(20));
                }
                Err(error) if error.read_only() && store.join("FORMAT").exists() => {
                    let unwritten = match mirror {
                        Mirror::In(_) => ", and no mirror is written",
                        Mirror::AsBefore | Mirror::Off => "",
                    };
                    say_with_code(&format!("{error}, so it is only read{unwritten}"), "read-only");
                    return Ok(self.read_only(store)?);
                }
                opened => return Ok(opened?.with_keys(self.asker.keys.clone())),
            }
        }
    }

    /// Refuses to record in the store of a folder that is not the desk's. Where it has another laptop, that is
    /// asked first, once: it may have become the desk meanwhile.
    pub fn may_record_in(&self, store: &Path) -> Result<(), VerbError> {
        if self.asked.borrow().iter().any(|asked| asked == store) {
            return Standing::read(store)?.check();
        }
        self.asked.borrow_mut().push(store.to_path_buf());
        if let Some(note) = may_record_in(store)? {
            say(&note);
        }
        Ok(())
    }

    /// Whether a store that is in use was lent by its server just now.
    fn is_lent(&self, store: &Path) -> Result<bool, VerbError> {
        let mut lent = self.lent.borrow_mut();
        // Once: whoever took it in between is another command, and is waited for.
        if !lent.is_empty() {
            return Ok(false);
        }
        let Some(server) = Beside::of(store) else { return Ok(false) };
        lent.push(server.lend()?);
        Ok(true)
    }

    fn read_only(&self, store: &Path) -> Result<Store, StoreError> {
        Ok(Store::open_to_read(store)?.or_sled().with_keys(self.asker.keys.clone()))
    }

    /// What opens the store, also on another thread; it waits for a command that has it.
    #[cfg(feature = "serve")]
    pub fn opener(&self) -> impl Fn() -> Result<Store, VerbError> + Send + Sync + use<> {
        let (store, next) = (self.store.clone(), Arc::clone(&self.next_mirror));
        let keys = self.asker.keys.clone();
        move || {
            let started = Instant::now();
            loop {
                let tell = Teller(Arc::new(tell));
                let mirror = next.lock().unwrap_or_else(PoisonError::into_inner).clone();
                match Store::open_at(&store, mirror, Some(tell)) {
                    Err(error) if error.in_use() && started.elapsed() < PATIENCE => {
                        std::thread::sleep(Duration::from_millis(20));
                    }
                    opened => {
                        let opened = opened?;
                        *next.lock().unwrap_or_else(PoisonError::into_inner) = Mirror::AsBefore;
                        return Ok(opened.with_keys(keys.clone()));
                    }
                }
            }
        }
    }

    /// Has a server that has the store mirror it as `--mirror` says, before anything else is done.
    pub fn mirror_by_server(&self) -> Result<(), VerbError> {
        let folder = match &self.mirror {
            Mirror::AsBefore => return Ok(()),
            Mirror::Off => None,
            Mirror::In(folder) => {
                let absolute = std::path::absolute(folder);
                Some(absolute.map_err(|error| VerbError::file(folder, &error))?)
            }
        };
        match (Beside::of(self.folder()), &self.store) {
            (Some(server), StoreAt::Folder(_)) => server.mirror(folder.as_deref()),
            (Some(_), StoreAt::Database(_)) if folder.is_some() => {
                Err(StoreError::NoMirror { shown: self.store.to_string() }.into())
            }
            _ => Ok(()),
        }
    }

    /// A text whose commands can be typed as they stand: with the store and the keys, where those were typed too.
    /// Nothing is brought back into a copy:
    /// another one is made; nor over what a database has.
    pub fn in_this_store(&self, text: &str) -> String {
        let [restore, from] = match self.store.in_folder() {
            None => [RESTORE_DATABASE, RESTORED_FROM],
            Some(folder) if is_copy(folder) => [COPY_AGAIN, COPIED_AGAIN],
            Some(_) => [RESTORE, RESTORED_FROM],
        };
        let text = text.replace(RESTORE, restore).replace(RESTORED_FROM, from);
        hint_in(&text)
    }

    /// Whether the store is a mirror or a backup of another one.
    pub fn is_copy(&self) -> bool {
        self.store.in_folder().is_some_and(is_copy)
    }

    /// As [`Session::in_this_store`], a command alone.
    pub fn command_in_this_store(&self, command: &str) -> String {
        command_in(command)
    }

    /// Refuses an address of a database where a folder is meant: none of that name is made.
    pub fn check_folder(&self, typed: &Path, instead: &str) -> Result<(), VerbError> {
        match StoreAt::new(typed, self.node.clone())? {
            StoreAt::Folder(_) => Ok(()),
            at => {
                let message = format!("{at} is a database, and a folder is meant here");
                Err(VerbError::new(Code::invalid("folder-is-meant"), message, instead.to_string()))
            }
        }
    }

    /// The folder in which this machine keeps what is no part of the log.
    pub fn folder(&self) -> &Path {
        self.store.folder()
    }

    /// Whether there is a store. Whether a database has one is seen when it is opened.
    pub fn has_store(&self) -> bool {
        match &self.store {
            StoreAt::Folder(folder) => folder.join("FORMAT").exists(),
            StoreAt::Database(_) => true,
        }
    }

    /// Opens the store that is there: none is made.
    pub fn opened_store(&self) -> Result<Store, VerbError> {
        self.open(self.existing_store()?, false)
    }

    /// Where the store is, where there is one.
    pub fn existing_store(&self) -> Result<&StoreAt, VerbError> {
        if !self.has_store() {
            let hint = match self.folder().join("journal").exists() {
                true => "its file FORMAT is gone: `scrutineer restore --from <mirror or backup>`",
                false => {
                    "name its folder with --store, or make one: `scrutineer new <title>` or \
                     `scrutineer import <file>`"
                }
            };
            let message = format!("there is no store in {}", self.store);
            return Err(VerbError::new(Code::not_found("no-store"), message, hint));
        }
        Ok(&self.store)
    }

    /// The texts of a ruleset by id, by file, or by id with changes.
    pub fn ruleset_files(&self, name: &str) -> Result<Vec<RulesetFile>, VerbError> {
        let id = self.ruleset_id(name)?;
        Ok(self.rulesets.borrow().chain(&id)?)
    }

    /// A ruleset by id, by file, or by id with changes.
    pub fn ruleset(&self, name: &str) -> Result<Ruleset, VerbError> {
        let id = self.ruleset_id(name)?;
        Ok(self.rulesets.borrow().ruleset(&id)?)
    }

    /// The id under which a ruleset is known; a file is loaded first.
    pub fn ruleset_id(&self, name: &str) -> Result<String, VerbError> {
        let (base, changes) = match name.split_once('+') {
            Some((base, changes)) => (base, Some(changes)),
            None => (name, None),
        };
        let looks_like_file = base.ends_with(".toml") || base.contains(['/', '\\']);
        let id = match looks_like_file {
            true => self.load_ruleset(Path::new(base))?,
            false => base.to_string(),
        };
        Ok(changes.map_or(id.clone(), |changes| format!("{id}+{changes}")))
    }

    /// Loads a ruleset file and gives its id. What it extends is a shipped ruleset, or a file
    /// beside it.
    pub fn load_ruleset(&self, path: &Path) -> Result<String, VerbError> {
        let mut rulesets = self.rulesets.borrow_mut();
        let load = |rulesets: &mut Library, path: &Path| -> Result<String, VerbError> {
            let bytes = read_bounded(path, RULESET_BYTES)?;
            Ok(rulesets.load_bytes(&path.display().to_string(), &bytes)?)
        };
        let id = load(&mut rulesets, path)?;
        // Each file is loaded once, also where they extend each other: then nothing is lacking.
        while let Some(base) = rulesets.lacks(&id) {
            let beside = path.with_file_name(format!("{base}.toml"));
            if !beside.exists() || load(&mut rulesets, &beside)? != base {
                break;
            }
        }
        Ok(id)
    }

    /// The ruleset asked for, or the tournament's own.
    pub fn rules(
        &self,
        event: &LoadedTournament,
        asked: Option<&str>,
    ) -> Result<Arc<Ruleset>, VerbError> {
        Ok(Arc::new(match asked {
            Some(name) => self.ruleset(name)?,
            None => parse(event.state.ruleset().unwrap_or_default())?,
        }))
    }
}

/// What its user should know, on standard error.
pub fn say(note: &str) {
    let _ = writeln!(anstream::stderr(), "note: {}", printable(&hint_in(note)));
}

/// What its user should know about the store, on standard error.
fn tell(notice: &Notice) {
    say_with_code(&hint_in(&notice.text), notice.code);
}

/// Whether an option stands on the command line, and not only in the environment.
fn was_typed(option: &str) -> bool {
    let typed = std::env::args_os().skip(1).take_while(|word| word != "--");
    let mut words = typed.map(|word| word.to_string_lossy().into_owned());
    words.any(|word| {
        word.strip_prefix(option)
            .is_some_and(|rest| matches!(rest.chars().next(), None | Some('=')))
    })
}

/// The commands of a text name the store and the keys that were typed: as they stand they would ask others.
pub fn hint_in(text: &str) -> String {
    let hint = Hint::from(text);
    let parts = hint.parts().into_iter().map(|part| match part {
        HintPart::Words(words) => words.to_string(),
        HintPart::Command(command) => {
            format!("`{}`", command_in(&format!("scrutineer {}", command.typed())))
        }
    });
    let text: String = parts.collect();
    let lines = text.split_inclusive('\n').map(|line| match line.split_once(NEXT) {
        Some((before, next)) => format!("{before}{NEXT}{}", command_in(next)),
        None => line.to_string(),
    });
    lines.collect()
}

/// A command with the store and the keys that were typed, where it names none.
fn command_in(command: &str) -> String {
    let Some(words) = command.strip_prefix("scrutineer ") else { return command.to_string() };
    if AT_THE_DESK.contains(&words) || words.starts_with(THEIRS) {
        return command.to_string();
    }
    let typed = TYPED.get().into_iter().flatten();
    let typed = typed.filter(|(option, _)| !words.contains(option));
    let typed = typed.map(|(option, typed)| format!("{option} {} ", quoted(typed.clone())));
    format!("scrutineer {}{words}", typed.collect::<String>())
}

/// A path as it is typed in a command.
pub fn typed_path(path: &Path) -> String {
    quoted(path.display().to_string())
}

fn quoted(word: String) -> String {
    if word.contains([' ', '&', '?']) { format!("\"{word}\"") } else { word }
}

fn say_with_code(text: &str, code: &str) {
    let _ = writeln!(anstream::stderr(), "note: {text}   [{code}]");
}

/// Where a user's keys are: beside their other settings, as the platform has it.
fn key_folder() -> Option<PathBuf> {
    let set = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty());
    let settings = match set("XDG_CONFIG_HOME").or_else(|| set("APPDATA")) {
        Some(settings) => PathBuf::from(settings),
        None => std::env::home_dir().filter(|home| !home.as_os_str().is_empty())?.join(".config"),
    };
    Some(settings.join("scrutineer").join("keys"))
}

/// Reads a file whole, unless it is larger than anything that is read; a device may have no end.
pub fn read_bounded(path: &Path, limit: usize) -> Result<Vec<u8>, VerbError> {
    let read = File::open(path).and_then(|file| bounded(file, limit));
    read.map_err(|error| VerbError::file(path, &error))
}

/// Reads everything, unless it is more than `limit` bytes.
pub fn bounded(from: impl Read, limit: usize) -> std::io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    from.take(limit as u64 + 1).read_to_end(&mut bytes)?;
    match bytes.len() <= limit {
        true => Ok(bytes),
        false => {
            let message = format!("it has more than the {limit} bytes that are read");
            Err(std::io::Error::other(message))
        }
    }
}
