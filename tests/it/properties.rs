//! What holds for every tournament and every ruleset.

use crate::random_tournaments::generate::{World, tournament};
use crate::random_tournaments::shrink::moved_to;
use crate::random_tournaments::{Dice, rulesets};
use crate::reference::{big, bounded, whole};
use crate::script::Desk;
use num_rational::BigRational;
use num_traits::Zero;
use scrutineer_engine::book::Commitment;
use scrutineer_engine::decide::validate;
use scrutineer_engine::event::*;
use scrutineer_engine::tournament::Tournament;
use scrutineer_projections::crosstable::{Crosstable, Scope};
use scrutineer_projections::measure::{Terms, terms};
use scrutineer_projections::ruleset::*;
use scrutineer_projections::standings::{Detail, Standings};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Random tournaments of every kind.
fn tournaments(each: u64) -> impl Iterator<Item = (World, u64, Desk)> {
    let all =
        move |world| (0..each).map(move |seed| (world, seed, tournament(world, 7_000 + seed)));
    World::ALL.into_iter().flat_map(all)
}

/// The standings under each ruleset for which the tournament holds enough.
fn all_standings(desk: &Desk, rulesets: &[Arc<Ruleset>]) -> Vec<Standings> {
    let of = |rules| Standings::of(&desk.state, rules, Scope::FINAL, Detail::All).ok();
    rulesets.iter().filter_map(of).collect()
}

/// What a table says: rank, player, record, and the value of every measure. Tied players stand
/// in the order of their numbers.
type Said = Vec<(u32, PlayerNumber, String, Vec<Option<BigRational>>)>;

fn said(standings: &Standings) -> Said {
    let values = |row: &scrutineer_projections::standings::Row| -> Vec<Option<BigRational>> {
        let columns = standings.layer(row).measured.columns.iter();
        columns.map(|column| column.as_ref().map(|column| column.value(row.index))).collect()
    };
    let row = |row: &scrutineer_projections::standings::Row| {
        (row.rank, row.player, row.record.to_string(), values(row))
    };
    let mut rows: Said = standings.rows.iter().map(row).collect();
    rows.sort_by_key(|row| (row.0, row.1));
    rows
}

/// Both logs give the same tables, once players of the second are called by `name`.
fn assert_same(
    one: &Desk,
    other: &Desk,
    rulesets: &[Arc<Ruleset>],
    what: &str,
    name: impl Fn(PlayerNumber) -> PlayerNumber,
) {
    let (ones, others) = (all_standings(one, rulesets), all_standings(other, rulesets));
    assert_eq!(ones.len(), others.len(), "{what}: another number of rulesets fits");
    for (one, other) in ones.iter().zip(&others) {
        let mut renamed = said(other);
        renamed.iter_mut().for_each(|row| row.1 = name(row.1));
        renamed.sort_by_key(|row| (row.0, row.1));
        assert!(said(one) == renamed, "{what}, under {}", one.rules.id);
    }
}

/// Some of the rulesets: every way of ranking, without those that differ in a number alone.
fn some_rulesets() -> Vec<Arc<Ruleset>> {
    let ids = [
        "carde",
        "battlefy-hct",
        "splinterlands",
        "hgbts",
        "netrunner",
        "pokemon",
        "fide-buchholz-2026",
        "commander-pods",
        "pairs-and-bonuses",
    ];
    let chosen = |rules: &Arc<Ruleset>| ids.contains(&rules.id.as_str());
    rulesets().into_iter().filter(chosen).collect()
}

/// Records a list of events, each of which has to be legal.
fn recorded(events: impl IntoIterator<Item = Event>) -> Desk {
    let mut desk = Desk::default();
    for event in events {
        desk.record(event);
    }
    desk
}

#[test]
fn folding_a_then_b_equals_folding_a_and_b() {
    for (world, seed, desk) in tournaments(6) {
        let whole = Tournament::of(&desk.events);
        assert!(whole == desk.state, "{world:?} {seed}");
        let mut so_far = Tournament::default();
        for split in 0..=desk.events.len() {
            let (before, after) = desk.events.split_at(split);
            let mut kept = so_far.clone();
            after.iter().for_each(|event| kept.evolve(event));
            assert!(kept == whole, "{world:?} {seed}, kept after event {split}");
            assert!(Tournament::of(before) == so_far, "{world:?} {seed}, anew to event {split}");
            after.first().into_iter().for_each(|event| so_far.evolve(event));
        }
    }
}

#[test]
fn the_same_log_gives_the_same_hash() {
    let rulesets = rulesets();
    for (world, seed, desk) in tournaments(10) {
        let again = recorded(desk.events.clone());
        let hashes = |desk| -> Vec<[u8; 32]> {
            all_standings(desk, &rulesets).iter().map(Standings::hash).collect()
        };
        assert_eq!(hashes(&desk), hashes(&again), "{world:?} {seed}");
    }
}

#[test]
fn ranks_do_not_depend_on_names() {
    let rulesets = some_rulesets();
    for (world, seed, desk) in tournaments(15) {
        let other = Commitment { number: 77, digest: [0xAB; 32] };
        let renamed = desk.events.iter().cloned().map(|mut event| {
            if let Event::PlayerEnrolled(e) = &mut event {
                (e.name, e.publisher_id) = (other, Some(other));
            }
            event
        });
        let renamed = recorded(renamed);
        assert_same(&desk, &renamed, &rulesets, &format!("{world:?} {seed}"), |player| player);
    }
}

/// The match that an event is about, where it is about one alone.
fn about(seq: Seq, event: &Event) -> Option<Seq> {
    match event {
        Event::PairingMade(_) | Event::ByeGiven(_) => Some(seq),
        Event::ResultRecorded(e) => Some(e.pairing),
        Event::ResultCorrected(e) => Some(e.pairing),
        Event::ScoreNoted(e) => Some(e.pairing),
        Event::PlayerAdvanced(e) => Some(e.pairing),
        _ => None,
    }
}

/// The events with two neighbours exchanged that are about different matches; none if they are
/// not.
fn exchanged(events: &[Event], at: usize) -> Option<Vec<Event>> {
    let (first, second) = (at as Seq + 1, at as Seq + 2);
    let matches = (about(first, &events[at])?, about(second, &events[at + 1])?);
    if matches.0 == matches.1 || matches.1 == first {
        return None;
    }
    let moved = |seq: Seq| match seq {
        _ if seq == first => Some(second),
        _ if seq == second => Some(first),
        _ => Some(seq),
    };
    let mut events = events.to_vec();
    events.swap(at, at + 1);
    events.iter().map(|event| moved_to(event, moved)).collect()
}

#[test]
fn ranks_do_not_depend_on_the_order_in_which_results_come_in() {
    let rulesets = some_rulesets();
    let mut exchanges = 0;
    for (world, seed, desk) in tournaments(20) {
        let mut dice = Dice(seed);
        let mut events = desk.events.clone();
        for _ in 0..events.len() * 4 {
            let at = dice.below(events.len() - 1);
            if let Some(other) = exchanged(&events, at) {
                events = other;
                exchanges += 1;
            }
        }
        let other = recorded(events);
        assert_same(&desk, &other, &rulesets, &format!("{world:?} {seed}"), |player| player);
    }
    assert!(exchanges > 1_000, "{exchanges} exchanges");
}

/// An event with other numbers of players.
fn renumbered(event: &Event, new: &impl Fn(PlayerNumber) -> PlayerNumber) -> Event {
    let mut event = event.clone();
    match &mut event {
        Event::PlayerEnrolled(e) => e.player = new(e.player),
        Event::PlayerDropped(e) => e.player = new(e.player),
        Event::PlayerReinstated(e) => e.player = new(e.player),
        Event::PhaseStarted(e) => e.entrants.iter_mut().for_each(|player| *player = new(*player)),
        Event::PairingMade(e) => e.seats.iter_mut().for_each(|seat| seat.player = new(seat.player)),
        Event::ByeGiven(e) => e.player = new(e.player),
        Event::ByeRequested(e) => e.player = new(e.player),
        Event::PlayerDescribed(e) => e.player = new(e.player),
        Event::PlayerRated(e) => e.player = new(e.player),
        Event::PlayerIdCorrected(e) => e.player = new(e.player),
        Event::TableKept(e) => e.player = new(e.player),
        Event::PlayerAdvanced(e) => e.player = new(e.player),
        Event::LotsDrawn(e) => e.order.iter_mut().for_each(|player| *player = new(*player)),
        _ => {}
    }
    event
}

#[test]
fn ranks_do_not_depend_on_the_order_of_enrolment() {
    let rulesets = some_rulesets();
    for (world, seed, desk) in tournaments(20) {
        let is_enrolment = |event: &&Event| matches!(event, Event::PlayerEnrolled(_));
        let first = desk.events.iter().position(|event| is_enrolment(&event)).unwrap_or(0);
        // Enrolments that nothing else stands between.
        let together = desk.events[first..].iter().take_while(is_enrolment).count();
        let mut numbers: Vec<PlayerNumber> = (1..=together as PlayerNumber).collect();
        Dice(seed).shuffle(&mut numbers);
        let new =
            |player: PlayerNumber| numbers.get(player as usize - 1).copied().unwrap_or(player);
        let place = |seq: Seq| match (seq as usize).checked_sub(first + 1) {
            Some(at) if at < together => Some((first as PlayerNumber + numbers[at]).into()),
            _ => Some(seq),
        };
        let moved = |event: &Event| moved_to(&renumbered(event, &new), place);
        let mut events: Vec<Event> = desk.events.iter().filter_map(moved).collect();
        events[first..first + together].sort_by_key(|event| match event {
            Event::PlayerEnrolled(e) => e.player,
            _ => 0,
        });
        let other = recorded(events);
        let old = |player| (1..).find(|old| new(*old) == player).unwrap_or(player);
        assert_same(&desk, &other, &rulesets, &format!("{world:?} {seed}"), old);
    }
}

/// The events with others in place of the one at a position; what referred to it refers to the
/// last of them.
fn replaced(events: &[Event], at: usize, by: Vec<Event>) -> Vec<Event> {
    let more = by.len() as Seq - 1;
    let moved = |seq: Seq| Some(if seq > at as Seq { seq + more } else { seq });
    let after = events[at + 1..].iter().filter_map(|event| moved_to(event, moved));
    events[..at].iter().cloned().chain(by).chain(after).collect()
}

#[test]
fn an_event_withdrawn_at_once_never_happened() {
    let rulesets = some_rulesets();
    let mut withdrawn: BTreeMap<&str, u32> = BTreeMap::new();
    for (world, seed, desk) in tournaments(25) {
        let mut dice = Dice(seed);
        for _ in 0..4 {
            let at = dice.between(1, desk.events.len() - 1);
            let (before, event) = (recorded(desk.events[..at].to_vec()), &desk.events[at]);
            let mut without = before.clone();
            let seq = without.record(event.clone());
            let undo = Event::from(Withdrawn { seq, reason: crate::script::WORDS });
            if validate(&without.state, &undo).is_err() {
                continue;
            }
            without.record(undo.clone());
            let what = format!("{world:?} {seed}, {} at {seq}", event.word());
            assert_same(&before, &without, &rulesets, &what, |player| player);
            *withdrawn.entry(event.word()).or_default() += 1;
            let number_is_used_up = matches!(event, Event::PlayerEnrolled(_));
            if !number_is_used_up {
                let again = vec![event.clone(), undo, event.clone()];
                let again = recorded(replaced(&desk.events, at, again));
                assert_same(&desk, &again, &rulesets, &what, |player| player);
            }
        }
    }
    for kind in ["result", "pairing", "bye", "player dropped", "round completed", "round opened"] {
        assert!(withdrawn.contains_key(kind), "no {kind} was withdrawn: {withdrawn:?}");
    }
}

/// Whether a later event takes back this one.
fn taken_back(events: &[Event], at: usize) -> bool {
    let seq = at as Seq + 1;
    events.iter().any(|event| matches!(event, Event::Withdrawn(e) if e.seq == seq))
}

#[test]
fn a_corrected_result_counts_as_if_it_had_been_recorded_right() {
    let rulesets = some_rulesets();
    let mut corrected = 0;
    for (world, seed, desk) in tournaments(25) {
        for (at, event) in desk.events.iter().enumerate() {
            let Event::ResultRecorded(right) = event else { continue };
            if taken_back(&desk.events, at) || !(at as u64 + seed).is_multiple_of(5) {
                continue;
            }
            let wrong = wrong_result(&desk.events, at);
            let corrected_to = ResultCorrected {
                pairing: right.pairing,
                replaces: at as Seq + 1,
                result: right.result.clone(),
                reason: crate::script::WORDS,
                dispute: None,
            };
            let by = vec![wrong.into(), corrected_to.into()];
            let other = recorded(replaced(&desk.events, at, by));
            let what = format!("{world:?} {seed}, result at {}", at + 1);
            assert_same(&desk, &other, &rulesets, &what, |player| player);
            corrected += 1;
        }
    }
    assert!(corrected > 100, "{corrected} results were corrected");
}

/// The same match with everything that stood on the slip exchanged.
fn wrong_result(events: &[Event], at: usize) -> ResultRecorded {
    let Event::ResultRecorded(right) = &events[at] else { panic!("event {at} is no result") };
    let mut wrong = right.clone();
    wrong.result.score.seats.reverse();
    wrong.result.how = How::Forfeit;
    wrong.result.grade = Some("wrong".to_owned());
    let seats = match &events[right.pairing as usize - 1] {
        Event::PairingMade(e) => e.seats.len(),
        _ => 0,
    };
    wrong.result.rulings = std::iter::repeat_n(Some(Ruling::Loss), seats).collect();
    wrong
}

#[test]
fn the_terms_recompute_every_value() {
    let rulesets = rulesets();
    let mut values = 0;
    for (world, seed, desk) in tournaments(12) {
        for standings in all_standings(&desk, &rulesets) {
            let rules = &standings.rules;
            let columns = standings.layers.iter().flat_map(|layer| {
                let columns = layer.measured.columns.iter().enumerate();
                columns.filter_map(move |(at, column)| Some((layer, at, column.as_ref()?)))
            });
            for (layer, at, column) in columns {
                let (table, measured) = (&layer.table, &layer.measured);
                for player in 0..table.len() as u32 {
                    let terms = terms(&desk.state, rules, table, measured, at, player);
                    let terms = terms.expect("a value that was taken has terms");
                    let measure = &rules.measures[at];
                    let entrant = &table.entrants[player as usize];
                    let left = [entrant.dropped, entrant.dropped_early];
                    let inner = match measure.formula {
                        Formula::AsDrawn(of) => &rules.measures[of],
                        _ => measure,
                    };
                    let Some(raw) = sum(table, inner, player, &terms) else { continue };
                    let found = bounded(measure, bounded(inner, raw, left), left);
                    let what = format!("{world:?} {seed}, {}: {}", rules.id, measure.id);
                    assert_eq!(found, column.value(player), "{what} of entrant {player}");
                    values += 1;
                }
            }
        }
    }
    println!("{values} values recomputed from their terms");
}

/// The terms put together as the measure says; none for a fact.
fn sum(table: &Crosstable, measure: &Measure, player: u32, terms: &Terms) -> Option<BigRational> {
    let none = big(measure.when_empty);
    Some(match terms {
        Terms::Fact | Terms::Performance(_) => return None,
        Terms::Rounds(rounds) => rounds.iter().map(|term| &term.value).sum(),
        Terms::Ratio { den, .. } if den.1.is_zero() => none,
        Terms::Ratio { num, den, rounds } => {
            if !rounds.is_empty() {
                let above: BigRational = rounds.iter().map(|(above, _)| &above.value).sum();
                let below: BigRational = rounds.iter().map(|(_, below)| &below.value).sum();
                assert_eq!((&above, &below), (&num.1, &den.1), "{}", measure.id);
            }
            &num.1 / &den.1
        }
        Terms::Sum(parts) => parts.iter().map(|(_, factor, value)| big(*factor) * value).sum(),
        Terms::AsLeft { value, .. } => value.clone(),
        Terms::Opponents(list) => {
            let Formula::Opponents(spec) = &measure.formula else { panic!("no such terms") };
            let counted = || list.iter().filter(|term| term.skipped.is_none());
            let sum: BigRational = counted().map(|term| &term.value * &term.weight).sum();
            let finished = table.rounds_of(player);
            let rounds = finished.filter(|(_, own)| own.kind != RoundKind::Unfinished).count();
            let by = match spec.weight {
                _ if spec.combine == Combine::Sum => whole(1),
                OpponentWeight::RoundWeight => counted().map(|term| &term.weight).sum(),
                _ if spec.divide_by_rounds => whole(rounds),
                _ => whole(counted().count()),
            };
            if by.is_zero() { none } else { sum / by }
        }
    })
}

/// A ruleset's text with its tables and keys in another order, other comments and white space.
fn reformatted(text: &str) -> String {
    let mut tables: Vec<(String, Vec<String>)> = vec![(String::new(), Vec::new())];
    let mut open = 0;
    for line in text.lines() {
        let line = without_comment(line);
        if line.trim().is_empty() {
            continue;
        }
        if open == 0 && line.starts_with('[') {
            tables.push((line.to_owned(), Vec::new()));
            continue;
        }
        let keys = &mut tables.last_mut().expect("there is a first table").1;
        match keys.last_mut().filter(|_| open > 0) {
            Some(key) => *key = format!("{key}\n{line}"),
            None => keys.push(line.replace(" = ", "   =  ")),
        }
        let count = |brackets: [char; 2]| line.matches(brackets).count() as i32;
        open += count(['[', '{']) - count([']', '}']);
    }
    tables[1..].reverse();
    let of = |(head, mut keys): (String, Vec<String>)| {
        keys.reverse();
        format!("# Another comment.\n{head}\n\n{}\n", keys.join("\n# and one more\n"))
    };
    tables.into_iter().map(of).collect()
}

fn without_comment(line: &str) -> &str {
    let starts = |at: &usize| line[..*at].matches('"').count().is_multiple_of(2);
    let comment = line.match_indices('#').map(|(at, _)| at).find(starts);
    &line[..comment.unwrap_or(line.len())]
}

#[test]
fn a_ruleset_renamed_and_reformatted_ranks_the_same() {
    let shipped = shipped();
    let mut library = Library::shipped();
    let ids: Vec<&str> = shipped.iter().map(|file| file.name.as_str()).collect();
    for file in &shipped {
        let mut text = reformatted(&file.text);
        for id in &ids {
            text = text.replace(&format!("extends   =  \"{id}\""), &format!("extends='my-{id}'"));
        }
        text = text.replacen("name   =  \"", "name='''My '''# \"", 1);
        let path = format!("my-{}.toml", file.name);
        library.load_file(&path, &text).unwrap_or_else(|error| panic!("{path}: {error}\n{text}"));
    }
    let read = |id: &str| library.ruleset(id).unwrap_or_else(|error| panic!("{id}: {error}"));
    let read = |id: &str| Arc::new(read(id));
    let chosen = ids.iter().filter(|id| library.ids().contains(&format!("my-{id}")));
    let pairs: Vec<_> = chosen.map(|id| (read(id), read(&format!("my-{id}")))).collect();
    assert!(pairs.len() >= 20, "{} rulesets", pairs.len());
    for (world, seed, desk) in tournaments(10) {
        for (rules, mine) in &pairs {
            let of = |rules| Standings::of(&desk.state, rules, Scope::FINAL, Detail::All).ok();
            let by_id = |standings: Standings| -> Vec<(u32, PlayerNumber, BTreeMap<String, _>)> {
                let ids: Vec<String> =
                    standings.rules.measures.iter().map(|m| m.id.clone()).collect();
                let rows = said(&standings).into_iter();
                rows.map(|row| (row.0, row.1, ids.iter().cloned().zip(row.3).collect())).collect()
            };
            let (ours, theirs) = (of(rules).map(by_id), of(mine).map(by_id));
            assert!(rules.hash != mine.hash, "{} has the hash of another text", mine.id);
            assert!(ours == theirs, "{world:?} {seed}: {} and {}", rules.id, mine.id);
        }
    }
}
