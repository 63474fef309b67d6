//! How such a file is written: so that pairing programs and federations take it.

use crate::sheet;
use crate::source::{Source, SourceBye, SourcePlayer, SourceTable};
use crate::written::{WriteError, Written};
use scrutineer_engine::event::{ByeKind, How, PhaseKind, Ruling};
use std::fmt::Write;

/// How many letters of a name there is room for.
const NAME: usize = 33;
/// The most points that there is room for, in tenths.
const MOST_POINTS_TENTHS: i64 = 999;
/// The most players, by the digits of a number.
pub(crate) const MOST_PLAYERS: usize = 9_999;

/// Writes a tournament as TRF16 with the number of rounds as TRF26 and pairing programs say it. The order of
/// its players gives their numbers; points and ranks are those of its published standings.
///
/// # Errors
/// Where a match is not one of two players, or there are too many.
pub fn write(source: &Source) -> Result<Written, WriteError> {
    if source.players.len() > MOST_PLAYERS {
        return Err(WriteError::TooMany { players: source.players.len(), most: MOST_PLAYERS });
    }
    let rounds: Vec<Vec<Block>> = blocks(source)?;
    let planned = rounds.len().max(source.planned_rounds.map_or(0, usize::from));
    let mut text = String::new();
    let mut line = |id: &str, value: &str| {
        // A text takes whatever is written into it.
        let _ = writeln!(text, "{id} {}", value.trim());
    };
    line("012", &source.title);
    if let Some(day) = source.held_on {
        line("042", &day.to_string().replace('-', "/"));
    }
    line("062", &source.players.len().to_string());
    line(
        "092",
        match source.phases.first().map(|phase| phase.kind) {
            Some(PhaseKind::RoundRobin) => "Individual: Round-Robin",
            _ => "Individual: Swiss-System",
        },
    );
    if planned > 0 {
        line("142", &planned.to_string());
        line("XXR", &planned.to_string());
    }
    for (at, player) in source.players.iter().enumerate() {
        let own = source.published.iter().find(|row| row.player == at);
        let points = own.map_or(0, |row| row.points_tenths);
        let has_room = (0..=MOST_POINTS_TENTHS).contains(&points);
        let rank = own.map_or(String::new(), |row| row.rank.to_string());
        let number = at + 1;
        let rating = player.rating.filter(|rating| (1..=9_999).contains(rating)).unwrap_or(0);
        let id = player.publisher_id.as_deref().filter(|id| fits_id(id)).unwrap_or_default();
        let name = short(&player.name);
        let points = has_room.then(|| format!("{}.{}", points / 10, points % 10));
        let points = points.unwrap_or_default();
        let _ = write!(
            text,
            "001 {number:4}      {name:NAME$} {rating:4}     {id:>11}            {points:>4} {rank:>4}"
        );
        for block in rounds.iter().map(|round| round[at]) {
            let _ = write!(text, "  {}", block.text());
        }
        text.truncate(text.trim_end_matches(' ').len());
        text.push('\n');
    }
    Ok(Written { text, left_out: left_out(source) })
}

/// What a player's line says of a round.
#[derive(Clone, Copy)]
struct Block {
    opponent: Option<usize>,
    colour: char,
    result: char,
}

/// Who is not paired: some programs take no blanks for that.
const NOT_PAIRED: Block = Block { opponent: None, colour: '-', result: 'Z' };

impl Block {
    fn text(self) -> String {
        match self.opponent {
            Some(opponent) => format!("{:4} {} {}", opponent + 1, self.colour, self.result),
            None => format!("0000 {} {}", self.colour, self.result),
        }
    }
}

/// For each round the block of each player.
fn blocks(source: &Source) -> Result<Vec<Vec<Block>>, WriteError> {
    let mut rounds = Vec::new();
    for (_, round) in source.rounds() {
        let mut blocks = vec![NOT_PAIRED; source.players.len()];
        for table in &round.tables {
            let [white, black] = table.seats[..] else {
                let (round, seats) = (round.name.clone(), table.seats.len());
                return Err(WriteError::NotTwo { round, seats });
            };
            let [at_white, at_black] = results(table);
            let opponent = Some(black.player);
            blocks[white.player] = Block { opponent, colour: 'w', result: at_white };
            let opponent = Some(white.player);
            blocks[black.player] = Block { opponent, colour: 'b', result: at_black };
        }
        for bye in &round.byes {
            blocks[bye.player] = Block { opponent: None, colour: '-', result: of_bye(bye) };
        }
        rounds.push(blocks);
    }
    Ok(rounds)
}

/// The results of white and of black.
pub(crate) fn results(table: &SourceTable) -> [char; 2] {
    let result = &table.result;
    let was_played = !matches!(result.how, How::Forfeit | How::NoShow);
    let rulings = &result.rulings[..];
    let of_ruling = |seat: usize| match rulings.get(seat).copied().flatten() {
        Some(Ruling::Win) if was_played => '1',
        Some(Ruling::Win) => '+',
        Some(Ruling::Loss) if was_played => '0',
        Some(Ruling::Loss) => '-',
        Some(Ruling::Draw) => '=',
        _ => ' ',
    };
    if rulings.iter().any(Option::is_some) {
        return [of_ruling(0), of_ruling(1)];
    }
    match sheet::games_of(&result.score) {
        None => [' ', ' '],
        Some([one, other, _]) => match one.cmp(&other) {
            std::cmp::Ordering::Greater => ['1', '0'],
            std::cmp::Ordering::Less => ['0', '1'],
            std::cmp::Ordering::Equal => ['=', '='],
        },
    }
}

fn of_bye(bye: &SourceBye) -> char {
    match bye.kind {
        ByeKind::Assigned | ByeKind::Vacant => 'U',
        ByeKind::Awarded => 'F',
        ByeKind::Half => 'H',
        ByeKind::Zero | ByeKind::AwardedLoss => 'Z',
    }
}

fn short(name: &str) -> String {
    name.chars().take(NAME).collect()
}

/// Whether an id is one that the column is for: digits, as FIDE gives them.
fn fits_id(id: &str) -> bool {
    (1..=11).contains(&id.len()) && id.bytes().all(|byte| byte.is_ascii_digit())
}

/// What the file does not hold of a tournament.
fn left_out(source: &Source) -> Vec<String> {
    let mut left_out = Vec::new();
    let mut tell = |count: usize, what: &str| {
        if count > 0 {
            left_out.push(format!("{what}: {count}"));
        }
    };
    let players =
        |is: &dyn Fn(&SourcePlayer) -> bool| source.players.iter().filter(|one| is(one)).count();
    let tables = |is: &dyn Fn(&SourceTable) -> bool| {
        source.rounds().flat_map(|(_, round)| &round.tables).filter(|table| is(table)).count()
    };
    let byes = |kinds: &[ByeKind]| {
        let all = source.rounds().flat_map(|(_, round)| &round.byes);
        all.filter(|bye| kinds.contains(&bye.kind)).count()
    };
    tell(tables(&|table| table.table.is_some()), "numbers of tables");
    let is_one_game = |table: &SourceTable| {
        let score = &table.result.score;
        let is_nothing = score.seats.iter().flatten().chain(&score.table).all(|value| *value == 0);
        let one = sheet::games_of(score);
        is_nothing || matches!(one, Some([1, 0, 0] | [0, 1, 0] | [0, 0, 1]))
    };
    tell(
        tables(&|table| !is_one_game(table)),
        "scores of matches, of which only the winner is written",
    );
    tell(byes(&[ByeKind::Vacant]), "opponents who were gone, written as byes");
    tell(byes(&[ByeKind::AwardedLoss]), "awarded losses, written as byes of no point");
    tell(players(&|one| one.division.is_some()), "divisions of players");
    tell(players(&|one| one.name.chars().count() > NAME), "names that were shortened");
    let is_lost = |id: &str| !fits_id(id);
    tell(
        players(&|one| one.publisher_id.as_deref().is_some_and(is_lost)),
        "ids that are not FIDE's",
    );
    tell(source.drops.len(), "players who left");
    tell(source.phases.len().saturating_sub(1), "further phases, written as rounds of one");
    let is_too_high =
        |row: &&crate::source::PublishedRow| !(0..=MOST_POINTS_TENTHS).contains(&row.points_tenths);
    tell(source.published.iter().filter(is_too_high).count(), "points without room");
    left_out
}
