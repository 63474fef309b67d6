//! Swiss then cut, two days, brackets: what is true in the field of players who advance and of
//! those who do not.

use crate::script::{Told, games_sheet, number, on_mtr, seat_sheet, tell};
use scrutineer_engine::event::{
    Event, Imported, Origin, PairingMade, RoundOpened, RoundWeight, Seat, TournamentClosed,
    UnknownFact,
};
use scrutineer_projections::bracket_rounds::bracket_round;
use scrutineer_projections::crosstable::{FoldError, Scope};
use scrutineer_projections::ruleset::Library;
use scrutineer_projections::standings::{Decided, Detail, Standings};
use std::sync::Arc;

/// Two Swiss rounds of six, and a top four: Ann 2-0, Bob and Cid and Dee 1-1, Eve 1-1, Fay 0-2.
const SWISS: &str = "
    players Ann Bob Cid Dee Eve Fay
    round
    Ann 2-0 Bob
    Cid 2-1 Dee
    Eve 2-0 Fay
    round
    Ann 2-0 Cid
    Bob 2-0 Eve
    Dee 2-0 Fay
    ";

fn swiss_then(rest: &str) -> Told {
    tell(games_sheet(Some(3)), &format!("{SWISS}{rest}"))
}

const TOP_FOUR: &str = "phase single elimination: Ann Bob Cid Dee
    round
    Dee 2-0 Ann
    Cid 2-1 Bob
    ";

fn after(told: &Told, rules: &str, round: u16) -> Standings {
    told.standings_in(rules, Scope { through: Some(round), final_order: Some(true) })
}

/// It was called a semi-final, since four are left.
#[test]
fn the_only_table_of_a_cut_of_pods_is_the_final() {
    let mut told = tell(
        seat_sheet(&["vp"]),
        "players Ann Bob Cid Dee\nphase single elimination: Ann Bob Cid Dee",
    );
    told.desk.record(RoundOpened {
        round: 1,
        phase: 1,
        phase_round: 1,
        weight: RoundWeight::ONE,
        drawn: None,
    });
    let seats = (1..=4).map(|player| Seat { player, role: 0 });
    told.desk.record(PairingMade {
        round: 1,
        table: Some(1),
        seats: seats.collect(),
        group: None,
        bracket_slot: None,
        origin: Origin::AS_GIVEN,
    });
    assert_eq!(bracket_round(&told.desk.state, 1).as_deref(), Some("final"));
    let two = tell(
        games_sheet(Some(3)),
        "players Ann Bob Cid Dee\nphase single elimination: Ann Bob Cid Dee\nround\nAnn 2-0 Dee\nBob 2-0 Cid",
    );
    assert_eq!(bracket_round(&two.desk.state, 1).as_deref(), Some("semi-final"));
}

#[test]
fn whoever_goes_out_later_stands_higher_and_of_equals_the_better_of_the_swiss_rounds() {
    let told = swiss_then(&format!("{TOP_FOUR}round\nCid 2-0 Dee"));
    let standings = told.standings("mtr");
    let order = told.order(&standings);
    assert_eq!(order[..4], ["Cid", "Dee", "Ann", "Bob"], "{order:?}");
    assert_eq!(order[4..], told.order(&after(&told, "mtr", 2))[4..], "the others as before");
    let decided: Vec<Decided> = standings.rows.iter().map(|row| row.decided).collect();
    assert_eq!(decided[4], Decided::Phase);
    assert_eq!(decided[1..3], [Decided::Step(0), Decided::Step(0)]);
}

#[test]
fn under_mtr_the_cut_gives_no_points_and_under_melee_it_did_for_those_in_it() {
    let told = swiss_then(&format!("{TOP_FOUR}round\nCid 2-0 Dee"));
    let points = |rules: &str, name: &str| told.value(&told.standings(rules), name, "points");
    for (name, mtr, melee) in [("Ann", "6", "6"), ("Cid", "3", "9"), ("Dee", "3", "6")] {
        assert_eq!(points("mtr", name), number(mtr), "{name}");
        assert_eq!(points("melee-2025-11", name), number(mtr), "{name}, no longer");
        assert_eq!(points("melee-2024-06", name), number(melee), "{name}");
    }
}

#[test]
fn who_does_not_advance_keeps_what_stood_at_the_end_of_his_last_phase() {
    let told = swiss_then(&format!("{TOP_FOUR}round\nCid 2-0 Dee"));
    let (then, now) = (after(&told, "melee-2024-06", 2), told.standings("melee-2024-06"));
    for name in ["Eve", "Fay"] {
        for measure in ["points", "omw", "gw", "ogw"] {
            let (then, now) = (told.value(&then, name, measure), told.value(&now, name, measure));
            assert_eq!(then, now, "{measure} of {name}");
        }
    }
    // Ann's own percentage did change: she lost in the cut.
    assert_ne!(told.value(&then, "Ann", "match_win"), told.value(&now, "Ann", "match_win"));
}

#[test]
fn points_carry_on_into_a_second_day() {
    let told = swiss_then(
        "phase swiss: Ann Bob Cid Dee
         round
         Bob 2-0 Ann
         Cid 2-0 Dee",
    );
    let standings = told.standings("mtr");
    assert_eq!(told.value(&standings, "Bob", "points"), number("6"));
    assert_eq!(told.value(&standings, "Bob", "rounds"), number("3"));
    // Eve has as many points as Dee and the better games, and stands below: she stayed behind.
    let order = told.order(&standings);
    assert_eq!(order[3..5], ["Dee", "Eve"], "{order:?}");
    // Eve's opponent Bob won on the second day; hers are those of the first.
    assert_eq!(
        told.value(&standings, "Eve", "omw"),
        told.value(&after(&told, "mtr", 2), "Eve", "omw")
    );
}

#[test]
fn who_plays_in_a_phase_belongs_to_it_from_that_round_on() {
    // Fay is last after day one, and let in for the second round of day two.
    let told = swiss_then(
        "phase swiss: Ann Bob Cid Dee
         round
         Bob 2-0 Ann
         Cid 2-0 Dee
         round
         Bob 2-0 Fay
         Cid 2-0 Ann",
    );
    let place = |round| {
        let standings = after(&told, "mtr", round);
        standings.rows.iter().position(|row| row.player == told.number("Fay")).expect("a row")
    };
    assert_eq!((place(3), place(4)), (5, 4), "she passes Eve, who stayed behind");
}

#[test]
fn a_cut_that_has_been_made_ranks_its_entrants_first() {
    // Bob declined; Eve takes their place.
    let told = swiss_then("phase single elimination: Ann Cid Dee Eve");
    let standings = told.standings("mtr");
    let order = told.order(&standings);
    assert_eq!(order[4], "Bob", "{order:?}");
    assert_eq!(standings.rows[4].decided, Decided::Phase);
    assert_eq!(told.order(&after(&told, "mtr", 2))[0], "Ann", "after round 2 there was no cut");
    assert!(after(&told, "mtr", 2).rows.iter().all(|row| row.decided != Decided::Phase));
}

#[test]
fn in_the_middle_of_a_round_losers_stand_below_those_who_still_play() {
    let told = swiss_then(
        "phase single elimination: Ann Bob Cid Dee
         round
         Dee 2-0 Ann
         Bob meets Cid",
    );
    assert_eq!(told.order(&told.standings("mtr"))[3], "Ann");
}

#[test]
fn who_goes_home_before_the_final_is_second() {
    let told = swiss_then(&format!("{TOP_FOUR}Dee drops\nround\nCid vacant"));
    assert_eq!(told.order(&told.standings("mtr"))[..4], ["Cid", "Dee", "Ann", "Bob"]);
}

#[test]
fn who_sat_at_no_table_of_a_bracket_went_out_in_its_first_round() {
    let mut told = swiss_then("phase single elimination: Ann Bob Cid Dee\nround\nDee 2-0 Ann");
    told.desk.record(TournamentClosed {});
    let standings = told.standings_under(&on_mtr("[measures.out]\nfact = \"knocked_out\"\n"));
    told.assert_values(
        &standings,
        "player out
         Dee    4
         Ann    3
         Bob    3
         Cid    3
         Eve    0",
    );
}

/// The order of an event that still runs holds until it is closed, and for its earlier rounds also
/// afterwards.
#[test]
fn the_running_order_holds_until_the_event_is_closed() {
    let mut told = tell(
        games_sheet(Some(3)),
        "players Ann Bob Cid Dee
         round
         Ann 2-0 Bob
         Cid 2-1 Dee
         round
         Ann 2-0 Cid
         Bob 2-0 Dee",
    );
    let rules = on_mtr("running_order = [\"points\"]\n");
    let through = |told: &Told, through| {
        let scope = Scope { through, final_order: None };
        let standings = Standings::of(&told.desk.state, &rules, scope, Detail::All);
        told.order(&standings.expect("it folds")).join(", ")
    };
    assert_eq!(through(&told, None), "Ann, Bob Cid, Dee");
    assert_eq!(through(&told, Some(2)), "Ann, Bob Cid, Dee");
    told.desk.record(TournamentClosed {});
    assert_eq!(through(&told, None), "Ann, Bob, Cid, Dee");
    assert_eq!(through(&told, Some(2)), "Ann, Bob, Cid, Dee");
    assert_eq!(through(&told, Some(1)), "Ann Cid, Bob Dee");
}

#[test]
fn who_is_advanced_by_ruling_did_not_lose() {
    let told = swiss_then(
        "phase single elimination: Ann Bob
         round
         Ann 1-1 Bob
         Bob advances over Ann",
    );
    assert_eq!(told.order(&told.standings("mtr"))[..2], ["Bob", "Ann"]);
}

#[test]
fn finalists_who_draw_stand_by_their_swiss_rounds() {
    let told = swiss_then("phase single elimination: Ann Bob\nround\nBob 1-1 Ann");
    assert_eq!(told.order(&told.standings("mtr"))[..2], ["Ann", "Bob"]);
}

/// Four by seed; D comes back from below and beats A twice.
const DOUBLE: &str = "
    players A B C D
    phase double elimination: A B C D
    round
    A beats D
    B beats C
    round
    A beats B
    D beats C
    round
    D beats B
    round
    D beats A
    round
    D beats A
    ";

#[test]
fn in_double_elimination_the_second_loss_puts_out() {
    let told = tell(seat_sheet(&["match_points"]), DOUBLE);
    assert_eq!(told.order(&told.standings("netrunner")), ["D", "A", "B", "C"]);
    let out = |name| told.value(&told.standings("netrunner"), name, "knocked_out");
    assert_eq!(["C", "B", "A", "D"].map(out), ["2", "3", "5", "6"].map(number));
    // Before the second final both have lost once; A is the higher seed.
    assert_eq!(told.order(&after(&told, "netrunner", 4)), ["A", "D", "B", "C"]);
}

#[test]
fn players_out_in_one_round_stand_by_seed_where_the_ruleset_says_so() {
    let told = tell(
        seat_sheet(&["match_points"]),
        "players A B C D
         round
         A 6-0 B
         C 6-0 D
         phase single elimination: D B A C
         round
         A beats D
         C beats B",
    );
    let order = told.order(&told.standings("netrunner"));
    assert_eq!(order, ["A", "C", "D", "B"], "D is the first seed, B the second");
}

#[test]
fn seeds_are_those_of_the_phase_that_is_known() {
    let told = swiss_then(TOP_FOUR);
    let mut library = Library::shipped();
    let text = "name = \"Seeds\"\nedition = \"1\"\nsource = \"a test\"\nextends = \"mtr\"\n\
                order = [{ lowest = \"seed\" }]\n[measures.seed]\nfact = \"seed\"\n";
    let id = library.load_file("seeds.toml", text).expect("a ruleset");
    let rules = Arc::new(library.ruleset(&id).expect("a ruleset"));
    let seed_of_dee = |state, through| {
        let scope = Scope { through, final_order: None };
        let standings = Standings::of(state, &rules, scope, Detail::Order)?;
        Ok::<_, FoldError>(told.value(&standings, "Dee", "seed"))
    };
    let state = &told.desk.state;
    assert_eq!(seed_of_dee(state, None), Ok(number("4")));
    assert_eq!(seed_of_dee(state, Some(2)), Ok(number("4")), "by sign-up, as the first phase");

    let mut events: Vec<Event> = told.desk.events.clone();
    let imported = Imported {
        source_file: [0; 32],
        source_event: crate::script::WORDS,
        format: "csv".to_owned(),
        file: crate::script::WORDS,
        unknown: vec![UnknownFact::Seeds],
    };
    events.push(Event::Imported(imported));
    let unknown = scrutineer_engine::tournament::Tournament::of(&events);
    let refused = seed_of_dee(&unknown, None);
    let expected = FoldError::UnknownFact { ruleset: "seeds".into(), fact: UnknownFact::Seeds };
    assert_eq!(refused, Err(expected));
}
