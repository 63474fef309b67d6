//! The sessions of tests/scripts.

use super::script;
use std::path::{Path, PathBuf};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/scripts")
}

macro_rules! sessions {
    ($($name:ident),+ $(,)?) => {
        $(
            #[test]
            fn $name() {
                script::run(&folder().join(concat!(stringify!($name), ".txt")));
            }
        )+

        const NAMES: &[&str] = &[$(stringify!($name)),+];
    };
}

sessions! {
    demo,
    csv_kinds,
    csv_phases,
    csv_wargame,
    unfinished,
    cut_and_floor,
    explain,
    compare,
    events,
    import_again,
    check_standings,
    log_and_verify,
    names,
    refused_rulesets,
    rules,
    wide_names,
    desk_bracket,
    desk_event,
    desk_json,
    desk_pods,
    desk_refusals,
    desk_results,
    desk_signup,
    desk_tables,
    desk_undo,
}

#[test]
fn every_file_is_a_session_that_runs() {
    let names = std::fs::read_dir(folder()).expect("the folder").map(|entry| {
        let path = entry.expect("readable").path();
        path.file_stem().expect("a name").to_string_lossy().into_owned()
    });
    let mut names: Vec<String> = names.collect();
    names.sort();
    let mut listed = NAMES.to_vec();
    listed.sort();
    assert_eq!(names, listed);
}
