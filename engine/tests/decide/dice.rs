//! Events without sense: every kind, with numbers that often name something.

use scrutineer_engine::event::*;
use scrutineer_engine::tournament::{Dispute, MatchView, Tournament};
use smallvec::{SmallVec, smallvec};

use crate::desk::{WORDS, enrolled, games_sheet, imported, opened};

/// Xorshift: the same seed gives the same events.
pub struct Dice(u64);

impl Dice {
    /// Seeds that lie side by side give events that don't.
    pub fn new(seed: u64) -> Dice {
        Dice(seed.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15))
    }

    pub fn below(&mut self, bound: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % bound
    }

    fn one_in(&mut self, times: u64) -> bool {
        self.below(times) == 0
    }

    fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len() as u64) as usize]
    }

    /// Mostly small, sometimes the largest there is.
    fn round(&mut self) -> u16 {
        if self.one_in(500) { u16::MAX } else { self.below(6) as u16 }
    }

    fn player(&mut self) -> u32 {
        if self.one_in(500) { u32::MAX } else { self.below(12) as u32 }
    }

    fn players(&mut self, most: u64) -> Vec<u32> {
        (0..self.below(most + 1)).map(|_| self.player()).collect()
    }

    /// Mostly one of the last events.
    fn seq(&mut self, head: u64) -> u64 {
        match self.below(20) {
            0 => u64::MAX,
            1 => head + self.below(3),
            2..5 => self.below(head + 1),
            _ => head.saturating_sub(self.below(25)),
        }
    }

    fn score(&mut self) -> Score {
        let (seats, lines) = if self.one_in(10) { (self.below(4), self.below(4)) } else { (2, 1) };
        let mut values = |count: u64| -> SmallVec<[i32; 2]> {
            (0..count).map(|_| self.below(3) as i32).collect()
        };
        let seats = (0..seats).map(|_| values(lines)).collect();
        Score { seats, table: values(lines.min(1)) }
    }

    fn rulings(&mut self) -> SmallVec<[Option<Ruling>; 2]> {
        let ruling = [None, Some(Ruling::Win), Some(Ruling::Loss), Some(Ruling::Place(3))];
        let count = if self.one_in(4) { self.below(4) } else { 0 };
        (0..count).map(|_| self.pick(&ruling)).collect()
    }

    fn result(&mut self, head: u64) -> MatchResult {
        let rare = self.one_in(8);
        let score = if self.one_in(12) { Score::default() } else { self.score() };
        MatchResult {
            score,
            rulings: self.rulings(),
            how: self.pick(How::ALL),
            grade: rare.then(|| "timed".to_owned()),
            penalties_served: (0..u64::from(rare)).map(|_| self.seq(head)).collect(),
            parts: Vec::new(),
        }
    }

    /// An event that has a chance to be legal: about the round that runs and its matches.
    pub fn sensible(&mut self, state: &Tournament) -> Event {
        let players = state.players().len() as u32;
        if state.opened().is_none() {
            return opened(games_sheet(3)).into();
        } else if players < 10 || (players < 20 && self.one_in(80)) {
            return enrolled(players + 1, 1).into();
        }
        let matches: Vec<Seq> = state.matches().map(MatchView::seq).collect();
        let pairing = matches.len().checked_sub(1 + self.below(4) as usize);
        let pairing = pairing.map_or(0, |at| matches[at]);
        let result = MatchResult { how: self.pick(How::ALL), ..MatchResult::played(self.even()) };
        let last = state.last_round().map_or(0, |round| round.number);
        let (player, reason, table) = (1 + self.below(10) as u32, WORDS, self.below(5) as u32 + 1);
        match self.below(16) {
            0 => self.next_round(state, last + 1),
            1..4 => self.pairing_at(last, table),
            4 | 5 => ResultRecorded { pairing, result }.into(),
            6 | 7 => {
                let replaces = state.match_at(pairing).and_then(MatchView::result).unwrap_or(0);
                let of_match = |dispute: &&Dispute| dispute.pairing == pairing;
                let dispute = state.disputes().last().filter(of_match).map(|dispute| dispute.seq);
                ResultCorrected { pairing, replaces, result, reason, dispute }.into()
            }
            8 => ScoreNoted { pairing, score: self.even() }.into(),
            9 => {
                let seats = state.match_at(pairing).map_or(&[][..], MatchView::seats);
                let player = seats.first().map_or(player, |seat| seat.player);
                PlayerAdvanced { pairing, player, reason }.into()
            }
            10 => DisputeOpened { pairing, by: None, claim: reason }.into(),
            11 => {
                let dispute = state.disputes().last().map_or(0, |dispute| dispute.seq);
                DisputeRuled { dispute, upheld: true, reason }.into()
            }
            12 => RoundCompleted { round: last }.into(),
            13 if self.below(3) > 0 => Withdrawn { seq: self.seq(state.head()), reason }.into(),
            _ => self.event(state.head()),
        }
    }

    fn even(&mut self) -> Score {
        let games = [self.below(3) as i32, self.below(2) as i32];
        Score { seats: games.map(|games| smallvec![games]).into(), table: smallvec![0] }
    }

    fn next_round(&mut self, state: &Tournament, round: u16) -> Event {
        let phase = state.phases().iter().rev().find(|phase| !phase.withdrawn);
        let Some(phase) = phase.map(|phase| phase.number).filter(|_| !self.one_in(6)) else {
            return self.phase_started(phase.map_or(1, |phase| phase.number + 1), 1);
        };
        let in_phase = state.rounds().iter().filter(|r| r.phase == phase && !r.withdrawn);
        let phase_round = in_phase.count() as u16 + 1;
        let weight = RoundWeight::ONE;
        RoundOpened { round, phase, phase_round, weight, drawn: None }.into()
    }

    fn pairing_at(&mut self, round: u16, table: u32) -> Event {
        let players = [1 + self.below(10) as u32, 1 + self.below(10) as u32];
        PairingMade {
            round,
            table: Some(table),
            seats: players.map(|player| Seat { player, role: 0 }).into(),
            group: None,
            bracket_slot: None,
            origin: Origin::AS_GIVEN,
        }
        .into()
    }

    /// The next event after `head` others.
    pub fn event(&mut self, head: u64) -> Event {
        match self.below(40) {
            0..10 => self.match_event(head),
            10..24 => self.round_event(),
            24..32 => self.player_event(head),
            32..36 => Withdrawn { seq: self.seq(head), reason: WORDS }.into(),
            _ => self.rare_event(head),
        }
    }

    fn match_event(&mut self, head: u64) -> Event {
        let (pairing, player, reason) = (self.seq(head), self.player(), WORDS);
        match self.below(12) {
            0..5 => ResultRecorded { pairing, result: self.result(head) }.into(),
            5 | 6 => {
                let (replaces, result) = (self.seq(head), self.result(head));
                ResultCorrected { pairing, replaces, result, reason, dispute: None }.into()
            }
            7 => ResultClaimed { pairing, seat: 1, result: self.result(head) }.into(),
            8 => ScoreNoted { pairing, score: self.score() }.into(),
            9 => PlayerAdvanced { pairing, player, reason }.into(),
            10 => DisputeOpened { pairing, by: None, claim: reason }.into(),
            _ => DisputeRuled { dispute: pairing, upheld: true, reason }.into(),
        }
    }

    fn round_event(&mut self) -> Event {
        let round = self.round();
        match self.below(12) {
            0 | 1 => {
                let (phase, phase_round) = (self.below(3) as u16, round);
                let weight = RoundWeight::ONE;
                RoundOpened { round, phase, phase_round, weight, drawn: None }.into()
            }
            2..8 => self.pairing(round),
            8 | 9 => {
                let (player, kind) = (self.player(), self.pick(ByeKind::ALL));
                let reported = self.one_in(3).then(|| self.score());
                ByeGiven {
                    round,
                    player,
                    kind,
                    reported,
                    bracket_slot: None,
                    origin: Origin::AS_GIVEN,
                }
                .into()
            }
            10 => PairingsPublished { round }.into(),
            _ => RoundCompleted { round }.into(),
        }
    }

    fn pairing(&mut self, round: u16) -> Event {
        let count = if self.one_in(10) { self.below(5) } else { 2 };
        let seats = (0..count).map(|_| Seat { player: self.player(), role: 0 }).collect();
        let table = (!self.one_in(4)).then(|| self.below(8) as u32);
        let origin = Origin::AS_GIVEN;
        PairingMade { round, table, seats, group: None, bracket_slot: None, origin }.into()
    }

    fn player_event(&mut self, head: u64) -> Event {
        let (player, round) = (self.player(), self.round());
        match self.below(18) {
            16 => PlayerRated { player, rating: self.pick(&[None, Some(1_912)]) }.into(),
            17 => {
                let publisher_id = self.pick(&[None, Some(WORDS)]);
                PlayerIdCorrected { player, publisher_id }.into()
            }
            14 => TableKept { player, table: self.pick(&[None, Some(0), Some(3)]) }.into(),
            15 => {
                let (first, last) = (self.below(4) as u32, self.below(9) as u32);
                TablesSet { ranges: vec![TableRange { first, last }] }.into()
            }
            12 => {
                let title = self.pick(&[None, Some("GM"), Some("WIM")]).map(str::to_string);
                PlayerDescribed { player, federation: title.clone(), title }.into()
            }
            13 => {
                let division = self.pick(&["junior", "senior"]).to_string();
                let rounds = self.pick(&[None, Some(1), Some(3)]);
                DivisionRounds { division, rounds }.into()
            }
            10 => ByeRequested { player, round, kind: self.pick(ByeKind::ALL) }.into(),
            8 => {
                let division = self.pick(&[None, Some("junior"), Some("senior")]);
                let division = division.map(str::to_string);
                PlayerDivisionChanged { player, division, reason: WORDS }.into()
            }
            9 => {
                let names = ["junior", "senior", "senior"];
                let merged =
                    vec![names[..self.below(4) as usize].iter().map(|n| n.to_string()).collect()];
                DivisionsPaired { apart: self.one_in(2), merged }.into()
            }
            0..3 => enrolled(player, round).into(),
            3 => {
                let why = self.pick(DropReason::ALL);
                PlayerDropped { player, why, after_round: round }.into()
            }
            4 | 11 => PlayerReinstated { player, from_round: round }.into(),
            5 => PlayerCheckedIn { player }.into(),
            6 => PlayerIdentified { player, name: WORDS }.into(),
            _ => {
                let kind = self.pick(PenaltyKind::ALL);
                let pairing = self.one_in(2).then(|| self.seq(head));
                PenaltyGiven { player, kind, pairing, reason: WORDS }.into()
            }
        }
    }

    fn phase_started(&mut self, phase: u16, first_seed: u32) -> Event {
        PhaseStarted {
            first_seed,
            entrants: self.players(3),
            scoresheet: self.one_in(9).then(Scoresheet::default),
            ..PhaseStarted::new(phase, self.pick(PhaseKind::ALL))
        }
        .into()
    }

    fn rare_event(&mut self, head: u64) -> Event {
        let phase = self.below(4) as u16;
        match self.below(12) {
            0 => opened(games_sheet(3)).into(),
            1 => imported().into(),
            2 | 3 => {
                let phase = if self.one_in(100) { u16::MAX } else { phase };
                let first_seed = self.below(5) as u32;
                self.phase_started(phase, first_seed)
            }
            4 | 5 => PhaseEnded { phase }.into(),
            6 | 7 => LotsDrawn {
                source: self.pick(LotsSource::ALL),
                first_place: self.below(4) as u32,
                order: self.players(4),
                seed: None,
            }
            .into(),
            8 => TournamentClosed {}.into(),
            9 => NoteAdded { note: WORDS, about: Some(self.seq(head)) }.into(),
            10 => PlanAmended { plan: Vec::new(), reason: WORDS }.into(),
            _ => RulesetAmended { ruleset: Vec::new(), from_round: None, reason: WORDS }.into(),
        }
    }
}
