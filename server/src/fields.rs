//! Orders as forms post them: fields of text become an order.

use scrutineer_desk::desk::read_roster;
use scrutineer_desk::orders::{Describe, Enroll, Late, New, Order, Person};
use scrutineer_desk::verb_error::VerbError;
use scrutineer_engine::error::Code;
use serde_json::{Map, Value};

/// Fields that hold a number; `table` does in orders that name it by number alone.
const NUMBERS: [&str; 10] =
    ["actor", "seq", "about", "round", "dispute", "top", "points", "best_of", "through", "table"];
/// Fields that may come several times.
const LISTS: [&str; 7] = ["out", "tables", "ranges", "players", "decline", "merge", "rounds"];
/// Fields that say yes or no.
const FLAGS: [&str; 10] = [
    "now",
    "same_name",
    "new_division",
    "losses",
    "byes",
    "half_byes",
    "again",
    "further",
    "no_show",
    "unfinished",
];
/// Fields of the form that are no part of the order.
const AROUND: [&str; 5] = ["key", "back", "seen", "signer", "sure"];

/// The order that a form's fields ask for.
///
/// # Errors
/// Where they are those of no order.
pub fn order(fields: &[(String, String)]) -> Result<Order, VerbError> {
    let verb = text(fields, "order").unwrap_or_default();
    let is_yes = |name: &str| text(fields, name).is_some_and(|value| yes(&value));
    let is_missed = |name: &str| text(fields, "missed").as_deref() == Some(name);
    match &verb[..] {
        "enroll" => Ok(Enroll {
            people: people(fields)?,
            now: is_yes("now"),
            // Two of a list of regulars are two people, also where they have one name.
            same_name: is_yes("same_name") || has_namesakes(&ticked(fields)),
            leave_known: ["people", "csv", "regular"]
                .iter()
                .any(|list| text(fields, list).is_some()),
            new_division: is_yes("new_division"),
        }
        .into()),
        "late" => Ok(Late {
            person: person(fields)?.unwrap_or_default(),
            losses: is_yes("losses") || is_missed("losses"),
            byes: is_yes("byes") || is_missed("byes"),
            half_byes: is_yes("half_byes") || is_missed("half_byes"),
            now: is_yes("now"),
            same_name: is_yes("same_name"),
            new_division: is_yes("new_division"),
        }
        .into()),
        // An empty field says that there is none, and one that is not there leaves what there is.
        "describe" => {
            let word = |name: &str| {
                let found = fields.iter().find(|(field, _)| field == name)?;
                Some(found.1.trim().to_string())
            };
            let player = text(fields, "player").unwrap_or_default();
            let [title, federation, rating, id] = ["title", "federation", "rating", "id"].map(word);
            Ok(Describe { player, title, federation, rating, id }.into())
        }
        _ => serde_json::from_value(object(fields, &verb)).map_err(|error| bad(&error)),
    }
}

/// What a form opens a tournament with.
///
/// # Errors
/// Where a number is none.
pub fn new(fields: &[(String, String)]) -> Result<New, VerbError> {
    let games = text(fields, "best_of").map(|games| games.parse::<u8>());
    let phases = fields.iter().filter(|(field, _)| field == "phases");
    let phases = phases.map(|(_, value)| value.trim().to_string());
    Ok(New {
        title: text(fields, "title").unwrap_or_default(),
        rules: text(fields, "rules").unwrap_or_default(),
        files: Vec::new(),
        best_of: games.transpose().map_err(|_| bad(&"how many games is a whole number"))?,
        phases: phases.filter(|phase| !phase.is_empty()).collect(),
        held_on: text(fields, "held_on"),
        slip: text(fields, "slip"),
    })
}

fn bad(error: &dyn std::fmt::Display) -> VerbError {
    let message = format!("the form asks for nothing that the desk knows: {error}");
    VerbError::new(Code::invalid("bad-order"), message, "load the page again, then try again")
}

/// A field that is not empty.
fn text(fields: &[(String, String)], name: &str) -> Option<String> {
    let found = fields.iter().find(|(field, _)| field == name)?;
    Some(found.1.trim().to_string()).filter(|value| !value.is_empty())
}

fn yes(value: &str) -> bool {
    matches!(value, "on" | "true" | "1" | "yes")
}

/// Somebody who is named alone, with what is said of them.
fn person(fields: &[(String, String)]) -> Result<Option<Person>, VerbError> {
    let [id, division, title, federation] =
        ["id", "division", "title", "federation"].map(|name| text(fields, name));
    let Some(name) = text(fields, "name") else { return Ok(None) };
    let rating = text(fields, "rating").map(|typed| {
        typed.parse().map_err(|_| {
            let message = format!("the rating {typed:?} is no whole number");
            VerbError::new(
                Code::invalid("bad-order"),
                message,
                "type it in digits, or leave it empty",
            )
        })
    });
    let rating = rating.transpose()?;
    Ok(Some(Person { name, id, rating, division, title, federation, ..Person::default() }))
}

/// The regulars who are ticked: where each stands among the names and ids of the list.
fn ticked(fields: &[(String, String)]) -> Vec<Person> {
    let all = |field: &str| -> Vec<&str> {
        let named = fields.iter().filter(|(name, _)| name == field);
        named.map(|(_, value)| value.trim()).collect()
    };
    let (names, ids) = (all("regular"), all("regular_id"));
    let places: Vec<usize> = match text(fields, "all") {
        Some(_) => (0..names.len()).collect(),
        None => all("tick").into_iter().filter_map(|place| place.parse().ok()).collect(),
    };
    let (ratings, divisions) = (all("regular_rating"), all("regular_division"));
    let (titles, federations) = (all("regular_title"), all("regular_federation"));
    let told = |of: &[&str], place: usize| {
        of.get(place).filter(|told| !told.is_empty()).map(ToString::to_string)
    };
    let found = places.into_iter().filter_map(|place| {
        Some(Person {
            name: names.get(place)?.to_string(),
            id: told(&ids, place),
            rating: told(&ratings, place).and_then(|rating| rating.parse().ok()),
            division: told(&divisions, place),
            title: told(&titles, place),
            federation: told(&federations, place),
            ..Person::default()
        })
    });
    found.collect()
}

fn has_namesakes(people: &[Person]) -> bool {
    let namesakes = |one: &Person| people.iter().filter(|other| other.name == one.name).count() > 1;
    people.iter().any(namesakes)
}

/// Everybody who is named: alone, one in each line of `people`, ticked, and on a list that was pasted.
fn people(fields: &[(String, String)]) -> Result<Vec<Person>, VerbError> {
    let named = fields.iter().filter(|(field, _)| field == "people");
    let lines = named.flat_map(|(_, names)| names.lines().map(str::trim));
    let lines = lines.filter(|line| !line.is_empty());
    let mut people: Vec<Person> =
        lines.map(|name| Person { name: name.to_string(), ..Person::default() }).collect();
    people.extend(person(fields)?);
    people.extend(ticked(fields));
    if let Some(csv) = text(fields, "csv") {
        let with_head = match has_head(&csv) {
            true => csv,
            // One name a line: a name may hold a comma, as on many lists.
            false => {
                let name = |line: &str| format!("\"{}\"", line.trim().replace('"', "\"\""));
                let lines = csv.lines().filter(|line| !line.trim().is_empty()).map(name);
                std::iter::once("name".to_string()).chain(lines).collect::<Vec<_>>().join("\n")
            }
        };
        let read = read_roster(with_head.as_bytes());
        let read =
            read.map_err(|error| VerbError::from(scrutineer_desk::desk::DeskError::from(error)))?;
        people.extend(read.into_iter().map(Person::from));
    }
    Ok(people)
}

/// Whether the first line of a list says what its columns are, or there are columns, out of a spreadsheet.
fn has_head(csv: &str) -> bool {
    let first = csv.lines().next().unwrap_or_default().to_lowercase();
    if first.contains('\t') || scrutineer_formats::names_columns(&first) {
        return true;
    }
    let mut cells = first.split([',', ';', '\t']).map(|cell| cell.trim().trim_matches('"'));
    cells.any(|cell| matches!(cell, "name" | "player"))
}

fn object(fields: &[(String, String)], verb: &str) -> Value {
    let mut object = Map::new();
    for (name, value) in fields.iter().filter(|(name, _)| !AROUND.contains(&&name[..])) {
        let (name, value) = (&name[..], value.trim());
        // What was paired as one before stands in the form, also where all are paired together now.
        let is_idle = name == "merge" && text(fields, "divisions").as_deref() == Some("together");
        if value.is_empty() || is_idle {
            continue;
        }
        let number = || value.parse::<i64>().map_or(Value::from(value), Value::from);
        if LISTS.contains(&name) {
            let list = object.entry(name).or_insert_with(|| Value::Array(Vec::new()));
            if let Some(list) = list.as_array_mut() {
                // Tables stand behind each other in one field; a name may hold a comma.
                let tables = || value.split([',', ' ']).filter(|part| !part.is_empty());
                let read = |part: &str| part.parse::<u32>().map_or(part.into(), Value::from);
                match name {
                    "tables" => list.extend(tables().map(read)),
                    "ranges" => list.extend(tables().map(Value::from)),
                    _ => list.push(value.into()),
                }
            }
            continue;
        }
        let value = match name {
            "table" if verb == "dispute" => Value::from(value),
            "upheld" => Value::from(yes(value)),
            name if FLAGS.contains(&name) => Value::from(yes(value)),
            name if NUMBERS.contains(&name) => number(),
            _ => Value::from(value),
        };
        object.insert(name.to_string(), value);
    }
    Value::Object(object)
}

#[cfg(test)]
mod tests {
    use super::*;
    use scrutineer_desk::orders::{Correct, Dispute, Drop, Repair, Rule, SetPairing};

    fn read(fields: &[(&str, &str)]) -> Order {
        let owned: Vec<(String, String)> =
            fields.iter().map(|(name, value)| (name.to_string(), value.to_string())).collect();
        order(&owned).unwrap_or_else(|error| panic!("{fields:?}: {}", error.told()))
    }

    #[test]
    fn a_form_says_what_its_order_says() {
        let fields = [("order", "drop"), ("player", "#3"), ("no_show", "on"), ("key", "k")];
        assert_eq!(read(&fields), Drop { player: "#3".into(), no_show: true }.into());
        let fields = [("order", "correct"), ("slip", "12 2-1"), ("reason", "typo"), ("round", "2")];
        let correct = Correct {
            slip: "12 2-1".into(),
            reason: "typo".into(),
            round: Some(2),
            ..Correct::default()
        };
        assert_eq!(read(&fields), correct.into());
        let fields = [("order", "dispute"), ("table", "7"), ("claim", "c"), ("by", "")];
        let dispute = Dispute { table: "7".into(), claim: "c".into(), ..Dispute::default() };
        assert_eq!(read(&fields), dispute.into());
        let fields = [("order", "rule"), ("dispute", "1"), ("upheld", "false"), ("reason", "r")];
        let rule = Rule { dispute: 1, upheld: Some(false), score: None, reason: "r".into() };
        assert_eq!(read(&fields), rule.into());
        let fields = [
            ("order", "repair"),
            ("out", "ann"),
            ("out", "Lee, Bo"),
            ("tables", "1, 4"),
            ("reason", "r"),
        ];
        let repair = Repair {
            out: vec!["ann".into(), "Lee, Bo".into()],
            tables: vec![1, 4],
            reason: "r".into(),
        };
        assert_eq!(read(&fields), repair.into());
        let fields = [
            ("order", "set-pairing"),
            ("players", "#1"),
            ("players", "#2"),
            ("table", "3"),
            ("reason", "r"),
        ];
        let set = SetPairing {
            players: vec!["#1".into(), "#2".into()],
            table: Some(3),
            reason: "r".into(),
        };
        assert_eq!(read(&fields), set.into());
    }

    #[test]
    fn a_list_of_names_needs_no_head_and_a_table_has_one() {
        let named = |csv: &str| match read(&[("order", "enroll"), ("csv", csv)]) {
            Order::Enroll(enroll) => enroll.people,
            other => panic!("{other:?}"),
        };
        let people = named("Ann Lee\n\nLee, Bob\n");
        assert_eq!(
            people.iter().map(|one| &one.name[..]).collect::<Vec<_>>(),
            ["Ann Lee", "Lee, Bob"]
        );
        let typed = read(&[("order", "enroll"), ("people", "Ann Lee\r\nBob Smith\r\n")]);
        let Order::Enroll(typed) = typed else { panic!("{typed:?}") };
        let typed: Vec<&str> = typed.people.iter().map(|one| &one.name[..]).collect();
        assert_eq!(typed, ["Ann Lee", "Bob Smith"], "one name a line");
        for table in ["Name\tRating\tVerein\nAnn\t1500\tHafen", "Spieler;Wertungszahl\nAnn;1500"] {
            let people = named(table);
            assert_eq!((&people[0].name[..], people[0].rating), ("Ann", Some(1500)), "{table}");
        }
        let people = named("name,rating\nAnn,1500");
        assert_eq!((&people[0].name[..], people[0].rating), ("Ann", Some(1500)));
    }

    #[test]
    fn who_is_known_brings_their_id_and_regulars_come_where_they_are_ticked() {
        let of = |fields: &[(&str, &str)]| match read(fields) {
            Order::Enroll(enroll) => enroll.people,
            Order::Late(late) => vec![late.person],
            other => panic!("{other:?}"),
        };
        for order in ["enroll", "late"] {
            let people = of(&[("order", order), ("name", "Ann Lee"), ("id", "1204")]);
            assert_eq!((&people[0].name[..], people[0].id.as_deref()), ("Ann Lee", Some("1204")));
        }
        let fields = [
            ("order", "enroll"),
            ("regular", "Ann Lee"),
            ("regular_id", ""),
            ("regular", "Bo Park"),
            ("regular_id", "7"),
            ("regular_rating", ""),
            ("regular_rating", "1450"),
            ("regular_division", ""),
            ("regular_division", "junior"),
            ("regular_title", ""),
            ("regular_title", "FM"),
            ("regular_federation", ""),
            ("regular_federation", "SWE"),
            ("regular", "Cid"),
            ("regular_id", ""),
            ("tick", "1"),
            ("tick", "2"),
            ("tick", "9"),
        ];
        let people = of(&fields);
        let told: Vec<_> = people.iter().map(|one| (&one.name[..], one.id.as_deref())).collect();
        assert_eq!(told, [("Bo Park", Some("7")), ("Cid", None)]);
        assert_eq!((people[0].rating, people[0].division.as_deref()), (Some(1450), Some("junior")));
        assert_eq!((people[1].rating, &people[1].division), (None, &None));
        let told = |at: usize| (people[at].title.as_deref(), people[at].federation.as_deref());
        assert_eq!([told(0), told(1)], [(Some("FM"), Some("SWE")), (None, None)]);
    }

    #[test]
    fn who_comes_late_is_enrolled_with_the_division_of_the_form() {
        let fields = [("order", "late"), ("name", "Yan"), ("division", "junior"), ("id", "")];
        let Order::Late(late) = read(&fields) else { panic!("another order") };
        assert_eq!(late.person.division.as_deref(), Some("junior"));
        let boxed = [&fields[..], &[("new_division", "true")]].concat();
        let Order::Late(late) = read(&boxed) else { panic!("another order") };
        assert!(late.new_division);
        for missed in ["", "losses", "byes", "half_byes"] {
            let Order::Late(late) = read(&[&fields[..], &[("missed", missed)]].concat()) else {
                panic!("another order")
            };
            let given = [late.losses, late.byes, late.half_byes];
            assert_eq!(given, ["losses", "byes", "half_byes"].map(|one| one == missed));
        }
    }

    #[test]
    fn an_empty_title_of_a_form_is_none_and_one_that_is_not_there_stays() {
        let of = |fields: &[(&str, &str)]| match read(fields) {
            Order::Describe(order) => (order.title, order.federation, order.rating, order.id),
            other => panic!("{other:?}"),
        };
        let begin = [("order", "describe"), ("player", "#1"), ("key", "k")];
        let typed = [&begin[..], &[("title", " IM "), ("federation", "")]].concat();
        assert_eq!(of(&typed), (Some("IM".into()), Some(String::new()), None, None));
        let typed = [&begin[..], &[("rating", " 1912 "), ("id", "")]].concat();
        assert_eq!(of(&typed), (None, None, Some("1912".into()), Some(String::new())));
        assert_eq!(of(&begin), (None, None, None, None));
        let fields = [
            ("order", "late"),
            ("name", "Yan"),
            ("title", "GM"),
            ("federation", "SWE"),
            ("rating", " 2510 "),
            ("id", "1700"),
        ];
        let Order::Late(late) = read(&fields) else { panic!("another order") };
        let person = late.person;
        assert_eq!(
            (person.title.as_deref(), person.federation.as_deref()),
            (Some("GM"), Some("SWE"))
        );
        assert_eq!((person.rating, person.id.as_deref()), (Some(2510), Some("1700")));
        let typed = [("order", "late"), ("name", "Yan"), ("rating", "2510?")];
        let typed = typed.map(|(name, value)| (name.to_string(), value.to_string()));
        assert_eq!(order(&typed).expect_err("no number").code.word, "bad-order");
    }

    /// One of 36 regulars was enrolled by name: "Enroll all" was refused, and nobody was.
    #[test]
    fn a_list_leaves_who_is_enrolled_already_and_a_name_alone_asks() {
        let leaves = |field: &str| match read(&[("order", "enroll"), (field, "Ann Lee")]) {
            Order::Enroll(enroll) => enroll.leave_known,
            other => panic!("{other:?}"),
        };
        assert_eq!(["people", "csv", "regular", "name"].map(leaves), [true, true, true, false]);
    }

    #[test]
    fn a_form_of_no_order_is_refused_with_a_code() {
        let fields = [("order".to_string(), "delete".to_string())];
        let error = order(&fields).expect_err("there is no such order");
        assert_eq!(error.code.word, "bad-order");
    }
}
