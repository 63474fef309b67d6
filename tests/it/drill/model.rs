//! The auditor's own picture of a tournament: the facts as they were told, each struck out or not,
//! and everything else found by reading them through. Written from FORMAT.md, GLOSSARY.md and
//! REFUSALS.md; it shares nothing with the fold but the event types.

use scrutineer_engine::event::*;

/// A fact as it was told.
#[derive(Clone, Debug)]
pub struct Fact {
    pub event: Event,
    /// Whether it was taken back.
    pub struck: bool,
    /// The fact in which it stands, such as a table in its round: it goes with that.
    within: Option<Seq>,
}

/// All that was told, in order.
#[derive(Clone, Debug, Default)]
pub struct Model {
    facts: Vec<Fact>,
}

impl Model {
    pub fn head(&self) -> Seq {
        self.facts.len() as Seq
    }

    pub fn event(&self, seq: Seq) -> Option<&Event> {
        Some(&self.facts.get((seq as usize).checked_sub(1)?)?.event)
    }

    /// Writes down the next fact, whether it may be or not.
    pub fn take(&mut self, event: &Event) {
        let within = self.place(event);
        if let Event::Withdrawn(e) = event
            && let Some(fact) =
                (e.seq as usize).checked_sub(1).and_then(|at| self.facts.get_mut(at))
        {
            fact.struck = true;
        }
        self.facts.push(Fact { event: event.clone(), struck: false, within });
    }

    fn place(&self, event: &Event) -> Option<Seq> {
        match event {
            Event::PairingMade(e) => self.round(e.round),
            Event::ByeGiven(e) => self.round(e.round),
            Event::PairingsPublished(e) => self.round(e.round),
            Event::RoundCompleted(e) => self.round(e.round),
            Event::ResultClaimed(e) => Some(e.pairing),
            Event::ScoreNoted(e) => Some(e.pairing),
            Event::ResultRecorded(e) => Some(e.pairing),
            Event::ResultCorrected(e) => Some(e.pairing),
            Event::PlayerAdvanced(e) => Some(e.pairing),
            Event::DisputeOpened(e) => Some(e.pairing),
            Event::DisputeRuled(e) => Some(e.dispute),
            Event::PhaseEnded(e) => self.phase(e.phase),
            Event::PhaseStarted(e) if e.first_seed > 1 => self.phase(e.phase),
            Event::LotsDrawn(e) if e.first_place > 1 => self.lots(),
            _ => None,
        }
    }

    /// Whether the fact is neither taken back nor gone with what it stood in.
    pub fn stands(&self, seq: Seq) -> bool {
        let fact = (seq as usize).checked_sub(1).and_then(|at| self.facts.get(at));
        fact.is_some_and(|fact| {
            !fact.struck && fact.within.is_none_or(|within| self.stands(within))
        })
    }

    /// The facts that stand, in the order in which they were told.
    pub fn standing(&self) -> impl Iterator<Item = (Seq, &Event)> {
        let all = (1..).zip(&self.facts).map(|(seq, fact)| (seq, &fact.event));
        let all: Vec<_> = all.filter(|(seq, _)| self.stands(*seq)).collect();
        all.into_iter()
    }

    /// Every fact, also those taken back.
    pub fn told(&self) -> impl Iterator<Item = &Event> {
        self.facts.iter().map(|fact| &fact.event)
    }

    fn last(&self, is_it: impl Fn(&Event) -> bool) -> Option<Seq> {
        let found =
            (1..).zip(&self.facts).filter(|(seq, fact)| is_it(&fact.event) && self.stands(*seq));
        found.last().map(|(seq, _)| seq)
    }

    pub fn opened(&self) -> Option<&TournamentOpened> {
        match self.event(1)? {
            Event::TournamentOpened(e) => Some(e),
            _ => None,
        }
    }

    pub fn is_closed(&self) -> bool {
        self.last(|event| matches!(event, Event::TournamentClosed(_))).is_some()
    }

    /// What the draws must lead to now.
    pub fn seed_commitment(&self) -> Option<[u8; 32]> {
        let replaced = self.standing().filter_map(|(_, event)| match event {
            Event::SeedRecommitted(e) => Some(e.seed_commitment),
            _ => None,
        });
        replaced.last().or(self.opened()?.seed_commitment)
    }

    /// How many numbers were given to players, also those that are free again.
    pub fn numbers_given(&self) -> u32 {
        self.told().filter(|event| matches!(event, Event::PlayerEnrolled(_))).count() as u32
    }

    pub fn player(&self, number: PlayerNumber) -> Option<(Seq, &PlayerEnrolled)> {
        self.standing().find_map(|(seq, event)| match event {
            Event::PlayerEnrolled(e) if e.player == number => Some((seq, e)),
            _ => None,
        })
    }

    /// When somebody left and came back.
    pub fn availability(&self, player: PlayerNumber) -> Vec<(Seq, &Event)> {
        let about = |event: &Event| match event {
            Event::PlayerDropped(e) => e.player == player,
            Event::PlayerReinstated(e) => e.player == player,
            _ => false,
        };
        self.standing().filter(|(_, event)| about(event)).collect()
    }

    /// How somebody left who has not come back.
    pub fn out(&self, player: PlayerNumber) -> Option<(DropReason, RoundNumber)> {
        match self.availability(player).last() {
            Some((_, Event::PlayerDropped(e))) => Some((e.why, e.after_round)),
            _ => None,
        }
    }

    /// Whether somebody plays in a round: what was said last about that round counts, and nobody
    /// plays before their first one.
    pub fn plays(&self, player: PlayerNumber, round: RoundNumber) -> bool {
        self.plays_without(player, round, 0)
    }

    /// As [`Model::plays`], had one fact never been told.
    pub fn plays_without(&self, player: PlayerNumber, round: RoundNumber, without: Seq) -> bool {
        let Some((_, enrolled)) = self.player(player) else { return false };
        let availability =
            self.availability(player).into_iter().rev().filter(|(seq, _)| *seq != without);
        let said = availability.filter_map(|(_, event)| match event {
            Event::PlayerDropped(e) if e.after_round < round => Some(false),
            Event::PlayerReinstated(e) if e.from_round <= round => Some(true),
            _ => None,
        });
        said.into_iter().next().unwrap_or(true) && round >= enrolled.from_round
    }

    /// The start of the phase of this number.
    pub fn phase(&self, number: u16) -> Option<Seq> {
        self.last(
            |event| matches!(event, Event::PhaseStarted(e) if e.phase == number && e.first_seed <= 1),
        )
    }

    /// The start of the phase that was started last.
    pub fn last_phase(&self) -> Option<Seq> {
        self.last(|event| matches!(event, Event::PhaseStarted(e) if e.first_seed <= 1))
    }

    pub fn phase_end(&self, start: Seq) -> Option<Seq> {
        let ends = (1..).zip(&self.facts).filter(|(seq, fact)| {
            matches!(fact.event, Event::PhaseEnded(_))
                && fact.within == Some(start)
                && self.stands(*seq)
        });
        ends.last().map(|(seq, _)| seq)
    }

    /// Who entered a phase, by seed, with what was said in further events.
    pub fn entrants(&self, start: Seq) -> Vec<PlayerNumber> {
        let of_it = |seq: Seq| seq == start || self.facts[seq as usize - 1].within == Some(start);
        let lists = self.standing().filter_map(|(seq, event)| match event {
            Event::PhaseStarted(e) if of_it(seq) => Some(&e.entrants),
            _ => None,
        });
        lists.flatten().copied().collect()
    }

    /// The opening of the round of this number.
    pub fn round(&self, number: RoundNumber) -> Option<Seq> {
        self.last(|event| matches!(event, Event::RoundOpened(e) if e.round == number))
    }

    pub fn last_round(&self) -> Option<(Seq, &RoundOpened)> {
        self.rounds().last()
    }

    pub fn rounds(&self) -> impl Iterator<Item = (Seq, &RoundOpened)> {
        self.standing().filter_map(|(seq, event)| match event {
            Event::RoundOpened(e) => Some((seq, e)),
            _ => None,
        })
    }

    /// The fact of this kind that stands in a round or at a table.
    pub fn within(&self, place: Seq, is_it: impl Fn(&Event) -> bool) -> Option<Seq> {
        let found = (1..).zip(&self.facts).filter(|(seq, fact)| {
            fact.within == Some(place) && is_it(&fact.event) && self.stands(*seq)
        });
        found.last().map(|(seq, _)| seq)
    }

    pub fn completed(&self, round: Seq) -> Option<Seq> {
        self.within(round, |event| matches!(event, Event::RoundCompleted(_)))
    }

    pub fn published(&self, round: Seq) -> Option<Seq> {
        self.within(round, |event| matches!(event, Event::PairingsPublished(_)))
    }

    /// The tables of a round.
    pub fn tables(&self, round: Seq) -> Vec<(Seq, &PairingMade)> {
        let at = |seq: Seq| self.facts[seq as usize - 1].within == Some(round);
        let tables = self.standing().filter_map(|(seq, event)| match event {
            Event::PairingMade(e) if at(seq) => Some((seq, e)),
            _ => None,
        });
        tables.collect()
    }

    pub fn byes(&self, round: Seq) -> Vec<(Seq, &ByeGiven)> {
        let at = |seq: Seq| self.facts[seq as usize - 1].within == Some(round);
        let byes = self.standing().filter_map(|(seq, event)| match event {
            Event::ByeGiven(e) if at(seq) => Some((seq, e)),
            _ => None,
        });
        byes.collect()
    }

    /// The round in which a table or bye stands.
    pub fn round_of(&self, seq: Seq) -> Option<Seq> {
        self.facts.get((seq as usize).checked_sub(1)?)?.within
    }

    /// A table that stands.
    pub fn table(&self, pairing: Seq) -> Option<&PairingMade> {
        match self.event(pairing)? {
            Event::PairingMade(e) if self.stands(pairing) => Some(e),
            _ => None,
        }
    }

    /// Whether somebody has a table or a bye in a round.
    pub fn sits(&self, player: PlayerNumber, round: Seq) -> bool {
        let at_table = |e: &PairingMade| e.seats.iter().any(|seat| seat.player == player);
        self.tables(round).iter().any(|(_, e)| at_table(e))
            || self.byes(round).iter().any(|(_, e)| e.player == player)
    }

    /// A table's results that stand, oldest first; the last one counts.
    pub fn results(&self, pairing: Seq) -> Vec<(Seq, &MatchResult)> {
        let results = self.standing().filter_map(|(seq, event)| match event {
            Event::ResultRecorded(e) if e.pairing == pairing => Some((seq, &e.result)),
            Event::ResultCorrected(e) if e.pairing == pairing => Some((seq, &e.result)),
            _ => None,
        });
        results.collect()
    }

    pub fn result(&self, pairing: Seq) -> Option<(Seq, &MatchResult)> {
        self.results(pairing).last().copied()
    }

    /// The score so far of a match that still runs.
    pub fn noted(&self, pairing: Seq) -> Option<&Score> {
        let noted = self.standing().filter_map(|(_, event)| match event {
            Event::ScoreNoted(e) if e.pairing == pairing => Some(&e.score),
            _ => None,
        });
        noted.last()
    }

    /// What is written on the slips of a round.
    pub fn sheet(&self, round: Seq) -> Scoresheet {
        let phase = match self.event(round) {
            Some(Event::RoundOpened(e)) => self.phase(e.phase),
            _ => None,
        };
        let own = phase.and_then(|start| match self.event(start) {
            Some(Event::PhaseStarted(e)) => e.scoresheet.clone(),
            _ => None,
        });
        own.or(self.opened().map(|opened| opened.scoresheet.clone())).unwrap_or_default()
    }

    pub fn dispute(&self, seq: Seq) -> Option<&DisputeOpened> {
        match self.event(seq)? {
            Event::DisputeOpened(e) if self.stands(seq) => Some(e),
            _ => None,
        }
    }

    pub fn ruling(&self, dispute: Seq) -> Option<(Seq, bool)> {
        let found = self.standing().filter_map(|(seq, event)| match event {
            Event::DisputeRuled(e) if e.dispute == dispute => Some((seq, e.upheld)),
            _ => None,
        });
        found.last()
    }

    pub fn penalty(&self, seq: Seq) -> Option<&PenaltyGiven> {
        match self.event(seq)? {
            Event::PenaltyGiven(e) if self.stands(seq) => Some(e),
            _ => None,
        }
    }

    /// The lots that count.
    pub fn lots(&self) -> Option<Seq> {
        self.last(|event| matches!(event, Event::LotsDrawn(e) if e.first_place <= 1))
    }

    pub fn lots_order(&self) -> Vec<PlayerNumber> {
        let Some(first) = self.lots() else { return Vec::new() };
        let of_it = |seq: Seq| seq == first || self.facts[seq as usize - 1].within == Some(first);
        let lists = self.standing().filter_map(|(seq, event)| match event {
            Event::LotsDrawn(e) if of_it(seq) => Some(&e.order),
            _ => None,
        });
        lists.flatten().copied().collect()
    }
}
