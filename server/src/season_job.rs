//! The work itself, on threads of its own that let those of the desks go first.

use crate::house::now;
use crate::rooms::step_back;
use crate::season::{ALL, DONE, FAILED, MOVED, STOPPED, not_kept};
use crate::state::State;
use scrutineer_desk::answers::{SeasonFile, SeasonStands};
use scrutineer_desk::rebuild::{Asked, TournamentFound, Used, rebuild_bit_by_bit};
use scrutineer_desk::rebuilt::{Format, Rows, Totals, file_of_store, page};
use scrutineer_desk::store::{Export, Store};
use scrutineer_desk::verb_error::VerbError;
use scrutineer_engine::error::Code;
use scrutineer_engine::record::Time;
use scrutineer_projections::ruleset::{Ruleset, called};
use std::collections::BTreeMap;
use std::fs::{File, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// On how many threads; the desks need the others.
const THREADS: usize = 2;
/// How many tournaments are done and not written: so few that a stop comes soon.
const AHEAD: usize = 16;
/// What the report of tournaments is for that are run here or were brought in.
const OWN: &str = "this server";

/// Begins the job, and returns when it runs.
///
/// # Errors
/// Where one runs already, or the system has no thread for it.
pub fn start(
    state: &Arc<State>,
    rules: Ruleset,
    begins: SeasonStands,
) -> Result<SeasonStands, VerbError> {
    let folder = state.season.begin(begins)?;
    let shared = Arc::clone(state);
    let work = move || {
        // The threads that it begins are as far back.
        step_back();
        let season = &shared.season;
        let ended = match run(&shared, &folder, rules) {
            Ok(Some(found)) => season.end(DONE, None, |stands| {
                (stands.sums, stands.files) = (Some(found.sums), found.files);
            }),
            Ok(None) => {
                let is_over = *shared.stopping.borrow();
                let why =
                    if is_over { "the server ended while it ran" } else { "somebody stopped it" };
                season.end(STOPPED, Some(why.into()), |_| {})
            }
            Err(error) => season.end(FAILED, Some(error.message), |_| {}),
        };
        // The page says what it can say; a disk that is full says the rest.
        drop(ended);
    };
    let thread = std::thread::Builder::new().name("season".into()).spawn(work);
    if let Err(error) = thread {
        state.season.end(FAILED, Some(error.to_string()), |_| {})?;
    }
    Ok(state.season.told())
}

/// What came out.
struct Found {
    sums: String,
    files: Vec<SeasonFile>,
}

/// Goes over the store. None: it was stopped.
fn run(state: &State, folder: &Path, rules: Ruleset) -> Result<Option<Found>, VerbError> {
    let stands = state.season.told();
    let Some(at) = &state.setup.folder else { return Ok(None) };
    // A reader of its own: the store that the desks write is not kept from being lent.
    let store = match another_of_database(state) {
        Some(store) => store,
        None => Store::open_to_read(at)?,
    };
    let asked = Asked {
        after: Arc::new(rules),
        cut: stands.cut,
        name_movers: stands.names,
        unsigned: false,
    };
    let mut report = Report::begin(folder, &asked, &stands).map_err(|error| not_kept(&error))?;
    let (season, mut failed) = (&state.season, None);
    let is_over = || season.is_to_stop() || *state.stopping.borrow();
    let mut stopped = false;
    let mut begun = |count| season.goes_over(count);
    rebuild_bit_by_bit(&store, &asked, (THREADS, AHEAD), &mut begun, &mut |mut found| {
        stopped = is_over();
        if stopped {
            return ControlFlow::Break(());
        }
        show(state, &store, &mut found);
        if let Err(error) = report.take(&store, &found) {
            failed = Some(error);
            return ControlFlow::Break(());
        }
        season.one_done();
        ControlFlow::Continue(())
    })?;
    if let Some(error) = failed {
        return Err(error);
    }
    if stopped || is_over() {
        return Ok(None);
    }
    let found = report.finish(&asked).map_err(|error| not_kept(&error))?;
    season.publish(&found.files)?;
    if stands.names {
        let time = Time { unix_micros: i64::try_from(now() * 1_000_000).unwrap_or(i64::MAX) };
        let path = Some(folder.display().to_string());
        let (stream, what, player) = (None, "rebuild".into(), None);
        store.note_export(&Export { time, stream, what, path, names: true, player })?;
    }
    Ok(Some(found))
}

/// The store of a database once more; none: it is in a folder.
#[cfg(feature = "postgres")]
fn another_of_database(state: &State) -> Option<Store> {
    state.slot().blocking_read().as_ref()?.once_more()
}

/// There are no databases.
#[cfg(not(feature = "postgres"))]
fn another_of_database(_: &State) -> Option<Store> {
    None
}

/// Names a tournament that a venue pushes, and its players, as the venue shows them.
fn show(state: &State, store: &Store, found: &mut TournamentFound) {
    let Some(shown) = state.horizons.shown(found.stream) else { return };
    let title = shown.shown.title.clone().unwrap_or_else(|| found.title.clone());
    let moves = found
        .found
        .as_ref()
        .is_ok_and(|it| !it.comparison.moves.is_empty() || it.winner_changes() || it.cut_changes());
    // Nobody is named in one in which nobody moves; one that cannot be read has numbers.
    let public = moves.then(|| state.horizons.public(store, found.stream).ok()).flatten();
    let event = public.and_then(|public| public.load(found.stream, false).ok());
    let names = event.map_or(Vec::new(), |event| {
        let players = event.state.players().iter();
        players.map(|player| event.name(player.number)).collect()
    });
    found.show_as(title, names);
}

/// The reports as they are written.
struct Report<'a> {
    folder: &'a Path,
    rows: Rows,
    page: BufWriter<File>,
    all: BufWriter<File>,
    totals: Totals,
    /// Of each store: its file, and how many tournaments stand in it.
    stores: BTreeMap<String, (String, usize)>,
}

impl<'a> Report<'a> {
    fn begin(folder: &'a Path, asked: &Asked, stands: &SeasonStands) -> io::Result<Report<'a>> {
        let rows = Rows {
            format: Format::Csv,
            by_player: stands.players,
            no_names: !stands.names,
            after: Used::from(&*asked.after),
        };
        let mut page = BufWriter::new(File::create(folder.join(MOVED))?);
        page.write_all(page::head(&called(&asked.after.files)).as_bytes())?;
        let mut all = BufWriter::new(File::create(folder.join(ALL))?);
        all.write_all(&rows.head())?;
        let (totals, stores) = (Totals::default(), BTreeMap::new());
        Ok(Report { folder, rows, page, all, totals, stores })
    }

    fn take(&mut self, store: &Store, found: &TournamentFound) -> Result<(), VerbError> {
        let followed = store.followed(found.stream)?;
        let from = followed.map_or(OWN.to_string(), |followed| followed.whose().to_string());
        self.totals.add(found);
        self.write(&from, found).map_err(|error| not_kept(&error))
    }

    fn write(&mut self, from: &str, found: &TournamentFound) -> io::Result<()> {
        let html = page::tournament(from, found, self.rows.no_names);
        self.page.write_all(html.as_bytes())?;
        let rows = self.rows.of(from, found);
        self.all.write_all(&rows)?;
        let (file, is_new) = self.file_of(from);
        // A season has more stores than a program may have files open.
        let mut own = OpenOptions::new().create(true).append(true).open(file)?;
        if is_new {
            own.write_all(&self.rows.head())?;
        }
        own.write_all(&rows)
    }

    /// The file of a store, which no other one has, and whether it is a new one.
    fn file_of(&mut self, from: &str) -> (PathBuf, bool) {
        if let Some((file, count)) = self.stores.get_mut(from) {
            *count += 1;
            return (self.folder.join(&*file), false);
        }
        let is_free = |file: &str| {
            file != ALL && !self.stores.values().any(|(taken, _)| taken.eq_ignore_ascii_case(file))
        };
        let named = |name: String| file_of_store(&name, Format::Csv);
        let numbered = (2..).map(|number| named(format!("{from}-{number}")));
        let mut names = std::iter::once(named(from.to_string())).chain(numbered);
        // There is always a number that nobody has.
        let file = names.find(|file| is_free(file)).unwrap_or_default();
        self.stores.insert(from.to_string(), (file.clone(), 1));
        (self.folder.join(file), true)
    }

    fn finish(mut self, asked: &Asked) -> io::Result<Found> {
        let sums = self.totals.text(asked, false);
        self.page.write_all(page::foot(&sums).as_bytes())?;
        self.page.flush()?;
        self.all.flush()?;
        let count = self.stores.values().map(|(_, count)| count).sum();
        let all = SeasonFile { file: ALL.into(), store: None, tournaments: count };
        let each = self.stores.into_iter().map(|(store, (file, tournaments))| SeasonFile {
            file,
            store: Some(store),
            tournaments,
        });
        Ok(Found { sums, files: std::iter::once(all).chain(each).collect() })
    }
}

/// Reads the rules that are asked for: shipped ones, with changes, or an edition that is here.
///
/// # Errors
/// Where there are none.
pub fn rules(state: &State, typed: &str) -> Result<Ruleset, VerbError> {
    let typed = typed.trim();
    if typed.is_empty() {
        let message = "rules: under which ruleset?";
        let hint = "name one by its id, such as battlefy or mtr+settings.percentage_floor=1/2";
        return Err(VerbError::new(Code::invalid("bad-ruleset"), message, hint));
    }
    match state.editions.now().called(typed)? {
        Some((edition, _)) => Ok(edition.rules.clone()),
        None => Ok(scrutineer_projections::ruleset::Library::shipped().ruleset(typed)?),
    }
}
