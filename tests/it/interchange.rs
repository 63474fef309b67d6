//! What is written for chess is taken by two programs that pair by FIDE's rules: they find the same points,
//! and pair the next round as from the report that it was read from.
//!
//! `SCRUTINEER_BBP` names the program bbpPairings, `SCRUTINEER_PY4SWISS` a Python that has py4swiss, and
//! `SCRUTINEER_FORMATS` the folder of examples. With `--nocapture` the figures are printed.

mod cut;
mod peers;

use peers::{Bbp, Py4swiss, Told};
use scrutineer_desk::outgoing::{format_called, given, written};
use scrutineer_desk::simulate::{Rates, Simulation};
use scrutineer_desk::store::Store;
use scrutineer_engine::event::{ByeKind, ByeRequested, PhaseKind};
use scrutineer_engine::tournament::Tournament;
use scrutineer_formats::{Source, read, trf};
use scrutineer_projections::crosstable::Scope;
use scrutineer_projections::ruleset::Library;
use scrutineer_projections::standings::{Detail, Standings};
use scrutineer_replay::neutral::neutral;
use std::collections::{BTreeMap, BTreeSet};
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

/// Runs where `SCRUTINEER_FORMATS` names the folder of examples; with `SCRUTINEER_TOURNAMENTS` each report is
/// cut off at up to four places.
#[test]
fn programs_pair_reports_as_before() {
    let at_each = std::env::var_os("SCRUTINEER_TOURNAMENTS").is_some();
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
    for (at, path) in paths.into_iter().enumerate() {
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
        // In the short form one of them for each report, another one for the next.
        if !at_each && !starts.is_empty() {
            starts = vec![starts[at % starts.len()]];
        }
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

/// Cobra ranks everybody by the Swiss rounds, and has seeds and final places of the cut beside them.
#[test]
fn a_cut_goes_to_cobra_with_its_seeds_and_places_and_the_ranks_are_those_before_it() {
    let rules = Arc::new(Library::shipped().ruleset("netrunner").expect("shipped"));
    let mut simulation = Simulation::new(12, Arc::clone(&rules), 3);
    (simulation.rounds, simulation.cut) = (Some(4), Some(4));
    (simulation.cut_kind, simulation.rates) = (PhaseKind::DoubleElimination, Rates::NONE);
    let store = Store::in_memory();
    let simulated = simulation.play(&store).unwrap_or_else(|error| panic!("{error}"));
    let (event, standings) = given(&store, simulated.stream, true).expect("they stand");
    let cobra = format_called("cobra").expect("it is written");
    let cup = written(&event, &standings, cobra, None).expect("two players each");
    let source = read("cup.json", cup.text.as_bytes()).expect("read again");
    assert_eq!(source.cut, Some(4));
    let named = |rank: u32, player: u32| (rank, event.name(player));
    let scope = Scope { through: Some(4), final_order: Some(true) };
    let swiss = Standings::of(&event.state, &rules, scope, Detail::All).expect("they stand");
    let rows = swiss.rows.iter().map(|row| named(row.rank, row.player));
    let name = |player: usize| source.players[player].name.clone();
    let ranks = source.published.iter().map(|row| (row.rank, name(row.player)));
    assert_eq!(ranks.collect::<BTreeSet<_>>(), rows.collect::<BTreeSet<_>>());
    let rows = standings.rows[..4].iter().map(|row| named(row.rank, row.player));
    let places = source.places.iter().map(|one| (one.place, name(one.player)));
    assert_eq!(places.collect::<BTreeSet<_>>(), rows.collect::<BTreeSet<_>>());
    let cut = source.phases.last().expect("a cut");
    let seeds: Vec<String> = cut.entrants.iter().map(|player| name(*player)).collect();
    let first: Vec<String> = swiss.rows[..4].iter().map(|row| event.name(row.player)).collect();
    assert_eq!((cut.seeded, seeds), (true, first));
}

/// It was said that absences to come were not in it, and that colors were known which nobody had recorded.
#[test]
fn a_tournament_of_go_goes_to_opengotha_with_absences_to_come_and_without_colors() {
    let desk = crate::cli::desk::Desk::new();
    let run = |words: &[&str]| {
        let said = desk.run(words);
        assert_eq!(said.code, 0, "{words:?}: {}", said.all());
        said.all()
    };
    run(&["new", "Club", "--rules", "go", "--phase", "swiss:3"]);
    run(&["enroll", "Ann", "Bob", "Cid", "Dee"]);
    run(&["pair"]);
    run(&["result", "1", "w-l"]);
    run(&["result", "2", "w-l"]);
    run(&["bye", "Ann", "--round", "3", "--zero"]);
    let export =
        |more: &[&str]| run(&[&["export", "--format", "opengotha", "--roster"], more].concat());
    let told = export(&["--output", "club.xml"]);
    assert!(!told.contains("byes that were asked for"), "{told}");
    assert!(told.contains("colors of games, written as not known: 2"), "{told}");
    let text = std::fs::read_to_string(desk.path("club.xml")).expect("written");
    assert!(text.contains("participating=\"1101"), "{text}");
    assert_eq!(text.matches("knownColor=\"false\"").count(), 2, "{text}");
    let told = export(&["--into", "club.xml", "--output", "into.xml"]);
    assert!(told.contains("byes that were asked for in rounds to come: 1"), "{told}");
}

/// Byes that players ask for, two in the next round and one in the round after it, each of another kind.
fn asks(state: &Tournament, seed: u64) -> Vec<ByeRequested> {
    let next = state.next_round_number();
    let here = state.players().iter().filter(|player| player.takes_part_in(next));
    let here: Vec<u32> = here.map(|player| player.number).collect();
    let kinds = [ByeKind::Half, ByeKind::Zero, ByeKind::Awarded];
    let asked = (0..3).map(|at: u64| ByeRequested {
        player: here[(seed as usize + at as usize) % here.len()],
        round: next + u16::from(at == 2),
        kind: kinds[(seed + at) as usize % 3],
    });
    asked.collect()
}

/// The same in the records of a report, as one of the programs has them: 240 of TRF26 for bbpPairings, and XXZ
/// for py4swiss, which says who is away in the next round.
fn as_records(asked: &[ByeRequested], next: u16, numbers: &BTreeMap<u32, u32>) -> [String; 2] {
    let fide = asked.iter().map(|bye| {
        let letter = match bye.kind {
            ByeKind::Half => 'H',
            ByeKind::Zero => 'Z',
            _ => 'F',
        };
        format!("240 {letter} {:3} {:4}\n", bye.round, numbers[&bye.player])
    });
    let away = asked.iter().filter(|bye| bye.round == next);
    [fide.collect(), away.map(|bye| format!("XXZ {}\n", numbers[&bye.player])).collect()]
}

/// Whoever asked for a bye in the next round is not paired in it, whoever asked for one in a later round plays,
/// and all are paired as from a report that says it in records of its own.
#[test]
fn programs_pair_without_those_who_asked_for_a_bye_in_a_round_to_come() {
    let (bbp, py4swiss) = (Bbp::there(), Py4swiss::there());
    let rules = Arc::new(Library::shipped().ruleset("fide-buchholz-2026").expect("shipped"));
    let temporary = tempfile::tempdir().expect("a folder");
    let (mut paths, mut compared) = (Vec::new(), Vec::new());
    for seed in 0..40u64 {
        let players = 8 + (seed * 3 % 25) as u32;
        let mut simulation = Simulation::new(players, Arc::clone(&rules), 500 + seed);
        simulation.kind = PhaseKind::Swiss;
        simulation.rounds = Some(1 + (seed % 4) as u16);
        simulation.rates = if seed % 3 == 0 { Rates::NONE } else { Rates::default() };
        let store = Store::in_memory();
        let simulated = simulation.play(&store).unwrap_or_else(|error| panic!("{seed}: {error}"));
        let mut event = store.load(simulated.stream, true).expect("there");
        let standings = Standings::of(&event.state, &rules, Scope::default(), Detail::All);
        let standings = standings.expect("they stand");
        let planned = |mut source: Source| {
            source.planned_rounds = source.planned_rounds.map(|rounds| rounds + 3);
            source
        };
        let without = planned(neutral(&event, &standings));
        let without = trf::write(&without, Dialect::Programs).expect("two players each").text;
        let next = event.state.next_round_number();
        let asked = asks(&event.state, seed);
        let mut state = (*event.state).clone();
        asked.iter().for_each(|bye| state.evolve(&(*bye).into()));
        event.state = Arc::new(state);
        let source = planned(neutral(&event, &standings));
        let trio = Trio::of(temporary.path(), seed.to_string(), &source, None);
        // The report has a number for each player, in the order in which they stand there.
        let known = read("report.trf", without.as_bytes()).expect("read");
        let here = event.state.players().iter().filter(|player| !player.withdrawn);
        let numbers: BTreeMap<u32, u32> = here
            .map(|player| player.number)
            .zip(known.players.iter().map(|player| player.sign_up.expect("a number")))
            .collect();
        // Who left is absent in the next round too, and no other is.
        let left: BTreeSet<usize> = source.drops.iter().map(|drop| drop.player).collect();
        let records = as_records(&asked, next, &numbers);
        let mut theirs = Vec::new();
        for (name, record) in ["240", "xxz"].into_iter().zip(&records) {
            let text = format!("{without}{record}");
            let of_theirs = read("report.trf", text.as_bytes()).expect("read");
            let mut said: Vec<(u16, usize)> =
                of_theirs.report.asked.iter().map(|bye| (bye.round, bye.player)).collect();
            said.retain(|(_, player)| !left.contains(player));
            let ours = source.report.asked.iter().map(|bye| (bye.round, bye.player));
            let ours: Vec<_> = ours.filter(|(round, _)| name == "240" || *round == next).collect();
            assert_eq!(said, ours, "{seed}: {name}");
            let path = temporary.path().join(format!("{seed}.{name}"));
            std::fs::write(&path, text).expect("written");
            theirs.push(path);
        }
        let away = asked.iter().filter(|bye| bye.round == next);
        let away: BTreeSet<u32> = away.map(|bye| numbers[&bye.player]).collect();
        paths.extend([theirs[1].clone(), trio.programs.clone()]);
        compared.push((trio, theirs, away));
    }
    let by_path = py4swiss.map(|peer| peer.pair(&paths)).unwrap_or_default();
    let mut paired: BTreeMap<&str, usize> = BTreeMap::new();
    for (trio, theirs, away) in &compared {
        let mut hold = |program: &'static str, theirs: &Told, ours: &Told| {
            let name = &trio.name;
            assert!(theirs.is_taken(), "{name}: {program} refuses theirs: {}", theirs.why);
            assert!(ours.is_taken(), "{name}: {program} refuses ours: {}", ours.why);
            assert_eq!(ours.pairs, theirs.pairs, "{name}: {program} pairs otherwise");
            let Some(pairs) = &ours.pairs else { return };
            // A program may tell byes as pairs with nobody.
            let sits = |(one, other): &&(u32, u32)| {
                *one > 0 && *other > 0 && (away.contains(one) || away.contains(other))
            };
            assert_eq!(pairs.iter().find(sits), None, "{name}: {program} pairs who is away");
            *paired.entry(program).or_default() += 1;
        };
        if let Some(bbp) = &bbp {
            let told = bbp.pair(&theirs[0]);
            hold("bbpPairings", &told, &bbp.pair(&trio.programs));
            hold("bbpPairings, TRF26", &told, &bbp.pair(&trio.fide));
        }
        if let (Some(told), Some(ours)) = (by_path.get(&theirs[1]), by_path.get(&trio.programs)) {
            hold("py4swiss", told, ours);
        }
    }
    println!("paired the same without those who are away: {paired:?}");
    let programs = 2 * usize::from(bbp.is_some()) + usize::from(!by_path.is_empty());
    assert_eq!(paired.len(), programs, "each program that is there pairs");
    assert!(paired.values().all(|count| *count > 30), "{paired:?}");
}
