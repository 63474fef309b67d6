//! Two programs that pair by FIDE's Dutch system, where they are installed.

use std::collections::{BTreeMap, BTreeSet};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The pairs of a round, white first; nobody as the second is a bye.
pub type Pairs = BTreeSet<(u32, u32)>;

/// What a program says of a report.
#[derive(Clone, Debug, Default)]
pub struct Told {
    /// The points in tenths by number, where it tells them.
    pub points: Option<BTreeMap<u32, i64>>,
    /// The next round, where it can be paired.
    pub pairs: Option<Pairs>,
    /// Why not.
    pub why: String,
}

impl Told {
    /// Whether the report itself was taken: that no pairing exists is said of a good one, too.
    pub fn is_taken(&self) -> bool {
        self.pairs.is_some() || self.points.is_some() || self.why.contains("No valid pairing")
    }
}

/// bbpPairings, a program.
pub struct Bbp(PathBuf);

/// py4swiss, by the Python that has it.
pub struct Py4swiss(PathBuf);

/// What a variable names; none with a line that says what is skipped. `can_be_installed`: CI has it.
fn named(variable: &str, can_be_installed: bool) -> Option<PathBuf> {
    let found = std::env::var_os(variable).map(PathBuf::from);
    if found.is_none() {
        let may_skip = std::env::var_os("SCRUTINEER_NO_SKIPS").is_none() || !can_be_installed;
        assert!(may_skip, "{variable} is not set, and nothing may be skipped here");
        eprintln!("skipped: {variable} is not set");
    }
    found
}

impl Bbp {
    pub fn there() -> Option<Bbp> {
        // No registry has it as a package.
        named("SCRUTINEER_BBP", false).map(Bbp)
    }

    /// The next round of a report, each score validated.
    pub fn pair(&self, report: &Path) -> Told {
        let out = report.with_extension("pairs");
        let mut command = Command::new(&self.0);
        command.arg("--dutch").arg(report).arg("-p").arg(&out);
        let answer = command.output().expect("SCRUTINEER_BBP names a program");
        if !answer.status.success() {
            let why = String::from_utf8_lossy(&answer.stderr).trim().to_owned();
            return Told { why, ..Told::default() };
        }
        let text = std::fs::read_to_string(&out).expect("it was written");
        let pair = |line: &str| {
            let mut numbers = line.split_whitespace().map(|word| word.parse().expect("a number"));
            Some((numbers.next()?, numbers.next()?))
        };
        Told { pairs: Some(text.lines().skip(1).filter_map(pair).collect()), ..Told::default() }
    }
}

impl Py4swiss {
    pub fn there() -> Option<Py4swiss> {
        named("SCRUTINEER_PY4SWISS", true).map(Py4swiss)
    }

    /// The same of many reports, with the points that it read.
    pub fn pair(&self, reports: &[PathBuf]) -> BTreeMap<PathBuf, Told> {
        let mut command = Command::new(&self.0);
        command.arg("-c").arg(include_str!("py4swiss.py"));
        command.stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.spawn().expect("SCRUTINEER_PY4SWISS names a Python");
        let mut list = child.stdin.take().expect("piped");
        for report in reports {
            writeln!(list, "{}", report.display()).expect("it reads");
        }
        drop(list);
        let answer = child.wait_with_output().expect("it ends");
        let text = String::from_utf8(answer.stdout).expect("UTF-8");
        text.lines().map(told).collect()
    }
}

fn told(line: &str) -> (PathBuf, Told) {
    let value: serde_json::Value = serde_json::from_str(line).expect("JSON");
    let number = |value: &serde_json::Value| value.as_u64().expect("a number") as u32;
    let pair = |pair: &serde_json::Value| (number(&pair[0]), number(&pair[1]));
    let pairs = value["pairs"].as_array().map(|pairs| pairs.iter().map(pair).collect());
    let points = value["points"].as_object().map(|points| {
        let own = |(number, tenths): (&String, &serde_json::Value)| {
            (number.parse().expect("a number"), tenths.as_i64().expect("tenths"))
        };
        points.iter().map(own).collect()
    });
    let why = value["why"].as_str().unwrap_or_default().to_owned();
    (PathBuf::from(value["path"].as_str().expect("a path")), Told { points, pairs, why })
}
