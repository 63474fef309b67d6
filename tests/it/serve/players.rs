//! Players on phones of their own: links that belong to one device, reports of which two make a result, and
//! what the desk is left to decide.

use super::client::{Answer, Server, friday, rehearsed};
use super::pages::page;
use crate::cli::desk::Desk;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::io::{Read, Write};
use std::net::{Shutdown, TcpStream};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

const FORM: (&str, &str) = ("Content-Type", "application/x-www-form-urlencoded");
const API: &str = "/api/v1/tournaments/Friday";

/// The paths of new links of everybody in Friday who has none, by number.
pub fn links(server: &Server) -> BTreeMap<u32, String> {
    links_in(server, "Friday")
}

/// The same in any tournament.
pub fn links_in(server: &Server, id: &str) -> BTreeMap<u32, String> {
    static KEYS: AtomicU32 = AtomicU32::new(0);
    let key = format!("links-{}", KEYS.fetch_add(1, Ordering::Relaxed));
    let path = format!("/api/v1/tournaments/{id}/player-links");
    let made = server.local_under(&key, "POST", &path, "{}");
    assert_eq!(made.status, 201, "{made:?}");
    let made = made.json()["links"].as_array().cloned().unwrap_or_default();
    let link = |one: &Value| {
        (one["player"].as_u64().unwrap_or(0) as u32, one["path"].as_str().unwrap_or("").to_string())
    };
    made.iter().map(link).collect()
}

/// Says at a link that it is one's own; on a device that has a cookie, or on a new one.
fn bind(server: &Server, path: &str, cookie: Option<&str>) -> Answer {
    let origin = format!("http://{}", server.address);
    let mut headers = vec![("Origin", origin.as_str()), FORM];
    headers.extend(cookie.map(|cookie| ("Cookie", cookie)));
    server.send("POST", path, &headers, "do=bind")
}

/// A new phone that opened a link: its cookie.
pub fn phone(server: &Server, path: &str) -> String {
    let bound = bind(server, path, None);
    assert_eq!(bound.status, 303, "{bound:?}");
    let cookie = bound.header("set-cookie").expect("a cookie");
    assert!(cookie.contains("/me; HttpOnly; SameSite=Lax"), "{cookie}");
    cookie.split(';').next().expect("a pair").to_string()
}

fn request(server: &Server, cookie: &str, fields: &str) -> Vec<u8> {
    let origin = format!("http://{}", server.address);
    let headers =
        [("Origin", origin.as_str()), FORM, ("Cookie", cookie), ("Accept", "application/json")];
    server.request("POST", "/t/Friday/me", &headers, fields)
}

fn act(server: &Server, cookie: &str, fields: &str) -> Answer {
    server.raw(&request(server, cookie, fields))
}

fn claim(server: &Server, cookie: &str, key: &str, slip: &str) -> Answer {
    act(server, cookie, &format!("do=claim&round=1&slip={slip}&key={key}"))
}

/// The page of a player.
pub fn me(server: &Server, cookie: &str, query: &str) -> String {
    let answer = server.send("GET", &format!("/t/Friday/me{query}"), &[("Cookie", cookie)], "");
    assert_eq!(answer.status, 200, "{answer:?}");
    answer.body
}

/// A tournament that is enrolling, with so many players.
fn enrolling(players: usize) -> Desk {
    let desk = Desk::new();
    rehearsed(&desk, &["new", "Friday", "--rules", "mtr"]);
    let names: Vec<String> = (1..=players).map(|number| format!("Player{number:03}")).collect();
    let words: Vec<&str> =
        std::iter::once("enroll").chain(names.iter().map(String::as_str)).collect();
    rehearsed(&desk, &words);
    desk
}

/// Pairs and publishes the next round.
fn publish(server: &Server) {
    let orders = format!("{API}/orders");
    for order in [r#"{"order":"pair"}"#, r#"{"order":"publish"}"#] {
        let done = server.local_seeing(&orders, order);
        assert_eq!(done.status, 201, "{done:?}");
    }
}

/// The tables of a round: of each the players and the result.
pub fn tables(server: &Server) -> Vec<(Vec<u32>, Option<String>)> {
    let round = server.local("GET", &format!("{API}/rounds/1"), "").json();
    let number = |one: &Value| one["number"].as_u64().unwrap_or(0) as u32;
    let table = |one: &Value| {
        let players = one["players"].as_array().into_iter().flatten().map(number).collect();
        (players, one["result"].as_str().map(str::to_string))
    };
    round["tables"].as_array().into_iter().flatten().map(table).collect()
}

fn head(server: &Server) -> u64 {
    server.get(API).json()["seq"].as_u64().expect("a number")
}

#[test]
fn a_link_is_bound_by_its_button_alone_and_a_second_phone_is_told_what_to_do() {
    let desk = friday();
    let server = Server::of(&desk);
    let links = links(&server);
    assert_eq!(links.len(), 4);
    let secret = links[&1].rsplit('/').next().expect("a secret");
    assert_eq!(secret.len(), 16, "80 bits");
    for _ in 0..3 {
        // Messengers look at what is sent.
        let seen = server.get(&links[&1]);
        assert!(seen.status == 200 && seen.body.contains("Are you Ann?"), "{seen:?}");
    }
    let listed = || server.local("GET", &format!("{API}/player-links"), "").json();
    assert_eq!(listed()["links"][0]["bound"], false);
    let first = phone(&server, &links[&1]);
    assert_eq!(listed()["links"][0]["bound"], true);
    assert!(!listed().to_string().contains(secret), "it is told once");
    let second = bind(&server, &links[&1], None);
    assert!(second.status == 403 && second.body.contains("ask the desk to free it"), "{second:?}");
    let looked = server.get(&links[&1]);
    assert!(looked.status == 403 && !looked.body.contains("Ann"), "{looked:?}");
    assert_eq!(bind(&server, &links[&1], Some(&first)).status, 303, "the same phone again");
    let scanned = server.send("GET", &links[&1], &[("Cookie", &first)], "");
    let to = scanned.header("location").unwrap_or_default();
    assert!(scanned.status == 303 && to.ends_with("/me?player=1"), "{scanned:?}");
    // The desk frees it with its button.
    let keeper = server.token("scorekeeper");
    let players = page(&server, &keeper, "/t/Friday/players?player=1");
    assert!(players.contains("/players/free\"") && players.contains(">phone<"), "{players}");
    let freed = server.send(
        "POST",
        "/t/Friday/players/free",
        &[("Authorization", keeper.as_str()), FORM],
        "do=free&player=1",
    );
    assert_eq!(freed.status, 303, "{freed:?}");
    assert_eq!(act(&server, &first, "do=call&key=k").code(), "not-allowed");
    // Their page says so, and where they sit is read without it.
    let unknown = server.send("GET", "/t/Friday/me", &[("Cookie", &first)], "");
    let leads = |to: &str| unknown.body.contains(&format!("href=\"/t/Friday/{to}\""));
    assert!(unknown.status == 403 && leads("round") && leads("standings"), "{unknown:?}");
    assert!(unknown.body.contains("or the desk has freed it"), "{unknown:?}");
    let third = phone(&server, &links[&1]);
    assert!(me(&server, &third, "").contains("Ann"));
    // It is theirs after a restart, and nothing that was printed is in the house.
    server.stop();
    let bytes = std::fs::read(desk.path("store/house.redb")).expect("read");
    assert!(!bytes.windows(secret.len()).any(|part| part == secret.as_bytes()));
    let server = Server::of(&desk);
    assert!(me(&server, &third, "").contains("Ann"));
}

#[test]
fn strips_are_made_by_a_button_shown_again_and_never_stand_on_a_slip() {
    let desk = friday();
    let server = Server::of(&desk);
    let keeper = server.token("scorekeeper");
    let own = [("Authorization", keeper.as_str()), FORM];
    let form = page(&server, &keeper, "/t/Friday/print/badges");
    assert!(form.contains("Make links for the 4 without one"), "{form}");
    let make = || server.send("POST", "/t/Friday/print/badges", &own, "do=make-links&key=strips");
    let to = make().header("location").expect("it leads to them").to_string();
    let strips = page(&server, &keeper, &to);
    assert_eq!(strips.matches("class=\"strip\"").count(), 4, "{strips}");
    assert_eq!(page(&server, &keeper, &to), strips, "loaded again");
    assert_eq!(make().header("location"), Some(to.as_str()), "sent again");
    assert_eq!(page(&server, &keeper, &to), strips);
    // They are in the language of the page on which they were made.
    let german = page(&server, &keeper, "/t/Friday/print/badges?lang=de");
    assert!(german.contains("/print/badges?lang=de\""), "{german}");
    let path = "/t/Friday/print/badges?lang=de";
    let made = server.send("POST", path, &own, "do=make-links&who=without-device&key=anew");
    let german = page(&server, &keeper, made.header("location").expect("it leads to them"));
    assert_eq!(german.matches("Scannen: wo du sitzt").count(), 4, "{german}");
    let judge = server.token("judge");
    let refused = server.send("GET", &to, &[("Authorization", &judge)], "");
    assert_eq!(refused.status, 403);
    // Somebody else's key shows them nothing.
    let other = page(&server, &server.token("scorekeeper"), &to);
    assert!(other.contains("can be printed no more"), "{other}");
    assert!(!page(&server, &keeper, "/t/Friday/print/slips").contains("/me/"));
}

#[test]
fn two_who_say_the_same_record_the_result_in_one_command_under_their_own_numbers() {
    let desk = enrolling(4);
    let server = Server::of(&desk);
    let phones: BTreeMap<u32, String> =
        links(&server).iter().map(|(player, path)| (*player, phone(&server, path))).collect();
    assert!(me(&server, &phones[&1], "").contains("value=\"check-in\""), "before the start");
    let here = act(&server, &phones[&1], "do=check-in&key=here");
    assert_eq!(here.status, 201, "{here:?}");
    assert!(me(&server, &phones[&1], "").contains("You are checked in"));
    publish(&server);
    assert_eq!(act(&server, &phones[&2], "do=check-in&key=late").code(), "check-in-over");
    let (seats, _) = tables(&server)[0].clone();
    let [one, two] = [&phones[&seats[0]], &phones[&seats[1]]];
    let shown = me(&server, one, "");
    for words in ["Table <strong class=\"no\">1</strong>", "value=\"2-1\"", "How did it end?"] {
        assert!(shown.contains(words), "{words}: {shown}");
    }
    let first = claim(&server, one, "a", "2-1");
    assert_eq!((first.status, &first.json()["recorded"]), (201, &false.into()), "{first:?}");
    assert!(me(&server, one, "").contains("It is recorded when"));
    // What the other one said is no help before one's own word.
    let waiting = me(&server, two, "");
    assert!(waiting.contains("has reported") && !waiting.contains("you lost 1–2"), "{waiting}");
    // Who differs is asked for at the desk.
    assert_eq!(claim(&server, two, "b", "2-1").json()["recorded"], false);
    assert!(me(&server, two, "").contains("Your reports differ"));
    let desk_page = page(&server, &server.token("scorekeeper"), "/t/Friday/desk");
    assert!(desk_page.contains("Table 1: the players report different results"), "{desk_page}");
    let before = head(&server);
    let agreed = claim(&server, two, "c", "1-2");
    let json = agreed.json();
    assert_eq!((agreed.status, &json["recorded"]), (201, &true.into()), "{agreed:?}");
    assert_eq!(
        (&json["first_seq"], &json["last_seq"]),
        (&(before + 1).into(), &(before + 2).into())
    );
    assert_eq!(tables(&server)[0].1.as_deref(), Some("2-1"));
    for cookie in [one, two] {
        assert!(me(&server, cookie, "").contains("<b>Recorded:</b>"));
    }
    let again = claim(&server, two, "c", "1-2");
    let (status, again) = (again.status, again.json());
    assert_eq!(
        (status, &again["first_seq"], &again["recorded"]),
        (200, &json["first_seq"], &true.into())
    );
    let otherwise = claim(&server, two, "c", "2-0");
    assert_eq!(otherwise.code(), "command-id-reused");
    // The log says who, and that both were recorded together.
    let records = server.local("GET", &format!("{API}/records/1"), "").json();
    let at = |seq: u64| &records["records"][seq as usize - 1];
    let (word, result) = (at(before + 1), at(before + 2));
    assert_eq!(word["by"], format!("Player{:03}", seats[1]));
    assert_eq!((&word["word"], &result["word"]), (&"result claimed".into(), &"result".into()));
    assert_eq!((&word["by"], &word["command"]), (&result["by"], &result["command"]));
    assert_eq!(at(before)["by"], word["by"], "the claim before it is theirs too");
    assert!(rehearsed(&desk, &["verify"]).contains("Friday"));
}

/// The strips said "report your result", and the phone that a slip of one line has more than a phone can say.
#[test]
fn two_numbers_are_reported_on_phones_and_recorded_where_both_say_the_same() {
    let desk = Desk::new();
    let sheet = "match_points:0..100";
    rehearsed(&desk, &["new", "Friday", "--rules", "netrunner", "--sheet", sheet]);
    rehearsed(&desk, &["enroll", "Ann", "Bob"]);
    let server = Server::of(&desk);
    let phones: BTreeMap<u32, String> =
        links(&server).iter().map(|(player, path)| (*player, phone(&server, path))).collect();
    publish(&server);
    let (seats, _) = tables(&server)[0].clone();
    let [one, two] = [&phones[&seats[0]], &phones[&seats[1]]];
    for (query, words) in [("", "Each from 0 to 100."), ("?lang=de", "Jeweils von 0 bis 100.")] {
        let shown = me(&server, one, query);
        assert!(shown.contains(words) && shown.contains("name=\"theirs\""), "{shown}");
    }
    let report = |cookie: &str, own: &str, theirs: &str| {
        let key = format!("k{own}{theirs}");
        act(&server, cookie, &format!("do=claim&round=1&own={own}&theirs={theirs}&key={key}"))
    };
    for (own, theirs) in [("101", "3"), ("40", "w-l"), ("40", "-1")] {
        assert_eq!(report(one, own, theirs).code(), "bad-slip", "{own} {theirs}");
    }
    let first = report(one, "55", "40").json();
    assert_eq!(first["recorded"], false, "{first}");
    assert!(me(&server, one, "").contains("55–40"));
    let second = report(two, "40", "55").json();
    assert_eq!(second["recorded"], true, "{second}");
    assert_eq!(tables(&server)[0].1.as_deref(), Some("55-40"));
}

#[test]
fn a_report_stays_with_its_match_where_the_desk_moves_that_to_another_table() {
    let desk = enrolling(4);
    let server = Server::of(&desk);
    let phones: BTreeMap<u32, String> =
        links(&server).iter().map(|(player, path)| (*player, phone(&server, path))).collect();
    publish(&server);
    let (seats, _) = tables(&server)[0].clone();
    let [one, two] = [&phones[&seats[0]], &phones[&seats[1]]];
    assert_eq!(claim(&server, one, "a", "2-1").status, 201);
    let before = pairing_of(&me(&server, two, ""));
    // The desk names them the other way round.
    let order = format!(
        r#"{{"order":"set-pairing","players":["Player{:03}","Player{:03}"],"table":9,"reason":"stairs"}}"#,
        seats[1], seats[0]
    );
    let moved = server.local_seeing(&format!("{API}/orders"), &order);
    assert_eq!(moved.status, 201, "{moved:?}");
    let shown = me(&server, one, "");
    assert!(shown.contains("Table <strong class=\"no\">9</strong>"), "{shown}");
    assert!(shown.contains("It is recorded when"), "{shown}");
    assert!(me(&server, two, "").contains("has reported"));
    // The page was not renewed yet when they reported.
    assert_ne!(pairing_of(&me(&server, two, "")), before);
    let report = format!("do=claim&round=1&pairing={before}&slip=1-2&key=b");
    let agreed = act(&server, two, &report);
    assert_eq!((agreed.status, &agreed.json()["recorded"]), (201, &true.into()), "{agreed:?}");
    assert!(tables(&server).contains(&(vec![seats[1], seats[0]], Some("1-2".to_string()))));
}

/// The pairing by which the forms of a player's page say that they sit.
fn pairing_of(html: &str) -> u64 {
    let behind = html.split("name=\"pairing\" value=\"").nth(1).expect("a field of a form");
    behind.split('"').next().and_then(|seq| seq.parse().ok()).expect("a number")
}

/// Gives an order that is decided on what stands.
fn given(server: &Server, order: &str) {
    let done = server.local_seeing(&format!("{API}/orders"), order);
    assert!(matches!(done.status, 200 | 201), "{order}: {done:?}");
}

/// A round was taken back and paired anew while phones were offline; what waited on them was recorded against whoever sat
/// there now, and two such reports that agreed made the result of a match that nobody had played.
#[test]
fn what_is_sent_of_a_match_that_is_none_any_more_is_recorded_of_no_other() {
    let desk = enrolling(4);
    let server = Server::of(&desk);
    let phones: BTreeMap<u32, String> =
        links(&server).iter().map(|(player, path)| (*player, phone(&server, path))).collect();
    publish(&server);
    let stale: BTreeMap<u32, u64> = phones
        .iter()
        .map(|(player, cookie)| (*player, pairing_of(&me(&server, cookie, ""))))
        .collect();
    // While it is a draft, nobody is told who sits where in it.
    given(&server, r#"{"order":"undo"}"#);
    let report = |player: u32, key: &str, slip: &str| {
        let pairing = stale[&player];
        let fields = format!("do=claim&round=1&pairing={pairing}&slip={slip}&key={key}");
        act(&server, &phones[&player], &fields)
    };
    assert_eq!(report(1, "draft", "2-0").code(), "no-such-round");
    given(&server, r#"{"order":"undo"}"#);
    given(&server, r#"{"order":"enroll","people":[{"name":"Late"},{"name":"Later"}]}"#);
    publish(&server);
    let before = head(&server);
    for (at, player) in (1..=4).enumerate() {
        let refused = report(player, "late", ["2-0", "0-2"][at % 2]);
        assert_eq!((refused.status, refused.code()), (409, "seated-elsewhere".into()));
        let told = refused.json()["detail"].to_string();
        assert!(told.contains("you sit elsewhere now"), "{told}");
    }
    let pairing = stale[&1];
    for (key, which) in
        [("d1", format!("round=1&pairing={pairing}")), ("d2", format!("match=1-{pairing}"))]
    {
        let dispute = format!("do=dispute&{which}&claim=it+was+a+draw&key={key}");
        assert_eq!(act(&server, &phones[&1], &dispute).code(), "seated-elsewhere", "{which}");
    }
    assert_eq!(act(&server, &phones[&2], "do=claim&round=1&pairing=x&slip=2-0&key=x").status, 400);
    assert_eq!(head(&server), before, "nothing is recorded");
    // What their page says now is taken, and so is what does not say it.
    let now = pairing_of(&me(&server, &phones[&2], ""));
    let fields = format!("do=claim&round=1&pairing={now}&slip=2-0&key=now");
    assert_eq!(act(&server, &phones[&2], &fields).status, 201);
    assert_eq!(claim(&server, &phones[&3], "plain", "2-0").status, 201);
    let dispute = format!("do=dispute&match=1-{now}&claim=it+was+a+draw&key=d");
    assert_eq!(act(&server, &phones[&2], &dispute).status, 201);
}

/// The desk seated somebody against another one in the round that was out, and a report of before went along.
#[test]
fn a_report_does_not_go_along_to_another_opponent() {
    let desk = enrolling(4);
    let server = Server::of(&desk);
    let phones: BTreeMap<u32, String> =
        links(&server).iter().map(|(player, path)| (*player, phone(&server, path))).collect();
    publish(&server);
    let seated = tables(&server);
    let [moved, left, other] = [seated[0].0[0], seated[0].0[1], seated[1].0[0]];
    let stale = pairing_of(&me(&server, &phones[&moved], ""));
    given(
        &server,
        &format!(
            r##"{{"order":"set-pairing","players":["#{moved}","#{other}"],"reason":"they are brothers"}}"##
        ),
    );
    let report = |player: u32| {
        let fields = format!("do=claim&round=1&pairing={stale}&slip=2-0&key=k");
        act(&server, &phones[&player], &fields).code()
    };
    assert_eq!(report(moved), "seated-elsewhere");
    assert_eq!(report(left), "no-table");
}

/// A call that had waited on a phone came once the round was taken back: the floor listed it without a table.
#[test]
fn a_judge_is_called_to_a_table_and_to_nobody_who_has_none() {
    let desk = enrolling(4);
    let server = Server::of(&desk);
    let cookie = phone(&server, &links(&server)[&1]);
    let call = |key: &str| act(&server, &cookie, &format!("do=call&key={key}"));
    let calls = || server.local("GET", &format!("{API}/floor"), "").json()["calls"].clone();
    let refused = call("early");
    assert_eq!((refused.status, refused.code()), (404, "no-table".into()), "{refused:?}");
    publish(&server);
    given(&server, r#"{"order":"undo"}"#);
    assert_eq!(call("draft").code(), "no-table", "a draft has no tables for players");
    assert_eq!(calls(), serde_json::json!([]));
    given(&server, r#"{"order":"publish"}"#);
    assert_eq!(call("now").status, 201);
    // While the next round is prepared they sit where their page says.
    for slip in ["1 2-0", "2 2-0"] {
        given(&server, &format!(r#"{{"order":"result","slip":"{slip}"}}"#));
    }
    given(&server, r#"{"order":"pair"}"#);
    assert_eq!(act(&server, &cookie, "do=end-call&key=end").status, 201);
    assert_eq!(call("again").status, 201);
    let stands = calls();
    assert!(stands[0]["table"].is_u64() && stands[0]["round"] == 1, "{stands}");
    // Whose answer was lost is told of the call that was made, whatever became of the table.
    let again = call("now");
    assert_eq!((again.status, &again.json()["repeated"]), (200, &true.into()), "{again:?}");
}

/// Both were told in red that the desk had another result than they reported, and the desk was asked to decide between a
/// draw and a draw: a slip that says who won is kept in another form than it is read in.
#[test]
fn two_who_report_the_same_of_a_game_of_chess_have_their_result_and_nobody_is_asked() {
    let desk = Desk::new();
    rehearsed(&desk, &["new", "Friday", "--rules", "fide-tiebreaks-2026"]);
    rehearsed(&desk, &["enroll", "Ann", "Bob", "Cid", "Dee"]);
    let server = Server::of(&desk);
    let phones: BTreeMap<u32, String> =
        links(&server).iter().map(|(player, path)| (*player, phone(&server, path))).collect();
    publish(&server);
    let seated: Vec<Vec<u32>> = tables(&server).into_iter().map(|(seats, _)| seats).collect();
    for (slips, seats) in [["d-d", "d-d"], ["w-l", "l-w"]].into_iter().zip(&seated) {
        for (slip, seat) in slips.into_iter().zip(seats) {
            let said = claim(&server, &phones[seat], "one", slip);
            assert_eq!(said.status, 201, "{said:?}");
        }
    }
    assert!(tables(&server).iter().all(|(_, result)| result.is_some()), "{:?}", tables(&server));
    for seat in seated.iter().flatten() {
        let own = me(&server, &phones[seat], "");
        assert!(!own.contains("another result than you reported"), "{own}");
    }
    let keeper = server.token("scorekeeper");
    let waits = page(&server, &keeper, "/t/Friday/desk");
    assert!(!waits.contains("recorded is"), "{waits}");
}

#[test]
fn one_person_with_both_links_of_a_table_gets_no_result_recorded() {
    let desk = enrolling(4);
    let server = Server::of(&desk);
    let links = links(&server);
    // All four links on one phone, before the round.
    let cookie = phone(&server, &links[&1]);
    for player in 2..=4 {
        let asked = server.send("GET", &links[&player], &[("Cookie", &cookie)], "");
        assert!(asked.body.contains("belongs already to"), "{asked:?}");
        assert_eq!(bind(&server, &links[&player], Some(&cookie)).status, 303);
    }
    publish(&server);
    let (seats, _) = tables(&server)[0].clone();
    for (player, slip) in [(seats[0], "2-0"), (seats[1], "0-2")] {
        let fields = format!("do=claim&round=1&slip={slip}&player={player}&key=k{player}");
        let done = act(&server, &cookie, &fields);
        assert_eq!((done.status, &done.json()["recorded"]), (201, &false.into()), "{done:?}");
    }
    assert_eq!(tables(&server)[0].1, None);
    let keeper = server.token("scorekeeper");
    let confirm = page(&server, &keeper, "/t/Friday/desk");
    assert!(confirm.contains("Table 1: both say: ") && confirm.contains(" won 2–0;"), "{confirm}");
    assert!(confirm.contains("value=\"1 2-0\""), "one button confirms it");
    // Nor does a phone of which nobody knew before the round was out.
    let (seats, _) = tables(&server)[1].clone();
    let free = format!("{API}/player-links/{}/device", seats[0]);
    assert_eq!(server.local("DELETE", &free, "").status, 204);
    let other = phone(&server, &links[&seats[0]]);
    let fields = format!("do=claim&round=1&slip=0-2&player={}&key=x", seats[1]);
    assert_eq!(act(&server, &cookie, &fields).status, 201);
    assert_eq!(claim(&server, &other, "y", "2-0").json()["recorded"], false);
    assert_eq!(tables(&server)[1].1, None);
    // Nobody speaks for who is not on their device.
    let fields = format!("do=claim&round=1&slip=2-0&player={}&key=z", seats[1]);
    assert_eq!(act(&server, &other, &fields).code(), "not-allowed");
}

#[test]
fn a_report_behind_the_desks_result_is_filed_where_it_agrees_and_listed_where_it_does_not() {
    let desk = friday();
    let server = Server::of(&desk);
    let links = links(&server);
    let (seats, _) = tables(&server)[0].clone();
    let [one, two] = [0, 1].map(|seat: usize| phone(&server, &links[&seats[seat]]));
    let keeper = server.token("scorekeeper");
    assert_eq!(server.order(&keeper, "r", r#"{"order":"result","slip":"1 2-1"}"#).status, 201);
    let alerts = || page(&server, &keeper, "/t/Friday/desk");
    let before = head(&server);
    assert_eq!(claim(&server, &one, "a", "2-1").status, 201);
    assert!(!alerts().contains("recorded is"), "they agree");
    let late = claim(&server, &two, "b", "2-0").json();
    assert_eq!(head(&server), before + 2, "both are facts, and neither is a result");
    let listed = alerts();
    assert!(listed.contains("recorded is") && listed.contains("value=\"settle\""), "{listed}");
    assert!(me(&server, &two, "").contains("another result than you reported"));
    let settle = format!(r#"{{"do":"settle","seq":{}}}"#, late["first_seq"]);
    let headers = |token| [("Authorization", token), ("Idempotency-Key", "s")];
    let judge = server.token("judge");
    let floor = format!("{API}/floor");
    assert_eq!(server.send("PATCH", &floor, &headers(&judge), &settle).status, 403);
    assert_eq!(server.send("PATCH", &floor, &headers(&keeper), &settle).status, 201);
    assert!(!alerts().contains("recorded is"), "it is decided");
    // In the next round it is still one of the first.
    rehearsed(&desk, &["result", "2", "2-0"]);
    publish(&server);
    assert_eq!(claim(&server, &two, "c", "1-1").status, 201);
    assert!(alerts().contains("Round 1, table 1:"));
}

/// The fields of a form of a page that has this among them, as a browser sends them.
fn form_of(html: &str, has: &str) -> String {
    let forms = html.split("<form ").skip(1).filter_map(|form| form.split("</form>").next());
    let form = forms.into_iter().find(|form| form.contains(has)).expect("the form");
    let fields = form.split("<input ").skip(1).filter_map(|input| {
        let of = |name: &str| input.split(&format!("{name}=\"")).nth(1)?.split('"').next();
        Some(format!("{}={}", of("name")?, of("value")?.replace('#', "%23").replace(' ', "+")))
    });
    fields.collect::<Vec<_>>().join("&")
}

/// The button of the desk that lets a result stand against a late report said "invalid type: string".
#[test]
fn a_late_report_is_decided_by_either_button_of_the_desk_and_told_beside_its_round() {
    let desk = friday();
    let server = Server::of(&desk);
    let links = links(&server);
    let (seats, _) = tables(&server)[0].clone();
    let two = phone(&server, &links[&seats[1]]);
    let keeper = server.token("scorekeeper");
    for (key, slip) in [("a", "1 2-0"), ("b", "2 2-0")] {
        let order = format!(r#"{{"order":"result","slip":"{slip}"}}"#);
        assert_eq!(server.order(&keeper, key, &order).status, 201);
    }
    publish(&server);
    let fields = "do=claim&round=1&slip=2-0&key=late";
    assert_eq!(act(&server, &two, fields).status, 201);
    // Beside the round it stands what they reported, and that the desk has something else.
    let own = me(&server, &two, "");
    assert!(own.contains("another result than you reported"), "{own}");
    let own = me(&server, &two, "?lang=de");
    assert!(own.contains("ein anderes Ergebnis, als du gemeldet hast"), "{own}");
    let alerts = || page(&server, &keeper, "/t/Friday/desk");
    let waits = alerts();
    assert!(waits.contains("Round 1, table 1:") && waits.contains("Correct to"), "{waits}");
    let headers = [("Authorization", &keeper[..]), FORM, ("Accept", "application/json")];
    let form = form_of(&waits, "value=\"settle\"");
    let stands = server.send("POST", "/t/Friday/floor", &headers, &form);
    assert_eq!(stands.status, 201, "{form}: {stands:?}");
    assert!(!alerts().contains("recorded is"), "it is decided");
    // Whoever wishes to drop stays by a form of the same kind.
    let wish = act(&server, &two, "do=wish-drop&key=wish");
    assert_eq!(wish.status, 201, "{wish:?}");
    let path = format!("/t/Friday/players?player={}", seats[1]);
    let form = form_of(&page(&server, &keeper, &path), "value=\"end-wish\"");
    let stays = server.send("POST", "/t/Friday/floor", &headers, &form);
    assert_eq!(stays.status, 201, "{form}: {stays:?}");
}

/// The desk entered a result against a report that was there, and nobody was told.
#[test]
fn a_result_against_a_report_says_so_to_whoever_enters_it() {
    let desk = friday();
    let server = Server::of(&desk);
    let links = links(&server);
    let (seats, _) = tables(&server)[0].clone();
    let one = phone(&server, &links[&seats[0]]);
    let keeper = server.token("scorekeeper");
    assert_eq!(claim(&server, &one, "a", "2-0").status, 201);
    let told = server.order(&keeper, "r", r#"{"order":"result","slip":"1 1-2"}"#).json();
    assert!(told["notes"].to_string().contains(" reported "), "{told}");
    let same = server.order(&keeper, "s", r#"{"order":"result","slip":"2 1-2"}"#).json();
    assert!(!same["notes"].to_string().contains(" reported "), "{same}");
    assert!(page(&server, &keeper, "/t/Friday/desk").contains("recorded is"));
}

#[test]
fn a_player_reports_six_times_a_minute_and_no_score_that_no_slip_has() {
    let desk = friday();
    let server = Server::of(&desk);
    let cookie = phone(&server, &links(&server)[&1]);
    for (slip, round) in [("3-0", 1), ("w-l+no-show", 1), ("", 1), ("2-0", 2)] {
        let fields = format!("do=claim&round={round}&slip={slip}&key=x{slip}{round}");
        let refused = act(&server, &cookie, &fields);
        assert!(matches!(refused.code().as_str(), "bad-slip" | "no-such-round"), "{refused:?}");
    }
    for fields in [
        "do=fly&key=k",
        "do=claim&slip=2-0&key=k",
        "do=claim&round=1&slip=2-0",
        "do=claim&round=1&slip=2-0&slip=0-2&key=k",
    ] {
        assert_eq!(act(&server, &cookie, fields).code(), "bad-request", "{fields}");
    }
    let sent = || (0..14).map(|at| claim(&server, &cookie, &format!("k{at}"), "2-0"));
    let slow = sent().find(|answer| answer.status == 429).expect("seven in a minute");
    assert_eq!(slow.code(), "slow-down");
    // Until the minute is over.
    let seconds = slow.header("retry-after").and_then(|seconds| seconds.parse::<u64>().ok());
    assert!(seconds.is_some_and(|seconds| (1..=60).contains(&seconds)), "{slow:?}");
    // What was done is told again all the same.
    let again = claim(&server, &cookie, "k0", "2-0");
    assert!(again.status == 200 || again.status == 429, "{again:?}");
}

/// A stream of a player, of which the first so many frames are read.
fn told(server: &Server, cookie: &str, until: &str) -> String {
    let mut socket = TcpStream::connect(server.address).expect("it listens");
    socket.set_read_timeout(Some(Duration::from_secs(20))).expect("set");
    let ask = format!(
        "GET /t/Friday/me/live?after=0 HTTP/1.1\r\nHost: {}\r\nCookie: {cookie}\r\n\r\n",
        server.address
    );
    socket.write_all(ask.as_bytes()).expect("sent");
    let (mut all, mut part) = (String::new(), [0; 4096]);
    while !all.contains(until) {
        let read = socket.read(&mut part).expect("told in time");
        assert_ne!(read, 0, "{all}");
        all.push_str(&String::from_utf8_lossy(&part[..read]));
    }
    all
}

#[test]
fn a_dispute_is_told_to_the_opponent_and_its_ruling_to_both_without_its_reason() {
    let desk = friday();
    let server = Server::of(&desk);
    let links = links(&server);
    let all = tables(&server);
    let [one, two] = [0, 1].map(|seat: usize| phone(&server, &links[&all[0].0[seat]]));
    let other = phone(&server, &links[&all[1].0[0]]);
    let keeper = server.token("scorekeeper");
    assert_eq!(server.order(&keeper, "r", r#"{"order":"result","slip":"1 2-1"}"#).status, 201);
    let opened = act(&server, &two, "do=dispute&round=1&claim=Wendeltreppe&key=d");
    assert_eq!(opened.status, 201, "{opened:?}");
    assert!(me(&server, &two, "").contains("you disputed it. The head judge decides"));
    let shown = me(&server, &one, "");
    assert!(shown.contains("disputed it. The head judge decides"), "{shown}");
    assert!(!shown.contains("Wendeltreppe"), "their words are the head judge's");
    assert!(!me(&server, &other, "").contains("Disputes"));
    let stream = told(&server, &one, "event: own-dispute");
    assert!(!stream.contains("Wendeltreppe"), "{stream}");
    let rule = r#"{"order":"rule","dispute":1,"upheld":true,"score":"1-2","reason":"Fensterbank"}"#;
    let ruled = server.local_under("rule", "POST", &format!("{API}/orders"), rule);
    assert_eq!(ruled.status, 201, "{ruled:?}");
    for cookie in [&one, &two] {
        let stream = told(&server, cookie, "event: own-ruled");
        assert!(stream.contains("event: own-result") && !stream.contains("Fensterbank"));
        let shown = me(&server, cookie, "");
        assert!(shown.contains("Decided: upheld") && !shown.contains("Fensterbank"), "{shown}");
    }
    assert!(me(&server, &two, "").contains("you won 2–1"), "the corrected result, from their seat");
}

/// A dispute's file had a device of what the staff entered alone, and none of what players reported on phones.
#[test]
fn a_disputes_file_says_from_which_phone_each_report_came_to_the_staff_alone() {
    let desk = friday();
    let server = Server::of(&desk);
    let links = links(&server);
    let (seats, _) = tables(&server)[0].clone();
    let phones = [0, 1].map(|seat: usize| phone(&server, &links[&seats[seat]]));
    let agents = [
        "Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) Safari/604.1",
        "Mozilla/5.0 (Linux; Android 15; Pixel 9) Chrome/131.0",
    ];
    let origin = format!("http://{}", server.address);
    for (cookie, agent) in phones.iter().zip(agents) {
        let headers = [
            ("Origin", origin.as_str()),
            FORM,
            ("Cookie", cookie.as_str()),
            ("User-Agent", agent),
            ("Accept", "application/json"),
        ];
        let fields = "do=claim&round=1&slip=2-0&key=won";
        for (time, status) in [("first", 201), ("again", 200)] {
            let told = server.send("POST", "/t/Friday/me", &headers, fields);
            assert_eq!(told.status, status, "{time}: {told:?}");
        }
    }
    let keeper = server.token("scorekeeper");
    assert_eq!(server.order(&keeper, "r", r#"{"order":"result","slip":"1 2-0"}"#).status, 201);
    let opened = act(&server, &phones[1], "do=dispute&round=1&claim=Wendeltreppe&key=d");
    assert_eq!(opened.status, 201, "{opened:?}");
    let file = server.local("GET", &format!("{API}/disputes/1/file"), "").json();
    let devices: Vec<&str> =
        [0, 1].iter().filter_map(|at: &usize| file["claims"][at]["device"].as_str()).collect();
    let digits = |device: &str| device.split(", phone ").nth(1).unwrap_or_default().to_string();
    let [one, two] = devices[..] else { panic!("a phone of each claim: {file}") };
    assert!(one.starts_with("iPhone, phone ") && two.starts_with("Android, phone "), "{devices:?}");
    assert_eq!((digits(one).len(), digits(two).len()), (4, 4), "{devices:?}");
    assert_ne!(digits(one), digits(two));
    for cookie in &phones {
        let secret = cookie.split('=').nth(1).expect("a secret");
        assert!(!file.to_string().contains(secret), "{file}");
    }
    let html = page(&server, &server.token("head-judge"), "/t/Friday/disputes/1");
    let lines = rehearsed(&desk, &["dispute", "file", "1"]);
    let lines = lines.split_whitespace().collect::<Vec<_>>().join(" ");
    for device in [one, two] {
        assert!(html.contains(device), "{device}: {html}");
        assert!(lines.contains(&format!(" on {device}")), "{device}: {lines}");
    }
    // Nobody else reads it: the player themselves, their opponent, or whoever watches.
    let public = ["/t/Friday/round", "/t/Friday/log", "/api/v1/tournaments/Friday/floor"];
    let mut read = public.map(|path| server.get(path).body).to_vec();
    read.extend(phones.iter().map(|cookie| me(&server, cookie, "")));
    read.push(server.get(&format!("{API}/records/1")).body);
    for text in read {
        assert!(!text.contains(one) && !text.contains(two), "{text}");
    }
    assert_ne!(server.get(&format!("{API}/disputes/1/file")).status, 200);
    assert_ne!(server.get(&format!("{API}/floor/entries")).status, 200);
}

/// Whoever reported another result than stands read on, after the head judge had decided, that they should
/// call a judge or dispute it.
#[test]
fn who_reported_otherwise_reads_that_the_head_judge_has_decided_and_is_sent_to_nobody() {
    let desk = friday();
    let server = Server::of(&desk);
    let links = links(&server);
    let one = phone(&server, &links[&tables(&server)[0].0[0]]);
    assert_eq!(claim(&server, &one, "c", "2-0").status, 201);
    let keeper = server.token("scorekeeper");
    assert_eq!(server.order(&keeper, "r", r#"{"order":"result","slip":"1 1-2"}"#).status, 201);
    let again = "call a judge or dispute it";
    assert!(me(&server, &one, "").contains(again));
    assert_eq!(act(&server, &one, "do=dispute&round=1&claim=2-0&key=d").status, 201);
    assert!(!me(&server, &one, "").contains(again), "it is disputed");
    let rule = r#"{"order":"rule","dispute":1,"upheld":false,"reason":"both signed the slip"}"#;
    let ruled = server.local_under("rule", "POST", &format!("{API}/orders"), rule);
    assert_eq!(ruled.status, 201, "{ruled:?}");
    let shown = me(&server, &one, "");
    assert!(shown.contains("The head judge has decided. This result stands."), "{shown}");
    assert!(!shown.contains(again), "{shown}");
}

/// Where results are hidden, the page of the pairings that are out said at once, and for ever, that something
/// is new: it began its line behind what everybody may know. Nor does the record of a hidden result lead anywhere.
#[test]
fn the_page_of_a_hidden_round_begins_its_line_at_what_everybody_knows() {
    let desk = friday();
    let server = Server::of(&desk);
    let links = links(&server);
    let path = format!("{API}/policies");
    assert_eq!(server.local("PUT", &path, r#"{"hidden_from":1}"#).status, 200);
    let ann = phone(&server, &links[&1]);
    let keeper = server.token("scorekeeper");
    for (key, slip) in [("a", "1 2-0"), ("b", "2 2-1")] {
        let order = format!(r#"{{"order":"result","slip":"{slip}"}}"#);
        assert_eq!(server.order(&keeper, key, &order).status, 201);
    }
    assert!(!me(&server, &ann, "").contains("in the record"), "it is on no page that others open");
    let missing = || {
        let said: Value = serde_json::from_str(&server.get(API).body).expect("JSON");
        said["missing"].as_u64()
    };
    assert_eq!(missing(), Some(0), "both results are in, whatever they are");
    publish(&server);
    assert_eq!(missing(), Some(2));
    let head = |page: &str| {
        let html = server.get(&format!("/t/Friday/{page}")).body;
        let behind = html.split_once("data-head=\"").expect("a head").1;
        let said = html.contains("Round 2");
        (behind.split('"').next().unwrap_or_default().to_string(), said)
    };
    let ((round, is_out), (standings, _)) = (head("round"), head("standings"));
    assert!(is_out && round == standings, "{round} {standings}");
}

/// Whoever may know no more than everybody read on their own page, and in their receipt, which event was the last one of
/// the log, with digits of its hash.
#[test]
fn a_players_page_and_receipt_name_no_later_event_than_is_public_but_for_their_own_result() {
    let desk = friday();
    let server = Server::of(&desk);
    let (links, seated) = (links(&server), tables(&server));
    let [played, open] = [0, 1].map(|table: usize| phone(&server, &links[&seated[table].0[0]]));
    let sign = || {
        let signed = server.local("POST", &format!("{API}/checkpoint"), "");
        assert_eq!(signed.status, 200, "{signed:?}");
    };
    let receipt = |cookie: &str| {
        let headers = [("Cookie", cookie), ("Accept", "application/json")];
        let given = server.send("GET", "/t/Friday/me/receipt", &headers, "");
        assert!(given.status == 200 && given.header("etag").is_none(), "{given:?}");
        let json = given.json();
        let events = json["events"].as_array().expect("a list");
        (json["records"].as_u64(), events.last().and_then(Value::as_u64))
    };
    let stands = |answer: Answer| {
        let json = answer.json();
        let hash = json["hash"].as_str().expect("a hash");
        (json["seq"].as_u64(), format!("event {}, {}", json["seq"], &hash[..4]))
    };
    sign();
    let path = format!("{API}/policies");
    assert_eq!(server.local("PUT", &path, r#"{"hidden_from":1}"#).status, 200);
    let known = receipt(&open);
    let keeper = server.token("scorekeeper");
    let result = r#"{"order":"result","slip":"1 2-0"}"#;
    assert_eq!(server.order(&keeper, "a", result).status, 201);
    sign();
    let (public, of_public) = stands(server.get(API));
    let (last, of_log) = stands(server.local("GET", API, ""));
    assert!(public < last, "{public:?} {last:?}");
    for cookie in [&played, &open] {
        let html = me(&server, cookie, "");
        assert_eq!(html.matches(&of_public).count(), 2, "{of_public}: {html}");
        assert!(!html.contains(&of_log), "{of_log}: {html}");
    }
    let staff = page(&server, &keeper, "/t/Friday/standings");
    assert!(staff.contains(&of_log), "{of_log}: {staff}");
    assert_eq!(receipt(&open), known, "nothing of theirs is behind what is public");
    let (records, own) = receipt(&played);
    assert!(own > public && records > known.0, "their own result: {own:?} {records:?}");
}

/// Nothing of theirs was hidden, and their receipt told all the same how many records lay behind what is public.
#[test]
fn a_receipt_of_what_is_public_waits_for_a_checkpoint_that_is() {
    let desk = friday();
    let server = Server::of(&desk);
    let (links, seated) = (links(&server), tables(&server));
    let open = phone(&server, &links[&seated[1].0[0]]);
    let path = format!("{API}/policies");
    assert_eq!(server.local("PUT", &path, r#"{"hidden_from":1}"#).status, 200);
    let keeper = server.token("scorekeeper");
    let result = r#"{"order":"result","slip":"1 2-0"}"#;
    assert_eq!(server.order(&keeper, "a", result).status, 201);
    let sign = format!("{API}/checkpoint");
    assert_eq!(server.local("POST", &sign, "").status, 200);
    let receipt = || {
        server.send(
            "GET",
            "/t/Friday/me/receipt",
            &[("Cookie", open.as_str()), ("Accept", "application/json")],
            "",
        )
    };
    assert_eq!(receipt().code(), "nothing-signed");
    assert_eq!(server.local("PUT", &path, r#"{"hidden_from":null}"#).status, 200);
    assert_eq!(receipt().status, 200);
}

/// The receipt that a player got on their page said "player 1 takes part": nothing in it opened their name.
#[test]
fn a_players_own_receipt_opens_their_name_and_nobody_elses_until_they_are_forgotten() {
    let desk = friday();
    let server = Server::of(&desk);
    let ann = phone(&server, &links(&server)[&1]);
    let sign = format!("{API}/checkpoint");
    assert_eq!(server.local("POST", &sign, "").status, 200);
    let receipt = || {
        let given = server.send("GET", "/t/Friday/me/receipt", &[("Cookie", ann.as_str())], "");
        assert_eq!(given.status, 200, "{given:?}");
        given.body
    };
    let own = receipt();
    desk.write("ann.receipt", own.as_bytes());
    let file = desk.path("ann.receipt").display().to_string();
    let said = rehearsed(&desk, &["check-receipt", &file]);
    assert!(said.contains("player 1 takes part: Ann"), "{said}");
    let names = own.split("\"names\":").nth(1).expect("a list");
    assert_eq!(names.matches("\"text\":").count(), 1, "{names}");
    rehearsed(&desk, &["forget", "Ann", "--yes"]);
    assert!(receipt().contains("\"names\":[]"), "{}", receipt());
}

#[test]
fn a_wish_to_drop_is_taken_back_or_turned_into_a_drop_by_the_desk_alone() {
    let desk = friday();
    let server = Server::of(&desk);
    let cookie = phone(&server, &links(&server)[&1]);
    let (keeper, before) = (server.token("scorekeeper"), head(&server));
    let alerts = || page(&server, &keeper, "/t/Friday/desk");
    let wish = act(&server, &cookie, "do=wish-drop&key=w1");
    assert_eq!(wish.status, 201, "{wish:?}");
    assert!(alerts().contains("Ann wishes to drop") && head(&server) == before);
    assert_eq!(act(&server, &cookie, "do=end-wish&key=w2").status, 201);
    assert!(!alerts().contains("wishes to drop"));
    assert_eq!(act(&server, &cookie, "do=wish-drop&key=w3").status, 201);
    let own = page(&server, &keeper, "/t/Friday/players?player=1");
    assert!(own.contains("wishes to drop.") && own.contains("value=\"end-wish\""), "{own}");
    assert_eq!(server.order(&keeper, "d", r##"{"order":"drop","player":"#1"}"##).status, 201);
    assert!(!alerts().contains("wishes to drop"));
    assert!(me(&server, &cookie, "").contains("You have dropped"));
    let called = act(&server, &cookie, "do=call&what=my+deck&key=c");
    assert_eq!(called.status, 201, "{called:?}");
    let floor = server.local("GET", &format!("{API}/floor"), "").json();
    assert_eq!(
        (&floor["calls"][0]["by"], &floor["calls"][0]["what"]),
        (&"player 1".into(), &"my deck".into())
    );
}

#[test]
fn a_player_sees_nothing_of_a_draft_and_reads_their_page_in_their_language_without_scripts() {
    let desk = friday();
    let server = Server::of(&desk);
    let cookie = phone(&server, &links(&server)[&1]);
    for words in [&["result", "1", "2-0"][..], &["result", "2", "2-0"], &["pair"]] {
        rehearsed(&desk, words);
    }
    let shown = me(&server, &cookie, "");
    assert!(shown.contains("Round 2 is being prepared") && shown.contains("Round 1"), "{shown}");
    assert_eq!(shown.matches("<tbody><tr>").count(), 1, "one round: {shown}");
    assert!(
        shown.contains("/me?player=1&#38;lang=de\""),
        "the other language is a link away: {shown}"
    );
    let german = me(&server, &cookie, "?lang=de");
    assert!(german.contains("Meine Runden") && german.contains("Runde 2 wird vorbereitet"));
    let origin = format!("http://{}", server.address);
    let headers = [("Origin", origin.as_str()), FORM, ("Cookie", cookie.as_str())];
    let back = "back=%2Ft%2FFriday%2Fme%3Fplayer%3D1%26lang%3Dde";
    let post = |fields: &str| {
        let done = server.send("POST", "/t/Friday/me", &headers, &format!("{fields}&{back}"));
        assert_eq!(done.status, 303, "{done:?}");
        done.header("location").expect("it leads back").to_string()
    };
    let to = post("do=claim&round=1&slip=2-0&key=f");
    let query = to.split_once('?').map_or("", |(_, query)| query);
    assert!(me(&server, &cookie, &format!("?{query}")).contains("Gesendet."), "{to}");
    let to = post("do=claim&round=2&slip=2-0&key=g");
    assert!(to.contains("refused=no-such-round"), "a draft is no round: {to}");
    // The cookie opens nothing else, and the public pages are the same with it.
    let desk_page = server.send("GET", "/t/Friday/desk", &[("Cookie", &cookie)], "");
    assert_eq!(desk_page.status, 403);
    let nobody = server.get("/t/Friday/me");
    assert_eq!(nobody.status, 403, "{nobody:?}");
}

/// The hint named the draft of round 1 as a round.
#[test]
fn a_report_of_a_round_that_is_not_out_yet_is_told_nothing_of_its_draft() {
    let desk = enrolling(4);
    let server = Server::of(&desk);
    let cookie = phone(&server, &links(&server)[&1]);
    let refused = || claim(&server, &cookie, "k", "2-0").json();
    let before = refused();
    assert_eq!(before["detail"], "round 1 is not out");
    assert_eq!(
        (&before["code"], &before["hint"]),
        (&"no-such-round".into(), &"look at your page and report again once it is".into())
    );
    let paired = server.local("POST", &format!("{API}/orders"), r#"{"order":"pair"}"#);
    assert_eq!(paired.status, 201, "{paired:?}");
    assert_eq!(refused(), before);
}

/// A report that is cut off at each byte of it and of its answer is recorded once or not at all, and sending
/// it again tells which.
#[test]
fn a_report_cut_off_at_each_byte_is_recorded_once() {
    const PLAYERS: usize = 480;
    let desk = enrolling(PLAYERS);
    let server = Server::of(&desk);
    let phones: Vec<String> = links(&server).values().map(|path| phone(&server, path)).collect();
    publish(&server);
    let before = head(&server);
    // Each phone sends fewer than are too many in a minute, all of them the same side of a table.
    let mut given = 0;
    let firsts: Vec<usize> =
        tables(&server).iter().map(|(seats, _)| seats[0] as usize - 1).collect();
    let mut next = || {
        given += 1;
        let slip = ["2-0", "2-1", "1-2"][given % 3];
        let fields = format!("do=claim&round=1&slip={slip}&key=cut-{given:04}");
        (firsts[given % firsts.len()], fields)
    };
    let mut cuts = [0, 0];
    let mut seqs = BTreeSet::new();
    let mut is_done_once = |request: &[u8]| {
        let (second, third) = (server.raw(request), server.raw(request));
        assert!(matches!(second.status, 200 | 201), "{second:?}");
        assert_eq!((third.status, &third.json()["repeated"]), (200, &true.into()), "{third:?}");
        assert_eq!(second.json()["first_seq"], third.json()["first_seq"]);
        assert!(seqs.insert(second.json()["first_seq"].as_u64()), "{second:?} is another one's");
    };
    let length = request(&server, &phones[0], &next().1).len();
    for at in 0..length {
        let (phone, fields) = next();
        let request = request(&server, &phones[phone], &fields);
        let mut socket = TcpStream::connect(server.address).expect("it listens");
        socket.write_all(&request[..at]).expect("sent");
        socket.shutdown(Shutdown::Both).expect("cut");
        is_done_once(&request);
        cuts[0] += 1;
    }
    let (phone, fields) = next();
    let request_of_whole = request(&server, &phones[phone], &fields);
    let mut socket = TcpStream::connect(server.address).expect("it listens");
    socket.write_all(&request_of_whole).expect("sent");
    let mut whole = Vec::new();
    socket.read_to_end(&mut whole).expect("read");
    is_done_once(&request_of_whole);
    for at in 0..whole.len().saturating_sub(40) {
        let (phone, fields) = next();
        let request = request(&server, &phones[phone], &fields);
        let mut socket = TcpStream::connect(server.address).expect("it listens");
        socket.write_all(&request).expect("sent");
        let mut part = vec![0; at];
        socket.read_exact(&mut part).expect("so many bytes");
        drop(socket);
        is_done_once(&request);
        cuts[1] += 1;
    }
    println!("cut off at {} bytes of reports and {} of answers", cuts[0], cuts[1]);
    assert_eq!(
        head(&server) - before,
        (cuts[0] + cuts[1] + 1) as u64,
        "each is an event of its own"
    );
    // The second word of a table, with the result: cut off, it is recorded once too.
    let all = tables(&server);
    let last = |player: u32| phones[player as usize - 1].clone();
    let mut recorded = 0;
    for (seats, result) in all.iter().take(20) {
        assert_eq!(*result, None);
        let [one, two] = [last(seats[0]), last(seats[1])];
        let own = act(&server, &one, &format!("do=claim&round=1&slip=2-0&key=own-{}", seats[0]));
        if own.status == 429 {
            continue;
        }
        let fields = format!("do=claim&round=1&slip=0-2&key=both-{}", seats[1]);
        let request = request(&server, &two, &fields);
        let mut socket = TcpStream::connect(server.address).expect("it listens");
        socket.write_all(&request).expect("sent");
        let mut part = vec![0; recorded * 9];
        socket.read_exact(&mut part).expect("so many bytes");
        drop(socket);
        let again = server.raw(&request);
        assert_eq!(again.json()["recorded"], true, "{again:?}");
        recorded += 1;
    }
    assert!(recorded > 5, "{recorded} results");
    let with =
        tables(&server).iter().filter(|(_, result)| result.as_deref() == Some("2-0")).count();
    assert_eq!(with, recorded);
}

#[test]
fn a_player_reads_why_something_was_refused_in_their_language() {
    let desk = friday();
    let server = Server::of(&desk);
    let links = links(&server);
    let cookie = phone(&server, &links[&1]);
    let origin = format!("http://{}", server.address);
    let send = |language: &str, cookie: &str, fields: &str| {
        let headers = [
            ("Origin", origin.as_str()),
            FORM,
            ("Cookie", cookie),
            ("Accept", "application/json"),
            ("Accept-Language", language),
        ];
        server.send("POST", "/t/Friday/me", &headers, fields)
    };
    for (fields, code, words) in [
        ("do=claim&round=1&slip=9-0&key=a", "bad-slip", "kann diese Partie nicht enden"),
        ("do=claim&round=7&slip=2-0&key=b", "no-such-round", "Diese Runde gibt es nicht"),
        ("do=check-in&key=c", "check-in-over", "bei der Turnierleitung"),
    ] {
        let refused = send("de", &cookie, fields);
        let detail = refused.json()["detail"].clone();
        assert_eq!(refused.code(), code, "{refused:?}");
        assert!(detail.as_str().is_some_and(|detail| detail.contains(words)), "{refused:?}");
        let english = send("en", &cookie, fields).json()["detail"].clone();
        assert!(english != detail, "{english}");
    }
    let other = phone(&server, &links[&2]);
    let elsewhere = send("de", &other, "do=claim&round=1&pairing=1&slip=2-0&key=d");
    let detail = elsewhere.json()["detail"].clone();
    assert_eq!(detail, "Du sitzt jetzt woanders. Sieh nach, wo, und melde noch einmal.");
    // Pages that are refused say it too, and nothing in English beside it.
    let taken = server.send("GET", &links[&1], &[("Accept-Language", "de")], "");
    assert!(taken.body.contains("gehört zu einem anderen Telefon"), "{taken:?}");
    assert!(!taken.body.contains("lang=\"en\">this"), "{taken:?}");
}

#[test]
fn once_it_is_over_a_players_page_has_their_final_place() {
    let desk = friday();
    let server = Server::of(&desk);
    let links = links(&server);
    let cookie = phone(&server, &links[&1]);
    for words in [&["result", "1", "2-0"][..], &["result", "2", "2-0"]] {
        rehearsed(&desk, words);
    }
    assert!(!me(&server, &cookie, "").contains("Your final place"));
    rehearsed(&desk, &["close"]);
    let page = me(&server, &cookie, "");
    assert!(page.contains("Your final place: ") && page.contains(" of 4"), "{page}");
}
