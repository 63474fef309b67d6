//! Receipts of results: a strip for each table, with a code that opens the page which checks itself at this
//! result.

use super::super::code::{Svg, code};
use super::super::proved::Proved;
use super::super::{Looked, is_chess, render, round_called, said_slip};
use super::{Paper, paper};
use askama::Template;
use scrutineer_desk::verb_error::VerbError;
use scrutineer_engine::event::RoundNumber;
use scrutineer_replay::loaded::LoadedTournament;

/// How many strips are on a sheet.
const PER_SHEET: usize = 10;

#[derive(Template)]
#[template(path = "print_receipts.html")]
struct ReceiptsPage {
    paper: Paper,
    sheets: Vec<Vec<Strip>>,
}

struct Strip {
    table: u32,
    players: Vec<String>,
    result: String,
    proved: Proved,
    code: Option<Svg>,
}

/// The last round in which there is a result.
fn last_with_result(event: &LoadedTournament) -> Option<RoundNumber> {
    let results = event.state.matches().filter(|found| found.result().is_some());
    results.map(|found| found.round().number).max()
}

/// The strips of the last round in which there is a result.
///
/// # Errors
/// Where the store cannot be read.
pub fn page(at: &Looked<'_>, event: &LoadedTournament) -> Result<String, VerbError> {
    let title = at.language.t("paper-receipts");
    let Some(round) = last_with_result(event) else {
        return render(&ReceiptsPage {
            paper: paper(at, event, "receipts", title),
            sheets: vec![],
        });
    };
    let is_chess = is_chess(event);
    let mut strips = Vec::new();
    for table in super::tables_of(event, round)?.0 {
        let mut matches = event.state.matches().filter(|found| found.round().number == round);
        let found = matches.find(|found| found.table() == Some(table.table));
        let Some(proved) = found.map(|found| Proved::of(at, found)).transpose()?.flatten() else {
            continue;
        };
        strips.push(Strip {
            table: table.table,
            players: table.players.into_iter().map(|seat| seat.player.name).collect(),
            result: said_slip(&table.result.unwrap_or_default(), is_chess, at.language),
            code: at.has_public_records().then(|| code(&proved.address(at))).flatten(),
            proved,
        });
    }
    let mut sheets = Vec::new();
    while !strips.is_empty() {
        let rest = strips.split_off(strips.len().min(PER_SHEET));
        sheets.push(std::mem::replace(&mut strips, rest));
    }
    let title = format!("{title} · {}", round_called(&event.state, round, at.language));
    render(&ReceiptsPage { paper: paper(at, event, "receipts", title), sheets })
}
