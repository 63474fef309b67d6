//! Counts of rows that agree, folder by folder.

use scrutineer_projections::ruleset::Library;
use scrutineer_replay::archive::prepare;
use scrutineer_replay::published::{Verdict, check};
use std::fs;
use std::path::Path;

/// The head of the table.
pub const HEAD: &str = "\
| source | events | whole | rows | matched | rate | stale | differ | same rank |
|---|---|---|---|---|---|---|---|---|
";

/// What came out for the events of a folder.
#[derive(Default)]
pub struct Rates {
    pub folder: String,
    pub files: usize,
    /// Events whose every row matches.
    pub whole: usize,
    pub rows: usize,
    pub matched: usize,
    pub stale: usize,
    pub differ: usize,
    pub same_rank: usize,
    /// The rows that differ: the file's name without its end, and the player.
    pub residue: Vec<(String, String)>,
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
        rates.whole += usize::from(found.matched() == found.rows.len());
        rates.rows += found.rows.len();
        rates.matched += found.matched();
        rates.stale += found.stale();
        rates.differ += found.mismatched();
        rates.same_rank += found.same_rank();
        for row in found.rows {
            if matches!(row.verdict, Verdict::Mismatched(_)) {
                let player = prepared.source.players[row.player as usize - 1].name.clone();
                let stem = path.file_stem().expect("a name").to_string_lossy();
                rates.residue.push((stem.into_owned(), player));
            }
        }
    }
    rates
}

impl Rates {
    /// A line of the table.
    pub fn line(&self) -> String {
        let Rates { folder, files, whole, rows, matched, stale, differ, same_rank, .. } = self;
        if *rows == 0 {
            return format!("| {folder} | {files} | not compared | | | | | | |\n");
        }
        let rate = rate(*matched, *rows);
        format!(
            "| {folder} | {files} | {whole} | {rows} | {matched} | {rate} | {stale} | {differ} | \
             {same_rank} |\n"
        )
    }
}

/// A share in percent, cut off: it is never printed as better than it is.
pub fn rate(matched: usize, rows: usize) -> String {
    let parts = matched * 10_000 / rows;
    format!("{}.{:02} %", parts / 100, parts % 100)
}
