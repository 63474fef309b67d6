//! The numbers of players, their rounds, points and ranks.

use super::{Dialect, MOST_POINTS_TENTHS, results, rules_named};
use crate::report::{ByeAsked, PointSystem, ReportMark};
use crate::source::{Source, SourcePhase, SourceTable};
use crate::trf::points;
use crate::trf::requests::of_bye;
use crate::written::WriteError;
use scrutineer_engine::event::ByeKind;
use std::collections::{BTreeMap, BTreeSet};

/// The numbers that players have in the report.
pub struct Numbers {
    pub of: Vec<u32>,
    /// From the number that a player had to the one that they have, where they are others: no program takes
    /// a report in which one is missing.
    pub changed: Option<BTreeMap<u32, u32>>,
}

impl Numbers {
    pub fn of(source: &Source) -> Numbers {
        let count = source.players.len() as u32;
        let own: Vec<u32> = source.players.iter().filter_map(|player| player.sign_up).collect();
        let once: BTreeSet<u32> = own.iter().copied().collect();
        let are_all = once.len() == source.players.len();
        if are_all
            && once.first().is_none_or(|first| *first == 1)
            && once.last().is_none_or(|last| *last == count)
        {
            return Numbers { of: own, changed: None };
        }
        if !are_all || source.report.is_by_line() {
            let of: Vec<u32> = (1..=count).collect();
            let had = source.players.iter().map(|player| player.sign_up);
            let changed = had.zip(&of).filter_map(|(had, has)| Some((had?, *has))).collect();
            return Numbers { of, changed: Some(changed) };
        }
        let changed: BTreeMap<u32, u32> = once.into_iter().zip(1..).collect();
        let of = own.iter().map(|number| changed.get(number).copied().unwrap_or(*number)).collect();
        Numbers { of, changed: Some(changed) }
    }

    /// That they are others, where somebody had one.
    pub fn told(&self) -> Option<String> {
        let changed = self.changed.as_ref()?.iter().filter(|(had, has)| had != has).count();
        (changed > 0).then(|| format!("numbers of players, which have no gaps now: {changed}"))
    }
}

/// What a player's line says of a round.
#[derive(Clone, Copy)]
pub struct Block {
    opponent: Option<usize>,
    colour: char,
    result: char,
}

/// Who is not paired: some programs take no blanks for that.
const NOT_PAIRED: Block = Block::alone('Z');

impl Block {
    const fn alone(result: char) -> Block {
        Block { opponent: None, colour: '-', result }
    }

    pub fn text(self, numbers: &[u32]) -> String {
        match self.opponent {
            Some(opponent) => format!("{:4} {} {}", numbers[opponent], self.colour, self.result),
            None => format!("0000 {} {}", self.colour, self.result),
        }
    }
}

/// The rounds of each player.
pub struct Rows {
    pub of: Vec<Vec<Block>>,
    /// How many of them were paired.
    pub played: usize,
    /// Byes of rounds that are further away than the next one.
    pub further: Vec<ByeAsked>,
    pub left_out: Vec<String>,
}

impl Rows {
    pub fn of(source: &Source, dialect: Dialect) -> Result<Rows, WriteError> {
        let players = source.players.len();
        let mut of: Vec<Vec<Block>> = vec![Vec::new(); players];
        let system = source.points.clone().unwrap_or_default();
        // One program fails over a win by forfeit of nobody; a bye of the pairing counts the same.
        let forfeit_bye = match dialect {
            Dialect::Programs if system.bye == system.forfeit_win => 'U',
            _ => '+',
        };
        let (mut unpaired, mut as_byes) = (0, 0);
        let marks = |marks: &[ReportMark]| -> BTreeSet<(usize, usize)> {
            marks.iter().map(|mark| (usize::from(mark.round), mark.player)).collect()
        };
        let report = &source.report;
        let (unrated, forfeit_byes) = (marks(&report.unrated), marks(&report.forfeit_byes));
        for (at, (_, round)) in source.rounds().enumerate() {
            let mut blocks: Vec<Option<Block>> = vec![None; players];
            for table in &round.tables {
                let [white, black] = table.seats[..] else {
                    let (round, seats) = (round.name.clone(), table.seats.len());
                    return Err(WriteError::NotTwo { round, seats });
                };
                let seats = [white.player, black.player];
                // A match that counts for nobody and is not played later is none: no program takes one without a
                // result.
                if table.result.is_void() && !table.result.is_postponed() {
                    seats.iter().for_each(|player| blocks[*player] = Some(NOT_PAIRED));
                    continue;
                }
                let is_unrated = seats.iter().any(|player| unrated.contains(&(at + 1, *player)));
                let [at_white, at_black] = results(table).map(|result| match result {
                    '1' if is_unrated => 'W',
                    '=' if is_unrated => 'D',
                    '0' if is_unrated => 'L',
                    result => result,
                });
                let block = |opponent, colour, result| {
                    Some(Block { opponent: Some(opponent), colour, result })
                };
                blocks[white.player] = block(black.player, 'w', at_white);
                blocks[black.player] = block(white.player, 'b', at_black);
            }
            for bye in &round.byes {
                let is_forfeit = forfeit_byes.contains(&(at + 1, bye.player));
                let result = if is_forfeit { forfeit_bye } else { of_bye(bye.kind) };
                as_byes += usize::from(is_forfeit && forfeit_bye == 'U');
                blocks[bye.player] = Some(Block::alone(result));
            }
            unpaired += blocks.iter().filter(|block| block.is_none()).count();
            for (row, block) in of.iter_mut().zip(blocks) {
                row.push(block.unwrap_or(NOT_PAIRED));
            }
        }
        let mut rows =
            Rows { of, played: source.rounds().count(), further: Vec::new(), left_out: Vec::new() };
        if unpaired > 0 {
            rows.left_out.push(format!(
                "that players were not paired, who are written as byes of no point: {unpaired}"
            ));
        }
        if as_byes > 0 {
            rows.left_out.push(format!(
                "wins by forfeit of nobody, which are written as byes and which `trf26` has: {as_byes}"
            ));
        }
        rows.asked(source, dialect);
        Ok(rows)
    }

    /// Byes of the next round stand behind the rounds that were paired, and so do those who left. A program takes the
    /// last of the blocks for the round that it is to pair, so those of further rounds stand there for nobody.
    fn asked(&mut self, source: &Source, dialect: Dialect) {
        let mut asked = source.report.asked.clone();
        asked.sort_by_key(|bye| bye.round);
        for bye in asked {
            let row = &mut self.of[bye.player];
            match row.len() == self.played && usize::from(bye.round) == self.played + 1 {
                true => row.push(Block::alone(of_bye(bye.kind))),
                false => self.further.push(bye),
            }
        }
        let count = self.further.len();
        match dialect {
            _ if count == 0 => {}
            // There 240 names teams.
            _ if source.report.names_teams() => {
                self.left_out.push(format!("byes of rounds that are further away: {count}"));
            }
            Dialect::Programs => self
                .left_out
                .push(format!("byes of rounds that are further away, which `trf26` has: {count}")),
            Dialect::Fide => {}
        }
        let planned = source.planned_rounds.map_or(0, usize::from);
        let last = source.rounds().last();
        let is_over =
            last.is_none_or(|(_, round)| round.tables.iter().all(SourceTable::has_result));
        if planned <= self.played || !is_over {
            return;
        }
        for drop in &source.drops {
            let row = &mut self.of[drop.player];
            if row.len() == self.played {
                row.push(Block::alone(of_bye(ByeKind::Zero)));
            }
        }
    }
}

/// For each round whether it is one of a bracket that follows another phase.
fn of_later_brackets(source: &Source) -> Vec<bool> {
    let later = |(at, phase): (usize, &SourcePhase)| {
        vec![at > 0 && phase.kind.is_bracket(); phase.rounds.len()]
    };
    source.phases.iter().enumerate().flat_map(later).collect()
}

/// Points and ranks.
pub struct Ranks {
    /// The points, in tenths.
    pub points: Vec<i64>,
    pub ranks: Vec<u32>,
    pub left_out: Vec<String>,
}

impl Ranks {
    pub fn of(source: &Source, rows: &Rows, numbers: &Numbers) -> Ranks {
        let system = source.points.clone().unwrap_or_default();
        let count_by = |system: &PointSystem, row: &[Block]| {
            let points = row.iter().map(|block| system.of(block.result, block.colour == 'b'));
            points.map(i64::from).sum::<i64>()
        };
        let count = |row: &[Block]| count_by(&system, row);
        let counted: Vec<i64> = rows.of.iter().map(|row| count(row)).collect();
        let mut published: Vec<Option<(i64, u32)>> = vec![None; source.players.len()];
        for row in &source.published {
            if let Some(place) = published.get_mut(row.player) {
                *place = Some((row.points_tenths, row.rank));
            }
        }
        let mut left_out = Vec::new();
        let unsaid = published.iter().filter(|own| own.is_none()).count();
        if unsaid > 0 {
            left_out
                .push(format!("that points and ranks are not known, which are counted: {unsaid}"));
        }
        // Programs refuse points that do not follow from results; what a report says itself stays.
        // Points of a round to come are counted there, and in standings they are not.
        let to_come: Vec<i64> =
            rows.of.iter().map(|row| count(row.get(rows.played..).unwrap_or_default())).collect();
        // So are those of a bracket, which a report has as rounds like all others.
        let is_later = of_later_brackets(source);
        let of_bracket = |row: &Vec<Block>| -> i64 {
            let blocks = row.iter().zip(&is_later).filter(|(_, is_later)| **is_later);
            blocks.map(|(block, _)| count(std::slice::from_ref(block))).sum()
        };
        let of_bracket: Vec<i64> = rows.of.iter().map(of_bracket).collect();
        // A report may count otherwise than a ruleset of 1, ½ and 0, which gives no points of its own here.
        let usual = PointSystem::default();
        let is_other = system != usual && source.report.has(&points::CODES);
        let is_usual = |at: usize, own: i64| {
            let of_rounds = rows.of[at].get(..rows.played).unwrap_or_default();
            is_other && count_by(&usual, of_rounds) == own
        };
        let (mut others, mut brackets, mut otherwise) = (0, 0, 0);
        for (at, own) in published.iter().enumerate() {
            let Some((own, _)) = *own else { continue };
            let follows = |more: i64| [more, more + to_come[at]].contains(&(counted[at] - own));
            match (follows(0), of_bracket[at] > 0 && follows(of_bracket[at])) {
                (true, _) => {}
                (false, true) => brackets += 1,
                (false, false) if is_usual(at, own) => otherwise += 1,
                (false, false) => others += 1,
            }
        }
        let stays = source.format == "trf";
        if brackets > 0 && !stays {
            left_out.push(format!(
                "that matches of a bracket add no points to the standings, which they do among the \
                 rounds of a report: {brackets}"
            ));
        }
        if otherwise > 0 && !stays {
            let rules = rules_named(source);
            left_out.push(format!(
                "points that are those of {rules} in the standings, while the report counts otherwise: {otherwise}"
            ));
        }
        if others > 0 && !stays {
            left_out.push(format!(
                "points that do not follow from results, such as penalties: {others}"
            ));
        }
        let points = published.iter().zip(&counted).map(|(own, counted)| match own {
            Some((points, _)) if stays && (0..=MOST_POINTS_TENTHS).contains(points) => *points,
            _ => (*counted).min(MOST_POINTS_TENTHS),
        });
        let points: Vec<i64> = points.collect();
        let mut order: Vec<usize> = (0..points.len()).collect();
        order.sort_by_key(|at| (std::cmp::Reverse(points[*at]), numbers.of[*at]));
        let mut ranks = vec![0; points.len()];
        for (rank, at) in (1..).zip(order) {
            ranks[at] = published[at].map_or(rank, |own| own.1);
        }
        Ranks { points, ranks, left_out }
    }
}
