//! What concerns a player stands on their own page, in their own name, and an open page is told of it.

use super::client::{Server, friday};
use super::players::{links, me, phone, tables};
use super::undo::named;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::Duration;

const FLOOR: &str = "/api/v1/tournaments/Friday/floor";

/// An open page of a player.
struct Open {
    socket: TcpStream,
    all: String,
}

impl Open {
    fn of(server: &Server, cookie: &str) -> Open {
        let mut socket = TcpStream::connect(server.address).expect("it listens");
        socket.set_read_timeout(Some(Duration::from_secs(20))).expect("set");
        let to = server.address;
        let ask =
            format!("GET /t/Friday/me/live HTTP/1.1\r\nHost: {to}\r\nCookie: {cookie}\r\n\r\n");
        socket.write_all(ask.as_bytes()).expect("sent");
        let mut open = Open { socket, all: String::new() };
        open.until("event: floor");
        open
    }

    /// Reads on until something is told.
    fn until(&mut self, words: &str) {
        let mut part = [0; 4096];
        while !self.all.contains(words) {
            let read = self.socket.read(&mut part).expect("told in time");
            assert_ne!(read, 0, "{}", self.all);
            self.all.push_str(&String::from_utf8_lossy(&part[..read]));
        }
    }
}

#[test]
fn a_penalty_stands_on_the_page_of_whom_it_is_given_without_its_reason_and_on_no_other() {
    let desk = friday();
    let server = Server::of(&desk);
    let links = links(&server);
    let table = tables(&server)[0].0.clone();
    let [one, two] = [0, 1].map(|seat: usize| phone(&server, &links[&table[seat]]));
    let mut open = Open::of(&server, &one);
    let judge = named(&server, "judge", "Olga");
    let given = format!(
        r##"{{"order":"penalty","player":"#{}","takes":"game-loss","reason":"Wendeltreppe"}}"##,
        table[0]
    );
    let done = server.order(&judge, "p", &given);
    assert_eq!(done.status, 201, "{done:?}");
    open.until("event: own-penalty");
    let shown = me(&server, &one, "");
    assert!(shown.contains("Round 1, given: game loss; it counts in your next match"), "{shown}");
    assert!(!shown.contains("Wendeltreppe"), "the reason is the judges'");
    let german = me(&server, &one, "?lang=de");
    assert!(
        german.contains("Runde 1, verhängt: Spielverlust; das zählt in deiner nächsten Partie"),
        "{german}"
    );
    assert!(!me(&server, &two, "").contains("Penalties"), "it is nobody else's");
    // Taken back, it is gone.
    let keeper = named(&server, "scorekeeper", "Rita");
    let seq = done.json()["first_seq"].clone();
    let undone = server.order(&keeper, "u", &format!(r#"{{"order":"undo","seq":{seq}}}"#));
    assert_eq!(undone.status, 201, "{undone:?}");
    open.all.clear();
    open.until("event: own-penalty");
    assert!(!me(&server, &one, "").contains("Penalties"));
}

#[test]
fn minutes_given_at_a_table_and_a_call_that_is_taken_are_told_to_the_open_pages_of_its_players() {
    let desk = friday();
    let server = Server::of(&desk);
    let links = links(&server);
    let all = tables(&server);
    let one = phone(&server, &links[&all[0].0[0]]);
    let other = phone(&server, &links[&all[1].0[0]]);
    let (mut open, mut elsewhere) = (Open::of(&server, &one), Open::of(&server, &other));
    let give = |key: &str, table: u32| {
        let more = format!(r#"{{"do":"extend","table":{table},"minutes":5}}"#);
        let done = server.local_under(key, "PATCH", FLOOR, &more);
        assert_eq!(done.status, 201, "{done:?}");
    };
    give("m1", 1);
    open.until("event: own-floor");
    assert!(me(&server, &one, "").contains("5 minutes more"), "{}", me(&server, &one, ""));
    assert!(!me(&server, &other, "").contains("class=\"tag\""));
    let call = r#"{"table":1}"#;
    assert_eq!(server.local_under("c", "POST", &format!("{FLOOR}/calls"), call).status, 201);
    open.all.clear();
    assert_eq!(server.local_under("t", "PATCH", FLOOR, r#"{"do":"take","call":1}"#).status, 201);
    open.until("event: own-floor");
    assert!(me(&server, &one, "").contains("on the way to your table"));
    // Who sits elsewhere hears of their own table alone.
    assert!(!elsewhere.all.contains("own-floor"));
    give("m2", 2);
    elsewhere.until("event: own-floor");
    assert_eq!(elsewhere.all.matches("event: own-floor").count(), 1, "{}", elsewhere.all);
}

#[test]
fn a_player_reads_their_own_name_in_full_and_others_as_everybody_does() {
    let desk = friday();
    let server = Server::of(&desk);
    let policy = r#"{"names":"initials","wishes":{"1":"number"}}"#;
    let path = "/api/v1/tournaments/Friday/policies";
    assert_eq!(server.local("PUT", path, policy).status, 200);
    let ann = phone(&server, &links(&server)[&1]);
    let shown = me(&server, &ann, "");
    assert!(shown.contains("<bdi>Ann</bdi>"), "{shown}");
    for other in ["Bob", "Cid", "Dee"] {
        assert!(!shown.contains(other), "{other}: {shown}");
    }
    let everybody = server.get("/t/Friday/standings").body;
    assert!(everybody.contains("player 1") && !everybody.contains("Ann"), "{everybody}");
}

#[test]
fn from_every_page_of_everybody_a_player_finds_back_to_their_own() {
    let desk = friday();
    let server = Server::of(&desk);
    let ann = phone(&server, &links(&server)[&1]);
    let own = me(&server, &ann, "?player=1");
    let tab = |page: &str| page.contains("/me\" hidden>My page</a>");
    assert!(own.contains("aria-current=\"page\">My page</a>") && !tab(&own), "{own}");
    for path in ["standings", "standings/1", "round", "log"] {
        // Shown by a script to those who have a page; without scripts it stands there.
        let page = server.get(&format!("/t/Friday/{path}")).body;
        assert!(tab(&page) && page.contains("<noscript><a href="), "{path}: {page}");
    }
    let keeper = named(&server, "scorekeeper", "Rita");
    assert!(!super::pages::page(&server, &keeper, "/t/Friday/standings").contains("My page"));
}
