//! Places in divisions, against the plainest way to count them; rounds in which divisions are paired apart.

use crate::random_tournaments::generate::{World, tournament};
use crate::script::{enrolled, games_sheet};
use scrutineer_engine::book::Commitment;
use scrutineer_engine::event::{
    ByeKind, DivisionRounds, DivisionsPaired, Event, Imported, MatchResult, Origin, PairingMade,
    PhaseKind, PhaseStarted, PlannedPhase, PlayerEnrolled, PlayerNumber, ResultRecorded,
    RoundCompleted, RoundOpened, RoundWeight, Ruling, Score, Seat, TournamentOpened,
};
use scrutineer_engine::tournament::Tournament;
use scrutineer_pairing::{PairedBye, PairingError, events_of, next_round, running_phase};
use scrutineer_projections::crosstable::Scope;
use scrutineer_projections::cut::Cut;
use scrutineer_projections::divisions::{DivisionPlaces, divisions};
use scrutineer_projections::ruleset::{Library, Ruleset, Step};
use scrutineer_projections::standings::{Detail, Standings};
use std::collections::BTreeMap;
use std::sync::Arc;

const NAMES: [Option<&str>; 4] = [Some("junior"), Some("senior"), Some("master"), None];

/// Divisions by the player's number, so that players of all of them meet.
fn division_of(player: PlayerNumber, seed: u64) -> Option<&'static str> {
    NAMES[((u64::from(player) * 7 + seed) % 5 % 4) as usize]
}

/// The same tournament, with divisions.
fn divided(events: &[Event], seed: u64) -> Tournament {
    let with = |event: &Event| match event {
        Event::PlayerEnrolled(of) => {
            let division = division_of(of.player, seed).map(str::to_string);
            PlayerEnrolled { division, ..of.clone() }.into()
        }
        other => other.clone(),
    };
    Tournament::of(&events.iter().map(with).collect::<Vec<Event>>())
}

fn tables(desk: &Tournament, rulesets: &[Arc<Ruleset>]) -> Vec<Standings> {
    let of = |rules| Standings::of(desk, rules, Scope::FINAL, Detail::All).ok();
    rulesets.iter().filter_map(of).collect()
}

/// A player's place in their division is one more than how many of it stand above them among all. Matches
/// among those who are tied are another matter: there the group of those who are tied is smaller.
#[test]
fn a_place_in_a_division_counts_who_of_it_stands_above() {
    let library = Library::shipped();
    let ids = ["mtr", "carde", "splinterlands", "netrunner", "pokemon", "hgbts"];
    let rulesets: Vec<Arc<Ruleset>> =
        ids.iter().map(|id| Arc::new(library.ruleset(id).expect(id))).collect();
    let mut places = 0;
    for world in World::ALL {
        for seed in 0..12 {
            let plain = tournament(world, 9_100 + seed);
            let state = divided(&plain.events, seed);
            for all in tables(&state, &rulesets) {
                let by_matches =
                    all.rules.order.iter().any(|step| matches!(step, Step::HeadToHead { .. }));
                let found = DivisionPlaces::of(&state, &all);
                let without: usize = all
                    .rows
                    .iter()
                    .filter(|row| found.of_player(row.player).is_none())
                    .inspect(|row| assert_eq!(division_of(row.player, seed), None))
                    .count();
                let with: usize = found.divisions.iter().map(|(_, rows)| rows.len()).sum();
                assert_eq!(with + without, all.rows.len());
                for row in all.rows.iter().filter(|_| !by_matches) {
                    let Some(own) = division_of(row.player, seed) else { continue };
                    let above = all.rows.iter().filter(|other| {
                        division_of(other.player, seed) == Some(own) && other.rank < row.rank
                    });
                    let place = found.of_player(row.player).expect("a place");
                    assert_eq!((place.name, place.row().rank as usize), (own, 1 + above.count()));
                    places += 1;
                }
            }
        }
    }
    assert!(places > 500, "{places}");
}

/// Who is of which division changes nothing for all, neither in a value nor in the hash; and in the standings
/// of a division every value is that of the standings of all.
#[test]
fn values_and_the_hash_are_those_of_the_standings_of_all() {
    let rules = Arc::new(Library::shipped().ruleset("mtr").expect("mtr"));
    let mut seen = 0;
    for seed in 0..40 {
        let plain = tournament(World::ALL[seed as usize % World::ALL.len()], 9_300 + seed);
        let state = divided(&plain.events, seed);
        let of = |state| Standings::of(state, &rules, Scope::FINAL, Detail::All).ok();
        let (Some(before), Some(all)) = (of(&plain.state), of(&state)) else { continue };
        assert_eq!(before.hash(), all.hash());
        for name in divisions(&state) {
            let own = all.of_division(&state, name);
            assert_eq!((own.hash(), own.division()), (all.hash(), Some(name)));
            assert_eq!(own.everybody(), &all.rows[..]);
            for row in &own.rows {
                let among_all = all.row(row.player).expect("a place among all");
                for measure in &all.rules.measures {
                    let value = own.value(row, &measure.id);
                    assert_eq!(value, all.value(among_all, &measure.id), "{}", measure.id);
                }
                seen += 1;
            }
        }
    }
    assert!(seen > 100, "{seen}");
}

/// A round that divisions are paired apart: everybody has one place, nobody meets somebody of another part, the
/// tables are numbered on, and each part has a bye where its number is odd and none elsewhere.
#[test]
fn a_round_that_is_paired_apart_is_one_round_of_each_part() {
    let library = Library::shipped();
    let merged = vec![vec!["master".to_string(), "junior".to_string()]];
    let (mut rounds, mut meetings) = (0, 0);
    for seed in 0..60 {
        let plain = tournament(World::ALL[seed as usize % World::ALL.len()], 9_500 + seed);
        for (at, event) in plain.events.iter().enumerate() {
            let Event::RoundOpened(opened) = event else { continue };
            let mut state = divided(&plain.events[..at], seed);
            let merged = if seed % 2 == 0 { merged.clone() } else { Vec::new() };
            let paired = DivisionsPaired { apart: true, merged };
            state.evolve(&paired.clone().into());
            let part = |player: PlayerNumber| {
                let own = division_of(player, seed);
                let is_merged =
                    own.is_some_and(|own| paired.merged.iter().flatten().any(|m| m == own));
                if is_merged { Some("junior") } else { own }
            };
            let Some(phase) = running_phase(&state).cloned() else { continue };
            if phase.kind != PhaseKind::Swiss {
                continue;
            }
            for rules in ["mtr", "hgbts"] {
                let rules = Arc::new(library.ruleset(rules).expect("shipped"));
                let Ok(drawn) = next_round(&state, &rules, &[7; 32], b"") else { continue };
                assert_eq!(next_round(&state, &rules, &[7; 32], b""), Ok(drawn.clone()));
                let mut sits = BTreeMap::new();
                for table in &drawn.tables {
                    let [one, other] = [table.seats[0].player, table.seats[1].player];
                    assert_eq!(part(one), part(other), "{seed}: {one} meets {other}");
                    meetings += 1;
                    for player in [one, other] {
                        *sits.entry(player).or_insert(0) += 1;
                    }
                }
                let mut byes: BTreeMap<Option<&str>, usize> = BTreeMap::new();
                for bye in &drawn.byes {
                    *sits.entry(bye.player).or_insert(0) += 1;
                    if bye.kind == ByeKind::Assigned {
                        *byes.entry(part(bye.player)).or_default() += 1;
                    }
                }
                assert!(sits.values().all(|times| *times == 1), "{seed}: twice in a round");
                let mut sizes: BTreeMap<Option<&str>, usize> = BTreeMap::new();
                let brought = |player: &PlayerNumber| {
                    let is_it = |bye: &&PairedBye| bye.player == *player;
                    drawn.byes.iter().find(is_it).is_some_and(|b| b.kind != ByeKind::Assigned)
                };
                for player in sits.keys().filter(|player| !brought(player)) {
                    *sizes.entry(part(*player)).or_default() += 1;
                }
                for (part, size) in sizes {
                    assert_eq!(byes.get(&part).copied().unwrap_or(0), size % 2, "{seed} {part:?}");
                }
                let here = state.players().iter().filter(|p| p.takes_part_in(opened.round));
                if phase.number == 1 {
                    assert_eq!(sits.len(), here.count(), "{seed}: somebody is left out");
                }
                // The events number the tables from 1 without a gap.
                let events = events_of(&state, &drawn, opened.round);
                let tables = events.iter().filter_map(|event| match event {
                    Event::PairingMade(made) => made.table,
                    _ => None,
                });
                assert!(tables.eq(1..=drawn.tables.len() as u32));
                rounds += 1;
            }
        }
    }
    assert!(rounds > 50 && meetings > 100, "{rounds} rounds, {meetings} tables");
}

/// A division that has played its rounds has neither tables nor byes in the next ones, paired together or apart;
/// everybody else has one place. Up to there a number changes nothing, and where all have played theirs the
/// phase is over.
#[test]
fn a_division_that_has_played_its_rounds_is_left_out() {
    let rules = Arc::new(Library::shipped().ruleset("mtr").expect("shipped"));
    let (mut left_out, mut over) = (0, 0);
    for seed in 0..60 {
        let plain = tournament(World::ALL[seed as usize % World::ALL.len()], 9_900 + seed);
        for (at, event) in plain.events.iter().enumerate() {
            let Event::RoundOpened(opened) = event else { continue };
            let mut state = divided(&plain.events[..at], seed);
            let Some(phase) = running_phase(&state).cloned() else { continue };
            if phase.kind != PhaseKind::Swiss || phase.number != 1 {
                continue;
            }
            state.evolve(&DivisionsPaired { apart: seed % 2 == 0, merged: Vec::new() }.into());
            let of = |state: &Tournament| next_round(state, &rules, &[7; 32], b"");
            let before = of(&state);
            let rounds_of = |division: &str, rounds| -> Event {
                DivisionRounds { division: division.to_string(), rounds: Some(rounds) }.into()
            };
            let played = opened.phase_round - 1;
            state.evolve(&rounds_of("junior", opened.phase_round));
            assert_eq!(of(&state), before, "{seed}: it plays this one");
            state.evolve(&rounds_of("junior", played));
            let is_left_out = |player: PlayerNumber| division_of(player, seed) == Some("junior");
            let here = state.players().iter().filter(|p| p.takes_part_in(opened.round));
            let mut waiting: Vec<PlayerNumber> = here.map(|player| player.number).collect();
            waiting.retain(|player| !is_left_out(*player));
            match of(&state) {
                Ok(drawn) => {
                    let tables = drawn.tables.iter().flat_map(|table| &table.seats);
                    let byes = drawn.byes.iter().map(|bye| bye.player);
                    let mut placed: Vec<PlayerNumber> =
                        tables.map(|seat| seat.player).chain(byes).collect();
                    placed.sort_unstable();
                    assert_eq!(placed, waiting, "{seed}: everybody else has one place");
                    left_out += 1;
                }
                Err(_) => assert!(waiting.is_empty() || before.is_err(), "{seed}"),
            }
            let unnumbered = |state: &Tournament| {
                let here = state.players().iter().filter(|p| p.takes_part_in(opened.round));
                here.filter(|player| player.division.is_none()).count()
            };
            state.evolve(&rounds_of("senior", played));
            state.evolve(&rounds_of("master", played));
            if before.is_ok() && unnumbered(&state) == 0 {
                let kind = phase.kind;
                assert_eq!(of(&state), Err(PairingError::PhaseOver { kind }), "{seed}");
                over += 1;
            }
        }
    }
    assert!(left_out > 50 && over > 0, "{left_out} rounds, {over} over");
}

/// Two juniors who play two rounds, and two seniors who play three.
fn two_and_three(rounds: u16, of_juniors: Option<u16>) -> Tournament {
    let words = Commitment { number: 1, digest: [0; 32] };
    let of_division = |player: PlayerNumber| -> Event {
        let division = Some(if player < 3 { "junior" } else { "senior" }.to_string());
        PlayerEnrolled { division, ..enrolled(player) }.into()
    };
    let mut events: Vec<Event> = vec![TournamentOpened::new(words, games_sheet(Some(3))).into()];
    events.extend((1..5).map(of_division));
    let entrants = vec![1, 2, 3, 4];
    events.push(PhaseStarted { entrants, ..PhaseStarted::new(1, PhaseKind::Swiss) }.into());
    let division = "junior".to_string();
    events.extend(of_juniors.map(|rounds| {
        Event::from(DivisionRounds { division: division.clone(), rounds: Some(rounds) })
    }));
    for round in 1..=rounds {
        let (phase, phase_round, weight) = (1, round, RoundWeight::ONE);
        events.push(RoundOpened { round, phase, phase_round, weight, drawn: None }.into());
        for seats in [[1, 2], [3, 4]].into_iter().skip(usize::from(round > 2)) {
            let seat = |player| Seat { player, role: 0 };
            let (table, seats) = (None, seats.map(seat).into_iter().collect());
            let (group, bracket_slot, origin) = (None, None, Origin::AS_GIVEN);
            let made = PairingMade { round, table, seats, group, bracket_slot, origin };
            events.push(made.into());
            let pairing = events.len() as u64;
            let games = [[2], [i32::from(round == 2)]];
            let seats = games.into_iter().map(|own| own.into_iter().collect()).collect();
            let score = Score { seats, table: [0].into_iter().collect() };
            let rulings = [Some(Ruling::Win), Some(Ruling::Loss)].into_iter().collect();
            let result = MatchResult { rulings, ..MatchResult::played(score) };
            events.push(ResultRecorded { pairing, result }.into());
        }
        events.push(RoundCompleted { round }.into());
    }
    Tournament::of(&events)
}

/// TOM's cut of the masters was drawn through the table of all, below a junior.
#[test]
fn a_cut_that_is_of_a_division_is_drawn_in_its_table_alone() {
    let words = Commitment { number: 1, digest: [0; 32] };
    let planned = |kind, players| PlannedPhase { kind, rounds: None, players, scoresheet: None };
    let plan = vec![planned(PhaseKind::Swiss, None), planned(PhaseKind::Elimination, Some(2))];
    let opened = TournamentOpened { plan, ..TournamentOpened::new(words, games_sheet(Some(1))) };
    let of_division = |player: PlayerNumber| -> Event {
        let division = Some(if player < 3 { "junior" } else { "master" }.to_string());
        PlayerEnrolled { division, ..enrolled(player) }.into()
    };
    let rules = Arc::new(Library::shipped().ruleset("pokemon").expect("shipped"));
    let lines = |how: Option<Event>| {
        let mut events: Vec<Event> = vec![opened.clone().into()];
        events.extend(how);
        events.extend((1..=7).map(of_division));
        let entrants = (1..=7).collect();
        events.push(PhaseStarted { entrants, ..PhaseStarted::new(1, PhaseKind::Swiss) }.into());
        let state = Tournament::of(&events);
        let all = Standings::of(&state, &rules, Scope::FINAL, Detail::All).expect("they stand");
        let of = |standings: &Standings| Cut::of(&state, standings, None).map(|cut| cut.size);
        let [junior, master] = ["junior", "master"].map(|name| of(&all.of_division(&state, name)));
        [of(&all), junior, master]
    };
    let from_tom = Imported {
        source_file: [0; 32],
        source_event: words,
        format: "tdf".into(),
        file: words,
        unknown: Vec::new(),
    };
    let apart = DivisionsPaired { apart: true, merged: Vec::new() };
    assert_eq!(lines(None), [Some(2), None, None], "of everybody");
    assert_eq!(lines(Some(from_tom.into())), [None, None, Some(2)]);
    assert_eq!(lines(Some(apart.into())), [None, None, Some(2)], "two juniors are no cut");
}

/// A round that a division does not play is none that its players missed, whatever a ruleset says of such rounds.
#[test]
fn rounds_that_a_division_does_not_play_are_not_missed() {
    for id in ["fide-buchholz-2024", "go", "mtr", "pokemon"] {
        let rules = Arc::new(Library::shipped().ruleset(id).expect(id));
        let of = |rounds, of_juniors| {
            let state = two_and_three(rounds, of_juniors);
            Standings::of(&state, &rules, Scope::FINAL, Detail::All).expect("they stand")
        };
        let (then, now) = (of(2, Some(2)), of(3, Some(2)));
        let played = |table: &Standings, player: PlayerNumber| {
            let index = table.row(player).expect("a place").index;
            table.table().rounds_of(index).count()
        };
        assert_eq!([1, 2, 3, 4].map(|player| played(&now, player)), [2, 2, 3, 3], "{id}");
        for player in [1, 2] {
            let (before, after) = (then.row(player).expect("one"), now.row(player).expect("one"));
            for measure in &rules.measures {
                let [before, after] =
                    [then.value(before, &measure.id), now.value(after, &measure.id)];
                assert_eq!(before, after, "{id}: {} of player {player}", measure.id);
            }
        }
        // Go and FIDE's rules count a round without an opponent that nobody has explained.
        let is_missed = played(&of(3, None), 1) == 3;
        assert_eq!(is_missed, ["fide-buchholz-2024", "go"].contains(&id), "{id}");
    }
}

/// Before anybody says how divisions are paired, and after somebody says together, a round is what it always was.
#[test]
fn together_a_round_is_what_it_was_without_divisions() {
    let rules = Arc::new(Library::shipped().ruleset("mtr").expect("mtr"));
    let mut same = 0;
    for seed in 0..40 {
        let plain = tournament(World::ALL[seed as usize % World::ALL.len()], 9_700 + seed);
        let of = |state: &Tournament| next_round(state, &rules, &[9; 32], b"");
        let mut state = divided(&plain.events, seed);
        let before = of(&plain.state);
        assert_eq!(of(&state), before);
        state.evolve(&DivisionsPaired { apart: true, merged: Vec::new() }.into());
        state.evolve(&DivisionsPaired::default().into());
        assert_eq!(of(&state), before);
        same += usize::from(before.is_ok());
    }
    assert!(same > 5, "{same}");
}

/// A file may give each player a division of their own; their places take no longer than everybody's.
#[test]
fn as_many_divisions_as_players_are_placed_in_a_moment() {
    let players = 20_000;
    let plain = tournament(World::ALL[0], 9_400);
    let opened = plain.events.iter().take_while(|event| !matches!(event, Event::PlayerEnrolled(_)));
    let mut events: Vec<Event> = opened.cloned().collect();
    let first = plain.events.iter().find_map(|event| match event {
        Event::PlayerEnrolled(of) => Some(of.clone()),
        _ => None,
    });
    let first = first.expect("somebody plays");
    events.extend((1..=players).map(|player| {
        let division = Some(format!("division {}", player / 2));
        PlayerEnrolled { player, division, ..first.clone() }.into()
    }));
    let state = Tournament::of(&events);
    let rules = Arc::new(Library::shipped().ruleset("mtr").expect("mtr"));
    let all = Standings::of(&state, &rules, Scope::FINAL, Detail::All).expect("standings");
    let begun = std::time::Instant::now();
    let found = DivisionPlaces::of(&state, &all);
    assert_eq!(found.divisions.len(), players as usize / 2 + 1);
    assert!(begun.elapsed().as_secs() < 5, "{:?}", begun.elapsed());
}
