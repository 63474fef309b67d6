//! Files that are sent to be looked at before anything is stored: read within bounds, and held in memory
//! for a while, each for whoever sent it.

use crate::house::secret;
use crate::problem::{bad_request, too_busy};
use axum::body::{Body, Bytes};
use axum::http::{HeaderMap, header};
use futures_util::StreamExt;
use scrutineer_desk::store::{AddError, Added};
use scrutineer_desk::verb_error::VerbError;
use scrutineer_engine::error::Code;
use scrutineer_formats::{Joined, join, join_rounds, part_of, rounds_of_one};
use std::collections::{BTreeMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use tokio::sync::Semaphore;
use tokio::time::timeout;

/// How large the files of an upload are together: as large as one file may be.
pub const MOST_BYTES: usize = scrutineer_formats::limits::FILE_BYTES;
/// What a form needs around its files.
const AROUND: usize = 256 << 10;
/// How many files an upload has.
pub const MOST_FILES: usize = 64;
/// How large all uploads are together that are held.
pub const MOST_HELD: usize = 2 * MOST_BYTES;
/// How long an upload is held.
pub const HELD_FOR: Duration = Duration::from_secs(60 * 60);
/// What an upload counts at least, so that no number of small ones is held without end.
const LEAST_BYTES: usize = 128 << 10;
/// How long the name is of several files that are put together, in characters.
const NAME: usize = 120;
/// How many uploads are read at a time.
const AT_A_TIME: usize = 2;
/// How long another one waits for that.
const PATIENCE: Duration = Duration::from_secs(10);

/// A file that was sent.
#[derive(Clone, Debug)]
pub struct Sent {
    /// Its name.
    pub name: String,
    /// All of it.
    pub bytes: Bytes,
}

/// Files that were sent together.
#[derive(Debug)]
pub struct Upload {
    /// By what it is asked for.
    pub id: String,
    /// The files.
    pub files: Vec<Sent>,
    /// Who sent it.
    principal: String,
    since: Instant,
    /// What became of the files that were to be stored, by their places.
    outcomes: Mutex<BTreeMap<usize, Result<Added, VerbError>>>,
}

impl Upload {
    fn size(&self) -> usize {
        self.files.iter().map(|file| file.bytes.len()).sum::<usize>().max(LEAST_BYTES)
    }

    fn lock(&self) -> MutexGuard<'_, BTreeMap<usize, Result<Added, VerbError>>> {
        self.outcomes.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Keeps what became of a file: once it is stored, that stands; a refusal stands until it is tried again.
    pub fn became(&self, at: usize, outcome: Result<Added, VerbError>) {
        let mut outcomes = self.lock();
        if !matches!(outcomes.get(&at), Some(Ok(_))) {
            outcomes.insert(at, outcome);
        }
    }

    /// Returns what became of a file, where it was stored.
    pub fn outcome(&self, at: usize) -> Option<Added> {
        self.lock().get(&at).and_then(|outcome| outcome.as_ref().ok().cloned())
    }

    /// Returns why a file was not stored when it was to be.
    pub fn refusal(&self, at: usize) -> Option<VerbError> {
        self.lock().get(&at).and_then(|outcome| outcome.as_ref().err().cloned())
    }
}

/// The uploads that are held, the oldest first.
pub struct Uploads {
    held: Mutex<VecDeque<Arc<Upload>>>,
    reading: Semaphore,
}

impl Default for Uploads {
    fn default() -> Uploads {
        Uploads { held: Mutex::default(), reading: Semaphore::new(AT_A_TIME) }
    }
}

/// Each file alone, but for those that are parts of one tournament, such as pages of an answer, or sheets of a round
/// each: these are put together into one.
///
/// # Errors
/// Where parts do not go together.
pub fn together(files: Vec<Sent>) -> Result<Vec<Sent>, VerbError> {
    if files.len() < 2 {
        return Ok(files);
    }
    let (mut alone, mut parts) = (Vec::new(), BTreeMap::<&str, Vec<Sent>>::new());
    for sent in files {
        match part_of(&sent.name, &sent.bytes) {
            Some(format) => parts.entry(format).or_default().push(sent),
            None => alone.push(sent),
        }
    }
    for mut parts in parts.into_values() {
        if parts.len() < 2 {
            alone.append(&mut parts);
            continue;
        }
        let files: Vec<(&str, &[u8])> =
            parts.iter().map(|one| (one.name.as_str(), &one.bytes[..])).collect();
        let bytes = join(&files).map_err(AddError::from)?.into();
        let names: Vec<&str> = files.iter().map(|(name, _)| *name).collect();
        let name = names.join(" + ").chars().take(NAME).collect();
        alone.push(Sent { name, bytes });
    }
    by_rounds(alone)
}

/// Puts sheets that are rounds of one tournament together.
fn by_rounds(files: Vec<Sent>) -> Result<Vec<Sent>, VerbError> {
    let all: Vec<(&str, &[u8])> =
        files.iter().map(|one| (one.name.as_str(), &one.bytes[..])).collect();
    let groups = rounds_of_one(&all);
    let mut joined = Vec::new();
    for group in &groups {
        let sheets: Vec<(&str, &[u8])> = group.iter().map(|at| all[*at]).collect();
        let Joined { title, bytes } = join_rounds(&sheets).map_err(AddError::from)?;
        let names: Vec<&str> = sheets.iter().map(|(name, _)| *name).collect();
        let name: String = title.unwrap_or_else(|| in_common(&names)).chars().take(NAME).collect();
        joined.push(Sent { name: format!("{name}.csv"), bytes: bytes.into() });
    }
    let is_alone = |at: &usize| groups.iter().all(|group| !group.contains(at));
    let alone = files.iter().enumerate().filter(|(at, _)| is_alone(at));
    let mut files: Vec<Sent> = alone.map(|(_, one)| one.clone()).collect();
    files.extend(joined);
    Ok(files)
}

/// What names of files begin with, all of them, as `Woche` of `Woche 1.csv` and `Woche 2.csv`; otherwise the first name.
fn in_common(names: &[&str]) -> String {
    let first =
        names.iter().min().map_or("", |name| name.rsplit_once('.').map_or(*name, |(stem, _)| stem));
    let is_in_all = |end: &usize| names.iter().all(|name| name.starts_with(&first[..*end]));
    let mut ends = first.char_indices().map(|(at, _)| at);
    let common =
        first[..ends.rfind(is_in_all).unwrap_or(0)].trim_end_matches(|c: char| !c.is_alphabetic());
    if common.chars().count() > 2 { common.to_owned() } else { first.to_owned() }
}

fn too_large() -> VerbError {
    let message = format!("an upload has at most {} MiB", MOST_BYTES >> 20);
    VerbError::new(Code::too_large("too-large"), message, "send fewer files at once")
}

impl Uploads {
    /// Reads a body, as much of it as an upload may have.
    ///
    /// # Errors
    /// `too-large`, or `too-busy` where others are being read.
    pub async fn read(&self, headers: &HeaderMap, body: Body) -> Result<Bytes, VerbError> {
        let length = headers.get(header::CONTENT_LENGTH).and_then(|value| value.to_str().ok());
        let length = length.and_then(|length| length.parse::<usize>().ok()).unwrap_or(0);
        let most = MOST_BYTES + AROUND;
        if length > most {
            return Err(too_large());
        }
        let turn = timeout(PATIENCE, self.reading.acquire()).await;
        let _turn = turn.map_err(|_| too_busy())?.map_err(|_| too_busy())?;
        let (mut all, mut parts) = (Vec::with_capacity(length), body.into_data_stream());
        while let Some(part) = parts.next().await {
            let part = part.map_err(|_| bad_request("the upload broke off"))?;
            if all.len() + part.len() > most {
                return Err(too_large());
            }
            all.extend_from_slice(&part);
        }
        Ok(all.into())
    }

    fn lock(&self) -> MutexGuard<'_, VecDeque<Arc<Upload>>> {
        let mut held = self.held.lock().unwrap_or_else(PoisonError::into_inner);
        held.retain(|upload| upload.since.elapsed() < HELD_FOR);
        held
    }

    /// Holds files for whoever sent them. Where there is no room, the oldest go.
    ///
    /// # Errors
    /// Where there are none, or too many.
    pub fn hold(&self, principal: &str, files: Vec<Sent>) -> Result<Arc<Upload>, VerbError> {
        if files.is_empty() {
            let message = "there is no file in this upload";
            let hint = "choose the file with the tournament, then send it";
            return Err(VerbError::new(Code::invalid("no-file"), message, hint));
        }
        if files.len() > MOST_FILES {
            let message = format!("an upload has at most {MOST_FILES} files");
            let hint = "send fewer files at once";
            return Err(VerbError::new(Code::too_large("too-many"), message, hint));
        }
        let id = secret()?.chars().take(32).collect();
        let (principal, since) = (principal.to_string(), Instant::now());
        if files.iter().map(|file| file.bytes.len()).sum::<usize>() > MOST_BYTES {
            return Err(too_large());
        }
        // A piece of a request would keep all of it.
        let own = |file: Sent| Sent { bytes: Bytes::copy_from_slice(&file.bytes), ..file };
        let files = files.into_iter().map(own).collect();
        let upload = Upload { id, files, principal, since, outcomes: Mutex::default() };
        let upload = Arc::new(upload);
        let mut held = self.lock();
        held.push_back(Arc::clone(&upload));
        while held.iter().map(|upload| upload.size()).sum::<usize>() > MOST_HELD {
            held.pop_front();
        }
        Ok(upload)
    }

    /// Returns the upload of this id, for whoever sent it.
    ///
    /// # Errors
    /// `no-such-upload`.
    pub fn find(&self, principal: &str, id: &str) -> Result<Arc<Upload>, VerbError> {
        let held = self.lock();
        let own = held.iter().find(|upload| upload.id == id && upload.principal == principal);
        own.map(Arc::clone).ok_or_else(|| {
            let message = "this upload is not held any more, or somebody else sent it";
            let hint = "choose the file again at /import: what was stored of it stays stored";
            VerbError::new(Code::not_found("no-such-upload"), message, hint)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(bytes: usize) -> Vec<Sent> {
        vec![Sent { name: "friday.csv".into(), bytes: vec![0; bytes].into() }]
    }

    #[test]
    fn an_upload_is_found_by_whoever_sent_it_alone() {
        let uploads = Uploads::default();
        let upload = uploads.hold("session a", file(3)).expect("held");
        assert_eq!(uploads.find("session a", &upload.id).expect("found").files[0].bytes.len(), 3);
        let code = |who: &str, id: &str| uploads.find(who, id).expect_err("hidden").code.word;
        assert_eq!(code("session b", &upload.id), "no-such-upload");
        assert_eq!(code("session a", "other"), "no-such-upload");
        assert_eq!(uploads.hold("session a", Vec::new()).expect_err("none").code.word, "no-file");
    }

    #[test]
    fn weeks_that_are_sent_together_are_called_by_what_their_names_share() {
        assert_eq!(in_common(&["Woche 2.csv", "Woche 1.csv", "Woche 10.csv"]), "Woche");
        assert_eq!(in_common(&["r2.csv", "r1.csv"]), "r1");
        assert_eq!(in_common(&["Runde 1.csv", "Finale.csv"]), "Finale");
    }

    #[test]
    fn the_oldest_uploads_go_where_there_is_no_room_for_a_new_one() {
        let uploads = Uploads::default();
        let hold = |bytes| uploads.hold("session a", file(bytes)).map(|upload| upload.id.clone());
        let first = hold(MOST_BYTES).expect("held");
        let second = hold(MOST_BYTES).expect("held");
        assert!(uploads.find("session a", &first).is_ok(), "there is room for {MOST_HELD} bytes");
        let third = hold(1).expect("held");
        assert!(uploads.find("session a", &first).is_err());
        assert!([second, third].iter().all(|id| uploads.find("session a", id).is_ok()));
        assert_eq!(hold(MOST_BYTES + 1).expect_err("too large").code.word, "too-large");
        let many = (0..=MOST_FILES).flat_map(|_| file(1)).collect();
        assert_eq!(uploads.hold("a", many).expect_err("too many").code.word, "too-many");
    }

    #[test]
    fn what_became_of_a_file_is_what_was_said_first() {
        let upload = Uploads::default().hold("a", file(1)).expect("held");
        let stream = scrutineer_engine::record::StreamId([1; 16]);
        upload.became(0, Ok(Added::New(stream)));
        upload.became(0, Ok(Added::Known(stream)));
        assert_eq!(upload.outcome(0), Some(Added::New(stream)));
        assert_eq!(upload.outcome(1), None);
    }
}
