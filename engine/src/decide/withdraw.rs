//! What may be taken back: an event on which nothing builds that still stands.

use crate::event::*;
use crate::rejection::Rejection;
use crate::tournament::{Availability, Dispute, Entry, MatchView, Player, Round, Tournament};

/// Whether the event at `seq` may be taken back.
pub fn validate(state: &Tournament, seq: Seq) -> Result<(), Rejection> {
    let entry = match state.entry(seq) {
        None => return Err(Rejection::NoSuchEvent { seq }),
        Some(Entry::Other) => return Err(Rejection::CannotWithdraw { seq }),
        Some(entry) if went_along(state, entry) => {
            return Err(Rejection::AlreadyWithdrawn { seq });
        }
        Some(entry) => entry,
    };
    if state.is_closed() && !taken_after_closing(state, entry, seq) {
        return Err(Rejection::Closed);
    }
    match needed_by(state, entry, seq) {
        Some(by) => Err(Rejection::StillNeeded { seq, by }),
        None => Ok(()),
    }
}

/// A voided round takes everything in it along, and a phase that never began its end.
fn went_along(state: &Tournament, entry: Entry) -> bool {
    let voided = |round: u32| state.rounds()[round as usize].withdrawn;
    match entry {
        Entry::Withdrawn => true,
        Entry::PhaseEnded(phase) => state.phases()[phase as usize].withdrawn,
        Entry::RoundCompleted(round) | Entry::Published(round) => voided(round),
        Entry::Match(index) | Entry::Result(index) | Entry::Advanced(index) => {
            state.match_by_index(index).is_none()
        }
        Entry::Bye(index) => state.bye_by_index(index).is_none(),
        Entry::Dispute(index) | Entry::DisputeRuled(index) => {
            state.dispute_by_index(index).is_none()
        }
        _ => false,
    }
}

/// After the closing the same is taken back as is recorded: corrections and rulings.
fn taken_after_closing(state: &Tournament, entry: Entry, seq: Seq) -> bool {
    match entry {
        Entry::Result(index) => state.results(index) != [seq],
        Entry::Dispute(_) | Entry::DisputeRuled(_) | Entry::Lots | Entry::Closed => true,
        Entry::Imported => true,
        _ => false,
    }
}

/// What later event would hang in the air if this entry were taken back.
fn needed_by(state: &Tournament, entry: Entry, seq: Seq) -> Option<Seq> {
    match entry {
        Entry::Player(index) => player(state, state.players().get(index as usize)?),
        Entry::Availability(number) => availability(state, state.player(number)?, seq),
        Entry::Phase(index) => phase(state, index as usize),
        // An end that was recorded when the next phase ran already is needed by nothing.
        Entry::PhaseEnded(index) => phase_behind(state, index as usize).filter(|by| *by > seq),
        Entry::Round(index) => round(state, index as usize, None),
        Entry::RoundCompleted(index) => round(state, index as usize, Some(seq)),
        Entry::Match(index) => pairing(state, state.match_by_index(index)?),
        Entry::Result(index) => result(state, index, seq),
        Entry::Penalty(_) => state.ever_served_in(seq),
        Entry::Dispute(index) => dispute(state.disputes().get(index as usize)?),
        _ => None,
    }
}

/// The rounds in which a player has a table or a bye, each with the seq of that.
fn appearances(
    state: &Tournament,
    player: PlayerNumber,
) -> impl Iterator<Item = (RoundNumber, Seq)> {
    let sits = move |found: &MatchView<'_>| found.seats().iter().any(|s| s.player == player);
    let tables = state.matches().filter(sits).map(|found| (found.round().number, found.seq()));
    let byes = state.byes().filter(move |bye| bye.player == player);
    tables.chain(byes.map(|bye| (state.rounds()[bye.round as usize].number, bye.seq)))
}

fn player(state: &Tournament, player: &Player) -> Option<Seq> {
    let change = player.availability.last().map(|(seq, _)| *seq);
    appearances(state, player.number).map(|(_, seq)| seq).next().or(change)
}

/// A drop or a return is needed by the next one, and a return by the rounds played since.
fn availability(state: &Tournament, player: &Player, seq: Seq) -> Option<Seq> {
    let at = player.availability.iter().position(|(change, _)| *change == seq)?;
    if let Some((next, _)) = player.availability.get(at + 1) {
        return Some(*next);
    }
    if matches!(player.availability[at].1, Availability::Dropped(..)) {
        return None;
    }
    let mut without = player.clone();
    without.availability.truncate(at);
    appearances(state, player.number)
        .find(|(round, _)| player.takes_part_in(*round) && !without.takes_part_in(*round))
        .map(|(_, seq)| seq)
}

fn phase(state: &Tournament, index: usize) -> Option<Seq> {
    let number = state.phases()[index].number;
    let within = |round: &&Round| round.phase == number && !round.withdrawn;
    let round = state.rounds().iter().find(within).map(|round| round.opened);
    round.or_else(|| phase_behind(state, index))
}

/// The phase that was started behind another one, which is over because of that.
fn phase_behind(state: &Tournament, index: usize) -> Option<Seq> {
    state.phases()[index + 1..].iter().find(|phase| !phase.withdrawn).map(|phase| phase.started)
}

/// A round, or its completion where `completed` is given, is needed by what was begun or ended in
/// the knowledge that it was over.
fn round(state: &Tournament, index: usize, completed: Option<Seq>) -> Option<Seq> {
    let this = &state.rounds()[index];
    let later = state.rounds()[index + 1..].iter().find(|round| !round.withdrawn);
    let since = completed.unwrap_or(this.opened);
    let phases = || state.phases().iter().filter(|phase| !phase.withdrawn);
    let started = || phases().map(|phase| phase.started).find(|&seq| seq > since);
    let of_this = || phases().find(|phase| phase.number == this.phase);
    let ended = || of_this().and_then(|phase| phase.ended).filter(|&seq| seq > since);
    later.map(|round| round.opened).or_else(started).or_else(ended)
}

fn pairing(state: &Tournament, found: MatchView<'_>) -> Option<Seq> {
    let seq = found.seq();
    let at_this = |pairing: Option<Seq>| pairing == Some(seq);
    let penalty = || state.penalties().iter().find(|p| at_this(p.pairing) && !p.withdrawn);
    let dispute = || state.disputes().iter().find(|d| d.pairing == seq && !d.withdrawn);
    found
        .result()
        .or_else(|| found.advanced_at())
        .or_else(|| penalty().map(|penalty| penalty.seq))
        .or_else(|| dispute().map(|dispute| dispute.seq))
}

/// A result is needed by the one that replaced it, and the only one by the round's completion.
fn result(state: &Tournament, index: u32, seq: Seq) -> Option<Seq> {
    let results = state.results(index);
    let at = results.iter().position(|&result| result == seq)?;
    match results.get(at + 1) {
        Some(next) => Some(*next),
        None if at == 0 => state.match_by_index(index)?.round().completed,
        None => None,
    }
}

/// A dispute is needed by its ruling, and by a correction that names it.
fn dispute(dispute: &Dispute) -> Option<Seq> {
    dispute.ruled.map(|(at, _)| at).or_else(|| dispute.corrections.last().copied())
}
