//! `rules`: list, print and check rulesets.

mod editions;

use crate::args::Rules;
use crate::error::{VerbError, exit};
use crate::session::{Session, hex};
use crate::{Answer, Report};
use scrutineer_desk::answers::{RulesetChecked, RulesetListed, RulesetShown, line};
use scrutineer_desk::table::{Align, Aligned};
use scrutineer_projections::explain::step_label;
use scrutineer_projections::ruleset::{Ruleset, called, shipped_hashes};
use std::path::{Path, PathBuf};

/// Lists, prints or checks.
pub fn run(session: &Session, verb: &Rules) -> Result<Report, VerbError> {
    match verb {
        Rules::List => list(session),
        Rules::Show { id } => show(session, id),
        Rules::Check { files } => check(session, files),
        Rules::Sign { id, replaces, output, force } => {
            editions::sign(session, id, replaces.as_deref(), output.as_deref(), *force)
        }
        Rules::Take { file, key } => editions::take(session, file, key),
        Rules::Editions => editions::list(session),
        #[cfg(feature = "serve")]
        Rules::Fetch { address, key } => {
            editions::fetch(session, address.as_deref(), key.as_deref())
        }
    }
}

fn list(session: &Session) -> Result<Report, VerbError> {
    let editions = session.rulesets.borrow().editions();
    if session.json {
        let rows: Vec<RulesetListed> = editions.into_iter().map(RulesetListed::from).collect();
        return Ok(Report::yes(line(&rows)));
    }
    let mut table =
        Aligned::new([("id", Align::Left), ("name", Align::Left), ("edition", Align::Left)]);
    for edition in editions {
        table.row([edition.ruleset, edition.name, edition.edition]);
    }
    Ok(Report::yes(table.text()))
}

fn show(session: &Session, id: &str) -> Result<Report, VerbError> {
    let rules = session.ruleset(id)?;
    let files = session.ruleset_files(id)?;
    if session.json {
        return Ok(Report::yes(line(&RulesetShown::of(&rules, &files))));
    }
    let mut text = format!("# {} ({}), hash {}\n", called(&files), rules.edition, hex(&rules.hash));
    for file in &files {
        text.push_str(&format!("\n# ---- {} ----\n{}\n", file.name, file.text.trim_end()));
    }
    Ok(Report::yes(text))
}

/// Reads each file and names every mistake; one bad file does not stop the rest.
fn check(session: &Session, files: &[PathBuf]) -> Result<Report, VerbError> {
    let mut text = String::new();
    let mut answer = Answer::Yes;
    for path in files {
        let read = session.load_ruleset(path).and_then(|id| session.ruleset(&id));
        answer = answer.max(read.as_ref().map_or_else(exit, |_| Answer::Yes));
        text.push_str(&match (session.json, &read) {
            (true, _) => {
                let read = read.as_ref().map_err(VerbError::problem);
                line(&RulesetChecked::of(path, read))
            }
            (false, Ok(rules)) => good(path, rules),
            (false, Err(fail)) => format!("{}\n", fail.told()),
        });
    }
    Ok(Report { text, answer })
}

fn good(path: &Path, rules: &Ruleset) -> String {
    let order: Vec<String> = rules.order.iter().map(|step| step_label(rules, step)).collect();
    let order = order.join(", ");
    let is_shipped = shipped_hashes().contains(&rules.hash);
    let not_shipped = if is_shipped { "" } else { " (not shipped)" };
    format!("{}: good. {}{not_shipped} ranks by {order}.\n", path.display(), rules.name)
}
