//! What an import has to say: a line per file, and a table where standings were checked.

use crate::args;
use crate::fail::Fail;
use crate::table::{Align, Aligned};
use scrutineer_replay::import::Oddity;
use scrutineer_replay::published::{Check, Verdict};
use serde_json::json;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// How many oddities or differences of one file are printed.
const SHOWN: usize = 10;

/// What became of one file.
pub struct FileReport {
    /// The file.
    pub path: PathBuf,
    /// The event's title.
    pub title: String,
    /// The ruleset.
    pub rules: String,
    /// How many players.
    pub players: usize,
    /// What looks wrong in it.
    pub oddities: Vec<Oddity>,
    /// Whether the store had it already.
    pub known: bool,
    /// The comparison with the published standings.
    pub checked: Option<Checked>,
    /// Why it was not brought in, or not checked.
    pub error: Option<Fail>,
}

/// Counts of a comparison, and its differences in words.
pub struct Checked {
    rows: usize,
    matched: usize,
    stale: usize,
    mismatched: usize,
    same_rank: usize,
    sentences: Vec<String>,
}

impl Checked {
    /// The comparison, with names.
    pub fn new(found: &Check, name: impl Fn(u32) -> String) -> Checked {
        let mut sentences = Vec::new();
        for row in &found.rows {
            match &row.verdict {
                Verdict::Matched => {}
                Verdict::Stale { through } => sentences.push(format!(
                    "stale: {} has the values of round {through}, after which he had left",
                    name(row.player)
                )),
                Verdict::Mismatched(differences) => {
                    let told: Vec<String> = differences
                        .iter()
                        .map(|d| format!("{} {} computed {}", d.measure, d.published, d.computed))
                        .collect();
                    sentences.push(format!("differs: {}: {}", name(row.player), told.join(", ")));
                }
            }
        }
        Checked {
            rows: found.rows.len(),
            matched: found.matched(),
            stale: found.stale(),
            mismatched: found.mismatched(),
            same_rank: found.same_rank(),
            sentences,
        }
    }
}

impl FileReport {
    /// A report without anything so far.
    pub fn new(path: &Path) -> FileReport {
        FileReport {
            path: path.to_path_buf(),
            title: String::new(),
            rules: String::new(),
            players: 0,
            oddities: Vec::new(),
            known: false,
            checked: None,
            error: None,
        }
    }

    /// Whether it failed or differs.
    pub fn is_no(&self) -> bool {
        self.error.is_some() || self.checked.as_ref().is_some_and(|found| found.mismatched > 0)
    }
}

/// One line of JSON for each file.
pub fn json_lines(reports: &[FileReport]) -> String {
    let line = |report: &FileReport| {
        let count = |of: fn(&Checked) -> usize| report.checked.as_ref().map_or(0, of);
        let error = report.error.as_ref();
        let value = json!({
            "file": report.path,
            "event": report.title,
            "rules": report.rules,
            "players": report.players,
            "rows": count(|found| found.rows),
            "matched": count(|found| found.matched),
            "stale": count(|found| found.stale),
            "mismatched": count(|found| found.mismatched),
            "error": error.map(|fail| format!("{} [{}]", fail.message, fail.code)),
        });
        format!("{value}\n")
    };
    reports.iter().map(line).collect()
}

/// The report for people.
pub fn text(reports: &[FileReport], options: &args::Import) -> String {
    let mut text: String =
        reports.iter().map(|report| file_text(report, options, reports.len())).collect();
    if options.check_standings {
        text.push_str(&rates(reports));
    }
    text
}

fn file_text(report: &FileReport, options: &args::Import, files: usize) -> String {
    let quiet = files > 1;
    let mut text = String::new();
    if let Some(fail) = &report.error {
        text.push_str(&format!("{}: {}   [{}]\n", report.path.display(), fail.message, fail.code));
        if let Some(hint) = &fail.hint {
            text.push_str(&format!("  hint: {hint}\n"));
        }
        return text;
    }
    let what = match (options.dry_run, report.known) {
        (true, _) => "read, not stored",
        (false, true) => "already in the store",
        (false, false) => "imported",
    };
    let differs = report.checked.as_ref().is_some_and(|found| found.matched < found.rows);
    if !quiet || !options.check_standings || differs {
        let FileReport { title, players, rules, .. } = report;
        text.push_str(&format!("{what}: {title}, {players} players, ruleset {rules}\n"));
    }
    if !quiet {
        listed(
            &mut text,
            report.oddities.iter().map(|o| format!("odd: {}: {}", o.place, o.sentence)),
        );
    }
    if let Some(found) = &report.checked {
        listed(&mut text, found.sentences.iter().cloned());
    }
    text
}

fn listed(text: &mut String, sentences: impl ExactSizeIterator<Item = String>) {
    let more = sentences.len().saturating_sub(SHOWN);
    for sentence in sentences.take(SHOWN) {
        text.push_str(&format!("  {sentence}\n"));
    }
    if more > 0 {
        text.push_str(&format!("  … and {more} more\n"));
    }
}

/// Sums over the files of one folder.
#[derive(Default)]
struct Rate {
    files: usize,
    whole: usize,
    rows: usize,
    matched: usize,
    stale: usize,
    mismatched: usize,
    same_rank: usize,
    errors: usize,
}

impl Rate {
    fn add(&mut self, report: &FileReport) {
        self.files += 1;
        self.errors += usize::from(report.error.is_some());
        if let Some(found) = &report.checked {
            self.whole += usize::from(found.matched == found.rows);
            self.rows += found.rows;
            self.matched += found.matched;
            self.stale += found.stale;
            self.mismatched += found.mismatched;
            self.same_rank += found.same_rank;
        }
    }

    fn cells(&self) -> [String; 9] {
        let percent = match self.rows {
            0 => "-".into(),
            // Tenths of thousandths, cut off: a rate is never printed as better than it is.
            rows => {
                let parts = self.matched * 10_000 / rows;
                format!("{}.{:02}%", parts / 100, parts % 100)
            }
        };
        [
            self.files.to_string(),
            self.whole.to_string(),
            self.rows.to_string(),
            self.matched.to_string(),
            percent,
            self.stale.to_string(),
            self.mismatched.to_string(),
            self.same_rank.to_string(),
            self.errors.to_string(),
        ]
    }
}

fn rates(reports: &[FileReport]) -> String {
    let mut by_folder: BTreeMap<String, Rate> = BTreeMap::new();
    let mut all = Rate::default();
    for report in reports {
        let folder = report.path.parent().map_or(String::new(), |p| p.display().to_string());
        by_folder.entry(folder).or_default().add(report);
        all.add(report);
    }
    let mut table = Aligned::new([
        ("folder", Align::Left),
        ("files", Align::Right),
        ("whole", Align::Right),
        ("rows", Align::Right),
        ("matched", Align::Right),
        ("", Align::Right),
        ("stale", Align::Right),
        ("differ", Align::Right),
        ("same rank", Align::Right),
        ("errors", Align::Right),
    ]);
    for (folder, rate) in &by_folder {
        table.row(std::iter::once(folder.clone()).chain(rate.cells()));
    }
    if by_folder.len() > 1 {
        table.row(std::iter::once("all".to_string()).chain(all.cells()));
    }
    format!("\n{}", table.text())
}
