//! `bundle import`: a bundle into the store.

use super::{count, opened, verify};
use crate::args;
use crate::fail::Fail;
use crate::session::Session;
use crate::{Answer, Report};
use scrutineer_replay::archive::short_id;
use scrutineer_replay::bundle::{Against, ImportError, Imported, import};
use serde_json::json;

/// Brings a bundle in.
pub fn run(session: &Session, options: &args::BundleImport) -> Result<Report, Fail> {
    let mut file = opened(&options.file)?;
    let archive = session.archive()?;
    let (imported, checked) = match import(&archive, &mut file, &Against::default()) {
        Ok(done) => done,
        Err(ImportError::NotInOrder(checked)) if !session.json => {
            let text = verify::describe(&options.file, &checked, &Against::default());
            let text = format!("{text}nothing of it was kept   [bundle-not-in-order]\n");
            return Ok(Report { text, answer: Answer::No });
        }
        Err(ImportError::Parted(differ)) => {
            let error = ImportError::Parted(differ.clone());
            let mut fail = Fail::from(error);
            fail.message.push_str(&format!(": {}", differ.sentence("the store", "the bundle")));
            return Err(fail);
        }
        Err(error) => return Err(error.into()),
    };
    let Some(stream) = checked.stream else { return Ok(Report::yes("")) };
    let title = archive.summary(stream)?.title;
    if session.json {
        let (what, records) = match imported {
            Imported::New { records } => ("new", records),
            Imported::Extended { records, .. } => ("extended", records),
            Imported::Known { beyond } => ("known", checked.records + beyond),
        };
        let value = json!({ "event": stream.to_string(), "what": what, "records": records });
        return Ok(Report::yes(format!("{value}\n")));
    }
    let id = short_id(stream);
    let text = match imported {
        Imported::New { records } => {
            format!("{title} ({id}): {} brought in\n", count(records, "event"))
        }
        Imported::Extended { had, records } => format!(
            "{title} ({id}): {} added to the {had} that were here\n",
            count(records - had, "event")
        ),
        Imported::Known { beyond: 0 } => format!("{title} ({id}): already there\n"),
        Imported::Known { beyond } => {
            format!("{title} ({id}): already there, and {} more\n", count(beyond, "event"))
        }
    };
    Ok(Report::yes(text))
}

impl From<ImportError> for Fail {
    fn from(error: ImportError) -> Fail {
        let hint = error.hint().map(str::to_string);
        Fail { message: error.to_string(), code: error.code(), hint }
    }
}
