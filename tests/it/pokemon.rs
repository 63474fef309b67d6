//! Play! Pokemon: who drops, who has an earned bye, who never played.

use crate::script::{games_sheet, tell};
use scrutineer_desk::store::prepare;
use scrutineer_projections::crosstable::Scope;
use scrutineer_projections::measure::{Terms, terms};
use scrutineer_projections::ruleset::Library;
use scrutineer_projections::standings::{Detail, Standings};

/// Dee drops after round 1, when Ann, to whom she lost, had won every match; later Ann loses twice.
const DEE_DROPS: &str = "
    players Ann Bob Cid Dee Eve Fay Gus Hal
    round
    Ann 1-0 Dee
    Bob 1-0 Eve
    Cid 1-0 Fay
    Gus 1-0 Hal
    Dee drops
    round
    Bob 1-0 Ann
    Cid 1-0 Gus
    Eve 1-0 Hal
    Fay bye
    round
    Bob 1-0 Cid
    Gus 1-0 Ann
    Fay 1-0 Hal
    Eve bye
    ";

#[test]
fn whoever_drops_keeps_the_percentages_of_that_moment_for_their_own_row() {
    let told = tell(games_sheet(None), DEE_DROPS);
    let standings = told.standings("pokemon");
    told.assert_values(
        &standings,
        "player omw_kept oomw_kept omw
         Dee    1        0.25      1/3
         Hal    0.5556   0.5       5/9",
    );
    let order = told.order(&standings).join(", ");
    assert!(order.ends_with("Dee, Hal"), "{order}");
    // Who asks is told of which moment their value is, not a value of today.
    let layer = standings.last_layer();
    let kept = standings.rules.measures.iter().position(|one| one.id == "omw_kept").expect("it");
    let terms = |name| {
        let index = standings.row(told.number(name)).expect("a row").index;
        let (table, measured) = (&layer.table, &layer.measured);
        terms(&told.desk.state, &standings.rules, table, measured, kept, index)
    };
    assert!(matches!(terms("Dee"), Some(Terms::AsLeft { after: Some(1), .. })));
    assert!(matches!(terms("Hal"), Some(Terms::AsLeft { after: None, .. })));
}

#[test]
fn an_earned_bye_is_an_opponent_at_100_percent_and_a_bye_for_want_of_one_is_none() {
    let told = tell(
        games_sheet(None),
        "players Ann Bob Cid Dee Eve
         round
         Ann awarded bye
         Bob 1-0 Cid
         Dee 1-0 Eve
         round
         Ann 1-0 Bob
         Dee 1-0 Cid
         Eve bye",
    );
    told.assert_values(
        &told.standings("pokemon"),
        "player omw   omw_kept
         Ann    0.75  0.75
         Bob    0.625 0.625
         Eve    1     1",
    );
}

#[test]
fn who_never_played_stands_last_and_who_met_nobody_has_nothing() {
    let told = tell(
        games_sheet(None),
        "players Ann Bob Cid Zoe
         round
         Ann 1-0 Bob
         Cid bye
         Zoe drops
         round
         Cid 1-0 Bob
         Ann bye",
    );
    let standings = told.standings("pokemon");
    assert!(
        told.order(&standings).join(", ").ends_with("Bob, Zoe"),
        "{:?}",
        told.order(&standings)
    );
    told.assert_values(&standings, "player omw_kept\n Zoe 0");
}

#[test]
fn three_quarters_bound_only_those_who_leave_before_the_last_planned_round() {
    let played = "players Ann Bob Cid Dee
                  round
                  Ann 1-0 Bob
                  Cid 1-0 Dee";
    let then = "round
                Ann 1-0 Cid
                Bob 1-0 Dee";
    for (text, expected) in [
        (format!("{played}\nCid drops\nround\nAnn 1-0 Dee\nBob bye"), "Dee 0.875"),
        (format!("{played}\n{then}\nAnn drops"), "Bob 0.625"),
    ] {
        let told = tell(games_sheet(None), &text);
        // Nobody knows yet whether another round comes.
        let early = if expected.starts_with("Bob") { "Bob 0.5" } else { expected };
        told.assert_values(&told.standings("pokemon"), &format!("player omw\n {early}"));
        let mut over = told;
        over.desk.record(scrutineer_engine::event::PhaseEnded { phase: 1 });
        over.assert_values(&over.standings("pokemon"), &format!("player omw\n {expected}"));
    }
}

/// Points 9, 6, 3 and 0; an eighth of them has a half as its third digit, which goes to the even one.
#[test]
fn percentages_are_rounded_half_to_even_before_they_are_compared() {
    let rules = crate::script::on_mtr(
        "[measures.half]\nsum_of = { points = \"1/8\" }\n\
         round = { digits = 2, mode = \"half_even\" }\n",
    );
    let told = tell(games_sheet(Some(3)), crate::script::FOUR);
    told.assert_values(
        &told.standings_under(&rules),
        "player half
         Ann    1.12
         Bob    0.75
         Cid    0.38
         Dee    0",
    );
    // 0.09 and 0.06 are one to one digit, and so are 0.03 and 0: the next step decides between them.
    let rules = crate::script::on_mtr(
        "order = [\"tenth\", \"fewest\"]\n\
         [measures.tenth]\nsum_of = { points = \"1/100\" }\n\
         round = { digits = 1, mode = \"half_even\" }\n\
         [measures.fewest]\nsum_of = { points = \"-1\" }\n",
    );
    let standings = told.standings_under(&rules);
    assert_eq!(told.order(&standings), ["Bob", "Ann", "Dee", "Cid"]);
}

/// TOM places those who lost in one round of the cut by their seeds, whatever their percentages are by now.
#[test]
fn of_those_who_lost_in_one_round_of_the_cut_the_better_seed_goes_first() {
    const CUP: &str = include_str!("../../formats/fuzz-seeds/pods.tdf");
    let semi_finals = CUP.replace("outcome=\"0\"", "outcome=\"1\"");
    let losers = |text: &str| {
        let library = Library::shipped();
        let prepared = prepare("cup.tdf", text.as_bytes(), None, &library).expect("prepared");
        let all = Standings::of(&prepared.state, &prepared.rules, Scope::FINAL, Detail::All);
        let all = all.expect("they stand").of_division(&prepared.state, "master");
        let names = prepared.names();
        [2, 3].map(|at| names[all.rows[at].player as usize - 1].clone())
    };
    assert_eq!(losers(&semi_finals), ["Bo Ferrar", "Dora Lind"]);
    let seeded = semi_finals.replace("<seed>2<", "<seed>5<");
    assert_eq!(losers(&seeded), ["Dora Lind", "Bo Ferrar"]);
    // Where a file has none, the Swiss rounds decide.
    let unseeded: String =
        semi_finals.lines().filter(|line| !line.contains("<seed>")).collect::<Vec<_>>().join("\n");
    assert_eq!(losers(&unseeded), ["Bo Ferrar", "Dora Lind"]);
}
