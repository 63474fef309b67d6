use super::*;

fn day(text: &str) -> Option<Day> {
    let mut parts = text.split('-').map(|part| part.parse::<u16>().unwrap());
    let (year, month, day) = (
        parts.next().unwrap(),
        parts.next().unwrap(),
        parts.next().unwrap(),
    );
    Some(Day {
        year,
        month: month as u8,
        day: day as u8,
    })
}

fn refused(id: &str) -> String {
    Library::shipped().ruleset(id).unwrap_err().to_string()
}

#[test]
fn every_shipped_ruleset_is_read() {
    let library = Library::shipped();
    assert_eq!(
        library.held.len(),
        SHIPPED.len(),
        "a file with a broken head"
    );
    for id in library.ids() {
        let ruleset = library
            .ruleset(&id)
            .unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(ruleset.id, id);
        assert!(!ruleset.order.is_empty());
    }
    let shared: Vec<&String> = library
        .held
        .keys()
        .filter(|id| !library.ids().contains(id))
        .collect();
    assert_eq!(shared, ["common", "matches"]);
}
