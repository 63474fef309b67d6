//! Round robins: everybody meets everybody, by Berger's tables (FIDE Handbook C.05, annex 1).

use scrutineer_engine::event::PlayerNumber;

/// One round of the schedule.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Round {
    /// Who meets whom; the first of each has the first seat, such as white. In the order of the
    /// published tables: first the table of the highest number, or of the bye.
    pub tables: Vec<[PlayerNumber; 2]>,
    /// Who has no opponent, where the number of players is odd.
    pub bye: Option<PlayerNumber>,
}

/// How many rounds it takes until everybody has met everybody once: one less than the players,
/// or as many as the players where their number is odd. A double round robin takes twice as many.
pub fn rounds(players: u32) -> u32 {
    match players {
        0 | 1 => 0,
        _ => players - 1 + players % 2,
    }
}

/// A round, from 1, for players in the order of their numbers in the tables. After the last round
/// of a cycle the schedule begins again with the seats exchanged. Empty: fewer than two players,
/// or round 0.
///
/// With an odd number of players, whoever would meet the number that is missing has the bye.
pub fn round(players: &[PlayerNumber], round: u32) -> Round {
    let cycle = rounds(players.len() as u32);
    if cycle == 0 || round == 0 {
        return Round::default();
    }
    // Everybody but the highest number sits in a circle of `cycle` seats, counted from 0.
    let (at, exchanged) = ((round - 1) % cycle, (round - 1) / cycle % 2 == 1);
    let highest = cycle;
    // Whoever meets the highest number moves on by half a circle each round. The others meet
    // across them: their two neighbours each other, then their neighbours.
    let half = u64::from(cycle.div_ceil(2));
    let pivot = (u64::from(at) * half % u64::from(cycle)) as u32;
    let first = if at % 2 == 0 { [pivot, highest] } else { [highest, pivot] };
    let across = |step| [(pivot + step) % cycle, (pivot + cycle - step) % cycle];
    let pairs = std::iter::once(first).chain((1..=cycle / 2).map(across));
    let mut drawn = Round::default();
    for mut pair in pairs {
        if exchanged {
            pair.reverse();
        }
        match pair.map(|number| players.get(number as usize).copied()) {
            [Some(first), Some(second)] => drawn.tables.push([first, second]),
            [left, right] => drawn.bye = left.or(right),
        }
    }
    drawn
}

/// A round of a double round robin, from 1 to `2 * rounds(players)`: the second cycle has the
/// seats exchanged, and the last two rounds of the first cycle change places, as the Handbook
/// recommends, so that nobody has the same seat three times in a row.
pub(crate) fn double_round(players: &[PlayerNumber], number: u32) -> Round {
    let cycle = rounds(players.len() as u32);
    let number = match cycle {
        3.. if number == cycle => cycle - 1,
        3.. if number == cycle - 1 => cycle,
        _ => number,
    };
    round(players, number)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::{BTreeMap, BTreeSet};

    /// A cycle as the tables are printed.
    fn printed(players: u32) -> Vec<String> {
        let numbers: Vec<PlayerNumber> = (1..=players).collect();
        let line = |number| {
            let round = round(&numbers, number);
            let tables: Vec<String> =
                round.tables.iter().map(|[first, second]| format!("{first}-{second}")).collect();
            tables.join(" ")
        };
        (1..=rounds(players)).map(line).collect()
    }

    #[test]
    fn the_published_tables() {
        assert_eq!(printed(4), ["1-4 2-3", "4-3 1-2", "2-4 3-1"]);
        let six = ["1-6 2-5 3-4", "6-4 5-3 1-2", "2-6 3-1 4-5", "6-5 1-4 2-3", "3-6 4-2 5-1"];
        assert_eq!(printed(6), six);
        let eight = [
            "1-8 2-7 3-6 4-5",
            "8-5 6-4 7-3 1-2",
            "2-8 3-1 4-7 5-6",
            "8-6 7-5 1-4 2-3",
            "3-8 4-2 5-1 6-7",
            "8-7 1-6 2-5 3-4",
            "4-8 5-3 6-2 7-1",
        ];
        assert_eq!(printed(8), eight);
        // The number that is missing is the bye.
        assert_eq!(printed(3), ["2-3", "1-2", "3-1"]);
        assert_eq!(printed(2), ["1-2"]);
    }

    #[test]
    fn everybody_meets_everybody_once_in_each_cycle() {
        for count in 2..=60u32 {
            let players: Vec<PlayerNumber> = (1..=count).map(|number| number * 10).collect();
            let mut met = BTreeSet::new();
            let mut firsts: BTreeMap<PlayerNumber, u32> = BTreeMap::new();
            let mut byes = BTreeSet::new();
            for number in 1..=rounds(count) {
                let drawn = round(&players, number);
                let mut here: Vec<PlayerNumber> = drawn.tables.concat();
                here.extend(drawn.bye);
                here.sort_unstable();
                assert_eq!(here, players, "everybody is in round {number} of {count}");
                for [first, second] in drawn.tables.iter().copied() {
                    assert!(met.insert((first.min(second), first.max(second))));
                    *firsts.entry(first).or_default() += 1;
                }
                byes.extend(drawn.bye);
                let again = round(&players, number + rounds(count));
                assert_eq!(again.bye, drawn.bye);
                for (table, other) in drawn.tables.iter().zip(&again.tables) {
                    assert_eq!([table[1], table[0]], *other);
                }
                assert_eq!(round(&players, number + 2 * rounds(count)), drawn);
            }
            assert_eq!(met.len() as u32, count * (count - 1) / 2);
            assert_eq!(byes.len() as u32, count % 2 * count);
            // Nobody has the first seat more than one round oftener than the second; with an
            // odd number of players both exactly as often.
            for player in &players {
                let first = firsts.get(player).copied().unwrap_or(0);
                let balance = 2 * i64::from(first) - i64::from(count - 1);
                assert!(balance.abs() <= i64::from((count - 1) % 2), "{player} of {count}");
            }
        }
    }

    #[test]
    fn a_double_round_robin_gives_nobody_the_same_seat_three_times_in_a_row() {
        for count in 3..=40u32 {
            let players: Vec<PlayerNumber> = (1..=count).collect();
            let mut seats: BTreeMap<PlayerNumber, Vec<usize>> = BTreeMap::new();
            let mut met = BTreeSet::new();
            for number in 1..=2 * rounds(count) {
                for table in double_round(&players, number).tables {
                    assert!(met.insert(table), "{table:?} twice");
                    for (seat, player) in table.into_iter().enumerate() {
                        seats.entry(player).or_default().push(seat);
                    }
                }
            }
            assert_eq!(met.len() as u32, count * (count - 1));
            for (player, seats) in seats {
                let streak = seats.windows(3).any(|run| run[0] == run[1] && run[1] == run[2]);
                assert!(!streak, "{player} of {count}: {seats:?}");
            }
        }
    }

    #[test]
    fn nobody_meets_nobody() {
        assert_eq!(round(&[], 1), Round::default());
        assert_eq!(round(&[7], 1), Round::default());
        assert_eq!(round(&[1, 2], 0), Round::default());
        assert_eq!((rounds(0), rounds(1), rounds(2), rounds(5), rounds(6)), (0, 0, 1, 5, 5));
    }
}
