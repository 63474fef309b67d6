//! What may be told next, as the model sees it: every reason against it, by the codes of
//! REFUSALS.md. Whoever refuses for another reason is wrong, and so is whoever takes what has one.

use super::model::Model;
use scrutineer_engine::command::Command;
use scrutineer_engine::event::*;
use std::collections::BTreeSet;

/// Reasons why something is refused; none: it is to be recorded.
pub type Reasons = BTreeSet<&'static str>;

/// The facts that a command asks for, or the reasons against its first bad one.
pub fn judge(model: &Model, command: &Command) -> Result<Vec<Event>, Reasons> {
    let events = facts(model, command).map_err(|code| Reasons::from([code]))?;
    if events.is_empty() {
        return Err(Reasons::from(["empty"]));
    }
    if events.iter().any(|event| event.encode().is_err()) {
        return Err(Reasons::from(["too-large"]));
    }
    let mut so_far = model.clone();
    for event in &events {
        let reasons = reasons(&so_far, event);
        if !reasons.is_empty() {
            return Err(reasons);
        }
        so_far.take(event);
    }
    Ok(events)
}

fn facts(model: &Model, command: &Command) -> Result<Vec<Event>, &'static str> {
    let table = |round: &RoundNumber, table: &u32| {
        let round = model.round(*round).ok_or("no-such-round")?;
        let tables = model.tables(round).into_iter();
        let found = tables.rev().find(|(_, e)| e.table == Some(*table));
        found.map(|(seq, _)| seq).ok_or("no-such-table")
    };
    let event = match command {
        Command::Record(events) => return Ok(events.clone()),
        Command::Enrol(players) => {
            let numbers = model.numbers_given() + 1..;
            let numbered = numbers.zip(players).map(|(player, enrolled)| {
                Event::from(PlayerEnrolled { player, ..enrolled.clone() })
            });
            return Ok(numbered.collect());
        }
        Command::OpenRound { round, pairings, byes } => {
            let mut events = vec![Event::from(round.clone())];
            events.extend(pairings.iter().cloned().map(Event::from));
            events.extend(byes.iter().cloned().map(Event::from));
            return Ok(events);
        }
        Command::Result { round, table: number, result } => {
            ResultRecorded { pairing: table(round, number)?, result: result.clone() }.into()
        }
        Command::Correct { round, table: number, result, reason, dispute } => {
            let pairing = table(round, number)?;
            let (replaces, _) = model.result(pairing).ok_or("nothing-to-correct")?;
            let (result, reason, dispute) = (result.clone(), *reason, *dispute);
            ResultCorrected { pairing, replaces, result, reason, dispute }.into()
        }
        Command::Advance { round, table: number, player, reason } => {
            let (pairing, player, reason) = (table(round, number)?, *player, *reason);
            PlayerAdvanced { pairing, player, reason }.into()
        }
        Command::CompleteRound => {
            let (_, round) = model.last_round().ok_or("no-such-round")?;
            RoundCompleted { round: round.round }.into()
        }
    };
    Ok(vec![event])
}

struct Against<'a> {
    model: &'a Model,
    reasons: Reasons,
}

/// Every reason against a fact.
pub fn reasons(model: &Model, event: &Event) -> Reasons {
    let mut against = Against { model, reasons: Reasons::new() };
    match event {
        Event::TournamentOpened(e) => against.open(e),
        _ if model.head() == 0 => against.say("not-opened", true),
        Event::Withdrawn(e) => against.withdraw(e.seq),
        _ if model.is_closed() && !may_follow_the_closing(event) => against.say("closed", true),
        _ => against.judge(event),
    }
    against.reasons
}

/// "Only corrections, notes and rulings are taken", and what is about papers: names, keys, rules.
fn may_follow_the_closing(event: &Event) -> bool {
    use Event::*;
    matches!(
        event,
        ResultCorrected(_)
            | NoteAdded(_)
            | DisputeOpened(_)
            | DisputeRuled(_)
            | LotsDrawn(_)
            | PlayerIdentified(_)
            | PlayerDivisionChanged(_)
            | PlayerDescribed(_)
            | PlayerRated(_)
            | PlayerIdCorrected(_)
            | StaffNamed(_)
            | TextsForgotten(_)
            | StandingsAnnounced(_)
            | RulesetAmended(_)
            | SignerChanged(_)
            | KeyRetired(_)
            | LogRestored(_)
    )
}

impl Against<'_> {
    fn say(&mut self, code: &'static str, holds: bool) {
        if holds {
            self.reasons.insert(code);
        }
    }

    fn judge(&mut self, event: &Event) {
        let model = self.model;
        match event {
            Event::PlayerEnrolled(e) => {
                self.say("wrong-player-number", e.player != model.numbers_given() + 1);
            }
            Event::PlayerIdentified(e) => self.known(e.player),
            Event::PlayerDivisionChanged(e) => self.known(e.player),
            Event::PlayerDescribed(e) => self.known(e.player),
            Event::PlayerRated(e) => self.known(e.player),
            Event::PlayerIdCorrected(e) => self.known(e.player),
            Event::DivisionRounds(_) => {}
            Event::TableKept(e) => {
                self.known(e.player);
                self.say("no-table-number", e.table == Some(0));
            }
            Event::TablesSet(e) => {
                let bounds: Vec<u32> = e.ranges.iter().flat_map(|r| [r.first, r.last]).collect();
                let each_once = bounds.chunks(2).all(|pair| pair[0] <= pair[1])
                    && bounds[1.min(bounds.len())..]
                        .chunks(2)
                        .all(|pair| pair.len() < 2 || pair[0] < pair[1]);
                self.say("bad-tables", !each_once || bounds.first() == Some(&0));
            }
            Event::DivisionsPaired(e) => {
                let names: Vec<&String> = e.merged.iter().flatten().collect();
                let once: BTreeSet<&String> = names.iter().copied().collect();
                let named = names.iter().all(|name| !name.is_empty());
                self.say("merged-twice", once.len() < names.len() || !named);
                let several = e.merged.iter().all(|group| group.len() > 1);
                let fits = e.merged.is_empty() || (e.apart && several);
                self.say("nothing-merged", !fits);
            }
            Event::ByeRequested(e) => {
                self.known(e.player);
                let asked_for = [ByeKind::Half, ByeKind::Zero, ByeKind::Awarded];
                self.say("bad-bye-request", !asked_for.contains(&e.kind));
                let last = model.last_round().map_or(0, |(_, round)| round.round);
                self.say("bye-too-late", e.round <= last);
                let same = |event: &Event| {
                    matches!(event, Event::ByeRequested(e2)
                        if (e2.player, e2.round) == (e.player, e.round))
                };
                self.say("bye-requested-twice", model.standing().any(|(_, event)| same(event)));
            }
            Event::PlayerCheckedIn(e) => self.known(e.player),
            Event::PlayerDropped(e) => {
                self.known(e.player);
                self.say("already-dropped", model.out(e.player).is_some());
            }
            Event::PlayerReinstated(e) => {
                self.known(e.player);
                self.say("not-dropped", model.out(e.player).is_none());
            }
            Event::PhaseStarted(e) => self.start_phase(e),
            Event::PhaseEnded(e) => {
                let start = model.phase(e.phase);
                let over = start.is_none_or(|start| model.phase_end(start).is_some());
                self.say("no-such-phase", over);
                let open = self.open_round().is_some_and(|round| round.phase == e.phase);
                self.say("phase-unfinished", open);
            }
            Event::RoundOpened(e) => self.round_opened(e),
            Event::EnginePaired(e) => {
                self.say("no-such-round", model.round(e.round).is_none());
                let opened = match model.event(model.head()) {
                    Some(Event::RoundOpened(opened)) => {
                        opened.drawn.is_some() && opened.round == e.round
                    }
                    _ => false,
                };
                self.say("not-for-engine", !opened);
                self.say("bad-word", e.output.contains(|c: char| c.is_alphabetic()));
            }
            Event::PairingMade(e) => self.pair(e),
            Event::ByeGiven(e) => self.bye(e),
            Event::PairingsPublished(e) => {
                let round = self.running(e.round);
                self.say("already-published", round.is_some_and(|r| model.published(r).is_some()));
            }
            Event::RoundCompleted(e) => {
                let tables = self.running(e.round).map(|round| model.tables(round));
                let open = tables.into_iter().flatten().any(|(seq, _)| model.result(seq).is_none());
                self.say("results-missing", open);
            }
            Event::ResultClaimed(e) => {
                let seats = model.table(e.pairing).map_or(0, |table| table.seats.len());
                self.say("no-such-seat", usize::from(e.seat) >= seats);
                self.slip(e.pairing, &e.result);
            }
            Event::ScoreNoted(e) => {
                self.say("already-recorded", model.result(e.pairing).is_some());
                self.score(e.pairing, &e.score);
            }
            Event::ResultRecorded(e) => {
                self.say("already-recorded", model.result(e.pairing).is_some());
                self.slip(e.pairing, &e.result);
            }
            Event::ResultCorrected(e) => {
                match model.result(e.pairing) {
                    None => self.say("nothing-to-correct", true),
                    Some((seq, _)) => self.say("not-the-current-result", seq != e.replaces),
                }
                if let Some(seq) = e.dispute {
                    let dispute = model.dispute(seq);
                    self.say("no-such-dispute", dispute.is_none());
                    self.say("other-match", dispute.is_some_and(|d| d.pairing != e.pairing));
                }
                self.slip(e.pairing, &e.result);
            }
            Event::PenaltyGiven(e) => match e.pairing {
                Some(pairing) => self.at_table(pairing, e.player),
                None => self.known(e.player),
            },
            Event::PlayerAdvanced(e) => self.at_table(e.pairing, e.player),
            Event::DisputeOpened(e) => {
                self.say("no-such-pairing", model.table(e.pairing).is_none());
                e.by.into_iter().for_each(|player| self.at_table(e.pairing, player));
            }
            Event::DisputeRuled(e) => {
                self.say("no-such-dispute", model.dispute(e.dispute).is_none());
                self.say("already-ruled", model.ruling(e.dispute).is_some());
            }
            Event::LotsDrawn(e) => {
                let last = model.last_round().map_or(0, |(_, round)| round.round);
                if let Some((draw, seed)) = &e.seed {
                    self.seed(*draw, seed, 2 * u32::from(last) + 1);
                }
                let before = if e.first_place > 1 { model.lots_order() } else { Vec::new() };
                self.list(&before, &e.order, e.first_place);
            }
            Event::StandingsAnnounced(e) => {
                self.say("stale-standings", e.head != model.head());
                let there = e.through_round == 0 || model.round(e.through_round).is_some();
                self.say("no-such-round", !there);
            }
            Event::NoteAdded(e) => {
                let there = |seq: Seq| model.event(seq).is_some();
                self.say("no-such-event", e.about.is_some_and(|seq| !there(seq)));
            }
            Event::PlanAmended(e) => {
                let sheets = e.plan.iter().filter_map(|phase| phase.scoresheet.as_ref());
                sheets.for_each(|sheet| self.sheet(sheet));
            }
            // Where it was played and who signs is not drilled.
            _ => {}
        }
    }

    fn open(&mut self, e: &TournamentOpened) {
        self.say("already-opened", self.model.head() > 0);
        self.sheet(&e.scoresheet);
        let planned = e.plan.iter().filter_map(|phase| phase.scoresheet.as_ref());
        planned.for_each(|sheet| self.sheet(sheet));
    }

    fn sheet(&mut self, sheet: &Scoresheet) {
        let names: BTreeSet<&str> = sheet.lines.iter().map(|line| line.name.as_str()).collect();
        let twice = names.len() < sheet.lines.len();
        let no_value = sheet.lines.iter().any(|line| line.min > line.max);
        let no_winner = sheet.best_of.is_some_and(|games| games % 2 == 0);
        self.say("bad-scoresheet", twice || no_value || no_winner || names.contains(""));
    }

    fn known(&mut self, player: PlayerNumber) {
        self.say("unknown-player", self.model.player(player).is_none());
    }

    /// A list of players that goes on behind another one.
    fn list(&mut self, before: &[PlayerNumber], list: &[PlayerNumber], first: u32) {
        self.say("wrong-continuation", first as usize != before.len() + 1);
        let all: Vec<PlayerNumber> = before.iter().chain(list).copied().collect();
        all.iter().for_each(|player| self.known(*player));
        let once: BTreeSet<_> = all.iter().collect();
        self.say("listed-twice", once.len() < all.len());
    }

    fn open_round(&self) -> Option<RoundOpened> {
        let (seq, round) = self.model.last_round()?;
        self.model.completed(seq).is_none().then(|| round.clone())
    }

    fn start_phase(&mut self, e: &PhaseStarted) {
        let model = self.model;
        e.scoresheet.iter().for_each(|sheet| self.sheet(sheet));
        let last = model.last_phase();
        let number = last.and_then(|start| match model.event(start) {
            Some(Event::PhaseStarted(e)) => Some(e.phase),
            _ => None,
        });
        if e.first_seed > 1 {
            let runs = last.is_some_and(|start| model.phase_end(start).is_none());
            self.say("no-such-phase", number != Some(e.phase) || !runs);
            let before = last.map(|start| model.entrants(start)).unwrap_or_default();
            return self.list(&before, &e.entrants, e.first_seed);
        }
        self.say("wrong-phase", e.phase != number.unwrap_or(0) + 1);
        self.say("round-unfinished", self.open_round().is_some());
        self.list(&[], &e.entrants, e.first_seed);
    }

    fn round_opened(&mut self, e: &RoundOpened) {
        let model = self.model;
        let last = model.last_round().map_or(0, |(_, round)| round.round);
        self.say("wrong-round", e.round != last + 1);
        let within = |part: u16| (1..=1000).contains(&part);
        self.say("bad-weight", !within(e.weight.num) || !within(e.weight.den));
        self.say("round-unfinished", self.open_round().is_some());
        let start = model.phase(e.phase);
        let over = start.is_none_or(|start| model.phase_end(start).is_some());
        self.say("no-such-phase", over);
        let before = model.rounds().filter(|(_, round)| round.phase == e.phase).count();
        self.say("wrong-phase-round", usize::from(e.phase_round) != before + 1);
        let Some(drawn) = &e.drawn else { return };
        let voided = model.told().filter_map(|event| match event {
            Event::RoundOpened(other) if other.round == e.round => other.drawn.as_ref(),
            _ => None,
        });
        match voided.last() {
            Some(before) => {
                let other = (before.draw, before.seed) != (drawn.draw, drawn.seed);
                self.say("other-seed", other);
                self.say("other-dice", before.dice != drawn.dice);
            }
            None => self.seed(drawn.draw, &drawn.seed, 2 * u32::from(e.round)),
        }
    }

    /// A seed leads to the commitment in as many steps as its draw's number says.
    fn seed(&mut self, draw: u32, seed: &[u8; 32], expected: u32) {
        let Some(commitment) = self.model.seed_commitment() else {
            return self.say("no-seed-committed", true);
        };
        self.say("wrong-pairing-seed", draw != expected);
        let before = |seed: [u8; 32], k: u32| {
            blake3::derive_key("scrutineer 2026 seed v1", &[&k.to_le_bytes()[..], &seed].concat())
        };
        let end = (1..=draw.min(4096)).rev().fold(*seed, before);
        self.say("wrong-seed", end != commitment);
    }

    /// The round of this number, which must not be over.
    fn running(&mut self, number: RoundNumber) -> Option<Seq> {
        let round = self.model.round(number);
        self.say("no-such-round", round.is_none());
        let over = round.is_some_and(|round| self.model.completed(round).is_some());
        self.say("round-completed", over);
        round
    }

    fn pair(&mut self, e: &PairingMade) {
        let round = self.running(e.round);
        self.say("too-few-seats", !(2..=255).contains(&e.seats.len()));
        let players: BTreeSet<PlayerNumber> = e.seats.iter().map(|seat| seat.player).collect();
        self.say("against-self", players.len() < e.seats.len());
        players.into_iter().for_each(|player| self.seat(player, e.round, round));
        let given = e.origin.kind == OriginKind::AsGiven;
        self.say("no-table-number", e.table == Some(0) || (e.table.is_none() && !given));
        let tables = round.map(|round| self.model.tables(round)).unwrap_or_default();
        let taken = tables.iter().any(|(_, other)| e.table.is_some() && other.table == e.table);
        self.say("table-taken", taken);
    }

    fn bye(&mut self, e: &ByeGiven) {
        let round = self.model.round(e.round);
        self.say("no-such-round", round.is_none());
        if let (Some(score), Some(round)) = (&e.reported, round) {
            self.score_of(round, 2, score);
        }
        match self.model.player(e.player) {
            // They came later, so they have no seat; they may be given something for what they missed.
            Some((_, enrolled)) if e.round < enrolled.from_round => {
                let sits = round.is_some_and(|round| self.model.sits(e.player, round));
                self.say("twice-in-round", sits);
            }
            _ => self.seat(e.player, e.round, round),
        }
    }

    fn seat(&mut self, player: PlayerNumber, number: RoundNumber, round: Option<Seq>) {
        self.known(player);
        let known = self.model.player(player).is_some();
        self.say("not-taking-part", known && !self.model.plays(player, number));
        let sits = round.is_some_and(|round| self.model.sits(player, round));
        self.say("twice-in-round", known && sits);
    }

    fn at_table(&mut self, pairing: Seq, player: PlayerNumber) {
        let table = self.model.table(pairing);
        self.say("no-such-pairing", table.is_none());
        let sits = |e: &PairingMade| e.seats.iter().any(|seat| seat.player == player);
        self.say("not-at-table", table.is_some_and(|table| !sits(table)));
    }

    fn slip(&mut self, pairing: Seq, result: &MatchResult) {
        let model = self.model;
        let Some(table) = model.table(pairing) else { return self.say("no-such-pairing", true) };
        let seats = table.seats.len();
        let ruled = result.rulings.iter().flatten().count();
        let all_or_none =
            result.rulings.is_empty() || (ruled, result.rulings.len()) == (seats, seats);
        self.say("wrong-seats", !all_or_none);
        if ruled == 0 || result.score != Score::default() {
            self.score(pairing, &result.score);
        }
        for seq in &result.penalties_served {
            let penalty = model.penalty(*seq);
            let his = |e: &PenaltyGiven| table.seats.iter().any(|seat| seat.player == e.player);
            self.say("no-such-penalty", !penalty.is_some_and(his));
        }
        let sheet = model.round_of(pairing).map(|round| model.sheet(round)).unwrap_or_default();
        let games = sheet.lines.iter().filter(|line| line.per == Per::Seat);
        let at = games.into_iter().position(|line| line.name == "games");
        if let (Some(best_of), Some(at)) = (sheet.best_of, at) {
            let won = |seat: usize| result.score.seats.get(seat).and_then(|of| of.get(at)).copied();
            let (one, other) = (won(0).unwrap_or(0), won(1).unwrap_or(0));
            let needed = i32::from(best_of) / 2 + 1;
            let both_won = one >= needed && other >= needed;
            self.say("impossible-score", one > needed || other > needed || both_won);
        }
    }

    fn score(&mut self, pairing: Seq, score: &Score) {
        match (self.model.table(pairing), self.model.round_of(pairing)) {
            (Some(table), Some(round)) => self.score_of(round, table.seats.len(), score),
            _ => self.say("no-such-pairing", true),
        }
    }

    fn score_of(&mut self, round: Seq, seats: usize, score: &Score) {
        let sheet = self.model.sheet(round);
        self.say("wrong-seats", score.seats.len() != seats);
        let lines = |per: Per| -> Vec<&ScoreLine> {
            sheet.lines.iter().filter(|line| line.per == per).collect()
        };
        let slips = score.seats.iter().map(|values| (lines(Per::Seat), values));
        for (lines, values) in slips.chain([(lines(Per::Table), &score.table)]) {
            self.say("wrong-lines", lines.len() != values.len());
            let outside =
                |(line, value): (&&ScoreLine, &i32)| *value < line.min || *value > line.max;
            self.say("out-of-bounds", lines.iter().zip(values).any(outside));
        }
    }

    fn withdraw(&mut self, seq: Seq) {
        let model = self.model;
        let Some(event) = model.event(seq) else { return self.say("no-such-event", true) };
        if !can_be_withdrawn(event) {
            return self.say("cannot-withdraw", true);
        }
        if !model.stands(seq) {
            return self.say("already-withdrawn", true);
        }
        let later_word = match event {
            Event::ResultRecorded(e) => model.results(e.pairing).len() > 1,
            Event::ResultCorrected(e) => model.results(e.pairing).len() > 1,
            Event::DisputeOpened(_) | Event::DisputeRuled(_) => true,
            Event::LotsDrawn(_) | Event::TournamentClosed(_) | Event::Imported(_) => true,
            _ => false,
        };
        self.say("closed", model.is_closed() && !later_word);
        self.say("still-needed", needed(model, seq, event));
    }
}

/// FORMAT.md, "Withdrawn". What goes on in a further event goes with its first one.
fn can_be_withdrawn(event: &Event) -> bool {
    match event {
        Event::PhaseStarted(e) => e.first_seed <= 1,
        Event::LotsDrawn(e) => e.first_place <= 1,
        Event::PlayerEnrolled(_)
        | Event::PlayerDropped(_)
        | Event::PlayerReinstated(_)
        | Event::PlayerCheckedIn(_)
        | Event::ByeRequested(_)
        | Event::PhaseEnded(_)
        | Event::RoundOpened(_)
        | Event::PairingsPublished(_)
        | Event::RoundCompleted(_)
        | Event::PairingMade(_)
        | Event::ByeGiven(_)
        | Event::ResultRecorded(_)
        | Event::ResultCorrected(_)
        | Event::PenaltyGiven(_)
        | Event::PlayerAdvanced(_)
        | Event::DisputeOpened(_)
        | Event::DisputeRuled(_)
        | Event::Imported(_)
        | Event::TournamentClosed(_) => true,
        _ => false,
    }
}

/// Whether something that stands would hang in the air.
fn needed(model: &Model, seq: Seq, event: &Event) -> bool {
    match event {
        Event::PlayerEnrolled(e) => {
            !model.availability(e.player).is_empty() || !seats_of(model, e.player).is_empty()
        }
        Event::PlayerDropped(e) => {
            model.availability(e.player).last().is_none_or(|(at, _)| *at != seq)
        }
        Event::PlayerReinstated(e) => {
            let is_last = model.availability(e.player).last().is_some_and(|(at, _)| *at == seq);
            let only_so = |round: &RoundNumber| {
                model.plays(e.player, *round) && !model.plays_without(e.player, *round, seq)
            };
            !is_last || seats_of(model, e.player).iter().any(only_so)
        }
        Event::PhaseStarted(e) => {
            model.rounds().any(|(_, round)| round.phase == e.phase)
                || model.last_phase().is_some_and(|last| last > seq)
        }
        // The next phase was begun because this one was over.
        Event::PhaseEnded(_) => model.last_phase().is_some_and(|last| last > seq),
        Event::RoundOpened(e) => rests_on_round(model, e, seq, seq),
        Event::RoundCompleted(e) => match model.round(e.round).map(|at| (at, model.event(at))) {
            Some((at, Some(Event::RoundOpened(round)))) => rests_on_round(model, round, at, seq),
            _ => false,
        },
        Event::PairingMade(_) => {
            let about = |event: &Event| match event {
                Event::PlayerAdvanced(e) => e.pairing == seq,
                Event::PenaltyGiven(e) => e.pairing == Some(seq),
                Event::DisputeOpened(e) => e.pairing == seq,
                _ => false,
            };
            model.result(seq).is_some() || model.standing().any(|(_, event)| about(event))
        }
        Event::ResultRecorded(ResultRecorded { pairing, .. })
        | Event::ResultCorrected(ResultCorrected { pairing, .. }) => {
            let results = model.results(*pairing);
            let is_last = results.last().is_some_and(|(at, _)| *at == seq);
            let round = model.round_of(*pairing);
            let over = round.is_some_and(|round| model.completed(round).is_some());
            !is_last || (results.len() == 1 && over)
        }
        // Also by a result that was corrected since: it would come back.
        Event::PenaltyGiven(_) => model.standing().any(|(_, event)| match event {
            Event::ResultRecorded(e) => e.result.penalties_served.contains(&seq),
            Event::ResultCorrected(e) => e.result.penalties_served.contains(&seq),
            _ => false,
        }),
        Event::DisputeOpened(_) => {
            let names = |event: &Event| matches!(event, Event::ResultCorrected(e) if e.dispute == Some(seq));
            model.ruling(seq).is_some() || model.standing().any(|(_, event)| names(event))
        }
        _ => false,
    }
}

/// The rounds in which somebody has a table or a bye.
fn seats_of(model: &Model, player: PlayerNumber) -> Vec<RoundNumber> {
    let in_it = model.rounds().filter(|(seq, _)| model.sits(player, *seq));
    in_it.map(|(_, round)| round.round).collect()
}

/// Whether anything was begun or ended since in the knowledge that this round was played.
fn rests_on_round(model: &Model, round: &RoundOpened, opened: Seq, since: Seq) -> bool {
    let later = model.rounds().any(|(seq, _)| seq > opened);
    let started = |event: &Event| matches!(event, Event::PhaseStarted(e) if e.first_seed <= 1);
    let ended = |event: &Event| matches!(event, Event::PhaseEnded(e) if e.phase == round.phase);
    let mut after = model.standing().filter(|(seq, _)| *seq > since);
    later || after.any(|(_, event)| started(event) || ended(event))
}
