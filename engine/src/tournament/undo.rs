//! Taking an event back: the state is as if it had never happened, but for its seq.

use super::*;

impl Tournament {
    pub(super) fn undo(&mut self, seq: Seq) -> Entry {
        let Some(entry) = self.entry(seq) else { return Entry::Other };
        match entry {
            Entry::Player(index) => self.players[index as usize].withdrawn = true,
            Entry::Availability(player) => {
                if let Some(player) = self.player_mut(player) {
                    player.availability.retain(|(at, _)| *at != seq);
                }
            }
            Entry::Phase(index) => self.phases[index as usize].withdrawn = true,
            Entry::Round(index) => self.rounds[index as usize].withdrawn = true,
            Entry::PhaseEnded(index) => {
                self.phases[index as usize].ended.take_if(|at| *at == seq);
            }
            Entry::RoundCompleted(index) => {
                self.rounds[index as usize].completed.take_if(|at| *at == seq);
            }
            Entry::Published(index) => {
                self.rounds[index as usize].published.take_if(|at| *at == seq);
            }
            Entry::Match(index) => self.undo_match(index),
            Entry::ByeRequest => self.bye_requests.retain(|(at, _)| *at != seq),
            Entry::Bye(index) => self.byes[index as usize].withdrawn = true,
            Entry::Result(index) => self.undo_result(index, seq),
            Entry::Penalty(index) => self.penalties[index as usize].withdrawn = true,
            Entry::Advanced(index) => {
                if let Some(extras) = self.extras.get_mut(&index) {
                    extras.advanced.retain(|(at, _)| *at != seq);
                }
            }
            Entry::Dispute(index) => self.disputes[index as usize].withdrawn = true,
            Entry::DisputeRuled(index) => {
                self.disputes[index as usize].ruled.take_if(|(at, _)| *at == seq);
            }
            Entry::Lots => self.lots.retain(|lots| lots.seq != seq),
            Entry::Closed => self.closed = None,
            // What it held stays, so that the log can be read.
            Entry::Imported => {}
            // Marked as withdrawn first: another check-in of theirs may stand.
            Entry::CheckedIn(number) => {
                self.entries[seq as usize - 1] = Entry::Withdrawn;
                let is_here = self.entries.contains(&entry);
                self.change_player(number, |player| player.checked_in = is_here);
            }
            Entry::Other | Entry::Withdrawn => return Entry::Other,
        }
        self.entries[seq as usize - 1] = Entry::Withdrawn;
        Entry::Other
    }

    fn undo_match(&mut self, index: u32) {
        let this = &mut self.matches[index as usize];
        this.withdrawn = true;
        if this.result == 0 {
            let round = &mut self.rounds[this.round as usize];
            round.open_matches = round.open_matches.saturating_sub(1);
        }
    }

    /// The result before it stands again; where there was none, the score so far does.
    fn undo_result(&mut self, index: u32, seq: Seq) {
        for dispute in &mut self.disputes {
            dispute.corrections.retain(|at| *at != seq);
        }
        if self.matches[index as usize].result != seq {
            if let Some(extras) = self.extras.get_mut(&index) {
                extras.superseded.retain(|(at, _)| *at != seq);
            }
            return;
        }
        let extras = self.extras.entry(index).or_default();
        if let Some((at, before)) = extras.superseded.pop() {
            return self.write_result(index, at, &before);
        }
        let noted = extras.noted.as_ref().map(|(_, score)| score.clone()).unwrap_or_default();
        self.write_result(index, 0, &MatchResult::played(noted.clone()));
        let this = &mut self.matches[index as usize];
        if noted == Score::default() {
            this.score_at = NONE;
            (this.seat_lines, this.table_lines) = (0, 0);
        }
        let still_open = u32::from(!this.withdrawn);
        self.rounds[this.round as usize].open_matches += still_open;
    }
}
