//! Tournaments of platforms that still run: what is played ahead waits for its round, so that the next version of a
//! file only adds to this one.

use super::platforms::shape;
use super::*;

/// A match of Challonge: who won, or that it is to be played.
fn game(id: u32, round: i32, [one, other]: [u32; 2], won: Option<usize>) -> String {
    let how = match won {
        Some(seat) => {
            let (winner, loser) = if seat == 0 { (one, other) } else { (other, one) };
            let scores = if seat == 0 { "2-1" } else { "0-2" };
            format!(
                r#""state":"complete","winner_id":{winner},"loser_id":{loser},"scores_csv":"{scores}""#
            )
        }
        None => r#""state":"open","winner_id":null,"loser_id":null,"scores_csv":"""#.to_owned(),
    };
    format!(
        r#"{{"match":{{"id":{id},"round":{round},"player1_id":{one},"player2_id":{other},{how}}}}}"#
    )
}

fn cup(kind: &str, state: &str, games: &[String]) -> Source {
    let players: Vec<String> = (1..=8)
        .map(|id| format!(r#"{{"participant":{{"id":{id},"name":"P{id}","seed":{id}}}}}"#))
        .collect();
    source(&format!(
        r#"{{"tournament":{{"id":7,"name":"Cup","tournament_type":"{kind}","state":"{state}","participants":[{}],"matches":[{}]}}}}"#,
        players.join(","),
        games.join(",")
    ))
}

/// The first round, with its last match still to be played.
fn first_round(last: Option<usize>) -> Vec<String> {
    vec![
        game(1, 1, [1, 8], Some(0)),
        game(2, 1, [4, 5], Some(0)),
        game(3, 1, [2, 7], Some(0)),
        game(4, 1, [3, 6], last),
    ]
}

fn rounds(source: &Source) -> Vec<usize> {
    source.rounds().map(|(_, round)| round.tables.len()).collect()
}

/// The open match stood in the last round, and was of another one once it was played: no version was taken any more.
#[test]
fn an_open_match_of_a_bracket_stays_in_its_round_and_what_was_played_ahead_waits() {
    let mut games = first_round(None);
    games.push(game(5, 2, [1, 4], Some(0)));
    let running = cup("single elimination", "underway", &games);
    assert_eq!(rounds(&running), [4]);
    assert!(!running.finished);
    let ahead = "Matches that were played ahead of a round that is not over: 1.";
    assert!(
        running.oddities.iter().any(|odd| odd.sentence.starts_with(ahead)),
        "{:?}",
        running.oddities
    );
    let mut games = first_round(Some(1));
    games.extend([game(5, 2, [1, 4], Some(0)), game(6, 2, [2, 6], None)]);
    let later = cup("single elimination", "underway", &games);
    assert_eq!(rounds(&later), [4, 2]);
    let pairs = |source: &Source| -> Vec<Vec<usize>> {
        let seats = |table: &SourceTable| table.seats.iter().map(|seat| seat.player).collect();
        source.phases[0].rounds[0].tables.iter().map(seats).collect()
    };
    assert_eq!(pairs(&later), pairs(&running), "the first round is the same");
    legal_events(&later).expect("legal where they stand");
}

#[test]
fn a_bracket_that_is_over_keeps_what_was_never_played_and_all_that_was() {
    let mut games = first_round(None);
    games.extend([game(5, 2, [1, 4], Some(0)), game(7, 3, [1, 2], Some(0))]);
    let over = cup("single elimination", "complete", &games);
    assert_eq!(rounds(&over).iter().sum::<usize>(), 6);
    // So it is where everybody but one is out, whatever the platform says.
    let mut games = first_round(Some(0));
    games.extend([
        game(5, 2, [1, 4], Some(0)),
        game(6, 2, [2, 3], Some(0)),
        game(7, 3, [1, 2], Some(0)),
        game(8, 0, [4, 3], None),
    ]);
    let third_open = cup("single elimination", "underway", &games);
    assert_eq!(rounds(&third_open).iter().sum::<usize>(), 8);
}

#[test]
fn rounds_of_a_round_robin_that_are_to_come_are_not_void() {
    let games = |played: Option<usize>| {
        vec![
            game(1, 1, [1, 2], played),
            game(2, 1, [3, 4], played),
            game(3, 2, [1, 3], None),
            game(4, 2, [2, 4], None),
            game(5, 3, [1, 4], None),
            game(6, 3, [2, 3], None),
        ]
    };
    for played in [None, Some(0)] {
        let found = cup("round robin", "underway", &games(played));
        let is_void = |table: &SourceTable| table.result.rulings.contains(&Some(Ruling::NoResult));
        assert!(!found.rounds().any(|(_, round)| round.tables.iter().any(is_void)), "{played:?}");
        assert!(!found.finished && rounds(&found) == [2, 2, 2]);
    }
}

/// The scoresheet is that of the first version for good: 3-2 in the final was refused after matches of best of three.
#[test]
fn a_sheet_of_a_tournament_that_runs_takes_the_scores_that_are_to_come() {
    let running = cup("single elimination", "underway", &first_round(None));
    assert_eq!(running.scoresheet.lines[0].max, 99);
    let over = cup("single elimination", "complete", &[game(1, 1, [1, 2], Some(0))]);
    assert_eq!(over.scoresheet.lines[0].max, 2);
}

/// One match was never reported, and its player played on: all rounds behind it were held back for ever.
#[test]
fn who_plays_on_does_not_wait_for_a_match_that_was_never_reported() {
    let mut games = first_round(None);
    games.extend([
        game(5, 2, [1, 4], Some(0)),
        game(6, 2, [2, 3], Some(1)),
        game(7, 3, [1, 3], Some(1)),
    ]);
    let found = cup("single elimination", "underway", &games);
    assert_eq!(rounds(&found), [4, 2, 1]);
    let open = &found.phases[0].rounds[0].tables[3].result;
    assert_eq!(open.rulings[..], [Some(Ruling::NoResult); 2]);
    legal_events(&found).expect("legal where they stand");
}

/// Rounds of matches of two or more of sixteen players, of which the first one won each.
type Rounds<'a> = &'a [&'a [&'a [u8]]];

/// How many players there are: those of the first round.
fn count(rounds: Rounds<'_>) -> u8 {
    rounds[0].iter().flat_map(|players| players.iter()).copied().max().unwrap_or(0)
}

/// The matches of all rounds, each with the number of its round and of its table.
fn matches(rounds: Rounds<'_>) -> impl Iterator<Item = (usize, usize, &[u8])> {
    let numbered = rounds.iter().enumerate();
    numbered.flat_map(|(round, tables)| {
        tables.iter().enumerate().map(move |(at, players)| (round + 1, at + 1, *players))
    })
}

/// Answers of Melee: a Swiss round, semi-finals and a final.
fn melee(rounds: Rounds<'_>, status: &str) -> String {
    let rows = matches(rounds).map(|(round, table, players)| {
        let side = |(at, player): (usize, &u8)| {
            format!(
                r#"{{"GameWins":{},"Team":{{"ID":{player},"Players":[{{"ID":{player},"DisplayName":"P{player}","Username":"p{player}"}}]}}}}"#,
                2 * (1 - at)
            )
        };
        let name = ["Round 1", "Semifinals", "Finals"][round - 1];
        let sides: Vec<String> = players.iter().enumerate().map(side).collect();
        format!(
            r#"{{"ID":{round}{table},"TournamentId":9,"RoundNumber":{round},"RoundName":"{name}","TableNumber":{table},"HasResult":true,"GameDraws":0,"Competitors":[{}]}}"#,
            sides.join(",")
        )
    });
    let rows: Vec<String> = rows.collect();
    format!(
        r#"{{"tournament":{{"Name":"Cup","StatusDescription":"{status}"}},"matches":[{}]}}"#,
        rows.join(",")
    )
}

/// Answers of TopDeck: a numbered round, and a cut by the number of its players.
fn topdeck(rounds: Rounds<'_>, last_winner: &str) -> String {
    let listed = rounds.iter().enumerate().map(|(at, tables)| {
        let players: usize = tables.iter().map(|players| players.len()).sum();
        let name = if at == 0 { "1".to_owned() } else { format!("\"Top {players}\"") };
        let tables = tables.iter().enumerate().map(|(number, players)| {
            let sides: Vec<String> =
                players.iter().map(|one| format!(r#"{{"id":"t{one}","name":"P{one}"}}"#)).collect();
            let winner = match at + 1 == rounds.len() && !last_winner.is_empty() {
                true => last_winner.to_owned(),
                false => format!("P{}", players[0]),
            };
            format!(
                r#"{{"table":{},"players":[{}],"status":"Completed","winner":"{winner}"}}"#,
                number + 1,
                sides.join(",")
            )
        });
        format!(r#"{{"round":{name},"tables":[{}]}}"#, tables.collect::<Vec<_>>().join(","))
    });
    let listed: Vec<String> = listed.collect();
    format!(
        r#"{{"data":{{"name":"Cup","game":"X","format":"EDH","startDate":1785600000}},"rounds":[{}]}}"#,
        listed.join(",")
    )
}

/// A file of Cryodex: a Swiss round and a cut. `places`: what the ranks of the first two say of the cut.
fn cryodex(rounds: Rounds<'_>, places: [&str; 2]) -> String {
    let players: Vec<String> = (1..=count(rounds))
        .map(|id| {
            let place = places.get(usize::from(id) - 1).copied().unwrap_or("");
            format!(
                r#"{{"name":"P{id}","mov":0,"score":0,"sos":0,"rank":{{"swiss":{id}{place}}}}}"#
            )
        })
        .collect();
    let listed = rounds.iter().enumerate().map(|(at, tables)| {
        let (kind, number) =
            if at == 0 { ("swiss", 1) } else { ("elimination", 2 * tables.len()) };
        let games = tables.iter().map(|players| {
            format!(
                r#"{{"player1":"P{}","player1points":100,"player2":"P{}","player2points":50,"result":"win"}}"#,
                players[0], players[1]
            )
        });
        format!(
            r#"{{"round-type":"{kind}","round-number":{number},"matches":[{}]}}"#,
            games.collect::<Vec<_>>().join(",")
        )
    });
    let listed: Vec<String> = listed.collect();
    format!(r#"{{"name":"Cup","players":[{}],"rounds":[{}]}}"#, players.join(","), listed.join(","))
}

/// Answers of Limitless: a Swiss round and a bracket of this kind. `placing`: that of the first player.
fn limitless(rounds: Rounds<'_>, kind: &str, placing: &str) -> String {
    let pairings = matches(rounds).map(|(round, table, players)| {
        let (phase, round) = if round == 1 { (1, 1) } else { (2, round - 1) };
        format!(
            r#"{{"round":{round},"phase":{phase},"table":{table},"player1":"p{0}","player2":"p{1}","winner":"p{0}"}}"#,
            players[0], players[1]
        )
    });
    let pairings: Vec<String> = pairings.collect();
    let rows: Vec<String> = (1..=count(rounds))
        .map(|id| {
            let placing = if id == 1 { placing } else { "null" };
            format!(
                r#"{{"player":"p{id}","name":"P{id}","placing":{placing},"record":{{"wins":0,"losses":0,"ties":0}},"drop":null}}"#
            )
        })
        .collect();
    format!(
        r#"{{"details":{{"id":"x9","name":"Cup","date":"2026-07-01T18:00:00.000Z","phases":[{{"phase":1,"type":"SWISS","rounds":1}},{{"phase":2,"type":"{kind}","rounds":1}}]}},"pairings":[{}],"standings":[{}]}}"#,
        pairings.join(","),
        rows.join(",")
    )
}

const SWISS: &[&[u8]] = &[&[1, 5], &[2, 6], &[3, 7], &[4, 8]];
const SEMIS: &[&[u8]] = &[&[1, 4], &[2, 3]];
const FINAL: &[&[u8]] = &[&[1, 2]];
/// A final with the match for the third place beside it.
const THIRD: &[&[u8]] = &[&[3, 4], &[1, 2]];

/// It was closed, with the better of two finalists by the Swiss rounds in the first place.
#[test]
fn between_the_semi_finals_and_the_final_a_tournament_runs_on() {
    let texts: [fn(Rounds<'_>) -> String; 4] = [
        |rounds| melee(rounds, "InProgress"),
        |rounds| topdeck(rounds, ""),
        |rounds| cryodex(rounds, [""; 2]),
        |rounds| limitless(rounds, "SINGLE_BRACKET", "null"),
    ];
    for of in texts {
        for (rounds, is_over) in [
            (&[SWISS, SEMIS][..], false),
            (&[SWISS, SEMIS, FINAL][..], true),
            (&[SWISS, SEMIS, THIRD][..], true),
        ] {
            let text = of(rounds);
            let found = source(&text);
            assert_eq!(found.phases.len(), 2, "{text}");
            assert_eq!(found.phases[1].kind, PhaseKind::Elimination, "{text}");
            assert_eq!(found.finished, is_over, "{text}");
            legal_events(&found).expect("legal where they stand");
        }
    }
}

#[test]
fn a_final_that_was_never_played_is_over_where_the_file_says_so() {
    let semis = &[SWISS, SEMIS][..];
    assert!(source(&melee(semis, "Ended")).finished);
    assert!(source(&cryodex(semis, [r#","elimination":1"#, r#","elimination":2"#])).finished);
    // While it is played both have reached it.
    assert!(!source(&cryodex(semis, [r#","elimination":2"#; 2])).finished);
}

#[test]
fn a_cut_of_pods_runs_on_until_its_final_is_won_or_shared() {
    let pods: &[&[u8]] = &[&[1, 5, 9, 13], &[2, 6, 10, 14], &[3, 7, 11, 15], &[4, 8, 12, 16]];
    let last: &[&[u8]] = &[&[1, 2, 3, 4]];
    assert!(!source(&topdeck(&[pods, pods], "")).finished);
    for winner in ["", "P3", "Draw"] {
        let found = source(&topdeck(&[pods, pods, last], winner));
        assert_eq!(found.phases[1].rounds.len(), 2);
        assert!(found.finished, "{winner}");
        legal_events(&found).expect("legal where they stand");
    }
    // Whoever drew in a pod and is not in the next round is out.
    let drawn =
        topdeck(&[pods, pods, last], "P1").replacen(r#""winner":"P2""#, r#""winner":"Draw""#, 2);
    assert!(source(&drawn).finished, "{drawn}");
}

/// Whether a double elimination has a second final is not known before the file has a first place.
#[test]
fn a_double_elimination_waits_for_a_second_final_where_the_first_one_was_won_from_below() {
    let losers: &[&[u8]] = &[&[2, 1], &[3, 4]];
    let rounds: &[&[&[u8]]] = &[SWISS, SEMIS, losers, &[&[1, 3]], &[&[1, 2]]];
    let of =
        |rounds: Rounds<'_>, placing: &str| source(&limitless(rounds, "DOUBLE_BRACKET", placing));
    assert!(!of(rounds, "null").finished);
    assert!(of(rounds, "1").finished);
    let second: &[&[&[u8]]] = &[SWISS, SEMIS, losers, &[&[1, 3]], &[&[1, 2]], &[&[1, 2]]];
    let found = of(second, "null");
    assert!(found.finished && found.phases[1].kind == PhaseKind::DoubleElimination);
    legal_events(&found).expect("legal where they stand");
}

fn is_told(source: &Source, said: &str) -> bool {
    source.oddities.iter().any(|odd| odd.sentence.contains(said))
}

/// A semi-final that merely was to come closed the match before it without a result.
#[test]
fn who_is_in_a_later_match_that_is_open_has_not_played_on() {
    let mut games = first_round(None);
    games.push(game(6, 2, [2, 3], None));
    let found = cup("single elimination", "underway", &games);
    assert_eq!(rounds(&found), [4]);
    assert!(found.phases[0].rounds[0].tables[3].result.rulings.is_empty());
    assert!(!is_told(&found, "later rounds were played"), "{:?}", found.oddities);
    // So it is with the second match of a final that stands there already.
    let found = event("", &doubles([(["Ann", "Cem"], None), (["Ann", "Cem"], None)]));
    assert_eq!(sheet_of(&found)[5..], ["4: Ann-Cem  ()"]);
    assert!(!found.finished && found.oddities.is_empty(), "{:?}", found.oddities);
}

const SINGLE: &str = "SINGLE_ELIMINATION";

/// Of which phase and group a set of start.gg is, and how it is played where that is said.
fn of(phase: u8, group: u8, kind: &str) -> String {
    let kind = if kind.is_empty() { "null".to_owned() } else { format!("\"{kind}\"") };
    format!(
        r#""phaseGroup":{{"id":{phase}{group},"displayIdentifier":"{group}","phase":{{"id":{phase},"phaseOrder":{phase},"bracketType":{kind}}}}}"#
    )
}

/// A set of start.gg: who is known of its two, nobody is `-`, and who won.
fn set(id: u32, of: &str, round: i32, players: [&str; 2], won: Option<usize>) -> String {
    let slots = [0, 1].map(|seat| match players[seat] {
        "-" => r#"{"entrant":null}"#.to_owned(),
        name => {
            let games = if won == Some(seat) { "2" } else { "0" };
            let games = if won.is_some() { games } else { "null" };
            format!(
                r#"{{"entrant":{{"id":"{name}","name":"{name}"}},"standing":{{"stats":{{"score":{{"value":{games}}}}}}}}}"#
            )
        }
    });
    let winner = won.map_or("null".to_owned(), |seat| format!("\"{}\"", players[seat]));
    let (state, slots) = (if won.is_some() { 3 } else { 1 }, slots.join(","));
    format!(
        r#"{{"id":{id},{of},"round":{round},"state":{state},"winnerId":{winner},"slots":[{slots}]}}"#
    )
}

fn event(more: &str, sets: &[String]) -> Source {
    let sets = sets.join(",");
    source(&format!(
        r#"{{"data":{{"event":{{"id":5,"name":"Singles",{more}"sets":{{"nodes":[{sets}]}}}}}}}}"#
    ))
}

/// The sets of a double elimination up to its final, to which Ann comes without a loss and Cem with one, and these of
/// the final. No name says which ones they are.
fn doubles(finals: [([&str; 2], Option<usize>); 2]) -> Vec<String> {
    let before = [
        (1, ["Ann", "Dee"], Some(0)),
        (1, ["Ben", "Cem"], Some(0)),
        (2, ["Ann", "Ben"], Some(0)),
        (-1, ["Dee", "Cem"], Some(1)),
        (-2, ["Ben", "Cem"], Some(1)),
    ];
    let finals = finals.map(|(players, won)| (3, players, won));
    let all = (1..).zip(before.into_iter().chain(finals));
    let of = of(1, 1, "DOUBLE_ELIMINATION");
    all.map(|(id, (round, players, won))| set(id, &of, round, players, won)).collect()
}

/// Pools that were still played were read as over as soon as two of the others had met in the next phase, and every
/// later version was refused.
#[test]
fn a_phase_of_start_gg_waits_for_pools_that_are_played_in_waves() {
    for (kind, phase) in [(SINGLE, PhaseKind::Elimination), ("ROUND_ROBIN", PhaseKind::RoundRobin)]
    {
        let sets = |late: Option<usize>, semi: Option<usize>| {
            let pool = |group: u8| of(1, group, kind);
            let top = of(2, 9, SINGLE);
            let known = |name, is_known: bool| if is_known { name } else { "-" };
            let second = ["Eli", "Gus"].map(|name| known(name, late.is_some()));
            vec![
                set(1, &pool(1), 1, ["Ann", "Ben"], Some(0)),
                set(2, &pool(2), 1, ["Cem", "Dee"], Some(0)),
                set(3, &pool(3), 1, ["Eli", "Fay"], late),
                set(4, &pool(4), 1, ["Gus", "Hal"], late),
                set(5, &top, 1, ["Ann", "Cem"], semi),
                set(6, &top, 1, second, None),
                set(7, &top, 2, [known("Ann", semi.is_some()), "-"], None),
            ]
        };
        let pools =
            ["1: Ann-Ben 2,0 (0)", "1: Cem-Dee 2,0 (0)", "1: Eli-Fay  ()", "1: Gus-Hal  ()"];
        for semi in [None, Some(0)] {
            let running = event("", &sets(None, semi));
            assert_eq!(sheet_of(&running), pools);
            assert_eq!(shape(&running), [(phase, 1)]);
            assert!(!running.finished);
            let ahead = "Matches that were played ahead of a round that is not over: 1.";
            assert_eq!(is_told(&running, ahead), semi.is_some(), "{:?}", running.oddities);
            legal_events(&running).expect("legal where they stand");
        }
        let later = event("", &sets(Some(0), Some(0)));
        assert_eq!(shape(&later), [(phase, 1), (PhaseKind::Elimination, 1)]);
        assert_eq!(sheet_of(&later)[..2], pools[..2]);
        assert_eq!(sheet_of(&later)[4..], ["2: Ann-Cem 2,0 (0)", "2: Eli-Gus  ()"]);
        assert!(!later.finished);
        legal_events(&later).expect("legal where they stand");
        // An event that is over waits for nothing.
        let over = event(r#""state":"COMPLETED","#, &sets(None, Some(0)));
        assert_eq!(shape(&over), [(phase, 1), (PhaseKind::Elimination, 1)]);
    }
}

/// Whoever had a bye was not in the phase, and stood below those who had lost.
#[test]
fn who_waits_in_the_second_round_has_a_bye_in_the_first() {
    let of = of(1, 1, SINGLE);
    let set = |id, round, players, won| set(id, &of, round, players, won);
    let running = event(
        "",
        &[
            set(1, 1, ["Dee", "Eli"], None),
            set(2, 1, ["Cem", "Fay"], None),
            set(3, 2, ["Ann", "-"], None),
            set(4, 2, ["Ben", "-"], None),
            set(5, 3, ["-", "-"], None),
        ],
    );
    let expected = ["1: Dee-Eli  ()", "1: Cem-Fay  ()", "1: Ann bye ", "1: Ben bye "];
    assert_eq!(sheet_of(&running), expected);
    assert_eq!((running.phases[0].entrants.len(), running.finished), (6, false));
    legal_events(&running).expect("legal where they stand");
    // One of them has played ahead, and the other one still waits.
    let later = event(
        "",
        &[
            set(1, 1, ["Dee", "Eli"], Some(0)),
            set(2, 1, ["Cem", "Fay"], None),
            set(3, 2, ["Ann", "Dee"], Some(0)),
            set(4, 2, ["Ben", "-"], None),
            set(5, 3, ["Ann", "-"], None),
        ],
    );
    assert_eq!(sheet_of(&later)[0], "1: Dee-Eli 2,0 (0)");
    assert_eq!(sheet_of(&later)[1..], expected[1..]);
    assert_eq!(later.phases[0].entrants, running.phases[0].entrants);
    // Who came there by a win has none.
    let won = event(
        "",
        &[
            set(1, 1, ["Ann", "Ben"], Some(0)),
            set(2, 1, ["Cem", "Dee"], None),
            set(3, 2, ["Ann", "-"], None),
        ],
    );
    assert_eq!(sheet_of(&won), ["1: Ann-Ben 2,0 (0)", "1: Cem-Dee  ()"]);
    let half = |id: u32, player: u32| {
        format!(
            r#"{{"match":{{"id":{id},"round":2,"state":"pending","player1_id":{player},"player2_id":null,"winner_id":null,"scores_csv":""}}}}"#
        )
    };
    let games = [game(1, 1, [4, 5], None), game(2, 1, [3, 6], None), half(3, 1), half(4, 2)];
    let challonge = cup("single elimination", "underway", &games);
    let expected = ["1: P4-P5  ()", "1: P3-P6  ()", "1: P1 bye ", "1: P2 bye "];
    assert_eq!(sheet_of(&challonge), expected);
}

/// It was left out when the next phase began, and byes came in for it.
#[test]
fn a_set_of_start_gg_that_was_never_played_stays_where_its_players_play_on_in_the_phase() {
    let pool = of(1, 1, "");
    let mut sets = vec![
        set(1, &pool, 1, ["Ann", "Dee"], None),
        set(2, &pool, 1, ["Ben", "Cem"], Some(0)),
        set(3, &pool, 2, ["Ann", "Cem"], Some(0)),
        set(4, &pool, 2, ["Dee", "Ben"], Some(1)),
        set(5, &pool, 3, ["Ann", "Ben"], Some(0)),
        set(6, &pool, 3, ["Cem", "Dee"], Some(0)),
    ];
    let alone = sheet_of(&event("", &sets));
    assert_eq!(alone[0], "1: Ann-Dee  () [NoResult, NoResult]");
    sets.push(set(7, &of(2, 9, SINGLE), 1, ["Ann", "Ben"], None));
    let read = event("", &sets);
    assert_eq!(sheet_of(&read)[..6], alone);
    assert_eq!(sheet_of(&read)[6..], ["4: Ann-Ben  ()"]);
    assert!(!is_told(&read, "a later phase has begun"), "{:?}", read.oddities);
}

/// It was refused, as a player who is twice in a round.
#[test]
fn the_second_set_of_a_grand_final_needs_no_name() {
    let finals = [(["Ann", "Cem"], Some(1)), (["Ann", "Cem"], Some(0))];
    for finals in [finals, [finals[1], finals[0]]] {
        let read = event("", &doubles(finals));
        assert_eq!(shape(&read), [(PhaseKind::DoubleElimination, 5)]);
        assert_eq!(sheet_of(&read)[5..], ["4: Ann-Cem 0,2 (0)", "5: Ann-Cem 2,0 (0)"]);
        assert!(read.finished && read.oddities.is_empty(), "{:?}", read.oddities);
        legal_events(&read).expect("legal where they stand");
    }
}

/// The event was never closed: that set stands there without entrants.
#[test]
fn a_second_set_of_a_grand_final_that_is_not_needed_keeps_nothing_open() {
    let over = r#""state":"COMPLETED","#;
    let cases = [
        ("", Some(0), true),
        ("", None, false),
        // It is needed, and its entrants are not there yet.
        ("", Some(1), false),
        (over, Some(0), true),
        (over, Some(1), true),
    ];
    for (state, won, finished) in cases {
        let read = event(state, &doubles([(["Ann", "Cem"], won), (["-", "-"], None)]));
        assert_eq!(read.finished, finished, "{state} {won:?}");
        assert_eq!(sheet_of(&read).len(), 6);
    }
}
