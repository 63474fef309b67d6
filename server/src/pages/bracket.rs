//! A bracket as a picture: each match a small table.

use super::called::{round_called, stage_of, within};
use super::frame::{Frame, Tab};
use super::{Looked, Person, render, rules_of};
use crate::language::Language;
use crate::live::is_out;
use askama::Template;
use scrutineer_desk::verb_error::VerbError;
use scrutineer_engine::event::{DropReason, PhaseKind, PlayerNumber};
use scrutineer_engine::tournament::{MatchView, Phase, Round, Tournament};
use scrutineer_projections::crosstable::outcomes;
use scrutineer_projections::divisions::division_of_phase;
use scrutineer_projections::ruleset::{Outcome, Ruleset};
use scrutineer_replay::loaded::LoadedTournament;
use serde::Serialize;
use utoipa::ToSchema;

/// A bracket.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Bracket {
    /// What it is called.
    pub name: String,
    /// Its parts: one, or an upper and a lower bracket and the grand final.
    pub parts: Vec<Part>,
    /// The seeds.
    pub seeds: Vec<Seed>,
}

/// An entrant of a bracket.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = BracketSeed)]
pub struct Seed {
    /// Their seed, from 1.
    pub seed: u32,
    /// Who.
    pub player: Person,
    /// Where they are now.
    pub now: String,
}

/// A part of a bracket.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = BracketPart)]
pub struct Part {
    /// What it is called; empty where it is the only one.
    pub name: String,
    /// Its rounds, those that are to come too.
    pub stages: Vec<Stage>,
}

/// A round of a bracket.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = BracketStage)]
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
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = BracketMatch)]
pub struct Match {
    /// What stands above it.
    pub head: String,
    /// Whether it is being played.
    pub is_played: bool,
    /// Who plays.
    pub seats: Vec<Seat>,
}

/// A player of a match, or whoever that will be.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = BracketSeat)]
pub struct Seat {
    /// Their seed.
    pub seed: String,
    /// Who.
    pub name: String,
    /// What they won.
    pub score: String,
    /// `won`, `lost`, `open` where it is not known yet who that is, or nothing.
    #[serde(rename = "state")]
    pub class: &'static str,
    /// Why they play on no more, in a word, such as `disqualified`; mostly nothing.
    pub remark: String,
}

#[derive(Template)]
#[template(path = "bracket.html")]
struct BracketPage {
    frame: Frame,
    /// Whether it is played, or goes on, and nobody is told of that yet.
    is_hidden: bool,
    brackets: Vec<Bracket>,
}

fn seed_of(phase: &Phase, player: PlayerNumber) -> String {
    let at = phase.entrants.iter().position(|entrant| *entrant == player);
    at.map_or(String::new(), |at| (at + 1).to_string())
}

/// That a player was disqualified, in a word; empty: they were not.
fn remark(event: &LoadedTournament, player: PlayerNumber, language: Language) -> String {
    let dropped = event.state.player(player).and_then(|player| player.dropped());
    match dropped {
        Some((DropReason::Disqualified, _)) => language.t("out-disqualified"),
        _ => String::new(),
    }
}

fn played(
    event: &LoadedTournament,
    rules: &Ruleset,
    phase: &Phase,
    found: MatchView<'_>,
    language: Language,
) -> Match {
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
            remark: remark(event, seat.player, language),
        }
    };
    let is_draft = !is_out(&event.state, found.round());
    let how = match (found.result().is_some(), found.advanced().is_some()) {
        (_, true) => "match-ruling",
        (true, _) if found.is_postponed() => "slip-postponed",
        (true, _) => "match-finished",
        // Those who see drafts are the only ones who see this.
        (false, _) if is_draft => "state-draft",
        (false, _) => "match-played",
    };
    let table = found.table().map(|table| language.a("table-n", "table", table));
    let head = table.into_iter().chain([language.t(how)]);
    Match {
        head: head.collect::<Vec<_>>().join(" · "),
        is_played: found.result().is_none() && !is_draft,
        seats: found.seats().iter().enumerate().map(seat).collect(),
    }
}

/// The parts of a bracket of double elimination, by the group of their matches, each with the key of what it
/// is called.
const PARTS: [(u32, &str); 3] =
    [(1, "bracket-upper"), (2, "bracket-lower"), (3, "bracket-grand-final")];

/// The matches and byes of a round in a part of its bracket, in the order of their places.
fn stage(
    event: &LoadedTournament,
    rules: &Ruleset,
    phase: &Phase,
    round: &Round,
    part: Option<u32>,
    language: Language,
) -> Stage {
    let state = &event.state;
    let is_part = |group: Option<u32>| part.is_none() || group == part;
    let of_round = state.matches().filter(|found| {
        found.round().number == round.number
            && is_part(found.group())
            && !is_beside(state, rules, phase, *found)
    });
    let mut placed: Vec<(u32, Match)> = of_round
        .map(|found| {
            let slot = found.bracket_slot().or(found.table()).unwrap_or(0);
            (slot, played(event, rules, phase, found, language))
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
            remark: remark(event, bye.player, language),
        };
        let head = language.t("match-bye");
        (bye.bracket_slot.unwrap_or(0), Match { head, is_played: false, seats: vec![own] })
    }));
    placed.sort_by_key(|(slot, _)| *slot);
    Stage {
        name: round_called(state, round.number, language),
        leads: "",
        matches: placed.into_iter().map(|(_, one)| one).collect(),
    }
}

/// Who won and was disqualified before the next match stands beside the one who has a bye there.
fn name_disqualified(stages: &mut [Stage]) {
    for at in 1..stages.len() {
        let (before, now) = stages.split_at_mut(at);
        let (Some(before), Some(now)) = (before.last(), now.first_mut()) else { continue };
        if before.matches.len() != 2 * now.matches.len() {
            continue;
        }
        for (one, from) in now.matches.iter_mut().zip(before.matches.chunks(2)) {
            let [own] = &one.seats[..] else { continue };
            let gone = |seat: &&Seat| {
                seat.class == "won" && !seat.remark.is_empty() && seat.seed != own.seed
            };
            let gone = from.iter().flat_map(|found| &found.seats).find(gone).cloned();
            let gone = gone.map(|seat| Seat { score: String::new(), class: "lost", ..seat });
            one.seats.extend(gone);
        }
    }
}

/// The rounds that are to come: who wins goes on.
fn to_come(stages: &mut Vec<Stage>, language: Language) {
    while let Some(last) = stages.last().filter(|last| last.matches.len() > 1) {
        let name = stage_of(last.matches.len().next_power_of_two(), language);
        let winner = |one: &Match, at: usize| {
            let won = one.seats.iter().find(|seat| seat.class == "won");
            match won {
                Some(won) => {
                    let (seed, name) = (won.seed.clone(), won.name.clone());
                    let remark = won.remark.clone();
                    Seat { seed, name, score: String::new(), class: "", remark }
                }
                None => Seat {
                    seed: String::new(),
                    name: language.b(
                        "match-winner",
                        "round",
                        within(&last.name, language),
                        "match",
                        at + 1,
                    ),
                    score: String::new(),
                    class: "open",
                    remark: String::new(),
                },
            }
        };
        let pair = |(at, pair): (usize, &[Match])| Match {
            head: language.t("match-to-come"),
            is_played: false,
            seats: pair.iter().enumerate().map(|(of, one)| winner(one, at * 2 + of)).collect(),
        };
        let matches = last.matches.chunks(2).enumerate().map(pair).collect();
        stages.push(Stage { name, leads: "", matches });
    }
}

/// The parts of double elimination, with their rounds named from their ends.
fn double(
    players: usize,
    stages: impl Fn(Option<u32>) -> Vec<Stage>,
    language: Language,
) -> Vec<Part> {
    let upper = players.max(2).next_power_of_two().trailing_zeros() as usize;
    let part = |(group, key): (u32, &'static str)| {
        let mut stages = stages(Some(group));
        let last = if group == 1 { upper } else { 2 * upper.saturating_sub(1) };
        for (at, stage) in stages.iter_mut().enumerate() {
            stage.name = match (group, last.checked_sub(at + 1)) {
                (1, Some(0)) => language.t("upper-final"),
                (1, Some(1)) => language.t("upper-semi-final"),
                (1, _) => language.a("upper-round", "round", at + 1),
                (2, Some(0)) => language.t("lower-final"),
                (2, _) => language.a("lower-round", "round", at + 1),
                _ if at == 0 => language.t(key),
                _ => language.t("grand-final-again"),
            };
        }
        Part { name: language.t(key), stages }
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

/// Whether who sits in a seat won the match, or goes on by ruling; none: it is not decided.
pub(super) fn has_won(
    state: &Tournament,
    rules: &Ruleset,
    found: MatchView<'_>,
    seat: usize,
) -> Option<bool> {
    if let Some(advanced) = found.advanced() {
        return Some(found.seats().get(seat).is_some_and(|one| one.player == advanced));
    }
    match outcomes(state, rules, found).get(seat) {
        Some(Outcome::Win) => Some(true),
        Some(Outcome::Loss) => Some(false),
        _ => None,
    }
}

/// The tables of the last round of a single elimination whose winners are out since, before the next round is
/// paired: nobody meets whoever would have met them.
pub fn gone_winners(state: &Tournament, rules: &Ruleset) -> Vec<(u32, PlayerNumber)> {
    let last = state.rounds().iter().rfind(|round| !round.withdrawn);
    let Some(round) = last.filter(|_| !state.is_closed()) else { return Vec::new() };
    let in_bracket = |phase: &&Phase| phase.kind == PhaseKind::Elimination;
    if state.phase_of(round).filter(in_bracket).is_none() {
        return Vec::new();
    }
    let tables: Vec<_> =
        state.matches().filter(|found| found.round().number == round.number).collect();
    // Behind the final nobody meets anybody.
    if tables.len() < 2 {
        return Vec::new();
    }
    let gone = |player| state.player(player).is_some_and(|one| one.dropped().is_some());
    let of_table = |found: &MatchView<'_>| {
        let found = *found;
        let at =
            (0..found.seats().len()).find(|at| has_won(state, rules, found, *at) == Some(true))?;
        let player = found.seats().get(at)?.player;
        gone(player).then_some((found.table().unwrap_or(0), player))
    };
    tables.iter().filter_map(of_table).collect()
}

/// Whether a match of a single elimination is played beside the bracket, as that for third place: whoever plays it
/// is out already.
fn is_beside(state: &Tournament, rules: &Ruleset, phase: &Phase, found: MatchView<'_>) -> bool {
    let lost_before = |player: PlayerNumber| {
        state.matches().any(|other| {
            let seat = other.seats().iter().position(|seat| seat.player == player);
            other.round().phase == phase.number
                && other.round().number < found.round().number
                && seat.is_some_and(|seat| has_won(state, rules, other, seat) == Some(false))
        })
    };
    phase.kind == PhaseKind::Elimination
        && found.seats().iter().all(|seat| lost_before(seat.player))
}

/// Where an entrant is.
fn whereabouts(
    state: &Tournament,
    rules: &Ruleset,
    phase: &Phase,
    player: PlayerNumber,
    language: Language,
) -> String {
    let own = state.matches().filter(|found| {
        found.round().phase == phase.number
            && found.seats().iter().any(|seat| seat.player == player)
            && !is_beside(state, rules, phase, *found)
    });
    let Some(last) = own.max_by_key(|found| found.round().number) else {
        return language.t("where-not-yet");
    };
    let name = within(&round_called(state, last.round().number, language), language);
    let seat = last.seats().iter().position(|seat| seat.player == player).unwrap_or(0);
    let won = has_won(state, rules, last, seat);
    let is_draft = won.is_none() && !is_out(state, last.round());
    let gone = state.player(player).and_then(|one| one.dropped());
    if gone.is_some_and(|(why, _)| why == DropReason::Disqualified) {
        return language.t("out-disqualified");
    }
    // Whoever would have met them in the final lost nothing and left.
    let is_final = state.matches().filter(|found| {
        found.round().number == last.round().number && !is_beside(state, rules, phase, *found)
    });
    // Who went out early played one of hundreds.
    let is_final = is_final.take(2).count() < 2;
    let is_gone = |other: &PlayerNumber| {
        *other == player
            || state.player(*other).is_some_and(|one| one.dropped().is_some())
            || state.matches().any(|found| {
                let seat = found.seats().iter().position(|seat| seat.player == *other);
                found.round().phase == phase.number
                    && seat.is_some_and(|seat| has_won(state, rules, found, seat) == Some(false))
            })
    };
    // Before it is paired a judge may say that somebody else goes on.
    let has_passed = || {
        let is_later =
            |round: &Round| round.phase == phase.number && round.number > last.round().number;
        let mut own = state.byes().filter(|bye| bye.player == player);
        state.is_closed()
            || own.any(|bye| state.rounds().get(bye.round as usize).is_some_and(is_later))
    };
    // Where they were not put into it after a correction, it was played without them.
    let is_played = || {
        state.matches().any(|found| {
            found.round().phase == phase.number
                && found.round().number > last.round().number
                && found.result().is_some()
                && !is_beside(state, rules, phase, found)
        })
    };
    if won == Some(true)
        && !is_final
        && !is_played()
        && phase.kind == PhaseKind::Elimination
        && has_passed()
        && state.field(phase).iter().all(is_gone)
    {
        return language.t("where-unplayed");
    }
    if is_draft {
        let called = round_called(state, last.round().number, language);
        return format!("{called}: {}", language.t("state-draft"));
    }
    let key = match won {
        None => "where-playing",
        Some(true) => "where-won",
        Some(false) if phase.kind == PhaseKind::Elimination => "where-out",
        Some(false) => "where-lost",
    };
    language.a(key, "round", name)
}

/// How the last bracket in which somebody played ended for them; empty for who was in none.
pub fn how_it_ended(
    state: &Tournament,
    rules: &Ruleset,
    player: PlayerNumber,
    language: Language,
) -> String {
    let has = |phase: &&Phase| {
        !phase.withdrawn && phase.kind.is_bracket() && state.field(phase).contains(&player)
    };
    let phase = state.phases().iter().rfind(has);
    phase.map_or(String::new(), |phase| whereabouts(state, rules, phase, player, language))
}

/// The brackets of a tournament.
///
/// # Errors
/// Where its rules cannot be read.
pub fn brackets(event: &LoadedTournament, language: Language) -> Result<Vec<Bracket>, VerbError> {
    let rules = rules_of(event, None)?;
    let state = &event.state;
    let phases = state.phases().iter().filter(|phase| !phase.withdrawn && phase.kind.is_bracket());
    let bracket = |phase: &Phase| {
        let of_phase = state.rounds().iter().filter(|r| !r.withdrawn && r.phase == phase.number);
        let rounds: Vec<&Round> = of_phase.collect();
        // Whom a judge set into it has the seed of whom they replaced.
        let own = Phase { entrants: state.field(phase).into_owned(), ..phase.clone() };
        let stages = |part| -> Vec<Stage> {
            let all = rounds.iter().map(|round| stage(event, &rules, &own, round, part, language));
            all.filter(|stage| !stage.matches.is_empty()).collect()
        };
        let mut parts = match phase.kind {
            PhaseKind::DoubleElimination => double(phase.entrants.len(), stages, language),
            _ => {
                let mut stages = stages(None);
                name_disqualified(&mut stages);
                to_come(&mut stages, language);
                vec![Part { name: String::new(), stages }]
            }
        };
        parts.iter_mut().for_each(|part| lead_on(&mut part.stages));
        let seed = |(at, player): (usize, &PlayerNumber)| Seed {
            seed: at as u32 + 1,
            player: Person::of(event, *player),
            now: whereabouts(state, &rules, phase, *player, language),
        };
        let name = match phases_before(state, phase) {
            0 => language.t(match phase.kind {
                PhaseKind::Elimination => "bracket-elimination",
                PhaseKind::DoubleElimination => "bracket-double-elimination",
                _ => "bracket-other",
            }),
            _ => language.a("bracket-top", "players", phase.entrants.len()),
        };
        Bracket {
            name: match division_of_phase(state, phase) {
                Some(division) => format!("{division} · {name}"),
                None => name,
            },
            parts,
            seeds: own.entrants.iter().enumerate().map(seed).collect(),
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
    let event = at.load_out()?;
    let brackets = brackets(&event, at.language)?;
    let is_of_bracket = |state: &Tournament| {
        let last = state.last_round().and_then(|round| state.phase_of(round));
        last.is_some_and(|phase| phase.kind.is_bracket())
    };
    let goes_on = at.pairings.as_ref().is_some_and(|out| is_of_bracket(&out.state));
    let is_hidden = at.hides_results() && (goes_on || !brackets.is_empty());
    let frame = Frame::of(at, &event, Tab::Bracket, "bracket");
    render(&BracketPage { frame, is_hidden, brackets })
}

#[cfg(test)]
mod tests {
    use super::super::kit::hall;
    use super::*;
    use scrutineer_desk::orders::{Close, Correct, Cut, Disqualify, Pair, Publish};

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
        let missing = super::super::missing::page(&hall.looked()).expect("a page");
        assert!(missing.contains("Missing in the semi-final"), "{missing}");
        hall.slip("2 2-0");
        let state = hall.store.load(hall.stream, false).expect("loaded").state;
        let winner = state.at_table(2, 1).expect("a semi-final").seats()[0].player;
        let reason = "a marked deck".to_string();
        hall.order(Disqualify { player: format!("#{winner}"), reason });
        hall.order(Pair::default());
        let event = hall.store.load(hall.stream, false).expect("loaded");
        let brackets = brackets(&event, Language::English).expect("a bracket");
        let last = &brackets[0].parts[0].stages[1].matches[0].seats;
        let told: Vec<(&str, &str)> =
            last.iter().map(|seat| (&seat.name[..], &seat.remark[..])).collect();
        let gone = event.name(winner);
        assert!(told.len() == 2 && told.contains(&(&gone, "disqualified")), "{told:?}");
        let now = |words: &str| brackets[0].seeds.iter().filter(|one| one.now == words).count();
        assert_eq!(now("won the bracket; the final was not played"), 1);
        assert_eq!(now("disqualified"), 1);
        for what in ["bracket", "final", "standings"] {
            let paper = super::super::print::page(&hall.looked(), what, Default::default());
            let paper = paper.expect("a sheet");
            let from = paper.rfind(&gone).expect(what);
            assert!(paper[from..].contains("disqualified</b>"), "{what}: {paper}");
        }
        let state = &event.state;
        let next = super::super::called::next_within(state, Language::English);
        assert_eq!(next, "round 4", "the final is paired already");
        assert!(html.contains("winner of semi-final"), "the other match is not over");
        assert!(html.contains("class=\"won\"") && html.contains("class=\"lost\""));
    }

    /// The staff's bracket of a draft said "being played" and "playing the semi-final".
    #[test]
    fn a_match_of_a_draft_is_said_to_be_one() {
        let hall = hall();
        hall.all_in();
        hall.order(Cut { top: Some(4), ..Cut::default() });
        hall.order(Pair::default());
        let html = || page(&hall.looked()).expect("a page");
        let draft = html();
        assert!(
            draft.contains("Table 1 · draft") && draft.contains("Semi-final: draft"),
            "{draft}"
        );
        assert!(!draft.contains("being played") && !draft.contains("playing the"), "{draft}");
        hall.order(Publish {});
        assert!(html().contains("playing the semi-final"), "{}", html());
    }

    #[test]
    fn who_is_left_alone_has_won_the_bracket_once_nobody_else_can_be_put_into_its_final() {
        let hall = hall();
        hall.all_in();
        hall.order(Cut { top: Some(4), ..Cut::default() });
        hall.order(Pair::default());
        hall.order(Publish {});
        hall.all_in();
        let state = hall.store.load(hall.stream, false).expect("loaded").state;
        let winner = state.at_table(2, 1).expect("a semi-final").seats()[0].player;
        let reason = "a marked deck".to_string();
        hall.order(Disqualify { player: format!("#{winner}"), reason });
        let now = |words: &str| {
            let event = hall.store.load(hall.stream, false).expect("loaded");
            let brackets = brackets(&event, Language::English).expect("a bracket");
            brackets[0].seeds.iter().filter(|one| one.now == words).count()
        };
        let unplayed = "won the bracket; the final was not played";
        assert_eq!((now("won the semi-final"), now(unplayed)), (1, 0), "it is to come");
        hall.order(Close { unfinished: true });
        assert_eq!((now("won the semi-final"), now(unplayed)), (0, 1), "it was not played");
    }

    /// One had won the final, and another the bracket, whose final was not played.
    #[test]
    fn who_won_the_final_won_it_though_the_match_before_it_was_corrected() {
        let hall = hall();
        hall.all_in();
        hall.order(Cut { top: Some(4), ..Cut::default() });
        hall.play_on();
        hall.play_on();
        let (slip, reason) = ("1 0-2".to_string(), "turned round".to_string());
        hall.order(Correct { slip, reason, round: Some(2), ..Correct::default() });
        hall.slip("1 2-0");
        hall.order(Close::default());
        let event = hall.store.load(hall.stream, false).expect("loaded");
        let brackets = brackets(&event, Language::English).expect("a bracket");
        let now: Vec<&str> = brackets[0].seeds.iter().map(|one| &one.now[..]).collect();
        let count = |words: &str| now.iter().filter(|one| **one == words).count();
        assert_eq!(count("won the final"), 1, "{now:?}");
        assert_eq!(count("won the bracket; the final was not played"), 0, "{now:?}");
        assert_eq!(count("won the semi-final"), 1, "{now:?}");
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
