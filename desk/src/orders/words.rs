//! `note`, `withdraw`, `amend-rules`, `reseed`, `remove`: what is said about the log itself.

use super::order::{AmendRules, Note, Remove, Reseed, Withdraw};
use super::{AtDesk, Told};
use crate::answers::{AmendRulesAnswer, NoteAnswer, RemoveAnswer, ReseedAnswer, WithdrawAnswer};
use crate::desk::{DeskError, Objection};
use crate::names::Names;
use crate::store::built_on;
use crate::verb_error::VerbError;
use scrutineer_engine::error::Code;
use scrutineer_engine::event::{Event, IMPORTED_AT};
use scrutineer_engine::handler::CommandError;
use scrutineer_engine::record::to_hex as hex;
use scrutineer_engine::rejection::Rejection;
use scrutineer_engine::tournament::Dispute;
use scrutineer_projections::ruleset::{Library, called};
use scrutineer_projections::timeline::sentence;

/// Writes something down.
pub fn note(at: &AtDesk<'_>, order: &Note) -> Result<Told, VerbError> {
    let names = at.names()?;
    let done = at.desk.note(&order.text, order.about).map_err(|error| {
        let fail = at.refused(&names, error);
        match fail.code.word {
            "no-reason" => VerbError {
                message: "the note is empty".into(),
                hint: Some("write down in a few words what is to be known later".into()),
                ..fail
            },
            _ => fail,
        }
    })?;
    let answer = NoteAnswer { verb: "note", about: order.about };
    Ok(Told::of(&done, String::new(), answer))
}

/// An event of the log in words.
fn told(at: &AtDesk<'_>, seq: u64) -> Result<String, VerbError> {
    let event = at.store.load(at.desk.stream(), true)?;
    let found = event.log.iter().find(|(header, _)| header.seq == seq);
    let tell = |(_, logged): &(_, Event)| sentence(&event.state, seq, logged, &event);
    Ok(found.map_or(String::new(), tell))
}

/// Why something is not taken back, with what builds on it in words.
pub fn not_taken_back(
    at: &AtDesk<'_>,
    names: &Names,
    error: DeskError,
) -> Result<VerbError, VerbError> {
    let about = match &error {
        DeskError::Refused(CommandError::Rejected(Rejection::StillNeeded { by, .. })) => Some(*by),
        DeskError::Refused(CommandError::Rejected(Rejection::CannotWithdraw { seq })) => Some(*seq),
        DeskError::Objection(Objection::NotPutBack { seq }) => Some(*seq),
        _ => None,
    };
    let mut fail = at.refused(names, error);
    let words = about.map(|seq| told(at, seq)).transpose()?.filter(|words| !words.is_empty());
    if let Some(words) = words {
        fail.message.push_str(&format!(": {words}"));
    }
    Ok(fail)
}

/// Takes an event of the log back.
pub fn withdraw(at: &AtDesk<'_>, order: &Withdraw) -> Result<Told, VerbError> {
    let names = at.names()?;
    // Before it is taken back its table is still there to be named.
    let what = told(at, order.seq)?;
    let before = at.state()?;
    if order.seq == IMPORTED_AT && before.imported().is_some() {
        return Err(VerbError::new(
            Code::refused("cannot-withdraw"),
            format!("without its import nothing of the tournament is left: {what}"),
            "`scrutineer tournaments remove <name or id> --reason <why>` removes it",
        ));
    }
    let enrolled = before.players().iter().find(|player| player.enrolled == order.seq);
    let enrolled = enrolled.map(|player| player.number);
    let done = match at.desk.withdraw(order.seq, &order.reason) {
        Ok(done) => done,
        Err(error) => {
            let mut fail = not_taken_back(at, &names, error)?;
            if let Some(player) = enrolled.filter(|_| fail.code == "still-needed") {
                fail.hint = Some(
                    format!(
                        "if they leave: `{}`; if only the name is wrong: `{}`",
                        at.command(&format!("drop {player}")),
                        at.command(&format!("rename {player} <name>")),
                    )
                    .into(),
                );
            }
            return Err(fail);
        }
    };
    let text = format!("event {} is taken back: {what}\n", order.seq);
    let answer = WithdrawAnswer { verb: "withdraw", seq: order.seq, what };
    let mut told = Told::of(&done, text, answer);
    // A ruling and the correction that came of it are two events.
    let is_its = |dispute: &&Dispute| dispute.ruled.is_some_and(|(seq, _)| seq == order.seq);
    if let Some(dispute) = before.disputes().iter().find(is_its) {
        told.notes.extend(dispute.corrections.iter().map(|correction| {
            let withdraw = at.command(&format!("withdraw {correction} --reason <why>"));
            format!("the correction in event {correction} still stands: `{withdraw}`")
        }));
    }
    Ok(told)
}

/// Removes a tournament that was brought in from a file, and in which nobody recorded anything.
pub fn remove(at: &AtDesk<'_>, order: &Remove) -> Result<Told, VerbError> {
    let refused = |code: Code, message: String, hint: &str| {
        Err(VerbError::new(code, message, hint.to_string()))
    };
    let event = at.store.load(at.desk.stream(), true)?;
    if event.state.imported().is_none() {
        let message = "only an imported tournament can be removed, and this one is run here".into();
        return refused(Code::refused("not-imported"), message, "`close` ends it; a note says why");
    }
    if let Some((header, _)) = built_on(&event).next().filter(|_| !event.state.is_removed()) {
        let what = told(at, header.seq)?;
        let message = format!("somebody built on it since it was imported: {what}");
        return refused(
            Code::refused("built-on"),
            message,
            "`correct` puts a result right and `note` says the rest; what was taken back again counts as \
             built on it, too",
        );
    }
    let names = at.names()?;
    let done = at.desk.withdraw(IMPORTED_AT, &order.reason);
    let done = done.map_err(|error| at.refused(&names, error))?;
    at.store.forget_meant();
    let text = format!(
        "{} is removed: no list, season or search has it any more\n  its log stays under its id, and \
         says who removed it and why; its file can be imported again\n",
        event.title()
    );
    let answer = RemoveAnswer { verb: "remove", reason: order.reason.clone() };
    Ok(Told::of(&done, text, answer))
}

/// The id of a ruleset with further changes; a value that was changed before is changed anew.
fn changed(was: &str, typed: &str) -> String {
    let key = |change: &str| change.split('=').next().unwrap_or_default().trim().to_string();
    let again: Vec<String> = typed.split('+').map(key).collect();
    let mut parts = was.split('+');
    let base = parts.next().unwrap_or_default().to_string();
    let kept = parts.filter(|change| !again.contains(&key(change)));
    let kept: String = kept.map(|change| format!("+{change}")).collect();
    format!("{base}{kept}{typed}")
}

/// Another ruleset is in force.
pub fn amend_rules(at: &AtDesk<'_>, order: &AmendRules) -> Result<Told, VerbError> {
    let names = at.names()?;
    let state = at.state()?;
    let own = state.ruleset().unwrap_or_default();
    let was = own.first().map_or(String::new(), |file| file.name.clone());
    let mut library = Library::shipped();
    for file in &order.files {
        library.load_file(&format!("{}.toml", file.id), &file.text)?;
    }
    let asked = match order.rules.starts_with('+') {
        true => {
            // What the tournament brings along need not be known here otherwise.
            for file in own.iter().rev().filter(|file| !file.name.contains('+')) {
                library.load_file(&format!("{}.toml", file.name), &file.text)?;
            }
            changed(&was, &order.rules)
        }
        false => order.rules.clone(),
    };
    // Read once, so that mistakes are told as those of what was typed.
    library.ruleset(&asked)?;
    let files = library.chain(&asked)?;
    let done = at.desk.amend_ruleset(&files, &order.reason);
    let done = done.map_err(|error| at.refused(&names, error))?;
    let is = files.first().map_or(String::new(), |file| file.name.clone());
    let (from, to) = (called(own), called(&files));
    let text = format!("every round counts under {to}, no longer under {from}\n");
    let answer = AmendRulesAnswer { verb: "amend-rules", before: was, rules: is };
    Ok(Told::of(&done, text, answer).next(at.command("standings")))
}

/// Replaces the secret of the seeds.
pub fn reseed(at: &AtDesk<'_>, order: &Reseed) -> Result<Told, VerbError> {
    let names = at.names()?;
    let done = at.desk.reseed(&order.reason).map_err(|error| at.refused(&names, error))?;
    let seed = at.state()?.opened().and_then(|opened| opened.seed_commitment).unwrap_or_default();
    let text = format!(
        "a new pairing commitment: {}\n  the rounds so far keep theirs; tell the players why\n",
        hex(&seed)
    );
    let answer = ReseedAnswer { verb: "reseed", seed_commitment: hex(&seed) };
    Ok(Told::of(&done, text, answer))
}
