//! Beside another program: its folder is followed, and gets copies.

use super::client::Server;
use super::follow_push::until;
use crate::cli::desk::Desk;
use serde_json::{Value, json};
use std::fs;

/// A cup of TOM: in the last round of its oldest division two tables play.
const CUP: &str = include_str!("../../../formats/fuzz-seeds/pods.tdf");

/// The same before that round was paired.
fn before() -> String {
    let (start, end) = (CUP.find("<round number=\"4\"").expect("round 4"), "</round>");
    let behind = start + CUP[start..].find(end).expect("its end") + end.len();
    format!("{}{}", CUP[..start].trim_end(), &CUP[behind..])
}

/// The same with outcomes of that round, table by table.
fn with_outcomes(outcomes: [u8; 2]) -> String {
    let mut all = outcomes.iter();
    let parts: Vec<&str> = CUP.split("outcome=\"0\"").collect();
    let mut text = parts[0].to_string();
    for part in &parts[1..] {
        text += &format!("outcome=\"{}\"{part}", all.next().expect("two tables"));
    }
    text
}

fn only(server: &Server) -> Option<Value> {
    server.local("GET", "/api/v1/tournaments", "").json()["tournaments"].get(0).cloned()
}

#[test]
fn a_file_that_another_program_saves_is_here_and_results_from_here_are_in_a_copy() {
    let desk = Desk::new();
    let folder = desk.path("tom");
    fs::create_dir(&folder).expect("a folder");
    let file = folder.join("cup.tdf");
    let server = Server::with(&desk, &["--beside", "tom"]);
    assert!(only(&server).is_none());

    // The round is not paired yet, then it is.
    let before = before();
    fs::write(&file, &before).expect("saved");
    until("the cup", 20, || only(&server).is_some());
    let cup = only(&server).expect("it is there");
    let id = cup["tournament"]["id"].as_str().expect("an id").to_string();
    assert_eq!(cup["round"], json!(3), "{cup}");
    fs::write(&file, CUP).expect("saved");
    until("the round", 20, || only(&server).expect("there")["round"] == json!(4));
    // What is paired there is out at once.
    let public = || server.get("/api/v1/tournaments").json()["tournaments"][0]["round"].clone();
    until("the pairings for everybody", 20, || public() == json!(4));
    let copy = folder.join("scrutineer/cup.tdf");
    assert!(!copy.exists(), "the file has all that is known");

    // A slip comes in at this desk.
    let path = format!("/api/v1/tournaments/{id}/orders");
    let said = server.local("POST", &path, r#"{"order":"result","slip":"1 1-0"}"#);
    assert_eq!(said.status, 201, "{said:?}");
    until("the copy", 20, || copy.exists());
    let written = fs::read_to_string(&copy).expect("read");
    assert_eq!(written.matches("outcome=\"0\"").count(), 1, "one of the two tables is open");
    assert_eq!(fs::read_to_string(&file).expect("read"), CUP, "its own file is never touched");
    let page = || server.local("GET", &format!("/t/{id}/desk"), "").body;
    let is_in_copy = "cup.tdf is followed, and lacks the result of table 1 in round 4: open scrutineer/cup.tdf in the \
                      other program and save it over cup.tdf, or type it there";
    until("the desk's word of the copy", 20, || page().contains(is_in_copy));

    // The other program saved for another reason, without that result: it stands.
    let other = CUP.replace("<roundtime>30</roundtime>", "<roundtime>35</roundtime>");
    fs::write(&file, &other).expect("saved");
    let has_all = || fs::read_to_string(&copy).is_ok_and(|text| text.contains("<roundtime>35<"));
    until("the copy of the new version", 20, has_all);
    let written = fs::read_to_string(&copy).expect("read");
    assert_eq!(written.matches("outcome=\"0\"").count(), 1);

    // The copy was taken over there.
    fs::write(&file, &written).expect("saved");
    let says = |words: &str| server.local("GET", &format!("/t/{id}/desk"), "").body.contains(words);
    until("the desk's word", 20, || says("cup.tdf is followed, and has all"));

    // What takes back what stands is not taken, and the desk says so.
    fs::write(&file, before.replace("<roundtime>30<", "<roundtime>40<")).expect("saved");
    until("the alarm", 20, || says("its last version is not taken"));
    fs::write(&file, &written).expect("saved");
    until("the end of the alarm", 20, || says("cup.tdf is followed, and has all"));
    // A sheet is followed too, and cannot be written.
    let sheet = "# event: Side\n# rules: mtr\n# finished: no\nround,table,player_a,player_b,games_a,games_b\n1,1,Ann,Bob,,\n1,2,Cid,Dot,2,0\n";
    fs::write(folder.join("side.csv"), sheet).expect("saved");
    let side = || {
        let all = server.local("GET", "/api/v1/tournaments", "").json();
        let all = all["tournaments"].as_array().cloned().unwrap_or_default();
        all.into_iter().find(|one| one["tournament"]["title"] == json!("Side"))
    };
    until("the sheet", 20, || side().is_some());
    let side =
        side().expect("it is there")["tournament"]["id"].as_str().expect("an id").to_string();
    let path = format!("/api/v1/tournaments/{side}/orders");
    let said = server.local("POST", &path, r#"{"order":"result","slip":"1 2-0"}"#);
    assert_eq!(said.status, 201, "{said:?}");
    let page = || server.local("GET", &format!("/t/{side}/desk"), "").body;
    until("what it lacks", 20, || {
        page().contains(
            "side.csv is followed, and lacks the result of table 1 in round 1, and no copy",
        )
    });
    let said = desk.run(&["verify"]);
    assert_eq!(said.code, 0, "{}", said.all());
}

/// The cup with a result that only the copy of its file has, and that copy.
fn with_copy(desk: &Desk) -> (Server, std::path::PathBuf, String, std::path::PathBuf) {
    let (server, file, id) = followed(desk, CUP);
    let said = desk.run(&["result", "1", "1-0"]);
    assert_eq!(said.code, 0, "{}", said.all());
    let copy = desk.path("tom/scrutineer/cup.tdf");
    until("the copy", 20, || copy.exists());
    (server, file, id, copy)
}

/// A file of a tournament that is followed, its server, and the tournament's id.
fn followed(desk: &Desk, text: &str) -> (Server, std::path::PathBuf, String) {
    let folder = desk.path("tom");
    fs::create_dir(&folder).expect("a folder");
    let file = folder.join("cup.tdf");
    fs::write(&file, text).expect("saved");
    let server = Server::with(desk, &["--beside", "tom"]);
    until("the cup", 20, || only(&server).is_some());
    let cup = only(&server).expect("it is there");
    let id = cup["tournament"]["id"].as_str().expect("an id").to_string();
    (server, file, id)
}

/// The other program has another result than the desk: that stands in both, and the desk's page says so until
/// somebody decides. A withdrawn one comes again where the other program saves once more.
#[test]
fn a_result_of_the_desk_that_the_other_program_overrules_is_told_on_its_page() {
    let desk = Desk::new();
    let (server, file, id) = followed(&desk, CUP);
    let order = |text: String| {
        let said = server.local("POST", &format!("/api/v1/tournaments/{id}/orders"), &text);
        assert_eq!(said.status, 201, "{said:?}");
    };
    let page = || server.local("GET", &format!("/t/{id}/desk"), "").body;
    let is_told = || page().contains("the file has it otherwise");
    order(r#"{"order":"result","slip":"1 1-0"}"#.into());
    assert!(!is_told());
    let at = CUP.find("<round number=\"4\"").expect("round 4");
    let other = CUP[at..].replacen("outcome=\"0\"", "outcome=\"2\"", 1);
    let other = format!("{}{other}", &CUP[..at]);
    fs::write(&file, &other).expect("saved");
    until("what was overruled", 20, is_told);
    let text = page();
    let seq = text.split("stands since event ").nth(1).expect("a number");
    let seq: String = seq.chars().take_while(char::is_ascii_digit).collect();
    let said = desk.run(&["withdraw", &seq, "--reason", "the slip is signed"]);
    assert_eq!(said.code, 0, "{}", said.all());
    until("that the desk is right", 20, || !is_told());
    // Saved once more, without any change.
    fs::write(&file, &other).expect("saved");
    until("the same once more", 20, is_told);
    let said = desk.run(&["correct", "1", "1-0", "--reason", "the slip is signed"]);
    assert_eq!(said.code, 0, "{}", said.all());
    assert!(!is_told(), "what is corrected here is decided here");
}

/// A version that is refused for what stands here is tried again once that is put right, without being saved anew.
#[test]
fn a_version_that_was_refused_is_taken_once_there_is_room_for_it() {
    let desk = Desk::new();
    let before = before();
    let (server, file, id) = followed(&desk, &before);
    let order = |text: &str| {
        let said = server.local("POST", &format!("/api/v1/tournaments/{id}/orders"), text);
        assert_eq!(said.status, 201, "{said:?}");
    };
    order(r#"{"order":"disqualify","player":"Ada Quist","reason":"marked cards"}"#);
    fs::write(&file, CUP).expect("saved");
    let page = || server.local("GET", &format!("/t/{id}/desk"), "").body;
    until("the refusal", 20, || page().contains("its last version is not taken"));
    order(r#"{"order":"reinstate","player":"Ada Quist","reason":"they were not marked"}"#);
    until("the round", 20, || only(&server).expect("there")["round"] == json!(4));
    until("the end of the alarm", 20, || !page().contains("is not taken"));
}

/// All of round 3 is in, and round 4 is paired in TOM: the desk offers no pairing of its own, and says where.
#[test]
fn the_next_round_of_a_tournament_in_tom_is_paired_there_and_no_button_offers_it_here() {
    let desk = Desk::new();
    let before = before();
    let (server, file, id) = followed(&desk, &before);
    for page in ["desk", "round"] {
        let page = server.local("GET", &format!("/t/{id}/{page}"), "").body;
        assert!(
            page.contains("Pair round 4 or the cut in TOM and save; it appears here."),
            "{page}"
        );
        for control in [
            "value=\"pair\"",
            "value=\"repair\"",
            "value=\"set-pairing\"",
            ">Pair round 4</button>",
        ] {
            assert!(!page.contains(control), "{control}: {page}");
        }
        assert!(!page.contains("value=\"close\""), "{page}");
    }
    // The round that is being played there is corrected there too.
    fs::write(&file, CUP).expect("saved");
    until("the round", 20, || only(&server).expect("there")["round"] == json!(4));
    let page = server.local("GET", &format!("/t/{id}/round"), "").body;
    assert!(
        !page.contains("value=\"repair\"") && !page.contains("value=\"set-pairing\""),
        "{page}"
    );
    server.stop();
    // On the command line, the last result names the same way.
    let said = [desk.run(&["result", "1", "1-0"]), desk.run(&["result", "2", "1-0"])];
    let said = said[1].all();
    assert!(said.contains("next: scrutineer") && !said.contains("scrutineer pair"), "{said}");
}

/// An organizer opened the copy in TOM, typed there and saved, not over TOM's own file: the next slip wrote the copy
/// anew, and what was typed there was gone.
#[test]
fn a_copy_that_the_other_program_saved_into_is_never_written_over_and_what_it_has_is_taken() {
    let desk = Desk::new();
    let (server, file, id) = followed(&desk, CUP);
    let order = |server: &Server, text: &str| {
        let said = server.local("POST", &format!("/api/v1/tournaments/{id}/orders"), text);
        assert_eq!(said.status, 201, "{said:?}");
    };
    order(&server, r#"{"order":"result","slip":"1 1-0"}"#);
    let copy = desk.path("tom/scrutineer/cup.tdf");
    until("the copy", 20, || copy.exists());
    let saved = fs::read_to_string(&copy).expect("read").replace("outcome=\"0\"", "outcome=\"2\"");
    fs::write(&copy, &saved).expect("saved");
    let says = |server: &Server, words: &str| {
        server.local("GET", &format!("/t/{id}/desk"), "").body.contains(words)
    };
    let alarm =
        "the other program saved into the copy, scrutineer/cup.tdf: save that over cup.tdf there";
    until("the alarm", 20, || says(&server, alarm));
    assert!(says(&server, "what is new there is here"));
    // Neither what is recorded since nor another start touches it.
    order(&server, r#"{"order":"correct","slip":"1 0-1","reason":"read the wrong way round"}"#);
    server.stop();
    let server = Server::with(&desk, &["--beside", "tom"]);
    until("the alarm once more", 20, || says(&server, alarm));
    order(&server, r#"{"order":"correct","slip":"1 1-0","reason":"it was right"}"#);
    std::thread::sleep(std::time::Duration::from_secs(3));
    assert_eq!(fs::read_to_string(&copy).expect("read"), saved);
    fs::write(&file, &saved).expect("saved over its own file");
    until("the end of the alarm", 20, || says(&server, "cup.tdf is followed, and has all"));

    // Saved there once more, and then over its own file with more: that one is kept under another name.
    let more = saved.replace("<roundtime>30<", "<roundtime>35<");
    fs::write(&copy, &more).expect("saved");
    until("the alarm again", 20, || says(&server, alarm));
    fs::write(&file, saved.replace("<roundtime>30<", "<roundtime>40<")).expect("saved");
    until("its end", 20, || !says(&server, alarm));
    order(&server, r#"{"order":"correct","slip":"2 1-0","reason":"the slip says so"}"#);
    until("the new copy", 20, || {
        fs::read_to_string(&copy).is_ok_and(|text| text.contains("<roundtime>40<"))
    });
    let kept = fs::read_dir(desk.path("tom/scrutineer")).expect("a folder").flatten();
    let kept: Vec<_> =
        kept.filter(|one| one.file_name().to_string_lossy().starts_with("saved-")).collect();
    assert_eq!(kept.len(), 1);
    assert_eq!(fs::read_to_string(kept[0].path()).expect("read"), more);
}

/// A player's name was mended in TOM: the file was refused, since somebody unknown had their matches.
#[test]
fn a_name_that_is_mended_in_the_other_program_is_mended_here() {
    let desk = Desk::new();
    let (server, file, id) = followed(&desk, CUP);
    let players = || server.local("GET", &format!("/t/{id}/players"), "").body;
    let mended = CUP.replace("<lastname>Lind<", "<lastname>Lindh<");
    fs::write(&file, &mended).expect("saved");
    until("the name", 20, || players().contains("Dora Lindh"));
    // Who is called otherwise here stays so, until the file says something new.
    let said = desk.run(&["rename", "Dora Lindh", "Dora Lindström"]);
    assert_eq!(said.code, 0, "{}", said.all());
    fs::write(&file, mended.replace("<roundtime>30<", "<roundtime>35<")).expect("saved");
    let page = || server.local("GET", &format!("/t/{id}/desk"), "").body;
    let said = desk.run(&["result", "1", "1-0"]);
    assert_eq!(said.code, 0, "{}", said.all());
    let copy = desk.path("tom/scrutineer/cup.tdf");
    until("the new version", 20, || {
        fs::read_to_string(&copy).is_ok_and(|text| text.contains("<roundtime>35<"))
    });
    assert!(players().contains("Dora Lindström") && !page().contains("is not taken"));
    let said = desk.run(&["verify"]);
    assert_eq!(said.code, 0, "{}", said.all());
}

/// A player's id was mended in TOM: from then on no copy was written, since nobody of that id was in the file.
#[test]
fn an_id_that_is_mended_in_the_other_program_is_mended_here_and_copies_go_on() {
    let desk = Desk::new();
    let (server, file, id) = followed(&desk, CUP);
    let mended = CUP.replace("\"104\"", "\"1040\"");
    fs::write(&file, &mended).expect("saved");
    let log = || desk.run(&["log"]).out;
    until("the id", 20, || log().contains("Dora Lind has the id 1040"));
    let said = desk.run(&["result", "1", "1-0"]);
    assert_eq!(said.code, 0, "{}", said.all());
    let copy = desk.path("tom/scrutineer/cup.tdf");
    let open = |count: usize| {
        let text = fs::read_to_string(&copy).unwrap_or_default();
        text.contains("\"1040\"") && text.matches("outcome=\"0\"").count() == count
    };
    until("the copy", 20, || open(1));
    // Who has another id here alone is known there by their name.
    let said = desk.run(&["describe", "Dora Lind", "--id", "9104"]);
    assert_eq!(said.code, 0, "{}", said.all());
    let said = desk.run(&["result", "2", "1-0"]);
    assert_eq!(said.code, 0, "{}", said.all());
    until("the next copy", 20, || open(0));
    let page = server.local("GET", &format!("/t/{id}/desk"), "").body;
    assert!(page.contains("cup.tdf is followed") && !page.contains("not taken"), "{page}");
    let said = desk.run(&["verify"]);
    assert_eq!(said.code, 0, "{}", said.all());
}

/// A result was typed at the wrong table in TOM, saved, and set to nothing there: the desk hears which, once, and how
/// it is taken back here.
#[test]
fn a_result_that_is_gone_there_is_named_with_its_table_and_taken_back_here() {
    let desk = Desk::new();
    let (server, file, id) = followed(&desk, &with_outcomes([1, 0]));
    fs::write(&file, CUP).expect("saved");
    let page = || server.local("GET", &format!("/t/{id}/desk"), "").body;
    let gone = "cup.tdf has no result any more of Ada Quist – Dora Lind (round 4, table 1)";
    until("what is gone", 20, || page().contains(gone));
    let text = page();
    assert_eq!(text.matches(gone).count(), 1, "{text}");
    assert!(!text.contains("# event:") && !text.contains("--store"), "{text}");
    let seq: String = text
        .split("`withdraw ")
        .nth(1)
        .map(|text| text.chars().take_while(char::is_ascii_digit).collect())
        .expect("the way out");
    let said = desk.run(&["withdraw", &seq, "--reason", "typed at the wrong table"]);
    assert_eq!(said.code, 0, "{}", said.all());
    until("the end of the alarm", 20, || page().contains("cup.tdf is followed, and has all"));
    assert!(!page().contains(gone));
}

/// What was typed here had come into TOM, and was taken out there: the desk said nothing.
#[test]
fn a_result_of_the_desk_that_is_gone_in_the_file_is_named_and_what_comes_next_begins_there() {
    let desk = Desk::new();
    let (server, file, id) = followed(&desk, CUP);
    let order = |text: &str| {
        let said = server.local("POST", &format!("/api/v1/tournaments/{id}/orders"), text);
        assert_eq!(said.status, 201, "{said:?}");
    };
    order(r#"{"order":"result","slip":"1 1-0"}"#);
    order(r#"{"order":"result","slip":"2 1-0"}"#);
    let page = || server.local("GET", &format!("/t/{id}/desk"), "").body;
    let first = "cup.tdf lacks the result of table 1 in round 4, table 2 in round 4: first open scrutineer/cup.tdf";
    until("what comes first", 20, || page().contains(first));
    fs::write(&file, with_outcomes([1, 1])).expect("saved");
    until("that all is there", 20, || page().contains("cup.tdf is followed, and has all"));
    assert!(page().contains("Pair round 5 in TOM and save"), "{}", page());
    fs::write(&file, with_outcomes([1, 0])).expect("saved");
    until("what is gone", 20, || page().contains("lacks the result of table 2 in round 4: open"));
}

/// TOM's final standings are its own; where they are others the desk says whose. After them nothing comes, and before
/// them the tournament is ended there.
#[test]
fn final_places_of_the_other_program_that_are_others_are_told_at_the_desk() {
    let desk = Desk::new();
    let final_round = "<round number=\"5\" type=\"1\" stage=\"6\" >\n<timeleft>3000</timeleft>\n<matches>\n\
        <match outcome=\"1\"><player1 userid=\"101\"/><player2 userid=\"103\"/><tablenumber>1</tablenumber></match>\n\
        </matches>\n</round>\n</rounds>\n</pod>\n</pods>";
    let text = with_outcomes([1, 1]);
    let rounds = text.rfind("</rounds>").expect("the last rounds");
    let (start, end) = (&text[..rounds], text[rounds..].split_once("</pods>").expect("pods").1);
    let played = format!("{start}{final_round}{end}");
    let (server, file, id) = followed(&desk, &played);
    let page = || server.local("GET", &format!("/t/{id}/desk"), "").body;
    assert!(page().contains("End the tournament"), "{}", page());
    assert!(!page().contains("Pair round 6"), "{}", page());
    let places = |category: u8, all: &[u32]| {
        let rows =
            (1..).zip(all).map(|(place, id)| format!("<player id=\"{id}\" place=\"{place}\" />"));
        format!(
            "<pod category=\"{category}\" type=\"finished\">{}</pod><pod category=\"{category}\" type=\"dnf\"></pod>",
            rows.collect::<String>()
        )
    };
    let all = [places(2, &[101, 103, 104, 102, 105]), places(1, &[203, 201]), places(0, &[202])];
    let over = played.replace("stage=\"4\" version", "stage=\"5\" version");
    let over = over.replace(
        "<finalsoptions>",
        &format!("<standings>{}</standings><finalsoptions>", all.concat()),
    );
    fs::write(&file, over).expect("saved");
    let told = "Its final places are others: Dora Lind is 3, here 4; Bo Ferrar is 4, here 3";
    until("the places", 20, || page().contains(told));
    // They are held against what stands, and not against what stood when the file came.
    let said = desk.run(&["correct", "1", "0-1", "--round", "5", "--reason", "misread"]);
    assert_eq!(said.code, 0, "{}", said.all());
    let told = "Its final places are others: Ada Quist is 1, here 2; Cem Oduya is 2, here 1";
    until("the other places", 20, || page().contains(told));
}

/// A backup in the folder is the same tournament, and not so far.
#[test]
fn of_two_files_of_one_tournament_the_further_one_is_followed() {
    let desk = Desk::new();
    let (server, file, id) = followed(&desk, CUP);
    let backup = file.with_file_name("a backup.tdf");
    fs::write(&backup, before()).expect("copied");
    std::thread::sleep(std::time::Duration::from_secs(4));
    let page = || server.local("GET", &format!("/t/{id}/desk"), "").body;
    assert!(!page().contains("a backup.tdf"), "{}", page());
    let said = desk.run(&["result", "1", "1-0"]);
    assert_eq!(said.code, 0, "{}", said.all());
    until("the copy", 20, || page().contains("open scrutineer/cup.tdf"));
    assert!(!desk.path("tom/scrutineer/a backup.tdf").exists());
}

/// A senior whose division has played its rounds saw no reason for having no table, and could not say that they go.
#[test]
fn a_phone_says_why_it_has_no_table_where_the_other_program_goes_on_with_another_division() {
    let desk = Desk::new();
    let (server, file, id) = followed(&desk, &before());
    let links = super::players::links_in(&server, &id);
    let cookie = super::players::phone(&server, &links[&6]);
    let me = || server.send("GET", &format!("/t/{id}/me"), &[("Cookie", &cookie)], "").body;
    assert!(me().contains("You have no table in this round."), "{}", me());
    assert!(me().contains("I wish to drop"), "{}", me());
    fs::write(&file, CUP).expect("saved");
    until("the cut of the others", 20, || me().contains("plays its bracket. If your division"));
}

/// While TOM had paired one division the desk offered to seat the others, and what it paired was in the way of TOM's.
#[test]
fn who_waits_for_the_pairings_of_their_division_is_told_so_and_nobody_is_seated_here() {
    let desk = Desk::new();
    let open = masters_after(1).replacen("<match outcome=\"3\">", "<match outcome=\"0\">", 1);
    let (server, file, id) = followed(&desk, &open);
    let links = super::players::links_in(&server, &id);
    let cookie = super::players::phone(&server, &links[&2]);
    let me = || server.send("GET", &format!("/t/{id}/me"), &[("Cookie", &cookie)], "").body;
    assert!(me().contains("Your division is not paired in this round yet."), "{}", me());
    let page = server.local("GET", &format!("/t/{id}/desk"), "").body;
    assert!(!page.contains("Here and without a table"), "{page}");
    let said = desk.run(&["repair", "--reason", "here and without a table"]);
    assert!(said.code != 0 && said.all().contains("played-elsewhere"), "{}", said.all());
    fs::write(&file, masters_after(2)).expect("saved");
    until("their tables", 20, || !me().contains("is not paired in this round yet"));
}

/// Another tournament was saved over the file: the copy with what the file lacked was written over, and nobody heard.
#[test]
fn another_tournament_that_is_saved_over_the_file_is_told_and_the_copy_of_the_one_before_stays() {
    let desk = Desk::new();
    let (server, file, id, copy) = with_copy(&desk);
    let written = fs::read_to_string(&copy).expect("read");
    let page = || server.local("GET", &format!("/t/{id}/desk"), "").body;
    fs::write(&file, CUP.replace("26-11-000777", "26-11-000778")).expect("saved");
    let told = "cup.tdf is another tournament now; its copy is scrutineer/saved-";
    until("that it is another one", 20, || page().contains(told));
    let kept = fs::read_dir(desk.path("tom/scrutineer")).expect("a folder").flatten();
    let kept = kept.filter(|one| one.file_name().to_string_lossy().starts_with("saved-"));
    let kept: Vec<_> = kept.map(|one| fs::read_to_string(one.path()).expect("read")).collect();
    assert_eq!(kept, std::slice::from_ref(&written));
    // Saved under a name of its own it is followed again.
    fs::write(file.with_file_name("own.tdf"), &written).expect("saved");
    until("its own file", 20, || page().contains("own.tdf is followed, and has all"));
}

/// TOM's own file was cut off while it was saved, and then gone: the copy went too, and was the only whole file.
#[test]
fn a_copy_stays_where_the_file_of_the_other_program_is_broken_or_gone() {
    let desk = Desk::new();
    let (server, file, id, copy) = with_copy(&desk);
    let whole = fs::read_to_string(&copy).expect("read");
    let says = |server: &Server, words: &str| {
        server.local("GET", &format!("/t/{id}/desk"), "").body.contains(words)
    };
    let stays = "its copy scrutineer/cup.tdf, with all up to round 4, stays";
    for broken in [&CUP[..CUP.len() / 2], ""] {
        fs::write(&file, broken).expect("saved");
        until("the alarm", 20, || {
            says(&server, "cup.tdf: it cannot be read") && says(&server, stays)
        });
        assert_eq!(fs::read_to_string(&copy).expect("it stays"), whole);
        fs::write(&file, CUP).expect("saved");
        until("the end of the alarm", 20, || says(&server, "cup.tdf is followed, and lacks"));
    }
    fs::remove_file(&file).expect("removed");
    until("the alarm", 20, || says(&server, "cup.tdf: it is gone") && says(&server, stays));
    assert_eq!(fs::read_to_string(&copy).expect("it stays"), whole);
    fs::write(&file, "").expect("saved");
    until("the other alarm", 20, || says(&server, "cup.tdf: it cannot be read"));
    // Another start knows by the copy which tournament it is.
    server.stop();
    let server = Server::with(&desk, &["--beside", "tom"]);
    until("the alarm once more", 20, || says(&server, stays));
    assert_eq!(fs::read_to_string(&copy).expect("it stays"), whole);
    fs::write(&file, &whole).expect("saved over its own file");
    until("the end", 20, || says(&server, "cup.tdf is followed, and has all"));
}

/// A backup that was put back is the first version again, byte for byte: nobody heard what it lacks.
#[test]
fn the_first_version_that_is_put_back_is_held_against_what_stands() {
    let desk = Desk::new();
    let (server, file, id) = followed(&desk, CUP);
    let page = || server.local("GET", &format!("/t/{id}/desk"), "").body;
    fs::write(&file, with_outcomes([1, 1])).expect("saved");
    until("the results", 20, || page().contains("Pair round 5 in TOM and save"));
    fs::write(&file, CUP).expect("put back");
    until("what it lacks", 20, || {
        page()
            .contains("cup.tdf has no result any more of Ada Quist – Dora Lind (round 4, table 1)")
    });
}

/// DESK.md said that a drop is carried out on Players, and there was no such thing there.
#[test]
fn a_player_of_a_followed_tournament_is_dropped_penalized_and_gets_a_link_on_their_page() {
    let desk = Desk::new();
    let (server, _, id) = followed(&desk, CUP);
    let page = |server: &Server| server.local("GET", &format!("/t/{id}/players?player=1"), "").body;
    for what in ["Drop…", "Link on their phone…", "Penalty…", "Disqualify…"] {
        assert!(page(&server).contains(&format!("<summary>{what}</summary>")), "{what}");
    }
    // What another program pairs has no byes and tables from here, and nobody comes in here.
    for what in ["Bye in a round to come…", "Table…", "Enroll"] {
        assert!(!page(&server).contains(&format!("<summary>{what}")), "{what}");
    }
    // Who enters results is not sent to import what comes by itself.
    for slip in [["1", "1-0"], ["2", "1-0"]] {
        let said = desk.run(&["result", slip[0], slip[1]]).all();
        assert!(!said.contains("scrutineer import"), "{said}");
    }
    // Where it is not followed it was brought in as it was.
    server.stop();
    let server = Server::of(&desk);
    assert!(!page(&server).contains("<summary>Drop…"));
}

/// The cup when its oldest division has played so many of its Swiss rounds; nobody has left.
fn masters_after(rounds: usize) -> String {
    let masters = CUP.find("<pod category=\"2\" stage").expect("their pod");
    let mut all = CUP[masters..].match_indices("<round number=");
    let from = masters + all.nth(rounds).expect("a round more").0;
    let to = masters + CUP[masters..].find("</rounds>").expect("the end of theirs");
    let text = format!("{}{}", CUP[..from].trim_end(), &CUP[to..]);
    text.replace("<status>1<", "<status>0<")
}

/// Each division is paired on its own: whoever was second in a round had no pairings here, and nobody heard of it.
#[test]
fn a_division_that_is_paired_later_than_another_one_has_its_pairings_here() {
    let desk = Desk::new();
    let (server, file, id) = followed(&desk, &masters_after(1));
    // Table 2 is theirs.
    let path = format!("/api/v1/tournaments/{id}/orders");
    let result = || server.local("POST", &path, r#"{"order":"result","slip":"2 1-0"}"#).status;
    assert_ne!(result(), 201);
    let paired = masters_after(2);
    let at = paired.rfind("<round number=\"2\"").expect("their round 2");
    let open = paired[at..].replace("outcome=\"1\"", "outcome=\"0\"");
    let open = open.replace("outcome=\"10\"", "outcome=\"0\"");
    fs::write(&file, format!("{}{open}", &paired[..at])).expect("saved");
    until("the result of the other division", 20, || result() == 201);
}

/// The masters were paired on while the juniors still played: their round is not here before that is over, and nothing
/// said so.
#[test]
fn a_division_that_is_ahead_is_named_at_the_desk_until_the_round_of_the_other_one_is_over() {
    let desk = Desk::new();
    let open = CUP.replacen("<match outcome=\"3\">", "<match outcome=\"0\">", 1);
    let (server, file, id) = followed(&desk, &open);
    let page = || server.local("GET", &format!("/t/{id}/desk"), "").body;
    let waits =
        "Round 3 of the masters is paired there, and comes in here once Round 2 is over there";
    until("what waits", 20, || page().contains(waits));
    fs::write(&file, CUP).expect("saved");
    let round = || only(&server).map(|cup| cup["round"].clone());
    until("the rounds behind it", 20, || round() == Some(json!(4)));
    until("that nothing waits", 20, || !page().contains("comes in here once"));
    assert!(page().contains("cup.tdf is followed, and has all"), "{}", page());
}
