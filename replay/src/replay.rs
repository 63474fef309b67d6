//! A tournament walked through: what happened, step by step, and who moved.
//!
//! What was recorded together is one step, so that half a draw is never shown: after each step the
//! standings are those [as of](crate::as_of) its last event.

mod concern;

pub use concern::{players_concerned, rounds_concerned};

use scrutineer_engine::event::{Event, PhaseKind, PlayerNumber, RoundNumber, Seq};
use scrutineer_engine::record::{Header, Time};
use scrutineer_engine::tournament::Tournament;
use scrutineer_projections::compare::{Passing, passings, told_apart};
use scrutineer_projections::crosstable::{FoldError, Scope};
use scrutineer_projections::explain::{Shown, value_of};
use scrutineer_projections::ruleset::{Ruleset, RulesetError, Step as OrderStep, parse};
use scrutineer_projections::standings::{Detail, Standings};
use scrutineer_projections::timeline::{Words, sentence};
use std::sync::Arc;

/// In which steps an event is walked through.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pace {
    /// From one round to the next; the start of a later phase begins a step too.
    Round,
    /// Command by command.
    Event,
}

/// Why a tournament cannot be walked through.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ReplayError {
    /// A ruleset in the log is not readable.
    #[error("{0}")]
    Ruleset(#[from] RulesetError),
    /// The ruleset needs what the tournament does not hold.
    #[error("{0}")]
    Fold(#[from] FoldError),
}

/// A tournament to be walked through.
#[derive(Clone, Debug)]
pub struct Replay<'a> {
    /// Its log: complete commands, from the first one on.
    pub log: &'a [(Header, Event)],
    /// The ruleset; none: at each step that which was in force then.
    pub rules: Option<Arc<Ruleset>>,
    /// How far each of the standings is folded.
    pub scope: Scope,
}

/// One step: what happened, and the standings before and after it.
#[derive(Clone, Copy)]
pub struct Step<'a> {
    /// The round that was opened in it or goes on in it; 0: none was yet, or a later phase has
    /// begun and its first round has not.
    pub round: RoundNumber,
    /// What happened; never nothing.
    pub events: &'a [(Header, Event)],
    /// The tournament after it.
    pub state: &'a Tournament,
    /// The standings before it; none before the opening, or where they could not be folded yet.
    pub before: Option<&'a Standings>,
    /// The standings after it.
    pub after: Option<&'a Standings>,
}

/// A player whose place is another one after a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Moved {
    /// Who.
    pub player: PlayerNumber,
    /// Their place before; none: they had none.
    pub from: Option<u32>,
    /// Their place after; none: they take none any more.
    pub to: Option<u32>,
}

impl Moved {
    /// By how many places; entering and leaving are more than any move.
    pub fn by(self) -> u32 {
        match (self.from, self.to) {
            (Some(from), Some(to)) => from.abs_diff(to),
            _ => u32::MAX,
        }
    }
}

/// Somebody because of whom a player's place is another one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Passed {
    /// The other.
    pub other: PlayerNumber,
    /// How the two stand to each other now.
    pub how: How,
    /// What told the two apart before, in words; none where one of them had no place.
    pub before: Option<String>,
    /// What tells them apart now.
    pub after: Option<String>,
}

/// How somebody else comes to be before a player, or no longer is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum How {
    /// Both had a place and have one.
    Stands(Passing),
    /// They have come in before them.
    CameIn,
    /// They were before them and takes no place any more.
    Gone,
}

impl Replay<'_> {
    /// How many steps it has.
    pub fn steps(&self, pace: Pace) -> usize {
        parts(self.log, pace).len()
    }

    /// Walks through the event.
    ///
    /// # Errors
    /// Where a ruleset in the log is not readable, or the last standings cannot be folded.
    pub fn play(&self, pace: Pace, visit: &mut dyn FnMut(Step<'_>)) -> Result<(), ReplayError> {
        let mut state = Tournament::default();
        let mut rules: Option<Arc<Ruleset>> = self.rules.clone();
        let mut before: Option<Standings> = None;
        let mut failed = None;
        for Part { from, to, round } in parts(self.log, pace) {
            let events = &self.log[from..to];
            events.iter().for_each(|(_, event)| state.evolve(event));
            if self.rules.is_none() {
                let files = state.ruleset().unwrap_or_default();
                if rules.as_ref().is_none_or(|rules| rules.files != files) {
                    rules = Some(Arc::new(parse(files)?));
                }
            }
            let folded = match &rules {
                Some(rules) => Standings::of(&state, rules, self.scope, Detail::Order),
                None => Err(FoldError::NotOpened),
            };
            // A line that the ruleset reads may be that of a phase which has not begun.
            let (after, error) = match folded {
                Ok(standings) => (Some(standings), None),
                Err(error) => (None, Some(error)),
            };
            failed = error;
            let (state, before_it) = (&state, before.as_ref());
            visit(Step { round, events, state, before: before_it, after: after.as_ref() });
            before = after.or(before);
        }
        failed.map_or(Ok(()), |error| Err(error.into()))
    }
}

/// Where a step begins and ends in the log.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Part {
    from: usize,
    to: usize,
    round: RoundNumber,
}

fn parts(log: &[(Header, Event)], pace: Pace) -> Vec<Part> {
    let mut parts: Vec<Part> = Vec::new();
    let mut from = 0;
    let mut round = 0;
    let is_end = |header: &Header| header.part == header.parts;
    let opens = |(_, event): &(Header, Event)| match event {
        Event::RoundOpened(opened) => Some(opened.round),
        _ => None,
    };
    for to in (1..=log.len()).filter(|to| is_end(&log[to - 1].0)) {
        let opened = log[from..to].iter().filter_map(opens).max();
        let starts = |(_, e): &(Header, Event)| matches!(e, Event::PhaseStarted(e) if e.phase > 1);
        let starts = log[from..to].iter().any(starts);
        round = opened.unwrap_or(round);
        match parts.last_mut().filter(|_| pace == Pace::Round) {
            // The cut comes before its first round, which may be opened with it; one that is made
            // anew, with its round, goes on.
            Some(part)
                if starts
                    && part.round > 0
                    && log[from..].iter().find_map(opens) != Some(part.round) =>
            {
                parts.push(Part { from, to, round: opened.unwrap_or(0) });
            }
            // A round that is drawn anew goes on.
            Some(part) if part.round > 0 && opened.is_some_and(|opened| opened != part.round) => {
                parts.push(Part { from, to, round });
            }
            Some(part) => {
                part.to = to;
                part.round = if part.round == 0 { opened.unwrap_or(0) } else { part.round };
            }
            None => parts.push(Part { from, to, round }),
        }
        from = to;
    }
    parts
}

/// What people call the points: the first measure by which players rank while nobody is knocked
/// out. In a bracket that is what a player has brought there.
fn points_measure(standings: &Standings) -> Option<usize> {
    let steps = standings.rules.steps(PhaseKind::Swiss, standings.is_final);
    steps.iter().find_map(|step| match step {
        OrderStep::Measure { measure, .. } => Some(*measure),
        OrderStep::HeadToHead { .. } => None,
    })
}

impl Step<'_> {
    /// The seq of its first event.
    pub fn first(&self) -> Seq {
        self.events.first().map_or(0, |(header, _)| header.seq)
    }

    /// The seq of its last event.
    pub fn last(&self) -> Seq {
        self.events.last().map_or(0, |(header, _)| header.seq)
    }

    /// When its last event was recorded.
    pub fn recorded(&self) -> Time {
        self.events.last().map_or(Time::default(), |(header, _)| header.time)
    }

    /// One sentence for each event, in the words of its tournament.
    pub fn sentences(&self, words: &dyn Words) -> Vec<String> {
        let tell =
            |(header, event): &(Header, Event)| sentence(self.state, header.seq, event, words);
        self.events.iter().map(tell).collect()
    }

    /// A player's points after it; none where they take no place, or points do not count there.
    pub fn points(&self, player: PlayerNumber) -> Option<Shown> {
        let after = self.after?;
        value_of(after, points_measure(after)?, after.row(player)?)
    }

    /// What the points are called.
    pub fn points_label(&self) -> String {
        let label = |after: &Standings| {
            points_measure(after).map(|measure| after.rules.measures[measure].label.clone())
        };
        self.after.and_then(label).unwrap_or_else(|| "points".into())
    }

    /// Everybody whose place is another one, in the order of the standings after it; who takes no
    /// place any more comes last.
    pub fn moves(&self) -> Vec<Moved> {
        let now = self.after.iter().flat_map(|after| &after.rows).map(|row| row.player);
        let before = self.before.iter().flat_map(|before| &before.rows).map(|row| row.player);
        let is_gone = |player: &PlayerNumber| place(self.after, *player).is_none();
        let all = now.chain(before.filter(is_gone));
        all.filter_map(|player| self.moved(player)).collect()
    }

    /// How a player's place has changed, if it has.
    pub fn moved(&self, player: PlayerNumber) -> Option<Moved> {
        self.after?;
        let (from, to) = (place(self.before, player), place(self.after, player));
        (from != to).then_some(Moved { player, from, to })
    }

    /// Because of whom a player's place has changed: everybody who was before them and is not, or
    /// is and was not, in the order of the standings after it. Their old place, less those who are
    /// no longer before them, more those who now are, is their new one.
    pub fn passed(&self, player: PlayerNumber) -> Vec<Passed> {
        let (Some(before), Some(after)) = (self.before, self.after) else { return Vec::new() };
        let (Some(from), Some(to)) = (before.row(player), after.row(player)) else {
            return Vec::new();
        };
        let was_before = |other| before.row(other).is_some_and(|other| other.rank < from.rank);
        let is_before = |other| after.row(other).is_some_and(|other| other.rank < to.rank);
        let stands = passings(before, after, player).into_iter();
        let counts = stands.filter(|(other, _)| was_before(*other) != is_before(*other));
        let mut list: Vec<Passed> = counts
            .map(|(other, passing)| Passed {
                other,
                how: How::Stands(passing),
                before: told_apart(before, player, other),
                after: told_apart(after, player, other),
            })
            .collect();
        let one = |other, how| Passed { other, how, before: None, after: None };
        let came = after.rows.iter().map(|row| row.player);
        let came = came.filter(|other| is_before(*other) && before.row(*other).is_none());
        list.extend(came.map(|other| Passed {
            after: told_apart(after, player, other),
            ..one(other, How::CameIn)
        }));
        let gone = before.rows.iter().map(|row| row.player);
        let gone = gone.filter(|other| was_before(*other) && after.row(*other).is_none());
        list.extend(gone.map(|other| one(other, How::Gone)));
        list
    }
}

fn place(standings: Option<&Standings>, player: PlayerNumber) -> Option<u32> {
    Some(standings?.row(player)?.rank)
}
