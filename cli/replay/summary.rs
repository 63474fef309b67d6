//! What happened in a step, in few words.

use super::{Showing, seqs};
use scrutineer_engine::event::{ByeKind, Event, RoundNumber, Seq};
use scrutineer_replay::replay::Step;
use std::collections::BTreeMap;

/// How many sentences of one step are told.
const SENTENCES: usize = 8;

/// What a step of a whole round is called.
pub fn name(step: &Step<'_>) -> String {
    match step.round {
        0 if step.before.is_none() => "before round 1".to_string(),
        0 => "before the next round".into(),
        round => format!("round {round}"),
    }
}

/// The step's name, its events, and how much of what is usual happened.
pub fn head(step: &Step<'_>) -> String {
    let name = name(step);
    let count = |kind: fn(&Event) -> bool| step.events.iter().filter(|(_, e)| kind(e)).count();
    let counted = |count: usize, noun: &str| match count {
        0 => None,
        1 => Some(format!("1 {noun}")),
        count => Some(format!("{count} {noun}s")),
    };
    let later = count(|e| matches!(e, Event::ResultRecorded(e) if e.result.is_postponed()));
    let results = count(|e| matches!(e, Event::ResultRecorded(_))) - later;
    let parts = [
        counted(count(|e| matches!(e, Event::PlayerEnrolled(e) if e.from_round == 1)), "entrant"),
        counted(results, "result"),
        (later > 0).then(|| format!("{later} postponed")),
        counted(byes(step), "bye"),
    ];
    let parts: Vec<String> = parts.into_iter().flatten().collect();
    match parts.is_empty() {
        true => format!("{name} · {}", seqs(step)),
        false => format!("{name} · {} · {}", seqs(step), parts.join(", ")),
    }
}

/// How many byes of a step stand at its end; a loss that is given to somebody absent is none.
fn byes(step: &Step<'_>) -> usize {
    let mut rounds: BTreeMap<Seq, RoundNumber> = BTreeMap::new();
    let mut byes: Vec<(Seq, RoundNumber)> = Vec::new();
    for (header, event) in step.events {
        let seq = header.seq;
        match event {
            Event::RoundOpened(e) => drop(rounds.insert(seq, e.round)),
            Event::ByeGiven(e) if e.kind != ByeKind::AwardedLoss => byes.push((seq, e.round)),
            Event::Withdrawn(e) => {
                let voided = rounds.get(&e.seq);
                byes.retain(|(bye, round)| *bye != e.seq && voided != Some(round));
            }
            _ => {}
        }
    }
    byes.len()
}

/// A sentence for each event that is not there in every round.
pub fn unusual(showing: &Showing, step: &Step<'_>) -> Vec<String> {
    let told = step.events.iter().zip(step.sentences(&showing.event));
    let told = told.filter(|((_, event), _)| is_unusual(event));
    let sentences: Vec<String> = told.map(|(_, sentence)| sentence).collect();
    self::told(&sentences)
}

fn is_unusual(event: &Event) -> bool {
    match event {
        Event::PlayerEnrolled(e) => e.from_round > 1,
        Event::PhaseStarted(e) => e.phase > 1,
        Event::TournamentOpened(_)
        | Event::Imported(_)
        | Event::StaffNamed(_)
        | Event::TextsForgotten(_)
        | Event::PlayerIdentified(_)
        | Event::PlayerCheckedIn(_)
        | Event::PlayerDivisionChanged(_)
        | Event::PlayerDescribed(_)
        | Event::PlayerRated(_)
        | Event::PlayerIdCorrected(_)
        | Event::DivisionsPaired(_)
        | Event::TableKept(_)
        | Event::TablesSet(_)
        | Event::DivisionRounds(_)
        | Event::RoundOpened(_)
        | Event::EnginePaired(_)
        | Event::PairingMade(_)
        | Event::ByeGiven(_)
        | Event::PairingsPublished(_)
        | Event::RoundCompleted(_)
        | Event::ResultClaimed(_)
        | Event::ScoreNoted(_)
        | Event::ResultRecorded(_)
        | Event::PhaseEnded(_)
        | Event::StandingsAnnounced(_) => false,
        _ => true,
    }
}

/// The first few of many sentences.
pub fn told(sentences: &[String]) -> Vec<String> {
    let mut told: Vec<String> = sentences.iter().take(SENTENCES).cloned().collect();
    if sentences.len() > SENTENCES {
        told.push(format!("and {} events more", sentences.len() - SENTENCES));
    }
    told
}
