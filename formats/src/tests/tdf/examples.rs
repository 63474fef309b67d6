//! TOM's own files, of which `SCRUTINEER_FORMATS` names the folder.

use super::*;

#[test]
fn every_example_of_a_tom_file_is_read() {
    for (name, bytes) in examples("tdf", &["tdf"]) {
        let source = read(&name, &bytes).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(source.format, "tdf", "{name}");
        legal_events(&source).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!(source.oddities, [], "{name}");
        // How many players of each division TOM counts where it offers a cut; beside one pod of all divisions it
        // says the number of all at the juniors.
        let text = String::from_utf8(bytes).expect("UTF-8");
        for (key, word) in [("2", "master"), ("1", "senior"), ("0", "junior")] {
            let Some((_, cut)) = text.split_once(&format!("<categorycut key=\"{key}\">")) else {
                continue;
            };
            let (_, count) = cut.split_once("<playercount>").expect("a count");
            let count: usize =
                count.split('<').next().expect("a number").parse().expect("a number");
            let own =
                source.players.iter().filter(|one| one.division.as_deref() == Some(word)).count();
            assert!(
                own == count || count == source.players.len(),
                "{name}: {own} of {word}, {count}"
            );
        }
    }
}

/// The two pods of these events play three rounds and five, which is known from the first round on.
#[test]
fn divisions_play_as_many_rounds_as_tom_has_for_their_pod() {
    let expected = [("junior", 3), ("master", 5), ("senior", 3)];
    for (name, bytes) in examples("tdf", &["tdf"]) {
        let source = read(&name, &bytes).expect("read");
        let is_of_two = ["tom186_cup_", "tom186_combined_"].iter().any(|of| name.contains(of));
        let found = &source.division_rounds;
        if !is_of_two || source.rounds().count() == 0 {
            assert_eq!(*found, [], "{name}");
            continue;
        }
        let found: Vec<(&str, u16)> = found.iter().map(|(name, n)| (name.as_str(), *n)).collect();
        assert_eq!(found, expected, "{name}");
        // Nobody of them is missed in rounds of the others, and all know how many there are.
        let mut state = Tournament::default();
        legal_events(&source).expect("legal").iter().for_each(|event| state.evolve(event));
        assert_eq!(state.planned_rounds(1), Some(5), "{name}");
        for round in state.rounds().iter().filter(|round| round.phase == 1) {
            let done = state.players().iter().filter(|player| {
                state.has_played_its_rounds(player, round.phase, round.phase_round)
            });
            let expected = if round.phase_round > 3 { state.players().len() } else { 0 };
            let masters = state.players().iter();
            let masters = masters.filter(|one| one.division.as_deref() == Some("master")).count();
            assert_eq!(done.count(), expected.saturating_sub(masters), "{name}");
        }
    }
}

/// The players of a division in the order of their places after so many rounds.
fn ranked(
    source: &Source,
    through: Option<u16>,
    division: Option<&str>,
    rules: &str,
) -> Vec<usize> {
    let mut state = Tournament::default();
    legal_events(source).expect("legal").iter().for_each(|event| state.evolve(event));
    let mut library = Library::shipped();
    library.load_file("tom.toml", AS_TOM).expect("a ruleset");
    let rules = Arc::new(library.ruleset(rules).expect("it is there"));
    let scope = Scope { through, final_order: Some(through.is_none()) };
    let standings = Standings::of(&state, &rules, scope, Detail::All).expect("standings");
    let own = match division {
        Some(division) => standings.of_division(&state, division),
        None => standings,
    };
    let placed: Vec<usize> = own.rows.iter().map(|row| row.player as usize - 1).collect();
    // Who takes no place stands behind, as TOM has those who did not finish.
    let is_of = |at: &usize| source.players[*at].division.as_deref() == division;
    let rest = (0..source.players.len()).filter(|at| is_of(at) && !placed.contains(at));
    placed.iter().copied().filter(is_of).chain(rest).collect()
}

/// TOM's own places, division by division. Whoever still played at the end must stand in TOM's order without
/// exception. Who left is looked at alone, and may stand one place from where TOM has them, which is told.
#[test]
fn final_places_are_toms_own() {
    let (mut divisions, mut compared, mut left, mut moved) = (0, 0, 0, 0);
    for (name, bytes) in examples("tdf", &["tdf"]) {
        let source = read(&name, &bytes).expect("read");
        for division in ["junior", "senior", "master"] {
            let own = |at: usize| source.players[at].division.as_deref() == Some(division);
            let places = source.places.iter().filter(|one| own(one.player));
            let mut truth: Vec<_> = places.map(|one| (one.place, one.player)).collect();
            if truth.is_empty() {
                continue;
            }
            truth.sort_unstable();
            let truth: Vec<usize> = truth.into_iter().map(|(_, player)| player).collect();
            let found = ranked(&source, None, Some(division), "tom");
            let has_left = |at: &usize| source.drops.iter().any(|drop| drop.player == *at);
            let active = |list: &[usize]| -> Vec<usize> {
                list.iter().copied().filter(|at| !has_left(at)).collect()
            };
            assert_eq!(active(&found), active(&truth), "{name} {division}");
            for player in truth.iter().filter(|at| has_left(at)) {
                let at =
                    |list: &[usize]| list.iter().position(|one| one == player).expect("a place");
                let (found, truth) = (at(&found) + 1, at(&truth) + 1);
                if found != truth {
                    eprintln!(
                        "{name} {division}: who left stands {found} here and {truth} with TOM"
                    );
                }
                assert!(found.abs_diff(truth) <= 1, "{name} {division}: {found}, {truth}");
                (left, moved) = (left + 1, moved + usize::from(found != truth));
            }
            (divisions, compared) = (divisions + 1, compared + active(&truth).len());
        }
    }
    eprintln!("{divisions} divisions, {compared} places; of {left} who left {moved} one place off");
}

/// The seeds of TOM's cuts are the places of their division after the Swiss rounds.
#[test]
fn the_seeds_of_a_cut_are_the_places_after_the_swiss_rounds() {
    let (mut cuts, mut other) = (0, 0);
    for (name, bytes) in examples("tdf", &["tdf"]) {
        let source = read(&name, &bytes).expect("read");
        let swiss = source.phases[0].rounds.len() as u16;
        for cut in source.phases.iter().skip(1).filter(|phase| phase.seeded) {
            let division = source.players[cut.entrants[0]].division.clone();
            let ranked = |rules: &str| {
                let mut found = ranked(&source, Some(swiss), division.as_deref(), rules);
                found.truncate(cut.entrants.len());
                found
            };
            assert_eq!(ranked("tom"), cut.entrants, "{name}");
            (cuts, other) = (cuts + 1, other + usize::from(ranked("pokemon") != cut.entrants));
        }
    }
    eprintln!("{cuts} cuts, {other} of them seeded otherwise by the shipped ruleset");
}

#[test]
fn a_file_of_tom_stays_as_it_is_where_nothing_is_new() {
    for (name, bytes) in examples("tdf", &["tdf"]) {
        let source = read(&name, &bytes).unwrap_or_else(|error| panic!("{error}"));
        let same = written(&source, &bytes).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert!(same.text.as_bytes() == bytes, "{name}");
        assert_eq!(same.left_out, [] as [String; 0], "{name}");
        let same = written(&elsewhere(&source, |_| true), &bytes).expect("written");
        assert!(same.text.as_bytes() == bytes, "{name}");
    }
}

#[test]
fn toms_file_of_a_round_becomes_that_of_the_rounds_after_it() {
    let files = examples("tdf", &["tdf"]);
    let mut pairs = 0;
    for (at, (name, earlier)) in files.iter().enumerate() {
        let event = |name: &str| {
            name.split_once("_r").or(name.rsplit_once('_')).map(|(event, _)| event.to_owned())
        };
        let event = |name: &str| {
            name.rsplit_once('_')
                .filter(|_| name.starts_with("tom"))
                .map(|(event, _)| event.to_owned())
                .or_else(|| event(name))
        };
        let before = read(name, earlier).unwrap_or_else(|error| panic!("{error}"));
        if before.rounds().count() == 0 {
            continue;
        }
        for (later_name, later) in
            files[at + 1..].iter().filter(|(other, _)| event(other) == event(name))
        {
            let truth = read(later_name, later).expect("read");
            let known = before.rounds().count() as u16;
            let truth = elsewhere(&truth, |round| round <= known);
            let found = written(&truth, earlier)
                .unwrap_or_else(|error| panic!("{name} {later_name}: {error}"));
            let expected = String::from_utf8(later.clone()).expect("UTF-8");
            // The end is TOM's own to make.
            let expected = match expected.split_once("\t<standings>") {
                Some((head, rest)) => {
                    let (_, tail) = rest.split_once("</standings>\n").expect("closed");
                    head.replace(" stage=\"5\" version", " stage=\"4\" version") + tail
                }
                None => expected,
            };
            let (found, expected) = (timeless(&found.text), timeless(&expected));
            if found != expected {
                let differ =
                    found.lines().zip(expected.lines()).enumerate().filter(|(_, (a, b))| a != b);
                let differ: Vec<_> = differ.take(20).collect();
                panic!("{name} {later_name}: {differ:#?}");
            }
            pairs += 1;
        }
    }
    eprintln!("{pairs} pairs");
}
