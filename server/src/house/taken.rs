//! Rows as they are taken into memory: at the beginning, as they are kept here, and as other servers change
//! them.

use super::rows::{Read, Row};
use super::{
    ACCOUNTS, House, Kind, inbox, not_kept, notices, players, policies, screens, sent, webhooks,
};
use scrutineer_desk::verb_error::VerbError;
use serde::de::DeserializeOwned;
use std::collections::{BTreeMap, HashMap};
use std::sync::atomic::Ordering;

impl House {
    /// Takes rows into memory.
    pub(super) fn take(&self, read: Read) -> Result<(), VerbError> {
        if read.is_whole {
            self.forget_all();
        }
        for Row { table, key, text } in &read.rows {
            self.take_row(table, key, text.as_deref())?;
        }
        self.version.fetch_max(read.version, Ordering::AcqRel);
        Ok(())
    }

    /// What may have been removed while nobody here looked is read anew.
    fn forget_all(&self) {
        let mut known = self.known();
        known.grants.clear();
        known.accounts.clear();
        drop(known);
        self.sent.clear();
        self.players.clear();
        self.screens.clear();
        self.inbox.clear();
        self.webhooks.clear();
        self.policies.clear();
        self.notices.clear();
    }

    pub(super) fn take_row(
        &self,
        table: &str,
        key: &str,
        text: Option<&str>,
    ) -> Result<(), VerbError> {
        if let Some(kind) = Kind::ALL.into_iter().find(|kind| kind.table() == table) {
            let mut known = self.known();
            if text.is_none() {
                known.used.remove(key);
            }
            return put_into(known.of(kind), key, text);
        }
        match table {
            ACCOUNTS => put_into(&mut self.known().accounts, key, text),
            sent::SENT => self.sent.take(key, text),
            players::PLAYERS => self.players.take(key, text),
            screens::SCREENS => self.screens.take(key, text),
            inbox::INBOX => self.inbox.take(key, text),
            webhooks::WEBHOOKS | webhooks::REACHED => self.webhooks.take(table, key, text),
            notices::NOTICES | notices::TOLD => self.notices.take(table, key, text),
            policies::POLICIES | policies::SHOWN => self.policies.take(table, key, text),
            // A newer server has tables that this one does not know.
            _ => Ok(()),
        }
    }
}

/// A map by keys of rows.
pub(super) trait ByKey<T> {
    fn put(&mut self, key: &str, value: T);
    fn leave(&mut self, key: &str);
}

impl<T> ByKey<T> for HashMap<String, T> {
    fn put(&mut self, key: &str, value: T) {
        self.insert(key.to_string(), value);
    }

    fn leave(&mut self, key: &str) {
        self.remove(key);
    }
}

impl<T> ByKey<T> for BTreeMap<String, T> {
    fn put(&mut self, key: &str, value: T) {
        self.insert(key.to_string(), value);
    }

    fn leave(&mut self, key: &str) {
        self.remove(key);
    }
}

/// Puts what a row says into a map, or removes it.
pub(super) fn put_into<T: DeserializeOwned>(
    map: &mut impl ByKey<T>,
    key: &str,
    text: Option<&str>,
) -> Result<(), VerbError> {
    match text {
        Some(text) => map.put(key, serde_json::from_str(text).map_err(not_kept)?),
        None => map.leave(key),
    }
    Ok(())
}
