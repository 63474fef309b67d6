//! Why a player stands where they stand.

use super::{DivisionPlace, Exact, Player, RulesetName, TournamentName, words};
use num_rational::BigRational;
use scrutineer_projections::divisions::DivisionPlaces;
use scrutineer_projections::explain::{self, Explanation, Shown, bound_of, of_opponents, shown};
use scrutineer_projections::measure::{self, Notes, OpponentTerm, Terms};
use scrutineer_projections::ruleset::PerformanceBy;
use scrutineer_projections::standings::{Decided, Layer, Standings};
use scrutineer_replay::loaded::LoadedTournament;
use serde::Serialize;
use utoipa::ToSchema;

/// Why a player has their place.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct ExplainAnswer {
    /// Which tournament.
    pub tournament: TournamentName,
    /// Who.
    pub player: Player,
    /// Their place.
    pub rank: u32,
    /// How many players take a place.
    pub of: usize,
    /// Their place in their division; null where they have none.
    pub division: Option<DivisionPlace>,
    /// The last round that counts.
    pub through: u16,
    /// The ruleset that ranked.
    pub ruleset: RulesetName,
    /// The player they are compared with; null where they are alone.
    pub against: Option<Against>,
    /// Whether lots told the two apart; false where they will, null where none are needed.
    pub lots: Option<bool>,
    /// The steps of the order.
    pub steps: Vec<StepCompared>,
    /// The measures of the order.
    pub measures: Vec<MeasureExplained>,
}

/// The player that somebody is compared with.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Against {
    /// Who.
    pub player: Player,
    /// Their place.
    pub rank: u32,
}

/// A step of the order, for a player and the one they are compared with.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct StepCompared {
    /// What the step goes by.
    pub step: String,
    /// The player's value.
    pub own: Option<Exact>,
    /// The other's value.
    pub other: Option<Exact>,
    /// What the step says.
    pub verdict: Verdict,
    /// The games of the two against each other, where the step goes by those.
    pub met: Vec<Meeting>,
}

/// A game of the two who are compared.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Meeting {
    /// Its round.
    pub round: u16,
    /// How it came out for the player.
    pub outcome: MeetingOutcome,
    /// How it came out for the other.
    pub theirs: MeetingOutcome,
    /// Whether it was forfeited, by one of them or by both.
    pub forfeited: bool,
}

words! {
    /// How a game came out.
    MeetingOutcome from scrutineer_projections::ruleset::Outcome {
        /// Won.
        Win,
        /// Drawn.
        Draw,
        /// Lost.
        Loss,
        /// Without a result.
        None,
    }
}

words! {
    /// What a step of the order says of two players.
    Verdict from explain::Verdict {
        /// Both are equal here.
        Tied,
        /// This step tells them apart.
        Decides,
        /// An earlier step has told them apart.
        NotReached,
    }
}

/// A measure of a player and what it is made of.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct MeasureExplained {
    /// Its id in the ruleset.
    pub measure: String,
    /// What the head of a table calls it.
    pub label: String,
    /// The value that ranks.
    pub value: Exact,
    /// The value before floor, cap and rounding.
    pub before_bounds: Exact,
    /// Whether the floor counts instead of what was computed.
    pub floor_counts: bool,
    /// Whether there is nothing to average or to divide by.
    pub nothing_to_average: bool,
    /// The round whose tables all count as drawn, in a measure that is taken so.
    #[schema(nullable = false)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub as_drawn: Option<u16>,
    /// What it is made of; empty where it is a fact of its own.
    pub terms: Vec<Term>,
}

/// A part of a value.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(untagged)]
pub enum Term {
    /// A round of the player.
    Round {
        /// Its number.
        round: u16,
        /// What it was, as a ruleset spells it.
        kind: String,
        /// Who sat at the table.
        opponents: Vec<Player>,
        /// What it adds.
        value: Exact,
        /// Why so much.
        note: TermNote,
    },
    /// An opponent of the player.
    Opponent {
        /// The round in which they met.
        round: u16,
        /// What the player's round was, as a ruleset spells it.
        kind: String,
        /// Who; null where there was nobody.
        opponent: Option<Player>,
        /// Their value as it counts.
        value: Exact,
        /// What it is multiplied with.
        weight: Exact,
        /// Why it does not count; null where it does.
        skipped: Option<Skipped>,
        /// The bound that counts instead of what was computed of them, where one does.
        #[schema(nullable = false)]
        #[serde(skip_serializing_if = "Option::is_none")]
        bound: Option<Bound>,
        /// Their value before floor, cap and rounding, where a bound counts.
        #[schema(nullable = false)]
        #[serde(skip_serializing_if = "Option::is_none")]
        before_bounds: Option<Exact>,
    },
    /// A game against a rated opponent, of which a performance is made.
    Game {
        /// Its round.
        round: u16,
        /// Whom they met.
        opponent: Player,
        /// The opponent's rating.
        rating: i64,
        /// Twice the points.
        half_points: i64,
    },
    /// The step from the score of these games to a rating.
    Table {
        /// The mean of the ratings.
        mean: i64,
        /// Twice the points of all of them.
        half_points: i64,
        /// How many there are.
        games: usize,
        /// The share of the points, in hundredths.
        hundredths: i64,
        /// The difference of ratings that FIDE's table has for it; null where the performance is not made so.
        difference: Option<i64>,
    },
    /// Another measure of the player.
    Measure {
        /// Its id in the ruleset.
        measure: String,
        /// Its value.
        value: Exact,
        /// What it is multiplied with in a sum.
        #[schema(nullable = false)]
        #[serde(skip_serializing_if = "Option::is_none")]
        factor: Option<String>,
        /// The round after which the player left, where the value is the one of then.
        #[schema(nullable = false)]
        #[serde(skip_serializing_if = "Option::is_none")]
        after_round: Option<u16>,
    },
}

words! {
    /// Why a round adds what it adds.
    TermNote from measure::TermNote {
        /// At face value.
        Counted,
        /// Left out: byes do not count here.
        ByeSkipped,
        /// Left out: only other kinds or outcomes count here.
        NotOfInterest,
        /// The mean over the rounds played.
        Averaged,
        /// Raised or lowered to the bound of one round.
        Bounded,
        /// A bye that was asked for at the end, counted as a draw.
        AsDraw,
    }
}

words! {
    /// Why an opponent does not count.
    Skipped from measure::Skipped {
        /// The player had no opponent in that round.
        NoOpponent,
        /// The table has no result yet.
        Unfinished,
        /// The table was forfeited.
        Forfeited,
        /// They had met before, and each opponent counts once.
        MetBefore,
        /// One of the lowest.
        Lowest,
        /// One of the highest.
        Highest,
    }
}

words! {
    /// A bound that counts instead of what was computed.
    Bound from measure::Bound {
        /// The floor.
        Floor,
        /// The cap.
        Cap,
        /// The cap for players who have dropped.
        DroppedCap,
        /// The least or the most that one opponent counts.
        OneOpponent,
    }
}

impl From<&Shown> for Exact {
    fn from(shown: &Shown) -> Exact {
        Exact::new(&shown.value, &shown.text)
    }
}

impl ExplainAnswer {
    /// The explanation of a place in these standings.
    pub fn of(
        event: &LoadedTournament,
        standings: &Standings,
        explanation: &Explanation,
    ) -> ExplainAnswer {
        let row = &explanation.row;
        let teller = Teller { event, standings, layer: standings.layer(row) };
        let step = |step: &explain::StepCompared| StepCompared {
            step: step.label.clone(),
            own: step.own.as_ref().map(Exact::from),
            other: step.other.as_ref().map(Exact::from),
            verdict: step.verdict.into(),
            met: step
                .met
                .iter()
                .map(|met| Meeting {
                    round: met.round,
                    outcome: met.outcome.into(),
                    theirs: met.theirs.into(),
                    forfeited: met.forfeited,
                })
                .collect(),
        };
        let against = explanation.against.as_ref();
        ExplainAnswer {
            tournament: event.into(),
            player: Player::of(event, row.player),
            rank: row.rank,
            of: standings.rows.len(),
            division: DivisionPlaces::of(&event.state, standings)
                .of_player(row.player)
                .map(|found| DivisionPlace::of(&event.state, standings, found)),
            through: standings.through,
            ruleset: (&*standings.rules).into(),
            against: against
                .map(|other| Against { player: Player::of(event, other.player), rank: other.rank }),
            lots: explanation.lots.map(|lots| lots == Decided::Lots),
            steps: explanation.steps.iter().map(step).collect(),
            measures: explanation.measures.iter().map(|one| teller.measure(one)).collect(),
        }
    }
}

struct Teller<'a> {
    event: &'a LoadedTournament,
    standings: &'a Standings,
    layer: &'a Layer,
}

impl Teller<'_> {
    fn measure(&self, explained: &explain::MeasureExplained) -> MeasureExplained {
        let measure = &self.standings.rules.measures[explained.measure];
        MeasureExplained {
            measure: measure.id.clone(),
            label: measure.label.clone(),
            value: (&explained.value).into(),
            before_bounds: (&explained.before).into(),
            floor_counts: explained.notes.has(Notes::FLOOR),
            nothing_to_average: explained.notes.has(Notes::EMPTY),
            as_drawn: explain::as_drawn(self.layer, measure),
            terms: self.terms(explained),
        }
    }

    fn terms(&self, explained: &explain::MeasureExplained) -> Vec<Term> {
        let show = self.standings.rules.measures[explained.measure].show;
        let exact = |value: &BigRational| Exact::new(value, shown(value, show));
        match &explained.terms {
            Terms::Rounds(terms) => terms
                .iter()
                .map(|term| Term::Round {
                    round: term.round,
                    kind: term.kind.word().into(),
                    opponents: term.opponents.iter().map(|index| self.player(*index)).collect(),
                    value: exact(&term.value),
                    note: term.note.into(),
                })
                .collect(),
            Terms::Opponents(terms) => {
                let rules = &self.standings.rules;
                let spec = of_opponents(rules, &rules.measures[explained.measure]);
                let term = |term: &OpponentTerm| {
                    let bound = spec.and_then(|spec| bound_of(self.layer, spec.of, term));
                    let (bound, before) = bound.unzip();
                    Term::Opponent {
                        round: term.round,
                        kind: term.kind.word().into(),
                        opponent: term.opponent.map(|index| self.player(index)),
                        value: exact(&term.value),
                        weight: Exact::new(&term.weight, term.weight.to_string()),
                        skipped: term.skipped.map(Skipped::from),
                        bound: bound.map(Bound::from),
                        before_bounds: before.flatten().map(|value| exact(&value)),
                    }
                };
                terms.iter().map(term).collect()
            }
            Terms::Ratio { num, den, .. } => {
                [num, den].map(|(at, value)| self.part(*at, value, None, None)).into()
            }
            Terms::Sum(terms) => terms
                .iter()
                .map(|(at, factor, value)| self.part(*at, value, Some(factor.to_string()), None))
                .collect(),
            Terms::Fact => Vec::new(),
            Terms::Performance(found) => {
                let games = found.games.iter().map(|game| Term::Game {
                    round: game.round,
                    opponent: self.player(game.opponent),
                    rating: game.rating,
                    half_points: game.half_points,
                });
                let table = Term::Table {
                    mean: found.mean,
                    half_points: found.half_points,
                    games: found.games.len(),
                    hundredths: found.hundredths,
                    difference: (found.by == PerformanceBy::Score).then_some(found.difference),
                };
                games.chain([table]).collect()
            }
            Terms::AsLeft { of, after, value } => vec![self.part(*of, value, None, *after)],
        }
    }

    fn part(
        &self,
        at: usize,
        value: &BigRational,
        factor: Option<String>,
        after_round: Option<u16>,
    ) -> Term {
        let measure = &self.standings.rules.measures[at];
        let value = Exact::new(value, shown(value, measure.show));
        Term::Measure { measure: measure.id.clone(), value, factor, after_round }
    }

    fn player(&self, index: u32) -> Player {
        Player::of(self.event, self.layer.table.entrants[index as usize].number)
    }
}
