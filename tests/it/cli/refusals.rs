//! Every refusal is told somewhere, and documented.

use super::desk::Desk;
use scrutineer_desk::desk::Objection;
use scrutineer_desk::hint::Hint;
use scrutineer_desk::keys::KeyError;
use scrutineer_desk::sign::SignError;
use scrutineer_engine::event::PhaseKind;
use scrutineer_engine::rejection::Rejection;
use scrutineer_pairing::PairingError;
use scrutineer_replay::trust::check;
use scrutineer_replay::trust::receipt::ReceiptError;
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

/// Codes that no session can bring about, each with the reason. Those of the log come about
/// through the library, in engine/tests/decide.
const NOT_FROM_THE_DESK: &[(&str, &str)] = &[
    ("not-opened", "the desk finds no event that was never opened"),
    ("already-opened", "`new` opens another tournament"),
    ("already-imported", "files come in by `import`, as events of their own"),
    ("imported-late", "files come in by `import`, as events of their own"),
    ("wrong-player-number", "the desk counts players"),
    ("wrong-phase", "the desk counts phases"),
    ("no-such-phase", "the desk knows whether a phase runs: no-phase-runs"),
    ("phase-unfinished", "the desk completes the round, or says tables-open"),
    ("listed-twice", "entrants and lots come from the standings"),
    ("wrong-continuation", "the desk goes on where its list stopped"),
    ("wrong-round", "the desk counts rounds"),
    ("wrong-phase-round", "the desk counts rounds"),
    ("bad-weight", "rounds of the desk weigh 1"),
    ("round-unfinished", "the desk completes the round, or says tables-open"),
    ("no-seed-committed", "without a secret the desk says no-secret"),
    ("wrong-pairing-seed", "the desk takes the seed that belongs to the draw"),
    ("other-seed", "a round paired anew keeps the seed that was revealed for it"),
    ("wrong-seed", "the desk takes the secret that was committed to"),
    ("stale-standings", "the desk announces what stands"),
    ("retired-key", "a new key is made where one is wanted"),
    (
        "engine-apart",
        "takes a program that starts: such a one is asked before divisions are looked at",
    ),
    ("not-for-engine", "the desk records what an engine said behind the opening of its round"),
    ("round-completed", "the desk looks for the round that is being played: no-open-round"),
    ("too-few-seats", "one player by himself has the bye"),
    ("twice-in-round", "the desk takes a player off his table first"),
    ("no-such-pairing", "tables are named, not pairings"),
    ("seated-elsewhere", "said to players alone, on their page: tests/it/serve/players.rs"),
    ("not-the-current-result", "the desk corrects the result that stands"),
    ("wrong-lines", "the slip is read by the scoresheet: bad-slip"),
    ("wrong-seats", "the slip is read by the seats of the table: bad-slip"),
    ("no-such-seat", "no verb claims for a seat"),
    ("results-missing", "the desk says tables-open, with the tables"),
    ("no-such-penalty", "the desk looks up what waits"),
    ("too-large", "what the desk takes fits: text-too-long"),
    ("empty", "every verb records something"),
    ("too-many", "at the limits of an event: tests/it/limits.rs"),
    ("bad-word", "what the desk takes for such a word is looked at before: bad-name"),
    ("no-such-place", "the slip is read by the seats of the table: bad-slip"),
    ("text-too-long", "after 8,192 bytes; a test of its own, below"),
    ("text-not-printable", "no script holds a control character; a test of its own, below"),
    ("no-phase", "the desk starts the first phase, or says no-phase-runs"),
    ("nothing-to-sign", "an event that was opened has a record"),
    ("key-not-read", "after a fault of the disk"),
    ("no-key-folder", "in a rehearsal that names none; a test of its own, below"),
    ("receipt-not-signed", "takes another key's receipt: desk/src/trust_tests/receipt.rs"),
    ("receipt-too-long", "more events than a player has"),
    ("receipt-not-included", "takes another log's proof: desk/src/trust_tests/receipt.rs"),
    ("bad-bye-request", "`bye` and its order have no word for another one"),
    ("cannot-fold", "told by the codes of what is missing, such as missing-score-line"),
];

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn codes() -> BTreeSet<&'static str> {
    let kind = PhaseKind::Swiss;
    let draws = [
        PairingError::NoPhase,
        PairingError::PhaseOver { kind },
        PairingError::Nobody { round: 1 },
        PairingError::NobodyAdvances { round: 1, table: 1 },
    ];
    let mut codes: BTreeSet<&str> = draws.iter().map(|error| error.code().word).collect();
    let own = [Rejection::CODES, Objection::CODES, SignError::CODES, KeyError::CODES];
    let own = own.into_iter().chain([ReceiptError::CODES]).flatten();
    codes.extend(own.map(|code| code.word));
    codes.extend(["bad-slip", "missing-score-line", "cannot-fold"]);
    codes.extend(["bad-moment", "before-opening", "bad-range"]);
    codes
}

/// The codes in square brackets of a folder's texts.
fn told(folder: &str, extension: &str) -> BTreeSet<String> {
    let mut told = BTreeSet::new();
    for entry in fs::read_dir(root().join(folder)).expect("a folder") {
        let path = entry.expect("readable").path();
        if path.extension().is_some_and(|found| found == extension) {
            let text = fs::read_to_string(&path).expect("a text");
            told.extend(
                text.split('[')
                    .skip(1)
                    .filter_map(|part| part.split_once(']').map(|(code, _)| code.to_string())),
            );
        }
    }
    told
}

#[test]
fn every_refusal_occurs_in_a_session_or_cannot() {
    let (told, library) = (told("tests/scripts", "txt"), told("engine/tests/decide", "txt"));
    for code in codes() {
        let excused = NOT_FROM_THE_DESK.iter().any(|(excused, _)| *excused == code);
        assert!(told.contains(code) || excused, "no session is refused with [{code}]");
        assert!(!(told.contains(code) && excused), "a session is refused with [{code}]");
        let of_log = Rejection::CODES.iter().any(|of_log| *of_log == code);
        assert!(!(of_log && excused) || library.contains(code), "[{code}] occurs nowhere");
    }
    for (code, _) in NOT_FROM_THE_DESK {
        assert!(codes().contains(code), "{code} is no code");
    }
}

/// The kinds of errors, as the source has them.
const KINDS: &str = "not_found invalid refused conflict stale sign_in forbidden too_large slow_down \
                     busy unknown_outcome damaged io internal";

/// The codes that a room of the house can answer with: those that stand behind a kind of error.
fn codes_in(folder: &Path, codes: &mut BTreeSet<String>) {
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("readable").path();
        if path.is_dir() {
            codes_in(&path, codes);
        } else if path.extension().is_some_and(|found| found == "rs") {
            let text = fs::read_to_string(&path).expect("a text");
            let kinds = KINDS.split_whitespace();
            for begins in kinds.flat_map(|k| [format!("Code::{k}("), format!("= {k} ")]) {
                let behind = text.split(&begins).skip(1);
                let quoted = behind.filter_map(|part| part.trim_start().strip_prefix('"'));
                codes.extend(quoted.filter_map(|part| Some(part.split_once('"')?.0.to_string())));
            }
        }
    }
}

#[test]
fn every_refusal_is_documented() {
    let document = ["docs/REFUSALS.md", "docs/RELIABILITY.md"]
        .map(|page| fs::read_to_string(root().join(page)).expect("the document"))
        .concat();
    let mut codes: BTreeSet<String> = codes().iter().map(|code| code.to_string()).collect();
    for room in
        ["engine", "store", "store/postgres", "projections", "pairing", "formats", "replay", "desk"]
    {
        codes_in(&root().join(room).join("src"), &mut codes);
    }
    codes_in(&root().join("cli"), &mut codes);
    codes_in(&root().join("server/src"), &mut codes);
    assert!(codes.len() > 200, "codes are looked for where they no longer stand");
    let lacks: Vec<&String> =
        codes.iter().filter(|code| !document.contains(&format!("`{code}`"))).collect();
    assert!(lacks.is_empty(), "docs/REFUSALS.md lacks {lacks:?}");
}

#[test]
fn a_text_that_is_too_long_or_cannot_be_printed_is_refused() {
    let desk = Desk::new();
    assert_eq!(desk.run(&["new", "Long", "--rules", "mtr"]).code, 0);
    let said = desk.run(&["note", &"long ".repeat(2_000)]);
    assert_eq!(said.code, 2, "{}", said.all());
    assert!(said.err.contains("[text-too-long]"), "{}", said.all());
    for control in ["a\u{1b}[2Jb", "a\u{7}", "a\rb"] {
        let said = desk.run(&["note", control]);
        assert_eq!(said.code, 2, "{}", said.all());
        assert!(said.err.contains("[text-not-printable]"), "{}", said.all());
    }
    assert_eq!(desk.run(&["note", "two\nlines"]).code, 0);
}

#[test]
fn every_finding_about_checkpoints_is_documented() {
    let document = fs::read_to_string(root().join("docs/TRUST.md")).expect("the document");
    for code in check::CODES {
        assert!(document.contains(&format!("| `{code}` |")), "docs/TRUST.md lacks {code}");
    }
}

/// A rehearsal keeps its keys, which anybody foresees, only where somebody names a folder.
#[test]
fn an_event_is_run_without_a_folder_for_keys_too() {
    let desk = Desk::new();
    let without = |words: &[&str]| {
        let mut command = desk.command(words);
        command.env_remove("SCRUTINEER_KEYS").env("SCRUTINEER_REHEARSE", "keyless");
        desk.feed(command, "")
    };
    let said = without(&["new", "Keyless", "--rules", "mtr"]);
    assert_eq!(said.code, 0, "{}", said.all());
    assert!(!said.err.contains("key"), "{}", said.all());
    let said = without(&["keys", "new"]);
    assert_eq!(said.code, 2, "{}", said.all());
    assert!(said.err.contains("[no-key-folder]"), "{}", said.all());
    let said = without(&["checkpoint"]);
    assert!(said.err.contains("[no-signer]"), "{}", said.all());
}

/// What a scorekeeper who knows nothing of keys meets: one line, once.
#[test]
fn the_first_event_makes_a_key_in_a_folder_of_its_owner() {
    let desk = Desk::new();
    let home = desk.path("home");
    let at_home = |words: &[&str]| {
        let mut command = desk.command(words);
        command.env_remove("SCRUTINEER_KEYS").env("HOME", &home);
        desk.feed(command, "")
    };
    let said = at_home(&["new", "First", "--rules", "mtr"]);
    assert_eq!(said.code, 0, "{}", said.all());
    let folder = home.join(".config/scrutineer/keys");
    assert!(said.err.contains(&folder.display().to_string()), "{}", said.all());
    assert_eq!(said.err.lines().count(), 1, "{}", said.all());
    assert_eq!(fs::read_dir(&folder).expect("it is there").count(), 2);
    let said = at_home(&["new", "Second", "--rules", "mtr"]);
    assert_eq!(said.err, "", "{}", said.all());
    let said = at_home(&["checkpoint", "--tournament", "First"]);
    assert_eq!(said.code, 0, "{}", said.all());
}

/// What verification can find: the words in quotation marks that are spelled like codes.
fn findings() -> BTreeSet<String> {
    let folder = root().join("replay/src/verify");
    let mut files =
        ["replay/src/verify.rs", "desk/src/verify.rs"].map(|file| root().join(file)).to_vec();
    files
        .extend(fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("a name").path()));
    let mut codes = BTreeSet::new();
    for file in files {
        let text = fs::read_to_string(file).expect("a text");
        let quoted = text.split('"').skip(1).step_by(2);
        let spelled = |word: &&str| {
            word.contains('-') && word.bytes().all(|b| b.is_ascii_lowercase() || b == b'-')
        };
        codes.extend(quoted.filter(spelled).map(str::to_string));
    }
    codes.extend(scrutineer_replay::trust::check::CODES.map(str::to_string));
    codes
}

#[test]
fn every_finding_is_documented() {
    let read = |name: &str| fs::read_to_string(root().join(name)).expect("the document");
    let document = read("docs/TRUST.md");
    let codes = findings();
    assert!(codes.len() > 35 && codes.contains("pairing-differs"), "{codes:?}");
    for code in codes {
        assert!(document.contains(&format!("| `{code}` |")), "docs/TRUST.md lacks {code}");
    }
}

/// A hint can be typed as it stands, but for what its reader fills in.
#[test]
fn every_command_in_a_hint_is_a_command() {
    let help = Desk::new().run(&["--help"]).out;
    let is_verb =
        |verb: &str| help.lines().any(|line| line.trim_start().starts_with(&format!("{verb} ")));
    assert!(is_verb("standings") && !is_verb("stand"));
    let mut seen = 0;
    for folder in ["desk/src", "replay/src", "store/src", "engine/src", "formats/src", "cli"] {
        for text in sources(&root().join(folder)) {
            for command in Hint::from(text).commands() {
                // What is left out here is put in when the hint is written, or is an option.
                let verb = &command.verb();
                if verb.chars().all(|c| c.is_ascii_lowercase() || c == '-')
                    && !verb.starts_with("--")
                {
                    seen += 1;
                    assert!(is_verb(verb), "{folder}: {}", command.typed());
                }
            }
        }
    }
    assert!(seen > 50, "{seen} commands in hints");
}

/// The command for the other desk named the store of this one.
#[test]
fn a_handover_says_what_the_other_desk_types_for_its_own_store() {
    let desk = Desk::new();
    let run = |words: &[&str]| {
        let said = desk.run(&[&["--store", "ours", "--keys", "own"], words].concat());
        assert_eq!(said.code, 0, "{words:?}: {}", said.all());
        said.out
    };
    run(&["new", "Friday", "--rules", "mtr"]);
    run(&["enroll", "Ann", "Bob"]);
    let said = run(&["export", "--handover", "--output", "friday.handover"]);
    let private = said.lines().find(|line| line.starts_with("PRIVATE")).unwrap_or_default();
    let theirs = "after `scrutineer --store <its store> keys rotate --reason <why>`";
    assert!(private.contains(theirs), "{said}");
    assert!(!private.contains("ours") && !private.contains("--keys"), "{said}");
}

/// The lines of a folder's source files.
fn sources(folder: &Path) -> Vec<String> {
    let mut lines = Vec::new();
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("readable").path();
        if path.is_dir() {
            lines.extend(sources(&path));
        } else if path.extension().is_some_and(|end| end == "rs") {
            let text = fs::read_to_string(&path).expect("a text");
            lines.extend(text.lines().map(str::to_string));
        }
    }
    lines
}

/// The cut was offered without a word of it, and the replay counted it among the results.
#[test]
fn a_postponed_match_is_named_beside_standings_the_cut_and_the_replay() {
    let desk = Desk::new();
    let run = |words: &[&str]| {
        let said = desk.run(words);
        assert_eq!(said.code, 0, "{words:?}: {}", said.all());
        said.all()
    };
    run(&["new", "Cup", "--rules", "mtr", "--phase", "swiss:1", "--phase", "single-elimination:2"]);
    run(&["enroll", "Ann", "Bob", "Cid", "Dee", "Eva", "Fay"]);
    run(&["pair"]);
    run(&["publish"]);
    run(&["result", "1", "postponed"]);
    run(&["result", "2", "void"]);
    let last = run(&["result", "3", "2-0"]);
    assert!(last.contains("next: scrutineer cut   (1 match is postponed)"), "{last}");
    let standings = run(&["standings"]);
    assert!(standings.contains("1 match is postponed: nothing of that counts yet"), "{standings}");
    let replay = run(&["replay"]);
    assert!(replay.contains("2 results, 1 postponed"), "{replay}");
    run(&["correct", "1", "2-0", "--reason", "played"]);
    assert!(!run(&["standings"]).contains("postponed"));
}

/// `explain` and `standings` told of the cut that the late result would have given.
#[test]
fn after_a_postponed_match_the_cut_that_was_made_without_it_is_told() {
    let desk = Desk::new();
    let run = |words: &[&str]| {
        let said = desk.run(words);
        assert_eq!(said.code, 0, "{words:?}: {}", said.all());
        said.all()
    };
    let names = ["Ann", "Bob", "Cid", "Dee", "Eva", "Fay"];
    run(&["new", "Cup", "--rules", "mtr", "--phase", "swiss:1", "--phase", "single-elimination:2"]);
    run(&[&["enroll"][..], &names[..]].concat());
    run(&["pair"]);
    run(&["result", "1", "postponed"]);
    run(&["result", "2", "2-0"]);
    run(&["result", "3", "1-1-1"]);
    run(&["cut"]);
    run(&["pair"]);
    run(&["correct", "1", "2-0", "--round", "1", "--reason", "played"]);
    let standings = run(&["standings", "--through", "1"]);
    assert!(standings.contains("another cut to top 2 was made: "), "{standings}");
    assert!(!standings.contains("—  cut to top"), "{standings}");
    let told = names.map(|name| run(&["explain", name, "--through", "1"]));
    let count = |is_in: &str| {
        let words = format!(", {is_in} the cut to 2 that was made; these standings would make");
        told.iter().filter(|told| told.contains(&words)).count()
    };
    assert_eq!([count("in"), count("not in")], [2, 4], "{told:?}");
}

/// `close` named --unfinished, and was refused with it too.
#[test]
fn a_bracket_with_a_postponed_match_closes_where_that_is_meant_and_takes_its_result_later() {
    for more in [&[] as &[&str], &["Cid", "Dee"]] {
        let desk = Desk::new();
        let run = |words: &[&str]| {
            let said = desk.run(words);
            assert_eq!(said.code, 0, "{words:?}: {}", said.all());
            said.all()
        };
        run(&["new", "Cup", "--rules", "mtr", "--phase", "single-elimination"]);
        run(&[&["enroll", "Ann", "Bob"][..], more].concat());
        run(&["pair"]);
        run(&["publish"]);
        run(&["result", "1", "postponed"]);
        if !more.is_empty() {
            run(&["result", "2", "2-0"]);
            let refused = desk.run(&["pair"]).all();
            let hint = "it is postponed; once it is played: `scrutineer correct 1 <score> --round";
            assert!(refused.contains("[nobody-advances]") && refused.contains(hint), "{refused}");
        }
        let refused = desk.run(&["close"]).all();
        for told in ["[not-played-out]", "correct 1 <score> --reason <why>", "add --unfinished"] {
            assert!(refused.contains(told), "{told}: {refused}");
        }
        let closed = run(&["close", "--unfinished"]);
        for told in ["1 match without a result: round 1, ", "not played to its end; `withdraw "] {
            assert!(closed.contains(told), "{told}: {closed}");
        }
        let played = run(&["correct", "1", "2-0", "--reason", "their train came"]);
        assert!(played.contains("the tournament is closed: "), "{played}");
        let log = run(&["log"]);
        assert!(log.contains(", played (postponed by event "), "{log}");
    }
}
