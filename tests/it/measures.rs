//! Where a value lies on its bound, what a tournament does not hold, and what is said of values:
//! the edges of measures, cuts and explanations.

use crate::script::{FOUR, Told, WORDS, enrolled, games_sheet, number, on_mtr, seat_sheet, tell};
use scrutineer_engine::event::*;
use scrutineer_engine::tournament::Tournament;
use scrutineer_projections::crosstable::{FoldError, Scope, check_rulings};
use scrutineer_projections::cut::{Cut, StaysOut, stays_out};
use scrutineer_projections::explain::{as_divided, between, shown};
use scrutineer_projections::measure::{Notes, Terms};
use scrutineer_projections::ruleset::{Library, Outcome, Ruleset, Show};
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

/// A match was played after the cut: the line was drawn as if the cut had been made with it.
#[test]
fn a_cut_that_was_made_with_others_is_drawn_in_no_line() {
    let rounds = CUT.split("phase").next().expect("the Swiss rounds");
    let bracket = "phase single elimination: Ann Bob Cid Fay\nround\nFay 2-0 Ann\nCid 2-1 Bob";
    let told = tell(games_sheet(Some(3)), &format!("{rounds}{bracket}"));
    let cut = |round| {
        let scope = Scope { through: Some(round), final_order: None };
        Cut::of(&told.desk.state, &told.standings_in("mtr", scope), None).expect("it was made")
    };
    let made = cut(2);
    assert!(made.is_another() && !made.has(told.number("Fay")), "{made:?}");
    assert_eq!(made.line(), None);
    assert_eq!(made.went_on, ["Ann", "Bob", "Cid", "Fay"].map(|name| told.number(name)));
    // Within the phase the cut was not made yet.
    let within = cut(1);
    assert!(!within.is_another() && within.line().is_some(), "{within:?}");
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

/// Seven players, counted by hand. Before the final: Gus 2, Ann, Dee and Eve 1½, Bob 1, Cid ½, Fay 0.
const BEFORE_THE_FINAL: &str = "
    players Ann Bob Cid Dee Eve Fay Gus
    round
    Ann beats Bob
    Cid draws Dee
    Eve beats Fay
    Gus bye
    round
    Ann draws Eve
    Gus beats Cid
    Dee beats Fay
    Bob bye
    round
    Fay half bye
    ";

/// FIDE C.07, 8.3. As if the final was drawn they have: Gus 2½; Ann, Dee and Eve 2; Bob 1½; Cid 1; Fay ½, of the
/// bye that nothing follows. A bye of one's own is a dummy with as much as oneself, at most 1½ of three rounds.
/// Ann met Bob, Eve, Gus: 1½ + 2 + 2½ = 6, without the lowest 4½. Bob met Ann and Cid and had a bye: 2 + 1 + 1½.
/// Cid met Dee, Gus, Bob: 2 + 2½ + 1½. Dee met Cid, Fay, Eve: 1 + ½ + 2. Eve met Fay, Ann, Dee: ½ + 2 + 2. Fay
/// met Eve and Dee and had a bye: 2 + 2 + ½. Gus had a bye and met Cid and Ann: 1½ + 1 + 2.
#[test]
fn fore_buchholz_counts_a_final_of_draws_however_it_ends_and_before_it_is_played() {
    let finals = [
        "Ann meets Gus\nEve meets Dee\nBob meets Cid",
        "Ann beats Gus\nEve forfeits to Dee\nBob meets Cid",
        "Gus beats Ann\nEve draws Dee\nCid forfeits to Bob",
    ];
    for last in finals {
        let told = tell(Scoresheet::default(), &format!("{BEFORE_THE_FINAL}{last}"));
        let standings = told.standings("fide-tiebreaks-2026");
        told.assert_values(
            &standings,
            "player fore_buchholz fore_buchholz_cut1 fore_buchholz_median
             Ann    6    4.5  2
             Bob    4.5  3.5  1.5
             Cid    6    4.5  2
             Dee    3.5  3    1
             Eve    4.5  4    2
             Fay    4.5  4    2
             Gus    4.5  3.5  1.5",
        );
    }
    // The plain one goes by what happened, and its opponents' means of the other by whom they met at the board.
    let told = tell(Scoresheet::default(), &format!("{BEFORE_THE_FINAL}{}", finals[1]));
    let standings = told.standings("fide-tiebreaks-2026");
    told.assert_values(
        &standings,
        "player buchholz average_opponents_fore_buchholz
         Ann    4.5  4.5
         Bob    3.5  6
         Cid    4.5  4
         Dee    2.5  5.25
         Eve    4.5  5.25
         Fay    4.5  4
         Gus    4.5  6",
    );
    assert_eq!(told.value(&standings, "Dee", "points"), number("5/2"), "what happened stays");
}

#[test]
fn a_measure_as_if_drawn_builds_on_no_other_and_is_explained_by_its_own_opponents() {
    let told = tell(Scoresheet::default(), &format!("{BEFORE_THE_FINAL}Ann meets Gus"));
    let order = "order = [\"points\", \"fore_buchholz\"]\n";
    let standings = told.standings_under(&on("fide-tiebreaks-2026", order));
    let found = scrutineer_projections::explain::explain(
        &told.desk.state,
        &standings,
        told.number("Ann"),
        None,
    );
    let found = found.expect("a place").measures;
    let Terms::Opponents(terms) = &found[1].terms else { panic!("{found:?}") };
    let met: Vec<(u16, String)> =
        terms.iter().map(|term| (term.round, term.value.to_string())).collect();
    assert_eq!(met, [(1, "3/2".into()), (2, "2".into()), (3, "5/2".into())]);
    for twice in ["as_drawn = \"fore_buchholz\"", "as_left = \"fore_buchholz\""] {
        let refused = fault_of("fide-tiebreaks-2026", &format!("[measures.twice]\n{twice}\n"));
        assert!(refused.contains("as if a round had been drawn"), "{refused}");
    }
}

/// Neither came, which was counted as a game that both had lost. C.07, 16.4.1: a dummy with as much as oneself, in a
/// forfeit no more than the scheduled opponent; 16.5: it is a round that each chose not to play, and the cut takes it.
/// Cid met Dee and Bob: 0 + 1½, and the dummy 1½ of Ann's 2. Ann met Bob and Dee: 1½ + 0, and 1½ of Cid.
#[test]
fn a_double_forfeit_in_chess_is_no_game_and_nobody_won_it() {
    let told = tell(
        Scoresheet::default(),
        "players Ann Bob Cid Dee
         round
         Ann beats Bob
         Cid beats Dee
         round
         Ann and Cid forfeit
         Bob beats Dee
         round
         Ann beats Dee
         Bob draws Cid",
    );
    let standings = told.standings("fide-tiebreaks-2026");
    told.assert_values(
        &standings,
        "player points buchholz buchholz_cut1 sonneborn_berger black_games elected
         Ann    2      3        1.5           1.5              0           2
         Bob    1.5    3.5      3.5           0.75             1           3
         Cid    1.5    3        1.5           0.75             1           2
         Dee    0      5        3.5           0                3           3",
    );
    let [ann, cid] = ["Ann", "Cid"].map(|name| told.number(name));
    let found =
        scrutineer_projections::explain::explain(&told.desk.state, &standings, ann, Some(cid));
    let steps = found.expect("a place").steps;
    let met: Vec<_> = steps.iter().flat_map(|step| &step.met).collect();
    let [met] = met[..] else { panic!("{met:?}") };
    assert!(met.forfeited && (met.outcome, met.theirs) == (Outcome::Loss, Outcome::Loss));
}

/// Articles 13.1 to 13.4, counted by hand. Match points: Ann 4, Bob 1, Cid 5, Dee 2; game points 8, 4, 7, 5; Buchholz
/// by match points 8, 11, 7, 10. The cut leaves out the product with the opponent of the fewest match points.
#[test]
fn the_tie_breaks_of_teams_count_match_points_and_game_points() {
    let told = tell(
        games_sheet(None),
        "players Ann Bob Cid Dee
         round
         Ann 3-0-1 Bob
         Cid 1-1-2 Dee
         round
         Ann 1-2-1 Cid
         Bob 2-2-0 Dee
         round
         Ann 2-0-2 Dee
         Bob 1-2-1 Cid",
    );
    let standings = told.standings("fide-team-swiss-2026");
    told.assert_values(
        &standings,
        "player points game_points emmsb emgsb emgsb_cut1 egmsb eggsb sssc
         Ann    4 8 6  17   13.5 18 39.5 10
         Bob    1 4 2  13.5 9.5  5  24.5 6.75
         Cid    5 7 12 16.5 14   29 40   8.75
         Dee    2 5 6  16   14   11 30   7.5",
    );
    assert_eq!(told.order(&standings), ["Cid", "Ann", "Dee", "Bob"]);
}

/// 13.3: each of three beat another one, so match points among them are equal; game points among them are
/// Ann 4½, Cid 4, Bob 3½. What they took from the fourth counts for nothing there.
#[test]
fn direct_encounter_of_teams_goes_on_with_game_points() {
    let told = tell(
        games_sheet(None),
        "players Ann Bob Cid Dee
         round
         Ann 3-1 Bob
         Cid 4-0 Dee
         round
         Bob 2-1-1 Cid
         Ann 1-0-3 Dee
         round
         Cid 2-1-1 Ann
         Bob 4-0 Dee",
    );
    let order = "order = [\"points\", { head_to_head = \"certain\" }, \
                 { head_to_head = \"certain\", by = \"game_points\" }, \"game_points\"]";
    let rules = on("fide-team-swiss-2026", order);
    let standings = told.standings_under(&rules);
    assert_eq!(told.order(&standings), ["Ann", "Cid", "Bob", "Dee"]);
    let row = standings.row(told.number("Cid")).expect("a place");
    assert_eq!(
        scrutineer_projections::explain::decided(&told.desk.state, &standings, row),
        "head-to-head by Game points"
    );
    for by in ["progressive", "buchholz", "nothing"] {
        let order = format!("order = [{{ head_to_head = \"certain\", by = {by:?} }}]");
        assert!(fault_of("fide-team-swiss-2026", &order).contains(by), "{by}");
    }
    let weighed = "[measures.own]\nopponents = \"points\"\nweight = \"progressive\"\n";
    assert!(fault_of("fide-team-swiss-2026", weighed).contains("weight"));
}

/// 13.3.3: all four have three match points, and by game points Ann is last (4½) and the others equal (6½). Those
/// three are told apart by the matches among them: Bob beat Cid and drew with Dee, whom Cid beat.
#[test]
fn teams_that_game_points_leave_equal_are_told_apart_by_match_points_anew() {
    let told = tell(
        games_sheet(None),
        "players Dee Cid Ann Bob
         round
         Ann 2-1-1 Bob
         Cid 3-0-1 Dee
         round
         Bob 3-1 Cid
         Dee 4-0 Ann
         round
         Ann 2-2 Cid
         Bob 2-2 Dee",
    );
    let ranks = |more: &str| {
        let order = format!(
            "order = [\"points\", {{ head_to_head = \"certain_anew\" }}, \
             {{ head_to_head = \"certain\", by = \"game_points\" }}{more}]\nties = \"shared\""
        );
        let standings = told.standings_under(&on("fide-team-swiss-2026", &order));
        (told.order(&standings), standings.rows.iter().map(|row| row.rank).collect::<Vec<_>>())
    };
    assert_eq!(ranks("").1, [1, 1, 1, 4]);
    let (order, places) = ranks(", { head_to_head = \"certain_anew\" }");
    assert_eq!(order, ["Bob", "Cid", "Dee", "Ann"]);
    assert_eq!(places, [1, 2, 3, 4]);
    let twice =
        "order = [\"points\", { head_to_head = \"certain\" }, { head_to_head = \"certain\" }]";
    assert!(fault_of("fide-team-swiss-2026", twice).contains("stands here twice"));
}

/// 6.2: Ann and Bob have two points among the four, Cid and Dee one; then Ann is ahead of Bob, whom she beat, and
/// Cid of Dee.
#[test]
fn those_who_are_equal_by_direct_encounter_are_told_apart_by_it_anew() {
    let told = tell(
        Scoresheet::default(),
        "players Dee Cid Bob Ann Eve Fay
         round
         Ann beats Bob
         Cid beats Dee
         Eve beats Fay
         round
         Ann beats Cid
         Bob beats Dee
         round
         Dee beats Ann
         Bob beats Cid
         round
         Eve beats Ann
         round
         Eve beats Bob
         round
         Cid beats Eve
         round
         Dee beats Eve",
    );
    let order = |mode: &str| {
        let order = format!("order = [\"points\", {{ head_to_head = \"{mode}\" }}]");
        let standings = told.standings_under(&on("fide-buchholz-2026", &order));
        (told.order(&standings), standings.rows.iter().map(|row| row.rank).collect::<Vec<_>>())
    };
    let (anew, ranks) = order("certain_anew");
    assert_eq!(anew, ["Eve", "Ann", "Bob", "Cid", "Dee", "Fay"]);
    assert_eq!(ranks, [1, 2, 3, 4, 5, 6]);
    // Logs that hold `certain` have the places that they were announced with.
    assert_eq!(order("certain").1, [1, 2, 2, 4, 4, 6]);
}

/// Tournaments under the lists of Buchholz keep the places that they were announced with; a list beside them does as
/// article 6.2 says.
#[test]
fn one_list_of_chess_begins_direct_encounter_anew_and_is_the_same_otherwise() {
    use scrutineer_projections::ruleset::{HeadToHead, Step};
    let library = Library::shipped();
    let [mut old, new] = ["fide-buchholz-2026", "fide-swiss-2026"]
        .map(|id| library.ruleset(id).expect("shipped").order);
    let steps = old.iter_mut().filter_map(|step| match step {
        Step::HeadToHead { mode, .. } => Some(mode),
        _ => None,
    });
    let mut modes: Vec<&mut HeadToHead> = steps.collect();
    assert_eq!(modes, [&HeadToHead::Certain]);
    *modes[0] = HeadToHead::CertainAnew;
    assert_eq!(old, new);
}

/// A bye of the pairing is a drawn match of teams: a match point, and half of the games.
#[test]
fn a_bye_of_a_team_has_the_points_of_a_drawn_match() {
    let told = tell(games_sheet(None), "players Ann Bob Cid\nround\nAnn 3-1 Bob\nCid bye");
    let standings = told.standings("fide-team-swiss-2026");
    told.assert_values(
        &standings,
        "player points game_points wins
         Ann 2 3 1
         Bob 0 1 0
         Cid 1 2 0",
    );
}

/// The example of `docs/RULESETS.md`: a line of the slip for each board. Ann and Bob won with 5 to 3 of the doubled
/// points, Ann by the first board and Bob by the fourth. Board counts: 2·1 + 1·2 + 1·3 + 1·4 = 11, and 14.
#[test]
fn boards_are_lines_of_the_slip_where_they_are_to_decide() {
    let document = include_str!("../../docs/RULESETS.md");
    let (_, example) = document.split_once("name = \"Team league\"").expect("the example");
    let (example, _) = example.split_once("```").expect("its end");
    let mut library = Library::shipped();
    let id = library.load_file("boards.toml", &format!("name = \"Team league\"{example}"));
    let rules = std::sync::Arc::new(library.ruleset(&id.expect("a file")).expect("a ruleset"));
    let told = tell(
        seat_sheet(&["games", "board_1", "board_2", "board_3", "board_4"]),
        "players Bob Ann Cid Dee
         round
         Ann 5-3,2-0,1-1,1-1,1-1 Cid
         Bob 5-3,1-1,1-1,1-1,2-0 Dee",
    );
    let standings = told.standings_under(&rules);
    told.assert_values(
        &standings,
        "player game_points board_count board_1 without_4
         Ann 2.5 11 2 4
         Bob 2.5 14 1 3
         Cid 1.5 9  0 2
         Dee 1.5 6  1 3",
    );
    assert_eq!(told.order(&standings), ["Ann", "Bob", "Dee", "Cid"]);
}

/// A ruleset that extends a shipped one by these lines.
fn extending(base: &str, more: &str) -> Result<Ruleset, String> {
    let head = format!("name = \"T\"\nedition = \"1\"\nsource = \"a test\"\nextends = {base:?}\n");
    let mut library = Library::shipped();
    let id = library.load_file("t.toml", &format!("{head}{more}\n"));
    let id = id.map_err(|error| error.to_string())?;
    library.ruleset(&id).map_err(|error| error.to_string())
}

fn on(base: &str, more: &str) -> std::sync::Arc<Ruleset> {
    std::sync::Arc::new(extending(base, more).unwrap_or_else(|error| panic!("{error}")))
}

fn fault_of(base: &str, more: &str) -> String {
    extending(base, more).expect_err("it has a fault")
}
