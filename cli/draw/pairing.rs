//! `explain-pairing`: why these players meet, in a scorekeeper's words.

use super::origin;
use crate::Report;
use crate::args;
use crate::error::VerbError;
use crate::session::{Session, dated, no_such_round, scope};
use scrutineer_desk::answers::{Dated, ExplainPairingAnswer, line};
use scrutineer_desk::names::find_player;
use scrutineer_engine::error::Code;
use scrutineer_engine::event::{OriginKind, PairingReason, PlayerNumber, RoundNumber};
use scrutineer_pairing::bracket::Source;
use scrutineer_pairing::why::{Brought, Why, why};
use scrutineer_projections::timeline::paired_by_engine;
use scrutineer_replay::again::{Place, before_round, standing_place};
use scrutineer_replay::loaded::LoadedTournament;
use std::fmt::Write;

/// How many players of a group are named.
const NAMED: usize = 12;

/// Explains a table, or a player's table or bye.
pub fn explain(session: &Session, options: &args::ExplainPairing) -> Result<Report, VerbError> {
    let event = session.event(&options.which, &options.when.known, true)?;
    let through = scope(&event.state, options.when.through)?.through;
    let last = through.or(event.state.last_round().map(|round| round.number));
    if let (Some(round), Some(last)) = (options.round, through)
        && round > last
    {
        return Err(no_such_round(round, last));
    }
    let round = options.round.or(last).ok_or_else(|| {
        VerbError::new(
            Code::refused("no-round"),
            "no round has been paired yet",
            "pair one: `scrutineer pair`",
        )
    })?;
    let (before, rules) = before_round(&event.log, &event.state, round)?;
    let place = place(&event, round, &options.table)?;
    let known = why(&before, &rules, &place.players, place.bracket_slot).map_err(|error| {
        let hint = error.hint();
        VerbError::new(error.code(), error.to_string(), hint)
    })?;
    if session.json {
        let found = ExplainPairingAnswer::of(&event, round, &place, &known);
        return Ok(Report::yes(line(&Dated::of(&event, found))));
    }
    let text = Telling { event: &event, place: &place, known: &known }.text(round);
    Ok(Report::yes(dated(&event, text)))
}

/// The table of this number, else the table or bye of the player.
fn place(event: &LoadedTournament, round: RoundNumber, typed: &str) -> Result<Place, VerbError> {
    let find =
        |wanted: &dyn Fn(&Place) -> bool| standing_place(&event.log, &event.state, round, wanted);
    if let Ok(table) = typed.trim().parse::<u32>() {
        return find(&|place| place.table == Some(table)).ok_or_else(|| {
            let message = format!("round {round} has no table {table}");
            VerbError::new(
                Code::not_found("no-such-table"),
                message,
                "`scrutineer pairings` shows the tables",
            )
        });
    }
    let player = find_player(event, typed)?;
    find(&|place| place.players.contains(&player)).ok_or_else(|| {
        let message = format!("{} has no table and no bye in round {round}", event.name(player));
        VerbError::new(
            Code::refused("not-paired"),
            message,
            "`scrutineer pairings` shows the tables",
        )
    })
}

struct Telling<'a> {
    event: &'a LoadedTournament,
    place: &'a Place,
    known: &'a Why,
}

impl Telling<'_> {
    fn text(&self, round: RoundNumber) -> String {
        let mut text = String::new();
        let where_at = match self.place.table {
            Some(table) => format!("table {table}"),
            None => self.place.bye.map_or("no table".into(), |kind| kind.word().to_string()),
        };
        let players: Vec<String> = self.known.players.iter().map(|p| self.with_points(p)).collect();
        let _ = writeln!(text, "Round {round}, {where_at}: {}.", players.join(" against "));
        let _ = writeln!(text, "{}", self.reason(round));
        text.push_str(&self.met());
        match self.known.sources {
            Some(sources) => text.push_str(&self.bracket(sources)),
            None if self.by_points() => text.push_str(&self.groups()),
            None => {}
        }
        text
    }

    /// The player with what counted for the draw: their points, their seed, or neither.
    fn with_points(&self, brought: &Brought) -> String {
        use PairingReason::*;
        let name = self.event.name(brought.player);
        match (self.place.origin.because, brought.seed) {
            (Some(Seeds), Some(seed)) => format!("{name} (seed {seed})"),
            (Some(Bracket | FreePlace | OpponentGone | Schedule), _) => name,
            _ => format!("{name} ({})", points(brought.points, brought.points_den)),
        }
    }

    /// Whether the reason has to do with who has how many points.
    fn by_points(&self) -> bool {
        use PairingReason::*;
        matches!(
            self.place.origin.because,
            Some(
                OddGroup
                    | RematchAvoided
                    | Colors
                    | RematchUnavoidable
                    | SamePoints
                    | LowestPoints
                    | SecondByeAvoided
                    | SecondByeUnavoidable
            )
        )
    }

    fn reason(&self, round: RoundNumber) -> String {
        let origin_of = &self.place.origin;
        if origin_of.kind != OriginKind::PairedRound {
            return format!("This is not from the pairing: {}.", origin(self.event, origin_of));
        }
        let first = self.known.players.first();
        let size = first.map_or(1, |player| player.same_points.len() + 1);
        let den = first.map_or(1, |player| player.points_den);
        let lowest = points(self.known.lowest, den);
        match origin_of.because {
            Some(PairingReason::FirstRound) => {
                "Nobody had played yet, so everybody could meet everybody: the dice decided.".into()
            }
            Some(PairingReason::SamePoints) => {
                format!("Both had the same points, like {size} players in all: the dice decided.")
            }
            Some(PairingReason::OddGroup) => {
                "A group of players with the same points was odd, so one of it had to meet one \
                 with fewer points."
                    .into()
            }
            Some(PairingReason::RematchAvoided) => {
                "Players with the same points would have met again, so the pairing went to the \
                 nearest points at which nobody does."
                    .into()
            }
            Some(PairingReason::Colors) => {
                "Players with the same points had the same colors before, so the pairing went to the nearest \
                 points at which nobody has one of them a third time in a row."
                    .into()
            }
            Some(PairingReason::RematchUnavoidable) => {
                "They had met before. There was no way to pair this round with fewer rematches."
                    .into()
            }
            Some(PairingReason::Neighbours) => "They followed each other in the order.".into(),
            Some(PairingReason::Bracket) => "These are their places in the bracket.".into(),
            Some(PairingReason::Seeds) => "The highest seed left meets the lowest one left.".into(),
            Some(PairingReason::Schedule) => {
                "The schedule says so: everybody meets everybody.".into()
            }
            Some(PairingReason::Pod) => {
                "Pods are made of players with about the same points who have met as little as \
                 possible."
                    .into()
            }
            Some(PairingReason::Engine) => {
                let round = self.event.state.round(round);
                let engine = round.and_then(paired_by_engine);
                let engine = engine.unwrap_or_else(|| "a pairing engine".into());
                format!(
                    "{engine} paired the round: it was given all that had been played, and says no more."
                )
            }
            Some(PairingReason::LowestPoints) => format!(
                "The number of players was odd. The bye goes to somebody with the lowest points, \
                 {lowest}, who has had none: the dice decided."
            ),
            Some(PairingReason::LowestRanked) => {
                "The number of players was odd. The bye goes to the lowest in the order who has \
                 had none."
                    .into()
            }
            Some(PairingReason::SecondByeAvoided)
                if first.is_some_and(|player| player.points == self.known.lowest) =>
            {
                "The number of players was odd. Whoever stood lower had had a bye already or could \
                 not be paired otherwise."
                    .into()
            }
            Some(PairingReason::SecondByeAvoided) => format!(
                "The number of players was odd. Whoever had fewer points, down to {lowest}, had \
                 had a bye already or could not be paired otherwise."
            ),
            Some(PairingReason::SecondByeUnavoidable) => {
                "The number of players was odd, and everybody had had a bye, or could not be \
                 spared without a rematch."
                    .into()
            }
            Some(PairingReason::BroughtAlong) => "They brought this bye to the tournament.".into(),
            Some(PairingReason::Requested) => {
                "They asked for it before the round was paired.".into()
            }
            Some(PairingReason::FreePlace) => {
                "Nobody was paired into the place opposite: the bracket has more places than \
                 players."
                    .into()
            }
            Some(PairingReason::OpponentGone) => "Whoever would sit opposite is gone.".into(),
            Some(PairingReason::LeftOver) => {
                "There were too few players for a further table.".into()
            }
            None => "The pairing made it.".into(),
        }
    }

    fn met(&self) -> String {
        if self.known.players.len() < 2 {
            return String::new();
        }
        let rounds: Vec<String> = self.known.met.iter().map(RoundNumber::to_string).collect();
        match rounds.len() {
            0 => "They had not met before.\n".into(),
            1 => format!("They had met in round {}.\n", rounds[0]),
            _ => format!("They had met in rounds {}.\n", rounds.join(", ")),
        }
    }

    /// Who else had the same points, and whom of them they had met.
    fn groups(&self) -> String {
        let mut text = String::new();
        for brought in &self.known.players {
            let name = self.event.name(brought.player);
            let own = points(brought.points, brought.points_den);
            if brought.same_points.is_empty() {
                let _ = writeln!(text, "{name} was alone with {own}.");
                continue;
            }
            let one = |(other, rounds): &(PlayerNumber, Vec<RoundNumber>)| {
                let name = self.event.name(*other);
                match &rounds[..] {
                    [] => name,
                    [round] => format!("{name} (met in round {round})"),
                    [.., last] => {
                        format!("{name} (met {} times, last in round {last})", rounds.len())
                    }
                }
            };
            let named: Vec<String> = brought.same_points.iter().take(NAMED).map(one).collect();
            let more = brought.same_points.len() - named.len();
            let more = if more > 0 { format!(" and {more} more") } else { String::new() };
            let _ = writeln!(text, "Also with {own} as {name}: {}{more}.", named.join(", "));
        }
        text
    }

    fn bracket(&self, sources: [Source; 2]) -> String {
        let slot = self.place.bracket_slot.unwrap_or(0);
        let players = &self.known.players;
        let seed_of = |source: Source| match source {
            Source::Seed(seed) => Some(seed),
            _ => None,
        };
        let from_seeds: Vec<u32> = sources.iter().copied().filter_map(seed_of).collect();
        if from_seeds.len() == 2 {
            let seeded = |player: &Brought| player.seed.is_some_and(|s| from_seeds.contains(&s));
            return match players.iter().all(seeded) {
                true => format!(
                    "Place {slot} of the bracket is for seed {} and seed {}.\n",
                    from_seeds[0], from_seeds[1]
                ),
                false => format!("Place {slot} of the bracket: the dice put them there.\n"),
            };
        }
        let from = sources.map(|source| match source {
            Source::Seed(seed) => format!("seed {seed}"),
            Source::WinnerOf(slot) => format!("the winner of place {slot}"),
            Source::LoserOf(slot) => format!("the loser of place {slot}"),
        });
        format!("Place {slot} of the bracket is for {} and {}.\n", from[0], from[1])
    }
}

/// Points, as a fraction where they are no whole number.
fn points(value: i64, den: i64) -> String {
    let noun = |whole: i64| if whole == 1 { "point" } else { "points" };
    match value % den {
        0 => format!("{} {}", value / den, noun(value / den)),
        _ => format!("{value}/{den} points"),
    }
}
