//! Tournaments in which everything happens that can happen: every event passed `validate`.

use super::dice::Dice;
use crate::script::{Desk, WORDS, enrolled, games_sheet, line, seat_sheet};
use scrutineer_engine::event::*;

/// A kind of tournament.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum World {
    /// Games won and drawn; rulings where somebody overrode them.
    Games,
    /// Games, and every result is ruled as well.
    GamesRuled,
    /// Objective and survival points.
    Objective,
    /// The slip holds the match points.
    MatchPoints,
    /// Nothing but rulings.
    Rulings,
    /// Tables of three and four.
    Pods,
    /// Swiss, then single or double elimination.
    Cut,
    /// Swiss on two days, mostly with a cut between them, then single or double elimination.
    Days,
    /// Single elimination with qualifier, byes and players advanced by ruling.
    Elimination,
}

impl World {
    pub const ALL: [World; 9] = [
        World::Games,
        World::GamesRuled,
        World::Objective,
        World::MatchPoints,
        World::Rulings,
        World::Pods,
        World::Cut,
        World::Days,
        World::Elimination,
    ];

    fn sheet(self, dice: &mut Dice) -> Scoresheet {
        match self {
            World::Games | World::GamesRuled | World::Cut | World::Days | World::Elimination => {
                games_sheet(dice.pick(&[Some(3), Some(3), Some(3), Some(1), Some(5), None]))
            }
            World::Objective => seat_sheet(&["objective", "survival"]),
            World::MatchPoints => seat_sheet(&["match_points"]),
            World::Rulings => Scoresheet::default(),
            World::Pods if dice.chance(50) => seat_sheet(&["games"]),
            World::Pods => Scoresheet::default(),
        }
    }

    fn first_phase(self) -> PhaseKind {
        match self {
            World::Pods => PhaseKind::Pods,
            World::Elimination => PhaseKind::Elimination,
            _ => PhaseKind::Swiss,
        }
    }
}

/// A tournament being played.
struct Hall<'a> {
    world: World,
    dice: &'a mut Dice,
    desk: Desk,
    sheet: Scoresheet,
    phase: u16,
    phase_kind: PhaseKind,
    phase_round: u16,
    round: RoundNumber,
    /// The entrants of the phase; in a bracket those who are still in.
    alive: Vec<PlayerNumber>,
    /// Who lost once in a double elimination.
    lost_once: Vec<PlayerNumber>,
    /// Tables of the round: seq, seats.
    tables: Vec<(Seq, Vec<PlayerNumber>)>,
    results: Vec<(Seq, Seq)>,
    byes: Vec<Seq>,
    drops: Vec<Seq>,
    sign_up_known: bool,
}

/// The tournament of a seed.
pub fn tournament(world: World, seed: u64) -> Desk {
    let mut dice = Dice(seed);
    let sheet = world.sheet(&mut dice);
    let mut hall = Hall {
        world,
        desk: Desk::open(sheet.clone()),
        dice: &mut dice,
        sheet,
        phase: 0,
        phase_kind: PhaseKind::Swiss,
        phase_round: 0,
        round: 0,
        alive: Vec::new(),
        lost_once: Vec::new(),
        tables: Vec::new(),
        results: Vec::new(),
        byes: Vec::new(),
        drops: Vec::new(),
        sign_up_known: true,
    };
    hall.play();
    hall.desk
}

impl Hall<'_> {
    fn play(&mut self) {
        if self.dice.chance(5) {
            self.import();
        }
        let players = match self.dice.below(10) {
            0..6 => self.dice.between(2, 7),
            6..9 => self.dice.between(8, 12),
            _ => self.dice.between(13, 24),
        };
        let in_order = self.dice.chance(70);
        for _ in 0..players {
            self.enroll(in_order);
        }
        let mut rounds = self.dice.between(1, if players > 12 { 5 } else { 9 });
        if self.world != World::Elimination {
            rounds = rounds.min(self.dice.between(2, 9));
        }
        let later = self.later_phases(rounds);
        self.start_phase(self.world.first_phase());
        for round in 1..=rounds {
            for (_, kind) in later.iter().filter(|(before, _)| *before == round) {
                self.end_phase();
                self.start_phase(*kind);
            }
            self.play_round();
            self.between_rounds();
        }
        if self.dice.chance(30) {
            self.draw_lots();
        }
        if self.dice.chance(50) {
            self.end_phase();
        }
        if self.dice.chance(30) {
            self.desk.offer(TournamentClosed {});
        }
    }

    /// The later phases, each with the round before which it begins.
    fn later_phases(&mut self, rounds: usize) -> Vec<(usize, PhaseKind)> {
        let bracket = self.dice.pick(&[PhaseKind::Elimination, PhaseKind::DoubleElimination]);
        match self.world {
            World::Cut => vec![(self.dice.between(2, rounds + 1), bracket)],
            World::Days => {
                let second = self.dice.between(2, rounds + 1);
                let cut = self.dice.between(second, rounds + 1);
                vec![(second, PhaseKind::Swiss), (cut, bracket)]
            }
            _ => Vec::new(),
        }
    }

    fn end_phase(&mut self) {
        if self.dice.chance(60) {
            self.desk.offer(PhaseEnded { phase: self.phase });
        }
    }

    fn is_bracket(&self) -> bool {
        matches!(self.phase_kind, PhaseKind::Elimination | PhaseKind::DoubleElimination)
    }
    fn import(&mut self) {
        self.sign_up_known = self.dice.chance(50);
        let mut unknown = if self.sign_up_known { vec![] } else { vec![UnknownFact::SignUpOrder] };
        if self.dice.chance(50) {
            unknown.push(UnknownFact::Seeds);
        }
        self.desk.offer(Imported {
            source_file: [0; 32],
            source_event: WORDS,
            format: "csv".to_owned(),
            file: WORDS,
            unknown,
        });
    }

    fn players(&self) -> usize {
        self.desk.state.players().len()
    }

    fn anybody(&mut self) -> PlayerNumber {
        let players = self.players();
        self.dice.between(1, players) as PlayerNumber
    }

    fn enroll(&mut self, in_order: bool) {
        let mut player = enrolled(self.players() as PlayerNumber + 1);
        if !in_order {
            player.sign_up = Some(1_000 - 3 * player.player);
        }
        if !self.sign_up_known || self.dice.chance(1) {
            player.sign_up = None;
        }
        if self.dice.chance(60) {
            player.rating = Some(self.dice.between(1_200, 2_400) as i32);
        }
        let late = self.dice.between(1, 3) as RoundNumber;
        player.from_round = if self.dice.chance(8) { self.round + late } else { self.round + 1 };
        if let Some(seq) = self.desk.offer(player)
            && self.dice.chance(2)
        {
            self.withdraw(seq);
        }
    }

    fn withdraw(&mut self, seq: Seq) -> bool {
        self.desk.offer(Withdrawn { seq, reason: WORDS }).is_some()
    }

    fn start_phase(&mut self, kind: PhaseKind) {
        let state = &self.desk.state;
        let here = state.players().iter().filter(|player| !player.withdrawn);
        let mut entrants: Vec<PlayerNumber> = here.map(|player| player.number).collect();
        self.dice.shuffle(&mut entrants);
        if self.phase > 0 {
            let all = entrants.len();
            entrants.truncate(self.dice.between(2.min(all), all));
            entrants.retain(|player| state.player(*player).is_some_and(|p| p.dropped().is_none()));
        }
        let continued = if self.dice.chance(10) { entrants.len() / 2 } else { 0 };
        let rest = entrants.split_off(entrants.len() - continued);
        let scoresheet = (self.phase > 0 && self.dice.chance(40)).then(|| self.another_slip());
        let started = PhaseStarted {
            entrants: entrants.clone(),
            scoresheet: scoresheet.clone(),
            ..PhaseStarted::new(self.phase + 1, kind)
        };
        let Some(seq) = self.desk.offer(started.clone()) else { return };
        if self.dice.chance(3) && self.withdraw(seq) {
            self.desk.record(started.clone());
        }
        if !rest.is_empty() {
            let first_seed = entrants.len() as u32 + 1;
            self.desk.record(PhaseStarted { first_seed, entrants: rest.clone(), ..started });
        }
        (self.phase, self.phase_kind, self.phase_round) = (self.phase + 1, kind, 0);
        self.sheet = scoresheet.unwrap_or_else(|| self.sheet.clone());
        self.alive = entrants.into_iter().chain(rest).collect();
        self.lost_once.clear();
    }

    /// The same lines elsewhere, one of them missing or one more, and another number of games.
    fn another_slip(&mut self) -> Scoresheet {
        let mut sheet = self.sheet.clone();
        sheet.best_of = self.dice.pick(&[Some(5), Some(1), None]);
        sheet.lines.reverse();
        match self.dice.below(4) {
            0 => sheet.lines.retain(|line| line.name != "drawn"),
            1 => sheet.lines.insert(0, line("objective", Per::Seat, 0, 9)),
            _ => {}
        }
        sheet
    }

    fn play_round(&mut self) {
        let weight = match self.dice.below(10) {
            0 => RoundWeight { num: 1, den: 2 },
            1 => RoundWeight { num: 3, den: 7 },
            _ => RoundWeight::ONE,
        };
        let opened = RoundOpened {
            round: self.round + 1,
            phase: self.phase,
            phase_round: self.phase_round + 1,
            weight,
            drawn: None,
        };
        let Some(seq) = self.desk.offer(opened.clone()) else { return };
        (self.round, self.phase_round) = (self.round + 1, self.phase_round + 1);
        self.pair_everybody();
        if self.dice.chance(4) {
            self.enter_results(60);
            if self.withdraw(seq) {
                self.desk.record(opened);
                self.pair_everybody();
            }
        }
        let share = if self.dice.chance(12) { 50 } else { 100 };
        self.enter_results(share);
        self.second_thoughts();
        let round = self.round;
        if let Some(completed) = self.desk.offer(RoundCompleted { round })
            && self.dice.chance(5)
            && self.withdraw(completed)
        {
            self.second_thoughts();
            self.enter_results(100);
            self.desk.offer(RoundCompleted { round });
        }
    }

    fn pair_everybody(&mut self) {
        self.tables.clear();
        self.byes.clear();
        let mut waiting: Vec<PlayerNumber> = match self.is_bracket() || self.phase > 1 {
            true => self.alive.clone(),
            false => (1..=self.players() as PlayerNumber).collect(),
        };
        let here = |player: &PlayerNumber| {
            self.desk.state.player(*player).is_some_and(|p| p.takes_part_in(self.round))
        };
        waiting.retain(here);
        self.dice.shuffle(&mut waiting);
        self.set_some_aside(&mut waiting);
        let seats = match self.phase_kind {
            PhaseKind::Pods => self.dice.pick(&[3, 4, 3, 4, 3, 4, 9]),
            _ => 2,
        };
        while waiting.len() >= seats.min(2) && !waiting.is_empty() {
            let seated = waiting.split_off(waiting.len() - seats.min(waiting.len()));
            if seated.len() == 1 {
                self.give_bye(seated[0]);
            } else {
                self.pair(seated);
            }
        }
        if let [last] = waiting[..] {
            self.give_bye(last);
        }
    }

    /// Byes of every kind, and players whom nobody paired.
    fn set_some_aside(&mut self, waiting: &mut Vec<PlayerNumber>) {
        let qualifier = self.is_bracket() && self.phase_round == 1;
        let share = if qualifier { self.dice.between(0, 50) } else { 7 };
        for at in (0..waiting.len()).rev() {
            if self.dice.chance(share) {
                let player = waiting.remove(at);
                self.give_bye(player);
            } else if self.dice.chance(3) {
                waiting.remove(at);
            }
        }
    }

    fn give_bye(&mut self, player: PlayerNumber) {
        let kinds = [ByeKind::Assigned; 6];
        let rare = [
            ByeKind::Awarded,
            ByeKind::Half,
            ByeKind::Zero,
            ByeKind::AwardedLoss,
            ByeKind::Vacant,
            ByeKind::Zero,
        ];
        let kind =
            if self.dice.chance(50) { self.dice.pick(&kinds) } else { self.dice.pick(&rare) };
        let reported = self.dice.chance(25).then(|| self.score(2));
        let (round, origin) = (self.round, Origin::AS_GIVEN);
        let bye = ByeGiven { round, player, kind, reported, bracket_slot: None, origin };
        self.byes.extend(self.desk.offer(bye));
    }

    fn pair(&mut self, seats: Vec<PlayerNumber>) {
        let table = self.tables.len() as u32 + 1;
        let pairing = PairingMade {
            round: self.round,
            table: Some(table),
            seats: seats.iter().map(|player| Seat { player: *player, role: 0 }).collect(),
            group: None,
            bracket_slot: None,
            origin: Origin::AS_GIVEN,
        };
        let Some(mut seq) = self.desk.offer(pairing.clone()) else { return };
        if self.dice.chance(3) && self.withdraw(seq) {
            let Some(again) = self.desk.offer(pairing) else { return };
            seq = again;
        }
        self.tables.push((seq, seats));
    }

    fn enter_results(&mut self, share: usize) {
        let mut tables = self.tables.clone();
        self.dice.shuffle(&mut tables);
        for (pairing, seats) in tables {
            if self.dice.chance(12) {
                let score = self.score(seats.len());
                self.desk.offer(ScoreNoted { pairing, score });
            }
            if !self.dice.chance(share) {
                continue;
            }
            let result = self.result(seats.len());
            if let Some(seq) = self.desk.offer(ResultRecorded { pairing, result }) {
                self.results.push((pairing, seq));
                self.knock_out(pairing, &seats);
            }
        }
    }

    /// In an elimination somebody goes on, by the ruling of a dice.
    fn knock_out(&mut self, pairing: Seq, seats: &[PlayerNumber]) {
        if !self.is_bracket() {
            return;
        }
        let winner = self.dice.pick(seats);
        let mut losers: Vec<PlayerNumber> = seats.to_vec();
        losers.retain(|player| *player != winner);
        if self.phase_kind == PhaseKind::DoubleElimination {
            let first_time: Vec<PlayerNumber> =
                losers.iter().copied().filter(|player| !self.lost_once.contains(player)).collect();
            losers.retain(|player| !first_time.contains(player));
            self.lost_once.extend(first_time);
        }
        self.alive.retain(|player| !losers.contains(player));
        if self.dice.chance(15) {
            let advanced = PlayerAdvanced { pairing, player: winner, reason: WORDS };
            if let Some(seq) = self.desk.offer(advanced)
                && self.dice.chance(10)
            {
                self.withdraw(seq);
            }
        }
    }

    /// Corrections, withdrawn results and byes.
    fn second_thoughts(&mut self) {
        for _ in 0..2 {
            if self.dice.chance(25) && !self.results.is_empty() {
                let at = self.dice.below(self.results.len());
                self.correct(at);
            }
        }
        if self.dice.chance(8) && !self.results.is_empty() {
            let at = self.dice.below(self.results.len());
            if self.withdraw(self.results[at].1) {
                let (pairing, _) = self.results.remove(at);
                self.enter_again(pairing);
            }
        }
        if self.dice.chance(4) && !self.byes.is_empty() {
            let at = self.dice.below(self.byes.len());
            self.withdraw(self.byes[at]);
        }
    }

    fn correct(&mut self, at: usize) {
        let (pairing, _) = self.results[at];
        let Some(found) = self.desk.state.match_at(pairing) else { return };
        let (Some(replaces), seats) = (found.result(), found.seats().len()) else { return };
        let (result, reason, dispute) = (self.result(seats), WORDS, None);
        let corrected = ResultCorrected { pairing, replaces, result, reason, dispute };
        if let Some(seq) = self.desk.offer(corrected)
            && self.dice.chance(15)
        {
            self.withdraw(seq);
        }
    }

    fn enter_again(&mut self, pairing: Seq) {
        let Some(found) = self.desk.state.match_at(pairing) else { return };
        let seats = found.seats().len();
        if self.dice.chance(60) {
            let result = self.result(seats);
            let seq = self.desk.offer(ResultRecorded { pairing, result });
            self.results.extend(seq.map(|seq| (pairing, seq)));
        } else if self.dice.chance(50) {
            let score = self.score(seats);
            self.desk.offer(ScoreNoted { pairing, score });
        }
    }

    fn between_rounds(&mut self) {
        for _ in 0..2 {
            if self.dice.chance(18) {
                self.drop_somebody();
            }
        }
        if self.dice.chance(10) {
            let (player, from_round) = (self.anybody(), self.round + 1);
            let reinstated = PlayerReinstated { player, from_round };
            if let Some(seq) = self.desk.offer(reinstated)
                && self.dice.chance(15)
            {
                self.withdraw(seq);
            }
        }
        if self.dice.chance(8) {
            self.enroll(true);
        }
        if self.dice.chance(4) && !self.drops.is_empty() {
            let at = self.dice.below(self.drops.len());
            self.withdraw(self.drops[at]);
        }
        if self.dice.chance(5) {
            self.draw_lots();
        }
    }

    fn drop_somebody(&mut self) {
        let why = self.dice.pick(&[
            DropReason::Left,
            DropReason::Left,
            DropReason::NoShow,
            DropReason::Disqualified,
        ]);
        let player = self.anybody();
        let earlier = if self.dice.chance(15) { 1 } else { 0 };
        let after_round = self.round - earlier.min(self.round);
        self.drops.extend(self.desk.offer(PlayerDropped { player, why, after_round }));
    }

    fn draw_lots(&mut self) {
        let here = self.desk.state.players().iter().filter(|player| !player.withdrawn);
        let mut order: Vec<PlayerNumber> = here.map(|player| player.number).collect();
        self.dice.shuffle(&mut order);
        if self.dice.chance(10) {
            order.truncate(order.len() / 2);
        }
        let drawn = LotsDrawn { source: LotsSource::ByHand, first_place: 1, order, seed: None };
        if let Some(seq) = self.desk.offer(drawn)
            && self.dice.chance(5)
        {
            self.withdraw(seq);
        }
    }

    fn score(&mut self, seats: usize) -> Score {
        let mut score = Score::default();
        let (own, other, drawn) = self.games();
        if self.sheet.table_line("drawn").is_some() {
            score.table.push(drawn);
        }
        for seat in 0..seats {
            let mut lines = Vec::new();
            for line in self.sheet.lines.iter().filter(|line| line.per == Per::Seat) {
                lines.push(match line.name.as_str() {
                    "games" if seats == 2 => [own, other][seat],
                    "objective" => self.dice.between(0, 7) as i32,
                    "survival" => self.dice.between(0, 12) as i32 - 2,
                    "match_points" => self.dice.pick(&[0, 0, 1, 3, 3, 6]),
                    _ => self.dice.between(0, 3) as i32,
                });
            }
            score.seats.push(lines.into_iter().collect());
        }
        score
    }

    fn games(&mut self) -> (i32, i32, i32) {
        let (own, other, drawn) = match self.sheet.best_of {
            Some(1) => self.dice.pick(&[(1, 0, 0), (1, 0, 0), (0, 0, 1), (0, 0, 0)]),
            Some(5) => self.dice.pick(&[(3, 0, 0), (3, 1, 0), (3, 2, 0), (2, 2, 1), (2, 1, 0)]),
            _ => self.dice.pick(&[
                (2, 0, 0),
                (2, 0, 0),
                (2, 1, 0),
                (2, 1, 0),
                (2, 0, 1),
                (1, 1, 1),
                (1, 1, 0),
                (1, 0, 0),
                (0, 0, 3),
                (0, 0, 0),
            ]),
        };
        if self.dice.chance(50) { (own, other, drawn) } else { (other, own, drawn) }
    }

    fn result(&mut self, seats: usize) -> MatchResult {
        let mut result = MatchResult::played(self.score(seats));
        let ruled = match self.world {
            World::GamesRuled | World::Rulings | World::Pods => 97,
            _ => 12,
        };
        result.how = self.dice.pick(&[
            How::Played,
            How::Played,
            How::Played,
            How::Played,
            How::Conceded,
            How::Unknown,
            How::AgreedDraw,
            How::Forfeit,
            How::NoShow,
        ]);
        if self.dice.chance(ruled) {
            result.rulings = self.rulings(seats).into_iter().map(Some).collect();
            if self.dice.chance(25) {
                result.score = Score::default();
            }
        }
        if self.dice.chance(12) {
            result.grade = Some(self.dice.pick(&["timed", "modified", "unheard_of"]).to_owned());
        }
        result
    }

    fn rulings(&mut self, seats: usize) -> Vec<Ruling> {
        let mut rulings = match self.dice.below(20) {
            0 => vec![Ruling::Loss; seats],
            1 => vec![Ruling::NoResult; seats],
            2..5 => vec![Ruling::Draw; seats],
            5..9 if self.world == World::Pods => {
                (1..=seats).map(|place| Ruling::Place(place as u8)).collect()
            }
            _ => {
                let mut rulings = vec![Ruling::Loss; seats];
                rulings[0] = Ruling::Win;
                rulings
            }
        };
        self.dice.shuffle(&mut rulings);
        rulings
    }
}
