use super::*;
use crate::ratio::Fraction;
use crate::ruleset::{Combine, Formula, Library, OpponentWeight, RoundKind, RoundScore, Step};
use scrutineer_engine::event::PhaseKind;

const HEAD: &str = "name = \"Test\"\nedition = \"1\"\nsource = \"a test\"\n";

fn file(name: &str, text: &str) -> RulesetFile {
    RulesetFile { name: name.to_owned(), text: text.to_owned() }
}

/// A ruleset of its own, with what is needed; `text` begins on line 5.
fn alone(text: &str) -> Result<Ruleset, RulesetError> {
    let rest = "[points]\nwin = 3\ndraw = 1\nloss = 0\n[measures.points]\ntotal = \"points\"\n";
    parse(&[file("mine", &format!("{HEAD}order = [\"points\"]\n{text}\n{rest}"))])
}

/// A ruleset that extends `common`; `text` begins on line 5.
fn on_common(text: &str) -> Result<Ruleset, RulesetError> {
    let mut library = Library::shipped();
    let id = library.load_file("mine.toml", &format!("{HEAD}extends = \"common\"\n{text}"))?;
    parse(&library.chain(&id)?)
}

fn told(result: Result<Ruleset, RulesetError>) -> Vec<String> {
    match result {
        Ok(_) => Vec::new(),
        Err(error) => error.faults.iter().map(Fault::to_string).collect(),
    }
}

/// Every row: what stands in the file from line 5 on, and a fault that must be told exactly.
const FAULTS: &[(&str, &str)] = &[
    (
        "order = [\"points\"]\n[measures.omw]\nlabel = \"\u{200f}OMW%\"",
        "mine.toml:7:9: `measures.omw.label`: has a character in it that turns the direction of \
         others",
    ),
    (
        "order = [\"points\", \"points\"]",
        "mine.toml:5:20: `order`: `points` stands here twice\nhint: name each step once",
    ),
    (
        "order = [\"points\"]\npionts = 3",
        "mine.toml:6:1: `pionts`: there is no such key\nhint: did you mean `points`?",
    ),
    (
        "order = [\"points\", \"omv\"]",
        "mine.toml:5:20: `order`: there is no measure `omv`\nhint: did you mean `omw`?",
    ),
    (
        "order = [\"points\"]\n[settings]\npercentage_floor = 0.33",
        "mine.toml:7:20: `settings.percentage_floor`: expected an exact number, found a \
         floating-point number `0.33` (for `measures.gw.floor`)\n\
         hint: write it as a text: \"0.33\", or as the fraction that is meant, such as \"1/3\"",
    ),
    (
        "order = [\"points\"]\n[settings]\npercentage_flor = \"1/3\"",
        "mine.toml:7:1: `settings.percentage_flor`: nothing uses this setting: \
         $percentage_flor stands nowhere\nhint: did you mean `percentage_floor`?",
    ),
    (
        "order = [\"points\"]\n[settings]\nrepeats = \"onse\"",
        "mine.toml:7:11: `settings.repeats`: expected one of every_match, once; found `onse` \
         (for `measures.ogw.repeats`)\nhint: did you mean `once`?",
    ),
    (
        "order = [\"points\"]\n[settings]\nx = 3\n[measures.omw]\ncombine = \"$x\"",
        "mine.toml:9:11: `measures.omw.combine`: expected one of the words mean, sum, found \
         a whole number `3` (the setting `x`)",
    ),
    (
        "order = [\"points\"]\n[measures.omw]\nfloor = \"$percentage_flor\"",
        "mine.toml:7:9: `measures.omw.floor`: there is no setting `percentage_flor`\n\
         hint: did you mean `percentage_floor`?",
    ),
    (
        "order = [\"points\"]\n[settings]\na = \"$b\"\nb = \"$a\"",
        "mine.toml:7:5: `settings.a`: settings go in a circle: $b -> $a -> $b",
    ),
    (
        "order = [\"points\"]\n[measures.own]\nratio = [\"pionts\", \"rounds\"]",
        "mine.toml:7:10: `measures.own.ratio`: there is no measure `pionts`\n\
         hint: did you mean `points`?",
    ),
    (
        "order = [\"points\"]\n[measures.a]\nopponents = \"b\"\n[measures.b]\nopponents = \"a\"",
        "mine.toml:6:1: `measures.a`: measures need each other in a circle: a -> b -> a",
    ),
    (
        "order = [\"points\"]\n[measures.own]\nlabel = \"x\"",
        "mine.toml:6:1: `measures.own`: has none of total, ratio, sum_of, opponents, fact, as_left, as_drawn, performance; \
         it needs exactly one",
    ),
    (
        "order = [\"points\"]\n[measures.omww]\nfloor = 0",
        "mine.toml:6:1: `measures.omww`: has none of total, ratio, sum_of, opponents, fact, as_left, as_drawn, performance; \
         it needs exactly one\nhint: did you mean `omw`?",
    ),
    (
        "order = [\"points\"]\n[measures.own]\ntotal = \"points\"\nfact = \"seed\"",
        "mine.toml:8:8: `measures.own.fact`: has both `total` and `fact`; it needs exactly one",
    ),
    (
        "order = [\"points\"]\n[measures.own]\ntotal = \"points\"\nrepeats = \"once\"",
        "mine.toml:8:1: `measures.own.repeats`: belongs to `opponents` measures, and this is a \
         `total`",
    ),
    (
        "order = [\"points\"]\n[measures.own]\ntotal = \"game_point\"",
        "hint: did you mean `game_points`?",
    ),
    (
        "order = [\"points\"]\n[measures.own]\ntotal = \"points\"\nkinds = [\"playd\"]",
        "found `playd`\nhint: did you mean `played`?",
    ),
    (
        "order = [\"points\"]\n[points]\nwin = \"three\"",
        "mine.toml:7:7: `points.win`: expected an exact number, found a text `three`\n\
         hint: a whole number such as 3, or a text such as \"1/3\", \"0.33\"; \
         at most 9 digits on each side",
    ),
    (
        "order = [\"points\"]\n[points]\nwin = 99999999999999999999999",
        "mine.toml:7:7: a number of at most 9 digits is expected",
    ),
    (
        "order = \"points\"",
        "mine.toml:5:9: `order`: expected a list of steps, found a text `points`",
    ),
    ("[points]\nwin = 2", "mine.toml:1:1: `order`: is required and missing"),
    (
        "order = [{ lowest = \"losses\", only_pairs = true }]",
        "`order.only_pairs`: there is no such key",
    ),
    (
        "order = [\"points\"]\n[measures.gw]\nfloor = 1\ncap = \"1/2\"",
        "mine.toml:8:7: `measures.gw.cap`: the cap 1/2 is below the floor 1",
    ),
    (
        "order = [\"points\"]\nties = \"random\"",
        "mine.toml:6:8: `ties`: expected one of lots, shared; found `random`",
    ),
    ("order = [\"points\"]\nties = ", "mine.toml:6:8: not TOML: "),
    ("order = [\"points\"]\norder = [\"points\"]", "mine.toml:6:1: not TOML: duplicate key"),
    (
        "order = [\"points\"]\n[points.by_score]\n\"2-0\" = 7",
        "mine.toml:7:9: `points.by_score.2-0`: expected own, opponent's and drawn games\n\
         hint: such as \"2-1-0\", or `otherwise`",
    ),
    (
        "order = [\"points\"]\n[scores]\nbye = \"clean_wins\"",
        "found `clean_wins`\nhint: did you mean `clean_win`?",
    ),
    (
        "order = [\"points\"]\n[platform]\nname = \"x\"\neffective_from = \"2025-02-30\"",
        "`platform.effective_from`: expected a day such as \"2025-11-10\", found a text \
         `2025-02-30`",
    ),
    (
        "order = [\"points\"]\n[[attendance]]\nrounds = 3\n[[attendance]]\nrounds = 4",
        "`attendance`: rows rise by `up_to`, and only the last may leave it out",
    ),
    ("order = [\"points\"]\nx = [[[[[[[[1]]]]]]]]", "lies more than 6 tables or lists deep"),
];

#[test]
fn every_fault_names_its_place_and_what_was_meant() {
    for (text, expected) in FAULTS {
        let faults = told(on_common(text));
        assert!(
            faults.iter().any(|fault| fault.contains(expected)),
            "{text}\nexpected: {expected}\ntold: {faults:#?}"
        );
    }
}

#[test]
fn all_faults_of_a_file_are_told_in_its_order() {
    let faults = told(on_common(
        "order = [\"pointz\"]\nties = \"none\"\n[points]\nwin = 0.5\ndrow = 1\n\
         [measures.omw]\nx = 1",
    ));
    let lines: Vec<&str> = faults.iter().map(|fault| fault.split(": ").next().unwrap()).collect();
    let at = |line, column| format!("mine.toml:{line}:{column}");
    assert_eq!(lines, [at(5, 10), at(6, 8), at(8, 7), at(9, 1), at(11, 1)]);
}

#[test]
fn what_is_required_is_named_where_it_is_missing() {
    let faults = told(parse(&[file("mine", "name = \"x\"\norder = []\n[points]\nwin = 1")]));
    for expected in [
        "mine.toml:1:1: `edition`: is required and missing",
        "mine.toml:1:1: `source`: is required and missing",
    ] {
        assert!(faults.contains(&expected.to_owned()), "{faults:#?}");
    }
    let faults = told(parse(&[file("mine", &format!("{HEAD}order = []\n[points]\nwin = 1"))]));
    for expected in [
        "mine.toml:4:9: `order`: at least one step is expected",
        "mine.toml:5:1: `points.draw`: is required and missing",
        "mine.toml:5:1: `points.loss`: is required and missing",
    ] {
        assert!(faults.contains(&expected.to_owned()), "{faults:#?}");
    }
    let games = told(alone("[measures.g]\ntotal = \"game_points\""));
    assert!(games[0].contains("`game_points` needs a [games] section"), "{games:#?}");
}

#[test]
fn the_chain_is_what_the_extends_keys_say() {
    let chained = |extends: &str| file("mine", &format!("{HEAD}extends = \"{extends}\""));
    let held = |at: usize| Library::shipped().chain("topdeck").unwrap()[at].clone();
    let (matches, brackets) = (|| held(1), || held(2));
    let cases = [
        (vec![chained("mine")], "extends in a circle: mine -> mine"),
        (vec![chained("matches")], "extends `matches`, which was not given"),
        (vec![chained("mathces"), matches(), brackets()], "hint: did you mean `matches`?"),
        (
            vec![file("mine", HEAD), matches(), brackets()],
            "`matches` was given too, but this file extends",
        ),
        (
            vec![matches(), brackets()],
            "matches.toml:7:1: `shared`: this file is only there to be extended",
        ),
        (vec![], "there is no file"),
    ];
    for (files, expected) in cases {
        let faults = told(parse(&files)).join("\n");
        assert!(faults.contains(expected), "{expected}\ntold: {faults}");
    }
}

#[test]
fn files_are_read_within_bounds() {
    let long = format!("{HEAD}# {}", "x".repeat(48 * 1024));
    assert!(told(parse(&[file("mine", &long)]))[0].contains("at most 49152 are read"));
    let many: String =
        (0..65).map(|number| format!("[measures.m{number}]\ntotal = \"points\"\n")).collect();
    assert!(told(alone(&many))[0].contains("66 measures, at most 64 are read"));
    let deep = format!("{HEAD}x = {}", "[".repeat(40_000));
    assert!(!told(parse(&[file("mine", &deep)])).is_empty());
    let dotted = format!("{HEAD}{} = 1", "a.".repeat(20_000) + "a");
    assert!(!told(parse(&[file("mine", &dotted)])).is_empty());
    let faults: String = (0..2000).map(|number| format!("key{number} = 1\n")).collect();
    assert_eq!(told(parse(&[file("mine", &format!("{HEAD}{faults}"))])).len(), 40);
}

/// Cuts, swaps and repeats pieces of every shipped file: reading ends, with or without faults.
#[test]
fn damaged_files_never_panic() {
    let mut state = 7_u64;
    let mut next = |below: usize| {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % below.max(1)
    };
    let scraps =
        ["=", "[", "]", "\"", "$", "\n", "{", "}", "0.1", "-", "'''", "é", "\0", "9e9", ","];
    let library = Library::shipped();
    for id in library.ids() {
        for _ in 0..40 {
            let mut files = library.chain(&id).unwrap();
            let which = next(files.len());
            let text = &mut files[which].text;
            for _ in 0..=next(3) {
                let at = floor(text, next(text.len()));
                let until = floor(text, (at + next(30)).min(text.len()));
                let piece = text[at..until].to_owned();
                match next(3) {
                    0 => text.replace_range(at..until, ""),
                    1 => text.insert_str(at, scraps[next(scraps.len())]),
                    _ => text.insert_str(floor(&text.clone(), next(text.len())), &piece),
                }
            }
            if let Err(error) = parse(&files) {
                assert!(!error.to_string().is_empty());
            }
        }
    }
}

fn floor(text: &str, at: usize) -> usize {
    (0..=at).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0)
}

#[test]
fn defaults_are_those_of_the_document() {
    let ruleset = on_common("order = [\"points\"]\n[points]\nbye = 2").unwrap();
    let kind = |kind| ruleset.points.kinds[&kind].to_string();
    assert_eq!(kind(RoundKind::AwardedBye), "2");
    assert_eq!(kind(RoundKind::Vacant), "2");
    assert_eq!(kind(RoundKind::HalfBye), "1");
    assert_eq!(kind(RoundKind::ForfeitWin), "3");
    assert_eq!(ruleset.points.possible, Fraction::whole(3));
    let shown = |id: &str| {
        let measure = ruleset.measures.iter().find(|measure| measure.id == id).unwrap();
        (measure.label.as_str(), measure.show.percent, measure.show.decimals)
    };
    assert_eq!(shown("omw"), ("OMW%", true, 4));
    assert_eq!(shown("oomw"), ("OOMW%", true, 4));
    assert_eq!(shown("buchholz"), ("Buchholz", false, 4));
    assert_eq!(shown("points_seen"), ("points_seen", false, 4));
    let like_bye = &ruleset.scores[&RoundKind::Vacant];
    assert_eq!(like_bye, &ruleset.scores[&RoundKind::Bye]);
    assert!(matches!(like_bye, RoundScore::Lines { own, .. } if own["games"] == 2));
}

#[test]
fn measures_come_after_those_they_need() {
    for id in Library::shipped().ids() {
        let ruleset = Library::shipped().ruleset(&id).unwrap();
        for (at, measure) in ruleset.measures.iter().enumerate() {
            let needs = measure.formula.inputs();
            assert!(needs.iter().all(|needed| *needed < at), "{id}: {}", measure.id);
        }
    }
}

#[test]
fn a_measure_is_changed_in_parts_or_replaced_by_another_formula() {
    let text = "order = [\"points\"]\n[measures.omw]\ncombine = \"sum\"\n\
                [measures.ogw]\nratio = [\"points\", \"rounds\"]";
    let ruleset = on_common(text).unwrap();
    let measure = |id: &str| ruleset.measures.iter().find(|measure| measure.id == id).unwrap();
    let Formula::Opponents(omw) = &measure("omw").formula else { panic!("omw") };
    assert_eq!((omw.combine, omw.weight), (Combine::Sum, OpponentWeight::None));
    assert_eq!(measure("omw").when_empty.to_string(), "1/3");
    assert!(matches!(measure("ogw").formula, Formula::Ratio { .. }));
    assert_eq!(measure("ogw").when_empty, Fraction::ZERO);
}

#[test]
fn a_setting_may_stand_for_another() {
    let text =
        "order = [\"points\"]\n[settings]\npercentage_floor = \"$minimum\"\nminimum = \"0.2\"";
    let ruleset = on_common(text).unwrap();
    let gw = ruleset.measures.iter().find(|measure| measure.id == "gw").unwrap();
    assert_eq!(gw.floor, Fraction::new(1, 5));
    assert_eq!(ruleset.keys["measures.gw.floor"], "0.2");
    assert_eq!(ruleset.keys["settings.own_game_win_floor"], "0.2");
}

#[test]
fn wording_and_layout_change_the_hash_but_no_key() {
    let one = on_common("order = [\"points\", \"omw\"]\n[points]\nwin = 2\n").unwrap();
    let other =
        on_common("# a comment\npoints.win=0x2\norder = [ 'points',\n \"omw\" ]\n[measures.omw]\n")
            .unwrap();
    assert_eq!(one.keys, other.keys);
    assert_ne!(one.hash, other.hash);
    assert_eq!(one.keys["order"], "points, omw");
    assert!(!one.keys.contains_key("name"));
    assert_eq!(one, on_common("order = [\"points\", \"omw\"]\n[points]\nwin = 2\n").unwrap());
}

#[test]
fn the_hash_is_over_names_and_texts_in_order() {
    let files = Library::shipped().chain("mtr").unwrap();
    let hash = parse(&files).unwrap().hash;
    let mut hasher = blake3::Hasher::new_derive_key("scrutineer 2026 ruleset v1");
    for file in &files {
        hasher.update(&(file.name.len() as u64).to_le_bytes()).update(file.name.as_bytes());
        hasher.update(&(file.text.len() as u64).to_le_bytes()).update(file.text.as_bytes());
    }
    assert_eq!(hash, *hasher.finalize().as_bytes());
}

#[test]
fn steps_of_an_order() {
    let ruleset = Library::shipped().ruleset("pokemon").unwrap();
    let id = |measure: &usize| ruleset.measures[*measure].id.as_str();
    assert!(matches!(&ruleset.order[2], Step::Measure { measure, lowest_first: true }
        if id(measure) == "late"));
    assert!(matches!(ruleset.order[5], Step::HeadToHead { only_pairs: true, .. }));
}

#[test]
fn a_bracket_has_steps_before_the_order() {
    let steps = |ruleset: &Ruleset, kind| -> Vec<String> {
        let id = |step: &Step| match step {
            Step::Measure { measure, .. } => ruleset.measures[*measure].id.clone(),
            Step::HeadToHead { .. } => "head to head".to_owned(),
        };
        ruleset.steps(kind, true).iter().map(id).collect()
    };
    let mtr = Library::shipped().ruleset("mtr").unwrap();
    assert_eq!(steps(&mtr, PhaseKind::Swiss), ["points", "omw", "gw", "ogw"]);
    let in_cut = ["knocked_out", "points", "omw", "gw", "ogw"];
    assert_eq!(steps(&mtr, PhaseKind::Elimination), in_cut);
    assert_eq!(steps(&mtr, PhaseKind::DoubleElimination), in_cut);
    let splinterlands = Library::shipped().ruleset("splinterlands").unwrap();
    assert_eq!(splinterlands.steps(PhaseKind::Elimination, true), splinterlands.order);
}

#[test]
fn what_a_cut_counts_is_the_rulesets_to_say() {
    let counts = |id: &str, phase| {
        Library::shipped().ruleset(id).unwrap().counts(PhaseKind::Elimination, phase)
    };
    assert!(!counts("mtr", 1) && !counts("mtr", 2));
    assert!(counts("melee-2024-06", 1) && counts("melee-2024-06", 2));
    assert!(counts("melee-2025-11", 1) && !counts("melee-2025-11", 2));
    let faults = told(alone("cut = \"never\""));
    assert!(faults[0].contains("as_phases") && faults[0].contains("places_only"), "{faults:#?}");
}

/// Every ```toml block of the document is read: a whole file as it stands, a part with a head.
#[test]
fn the_examples_of_the_document_are_read() {
    let document = include_str!("../../../../docs/RULESETS.md");
    let blocks = document.split("```toml\n").skip(1).filter_map(|rest| rest.split("```").next());
    let mut read = 0;
    for block in blocks {
        let result = if block.contains("name =") && block.contains("extends =") {
            let mut library = Library::shipped();
            let id = library.load_file("example.toml", block).unwrap();
            library.ruleset(&id)
        } else if block.starts_with("order") {
            on_common(block)
        } else {
            on_common(&format!("order = [\"points\"]\n{block}"))
        };
        if let Err(error) = result {
            panic!("{block}\n{error}");
        }
        read += 1;
    }
    assert!(read >= 12, "{read} examples");
}

/// Each sums all that stand before it: ways through them there are by the trillion.
#[test]
fn measures_that_build_on_each_other_in_many_ways_are_read_at_once() {
    let mut text = "[measures.left]\nas_left = \"sum39\"\n".to_owned();
    let mut terms = "points = 1".to_owned();
    for number in 0..40 {
        text += &format!("[measures.sum{number}]\nsum_of = {{ {terms} }}\n");
        terms += &format!(", sum{number} = 1");
    }
    assert_eq!(told(alone(&text)), [""; 0]);
}
