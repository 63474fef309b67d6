//! People of one name, and names that differ by an accent alone.

use super::desk::Desk;

/// `7 schmidt 2-0` named four people, of whom one sat at table 7; and `Jose Nunez` was taken beside José Núñez
/// without a question.
#[test]
fn a_name_is_looked_for_at_its_table_first_and_an_accent_makes_no_other_person() {
    let desk = Desk::new();
    let done = |words: &[&str]| {
        let said = desk.run(words);
        assert_eq!(said.code, 0, "{words:?}: {}", said.all());
        said.out
    };
    done(&["new", "Friday", "--rules", "mtr", "--phase", "Swiss 3", "--phase", "top 4"]);
    done(&["enroll", "Ina Schmidt", "Jo Schmidt", "Kim Schmidt", "José Núñez", "Bob Lee", "राम"]);
    for name in ["Jose Nunez", "JOSÉ NUÑEZ", "jose  nunez"] {
        let said = desk.run(&["enroll", name]);
        assert!(said.code != 0 && said.err.contains("name-taken"), "{}", said.all());
    }
    let said = desk.run(&["enroll", "Zoe Ost", "Zoë Ost"]);
    assert!(said.code != 0 && said.err.contains("named-twice"), "{}", said.all());
    // Signs of vowels are letters: this is somebody else.
    done(&["enroll", "रमा"]);
    done(&["drop", "रमा"]);
    done(&["pair"]);
    done(&["publish"]);
    let round: serde_json::Value =
        serde_json::from_str(&done(&["pairings", "--json"])).expect("JSON");
    let tables = round["tables"].as_array().expect("tables");
    let schmidts = |table: &serde_json::Value| {
        let players = table["players"].as_array().expect("players");
        let names = players.iter().filter_map(|one| one["name"].as_str());
        names.filter(|name| name.ends_with("Schmidt")).count()
    };
    // Three of them at three tables: one of them sits beside somebody else.
    let table = tables.iter().find(|table| schmidts(table) == 1).expect("an odd number of them");
    let number = table["table"].to_string();
    let at = table["players"].as_array().expect("players").iter();
    let seat = at.map(|one| one["name"].as_str().unwrap_or_default()).collect::<Vec<_>>();
    let won = if seat[0].ends_with("Schmidt") { "2-0" } else { "0-2" };
    done(&["result", &number, "schmidt", "2-0"]);
    let round: serde_json::Value =
        serde_json::from_str(&done(&["pairings", "--json"])).expect("JSON");
    let tables = round["tables"].as_array().expect("tables");
    let table = tables.iter().find(|one| one["table"] == table["table"]).expect("the table");
    assert_eq!(table["result"], won, "the slip of the one who sits there");
    let said = desk.run(&["result", "schmidt", "2-0"]);
    assert!(
        said.code != 0 && said.err.contains("which-player"),
        "no table says which: {}",
        said.all()
    );
}

/// `dispute open 3 --by smith` asked which Smith, though one of them sat at table 3 and the other did not.
#[test]
fn whoever_disputes_a_table_is_looked_for_among_those_who_sit_there() {
    let desk = Desk::new();
    let done = |words: &[&str]| {
        let said = desk.run(words);
        assert_eq!(said.code, 0, "{words:?}: {}", said.all());
        said.out
    };
    done(&["new", "Friday", "--rules", "mtr"]);
    done(&["enroll", "Ann Smith", "Jo Smith", "Bob Lee", "Cid Lee", "Dee Oz", "Eve Park"]);
    done(&["pair"]);
    done(&["publish"]);
    let round: serde_json::Value =
        serde_json::from_str(&done(&["pairings", "--json"])).expect("JSON");
    for table in round["tables"].as_array().expect("tables") {
        let number = table["table"].to_string();
        let players = table["players"].as_array().expect("players").iter();
        let names: Vec<&str> = players.filter_map(|one| one["name"].as_str()).collect();
        let smiths: Vec<&&str> = names.iter().filter(|name| name.ends_with("Smith")).collect();
        let said = desk.run(&["dispute", "open", &number, "--by", "smith", "--claim", "a draw"]);
        match smiths[..] {
            [one] => assert!(said.out.contains(&format!("{one} disputes")), "{}", said.all()),
            [] => {
                assert!(said.err.contains("not-at-table"), "{}", said.all());
                // Whoever it may be is named, and who sits there.
                for name in ["Ann Smith", "Jo Smith"].iter().chain(&names) {
                    assert!(said.err.contains(name), "{name}: {}", said.all());
                }
            }
            _ => assert!(said.err.contains("which-player"), "{}", said.all()),
        }
        // Who sits elsewhere is told who sits here.
        if let Some(other) = ["Dee Oz", "Bob Lee"].iter().find(|one| !names.contains(*one)) {
            let said = desk.run(&["dispute", "open", &number, "--by", other, "--claim", "a draw"]);
            let told = format!("{other} does not sit at table {number} of round 1: {}", names[0]);
            assert!(said.err.contains(&told) && said.err.contains(names[1]), "{}", said.all());
        }
    }
}
