//! `rules sign`, `rules take`, `rules editions` and `rules fetch`: rules that a publisher signs and desks take.

use crate::error::VerbError;
use crate::output::publish;
use crate::session::{Session, hint_in, read_bounded, typed_path};
use crate::trust::read_whole_key;
use crate::{Answer, Report};
use scrutineer_desk::answers::{EditionAnswer, EditionEffect, EditionListed, line};
use scrutineer_desk::edition::{self, Edition, Editions, MAX_BYTES};
use scrutineer_desk::effect::effect;
use scrutineer_desk::rebuild::{Asked, rebuild_store};
use scrutineer_desk::rehearsal::Chance;
use scrutineer_desk::store::{Store, StoreAt};
use scrutineer_engine::error::Code;
use scrutineer_engine::record::to_hex;
use scrutineer_replay::trust::note::fingerprint;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Signs a ruleset with the key of this machine.
pub fn sign(
    session: &Session,
    id: &str,
    replaces: Option<&str>,
    output: Option<&Path>,
    force: bool,
) -> Result<Report, VerbError> {
    let files = session.ruleset_files(id)?;
    let key = session.asker.keys.current()?.ok_or_else(|| {
        let message = "there is no key to sign with in the folder of your keys";
        VerbError::new(Code::not_found("no-key"), message, "make one: `scrutineer keys new`")
    })?;
    let time = Chance::of(session.asker.rehearse.as_deref(), &Store::in_memory())?.now();
    let text = edition::sign(&files, replaces, time, &key)?;
    let signed = edition::read(text.as_bytes(), None)?;
    let file = output.map_or_else(|| format!("{}.edition", signed.id).into(), PathBuf::from);
    publish(&file, text.as_bytes(), force)?;
    let answer = EditionAnswer::of(&file, &signed);
    Ok(Report::yes(match session.json {
        true => line(&answer),
        false => format!(
            "{}, signed by {}\ngive others its key on another way: {}\nwritten to {}\n",
            signed.titled(),
            fingerprint(&signed.key),
            to_hex(&signed.key),
            file.display()
        ),
    }))
}

/// An edition that is here: the file that is named where it is taken, and whether it waits for its key.
struct Here {
    file: PathBuf,
    found: Result<Edition, VerbError>,
    waits: bool,
}

/// The editions of the store that is there.
fn editions(session: &Session) -> Result<Editions, VerbError> {
    Ok(match session.existing_store()? {
        StoreAt::Folder(folder) => Editions::in_folder(folder),
        at => Editions::of(session.store_to_read()?.shared_files(), at.folder()),
    })
}

/// Keeps an edition in the store, and says what it would change.
pub fn take(session: &Session, file: &Path, key: &str) -> Result<Report, VerbError> {
    let key = read_whole_key(key)?;
    let bytes = read_bounded(file, usize::try_from(MAX_BYTES).unwrap_or(usize::MAX))?;
    let (edition, file) = editions(session)?.keep(&bytes, &key)?;
    told(session, vec![Here { file, found: Ok(edition), waits: false }])
}

/// Says which editions are here, and what each would change.
pub fn list(session: &Session) -> Result<Report, VerbError> {
    let all = editions(session)?;
    let (kept, offered) = (all.kept()?, all.offered()?);
    let kept = kept.into_iter().map(|(file, found)| match found {
        Ok(edition) => here(all.folder(), edition, false),
        Err(error) => Here { file, found: Err(error.into()), waits: false },
    });
    let offered = offered.into_iter().map(|(file, found)| Here {
        file,
        found: found.map_err(VerbError::from),
        waits: true,
    });
    told(session, kept.chain(offered).collect())
}

fn here(folder: &Path, edition: Edition, waits: bool) -> Here {
    let file = match waits {
        true => edition::offered_file(folder, &edition),
        false => edition::ruleset_file(folder, &edition),
    };
    Here { file, found: Ok(edition), waits }
}

/// Looks for new editions at a publisher's server, and says what they would change.
#[cfg(feature = "serve")]
pub fn fetch(
    session: &Session,
    address: Option<&str>,
    key: Option<&str>,
) -> Result<Report, VerbError> {
    use scrutineer_desk::answers::EditionsFetched;
    use scrutineer_desk::edition::Offer;
    use scrutineer_projections::counted;
    use scrutineer_server::elsewhere::{self, Elsewhere};
    use scrutineer_server::enrolled;
    use scrutineer_server::publisher::editions;
    let (all, store) = (editions(session)?, session.existing_store()?.folder());
    let key = key.map(read_whole_key).transpose()?;
    let there = match address {
        Some(typed) => elsewhere::address(typed)?.0,
        None => enrolled::enrolled(store)?.ok_or_else(enrolled::not_enrolled)?.address,
    };
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let runtime = runtime.map_err(|error| {
        let message = format!("the other server cannot be asked: {error}");
        VerbError::new(Code::io("server-not-started"), message, "try it again")
    })?;
    let there = Elsewhere::new(there, None);
    let fetched = runtime.block_on(editions::fetch(&all, &there))?;
    let mut new = Vec::new();
    for (found, offer) in fetched.new {
        let mut one = here(all.folder(), found, offer == Offer::Waits);
        if let (true, Some(key), Ok(waiting)) = (one.waits, &key, &one.found)
            && waiting.key == *key
        {
            let bytes = read_bounded(&one.file, usize::try_from(MAX_BYTES).unwrap_or(usize::MAX))?;
            let (taken, file) = all.keep(&bytes, key)?;
            one = Here { file, found: Ok(taken), waits: false };
        }
        new.push(listed(session, one)?);
    }
    let refused = fetched.refused.iter();
    let answer = EditionsFetched {
        address: there.base().to_string(),
        known: fetched.known,
        refused: refused.map(|(_, error)| error.problem()).collect(),
        new,
    };
    let is_good = answer.refused.is_empty();
    let text = match session.json {
        true => line(&answer),
        false => {
            let mut text = format!(
                "{}: {} new, {} known, {} refused\n",
                answer.address,
                counted(answer.new.len() as u64, "edition"),
                answer.known,
                answer.refused.len()
            );
            text.extend(answer.new.iter().map(words));
            for (name, error) in &fetched.refused {
                text.push_str(&format!("{name}: {}   [{}]\n", error.message, error.code.word));
            }
            text + "nothing was changed\n"
        }
    };
    Ok(Report { text, answer: if is_good { Answer::Yes } else { Answer::No } })
}

fn listed(session: &Session, one: Here) -> Result<EditionListed, VerbError> {
    let Here { file, found, waits } = one;
    let shown = file.display().to_string();
    Ok(match found {
        Ok(edition) => EditionListed {
            edition: Some(EditionAnswer::of(&file, &edition)),
            effects: effects(session, &edition)?,
            file: shown,
            error: None,
            waits,
        },
        Err(fail) => EditionListed {
            edition: None,
            effects: Vec::new(),
            file: shown,
            error: Some(fail.problem()),
            waits,
        },
    })
}

fn told(session: &Session, all: Vec<Here>) -> Result<Report, VerbError> {
    let listed = all.into_iter().map(|one| listed(session, one));
    let listed = listed.collect::<Result<Vec<EditionListed>, VerbError>>()?;
    let is_bad = listed.iter().any(|one| one.error.is_some());
    let answer = if is_bad { Answer::No } else { Answer::Yes };
    let text = match session.json {
        true => line(&listed),
        false if listed.is_empty() => {
            hint_in("no edition of rules is here: `scrutineer rules take <file> --key <key>`\n")
        }
        false => listed.iter().map(words).collect::<String>() + "nothing was changed\n",
    };
    Ok(Report { text, answer })
}

fn words(one: &EditionListed) -> String {
    let Some(edition) = &one.edition else {
        let why = one.error.as_ref().map_or("", |error| &error.message);
        return format!("{}: {why}\n", one.file);
    };
    let replaces = edition.replaces.as_ref();
    let replaces = replaces.map_or(String::new(), |name| format!(", in place of {name}"));
    let key = edition.key.get(..16).unwrap_or_default();
    let mut text = format!(
        "{} ({}){replaces}, signed {} by the key {key}…\n",
        edition.ruleset.id, edition.name, edition.time
    );
    let file = typed_path(Path::new(&one.file));
    if one.waits {
        text.push_str(&hint_in(&format!(
            "  waits: nobody has named this key here. Compare it with what the publisher gave you, then: \
             `scrutineer rules take {file} --key <key>`\n"
        )));
    }
    if one.effects.is_empty() {
        text.push_str("  no open tournament is played by what it replaces\n");
    }
    for effect in &one.effects {
        let id = effect.tournament.id.as_deref().unwrap_or_default();
        let id = id.get(..8).unwrap_or(id);
        let title = effect.tournament.title.as_deref().unwrap_or("untitled");
        let would = effect.would();
        text.push_str(&format!("  {title} ({id}): {would}\n"));
        if effect.is_copy {
            text.push_str("    a copy: whoever runs it takes it there\n");
        } else if effect.error.is_none() && !effect.in_force && !one.waits {
            text.push_str(&hint_in(&format!(
                "    to take it there: `scrutineer amend-rules {file} --tournament {id} --reason <why>`\n"
            )));
        }
    }
    text
}

/// What it would change in each tournament that is open and played by what it replaces.
fn effects(session: &Session, edition: &Edition) -> Result<Vec<EditionEffect>, VerbError> {
    let store = session.store_to_read()?;
    let asked = Asked {
        after: Arc::new(edition.rules.clone()),
        cut: None,
        name_movers: false,
        unsigned: false,
    };
    let threads = std::thread::available_parallelism().map_or(1, |cores| cores.get());
    let (mut effects, mut failed) = (Vec::new(), None);
    rebuild_store(&store, &asked, threads, &mut |_| {}, &mut |found| {
        match store.followed(found.stream) {
            Ok(followed) => effects.extend(effect(&found, edition, followed.is_some())),
            Err(error) => failed = Some(error),
        }
        ControlFlow::Continue(())
    })?;
    match failed {
        Some(error) => Err(error.into()),
        None => Ok(effects),
    }
}
