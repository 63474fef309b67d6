//! Results are entered: with the keys of the pad, or as a whole line.

use super::called::{round_within, taken_in};
use super::desk::{LastEntered, Next, last_entered, next_step};
use super::frame::{Frame, Tab};
use super::players::record;
use super::{Looked, match_of_row, render, rules_of, set_slip, typed_table};
use crate::live::is_out;
use askama::Template;
use scrutineer_desk::claims::claims;
use scrutineer_desk::desk::{UNLIMITED, example_slip, write_slip};
use scrutineer_desk::orders::{Sheet, When, players, postponed_in, step};
use scrutineer_desk::reported::differing;
use scrutineer_desk::verb_error::VerbError;
use scrutineer_engine::event::{Per, PlayerNumber, ScoreLine, Scoresheet};
use scrutineer_engine::tournament::MatchView;
use scrutineer_projections::reach::won_by_no_show;
use serde::Deserialize;
use std::collections::BTreeMap;

/// How many of one's own entries are on the page.
const OWN_SHOWN: usize = 500;

/// What is done on the page.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(default)]
pub struct View {
    /// The table whose result is entered next, as it is typed.
    pub table: Option<String>,
    /// The table whose result is corrected.
    pub correct: Option<String>,
    /// Which of one's own slips is looked at again, from 1 in the order in which they were entered.
    pub check: Option<usize>,
}

#[derive(Template)]
#[template(path = "entry.html")]
struct EntryPage {
    frame: Frame,
    tables: Vec<TableShown>,
    missing: usize,
    pad: Vec<PadKey>,
    /// The names of the lines that each seat has, and of those that the table shares, where a digit
    /// cannot say them.
    lines: (String, String),
    /// Whether such a slip is typed line by line.
    is_by_line: bool,
    /// From where to where the numbers of its only line go; empty: it is another slip.
    range: String,
    /// Slips as they may be typed: a close win, and a clear one.
    examples: [String; 2],
    /// The slip of a match whose second player did not appear.
    no_show: String,
    best_of: Option<u8>,
    own: Vec<LastEntered>,
    /// How many of them are slips, and no drops.
    pile: usize,
    typed: String,
    round: u16,
    /// The same within a sentence.
    called: String,
    is_draft: bool,
    /// The table whose names stand large, and its place among `tables`.
    shown: Option<usize>,
    /// The same table, where its players report different results.
    differing: Option<String>,
    correct: Option<String>,
    checked: Option<Checked>,
    /// How many of its matches are postponed.
    postponed: usize,
    /// What comes next where every result of the round is in.
    next: Option<Next>,
}

struct TableShown {
    /// As it is typed.
    table: String,
    seats: Vec<SeatShown>,
    result: Option<String>,
    /// The same as it is read.
    result_set: String,
    /// Whether its players report different results.
    differ: bool,
}

struct SeatShown {
    number: PlayerNumber,
    name: String,
    /// What they won, lost and drew so far, and what is taken from them in this match.
    record: String,
    /// The latter alone; mostly nothing.
    taken: String,
}

impl SeatShown {
    fn is_long(&self) -> bool {
        self.name.chars().count() > 26
    }
}

/// A slip of one's own pile that is looked at again.
struct Checked {
    at: usize,
    of: usize,
    table: String,
}

/// A key of the pad: the left column is a win of the first player, the middle one a draw.
pub struct PadKey {
    /// The digit.
    pub digit: u8,
    /// The slip that it stands for.
    pub slip: &'static str,
    /// What the key says.
    pub label: &'static str,
}

/// The pad of a slip; empty where the slip has lines that a digit cannot say.
pub fn pad(sheet: &Scoresheet, draws: bool) -> Vec<PadKey> {
    let only_games = sheet.seat_lines() == 1 && sheet.seat_line("games") == Some(0);
    let nothing = sheet.seat_lines() == 0 && sheet.table_lines() == 0;
    let keys: &[(u8, &str, &str)] = match (only_games, sheet.best_of) {
        (true, Some(1)) => &[(7, "1-0", "1–0"), (8, "id", "draw"), (9, "0-1", "0–1")],
        (true, Some(3)) => &[
            (7, "1-0", "1–0"),
            (8, "1-1", "1–1"),
            (9, "0-1", "0–1"),
            (4, "2-0", "2–0"),
            (5, "1-1-1", "1–1–1"),
            (6, "0-2", "0–2"),
            (1, "2-1", "2–1"),
            (2, "id", "agreed"),
            (3, "1-2", "1–2"),
        ],
        (true, Some(5)) => &[
            (7, "3-0", "3–0"),
            (8, "1-1", "1–1"),
            (9, "0-3", "0–3"),
            (4, "3-1", "3–1"),
            (5, "2-2", "2–2"),
            (6, "1-3", "1–3"),
            (1, "3-2", "3–2"),
            (2, "id", "agreed"),
            (3, "2-3", "2–3"),
        ],
        _ if nothing => &[(7, "w-l", "1–0"), (8, "d-d", "½–½"), (9, "l-w", "0–1")],
        _ => &[],
    };
    let is_draw = |digit: u8| digit % 3 == 2;
    let has_line = |slip: &str| slip.matches('-').count() < 2 || sheet.table_lines() > 0;
    let keys = keys.iter().filter(|(digit, slip, _)| has_line(slip) && (draws || !is_draw(*digit)));
    keys.map(|&(digit, slip, label)| PadKey { digit, slip, label }).collect()
}

/// The line of a slip that has no other and no pad, so that a number of each seat says it; none: it is another slip.
pub fn only_line(sheet: &Scoresheet) -> Option<&ScoreLine> {
    match &sheet.lines[..] {
        [line] if line.per == Per::Seat && pad(sheet, true).is_empty() => Some(line),
        _ => None,
    }
}

/// Whether players can say on their phones what stands on such a slip of two: by a button, or by two numbers.
pub fn is_for_phones(sheet: &Scoresheet) -> bool {
    only_line(sheet).is_some() || !pad(sheet, true).is_empty()
}

/// Slips that the page gives as examples: of the keys of the first player's wins the lowest and the one above it;
/// without keys one of so many seats, as its lines have it.
fn examples(pad: &[PadKey], sheet: Option<&Scoresheet>, seats: usize) -> [String; 2] {
    let typed = sheet.map_or(String::new(), |sheet| example_slip(sheet, seats));
    let of = |digits: [u8; 3]| {
        let mut keys = digits.iter().filter_map(|digit| pad.iter().find(|key| key.digit == *digit));
        let key = keys.next().map(|key| if key.slip == "w-l" { "1-0" } else { key.slip });
        key.map_or_else(|| typed.clone(), str::to_string)
    };
    [of([1, 4, 7]), of([4, 7, 1])].map(|slip| if slip.is_empty() { "1-0".into() } else { slip })
}

/// From where to where the numbers of a slip's only line go, in words; empty where nobody said so.
fn range(sheet: &Scoresheet) -> String {
    let line = only_line(sheet).filter(|line| line.max < UNLIMITED);
    line.map_or(String::new(), |line| format!("{} is {} to {}", line.name, line.min, line.max))
}

/// What each player won, lost and drew so far.
fn records(at: &Looked<'_>) -> Result<BTreeMap<u64, String>, VerbError> {
    let answer = at.answer(|desk| players(desk, &When::default()))?;
    let all = answer["players"].as_array().into_iter().flatten();
    Ok(all.filter_map(|one| Some((one["number"].as_u64()?, record(one)))).collect())
}

/// The page on which results are entered.
///
/// # Errors
/// Where the store cannot be read.
pub fn page(at: &Looked<'_>, view: View) -> Result<String, VerbError> {
    let event = at.load_whole()?;
    let state = &event.state;
    let open = at.open_round(state);
    let rules = rules_of(&event, None)?;
    let names = scrutineer_desk::names::Names::of(state, &event.book);
    let mut records = records(at)?;
    let differing = differing(&event, &claims(&event));
    let tables = open.map_or(Vec::new(), |open| {
        let (tables, _) = Sheet::of(state, &rules, open.number).answered(&names);
        let mut seat = |found: Option<MatchView<'_>>, seated: scrutineer_desk::answers::Seated| {
            let number = seated.player.number;
            let taken = found.and_then(|found| taken_in(state, found, number));
            // It is in the score that is typed, so whoever types it knows.
            let record = records.remove(&number.into()).into_iter().chain(taken.clone());
            SeatShown {
                number,
                name: seated.player.name,
                record: record.collect::<Vec<_>>().join(" · "),
                taken: taken.unwrap_or_default(),
            }
        };
        let shown = |row: scrutineer_desk::answers::RoundTable| {
            let found = match_of_row(state, open.number, &row);
            TableShown {
                table: found.map_or(String::new(), typed_table),
                differ: differing.contains(&row.table),
                seats: row.players.into_iter().map(|seated| seat(found, seated)).collect(),
                result_set: row
                    .result
                    .as_deref()
                    .map_or(String::new(), |slip| set_slip(slip, rules.first_seat.is_some())),
                result: row.result,
            }
        };
        tables.into_iter().map(shown).collect()
    });
    let sheet = open.and_then(|open| state.scoresheet(open));
    let in_bracket =
        open.and_then(|open| state.phase_of(open)).is_some_and(|phase| phase.kind.is_bracket());
    let two = tables.iter().all(|row: &TableShown| row.seats.len() == 2);
    let keys = sheet.filter(|_| two).map_or(Vec::new(), |sheet| pad(sheet, !in_bracket));
    let seats = tables.first().map_or(2, |row| row.seats.len());
    let lines = sheet.filter(|_| keys.is_empty()).map_or(Default::default(), |sheet| {
        let named = |per: Per| {
            let lines = sheet.lines.iter().filter(|line| line.per == per);
            lines.map(|line| &line.name[..]).collect::<Vec<&str>>().join(" ")
        };
        (named(Per::Seat), named(Per::Table))
    });
    let actor = at.at_desk(|desk| Ok(desk.desk.asker()?)).0?;
    let mut own = last_entered(&event, OWN_SHOWN, |header| Some(header.actor) == actor);
    // A result that was corrected is one slip, with its last score.
    let mut seen = std::collections::BTreeSet::new();
    own.retain(|one| {
        let is_here = open.is_some_and(|open| one.round == open.number);
        is_here && (one.table.is_empty() || seen.insert(one.table.clone()))
    });
    let pile = seen.len();
    let checked = view.check.and_then(|slip| {
        let mut slips = own.iter().rev().filter(|one| !one.table.is_empty());
        let one = slips.nth(slip.checked_sub(1)?)?;
        Some(Checked { at: slip, of: pile, table: one.table.clone() })
    });
    let is_in =
        |table: &String| tables.iter().any(|row| row.table == *table && row.result.is_some());
    let correct = view.correct.filter(is_in);
    let shown = correct.clone().or(checked.as_ref().map(|one| one.table.clone())).or(view.table);
    let typed = at.said.typed.clone().or_else(|| shown.as_ref().map(|table| format!("{table} ")));
    let missing = tables.iter().filter(|row| row.result.is_none()).count();
    let next = match missing == 0 && !tables.is_empty() {
        true => {
            let typed = at.at_desk(|desk| step(desk, state)).0?;
            Some(next_step(at, &typed, &event, &rules))
        }
        false => None,
    };
    render(&EntryPage {
        frame: Frame::of(at, &event, Tab::Entry, "entry").script("entry.js"),
        missing,
        postponed: open.map_or(0, |open| postponed_in(state, open.number)),
        next,
        shown: tables.iter().position(|row| Some(&row.table) == shown.as_ref()),
        differing: shown.filter(|table| tables.iter().any(|row| row.differ && row.table == *table)),
        tables,
        examples: examples(&keys, sheet, seats),
        is_by_line: keys.is_empty() && sheet.is_some_and(|sheet| sheet.lines.len() > 1),
        range: sheet.filter(|_| keys.is_empty()).map_or(String::new(), range),
        no_show: write_slip(&won_by_no_show(&rules, &sheet.cloned().unwrap_or_default(), 0)),
        pad: keys,
        lines,
        best_of: sheet.and_then(|sheet| sheet.best_of),
        own,
        pile,
        typed: typed.unwrap_or_default(),
        round: open.map_or(0, |open| open.number),
        called: open.map_or(String::new(), |open| round_within(state, open.number)),
        is_draft: open.is_some_and(|open| !is_out(state, open)),
        correct,
        checked,
    })
}

#[cfg(test)]
mod tests {
    use super::super::kit::{enrolled, field, hall, of_points, planned};
    use super::*;
    use scrutineer_desk::desk::{Opening, parse_slip};
    use scrutineer_desk::orders::{Cut, Enter, Pair, Publish};
    use scrutineer_desk::rehearsal::now;
    use scrutineer_desk::store::prepare;
    use scrutineer_projections::ruleset::Library;

    #[test]
    fn every_key_of_the_pad_is_a_slip_that_the_desk_reads() {
        let rules = Library::shipped().ruleset("mtr").expect("shipped");
        for games in [1, 3, 5] {
            let sheet = Opening::scoresheet_for(&rules, games);
            let keys = pad(&sheet, true);
            assert!(!keys.is_empty(), "best of {games}");
            for key in keys {
                parse_slip(&sheet, 2, key.slip).expect(key.slip);
            }
            assert!(
                pad(&sheet, false).iter().all(|key| key.digit % 3 != 2),
                "no draw in a bracket"
            );
        }
        let keys = pad(&Scoresheet::default(), true);
        assert!(keys.iter().all(|key| parse_slip(&Scoresheet::default(), 2, key.slip).is_ok()));
    }

    #[test]
    fn the_examples_of_the_page_are_scores_that_a_match_can_have() {
        let mtr = Library::shipped().ruleset("mtr").expect("shipped");
        let of = |sheet: &Scoresheet| examples(&pad(sheet, true), Some(sheet), 2);
        let of_games = |games| of(&Opening::scoresheet_for(&mtr, games));
        assert_eq!(of_games(1), ["1-0", "1-0"]);
        assert_eq!(of_games(3), ["2-1", "2-0"]);
        assert_eq!(of_games(5), ["3-2", "3-1"]);
        assert_eq!(of_games(7), ["4-2", "4-2"]);
        assert_eq!(of(&Scoresheet::default()), ["1-0", "1-0"]);
    }

    /// It said "then each line of the slip": who typed 55, Enter, 40, Enter was refused twice.
    #[test]
    fn a_slip_of_one_line_has_an_example_and_its_range_and_so_has_a_refusal() {
        let hall = of_points();
        let html = page(&hall.looked(), View::default()).expect("a page");
        let say = "then <kbd>55-40</kbd>&nbsp;and Enter; match_points is 0 to 100.";
        assert!(html.contains(say) && html.contains("data-such=\"55-40\""), "{html}");
        assert!(!html.contains("each line of the slip"), "{html}");
        let sheet = hall.store.load(hall.stream, false).expect("loaded").state;
        let sheet = sheet.opened().expect("opened").scoresheet.clone();
        assert!(parse_slip(&sheet, 2, "55-40").is_ok());
        let refused = parse_slip(&sheet, 2, "55").expect_err("of one player");
        assert!(refused.what.ends_with("each of the 2 at the table has one, as in `55-40`"));
        let refused = |slip: &str| {
            let order = Enter { slip: slip.into(), round: None }.into();
            let asked = scrutineer_desk::desk::Asked::default();
            scrutineer_desk::orders::record(&hall.asker, &hall.store, hall.stream, asked, &order).0
        };
        let beyond = refused("1 170-70").expect_err("out of range");
        assert_eq!(beyond.message, "match_points: 170 is not between 0 and 100");
        assert!(!beyond.hint.is_some_and(|hint| hint.to_string().contains("1-0")));
        assert!(refused("1 55-40").is_ok());
    }

    #[test]
    fn every_key_of_the_pad_is_recorded_by_the_desk() {
        let sheet =
            Opening::scoresheet_for(&Library::shipped().ruleset("mtr").expect("shipped"), 3);
        let keys = pad(&sheet, true);
        assert_eq!(keys.len(), 9);
        for key in keys {
            let hall = enrolled();
            hall.order(Pair::default());
            hall.order(Publish {});
            hall.order(Enter { slip: format!("1 {}", key.slip), round: Some(1) });
        }
    }

    #[test]
    fn ones_own_slips_are_walked_in_the_order_in_which_they_were_entered() {
        let hall = hall();
        hall.slip("1 2-0");
        let at = |check| page(&hall.looked(), View { check: Some(check), ..View::default() });
        let html = at(1).expect("a page");
        assert!(html.contains("Slip 1 of 2: table 2, 2–1"), "{html}");
        assert!(html.contains("check=2\""), "the next one");
        assert!(at(2).expect("a page").contains("Slip 2 of 2: table 1, 2–0"));
        assert!(!at(3).expect("a page").contains("Slip 3"), "the pile is over");
    }

    #[test]
    fn a_bracket_that_waits_for_a_postponed_match_says_how_its_result_is_entered() {
        let hall = planned(&["swiss:1", "single-elimination:2"]);
        let html = || page(&hall.looked(), View::default()).expect("a page");
        hall.order(Pair::default());
        hall.order(Publish {});
        hall.slip("1 postponed");
        hall.all_in();
        assert!(html().contains("Round 1 is complete, 1 postponed."), "{}", html());
        hall.correct("1 2-0");
        assert!(html().contains("Round 1 is complete."), "{}", html());
        hall.order(Cut::default());
        hall.order(Pair::default());
        hall.order(Publish {});
        hall.slip("1 postponed");
        let waits = html();
        let typed = "type <kbd>1</kbd>, <kbd>Enter</kbd>, <kbd>c</kbd>";
        assert!(waits.contains("Table 1 is postponed<") && waits.contains(typed), "{waits}");
        assert!(!waits.contains("is complete") && !waits.contains(">Enter results<"), "{waits}");
        let view = View { correct: Some("1".into()), ..View::default() };
        let html = page(&hall.looked(), view).expect("a page");
        assert!(html.contains("Table 1 is postponed; it stays"), "its correction is open: {html}");
    }

    #[test]
    fn a_correction_is_a_form_of_its_own_that_says_what_stands() {
        let hall = hall();
        let view = View { correct: Some("2".into()), ..View::default() };
        let html = page(&hall.looked(), view).expect("a page");
        assert!(html.contains("name=\"order\" value=\"correct\""));
        assert!(html.contains("Table 2 has 2–1"), "{html}");
        let view = View { correct: Some("1".into()), ..View::default() };
        let html = page(&hall.looked(), view).expect("a page");
        assert!(html.contains("name=\"order\" value=\"result\""), "nothing stands at table 1");
    }

    #[test]
    fn the_result_of_a_postponed_match_was_played_and_not_entered_wrongly() {
        let hall = hall();
        hall.slip("1 postponed");
        let why = |table: &str, why: &str| {
            let view = View { correct: Some(table.into()), ..View::default() };
            let html = page(&hall.looked(), view).expect("a page");
            assert!(html.contains(&format!("name=\"reason\" required value=\"{why}\"")), "{html}");
        };
        why("1", "played");
        why("2", "entered wrongly");
    }

    /// Older versions brought in tables without a number; so does a file that numbers another table as high as can be.
    #[test]
    fn tables_without_a_number_are_named_by_their_first_player_and_nothing_stands_beside_another_match()
     {
        let sheet = "# event: Old\n# rules: mtr\n# finished: no\n\
            round,table,player_a,player_b,games_a,games_b,games_drawn\n\
            1,1000000,Ann,Bob,,,\n1,,Cid,Dee,,,\n1,,Eve,Fay,,,\n";
        let mut hall = hall();
        let library = Library::shipped();
        let prepared = prepare("old.csv", sheet.as_bytes(), None, &library).expect("read");
        hall.stream = prepared.stream;
        hall.store
            .add(prepared, &mut Vec::new(), scrutineer_engine::record::Actor(0), now())
            .expect("stored");
        hall.order(Enter { slip: "Eve 2-1".into(), round: None });
        let html = page(&hall.looked(), View::default()).expect("a page");
        assert!(html.contains("data-table=\"1000000\"><a"), "{html}");
        assert!(html.contains("data-table=\"#3\"><a"), "nothing stands there: {html}");
        assert!(html.contains("data-table=\"#5\" data-result=\"2-1\" hidden"), "{html}");
        assert!(html.contains("data-own-table=\"#5\""), "{html}");
        assert_eq!(field(&html, "data-missing"), "2");
        let view = View { correct: Some("#5".into()), ..View::default() };
        let html = page(&hall.looked(), view).expect("a page");
        assert!(html.contains("Table #5 has 2–1"), "{html}");
        hall.order(Enter { slip: "#3 2-0".into(), round: None });
        let html = page(&hall.looked(), View::default()).expect("a page");
        assert_eq!(field(&html, "data-missing"), "1");
    }

    #[test]
    fn a_table_that_is_missing_stands_in_the_list_and_one_that_is_in_with_its_result() {
        let hall = hall();
        let html = page(&hall.looked(), View::default()).expect("a page");
        assert!(html.contains("data-table=\"1\""), "{html}");
        assert_eq!(field(&html, "data-missing"), "2");
        assert!(html.contains("data-result=\"2-1\""));
    }

    /// A game loss that waited for a player's next match stood nowhere where its result was typed.
    #[test]
    fn a_penalty_that_waits_stands_beside_the_name_at_the_draft_at_entry_and_on_the_floor() {
        use scrutineer_desk::orders::{Penalty, Takes};
        let hall = hall();
        let penalty = Penalty {
            player: "Cid".into(),
            takes: Some(Takes::GameLoss),
            reason: "late".into(),
            ..Penalty::default()
        };
        hall.order(penalty);
        let html = page(&hall.looked(), View::default()).expect("a page");
        assert!(!html.contains("game loss"), "it is of the next match: {html}");
        hall.all_in();
        hall.order(Pair::default());
        let draft = super::super::round::page(&hall.looked(), None).expect("a page");
        assert!(draft.contains("<span class=\"tag bad\">Cid: game loss</span>"), "{draft}");
        hall.order(Publish {});
        let mut looked = hall.looked();
        let html = page(&looked, View::default()).expect("a page");
        assert!(html.contains("Cid</bdi> <span class=\"tag bad\">game loss</span>"), "{html}");
        let floor = super::super::floor::page(&looked, &Default::default()).expect("a page");
        assert!(floor.contains("game loss, given in round 1, counts in this match"), "{floor}");
        looked.role = crate::gate::Role::Public;
        let round = super::super::round::page(&looked, None).expect("a page");
        assert!(!round.contains("game loss"), "that is the staff's: {round}");
    }

    /// Beside "Publish it first" stood a field, and one score put the draft out for everybody without a question.
    #[test]
    fn a_draft_has_no_field_also_where_it_was_taken_back_and_the_page_leads_to_where_it_is_published()
     {
        use scrutineer_desk::orders::Undo;
        let hall = hall();
        let html = || page(&hall.looked(), View::default()).expect("a page");
        let has_field = |html: &str| html.contains("name=\"slip\"") || html.contains("data-entry");
        hall.all_in();
        assert!(has_field(&html()), "its results are corrected here");
        hall.order(Pair::default());
        let is_led = || {
            let html = html();
            let ways = html.contains("/round\">Look at round 2 and publish it</a>")
                && html.contains("/round/1\">Correct a result of the round before</a>");
            assert!(!has_field(&html), "{html}");
            ways && html.contains("<strong>Round 2 is a draft.</strong>")
        };
        assert!(is_led(), "{}", html());
        hall.order(Publish {});
        assert!(has_field(&html()));
        hall.order(Undo::default());
        assert!(is_led(), "{}", html());
    }

    /// That a round is complete stood on the desk alone, and its last slip was typed here.
    #[test]
    fn a_round_is_complete_where_its_last_slip_was_typed_and_the_next_step_is_one_button() {
        let hall = hall();
        let html = || page(&hall.looked(), View::default()).expect("a page");
        let said = |html: &str| html.contains("<strong>Round 1 is complete.</strong>");
        assert!(!said(&html()) && html().contains("data-complete hidden"), "{}", html());
        hall.all_in();
        let html = html();
        assert!(said(&html) && !html.contains("data-complete hidden"), "{html}");
        let band = html.split("data-complete").nth(1).and_then(|band| band.split("</div>").next());
        let band = band.expect("a band");
        assert!(
            band.contains("value=\"pair\"") && band.contains(">Pair round 2</button>"),
            "{band}"
        );
        let mut looked = hall.looked();
        looked.role = crate::gate::Role::Judge;
        let html = page(&looked, View::default()).expect("a page");
        assert!(said(&html) && !html.contains("Pair round 2"), "a judge pairs nothing: {html}");
    }

    /// A helper had the tab and the field, and each slip was refused.
    #[test]
    fn a_helper_has_no_field_for_results_here_or_on_the_floor_and_no_tab_for_either() {
        use crate::gate::Role;
        let hall = hall();
        let shown = |role: Role| {
            let looked = Looked { role, ..hall.looked() };
            let entry = page(&looked, View::default()).expect("a page");
            let floor = super::super::floor::page(&looked, &Default::default()).expect("a page");
            let tabs = ["entry", "floor"].map(|tab| entry.contains(&format!("/{tab}\" data-key")));
            (entry.contains("name=\"slip\""), floor.contains("data-queued"), tabs)
        };
        assert_eq!(shown(Role::Judge), (true, true, [true, true]));
        assert_eq!(shown(Role::Helper), (false, false, [false, false]));
        let looked = Looked { role: Role::Helper, ..hall.looked() };
        let html = page(&looked, View::default()).expect("a page");
        assert!(html.contains("the owner, head judges, scorekeepers and judges may."), "{html}");
    }

    /// The match that a disqualification decides was told as corrected since.
    #[test]
    fn who_is_disqualified_loses_their_match_and_nothing_was_corrected() {
        use scrutineer_desk::orders::Disqualify;
        let hall = hall();
        let state = hall.store.load(hall.stream, false).expect("loaded").state;
        let player = state.at_table(1, 1).expect("a table").seats()[0].player;
        let (player, reason) = (format!("#{player}"), "a marked deck".to_string());
        hall.order(Disqualify { player, reason });
        let html = page(&hall.looked(), View::default()).expect("a page");
        assert!(html.contains("data-own-table=\"1\""), "{html}");
        assert!(!html.contains("corrected") && !html.contains("data-overruled"), "{html}");
    }

    /// Who won by `w-l no-show`, as the page and the button had it, had no game: 33% where `2-0 no-show` gives 100%.
    #[test]
    fn who_wins_by_no_show_has_the_games_of_a_clean_win_where_games_count() {
        use super::super::kit::under;
        use scrutineer_desk::orders::{Drop, Person};
        for (rules, slip) in [("mtr", "2-0 no-show"), ("pokemon", "w-l no-show")] {
            let people = ["Ann", "Bob", "Cid", "Dee"];
            let people = people.map(|name| Person { name: name.into(), ..Person::default() });
            let hall = under(rules, &[], people.to_vec());
            hall.order(Pair::default());
            hall.order(Publish {});
            let html = page(&hall.looked(), View::default()).expect("a page");
            assert!(html.contains(&format!("<kbd>12 {slip}</kbd>")), "{rules}: {html}");
            let state = || hall.store.load(hall.stream, false).expect("loaded").state;
            let absent = state().at_table(1, 1).expect("a table").seats()[1].player;
            hall.order(Drop { player: format!("#{absent}"), no_show: true });
            let result = state().at_table(1, 1).expect("a table").to_result().expect("a result");
            assert_eq!(write_slip(&result), slip, "{rules}: the hint and the button are one");
        }
    }

    #[test]
    fn how_many_slips_are_ones_own_is_a_number_to_count_a_pile_by() {
        let hall = hall();
        let html = || page(&hall.looked(), View::default()).expect("a page");
        assert!(html().contains("data-pile>1</b>"), "{}", html());
        hall.slip("1 2-0");
        assert!(html().contains("data-pile>2</b>"), "{}", html());
    }

    /// After its slip was undone and the page was loaded again, nothing here showed that a player had dropped.
    #[test]
    fn a_drop_is_a_line_of_its_own_with_its_undo_whatever_becomes_of_the_slip_it_came_with() {
        use scrutineer_desk::orders::{Drop, Undo};
        let hall = hall();
        let state = || hall.store.load(hall.stream, false).expect("loaded").state;
        let undo = |seq| hall.order(Undo { seq: Some(seq), ..Undo::default() });
        hall.slip("1 2-0");
        let slip = state().head();
        let player = state().at_table(1, 1).expect("a table").seats()[0].player;
        hall.order(Drop { player: format!("#{player}"), no_show: false });
        let drop = state().head();
        let html = || page(&hall.looked(), View::default()).expect("a page");
        let list = || {
            let html = html();
            let (_, list) = html.split_once("data-own>").expect("a list");
            list.split("</tbody>").next().unwrap_or_default().to_string()
        };
        let is_first = |list: &str| {
            list.starts_with(&format!("<tr data-seq=\"{drop}\">"))
                && list.contains("drops</td>")
                && list.contains(&format!("name=\"seq\" value=\"{drop}\""))
        };
        assert!(is_first(&list()), "the newest: {}", list());
        assert!(html().contains("data-pile>2</b>"), "it is no slip of the pile: {}", html());
        let second = View { check: Some(2), ..View::default() };
        let second = page(&hall.looked(), second).expect("a page");
        assert!(second.contains("Slip 2 of 2: table 1, 2–0"), "{second}");
        undo(slip);
        assert!(is_first(&list()) && !list().contains("data-own-table=\"1\""), "{}", list());
        let on_desk = || {
            let desk = super::super::desk::page(&hall.looked()).expect("a page");
            let (_, last) = desk.split_once("Last entered").expect("a list");
            let last = last.split("</table>").next().unwrap_or_default();
            last.contains("drops</td>") && last.contains(&format!("name=\"seq\" value=\"{drop}\""))
        };
        assert!(on_desk());
        undo(drop);
        assert!(!list().contains("drops") && !on_desk(), "{}", list());
    }

    #[test]
    fn what_was_refused_stays_in_the_field() {
        let hall = hall();
        let mut looked = hall.looked();
        looked.said.why = Some("best of 3 cannot end 3-0".into());
        looked.said.typed = Some("1 3-0".into());
        let html = page(&looked, View::default()).expect("a page");
        assert!(html.contains("value=\"1 3-0\""));
        assert!(html.contains("best of 3 cannot end 3-0"));
        looked.said.hint = Some("`scrutineer pairings` names them".into());
        let html = page(&looked, View::default()).expect("a page");
        assert!(!html.contains("scrutineer pairings"), "there is no such thing on a page");
    }

    #[test]
    fn a_result_that_another_one_corrected_stands_beside_what_was_entered() {
        use scrutineer_desk::orders::Correct;
        let hall = hall();
        let others =
            scrutineer_desk::asker::Asker { person: Some("Hedda".into()), ..hall.asker.clone() };
        let wrong =
            Correct { slip: "2 0-2".into(), reason: "misread".into(), ..Correct::default() };
        let told = scrutineer_desk::orders::record(
            &others,
            &hall.store,
            hall.stream,
            scrutineer_desk::desk::Asked::default(),
            &wrong.into(),
        );
        told.0.unwrap_or_else(|error| panic!("{}", error.told()));
        let html = page(&hall.looked(), View::default()).expect("a page");
        let own = html.split("data-own>").nth(1).expect("a list");
        assert!(own.contains("0–2 <s>2–0</s>") || own.contains("data-overruled"), "{own}");
    }
}
