//! `cargo run -p scrutineer-power -- run`: power cuts, kills and failing disks, and what was lost.

use clap::{Args, Parser, Subcommand, ValueEnum};
use scrutineer_power::child::recorder;
use scrutineer_power::power::{Outcome, Point, Recording};
use scrutineer_power::trials::{self, Setting, Trial};
use scrutineer_power::work::{self, Order};
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
    Work(Order),
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

fn main() -> ExitCode {
    let done = match Asked::parse().verb {
        Verb::Run(run) => run_trials(&run),
        Verb::Again(again) => run_again(&again),
        Verb::Work(order) => Ok(run_work(&order)),
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
    // What is left may make sled panic on a thread of its own; that is no finding.
    let told = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        if std::thread::current().name() == Some("main") {
            told(panic);
        }
    }));
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
        row([
            &trial.name().replace('-', " "),
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
    let outcome = recording.check(&[point])?;
    tell(&outcome);
    Ok(ExitCode::from(u8::from(!outcome.found.is_good())))
}

fn run_work(order: &Order) -> ExitCode {
    let Err(error) = work::work(order) else { return ExitCode::SUCCESS };
    eprintln!("{error}");
    // With a fault on purpose the store may well refuse to open; the marks say so.
    let is_faulty = std::env::var_os("SCRUTINEER_POWER_FAULT").is_some();
    ExitCode::from(if is_faulty { 0 } else { 2 })
}
