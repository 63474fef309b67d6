//! Files as KTS, TOME, Cryodex and ListFortress really write them.

use super::platforms::{refused, shape};
use super::*;

/// A player of KTS: the end of their id, their name, rank, points, percentages, and when and why they dropped.
type Player = (u32, &'static str, [u32; 2], u32, (u16, &'static str));

/// Three Swiss rounds: a late player, a drop, a draw, a double loss. Then four are cut to.
const PLAYERS: [Player; 6] = [
    (11, "Ann", [2, 6], 555_481, (5, "PlayoffCut")),
    (22, "Ben", [5, 3], 400_500, (3, "PlayoffCut")),
    (33, "Cem", [1, 3], 500_500, (0, "Active")),
    (44, "Dot", [6, 1], 592_444, (2, "Drop")),
    (55, "Eve", [3, 7], 481_555, (4, "PlayoffCut")),
    (66, "Fay", [4, 3], 600_500, (4, "PlayoffCut")),
];

/// A match of KTS: its round, the ends of both ids or 0, its status, and the end of the winner's id or 0.
type Game = (u16, [u32; 2], &'static str, u32);

const SWISS: [Game; 10] = [
    (1, [11, 22], "Winner", 11),
    (1, [33, 44], "Winner", 33),
    (1, [55, 0], "Winner", 55),
    (1, [66, 0], "Winner", 0),
    (2, [11, 33], "Winner", 11),
    (2, [44, 55], "Draw", 0),
    (2, [22, 66], "Winner", 66),
    (3, [11, 55], "Winner", 55),
    (3, [33, 66], "DoubleLoss", 0),
    (3, [22, 0], "Winner", 22),
];

const CUT: [Game; 3] =
    [(4, [33, 55], "Winner", 33), (4, [11, 66], "Winner", 11), (5, [11, 33], "Winner", 33)];

/// A file of KTS 2.0.5.2: the list of players fills ids up to ten digits, matches do not. The cut begins with round
/// `cut_from`; 0: none was made.
fn kts(players: &[Player], games: &[Game], cut_from: u16, finalized: &str) -> String {
    let player = |(id, name, [rank, points], percentages, (round, why)): &Player| {
        let packed = points * 1_000_000 + percentages;
        format!(
            "<TournPlayer><Player><ID>01000000{id}</ID><FirstName>{name}</FirstName><LastName /></Player>\
             <DropRound>{round}</DropRound><Rank>{rank}</Rank><Wins>{points}</Wins><Points>{packed}</Points>\
             <DropReason>{why}</DropReason></TournPlayer>"
        )
    };
    let id = |end: u32| if end == 0 { "0".to_owned() } else { format!("1000000{end}") };
    let game = |(table, (round, [first, second], status, winner)): (usize, &Game)| {
        let is_cut = if cut_from > 0 && *round >= cut_from { "True" } else { "False" };
        format!(
            "<TournMatch><Player>{}</Player><Player>{}</Player><Round>{round}</Round><Status>{status}</Status>\
             <Table>{table}</Table><Winner>{}</Winner><PlayoffMatch>{is_cut}</PlayoffMatch></TournMatch>",
            id(*first),
            id(*second),
            id(*winner)
        )
    };
    let players: String = players.iter().map(player).collect();
    let games: String = (1..).zip(games).map(game).collect();
    format!(
        "<Tournament><Name>Shop Cup</Name><ID>X99-000001</ID><Date>2026-10-04</Date>\
         <PlayoffRound>{cut_from}</PlayoffRound><Finalized>{finalized}</Finalized>\
         <TournamentPlayers>{players}</TournamentPlayers><Matches>{games}</Matches></Tournament>"
    )
}

/// Match points as they are published are those of the rounds after which they were.
fn points_hold(source: &Source) {
    let mut points: Vec<i64> = vec![0; source.players.len()];
    let after = usize::from(source.published_after.expect("published"));
    for (_, round) in source.rounds().take(after) {
        for table in &round.tables {
            match phases::winning_seat(&table.result) {
                Some(seat) => points[table.seats[seat].player] += 30,
                None if table.result.rulings.iter().flatten().any(|one| *one == Ruling::Draw) => {
                    table.seats.iter().for_each(|seat| points[seat.player] += 10);
                }
                None => {}
            }
        }
        for bye in round.byes.iter().filter(|bye| bye.kind != ByeKind::AwardedLoss) {
            points[bye.player] += 30;
        }
    }
    let published: Vec<i64> = source.published.iter().map(|row| row.points_tenths).collect();
    assert_eq!(published, points);
}

#[test]
fn kts_fills_ids_up_in_its_list_of_players_alone_and_says_who_lost_a_round_or_left() {
    let source = source(&kts(&PLAYERS, &SWISS, 0, "True"));
    let expected = [
        "1: Ann-Ben  () [Win, Loss]",
        "1: Cem-Dot  () [Win, Loss]",
        "1: Eve bye ",
        "1: Fay awarded loss ",
        "2: Ann-Cem  () [Win, Loss]",
        "2: Dot-Eve  () [Draw, Draw]",
        "2: Ben-Fay  () [Loss, Win]",
        "3: Ann-Eve  () [Loss, Win]",
        "3: Cem-Fay  () [Loss, Loss]",
        "3: Ben bye ",
    ];
    assert_eq!(sheet_of(&source), expected);
    assert_eq!(source.players[0].publisher_id.as_deref(), Some("0100000011"));
    let dropped: Vec<(usize, u16)> =
        source.drops.iter().map(|drop| (drop.player, drop.after_round)).collect();
    assert_eq!(dropped, [(3, 2)], "who was cut did not drop");
    assert!(!source.unknown.contains(&UnknownFact::Drops), "{:?}", source.unknown);
    assert_eq!(source.oddities, [], "points stand where others have wins");
    points_hold(&source);
    legal_events(&source).expect("legal where they stand");
}

#[test]
fn a_cut_of_kts_is_an_elimination_whose_points_are_those_of_the_swiss_rounds() {
    let games: Vec<Game> = SWISS.iter().chain(&CUT).copied().collect();
    let source = source(&kts(&PLAYERS, &games, 4, "True"));
    assert_eq!(shape(&source), [(PhaseKind::Swiss, 3), (PhaseKind::Elimination, 2)]);
    assert_eq!((source.phases[1].seeded, source.cut), (true, Some(4)));
    assert_eq!(source.phases[1].entrants, [4, 0, 5, 2], "by the order after the Swiss rounds");
    let ranks: Vec<u32> = source.published.iter().map(|row| row.rank).collect();
    assert_eq!((ranks, source.published_after), (vec![2, 5, 4, 6, 1, 3], Some(3)));
    let places: Vec<(usize, u32)> =
        source.places.iter().map(|one| (one.player, one.place)).collect();
    assert_eq!(places, [(0, 2), (2, 1), (4, 3), (5, 4)]);
    assert!(source.finished && source.oddities.is_empty(), "{:?}", source.oddities);
    assert_eq!(source.drops.len(), 1, "who lost in the cut did not leave");
    points_hold(&source);
    legal_events(&source).expect("legal where they stand");
    // Where matches of the cut are numbered anew, they are it all the same.
    let text = kts(&PLAYERS, &games, 4, "True").replace("<PlayoffRound>4<", "<PlayoffRound>0<");
    let anew = text.replace("<Round>4<", "<Round>1<").replace("<Round>5<", "<Round>2<");
    let anew = read("anew.txt", anew.as_bytes()).expect("read");
    assert_eq!((shape(&anew), sheet_of(&anew)), (shape(&source), sheet_of(&source)));
}

#[test]
fn a_cut_of_kts_that_is_not_paired_yet_is_announced() {
    let mut players = PLAYERS;
    for player in &mut players {
        if player.4.0 > 3 {
            player.4 = (0, "Active");
        }
    }
    let source = source(&kts(&players, &SWISS, 4, "False"));
    assert_eq!((source.cut, source.finished), (Some(4), false));
    assert_eq!(shape(&source), [(PhaseKind::Swiss, 3)]);
    legal_events(&source).expect("legal where they stand");
}

#[test]
fn a_single_elimination_of_kts_calls_a_loss_a_cut_and_seats_are_no_round() {
    let players = [
        (11, "Ann", [2, 3], 333_333, (2, "Cut")),
        (22, "Ben", [3, 0], 999_500, (1, "Cut")),
        (33, "Cem", [1, 6], 500_500, (0, "Active")),
        (44, "Dot", [3, 0], 999_500, (1, "Cut")),
    ];
    let games =
        [(1, [11, 22], "Winner", 11), (1, [33, 44], "Winner", 33), (2, [11, 33], "Winner", 33)];
    let text = kts(&players, &games, 1, "True").replace("<PlayoffRound>1<", "<PlayoffRound>0<");
    let knockout = source(&text);
    assert_eq!(shape(&knockout), [(PhaseKind::Elimination, 2)]);
    assert_eq!((knockout.drops.len(), knockout.published_after), (0, Some(2)));
    points_hold(&knockout);
    legal_events(&knockout).expect("legal where they stand");

    // Before the first round KTS can seat everybody, which looks like a round with a draw.
    let seats = [(0, [11, 22], "Draw", 0), (0, [33, 44], "Incomplete", 0)];
    let seated = source(&kts(
        &players.map(|one| (one.0, one.1, [1, 0], 0, (0, "Active"))),
        &seats,
        0,
        "False",
    ));
    assert_eq!((shape(&seated), seated.players.len()), (vec![(PhaseKind::Swiss, 0)], 4));
    assert!(seated.oddities[0].sentence.starts_with("Round 0 seats everybody"));
    legal_events(&seated).expect("legal where they stand");
}

/// Both saves of real tournaments that are public were refused for it.
#[test]
fn a_save_of_tome_keeps_what_is_of_deleted_tournaments() {
    let before = |text: &str, kind: &str, added: &str| {
        let list = format!("\"{kind}:#Tome\":{{\"entities\":[");
        assert_eq!(text.matches(&list).count(), 1, "{list}");
        text.replace(&list, &format!("{list}{added}"))
    };
    let nameless = r#"{"pk":-90,"first_name":null,"last_name":null,"is_active":true,"seed":2},"#;
    let text = before(TOME, "Participant", nameless);
    let text = before(&text, "Match", r#"{"pk":-91,"round":1,"order_index":-1},"#);
    let text = before(
        &text,
        "MatchParticipant",
        r#"{"pk":-92,"table_seat":0,"points_earned":6,"match_pk":-91,"participant_pk":-90},
           {"pk":-93,"table_seat":1,"points_earned":0,"match_pk":-99,"participant_pk":-98},
           {"pk":-94,"table_seat":1,"participant_pk":-90},"#,
    );
    let (left_over, truth) = (source(&text), source(TOME));
    assert_eq!(sheet_of(&left_over), sheet_of(&truth));
    assert_eq!((left_over.players, left_over.drops), (truth.players, truth.drops));
    let told: Vec<&str> = left_over.oddities.iter().map(|odd| odd.sentence.as_str()).collect();
    assert_eq!(told.len(), 1);
    assert!(told[0].starts_with("The save keeps 5 players, matches and seats"), "{told:?}");
    let none = TOME.replace(",\"tournament_pk\":-1", "").replace(",\"tournament_pk\":-30", "");
    assert!(refused(&none).contains("tournament_pk is missing"));
}

/// Each of one name in a cut is another one of those who have it.
#[test]
fn namesakes_in_a_cut_of_tome_are_each_a_player_of_their_own() {
    let ben = r#""first_name":"Ben","last_name":"Okafor""#;
    let text = TOME.replace(ben, r#""first_name":"Ann","last_name":"Ito""#);
    assert_ne!(text, TOME);
    let read = source(&text);
    assert_eq!(sheet_of(&read)[3], "3: Ann Ito-Ann Ito 3,0 ()");
    assert_eq!(read.phases[1].entrants, [1, 0]);
    let third = r#"{"pk":-39,"first_name":"Ann","last_name":"Ito","tournament_pk":-30},{"pk":-31,"#;
    let told = refused(&text.replacen(r#"{"pk":-31,"#, third, 1));
    assert!(told.contains("\"Ann Ito\" is not among the players"), "{told}");
}

#[test]
fn a_table_of_kts_that_a_round_has_twice_is_that_of_the_first_match() {
    let text = kts(&PLAYERS, &SWISS, 0, "True").replacen("<Table>2<", "<Table>1<", 1);
    let read = source(&text);
    let tables: Vec<Option<u32>> =
        read.phases[0].rounds[0].tables.iter().map(|table| table.table).collect();
    assert_eq!(tables, [Some(1), None]);
}

#[test]
fn ranks_at_list_fortress_without_rounds_are_standings_alone() {
    let source = source(
        r#"{"name":"Cup","participants":[
            {"id":1,"name":"Ann","score":9,"swiss_rank":1,"top_cut_rank":2,"mov":60,"sos":"0.66","dropped":null},
            {"id":2,"name":"Ben","score":6,"swiss_rank":2,"top_cut_rank":1,"mov":50,"sos":"0.5","dropped":null},
            {"id":3,"name":"Cem","score":3,"swiss_rank":3,"top_cut_rank":null,"mov":40,"sos":"0.5","dropped":true}
        ],"rounds":[]}"#,
    );
    let rows: Vec<(usize, u32, i64)> =
        source.published.iter().map(|row| (row.player, row.rank, row.points_tenths)).collect();
    assert_eq!(rows, [(1, 1, 60), (0, 2, 90), (2, 3, 30)], "who won the cut is first");
    assert_eq!((shape(&source), source.finished), (vec![(PhaseKind::Swiss, 0)], true));
    assert_eq!((source.drops.len(), source.places.len()), (0, 0));
    assert!(source.unknown.contains(&UnknownFact::EarlierRounds), "{:?}", source.unknown);
    assert!(source.scoresheet.seat_line(standings::PLACE).is_some());
    assert!(source.oddities.iter().any(|odd| odd.sentence.contains("standings and no rounds")));
    legal_events(&source).expect("legal where they stand");
}

/// A place 4 was said to be computed as 3.
#[test]
fn the_size_of_the_last_round_that_somebody_reached_is_no_place() {
    let places = |text: &str| -> Vec<u32> {
        let mut places: Vec<u32> = source(text).places.iter().map(|one| one.place).collect();
        places.sort_unstable();
        places
    };
    let third = |place: &str| XWING.replace("{\"swiss\":3}", place);
    assert_eq!(places(&third("{\"swiss\":3,\"elimination\":4}")), [1, 2]);
    assert_eq!(places(&third("{\"swiss\":3,\"elimination\":3}")), [1, 2, 3], "counted through");
    // While the final runs both have reached it.
    let running = places(&XWING.replace("\"elimination\":1", "\"elimination\":2"));
    assert!(running.is_empty(), "{running:?}");
}
