//! What is said about the log itself: notes, events taken back, a secret replaced.

use super::{Desk, DeskError, Done, Objection};
use crate::rules::in_force;
use crate::store::StoreError;
use scrutineer_engine::book::Field;
use scrutineer_engine::event::{
    Event, NoteAdded, RulesetAmended, RulesetFile, SeedRecommitted, Seq, TextsForgotten, Withdrawn,
};
use scrutineer_engine::limits;
use scrutineer_engine::seed;
use scrutineer_projections::crosstable::{Scope, check_rulings};
use scrutineer_projections::standings::{Detail, Standings};
use scrutineer_replay::loaded::traces;

impl Desk<'_> {
    /// Writes something down, about an event of the log or at large.
    ///
    /// # Errors
    /// Where nothing is written, or there is no such event.
    pub fn note(&self, text: &str, about: Option<Seq>) -> Result<Done, DeskError> {
        self.record(&mut |_, words| {
            Ok(vec![NoteAdded { note: words.say(Field::Note, text)?, about }.into()])
        })
    }

    /// Empties texts of the private book for good, once the log says that they were forgotten; gives
    /// how many were emptied now. Cut off in between, it is finished by the next try.
    ///
    /// # Errors
    /// Where the log or the private book cannot be written.
    pub fn forget(&self, numbers: &[u32]) -> Result<usize, DeskError> {
        let traces = traces(self.store.log(), self.stream).map_err(StoreError::from)?;
        let is_new = |number: &&u32| !traces.may_be_empty(**number);
        let new: Vec<u32> = numbers.iter().filter(is_new).copied().collect();
        if !new.is_empty() {
            let events = new.chunks(limits::FORGOTTEN);
            let events = events.map(|numbers| TextsForgotten { numbers: numbers.to_vec() }.into());
            let events: Vec<Event> = events.collect();
            self.record(&mut |_, _| Ok(events.clone()))?;
        }
        Ok(self.store.books().forget(self.stream, numbers).map_err(StoreError::from)?)
    }

    /// Takes an event of the log back, as if it had never happened; with the closing the end of the
    /// phase that came with it, so that the phase runs again.
    ///
    /// # Errors
    /// Where later events build on it, or it is of a kind that stays.
    pub fn withdraw(&self, seq: Seq, reason: &str) -> Result<Done, DeskError> {
        self.record(&mut |state, words| {
            let reason = words.say(Field::Reason, reason)?;
            let last = state.phases().iter().rev().find(|phase| !phase.withdrawn);
            let ended = last.and_then(|phase| phase.ended).filter(|_| state.is_closed());
            let with_it = ended.filter(|ended| ended + 1 == seq);
            let all = [Some(seq), with_it].into_iter().flatten();
            Ok(all.map(|seq| Withdrawn { seq, reason }.into()).collect())
        })
    }

    /// Another ruleset is in force, for every round: those that are played count by it too.
    ///
    /// # Errors
    /// Where it cannot rank what was recorded, or it is in force already.
    pub fn amend_ruleset(&self, files: &[RulesetFile], reason: &str) -> Result<Done, DeskError> {
        self.record(&mut |state, words| {
            if state.ruleset() == Some(files) {
                let rules = files.first().map_or(String::new(), |file| file.name.clone());
                return Err(Objection::SameRules { rules }.into());
            }
            let rules = in_force(files)?;
            check_rulings(state, &rules)?;
            Standings::of(state, &rules, Scope::FINAL, Detail::Order)?;
            let (ruleset, from_round) = (files.to_vec(), None);
            let reason = words.say(Field::Reason, reason)?;
            Ok(vec![RulesetAmended { ruleset, from_round, reason }.into()])
        })
    }

    /// Commits to a new secret, where the old one was lost. A draw that comes after it reveals
    /// seeds of the new chain.
    ///
    /// # Errors
    /// Where it cannot be kept or recorded. Earlier secrets stay beside it: which one counts is
    /// told by the commitment in the log, so that a cut in between loses none.
    pub fn reseed(&self, reason: &str) -> Result<Done, DeskError> {
        let secret = (self.means.random)()?;
        self.store.keep_secret(self.stream, &secret)?;
        self.record(&mut |_, words| {
            let seed_commitment = seed::commitment(&secret);
            let reason = words.say(Field::Reason, reason)?;
            Ok(vec![SeedRecommitted { seed_commitment, reason }.into()])
        })
    }
}
