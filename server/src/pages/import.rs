//! Files of other programs: the page on which they are chosen, and what is seen of them before they are stored.

use super::render;
use crate::language::{Language, Said};
use crate::looked_files::{BUNDLE, COLUMNS_SHOWN, Seen, View};
use crate::problem::plain;
use crate::query::encoded;
use crate::uploads::{MOST_BYTES, MOST_FILES, Upload};
use askama::Template;
use scrutineer_desk::incoming::{Checked, Understood};
use scrutineer_desk::store::Added;
use scrutineer_desk::verb_error::VerbError;
use scrutineer_engine::record::StreamId;
use scrutineer_formats::{Oddity, Preview, SheetKind, column_words};
use scrutineer_projections::ruleset::Library;
use scrutineer_replay::loaded::short_id;

/// How many odd things, differences or lines that a file brings are shown.
const SHOWN: usize = 50;
/// How much of a sheet's cell is shown.
const CELL: usize = 40;

#[derive(Template)]
#[template(path = "import.html")]
struct Choose<'a> {
    w: Language,
    lang: &'a str,
    rulesets: Vec<String>,
    /// What stands before the help of the field.
    files: usize,
    mebibytes: usize,
    refused: Option<Refused>,
}

/// Why something is not done, and what to do.
struct Refused {
    why: String,
    hint: String,
}

impl From<&VerbError> for Refused {
    fn from(error: &VerbError) -> Refused {
        let hint = error.hint.as_ref().map_or(String::new(), |hint| plain(&hint.to_string()));
        Refused { why: plain(&error.message), hint }
    }
}

/// The form on which files are chosen, with why the last ones were not taken.
///
/// # Errors
/// Where it cannot be made.
pub fn choose(w: Language, lang: &str, refused: Option<&VerbError>) -> Result<String, VerbError> {
    render(&Choose {
        w,
        lang,
        rulesets: Library::shipped().ids(),
        files: MOST_FILES,
        mebibytes: MOST_BYTES >> 20,
        refused: refused.map(Into::into),
    })
}

/// What becomes of a file.
enum Becomes {
    /// It was stored just now.
    Stored {
        at: String,
        title: String,
        told: Vec<String>,
        more: usize,
    },
    New,
    Known {
        at: String,
        title: String,
    },
    Renews {
        at: String,
        title: String,
        /// What becomes of what stands there.
        about: String,
        told: Vec<String>,
        more: usize,
    },
    /// Only a person can tell which column holds this.
    Asks(String),
    /// Nothing says by which rules.
    NoRules,
    Refused(Refused),
}

#[derive(Template)]
#[template(path = "import_file.html")]
struct FilePage<'a> {
    w: Language,
    lang: &'a str,
    id: &'a str,
    name: &'a str,
    /// How many files the upload has.
    files: usize,
    view: &'a View,
    rulesets: Vec<String>,
    facts: Vec<(String, String)>,
    is_guessed: bool,
    becomes: Becomes,
    unknown: Vec<String>,
    odd: Vec<Oddity>,
    more_odd: usize,
    checked: Option<Compared>,
    sheet: Option<Sheet>,
}

/// Published standings beside computed ones.
struct Compared {
    words: Vec<String>,
    differs: Vec<String>,
    more: usize,
}

/// A sheet with what its columns are taken for.
struct Sheet {
    kind: String,
    name: Option<String>,
    columns: Vec<Column>,
    left_out: usize,
    rows: Vec<Vec<String>>,
    is_asked: bool,
    /// The words that a column may hold, and what they are called.
    words: Vec<(&'static str, String)>,
}

struct Column {
    number: usize,
    /// What it is called where it is read out.
    label: String,
    name: String,
    holds: String,
    may: bool,
}

fn first<T>(mut all: Vec<T>) -> (Vec<T>, usize) {
    let more = all.len().saturating_sub(SHOWN);
    all.truncate(SHOWN);
    (all, more)
}

fn short(cell: &str) -> String {
    match cell.char_indices().nth(CELL) {
        Some((end, _)) => format!("{}…", &cell[..end]),
        None => cell.to_string(),
    }
}

fn compared(w: Language, found: Result<Checked, String>) -> Compared {
    let found = match found {
        Ok(found) => found,
        Err(why) => return Compared { words: vec![why], differs: Vec::new(), more: 0 },
    };
    let mut words = Vec::new();
    if found.rows > 0 {
        let word = |one: &&str| w.measure(if *one == "points" { "Points" } else { one });
        let what = found.compared.iter().map(word).collect::<Vec<_>>().join(", ");
        let counts: [(&str, &dyn Said); 3] =
            [("matched", &found.matched), ("rows", &found.rows), ("what", &what)];
        words.push(w.with("import-rows-match", counts));
        words.push(w.b("import-rows-rank", "same", found.same_rank, "rows", found.rows));
    }
    if found.stale > 0 {
        words.push(w.a("import-rows-stale", "stale", found.stale));
    }
    if found.places > 0 {
        words.push(w.b("import-places-match", "same", found.same_places, "places", found.places));
    }
    let (differs, more) = first(found.sentences);
    Compared { words, differs, more }
}

fn sheet(w: Language, preview: Preview, view: &View) -> Sheet {
    // A choice that was refused stands in the selects all the same.
    let picked = |number: usize| {
        let parts = view.columns.as_deref()?.split(',').filter_map(|part| part.split_once('='));
        let number = number.to_string();
        parts.filter(|(_, at)| at.trim() == number).map(|(word, _)| word.trim().to_string()).next()
    };
    let may = preview.question.as_ref().map_or(&[][..], |question| &question.candidates);
    let all = preview.columns.len();
    let column = |one: &scrutineer_formats::PreviewColumn| {
        let holds = one.role.map(str::to_string).or_else(|| picked(one.number));
        let name = short(&one.name);
        Column {
            number: one.number,
            label: w.b("import-column-n", "number", one.number, "name", &name),
            name,
            holds: holds.filter(|word| word != "ignore").unwrap_or_default(),
            may: may.contains(&one.number),
        }
    };
    let columns: Vec<Column> = preview.columns.iter().take(COLUMNS_SHOWN).map(column).collect();
    let width = columns.len();
    let row = |row: &Vec<String>| -> Vec<String> {
        let cells = row.iter().map(|cell| short(cell)).chain(std::iter::repeat(String::new()));
        cells.take(width).collect()
    };
    Sheet {
        kind: match preview.kind {
            SheetKind::Roster => w.t("import-sheet-roster"),
            SheetKind::Matches => w.t("import-sheet-matches"),
            SheetKind::Standings => w.t("import-sheet-standings"),
        },
        name: preview.sheet,
        columns,
        left_out: all - width,
        rows: preview.rows.iter().map(row).collect(),
        is_asked: preview.question.is_some(),
        words: column_words()
            .filter(|word| *word != "ignore")
            .map(|word| (word, w.word("column", word)))
            .collect(),
    }
}

fn desk_of(stream: StreamId) -> String {
    format!("/t/{}/desk", short_id(stream))
}

/// What is seen of a file.
///
/// # Errors
/// Where it cannot be made, or a tournament that is there cannot be read.
pub fn file(
    w: Language,
    lang: &str,
    upload: &Upload,
    view: &View,
    seen: Seen,
    title: impl Fn(StreamId) -> Result<String, VerbError>,
) -> Result<String, VerbError> {
    let Seen { understood, checked, would, sheet: preview, refused } = seen;
    let question = preview.as_ref().and_then(|sheet| sheet.question.as_ref());
    let asks = question.map(|question| w.word("column", question.role));
    let becomes = match (upload.outcome(view.file), would, &refused) {
        (Some(added), ..) => {
            let (stream, told) = match added {
                Added::Renewed(stream, told) => (stream, told),
                Added::New(stream) | Added::Known(stream) => (stream, Vec::new()),
            };
            let (told, more) = first(told);
            Becomes::Stored { at: desk_of(stream), title: title(stream)?, told, more }
        }
        (None, Some(Added::Known(stream)), _) => {
            Becomes::Known { at: desk_of(stream), title: title(stream)? }
        }
        (None, Some(Added::Renewed(stream, told)), _) => {
            let (told, more) = first(told);
            let about = match understood.as_ref().is_some_and(|one| one.format == BUNDLE) {
                true => w.t("import-renews-bundle"),
                false => w.t("import-renews-about"),
            };
            Becomes::Renews { at: desk_of(stream), title: title(stream)?, about, told, more }
        }
        (None, _, Some(error)) => match (error.code.word, asks) {
            ("which-column", Some(word)) => Becomes::Asks(word),
            ("no-ruleset", _) => Becomes::NoRules,
            _ => Becomes::Refused(error.into()),
        },
        (None, ..) => Becomes::New,
    };
    let mut facts = Vec::new();
    let (mut unknown, mut odd, mut is_guessed) = (Vec::new(), Vec::new(), false);
    if let Some(one) = understood {
        let held_on = held_on(w, &one);
        facts = vec![
            (w.t("tournament"), one.title),
            (w.t("import-format"), one.format),
            (w.t("held-on"), held_on),
            (w.t("rules"), one.rules),
            (w.t("players"), one.players.to_string()),
            (w.t("rounds"), one.rounds.to_string()),
            (w.t("import-matches"), one.matches.to_string()),
        ];
        if one.open > 0 {
            facts.push((w.t("import-open"), one.open.to_string()));
        }
        unknown = one.unknown.iter().map(|fact| w.word("unknown", fact)).collect();
        (odd, is_guessed) = (one.oddities, one.is_guessed);
    }
    let (odd, more_odd) = first(odd);
    render(&FilePage {
        w,
        lang,
        id: &upload.id,
        name: &upload.files[view.file].name,
        files: upload.files.len(),
        view,
        rulesets: Library::shipped().ids(),
        facts,
        is_guessed,
        becomes,
        unknown,
        odd,
        more_odd,
        checked: checked.map(|found| compared(w, found)),
        sheet: preview.map(|preview| sheet(w, preview, view)),
    })
}

/// On which day it was held, or how a person says it where nothing does.
fn held_on(w: Language, one: &Understood) -> String {
    match (one.held_on, one.is_sheet) {
        (Some(day), _) => day.to_string(),
        (None, _) if one.is_there => w.t("import-no-day-there").to_string(),
        (None, true) => w.t("import-no-day-sheet").to_string(),
        (None, false) => w.t("import-no-day").to_string(),
    }
}

#[derive(Template)]
#[template(path = "import_files.html")]
struct FilesPage<'a> {
    w: Language,
    lang: &'a str,
    id: &'a str,
    rules: &'a str,
    rows: Vec<FileRow>,
    /// How many of them can be stored.
    can: usize,
}

struct FileRow {
    name: String,
    title: String,
    format: String,
    players: String,
    /// What becomes of it, and whether that is a refusal.
    becomes: String,
    is_refused: bool,
    /// How much in it is odd.
    odd: usize,
    href: String,
}

/// What is seen of several files, a line each.
///
/// # Errors
/// Where it cannot be made.
pub fn files(
    w: Language,
    lang: &str,
    upload: &Upload,
    view: &View,
    seen: Vec<(String, Seen)>,
) -> Result<String, VerbError> {
    let mut can = 0;
    let rules = view.rules.as_deref().unwrap_or_default();
    let rows = seen.into_iter().enumerate().map(|(at, (name, seen))| {
        let asks = seen.sheet.as_ref().is_some_and(|sheet| sheet.question.is_some());
        // What was refused when it was to be stored may look well before that.
        let tried = upload.refusal(at);
        let refused = seen.refused.as_ref().or(tried.as_ref());
        let becomes = match (upload.outcome(at), &seen.would, refused) {
            (Some(_), ..) => w.t("import-stored"),
            (None, Some(Added::Known(_)), None) => w.t("import-known"),
            (None, Some(Added::Renewed(..)), None) => w.t("import-renews"),
            (None, _, Some(error)) if asks && error.code.word == "which-column" => {
                w.t("import-asks-short")
            }
            (None, _, Some(error)) => error.message.clone(),
            (None, ..) => w.t("import-new"),
        };
        let is_refused = upload.outcome(at).is_none() && refused.is_some();
        let waits = upload.outcome(at).is_none() && seen.refused.is_none();
        can += usize::from(waits && !matches!(seen.would, Some(Added::Known(_))));
        let understood = seen.understood.unwrap_or_default();
        let mut href = format!("/import/{}?file={at}", upload.id);
        if !rules.is_empty() {
            href.push_str(&format!("&rules={}", encoded(rules)));
        }
        if !lang.is_empty() {
            href.push_str(&lang.replace('?', "&"));
        }
        FileRow {
            name,
            title: understood.title,
            format: understood.format,
            players: match understood.players {
                0 => "–".into(),
                players => players.to_string(),
            },
            becomes,
            is_refused,
            odd: understood.oddities.len(),
            href,
        }
    });
    let rows = rows.collect();
    render(&FilesPage { w, lang, id: &upload.id, rules, rows, can })
}
