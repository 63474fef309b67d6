//! How the slots of a bracket hang together.

use super::{Bracket, FINAL, LOWER, Node, Source, UPPER};

impl Bracket {
    /// Single elimination for 2 to 65,536 entrants, by the placing that documents print for
    /// eight: 1 v 8, 4 v 5, 2 v 7, 3 v 6, and the winners of neighbours meet. Seeds above the
    /// number of entrants are nobody, so the highest seeds have byes.
    pub fn single(entrants: u32) -> Bracket {
        let rounds = rounds(entrants);
        let mut build = Build::default();
        let mut winners = build.first_stage(rounds);
        for stage in 2..=rounds as u16 {
            winners = build.halve(stage, UPPER, &winners);
        }
        Bracket { nodes: build.nodes, entrants, double: false }
    }

    /// Double elimination for 2 to 65,536 entrants.
    ///
    /// Whoever loses in the upper bracket drops into the lower one at the very next stage: the
    /// losers of stage 1 meet each other; the losers of each later upper round meet the players
    /// left in the lower bracket, *crossed*, so that they meet whom they have beaten as late as
    /// may be. The lower bracket needs two rounds for each upper one, so the upper bracket is
    /// played at stages 1, 2, 4, 6, … and the lower one at 2, 3, 4, 5, …; then come the grand
    /// final and, where the lower bracket's winner wins it, the second final.
    pub fn double(entrants: u32) -> Bracket {
        let rounds = rounds(entrants);
        let mut build = Build::default();
        let mut upper = build.first_stage(rounds);
        // Those left in the lower bracket, top to bottom.
        let mut lower: Vec<Source> = upper.iter().map(|slot| Source::LoserOf(*slot)).collect();
        for round in 2..=rounds {
            let stage = 2 * (round as u16 - 1);
            upper = build.halve(stage, UPPER, &upper);
            let survivors = build.halve_sources(stage, LOWER, &lower);
            let cross = crossing(round, upper.len());
            lower = (0..)
                .zip(&survivors)
                .map(|(at, slot)| {
                    let from = upper[at ^ cross];
                    let sources = [Source::WinnerOf(*slot), Source::LoserOf(from)];
                    Source::WinnerOf(build.add(stage + 1, LOWER, sources))
                })
                .collect();
        }
        let stage = 2 * rounds as u16;
        // With two entrants there is no lower bracket: its winner is the loser of their match.
        let first = build.add(stage, FINAL, [Source::WinnerOf(upper[0]), lower[0]]);
        build.add(stage + 1, FINAL, [Source::WinnerOf(first), Source::LoserOf(first)]);
        Bracket { nodes: build.nodes, entrants, double: true }
    }
}

/// How many upper rounds so many entrants need.
fn rounds(entrants: u32) -> u32 {
    entrants.max(2).next_power_of_two().ilog2()
}

/// The losers of upper match i of a round with so many matches drop in at i XOR this number.
///
/// Such a crossing maps each branch of the bracket onto a whole branch. A player of upper round
/// q meets one whom they beat in round r no sooner than where the crossings of the two rounds,
/// written from their highest bit on, begin to agree. So neighbouring rounds differ in the
/// highest bit, rounds two apart in the next, and so on: the round's number, mirrored.
fn crossing(round: u32, matches: usize) -> usize {
    let bits = matches.ilog2();
    (0..bits).filter(|bit| (round - 1) >> bit & 1 == 1).map(|bit| 1 << (bits - 1 - bit)).sum()
}

#[derive(Default)]
struct Build {
    nodes: Vec<Node>,
}

impl Build {
    fn add(&mut self, stage: u16, group: u32, sources: [Source; 2]) -> u32 {
        let slot = self.nodes.len() as u32 + 1;
        self.nodes.push(Node { slot, stage, group, sources });
        slot
    }

    fn first_stage(&mut self, rounds: u32) -> Vec<u32> {
        let seeds: Vec<Source> = placing(rounds).into_iter().map(Source::Seed).collect();
        self.halve_sources(1, UPPER, &seeds)
    }

    fn halve(&mut self, stage: u16, group: u32, slots: &[u32]) -> Vec<u32> {
        let winners: Vec<Source> = slots.iter().map(|slot| Source::WinnerOf(*slot)).collect();
        self.halve_sources(stage, group, &winners)
    }

    /// Neighbours meet.
    fn halve_sources(&mut self, stage: u16, group: u32, sources: &[Source]) -> Vec<u32> {
        sources.chunks_exact(2).map(|pair| self.add(stage, group, [pair[0], pair[1]])).collect()
    }
}

/// The seeds from top to bottom, so that as long as the higher seed wins, the highest left
/// meets the lowest left: each seed is followed by its opponent in the larger bracket.
fn placing(rounds: u32) -> Vec<u32> {
    let mut seeds = vec![1];
    for round in 1..=rounds {
        let sum = (1 << round) + 1;
        seeds = seeds.into_iter().flat_map(|seed| [seed, sum - seed]).collect();
    }
    seeds
}
