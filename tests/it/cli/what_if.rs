//! `what-if` beside really doing it, with the real binary; and a page that fits a phone.

use super::desk::Desk;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// Every file of the store. sled's own are left out: it may write them anew whenever it is opened,
/// and they can be made again from the journal.
fn store(desk: &Desk) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut files = BTreeMap::new();
    collect(&desk.path("store"), &mut files);
    files.retain(|path, _| !path.components().any(|part| part.as_os_str() == "sled"));
    assert!(files.len() >= 4, "journal, book, secret, format: {:?}", files.keys());
    files
}

fn collect(path: &Path, files: &mut BTreeMap<PathBuf, Vec<u8>>) {
    for entry in fs::read_dir(path).expect("a folder") {
        let path = entry.expect("readable").path();
        match path.is_dir() {
            true => collect(&path, files),
            false => drop(files.insert(path.clone(), fs::read(&path).expect("readable"))),
        }
    }
}

/// The hash of a table in an answer, behind this word.
fn hash<'a>(answer: &'a str, behind: &str) -> &'a str {
    let rest = answer.split_once(behind).expect(behind).1;
    let rest = rest.split_once("\"table_hash\":\"").expect("a hash").1;
    rest.split('"').next().expect("its end")
}

/// A simulated event that is open again, in the middle of a round.
fn in_the_middle(seed: &str) -> Desk {
    let desk = Desk::new();
    let words = ["simulate", "--players", "14", "--drops", "6%", "--seed", seed];
    let said = desk.run(&words);
    assert_eq!(said.code, 0, "{}", said.all());
    let log = desk.run(&["log", "--json"]).out;
    let closing = log.lines().rfind(|line| line.contains("tournament closed")).expect("it is over");
    let seq = closing.split("\"seq\":").nth(1).and_then(|rest| rest.split(',').next());
    let seq = seq.expect("a seq").to_string();
    for words in [
        &["withdraw", &seq, "--reason", "another round"][..],
        &["pair", "--further"],
        &["result", "2", "2-0"],
    ] {
        let said = desk.run(words);
        assert_eq!(said.code, 0, "{words:?}: {}", said.all());
    }
    desk
}

const COMMANDS: &[&[&str]] = &[
    &["correct 1 0-2 --round 1"],
    &["correct 2 1-2 --round 2", "correct 3 l-w --round 3"],
    &["drop 7", "correct 2 0-0-3 --round 1"],
    &["disqualify 2", "reinstate 2"],
    &["penalty 5 match-loss", "penalty 6 warning"],
    &["result 1 2-1", "withdraw 3"],
    &["amend-rules +settings.percentage_floor=1/2"],
    &["amend-rules carde", "repair --table 1 --table 3"],
    &["dispute open 1 --round 2", "dispute rule 1 --upheld --score 0-0-3"],
    &["late 'Gus Gray' --losses", "drop 1 --no-show", "note 'a word'"],
];

#[test]
fn what_if_is_what_really_doing_it_gives_and_leaves_every_byte() {
    let (mut compared, mut refused) = (0, 0);
    for (commands, seed) in COMMANDS.iter().zip(["1", "2", "3", "4"].iter().cycle()) {
        let desk = in_the_middle(seed);
        let now = desk.run(&["standings", "--json"]).out;
        let was = store(&desk);
        let mut words = vec!["what-if", "--json"];
        words.extend(*commands);
        let told = desk.run(&words);
        assert!(was == store(&desk), "{commands:?} changed the store");
        let mut code = 0;
        for command in *commands {
            let mut words = super::script::words(command);
            let takes_none = ["drop", "result", "late", "note"].contains(&&words[0][..]);
            match words.get(..2).is_some_and(|two| two == ["dispute", "open"]) {
                true => words.extend(["--claim".into(), "really".into()]),
                false if takes_none => {}
                false => words.extend(["--reason".into(), "really".into()]),
            }
            let words: Vec<&str> = words.iter().map(String::as_str).collect();
            let said = desk.run(&words);
            code = said.code;
            if code != 0 {
                break;
            }
        }
        assert_eq!(told.code, code, "{commands:?}: {}", told.all());
        if code != 0 {
            println!("{commands:?}: {}", told.err);
            refused += 1;
            continue;
        }
        assert_eq!(hash(&told.out, "\"before\":{\"ruleset\""), hash(&now, "\"program\""));
        let really = desk.run(&["standings", "--json"]).out;
        let would = hash(&told.out, "\"after\":{\"ruleset\"");
        assert_eq!(would, hash(&really, "\"program\""), "{commands:?}");
        compared += 1;
    }
    assert!(compared >= 7 && compared + refused == COMMANDS.len(), "{compared}, {refused}");
}

/// Lots were said to decide where nobody was tied any more, and who had been tied was said to leave.
#[test]
fn who_was_tied_across_the_line_of_the_cut_neither_enters_nor_leaves_it() {
    let desk = Desk::new();
    let run = |words: &[&str]| {
        let said = desk.run(words);
        assert_eq!(said.code, 0, "{words:?}: {}", said.all());
        said.out
    };
    run(&["new", "Cup", "--rules", "mtr", "--phase", "swiss:3", "--phase", "single-elimination:4"]);
    run(&["enroll", "Ann", "Bob", "Cid", "Dee", "Eva", "Fay", "Gil", "Hal"]);
    run(&["pair"]);
    for (table, score) in [("1", "2-0"), ("2", "2-0"), ("3", "2-0"), ("4", "1-1")] {
        run(&["result", table, score]);
    }
    let told = run(&["what-if", "correct 4 0-2"]);
    assert!(told.contains(" is out, no longer tied across the line.\n"), "{told}");
    assert!(!told.contains("lots decide at the line"), "{told}");
    assert!(!told.contains("enters") && !told.contains("leaves the top"), "{told}");
    let json = run(&["what-if", "correct 4 0-2", "--json"]);
    let json: serde_json::Value = serde_json::from_str(&json).expect("JSON");
    let cut = &json["cut"];
    let count = |list: &str| cut[list].as_array().map(Vec::len);
    assert_eq!((count("enters"), count("leaves")), (Some(0), Some(0)), "{cut}");
    assert_eq!((count("no_longer_tied_in"), count("newly_tied")), (Some(1), Some(0)), "{cut}");
    assert_eq!(count("no_longer_tied_out"), Some(1), "{cut}");
    // And the other way round: two who were surely in and surely out.
    let told = run(&["what-if", "correct 3 1-1"]);
    let newly = " are newly tied across the line, and lots decide at the line.\n";
    assert!(told.contains(newly) && !told.contains("enters"), "{told}");
}

#[test]
fn the_file_of_a_dispute_fits_a_phone() {
    let desk = Desk::new();
    let long = "Maximiliana-Wilhelmine von und zu Hohenlohe-Schillingsfürst the Younger";
    let claim = "the slip was read upside down ".repeat(12);
    for words in [
        &["new", "A title as long as a title may be, and then some more of it", "--rules", "mtr"][..],
        &["enroll", long, "野村 さくら 第三の名前はとても長いのでどこかで折り返す", "Cid", "Dee"],
        &["pair"],
        &["result", "1", "2-0"],
        &["result", "2", "2-1"],
        &["dispute", "open", long, "--by", long, "--claim", &claim],
    ] {
        let said = desk.run(words);
        assert_eq!(said.code, 0, "{words:?}: {}", said.all());
    }
    let said = desk.run(&["dispute", "file", "1"]);
    assert_eq!(said.code, 0, "{}", said.all());
    // Wide signs take two columns.
    let width = |line: &str| -> usize {
        line.chars().map(|c| if u32::from(c) >= 0x2E80 { 2 } else { 1 }).sum()
    };
    for line in said.out.lines() {
        assert!(width(line) <= 80, "{} columns: {line}", width(line));
    }
    assert!(said.out.contains("If the result were"), "{}", said.out);
}

#[test]
fn standings_name_a_result_that_is_disputed_until_it_is_ruled() {
    let desk = Desk::new();
    let done = |words: &[&str]| {
        let said = desk.run(words);
        assert_eq!(said.code, 0, "{words:?}: {}", said.all());
        said.out
    };
    for words in [
        &["new", "Cup", "--rules", "mtr", "--phase", "swiss:1"][..],
        &["enroll", "Ann", "Bob", "Cid", "Dee"],
        &["pair"],
        &["publish"],
        &["result", "1", "2-0"],
        &["result", "2", "2-1"],
    ] {
        done(words);
    }
    let told = "the result of table 2 in round 1 is disputed: until the ruling any other can come";
    assert!(!done(&["standings"]).contains(told));
    done(&["dispute", "open", "2", "--claim", "it was a draw"]);
    let standings = done(&["standings"]);
    assert!(standings.contains(told), "{standings}");
    done(&["dispute", "rule", "1", "--denied", "--reason", "the slip shows it"]);
    assert!(!done(&["standings"]).contains(told));
}
