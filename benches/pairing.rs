//! How long a Swiss draw takes, what it costs, and how that compares with others' draws.
//!
//! `cargo bench --bench pairing` plays tournaments with the draw itself (45 of 100 matches won by
//! the one, 45 by the other, 10 drawn) and prints, for the round after, the median time of a
//! draw, the rematches, the pairs across groups, and the cost beside its proven bound; then how
//! the time grows up to 100,000 players, and how long small fields take after so many rounds
//! that hardly a pair has not met. A number of players and of rounds can be given: `cargo bench
//! --bench pairing -- 1000 10`.
//!
//! With `SCRUTINEER_PEERS` naming a folder where `python3 -m venv py`, `py/bin/pip install
//! swisspair==0.2.1` and `npm i tournament-organizer@4.1.1` were run, the same states are drawn
//! by these too, timing nothing but their own call.

use scrutineer_pairing::dice::Dice;
use scrutineer_pairing::swiss::{Field, Pairing, pair};
use serde_json::json;
use std::hint::black_box;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

/// As the program has it.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() {
    let sizes: Vec<usize> = std::env::args().filter_map(|arg| arg.parse().ok()).collect();
    if let [players, rounds] = sizes[..] {
        beside_peers(&print_one(players, rounds).0);
        return;
    }
    for (players, rounds) in [(128, 7), (1_000, 10), (10_000, 15), (100_000, 15)] {
        let (event, _) = print_one(players, rounds);
        if (1_000..=10_000).contains(&players) {
            beside_peers(&event);
        }
    }
    print_growth();
    println!("\nsmall fields in which nearly everybody has met everybody");
    for (players, rounds) in [(100, 80), (200, 150), (300, 150), (499, 100)] {
        print_one(players, rounds);
    }
}

/// Two players and their points; a bye has no second player.
type Table = (u32, Option<u32>, i64, i64);

/// A tournament that was played as it was drawn.
struct Event {
    points: Vec<i64>,
    byes: Vec<u32>,
    meetings: Vec<(u32, u32)>,
    rounds: Vec<Vec<Table>>,
}

impl Event {
    fn played(players: usize, rounds: usize) -> Event {
        let mut event = Event {
            points: vec![0; players],
            byes: vec![0; players],
            meetings: Vec::new(),
            rounds: Vec::new(),
        };
        for round in 0..rounds {
            let drawn = pair(&event.field(), &mut dice(round));
            event.play(&drawn, &mut dice(1_000_000 + round));
        }
        event
    }

    fn field(&self) -> Field {
        Field::new(self.points.clone(), self.byes.clone(), &self.meetings, false)
    }

    fn play(&mut self, drawn: &Pairing, dice: &mut Dice) {
        let mut tables = Vec::new();
        for (one, other) in &drawn.pairs {
            let (first, second) = match dice.below(100) {
                0..45 => (3, 0),
                45..90 => (0, 3),
                _ => (1, 1),
            };
            self.meetings.push((*one, *other));
            self.points[*one as usize] += first;
            self.points[*other as usize] += second;
            tables.push((*one, Some(*other), first, second));
        }
        if let Some(player) = drawn.bye {
            self.byes[player as usize] += 1;
            self.points[player as usize] += 3;
            tables.push((player, None, 3, 0));
        }
        self.rounds.push(tables);
    }

    fn across_groups(&self, drawn: &Pairing) -> usize {
        let across =
            |pair: &&(u32, u32)| self.points[pair.0 as usize] != self.points[pair.1 as usize];
        drawn.pairs.iter().filter(across).count()
    }
}

fn dice(number: usize) -> Dice {
    let seed = blake3::hash(&(number as u64).to_le_bytes());
    Dice::new(seed.as_bytes(), "score-group-random", 1, b"")
}

/// The median over draws with different seeds, and the last of them.
fn draws(field: &Field) -> (Duration, Pairing) {
    let once = |number: usize| {
        let mut dice = dice(2_000_000 + number);
        let started = Instant::now();
        let drawn = black_box(pair(black_box(field), &mut dice));
        (started.elapsed(), drawn)
    };
    let (first, mut drawn) = once(0);
    let runs = (1_000_000_000 / first.as_nanos().max(1)).clamp(3, 51) as usize;
    let mut times: Vec<Duration> = Vec::new();
    for number in 1..=runs {
        let (time, last) = once(number);
        times.push(time);
        drawn = last;
    }
    times.sort_unstable();
    (times[times.len() / 2], drawn)
}

fn print_one(players: usize, rounds: usize) -> (Event, Duration) {
    let event = Event::played(players, rounds);
    let (time, drawn) = draws(&event.field());
    let cost = &drawn.cost;
    let proof = match (cost == &drawn.bound, drawn.bound) {
        (true, _) => "the proven least".into(),
        (false, bound) => format!("proven least {bound:?}"),
    };
    println!(
        "{players:>7} players after {rounds:>3} rounds {:>9.3} ms   {} rematches, {} across \
         groups, squares {}: {proof}",
        time.as_secs_f64() * 1e3,
        cost.rematches,
        event.across_groups(&drawn),
        cost.squares,
    );
    (event, time)
}

fn print_growth() {
    println!("\ngrowth after 15 rounds");
    let times: Vec<(usize, Duration)> = [1_000, 3_162, 10_000, 31_623, 100_000]
        .into_iter()
        .map(|players| (players, print_one(players, 15).1))
        .collect();
    println!("  the time grows with players to the power of {:.2}", slope(&times));
}

/// The slope of the straight line through the logarithms that fits best.
fn slope(times: &[(usize, Duration)]) -> f64 {
    let points: Vec<(f64, f64)> = times
        .iter()
        .map(|(players, time)| ((*players as f64).ln(), time.as_secs_f64().ln()))
        .collect();
    let mean =
        |of: fn(&(f64, f64)) -> f64| points.iter().map(of).sum::<f64>() / points.len() as f64;
    let (x, y) = (mean(|point| point.0), mean(|point| point.1));
    let both: f64 = points.iter().map(|point| (point.0 - x) * (point.1 - y)).sum();
    both / points.iter().map(|point| (point.0 - x).powi(2)).sum::<f64>()
}

/// Others' draws of the same state.
fn beside_peers(event: &Event) {
    let Some(folder) = std::env::var_os("SCRUTINEER_PEERS") else {
        println!("  skipped: other programs (SCRUTINEER_PEERS names no folder)");
        return;
    };
    let folder = Path::new(&folder);
    let rounds: Vec<Vec<(i64, i64, i64, i64)>> = event
        .rounds
        .iter()
        .map(|tables| {
            let other = |player: Option<u32>| player.map_or(-1, i64::from);
            tables.iter().map(|(a, b, x, y)| (i64::from(*a), other(*b), *x, *y)).collect()
        })
        .collect();
    let state = json!({ "players": event.points.len(), "rounds": rounds });
    let file = tempfile::NamedTempFile::new().expect("a file for the state");
    std::fs::write(file.path(), state.to_string()).expect("the state is written");
    let (ours, _) = draws(&event.field());
    let scripts = Path::new(env!("CARGO_MANIFEST_DIR")).join("benches/peers");
    let python = folder.join("py/bin/python");
    if python.exists() {
        for mode in ["plain", "power"] {
            let mut command = Command::new(&python);
            command.arg(scripts.join("pair_swisspair.py")).arg(file.path()).arg(mode);
            run_peer(&format!("swisspair 0.2.1, {mode}"), command, ours);
        }
    } else {
        println!("  skipped: swisspair ({} is not there)", python.display());
    }
    if event.points.len() > 1_000 {
        println!("  skipped: tournament-organizer (it takes hours at this size)");
    } else if folder.join("node_modules/tournament-organizer").exists() {
        let mut command = Command::new("node");
        command.arg(scripts.join("pair_tournament_organizer.mjs")).arg(file.path()).arg(folder);
        run_peer("tournament-organizer 4.1.1", command, ours);
    } else {
        println!("  skipped: tournament-organizer (not in {})", folder.display());
    }
}

/// A peer prints its seconds, rematches and pairs across groups.
fn run_peer(name: &str, mut command: Command, ours: Duration) {
    let output = match command.output() {
        Ok(output) if output.status.success() => output,
        Ok(output) => {
            let said = String::from_utf8_lossy(&output.stderr);
            println!("  skipped: {name}: {}: {}", output.status, said.trim());
            return;
        }
        Err(error) => {
            println!("  skipped: {name}: {error}");
            return;
        }
    };
    let text = String::from_utf8_lossy(&output.stdout);
    let numbers: Vec<f64> = text.split_whitespace().filter_map(|word| word.parse().ok()).collect();
    let [seconds, rematches, across, squares] = numbers[..] else {
        println!("  skipped: {name}: {text}");
        return;
    };
    println!(
        "  {name:<27} {:>9.3} ms   {rematches} rematches, {across} across groups, squares \
         {squares}; we are {:.1} times as fast",
        seconds * 1e3,
        seconds / ours.as_secs_f64(),
    );
}
