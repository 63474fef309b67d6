//! A bracket as a picture: each match a small table.

use super::frame::{Frame, Tab, capital};
use super::{Looked, Person, render, rules_of};
use askama::Template;
use scrutineer_desk::verb_error::VerbError;
use scrutineer_engine::event::{PhaseKind, PlayerNumber};
use scrutineer_engine::tournament::{MatchView, Phase, Round, Tournament};
use scrutineer_projections::bracket_rounds::bracket_round;
use scrutineer_projections::crosstable::outcomes;
use scrutineer_projections::ruleset::{Outcome, Ruleset};
use scrutineer_replay::loaded::LoadedTournament;

/// A bracket.
pub struct Bracket {
    /// What it is called.
    pub name: String,
    /// Its parts: one, or an upper and a lower bracket and the grand final.
    pub parts: Vec<Part>,
    /// The seeds.
    pub seeds: Vec<(u32, Person, String)>,
}

/// A part of a bracket.
pub struct Part {
    /// What it is called; empty where it is the only one.
    pub name: &'static str,
    /// Its rounds, those that are to come too.
    pub stages: Vec<Stage>,
}

/// A round of a bracket.
pub struct Stage {
    /// What it is called.
    pub name: String,
    /// How its matches lead into the next round: `half` where two lead into one, `same` where each
    /// leads into one, or nothing.
    pub leads: &'static str,
    /// Its matches, from top to bottom.
    pub matches: Vec<Match>,
}

/// A match of a bracket.
pub struct Match {
    /// What stands above it.
    pub head: String,
    /// Whether it is being played.
    pub is_played: bool,
    /// Who plays.
    pub seats: Vec<Seat>,
}

/// A player of a match, or whoever that will be.
pub struct Seat {
    /// Their seed.
    pub seed: String,
    /// Who.
    pub name: String,
    /// What they won.
    pub score: String,
    /// `won`, `lost`, or nothing.
    pub class: &'static str,
}

#[derive(Template)]
#[template(path = "bracket.html")]
struct BracketPage {
    frame: Frame,
    brackets: Vec<Bracket>,
}

fn seed_of(phase: &Phase, player: PlayerNumber) -> String {
    let at = phase.entrants.iter().position(|entrant| *entrant == player);
    at.map_or(String::new(), |at| (at + 1).to_string())
}

fn played(event: &LoadedTournament, rules: &Ruleset, phase: &Phase, found: MatchView<'_>) -> Match {
    let outcomes = outcomes(&event.state, rules, found);
    let score = found.to_result().map(|result| result.score);
    let seat = |(at, seat): (usize, &scrutineer_engine::tournament::SeatState)| {
        let won = match found.advanced() {
            Some(player) => Some(player == seat.player),
            None => outcomes.get(at).and_then(|outcome| match outcome {
                Outcome::Win => Some(true),
                Outcome::Loss => Some(false),
                _ => None,
            }),
        };
        let games = score.as_ref().and_then(|score| score.seats.get(at)?.first().copied());
        Seat {
            seed: seed_of(phase, seat.player),
            name: event.name(seat.player),
            score: games.map_or(String::new(), |games| games.to_string()),
            class: match won {
                Some(true) => "won",
                Some(false) => "lost",
                None => "",
            },
        }
    };
    let how = match (found.result().is_some(), found.advanced().is_some()) {
        (_, true) => "by ruling",
        (true, _) => "finished",
        (false, _) => "being played",
    };
    let table = found.table().map_or(String::new(), |table| format!("table {table} · "));
    Match {
        head: format!("{table}{how}"),
        is_played: found.result().is_none(),
        seats: found.seats().iter().enumerate().map(seat).collect(),
    }
}

/// The parts of a bracket of double elimination, by the group of their matches.
const PARTS: [(u32, &str); 3] = [(1, "Upper bracket"), (2, "Lower bracket"), (3, "Grand final")];

/// The matches and byes of a round in a part of its bracket, in the order of their places.
fn stage(
    event: &LoadedTournament,
    rules: &Ruleset,
    phase: &Phase,
    round: &Round,
    part: Option<u32>,
) -> Stage {
    let state = &event.state;
    let is_part = |group: Option<u32>| part.is_none() || group == part;
    let of_round = state
        .matches()
        .filter(|found| found.round().number == round.number && is_part(found.group()));
    let mut placed: Vec<(u32, Match)> = of_round
        .map(|found| {
            let slot = found.bracket_slot().or(found.table()).unwrap_or(0);
            (slot, played(event, rules, phase, found))
        })
        .collect();
    let byes = state.byes().filter(|bye| {
        // A bye of double elimination is one of the upper bracket.
        let is_here = part.is_none_or(|part| part == 1);
        let of = state.rounds().get(bye.round as usize);
        is_here && of.is_some_and(|of| of.number == round.number)
    });
    placed.extend(byes.map(|bye| {
        let own = Seat {
            seed: seed_of(phase, bye.player),
            name: event.name(bye.player),
            score: String::new(),
            class: "won",
        };
        let head = bye.kind.to_string();
        (bye.bracket_slot.unwrap_or(0), Match { head, is_played: false, seats: vec![own] })
    }));
    placed.sort_by_key(|(slot, _)| *slot);
    let name = bracket_round(state, round.number);
    Stage {
        name: name.map_or(format!("Round {}", round.number), |name| capital(&name)),
        leads: "",
        matches: placed.into_iter().map(|(_, one)| one).collect(),
    }
}

/// The rounds that are to come: who wins goes on.
fn to_come(stages: &mut Vec<Stage>) {
    while let Some(last) = stages.last().filter(|last| last.matches.len() > 1) {
        let name = match last.matches.len() {
            2 => "Final".to_string(),
            3 | 4 => "Semi-final".into(),
            5..=8 => "Quarter-final".into(),
            more => format!("Round of {}", more),
        };
        let winner = |one: &Match, at: usize| {
            let won = one.seats.iter().find(|seat| seat.class == "won");
            match won {
                Some(won) => {
                    let (seed, name) = (won.seed.clone(), won.name.clone());
                    Seat { seed, name, score: String::new(), class: "" }
                }
                None => Seat {
                    seed: String::new(),
                    name: format!("winner of {} {}", last.name.to_lowercase(), at + 1),
                    score: String::new(),
                    class: "open",
                },
            }
        };
        let pair = |(at, pair): (usize, &[Match])| Match {
            head: "to come".into(),
            is_played: false,
            seats: pair.iter().enumerate().map(|(of, one)| winner(one, at * 2 + of)).collect(),
        };
        let matches = last.matches.chunks(2).enumerate().map(pair).collect();
        stages.push(Stage { name, leads: "", matches });
    }
}

/// The parts of double elimination, with their rounds named from their ends.
fn double(players: usize, stages: impl Fn(Option<u32>) -> Vec<Stage>) -> Vec<Part> {
    let upper = players.max(2).next_power_of_two().trailing_zeros() as usize;
    let part = |(group, name): (u32, &'static str)| {
        let mut stages = stages(Some(group));
        let (side, last) = match group {
            1 => ("Upper", upper),
            2 => ("Lower", 2 * upper.saturating_sub(1)),
            _ => ("Grand final", 0),
        };
        for (at, stage) in stages.iter_mut().enumerate() {
            stage.name = match (group, last.checked_sub(at + 1)) {
                (3, _) if at == 0 => side.into(),
                (3, _) => format!("{side}, again"),
                (_, Some(0)) => format!("{side} final"),
                (_, Some(1)) if group == 1 => format!("{side} semi-final"),
                _ => format!("{side} round {}", at + 1),
            };
        }
        Part { name, stages }
    };
    PARTS.into_iter().map(part).filter(|part| !part.stages.is_empty()).collect()
}

/// Says of each round how its matches lead into the next one.
fn lead_on(stages: &mut [Stage]) {
    let counts: Vec<usize> = stages.iter().map(|stage| stage.matches.len()).collect();
    for (stage, pair) in stages.iter_mut().zip(counts.windows(2)) {
        stage.leads = match (pair[0], pair[1]) {
            (now, next) if now == next => "same",
            (now, next) if now.div_ceil(2) == next => "half",
            _ => "",
        };
    }
}

/// Where an entrant is.
fn whereabouts(state: &Tournament, rules: &Ruleset, phase: &Phase, player: PlayerNumber) -> String {
    let own = state.matches().filter(|found| {
        found.round().phase == phase.number
            && found.seats().iter().any(|seat| seat.player == player)
    });
    let Some(last) = own.max_by_key(|found| found.round().number) else {
        return "has not played yet".into();
    };
    let name = bracket_round(state, last.round().number);
    let name = name.unwrap_or_else(|| format!("round {}", last.round().number));
    let seat = last.seats().iter().position(|seat| seat.player == player).unwrap_or(0);
    let won = match last.advanced() {
        Some(advanced) => Some(advanced == player),
        None => match outcomes(state, rules, last).get(seat) {
            Some(Outcome::Win) => Some(true),
            Some(Outcome::Loss) => Some(false),
            _ => None,
        },
    };
    match won {
        None => format!("playing the {name}"),
        Some(true) => format!("won the {name}"),
        Some(false) if phase.kind == PhaseKind::Elimination => format!("out in the {name}"),
        Some(false) => format!("lost in the {name}"),
    }
}

/// The brackets of a tournament.
///
/// # Errors
/// Where its rules cannot be read.
pub fn brackets(event: &LoadedTournament) -> Result<Vec<Bracket>, VerbError> {
    let rules = rules_of(event, None)?;
    let state = &event.state;
    let phases = state.phases().iter().filter(|phase| !phase.withdrawn && phase.kind.is_bracket());
    let bracket = |phase: &Phase| {
        let of_phase = state.rounds().iter().filter(|r| !r.withdrawn && r.phase == phase.number);
        let rounds: Vec<&Round> = of_phase.collect();
        let stages = |part| -> Vec<Stage> {
            let all = rounds.iter().map(|round| stage(event, &rules, phase, round, part));
            all.filter(|stage| !stage.matches.is_empty()).collect()
        };
        let mut parts = match phase.kind {
            PhaseKind::DoubleElimination => double(phase.entrants.len(), stages),
            _ => {
                let mut stages = stages(None);
                to_come(&mut stages);
                vec![Part { name: "", stages }]
            }
        };
        parts.iter_mut().for_each(|part| lead_on(&mut part.stages));
        let seed = |(at, player): (usize, &PlayerNumber)| {
            let person = Person::of(event, *player);
            (at as u32 + 1, person, whereabouts(state, &rules, phase, *player))
        };
        Bracket {
            name: match phases_before(state, phase) {
                0 => capital(phase.kind.spelled()),
                _ => format!("Top {}", phase.entrants.len()),
            },
            parts,
            seeds: phase.entrants.iter().enumerate().map(seed).collect(),
        }
    };
    Ok(phases.map(bracket).collect())
}

fn phases_before(state: &Tournament, phase: &Phase) -> usize {
    state.phases().iter().filter(|other| !other.withdrawn && other.number < phase.number).count()
}

/// The brackets as pictures.
///
/// # Errors
/// Where the store cannot be read.
pub fn page(at: &Looked<'_>) -> Result<String, VerbError> {
    let event = at.load()?;
    let brackets = brackets(&event)?;
    render(&BracketPage { frame: Frame::of(at, &event, Tab::Bracket, "bracket"), brackets })
}

#[cfg(test)]
mod tests {
    use super::super::kit::hall;
    use super::*;
    use scrutineer_desk::orders::{Cut, Pair, Publish};

    #[test]
    fn a_bracket_shows_who_goes_on_and_who_is_awaited() {
        let hall = hall();
        let html = page(&hall.looked()).expect("a page");
        assert!(html.contains("There is no bracket"));
        let state = hall.store.load(hall.stream, false).expect("loaded").state;
        let tables = state.matches().filter(|m| m.result().is_none()).filter_map(|m| m.table());
        tables.for_each(|table| hall.slip(&format!("{table} 2-0")));
        hall.order(Cut { top: Some(4), ..Cut::default() });
        hall.order(Pair::default());
        hall.order(Publish {});
        hall.slip("1 2-0");
        let html = page(&hall.looked()).expect("a page");
        assert!(html.contains("Semi-final") && html.contains("Final"), "{html}");
        assert!(html.contains("winner of semi-final"), "the other match is not over");
        assert!(html.contains("class=\"won\"") && html.contains("class=\"lost\""));
    }

    #[test]
    fn double_elimination_has_an_upper_and_a_lower_bracket_and_a_grand_final() {
        let hall = hall();
        let state = hall.store.load(hall.stream, false).expect("loaded").state;
        let tables = state.matches().filter(|m| m.result().is_none()).filter_map(|m| m.table());
        tables.for_each(|table| hall.slip(&format!("{table} 2-0")));
        let kind = Some("double-elimination".to_string());
        hall.order(Cut { top: Some(4), kind, ..Cut::default() });
        for _ in 0..4 {
            hall.order(Pair::default());
            hall.order(Publish {});
            let state = hall.store.load(hall.stream, false).expect("loaded").state;
            let open = state.matches().filter(|m| m.result().is_none()).filter_map(|m| m.table());
            open.for_each(|table| hall.slip(&format!("{table} 2-0")));
        }
        let html = page(&hall.looked()).expect("a page");
        for name in ["Upper bracket", "Upper semi-final", "Upper final", "Lower bracket"] {
            assert!(html.contains(name), "{name}: {html}");
        }
        for name in ["Lower round 1", "Lower final", "Grand final"] {
            assert!(html.contains(name), "{name}: {html}");
        }
        // Two and one above, one and one below, and the final: each pairing once.
        assert_eq!(html.matches("<li><table>").count(), 6, "{html}");
    }
}
