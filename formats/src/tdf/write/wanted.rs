//! The tournament's rounds in TOM's words: for each pod its rounds by number.

use super::Writer;
use crate::sheet;
use crate::source::{SourcePhase, SourceRound, SourceTable};
use crate::tdf::model::{OPEN, Round, System};
use crate::written::WriteError;
use scrutineer_engine::event::{ByeKind, MatchResult, Ruling};
use std::collections::{BTreeMap, BTreeSet};

/// A match that is to stand in the file.
pub(super) struct Pairing {
    /// TOM's players, one or two.
    pub players: Vec<usize>,
    pub outcome: u8,
    pub table: Option<u32>,
}

/// A round of a pod that is to stand in the file.
#[derive(Default)]
pub(super) struct WantedRound {
    pub is_cut: bool,
    pub pairings: Vec<Pairing>,
}

/// What is to stand in the file.
pub(super) struct Wanted {
    /// For each pod its rounds by number.
    pub pods: Vec<BTreeMap<usize, WantedRound>>,
    /// How many Swiss rounds each pod has, with those that are in the file already.
    pub swiss: Vec<usize>,
    /// The number of the last round of each pod's cut, where it has begun.
    pub last_of_cut: Vec<Option<usize>>,
    /// TOM's players in the order of their seeds, for each cut whose seeds are known.
    pub seeds: Vec<Vec<usize>>,
    /// For each round of the source its number in a pod: in every one, or in that whose cut it is of.
    order: Vec<(Option<usize>, usize)>,
    /// Byes for which there is no code.
    pub unwritten_byes: usize,
    /// Matches that do not count, which are left open.
    pub uncounted: usize,
}

impl Wanted {
    pub fn of(writer: &Writer<'_, '_>) -> Result<Wanted, WriteError> {
        let pods = writer.tom.pods.len();
        let mut wanted = Wanted {
            pods: (0..pods).map(|_| BTreeMap::new()).collect(),
            swiss: writer.tom.pods.iter().map(|pod| pod.swiss()).collect(),
            last_of_cut: vec![None; pods],
            seeds: Vec::new(),
            order: Vec::new(),
            unwritten_byes: 0,
            uncounted: 0,
        };
        let mut swiss = 0;
        for phase in writer.source.phases.iter().filter(|phase| !phase.kind.is_bracket()) {
            for round in &phase.rounds {
                swiss += 1;
                for pod in wanted.round(writer, round, |_| swiss, false)? {
                    wanted.swiss[pod] = wanted.swiss[pod].max(swiss);
                }
            }
        }
        swiss = 0;
        for phase in &writer.source.phases {
            if !phase.kind.is_bracket() {
                let numbers = (swiss + 1..).take(phase.rounds.len());
                wanted.order.extend(numbers.map(|number| (None, number)));
                swiss += phase.rounds.len();
                continue;
            }
            if writer.tom.system == System::Swiss && !phase.rounds.is_empty() {
                let (place, what) = ("the type", "it has no cut, and the tournament has one");
                return Err(WriteError::DiffersFromFile { place: place.into(), what: what.into() });
            }
            let starts = wanted.starts(writer, phase);
            for (at, round) in (0..).zip(&phase.rounds) {
                let found = wanted.round(writer, round, |pod| starts[pod] + at + 1, true)?;
                let pod = found.first().copied();
                wanted.order.push((pod, pod.map_or(0, |pod| starts[pod] + at + 1)));
                let players = 2 * round.tables.len() + round.byes.len();
                if let (0, Some(pod)) = (at, pod) {
                    let rounds = players.max(2).next_power_of_two().ilog2() as usize;
                    let known = wanted.last_of_cut[pod].unwrap_or(0);
                    wanted.last_of_cut[pod] = Some(known.max(starts[pod] + rounds));
                }
            }
            if phase.seeded {
                let seeds = phase.entrants.iter().filter_map(|player| writer.index[*player]);
                wanted.seeds.push(seeds.collect());
            }
        }
        Ok(wanted)
    }

    /// How many rounds of each pod come before a cut: those before the first one in which its players meet there,
    /// since the divisions of one pod may begin theirs one after the other.
    fn starts(&self, writer: &Writer<'_, '_>, phase: &SourcePhase) -> Vec<usize> {
        let first = phase.rounds.iter().take(1).flat_map(crate::check::appearances);
        let first: BTreeSet<usize> = first.filter_map(|(player, _)| writer.index[player]).collect();
        let plays = |round: &Round<'_>| {
            let mut players = round.matches.iter().flat_map(|one| &one.players);
            round.is_cut && players.any(|player| first.contains(player))
        };
        let pods = writer.tom.pods.iter().enumerate();
        let starts = pods.map(|(at, pod)| match pod.rounds.iter().position(plays) {
            Some(begun) => begun,
            None => self.swiss[at].max(pod.rounds.len()),
        });
        starts.collect()
    }

    /// Takes a round of the source; gives the pods that play in it.
    fn round(
        &mut self,
        writer: &Writer<'_, '_>,
        round: &SourceRound,
        number: impl Fn(usize) -> usize,
        is_cut: bool,
    ) -> Result<Vec<usize>, WriteError> {
        let mut found = Vec::new();
        let tables = round.tables.iter().map(|table| {
            let players: Vec<usize> = table.seats.iter().map(|seat| seat.player).collect();
            (players, Some(self::outcome(&table.result)), table.table, Some(table))
        });
        let byes = round.byes.iter().map(|bye| (vec![bye.player], of_bye(bye.kind), None, None));
        for (players, outcome, table, of_two) in tables.chain(byes) {
            let Some(outcome) = outcome else {
                self.unwritten_byes += 1;
                continue;
            };
            if of_two.is_some() && players.len() != 2 {
                let (round, seats) = (round.name.clone(), players.len());
                return Err(WriteError::NotTwo { round, seats });
            }
            self.uncounted += usize::from(of_two.is_some_and(does_not_count));
            let (players, pod) = at_one_pod(writer, round, &players)?;
            if !found.contains(&pod) {
                found.push(pod);
            }
            let own = self.pods[pod].entry(number(pod)).or_default();
            own.is_cut = is_cut;
            own.pairings.push(Pairing { players, outcome, table });
        }
        Ok(found)
    }

    /// The last round of a player's pod that is not behind this round of the source.
    pub fn number_of(&self, pod: usize, round: u16) -> usize {
        let rounds = self.order.iter().take(usize::from(round));
        let own = rounds.filter_map(|(cut, number)| match cut {
            None => Some(*number).filter(|number| *number <= self.swiss[pod]),
            Some(of) => Some(*number).filter(|_| *of == pod),
        });
        own.max().unwrap_or(0)
    }
}

/// TOM's players of a match, and their pod.
fn at_one_pod(
    writer: &Writer<'_, '_>,
    round: &SourceRound,
    players: &[usize],
) -> Result<(Vec<usize>, usize), WriteError> {
    let name = |player: usize| writer.source.players[player].name.clone();
    let place = || round.name.clone();
    let (mut known, mut pods) = (Vec::new(), Vec::new());
    for player in players {
        let Some(at) = writer.index[*player] else {
            return Err(WriteError::NotInFile { player: name(*player) });
        };
        known.push(at);
        let Some(pod) = writer.pods[at] else {
            let what = match writer.tom.pods.is_empty() {
                true => "it has no pods yet: configure the tournament in TOM".to_owned(),
                false => format!("{:?} is in none of its pods", name(*player)),
            };
            return Err(WriteError::DiffersFromFile { place: place(), what });
        };
        pods.push(pod);
    }
    if let Some(at) = pods.iter().position(|pod| *pod != pods[0]) {
        let (one, other) = (name(players[0]), name(players[at]));
        let what = format!("{one:?} and {other:?} meet, and are in different pods");
        return Err(WriteError::DiffersFromFile { place: place(), what });
    }
    Ok((known, pods.first().copied().unwrap_or(0)))
}

/// The code of a result: of the first player's win, of the second one's, of a tie, of a loss for both.
fn outcome(result: &MatchResult) -> u8 {
    let ruling = |seat: usize| result.rulings.get(seat).copied().flatten();
    match (ruling(0), ruling(1)) {
        (Some(Ruling::Win), _) => 1,
        (_, Some(Ruling::Win)) => 2,
        (Some(Ruling::Loss), Some(Ruling::Loss)) => 10,
        (Some(Ruling::Loss), _) => 2,
        (_, Some(Ruling::Loss)) => 1,
        (Some(Ruling::Draw), _) | (_, Some(Ruling::Draw)) => 3,
        (Some(Ruling::NoResult), _) | (_, Some(Ruling::NoResult)) => OPEN,
        _ => match sheet::games_of(&result.score) {
            None => OPEN,
            Some([one, other, _]) => match one.cmp(&other) {
                std::cmp::Ordering::Greater => 1,
                std::cmp::Ordering::Less => 2,
                std::cmp::Ordering::Equal => 3,
            },
        },
    }
}

fn does_not_count(table: &SourceTable) -> bool {
    table.result.rulings.contains(&Some(Ruling::NoResult))
}

/// The code of somebody alone in a round; none where TOM has none.
fn of_bye(kind: ByeKind) -> Option<u8> {
    match kind {
        ByeKind::Awarded => Some(4),
        ByeKind::Assigned | ByeKind::Vacant => Some(5),
        ByeKind::AwardedLoss => Some(8),
        ByeKind::Half | ByeKind::Zero => None,
    }
}
