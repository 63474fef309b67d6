//! Undoing a whole command: its events are taken back, the last one first, and what it took back
//! itself is put back. The log only grows: an undo is a command like any other, and a note in it
//! says which one it undoes.

use super::plan::Plan;
use super::{Desk, DeskError, Done, Objection};
use scrutineer_engine::book::{Commitment, Field};
use scrutineer_engine::decide::validate;
use scrutineer_engine::event::{
    DivisionRounds, Event, NoteAdded, Origin, OriginKind, PairingMade, PlayerDescribed,
    PlayerDivisionChanged, PlayerEnrolled, PlayerIdCorrected, PlayerIdentified, PlayerNumber,
    PlayerRated, RoundNumber, RulesetAmended, Seq, TableKept, TablesSet, Withdrawn,
};
use scrutineer_engine::handler::CommandError;
use scrutineer_engine::record::{Actor, Header};
use scrutineer_engine::rejection::Rejection;
use scrutineer_engine::tournament::{Availability, Player, Tournament};
use std::collections::{BTreeMap, BTreeSet};

/// A command that was undone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Undone {
    /// The seq of its first event.
    pub first: Seq,
    /// The seq of its last event.
    pub last: Seq,
    /// Those of its events that are of a kind that stays, such as announced standings.
    pub stays: Vec<Seq>,
    /// What was recorded.
    pub done: Done,
}

type Logged = [(Header, Event)];

/// The words of an event that is only tried.
const NO_WORDS: Commitment = Commitment { number: 0, digest: [0; 32] };

impl Desk<'_> {
    /// Undoes the last command of whoever asks, of however many events, or the one to which an
    /// event belongs. Asked again it undoes the command before that one.
    ///
    /// # Errors
    /// Where none is left, something that still stands builds on it, or all of it is of a kind
    /// that stays.
    pub fn undo(&self, of: Option<Seq>, reason: &str) -> Result<Undone, DeskError> {
        let (mut span, mut stays) = ((0, 0), Vec::new());
        let done = self.record(&mut |state, words| {
            let mut log = self.logged()?;
            // Sent again it is planned on what stood before it.
            log.truncate(state.head() as usize);
            span = match of {
                Some(seq) => command_of(&log, seq)?,
                None => {
                    let last = self.asker()?.and_then(|actor| last_of(&log, actor, says_who));
                    last.ok_or(Objection::NothingToUndo)?
                }
            };
            let mut undo = Undo {
                plan: Plan::of(state),
                log: &log,
                span,
                reason: words.say(Field::Reason, reason)?,
                now_as: put_back_as(&log),
                renumbered: BTreeMap::new(),
            };
            stays = Vec::new();
            for seq in (span.0..=span.1).rev() {
                if !undo.take_back(seq)? {
                    stays.push(seq);
                }
            }
            if undo.plan.events.is_empty() {
                return Err(CommandError::from(Rejection::CannotWithdraw { seq: span.0 }).into());
            }
            let note = words.say(Field::Note, "undone")?;
            undo.plan.add(NoteAdded { note, about: Some(span.0) });
            Ok(undo.plan.events)
        })?;
        Ok(Undone { first: span.0, last: span.1, stays, done })
    }
}

impl Desk<'_> {
    /// Whether the command to which an event belongs can be named to [`Desk::undo`]: it is not
    /// undone, and is no undo itself.
    ///
    /// # Errors
    /// Where the tournament cannot be read.
    pub fn names_a_command(&self, seq: Seq) -> Result<bool, DeskError> {
        Ok(command_of(&self.logged()?, seq).is_ok())
    }

    /// Returns the last command of whoever asks that is not undone and is more than a note, with the seqs of its first and last
    /// event; none where they have recorded nothing.
    ///
    /// # Errors
    /// Where the log cannot be read.
    pub fn own_last(&self) -> Result<Option<(Seq, Seq)>, DeskError> {
        let actor = self.asker()?;
        let log = self.logged()?;
        let stays = |event: &Event| says_who(event) || matches!(event, Event::NoteAdded(_));
        Ok(actor.and_then(|actor| last_of(&log, actor, stays)))
    }
}

/// The first event of the command that an event undoes, where it is the last one of an undo: a note about an
/// earlier command.
fn undone_by((header, event): &(Header, Event)) -> Option<Seq> {
    let first = (header.seq + 1).saturating_sub(header.parts.into());
    match event {
        Event::NoteAdded(NoteAdded { about: Some(about), .. })
            if header.parts > 1 && header.part == header.parts =>
        {
            Some(*about).filter(|about| *about < first)
        }
        _ => None,
    }
}

/// The first events of the commands that others of a log, or of its end, undo.
pub fn undone_commands(log: &[(Header, Event)]) -> BTreeSet<Seq> {
    log.iter().filter_map(undone_by).collect()
}

/// Whether an event is undone by another one of its kind, which says what held before it.
fn is_said_anew(event: &Event) -> bool {
    is_said_of_play(event)
        || matches!(
            event,
            Event::PlayerIdentified(_)
                | Event::PlayerDivisionChanged(_)
                | Event::PlayerDescribed(_)
                | Event::PlayerRated(_)
                | Event::PlayerIdCorrected(_)
                | Event::RulesetAmended(_)
        )
}

/// Whether it is one of those that a closed tournament does not take.
fn is_said_of_play(event: &Event) -> bool {
    matches!(
        event,
        Event::DivisionRounds(_)
            | Event::DivisionsPaired(_)
            | Event::TableKept(_)
            | Event::TablesSet(_)
    )
}

/// Whether an undo of a command takes anything back, as a tournament stands: it is neither undone already nor an
/// undo itself, what it recorded is of a kind that goes, and some of it is still there. `undone` are the
/// commands that were undone. What later events need is told when it is asked for.
pub fn is_undoable(
    state: &Tournament,
    undone: &BTreeSet<Seq>,
    command: &[(Header, Event)],
) -> bool {
    let first = command.first().map_or(0, |(header, _)| header.seq);
    // The opening stays: there is nothing without it.
    if first < 2 || undone.contains(&first) || is_undo(command) {
        return false;
    }
    let closes = |(_, event): &(Header, Event)| matches!(event, Event::TournamentClosed(_));
    let is_closing = command.iter().any(closes);
    if state.is_closed() && is_closing {
        return true;
    }
    let opens = |(_, event): &(Header, Event)| matches!(event, Event::RoundOpened(_));
    let takes_round = |(_, event): &(Header, Event)| match event {
        Event::Withdrawn(e) => state.rounds().iter().any(|round| round.opened == e.seq),
        _ => false,
    };
    // A round that was taken back does not come back by itself.
    if command.iter().any(takes_round) && !command.iter().any(opens) {
        return false;
    }
    let (mut goes, mut is_needed, mut is_paired_anew) = (false, false, false);
    for (header, event) in command {
        let is_of_play = is_said_of_play(event) || matches!(event, Event::Withdrawn(_));
        let withdrawn = Withdrawn { seq: header.seq, reason: NO_WORDS };
        match validate(state, &withdrawn.into()) {
            _ if is_of_play => goes |= !state.is_closed(),
            _ if is_said_anew(event) => goes = true,
            // The rest of a command that cannot be taken back whole stays too.
            Err(Rejection::Closed) => return false,
            Ok(()) => goes = true,
            Err(Rejection::StillNeeded { .. }) => is_needed = true,
            Err(Rejection::AlreadyWithdrawn { .. }) => {
                is_paired_anew |= matches!(event, Event::RoundOpened(_));
            }
            Err(_) => {}
        }
    }
    // Where the round that it opened was paired anew, the new one builds on all that is left of it.
    (goes || is_needed) && !is_paired_anew
}

/// Whether the events of a command undo an earlier one, so that they cannot be undone themselves.
pub fn is_undo(command: &[(Header, Event)]) -> bool {
    command.last().is_some_and(|last| undone_by(last).is_some())
}

/// The commands of a log, the last one first, each with the seqs of its first and last event.
fn commands(log: &Logged) -> impl Iterator<Item = (Seq, Seq)> {
    let mut last = log.len() as Seq;
    std::iter::from_fn(move || {
        let (header, _) = log.get((last as usize).checked_sub(1)?)?;
        let first = (last + 1).saturating_sub(header.part.max(1).into()).max(1);
        let command = (first, last);
        last = first - 1;
        Some(command)
    })
}

fn at(log: &Logged, seq: Seq) -> Option<&(Header, Event)> {
    log.get((seq as usize).checked_sub(1)?)
}

/// The first event of the command that this one undoes, if it undoes one.
fn undoes(log: &Logged, (_, last): (Seq, Seq)) -> Option<Seq> {
    undone_by(at(log, last)?)
}

/// Whether an event says who somebody is, which is recorded beside what they asked for.
fn says_who(event: &Event) -> bool {
    matches!(event, Event::StaffNamed(_))
}

/// The last command of an actor that is not undone, and has more than events that are passed over.
fn last_of(
    log: &Logged,
    actor: Actor,
    is_passed_over: impl Fn(&Event) -> bool,
) -> Option<(Seq, Seq)> {
    let mut undone = BTreeSet::new();
    commands(log).find(|&command| {
        let undoes = undoes(log, command);
        undone.extend(undoes);
        let own = at(log, command.0).is_some_and(|(header, _)| header.actor == actor);
        let mut events = (command.0..=command.1).filter_map(|seq| at(log, seq));
        let stays = events.all(|(_, event)| is_passed_over(event));
        undoes.is_none() && own && !stays && !undone.contains(&command.0)
    })
}

/// The command to which an event belongs.
fn command_of(log: &Logged, seq: Seq) -> Result<(Seq, Seq), DeskError> {
    let found = commands(log).find(|(first, last)| (first..=last).contains(&&seq));
    let command = found.ok_or(Rejection::NoSuchEvent { seq }).map_err(CommandError::from)?;
    if undone_commands(log).contains(&command.0) {
        return Err(CommandError::from(Rejection::AlreadyWithdrawn { seq }).into());
    }
    match undoes(log, command) {
        Some(_) => Err(CommandError::from(Rejection::CannotWithdraw { seq }).into()),
        None => Ok(command),
    }
}

/// The seqs of what earlier undos put back, by the seqs that they had before: an undo puts back what
/// its command took back, the last one first.
fn put_back_as(log: &Logged) -> BTreeMap<Seq, Seq> {
    let mut now_as = BTreeMap::new();
    for undo in commands(log) {
        let Some(first) = undoes(log, undo) else { continue };
        let Some(undone) = commands(log).find(|command| command.0 == first) else { continue };
        let taken = (undone.0..=undone.1).rev().filter_map(|seq| match at(log, seq)? {
            (_, Event::Withdrawn(e)) => Some(e.seq),
            _ => None,
        });
        let put_back = (undo.0..undo.1).filter(|&seq| {
            at(log, seq).is_none_or(|(_, event)| {
                !matches!(event, Event::Withdrawn(_)) && !is_said_anew(event)
            })
        });
        now_as.extend(taken.zip(put_back));
    }
    now_as
}

/// An undo that is being put together.
struct Undo<'a> {
    plan: Plan,
    log: &'a Logged,
    /// The command: its first and its last event.
    span: (Seq, Seq),
    reason: Commitment,
    /// Under which seq an event stands that an earlier undo put back.
    now_as: BTreeMap<Seq, Seq>,
    /// Who is enrolled again has another number.
    renumbered: BTreeMap<PlayerNumber, PlayerNumber>,
}

impl Undo<'_> {
    /// Takes an event of the command back, and says whether it could be: some kinds stay.
    fn take_back(&mut self, seq: Seq) -> Result<bool, DeskError> {
        let Some((_, event)) = at(self.log, seq) else { return Ok(false) };
        match event {
            // A round takes its tables and byes along.
            Event::PairingMade(e) if self.opens(e.round) => return Ok(true),
            Event::ByeGiven(e) if self.opens(e.round) => return Ok(true),
            Event::RoundOpened(e) => self.nothing_happened_in(e.round, seq)?,
            // That removes the tournament, and is asked for as such.
            Event::Imported(_) => return Ok(false),
            Event::Withdrawn(e) => return self.put_back(e.seq).map(|()| true),
            Event::PlayerIdentified(e) => {
                let later = |e2: &PlayerIdentified| e2.player == e.player;
                self.is_last(
                    seq,
                    |event| matches!(event, Event::PlayerIdentified(e2) if later(e2)),
                )?;
                let before = self.before(seq);
                let name = before.player(e.player).map_or(e.name, |player| player.name);
                self.plan.add(PlayerIdentified { player: e.player, name });
                return Ok(true);
            }
            Event::PlayerDivisionChanged(e) => {
                let is_such = |event: &Event| matches!(event, Event::PlayerDivisionChanged(e2) if e2.player == e.player);
                self.is_last(seq, is_such)?;
                let before = self.before(seq);
                let division = before.player(e.player).and_then(|known| known.division.clone());
                let (player, reason) = (e.player, self.reason);
                self.plan.add(PlayerDivisionChanged { player, division, reason });
                return Ok(true);
            }
            // Who is no longer enrolled takes what was said of them along.
            Event::PlayerDescribed(e) if self.enrolls(e.player) => return Ok(true),
            Event::PlayerDescribed(e) => {
                let is_such = |event: &Event| matches!(event, Event::PlayerDescribed(e2) if e2.player == e.player);
                self.is_last(seq, is_such)?;
                let before = self.before(seq);
                let known = before.player(e.player);
                let title = known.and_then(|known| known.title.clone());
                let federation = known.and_then(|known| known.federation.clone());
                self.plan.add(PlayerDescribed { player: e.player, title, federation });
                return Ok(true);
            }
            Event::PlayerRated(PlayerRated { player, .. })
            | Event::PlayerIdCorrected(PlayerIdCorrected { player, .. })
                if self.enrolls(*player) =>
            {
                return Ok(true);
            }
            Event::PlayerRated(e) => {
                let is_such = |event: &Event| matches!(event, Event::PlayerRated(e2) if e2.player == e.player);
                self.is_last(seq, is_such)?;
                let rating = self.before(seq).player(e.player).and_then(|known| known.rating);
                self.plan.add(PlayerRated { player: e.player, rating });
                return Ok(true);
            }
            Event::PlayerIdCorrected(e) => {
                let is_such = |event: &Event| matches!(event, Event::PlayerIdCorrected(e2) if e2.player == e.player);
                self.is_last(seq, is_such)?;
                let before = self.before(seq);
                let publisher_id = before.player(e.player).and_then(|known| known.publisher_id);
                self.plan.add(PlayerIdCorrected { player: e.player, publisher_id });
                return Ok(true);
            }
            Event::DivisionRounds(e) => {
                let is_such = |event: &Event| matches!(event, Event::DivisionRounds(e2) if e2.division == e.division);
                self.is_last(seq, is_such)?;
                let rounds = self.before(seq).rounds_of_division(&e.division);
                self.plan.add(DivisionRounds { division: e.division.clone(), rounds });
                return Ok(true);
            }
            Event::TableKept(e) => {
                self.is_last(
                    seq,
                    |event| matches!(event, Event::TableKept(e2) if e2.player == e.player),
                )?;
                let table = self.before(seq).kept_table(e.player);
                self.plan.add(TableKept { player: e.player, table });
                return Ok(true);
            }
            Event::TablesSet(_) => {
                self.is_last(seq, |event| matches!(event, Event::TablesSet(_)))?;
                let ranges = self.before(seq).tables().to_vec();
                self.plan.add(TablesSet { ranges });
                return Ok(true);
            }
            Event::DivisionsPaired(_) => {
                self.is_last(seq, |event| matches!(event, Event::DivisionsPaired(_)))?;
                let before = self.before(seq).divisions_paired().clone();
                self.plan.add(before);
                return Ok(true);
            }
            Event::RulesetAmended(_) => {
                self.is_last(seq, |event| matches!(event, Event::RulesetAmended(_)))?;
                let ruleset = self.before(seq).ruleset().unwrap_or_default().to_vec();
                let (from_round, reason) = (None, self.reason);
                self.plan.add(RulesetAmended { ruleset, from_round, reason });
                return Ok(true);
            }
            _ => {}
        }
        let mut seq = seq;
        while let Some(later) = self.now_as.get(&seq) {
            seq = *later;
        }
        let withdrawn = Withdrawn { seq, reason: self.reason };
        match validate(&self.plan.state, &withdrawn.clone().into()) {
            Ok(()) => self.plan.add(withdrawn),
            // Taken back by itself before, or gone along with something.
            Err(Rejection::AlreadyWithdrawn { .. }) => {}
            Err(Rejection::CannotWithdraw { .. }) => return Ok(false),
            Err(rejection) => return Err(CommandError::from(rejection).into()),
        }
        Ok(true)
    }

    /// Whether the command enrolls this player.
    fn enrolls(&self, player: PlayerNumber) -> bool {
        let mut events = (self.span.0..=self.span.1).filter_map(|seq| at(self.log, seq));
        events.any(|(_, event)| matches!(event, Event::PlayerEnrolled(e) if e.player == player))
    }

    /// Whether the command opens this round.
    fn opens(&self, round: RoundNumber) -> bool {
        let mut events = (self.span.0..=self.span.1).filter_map(|seq| at(self.log, seq));
        events.any(|(_, event)| matches!(event, Event::RoundOpened(e) if e.round == round))
    }

    /// The tournament before an event.
    fn before(&self, seq: Seq) -> Tournament {
        Tournament::of(self.log[..seq as usize - 1].iter().map(|(_, event)| event))
    }

    /// Whether nothing of the kind came later.
    fn is_last(&self, seq: Seq, is_such: impl Fn(&Event) -> bool) -> Result<(), DeskError> {
        let mut later = (seq + 1..).zip(&self.log[seq as usize..]);
        match later.find(|(_, (_, event))| is_such(event)) {
            Some((by, _)) => Err(CommandError::from(Rejection::StillNeeded { seq, by }).into()),
            None => Ok(()),
        }
    }

    /// Whether nothing that stands was recorded in a round since it was drawn: it would be gone
    /// with the round.
    fn nothing_happened_in(&self, round: RoundNumber, seq: Seq) -> Result<(), DeskError> {
        let (state, drawn) = (&self.plan.state, self.span.1);
        let of_round = || state.matches().filter(|found| found.round().number == round);
        let pairings: BTreeSet<Seq> = of_round().map(|found| found.seq()).collect();
        let results = of_round().filter_map(|found| found.result());
        let byes = state.byes().filter(|bye| state.rounds()[bye.round as usize].number == round);
        let penalties = state.penalties().iter().filter(|penalty| !penalty.withdrawn);
        let penalties = penalties.filter(|p| p.pairing.is_some_and(|p| pairings.contains(&p)));
        let disputes = state.disputes().iter().filter(|dispute| !dispute.withdrawn);
        let disputes = disputes.filter(|dispute| pairings.contains(&dispute.pairing));
        let availability = state.players().iter().flat_map(|player| &player.availability);
        let drops = availability.filter_map(|&(at, change)| match change {
            Availability::Dropped(_, after) => (after >= round).then_some(at),
            Availability::Reinstated(from) => (from >= round).then_some(at),
        });
        // Tables and byes that an undo put back had been there before.
        let put_back: BTreeSet<Seq> = self.now_as.values().copied().collect();
        let places = pairings.iter().copied().chain(byes.map(|bye| bye.seq));
        let places = places.filter(|at| !put_back.contains(at));
        let all = places.chain(results).chain(drops);
        let all = all.chain(penalties.map(|p| p.seq)).chain(disputes.map(|d| d.seq));
        match all.filter(|at| *at > drawn).min() {
            Some(by) => Err(CommandError::from(Rejection::StillNeeded { seq, by }).into()),
            None => Ok(()),
        }
    }

    /// Records anew what the command took back.
    fn put_back(&mut self, seq: Seq) -> Result<(), DeskError> {
        let Some((_, event)) = at(self.log, seq) else { return Ok(()) };
        match event.clone() {
            Event::PlayerEnrolled(e) => {
                let player = self.plan.state.players().len() as PlayerNumber + 1;
                self.renumbered.insert(e.player, player);
                let known = self.before(self.span.0).player(e.player).cloned();
                // What was put right since stands in no enrollment.
                let (rating, publisher_id) = known
                    .as_ref()
                    .map_or((e.rating, e.publisher_id), |known| (known.rating, known.publisher_id));
                let again =
                    PlayerEnrolled { player, sign_up: Some(player), rating, publisher_id, ..e };
                self.plan.add(again);
                if let Some(Player { title, federation, .. }) = known
                    && (title.is_some() || federation.is_some())
                {
                    self.plan.add(PlayerDescribed { player, title, federation });
                }
            }
            // The seed was revealed for the draw, and this is none.
            Event::PairingMade(e) => {
                let origin = self.origin(e.origin);
                self.plan.add(PairingMade { origin, ..e });
            }
            Event::ByeGiven(mut e) => {
                e.origin = self.origin(e.origin);
                e.player = self.renumbered.get(&e.player).copied().unwrap_or(e.player);
                self.plan.add(e);
            }
            Event::PlayerDropped(_)
            | Event::PlayerReinstated(_)
            | Event::ByeRequested(_)
            | Event::PenaltyGiven(_)
            | Event::RoundCompleted(_)
            | Event::PairingsPublished(_)
            | Event::PhaseEnded(_)
            | Event::TournamentClosed(_)
            | Event::ResultRecorded(_)
            | Event::ResultCorrected(_)
            | Event::PlayerAdvanced(_)
            | Event::DisputeOpened(_)
            | Event::DisputeRuled(_) => self.plan.add(event.clone()),
            // Of a round that was paired anew both pairings go: it is unpaired, and can be paired again.
            Event::RoundOpened(e) if self.opens(e.round) => {}
            _ => return Err(Objection::NotPutBack { seq }.into()),
        }
        Ok(())
    }

    /// The origin of a table or bye that is put back.
    fn origin(&self, was: Origin) -> Origin {
        match was.kind {
            OriginKind::PairedRound => Origin::by_hand(self.reason),
            _ => was,
        }
    }
}
