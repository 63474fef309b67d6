//! Tournaments of the same title, and what tells them apart: the day, and where that is the same too, the id.

use super::TournamentSummary;
use scrutineer_engine::names::folded;
use scrutineer_engine::record::StreamId;
use scrutineer_replay::loaded::short_id;
use std::collections::{BTreeMap, HashMap};

/// What tells each tournament apart that is called like another one of these.
pub fn apart(all: &[TournamentSummary]) -> BTreeMap<StreamId, String> {
    let day = |one: &TournamentSummary| one.held_on.map(|day| day.to_string());
    let mut of_title: HashMap<String, Vec<&TournamentSummary>> = HashMap::new();
    for one in all {
        of_title.entry(folded(&one.title)).or_default().push(one);
    }
    let alike = of_title.into_values().filter(|alike| alike.len() > 1);
    let told = alike.flat_map(|alike| {
        let shares_day =
            |one: &TournamentSummary| alike.iter().filter(|two| day(two) == day(one)).count() > 1;
        let tell = |one: &&TournamentSummary| {
            let id = shares_day(one).then(|| short_id(one.stream));
            let words: Vec<String> = day(one).into_iter().chain(id).collect();
            (one.stream, words.join(", "))
        };
        alike.iter().map(tell).collect::<Vec<_>>()
    });
    told.filter(|(_, words)| !words.is_empty()).collect()
}

/// Each tournament as it can be chosen: its title, and what tells it apart.
pub fn titled(all: Vec<TournamentSummary>) -> Vec<(StreamId, String)> {
    let apart = apart(&all);
    let of = |one: TournamentSummary| {
        let title = match apart.get(&one.stream) {
            Some(words) => format!("{}, {words}", one.title),
            None => one.title,
        };
        (one.stream, title)
    };
    all.into_iter().map(of).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use scrutineer_engine::event::Day;
    use scrutineer_engine::record::Time;

    fn summary(id: u8, title: &str, day: Option<u8>) -> TournamentSummary {
        TournamentSummary {
            stream: StreamId([id; 16]),
            title: title.into(),
            opened_at: Time { unix_micros: 0 },
            held_on: day.map(|day| Day { year: 2026, month: 11, day }),
            ruleset: String::new(),
            head: 1,
            source_event: None,
            file: None,
            is_removed: false,
        }
    }

    #[test]
    fn tournaments_of_the_same_title_are_told_apart_by_day_and_by_id_where_that_is_the_same() {
        let all = vec![
            summary(1, "Friday", Some(20)),
            summary(2, "friday", Some(27)),
            summary(3, "Friday", Some(27)),
            summary(4, "Friday", None),
            summary(5, "Saturday", Some(27)),
        ];
        let titled: Vec<String> = titled(all).into_iter().map(|(_, title)| title).collect();
        let told = [
            "Friday, 2026-11-20",
            "friday, 2026-11-27, 02020202",
            "Friday, 2026-11-27, 03030303",
            "Friday",
            "Saturday",
        ];
        assert_eq!(titled, told, "the one without a day is told apart by having none");
    }
}
