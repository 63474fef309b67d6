//! The rounds of the players' lines: blocks of ten columns, each with opponent, colour and result.

use super::lines::Line;
use super::{Player, ROUNDS, most_rounds};
use crate::build::Oddities;
use crate::report::{ByeAsked, PointSystem, ReportMark};
use crate::source::{SourceBye, SourceRound, SourceSeat, SourceTable};
use crate::{Fault, ImportError, sheet};
use scrutineer_engine::event::{ByeKind, How, MatchResult, RoundWeight, Ruling, Score};
use std::collections::BTreeMap;

/// A block of ten columns.
const WIDTH: usize = 10;

/// What a player's line says of a round.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Block {
    /// The opponent's number; 0: none.
    opponent: u32,
    /// Their own colour, `w`, `b`, or a blank.
    colour: char,
    /// The result, in upper case, or a blank.
    result: char,
    /// Whether nothing stands there at all.
    is_blank: bool,
}

const NOTHING: Block = Block { opponent: 0, colour: ' ', result: ' ', is_blank: true };

/// The blocks of a player's line.
pub fn blocks(line: &Line<'_>) -> Result<Vec<Block>, ImportError> {
    let chars = line.from(ROUNDS);
    most_rounds(line, chars.len().div_ceil(WIDTH))?;
    chars.chunks(WIDTH).enumerate().map(|(at, chars)| block(line, at, chars)).collect()
}

fn block(line: &Line<'_>, at: usize, chars: &[char]) -> Result<Block, ImportError> {
    let column = ROUNDS + at * WIDTH;
    let of = |at: usize| chars.get(at).copied().unwrap_or(' ');
    let bad = |offset: usize, what: &str, found: String, expected: &str| {
        let (what, expected) = (what.to_owned(), expected.to_owned());
        Fault::BadValue { what, found, expected }.at(line.place(column + offset))
    };
    let opponent: String = chars.iter().take(4).collect::<String>().trim().to_owned();
    let opponent = match opponent.is_empty() {
        true => 0,
        false => opponent
            .parse()
            .map_err(|_| bad(0, "the opponent", opponent, "a pairing number, 0000 or blanks"))?,
    };
    let between = [4, 6, 8, 9].into_iter().find(|at| !of(*at).is_whitespace());
    if let Some(at) = between {
        return Err(bad(at, "a column between", of(at).into(), "a blank"));
    }
    let colour = match of(5).to_ascii_lowercase() {
        colour @ ('w' | 'b') => colour,
        '-' | ' ' | '\t' => ' ',
        other => return Err(bad(5, "the colour", other.into(), "w, b, - or a blank")),
    };
    let result = match of(7).to_ascii_uppercase() {
        result @ ('1' | '0' | '=' | 'W' | 'L' | 'D' | '+' | '-' | 'H' | 'F' | 'Z' | 'U' | '*') => {
            result
        }
        ' ' | '\t' => ' ',
        '½' => '=',
        other => {
            return Err(bad(
                7,
                "the result",
                other.into(),
                "one of 1 = 0 W D L + - H F Z U, or a blank",
            ));
        }
    };
    let is_blank = chars.iter().all(|c| c.is_whitespace());
    Ok(Block { opponent, colour, result, is_blank })
}

impl Block {
    /// What it says without an opponent; none: they were not paired.
    fn bye(self) -> Option<ByeKind> {
        match self.result {
            'U' => Some(ByeKind::Assigned),
            'F' | '+' | '1' | 'W' => Some(ByeKind::Awarded),
            'H' | '=' | 'D' => Some(ByeKind::Half),
            'Z' | '-' | '0' | 'L' => Some(ByeKind::Zero),
            _ => None,
        }
    }

    /// Whether its result is one of a game or a forfeit.
    fn is_of_match(self) -> bool {
        !matches!(self.result, 'H' | 'F' | 'Z' | 'U')
    }

    /// Whether its round was paired: they met somebody, or were left without an opponent.
    fn is_paired(self) -> bool {
        self.opponent > 0 && self.is_of_match()
            || matches!(self.result, 'U' | '+' | '1' | 'W' | '=' | 'D' | '0' | 'L')
    }
}

/// The last round of a player that was paired, from 0.
fn last_paired(player: &Player<'_>) -> Option<usize> {
    player.blocks.iter().rposition(|block| block.is_paired())
}

/// Takes the result from games in play, for which Lichess writes `Z` at both players. They are of the last round that
/// was paired; two who say that of an earlier one were away.
pub fn open_games(players: &mut [Player<'_>], by_number: &BTreeMap<u32, usize>) {
    let paired = players.iter().filter_map(last_paired).max();
    let mut in_play: Vec<(usize, usize)> = Vec::new();
    let listed: &[Player<'_>] = players;
    for (at, player) in listed.iter().enumerate() {
        for (round, own) in player.blocks.iter().enumerate().filter(|(_, own)| own.result == 'Z') {
            let other = by_number.get(&own.opponent).filter(|other| **other != at);
            let theirs = other.and_then(|other| listed[*other].blocks.get(round));
            let is_mutual =
                |theirs: &Block| (theirs.opponent, theirs.result) == (player.number, 'Z');
            if theirs.is_some_and(is_mutual) {
                in_play.push((at, round));
            }
        }
    }
    let last = paired.max(in_play.iter().map(|(_, round)| *round).max());
    for (at, round) in in_play.into_iter().filter(|(_, round)| Some(*round) == last) {
        players[at].blocks[round].result = ' ';
    }
}

/// What the first rounds of a player count, in tenths.
pub fn points(player: &Player<'_>, rounds: usize, system: &PointSystem) -> i64 {
    let of = |block: &Block| i64::from(system.of(block.result, block.colour == 'b'));
    player.blocks.iter().take(rounds).map(of).sum()
}

/// A round of a player, which is counted from 1.
fn mark(at: usize, player: usize) -> ReportMark {
    ReportMark { round: u16::try_from(at + 1).unwrap_or(u16::MAX), player }
}

/// What rounds are made of.
pub struct Reader<'a> {
    players: &'a [Player<'a>],
    by_number: &'a BTreeMap<u32, usize>,
    oddities: &'a mut Oddities,
    read: Read,
}

/// What stands in the players' lines.
#[derive(Default)]
pub struct Read {
    /// The rounds that were paired.
    pub rounds: Vec<SourceRound>,
    /// Whether a match has no result.
    pub is_open: bool,
    /// Byes for rounds that were not.
    pub asked: Vec<ByeAsked>,
    /// Games that are not rated.
    pub unrated: Vec<ReportMark>,
    /// Wins by forfeit of nobody.
    pub forfeit_byes: Vec<ReportMark>,
}

impl<'a> Reader<'a> {
    pub fn new(
        players: &'a [Player<'a>],
        by_number: &'a BTreeMap<u32, usize>,
        oddities: &'a mut Oddities,
    ) -> Reader<'a> {
        Reader { players, by_number, oddities, read: Read::default() }
    }

    /// Every round.
    pub fn rounds(mut self) -> Result<Read, ImportError> {
        let count = self.paired();
        for at in 0..count {
            let round = self.round(at)?;
            self.read.rounds.push(round);
        }
        self.asked(count);
        Ok(self.read)
    }

    /// How many rounds were paired: up to the last in which somebody met somebody or was left without an
    /// opponent, and further ones of which something is said at everybody. Byes of some stand there before
    /// their round is paired.
    fn paired(&self) -> usize {
        let last = self.players.iter().filter_map(last_paired).max();
        let mut count = last.map_or(0, |last| last + 1);
        let is_said = |player, round| !matches!(self.block(player, round).result, ' ' | '*');
        while !self.players.is_empty()
            && (0..self.players.len()).all(|player| is_said(player, count))
        {
            count += 1;
        }
        count
    }

    /// What players asked for in rounds to come.
    fn asked(&mut self, paired: usize) {
        for player in 0..self.players.len() {
            for at in paired..self.players[player].blocks.len() {
                let Some(kind) = self.block(player, at).bye() else { continue };
                let round = u16::try_from(at + 1).unwrap_or(u16::MAX);
                self.read.asked.push(ByeAsked { round, player, kind });
            }
        }
    }

    fn place(&self, player: usize, round: usize) -> String {
        self.players[player].line.place(ROUNDS + round * WIDTH)
    }

    fn block(&self, player: usize, round: usize) -> Block {
        self.players[player].blocks.get(round).copied().unwrap_or(NOTHING)
    }

    fn round(&mut self, at: usize) -> Result<SourceRound, ImportError> {
        let name = format!("Round {}", at + 1);
        let (tables, byes) = (Vec::new(), Vec::new());
        let mut round = SourceRound { name, weight: RoundWeight::ONE, tables, byes };
        for player in 0..self.players.len() {
            let own = self.block(player, at);
            let place = self.place(player, at);
            if own.opponent > 0 && own.is_of_match() {
                // Told once, at whoever stands first in the file.
                let other = self.opponent(player, at)?;
                if other >= player || !self.is_mutual(player, other, at) {
                    round.tables.push(self.table(player, other, at)?);
                }
                continue;
            }
            if own.opponent > 0 {
                let sentence = format!("{} needs no opponent; it is read as a bye.", own.result);
                self.oddities.add(&place, sentence);
            }
            if !matches!(own.result, 'U' | 'F' | 'H' | 'Z' | '+' | '-' | '*' | ' ') {
                let result = own.result;
                let sentence =
                    format!("{result} without an opponent is read as a bye of its points.");
                self.oddities.add(&place, sentence);
            }
            if own.result == '+' {
                self.read.forfeit_byes.push(mark(at, player));
            }
            if let Some(kind) = own.bye() {
                round.byes.push(SourceBye { player, kind, reported: None, place });
            }
        }
        Ok(round)
    }

    fn opponent(&self, player: usize, at: usize) -> Result<usize, ImportError> {
        let number = self.block(player, at).opponent;
        self.by_number.get(&number).copied().ok_or_else(|| {
            Fault::UnknownPlayer { name: number.to_string() }.at(self.place(player, at))
        })
    }

    /// Whether the opponent's line tells of the match too.
    fn is_mutual(&self, player: usize, other: usize, at: usize) -> bool {
        let theirs = self.block(other, at);
        theirs.opponent == self.players[player].number && theirs.is_of_match()
    }

    fn table(
        &mut self,
        player: usize,
        other: usize,
        at: usize,
    ) -> Result<SourceTable, ImportError> {
        let place = self.place(player, at);
        let (own, theirs) = (self.block(player, at), self.block(other, at));
        if !self.is_mutual(player, other, at) && player != other {
            let number = self.players[other].number;
            if !theirs.is_blank {
                let what = format!("round {} of player {number}", at + 1);
                let found = format!("{:4} {} {}", theirs.opponent, theirs.colour, theirs.result);
                let expected = format!("player {} as the opponent", self.players[player].number);
                return Err(Fault::BadValue { what, found, expected }.at(self.place(other, at)));
            }
            let sentence = format!("Of this match nothing stands at player {number}.");
            self.oddities.add(&place, sentence);
        }
        let is_black = own.colour == 'b' || own.colour == ' ' && theirs.colour == 'w';
        if own.colour == theirs.colour && own.colour != ' ' {
            self.oddities.add(&place, "Both have the same colour.");
        }
        let results = [own.result, theirs.result];
        if results.iter().any(|result| matches!(result, 'W' | 'D' | 'L')) {
            self.read.unrated.push(mark(at, player));
        }
        let (seats, results) = match is_black {
            false => ([player, other], results),
            true => ([other, player], [results[1], results[0]]),
        };
        let result = self.result(results, &place);
        self.read.is_open |= result.score == Score::default() && result.rulings.is_empty();
        let role = |player| SourceSeat { player, role: 0 };
        Ok(SourceTable { table: None, seats: seats.map(role).to_vec(), result, place })
    }

    /// The result of a match from what stands at white and at black.
    fn result(&mut self, results: [char; 2], place: &str) -> MatchResult {
        let open = |result: char| if result == '*' { ' ' } else { result };
        let results = results.map(open);
        let mirrored = |result: char| match result {
            '1' => '0',
            '0' => '1',
            'W' => 'L',
            'L' => 'W',
            '+' => '-',
            '-' => '+',
            same => same,
        };
        let results = match results {
            [' ', ' '] => return MatchResult::played(Score::default()),
            [' ', one] => [mirrored(one), one],
            [one, ' '] => [one, mirrored(one)],
            both => both,
        };
        match results {
            ['1', '0'] | ['W', 'L'] => sheet::single_game([1, 0, 0]),
            ['0', '1'] | ['L', 'W'] => sheet::single_game([0, 1, 0]),
            ['=', '='] | ['D', 'D'] => sheet::single_game([0, 0, 1]),
            ['+', '-'] => sheet::ruled(How::Forfeit, [Ruling::Win, Ruling::Loss]),
            ['-', '+'] => sheet::ruled(How::Forfeit, [Ruling::Loss, Ruling::Win]),
            ['-', '-'] => sheet::ruled(How::Forfeit, [Ruling::Loss; 2]),
            [one, other] => {
                let sentence =
                    format!("{one} for white and {other} for black is read as a ruling for each.");
                self.oddities.add(place, sentence);
                let ruling = |result: char| match result {
                    '1' | 'W' | '+' => Ruling::Win,
                    '=' | 'D' => Ruling::Draw,
                    _ => Ruling::Loss,
                };
                sheet::ruled(How::Played, [ruling(one), ruling(other)])
            }
        }
    }
}
