//! What holds of every page, whoever reads it and by whatever means.

use super::kit::{Hall, hall};
use super::*;
use scrutineer_desk::orders;
use std::collections::BTreeSet;

/// Every page of a tournament in its second round, with a correction and a dispute.
fn pages() -> Vec<(String, String)> {
    let hall = hall();
    hall.correct("2 1-2");
    hall.dispute(2);
    hall.play_on();
    hall.late("Kim Late");
    let mut pages = of(&hall);
    let state = hall.store.load(hall.stream, false).expect("loaded").state;
    assert!(state.last_round().is_some_and(|round| round.number == 2));
    let wanted = print::Wanted { dispute: Some(1), ..print::Wanted::default() };
    pages.extend(print::ALL.iter().map(|(what, _)| {
        let html = print::page(&hall.looked(), what, wanted.clone()).expect(what);
        (format!("print/{what}"), html)
    }));
    pages
}

/// The orders that forms give in words of their own, without what was seen.
fn without_seen() -> [(&'static str, orders::Order); 7] {
    use scrutineer_desk::orders::{Dispute, Drop, Enroll, Enter, Late, Penalty, Undo};
    let all: [orders::Order; 7] = [
        Dispute::default().into(),
        Drop::default().into(),
        Enroll::default().into(),
        Enter::default().into(),
        Late::default().into(),
        Penalty::default().into(),
        Undo::default().into(),
    ];
    all.map(|order| (order.verb(), order))
}

#[test]
fn a_form_whose_order_is_decided_on_what_was_seen_says_what_was_seen() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("templates");
    let (plain, mut forms) = (without_seen(), 0);
    for entry in std::fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("a file").path();
        let text = std::fs::read_to_string(&path).expect("a template");
        let name = path.display();
        for form in text.split("<form").skip(1) {
            let form = form.split("</form>").next().unwrap_or_default();
            // What is asked about carries all that was posted, and what is seen on its page.
            let is_carried = form.contains("in fields %}");
            let begins = form.contains("begin(frame, ") || form.contains("forms::on(frame, ");
            if !form.contains("/orders\"") || begins || is_carried {
                continue;
            }
            let (_, value) = form.split_once("name=\"order\" value=\"").expect("an order");
            let value = value.split('"').next().unwrap_or_default();
            let words = value.split(['{', '}']).filter(|part| !part.starts_with('%'));
            for verb in words.filter(|word| !word.is_empty()) {
                let order = plain.iter().find(|(known, _)| *known == verb);
                let order = &order.unwrap_or_else(|| panic!("{name}: {verb} is not known here")).1;
                let says = form.contains("name=\"seen\"");
                assert!(says || !orders::is_decided_on_sight(order), "{name}: {verb}");
            }
            forms += 1;
        }
    }
    assert!(forms > 5, "{forms} forms were read");
    // Those that begin as all others do have it, on the pages that are made from them.
    for (page, html) in pages() {
        for form in html.split("<form").skip(1) {
            let form = form.split("</form>").next().unwrap_or_default();
            let Some((_, value)) = form.split_once("name=\"order\" value=\"") else { continue };
            let verb = value.split('"').next().unwrap_or_default();
            let seen =
                form.split_once("name=\"seen\" value=\"").map(|(_, seen)| seen.as_bytes()[0]);
            let is_plain = plain.iter().any(|(known, _)| *known == verb);
            assert!(is_plain || seen.is_some_and(|first| first.is_ascii_digit()), "{page}: {verb}");
        }
    }
}

/// The links of players, one of which is bound.
fn links() -> crate::house::PlayerLinks {
    use crate::house::{House, Once};
    let (house, stream) = (House::open(None).expect("opened"), StreamId([7; 16]));
    let once = Once { id: "a".into(), body: [0; 32] };
    let made = house.make_player_links(stream, &[1, 2], "Olga", &once).expect("made");
    house.bind_player(stream, &made[0].1, None, 1).expect("bound");
    house.player_links(stream)
}

/// The page of player 1.
fn holder(stream: StreamId) -> crate::holder::Holder {
    crate::holder::Holder { stream, player: 1, all: vec![1, 2] }
}

/// A report that was refused at the desk of its venue.
fn sent() -> crate::house::Waiting {
    let field = |name: &str, text: &str| (name.to_string(), text.to_string());
    crate::house::Waiting {
        fields: vec![field("do", "claim"), field("round", "1"), field("slip", "2-0")],
        is: crate::house::Whereabouts::Refused,
        why: "table 1 has a result".into(),
        ..Default::default()
    }
}

/// A house with one of everything.
fn staffed() -> crate::house::House {
    use crate::house::{Grant, House, Kind};
    let house = House::open(None).expect("opened");
    for kind in Kind::ALL {
        house.make(kind, Grant::default(), "Olga", None).expect("made");
    }
    let password = Some("the hall closes at six");
    house.put_account("Pia", password, crate::gate::Role::Helper, None, "Olga").expect("made");
    house
}

fn of(hall: &Hall) -> Vec<(String, String)> {
    let mut at = hall.looked();
    at.said.done = Some(3);
    let view = standings::View::default();
    let trial = what_if::Trial { slip: Some("1 0-2".into()), ..what_if::Trial::default() };
    let made = [
        ("desk", desk::page(&at)),
        ("entry", entry::page(&at, entry::View::default())),
        ("floor", floor::page(&at, &floor::View::default())),
        ("floor?table", floor::page(&at, &floor::View { table: Some(1), ..Default::default() })),
        ("missing", missing::page(&at)),
        ("round", round::page(&at, None)),
        ("round/1", round::page(&at, Some(1))),
        (
            "players",
            players::page(
                &at,
                &players::View { player: Some(1), ..players::View::default() },
                &links(),
            ),
        ),
        ("print/badges", print::badges::page(&at, &links(), true)),
        ("print/strips", print::badges::strips(&at, &[(1, "AAAABBBBCCCCDDDD".into())])),
        ("me", player::page(&at, &holder(hall.stream), &player::Said::default(), &[sent()], None)),
        ("me/link", player::link_page(&at, "AAAABBBBCCCCDDDD", 1, &[2])),
        ("standings", standings::page(&at, &view, "", 0)),
        ("why", why::page(&at, "#1", None, &view)),
        ("log", log::page(&at, &log::View::default())),
        ("disputes", disputes::list(&at)),
        ("dispute", disputes::file(&at, 1)),
        ("what-if", what_if::page(&at, &trial)),
        ("replay", replay::page(&at, &replay::View::default())),
        (
            "replay by events",
            replay::page(&at, &replay::View { event: Some(14), ..replay::View::default() }),
        ),
        ("cross", cross::page(&at)),
        ("places", places::page(&at)),
        ("places/1", places::page_of(&at, "#1")),
        ("moved", moved::page(&at, None)),
        ("bracket", bracket::page(&at)),
        ("compare", compare::page(&at, Some("mtr+settings.percentage_floor=1/2"))),
        ("rules", rules::page(&at)),
        ("policies", policies::page(&at)),
        ("screen", screen::page(&at, &screen::Show::default())),
        ("overlay", overlay::page(&at, None)),
        (
            "tournaments",
            tournaments::page(
                &hall.store,
                &Default::default(),
                &Default::default(),
                &crate::who::Who::in_role(at.role),
                None,
            ),
        ),
        ("staff", staff::page(&hall.store, &staffed())),
        ("sign-in", staff::sign_in_page("/", Some("Olga, owner".into()), None, Language::English)),
        (
            "join",
            staff::join_page((Role::HeadJudge, None), Role::Scorekeeper, "/", Language::English),
        ),
        ("refused", problem::refused(&crate::problem::too_busy(), Language::English, None)),
        ("new", tournaments::new_page(&hall.store, "k", None, &at.said, None)),
    ];
    made.into_iter().map(|(name, html)| (name.to_string(), html.expect(name))).collect()
}

/// The tags of an element, each as it stands in the page.
fn tags<'a>(html: &'a str, element: &'a str) -> impl Iterator<Item = &'a str> {
    let begins = format!("<{element}");
    let at: Vec<usize> = html.match_indices(&begins).map(|(at, _)| at).collect();
    at.into_iter().filter_map(move |at| {
        let tag = html[at..].split_inclusive('>').next()?;
        let ends = tag[begins.len()..].chars().next()?;
        (ends == ' ' || ends == '>').then_some(tag)
    })
}

fn attribute<'a>(tag: &'a str, name: &str) -> Option<&'a str> {
    tag.split_once(&format!(" {name}=\"")).and_then(|(_, rest)| rest.split('"').next())
}

#[test]
fn every_field_has_a_label_and_every_table_a_caption_and_heads_with_a_scope() {
    for (page, html) in pages() {
        let labels: BTreeSet<&str> =
            tags(&html, "label").filter_map(|t| attribute(t, "for")).collect();
        for tag in ["input", "select", "textarea"].into_iter().flat_map(|of| tags(&html, of)) {
            let kind = attribute(tag, "type").unwrap_or("text");
            // A box to tick stands within its label.
            if matches!(kind, "hidden" | "radio" | "checkbox") {
                continue;
            }
            let is_labelled = attribute(tag, "id").is_some_and(|id| labels.contains(id));
            assert!(is_labelled, "{page}: no label for {tag}");
        }
        let tables = tags(&html, "table").count();
        assert_eq!(tables, tags(&html, "caption").count(), "{page}: a table without a caption");
        for head in tags(&html, "th") {
            assert!(attribute(head, "scope").is_some(), "{page}: no scope in {head}");
        }
        assert!(html.contains("<html lang=\""), "{page}");
        assert_eq!(tags(&html, "h1").count().min(1), 1, "{page}: no heading");
        assert_eq!(tags(&html, "main").count(), 1, "{page}");
    }
}

#[test]
fn no_id_stands_twice_on_a_page_and_nothing_is_styled_or_scripted_within_it() {
    for (page, html) in pages() {
        let mut ids = BTreeSet::new();
        let begins: Vec<usize> = html.match_indices(" id=\"").map(|(at, _)| at).collect();
        for id in begins.iter().filter_map(|at| attribute(&html[*at..], "id")) {
            assert!(ids.insert(id), "{page}: {id} stands twice");
        }
        for word in [" style=", "<style", " onclick=", " onload=", "javascript:"] {
            assert!(!html.contains(word), "{page}: {word}");
        }
        for script in tags(&html, "script") {
            assert!(attribute(script, "src").is_some_and(|src| src.starts_with("/s/")), "{page}");
        }
    }
}

#[test]
fn every_form_that_records_says_which_order_and_comes_back_here_under_a_key_of_its_own() {
    for (page, html) in pages() {
        let mut keys = BTreeSet::new();
        for form in html.split("<form method=\"post\"").skip(1) {
            let form = form.split("</form>").next().unwrap_or_default();
            // What is chosen to be public is kept in the house, and is no order; nor is a name that is looked for.
            if ["/policies\"", "/wishes\"", "/find\""].iter().any(|path| form.contains(path)) {
                continue;
            }
            // Of the store: no tournament's orders.
            if ["new", "staff", "sign-in", "join"].contains(&page.as_str()) {
                continue;
            }
            let hidden = |name: &str| {
                let tag = tags(form, "input").find(|tag| attribute(tag, "name") == Some(name));
                tag.and_then(|tag| attribute(tag, "value")).map(str::to_string)
            };
            // What is done on the floor is no order.
            let order = hidden("order")
                .or_else(|| hidden("do"))
                .unwrap_or_else(|| panic!("{page}: no order: {form}"));
            assert!(hidden("back").is_some_and(|back| back.starts_with("/t/")), "{page}: {order}");
            let key = hidden("key").expect("a key");
            // Each undo of the log is of another event; the key tells them apart.
            assert!(keys.insert(key.clone()), "{page}: {key} stands twice");
        }
    }
}
