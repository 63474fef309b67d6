//! Every program in `examples` runs to its end.

use std::fs;
use std::path::Path;
use std::process::Command;

#[test]
fn every_example_runs() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples");
    let mut names: Vec<String> = fs::read_dir(folder)
        .expect("examples")
        .map(|file| {
            file.expect("a file").path().file_stem().expect("a name").to_string_lossy().into()
        })
        .collect();
    names.sort();
    assert!(names.len() >= 12, "{names:?}");
    // As the tests themselves are built: with the features of one package alone all of it would be built anew.
    let built = Command::new(env!("CARGO"))
        .args(["build", "--workspace", "--quiet", "--offline", "--examples"])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .expect("cargo runs");
    assert!(built.status.success(), "{}", String::from_utf8_lossy(&built.stderr));
    let programs = Path::new(env!("CARGO_BIN_EXE_scrutineer")).with_file_name("examples");
    for name in names {
        let said = Command::new(programs.join(&name))
            .current_dir(env!("CARGO_MANIFEST_DIR"))
            .output()
            .expect("it runs");
        assert!(said.status.success(), "{name}: {}", String::from_utf8_lossy(&said.stderr));
        assert!(!said.stdout.is_empty(), "{name} says nothing");
    }
}
