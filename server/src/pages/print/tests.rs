//! What holds of all that is printed.

use super::super::kit::{HTML, enrolled, hall};
use super::*;
use scrutineer_desk::orders::{Correct, Pair};

const DISPUTED: Wanted = Wanted {
    dispute: Some(1),
    per_sheet: None,
    division: None,
    by_division: false,
    prizes: None,
    round: None,
};

#[test]
fn all_that_is_printed_escapes_names_and_holds_everybody() {
    let hall = hall();
    hall.dispute(2);
    for (what, _) in ALL {
        let html = page(&hall.looked(), what, DISPUTED).expect(what);
        assert!(!html.contains(HTML), "{what}");
        assert!(!html.contains("style="), "{what}: content security forbids it");
        let names = ["Ann Lee", "Cid", "Dee", "Eva", "Fay"];
        if !matches!(what, "dispute" | "bracket" | "missing" | "receipts" | "poster" | "index") {
            assert!(names.iter().all(|name| html.contains(name)), "{what}");
        }
    }
    let error = page(&hall.looked(), "money", DISPUTED).expect_err("not printed");
    assert_eq!(error.code.word, "no-such-page");
}

#[test]
fn the_results_of_an_earlier_round_are_printed_for_the_wall_once_the_next_one_is_paired() {
    let hall = hall();
    hall.all_in();
    hall.order(Pair::default());
    let of = |round| {
        let wanted = Wanted { round, ..Wanted::default() };
        page(&hall.looked(), "pairings-by-table", wanted)
    };
    let (first, last) = (of(Some(1)).expect("a page"), of(None).expect("a page"));
    assert!(first.contains("Round 1") && first.contains("2–0"), "{first}");
    assert!(last.contains("Round 2") && !last.contains("2–0"), "{last}");
    assert_eq!(of(Some(9)).expect_err("no such round").code.word, "no-such-round");
    let index = page(&hall.looked(), "index", Wanted::default()).expect("a page");
    assert!(index.contains("<option>2</option><option>1</option>"), "{index}");
}

#[test]
fn paper_that_would_send_phones_to_this_machine_alone_says_so() {
    let hall = hall();
    let poster = |origin: &str| {
        let looked = Looked { origin: origin.into(), ..hall.looked() };
        page(&looked, "poster", Wanted::default()).expect("a page")
    };
    assert!(!poster("http://192.0.2.7:7780").contains("No phone reaches this server"));
    assert!(poster("http://127.0.0.1:7780").contains("No phone reaches this server"));
    let looked = Looked { origin: "http://127.0.0.1:7780".into(), ..hall.looked() };
    let badges = badges::page(&looked, &Default::default(), false).expect("a page");
    assert!(badges.contains("No phone reaches this server"), "{badges}");
}

#[test]
fn a_receipt_is_printed_for_each_result_and_for_nothing_else() {
    let html = page(&hall().looked(), "receipts", Wanted::default()).expect("a page");
    assert_eq!(html.matches("class=\"strip\"").count(), 1, "one of three is in");
    assert_eq!(html.matches("class=\"qr\"").count(), 1);
}

/// A German receipt said "postponed" and "0-0-3 agreed".
#[test]
fn a_receipt_says_the_result_in_the_words_of_its_language() {
    let hall = hall();
    hall.correct("2 postponed");
    hall.slip("1 id");
    let mut looked = hall.looked();
    looked.language = Language::German;
    let html = page(&looked, "receipts", Wanted::default()).expect("a page");
    for words in ["<b>verlegt</b>", "<b>0–0–3 vereinbart</b>"] {
        assert!(html.contains(words), "{words}: {html}");
    }
}

#[test]
fn runners_get_the_tables_that_are_missing_and_no_others() {
    let html = page(&hall().looked(), "missing", Wanted::default()).expect("a page");
    let rows = html.matches("<th scope=\"row\"").count();
    assert_eq!(rows, 2, "one of three is in");
}

#[test]
fn runners_get_what_is_postponed_with_its_round_until_it_is_played() {
    let hall = hall();
    let sheet = || page(&hall.looked(), "missing", Wanted::default()).expect("a page");
    let rows = || sheet().matches("<th scope=\"row\"").count();
    hall.slip("1 postponed");
    hall.all_in();
    assert!(sheet().contains("Round 1: postponed") && rows() == 1, "{}", sheet());
    assert!(sheet().contains("Postponed matches") && !sheet().contains("missing<"), "{}", sheet());
    hall.play_on();
    assert!(sheet().contains("Round 1: postponed") && rows() == 4, "{}", sheet());
    assert!(sheet().contains("Round 2: results are missing"), "{}", sheet());
    let played = Correct { slip: "1 2-0".into(), reason: "played".into(), ..Correct::default() };
    hall.order(Correct { round: Some(1), ..played });
    assert!(!sheet().contains("postponed") && rows() == 3, "{}", sheet());
    hall.all_in();
    assert!(sheet().contains("Round 2: no result is missing"), "{}", sheet());
}

#[test]
fn what_is_printed_of_a_draft_says_so_on_every_sheet_and_confirms_nothing() {
    let hall = enrolled();
    hall.order(Pair::default());
    for what in ["pairings-by-name", "pairings-by-table", "slips"] {
        let html = page(&hall.looked(), what, Wanted::default()).expect(what);
        assert!(html.contains("class=\"secret\""), "{what}");
        assert!(html.contains("Not public"), "{what}");
    }
    hall.order(scrutineer_desk::orders::Publish {});
    let html = page(&hall.looked(), "slips", Wanted::default()).expect("slips");
    assert!(!html.contains("class=\"secret\""));
}

/// It printed standings that looked like the desk's.
#[test]
fn what_a_replaced_laptop_prints_says_so_on_every_sheet_and_names_the_desk_above() {
    let hall = hall();
    let mut looked = hall.looked();
    let all =
        ["pairings-by-name", "pairings-by-table", "slips", "standings", "cross-by-rank", "poster"];
    let of = |looked: &Looked<'_>, what| page(looked, what, Wanted::default()).expect(what);
    looked.second = Some(crate::second::Line::alarm("it was last heard 9 s ago"));
    for what in all {
        let html = of(&looked, what);
        assert!(html.contains("it was last heard 9 s ago"), "{what}");
        assert!(!html.contains("class=\"secret\""), "the desk prints: {what}");
    }
    let there = "the laptop at 192.0.2.7:7780 is the desk now";
    let line = crate::second::Line::alarm(there);
    looked.second = Some(crate::second::Line { is_replaced: true, ..line });
    for what in all {
        let html = of(&looked, what);
        assert!(html.contains(there), "{what}");
        assert!(html.contains("class=\"secret\">Not from the desk"), "{what}: {html}");
    }
}

/// A photo of a slip told everybody how many points each had.
#[test]
fn paper_names_no_points_while_results_are_hidden() {
    let hall = hall();
    hall.play_on();
    let mut looked = hall.looked();
    let of = |looked: &Looked<'_>, what| page(looked, what, Wanted::default()).expect(what);
    assert!(of(&looked, "slips").contains("<small>3 points</small>"));
    assert!(of(&looked, "pairings-by-table").contains("class=\"pts\""));
    looked.hidden = Some(4);
    assert!(!of(&looked, "slips").contains("<small>"));
    assert!(!of(&looked, "pairings-by-table").contains("class=\"pts\""));
}

/// An arbiter wrote titles and ratings on the wall lists by hand.
#[test]
fn the_wall_of_a_chess_hall_has_titles_and_ratings_but_of_whom_less_is_shown() {
    let rated = |name: &str, title: Option<&str>, rating| scrutineer_desk::orders::Person {
        name: name.into(),
        title: title.map(str::to_string),
        rating: Some(rating),
        ..Default::default()
    };
    let people = vec![rated("Ann Lee", Some("WIM"), 2210), rated("Cid", None, 1850)];
    let hall = super::super::kit::under("fide-buchholz-2026", &[], people);
    hall.order(Pair::default());
    hall.order(scrutineer_desk::orders::Publish {});
    let mut looked = hall.looked();
    for what in ["pairings-by-table", "standings"] {
        let html = page(&looked, what, Wanted::default()).expect(what);
        assert!(html.contains(">WIM Ann Lee 2210<") && html.contains(">Cid 1850<"), "{html}");
    }
    looked.policy.wishes.insert(1, ShownName::Initials);
    let html = page(&looked, "pairings-by-table", Wanted::default()).expect("a page");
    assert!(!html.contains("2210") && html.contains(">Cid 1850<"), "{html}");
}

/// Federations stood on no paper, and the list from which a tournament of chess begins was none.
#[test]
fn the_starting_rank_list_has_everybody_by_number_with_federation_and_rating() {
    let person = |name: &str, title: Option<&str>, federation: &str, rating| {
        scrutineer_desk::orders::Person {
            name: name.into(),
            title: title.map(str::to_string),
            federation: Some(federation.into()),
            rating: Some(rating),
            ..Default::default()
        }
    };
    let people =
        vec![person("Cid", None, "SWE", 1850), person("Ann Lee", Some("WIM"), "NOR", 2210)];
    let hall = super::super::kit::under("fide-swiss-2026", &[], people);
    let mut looked = hall.looked();
    looked.language = Language::German;
    let of = |looked: &Looked<'_>, what| page(looked, what, Wanted::default()).expect(what);
    let list = of(&looked, "starting-ranks");
    let first = list.find("<bdi>WIM Ann Lee</bdi>").expect("Ann");
    assert!(first < list.find("<bdi>Cid</bdi>").expect("Cid"), "{list}");
    for words in [">NOR<", ">2210<", ">SWE<", ">1850<", "Startrangliste", "Föderation"] {
        assert!(list.contains(words), "{words}: {list}");
    }
    let roster = of(&looked, "roster");
    assert!(roster.contains("<bdi>Ann Lee WIM NOR 2210</bdi>"), "{roster}");
    // Ann has the starting rank 1 and signed up as the second.
    assert!(list.contains(">Startrang<"), "{list}");
    assert!(roster.contains("Nummer der Anmeldung, nicht der Startrang"), "{roster}");
    looked.policy.wishes.insert(1, ShownName::Initials);
    let list = of(&looked, "starting-ranks");
    assert!(!list.contains("1850") && !list.contains("SWE") && list.contains("2210"), "{list}");
}

/// An arbiter had the cross table on a screen alone.
#[test]
fn a_cross_table_is_printed_by_place_and_by_starting_rank_with_color_and_result() {
    let person = |name: &str, rating| scrutineer_desk::orders::Person {
        name: name.into(),
        rating: Some(rating),
        ..Default::default()
    };
    let people = vec![person("Cid", 1850), person("Ann Lee", 2210), person("Bob", 2000)];
    let hall = super::super::kit::under("fide-swiss-2026", &[], people);
    hall.order(Pair::default());
    let of = |what| page(&hall.looked(), what, Wanted::default()).expect(what);
    assert!(!of("cross-by-start").contains("class=\"met"), "a draft is on no wall");
    hall.order(scrutineer_desk::orders::Publish {});
    hall.slip("1 1-0");
    let state = hall.store.load(hall.stream, false).expect("loaded").state;
    let seats = state.at_table(1, 1).expect("a table").seats();
    let start = |seat: usize| match seats[seat].player {
        1 => 3,
        2 => 1,
        _ => 2,
    };
    let html = of("cross-by-start");
    assert!(html.contains("class=\"sheet turned\""), "{html}");
    assert!(html.contains(&format!(">{}W1<", start(1))), "{html}");
    assert!(html.contains(&format!(">{}B0<", start(0))), "{html}");
    assert!(html.contains(">U<") && html.contains("U bye"), "{html}");
    assert!(html.find("Ann Lee") < html.find("Bob") && html.find("Bob") < html.find("Cid"));
    // Who lost stands in the third line.
    let html = of("cross-by-rank");
    assert!(html.contains(">3W1<") && html.contains("Cross table by place"), "{html}");
}

/// A round after a drop had a dash where standings have `Z`, and nothing said why a place was a dash.
#[test]
fn a_cross_table_of_chess_marks_who_was_absent_and_names_who_was_disqualified() {
    use scrutineer_desk::orders::{Disqualify, Drop, Person, Publish};
    let names = ["Ann Lee", "Bob", "Cid", "Dee", "Eva", "Fay"];
    let person = |name: &str| Person { name: name.into(), ..Person::default() };
    let people = names.map(person).to_vec();
    let hall = super::super::kit::under("fide-swiss-2026", &[], people);
    let play = || {
        hall.order(Pair::default());
        hall.order(Publish {});
        let state = hall.store.load(hall.stream, false).expect("loaded").state;
        let open = state.matches().filter(|found| found.result().is_none());
        open.filter_map(|found| found.table()).for_each(|table| hall.slip(&format!("{table} 1-0")));
    };
    play();
    hall.order(Drop { player: "#1".into(), no_show: false });
    hall.order(Disqualify { player: "#2".into(), reason: "looked at a phone".into() });
    play();
    for what in ["standings", "cross-by-rank", "cross-by-start"] {
        let html = page(&hall.looked(), what, Wanted::default()).expect(what);
        let row = html.split("<tr>").find(|row| row.contains("Ann Lee")).expect("their row");
        assert!(row.contains(">Z</td>"), "{what}: {row}");
        assert!(what == "standings" || html.contains("<bdi>Bob, disqualified</bdi>"), "{html}");
    }
}

#[test]
fn paper_says_which_division_sits_where() {
    use scrutineer_desk::orders::{Enroll, HowDivided, Person, SetDivision};
    let hall = enrolled();
    let state = hall.store.load(hall.stream, false).expect("loaded").state;
    for player in state.players().iter().map(|player| player.number) {
        let division = Some("Masters".to_string());
        let reason = "by age".to_string();
        hall.order(SetDivision {
            player: format!("#{player}"),
            division,
            reason,
            ..SetDivision::default()
        });
    }
    let person = |at: usize| Person {
        name: format!("Player {at}"),
        division: Some("Junior".into()),
        ..Person::default()
    };
    hall.order(Enroll { people: (0..4).map(person).collect(), ..Enroll::default() });
    hall.order(Pair { divisions: Some(HowDivided::Apart), ..Pair::default() });
    let of = |what| page(&hall.looked(), what, Wanted::default()).expect(what);
    let tables = of("pairings-by-table");
    assert_eq!(tables.matches("<bdi>Masters</bdi>").count(), 3, "{tables}");
    assert_eq!(tables.matches("<bdi>Junior</bdi>").count(), 2, "{tables}");
    assert_eq!(of("slips").matches(" · <bdi>Junior</bdi>").count(), 2);
    let names = of("pairings-by-name");
    assert!(names.contains("Junior: tables ") && names.contains("Masters: tables "), "{names}");
}

#[test]
fn decks_are_checked_by_name_before_anybody_has_a_table() {
    let html = page(&enrolled().looked(), "deck-checks", Wanted::default()).expect("a page");
    assert!(html.contains("Before round 1") && html.contains(">Number<"), "{html}");
    assert_eq!(html.matches("<th scope=\"row\"").count(), 6, "a line a player");
}

#[test]
fn a_bye_of_chess_is_printed_as_a_bye_and_not_as_a_win_by_forfeit() {
    use scrutineer_desk::orders::{Person, Publish};
    let person = |name: &str| Person { name: name.into(), ..Person::default() };
    let people = ["Ann", "Bob", "Cid"].map(person).to_vec();
    let hall = crate::pages::kit::under("fide-swiss-2026", &[], people);
    hall.order(Pair::default());
    hall.order(Publish {});
    hall.slip("1 1-0");
    let html = page(&hall.looked(), "standings", Wanted::default()).expect("a page");
    assert!(html.contains("c-bye\">U</td>") && !html.contains(">+</td>"), "{html}");
    assert!(
        html.contains("U bye · F full-point bye"),
        "the wall says what the letter means: {html}"
    );
}

#[test]
fn the_code_of_a_slip_is_its_table() {
    let svg = code("12").expect("a code");
    assert_eq!(svg.side, 21);
    assert!(svg.path.starts_with("M0 0h7v1h-7z"), "the corner of every code is dark");
}

#[test]
fn the_poster_says_where_everybody_looks() {
    let html = page(&hall().looked(), "poster", Wanted::default()).expect("a page");
    assert!(html.contains("http://192.0.2.7:7780<wbr>/t/"), "{html}");
}

#[test]
fn each_division_has_sheets_of_its_own_with_its_ranges_of_prizes() {
    use scrutineer_desk::orders::{Enroll, Person};
    let hall = enrolled();
    let person = |at: usize| Person {
        name: format!("Player {at}"),
        division: Some(if at < 3 { "junior" } else { "senior" }.into()),
        ..Person::default()
    };
    hall.order(Enroll { people: (0..8).map(person).collect(), ..Enroll::default() });
    hall.order(Pair::default());
    hall.play_on();
    let prizes = Some("1, 2-3".to_string());
    let wanted = Wanted { by_division: true, prizes, ..Wanted::default() };
    let html = page(&hall.looked(), "final", wanted.clone()).expect("a page");
    let heads = ["Prizes: place 1<", "Prizes: places 2–3<", "Without a prize<"];
    // All juniors share the first place, and all other seniors the second: they have its prize.
    assert_eq!(heads.map(|head| html.matches(head).count()), [2, 1, 0], "{html}");
    let few = Wanted { prizes: Some("1".into()), ..wanted.clone() };
    let html = page(&hall.looked(), "final", few).expect("a page");
    assert_eq!(heads.map(|head| html.matches(head).count()), [2, 0, 1], "{html}");
    assert_eq!(html.matches("<section class=\"sheet\">").count(), 2);
    assert!(html.contains("<strong><bdi>junior</bdi></strong>"));
    assert!(!html.contains("Ann Lee"), "she has no division");
    let bad = Wanted { prizes: Some("3-1".into()), ..wanted };
    let refused = page(&hall.looked(), "final", bad).expect_err("no range");
    assert_eq!(refused.code.word, "bad-prizes");
}
