//! The floor, for a judge with a phone: the tables as a grid, one of them opened with all that can be
//! done there; below it, for scorekeepers, what is for the whole room.

mod own;

use super::called::{counted_in, counts_next, draft_within, round_within};
use super::clock::{ClockShown, announcements};
use super::entry::{PadKey, pad};
use super::frame::{Frame, capital};
use super::{Looked, Person, assets, render, seats_of, set_apart, set_slip, won_in_words};
use crate::gate::{Need, Role};
use crate::live::is_out;
use askama::Template;
use scrutineer_desk::claims::{Claims, claims};
use scrutineer_desk::desk::{example_slip, waiting, write_slip};
use scrutineer_desk::floor::{Call, Overlaying, Showing};
use scrutineer_desk::orders::{When, players};
use scrutineer_desk::reported::differing;
use scrutineer_desk::verb_error::VerbError;
use scrutineer_engine::event::{Event, PlayerNumber, RoundNumber};
use scrutineer_engine::tournament::MatchView;
use scrutineer_projections::counted;
use scrutineer_projections::divisions::divisions;
use scrutineer_projections::timeline::Words;
use scrutineer_replay::loaded::LoadedTournament;
use std::collections::BTreeMap;

/// How the grid is looked at.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct View {
    /// Which tables: `playing`, `extra`, `calls`, `mine`, `featured`; otherwise all.
    pub show: Option<String>,
    /// How much stands on each: `numbers`, `names`; otherwise minutes.
    pub size: Option<String>,
    /// The table that is opened.
    pub table: Option<u32>,
    /// The first and the last table that are one's own.
    pub own: (Option<u32>, Option<u32>),
}

#[derive(Template)]
#[template(path = "floor.html")]
struct FloorPage {
    frame: Frame,
    round: RoundNumber,
    called: String,
    /// What the last round is called where it is a draft still; empty: it is none.
    draft: String,
    clock: Option<ClockShown>,
    version: u64,
    calls: Vec<CallShown>,
    /// What a judge is waited for at a table, each with where that is seen.
    waits: Vec<(u32, String, String)>,
    chips: Vec<Chip>,
    sizes: Vec<Chip>,
    size: String,
    own: (String, String),
    cells: Vec<Cell>,
    sheet: Cell,
    is_open: bool,
    pad: Vec<PadKey>,
    /// A score as it may be typed where there is no pad.
    such: String,
    /// Whether a match can end in a draw.
    draws: bool,
    /// What whoever looks entered last in the round, the newest first.
    entered: Vec<own::Entered>,
    entered_in_all: usize,
    room: Option<Room>,
    path: String,
    /// Whether the tournament is closed: then nothing is done here.
    is_over: bool,
}

struct CallShown {
    call: u32,
    table: String,
    what: String,
    /// When, by whom, about which round, and who goes there.
    about: String,
    is_taken: bool,
}

/// Some of the tables: the word of their list, what it is called, and whether a table is one.
type Kind<'a> = (&'a str, &'a str, &'a dyn Fn(&Cell) -> bool);

/// A way to look at the grid.
struct Chip {
    word: &'static str,
    label: &'static str,
    count: usize,
    href: String,
    is_here: bool,
}

/// A table as the grid has it.
#[derive(Clone)]
struct Cell {
    table: u32,
    players: Vec<Seat>,
    result: String,
    extra: i32,
    call: bool,
    /// Who of the staff sits there.
    judge: String,
    is_mine: bool,
    /// Whether it is one of those that its reader looks after.
    own: bool,
    /// Whether another list is shown.
    hidden: bool,
    featured: bool,
    checked: bool,
    class: String,
    small: String,
}

#[derive(Clone)]
struct Seat {
    player: Person,
    record: String,
    penalties: String,
    report: String,
}

/// What is for the whole room.
struct Room {
    announcements: Vec<(u32, String)>,
    showing: Vec<(&'static str, &'static str, bool)>,
    overlays: Vec<(&'static str, &'static str, bool)>,
}

fn age(at: i64, now: i64) -> String {
    match (now - at) / 60_000 {
        ..1 => "just now".into(),
        minutes => format!("{minutes} min"),
    }
}

/// When a call was made, by whom and in which round, where that is another one, and who goes there.
fn called_when(event: &LoadedTournament, call: &Call, round: RoundNumber, now: i64) -> String {
    let mut parts = vec![age(call.at, now)];
    let player = call.player().map(|player| set_apart(event.name(player)));
    parts.extend(player.as_ref().or(call.by.as_ref()).map(|who| format!("called by {who}")));
    let from = |of| format!("from {}", round_within(&event.state, of));
    parts.extend(call.round.filter(|of| *of != round).map(from));
    parts.extend(call.is_taken.then(|| match &call.taken {
        Some(who) => format!("{who} is on the way"),
        None => "taken".into(),
    }));
    parts.join(" · ")
}

/// What each player was penalized for, in a line; why only for those who may read it.
fn penalties(event: &LoadedTournament, with_why: bool) -> BTreeMap<PlayerNumber, String> {
    let mut told: BTreeMap<PlayerNumber, Vec<String>> = BTreeMap::new();
    for (header, logged) in &event.log {
        let Event::PenaltyGiven(penalty) = logged else { continue };
        let known = event.state.penalty(header.seq);
        if known.is_none_or(|known| known.withdrawn) {
            continue;
        }
        let before = event.state.rounds().iter().rfind(|round| round.opened <= header.seq);
        let round = before.map_or(0, |round| round.number);
        let why = match with_why {
            true => format!(": {}", event.text(&penalty.reason)),
            false => String::new(),
        };
        let kind = penalty.kind;
        let is_here = |found: MatchView<'_>| {
            found.result().is_none()
                && waiting(&event.state, found).iter().any(|one| one.seq == header.seq)
        };
        let line = match counts_next(&event.state, header.seq) {
            true if event.state.matches().any(is_here) => {
                format!("{kind}, given in round {round}, counts in this match{why}")
            }
            true => format!("{kind}, given in round {round}, counts in their next match{why}"),
            false => {
                let served = counted_in(&event.state, header.seq).unwrap_or(round);
                format!("{kind} in round {served}{why}")
            }
        };
        told.entry(penalty.player).or_default().push(line);
    }
    told.into_iter().map(|(player, lines)| (player, lines.join("; "))).collect()
}

/// What a judge is waited for at tables though nobody called: reports that differ, and open disputes.
fn waits(
    at: &Looked<'_>,
    event: &LoadedTournament,
    claims: &Claims,
    round: RoundNumber,
) -> Vec<(u32, String, String)> {
    let told = "the players report different results".to_string();
    let table = |table| format!("{}/floor?table={table}", at.base);
    let differ = differing(event, claims).into_iter().map(|one| (one, told.clone(), table(one)));
    let disputes = event.state.disputes().iter().zip(1..).filter_map(|(one, number)| {
        let found = event.state.match_at(one.pairing)?;
        let is_open = !one.withdrawn && one.ruled.is_none() && found.round().number == round;
        let href = match Need::Drafts.admits(at.role) {
            true => format!("{}/disputes/{number}", at.base),
            false => table(found.table()?),
        };
        is_open.then_some((found.table()?, format!("dispute {number} is open"), href))
    });
    differ.chain(disputes).collect()
}

/// The floor of the round that is played.
///
/// # Errors
/// Where the store cannot be read.
pub fn page(at: &Looked<'_>, view: &View) -> Result<String, VerbError> {
    let event = at.load_whole()?;
    let (state, floor, now) = (&event.state, &*at.floor, crate::floor::now());
    // Whatever is done here is everybody's at once: a draft is for nobody, whoever looks.
    let shown = state.last_round().filter(|round| is_out(state, round));
    let round = shown.map_or(0, |round| round.number);
    let answer = at.answer(|desk| players(desk, &When::default()))?;
    let record = |row: &serde_json::Value| {
        let part = |key: &str| row["record"][key].as_u64().unwrap_or(0);
        let number = PlayerNumber::try_from(row["number"].as_u64()?).ok()?;
        Some((number, format!("{}–{}–{}", part("wins"), part("losses"), part("draws"))))
    };
    let rows = answer["players"].as_array().into_iter().flatten();
    let records: BTreeMap<PlayerNumber, String> = rows.filter_map(record).collect();
    let penalties = penalties(&event, Need::Drafts.admits(at.role));
    let claims = claims(&event);
    let me = at.asker.person.as_deref().unwrap_or_default();
    // A call of an earlier round is at another table of the hall, or at none.
    let is_now = |call: &&Call| call.round.is_none_or(|of| of == round);
    let called: Vec<u32> =
        floor.open_calls().filter(is_now).filter_map(|call| call.at_table(state)).collect();
    let mine = |table: u32| {
        let sits = floor.seats(round).any(|(who, at)| who == me && at == table);
        let mut calls = floor.open_calls().filter(is_now);
        let went =
            calls.any(|c| c.taken.as_deref() == Some(me) && c.at_table(state) == Some(table));
        let (from, to) = view.own;
        let in_range = (from.is_some() || to.is_some())
            && (from.unwrap_or(0)..=to.unwrap_or(u32::MAX)).contains(&table);
        sits || went || in_range
    };
    let is_chess = super::is_chess(&event);
    let cell = |found: MatchView<'_>| {
        let table = found.table().unwrap_or(0);
        let seat = |(seat, seated): (u8, &scrutineer_engine::tournament::SeatState)| Seat {
            player: Person::of(&event, seated.player),
            record: records.get(&seated.player).cloned().unwrap_or_default(),
            penalties: penalties.get(&seated.player).cloned().unwrap_or_default(),
            report: claims.get(&(found.seq(), seat)).map_or(String::new(), |claim| {
                won_in_words(&event, &seats_of(found), &claim.result)
            }),
        };
        let result =
            found.to_result().map_or(String::new(), |r| set_slip(&write_slip(&r), is_chess));
        let extra = floor.extension(round, table);
        let sitting: Vec<&str> =
            floor.seats(round).filter(|(_, at)| *at == table).map(|(who, _)| who).collect();
        let (call, is_mine) = (called.contains(&table), sitting.contains(&me) && !me.is_empty());
        let mut class = Vec::new();
        class.extend((!result.is_empty()).then_some("in"));
        class.extend((extra > 0).then_some("plus"));
        class.extend(call.then_some("call"));
        class.extend((!sitting.is_empty()).then_some("sat"));
        let checked = floor.checks().iter().any(|one| (one.round, one.table) == (round, table));
        class.extend(checked.then_some("decks"));
        let small = match (call, result.is_empty(), extra) {
            (true, ..) => "call".to_string(),
            (_, false, _) if found.is_void() => result.clone(),
            (_, false, _) => "✓ in".into(),
            _ if is_mine => "you".into(),
            _ if !sitting.is_empty() => "judge".into(),
            (_, _, more) if more > 0 => format!("+{more}"),
            _ => "playing".into(),
        };
        Cell {
            table,
            players: (0..).zip(found.seats()).map(seat).collect(),
            result,
            extra,
            call,
            judge: sitting.join(", "),
            is_mine,
            own: mine(table),
            hidden: false,
            featured: floor.featured(round).any(|one| one == table),
            checked,
            class: class.join(" "),
            small,
        }
    };
    let of_round = state.matches().filter(|found| found.round().number == round);
    let mut all: Vec<Cell> = of_round.map(cell).collect();
    all.sort_by_key(|cell| cell.table);
    let path = |show: &str, size: &str| {
        let (from, to) = view.own;
        let own = |name: &str, value: Option<u32>| value.map(|value| format!("{name}={value}"));
        let parts = [
            (!show.is_empty()).then(|| format!("show={show}")),
            (!size.is_empty()).then(|| format!("size={size}")),
            own("from", from),
            own("to", to),
        ];
        let parts: Vec<String> = parts.into_iter().flatten().collect();
        match parts.is_empty() {
            true => format!("{}/floor", at.base),
            false => format!("{}/floor?{}", at.base, parts.join("&")),
        }
    };
    let (show, size) =
        (view.show.as_deref().unwrap_or_default(), view.size.as_deref().unwrap_or_default());
    let kinds: [Kind<'static>; 6] = [
        ("", "All", &|_| true),
        ("playing", "Playing", &|cell| cell.result.is_empty()),
        ("extra", "Extra time", &|cell| cell.extra > 0 && cell.result.is_empty()),
        ("calls", "Calls", &|cell| cell.call),
        ("mine", "Mine", &|cell| cell.own),
        ("featured", "Featured", &|cell| cell.featured),
    ];
    let chip = |&(word, label, is_one): &Kind<'static>| Chip {
        word,
        label,
        count: all.iter().filter(|cell| is_one(cell)).count(),
        href: path(word, size),
        is_here: word == show,
    };
    let chips = kinds.iter().map(chip).collect();
    let wanted = kinds.iter().find(|(word, ..)| *word == show).map_or(kinds[0].2, |kind| kind.2);
    let seats = all.iter().map(|cell| cell.players.len()).max().unwrap_or(2);
    let opened = view.table.and_then(|table| all.iter().find(|cell| cell.table == table)).cloned();
    let is_open = opened.is_some();
    let mut sheet_shown = opened.unwrap_or_else(Cell::closed);
    // A script fills it with any table, so it has room for the largest.
    sheet_shown.players.resize_with(seats, Seat::nobody);
    // A script shows another list without asking anybody, so every table is there.
    let hide = |cell: &Cell| Cell { hidden: !wanted(cell), ..cell.clone() };
    let cells: Vec<Cell> = all.iter().map(hide).collect();
    let sizes = [("numbers", "Numbers"), ("", "Minutes"), ("names", "Names")];
    let sizes = sizes.map(|(word, label)| Chip {
        word,
        label,
        count: 0,
        href: path(show, word),
        is_here: word == size,
    });
    let sheet = shown.and_then(|shown| state.scoresheet(shown));
    let in_bracket =
        shown.and_then(|shown| state.phase_of(shown)).is_some_and(|phase| phase.kind.is_bracket());
    let two = all.iter().all(|cell| cell.players.len() == 2);
    let call = |call: &Call| CallShown {
        call: call.call,
        table: call.at_table(state).map_or("desk".into(), |table| table.to_string()),
        what: call.what.clone().unwrap_or_else(|| "Judge wanted".into()),
        about: called_when(&event, call, round, now),
        is_taken: call.is_taken,
    };
    let has_divisions = !divisions(state).is_empty();
    let room = (at.role >= Role::Scorekeeper).then(|| Room {
        announcements: announcements(&event, floor, at.language),
        showing: Showing::ALL
            .into_iter()
            .filter(|(what, ..)| *what != Showing::Divisions || has_divisions)
            .map(|(what, word, told)| (word, told, what == floor.shows()))
            .collect(),
        overlays: Overlaying::ALL
            .map(|(what, word, told)| (word, told, what == floor.overlays()))
            .into(),
    });
    let (entered, entered_in_all) = own::entered(at, &event, round)?;
    let mut frame = Frame::of(at, &event, super::frame::Tab::Floor, "floor");
    frame.back = path(show, size);
    frame.styles.push(assets::path("floor.css"));
    if !state.is_closed() && frame.may("result") {
        frame.scripts = ["clock.js", "floor.js"].map(assets::path).into();
    }
    render(&FloorPage {
        called: match shown {
            Some(_) => super::round_called(state, round, at.language),
            None => "No round is out".into(),
        },
        draft: draft_within(state).map_or(String::new(), |draft| capital(&draft)),
        clock: ClockShown::now(at, state),
        version: floor.version(),
        calls: floor.open_calls().map(call).collect(),
        waits: waits(at, &event, &claims, round),
        chips,
        sizes: sizes.into(),
        size: if size.is_empty() { "minutes".into() } else { size.to_string() },
        own: (
            view.own.0.map_or(String::new(), |from| from.to_string()),
            view.own.1.map_or(String::new(), |to| to.to_string()),
        ),
        cells,
        sheet: sheet_shown,
        is_open,
        pad: sheet.filter(|_| two).map_or(Vec::new(), |sheet| pad(sheet, !in_bracket)),
        such: sheet.map_or(String::new(), |sheet| example_slip(sheet, seats)),
        draws: !in_bracket,
        entered,
        entered_in_all,
        room,
        path: path(show, size),
        is_over: state.is_closed(),
        round,
        frame,
    })
}

impl Seat {
    fn nobody() -> Seat {
        Seat {
            player: Person { number: 0, name: String::new() },
            record: String::new(),
            penalties: String::new(),
            report: String::new(),
        }
    }
}

impl Cell {
    /// A sheet that no table has been opened on.
    fn closed() -> Cell {
        Cell {
            table: 0,
            players: Vec::new(),
            result: String::new(),
            extra: 0,
            call: false,
            judge: String::new(),
            is_mine: false,
            own: false,
            hidden: false,
            featured: false,
            checked: false,
            class: String::new(),
            small: String::new(),
        }
    }

    /// The path of the page with this table opened.
    fn href(&self, path: &str) -> String {
        let sign = if path.contains('?') { '&' } else { '?' };
        format!("{path}{sign}table={}#sheet", self.table)
    }

    /// Whether it is played later.
    fn is_later(&self) -> bool {
        self.result == "postponed"
    }

    /// Who sits in a seat; empty: nobody.
    fn name(&self, seat: usize) -> &str {
        self.players.get(seat).map_or("", |seat| &seat.player.name)
    }

    /// How it stands, in a few words.
    fn state(&self) -> String {
        let mut words = Vec::new();
        words.push(match self.result.is_empty() {
            true => "playing".to_string(),
            false => format!("result {}", self.result),
        });
        words.extend((self.extra > 0).then(|| format!("{} more", counted(self.extra, "minute"))));
        words.extend(self.checked.then(|| "decks checked".to_string()));
        words.extend(self.featured.then(|| "featured".to_string()));
        words.extend((!self.judge.is_empty()).then(|| format!("{} sits there", self.judge)));
        words.join(", ")
    }
}

#[cfg(test)]
mod tests {
    use super::super::kit::hall;
    use super::*;
    use scrutineer_desk::floor::{Change, Entry, Floor};
    use scrutineer_desk::orders::{Claim, Penalty, Takes};
    use std::sync::Arc;

    fn entry(change: Change) -> Entry {
        Entry { at: crate::floor::now(), by: Some("Bo Park".into()), key: None, change }
    }

    #[test]
    fn reports_that_differ_and_disputes_are_on_the_floor_without_a_call() {
        let hall = hall();
        let at_floor = || {
            let html = page(&hall.looked(), &View::default()).expect("a page");
            html.split("data-calls")
                .nth(1)
                .and_then(|rest| rest.split("</section>").next())
                .map(str::to_string)
        };
        assert!(!at_floor().expect("calls").contains("Decide"));
        let state = hall.store.load(hall.stream, false).expect("loaded").state;
        for seat in state.at_table(1, 1).expect("a table").seats() {
            hall.order(Claim { slip: format!("#{} 2-1", seat.player) });
        }
        let told = at_floor().expect("calls");
        assert!(told.contains("Table 1: the players report different results"), "{told}");
        hall.dispute(2);
        let told = at_floor().expect("calls");
        assert!(told.contains("Table 2: dispute 1 is open"), "{told}");
    }

    #[test]
    fn a_table_whose_match_is_postponed_says_so_and_not_that_it_is_in() {
        let hall = hall();
        hall.slip("1 postponed");
        let shown = || {
            let html = page(&hall.looked(), &View::default()).expect("a page");
            ["<small>postponed<", "<small>✓ in<"].map(|word| html.matches(word).count())
        };
        assert_eq!(shown(), [1, 1]);
        hall.correct("1 void");
        assert_eq!(shown(), [0, 1]);
        let html = page(&hall.looked(), &View::default()).expect("a page");
        assert!(html.contains("<small>void<"), "{html}");
        hall.correct("1 2-0");
        assert_eq!(shown(), [0, 2]);
    }

    /// What a judge entered there waited for good beside "the desk has postponed".
    #[test]
    fn a_judge_gives_the_slip_of_a_postponed_match_to_the_desk_and_is_offered_no_score() {
        let hall = hall();
        hall.slip("1 postponed");
        let mut looked = hall.looked();
        let told = |looked: &Looked<'_>, table| {
            let html = page(looked, &View { table: Some(table), ..View::default() });
            let html = html.expect("a page");
            let pad = "data-queued=\"result\" data-off=\"later\"";
            let tells = "data-on=\"later\"";
            [format!("{pad} hidden>"), format!("{pad}>"), format!("{tells}>")]
                .map(|part| html.contains(&part))
        };
        let offers_correction = |looked: &Looked<'_>| {
            let html = super::super::round::page(looked, None).expect("a page");
            html.contains("Correct a result of this round")
        };
        assert_eq!(told(&looked, 1), [false; 3], "a scorekeeper says that theirs is right");
        assert!(offers_correction(&looked));
        looked.role = Role::Judge;
        assert_eq!(told(&looked, 1), [true, false, true]);
        assert_eq!(told(&looked, 3), [false, true, false]);
        assert!(!offers_correction(&looked), "a judge may not do this");
    }

    #[test]
    fn a_table_opens_with_what_was_reported_given_and_done_there() {
        let hall = hall();
        hall.order(Claim { slip: "Ann 2-1".into() });
        let reason = "slow play".to_string();
        hall.order(Penalty {
            player: "Ann".into(),
            takes: Some(Takes::Warning),
            reason,
            now: false,
            round: None,
        });
        let mut looked = hall.looked();
        let changes = [
            Change::Extend { table: 1, minutes: 5, round: Some(1) },
            Change::Call { table: Some(3), what: None, round: Some(1) },
            Change::Sit { table: 1, round: Some(1) },
        ];
        looked.floor = Arc::new(Floor::of(changes.map(entry)));
        let state = hall.store.load(hall.stream, false).expect("loaded").state;
        let ann = state.matches().find(|m| m.seats().iter().any(|seat| seat.player == 1));
        let table = ann.and_then(|found| found.table());
        let html = page(&looked, &View { table, ..View::default() }).expect("a page");
        assert!(html.contains("slow play") && html.contains("2–1"), "{html}");
        looked.role = Role::Judge;
        let html = page(&looked, &View { table, ..View::default() }).expect("a page");
        assert!(
            !html.contains("slow play") && html.contains("warning in round 1"),
            "why is private"
        );
        assert!(!html.contains("start-clock"), "the clock is the scorekeepers'");
        let calls = page(&looked, &View { show: Some("calls".into()), ..View::default() });
        let calls = calls.expect("a page");
        let hidden = |table| calls.contains(&format!("data-table=\"{table}\" hidden"));
        assert!(!hidden(3) && hidden(1), "{calls}");
    }

    /// One tap on a score put a draft out to everybody, and nothing on the floor said that it was one.
    #[test]
    fn no_table_of_a_draft_stands_on_the_floor_whoever_looks_and_its_page_says_why() {
        use scrutineer_desk::orders::{Pair, Publish, Undo};
        let hall = hall();
        hall.all_in();
        hall.order(Pair::default());
        let shown = |role| {
            let view = View { table: Some(1), ..View::default() };
            page(&Looked { role, ..hall.looked() }, &view).expect("a page")
        };
        let roles = [Role::Judge, Role::Scorekeeper, Role::HeadJudge, Role::Owner];
        let are_there = || {
            roles.map(|role| {
                let html = shown(role);
                let is_said = html.contains("Round 2 is a draft: once it is published from the");
                assert_ne!(is_said, html.contains("data-table=\"1\""), "{role:?}: {html}");
                !is_said
            })
        };
        assert_eq!(are_there(), [false; 4]);
        hall.order(Publish {});
        assert_eq!(are_there(), [true; 4]);
        hall.order(Undo::default());
        assert_eq!(are_there(), [false; 4], "it is a draft again");
    }

    /// "Decks checked" closed the sheet, and nothing showed that it had been done.
    #[test]
    fn a_deck_check_stands_in_ones_own_list_and_is_marked_on_its_table() {
        let hall = hall();
        let check = Change::CheckDecks { table: 3, found: None, round: Some(1) };
        let mut looked = hall.looked();
        looked.floor = Arc::new(Floor::of([entry(check.clone())]));
        let html = page(&looked, &View::default()).expect("a page");
        let own = html.split("Entered by you").nth(1).expect("a list");
        let own = own.split("</section>").next().expect("a list");
        assert!(own.contains("decks checked") && own.contains("<span class=\"t\">3"), "{own}");
        assert!(html.contains("class=\"cell decks\""), "{html}");
        // At the wrong table: it is taken back where it stands.
        assert!(own.contains("value=\"uncheck-decks\"") && own.contains(">Undo<"), "{own}");
        let back = Change::UncheckDecks { table: 3, round: Some(1) };
        looked.floor = Arc::new(Floor::of([check, back].map(entry)));
        let html = page(&looked, &View::default()).expect("a page");
        assert!(!html.contains("uncheck-decks") && !html.contains("class=\"cell decks\""));
    }

    /// After 16 entries it said "Before that: 7".
    #[test]
    fn how_much_a_judge_entered_is_counted_also_where_only_the_last_of_it_stands_there() {
        let hall = hall();
        let mut looked = hall.looked();
        let more = |table| entry(Change::Extend { table, minutes: 5, round: Some(1) });
        let mut told = |entries: u32| {
            looked.floor = Arc::new(Floor::of((1..=entries).map(more)));
            let html = page(&looked, &View::default()).expect("a page");
            let own = html.split("Before that: ").nth(1).expect("a list");
            own.split("</summary>").next().expect("a count").to_string()
        };
        // With the slip of table 2.
        assert_eq!([told(3), told(15)], ["3", "15, the last 7"]);
    }

    #[test]
    fn nothing_is_offered_at_tables_of_a_tournament_that_is_closed_and_its_screens_can_be_switched()
    {
        use scrutineer_desk::orders::Close;
        let hall = hall();
        hall.slip("1 2-0");
        hall.slip("3 2-0");
        let before = page(&hall.looked(), &View::default()).expect("a page");
        assert!(before.contains("Extra minutes") && before.contains("data-sheet"));
        hall.order(Close::default());
        let after = page(&hall.looked(), &View::default()).expect("a page");
        assert!(after.contains("The tournament is closed") && after.contains("/standings"));
        for gone in ["data-sheet", "start-clock", "name=\"do\" value=\"call\""] {
            assert!(!after.contains(gone), "{gone}: {after}");
        }
        let shows = |html: &str| {
            html.contains("value=\"show\"") && html.contains("<option value=\"standings\"")
        };
        assert!(shows(&before) && shows(&after), "{after}");
        assert!(after.contains("value=\"announce\""), "the prizes are announced");
        let more = scrutineer_desk::floor::Change::Extend { table: 1, minutes: 5, round: None };
        let state = hall.store.load(hall.stream, true).expect("loaded").state;
        let refused = more.accepted(&scrutineer_desk::floor::Floor::default(), &state);
        assert_eq!(refused.expect_err("it is over").code, "closed");
    }
}
