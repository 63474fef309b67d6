//! Where the tournaments of a season stand.

use crate::args;
use crate::error::VerbError;
use crate::import::{Given, PassedOver, Walked, ends_in, is_tournament, together, walk};
use crate::session::Session;
use scrutineer_desk::store::StoreAt;
use scrutineer_engine::error::Code;
use scrutineer_engine::record::StreamId;
use scrutineer_formats::ENDINGS;
use scrutineer_replay::bundle::{Header, header};
use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::fs::File;
use std::io::BufReader;
use std::path::{Path, PathBuf};

/// How the names of files end that hold a tournament of our own.
const OWN_ENDINGS: [&str; 2] = ["bundle", "handover"];

/// Where tournaments come from.
#[derive(Default)]
pub(super) struct Sources {
    pub(super) stores: Vec<StoreAt>,
    pub(super) files: Vec<InFile>,
    /// What is left out of their names.
    root: PathBuf,
}

/// A tournament outside stores.
pub(super) enum InFile {
    /// In a bundle.
    Bundle(PathBuf),
    /// In a file of another program, or in several that `import` reads as one.
    Read(Given),
}

impl InFile {
    /// Where it stands; of several files their folder and what they are called together.
    pub(super) fn path(&self) -> PathBuf {
        match self {
            InFile::Bundle(path) => path.clone(),
            InFile::Read(given) => given.place(),
        }
    }
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
}

/// Files by their names, those together that are one tournament. Of several bundles of one that comes first which
/// says that it is the longest: if it is in order, it is the one that counts.
fn in_files(mut paths: Vec<PathBuf>) -> Vec<InFile> {
    paths.sort();
    let mut events: BTreeMap<StreamId, Vec<(Reverse<u64>, PathBuf)>> = BTreeMap::new();
    let (mut places, mut others) = (Vec::new(), Vec::new());
    for path in paths {
        match bundle_header(&path) {
            Some(header) => {
                let length = Reverse(header.records);
                events.entry(header.stream).or_default().push((length, path.clone()));
                places.push((path, header.stream));
            }
            None => others.push((path, Ok(()))),
        }
    }
    for bundles in events.values_mut() {
        bundles.sort_unstable_by(|one, other| other.cmp(one));
    }
    let of_place = |(place, stream): (PathBuf, StreamId)| {
        let longest = events.get_mut(&stream).and_then(Vec::pop).map(|(_, path)| path);
        (place.clone(), InFile::Bundle(longest.unwrap_or(place)))
    };
    let mut all: Vec<(PathBuf, InFile)> = places.into_iter().map(of_place).collect();
    all.extend(together(others).into_iter().map(|given| (given.place(), InFile::Read(given))));
    all.sort_by(|(one, _), (other, _)| one.cmp(other));
    all.into_iter().map(|(_, file)| file).collect()
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
        let paths = found.files.into_iter().map(|(path, readable)| readable.map(|()| path));
        sources.files = in_files(paths.collect::<Result<_, _>>()?);
    } else {
        std::fs::metadata(season).map_err(|error| VerbError::file(season, &error))?;
        sources.files = in_files(vec![season.clone()]);
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
    Ok(sources)
}

/// What the first line of a bundle says; none for every other file.
fn bundle_header(path: &Path) -> Option<Header> {
    let is_import = ENDINGS.iter().any(|end| ends_in(path, end));
    let file = File::open(path).ok().filter(|_| !is_import)?;
    header(&mut BufReader::new(file)).ok()?
}
