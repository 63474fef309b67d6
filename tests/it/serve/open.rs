//! The desk in the browser of this machine: opened by `serve --open` and by a double click.

use super::client::{Server, friday};
use crate::cli::desk::{Desk, Said};
use std::net::TcpListener;
use std::os::unix::fs::PermissionsExt;
use std::process::Command;
use std::time::{Duration, Instant};

/// Puts a browser on the path that writes down what it is asked for.
fn with_browser(desk: &Desk, mut command: Command) -> Command {
    let script = format!("#!/bin/sh\necho \"$1\" >>{}\n", desk.path("opened").display());
    desk.write("bin/xdg-open", script.as_bytes());
    let browser = desk.path("bin/xdg-open");
    std::fs::set_permissions(&browser, PermissionsExt::from_mode(0o755)).expect("set");
    command.env("PATH", format!("{}:/usr/bin:/bin", desk.path("bin").display()));
    command
}

/// What the browser was asked for, once it is so much.
fn opened(desk: &Desk, pages: usize) -> Vec<String> {
    let end = Instant::now() + Duration::from_secs(60);
    loop {
        let text = std::fs::read_to_string(desk.path("opened")).unwrap_or_default();
        let found: Vec<String> = text.lines().map(str::to_owned).collect();
        if found.len() >= pages && text.ends_with('\n') {
            return found;
        }
        assert!(Instant::now() < end, "{pages} pages: {found:?}");
        std::thread::sleep(Duration::from_millis(20));
    }
}

#[test]
fn the_browser_opens_as_the_owners_and_a_second_start_opens_the_desk_that_runs() {
    let desk = friday();
    let open = |more: &[&str]| {
        let words = [&["serve", "--listen", "127.0.0.1:0", "--open"], more].concat();
        with_browser(&desk, desk.command(&words))
    };
    assert_eq!(desk.run(&["serve", "--is-up"]).code, 1, "none runs yet");
    let server = Server::started(&desk, open(&[]));
    let link = format!("http://{}{}", server.address, server.owner);
    assert_eq!(opened(&desk, 1), [link]);
    assert_eq!(desk.run(&["serve", "--is-up"]).code, 0);

    let room = format!("http://{}/", server.address);
    let again = Said::of(open(&[]).output().expect("it runs"));
    assert_eq!(again.out, format!("the desk runs already, at {room}\n"));
    assert_eq!(opened(&desk, 2)[1], room);

    // Where there is no browser, the address is there to be typed.
    let mut without = open(&[]);
    without.env("PATH", desk.path("nowhere"));
    let said = Said::of(without.output().expect("it runs"));
    assert!(said.err.contains(&format!("open {room} by hand")), "{}", said.all());
    server.stop();
    assert_eq!(desk.run(&["serve", "--is-up"]).code, 1, "it has ended");
}

#[test]
fn a_double_click_that_fails_stays_until_it_was_read() {
    let desk = Desk::new();
    let program = desk.path("scrutineer-desk");
    let built = env!("CARGO_BIN_EXE_scrutineer");
    if std::fs::hard_link(built, &program).is_err() {
        std::fs::copy(built, &program).expect("copied");
    }
    // Whoever has this port, it is not free.
    let _held = TcpListener::bind("127.0.0.1:7780");
    let mut clicked = Command::new(&program);
    clicked.env_clear().env("HOME", desk.path("home")).current_dir(desk.path(""));
    let said = desk.feed(with_browser(&desk, clicked), "\n");
    assert_eq!(said.code, 2, "{}", said.all());
    assert!(said.err.contains("[server-not-started]"), "{}", said.all());
    assert!(said.out.ends_with("Press Enter to close this window. "), "{}", said.all());
}
