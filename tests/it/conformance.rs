//! How the standings computed agree with those that platforms published, on real events. Runs where
//! `SCRUTINEER_CORPUS` names their folder; `--nocapture` shows the table of docs/CONFORMANCE.md.

mod chess;
mod rates;

use rates::{Rates, measure};
use std::path::{Path, PathBuf};

/// The folder of real events. Without one a test says that it skipped, and fails where nothing may
/// be skipped.
fn corpus() -> Option<PathBuf> {
    let folder = std::env::var_os("SCRUTINEER_CORPUS").map(PathBuf::from);
    if folder.is_none() {
        assert!(
            std::env::var_os("SCRUTINEER_NO_SKIPS").is_none(),
            "SCRUTINEER_CORPUS is not set, and nothing may be skipped here"
        );
        eprintln!("skipped: SCRUTINEER_CORPUS is not set");
    }
    folder
}

fn document() -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/CONFORMANCE.md");
    std::fs::read_to_string(path).expect("docs/CONFORMANCE.md")
}

/// At least this share of rows, in hundredths of a percent.
fn assert_share(rates: &Rates, least: usize) {
    let Rates { folder, rows, matched, .. } = rates;
    assert!(matched * 10_000 >= rows * least, "{folder}: {matched} of {rows}: {:?}", rates.residue);
}

#[test]
fn melee_swiss_163_of_164_events_are_whole() {
    let Some(corpus) = corpus() else { return };
    let rates = measure(&corpus, "melee_swiss");
    assert!(rates.files == 164 && rates.whole >= 163, "{:?}", rates.residue);
    assert_share(&rates, 9_980);
}

#[test]
fn cardsrealm_998_of_1000_rows() {
    let Some(corpus) = corpus() else { return };
    assert_share(&measure(&corpus, "cardsrealm"), 9_980);
}

#[test]
fn manatraders_all_rows() {
    let Some(corpus) = corpus() else { return };
    let rates = measure(&corpus, "manatraders");
    assert_eq!((rates.rows, rates.matched), (75, 75), "{:?}", rates.residue);
}

#[test]
fn topdeck_all_rows_but_one() {
    let Some(corpus) = corpus() else { return };
    let rates = measure(&corpus, "topdeck");
    assert_eq!(rates.rows - rates.matched, 1, "{:?}", rates.residue);
}

#[test]
fn cobra_all_rows_to_nine_digits() {
    let Some(corpus) = corpus() else { return };
    let rates = measure(&corpus, "cobra");
    assert!(rates.rows > 300 && rates.rows == rates.matched, "{:?}", rates.residue);
}

/// What has no rule yet is measured too, so that a change is seen. Nothing is promised of it.
const NOT_YET: [&str; 4] = ["melee_cut", "melee_multiday", "melee_single_elim", "mtgo_top8"];

#[test]
fn the_table_of_all_rates_is_the_documents() {
    let Some(corpus) = corpus() else { return };
    let promised = ["melee_swiss", "cardsrealm", "manatraders", "topdeck", "cobra"];
    let promised = promised.map(|folder| measure(&corpus, folder));
    let mut table = String::from(rates::HEAD);
    table.extend(promised.iter().map(Rates::line));
    table.push_str(&chess::lines(&corpus));
    table.extend(NOT_YET.map(|folder| measure(&corpus, folder).line()));
    println!("\n{table}");
    let document = document();
    let missing: Vec<&str> = table.lines().filter(|line| !document.contains(line)).collect();
    assert!(missing.is_empty(), "docs/CONFORMANCE.md does not say:\n{}", missing.join("\n"));
    for (file, player) in promised.iter().flat_map(|rates| &rates.residue) {
        let told = |line: &str| line.contains(&file[..]) && line.contains(&player[..]);
        assert!(document.lines().any(told), "docs/CONFORMANCE.md does not list {player} of {file}");
    }
}
