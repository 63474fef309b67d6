//! The pairings, and how they are cut into rounds.
//!
//! The file does not mark its rounds: pairings follow each other, round by round. A round ends when everybody
//! was named, or before the first who is named again. Who came late is not named in the rounds before; then a
//! cut from the front and one from the back must agree, and otherwise the file is refused.

use super::bytes::Reader;
use crate::build::Oddities;
use crate::source::{SourceBye, SourceRound, SourceSeat, SourceTable};
use crate::{Fault, ImportError, limits, sheet};
use scrutineer_engine::event::{ByeKind, How, MatchResult, RoundWeight, Ruling, Score};

/// Bytes of a pairing.
const PAIRING_BYTES: usize = 21;

/// Who stands on a side of a pairing.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    Player(usize),
    /// -1: no opponent was left.
    NoOpponent,
    /// -2: not paired.
    NotPaired,
}

/// A pairing.
struct Pairing {
    at: usize,
    sides: [Side; 2],
    result: u16,
}

impl Pairing {
    fn players(&self) -> impl Iterator<Item = usize> {
        self.sides.into_iter().filter_map(|side| match side {
            Side::Player(player) => Some(player),
            _ => None,
        })
    }

    fn place(&self) -> String {
        format!("byte {}", self.at)
    }
}

/// The rounds of the file.
pub struct Rounds {
    pub rounds: Vec<SourceRound>,
    /// Whether a match has no result.
    pub is_open: bool,
}

/// Reads the pairings of so many players behind the last of them.
pub fn read(
    reader: &Reader<'_>,
    players: usize,
    current: usize,
    planned: usize,
    oddities: &mut Oddities,
) -> Result<Rounds, ImportError> {
    let records = reader.records(PAIRING_BYTES)?;
    let pairings = records
        .into_iter()
        .map(|(at, bytes)| pairing(at, bytes, players))
        .collect::<Result<Vec<_>, _>>()?;
    let lengths = lengths(&pairings, players, current, planned, oddities)?;
    if lengths.len() > limits::ROUNDS {
        return Err(Fault::TooMany { what: "rounds", limit: limits::ROUNDS }.at(reader.place()));
    }
    let (mut rounds, mut is_open, mut rest) = (Vec::new(), false, &pairings[..]);
    for (number, length) in (1..).zip(lengths) {
        let (own, behind) = rest.split_at(length);
        rest = behind;
        let name = format!("Round {number}");
        let (tables, byes) = (Vec::new(), Vec::new());
        let mut round = SourceRound { name, weight: RoundWeight::ONE, tables, byes };
        own.iter().for_each(|pairing| add(pairing, &mut round, oddities));
        is_open |= round.tables.iter().any(|table| !table.has_result());
        rounds.push(round);
    }
    Ok(Rounds { rounds, is_open })
}

fn pairing(at: usize, bytes: &[u8], players: usize) -> Result<Pairing, ImportError> {
    let number = |nth: usize| u16::from_le_bytes([bytes[2 * nth], bytes[2 * nth + 1]]);
    let side = |nth: usize| match number(nth) {
        0xffff => Ok(Side::NoOpponent),
        0xfffe => Ok(Side::NotPaired),
        found if (1..=players).contains(&usize::from(found)) => {
            Ok(Side::Player(usize::from(found) - 1))
        }
        found => {
            let (what, found) = ("the number of a player".to_owned(), found.to_string());
            let expected = format!("1 to {players}, -1 or -2");
            Err(Fault::BadValue { what, found, expected }.at(format!("byte {}", at + 2 * nth)))
        }
    };
    Ok(Pairing { at, sides: [side(0)?, side(1)?], result: number(2) })
}

/// How many pairings each round has.
fn lengths(
    pairings: &[Pairing],
    players: usize,
    current: usize,
    planned: usize,
    oddities: &mut Oddities,
) -> Result<Vec<usize>, ImportError> {
    let mut lengths = cut(pairings.iter(), players);
    let mut end = pairings.len();
    // Who will not play in rounds to come stands there already.
    while let Some(length) = lengths.last().copied().filter(|_| lengths.len() > current) {
        let last = &pairings[end - length..end];
        if last.iter().any(|pairing| pairing.players().count() > 1) {
            break;
        }
        let round = lengths.len();
        let sentence =
            format!("Round {round} is to come; {length} who will not play in it are passed over.");
        oddities.add(&last[0].place(), sentence);
        end -= length;
        lengths.pop();
    }
    let pairings = &pairings[..end];
    let mut back = cut(pairings.iter().rev(), players);
    back.reverse();
    let starts = lengths.iter().scan(0, |at, length| {
        *at += length;
        Some(*at - length)
    });
    let named = |start: usize, length: usize| {
        pairings[start..start + length].iter().flat_map(Pairing::players).count()
    };
    for ((number, start), (at, length)) in (1..).zip(starts).zip(lengths.iter().enumerate()) {
        let named = named(start, *length);
        if named >= players {
            continue;
        }
        let place = pairings[start].place();
        if back != lengths || (lengths.len() != current && lengths.len() != planned) {
            let what = format!("who is named in round {number}");
            let found = format!("{named} of {players} players");
            let expected = format!(
                "all of them: the file does not mark where one of its {} rounds ends, and with \
                 late entries that cannot be told",
                lengths.len()
            );
            return Err(Fault::BadValue { what, found, expected }.at(place));
        }
        let missing = players - named;
        let sentence = format!(
            "{missing} of {players} players are not named in round {}: they did not play.",
            at + 1
        );
        oddities.add(&place, sentence);
    }
    Ok(lengths)
}

/// Cuts pairings where everybody was named, or before the first who is named again.
fn cut<'a>(pairings: impl Iterator<Item = &'a Pairing>, players: usize) -> Vec<usize> {
    let mut lengths = Vec::new();
    // For everybody the last round in which they were named, from 1.
    let mut seen = vec![0usize; players];
    let (mut length, mut named) = (0, 0);
    for pairing in pairings {
        let round = lengths.len() + 1;
        if length > 0 && (named >= players || pairing.players().any(|one| seen[one] == round)) {
            lengths.push(length);
            (length, named) = (0, 0);
        }
        let round = lengths.len() + 1;
        for player in pairing.players() {
            seen[player] = round;
            named += 1;
        }
        length += 1;
    }
    if length > 0 {
        lengths.push(length);
    }
    lengths
}

/// Adds a pairing to its round.
fn add(pairing: &Pairing, round: &mut SourceRound, oddities: &mut Oddities) {
    let place = pairing.place();
    let (player, other) = match pairing.sides {
        [Side::Player(white), Side::Player(black)] => {
            let seats = [white, black].map(|player| SourceSeat { player, role: 0 }).to_vec();
            let (round_name, table) = (round.name.to_lowercase(), round.tables.len() + 1);
            let there = format!("{place}, {round_name}, table {table}");
            let result = result(pairing.result, &there, oddities);
            round.tables.push(SourceTable { table: None, seats, result, place });
            return;
        }
        [Side::Player(player), other] | [other, Side::Player(player)] => (player, other),
        _ => return oddities.add(&place, "A pairing without players was left out."),
    };
    // 9 says that they are not paired, and so do 0, 3 and 5.
    if !matches!(pairing.result, 0..=5 | 9) {
        oddities.add(&place, unknown(pairing.result));
    }
    let kind = match (other, pairing.result) {
        (Side::NoOpponent, _) => ByeKind::Assigned,
        (_, 1 | 4) => ByeKind::Awarded,
        (_, 2) => ByeKind::Half,
        _ => ByeKind::Zero,
    };
    round.byes.push(SourceBye { player, kind, reported: None, place });
}

/// What is told of a result of which nobody has said what it means.
fn unknown(number: u16) -> String {
    format!(
        "What the result {number} means is not known: it gives no points. Look it up in Swiss-Manager, and \
         `correct` it here."
    )
}

/// The result of a match from its number.
fn result(number: u16, place: &str, oddities: &mut Oddities) -> MatchResult {
    match number {
        0 => MatchResult::played(Score::default()),
        1 => sheet::single_game([1, 0, 0]),
        2 => sheet::single_game([0, 0, 1]),
        3 => sheet::single_game([0, 1, 0]),
        4 => sheet::ruled(How::Forfeit, [Ruling::Win, Ruling::Loss]),
        5 => sheet::ruled(How::Forfeit, [Ruling::Loss, Ruling::Win]),
        other => {
            oddities.add(place, unknown(other));
            sheet::ruled(How::Unknown, [Ruling::NoResult; 2])
        }
    }
}
