//! `replay`: the tournament again, round by round or event by event.

pub mod summary;

use crate::Report;
use crate::args::{self, Pace, View};
use crate::error::VerbError;
use crate::session::{Session, dated, no_such_round, scope};
use indicatif::{ProgressBar, ProgressStyle};
use scrutineer_desk::answers::{Dated, ReplayStep, line};
use scrutineer_desk::names::find_player;
use scrutineer_desk::table::{Align, Aligned};
use scrutineer_engine::error::Code;
use scrutineer_engine::event::PlayerNumber;
use scrutineer_projections::crosstable::check_rulings;
use scrutineer_projections::ruleset::called;
use scrutineer_replay::as_of::utc;
use scrutineer_replay::loaded::LoadedTournament;
use scrutineer_replay::replay::{self, Moved, Replay, Step, players_concerned};
use std::time::{Duration, Instant};

/// How many players a step of a whole round shows.
const PLACES: usize = 24;

/// How many movers a single event shows.
const MOVERS: usize = 8;

/// After how long a bar says how far it is.
const PATIENCE: Duration = Duration::from_secs(1);

impl From<Pace> for replay::Pace {
    fn from(typed: Pace) -> replay::Pace {
        match typed {
            Pace::Round => replay::Pace::Round,
            Pace::Event => replay::Pace::Event,
        }
    }
}

/// A tournament that is walked through, and how it is looked at.
pub struct Showing {
    /// The tournament with its log.
    pub event: LoadedTournament,
    /// The ruleset that was asked for.
    replayed: replay::Replay<'static>,
}

impl Showing {
    /// The tournament that is meant, and its replay.
    pub fn of(session: &Session, view: &View) -> Result<Showing, VerbError> {
        let event = session.event(&view.which, &view.when.known, true)?;
        let asked = view.rules.as_deref();
        let last = session.rules(&event, asked)?;
        check_rulings(&event.state, &last)?;
        let scope = scope(&event.state, view.when.through)?;
        let replayed = Replay { log: &[], rules: asked.map(|_| last), scope };
        Ok(Showing { event, replayed })
    }

    /// Shows each step in turn; a bar tells how far it is where this takes long.
    pub fn play(
        &self,
        pace: replay::Pace,
        visit: &mut dyn FnMut(&Step<'_>),
    ) -> Result<(), VerbError> {
        let replayed = Replay { log: &self.event.log, ..self.replayed.clone() };
        let started = Instant::now();
        let mut bar: Option<ProgressBar> = None;
        let mut done = 0;
        replayed.play(pace, &mut |step| {
            visit(&step);
            done += 1;
            if bar.is_none() && started.elapsed() > PATIENCE {
                bar = Some(progress(replayed.steps(pace)));
            }
            if let Some(bar) = &bar {
                bar.set_position(done);
            }
        })?;
        if let Some(bar) = bar {
            bar.finish_and_clear();
        }
        Ok(())
    }
}

fn progress(steps: usize) -> ProgressBar {
    let bar = ProgressBar::new(steps as u64);
    let style = ProgressStyle::with_template("{bar:30} {pos} of {len} steps, {eta} left");
    bar.with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
}

/// Prints the replay.
pub fn run(session: &Session, options: &args::Replay) -> Result<Report, VerbError> {
    let showing = Showing::of(session, &options.view)?;
    let event = &showing.event;
    let player = match &options.player {
        Some(name) => Some(find_player(event, name)?),
        None => None,
    };
    let shown = Shots { from: options.from.unwrap_or(0), to: options.to.unwrap_or(u64::MAX) };
    shown.check(event, options)?;
    let pace = replay::Pace::from(options.by);
    let mut text = String::new();
    let mut steps = 0;
    showing.play(pace, &mut |step| {
        let of_player = |player| step.moved(player).is_some();
        if !shown.holds(pace, step) || player.is_some_and(|player| !of_player(player)) {
            return;
        }
        steps += 1;
        text.push_str(&match (session.json, pace) {
            (true, _) => line(&Dated::of(event, ReplayStep::of(event, step, player))),
            (false, replay::Pace::Round) => round_text(&showing, step, player),
            (false, replay::Pace::Event) => event_text(&showing, step, player),
        });
    })?;
    if session.json {
        return Ok(Report::yes(text));
    }
    if let Some(player) = player.filter(|_| steps == 0) {
        text = format!("{} does not move there.\n", event.name(player));
    }
    let rules = match &showing.replayed.rules {
        Some(rules) => called(&rules.files),
        None => called(event.state.ruleset().unwrap_or_default()),
    };
    let through = options.view.when.through;
    let through = through.map_or(String::new(), |round| format!(" · rounds 1 to {round}"));
    let head = format!("{}{through} · {rules}\n", event.title());
    Ok(Report::yes(dated(event, format!("{head}\n{}\n", text.trim_end()))))
}

/// Which steps are shown.
struct Shots {
    from: u64,
    to: u64,
}

impl Shots {
    fn check(&self, event: &LoadedTournament, options: &args::Replay) -> Result<(), VerbError> {
        let last = match options.by {
            Pace::Round => event.state.last_round().map_or(0, |round| round.number.into()),
            Pace::Event => event.state.head(),
        };
        for asked in [options.from, options.to].into_iter().flatten() {
            if (1..=last).contains(&asked) {
                continue;
            }
            return Err(match options.by {
                Pace::Round => no_such_round(asked.try_into().unwrap_or(u16::MAX), last as u16),
                Pace::Event => {
                    let message = format!("there is no event {asked}");
                    VerbError::new(
                        Code::not_found("no-such-event"),
                        message,
                        format!("events are 1 to {last}"),
                    )
                }
            });
        }
        if self.from > self.to {
            let message = format!("nothing lies between {} and {}", self.from, self.to);
            return Err(VerbError::new(
                Code::invalid("bad-range"),
                message,
                "the first of the two is --from",
            ));
        }
        Ok(())
    }

    fn holds(&self, pace: replay::Pace, step: &Step<'_>) -> bool {
        match pace {
            replay::Pace::Round if step.round == 0 => self.from == 0 && self.to == u64::MAX,
            replay::Pace::Round => (self.from..=self.to).contains(&step.round.into()),
            replay::Pace::Event => step.last() >= self.from && step.first() <= self.to,
        }
    }
}

fn points_text(step: &Step<'_>, player: PlayerNumber) -> String {
    step.points(player).map_or(String::new(), |shown| shown.text)
}

/// `4 -> 2`, or the place that stays, or who comes and goes.
pub fn place_text(from: Option<u32>, to: Option<u32>) -> String {
    match (from, to) {
        (Some(from), Some(to)) if from == to => to.to_string(),
        (Some(from), Some(to)) => format!("{from} -> {to}"),
        (None, Some(to)) => format!("new, {to}"),
        (Some(from), None) => format!("{from} -> out"),
        (None, None) => "-".into(),
    }
}

fn table(showing: &Showing, step: &Step<'_>, rows: &[Moved]) -> String {
    let label = step.points_label();
    let mut table = Aligned::new([
        ("place", Align::Right),
        ("player", Align::Left),
        (&label[..], Align::Right),
    ]);
    for row in rows {
        let place = place_text(row.from, row.to);
        table.row([place, showing.event.name(row.player), points_text(step, row.player)]);
    }
    table.text()
}

/// The place of everybody after a step, moved or not; who takes none any more comes last.
fn places(step: &Step<'_>) -> Vec<Moved> {
    let gone = step.moves().into_iter().filter(|moved| moved.to.is_none());
    let here = step.after.iter().flat_map(|after| &after.rows).map(|row| Moved {
        player: row.player,
        from: step.before.and_then(|before| before.row(row.player)).map(|row| row.rank),
        to: Some(row.rank),
    });
    here.chain(gone).collect()
}

fn round_text(showing: &Showing, step: &Step<'_>, player: Option<PlayerNumber>) -> String {
    let mut text = format!("{}\n", summary::head(step));
    for line in summary::unusual(showing, step) {
        text.push_str(&format!("  {line}\n"));
    }
    let mut rows = places(step);
    if let Some(player) = player {
        rows.retain(|row| row.player == player);
    }
    let all = rows.len();
    rows.truncate(PLACES);
    text.push_str(&table(showing, step, &rows));
    if all > rows.len() {
        let more = all - rows.len();
        text.push_str(&format!(
            "  and {more} more: `scrutineer standings --as-of {}`\n",
            step.last()
        ));
    }
    text.push('\n');
    text
}

fn event_text(showing: &Showing, step: &Step<'_>, player: Option<PlayerNumber>) -> String {
    let mut text = format!("{}  {}\n", seqs(step), utc(step.recorded()));
    for line in summary::told(&step.sentences(&showing.event)) {
        text.push_str(&format!("  {line}\n"));
    }
    let moves = step.moves();
    let mut rows: Vec<Moved> = match player {
        Some(player) => moves.into_iter().filter(|moved| moved.player == player).collect(),
        None => {
            let named = step.events.iter().flat_map(|(_, e)| players_concerned(step.state, e));
            let named: Vec<PlayerNumber> = named.collect();
            let is_named = |moved: &Moved| named.contains(&moved.player);
            let stays = places(step).into_iter().filter(|row| row.from == row.to && is_named(row));
            let (mut first, mut others): (Vec<Moved>, Vec<Moved>) =
                moves.into_iter().chain(stays).partition(is_named);
            first.sort_by_key(|row| row.to.unwrap_or(u32::MAX));
            others.sort_by_key(|row| std::cmp::Reverse(row.by()));
            first.into_iter().chain(others).collect()
        }
    };
    if rows.is_empty() {
        text.push('\n');
        return text;
    }
    let rest = rows.split_off(rows.len().min(MOVERS));
    text.push_str(&table(showing, step, &rows));
    if let Some(most) = rest.iter().map(|row| row.by()).max() {
        let others = match rest.len() {
            1 => "another player".to_string(),
            count => format!("{count} others"),
        };
        let by = match most {
            u32::MAX => "who are new or gone".to_string(),
            1 => "by one place".into(),
            most => format!("by {most} places at most"),
        };
        text.push_str(&format!("  and {others}, {by}\n"));
    }
    text.push('\n');
    text
}

/// `event 12`, or `events 12 to 15`.
pub fn seqs(step: &Step<'_>) -> String {
    match (step.first(), step.last()) {
        (first, last) if first == last => format!("event {first}"),
        (first, last) => format!("events {first} to {last}"),
    }
}
