//! Results in rounds that the file has, and rounds that it has not yet.

use super::wanted::{Pairing, Wanted, WantedRound};
use super::{Writer, block, count, line};
use crate::tdf::division::Division;
use crate::tdf::model::{Match, OPEN, Pod, Round, System};
use crate::tdf::phases::Phases;
use crate::written::WriteError;
use crate::xml_edit::escaped;
use std::collections::{BTreeMap, BTreeSet};

/// The stages of a round: paired, over, and over as the last one before the cut or of it.
struct Stages {
    paired: &'static str,
    over: &'static str,
    last: &'static str,
}

impl Writer<'_, '_> {
    /// Writes the results and the new rounds.
    pub(super) fn rounds(&mut self, wanted: &Wanted) -> Result<(), WriteError> {
        let mut first = Vec::new();
        for (at, pod) in self.tom.pods.iter().enumerate() {
            let (mut new, mut newest) = (Vec::new(), None);
            for (number, round) in &wanted.pods[at] {
                match pod.rounds.get(number - 1) {
                    Some(own) => self.existing((at, *number), own, round, wanted)?,
                    None => {
                        let expected =
                            pod.rounds.len() + 1 + usize::from(newest.is_some()) * new.len();
                        if *number != expected {
                            let place = format!("round {expected} of the {}s", pod.name());
                            let what =
                                format!("nobody is paired in it, and in round {number} they are");
                            return Err(WriteError::DiffersFromFile { place, what });
                        }
                        // Who is missing from it could not be paired in it any more.
                        let mut beside = self.beside(at, wanted).into_iter();
                        if round.is_cut && beside.any(|(_, last)| last >= *number) {
                            let place = format!("round {number} of the {}s", pod.name());
                            let what = "another cut of it plays that too: pair it in TOM".into();
                            return Err(WriteError::DiffersFromFile { place, what });
                        }
                        let pairings = self.with_tables(pod, &round.pairings);
                        new.push(self.new_round((at, *number), round, &pairings, wanted));
                        newest = Some(pairings);
                    }
                }
            }
            let Some(newest) = newest else { continue };
            if let Some(list) = pod.element.child("rounds") {
                self.edits.append(list, &new.concat());
            }
            let data = pod.element.child("poddata");
            let start =
                newest.iter().filter_map(|(_, table)| *table).filter(|table| *table > 0).min();
            if let (Some(element), Some(start)) =
                (data.and_then(|data| data.child("startingtable")), start)
                && element.text != start.to_string()
            {
                self.edits.value(element, &start.to_string());
            }
            if pod.rounds.is_empty() {
                first.push(at);
            }
            self.enter(at, wanted);
            let begins = |round: &WantedRound| round.is_cut;
            if !pod.rounds.iter().any(|round| round.is_cut) && wanted.pods[at].values().any(begins)
            {
                self.edits.attribute(pod.element, "stage", "1");
                self.seeds(at, wanted);
            }
        }
        if !first.is_empty() {
            self.edits.attribute(self.tom.root, "stage", "4");
        }
        for (count, what) in [
            (wanted.unwritten_byes, "byes for half a win or nothing, which TOM does not have"),
            (wanted.uncounted, "matches that do not count, left open"),
        ] {
            if count > 0 {
                self.left_out.insert(what, count);
            }
        }
        Ok(())
    }

    /// A round that the file has: its results, or its pairings where nobody reported any.
    fn existing(
        &mut self,
        (pod, number): (usize, usize),
        own: &Round<'_>,
        round: &WantedRound,
        wanted: &Wanted,
    ) -> Result<(), WriteError> {
        let mut of: BTreeMap<usize, &Pairing> = BTreeMap::new();
        for pairing in &round.pairings {
            of.extend(pairing.players.iter().map(|player| (*player, pairing)));
        }
        let same = |one: &Match<'_>| {
            let found = of.get(one.players.first()?).copied();
            let is_same = |other: &&Pairing| {
                let len = one.players.len() == other.players.len();
                len && one.players.iter().all(|player| other.players.contains(player))
            };
            found.filter(is_same)
        };
        // In a cut, whoever does not play here plays in another one of the pod, or for third place.
        let is_beside = |one: &Match<'_>| {
            round.is_cut && !one.players.iter().any(|player| of.contains_key(player))
        };
        let there: Vec<&Match<'_>> = own.matches.iter().filter(|one| !is_beside(one)).collect();
        let is_gone = there.iter().any(|one| same(one).is_none());
        if is_gone || there.len() != round.pairings.len() || own.is_cut != round.is_cut {
            return self.paired_again((pod, number), own, round, wanted);
        }
        let mut is_complete = true;
        for one in &own.matches {
            let Some(pairing) = same(one) else {
                if one.players.len() == 2 && one.outcome != OPEN {
                    self.leave_out("results that stand in TOM's file alone, and stay there");
                }
                is_complete &= one.outcome != OPEN;
                continue;
            };
            let is_mirrored = one.players.first() != pairing.players.first();
            let outcome = match pairing.outcome {
                1 if is_mirrored => 2,
                2 if is_mirrored => 1,
                outcome => outcome,
            };
            // An older code says the same, and what was reported to TOM alone stays.
            let is_same = one.outcome == outcome || (one.outcome, outcome) == (6, 10);
            match outcome {
                _ if is_same => {}
                OPEN => self.leave_out("results that stand in TOM's file alone, and stay there"),
                outcome => self.edits.attribute(one.element, "outcome", &outcome.to_string()),
            }
            is_complete &= outcome != OPEN || one.outcome != OPEN;
        }
        if is_complete && !own.is_complete() {
            let stages = self.stages();
            let stage =
                if self.is_last((pod, number), round, wanted) { stages.last } else { stages.over };
            self.edits.attribute(own.element, "stage", stage);
            let began = own.element.child("starttime").filter(|began| began.text.is_empty());
            if let Some(began) = began {
                let paired = own.element.value("pairtime").unwrap_or(&self.stamp).to_owned();
                self.edits.value(began, &paired);
            }
        }
        Ok(())
    }

    /// The cuts of a pod of which nothing is here, since they wait for another one: who enters each, and the number of
    /// its last round.
    fn beside(&self, pod: usize, wanted: &Wanted) -> Vec<(BTreeSet<usize>, usize)> {
        let cut = wanted.pods[pod].values().filter(|round| round.is_cut);
        let players = cut.flat_map(|round| &round.pairings).flat_map(|one| &one.players);
        let here: BTreeSet<usize> = players.copied().collect();
        Phases::of(self.tom, &self.divisions()).cuts_without(self.tom, pod, &here)
    }

    /// A round that was paired again since, where nothing was reported yet. Another cut's matches in it stay.
    fn paired_again(
        &mut self,
        (pod, number): (usize, usize),
        own: &Round<'_>,
        round: &WantedRound,
        wanted: &Wanted,
    ) -> Result<(), WriteError> {
        let beside = self.beside(pod, wanted);
        let stays = |one: &Match<'_>| {
            let is_in = |player: &usize| beside.iter().any(|(cut, _)| cut.contains(player));
            own.is_cut && one.players.iter().all(is_in)
        };
        let before: Vec<&Match<'_>> = own.matches.iter().filter(|one| !stays(one)).collect();
        let pod = &self.tom.pods[pod];
        let is_reported = before.iter().any(|one| one.players.len() == 2 && one.outcome != OPEN);
        let place = || format!("round {number} of the {}s", pod.name());
        if is_reported || number != pod.rounds.len() || own.is_cut != round.is_cut {
            let what = "it has results, and others meet there than here".to_owned();
            return Err(WriteError::DiffersFromFile { place: place(), what });
        }
        if round.pairings.iter().any(|one| one.players.len() == 2 && one.outcome != OPEN) {
            let what = "others meet there than here, where there are results".to_owned();
            return Err(WriteError::DiffersFromFile { place: place(), what });
        }
        let pairings = self.with_tables(pod, &round.pairings);
        let lines: Vec<String> =
            pairings.iter().flat_map(|(one, table)| self.pairing(one, *table)).collect();
        match own.element.child("matches") {
            None => {}
            Some(list) if before.len() == own.matches.len() => self.edits.replace(list, &lines),
            Some(list) => {
                before.iter().for_each(|one| self.edits.remove(one.element));
                self.edits.append(list, &lines);
            }
        }
        Ok(())
    }

    /// The lines of a round that the file has not yet.
    fn new_round(
        &self,
        (at, number): (usize, usize),
        round: &WantedRound,
        pairings: &[(&Pairing, Option<u32>)],
        wanted: &Wanted,
    ) -> Vec<String> {
        let tom = self.tom;
        let (kind, time) = match round.is_cut {
            true => (System::SingleElimination, "finalsroundtime"),
            false => (tom.system, "roundtime"),
        };
        let stages = self.stages();
        let is_complete = round.pairings.iter().all(|one| one.outcome != OPEN);
        let stage = match is_complete {
            false => stages.paired,
            true if self.is_last((at, number), round, wanted) => stages.last,
            true => stages.over,
        };
        // Older versions do not write when a round was paired and began.
        let rounds = tom.pods.iter().flat_map(|pod| &pod.rounds);
        let mut like = rounds.map(|round| round.element.child("pairtime").is_some());
        let data = |pod: &Pod<'_>| {
            pod.element
                .child("poddata")
                .is_some_and(|data| data.child("additionalrounds").is_some())
        };
        let has_times = like.next().unwrap_or_else(|| tom.pods.iter().any(data));
        let minutes = count(tom.root.child("data"), time);
        let mut lines = vec![line("timeleft", &(minutes * 60).to_string())];
        if has_times {
            lines.push(line("pairtime", &self.stamp));
            lines.push(line("starttime", if is_complete { &self.stamp } else { "" }));
        }
        let matches = pairings.iter().flat_map(|(one, table)| self.pairing(one, *table));
        lines.extend(block("matches", matches));
        block(
            &format!("round number=\"{number}\" type=\"{}\" stage=\"{stage}\" ", kind.code()),
            lines,
        )
    }

    fn pairing(&self, one: &Pairing, table: Option<u32>) -> Vec<String> {
        let id = |player: &usize| escaped(self.tom.players[*player].id);
        let mut lines = match &one.players[..] {
            [first, second] => vec![
                format!("<player1 userid=\"{}\"/>", id(first)),
                format!("<player2 userid=\"{}\"/>", id(second)),
            ],
            players => players
                .iter()
                .map(|player| format!("<player userid=\"{}\"/>", id(player)))
                .collect(),
        };
        lines.push(line("timestamp", &self.stamp));
        lines.push(line("tablenumber", &table.unwrap_or(0).to_string()));
        block(&format!("match outcome=\"{}\"", one.outcome), lines)
    }

    /// The pairings in TOM's order, byes before tables, each with its table: its own where each of two players
    /// has another one, otherwise one after the other from where the pod begins.
    fn with_tables<'p>(
        &self,
        pod: &Pod<'_>,
        pairings: &'p [Pairing],
    ) -> Vec<(&'p Pairing, Option<u32>)> {
        let place = |one: &Pairing| match one.outcome {
            _ if one.players.len() == 2 => 3,
            4 => 0,
            5 => 1,
            _ => 2,
        };
        let mut sorted: Vec<&Pairing> = pairings.iter().collect();
        sorted.sort_by_key(|one| (place(one), one.table));
        let of_two = || sorted.iter().filter(|one| one.players.len() == 2);
        let mut tables: Vec<Option<u32>> = of_two().map(|one| one.table).collect();
        let all = tables.len();
        tables.dedup();
        let have_own = tables.len() == all && tables.iter().all(Option::is_some);
        let start = count(pod.element.child("poddata"), "startingtable").max(1);
        let mut next = u32::try_from(start).unwrap_or(1)..;
        let table = |one: &Pairing, next: &mut std::ops::RangeFrom<u32>| match one.players.len() {
            2 if have_own => one.table,
            2 => next.next(),
            _ => None,
        };
        sorted.into_iter().map(|one| (one, table(one, &mut next))).collect()
    }

    /// The codes of stages that the file's version of TOM writes: those of the first versions are told by the
    /// rounds that are over in the file, or by its number.
    fn stages(&self) -> Stages {
        let stage = |round: &Round<'_>| round.element.attribute("stage").map(str::to_owned);
        let own =
            self.tom.pods.iter().flat_map(|pod| &pod.rounds).filter(|round| round.is_complete());
        let own: Vec<String> = own.filter_map(stage).collect();
        let version = self.tom.root.attribute("version").unwrap_or_default();
        let is_first = matches!(version, "1.5" | "1.6" | "1.7" | "1.70");
        let has = |codes: [&str; 2]| own.iter().any(|stage| codes.contains(&stage.as_str()));
        match has(["4", "5"]) || is_first && !has(["6", "8"]) {
            true => Stages { paired: "2", over: "4", last: "5" },
            false => Stages { paired: "2", over: "6", last: "8" },
        }
    }

    fn divisions(&self) -> Vec<Option<Division>> {
        let of = |word: &str| Division::ALL.into_iter().find(|division| division.word() == word);
        self.own.players.iter().map(|player| of(player.division.as_deref()?)).collect()
    }

    /// Whether a round is the last one before the cut or of it.
    fn is_last(&self, (at, number): (usize, usize), round: &WantedRound, wanted: &Wanted) -> bool {
        let pod = &self.tom.pods[at];
        if round.is_cut {
            let beside = self.beside(at, wanted).into_iter().map(|(_, last)| last).max();
            let last = wanted.last_of_cut[at].max(beside);
            return last.is_some_and(|last| number >= last);
        }
        let has_cut = wanted.pods[at].values().any(|round| round.is_cut)
            || pod.rounds.iter().any(|round| round.is_cut);
        let last = wanted.swiss[at];
        match has_cut || self.source.finished {
            true => number == last,
            false => number >= self.tom.swiss_rounds(pod, &self.divisions()),
        }
    }
}
