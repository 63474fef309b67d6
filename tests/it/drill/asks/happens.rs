//! What comes up at every tournament: somebody leaves, a slip was wrong, the head judge rules.

use super::*;

impl Pen<'_> {
    fn somebody(&mut self) -> PlayerNumber {
        self.dice.between(1, self.known.players().len().max(1)) as PlayerNumber
    }

    /// A seq, more likely a late one.
    pub(super) fn recent(&mut self) -> Seq {
        let head = self.known.head() as usize;
        let back = if self.dice.chance(70) { 12 } else { head };
        (head - self.dice.below(back.min(head).max(1))) as Seq
    }

    pub(super) fn happens(&mut self) -> Command {
        let round = self.known.last_round().map_or(0, |round| round.number);
        let player = self.somebody();
        let event: Event = match self.dice.below(29) {
            22 => {
                let round = (round + 2).saturating_sub(self.dice.below(3) as u16);
                ByeRequested { player, round, kind: self.dice.pick(ByeKind::ALL) }.into()
            }
            23 => {
                let (title, federation) = (Some("GM".to_string()), None);
                PlayerDescribed { player, title, federation }.into()
            }
            27 => PlayerRated { player, rating: self.dice.pick(&[None, Some(1_912)]) }.into(),
            28 => {
                let publisher_id = self.dice.chance(70).then(|| self.word(Field::PublisherId));
                PlayerIdCorrected { player, publisher_id }.into()
            }
            24 => {
                let division = self.dice.pick(&["junior", "senior"]).to_string();
                let rounds = self.dice.pick(&[None, Some(2), Some(round + 1)]);
                DivisionRounds { division, rounds }.into()
            }
            25 => {
                let table = self.dice.pick(&[None, Some(0), Some(2), Some(9)]);
                TableKept { player, table }.into()
            }
            26 => {
                let (first, last) = (self.dice.below(4) as u32, self.dice.below(9) as u32);
                let second = TableRange { first: 6, last: 9 };
                TablesSet { ranges: vec![TableRange { first, last }, second] }.into()
            }
            20 => {
                let division = self.dice.pick(&[None, Some("junior"), Some("senior")]);
                let division = division.map(str::to_string);
                PlayerDivisionChanged { player, division, reason: self.reason() }.into()
            }
            21 => {
                let names = ["junior", "senior", "senior"];
                let names = names[..self.dice.below(4)].iter().map(|name| name.to_string());
                DivisionsPaired { apart: self.dice.chance(70), merged: vec![names.collect()] }
                    .into()
            }
            0 => {
                let all = [DropReason::Left, DropReason::NoShow, DropReason::Disqualified];
                let after_round = (round + 1).saturating_sub(self.dice.below(3) as u16);
                PlayerDropped { player, why: self.dice.pick(&all), after_round }.into()
            }
            1 | 2 => {
                let out = self.known.players().iter().filter(|player| player.dropped().is_some());
                let out: Vec<PlayerNumber> = out.map(|player| player.number).collect();
                let player = out.get(self.dice.below(out.len().max(1))).copied().unwrap_or(player);
                PlayerReinstated { player, from_round: round + self.dice.below(2) as u16 }.into()
            }
            3 => PlayerCheckedIn { player }.into(),
            4 => PlayerIdentified { player, name: self.word(Field::Name) }.into(),
            5 => NoteAdded { note: self.word(Field::Note), about: Some(self.recent()) }.into(),
            6 => {
                let mut order: Vec<PlayerNumber> = self.free(RoundNumber::MAX);
                self.dice.shuffle(&mut order);
                let source = LotsSource::ByHand;
                LotsDrawn { source, first_place: 1, order, seed: None }.into()
            }
            7 if round > 0 => self.bye(round, player).into(),
            8 => match self.dice.below(5) {
                4 => TextsForgotten { numbers: vec![1 + self.dice.below(9) as u32] }.into(),
                0 => StaffNamed { actor: 3, name: self.word(Field::Staff) }.into(),
                1 => PlanAmended { plan: Vec::new(), reason: self.reason() }.into(),
                2 => {
                    let (ruleset, from_round) = (Vec::new(), Some(round + 1));
                    RulesetAmended { ruleset, from_round, reason: self.reason() }.into()
                }
                _ => self.announcement(self.known.head(), round),
            },
            9 => return self.enroll(),
            10..=12 => {
                let seq = self.recent();
                Withdrawn { seq, reason: self.reason() }.into()
            }
            _ => return self.at_a_table(),
        };
        Command::Record(vec![event])
    }

    pub(super) fn announcement(&mut self, head: Seq, through_round: RoundNumber) -> Event {
        let (ruleset, table) = ([0; 32], [0; 32]);
        StandingsAnnounced { head, through_round, ruleset, fold_version: 0, table }.into()
    }

    fn at_a_table(&mut self) -> Command {
        let known = self.known;
        let count = known.matches().count();
        let Some(found) = known.matches().nth(self.dice.below(count.max(1))) else {
            return Command::Record(vec![NoteAdded { note: WORDS, about: None }.into()]);
        };
        let (pairing, round) = (found.seq(), found.round().number);
        let player = found.seats()[self.dice.below(found.seats().len())].player;
        let disputes: Vec<_> = known.disputes().iter().filter(|d| !d.withdrawn).collect();
        let event: Event = match self.dice.below(10) {
            0 => {
                let seat = self.dice.below(found.seats().len()) as u8;
                ResultClaimed { pairing, seat, result: self.result(found) }.into()
            }
            1 => ScoreNoted { pairing, score: self.score(found) }.into(),
            2 | 3 => {
                let all = [PenaltyKind::Warning, PenaltyKind::GameLoss, PenaltyKind::MatchLoss];
                let kind = self.dice.pick(&all);
                let pairing = self.dice.chance(50).then_some(pairing);
                PenaltyGiven { player, kind, pairing, reason: self.reason() }.into()
            }
            4 => match found.table() {
                Some(table) => {
                    return Command::Advance { round, table, player, reason: self.reason() };
                }
                None => PlayerAdvanced { pairing, player, reason: self.reason() }.into(),
            },
            5 => {
                let by = self.dice.chance(70).then_some(player);
                DisputeOpened { pairing, by, claim: self.reason() }.into()
            }
            6 if !disputes.is_empty() => {
                let dispute = disputes[self.dice.below(disputes.len())].seq;
                let upheld = self.dice.chance(50);
                DisputeRuled { dispute, upheld, reason: self.reason() }.into()
            }
            _ => {
                let mut named = disputes.iter().filter(|dispute| dispute.pairing == pairing);
                let dispute = named.next().map(|dispute| dispute.seq);
                let (result, reason) = (self.result(found), self.reason());
                match (found.table(), found.result()) {
                    (Some(table), _) if self.dice.chance(60) => {
                        return Command::Correct { round, table, result, reason, dispute };
                    }
                    (_, Some(replaces)) => {
                        ResultCorrected { pairing, replaces, result, reason, dispute }.into()
                    }
                    (_, None) => ResultRecorded { pairing, result }.into(),
                }
            }
        };
        Command::Record(vec![event])
    }
}
