//! The verifier's modules as one script. A page cannot import from files beside it, so each module
//! becomes a function that gives what it exports, in the order in which they build on each other.

use scrutineer_engine::record::RecordHash;
use scrutineer_projections::ruleset::shipped_hashes;
use std::fmt::Write;

const MODULES: [(&str, &str); 15] = [
    ("bytes.js", include_str!("../../../page/bytes.js")),
    ("blake3.js", include_str!("../../../page/blake3.js")),
    ("sha2.js", include_str!("../../../page/sha2.js")),
    ("vendor/noble-ed25519.js", include_str!("../../../page/vendor/noble-ed25519.js")),
    ("payload.js", include_str!("../../../page/payload.js")),
    ("events.js", include_str!("../../../page/events.js")),
    ("record.js", include_str!("../../../page/record.js")),
    ("tree.js", include_str!("../../../page/tree.js")),
    ("note.js", include_str!("../../../page/note.js")),
    ("table.js", include_str!("../../../page/table.js")),
    ("checkpoint.js", include_str!("../../../page/checkpoint.js")),
    ("bundle.js", include_str!("../../../page/bundle.js")),
    ("known.js", include_str!("../../../page/known.js")),
    ("verifier.js", include_str!("../../../page/verifier.js")),
    ("shown.js", include_str!("../../../page/shown.js")),
];

/// What the page itself does with them.
const PAGE: &str = include_str!("../../../page/page.js");

/// The script, which draws the page in its frame.
pub fn inline(frame: &str) -> String {
    // Nothing in it ends the script.
    let frame = serde_json::Value::from(frame).to_string().replace('<', "\\u003c");
    let hashes = shipped_hashes().iter().map(|hash| RecordHash(*hash).to_string());
    let shipped = serde_json::Value::from(hashes.collect::<Vec<String>>());
    let mut script =
        format!("(() => {{\n'use strict';\nconst FRAME = {frame};\nconst SHIPPED = {shipped};\n");
    for (name, module) in MODULES {
        let exports = given(name, module).join(", ");
        for line in LICENCE.1.lines().filter(|_| LICENCE.0 == name) {
            script.push_str(&format!("// {line}\n"));
        }
        // Writing to a string cannot fail.
        let _ = write!(
            script,
            "// {name}\nconst {{ {exports} }} = (() => {{\n{}return {{ {exports} }};\n}})();\n",
            without_modules(module)
        );
    }
    let _ = write!(script, "// page.js\n(() => {{\n{}}})();\n}})();\n", without_modules(PAGE));
    script
}

/// A module's own lines: what it imports stands around it, what it exports is returned.
fn without_modules(module: &str) -> String {
    let mut own = String::with_capacity(module.len());
    let mut in_import = false;
    for line in module.lines() {
        in_import |= line.starts_with("import ");
        let is_list = line.starts_with("export {");
        if !in_import && !is_list {
            own.push_str(line.strip_prefix("export ").unwrap_or(line));
            own.push('\n');
        }
        in_import &= !line.ends_with(';');
    }
    own
}

/// What others use of a module from elsewhere, which exports more.
const OF_OTHERS: [(&str, &[&str]); 1] = [("vendor/noble-ed25519.js", &["hashes", "verify"])];

/// What their authors ask to be told with every copy.
const LICENCE: (&str, &str) =
    ("vendor/noble-ed25519.js", include_str!("../../../page/vendor/noble-ed25519.LICENSE"));

/// The names that are there for the modules behind this one.
fn given(name: &str, module: &'static str) -> Vec<&'static str> {
    let chosen = OF_OTHERS.iter().find(|(other, _)| *other == name);
    chosen.map_or_else(|| exports(module), |(_, names)| names.to_vec())
}

/// The names that a module exports.
fn exports(module: &str) -> Vec<&str> {
    let mut names = Vec::new();
    for line in module.lines().filter_map(|line| line.strip_prefix("export ")) {
        if let Some(list) = line.strip_prefix('{') {
            let list = list.trim_end_matches(';').trim_end_matches('}');
            names.extend(list.split(',').map(str::trim).filter(|name| !name.is_empty()));
            continue;
        }
        let word = line.split(|c: char| !c.is_alphanumeric() && c != '_').nth(1);
        names.extend(word);
    }
    names
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_module_gives_what_it_exports_and_keeps_its_lines() {
        let module = "import {\n  a, b,\n} from './x.js';\nexport const c = a;\nexport class D {}\nconst e = 1;\nexport function f() {}\nexport { e, };\n";
        assert_eq!(exports(module), ["c", "D", "f", "e"]);
        assert_eq!(
            without_modules(module),
            "const c = a;\nclass D {}\nconst e = 1;\nfunction f() {}\n"
        );
    }

    #[test]
    fn no_two_modules_export_one_name_and_nothing_ends_the_script() {
        let mut names: Vec<&str> =
            MODULES.iter().flat_map(|(name, module)| given(name, module)).collect();
        let all = names.len();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), all, "{names:?}");
        let script = inline("<script></script><!--").to_lowercase();
        assert!(!script.contains("</script") && !script.contains("<!--"));
    }

    /// Each import names a module that stands before, so that it is there.
    #[test]
    fn the_modules_stand_in_their_order() {
        let mut before: Vec<&str> = Vec::new();
        for (name, module) in MODULES.into_iter().chain([("page.js", PAGE)]) {
            let code = module.lines().filter(|line| !line.trim_start().starts_with("import *"));
            for line in code.filter(|line| line.contains(" from './")) {
                let from = line.split("'./").nth(1).and_then(|rest| rest.split('\'').next());
                let from = from.expect("a file");
                assert!(before.contains(&from), "{name} imports {from}, which stands behind it");
            }
            before.push(name);
        }
    }
}
