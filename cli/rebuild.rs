//! `rebuild`: every event of an archive folded again under another ruleset.

mod page;
mod rows;
mod sources;

use crate::args::{self, Format};
use crate::error::VerbError;
use crate::output::Output;
use crate::session::{Session, read_bounded};
use crate::{Answer, Report};
use indicatif::{ProgressBar, ProgressStyle};
use page::Page;
use rows::Rows;
use scrutineer_desk::answers::{RebuildAnswer, RebuildTotals, line};
use scrutineer_desk::in_order::in_order;
use scrutineer_desk::rebuild::{
    Asked, TournamentFound, Used, rebuild_bundle, rebuild_file, rebuild_store,
};
use scrutineer_desk::rehearsal::Chance;
use scrutineer_desk::store::{Export, SCREEN, Store};
use scrutineer_desk::table::{Align, Aligned};
use scrutineer_engine::record::StreamId;
use scrutineer_formats::limits;
use scrutineer_projections::counted;
use scrutineer_projections::ruleset::called;
use sources::{Sources, sources};
use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::io::Write;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// How many events with changes are shown where no report is asked for.
const SHOWN: usize = 20;

/// What was found over all events.
#[derive(Default)]
struct Totals {
    /// Folded under the other ruleset; the rest was refused.
    events: u64,
    /// Left out: met before, in another store or file.
    repeated: u64,
    players: u64,
    moved: u64,
    unchanged: u64,
    winners: u64,
    cuts: u64,
    /// By code: how many, the first title, and why.
    refused: BTreeMap<&'static str, (u64, String, String)>,
    changed: Vec<[String; 5]>,
    more: u64,
}

/// Folds every event again and reports what changes.
pub fn run(session: &Session, options: &args::Rebuild) -> Result<Report, VerbError> {
    let after = Arc::new(session.ruleset(&options.rules)?);
    let format = options.format.or_else(|| {
        let ends = options.output.as_ref()?.extension().is_some_and(|end| end == "jsonl");
        Some(if ends { Format::Jsonl } else { Format::Csv })
    });
    let format = format.or(session.json.then_some(Format::Jsonl));
    let sources = sources(session, options)?;
    let used = Used::from(&*after);
    let by_player = options.players && (format.is_some() || options.each.is_some());
    let name_movers = (by_player || options.page.is_some()) && !options.no_names;
    let asked = Asked { after, cut: options.cut, name_movers, unsigned: options.unsigned };
    let of = |format| Rows {
        format,
        by_player: options.players,
        no_names: options.no_names,
        after: used.clone(),
    };
    let rows = format.map(of);
    let each = options.each.clone().map(|folder| (folder, of(format.unwrap_or(Format::Csv))));
    let page = options.page.as_ref().map(|path| {
        Page::begin(path, options.force, &called(&asked.after.files), options.no_names)
    });
    let page = page.transpose()?;
    let output = match (&options.output, &rows) {
        (Some(path), Some(_)) => Some(Output::file(path, options.force)?),
        (None, Some(_)) => Some(Output::standard()),
        _ => None,
    };
    let mut run = Run {
        session,
        options,
        asked,
        rows,
        output,
        page,
        each,
        own: None,
        totals: Totals::default(),
        seen: BTreeSet::new(),
    };
    let bar = progress();
    run.everything(&sources, &bar)?;
    run.finish(&sources)?;
    bar.finish_and_clear();
    run.answer()
}

struct Run<'a> {
    session: &'a Session,
    options: &'a args::Rebuild,
    asked: Asked,
    rows: Option<Rows>,
    output: Option<Output>,
    page: Option<Page>,
    /// Where each store has a report of its own, and how it is written.
    each: Option<(PathBuf, Rows)>,
    /// The report of the store that is gone through.
    own: Option<Output>,
    totals: Totals,
    /// The events that were met.
    seen: BTreeSet<StreamId>,
}

impl Run<'_> {
    fn everything(&mut self, sources: &Sources, bar: &ProgressBar) -> Result<(), VerbError> {
        let cores = std::thread::available_parallelism().map_or(1, |cores| cores.get());
        let threads = self.options.threads.unwrap_or(cores).clamp(1, 256);
        if let (Some(rows), Some(output)) = (&self.rows, &mut self.output) {
            output.write(&rows.head())?;
        }
        for folder in &sources.stores {
            let store = self.session.store_to_read_in(folder)?;
            let name = sources.name(folder);
            self.begin_own(&name)?;
            let asked = self.asked.clone();
            let mut failed = None;
            let mut begun = |events: usize| bar.inc_length(events as u64);
            rebuild_store(&store, &asked, threads, &mut begun, &mut |event| {
                bar.inc(1);
                self.take(&name, &event).unwrap_or_else(|fail| {
                    failed = Some(fail);
                    ControlFlow::Break(())
                })
            })?;
            failed.map_or(Ok(()), Err)?;
            self.own.take().map_or(Ok(()), Output::finish)?;
            if self.options.output.is_none() {
                self.note_export(&store)?;
            }
        }
        if !sources.files.is_empty() {
            self.begin_own("files")?;
        }
        self.files(sources, threads, bar)?;
        self.own.take().map_or(Ok(()), Output::finish)
    }

    /// Begins the report of a store, where each has one: what is not of a file's name is a stroke.
    fn begin_own(&mut self, name: &str) -> Result<(), VerbError> {
        let Some((folder, rows)) = &self.each else { return Ok(()) };
        let plain = |c: char| if c.is_alphanumeric() || "-_.".contains(c) { c } else { '-' };
        let name: String = name.chars().map(plain).collect();
        let name = if name.is_empty() { "store".into() } else { name };
        let ending = if rows.format == Format::Csv { "csv" } else { "jsonl" };
        let made = std::fs::create_dir_all(folder);
        made.map_err(|error| VerbError::file(folder, &error))?;
        let file = folder.join(format!("{name}.{ending}"));
        let mut own = Output::file(&file, self.options.force)?;
        own.write(&rows.head())?;
        self.own = Some(own);
        Ok(())
    }

    fn files(
        &mut self,
        sources: &Sources,
        threads: usize,
        bar: &ProgressBar,
    ) -> Result<(), VerbError> {
        bar.inc_length(sources.files.len() as u64);
        let library = self.session.rulesets.borrow();
        let (library, asked) = (&*library, self.asked.clone());
        let work = |(): &mut (), at: usize| {
            let path: &Path = &sources.files[at];
            let name = path.file_name().map_or("file".into(), |name| name.to_string_lossy());
            let found = match sources.bundles.contains(path) {
                true => rebuild_bundle(&name, File::open(path), &asked),
                false => {
                    let bytes = read_bounded(path, limits::FILE_BYTES);
                    rebuild_file(&name, bytes.map_err(|fail| fail.message), library, &asked)
                }
            };
            (sources.name(path), found)
        };
        for (name, event) in in_order(sources.files.len(), threads, threads * 4, || (), work) {
            bar.inc(1);
            if self.take(&name, &event)?.is_break() {
                break;
            }
        }
        Ok(())
    }

    /// Takes what was found for one event.
    fn take(
        &mut self,
        source: &str,
        event: &TournamentFound,
    ) -> Result<ControlFlow<()>, VerbError> {
        // A file that could not be read has no id.
        if event.head > 0 && !self.seen.insert(event.stream) {
            self.totals.repeated += 1;
            return Ok(ControlFlow::Continue(()));
        }
        self.totals.add(event);
        if let Some(page) = &mut self.page {
            page.add(source, event)?;
        }
        if let (Some((_, rows)), Some(own)) = (&self.each, &mut self.own) {
            own.write(&rows.of(source, event))?;
        }
        if let (Some(rows), Some(output)) = (&self.rows, &mut self.output)
            && !output.write(&rows.of(source, event))?
        {
            return Ok(ControlFlow::Break(()));
        }
        Ok(ControlFlow::Continue(()))
    }

    /// What left the store with names is noted, so that whoever is forgotten later can be told.
    fn note_export(&self, store: &Store) -> Result<(), VerbError> {
        let writes = self.rows.is_some() || self.options.page.is_some() || self.each.is_some();
        if !writes || self.options.no_names {
            return Ok(());
        }
        let time = Chance::of(self.session.asker.rehearse.as_deref(), store)?.now();
        let whole = |path: &PathBuf| std::path::absolute(path).unwrap_or_else(|_| path.clone());
        let args::Rebuild { output, page, each, .. } = self.options;
        let files = [output, page, each].into_iter().flatten();
        let mut paths: Vec<String> = files.map(|path| whole(path).display().to_string()).collect();
        if self.rows.is_some() && output.is_none() {
            paths.push(SCREEN.into());
        }
        for path in paths {
            let (stream, what, path, player) = (None, "rebuild".into(), Some(path), None);
            store.note_export(&Export { time, stream, what, path, names: true, player })?;
        }
        Ok(())
    }

    /// The report gets its name, and each store notes that it is there.
    fn finish(&mut self, sources: &Sources) -> Result<(), VerbError> {
        self.output.take().map_or(Ok(()), Output::finish)?;
        if let Some(page) = self.page.take() {
            page.finish(&self.totals.text(&self.asked, false))?;
        }
        if self.options.output.is_some() {
            for folder in &sources.stores {
                self.note_export(&self.session.store_to_read_in(folder)?)?;
            }
        }
        Ok(())
    }

    fn answer(self) -> Result<Report, VerbError> {
        let is_bad = |code: &&str| *code != "bundle-not-checked";
        let answer = match (self.totals.refused.keys().any(is_bad), self.totals.refusals()) {
            (true, _) => Answer::No,
            (false, 0) => Answer::Yes,
            (false, _) => Answer::NotChecked,
        };
        let to_file = self.options.output.is_some();
        let told = match self.session.json {
            true => line(&self.totals.answer(&self.asked)),
            false => {
                let text = self.totals.text(&self.asked, self.rows.is_none());
                text + &files_in_words(self.options)
            }
        };
        if to_file || self.rows.is_none() || self.session.json {
            return Ok(Report { text: told, answer });
        }
        let _ = anstream::stderr().write_all(told.as_bytes());
        Ok(Report { text: String::new(), answer })
    }
}

impl Totals {
    fn add(&mut self, event: &TournamentFound) {
        let found = match &event.found {
            Ok(found) => found,
            Err(cause) => {
                let first = || (0, event.title.clone(), cause.to_string());
                self.refused.entry(cause.code().word).or_insert_with(first).0 += 1;
                return;
            }
        };
        self.events += 1;
        self.players += u64::from(event.players);
        let moved = found.comparison.moves.len();
        self.moved += moved as u64;
        self.winners += u64::from(found.winner_changes());
        self.cuts += u64::from(found.cut_changes());
        if moved == 0 && !found.cut_changes() {
            self.unchanged += 1;
            return;
        }
        if self.changed.len() == SHOWN {
            self.more += 1;
            return;
        }
        let list = |players: &[u32]| -> String {
            players.iter().map(|player| event.name(*player)).collect::<Vec<_>>().join(", ")
        };
        let winner = match found.winner_changes() {
            true => format!("{}, not {}", list(&found.winners[1]), list(&found.winners[0])),
            false => String::new(),
        };
        let cut = found.cut.as_ref().filter(|_| found.cut_changes());
        let cut = cut.map_or(String::new(), |cut| {
            format!("top {}: {} for {}", cut.size, list(&cut.enters), list(&cut.leaves))
        });
        let moved = format!("{moved} of {}", event.players);
        let largest = found.largest_move().to_string();
        self.changed.push([event.title.clone(), moved, largest, winner, cut]);
    }

    fn refusals(&self) -> u64 {
        self.refused.values().map(|(count, ..)| count).sum()
    }

    fn text(&self, asked: &Asked, with_events: bool) -> String {
        let mut text = String::new();
        if with_events && !self.changed.is_empty() {
            let mut table = Aligned::new([
                ("tournament", Align::Left),
                ("players moved", Align::Right),
                ("most places", Align::Right),
                ("winner", Align::Left),
                ("cut", Align::Left),
            ]);
            self.changed.iter().for_each(|row| table.row(row.clone()));
            text.push_str(&table.text());
            if self.more > 0 {
                text.push_str(&format!("   … {} more; --output writes them all\n", self.more));
            }
            text.push('\n');
        }
        let rules = called(&asked.after.files);
        let all = self.events + self.refusals();
        let of = if all == self.events { String::new() } else { format!("{} of ", self.events) };
        text.push_str(&format!("{of}{} under {rules}\n", counted(all, "tournament")));
        for (what, count) in [
            ("nobody moves", self.unchanged.to_string()),
            ("another winner", self.winners.to_string()),
            ("another cut", self.cuts.to_string()),
            ("players moved", format!("{} of {}", self.moved, self.players)),
            ("refused", self.refusals().to_string()),
        ] {
            text.push_str(&format!("  {what:<14} {count}\n"));
        }
        for (code, (count, title, why)) in &self.refused {
            text.push_str(&format!("    {count}, the first {title}: {why}   [{code}]\n"));
        }
        if self.repeated > 0 {
            let again = counted(self.repeated, "tournament");
            text.push_str(&format!("  left out: {again} that stood in an earlier store or file, or in a longer bundle\n"));
        }
        text
    }

    fn answer(&self, asked: &Asked) -> RebuildAnswer {
        let refused = self.refused.iter().map(|(code, (count, ..))| (code.to_string(), *count));
        RebuildAnswer {
            totals: RebuildTotals {
                ruleset: (&*asked.after).into(),
                tournaments: self.events + self.refusals(),
                folded: self.events,
                repeated: self.repeated,
                unchanged: self.unchanged,
                winner_changes: self.winners,
                cut_changes: self.cuts,
                players: self.players,
                moved: self.moved,
                refused: refused.collect(),
            },
        }
    }
}

/// What was written.
fn files_in_words(options: &args::Rebuild) -> String {
    let mut text = String::new();
    let written =
        [("report", &options.output), ("page", &options.page), ("each store", &options.each)];
    for (what, path) in written {
        if let Some(path) = path {
            text.push_str(&format!("{what}: {}\n", path.display()));
        }
    }
    text
}

fn progress() -> ProgressBar {
    let bar = ProgressBar::new(0);
    let style = ProgressStyle::with_template("{bar:30} {pos} of {len} tournaments, {eta} left");
    bar.with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
}
