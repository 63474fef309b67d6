//! `backup`: a copy of the whole store, also while it is in use.

use crate::args;
use crate::beside::{copy_house, copy_of_house};
use crate::error::VerbError;
use crate::session::{Session, typed_path};
use crate::{Answer, Report};
use scrutineer_desk::answers::{BackupAnswer, line};
use scrutineer_desk::rehearsal::now;
use scrutineer_desk::store::{Checked, StoreAt, back_up, back_up_database};
use std::path::Path;

/// Copies the store and reads the copy back.
pub fn run(session: &Session, options: &args::Backup) -> Result<Report, VerbError> {
    let copy = "name a new folder; `scrutineer store copy <from> <to>` copies into a database";
    session.check_folder(&options.folder, copy)?;
    let store = session.existing_store()?;
    let checked = match store {
        StoreAt::Folder(store) => {
            copy_house(store)?;
            back_up(store, &options.folder, now())?
        }
        StoreAt::Database(at) => {
            let from = session.store_to_read()?;
            let house = |folder: &Path| copy_of_house(&from, at, folder);
            back_up_database(&from, at, &options.folder, now(), &house)?
        }
    };
    let folder = options.folder.display();
    let answer = answer(&checked);
    if session.json {
        let (folder, checked) = (folder.to_string(), (&checked).into());
        let text = line(&BackupAnswer { verb: "backup", folder, checked });
        return Ok(Report { text, answer });
    }
    let mut text = format!("copied to {folder}: {}\n{}", holds(&checked), read_back(&checked));
    let back = session.command_in_this_store(&format!(
        "scrutineer restore --from {}",
        typed_path(&options.folder)
    ));
    text.push_str(&format!(
        "names are in it, so keep it as you keep the store; the pairing secrets and your keys \
         are not\nto bring it back: {back}\n",
    ));
    Ok(Report { text, answer })
}

/// Whether everything in a copy is in order.
pub fn answer(checked: &Checked) -> Answer {
    if checked.wrong.is_empty() { Answer::Yes } else { Answer::No }
}

/// What a copy holds.
pub fn holds(checked: &Checked) -> String {
    format!(
        "{}, {} with {}, {}, {}",
        counted(checked.events as u64, "tournament"),
        counted(checked.commands, "command"),
        counted(checked.records, "record"),
        counted(checked.texts as u64, "private text"),
        counted(checked.checkpoints as u64, "checkpoint"),
    )
}

/// What was checked, and what is wrong.
pub fn read_back(checked: &Checked) -> String {
    let verdict = if checked.wrong.is_empty() { "ok" } else { "not all is in order" };
    let held = match checked.checkpoints {
        0 => "and no checkpoint is there to hold against the records",
        _ => "every checkpoint held against the records",
    };
    let mut text = format!(
        "read back: every record hashed and chained, all private texts read, {held}: {verdict}\n"
    );
    if checked.checkpoints > 0 && checked.without_checkpoints > 0 {
        let events = counted(checked.without_checkpoints as u64, "tournament");
        text.push_str(&format!("no checkpoint is kept of {events}\n"));
    }
    for wrong in &checked.wrong {
        text.push_str(&format!("  {wrong}\n"));
    }
    text
}

/// A number of things in words.
pub fn counted(count: u64, thing: &str) -> String {
    let s = if count == 1 { "" } else { "s" };
    format!("{count} {thing}{s}")
}
