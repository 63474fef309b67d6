//! Disputes, and the file of one: all that a head judge needs to rule.

use super::called::{round_called, round_within};
use super::frame::{Frame, Tab, capital};
use super::sentences::told_in;
use super::{Looked, Person, in_a_row, render, said_score, set_apart, won_in_words};
use crate::language::Language;
use askama::Template;
use scrutineer_desk::desk::{dispute_of, open_round, write_slip};
use scrutineer_desk::floor::Change;
use scrutineer_desk::foreseen::WronglyIn;
use scrutineer_desk::orders::{dispute_file, disputes, is_uncorrected};
use scrutineer_desk::verb_error::VerbError;
use scrutineer_desk::what_if::{MadeCut, cut_by_now};
use scrutineer_engine::event::{Event, PlayerNumber, RoundNumber};
use scrutineer_engine::tournament::Tournament;
use scrutineer_replay::loaded::LoadedTournament;
use serde_json::Value;
use std::collections::BTreeSet;

#[derive(Template)]
#[template(path = "disputes.html")]
struct DisputesPage {
    frame: Frame,
    rows: Vec<Row>,
}

struct Row {
    number: u64,
    state: String,
    place: String,
    age: String,
    by: String,
    claim: String,
    recorded_by: String,
    uncorrected: bool,
}

fn text(value: &Value, key: &str) -> String {
    value[key].as_str().unwrap_or_default().to_string()
}

/// How long ago, in the largest unit that says something.
fn age(seconds: i64) -> String {
    match seconds {
        ..120 => "just now".into(),
        120..7_200 => format!("{} min ago", seconds / 60),
        7_200..172_800 => format!("{} h ago", seconds / 3_600),
        _ => format!("{} days ago", seconds / 86_400),
    }
}

/// The disputes, those that wait for a ruling first.
///
/// # Errors
/// Where the store cannot be read.
pub fn list(at: &Looked<'_>) -> Result<String, VerbError> {
    let event = at.load()?;
    let answer = at.answer(|desk| disputes(desk, false, None))?;
    let row = |row: &Value| Row {
        number: row["dispute"].as_u64().unwrap_or(0),
        state: text(row, "state"),
        place: text(row, "where"),
        age: row["age_seconds"].as_i64().map_or(String::new(), age),
        by: text(&row["by"], "name"),
        claim: text(row, "claim"),
        recorded_by: text(row, "recorded_by"),
        uncorrected: row["uncorrected"].as_bool() == Some(true),
    };
    let mut rows: Vec<Row> = answer["disputes"].as_array().into_iter().flatten().map(row).collect();
    rows.sort_by_key(|row| (row.state != "open", !row.uncorrected, row.number));
    render(&DisputesPage { frame: Frame::of(at, &event, Tab::Disputes, "disputes"), rows })
}

/// The times of a file as a phone shows them: those of its day without it.
struct Times {
    day: String,
    language: Language,
}

impl Times {
    /// The day on which a dispute was opened is said once.
    fn of(opened: &str, language: Language) -> Times {
        Times { day: day_of(opened, language), language }
    }

    fn short(&self, time: &str) -> String {
        let Some(clock) = local(time).map(|time| time.format("%H:%M:%S").to_string()) else {
            return time.to_string();
        };
        let day = day_of(time, self.language);
        if day == self.day { clock } else { format!("{clock}, {day}") }
    }

    /// When something was done, by whom, and on which device.
    fn about(&self, one: &Value) -> String {
        self.about_of(one, text(one, "by"))
    }

    /// The same of somebody who is called so.
    fn about_of(&self, one: &Value, by: String) -> String {
        let parts = [self.short(&text(one, "time")), by, text(one, "device")];
        parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(", ")
    }
}

fn local(time: &str) -> Option<chrono::DateTime<chrono::Local>> {
    let read = chrono::DateTime::parse_from_rfc3339(time).ok()?;
    Some(read.with_timezone(&chrono::Local))
}

fn day_of(time: &str, language: Language) -> String {
    let form = match language {
        Language::English => "%-d %B",
        Language::German => "%-d.%-m.",
    };
    local(time).map_or(String::new(), |time| time.format(form).to_string())
}

/// The file of a dispute.
pub struct File {
    /// Its number.
    pub number: u64,
    /// How it stands.
    pub state: String,
    /// The round, within a sentence of the staff.
    pub round: String,
    /// The same at the head of a sheet.
    pub called: String,
    /// Its number.
    pub round_number: RoundNumber,
    /// The table.
    pub table: String,
    /// When it was opened, by the clock of this machine, with the day: other times of that day have none.
    pub opened: String,
    /// Who disputes.
    pub by: String,
    /// What is claimed.
    pub claim: String,
    /// The result that stands.
    pub result: String,
    /// Who sits there.
    pub players: Vec<Person>,
    /// The ruling, where there is one.
    pub ruling: Option<Ruling>,
    /// What each player reported.
    pub claims: Vec<Claimed>,
    /// Each slip that was typed.
    pub slips: Vec<Typed>,
    /// As what the next round took the players, in a sentence each.
    pub next_round: Vec<String>,
    /// What was done on the floor.
    pub floor: Vec<Typed>,
    /// Whether it is upheld, and the result that was disputed stands all the same.
    pub uncorrected: bool,
    /// Whether the two reports differ, or a report and the slip do.
    pub differs: bool,
    /// What happened at the table.
    pub events: Vec<Line>,
    /// Where its players stood at each moment.
    pub moments: Vec<Moment>,
    /// What each result would change.
    pub plausible: Vec<Plausible>,
    /// Whether there is a cut to tell of: one that was made and would have been another, or one that is to come.
    pub has_cut: bool,
    /// That others still play before the cut that is to come; empty: nobody does.
    pub cut_so_far: String,
}

/// What a player reported.
pub struct Claimed {
    /// Who.
    pub player: String,
    /// What, in the order of the seats.
    pub score: String,
    /// The same by who won.
    pub won: String,
    /// When, by whom it was taken, and on which device.
    pub about: String,
}

/// Something that was typed or done.
pub struct Typed {
    /// What.
    pub what: String,
    /// When and by whom.
    pub about: String,
    /// By which event it was undone, when and by whom; empty where it stands.
    pub undone: String,
}

/// How a dispute was ruled.
pub struct Ruling {
    /// Whether it was upheld.
    pub upheld: bool,
    /// Why.
    pub reason: String,
    /// When, by the clock of this machine.
    pub time: String,
    /// By whom.
    pub by: String,
}

/// A line of the log.
pub struct Line {
    /// The event.
    pub seq: u64,
    /// When, by the clock of this machine.
    pub time: String,
    /// Who recorded it.
    pub by: String,
    /// What happened.
    pub sentence: String,
    /// The event that took it back.
    pub undone_in: Option<u64>,
}

/// The places of the players at a moment.
pub struct Moment {
    /// Which.
    pub when: String,
    /// The place and record of each player, in the order of the seats.
    pub places: Vec<String>,
}

/// A result, and what it would change.
pub struct Plausible {
    /// Who would have won, or a draw.
    pub title: String,
    /// The slip.
    pub slip: String,
    /// The slip as it is shown.
    pub score: String,
    /// Whether it stands.
    pub stands: bool,
    /// The place that each player would have.
    pub places: Vec<(String, bool)>,
    /// What becomes of the cut.
    pub cut: String,
    /// Whether another cut is made.
    pub cut_differs: bool,
    /// How many others move.
    pub others: String,
    /// Whether anybody else does.
    pub others_move: bool,
    /// What becomes of later rounds, each with whether others would have met, and what the head judge has to
    /// decide of one of a bracket.
    pub rounds: Vec<(String, bool)>,
    /// Why it would be refused.
    pub error: String,
}

impl Plausible {
    /// The place that the player of a seat would have, and whether it is another one.
    pub fn place(&self, seat: &usize) -> Option<&(String, bool)> {
        self.places.get(*seat)
    }
}

/// What was done on the floor about a table, in the reader's words; what is of no table is in no file.
fn done_in(change: &Change, language: Language) -> String {
    let minutes =
        |key: &str, table: &u32, minutes: u32| language.b(key, "table", *table, "minutes", minutes);
    let behind = |said: String, text: &Option<String>| match text {
        Some(text) => format!("{said}: {text}"),
        None => said,
    };
    match change {
        Change::Extend { table, minutes: more @ ..0, .. } => {
            minutes("floor-less", table, more.unsigned_abs())
        }
        Change::Extend { table, minutes: more, .. } => {
            minutes("floor-more", table, more.unsigned_abs())
        }
        Change::Call { table: Some(table), what, .. } => {
            behind(language.a("floor-call", "table", *table), what)
        }
        Change::CallPlayers { table, .. } => language.a("floor-players", "table", *table),
        Change::Sit { table, .. } => language.a("floor-sits", "table", *table),
        Change::CheckDecks { table, found, .. } => {
            behind(language.a("floor-decks", "table", *table), found)
        }
        Change::UncheckDecks { table, .. } => language.a("floor-not-decks", "table", *table),
        Change::Feature { table, on: true, .. } => language.a("floor-featured", "table", *table),
        Change::Feature { table, .. } => language.a("floor-not-featured", "table", *table),
        other => other.told(),
    }
}

fn names(value: &Value) -> String {
    let all = value.as_array().into_iter().flatten();
    all.map(|one| text(one, "name")).collect::<Vec<_>>().join(", ")
}

fn place(player: &Value, language: Language) -> String {
    let record = &player["record"];
    let part = |key: &str| record[key].as_u64().unwrap_or(0);
    match player["rank"].as_u64() {
        None => "–".into(),
        Some(rank) => {
            let record = format!("{}–{}–{}", part("wins"), part("losses"), part("draws"));
            format!("{}, {record}", language.place(rank))
        }
    }
}

/// A round of an answer, as it is called where a line begins with it.
fn round_of(one: &Value, state: &Tournament, language: Language) -> String {
    let number = one["round"].as_u64().and_then(|number| RoundNumber::try_from(number).ok());
    capital(&round_called(state, number.unwrap_or(0), language))
}

/// What becomes of the cut: of one that was made, which stays, and of one that is to come, as things are; and whether
/// it would be another one.
fn at_cut(changes: &Value, language: Language) -> (String, bool) {
    let made = changes["cuts_made"].as_array().into_iter().flatten();
    let made = made.map(|cut| match (cut["by_lots"].as_bool(), cut["reseeded"].as_bool()) {
        (Some(true), _) => language.t("file-cut-lots"),
        (_, Some(true)) => language.t("file-cut-seeds"),
        _ => {
            let (enters, leaves) = (names(&cut["enters"]), names(&cut["leaves"]));
            language.b("file-cut-made", "enters", enters, "leaves", leaves)
        }
    });
    let to_come = &changes["cut"];
    let crossing = [
        ("enters", "file-cut-in"),
        ("leaves", "file-cut-out"),
        ("no_longer_tied_in", "file-cut-untied-in"),
        ("no_longer_tied_out", "file-cut-untied-out"),
        ("newly_tied", "file-cut-tied"),
    ];
    let crossing = crossing.into_iter().filter_map(|(who, key)| {
        let who = names(&to_come[who]);
        (!who.is_empty()).then(|| language.a(key, "names", who))
    });
    let mut told: Vec<String> = made.chain(crossing).collect();
    let differs = !told.is_empty();
    if !differs && !to_come.is_null() {
        told.push(language.t("file-same"));
    }
    let is_tie = to_come["across_a_tie"].as_bool() == Some(true);
    told.extend(is_tie.then(|| language.t("file-cut-tie")));
    (told.join("; "), differs)
}

/// That the cut that was made would be another by what stands now.
fn cut_made(cut: &MadeCut, event: &LoadedTournament, language: Language) -> String {
    let names = |players: &[PlayerNumber]| {
        in_a_row(&players.iter().map(|player| event.name(*player)).collect::<Vec<_>>())
    };
    match (cut.by_lots, cut.reseeded) {
        (true, _) => language.t("file-cut-lots"),
        (_, true) => language.t("file-cut-seeds"),
        _ => {
            let (enters, leaves) = (names(&cut.enters), names(&cut.leaves));
            language.b("file-cut-made", "enters", enters, "leaves", leaves)
        }
    }
}

/// What the head judge has to decide of a later round of a bracket that is out, where players are in it who
/// then should not be.
fn wrongly(later: &Value, event: &LoadedTournament, language: Language) -> Option<String> {
    let who = |key: &str| -> BTreeSet<PlayerNumber> {
        let places = later[key].as_array().into_iter().flatten();
        let players = places.filter_map(|place| place["players"].as_array()).flatten();
        players.filter_map(Person::read).map(|player| player.number).collect()
    };
    let number = RoundNumber::try_from(later["round"].as_u64()?).ok()?;
    let found = WronglyIn::of(&event.state, number, &who("paired"), &who("instead"));
    let WronglyIn { is_played, out, missing } =
        found.filter(|_| later["out"].as_bool() == Some(true))?;
    let names = |players: &[PlayerNumber]| {
        in_a_row(&players.iter().map(|player| event.name(*player)).collect::<Vec<_>>())
    };
    let round = match language {
        Language::English => round_within(&event.state, number),
        Language::German => round_called(&event.state, number, language),
    };
    let key = if is_played { "file-wrongly-played" } else { "file-wrongly-playing" };
    let args: [(&str, &dyn crate::language::Said); 3] =
        [("round", &round), ("out", &names(&out)), ("missing", &names(&missing))];
    Some(language.with(key, args))
}

fn plausible(
    file: &Value,
    one: &Value,
    (players, now): (&[Person], &[Option<u64>]),
    event: &LoadedTournament,
    language: Language,
) -> Plausible {
    let changes = &one["what_if"];
    let stands = one["stands"].as_bool() == Some(true);
    let moves = || changes["moves"].as_array().into_iter().flatten();
    let own = |player: &Person| {
        moves().find(|moved| moved["player"]["number"].as_u64() == Some(player.number.into()))
    };
    let place_of = |(at, player): (usize, &Person)| {
        let then = own(player).and_then(|moved| moved["after"].as_u64());
        let rank = then.or(now.get(at).copied().flatten());
        let shown = rank.map_or("–".into(), |rank| language.place(rank));
        (shown, then.is_some())
    };
    let others = moves().count() - players.iter().filter(|player| own(player).is_some()).count();
    // What stands may have come after the cut.
    let (cut, cut_differs) = match cut_by_now(event).filter(|_| stands) {
        Some(cut) => (cut_made(&cut, event, language), true),
        None => at_cut(changes, language),
    };
    let round = |later: &Value| {
        let called = round_of(later, &event.state, language);
        let tables = later["tables"].as_u64().unwrap_or(0);
        let paired = later["paired"].as_array().map_or(&[][..], Vec::as_slice);
        let byes = paired.iter().filter(|place| !place["bye"].is_null()).count();
        match later["verdict"].as_str() {
            Some("same") => (language.a("file-same-tables", "round", called), false),
            Some("otherwise") => {
                let differ = (paired.len() - byes) as u64;
                let args: [(&str, &dyn crate::language::Said); 4] =
                    [("round", &called), ("differ", &differ), ("tables", &tables), ("byes", &byes)];
                let key = if differ == 0 { "file-byes-differ" } else { "file-differing" };
                (language.with(key, args), true)
            }
            _ => (language.a("file-not-said", "round", called), false),
        }
    };
    let look = |later: &Value| wrongly(later, event, language).map(|told| (told, true));
    let rounds = changes["rounds"].as_array().into_iter().flatten();
    let winner = text(&one["winner"], "name");
    Plausible {
        title: match (stands, winner.is_empty()) {
            (true, _) => language.t("file-stands"),
            (false, true) => language.t("file-draw"),
            (false, false) => language.a("file-wins", "name", winner),
        },
        slip: text(one, "slip"),
        score: match stands {
            true => said_score(&text(file, "result"), language),
            false => said_score(&text(one, "slip"), language),
        },
        stands,
        places: players.iter().enumerate().map(place_of).collect(),
        cut,
        cut_differs,
        others: match (changes.is_null(), others) {
            (true, _) | (_, 0) => language.t("nobody"),
            (_, count) => language.a("players-n", "players", count),
        },
        others_move: !changes.is_null() && others > 0,
        rounds: rounds.flat_map(|one| std::iter::once(round(one)).chain(look(one))).collect(),
        error: text(&one["error"], "message"),
    }
}

/// As what the next round took a player, in a sentence.
fn took(one: &Value, state: &Tournament, language: Language) -> String {
    let (who, against) = (set_apart(text(&one["player"], "name")), names(&one["against"]));
    let took = language.t(match one["paired_as"].as_str() {
        Some("drawn") => "file-after-draw",
        Some("winner") => "file-as-winner",
        Some(_) => "file-as-loser",
        None => "file-without",
    });
    let round = round_of(one, state, language);
    match one["table"].as_u64() {
        Some(table) => {
            let args: [(&str, &dyn crate::language::Said); 5] = [
                ("round", &round),
                ("name", &who),
                ("took", &took),
                ("table", &table),
                ("against", &against),
            ];
            language.with("file-paired", args)
        }
        None => {
            let args: [(&str, &dyn crate::language::Said); 3] =
                [("round", &round), ("name", &who), ("took", &took)];
            language.with("file-bye", args)
        }
    }
}

/// Reads the file of a dispute.
///
/// # Errors
/// Where there is no such dispute.
pub fn read_file(at: &Looked<'_>, number: u32) -> Result<File, VerbError> {
    let w = at.language;
    let file = at.answer(|desk| dispute_file(desk, number, None, None, Some(&at.floor)))?;
    let all = |key: &str| file[key].as_array().into_iter().flatten();
    let players: Vec<Person> = all("players").filter_map(Person::read).collect();
    let opened = text(&file, "opened");
    let times = Times::of(&opened, w);
    let moment = |moment: &Value| Moment {
        when: match moment["when"].as_str() {
            Some("paired") => w.t("file-when-paired"),
            Some("disputed") => w.t("file-when-disputed"),
            _ => w.t("file-now"),
        },
        places: moment["players"]
            .as_array()
            .into_iter()
            .flatten()
            .map(|one| place(one, w))
            .collect(),
    };
    let now = all("standings").find(|moment| moment["when"].as_str() == Some("now"));
    let now = now.and_then(|now| now["players"].as_array());
    let now: Vec<Option<u64>> = now.into_iter().flatten().map(|p| p["rank"].as_u64()).collect();
    let event = at.load_whole()?;
    let sentence = |seq: u64, line: &Value| {
        let logged = event.log.iter().find(|(header, _)| header.seq == seq);
        logged.map_or(text(line, "sentence"), |(_, logged)| told_in(&event, seq, logged, w))
    };
    let line = |line: &Value| Line {
        seq: line["seq"].as_u64().unwrap_or(0),
        time: times.short(&text(line, "time")),
        by: text(line, "by"),
        sentence: sentence(line["seq"].as_u64().unwrap_or(0), line),
        undone_in: line["undone_in"].as_u64(),
    };
    let seats: Vec<PlayerNumber> = players.iter().map(|player| player.number).collect();
    let won = |one: &Value| {
        let seq = one["seq"].as_u64()?;
        let logged = event.log.iter().find(|(header, _)| header.seq == seq);
        match logged {
            Some((_, Event::ResultClaimed(claim))) if w == Language::English => {
                Some(won_in_words(&event, &seats, &claim.result))
            }
            Some((_, Event::ResultClaimed(claim))) => {
                let names: Vec<String> =
                    seats.iter().map(|player| set_apart(event.name(*player))).collect();
                let score = said_score(&write_slip(&claim.result), w);
                Some(format!("{}: {score}", names.join(" – ")))
            }
            _ => None,
        }
    };
    let claims: Vec<Claimed> = all("claims")
        .map(|one| Claimed {
            player: text(&one["player"], "name"),
            score: said_score(&text(one, "score"), w),
            won: won(one).unwrap_or_else(|| said_score(&text(one, "score"), w)),
            about: times.about(one),
        })
        .collect();
    let typed = |one: &Value| Typed {
        what: match one["corrected"].as_bool() {
            Some(true) => w.a("file-corrected", "score", said_score(&text(one, "score"), w)),
            _ => said_score(&text(one, "score"), w),
        },
        about: times.about(one),
        undone: one["undone"]["seq"].as_u64().map_or(String::new(), |seq| {
            format!("{} {seq}, {}", w.t("told-undone"), times.about(&one["undone"]))
        }),
    };
    let slips: Vec<Typed> = all("slips").map(typed).collect();
    let round = RoundNumber::try_from(file["round"].as_u64().unwrap_or(0)).unwrap_or(0);
    let table = file["table"].as_u64().and_then(|table| u32::try_from(table).ok()).unwrap_or(0);
    // What is told of the floor has its order there.
    let done =
        at.floor.about(round, table).zip(file["floor"]["done"].as_array().into_iter().flatten());
    // A player who called from their phone stands there by their number.
    let by = |one: &Value| {
        let by = text(one, "by");
        let player = by.strip_prefix("player ").and_then(|number| number.parse().ok());
        player.map_or(by, |player: PlayerNumber| set_apart(event.name(player)))
    };
    let done = done.map(|(entry, one)| {
        let about = times.about_of(one, by(one));
        Typed { what: done_in(&entry.change, w), about, undone: String::new() }
    });
    let stand = slips.iter().filter(|slip| slip.undone.is_empty()).map(|slip| &slip.what);
    let said: BTreeSet<&String> = claims.iter().map(|claim| &claim.score).chain(stand).collect();
    let differs = !claims.is_empty() && said.len() > 1;
    let ruling = Some(&file["ruling"]).filter(|ruling| !ruling.is_null());
    let ruling = ruling.map(|ruling| Ruling {
        upheld: ruling["upheld"].as_bool() == Some(true),
        reason: text(ruling, "reason"),
        time: times.short(&text(ruling, "time")),
        by: text(ruling, "by"),
    });
    let playing = open_round(&event.state).map_or(0, |open| {
        let is_own = open.number == round && file["result"].is_null();
        open.open_matches.saturating_sub(u32::from(is_own))
    });
    let is_to_come = all("plausible").any(|one| !one["what_if"]["cut"].is_null());
    let mut rulings: Vec<Plausible> =
        all("plausible").map(|one| plausible(&file, one, (&players, &now), &event, w)).collect();
    rulings.sort_by_key(|one| !one.stands);
    let has_cut = rulings.iter().any(|one| !one.cut.is_empty());
    for one in rulings.iter_mut().filter(|one| one.cut.is_empty() && one.error.is_empty()) {
        one.cut = w.t("file-same");
    }
    Ok(File {
        number: file["dispute"].as_u64().unwrap_or(0),
        state: text(&file, "state"),
        round: round_within(&event.state, round),
        called: round_called(&event.state, round, w),
        round_number: round,
        table: file["table"].as_u64().map_or(String::new(), |table| table.to_string()),
        opened: local(&opened).map_or(opened.clone(), |time| {
            let form = match w {
                Language::English => "%H:%M:%S, %-d %B %Y (UTC%:z)",
                Language::German => "%H:%M:%S, %-d.%-m.%Y (UTC%:z)",
            };
            time.format(form).to_string()
        }),
        by: text(&file["by"], "name"),
        claim: text(&file, "claim"),
        result: said_score(&text(&file, "result"), w),
        ruling,
        uncorrected: dispute_of(&event.state, number)
            .is_ok_and(|dispute| is_uncorrected(&event.state, dispute)),
        differs,
        claims,
        slips,
        next_round: all("next_round").map(|one| took(one, &event.state, w)).collect(),
        floor: done.collect(),
        events: all("events").map(line).collect(),
        moments: all("standings").map(moment).collect(),
        has_cut,
        cut_so_far: match playing {
            more @ 1.. if is_to_come => w.a("file-cut-so-far", "missing", more),
            _ => String::new(),
        },
        plausible: rulings,
        players,
    })
}

#[derive(Template)]
#[template(path = "dispute.html")]
struct DisputePage {
    frame: Frame,
    file: File,
}

/// The file of a dispute, with what each ruling would change.
///
/// # Errors
/// Where there is no such dispute.
pub fn file(at: &Looked<'_>, number: u32) -> Result<String, VerbError> {
    let event = at.load()?;
    let file = read_file(at, number)?;
    let frame = Frame::of(at, &event, Tab::Disputes, &format!("disputes/{number}"));
    render(&DisputePage { frame, file })
}

#[cfg(test)]
mod tests {
    use super::super::kit::hall;
    use super::*;

    #[test]
    fn the_file_shows_what_each_result_would_change() {
        let hall = hall();
        hall.dispute(2);
        hall.play_on();
        let html = file(&hall.looked(), 1).expect("a page");
        assert!(html.contains("The record stands"));
        assert!(html.contains("it was a draw"));
        assert!(html.contains("name=\"order\" value=\"rule\""));
        assert!(html.contains("placeholder=\"2-1\""), "the field shows all of its hint: {html}");
        assert!(html.contains("Round 2:"), "{html}");
        assert!(file(&hall.looked(), 2).is_err());
    }

    /// A player claimed a score that is neither recorded nor a usual one: the table had no column for it.
    #[test]
    fn what_the_score_of_a_claim_would_change_stands_in_the_file() {
        use scrutineer_desk::orders::Dispute;
        let hall = hall();
        let state = hall.store.load(hall.stream, false).expect("loaded").state;
        let seats = state.at_table(1, 2).expect("a table").seats();
        let dispute = Dispute {
            table: "2".into(),
            claim: "it was 2–0, not 2-1".into(),
            by: Some(format!("#{}", seats[1].player)),
            ..Dispute::default()
        };
        hall.order(dispute);
        let html = file(&hall.looked(), 1).expect("a page");
        assert!(html.contains("<small>0–2</small>"), "their own games come first: {html}");
    }

    #[test]
    fn the_file_says_who_reported_what_who_typed_it_and_as_what_the_next_round_took_them() {
        use scrutineer_desk::floor::{Change, Entry, Floor};
        use scrutineer_desk::orders::Claim;
        let hall = hall();
        let state = hall.store.load(hall.stream, false).expect("loaded").state;
        let found = state.at_table(1, 1).expect("a table");
        let [one, other] = [0, 1].map(|seat| found.seats()[seat].player);
        hall.order(Claim { slip: format!("#{one} 2-1") });
        hall.order(Claim { slip: format!("#{other} 2-0") });
        hall.slip("1 2-1");
        hall.dispute(1);
        hall.play_on();
        let mut looked = hall.looked();
        let extend = Change::Extend { table: 1, minutes: 4, round: Some(1) };
        let claim = hall.store.load(hall.stream, true).expect("loaded").log.iter().find_map(
            |(header, logged)| {
                matches!(logged, scrutineer_engine::event::Event::ResultClaimed(_))
                    .then_some(header.seq)
            },
        );
        let device = Change::Device { seq: claim.expect("claimed"), device: "Android, x".into() };
        let by = Some("Olga".to_string());
        let entry = |change| Entry { at: 1_000, by: by.clone(), key: None, change };
        looked.floor = std::sync::Arc::new(Floor::of([entry(extend), entry(device)]));
        let file = read_file(&looked, 1).expect("a file");
        assert_eq!((&file.claims[0].score[..], &file.claims[1].score[..]), ("2–1", "0–2"));
        assert!(
            file.claims[0].about.contains("Bo Park")
                && file.claims[0].about.ends_with("Android, x")
        );
        assert!(file.differs && file.slips[0].about.contains("Bo Park"));
        assert!(file.next_round[0].contains("as the winner"), "{:?}", file.next_round);
        assert!(file.next_round[1].contains("as the loser"), "{:?}", file.next_round);
        assert_eq!(file.floor[0].what, "table 1: 4 min more");
        assert!(file.floor[0].about.contains("Olga"));
    }

    /// A German file said what was done on the floor in English.
    #[test]
    fn what_was_done_on_the_floor_is_said_in_the_language_of_the_file() {
        let round = Some(1);
        let (what, found) = (Some("time".to_string()), Some("a double".to_string()));
        let done = [
            (Change::Extend { table: 1, minutes: 4, round }, "Tisch 1: 4 min mehr"),
            (Change::Extend { table: 1, minutes: -4, round }, "Tisch 1: 4 min zurückgenommen"),
            (Change::Call { table: Some(1), what, round }, "Tisch 1: Schiedsleute gerufen: time"),
            (Change::CallPlayers { table: 1, round }, "Tisch 1: die Spielenden sind gerufen"),
            (Change::Sit { table: 1, round }, "Tisch 1: dort sitzt jemand der Schiedsleute"),
            (Change::CheckDecks { table: 1, found, round }, "Tisch 1: Decks geprüft: a double"),
            (
                Change::UncheckDecks { table: 1, round },
                "Tisch 1: Decks aus Versehen als geprüft vermerkt",
            ),
            (Change::Feature { table: 1, on: true, round }, "Tisch 1 ist hervorgehoben"),
            (
                Change::Feature { table: 1, on: false, round },
                "Tisch 1 ist nicht mehr hervorgehoben",
            ),
        ];
        for (change, german) in done {
            assert!(change.place().is_some(), "{german}");
            assert_eq!(done_in(&change, Language::German), german);
            // A note in the log says the same as the file.
            assert_eq!(done_in(&change, Language::English), change.told());
        }
    }

    #[test]
    fn times_of_the_day_of_the_dispute_are_told_without_it() {
        let times = Times::of("2026-11-24T12:49:40Z", Language::English);
        let short = |time: &str| times.short(time);
        assert_eq!(short("2026-11-24T12:49:40Z").len(), "12:49:40".len());
        let other = short("2026-11-12T12:00:00Z");
        assert!(other.contains(":00:00, 1") && other.ends_with(" November"), "{other}");
        assert_eq!(short("no time"), "no time");
    }

    #[test]
    fn what_both_players_claim_and_the_floor_says_is_counted_and_no_cut_where_none_is_planned() {
        use scrutineer_desk::orders::{Claim, Dispute};
        let hall = hall();
        let state = hall.store.load(hall.stream, false).expect("loaded").state;
        let seats = state.at_table(1, 1).expect("a table").seats();
        let [one, other] = [0, 1].map(|seat| seats[seat].player);
        hall.order(Claim { slip: format!("#{one} 2-0") });
        hall.order(Claim { slip: format!("#{other} 2-0") });
        let claim = "entered as 1-1 on the floor".to_string();
        hall.order(Dispute { table: "1".into(), round: None, by: None, claim });
        let file = read_file(&hall.looked(), 1).expect("a file");
        let slips: Vec<&str> = file.plausible.iter().map(|one| &one.slip[..]).collect();
        assert_eq!(slips, ["2-0", "0-2", "1-1"]);
        assert!(!file.has_cut, "none is planned");
    }

    /// The row was not there while others played, and the command said at that moment who would lose their place.
    #[test]
    fn the_file_says_in_mid_round_who_would_lose_their_place_as_it_stands() {
        let hall = super::super::kit::planned(&["swiss:1", "single-elimination:2"]);
        hall.order(scrutineer_desk::orders::Pair::default());
        hall.order(scrutineer_desk::orders::Publish {});
        hall.slip("1 2-0");
        hall.slip("2 2-0");
        hall.dispute(2);
        let event = hall.store.load(hall.stream, true).expect("loaded");
        let seats = event.state.at_table(1, 2).expect("a table").seats();
        let [won, lost] = [0, 1].map(|seat| event.name(seats[seat].player));
        let mut looked = hall.looked();
        let told = |looked: &Looked<'_>, slip: &str| {
            let told = read_file(looked, 1).expect("a file");
            let cut = told.plausible.iter().find(|one| one.slip == slip).map(|one| one.cut.clone());
            (cut.expect("it is plausible"), told.cut_so_far)
        };
        let so_far = "as it stands, one table missing";
        assert_eq!(told(&looked, "0-2"), (format!("in: {lost}; out: {won}"), so_far.into()));
        let (cut, _) = told(&looked, "1-1");
        assert!(cut.starts_with("newly tied across the line: "), "{cut}");
        assert!(cut.ends_with("; lots decide at the line"), "{cut}");
        let html = file(&looked, 1).expect("a page");
        assert!(html.contains(&format!("The cut<small>{so_far}</small>")), "{html}");
        looked.language = Language::German;
        let german = format!("dabei: {lost}; nicht mehr: {won}");
        assert_eq!(told(&looked, "0-2"), (german, "wie es steht, ein Tisch fehlt".into()));
        hall.slip("3 2-1");
        assert_eq!(told(&looked, "0-2").1, "", "nobody plays any more");
    }

    /// The file of a table of round 2 had nothing in the row of the cut that had been made, and no such row at all
    /// while the semi-final was being played.
    #[test]
    fn a_ruling_that_would_have_made_another_cut_says_so_after_the_cut_and_in_the_final() {
        use scrutineer_desk::orders::{Cut, Dispute, Pair, Person as Enrolled, Publish};
        let people = ["Ann Lee", "Cid", "Dee", "Eva"];
        let people = people.map(|name| Enrolled { name: name.into(), ..Enrolled::default() });
        let phases = ["swiss:1", "single-elimination:2"];
        let hall = super::super::kit::with_people(&phases, people.to_vec());
        hall.order(Pair::default());
        hall.order(Publish {});
        hall.slip("1 2-0");
        hall.slip("2 2-1");
        let event = hall.store.load(hall.stream, true).expect("loaded");
        let seats = event.state.at_table(1, 2).expect("a table").seats();
        let [won, lost] = [0, 1].map(|seat| event.name(seats[seat].player));
        hall.order(Cut::default());
        hall.order(Pair::default());
        hall.order(Publish {});
        let claim = "it was the other way round".to_string();
        let table = "2".to_string();
        hall.order(Dispute { table, round: Some(1), claim, ..Dispute::default() });
        let cut = format!("the cut that was made would have been another: in {lost}; out {won}");
        let look = |played: &str| {
            format!("LOOK: the final {played} by {won}, by this result out, without {lost}")
        };
        let mut looked = hall.looked();
        let html = file(&looked, 1).expect("a page");
        assert!(html.contains(&cut) && html.contains(&look("is being played")), "{html}");
        let told = read_file(&looked, 1).expect("a file");
        assert!(told.plausible.iter().all(|one| !one.cut.is_empty()), "no cell is blank");
        hall.slip("1 2-0");
        let html = file(&looked, 1).expect("a page");
        assert!(html.contains(&cut) && html.contains(&look("was played")), "{html}");
        looked.language = Language::German;
        let german = file(&looked, 1).expect("a page");
        assert!(german.contains("der gemachte Schnitt wäre ein anderer gewesen"), "{german}");
        assert!(german.contains(&format!("Gespielt wurde mit {won},")), "{german}");
    }

    #[test]
    fn where_a_dispute_is_upheld_and_its_result_stands_the_file_says_so_and_offers_the_correction()
    {
        use scrutineer_desk::orders::Rule;
        let hall = hall();
        hall.dispute(2);
        let (upheld, reason) = (Some(true), "the slip shows it".to_string());
        hall.order(Rule { dispute: 1, upheld, score: None, reason });
        let html = file(&hall.looked(), 1).expect("a page");
        assert!(html.contains("The result that was disputed stands."), "{html}");
        assert!(html.contains("name=\"order\" value=\"correct\""), "{html}");
        hall.order(scrutineer_desk::orders::Correct {
            slip: "2 1-2".into(),
            reason: "r".into(),
            ..Default::default()
        });
        let html = file(&hall.looked(), 1).expect("a page");
        assert!(!html.contains("The result that was disputed stands."), "{html}");
    }

    /// Slips that had been taken back stood in the file as what was typed, below a head that said "no result".
    #[test]
    fn a_slip_that_was_undone_is_crossed_out_in_the_file_with_who_undid_it() {
        use scrutineer_desk::orders::Undo;
        let hall = hall();
        hall.order(Undo::default());
        hall.slip("2 2-0");
        hall.order(Undo::default());
        hall.dispute(2);
        hall.slip("2 1-2");
        let mut looked = hall.looked();
        let told = read_file(&looked, 1).expect("a file");
        let typed: Vec<(&str, bool)> =
            told.slips.iter().map(|slip| (&slip.what[..], slip.undone.is_empty())).collect();
        assert_eq!(typed, [("2–1", false), ("2–0", false), ("1–2", true)]);
        let undone = &told.slips[0].undone;
        assert!(undone.starts_with("undone by event "), "{undone}");
        assert!(undone.ends_with(", Bo Park"), "{undone}");
        let html = file(&looked, 1).expect("a page");
        assert!(html.contains("<s>2–1</s>") && html.contains("<s>2–0</s>"), "{html}");
        assert!(!html.contains("<s>1–2</s>") && html.contains(undone), "{html}");
        assert_eq!(html.matches("<s>").count(), 4, "as what was typed and as what was recorded");
        looked.language = Language::German;
        let german = file(&looked, 1).expect("a page");
        assert!(german.contains("zurückgenommen durch Ereignis"), "{german}");
    }

    #[test]
    fn what_waits_for_a_ruling_comes_first() {
        let hall = hall();
        let html = list(&hall.looked()).expect("a page");
        assert!(html.contains("No disputes"));
        hall.dispute(2);
        let html = list(&hall.looked()).expect("a page");
        assert!(html.contains("round 1 table 2"));
    }
}
