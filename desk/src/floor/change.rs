//! What can be done on the floor, as it is asked for and as it is kept.

use super::{Floor, MAX_ENTRIES, MAX_TEXT};
use crate::desk::{DeskError, Objection};
use crate::horizon::is_out;
use crate::verb_error::VerbError;
use scrutineer_engine::error::Code;
use scrutineer_engine::handler::CommandError;
use scrutineer_engine::rejection::Rejection;
use scrutineer_engine::tournament::Tournament;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// The most minutes that a clock is set to, or moved by, at once.
pub const MAX_MINUTES: i32 = 600;

/// What is done on the floor: `do` names it. A round that is not named is the last one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(tag = "do", rename_all = "kebab-case", deny_unknown_fields)]
pub enum Change {
    /// Start the clock of a round.
    StartClock {
        /// How long the round is played.
        minutes: i32,
        /// The round.
        #[serde(default)]
        round: Option<u16>,
    },
    /// Pause the clock.
    PauseClock {},
    /// Let a paused clock go on.
    ResumeClock {},
    /// Give the whole round more minutes, or fewer.
    AddMinutes {
        /// How many; negative ones are taken away.
        minutes: i32,
    },
    /// Take the clock away.
    StopClock {},
    /// Give a table more minutes, or fewer.
    Extend {
        /// The table.
        table: u32,
        /// How many; negative ones are taken away.
        minutes: i32,
        /// The round.
        #[serde(default)]
        round: Option<u16>,
    },
    /// Call a judge.
    Call {
        /// To which table; none: to the desk.
        #[serde(default)]
        table: Option<u32>,
        /// What for, in a few words.
        #[serde(default)]
        what: Option<String>,
        /// The round.
        #[serde(default)]
        round: Option<u16>,
    },
    /// Take a call: its giver goes there.
    Take {
        /// The number of the call.
        call: u32,
    },
    /// Finish a call.
    Finish {
        /// The number of the call.
        call: u32,
    },
    /// Announce something to everybody.
    Announce {
        /// The words.
        text: String,
    },
    /// Ask the players of a table to come to it.
    CallPlayers {
        /// The table.
        table: u32,
        /// The round.
        #[serde(default)]
        round: Option<u16>,
    },
    /// Take an announcement away.
    EndAnnouncement {
        /// Its number.
        announcement: u32,
    },
    /// Say that its giver sits at a table.
    Sit {
        /// The table.
        table: u32,
        /// The round.
        #[serde(default)]
        round: Option<u16>,
    },
    /// Say that its giver sits at no table any more.
    StandUp {},
    /// Mark that the decks of a table were checked.
    CheckDecks {
        /// The table.
        table: u32,
        /// What was found, where anything was.
        #[serde(default)]
        found: Option<String>,
        /// The round.
        #[serde(default)]
        round: Option<u16>,
    },
    /// Take its giver's last deck check of a table back: it was marked by mistake.
    UncheckDecks {
        /// The table.
        table: u32,
        /// The round.
        #[serde(default)]
        round: Option<u16>,
    },
    /// Mark a table as one to be watched.
    Feature {
        /// The table.
        table: u32,
        /// Whether it is, from now on.
        #[serde(default = "yes")]
        on: bool,
        /// The round.
        #[serde(default)]
        round: Option<u16>,
    },
    /// Say what the screens show.
    Show {
        /// What.
        what: Showing,
    },
    /// Say what the overlay of a stream shows.
    Overlay {
        /// What.
        what: Overlaying,
    },
    /// Say that a player wishes to drop; somebody at the desk drops them.
    WishDrop {
        /// The player.
        player: u32,
    },
    /// Say that a player does not wish to drop any more.
    EndWish {
        /// The player.
        player: u32,
    },
    /// Leave the result of a table as it is, whatever a player claims who reported late.
    Settle {
        /// The event of the claim.
        seq: u64,
    },
    /// The device from which an event of the log came. The server says it, nobody else.
    Device {
        /// The event.
        seq: u64,
        /// The device, in a few words.
        device: String,
    },
}

fn yes() -> bool {
    true
}

/// What a screen shows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Showing {
    /// What is of use now: clock and pairings while a round is played, standings between rounds.
    #[default]
    Auto,
    /// The pairings by name.
    Pairings,
    /// The clock alone.
    Clock,
    /// The standings.
    Standings,
    /// The standings of each division, one behind the other.
    Divisions,
    /// The bracket.
    Bracket,
    /// The tables without a result.
    Missing,
    /// The announcements.
    Announcements,
}

impl Showing {
    /// Everything that a screen can show, with what it is called.
    pub const ALL: [(Showing, &'static str, &'static str); 8] = [
        (Showing::Auto, "auto", "what is of use now"),
        (Showing::Pairings, "pairings", "pairings by name"),
        (Showing::Clock, "clock", "the clock alone"),
        (Showing::Standings, "standings", "standings"),
        (Showing::Divisions, "divisions", "standings of each division"),
        (Showing::Bracket, "bracket", "bracket"),
        (Showing::Missing, "missing", "missing tables"),
        (Showing::Announcements, "announcements", "announcements"),
    ];

    /// Returns what is called so.
    pub fn of_word(word: &str) -> Option<Showing> {
        Showing::ALL.into_iter().find(|(_, known, _)| *known == word).map(|(what, ..)| what)
    }
}

/// What the overlay of a stream shows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Overlaying {
    /// What is of use now: clock and featured tables while a round is played, the first places between
    /// rounds.
    #[default]
    Auto,
    /// The featured tables.
    Featured,
    /// The first places.
    Standings,
    /// The clock.
    Clock,
    /// Nothing.
    Nothing,
}

impl Overlaying {
    /// Everything that an overlay can show, with what it is called.
    pub const ALL: [(Overlaying, &'static str, &'static str); 5] = [
        (Overlaying::Auto, "auto", "what is of use now"),
        (Overlaying::Featured, "featured", "featured tables"),
        (Overlaying::Standings, "standings", "the first places"),
        (Overlaying::Clock, "clock", "the clock"),
        (Overlaying::Nothing, "nothing", "nothing"),
    ];

    /// Returns what is called so.
    pub fn of_word(word: &str) -> Option<Overlaying> {
        Overlaying::ALL.into_iter().find(|(_, known, _)| *known == word).map(|(what, ..)| what)
    }
}

impl Change {
    /// Returns whether it takes a scorekeeper: what is for the whole room does.
    pub const fn is_for_the_room(&self) -> bool {
        matches!(
            self,
            Change::StartClock { .. }
                | Change::PauseClock {}
                | Change::ResumeClock {}
                | Change::AddMinutes { .. }
                | Change::StopClock {}
                | Change::Announce { .. }
                | Change::EndAnnouncement { .. }
                | Change::Show { .. }
                | Change::Overlay { .. }
                | Change::Feature { .. }
                | Change::Settle { .. }
        )
    }

    /// Returns the round and the table that it is about.
    pub const fn place(&self) -> Option<(u16, u32)> {
        match self {
            Change::Extend { table, round: Some(round), .. }
            | Change::CallPlayers { table, round: Some(round) }
            | Change::Call { table: Some(table), round: Some(round), .. }
            | Change::Sit { table, round: Some(round) }
            | Change::CheckDecks { table, round: Some(round), .. }
            | Change::UncheckDecks { table, round: Some(round) }
            | Change::Feature { table, round: Some(round), .. } => Some((*round, *table)),
            _ => None,
        }
    }

    /// Returns it in words, as the file of a dispute and a note in the log say it.
    pub fn told(&self) -> String {
        let minutes = |minutes: &i32| match minutes {
            ..0 => format!("{} min taken back", -minutes),
            more => format!("{more} min more"),
        };
        match self {
            Change::StartClock { minutes, .. } => format!("the clock starts: {minutes} min"),
            Change::PauseClock {} => "the clock is paused".into(),
            Change::ResumeClock {} => "the clock goes on".into(),
            Change::AddMinutes { minutes: more } => format!("for everybody {}", minutes(more)),
            Change::StopClock {} => "the clock is taken away".into(),
            Change::Extend { table, minutes: more, .. } => {
                format!("table {table}: {}", minutes(more))
            }
            Change::Call { table: Some(table), what, .. } => {
                format!("table {table}: a judge is called{}", behind(what))
            }
            Change::Call { what, .. } => format!("a judge is called{}", behind(what)),
            Change::Take { call } => format!("call {call} is taken"),
            Change::Finish { call } => format!("call {call} is done"),
            Change::Announce { text } => format!("announced: {text}"),
            Change::CallPlayers { table, .. } => format!("table {table}: its players are called"),
            Change::EndAnnouncement { announcement } => {
                format!("announcement {announcement} is taken away")
            }
            Change::Sit { table, .. } => format!("table {table}: a judge sits there"),
            Change::StandUp {} => "a judge stands up".into(),
            Change::CheckDecks { table, found, .. } => {
                format!("table {table}: decks checked{}", behind(found))
            }
            Change::UncheckDecks { table, .. } => {
                format!("table {table}: decks marked as checked by mistake")
            }
            Change::Feature { table, on: true, .. } => format!("table {table} is featured"),
            Change::Feature { table, .. } => format!("table {table} is not featured any more"),
            Change::Show { what } => {
                let named = Showing::ALL.into_iter().find(|(known, ..)| known == what);
                format!("the screens show: {}", named.map_or("", |(_, _, words)| words))
            }
            Change::Overlay { what } => {
                let named = Overlaying::ALL.into_iter().find(|(known, ..)| known == what);
                format!("the overlay shows: {}", named.map_or("", |(_, _, words)| words))
            }
            Change::WishDrop { player } => format!("player {player} wishes to drop"),
            Change::EndWish { player } => format!("player {player} does not wish to drop any more"),
            Change::Settle { seq } => format!("the claim of event {seq} changes no result"),
            Change::Device { seq, device } => format!("event {seq} came from {device}"),
        }
    }

    /// Returns it as it is kept: with its round, once it is sure that it can be done.
    ///
    /// # Errors
    /// Where there is no such table, call or announcement, no clock, or a number or text is too large.
    pub fn accepted(mut self, floor: &Floor, state: &Tournament) -> Result<Change, VerbError> {
        // From which devices players report is no work of the floor, and holds none up.
        if floor.entries().len() - floor.devices.len() >= MAX_ENTRIES {
            let error = Rejection::TooMany { what: "floor entries", limit: MAX_ENTRIES as u64 };
            return Err(DeskError::from(CommandError::from(error)).into());
        }
        if state.is_closed() && self.is_of_play() {
            return Err(DeskError::from(CommandError::from(Rejection::Closed)).into());
        }
        let last = state.last_round().map(|round| round.number);
        let (table, named) = match &mut self {
            Change::Extend { table, round, .. }
            | Change::CallPlayers { table, round }
            | Change::Sit { table, round }
            | Change::CheckDecks { table, round, .. }
            | Change::UncheckDecks { table, round }
            | Change::Feature { table, round, .. } => (Some(*table), Some(round)),
            Change::Call { table, round, .. } => (*table, Some(round)),
            Change::StartClock { round, .. } => (None, Some(round)),
            _ => (None, None),
        };
        if let Some(named) = named {
            *named = named.or(last);
            let needs_round = table.is_some() || matches!(self, Change::StartClock { .. });
            check_place(state, table, self.round().filter(|_| needs_round), needs_round)?;
        }
        if let Some(round) = self.needs_out() {
            check_out(state, round)?;
        }
        self.check_minutes()?;
        match &self {
            Change::PauseClock {} | Change::AddMinutes { .. } | Change::StopClock {}
                if floor.clock().is_none() =>
            {
                Err(no_clock())
            }
            Change::PauseClock {} if floor.clock().is_some_and(|clock| clock.left.is_some()) => {
                Err(no_clock())
            }
            Change::ResumeClock {} if floor.clock().is_none_or(|clock| clock.left.is_none()) => {
                Err(no_clock())
            }
            Change::Take { call } | Change::Finish { call } => {
                let found = floor.calls().iter().find(|known| known.call == *call);
                let hint = "look at the floor again: somebody may have finished it";
                let code = Code::not_found("no-such-call");
                match found.is_some_and(|call| call.done.is_none()) {
                    true => Ok(()),
                    false => Err(VerbError::new(code, format!("call {call} is not open"), hint)),
                }
            }
            Change::EndAnnouncement { announcement } => {
                let found = floor.announcements().iter().any(|one| one.number == *announcement);
                let code = Code::not_found("no-such-announcement");
                let what = format!("announcement {announcement} is not shown");
                let hint = "look at the floor again: somebody may have ended it";
                if found { Ok(()) } else { Err(VerbError::new(code, what, hint)) }
            }
            Change::WishDrop { player }
                if state.player(*player).is_none_or(|one| one.withdrawn) =>
            {
                let error = Rejection::UnknownPlayer { player: *player };
                Err(DeskError::from(CommandError::from(error)).into())
            }
            Change::Announce { text } if text.trim().is_empty() => Err(VerbError {
                message: "the announcement is empty".into(),
                hint: Some("write in a few words what everybody is to know".into()),
                ..VerbError::from(DeskError::from(Objection::NoReason))
            }),
            _ => Ok(()),
        }?;
        self.check_texts()?;
        Ok(self)
    }

    /// Whether it is done while a tournament is played; what the screens show and what is open still is ended
    /// behind that too.
    fn is_of_play(&self) -> bool {
        matches!(
            self,
            Change::Extend { .. }
                | Change::CallPlayers { .. }
                | Change::Call { .. }
                | Change::Take { .. }
                | Change::Sit { .. }
                | Change::CheckDecks { .. }
                | Change::UncheckDecks { .. }
                | Change::StartClock { .. }
                | Change::AddMinutes { .. }
        )
    }

    fn round(&self) -> Option<u16> {
        match self {
            Change::StartClock { round, .. } | Change::Call { round, .. } => *round,
            other => other.place().map(|(round, _)| round),
        }
    }

    /// Returns the round that is to be out before this is done at a table of it. A table may be featured before:
    /// nobody is told of that until its round is out.
    fn needs_out(&self) -> Option<u16> {
        match self {
            Change::CallPlayers { .. } | Change::Extend { .. } | Change::Call { .. } => {
                self.place().map(|(round, _)| round)
            }
            _ => None,
        }
    }

    fn check_minutes(&self) -> Result<(), VerbError> {
        let (least, minutes) = match self {
            Change::StartClock { minutes, .. } => (1, *minutes),
            Change::AddMinutes { minutes } | Change::Extend { minutes, .. } => {
                (-MAX_MINUTES, *minutes)
            }
            _ => return Ok(()),
        };
        if minutes != 0 && (least..=MAX_MINUTES).contains(&minutes) {
            return Ok(());
        }
        let message = format!("{minutes} minutes cannot be given");
        let hint = format!("write minutes from {least} to {MAX_MINUTES}");
        Err(VerbError::new(Code::invalid("bad-minutes"), message, hint))
    }

    fn check_texts(&self) -> Result<(), VerbError> {
        let text = match self {
            Change::Announce { text } => text,
            Change::Call { what: Some(text), .. }
            | Change::CheckDecks { found: Some(text), .. } => text,
            _ => return Ok(()),
        };
        match (text.len() > MAX_TEXT, text.chars().any(char::is_control)) {
            (true, _) => Err(DeskError::from(Objection::TextTooLong { bytes: text.len() }).into()),
            (_, true) => Err(DeskError::from(Objection::TextNotPrintable).into()),
            _ => Ok(()),
        }
    }
}

fn behind(text: &Option<String>) -> String {
    text.as_deref().map_or(String::new(), |text| format!(": {text}"))
}

fn no_clock() -> VerbError {
    let hint = "start it, or look at the floor again: somebody may have been faster";
    VerbError::new(Code::refused("no-clock"), "there is no clock for which that can be done", hint)
}

/// Refuses what would be done at a table of a draft: nobody sits there, and everybody would read who is called there.
fn check_out(state: &Tournament, round: u16) -> Result<(), VerbError> {
    match state.round(round).is_some_and(|found| !is_out(state, found)) {
        false => Ok(()),
        true => Err(VerbError::new(
            Code::not_found("no-such-round"),
            format!("round {round} is not published"),
            "once it is, that is done at its tables",
        )),
    }
}

fn check_place(
    state: &Tournament,
    table: Option<u32>,
    round: Option<u16>,
    needed: bool,
) -> Result<(), VerbError> {
    let refused = |error: Rejection| VerbError::from(DeskError::from(CommandError::from(error)));
    let Some(round) = round else {
        return match needed {
            true => Err(DeskError::from(Objection::NoRound).into()),
            false => Ok(()),
        };
    };
    if state.round(round).is_none() {
        return Err(refused(Rejection::NoSuchRound { round }));
    }
    match table {
        Some(table) if state.at_table(round, table).is_none() => {
            Err(refused(Rejection::NoSuchTable { table, round }))
        }
        _ => Ok(()),
    }
}
