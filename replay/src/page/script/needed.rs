//! Of modules only what the last one needs: of other people's libraries a page has use for a half.
//!
//! A module is read line by line. What stands at the left edge begins a statement: an import, an export, or
//! the declaration of names. A statement is needed where one that is needed has its name as a word, or where it
//! declares nothing.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

/// A module as its statements.
#[derive(Default)]
struct Module<'a> {
    name: &'a str,
    /// Each with the names that it declares.
    statements: Vec<(Vec<String>, String)>,
    /// By the name that it has here: the module, and its name there; none for all that the module has.
    imports: BTreeMap<String, (String, Option<String>)>,
}

/// Where something is declared: a module by its place, and a statement in it.
type At = (usize, usize);

/// Returns the code of each module without what the last one does not need, by its name. What is left of a
/// module takes what it imports from `MODULES`, and returns what others import.
pub fn only<'a>(modules: impl IntoIterator<Item = (&'a str, &'a str)>) -> Vec<(&'a str, String)> {
    let modules: Vec<Module<'_>> =
        modules.into_iter().map(|(name, code)| Module::read(name, code)).collect();
    let last = modules.len() - 1;
    let mut exports = vec![BTreeSet::new(); modules.len()];
    let mut imports = vec![BTreeSet::new(); modules.len()];
    let all = modules.iter().enumerate().flat_map(|(at, module)| {
        module.statements.iter().enumerate().map(move |(one, (names, _))| ((at, one), names))
    });
    // What declares nothing does something.
    let at_once = all.filter(|((at, _), names)| *at == last || names.is_empty());
    let mut waiting: Vec<At> = at_once.map(|(at, _)| at).collect();
    let mut needed: BTreeSet<At> = waiting.iter().copied().collect();
    while let Some((at, statement)) = waiting.pop() {
        for (is_part, word) in words(&modules[at].statements[statement].1) {
            let mut found = Vec::new();
            if !is_part {
                found.push((at, word));
            }
            // Of a module that is imported whole its parts are named.
            let whole =
                modules[at].imports.iter().filter(|(_, (_, name))| is_part && name.is_none());
            for (own, (from, _)) in whole {
                imports[at].insert(own.clone());
                found.extend(place(&modules, from).map(|from| (from, word)));
            }
            // What is imported may be handed on from a third one.
            while let Some((of, word)) = found.pop() {
                if of != at {
                    exports[of].insert(word.to_string());
                }
                if let Some((from, Some(name))) = modules[of].imports.get(word) {
                    imports[of].insert(word.to_string());
                    found.extend(place(&modules, from).map(|from| (from, &name[..])));
                }
                let declares =
                    |(names, _): &(Vec<String>, String)| names.iter().any(|one| one == word);
                let declared =
                    modules[of].statements.iter().position(declares).map(|one| (of, one));
                waiting.extend(declared.filter(|declared| needed.insert(*declared)));
            }
        }
    }
    let code = |(at, module): (usize, &Module<'a>)| {
        let is_there = |name: &&String| {
            let names = module.statements.iter().flat_map(|(names, _)| names);
            module.imports.contains_key(*name) || names.into_iter().any(|one| one == *name)
        };
        let exports: Vec<&str> =
            exports[at].iter().filter(is_there).map(|name| &name[..]).collect();
        let statements = (0..module.statements.len()).filter(|one| needed.contains(&(at, *one)));
        let mut code = module.taken(&imports[at]);
        statements.for_each(|one| code.push_str(&module.statements[one].1));
        if at != last {
            // Writing to a string cannot fail.
            let _ = writeln!(code, "return {{ {} }};", exports.join(", "));
        }
        (module.name, code)
    };
    modules.iter().enumerate().map(code).collect()
}

fn place(modules: &[Module<'_>], name: &str) -> Option<usize> {
    modules.iter().position(|module| module.name == name)
}

impl<'a> Module<'a> {
    fn read(name: &'a str, code: &str) -> Module<'a> {
        let mut module = Module { name, ..Module::default() };
        let mut import = String::new();
        for line in lines(code) {
            if line.starts_with("import ") || !import.is_empty() {
                import.push_str(line);
                if import.ends_with(';') {
                    module.import(&std::mem::take(&mut import));
                }
                continue;
            }
            // What a list exports is known by its names.
            if line.starts_with("export {") {
                continue;
            }
            let line = line.strip_prefix("export ").unwrap_or(line);
            let begins = !line.starts_with([' ', '\t', '}', ')', ']']);
            match module.statements.last_mut() {
                // What was begun goes on until it ends.
                Some((_, code)) if !begins || !code.ends_with([';', '}']) => {
                    code.push('\n');
                    code.push_str(line.trim_start());
                }
                _ => module.statements.push((Vec::new(), line.to_string())),
            }
        }
        for (names, code) in &mut module.statements {
            *names = declared(code);
            code.push('\n');
        }
        module
    }

    /// Reads `import { a as b } from "./c.js";` or `import * as b from "./c.js";`.
    fn import(&mut self, text: &str) {
        let text = text.replace('\'', "\"");
        let (what, from) = text.split_once(" from \"./").unwrap_or_default();
        let folder = self.name.rfind('/').map_or("", |end| &self.name[..=end]);
        let from = format!("{folder}{}", from.trim_end_matches("\";"));
        let what = what.trim_start_matches("import").trim().trim_matches(['{', '}']);
        for one in what.split(',').map(str::trim).filter(|one| !one.is_empty()) {
            let (there, own) = one.split_once(" as ").unwrap_or((one, one));
            let there = Some(there.to_string()).filter(|there| there != "*");
            self.imports.insert(own.to_string(), (from.clone(), there));
        }
    }

    /// What of its imports is needed, taken from the modules before it.
    fn taken(&self, needed: &BTreeSet<String>) -> String {
        let mut by_module: BTreeMap<&str, Vec<String>> = BTreeMap::new();
        let mut code = String::new();
        for (own, (from, there)) in self.imports.iter().filter(|(own, _)| needed.contains(*own)) {
            match there {
                None => code.push_str(&format!("const {own} = MODULES['{from}'];\n")),
                Some(there) if there == own => {
                    by_module.entry(from).or_default().push(own.clone());
                }
                Some(there) => by_module.entry(from).or_default().push(format!("{there}: {own}")),
            }
        }
        for (from, names) in by_module {
            code.push_str(&format!("const {{ {} }} = MODULES['{from}'];\n", names.join(", ")));
        }
        code
    }
}

/// The names that a statement declares.
fn declared(code: &str) -> Vec<String> {
    let code = code.strip_prefix("async ").unwrap_or(code);
    let (kind, rest) = code.split_once(' ').unwrap_or_default();
    let head = match kind {
        "const" | "let" => rest.split_once('=').map_or(rest, |(head, _)| head),
        "function" | "class" => rest.split(['(', ' ']).next().unwrap_or_default(),
        _ => return Vec::new(),
    };
    words(head).map(|(_, word)| word.to_string()).collect()
}

/// The words of code, each with whether it stands behind a point, as part of something else.
fn words(code: &str) -> impl Iterator<Item = (bool, &str)> {
    let is_letter = |letter: char| letter.is_alphanumeric() || letter == '_' || letter == '$';
    let mut rest = code;
    std::iter::from_fn(move || {
        let start = rest.find(is_letter)?;
        let (before, from) = rest.split_at(start);
        let (word, after) = from.split_at(from.find(|one| !is_letter(one)).unwrap_or(from.len()));
        rest = after;
        Some((before.ends_with('.') && !before.ends_with("..."), word))
    })
}

/// The lines of code without comments, which stand in the source.
fn lines(code: &str) -> impl Iterator<Item = &str> {
    let mut in_comment = false;
    code.lines().filter_map(move |line| {
        let start = line.trim_start();
        let is_comment = in_comment || start.starts_with("//") || start.starts_with("/*");
        in_comment = (in_comment || start.starts_with("/*")) && !line.contains("*/");
        let is_over = start.starts_with("//") || start.trim_end().ends_with("*/");
        // Behind the end of a comment code may stand.
        let is_left_out = start.is_empty() || is_comment && (in_comment || is_over);
        (!is_left_out).then(|| without_comment(line))
    })
}

/// A line without the comment behind its code; what stands in quotes is none.
fn without_comment(line: &str) -> &str {
    let is_code = |at: usize| {
        let before = &line[..at];
        ['\'', '"', '`'].iter().all(|quote| before.matches(*quote).count() % 2 == 0)
    };
    let comment = line.match_indices(" // ").map(|(at, _)| at).find(|at| is_code(*at));
    comment.map_or(line, |at| line[..at].trim_end())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_nobody_needs_is_left_out_and_what_is_needed_is_there() {
        let first = "/** One. */\nexport const a = 1;\nexport const b = a + 1; // two\nexport function c() {\n  return '// ' + d;\n}\nconst d = 4;\nd.e = a;\nexport { d };\n";
        let second = "import {\n  a as z, d,\n} from './first.js';\nimport * as all from \"./first.js\";\nexport { d };\n// No.\nexport const used = () => {\n  return z + all.c();\n};\nexport async function unused() {}\nexport const e = f(1,\n/* no */ 2);\n";
        let third = "import { used, d, e } from './of/second.js';\nused(d, 'b', e);\n";
        let modules = [("of/first.js", first), ("of/second.js", second), ("third.js", third)];
        let only = only(modules);
        assert_eq!(only[0], ("of/first.js", "const a = 1;\nfunction c() {\nreturn '// ' + d;\n}\nconst d = 4;\nd.e = a;\nreturn { a, c, d };\n".into()));
        assert_eq!(only[1], ("of/second.js", "const all = MODULES['of/first.js'];\nconst { d, a: z } = MODULES['of/first.js'];\nconst used = () => {\nreturn z + all.c();\n};\nconst e = f(1,\n/* no */ 2);\nreturn { d, e, used };\n".into()));
        assert_eq!(
            only[2],
            (
                "third.js",
                "const { d, e, used } = MODULES['of/second.js'];\nused(d, 'b', e);\n".into()
            )
        );
    }

    /// Lines are taken without what stands before them, which a text over more than one line would miss.
    #[test]
    fn no_text_goes_over_more_than_one_line() {
        for (name, code) in super::super::MODULES {
            for line in lines(code) {
                assert!(line.matches('`').count() % 2 == 0, "{name}: {line}");
            }
        }
    }
}
