//! Where the tournaments of a season stand.

use crate::args;
use crate::error::VerbError;
use crate::import::{PassedOver, Walked, ends_in, is_tournament, walk};
use crate::session::Session;
use scrutineer_desk::store::StoreAt;
use scrutineer_engine::error::Code;
use scrutineer_engine::record::StreamId;
use scrutineer_formats::ENDINGS;
use scrutineer_replay::bundle::{Header, header};
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::io::BufReader;
use std::path::{Path, PathBuf};

/// How the names of files end that hold a tournament of our own.
const OWN_ENDINGS: [&str; 2] = ["bundle", "handover"];

/// Where tournaments come from.
#[derive(Default)]
pub(super) struct Sources {
    pub(super) stores: Vec<StoreAt>,
    pub(super) files: Vec<PathBuf>,
    /// Those of the files that are bundles.
    pub(super) bundles: BTreeSet<PathBuf>,
    /// What is left out of their names.
    root: PathBuf,
}

impl Sources {
    /// What a source is called in the report.
    pub(super) fn name(&self, path: &Path) -> String {
        let rest = path.strip_prefix(&self.root).unwrap_or(path);
        rest.display().to_string()
    }

    /// What a store is called in the report.
    pub(super) fn name_of(&self, store: &StoreAt) -> String {
        match store {
            StoreAt::Folder(folder) => self.name(folder),
            StoreAt::Database(_) => String::new(),
        }
    }

    /// Looks which files are bundles. Of several bundles of one tournament that comes first which says that
    /// it is the longest: if it is in order, it is the one that counts.
    fn set_bundles_apart(&mut self) {
        let mut events: BTreeMap<StreamId, Vec<(Reverse<u64>, usize)>> = BTreeMap::new();
        for (at, path) in self.files.iter().enumerate() {
            let Some(header) = bundle_header(path) else { continue };
            self.bundles.insert(path.clone());
            events.entry(header.stream).or_default().push((Reverse(header.records), at));
        }
        let named = self.files.clone();
        for mut bundles in events.into_values() {
            let places: Vec<usize> = bundles.iter().map(|(_, at)| *at).collect();
            bundles.sort_unstable();
            for (place, (_, at)) in places.into_iter().zip(bundles) {
                self.files[place] = named[at].clone();
            }
        }
    }
}

/// The stores and files of a season: a store, a file, or whatever of them a folder holds.
pub(super) fn sources(session: &Session, options: &args::Rebuild) -> Result<Sources, VerbError> {
    let Some(season) = &options.season else {
        let store = session.existing_store()?.clone();
        let root = store.folder().to_path_buf();
        return Ok(Sources { root, stores: vec![store], ..Sources::default() });
    };
    let at = StoreAt::new(season, session.node.clone())?;
    let mut sources = Sources { root: season.clone(), ..Sources::default() };
    if let StoreAt::Database(_) = at {
        return Ok(Sources { stores: vec![at], ..sources });
    }
    if season.join("FORMAT").exists() {
        sources.stores.push(StoreAt::Folder(season.clone()));
    } else if season.is_dir() {
        let (mut found, mut passed_over) = (Walked::default(), PassedOver::default());
        let is_such = |path: &Path| {
            OWN_ENDINGS.iter().any(|known| ends_in(path, known)) || is_tournament(path)
        };
        walk(season, &is_such, &mut found, &mut passed_over);
        passed_over.tell();
        found.stores.sort();
        sources.stores = found.stores.into_iter().map(StoreAt::Folder).collect();
        for (path, readable) in found.files {
            readable?;
            sources.files.push(path);
        }
    } else {
        std::fs::metadata(season).map_err(|error| VerbError::file(season, &error))?;
        sources.files.push(season.clone());
        sources.root = season.parent().unwrap_or(Path::new("")).to_path_buf();
    }
    if sources.stores.is_empty() && sources.files.is_empty() {
        let message = format!("{} holds no store and no file of a tournament", season.display());
        return Err(VerbError::new(
            Code::not_found("no-files"),
            message,
            "name a store, or a folder of stores or files",
        ));
    }
    sources.files.sort();
    sources.set_bundles_apart();
    Ok(sources)
}

/// What the first line of a bundle says; none for every other file.
fn bundle_header(path: &Path) -> Option<Header> {
    let is_import = ENDINGS.iter().any(|end| ends_in(path, end));
    let file = File::open(path).ok().filter(|_| !is_import)?;
    header(&mut BufReader::new(file)).ok()?
}
