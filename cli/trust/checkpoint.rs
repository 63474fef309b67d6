//! `checkpoint`: the log as it stands, signed; and what an earlier one says about it.

use super::{latest, read_checkpoint, read_held, write};
use crate::args::Checkpoint as Options;
use crate::error::VerbError;
use crate::session::Session;
use crate::{Answer, Report};
use qrcode::render::unicode::Dense1x2;
use qrcode::{EcLevel, QrCode};
use scrutineer_desk::answers::{CheckpointAnswer, CheckpointExtendsAnswer, HeldFinding, line};
use scrutineer_desk::orders::AtDesk;
use scrutineer_desk::sign::{kept, kept_or_noted, sign};
use scrutineer_desk::store::StoreError;
use scrutineer_engine::error::Code;
use scrutineer_replay::trust::check::compare_one;
use scrutineer_replay::trust::checkpoint::Signed;
use scrutineer_replay::trust::held::Held;
use scrutineer_replay::trust::history::History;
use scrutineer_replay::trust::receipt::Receipt;
use scrutineer_replay::verify::{Finding, Severity};
use std::path::Path;

/// Prints the checkpoint, or compares with earlier ones.
pub fn run(session: &Session, at: &AtDesk<'_>, options: &Options) -> Result<Report, VerbError> {
    if !options.extends.is_empty() {
        return extends(session, at, options);
    }
    if let Some(reason) = options.reason.as_deref().filter(|_| options.restored) {
        say_restored(at, options.known.as_deref(), reason)?;
    }
    let signed = latest(at)?;
    let checkpoint = &signed.checkpoint;
    if let Some(file) = &options.output {
        write(file, &signed.to_string(), options.force)?;
    }
    if session.json {
        return Ok(Report::yes(line(&CheckpointAnswer::of(&history(at)?, &signed))));
    }
    let mut text = match &options.output {
        Some(file) => {
            format!("the checkpoint of {} is in {}\n", checkpoint.short(), file.display())
        }
        None => signed.to_string(),
    };
    if options.qr {
        text.push_str(&format!("\n{}{}\n", qr(&signed)?, checkpoint.short()));
    }
    Ok(Report::yes(text))
}

/// The whole checkpoint as a QR code, for any reader of texts.
fn qr(signed: &Signed) -> Result<String, VerbError> {
    let code = QrCode::with_error_correction_level(signed.to_string(), EcLevel::L);
    let code = code.map_err(|error| {
        let message = format!("the checkpoint does not fit into a QR code: {error}");
        VerbError::new(
            Code::refused("no-qr-code"),
            message,
            "print it as text: `scrutineer checkpoint`",
        )
    })?;
    let drawn = code.render::<Dense1x2>().build();
    // Black on white, also where a terminal writes white on black; on paper it is that anyway.
    let paper = anstyle::Style::new()
        .fg_color(Some(anstyle::AnsiColor::Black.into()))
        .bg_color(Some(anstyle::AnsiColor::BrightWhite.into()));
    let line = |line: &str| format!("{paper}{line}{paper:#}\n");
    Ok(drawn.lines().map(line).collect())
}

fn history(at: &AtDesk<'_>) -> Result<History, VerbError> {
    let history = History::read(at.store.log(), at.desk.stream());
    Ok(history.map_err(StoreError::from)?)
}

/// Holds what somebody has against the log.
fn extends(session: &Session, at: &AtDesk<'_>, options: &Options) -> Result<Report, VerbError> {
    let files = &options.extends;
    let known: Vec<Held> = files.iter().map(|given| read_held(given)).collect::<Result<_, _>>()?;
    let (history, kept) = (history(at)?, kept(at.store, at.desk.stream())?);
    let mut findings: Vec<(usize, Finding)> = Vec::new();
    for (place, one) in known.iter().enumerate() {
        let found = compare_one(&history, &kept, &known, one, None);
        findings.extend(found.into_iter().map(|finding| (place, finding)));
    }
    let holds = findings.iter().all(|(_, finding)| finding.severity < Severity::Error);
    let mut text = String::new();
    for (place, Finding { code, sentence, .. }) in &findings {
        let short = known[*place].short();
        let what = match &known[*place] {
            Held::Signed(_) => format!("{} ({short})", files[*place].display()),
            Held::Shown(_) => short,
        };
        text.push_str(&format!("{what}: {sentence}   [{code}]\n"));
    }
    let oldest = known.iter().min_by_key(|held| held.size()).filter(|_| holds);
    let proof = oldest.map(|oldest| {
        let signed = latest(at)?;
        Ok::<_, VerbError>(
            Receipt::of(&history, &signed, Vec::new(), Some(oldest), Vec::new())?.write(),
        )
    });
    let proof = proof.transpose()?;
    if let (Some(file), Some(proof)) = (&options.output, &proof) {
        write(file, proof, options.force)?;
        text.push_str(&format!("the proof is in {}\n", file.display()));
    }
    if session.json {
        let file = |place: &usize| files[*place].display().to_string();
        let found = findings.iter().map(|(place, found)| HeldFinding::new(file(place), found));
        let (verb, findings) = ("checkpoint", found.collect());
        text = line(&CheckpointExtendsAnswer { verb, extends: holds, findings, proof });
    }
    Ok(Report { text, answer: if holds { Answer::Yes } else { Answer::No } })
}

/// Records that the log is that of a copy, and what it lacks.
pub fn say_restored(at: &AtDesk<'_>, known: Option<&Path>, reason: &str) -> Result<(), VerbError> {
    let history = history(at)?;
    let lacks = |signed: &Signed| {
        let known = &signed.checkpoint;
        !history.begins_with(known) && history.lost(known.size, &known.root).is_none()
    };
    let is_own = |signed: &Signed| {
        signed.checkpoint.stream == at.desk.stream() && !history.signed_by(signed).is_empty()
    };
    let known = match known {
        Some(file) => Some(read_checkpoint(file)?),
        // The largest that the log lacks: all that are shorter are said to be lost with it.
        None => {
            let known = kept_or_noted(at.store, &history, &at.asker.keys)?;
            known.into_iter().rev().find(|signed| lacks(signed) && is_own(signed))
        }
    };
    let Some(known) = known.filter(lacks) else {
        return Err(VerbError::new(
            Code::refused("nothing-lost"),
            "the log has every record that is known to have been signed",
            "name the checkpoint whose records it lacks: `--known <file>`",
        ));
    };
    if !is_own(&known) {
        return Err(VerbError::new(
            Code::refused("known-other-key"),
            "this checkpoint is not signed by a key of this tournament",
            "name one that was handed out for this tournament",
        ));
    }
    // Without a key nothing could be signed afterwards, and the log would only look worse.
    let signer = history.signer(history.size());
    if let Some(key) = signer.filter(|key| !matches!(at.asker.keys.get(key), Ok(Some(_)))) {
        let folder = at.asker.keys.shown();
        return Err(scrutineer_desk::sign::SignError::NoKey { key, folder }.into());
    }
    let (size, root) = (known.checkpoint.size, known.checkpoint.root);
    at.desk.restored(size, root, reason)?;
    sign(at.store, at.desk.stream(), &at.asker.keys)?;
    Ok(())
}
