//! `review`: what was put right, ruled and signed in all tournaments.

use crate::args;
use crate::error::VerbError;
use crate::output::Output;
use crate::session::Session;
use crate::{Answer, Report};
use scrutineer_desk::answers::{
    ReviewAnswer, ReviewFinding, ReviewMove, ReviewRow, TournamentName, line,
};
use scrutineer_desk::rehearsal::Chance;
use scrutineer_desk::review::{Effort, Reviews, Wanted, day_or_time};
use scrutineer_desk::store::{Export, Store};
use scrutineer_desk::table::{Align, Aligned};
use scrutineer_formats::sheets::text;
use scrutineer_projections::counted;
use std::path::Path;

/// The columns of the file for spreadsheets.
const COLUMNS: [&str; 12] = [
    "recorded",
    "tournament_id",
    "tournament",
    "event",
    "by",
    "what",
    "kind",
    "what_happened",
    "it_was",
    "undone_in",
    "players_moved",
    "moves",
];

/// How many moves stand in a line.
const MOVES: usize = 3;

/// Says what was put right, ruled and signed.
pub fn run(session: &Session, options: &args::Review) -> Result<Report, VerbError> {
    let time = |text: &Option<String>, is_end| {
        text.as_deref().map(|text| day_or_time(text, is_end)).transpose()
    };
    let wanted = Wanted {
        since: time(&options.since, false)?,
        until: time(&options.until, true)?,
        person: options.by.clone().unwrap_or_default(),
        tournament: options.which.tournament.clone().unwrap_or_default(),
        only: options.only,
        verify: options.verify,
        notes: options.notes,
        most: options.limit,
        before: None,
    };
    let store = session.store_to_check()?;
    let threads = std::thread::available_parallelism().map_or(1, |cores| cores.get());
    let effort = Effort { threads, patience: None, keys: Some(&session.asker.keys), shown: None };
    let answer = Reviews::default().review(&store, &wanted, effort)?;
    let is_wrong = !answer.not_read.is_empty()
        || answer.findings.iter().any(|finding| finding.severity == "error");
    let unchecked = answer.findings.iter().any(|finding| finding.severity == "not checked");
    if let Some(file) = &options.csv {
        let mut output = Output::file(file, options.force)?;
        output.write(&sheet(&answer))?;
        output.finish()?;
        note(session, &store, file)?;
    }
    let told = match session.json {
        true => line(&answer),
        false => words(&answer, options),
    };
    let answer = match (is_wrong, unchecked) {
        (true, _) => Answer::No,
        (false, true) => Answer::NotChecked,
        (false, false) => Answer::Yes,
    };
    Ok(Report { text: told, answer })
}

/// What left the store with names is noted.
fn note(session: &Session, store: &Store, file: &Path) -> Result<(), VerbError> {
    let time = Chance::of(session.asker.rehearse.as_deref(), store)?.now();
    let path = std::path::absolute(file).unwrap_or_else(|_| file.to_path_buf());
    let path = Some(path.display().to_string());
    let (stream, what, player) = (None, "review".into(), None);
    Ok(store.note_export(&Export { time, stream, what, path, names: true, player })?)
}

/// The time of an answer as the log prints it.
fn recorded(time: &str) -> String {
    let (day, clock) = time.split_once('T').unwrap_or((time, ""));
    format!("{day} {} UTC", clock.get(..8).unwrap_or(clock))
}

/// Who moved, the largest moves first.
fn moves(row: &ReviewRow, most: usize) -> String {
    let Some(moves) = &row.moves else { return String::new() };
    let one = |one: &ReviewMove| format!("{} {}→{}", one.player.name, one.before, one.after);
    let mut shown: Vec<String> = moves.iter().take(most).map(one).collect();
    let more = moves.len().saturating_sub(most);
    shown.extend((more > 0).then(|| format!("{more} more")));
    if shown.is_empty() { "nobody moves".into() } else { shown.join(", ") }
}

fn sentence(row: &ReviewRow) -> String {
    let mut text = row.sentence.clone();
    row.was.iter().for_each(|was| text.push_str(&format!("; it was: {was}")));
    row.undone_in.iter().for_each(|seq| text.push_str(&format!("; undone in event {seq}")));
    text
}

/// The first eight digits of an id, by which people name a tournament.
fn short(name: &TournamentName) -> &str {
    let id = name.id.as_deref().unwrap_or_default();
    id.get(..8).unwrap_or(id)
}

fn titled(name: &TournamentName) -> String {
    format!("{} ({})", name.title.as_deref().unwrap_or("untitled"), short(name))
}

fn words(answer: &ReviewAnswer, options: &args::Review) -> String {
    let mut out = String::new();
    if !answer.changes.is_empty() {
        let mut table = Aligned::new([
            ("recorded", Align::Left),
            ("tournament", Align::Left),
            ("event", Align::Right),
            ("by", Align::Left),
            ("what", Align::Left),
            ("what happened", Align::Left),
            ("who moves", Align::Left),
        ]);
        for row in &answer.changes {
            table.row([
                recorded(&row.time),
                titled(&row.tournament),
                row.seq.to_string(),
                row.by.clone(),
                row.what.clone(),
                sentence(row),
                moves(row, MOVES),
            ]);
        }
        out.push_str(&table.text());
        out.push('\n');
    }
    for ReviewFinding { tournament, seq, severity, code, sentence } in &answer.findings {
        let place = if *seq > 0 { format!("event {seq}: ") } else { String::new() };
        let name = titled(tournament);
        out.push_str(&format!("{name}: {severity}: {place}{sentence}   [{code}]\n"));
    }
    for one in &answer.not_read {
        let name = short(&one.tournament);
        out.push_str(&format!("{name} is not read: {}   [{}]\n", one.message, one.code));
    }
    let what = counted(answer.changes.len(), "event");
    let of = counted(answer.tournaments, "tournament");
    let more = if answer.next.is_some() { "; --limit left out older ones" } else { "" };
    out.push_str(&format!("{what} in {of}{more}\n"));
    if options.verify {
        let verified = answer.verified;
        let found = counted(answer.findings.len(), "finding");
        out.push_str(&format!("{verified} of {of} verified: {found}\n"));
    }
    if let Some(file) = &options.csv {
        out.push_str(&format!("written to {}\n", file.display()));
    }
    out
}

/// The same for spreadsheets; a finding is a row too.
fn sheet(answer: &ReviewAnswer) -> Vec<u8> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    // A vector takes every write, and every row has as many cells.
    let _ = writer.write_record(COLUMNS);
    for row in &answer.changes {
        let name = &row.tournament;
        let moved = row.moves.as_ref().map_or(String::new(), |moves| moves.len().to_string());
        let cells = [
            row.time.clone(),
            name.id.clone().unwrap_or_default(),
            name.title.clone().unwrap_or_default(),
            row.seq.to_string(),
            row.by.clone(),
            row.what.clone(),
            row.kind.clone(),
            row.sentence.clone(),
            row.was.clone().unwrap_or_default(),
            row.undone_in.map_or(String::new(), |seq| seq.to_string()),
            moved,
            if row.moves.is_some() { moves(row, usize::MAX) } else { String::new() },
        ];
        let _ = writer.write_record(cells.iter().map(|cell| text(cell)));
    }
    for found in &answer.findings {
        let name = &found.tournament;
        let cells = [
            String::new(),
            name.id.clone().unwrap_or_default(),
            name.title.clone().unwrap_or_default(),
            found.seq.to_string(),
            String::new(),
            "finding".into(),
            found.code.clone(),
            format!("{}: {}", found.severity, found.sentence),
            String::new(),
            String::new(),
            String::new(),
            String::new(),
        ];
        let _ = writer.write_record(cells.iter().map(|cell| text(cell)));
    }
    writer.into_inner().unwrap_or_default()
}
