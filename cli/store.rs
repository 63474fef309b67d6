//! `store migrate` and `store copy`: what is done with a store as a whole.

use crate::Report;
use crate::args::OfStore;
use crate::backup::counted;
use crate::beside::{carry_house, copy_house};
use crate::error::VerbError;
use crate::session::{Session, say};
use indicatif::{ProgressBar, ProgressStyle};
use scrutineer_desk::answers::{StoreCopyAnswer, StoreMigrateAnswer, line};
use scrutineer_desk::rehearsal::now;
use scrutineer_desk::store::{Carried, CarriedHouse, Placed, Store, StoreAt, copy_store};
use scrutineer_engine::error::Code;
use scrutineer_engine::record::StreamId;
use std::io::IsTerminal;
use std::path::Path;
use std::time::{Duration, Instant};

/// How often is told how far a copy is, where no bar is drawn.
const EVERY: Duration = Duration::from_secs(10);

/// Does what is asked.
pub fn run(session: &Session, verb: &OfStore) -> Result<Report, VerbError> {
    match verb {
        OfStore::Migrate => migrate(session),
        OfStore::Copy { from, to, without } => copy(session, from, to, without),
    }
}

fn migrate(session: &Session) -> Result<Report, VerbError> {
    let done = Store::migrate(&session.store)?;
    let store = session.store.to_string();
    if session.json {
        let answer =
            StoreMigrateAnswer { verb: "store-migrate", store, from: done.from, to: done.to };
        return Ok(Report::yes(line(&answer)));
    }
    Ok(Report::yes(match (done.from, done.to) {
        (0, to) => format!("{store} has its tables now, of version {to}\n"),
        (from, to) if from == to => format!("{store} has tables of version {to} already\n"),
        (from, to) => {
            format!("{store}: its tables were of version {from}, and are of version {to}\n")
        }
    }))
}

fn copy(
    session: &Session,
    from: &Path,
    to: &Path,
    without: &[String],
) -> Result<Report, VerbError> {
    let from = StoreAt::new(from, session.node.clone())?;
    let to = StoreAt::new(to, session.node.clone())?;
    if let (StoreAt::Database(_), StoreAt::Database(_)) = (&from, &to)
        && from.folder() == to.folder()
    {
        let message = "two databases cannot share a node folder";
        let hint = "leave --node and SCRUTINEER_NODE out: each database has one of its own then";
        return Err(VerbError::new(Code::invalid("one-node-folder"), message, hint));
    }
    if let StoreAt::Folder(folder) = &from
        && !folder.join("FORMAT").exists()
    {
        let message = format!("there is no store in {from}");
        return Err(VerbError::new(
            Code::not_found("no-store"),
            message,
            "name a store that is there",
        ));
    }
    if let StoreAt::Folder(folder) = &from {
        copy_house(folder)?;
    }
    let read = session.store_to_read_in(&from)?;
    let out = without.iter().map(|name| Ok(read.find(Some(name))?));
    let mut out = out.collect::<Result<Vec<StreamId>, VerbError>>()?;
    out.sort_unstable();
    out.dedup();
    let into = session.store_in(&to)?;
    let bar = ProgressBar::no_length().with_style(style());
    let (drawn, mut told) = (std::io::stderr().is_terminal(), Instant::now());
    let mut tell = |all: usize, done: &Carried| {
        bar.set_length(all as u64);
        bar.set_position(done.tournaments as u64);
        if !drawn && told.elapsed() >= EVERY {
            told = Instant::now();
            say(&format!("{} of {} copied", done.tournaments, counted(all as u64, "tournament")));
        }
    };
    let (source, target) = (Placed { store: &read, at: &from }, Placed { store: &into, at: &to });
    let carried = copy_store(&source, &target, (&out, now()), &mut tell)?;
    bar.finish_and_clear();
    let house = carry_house((&read, &from), (&into, &to))?;
    let (from, to) = (from.to_string(), to.to_string());
    if session.json {
        return Ok(Report::yes(line(&StoreCopyAnswer::of((from, to), &carried, out.len(), house))));
    }
    let mut text = words(&from, &to, &carried, house.as_ref());
    if !out.is_empty() {
        text.push_str(&format!(
            "{} left out: all of it stays in {from}\n",
            counted(out.len() as u64, "tournament")
        ));
    }
    Ok(Report::yes(text))
}

fn style() -> ProgressStyle {
    let style = ProgressStyle::with_template("{bar:40} {pos} of {len} tournaments copied");
    style.unwrap_or_else(|_| ProgressStyle::default_bar())
}

fn words(from: &str, to: &str, carried: &Carried, house: Option<&CarriedHouse>) -> String {
    let mut text = format!(
        "{from} is in {to}: {}, {} with {}, {}, {}\n",
        counted(carried.tournaments as u64, "tournament"),
        counted(carried.commands, "command"),
        counted(carried.records, "record"),
        counted(carried.texts as u64, "private text"),
        counted(carried.files as u64, "file") + " beside the logs",
    );
    match carried.there {
        0 => {}
        there if there == carried.records => text.push_str("every record was there already\n"),
        there => text.push_str(&format!("{} of the records were there already\n", there)),
    }
    text.push_str("read back: every record, private text and file compared byte by byte: ok\n");
    if carried.stay_empty > 0 {
        text.push_str(&format!(
            "{} stay empty there: somebody was forgotten\n",
            counted(carried.stay_empty as u64, "text")
        ));
    }
    match house {
        Some(house) => text.push_str(&house_in_words(house, to)),
        None => text.push_str("who may do what was not copied: this program has no server\n"),
    }
    text
}

/// What became of who may do what, and of the floors; nothing where there was nothing.
fn house_in_words(house: &CarriedHouse, to: &str) -> String {
    let mut text = String::new();
    match (house.rows + house.changes, house.has_own) {
        (0, _) => {}
        (_, true) => text.push_str(&format!(
            "who may do what stays as it is in {to}, which has people of its own\n"
        )),
        (_, false) => text.push_str(&format!(
            "who may do what: {}, and {} of who changed it, each compared: ok\n",
            counted(house.rows as u64, "row"),
            counted(house.changes as u64, "line"),
        )),
    }
    if house.floors > 0 {
        text.push_str(&format!(
            "floors of {}: {} of what was done there, each compared: ok\n",
            counted(house.floors as u64, "tournament"),
            counted(house.entries as u64, "line"),
        ));
    }
    if house.parted > 0 {
        text.push_str(&format!(
            "{} went on otherwise there and stay as they are\n",
            counted(house.parted as u64, "floor")
        ));
    }
    text
}
