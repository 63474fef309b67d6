//! Writing a tournament with the keys that Cobra writes, in its order: what AlwaysBeRunning takes.

mod left_out;

use std::collections::BTreeMap;

use serde::Serialize;
use serde::ser::{SerializeMap, Serializer};

use super::TWO_FOR_ONE;
use super::strength::{Fraction, points, strengths};
use crate::json::{Json, Node};
use crate::source::*;
use crate::written::json_text;
use crate::{File, WriteError, Written, phases};
use left_out::left_out;
use scrutineer_engine::event::{How, PhaseKind};

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Whole<'a> {
    name: &'a str,
    date: Option<String>,
    cut_to_top: u32,
    preliminary_rounds: usize,
    tournament_organiser: Organiser,
    players: Vec<Player<'a>>,
    elimination_players: Vec<Eliminated<'a>>,
    rounds: Vec<Vec<Game>>,
    uploaded_from: String,
    links: Vec<Link>,
}

#[derive(Serialize, Default)]
#[serde(rename_all = "camelCase")]
struct Organiser {
    nrdb_id: Option<i64>,
    nrdb_username: Option<String>,
}

#[derive(Serialize)]
struct Link {
    rel: String,
    href: String,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Player<'a> {
    id: i64,
    name: &'a str,
    rank: u32,
    corp_identity: Option<String>,
    runner_identity: Option<String>,
    match_points: i64,
    strength_of_schedule: Option<String>,
    extended_strength_of_schedule: Option<String>,
    /// Their rank in the file that is written into.
    #[serde(skip)]
    rank_there: Option<u32>,
    /// Their strength of schedule, where that file has their points and strengths as they are here.
    #[serde(skip)]
    same_there: Option<Fraction>,
}

#[derive(Serialize)]
struct Eliminated<'a> {
    id: i64,
    name: &'a str,
    rank: Option<u32>,
    seed: usize,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Game {
    table: usize,
    player1: Side,
    player2: Side,
    intentional_draw: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    two_for_one: Option<bool>,
    elimination_game: bool,
}

/// A side, with the keys that its kind of match has.
enum Side {
    /// Both games were played: runner's, corp's and all points.
    Double { id: Option<i64>, sides: Option<[i32; 2]>, combined: Option<i32> },
    /// One game was played, by this role.
    Single { id: i64, role: u8, combined: i32 },
    /// Only the winner is known.
    Won { id: Option<i64>, role: u8, winner: Option<bool> },
}

impl Serialize for Side {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        let word = |role: u8| match role {
            1 => Some("corp"),
            2 => Some("runner"),
            _ => None,
        };
        match self {
            Side::Double { id, sides, combined } => {
                map.serialize_entry("id", id)?;
                map.serialize_entry("runnerScore", &sides.map(|sides| sides[0]))?;
                map.serialize_entry("corpScore", &sides.map(|sides| sides[1]))?;
                map.serialize_entry("combinedScore", combined)?;
            }
            Side::Single { id, role, combined } => {
                map.serialize_entry("id", id)?;
                map.serialize_entry("role", &word(*role))?;
                map.serialize_entry("runnerScore", &Some(combined).filter(|_| *role == 2))?;
                map.serialize_entry("corpScore", &Some(combined).filter(|_| *role == 1))?;
                map.serialize_entry("combinedScore", combined)?;
            }
            Side::Won { id, role, winner } => {
                map.serialize_entry("id", id)?;
                map.serialize_entry("role", &word(*role))?;
                map.serialize_entry("winner", winner)?;
            }
        }
        map.end()
    }
}

/// Writes a tournament; ids, identities and the organiser are those of `into` where it has them.
///
/// # Errors
/// Where a match is not one of two players.
pub fn write(source: &Source, into: Option<&File>) -> Result<Written, WriteError> {
    let known = into.and_then(|file| file.text).and_then(|text| Json::read(text).ok());
    let known = Known::of(known.as_ref().map(Json::root));
    let ids = known.ids(source);
    let id = |player: usize| ids.get(player).copied().unwrap_or_default();
    let first = source.phases.iter().take_while(|phase| !phase.kind.is_bracket());
    let preliminary_rounds = first.map(|phase| phase.rounds.len()).sum();
    let cut = source.phases.iter().find(|phase| phase.kind.is_bracket());
    let mut rounds = Vec::new();
    for (at, (_, round)) in source.rounds().enumerate() {
        let mut games = games(source, round, at >= preliminary_rounds, &id)?;
        for game in &mut games {
            known.fill_sides(at, game);
            game.two_for_one = game.two_for_one.filter(|is| *is || !known.lacks_two_for_one);
        }
        rounds.push(games);
    }
    let places = places(source);
    let mut elimination_players: Vec<Eliminated<'_>> = Vec::new();
    for (seed, player) in (1..).zip(cut.map_or(&[][..], |cut| &cut.entrants)) {
        let name = source.players.get(*player).map_or("", |one| one.name.as_str());
        let rank = places.get(player).copied();
        elimination_players.push(Eliminated { id: id(*player), name, rank, seed });
    }
    elimination_players.sort_by_key(|one| (one.rank.unwrap_or(u32::MAX), one.seed));
    let entrants = cut.and_then(|cut| u32::try_from(cut.entrants.len()).ok());
    let whole = Whole {
        name: &source.title,
        date: source.held_on.map(|day| day.to_string()),
        cut_to_top: source.cut.or(entrants).or(known.cut).unwrap_or(0),
        preliminary_rounds,
        players: players(source, &known, &id),
        tournament_organiser: known.organiser,
        elimination_players,
        rounds,
        uploaded_from: known.uploaded_from.unwrap_or_else(|| "Scrutineer".to_owned()),
        links: known.links,
    };
    let left_out = left_out(source, &whole);
    Ok(Written { text: json_text(&whole), left_out })
}

/// The places of the cut: while it runs only those of whoever is out, as Cobra has them.
fn places(source: &Source) -> BTreeMap<usize, u32> {
    let is_over = source.finished || phases::is_decided(&source.phases, &source.drops);
    let cut = source.phases.iter().find(|phase| phase.kind.is_bracket()).filter(|_| !is_over);
    let left = cut.map(phases::still_in).unwrap_or_default();
    let placed = source.places.iter().filter(|one| !left.contains(&one.player));
    placed.map(|one| (one.player, one.place)).collect()
}

/// Both ids of a match with their combined scores; of a bye the other has neither.
type Met = [Scored; 2];

/// What the file that is written into says beside the tournament.
struct Known {
    organiser: Organiser,
    cut: Option<u32>,
    ids: BTreeMap<String, i64>,
    identities: BTreeMap<String, [Option<String>; 2]>,
    /// Everybody's strengths of schedule, as they are printed.
    strengths: BTreeMap<String, [Option<String>; 2]>,
    /// Everybody's rank with their match points.
    rows: BTreeMap<String, (u32, i64)>,
    /// Whether it has matches, and none says whether one game decided both: older ones of Cobra don't.
    lacks_two_for_one: bool,
    /// Runner's and corp's points of both, by round from 0.
    sides: BTreeMap<(usize, Met), [Option<[i32; 2]>; 2]>,
    uploaded_from: Option<String>,
    links: Vec<Link>,
}

impl Known {
    fn of(root: Option<Node<'_>>) -> Known {
        let schema = Link {
            rel: "schemaderivedfrom".to_owned(),
            href: "http://steffens.org/nrtm/nrtm-schema.json".to_owned(),
        };
        let mut known = Known {
            organiser: Organiser::default(),
            cut: None,
            ids: BTreeMap::new(),
            identities: BTreeMap::new(),
            strengths: BTreeMap::new(),
            rows: BTreeMap::new(),
            lacks_two_for_one: false,
            sides: BTreeMap::new(),
            uploaded_from: None,
            links: vec![schema],
        };
        let Some(root) = root else { return known };
        let text = |node: &Node<'_>, key: &str| -> Option<String> {
            node.text_at(key).ok().flatten().map(str::to_owned)
        };
        if let Some(organiser) = root.get("tournamentOrganiser") {
            let nrdb_id = organiser.whole_at("nrdbId").ok().flatten();
            known.organiser =
                Organiser { nrdb_id, nrdb_username: text(&organiser, "nrdbUsername") };
        }
        known.uploaded_from = text(&root, "uploadedFrom");
        known.cut = root.count_at("cutToTop").ok().flatten();
        if let Ok(links) = root.list("links") {
            let link =
                |node: &Node<'_>| Some(Link { rel: text(node, "rel")?, href: text(node, "href")? });
            known.links = links.iter().filter_map(link).collect();
        }
        for player in root.list("players").unwrap_or_default() {
            let Some(name) = text(&player, "name") else { continue };
            if let Ok(Some(id)) = player.whole_at("id") {
                known.ids.insert(name.clone(), id);
            }
            let of = ["corpIdentity", "runnerIdentity"].map(|key| text(&player, key));
            known.identities.insert(name.clone(), of);
            let of = ["strengthOfSchedule", "extendedStrengthOfSchedule"]
                .map(|key| player.get(key).and_then(|number| number.decimal().ok()));
            known.strengths.insert(name.clone(), of);
            let row = [player.whole_at("rank"), player.whole_at("matchPoints")];
            if let [Ok(Some(rank)), Ok(Some(points))] = row
                && let Ok(rank) = u32::try_from(rank)
            {
                known.rows.insert(name, (rank, points));
            }
        }
        let (mut games, mut says_two_for_one) = (0, false);
        for (at, round) in root.list("rounds").unwrap_or_default().iter().enumerate() {
            for game in round.items().unwrap_or_default() {
                games += 1;
                says_two_for_one |= game.get("twoForOne").is_some();
                let [one, other] = ["player1", "player2"].map(|key| points_at(&game, key));
                known.sides.insert((at, [one.0, other.0]), [one.1, other.1]);
                known.sides.insert((at, [other.0, one.0]), [other.1, one.1]);
            }
        }
        known.lacks_two_for_one = games > 0 && !says_two_for_one;
        known
    }

    /// Fills in runner's and corp's points where only the combined scores are recorded, and are still those of the
    /// file.
    fn fill_sides(&self, round: usize, game: &mut Game) {
        let met = [&game.player1, &game.player2].map(|side| match side {
            Side::Double { id, sides: None, combined } => (*id, combined.filter(|_| id.is_some())),
            _ => (None, None),
        });
        let Some(of_file) = self.sides.get(&(round, met)) else { return };
        for (side, own) in [&mut game.player1, &mut game.player2].into_iter().zip(of_file) {
            if let Side::Double { sides, .. } = side {
                *sides = sides.or(*own);
            }
        }
    }

    /// Everybody's id: that of the file, otherwise a number that nobody there has.
    fn ids(&self, source: &Source) -> Vec<i64> {
        let mut next = self.ids.values().copied().max().unwrap_or(0).max(0);
        let mut taken = std::collections::BTreeSet::new();
        let mut ids = Vec::with_capacity(source.players.len());
        for player in &source.players {
            let own = self.ids.get(&player.name).copied().filter(|id| taken.insert(*id));
            ids.push(own.unwrap_or_else(|| {
                next = next.saturating_add(1);
                next
            }));
        }
        ids
    }
}

/// A player's id, with the combined score.
type Scored = (Option<i64>, Option<i32>);

/// What stands at a player of a match: their id with the combined score, and runner's and corp's points.
fn points_at(game: &Node<'_>, key: &str) -> (Scored, Option<[i32; 2]>) {
    let Some(side) = game.get(key) else { return Default::default() };
    let points =
        |key: &str| side.whole_at(key).ok().flatten().and_then(|value| i32::try_from(value).ok());
    let id = side.whole_at("id").ok().flatten();
    let sides = points("runnerScore").zip(points("corpScore")).map(|(runner, corp)| [runner, corp]);
    ((id, points("combinedScore").filter(|_| id.is_some())), sides)
}

fn players<'a>(source: &'a Source, known: &Known, id: &dyn Fn(usize) -> i64) -> Vec<Player<'a>> {
    let (points, strengths) = (points(source), strengths(source));
    let rows: BTreeMap<usize, &PublishedRow> =
        source.published.iter().map(|row| (row.player, row)).collect();
    let mut players = Vec::new();
    for (at, one) in source.players.iter().enumerate() {
        let row = rows.get(&at);
        let value = |measure: PublishedMeasure| {
            let value = row?.values.iter().find(|value| value.measure == measure)?;
            Some(value.text.clone())
        };
        let own = strengths.get(at).copied().unwrap_or_default();
        let printed = known.strengths.get(&one.name).cloned().unwrap_or_default();
        let of = |measure, at: usize| {
            value(measure).or_else(|| {
                let own = own.get(at).copied().flatten()?;
                let printed = printed.get(at).cloned().flatten();
                Some(printed.filter(|text| own.is_printed_as(text)).unwrap_or_else(|| own.text()))
            })
        };
        let [corp, runner] = one.identities.clone();
        let identities = known.identities.get(&one.name).cloned();
        let [known_corp, known_runner] = identities.unwrap_or_default();
        let points = points.get(at).copied().unwrap_or(0);
        let match_points = row.map_or(points, |row| row.points_tenths / 10);
        let there = known.rows.get(&one.name);
        let is_printed = own.iter().zip(&printed).all(|(own, printed)| {
            own.zip(printed.as_deref()).is_some_and(|(own, text)| own.is_printed_as(text))
        });
        let is_same = is_printed && there.is_some_and(|(_, points)| *points == match_points);
        players.push(Player {
            id: id(at),
            name: &one.name,
            rank: row.map_or(u32::MAX, |row| row.rank),
            corp_identity: corp.or(known_corp),
            runner_identity: runner.or(known_runner),
            match_points,
            strength_of_schedule: of(PublishedMeasure::Sos, 0),
            extended_strength_of_schedule: of(PublishedMeasure::Esos, 1),
            rank_there: there.map(|(rank, _)| *rank),
            same_there: own[0].filter(|_| is_same),
        });
    }
    players.sort_by_key(|player| player.rank);
    keep_order(&mut players);
    // Who has no rank comes behind all others.
    let unranked =
        players.iter().position(|player| player.rank == u32::MAX).unwrap_or(players.len());
    for (rank, player) in (1..).zip(&mut players).skip(unranked) {
        player.rank = rank;
    }
    players
}

/// Leaves players of equal points and strengths of schedule in the order of the file that is written into: Cobra adds
/// up binary fractions, whose dust decides there between some who are equal.
fn keep_order(players: &mut [Player<'_>]) {
    let alike = players.chunk_by_mut(|one, other| {
        one.same_there.is_some()
            && one.same_there == other.same_there
            && one.match_points == other.match_points
    });
    for alike in alike {
        let own: Vec<u32> = alike.iter().map(|player| player.rank).collect();
        alike.sort_by_key(|player| player.rank_there);
        let there: Vec<u32> = alike.iter().filter_map(|player| player.rank_there).collect();
        // Where others stand between them, or they came elsewhere, only their order is that of the file.
        let fits = there.len() == own.len()
            && there.first() == own.first()
            && there.first().zip(there.last()).is_some_and(|(first, last)| {
                usize::try_from(last - first).is_ok_and(|more| more < own.len())
            });
        for (player, rank) in alike.iter_mut().zip(if fits { there } else { own }) {
            player.rank = rank;
        }
    }
}

fn games(
    source: &Source,
    round: &SourceRound,
    is_cut: bool,
    id: &dyn Fn(usize) -> i64,
) -> Result<Vec<Game>, WriteError> {
    let mut games = Vec::new();
    let numbers = round.numbers();
    for (table, number) in round.tables.iter().zip(&numbers) {
        let [first, second] = table.seats[..] else {
            return Err(WriteError::NotTwo { round: round.name.clone(), seats: table.seats.len() });
        };
        let [player1, player2] = sides(source, table, [first, second], is_cut, id);
        games.push(Game {
            table: *number as usize,
            player1,
            player2,
            intentional_draw: table.result.how == How::AgreedDraw,
            two_for_one: Some(table.result.grade.as_deref() == Some(TWO_FOR_ONE)),
            elimination_game: is_cut,
        });
    }
    let behind = numbers.into_iter().max().unwrap_or(0) as usize + 1;
    // In a cut of three Cobra has no match of the first seed's in its first round.
    let cut = source.phases.iter().find(|phase| phase.kind.is_bracket()).filter(|_| is_cut);
    let is_of_three =
        cut.is_some_and(|cut| cut.kind == PhaseKind::Elimination && cut.entrants.len() == 3);
    let byes = round.byes.iter().filter(|_| !is_of_three);
    for (next, bye) in (behind..).zip(byes) {
        let own = bye.reported.as_ref().and_then(|score| lines(source, score, 0));
        let other = bye.reported.as_ref().and_then(|score| lines(source, score, 1));
        let side = |id: Option<i64>, own: Option<Lines>| Side::Double {
            id,
            sides: own.and_then(|own| own.sides),
            combined: own.map(|own| own.combined),
        };
        let [player1, player2] = match is_cut {
            true => [(Some(id(bye.player)), Some(true)), (None, None)]
                .map(|(id, winner)| Side::Won { id, role: 0, winner }),
            false => [side(Some(id(bye.player)), own), side(None, other)],
        };
        games.push(Game {
            table: next,
            player1,
            player2,
            intentional_draw: false,
            two_for_one: Some(false),
            elimination_game: is_cut,
        });
    }
    Ok(games)
}

fn sides(
    source: &Source,
    table: &SourceTable,
    seats: [SourceSeat; 2],
    is_cut: bool,
    id: &dyn Fn(usize) -> i64,
) -> [Side; 2] {
    let score = &table.result.score;
    let lines = [0, 1].map(|seat| lines(source, score, seat));
    let won = phases::winning_seat(&table.result);
    let mut at = 0;
    seats.map(|seat| {
        let (here, id) = (at, id(seat.player));
        at += 1;
        match lines.get(here).copied().flatten().filter(|_| !is_cut) {
            Some(own) if seat.role != 0 => {
                Side::Single { id, role: seat.role, combined: own.combined }
            }
            Some(own) => {
                Side::Double { id: Some(id), sides: own.sides, combined: Some(own.combined) }
            }
            None => Side::Won { id: Some(id), role: seat.role, winner: won.map(|won| won == here) },
        }
    })
}

/// The points of a seat.
#[derive(Clone, Copy)]
struct Lines {
    combined: i32,
    /// Runner's and corp's.
    sides: Option<[i32; 2]>,
}

/// A seat's points: as they stand on a slip of match points, otherwise three for each game won.
fn lines(source: &Source, score: &scrutineer_engine::event::Score, seat: usize) -> Option<Lines> {
    let own = score.seats.get(seat)?;
    let first = *own.first()?;
    if !super::counts_points(source) {
        return Some(Lines { combined: first.saturating_mul(3), sides: None });
    }
    let sides = match own.get(1..3) {
        Some([runner, corp]) => Some([*runner, *corp]),
        _ => None,
    };
    Some(Lines { combined: first, sides })
}
