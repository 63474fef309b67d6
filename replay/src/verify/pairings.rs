//! Every draw is drawn again from its seed, on the state right before it.

use super::{Finding, Severity};
use crate::again::{PairAgainError, drawn_again, said_again};
use crate::by_engine::{EngineRound, NOT_RUN, NotItsAnswer, QuestionError, not_asked_again};
use scrutineer_engine::event::{
    DrawUsed, EnginePaired, Event, LotsDrawn, LotsSource, Origin, OriginKind, PlayerNumber,
    RoundNumber, RoundOpened,
};
use scrutineer_engine::record::{CommandId, Header};
use scrutineer_engine::tournament::Tournament;
use scrutineer_pairing::PairingError;
use scrutineer_projections::ruleset::parse;
use scrutineer_projections::timeline::engine_called;
use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;

/// The draws of a tournament as far as it was read.
#[derive(Default)]
pub struct Draws {
    /// A round whose tables and byes are being read.
    round: Option<PairedAgain>,
    /// An order of lots that is being read.
    lots: Option<Lots>,
    /// A round that waits for an engine's answer.
    asked: Option<Asked>,
    /// A command whose round could not be drawn again, which was told already.
    excused: Option<CommandId>,
    /// The engines that paired rounds, each with how many.
    engines: BTreeMap<String, u32>,
    /// How many rounds were drawn, and how many of them with public dice.
    drawn: (u32, u32),
}

/// A round that was drawn again.
struct PairedAgain {
    command: CommandId,
    opened: u64,
    round: RoundNumber,
    /// What the seed, or the engine's answer, gives and was not read yet.
    expected: VecDeque<Event>,
    /// What gives it.
    giver: &'static str,
    /// The first place that differs, and how many do.
    differing: Option<(u64, u32)>,
}

/// A round as it was put to an engine.
struct Asked {
    command: CommandId,
    opened: u64,
    round: RoundNumber,
    question: Result<EngineRound, QuestionError>,
}

struct Lots {
    command: CommandId,
    seq: u64,
    expected: Vec<PlayerNumber>,
    read: Vec<PlayerNumber>,
}

impl Draws {
    /// Takes the next event, with the state before it.
    pub fn take(
        &mut self,
        state: &Tournament,
        header: &Header,
        event: &Event,
        findings: &mut Vec<Finding>,
    ) {
        match event {
            Event::RoundOpened(e) => {
                self.end(header.command, true, findings);
                match &e.drawn {
                    Some(used) if used.is_for_engine() => self.ask(state, header, e, used),
                    Some(used) => self.open(state, header, e, used, findings),
                    None => {}
                }
            }
            Event::EnginePaired(e) => self.answered(state, header, e, findings),
            Event::PairingMade(e) => self.place(header, event, (e.round, e.origin), findings),
            Event::ByeGiven(e) => self.place(header, event, (e.round, e.origin), findings),
            Event::LotsDrawn(e) => self.lots(state, header, e, findings),
            _ => {}
        }
        self.end(header.command, header.part == header.parts, findings);
    }

    fn open(
        &mut self,
        state: &Tournament,
        header: &Header,
        e: &RoundOpened,
        used: &DrawUsed,
        findings: &mut Vec<Finding>,
    ) {
        self.drawn.0 += 1;
        self.drawn.1 += u32::from(used.dice.is_some());
        self.excused = Some(header.command);
        let mut find = |severity, code, sentence| {
            findings.push(Finding { code, seq: header.seq, sentence, severity });
        };
        match again(state, used, e.round) {
            Ok(expected) => {
                self.excused = None;
                self.round = Some(PairedAgain {
                    command: header.command,
                    opened: header.seq,
                    round: e.round,
                    expected: expected.into(),
                    giver: "the seed",
                    differing: None,
                });
            }
            Err(PairAgainError::UnknownMethod { .. })
                if scrutineer_pairing::METHODS.contains(&(used.method.as_str(), used.version)) =>
            {
                let sentence = format!(
                    "round {} was paired by {}, and its ruleset pairs otherwise",
                    e.round, used.method
                );
                find(Severity::Error, "pairing-differs", sentence);
            }
            Err(PairAgainError::UnknownMethod { .. }) => {
                let (method, version) = (&used.method, used.version);
                let sentence = format!(
                    "round {} was paired by {method} {version}, which nobody knows here: its tables may \
                     be any",
                    e.round
                );
                find(Severity::Unchecked, "unknown-method", sentence);
            }
            Err(why) => {
                let sentence = format!("the seed of round {} pairs nothing: {why}", e.round);
                find(Severity::Error, "pairing-differs", sentence);
            }
        }
    }

    /// A round is opened that an engine pairs: its answer follows.
    fn ask(&mut self, state: &Tournament, header: &Header, e: &RoundOpened, used: &DrawUsed) {
        let question = match parse(state.ruleset().unwrap_or_default()) {
            Ok(rules) => EngineRound::for_round(state, &rules, used),
            // What the ruleset says is judged where it comes into force.
            Err(_) => Err(QuestionError::Draw(PairingError::NoPhase)),
        };
        let (command, opened) = (header.command, header.seq);
        self.asked = Some(Asked { command, opened, round: e.round, question });
        self.excused = Some(header.command);
    }

    /// An engine's answer: it was given what the log makes, and its tables and byes follow.
    fn answered(
        &mut self,
        state: &Tournament,
        header: &Header,
        e: &EnginePaired,
        findings: &mut Vec<Finding>,
    ) {
        let called = engine_called(&e.engine, e.version.as_deref());
        let asked = self.asked.take_if(|asked| asked.command == header.command);
        let (seq, severity) = (header.seq, Severity::Error);
        let Some(asked) = asked.filter(|asked| asked.round == e.round) else {
            let sentence =
                format!("an answer of {called} for a round that no engine was asked about");
            findings.push(Finding { code: "engine-answer-differs", seq, sentence, severity });
            return;
        };
        *self.engines.entry(called.clone()).or_default() += 1;
        match said_again(state, asked.question, Some(e), e.round) {
            Ok(expected) => {
                self.excused = None;
                self.round = Some(PairedAgain {
                    command: header.command,
                    opened: asked.opened,
                    round: e.round,
                    expected: expected.into(),
                    giver: "the engine's answer",
                    differing: None,
                });
            }
            Err(PairAgainError::Engine { why: NotItsAnswer::OtherInput, round, .. }) => {
                let sentence = format!(
                    "for round {round} {called} was given another tournament than the log has: its tables \
                     may be any"
                );
                findings.push(Finding { code: "engine-input-differs", seq, sentence, severity });
            }
            Err(why) => {
                let sentence =
                    format!("the answer of {called} is none for round {}: {why}", e.round);
                findings.push(Finding { code: "engine-answer-differs", seq, sentence, severity });
            }
        }
    }

    fn place(
        &mut self,
        header: &Header,
        event: &Event,
        (round, origin): (RoundNumber, Origin),
        findings: &mut Vec<Finding>,
    ) {
        let paired_again =
            self.round.as_mut().filter(|paired_again| paired_again.command == header.command);
        if let Some(paired_again) = paired_again {
            if paired_again.expected.pop_front().as_ref() != Some(event) {
                paired_again.differing.get_or_insert((header.seq, 0)).1 += 1;
            }
            return;
        }
        // What the draw made stands in the command that reveals its seed.
        if origin.kind == OriginKind::PairedRound && self.excused != Some(header.command) {
            findings.push(Finding {
                code: "paired-without-seed",
                seq: header.seq,
                sentence: format!(
                    "said to be paired for round {round}, but no seed was revealed for it"
                ),
                severity: Severity::Error,
            });
        }
    }

    fn lots(
        &mut self,
        state: &Tournament,
        header: &Header,
        e: &LotsDrawn,
        findings: &mut Vec<Finding>,
    ) {
        if e.source != LotsSource::Seed {
            return;
        }
        if e.first_place == 1 {
            self.end(header.command, true, findings);
            // Without a seed nothing can be drawn again: no order is the right one.
            let expected =
                e.seed.map(|(_, seed)| scrutineer_pairing::lots(state, &seed)).unwrap_or_default();
            let (command, seq, read) = (header.command, header.seq, Vec::new());
            self.lots = Some(Lots { command, seq, expected, read });
        }
        if let Some(lots) = &mut self.lots {
            lots.read.extend(&e.order);
        }
    }

    /// Judges what was read of a round or of lots, where their command is over.
    fn end(&mut self, command: CommandId, is_over: bool, findings: &mut Vec<Finding>) {
        let mut find = |code, seq, sentence| {
            let severity = Severity::Error;
            findings.push(Finding { code, seq, sentence, severity });
        };
        if let Some(asked) = self.asked.take_if(|asked| is_over || asked.command != command) {
            let sentence = format!(
                "round {} was opened for a pairing engine, and no answer of one stands behind that",
                asked.round
            );
            find("engine-answer-differs", asked.opened, sentence);
        }
        if let Some(paired_again) = self.round.take_if(|r| is_over || r.command != command) {
            let PairedAgain { opened, round, expected, giver, differing, .. } = paired_again;
            if let Some((seq, count)) = differing {
                let sentence = format!(
                    "{giver} of round {round} gives other tables: this is the first of {count}"
                );
                find("pairing-differs", seq, sentence);
            } else if !expected.is_empty() {
                let left = expected.len();
                let sentence = format!("{giver} of round {round} gives {left} tables or byes more");
                find("pairing-differs", opened, sentence);
            }
        }
        if let Some(lots) = self.lots.take_if(|l| is_over || l.command != command)
            && (lots.read != lots.expected || lots.expected.is_empty())
        {
            find("lots-differ", lots.seq, "the seed gives another order of lots".into());
        }
    }

    /// Judges what is left at the end of the log.
    pub fn finish(&mut self, findings: &mut Vec<Finding>) {
        self.end(CommandId::default(), true, findings);
        for (engine, rounds) in std::mem::take(&mut self.engines) {
            let sentence = not_asked_again(rounds, &engine);
            let severity = Severity::Information;
            findings.push(Finding { code: NOT_RUN, seq: 0, sentence, severity });
        }
        if self.drawn.0 > 0 && self.drawn.1 == 0 {
            findings.push(Finding {
                code: "no-public-dice",
                seq: 0,
                sentence: "no round was paired with public dice: whoever has the secret could foresee them"
                    .into(),
                severity: Severity::Information,
            });
        }
    }
}

/// What the seed of a round gives in the state before it.
fn again(
    state: &Tournament,
    used: &DrawUsed,
    round: RoundNumber,
) -> Result<Vec<Event>, PairAgainError> {
    let rules = Arc::new(parse(state.ruleset().unwrap_or_default())?);
    drawn_again(state, &rules, used, round)
}
