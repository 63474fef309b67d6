//! `rules`: list, print and check rulesets.

use crate::args::Rules;
use crate::error::CliError;
use crate::session::{Session, hex};
use crate::table::{Align, Aligned};
use crate::{Answer, Report};
use scrutineer_projections::ruleset::{called, shipped_hashes};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};

/// Lists, prints or checks.
pub fn run(session: &Session, verb: &Rules) -> Result<Report, CliError> {
    match verb {
        Rules::List => list(session),
        Rules::Show { id } => show(session, id),
        Rules::Check { files } => check(session, files),
    }
}

fn list(session: &Session) -> Result<Report, CliError> {
    let editions = session.rulesets.borrow().editions();
    if session.json {
        let row = |edition: &scrutineer_projections::ruleset::Edition| {
            json!({
                "id": edition.ruleset, "name": edition.name, "edition": edition.edition,
                "source": edition.source, "extends": edition.extends,
            })
        };
        let rows: Vec<Value> = editions.iter().map(row).collect();
        return Ok(Report::yes(format!("{}\n", Value::from(rows))));
    }
    let mut table =
        Aligned::new([("id", Align::Left), ("name", Align::Left), ("edition", Align::Left)]);
    for edition in editions {
        table.row([edition.ruleset, edition.name, edition.edition]);
    }
    Ok(Report::yes(table.text()))
}

fn show(session: &Session, id: &str) -> Result<Report, CliError> {
    let rules = session.ruleset(id)?;
    let files = session.ruleset_files(id)?;
    if session.json {
        let texts: Vec<Value> =
            files.iter().map(|file| json!({ "name": file.name, "text": file.text })).collect();
        let value = json!({
            "id": rules.id, "name": rules.name, "hash": hex(&rules.hash),
            "shipped": shipped_hashes().contains(&rules.hash),
            "files": texts, "keys": rules.keys,
        });
        return Ok(Report::yes(format!("{value}\n")));
    }
    let mut text = format!("# {} ({}), hash {}\n", called(&files), rules.edition, hex(&rules.hash));
    for file in &files {
        text.push_str(&format!("\n# ---- {} ----\n{}\n", file.name, file.text.trim_end()));
    }
    Ok(Report::yes(text))
}

/// Reads each file and names every mistake; one bad file does not stop the rest.
fn check(session: &Session, files: &[PathBuf]) -> Result<Report, CliError> {
    let mut text = String::new();
    let mut answer = Answer::Yes;
    for path in files {
        match check_one(session, path) {
            Ok(line) => text.push_str(&line),
            Err(fail) => {
                answer = answer.max(fail.answer());
                text.push_str(&match session.json {
                    true => format!("{}\n", json!({ "file": path, "error": fail.told() })),
                    false => format!("{}\n", fail.told()),
                });
            }
        }
    }
    Ok(Report { text, answer })
}

fn check_one(session: &Session, path: &Path) -> Result<String, CliError> {
    let id = session.load_ruleset(path)?;
    let rules = session.ruleset(&id)?;
    let order: Vec<String> = rules
        .order
        .iter()
        .map(|step| scrutineer_projections::explain::step_label(&rules, step))
        .collect();
    if session.json {
        let value = json!({
            "file": path, "id": id, "hash": hex(&rules.hash), "order": order, "error": null,
        });
        return Ok(format!("{value}\n"));
    }
    let order = order.join(", ");
    let is_shipped = shipped_hashes().contains(&rules.hash);
    let not_shipped = if is_shipped { "" } else { " (not shipped)" };
    Ok(format!("{}: good. {}{not_shipped} ranks by {order}.\n", path.display(), rules.name))
}
