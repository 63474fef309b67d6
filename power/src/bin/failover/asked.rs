//! What is asked for, and the table.

use clap::{Parser, ValueEnum};
use scrutineer_power::cluster::{Cluster, missing, nodes};
use scrutineer_power::failover::audit::Found;
use scrutineer_power::failover::faults::Fault;
use scrutineer_power::failover::{run, streams};
use std::io;
use std::process::ExitCode;
use std::time::{Duration, Instant};

/// Starts a cluster of databases on this machine, lets it fail while 16 desks write, and looks for what was
/// acknowledged.
#[derive(Parser)]
struct Asked {
    /// Only a killed primary and a zombie.
    #[arg(long)]
    short: bool,
    /// Only these faults.
    #[arg(long, value_delimiter = ',')]
    only: Vec<Fault>,
    /// How many seconds writers have before and after each fault.
    #[arg(long, default_value_t = 5)]
    seconds: u64,
    /// How often each fault.
    #[arg(long, default_value_t = 1)]
    times: usize,
    /// Ends after so many minutes, whatever is going on.
    #[arg(long, default_value_t = 45)]
    minutes: u64,
    /// Instead of faults: so many streams at two nodes, while the primary is killed and then a node.
    #[arg(long)]
    streams: Option<usize>,
    /// Only start a cluster and say how it is reached, to practise on until Ctrl-C.
    #[arg(long)]
    practise: bool,
    /// Leave the folder there, with everybody's logs.
    #[arg(long)]
    keep: bool,
}

/// Does it.
pub fn run_all() -> ExitCode {
    let asked = Asked::parse();
    let missing = missing();
    if !missing.is_empty() {
        eprintln!("skipped: not installed here: {}", missing.join(", "));
        return ExitCode::SUCCESS;
    }
    let minutes = if asked.practise { 600 } else { asked.minutes };
    std::thread::spawn(move || {
        std::thread::sleep(Duration::from_secs(60 * minutes));
        eprintln!("error: not done after {minutes} minutes");
        std::process::exit(2);
    });
    match all(&asked) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::from(1),
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::from(2)
        }
    }
}

fn all(asked: &Asked) -> io::Result<bool> {
    let since = Instant::now();
    let apart = !asked.short && !asked.practise && asked.streams.is_none();
    let mut cluster = match asked.practise {
        true => Cluster::to_practise(asked.keep)?,
        false => Cluster::start(apart, asked.keep)?,
    };
    println!("a cluster after {:.0} s", since.elapsed().as_secs_f64());
    if asked.practise {
        println!("{}", cluster.introduction());
        loop {
            std::thread::park();
        }
    }
    if let Some(streams) = asked.streams {
        return tell_streams(&mut cluster, streams);
    }
    row(["fault", "acknowledged", "lost", "doubled", "reordered", "longest stall", "failovers"]);
    let faults = match &asked.only[..] {
        [] if asked.short => &[Fault::Primary, Fault::Zombie],
        [] => Fault::value_variants(),
        only => only,
    };
    let (mut is_good, mut total, mut failovers) = (true, 0, 0);
    for _ in 0..asked.times {
        for fault in faults {
            let name =
                fault.to_possible_value().map_or_else(String::new, |it| it.get_name().into());
            if let Some(why) = fault.hindrance(&cluster) {
                println!("{name:<16}  not tried: {why}");
                continue;
            }
            let outcome = run(&mut cluster, *fault, Duration::from_secs(asked.seconds))?;
            tell(&name, &outcome.found, outcome.failovers);
            if let Some(wandered) = &outcome.wandered {
                tell("… random hosts", wandered, outcome.failovers);
                if wandered.lost == 0 {
                    println!(
                        "  error: hosts at random lost nothing, so that this would not see a loss"
                    );
                    is_good = false;
                }
            }
            for note in &outcome.notes {
                println!("  {note}");
            }
            for fault in outcome.found.faults.iter().take(5) {
                println!("  error: {fault}");
            }
            is_good &= outcome.found.is_good();
            total += outcome.found.acknowledged;
            failovers += outcome.failovers;
        }
    }
    let (minutes, seconds) = (since.elapsed().as_secs() / 60, since.elapsed().as_secs() % 60);
    println!("{total} acknowledged, {failovers} failovers, in {minutes} min {seconds} s");
    Ok(is_good)
}

fn tell_streams(cluster: &mut Cluster, streams: usize) -> io::Result<bool> {
    if let Some(why) = nodes::hindrance() {
        println!("not tried: {why}");
        return Ok(true);
    }
    let since = Instant::now();
    let told = streams::run(cluster, streams)?;
    println!(
        "{} streams at two nodes, {} events: told {}, {} missing, {} doubled, {} misplaced; {} streams \
         went on elsewhere; longest stall {:.1} s; {:.0} s in all",
        told.streams,
        told.events,
        told.told,
        told.missing,
        told.doubled,
        told.misplaced,
        told.resumed,
        told.stall.as_secs_f64(),
        since.elapsed().as_secs_f64(),
    );
    told.faults.iter().for_each(|fault| println!("  error: {fault}"));
    Ok(told.is_good())
}

fn tell(name: &str, found: &Found, failovers: u64) {
    row([
        name,
        &found.acknowledged.to_string(),
        &found.lost.to_string(),
        &found.doubled.to_string(),
        &found.reordered.to_string(),
        &format!("{:.1} s", found.stall.as_secs_f64()),
        &failovers.to_string(),
    ]);
}

/// Rows are printed as they come: a long run takes its time.
fn row(cells: [&str; 7]) {
    let [fault, acknowledged, lost, doubled, reordered, stall, failovers] = cells;
    println!(
        "{fault:<16}  {acknowledged:>12}  {lost:>6}  {doubled:>7}  {reordered:>9}  {stall:>13}  {failovers:>9}"
    );
}
