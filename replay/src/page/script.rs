//! The verifier's modules as one script. A page cannot import from files beside it, so each module
//! becomes a function that gives what it exports, in the order in which they build on each other.

use scrutineer_engine::record::RecordHash;
use scrutineer_projections::ruleset::shipped_hashes;
use std::fmt::Write;

macro_rules! modules {
    ($($name:literal)+) => { [$(($name, include_str!(concat!("../../page/", $name)))),+] };
}

const MODULES: [(&str, &str); 22] = modules! {
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
};

/// What the page itself does with them.
const PAGE: &str = include_str!("../../page/page.js");

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
    script.push_str("const MODULES = {};\n");
    for (name, module) in MODULES {
        let (code, exports) = (own(name, module), exports(module).join(", "));
        // Writing to a string cannot fail.
        let _ = writeln!(
            script,
            "MODULES['{name}'] = (() => {{\n{code}return {{ {exports} }};\n}})();"
        );
    }
    let _ = write!(script, "(() => {{\n{}}})();\n}})();\n", own("page.js", PAGE));
    script
}

/// A module's code, in which what it imports is taken from the modules before it. Lines that are
/// comments are left out: they stand in the source.
fn own(name: &str, module: &str) -> String {
    let mut own = String::with_capacity(module.len());
    let mut import = String::new();
    let mut in_comment = false;
    for line in module.lines() {
        let start = line.trim_start();
        let is_comment = in_comment || start.starts_with("//") || start.starts_with("/*");
        in_comment = (in_comment || start.starts_with("/*")) && !line.contains("*/");
        let is_list = line.starts_with("export {");
        // Behind the end of a comment code may stand.
        if is_list || start.is_empty() || (is_comment && (in_comment || ends_as_comment(start))) {
            continue;
        }
        if line.starts_with("import ") || !import.is_empty() {
            import.push_str(line);
            if import.ends_with(';') {
                own.push_str(&taken(name, &import));
                import.clear();
            }
            continue;
        }
        own.push_str(line.strip_prefix("export ").unwrap_or(line));
        own.push('\n');
    }
    own
}

/// Whether nothing stands behind a comment in its last line.
fn ends_as_comment(start: &str) -> bool {
    start.starts_with("//") || start.trim_end().ends_with("*/")
}

/// `import { a as b } from "./c.js";` in a script.
fn taken(name: &str, import: &str) -> String {
    let import = import.replace('\'', "\"");
    let (what, from) = import.split_once(" from \"./").unwrap_or_default();
    let what = what.trim_start_matches("import ").replace("* as ", "").replace(" as ", ": ");
    let folder = name.rfind('/').map_or("", |end| &name[..=end]);
    format!("const {what} = MODULES['{folder}{}'];\n", from.trim_end_matches("\";"))
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
        let line = line.trim_start_matches("async ");
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
        let module = "import {\n  a, b as z,\n} from './x.js';\nimport * as y from \"./y.js\";\n// One.\nexport const c = a;\n/** Two\n * lines. */\nexport class D {}\n/* no */ const e = 1;\nexport async function f() {}\nexport { e, };\n";
        assert_eq!(exports(module), ["c", "D", "f", "e"]);
        assert_eq!(
            own("of/it.js", module),
            "const {  a, b: z,} = MODULES['of/x.js'];\nconst y = MODULES['of/y.js'];\nconst c = a;\nclass D {}\n/* no */ const e = 1;\nasync function f() {}\n"
        );
    }

    #[test]
    fn nothing_ends_the_script() {
        let script = inline("<script></script><!--").to_lowercase();
        assert!(!script.contains("</script") && !script.contains("<!--"));
        assert!(!script.contains("import ") && !script.contains("export "));
    }

    /// Each import names a module that stands before, so that it is there.
    #[test]
    fn the_modules_stand_in_their_order() {
        let mut before: Vec<String> = Vec::new();
        for (name, module) in MODULES.into_iter().chain([("page.js", PAGE)]) {
            let code = own(name, module);
            for line in code.lines().filter(|line| line.contains("MODULES['")) {
                let from = line.split('\'').nth(1).expect("a module").to_string();
                assert!(before.contains(&from), "{name} imports {from}, which stands behind it");
            }
            before.push(name.to_string());
        }
    }
}
