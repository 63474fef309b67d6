//! What is written for chess is taken by two programs that pair by FIDE's rules: they find the same points,
//! and pair the next round as from the report that it was read from.
//!
//! `SCRUTINEER_BBP` names the program bbpPairings, `SCRUTINEER_PY4SWISS` a Python that has py4swiss, and
//! `SCRUTINEER_FORMATS` the folder of examples. With `--nocapture` the figures are printed.

mod cut;
mod peers;

use peers::{Bbp, Py4swiss, Told};
use scrutineer_desk::simulate::{Rates, Simulation};
use scrutineer_desk::store::Store;
use scrutineer_engine::event::PhaseKind;
use scrutineer_formats::{Source, read, trf};
use scrutineer_projections::crosstable::Scope;
use scrutineer_projections::ruleset::Library;
use scrutineer_projections::standings::{Detail, Standings};
use scrutineer_replay::neutral::neutral;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use trf::Dialect;

/// How many players one of the programs still pairs in a second or two.
const FEW: usize = 200;

/// Three files of a tournament: as it was, as it is written for programs, and as TRF26.
struct Trio {
    name: String,
    players: usize,
    /// None of a tournament that no report was read of.
    original: Option<PathBuf>,
    programs: PathBuf,
    fide: PathBuf,
}

impl Trio {
    fn of(folder: &Path, name: String, source: &Source, original: Option<&str>) -> Trio {
        let write = |ending: &str, text: &str| {
            let path = folder.join(format!("{name}.{ending}"));
            std::fs::write(&path, text).expect("written");
            path
        };
        let written = |dialect| trf::write(source, dialect).expect("two players each").text;
        let programs = written(Dialect::Programs);
        let again = read("again.trf", programs.as_bytes()).expect("read again");
        let once_more = trf::write(&again, Dialect::Programs).expect("written again").text;
        assert_eq!(once_more, programs, "{name}");
        Trio {
            players: source.players.len(),
            original: original.map(|text| write("original", text)),
            programs: write("programs", &programs),
            fide: write("fide", &written(Dialect::Fide)),
            name,
        }
    }
}

/// What came out of some tournaments.
#[derive(Debug, Default)]
struct Figures {
    tournaments: usize,
    /// By program: of how many the original was paired, of how many ours was taken and paired, and of how
    /// many both were paired the same.
    originals: BTreeMap<&'static str, usize>,
    taken: BTreeMap<&'static str, usize>,
    paired: BTreeMap<&'static str, usize>,
    same: BTreeMap<&'static str, usize>,
    /// Of how many the two programs pair ours alike.
    agreed: usize,
    /// Why ours were not taken.
    refused: BTreeMap<String, usize>,
    /// What must not be.
    faults: Vec<String>,
}

impl Figures {
    /// Holds what a program tells of ours against what it tells of the original.
    fn compare(&mut self, program: &'static str, name: &str, original: Option<&Told>, ours: &Told) {
        *self.taken.entry(program).or_default() += usize::from(ours.is_taken());
        *self.paired.entry(program).or_default() += usize::from(ours.pairs.is_some());
        if !ours.is_taken() {
            let digits = |c: char| if c.is_ascii_digit() { 'N' } else { c };
            let end = ours.why.rsplit(": ").next().unwrap_or_default();
            let why: String = end.chars().map(digits).take(70).collect();
            *self.refused.entry(format!("{program}: {why}")).or_default() += 1;
        }
        let Some(original) = original else { return };
        if original.points.is_some() && original.points != ours.points {
            self.faults.push(format!("{name}: {program} finds other points ({})", ours.why));
        }
        if original.pairs.is_none() {
            return;
        }
        *self.originals.entry(program).or_default() += 1;
        match original.pairs == ours.pairs {
            true => *self.same.entry(program).or_default() += 1,
            false => self.faults.push(format!("{name}: {program} pairs otherwise ({})", ours.why)),
        }
    }
}

/// Asks the programs that are there of all of these.
fn ask(trios: &[Trio]) -> Figures {
    let (bbp, py4swiss) = (Bbp::there(), Py4swiss::there());
    let mut figures = Figures { tournaments: trios.len(), ..Figures::default() };
    let few = trios.iter().filter(|trio| trio.players <= FEW);
    let paths = few.flat_map(|trio| trio.original.iter().chain([&trio.programs]).cloned());
    let paths: Vec<PathBuf> = paths.collect();
    let by_path = py4swiss.map(|peer| peer.pair(&paths)).unwrap_or_default();
    for trio in trios {
        let theirs = by_path.get(&trio.programs);
        if let Some(ours) = theirs {
            let original = trio.original.as_ref().and_then(|path| by_path.get(path));
            figures.compare("py4swiss", &trio.name, original, ours);
        }
        let Some(bbp) = &bbp else { continue };
        let original = trio.original.as_ref().map(|path| bbp.pair(path));
        let ours = bbp.pair(&trio.programs);
        figures.compare("bbpPairings", &trio.name, original.as_ref(), &ours);
        let fide = bbp.pair(&trio.fide);
        // Without a report to begin with, both of ours must say the same.
        let original = original.or_else(|| ours.is_taken().then(|| ours.clone()));
        figures.compare("bbpPairings, TRF26", &trio.name, original.as_ref(), &fide);
        let is_same =
            ours.pairs.is_some() && theirs.is_some_and(|theirs| theirs.pairs == ours.pairs);
        figures.agreed += usize::from(is_same);
    }
    assert!(figures.tournaments > 0, "nothing was compared");
    figures
}

/// Runs where `SCRUTINEER_FORMATS` names the folder of examples.
#[test]
fn programs_pair_reports_as_before() {
    let Some(folder) = std::env::var_os("SCRUTINEER_FORMATS") else {
        let may_skip = std::env::var_os("SCRUTINEER_NO_SKIPS").is_none();
        assert!(may_skip, "SCRUTINEER_FORMATS is not set, and nothing may be skipped here");
        eprintln!("skipped: SCRUTINEER_FORMATS is not set");
        return;
    };
    let temporary = tempfile::tempdir().expect("a folder");
    let files = std::fs::read_dir(Path::new(&folder).join("trf")).expect("a folder");
    let mut paths: Vec<PathBuf> = files.map(|file| file.expect("a file").path()).collect();
    paths.retain(|path| {
        let ending = path.extension().map(|ending| ending.to_string_lossy().into_owned());
        !matches!(ending.as_deref(), Some("json" | "expected"))
    });
    paths.sort();
    let mut trios = Vec::new();
    for path in paths {
        let text = cut::text_of(&std::fs::read(&path).expect("readable"));
        let file = path.file_name().expect("a name").to_string_lossy().into_owned();
        let mut add = |name: String, text: &str| {
            let source = read(&file, text.as_bytes()).unwrap_or_else(|error| panic!("{error}"));
            trios.push(Trio::of(temporary.path(), name, &source, Some(text)));
        };
        add(file.clone(), &text);
        let rounds = cut::rounds(&text);
        let mut starts = vec![0, 1, rounds / 2, rounds.saturating_sub(1)];
        starts.retain(|start| {
            *start < rounds && (cut::players(&text) <= FEW || *start == rounds / 2)
        });
        starts.dedup();
        for start in starts {
            add(format!("{file} after {start}"), &cut::back_to(&text, start));
        }
    }
    let figures = ask(&trios);
    println!("{figures:#?}");
    assert_eq!(figures.faults, [] as [String; 0]);
}

/// Two hundred tournaments of this program, of which the programs know what a report says alone.
#[test]
fn programs_take_simulated_tournaments_and_find_their_points() {
    let library = Library::shipped();
    let temporary = tempfile::tempdir().expect("a folder");
    let mut trios = Vec::new();
    for seed in 0..200u64 {
        let rules = ["fide-buchholz-2026", "mtr", "fide-buchholz-2024", "mtr-single-game"];
        let rules = Arc::new(library.ruleset(rules[(seed % 4) as usize]).expect("shipped"));
        let players = 4 + (seed * 7 % 45) as u32;
        let mut simulation = Simulation::new(players, Arc::clone(&rules), seed);
        simulation.kind = PhaseKind::Swiss;
        simulation.rounds = Some(if players < 8 { 3 } else { 5 });
        simulation.rates = if seed % 3 == 0 { Rates::NONE } else { Rates::default() };
        let store = Store::in_memory();
        let simulated = simulation.play(&store).unwrap_or_else(|error| panic!("{seed}: {error}"));
        let event = store.load(simulated.stream, true).expect("there");
        let standings = Standings::of(&event.state, &rules, Scope::default(), Detail::All);
        let mut source = neutral(&event, &standings.expect("they stand"));
        // One more round is to come, so that there is a next one.
        source.planned_rounds = source.planned_rounds.map(|rounds| rounds + 1);
        let written = trf::write(&source, Dialect::Programs).expect("two players each");
        let others = written.left_out.iter().find(|what| what.starts_with("points that do not"));
        assert_eq!(others, None, "{seed}: what programs count is what the standings have");
        trios.push(Trio::of(temporary.path(), format!("{seed} {}", rules.id), &source, None));
    }
    let figures = ask(&trios);
    println!("{figures:#?}");
    assert_eq!(figures.faults, [] as [String; 0]);
    assert_eq!(figures.refused, BTreeMap::new(), "each is taken");
}
