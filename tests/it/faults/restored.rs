//! The hour after: what `restore` gives back, what it says is gone, and what it leaves alone.

use super::{Place, Said, copy, newer};
use std::fs;
use std::path::{Path, PathBuf};

fn playing() -> Place {
    let place = Place::new();
    place.does(&["keys", "new"]);
    place.does(&["new", "Friday", "--rules", "mtr", "--mirror", "stick"]);
    place.does(&["enroll", "Ann", "Bob", "Cid", "Dee"]);
    place.does(&["pair"]);
    place
}

/// A round further: with an announced table and a checkpoint of it.
fn with_a_round() -> Place {
    let place = playing();
    place.does(&["result", "1", "2-0"]);
    place.does(&["result", "2", "2-0"]);
    place.does(&["pair"]);
    place
}

/// The files below a folder of the place.
fn files(place: &Place, folder: &str) -> Vec<PathBuf> {
    let listed = fs::read_dir(place.path(folder)).expect("a folder");
    let mut files: Vec<PathBuf> = listed.map(|entry| entry.expect("readable").path()).collect();
    files.sort();
    files
}

fn only(place: &Place, folder: &str) -> PathBuf {
    let files = files(place, folder);
    assert_eq!(files.len(), 1, "{files:?}");
    files[0].clone()
}

fn alter(file: &Path, from: &str, to: &str) {
    let text = fs::read_to_string(file).expect("readable");
    assert!(text.contains(from), "{text}");
    fs::write(file, text.replacen(from, to, 1)).expect("written");
}

fn flip(file: &Path, from_the_end: usize) {
    let mut bytes = fs::read(file).expect("readable");
    let place = bytes.len() - from_the_end;
    bytes[place] ^= 1;
    fs::write(file, bytes).expect("written");
}

fn said(said: &Said, code: i32, what: &str) {
    assert_eq!(said.code(), Some(code), "{}", said.all());
    assert!(said.all().contains(what), "{what}: {}", said.all());
}

#[test]
fn results_that_only_sled_still_knows_of_are_told_as_lost() {
    let place = playing();
    fs::rename(place.path("stick"), place.path("away")).expect("renamed");
    place.does(&["result", "1", "2-0"]);
    place.does(&["result", "2", "2-1"]);
    fs::rename(place.path("away"), place.path("stick")).expect("renamed");
    for file in files(&place, "store/journal") {
        fs::remove_file(file).expect("removed");
    }
    said(&place.run(&["standings"]), 2, "mirror-ahead");
    let restored = place.run(&["restore", "--from", "stick"]);
    said(&restored, 1, "not brought back: records 10 to 11 of tournament");
    // Told, it is what there is, and goes on.
    place.does(&["result", "1", "2-0"]);
}

#[test]
fn a_journal_that_ends_too_early_is_not_in_order() {
    let place = playing();
    place.does(&["--mirror", "none", "standings"]);
    copy(&place.path("stick/journal"), &place.path("earlier"));
    place.does(&["result", "1", "2-0"]);
    place.does(&["backup", "later"]);
    fs::remove_dir_all(place.path("store/journal")).expect("removed");
    copy(&place.path("earlier"), &place.path("store/journal"));
    said(&place.run(&["standings"]), 2, "sled has records to 10");
    said(&place.run(&["restore", "--from", "later"]), 0, "brought back");
    place.does(&["result", "2", "2-0"]);
}

/// Found by an operator, whose nightly backups were each "not in order" the day after.
#[test]
fn a_backup_is_in_order_however_much_was_signed_since() {
    let place = with_a_round();
    place.does(&["backup", "night"]);
    place.does(&["result", "1", "2-0"]);
    place.does(&["result", "2", "2-0"]);
    place.does(&["pair"]);
    let looked = place.run(&["verify", "--store", "night"]);
    said(&looked, 0, "it is a shorter copy");
}

#[test]
fn a_copy_that_is_looked_at_signs_nothing() {
    let place = playing();
    place.does(&["backup", "before"]);
    place.does(&["result", "1", "2-0"]);
    place.does(&["result", "2", "2-0"]);
    place.does(&["pair"]);
    place.does(&["checkpoint"]);
    said(
        &place.does(&["--store", "look", "restore", "--from", "before"]),
        0,
        "checkpoint --restored",
    );
    place.does(&["result", "1", "2-0"]);
    place.does(&["checkpoint"]);
    let refused = place.run(&["checkpoint", "--restored", "--reason", "none"]);
    said(&refused, 1, "nothing-lost");
}

#[test]
fn a_name_comes_back_from_whichever_book_has_it_right() {
    for (in_copy, in_store) in [("Ann", "Bob"), ("Bob", "Ann")] {
        let place = playing();
        place.does(&["backup", "copy"]);
        alter(&only(&place, "copy/books"), in_copy, "Zoe");
        alter(&only(&place, "store/books"), in_store, "Yan");
        said(&place.run(&["verify"]), 1, "book-altered");
        let restored = place.run(&["restore", "--from", "copy"]);
        said(&restored, 0, "was damaged, and came from the other");
        let players = place.does(&["players"]).out;
        for name in ["Ann", "Bob", "Cid", "Dee"] {
            assert!(players.contains(name), "{players}");
        }
        said(&place.does(&["verify"]), 0, "ok");
    }
}

#[test]
fn a_name_that_both_books_have_wrong_takes_no_other_with_it() {
    let place = playing();
    place.does(&["backup", "copy"]);
    alter(&only(&place, "copy/books"), "Ann", "Zoe");
    alter(&only(&place, "store/books"), "Ann", "Yan");
    said(&place.run(&["restore", "--from", "copy"]), 1, "one text is whole in none of them");
    let players = place.does(&["players"]).out;
    for name in ["player ", "Bob", "Cid", "Dee"] {
        assert!(players.contains(name), "{players}");
    }
}

#[test]
fn a_damaged_line_takes_no_other_name_with_it() {
    let place = playing();
    place.does(&["backup", "copy"]);
    alter(&only(&place, "copy/books"), "{\"", "{'");
    let book = only(&place, "store/books");
    let text = fs::read_to_string(&book).expect("readable");
    let cid = text.lines().find(|line| line.contains("Cid")).expect("his line");
    fs::write(&book, text.replace(cid, &cid.replacen('{', "(", 1))).expect("written");
    said(&place.run(&["restore", "--from", "copy"]), 0, "came from the other");
    said(&place.does(&["players"]), 0, "Cid");
    said(&place.does(&["verify"]), 0, "ok");
    // In both the same line: that one is gone, and no other.
    place.does(&["backup", "second"]);
    for folder in ["second", "store"] {
        let book = only(&place, &format!("{folder}/books"));
        let text = fs::read_to_string(&book).expect("readable");
        let cid = text.lines().find(|line| line.contains("Cid")).expect("his line");
        fs::write(&book, text.replace(cid, &cid.replacen('{', "(", 1))).expect("written");
    }
    said(&place.run(&["restore", "--from", "second"]), 1, "one text is whole in none of them");
    said(&place.does(&["players"]), 0, "Dee");
}

#[test]
fn a_book_that_the_disk_does_not_give_comes_from_the_copy() {
    let place = playing();
    place.does(&["backup", "copy"]);
    let book = only(&place, "store/books");
    fs::remove_file(&book).expect("removed");
    fs::create_dir(&book).expect("something that is no file stands there");
    said(&place.run(&["restore", "--from", "copy"]), 0, "it is no plain file");
    let players = place.does(&["players"]).out;
    for name in ["Ann", "Bob", "Cid", "Dee"] {
        assert!(players.contains(name), "{players}");
    }
}

#[test]
fn a_backup_of_an_altered_name_says_so() {
    let place = playing();
    alter(&only(&place, "store/books"), "Ann", "Zoe");
    said(&place.run(&["backup", "copy"]), 1, "is not what its log commits to");
}

#[test]
fn a_backup_of_a_damaged_store_says_that_the_store_is_damaged() {
    let place = playing();
    flip(&place.path("store/journal/00000001.seg"), 40);
    let said = place.run(&["backup", "copy"]);
    assert_eq!(said.code(), Some(2), "{}", said.all());
    assert!(said.all().contains("journal-damaged"), "{}", said.all());
    assert!(said.all().contains("restore --from"), "{}", said.all());
    assert!(!place.path("copy").exists());
}

#[test]
fn a_damaged_secret_is_replaced_by_reseeding() {
    let place = playing();
    place.does(&["result", "1", "2-0"]);
    place.does(&["result", "2", "2-0"]);
    for (damage, place_in_file) in [(1, 5), (0x80, 30)] {
        let file = files(&place, "store/secrets").into_iter().find(|f| f.extension().is_none());
        let file = file.expect("its secrets");
        let mut bytes = fs::read(&file).expect("readable");
        let at = bytes.len() - place_in_file;
        bytes[at] = if damage == 1 { b'x' } else { bytes[at] | damage };
        fs::write(&file, bytes).expect("written");
        said(&place.does(&["verify", "--tournament", "Friday"]), 0, "[secret-missing]");
        said(&place.run(&["pair"]), 1, "no-secret");
        place.does(&["reseed", "--reason", "the file was damaged"]);
    }
    place.does(&["pair"]);
    assert!(!place.does(&["verify", "--tournament", "Friday"]).out.contains("secret-missing"));
}

#[test]
fn a_store_of_a_newer_version_is_not_put_in_order() {
    let place = playing();
    place.does(&["backup", "copy"]);
    let format = place.path("store/FORMAT");
    newer(&format);
    let before = fs::read(&format).expect("readable");
    said(&place.run(&["restore", "--from", "copy"]), 2, "newer version");
    assert_eq!(fs::read(&format).expect("readable"), before);
    assert!(!place.path("store.aside-1").exists());
}

#[test]
fn a_damaged_copy_and_a_damaged_store_give_one_that_is_whole() {
    let place = playing();
    place.does(&["backup", "copy"]);
    place.does(&["result", "1", "2-0"]);
    flip(&files(&place, "copy/journal").pop().expect("a segment"), 40);
    let segment = files(&place, "store/journal").into_iter().find(|f| f.ends_with("00000001.seg"));
    let segment = segment.expect("the first segment");
    let mut bytes = fs::read(&segment).expect("readable");
    bytes[300] ^= 1;
    fs::write(&segment, bytes).expect("written");
    said(&place.run(&["standings"]), 2, "damaged");
    said(&place.run(&["restore", "--from", "copy"]), 0, "brought back");
    said(&place.does(&["log"]), 0, "Ann");
    said(&place.does(&["verify"]), 0, "10 records");
}

#[test]
fn a_store_whose_format_is_gone_is_brought_back_and_not_begun_anew() {
    let place = playing();
    place.does(&["backup", "copy"]);
    place.does(&["result", "1", "2-0"]);
    fs::remove_file(place.path("store/FORMAT")).expect("removed");
    said(&place.run(&["standings"]), 2, "restore --from");
    said(&place.run(&["restore", "--from", "copy"]), 0, "1 command only in the store");
    said(&place.does(&["log"]), 0, "2-0");
}

#[test]
fn another_mirror_is_told_and_one_in_the_store_is_refused() {
    let place = Place::new();
    place.does(&["new", "Friday", "--rules", "mtr", "--mirror", "stick"]);
    let said = place.run(&["note", "late start", "--mirror", "store/stick"]);
    assert_eq!(said.code(), Some(2), "{}", said.all());
    assert!(said.err.contains("[mirror-inside-store]"), "{}", said.all());
    let said = place.does(&["note", "late start", "--mirror", "other"]);
    let told = said.err.contains("other from now on") && said.err.contains("stick stays as it is");
    assert!(told && said.err.contains("[mirror-replaced]"), "{}", said.all());
    let said = place.does(&["note", "a bell", "--mirror", "other"]);
    assert!(!said.err.contains("mirror"), "told once: {}", said.all());
}

#[test]
fn verify_says_how_the_mirror_stands() {
    let place = playing();
    said(&place.does(&["verify"]), 0, "stick: has every command, and every name that is here\n");
    fs::rename(place.path("stick"), place.path("away")).expect("renamed");
    place.does(&["result", "1", "2-0"]);
    let told = place.does(&["verify"]);
    said(&told, 0, "stick: not written: it is not there\n");
    assert!(
        !told.err.contains("mirror"),
        "told once, asked for as often as one likes: {}",
        told.err
    );
    said(
        &place.does(&["verify", "--tournament", "Friday"]),
        0,
        "stick: not written: it is not there\n",
    );
    said(&place.does(&["verify", "--json"]), 0, "\"away\":\"it is not there\"");
    fs::rename(place.path("away"), place.path("stick")).expect("renamed");
    said(&place.does(&["verify"]), 0, "stick: has every command, and every name that is here\n");
    place.does(&["tournaments", "--mirror", "none"]);
    assert!(!place.does(&["verify"]).all().contains("mirror"));
}

#[test]
fn a_checkpoint_whose_signature_broke_is_told_and_comes_back_from_the_mirror() {
    let place = with_a_round();
    let file = only(&place, "store/checkpoints");
    let text = fs::read_to_string(&file).expect("notes");
    let line = text.lines().rev().find(|line| line.starts_with('—')).expect("a signature");
    let at = text.rfind(line).expect("it is there") + line.len() - 20;
    let other = if &text[at..=at] == "A" { "B" } else { "A" };
    let broken = format!("{}{other}{}", &text[..at], &text[at + 1..]);
    fs::write(&file, broken).expect("written");
    assert_eq!(place.run(&["verify"]).code(), Some(1));
    let said = place.run(&["backup", "copy"]);
    assert_eq!(said.code(), Some(1), "{}", said.all());
    assert!(said.out.contains("no signature that holds"), "{}", said.all());
    let said = place.run(&["restore", "--from", "stick", "--store", "stick/in"]);
    assert!(said.err.contains("[copy-inside-store]"), "{}", said.all());
    place.does(&["restore", "--from", "stick"]);
    assert_eq!(place.does(&["verify"]).code(), Some(0));
}

#[test]
fn a_store_that_lost_its_journal_and_sled_is_not_begun_anew() {
    for (place, code) in [(playing(), "mirror-ahead"), (with_a_round(), "journal-damaged")] {
        let records = place.does(&["log", "--json"]).out.lines().count();
        fs::remove_dir_all(place.path("store/journal")).expect("removed");
        fs::remove_dir_all(place.path("store/sled")).expect("removed");
        said(&place.run(&["new", "Saturday", "--rules", "mtr"]), 2, code);
        said(&place.run(&["restore", "--from", "stick"]), 0, "brought back");
        assert_eq!(place.does(&["log", "--json"]).out.lines().count(), records);
        said(&place.does(&["verify"]), 0, "ok");
    }
}

#[test]
fn a_checkpoint_that_no_copy_has_whole_is_told() {
    let place = with_a_round();
    let file = only(&place, "stick/checkpoints");
    let text = fs::read_to_string(&file).expect("readable");
    let size = text.lines().nth(1).expect("how many records").to_string();
    alter(&file, &size, &format!("{size}0"));
    let restored = place.run(&["--store", "other", "restore", "--from", "stick"]);
    said(&restored, 1, "not brought back: a checkpoint of tournament");
    // The store still has it.
    said(&place.does(&["backup", "copy"]), 0, "checkpoint");
}

#[test]
fn a_table_that_cannot_be_read_is_told_and_comes_back() {
    let place = with_a_round();
    let file = only(&place, "store/announced");
    let text = fs::read_to_string(&file).expect("readable");
    fs::write(&file, text.replacen('{', "(", 1)).expect("written");
    said(&place.does(&["verify", "--tournament", "Friday"]), 0, "[table-unread]");
    said(&place.run(&["restore", "--from", "stick"]), 0, "brought back");
    assert_eq!(fs::read_to_string(only(&place, "store/announced")).expect("readable"), text);
    let verified = place.does(&["verify", "--tournament", "Friday"]);
    assert!(!verified.all().contains("table-unread"), "{}", verified.all());
}

#[test]
fn names_that_the_store_lost_are_told_and_come_back_from_the_mirror() {
    let place = playing();
    fs::rename(place.path("store/books"), place.path("gone")).expect("renamed");
    let told = place.run(&["verify"]);
    said(&told, 1, "[words-lost]");
    said(&place.run(&["note", "a bell"]), 0, "stick` brings them back.   [mirror-book]");
    said(&place.does(&["restore", "--from", "stick"]), 0, "brought back");
    said(&place.does(&["players"]), 0, "Ann");
    said(&place.does(&["verify"]), 0, "consistent");
}

#[test]
fn names_that_the_mirror_lacks_are_told_by_verify() {
    let place = playing();
    let book = only(&place, "stick/books");
    let mut bytes = fs::read(&book).expect("a book");
    bytes[150] ^= 1;
    fs::write(&book, bytes).expect("written");
    let told = place.does(&["verify"]);
    said(&told, 0, "has every command, and not all names of 1 tournament\n");
    said(&told, 0, "[names-not-mirrored]");
    fs::remove_file(&book).expect("removed, as told");
    place.does(&["result", "1", "2-0"]);
    said(&place.does(&["verify"]), 0, "has every command, and every name that is here\n");
}

#[test]
fn names_that_no_copy_has_are_told_as_not_brought_back() {
    let place = playing();
    fs::remove_file(only(&place, "stick/books")).expect("removed");
    let told = place.run(&["restore", "--from", "stick", "--store", "new"]);
    said(&told, 1, "not brought back: the names of tournament");
    said(&told, 1, "5 texts are whole in none of them");
}

#[test]
fn a_backup_keeps_the_names_that_are_whole() {
    let place = playing();
    let book = only(&place, "store/books");
    let mut lines: Vec<String> =
        fs::read_to_string(&book).expect("a book").lines().map(str::to_string).collect();
    lines[2] = lines[2].replacen('{', "[", 1);
    fs::write(&book, lines.join("\n") + "\n").expect("written");
    said(&place.run(&["backup", "copy"]), 1, "those that are whole were copied");
    let told = place.run(&["restore", "--from", "copy", "--store", "new"]);
    said(&told, 1, "one text is whole in none of them");
    let players = place.does(&["players", "--store", "new"]);
    assert!(["Ann", "Cid", "Dee"].iter().all(|name| players.out.contains(name)), "{}", players.out);
}

/// What `verify` finds beside the log, `restore` puts in order.
#[test]
fn what_is_altered_beside_the_log_comes_back_from_the_mirror() {
    let place = with_a_round();
    let table = only(&place, "store/announced");
    let checkpoint = only(&place, "store/checkpoints");
    let text = fs::read_to_string(&checkpoint).expect("a note");
    let named = text.lines().find(|line| line.starts_with('—')).expect("a signature");
    let other = named.replacen("scrutineer", "scrutjneer", 1);
    let signer = (&checkpoint, named.to_string(), other);
    let points = (&table, "[\"3\",".to_string(), "[\"4\",".to_string());
    for (file, from, to) in [signer, points] {
        alter(file, &from, &to);
        said(&place.run(&["verify"]), 1, "not in order");
        said(&place.does(&["restore", "--from", "stick"]), 0, "brought back");
        said(&place.does(&["verify"]), 0, "consistent");
    }
}

#[test]
fn a_mirror_whose_format_is_damaged_is_put_in_order() {
    let place = playing();
    let format = place.path("stick/FORMAT");
    let whole = fs::read(&format).expect("readable");
    flip(&format, 30);
    place.does(&["result", "1", "2-0"]);
    assert_eq!(fs::read(&format).expect("readable"), whole);
    said(&place.does(&["verify"]), 0, "has every command, and every name that is here\n");
}

#[test]
fn who_names_a_mirror_again_is_told_again() {
    let place = playing();
    fs::rename(place.path("stick"), place.path("away")).expect("renamed");
    said(&place.does(&["note", "one"]), 0, "[mirror-away]");
    assert!(!place.does(&["note", "two"]).err.contains("mirror"));
    for _ in 0..2 {
        said(&place.does(&["note", "three", "--mirror", "stick"]), 0, "[mirror-away]");
    }
    fs::rename(place.path("away"), place.path("stick")).expect("renamed");
    let back = place.does(&["note", "four"]);
    said(&back, 0, "[mirror-back]");
    let told = place.does(&["note", "five", "--mirror", "stick"]).err;
    assert!(!told.contains("mirror"), "{told}\nbefore it: {}", back.err);
}

#[test]
fn a_hint_to_restore_names_the_store_that_was_typed() {
    let place = playing();
    let segment = place.path("store/journal/00000001.seg");
    flip(&segment, 40);
    let told = place.run(&["standings", "--store", "store"]);
    said(&told, 2, "`scrutineer --store store restore --from <mirror or backup>`");
    said(&place.run(&["standings"]), 2, "`scrutineer restore --from <mirror or backup>`");
}

#[test]
fn nobody_is_forgotten_whose_names_are_lost() {
    let place = playing();
    fs::remove_dir_all(place.path("store/books")).expect("removed");
    said(&place.run(&["forget", "2", "--yes"]), 2, "[words-lost]");
    said(&place.does(&["restore", "--from", "stick"]), 0, "brought back");
    said(&place.does(&["forget", "2", "--yes"]), 0, "forgotten");
    assert!(!place.does(&["players"]).out.contains("Bob"));
}

/// A backup from before brings them back. It lacks the event by which they were forgotten, so the mirror
/// is ahead of it, and takes nothing from it.
#[test]
fn who_was_forgotten_in_the_mirror_is_not_written_there_again() {
    let place = playing();
    place.does(&["backup", "copy"]);
    place.does(&["forget", "2", "--yes"]);
    fs::rename(place.path("store"), place.path("lost")).expect("renamed");
    place.does(&["restore", "--from", "copy"]);
    said(&place.does(&["players"]), 0, "Bob");
    said(&place.run(&["note", "a bell", "--mirror", "stick"]), 2, "[mirror-ahead]");
    let names = fs::read_to_string(only(&place, "stick/books")).expect("a book");
    assert!(!names.contains("Bob"), "{names}");
    place.does(&["restore", "--from", "stick"]);
    assert!(!place.does(&["players"]).out.contains("Bob"));
    said(&place.does(&["verify"]), 0, "[words-forgotten]");
}

/// Whoever can write to the stick could have the store read without an end.
#[cfg(unix)]
#[test]
fn a_book_of_the_mirror_that_is_a_link_to_an_endless_file_is_not_read() {
    let place = with_a_round();
    for folder in ["stick/books", "stick/announced"] {
        for file in files(&place, folder) {
            fs::remove_file(&file).expect("removed");
            std::os::unix::fs::symlink("/dev/zero", &file).expect("a link");
        }
    }
    said(&place.does(&["note", "a bell"]), 0, "it is no plain file");
    said(&place.does(&["standings"]), 0, "Ann");
    let restored = place.run(&["--store", "new", "restore", "--from", "stick"]);
    said(&restored, 1, "");
    assert!(place.does(&["players"]).out.contains("Bob"));
}

/// Whoever can write in the store could have it read without an end.
#[cfg(unix)]
#[test]
fn secrets_that_are_a_link_to_an_endless_file_are_not_read() {
    let place = with_a_round();
    for file in files(&place, "store/secrets") {
        fs::remove_file(&file).expect("removed");
        std::os::unix::fs::symlink("/dev/zero", &file).expect("a link");
    }
    said(&place.run(&["verify"]), 0, "[secret-missing]");
    said(&place.run(&["export", "--handover", "--output", "all.bundle"]), 2, "[secret-not-kept]");
}
