//! Beside another program: its folder is followed, and gets copies.

use super::client::Server;
use super::follow_push::until;
use crate::cli::desk::Desk;
use serde_json::{Value, json};
use std::fs;

/// A cup of TOM: in the last round of its oldest division two tables play.
const CUP: &str = include_str!("../../../formats/fuzz-seeds/pods.tdf");

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
    let (start, end) = (CUP.find("<round number=\"4\"").expect("round 4"), "</round>");
    let behind = start + CUP[start..].find(end).expect("its end") + end.len();
    let before = format!("{}{}", CUP[..start].trim_end(), &CUP[behind..]);
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
    let is_in_copy = "cup.tdf is followed; what was recorded here is in scrutineer/cup.tdf";
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
        page().contains("side.csv is followed; it lacks what was recorded here")
    });
    let said = desk.run(&["verify"]);
    assert_eq!(said.code, 0, "{}", said.all());
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
    let (start, end) = (CUP.find("<round number=\"4\"").expect("round 4"), "</round>");
    let behind = start + CUP[start..].find(end).expect("its end") + end.len();
    let before = format!("{}{}", CUP[..start].trim_end(), &CUP[behind..]);
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
    let (start, end) = (CUP.find("<round number=\"4\"").expect("round 4"), "</round>");
    let behind = start + CUP[start..].find(end).expect("its end") + end.len();
    let before = format!("{}{}", CUP[..start].trim_end(), &CUP[behind..]);
    let (server, file, id) = followed(&desk, &before);
    for page in ["desk", "round"] {
        let page = server.local("GET", &format!("/t/{id}/{page}"), "").body;
        assert!(page.contains("Pair round 4 in TOM and save; it appears here."), "{page}");
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
