//! `simulate`: an invented tournament that is really stored, or a format tried many times over.

mod formats;

use crate::args::Simulate;

use crate::args::Kind;
use crate::error::VerbError;
use crate::session::Session;
use crate::standings;
use crate::usage::BAD_USAGE;
use crate::{Answer, Report};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use scrutineer_desk::answers::{FormatTried, SimulateAnswer, line};
use scrutineer_desk::orders::usual_phase;
use scrutineer_desk::simulate::{
    Counts, Format, Rates, Simulated, Simulation, is_invented, play_many,
};
use scrutineer_engine::error::Code;
use scrutineer_engine::event::PlayerNumber;
use scrutineer_projections::crosstable::Scope;
use scrutineer_projections::standings::{Detail, Standings};
use scrutineer_replay::loaded::LoadedTournament;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// How many rows of the standings are shown.
const SHOWN: usize = 8;

/// No bar is shown for what is done within this.
const PATIENCE: Duration = Duration::from_secs(1);

/// Plays one tournament into the store, or many of each format.
pub fn run(session: &Session, options: &Simulate) -> Result<Report, VerbError> {
    let simulations = simulations(session, options)?;
    match (options.times, &simulations[..]) {
        (Some(times), _) => formats(session, options, &simulations, times),
        (None, [one]) => store(session, one, options.keep),
        (None, _) => Err(VerbError::new(
            Code::invalid("several-formats"),
            "several formats are compared over many tournaments",
            "say how many: `--times 1000`; or name one",
        )),
    }
}

/// One for each ruleset and number of rounds.
fn simulations(session: &Session, options: &Simulate) -> Result<Vec<Simulation>, VerbError> {
    let rounds: Vec<Option<u16>> = match &options.rounds[..] {
        [] => vec![None],
        rounds => rounds.iter().copied().map(Some).collect(),
    };
    let mut all = Vec::new();
    for name in &options.rules {
        let rules = Arc::new(session.ruleset(name)?);
        for &rounds in &rounds {
            let mut simulation = Simulation::new(options.players, Arc::clone(&rules), options.seed);
            let usual = || usual_phase(&simulation.rules);
            simulation.kind = options.phase.map_or_else(usual, Kind::phase);
            if rounds.is_some() && simulation.kind.is_bracket() {
                let message = format!(
                    "the rounds of a {} follow from its players",
                    simulation.kind.spelled()
                );
                return Err(VerbError::new(BAD_USAGE, message, "leave --rounds out"));
            }
            simulation.rounds = rounds;
            simulation.cut = options.cut;
            simulation.cut_kind = options.cut_phase.phase();
            simulation.best_of = options.best_of;
            simulation.rates = rates(options);
            all.push(simulation);
        }
    }
    Ok(all)
}

fn rates(options: &Simulate) -> Rates {
    let (draws, agreed) = (options.draws, options.agreed_draws);
    match options.smooth {
        true => Rates { draws, agreed, ..Rates::NONE },
        false => {
            let Simulate { drops, late, wrong, .. } = *options;
            Rates { drops, late, wrong, draws, agreed, ..Rates::default() }
        }
    }
}

fn store(session: &Session, simulation: &Simulation, keep: bool) -> Result<Report, VerbError> {
    let store = session.store()?;
    let real = store.events()?.into_iter().find(|event| !is_invented(&event.title));
    if let Some(real) = real.filter(|_| !keep) {
        return Err(VerbError::new(
            Code::conflict("real-tournaments"),
            format!("the store holds {}: an invented tournament would stand beside it", real.title),
            "play it in another store: `--store practice`; or add --keep",
        ));
    }
    let played = simulation.play(&store)?;
    let event = store.load(played.stream, false)?;
    let rules = &simulation.rules;
    let table = Standings::of(&event.state, rules, Scope::default(), Detail::All)?;
    Ok(Report::yes(match session.json {
        true => {
            let counts = named(&played.counts).map(|(_, many, count)| (spelled(many), count));
            line(&SimulateAnswer::of(&event, &table, &played, counts.into()))
        }
        false => text(&event, &table, &played),
    }))
}

fn text(event: &LoadedTournament, table: &Standings, played: &Simulated) -> String {
    let whole = standings::text(event, table);
    // Title, empty line, head; then the rows.
    let shown: Vec<&str> = whole.lines().take(3 + SHOWN).collect();
    let more = match table.rows.len().saturating_sub(SHOWN) {
        0 => String::new(),
        more => format!("   … {more} more\n"),
    };
    let champion = match played.champion {
        Some(player) => format!("{} wins{}", event.name(player), how_strong(played, player)),
        None => "nobody wins".into(),
    };
    let title = event.title();
    format!(
        "{}\n{more}\n{champion}.\n{}\nIt is in the store: \
         `scrutineer standings --tournament \"{title}\"`\n",
        shown.join("\n"),
        counted(&played.counts),
    )
}

/// What nobody can know at a real tournament.
fn how_strong(played: &Simulated, player: PlayerNumber) -> String {
    match played.by_strength().iter().position(|other| *other == player) {
        Some(0) => ", the strongest of the field".into(),
        Some(at) => format!(", number {} of the field in strength", at + 1),
        None => String::new(),
    }
}

fn named(counts: &Counts) -> [(&'static str, &'static str, u64); 15] {
    [
        ("event", "events", counts.events),
        ("round", "rounds", counts.rounds.into()),
        ("result entered", "results entered", counts.results.into()),
        ("corrected", "corrected", counts.corrections.into()),
        ("drop", "drops", counts.drops.into()),
        ("no-show", "no-shows", counts.no_shows.into()),
        ("late entry", "late entries", counts.late.into()),
        ("return", "returns", counts.returns.into()),
        ("penalty", "penalties", counts.penalties.into()),
        ("repair", "repairs", counts.repairs.into()),
        ("round paired anew", "rounds paired anew", counts.pairings_again.into()),
        ("agreed draw", "agreed draws", counts.agreed.into()),
        ("ruling who goes on", "rulings who goes on", counts.advanced.into()),
        ("rematch paired", "rematches paired", counts.rematches.into()),
        ("second bye paired", "second byes paired", counts.second_byes.into()),
    ]
}

/// A key of an answer.
fn spelled(words: &str) -> String {
    words.replace([' ', '-'], "_")
}

fn counted(counts: &Counts) -> String {
    let said = named(counts).into_iter().filter(|(_, _, count)| *count > 0);
    let said =
        said.map(|(one, many, count)| format!("{count} {}", if count == 1 { one } else { many }));
    said.collect::<Vec<_>>().join(", ")
}

fn formats(
    session: &Session,
    options: &Simulate,
    simulations: &[Simulation],
    times: u32,
) -> Result<Report, VerbError> {
    if times == 0 {
        return Err(VerbError::new(
            Code::invalid("no-times"),
            "nothing is played 0 times",
            "such as `--times 1000`",
        ));
    }
    let cores = std::thread::available_parallelism().map_or(1, |cores| cores.get());
    let threads = options.threads.unwrap_or(cores).clamp(1, 256);
    let bar = progress(u64::from(times) * simulations.len() as u64);
    let begun = Instant::now();
    let each = || {
        bar.inc(1);
        // A terminal is told nothing of what is over at once.
        if bar.is_hidden() && begun.elapsed() > PATIENCE {
            bar.set_draw_target(ProgressDrawTarget::stderr());
        }
    };
    let mut found = Vec::new();
    for simulation in simulations {
        let played = play_many(simulation, times, threads, &each)?;
        found.push((simulation, Format::of(&played)));
    }
    bar.finish_and_clear();
    let text = match session.json {
        true => {
            let tried =
                |(simulation, format): &(&Simulation, Format)| FormatTried::of(simulation, format);
            line(&found.iter().map(tried).collect::<Vec<_>>())
        }
        false => formats::text(&found),
    };
    Ok(Report { text, answer: Answer::Yes })
}

fn progress(events: u64) -> ProgressBar {
    let bar = ProgressBar::with_draw_target(Some(events), ProgressDrawTarget::hidden());
    let style = ProgressStyle::with_template("{bar:30} {pos} of {len} tournaments, {eta} left");
    bar.with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
}
