//! The log as it would be, had the change been known from the beginning.

use scrutineer_engine::book::Commitment;
use scrutineer_engine::event::{
    Event, NoteAdded, PlayerAdvanced, PlayerDropped, PlayerEnrolled, PlayerNumber, PlayerRated,
    ResultCorrected, RoundNumber, RulesetFile, Seq,
};
use scrutineer_engine::record::Header;
use scrutineer_engine::tournament::Tournament;
use scrutineer_replay::loaded::LoadedTournament;
use std::collections::BTreeSet;

/// Facts of one log, each at its seq.
pub type Facts = Vec<(Header, Event)>;

/// A log with everything that was recorded after its end in the place where it belongs: a result
/// corrected later was right at once, and so was a rating, what is taken back never was, a ruleset holds from the
/// opening.
pub(crate) struct AtOnce {
    /// The log as long as it was; every event keeps its seq.
    log: Facts,
    /// The first event that is another one, if one is.
    pub since: Option<Seq>,
    /// What has no place in the log as it was: known before this round, and recorded then.
    late: Vec<(RoundNumber, Event)>,
}

impl AtOnce {
    /// The log of `before` with what `after` has beyond it.
    pub fn of(before: &LoadedTournament, after: &LoadedTournament) -> AtOnce {
        let later = after.log.get(before.log.len()..).unwrap_or_default();
        AtOnce::known(before.log.clone(), later, &before.state)
    }

    /// A log with what came later, of a tournament in whose state all of its matches are.
    pub fn known(log: Facts, later: &[(Header, Event)], state: &Tournament) -> AtOnce {
        let mut this = AtOnce { log, since: None, late: Vec::new() };
        let mut dropped: BTreeSet<PlayerNumber> = BTreeSet::new();
        let taken_back = later.iter().filter_map(|(_, event)| match event {
            Event::Withdrawn(e) => Some(e.seq),
            _ => None,
        });
        let taken_back: BTreeSet<Seq> = taken_back.collect();
        let stands = |(header, _): &&(Header, Event)| !taken_back.contains(&header.seq);
        for (_, event) in later.iter().filter(stands) {
            match event {
                Event::ResultCorrected(e) => this.correct(e),
                Event::Withdrawn(e) => {
                    if let Some(Event::PlayerDropped(drop)) = this.take_out(e.seq) {
                        dropped.insert(drop.player);
                    }
                }
                Event::RulesetAmended(e) if e.from_round.is_none() => {
                    this.rule_by(&e.ruleset);
                }
                // A drop that is recorded anew, such as that of somebody disqualified afterwards.
                Event::PlayerDropped(e) if dropped.contains(&e.player) => this.drop_late(e),
                Event::PlayerAdvanced(e) => this.advance(e, state),
                Event::PlayerRated(e) => this.rate(e),
                _ => {}
            }
        }
        this
    }

    /// What was known right before a round was opened, at this seq.
    pub fn before_round(&self, round: RoundNumber, opened: Seq) -> Facts {
        let earlier = self.log.iter().take_while(|(header, _)| header.seq < opened);
        let mut known: Facts = earlier.cloned().collect();
        let Some(last) = known.last().map(|(header, _)| *header) else { return known };
        let late = self.late.iter().filter(|(before, _)| *before <= round);
        known.extend(late.map(|(_, event)| (last, event.clone())));
        known
    }

    /// The log with what was known before a round, as a redraw reads it.
    pub(crate) fn for_redraw(&self, round: RoundNumber, opened: Seq) -> Facts {
        let mut log = self.before_round(round, opened);
        log.extend(self.log.iter().filter(|(header, _)| header.seq >= opened).cloned());
        log
    }

    /// Puts another event in the place of one.
    pub fn replace(&mut self, seq: Seq, by: Event) -> Option<Event> {
        let at = usize::try_from(seq).ok()?.checked_sub(1)?;
        let (_, event) = self.log.get_mut(at)?;
        self.since = Some(self.since.map_or(seq, |since| since.min(seq)));
        Some(std::mem::replace(event, by))
    }

    /// The result was right when it was first entered, and no correction was needed.
    fn correct(&mut self, e: &ResultCorrected) {
        let mut first = None;
        let mut corrections = Vec::new();
        for (header, event) in &self.log {
            match event {
                Event::ResultRecorded(r) if r.pairing == e.pairing => first = Some(header.seq),
                Event::ResultCorrected(r) if r.pairing == e.pairing => corrections.push(header.seq),
                _ => {}
            }
        }
        // Earlier ones were taken back.
        let Some(first) = first else { return };
        for seq in corrections.into_iter().filter(|seq| *seq > first) {
            self.take_out(seq);
        }
        let at = usize::try_from(first).ok().and_then(|at| self.log.get(at.checked_sub(1)?));
        if let Some((_, Event::ResultRecorded(recorded))) = at {
            let mut right = recorded.clone();
            right.result = e.result.clone();
            self.replace(first, right.into());
        }
    }

    /// The rating was right when they were enrolled, and no correction was needed.
    fn rate(&mut self, e: &PlayerRated) {
        let of_player = |(header, event): &(Header, Event)| match event {
            Event::PlayerEnrolled(one) if one.player == e.player => {
                let right = PlayerEnrolled { rating: e.rating, ..one.clone() };
                Some((header.seq, Some(right)))
            }
            Event::PlayerRated(one) if one.player == e.player => Some((header.seq, None)),
            _ => None,
        };
        for (seq, enrolled) in self.log.iter().filter_map(of_player).collect::<Vec<_>>() {
            match enrolled {
                Some(right) => self.replace(seq, right.into()),
                None => self.take_out(seq),
            };
        }
    }

    /// That event never happened; a note that says nothing keeps its seq.
    fn take_out(&mut self, seq: Seq) -> Option<Event> {
        let nothing = Commitment { number: 0, digest: [0; 32] };
        self.replace(seq, NoteAdded { note: nothing, about: None }.into())
    }

    fn rule_by(&mut self, ruleset: &[RulesetFile]) {
        let is_earlier = |(_, event): &&(Header, Event)| match event {
            Event::RulesetAmended(e) => e.from_round.is_none(),
            _ => false,
        };
        let earlier: Vec<Seq> =
            self.log.iter().filter(is_earlier).map(|(header, _)| header.seq).collect();
        for seq in earlier {
            self.take_out(seq);
        }
        if let Some((_, Event::TournamentOpened(opened))) = self.log.first() {
            let mut opened = opened.clone();
            opened.ruleset = ruleset.to_vec();
            self.replace(1, opened.into());
        }
    }

    fn drop_late(&mut self, e: &PlayerDropped) {
        self.late.push((e.after_round.saturating_add(1), e.clone().into()));
    }

    fn advance(&mut self, e: &PlayerAdvanced, state: &Tournament) {
        let Some(found) = state.match_at(e.pairing) else { return };
        let after = found.result().unwrap_or(e.pairing);
        self.since = Some(self.since.map_or(after, |since| since.min(after)));
        self.late.push((found.round().number.saturating_add(1), e.clone().into()));
    }
}
