//! Side files: long ones, and secret ones.

use crate::server::{Server, options};
use scrutineer_engine::conformance::stream;
use scrutineer_engine::files::{FileError, Room, SideFile, SideFiles};
use scrutineer_postgres::{Key, KeyFrom, Options, PostgresLog};

#[test]
fn appending_to_a_long_file_writes_no_long_piece_again() {
    let Some(server) = Server::start() else { return };
    let log = server.log("open");
    let file = SideFile::of(Room::Announced, stream(1));
    let mut whole = Vec::new();
    for number in 0..400_u32 {
        let line = format!("{number:>100}\n");
        SideFiles::append(&log, file, whole.len() as u64, whole.len() as u64, line.as_bytes())
            .expect("appended");
        whole.extend_from_slice(line.as_bytes());
    }
    let long = vec![b'x'; 100_000];
    SideFiles::append(&log, file, whole.len() as u64, whole.len() as u64, &long).expect("appended");
    whole.extend_from_slice(&long);
    assert_eq!(log.get(file, u64::MAX), Ok(Some(whole.clone())));
    let pieces = "SELECT count(*), max(octet_length(bytes)) FROM scrutineer.side_pieces";
    let row = server.connect("open").query_one(pieces, &[]).expect("a row");
    let (pieces, longest): (i64, i32) = (row.get(0), row.get(1));
    assert_eq!((pieces, longest), (40_400 / 8_080 + 1, 100_000));

    // Cut in the middle of a piece, far from the end.
    SideFiles::append(&log, file, whole.len() as u64, 10_000, b"cut").expect("appended");
    whole.truncate(10_000);
    whole.extend_from_slice(b"cut");
    assert_eq!(log.get(file, u64::MAX), Ok(Some(whole.clone())));
    log.replace(file, Some(&whole), b"short").expect("replaced");
    assert_eq!(log.get(file, 5).map(|content| content.map(|content| content.len())), Ok(Some(5)));
}

#[test]
fn secrets_stand_encrypted_and_a_key_that_is_not_theirs_is_told() {
    let Some(server) = Server::start() else { return };
    let address = server.database("open");
    let with =
        |key| PostgresLog::open(address.clone(), Options { key, ..options() }).expect("it opens");
    let log = with(options().key);
    let file = SideFile::of(Room::Secrets, stream(1));
    log.replace(file, None, b"the secret of a draw").expect("written");
    SideFiles::append(&log, file, 20, 20, b" and more").expect("appended");
    assert_eq!(log.get(file, 29), Ok(Some(b"the secret of a draw and more".to_vec())));
    assert!(matches!(log.get(file, 28), Err(FileError::TooLong { .. })));
    assert_eq!(log.list(Room::Secrets, None), Ok(vec![(file, 29)]));

    let mut superuser = server.connect("open");
    let ask =
        "SELECT count(*) FROM scrutineer.side_pieces WHERE position('secret'::bytea IN bytes) > 0";
    assert_eq!(superuser.query_one(ask, &[]).expect("a row").get::<_, i64>(0), 0);

    // Another key, and none: the file is neither read nor written.
    let folder = tempfile::tempdir().expect("a folder");
    let own = folder.path().join("database.key");
    for (key, word) in [
        (KeyFrom::Given(Key::new().expect("a key")), "is encrypted under key"),
        (KeyFrom::Nowhere, "there is no key"),
        (KeyFrom::File(own.clone()), "there is no key"),
    ] {
        let other = with(key);
        let refused = [
            other.get(file, 100).map(|_| ()),
            other.replace(file, None, b"new"),
            SideFiles::append(&other, file, 29, 29, b"new"),
        ];
        for refused in refused {
            let error = refused.expect_err("refused");
            assert!(matches!(error, FileError::Key { .. }), "{error}");
            let text = error.to_string();
            assert!(text.contains(word) && text.contains("database.key"), "{text}");
        }
    }
    assert!(!own.exists(), "no node begins with a key of its own");
    std::fs::write(&own, format!("{}\n", "2a".repeat(32))).expect("written");
    assert_eq!(with(KeyFrom::File(own)).get(file, 29), log.get(file, 29));
    let moved = "UPDATE scrutineer.side_files SET number = 1; ";
    superuser
        .batch_execute(&format!(
            "SET session_replication_role = replica; {moved} \
             UPDATE scrutineer.side_pieces SET number = 1"
        ))
        .expect("moved");
    let error = log.get(file.numbered(1), 100).expect_err("refused");
    assert!(error.to_string().contains("moved there from another place"), "{error}");
    assert_eq!(log.get(file, 100), Ok(None));
}

#[test]
fn the_first_node_makes_the_key_and_the_others_are_told_to_bring_it() {
    let Some(server) = Server::start() else { return };
    let address = server.database("open");
    let folder = tempfile::tempdir().expect("a folder");
    let node = |name: &str| {
        let own = folder.path().join(name);
        std::fs::create_dir_all(&own).expect("a folder");
        let own = Options::of_node(&own).expect("a node");
        PostgresLog::open(address.clone(), own).expect("it opens")
    };
    let file = SideFile::of(Room::Secrets, stream(1));
    node("first").replace(file, None, b"secret").expect("written");
    let key = |name: &str| folder.path().join(name).join("database.key");
    assert!(key("first").exists() && !key("second").exists());
    let refused = node("second").get(file, 100).expect_err("refused");
    assert!(refused.to_string().contains("bring the file database.key"), "{refused}");
    std::fs::copy(key("first"), key("second")).expect("brought");
    assert_eq!(node("second").get(file, 100), Ok(Some(b"secret".to_vec())));
    assert!(folder.path().join("first").join("database.seen").exists());
}
