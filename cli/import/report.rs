//! What an import has to say: a line per file, and a table where standings were checked.

use crate::Answer;
use crate::args;
use crate::error::{VerbError, exit, print};
use scrutineer_desk::answers::{ImportAnswer, Problem, TournamentName, Unmatched, line};
use scrutineer_desk::table::{Align, Aligned};
use scrutineer_engine::error::Code;
use scrutineer_formats::Oddity;
use scrutineer_projections::counted;
use scrutineer_replay::published::{Check, Difference, Verdict};
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
    /// What it does not hold, in words.
    pub unknown: Vec<String>,
    /// The format that it was recognized as.
    pub format: String,
    /// How many rounds and matches it has.
    pub played: (usize, usize),
    /// What looks wrong in it.
    pub oddities: Vec<Oddity>,
    /// The ruleset under which the store had it already.
    pub known_under: Option<String>,
    /// What it brings to an older version of its tournament, in words.
    pub renewed: Vec<String>,
    /// Whether nobody named the ruleset.
    pub is_guessed: bool,
    /// The comparison with the published standings.
    pub checked: Option<Checked>,
    /// Why there is none.
    pub not_checked: Option<String>,
    /// Why it was not brought in.
    pub error: Option<VerbError>,
}

/// Counts of a comparison, and its differences in words.
pub struct Checked {
    rows: usize,
    matched: usize,
    stale: usize,
    mismatched: usize,
    same_rank: usize,
    places: usize,
    same_places: usize,
    sentences: Vec<String>,
    /// The rows and places that are not the published ones, for JSON.
    unmatched: Vec<Unmatched>,
}

impl Checked {
    /// The comparison, with names.
    pub fn new(found: &Check, name: impl Fn(u32) -> String) -> Checked {
        let (mut sentences, mut unmatched) = (Vec::new(), Vec::new());
        for row in &found.rows {
            match &row.verdict {
                Verdict::Matched => {}
                Verdict::Stale { through } => {
                    let name = name(row.player);
                    sentences.push(format!(
                        "stale: {name} has the values after round {through}, and had left by then"
                    ));
                    unmatched.push(Unmatched::Stale { player: name, stale_after: *through });
                }
                Verdict::Mismatched(differences) => {
                    let told: Vec<String> = differences
                        .iter()
                        .map(|d| format!("{} {} computed {}", d.measure, d.published, d.computed))
                        .collect();
                    sentences.push(format!("differs: {}: {}", name(row.player), told.join(", ")));
                    unmatched.extend(differences.iter().map(|d| {
                        let Difference { measure, published, computed } = d.clone();
                        let (player, measure) = (name(row.player), measure.to_string());
                        Unmatched::Differs { player, measure, published, computed }
                    }));
                }
            }
        }
        for one in found.places.iter().filter(|one| one.computed != Some(one.place)) {
            let computed = one.computed.map_or("none".into(), |place| place.to_string());
            let (name, place) = (name(one.player), one.place);
            sentences.push(format!("differs: {name}: place {place} computed {computed}"));
            let (measure, published) = ("place".into(), place.to_string());
            unmatched.push(Unmatched::Differs { player: name, measure, published, computed });
        }
        if found.other_gw {
            let sentence = "the file's GW% of a player's own has another floor than the ruleset's: \
                            it was computed under another edition";
            sentences.push(sentence.to_string());
        }
        Checked {
            rows: found.rows.len(),
            places: found.places.len(),
            same_places: found.same_places(),
            matched: found.matched(),
            stale: found.stale(),
            mismatched: found.mismatched(),
            same_rank: found.same_rank(),
            sentences,
            unmatched,
        }
    }

    /// Whether every row and every place is the published one.
    fn is_whole(&self) -> bool {
        self.matched == self.rows && self.same_places == self.places
    }

    /// The counts as a sentence.
    fn in_words(&self) -> String {
        let Checked { rows, matched, stale, mismatched, same_rank, places, same_places, .. } = self;
        let rows = match rows {
            0 => "the rounds behind the published standings are missing".to_string(),
            _ => format!(
                "published standings: {matched} of {rows} rows match in every value, {stale} \
                 stale, {mismatched} differ; {same_rank} have the published rank"
            ),
        };
        match places {
            0 => rows,
            _ => format!("{rows}; {same_places} of {places} final places are the published ones"),
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
            unknown: Vec::new(),
            format: String::new(),
            played: (0, 0),
            oddities: Vec::new(),
            known_under: None,
            renewed: Vec::new(),
            is_guessed: false,
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
        let checked = report.checked.as_ref();
        let count = |of: fn(&Checked) -> usize| checked.map_or(0, of);
        line(&ImportAnswer {
            file: report.path.display().to_string(),
            tournament: TournamentName { id: None, title: Some(report.title.clone()) },
            rules: report.rules.clone(),
            format: report.format.clone(),
            players: report.players,
            rounds: report.played.0,
            matches: report.played.1,
            unknown: report.unknown.clone(),
            rows: count(|found| found.rows),
            matched: count(|found| found.matched),
            stale: count(|found| found.stale),
            mismatched: count(|found| found.mismatched),
            places: count(|found| found.places),
            same_places: count(|found| found.same_places),
            renewed: report.renewed.clone(),
            unmatched: checked.map_or(Vec::new(), |found| found.unmatched.clone()),
            oddities: report.oddities.iter().map(Into::into).collect(),
            error: report.problem(),
        })
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
    for report in reports.iter().filter(|report| !report.format.is_empty()) {
        formats.entry(&report.format).or_default().push(report);
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
            sum(&|one| one.players).to_string(),
            sum(&|one| one.played.0).to_string(),
            sum(&|one| one.played.1).to_string(),
            sum(&|one| one.oddities.len()).to_string(),
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
        (true, _, true) => "read, not stored",
        (true, _, false) => "read, not stored; it would bring the store up to date",
        (false, Some(_), _) => "already in the store",
        (false, None, false) => "brought up to date",
        (false, None, true) => "imported",
    };
    let differs = report.checked.as_ref().is_some_and(|found| !found.is_whole());
    if !quiet || !options.check_standings || differs {
        let FileReport { title, players, rules, .. } = report;
        let guessed = report.is_guessed && report.known_under.is_none();
        let guessed = if guessed { ", by its score lines" } else { "" };
        let rules = report.known_under.as_ref().unwrap_or(rules);
        let players = counted(*players, "player");
        text.push_str(&format!("{what}: {title}, {players}, ruleset {rules}{guessed}\n"));
        if options.dry_run && !quiet {
            let (rounds, matches) = report.played;
            let (rounds, matches) = (counted(rounds, "round"), counted(matches, "match"));
            text.push_str(&format!("  understood: {}, {rounds}, {matches}\n", report.format));
        }
    }
    if !quiet {
        listed(&mut text, report.renewed.iter().cloned());
        if options.dry_run && !report.unknown.is_empty() {
            text.push_str(&format!("  not in the file: {}\n", report.unknown.join(", ")));
        }
        let odd = report.oddities.iter();
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
