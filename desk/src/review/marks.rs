//! A walk through one log: what was put right, ruled or signed, and whom it moved.

use crate::rules::in_force;
use crate::store::{Reader, StoreError};
use scrutineer_engine::error::Code;
use scrutineer_engine::event::{DropReason, Event, PlayerNumber};
use scrutineer_engine::record::{Header, RecordHash, StreamId};
use scrutineer_engine::tournament::{Availability, Tournament};
use scrutineer_projections::crosstable::Scope;
use scrutineer_projections::standings::{Detail, Standings};
use std::collections::BTreeMap;

/// What an event is to a publisher.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum What {
    /// Something was put right or taken back.
    Correction,
    /// A dispute, or its ruling.
    Dispute,
    /// A penalty, or who was put out.
    Penalty,
    /// Other rules, another plan.
    Rules,
    /// A key, another pairing secret, or a log that was restored.
    Key,
    /// Texts of somebody that were emptied.
    Forgotten,
}

impl What {
    /// Each of them.
    pub const ALL: [What; 6] =
        [What::Correction, What::Dispute, What::Penalty, What::Rules, What::Key, What::Forgotten];

    /// Returns its word.
    pub const fn word(self) -> &'static str {
        match self {
            What::Correction => "correction",
            What::Dispute => "dispute",
            What::Penalty => "penalty",
            What::Rules => "rules",
            What::Key => "key",
            What::Forgotten => "forgotten",
        }
    }

    /// Returns what is called so.
    pub fn of_word(word: &str) -> Option<What> {
        What::ALL.into_iter().find(|what| what.word() == word)
    }

    /// Returns what an event is; none where it is the course of a tournament.
    fn of(event: &Event) -> Option<What> {
        Some(match event {
            Event::ResultCorrected(_)
            | Event::Withdrawn(_)
            | Event::PlayerIdentified(_)
            | Event::PlayerDivisionChanged(_)
            | Event::PlayerRated(_)
            | Event::PlayerIdCorrected(_)
            | Event::PlayerAdvanced(_) => What::Correction,
            Event::DisputeOpened(_) | Event::DisputeRuled(_) => What::Dispute,
            Event::PenaltyGiven(_) => What::Penalty,
            Event::PlayerDropped(e) if e.why == DropReason::Disqualified => What::Penalty,
            Event::PlanAmended(_) | Event::RulesetAmended(_) => What::Rules,
            Event::SignerChanged(_)
            | Event::KeyRetired(_)
            | Event::LogRestored(_)
            | Event::SeedRecommitted(_) => What::Key,
            Event::TextsForgotten(_) => What::Forgotten,
            _ => return None,
        })
    }
}

/// A player with their place before and after.
pub type Moved = (PlayerNumber, u32, u32);

/// An event that a publisher looks at. It names nobody.
pub struct Mark {
    /// Its envelope.
    pub header: Header,
    /// What it is.
    pub what: What,
    /// Who moves through it; none where the standings cannot be folded, or it moves nobody by itself.
    pub moves: Option<Vec<Moved>>,
}

/// Whether places may change through an event.
fn moves(event: &Event) -> bool {
    matches!(
        event,
        Event::ResultCorrected(_)
            | Event::Withdrawn(_)
            | Event::PlayerAdvanced(_)
            | Event::PlayerRated(_)
            | Event::RulesetAmended(_)
    ) || What::of(event) == Some(What::Penalty) && matches!(event, Event::PlayerDropped(_))
}

/// Whether somebody takes part again who was disqualified, in the state behind that.
fn lifts(state: &Tournament, event: &Event) -> bool {
    let Event::PlayerReinstated(e) = event else { return false };
    let found = state.player(e.player).map(|player| &player.availability);
    let last = found.and_then(|all| {
        all.iter().rev().find_map(|(_, change)| match change {
            Availability::Dropped(why, _) => Some(*why),
            _ => None,
        })
    });
    last == Some(DropReason::Disqualified)
}

/// Everybody's place; none where nothing can be folded yet.
fn places(state: &Tournament) -> Option<BTreeMap<PlayerNumber, u32>> {
    let rules = in_force(state.ruleset()?).ok()?;
    let standings = Standings::of(state, &rules, Scope::default(), Detail::Order).ok()?;
    Some(standings.rows.iter().map(|row| (row.player, row.rank)).collect())
}

/// Who stands elsewhere, the largest move first.
fn moved(before: &BTreeMap<PlayerNumber, u32>, after: &BTreeMap<PlayerNumber, u32>) -> Vec<Moved> {
    let one = |(player, first): (&PlayerNumber, &u32)| {
        let second = after.get(player)?;
        (first != second).then_some((*player, *first, *second))
    };
    let mut moved: Vec<Moved> = before.iter().filter_map(one).collect();
    moved.sort_by_key(|(player, first, second)| {
        (std::cmp::Reverse(first.abs_diff(*second)), *first, *player)
    });
    moved
}

/// Returns the head of a log, and what is to be looked at in it.
pub fn marks(
    reader: &mut Reader<'_>,
    stream: StreamId,
) -> (RecordHash, Result<Vec<Mark>, (Code, String)>) {
    let (mut state, mut head, mut found) = (Tournament::default(), RecordHash::ZERO, Vec::new());
    let mut command: Vec<(Header, Event)> = Vec::new();
    for read in reader.read(stream) {
        let (record, event) = match read {
            Ok(read) => read,
            Err(error) => {
                let error = StoreError::from(error);
                return (head, Err((error.code(), error.to_string())));
            }
        };
        head = record.hash();
        let ends = record.ends_command();
        command.push((record.header(), event));
        if ends {
            take(&mut state, &std::mem::take(&mut command), &mut found);
        }
    }
    (head, Ok(found))
}

/// Takes what was recorded together: its effect is told of the last event that moves somebody.
fn take(state: &mut Tournament, command: &[(Header, Event)], found: &mut Vec<Mark>) {
    let last = command.iter().rposition(|(_, event)| moves(event));
    let before = last.and_then(|_| places(state));
    command.iter().for_each(|(_, event)| state.evolve(event));
    let after = before.as_ref().and_then(|_| places(state));
    let mut effect = before.zip(after).map(|(before, after)| moved(&before, &after));
    for (at, (header, event)) in command.iter().enumerate() {
        let lifted = lifts(state, event).then_some(What::Penalty);
        if let Some(what) = What::of(event).or(lifted) {
            let moves = effect.take_if(|_| last == Some(at));
            found.push(Mark { header: *header, what, moves });
        }
    }
}
