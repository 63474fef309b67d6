//! Every limit at its edge: so much is taken, one more is refused with the code that
//! docs/LIMITS.md names. The document and this table have the same rows in the same order.

mod engine;
mod files;
mod rulesets;
mod server;

use scrutineer_engine::error::Code;
use std::path::Path;

/// What comes of so many: `ok`, or the code of the refusal.
type Try = fn(usize) -> String;

/// Where a limit is tried at its edge.
enum Tried {
    /// Here.
    Here(Try),
    /// In a test of its own, in a file that has these words.
    There(&'static str, &'static str),
}

use Tried::{Here, There};

/// What is limited, how much is taken, the code, and where it is tried.
struct Limit(&'static str, u64, &'static str, Tried);

fn limits() -> Vec<Limit> {
    let mut all = engine::limits();
    all.extend(rulesets::limits());
    all.extend(server::limits());
    all.extend(files::limits());
    all
}

/// `ok`, or the code.
fn outcome<T, E>(result: Result<T, E>, code: impl Fn(&E) -> Code) -> String {
    result.map_or_else(|error| code(&error).word, |_| "ok").to_string()
}

fn read(path: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(path);
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

#[test]
fn so_much_is_taken_and_one_more_is_refused() {
    let mut wrong = Vec::new();
    for Limit(what, limit, code, tried) in limits() {
        match tried {
            Here(tried) => {
                let limit = usize::try_from(limit).expect("a number of this machine");
                let said = [tried(limit), tried(limit + 1)];
                if said != ["ok", code] {
                    wrong.push(format!("{what}: {limit}, and one more: {said:?}"));
                }
            }
            There(file, words) => {
                assert!(read(file).contains(words), "{what}: {file} does not have {words:?}");
            }
        }
    }
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

/// A row of a table of the document: what, how much, where, code.
fn rows(document: &str) -> Vec<[String; 4]> {
    let rows = document.lines().filter(|line| line.starts_with("| ") && line.contains('`'));
    rows.map(|line| {
        let mut cells = line.trim_matches('|').split('|').map(|cell| cell.trim().to_string());
        [(); 4].map(|()| cells.next().unwrap_or_default())
    })
    .collect()
}

#[test]
fn the_document_has_the_limits_of_the_program() {
    let document = rows(&read("docs/LIMITS.md"));
    let told: Vec<(String, u64, String)> = document
        .iter()
        .map(|[what, limit, _, code]| {
            let digits: String = limit.split(' ').next().unwrap_or("").replace(',', "");
            let limit = digits.parse().unwrap_or_else(|_| panic!("{what}: {limit} is no number"));
            (what.clone(), limit, code.trim_matches('`').to_string())
        })
        .collect();
    let known: Vec<(String, u64, String)> = limits()
        .into_iter()
        .map(|Limit(what, limit, code, _)| (what.into(), limit, code.into()))
        .collect();
    for (told, known) in told.iter().zip(&known) {
        assert_eq!(told, known);
    }
    assert_eq!(told.len(), known.len());
    for [what, _, places, _] in document {
        for file in places.split('`').skip(1).step_by(2).filter(|word| word.ends_with(".rs")) {
            assert!(Path::new(env!("CARGO_MANIFEST_DIR")).join(file).is_file(), "{what}: {file}");
        }
    }
}
