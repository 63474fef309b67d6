//! What an import has to say: a line per file, and a table where standings were checked.

use crate::Answer;
use crate::args;
use crate::error::{VerbError, exit, print};
use scrutineer_desk::answers::{Problem, line};
use scrutineer_desk::incoming::{Checked, OTHER_NAME, OTHER_RULES, Understood};
use scrutineer_desk::table::{Align, Aligned};
use scrutineer_engine::error::Code;
use scrutineer_projections::counted;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// How many oddities or differences of one file are printed.
const SHOWN: usize = 10;

/// What became of one file.
pub struct FileReport {
    /// The file.
    pub path: PathBuf,
    /// How it was understood.
    pub understood: Understood,
    /// The ruleset under which the store had it already.
    pub known_under: Option<String>,
    /// What it brings to an older version of its tournament, in words.
    pub renewed: Vec<String>,
    /// The comparison with the published standings.
    pub checked: Option<Checked>,
    /// Why there is none.
    pub not_checked: Option<String>,
    /// Why it was not brought in.
    pub error: Option<VerbError>,
}

impl FileReport {
    /// A report without anything so far.
    pub fn new(path: &Path) -> FileReport {
        FileReport {
            path: path.to_path_buf(),
            understood: Understood::default(),
            known_under: None,
            renewed: Vec::new(),
            checked: None,
            not_checked: None,
            error: None,
        }
    }

    /// Whether it went well: refusals and differences are a no.
    pub fn answer(&self) -> Answer {
        let differs = |found: &Checked| found.mismatched > 0 || found.same_places < found.places;
        let differs = self.checked.as_ref().is_some_and(differs);
        match &self.error {
            Some(fail) => exit(fail),
            None if differs || self.not_checked.is_some() => Answer::No,
            None => Answer::Yes,
        }
    }

    /// Why it was not brought in, or not compared, for programs.
    fn problem(&self) -> Option<Problem> {
        let unchecked =
            |why| Problem::new(why, Code::refused("standings-not-checked"), None::<&str>);
        let error = self.error.as_ref().map(VerbError::problem);
        error.or_else(|| self.not_checked.as_ref().map(unchecked))
    }
}

/// One line of JSON for each file.
pub fn json_lines(reports: &[FileReport]) -> String {
    let answer = |report: &FileReport| {
        let (file, checked) = (report.path.display().to_string(), report.checked.as_ref());
        let (renewed, error) = (report.renewed.clone(), report.problem());
        line(&report.understood.answer(file, checked, renewed, error))
    };
    reports.iter().map(answer).collect()
}

/// Why files were not brought in, on standard error; of equal hints in a row the last is told.
pub fn print_errors(reports: &[FileReport]) {
    let failed = reports.iter().filter_map(|report| Some((report, report.error.as_ref()?)));
    let mut failed = failed.peekable();
    while let Some((report, fail)) = failed.next() {
        let next = failed.peek().and_then(|(_, next)| next.hint.as_ref());
        let hint = fail.hint.as_ref().filter(|hint| Some(*hint) != next);
        let message = with_path(&report.path, &fail.message);
        print(&VerbError { message, code: fail.code, hint: hint.cloned() }, false);
    }
}

/// A message that begins with the file's name, with its path instead.
fn with_path(path: &Path, message: &str) -> String {
    let name = path.file_name().map_or("".into(), |name| name.to_string_lossy());
    let shown = path.display();
    match message.strip_prefix(&*name).filter(|_| !name.is_empty()) {
        Some(rest) => format!("{shown}{rest}"),
        None if message.contains(&shown.to_string()) => message.to_string(),
        None => format!("{shown}: {message}"),
    }
}

/// The report for people.
pub fn text(reports: &[FileReport], options: &args::Import) -> String {
    let mut text: String =
        reports.iter().map(|report| file_text(report, options, reports.len())).collect();
    let unchecked = reports.iter().filter(|report| report.not_checked.is_some()).count();
    if unchecked > 1 {
        text.push_str(&format!(
            "{unchecked} files hold no standings that can be compared; name one to see why\n"
        ));
    }
    if reports.len() > 1 && reports.iter().any(|report| report.checked.is_some()) {
        text.push_str(&rates(reports));
        text.push_str(&by_format(reports));
    }
    text
}

/// What was read of each format, where the files have several.
fn by_format(reports: &[FileReport]) -> String {
    let mut formats: BTreeMap<&str, Vec<&FileReport>> = BTreeMap::new();
    for report in reports.iter().filter(|report| !report.understood.format.is_empty()) {
        formats.entry(&report.understood.format).or_default().push(report);
    }
    if formats.len() < 2 {
        return String::new();
    }
    let mut table = Aligned::new([
        ("format", Align::Left),
        ("files", Align::Right),
        ("players", Align::Right),
        ("rounds", Align::Right),
        ("matches", Align::Right),
        ("odd", Align::Right),
        ("rows", Align::Right),
        ("places", Align::Right),
    ]);
    for (format, reports) in formats {
        let sum =
            |of: &dyn Fn(&FileReport) -> usize| reports.iter().map(|one| of(one)).sum::<usize>();
        let found = |of: fn(&Checked) -> usize| sum(&|one| one.checked.as_ref().map_or(0, of));
        let share = |equal: usize, all: usize| match all {
            0 => "-".to_string(),
            all => format!("{equal} of {all}"),
        };
        table.row([
            format.to_string(),
            reports.len().to_string(),
            sum(&|one| one.understood.players).to_string(),
            sum(&|one| one.understood.rounds).to_string(),
            sum(&|one| one.understood.matches).to_string(),
            sum(&|one| one.understood.oddities.len()).to_string(),
            share(found(|one| one.matched), found(|one| one.rows)),
            share(found(|one| one.same_places), found(|one| one.places)),
        ]);
    }
    format!("\n{}", table.text())
}

fn file_text(report: &FileReport, options: &args::Import, files: usize) -> String {
    if report.error.is_some() {
        return String::new();
    }
    let quiet = files > 1;
    let mut text = String::new();
    let what = match (options.dry_run, &report.known_under, report.renewed.is_empty()) {
        (true, Some(_), _) => "read, not stored; the store has it already",
        (true, None, true) => "read, not stored",
        (true, None, false) => "read, not stored; it would bring the store up to date",
        (false, Some(_), _) => "already in the store",
        (false, None, false) => "brought up to date",
        (false, None, true) => "imported",
    };
    let differs = report.checked.as_ref().is_some_and(|found| !found.is_whole());
    if !quiet || !options.check_standings || differs {
        let Understood { title, players, rules, is_guessed, .. } = &report.understood;
        let guessed = *is_guessed && report.known_under.is_none();
        let guessed = if guessed { ", by its score lines" } else { "" };
        let rules = report.known_under.as_ref().unwrap_or(rules);
        let players = counted(*players, "player");
        text.push_str(&format!("{what}: {title}, {players}, ruleset {rules}{guessed}\n"));
        if options.dry_run && !quiet {
            let Understood { format, rounds, matches, open, .. } = &report.understood;
            let (rounds, matches) = (counted(*rounds, "round"), counted(*matches, "match"));
            let open = if *open > 0 { format!(", {open} without a result") } else { String::new() };
            text.push_str(&format!("  understood: {format}, {rounds}, {matches}{open}\n"));
            text.push_str(&format!("  {}\n", report.understood.day()));
        }
    }
    if quiet {
        let is_of_store = |place: &str| [OTHER_RULES, OTHER_NAME].contains(&place);
        let odd = report.understood.oddities.iter().filter(|one| is_of_store(&one.place));
        odd.for_each(|one| text.push_str(&format!("  {}: {}\n", one.place, one.sentence)));
    } else {
        listed(&mut text, report.renewed.iter().cloned());
        let unknown = &report.understood.unknown;
        if options.dry_run && !unknown.is_empty() {
            text.push_str(&format!("  not in the file: {}\n", unknown.join(", ")));
        }
        let odd = report.understood.oddities.iter();
        listed(&mut text, odd.map(|one| format!("odd: {}: {}", one.place, one.sentence)));
        if let Some(why) = &report.not_checked {
            text.push_str(&format!("  standings not compared: {why}\n"));
        }
    }
    if let Some(found) = &report.checked {
        listed(&mut text, found.sentences.iter().cloned());
        if !quiet {
            text.push_str(&format!("  {}\n", found.in_words()));
        }
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
    places: usize,
    same_places: usize,
    errors: usize,
}

impl Rate {
    fn add(&mut self, report: &FileReport) {
        self.files += 1;
        self.errors += usize::from(report.error.is_some());
        if let Some(found) = &report.checked {
            self.whole += usize::from(found.is_whole());
            self.rows += found.rows;
            self.matched += found.matched;
            self.stale += found.stale;
            self.mismatched += found.mismatched;
            self.same_rank += found.same_rank;
            self.places += found.places;
            self.same_places += found.same_places;
        }
    }

    fn cells(&self) -> [String; 10] {
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
            match self.places {
                0 => "-".into(),
                places => format!("{} of {places}", self.same_places),
            },
            self.errors.to_string(),
        ]
    }
}

fn rates(reports: &[FileReport]) -> String {
    let mut by_folder: BTreeMap<String, Rate> = BTreeMap::new();
    let mut all = Rate::default();
    for report in reports {
        let folder = report.path.parent().filter(|folder| !folder.as_os_str().is_empty());
        let folder = folder.map_or(".".into(), |folder| folder.display().to_string());
        by_folder.entry(folder).or_default().add(report);
        all.add(report);
    }
    let mut table = Aligned::new([
        ("folder", Align::Left),
        ("files", Align::Right),
        ("whole", Align::Right),
        ("rows", Align::Right),
        ("matched", Align::Right),
        ("rate", Align::Right),
        ("stale", Align::Right),
        ("differ", Align::Right),
        ("same rank", Align::Right),
        ("places", Align::Right),
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
