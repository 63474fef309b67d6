//! `cargo run -p scrutineer-power -- run`: power cuts, kills and failing disks, and what was lost.

use clap::{Args, Parser, Subcommand, ValueEnum};
use scrutineer_power::check;
use scrutineer_power::child::{recorder, write_found};
use scrutineer_power::claims::Claims;
use scrutineer_power::power::{Outcome, Point, Recording};
use scrutineer_power::store::{Kind, Marks};
use scrutineer_power::trials::{self, Setting, Trial};
use scrutineer_power::work::{self, Order, Workload};
use std::io;
use std::path::PathBuf;
use std::process::ExitCode;

/// Takes the power away from a store, kills it and fails its disk, and looks for what was
/// acknowledged.
#[derive(Parser)]
struct Asked {
    #[command(subcommand)]
    verb: Verb,
}

#[derive(Subcommand)]
enum Verb {
    /// Runs trials and prints what was lost.
    Run(Run),
    /// Cuts the power once more where something was wrong.
    Again(Again),
    #[command(hide = true)]
    Work(Work),
    #[command(hide = true)]
    Check(Check),
}

#[derive(Args)]
struct Run {
    /// Which trials; all but `largest` if none is named.
    trials: Vec<Trial>,
    /// How many power cuts, kills or faults in each.
    #[arg(long, default_value_t = 300)]
    count: usize,
    /// Everything that is left to chance comes from this; drawn if it is not given.
    #[arg(long)]
    seed: Option<u64>,
    /// Faults in every recorded worker, such as `sync:/journal/:0:swallow`.
    #[arg(long, default_value = "")]
    faults: String,
}

#[derive(Args)]
struct Again {
    /// The folder that was kept.
    folder: PathBuf,
    /// Entries of the tape that were done.
    #[arg(long)]
    at: usize,
    /// The seed of the power cut.
    #[arg(long)]
    seed: u64,
}

#[derive(Args)]
struct Work {
    workload: Workload,
    #[arg(long)]
    base: PathBuf,
    #[arg(long)]
    marks: PathBuf,
    #[arg(long)]
    seed: u64,
    #[arg(long)]
    reopen: bool,
}

#[derive(Args)]
struct Check {
    #[arg(long)]
    base: PathBuf,
    #[arg(long)]
    kind: Kind,
    #[arg(long)]
    marks: PathBuf,
}

fn main() -> ExitCode {
    let done = match Asked::parse().verb {
        Verb::Run(run) => run_trials(&run),
        Verb::Again(again) => run_again(&again),
        Verb::Work(asked) => run_work(&asked),
        Verb::Check(asked) => run_check(&asked),
    };
    match done {
        Ok(code) => code,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::from(2)
        }
    }
}

fn run_trials(run: &Run) -> io::Result<ExitCode> {
    if recorder().is_none() {
        eprintln!("skipped: power cuts are recorded on Linux only");
        return Ok(ExitCode::SUCCESS);
    }
    let seed = run.seed.unwrap_or_else(|| fastrand::u64(..));
    println!("seed {seed}");
    let all = || Trial::value_variants().iter().copied().filter(|trial| *trial != Trial::Largest);
    let trials = if run.trials.is_empty() { all().collect() } else { run.trials.clone() };
    let program = std::env::current_exe()?;
    let folder = trials::folder()?;
    row(["trial", "times", "acknowledged events looked for", "lost", "other faults"]);
    let mut is_good = true;
    for trial in trials {
        let setting = Setting {
            program: &program,
            folder: folder.path(),
            count: run.count,
            seed,
            faults: &run.faults,
        };
        let outcome = trials::run(trial, &setting)?;
        is_good &= outcome.found.is_good();
        tell(&outcome);
        let name = trial.to_possible_value();
        row([
            &name.map_or_else(String::new, |name| name.get_name().replace('-', " ")),
            &outcome.points.to_string(),
            &outcome.found.events.to_string(),
            &outcome.found.lost.to_string(),
            &outcome.found.faults.len().to_string(),
        ]);
    }
    if is_good {
        return Ok(ExitCode::SUCCESS);
    }
    println!("kept in {}", folder.keep().display());
    Ok(ExitCode::from(1))
}

/// Rows are printed as they come: a long run takes its time.
fn row(cells: [&str; 5]) {
    let [trial, times, events, lost, faults] = cells;
    println!("{trial:<14}  {times:>6}  {events:>30}  {lost:>6}  {faults:>12}");
}

fn tell(outcome: &Outcome) {
    for fault in outcome.found.faults.iter().take(5) {
        println!("{fault}");
    }
    if let Some((folder, Point { at, seed })) = &outcome.first_bad {
        let folder = folder.display();
        println!("again: cargo run -p scrutineer-power -- again {folder} --at {at} --seed {seed}");
    }
}

fn run_again(again: &Again) -> io::Result<ExitCode> {
    let recording = Recording::open(&again.folder)?;
    let point = Point { at: again.at, seed: again.seed };
    let outcome = recording.check(&std::env::current_exe()?, &[point])?;
    tell(&outcome);
    Ok(ExitCode::from(u8::from(!outcome.found.is_good())))
}

fn run_work(asked: &Work) -> io::Result<ExitCode> {
    let marks = Marks::open(&asked.marks)?;
    let order = Order {
        workload: asked.workload,
        folder: &asked.base.join("store"),
        marks: &marks,
        seed: asked.seed,
        reopen: asked.reopen,
    };
    if let Err(error) = work::work(&order) {
        eprintln!("{error}");
        // With a fault on purpose the store may well refuse to open; the marks say so.
        let is_faulty = std::env::var_os("SCRUTINEER_POWER_FAULT").is_some();
        return Ok(ExitCode::from(if is_faulty { 0 } else { 2 }));
    }
    Ok(ExitCode::SUCCESS)
}

fn run_check(asked: &Check) -> io::Result<ExitCode> {
    let claims = Claims::read(&std::fs::read_to_string(&asked.marks)?);
    let marks = Marks::open(&asked.marks)?;
    let found = check::check(&asked.base.join("store"), asked.kind, &claims, &marks);
    print!("{}", write_found(&found));
    Ok(ExitCode::SUCCESS)
}
