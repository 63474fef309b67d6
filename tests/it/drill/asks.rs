//! What a desk asks for, from what it knows: mostly what comes next, often what comes up, and
//! sometimes what nobody should ask for.

mod happens;
mod mistakes;

use crate::random_tournaments::Dice;
use crate::script::{games_sheet, line};
use scrutineer_engine::book::{Commitment, Field, PrivateEntry, commit};
use scrutineer_engine::command::Command;
use scrutineer_engine::event::*;
use scrutineer_engine::record::StreamId;
use scrutineer_engine::seed::{self, Seeds};
use scrutineer_engine::tournament::{MatchView, Tournament};
use smallvec::{SmallVec, smallvec};

/// Words that nobody keeps.
const WORDS: Commitment = Commitment { number: u32::MAX, digest: [0; 32] };

/// What kind of tournament it is going to be.
pub struct Plan {
    pub stream: StreamId,
    pub players: usize,
    pub rounds: usize,
    pub cut: usize,
    pub pods: bool,
    pub seeds: Option<Seeds>,
}

/// A desk at work on one request.
pub struct Pen<'a> {
    pub dice: &'a mut Dice,
    pub plan: &'a Plan,
    /// What the desk knows, which may be old.
    pub known: &'a Tournament,
    /// The next free number of the private book; none: this request keeps no words.
    pub book: Option<u32>,
    /// The words of this request.
    pub private: Vec<PrivateEntry>,
}

impl Pen<'_> {
    /// Something to ask for.
    pub fn ask(&mut self) -> Command {
        if self.known.opened().is_none() {
            return self.open();
        }
        match self.dice.below(100) {
            0..58 => self.next(),
            58..82 => self.happens(),
            _ => self.mistake(),
        }
    }

    fn word(&mut self, field: Field) -> Commitment {
        let Some(number) = self.book else { return WORDS };
        let mut salt = [0; 32];
        salt.iter_mut().for_each(|byte| *byte = self.dice.below(256) as u8);
        let text = format!("words {number} of {field:?}");
        let entry = PrivateEntry { number, field, salt, text };
        let commitment = commit(self.plan.stream, &entry);
        self.private.push(entry);
        self.book = Some(number + 1);
        commitment
    }

    fn reason(&mut self) -> Commitment {
        self.word(Field::Reason)
    }

    fn sheet(best_of: u8) -> Scoresheet {
        Scoresheet { best_of: Some(best_of), ..games_sheet(None) }
    }

    fn opening(&mut self, scoresheet: Scoresheet) -> Event {
        let seed_commitment = self.plan.seeds.as_ref().map(Seeds::commitment);
        let title = self.word(Field::Title);
        let (ruleset, plan) = (Vec::new(), Vec::new());
        let opened = TournamentOpened {
            ruleset,
            plan,
            seed_commitment,
            ..TournamentOpened::new(title, scoresheet)
        };
        opened.into()
    }

    fn open(&mut self) -> Command {
        let mut sheet = Pen::sheet(3);
        if self.plan.pods {
            sheet = Scoresheet { lines: vec![line("games", Per::Seat, 0, 9)], best_of: None };
        }
        Command::Record(vec![self.opening(sheet)])
    }

    fn person(&mut self, player: PlayerNumber) -> PlayerEnrolled {
        let next_round = self.known.next_round_number();
        let late = self.dice.chance(15);
        PlayerEnrolled {
            sign_up: self.dice.chance(80).then_some(player),
            from_round: if late { next_round + self.dice.below(2) as u16 } else { 1 },
            awarded_byes: self.dice.below(2) as u8,
            ..PlayerEnrolled::new(player, self.word(Field::Name))
        }
    }

    fn enroll(&mut self) -> Command {
        let next = self.known.players().len() as u32 + 1;
        if self.dice.chance(20) {
            return Command::Record(vec![self.person(next).into()]);
        }
        let count = self.dice.between(1, 3) as u32;
        Command::Enrol((next..next + count).map(|number| self.person(number)).collect())
    }

    /// Who could sit in a round.
    fn free(&self, round: RoundNumber) -> Vec<PlayerNumber> {
        let players = self.known.players().iter().filter(|player| player.takes_part_in(round));
        let in_round = |seq: &MatchView<'_>| seq.round().number == round;
        let sits = |number: PlayerNumber| {
            let at = |found: MatchView<'_>| found.seats().iter().any(|seat| seat.player == number);
            let bye = |bye: &scrutineer_engine::tournament::Bye| {
                let of = self.known.rounds()[bye.round as usize].number;
                bye.player == number && of == round
            };
            self.known.matches().filter(in_round).any(at) || self.known.byes().any(bye)
        };
        players.map(|player| player.number).filter(|number| !sits(*number)).collect()
    }

    fn next(&mut self) -> Command {
        let known = self.known;
        let enrolled = known.players().iter().filter(|player| !player.withdrawn).count();
        let phase = known.phases().iter().rfind(|phase| !phase.withdrawn);
        if enrolled < self.plan.players && phase.is_none_or(|phase| phase.number == 1) {
            return self.enroll();
        }
        if known.is_closed() {
            return self.happens();
        }
        let Some(phase) = phase else { return self.start_phase(1) };
        if let Some(round) = known.last_round().filter(|round| round.completed.is_none()) {
            return self.go_on(round.number, round.published.is_some());
        }
        let mut of_phase = known.rounds().iter().filter(|round| !round.withdrawn);
        let played = of_phase.by_ref().filter(|round| round.phase == phase.number).count();
        let planned = if phase.number == 1 { self.plan.rounds } else { 2 };
        match phase.number {
            _ if played < planned && phase.ended.is_none() => {
                self.open_round(phase.number, played as u16 + 1)
            }
            1 if self.plan.cut > 0 => self.start_phase(2),
            _ => Command::Record(vec![TournamentClosed {}.into()]),
        }
    }

    fn start_phase(&mut self, phase: u16) -> Command {
        let mut entrants: Vec<PlayerNumber> = self.free(self.known.next_round_number());
        let mut events = Vec::new();
        let mut kind = if self.plan.pods { PhaseKind::Pods } else { PhaseKind::Swiss };
        let (mut passed_over, mut scoresheet) = (Vec::new(), None);
        if phase > 1 {
            kind = PhaseKind::Elimination;
            self.dice.shuffle(&mut entrants);
            if self.dice.chance(30) && entrants.len() > self.plan.cut {
                passed_over.push(PassedOver { player: entrants.remove(0), reason: WORDS });
            }
            entrants.truncate(self.plan.cut);
            let runs = self.known.phase(phase - 1).is_some_and(|phase| phase.ended.is_none());
            if runs && self.dice.chance(60) {
                events.push(PhaseEnded { phase: phase - 1 }.into());
            }
            scoresheet = (!self.plan.pods).then(|| Pen::sheet(5));
        } else if self.dice.chance(50) {
            entrants.clear();
        }
        let group_sizes = Vec::new();
        let first_seed = 1;
        events.push(
            PhaseStarted {
                first_seed,
                entrants,
                group_sizes,
                passed_over,
                scoresheet,
                ..PhaseStarted::new(phase, kind)
            }
            .into(),
        );
        Command::Record(events)
    }

    fn origin(&mut self) -> Origin {
        match self.dice.chance(30) {
            true => Origin::by_hand(self.reason()),
            false => Origin::AS_GIVEN,
        }
    }

    fn pairing(&mut self, round: RoundNumber, table: u32, players: &[PlayerNumber]) -> PairingMade {
        let seats = players.iter().map(|player| Seat { player: *player, role: 0 }).collect();
        let origin = self.origin();
        PairingMade { round, table: Some(table), seats, group: None, bracket_slot: None, origin }
    }

    fn bye(&mut self, round: RoundNumber, player: PlayerNumber) -> ByeGiven {
        use ByeKind::*;
        let kind = self.dice.pick(&[Assigned, Assigned, Awarded, Zero, AwardedLoss]);
        let origin = self.origin();
        ByeGiven { round, player, kind, reported: None, bracket_slot: None, origin }
    }

    fn drawn(&mut self, round: RoundNumber) -> Option<DrawUsed> {
        let voided = self.known.voided_draw(round).cloned();
        if voided.is_some() && self.dice.chance(85) {
            return voided;
        }
        let seeds = self.plan.seeds.as_ref().filter(|_| self.dice.chance(60))?;
        let draw = seed::draw_of_round(round);
        let dice = self.dice.chance(30).then(|| vec![self.dice.below(6) as u8]);
        let method = "drilled".to_owned();
        Some(DrawUsed { method, version: 1, draw, seed: seeds.reveal(draw)?, dice })
    }

    fn open_round(&mut self, phase: u16, phase_round: u16) -> Command {
        let number = self.known.next_round_number();
        let (weight, drawn) = (RoundWeight::ONE, self.drawn(number));
        let round = RoundOpened { round: number, phase, phase_round, weight, drawn };
        if self.dice.chance(10) {
            return Command::Record(vec![round.into()]);
        }
        let mut players = self.free(number);
        if phase > 1 {
            let entrants = self.known.phase(phase).map(|phase| phase.entrants.clone());
            let left = self.plan.cut >> (phase_round - 1);
            let in_cut: Vec<_> = entrants.unwrap_or_default().into_iter().take(left).collect();
            players.retain(|player| in_cut.contains(player));
        }
        self.dice.shuffle(&mut players);
        let size = if self.plan.pods && phase == 1 { self.dice.between(3, 4) } else { 2 };
        let (mut pairings, mut byes) = (Vec::new(), Vec::new());
        for (table, seats) in (1..).zip(players.chunks(size)) {
            match seats {
                [alone] => byes.push(self.bye(number, *alone)),
                // Somebody is forgotten now and then.
                _ if self.dice.chance(4) => {}
                seats => pairings.push(self.pairing(number, table, seats)),
            }
        }
        if round.drawn.is_some() && self.dice.chance(20) {
            let mut events = vec![round.into(), self.engine_paired(number).into()];
            events.extend(pairings.into_iter().map(Event::from));
            events.extend(byes.into_iter().map(Event::from));
            return Command::Record(events);
        }
        Command::OpenRound { round, pairings, byes }
    }

    /// What an engine said, now and then of another round or in words.
    fn engine_paired(&mut self, round: RoundNumber) -> EnginePaired {
        let (engine, arguments) = ("drilled".to_owned(), "{input}".to_owned());
        let round = if self.dice.chance(10) { round + 1 } else { round };
        let output = if self.dice.chance(10) { "two pairs" } else { "1\n1 2\n" }.to_owned();
        EnginePaired { round, engine, version: None, arguments, input: [4; 32], output }
    }

    fn go_on(&mut self, round: RoundNumber, published: bool) -> Command {
        let known = self.known;
        let of_round = |found: &MatchView<'_>| found.round().number == round;
        let tables: Vec<_> = known.matches().filter(of_round).collect();
        let open: Vec<_> = tables.iter().filter(|found| found.result().is_none()).collect();
        if !published && self.dice.chance(40) {
            return Command::Record(vec![PairingsPublished { round }.into()]);
        }
        if tables.is_empty() || self.dice.chance(4) {
            let free = self.free(round);
            let table = tables.len() as u32 + 1;
            return match free[..] {
                [one, other, ..] => {
                    Command::Record(vec![self.pairing(round, table, &[one, other]).into()])
                }
                [alone] => Command::Record(vec![self.bye(round, alone).into()]),
                [] => Command::CompleteRound,
            };
        }
        if open.is_empty() {
            return match self.dice.chance(70) {
                true => Command::CompleteRound,
                false => Command::Record(vec![RoundCompleted { round }.into()]),
            };
        }
        let found = *open[self.dice.below(open.len())];
        let result = self.result(found);
        match found.table().filter(|_| self.dice.chance(70)) {
            Some(table) => Command::Result { round, table, result },
            None => Command::Record(vec![ResultRecorded { pairing: found.seq(), result }.into()]),
        }
    }

    fn score(&mut self, found: MatchView<'_>) -> Score {
        let sheet = self.known.scoresheet(found.round()).cloned().unwrap_or_default();
        let needed = i32::from(sheet.best_of.unwrap_or(3) / 2 + 1);
        let mut score = Score::default();
        for seat in 0..found.seats().len() {
            let most = if seat == 0 { needed } else { needed - 1 };
            score.seats.push(smallvec![self.dice.between(0, most as usize) as i32]);
        }
        self.dice.shuffle(&mut score.seats);
        score.table = (0..sheet.table_lines()).map(|_| self.dice.below(2) as i32).collect();
        score
    }

    fn result(&mut self, found: MatchView<'_>) -> MatchResult {
        let mut result = MatchResult::played(self.score(found));
        let seats = found.seats().len();
        match self.dice.below(20) {
            0 | 1 => {
                let winner = self.dice.below(seats);
                let ruled = |seat| if seat == winner { Ruling::Win } else { Ruling::Loss };
                result.rulings = (0..seats).map(|seat| Some(ruled(seat))).collect();
                result.how = self.dice.pick(&[How::Conceded, How::Played]);
                if self.dice.chance(50) {
                    result.score = Score::default();
                }
            }
            2 => result.how = How::AgreedDraw,
            3 => result.grade = Some("timed".to_owned()),
            _ => {}
        }
        let waiting = self.known.penalties().iter().filter(|penalty| !penalty.withdrawn);
        let sits = |player| found.seats().iter().any(|seat| seat.player == player);
        let his: Vec<_> = waiting.filter(|penalty| sits(penalty.player)).collect();
        if !his.is_empty() && self.dice.chance(60) {
            result.penalties_served.push(his[self.dice.below(his.len())].seq);
        }
        result
    }
}

/// One seat's values.
type Values = SmallVec<[i32; 2]>;
