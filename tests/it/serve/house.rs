//! Who may do what comes back with the store: links, sessions and tokens in backups and mirrors.

use super::client::{Server, friday, rehearsed};
use crate::cli::desk::Desk;

/// A link that may be used many times.
fn link(server: &Server) -> String {
    let made = server.local("POST", "/api/v1/links", r#"{"role":"judge"}"#);
    made.json()["path"].as_str().expect("a path").to_string()
}

/// Serves the store of a folder in which nothing else is.
fn elsewhere(from: &Desk, copy: &str) -> Desk {
    let desk = Desk::new();
    let copy = from.path(copy).display().to_string();
    rehearsed(&desk, &["restore", "--from", &copy]);
    desk
}

#[test]
fn a_backup_beside_a_running_server_has_who_may_do_what_of_this_moment() {
    let desk = friday();
    let server = Server::of(&desk);
    let (token, link) = (server.token("scorekeeper"), link(&server));
    rehearsed(&desk, &["backup", "copy"]);
    let later = server.token("scorekeeper");
    let restored = elsewhere(&desk, "copy");
    let there = Server::of(&restored);
    let order = r#"{"order":"result","slip":"1 2-0"}"#;
    assert_eq!(there.order(&token, "k", order).status, 201);
    assert_eq!(there.get(&link).status, 200);
    assert_eq!(there.order(&later, "k", order).code(), "sign-in");
    // The server goes on with its own.
    assert_eq!(server.order(&later, "k", order).status, 201);
}

#[test]
fn a_backup_after_a_kill_has_it_too_and_so_has_a_mirror_after_an_end_in_order() {
    let desk = friday();
    let mut server = Server::with(&desk, &["--mirror", "mirror"]);
    let token = server.token("scorekeeper");
    server.kill();
    rehearsed(&desk, &["backup", "copy"]);
    let order = r#"{"order":"result","slip":"1 2-0"}"#;
    let there = elsewhere(&desk, "copy");
    assert_eq!(Server::of(&there).order(&token, "k", order).status, 201);
    Server::of(&desk).stop();
    rehearsed(&desk, &["note", "a bag was found"]);
    let there = elsewhere(&desk, "mirror");
    assert_eq!(Server::of(&there).order(&token, "k", order).status, 201);
}

#[test]
fn a_store_that_is_set_aside_gives_its_own_and_not_that_of_an_older_copy() {
    let desk = friday();
    let server = Server::of(&desk);
    rehearsed(&desk, &["backup", "copy"]);
    let token = server.token("scorekeeper");
    server.stop();
    // A round's records are gone from the store, as after a disk that lost them.
    std::fs::remove_dir_all(desk.path("store/journal")).expect("removed");
    std::fs::remove_dir_all(desk.path("store/sled")).expect("removed");
    let said = desk.run(&["restore", "--from", "copy"]);
    assert!(said.out.contains("is brought back"), "{}", said.all());
    let server = Server::of(&desk);
    assert_eq!(server.order(&token, "k", r#"{"order":"note","text":"here"}"#).status, 201);
}

/// Beside a running server it did nothing, and did not say so.
#[test]
fn a_mirror_that_a_command_names_is_kept_by_the_server_that_has_the_store() {
    let desk = friday();
    let server = Server::with(&desk, &["--mirror", "first"]);
    let kept = || std::fs::read_to_string(desk.path("store/mirror")).unwrap_or_default();
    rehearsed(&desk, &["--mirror", "stick", "note", "a bag was found"]);
    assert!(kept().contains("/stick\n"), "{}", kept());
    // One that cannot be written is refused before anything is recorded.
    let said = desk.run(&["--mirror", "/proc/nowhere", "note", "not this"]);
    assert!(said.err.contains("mirror-away") && said.code == 2, "{}", said.all());
    let token = server.token("scorekeeper");
    let done = server.order(&token, "k", r#"{"order":"note","text":"over the network"}"#);
    assert_eq!(done.status, 201, "{done:?}");
    server.stop();
    let log = rehearsed(&elsewhere(&desk, "stick"), &["log"]);
    assert!(log.contains("a bag was found") && log.contains("over the network"), "{log}");
    assert!(!log.contains("not this"), "{log}");
    // The environment says it as well, and `none` ends it.
    let _server = Server::of(&desk);
    let mut command = desk.command(&["log"]);
    command.env("SCRUTINEER_MIRROR", "other");
    assert!(command.output().expect("it runs").status.success());
    assert!(kept().contains("/other\n"), "{}", kept());
    rehearsed(&desk, &["--mirror", "none", "note", "the stick goes home"]);
    assert_eq!(kept(), "");
}
