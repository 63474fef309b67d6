//! Bundles whose lines are others.

use super::files::first;
use super::{Row, row};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use scrutineer_engine::record::{Actor, RecordHash};

const OPEN: &[&str] = &["bundle", "verify", "open.bundle"];

/// Changes the record of a line without anything that follows from it, and says whether its hash
/// is made again.
fn in_record(line: &mut String, with_hash: bool, change: impl FnOnce(&mut Vec<u8>)) {
    let old = line.split('"').nth(3).expect("base64").to_string();
    let mut bytes = STANDARD.decode(&old).expect("base64");
    let hash = |bytes: &[u8]| RecordHash(blake3::derive_key("scrutineer 2026 record v1", bytes));
    let before = hash(&bytes).to_string();
    change(&mut bytes);
    *line = line.replacen(&old, &STANDARD.encode(&bytes), 1);
    if with_hash {
        *line = line.replacen(&before, &hash(&bytes).to_string(), 1);
    }
}

pub fn rows() -> Vec<Row> {
    let mut all = the_file();
    all.extend(lines());
    all
}

/// Truncated, doubled, moved.
fn the_file() -> Vec<Row> {
    vec![
        row(
            "a bundle is cut off in the middle",
            |p| p.bytes("open.bundle", |bytes| bytes.truncate(bytes.len() / 2)),
            OPEN,
            (1, "[cut-off]"),
        ),
        row(
            "a bundle has lost its last line",
            |p| {
                p.bytes("open.bundle", |bytes| {
                    let end = bytes[..bytes.len() - 1].iter().rposition(|b| *b == b'\n');
                    bytes.truncate(end.expect("a line") + 1);
                });
            },
            OPEN,
            (1, "[cut-off]"),
        ),
        row(
            "a bundle stands twice in its file",
            |p| p.bytes("open.bundle", |bytes| bytes.extend_from_within(..)),
            OPEN,
            (1, "[after-end]"),
        ),
        row(
            "a line stands behind the end of a bundle",
            |p| p.bytes("open.bundle", |bytes| bytes.extend(b"{\"entry\":{}}\n")),
            OPEN,
            (1, "[after-end]"),
        ),
        row(
            "the last line of a bundle is of other bytes",
            |p| p.replace("open.bundle", "\"program\":\"", "\"program\":\"9"),
            OPEN,
            (1, "[end]"),
        ),
        row(
            "the lines of a bundle end in CR LF",
            |p| {
                let text = p.text("open.bundle").replace('\n', "\r\n");
                p.desk.write("open.bundle", text.as_bytes());
            },
            OPEN,
            (2, "[line-ends]"),
        ),
        row(
            "a bundle lacks its first line",
            |p| p.lines("open.bundle", |lines| drop(lines.remove(0))),
            OPEN,
            (2, "[not-a-bundle]"),
        ),
        row(
            "a bundle says that it is of a later version",
            |p| p.replace("open.bundle", "{\"bundle\":1", "{\"bundle\":2"),
            OPEN,
            (2, "[newer-bundle]"),
        ),
        row(
            "a bundle is another file",
            |p| p.desk.write("open.bundle", &p.read("ann.json")),
            OPEN,
            (2, "[not-a-bundle]"),
        ),
    ]
}

/// Whole lines, with a last line that belongs to them.
fn lines() -> Vec<Row> {
    vec![
        row(
            "a record is dropped",
            |p| p.lines("open.bundle", |lines| drop(lines.remove(9))),
            OPEN,
            (1, "[chain]"),
        ),
        row(
            "the last record is dropped",
            |p| p.lines("open.bundle", |l| drop(l.remove(first(l, "table") - 1))),
            OPEN,
            (1, "[log-shorter]"),
        ),
        row(
            "a record stands twice",
            |p| p.lines("open.bundle", |lines| lines.insert(9, lines[9].clone())),
            OPEN,
            (1, "[chain]"),
        ),
        row(
            "two records change places",
            |p| p.lines("open.bundle", |lines| lines.swap(9, 10)),
            OPEN,
            (1, "[chain]"),
        ),
        row(
            "a record of another tournament stands in the place of one",
            |p| {
                let other = p.text("other-open.bundle");
                let other = other.lines().nth(9).expect("a record").to_string();
                p.lines("open.bundle", |lines| lines[9] = other);
            },
            OPEN,
            (1, "[chain]"),
        ),
        row(
            "a table stands in front of the records",
            |p| {
                p.lines("open.bundle", |lines| {
                    let table = lines.remove(first(lines, "table"));
                    lines.insert(1, table);
                });
            },
            OPEN,
            (1, "[line-order]"),
        ),
        row(
            "a second header stands among the records",
            |p| p.lines("open.bundle", |lines| lines.insert(5, lines[0].clone())),
            OPEN,
            (1, "[line-order]"),
        ),
        row(
            "an empty line stands among the records",
            |p| p.lines("open.bundle", |lines| lines.insert(5, String::new())),
            OPEN,
            (1, "[line-spelling]"),
        ),
        row(
            "a line has a key that the format does not know",
            |p| {
                p.lines("open.bundle", |lines| {
                    let at = first(lines, "checkpoint");
                    lines[at] = lines[at].replacen("{\"checkpoint\"", "{\"a\":1,\"checkpoint\"", 1);
                });
            },
            OPEN,
            (1, "[line-spelling]"),
        ),
        row(
            "a space stands in a record's line",
            |p| p.in_line("open.bundle", "record", ",\"hash\":", ", \"hash\":"),
            OPEN,
            (1, "[line-spelling]"),
        ),
        row(
            "a line is longer than any that is read",
            |p| p.lines("open.bundle", |lines| lines.insert(3, "x".repeat((1 << 20) + 1))),
            OPEN,
            (1, "[line-too-long]"),
        ),
        row(
            "the header names fewer records",
            |p| p.other_digit("open.bundle", "bundle", "\"records\":"),
            OPEN,
            (1, "[header]"),
        ),
        row(
            "the header names another last record",
            |p| p.other_digit("open.bundle", "bundle", "\"head\":\""),
            OPEN,
            (1, "[header]"),
        ),
        row(
            "the header names another tournament",
            |p| p.other_digit("open.bundle", "bundle", "\"stream\":\""),
            OPEN,
            (1, "[chain]"),
        ),
        row(
            "the header shows another ruleset's text",
            |p| p.in_line("open.bundle", "bundle", "name = ", "name  = "),
            OPEN,
            (1, "[header]"),
        ),
        row(
            "the header names another hash of the ruleset",
            |p| p.other_digit("open.bundle", "bundle", "\"hash\":\""),
            OPEN,
            (1, "[header]"),
        ),
        row(
            "the header lists no ruleset",
            |p| {
                p.lines("open.bundle", |lines| {
                    let from = lines[0].find("\"rulesets\":[").expect("a list") + 12;
                    let to = lines[0].rfind("],\"private\"").expect("its end");
                    lines[0].replace_range(from..to, "");
                });
            },
            OPEN,
            (1, "[header]"),
        ),
        row(
            "a record is altered, and nothing else",
            |p| p.lines("open.bundle", |l| in_record(&mut l[9], false, |b| b[40] ^= 1)),
            OPEN,
            (1, "[hash]"),
        ),
        row(
            "a record is altered, with the hash beside it",
            |p| p.lines("open.bundle", |l| in_record(&mut l[9], true, |b| b[30] ^= 1)),
            OPEN,
            (1, "[chain]"),
        ),
        row(
            "the last record is altered, with all that follows from it",
            |p| {
                p.parts("open.bundle", |parts| {
                    let last = parts.records.len() - 1;
                    parts.envelope(last, |header| header.actor = Actor(9));
                });
            },
            OPEN,
            (1, "[log-forked]"),
        ),
        row(
            "the hash beside a record is another",
            |p| p.other_digit("open.bundle", "record", "\"hash\":\""),
            OPEN,
            (1, "[hash]"),
        ),
        row(
            "the readable form shows another score",
            |p| {
                p.lines("open.bundle", |lines| {
                    let is_result =
                        |line: &&mut String| line.contains("\"kind\":\"ResultRecorded\"");
                    let line = lines.iter_mut().find(is_result).expect("a result");
                    *line = line.replacen("[[2],[0]]", "[[0],[2]]", 1);
                });
            },
            OPEN,
            (1, "[mirror]"),
        ),
        row(
            "the readable form shows another time",
            |p| p.in_line("open.bundle", "record", "\"time\":\"2026", "\"time\":\"2025"),
            OPEN,
            (1, "[mirror]"),
        ),
    ]
}
