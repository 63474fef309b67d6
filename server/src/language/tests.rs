//! What holds of the messages: the languages have the same, and pages say nothing beside them.

use super::*;
use fluent_syntax::ast::{Entry, Expression, InlineExpression, Pattern, PatternElement};
use fluent_syntax::parser::parse;
use scrutineer_engine::event::{ByeKind, PairingReason};
use scrutineer_projections::ruleset::RoundKind;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// The variables of a message, and the forms between which each of them chooses.
type Shape = BTreeMap<String, BTreeSet<String>>;

fn look(pattern: &Pattern<&str>, shape: &mut Shape) {
    for element in &pattern.elements {
        let PatternElement::Placeable { expression } = element else { continue };
        let (selector, variants) = match expression {
            Expression::Inline(inline) => (inline, &[][..]),
            Expression::Select { selector, variants } => (selector, &variants[..]),
        };
        if let InlineExpression::VariableReference { id } = selector {
            let forms = shape.entry(id.name.to_string()).or_default();
            forms.extend(variants.iter().map(|one| format!("{:?}", one.key)));
        }
        variants.iter().for_each(|one| look(&one.value, shape));
    }
}

/// The messages of a language by their keys; a file that cannot be read in whole is none.
fn shapes(language: Language) -> BTreeMap<String, Shape> {
    let read = parse(language.file()).unwrap_or_else(|(_, why)| panic!("{language:?}: {why:?}"));
    let mut shapes = BTreeMap::new();
    for entry in &read.body {
        let Entry::Message(message) = entry else { continue };
        let mut shape = Shape::new();
        look(message.value.as_ref().expect("a value"), &mut shape);
        let before = shapes.insert(message.id.name.to_string(), shape);
        assert!(before.is_none(), "{language:?}: {} stands twice", message.id.name);
    }
    shapes
}

#[test]
fn every_language_has_the_same_keys_variables_and_forms() {
    let english = shapes(Language::English);
    assert!(english.len() > 150);
    for language in Language::ALL {
        let own = shapes(language);
        let missing: Vec<&String> = english.keys().filter(|key| !own.contains_key(*key)).collect();
        assert!(missing.is_empty(), "{language:?} lacks {missing:?}");
        for (key, shape) in own {
            let like = english.get(&key).unwrap_or_else(|| panic!("{language:?}: {key} is new"));
            assert_eq!(&shape, like, "{language:?}: {key}");
        }
    }
}

fn files(folder: &Path, ending: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            found.extend(files(&path, ending));
        } else if path.extension().is_some_and(|own| own == ending) {
            found.push(path);
        }
    }
    found
}

fn room(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(name)
}

/// All that is written in templates and sources, but for tests.
fn sources() -> String {
    let is_test = |path: &PathBuf| path.ends_with("language/tests.rs");
    let all = files(&room("templates"), "html").into_iter().chain(files(&room("src"), "rs"));
    let read = |path: PathBuf| std::fs::read_to_string(path).expect("text");
    all.filter(|path| !is_test(path)).map(read).collect::<Vec<_>>().join("\n")
}

#[test]
fn every_key_is_used_and_every_key_that_is_used_exists() {
    let (sources, keys) = (sources(), shapes(Language::English));
    // Keys that are put together: a list and a word of it.
    let lists = ["letter-", "word-", "refusal-"];
    let mut lists = BTreeSet::from(lists.map(str::to_string));
    let list = |at: &str| at.split('"').next().map(|list| format!("{list}-"));
    lists.extend(sources.split(".word(\"").skip(1).filter_map(list));
    for key in keys.keys() {
        let is_listed = lists.iter().any(|list| key.starts_with(list));
        assert!(is_listed || sources.contains(&format!("\"{key}\"")), "{key} is never used");
    }
    for call in [".t(\"", ".a(\"", ".b(\"", ".with(\""] {
        for used in sources.split(call).skip(1).filter_map(|at| at.split('"').next()) {
            assert!(keys.contains_key(used), "{used} is used and is no key");
        }
    }
}

#[test]
fn every_word_of_the_lists_that_are_known_has_its_message() {
    for language in Language::ALL {
        let keys = shapes(language);
        let has = |list: &str, word: &str| {
            let key = format!("{list}-{}", word.replace([' ', '_'], "-"));
            assert!(keys.contains_key(&key), "{language:?}: {key}");
        };
        PairingReason::ALL.iter().for_each(|reason| has("because", reason.word()));
        ByeKind::ALL.iter().for_each(|kind| has("bye", kind.word()));
        RoundKind::WORDS.iter().for_each(|(word, _)| has("kind", word));
    }
    assert_eq!(Language::German.word("because", "same points"), "gleiche Punkte");
    assert_eq!(Language::German.word("because", "their whim"), "their whim");
}

#[test]
fn numbers_choose_their_words_and_names_are_put_in_as_they_are() {
    assert_eq!(Language::English.a("players-n", "players", 1u8), "1 player");
    assert_eq!(Language::German.a("players-n", "players", 1_200u16), "1200 Spielende");
    assert_eq!(Language::German.points("1"), "1 Punkt");
    assert_eq!(Language::English.points("7.5"), "7.5 points");
    assert_eq!(Language::English.a("goes-on", "name", "<b>007"), "<b>007 goes on by ruling");
    assert_eq!(
        (Language::English.place(2), Language::German.place(2)),
        ("2nd".into(), "2.".into())
    );
}

/// What players read: pages, the screen, and what hangs on the wall or lies on tables; and pages of the staff in
/// every language.
const FOR_PLAYERS: [&str; 35] = [
    "frame",
    "round",
    "standings",
    "standings_table",
    "standings_others",
    "why",
    "bracket",
    "bracket_picture",
    "rules",
    "screen",
    "tournaments",
    "paper_head",
    "paper_foot",
    "print_names",
    "print_tables",
    "print_slips",
    "print_standings",
    "print_bracket",
    "print_cross",
    "print_poster",
    "print_badges",
    "player",
    "player_link",
    "log",
    "log_sentence",
    "audit",
    "reach",
    "sign_in",
    "join",
    "refused",
    "offline",
    "import",
    "import_file",
    "import_files",
    "export",
];

/// A template without what only the staff sees; each expression is a space.
fn shown_to_all(template: &str) -> String {
    let (mut shown, mut rest) = (String::new(), template);
    // For each block that is open: whether the staff alone sees it now, and whether after `else`.
    let mut open: Vec<(bool, bool)> = Vec::new();
    while let Some(at) = rest.find("{%").into_iter().chain(rest.find("{{")).min() {
        let hidden = open.iter().any(|(now, _)| *now);
        shown.push_str(if hidden { "" } else { &rest[..at] });
        let ends = if rest[at..].starts_with("{%") { "%}" } else { "}}" };
        let end = at + rest[at..].find(ends).expect("an end");
        let inner = rest[at + 2..end].trim();
        rest = &rest[end + 2..];
        let word = inner.split_whitespace().next().unwrap_or_default();
        match word {
            _ if ends == "}}" => shown.push(' '),
            "if" | "for" | "match" | "call" => {
                let is_staff = inner.contains("frame.is_staff") || inner.contains("is_staff");
                let others = inner.contains("!frame.is_staff") || inner.contains("!is_staff");
                let said = inner.contains("frame.message") || word == "call";
                open.push(((is_staff && !others) || said, others));
            }
            "else" => {
                let last = open.last_mut().expect("an open block");
                *last = (last.1, last.1);
            }
            "endif" | "endfor" | "endmatch" | "endcall" => {
                open.pop();
            }
            _ => {}
        }
    }
    shown + rest
}

/// Words that stand between tags and in what is read out.
fn words(html: &str) -> Vec<String> {
    let mut words = Vec::new();
    for (at, part) in html.split('<').enumerate() {
        let (tag, text) =
            if at == 0 { ("", part) } else { part.split_once('>').unwrap_or((part, "")) };
        let quoted = ["aria-label", "title", "placeholder", "alt", "data-words"].map(|name| {
            let value = tag.split(&format!(" {name}=\"")).nth(1);
            value.and_then(|value| value.split('"').next()).unwrap_or_default()
        });
        let has_letters = |text: &&str| text.chars().any(char::is_alphabetic);
        words.extend(quoted.into_iter().chain([text]).filter(has_letters).map(str::to_string));
    }
    words
}

#[test]
fn what_players_read_has_no_word_that_is_no_message() {
    for name in FOR_PLAYERS {
        let path = room("templates").join(format!("{name}.html"));
        let template = std::fs::read_to_string(path).expect(name);
        let found = words(&shown_to_all(&template));
        // The name of the program is the same everywhere.
        let found: Vec<&String> = found.iter().filter(|word| *word != "Scrutineer").collect();
        assert!(found.is_empty(), "{name}: {found:?}");
    }
    let staff =
        "{% if frame.is_staff %}<p>Print</p>{% else %}<p title=\"Why\">{{ w }}</p>{% endif %}";
    assert_eq!(words(&shown_to_all(staff)), ["Why"], "the test sees words that stand there");
}
