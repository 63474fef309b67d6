//! What stands beside the records of a bundle: private texts, secrets, announced tables,
//! checkpoints.

use super::files::{Place, first};
use super::parts::{Parts, lines, sign, signed};
use super::{ORGANISER, Row, STRANGER, row};
use scrutineer_engine::event::TextsForgotten;
use scrutineer_engine::record::RecordHash;
use scrutineer_replay::announced::AnnouncedTable;
use scrutineer_replay::trust::checkpoint::Checkpoint;

const OPEN: &[&str] = &["bundle", "verify", "open.bundle"];
const ROSTER: &[&str] = &["bundle", "verify", "roster.bundle"];
const HANDOVER: &[&str] = &["bundle", "verify", "handover.bundle"];
const BY_KEY: &[&str] = &["bundle", "verify", "open.bundle", "--key", "keys/current"];

pub fn rows() -> Vec<Row> {
    let mut all = words();
    all.extend(tables());
    all.extend(checkpoints());
    all
}

/// Puts other words in the place of the first name.
fn other_name(place: &Place, name: &str) {
    place.replace("roster.bundle", "\"text\":\"Ann\"", &format!("\"text\":\"{name}\""));
    place.lines("roster.bundle", |_| {});
}

/// Changes the private texts, and ends the bundle anew.
fn entries(place: &Place, change: impl FnOnce(&mut Vec<String>)) {
    place.lines("roster.bundle", |lines| {
        let mut entries = lines.split_off(first(lines, "entry"));
        change(&mut entries);
        lines.extend(entries);
    });
}

fn words() -> Vec<Row> {
    vec![
        row("a name is another one", |p| other_name(p, "Eva"), ROSTER, (1, "[entry-altered]")),
        row(
            "two names are exchanged",
            |p| {
                entries(p, |lines| {
                    lines[1] = lines[1].replace("\"Ann\"", "\"Bob\"");
                    lines[3] = lines[3].replace("\"Bob\"", "\"Ann\"");
                });
            },
            ROSTER,
            (1, "[entry-altered]"),
        ),
        row(
            "two names are exchanged with their salts",
            |p| {
                entries(p, |lines| {
                    let number = |line: &String, from: &str, to: &str| {
                        line.replacen(&format!(":{from},"), &format!(":{to},"), 1)
                    };
                    (lines[3], lines[4]) =
                        (number(&lines[4], "5", "4"), number(&lines[3], "4", "5"));
                });
            },
            ROSTER,
            (1, "[entry-altered]"),
        ),
        row(
            "the salt of a name is another",
            |p| p.other_digit("roster.bundle", "entry", "\"salt\":\""),
            ROSTER,
            (1, "[entry-altered]"),
        ),
        row(
            "a title is shown as a name",
            |p| p.in_line("roster.bundle", "entry", "\"Title\"", "\"Name\""),
            ROSTER,
            (1, "[entry-altered]"),
        ),
        row(
            "a name has a number that nobody committed to",
            |p| {
                entries(p, |lines| {
                    let last = lines.last().expect("a name").clone();
                    let (_, rest) = last.split_once(",\"field\"").expect("a number");
                    lines.push(format!("{{\"entry\":{{\"number\":999,\"field\"{rest}"));
                });
            },
            ROSTER,
            (1, "[entry-altered]"),
        ),
        row(
            "a name is left out of a roster",
            |p| entries(p, |lines| drop(lines.remove(1))),
            ROSTER,
            (0, "[words-missing]"),
        ),
        row(
            "a text is left out of a handover",
            |p| p.lines("handover.bundle", |lines| drop(lines.remove(first(lines, "entry") + 1))),
            HANDOVER,
            (0, "[words-missing]"),
        ),
        row(
            "an event says that a name was forgotten, and it is there",
            |p| {
                let names = lines(&p.read("roster.bundle"));
                let name = names[first(&names, "entry") + 1].clone();
                p.parts("roster.bundle", |parts| {
                    let at = parts.at("NoteAdded", 0);
                    parts.change(at, |event| *event = TextsForgotten { numbers: vec![2] }.into());
                    parts.sign_again(ORGANISER);
                });
                entries(p, |lines| lines.insert(1, name));
            },
            ROSTER,
            (0, "[forget-unfinished]"),
        ),
        row(
            "a name stands twice",
            |p| entries(p, |lines| lines.insert(1, lines[1].clone())),
            ROSTER,
            (1, "[line-order]"),
        ),
        row(
            "a name with a control character",
            |p| other_name(p, "A\\u001b[2Jnn"),
            ROSTER,
            (1, "[entry-not-legal]"),
        ),
        row("a name of nothing", |p| other_name(p, " "), ROSTER, (1, "[entry-not-legal]")),
        row(
            "a name of another tournament",
            |p| {
                let other = p.text("other-roster.bundle");
                let theirs: Vec<String> = other.lines().map(str::to_string).collect();
                let theirs = theirs[first(&theirs, "entry") + 1].clone();
                entries(p, |lines| lines[1] = theirs);
            },
            ROSTER,
            (1, "[entry-altered]"),
        ),
        row(
            "the pairing secret is another",
            |p| p.other_digit("handover.bundle", "secret", "\"secret\":\""),
            HANDOVER,
            (1, "[secret-altered]"),
        ),
        row(
            "a bundle with a secret says that it is not private",
            |p| p.in_line("handover.bundle", "bundle", "\"private\":true", "\"private\":false"),
            HANDOVER,
            (1, "[not-private]"),
        ),
    ]
}

/// Changes the last announced table, spelled as tables are.
fn table(place: &Place, change: impl FnOnce(&mut AnnouncedTable)) {
    place.lines("open.bundle", |lines| {
        let at = first(lines, "checkpoint") - 1;
        let text = lines[at].strip_prefix("{\"table\":").and_then(|rest| rest.strip_suffix('}'));
        let mut table = AnnouncedTable::from_line(text.expect("a table")).expect("a table");
        change(&mut table);
        lines[at] = format!("{{\"table\":{}}}", table.to_line());
    });
}

fn tables() -> Vec<Row> {
    vec![
        row(
            "two players change places in a table",
            |p| table(p, |t| (t.rows[0].1, t.rows[1].1) = (t.rows[1].1, t.rows[0].1)),
            OPEN,
            (1, "[table-altered]"),
        ),
        row(
            "a player has more points in a table",
            |p| table(p, |t| t.rows[0].3[0] = Some("99".into())),
            OPEN,
            (1, "[table-altered]"),
        ),
        row(
            "two players share a place in a table",
            |p| {
                table(p, |t| {
                    t.rows[1].0 = t.rows[0].0;
                    t.rows[..2].sort_by_key(|row| row.1);
                    (t.rows[0].4, t.rows[1].4) = (None, t.rows[2].4.clone());
                });
            },
            OPEN,
            (1, "[table-altered]"),
        ),
        row(
            "a row is missing in a table",
            |p| table(p, |t| drop(t.rows.pop())),
            OPEN,
            (1, "[table-altered]"),
        ),
        row(
            "the label of a measure is another in a table",
            |p| table(p, |t| t.phases[0].steps[0].1 = "Prize money".into()),
            OPEN,
            (1, "[table-altered]"),
        ),
        row(
            "another step decided in a table",
            |p| {
                table(p, |t| {
                    use scrutineer_replay::announced::DecidedBy;
                    t.rows[1].4 = Some(DecidedBy::Word("lots".into()));
                });
            },
            OPEN,
            (1, "[table-altered]"),
        ),
        row(
            "a table is said to be of another announcement",
            |p| table(p, |t| t.announced -= 1),
            OPEN,
            (1, "[table-altered]"),
        ),
        row(
            "a value of a table is not spelled as fractions are",
            |p| {
                p.lines("open.bundle", |lines| {
                    let at = first(lines, "table");
                    let (before, after) = lines[at].split_once("[\"").expect("a value");
                    assert!(before.len() < lines[at].len() && !after.is_empty());
                    lines[at] = lines[at].replace("[\"3\",", "[\"6/2\",");
                });
            },
            OPEN,
            (1, "[line-spelling]"),
        ),
        row(
            "the last tables are taken out",
            |p| {
                p.lines("open.bundle", |lines| {
                    let at = first(lines, "checkpoint");
                    drop(lines.drain(at - 2..at));
                });
            },
            BY_KEY,
            (0, "2 announced tables not in this file"),
        ),
        row(
            "a table stands twice",
            |p| {
                p.lines("open.bundle", |lines| {
                    let at = first(lines, "table");
                    lines.insert(at, lines[at].clone());
                });
            },
            OPEN,
            (1, "[line-order]"),
        ),
        row(
            "two tables change their announcements",
            |p| {
                p.lines("open.bundle", |lines| {
                    let (at, words) = (first(lines, "table"), "\"phases\"");
                    let cut = |line: &str| {
                        let (head, rest) = line.split_once(words).expect("a table");
                        (head.to_string(), rest.to_string())
                    };
                    let last = first(lines, "checkpoint") - 1;
                    let ((a, one), (b, two)) = (cut(&lines[at]), cut(&lines[last]));
                    lines[at] = format!("{a}{words}{two}");
                    lines[last] = format!("{b}{words}{one}");
                });
            },
            OPEN,
            (1, "[table-altered]"),
        ),
    ]
}

/// Changes the last checkpoint; it is signed by the organizer where somebody gives their key.
fn last_note(place: &Place, secret: Option<[u8; 32]>, change: impl FnOnce(&mut Checkpoint)) {
    notes(place, |parts| {
        let last = parts.notes.last_mut().expect("a checkpoint");
        let mut checkpoint = signed(last).checkpoint;
        let before = checkpoint.text();
        change(&mut checkpoint);
        *last = match secret {
            Some(secret) => sign(checkpoint, secret),
            None => last.replacen(&before, &checkpoint.text(), 1),
        };
    });
}

fn notes(place: &Place, change: impl FnOnce(&mut Parts)) {
    place.parts("open.bundle", change);
}

fn checkpoints() -> Vec<Row> {
    vec![
        row(
            "a checkpoint in a bundle is of fewer records than were signed",
            |p| last_note(p, None, |c| c.size -= 1),
            OPEN,
            (1, "[checkpoint-not-signed]"),
        ),
        row(
            "a checkpoint in a bundle ends in the middle of a command",
            |p| last_note(p, Some(ORGANISER), |c| c.size -= 1),
            OPEN,
            (1, "[log-forked]"),
        ),
        row(
            "a checkpoint in a bundle has another root",
            |p| last_note(p, Some(ORGANISER), |c| c.root[0] ^= 1),
            OPEN,
            (1, "[log-forked]"),
        ),
        row(
            "a checkpoint in a bundle names another last record",
            |p| last_note(p, Some(ORGANISER), |c| c.head = RecordHash([5; 32])),
            OPEN,
            (1, "[checkpoint-head]"),
        ),
        row(
            "a checkpoint in a bundle names another time",
            |p| last_note(p, Some(ORGANISER), |c| c.time.unix_micros += 1),
            OPEN,
            (1, "[checkpoint-time]"),
        ),
        row(
            "a checkpoint in a bundle is signed by a stranger",
            |p| last_note(p, Some(STRANGER), |_| {}),
            OPEN,
            (1, "[checkpoint-not-signed]"),
        ),
        row(
            "a checkpoint in a bundle is of another tournament",
            |p| {
                let other = Parts::of(&p.read("other-open.bundle")).notes.remove(1);
                notes(p, |parts| parts.notes[1] = other);
            },
            OPEN,
            (1, "[checkpoint-other-tournament]"),
        ),
        row(
            "two checkpoints in a bundle are exchanged",
            |p| {
                p.lines("open.bundle", |lines| {
                    let at = first(lines, "checkpoint");
                    lines.swap(at, at + 1);
                });
            },
            OPEN,
            (1, "[checkpoint-order]"),
        ),
        row(
            "a checkpoint in a bundle has the signature of another one",
            |p| {
                notes(p, |parts| {
                    let of = |note: &str| note.split_once("\n\n").expect("a note").1.to_string();
                    let (own, other) = (of(&parts.notes[1]), of(&parts.notes[0]));
                    parts.notes[1] = parts.notes[1].replace(&own, &other);
                });
            },
            OPEN,
            (1, "[checkpoint-not-signed]"),
        ),
        row(
            "a checkpoint in a bundle cannot be read",
            |p| p.in_line("open.bundle", "checkpoint", "scrutineer/blake3", "scrutineer/blake2"),
            OPEN,
            (1, "[checkpoint-damaged]"),
        ),
        row(
            "the proof of a checkpoint is another",
            |p| {
                p.lines("open.bundle", |lines| {
                    let at = first(lines, "checkpoint") + 1;
                    let digit = lines[at].find("\"extends\":[\"").expect("a proof") + 12;
                    let other = if &lines[at][digit..=digit] == "1" { "2" } else { "1" };
                    lines[at].replace_range(digit..=digit, other);
                });
            },
            OPEN,
            (1, "[checkpoint-proof]"),
        ),
        row(
            "the proof of a checkpoint is missing",
            |p| {
                p.lines("open.bundle", |lines| {
                    let at = first(lines, "checkpoint") + 1;
                    let proof = lines[at].find("\"extends\":[").expect("a proof") + 11;
                    lines[at].replace_range(proof.., "]}");
                });
            },
            OPEN,
            (1, "[checkpoint-proof]"),
        ),
        row(
            "every checkpoint is taken out",
            |p| notes(p, |parts| parts.notes.clear()),
            BY_KEY,
            (1, "[key-not-signed]"),
        ),
        row(
            "the last checkpoint is taken out",
            |p| notes(p, |parts| drop(parts.notes.pop())),
            BY_KEY,
            (1, "only: the key"),
        ),
    ]
}
