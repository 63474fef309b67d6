//! What a ruleset holds.

use super::{Here, Limit, Try, outcome};
use scrutineer_engine::error::Code;
use scrutineer_engine::event::RulesetFile;
use scrutineer_projections::ruleset::{Library, RulesetError, limits, parse};

/// How the command calls every fault of a ruleset.
const CODE: Code = Code::invalid("bad-ruleset");

pub fn limits() -> Vec<Limit> {
    let of = |what, limit: usize, tried: Try| Limit(what, limit as u64, CODE.word, Here(tried));
    vec![
        of("bytes of a ruleset with all that it extends", limits::BYTES, bytes),
        of("files that build on each other", limits::FILES, files),
        of("measures of a ruleset", limits::MEASURES, measures),
        of("entries of a list in a ruleset", limits::LIST, list),
        of("tables and lists in each other", limits::DEPTH, depth),
        of("bytes of a key or text in a ruleset", limits::TEXT, text),
        of("bytes of the name of a ruleset's file", limits::ID, id),
    ]
}

fn head(extends: Option<&str>) -> String {
    let extends = extends.map_or(String::new(), |id| format!("extends = \"{id}\"\n"));
    format!("name = \"Own\"\nedition = \"1\"\nsource = \"a test\"\n{extends}")
}

/// A ruleset on top of `mtr`.
fn on_mtr(text: &str) -> Vec<RulesetFile> {
    let mut files = vec![RulesetFile { name: "own".into(), text: head(Some("mtr")) + text }];
    files.extend(Library::shipped().chain("mtr").expect("it is shipped"));
    files
}

fn said(files: &[RulesetFile]) -> String {
    outcome(parse(files), |_: &RulesetError| CODE)
}

fn bytes(count: usize) -> String {
    let all: usize = on_mtr("#").iter().map(|file| file.text.len()).sum();
    said(&on_mtr(&format!("#{}", "x".repeat(count - all))))
}

fn files(count: usize) -> String {
    let mut chain = Library::shipped().chain("mtr").expect("it is shipped");
    while chain.len() < count {
        let text = head(Some(&chain[0].name));
        chain.insert(0, RulesetFile { name: format!("own{}", chain.len()), text });
    }
    said(&chain)
}

fn measures(count: usize) -> String {
    let there = parse(&on_mtr("")).expect("it is good").measures.len();
    let new = (there..count).map(|number| format!("[measures.m{number}]\ntotal = \"points\"\n"));
    said(&on_mtr(&new.collect::<String>()))
}

/// The byes of an own measure, which may stand there again and again.
fn list(count: usize) -> String {
    let order = vec!["\"points\""; count].join(", ");
    let told = parse(&on_mtr(&format!("order = [{order}]\n")));
    let told = told.err().map(|error| error.to_string()).unwrap_or_default();
    if told.contains("at most 100 entries") { CODE.word.into() } else { "ok".into() }
}

fn depth(levels: usize) -> String {
    let nested = format!("{}1{}", "[".repeat(levels), "]".repeat(levels));
    let told = parse(&on_mtr(&format!("own = {nested}\n"))).expect_err("there is no such key");
    if told.to_string().contains("deep") { CODE.word.into() } else { "ok".into() }
}

fn text(bytes: usize) -> String {
    let mut files = on_mtr("");
    files[0].text = files[0].text.replace("a test", &"x".repeat(bytes));
    said(&files)
}

fn id(bytes: usize) -> String {
    let path = format!("{}.toml", "x".repeat(bytes));
    outcome(Library::shipped().load_file(&path, &head(Some("mtr"))), |_| CODE)
}
