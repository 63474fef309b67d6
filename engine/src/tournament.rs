//! The state of a tournament: what the events say so far, and nothing that they do not say.
//!
//! [`Tournament::evolve`] takes any event and cannot fail; whether the event is legal is
//! [`crate::decide::validate`]'s to say. Players, matches and byes lie flat in arrays; everything is
//! found by the number or the seq that the events use.

mod evolve;
mod kept;
mod undo;

pub use kept::STATE_VERSION;

use crate::book::Commitment;
use crate::event::*;
use serde::{Deserialize, Serialize};
use smallvec::SmallVec;
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

/// Marks "none" in a flat index.
const NONE: u32 = u32::MAX;

/// What stands at a seq: the kind of thing and its place in its array.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Entry {
    /// Something that nothing later refers to.
    Other,
    /// Taken back.
    Withdrawn,
    Player(u32),
    Availability(PlayerNumber),
    ByeRequest,
    Phase(u32),
    PhaseEnded(u32),
    Round(u32),
    RoundCompleted(u32),
    Published(u32),
    Match(u32),
    Bye(u32),
    Result(u32),
    Penalty(u32),
    Advanced(u32),
    Dispute(u32),
    DisputeRuled(u32),
    Lots,
    Closed,
    /// That it was imported: taken back, the tournament is removed.
    Imported,
    /// A player is here.
    CheckedIn(PlayerNumber),
}

/// A player leaves or comes back.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Availability {
    /// Out after this round.
    Dropped(DropReason, RoundNumber),
    /// Back from this round on.
    Reinstated(RoundNumber),
}

/// An entrant.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Player {
    /// Their number, from 1.
    pub number: PlayerNumber,
    /// The seq of their enrollment.
    pub enrolled: Seq,
    /// Their name, as last identified.
    pub name: Commitment,
    /// Their publisher's id, as last corrected.
    pub publisher_id: Option<Commitment>,
    /// Their place in the order of sign-up, where it is known.
    pub sign_up: Option<u32>,
    /// The first round in which they take part.
    pub from_round: RoundNumber,
    /// How many byes they bring.
    pub awarded_byes: u8,
    /// Their rating, as last corrected.
    pub rating: Option<i32>,
    /// The seq of each correction of their rating, with what it was before.
    pub rated: Vec<(Seq, Option<i32>)>,
    /// Their division.
    pub division: Option<String>,
    /// Their title, such as `GM`.
    pub title: Option<String>,
    /// Their federation, such as `SWE`.
    pub federation: Option<String>,
    /// Whether they checked in.
    pub checked_in: bool,
    /// Whether their enrollment was taken back.
    pub withdrawn: bool,
    /// When they left and came back, in the order of the events.
    pub availability: SmallVec<[(Seq, Availability); 1]>,
}

impl Player {
    /// The rating they had once this event was recorded; the one they enrolled with where they did so later.
    pub fn rating_at(&self, seq: Seq) -> Option<i32> {
        let later = self.rated.iter().find(|(at, _)| *at > seq);
        later.map_or(self.rating, |(_, before)| *before)
    }

    /// How and after which round they dropped, if they are out now.
    pub fn dropped(&self) -> Option<(DropReason, RoundNumber)> {
        self.dropped_by(RoundNumber::MAX)
    }

    /// How and after which round they dropped, if they are out once this round is over, with everything
    /// that is known: who comes back from a later round on is still out.
    pub fn dropped_by(&self, round: RoundNumber) -> Option<(DropReason, RoundNumber)> {
        let has_begun = |change: &&(Seq, Availability)| match change.1 {
            Availability::Dropped(_, after) => after <= round,
            Availability::Reinstated(from) => from <= round,
        };
        match self.availability.iter().rfind(has_begun) {
            Some((_, Availability::Dropped(why, after))) => Some((*why, *after)),
            _ => None,
        }
    }

    /// Whether they take part in `round`. Nobody does before their first one, also who comes back.
    pub fn takes_part_in(&self, round: RoundNumber) -> bool {
        let mut part = true;
        for (_, change) in &self.availability {
            match *change {
                Availability::Dropped(_, after) if round > after => part = false,
                Availability::Reinstated(from) if round >= from => part = true,
                _ => {}
            }
        }
        part && round >= self.from_round && !self.withdrawn
    }
}

/// A phase that was started.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Phase {
    /// Its number, from 1.
    pub number: u16,
    /// The seq of its start.
    pub started: Seq,
    /// How it is played.
    pub kind: PhaseKind,
    /// Its entrants, in the order of their seeds.
    pub entrants: Vec<PlayerNumber>,
    /// Who would have entered and does not.
    pub passed_over: Vec<PlayerNumber>,
    /// Its own scoresheet, where it has one.
    pub scoresheet: Option<Scoresheet>,
    /// The seq of its end, where it is over.
    pub ended: Option<Seq>,
    /// Whether its start was taken back.
    pub withdrawn: bool,
}

/// A round that was opened.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Round {
    /// Its event-wide number.
    pub number: RoundNumber,
    /// The seq of its opening.
    pub opened: Seq,
    /// Its phase.
    pub phase: u16,
    /// Its number within the phase.
    pub phase_round: u16,
    /// What it counts for.
    pub weight: RoundWeight,
    /// The draw by which it was paired.
    pub drawn: Option<DrawUsed>,
    /// The pairing engine of somebody else that said who meets whom, with its version.
    pub engine: Option<(String, Option<String>)>,
    /// The seq at which its pairings were published.
    pub published: Option<Seq>,
    /// The seq at which it was completed.
    pub completed: Option<Seq>,
    /// Whether its opening was taken back.
    pub withdrawn: bool,
    /// Matches without a result.
    pub open_matches: u32,
    /// The highest table number that was given; 0: none.
    highest_table: u32,
    /// Where its matches stand: from the first to behind the last, others may lie between.
    matches: (u32, u32),
}

/// A seat of a match.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SeatState {
    /// Who sits there.
    pub player: PlayerNumber,
    /// Their role.
    pub role: u8,
    /// What somebody ruled for them.
    pub ruling: Option<Ruling>,
}

/// A pairing and what became of it; read through [`MatchView`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Match {
    seq: Seq,
    result: Seq,
    round: u32,
    table: u32,
    seats_at: u32,
    seats: u8,
    how: How,
    withdrawn: bool,
    /// Place in the bracket and group of the phase; 0: none.
    slot: u32,
    group: u32,
    score_at: u32,
    seat_lines: u8,
    table_lines: u8,
}

/// A bye.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Bye {
    /// The seq of its event.
    pub seq: Seq,
    /// Position of its round among [`Tournament::rounds`].
    pub round: u32,
    /// Who.
    pub player: PlayerNumber,
    /// What kind.
    pub kind: ByeKind,
    /// What a source reported for it.
    pub reported: Option<Score>,
    /// Its place in the bracket.
    pub bracket_slot: Option<u32>,
    /// Whether a schedule or a file gave it, and not a person or the lack of an opponent.
    pub scheduled: bool,
    /// Whether it was taken back.
    pub withdrawn: bool,
}

/// A match or bye of a player, and their one before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Appearance {
    entry: Entry,
    round: u32,
    earlier: u32,
}

/// What few matches have.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
struct Extras {
    grade: Option<String>,
    parts: Vec<Part>,
    penalties_served: Vec<Seq>,
    superseded: Vec<(Seq, MatchResult)>,
    noted: Option<(Seq, Score)>,
    /// By every ruling that stands; the last one counts.
    advanced: SmallVec<[(Seq, PlayerNumber); 1]>,
}

/// A penalty.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Penalty {
    /// The seq of its event.
    pub seq: Seq,
    /// Who.
    pub player: PlayerNumber,
    /// What it takes away.
    pub kind: PenaltyKind,
    /// The match it applies to.
    pub pairing: Option<Seq>,
    /// Whether it was taken back.
    pub withdrawn: bool,
}

/// A dispute.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Dispute {
    /// The seq of its opening.
    pub seq: Seq,
    /// The match, by the seq of its pairing.
    pub pairing: Seq,
    /// Who disputes it.
    pub by: Option<PlayerNumber>,
    /// The ruling: its seq, and whether the claim was upheld.
    pub ruled: Option<(Seq, bool)>,
    /// The corrections that stand and name it, by their seqs.
    pub corrections: SmallVec<[Seq; 1]>,
    /// Whether it was taken back.
    pub withdrawn: bool,
}

/// The lots as last drawn.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Lots {
    /// The seq of the event.
    pub seq: Seq,
    /// Where the order comes from.
    pub source: LotsSource,
    /// The players, best lot first.
    pub order: Vec<PlayerNumber>,
}

/// What the events of a tournament say so far.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tournament {
    entries: Vec<Entry>,
    opened: Option<TournamentOpened>,
    imported: Option<Imported>,
    rulesets: Vec<(Option<RoundNumber>, Vec<RulesetFile>)>,
    closed: Option<Seq>,
    players: Vec<Player>,
    phases: Vec<Phase>,
    rounds: Vec<Round>,
    matches: Vec<Match>,
    seats: Vec<SeatState>,
    scores: Vec<i32>,
    byes: Vec<Bye>,
    bye_requests: Vec<(Seq, ByeRequested)>,
    appearances: Vec<Appearance>,
    /// Each player's latest match or bye among them, for the walk back over all of theirs. Apart from
    /// the players, who take so much room that looking at two for each pairing costs more than all
    /// else that a pairing does.
    latest: Vec<u32>,
    extras: BTreeMap<u32, Extras>,
    penalties: Vec<Penalty>,
    disputes: Vec<Dispute>,
    divisions_paired: DivisionsPaired,
    division_rounds: BTreeMap<String, u16>,
    kept_tables: BTreeMap<PlayerNumber, u32>,
    tables: Vec<TableRange>,
    lots: Vec<Lots>,
    announcements: Vec<(Seq, StandingsAnnounced)>,
    signers: Vec<(Seq, [u8; 32])>,
    retired: Vec<(Seq, KeyRetired)>,
    last_entry: u32,
    forgotten: BTreeSet<u32>,
}

/// The score lines of a match, as the slip says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ScoreView<'a> {
    values: &'a [i32],
    seat_lines: usize,
    seats: usize,
}

impl<'a> ScoreView<'a> {
    /// The value of a seat's line; both counted from 0. A slip that was left empty, as where
    /// somebody ruled, holds 0.
    #[inline]
    pub fn seat(self, seat: usize, line: usize) -> i32 {
        if seat >= self.seats || line >= self.seat_lines {
            return 0;
        }
        self.values.get(seat * self.seat_lines + line).copied().unwrap_or(0)
    }

    /// How many lines each seat has.
    #[inline]
    pub fn seat_lines(self) -> usize {
        self.seat_lines
    }

    /// All values: one seat's lines after the other's, then the table's.
    #[inline]
    pub fn values(self) -> &'a [i32] {
        self.values
    }

    /// The value of a table line.
    #[inline]
    pub fn table(self, line: usize) -> i32 {
        self.values.get(self.seats * self.seat_lines + line).copied().unwrap_or(0)
    }

    /// The score as an event holds it.
    pub fn to_score(self) -> Score {
        let (seats, table) = self.values.split_at(self.seats * self.seat_lines);
        let of_seat = |seat: usize| -> SmallVec<[i32; 2]> {
            (0..self.seat_lines).map(|line| seats[seat * self.seat_lines + line]).collect()
        };
        Score {
            seats: (0..self.seats).map(of_seat).collect(),
            table: table.iter().copied().collect(),
        }
    }
}

/// One match that stands.
#[derive(Clone, Copy)]
pub struct MatchView<'a> {
    of: &'a Tournament,
    this: &'a Match,
    index: u32,
}

impl<'a> MatchView<'a> {
    /// The seq of its pairing.
    #[inline]
    pub fn seq(self) -> Seq {
        self.this.seq
    }

    /// Its round.
    #[inline]
    pub fn round(self) -> &'a Round {
        &self.of.rounds[self.this.round as usize]
    }

    /// Position of its round among [`Tournament::rounds`].
    #[inline]
    pub fn round_index(self) -> usize {
        self.this.round as usize
    }

    /// Its table, where it is known.
    pub fn table(self) -> Option<u32> {
        (self.this.table > 0).then_some(self.this.table)
    }

    /// Its place in the bracket.
    pub fn bracket_slot(self) -> Option<u32> {
        (self.this.slot > 0).then_some(self.this.slot)
    }

    /// Its group of the phase.
    pub fn group(self) -> Option<u32> {
        (self.this.group > 0).then_some(self.this.group)
    }

    /// Its seats.
    #[inline]
    pub fn seats(self) -> &'a [SeatState] {
        let at = self.this.seats_at as usize;
        &self.of.seats[at..at + usize::from(self.this.seats)]
    }

    /// The seq of the result that stands.
    #[inline]
    pub fn result(self) -> Option<Seq> {
        (self.this.result > 0).then_some(self.this.result)
    }

    /// How it ended; `Played` while it has not.
    #[inline]
    pub fn how(self) -> How {
        self.this.how
    }

    /// The score on the slip, or the score so far.
    #[inline]
    pub fn score(self) -> Option<ScoreView<'a>> {
        if self.this.score_at == NONE {
            return None;
        }
        let (seats, lines) = (usize::from(self.this.seats), usize::from(self.this.seat_lines));
        let at = self.this.score_at as usize;
        let len = seats * lines + usize::from(self.this.table_lines);
        Some(ScoreView { values: &self.of.scores[at..at + len], seat_lines: lines, seats })
    }

    /// The grade of the result.
    #[inline]
    pub fn grade(self) -> Option<&'a str> {
        self.of.extras.get(&self.index)?.grade.as_deref()
    }

    /// Who goes on by ruling.
    pub fn advanced(self) -> Option<PlayerNumber> {
        self.of.extras.get(&self.index)?.advanced.last().map(|(_, player)| *player)
    }

    /// The seq of the ruling by which somebody goes on.
    pub(crate) fn advanced_at(self) -> Option<Seq> {
        self.of.extras.get(&self.index)?.advanced.last().map(|(seq, _)| *seq)
    }

    /// Whether a result stands by which the match counts for nobody, as one that is postponed.
    pub fn is_void(self) -> bool {
        self.to_result().is_some_and(|result| result.is_void())
    }

    /// Whether it counts for nobody because it is to be played later.
    pub fn is_postponed(self) -> bool {
        self.grade() == Some(POSTPONED) && self.is_void()
    }

    /// Whether the match was postponed by the result with this seq, which stands or was replaced.
    pub fn was_postponed_by(self, result: Seq) -> bool {
        let extras = self.of.extras.get(&self.index);
        let mut earlier = extras.into_iter().flat_map(|extras| &extras.superseded);
        let stands = self.result() == Some(result) && self.is_postponed();
        stands || earlier.any(|(seq, old)| *seq == result && old.is_postponed())
    }

    /// The result that stands, as an event holds it.
    pub fn to_result(self) -> Option<MatchResult> {
        self.result()?;
        // Only what is asked for: a match that was corrected often has a long past among the rest.
        let extras = self.of.extras.get(&self.index);
        let rulings: SmallVec<_> = self.seats().iter().map(|seat| seat.ruling).collect();
        let ruled = rulings.iter().any(Option::is_some);
        Some(MatchResult {
            score: self.score().map(ScoreView::to_score).unwrap_or_default(),
            rulings: if ruled { rulings } else { SmallVec::new() },
            how: self.this.how,
            grade: extras.and_then(|extras| extras.grade.clone()),
            penalties_served: extras.map_or(Vec::new(), |e| e.penalties_served.clone()),
            parts: extras.map_or(Vec::new(), |extras| extras.parts.clone()),
        })
    }
}

impl Tournament {
    /// The state after `events`.
    pub fn of<'a>(events: impl IntoIterator<Item = &'a Event>) -> Tournament {
        let mut state = Tournament::default();
        for event in events {
            state.evolve(event);
        }
        state
    }

    /// The seq of the last event.
    pub fn head(&self) -> Seq {
        self.entries.len() as Seq
    }

    /// How it was opened.
    pub fn opened(&self) -> Option<&TournamentOpened> {
        self.opened.as_ref()
    }

    /// Where it was imported from.
    pub fn imported(&self) -> Option<&Imported> {
        self.imported.as_ref()
    }

    /// Whether it was removed: it was imported, and its import was taken back.
    pub fn is_removed(&self) -> bool {
        self.imported.is_some() && self.entry(IMPORTED_AT) == Some(Entry::Withdrawn)
    }

    /// The ruleset in force for the whole tournament, as last amended for all rounds.
    pub fn ruleset(&self) -> Option<&[RulesetFile]> {
        self.rulesets.iter().rev().find(|(from, _)| from.is_none()).map(|(_, files)| &files[..])
    }

    /// The event that closed it.
    pub fn closed(&self) -> Option<Seq> {
        self.closed
    }

    /// Whether it is closed.
    pub fn is_closed(&self) -> bool {
        self.closed.is_some()
    }

    /// Every entrant, by number; also those whose enrollment was taken back.
    pub fn players(&self) -> &[Player] {
        &self.players
    }

    /// The player of this number.
    pub fn player(&self, number: PlayerNumber) -> Option<&Player> {
        let player = self.players.get((number as usize).checked_sub(1)?)?;
        (!player.withdrawn).then_some(player)
    }

    /// Every phase that was started, in order; also those taken back.
    pub fn phases(&self) -> &[Phase] {
        &self.phases
    }

    /// The phase of this number that stands.
    pub fn phase(&self, number: u16) -> Option<&Phase> {
        self.phases.iter().rev().find(|phase| phase.number == number && !phase.withdrawn)
    }

    /// Who plays a phase, in the order of their seeds: its entrants. Whom a judge set into a bracket by
    /// hand stands there in the place of an entrant who sits nowhere in it, first of one who has not
    /// left; where no entrant made room for them, behind all.
    pub fn field<'a>(&self, phase: &'a Phase) -> Cow<'a, [PlayerNumber]> {
        let entrants = Cow::Borrowed(&phase.entrants[..]);
        // A file may say of fewer than all that they entered.
        if !phase.kind.is_bracket() || entrants.is_empty() || self.imported.is_some() {
            return entrants;
        }
        let is_of = |round: &Round| round.phase == phase.number;
        let rounds = (0..self.rounds.len()).filter(|at| is_of(&self.rounds[*at]));
        let seats = rounds.flat_map(|at| self.matches_of(at)).flat_map(|found| found.seats());
        let byes = self.byes().filter(|bye| is_of(&self.rounds[bye.round as usize]));
        let mut came = vec![false; self.players.len() + 1];
        entrants.iter().for_each(|player| came[*player as usize] = true);
        let (mut sits, mut set_in) = (vec![false; came.len()], Vec::new());
        for player in seats.map(|seat| seat.player).chain(byes.map(|bye| bye.player)) {
            let sat = std::mem::replace(&mut sits[player as usize], true);
            if !sat && !came[player as usize] {
                set_in.push(player);
            }
        }
        if set_in.is_empty() {
            return entrants;
        }
        let mut field = entrants.into_owned();
        let mut free: Vec<usize> =
            (0..field.len()).filter(|at| !sits[field[*at] as usize]).collect();
        free.sort_by_key(|at| self.player(field[*at]).is_none_or(|one| one.dropped().is_some()));
        let mut set_in = set_in.into_iter();
        for (at, player) in free.into_iter().zip(set_in.by_ref()) {
            field[at] = player;
        }
        field.extend(set_in);
        Cow::Owned(field)
    }

    /// Every round that was opened, in order; also those taken back.
    pub fn rounds(&self) -> &[Round] {
        &self.rounds
    }

    /// The round of this number that stands.
    pub fn round(&self, number: RoundNumber) -> Option<&Round> {
        self.round_index(number).map(|index| &self.rounds[index as usize])
    }

    /// The last round that stands.
    pub fn last_round(&self) -> Option<&Round> {
        self.rounds.iter().rev().find(|round| !round.withdrawn)
    }

    /// The draw of a round of this number that was taken back, if there was one: drawn anew, the
    /// round uses its seed and its dice again.
    pub fn voided_draw(&self, number: RoundNumber) -> Option<&DrawUsed> {
        let voided = self.rounds.iter().rev().filter(|r| r.number == number && r.withdrawn);
        voided.filter_map(|round| round.drawn.as_ref()).next()
    }

    /// The number that the next round will have.
    pub fn next_round_number(&self) -> RoundNumber {
        self.last_round().map_or(1, |round| round.number.saturating_add(1))
    }

    /// The phase to which a round belongs.
    pub fn phase_of(&self, round: &Round) -> Option<&Phase> {
        self.phase(round.phase)
    }

    /// The scoresheet of a round's matches.
    pub fn scoresheet(&self, round: &Round) -> Option<&Scoresheet> {
        let own = self.phase_of(round).and_then(|phase| phase.scoresheet.as_ref());
        own.or(self.opened.as_ref().map(|opened| &opened.scoresheet))
    }

    /// Every match that stands, in the order of the pairings.
    pub fn matches(&self) -> impl Iterator<Item = MatchView<'_>> {
        (0..self.matches.len() as u32).filter_map(|index| self.match_by_index(index))
    }

    /// The matches of a round that stand, in the order of the pairings; `round` is its position
    /// among [`Tournament::rounds`].
    #[inline]
    pub fn matches_of(&self, round: usize) -> impl Iterator<Item = MatchView<'_>> {
        let lie = self.rounds.get(round).filter(|round| !round.withdrawn);
        let (from, to) = lie.map_or((0, 0), |round| round.matches);
        let all = (from..).zip(&self.matches[from as usize..to as usize]);
        // Between its first and its last one there may be others, made when another round was on.
        let of_round = all.filter(move |(_, this)| this.round as usize == round && !this.withdrawn);
        of_round.map(|(index, this)| MatchView { of: self, this, index })
    }

    /// The match of the pairing with this seq, if it stands.
    pub fn match_at(&self, pairing: Seq) -> Option<MatchView<'_>> {
        match self.entry(pairing)? {
            Entry::Match(index) => self.match_by_index(index),
            _ => None,
        }
    }

    /// Every bye that stands, in the order of the events.
    pub fn byes(&self) -> impl Iterator<Item = &Bye> {
        self.byes.iter().filter(|bye| !bye.withdrawn && !self.rounds[bye.round as usize].withdrawn)
    }

    /// Every bye that was asked for and not taken back, each with the seq of its event; also of rounds
    /// that are paired since.
    pub fn bye_requests(&self) -> &[(Seq, ByeRequested)] {
        &self.bye_requests
    }

    /// The bye that a player asked for in a round, if they did.
    pub fn bye_requested(&self, player: PlayerNumber, round: RoundNumber) -> Option<ByeKind> {
        let of = |one: &ByeRequested| one.player == player && one.round == round;
        self.bye_requests.iter().find(|(_, one)| of(one)).map(|(_, one)| one.kind)
    }

    /// The byes that players asked for in rounds that are not paired yet, each with the seq of its
    /// event.
    pub fn byes_to_come(&self) -> impl Iterator<Item = (Seq, ByeRequested)> {
        let next = self.next_round_number();
        let to_come = move |one: &ByeRequested| {
            one.round >= next && self.player(one.player).is_some_and(|p| p.takes_part_in(one.round))
        };
        self.bye_requests.iter().copied().filter(move |(_, one)| to_come(one))
    }

    /// Penalties, also those taken back.
    pub fn penalties(&self) -> &[Penalty] {
        &self.penalties
    }

    /// Disputes, also those taken back. People count them from 1 in this order.
    pub fn disputes(&self) -> &[Dispute] {
        &self.disputes
    }

    /// The player of whom an event says that they are enrolled, here, out, back or asked for a bye, where it
    /// stands.
    pub fn player_of(&self, seq: Seq) -> Option<PlayerNumber> {
        match self.entry(seq)? {
            Entry::Player(index) => self.players.get(index as usize).map(|player| player.number),
            Entry::Availability(player) | Entry::CheckedIn(player) => Some(player),
            Entry::ByeRequest => {
                let asked = self.bye_requests.iter().find(|(at, _)| *at == seq);
                asked.map(|(_, one)| one.player)
            }
            _ => None,
        }
    }

    /// The match about which an event ruled, where the ruling stands.
    pub fn ruled_match(&self, seq: Seq) -> Option<Seq> {
        match self.entry(seq)? {
            Entry::DisputeRuled(index) => Some(self.dispute_by_index(index)?.pairing),
            Entry::Advanced(index) => Some(self.match_by_index(index)?.seq()),
            _ => None,
        }
    }

    /// The event that says of a player that they are here, the last one that stands.
    pub fn checked_in_at(&self, player: PlayerNumber) -> Option<Seq> {
        let is_it = |entry: &Entry| *entry == Entry::CheckedIn(player);
        Some(self.entries.iter().rposition(is_it)? as Seq + 1)
    }

    /// Whether anything was recorded behind an event that nothing refers to, such as what players report.
    pub fn has_said_since(&self, seq: Seq) -> bool {
        self.entries.get(seq as usize..).is_some_and(|behind| behind.contains(&Entry::Other))
    }

    /// The player's rating that the correction in this event took the place of; none: there was none.
    pub fn rating_before(&self, player: PlayerNumber, seq: Seq) -> Option<i32> {
        self.player(player)?.rated.iter().find(|(at, _)| *at == seq)?.1
    }

    /// The dispute that was opened at this seq, if it stands: it is not taken back, and neither is
    /// the round of its match.
    pub fn dispute(&self, seq: Seq) -> Option<&Dispute> {
        match self.entry(seq)? {
            Entry::Dispute(index) => self.dispute_by_index(index),
            _ => None,
        }
    }

    pub(crate) fn dispute_by_index(&self, index: u32) -> Option<&Dispute> {
        let dispute = self.disputes.get(index as usize).filter(|dispute| !dispute.withdrawn)?;
        self.match_at(dispute.pairing).is_some().then_some(dispute)
    }

    /// The disputes that stand and wait for a ruling, each with the number that people call it by.
    pub fn open_disputes(&self) -> impl Iterator<Item = (u32, &Dispute)> {
        let open = |dispute: &Dispute| self.dispute(dispute.seq).is_some_and(|d| d.ruled.is_none());
        (1..).zip(&self.disputes).filter(move |(_, dispute)| open(dispute))
    }

    /// The penalty that was given at this seq, if it stands.
    pub fn penalty(&self, seq: Seq) -> Option<&Penalty> {
        match self.entry(seq)? {
            Entry::Penalty(index) => self.penalties.get(index as usize).filter(|p| !p.withdrawn),
            _ => None,
        }
    }

    /// How divisions are paired.
    pub fn divisions_paired(&self) -> &DivisionsPaired {
        &self.divisions_paired
    }

    /// How many rounds a division plays in the first phase, where it has a number of its own.
    pub fn rounds_of_division(&self, division: &str) -> Option<u16> {
        self.division_rounds.get(division).copied()
    }

    /// The divisions that have a number of rounds of their own, in the order of their names.
    pub fn division_rounds(&self) -> impl Iterator<Item = (&str, u16)> {
        self.division_rounds.iter().map(|(division, rounds)| (division.as_str(), *rounds))
    }

    /// The table that a player keeps, if they keep one.
    pub fn kept_table(&self, player: PlayerNumber) -> Option<u32> {
        self.kept_tables.get(&player).copied()
    }

    /// Who keeps which table, by number of player; also those who dropped.
    pub fn kept_tables(&self) -> impl Iterator<Item = (PlayerNumber, u32)> {
        self.kept_tables.iter().map(|(player, table)| (*player, *table))
    }

    /// The tables of the hall, in the order in which they are filled; none: 1, 2, 3 and so on.
    pub fn tables(&self) -> &[TableRange] {
        &self.tables
    }

    /// Whether divisions have rounds of their own in a phase: in the first one, and not in brackets and round
    /// robins, in which it is settled who meets whom.
    fn counts_divisions(&self, phase: u16) -> bool {
        let planned = || Some(self.opened.as_ref()?.plan.first()?.kind);
        let kind = self.phase(phase).map(|phase| phase.kind).or_else(planned);
        phase == 1 && kind.is_none_or(|kind| matches!(kind, PhaseKind::Swiss | PhaseKind::Pods))
    }

    /// Which round of a phase the next one would be, from 1.
    pub fn next_of_phase(&self, phase: u16) -> u16 {
        let rounds = self.rounds.iter().filter(|round| round.phase == phase && !round.withdrawn);
        u16::try_from(rounds.count() + 1).unwrap_or(u16::MAX)
    }

    /// Whether a player's division has played its rounds before this one of a phase: they are not paired
    /// in it.
    pub fn has_played_its_rounds(&self, player: &Player, phase: u16, phase_round: u16) -> bool {
        let own = player.division.as_deref().and_then(|own| self.rounds_of_division(own));
        own.is_some_and(|rounds| phase_round > rounds) && self.counts_divisions(phase)
    }

    /// How many rounds a phase is to have: by the plan, and where a division plays more of them by that one;
    /// where each has its own number, the most of these.
    pub fn planned_rounds(&self, phase: u16) -> Option<u16> {
        let at = usize::from(phase).checked_sub(1)?;
        let planned = self.opened.as_ref().and_then(|opened| opened.plan.get(at)?.rounds);
        if self.division_rounds.is_empty() || !self.counts_divisions(phase) {
            return planned;
        }
        let own = |player: &Player| self.rounds_of_division(player.division.as_deref()?);
        let here = || self.players.iter().filter(|player| !player.withdrawn);
        match (planned, here().filter_map(own).max()) {
            (_, Some(most)) if here().all(|player| own(player).is_some()) => Some(most),
            (Some(planned), Some(most)) => Some(planned.max(most)),
            (planned, _) => planned,
        }
    }

    /// The lots as last drawn.
    pub fn lots(&self) -> Option<&Lots> {
        self.lots.last()
    }

    /// The standings that were announced, each with the seq of its event.
    pub fn announcements(&self) -> &[(Seq, StandingsAnnounced)] {
        &self.announcements
    }

    /// The highest number of a private entry to which an event commits; 0 where none does.
    pub fn last_entry(&self) -> u32 {
        self.last_entry
    }

    /// Whether the events say that the text under this number was forgotten.
    pub fn is_forgotten(&self, number: u32) -> bool {
        self.forgotten.contains(&number)
    }

    /// The numbers of the texts that the events say were forgotten.
    pub fn forgotten(&self) -> impl Iterator<Item = u32> {
        self.forgotten.iter().copied()
    }

    /// The public keys that sign the checkpoints, each with the seq of the event that named it;
    /// the last one signs.
    pub fn signers(&self) -> &[(Seq, [u8; 32])] {
        &self.signers
    }

    /// The keys that must no longer be trusted, each with the seq of its event.
    pub fn retired_keys(&self) -> &[(Seq, KeyRetired)] {
        &self.retired
    }

    pub(crate) fn entry(&self, seq: Seq) -> Option<Entry> {
        self.entries.get(usize::try_from(seq).ok()?.checked_sub(1)?).copied()
    }

    pub(crate) fn round_index(&self, number: RoundNumber) -> Option<u32> {
        let found = self.rounds.iter().rposition(|r| r.number == number && !r.withdrawn)?;
        Some(found as u32)
    }

    /// Whether the player has a table or a bye in that round.
    pub(crate) fn appears_in(&self, player: &Player, round: u32) -> bool {
        let number = player.number as usize;
        let mut at = self.latest.get(number.wrapping_sub(1)).copied().unwrap_or(NONE);
        while let Some(appearance) = self.appearances.get(at as usize) {
            if appearance.round == round && self.stands(appearance.entry) {
                return true;
            }
            at = appearance.earlier;
        }
        false
    }

    /// The match at a table of a round that stands.
    pub fn at_table(&self, round: RoundNumber, table: u32) -> Option<MatchView<'_>> {
        self.match_at_table(self.round_index(round)?, table)
    }

    pub(crate) fn match_at_table(&self, round: u32, table: u32) -> Option<MatchView<'_>> {
        if table > self.rounds[round as usize].highest_table {
            return None;
        }
        let (from, to) = self.rounds[round as usize].matches;
        let is_it = |index: &u32| {
            let found = &self.matches[*index as usize];
            found.round == round && found.table == table && !found.withdrawn
        };
        // A round that was drawn lies in the order of its tables.
        let likely = from.saturating_add(table.saturating_sub(1));
        let likely = Some(likely).filter(|index| *index < to && is_it(index));
        self.match_by_index(likely.or_else(|| (from..to).rev().find(is_it))?)
    }

    fn stands(&self, entry: Entry) -> bool {
        match entry {
            Entry::Match(index) => !self.matches[index as usize].withdrawn,
            Entry::Bye(index) => !self.byes[index as usize].withdrawn,
            _ => false,
        }
    }

    /// A match's results, oldest first: each one replaced the one before, the last one stands.
    pub(crate) fn results(&self, index: u32) -> Vec<Seq> {
        let extras = self.extras.get(&index);
        let earlier = extras.into_iter().flat_map(|extras| &extras.superseded);
        let standing = self.matches.get(index as usize).map(|this| this.result);
        earlier.map(|(seq, _)| *seq).chain(standing.filter(|&seq| seq > 0)).collect()
    }

    /// A result in which a penalty was served, of a match that stands: also one that was corrected
    /// since, for it would come back.
    pub(crate) fn ever_served_in(&self, penalty: Seq) -> Option<Seq> {
        let serves = |result: &MatchResult| result.penalties_served.contains(&penalty);
        let earlier = self.extras.iter().flat_map(|(&index, extras)| {
            let of = extras.superseded.iter().filter(move |(_, result)| serves(result));
            of.map(move |(seq, _)| (index, *seq))
        });
        let mut stands = earlier.filter(|(index, _)| self.match_by_index(*index).is_some());
        self.served_in(penalty).or_else(|| stands.next().map(|(_, seq)| seq))
    }

    /// The standing result in which a penalty was served.
    pub fn served_in(&self, penalty: Seq) -> Option<Seq> {
        let served = self.extras.iter().filter(|(_, e)| e.penalties_served.contains(&penalty));
        served.filter_map(|(&index, _)| self.match_by_index(index)?.result()).next()
    }

    pub(crate) fn bye_by_index(&self, index: u32) -> Option<&Bye> {
        let gone = |bye: &Bye| bye.withdrawn || self.rounds[bye.round as usize].withdrawn;
        self.byes.get(index as usize).filter(|bye| !gone(bye))
    }

    #[inline]
    pub(crate) fn match_by_index(&self, index: u32) -> Option<MatchView<'_>> {
        let this = self.matches.get(index as usize)?;
        let gone = this.withdrawn || self.rounds[this.round as usize].withdrawn;
        (!gone).then_some(MatchView { of: self, this, index })
    }
}
