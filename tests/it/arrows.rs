//! The arrows between the modules of a crate, read from its source: siblings use each other one way.
//! A child may name its parent's types.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// The crates and where their modules lie.
const CRATES: [(&str, &str); 10] = [
    ("engine", "engine/src"),
    ("store", "store/src"),
    ("postgres", "store/postgres/src"),
    ("projections", "projections/src"),
    ("pairing", "pairing/src"),
    ("formats", "formats/src"),
    ("replay", "replay/src"),
    ("desk", "desk/src"),
    ("server", "server/src"),
    ("cli", "cli"),
];

type Module = Vec<String>;

fn files(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("readable").path();
        if path.is_dir() {
            files(&path, found);
        } else if path.extension().is_some_and(|end| end == "rs") {
            found.push(path);
        }
    }
}

/// The modules of a crate with their code, but for tests.
fn modules(folder: &Path) -> BTreeMap<Module, String> {
    let mut found = Vec::new();
    files(folder, &mut found);
    let mut modules = BTreeMap::new();
    for file in found {
        let inside = file.strip_prefix(folder).expect("inside").with_extension("");
        let mut module: Module =
            inside.iter().map(|part| part.to_string_lossy().into_owned()).collect();
        if module.iter().any(|part| part.ends_with("tests") || part == "kit") {
            continue;
        }
        if module == ["lib"] || module == ["main"] {
            module.clear();
        }
        let text = fs::read_to_string(&file).expect("a text");
        let text = text.split("#[cfg(test)]\nmod ").next().unwrap_or_default();
        let code = |line: &str| line.split("//").next().unwrap_or_default().to_string();
        modules.insert(module, text.lines().map(code).collect::<Vec<_>>().join("\n"));
    }
    modules
}

/// `a::{b, c::d}` as `a::b` and `a::c::d`.
fn spread(path: &str, found: &mut Vec<String>) {
    let path = path.trim();
    let Some((before, rest)) = path.split_once('{') else {
        found.push(path.to_string());
        return;
    };
    let inner = rest.rsplit_once('}').map_or(rest, |(inner, _)| inner);
    let (mut depth, mut from) = (0, 0);
    let comma = inner.char_indices().chain([(inner.len(), ',')]);
    for (at, c) in comma {
        match c {
            '{' => depth += 1,
            '}' => depth -= 1,
            ',' if depth == 0 => {
                if !inner[from..at].trim().is_empty() {
                    spread(&format!("{before}{}", inner[from..at].trim()), found);
                }
                from = at + 1;
            }
            _ => {}
        }
    }
}

/// Every path that a module names.
fn paths(code: &str) -> Vec<String> {
    let mut found = Vec::new();
    for part in code.split("use ").skip(1) {
        if let Some((path, _)) = part.split_once(';') {
            spread(path, &mut found);
        }
    }
    let is_path = |c: char| c.is_alphanumeric() || c == '_' || c == ':';
    let inline = code.split(|c: char| !is_path(c)).filter(|word| {
        ["crate::", "super::", "self::"].iter().any(|start| word.starts_with(start))
    });
    found.extend(inline.map(str::to_string));
    found
}

/// The module that a path leads to, seen from this one.
fn target(modules: &BTreeMap<Module, String>, own: &Module, path: &str) -> Option<Module> {
    let mut parts: Vec<&str> = path.split("::").map(str::trim).collect();
    let mut at: Module = match parts.first().copied()? {
        "crate" => Vec::new(),
        "self" | "super" => own.clone(),
        child => {
            let mut named = own.clone();
            named.push(child.to_string());
            return modules.contains_key(&named).then_some(named);
        }
    };
    if parts[0] != "super" {
        parts.remove(0);
    }
    while parts.first() == Some(&"super") {
        at.pop();
        parts.remove(0);
    }
    for part in parts {
        let mut next = at.clone();
        next.push(part.to_string());
        if !modules.contains_key(&next) {
            break;
        }
        at = next;
    }
    Some(at)
}

/// Whether one module leads to another.
fn leads(arrows: &BTreeMap<String, BTreeSet<String>>, from: &str, to: &str) -> bool {
    let (mut seen, mut next) = (BTreeSet::new(), vec![from]);
    while let Some(at) = next.pop() {
        for used in arrows.get(at).into_iter().flatten() {
            if used == to {
                return true;
            }
            if seen.insert(used) {
                next.push(used);
            }
        }
    }
    false
}

/// The circles of a crate, each as the names of those that use each other.
fn circles(name: &str, folder: &Path) -> BTreeSet<String> {
    let modules = modules(folder);
    let mut arrows: BTreeMap<Module, BTreeMap<String, BTreeSet<String>>> = BTreeMap::new();
    for (own, code) in &modules {
        for path in paths(code) {
            let Some(used) = target(&modules, own, &path) else { continue };
            let shared = own.iter().zip(&used).take_while(|(a, b)| a == b).count();
            if let (Some(from), Some(to)) = (own.get(shared), used.get(shared)) {
                let siblings = arrows.entry(own[..shared].to_vec()).or_default();
                siblings.entry(from.clone()).or_default().insert(to.clone());
            }
        }
    }
    let mut found = BTreeSet::new();
    for (parent, arrows) in &arrows {
        for one in arrows.keys().filter(|one| leads(arrows, one, one)) {
            let is_in = |other: &&String| leads(arrows, one, other) && leads(arrows, other, one);
            let circle: Vec<&str> = arrows.keys().filter(is_in).map(String::as_str).collect();
            let parent = parent.iter().map(|part| format!("{part}::")).collect::<String>();
            found.insert(format!("{name}: {parent}{}", circle.join(", ")));
        }
    }
    found
}

#[test]
fn siblings_use_each_other_one_way() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let found: BTreeSet<String> =
        CRATES.iter().flat_map(|(name, folder)| circles(name, &root.join(folder))).collect();
    assert_eq!(found, BTreeSet::new(), "these use each other");
}

#[test]
fn a_circle_is_found() {
    let folder = tempfile::tempdir().expect("a folder");
    let write =
        |name: &str, text: &str| fs::write(folder.path().join(name), text).expect("written");
    write("lib.rs", "mod a;\nmod b;\nmod c;\n");
    write("a.rs", "use crate::{b::B, c};\n");
    write("b.rs", "fn f() { super::a::g() }\n");
    write("c.rs", "use std::fs;\n");
    assert_eq!(circles("x", folder.path()), BTreeSet::from(["x: a, b".to_string()]));
}
