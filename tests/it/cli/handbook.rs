//! The examples of the handbooks are sessions that say what stands there.

use super::desk::Desk;
use super::script;
use std::fs;
use std::path::Path;

#[test]
fn the_examples_of_the_desk_s_handbook_say_what_stands_there() {
    play_examples("docs/DESK.md");
}

#[test]
fn the_examples_about_time_say_what_stands_there() {
    play_examples("docs/REPLAY.md");
}

#[test]
fn the_examples_of_the_publisher_s_handbook_say_what_stands_there() {
    play_examples("docs/SEASON.md");
}

#[test]
fn the_examples_about_bundles_say_what_stands_there() {
    play_examples("docs/TRUST.md");
}

/// Plays the console blocks of a document, one after another at one desk.
fn play_examples(document: &str) {
    play_document(document, &Desk::new(), &[]);
}

/// As [`play_examples`], at this desk. Each place that stands in the document is somewhere else here.
pub fn play_document(document: &str, desk: &Desk, places: &[(String, String)]) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(document);
    let mut text = fs::read_to_string(&path).expect("the handbook");
    places.iter().for_each(|(there, here)| text = text.replace(there, here));
    let (mut written, mut wrong) = (String::new(), String::new());
    let mut blocks = text.split("```console\n");
    written.push_str(blocks.next().unwrap_or(""));
    for block in blocks {
        let (session, after) = block.split_once("```").expect("a block ends");
        let (as_it_was, differs) = script::play(desk, session);
        written.push_str(&format!("```console\n{}\n```{after}", as_it_was.trim_end()));
        wrong.push_str(&differs);
    }
    if std::env::var_os("SCRUTINEER_REWRITE_SCRIPTS").is_some() {
        places.iter().for_each(|(there, here)| written = written.replace(here, there));
        fs::write(path, written).expect("written");
        return;
    }
    assert!(wrong.is_empty(), "{document} says something else:\n{wrong}");
    assert!(!text.contains("[exit 2]"), "every example of the handbook works");
}
