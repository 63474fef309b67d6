//! Every numeric example of the five source documents, stated as what is true in the field.

use crate::script::{Told, games_sheet, number, seat_sheet, tell};
use num_rational::BigRational;
use scrutineer_engine::event::Scoresheet;
use scrutineer_projections::crosstable::Scope;
use scrutineer_projections::ratio::decimal;

/// While the event runs.
const RUNNING: Scope = Scope { through: None, final_order: Some(false) };

fn best_of_three() -> Scoresheet {
    games_sheet(Some(3))
}

/// Ann against others whom nobody else meets: a text such as `2-0 2-1 bye`, a score for each
/// round.
fn alone(scores: &str) -> Told {
    alone_until(scores, "")
}

/// As `alone`, with a line behind it.
fn alone_until(scores: &str, last: &str) -> Told {
    let rounds: Vec<&str> = scores.split_whitespace().collect();
    let others: Vec<String> = (1..=rounds.len()).map(|round| format!("Other{round}")).collect();
    let mut text = format!("players Ann {}\n", others.join(" "));
    for (score, other) in rounds.iter().zip(&others) {
        text.push_str("round\n");
        text.push_str(&match *score {
            "bye" => "Ann bye\n".to_owned(),
            score => format!("Ann {score} {other}\n"),
        });
    }
    text.push_str(last);
    tell(best_of_three(), &text)
}

fn value_of_ann(told: &Told, rules: &str, measure: &str) -> BigRational {
    told.value(&told.standings(rules), "Ann", measure)
}

/// A record of matches as scores: `records(5, 2, 1)` is 5-2-1.
fn record(wins: usize, losses: usize, draws: usize) -> String {
    [vec!["2-0"; wins], vec!["0-2"; losses], vec!["1-1-1"; draws]].concat().join(" ")
}

/// Asserts rows of (record, measure, value) for a ruleset.
fn assert_ann(rules: &str, scores: &str, expected: &[(&str, &str)]) {
    let told = alone(scores);
    for (measure, value) in expected {
        assert_eq!(
            value_of_ann(&told, rules, measure),
            number(value),
            "{rules} {scores}: {measure}"
        );
    }
}

fn percent(value: &BigRational, decimals: u32) -> String {
    decimal(value, decimals, true)
}

// ---- Carde.io -------------------------------------------------------------------------------

#[test]
fn carde_c1_a_6_2_0_record_is_18_points() {
    assert_ann("carde", &record(6, 2, 0), &[("points", "18")]);
}

#[test]
fn carde_c2_a_4_2_2_record_is_14_points() {
    assert_ann("carde", &record(4, 2, 2), &[("points", "14")]);
}

#[test]
fn carde_c3_a_5_2_1_record_is_two_thirds() {
    let told = alone(&record(5, 2, 1));
    let share = value_of_ann(&told, "carde", "match_win");
    assert_eq!(share, number("16/24"));
    assert_eq!(percent(&share, 1), "66.7%");
}

#[test]
fn carde_c4_a_1_3_0_record_uses_33_percent() {
    let told = alone_until(&record(1, 3, 0), "Ann drops");
    assert_eq!(value_of_ann(&told, "carde", "possible_points"), number("12"));
    assert_eq!(value_of_ann(&told, "carde", "match_win"), number("0.33"));
    assert_eq!(
        value_of_ann(&told, "carde+settings.percentage_floor=0", "match_win"),
        number("0.25")
    );
}

#[test]
fn carde_c5_a_3_2_0_record_with_a_bye_is_60_percent_for_himself_and_half_for_his_opponents() {
    assert_ann(
        "carde",
        "bye 2-0 2-1 0-2 1-2",
        &[("points", "9"), ("match_win", "9/15"), ("match_win_seen", "6/12")],
    );
}

#[test]
fn carde_c6_a_bye_is_3_match_points_and_6_game_points() {
    for kind in ["bye", "awarded bye"] {
        let told = tell(best_of_three(), &format!("players Ann Bob\nround\nAnn {kind}"));
        let standings = told.standings("carde");
        told.assert_values(
            &standings,
            "player points game_points possible_game_points gw_seen omw
             Ann    3      6           6                    33/100  33/100",
        );
    }
}

#[test]
fn carde_leaves_an_opponents_bye_out_and_mtr_counts_it() {
    let told = tell(
        best_of_three(),
        "players Ann Bob Cid
         round
         Ann 2-0 Bob
         Cid bye
         round
         Cid 1-2 Ann
         Bob bye",
    );
    let carde = told.standings("carde");
    told.assert_values(
        &carde,
        "player omw     gw    ogw
         Ann    33/100  4/5   199/600
         Bob    1       1/2   4/5
         Cid    1       9/15  4/5",
    );
    let mtr = told.standings("mtr");
    told.assert_values(
        &mtr,
        "player match_win omw
         Ann    1         1/2
         Bob    1/2       1",
    );
}

#[test]
fn carde_team_events_rank_by_points_and_opponents_match_wins_alone() {
    let told = tell(
        best_of_three(),
        "players Ann Bob Cid Dee
         round
         Ann 2-0 Bob
         Cid 2-1 Dee",
    );
    assert_eq!(told.order(&told.standings("carde")), ["Ann", "Cid", "Dee", "Bob"]);
    assert_eq!(told.order(&told.standings("carde-team")), ["Ann Cid", "Bob Dee"]);
    assert_eq!(told.order(&told.standings("mtr-team")), ["Ann Cid", "Bob Dee"]);
}

#[test]
fn carde_draws_are_one_point_for_matches_and_for_games() {
    assert_ann("carde", "1-1-1", &[("points", "1"), ("game_points", "4"), ("gw", "4/9")]);
    assert_ann("carde", "0-0-3", &[("points", "1"), ("game_points", "3"), ("gw", "3/9")]);
}

// ---- Battlefy -------------------------------------------------------------------------------

#[test]
fn battlefy_default_breaks_ties_by_opponents_own_games_and_opponents_opponents() {
    let standings = alone("2-0").standings("battlefy");
    let labels: Vec<&str> = standings
        .steps()
        .iter()
        .map(|step| match step {
            scrutineer_projections::ruleset::Step::Measure { measure, .. } => {
                standings.rules.measures[*measure].id.as_str()
            }
            _ => "another step",
        })
        .collect();
    assert_eq!(labels, ["points", "omw", "gw", "oomw"]);
}

#[test]
fn battlefy_percentages_are_at_least_033() {
    assert_ann("battlefy", "0-2 0-2", &[("match_win", "0.33"), ("gw", "0.33")]);
}

const HCT: &str = "
    players A B C D E
    round
    A 3-1 B
    C 3-0 D
    E bye
    round
    A 3-2 C
    E 3-0 B
    D bye
    D drops
    round
    E 3-2 A
    C 3-1 B
    round
    C 3-0 E
    A 3-0 B";

#[test]
fn battlefy_hct_table() {
    let told = tell(games_sheet(Some(5)), HCT);
    let standings = told.standings("battlefy-hct");
    told.assert_values(
        &standings,
        "player points wins losses wins_less_losses win_loss_sum first_tiebreaker_sum timing
         C      9      3    1      2                1            9                    4
         E      9      3    1      2                1            7                    16
         A      9      3    1      2                -2           18                   9
         D      3      1    1      0                2            1                    1
         B      0      0    4      -4               8            -2                   30",
    );
    assert_eq!(told.order(&standings), ["C", "E", "A", "D", "B"]);
    assert_eq!(told.order(&told.standings_in("battlefy-hct", RUNNING)), ["C", "E", "A", "D", "B"]);
}

/// "Each single opponent may never contribute less than -3 points", "a bye does not contribute".
#[test]
fn battlefy_hct_an_opponent_contributes_at_least_minus_3_and_a_bye_nothing() {
    let told = tell(games_sheet(Some(5)), HCT);
    let bottomless = "battlefy-hct+measures.win_loss_sum.each_at_least=-9";
    assert_eq!(told.value(&told.standings(bottomless), "A", "win_loss_sum"), number("-4"));
    let skipped = told.standings("battlefy-hct+settings.hct_byes=skip");
    assert_eq!(told.value(&skipped, "A", "win_loss_sum"), number("-3"));
}

#[test]
fn battlefy_hct_losing_in_later_rounds_ranks_higher() {
    let early = alone("0-2 2-0 2-0");
    let late = alone("2-0 2-0 0-2");
    let timing = |told: &Told| value_of_ann(told, "battlefy-hct", "timing");
    assert_eq!((timing(&early), timing(&late)), (number("1"), number("9")));
}

// ---- Magic Tournament Rules -----------------------------------------------------------------

#[test]
fn mtr_a_6_2_0_record_is_18_points_and_a_4_2_2_record_14() {
    assert_ann("mtr", &record(6, 2, 0), &[("points", "18")]);
    assert_ann("mtr", &record(4, 2, 2), &[("points", "14")]);
}

#[test]
fn mtr_games_of_a_match_are_3_points_won_and_1_drawn() {
    let told = tell(
        best_of_three(),
        "players Ann Bob Cid Dee Eve Fay
         round
         Ann 2-0-0 Bob
         Cid 2-1-0 Dee
         Eve 2-0-1 Fay",
    );
    told.assert_values(
        &told.standings("mtr"),
        "player game_points
         Ann    6
         Bob    0
         Cid    6
         Dee    3
         Eve    7
         Fay    1",
    );
}

#[test]
fn mtr_a_5_2_1_record_is_16_points_and_two_thirds() {
    assert_ann("mtr", &record(5, 2, 1), &[("points", "16"), ("match_win", "2/3")]);
    let told = alone(&record(5, 2, 1));
    assert_eq!(decimal(&value_of_ann(&told, "mtr", "match_win"), 3, false), "0.667");
}

#[test]
fn mtr_a_1_3_0_record_is_a_quarter_and_counts_033() {
    assert_ann("mtr+settings.percentage_floor=0", &record(1, 3, 0), &[("match_win", "0.25")]);
    assert_ann("mtr", &record(1, 3, 0), &[("points", "3"), ("match_win", "0.33")]);
}

#[test]
fn mtr_a_3_2_0_record_with_a_first_round_bye_is_60_percent_for_everybody() {
    assert_ann(
        "mtr",
        "bye 2-0 2-0 0-2 0-2",
        &[("points", "9"), ("match_win", "0.60"), ("match_win_seen", "0.60")],
    );
}

#[test]
fn mtr_games_2_0_2_1_1_2_2_0_are_70_percent() {
    assert_ann("mtr", "2-0 2-1 1-2 2-0", &[("game_points", "21"), ("gw", "0.70")]);
}

#[test]
fn mtr_games_1_2_1_2_0_2_1_2_are_27_percent_and_count_033() {
    let told = alone("1-2 1-2 0-2 1-2");
    let raw = value_of_ann(&told, "mtr", "gw_raw");
    assert_eq!((raw.clone(), percent(&raw, 0)), (number("9/33"), "27%".to_owned()));
    assert_eq!(value_of_ann(&told, "mtr", "gw"), number("0.33"));
}

/// Eight opponents with these records; Ann's own is 6-2-0. Each opponent's other matches are
/// against players whom nobody else meets.
fn opponents(records: &[&str], with_bye: bool) -> Told {
    let mut names = vec!["Ann".to_owned()];
    let mut rounds = vec![String::new(); records.len()];
    if with_bye {
        rounds[0].push_str("Ann bye\n");
    }
    for (at, record) in records.iter().enumerate().skip(usize::from(with_bye)) {
        let name = format!("O{at}");
        names.push(name.clone());
        let mut left = read_record(record);
        // Ann loses to the last two and wins the rest.
        let beats_ann = at + 2 >= records.len();
        rounds[at].push_str(&format!("{name} {} Ann\n", if beats_ann { "2-0" } else { "0-2" }));
        left[usize::from(!beats_ann)] -= 1;
        let scores = ["2-0", "0-2", "1-1-1"];
        let mut other_rounds = (0..records.len()).filter(|round| *round != at);
        for (score, count) in scores.into_iter().zip(left) {
            for _ in 0..count {
                let round = other_rounds.next().expect("nobody plays more rounds than there are");
                let stranger = format!("S{at}_{round}");
                rounds[round].push_str(&format!("{name} {score} {stranger}\n"));
                names.push(stranger);
            }
        }
    }
    let rounds: String = rounds.iter().map(|round| format!("round\n{round}")).collect();
    tell(best_of_three(), &format!("players {}\n{rounds}", names.join(" ")))
}

fn read_record(record: &str) -> [usize; 3] {
    let part = |part: &str| part.parse().expect("a record holds numbers");
    let parts: Vec<usize> = record.split('-').map(part).collect();
    [parts[0], parts[1], parts[2]]
}

const EIGHT_OPPONENTS: [&str; 8] =
    ["4-4-0", "7-1-0", "1-3-1", "3-3-1", "6-2-0", "5-2-1", "4-3-1", "6-1-1"];

#[test]
fn mtr_eight_opponents_average_6164_or_6168_by_the_floor() {
    let told = opponents(&EIGHT_OPPONENTS, false);
    assert_eq!(value_of_ann(&told, "mtr", "points"), number("18"));
    let of = |rules: &str| decimal(&value_of_ann(&told, rules, "omw"), 6, false);
    assert_eq!(of("mtr"), "0.616399");
    assert_eq!(of("mtr+settings.percentage_floor=1/3"), "0.616815");
    let standings = told.standings("mtr");
    told.assert_values(
        &standings,
        "player match_win_seen
         O0     1/2
         O1     7/8
         O2     33/100
         O3     10/21
         O4     3/4
         O5     2/3
         O6     13/24
         O7     19/24",
    );
}

/// The tournament rules' second example: the first opponent is a bye, and seven are averaged.
#[test]
fn mtr_a_bye_adds_no_opponent_to_the_average() {
    let told = opponents(&EIGHT_OPPONENTS, true);
    let of = |rules: &str| decimal(&value_of_ann(&told, rules, "omw"), 6, false);
    assert_eq!(of("mtr"), "0.633027");
    assert_eq!(of("mtr+settings.percentage_floor=1/3"), "0.633503");
}

#[test]
fn mtr_whoever_has_byes_only_has_the_floor() {
    assert_ann("mtr", "bye bye", &[("omw", "0.33"), ("ogw", "0.33"), ("game_points", "12")]);
}

#[test]
fn mtr_in_single_game_matches_only_matches_count() {
    let told = tell(
        games_sheet(Some(1)),
        "players Ann Bob Cid
         round
         Ann 1-0 Bob
         Cid bye",
    );
    let standings = told.standings("mtr-single-game");
    assert_eq!(told.value(&standings, "Cid", "game_points"), number("3"));
    assert_eq!(told.order(&standings), ["Ann Cid", "Bob"]);
}

// ---- Splinterlands --------------------------------------------------------------------------

/// Before the final, with one semi-final still running.
#[test]
fn splinterlands_snapshot_items_1_to_6() {
    let told = tell(games_sheet(Some(3)), &crate::vectors::event("splinterlands_snapshot"));
    let standings = told.standings_in("splinterlands", RUNNING);
    told.assert_values(
        &standings,
        "player         furthest_round game_wins game_draws game_losses sign_up
         fire-star      4              8         0          0           3
         agami-heron    4              6         1          3           4
         byzantinekitty 4              6         0          2           1
         newageinv      4              6         0          2           2
         f8             3              5         0          2           15
         milkystork     3              4         0          2           5
         f6             3              4         0          2           13
         vxc            3              4         0          3           6",
    );
    assert_eq!(
        told.order(&standings)[..8],
        [
            "fire-star",
            "agami-heron",
            "byzantinekitty",
            "newageinv",
            "f8",
            "milkystork",
            "f6",
            "vxc"
        ]
    );
    assert_eq!(told.order(&told.standings("splinterlands")), told.order(&standings));
}

const FIVE: &str = "
    players p1 p2 p3 p4 p5
    phase single elimination
    round
    p1 bye
    p2 bye
    p3 bye
    p4 2-1 p5
    round
    p1 2-0 p2
    p4 2-0 p3
    round
    p1 2-1 p4";

#[test]
fn splinterlands_the_winner_of_the_final_is_first_with_fewer_wins() {
    let told = tell(games_sheet(Some(3)), FIVE);
    let standings = told.standings("splinterlands");
    told.assert_values(
        &standings,
        "player won_final furthest_round game_wins game_losses
         p1     1         3              4         1
         p4     0         3              5         3
         p2     0         2              0         2
         p3     0         2              0         2
         p5     0         1              1         2",
    );
    assert_eq!(told.order(&standings), ["p1", "p4", "p2", "p3", "p5"]);
}

#[test]
fn splinterlands_a_bye_and_0_2_goes_before_1_2_in_the_qualifier() {
    let told = tell(games_sheet(Some(3)), FIVE);
    let order = told.order(&told.standings("splinterlands"));
    let place = |name: &str| order.iter().position(|other| other == name);
    assert!(place("p2") < place("p5"));
}

#[test]
fn splinterlands_at_0_0_0_the_order_is_that_of_sign_up() {
    let told = tell(games_sheet(Some(3)), "players c b a\nphase single elimination");
    assert_eq!(told.order(&told.standings_in("splinterlands", RUNNING)), ["c", "b", "a"]);
}

#[test]
fn splinterlands_after_draws_somebody_is_chosen_to_advance_and_the_games_stay_draws() {
    let told = tell(
        games_sheet(None),
        "players Ann Bob
         phase single elimination
         round
         Ann 0-0-7 Bob
         Bob advances over Ann",
    );
    let standings = told.standings("splinterlands");
    assert_eq!(told.order(&standings), ["Bob", "Ann"]);
    assert_eq!(told.value(&standings, "Bob", "game_draws"), number("7"));
}

/// The document's two examples and the borders between the powers of two: with this many
/// players so many have a bye and so many play in the qualifier.
#[test]
fn splinterlands_a_qualifier_leaves_a_power_of_two() {
    for (players, byes, qualifier) in [
        (140, 116, 24),
        (240, 16, 224),
        (3, 1, 2),
        (5, 3, 2),
        (65, 63, 2),
        (127, 1, 126),
        (129, 127, 2),
        (255, 1, 254),
    ] {
        let told = tell(games_sheet(Some(3)), &qualifier_round(players, byes));
        let standings = told.standings("splinterlands");
        let left = |row: &&scrutineer_projections::standings::Row| {
            told.value(&standings, &told.names[row.player as usize - 1], "game_losses")
                == number("0")
        };
        let survivors = standings.rows.iter().filter(left).count();
        assert_eq!(byes + qualifier, players);
        assert_eq!(survivors, byes + qualifier / 2);
        assert!(survivors.is_power_of_two(), "{players} players leave {survivors}");
    }
}

fn qualifier_round(players: usize, byes: usize) -> String {
    let names: Vec<String> = (1..=players).map(|player| format!("p{player}")).collect();
    let (waiting, playing) = names.split_at(byes);
    let waiting = waiting.iter().map(|name| format!("{name} bye\n"));
    let playing = playing.chunks(2).map(|pair| format!("{} 2-0 {}\n", pair[0], pair[1]));
    let round: String = waiting.chain(playing).collect();
    format!("players {}\nphase single elimination\nround\n{round}", names.join(" "))
}

// ---- HGBTS ----------------------------------------------------------------------------------

const HGBTS: &str = "
    players A B C D E
    round
    A 5-4,10-8 B
    C 3-3,6-7 D
    E bye
    round
    A 2-6,5-9 C
    E 4-1,7-4 D
    B bye
    round
    C 4-3,8-8 E
    A 3-2,6-6 B
    D bye";

fn wargame(text: &str) -> Told {
    tell(seat_sheet(&["objective", "survival"]), text)
}

#[test]
fn hgbts_table_in_final_order() {
    let told = wargame(HGBTS);
    let standings = told.standings("hgbts");
    told.assert_values(
        &standings,
        "player points objective_so_far objective survival opponents_objective
         C      9      13               13        23       26.5
         E      8      7                10.5      22.5     19
         A      7      10               10        21       31
         B      6      6                9         21       20
         D      4      4                6         16.5     23.5",
    );
    assert_eq!(told.order(&standings), ["C", "E", "A", "B", "D"]);
}

#[test]
fn hgbts_table_in_running_order() {
    let told = wargame(HGBTS);
    let standings = told.standings_in("hgbts", RUNNING);
    told.assert_values(
        &standings,
        "player points objective_so_far survival_so_far
         C      9      13               23
         E      8      7                15
         A      7      10               21
         B      6      6                14
         D      4      4                11",
    );
    assert_eq!(told.order(&standings), ["C", "E", "A", "B", "D"]);
    let after_two = Scope { through: Some(2), final_order: Some(false) };
    assert_eq!(told.order(&told.standings_in("hgbts", after_two)), ["E", "C", "B", "A", "D"]);
}

/// X has a bye and 3 objective points, Y has won twice with 2 each.
#[test]
fn hgbts_a_bye_counts_0_while_the_event_runs_and_the_average_in_the_end() {
    let told = wargame(
        "players X Y P Q
         round
         X bye
         Y 2-0,5-5 P
         round
         X 3-0,5-5 P
         Y 2-0,5-5 Q",
    );
    let (running, last) = (told.standings_in("hgbts", RUNNING), told.standings("hgbts"));
    told.assert_values(
        &last,
        "player points objective_so_far objective survival_so_far survival
         X      6      3                6         5               10
         Y      6      4                4         10              10",
    );
    assert_eq!(told.order(&running)[..2], ["Y", "X"]);
    assert_eq!(told.order(&last)[..2], ["X", "Y"]);
}

/// The table of outcomes and bonuses: own score, opponent's, own tournament points.
#[test]
fn hgbts_tournament_points_by_outcome_and_bonus() {
    for (own, other, points) in [
        (5, 4, "4"),
        (4, 5, "2"),
        (4, 4, "2"),
        (2, 3, "1"),
        (3, 2, "3"),
        (1, 3, "0"),
        (0, 0, "1"),
        (4, 9, "1"),
    ] {
        let told = wargame(&format!("players Ann Bob\nround\nAnn {own}-{other},0-0 Bob"));
        assert_eq!(value_of_ann(&told, "hgbts", "points"), number(points), "{own}-{other}");
    }
}

#[test]
fn hgbts_an_average_of_four_earns_no_bonus() {
    let told = wargame(
        "players Ann Bob
         round
         Ann 5-0,0-0 Bob
         round
         Ann bye",
    );
    told.assert_values(
        &told.standings("hgbts"),
        "player points objective
         Ann    7      10",
    );
}
