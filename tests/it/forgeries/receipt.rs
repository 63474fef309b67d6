//! Forged receipts.

use super::files::Place;
use super::parts::{Parts, sign, signed};
use super::{ORGANISER, Row, STRANGER, row};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use scrutineer_engine::record::RecordHash;
use scrutineer_replay::trust::receipt::{Receipt, events_of_player, names_of_player};

const ANN: &[&str] = &["check-receipt", "ann.json"];
const BY_KEY: &[&str] = &["check-receipt", "ann.json", "--key", "ea4a 6c63 e29c 520a bef5"];
const BY_LAST: &[&str] = &["check-receipt", "ann.json", "--checkpoint", "last.txt"];
const EXTENDS: &[&str] = &["check-receipt", "ann-extends.json", "--checkpoint", "round-1.txt"];

/// Puts another digit behind these words, where they stand for the n-th time.
fn other_digit(place: &Place, name: &str, behind: &str, which: usize) {
    let mut text = place.text(name);
    let (at, _) = text.match_indices(behind).nth(which).expect("the words");
    let digit = at + behind.len();
    let other = if &text[digit..=digit] == "1" { "2" } else { "1" };
    text.replace_range(digit..=digit, other);
    place.desk.write(name, text.as_bytes());
}

/// The records of Ann's receipt, each as it is spelled there.
fn records(text: &str) -> Vec<String> {
    let begin = text.find("\"records\":[").expect("records") + 11;
    let end = text.find("],\"names\"").expect("names");
    let inside = text[begin..end].strip_prefix('{').and_then(|inside| inside.strip_suffix('}'));
    inside.expect("records").split("},{\"record\"").enumerate().map(spelled).collect()
}

fn spelled((at, inside): (usize, &str)) -> String {
    if at == 0 { format!("{{{inside}}}") } else { format!("{{\"record\"{inside}}}") }
}

/// Changes the list of records.
fn in_records(place: &Place, change: impl FnOnce(&mut Vec<String>)) {
    let text = place.text("ann.json");
    let mut all = records(&text);
    let before = all.join(",");
    assert!(text.contains(&before) && all.len() > 3);
    change(&mut all);
    place.desk.write("ann.json", text.replacen(&before, &all.join(","), 1).as_bytes());
}

/// Writes a receipt of Ann's as somebody with this key would, of a history of their own.
fn made_up(place: &Place, secret: [u8; 32], change: impl FnOnce(&mut Parts)) {
    let mut parts = Parts::of(&place.read("handover.bundle"));
    change(&mut parts);
    let history = parts.history();
    let checkpoint = history.checkpoint(history.size()).expect("a command ends there");
    let checkpoint = signed(&sign(checkpoint, secret));
    let all: Vec<_> = (0..parts.records.len()).map(|at| (at as u64 + 1, parts.event(at))).collect();
    let chosen = events_of_player(&all, 1, None);
    let chosen = chosen.into_iter().map(|seq| seq as usize - 1);
    let chosen: Vec<_> = chosen.map(|at| (parts.records[at].clone(), parts.event(at))).collect();
    let mut book = scrutineer_engine::book::Book::new(parts.stream);
    parts.entries.iter().for_each(|entry| book.add(entry.clone()).expect("a number"));
    let names = names_of_player(&chosen, &book, 1);
    let receipt = Receipt::of(&history, &checkpoint, chosen, None, names).expect("a receipt");
    place.desk.write("ann.json", receipt.write().as_bytes());
}

pub fn rows() -> Vec<Row> {
    let mut all = by_itself();
    all.extend(held_against());
    all
}

fn by_itself() -> Vec<Row> {
    vec![
        row(
            "a record of a receipt is altered",
            |p| {
                in_records(p, |records| {
                    let old = records[1].split('"').nth(3).expect("base64").to_string();
                    let mut bytes = STANDARD.decode(&old).expect("base64");
                    bytes[30] ^= 1;
                    records[1] = records[1].replacen(&old, &STANDARD.encode(bytes), 1);
                });
            },
            ANN,
            (1, "[receipt-other-mirror]"),
        ),
        row(
            "a record of a receipt is one of another tournament",
            |p| {
                let other = records(&p.text("other-ann.json"))[1].clone();
                in_records(p, |records| records[1] = other);
            },
            ANN,
            (2, "[bad-receipt]"),
        ),
        row(
            "a record of a receipt has the proof of another",
            |p| {
                in_records(p, |records| {
                    let proof =
                        |one: &str| one.split_once("\"proof\":").expect("one").1.to_string();
                    let (own, other) = (proof(&records[1]), proof(&records[2]));
                    records[1] = records[1].replacen(&own, &other, 1);
                });
            },
            ANN,
            (1, "[receipt-not-included]"),
        ),
        row(
            "a proof of a receipt has another hash",
            |p| other_digit(p, "ann.json", "\"proof\":[\"", 1),
            ANN,
            (1, "[receipt-not-included]"),
        ),
        row(
            "a proof of a receipt has a hash less",
            |p| {
                in_records(p, |records| {
                    let cut = records[1].rfind(",\"").expect("two hashes");
                    records[1].replace_range(cut.., "]}");
                });
            },
            ANN,
            (1, "[receipt-not-included]"),
        ),
        row(
            "the readable form of a receipt shows another score",
            |p| p.replace("ann.json", "\"score\":{\"seats\":[[2]", "\"score\":{\"seats\":[[1]"),
            ANN,
            (1, "[receipt-other-mirror]"),
        ),
        row(
            "the readable form of a receipt shows another time",
            |p| p.replace("ann.json", "\"time\":\"2026", "\"time\":\"2025"),
            ANN,
            (1, "[receipt-other-mirror]"),
        ),
        row(
            "two records of a receipt change places",
            |p| in_records(p, |records| records.swap(0, 1)),
            ANN,
            (2, "[bad-receipt]"),
        ),
        row(
            "a record of a receipt stands twice",
            |p| in_records(p, |records| records.insert(1, records[1].clone())),
            ANN,
            (2, "[bad-receipt]"),
        ),
        row(
            "the name of a receipt is another",
            |p| p.replace("ann.json", "\"text\":\"Ann\"", "\"text\":\"Eva\""),
            ANN,
            (1, "[receipt-other-name]"),
        ),
        row(
            "the name of a receipt has another salt",
            |p| other_digit(p, "ann.json", "\"salt\":\"", 0),
            ANN,
            (1, "[receipt-other-name]"),
        ),
        row(
            "the name of a receipt is somebody else's",
            |p| {
                let of = |text: String| text.split_once("\"names\":").expect("names").1.to_string();
                let (own, other) = (of(p.text("ann.json")), of(p.text("bob.json")));
                p.replace("ann.json", &own, &other);
            },
            ANN,
            (1, "[receipt-other-name]"),
        ),
        row(
            "the name of a receipt has a control character",
            |p| p.replace("ann.json", "\"text\":\"Ann\"", "\"text\":\"A\\u001bnn\""),
            ANN,
            (2, "[bad-receipt]"),
        ),
        row(
            "the checkpoint of a receipt is of more records",
            |p| p.replace("ann.json", "\\n", "\\n1"),
            ANN,
            (1, "[receipt-not-signed]"),
        ),
        row(
            "a receipt names another signer",
            |p| other_digit(p, "ann.json", "\"signers\":[\"", 0),
            ANN,
            (1, "[receipt-not-signed]"),
        ),
        row(
            "a receipt names no signer",
            |p| {
                let text = p.text("ann.json");
                let (_, rest) = text.split_once("\"signers\":[").expect("signers");
                let (signers, _) = rest.split_once(']').expect("its end");
                p.replace("ann.json", &format!("\"signers\":[{signers}]"), "\"signers\":[]");
            },
            ANN,
            (1, "[receipt-not-signed]"),
        ),
        row(
            "a receipt names its signer twice",
            |p| {
                let text = p.text("ann.json");
                let (_, rest) = text.split_once("\"signers\":[").expect("signers");
                let (signers, _) = rest.split_once(']').expect("its end");
                p.replace("ann.json", signers, &format!("{signers},{signers}"));
            },
            ANN,
            (1, "[receipt-not-signed]"),
        ),
        row(
            "a receipt has the checkpoint of another tournament",
            |p| {
                let of = |text: &str| {
                    let (_, rest) = text.split_once("\"checkpoint\":").expect("a checkpoint");
                    rest.split_once(",\"signers\"").expect("signers").0.to_string()
                };
                let other = of(&p.text("other-ann.json"));
                p.replace("ann.json", &of(&p.text("ann.json")), &other);
            },
            ANN,
            (2, "[bad-receipt]"),
        ),
        row(
            "a receipt says that it is of a later version",
            |p| p.replace("ann.json", "{\"receipt\":1", "{\"receipt\":2"),
            ANN,
            (2, "[newer-receipt]"),
        ),
        row(
            "a receipt has a key that the format does not know",
            |p| p.replace("ann.json", "\"extends\":null", "\"winner\":1,\"extends\":null"),
            ANN,
            (2, "[bad-receipt]"),
        ),
        row(
            "a receipt has a space",
            |p| p.replace("ann.json", "\"extends\":null", "\"extends\": null"),
            ANN,
            (2, "[bad-receipt]"),
        ),
        row(
            "a receipt is cut off",
            |p| p.bytes("ann.json", |bytes| bytes.truncate(bytes.len() / 2)),
            ANN,
            (2, "[bad-receipt]"),
        ),
        row(
            "a receipt is a bundle",
            |p| p.desk.write("ann.json", &p.read("open.bundle")),
            ANN,
            (2, "[other-file]"),
        ),
    ]
}

fn held_against() -> Vec<Row> {
    vec![
        row(
            "a receipt of another tournament, held against a checkpoint",
            |p| p.desk.write("ann.json", &p.read("other-ann.json")),
            BY_LAST,
            (1, "[receipt-other-tournament]"),
        ),
        row(
            "a receipt of another history, signed by a stranger",
            |p| {
                made_up(p, STRANGER, |parts| {
                    parts.name_signer(STRANGER);
                    parts.shade();
                })
            },
            BY_KEY,
            (1, "[receipt-other-key]"),
        ),
        row(
            "a receipt of another history, signed by a stranger, held against a checkpoint",
            |p| {
                made_up(p, STRANGER, |parts| {
                    parts.name_signer(STRANGER);
                    parts.shade();
                })
            },
            BY_LAST,
            (1, "[receipt-other-checkpoint]"),
        ),
        row(
            "a receipt of another history, signed by the organizer",
            |p| made_up(p, ORGANISER, Parts::shade),
            BY_LAST,
            (1, "[receipt-other-checkpoint]"),
        ),
        row(
            "a receipt of a history that has lost its end",
            |p| {
                made_up(p, ORGANISER, |parts| {
                    parts.cut_off();
                });
            },
            BY_LAST,
            (1, "[receipt-not-comparable]"),
        ),
        row(
            "a receipt extends another root than the one that is held",
            |p| other_digit(p, "ann-extends.json", "\"root\":\"", 0),
            EXTENDS,
            (1, "[not-extended]"),
        ),
        row(
            "a receipt extends fewer records than it says",
            |p| other_digit(p, "ann-extends.json", "{\"size\":", 0),
            EXTENDS,
            (1, "[not-extended]"),
        ),
        row(
            "the proof that a receipt extends what is held has another hash",
            |p| other_digit(p, "ann-extends.json", "\"proof\":[\"", 0),
            EXTENDS,
            (1, "[not-extended]"),
        ),
        row(
            "the checkpoint that is held against a receipt was changed",
            |p| {
                let mut held = signed(&p.text("round-1.txt")).checkpoint;
                let before = held.text();
                held.head = RecordHash([5; 32]);
                p.replace("round-1.txt", &before, &held.text());
            },
            EXTENDS,
            (1, "[receipt-changed-checkpoint]"),
        ),
    ]
}
