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
type Step = (BTreeSet<Group>, Vec<Game>);

/// Somebody of whom only the match in the second round of the winners is known, in which they wait for who wins one of
/// the first: they, and that round in the platform's own numbers. Whoever is in a match may be among them.
pub(crate) type Waiting = (usize, i64);

/// The rounds of the winners that the matches of any file can have: 100,000 players of a single elimination have 17,
/// and 50,000 of a double one 16, the final and its reset.
const ROUNDS_OF_WINNERS: usize = 18;

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

    /// Whether it is a match without a result.
    pub fn is_open(&self) -> bool {
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
    games: Vec<Game>,
    is_over: bool,
    oddities: &mut Oddities,
) -> Result<Vec<SourceRound>, ImportError> {
    rounds_with(games, &[], is_over, oddities)
}

/// The same with those of whom only a match in the second round is known while the bracket runs: they have byes in the
/// first one.
///
/// # Errors
/// Where there are more rounds than a tournament can have.
pub(crate) fn rounds_with(
    mut games: Vec<Game>,
    waiting: &[Waiting],
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
    let listed = furthest(games.iter(), level);
    // A match that is to come as well is not one that somebody played on to.
    let played = furthest(games.iter().filter(|game| !game.is_open()), level);
    let goes_beyond = |game: &Game, furthest: &BTreeMap<usize, usize>| {
        let mut most = game.players.iter().filter_map(|player| furthest.get(player));
        most.any(|most| *most > level(game))
    };
    // Whoever plays on does not wait for it.
    let waits = |game: &&Game| game.is_open() && !goes_beyond(game, &played);
    let open = games.iter().filter(waits).map(level).min();
    // Who has a bye in a round shows in the later ones, before these are held back.
    let mut byes = byes(&games, if is_over { &[] } else { waiting }, oddities);
    if let Some(open) = open.filter(|_| !is_over && !has_champion(games.iter())) {
        tell_ahead(games.iter().filter(|game| level(game) > open), oddities);
        games.retain(|game| level(game) <= open);
        byes.retain(|bye| level(bye) <= open);
        last = open;
    }
    let stays: Vec<bool> =
        games.iter().map(|game| !game.is_open() || goes_beyond(game, &listed)).collect();
    let stays = stays.into_iter().chain(std::iter::repeat(true));
    let mut rounds: BTreeMap<usize, Step> = BTreeMap::new();
    for (game, stays) in games.into_iter().chain(byes).zip(stays) {
        let group = game.group();
        let level = if stays { levels.get(&group).copied().unwrap_or(last) } else { last };
        let (groups, games) = rounds.entry(level).or_default();
        groups.insert(group);
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

/// Tells of matches that were played behind what is not over: they wait.
pub(crate) fn tell_ahead<'a>(games: impl Iterator<Item = &'a Game>, oddities: &mut Oddities) {
    let mut ahead = games.filter(|game| !game.is_open());
    let Some(first) = ahead.next() else { return };
    let sentence = format!(
        "Matches that were played ahead of a round that is not over: {}. They are recorded once it is.",
        1 + ahead.count()
    );
    oddities.add(&first.place, sentence);
}

/// How far everybody is in these matches.
fn furthest<'a>(
    games: impl Iterator<Item = &'a Game>,
    level: impl Fn(&Game) -> usize,
) -> BTreeMap<usize, usize> {
    let mut furthest: BTreeMap<usize, usize> = BTreeMap::new();
    for game in games {
        for player in &game.players {
            let most = furthest.entry(*player).or_default();
            *most = level(game).max(*most);
        }
    }
    furthest
}

/// Whether everybody but one is out.
pub(crate) fn has_champion<'a>(games: impl Iterator<Item = &'a Game> + Clone) -> bool {
    let is_double = games.clone().any(|game| game.side == Side::Losers);
    let mut lost: BTreeMap<usize, usize> = BTreeMap::new();
    for game in games.filter(|game| game.side != Side::Beside) {
        for player in &game.players {
            *lost.entry(*player).or_default() += usize::from(game.lost == Some(*player));
        }
    }
    lost.values().filter(|lost| **lost < 1 + usize::from(is_double)).count() < 2
}

fn round(
    number: usize,
    groups: BTreeSet<Group>,
    games: Vec<Game>,
    ordinals: &BTreeMap<Group, usize>,
) -> SourceRound {
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
    let groups: BTreeSet<Group> = games.iter().map(Game::group).collect();
    let groups: Vec<Group> = groups.into_iter().collect();
    let number = |at: &usize| groups.binary_search(&games.get(*at)?.group()).ok();
    let mut after: Vec<(usize, usize)> = Vec::new();
    for (at, two) in groups.windows(2).enumerate() {
        if two[0].0 == two[1].0 {
            after.push((at, at + 1));
        }
    }
    for own in careers(games).values() {
        let numbers: Vec<usize> = own.iter().filter_map(number).collect();
        after.extend(numbers.windows(2).map(|two| (two[0], two[1])));
    }
    after.retain(|(before, later)| before != later);
    after.sort_unstable();
    after.dedup();
    let mut needed = vec![0_usize; groups.len()];
    after.iter().for_each(|(_, later)| needed[*later] += 1);
    // A round is ready once all that it needs are placed.
    let mut ready: Vec<usize> = (0..groups.len()).filter(|at| needed[*at] == 0).collect();
    let (mut levels, mut placed) = (vec![0_usize; groups.len()], 0);
    while let Some(at) = ready.pop() {
        placed += 1;
        let first = after.partition_point(|(before, _)| *before < at);
        for (_, later) in after[first..].iter().take_while(|(before, _)| *before == at) {
            levels[*later] = levels[*later].max(levels[at] + 1);
            needed[*later] -= 1;
            if needed[*later] == 0 {
                ready.push(*later);
            }
        }
    }
    // Rounds that each need the other, as no bracket has: each by itself.
    if placed < groups.len() {
        levels = (0..groups.len()).collect();
    }
    groups.into_iter().zip(levels).collect()
}

/// A bye for each round of the winners before somebody's first match, since a hole of a bracket is one. Where there
/// are more of them than matches that are read, as in no real file, the further ones are not added.
fn byes(games: &[Game], waiting: &[Waiting], oddities: &mut Oddities) -> Vec<Game> {
    let mut rounds: Vec<i64> =
        games.iter().filter(|game| game.side == Side::Winners).map(|game| game.round).collect();
    rounds.sort_unstable();
    rounds.dedup();
    if rounds.len() > ROUNDS_OF_WINNERS {
        return Vec::new();
    }
    let careers = careers(games);
    let firsts = careers.iter().filter_map(|(player, own)| {
        let first = games.get(*own.first()?)?;
        (first.side == Side::Winners).then_some((*player, first.round, first.place.as_str()))
    });
    let is_new = |player: usize| !careers.contains_key(&player);
    let place = games.first().map_or("", |game| game.place.as_str());
    let waiting: BTreeMap<usize, i64> = waiting.iter().copied().collect();
    let waiting = waiting.into_iter().filter(|(player, round)| {
        is_new(*player) && rounds.iter().take_while(|before| *before < round).count() == 1
    });
    let waiting = waiting.map(|(player, round)| (player, round, place));
    let mut firsts: Vec<(usize, i64, &str)> = firsts.chain(waiting).collect();
    // The same order as once all matches are known.
    firsts.sort_unstable();
    let mut byes = Vec::new();
    for (player, first, place) in firsts {
        let before = rounds.iter().take_while(|round| **round < first);
        if byes.len() + before.clone().count() > limits::TABLES {
            let sentence = "So many players have no match that no byes are added from here on.";
            oddities.add(place, sentence);
            break;
        }
        byes.extend(before.map(|round| {
            let group = (Side::Winners, *round);
            Game::new(group, vec![player], super::outcome::open(), place.to_owned())
        }));
    }
    byes
}
