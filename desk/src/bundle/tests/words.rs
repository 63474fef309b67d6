//! Private words that come with one bundle, and those that come with another.

use super::*;
use crate::bundle::import::Appending;
use crate::bundle::{Imported, Signatures, import};
use crate::desk::{Desk, Enrolment, Latecomer, Means};
use crate::keys::Key;
use crate::kit::{FIRST, SECOND, THIRD, public};
use crate::store::Store;
use scrutineer_engine::book::{Field, commit};
use scrutineer_engine::record::{Actor, StreamId, Time};
use std::sync::atomic::{AtomicU32, Ordering};

fn exported_from(store: &Store, hall: &Hall, give: Give) -> Vec<u8> {
    let mut bytes = Vec::new();
    write(store, hall.stream, give, &mut bytes).expect("written");
    bytes
}

/// What an earlier bundle did not give, a later one of the same tournament does: names, then the rest.
#[test]
fn names_and_secrets_come_later() {
    let hall = Hall::new();
    let store = Store::in_memory();
    let all = hall.store.books().book(hall.stream).expect("readable");
    let words =
        |store: &Store| store.books().book(hall.stream).expect("readable").entries().count();
    brought(&store, &exported(&hall, Give::Nothing)).expect("brought in");
    assert_eq!(words(&store), 0);
    let bytes = exported(&hall, Give::Roster);
    let names = Imported::Known { beyond: 0, words: 5, secrets: 0 };
    assert_eq!(brought(&store, &bytes).expect("known"), names);
    assert_eq!(exported_from(&store, &hall, Give::Roster), bytes);
    let bytes = exported(&hall, Give::Audit);
    let rest = all.entries().count() as u64 - 5;
    let reasons = Imported::Known { beyond: 0, words: rest, secrets: 0 };
    assert_eq!(brought(&store, &bytes).expect("known"), reasons);
    assert_eq!(exported_from(&store, &hall, Give::Audit), bytes);
    let bytes = exported(&hall, Give::Handover);
    let secrets = Imported::Known { beyond: 0, words: 0, secrets: 1 };
    assert_eq!(brought(&store, &bytes).expect("known"), secrets);
    assert_eq!(exported_from(&store, &hall, Give::Handover), bytes);
    let again = Imported::Known { beyond: 0, words: 0, secrets: 0 };
    assert_eq!(brought(&store, &bytes).expect("known"), again);
}

/// Somebody who was forgotten here does not come back with a bundle.
#[test]
fn who_was_forgotten_stays_so() {
    let hall = Hall::new();
    let store = Store::in_memory();
    brought(&store, &exported(&hall, Give::Roster)).expect("brought in");
    let book = store.books().book(hall.stream).expect("readable");
    let ann = book.entries().find(|entry| entry.text == "Ann").expect("she is there").number;
    store.books().forget(hall.stream, &[ann]).expect("forgotten");
    brought(&store, &exported(&hall, Give::Handover)).expect("known");
    let book = store.books().book(hall.stream).expect("readable");
    assert!(book.entries().any(|entry| entry.text == "Bob"));
    assert!(!book.entries().any(|entry| entry.text == "Ann"));
}

/// An import that failed between the words and the records left words behind; the records that
/// come in later commit to others.
#[test]
fn words_of_an_import_that_failed_do_not_stand_for_others() {
    for give in [Give::Nothing, Give::Roster, Give::Handover] {
        let hall = Hall::new();
        let store = Store::in_memory();
        brought(&store, &exported(&hall, Give::Handover)).expect("brought in");
        let next = store.books().next_number(hall.stream).expect("readable");
        let left = ["Mallory", "a reason", "more"].into_iter().zip(next..);
        let left: Vec<PrivateEntry> = left
            .map(|(text, number)| PrivateEntry {
                number,
                field: Field::Name,
                salt: [9; 32],
                text: text.into(),
            })
            .collect();
        store.books().append(hall.stream, &left).expect("kept");
        hall.at(|desk| {
            let people = [Enrolment { name: "Eve".into(), ..Enrolment::default() }];
            desk.enroll(&people, Latecomer::AsRuled).expect("she enrolls");
            desk.note("late", None).expect("noted");
        });
        brought(&store, &exported(&hall, give)).expect("more of it");
        let event = store.load(hall.stream, true).expect("it loads");
        let found = crate::verify::verify_tournament(&store, hall.stream).expect("readable");
        assert!(found.holds(), "{give:?}: {:?}", found.findings);
        let last = event.state.players().len() as u32;
        let named = event.book.entries().any(|entry| entry.text == "Eve");
        assert_eq!((last, named), (5, give != Give::Nothing), "{give:?}");
        assert!(!event.book.entries().any(|entry| entry.text == "Mallory"));
        // A later one gives what this one did not.
        brought(&store, &exported(&hall, Give::Handover)).expect("known");
        let bytes = exported(&hall, Give::Handover);
        assert_eq!(exported_from(&store, &hall, Give::Handover), bytes, "{give:?}");
    }
}

/// An auditor gets every text and no secret of any seed; one that is missing among them is told,
/// though the file does not say what it means to give.
#[test]
fn an_audit_gives_every_reason_and_no_secret() {
    let hall = Hall::new();
    hall.at(|desk| desk.note("table 1 was moved", None).expect("noted"));
    let parts = Parts::of(&exported(&hall, Give::Audit));
    let book = hall.store.books().book(hall.stream).expect("readable");
    assert_eq!(parts.entries.len(), book.entries().count());
    assert!(parts.entries.iter().any(|entry| entry.field == Field::Note));
    let text = String::from_utf8(exported(&hall, Give::Audit)).expect("text");
    for secret in hall.store.secrets(hall.stream).expect("kept") {
        assert!(!text.contains(&scrutineer_engine::record::to_hex(&secret)));
    }
    assert!(text.contains("\"private\":false"));
    assert!(checked(text.as_bytes(), None, &[]).holds());
    assert_eq!(codes(&checked(text.as_bytes(), None, &[]).findings), [""; 0]);
    let mut parts = Parts::of(text.as_bytes());
    let at = parts.entries.iter().position(|entry| entry.field == Field::Name).expect("a name");
    parts.entries.remove(at);
    assert_eq!(codes(&checked(&parts.spell(), None, &[]).findings), ["words-missing"]);
    let mut parts = Parts::of(text.as_bytes());
    let reasons = |entry: &PrivateEntry| entry.field == Field::Reason;
    if let Some(at) = parts.entries.iter().position(reasons) {
        parts.entries.remove(at);
        assert_eq!(codes(&checked(&parts.spell(), None, &[]).findings), ["words-missing"]);
    }
    // Who pairs on there has no secret.
    let store = Store::in_memory();
    brought(&store, text.as_bytes()).expect("brought in");
    assert!(store.secrets(hall.stream).expect("readable").is_empty());
    let found = crate::verify::verify_tournament(&store, hall.stream).expect("readable");
    assert!(found.holds(), "{:?}", found.findings);
}

/// Words that a terminal would act on are in no event that a scorekeeper could have recorded.
#[test]
fn a_name_with_a_control_character_is_refused() {
    let hall = Hall::new();
    let mut parts = Parts::of(&exported(&hall, Give::Roster));
    let at = parts.entries.iter().position(|entry| entry.text == "Ann").expect("she is there");
    parts.entries[at].text = "Ann\u{1b}[2J".into();
    let words = commit(hall.stream, &parts.entries[at]);
    parts.records = rechained(&parts.records, 2, |event| {
        let Event::PlayerEnrolled(e) = event else { panic!("{event:?}") };
        e.name = words;
    });
    let found = checked(&parts.spell(), None, &[]);
    assert!(wrong(&found).iter().any(|(code, _)| *code == "entry-not-legal"), "{found:?}");
    assert!(!wrong(&found).iter().any(|(code, _)| *code == "entry-altered"), "{found:?}");
}

/// Whoever writes records behind those of others could commit to a number that is a name's, and so
/// have the name taken out of every book that the bundle comes to.
#[test]
fn a_later_record_takes_no_name_away() {
    let hall = Hall::new();
    let store = Store::in_memory();
    brought(&store, &exported(&hall, Give::Roster)).expect("brought in");
    let book = store.books().book(hall.stream).expect("readable");
    let ann = book.entries().find(|entry| entry.text == "Ann").expect("she is there").number;
    hall.at(|desk| desk.note("nothing", None).expect("noted"));
    let honest = exported(&hall, Give::Nothing);
    let mut parts = Parts::of(&honest);
    let last = parts.records.len() as u64;
    parts.records = rechained(&parts.records, last, |event| {
        let Event::NoteAdded(e) = event else { panic!("{event:?}") };
        (e.note.number, e.note.digest) = (ann, [7; 32]);
    });
    let bytes = parts.spell();
    assert_eq!(wrong(&checked(&bytes, None, &[])), [("commitment-twice", last)]);
    let refused = brought(&store, &bytes).expect_err("refused");
    assert_eq!(refused.code(), "bundle-not-in-order");
    // In a log that somebody wrote by other means it is found too.
    let head = store.log().head(hall.stream).expect("readable");
    let record = parts.records.pop().expect("the note");
    Appending::after(store.log(), head).record(record).expect("appended");
    let found = crate::verify::verify_tournament(&store, hall.stream).expect("readable");
    assert!(found.findings.iter().any(|f| f.code == "commitment-twice" && f.seq == last));
}

/// A number that is only taken is none that was erased: what a bundle never gave can still come, and
/// what was forgotten cannot, whatever sort of text it was.
#[test]
fn a_number_that_is_only_taken_is_told_from_a_text_that_was_forgotten() {
    let hall = Hall::new();
    let store = Store::in_memory();
    brought(&store, &exported(&hall, Give::Nothing)).expect("brought in");
    let book = store.books().book(hall.stream).expect("readable");
    assert_eq!(book.erased().count(), 0, "nobody was forgotten");
    let (stream, number) = (StreamId([5; 16]), 1);
    let entry = PrivateEntry { number, field: Field::Other, salt: [1; 32], text: "x".into() };
    let books = store.books();
    books.append(stream, std::slice::from_ref(&entry)).expect("kept");
    books.forget(stream, &[number]).expect("forgotten");
    assert_eq!(books.mend(stream, &[], &[entry]).expect("mended"), 0);
}

/// A stranger's records behind the organizer's, signed by a key that they named themselves.
#[test]
fn a_forged_continuation_is_not_taken_in_as_it_is() {
    let wanted = |store: &Store, bytes: &[u8]| import(store, &mut held(bytes), Signatures::Wanted);
    let hall = Hall::new();
    let store = Store::in_memory();
    wanted(&store, &exported(&hall, Give::Nothing)).expect("nothing is here yet");
    let had = hall.records().len() as u64;
    hall.at(|desk| desk.change_signer(public(THIRD), "mine").expect("recorded"));
    let history = hall.history();
    let all = history.checkpoint(history.size()).expect("whole");
    let theirs = all.sign([Key::from_secret(&THIRD).signing()]);
    hall.store.keep_checkpoints(hall.stream, &[theirs.to_string()]).expect("kept");
    let bytes = exported(&hall, Give::Nothing);
    assert!(checked(&bytes, None, &[]).holds(), "in order by itself");
    let refused = wanted(&store, &bytes).expect_err("nobody whom the event knows signed it");
    assert_eq!(refused.code(), "not-signed");
    // The holder of the key is told too, and the stranger's own key proves nothing more than that.
    for (key, all) in [(FIRST, false), (THIRD, true)] {
        let found = checked(&bytes, Some(public(key)), &[]);
        assert!(found.holds() && found.is_attested() == all, "{:?}", found.findings);
    }
    // Somebody takes it all the same.
    let taken = brought(&store, &bytes).expect("brought in");
    assert_eq!(taken, Imported::Extended { had, records: had + 1 });
    // The organizer's own change is signed by their old key.
    let hall = Hall::new();
    let store = Store::in_memory();
    wanted(&store, &exported(&hall, Give::Nothing)).expect("nothing is here yet");
    hall.keys.keep(&Key::from_secret(&SECOND)).expect("kept");
    hall.at(|desk| desk.change_signer(public(SECOND), "a new laptop").expect("recorded"));
    hall.sign();
    hall.at(|desk| desk.note("later", None).expect("noted"));
    let unsigned = exported(&hall, Give::Nothing);
    assert_eq!(wanted(&store, &unsigned).expect_err("not all").code(), "not-signed");
    hall.sign();
    wanted(&store, &exported(&hall, Give::Nothing)).expect("the new key stands for it");
}

fn errors(findings: &[scrutineer_replay::verify::Finding]) -> Vec<&str> {
    let wrong = findings
        .iter()
        .filter(|finding| finding.severity == scrutineer_replay::verify::Severity::Error);
    wrong.map(|finding| finding.code).collect()
}

/// Whoever writes their own line under somebody's checkpoints changes nothing: what the organizer
/// signed is kept, and what nobody can check is not.
#[test]
fn lines_that_a_stranger_wrote_under_checkpoints_are_not_kept() {
    let hall = Hall::new();
    let honest = exported(&hall, Give::Nothing);
    let mut parts = Parts::of(&honest);
    for note in &mut parts.notes {
        note.push_str("\u{2014} x AAAAAAA=\n");
    }
    let bytes = parts.spell();
    assert!(checked(&bytes, Some(public(FIRST)), &[]).holds(), "the organizer's are good");
    let (new, known) = (Store::in_memory(), Store::in_memory());
    brought(&known, &honest).expect("brought in");
    for store in [&new, &known] {
        brought(store, &bytes).expect("brought in");
        assert_eq!(exported_from(store, &hall, Give::Nothing), honest);
        let found = crate::verify::verify_tournament(store, hall.stream).expect("readable");
        assert_eq!(errors(&found.findings), [""; 0]);
    }
}

/// Anybody can go on with a tournament that has no key.
#[test]
fn what_stands_behind_an_event_without_a_key_is_not_taken_in_as_it_is() {
    let hall = Hall::without_key();
    let store = Store::in_memory();
    let wanted = |bytes: &[u8]| import(&store, &mut held(bytes), Signatures::Wanted);
    wanted(&exported(&hall, Give::Nothing)).expect("nothing is here yet");
    hall.at(|desk| desk.note("mine", None).expect("noted"));
    let longer = exported(&hall, Give::Nothing);
    let refused = wanted(&longer).expect_err("anybody could have written it");
    assert_eq!(refused.code(), "not-signed");
    hall.at(|desk| desk.change_signer(public(THIRD), "mine").expect("recorded"));
    let named = exported(&hall, Give::Nothing);
    assert_eq!(wanted(&named).expect_err("he named himself").code(), "not-signed");
    brought(&store, &longer).expect("somebody takes it all the same");
}

/// A book that was lost takes its numbers with it: nothing else is ever written under them.
#[test]
fn words_after_a_lost_book_have_numbers_of_their_own() {
    let mut hall = Hall::new();
    let bytes = exported(&hall, Give::Handover);
    let other = Store::in_memory();
    brought(&other, &bytes).expect("brought in");
    other.books().discard(hall.stream).expect("lost");
    hall.store = other;
    let last =
        scrutineer_replay::loaded::last_entry(hall.store.log(), hall.stream).expect("readable");
    hall.at(|desk| desk.note("after that", None).expect("noted"));
    let book = hall.store.books().book(hall.stream).expect("readable");
    assert_eq!(book.entries().map(|entry| entry.number).collect::<Vec<_>>(), [last + 1]);
    let found = crate::verify::verify_tournament(&hall.store, hall.stream).expect("readable");
    assert_eq!(errors(&found.findings), ["words-lost"]);
}

/// What is said of texts.
fn codes(findings: &[scrutineer_replay::bundle::Found]) -> Vec<&str> {
    let codes = findings.iter().map(|found| found.finding.code);
    codes.filter(|code| code.starts_with("words-") || code.starts_with("forget-")).collect()
}

/// The number of a name, and a store in which it stands.
fn with_ann(hall: &Hall) -> (u32, Store) {
    let store = Store::in_memory();
    brought(&store, &exported(hall, Give::Roster)).expect("brought in");
    let book = store.books().book(hall.stream).expect("readable");
    (book.entries().find(|entry| entry.text == "Ann").expect("she is there").number, store)
}

/// A text that was forgotten is missed nowhere; one that somebody took away is, in whatever is
/// exported with it.
#[test]
fn a_bundle_tells_a_forgotten_text_from_one_that_was_taken_away() {
    for give in [Give::Roster, Give::Audit, Give::Handover] {
        let hall = Hall::new();
        let (ann, _) = with_ann(&hall);
        assert_eq!(hall.at(|desk| desk.forget(&[ann]).expect("forgotten")), 1);
        let bytes = exported(&hall, give);
        assert_eq!(codes(&checked(&bytes, None, &[]).findings), ["words-forgotten"], "{give:?}");
        let store = Store::in_memory();
        brought(&store, &bytes).expect("brought in");
        let found = crate::verify::verify_tournament(&store, hall.stream).expect("readable");
        let told = |code| found.findings.iter().find(|finding| finding.code == code);
        assert!(told("words-forgotten").is_some_and(|f| f.sentence.starts_with("1 text")));
        assert_eq!(told("words-missing"), None, "{give:?}");

        let hall = Hall::new();
        hall.store.books().forget(hall.stream, &[ann]).expect("taken away");
        let mut bytes = Vec::new();
        let written = write(&hall.store, hall.stream, give, &mut bytes).expect("written");
        assert_eq!((written.erased, written.missing), (1, 1), "{give:?}");
        assert_eq!(codes(&checked(&bytes, None, &[]).findings), ["words-missing"], "{give:?}");
    }
}

/// A name came back with a backup, and the continuation that forgot it was brought in: it stood in the private texts
/// again, and was pushed and shown.
#[test]
fn a_name_that_came_back_with_a_backup_goes_with_the_continuation_that_forgets_it() {
    let hall = Hall::new();
    let (ann, restored) = with_ann(&hall);
    hall.at(|desk| desk.forget(&[ann]).expect("forgotten"));
    hall.at(|desk| desk.note("the hall closes", None).expect("noted"));
    for give in [Give::Nothing, Give::Roster] {
        brought(&restored, &exported(&hall, give)).expect("more of it");
        let book = restored.books().book(hall.stream).expect("readable");
        assert!(book.entry(ann).is_none() && book.entries().any(|entry| entry.text == "Bob"));
        assert_eq!(restored.load(hall.stream, false).expect("loaded").names[0], "player 1");
        let found = crate::verify::verify_tournament(&restored, hall.stream).expect("readable");
        assert!(found.holds() && !found.findings.iter().any(|f| f.code == "forget-unfinished"));
    }
}

/// A copy that has the name still, as with an older book that was put back, says so, and hands it on to nobody; nor
/// does a forged bundle bring it back.
#[test]
fn a_copy_that_has_a_forgotten_name_says_so_and_gives_it_to_nobody() {
    let hall = Hall::new();
    let (ann, copy) = with_ann(&hall);
    let mut with_her = Parts::of(&exported(&hall, Give::Roster)).entries;
    hall.at(|desk| desk.forget(&[ann]).expect("forgotten"));
    let head = copy.log().head(hall.stream).expect("read");
    let mut appending = Appending::after(copy.log(), head);
    for record in hall.records().into_iter().filter(|record| record.header().seq > head.seq) {
        appending.record(record).expect("appended");
    }
    let found = crate::verify::verify_tournament(&copy, hall.stream).expect("readable");
    assert!(found.holds() && found.findings.iter().any(|f| f.code == "forget-unfinished"));
    for give in [Give::Roster, Give::Audit, Give::Handover] {
        let given = Parts::of(&exported_from(&copy, &hall, give)).entries;
        assert!(given.iter().any(|entry| entry.text == "Bob"));
        assert!(!given.iter().any(|entry| entry.text == "Ann"), "{give:?}");
    }
    let mut parts = Parts::of(&exported(&hall, Give::Roster));
    std::mem::swap(&mut parts.entries, &mut with_her);
    let bytes = parts.spell();
    assert_eq!(codes(&checked(&bytes, None, &[]).findings), ["forget-unfinished"]);
    let store = Store::in_memory();
    brought(&store, &bytes).expect("brought in");
    let book = store.books().book(hall.stream).expect("readable");
    assert!(book.entries().any(|entry| entry.text == "Bob"));
    assert!(!book.entries().any(|entry| entry.text == "Ann"));
}

/// More texts than one event takes are named by several, of one command.
#[test]
fn texts_of_several_events_are_forgotten_together() {
    let hall = Hall::new();
    let named = |at: usize| Enrolment { name: format!("Guest {at}"), ..Enrolment::default() };
    let guests: Vec<Enrolment> = (0..=scrutineer_engine::limits::FORGOTTEN).map(named).collect();
    let drawn = AtomicU32::new(1_u32 << 16);
    let random = || {
        drawn.fetch_add(1, Ordering::Relaxed);
        Ok(*blake3::hash(&drawn.load(Ordering::Relaxed).to_le_bytes()).as_bytes())
    };
    let clock = || Time { unix_micros: 1_795_255_300_000_000 };
    let means = Means { actor: Actor(1), clock: &clock, random: &random };
    let desk = Desk::at(&hall.store, hall.stream, means);
    desk.enroll(&guests, Latecomer::AsRuled).expect("they enroll");
    let book = hall.store.books().book(hall.stream).expect("readable");
    let theirs = book.entries().filter(|entry| entry.text.starts_with("Guest"));
    let theirs: Vec<u32> = theirs.map(|entry| entry.number).collect();
    assert_eq!(desk.forget(&theirs).expect("forgotten"), guests.len());
    let [.., first, second] = &hall.records()[..] else { panic!("two records") };
    let count = |record: &Record| match event(record) {
        Event::TextsForgotten(told) => told.numbers.len(),
        other => panic!("{other:?}"),
    };
    assert_eq!((count(first), count(second)), (guests.len() - 1, 1));
    assert_eq!(first.header().command, second.header().command);
    let found = crate::verify::verify_tournament(&hall.store, hall.stream).expect("readable");
    let told = found.findings.iter().find(|finding| finding.code == "words-forgotten");
    assert!(told.is_some_and(|told| told.sentence.starts_with("1001 texts")), "{told:?}");
    assert_eq!(desk.forget(&theirs).expect("forgotten"), 0, "once");
}
