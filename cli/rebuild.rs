//! `rebuild`: every tournament of an archive folded again under another ruleset.

mod sources;

use crate::args;
use crate::error::VerbError;
use crate::noted::note_export;
use crate::output::Output;
use crate::printable::printable;
use crate::session::Session;
use crate::{Answer, Report};
use indicatif::{ProgressBar, ProgressStyle};
use scrutineer_desk::answers::line;
use scrutineer_desk::in_order::in_order;
use scrutineer_desk::rebuild::{
    Asked, TournamentFound, Used, rebuild_bundle, rebuild_file, rebuild_store,
};
use scrutineer_desk::rebuilt::{Format, Rows, Totals, file_of_store, page};
use scrutineer_desk::store::{SCREEN, Store};
use scrutineer_engine::error::Code;
use scrutineer_engine::record::StreamId;
use scrutineer_formats::sheets::{Sheet, workbook};
use scrutineer_projections::ruleset::called;
use sources::{InFile, Sources, sources};
use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::io::Write;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Folds every tournament again and reports what changes.
pub fn run(session: &Session, options: &args::Rebuild) -> Result<Report, VerbError> {
    let after = Arc::new(session.ruleset(&options.rules)?);
    let format = options.format.map(Format::from).or_else(|| {
        let ending = options.output.as_ref()?.extension().unwrap_or_default();
        Some(match ending.to_str() {
            Some("jsonl") => Format::Jsonl,
            Some("xlsx") => Format::Xlsx,
            _ => Format::Csv,
        })
    });
    let format = format.or(session.json.then_some(Format::Jsonl));
    if format == Some(Format::Xlsx) && (options.output.is_none() || options.each.is_some()) {
        return Err(VerbError::new(
            Code::invalid("workbook-needs-file"),
            "a workbook is one file, and is not printed",
            "name it with --output, without --each",
        ));
    }
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
    let book = rows.as_ref().filter(|rows| rows.format == Format::Xlsx).map(Rows::sheet);
    let each = options.each.clone().map(|folder| (folder, of(format.unwrap_or(Format::Csv))));
    let page = options.page.as_ref().map(|path| {
        let mut page = Output::file(path, options.force)?;
        page.write(page::head(&called(&asked.after.files)).as_bytes())?;
        Ok::<_, VerbError>(page)
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
        book,
        output,
        page,
        each,
        own: None,
        copied: BTreeMap::new(),
        totals: Totals::default(),
        seen: BTreeSet::new(),
        seen_elsewhere: BTreeSet::new(),
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
    /// The sheet of a workbook, as far as it is filled.
    book: Option<Sheet>,
    output: Option<Output>,
    page: Option<Output>,
    /// Where each store has a report of its own, and how it is written.
    each: Option<(PathBuf, Rows)>,
    /// The report of the store that is gone through.
    own: Option<Output>,
    /// Those of the stores that push copies of theirs into it, by their names.
    copied: BTreeMap<String, Vec<u8>>,
    totals: Totals,
    /// The tournaments that were met.
    seen: BTreeSet<StreamId>,
    /// What those of them are called where they come from that came from another program: a file may be another
    /// version of one.
    seen_elsewhere: BTreeSet<String>,
}

impl Run<'_> {
    fn everything(&mut self, sources: &Sources, bar: &ProgressBar) -> Result<(), VerbError> {
        let cores = std::thread::available_parallelism().map_or(1, |cores| cores.get());
        let threads = self.options.threads.unwrap_or(cores).clamp(1, 256);
        if let (Some(rows), Some(output)) = (&self.rows, &mut self.output) {
            output.write(&rows.head())?;
        }
        for at in &sources.stores {
            let store = self.session.store_to_read_in(at)?;
            let name = sources.name_of(at);
            self.begin_own(&name)?;
            if !sources.files.is_empty() {
                let known = store.events()?.into_iter().filter_map(|event| event.source_event);
                self.seen_elsewhere.extend(known);
            }
            let asked = self.asked.clone();
            let mut failed = None;
            let mut begun = |events: usize| bar.inc_length(events as u64);
            rebuild_store(&store, &asked, threads, &mut begun, &mut |event| {
                bar.inc(1);
                let followed = store.followed(event.stream).map_err(VerbError::from);
                let taken = followed.and_then(|followed| match followed {
                    Some(copy) => self.take(copy.whose(), &event, true),
                    None => self.take(&name, &event, false),
                });
                taken.unwrap_or_else(|fail| {
                    failed = Some(fail);
                    ControlFlow::Break(())
                })
            })?;
            failed.map_or(Ok(()), Err)?;
            self.own.take().map_or(Ok(()), Output::finish)?;
            for (store, rows) in std::mem::take(&mut self.copied) {
                self.begin_own(&store)?;
                if let Some(own) = &mut self.own {
                    own.write(&rows)?;
                }
                self.own.take().map_or(Ok(()), Output::finish)?;
            }
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

    /// Begins the report of a store, where each has one.
    fn begin_own(&mut self, name: &str) -> Result<(), VerbError> {
        let Some((folder, rows)) = &self.each else { return Ok(()) };
        let made = std::fs::create_dir_all(folder);
        made.map_err(|error| VerbError::file(folder, &error))?;
        let file = folder.join(file_of_store(name, rows.format));
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
            let file = &sources.files[at];
            let found = match file {
                InFile::Bundle(path) => {
                    let name =
                        path.file_name().map_or("file".into(), |name| name.to_string_lossy());
                    rebuild_bundle(&name, File::open(path), &asked)
                }
                InFile::Read(given) => {
                    let bytes = given.bytes().map_err(|fail| fail.message);
                    rebuild_file(&given.name(), bytes, library, &asked)
                }
            };
            (sources.name(&file.path()), found)
        };
        for (name, event) in in_order(sources.files.len(), threads, threads * 4, || (), work) {
            bar.inc(1);
            let is_new = |called: &String| self.seen_elsewhere.insert(called.clone());
            if !event.source_event.as_ref().is_none_or(is_new) {
                // The same file again is told with the others that stand in several places.
                if !self.seen.contains(&event.stream) {
                    let text =
                        format!("{name} is another version of a tournament that counts already");
                    bar.suspend(|| {
                        let _ = writeln!(anstream::stderr(), "note: {}", printable(&text));
                    });
                }
                self.totals.repeated += 1;
                continue;
            }
            if self.take(&name, &event, false)?.is_break() {
                break;
            }
        }
        Ok(())
    }

    /// Takes what was found for one tournament.
    fn take(
        &mut self,
        source: &str,
        event: &TournamentFound,
        is_copy: bool,
    ) -> Result<ControlFlow<()>, VerbError> {
        // A file that could not be read has no id.
        if event.head > 0 && !self.seen.insert(event.stream) {
            self.totals.repeated += 1;
            return Ok(ControlFlow::Continue(()));
        }
        self.totals.add(event);
        if let Some(page) = &mut self.page {
            page.write(page::tournament(source, event, self.options.no_names).as_bytes())?;
        }
        match (&self.each, &mut self.own) {
            (Some((_, rows)), _) if is_copy => {
                let own = self.copied.entry(source.to_string()).or_default();
                own.extend(rows.of(source, event));
            }
            (Some((_, rows)), Some(own)) => {
                own.write(&rows.of(source, event))?;
            }
            _ => {}
        }
        if let (Some(rows), Some(book)) = (&self.rows, &mut self.book) {
            rows.add(book, source, event);
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
        let args::Rebuild { output, page, each, .. } = self.options;
        let screen = (self.rows.is_some() && output.is_none()).then_some(Path::new(SCREEN));
        let files = [output, page, each].into_iter().flatten().map(PathBuf::as_path);
        files
            .chain(screen)
            .try_for_each(|file| note_export(self.session, store, None, "rebuild", file))
    }

    /// The report gets its name, and each store notes that it is there.
    fn finish(&mut self, sources: &Sources) -> Result<(), VerbError> {
        if let (Some(book), Some(output)) = (self.book.take(), &mut self.output) {
            output.write(&workbook(&[book]).map_err(VerbError::from)?)?;
        }
        self.output.take().map_or(Ok(()), Output::finish)?;
        if let Some(mut page) = self.page.take() {
            page.write(page::foot(&self.totals.text(&self.asked, false)).as_bytes())?;
            page.finish()?;
        }
        if self.options.output.is_some() {
            for at in &sources.stores {
                self.note_export(&self.session.store_to_read_in(at)?)?;
            }
        }
        Ok(())
    }

    fn answer(self) -> Result<Report, VerbError> {
        let is_bad = |code: &&str| *code != "bundle-not-checked";
        let answer = match (self.totals.codes().any(|code| is_bad(&code)), self.totals.refusals()) {
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
