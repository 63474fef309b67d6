//! The JSON in which pairgoth keeps a tournament of Go (`.tour`).

use super::build::{Oddities, Players, clean_name};
use super::by_round::ByRound;
use super::opengotha::{
    absences, held_on, phases, tell_criteria, tell_handicaps, tell_preliminary,
};
use super::source::*;
use super::{ChessReport, Fault, ImportError, check, limits, sheet};
use scrutineer_engine::event::{ByeKind, How, MatchResult, PhaseKind, Ruling, Score, UnknownFact};
use serde::Deserialize;
use std::collections::BTreeSet;

/// That JSON.
pub(super) struct Pairgoth;

impl super::Format for Pairgoth {
    fn name(&self) -> &'static str {
        "pairgoth json"
    }

    fn ending(&self) -> &'static str {
        "tour"
    }

    fn detect(&self, file: &super::File) -> bool {
        file.has(&["shortName", "pairing", "players"])
    }

    fn read(&self, file: &super::File) -> Result<Source, ImportError> {
        read(file.text()?)
    }
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct File {
    #[serde(rename = "type")]
    kind: Option<String>,
    name: Option<String>,
    short_name: String,
    start_date: Option<String>,
    rounds: Option<u16>,
    pairing: Pairing,
    players: Vec<Player>,
    teams: Option<Vec<Team>>,
    games: Option<Vec<Vec<Game>>>,
}

#[derive(Deserialize)]
struct Pairing {
    #[serde(rename = "type")]
    kind: Option<String>,
    placement: Option<Vec<String>>,
}

#[derive(Deserialize)]
struct Player {
    id: i64,
    name: Option<String>,
    firstname: Option<String>,
    rating: Option<i32>,
    egf: Option<String>,
    #[serde(rename = "final")]
    is_final: Option<bool>,
    /// The rounds in which they are away.
    skip: Option<Vec<u16>>,
}

#[derive(Deserialize)]
struct Team {
    id: i64,
    name: Option<String>,
    skip: Option<Vec<u16>>,
}

/// A game: table, white, black, handicap and result.
#[derive(Deserialize)]
struct Game {
    t: Option<u32>,
    w: i64,
    b: i64,
    h: Option<i64>,
    r: Option<String>,
}

fn read(text: &str) -> Result<Source, ImportError> {
    let file: File = serde_json::from_str(text).map_err(ImportError::json)?;
    let title = file.name.as_deref().map(str::trim).filter(|name| !name.is_empty());
    let title = clean_name("the title", title.unwrap_or(&file.short_name))
        .map_err(|fault| fault.at("name"))?;
    let mut oddities = Oddities::default();
    let players = players(&file, &mut oddities)?;
    let (mut rounds, mut handicaps) = (ByRound::default(), 0);
    let listed = file.games.as_deref().unwrap_or_default();
    if listed.len() > limits::ROUNDS {
        return Err(Fault::TooMany { what: "rounds", limit: limits::ROUNDS }.at("games"));
    }
    for (number, games) in (1..).zip(listed) {
        for (at, game) in games.iter().enumerate() {
            let place = format!("games[{}][{at}]", number - 1);
            handicaps += usize::from(game.h.is_some_and(|stones| stones > 0));
            add_game(game, number, place, &players, &mut rounds, &mut oddities)?;
        }
    }
    tell_handicaps(handicaps, &mut oddities);
    let placement: Vec<&str> =
        file.pairing.placement.iter().flatten().map(String::as_str).collect();
    tell_criteria("pairing.placement", &placement, &mut oddities);
    let (rounds, is_open) = rounds.finish();
    if !rounds.is_empty() {
        check::rounds(&players, &rounds)?;
    }
    let kind = match file.pairing.kind.as_deref() {
        Some("ROUND_ROBIN" | "ROUNDROBIN") => PhaseKind::RoundRobin,
        _ => PhaseKind::Swiss,
    };
    let games = rounds.iter().flat_map(|round| &round.tables);
    let scoresheet =
        sheet::games_sheet(Some(1), games.filter_map(|table| sheet::games_of(&table.result.score)));
    let held_on = file.start_date.as_deref().and_then(held_on);
    let date = held_on.map_or_else(String::new, |day| format!(" {day}"));
    let mut unknown = vec![UnknownFact::SignUpOrder, UnknownFact::Times];
    if rounds.iter().flat_map(|round| &round.tables).any(|table| table.table.is_none()) {
        unknown.push(UnknownFact::Tables);
    }
    unknown.push(UnknownFact::Drops);
    let planned = file.rounds.filter(|rounds| *rounds > 0);
    let skips = file.players.iter().map(|player| (player.id, &player.skip));
    let teams = file.teams.iter().flatten().map(|team| (team.id, &team.skip));
    let skips = if is_of_teams(&file) { teams.collect::<Vec<_>>() } else { skips.collect() };
    let away = skips.into_iter().filter_map(|(id, skip)| {
        Some((players.known(&id.to_string())?, skip.clone().unwrap_or_default()))
    });
    let report =
        ChessReport { asked: absences(rounds.len(), planned, away), ..ChessReport::default() };
    Ok(Source {
        platform: "pairgoth".to_owned(),
        rules: Some("go".to_owned()),
        format: "pairgoth json".to_owned(),
        identity: format!("pairgoth {title}{date}"),
        title,
        held_on,
        planned_rounds: planned,
        finished: !is_open
            && !rounds.is_empty()
            && planned.is_none_or(|all| usize::from(all) <= rounds.len()),
        scoresheet,
        phases: phases(kind, players.list.len(), rounds),
        players: players.list,
        report,
        unknown,
        oddities: oddities.finish(),
        ..Source::default()
    })
}

/// Whether teams are paired, and not their players.
fn is_of_teams(file: &File) -> bool {
    file.teams.is_some() && file.kind.as_deref().is_some_and(|kind| kind != "INDIVIDUAL")
}

/// Who is paired: the players, or the teams of a tournament of teams.
fn players(file: &File, oddities: &mut Oddities) -> Result<Players, ImportError> {
    let mut players = Players::default();
    let mut add = |id: i64, name: &str, place: &str, oddities: &mut Oddities| {
        if players.known(&id.to_string()).is_some() {
            let (player, round) = (id.to_string(), "the list of players".to_owned());
            return Err(Fault::TwiceInRound { player, round, other: "above".into() }.at(place));
        }
        players.add_named(id, name, place, oddities)
    };
    if let Some(teams) = file.teams.as_ref().filter(|_| is_of_teams(file)) {
        for (at, team) in teams.iter().enumerate() {
            let name = team.name.as_deref().unwrap_or_default();
            add(team.id, name, &format!("teams[{at}]"), oddities)?;
        }
        oddities.add("teams", "Each team is read as one who plays; its players are left out.");
        return Ok(players);
    }
    let games = file.games.iter().flatten().flatten();
    let named: BTreeSet<i64> = games.flat_map(|game| [game.w, game.b]).collect();
    let (mut preliminary, mut ratings) = (0, Vec::new());
    for (at, player) in file.players.iter().enumerate() {
        if player.is_final == Some(false) && !named.contains(&player.id) {
            preliminary += 1;
            continue;
        }
        let [last, first] = [&player.name, &player.firstname]
            .map(|name| name.as_deref().unwrap_or_default().trim());
        let name = match (last.is_empty(), first.is_empty()) {
            (false, false) => format!("{last}, {first}"),
            _ => format!("{last}{first}"),
        };
        let place = format!("players[{at}]");
        let index = add(player.id, &name, &place, oddities)?;
        let id = player.egf.as_deref().map(str::trim).filter(|id| !id.is_empty());
        if let Some(id) = id {
            clean_name("the EGF PIN", id).map_err(|fault| fault.at(place.as_str()))?;
        }
        ratings.push((index, player.rating, id.map(str::to_owned)));
    }
    for (index, rating, id) in ratings {
        (players.list[index].rating, players.list[index].publisher_id) = (rating, id);
    }
    tell_preliminary(preliminary, oddities);
    Ok(players)
}

fn add_game(
    game: &Game,
    round: i64,
    place: String,
    players: &Players,
    rounds: &mut ByRound,
    oddities: &mut Oddities,
) -> Result<(), ImportError> {
    let known = |id: i64| {
        let unknown = || Fault::UnknownPlayer { name: id.to_string() }.at(place.as_str());
        players.known(&id.to_string()).ok_or_else(unknown)
    };
    // Who stands against nobody has a bye.
    if game.w == 0 || game.b == 0 {
        let player = known(game.w.max(game.b))?;
        return rounds.bye(round, player, ByeKind::Assigned, place);
    }
    let seats = [known(game.w)?, known(game.b)?];
    let result = match game.r.as_deref().unwrap_or("?") {
        "?" | "" => MatchResult::played(Score::default()),
        "w" => sheet::single_game([1, 0, 0]),
        "b" => sheet::single_game([0, 1, 0]),
        "=" => sheet::single_game([0, 0, 1]),
        "#" => sheet::ruled(How::Played, [Ruling::Win; 2]),
        "X" => sheet::ruled(How::Played, [Ruling::Loss; 2]),
        other => {
            let (found, expected) = (super::error::shortened(other), "w, b, =, #, X or ?".into());
            return Err(Fault::BadResult { found, expected }.at(place));
        }
    };
    rounds.game(round, game.t, seats, (result, place), oddities)
}
