//! Forged stores: their files are changed by somebody who has them.

use super::files::{Place, copied};
use super::parts::{Parts, sign, signed};
use super::{ORGANISER, Row, STRANGER, row, truth};
use scrutineer_desk::keys::KeyFolder;
use scrutineer_engine::event::Event;
use scrutineer_engine::record::Record;
use scrutineer_replay::announced::AnnouncedTable;
use scrutineer_replay::trust::checkpoint::Checkpoint;
use std::fs;

const VERIFY: &[&str] = &["verify"];
const SPRING: &[&str] = &["verify", "--tournament", "Spring Open"];
const AS_OF_30: &[&str] = &["verify", "--as-of", "30"];
const STANDINGS: &[&str] = &["standings"];
const NEW: &[&str] = &["--store", "new", "restore", "--from", "stick"];
const BACKUP: &[&str] = &["backup", "another"];

pub fn rows() -> Vec<Row> {
    let mut all = words();
    all.extend(tables_and_snapshots());
    all.extend(checkpoints());
    all.extend(journals());
    all.extend(of_another_log());
    all.extend(under_the_kept_hash());
    all.extend(last_signed());
    all.extend(copies());
    all
}

/// Somebody who has the file replaces the line of a name by an erased one.
fn erased(place: &Place, folder: &str) {
    place.lines_in(folder, |l| l[1] = r#"{"number":2,"field":2,"erased":true}"#.into());
}

fn words() -> Vec<Row> {
    vec![
        row(
            "a name in the private texts is another one",
            |p| p.lines_in("store/books", |l| l[1] = l[1].replacen("\"Ann\"", "\"Eva\"", 1)),
            VERIFY,
            (1, "[book-altered]"),
        ),
        row(
            "two names in the private texts are exchanged",
            |p| {
                p.lines_in("store/books", |lines| {
                    let number = |line: &String, from: &str, to: &str| {
                        line.replacen(
                            &format!("\"number\":{from},"),
                            &format!("\"number\":{to},"),
                            1,
                        )
                    };
                    (lines[3], lines[4]) =
                        (number(&lines[4], "5", "4"), number(&lines[3], "4", "5"));
                });
            },
            SPRING,
            (1, "[book-altered]"),
        ),
        row(
            "a name in the private texts has another salt",
            |p| {
                p.lines_in("store/books", |lines| {
                    let at = lines[1].find("\"salt\":\"").expect("a salt") + 8;
                    let other = if &lines[1][at..=at] == "1" { "2" } else { "1" };
                    lines[1].replace_range(at..=at, other);
                });
            },
            VERIFY,
            (1, "[book-altered]"),
        ),
        row(
            "a line of the private texts is taken out",
            |p| p.lines_in("store/books", |lines| drop(lines.remove(3))),
            VERIFY,
            (1, "[words-lost]"),
        ),
        row(
            "a line of the private texts is replaced by an erased one",
            |p| erased(p, "store/books"),
            VERIFY,
            (1, "[words-erased]"),
        ),
        row(
            "a store with an erased name is exported",
            |p| erased(p, "store/books"),
            &["export", "--force", "--output", "erased.bundle"],
            (0, "erased in this store"),
        ),
        row(
            "a name in the private texts is erased, and a mirror has it",
            |p| {
                let made = p.desk.run(&["--mirror", "mirror", "note", "a mirror"]);
                assert_eq!(made.code, 0, "{}", made.all());
                erased(p, "store/books");
            },
            &["players"],
            (0, "[mirror-book]"),
        ),
        row(
            "the end of the private texts is taken out",
            |p| p.lines_in("store/books", |lines| lines.truncate(2)),
            VERIFY,
            (1, "[words-lost]"),
        ),
        row(
            "the private texts is taken out",
            |p| fs::remove_file(p.desk.path(&p.only("store/books"))).expect("removed"),
            VERIFY,
            (1, "[words-lost]"),
        ),
        row(
            "the private texts is that of another tournament",
            |p| p.desk.write(&p.only("store/books"), &p.read(&p.only("other/books"))),
            VERIFY,
            (1, "[book-altered]"),
        ),
        row(
            "a line of the private texts stands twice",
            |p| p.lines_in("store/books", |lines| lines.insert(2, lines[1].clone())),
            VERIFY,
            (2, "[book-not-read]"),
        ),
        row(
            "a line of the private texts is of a field that nobody knows",
            |p| {
                p.lines_in("store/books", |l| {
                    l[1] = l[1].replacen("\"field\":2", "\"field\":99", 1)
                })
            },
            VERIFY,
            (2, "[book-not-read]"),
        ),
    ]
}

/// Changes the last announced table beside the log, spelled as tables are.
fn table(place: &Place, change: impl FnOnce(&mut AnnouncedTable)) {
    place.lines_in("store/announced", |lines| {
        let last = lines.last_mut().expect("a table");
        let mut table = AnnouncedTable::from_line(last).expect("a table");
        change(&mut table);
        *last = table.to_line();
    });
}

/// Another label in a table, which is in no hash.
fn label(place: &Place, folder: &str) {
    place.lines_in(folder, |lines| {
        lines[0] = lines[0].replacen("\"Points\"", "\"Prize money\"", 1);
    });
}

/// `verify` says that a copy brings a table back, and it does; one of which there is no good copy is
/// left out, of a bundle too.
#[test]
fn an_altered_label_of_an_announced_table_comes_back_or_is_left_out() {
    let place = copied(truth());
    let says = |words: &[&str], code: i32, told: &str| {
        let said = place.desk.run(words);
        assert!(said.code == code && said.all().contains(told), "{words:?}: {}", said.all());
    };
    label(&place, "store/announced");
    says(VERIFY, 1, "[table-altered]");
    says(&["export", "--output", "label.bundle"], 0, "left out: 1 announced table");
    says(&["bundle", "verify", "label.bundle"], 0, "6 announced tables");
    says(&["restore", "--from", "stick"], 0, "read back");
    says(VERIFY, 0, "consistent");
    label(&place, "stick/announced");
    says(NEW, 0, "read back");
    says(&["--store", "new", "verify"], 0, "consistent");
}

/// Puts the state of another tournament in the place of this one's last, under its own header; the
/// hash is made right by whoever has this secret of the machine, or without any.
fn other_state(place: &Place, secret: Option<[u8; 32]>) {
    let below = |store: &str| place.only(&place.only(&format!("{store}/snapshots")));
    let (file, other) = (below("store"), place.read(&below("other")));
    place.bytes(&file, |bytes| {
        let mut forged = bytes[..72].to_vec();
        forged.extend_from_slice(&other[72..80]);
        let state = &other[112..];
        let mut hasher = match secret {
            Some(secret) => {
                let key = blake3::derive_key("scrutineer 2026 snapshot v2", &secret);
                blake3::Hasher::new_keyed(&key)
            }
            None => blake3::Hasher::new_derive_key("scrutineer 2026 snapshot v1"),
        };
        let hash = hasher.update(&forged).update(state).finalize();
        forged.extend_from_slice(hash.as_bytes());
        forged.extend_from_slice(state);
        *bytes = forged;
    });
}

/// The secret by which this machine knows its snapshots.
fn snapshot_secret(place: &Place) -> [u8; 32] {
    let keys = KeyFolder::new(Some(place.desk.path("keys")));
    keys.snapshot_secret().expect("readable").expect("a snapshot was taken")
}

#[test]
fn nobody_wins_by_a_snapshot_that_a_thief_of_the_store_plants() {
    let place = copied(truth());
    let asked: [&[&str]; 4] =
        [&["standings"], &["explain", "Ann"], &["pairings", "3"], &["standings", "--json"]];
    let told = |words: &[&str]| place.desk.run(words).out;
    let honest = asked.map(told);
    assert_ne!(told(&["--store", "other", "standings"]), honest[0], "others win there");
    for layout in [[1, 0, 0, 0], [2, 0, 0, 0]] {
        other_state(&place, None);
        place.bytes(&place.only(&place.only("store/snapshots")), |bytes| {
            bytes[8..12].copy_from_slice(&layout);
        });
        assert_eq!(asked.map(told), honest);
        other_state(&place, Some([0; 32]));
        assert_eq!(asked.map(told), honest);
    }
    // A machine without a secret of its own reads the log.
    fs::remove_file(place.desk.path("keys/snapshots")).expect("removed");
    assert_eq!(asked.map(told), honest);
    other_state(&place, None);
    assert_eq!(asked.map(told), honest);
}

fn tables_and_snapshots() -> Vec<Row> {
    vec![
        row(
            "a snapshot has the state of another tournament",
            |p| other_state(p, None),
            SPRING,
            (0, "[snapshot-unused]"),
        ),
        row(
            "a snapshot has the state of another tournament, and its hash is this machine's",
            |p| other_state(p, Some(snapshot_secret(p))),
            VERIFY,
            (1, "all else is: `scrutineer snapshots --drop`"),
        ),
        row(
            "the secret of snapshots is another one",
            |p| p.desk.write("keys/snapshots", b"scrutineer snapshots 1\n"),
            SPRING,
            (0, "[snapshot-unused]"),
        ),
        row(
            "two players change places in a table that was kept",
            |p| table(p, |t| (t.rows[0].1, t.rows[1].1) = (t.rows[1].1, t.rows[0].1)),
            VERIFY,
            (1, "[table-altered]"),
        ),
        row(
            "a player has more points in a table that was kept",
            |p| table(p, |t| t.rows[0].3[0] = Some("99".into())),
            SPRING,
            (1, "[table-altered]"),
        ),
        row(
            "the label of a measure is another in a table that was kept",
            |p| label(p, "store/announced"),
            VERIFY,
            (1, "[table-altered]"),
        ),
        row(
            "the tables of a store are taken out, and somebody exports",
            |p| fs::remove_file(p.desk.path(&p.only("store/announced"))).expect("removed"),
            &["export", "--output", "less.bundle"],
            (0, "not kept here as announced"),
        ),
        row(
            "a table of a store cannot be read, and somebody exports a page",
            |p| p.lines_in("store/announced", |lines| lines[1] = "{".into()),
            &["export", "--html", "--output", "less.html"],
            (0, "left out: 1 announced table"),
        ),
        row(
            "a store with another label in a table is backed up",
            |p| label(p, "store/announced"),
            BACKUP,
            (1, "is not the one announced"),
        ),
        row(
            "a table that was kept is of another round",
            |p| {
                p.lines_in("store/announced", |lines| {
                    let read = |line: &String| AnnouncedTable::from_line(line).expect("a table");
                    let other = read(&lines[0]);
                    let last = lines.len() - 1;
                    let announced = read(&lines[last]).announced;
                    lines[last] = AnnouncedTable { announced, ..other }.to_line();
                });
            },
            VERIFY,
            (1, "[table-altered]"),
        ),
        row(
            "the tables that were kept are those of another tournament",
            |p| p.desk.write(&p.only("store/announced"), &p.read(&p.only("other/announced"))),
            VERIFY,
            (1, "[table-altered]"),
        ),
    ]
}

/// Changes the last checkpoint of the store, signed with this key.
fn last_note(place: &Place, secret: [u8; 32], change: impl FnOnce(&mut Checkpoint)) {
    notes(place, |notes| {
        let last = notes.last_mut().expect("a checkpoint");
        let mut checkpoint = signed(last).checkpoint;
        change(&mut checkpoint);
        *last = sign(checkpoint, secret);
    });
}

/// Changes the checkpoints that the store keeps: each is a text, an empty line and signatures.
fn notes(place: &Place, change: impl FnOnce(&mut Vec<String>)) {
    let file = place.only("store/checkpoints");
    let text = place.text(&file);
    let pieces: Vec<&str> = text.trim_end().split("\n\n").collect();
    let mut all: Vec<String> =
        pieces.chunks(2).map(|pair| format!("{}\n\n{}\n", pair[0], pair[1])).collect();
    change(&mut all);
    let text: String = all.iter().map(|note| format!("{note}\n")).collect();
    place.desk.write(&file, text.as_bytes());
}

fn checkpoints() -> Vec<Row> {
    vec![
        row(
            "a checkpoint of the store is signed by a stranger",
            |p| last_note(p, STRANGER, |_| {}),
            VERIFY,
            (1, "[checkpoint-not-signed]"),
        ),
        row(
            "a checkpoint of the store has another root, signed by the organizer",
            |p| last_note(p, ORGANISER, |c| c.root[0] ^= 1),
            VERIFY,
            (1, "[log-forked]"),
        ),
        row(
            "a checkpoint of the store has more records than there are, signed by the organizer",
            |p| last_note(p, ORGANISER, |c| c.size += 1_000),
            SPRING,
            (1, "[log-shorter]"),
        ),
        row(
            "a checkpoint of the store names another time",
            |p| last_note(p, ORGANISER, |c| c.time.unix_micros += 1),
            VERIFY,
            (1, "[checkpoint-time]"),
        ),
        row(
            "the checkpoints of the store are those of another tournament",
            |p| p.desk.write(&p.only("store/checkpoints"), &p.read(&p.only("other/checkpoints"))),
            VERIFY,
            (1, "[checkpoint-other-tournament]"),
        ),
        row(
            "two checkpoints of the store are exchanged",
            |p| notes(p, |notes| notes.swap(0, 1)),
            VERIFY,
            (1, "[checkpoint-order]"),
        ),
        row(
            "a checkpoint of the store is no checkpoint",
            |p| notes(p, |notes| notes[0] = notes[0].replacen("\ntime ", "\nday ", 1)),
            VERIFY,
            (1, "[checkpoint-damaged]"),
        ),
    ]
}

/// Where the commands of a segment begin.
fn frames(bytes: &[u8]) -> Vec<usize> {
    let frames = bytes.windows(4).enumerate().filter(|(_, mark)| *mark == b"SCRF");
    frames.map(|(at, _)| at).collect()
}

const SEGMENT: &str = "store/journal/00000001.seg";

/// Turns a result of the last round round in the journal and makes the checksums of its frame right,
/// but leaves the hash that is kept beside the record, so that the chain still fits. What could be
/// compared with it is removed.
fn result_under_its_kept_hash(place: &Place) {
    let parts = Parts::of(&place.read("handover.bundle"));
    let record = &parts.records[parts.at("ResultRecorded", 4)];
    let mut event = parts.event(parts.at("ResultRecorded", 4));
    let Event::ResultRecorded(recorded) = &mut event else { panic!("a result") };
    recorded.result.score.seats.swap(0, 1);
    let payload = event.encode().expect("it fits");
    let forged = Record::seal(record.header(), &payload).expect("a record");
    let (old, new) = (record.bytes(), forged.bytes());
    assert!(old.len() == new.len() && old != new);
    place.bytes(SEGMENT, |bytes| {
        let at = bytes.windows(old.len()).position(|found| found == old).expect("the record");
        bytes[at..at + new.len()].copy_from_slice(new);
        let from = frames(bytes).into_iter().rfind(|from| *from < at).expect("its frame");
        checksums(&mut bytes[from..], from as u64);
    });
    let _ = fs::remove_dir_all(place.desk.path("store/sled"));
    fs::remove_dir_all(place.desk.path("store/snapshots")).expect("removed");
}

/// Makes the checksums of the first segment's frame right that stands at this place.
fn checksums(frame: &mut [u8], offset: u64) {
    let len = u32::from_le_bytes(frame[4..8].try_into().expect("four bytes")) as usize;
    let body = crc32c::crc32c(&frame[32..32 + len]);
    frame[24..28].copy_from_slice(&body.to_le_bytes());
    let place = crc32c::crc32c_append(crc32c::crc32c(&1u64.to_le_bytes()), &offset.to_le_bytes());
    let header = crc32c::crc32c_append(place, &frame[..28]);
    frame[28..32].copy_from_slice(&header.to_le_bytes());
}

fn under_the_kept_hash() -> Vec<Row> {
    let asked = |name, ask| row(name, result_under_its_kept_hash, ask, (2, "[journal-damaged]"));
    vec![
        asked("a result under its kept hash, and somebody asks for standings", STANDINGS),
        asked("a result under its kept hash, and somebody reads the log", &["log"]),
        asked(
            "a result under its kept hash, and somebody exports",
            &["export", "--output", "forged.bundle"],
        ),
        asked(
            "a result under its kept hash, and somebody proves",
            &["prove", "Ann", "--output", "forged.json"],
        ),
        asked(
            "a result under its kept hash, and a checkpoint is held against it",
            &["checkpoint", "--extends", "round-2.txt"],
        ),
        row(
            "a result under its kept hash, and somebody verifies",
            result_under_its_kept_hash,
            VERIFY,
            (1, "[journal-damaged]"),
        ),
        row(
            "a result under its kept hash, and somebody verifies one event",
            result_under_its_kept_hash,
            SPRING,
            (1, "[journal-damaged]"),
        ),
    ]
}

/// Flips a bit of what the keys remember to have signed last for the event.
fn signed_bit(place: &Place) {
    let stream = Parts::of(&place.read("handover.bundle")).stream;
    place.bytes(&format!("keys/signed/{stream}"), |bytes| bytes[60] ^= 1);
}

fn last_signed() -> Vec<Row> {
    let asked = |name, ask| row(name, signed_bit, ask, (2, "[signed-damaged]"));
    let verified = |name, ask| row(name, signed_bit, ask, (1, "[signed-damaged]"));
    vec![
        asked("a bit of what was signed last is another, and somebody signs", &["checkpoint"]),
        asked(
            "a bit of what was signed last is another, and somebody extends a checkpoint",
            &["checkpoint", "--extends", "round-1.txt"],
        ),
        asked(
            "a bit of what was signed last is another, and somebody proves",
            &["prove", "Bob", "--output", "again.json"],
        ),
        verified("a bit of what was signed last is another, and somebody verifies", VERIFY),
        verified(
            "a bit of what was signed last is another, and somebody verifies one event",
            SPRING,
        ),
    ]
}

/// Turns a result round, and chains all after it anew.
fn turned(parts: &mut Parts) {
    let at = parts.at("ResultRecorded", 4);
    parts.change(at, |event| {
        let Event::ResultRecorded(e) = event else { panic!("a result") };
        e.result.score.seats.swap(0, 1);
    });
}

/// Another history than the one that was signed, and no checkpoint is left but the one that the keys
/// remember.
pub fn other_history(place: &Place) {
    place.store(|parts| {
        turned(parts);
        parts.notes.clear();
    });
}

/// Another history than the one that was signed; the keys remember none of it.
fn another_result(place: &Place) {
    place.store(turned);
    fs::remove_dir_all(place.desk.path("keys/signed")).expect("removed");
}

/// The store as it stood before its end: whole commands are taken off, and every checkpoint.
fn shorter_history(place: &Place) {
    place.bytes(SEGMENT, |bytes| {
        let last = *frames(bytes).last().expect("a command");
        bytes.truncate(last);
    });
    for folder in ["sled", "snapshots", "checkpoints", "announced"] {
        let _ = fs::remove_dir_all(place.desk.path("store").join(folder));
    }
}

fn of_another_log() -> Vec<Row> {
    const OTHER: &str = "this is not the log that was signed here: ";
    vec![
        row("another history, and somebody looks", other_history, STANDINGS, (1, OTHER)),
        row("another history, and somebody reads the log", other_history, &["log"], (1, OTHER)),
        row("another history, and somebody lists players", other_history, &["players"], (1, OTHER)),
        row(
            "another history, and somebody exports",
            other_history,
            &["export", "--output", "other-history.bundle"],
            (1, OTHER),
        ),
        row(
            "another history, and somebody records",
            other_history,
            &["note", "the lamp of table 3 is dark"],
            (1, "nothing was recorded"),
        ),
        row(
            "a result is another, and somebody verifies the log as it stood between two checkpoints",
            another_result,
            AS_OF_30,
            (1, "[log-forked]"),
        ),
        row("a shorter history, and somebody looks", shorter_history, STANDINGS, (1, OTHER)),
        row(
            "a shorter history, and somebody records",
            shorter_history,
            &["note", "the lamp of table 3 is dark"],
            (1, "nothing was recorded"),
        ),
    ]
}

/// Nothing is left of the records, nor of what comes only with them.
fn records_gone(place: &Place) {
    for folder in ["journal", "sled", "checkpoints", "announced"] {
        let _ = fs::remove_dir_all(place.desk.path("store").join(folder));
    }
}

fn journals() -> Vec<Row> {
    vec![
        row(
            "a bit of the journal is another",
            |p| p.bytes(SEGMENT, |bytes| bytes[200] ^= 1),
            VERIFY,
            (2, "[journal-damaged]"),
        ),
        row(
            "a bit of the journal is another, and somebody only reads",
            |p| p.bytes(SEGMENT, |bytes| bytes[5_000] ^= 1),
            STANDINGS,
            (2, "[journal-damaged]"),
        ),
        row(
            "the journal is cut off in the middle of a command",
            |p| p.bytes(SEGMENT, |bytes| bytes.truncate(bytes.len() - 10)),
            VERIFY,
            (2, "[journal-damaged]"),
        ),
        row(
            "the journal is cut off behind a whole command",
            |p| {
                p.bytes(SEGMENT, |bytes| {
                    let last = frames(bytes).pop().expect("a frame");
                    bytes.truncate(last);
                });
            },
            VERIFY,
            (1, "[log-shorter]"),
        ),
        row(
            "a command of the journal is taken out",
            |p| {
                p.bytes(SEGMENT, |bytes| {
                    let frames = frames(bytes);
                    drop(bytes.drain(frames[3]..frames[4]));
                });
            },
            VERIFY,
            (2, "[journal-damaged]"),
        ),
        row(
            "the journal is taken out",
            |p| fs::remove_dir_all(p.desk.path("store/journal")).expect("removed"),
            STANDINGS,
            (2, "[journal-damaged]"),
        ),
        row(
            "the end of the journal is taken out, and the tables announced there are not",
            |p| {
                p.bytes(SEGMENT, |bytes| {
                    let from = frames(bytes);
                    bytes.truncate(from[from.len() - 2]);
                });
                for folder in ["store/sled", "store/snapshots", "store/checkpoints", "keys/signed"]
                {
                    let _ = fs::remove_dir_all(p.desk.path(folder));
                }
            },
            VERIFY,
            (1, "[table-not-announced]"),
        ),
        row(
            "the journal, the checkpoints and the tables are taken out",
            records_gone,
            VERIFY,
            (1, "still named in books, exports, secrets, snapshots"),
        ),
        row(
            "the checkpoints of a backup are taken out",
            |p| fs::remove_dir_all(p.desk.path("stick/checkpoints")).expect("removed"),
            NEW,
            (0, "no checkpoint is there to hold against"),
        ),
        row(
            "a bit of a checkpoint is another, and somebody exports",
            |p| last_note(p, STRANGER, |_| {}),
            &["export", "--output", "refused.bundle"],
            (1, "[checkpoint-not-signed]"),
        ),
        row(
            "a bit of a checkpoint is another, and somebody exports a page",
            |p| last_note(p, STRANGER, |_| {}),
            &["export", "--html", "--output", "refused.html"],
            (1, "[checkpoint-not-signed]"),
        ),
        row(
            "a name is another one, and somebody exports a roster",
            |p| p.lines_in("store/books", |l| l[1] = l[1].replacen("\"Ann\"", "\"Eva\"", 1)),
            &["export", "--roster", "--output", "less-names.bundle"],
            (0, "it lacks 1 private entry"),
        ),
        row(
            "the journal is that of another store",
            |p| p.desk.write(SEGMENT, &p.read("other/journal/00000001.seg")),
            VERIFY,
            (2, "[journal-damaged]"),
        ),
        row(
            "the store says that it is another one",
            |p| p.replace("store/FORMAT", "id ", "id 0"),
            VERIFY,
            (2, "[store-not-opened]"),
        ),
        row(
            "the store says that it is of a later version",
            |p| p.replace("store/FORMAT", "store 1", "store 2"),
            STANDINGS,
            (2, "[store-not-opened]"),
        ),
    ]
}

fn copies() -> Vec<Row> {
    vec![
        row(
            "a bit of a backup's journal is another",
            |p| p.bytes("stick/journal/00000001.seg", |bytes| bytes[5_000] ^= 1),
            NEW,
            (2, "[copy-damaged]"),
        ),
        row(
            "a backup has lost its end",
            |p| {
                p.bytes("stick/journal/00000001.seg", |bytes| {
                    let last = frames(bytes).pop().expect("a frame");
                    bytes.truncate(last);
                });
            },
            NEW,
            (1, "was signed"),
        ),
        row(
            "a name in a backup is another one",
            |p| p.lines_in("stick/books", |l| l[1] = l[1].replacen("\"Ann\"", "\"Eva\"", 1)),
            NEW,
            (1, "commits to"),
        ),
        row(
            "a name in a backup is erased",
            |p| erased(p, "stick/books"),
            NEW,
            (1, "one text is whole in none of them"),
        ),
        row(
            "a store with an altered name is backed up",
            |p| p.lines_in("store/books", |l| l[1] = l[1].replacen("\"Ann\"", "\"Eva\"", 1)),
            BACKUP,
            (1, "commits to"),
        ),
        row(
            "a store with a checkpoint of a stranger is backed up",
            |p| last_note(p, STRANGER, |_| {}),
            BACKUP,
            (1, "no signature that holds"),
        ),
    ]
}
