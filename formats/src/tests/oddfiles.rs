//! What real files have that their formats do not foresee.

use super::*;

fn told(source: &Source) -> Vec<&str> {
    source.oddities.iter().map(|odd| odd.sentence.as_str()).collect()
}

fn changed(text: &str, from: &str, to: &str) -> Source {
    let changed = text.replace(from, to);
    assert_ne!(changed, text, "{from}");
    let read = source(&changed);
    legal_events(&read).unwrap_or_else(|error| panic!("{error}"));
    read
}

#[test]
fn a_report_of_sixteen_bits_is_read_with_its_mark_and_without() {
    let truth = source(CHESS);
    let units = || CHESS.encode_utf16();
    let little: Vec<u8> = units().flat_map(u16::to_le_bytes).collect();
    let big: Vec<u8> = units().flat_map(u16::to_be_bytes).collect();
    let files =
        [[&[0xff, 0xfe][..], &little].concat(), [&[0xfe, 0xff][..], &big].concat(), little, big];
    for bytes in &files {
        assert_eq!(read("event.txt", bytes).expect("read"), truth);
    }
    // All of it may be ASCII, which is UTF-8 too.
    let plain = CHESS.replace('ú', "u").replace('ñ', "n").replace('ó', "o");
    let wide: Vec<u8> = plain.encode_utf16().flat_map(u16::to_le_bytes).collect();
    assert_eq!(read("event.txt", &wide).expect("read"), source(&plain));
}

#[test]
fn a_report_of_eight_bits_says_how_its_letters_were_read() {
    let bytes: Vec<u8> = CHESS.chars().map(|c| u8::try_from(c).unwrap_or(b'?')).collect();
    let read = read("event.trf", &bytes).expect("read");
    assert!(told(&read)[0].contains("Windows-1252"), "{:?}", read.oddities);
}

#[test]
fn a_player_without_a_name_is_called_by_their_number() {
    let read = changed(CHESS, "Haddad, Maryam", "              ");
    assert_eq!(read.players[2].name, "Player 3");
    assert_eq!(told(&read), ["Player 3 has no name."]);
    let gotha = changed(GOTHA, "firstName=\"Zoé\" grade=\"5K\" name=\"Absent\"", "name=\"\"");
    assert_eq!(gotha.players.len(), 5, "who does not take part needs none");
    let pairgoth = changed(PAIRGOTH, "\"name\": \"Ito\"", "\"name\": null");
    assert_eq!(pairgoth.players[2].name, "Player 13");
}

/// `printf` of C and `str_pad` of PHP count bytes.
#[test]
fn a_report_whose_names_are_padded_by_their_bytes_is_read_where_its_columns_are() {
    let truth = source(CHESS);
    let padded =
        CHESS.replace("Núñez, Diego  ", "Núñez, Diego").replace("Wójcik, Ewa ", "Wójcik, Ewa");
    let read = source(&padded);
    assert_eq!((&read.players, &read.phases[0].rounds.len()), (&truth.players, &3));
    assert_eq!(sheet_of(&read), sheet_of(&truth));
    assert_eq!(read.published, truth.published);
    assert_eq!(read.oddities.len(), 2, "{:?}", read.oddities);
    assert_eq!(read.oddities[0].place, "line 14, column 90");
    // Before the first round, too.
    let cut = |text: &str| {
        let line = |line: &str| line.chars().take(87).collect::<String>() + "\n";
        source(&text.lines().map(line).collect::<String>())
    };
    assert_eq!(cut(&padded).players, cut(CHESS).players);
}

#[test]
fn a_report_whose_fields_have_other_room_is_read_where_its_columns_are() {
    let truth = source(CHESS);
    let wider = [
        ("      2105 SWE", "       2105 SWE"),
        ("SWE     1700002", "SWE       1700002"),
        ("  2.5    2     5 b =", "  2.5    2      5 b ="),
        ("  2.5    2     5 b =", "  2.5    2    5 b ="),
    ];
    for (from, to) in wider {
        let read = changed(CHESS, from, to);
        assert_eq!((&read.players, &read.published), (&truth.players, &truth.published), "{to}");
        assert_eq!((sheet_of(&read), read.oddities.len()), (sheet_of(&truth), 1), "{to}");
    }
    // What cannot be read anywhere is refused where it stands.
    let torn = CHESS.replace("  2.5    2     5 b =", "  2.5    2     5b =  ");
    let error = read("event.trf", torn.as_bytes()).expect_err("torn").to_string();
    assert!(error.contains("line 11, column 9"), "{error}");
}

#[test]
fn half_points_may_be_a_letter_and_points_that_are_none_are_told() {
    let truth = source(CHESS);
    let halves = CHESS.replace(" b =", " b ½").replace(" w =", " w ½").replace(" 2.5 ", " 2½  ");
    let read = source(&halves);
    assert_eq!((sheet_of(&read), &read.published), (sheet_of(&truth), &truth.published));
    let bad = changed(CHESS, " 1.5    3", " x.5    3");
    assert_eq!((bad.published.len(), sheet_of(&bad)), (0, sheet_of(&truth)));
    assert_eq!(told(&bad), ["\"x.5\" are no points: nothing is compared."]);
}

#[test]
fn a_title_that_is_none_is_shortened_to_what_can_be_one() {
    let long = "T".repeat(300);
    let read = changed(CHESS, "Spring Congress, Section A", &long);
    assert_eq!(read.title, "T".repeat(200));
    let bell = changed(CHESS, "Spring Congress, Section A", "Spring\u{7}Congress");
    assert_eq!((bell.title.as_str(), bell.oddities.len()), ("Spring Congress", 1));
}

#[test]
fn a_report_says_its_rounds_with_words_behind_them() {
    let read = changed(CHESS, "142 4\nXXR 4\n", "XXR 4 rounds\n");
    assert_eq!(read.planned_rounds, Some(4));
}

#[test]
fn who_is_away_in_rounds_of_go_to_come_asked_for_them() {
    let asked = |source: &Source| -> Vec<(u16, String)> {
        let asked = source.report.asked.iter();
        assert!(asked.clone().all(|bye| bye.kind == ByeKind::Zero));
        asked.map(|bye| (bye.round, source.players[bye.player].name.clone())).collect()
    };
    // Three of four rounds are paired.
    let gotha =
        changed(GOTHA, "name=\"Ito\" participating=\"10111", "name=\"Ito\" participating=\"10101");
    assert_eq!(
        asked(&gotha),
        [(4, "Ito, Kenji".to_owned())],
        "a round that was paired says itself"
    );
    let format = ALL.iter().find(|format| format.name() == "opengotha xml").expect("there");
    let written = format.write(&gotha, None).expect("it writes").expect("it can be written").text;
    assert_eq!(asked(&source(&written)), asked(&gotha));
    let away = PAIRGOTH.replace("\"rounds\": 2", "\"rounds\": 4");
    let away = changed(&away, "\"skip\": [2]", "\"skip\": [4, 2, 4, 9]");
    assert_eq!(asked(&away), [(4, "Okafor, Ben".to_owned())]);
    assert!(!away.finished);
}

#[test]
fn a_name_that_turkish_letters_made_capitals_of_is_found() {
    let read = changed(GOTHA, "LINDBERGANN", "LİNDBERGANN");
    assert_eq!(sheet_of(&read), sheet_of(&source(GOTHA)));
}

#[test]
fn an_upload_may_leave_out_who_is_nobody() {
    let read = changed(UPLOAD, " blackno=\"-2\"", "");
    assert_eq!(sheet_of(&read), sheet_of(&source(UPLOAD)));
}

#[test]
fn netrunner_is_read_before_its_first_round_and_while_one_runs() {
    let start = NRTM.find("\"rounds\":[[").expect("there");
    let end = NRTM.find(",\"uploadedFrom\"").expect("there");
    let before = source(&format!("{}\"rounds\":[]{}", &NRTM[..start], &NRTM[end..]));
    assert_eq!((before.players.len(), before.rounds().count(), before.finished), (3, 0, false));
    legal_events(&before).expect("legal");
    let open = |score: &str| {
        let text = NRTM.replace("\"runnerScore\":3,\"corpScore\":null,\"combinedScore\":3", score);
        text.replace(
            "\"corpScore\":0,\"combinedScore\":0",
            "\"corpScore\":null,\"combinedScore\":null",
        )
    };
    let runs = open("\"runnerScore\":null,\"corpScore\":null,\"combinedScore\":null");
    // Of a round before the last nothing is awaited.
    let later = source(&runs);
    assert!(later.finished && told(&later)[0].contains("no result"), "{:?}", later.oddities);
    let cut = runs
        .find(",[{\"table\":1,\"player1\":{\"id\":5,\"role\":\"corp\",\"winner\"")
        .expect("there");
    let end = runs.find(",\"uploadedFrom\"").expect("there");
    let runs = source(&format!("{}]{}", &runs[..cut], &runs[end..]));
    assert!(!runs.finished, "{:?}", runs.phases);
    assert!(runs.phases[0].rounds[1].tables.iter().any(|table| !table.has_result()));
    legal_events(&runs).expect("legal");
}

#[test]
fn who_is_called_bye_and_stands_in_no_list_is_nobody() {
    let read = changed(
        XWING,
        "\"player1\":\"Ann\",\"player1points\":0,",
        "\"player1\":\"Ann\",\"player2\":\"BYE\",",
    );
    assert_eq!(sheet_of(&read), sheet_of(&source(XWING)));
}

/// A file that says that it is UTF-8, saved again by an editor.
#[test]
fn xml_of_eight_bits_is_read_and_told_whatever_it_declares() {
    let of =
        |text: &str| -> Vec<u8> { text.chars().map(|c| u8::try_from(c).unwrap_or(b'?')).collect() };
    for (text, name) in
        [(GOTHA, "de Núñez, Diego Luis"), (PODS, "Hana Voß"), (UPLOAD, "Núñez, Diego")]
    {
        let read = read("event.xml", &of(text)).expect("read");
        assert!(read.players.iter().any(|player| player.name == name), "{name}");
        assert_eq!(sheet_of(&read), sheet_of(&source(text)));
        assert!(told(&read).last().is_some_and(|told| told.contains("Windows-1252")), "{name}");
    }
    let declared = GOTHA.replace("encoding=\"UTF-8\"", "encoding='ISO-8859-1'");
    let read = read("event.xml", &of(&declared)).expect("read");
    assert!(!told(&read).iter().any(|told| told.contains("Windows-1252")), "it says so itself");
}

#[test]
fn who_left_a_pod_without_a_round_left_after_their_last_one() {
    let round = "<status>1</status>\n\t\t\t\t<round>2</round>";
    let read = changed(PODS, round, "<status>1</status>");
    let drops = |source: &Source| -> Vec<(usize, u16)> {
        source.drops.iter().map(|drop| (drop.player, drop.after_round)).collect()
    };
    assert_eq!(drops(&read), drops(&source(PODS)));
}
