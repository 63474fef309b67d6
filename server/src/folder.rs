//! The public pages of a tournament as files, for any web space: what a server gives to everybody, asked for
//! as everybody asks, with links from file to file.

mod links;
mod written;

use crate::elsewhere::Elsewhere;
use crate::query::encoded;
use crate::state::apart;
use links::{Links, file_of};
use scrutineer_desk::verb_error::VerbError;
use scrutineer_engine::error::Code;
use serde_json::Value;
use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, VecDeque};
use std::path::Path;
pub use written::Written;

/// Where the pages of a tournament begin; the first of them that there is becomes `index.html` too.
const BEGIN: [&str; 6] = ["round", "standings", "bracket", "log", "rules", "page"];
/// The most pages that are written.
const MOST_PAGES: usize = 100_000;

/// The public pages of a tournament of a server.
pub struct Published {
    from: Elsewhere,
    /// The id of the tournament.
    id: String,
    /// The language, by its tag, where one was chosen.
    language: Option<String>,
}

fn nothing_yet() -> VerbError {
    let hint = "publish the first round: `scrutineer publish`";
    let message = "nothing of a tournament is public yet";
    VerbError::new(Code::not_found("unknown-tournament"), message, hint)
}

impl Published {
    /// The tournament of this name, or the only one that is public there.
    ///
    /// # Errors
    /// Where there is no such tournament, or several.
    pub async fn of(
        from: Elsewhere,
        tournament: Option<&str>,
        language: Option<&str>,
    ) -> Result<Published, VerbError> {
        let named = match tournament {
            Some(name) => vec![read(&from, &format!("/tournaments/{}", encoded(name))).await?],
            None => match read(&from, "/tournaments").await? {
                Value::Object(mut all) => match all.remove("tournaments") {
                    Some(Value::Array(all)) => all,
                    _ => Vec::new(),
                },
                _ => Vec::new(),
            },
        };
        let id = |one: &Value| one["tournament"]["id"].as_str().map(str::to_string);
        let ids: Vec<String> = named.iter().filter_map(id).collect();
        match ids.len() {
            1 => Ok(Published { from, id: ids.concat(), language: language.map(str::to_string) }),
            0 => Err(nothing_yet()),
            count => {
                let message = format!("there are {count} tournaments");
                let hint = "name one with --tournament; each has a folder of its own";
                Err(VerbError::new(Code::not_found("which-tournament"), message, hint))
            }
        }
    }

    /// The id of the tournament.
    pub fn id(&self) -> &str {
        &self.id
    }

    /// Writes what changed since into a folder.
    ///
    /// # Errors
    /// Where the server refuses it or does not answer, or the folder cannot be written.
    pub async fn write(&self, folder: &Path) -> Result<Written, VerbError> {
        let files = self.files().await?;
        let (id, folder) = (self.id.clone(), folder.to_path_buf());
        apart(move || written::write(&folder, &id, &files)).await?
    }

    /// Every file by its name.
    async fn files(&self) -> Result<BTreeMap<String, Vec<u8>>, VerbError> {
        let base = format!("/t/{}", self.id.get(..8).unwrap_or(&self.id));
        let (mut pages, mut files) = (BTreeMap::new(), BTreeMap::new());
        let mut waiting: VecDeque<String> = BEGIN.map(String::from).into();
        while let Some(path) = waiting.pop_front() {
            let name = file_of(&path);
            if pages.contains_key(&name) || files.contains_key(&name) || pages.len() >= MOST_PAGES {
                continue;
            }
            let Some(bytes) = self.from.page(&self.asked(&base, &path)).await? else { continue };
            // It refers to nothing outside of itself.
            if path == "page" {
                files.insert(name, bytes.to_vec());
                continue;
            }
            let html = String::from_utf8_lossy(&bytes).into_owned();
            waiting.extend(Links::of(&html, &base).pages());
            pages.insert(name, html);
        }
        if pages.is_empty() {
            return Err(nothing_yet());
        }
        self.proofs(&mut files).await?;
        let begin = BEGIN.iter().map(|path| file_of(path)).find(|name| pages.contains_key(name));
        let known: Vec<String> = pages.keys().chain(files.keys()).cloned().collect();
        for (name, html) in &pages {
            let links = Links::of(html, &base);
            for path in links.styles() {
                let name = path.trim_start_matches("/s/").to_string();
                if let Entry::Vacant(place) = files.entry(name) {
                    let bytes = self.from.page(&path).await?.unwrap_or_default();
                    place.insert(bytes.to_vec());
                }
            }
            let page = links.between_files(&known).into_bytes();
            if begin.as_ref() == Some(name) {
                files.insert("index.html".into(), page.clone());
            }
            files.insert(name.clone(), page);
        }
        Ok(files)
    }

    /// What others check the log by, where everybody may have it.
    async fn proofs(&self, files: &mut BTreeMap<String, Vec<u8>>) -> Result<(), VerbError> {
        let path = format!("/api/v1/tournaments/{}", self.id);
        if let Some(bytes) = self.from.page(&format!("{path}/bundle")).await? {
            files.insert("tournament.bundle".into(), bytes.to_vec());
        }
        if let Some(bytes) = self.from.page(&format!("{path}/checkpoint")).await? {
            let signed: Value = serde_json::from_slice(&bytes).unwrap_or_default();
            let note = signed["checkpoint"].as_str().unwrap_or_default();
            files.insert("checkpoint.txt".into(), note.as_bytes().to_vec());
        }
        Ok(())
    }

    /// A page's whole path, in the language that was chosen.
    fn asked(&self, base: &str, path: &str) -> String {
        match &self.language {
            None => format!("{base}/{path}"),
            Some(tag) if path.contains('?') => format!("{base}/{path}&lang={tag}"),
            Some(tag) => format!("{base}/{path}?lang={tag}"),
        }
    }
}

/// Reads an answer for programs.
async fn read(from: &Elsewhere, path: &str) -> Result<Value, VerbError> {
    let bytes = from.ask("GET", &format!("/api/v1{path}"), Vec::new(), 0).await?;
    serde_json::from_slice(&bytes).map_err(|error| {
        let message = format!("{} answers what cannot be read: {error}", from.base());
        VerbError::new(
            Code::unknown_outcome("elsewhere-not-heard"),
            message,
            "look what runs there",
        )
    })
}
