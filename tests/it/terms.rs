//! What values are made of: bounds that are reached exactly, opponents met again, values that 128
//! bits do not hold, sums that nothing holds.

use crate::script::{FOUR, Told, games_sheet, line, number, on_mtr, tell};
use num_rational::BigRational;
use scrutineer_engine::event::{Per, Scoresheet};
use scrutineer_projections::crosstable::{FoldError, Scope};
use scrutineer_projections::explain::explain;
use scrutineer_projections::measure::{Notes, OpponentTerm, RoundTerm, Skipped, TermNote, Terms};
use scrutineer_projections::standings::{Detail, Standings};

/// What a player's value of a measure is made of, the value before its bounds, and its notes.
fn made_of(
    told: &Told,
    standings: &Standings,
    name: &str,
    id: &str,
) -> (Terms, BigRational, Notes) {
    let measure = standings.rules.measures.iter().position(|one| one.id == id);
    let measure = measure.unwrap_or_else(|| panic!("{id} is no measure"));
    let layer = standings.last_layer();
    let index = standings.row(told.number(name)).expect("a row").index;
    let (state, rules) = (&told.desk.state, &standings.rules);
    let terms = scrutineer_projections::measure::terms(
        state,
        rules,
        &layer.table,
        &layer.measured,
        measure,
        index,
    );
    let column = layer.measured.column(measure).expect("it was taken");
    (terms.expect("it was taken"), column.value_before(index), column.notes(index))
}

fn rounds(terms: &Terms) -> &[RoundTerm] {
    match terms {
        Terms::Rounds(rounds) => rounds,
        other => panic!("{other:?}"),
    }
}

fn opponents(terms: &Terms) -> &[OpponentTerm] {
    match terms {
        Terms::Opponents(opponents) => opponents,
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_round_on_its_bound_counts_as_it_is() {
    let told = tell(games_sheet(Some(3)), FOUR);
    let standings = told.standings_under(&on_mtr(
        "[measures.on]\ntotal = \"points\"\neach_at_least = 0\neach_at_most = 3\n\
             [measures.within]\ntotal = \"points\"\neach_at_least = \"1/2\"\neach_at_most = 2\n",
    ));
    told.assert_values(
        &standings,
        "player on within
         Ann    9  6
         Bob    6  4.5
         Cid    3  3
         Dee    0  1.5",
    );
    for name in ["Ann", "Bob", "Cid", "Dee"] {
        let notes = |measure| {
            let (terms, ..) = made_of(&told, &standings, name, measure);
            rounds(&terms).iter().map(|term| term.note).collect::<Vec<_>>()
        };
        assert_eq!(notes("on"), [TermNote::Counted; 3]);
        assert_eq!(notes("within"), [TermNote::Bounded; 3]);
    }
}

#[test]
fn an_opponent_on_his_bound_counts_as_he_is() {
    let told = tell(games_sheet(Some(3)), FOUR);
    let standings = told.standings_under(&on_mtr(
        "[measures.on]\nopponents = \"points\"\ncombine = \"sum\"\n\
             each_at_least = 0\neach_at_most = 9\n\
             [measures.within]\nopponents = \"points\"\ncombine = \"sum\"\n\
             each_at_least = 3\neach_at_most = 6\n",
    ));
    told.assert_values(
        &standings,
        "player on within
         Ann    9  12
         Bob    12 12
         Cid    15 15
         Dee    18 15",
    );
    let bounded = |name, measure| {
        let (terms, ..) = made_of(&told, &standings, name, measure);
        opponents(&terms).iter().map(|term| term.bounded).collect::<Vec<_>>()
    };
    for name in ["Ann", "Bob", "Cid", "Dee"] {
        assert_eq!(bounded(name, "on"), [false; 3]);
    }
    // Bob 6, Cid 3, Dee 0; and Ann 9, Dee 0, Cid 3.
    assert_eq!(bounded("Ann", "within"), [false, false, true]);
    assert_eq!(bounded("Bob", "within"), [true, true, false]);
}

/// Ann and Bob meet three times, the first time at a table that Ann forfeits.
const AGAIN: &str = "
    players Ann Bob Cid Dee
    round
    Ann forfeits to Bob
    Cid 2-0 Dee
    round
    Ann 2-0 Bob
    Cid 2-0 Dee
    round
    Ann 2-0 Bob
    Cid 2-0 Dee
    ";

#[test]
fn who_was_met_again_counts_once() {
    let told = tell(games_sheet(Some(3)), AGAIN);
    let mut more = String::new();
    for unplayed in ["skip", "skip_forfeits", "dummy"] {
        more += &format!(
            "[measures.{unplayed}]\nopponents = \"points\"\ncombine = \"sum\"\n\
             repeats = \"once\"\nunplayed = \"{unplayed}\"\n"
        );
    }
    let standings = told.standings_under(&on_mtr(&more));
    // Bob has 3 points, Ann 6. A dummy has the player's own points beside the opponent's.
    told.assert_values(
        &standings,
        "player skip skip_forfeits dummy
         Ann    3    3             9
         Bob    6    6             9",
    );
    let skipped = |measure| {
        let (terms, ..) = made_of(&told, &standings, "Ann", measure);
        opponents(&terms).iter().map(|term| term.skipped).collect::<Vec<_>>()
    };
    use Skipped::{Forfeited, MetBefore};
    assert_eq!(skipped("skip"), [None, Some(MetBefore), Some(MetBefore)]);
    assert_eq!(skipped("skip_forfeits"), [Some(Forfeited), None, Some(MetBefore)]);
    assert_eq!(skipped("dummy"), [None, None, Some(MetBefore)]);
}

#[test]
fn who_was_met_twice_over_the_board_counts_once_or_twice() {
    let told = tell(
        games_sheet(Some(3)),
        "players Ann Bob
         round
         Ann 2-0 Bob
         round
         Ann 2-0 Bob
         round
         Ann 1-1 Bob",
    );
    let each = |repeats| {
        format!(
            "[measures.{repeats}]\nopponents = \"points\"\ncombine = \"sum\"\n\
             repeats = \"{repeats}\"\n"
        )
    };
    let rules = on_mtr(&(each("once") + &each("every_match")));
    // Ann has 7 points, Bob 1.
    told.assert_values(
        &told.standings_under(&rules),
        "player once every_match
         Ann    1    3
         Bob    7    21",
    );
}

/// Ann's opponents have 6, 3 and 0 points, Bob's 9, 0 and 3.
#[test]
fn the_lowest_and_the_highest_are_left_out() {
    let told = tell(games_sheet(Some(3)), FOUR);
    told.assert_values(
        &told.standings("mtr"),
        "player buchholz buchholz_cut1 buchholz_median
         Ann    9        9             3
         Bob    12       12            3
         Cid    15       15            6
         Dee    18       15            6",
    );
}

#[test]
fn a_bye_may_count_as_some_opponents() {
    let told = tell(
        games_sheet(Some(3)),
        "players Ann Bob Cid
         round
         Ann 2-0 Bob
         Cid bye
         round
         Ann 2-0 Cid
         Bob awarded loss",
    );
    let rules = on_mtr(
        "[measures.with_byes]\nopponents = \"points\"\ncombine = \"sum\"\n\
         bye_as = { opponents = 3, value = \"1/2\" }\n",
    );
    // Ann has 6 points, Cid 3 and Bob none. An awarded loss is no bye.
    told.assert_values(
        &told.standings_under(&rules),
        "player with_byes
         Ann    3
         Bob    6
         Cid    7.5",
    );
}

/// Points so far, added up: who does not appear in a round adds nothing.
#[test]
fn a_progressive_score_stands_still_for_who_is_away() {
    let told = tell(
        games_sheet(Some(3)),
        "players Ann Bob Cid Dee
         round
         Ann 2-0 Bob
         Cid 2-0 Dee
         Ann drops
         round
         Cid 2-0 Bob
         Dee bye
         round
         Cid 1-1 Dee
         Bob bye",
    );
    told.assert_values(
        &told.standings("mtr"),
        "player progressive
         Ann    3
         Bob    3
         Cid    16
         Dee    7",
    );
}

/// The mean over the rounds that were played, of which a forfeited one is none.
#[test]
fn a_bye_may_count_as_the_mean() {
    let told = tell(
        games_sheet(Some(3)),
        "players Ann Bob Cid Dee
         round
         Ann 2-0 Bob
         Dee bye
         round
         Ann 1-1 Cid
         Dee bye
         round
         Cid forfeits to Ann
         Dee bye
         round
         Bob 2-0 Cid
         Ann bye
         Dee bye",
    );
    let rules = on_mtr("[measures.even]\ntotal = \"points\"\nbyes = \"average\"\n");
    // Ann: 3, 1, 3, and 2 for the bye. Dee has played nothing.
    told.assert_values(
        &told.standings_under(&rules),
        "player even
         Ann    9
         Bob    3
         Cid    1
         Dee    0",
    );
}

/// Half of what it was for each round that came after, once that is over.
#[test]
fn rounds_may_count_less_the_longer_ago_they_are() {
    let four = tell(games_sheet(Some(3)), FOUR);
    let rules = on_mtr("[measures.fresh]\ntotal = \"points\"\ndecay = \"1/2\"\n");
    let fresh = "player fresh
         Ann    5.25
         Bob    4.5
         Cid    0.75
         Dee    0";
    four.assert_values(&four.standings_under(&rules), fresh);
    let running = format!("{FOUR}\nround\nAnn meets Cid\nBob meets Dee");
    let running = tell(games_sheet(Some(3)), &running);
    running.assert_values(&running.standings_under(&rules), fresh);
}

/// Each value fits 64 bits, and their sum does not.
#[test]
fn a_sum_over_opponents_may_be_larger_than_64_bits() {
    let told = tell(games_sheet(Some(3)), FOUR);
    let rules = on_mtr(
        "[measures.large]\nsum_of = { points = 999999999 }\n\
         [measures.larger]\nsum_of = { large = 999999999 }\n\
         [measures.theirs]\nopponents = \"larger\"\ncombine = \"sum\"\n",
    );
    let square = number("999999999") * number("999999999");
    let standings = told.standings_under(&rules);
    for (name, theirs) in [("Ann", "9"), ("Bob", "12"), ("Cid", "15"), ("Dee", "18")] {
        assert_eq!(told.value(&standings, name, "theirs"), number(theirs) * &square, "{name}");
    }
}

/// What rounds weigh is added up over one denominator, and that may be larger than anything holds.
#[test]
fn weights_that_nothing_holds_are_refused() {
    let weighted = |weights: &[&str]| {
        let round = |weight: &&str| {
            format!("round weight {weight}\n Ann 2-0 Bob\n Cid 2-0 Dee\n Eve bye\n")
        };
        let rounds: String = weights.iter().map(round).collect();
        tell(games_sheet(Some(3)), &format!("players Ann Bob Cid Dee Eve\n{rounds}"))
    };
    let of = |told: &Told| {
        let rules = on_mtr("order = [\"weights\"]\n[measures.weights]\ntotal = \"round_weight\"\n");
        Standings::of(&told.desk.state, &rules, Scope::FINAL, Detail::Order)
    };
    let told = weighted(&["1/2", "1/3"]);
    assert_eq!(told.value(&of(&told).expect("it fits"), "Ann", "weights"), number("5/6"));
    let primes = ["1/997", "1/991", "1/983", "1/977", "1/971", "1/967", "11/1"];
    let refused = of(&weighted(&primes)).expect_err("no 64 bits hold it");
    assert!(matches!(refused, FoldError::TooLarge { .. }), "{refused}");
}

/// Nobody has an opponent before the first round.
#[test]
fn before_the_first_round_everybody_has_the_least() {
    let told = tell(games_sheet(Some(3)), "players Ann Bob");
    let standings = told.standings("mtr");
    told.assert_values(&standings, "player points omw ogw buchholz\nAnn 0 0.33 0.33 0");
    assert!(made_of(&told, &standings, "Bob", "omw").2.has(Notes::EMPTY));
}

/// Of two that count alike the first is left out, whatever the other was.
#[test]
fn of_equal_opponents_the_first_is_cut() {
    let told = tell(
        games_sheet(Some(3)),
        "players Ann Bob
         round
         Ann draws Bob
         round
         Ann half bye
         Bob half bye",
    );
    let fide = told.standings("fide-buchholz-2024");
    let (terms, ..) = made_of(&told, &fide, "Ann", "buchholz_cut1");
    let values: Vec<_> = opponents(&terms).iter().map(|term| term.value.clone()).collect();
    assert_eq!(values, [number("1"), number("1")]);
    let skipped: Vec<_> = opponents(&terms).iter().map(|term| term.skipped).collect();
    assert_eq!(skipped, [Some(Skipped::Lowest), None]);
    told.assert_values(&fide, "player buchholz_cut1\nAnn 1\nBob 1");
}

/// Divided by the rounds that are over, also those without an opponent.
#[test]
fn a_mean_may_be_over_rounds() {
    let told = tell(
        games_sheet(Some(3)),
        "players Ann Bob Cid
         round
         Ann 2-0 Bob
         Cid bye
         round
         Ann bye
         Bob 2-0 Cid
         round
         Ann meets Cid
         Bob bye",
    );
    let standings = told.standings_under(&on_mtr(
        "[measures.by_opponents]\nopponents = \"points\"\n\
             [measures.by_rounds]\nopponents = \"points\"\ndivide_by = \"rounds\"\n",
    ));
    // Ann and Bob have 6 points, Cid 3.
    told.assert_values(
        &standings,
        "player by_opponents by_rounds
         Ann    6            3
         Bob    4.5          3
         Cid    6            3",
    );
}

#[test]
fn a_ratio_over_what_is_below_nought() {
    let told = tell(games_sheet(Some(3)), FOUR);
    let standings = told.standings_under(&on_mtr(
        "[measures.owed]\nsum_of = { points = \"-1/2\" }\n\
             [measures.share]\nratio = [\"points\", \"owed\"]\nwhen_empty = 7\n\
             [measures.both]\nratio = [\"owed\", \"owed\"]\n",
    ));
    told.assert_values(
        &standings,
        "player share both
         Ann    -2    1
         Cid    -2    1
         Dee    7     0",
    );
    assert!(made_of(&told, &standings, "Dee", "share").2.has(Notes::EMPTY));
}

/// A draw worth half a game and a loss a third; a draw worth a win; a loss worth a win.
#[test]
fn parts_of_games_are_added_up() {
    let told = tell(
        games_sheet(Some(3)),
        "players Ann Bob
         round
         Ann 1-0-1 Bob
         round
         Bob 1-1-1 Ann",
    );
    for (win, draw, loss, of_ann, of_bob) in
        [("1", "1/2", "1/3", "10/3", "8/3"), ("1", "1", "0", "4", "3"), ("1", "0", "1", "3", "3")]
    {
        let games = format!("win = \"{win}\"\ndraw = \"{draw}\"\nloss = \"{loss}\"\n");
        let expected =
            format!("player game_points possible_game_points\nAnn {of_ann} 5\nBob {of_bob} 5");
        let rules = on_mtr(&format!("[games]\n{games}"));
        told.assert_values(&told.standings_under(&rules), &expected);
    }
}

/// Five factors of nine digits: no 128 bits hold the divisor.
#[test]
fn values_may_be_larger_than_128_bits() {
    let told = tell(games_sheet(Some(3)), FOUR);
    let mut more = String::from("order = [\"top\"]\n");
    let primes = [999_999_937_i64, 999_999_929, 999_999_893, 999_999_883, 999_999_797];
    let mut of = "points".to_owned();
    for (at, prime) in primes.iter().enumerate() {
        let id = if at == 4 { "small".to_owned() } else { format!("m{at}") };
        more += &format!("[measures.{id}]\nsum_of = {{ {of} = \"1/{prime}\" }}\n");
        of = id;
    }
    more += "[measures.top]\nsum_of = { small = 1 }\ncap = 0\n\
             [measures.again]\nsum_of = { small = 999999797 }\n\
             [measures.share]\nratio = [\"small\", \"points\"]\n\
             [measures.theirs]\nopponents = \"small\"\ncombine = \"sum\"\n\
             [measures.floored]\nsum_of = { small = 1 }\nfloor = \"1/3\"\n\
             [measures.low]\nsum_of = { small = -1 }\n";
    more = more.replace("order = [\"top\"]", "order = [\"small\"]");
    let standings = told.standings_under(&on_mtr(&more));
    assert_eq!(told.order(&standings), ["Ann", "Bob", "Cid", "Dee"]);
    let low = on_mtr(&more.replace("[\"small\"]", "[{ lowest = \"small\" }]"));
    let backwards = told.standings_under(&low);
    assert_eq!(told.order(&backwards), ["Dee", "Cid", "Bob", "Ann"]);
    let product = |primes: &[i64]| -> BigRational {
        primes.iter().map(|prime| number(&prime.to_string())).product()
    };
    let all = product(&primes);
    for (name, points, theirs) in [("Ann", "9", "9"), ("Bob", "6", "12"), ("Cid", "3", "15")] {
        let value = |id| told.value(&standings, name, id);
        let small = number(points) / &all;
        assert_eq!(value("small"), small, "{name}");
        assert_eq!(value("again"), number(points) / product(&primes[..4]), "{name}");
        assert_eq!(value("share"), number("1") / &all, "{name}");
        assert_eq!(value("theirs"), number(theirs) / &all, "{name}");
        assert_eq!(value("low"), -small.clone(), "{name}");
        for (bounded, bound, note) in [("top", "0", Notes::CAP), ("floored", "1/3", Notes::FLOOR)] {
            assert_eq!(value(bounded), number(bound), "{name}");
            let (_, before, notes) = made_of(&told, &standings, name, bounded);
            assert_eq!(before, small, "{name}");
            assert!(notes.has(note) && !notes.has(Notes::EMPTY), "{name}");
        }
    }
    assert!(made_of(&told, &standings, "Dee", "share").2.has(Notes::EMPTY));
    // And an explanation tells them.
    let explained = explain(&told.desk.state, &standings, told.number("Ann"), None);
    assert!(explained.is_some());
}

/// A slip holds at most a thousand million games; with 2^28 points for each, 63 bits hold 34
/// rounds.
#[test]
fn a_sum_that_nothing_holds_is_refused() {
    let lines = vec![line("games", Per::Seat, 0, 1_000_000_000), line("drawn", Per::Table, 0, 9)];
    let sheet = Scoresheet { lines, best_of: None };
    let mut text = String::from("players Ann Bob Cid Dee\n");
    let rules = |win: u64| {
        on_mtr(&format!("order = [\"game_points\"]\n[games]\nwin = {win}\ndraw = 0\nloss = 0\n"))
    };
    let refused = |text: &str, win: u64| {
        let told = tell(sheet.clone(), text);
        let found = Standings::of(&told.desk.state, &rules(win), Scope::FINAL, Detail::Order);
        found.map(|standings| told.value(&standings, "Ann", "game_points"))
    };
    let too_large = Err(FoldError::TooLarge { what: "Game points".to_owned() });
    for round in 1..=40 {
        text += "round\nAnn 1000000000-0 Bob\nCid 1000000000-0 Dee\n";
        let found = refused(&text, 1 << 28);
        match round {
            1..=34 => {
                let games = BigRational::from_integer(round.into()) * number("1000000000");
                assert_eq!(found, Ok(games * number("268435456")), "round {round}");
            }
            _ => assert_eq!(found, too_large, "round {round}"),
        }
    }
    // So much for a game is refused before anything is played.
    assert_eq!(refused("players Ann Bob\nround\nAnn 1-0 Bob", 999_999_999), too_large);
}
