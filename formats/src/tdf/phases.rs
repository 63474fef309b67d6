//! From pods to phases, and back from rounds of the source to those of a pod.
//!
//! Pods are paired on their own and side by side, and a log has one round after the other. So round 3 of the
//! source is round 3 of each pod that has one: those are the rounds of one Swiss phase, in which nobody meets
//! anybody of another pod. A pod that ends earlier has no match in the rounds after. The cut of a pod, or of a
//! division in it, is a phase of its own behind the Swiss rounds of all, and behind the cuts that were begun before
//! it. One may be paired while another pod has Swiss rounds to come: those phases go on.

use super::division::Division;
use super::model::{Match, Pod, Round, System, Tom};
use crate::build::Oddities;
use crate::sheet;
use crate::source::{SourceBye, SourcePhase, SourceRound, SourceSeat, SourceTable};
use scrutineer_engine::event::{ByeKind, MatchResult, PhaseKind, RoundWeight, Ruling, Score};
use std::collections::{BTreeMap, BTreeSet};

/// The cut of a pod, or of a division in it.
struct Bracket<'m> {
    pod: usize,
    entrants: BTreeSet<usize>,
    /// That of all who enter it; none where they are of several, or it is unknown.
    division: Option<Division>,
    /// For each of its rounds the pod's, and its own matches in it.
    rounds: Vec<(&'m Round<'m>, Vec<&'m Match<'m>>)>,
}

impl Bracket<'_> {
    /// When its first round was paired, so that it can be compared: where the file does not say it, by the times of
    /// its matches.
    fn paired_at(&self) -> Option<String> {
        let (round, matches) = self.rounds.first()?;
        let of_matches = || {
            let times = matches.iter().filter_map(|one| one.element.value("timestamp"));
            times.filter_map(year_first).min()
        };
        round.element.value("pairtime").and_then(year_first).or_else(of_matches)
    }

    /// How many rounds there are to the final.
    fn to_the_final(&self) -> usize {
        self.entrants.len().max(2).next_power_of_two().ilog2() as usize
    }

    /// Whether rounds of it are to come behind those that it has.
    fn goes_on(&self) -> bool {
        self.rounds.len() < self.to_the_final()
    }

    /// Whose it is, for the names of rounds.
    fn name(&self, tom: &Tom<'_>) -> String {
        let of_pod = || tom.pods[self.pod].name();
        self.division.map_or_else(of_pod, |division| division.word().to_owned())
    }

    /// Who enters it, as its rounds list them.
    fn listed(&self) -> Vec<usize> {
        let mut is_in = BTreeSet::new();
        let matches = self.rounds.iter().flat_map(|(_, matches)| matches);
        let players = matches.flat_map(|one| one.players.iter().copied());
        players.filter(|player| is_in.insert(*player)).collect()
    }
}

/// The phases of a file, with what is needed to find a pod's round in them.
pub(super) struct Phases<'m> {
    /// The rounds of the Swiss phase.
    swiss: usize,
    brackets: Vec<Bracket<'m>>,
}

impl<'m> Phases<'m> {
    /// Finds them; `divisions` are those of the players.
    pub fn of(tom: &'m Tom<'m>, divisions: &[Option<Division>]) -> Phases<'m> {
        let swiss = tom.pods.iter().map(Pod::swiss).max().unwrap_or(0);
        let mut brackets: Vec<Bracket<'m>> =
            (0..tom.pods.len()).flat_map(|pod| brackets(tom, pod, divisions)).collect();
        // One that was begun stays where it is when another one is. Without times they stand as the pods do.
        if brackets.iter().all(|one| one.paired_at().is_some()) {
            brackets.sort_by_cached_key(|one| one.paired_at());
        }
        Phases { swiss, brackets }
    }

    /// The phases, from 0, of which rounds are still to come while the tournament runs: the Swiss rounds while a pod
    /// without a cut has fewer than TOM has for it, and each cut that has no final.
    pub fn going_on(&self, tom: &Tom<'_>, divisions: &[Option<Division>]) -> Vec<usize> {
        let first = usize::from(self.swiss > 0);
        let is_ahead = first > 0
            && !self.brackets.is_empty()
            && tom.pods.iter().any(|pod| plays_on(tom, pod, divisions));
        let brackets = (first..).zip(&self.brackets).filter(|(_, bracket)| bracket.goes_on());
        is_ahead.then_some(0).into_iter().chain(brackets.map(|(at, _)| at)).collect()
    }

    /// The round of the source that is a pod's round of this number, for one of its players; 0: before the first.
    pub fn round_of(&self, tom: &Tom<'_>, pod: usize, player: usize, number: u16) -> usize {
        let number = usize::from(number);
        let own = tom.pods[pod].swiss();
        let mut before = self.swiss;
        for bracket in &self.brackets {
            if number > own && bracket.pod == pod && bracket.entrants.contains(&player) {
                return before + (number - own).min(bracket.rounds.len());
            }
            before += bracket.rounds.len();
        }
        number.min(own)
    }

    /// The cuts of a pod in which none of these players is: who enters each, and the number of its last round in the
    /// pod.
    pub fn cuts_without(
        &self,
        tom: &Tom<'_>,
        pod: usize,
        players: &BTreeSet<usize>,
    ) -> Vec<(BTreeSet<usize>, usize)> {
        let is_one = |one: &&Bracket<'_>| one.pod == pod && one.entrants.is_disjoint(players);
        let found = self.brackets.iter().filter(is_one).map(|bracket| {
            let begins = |round: &Round<'_>| {
                let mut players = round.matches.iter().flat_map(|one| &one.players);
                round.is_cut && players.any(|player| bracket.entrants.contains(player))
            };
            let before = tom.pods[pod].rounds.iter().position(begins).unwrap_or(0);
            (bracket.entrants.clone(), before + bracket.to_the_final())
        });
        found.collect()
    }

    /// The phases themselves.
    pub fn phases(&self, tom: &Tom<'_>, oddities: &mut Oddities) -> Vec<SourcePhase> {
        let mut phases = Vec::new();
        if self.swiss > 0 || self.brackets.is_empty() {
            phases.push(self.swiss_phase(tom, oddities));
        }
        for bracket in &self.brackets {
            let rounds = bracket.rounds.iter().map(|(round, matches)| {
                let name = match tom.pods.len() + self.brackets.len() {
                    0..=2 => format!("Round {}", round.number),
                    _ => format!("Round {} of the {}s", round.number, bracket.name(tom)),
                };
                source_round(name, matches.iter().copied(), oddities)
            });
            let rounds = rounds.collect();
            let kind = PhaseKind::Elimination;
            let mut entrants = bracket.listed();
            let seeds: BTreeSet<u32> =
                entrants.iter().filter_map(|player| tom.players[*player].seed).collect();
            let seeded = seeds.len() == entrants.len();
            if seeded {
                entrants.sort_by_key(|player| tom.players[*player].seed);
            }
            phases.push(SourcePhase { kind, entrants, seeded, rounds });
        }
        phases
    }

    fn swiss_phase(&self, tom: &Tom<'_>, oddities: &mut Oddities) -> SourcePhase {
        let rounds = (0..self.swiss).map(|at| {
            let of = |pod: &'_ &Pod<'_>| pod.swiss() > at;
            let matches = tom.pods.iter().filter(of).flat_map(|pod| &pod.rounds[at].matches);
            source_round(format!("Round {}", at + 1), matches, oddities)
        });
        let rounds = rounds.collect();
        let mut entrants: Vec<usize> = Vec::new();
        let mut seen = BTreeSet::new();
        let listed = tom.pods.iter().flat_map(|pod| pod.roster.iter().copied());
        entrants.extend(listed.filter(|player| seen.insert(*player)));
        if entrants.is_empty() {
            entrants.extend(0..tom.players.len());
        }
        let kind = match tom.system {
            System::SingleElimination => PhaseKind::Elimination,
            System::Swiss | System::SwissAndCut => PhaseKind::Swiss,
        };
        SourcePhase { kind, entrants, seeded: false, rounds }
    }
}

/// The cuts of a pod: one, or one for each division where these play apart.
fn brackets<'m>(tom: &'m Tom<'m>, pod: usize, divisions: &[Option<Division>]) -> Vec<Bracket<'m>> {
    let own = &tom.pods[pod];
    let swiss = own.swiss();
    let cut = &own.rounds[swiss..];
    let matches = || cut.iter().flat_map(|round| &round.matches);
    let players: BTreeSet<usize> = matches().flat_map(|one| one.players.iter().copied()).collect();
    let of = |player: usize| divisions.get(player).copied().flatten();
    let seeds: BTreeSet<Option<u32>> =
        players.iter().map(|player| tom.players[*player].seed).collect();
    let cuts = tom.cuts();
    let planned =
        cuts.iter().filter(|(key, _)| key.is_some_and(|key| own.divisions().contains(&key)));
    // Each division has its own first seed, or its own cut was chosen.
    let may = seeds.len() < players.len() || planned.count() > 1;
    let is_of_one = |one: &Match<'_>| match one.players[..] {
        [first, second] => of(first).is_some() && of(first) == of(second),
        _ => one.players.iter().all(|player| of(*player).is_some()),
    };
    let apart = may && matches().all(is_of_one);
    let mut parts: BTreeMap<Option<Division>, BTreeSet<usize>> = BTreeMap::new();
    for player in players {
        parts.entry(of(player).filter(|_| apart)).or_default().insert(player);
    }
    let bracket = |entrants: BTreeSet<usize>| {
        let rounds = cut.iter().map(|round| {
            let is_own =
                |one: &&Match<'_>| one.players.iter().all(|player| entrants.contains(player));
            (round, round.matches.iter().filter(is_own).collect::<Vec<_>>())
        });
        // The other division's may last longer.
        let rounds = rounds.filter(|(_, matches)| !matches.is_empty()).collect();
        let mut all = entrants.iter().map(|player| of(*player));
        let first = all.next().flatten();
        let division = first.filter(|_| all.all(|division| division == first));
        Bracket { pod, entrants, division, rounds }
    };
    parts.into_values().map(bracket).collect()
}

/// Whether a pod plays further Swiss rounds: it has no cut and fewer rounds than TOM has for it, its last one is not
/// marked as such, and two of those who have not left have not met.
fn plays_on(tom: &Tom<'_>, pod: &Pod<'_>, divisions: &[Option<Division>]) -> bool {
    let played = pod.swiss();
    let has_cut = played < pod.rounds.len();
    let last = pod.rounds.last().and_then(|round| round.element.attribute("stage"));
    if tom.system != System::SwissAndCut
        || has_cut
        || played >= tom.swiss_rounds(pod, divisions)
        // No version marks another round so, and some do not mark the last one.
        || matches!(last, Some("5" | "8"))
    {
        return false;
    }
    let matches = pod.rounds.iter().flat_map(|round| &round.matches);
    let met = matches.filter_map(|one| match one.players[..] {
        [first, second] => Some((first.min(second), first.max(second))),
        _ => None,
    });
    let met: BTreeSet<(usize, usize)> = met.collect();
    let mut here: Vec<usize> = pod.roster.clone();
    here.retain(|player| tom.players[*player].dropped.is_none());
    here.sort_unstable();
    let may_meet = |(at, first): (usize, &usize)| {
        here[at + 1..].iter().any(|second| !met.contains(&(*first, *second)))
    };
    here.iter().enumerate().any(may_meet)
}

/// A time as TOM writes it, month first, with the year before it.
fn year_first(time: &str) -> Option<String> {
    let (date, time) = time.trim().split_once(' ')?;
    let (day, year) = date.rsplit_once('/')?;
    Some(format!("{year}/{day} {time}"))
}

fn source_round<'m>(
    name: String,
    matches: impl Iterator<Item = &'m Match<'m>>,
    oddities: &mut Oddities,
) -> SourceRound {
    let (tables, byes) = (Vec::new(), Vec::new());
    let mut round = SourceRound { name, weight: RoundWeight::ONE, tables, byes };
    let mut taken = BTreeSet::new();
    for one in matches {
        let place = one.element.place();
        if let [player] = one.players[..] {
            let kind = match one.outcome {
                4 => ByeKind::Awarded,
                5 => ByeKind::Assigned,
                _ => ByeKind::AwardedLoss,
            };
            round.byes.push(SourceBye { player, kind, reported: None, place });
            continue;
        }
        let table = one.table.filter(|table| taken.insert(*table));
        if let Some(number) = one.table.filter(|_| table.is_none()) {
            let sentence = format!(
                "Table {number} stands twice in {}: this match is read without a table.",
                round.name
            );
            oddities.add(&place, sentence);
        }
        let seats = one.players.iter().map(|player| SourceSeat { player: *player, role: 0 });
        let seats = seats.collect();
        round.tables.push(SourceTable { table, seats, result: result(one.outcome), place });
    }
    round
}

/// The result of a match of two; only who won is known.
fn result(outcome: u8) -> MatchResult {
    let game = |games| MatchResult::played(sheet::games_score(games));
    let ruled = |ruling| MatchResult {
        rulings: [Some(ruling); 2].into_iter().collect(),
        ..MatchResult::played(Score::default())
    };
    match outcome {
        1 => game([1, 0, 0]),
        2 => game([0, 1, 0]),
        3 => game([0, 0, 1]),
        6 | 10 => ruled(Ruling::Loss),
        9 => ruled(Ruling::NoResult),
        _ => MatchResult::played(Score::default()),
    }
}
