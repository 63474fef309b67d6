//! Counts of rows that agree, folder by folder.

use scrutineer_desk::store::prepare;
use scrutineer_projections::ruleset::Library;
use scrutineer_replay::published::{Verdict, check};
use std::fs;
use std::path::Path;

/// The head of the table.
pub const HEAD: &str = "\
| source | tournaments | whole | rows | matched | rate | stale | differ | same rank |
|---|---|---|---|---|---|---|---|---|
";

/// What came out for the events of a folder.
#[derive(Default)]
pub struct Rates {
    pub folder: String,
    pub files: usize,
    /// Events whose every row and every place matches.
    pub whole: usize,
    pub rows: usize,
    pub matched: usize,
    pub stale: usize,
    pub differ: usize,
    pub same_rank: usize,
    /// The rows that differ: the file's name without its end, and the player.
    pub residue: Vec<(String, String)>,
    /// The files with stale rows or with rows of another rank, and how many of each.
    pub unlike: Vec<(String, [usize; 2])>,
    /// Final places beside the rows, and how many of them come out.
    pub places: usize,
    pub same_places: usize,
    /// Events that have such places, and those whose every one comes out.
    pub placed: [usize; 2],
    /// The files that print a player's own GW% otherwise than their edition.
    pub other_gw: Vec<String>,
}

/// Imports every file of a folder and checks its published standings under its platform's ruleset
/// of the day.
pub fn measure(corpus: &Path, folder: &str) -> Rates {
    let mut rates = Rates { folder: folder.into(), ..Rates::default() };
    let library = Library::shipped();
    let entries = fs::read_dir(corpus.join(folder).join("raw")).expect("the folder is there");
    let mut files: Vec<_> = entries.map(|entry| entry.expect("readable").path()).collect();
    files.sort();
    for path in files {
        let name = path.file_name().expect("a name").to_string_lossy().into_owned();
        let bytes = fs::read(&path).expect("readable");
        let prepared = prepare(&name, &bytes, None, &library);
        let prepared = prepared.unwrap_or_else(|error| panic!("{error}"));
        rates.files += 1;
        let Ok(found) = check(&prepared.source, &prepared.state, &prepared.rules) else { continue };
        let whole = found.same_places() == found.places.len();
        rates.whole += usize::from(whole && found.matched() == found.rows.len());
        rates.rows += found.rows.len();
        rates.matched += found.matched();
        rates.stale += found.stale();
        rates.differ += found.mismatched();
        rates.same_rank += found.same_rank();
        rates.places += found.places.len();
        rates.same_places += found.same_places();
        let stem = path.file_stem().expect("a name").to_string_lossy().into_owned();
        if found.other_gw {
            rates.other_gw.push(stem.clone());
        }
        let unlike = [found.stale(), found.rows.len() - found.same_rank()];
        if unlike != [0, 0] {
            rates.unlike.push((stem.clone(), unlike));
        }
        if !found.places.is_empty() {
            rates.placed[0] += 1;
            rates.placed[1] += usize::from(whole);
        }
        for row in found.rows {
            if matches!(row.verdict, Verdict::Mismatched(_)) {
                let player = prepared.source.players[row.player as usize - 1].name.clone();
                rates.residue.push((stem.clone(), player));
            }
        }
    }
    rates
}

impl Rates {
    /// A line of the table.
    pub fn line(&self) -> String {
        let Rates { folder, files, whole, rows, matched, stale, differ, same_rank, .. } = self;
        let mut line = String::new();
        if *rows > 0 {
            let rate = rate(*matched, *rows);
            line = format!(
                "| {folder} | {files} | {whole} | {rows} | {matched} | {rate} | {stale} | \
                 {differ} | {same_rank} |\n"
            );
        }
        let Rates { places, same_places: same, placed: [events, whole], .. } = self;
        if *places > 0 {
            let (rate, differ) = (rate(*same, *places), places - same);
            line += &format!(
                "| {folder} (places) | {events} | {whole} | {places} | {same} | {rate} | 0 | \
                 {differ} | |\n"
            );
        }
        line
    }
}

/// A share in percent, cut off: it is never printed as better than it is.
pub fn rate(matched: usize, rows: usize) -> String {
    let parts = matched * 10_000 / rows;
    format!("{}.{:02} %", parts / 100, parts % 100)
}
