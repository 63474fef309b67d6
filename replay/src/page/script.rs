//! The verifier's modules as one script. A page cannot import from files beside it, so each module
//! becomes a function that gives what it exports, in the order in which they build on each other; what
//! the page has no use for is left out.

mod needed;

use scrutineer_engine::record::RecordHash;
use scrutineer_projections::ruleset::shipped_hashes;
use std::fmt::Write;

macro_rules! modules {
    ($($name:literal)+) => { [$(($name, include_str!(concat!("../../page/", $name)))),+] };
}

const MODULES: [(&str, &str); 23] = modules! {
    "bytes.js"
    "vendor/noble-hashes/utils.js"
    "vendor/noble-hashes/_u64.js"
    "vendor/noble-hashes/_md.js"
    "vendor/noble-hashes/_blake.js"
    "vendor/noble-hashes/blake2.js"
    "vendor/noble-hashes/blake3.js"
    "vendor/noble-hashes/sha2.js"
    "vendor/noble-ed25519.js"
    "hashes.js"
    "payload.js"
    "events.js"
    "record.js"
    "packed.js"
    "tree.js"
    "note.js"
    "table.js"
    "checkpoint.js"
    "bundle.js"
    "known.js"
    "verifier.js"
    "shown.js"
    "views.js"
};

/// What the page itself does with them.
const PAGE: &str = include_str!("../../page/page.js");
const PAGE_NAME: &str = "page.js";

/// What the authors of other people's modules ask to be told with every copy.
const LICENSES: [(&str, &str); 2] = modules! {
    "vendor/noble-hashes/LICENSE"
    "vendor/noble-ed25519.LICENSE"
};

/// The script, which draws the page in its frame.
pub fn inline(frame: &str) -> String {
    // Nothing in it ends the script.
    let frame = serde_json::Value::from(frame).to_string().replace('<', "\\u003c");
    let hashes = shipped_hashes().iter().map(|hash| RecordHash(*hash).to_string());
    let shipped = serde_json::Value::from(hashes.collect::<Vec<String>>());
    let mut script =
        format!("(() => {{\n'use strict';\nconst FRAME = {frame};\nconst SHIPPED = {shipped};\n");
    for (name, license) in LICENSES {
        let _ = writeln!(script, "// {name}");
        license.lines().for_each(|line| _ = writeln!(script, "// {line}"));
    }
    let needed = needed::only(MODULES.into_iter().chain([(PAGE_NAME, PAGE)]));
    script.push_str("const MODULES = {};\n");
    for (name, code) in needed {
        // Writing to a string cannot fail.
        let _ = match name {
            PAGE_NAME => write!(script, "{code}"),
            name => writeln!(script, "MODULES['{name}'] = (() => {{\n{code}}})();"),
        };
    }
    script.push_str("})();\n");
    script
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_ends_the_script() {
        let script = inline("<script></script><!--").to_lowercase();
        assert!(!script.contains("</script") && !script.contains("<!--"));
        assert!(!script.contains("import ") && !script.contains("export "));
    }

    /// Each import names a module that stands before, so that it is there.
    #[test]
    fn the_modules_stand_in_their_order() {
        let script = inline("");
        let mut before: Vec<&str> = Vec::new();
        for line in script.lines().filter(|line| line.contains("MODULES['")) {
            let name = line.split('\'').nth(1).expect("a module");
            match line.starts_with("MODULES") {
                true => before.push(name),
                false => assert!(before.contains(&name), "{name} stands behind {line}"),
            }
        }
        assert!(before.len() > 20, "{before:?}");
    }
}
