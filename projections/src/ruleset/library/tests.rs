use super::*;
use crate::ratio::Fraction;

fn day(year: u16, month: u8, day: u8) -> Option<Day> {
    Some(Day { year, month, day })
}

fn refused(id: &str) -> String {
    Library::shipped().ruleset(id).unwrap_err().to_string()
}

#[test]
fn every_shipped_ruleset_is_read() {
    let library = Library::shipped();
    assert_eq!(library.held.len(), SHIPPED.len(), "a file with a broken head");
    for id in library.ids() {
        let ruleset = library.ruleset(&id).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(ruleset.id, id);
        assert!(!ruleset.order.is_empty());
    }
    let ids = library.ids();
    let shared: Vec<&String> = library.held.keys().filter(|id| !ids.contains(id)).collect();
    assert_eq!(shared, ["as-published", "as-published-places", "brackets", "common", "matches"]);
}

#[test]
fn the_documents_letter_is_kept() {
    let library = Library::shipped();
    let value = |id: &str, key: &str| library.ruleset(id).unwrap().keys[key].clone();
    for id in ["carde", "battlefy", "mtr", "mtr-team", "manatraders", "topdeck"] {
        assert_eq!(value(id, "measures.match_win_seen.floor"), "0.33", "{id}");
        assert_eq!(value(id, "measures.omw.when_empty"), "0.33", "{id}");
    }
    assert_eq!(value("carde", "measures.points_seen.byes"), "skip");
    assert_eq!(value("mtr", "measures.points_seen.byes"), "count");
    assert_eq!(value("mtr", "order"), "points, omw, gw, ogw");
    // A list of tables has a key for each value.
    assert_eq!(value("mtr", "attendance.2.cut"), "4");
    assert_eq!(value("mtr", "attendance.8.rounds"), "10");
    assert_eq!(value("battlefy", "order"), "points, omw, gw, oomw");
    assert_eq!(value("manatraders", "order"), "points, rounds, omw, gw");
}

#[test]
fn rounds_and_cut_are_suggested_by_attendance() {
    let library = Library::shipped();
    let suggested = |id: &str, players: u32| {
        let rules = library.ruleset(id).unwrap();
        rules.attendance_for(players).map(|row| (row.rounds, row.cut))
    };
    assert_eq!(suggested("mtr", 16), Some((5, 4)));
    assert_eq!(suggested("mtr", 17), Some((5, 8)));
    assert_eq!(suggested("mtr", 226), Some((8, 8)));
    assert_eq!(suggested("mtr", 3_000), Some((10, 8)));
    assert_eq!(suggested("hgbts", 12), Some((4, 0)));
    assert_eq!(suggested("carde", 12), None);
}

#[test]
fn a_platform_has_the_edition_that_was_in_force() {
    let library = Library::shipped();
    let melee = |day| library.for_platform("melee", day, None);
    let id = |id: &str| Some(id.to_owned());
    assert_eq!(melee(day(2023, 12, 31)), None);
    assert_eq!(melee(day(2024, 4, 15)), id("melee-2024-01"));
    assert_eq!(melee(day(2024, 4, 16)), None, "how it computed then is not known");
    assert_eq!(melee(day(2024, 5, 15)), None);
    assert_eq!(melee(day(2024, 5, 16)), id("melee-2024-06"));
    assert_eq!(melee(day(2025, 11, 9)), id("melee-2024-06"));
    assert_eq!(melee(day(2025, 11, 26)), id("melee-2025-11-10"));
    assert_eq!(melee(day(2025, 11, 27)), id("melee-2025-11"));
    assert_eq!(library.for_platform("cardsrealm", day(2025, 4, 30), None), None);
    assert_eq!(library.for_platform("cardsrealm", day(2025, 5, 1), None), id("cardsrealm"));
    assert_eq!(melee(None), id("melee-2025-11"));
    assert_eq!(library.for_platform("topdeck", day(2020, 1, 1), None), id("topdeck"));
    assert_eq!(library.for_platform("nowhere", None, None), None);
    let newest = library.ruleset("melee-2025-11").unwrap();
    assert_eq!((newest.platform, newest.effective_from), (id("melee"), day(2025, 11, 27)));
}

#[test]
fn standings_in_the_digits_of_a_later_edition_were_computed_again_under_it() {
    let library = Library::shipped();
    let melee = |day, digits| library.for_platform("melee", day, Some(digits)).unwrap();
    assert_eq!(melee(day(2025, 8, 24), 8), "melee-2024-06");
    assert_eq!(melee(day(2025, 8, 24), 7), "melee-2025-11");
    assert_eq!(melee(day(2024, 4, 20), 7), "melee-2025-11", "even where nothing else is known");
    assert_eq!(melee(day(2023, 12, 31), 7), "melee-2025-11", "nor was any edition in force");
    assert_eq!(melee(day(2025, 8, 24), 4), "melee-2024-06", "no edition prints four");
    assert_eq!(melee(day(2026, 1, 1), 8), "melee-2025-11", "nobody computes under an older one");
}

#[test]
fn the_head_of_a_file_is_its_own() {
    let mut library = Library::shipped();
    let text = "name = \"L\"\nedition = \"1\"\nsource = \"s\"\nextends = \"melee-2025-11\"\n";
    let id = library.load_file("folder/league.toml", text).unwrap();
    let ruleset = library.ruleset(&id).unwrap();
    assert_eq!((id.as_str(), ruleset.name.as_str(), ruleset.platform), ("league", "L", None));
    let newest = library.for_platform("melee", None, None);
    assert_eq!(newest.as_deref(), Some("melee-2025-11"));
}

#[test]
fn single_values_change_in_an_expression() {
    let library = Library::shipped();
    let id = "mtr+settings.percentage_floor=1/3+points.draw=0+order=points,gw";
    let ruleset = library.ruleset(id).unwrap();
    assert_eq!(ruleset.id, id);
    assert_eq!(ruleset.points.outcome.draw, Fraction::ZERO);
    assert_eq!(ruleset.keys["measures.omw.when_empty"], "1/3");
    assert_eq!(ruleset.order.len(), 2);
    assert_eq!(ruleset.files.len(), 5);
    assert_eq!(crate::ruleset::parse(&library.chain(id).unwrap()).unwrap(), ruleset);
    assert_ne!(ruleset.hash, library.ruleset("mtr").unwrap().hash);
}

/// What a store plays by comes before what one platform computes, and the newest edition first.
#[test]
fn what_is_meant_by_a_name_that_no_ruleset_has() {
    let library = Library::shipped();
    for (typed, meant) in [
        ("mtg", "mtr"),
        ("MTR", "mtr"),
        ("mtt", "mtr"),
        ("mtgoo", "mtgo"),
        ("magic", "mtr"),
        ("melee", "melee-2025-11"),
        ("fide", "fide-swiss-2026"),
        ("yu-gi-oh", "yugioh"),
        ("pokémon", "pokemon"),
        ("common", "commander-pods"),
    ] {
        let told = library.unknown(typed, None).to_string();
        let first = format!("did you mean `{meant}` (");
        assert!(told.contains(&first), "{typed}: {told}");
    }
}

#[test]
fn an_expression_is_refused_at_its_part() {
    for (id, expected) in [
        (
            "mtrr",
            "there is no ruleset `mtrr`\nhint: did you mean `mtr` (Magic Tournament Rules)? `scrutineer rules list` shows",
        ),
        ("zzz", "there is no ruleset `zzz`\nhint: `scrutineer rules list` shows every ruleset"),
        ("common", "common.toml:7:1: `shared`: this file is only there to be extended"),
        ("mtr+", "mtr+:1:5: `` is no change: key=value is expected (in ``)\nhint: such as"),
        ("mtr+points.draw", "`points.draw` is no change: key=value is expected"),
        ("mtr+points.draw=", "`points.draw` is given no value"),
        ("mtr+points..draw=1", "`points..draw` is no key"),
        (
            "mtr+points.win=2+points.drow=0",
            "mtr+points.win=2+points.drow=0:1:18: `points.drow`: there is no such key \
             (in `points.drow=0`)\nhint: did you mean `draw`?",
        ),
        ("mtr+points.draw=much", "expected an exact number, found a text `much`"),
        ("mtr+name=x", "not TOML: duplicate key"),
        ("mtr+settings.percentage_flor=0", "hint: did you mean `percentage_floor`?"),
    ] {
        let told = refused(id);
        assert!(told.contains(expected), "{id}\nexpected: {expected}\ntold: {told}");
    }
}

#[test]
fn files_beside_the_shipped_ones() {
    let mut library = Library::shipped();
    let head = "name = \"M\"\nedition = \"1\"\nsource = \"s\"\n";
    let told = |error: RulesetError| error.to_string();
    let taken = told(library.load_file("x/mtr.toml", head).unwrap_err());
    assert!(taken.contains("x/mtr.toml: there is another ruleset with the id `mtr`"), "{taken}");
    let bytes = told(library.load_bytes("x/a.toml", b"name = 1\n\xff").unwrap_err());
    assert_eq!(bytes, "x/a.toml: is not UTF-8 text (line 2)");
    let bad = told(library.load_file("x/b.toml", "name = 1\n").unwrap_err());
    assert!(bad.starts_with("x/b.toml:1:1: `edition`: is required"), "{bad}");
    library.load_file("x/c.toml", &format!("{head}extends = \"d\"\n")).unwrap();
    let unknown = told(library.ruleset("c").unwrap_err());
    assert!(unknown.starts_with("x/c.toml:4:1: `extends`: there is no ruleset `d`"), "{unknown}");
    library.load_file("x/d.toml", &format!("{head}extends = \"c\"\n")).unwrap();
    let circle = told(library.ruleset("c").unwrap_err());
    assert!(circle.contains("extends in a circle: c -> d -> c"), "{circle}");
    library
        .load_file("x/e.toml", &format!("{head}extends = \"mtr\"\n[points]\nwin = 0.5\n"))
        .unwrap();
    let place = told(library.ruleset("e").unwrap_err());
    assert!(place.starts_with("x/e.toml:6:7: `points.win`: expected an exact number"), "{place}");
}

#[test]
fn a_text_that_comes_with_the_program_is_found_by_its_name() {
    assert_eq!(shipped_text("mtr"), Some(include_str!("../../../rulesets/mtr.toml")));
    assert_eq!(shipped_text("common"), Some(include_str!("../../../rulesets/common.toml")));
    assert_eq!(shipped_text("nothing"), None);
}

#[test]
fn what_does_not_come_with_the_program_is_called_so() {
    let mut library = Library::shipped();
    library.load_file("league.toml", &format!("{HEAD}extends = \"mtr\"\n")).unwrap();
    for (id, words) in [
        ("mtr", "mtr"),
        ("league", "league (not shipped)"),
        (
            "mtr+settings.percentage_floor=1/3+points.draw=0",
            "mtr with percentage_floor=1/3, points.draw=0 (not shipped)",
        ),
        ("league+points.draw=0", "league (not shipped) with points.draw=0"),
    ] {
        assert_eq!(called(&library.chain(id).unwrap()), words);
    }
    let altered = |id: &str, change: &dyn Fn(&mut Vec<RulesetFile>)| {
        let mut files = library.chain(id).unwrap();
        change(&mut files);
        called(&files)
    };
    let comment = |at: usize| move |files: &mut Vec<RulesetFile>| files[at].text.push_str("# 2\n");
    assert_eq!(altered("mtr", &comment(0)), "mtr (not shipped)");
    assert_eq!(altered("mtr", &comment(1)), "mtr (not shipped)");
    // It says another change than its name does.
    assert_eq!(altered("mtr+points.draw=0", &comment(0)), "mtr+points.draw=0 (not shipped)");
    assert_eq!(altered("mtr+points.draw=0", &comment(1)), "mtr (not shipped) with points.draw=0");
    for (name, words) in [
        ("mtr ", "mtr  (not shipped)"),
        ("m\u{442}r", "m\u{442}r (not shipped)"),
        ("\u{202e}mtr", "\u{fffd}mtr (not shipped)"),
    ] {
        assert_eq!(altered("mtr", &|files| files[0].name = name.into()), words);
    }
}

const HEAD: &str = "name = \"N\"\nedition = \"1\"\nsource = \"s\"\n";

#[test]
fn a_file_has_a_name_that_a_ruleset_can_have() {
    let mut library = Library::shipped();
    let text = format!("{HEAD}extends = \"mtr\"\n");
    let long = "x".repeat(limits::ID);
    for path in ["a.toml", "folder\\b.toml", "c", &format!("{long}.toml")] {
        assert!(library.load_file(path, &text).is_ok(), "{path}");
    }
    for path in [
        "",
        ".toml",
        "folder/",
        "a+b.toml",
        "mtr .toml",
        "m\u{442}r.toml",
        &format!("{long}x.toml"),
    ] {
        let error = library.load_file(path, &text).unwrap_err().to_string();
        assert!(error.contains("cannot be the file of a ruleset"), "{path}: {error}");
    }
    let error = library.load_file("x/MTR.toml", &text).unwrap_err().to_string();
    assert!(error.contains("looks like the shipped ruleset `mtr`"), "{error}");
    // The same file again is no other one.
    assert_eq!(library.load_file("a.toml", &text).as_deref(), Ok("a"));
    let error = library.load_file("a.toml", HEAD).unwrap_err().to_string();
    assert!(error.contains("another ruleset with the id `a`"), "{error}");
}

#[test]
fn eight_files_build_on_each_other_and_no_more() {
    let mut library = Library::shipped();
    // `matches` extends `brackets`.
    let mut last = "matches".to_owned();
    for files in 3..=12 {
        let id = format!("f{files}");
        let more =
            if files == 3 { "order = [\"points\"]\n[outcome]\nline = \"games\"\n" } else { "" };
        let text = format!("{HEAD}extends = \"{last}\"\n{more}");
        library.load_file(&format!("{id}.toml"), &text).unwrap();
        let found = library.ruleset(&id);
        if files <= limits::FILES {
            assert_eq!(found.map(|rules| rules.id), Ok(id.clone()));
        } else {
            let error = found.unwrap_err().to_string();
            assert!(error.contains("at most 8 files build on each other"), "{files}: {error}");
        }
        last = id;
    }
}
