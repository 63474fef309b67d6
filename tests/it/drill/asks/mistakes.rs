//! What nobody should ask for.

use super::*;

impl Pen<'_> {
    pub(super) fn mistake(&mut self) -> Command {
        let known = self.known;
        let round = known.last_round().map_or(0, |round| round.number);
        let head = known.head();
        let next = known.players().len() as PlayerNumber + 1;
        let reason = WORDS;
        let seats = |players: &[PlayerNumber]| -> SmallVec<[Seat; 2]> {
            players.iter().map(|player| Seat { player: *player, role: 0 }).collect()
        };
        let some: Vec<PlayerNumber> =
            (0..3).map(|_| self.dice.between(1, next as usize) as u32).collect();
        let seats_taken = self.dice.below(2);
        let some_round = self.dice.pick(&[round, 1, 99]);
        let event: Event = match self.dice.below(42) {
            0 => {
                let seq = self.dice.pick(&[0, 1, 2, head + 7, Seq::MAX]);
                Withdrawn { seq, reason }.into()
            }
            1 => Withdrawn { seq: self.dice.between(1, head as usize) as Seq, reason }.into(),
            2 => return Command::Record(Vec::new()),
            3 => return Command::Enrol(Vec::new()),
            4 => self.person(next + 3).into(),
            5 => {
                let mut person = self.person(next);
                person.division = Some("x".repeat(61 * 1024));
                return Command::Enrol(vec![person]);
            }
            6 => TournamentClosed {}.into(),
            7 => self.opening(Pen::sheet(3)),
            8 => return Command::CompleteRound,
            9 => RoundCompleted { round: self.dice.pick(&[round, round + 1, 99]) }.into(),
            10 => PairingsPublished { round: self.dice.pick(&[round, 99]) }.into(),
            11 => self.pairing(round, 90, &[some[0], some[0]]).into(),
            12 => self.pairing(round, 1, &some[..2]).into(),
            13 => self.pairing(round, 91, &some[..seats_taken]).into(),
            14 => self.pairing(some_round, 92, &some[..2]).into(),
            15 => {
                let table = self.dice.pick(&[None, Some(0), Some(1), Some(93)]);
                let origin = Origin::by_hand(reason);
                let (group, bracket_slot, seats) = (None, None, seats(&some));
                PairingMade { round, table, seats, group, bracket_slot, origin }.into()
            }
            16 => self.bye(some_round, some[0]).into(),
            17 => {
                let phase = self.dice.pick(&[1, 2, 9]);
                PhaseEnded { phase }.into()
            }
            18 => {
                let phase = self.dice.pick(&[1, 2, 3, 9]);
                let (first_seed, kind) = (self.dice.pick(&[1, 1, 2, 3]), PhaseKind::Swiss);
                let (group_sizes, passed_over) = (Vec::new(), Vec::new());
                let entrants = some.clone();
                let scoresheet = self.dice.chance(20).then(|| Pen::sheet(4));
                PhaseStarted {
                    first_seed,
                    entrants,
                    group_sizes,
                    passed_over,
                    scoresheet,
                    ..PhaseStarted::new(phase, kind)
                }
                .into()
            }
            19 => {
                let first_place = self.dice.pick(&[1, 2, next]);
                let seed = self.dice.chance(40).then(|| (2 * u32::from(round) + 1, [9; 32]));
                let source = LotsSource::Seed;
                LotsDrawn { source, first_place, order: some, seed }.into()
            }
            20 => self.announcement(head - 1, round),
            21 => self.announcement(head, 99),
            22 => PlanAmended {
                plan: vec![PlannedPhase {
                    kind: PhaseKind::Swiss,
                    rounds: None,
                    players: None,
                    scoresheet: Some(Pen::sheet(2)),
                }],
                reason,
            }
            .into(),
            23 => DisputeRuled { dispute: self.recent(), upheld: true, reason }.into(),
            24 => PlayerReinstated { player: some[0], from_round: round }.into(),
            25 => PlayerCheckedIn { player: next + 5 }.into(),
            26 => self.wrong_round(round),
            27 => NoteAdded { note: reason, about: Some(head + 50) }.into(),
            28 => {
                // The second half is wrong, so the first does not count either.
                let dropped =
                    PlayerDropped { player: some[0], why: DropReason::Left, after_round: 0 };
                return Command::Record(vec![dropped.clone().into(), dropped.into()]);
            }
            29 => {
                let mut result = MatchResult::played(Score::default());
                result.rulings = smallvec![Some(Ruling::Win), Some(Ruling::Loss)];
                return Command::Result { round, table: self.dice.pick(&[0, 88]), result };
            }
            _ => return self.wrong_slip(),
        };
        Command::Record(vec![event])
    }

    fn wrong_round(&mut self, last: RoundNumber) -> Event {
        let phase = self.known.phases().iter().rfind(|phase| !phase.withdrawn);
        let phase = phase.map_or(1, |phase| phase.number);
        let round = last + self.dice.pick(&[0, 1, 1, 2]);
        let phase_round = self.dice.pick(&[1, last + 1, 7]);
        let weight =
            RoundWeight { num: self.dice.pick(&[0, 1, 1]), den: self.dice.pick(&[1, 1001]) };
        let seed = [7; 32];
        let draw = self.dice.pick(&[2 * u32::from(round), 5]);
        let method = "drilled".to_owned();
        let drawn = self.dice.chance(60);
        let drawn = drawn.then_some(DrawUsed { method, version: 1, draw, seed, dice: None });
        RoundOpened { round, phase, phase_round, weight, drawn }.into()
    }

    fn wrong_slip(&mut self) -> Command {
        let known = self.known;
        let count = known.matches().count();
        let at = self.dice.below(count.max(1));
        let Some(found) = known.matches().nth(at) else { return Command::CompleteRound };
        let pairing = found.seq();
        let slip = |first: &[i32], second: &[i32], table: &[i32]| Score {
            seats: smallvec![Values::from_slice(first), Values::from_slice(second)],
            table: table.iter().copied().collect(),
        };
        let score = match self.dice.below(6) {
            0 => slip(&[3], &[0], &[0]),
            1 => slip(&[2], &[2], &[0]),
            2 => slip(&[2, 1], &[1, 0], &[0]),
            3 => slip(&[2], &[1], &[10]),
            4 => Score { seats: smallvec![smallvec![2]], table: smallvec![0] },
            _ => slip(&[2], &[-1], &[0]),
        };
        let mut result = MatchResult::played(score);
        match self.dice.below(5) {
            0 => result.rulings = smallvec![Some(Ruling::Win), None],
            1 => {
                result = MatchResult { penalties_served: vec![self.recent()], ..self.result(found) }
            }
            _ => {}
        }
        let event: Event = match (self.dice.below(4), found.result()) {
            (0, _) => ResultClaimed { pairing, seat: 7, result }.into(),
            (1, _) => ResultRecorded { pairing: pairing + 1, result }.into(),
            (2, _) => {
                let (replaces, reason, dispute) = (self.recent(), WORDS, Some(self.recent()));
                ResultCorrected { pairing, replaces, result, reason, dispute }.into()
            }
            (_, Some(replaces)) => {
                let dispute = self.dice.chance(30).then(|| self.recent());
                ResultCorrected { pairing, replaces, result, reason: WORDS, dispute }.into()
            }
            (_, None) => ResultRecorded { pairing, result }.into(),
        };
        Command::Record(vec![event])
    }
}
