//! What a publisher is told, and that it is what the logs say.

use super::*;
use crate::desk::Slip;
use crate::kit::{Hall, SECOND, public};
use crate::public::{Policy, ShownName};
use scrutineer_engine::record::Time;

const EFFORT: Effort<'static> = Effort { threads: 2, patience: None, keys: None, shown: None };

fn asked(hall: &Hall, reviews: &Reviews, wanted: &Wanted) -> ReviewAnswer {
    reviews.review(&hall.store, wanted, EFFORT).expect("readable")
}

fn all(hall: &Hall) -> ReviewAnswer {
    asked(hall, &Reviews::default(), &Wanted::default())
}

fn whats(answer: &ReviewAnswer) -> Vec<(&str, u64)> {
    answer.changes.iter().map(|row| (&row.what[..], row.seq)).collect()
}

/// A tournament in which nothing was put right is one of which nothing is told.
#[test]
fn a_quiet_tournament_is_counted_and_says_nothing() {
    let answer = all(&Hall::new());
    assert_eq!((answer.tournaments, answer.changes.len(), answer.verified), (1, 0, 0));
    assert!(answer.next.is_none() && answer.not_read.is_empty());
}

#[test]
fn a_correction_is_told_with_its_reason_and_with_who_moves() {
    let hall = Hall::new();
    let before = hall.store.load(hall.stream, true).expect("readable");
    hall.at(|desk| {
        let slip = Slip { table: 1, score: "0-2" };
        desk.correct(Some(1), slip, "read upside down", None).expect("corrected");
    });
    let after = hall.store.load(hall.stream, true).expect("readable");
    let answer = all(&hall);
    let [row] = &answer.changes[..] else { panic!("{:?}", answer.changes) };
    assert_eq!((&row.what[..], row.seq), ("correction", after.state.head()));
    assert!(row.sentence.ends_with("read upside down"), "{}", row.sentence);
    assert_eq!(row.tournament.title.as_deref(), Some("Trust"));
    let what_if = crate::what_if::WhatIf::of(&before, &after, None).expect("compared");
    let mut wanted: Vec<(u32, u32, u32)> =
        what_if.compared.moves.iter().map(|one| (one.player, one.first, one.second)).collect();
    wanted.sort_unstable();
    let moves = row.moves.as_ref().expect("ranked");
    let mut found: Vec<(u32, u32, u32)> =
        moves.iter().map(|one| (one.player.number, one.before, one.after)).collect();
    found.sort_unstable();
    assert!(!wanted.is_empty() && found == wanted, "{found:?} {wanted:?}");
}

/// A publisher had brought in the audit of a tournament beside the copy that its venue pushes, and read "(not public)" for
/// each reason all the same.
#[test]
fn of_a_copy_names_are_those_that_its_venue_shows_and_reasons_those_that_were_brought_in() {
    let hall = Hall::new();
    hall.at(|desk| {
        let slip = Slip { table: 1, score: "0-2" };
        desk.correct(Some(1), slip, "read upside down", None).expect("corrected");
    });
    let policy = Policy { names: ShownName::Initials, ..Policy::default() };
    let names = |stream| {
        let public = hall.store.public(stream, hall.public_head(), &policy).ok()?;
        public.books().book(stream).ok()
    };
    let effort = Effort { shown: Some(&names), ..EFFORT };
    let answer = Reviews::default().review(&hall.store, &Wanted::default(), effort);
    let answer = answer.expect("readable");
    let [row] = &answer.changes[..] else { panic!("{:?}", answer.changes) };
    assert!(row.sentence.ends_with("read upside down"), "{}", row.sentence);
    let is_named = ["Ann", "Bob", "Cid", "Dee"].iter().any(|name| row.sentence.contains(name));
    assert!(!is_named, "{}", row.sentence);
}

/// The column of what it was stood empty for a corrected result, on the page and in the table.
#[test]
fn a_corrected_result_says_what_stood_there_before() {
    let hall = Hall::new();
    hall.at(|desk| {
        desk.enter(Slip { table: 1, score: "2-0" }).expect("entered");
        let slip = Slip { table: 1, score: "1-2" };
        desk.correct(None, slip, "read upside down", None).expect("corrected");
    });
    let answer = all(&hall);
    let [row] = &answer.changes[..] else { panic!("{:?}", answer.changes) };
    let was = row.was.as_deref().expect("it took the place of a result");
    assert!(was.starts_with("R2 T1 ") && was.contains("2-0"), "{was}");
    assert!(row.sentence.contains(" 2-1 "), "{}", row.sentence);
}

/// Who put somebody out of a tournament, and why, was in no review: neither was who let them in again.
#[test]
fn a_disqualification_is_a_penalty_with_its_reason_and_its_effect_and_so_is_its_end() {
    let hall = Hall::new();
    hall.at(|desk| {
        desk.disqualify(1, "marked cards").expect("disqualified");
    });
    let answer = all(&hall);
    let [row] = &answer.changes[..] else { panic!("{:?}", answer.changes) };
    assert_eq!(row.what, "penalty");
    assert!(row.sentence.contains("is disqualified"), "{}", row.sentence);
    assert!(row.sentence.ends_with(": marked cards"), "{}", row.sentence);
    assert!(row.moves.as_ref().is_some_and(|moves| !moves.is_empty()), "{row:?}");
    hall.at(|desk| {
        desk.reinstate(1, false, "the judge erred").expect("back");
    });
    let answer = all(&hall);
    assert_eq!(answer.changes.len(), 2, "{:?}", answer.changes);
    let only = Wanted { only: Some(What::Penalty), ..Wanted::default() };
    let penalties = asked(&hall, &Reviews::default(), &only);
    assert!(penalties.changes.iter().any(|row| row.sentence.contains("is disqualified")));
}

/// `verify` and the review said that nothing was wrong where the server knew that a log was rewritten.
#[test]
fn a_log_that_is_known_to_be_rewritten_is_a_finding_however_long_ago_it_was_verified() {
    use crate::store::{Followed, Fork};
    let (hall, reviews) = (Hall::new(), Reviews::default());
    let verify = Wanted { verify: true, ..Wanted::default() };
    assert!(asked(&hall, &reviews, &verify).findings.is_empty());
    let checkpoint = hall.sign().to_string();
    let fork = Fork { seq: Some(7), kept: 9, is_same_key: true, checkpoint, restored: None };
    let followed =
        Followed { from: "pushed by North".into(), forked: Some(fork), ..Followed::default() };
    hall.store.keep_followed(hall.stream, &followed).expect("kept");
    // An auditor who did not ask to verify read a page that said nothing of it.
    for wanted in [&verify, &Wanted::default()] {
        let answer = asked(&hall, &reviews, wanted);
        let [found] = &answer.findings[..] else { panic!("{:?}", answer.findings) };
        let found_as = (&found.code[..], &found.severity[..], found.seq);
        assert_eq!(found_as, ("log-re-signed", "error", 7));
        assert!(found.sentence.contains("was rewritten"), "{}", found.sentence);
    }
    let own = crate::verify::verify_tournament(&hall.store, hall.stream).expect("readable");
    assert!(!own.holds());
}

#[test]
fn what_was_withdrawn_says_what_it_was_and_disputes_and_keys_are_told() {
    let hall = Hall::new();
    hall.at(|desk| {
        desk.change_signer(public(SECOND), "a new laptop").expect("recorded");
        let entered = desk.enter(Slip { table: 1, score: "2-0" }).expect("entered");
        desk.withdraw(entered.done.first_seq, "another table").expect("withdrawn");
    });
    let answer = all(&hall);
    let kinds: Vec<&str> = answer.changes.iter().map(|row| &row.what[..]).collect();
    assert_eq!(kinds, ["correction", "key"]);
    let was = answer.changes[0].was.as_deref().expect("it took something back");
    assert!(was.starts_with("R2 T1 "), "{was}");
    assert!(answer.changes[0].moves.is_some());
    assert!(answer.changes[1].sentence.contains("a new laptop"));
    assert!(answer.changes[1].moves.is_none(), "a key moves nobody");
    let only = |what| Wanted { only: Some(what), ..Wanted::default() };
    let reviews = Reviews::default();
    assert_eq!(asked(&hall, &reviews, &only(What::Key)).changes.len(), 1);
    assert_eq!(asked(&hall, &reviews, &only(What::Dispute)).changes.len(), 0);
}

#[test]
fn rows_are_asked_for_by_time_person_and_tournament_and_go_on_behind_the_last() {
    let hall = Hall::new();
    for reason in ["one", "two", "three"] {
        hall.at(|desk| {
            let entered = desk.enter(Slip { table: 1, score: "2-0" }).expect("entered");
            desk.withdraw(entered.done.first_seq, reason).expect("withdrawn");
        });
    }
    let reviews = Reviews::default();
    let of = |wanted: &Wanted| asked(&hall, &reviews, wanted);
    let whole = of(&Wanted::default());
    assert_eq!(whole.changes.len(), 3);
    let mut seqs: Vec<u64> = whole.changes.iter().map(|row| row.seq).collect();
    assert!(seqs.is_sorted_by(|a, b| a > b), "the newest first: {seqs:?}");
    // Page by page gives every row once.
    let (mut paged, mut before) = (Vec::new(), None);
    for _ in 0..3 {
        let page = of(&Wanted { most: Some(1), before, ..Wanted::default() });
        paged.extend(page.changes.iter().map(|row| row.seq));
        before = page.next.as_deref().and_then(Cursor::read);
    }
    assert!(before.is_none());
    seqs.sort_unstable_by(|a, b| b.cmp(a));
    assert_eq!(paged, seqs);
    let last = hall.records().last().expect("a record").header().time;
    let later = Time { unix_micros: last.unix_micros + 1 };
    assert_eq!(of(&Wanted { since: Some(later), ..Wanted::default() }).changes.len(), 0);
    assert_eq!(of(&Wanted { until: Some(later), ..Wanted::default() }).changes.len(), 3);
    let by = |person: &str| of(&Wanted { person: person.into(), ..Wanted::default() });
    assert_eq!((by("ACTOR 1").changes.len(), by("zoe").changes.len()), (3, 0));
    let in_it = |name: &str| Wanted { tournament: name.into(), ..Wanted::default() };
    assert_eq!(of(&in_it("tru")).changes.len(), 3);
    assert_eq!(of(&in_it(&hall.stream.to_string()[..8])).changes.len(), 3);
    let refused = reviews.review(&hall.store, &in_it("nowhere"), EFFORT).expect_err("none");
    assert_eq!(refused.code.word, "unknown-tournament");
}

/// What is kept is kept for a head, and no name is.
#[test]
fn what_is_kept_ends_with_the_head_and_holds_no_name() {
    let hall = Hall::new();
    let reviews = Reviews::default();
    let withdrawn = |reason: &str| {
        hall.at(|desk| {
            let entered = desk.enter(Slip { table: 1, score: "2-0" }).expect("entered");
            desk.withdraw(entered.done.first_seq, reason).expect("withdrawn");
        });
    };
    withdrawn("Ann asked for it");
    let of = |wanted: &Wanted| asked(&hall, &reviews, wanted);
    assert_eq!(of(&Wanted::default()).changes.len(), 1);
    withdrawn("again");
    assert_eq!(of(&Wanted::default()).changes.len(), 2, "a tournament that went on is read again");
    let book = hall.store.books().book(hall.stream).expect("readable");
    let words = book.entries().filter(|entry| entry.text.contains("Ann")).map(|entry| entry.number);
    let words: Vec<u32> = words.collect();
    // As where another program empties texts: the head stays as it is.
    hall.store.books().forget(hall.stream, &words).expect("forgotten");
    let told = serde_json::to_string(&of(&Wanted::default())).expect("JSON");
    assert!(!told.contains("Ann"), "{told}");
}

#[test]
fn findings_are_those_of_verify_and_are_kept_until_the_tournament_goes_on() {
    let hall = Hall::new();
    let reviews = Reviews::default();
    let verify = Wanted { verify: true, notes: true, ..Wanted::default() };
    let found = crate::verify::verify_tournament(&hall.store, hall.stream).expect("readable");
    let answer = asked(&hall, &reviews, &verify);
    assert_eq!(answer.verified, 1);
    let codes = |answer: &ReviewAnswer| -> Vec<String> {
        answer.findings.iter().map(|one| one.code.clone()).collect()
    };
    assert_eq!(codes(&answer), found.findings.iter().map(|f| f.code).collect::<Vec<_>>());
    // What is only good to know is told where it is asked for.
    let quiet = asked(&hall, &reviews, &Wanted { notes: false, ..verify.clone() });
    assert!(codes(&quiet).is_empty() && !codes(&answer).is_empty());
    // Who has no time is told how many are verified.
    let effort = Effort { patience: Some(Duration::ZERO), ..EFFORT };
    let hurried = Reviews::default().review(&hall.store, &verify, effort).expect("readable");
    assert_eq!((hurried.verified, hurried.tournaments), (0, 1));
    // A text that somebody took away is an error, and told without being asked for.
    let book = hall.store.books().book(hall.stream).expect("readable");
    let ann = book.entries().find(|entry| entry.text == "Ann").expect("she is there").number;
    hall.store.books().forget(hall.stream, &[ann]).expect("taken away");
    let fresh = Reviews::default();
    let wrong = asked(&hall, &fresh, &Wanted { notes: false, ..verify });
    assert_eq!(codes(&wrong), ["words-erased"]);
    assert_eq!(wrong.findings[0].severity, "error");
}

#[test]
fn days_and_times_are_read_and_numbers_are_not() {
    let of = |text: &str, is_end| day_or_time(text, is_end).map(|time| time.unix_micros);
    let day = of("2026-11-21", false).expect("a day");
    assert_eq!(of("2026-11-21", true).expect("its end") - day, 24 * 3_600 * 1_000_000 - 1);
    let noon = of("2026-11-21T12:00:00Z", false).expect("a time");
    assert_eq!(noon, 1_795_262_400_000_000);
    for wrong in ["57", "yesterday", "", "14:05", "2026-13-01"] {
        assert!(of(wrong, false).is_err(), "{wrong}");
    }
}

#[test]
fn a_cursor_is_read_as_it_was_written_and_nothing_else_is_one() {
    let hall = Hall::new();
    let header = hall.records().last().expect("a record").header();
    let cursor = Cursor::of(hall.stream, &header);
    assert_eq!(Cursor::read(&cursor.to_string()), Some(cursor));
    for wrong in ["", "1", "1.2", "x.00.1", "1.zz.1", "1.00.x"] {
        assert_eq!(Cursor::read(wrong), None, "{wrong}");
    }
    assert!(whats(&all(&hall)).is_empty());
}
