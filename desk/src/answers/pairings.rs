//! How a round came about.

use super::{Exact, Player, Problem, TournamentName};
use num_rational::BigRational;
use scrutineer_engine::event::DrawUsed;
use scrutineer_engine::record::to_hex;
use scrutineer_pairing::why::{Brought, Why};
use scrutineer_projections::timeline::paired_by_engine;
use scrutineer_replay::again::{self, Finding, LotsAgain, PairedAgain};
use scrutineer_replay::loaded::LoadedTournament;
use serde::Serialize;
use utoipa::ToSchema;

/// Recorded rounds, paired again.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct CheckPairingAnswer {
    /// Which tournament.
    pub tournament: TournamentName,
    /// The rounds that were asked for.
    pub rounds: Vec<RoundChecked>,
    /// The lots that were drawn, where every round was asked for.
    pub lots: Vec<LotsChecked>,
}

/// A recorded round, paired again.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct RoundChecked {
    /// Its number.
    pub round: u16,
    /// How it was paired; null where no seed was used.
    pub pairing: Option<PairingUsed>,
    /// The pairing engine of somebody else that paired it, with its version; null where none did.
    pub engine: Option<String>,
    /// Whether every place comes out as it was recorded; null where an engine paired the round and was not asked
    /// again.
    pub holds: Option<bool>,
    /// The places as they were recorded when the round was opened.
    pub places: Vec<PlaceChecked>,
    /// Places that the seed gives beyond those.
    pub beyond: Vec<Place>,
    /// Places that somebody set later, and that stand.
    pub by_hand: Vec<Place>,
    /// The events of places that were taken back since.
    pub taken_back: Vec<u64>,
    /// Why it cannot be paired again; null where it can.
    pub error: Option<Problem>,
}

/// The method and the seed by which a round was paired.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct PairingUsed {
    /// The method.
    pub method: String,
    /// Its version.
    pub version: u16,
    /// Which seed of the chain.
    pub seed_number: u32,
    /// The seed.
    pub seed: String,
    /// The public dice that were mixed in, in hexadecimal digits; null where there were none.
    pub dice: Option<String>,
}

/// A table or a bye.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Place {
    /// Its event; 0 where it was never recorded.
    pub seq: u64,
    /// The number of the table; null: a bye.
    pub table: Option<u32>,
    /// Who, in the order of the seats.
    pub players: Vec<Player>,
    /// The kind of bye; null: a table.
    pub bye: Option<String>,
    /// The place in the bracket, where there is one.
    pub bracket_slot: Option<u32>,
    /// Why these players meet, in a word; null where no pairing says it.
    pub because: Option<String>,
    /// Whether it is from the pairing, by hand, or as a file gave it.
    pub origin: String,
}

/// A recorded place beside what the seed gives.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct PlaceChecked {
    /// As it was recorded.
    pub recorded: Place,
    /// What the seed gives, or the recorded answer of an engine; null: nothing, or the round was not paired again.
    pub paired_again: Option<Place>,
    /// Whether both are the same; null where an engine paired the round and was not asked again.
    pub same: Option<bool>,
}

/// Lots, drawn again.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct LotsChecked {
    /// Their first event.
    pub lots: u64,
    /// Which seed of the chain; null where the event names none.
    pub seed_number: Option<u32>,
    /// Whether the seed gives the order that was recorded.
    pub holds: bool,
}

/// Why players meet.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct ExplainPairingAnswer {
    /// In which tournament.
    pub tournament: TournamentName,
    /// In which round.
    pub round: u16,
    /// The table or the bye.
    pub place: Place,
    /// The earlier rounds in which two of them had met.
    pub met_in_rounds: Vec<u16>,
    /// What was known of each of them, in the order of the seats.
    pub players: Vec<BeforeRound>,
}

/// What was known of a player before a round.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct BeforeRound {
    /// Who.
    pub player: Player,
    /// Their points.
    pub points: Exact,
    /// How many byes they had had.
    pub byes: u32,
    /// Their seed in the phase, where they entered at its start.
    pub seed: Option<u32>,
    /// Who else had the same points.
    pub same_points: Vec<Met>,
}

/// A player, and when somebody had met them.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Met {
    /// Who.
    pub player: Player,
    /// In which rounds; empty where they had not met.
    pub met_in_rounds: Vec<u16>,
}

impl Place {
    /// A place of a round of this tournament.
    pub fn of(event: &LoadedTournament, place: &again::Place) -> Place {
        Place {
            seq: place.seq,
            table: place.table,
            players: Player::all(event, &place.players),
            bye: place.bye.map(|kind| kind.word().into()),
            bracket_slot: place.bracket_slot,
            because: place.origin.because.map(|because| because.word().into()),
            origin: place.origin.kind.word().into(),
        }
    }

    /// Several places.
    pub fn all(event: &LoadedTournament, places: &[again::Place]) -> Vec<Place> {
        places.iter().map(|place| Place::of(event, place)).collect()
    }
}

impl From<&DrawUsed> for PairingUsed {
    fn from(used: &DrawUsed) -> PairingUsed {
        PairingUsed {
            method: used.method.clone(),
            version: used.version,
            seed_number: used.draw,
            seed: to_hex(&used.seed),
            dice: used.dice.as_deref().map(to_hex),
        }
    }
}

impl RoundChecked {
    /// A round that was paired again.
    pub fn of(event: &LoadedTournament, found: &PairedAgain) -> RoundChecked {
        let is_asked = !found.is_not_asked_again();
        let place = |(recorded, finding): &(again::Place, Finding)| {
            let again = match finding {
                _ if !is_asked => None,
                Finding::Same => Some(Place { seq: 0, ..Place::of(event, recorded) }),
                Finding::Differs(other) => other.as_ref().map(|other| Place::of(event, other)),
            };
            let same = is_asked.then_some(*finding == Finding::Same);
            PlaceChecked { recorded: Place::of(event, recorded), paired_again: again, same }
        };
        RoundChecked {
            round: found.round,
            pairing: found.used.as_ref().map(PairingUsed::from),
            engine: event.state.round(found.round).and_then(paired_by_engine),
            holds: is_asked.then(|| found.holds()),
            places: found.places.iter().map(place).collect(),
            beyond: Place::all(event, &found.beyond),
            by_hand: Place::all(event, &found.by_hand),
            taken_back: found.taken_back.clone(),
            error: None,
        }
    }

    /// A round that cannot be paired again.
    pub fn not_checked(round: u16, error: Problem) -> RoundChecked {
        RoundChecked {
            round,
            pairing: None,
            engine: None,
            holds: Some(false),
            places: Vec::new(),
            beyond: Vec::new(),
            by_hand: Vec::new(),
            taken_back: Vec::new(),
            error: Some(error),
        }
    }
}

impl From<&LotsAgain> for LotsChecked {
    fn from(lots: &LotsAgain) -> LotsChecked {
        LotsChecked { lots: lots.seq, seed_number: lots.draw, holds: lots.holds }
    }
}

impl ExplainPairingAnswer {
    /// What was known before a round about the players of a place.
    pub fn of(
        event: &LoadedTournament,
        round: u16,
        place: &again::Place,
        known: &Why,
    ) -> ExplainPairingAnswer {
        let brought = |brought: &Brought| {
            let points = BigRational::new(brought.points.into(), brought.points_den.into());
            let met = brought.same_points.iter().map(|(other, rounds)| Met {
                player: Player::of(event, *other),
                met_in_rounds: rounds.clone(),
            });
            BeforeRound {
                player: Player::of(event, brought.player),
                points: Exact::new(&points, points.to_string()),
                byes: brought.byes,
                seed: brought.seed,
                same_points: met.collect(),
            }
        };
        ExplainPairingAnswer {
            tournament: event.into(),
            round,
            place: Place::of(event, place),
            met_in_rounds: known.met.clone(),
            players: known.players.iter().map(brought).collect(),
        }
    }
}
