//! `verify`: is the log what was written?

use crate::args;
use crate::error::VerbError;
use crate::loading::as_of;
use crate::session::{Session, under_moment};
use crate::trust::read_held;
use crate::{Answer, Report};
use scrutineer_desk::answers::{AsOf, Dated, Problem, VerifyAnswer, VerifyJournalAnswer, line};
use scrutineer_desk::pairing_engine::PairingEngine;
use scrutineer_desk::store::{Store, StoreError, without_records};
use scrutineer_desk::verify::{ask_engine_again, fork_of, verify_tournament_as_of};
use scrutineer_engine::error::Code;
use scrutineer_engine::log::RESTORE;
use scrutineer_engine::record::{RecordHash, StreamId};
use scrutineer_projections::counted;
use scrutineer_replay::loaded::short_id;
use scrutineer_replay::verify::{Against, Finding, Severity, Verification};
use scrutineer_store::MirrorStanding;
use std::time::Instant;

/// Verifies one tournament, or the whole store.
pub fn run(session: &Session, options: &args::Verify) -> Result<Report, VerbError> {
    let store = session.store_to_check()?;
    let known = &options.known;
    // A moment is one of a single tournament's life.
    let whole_store =
        options.which.tournament.is_none() && known.as_of.is_none() && options.held.is_empty();
    let held = options.held.iter().map(|file| read_held(file)).collect::<Result<_, _>>()?;
    let names = options.held.iter().map(|file| file.display().to_string()).collect();
    let against = Against { key: None, known: held, names };
    let streams = match whole_store {
        false => vec![store.find(options.which.tournament.as_deref())?],
        true => store.log().streams().map_err(StoreError::from)?,
    };
    let engine = options.engine.as_deref();
    let engine = engine.map(|typed| PairingEngine::named(typed, options.engine_seconds, None));
    let engine = engine.transpose()?;
    let is_copy = session.is_copy();
    let started = Instant::now();
    let mut text = String::new();
    let (mut wrong, mut unchecked, mut damaged, mut unmirrored) = (0, 0, false, 0);
    // A snapshot is in no copy.
    let mut only_snapshots = true;
    let [mut only_forks, mut only_known, mut only_shorter] = [true; 3];
    let standing = store.mirror().filter(|_| known.as_of.is_none());
    if whole_store {
        let (line, holds) = journal(session, &store, standing.as_ref());
        damaged = !holds;
        wrong += usize::from(damaged);
        text.push_str(&line);
    }
    for stream in &streams {
        let as_of = as_of(&store, *stream, known)?;
        let mut found =
            verify_tournament_as_of(&store, *stream, as_of, &against, Some(&session.asker.keys))?;
        if is_copy && against.known.is_empty() {
            // A copy ends where the store ended then, however much was signed since.
            let ends = |finding: &&mut Finding| finding.code == "log-shorter";
            found
                .findings
                .iter_mut()
                .filter(ends)
                .for_each(|one| one.severity = Severity::Information);
        }
        if let Some(engine) = &engine {
            ask_engine_again(&store, as_of, engine, &mut found)?;
        }
        // Names go ahead of the commands that need them.
        if let Some(standing) = standing.as_ref().filter(|standing| standing.missing == Some(0)) {
            let missing = names_not_mirrored(&store, *stream, standing)?;
            unmirrored += usize::from(missing.is_some());
            // Where the store's book is damaged, the mirror's may be the only whole one.
            let damage =
                |f: &Finding| matches!(f.code, "book-altered" | "words-lost" | "words-erased");
            let is_damaged = found.findings.iter().any(damage);
            found.findings.extend(missing.filter(|_| !is_damaged));
        }
        wrong += usize::from(!found.holds());
        let errors: Vec<&str> = found
            .findings
            .iter()
            .filter(|finding| finding.severity == Severity::Error)
            .map(|finding| finding.code)
            .collect();
        let fork = fork_of(&store, *stream)?.map(|fork| fork.code);
        only_snapshots &= errors.iter().all(|code| *code == "snapshot-differs");
        only_forks &= errors.iter().all(|code| Some(*code) == fork);
        only_known &= errors.iter().all(|code| code.starts_with("known-"));
        only_shorter &= errors.iter().all(|code| *code == "log-shorter");
        unchecked += found.unchecked();
        let title = match store.summary(*stream) {
            Err(error) if error.is_newer() => "untitled".into(),
            summary => summary?.title,
        };
        text.push_str(&match session.json {
            true => {
                let answer = VerifyAnswer::of(&title, &found);
                line(&Dated { answer, as_of: as_of.map(AsOf::from) })
            }
            false => under_moment(as_of, describe(&title, &found, streams.len() == 1)),
        });
    }
    if whole_store {
        for (stream, finding) in without_records(&store, &session.store)? {
            [only_snapshots, only_forks, only_known, only_shorter] = [false; 4];
            wrong += 1;
            let gone = Verification {
                stream,
                records: 0,
                head: RecordHash::ZERO,
                findings: vec![finding],
            };
            text.push_str(&match session.json {
                true => line(&VerifyAnswer::of("", &gone)),
                false => describe("", &gone, true),
            });
        }
    }
    if !session.json {
        text.extend(standing.iter().map(|standing| mirror(standing, unmirrored)));
        let (count, elapsed) = (streams.len(), started.elapsed().as_millis());
        let events = counted(count, "tournament");
        let result = match wrong {
            0 if unchecked > 0 => not_checked(unchecked),
            0 if !against.known.is_empty() => {
                "consistent in itself, and it begins with what was signed".to_string()
            }
            0 if count == 1 => {
                "consistent in itself, compared with nothing from outside".to_string()
            }
            0 => "consistent in themselves, compared with nothing from outside".to_string(),
            _ if is_copy => "this copy is not in order, see above: the store itself is as it was. Make another \
                             one: `scrutineer --store <store> backup <new folder>`"
                .to_string(),
            // What stands above may be long.
            _ if damaged => format!("the journal is damaged, see the first line; {RESTORE}"),
            _ if only_forks => "what is kept here is in order, and was rewritten where it is run: keep this \
                                store, which proves it"
                .to_string(),
            _ if only_known => "the log is in order, and what you hold is not of it, see above: ask who gave \
                                it to you"
                .to_string(),
            _ if only_shorter => "the log is shorter than what was signed, see above. Where the rest is kept \
                                  elsewhere, as at a publisher's server, bring it back: `scrutineer bundle \
                                  import <file>`; where it is lost: `scrutineer checkpoint --restored \
                                  --reason <why>`"
                .to_string(),
            _ if only_snapshots => {
                "a snapshot is not in order, and all else is: `scrutineer snapshots --drop`".into()
            }
            _ => "not in order, see above; what is damaged comes back from a copy: `scrutineer restore \
                  --from <mirror or backup>`"
                .to_string(),
        };
        let version = env!("CARGO_PKG_VERSION");
        text.push_str(&format!("{events}: {result} (scrutineer {version}, {elapsed} ms)\n"));
    }
    let answer = match (wrong, unchecked) {
        (0, 0) => Answer::Yes,
        (0, _) => Answer::NotChecked,
        _ => Answer::No,
    };
    Ok(Report { text, answer })
}

/// The last line where something could not be checked.
pub fn not_checked(count: usize) -> String {
    let things = counted(count, "thing");
    format!("not verified: {things} could not be checked, see above; ask which program wrote that")
}

/// The journal is what everything else can be made from again, so the whole store begins with it.
fn journal(session: &Session, store: &Store, mirror: Option<&MirrorStanding>) -> (String, bool) {
    let found = store.verify_journal();
    let holds = found.is_ok();
    let (records, error) = match found {
        Ok(records) => (records, None),
        Err(error) => (None, Some(error.to_string())),
    };
    if session.json {
        let mirror = mirror.map(Into::into);
        let error =
            error.map(|error| Problem::new(error, Code::damaged("journal-damaged"), None::<&str>));
        let answer = VerifyJournalAnswer { journal_records: records, holds, error, mirror };
        return (line(&answer), holds);
    }
    let line = match (records, error) {
        (_, Some(error)) => format!("journal: {error}   [journal-damaged]\n"),
        (Some(records), None) => {
            format!("journal: {}, hashed and chained: ok\n", counted(records, "record"))
        }
        (None, None) => String::new(),
    };
    (line, holds)
}

/// The names of a tournament that the mirror has not whole, where there are some.
fn names_not_mirrored(
    store: &Store,
    stream: StreamId,
    standing: &MirrorStanding,
) -> Result<Option<Finding>, VerbError> {
    let missing = store.not_mirrored(stream, &standing.folder)?;
    let folder = standing.folder.display();
    Ok((missing > 0).then(|| Finding {
        code: "names-not-mirrored",
        seq: 0,
        sentence: format!(
            "the mirror has {} not as the private texts have them: rename \
             {folder}/books/{stream}.jsonl, and it is written again",
            counted(missing, "text")
        ),
        severity: Severity::Information,
    }))
}

/// How the mirror stands, and of how many tournaments it has names not whole.
fn mirror(standing: &MirrorStanding, unmirrored: usize) -> String {
    let MirrorStanding { folder, missing, away } = standing;
    let folder = folder.display();
    match (away, missing) {
        (Some(why), _) => format!("mirror {folder}: not written: {why}\n"),
        (None, None | Some(0)) if unmirrored > 0 => format!(
            "mirror {folder}: has every command, and not all names of {}\n",
            counted(unmirrored, "tournament")
        ),
        (None, None | Some(0)) => {
            format!("mirror {folder}: has every command, and every name that is here\n")
        }
        (None, Some(missing)) => {
            format!("mirror {folder}: lacks {} as yet\n", counted(*missing, "command"))
        }
    }
}

/// The findings of one tournament; of a whole store only what is wrong, and how much else there is.
fn describe(title: &str, found: &Verification, all: bool) -> String {
    let verdict = match (found.holds(), found.unchecked()) {
        (true, 0) => "ok",
        (true, _) => "not all of it could be checked",
        (false, _) => "not in order",
    };
    let notes = found.findings.iter().filter(|f| f.severity == Severity::Information).count();
    let left_out = match notes {
        0 => String::new(),
        _ if all => String::new(),
        1 => format!(", 1 note: scrutineer verify --tournament {}", short_id(found.stream)),
        _ => format!(", {notes} notes: scrutineer verify --tournament {}", short_id(found.stream)),
    };
    let title = if title.is_empty() { "" } else { &format!(" {title}") };
    let mut text = format!(
        "{}{title}: {}, head {}: {verdict}{left_out}\n",
        short_id(found.stream),
        counted(found.records, "record"),
        found.head.short(),
    );
    for finding in found.findings.iter().filter(|f| all || f.severity > Severity::Information) {
        let severity = finding.severity.word();
        let place = match finding.seq {
            0 => String::new(),
            seq => format!("event {seq}: "),
        };
        text.push_str(&format!("  {severity}: {place}{}   [{}]\n", finding.sentence, finding.code));
    }
    text
}
