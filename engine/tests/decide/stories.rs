//! Reads `*.txt` beside this file: under each `## title` a tournament begins anew, and each line
//! is a question and its answer. `desk.rs` says what can be asked.

use std::collections::BTreeSet;

use scrutineer_engine::rejection::Rejection;

use crate::desk::Desk;

const SCRIPTS: [(&str, &str); 2] =
    [("stories.txt", include_str!("stories.txt")), ("refusals.txt", include_str!("refusals.txt"))];

#[test]
fn every_story_ends_as_it_is_told() {
    let mut wrong = Vec::new();
    for (file, text) in SCRIPTS {
        tell(file, text, &mut |_, line, answer, expected| {
            if answer != expected {
                wrong.push(format!("{line}\n    expected {expected}\n    but got  {answer}"));
            }
        });
    }
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

/// A code that no request can bring about would be a promise that nobody keeps.
#[test]
fn every_way_to_be_refused_occurs() {
    let mut seen = BTreeSet::new();
    for (file, text) in SCRIPTS {
        tell(file, text, &mut |_, _, answer, _| {
            seen.insert(answer.trim_matches(['[', ']']).to_owned());
        });
    }
    let never: Vec<_> = Rejection::CODES.iter().filter(|code| !seen.contains(code.word)).collect();
    assert!(never.is_empty(), "no line is refused with {never:?}");
}

/// Every way has its own code, and every code a sentence and a hint of what to do.
#[test]
fn codes_are_told_apart() {
    let codes: BTreeSet<_> = Rejection::CODES.iter().collect();
    assert_eq!(codes.len(), Rejection::CODES.len());
    let kebab = |c: char| c.is_ascii_lowercase() || c == '-';
    assert!(codes.iter().all(|code| code.word.chars().all(kebab)));
}

fn tell(file: &str, text: &str, check: &mut dyn FnMut(&Desk, String, &str, &str)) {
    let mut desk = Desk::default();
    for (number, line) in (1..).zip(text.lines()) {
        let place = format!("{file}:{number}: {line}");
        if line.starts_with("## ") {
            desk = Desk::default();
        } else if let Some((question, expected)) = line.split_once("->") {
            let answer = desk.ask(question.trim());
            check(&desk, place, &answer, expected.trim());
        } else if !line.is_empty() && !line.starts_with('#') {
            let answer = desk.ask(line.trim());
            assert!(answer.starts_with("ok"), "{place}\n    {answer}");
        }
    }
}
