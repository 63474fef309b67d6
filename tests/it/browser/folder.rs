//! The public pages as files, opened from a disk.

use super::{has_libraries, is_there, root, told};
use crate::cli::desk::Desk;
use serde_json::json;
use std::process::Command;

#[test]
fn the_public_pages_open_from_a_disk_and_lead_to_each_other() {
    if !is_there("node") || !is_there("chromium") || !has_libraries() {
        return;
    }
    let desk = Desk::new();
    let run = |words: &[&str]| {
        let said = desk.run(words);
        assert_eq!(said.code, 0, "{words:?}: {}", said.all());
    };
    run(&["new", "Kranich", "--rules", "mtr", "--phase", "single-elimination"]);
    run(&[
        "enroll",
        "Ewa Wójcik",
        "مريم حداد",
        "Maximilian-Alexander Freiherr von Hohenlohe",
        "Jan",
    ]);
    run(&["pair"]);
    run(&["publish"]);
    run(&["result", "1", "2-0"]);
    run(&["result", "2", "1-2"]);
    run(&["pair"]);
    run(&["publish"]);
    run(&["publish-to", "site"]);
    let mut script = Command::new("node");
    script.current_dir(root().join("tests/browser")).args(["folder.mjs", "chromium"]);
    script.arg(desk.path("site"));
    if let Some(folder) = std::env::var_os("SCRUTINEER_SHOTS") {
        script.arg(root().join(folder));
    }
    let seen = told(&mut script);
    assert_eq!(seen["findings"], json!([]), "what is hard to see or to reach");
    assert_eq!(seen["checked"], "✓ Consistent in itself");
    let pages = seen["pages"].as_array().expect("a list");
    for page in ["bracket.html", "index.html", "log.html", "round-1.html", "standings-2.html"] {
        assert!(pages.contains(&json!(page)), "{page}: {pages:?}");
    }
}
