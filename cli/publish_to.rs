//! `publish-to`: the public pages of a tournament as files.

use crate::Report;
use crate::args;
use crate::beside::Beside;
use crate::error::VerbError;
use crate::loading::doubt_other_log;
use crate::noted::{note_export, whole};
use crate::printable::printable;
use crate::serve::{ending, quiet};
use crate::session::{Session, say};
use scrutineer_desk::answers::{PublishToAnswer, line};
use scrutineer_desk::store::Export;
use scrutineer_engine::error::Code;
use scrutineer_projections::counted as count;
use scrutineer_server::elsewhere::Elsewhere;
use scrutineer_server::folder::{Published, Written};
use scrutineer_server::local::announced;
use scrutineer_server::serve::start;
use std::io::Write;
use std::net::Ipv4Addr;
use std::path::Path;
use std::time::Duration;

/// How long after a look at the pages the next one comes.
const PAUSE: Duration = Duration::from_secs(2);

/// What the pages are called in the list of exports.
const PAGES: &str = "pages";

/// Writes the pages once, or until Ctrl-C. Where a server of the store runs, they are its pages; otherwise
/// this is the server, for this machine alone.
pub fn run(session: &Session, options: &args::PublishTo) -> Result<Report, VerbError> {
    session.check_folder(&options.folder, "name a folder for the pages")?;
    let which = named(session, options)?;
    let which = which.as_deref();
    // Asked before there is a runtime: the client of a running server has its own.
    let running = Beside::of(session.folder()).and_then(|_| announced(session.folder()));
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build();
    let runtime = runtime.map_err(|error| {
        let message = format!("the pages cannot be made: {error}");
        VerbError::new(Code::io("server-not-started"), message, "try it again")
    })?;
    runtime.block_on(async {
        let Some(running) = running else {
            session.existing_store()?;
            let started = start(quiet(session), (Ipv4Addr::LOCALHOST, 0).into()).await?;
            let (address, stop) = (started.address, started.stop.clone());
            let serving = tokio::spawn(started.serve());
            let written = write(session, options, which, &format!("http://{address}")).await;
            // Nobody listens any more where the server has ended by itself.
            let _ = stop.send(true);
            let ended = serving.await;
            let report = written?;
            ended.map_err(|error| {
                let message = format!("the server did not end: {error}");
                VerbError::new(Code::internal("request-not-done"), message, "look at the store")
            })??;
            return Ok(report);
        };
        write(session, options, which, &format!("http://{}", running.address)).await
    })
}

/// The id of the tournament that is named, found as other commands find it: a server knows whole titles alone.
fn named(session: &Session, options: &args::PublishTo) -> Result<Option<String>, VerbError> {
    let Some(name) = options.which.tournament.as_deref() else { return Ok(None) };
    let stream = session.store_to_read()?.find(Some(name))?;
    Ok(Some(stream.to_string()))
}

async fn write(
    session: &Session,
    options: &args::PublishTo,
    which: Option<&str>,
    server: &str,
) -> Result<Report, VerbError> {
    let from = Elsewhere::new(server.to_string(), None);
    let published = Published::of(from, which, options.lang.as_deref()).await?;
    let written = published.write(&options.folder).await?;
    note(session, published.id(), &options.folder)?;
    if !options.watch {
        return Ok(Report::yes(told(session, options, written)));
    }
    print(&told(session, options, written));
    let mut ends = std::pin::pin!(ending());
    loop {
        tokio::select! {
            () = &mut ends => return Ok(Report::yes("")),
            () = tokio::time::sleep(PAUSE) => {}
        }
        match published.write(&options.folder).await {
            Ok(written) if written.changed + written.removed > 0 => {
                print(&told(session, options, written));
            }
            Ok(_) => {}
            // What is there stays: a server may be started again, a disk may be emptied.
            Err(error) => say(&error.told()),
        }
    }
}

/// Notes once that the pages are in a folder: whoever is forgotten later is told to have them written anew. Of a
/// log that is not the one that was signed here, or was rewritten where it is run, that is told.
fn note(session: &Session, id: &str, folder: &Path) -> Result<(), VerbError> {
    let store = session.store_to_read()?;
    let stream = store.find_whole(id)?;
    doubt_other_log(session, &store, stream, &store.load(stream, false)?.state);
    let path = whole(folder);
    let is_it = |one: &Export| one.what == PAGES && one.path.as_ref() == Some(&path);
    match store.exports(stream)?.exports.iter().any(is_it) {
        true => Ok(()),
        false => note_export(session, &store, Some(stream), PAGES, folder),
    }
}

/// What was written, in words or for programs.
fn told(session: &Session, options: &args::PublishTo, written: Written) -> String {
    let Written { files, changed, removed } = written;
    let folder = options.folder.display().to_string();
    if session.json {
        return line(&PublishToAnswer { folder, files, changed, removed });
    }
    let removed = match removed {
        0 => String::new(),
        removed => format!(", {removed} removed"),
    };
    format!("{} in {folder}, {changed} changed{removed}\n", count(files as u64, "file"))
}

fn print(text: &str) {
    let mut out = anstream::stdout();
    // A reader who has seen enough is no failure.
    let _ = out.write_all(printable(text).as_bytes()).and_then(|()| out.flush());
}
