//! Players whom nothing tells apart but the matches among themselves.

use crate::script::{Told, games_sheet, on_mtr, tell};
use scrutineer_engine::event::Scoresheet;
use scrutineer_projections::ruleset::{Library, Step};
use std::sync::Arc;

/// The order by points, and of equal ones by the matches among them.
fn order(told: &Told, step: &str) -> String {
    let rules = on_mtr(&format!("order = [\"points\", {{ head_to_head = {step} }}]\n"));
    told.order(&told.standings_under(&rules)).join(", ")
}

fn assert_orders(text: &str, expected: [(&str, &str); 3]) {
    let told = tell(games_sheet(Some(3)), text);
    for (step, expected) in expected {
        assert_eq!(order(&told, step), expected, "{step}");
    }
}

/// Ann, Bob and Cid have 6 points, Dee 9; Eve and Fay have 4 and met twice.
const ALL_MET: &str = "
    players Ann Bob Cid Dee Eve Fay
    round
    Ann 2-0 Bob
    Cid 2-0 Dee
    Eve 2-0 Fay
    round
    Ann 2-0 Cid
    Bob 2-0 Eve
    Dee 2-0 Fay
    round
    Dee 2-0 Ann
    Bob 2-0 Cid
    Eve 1-1-1 Fay
    round
    Fay 2-0 Ann
    Dee 2-0 Bob
    Cid 2-0 Eve
    ";

#[test]
fn where_all_of_them_have_met_their_matches_decide() {
    assert_orders(
        ALL_MET,
        [
            ("\"all_met\"", "Dee, Ann, Bob, Cid, Eve, Fay"),
            // Eve won one of her two matches against Fay: that is not to have beaten her.
            ("\"beat_all\"", "Dee, Ann, Bob, Cid, Eve Fay"),
            ("\"certain\"", "Dee, Ann, Bob, Cid, Eve, Fay"),
        ],
    );
}

#[test]
fn only_pairs_leaves_three_as_they_are() {
    let told = tell(games_sheet(Some(3)), ALL_MET);
    let found = order(&told, "\"all_met\", only_pairs = true");
    assert_eq!(found, "Dee, Ann Bob Cid, Eve, Fay");
}

#[test]
fn who_beat_each_other_in_a_circle_stay_tied() {
    let circle = "
        players Ann Bob Cid Dee
        round
        Ann 2-0 Bob
        Cid 2-0 Dee
        round
        Cid 2-0 Ann
        Bob 2-0 Dee
        round
        Bob 2-0 Cid
        Ann 2-0 Dee
        ";
    let tied = "Ann Bob Cid, Dee";
    assert_orders(circle, [("\"all_met\"", tied), ("\"beat_all\"", tied), ("\"certain\"", tied)]);
}

#[test]
fn who_beat_every_other_is_first_also_where_the_others_never_met() {
    let text = "
        players Ann Bob Cid Dee Eve Fay
        round
        Ann 2-0 Bob
        Cid 2-0 Dee
        Eve 1-1-1 Fay
        round
        Ann 2-0 Cid
        Bob 2-0 Eve
        Dee 1-1-1 Fay
        round
        Dee 2-0 Ann
        Bob 2-0 Fay
        Cid 2-0 Eve
        ";
    assert_orders(
        text,
        [
            ("\"all_met\"", "Ann Bob Cid, Dee, Fay, Eve"),
            ("\"beat_all\"", "Ann, Bob Cid, Dee, Fay, Eve"),
            ("\"certain\"", "Ann, Bob Cid, Dee, Fay, Eve"),
        ],
    );
}

#[test]
fn not_to_have_met_somebody_is_not_to_have_beaten_him() {
    // Ann beat Bob, Bob beat Cid; Ann and Cid never met.
    let text = "
        players Ann Bob Cid Dee Eve Fay
        round
        Ann 2-0 Bob
        Cid 2-0 Dee
        Eve 2-0 Fay
        round
        Eve 2-0 Ann
        Bob 2-0 Cid
        Dee 1-1-1 Fay
        ";
    let tied = "Eve, Ann Bob Cid, Dee Fay";
    assert_orders(text, [("\"all_met\"", tied), ("\"beat_all\"", tied), ("\"certain\"", tied)]);
}

#[test]
fn a_forfeited_table_is_no_match_between_them() {
    let text = "
        players Ann Bob Cid Dee
        round
        Bob forfeits to Ann
        Cid 2-0 Dee
        round
        Bob 2-0 Dee
        Cid 2-0 Ann
        ";
    // Were it one, Ann would stand before Bob.
    let tied = "Cid, Ann Bob, Dee";
    assert_orders(text, [("\"all_met\"", tied), ("\"beat_all\"", tied), ("\"certain\"", tied)]);
}

/// Ann has 7 points against the three who are tied with her. Bob and Cid could come to 6 among
/// them, Dee to 7: what is missing may bring her level.
#[test]
fn who_could_still_be_caught_is_not_certainly_first() {
    let text = "
        players Ann Bob Cid Dee Eve Fay Gus Hal
        round
        Ann 2-0 Bob
        Cid 2-0 Eve
        Dee 2-0 Fay
        Hal 2-0 Gus
        round
        Ann 2-0 Cid
        Bob 2-0 Eve
        Dee 2-0 Gus
        Hal 2-0 Fay
        round
        Ann 1-1-1 Dee
        Bob 2-0 Fay
        Cid 2-0 Gus
        Hal 2-0 Eve
        round
        Hal 2-0 Ann
        Bob 1-1-1 Gus
        Cid 1-1-1 Fay
        Eve 2-0 Dee
        ";
    let tied = "Hal, Ann Bob Cid Dee, Eve, Fay Gus";
    assert_orders(text, [("\"all_met\"", tied), ("\"beat_all\"", tied), ("\"certain\"", tied)]);
}

/// Cid has 2 1/2 points, Dee 1 1/2, Ann and Bob 1 each, and Bob forfeited their game.
const ROBIN: &str = "
    players Ann Bob Cid Dee
    phase PHASE
    round
    Bob forfeits to Ann
    Cid draws Dee
    round
    Cid beats Ann
    Bob beats Dee
    round
    Cid beats Bob
    Dee beats Ann
    ";

const CHESS: &str = "fide-buchholz-2026+ties=shared";

#[test]
fn in_a_round_robin_a_forfeit_counts_for_direct_encounter_and_in_a_swiss_it_does_not() {
    let order = |phase: &str| {
        let told = tell(Scoresheet::default(), &ROBIN.replace("PHASE", phase));
        let text = "name = \"T\"\nedition = \"1\"\nsource = \"a test\"\n\
                    extends = \"fide-buchholz-2026\"\nties = \"shared\"\n\
                    order = [\"points\", { head_to_head = \"certain\", \
                    forfeits_in = [\"round_robin\"] }]\n";
        let mut library = Library::shipped();
        let id = library.load_file("t.toml", text).expect("a file");
        let rules = Arc::new(library.ruleset(&id).expect("a ruleset"));
        told.order(&told.standings_under(&rules)).join(", ")
    };
    assert_eq!(order("round robin"), "Cid, Dee, Ann, Bob");
    assert_eq!(order("swiss"), "Cid, Dee, Ann Bob");
    let shipped = Library::shipped().ruleset("fide-buchholz-2024").expect("it is shipped");
    let counts = |step: &Step| matches!(step, Step::HeadToHead { forfeits_in, .. } if !forfeits_in.is_empty());
    assert!(shipped.order.iter().any(counts));
}

/// Cid and Dee have half of what there is.
#[test]
fn koya_counts_the_points_against_those_who_scored_half() {
    let told = tell(Scoresheet::default(), &ROBIN.replace("PHASE", "round robin"));
    let expected = "player koya
         Ann    0
         Bob    1
         Cid    0.5
         Dee    0.5";
    told.assert_values(&told.standings(CHESS), expected);
}
