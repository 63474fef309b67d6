//! Pages that were forged, judged by what a reader sees of them in a real browser.
//!
//! A row is a kind of forgery that leaves script and style sheet alone: its name, a text of the true
//! page and what is put in its place. A reader then sees the true page, line by line, or a plain
//! warning and nothing of the tournament. A new kind is one more row.

use super::browser::open;
use super::{Played, damage, is_there, played};
use crate::forgeries::{Parts, fold_before_any, like_shipped, method_name, unknown_fold};
use scrutineer_replay::page;
use serde_json::{Value, json};
use std::fs;

/// What the reader of a forged page sees.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Seen {
    /// What the reader of the true page sees.
    Truth,
    /// That something is wrong, and nothing of the event.
    Warning,
    /// Words of the tournament, under a mark that is neither of approval nor of refusal.
    NotInFull(&'static str),
    /// These words, as they are put there in place of what was meant.
    Says(&'static str),
}

/// A forgery: its name, a text of the page, what stands in its place, and what is seen.
type Row = (&'static str, &'static str, &'static str, Seen);

/// Another winner, as it is put into the page.
const WINNER: &str = "Mallory won";

const ROWS: &[Row] = &[
    // Beside a true main part that nobody sees.
    (
        "the true main part hidden, a second one before it",
        r#"<main id="main">"#,
        r#"<main>Mallory won</main><main id="main" hidden>"#,
        Seen::Truth,
    ),
    (
        "the true main part hidden, a second one behind it",
        "</main>",
        "</main><main>Mallory won</main>",
        Seen::Truth,
    ),
    (
        "two main parts of one id",
        r#"<main id="main">"#,
        r#"<main id="main">Mallory won</main><main id="main" hidden>"#,
        Seen::Truth,
    ),
    (
        "the main part moved out of sight",
        r#"<main id="main">"#,
        r#"<h1>Mallory won</h1><main id="main" style="position:absolute;left:-9999px">"#,
        Seen::Truth,
    ),
    (
        "the main part transparent",
        r#"<main id="main">"#,
        r#"<main id="main" style="opacity:0">"#,
        Seen::Truth,
    ),
    (
        "a cell hidden and another beside it",
        "<td class=number>1</td>",
        "<td class=number hidden>1</td><td>7 Mallory won</td>",
        Seen::Truth,
    ),
    (
        "the rows upside down",
        "<tbody>",
        r#"<tbody style="display:flex;flex-direction:column-reverse">"#,
        Seen::Truth,
    ),
    ("columns in the other direction", "<table>", "<table dir=rtl>", Seen::Truth),
    (
        "letters in the other direction",
        "<td class=result>",
        r#"<td class=result style="unicode-bidi:bidi-override;direction:rtl">"#,
        Seen::Truth,
    ),
    (
        "the whole page in the other direction",
        r#"<html lang="en""#,
        r#"<html dir="rtl" lang="en""#,
        Seen::Truth,
    ),
    (
        "folded away",
        r#"<main id="main">"#,
        r#"<details><summary>Mallory won</summary><main id="main">"#,
        Seen::Truth,
    ),
    (
        "a frame with a page in it",
        "<header",
        r#"<iframe srcdoc="<h1>Mallory won</h1>" width=900 height=500></iframe><header"#,
        Seen::Truth,
    ),
    (
        "a picture's words",
        r#"<main id="main">"#,
        r#"<main id="main"><img alt="Mallory won">"#,
        Seen::Truth,
    ),
    (
        "a picture",
        r#"<main id="main">"#,
        r#"<main id="main"><svg width=900 height=90><text y=50>Mallory won</text></svg>"#,
        Seen::Truth,
    ),
    (
        "words in a field",
        r#"<main id="main">"#,
        r#"<main id="main"><input value="Mallory won" size=60>"#,
        Seen::Truth,
    ),
    (
        "words in a field of lines",
        r#"<main id="main">"#,
        r#"<main id="main"><textarea>Mallory won</textarea>"#,
        Seen::Truth,
    ),
    (
        "words on a button",
        r#"<main id="main">"#,
        r#"<main id="main"><input type=submit value="Mallory won">"#,
        Seen::Truth,
    ),
    (
        "words to be chosen",
        r#"<main id="main">"#,
        r#"<main id="main"><select><option>Mallory won</select>"#,
        Seen::Truth,
    ),
    (
        "words in an empty field",
        r#"<textarea id="known""#,
        r#"<textarea id="known" placeholder="Mallory won""#,
        Seen::Truth,
    ),
    (
        "a field that is filled",
        "</textarea>\n<p id=\"answer\"",
        "Mallory won</textarea>\n<p id=\"answer\"",
        Seen::Truth,
    ),
    (
        "a second header",
        "<header",
        r#"<header id="status"><strong>✓✓ Verified</strong> Mallory won</header><header hidden"#,
        Seen::Truth,
    ),
    (
        "a header that says it is verified",
        "○ Not checked</strong>",
        "✓✓ Verified</strong> Mallory won",
        Seen::Truth,
    ),
    (
        "a verdict that stands there already",
        r#"data-verdict="unchecked""#,
        r#"data-verdict="verified""#,
        Seen::Truth,
    ),
    ("another title", "<h1>", "<h1>Mallory won ", Seen::Truth),
    ("another title of the window", "<title>", "<title>Mallory won ", Seen::Truth),
    ("another place", "<td class=number>1</td>", "<td class=number>7</td>", Seen::Truth),
    ("another name in a table", "<td class=name>", "<td class=name>Mallory won", Seen::Truth),
    ("another result", "<td class=result>", "<td class=result>0-2 ", Seen::Truth),
    (
        "another sentence among the changes",
        "<ul>",
        "<ul><li>Record 3: Mallory won</li>",
        Seen::Truth,
    ),
    ("words before everything", "<body>", "<body>Mallory won", Seen::Truth),
    ("words behind the main part", "</main>", "</main>Mallory won", Seen::Truth),
    ("words within the main part", "</main>", "Mallory won</main>", Seen::Truth),
    ("words behind the end", "</body>", "<h1>Mallory won</h1></body>", Seen::Truth),
    ("words behind the end of all", "</html>", "</html><h1>Mallory won</h1>", Seen::Truth),
    (
        "a dialog over everything",
        "<header",
        "<dialog open>Mallory won</dialog><header",
        Seen::Truth,
    ),
    (
        "words that lie over everything",
        "<header",
        r#"<div style="position:fixed;inset:0;background:white;z-index:9">Mallory won</div><header"#,
        Seen::Truth,
    ),
    (
        "a shadow tree in place of the body's own",
        "<body>",
        "<body><template shadowrootmode=open>Mallory won</template>",
        Seen::Truth,
    ),
    (
        "a shadow tree in place of the main part's own",
        r#"<main id="main">"#,
        r#"<main id="main"><template shadowrootmode=open>Mallory won</template>"#,
        Seen::Truth,
    ),
    ("the page hidden", "<body>", r#"<body hidden>"#, Seen::Truth),
    (
        "the page in hardly visible letters",
        "<body>",
        r#"<body style="font-size:1px">"#,
        Seen::Truth,
    ),
    (
        "the page moved away",
        r#"<html lang="en""#,
        r#"<html style="margin-top:9000px" lang="en""#,
        Seen::Truth,
    ),
    ("another language's numbers", r#"<html lang="en""#, r#"<html lang="ar""#, Seen::Truth),
    (
        "one more style sheet",
        "</head>",
        "<style>main { display: none } body::before { content: 'Mallory won' }</style></head>",
        Seen::Truth,
    ),
    (
        "one more style sheet behind the script",
        "</body>",
        "<style>main { display: none } body::after { content: 'Mallory won' }</style></body>",
        Seen::Truth,
    ),
    (
        "a style sheet in an address",
        "</head>",
        r#"<link rel=stylesheet href="data:text/css,main{display:none}"></head>"#,
        Seen::Truth,
    ),
    ("the style sheet taken away", "<style>", "<style media=none>", Seen::Truth),
    (
        "a picture that is called like what makes elements",
        "<header",
        "<img name=createElement><header",
        Seen::Truth,
    ),
    (
        "a form that is called like the page's root",
        "<header",
        "<form name=documentElement>Mallory won</form><header",
        Seen::Truth,
    ),
    (
        "a picture that is called like the script",
        "<header",
        "<img name=currentScript><header",
        Seen::Truth,
    ),
    (
        "a picture that is called like what finds elements",
        "<header",
        "<img name=querySelector><img name=getElementById><header",
        Seen::Truth,
    ),
    (
        "an attribute that shows the script",
        "<script>",
        r#"<script id="status" class="wide" style="display:block">"#,
        Seen::Truth,
    ),
    (
        "the records shown",
        r#"<pre id="bundle" hidden>"#,
        r#"<pre id="bundle" style="display:block">"#,
        Seen::Truth,
    ),
    (
        "a heading of the same id as the records",
        r#"<pre id="bundle" hidden>"#,
        r#"<h1 id="bundle">Mallory won</h1><pre id="bundle" hidden>"#,
        Seen::Truth,
    ),
    // In the records themselves.
    (
        "records that are none, before the true ones",
        r#"<pre id="bundle" hidden>"#,
        r#"<pre id="bundle" hidden>Mallory won</pre><pre hidden>"#,
        Seen::Warning,
    ),
    ("words behind the records", "</pre>\n</body>", "Mallory won</pre>\n</body>", Seen::Warning),
    (
        "words before the records",
        r#"<pre id="bundle" hidden>"#,
        r#"<pre id="bundle" hidden>Mallory won"#,
        Seen::Warning,
    ),
    ("the records under another id", r#"<pre id="bundle""#, r#"<pre id="records""#, Seen::Warning),
    ("no element around the records", r#"<pre id="bundle" hidden>"#, "<div hidden>", Seen::Warning),
    // So the line of a pairing begins, in a round of several.
    ("another byte in a record", ".KQABA", ".KQABB", Seen::Warning),
    ("a record that is cut off", ".KQABA", ".AAA=\n.KQABA", Seen::Warning),
    ("a record without its command", ".KQABA", "KQABA", Seen::Warning),
    ("a record of no known kind", "\n{\"table\":", "\nMallory won\n{\"table\":", Seen::Warning),
    ("a name that no record committed to", "\"text\":\"", "\"text\":\"Mallory won", Seen::Warning),
    ("another order of the announced table", "\"rows\":[[1,", "\"rows\":[[2,", Seen::Warning),
    ("another hash of the last record", "\"head\":\"", "\"head\":\"0", Seen::Warning),
    (
        "a comment among the records",
        "{\"end\":",
        "<!-- Mallory won -->{\"end\":0,\"x\":",
        Seen::Warning,
    ),
    ("an element among the records", "{\"end\":", "<b>Mallory won</b>{\"end\":", Seen::Warning),
];

/// A forged bundle of which the page is made, by somebody who knows the format and has the
/// organizer's key.
type Made = (&'static str, fn(&[u8]) -> Vec<u8>, Seen);

const MADE: &[Made] = &[
    (
        "another winner in a table of a fold that nobody knows",
        |bundle| changed(bundle, unknown_fold),
        Seen::NotInFull("Standings after round 2"),
    ),
    (
        "another winner in a table of a fold before any release",
        |bundle| changed(bundle, fold_before_any),
        Seen::NotInFull("Standings after round 2"),
    ),
    (
        "a round drawn by a method that nobody knows",
        |bundle| changed(bundle, method_name),
        Seen::NotInFull("Round 2"),
    ),
    (
        "the label of a column turns those behind it",
        |bundle| {
            let text = std::str::from_utf8(bundle).expect("text");
            let text = text.replace("\"OMW%\"", "\"\u{202e}OMW%\"");
            assert_ne!(text.as_bytes(), bundle);
            let lines = text.split_inclusive('\n').map(|line| line.as_bytes().to_vec());
            damage::joined(lines.collect(), true)
        },
        Seen::Says("\u{fffd}OMW%"),
    ),
    (
        "the last table is taken out",
        |bundle| without(bundle, "table", 1),
        Seen::Says("Not in this file: 1 later announced table"),
    ),
    (
        "every table is taken out",
        |bundle| without(bundle, "table", usize::MAX),
        Seen::Says("Not in this file: "),
    ),
    ("a name is taken out", |bundle| without(bundle, "entry", 1), Seen::Says("1 name not given")),
    (
        "other words beside a record",
        |bundle| {
            let text = std::str::from_utf8(bundle).expect("text");
            let told = text.replacen("\"seq\":3,\"time\":\"20", "\"seq\":3,\"time\":\"19", 1);
            assert_ne!(told, text);
            let lines = told.split_inclusive('\n').map(|line| line.as_bytes().to_vec());
            damage::joined(lines.collect(), true)
        },
        Seen::Warning,
    ),
    (
        "a ruleset that is named like a shipped one",
        |b| changed(b, like_shipped),
        Seen::Says("(not shipped)"),
    ),
];

fn changed(bundle: &[u8], change: impl FnOnce(&mut Parts)) -> Vec<u8> {
    let mut parts = Parts::of(bundle);
    change(&mut parts);
    parts.spell()
}

/// Takes the last lines of a kind out.
fn without(bundle: &[u8], key: &str, most: usize) -> Vec<u8> {
    let text = std::str::from_utf8(bundle).expect("text");
    let begins = format!("{{\"{key}\":");
    let mut lines: Vec<&str> = text.split_inclusive('\n').collect();
    let of_kind = lines.iter().enumerate().filter(|(_, line)| line.starts_with(&begins));
    let taken: Vec<usize> = of_kind.map(|(at, _)| at).rev().take(most).collect();
    assert!(!taken.is_empty(), "no {key}");
    for at in taken {
        lines.remove(at);
    }
    damage::joined(lines.into_iter().map(|line| line.as_bytes().to_vec()).collect(), true)
}

#[test]
fn a_forged_page_shows_the_truth_or_a_warning() {
    if !is_there("node") || !is_there("chromium") {
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    let Played { page, bundle, .. } = played();
    let mut requests = Vec::new();
    let mut asked = |name: &str, page: &str| {
        let file = folder.path().join(format!("{name}.html"));
        fs::write(&file, page).expect("written");
        requests.push(json!({ "file": file }));
    };
    asked("true", &page);
    for (at, (name, from, to, _)) in ROWS.iter().enumerate() {
        assert!(page.contains(from), "{name}: {from}");
        asked(&at.to_string(), &page.replacen(from, to, 1));
    }
    for (at, (_, forge, _)) in MADE.iter().enumerate() {
        let text = String::from_utf8(forge(&bundle)).expect("text");
        asked(&format!("made-{at}"), &page::html(&text, None).expect("a page"));
    }
    let answers = open(folder.path(), &requests);
    let (truth, forged) = answers.split_first().expect("the true page");
    assert_eq!(truth["verdict"], "consistent", "{truth:#}");
    let mut wrong = Vec::new();
    let rows = ROWS.iter().map(|(name, _, _, wanted)| (name, wanted));
    let rows = rows.chain(MADE.iter().map(|(name, _, wanted)| (name, wanted)));
    for ((name, wanted), seen) in rows.zip(forged) {
        let same =
            ["verdict", "lines", "tree", "window"].iter().all(|part| seen[part] == truth[part]);
        let holds = match wanted {
            Seen::Truth => same,
            Seen::Warning => is_warning(seen),
            Seen::Says(words) => {
                let says = |page: &Value| page["lines"].to_string().contains(words);
                says(seen) && !says(truth)
            }
            Seen::NotInFull(words) => is_not_in_full(seen, words),
        };
        if !holds {
            wrong.push(format!("{name}: {} {:#}", seen["verdict"], seen["lines"]));
        }
    }
    assert!(wrong.is_empty(), "{} of {}: {}", wrong.len(), forged.len(), wrong.join("\n"));
}

/// Whether a reader is warned, sees no mark of approval, and nothing of the forged event.
fn is_warning(seen: &Value) -> bool {
    let lines = seen["lines"].to_string();
    let tree = seen["tree"].to_string();
    let event = ["✓", WINNER, "Standings after", "Round 1"];
    lines.contains("✗ Not") && !event.iter().any(|word| lines.contains(word) || tree.contains(word))
}

/// Whether what stands at the top has a mark of its own and words, and the tournament's words come below.
fn is_not_in_full(seen: &Value, words: &str) -> bool {
    let lines = seen["lines"].as_array().expect("lines");
    let line = |at: usize| lines.get(at).and_then(Value::as_str).unwrap_or_default();
    let all = seen["lines"].to_string();
    line(0).contains("⚠ Not checked in full")
        && (line(0).to_string() + line(1)).contains("may be anything")
        && all.contains(words)
        && !all.contains(['✓', '✗'])
}
