//! The floor of a tournament: the clock, extensions, calls, announcements and deck checks. It lives
//! beside the log, never in it, and ends with the tournament.
//!
//! What was done is a list of entries, each kept as it was asked for; how things stand is folded
//! from them. Times are milliseconds since 1970: a clock is told as the moment at which it ends, so
//! that whoever shows it counts down without asking again.

mod change;

pub use change::{Change, MAX_MINUTES, Overlaying, Showing};

use crate::desk::match_of_player;
use scrutineer_engine::event::PlayerNumber;
use scrutineer_engine::tournament::Tournament;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use utoipa::ToSchema;

/// How many entries the floor of a tournament has at most.
pub const MAX_ENTRIES: usize = 20_000;
/// The longest text on the floor, in bytes.
pub const MAX_TEXT: usize = 500;

const MINUTE: i64 = 60_000;

/// Something that was done on the floor.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Entry {
    /// When, in milliseconds since 1970.
    pub at: i64,
    /// By whom, by name.
    pub by: Option<String>,
    /// What makes a repeat of it harmless.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(ignore)]
    pub key: Option<String>,
    /// What.
    #[serde(flatten)]
    pub change: Change,
}

/// The clock of a round.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct Clock {
    /// The round.
    pub round: u16,
    /// When it ends, in milliseconds since 1970; null while it is paused.
    pub ends: Option<i64>,
    /// How many milliseconds are left; null while it runs.
    pub left: Option<i64>,
}

/// A call for a judge.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct Call {
    /// Its number.
    pub call: u32,
    /// The round.
    pub round: Option<u16>,
    /// The table; null where it is to the desk.
    pub table: Option<u32>,
    /// What for.
    pub what: Option<String>,
    /// When, in milliseconds since 1970.
    pub at: i64,
    /// Who called.
    pub by: Option<String>,
    /// Whether somebody goes there.
    pub is_taken: bool,
    /// Who goes there, by name.
    pub taken: Option<String>,
    /// When it was done; null while it is open.
    pub done: Option<i64>,
}

/// An announcement that is shown.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct Announcement {
    /// Its number.
    pub number: u32,
    /// The words; null where the players of a table are asked to come to it.
    pub text: Option<String>,
    /// The table whose players are called.
    pub table: Option<u32>,
    /// The round of the table.
    pub round: Option<u16>,
    /// When, in milliseconds since 1970.
    pub at: i64,
}

/// A deck check.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct DeckCheck {
    /// The round.
    pub round: u16,
    /// The table.
    pub table: u32,
    /// When, in milliseconds since 1970.
    pub at: i64,
    /// By whom.
    pub by: Option<String>,
    /// What was found, where anything was.
    pub found: Option<String>,
}

/// How the floor of a tournament stands.
#[derive(Clone, Debug, Default)]
pub struct Floor {
    entries: Vec<Entry>,
    keys: BTreeMap<String, usize>,
    clock: Option<Clock>,
    extensions: BTreeMap<(u16, u32), i32>,
    calls: Vec<Call>,
    announcements: Vec<Announcement>,
    announced: u32,
    seats: BTreeMap<String, (u16, u32)>,
    checks: Vec<DeckCheck>,
    featured: BTreeSet<(u16, u32)>,
    shows: Showing,
    overlays: Overlaying,
    devices: BTreeMap<u64, String>,
    /// Who wishes to drop, and since when.
    wishes: BTreeMap<PlayerNumber, i64>,
    /// Claims that came late and change nothing.
    settled: BTreeSet<u64>,
}

impl Call {
    /// The player who called from their own page; none: somebody of the staff did.
    pub fn player(&self) -> Option<u32> {
        self.by.as_deref()?.strip_prefix("player ")?.parse().ok()
    }

    /// Whether this player called.
    pub fn is_by(&self, player: u32) -> bool {
        self.player() == Some(player)
    }

    /// Returns the table to which it calls, none where it is to the desk: that at which the player who called sits by
    /// now, where the desk moved their match.
    pub fn at_table(&self, state: &Tournament) -> Option<u32> {
        let called = self.table?;
        let own = self.round.zip(self.player());
        let own = own.and_then(|(round, player)| match_of_player(state, round, player));
        Some(own.and_then(|found| found.table()).unwrap_or(called))
    }
}

impl Floor {
    /// Folds the entries of a floor.
    pub fn of(entries: impl IntoIterator<Item = Entry>) -> Floor {
        let mut floor = Floor::default();
        entries.into_iter().for_each(|entry| floor.add(entry));
        floor
    }

    /// Adds what was done last.
    pub fn add(&mut self, entry: Entry) {
        let Entry { at, by, .. } = &entry;
        match &entry.change {
            Change::StartClock { minutes, round } => {
                let (round, ends) = (round.unwrap_or(0), at + i64::from(*minutes) * MINUTE);
                self.clock = Some(Clock { round, ends: Some(ends), left: None });
            }
            Change::PauseClock {} => {
                if let Some(clock) = &mut self.clock {
                    clock.left = clock.ends.take().map(|ends| (ends - at).max(0)).or(clock.left);
                }
            }
            Change::ResumeClock {} => {
                if let Some(clock) = &mut self.clock {
                    clock.ends = clock.left.take().map(|left| at + left).or(clock.ends);
                }
            }
            Change::AddMinutes { minutes } => {
                let more = i64::from(*minutes) * MINUTE;
                if let Some(clock) = &mut self.clock {
                    clock.ends = clock.ends.map(|ends| ends + more);
                    clock.left = clock.left.map(|left| (left + more).max(0));
                }
            }
            Change::StopClock {} => self.clock = None,
            Change::Extend { table, minutes, round: Some(round) } => {
                let given = self.extensions.entry((*round, *table)).or_default();
                *given = given.saturating_add(*minutes).max(0);
            }
            Change::Call { table, what, round } => self.calls.push(Call {
                call: self.calls.len() as u32 + 1,
                round: *round,
                table: *table,
                what: what.clone(),
                at: *at,
                by: by.clone(),
                is_taken: false,
                taken: None,
                done: None,
            }),
            Change::Take { call } => {
                if let Some(call) = self.calls.iter_mut().find(|one| one.call == *call) {
                    (call.is_taken, call.taken) = (true, by.clone());
                }
            }
            Change::Finish { call } => {
                if let Some(call) = self.calls.iter_mut().find(|one| one.call == *call) {
                    call.done = Some(*at);
                }
            }
            Change::Announce { text } => self.announce(*at, Some(text.clone()), None),
            Change::CallPlayers { table, round: Some(round) } => {
                self.announce(*at, None, Some((*round, *table)));
            }
            Change::EndAnnouncement { announcement } => {
                self.announcements.retain(|one| one.number != *announcement);
            }
            Change::Sit { table, round: Some(round) } => {
                self.seats.insert(by.clone().unwrap_or_default(), (*round, *table));
            }
            Change::StandUp {} => drop(self.seats.remove(by.as_deref().unwrap_or_default())),
            Change::CheckDecks { table, found, round: Some(round) } => {
                self.checks.push(DeckCheck {
                    round: *round,
                    table: *table,
                    at: *at,
                    by: by.clone(),
                    found: found.clone(),
                })
            }
            Change::UncheckDecks { table, round: Some(round) } => {
                let place = (*round, *table, by);
                let is_own = |one: &DeckCheck| (one.round, one.table, &one.by) == place;
                if let Some(last) = self.checks.iter().rposition(is_own) {
                    self.checks.remove(last);
                }
            }
            Change::Feature { table, on, round: Some(round) } => {
                match on {
                    true => self.featured.insert((*round, *table)),
                    false => self.featured.remove(&(*round, *table)),
                };
            }
            Change::Show { what } => self.shows = *what,
            Change::Overlay { what } => self.overlays = *what,
            Change::WishDrop { player } => drop(self.wishes.entry(*player).or_insert(*at)),
            Change::EndWish { player } => drop(self.wishes.remove(player)),
            Change::Settle { seq } => drop(self.settled.insert(*seq)),
            Change::Device { seq, device } => drop(self.devices.insert(*seq, device.clone())),
            // Nothing without its round is ever kept.
            Change::Extend { round: None, .. }
            | Change::CallPlayers { round: None, .. }
            | Change::Sit { round: None, .. }
            | Change::CheckDecks { round: None, .. }
            | Change::UncheckDecks { round: None, .. }
            | Change::Feature { round: None, .. } => {}
        }
        if let Some(key) = &entry.key {
            self.keys.insert(key.clone(), self.entries.len());
        }
        self.entries.push(entry);
    }

    fn announce(&mut self, at: i64, text: Option<String>, place: Option<(u16, u32)>) {
        self.announced += 1;
        self.announcements.push(Announcement {
            number: self.announced,
            text,
            table: place.map(|(_, table)| table),
            round: place.map(|(round, _)| round),
            at,
        });
    }

    /// Returns what was done, in its order.
    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// Returns how often something was done: it rises with each change.
    pub fn version(&self) -> u64 {
        self.entries.len() as u64
    }

    /// Returns what was done under a key.
    pub fn done_under(&self, key: &str) -> Option<&Entry> {
        self.keys.get(key).and_then(|at| self.entries.get(*at))
    }

    /// Returns the clock.
    pub fn clock(&self) -> Option<&Clock> {
        self.clock.as_ref()
    }

    /// Returns the clock, where it is that of a round.
    pub fn clock_of(&self, round: u16) -> Option<&Clock> {
        self.clock().filter(|clock| clock.round == round)
    }

    /// Returns how many minutes more a table has.
    pub fn extension(&self, round: u16, table: u32) -> i32 {
        self.extensions.get(&(round, table)).copied().unwrap_or(0)
    }

    /// Returns the minutes that each table of a round has more.
    pub fn extensions(&self, round: u16) -> impl Iterator<Item = (u32, i32)> {
        let of_round = self.extensions.range((round, 0)..=(round, u32::MAX));
        of_round.map(|((_, table), minutes)| (*table, *minutes)).filter(|(_, more)| *more > 0)
    }

    /// Returns every call.
    pub fn calls(&self) -> &[Call] {
        &self.calls
    }

    /// Returns the calls that are open, the oldest first.
    pub fn open_calls(&self) -> impl Iterator<Item = &Call> {
        self.calls.iter().filter(|call| call.done.is_none())
    }

    /// Returns what is announced; the players of a table only as long as its round is the last one.
    pub fn announcements(&self) -> &[Announcement] {
        &self.announcements
    }

    /// Returns who of the staff sits where in a round.
    pub fn seats(&self, round: u16) -> impl Iterator<Item = (&str, u32)> {
        let of_round = self.seats.iter().filter(move |(_, (of, _))| *of == round);
        of_round.map(|(who, (_, table))| (&who[..], *table))
    }

    /// Returns the deck checks.
    pub fn checks(&self) -> &[DeckCheck] {
        &self.checks
    }

    /// Returns the tables of a round that are to be watched.
    pub fn featured(&self, round: u16) -> impl Iterator<Item = u32> {
        self.featured.range((round, 0)..=(round, u32::MAX)).map(|(_, table)| *table)
    }

    /// Returns what the screens show.
    pub fn shows(&self) -> Showing {
        self.shows
    }

    /// Returns what the overlay of a stream shows.
    pub fn overlays(&self) -> Overlaying {
        self.overlays
    }

    /// Returns whose wish to drop waits for somebody: who has not dropped, in a tournament that is not closed.
    pub fn waiting_wishes(&self, state: &Tournament) -> impl Iterator<Item = PlayerNumber> {
        let waits = move |player: &PlayerNumber| {
            !state.is_closed() && state.player(*player).is_some_and(|one| one.dropped().is_none())
        };
        self.wishes.keys().copied().filter(waits)
    }

    /// Returns who wishes to drop, and since when.
    pub fn wishes(&self) -> impl Iterator<Item = (PlayerNumber, i64)> {
        self.wishes.iter().map(|(player, at)| (*player, *at))
    }

    /// Returns whether a claim that came late was decided already.
    pub fn is_settled(&self, seq: u64) -> bool {
        self.settled.contains(&seq)
    }

    /// Returns the device from which an event of the log came, where it is known.
    pub fn device(&self, seq: u64) -> Option<&str> {
        self.devices.get(&seq).map(String::as_str)
    }

    /// Returns the round and the table whose players see what a change does there: minutes, and how a call
    /// of theirs stands.
    pub fn told_at(&self, state: &Tournament, change: &Change) -> Option<(u16, u32)> {
        match change {
            Change::Extend { .. } | Change::Call { .. } => change.place(),
            Change::Take { call } | Change::Finish { call } => {
                let call = self.calls.iter().find(|one| one.call == *call)?;
                call.round.zip(call.at_table(state))
            }
            _ => None,
        }
    }

    /// Returns what was done about a table of a round, in its order.
    pub fn about(&self, round: u16, table: u32) -> impl Iterator<Item = &Entry> {
        self.entries.iter().filter(move |entry| entry.change.place() == Some((round, table)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(at: i64, change: Change) -> Entry {
        Entry { at, by: Some("Bo".into()), key: None, change }
    }

    #[test]
    fn a_clock_ends_at_a_moment_and_a_pause_keeps_what_is_left() {
        let start = Change::StartClock { minutes: 50, round: Some(4) };
        let mut floor = Floor::of([entry(1_000, start)]);
        assert_eq!(floor.clock_of(4).and_then(|clock| clock.ends), Some(3_001_000));
        assert_eq!(floor.clock_of(3), None);
        floor.add(entry(61_000, Change::PauseClock {}));
        assert_eq!(floor.clock().and_then(|clock| clock.left), Some(2_940_000));
        floor.add(entry(62_000, Change::AddMinutes { minutes: 2 }));
        floor.add(entry(100_000, Change::ResumeClock {}));
        assert_eq!(floor.clock().and_then(|clock| clock.ends), Some(100_000 + 3_060_000));
        floor.add(entry(100_001, Change::StopClock {}));
        assert_eq!(floor.clock(), None);
    }

    #[test]
    fn extensions_add_up_and_are_those_of_their_round() {
        let more = |minutes, round| Change::Extend { table: 12, minutes, round: Some(round) };
        let changes = [more(3, 1), more(5, 2), more(-2, 2), more(-9, 1)];
        let floor = Floor::of(changes.map(|change| entry(0, change)));
        assert_eq!((floor.extension(1, 12), floor.extension(2, 12)), (0, 3));
        assert_eq!(floor.extensions(2).collect::<Vec<_>>(), [(12, 3)]);
        assert_eq!(floor.about(2, 12).count(), 2);
    }

    #[test]
    fn a_call_is_taken_and_done_and_a_judge_sits_at_one_table() {
        let call = Change::Call { table: Some(7), what: None, round: Some(1) };
        let sit = |table| Change::Sit { table, round: Some(1) };
        let changes = [call, Change::Take { call: 1 }, sit(7), sit(9)];
        let mut floor = Floor::of(changes.map(|change| entry(5, change)));
        assert_eq!(floor.open_calls().next().and_then(|call| call.taken.as_deref()), Some("Bo"));
        assert_eq!(floor.seats(1).collect::<Vec<_>>(), [("Bo", 9)]);
        floor.add(entry(6, Change::Finish { call: 1 }));
        floor.add(entry(6, Change::StandUp {}));
        assert_eq!((floor.open_calls().count(), floor.seats(1).count()), (0, 0));
    }

    #[test]
    fn a_deck_check_at_the_wrong_table_is_taken_back_and_what_was_done_stays_told() {
        let check = |table| Change::CheckDecks { table, found: None, round: Some(1) };
        let back = |table| Change::UncheckDecks { table, round: Some(1) };
        let changes = [check(3), check(4), check(4), back(4), back(5)];
        let floor = Floor::of(changes.map(|change| entry(5, change)));
        let tables: Vec<u32> = floor.checks().iter().map(|one| one.table).collect();
        assert_eq!((tables, floor.about(1, 4).count()), (vec![3, 4], 3));
    }

    #[test]
    fn entries_are_read_as_they_were_written() {
        let change =
            Change::CheckDecks { table: 3, found: Some("one card".into()), round: Some(2) };
        let entry = Entry { key: Some("k".into()), ..entry(9, change) };
        let text = serde_json::to_string(&entry).expect("written");
        assert_eq!(serde_json::from_str::<Entry>(&text).expect("read"), entry);
        let floor = Floor::of([entry.clone()]);
        assert_eq!(floor.done_under("k"), Some(&entry));
    }
}
