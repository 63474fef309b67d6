//! How the standings computed agree with those that platforms published, on real events. Runs where
//! `SCRUTINEER_CORPUS` names their folder; `--nocapture` shows the table of docs/results/CONFORMANCE.md.

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
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/results/CONFORMANCE.md");
    std::fs::read_to_string(path).expect("docs/results/CONFORMANCE.md")
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

/// Whoever is in the cut, did not reach it, or the second day: each row, and the final places.
#[test]
fn melee_cut_37_of_39_events_are_whole() {
    let Some(corpus) = corpus() else { return };
    let rates = measure(&corpus, "melee_cut");
    assert_eq!((rates.files, rates.whole), (39, 37), "{:?}", rates.residue);
    assert_eq!((rates.rows, rates.matched, rates.stale), (1397, 1389, 4), "{:?}", rates.residue);
}

#[test]
fn melee_multiday_all_rows() {
    let Some(corpus) = corpus() else { return };
    let rates = measure(&corpus, "melee_multiday");
    assert_eq!((rates.rows, rates.matched, rates.same_rank), (2178, 2178, 2176));
}

#[test]
fn melee_single_elim_all_rows_but_stale_ones() {
    let Some(corpus) = corpus() else { return };
    let rates = measure(&corpus, "melee_single_elim");
    assert_eq!((rates.rows, rates.matched, rates.stale), (1271, 1094, 177));
    assert_eq!(rates.whole, 18, "{:?}", rates.residue);
}

#[test]
fn mtgo_places_of_all_who_were_in_a_top_eight() {
    let Some(corpus) = corpus() else { return };
    let rates = measure(&corpus, "mtgo_top8");
    assert_eq!((rates.places, rates.same_places, rates.rows), (56 * 8, 56 * 8, 0));
}

#[test]
fn cobra_places_after_a_double_elimination() {
    let Some(corpus) = corpus() else { return };
    let rates = measure(&corpus, "cobra");
    assert_eq!((rates.places, rates.same_places), (8, 8));
}

const FOLDERS: [&str; 9] = [
    "melee_swiss",
    "melee_cut",
    "melee_multiday",
    "melee_single_elim",
    "mtgo_top8",
    "cardsrealm",
    "manatraders",
    "topdeck",
    "cobra",
];

#[test]
fn the_table_of_all_rates_is_the_documents() {
    let Some(corpus) = corpus() else { return };
    let promised = FOLDERS.map(|folder| measure(&corpus, folder));
    let mut table = String::from(rates::HEAD);
    table.extend(promised.iter().map(Rates::line));
    table.push_str(&chess::lines(&corpus));
    println!("\n{table}");
    let document = document();
    let missing: Vec<&str> = table.lines().filter(|line| !document.contains(line)).collect();
    assert!(
        missing.is_empty(),
        "docs/results/CONFORMANCE.md does not say:\n{}",
        missing.join("\n")
    );
    let on_one_line = |file: &str, what: &str| {
        document.lines().any(|line| line.contains(file) && line.contains(what))
    };
    for (file, player) in promised.iter().flat_map(|rates| &rates.residue) {
        assert!(
            on_one_line(file, player),
            "docs/results/CONFORMANCE.md does not list {player} of {file}"
        );
    }
    for file in promised.iter().flat_map(|rates| &rates.other_gw) {
        assert!(
            on_one_line(file, "another GW%"),
            "docs/results/CONFORMANCE.md: {file}, another GW%"
        );
    }
    let unlike = promised.iter().flat_map(|rates| &rates.unlike);
    for (file, [stale, other_rank]) in unlike {
        let cells = format!("| {stale} | {other_rank} |");
        assert!(
            on_one_line(file, &cells),
            "docs/results/CONFORMANCE.md does not say {cells} of {file}"
        );
    }
}
