//! What somebody entered on the floor in the round that is played, each with how it is taken back: a slip
//! of the finger is seen a few taps later too.

use crate::gate::{Role, may_take_back};
use crate::pages::called::counts_next;
use crate::pages::desk::last_entered;
use crate::pages::{Looked, set_apart};
use crate::taken_back::is_last_at_its_table;
use scrutineer_desk::floor::Change;
use scrutineer_desk::verb_error::VerbError;
use scrutineer_engine::event::{Event, RoundNumber, Seq};
use scrutineer_engine::record::Header;
use scrutineer_projections::counted;
use scrutineer_replay::loaded::LoadedTournament;

/// How many are shown.
const SHOWN: usize = 8;

/// Something that was entered.
pub struct Entered {
    /// When, in milliseconds since 1970.
    at: i64,
    /// At which table; empty where it is about a player.
    pub table: String,
    /// What, such as `2–0`.
    pub what: String,
    /// Whom it is about.
    pub players: String,
    /// How it is taken back.
    pub undo: TakeBack,
}

/// How something is taken back.
pub enum TakeBack {
    /// By an undo of this event.
    Event(Seq),
    /// By as many minutes the other way round.
    Minutes(u32, i32),
    /// By saying that the decks of this table were marked by mistake.
    Decks(u32),
    /// Not by whoever looks, and why.
    Nobody(&'static str),
}

impl Entered {
    /// What it is called beside a button.
    pub fn called(&self) -> String {
        let names = if self.table.is_empty() { &self.players } else { &self.table };
        format!("{names} {}", self.what)
    }
}

/// Returns what whoever looks entered in a round, the newest first, and how much it is in all: only the last
/// of it is shown.
///
/// # Errors
/// Where the log cannot be read.
pub fn entered(
    at: &Looked<'_>,
    event: &LoadedTournament,
    round: RoundNumber,
) -> Result<(Vec<Entered>, usize), VerbError> {
    let actor = at.at_desk(|desk| Ok(desk.desk.asker()?)).0?;
    let is_own = |header: &Header| Some(header.actor) == actor;
    let row = |seq: Seq| event.log.get(usize::try_from(seq).ok()?.checked_sub(1)?);
    let when = |seq: Seq| row(seq).map_or(0, |(header, _)| header.time.unix_micros / 1_000);
    let results = last_entered(event, usize::MAX, is_own).into_iter();
    let results = results.filter(|one| one.round == round);
    let mut all: Vec<Entered> = results
        .map(|one| Entered {
            at: when(one.seq),
            table: one.table,
            what: one.score,
            players: one.players,
            undo: match row(one.seq) {
                Some((header, logged)) if may_undo(at.role, event, header, logged) => {
                    TakeBack::Event(one.seq)
                }
                _ => TakeBack::Nobody("more was recorded there: the desk corrects it"),
            },
        })
        .collect();
    all.extend(penalties(at.role, event, round, is_own));
    all.extend(minutes(at, round));
    all.extend(checks(at, round));
    all.sort_by_key(|one| std::cmp::Reverse(one.at));
    let in_all = all.len();
    all.truncate(SHOWN);
    Ok((all, in_all))
}

/// Whether a role may undo the command of one of its own results.
fn may_undo(role: Role, event: &LoadedTournament, header: &Header, logged: &Event) -> bool {
    let first = (header.seq as usize).saturating_sub(header.part as usize);
    let behind = event.log.iter().skip(first).map(|(_, logged)| logged);
    may_take_back(role, [logged])
        || role == Role::Judge && is_last_at_its_table(behind, header.parts as usize)
}

fn penalties(
    role: Role,
    event: &LoadedTournament,
    round: RoundNumber,
    is_own: impl Fn(&Header) -> bool,
) -> Vec<Entered> {
    let undone = event.taken_back();
    let opened = |logged: &Event| matches!(logged, Event::RoundOpened(one) if one.round == round);
    let begin = event.log.iter().rposition(|(_, logged)| opened(logged)).unwrap_or(0);
    let own = event.log[begin..].iter().filter_map(|(header, logged)| match logged {
        Event::PenaltyGiven(one) if is_own(header) => Some((header, logged, one)),
        _ => None,
    });
    let stands = own.filter(|(header, ..)| !undone.contains_key(&header.seq));
    let told = stands.map(|(header, logged, one)| Entered {
        at: header.time.unix_micros / 1_000,
        table: String::new(),
        what: match counts_next(&event.state, header.seq) {
            true => format!("{}, counts in their next match", one.kind),
            false => one.kind.to_string(),
        },
        players: set_apart(event.name(one.player)),
        undo: match may_take_back(role, [logged]) {
            true => TakeBack::Event(header.seq),
            false => TakeBack::Nobody("the desk takes it back"),
        },
    });
    told.collect()
}

/// The tables whose decks whoever looks checked.
fn checks(at: &Looked<'_>, round: RoundNumber) -> Vec<Entered> {
    let me = at.asker.person.as_deref();
    let own = at.floor.checks().iter();
    let own = own.filter(|one| one.round == round && one.by.as_deref() == me);
    let told = own.map(|one| Entered {
        at: one.at,
        table: one.table.to_string(),
        what: match &one.found {
            Some(found) => format!("decks checked: {found}"),
            None => "decks checked".into(),
        },
        players: String::new(),
        undo: TakeBack::Decks(one.table),
    });
    told.collect()
}

/// The minutes that whoever looks gave, and did not take back.
fn minutes(at: &Looked<'_>, round: RoundNumber) -> Vec<Entered> {
    let me = at.asker.person.as_deref();
    let mut given: Vec<(i64, u32, i32)> = Vec::new();
    for entry in at.floor.entries().iter().filter(|entry| entry.by.as_deref() == me) {
        let Change::Extend { table, minutes, round: Some(of) } = entry.change else { continue };
        if of != round {
            continue;
        }
        match given.iter().rposition(|(_, at, more)| (*at, *more) == (table, -minutes)) {
            Some(taken) => drop(given.remove(taken)),
            None => given.push((entry.at, table, minutes)),
        }
    }
    let told = given.into_iter().map(|(at, table, minutes)| Entered {
        at,
        table: table.to_string(),
        what: match minutes {
            ..0 => format!("{} less", counted(-minutes, "minute")),
            more => format!("{} more", counted(more, "minute")),
        },
        players: String::new(),
        undo: TakeBack::Minutes(table, -minutes),
    });
    told.collect()
}
