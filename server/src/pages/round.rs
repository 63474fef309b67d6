//! A round: its pairings, as a draft before anybody sees them, and with its results.

use super::alerts::{Alert, of_displaced, of_leaving, of_old_cut, of_old_points};
use super::divided::Divided;
use super::frame::{Frame, Tab};
use super::{
    Looked, Person, in_a_row, match_of_row, render, rules_of, said_slip, set_apart, shown_table,
};
use crate::gate::Need;
use crate::language::Language;
use crate::live::is_out;
use askama::Template;
use scrutineer_desk::answers::{RoundTable, Seated};
use scrutineer_desk::desk::{open_round, without_seat, write_slip};
use scrutineer_desk::horizon::was_out;
use scrutineer_desk::names::Names;
use scrutineer_desk::orders::{Sheet, alone_in_division, paired_unseen, postponed_in, step};
use scrutineer_desk::verb_error::VerbError;
use scrutineer_engine::event::{
    Event, Origin, OriginKind, PhaseKind, PlayerNumber, RoundNumber, TableRange,
};
use scrutineer_engine::tournament::Tournament;
use scrutineer_projections::bracket_rounds::bracket_round;
use scrutineer_projections::counted;
use scrutineer_projections::timeline::{Words, paired_by_engine, plays_postponed};
use scrutineer_replay::loaded::LoadedTournament;
use std::collections::BTreeMap;

#[derive(Template)]
#[template(path = "round.html")]
struct RoundPage {
    frame: Frame,
    /// The query of the language, where it was chosen.
    lang: String,
    number: RoundNumber,
    name: String,
    /// The same within a sentence of the desk.
    named: String,
    state: State,
    rounds: Vec<RoundNumber>,
    /// Who takes part in this round and has no table.
    unseated: Vec<Person>,
    later: Vec<Later>,
    checks: Vec<Check>,
    /// Who sits here though they left or a correction says otherwise, for the staff.
    displaced: Vec<Alert>,
    tables: Vec<Row>,
    byes: Vec<Bye>,
    with_points: bool,
    with_results: bool,
    is_open: bool,
    is_last: bool,
    /// Whether it is of a bracket, in which somebody can go on by ruling.
    in_bracket: bool,
    /// Whether who meets whom follows from a bracket or a schedule, so that no table is broken up.
    is_fixed: bool,
    /// Whether the newest one is asked for, whichever that is.
    is_newest: bool,
    /// Whether a match of it is postponed: what is corrected then may have been right.
    has_postponed: bool,
    /// Whether its matches are seen, so that somebody can say that one is wrong.
    can_dispute: bool,
    /// Whether it was out before, where it is a draft.
    was_out: bool,
    /// The round that is a draft still, where whoever looks may not see it.
    prepared: Option<String>,
    players: Vec<Person>,
    next: super::desk::Next,
    /// Whether it is paired in another program, and not here.
    is_elsewhere: bool,
    /// The tables of the hall, where whoever looks may say which there are; empty: 1, 2, 3 and so on.
    hall: Option<String>,
    /// The engine that pairs the round anew where nobody says otherwise.
    engine: Option<super::desk::EngineNamed>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    None,
    Draft,
    Playing,
    /// Every result is in; how many matches are postponed.
    In(usize),
    Completed,
}

/// Who is here and plays from a later round on.
struct Later {
    player: Person,
    from: RoundNumber,
}

struct Check {
    text: String,
    look: bool,
}

struct Row {
    table: u32,
    seats: Vec<Seated>,
    /// The division of its players, where there are divisions.
    division: String,
    result: Option<String>,
    /// What stood there before, each with whether the match was only postponed.
    was: Vec<(String, bool)>,
    remark: String,
    why: String,
    is_usual: bool,
    /// What is taken from whom in this match, for the staff: it waited for it.
    taken: Vec<String>,
}

impl Row {
    /// The number of its table; a dash where it has none.
    fn number(&self) -> String {
        shown_table(self.table)
    }
}

struct Bye {
    player: Person,
    division: String,
    kind: String,
    why: String,
}

/// Why two meet, and whether it is the usual reason.
///
/// A reason that somebody gave is private.
fn why(
    event: &LoadedTournament,
    origin: &Origin,
    is_staff: bool,
    language: Language,
) -> (String, bool) {
    match (origin.kind, origin.because, origin.reason.as_ref().filter(|_| is_staff)) {
        (OriginKind::ByHand, _, Some(reason)) => {
            (format!("{}: {}", language.t("by-hand"), event.text(reason)), false)
        }
        (OriginKind::ByHand, ..) => (language.t("by-hand"), false),
        (_, Some(because), _) => {
            let word = because.word().replace('-', " ");
            let usual = word == "same points" || word == "same score" || word == "first round";
            (language.word("because", because.word()), usual)
        }
        _ => (String::new(), true),
    }
}

/// Why each table came about, and whether that is the usual reason.
type Reasons = BTreeMap<u64, (String, bool)>;
/// The results of each table that were replaced, each with whether it was only postponed, and played then.
type Replaced = BTreeMap<u64, Vec<(String, bool)>>;

/// Why each table of a round came about, and the results that were replaced.
fn of_log(event: &LoadedTournament, is_staff: bool, language: Language) -> (Reasons, Replaced) {
    let (mut reasons, mut results) = (BTreeMap::new(), BTreeMap::new());
    let is_chess = super::is_chess(event);
    let mut was = Replaced::new();
    let taken_back = event.taken_back();
    for (header, logged) in &event.log {
        match logged {
            // A correction that was undone replaced nothing.
            Event::ResultCorrected(_) if taken_back.contains_key(&header.seq) => {}
            Event::PairingMade(e) => {
                reasons.insert(header.seq, why(event, &e.origin, is_staff, language));
            }
            Event::ByeGiven(e) => {
                reasons.insert(header.seq, why(event, &e.origin, is_staff, language));
            }
            Event::ResultRecorded(e) => {
                results.insert(header.seq, write_slip(&e.result));
            }
            Event::ResultCorrected(e) => {
                results.insert(header.seq, write_slip(&e.result));
                let old = results.get(&e.replaces).cloned().unwrap_or_default();
                let old = said_slip(&old, is_chess, language);
                was.entry(e.pairing).or_default().push((old, plays_postponed(&event.state, e)));
            }
            _ => {}
        }
    }
    (reasons, was)
}

/// What holds of a draft: the rematches, and who left since.
fn checks(event: &LoadedTournament, number: RoundNumber, tables: &[RoundTable]) -> Vec<Check> {
    let state = &event.state;
    let met = |before: RoundNumber| -> Vec<Vec<u32>> {
        let earlier = state.matches().filter(|found| found.round().number < before);
        earlier.map(|found| found.seats().iter().map(|seat| seat.player).collect()).collect()
    };
    let earlier = met(number);
    let again = |seats: &[u32]| {
        earlier.iter().any(|old| old.iter().filter(|player| seats.contains(player)).count() > 1)
    };
    let of_round = state.matches().filter(|found| found.round().number == number);
    let of_round: Vec<(u32, Vec<u32>)> = of_round
        .map(|found| {
            let seats = found.seats().iter().map(|seat| seat.player).collect();
            (found.table().unwrap_or(0), seats)
        })
        .collect();
    let mut checks = Vec::new();
    if let Some(engine) = state.round(number).and_then(paired_by_engine) {
        checks.push(Check { text: format!("paired by {engine}"), look: false });
    }
    let again: Vec<String> = of_round
        .iter()
        .filter(|(_, seats)| again(seats))
        .map(|(table, _)| table.to_string())
        .collect();
    // A bracket asks nobody whether they have met before.
    if number > 1 && bracket_round(state, number).is_none() {
        checks.push(match again.is_empty() {
            true => Check { text: "nobody meets again".into(), look: false },
            false => {
                let text = format!("they have met before: table {}", again.join(", "));
                Check { text, look: true }
            }
        });
    }
    let is_swiss = state.round(number).and_then(|round| state.phase_of(round));
    let is_swiss = is_swiss.is_some_and(|phase| phase.kind == PhaseKind::Swiss);
    let differ =
        |row: &&RoundTable| row.players.windows(2).any(|two| two[0].points != two[1].points);
    let across = tables.iter().filter(differ).count();
    if is_swiss && across > 0 {
        let text = format!("{} across groups", counted(across, "pair"));
        checks.push(Check { text, look: false });
    }
    let byes = state.byes().filter(|bye| state.rounds()[bye.round as usize].number == number);
    let byes = byes.count();
    if byes > 0 {
        checks.push(Check { text: counted(byes, "bye"), look: false });
    }
    for player in alone_in_division(state, number) {
        let division = state.player(player).and_then(|player| player.division.clone());
        let of = division.map_or("without a division".into(), |name| format!("in {name}"));
        let text = format!(
            "{} is alone {of}: they have a bye in every round as long as that is paired by itself. Pair it as one \
             with another division, where the round is paired",
            set_apart(event.name(player))
        );
        checks.push(Check { text, look: true });
    }
    let absent = paired_unseen(state, number);
    if !absent.is_empty() {
        let names: Vec<String> = absent.iter().map(|one| set_apart(event.name(*one))).collect();
        let text = format!("paired without having checked in: {}", in_a_row(&names));
        checks.push(Check { text, look: true });
    }
    let gone = state.players().iter().filter(|player| {
        player.dropped().is_some_and(|(_, after)| number > 1 && after + 1 == number)
    });
    let gone: Vec<String> = gone.map(|player| event.name(player.number)).collect();
    if !gone.is_empty() {
        let text = format!("left after round {}: {}", number - 1, in_a_row(&gone));
        checks.push(Check { text, look: true });
    }
    checks
}

fn state_of(state: &Tournament, number: RoundNumber) -> State {
    match state.round(number) {
        None => State::None,
        Some(round) if round.completed.is_some() => State::Completed,
        Some(round) if !is_out(state, round) => State::Draft,
        Some(round) if round.open_matches == 0 => State::In(postponed_in(state, number)),
        Some(_) => State::Playing,
    }
}

/// A round, or the last one.
///
/// # Errors
/// Where there is no such round, or the store cannot be read.
pub fn page(at: &Looked<'_>, round: Option<RoundNumber>) -> Result<String, VerbError> {
    let known = at.load_whole()?;
    let mut behind = None;
    // Pairings that are out while results are hidden are shown without those.
    if let Some(pairings) = &at.pairings {
        let number = round.or(pairings.state.last_round().map(|last| last.number));
        if number.is_some_and(|number| known.state.round(number).is_none()) {
            behind = Some(pairings);
        }
    }
    let event = behind.unwrap_or(&known);
    let state = &event.state;
    let last = state.last_round().map_or(0, |round| round.number);
    let shown = at.last_round(state);
    let number = round.unwrap_or(shown);
    if round.is_some() && state.round(number).is_none() {
        return Err(scrutineer_desk::orders::no_such_round(number, last));
    }
    let rules = rules_of(event, None)?;
    let names = Names::of(state, &event.book);
    let sheet = Sheet::of(state, &rules, number).as_paired(event);
    let (tables, byes) = sheet.answered(&names);
    let divided = Divided::of(state);
    let division = |players: &mut dyn Iterator<Item = PlayerNumber>| {
        divided.of_table(players).unwrap_or_default()
    };
    let is_staff = Need::Staff.admits(at.role);
    let (reasons, was) = of_log(event, is_staff, at.language);
    let is_open = open_round(state).is_some_and(|open| open.number == number);
    let is_chess = super::is_chess(event);
    let checks = if is_open { checks(event, number, &tables) } else { Vec::new() };
    let row = |mut row: RoundTable| {
        for seat in &mut row.players {
            seat.player.name = event.name(seat.player.number);
        }
        let found = match_of_row(state, number, &row);
        let seq = found.map_or(0, |found| found.seq());
        let taken = found.filter(|_| is_staff).into_iter().flat_map(|found| {
            let one = |seat: &Seated| {
                let taken = super::called::taken_in(state, found, seat.player.number)?;
                Some(format!("{}: {taken}", set_apart(seat.player.name.clone())))
            };
            row.players.iter().filter_map(one).collect::<Vec<_>>()
        });
        let taken = taken.collect();
        let (why, is_usual) = reasons.get(&seq).cloned().unwrap_or_default();
        let ruled = row.advanced.map(|who| at.language.a("goes-on", "name", who.name));
        let remark = Some(row.remark).filter(|remark| !remark.is_empty());
        let remark = remark.map(|remark| at.language.word("remark", &remark));
        // In a round of before somebody may have sat there by chance.
        let keeps_it =
            |seat: &&Seated| is_open && state.kept_table(seat.player.number) == Some(row.table);
        let keeps = row.players.iter().filter(keeps_it);
        let keeps: Vec<String> = keeps
            .map(|seat| {
                let name = set_apart(seat.player.name.clone());
                at.language.b("told-keeps-table", "name", name, "table", row.table)
            })
            .collect();
        Row {
            table: row.table,
            division: division(&mut row.players.iter().map(|seat| seat.player.number)),
            seats: row.players,
            result: row.result.as_deref().map(|slip| said_slip(slip, is_chess, at.language)),
            was: was.get(&seq).cloned().unwrap_or_default(),
            remark: remark.into_iter().chain(ruled).chain(keeps).collect::<Vec<_>>().join(", "),
            why,
            is_usual,
            taken,
        }
    };
    let tables: Vec<Row> = tables.into_iter().map(row).collect();
    let bye_seq = |player: u32| {
        let of_round = |bye: &&scrutineer_engine::tournament::Bye| {
            bye.player == player && state.rounds()[bye.round as usize].number == number
        };
        state.byes().find(of_round).map_or(0, |bye| bye.seq)
    };
    let bye = |bye: scrutineer_desk::answers::RoundBye| {
        let kind = at.language.word("bye", &bye.kind);
        let why = reasons.get(&bye_seq(bye.player.number)).cloned().unwrap_or_default().0;
        // Where the kind says why already, it is said once.
        let why = if why == kind { String::new() } else { why };
        let division = division(&mut std::iter::once(bye.player.number));
        let player = Person::of(event, bye.player.number);
        Bye { why, player, division, kind }
    };
    let without = if is_open { without_seat(state, number) } else { Vec::new() };
    let (now, later): (Vec<_>, Vec<_>) = without.into_iter().partition(|(_, from)| *from <= number);
    let unseated = now.into_iter().map(|(player, _)| Person::of(event, player)).collect();
    let later =
        later.into_iter().map(|(player, from)| Later { player: Person::of(event, player), from });
    let here = state.players().iter().filter(|player| player.takes_part_in(number));
    let kind = state.round(number).and_then(|round| state.phase_of(round)).map(|phase| phase.kind);
    let typed = at.at_desk(|desk| step(desk, state)).0?;
    let path = match round {
        Some(number) => format!("round/{number}"),
        None => "round".into(),
    };
    render(&RoundPage {
        frame: Frame::of(at, event, Tab::Round, &path),
        lang: at.taking(""),
        number,
        named: super::called::within_text(&super::round_called(state, number, Language::English)),
        name: super::round_called(state, number, at.language),
        state: state_of(state, number),
        was_out: was_out(&event.log, number),
        rounds: super::rounds_of(event).into_iter().filter(|round| *round <= shown).collect(),
        prepared: (round.is_none() && shown < last)
            .then_some(last)
            .or(at.prepared.filter(|_| round.is_none()))
            .map(|round| super::called::prepared_called(state, round, at.language)),
        displaced: match is_open && is_staff {
            true => {
                let leaving = of_leaving(at, event).into_iter();
                let old = of_old_points(at, event, &rules).into_iter().chain(of_old_cut(at, event));
                leaving.chain(old).chain(of_displaced(at, event)?).collect()
            }
            false => Vec::new(),
        },
        checks,
        // Where results are hidden everybody would read points of before them.
        with_points: (at.hidden.is_none() || Need::Staff.admits(at.role))
            && tables.iter().flat_map(|row| &row.seats).any(|seat| seat.points != "0"),
        with_results: tables.iter().any(|row| row.result.is_some()),
        tables,
        byes: byes.into_iter().map(bye).collect(),
        unseated,
        later: later.collect(),
        is_open,
        is_last: number == last,
        in_bracket: kind.is_some_and(|kind| kind.is_bracket()),
        is_fixed: kind.is_some_and(|kind| kind.is_bracket() || kind == PhaseKind::RoundRobin),
        is_newest: round.is_none(),
        has_postponed: postponed_in(state, number) > 0,
        can_dispute: state.round(number).is_some_and(|round| round.published.is_some())
            && state.imported().is_none(),
        players: here.map(|player| Person::of(event, player.number)).collect(),
        next: super::desk::next_step(at, &typed, event, &rules),
        is_elsewhere: state.imported().is_some(),
        hall: (at.sees_drafts() && !state.is_closed() && state.imported().is_none()).then(|| {
            let ranges: Vec<String> = state.tables().iter().map(TableRange::to_string).collect();
            ranges.join(" ")
        }),
        engine: super::desk::EngineNamed::of(at, state),
    })
}

#[cfg(test)]
mod tests {
    use super::super::kit::{HTML, enrolled, hall};
    use super::*;
    use crate::gate::Role;
    use scrutineer_desk::orders::{Enroll, Pair, Person, SetPairing};

    #[test]
    fn who_has_no_table_stands_at_the_top_of_the_draft() {
        let hall = enrolled();
        hall.order(Pair::default());
        hall.late("Kim Late");
        let html = page(&hall.looked(), None).expect("a page");
        let box_ = html.find("class=\"unseated\"").expect("the box");
        let kim = html[box_..].find("Kim Late").expect("named in it") + box_;
        let first_table = html.find("<tbody").expect("the tables");
        assert!(kim < first_table);
        assert!(html.contains("Draft, nobody sees it"));
        assert!(html.contains("name=\"order\" value=\"repair\""), "one button seats them");
    }

    #[test]
    fn a_round_whose_results_are_in_says_how_many_matches_are_postponed() {
        let hall = hall();
        hall.slip("1 postponed");
        hall.all_in();
        let html = page(&hall.looked(), None).expect("a page");
        assert!(html.contains(">Every other result is in, 1 postponed<"), "{html}");
        assert!(html.contains(">Round 1, every other result is in, 1 postponed<"), "{html}");
        let mut looked = hall.looked();
        looked.language = Language::German;
        let html = page(&looked, None).expect("a page");
        assert!(html.contains("alle anderen Ergebnisse sind da, 1 verlegt<"), "{html}");
        let told = || {
            let state = hall.store.load(hall.stream, false).expect("loaded").state;
            let round = state.round(1).expect("a round");
            scrutineer_desk::orders::how_it_stands(&state, round, round.open_matches)
        };
        assert_eq!(told(), "every result is in, 1 postponed");
        hall.correct("1 2-0");
        assert_eq!(told(), "every result is in");
        let html = page(&hall.looked(), None).expect("a page");
        assert!(html.contains(">Every result is in<"), "{html}");
    }

    #[test]
    fn who_plays_from_the_next_round_on_is_named_and_no_button_promises_a_seat() {
        let hall = enrolled();
        hall.order(Pair::default());
        let person = Person { name: "Walt Winter".into(), ..Person::default() };
        hall.order(Enroll { people: vec![person], ..Enroll::default() });
        let html = page(&hall.looked(), None).expect("a page");
        assert!(html.contains("Walt Winter</bdi> plays from round 2 on"), "{html}");
        assert!(!html.contains("class=\"unseated\""));
    }

    /// The opponent of somebody who had dropped sat alone, and no screen had said so.
    #[test]
    fn a_draft_names_who_dropped_since_it_was_paired_and_one_button_pairs_around_them() {
        let hall = enrolled();
        hall.order(Pair::default());
        let told = "Ann Lee has dropped and is paired at table";
        assert!(!page(&hall.looked(), None).expect("a page").contains(told));
        hall.order(scrutineer_desk::orders::Drop { player: "Ann Lee".into(), no_show: false });
        let html = page(&hall.looked(), None).expect("a page");
        assert!(html.contains(told), "{html}");
        assert!(html.contains("name=\"out\" value=\"#"), "{html}");
        hall.order(scrutineer_desk::orders::Publish {});
        assert!(!page(&hall.looked(), None).expect("a page").contains(told));
    }

    /// The draft went on saying "same points" of two of whom one had lost by a correction.
    #[test]
    fn a_draft_that_was_paired_before_a_correction_says_who_has_other_points_by_now() {
        let hall = enrolled();
        hall.order(Pair::default());
        hall.order(scrutineer_desk::orders::Publish {});
        let state = hall.store.load(hall.stream, false).expect("loaded").state;
        for table in state.matches().filter_map(|found| found.table()) {
            hall.slip(&format!("{table} 2-0"));
        }
        hall.order(Pair::default());
        let told = "Round 2 was paired before an earlier result changed: ";
        let pages = || {
            let alerts = super::super::desk::page(&hall.looked()).expect("a desk");
            [alerts, page(&hall.looked(), None).expect("a page")]
        };
        assert!(pages().iter().all(|html| !html.contains(told)));
        hall.order(scrutineer_desk::orders::Correct {
            slip: "1 0-2".into(),
            reason: "turned round".into(),
            round: Some(1),
            ..Default::default()
        });
        for html in pages() {
            assert!(html.contains(told) && html.contains("have other points by now"), "{html}");
        }
        let mut looked = hall.looked();
        looked.role = Role::Public;
        assert!(!super::super::desk::page(&looked).is_ok_and(|html| html.contains(told)));
        hall.order(Pair { again: true, ..Pair::default() });
        assert!(pages().iter().all(|html| !html.contains(told)));
    }

    #[test]
    fn who_keeps_a_table_is_named_at_it() {
        let hall = enrolled();
        hall.order(scrutineer_desk::orders::KeepTable { player: "Ann Lee".into(), table: Some(2) });
        hall.order(scrutineer_desk::orders::SetTables { ranges: vec!["2-9".into()] });
        hall.order(Pair::default());
        let html = page(&hall.looked(), None).expect("a page");
        assert!(html.contains("Ann Lee keeps table 2"), "{html}");
        assert!(html.contains("name=\"ranges\" value=\"2-9\""), "{html}");
    }

    #[test]
    fn a_draft_names_who_sits_in_it_and_has_not_checked_in() {
        let hall = enrolled();
        hall.order(scrutineer_desk::orders::CheckIn { player: "Cid".into() });
        hall.order(Pair::default());
        let html = page(&hall.looked(), None).expect("a page");
        let named = "paired without having checked in: Ann Lee, Dee, ";
        assert!(html.contains(named), "{html}");
    }

    #[test]
    fn a_dispute_about_an_earlier_round_is_opened_on_the_page_of_that_round() {
        let hall = hall();
        hall.play_on();
        for round in [1, 2] {
            let html = page(&hall.looked(), Some(round)).expect("a page");
            assert!(html.contains("value=\"dispute\""), "round {round}: {html}");
            let named = format!("name=\"round\" value=\"{round}\"");
            let form = &html[html.find("value=\"dispute\"").expect("the form")..];
            assert!(
                form.split("</form>").next().is_some_and(|form| form.contains(&named)),
                "{form}"
            );
        }
        let mut looked = hall.looked();
        looked.role = Role::Public;
        assert!(!page(&looked, Some(1)).expect("a page").contains("value=\"dispute\""));
    }

    /// A lone player had a bye in every round, as "lowest points", and nobody was told why.
    #[test]
    fn who_is_alone_in_their_division_is_named_in_the_draft() {
        use scrutineer_desk::orders::{HowDivided, Late};
        let hall = enrolled();
        let person =
            Person { name: "Zed".into(), division: Some("junior".into()), ..Person::default() };
        hall.order(Enroll { people: vec![person], ..Enroll::default() });
        hall.order(Pair { divisions: Some(HowDivided::Apart), ..Pair::default() });
        let html = page(&hall.looked(), None).expect("a page");
        assert!(html.contains("Zed is alone in junior"), "{html}");
        let person =
            Person { name: "Yan".into(), division: Some("junior".into()), ..Person::default() };
        hall.order(Late { person, now: true, ..Late::default() });
        hall.order(Pair { again: true, ..Pair::default() });
        let html = page(&hall.looked(), None).expect("a page");
        assert!(!html.contains("is alone in"), "{html}");
    }

    #[test]
    fn whoever_has_played_is_here_and_a_later_draft_names_only_who_sits_in_it() {
        let hall = enrolled();
        hall.order(scrutineer_desk::orders::CheckIn { player: "Cid".into() });
        hall.order(Pair::default());
        hall.order(scrutineer_desk::orders::Publish {});
        let state = hall.store.load(hall.stream, false).expect("loaded").state;
        for table in state.matches().filter_map(|found| found.table()) {
            hall.slip(&format!("{table} 2-0"));
        }
        let person =
            scrutineer_desk::orders::Person { name: "Kim Late".into(), ..Default::default() };
        hall.order(scrutineer_desk::orders::Late { person, ..Default::default() });
        hall.order(Pair::default());
        let html = page(&hall.looked(), None).expect("a page");
        assert!(html.contains("Draft, nobody sees it"));
        assert!(html.contains("paired without having checked in: Kim Late<"), "{html}");
    }

    #[test]
    fn a_draft_where_everybody_sits_has_no_box() {
        let hall = enrolled();
        hall.order(Pair::default());
        let html = page(&hall.looked(), None).expect("a page");
        assert!(!html.contains("class=\"unseated\""));
        assert!(html.contains("value=\"publish\""));
    }

    #[test]
    fn a_corrected_result_shows_the_old_one_beside_it() {
        let hall = hall();
        hall.correct("2 1-2");
        let html = page(&hall.looked(), None).expect("a page");
        let new = html.find("1–2").expect("the new one");
        let old = html.find("<s>2–1</s>").expect("the old one");
        assert!(new < old && old - new < 200, "beside it");
    }

    /// After a correction in round 1 two "with the same points" had 3 and 0 of them.
    #[test]
    fn beside_why_two_meet_stand_the_points_they_were_paired_by_on_the_page_and_on_paper() {
        use super::super::print;
        let hall = hall();
        hall.play_on();
        let points = |html: &str, cell: &str| -> Vec<String> {
            let cells = html.split(cell).skip(1);
            cells.map(|cell| cell.split("</td>").next().unwrap_or_default().into()).collect()
        };
        let shown = || {
            let wanted = print::Wanted { round: Some(2), ..print::Wanted::default() };
            let paper = print::page(&hall.looked(), "pairings-by-table", wanted);
            let html = page(&hall.looked(), Some(2)).expect("a page");
            [
                points(&html, "<td class=\"num nowrap\">"),
                points(&paper.expect("a paper"), "<td class=\"pts\">"),
            ]
        };
        let before = shown();
        assert_eq!(before[0], before[1]);
        assert!(before[0].iter().any(|points| points == "3–3"), "{before:?}");
        for slip in ["1 0-2", "2 0-2", "3 0-2"] {
            let reason = "read the wrong way round".to_string();
            let correct = scrutineer_desk::orders::Correct {
                slip: slip.into(),
                round: Some(1),
                reason,
                ..Default::default()
            };
            hall.order(correct);
        }
        assert_eq!(shown(), before);
    }

    #[test]
    fn a_correction_in_a_round_with_a_postponed_match_is_not_said_to_be_of_a_mistake_by_itself() {
        let hall = hall();
        let html = || page(&hall.looked(), None).expect("a page");
        let (mistake, asked) = ("value=\"entered wrongly\"", "\"played, or entered wrongly\"");
        assert!(html().contains(mistake) && !html().contains(asked), "{}", html());
        hall.slip("1 postponed");
        assert!(html().contains(asked) && !html().contains(mistake), "{}", html());
    }

    #[test]
    fn the_result_of_a_postponed_match_is_marked_as_played_and_another_correction_as_one() {
        let hall = hall();
        hall.slip("1 postponed");
        hall.correct("1 2-0");
        let tags = || {
            let round = page(&hall.looked(), None).expect("a page");
            let desk = super::super::desk::page(&hall.looked()).expect("a page");
            let entry = super::super::entry::page(&hall.looked(), Default::default());
            [round, desk, entry.expect("a page")]
                .map(|html| ["played", "corrected"].map(|tag| html.contains(&marked(tag))))
        };
        assert_eq!(tags(), [[true, false]; 3]);
        hall.correct("1 0-2");
        let shown = tags();
        assert!(shown.iter().all(|[_, corrected]| *corrected), "{shown:?}");
    }

    fn marked(tag: &str) -> String {
        format!("<span class=\"tag fixed\">{tag}</span>")
    }

    /// A table of a bracket cannot be broken up, and outside of one nobody goes on by ruling.
    #[test]
    fn a_page_offers_what_its_kind_of_round_knows() {
        use scrutineer_desk::orders::Cut;
        let hall = hall();
        let offers = || {
            let html = page(&hall.looked(), None).expect("a page");
            ["Break up a table", "Let somebody go on by ruling", "Set a pairing"]
                .map(|what| html.contains(what))
        };
        assert_eq!(offers(), [true, false, true]);
        hall.all_in();
        hall.order(Cut { top: Some(4), ..Cut::default() });
        hall.order(Pair::default());
        assert_eq!(offers(), [false, true, true]);
    }

    #[test]
    fn who_is_not_of_the_staff_sees_no_forms_and_no_private_reasons() {
        let hall = hall();
        hall.late("Kim Late");
        let players = vec!["Kim Late".to_string()];
        let reason = "their bus was late".to_string();
        hall.order(SetPairing { players, table: None, reason });
        let html = page(&hall.looked(), None).expect("a page");
        assert!(html.contains("by hand") && html.contains("<form"));
        let mut looked = hall.looked();
        looked.role = Role::Public;
        looked.said.done = Some(3);
        let html = page(&looked, None).expect("a page");
        assert!(html.contains("Ann Lee"));
        for word in ["<form", "bus was late", "/entry", "Recorded:", "Bo Park"] {
            assert!(!html.contains(word), "{word}: {html}");
        }
    }

    #[test]
    fn while_a_round_is_a_draft_players_see_the_one_before_and_that_it_is_prepared() {
        let hall = hall();
        let state = hall.store.load(hall.stream, false).expect("loaded").state;
        let open = state.matches().filter(|m| m.result().is_none()).filter_map(|m| m.table());
        open.for_each(|table| hall.slip(&format!("{table} 2-0")));
        hall.order(Pair::default());
        let mut looked = hall.looked();
        assert!(
            !page(&looked, None).expect("a page").contains("is being prepared"),
            "the desk's own"
        );
        looked.role = Role::Public;
        let html = page(&looked, None).expect("a page");
        assert!(html.contains("<h1>Round 1</h1>"), "{html}");
        assert!(html.contains("Round 2 is being prepared") && !html.contains("/round/2"), "{html}");
    }

    #[test]
    fn names_are_escaped_and_a_round_that_is_not_there_is_refused() {
        let hall = hall();
        let html = page(&hall.looked(), Some(1)).expect("a page");
        assert!(!html.contains(HTML));
        let error = page(&hall.looked(), Some(9)).expect_err("no such round");
        assert_eq!(error.code.word, "no-such-round");
    }
}
