//! The walk over the records of one tournament: each is held against the one before, against the state
//! that the events before it give, and against what stands beside the log.

use super::pairings::Draws;
use super::tables::Tables;
use super::{Beside, Finding, Severity, Verification};
use crate::trust::history::History;
use scrutineer_engine::book::Opened;
use scrutineer_engine::decide::validate;
use scrutineer_engine::event::{ByeKind, Event, OriginKind, RulesetFile, Traces};
use scrutineer_engine::names::unturned;
use scrutineer_engine::record::{Chain, Header, Record, RecordHash, StreamId, Time};
use scrutineer_engine::seed;
use scrutineer_engine::tournament::Tournament;
use scrutineer_projections::counted;
use scrutineer_projections::ruleset::{hash, shipped_hashes, shipped_text};
use std::collections::BTreeMap;

/// How many findings of a severity are kept: a log of nothing but faults must not fill the memory.
const MOST: u32 = 100_000;

/// What is known so far.
pub struct Walk<'a> {
    beside: Beside<'a>,
    chain: Chain,
    /// The state before the next event; none once an event could not be read: what is legal can
    /// only be judged as long as every event before is known.
    state: Option<Tournament>,
    /// The first event that is not legal or does not follow: after it no draw and no table is
    /// made again.
    legal_until: Option<u64>,
    draws: Draws,
    tables: Tables<'a>,
    history: History,
    latest: Option<Time>,
    /// The first record whose clock was behind, and how many there are.
    behind: Option<(u64, u32)>,
    /// By its number, where each text is first committed to that was never given to this store.
    without_words: BTreeMap<u32, u64>,
    /// As before, of those that the private book had and has no more.
    lost_words: BTreeMap<u32, u64>,
    /// As before, of those that are emptied in the private book.
    emptied: BTreeMap<u32, u64>,
    /// Which texts the log says were forgotten.
    traces: Traces,
    /// The first event that says so.
    first_forgotten: u64,
    /// What was committed to under each number of the private book.
    committed: BTreeMap<u32, [u8; 32]>,
    /// How many errors and how many pieces of information there were.
    told: [u32; 2],
    found: Verification,
}

impl<'a> Walk<'a> {
    /// A walk before the first record.
    pub fn new(stream: StreamId, beside: Beside<'a>) -> Walk<'a> {
        Walk {
            chain: Chain::new(stream),
            state: Some(Tournament::default()),
            legal_until: None,
            draws: Draws::default(),
            tables: Tables::new(beside.tables),
            history: History::new(stream),
            latest: None,
            behind: None,
            without_words: BTreeMap::new(),
            lost_words: BTreeMap::new(),
            emptied: BTreeMap::new(),
            traces: Traces::default(),
            first_forgotten: 0,
            committed: BTreeMap::new(),
            told: [0; 2],
            found: Verification {
                stream,
                records: 0,
                head: RecordHash::ZERO,
                findings: Vec::new(),
            },
            beside,
        }
    }

    /// Takes the next record.
    pub fn take(&mut self, record: &Record) {
        let header = record.header();
        if let Err(fault) = self.chain.follows(record) {
            self.error("chain", header.seq, fault.to_string());
            // What follows is chained from here on, but nothing is made again: what should stand
            // before it is not known.
            self.chain = Chain::after_record(record);
            self.legal_until.get_or_insert(header.seq);
            self.draws = Draws::default();
        }
        self.history.add(record);
        self.clock(&header);
        match Event::decode_strict(header.kind, header.schema, record.payload()) {
            Ok(event) => {
                self.words(&header, &event);
                self.numbers(header.seq, &event);
                self.rulesets(header.seq, &event);
                self.judge(&header, &event);
            }
            Err(error) => {
                self.error("unreadable", header.seq, error.to_string());
                self.state = None;
            }
        }
        self.found.records += 1;
        self.found.head = record.hash();
    }

    /// Whether a ruleset is none that comes with the program: whoever reads its name may believe
    /// that they know what it says.
    fn rulesets(&mut self, seq: u64, event: &Event) {
        let files = match event {
            Event::TournamentOpened(opened) => &opened.ruleset,
            Event::RulesetAmended(amended) => &amended.ruleset,
            _ => return,
        };
        if files.is_empty() || shipped_hashes().contains(&hash(files)) {
            return;
        }
        let is_other =
            |file: &&RulesetFile| shipped_text(&file.name).is_some_and(|text| text != file.text);
        let sentence = match files.iter().find(is_other) {
            Some(RulesetFile { name, .. }) => format!(
                "the ruleset {name} is not the one that this program has under that name: \
                 `scrutineer rules show {name}` prints that"
            ),
            None => format!(
                "the ruleset {} does not come with this program: `scrutineer show {seq}` prints its \
                 text",
                unturned(&files[0].name)
            ),
        };
        self.tell("ruleset-not-shipped", seq, sentence);
    }

    /// The hash of an announced table's line as it comes out again; none where it does not.
    pub(crate) fn table_made(&self, seq: u64) -> Option<&blake3::Hash> {
        self.tables.made(seq)
    }

    /// The tables kept beside the log that nothing in it announced; none where not all was judged.
    pub(crate) fn not_announced(&self) -> Vec<u64> {
        match self.legal_until.is_none() && self.state.is_some() {
            true => self.tables.not_announced().collect(),
            false => Vec::new(),
        }
    }

    /// What was found, when there are no more records; and what checkpoints are held against.
    pub fn finish(mut self) -> (Verification, History) {
        if !self.chain.is_complete() {
            let (last, whole) = (self.chain.last().0, self.chain.complete_len());
            let sentence = format!("the last command is cut off: it counts up to event {whole}");
            self.error("cut-off", last, sentence);
        }
        if self.state.is_none() {
            let sentence = "what comes after an unreadable event was not judged, only its chain";
            self.tell("not-judged", 0, sentence);
        }
        if let Some(seq) = self.legal_until {
            let sentence = "no pairing and no announced table after this event was made again";
            self.tell("not-made-again", seq, sentence);
        }
        self.draws.finish(&mut self.found.findings);
        if let Some((seq, count)) = self.behind {
            let sentence = format!(
                "{} recorded earlier than the one before it: a clock was set back",
                events(count)
            );
            self.tell("clock-set-back", seq, sentence);
        }
        self.texts();
        if self.lacks_secret() {
            let sentence = "this store has no secret for the rounds to come: pair where the tournament was \
                            opened, or commit to a new one: `scrutineer reseed --reason <why>`";
            self.tell("secret-missing", 0, sentence);
        }
        self.found.findings.sort_by_key(|finding| finding.seq);
        (self.found, self.history)
    }

    /// What is not there is what the log says was forgotten.
    fn texts(&mut self) {
        let Some(book) = self.beside.book else { return };
        let untold = |texts: &BTreeMap<u32, u64>| {
            let untold = texts.iter().filter(|(number, _)| !self.traces.is_forgotten(**number));
            (untold.clone().map(|(_, seq)| *seq).min(), untold.count())
        };
        let (without, lost) = (untold(&self.without_words), untold(&self.lost_words));
        let erased = untold(&self.emptied);
        if let (Some(seq), count) = without {
            let texts = counted(count, "text");
            let sentence =
                format!("the private texts have no words for {texts}: it is a shorter copy");
            self.tell("words-missing", seq, sentence);
        }
        if let (Some(seq), count) = lost {
            let sentence = format!(
                "the private texts have lost the words for {}: `scrutineer restore --from <mirror or \
                 backup>`",
                counted(count, "text")
            );
            self.error("words-lost", seq, sentence);
        }
        if let (Some(seq), count) = erased {
            let sentence = format!(
                "{} erased, and no event says that they were forgotten: `scrutineer restore --from \
                 <mirror or backup>`",
                are(count, "text")
            );
            self.error("words-erased", seq, sentence);
        }
        let told = self.forgotten(&|number| book.entry(number).is_some());
        told.into_iter().for_each(|(code, seq, sentence)| self.tell(code, seq, sentence));
    }

    /// What the log says of forgotten texts, and of those that `stand` nevertheless: code, event and
    /// sentence.
    pub fn forgotten(&self, stands: &dyn Fn(u32) -> bool) -> Vec<(&'static str, u64, String)> {
        let mut told = Vec::new();
        let (standing, emptied): (Vec<u32>, Vec<u32>) =
            self.traces.forgotten().partition(|number| stands(*number));
        if !emptied.is_empty() {
            let texts = are(emptied.len(), "text");
            let sentence = format!("{texts} emptied since somebody was forgotten");
            told.push(("words-forgotten", self.first_forgotten, sentence));
        }
        if let Some(entry) = standing.first() {
            let texts = match standing.len() {
                1 => "1 text was".to_string(),
                many => format!("{many} texts were"),
            };
            let sentence = format!(
                "the log says that {texts} forgotten, which still stand here, the first as entry \
                 {entry}: `forget` again"
            );
            told.push(("forget-unfinished", self.first_forgotten, sentence));
        }
        told
    }

    /// Which texts the log says were forgotten.
    pub fn traces(&self) -> &Traces {
        &self.traces
    }

    /// The state after the last record, where every event can be read.
    pub fn state(&self) -> Option<&Tournament> {
        self.state.as_ref()
    }

    /// Whether none of the secrets kept here is the one for the draws still to come.
    fn lacks_secret(&self) -> bool {
        let (Some(state), Some(secrets)) = (&self.state, self.beside.secrets) else { return false };
        let committed = state.opened().and_then(|opened| opened.seed_commitment);
        let fits = |secret: &[u8; 32]| Some(seed::commitment(secret)) == committed;
        !state.is_closed() && committed.is_some() && !secrets.iter().any(fits)
    }

    fn clock(&mut self, header: &Header) {
        match self.latest {
            Some(latest) if header.time < latest => {
                self.behind.get_or_insert((header.seq, 0)).1 += 1;
            }
            _ => self.latest = Some(header.time),
        }
    }

    /// The words behind an event's commitments are those that were meant.
    fn words(&mut self, header: &Header, event: &Event) {
        self.traces.take(event);
        if matches!(event, Event::TextsForgotten(_)) && self.first_forgotten == 0 {
            self.first_forgotten = header.seq;
        }
        let Some(book) = self.beside.book else { return };
        for (field, commitment) in event.commitments() {
            let number = commitment.number;
            let not_there = match book.text(&commitment) {
                Opened::Text(_) => continue,
                Opened::Erased => &mut self.emptied,
                Opened::Missing if book.lost(number) => &mut self.lost_words,
                Opened::Missing => &mut self.without_words,
                Opened::Altered => {
                    let what = format!("{field:?}").to_lowercase();
                    let sentence =
                        format!("the private texts hold another {what} than the log commits to");
                    self.error("book-altered", header.seq, sentence);
                    continue;
                }
            };
            not_there.entry(number).or_insert(header.seq);
        }
    }

    /// A number of the private book stands for one text: with two of them, whoever writes the
    /// second could have the first one replaced.
    fn numbers(&mut self, seq: u64, event: &Event) {
        for (_, commitment) in event.commitments() {
            let (number, digest) = (commitment.number, commitment.digest);
            if *self.committed.entry(number).or_insert(digest) != digest {
                let sentence = format!(
                    "it commits to entry {number} of the private texts, which an earlier event has \
                     with other words"
                );
                self.error("commitment-twice", seq, sentence);
            }
        }
    }

    fn judge(&mut self, header: &Header, event: &Event) {
        let Some(mut state) = self.state.take() else { return };
        if let Err(rejection) = validate(&state, event) {
            let sentence = format!("{rejection} ({})", rejection.code());
            self.error("not-legal", header.seq, sentence);
            self.legal_until.get_or_insert(header.seq);
        }
        if self.legal_until.is_none() {
            self.draws.take(&state, header, event, &mut self.found.findings);
            self.tables.take(&state, header.seq, event, &mut self.found.findings);
        }
        self.set_by_hand(&state, header.seq, event);
        if matches!(event, Event::SeedRecommitted(_)) {
            let sentence = "the pairing secret was replaced: ask why";
            self.tell("seed-replaced", header.seq, sentence);
        }
        state.evolve(event);
        self.state = Some(state);
    }

    fn set_by_hand(&mut self, state: &Tournament, seq: u64, event: &Event) {
        let (origin, what, round) = match event {
            Event::PairingMade(e) => (e.origin, "a table", e.round),
            Event::ByeGiven(e) if e.kind == ByeKind::AwardedLoss => {
                (e.origin, "an awarded loss", e.round)
            }
            Event::ByeGiven(e) => (e.origin, "a bye", e.round),
            _ => return,
        };
        match origin.kind {
            OriginKind::ByHand => {
                self.tell("set-by-hand", seq, format!("{what} of round {round} was set by hand"));
            }
            OriginKind::AsGiven if state.imported().is_none() => {
                let sentence = format!(
                    "{what} of round {round} is said to come from elsewhere, but nothing was imported"
                );
                self.tell("set-by-hand", seq, sentence);
            }
            OriginKind::AsGiven | OriginKind::PairedRound => {}
        }
    }

    fn error(&mut self, code: &'static str, seq: u64, sentence: impl Into<String>) {
        self.find(Severity::Error, code, seq, sentence.into());
    }

    fn tell(&mut self, code: &'static str, seq: u64, sentence: impl Into<String>) {
        self.find(Severity::Information, code, seq, sentence.into());
    }

    fn find(&mut self, severity: Severity, code: &'static str, seq: u64, sentence: String) {
        let told = &mut self.told[usize::from(severity == Severity::Error)];
        if *told < MOST {
            *told += 1;
            self.found.findings.push(Finding { code, seq, sentence, severity });
        }
    }
}

fn events(count: u32) -> String {
    format!("{} {}", counted(count, "event"), if count == 1 { "was" } else { "were" })
}

fn are(count: usize, what: &str) -> String {
    format!("{} {}", counted(count, what), if count == 1 { "is" } else { "are" })
}
