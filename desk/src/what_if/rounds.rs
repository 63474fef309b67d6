//! The rounds that were drawn after what changes, drawn again with the change known at once.

use super::at_once::{AtOnce, Facts};
use super::{MadeCut, not_in, touched};
use crate::desk::could_go_on;
use crate::horizon::was_out;
use crate::rules::in_force;
use scrutineer_engine::event::{Event, PhaseStarted, PlayerNumber, RoundNumber};
use scrutineer_engine::record::Header;
use scrutineer_engine::tournament::{Phase, Round, Tournament};
use scrutineer_projections::crosstable::Scope;
use scrutineer_projections::standings::{Decided, Detail, Row, Standings};
use scrutineer_replay::again::{Finding, PairedAgain, Place, pair_again};
use scrutineer_replay::loaded::LoadedTournament;
use std::collections::BTreeSet;

/// How a round would have been drawn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AsDrawn {
    /// The same players would meet.
    Same,
    /// Others would meet.
    Otherwise {
        /// Tables and byes as they were drawn that would not have been.
        drawn: Vec<Place>,
        /// Those that would have been drawn instead.
        instead: Vec<Place>,
    },
    /// It was not drawn: set by hand, or played elsewhere.
    NotDrawn,
    /// It cannot be said, because of this.
    Unknown(String),
}

/// What lets a draft be drawn with a change that was not known to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Anew {
    /// Pairing it again.
    Pairing,
    /// Making again the cut behind which it is the first round: until then the same players are paired.
    Cut,
    /// Nothing: it is in a bracket that was played on, and who should be in it is for a judge to say.
    Judge,
}

/// A round that was drawn after what changes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LaterRound {
    /// Its number.
    pub round: RoundNumber,
    /// Whether players have seen it: it was published, or results are in.
    pub is_out: bool,
    /// Whether players saw it as a draft that was out before and was taken back.
    pub was_out: bool,
    /// What lets it be drawn anew, where it is a draft.
    pub anew: Anew,
    /// How many tables were drawn.
    pub tables: usize,
    /// How it would have been drawn.
    pub drawn: AsDrawn,
    /// Tables and byes that somebody set by hand, and that the draw would not give; they stand
    /// whatever is drawn, unless the change puts somebody in them out of a bracket.
    pub by_hand: Vec<Place>,
}

impl LaterRound {
    /// How many tables would have been drawn otherwise.
    pub fn otherwise(&self) -> usize {
        match &self.drawn {
            AsDrawn::Otherwise { drawn, .. } => {
                drawn.iter().filter(|place| place.bye.is_none()).count()
            }
            _ => 0,
        }
    }
}

/// The cuts and rounds that came after what changes.
pub fn later(
    before: &LoadedTournament,
    after: &LoadedTournament,
    mut known: AtOnce,
) -> (Vec<MadeCut>, Vec<LaterRound>) {
    let Some(since) = known.since else { return (Vec::new(), Vec::new()) };
    let mut cuts: Vec<MadeCut> = Vec::new();
    let stands = |round: &&Round| {
        !round.withdrawn && after.state.round(round.number).map(|r| r.opened) == Some(round.opened)
    };
    for phase in before.state.phases().iter().filter(|phase| !phase.withdrawn) {
        if phase.number > 1 && phase.started > since {
            cuts.extend(made_cut(before, &mut known, phase));
        }
    }
    let changed = touched(before, after);
    let rounds = before.state.rounds().iter().filter(stands).filter(|r| r.opened > since);
    let rounds = rounds.map(|round| {
        let cut = cuts.iter().find(|cut| cut.phase == round.phase);
        let why = match cut {
            Some(cut) if cut.by_lots => Some("lots would decide who is in it"),
            Some(cut) if !cut.enters.is_empty() && round.phase_round > 1 => {
                Some("other players would be in it")
            }
            _ => None,
        };
        let is_bracket = || before.state.phase_of(round).is_some_and(|p| p.kind.is_bracket());
        let anew = match cut {
            Some(_) if round.phase_round == 1 => Anew::Cut,
            Some(_) if is_bracket() => Anew::Judge,
            _ => Anew::Pairing,
        };
        let drawn = match why {
            Some(why) => told(before, round, None, AsDrawn::Unknown(why.to_string())),
            None => drawn_again(before, &known, round, &changed),
        };
        LaterRound { anew, ..drawn }
    });
    let rounds = rounds.collect();
    (cuts, rounds)
}

fn told(
    before: &LoadedTournament,
    round: &Round,
    recorded: Option<&PairedAgain>,
    drawn: AsDrawn,
) -> LaterRound {
    let of_round = || before.state.matches().filter(|m| m.round().number == round.number);
    let is_out = round.published.is_some() || of_round().any(|found| found.result().is_some());
    let tables = match recorded {
        Some(paired_again) => paired_again.places.iter().filter(|(p, _)| p.bye.is_none()).count(),
        None => of_round().count(),
    };
    let by_hand = recorded.map_or(Vec::new(), |paired_again| paired_again.by_hand.clone());
    let was_out = !is_out && was_out(&before.log, round.number);
    let (round, anew) = (round.number, Anew::Pairing);
    LaterRound { round, is_out, was_out, anew, tables, drawn, by_hand }
}

fn drawn_again(
    before: &LoadedTournament,
    known: &AtOnce,
    round: &Round,
    changed: &BTreeSet<PlayerNumber>,
) -> LaterRound {
    let recorded = match pair_again(&before.log, &before.state, round.number) {
        Ok(recorded) => recorded,
        Err(error) => return told(before, round, None, AsDrawn::Unknown(error.to_string())),
    };
    if recorded.used.is_none() {
        return told(before, round, Some(&recorded), AsDrawn::NotDrawn);
    }
    if !recorded.holds() {
        let why = "its own seed does not give what was recorded".to_string();
        return told(before, round, Some(&recorded), AsDrawn::Unknown(why));
    }
    let log = known.for_redraw(round.number, round.opened);
    match pair_again(&log, &before.state, round.number) {
        Ok(again) => {
            let phase = before.state.phase_of(round);
            let changed = phase.filter(|phase| phase.kind.is_bracket()).map(|_| changed);
            let (drawn, by_hand) = difference(&recorded, again, changed);
            LaterRound { by_hand, ..told(before, round, Some(&recorded), drawn) }
        }
        Err(error) => told(before, round, Some(&recorded), AsDrawn::Unknown(error.to_string())),
    }
}

/// Who meets: the same players at another table are no difference.
fn who(place: &Place) -> (BTreeSet<PlayerNumber>, bool) {
    (place.players.iter().copied().collect(), place.bye.is_some())
}

/// Who is in some of the places of a round.
pub fn players_of<'a>(places: impl IntoIterator<Item = &'a Place>) -> BTreeSet<PlayerNumber> {
    places.into_iter().flat_map(|place| place.players.iter().copied()).collect()
}

/// What the draw would give, against the tables as they stand; and those set by hand that it would
/// not give. As many are told on one side as on the other. In a bracket, `changed` are the players
/// whose results change: a table at which one of them was set by hand counts as drawn where they
/// would not be in the round, and another of them would.
fn difference(
    recorded: &PairedAgain,
    again: PairedAgain,
    changed: Option<&BTreeSet<PlayerNumber>>,
) -> (AsDrawn, Vec<Place>) {
    let mut given: Vec<Place> = Vec::new();
    for (place, finding) in again.places {
        match finding {
            Finding::Same => given.push(place),
            Finding::Differs(other) => given.extend(other),
        }
    }
    given.extend(again.beyond);
    let drawn = || recorded.places.iter().map(|(place, _)| place);
    let would: BTreeSet<_> = given.iter().map(who).collect();
    let stood = drawn().filter(|place| !recorded.taken_back.contains(&place.seq));
    let standing: Vec<&Place> = stood.clone().chain(&recorded.by_hand).collect();
    let enters = players_of(&given);
    let sits = players_of(standing.iter().copied());
    let is_changed = |player: &PlayerNumber| changed.is_some_and(|them| them.contains(player));
    let is_displaced = enters.difference(&sits).any(is_changed);
    let is_wrong = |place: &Place| {
        is_displaced && place.players.iter().any(|one| is_changed(one) && !enters.contains(one))
    };
    let (wrong, by_hand): (Vec<Place>, Vec<Place>) =
        recorded.by_hand.iter().cloned().partition(is_wrong);
    if wrong.is_empty() && would == drawn().map(who).collect() {
        return (AsDrawn::Same, by_hand);
    }
    let stands: BTreeSet<_> = standing.into_iter().map(who).collect();
    let gone = stood.chain(&wrong).filter(|place| !would.contains(&who(place)));
    let gone: Vec<Place> = gone.cloned().collect();
    let instead: Vec<Place> = given.into_iter().filter(|p| !stands.contains(&who(p))).collect();
    match gone.is_empty() && instead.is_empty() {
        // By hand the same was set that the draw would give.
        true => (AsDrawn::Same, by_hand),
        false => {
            let by_hand = by_hand.into_iter().filter(|place| !would.contains(&who(place)));
            (AsDrawn::Otherwise { drawn: gone, instead }, by_hand.collect())
        }
    }
}

/// A cut that was made, with who would have made it. The log that is known at once then begins the
/// phase with them.
fn made_cut(before: &LoadedTournament, known: &mut AtOnce, phase: &Phase) -> Option<MadeCut> {
    let started = before.log.iter().find(|(header, _)| header.seq == phase.started);
    let Some((_, Event::PhaseStarted(started))) = started else { return None };
    let ended = before.state.phase(phase.number - 1)?.ended?;
    let own: Facts =
        before.log.iter().take_while(|(header, _)| header.seq < ended).cloned().collect();
    // A cut that the standings do not give was made by other means, and nothing is said of it.
    if entrants(&own, started)?.0 != phase.entrants {
        return None;
    }
    let next = before.state.rounds().iter().find(|r| r.opened > phase.started && !r.withdrawn);
    let next = next.map_or(RoundNumber::MAX, |round| round.number);
    let (would, by_lots) = entrants(&known.before_round(next, ended), started)?;
    let (number, size) = (phase.number, phase.entrants.len());
    if by_lots {
        let (enters, leaves) = (Vec::new(), Vec::new());
        return Some(MadeCut { phase: number, size, enters, leaves, by_lots, reseeded: false });
    }
    if would == phase.entrants {
        return None;
    }
    let (enters, leaves) = (not_in(&phase.entrants, &would), not_in(&would, &phase.entrants));
    let mut otherwise = started.clone();
    otherwise.entrants = would;
    known.replace(phase.started, otherwise.into());
    let reseeded = enters.is_empty();
    Some(MadeCut { phase: number, size, enters, leaves, by_lots, reseeded })
}

/// The cut by which the phase that runs began, where by what is known now it would have been another one: with who would
/// have made it. None: it is as it would be, or was made by other means than the standings.
pub fn cut_by_now(event: &LoadedTournament) -> Option<MadeCut> {
    let state = &event.state;
    let phase = state.phases().iter().rfind(|phase| !phase.withdrawn);
    let phase = phase.filter(|phase| phase.number > 1 && !state.is_closed())?;
    let ended = state.phase(phase.number - 1)?.ended?;
    let (own, later) = event.log.split_at_checked(usize::try_from(ended).ok()?.checked_sub(1)?)?;
    let is_earlier = |(_, event): &(Header, Event)| match event {
        Event::ResultCorrected(e) => e.pairing < ended,
        Event::Withdrawn(e) => e.seq < ended,
        Event::PlayerRated(_) | Event::RulesetAmended(_) => true,
        _ => false,
    };
    if !later.iter().any(is_earlier) {
        return None;
    }
    let mut known = AtOnce::known(own.to_vec(), later, state);
    known.since?;
    made_cut(event, &mut known, phase)
}

/// The first so many of the standings who can go on, and whether lots that are not drawn would
/// decide something among them or behind the last one.
fn entrants(log: &Facts, started: &PhaseStarted) -> Option<(Vec<PlayerNumber>, bool)> {
    let state = Tournament::of(log.iter().map(|(_, event)| event));
    let rules = in_force(state.ruleset().unwrap_or_default()).ok()?;
    let standings = Standings::of(&state, &rules, Scope::FINAL, Detail::Order).ok()?;
    let declines = |player| started.passed_over.iter().any(|over| over.player == player);
    let could: Vec<PlayerNumber> = could_go_on(&state, &standings, &declines)
        .into_iter()
        .map(|(player, _)| player)
        .take(started.entrants.len())
        .collect();
    let last = could.last().and_then(|player| standings.position(*player))?;
    let pending = |row: &Row| row.decided == Decided::LotsPending;
    let by_lots = standings.rows.iter().take(last + 2).any(pending);
    Some((could, by_lots))
}
