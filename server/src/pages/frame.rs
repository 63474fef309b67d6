//! What stands around every page of a tournament: its title and state, who looks, the ways to the
//! other pages, and what became of the last order.

use super::{
    Looked, assets, clock, day_and_clock, day_of, is_for_this_machine, round_called, set_apart,
    told,
};
use crate::gate::{Need, Role, may_give};
use crate::horizon::hides_round;
use crate::language::Language;
use crate::live::{is_out, tag};
use crate::problem::plain;
use crate::venues::Copied;
use scrutineer_desk::desk::{is_undoable, open_round, suggested, undone_commands};
use scrutineer_desk::glance::{Glance, TournamentState};
use scrutineer_desk::orders::{is_planned, left_as_they_are, postponed_in};
use scrutineer_engine::event::{Event, PhaseKind, PlayerNumber};
use scrutineer_engine::handler::read_events;
use scrutineer_engine::log::Head;
use scrutineer_engine::record::{Header, Time};
use scrutineer_engine::tournament::{Round, Tournament};
use scrutineer_projections::bracket_rounds::{bracket_round, bracket_round_of};
use scrutineer_projections::counted;
use scrutineer_projections::divisions::division_of_phase;
use scrutineer_projections::ruleset::Ruleset;
use scrutineer_replay::loaded::LoadedTournament;

/// A page that a tab leads to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tab {
    /// The desk.
    Desk,
    /// Results are entered.
    Entry,
    /// The floor.
    Floor,
    /// The pairings.
    Round,
    /// The players.
    Players,
    /// The standings.
    Standings,
    /// The disputes.
    Disputes,
    /// What if.
    WhatIf,
    /// The replay.
    Replay,
    /// The log.
    Log,
    /// What is printed.
    Print,
    /// The bracket.
    Bracket,
    /// A page without a tab of its own.
    None,
}

const TABS: [(Tab, &str, &str, &str); 11] = [
    (Tab::Desk, "Desk", "desk", "d"),
    (Tab::Floor, "Floor", "floor", "o"),
    (Tab::Entry, "Enter results", "entry", "e"),
    (Tab::Round, "Pairings", "round", "p"),
    (Tab::Players, "Players", "players", "l"),
    (Tab::Standings, "Standings", "standings", "s"),
    (Tab::Disputes, "Disputes", "disputes", "u"),
    (Tab::WhatIf, "What if", "what-if", "w"),
    (Tab::Replay, "Replay", "replay", "f"),
    (Tab::Log, "Log", "log", "g"),
    (Tab::Print, "Print", "print/index", "r"),
];

/// The tabs of those who are not of the staff, each with the key of what it says.
const OPEN: [(Tab, &str, &str, &str); 4] = [
    (Tab::Round, "pairings", "round", "p"),
    (Tab::Standings, "standings", "standings", "s"),
    (Tab::Bracket, "bracket", "bracket", "b"),
    (Tab::Log, "log", "log", "g"),
];

/// A tab as it is shown.
pub struct TabShown {
    /// What it says.
    pub label: String,
    /// Where it leads.
    pub href: String,
    /// How much waits there for somebody.
    pub waits: usize,
    /// The key that leads there.
    pub key: &'static str,
    /// Whether this is the page.
    pub is_here: bool,
}

/// What became of the last order.
pub enum Message {
    /// It was recorded: what happened, and the event.
    Done(String, u64),
    /// It was done on the floor, or kept beside the log.
    Floor(String),
    /// It was refused: why, what to do, what was typed.
    Refused(String, String, String),
}

/// What stands around a page.
pub struct Frame {
    /// The tournament's title.
    pub title: String,
    /// The day on which it is held; empty where none is known.
    pub day: String,
    /// The path of its pages.
    pub base: String,
    /// How far it is, in a few words each.
    pub state: Vec<String>,
    /// The round that is being played, how many tables it has, and how it is said how many of them are in.
    pub tables: Option<(u16, usize, String)>,
    /// Who looks, and as what.
    pub who: String,
    /// In which role they look.
    role: Role,
    /// What the page calls them by in what it sends late.
    pub signer: String,
    /// Whether they may take back what was just recorded, and correct results.
    pub corrects: bool,
    /// Whether they are of the staff; the others see what is published, and nothing to act with.
    pub is_staff: bool,
    /// Whether they see drafts, and all that speaks of them: the log, the replay, what is printed.
    pub sees_drafts: bool,
    /// Whether they may give the tournament away with its names.
    pub gives_away: bool,
    /// Whether whoever looks says who is staff.
    pub is_owner: bool,
    /// Whether white has the first seat.
    pub is_chess: bool,
    /// Whether everybody gets the page that checks itself.
    pub is_checked: bool,
    /// Whether what was just recorded can be taken back.
    pub undoes: bool,
    /// The tabs.
    pub tabs: Vec<TabShown>,
    /// What became of the last order.
    pub message: Option<Message>,
    /// Whether the last order was refused since the tournament had moved on.
    pub is_moved: bool,
    /// How the other laptop stands, where there is one.
    pub second: Option<crate::second::Line>,
    /// The same in a word, by which the open page sees whether that changed.
    pub stands: String,
    /// What is said of a copy, and whether everybody has to see it.
    pub copied: Option<(String, bool)>,
    /// The key of the page's forms.
    pub key: String,
    /// The last event of the log that the page is made from; its line goes on behind it.
    pub head: u64,
    /// The event that the page names as its last one: none behind what whoever looks may know.
    pub event: u64,
    /// The first digits of its hash.
    pub digits: String,
    /// Which of these words says how many tables are in.
    pub tables_in: String,
    /// Whether it was removed.
    pub is_removed: bool,
    /// When that event was saved.
    pub saved: String,
    /// On which day, as a file of the page says.
    pub saved_on: String,
    /// Where the log stands, as its ETag: what whoever posts a form of the page saw.
    pub seen: String,
    /// The address of this page as others find it, for paper; empty where it is this machine's alone.
    pub address: String,
    /// The path of this page, to which forms come back.
    pub back: String,
    /// In which language.
    pub language: Language,
    /// Whether it is a player's own page.
    pub is_mine: bool,
    /// What the query says beside the language; the other languages show the same.
    pub view: String,
    /// Styles, in their order.
    pub styles: Vec<String>,
    /// Scripts.
    pub scripts: Vec<String>,
}

impl Frame {
    /// The frame of a page at `path` below the tournament's.
    pub fn of(at: &Looked<'_>, event: &LoadedTournament, tab: Tab, path: &str) -> Frame {
        let is_staff = Need::Staff.admits(at.role);
        let shown = |(of, label, path, key): &(Tab, &'static str, &str, &'static str)| TabShown {
            label: if is_staff { (*label).to_string() } else { at.language.t(label) },
            href: format!("{}/{path}{}", at.base, at.taking("")),
            waits: match *of == Tab::Floor && !event.state.is_closed() {
                true => at.floor.open_calls().count(),
                false => 0,
            },
            key,
            is_here: *of == tab,
        };
        let tabs = if is_staff { &TABS[..] } else { &OPEN[..] };
        let takes_results = may_give(at.role, "result").is_ok();
        let is_shown = |(of, ..): &&(Tab, &str, &str, &str)| {
            let speaks_of_drafts = matches!(of, Tab::WhatIf | Tab::Replay | Tab::Log | Tab::Print);
            // Everybody has the log as far as it is public, and nothing else of these.
            (at.sees_drafts() || !is_staff) && speaks_of_drafts
                || !speaks_of_drafts && (takes_results || !matches!(of, Tab::Floor | Tab::Entry))
        };
        let scripts = ["keys.js", "live.js"].map(assets::path).into();
        // Pairings that are out while the results before them are hidden say how far it is.
        let seen =
            at.pairings.as_ref().filter(|_| !is_staff).map_or(&event.state, |out| &out.state);
        let mut state = state_in_words(seen, at.language);
        let mut tables_in = state.get(1).filter(|_| state.len() == 3).cloned().unwrap_or_default();
        let out = seen.rounds().iter().rfind(|round| !round.withdrawn && is_out(seen, round));
        if let Some(round) = out.filter(|_| at.hides_results()) {
            // Whether it is played still is hidden too. A player's own page reads the whole log, so this holds too where a
            // cut or a draft stands behind the round.
            let called = round_called(seen, round.number, at.language);
            state = vec![called, at.language.t("state-hidden")];
            state.push(at.language.a("players-n", "players", Glance::of(seen).players));
            tables_in.clear();
        } else if !is_staff && !tables_in.is_empty() && hides_round(&at.policy, seen) {
            state[1] = at.language.t("state-hidden");
            tables_in.clear();
        }
        let own = Head { seq: event.state.head(), hash: event.head };
        // Pairings that are out while results are hidden stand behind the log in which they are to come.
        let head = at.store.log().head(at.stream).map_or(own.seq, |last| own.seq.min(last.seq));
        let named = at.public_head.filter(|public| public.seq < own.seq).unwrap_or(own);
        Frame {
            title: event.title(),
            day: event
                .state
                .opened()
                .and_then(|opened| opened.held_on)
                .map_or(String::new(), |day| day.to_string()),
            base: at.base.to_string(),
            tables_in,
            state,
            tables: open_round(seen).map(|open| {
                let tables = tables_of(seen, open.number);
                (open.number, tables, at.language.a("state-tables-put", "tables", tables))
            }),
            who: who(at, is_staff),
            role: at.role,
            signer: if is_staff { at.signer.clone() } else { String::new() },
            corrects: Need::Drafts.admits(at.role),
            is_staff,
            sees_drafts: at.sees_drafts(),
            is_chess: super::is_chess(event),
            is_checked: at.has_public_records(),
            gives_away: Need::HeadJudge.admits(at.role),
            is_owner: Need::Owner.admits(at.role),
            tabs: tabs.iter().filter(is_shown).map(shown).collect(),
            undoes: Need::Drafts.admits(at.role) && can_be_undone(at, event),
            message: message(at, event).filter(|_| is_staff),
            is_moved: at.said.refused.as_deref() == Some("moved"),
            second: at.second.clone(),
            stands: at.stands.clone(),
            copied: at.copied.map(|copied| copied_in_words(at, copied, head)),
            key: at.form_key.clone(),
            is_removed: event.state.is_removed(),
            head,
            event: named.seq,
            saved: saved(at, named.seq, clock),
            saved_on: saved(at, named.seq, day_of),
            digits: named.hash.to_string().chars().take(4).collect(),
            seen: tag(named.seq, &named.hash.to_string()),
            address: match is_for_this_machine(&at.origin) {
                true => String::new(),
                false => format!("{}{}/{path}", at.origin, at.base),
            },
            back: format!("{}/{path}", at.base),
            language: at.language,
            is_mine: false,
            view: String::new(),
            styles: ["tokens.css", "desk.css"].map(assets::path).into(),
            scripts,
        }
    }

    /// Whether whoever looks may give the orders of a verb: what they may not is offered nowhere.
    pub fn may(&self, verb: &str) -> bool {
        may_give(self.role, verb).is_ok()
    }

    /// Whether whoever looks may open a page of the staff, by its path below the tournament's:
    /// what they may not open is linked nowhere.
    pub fn opens(&self, page: &str) -> bool {
        Need::of_staff_page(page).admits(self.role)
    }

    /// Who may give the orders of a verb, where whoever looks may not.
    pub fn who_may(&self, verb: &str) -> String {
        let hint = may_give(self.role, verb).err().and_then(|refused| refused.hint);
        hint.map_or(String::new(), |hint| hint.to_string())
    }

    /// This page in another language.
    pub fn in_language(&self, other: &Language) -> String {
        let begin = if self.view.is_empty() { "?" } else { "&" };
        format!("{}{}{begin}lang={}", self.back, self.view, other.tag())
    }

    /// With a further script.
    pub fn script(mut self, name: &str) -> Frame {
        self.scripts.push(assets::path(name));
        self
    }
}

/// When an event was recorded, which is when it was safe on the disk.
fn saved(at: &Looked<'_>, head: u64, write: fn(Time) -> String) -> String {
    let last = read_events(at.store.log(), at.stream, head.saturating_sub(1)).next();
    last.and_then(Result::ok).map_or(String::new(), |(record, _)| write(record.header().time))
}

/// What is said of a copy whose log was rewritten; none: nothing of the kind is known.
pub fn rewritten(at: &Looked<'_>) -> Option<String> {
    let w = at.language;
    let copied = at.copied.filter(|copied| copied.is_forked)?;
    Some(match copied.restored {
        _ if copied.is_said => w.t("copy-said-forked"),
        Some(event) => w.a("copy-restored", "event", event),
        None => w.t("copy-forked"),
    })
}

/// What is said of a copy.
fn copied_in_words(at: &Looked<'_>, copied: Copied, head: u64) -> (String, bool) {
    let w = at.language;
    let as_of = w.b("copy-as-of", "event", head, "time", saved(at, head, day_and_clock));
    let heard = match copied.heard {
        // A page stays open for hours: what it says holds then too.
        Some(heard) => {
            let unix_micros = crate::floor::now() * 1_000 - heard.as_micros() as i64;
            w.a("copy-heard", "time", day_and_clock(Time { unix_micros }))
        }
        // Of what is followed, and pushed by nobody, nothing is heard here: what came in says how old it is.
        None if copied.is_pushed => w.t("copy-not-heard"),
        None => String::new(),
    };
    let rewritten = rewritten(at).unwrap_or_default();
    let followed = if copied.is_followed { format!("{as_of} {heard}") } else { String::new() };
    (format!("{rewritten} {followed}").trim().to_string(), copied.is_forked)
}

/// Who looks, and in which role.
fn who(at: &Looked<'_>, is_staff: bool) -> String {
    let name = at.asker.person.as_deref().filter(|_| is_staff).unwrap_or_default();
    match (is_staff, name.is_empty()) {
        (false, _) => String::new(),
        (true, true) => at.role.word().to_string(),
        (true, false) => format!("{name}, {}", at.role.word()),
    }
}

/// How long what was done on the floor is said, in milliseconds.
const FLOOR_SAID: i64 = 60 * 1_000;

fn message(at: &Looked<'_>, event: &LoadedTournament) -> Option<Message> {
    let said = &at.said;
    if said.refused.is_some() || said.why.is_some() {
        let text = |one: &Option<String>| one.clone().unwrap_or_default();
        // Whoever goes back in their browser sends what the page's key was used for already.
        if said.refused.as_deref() == Some("command-id-reused") {
            let why = "the page was older than what was sent from it before".to_string();
            let hint = "It is new now: do it once more, if it is still meant.".to_string();
            return Some(Message::Refused(why, hint, text(&said.typed)));
        }
        // What is said of it is kept for an hour.
        let gone = || format!("{}; send it again to read why", text(&said.refused));
        let why = said.why.clone().unwrap_or_else(gone);
        // A command of the command line helps nobody here.
        let hint = said.hint.as_ref().filter(|hint| !hint.contains("`scrutineer"));
        let hint = hint.map_or(String::new(), |hint| plain(hint));
        return Some(Message::Refused(plain(&why), hint, text(&said.typed)));
    }
    if let Some(number) = said.floor {
        let done = at.floor.entries().get(usize::try_from(number).ok()?.checked_sub(1)?)?;
        // What is read anew later is no answer any more.
        let is_new = crate::floor::now() - done.at < FLOOR_SAID;
        return is_new.then(|| Message::Floor(done.change.told()));
    }
    let seq = said.done.filter(|seq| *seq > 0 && *seq <= event.state.head())?;
    let mut done = said_of_command(at, event, seq)?;
    if is_undone(at, seq) {
        let why = format!("{done} was taken back since");
        let hint = "Whatever an older page sent again recorded nothing: do it once more here, if it is meant again.";
        return Some(Message::Refused(why, hint.into(), String::new()));
    }
    if let Some(already) = said.already.as_deref() {
        let numbers = already.split('-').filter_map(|number| number.parse().ok());
        let stands =
            |number: &PlayerNumber| event.state.player(*number).is_some_and(|p| !p.withdrawn);
        let stay: Vec<PlayerNumber> = numbers.filter(stands).collect();
        let stayed = left_as_they_are(&stay, |player| event.name(player));
        done.extend(stayed.map(|said| format!("; {said}")));
    }
    Some(Message::Done(done, seq))
}

/// The log from an event on.
fn since(at: &Looked<'_>, seq: u64) -> Vec<(Header, Event)> {
    let read = read_events(at.store.log(), at.stream, seq - 1).map_while(Result::ok);
    read.map(|(record, one)| (record.header(), one)).collect()
}

/// Whether the command that begins with this event was taken back since.
fn is_undone(at: &Looked<'_>, seq: u64) -> bool {
    undone_commands(&since(at, seq)).contains(&seq)
}

/// Whether what was just recorded can be taken back still.
fn can_be_undone(at: &Looked<'_>, event: &LoadedTournament) -> bool {
    let Some(seq) = at.said.done.filter(|seq| *seq > 1) else { return false };
    let since = since(at, seq);
    let parts = since.first().map_or(0, |(header, _)| header.parts.max(1)) as usize;
    let command = &since[..parts.min(since.len())];
    is_undoable(&event.state, &undone_commands(&since), command)
}

/// How many are named of those who go on.
const NAMED: usize = 32;
/// How many events of a command are told one by one.
const TOLD: usize = 3;

/// What a command recorded: its events; of many only the first.
fn said_of_command(at: &Looked<'_>, event: &LoadedTournament, seq: u64) -> Option<String> {
    let mut read = read_events(at.store.log(), at.stream, seq - 1).map_while(Result::ok);
    let (record, first) = read.next()?;
    let more = record.header().parts.max(1) as usize - 1;
    let is_undo = matches!(first, Event::Withdrawn(_));
    let say = |seq: u64, recorded: &Event| match recorded {
        Event::Withdrawn(gone) => {
            let before = gone.seq.checked_sub(1)?;
            let was = read_events(at.store.log(), at.stream, before).next()?.ok()?.1;
            Some(format!("undone: {}", told(event, gone.seq, &was)))
        }
        // That it was an undo is said already.
        Event::NoteAdded(_) if is_undo => None,
        recorded => Some(told(event, seq, recorded)),
    };
    let rest: Vec<(u64, Event)> =
        read.take(more).map(|(record, one)| (record.header().seq, one)).collect();
    // What completes on the way to the end is not what was done.
    if let Some((at, closed)) =
        rest.iter().find(|(_, one)| matches!(one, Event::TournamentClosed(_)))
    {
        return say(*at, closed);
    }
    let mut said = vec![say(seq, &first)?];
    if more < TOLD {
        said.extend(rest.iter().filter_map(|(at, one)| say(*at, one)));
        return Some(said.join("; "));
    }
    let all: Vec<Event> =
        std::iter::once(first).chain(rest.into_iter().map(|(_, one)| one)).collect();
    if let Some(said) = said_of_round(event, &all) {
        return Some(said);
    }
    said.push(format!("and {}", counted(more, "more event")));
    Some(said.join(", "))
}

/// What was done where a round was paired or a phase begun: that is told, not its events.
fn said_of_round(of: &LoadedTournament, events: &[Event]) -> Option<String> {
    let is_table = |event: &&Event| matches!(event, Event::PairingMade(_));
    let tables = events.iter().filter(is_table).count();
    let byes = events.iter().filter(|event| matches!(event, Event::ByeGiven(_))).count();
    let paired = events.iter().find_map(|event| match event {
        Event::PairingMade(made) => Some(made.round),
        _ => None,
    });
    if let Some(round) = paired {
        let byes = if byes == 0 { String::new() } else { format!(", {}", counted(byes, "bye")) };
        return Some(format!("round {round} is paired: {}{byes}", counted(tables, "table")));
    }
    events.iter().find_map(|event| match event {
        Event::PhaseStarted(phase) if phase.phase > 1 => {
            let names = phase.entrants.iter().take(NAMED);
            let names: Vec<String> = names.map(|one| set_apart(of.name(*one))).collect();
            let more = match phase.entrants.len() - names.len() {
                0 => String::new(),
                more => format!(" and {more} more"),
            };
            let count = counted(phase.entrants.len(), "player");
            Some(format!("{count} go on: {}{more}", names.join(", ")))
        }
        _ => None,
    })
}

/// How far a tournament is, in a few words each.
pub fn state_in_words(state: &Tournament, language: Language) -> Vec<String> {
    let glance = Glance::of(state);
    let mut words = Vec::new();
    match state.last_round() {
        _ if glance.state == TournamentState::Closed => words.push(language.t("state-closed")),
        _ if glance.state == TournamentState::Imported => words.push(language.t("state-elsewhere")),
        None => words.push(language.t("state-sign-up")),
        Some(round) => {
            let name = round_called(state, round.number, language);
            let tables = tables_of(state, round.number);
            let how = match (open_round(state), is_out(state, round)) {
                (None, _) => language.t("state-complete"),
                (Some(open), _) if open.open_matches == 0 => {
                    language.a("state-in", "postponed", postponed_in(state, open.number))
                }
                (Some(_), false) => language.t("state-draft"),
                (Some(_), true) => language.t("state-playing"),
            };
            words.push(format!("{name}, {how}"));
            if open_round(state).is_some() && is_out(state, round) {
                let entered = tables_in(state, round);
                words.push(language.b("state-tables", "entered", entered, "tables", tables));
            }
        }
    }
    words.push(language.a("players-n", "players", glance.players));
    words
}

/// How many tables of a round have their result: what is postponed is to have one later.
fn tables_in(state: &Tournament, round: &Round) -> usize {
    let waiting = round.open_matches as usize + postponed_in(state, round.number);
    tables_of(state, round.number).saturating_sub(waiting)
}

/// How many tables a round has.
pub fn tables_of(state: &Tournament, round: u16) -> usize {
    state.matches().filter(|found| found.round().number == round).count()
}

/// With a capital at its beginning.
pub fn capital(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or(String::new(), |first| first.to_uppercase().chain(chars).collect())
}

/// A part of the course of a tournament.
pub struct Stretch {
    /// What it is called.
    pub name: String,
    /// How it stands.
    pub note: String,
    /// `done`, `now`, or nothing.
    pub class: &'static str,
}

/// The course of a tournament: sign-up, its rounds, those that are planned, its end.
///
/// `was_seen`: whether its draft was out before.
pub fn course(state: &Tournament, rules: &Ruleset, was_seen: bool) -> Vec<Stretch> {
    let glance = Glance::of(state);
    let rounds: Vec<_> = state.rounds().iter().filter(|round| !round.withdrawn).collect();
    let begun = !rounds.is_empty();
    let mut course = vec![Stretch {
        name: "Sign-up".into(),
        note: match begun {
            true => format!("{} ✓", glance.players),
            false => counted(glance.players as usize, "player"),
        },
        class: if begun { "done" } else { "now" },
    }];
    for round in &rounds {
        let tables = tables_of(state, round.number);
        let is_now = round.completed.is_none() && !state.is_closed();
        let phase = state.phase_of(round);
        let division = phase.and_then(|phase| division_of_phase(state, phase));
        let called = bracket_round(state, round.number).map(|called| match division {
            Some(division) => format!("{division}: {called}"),
            None => capital(&called),
        });
        let name = match (&called, is_now) {
            (Some(called), _) => called.clone(),
            (None, true) => format!("Round {}", round.number),
            (None, false) => format!("R{}", round.number),
        };
        let note = match (is_now, is_out(state, round)) {
            (true, false) if was_seen => "draft again, who saw it has seen it".into(),
            (true, false) => "draft, nobody sees it".into(),
            (true, true) => format!("{} of {tables} tables in", tables_in(state, round)),
            (false, _) => format!("{tables} ✓"),
        };
        course.push(Stretch { name, note, class: if is_now { "now" } else { "done" } });
    }
    course.extend(planned(state, rules));
    let class = if state.is_closed() { "done" } else { "" };
    let note = if state.is_closed() { "✓" } else { "" };
    course.push(Stretch { name: "Closed".into(), note: note.into(), class });
    course
}

/// What is planned and has not begun.
fn planned(state: &Tournament, rules: &Ruleset) -> Vec<Stretch> {
    let later = |name: String| Stretch { name, note: String::new(), class: "" };
    if state.is_closed() || state.imported().is_some() {
        return Vec::new();
    }
    let plan = state.opened().map_or(&[][..], |opened| &opened.plan);
    let phases: Vec<_> = state.phases().iter().filter(|phase| !phase.withdrawn).collect();
    let running = phases.last().map_or(1, |phase| phase.number);
    let of_phase = state.rounds().iter().filter(|r| !r.withdrawn && r.phase == running).count();
    let kind = phases.last().map(|phase| phase.kind).or(plan.first().map(|phase| phase.kind));
    let swiss = matches!(kind, None | Some(PhaseKind::Swiss | PhaseKind::Pods));
    let usual = suggested(rules, state).filter(|_| running == 1);
    let own = state.planned_rounds(running);
    let rounds = own.or(usual.map(|row| row.rounds)).filter(|_| swiss).map_or(0, usize::from);
    let next = usize::from(state.next_round_number());
    let left = rounds.saturating_sub(of_phase).min(20);
    let more = (0..left).map(|at| later(format!("R{}", next + at)));
    let mut course: Vec<Stretch> = more.collect();
    let phases_left = plan.iter().skip(running.into());
    let cut = |players: Option<u32>| match players {
        Some(players) => later(format!("Top {players}")),
        None => later("Cut".into()),
    };
    let mut cuts: Vec<Stretch> = phases_left.map(|phase| cut(phase.players)).collect();
    if cuts.is_empty() && !is_planned(state) && running == 1 {
        cuts.extend(usual.filter(|row| row.cut > 0).map(|row| cut(Some(row.cut))));
    }
    // A cut that is made and has no round yet.
    let begun = phases.last().filter(|phase| phase.number > 1 && of_phase == 0);
    course.extend(begun.map(|phase| Stretch {
        name: format!("Top {}", phase.entrants.len()),
        note: "to be paired".into(),
        class: "now",
    }));
    // The rounds of a bracket are known once its first one is.
    let bracket =
        phases.last().filter(|phase| phase.kind == PhaseKind::Elimination && of_phase > 0);
    if let Some(phase) = bracket {
        let places = phase.entrants.len().max(2).next_power_of_two();
        let left =
            (of_phase as u32..).map_while(|at| places.checked_shr(at).filter(|left| *left > 1));
        course.extend(left.take(20).map(|left| later(capital(&bracket_round_of(left)))));
    }
    course.extend(cuts);
    course
}
