//! Whoever was forgotten stands in no byte of the store.

use super::desk::Desk;
use scrutineer_desk::desk::{Desk as Keeper, DeskError, Means};
use scrutineer_desk::store::Store;
use scrutineer_engine::book::Field;
use scrutineer_engine::event::{Event, NoteAdded, StaffNamed};
use scrutineer_engine::record::{Actor, Time};
use scrutineer_store::texts::system_salt;
use std::fs;
use std::path::{Path, PathBuf};

/// A name with letters beyond ASCII, and quotation marks that JSON escapes.
const NAME: &str = "Zoë \"Ace\" Łukasik-Müller";

/// Every file below a folder.
fn files(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("readable") {
        let path = entry.expect("readable").path();
        if path.is_dir() { files(&path, found) } else { found.push(path) }
    }
}

/// The files of the store in which a text stands, in its bytes or in the file's name: as it is, in
/// other cases, as JSON escapes it.
fn holding(desk: &Desk, text: &str) -> Vec<PathBuf> {
    let ascii = |text: &str| -> String {
        let escape = |c: char| match c {
            c if c.is_ascii() => c.to_string(),
            c => format!("\\u{:04x}", u32::from(c)),
        };
        text.chars().map(escape).collect()
    };
    let mut forms = Vec::new();
    for form in [text.to_string(), text.to_lowercase(), text.to_uppercase()] {
        let json = serde_json::to_string(&form).expect("a text");
        forms.extend([ascii(&json), json.trim_matches('"').to_string(), ascii(&form), form]);
    }
    forms.iter_mut().for_each(|form| *form = form.trim_matches('"').to_string());
    let mut all = Vec::new();
    files(&desk.path("store"), &mut all);
    let holds = |path: &&PathBuf| {
        let mut bytes = fs::read(path).expect("readable");
        bytes.extend_from_slice(path.to_string_lossy().as_bytes());
        forms.iter().any(|form| memchr::memmem::find(&bytes, form.as_bytes()).is_some())
    };
    all.iter().filter(holds).cloned().collect()
}

fn fine(desk: &Desk, words: &[&str]) -> String {
    let said = desk.run(words);
    assert_eq!(said.code, 0, "{words:?}: {}", said.all());
    said.out
}

/// A publisher who keeps copies by a folder of bundles kept a name that the desk had forgotten once the tournament was
/// over: no round was completed any more that would have signed it, and each later bundle was refused.
#[test]
fn a_forgetting_after_the_end_comes_to_a_publisher_who_works_with_bundles() {
    let (desk, publisher) = (Desk::new(), Desk::new());
    fine(&desk, &["new", "Friday", "--rules", "mtr", "--phase", "swiss:1"]);
    fine(&desk, &["enroll", NAME, "Bob"]);
    fine(&desk, &["pair"]);
    fine(&desk, &["result", "1", "2-0"]);
    fine(&desk, &["close"]);
    let night = publisher.path("night").display().to_string();
    fine(&desk, &["bundle", "export", &night, "--audit"]);
    assert!(fine(&publisher, &["bundle", "import", "night"]).contains("1 new"));
    assert!(!holding(&publisher, NAME).is_empty());
    fine(&desk, &["forget", NAME, "--yes"]);
    fine(&desk, &["bundle", "export", &night, "--audit"]);
    let again = fine(&desk, &["bundle", "export", &night, "--audit"]);
    assert!(again.contains("0 written, 1 unchanged"), "{again}");
    let brought = fine(&publisher, &["bundle", "import", "night"]);
    assert!(brought.contains("1 went on, 0 known, 0 refused"), "{brought}");
    assert_eq!(holding(&publisher, NAME), Vec::<PathBuf>::new());
}

/// An event with her in every place where words are kept, and others beside her.
fn played() -> Desk {
    let desk = Desk::new();
    fine(&desk, &["new", &format!("{NAME} Memorial"), "--rules", "mtr"]);
    fine(&desk, &["enroll", NAME, "--id", "DCI-0815-4711"]);
    fine(&desk, &["enroll", "Bob Smith", "Cid Blue", "Dee Green", "Zoë Müller"]);
    fine(&desk, &["pair"]);
    fine(&desk, &["publish"]);
    fine(&desk, &["result", "1", "2-0"]);
    fine(&desk, &["result", "2", "2-0"]);
    let upper = NAME.to_uppercase();
    fine(&desk, &["correct", "1", "2-1", "--reason", &format!("{upper} had won a game")]);
    fine(&desk, &["penalty", "1", "warning", "--reason", &format!("{NAME}: slow play")]);
    fine(&desk, &["note", &format!("dci 0815 4711 is {}", NAME.to_lowercase())]);
    fine(&desk, &["note", "Smith asked for a judge"]);
    fine(&desk, &["enroll", &format!("{NAME} jr")]);
    let report = format!("for {}.csv", NAME.replace('"', ""));
    fine(&desk, &["rebuild", "--rules", "carde", "--output", &report]);
    fine(&desk, &["pair"]);
    desk
}

#[test]
fn her_name_stands_in_no_byte_of_the_store() {
    let desk = played();
    let before = holding(&desk, NAME);
    assert!(before.iter().any(|path| path.starts_with(desk.path("store/books"))), "{before:?}");
    // Her son is called almost the same, and stays.
    fine(&desk, &["forget", "6", "--dry-run"]);
    fine(&desk, &["forget", NAME, "--yes"]);
    let left = holding(&desk, &format!("{NAME} jr"));
    assert_eq!(left.len(), 1, "his entry is not hers: {left:?}");
    fine(&desk, &["forget", "6", "--yes"]);
    for text in [NAME, "Łukasik", "DCI-0815-4711", "0815-4711", "0815 4711"] {
        let left = holding(&desk, text);
        assert!(left.is_empty(), "{text}: {left:?}");
    }
    for text in ["Bob Smith", "Zoë Müller", "Smith asked for a judge"] {
        assert!(!holding(&desk, text).is_empty(), "{text} stays");
    }
    let standings = fine(&desk, &["standings"]);
    assert!(standings.contains("player 1 ") && standings.starts_with("untitled"), "{standings}");
    for words in [
        &["verify"][..],
        &["log"],
        &["explain", "1"],
        &["pairings", "--by", "name"],
        &["rebuild", "--rules", "carde", "--players", "--format", "csv"],
        &["check-pairing"],
        &["result", "1", "2-0"],
    ] {
        let said = fine(&desk, words);
        assert!(!said.to_lowercase().contains("łukasik"), "{words:?}: {said}");
    }
}

/// A crash may leave a file that was being written, or half a line; none of it outlives the next
/// command.
#[test]
fn what_a_crash_leaves_behind_goes_too() {
    let desk = played();
    let book = fs::read_dir(desk.path("store/books")).expect("books").next().expect("a book");
    let book = book.expect("readable").path();
    let (was, noted) = (fs::read(&book).expect("a book"), desk.path("store/exports"));
    let list = fs::read(&noted).expect("a list");
    fine(&desk, &["forget", NAME, "--yes"]);
    fine(&desk, &["forget", "6", "--yes"]);
    // Cut off while the new book and the new list were written beside the old ones.
    let beside = |file: &Path| {
        let name = file.file_name().expect("a name").to_string_lossy();
        file.with_file_name(format!(".{name}.4711-0.new"))
    };
    fs::write(beside(&book), &was[..was.len() / 2]).expect("written");
    fs::write(beside(&noted), &list).expect("written");
    // The mark of a store that is open, which a desk that was cut off leaves behind as well.
    fs::write(desk.path("store/open"), "").expect("written");
    assert!(!holding(&desk, NAME).is_empty());
    fine(&desk, &["tournaments"]);
    assert_eq!(holding(&desk, NAME), Vec::<PathBuf>::new());
    // Cut off while a line was added: it does not count, and holds a name all the same.
    let mut torn = fs::read(&book).expect("a book");
    torn.extend(format!("{{\"number\":99,\"field\":6,\"text\":\"Cid Blue and {NAME}").bytes());
    fs::write(&book, torn).expect("written");
    fine(&desk, &["forget", "Cid Blue", "--yes"]);
    assert_eq!(holding(&desk, "Łukasik"), Vec::<PathBuf>::new());
    fine(&desk, &["verify"]);
}

/// What the names of her judges are, and what is written about one of them.
fn judged(desk: &Desk) {
    let store = Store::open(&desk.path("store")).expect("the store");
    let stream = store.find(None).expect("the event");
    let clock = || Time { unix_micros: 1_700_000_000_000_000 };
    let means = Means { actor: Actor(7), clock: &clock, random: &system_salt };
    let keeper = Keeper::at(&store, stream, means);
    let named = keeper.record(&mut |_, words| {
        let mut staff = |actor, name: &str| -> Result<Event, DeskError> {
            Ok(Event::StaffNamed(StaffNamed { actor, name: words.say(Field::Staff, name)? }))
        };
        let mut events = vec![staff(7, "Jörg Öst")?, staff(8, "Bob Smith")?];
        events.push(staff(7, "Joerg Oest-Quince")?);
        let note = words.say(Field::Note, "OEST-QUINCE, JOERG ruled; Jorg Ost had the book")?;
        events.push(Event::NoteAdded(NoteAdded { note, about: None }));
        Ok(events)
    });
    named.expect("recorded");
}

#[test]
fn a_judge_is_forgotten_like_a_player() {
    let desk = played();
    judged(&desk);
    let said = fine(&desk, &["forget", "joerg oest-quince", "--dry-run"]);
    assert!(said.starts_with("one of the staff of ") && said.contains("actor 7"), "{said}");
    assert!(!holding(&desk, "Jörg Öst").is_empty());
    fine(&desk, &["forget", "joerg oest-quince", "--yes"]);
    for text in ["Jörg", "Joerg", "Quince", "Jorg Ost"] {
        assert_eq!(holding(&desk, text), Vec::<PathBuf>::new(), "{text}");
    }
    assert!(!holding(&desk, "Bob Smith").is_empty());
    // The player is the judge too, and goes as both.
    fine(&desk, &["forget", "Bob Smith", "--yes"]);
    assert_eq!(holding(&desk, "Bob Smith"), Vec::<PathBuf>::new());
    fine(&desk, &["verify"]);
}

/// What cannot be read in the list of exports keeps nobody from being forgotten.
#[test]
fn a_damaged_list_of_exports_is_told() {
    let desk = played();
    let file = desk.path("store/exports");
    let whole = fs::read_to_string(&file).expect("a list");
    let newer = "{\"time\":1,\"of\":\"a newer version\"}\n";
    let named = format!("{{\"time\":1,\"to\":\"{}.csv\"}}\n", NAME.replace('"', "\\\""));
    let torn = format!("{{\"path\":\"{}", NAME.replace('"', "\\\""));
    fs::write(&file, format!("{newer}{whole}{named}\u{1}\u{2}\n{torn}")).expect("written");
    fine(&desk, &["forget", "6", "--yes"]);
    let said = fine(&desk, &["forget", NAME, "--yes"]);
    assert!(said.contains("3 lines of the list of exports cannot be read"), "{said}");
    assert_eq!(holding(&desk, "Łukasik"), Vec::<PathBuf>::new());
    let left = fs::read_to_string(&file).expect("a list");
    assert!(left.starts_with(newer) && left.contains("rebuild"), "{left}");
}

#[test]
fn a_store_in_use_is_left_alone() {
    let desk = played();
    let before = desk.kept();
    let store = Store::open(&desk.path("store")).expect("the store");
    let said = desk.run(&["forget", "1", "--yes"]);
    assert_eq!(said.code, 2, "{}", said.all());
    assert!(said.err.contains("[store-not-opened]"), "{}", said.all());
    drop(store);
    assert!(desk.kept() == before);
}

/// A report that was not written is in nobody's list, and one to standard output is.
#[test]
fn what_left_the_store_is_noted_once_it_is_there() {
    let desk = played();
    let noted = || fs::read_to_string(desk.path("store/exports")).expect("a list").lines().count();
    let before = noted();
    let refused = |code: i32, words: &[&str]| assert_eq!(desk.run(words).code, code, "{words:?}");
    desk.write("there.bundle", b"mine");
    desk.write("there.csv.part", b"mine");
    refused(1, &["export", "--roster", "--output", "there.bundle"]);
    refused(1, &["export", "--roster", "--html", "--output", "there.bundle"]);
    refused(2, &["rebuild", "--rules", "carde", "--output", "there.bundle/report.csv"]);
    assert_eq!(noted(), before);
    fine(&desk, &["rebuild", "--rules", "carde", "--output", "there.csv"]);
    fine(&desk, &["rebuild", "--rules", "carde", "--format", "csv"]);
    fine(&desk, &["rebuild", "--rules", "carde", "--format", "csv", "--no-names"]);
    fine(&desk, &["rebuild", "--rules", "carde"]);
    assert_eq!(noted(), before + 2);
    fine(&desk, &["export", "--roster", "--output", "other.bundle"]);
    assert_eq!(noted(), before + 3);
    assert_eq!(fs::read(desk.path("there.csv.part")).expect("his own"), b"mine");
}

#[test]
fn threads_do_not_change_a_report() {
    let desk = played();
    for seed in ["1", "2", "3", "4", "5", "6"] {
        fine(&desk, &["simulate", "--players", "30", "--seed", seed, "--cut", "8", "--keep"]);
    }
    let report = |threads| {
        let words = ["rebuild", "--rules", "mtr+points.draw=0", "--players", "--format", "csv"];
        let words: Vec<&str> = words.into_iter().chain(["--threads", threads]).collect();
        let out = format!("report-{threads}.csv");
        fine(&desk, &[&words[..], &["--output", &out]].concat());
        (fine(&desk, &words), fs::read_to_string(desk.path(&out)).expect("a report"))
    };
    let (one, many) = (report("1"), report("5"));
    assert!(one.0.lines().count() > 10, "{}", one.0);
    assert!(one == many && one.0 == one.1);
    let names = fs::read_dir(desk.path(".")).expect("readable");
    let beside = names.filter(|name| {
        let name = name.as_ref().expect("readable").file_name();
        name.to_string_lossy().ends_with(".new")
    });
    assert_eq!(beside.count(), 0);
}

/// The store's book or the mirror's.
fn book_in(desk: &Desk, folder: &str) -> PathBuf {
    let mut books = fs::read_dir(desk.path(folder).join("books")).expect("books");
    books.next().expect("a book").expect("readable").path()
}

/// Replaces the line of a name by one that is erased, as somebody who has the file can.
fn erase_a_line(book: &Path, name: &str) {
    let text = fs::read_to_string(book).expect("a book");
    let erased = |line: &str| -> String {
        let number = line.split_once(",\"field\"").expect("a line").0;
        match line.contains(name) {
            true => format!("{number},\"field\":2,\"erased\":true}}\n"),
            false => format!("{line}\n"),
        }
    };
    fs::write(book, text.lines().map(erased).collect::<String>()).expect("written");
}

#[test]
fn a_name_that_nobody_forgot_is_missed_and_comes_back_from_the_mirror() {
    let desk = Desk::new();
    fine(&desk, &["new", "Friday Modern", "--rules", "mtr", "--mirror", "mirror"]);
    fine(&desk, &["enroll", "Ann Lee", "Bob Smith", "Cid Blue"]);
    erase_a_line(&book_in(&desk, "store"), "Bob Smith");
    // The next commands do not wipe it in the mirror too.
    for words in [&["players"][..], &["note", "the hall opens"], &["tournaments"]] {
        let said = desk.run(words);
        assert_eq!(said.code, 0, "{words:?}: {}", said.all());
        let mirrored = fs::read_to_string(book_in(&desk, "mirror")).expect("a book");
        assert!(mirrored.contains("Bob Smith"), "{words:?}: {}", said.all());
        assert!(said.err.contains("[mirror-book]"), "{words:?}: {}", said.all());
    }
    let said = desk.run(&["verify"]);
    assert!(said.code == 1 && said.out.contains("[words-erased]"), "{}", said.all());
    fine(&desk, &["restore", "--from", "mirror"]);
    let said = fine(&desk, &["verify"]);
    assert!(!said.contains("words-erased"), "{said}");
    assert!(fine(&desk, &["players"]).contains("Bob Smith"));
    // Whoever is forgotten is named by the log, and goes from the mirror too.
    fine(&desk, &["forget", "Bob Smith", "--yes"]);
    fine(&desk, &["players"]);
    let mirrored = fs::read_to_string(book_in(&desk, "mirror")).expect("a book");
    assert!(!mirrored.contains("Bob Smith") && mirrored.contains("Ann Lee"), "{mirrored}");
    let said = fine(&desk, &["verify"]);
    assert!(said.contains("1 text is emptied") && said.contains("[words-forgotten]"), "{said}");
}

/// A text that is emptied in the mirror alone, with no event that says so, is written there again.
#[test]
fn a_mirror_that_forgot_somebody_by_itself_gets_the_name_again() {
    let desk = Desk::new();
    fine(&desk, &["new", "Friday Modern", "--rules", "mtr", "--mirror", "mirror"]);
    fine(&desk, &["enroll", "Ann Lee", "Bob Smith", "Cid Blue"]);
    erase_a_line(&book_in(&desk, "mirror"), "Bob Smith");
    // Where the store lacks nothing, there is nothing to bring back.
    assert_eq!(desk.run(&["restore", "--from", "mirror"]).code, 2);
    assert!(fine(&desk, &["players"]).contains("Bob Smith"));
    erase_a_line(&book_in(&desk, "mirror"), "Ann Lee");
    fine(&desk, &["note", "the hall opens"]);
    let mirrored = fs::read_to_string(book_in(&desk, "mirror")).expect("a book");
    assert!(mirrored.contains("Ann Lee"), "{mirrored}");
}

/// Killed behind the event and before the texts, `forget` is told by verify and finished by the
/// next one.
#[test]
fn what_forget_left_undone_is_told_and_finished() {
    let desk = Desk::new();
    fine(&desk, &["new", "Friday Modern", "--rules", "mtr"]);
    fine(&desk, &["enroll", "Ann Lee", "Bob Smith", "Cid Blue"]);
    let book = book_in(&desk, "store");
    let before = fs::read(&book).expect("a book");
    fine(&desk, &["forget", "Bob Smith", "--yes"]);
    fs::write(&book, before).expect("written");
    let said = fine(&desk, &["verify"]);
    assert!(said.contains("[forget-unfinished]"), "{said}");
    let head = fine(&desk, &["log"]).lines().count();
    fine(&desk, &["forget", "2", "--yes"]);
    assert_eq!(holding(&desk, "Bob Smith"), Vec::<PathBuf>::new());
    assert_eq!(fine(&desk, &["log"]).lines().count(), head, "the log says it once");
    assert!(!fine(&desk, &["verify"]).contains("[forget-unfinished]"));
}

/// Whoever forgets somebody is named by the event, and nobody takes it back.
#[test]
fn who_forgot_somebody_is_named_and_it_is_not_undone() {
    let desk = Desk::new();
    fine(&desk, &["new", "Friday Modern", "--rules", "mtr"]);
    fine(&desk, &["enroll", "Ann Lee", "Bob Smith", "Cid Blue"]);
    fine(&desk, &["forget", "Bob Smith", "--yes", "--as", "Eve Judge"]);
    let log = fine(&desk, &["log", "--limit", "1"]);
    assert!(log.contains("Eve Judge") && log.contains("1 text forgotten"), "{log}");
    let last = log.lines().last().and_then(|line| line.split_whitespace().next()).expect("a seq");
    for words in [&["undo", "--as", "Eve Judge"][..], &["withdraw", last, "--reason", "a slip"]] {
        let said = desk.run(words);
        assert!(said.code == 1 && said.err.contains("[cannot-withdraw]"), "{}", said.all());
    }
    assert_eq!(fine(&desk, &["log", "--limit", "1"]), log, "nothing was recorded");
}

/// What is exported from a store in which somebody erased a name says so.
#[test]
fn an_export_says_that_a_name_was_taken_away() {
    let desk = Desk::new();
    fine(&desk, &["new", "Friday Modern", "--rules", "mtr"]);
    fine(&desk, &["enroll", "Ann Lee", "Bob Smith", "Cid Blue"]);
    erase_a_line(&book_in(&desk, "store"), "Bob Smith");
    let said = fine(&desk, &["export", "--roster", "--output", "names.bundle"]);
    assert!(said.contains("no event says that they were forgotten: 1 text"), "{said}");
    let said = fine(&desk, &["bundle", "verify", "names.bundle"]);
    assert!(said.contains("[words-missing]"), "{said}");
    let said = fine(&desk, &["--store", "copy", "bundle", "import", "names.bundle"]);
    assert!(said.contains("[words-missing]"), "{said}");
}
