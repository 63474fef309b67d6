//! From the matches of a bracket, each with its side and the platform's own number of a round, to rounds in which
//! everybody appears once at most.

use std::collections::{BTreeMap, BTreeSet};

use super::build::Oddities;
use super::source::{SourceBye, SourceRound, SourceSeat, SourceTable};
use super::{Fault, ImportError, limits, phases};
use scrutineer_engine::event::{ByeKind, MatchResult, RoundWeight};

/// A side of a bracket.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Side {
    /// Of those who have not lost.
    Winners,
    /// Of those who lost once.
    Losers,
    /// A match beside the bracket, such as that for the third place.
    Beside,
}

/// A round of a side, in the platform's own numbers.
type Group = (Side, i64);

/// What is played at one step.
type Step = (Vec<Group>, Vec<Game>);

/// A match of a bracket, or a bye.
#[derive(Clone, Debug)]
pub(crate) struct Game {
    pub side: Side,
    /// The round of that side, in the platform's own numbers.
    pub round: i64,
    /// Who plays: two, or one who has a bye.
    pub players: Vec<usize>,
    /// Who of them lost, as far as it was played.
    pub lost: Option<usize>,
    pub result: MatchResult,
    pub table: Option<u32>,
    pub place: String,
}

impl Game {
    /// A match, or a bye of one player.
    pub fn new(
        (side, round): Group,
        players: Vec<usize>,
        result: MatchResult,
        place: String,
    ) -> Game {
        let mut game = Game { side, round, players, lost: None, result, table: None, place };
        if let [first, second] = game.players[..] {
            let won = phases::winning_seat(&game.result);
            game.lost = won.map(|seat| if seat == 0 { second } else { first });
        }
        game
    }

    fn group(&self) -> Group {
        (self.side, self.round)
    }

    fn is_open(&self) -> bool {
        self.players.len() > 1
            && self.result.score.seats.is_empty()
            && self.result.rulings.is_empty()
    }
}

/// The rounds, in an order in which they can have been played: a round of the losers is played with the first of
/// the winners that does not need it. While the bracket runs, what is behind a round that is not over waits, as each
/// match belongs to its own round: what was played ahead is told. Once it is over, or `is_over` says so, a match that
/// was not played stands in the last one; that of somebody who played on all the same stays in its own.
///
/// # Errors
/// Where there are more rounds than a tournament can have.
pub(crate) fn rounds(
    mut games: Vec<Game>,
    is_over: bool,
    oddities: &mut Oddities,
) -> Result<Vec<SourceRound>, ImportError> {
    for game in games.iter().filter(|game| game.side == Side::Beside) {
        let sentence = "The match is played beside the bracket, such as for the third place: it is kept, and decides no \
                        place here.";
        oddities.add(&game.place, sentence);
    }
    let groups: BTreeSet<Group> = games.iter().map(Game::group).collect();
    if groups.len() > limits::ROUNDS {
        return Err(Fault::TooMany { what: "rounds", limit: limits::ROUNDS }.into());
    }
    let levels = levels(&games);
    let level = |game: &Game| levels.get(&game.group()).copied().unwrap_or(0);
    let mut last = levels.values().copied().max().unwrap_or(0);
    let mut furthest: BTreeMap<usize, usize> = BTreeMap::new();
    for game in &games {
        for player in &game.players {
            let most = furthest.entry(*player).or_default();
            *most = level(game).max(*most);
        }
    }
    // Whoever plays on does not wait for it.
    let is_left_behind =
        |game: &Game| game.players.iter().any(|player| furthest[player] > level(game));
    let waits = |game: &&Game| game.is_open() && !is_left_behind(game);
    let open = games.iter().filter(waits).map(level).min();
    if let Some(open) = open.filter(|_| !is_over && !has_champion(&games)) {
        let ahead = games.iter().filter(|game| level(game) > open && !game.is_open());
        if let Some(first) = ahead.clone().map(|game| game.place.clone()).next() {
            let sentence = format!(
                "Matches that were played ahead of a round that is not over: {}. They are recorded once it is.",
                ahead.count()
            );
            oddities.add(&first, sentence);
        }
        games.retain(|game| level(game) <= open);
        last = open;
    }
    let stays: Vec<bool> =
        games.iter().map(|game| !game.is_open() || is_left_behind(game)).collect();
    let stays = stays.into_iter().chain(std::iter::repeat(true));
    let mut rounds: BTreeMap<usize, Step> = BTreeMap::new();
    for (game, stays) in with_byes(games).into_iter().zip(stays) {
        let group = game.group();
        let level = if stays { levels.get(&group).copied().unwrap_or(last) } else { last };
        let (groups, games) = rounds.entry(level).or_default();
        if !groups.contains(&group) {
            groups.push(group);
        }
        games.push(game);
    }
    let mut ordinals: BTreeMap<Group, usize> = BTreeMap::new();
    for group in levels.keys() {
        let before = ordinals.keys().filter(|(side, _)| *side == group.0).count();
        ordinals.insert(*group, before + 1);
    }
    let numbered = (1..).zip(rounds.into_values());
    Ok(numbered.map(|(number, (groups, games))| round(number, groups, games, &ordinals)).collect())
}

/// Whether everybody but one is out.
fn has_champion(games: &[Game]) -> bool {
    let is_double = games.iter().any(|game| game.side == Side::Losers);
    let mut lost: BTreeMap<usize, usize> = BTreeMap::new();
    for game in games.iter().filter(|game| game.side != Side::Beside) {
        for player in &game.players {
            *lost.entry(*player).or_default() += usize::from(game.lost == Some(*player));
        }
    }
    lost.values().filter(|lost| **lost < 1 + usize::from(is_double)).count() < 2
}

fn round(
    number: usize,
    mut groups: Vec<Group>,
    games: Vec<Game>,
    ordinals: &BTreeMap<Group, usize>,
) -> SourceRound {
    groups.sort_unstable();
    let is_double = ordinals.keys().any(|(side, _)| *side == Side::Losers);
    let words = groups.iter().map(|group| {
        let ordinal = ordinals.get(group).copied().unwrap_or(0);
        match group.0 {
            Side::Winners => format!("winners {ordinal}"),
            Side::Losers => format!("losers {ordinal}"),
            Side::Beside => "a match beside".to_owned(),
        }
    });
    let name = match is_double {
        true => format!("Round {number}: {}", words.collect::<Vec<_>>().join(", ")),
        false => format!("Round {number}"),
    };
    let (mut tables, mut byes) = (Vec::new(), Vec::new());
    for game in games {
        let (place, result) = (game.place, game.result);
        match game.players[..] {
            [player] => {
                byes.push(SourceBye { player, kind: ByeKind::Assigned, reported: None, place });
            }
            _ => {
                let seat = |player: &usize| SourceSeat { player: *player, role: 0 };
                let seats = game.players.iter().map(seat).collect();
                tables.push(SourceTable { table: game.table, seats, result, place });
            }
        }
    }
    // Two sides of a bracket may both count their tables from 1.
    let mut numbers: Vec<u32> = tables.iter().filter_map(|table| table.table).collect();
    numbers.sort_unstable();
    if numbers.windows(2).any(|two| two[0] == two[1]) {
        tables.iter_mut().for_each(|table| table.table = None);
    }
    SourceRound { name, weight: RoundWeight::ONE, tables, byes }
}

/// Each player's matches in the order in which they can have played them: those of the winners up to their first
/// loss, those of the losers, the final and its reset.
fn careers(games: &[Game]) -> BTreeMap<usize, Vec<usize>> {
    let mut careers: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for (at, game) in games.iter().enumerate() {
        for player in &game.players {
            careers.entry(*player).or_default().push(at);
        }
    }
    for (player, own) in &mut careers {
        let lost = own
            .iter()
            .filter_map(|at| games.get(*at))
            .filter(|game| game.side == Side::Winners && game.lost == Some(*player));
        let lost = lost.map(|game| game.round).min().unwrap_or(i64::MAX);
        own.sort_by_key(|at| match games.get(*at).map(Game::group) {
            Some((Side::Winners, round)) if round <= lost => (0, round),
            Some((Side::Losers, round)) => (1, round),
            Some((Side::Winners, round)) => (2, round),
            Some((Side::Beside, round)) => (3, round),
            None => (4, 0),
        });
    }
    careers
}

/// For each round of each side the step at which it can be played.
fn levels(games: &[Game]) -> BTreeMap<Group, usize> {
    let mut levels: BTreeMap<Group, usize> = games.iter().map(|game| (game.group(), 0)).collect();
    let groups: Vec<Group> = levels.keys().copied().collect();
    let mut after: Vec<(Group, Group)> = Vec::new();
    for two in groups.windows(2) {
        if two[0].0 == two[1].0 {
            after.push((two[0], two[1]));
        }
    }
    for own in careers(games).values() {
        for two in own.windows(2) {
            let [Some(before), Some(later)] = [two[0], two[1]].map(|at| games.get(at)) else {
                continue;
            };
            after.push((before.group(), later.group()));
        }
    }
    after.sort_unstable();
    after.dedup();
    for _ in 0..=groups.len() {
        let mut moved = false;
        for (before, later) in &after {
            let least = levels.get(before).copied().unwrap_or(0) + 1;
            if before != later && levels.get(later).is_some_and(|level| *level < least) {
                levels.insert(*later, least);
                moved = true;
            }
        }
        if !moved {
            return levels;
        }
    }
    // Rounds that each need the other, as no bracket has: each by itself.
    groups.into_iter().enumerate().map(|(at, group)| (group, at)).collect()
}

/// Adds a bye for each round of the winners before somebody's first match, since a hole of a bracket is one.
fn with_byes(mut games: Vec<Game>) -> Vec<Game> {
    let mut rounds: Vec<i64> =
        games.iter().filter(|game| game.side == Side::Winners).map(|game| game.round).collect();
    rounds.sort_unstable();
    rounds.dedup();
    // The largest bracket that there can be has fewer.
    if rounds.len() > 32 {
        return games;
    }
    let mut byes = Vec::new();
    for (player, own) in careers(&games) {
        let Some(first) = own.first().and_then(|at| games.get(*at)) else { continue };
        if first.side != Side::Winners {
            continue;
        }
        for round in rounds.iter().take_while(|round| **round < first.round) {
            byes.push(Game {
                round: *round,
                players: vec![player],
                lost: None,
                result: super::outcome::open(),
                table: None,
                ..first.clone()
            });
        }
    }
    games.extend(byes);
    games
}
