#![no_main]
//! One program for all targets, since each takes minutes to link: `FUZZ_TARGET` says which one runs. Without it
//! the names of all are printed.

use libfuzzer_sys::fuzz_target;
use std::sync::OnceLock;

static TARGET: OnceLock<scrutineer_fuzz::Target> = OnceLock::new();

fn chosen() -> scrutineer_fuzz::Target {
    let targets = scrutineer_fuzz::targets();
    let Some(asked) = std::env::var_os("FUZZ_TARGET") else {
        targets.iter().for_each(|(name, _)| println!("{name}"));
        std::process::exit(0);
    };
    let found = targets.into_iter().find(|(name, _)| asked == name.as_str());
    found.unwrap_or_else(|| panic!("there is no target {}", asked.display())).1
}

// Chosen at the beginning: the library takes a later end of the program for a fault.
fuzz_target!(init: { TARGET.get_or_init(chosen); }, |bytes: &[u8]| TARGET.get_or_init(chosen)(bytes));
