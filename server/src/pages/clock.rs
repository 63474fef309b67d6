//! What pages show of a floor: the clock, and what is announced.

use super::{Looked, set_apart};
use crate::language::Language;
use scrutineer_desk::floor::{Announcement, Floor};
use scrutineer_desk::horizon::published;
use scrutineer_engine::event::RoundNumber;
use scrutineer_engine::tournament::Tournament;
use scrutineer_replay::loaded::LoadedTournament;

/// A clock as pages show it.
pub struct ClockShown {
    /// When it ends, in milliseconds since 1970; empty while it is paused.
    pub ends: String,
    /// What is left now, in minutes and seconds.
    pub left: String,
    /// Whether it is paused.
    pub is_paused: bool,
    /// The time by which that is so, in milliseconds since 1970.
    pub now: i64,
}

impl ClockShown {
    /// The clock of the last round, where it has one; no clock runs on behind the closing.
    pub fn now(at: &Looked<'_>, state: &Tournament) -> Option<ClockShown> {
        let round = state.last_round().filter(|_| !state.is_closed())?;
        ClockShown::of(&at.floor, round.number, crate::floor::now())
    }

    /// The clock of a round, where it has one.
    pub fn of(floor: &Floor, round: RoundNumber, now: i64) -> Option<ClockShown> {
        let clock = floor.clock_of(round)?;
        let left = clock.left.or(clock.ends.map(|ends| ends - now)).unwrap_or(0);
        Some(ClockShown {
            ends: clock.ends.map_or(String::new(), |ends| ends.to_string()),
            left: minutes_and_seconds(left),
            is_paused: clock.left.is_some(),
            now,
        })
    }
}

/// What is left of a clock, such as `31:12`; what it is over as `+2:05`.
pub fn minutes_and_seconds(left: i64) -> String {
    let seconds = left.div_euclid(1_000);
    let (sign, seconds) = if seconds < 0 { ("+", -seconds) } else { ("", seconds) };
    format!("{sign}{}:{:02}", seconds / 60, seconds % 60)
}

/// The words of an announcement.
fn announced(event: &LoadedTournament, one: &Announcement, language: Language) -> String {
    let called = one.round.zip(one.table).and_then(|(round, table)| {
        let found = event.state.at_table(round, table)?;
        let names: Vec<String> =
            found.seats().iter().map(|seat| set_apart(event.name(seat.player))).collect();
        let names = names.join(&format!(" {} ", language.t("word-and")));
        Some(language.b("come-to-table", "names", names, "table", table))
    });
    one.text.clone().or(called).unwrap_or_default()
}

/// The announcements that stand, the newest first: players are called to a table of the last round that is out
/// only.
pub fn announcements(
    event: &LoadedTournament,
    floor: &Floor,
    language: Language,
) -> Vec<(u32, String)> {
    let last = published(&event.state);
    let stands = |one: &&Announcement| one.round.is_none() || one.round == last;
    let all = floor.announcements().iter().rev().filter(stands);
    all.map(|one| (one.number, announced(event, one, language)))
        .filter(|(_, text)| !text.is_empty())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_clock_runs_on_behind_the_closing() {
        use super::super::kit::hall;
        use scrutineer_desk::floor::{Change, Entry};
        let hall = hall();
        let mut looked = hall.looked();
        let change = Change::StartClock { minutes: 50, round: Some(1) };
        let at = crate::floor::now();
        looked.floor = std::sync::Arc::new(Floor::of([Entry { at, by: None, key: None, change }]));
        let state = || hall.store.load(hall.stream, false).expect("loaded").state;
        assert!(ClockShown::now(&looked, &state()).is_some());
        hall.slip("1 2-0");
        hall.slip("3 2-0");
        hall.order(scrutineer_desk::orders::Close::default());
        assert!(ClockShown::now(&looked, &state()).is_none());
        let html = super::super::screen::page(&looked, &Default::default()).expect("a page");
        assert!(!html.contains("data-clock"), "{html}");
    }

    #[test]
    fn nobody_is_called_to_a_table_of_a_draft_and_who_was_called_before_it_still_is() {
        use super::super::kit::hall;
        use scrutineer_desk::floor::{Change, Entry};
        use scrutineer_desk::orders::{Pair, Publish};
        let hall = hall();
        hall.all_in();
        hall.order(Pair::default());
        let call = |table, round| {
            let change = Change::CallPlayers { table, round: Some(round) };
            Entry { at: 1, by: None, key: None, change }
        };
        let floor = Floor::of([call(1, 1), call(2, 2)]);
        let told = || {
            let event = hall.store.load(hall.stream, true).expect("loaded");
            announcements(&event, &floor, Language::English).remove(0).1
        };
        assert!(told().ends_with("table 1"), "{}", told());
        hall.order(Publish {});
        assert!(told().ends_with("table 2"), "{}", told());
    }

    #[test]
    fn who_is_called_to_a_table_reads_it_in_their_own_language() {
        use super::super::kit::hall;
        use scrutineer_desk::floor::{Change, Entry};
        let hall = hall();
        let event = hall.store.load(hall.stream, true).expect("loaded");
        let change = Change::CallPlayers { table: 1, round: Some(1) };
        let floor = Floor::of([Entry { at: 1, by: None, key: None, change }]);
        let told = |language| announcements(&event, &floor, language).remove(0).1;
        assert!(told(Language::English).ends_with(": please come to table 1"));
        let german = told(Language::German);
        assert!(
            german.ends_with(": bitte kommt an Tisch 1") && german.contains(" und "),
            "{german}"
        );
    }

    #[test]
    fn a_clock_says_what_is_left_and_what_it_is_over() {
        assert_eq!(minutes_and_seconds(1_872_000), "31:12");
        assert_eq!(minutes_and_seconds(-125_000), "+2:05");
        assert_eq!(minutes_and_seconds(0), "0:00");
    }
}
