//! `bundle verify`: a file and what somebody holds against it, and nothing else.

use super::{count, foreign_file, opened};
use crate::args;
use crate::error::VerbError;
use crate::session::Session;
use crate::trust::{read_held, read_whole_key};
use crate::verify::not_checked;
use crate::{Answer, Report};
use scrutineer_desk::answers::{self, BundleVerifyAnswer};
use scrutineer_desk::bundle::ImportError;
use scrutineer_replay::bundle::{Against, Checked, Found, check};
use scrutineer_replay::loaded::short_id;
use scrutineer_replay::trust::check::CODES;
use scrutineer_replay::trust::held::Held;
use scrutineer_replay::trust::note::fingerprint;
use scrutineer_replay::verify::Severity;
use std::io::BufReader;
use std::path::{Path, PathBuf};

/// Checks a bundle.
pub fn run(session: &Session, options: &args::BundleVerify) -> Result<Report, VerbError> {
    let against = against(options.key.as_deref(), &options.known)?;
    let mut input = BufReader::with_capacity(1 << 16, opened(&options.file)?);
    let checked = check(&mut input, &against);
    let checked = checked.map_err(|error| VerbError::file(&options.file, &error))?;
    if let Some(foreign) = checked.is_foreign() {
        return Err(foreign_file(&options.file, foreign));
    }
    let text = match session.json {
        true => answers::line(&BundleVerifyAnswer::from(&checked)),
        false => describe(&options.file, &checked, &against),
    };
    let holds = checked.holds() && checked.is_attested();
    let answer = match (holds, checked.unchecked()) {
        (true, 0) => Answer::Yes,
        (true, _) => Answer::NotChecked,
        (false, _) => Answer::No,
    };
    Ok(Report { text, answer })
}

/// What somebody holds against a bundle.
pub fn against(key: Option<&str>, known: &[PathBuf]) -> Result<Against, VerbError> {
    let mut against = Against { key: key.map(read_whole_key).transpose()?, ..Against::default() };
    for file in known {
        against.known.push(read_held(file)?);
        against.names.push(file.display().to_string());
    }
    Ok(against)
}

pub fn describe(file: &Path, checked: &Checked, against: &Against) -> String {
    let mut text = format!("{}: ", file.display());
    if let Some(stream) = checked.stream {
        text.push_str(&format!("tournament {}, ", short_id(stream)));
    }
    text.push_str(&format!(
        "{}, head {}, {}, {}, {}\n",
        count(checked.records, "record"),
        checked.head.short(),
        count(checked.tables, "announced table"),
        count(checked.checkpoints, "checkpoint"),
        count(checked.entries, "private entry"),
    ));
    text.push_str(&findings(checked));
    text.push_str(&format!("{}\n", verdict(checked, against)));
    text
}

/// What is said of a bundle that is not taken since something of it could not be checked.
pub fn not_taken(
    session: &Session,
    file: &Path,
    checked: &Checked,
    against: &Against,
) -> Result<Report, VerbError> {
    if session.json {
        return Err(ImportError::NotChecked.into());
    }
    let text = format!(
        "{}nothing of it was kept; take it all the same with --unsigned   [bundle-not-checked]\n",
        describe(file, checked, against)
    );
    Ok(Report { text, answer: Answer::NotChecked })
}

/// A line for each finding.
pub fn findings(checked: &Checked) -> String {
    let mut text: String = checked.findings.iter().map(line).collect();
    if checked.more > 0 {
        text.push_str(&format!("  and {}\n", count(checked.more, "more finding")));
    }
    text
}

/// What was found about signatures and about words that are not given, where nothing is wrong:
/// whoever takes a bundle in is told.
pub fn told_anyway(checked: &Checked) -> String {
    let is_told = |found: &&Found| {
        let code = found.finding.code;
        CODES.contains(&code)
            || matches!(
                code,
                "known-key-retired"
                    | "tables-missing"
                    | "words-missing"
                    | "words-forgotten"
                    | "forget-unfinished"
            )
            || found.finding.severity == Severity::Unchecked
    };
    checked.findings.iter().filter(is_told).map(line).collect()
}

fn line(found: &Found) -> String {
    let finding = &found.finding;
    let severity = finding.severity.word();
    let place = match (found.line, finding.seq) {
        (0, 0) => String::new(),
        (0, seq) => format!("event {seq}: "),
        (line, 0) => format!("line {line}: "),
        (line, seq) => format!("line {line}, event {seq}: "),
    };
    format!("  {severity}: {place}{}   [{}]\n", finding.sentence, finding.code)
}

/// What all of it comes to.
fn verdict(checked: &Checked, against: &Against) -> String {
    if !checked.holds() {
        return "not in order, see above".into();
    }
    if checked.unchecked() > 0 {
        return not_checked(usize::try_from(checked.unchecked()).unwrap_or(usize::MAX));
    }
    if let (Some(key), Some(found)) = (&against.key, &checked.attested) {
        let size = found.size.unwrap_or(0);
        let key = fingerprint(key);
        let mut text = match checked.records - size.min(checked.records) {
            0 => format!("verified: the key {key} stands for all of it"),
            1 => format!(
                "verified up to event {size} only: the key {key} stands for it; for the event \
                 after it nobody does"
            ),
            more => format!(
                "verified up to event {size} only: the key {key} stands for it; for the {} after \
                 it nobody does",
                count(more, "event")
            ),
        };
        for (seq, key) in &found.successors {
            text.push_str(&format!(
                "\nfrom event {seq} on the key {} stands for it, which yours appointed there",
                fingerprint(key)
            ));
        }
        return text;
    }
    match against.known.iter().map(Held::size).max() {
        Some(size) => format!(
            "consistent in itself, and up to event {size} what the checkpoint that you have stands \
             for"
        ),
        None => "consistent in itself, compared with nothing from outside".into(),
    }
}
