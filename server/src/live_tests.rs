//! Streams go on from every event, whoever watched before.

use super::*;
use crate::pages::kit::{Hall, enrolled};
use scrutineer_desk::desk::{Desk, Means};
use scrutineer_desk::orders::{Close, Note, Pair, Publish, Undo};
use scrutineer_engine::book::Commitment;
use scrutineer_engine::event::{NoteAdded, TextsForgotten};
use scrutineer_engine::record::{Actor, Time};
use std::sync::atomic::{AtomicBool, Ordering};

/// The frames in some bytes: id, name, data.
fn frames(bytes: &[u8]) -> Vec<(u64, String, String)> {
    let text = std::str::from_utf8(bytes).expect("text");
    let field = |frame: &str, name: &str| {
        let line = frame.lines().find_map(|line| line.strip_prefix(name));
        line.unwrap_or_default().to_string()
    };
    let read = |frame: &str| {
        let id = field(frame, "id: ").parse().unwrap_or(0);
        (id, field(frame, "event: "), field(frame, "data: "))
    };
    text.split("\n\n").filter(|frame| !frame.is_empty()).map(read).collect()
}

fn events(bytes: &[u8]) -> Vec<(u64, String, String)> {
    frames(bytes).into_iter().filter(|(_, name, _)| name != "head").collect()
}

/// A tournament with all that is told of: two rounds, a correction, a dispute, its end.
fn played(hall: &Hall, each: impl Fn(&Hall)) {
    let act = |what: &dyn Fn(&Hall)| {
        what(hall);
        each(hall);
    };
    act(&|hall| hall.order(Pair::default()));
    act(&|hall| hall.order(Publish {}));
    act(&|hall| hall.slip("2 2-1"));
    act(&|hall| hall.dispute(1));
    act(&|hall| hall.correct("2 1-2"));
    act(&|hall| hall.play_on());
    act(&|hall| ["1 2-0", "2 2-0", "3 2-0"].into_iter().for_each(|slip| hall.slip(slip)));
    act(&|hall| hall.order(Close::default()));
}

#[test]
fn a_stream_goes_on_after_every_event_with_exactly_the_rest() {
    let (hall, live) = (enrolled(), Live::default());
    // The first one watches from the beginning, and is told as it happens.
    let mut first = live.watch(&hall.store, hall.stream, Some(0), Viewer::Drafts).expect("watched");
    let told = std::cell::RefCell::new(events(&first.missed().expect("told")));
    let first = std::cell::RefCell::new(first);
    played(&hall, |hall| {
        live.publish(&hall.store, hall.stream);
        let missed = first.borrow_mut().missed().expect("told");
        told.borrow_mut().extend(events(&missed));
    });
    let told = told.into_inner();
    let names: Vec<&str> = told.iter().map(|(_, name, _)| name.as_str()).collect();
    for name in ["draft", "published", "result", "corrected", "dispute", "standings", "closed"] {
        assert!(names.contains(&name), "{name} is missing: {names:?}");
    }
    assert!(told.is_sorted_by(|one, other| one.0 < other.0), "{told:?}");
    let head = hall.store.log().head(hall.stream).expect("a head").seq;
    for sees_drafts in [true, false] {
        let viewer = if sees_drafts { Viewer::Drafts } else { Viewer::Everybody };
        let staff = |name: &str| ["draft", "dispute", "claim"].contains(&name);
        let all: Vec<_> =
            told.iter().filter(|one| sees_drafts || !staff(&one.1)).cloned().collect();
        for after in 0..=head {
            let rest: Vec<_> = all.iter().filter(|(id, ..)| *id > after).cloned().collect();
            // From the ring, and after a restart from the log.
            for live in [&live, &Live::default()] {
                let watching = live.watch(&hall.store, hall.stream, Some(after), viewer);
                let bytes = watching.expect("watched").missed().expect("told");
                assert_eq!(events(&bytes), rest, "after {after}");
                let last = frames(&bytes).pop().expect("a head");
                assert_eq!((last.0, last.1.as_str()), (head, "head"));
            }
        }
        // One that is not there yet, as after another store was put in place.
        let ahead = live.watch(&hall.store, hall.stream, Some(head + 1), viewer);
        assert!(ahead.expect("watched").missed().is_none());
    }
}

#[test]
fn nobody_outside_is_told_of_a_draft() {
    let (hall, live) = (enrolled(), Live::default());
    let mut outside =
        live.watch(&hall.store, hall.stream, None, Viewer::Everybody).expect("watched");
    assert_eq!(frames(&outside.missed().expect("told")).len(), 1);
    hall.order(Pair::default());
    live.publish(&hall.store, hall.stream);
    assert!(outside.missed().expect("nothing").is_empty());
    hall.order(Publish {});
    live.publish(&hall.store, hall.stream);
    let told = frames(&outside.missed().expect("told"));
    let names: Vec<&str> = told.iter().map(|(_, name, _)| name.as_str()).collect();
    assert_eq!(names, ["published", "head"]);
    assert!(outside.missed().expect("nothing").is_empty());
}

/// Somebody was forgotten behind a draft, and open pages kept the name until the round was out.
#[test]
fn who_looks_at_a_name_is_told_that_it_is_gone_also_behind_what_is_public() {
    let (hall, live) = (enrolled(), Live::default());
    hall.order(Pair::default());
    let watch = || live.watch(&hall.store, hall.stream, None, Viewer::Everybody).expect("watched");
    let mut outside = watch();
    outside.missed().expect("told");
    let forgotten: Event = TextsForgotten { numbers: vec![2] }.into();
    let clock = || Time { unix_micros: 1_795_255_200_000_000 };
    let random = || Ok([7; 32]);
    let means = Means { actor: Actor(1), clock: &clock, random: &random };
    let desk = Desk::at(&hall.store, hall.stream, means);
    desk.record(&mut |_, _| Ok(vec![forgotten.clone()])).expect("recorded");
    live.publish(&hall.store, hall.stream);
    let told = frames(&outside.missed().expect("told"));
    assert_eq!(told, [(0, "forgotten".to_string(), "{}".to_string())]);
    assert!(outside.missed().expect("nothing").is_empty());
    // Whoever comes now has a page without it.
    let names = frames(&watch().missed().expect("told"));
    assert!(names.iter().all(|(_, name, _)| name == "head"), "{names:?}");
}

/// Where results are hidden, the number of tables of a draft stood for that of the missing results.
#[test]
fn how_many_results_are_missing_tells_nobody_of_a_draft() {
    let hall = enrolled();
    hall.order(Pair::default());
    hall.order(Publish {});
    hall.all_in();
    let told = || {
        let state = state_of(&hall.store, hall.stream).expect("read");
        public_head(&state, 1, "00")
    };
    let before = told();
    assert_eq!((&before["round"], &before["missing"]), (&1.into(), &0.into()));
    hall.order(Pair::default());
    assert_eq!(told(), before);
    hall.order(Publish {});
    assert_eq!((&told()["round"], &told()["missing"]), (&2.into(), &3.into()));
}

#[test]
fn who_missed_more_than_the_ring_holds_is_told_to_load_the_page() {
    let mut told = Told::at(Head::default(), Tournament::default());
    let note = Event::NoteAdded(NoteAdded {
        about: None,
        note: Commitment { number: 1, digest: [0; 32] },
    });
    (1..=RING + 1).for_each(|seq| told.tell(seq, String::new(), &note));
    let head = told.state.head();
    let bell = watch::Sender::new(());
    let watched = Arc::new(Watched { told: RwLock::new(told), bell });
    let watching = |after| Watching {
        bell: watched.bell.subscribe(),
        watched: Arc::clone(&watched),
        viewer: Viewer::Drafts,
        after: Some(after),
        changes: (0, 0),
        has_begun: false,
    };
    assert!(watching(0).missed().is_none());
    assert!(watching(1).missed().is_some() && watching(head).missed().is_some());
}

#[test]
fn what_is_told_as_it_is_comes_once_and_as_it_was_last() {
    let (hall, live) = (enrolled(), Live::default());
    let clock = |ends: u64| json!({ "ends": ends });
    // Nobody watches.
    live.tell(hall.stream, "floor", &clock(0), true);
    let mut outside =
        live.watch(&hall.store, hall.stream, None, Viewer::Everybody).expect("watched");
    let mut inside = live.watch(&hall.store, hall.stream, None, Viewer::Drafts).expect("watched");
    assert_eq!(frames(&outside.missed().expect("a head")).len(), 1);
    live.tell(hall.stream, "floor", &clock(1), true);
    live.tell(hall.stream, "calls", &clock(0), false);
    live.tell(hall.stream, "floor", &clock(2), true);
    let floor = (0, "floor".to_string(), r#"{"ends":2}"#.to_string());
    assert_eq!(frames(&outside.missed().expect("told")), [floor]);
    assert!(outside.missed().expect("nothing").is_empty());
    let names: Vec<String> =
        frames(&inside.missed().expect("told")).into_iter().map(|(_, name, _)| name).collect();
    assert_eq!(names, ["head", "calls", "floor"]);
}

/// A judge's phone was not told that the second laptop is not heard any more.
#[test]
fn judges_are_told_what_is_for_the_staff_and_of_no_draft() {
    let (hall, live) = (enrolled(), Live::default());
    let watch = |role| {
        let watching = live.watch(&hall.store, hall.stream, None, Viewer::of(role));
        let mut watching = watching.expect("watched");
        watching.missed().expect("a head");
        watching
    };
    let (mut judge, mut outside) = (watch(Role::Judge), watch(Role::Public));
    hall.order(Pair::default());
    live.publish(&hall.store, hall.stream);
    live.tell_staff("second");
    let second = (0, "second".to_string(), "{}".to_string());
    assert_eq!(frames(&judge.missed().expect("told")), [second]);
    assert!(outside.missed().expect("nothing").is_empty());
}

#[test]
fn a_shorter_log_is_another_one() {
    let (hall, live) = (enrolled(), Live::default());
    hall.order(Pair::default());
    let mut watching = live.watch(&hall.store, hall.stream, None, Viewer::Drafts).expect("watched");
    let other = enrolled();
    // As after an older copy was put in place: there the tournament's log is shorter.
    live.publish(&other.store, hall.stream);
    assert!(watching.missed().is_none());
    assert_eq!(live.count(), 0);
}

#[test]
fn a_result_that_is_taken_back_is_told_to_everybody() {
    let (hall, live) = (enrolled(), Live::default());
    hall.order(Pair::default());
    hall.order(Publish {});
    hall.slip("1 2-0");
    let mut outside =
        live.watch(&hall.store, hall.stream, None, Viewer::Everybody).expect("watched");
    outside.missed().expect("a head");
    let mut told = || {
        hall.order(Undo::default());
        live.publish(&hall.store, hall.stream);
        let events = events(&outside.missed().expect("told"));
        let (_, name, data) = events.last().expect("an event").clone();
        (name, serde_json::from_str::<Value>(&data).expect("JSON"))
    };
    let (name, data) = told();
    assert_eq!(
        (name.as_str(), data),
        ("missing", json!({ "round": 1, "table": 1, "missing": 3, "postponed": 0 }))
    );
    // Under a correction the result that it corrected stands again.
    hall.slip("2 2-1");
    hall.correct("2 1-2");
    let (name, data) = told();
    assert_eq!(
        (name.as_str(), &data["score"], &data["missing"]),
        ("corrected", &json!("2-1"), &json!(2))
    );
}

#[test]
fn nobody_who_watches_is_sent_away_while_several_tell_at_once() {
    let (hall, live, is_over) = (enrolled(), Live::default(), AtomicBool::new(false));
    let mut watching = live.watch(&hall.store, hall.stream, None, Viewer::Drafts).expect("watched");
    std::thread::scope(|scope| {
        for _ in 0..3 {
            scope.spawn(|| {
                while !is_over.load(Ordering::Relaxed) {
                    live.publish(&hall.store, hall.stream);
                }
            });
        }
        for number in 0..200 {
            hall.order(Note { text: format!("note {number}"), about: None });
        }
        is_over.store(true, Ordering::Relaxed);
    });
    live.publish(&hall.store, hall.stream);
    let told = frames(&watching.missed().expect("the log only grew"));
    let head = hall.store.log().head(hall.stream).expect("a head").seq;
    assert_eq!(told.last().map(|(seq, ..)| *seq), Some(head));
}

#[test]
fn players_are_told_at_once_that_a_round_is_not_out_any_more() {
    let (hall, live) = (enrolled(), Live::default());
    hall.order(Pair::default());
    hall.order(Publish {});
    let mut player =
        live.watch(&hall.store, hall.stream, None, Viewer::Player(1)).expect("watched");
    player.missed().expect("a head");
    let seq = hall.store.log().head(hall.stream).expect("a head").seq;
    hall.order(Undo { seq: Some(seq), ..Undo::default() });
    live.publish(&hall.store, hall.stream);
    let told = frames(&player.missed().expect("told"));
    let names: Vec<&str> = told.iter().map(|(_, name, _)| name.as_str()).collect();
    assert_eq!(names, ["unpublished"]);
}

/// The floor page of a judge and the screen kept the tables of a round that was taken back, until it was out again:
/// a tap there put it out for everybody.
#[test]
fn everybody_is_told_at_once_that_a_round_was_taken_back_by_no_event_that_they_may_not_know() {
    let (hall, live) = (enrolled(), Live::default());
    hall.order(Pair::default());
    hall.order(Publish {});
    let out = hall.store.log().head(hall.stream).expect("a head").seq;
    let watched = |viewer| {
        let mut one = live.watch(&hall.store, hall.stream, None, viewer).expect("watched");
        let begun = one.missed().expect("a head");
        (one, events(&begun))
    };
    let mut both = [Viewer::Everybody, Viewer::Staff].map(|viewer| watched(viewer).0);
    hall.order(Undo { seq: Some(out), ..Undo::default() });
    live.publish(&hall.store, hall.stream);
    let away = (0, "unpublished".to_string(), r#"{"round":1}"#.to_string());
    for one in &mut both {
        let told = frames(&one.missed().expect("told"));
        assert_eq!(told.last(), Some(&away));
        assert!(
            told.iter().all(|(id, ..)| *id <= out),
            "the stream goes on where it was: {told:?}"
        );
        assert!(one.missed().expect("nothing").is_empty());
    }
    // Whoever comes now has a page without its tables, and would load it again for ever.
    assert!(watched(Viewer::Everybody).1.is_empty());
    hall.order(Publish {});
    live.publish(&hall.store, hall.stream);
    for one in &mut both {
        let told = events(&one.missed().expect("told"));
        let names: Vec<&str> = told.iter().map(|(_, name, _)| name.as_str()).collect();
        assert_eq!(names, ["unpublished", "published"]);
        assert!(told.iter().all(|(id, ..)| *id > out), "{told:?}");
    }
}

/// The closing was undone, and pages and programs went on to show the end.
#[test]
fn everybody_is_told_that_a_tournament_goes_on_whose_closing_was_taken_back() {
    let (hall, live) = (enrolled(), Live::default());
    played(&hall, |_| {});
    let closed = state_of(&hall.store, hall.stream).expect("read").closed();
    let mut all = [Viewer::Everybody, Viewer::Drafts, Viewer::Player(1)].map(|viewer| {
        let mut one = live.watch(&hall.store, hall.stream, None, viewer).expect("watched");
        one.missed().expect("a head");
        one
    });
    hall.order(Undo { seq: closed, ..Undo::default() });
    live.publish(&hall.store, hall.stream);
    for one in &mut all {
        let told = events(&one.missed().expect("told"));
        let names: Vec<&str> = told.iter().map(|(_, name, _)| name.as_str()).collect();
        assert_eq!(names, ["reopened"]);
    }
}

/// Phones of those who did not go on showed the round before until the next one was out.
#[test]
fn players_are_told_at_once_of_a_cut_and_that_it_was_taken_back() {
    use scrutineer_desk::orders::{Cut, Order};
    let (hall, live) = (enrolled(), Live::default());
    hall.order(Pair::default());
    hall.order(Publish {});
    hall.all_in();
    let mut player =
        live.watch(&hall.store, hall.stream, None, Viewer::Player(1)).expect("watched");
    player.missed().expect("a head");
    let cut = Cut { top: Some(4), ..Cut::default() };
    for order in [Order::from(cut), Order::from(Undo::default())] {
        hall.order(order);
        live.publish(&hall.store, hall.stream);
        let told = events(&player.missed().expect("told"));
        // The standings by which the cut is made are announced with it.
        let names = told.iter().map(|(_, name, _)| name.as_str());
        assert_eq!(names.filter(|name| *name != "standings").collect::<Vec<_>>(), ["own-cut"]);
    }
}

/// Standings that had been hidden were announced, and open pages of players did not hear of it.
#[test]
fn players_are_told_that_standings_were_announced_and_of_which_event_they_are_not() {
    use scrutineer_desk::orders::Announce;
    let (hall, live) = (enrolled(), Live::default());
    hall.order(Pair::default());
    hall.order(Publish {});
    hall.all_in();
    let mut player =
        live.watch(&hall.store, hall.stream, None, Viewer::Player(1)).expect("watched");
    player.missed().expect("a head");
    hall.order(Announce::default());
    live.publish(&hall.store, hall.stream);
    let told = events(&player.missed().expect("told"));
    let told: Vec<(&str, &str)> =
        told.iter().map(|(_, name, data)| (name.as_str(), data.as_str())).collect();
    assert!(!told.is_empty() && told.iter().all(|one| *one == ("standings", "{}")), "{told:?}");
}

/// A table was moved, and its players' phones sent them to where it had been until they were loaded by hand.
#[test]
fn who_sits_elsewhere_in_a_published_round_is_told_and_so_is_everybody() {
    use scrutineer_desk::orders::SetPairing;
    let (hall, live) = (enrolled(), Live::default());
    hall.order(Pair::default());
    hall.order(Publish {});
    let state = hall.store.load(hall.stream, false).expect("loaded").state;
    let [moved, stays] =
        [1, 2].map(|table| state.at_table(1, table).expect("a table").seats()[0].player);
    let seats = state.at_table(1, 1).expect("a table").seats();
    let players = seats.iter().map(|seat| format!("#{}", seat.player)).collect();
    let watched = |viewer| {
        let mut one = live.watch(&hall.store, hall.stream, None, viewer).expect("watched");
        one.missed().expect("a head");
        one
    };
    let viewers = [Viewer::Player(moved), Viewer::Player(stays), Viewer::Everybody];
    let mut all = viewers.map(watched);
    hall.order(SetPairing { players, table: Some(9), reason: "stairs".into() });
    live.publish(&hall.store, hall.stream);
    let [own, others, everybody] = all.each_mut().map(|one| events(&one.missed().expect("told")));
    let names = |told: &[(u64, String, String)]| -> Vec<String> {
        told.iter().map(|(_, name, _)| name.clone()).collect()
    };
    assert_eq!(names(&own), ["own-pairing", "own-pairing"], "off one table and on to another");
    assert!(others.is_empty(), "{others:?}");
    assert_eq!(names(&everybody), ["pairing", "pairing"]);
    let last: Value = serde_json::from_str(&everybody[1].2).expect("JSON");
    assert_eq!(last, json!({ "round": 1, "missing": 3, "postponed": 0 }));
}

/// A check-in that was undone, and a pairing, stayed on the phone: "You are checked in", "Round 1 is being prepared".
#[test]
fn a_player_is_told_of_each_undo_that_concerns_them() {
    use scrutineer_desk::orders::{Bye, ByeAskedFor, CheckIn, Drop};
    let (hall, live) = (enrolled(), Live::default());
    let watched = |player| {
        let viewer = Viewer::Player(player);
        let mut one = live.watch(&hall.store, hall.stream, None, viewer).expect("watched");
        one.missed().expect("a head");
        one
    };
    let (mut first, mut second) = (watched(1), watched(2));
    let names = |watching: &mut Watching| -> Vec<String> {
        let told = frames(&watching.missed().expect("told"));
        told.into_iter().map(|(_, name, _)| name).collect()
    };
    let player = || "#1".to_string();
    let undone = |first: &mut Watching, second: &mut Watching, undo: Undo| {
        live.publish(&hall.store, hall.stream);
        let _ = (first.missed(), second.missed());
        hall.order(undo);
        live.publish(&hall.store, hall.stream);
        (names(first), names(second))
    };
    let told = |name: &str| (vec![name.to_string()], Vec::new());
    hall.order(CheckIn { player: player() });
    let here = hall.store.load(hall.stream, false).expect("loaded").state.checked_in_at(1);
    let undo = Undo { seq: here, ..Undo::default() };
    assert_eq!(undone(&mut first, &mut second, undo), told("own-player"));
    hall.order(Drop { player: player(), no_show: false });
    assert_eq!(undone(&mut first, &mut second, Undo::default()), told("own-player"));
    hall.order(Bye { player: player(), round: 2, kind: ByeAskedFor::Half });
    assert_eq!(undone(&mut first, &mut second, Undo::default()), told("own-player"));
    hall.order(Pair::default());
    let both = vec!["own-draft".to_string()];
    assert_eq!(undone(&mut first, &mut second, Undo::default()), (both.clone(), both));
}
