//! `rules sign`, `rules take` and `rules editions`: rules that a publisher signs and desks take.

use crate::error::VerbError;
use crate::output::publish;
use crate::session::{Session, read_bounded};
use crate::trust::read_whole_key;
use crate::{Answer, Report};
use scrutineer_desk::answers::{
    EditionAnswer, EditionEffect, EditionListed, Problem, RulesetName, TournamentName, line,
};
use scrutineer_desk::edition::{self, Edition, MAX_BYTES};
use scrutineer_desk::hint::Hint;
use scrutineer_desk::rebuild::{Asked, TournamentFound, rebuild_store};
use scrutineer_desk::rehearsal::Chance;
use scrutineer_desk::store::Store;
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
            titled(&signed),
            fingerprint(&signed.key),
            to_hex(&signed.key),
            file.display()
        ),
    }))
}

fn titled(edition: &Edition) -> String {
    let replaces = edition.replaces.as_ref();
    let replaces = replaces.map_or(String::new(), |name| format!(", in place of {name}"));
    format!("{} ({}){replaces}", edition.id, edition.rules.edition)
}

/// Keeps an edition in the store, and says what it would change.
pub fn take(session: &Session, file: &Path, key: &str) -> Result<Report, VerbError> {
    let key = read_whole_key(key)?;
    let bytes = read_bounded(file, usize::try_from(MAX_BYTES).unwrap_or(usize::MAX))?;
    let folder = session.existing_store()?.to_path_buf();
    let (edition, ruleset) = edition::keep(&folder, &bytes, &key)?;
    told(session, vec![(ruleset, Ok(edition))])
}

/// Says which editions are here, and what each would change.
pub fn list(session: &Session) -> Result<Report, VerbError> {
    let folder = session.existing_store()?.to_path_buf();
    let kept = edition::kept(&folder).map_err(edition::EditionError::from)?;
    let with_file = kept.into_iter().map(|(file, found)| match found {
        Ok(edition) => (edition::ruleset_file(&folder, &edition), Ok(edition)),
        Err(error) => (file, Err(VerbError::from(error))),
    });
    told(session, with_file.collect())
}

fn told(
    session: &Session,
    all: Vec<(PathBuf, Result<Edition, VerbError>)>,
) -> Result<Report, VerbError> {
    let mut listed = Vec::new();
    for (file, found) in all {
        let shown = file.display().to_string();
        listed.push(match found {
            Ok(edition) => EditionListed {
                edition: Some(EditionAnswer::of(&file, &edition)),
                effects: effects(session, &edition)?,
                file: shown,
                error: None,
            },
            Err(fail) => EditionListed {
                edition: None,
                effects: Vec::new(),
                file: shown,
                error: Some(fail.problem()),
            },
        });
    }
    let is_bad = listed.iter().any(|one| one.error.is_some());
    let answer = if is_bad { Answer::No } else { Answer::Yes };
    let text = match session.json {
        true => line(&listed),
        false if listed.is_empty() => {
            "no edition of rules is here: `scrutineer rules take <file> --key <key>`\n".to_string()
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
    if one.effects.is_empty() {
        text.push_str("  no open tournament is played by what it replaces\n");
    }
    for effect in &one.effects {
        let id = effect.tournament.id.as_deref().unwrap_or_default();
        let id = id.get(..8).unwrap_or(id);
        let title = effect.tournament.title.as_deref().unwrap_or("untitled");
        let would = match (&effect.error, effect.moved) {
            (Some(error), _) => {
                format!("cannot be ranked by it: {}   [{}]", error.message, error.code)
            }
            (None, Some(0)) if effect.in_force => "is played by it already".into(),
            (None, Some(0)) => "nobody would move".into(),
            (None, moved) => {
                let winner = if effect.winner_changes { ", and others would be first" } else { "" };
                let cut = if effect.cut_changes { ", and others would make the cut" } else { "" };
                format!(
                    "{} of {} players would move{winner}{cut}",
                    moved.unwrap_or(0),
                    effect.players
                )
            }
        };
        text.push_str(&format!("  {title} ({id}): {would}\n"));
        if effect.error.is_none() && !effect.in_force {
            text.push_str(&format!(
                "    to take it there: scrutineer amend-rules {} --tournament {id} --reason <why>\n",
                one.file
            ));
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
    let mut effects = Vec::new();
    rebuild_store(&store, &asked, threads, &mut |_| {}, &mut |found| {
        effects.extend(effect(&found, edition));
        ControlFlow::Continue(())
    })?;
    Ok(effects)
}

fn effect(found: &TournamentFound, edition: &Edition) -> Option<EditionEffect> {
    let before = found.before.as_ref();
    let in_force = before.is_some_and(|before| before.hash == edition.rules.hash);
    let is_meant = |replaces: &String| {
        before.is_none_or(|before| before.id.split([' ', '+']).next() == Some(replaces.as_str()))
    };
    if found.closed || !(in_force || edition.replaces.as_ref().is_none_or(is_meant)) {
        return None;
    }
    let rebuilt = found.found.as_ref();
    Some(EditionEffect {
        tournament: TournamentName::new(found.stream, found.title.clone()),
        ruleset: before.map(RulesetName::from),
        in_force,
        players: found.players,
        moved: rebuilt.ok().map(|rebuilt| rebuilt.comparison.moves.len()),
        winner_changes: rebuilt.is_ok_and(|rebuilt| rebuilt.winner_changes()),
        cut_changes: rebuilt.is_ok_and(|rebuilt| rebuilt.cut_changes()),
        error: rebuilt.err().map(|cause| Problem::new(cause, cause.code(), None::<Hint>)),
    })
}
