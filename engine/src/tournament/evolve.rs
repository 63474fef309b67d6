//! The fold: what each event changes. Total: an event that is not legal changes what it can and
//! nothing else.

use super::*;

impl Tournament {
    /// Takes the next event into the state.
    pub fn evolve(&mut self, event: &Event) {
        let seq = self.head() + 1;
        self.last_entry = self.last_entry.max(event.last_entry());
        let entry = self.take(seq, event);
        self.entries.push(entry);
        debug_assert_eq!(self.head(), seq);
    }

    fn take(&mut self, seq: Seq, event: &Event) -> Entry {
        match event {
            Event::ResultRecorded(e) => self.set_result(seq, e.pairing, &e.result),
            Event::PairingMade(e) => self.pair(seq, e),
            Event::ByeGiven(e) => self.give_bye(seq, e),
            Event::PlayerEnrolled(e) => self.enroll(seq, e),
            Event::ResultCorrected(e) => self.correct(seq, e),
            Event::ScoreNoted(e) => self.note_score(seq, e),
            Event::RoundOpened(e) => self.open_round(seq, e),
            Event::EnginePaired(e) => {
                if let Some(index) = self.round_index(e.round) {
                    let said = (e.engine.clone(), e.version.clone());
                    self.rounds[index as usize].engine = Some(said);
                }
                Entry::Other
            }
            Event::RoundCompleted(e) => self.mark_round(e.round, Entry::RoundCompleted, |round| {
                round.completed = Some(seq);
            }),
            Event::PairingsPublished(e) => self.mark_round(e.round, Entry::Published, |round| {
                round.published = Some(seq);
            }),
            Event::PhaseStarted(e) => self.start_phase(seq, e),
            Event::PhaseEnded(e) => self.end_phase(seq, e.phase),
            Event::PlayerDropped(e) => {
                self.add_availability(seq, e.player, Availability::Dropped(e.why, e.after_round))
            }
            Event::PlayerReinstated(e) => {
                self.add_availability(seq, e.player, Availability::Reinstated(e.from_round))
            }
            Event::ByeRequested(e) => {
                self.bye_requests.push((seq, *e));
                Entry::ByeRequest
            }
            Event::PlayerIdentified(e) => self.change_player(e.player, |p| p.name = e.name),
            Event::PlayerCheckedIn(e) => {
                self.change_player(e.player, |p| p.checked_in = true);
                Entry::CheckedIn(e.player)
            }
            Event::PlayerDivisionChanged(e) => {
                self.change_player(e.player, |p| p.division = e.division.clone())
            }
            Event::PlayerDescribed(e) => self.change_player(e.player, |p| {
                p.title.clone_from(&e.title);
                p.federation.clone_from(&e.federation);
            }),
            Event::PlayerRated(e) => self.change_player(e.player, |p| {
                p.rated.push((seq, std::mem::replace(&mut p.rating, e.rating)));
            }),
            Event::PlayerIdCorrected(e) => {
                self.change_player(e.player, |p| p.publisher_id = e.publisher_id)
            }
            Event::DivisionRounds(e) => {
                match e.rounds {
                    Some(rounds) => self.division_rounds.insert(e.division.clone(), rounds),
                    None => self.division_rounds.remove(&e.division),
                };
                Entry::Other
            }
            Event::TableKept(e) => {
                match e.table {
                    Some(table) => self.kept_tables.insert(e.player, table),
                    None => self.kept_tables.remove(&e.player),
                };
                Entry::Other
            }
            Event::TablesSet(e) => {
                self.tables.clone_from(&e.ranges);
                Entry::Other
            }
            Event::DivisionsPaired(e) => {
                self.divisions_paired = e.clone();
                Entry::Other
            }
            Event::PenaltyGiven(e) => self.penalise(seq, e),
            Event::PlayerAdvanced(e) => self.advance(seq, e),
            Event::DisputeOpened(e) => self.open_dispute(seq, e),
            Event::DisputeRuled(e) => self.rule_dispute(seq, e),
            Event::LotsDrawn(e) => self.draw_lots(seq, e),
            Event::Withdrawn(e) => self.undo(e.seq),
            Event::TournamentOpened(e) => self.open(seq, e),
            Event::Imported(e) => {
                self.imported = Some(e.clone());
                Entry::Imported
            }
            Event::PlanAmended(e) => self.amend(|opened| opened.plan = e.plan.clone()),
            Event::SeedRecommitted(e) => {
                self.amend(|opened| opened.seed_commitment = Some(e.seed_commitment))
            }
            Event::SignerChanged(e) => {
                self.signers.push((seq, e.signer));
                self.amend(|opened| opened.signer = Some(e.signer))
            }
            Event::KeyRetired(e) => {
                self.retired.push((seq, e.clone()));
                Entry::Other
            }
            Event::StandingsAnnounced(e) => {
                self.announcements.push((seq, e.clone()));
                Entry::Other
            }
            Event::RulesetAmended(e) => {
                self.rulesets.push((e.from_round, e.ruleset.clone()));
                Entry::Other
            }
            Event::TournamentClosed(_) => {
                self.closed = Some(seq);
                Entry::Closed
            }
            Event::TextsForgotten(e) => {
                // A number counts only where an event before has a text under it.
                let there = e.numbers.iter().filter(|number| **number <= self.last_entry);
                self.forgotten.extend(there);
                Entry::Other
            }
            Event::NoteAdded(_)
            | Event::StaffNamed(_)
            | Event::ResultClaimed(_)
            | Event::LogRestored(_) => Entry::Other,
        }
    }

    fn open(&mut self, seq: Seq, e: &TournamentOpened) -> Entry {
        if self.opened.is_none() {
            self.signers.extend(e.signer.map(|key| (seq, key)));
            self.rulesets.push((None, e.ruleset.clone()));
            self.opened = Some(e.clone());
        }
        Entry::Other
    }

    fn amend(&mut self, change: impl FnOnce(&mut TournamentOpened)) -> Entry {
        if let Some(opened) = &mut self.opened {
            change(opened);
        }
        Entry::Other
    }

    fn enroll(&mut self, seq: Seq, e: &PlayerEnrolled) -> Entry {
        let index = self.players.len() as u32;
        self.latest.push(NONE);
        self.players.push(Player {
            number: index + 1,
            enrolled: seq,
            name: e.name,
            publisher_id: e.publisher_id,
            sign_up: e.sign_up,
            from_round: e.from_round,
            awarded_byes: e.awarded_byes,
            rating: e.rating,
            rated: Vec::new(),
            division: e.division.clone(),
            title: None,
            federation: None,
            checked_in: false,
            withdrawn: false,
            availability: SmallVec::new(),
        });
        Entry::Player(index)
    }

    pub(super) fn change_player(
        &mut self,
        number: PlayerNumber,
        change: impl FnOnce(&mut Player),
    ) -> Entry {
        if let Some(player) = self.player_mut(number) {
            change(player);
        }
        Entry::Other
    }

    fn add_availability(&mut self, seq: Seq, number: PlayerNumber, change: Availability) -> Entry {
        match self.player_mut(number) {
            Some(player) => {
                player.availability.push((seq, change));
                Entry::Availability(number)
            }
            None => Entry::Other,
        }
    }

    fn start_phase(&mut self, seq: Seq, e: &PhaseStarted) -> Entry {
        if e.first_seed > 1 {
            if let Some(phase) = self.phase_mut(e.phase) {
                phase.entrants.extend_from_slice(&e.entrants);
                phase.passed_over.extend(e.passed_over.iter().map(|one| one.player));
            }
            return Entry::Other;
        }
        self.phases.push(Phase {
            number: e.phase,
            started: seq,
            kind: e.kind,
            entrants: e.entrants.clone(),
            passed_over: e.passed_over.iter().map(|one| one.player).collect(),
            scoresheet: e.scoresheet.clone(),
            ended: None,
            withdrawn: false,
        });
        Entry::Phase(self.phases.len() as u32 - 1)
    }

    fn end_phase(&mut self, seq: Seq, number: u16) -> Entry {
        let stands = |phase: &Phase| phase.number == number && !phase.withdrawn;
        let Some(index) = self.phases.iter().rposition(stands) else { return Entry::Other };
        self.phases[index].ended = Some(seq);
        Entry::PhaseEnded(index as u32)
    }

    fn phase_mut(&mut self, number: u16) -> Option<&mut Phase> {
        self.phases.iter_mut().rev().find(|phase| phase.number == number && !phase.withdrawn)
    }

    fn open_round(&mut self, seq: Seq, e: &RoundOpened) -> Entry {
        self.rounds.push(Round {
            number: e.round,
            opened: seq,
            phase: e.phase,
            phase_round: e.phase_round,
            weight: e.weight,
            drawn: e.drawn.clone(),
            engine: None,
            published: None,
            completed: None,
            withdrawn: false,
            open_matches: 0,
            highest_table: 0,
            matches: (0, 0),
        });
        Entry::Round(self.rounds.len() as u32 - 1)
    }

    fn mark_round(
        &mut self,
        number: RoundNumber,
        entry: fn(u32) -> Entry,
        mark: impl FnOnce(&mut Round),
    ) -> Entry {
        match self.round_index(number) {
            Some(index) => {
                mark(&mut self.rounds[index as usize]);
                entry(index)
            }
            None => Entry::Other,
        }
    }

    fn pair(&mut self, seq: Seq, e: &PairingMade) -> Entry {
        let Some(round) = self.round_index(e.round) else { return Entry::Other };
        let index = self.matches.len() as u32;
        let seats_at = self.seats.len() as u32;
        let seats = e.seats.iter().take(usize::from(u8::MAX));
        self.seats.extend(seats.map(|seat| SeatState {
            player: seat.player,
            role: seat.role,
            ruling: None,
        }));
        let state = &mut self.rounds[round as usize];
        state.open_matches += 1;
        state.highest_table = state.highest_table.max(e.table.unwrap_or(0));
        let first = if state.matches.1 == 0 { index } else { state.matches.0 };
        state.matches = (first, index + 1);
        self.matches.push(Match {
            seq,
            result: 0,
            round,
            table: e.table.unwrap_or(0),
            seats_at,
            seats: (self.seats.len() as u32 - seats_at) as u8,
            how: How::Played,
            withdrawn: false,
            slot: e.bracket_slot.unwrap_or(0),
            group: e.group.unwrap_or(0),
            score_at: NONE,
            seat_lines: 0,
            table_lines: 0,
        });
        for seat in &e.seats {
            self.appear(seat.player, Entry::Match(index), round);
        }
        Entry::Match(index)
    }

    fn give_bye(&mut self, seq: Seq, e: &ByeGiven) -> Entry {
        let Some(round) = self.round_index(e.round) else { return Entry::Other };
        let index = self.byes.len() as u32;
        self.byes.push(Bye {
            seq,
            round,
            player: e.player,
            kind: e.kind,
            reported: e.reported.clone(),
            bracket_slot: e.bracket_slot,
            scheduled: e.origin.kind == OriginKind::AsGiven
                || e.origin.because == Some(PairingReason::Schedule),
            withdrawn: false,
        });
        self.appear(e.player, Entry::Bye(index), round);
        Entry::Bye(index)
    }

    fn appear(&mut self, number: PlayerNumber, entry: Entry, round: u32) {
        let index = self.appearances.len() as u32;
        let Some(latest) = self.latest.get_mut((number as usize).wrapping_sub(1)) else { return };
        let earlier = std::mem::replace(latest, index);
        self.appearances.push(Appearance { entry, round, earlier });
    }

    fn set_result(&mut self, seq: Seq, pairing: Seq, result: &MatchResult) -> Entry {
        let Some(Entry::Match(index)) = self.entry(pairing) else { return Entry::Other };
        self.supersede(index);
        self.write_result(index, seq, result);
        Entry::Result(index)
    }

    fn correct(&mut self, seq: Seq, e: &ResultCorrected) -> Entry {
        let named = e.dispute.and_then(|dispute| self.entry(dispute));
        if let Some(Entry::Dispute(index)) = named {
            self.disputes[index as usize].corrections.push(seq);
        }
        self.set_result(seq, e.pairing, &e.result)
    }

    /// Keeps the result that stands, so that it comes back should the next one be withdrawn.
    fn supersede(&mut self, index: u32) {
        let this = &self.matches[index as usize];
        if this.result == 0 {
            let round = &mut self.rounds[this.round as usize];
            round.open_matches = round.open_matches.saturating_sub(1);
            return;
        }
        let view = MatchView { of: self, this, index };
        if let Some(result) = view.to_result() {
            let seq = this.result;
            self.extras.entry(index).or_default().superseded.push((seq, result));
        }
    }

    pub(super) fn write_result(&mut self, index: u32, seq: Seq, result: &MatchResult) {
        self.write_score(index, &result.score);
        let this = &mut self.matches[index as usize];
        this.result = seq;
        this.how = result.how;
        let at = this.seats_at as usize;
        for seat in 0..usize::from(this.seats) {
            self.seats[at + seat].ruling = result.rulings.get(seat).copied().flatten();
        }
        let rare = result.grade.is_some()
            || !result.parts.is_empty()
            || !result.penalties_served.is_empty();
        if rare || self.extras.contains_key(&index) {
            let extras = self.extras.entry(index).or_default();
            extras.grade.clone_from(&result.grade);
            extras.parts.clone_from(&result.parts);
            extras.penalties_served.clone_from(&result.penalties_served);
        }
    }

    /// Writes a score over the one before, or at the end where it doesn't fit there.
    pub(super) fn write_score(&mut self, index: u32, score: &Score) {
        let this = &mut self.matches[index as usize];
        let seats = usize::from(this.seats);
        let seat_lines = score.seats.iter().map(SmallVec::len).max().unwrap_or(0).min(255);
        let table_lines = score.table.len().min(255);
        let len = seats * seat_lines + table_lines;
        let before = seats * usize::from(this.seat_lines) + usize::from(this.table_lines);
        if this.score_at == NONE || before != len {
            this.score_at = self.scores.len() as u32;
            self.scores.resize(self.scores.len() + len, 0);
        }
        (this.seat_lines, this.table_lines) = (seat_lines as u8, table_lines as u8);
        let at = this.score_at as usize;
        for seat in 0..seats {
            for line in 0..seat_lines {
                let value = score.seats.get(seat).and_then(|values| values.get(line));
                self.scores[at + seat * seat_lines + line] = value.copied().unwrap_or(0);
            }
        }
        let table = at + seats * seat_lines;
        self.scores[table..table + table_lines].copy_from_slice(&score.table[..table_lines]);
    }

    fn note_score(&mut self, seq: Seq, e: &ScoreNoted) -> Entry {
        let Some(Entry::Match(index)) = self.entry(e.pairing) else { return Entry::Other };
        self.extras.entry(index).or_default().noted = Some((seq, e.score.clone()));
        if self.matches[index as usize].result == 0 {
            self.write_score(index, &e.score);
        }
        Entry::Other
    }

    fn penalise(&mut self, seq: Seq, e: &PenaltyGiven) -> Entry {
        self.penalties.push(Penalty {
            seq,
            player: e.player,
            kind: e.kind,
            pairing: e.pairing,
            withdrawn: false,
        });
        Entry::Penalty(self.penalties.len() as u32 - 1)
    }

    fn advance(&mut self, seq: Seq, e: &PlayerAdvanced) -> Entry {
        let Some(Entry::Match(index)) = self.entry(e.pairing) else { return Entry::Other };
        self.extras.entry(index).or_default().advanced.push((seq, e.player));
        Entry::Advanced(index)
    }

    fn open_dispute(&mut self, seq: Seq, e: &DisputeOpened) -> Entry {
        self.disputes.push(Dispute {
            seq,
            pairing: e.pairing,
            by: e.by,
            ruled: None,
            corrections: SmallVec::new(),
            withdrawn: false,
        });
        Entry::Dispute(self.disputes.len() as u32 - 1)
    }

    fn rule_dispute(&mut self, seq: Seq, e: &DisputeRuled) -> Entry {
        let Some(Entry::Dispute(index)) = self.entry(e.dispute) else { return Entry::Other };
        self.disputes[index as usize].ruled = Some((seq, e.upheld));
        Entry::DisputeRuled(index)
    }

    fn draw_lots(&mut self, seq: Seq, e: &LotsDrawn) -> Entry {
        match self.lots.last_mut() {
            Some(lots) if e.first_place > 1 => {
                lots.order.extend_from_slice(&e.order);
                Entry::Other
            }
            _ => {
                self.lots.push(Lots { seq, source: e.source, order: e.order.clone() });
                Entry::Lots
            }
        }
    }

    pub(super) fn player_mut(&mut self, number: PlayerNumber) -> Option<&mut Player> {
        self.players.get_mut((number as usize).checked_sub(1)?)
    }
}
