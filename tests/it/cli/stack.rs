//! A stack of slips: each has its answer before the next one is typed, and bad ones do no harm.

use super::desk::{Desk, Said};
use std::io::{BufRead, BufReader, Write};
use std::process::Stdio;

/// An event with so many players, paired and published.
fn paired(players: usize) -> Desk {
    let desk = Desk::new();
    let names: Vec<String> = (1..=players).map(|number| format!("Player {number:03}")).collect();
    desk.write("players.csv", format!("name\n{}\n", names.join("\n")).as_bytes());
    for words in [
        &["new", "Stack", "--rules", "mtr"][..],
        &["enroll", "--csv", "players.csv"],
        &["pair"],
        &["publish"],
    ] {
        let said = desk.run(words);
        assert_eq!(said.code, 0, "{words:?}: {}", said.all());
    }
    desk
}

#[test]
fn each_slip_is_answered_before_the_next_one_is_typed() {
    let desk = paired(8);
    let mut command = desk.command(&["result"]);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("it starts");
    let mut slips = child.stdin.take().expect("piped");
    let mut answers = BufReader::new(child.stdout.take().expect("piped")).lines();
    for table in 1..=4 {
        writeln!(slips, "{table} 2-1").expect("it reads");
        let answer = answers.next().expect("an answer").expect("a line");
        let left = if table == 4 { "is complete".into() } else { format!("{} left", 4 - table) };
        assert!(answer.starts_with(&format!("table {table}: ")), "{answer}");
        assert!(answer.contains(&left), "{answer}");
    }
    drop(slips);
    let rest: Vec<String> = answers.map(|line| line.expect("a line")).collect();
    assert_eq!(rest[0], "4 entered, 0 refused; round 1 is complete");
    let said = Said::of(child.wait_with_output().expect("it ends"));
    assert_eq!((said.code, said.err.as_str()), (0, ""));
}

#[test]
fn slips_saved_by_an_editor_on_windows_are_read() {
    let desk = paired(4);
    let said = desk.feed(desk.command(&["result"]), "\u{feff}1 2-1\r\n2 2-0\r\n");
    assert_eq!(said.code, 0, "{}", said.all());
    assert!(said.out.contains("2 entered, 0 refused; round 1 is complete"), "{}", said.all());
}

#[test]
fn lines_that_are_no_slips_are_refused_one_by_one() {
    let desk = paired(4);
    let long = "9".repeat(100_000);
    let mut slips = format!("{long}\n1 {}\n", "2-".repeat(700)).into_bytes();
    slips.extend(b"\xff\xfe 2-1\n\x1b[31m 2-1\n99999999999999999999 2-1\n1 99999999999-0\n");
    slips.extend(b"1 -1-2\n- 2\n=\n1 =\n1 place\n1 place 1\n1 w\n1 w-l-d\n#9 2-1\n1 2-1");
    let mut command = desk.command(&["result", "-"]);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("it starts");
    child.stdin.take().expect("piped").write_all(&slips).expect("it reads everything");
    let said = Said::of(child.wait_with_output().expect("it ends"));
    assert_eq!((said.code, said.err.as_str()), (1, ""), "{}", said.all());
    let refused = said.out.lines().filter(|line| line.starts_with("line ")).count();
    assert_eq!(refused, 15, "{}", said.out);
    assert!(said.out.contains("\n1 entered, 15 refused; 1 left in round 1\n"), "{}", said.out);
    assert!(!said.out.chars().any(|c| c.is_control() && c != '\n'), "{}", said.out);
}
