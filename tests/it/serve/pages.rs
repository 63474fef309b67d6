//! What pages say and offer, as a browser without scripts has it.

use super::client::{Answer, Server, friday, rehearsed};

const ORDERS: &str = "/api/v1/tournaments/Friday/orders";
const FLOOR: &str = "/t/Friday/floor?table=1";

pub fn page(server: &Server, token: &str, path: &str) -> String {
    let answer = server.send("GET", path, &[("Authorization", token)], "");
    assert_eq!(answer.status, 200, "{path}: {answer:?}");
    answer.body
}

/// The part of a page between two words.
#[track_caller]
fn part<'a>(page: &'a str, from: &str, to: &str) -> &'a str {
    let (_, after) = page.split_once(from).unwrap_or_else(|| panic!("{from} is missing: {page}"));
    after.split_once(to).unwrap_or_else(|| panic!("{to} is missing: {after}")).0
}

#[test]
fn where_two_players_report_different_results_the_desk_asks_for_a_decision() {
    let desk = friday();
    let server = Server::of(&desk);
    let token = server.token("scorekeeper");
    let alerts =
        || part(&page(&server, &token, "/t/Friday/desk"), "id=\"waits\"", "</section>").into();
    let hint = |table: u32| {
        let page = page(&server, &token, &format!("/t/Friday/entry?table={table}"));
        let hint = part(&page, "data-differ-hint", "</p>").to_string();
        (hint.split('>').next() != Some(" hidden"), hint)
    };
    let none: String = alerts();
    assert!(!none.contains("Decide") && !hint(1).0, "{none}");
    for name in ["Ann", "Bob", "Cid"] {
        let claim = format!(r#"{{"order":"claim","slip":"{name} 2-1"}}"#);
        let answer = server.local("POST", ORDERS, &claim);
        assert_eq!(answer.status, 201, "{answer:?}");
    }
    // Three have won: two of them sit at one table, and nobody contradicts the third.
    let told: String = alerts();
    assert_eq!(told.matches("the players report different results").count(), 1, "{told}");
    let way = part(&told, "href=\"/t/", "\"").split_once('/').expect("a path").1.to_string();
    let table = way.strip_prefix("entry?table=").and_then(|table| table.parse().ok());
    let table: u32 = table.unwrap_or_else(|| panic!("{way}"));
    let (shown, text) = hint(table);
    assert!(shown && text.contains(&format!("/missing#t{table}\"")), "{text}");
    assert!(!hint(3 - table).0);
    rehearsed(&desk, &["result", &table.to_string(), "2-1"]);
    let decided: String = alerts();
    assert!(!decided.contains("Decide") && !hint(table).0, "{decided}");
}

#[test]
fn a_scorekeeper_features_a_table_with_a_button() {
    let desk = friday();
    let server = Server::of(&desk);
    let (keeper, judge) = (server.token("scorekeeper"), server.token("judge"));
    assert!(!page(&server, &judge, FLOOR).contains("value=\"feature\""), "it is for the room");
    let post = |on: bool| -> Answer {
        // As the form on the page says it, with the button that is shown.
        let page = page(&server, &keeper, FLOOR);
        let form = part(&page, "name=\"do\" value=\"feature\">", "</form>").to_string();
        let field =
            |name: &str| part(&form, &format!("name=\"{name}\" value=\""), "\"").to_string();
        let button = format!("name=\"on\" value=\"{on}\"");
        assert!(!part(&form, &button, ">").contains("hidden"), "{form}");
        assert!(part(&form, &format!("name=\"on\" value=\"{}\"", !on), ">").contains("hidden"));
        let body = format!(
            "do=feature&table={}&round={}&key={}&back={}&on={on}",
            field("table"),
            field("round"),
            field("key"),
            field("back"),
        );
        let kind = ("Content-Type", "application/x-www-form-urlencoded");
        server.send("POST", "/t/Friday/floor", &[("Authorization", &keeper), kind], &body)
    };
    let api = "/api/v1/tournaments/Friday/floor";
    let featured = || server.local("GET", api, "").json()["featured"].clone();
    for (on, tables) in [(true, serde_json::json!([1])), (false, serde_json::json!([]))] {
        let answer = post(on);
        assert_eq!(answer.status, 303, "{answer:?}");
        assert!(answer.header("location").is_some_and(|to| to.contains("floor=")), "{answer:?}");
        assert_eq!(featured(), tables);
        // Without a clock too: everybody sees it over the stream.
        assert_eq!(server.get(api).json()["featured"], tables);
    }
}

#[test]
fn who_comes_in_or_is_refused_reads_it_in_their_language() {
    let desk = friday();
    let server = Server::of(&desk);
    let german = |path: &str| server.send("GET", path, &[("Accept-Language", "de")], "");
    let join = german(&server.owner);
    let sign_in = german("/sign-in");
    for (page, words) in
        [(&join, "Dieser Browser kommt herein als: Turnierleitung"), (&sign_in, "Passwort")]
    {
        assert_eq!(page.status, 200, "{page:?}");
        assert!(page.body.contains("<html lang=\"de\">") && page.body.contains(words), "{page:?}");
    }
    for (path, status, words) in [
        ("/t/Friday/desk", 403, "Das ist anderen vorbehalten"),
        ("/t/Saturday/standings", 404, "Hier ist nichts"),
        ("/join/AAAA-AAAA", 404, "Hier ist nichts"),
    ] {
        let refused = german(path);
        assert_eq!(refused.status, status, "{path}: {refused:?}");
        assert!(refused.body.contains(words), "{path}: {refused:?}");
        // All that a reader meets is said in their language, and how a projector gets its link.
        let is_english = refused.body.contains(" lang=\"en\">");
        let is_own = refused.body.contains("Hier ist niemand angemeldet")
            && refused.body.contains("Projektor");
        assert_eq!((is_own, is_english), (status == 403, false), "{path}: {refused:?}");
    }
    let own = format!("http://{}", server.address);
    let form = ("Content-Type", "application/x-www-form-urlencoded");
    let headers = [("Accept-Language", "de"), ("Origin", own.as_str()), form];
    let wrong = server.send("POST", "/sign-in", &headers, "name=Eva&password=guessed");
    assert_eq!(wrong.status, 401, "{wrong:?}");
    assert!(wrong.body.contains("Name oder Passwort stimmt nicht."), "{wrong:?}");
    let english = server.get("/t/Saturday/standings");
    assert!(english.body.contains("Nothing is here") && english.body.contains("lang=\"en\""));
}

/// What was refused stood in the address bar with every name that was typed, and so in the browser's history and
/// in the lines of a proxy.
#[test]
fn a_list_of_players_that_is_refused_stands_in_its_field_again_and_no_name_of_it_in_the_address() {
    let desk = friday();
    rehearsed(&desk, &["new", "Monday", "--rules", "mtr"]);
    let server = Server::of(&desk);
    let own = format!("http://{}", server.address);
    let (key, form) = (format!("Bearer {}", server.key), "application/x-www-form-urlencoded");
    let headers = [("Origin", own.as_str()), ("Authorization", &key), ("Content-Type", form)];
    let body = "order=enroll&key=k&people=Zoe+One%0AZoe+One&back=/t/Monday/players";
    let refused = server.send("POST", "/t/Monday/orders", &headers, body);
    let to = refused.header("location").expect("it leads back").to_string();
    assert!(to.contains("?refused=") && to.contains("&aside=") && !to.contains("Zoe"), "{to}");
    let shown = page(&server, &key, &to);
    assert!(shown.contains("Zoe One\nZoe One</textarea>"), "{shown}");
    assert!(part(&shown, "data-said", "</div>").contains("Zoe One"), "it says why: {shown}");
    // Somebody else has no part in it, and an address by itself says nothing on a page.
    let judge = server.token("judge");
    for (who, path) in [(&judge, &to[..]), (&key, "/t/Monday/players?refused=x&why=Zoe+called")] {
        let other = page(&server, who, path);
        assert!(!other.contains("Zoe") && other.contains("send it again"), "{other}");
    }
}

/// Whoever looked for a player left their name in the address.
#[test]
fn whoever_is_looked_for_on_a_page_of_the_staff_stands_in_no_address() {
    let desk = friday();
    let server = Server::of(&desk);
    let own = format!("http://{}", server.address);
    let (key, form) = (format!("Bearer {}", server.key), "application/x-www-form-urlencoded");
    let headers = [("Origin", own.as_str()), ("Authorization", &key), ("Content-Type", form)];
    let find = |body: &str| {
        let answer = server.send("POST", "/t/Friday/find", &headers, body);
        answer.header("location").map(str::to_string).ok_or(answer)
    };
    let to = find("back=/t/Friday/log&search=&player=&table=&kind=&round=1&person=&search=Ann");
    let to = to.expect("it leads there");
    assert!(to.starts_with("/t/Friday/log?round=1&aside=") && !to.contains("Ann"), "{to}");
    let log = page(&server, &key, &to);
    assert!(log.contains("value=\"Ann\"") && !log.contains("takes part"), "{log}");
    for (back, fields) in
        [("standings", "search=Ann"), ("what-if", "drop=Ann&round=1"), ("replay", "player=Ann")]
    {
        let to = find(&format!("back=/t/Friday/{back}&{fields}")).expect("it leads there");
        assert!(!to.contains("Ann"), "{to}");
        assert!(page(&server, &key, &to).contains("value=\"Ann\""), "{to}");
    }
    for wrong in ["", "search=Ann", "back=//evil.example&search=Ann", "back=/t/Friday/log&why=x"] {
        assert_eq!(find(wrong).expect_err("it is refused").status, 400, "{wrong}");
    }
    let known = server.send("POST", "/t/Friday/known", &headers, "name=Ann");
    assert!(known.status == 200 && known.json()["people"].is_array(), "{known:?}");
}

/// A table of the club was pasted with two who are here already, and the whole of it was refused.
#[test]
fn a_table_that_is_pasted_enrolls_who_is_new_and_names_who_was_here() {
    let desk = friday();
    let server = Server::of(&desk);
    let own = format!("http://{}", server.address);
    let (key, form) = (format!("Bearer {}", server.key), "application/x-www-form-urlencoded");
    let headers = [("Origin", own.as_str()), ("Authorization", &key), ("Content-Type", form)];
    let post = |key: &str, csv: &str| {
        let body = format!("order=enroll&key={key}&csv={csv}&back=/t/Friday/players");
        let answer = server.send("POST", "/t/Friday/orders", &headers, &body);
        answer.header("location").expect("it leads back").to_string()
    };
    // As it is copied out of a spreadsheet: with tabs, and a head in German.
    let to = post(
        "k",
        "Spieler%09Wertungszahl%09Klasse%0AAnn%091500%09%0AZoe+One%091400%09junior%0Abob%09%09",
    );
    assert!(to.contains("done=") && !to.contains("Ann"), "{to}");
    let said = page(&server, &key, &to);
    let said = part(&said, "data-said", "</div>");
    assert!(said.contains("Ann, Bob were enrolled already and stay as they are"), "{said}");
    let players = server.local("GET", "/api/v1/tournaments/Friday/players", "").json();
    let zoe =
        players["players"].as_array().expect("a list").iter().find(|one| one["name"] == "Zoe One");
    assert_eq!(zoe.map(|one| &one["rating"]), Some(&serde_json::json!(1400)), "{players}");
    // Nobody of it is new: that is refused, as before.
    assert!(post("again", "name%0AAnn%0ABob").contains("refused=name-taken"));
    // A division with a slip of the hand is asked about, and the form says that it is meant.
    let to = post("near", "name%2Cdivision%0AYin%2Cjunoir");
    assert!(to.contains("refused=division-alike"), "{to}");
    assert!(post("meant", "name%2Cdivision%0AYin%2Cjunoir&new_division=true").contains("done="));
}

#[test]
fn a_round_that_was_paired_is_told_by_its_tables() {
    let desk = friday();
    for words in [&["result", "1", "2-0"][..], &["result", "2", "2-1"]] {
        rehearsed(&desk, words);
    }
    let server = Server::of(&desk);
    let paired = server.local("POST", "/api/v1/tournaments/Friday/orders", r#"{"order":"pair"}"#);
    let first = paired.json()["first_seq"].clone();
    let key = format!("Bearer {}", server.key);
    let said = page(&server, &key, &format!("/t/Friday/desk?done={first}"));
    assert!(said.contains("round 2 is paired: 2 tables"), "{said}");
}
