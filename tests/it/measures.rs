//! Where a value lies on its bound, what a tournament does not hold, and what is said of values:
//! the edges of measures, cuts and explanations.

use crate::script::{FOUR, Told, WORDS, enrolled, games_sheet, number, on_mtr, seat_sheet, tell};
use scrutineer_engine::event::*;
use scrutineer_engine::tournament::Tournament;
use scrutineer_projections::crosstable::{FoldError, Scope, check_rulings};
use scrutineer_projections::cut::{Cut, StaysOut, stays_out};
use scrutineer_projections::explain::{as_divided, between, shown};
use scrutineer_projections::measure::Notes;
use scrutineer_projections::ruleset::{Library, Ruleset, Show};
use scrutineer_projections::standings::{Decided, Detail, Standings};

/// As [`FOUR`]; Cid has dropped, and so has Ann.
fn two_of_four_left() -> Told {
    tell(games_sheet(Some(3)), &format!("{FOUR}\nAnn drops\nCid drops"))
}

#[test]
fn a_value_on_its_bound_is_not_changed_and_none_is_said_to_be() {
    let told = two_of_four_left();
    let standings = told.standings_under(&on_mtr(
        "[measures.bounded]\nratio = [\"points\", \"possible_points\"]\n\
             floor = \"1/3\"\ncap = \"2/3\"\n\
             [measures.leavers]\nratio = [\"points\", \"possible_points\"]\n\
             cap_if_dropped = \"1/3\"\n",
    ));
    told.assert_values(
        &standings,
        "player bounded leavers
         Ann    2/3     1/3
         Bob    2/3     2/3
         Cid    1/3     1/3
         Dee    1/3     0",
    );
    let notes = |measure: &str, name: &str| {
        let row = standings.row(told.number(name)).expect("a row");
        standings.column(measure).expect("a column").notes(row.index)
    };
    let all = [Notes::EMPTY, Notes::FLOOR, Notes::CAP, Notes::DROPPED_CAP];
    for (measure, name, expected) in [
        ("bounded", "Ann", Some(Notes::CAP)),
        ("bounded", "Bob", None),
        ("bounded", "Cid", None),
        ("bounded", "Dee", Some(Notes::FLOOR)),
        ("leavers", "Ann", Some(Notes::DROPPED_CAP)),
        ("leavers", "Bob", None),
        ("leavers", "Cid", None),
        ("leavers", "Dee", None),
    ] {
        let found: Vec<_> = all.into_iter().filter(|n| notes(measure, name).has(*n)).collect();
        assert_eq!(found, Vec::from_iter(expected), "{measure} of {name}");
    }
    assert!(standings.column("nothing").is_none());
}

/// Away from nought and towards it, also below it; a value that needs no rounding stays.
#[test]
fn values_are_rounded_as_the_ruleset_says() {
    let told = two_of_four_left();
    let mut more = "[measures.eighth]\nsum_of = { points = \"1/8\" }\n\
                    [measures.minus]\nsum_of = { points = \"-1/8\" }\n"
        .to_owned();
    for of in ["eighth", "minus"] {
        for mode in ["up", "down", "half_up"] {
            more += &format!(
                "[measures.{of}_{mode}]\nsum_of = {{ {of} = 1 }}\n\
                 round = {{ digits = 2, mode = \"{mode}\" }}\n"
            );
        }
    }
    told.assert_values(
        &told.standings_under(&on_mtr(&more)),
        "player eighth_up eighth_down eighth_half_up minus_up minus_down minus_half_up
         Ann    1.13      1.12        1.13           -1.13    -1.12      -1.13
         Bob    0.75      0.75        0.75           -0.75    -0.75      -0.75
         Cid    0.38      0.37        0.38           -0.38    -0.37      -0.38
         Dee    0         0           0              0        0          0",
    );
}

/// One way of valuing a round at a time, on top of 3, 1 and 0 for win, draw and loss.
#[test]
fn each_way_of_valuing_a_round_holds_by_itself() {
    let told = tell(
        games_sheet(Some(3)),
        "players Ann Bob Cid Dee Eve Fay
         round
         Ann 2-0 Bob
         Cid 2-1 Dee
         Eve 1-1-1 Fay",
    );
    let points = |more: &str| {
        let standings = told.standings_under(&on_mtr(more));
        ["Ann", "Bob", "Cid", "Dee", "Eve", "Fay"]
            .map(|name| told.value(&standings, name, "points").to_string())
            .join(" ")
    };
    for (more, expected) in [
        ("", "3 0 3 0 1 1"),
        ("[points]\nline = \"games\"\n", "2 0 2 1 1 1"),
        (
            "[points.by_margin]\nline = \"games\"\ntable = [[0, 10, 9], [1, 12, 8], [2, 15, 5]]\n",
            "15 5 12 8 10 10",
        ),
        ("[points.by_score]\n\"2-1-0\" = 2\n", "3 0 2 0 1 1"),
        ("[points.by_score]\n\"2-1-0\" = 2\notherwise = 4\n", "4 4 2 4 4 4"),
        (
            "[[points.bonus]]\nname = \"b\"\npoints = 5\nline = \"games\"\nat_least = 2\n",
            "8 0 8 0 1 1",
        ),
        (
            "[[points.bonus]]\nname = \"b\"\npoints = 5\nline = \"games\"\nmargin = -1\n",
            "3 0 3 5 1 1",
        ),
    ] {
        assert_eq!(points(more), expected, "{more}");
    }
}

/// One table of three, with a value for each, and places where somebody ruled them.
fn table_of_three(values: [i32; 3], places: &[u8]) -> Told {
    let mut told = tell(seat_sheet(&["vp"]), "players Ann Bob Cid\nphase pods: Ann Bob Cid");
    told.desk.record(RoundOpened {
        round: 1,
        phase: 1,
        phase_round: 1,
        weight: RoundWeight::ONE,
        drawn: None,
    });
    let seats = (1..=3).map(|player| Seat { player, role: 0 });
    let pairing = told.desk.record(PairingMade {
        round: 1,
        table: Some(1),
        seats: seats.collect(),
        group: None,
        bracket_slot: None,
        origin: Origin::AS_GIVEN,
    });
    let seats = values.into_iter().map(|value| [value].into_iter().collect());
    let score = Score { seats: seats.collect(), ..Score::default() };
    let mut result = MatchResult::played(score);
    result.rulings = places.iter().map(|place| Some(Ruling::Place(*place))).collect();
    told.desk.record(ResultRecorded { pairing, result });
    told
}

#[test]
fn a_ruled_place_has_its_points() {
    let rules =
        on_mtr("order = [\"points\"]\n[outcome]\nline = \"vp\"\n[points]\nplaces = [7, 4, 2]\n");
    let told = table_of_three([1, 1, 1], &[2, 1, 3]);
    told.assert_values(&told.standings_under(&rules), "player points\nAnn 4\nBob 7\nCid 2");
}

/// The points of Ann and Bob, who has lost to her 0-2.
fn points_of_two(rules: &str, change: impl FnOnce(&mut MatchResult)) -> String {
    let mut told = tell(games_sheet(Some(3)), "players Ann Bob\nround\nAnn meets Bob");
    let pairing = told.desk.state.head();
    let seats = [2, 0].map(|games| [games].into_iter().collect());
    let score = Score { seats: seats.into_iter().collect(), table: [0].into_iter().collect() };
    let mut result = MatchResult::played(score);
    change(&mut result);
    told.desk.record(ResultRecorded { pairing, result });
    let standings = told.standings_under(&on_mtr(rules));
    ["Ann", "Bob"].map(|name| told.value(&standings, name, "points").to_string()).join(" ")
}

#[test]
fn a_graded_result_has_the_points_of_its_grade() {
    let rules = "[points.grade.timed]\nwin = 2\ndraw = 1\nloss = 1\n";
    for (grade, expected) in [(None, "3 0"), (Some("timed"), "2 1"), (Some("late"), "3 0")] {
        let points = points_of_two(rules, |result| result.grade = grade.map(Into::into));
        assert_eq!(points, expected, "{grade:?}");
    }
}

/// Also where its slip holds a score and nobody ruled.
#[test]
fn a_forfeited_table_has_its_own_points() {
    let rules = "[points]\nforfeit_win = 9\nforfeit_loss = -1\n";
    for (how, expected) in [
        (How::Played, "3 0"),
        (How::Conceded, "3 0"),
        (How::Forfeit, "9 -1"),
        (How::NoShow, "9 -1"),
        (How::Unknown, "3 0"),
    ] {
        assert_eq!(points_of_two(rules, |result| result.how = how), expected, "{how:?}");
    }
}

/// The most wins; where several share it they draw, wherever they sit, and the others lose.
#[test]
fn at_a_table_of_three_the_most_wins_and_equals_draw() {
    let rules = on_mtr("order = [\"points\"]\n[outcome]\nline = \"vp\"\n");
    for (values, expected) in [
        ([5, 3, 1], ["3", "0", "0"]),
        ([1, 3, 5], ["0", "0", "3"]),
        ([5, 5, 3], ["1", "1", "0"]),
        ([5, 3, 5], ["1", "0", "1"]),
        ([3, 5, 5], ["0", "1", "1"]),
        ([3, 3, 5], ["0", "0", "3"]),
        ([4, 4, 4], ["1", "1", "1"]),
    ] {
        let told = table_of_three(values, &[]);
        let standings = told.standings_under(&rules);
        let points = ["Ann", "Bob", "Cid"].map(|name| told.value(&standings, name, "points"));
        assert_eq!(points, expected.map(number), "{values:?}");
    }
}

#[test]
fn a_ruleset_that_values_games_needs_them_on_the_slip() {
    let told = tell(seat_sheet(&["vp"]), "players Ann Bob\nround\nAnn 12-8 Bob");
    let by_vp = "order = [\"points\"]\n[outcome]\nline = \"vp\"\n";
    told.assert_values(&told.standings_under(&on_mtr(by_vp)), "player points\nAnn 3\nBob 0");
    let by_games = on_mtr(&format!("{by_vp}[points.by_score]\n\"2-0-0\" = 7\n"));
    let refused = Standings::of(&told.desk.state, &by_games, Scope::FINAL, Detail::All);
    let expected = FoldError::MissingLine { ruleset: "t".into(), line: "games".into() };
    assert_eq!(refused.err(), Some(expected));
}

#[test]
fn who_came_after_round_one_is_late() {
    let mut told = two_of_four_left();
    told.names.push("Eve".to_owned());
    told.desk.record(PlayerEnrolled { from_round: 2, ..enrolled(5) });
    told.assert_values(
        &told.standings_under(&on_mtr("[measures.late]\nfact = \"late\"\n")),
        "player late
         Ann    0
         Eve    1",
    );
}

/// The same events, from a source that does not tell these facts.
fn imported(told: &Told, unknown: &[UnknownFact]) -> Tournament {
    let imported = Imported {
        source_file: [0; 32],
        source_event: WORDS,
        format: "csv".to_owned(),
        file: WORDS,
        unknown: unknown.to_vec(),
    };
    let mut events = told.desk.events.clone();
    events.insert(1, imported.into());
    Tournament::of(&events)
}

/// A measure that decides is refused where the source lacks what it needs; one that is only shown
/// is left out.
#[test]
fn what_the_source_does_not_tell_is_refused_only_where_it_decides() {
    let told = two_of_four_left();
    let without_games = imported(&told, &[UnknownFact::Games]);
    let by_games = on_mtr("");
    let refused = Standings::of(&without_games, &by_games, Scope::FINAL, Detail::All);
    let fact = UnknownFact::Games;
    assert_eq!(refused.err(), Some(FoldError::UnknownFact { ruleset: "t".into(), fact }));
    let by_points = on_mtr("order = [\"points\", \"omw\"]\n");
    let found = Standings::of(&without_games, &by_points, Scope::FINAL, Detail::All);
    let found = found.expect("its order needs no games");
    assert!(found.column("gw").is_none() && found.column("omw").is_some());
}

#[test]
fn a_ruleset_that_goes_by_rulings_needs_one_in_every_match_that_was_played() {
    let pods = Library::shipped().ruleset("commander-pods").expect("a ruleset");
    let mtr = Library::shipped().ruleset("mtr").expect("a ruleset");
    let checked = |text: &str, rules: &Ruleset| {
        let told = tell(games_sheet(None), &format!("players Ann Bob Cid Dee\nround\n{text}"));
        check_rulings(&told.desk.state, rules)
    };
    let missing =
        |count| Err(FoldError::NotRuled { ruleset: "commander-pods".to_owned(), count, round: 1 });
    assert_eq!(checked("Ann beats Bob\nCid meets Dee", &pods), Ok(()));
    assert_eq!(checked("Ann beats Bob\nCid 2-0 Dee", &pods), missing(1));
    assert_eq!(checked("Ann 2-1 Bob\nCid 2-0 Dee", &pods), missing(2));
    assert_eq!(checked("Ann 2-1 Bob\nCid 2-0 Dee", &mtr), Ok(()));
}

/// Two Swiss rounds of six, and a top four.
const CUT: &str = "
    players Ann Bob Cid Dee Eve Fay
    round
    Ann 2-0 Bob
    Cid 2-1 Dee
    Eve 2-0 Fay
    round
    Ann 2-0 Cid
    Bob 2-0 Eve
    Dee 2-0 Fay
    phase single elimination: Ann Bob Cid Dee
    round
    Dee 2-0 Ann
    Cid 2-1 Bob
    round
    Cid 2-0 Dee
    ";

#[test]
fn a_cut_leaves_somebody_out_and_stands_behind_its_own_phase() {
    let told = tell(games_sheet(Some(3)), CUT);
    let state = &told.desk.state;
    let through = |round| told.standings_in("mtr", Scope { through: round, final_order: None });
    let swiss = through(Some(2));
    let cut = Cut::of(state, &swiss, None).expect("it was made");
    assert_eq!((cut.size, cut.is_made, cut.players.len()), (4, true, 4));
    let asked = |size| Cut::of(state, &swiss, Some(size)).map(|cut| cut.players.len());
    assert_eq!([asked(5), asked(6), asked(7)], [Some(5), None, None]);
    // Behind the last phase there is none.
    assert_eq!(Cut::of(state, &through(None), None), None);
    let (ann, eve) = (told.number("Ann"), told.number("Eve"));
    let out = |player, round| stays_out(state, round, player);
    assert_eq!([out(ann, 3), out(ann, 2)], [None, None]);
    assert_eq!([out(eve, 3), out(eve, 2)], [Some(StaysOut::NotInPhase), None]);
    // A cut that is not made yet: everybody who is here could go on.
    let before = tell(games_sheet(Some(3)), CUT.split("phase").next().expect("the Swiss rounds"));
    let standings = before.standings("mtr");
    let cut = Cut::of(&before.desk.state, &standings, Some(4)).expect("it leaves two out");
    assert!(!cut.is_made);
    assert_eq!(Cut::of(&before.desk.state, &standings, None), None, "none is planned");
}

/// Who entered a later phase stands above who did not, whatever told players apart within one.
#[test]
fn a_phase_tells_apart_before_any_step() {
    let told = tell(games_sheet(Some(3)), CUT);
    let standings = told.standings("mtr");
    assert!(matches!(standings.rows[1].decided, Decided::Step(0)));
    assert_eq!(between(&standings, 0, 1), Decided::Step(0));
    assert_eq!(between(&standings, 0, 4), Decided::Phase);
    assert_eq!(between(&standings, 4, 0), Decided::Phase);
    assert_eq!(standings.layers.len(), 2);
    // Where everybody goes on, nobody is ranked by the day before.
    let all_in = tell(
        games_sheet(Some(3)),
        "players Ann Bob\nround\nAnn 2-0 Bob\nphase swiss\nround\nAnn 0-2 Bob",
    );
    assert_eq!(all_in.standings("mtr").layers.len(), 1);
}

#[test]
fn values_are_printed_as_people_read_them() {
    let text = |value: &str, percent| shown(&number(value), Show { percent, decimals: 4 });
    assert_eq!(text("1/2", false), "0.5");
    assert_eq!(text("3", false), "3");
    assert_eq!(text("-1/3", false), "-0.3333");
    assert_eq!(text("1/2", true), "50.0000%");
    assert_eq!(text("1", true), "100.0000%");
    // Half a round counts half: what is divided is printed whole only where both are.
    let told = tell(
        games_sheet(Some(3)),
        "players Ann Bob\nround weight 1/2\nAnn 2-0 Bob\nround\nAnn 0-2 Bob\nround weight 1/2\n\
         Ann 2-0 Bob",
    );
    let rules = on_mtr(
        "[measures.weights]\ntotal = \"round_weight\"\n\
         [measures.won]\ntotal = \"round_weight\"\noutcomes = [\"win\"]\n\
         [measures.share]\nratio = [\"won\", \"weights\"]\n",
    );
    let share = rules.measures.iter().find(|one| one.id == "share").expect("a measure");
    let divided = |standings: &Standings| as_divided(&standings.layers[0], share, 0);
    let after = |round| {
        let scope = Scope { through: Some(round), final_order: None };
        Standings::of(&told.desk.state, &rules, scope, Detail::All).expect("standings")
    };
    assert_eq!(divided(&after(3)).as_deref(), Some("1/2"));
    assert_eq!(divided(&after(2)).as_deref(), Some("0.50/1.50"));
    let half = tell(
        games_sheet(Some(3)),
        "players Ann Bob\nround weight 1/2\nAnn 2-0 Bob\nround weight 1/2\nAnn 0-2 Bob",
    );
    let half = Standings::of(&half.desk.state, &rules, Scope::FINAL, Detail::All).expect("them");
    assert_eq!(divided(&half).as_deref(), Some("0.50/1.00"));
}
