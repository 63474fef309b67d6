//! The cross table: every player and every round, whom they met and how it came out.

use super::called::round_short;
use super::frame::{Frame, Tab, capital};
use super::{Looked, Person, render, set_score};
use askama::Template;
use scrutineer_desk::desk::{of_chess, write_slip};
use scrutineer_desk::verb_error::VerbError;
use scrutineer_engine::event::{ByeKind, How, PlayerNumber, RoundNumber, Ruling};
use scrutineer_engine::tournament::MatchView;
use scrutineer_projections::bracket_rounds::bracket_round;
use scrutineer_projections::crosstable::outcomes;
use scrutineer_projections::explain::value_of;
use scrutineer_projections::ruleset::{Outcome, Step};
use scrutineer_projections::standings::Standings;
use scrutineer_projections::standings::shown_place;
use scrutineer_replay::loaded::LoadedTournament;
use std::collections::BTreeMap;

/// What a round was to a player.
#[derive(Clone)]
pub struct Met {
    /// Their seat, from 0: the first is white's in chess.
    pub seat: usize,
    /// Whom they met; empty: nobody.
    pub others: Vec<Person>,
    /// Their places; of who takes none the number, such as `#10`.
    pub places: Vec<String>,
    /// `W`, `L`, `D`, `+F` and `−F` for a forfeit, `B` for a bye, `·` for nothing yet, `*` for what is postponed, and `–`
    /// for what counts for nobody.
    pub letter: &'static str,
    /// The same as it is shown: in chess as its tables have it, and of a bye FIDE's letter.
    pub sign: &'static str,
    /// The score from their side, or the kind of bye.
    pub score: String,
    /// Whether everybody at the table lost.
    is_lost_by_all: bool,
    /// Which bye it was.
    bye: Option<ByeKind>,
}

impl Met {
    /// How it came out, in words.
    pub fn words(&self) -> String {
        let verb = match self.letter {
            "W" => "won",
            "L" if self.is_lost_by_all => "double loss",
            "L" => "lost",
            "D" => "drew",
            "+F" => "won by forfeit",
            "−F" => "lost by forfeit",
            "B" => return self.score.clone(),
            // What nobody has won yet is postponed or void.
            _ if !self.score.is_empty() => return self.score.clone(),
            _ => "no result yet",
        };
        match self.score.is_empty() {
            true => verb.into(),
            false => format!("{verb} {}", self.score),
        }
    }

    /// How it is coloured: a forfeit as what it came to.
    pub fn class(&self) -> &'static str {
        match self.letter {
            "+F" => "W",
            "−F" => "L",
            "·" | "*" | "–" => "open",
            letter => letter,
        }
    }

    /// What it was, as keys of messages name it.
    pub fn kind(&self) -> &'static str {
        match self.letter {
            "W" => "win",
            "L" => "loss",
            "D" => "draw",
            "+F" => "forfeit-win",
            "−F" => "forfeit-loss",
            "B" => match self.bye {
                Some(ByeKind::Half) => "half-bye",
                Some(ByeKind::Zero) => "zero-bye",
                _ => "bye",
            },
            "*" => "later",
            "–" => "none",
            _ => "open",
        }
    }

    /// Whom, in words.
    fn title(&self) -> String {
        let names: Vec<&str> = self.others.iter().map(|one| &one.name[..]).collect();
        match names.is_empty() {
            true => self.words(),
            false => format!("{} against {}", self.words(), names.join(", ")),
        }
    }
}

/// What every round was to every player.
pub struct Rounds(BTreeMap<(PlayerNumber, RoundNumber), Vec<Met>>);

impl Rounds {
    /// Reads them from a tournament, with places from its standings.
    pub fn of(event: &LoadedTournament, standings: &Standings) -> Rounds {
        let state = &event.state;
        let places: BTreeMap<PlayerNumber, u32> =
            standings.rows.iter().map(|row| (row.player, row.rank)).collect();
        let place = |player: &PlayerNumber| {
            places.get(player).map_or_else(|| format!("#{player}"), u32::to_string)
        };
        let is_chess = standings.rules.first_seat.is_some();
        let mut all: BTreeMap<_, Vec<Met>> = BTreeMap::new();
        for found in state.matches() {
            let outcomes = outcomes(state, &standings.rules, found);
            let forfeited = matches!(found.how(), How::Forfeit | How::NoShow);
            for (at, seat) in found.seats().iter().enumerate() {
                let others = found.seats().iter().filter(|other| other.player != seat.player);
                let others: Vec<PlayerNumber> = others.map(|other| other.player).collect();
                let letter = match outcomes.get(at) {
                    Some(Outcome::Win) if forfeited => "+F",
                    Some(Outcome::Loss) if forfeited => "−F",
                    Some(Outcome::Win) => "W",
                    Some(Outcome::Loss) => "L",
                    Some(Outcome::Draw) => "D",
                    _ if found.is_postponed() => "*",
                    _ if found.is_void() => "–",
                    _ => "·",
                };
                let met = Met {
                    seat: at,
                    is_lost_by_all: outcomes.iter().all(|one| *one == Outcome::Loss),
                    places: others.iter().map(place).collect(),
                    others: others.iter().map(|other| Person::of(event, *other)).collect(),
                    sign: if is_chess { sign(letter) } else { letter },
                    letter,
                    score: score_from(found, at, is_chess),
                    bye: None,
                };
                all.entry((seat.player, found.round().number)).or_default().push(met);
            }
        }
        for bye in state.byes() {
            let round = state.rounds()[bye.round as usize].number;
            let (others, places) = (Vec::new(), Vec::new());
            let score = bye.kind.to_string();
            let sign = match bye.kind {
                _ if !is_chess => "B",
                ByeKind::Assigned => "U",
                ByeKind::Awarded | ByeKind::Vacant => "F",
                ByeKind::Half => "H",
                ByeKind::Zero | ByeKind::AwardedLoss => "Z",
            };
            let (seat, letter, is_lost_by_all, bye_kind) = (0, "B", false, Some(bye.kind));
            let met =
                Met { seat, others, places, letter, sign, score, is_lost_by_all, bye: bye_kind };
            all.entry((bye.player, round)).or_default().push(met);
        }
        Rounds(all)
    }

    /// What a round was to a player; empty: they did not play.
    pub fn of_player(&self, player: PlayerNumber, round: RoundNumber) -> Vec<Met> {
        self.0.get(&(player, round)).cloned().unwrap_or_default()
    }
}

/// How tables of chess have it.
fn sign(letter: &'static str) -> &'static str {
    match letter {
        "W" => "1",
        "D" => "½",
        "L" => "0",
        "+F" => "+",
        "−F" => "−",
        other => other,
    }
}

/// The score of a match of two as the player of a seat has it; empty where who won is all that is known.
fn score_from(found: MatchView<'_>, seat: usize, is_chess: bool) -> String {
    let Some(mut result) = found.to_result() else { return String::new() };
    if matches!(result.how, How::Forfeit | How::NoShow) {
        result.how = How::Played;
    }
    let says_who_won = |one: &Ruling| matches!(one, Ruling::Win | Ruling::Draw | Ruling::Loss);
    // What was ruled without a score has as many empty ones as there are seats.
    let has_score = result.score.table.iter().any(|value| *value != 0)
        || result.score.seats.iter().any(|values| !values.is_empty());
    if !has_score && result.rulings.iter().flatten().all(says_who_won) {
        result.rulings.clear();
    }
    if seat == 1 && found.seats().len() == 2 {
        result.score.seats.reverse();
        result.rulings.reverse();
    }
    let slip = write_slip(&result);
    if is_chess && of_chess(&slip).is_some() {
        return String::new();
    }
    set_score(&slip)
}

#[derive(Template)]
#[template(path = "cross.html")]
struct CrossPage {
    frame: Frame,
    /// The rounds: each with its name and that in short.
    rounds: Vec<(RoundNumber, String, String)>,
    rows: Vec<Row>,
    label: String,
}

struct Row {
    /// The place; `=` where it is shared, and a dash for who takes none.
    place: String,
    player: Person,
    /// Why they take no place, in a word; mostly nothing.
    out: &'static str,
    cells: Vec<Vec<Met>>,
    value: String,
}

/// The measure that ranks first in the last phase, such as the points.
pub fn first_measure(standings: &Standings) -> Option<usize> {
    let steps = standings.layers.last().map_or(&[][..], |layer| &layer.steps[..]);
    steps.iter().find_map(|step| match step {
        Step::Measure { measure, .. } => Some(*measure),
        Step::HeadToHead { .. } => None,
    })
}

/// The cross table of all players and rounds, in the order of the standings.
///
/// # Errors
/// Where the standings cannot be folded.
pub fn page(at: &Looked<'_>) -> Result<String, VerbError> {
    let asked = super::standings::View::default().asked(at)?;
    let (event, standings) = (&asked.event, &asked.standings);
    let numbers = super::rounds_of(event);
    let met = Rounds::of(event, standings);
    let measure = first_measure(standings);
    let value = |row: &scrutineer_projections::standings::Row| {
        measure.and_then(|measure| value_of(standings, measure, row))
    };
    let cells =
        |player| numbers.iter().map(|round| met.of_player(player, *round)).collect::<Vec<_>>();
    let row = |(place, row): (usize, &scrutineer_projections::standings::Row)| Row {
        place: shown_place(&standings.rows, place),
        player: Person::of(event, row.player),
        out: "",
        cells: cells(row.player),
        value: value(row).map_or(String::new(), |value| value.text),
    };
    let out = standings.disqualified(&event.state).into_iter().map(|(player, _)| Row {
        place: "–".into(),
        player: Person::of(event, player),
        out: "disqualified",
        cells: cells(player),
        value: String::new(),
    });
    let named = |round: &RoundNumber| {
        let called = bracket_round(&event.state, *round);
        let called = called.map_or(format!("Round {round}"), |called| capital(&called));
        (*round, called, round_short(&event.state, *round))
    };
    render(&CrossPage {
        frame: Frame::of(at, event, Tab::Standings, "cross"),
        rows: standings.rows.iter().enumerate().map(row).chain(out).collect(),
        rounds: numbers.iter().map(named).collect(),
        label: measure.map_or(String::new(), |at| standings.rules.measures[at].label.clone()),
    })
}

#[cfg(test)]
mod tests {
    use super::super::kit::{hall, of_chess};
    use super::*;

    /// The line below the table spoke of W, L and D, and in the table stood 1, 0 and ½.
    #[test]
    fn the_signs_that_are_explained_are_those_of_the_table() {
        let html = page(&hall().looked()).expect("a page");
        assert!(html.contains("<b>W</b> won, <b>L</b> lost, <b>D</b> drew"), "{html}");
        let html = page(&of_chess().looked()).expect("a page");
        assert!(html.contains("<b>1</b> won, <b>0</b> lost, <b>½</b> drew"), "{html}");
        assert!(!html.contains("<b>W</b>"), "{html}");
    }

    #[test]
    fn both_players_of_a_match_have_it_from_their_own_side() {
        let hall = hall();
        let html = page(&hall.looked()).expect("a page");
        assert!(html.contains("won 2–1 against "), "{html}");
        assert!(html.contains("lost 1–2 against "), "{html}");
        assert_eq!(
            html.matches("title=\"no result yet against ").count(),
            4,
            "two tables are missing"
        );
        assert_eq!(html.matches("<tr id=\"p").count(), 6);
    }

    /// They had no row, and their opponents a dash that led nowhere.
    #[test]
    fn who_was_disqualified_has_a_row_without_a_place_and_opponents_have_their_number() {
        let hall = hall();
        hall.all_in();
        let reason = "stacked the deck".to_string();
        hall.order(scrutineer_desk::orders::Disqualify { player: "#2".into(), reason });
        let html = page(&hall.looked()).expect("a page");
        let row = html.split("<tr id=\"p").find(|row| row.starts_with("2\""));
        let row = row.and_then(|row| row.split("</tr>").next()).expect("their row");
        assert!(row.contains("disqualified") && row.contains("strong\">–</td>"), "{row}");
        assert!(row.contains(" against "), "whom they met stays: {row}");
        assert_eq!(html.matches("</b> #2<").count(), 1, "one opponent met them: {html}");
        assert!(html.contains("# that of a player who takes none"), "{html}");
    }

    /// It read "no result yet postponed" of a match that was, and "lost nobody wins" where both lost.
    #[test]
    fn a_match_that_nobody_won_is_told_as_what_it_is() {
        let hall = hall();
        let told = |slip: &str, words: &str| {
            hall.correct(&format!("2 {slip}"));
            let html = page(&hall.looked()).expect("a page");
            assert_eq!(html.matches(&format!("title=\"{words} against ")).count(), 2, "{html}");
            let state = hall.store.load(hall.stream, false).expect("loaded").state;
            let player = state.at_table(1, 2).expect("a table").seats()[0].player;
            let own = super::super::places::page_of(&hall.looked(), &format!("#{player}"));
            let own = own.expect("a page");
            assert!(own.contains(&format!(">{words}</span>")), "{own}");
        };
        told("void", "void");
        told("postponed", "postponed");
        told("l-l", "double loss");
    }
}
