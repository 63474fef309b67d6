//! A house that several servers share: each asks what others have changed, and at once where something
//! is not known to it.

use super::House;
use crate::problem::waiting_for_database;
use scrutineer_desk::verb_error::VerbError;
use std::sync::PoisonError;
use std::sync::atomic::Ordering;
use std::time::Instant;

impl House {
    /// Returns whether other servers may change it too.
    pub(crate) fn is_shared(&self) -> bool {
        self.file.is_none()
    }

    /// Notes whether the database is away: then nobody waits for it.
    #[cfg(feature = "postgres")]
    pub(crate) fn note_away(&self, is_away: bool) {
        self.is_away.store(is_away, Ordering::Release);
    }

    /// Refuses at once what needs a database that is away.
    pub(super) fn check_there(&self) -> Result<(), VerbError> {
        match self.is_away.load(Ordering::Acquire) {
            true => Err(waiting_for_database("it does not answer")),
            false => Ok(()),
        }
    }

    /// Returns the version of what is in memory.
    #[cfg(feature = "postgres")]
    pub(crate) fn version(&self) -> u64 {
        self.version.load(Ordering::Acquire)
    }

    /// Takes in what other servers have changed, and returns which rows of which tables that is since
    /// somebody asked the last time.
    ///
    /// # Errors
    /// Where it cannot be read.
    #[cfg(feature = "postgres")]
    pub(crate) fn catch_up(&self) -> Result<Vec<(String, String)>, VerbError> {
        {
            let _changing = self.changing();
            self.read_on()?;
        }
        Ok(self.news())
    }

    /// As [`House::catch_up`], without asking anew.
    #[cfg(feature = "postgres")]
    pub(crate) fn news(&self) -> Vec<(String, String)> {
        std::mem::take(&mut *self.news.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Returns what is found; where that is nothing, also what another server may have made just now.
    /// Never within [`House::deciding`], which has read on already.
    pub(super) fn found_anew<T>(&self, find: impl Fn() -> Option<T>) -> Option<T> {
        find().or_else(|| self.look_again().then(&find).flatten())
    }

    /// As [`House::found_anew`], of what is refused.
    pub(super) fn tried_anew<T>(
        &self,
        find: impl Fn() -> Result<T, VerbError>,
    ) -> Result<T, VerbError> {
        find().or_else(|refused| if self.look_again() { find() } else { Err(refused) })
    }

    /// Asks what others have changed; many who come at once share one answer.
    fn look_again(&self) -> bool {
        if !self.is_shared() || self.check_there().is_err() {
            return false;
        }
        let came = Instant::now();
        let _changing = self.changing();
        let looked = || self.looked.lock().unwrap_or_else(PoisonError::into_inner);
        if looked().is_some_and(|looked| looked > came) {
            return true;
        }
        let now = Instant::now();
        let is_read = self.read_on().is_ok();
        if is_read {
            *looked() = Some(now);
        }
        is_read
    }
}
