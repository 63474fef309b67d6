//! What others check a tournament by, on one page: how long its log is and what it ends with, the key that signs,
//! every checkpoint, what can be downloaded, and the commands that check it elsewhere.

use super::code::{Svg, code};
use super::frame::{Frame, Tab};
use super::{Looked, day_and_clock, render};
use crate::language::Language;
use askama::Template;
use scrutineer_desk::answers::CheckpointAnswer;
use scrutineer_desk::sign::kept;
use scrutineer_desk::store::StoreError;
use scrutineer_desk::verb_error::VerbError;
use scrutineer_engine::record::to_hex;
use scrutineer_replay::trust::checkpoint::Signed;
use scrutineer_replay::trust::digits;
use scrutineer_replay::trust::history::History;
use scrutineer_replay::trust::note::{PublicKey, fingerprint};

/// How many checkpoints, the newest, have their code on the page: each takes some 20 KB of it.
const CODES: usize = 20;

/// Whether a checkpoint stands for the records that are here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stands {
    /// The log begins with its records, and the key that signs there signed it.
    Fits,
    /// The log says that the records of this one were lost.
    Lost,
    /// It does not, and the log says nothing of it.
    Differs,
}

impl Stands {
    fn of(history: &History, signed: &Signed) -> Stands {
        let (checkpoint, size) = (signed.checkpoint, signed.checkpoint.size);
        let is_same = history.checkpoint(size) == Some(checkpoint);
        let signs =
            |key: &PublicKey| signed.is_signed_by(key) && history.retired(key, size).is_none();
        match history.signer(size).filter(|key| is_same && signs(key)) {
            Some(_) => Stands::Fits,
            None if history.lost(size, &checkpoint.root).is_some() => Stands::Lost,
            None => Stands::Differs,
        }
    }

    fn in_words(self, language: Language) -> String {
        language.t(match self {
            Stands::Fits => "audit-fits",
            Stands::Lost => "audit-lost",
            Stands::Differs => "audit-differs",
        })
    }
}

/// A checkpoint as the page shows it.
struct Row {
    /// How many records it stands for.
    records: u64,
    /// When the last of them was recorded, by the clock of this machine with its zone.
    time: String,
    /// The same in UTC, as programs are answered.
    exact: String,
    /// The root in short, as a sheet has it.
    short: String,
    /// The fingerprints of the tournament's keys that signed it.
    signers: String,
    /// Whether it stands for the records that are here.
    stands: String,
    /// Whether it does, so that nothing of them was changed since.
    is_covering: bool,
    /// Whether that is as it should be.
    is_good: bool,
    /// The whole checkpoint as a code; none of an older one.
    code: Option<Svg>,
}

impl Row {
    fn of(history: &History, signed: &Signed, has_code: bool, language: Language) -> Row {
        let (said, stands) = (CheckpointAnswer::of(history, signed), Stands::of(history, signed));
        let signers: Vec<String> = history.signed_by(signed).iter().map(fingerprint).collect();
        Row {
            records: said.records,
            time: day_and_clock(signed.checkpoint.time),
            exact: said.time,
            short: digits(&signed.checkpoint.root),
            signers: signers.join(", "),
            stands: stands.in_words(language),
            is_covering: stands == Stands::Fits,
            is_good: stands != Stands::Differs,
            code: has_code.then(|| code(&said.checkpoint)).flatten(),
        }
    }
}

#[derive(Template)]
#[template(path = "audit.html")]
struct AuditPage {
    frame: Frame,
    /// The whole id, by which programs ask.
    id: String,
    /// How many records there are for who looks.
    records: u64,
    /// The hash of the last of them.
    head: String,
    /// The root of the tree over them.
    root: String,
    /// The fingerprint of the key that signs now; empty where none does.
    key: String,
    /// The checkpoints, the newest first.
    rows: Vec<Row>,
    /// How many of them do not stand for these records.
    differ: usize,
    /// How many records at the end are under none of them.
    uncovered: u64,
    /// The events that say that the log was restored, each with how many records had been signed by then.
    restored: Vec<(u64, u64)>,
    /// Whether it is a copy of what is run elsewhere.
    is_copy: bool,
    /// What checks it elsewhere: what each command does, and the command.
    commands: Vec<(String, String)>,
}

/// The commands that check a tournament without this server, as docs/TRUST.md has them.
fn commands(at: &Looked<'_>, id: &str, key: &str) -> Vec<(String, String)> {
    let w = at.language;
    let verify = format!("scrutineer bundle verify {id}.bundle");
    if key.is_empty() {
        return vec![(w.t("audit-command-plain"), verify)];
    }
    let by_key = (w.t("audit-command-key"), format!("{verify} --key {key}"));
    let by_known = (w.t("audit-command-known"), format!("{verify} --known checkpoint.txt"));
    let follow = format!("scrutineer --store copies follow {}{}", at.origin, at.base);
    vec![by_key, by_known, (w.t("audit-command-follow"), follow)]
}

/// What others check a tournament by: up to the last event that who looks may know.
///
/// # Errors
/// Where it cannot be read.
pub fn page(at: &Looked<'_>) -> Result<String, VerbError> {
    // In this order, so that nothing is missing of what was read before, whatever is recorded meanwhile.
    let kept = kept(at.store, at.stream)?;
    let event = at.load()?;
    let history = History::read(at.store.log(), at.stream).map_err(StoreError::from)?;
    let records = event.state.head();
    let newest = kept.iter().rev().enumerate();
    let rows: Vec<Row> = newest
        .map(|(place, signed)| Row::of(&history, signed, place < CODES, at.language))
        .collect();
    let covering = rows.iter().filter(|row| row.is_covering).map(|row| row.records);
    let covered = covering.max().unwrap_or(0);
    let signer = history.signer(records);
    let key = signer.map_or(String::new(), |key| fingerprint(&key));
    // To verify with, all of its digits are needed.
    let whole = signer.map_or(String::new(), |key| to_hex(&key));
    let id = at.stream.to_string();
    render(&AuditPage {
        frame: Frame::of(at, &event, Tab::None, "audit"),
        records,
        head: event.head.to_string(),
        root: history.tree().root_at(records).map_or(String::new(), |root| to_hex(&root)),
        differ: rows.iter().filter(|row| !row.is_good).count(),
        uncovered: records.saturating_sub(covered),
        restored: history
            .restored()
            .iter()
            .filter(|(seq, _)| *seq <= records)
            .map(|(seq, one)| (*seq, one.known_size))
            .collect(),
        rows,
        is_copy: at.copied.is_some_and(|copied| copied.is_followed),
        commands: commands(at, &id, &whole),
        id,
        key,
    })
}

#[cfg(test)]
mod tests {
    use super::super::kit::hall;
    use super::*;
    use crate::gate::Role;

    #[test]
    fn where_nothing_is_signed_the_page_says_so_and_names_no_checkpoint() {
        let hall = hall();
        let html = page(&hall.looked()).expect("a page");
        let head = hall.store.log().head(hall.stream).expect("a head");
        assert!(html.contains(&head.hash.to_string()), "{html}");
        assert!(html.contains("Nothing was signed yet."), "{html}");
        assert!(!html.contains("<svg"), "{html}");
    }

    #[test]
    fn it_speaks_german_to_who_reads_german() {
        let hall = hall();
        let looked = Looked { role: Role::Public, language: Language::German, ..hall.looked() };
        let html = page(&looked).expect("a page");
        assert!(html.contains("Dieses Turnier prüfen") && !html.contains("Check this"), "{html}");
    }
}
