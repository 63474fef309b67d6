//! Drawing a recorded round again: what was recorded beside what the seed gives, and why a table
//! is as it is.

use crate::by_engine::{EngineRound, NotItsAnswer, QuestionError, said};
use scrutineer_engine::error::Code;
use scrutineer_engine::event::{
    ByeKind, DrawUsed, EnginePaired, Event, LotsSource, Origin, PlayerNumber, RoundNumber, Seq,
};
use scrutineer_engine::record::Header;
use scrutineer_engine::tournament::Tournament;
use scrutineer_pairing::PairingError;
use scrutineer_pairing::events_of;
use scrutineer_projections::ruleset::{Ruleset, RulesetError, parse};
use scrutineer_projections::timeline::engine_called;
use std::sync::Arc;

/// A table or a bye of a round.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// The seq of its event.
    pub seq: Seq,
    /// Its table; none: a bye.
    pub table: Option<u32>,
    /// Who, in the order of the seats.
    pub players: Vec<PlayerNumber>,
    /// What kind of bye.
    pub bye: Option<ByeKind>,
    /// The place in the bracket.
    pub bracket_slot: Option<u32>,
    /// Where it comes from.
    pub origin: Origin,
}

/// What became of a place that was drawn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Finding {
    /// The seed gives the same.
    Same,
    /// The seed gives something else: this, or nothing at all.
    Differs(Option<Place>),
}

/// A recorded round, drawn again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PairedAgain {
    /// The round.
    pub round: RoundNumber,
    /// How it was drawn; none: by hand, or as given.
    pub used: Option<DrawUsed>,
    /// The places as recorded when the round was opened, each with what the seed gives.
    pub places: Vec<(Place, Finding)>,
    /// Places that the seed gives beyond those recorded.
    pub beyond: Vec<Place>,
    /// Places that somebody set later, and that stand.
    pub by_hand: Vec<Place>,
    /// Seqs of places that were taken back since.
    pub taken_back: Vec<Seq>,
}

impl PairedAgain {
    /// Whether every place that the draw made comes out as it was recorded. Of an engine's round it says no more
    /// than that its tables are those of the answer in the log.
    pub fn holds(&self) -> bool {
        self.beyond.is_empty() && self.places.iter().all(|(_, found)| *found == Finding::Same)
    }

    /// Whether an engine paired the round and its tables are those of its recorded answer: nothing was paired
    /// again then, and whether the engine answers so can only be asked of it.
    pub fn is_not_asked_again(&self) -> bool {
        self.used.as_ref().is_some_and(DrawUsed::is_for_engine) && self.holds()
    }
}

/// Why a round cannot be drawn again.
#[derive(Clone, Debug, thiserror::Error)]
#[non_exhaustive]
#[allow(missing_docs, reason = "the fields are the words of the message")]
pub enum PairAgainError {
    /// There is no such round.
    #[error("there is no round {round}")]
    NoSuchRound { round: RoundNumber },
    /// Another version drew it.
    #[error(
        "round {round} was paired by {method}, version {version}, which this program does not know"
    )]
    UnknownMethod { round: RoundNumber, method: String, version: u16 },
    /// An engine of somebody else paired it.
    #[error("round {round} was paired by {engine}, which would have to be asked: {why}")]
    Engine { round: RoundNumber, engine: String, why: NotItsAnswer },
    /// The ruleset in the log is not readable.
    #[error("{0}")]
    Ruleset(#[from] RulesetError),
    /// Nothing comes out.
    #[error("{0}")]
    Draw(#[from] PairingError),
}

impl PairAgainError {
    /// The stable code.
    pub fn code(&self) -> Code {
        match self {
            PairAgainError::NoSuchRound { .. } => Code::not_found("no-such-round"),
            PairAgainError::UnknownMethod { .. } => Code::invalid("unknown-method"),
            PairAgainError::Engine { .. } => Code::refused("engine-not-asked"),
            PairAgainError::Ruleset(_) => Code::invalid("bad-ruleset"),
            PairAgainError::Draw(error) => error.code(),
        }
    }
}

/// The tournament as it stood right before a round was opened, and the ruleset then.
///
/// # Errors
/// Where there is no such round, or its ruleset cannot be read.
pub fn before_round(
    log: &[(Header, Event)],
    state: &Tournament,
    round: RoundNumber,
) -> Result<(Tournament, Arc<Ruleset>), PairAgainError> {
    let opened = state.round(round).ok_or(PairAgainError::NoSuchRound { round })?.opened;
    let earlier = log.iter().take_while(|(header, _)| header.seq < opened);
    let before = Tournament::of(earlier.map(|(_, event)| event));
    let rules = Arc::new(parse(before.ruleset().unwrap_or_default())?);
    Ok((before, rules))
}

/// Draws a round again from what the log held before it.
///
/// # Errors
/// Where there is no such round, or another version drew it.
pub fn pair_again(
    log: &[(Header, Event)],
    state: &Tournament,
    round: RoundNumber,
) -> Result<PairedAgain, PairAgainError> {
    let (before, rules) = before_round(log, state, round)?;
    let opened = state.round(round).ok_or(PairAgainError::NoSuchRound { round })?;
    let command = log.iter().find(|(header, _)| header.seq == opened.opened);
    let command = command.map(|(header, _)| header.command);
    let places = || {
        log.iter().filter_map(|(header, event)| Some((header, place(header.seq, event, round)?)))
    };
    let at_once = |header: &Header| header.seq > opened.opened && Some(header.command) == command;
    let later = |header: &Header| header.seq > opened.opened && Some(header.command) != command;
    let recorded: Vec<Place> =
        places().filter(|(header, _)| at_once(header)).map(|(_, place)| place).collect();
    let stands = |place: &Place| stands(state, place);
    let by_hand = places().filter(|(header, place)| later(header) && stands(place));
    let by_hand = by_hand.map(|(_, place)| place).collect();
    let taken_back =
        recorded.iter().filter(|place| !stands(place)).map(|place| place.seq).collect();
    let mut paired_again = PairedAgain {
        round,
        used: opened.drawn.clone(),
        places: Vec::new(),
        beyond: Vec::new(),
        by_hand,
        taken_back,
    };
    let Some(used) = &opened.drawn else {
        paired_again.places = recorded.into_iter().map(|place| (place, Finding::Same)).collect();
        return Ok(paired_again);
    };
    let again = match used.is_for_engine() {
        true => {
            let of_round = log.iter().filter(|(header, _)| at_once(header));
            let paired = of_round.map(|(_, event)| event).find_map(|event| match event {
                Event::EnginePaired(paired) => Some(paired),
                _ => None,
            });
            said_again(&before, EngineRound::for_round(&before, &rules, used), paired, round)?
        }
        false => drawn_again(&before, &rules, used, round)?,
    };
    let mut again = again.iter().filter_map(|event| place(0, event, round));
    for recorded in recorded {
        let given = again.next();
        let same = given
            .as_ref()
            .is_some_and(|given| Place { seq: recorded.seq, ..given.clone() } == recorded);
        paired_again
            .places
            .push((recorded, if same { Finding::Same } else { Finding::Differs(given) }));
    }
    paired_again.beyond = again.collect();
    Ok(paired_again)
}

/// What the seed of a round gives in the state before it.
///
/// # Errors
/// Where another version drew it, or nothing comes out.
pub(crate) fn drawn_again(
    before: &Tournament,
    rules: &Arc<Ruleset>,
    used: &DrawUsed,
    round: RoundNumber,
) -> Result<Vec<Event>, PairAgainError> {
    let phase = scrutineer_pairing::running_phase(before).ok_or(PairingError::NoPhase)?;
    let known = scrutineer_pairing::methods(rules, phase.kind).iter();
    let mut known = known.filter(|known| **known == (used.method.as_str(), used.version));
    let Some(method) = known.next() else {
        let (method, version) = (used.method.clone(), used.version);
        return Err(PairAgainError::UnknownMethod { round, method, version });
    };
    let dice = used.dice.as_deref().unwrap_or_default();
    let drawn = scrutineer_pairing::next_round_by(before, rules, *method, &used.seed, dice)?;
    Ok(events_of(before, &drawn, round))
}

/// What the recorded answer of an engine comes to.
///
/// # Errors
/// Where it is none to this round.
pub(crate) fn said_again(
    before: &Tournament,
    question: Result<EngineRound, QuestionError>,
    paired: Option<&EnginePaired>,
    round: RoundNumber,
) -> Result<Vec<Event>, PairAgainError> {
    let drawn = said(question, paired).map_err(|why| {
        let called =
            |paired: &EnginePaired| engine_called(&paired.engine, paired.version.as_deref());
        let engine = paired.map_or("a pairing engine".into(), called);
        PairAgainError::Engine { round, engine, why }
    })?;
    Ok(events_of(before, &drawn, round))
}

fn place(seq: Seq, event: &Event, round: RoundNumber) -> Option<Place> {
    match event {
        Event::PairingMade(e) if e.round == round => Some(Place {
            seq,
            table: e.table,
            players: e.seats.iter().map(|seat| seat.player).collect(),
            bye: None,
            bracket_slot: e.bracket_slot,
            origin: e.origin,
        }),
        Event::ByeGiven(e) if e.round == round => Some(Place {
            seq,
            table: None,
            players: vec![e.player],
            bye: Some(e.kind),
            bracket_slot: e.bracket_slot,
            origin: e.origin,
        }),
        _ => None,
    }
}

fn stands(state: &Tournament, place: &Place) -> bool {
    match place.bye {
        None => state.match_at(place.seq).is_some(),
        Some(_) => state.byes().any(|bye| bye.seq == place.seq),
    }
}

/// The place of a player or of a table in a round, as it stands.
pub fn standing_place(
    log: &[(Header, Event)],
    state: &Tournament,
    round: RoundNumber,
    wanted: impl Fn(&Place) -> bool,
) -> Option<Place> {
    let places = log.iter().filter_map(|(header, event)| place(header.seq, event, round));
    places.filter(|place| stands(state, place)).find(wanted)
}

/// Lots that were drawn from a seed, drawn again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LotsAgain {
    /// The seq of their first event.
    pub seq: Seq,
    /// Which seed of the chain; none: the event names none.
    pub draw: Option<u32>,
    /// Whether the seed gives the order that was recorded.
    pub holds: bool,
}

/// Draws all lots of a log again that are said to come from a seed.
pub fn lots_again(log: &[(Header, Event)]) -> Vec<LotsAgain> {
    let mut found = Vec::new();
    let mut state = Tournament::default();
    for (at, (header, event)) in log.iter().enumerate() {
        if let Event::LotsDrawn(lots) = event
            && lots.source == LotsSource::Seed
            && lots.first_place == 1
        {
            // A long list goes on in the events that follow.
            let parts = log[at..].iter().map_while(|(_, event)| match event {
                Event::LotsDrawn(part) => Some(part),
                _ => None,
            });
            let own = parts.enumerate().take_while(|(at, part)| *at == 0 || part.first_place > 1);
            let order: Vec<PlayerNumber> =
                own.flat_map(|(_, part)| part.order.iter().copied()).collect();
            let holds =
                lots.seed.is_some_and(|(_, seed)| scrutineer_pairing::lots(&state, &seed) == order);
            let draw = lots.seed.map(|(draw, _)| draw);
            found.push(LotsAgain { seq: header.seq, draw, holds });
        }
        state.evolve(event);
    }
    found
}
