//! The players: who takes part, enrolling them, and what becomes of each.

use super::called::round_within;
use super::frame::{Frame, Tab};
use super::own_course::own_course;
use super::{Looked, Person, render};
use crate::gate::may_take_back;
use crate::house::PlayerLinks;
use askama::Template;
use scrutineer_desk::desk::is_fixed;
use scrutineer_desk::horizon::last_out;
use scrutineer_desk::orders::{When, players};
use scrutineer_desk::store::known::{Known, known, regulars};
use scrutineer_desk::verb_error::VerbError;
use scrutineer_engine::event::{Event, PenaltyKind, PlayerCheckedIn, PlayerNumber, Seq};
use scrutineer_engine::names::{folded, is_sought, listed, sought};
use scrutineer_engine::tournament::{Player, Tournament};
use scrutineer_pairing::running_phase;
use scrutineer_projections::counted;
use scrutineer_projections::divisions::divisions;
use scrutineer_projections::ruleset::RoundKind;
use scrutineer_replay::loaded::{short_id, text_or};
use serde::Deserialize;
use serde_json::{Value, json};
use std::collections::BTreeMap;

#[derive(Template)]
#[template(path = "players.html")]
struct PlayersPage {
    frame: Frame,
    groups: Vec<Group>,
    about: String,
    round: u16,
    /// The same within a sentence.
    called: String,
    /// The round that is paired next.
    next_round: u16,
    /// What a round that somebody missed counts as by the rules.
    missed: &'static str,
    /// Whether it is run here: then people come in, and byes and tables are kept for its pairings.
    open: bool,
    /// Whether it goes on, here or in another program beside which it is followed: then people leave, have links,
    /// and are penalized here.
    runs: bool,
    /// Whether somebody who comes now can join what is played.
    is_joined: bool,
    /// Whether a bracket is played: nobody has a bye in it by asking for one.
    in_bracket: bool,
    chosen: Option<Chosen>,
    /// What is looked for among the names, where there are more players than a window shows; none: there are few.
    search: Option<String>,
    with_ratings: bool,
    /// Whether somebody has an id with the publisher.
    with_ids: bool,
    show: &'static str,
    shown: Vec<(&'static str, &'static str)>,
    typed: String,
    known: Vec<KnownShown>,
    regulars: Vec<KnownShown>,
    lists: [String; 2],
    like: Option<(String, String)>,
    /// The divisions that there are.
    divisions: Vec<String>,
    /// Whether a division was refused that is nearly called like another.
    asks_division: bool,
    /// Whether titles and federations are asked for: in chess, and where somebody has one.
    asks_titles: bool,
}

/// Which players are shown, by the word of the query.
const SHOWN: [(&str, &str); 4] =
    [("", "All"), ("here", "Taking part"), ("no-table", "Without a table"), ("left", "Left")];

/// What the page shows.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(default)]
pub struct View {
    /// The player whose actions stand beside the list.
    pub player: Option<PlayerNumber>,
    /// Which players are shown, by a word of [`SHOWN`].
    pub show: Option<String>,
    /// Part of the names that are looked for.
    pub search: String,
    /// The beginning of a name of somebody who played before, or the name of somebody who did not.
    pub name: Option<String>,
    /// The tournament whose players are offered.
    pub like: Option<String>,
    /// What was refused as a list of names, and as a table.
    pub lists: [String; 2],
}

/// Somebody who played before.
pub struct KnownShown {
    /// Their name.
    pub name: String,
    /// Their id with the publisher.
    pub id: String,
    /// When and how often.
    pub about: String,
    /// What tells them from another one of their name in the list, where there is one.
    pub apart: String,
    /// The rating that a regular had; empty: none.
    pub rating: String,
    /// Their division; empty: none.
    pub division: String,
    /// Their title; empty: none.
    pub title: String,
    /// Their federation; empty: none.
    pub federation: String,
}

impl KnownShown {
    /// Somebody as pages show them.
    fn of(one: Known) -> KnownShown {
        let day = one.held_on.map_or(String::new(), |day| format!(" on {day}"));
        let more = match one.tournaments {
            0 | 1 => String::new(),
            many => format!(", {many} tournaments"),
        };
        let [title, federation] = one.described.map(Option::unwrap_or_default);
        KnownShown {
            title,
            federation,
            about: format!("last in {}{day}{more}", one.last),
            name: one.name,
            id: one.id.unwrap_or_default(),
            apart: one.number.map_or(String::new(), |number| format!("player {number} there")),
            rating: one.rating.map_or(String::new(), |rating| rating.to_string()),
            division: one.division.unwrap_or_default(),
        }
    }
}

/// How many players are found by looking.
const FEW: usize = 16;
/// How many people are offered.
const OFFERED: usize = 8;

/// Returns who played here before under a name that begins like this, for the field that completes it.
///
/// # Errors
/// Where the store cannot be read.
pub fn known_json(at: &Looked<'_>, typed: &str) -> Result<Value, VerbError> {
    let found = known(at.store, at.stream, typed, OFFERED)?.into_iter().map(KnownShown::of);
    let one = |one: KnownShown| {
        let id = Some(one.id).filter(|id| !id.is_empty());
        let [rating, title, federation] = [one.rating, one.title, one.federation];
        json!({
            "name": one.name, "id": id, "about": one.about,
            "rating": rating, "title": title, "federation": federation,
        })
    };
    Ok(json!({ "people": found.map(one).collect::<Vec<_>>() }))
}

struct Group {
    title: String,
    rows: Vec<Row>,
}

struct Row {
    player: Person,
    rating: String,
    record: String,
    notes: Vec<String>,
    /// Which penalties they have, and how many.
    penalties: Vec<String>,
    is_out: bool,
    without_table: bool,
    is_here: bool,
    is_chosen: bool,
    link: LinkState,
    /// Whether they wish to drop.
    wishes: bool,
}

/// How the link of a player stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum LinkState {
    /// They have none.
    None,
    /// It was made, and nobody has opened it.
    Made,
    /// A device is bound to it.
    Bound,
}

struct Chosen {
    player: Person,
    bare: String,
    division: String,
    title: String,
    federation: String,
    /// Their rating; empty: none.
    rating: String,
    /// Their id with the publisher; empty: none.
    id: String,
    /// The table that they keep; empty: none.
    table: String,
    state: String,
    /// Their penalties that stand.
    penalties: String,
    namesakes: Vec<Person>,
    /// How many there are beside them.
    more_namesakes: usize,
    is_out: bool,
    /// Whether they play no more anyway: they are not in the cut, or out of their bracket.
    plays_no_more: bool,
    is_disqualified: bool,
    /// How everybody may see the name, and by how much they wish to be shown.
    shown: Vec<(&'static str, &'static str, bool)>,
    is_here: bool,
    /// The event that says they are here, where whoever looks may take it back and nobody is paired yet.
    taken_back_by: Option<Seq>,
    link: LinkState,
    wishes: bool,
}

fn row(value: &Value, chosen: Option<PlayerNumber>) -> Option<Row> {
    let player = Person::read(value)?;
    let number = |key: &str| value[key].as_u64().unwrap_or(0);
    let mut notes = Vec::new();
    if let Some(why) = value["dropped"].as_str() {
        let after = number("after_round");
        notes.push(match after {
            0 => why.to_string(),
            after => format!("{why} after round {after}"),
        });
    }
    if number("from_round") > 1 {
        let from = if value["dropped"].is_null() { "plays from" } else { "from" };
        notes.push(format!("{from} round {}", number("from_round")));
    }
    if number("byes") > 0 {
        notes.push(counted(number("byes") as usize, "bye"));
    }
    notes.extend(value["keeps_table"].as_u64().map(|table| format!("keeps table {table}")));
    let asked = value["byes_requested"].as_array().into_iter().flatten();
    notes.extend(asked.filter_map(|bye| {
        Some(format!("{} in round {}", bye["kind"].as_str()?, bye["round"].as_u64()?))
    }));
    let words = ["title", "federation", "division"];
    notes.extend(words.iter().filter_map(|word| value[*word].as_str().map(str::to_string)));
    Some(Row {
        is_chosen: chosen == Some(player.number),
        player,
        rating: value["rating"].as_i64().map_or(String::new(), |rating| rating.to_string()),
        record: record(value),
        notes,
        penalties: Vec::new(),
        is_out: !value["dropped"].is_null(),
        is_here: value["checked_in"].as_bool() == Some(true),
        link: LinkState::None,
        wishes: false,
        without_table: value["without_table"].as_bool() == Some(true),
    })
}

/// The penalties that stand, by player: each kind once with how many there are.
fn penalized(state: &Tournament) -> BTreeMap<PlayerNumber, Vec<String>> {
    const KINDS: [PenaltyKind; 3] =
        [PenaltyKind::Warning, PenaltyKind::GameLoss, PenaltyKind::MatchLoss];
    let mut counts: BTreeMap<PlayerNumber, [usize; 3]> = BTreeMap::new();
    for one in state.penalties().iter().filter(|one| !one.withdrawn) {
        if let Some(at) = KINDS.iter().position(|kind| *kind == one.kind) {
            counts.entry(one.player).or_default()[at] += 1;
        }
    }
    let told = |(kind, count): (PenaltyKind, usize)| match (count, kind) {
        (0, _) => None,
        (1, kind) => Some(kind.to_string()),
        (many, PenaltyKind::Warning) => Some(format!("{many} warnings")),
        (many, kind) => Some(format!("{many} {kind}es")),
    };
    let all = |counts: [usize; 3]| KINDS.into_iter().zip(counts).filter_map(told).collect();
    counts.into_iter().map(|(player, counts)| (player, all(counts))).collect()
}

/// What a player of an answer won, lost and drew.
pub fn record(player: &Value) -> String {
    let record = &player["record"];
    let part = |key: &str| record[key].as_u64().unwrap_or(0);
    match record.is_null() {
        true => String::new(),
        false => format!("{}–{}–{}", part("wins"), part("losses"), part("draws")),
    }
}

/// How many players of the same first name are named where one of them leaves.
const NAMESAKES: usize = 3;

/// The first word of a name, by which somebody is called across a room.
fn called(name: &str) -> String {
    name.split_whitespace().next().unwrap_or_default().to_lowercase()
}

/// The players of a tournament, and one of them with what can be done.
///
/// # Errors
/// Where the store cannot be read.
pub fn page(at: &Looked<'_>, view: &View, links: &PlayerLinks) -> Result<String, VerbError> {
    let event = at.load()?;
    let player = view.player;
    let wishes: std::collections::BTreeSet<_> = at.floor.waiting_wishes(&event.state).collect();
    let out = last_out(&event.state).filter(|_| !at.sees_drafts());
    let when = When { out, ..When::default() };
    let answer = at.answer(|desk| players(desk, &when))?;
    let rows = answer["players"].as_array().into_iter().flatten();
    let mut rows: Vec<Row> = rows.filter_map(|value| row(value, player)).collect();
    let mut penalties = penalized(&event.state);
    for row in &mut rows {
        row.penalties = penalties.remove(&row.player.number).unwrap_or_default();
        row.wishes = wishes.contains(&row.player.number);
        row.link = match links.get(&row.player.number) {
            None => LinkState::None,
            Some(link) if link.is_bound() => LinkState::Bound,
            Some(_) => LinkState::Made,
        };
    }
    rows.sort_by_cached_key(|row| listed(&row.player.name));
    let round = event.state.last_round().map_or(0, |round| round.number);
    let rules = super::rules_of(&event, None)?;
    let chosen = rows.iter().find(|row| row.is_chosen).map(|row| {
        let own = event.state.player(row.player.number);
        let described = own.map(|own| event.described(own)).unwrap_or_default();
        let [title, federation] = described.map(Option::unwrap_or_default);
        let bare = own.map_or(String::new(), |own| text_or(&event.book, &own.name, ""));
        let same = |other: &&Row| !other.is_chosen && called(&other.player.name) == called(&bare);
        Chosen {
            player: row.player.clone(),
            penalties: row.penalties.join(", "),
            state: match (row.is_out, row.without_table) {
                (true, _) => row.notes.join(", "),
                (false, true) => "here, without a table".into(),
                (false, false) => {
                    let to_come = event
                        .state
                        .byes_to_come()
                        .filter(|(_, bye)| bye.player == row.player.number);
                    let mut words = vec!["takes part".to_string()];
                    words.extend((row.is_here && round == 0).then(|| "here".to_string()));
                    words.extend(
                        to_come.map(|(_, bye)| format!("{} in round {}", bye.kind, bye.round)),
                    );
                    words.join(", ")
                }
            },
            more_namesakes: rows.iter().filter(same).count().saturating_sub(NAMESAKES),
            namesakes: rows
                .iter()
                .filter(same)
                .take(NAMESAKES)
                .map(|row| row.player.clone())
                .collect(),
            is_out: row.is_out,
            plays_no_more: own_course(&event.state, &rules, row.player.number, round, u64::MAX)
                .is_over(),
            is_here: row.is_here,
            taken_back_by: event
                .state
                .checked_in_at(row.player.number)
                .filter(|_| round == 0 && may_take_back(at.role, [&is_here(row.player.number)])),
            link: row.link,
            wishes: row.wishes,
            shown: {
                let wish = at.policy.wishes.get(&row.player.number).copied();
                super::policies::choices(wish.unwrap_or_default())
            },
            division: own.and_then(|own| own.division.clone()).unwrap_or_default(),
            title,
            federation,
            rating: row.rating.clone(),
            id: own
                .and_then(|own| own.publisher_id)
                .map_or(String::new(), |id| text_or(&event.book, &id, "")),
            table: event
                .state
                .kept_table(row.player.number)
                .map_or(String::new(), |one| one.to_string()),
            is_disqualified: row.notes.iter().any(|note| note.starts_with("disqualified")),
            bare,
        }
    });
    let with_ratings = rows.iter().any(|row| !row.rating.is_empty());
    let has_id = |one: &Player| !one.withdrawn && one.publisher_id.is_some();
    let with_ids = event.state.players().iter().any(has_id);
    let all = rows.len();
    let (out, here): (Vec<Row>, Vec<Row>) = rows.into_iter().partition(|row| row.is_out);
    let (without, here): (Vec<Row>, Vec<Row>) = here.into_iter().partition(|r| r.without_table);
    let checked = here.iter().chain(&without).filter(|row| row.is_here).count();
    let about = match out.len() {
        0 => format!("{all} enrolled"),
        gone => format!("{} of {all} take part, {gone} left", all - gone),
    };
    let about = match checked {
        0 => about,
        checked => format!("{about}, {checked} checked in"),
    };
    let bound = here.iter().chain(&without).filter(|row| row.link == LinkState::Bound).count();
    let about = match bound {
        0 => about,
        bound => format!("{about}, {bound} with a phone"),
    };
    let show = view.show.as_deref().unwrap_or_default();
    let show = SHOWN.iter().map(|(word, _)| *word).find(|word| *word == show).unwrap_or("");
    let wanted = sought(&view.search);
    let is_wanted = |row: &Row| is_sought(&row.player.name, &wanted);
    let groups = [
        ("no-table", "Without a table", without),
        ("here", "Taking part", here),
        ("left", "Left", out),
    ];
    let groups = groups.map(|(word, title, mut rows)| {
        rows.retain(is_wanted);
        (word, title, rows)
    });
    let groups = groups.into_iter().filter(|(word, _, rows)| {
        // Who has no table takes part too.
        !rows.is_empty()
            && (show.is_empty() || show == *word || show == "here" && *word == "no-table")
    });
    let groups = groups.map(|(_, title, rows)| (title, rows));
    let typed = view.name.as_deref().map(str::trim).unwrap_or_default();
    let like = view.like.as_deref().filter(|like| !like.is_empty());
    let like = like.map(|like| at.store.find(Some(like))).transpose()?;
    let here = event.state.players().iter().filter(|player| !player.withdrawn);
    let mut here: Vec<String> = here.map(|player| folded(&event.name(player.number))).collect();
    let offered = like.map(|stream| regulars(at.store, stream)).transpose()?.unwrap_or_default();
    // One who is here takes one of their name from the list, and not all of them.
    let is_here = |name: &String, here: &mut Vec<String>| {
        let name = folded(name);
        here.iter().position(|one| *one == name).map(|at| here.swap_remove(at)).is_some()
    };
    let offered: Vec<_> =
        offered.into_iter().filter(|one| !is_here(&one.name, &mut here)).collect();
    let mut offered: Vec<KnownShown> = offered.into_iter().map(KnownShown::of).collect();
    let names: Vec<String> = offered.iter().map(|one| one.name.clone()).collect();
    for one in &mut offered {
        if names.iter().filter(|name| **name == one.name).count() < 2 {
            one.apart.clear();
        }
    }
    let phase = running_phase(&event.state);
    // FIDE's rulesets, and those that build on one of them.
    let is_chess = rules.files.iter().any(|file| file.name.starts_with("fide-"));
    let has_one = |player: &Player| player.title.is_some() || player.federation.is_some();
    let asks_titles = is_chess || event.state.players().iter().any(has_one);
    let mut frame =
        Frame::of(at, &event, Tab::Players, "players").script("combo.js").script("signup.js");
    frame.message = frame.message.or_else(|| super::policies::kept(at, &event));
    render(&PlayersPage {
        frame,
        groups: groups.map(|(title, rows)| Group { title: title.into(), rows }).collect(),
        about,
        search: (all > FEW || !view.search.is_empty()).then(|| view.search.clone()),
        missed: missed(rules.missing.late),
        round,
        called: round_within(&event.state, round),
        next_round: event.state.next_round_number(),
        is_joined: !phase.is_some_and(is_fixed),
        in_bracket: phase.is_some_and(|phase| phase.kind.is_bracket()),
        open: !event.state.is_closed() && event.state.imported().is_none(),
        runs: !event.state.is_closed()
            && (event.state.imported().is_none() || at.other_program.is_some()),
        chosen,
        with_ratings,
        with_ids,
        show,
        shown: SHOWN.to_vec(),
        known: known(at.store, at.stream, typed, OFFERED)?
            .into_iter()
            .map(KnownShown::of)
            .collect(),
        typed: typed.to_string(),
        lists: view.lists.clone(),
        divisions: divisions(&event.state).into_iter().map(str::to_string).collect(),
        asks_titles,
        asks_division: at.said.refused.as_deref() == Some("division-alike"),
        regulars: offered,
        like: match like {
            Some(stream) => Some((short_id(stream), at.store.summary(stream)?.title)),
            None => None,
        },
    })
}

/// That a player is here, as the log has it.
fn is_here(player: PlayerNumber) -> Event {
    PlayerCheckedIn { player }.into()
}

/// A round that somebody missed before they came, as the rules count it.
fn missed(late: Option<RoundKind>) -> &'static str {
    match late {
        None => "they count as nothing",
        Some(RoundKind::AwardedLoss | RoundKind::ForfeitLoss) => "a loss each",
        Some(RoundKind::HalfBye) => "a half bye each",
        Some(RoundKind::ZeroBye) => "a bye each that is worth nothing",
        Some(_) => "a bye each",
    }
}

#[cfg(test)]
mod tests {
    use super::super::kit::{HTML, Hall, enrolled, hall, of_chess};
    use super::*;

    fn of(player: Option<PlayerNumber>) -> View {
        View { player, ..View::default() }
    }

    #[test]
    fn who_comes_late_in_chess_may_have_half_a_point_for_each_round_missed() {
        let html =
            |hall: Hall| page(&hall.looked(), &of(None), &PlayerLinks::new()).expect("a page");
        let choice = "name=\"missed\" value=\"half_byes\"";
        assert!(html(of_chess()).contains(choice));
        assert!(!html(hall()).contains(choice));
    }

    /// Their record was empty where standings said it.
    #[test]
    fn who_was_disqualified_has_the_record_of_the_standings() {
        use super::super::standings::{Table, View as Standing};
        let hall = hall();
        hall.all_in();
        let reason = "stacked the deck".to_string();
        hall.order(scrutineer_desk::orders::Disqualify { player: "#2".into(), reason });
        let asked = Standing::default().asked(&hall.looked()).expect("standings");
        let own = &Table::of(&asked, crate::language::Language::English).out[0].record;
        assert!(["1–0–0", "0–1–0"].contains(&own.as_str()), "{own}");
        let html = page(&hall.looked(), &of(None), &PlayerLinks::new()).expect("a page");
        let row = html.split("<tr").find(|row| row.contains("players?player=2\""));
        assert!(row.is_some_and(|row| row.contains(&format!(">{own}</td>"))), "{html}");
    }

    /// A judge was shown the whole sign-up, typed a name, and was refused.
    #[test]
    fn whoever_looks_is_offered_what_they_may_do_and_nothing_else() {
        use crate::gate::Role;
        let offered = |hall: &Hall, role: Role| {
            let looked = super::super::Looked { role, ..hall.looked() };
            let html = page(&looked, &of(Some(1)), &PlayerLinks::new()).expect("a page");
            let is_there = |verb: &&str| html.contains(&format!("name=\"order\" value=\"{verb}\""));
            let verbs = ["enroll", "late", "drop", "check-in", "rename", "penalty", "bye"];
            verbs.into_iter().filter(is_there).collect::<Vec<_>>()
        };
        let before = enrolled();
        assert_eq!(offered(&before, Role::Judge), [""; 0]);
        assert_eq!(offered(&before, Role::Helper), ["enroll", "drop", "check-in", "rename"]);
        let later = hall();
        assert_eq!(offered(&later, Role::Judge), ["penalty"]);
        assert_eq!(offered(&later, Role::Helper), ["late", "drop", "check-in", "rename"]);
        let all = ["late", "drop", "check-in", "rename", "penalty", "bye"];
        assert_eq!(offered(&later, Role::Scorekeeper), all);
    }

    /// The desk read "no table from round 2", which is the opposite of what it means.
    #[test]
    fn who_came_late_is_said_to_play_from_the_next_round() {
        use scrutineer_desk::orders::{Enroll, Person as Entry};
        let hall = hall();
        let entry = Entry { name: "Gus Gray".into(), ..Entry::default() };
        hall.order(Enroll { people: vec![entry], ..Enroll::default() });
        let html = page(&hall.looked(), &of(None), &PlayerLinks::new()).expect("a page");
        assert!(html.contains("no table</span> plays from round 2"), "{html}");
    }

    /// Two judges gave the same player a warning for the same thing: none saw that there was one already.
    #[test]
    fn penalties_stand_beside_their_player_and_those_taken_back_do_not() {
        use scrutineer_desk::orders::{Penalty, Takes, Undo};
        let hall = hall();
        let give = |takes: Takes| {
            let (takes, player, reason) = (Some(takes), "#5".to_string(), "slow play".to_string());
            hall.order(Penalty { player, takes, reason, ..Penalty::default() });
        };
        let html = || page(&hall.looked(), &of(Some(5)), &PlayerLinks::new()).expect("a page");
        assert!(!html().contains("class=\"tag fixed\""));
        [Takes::Warning, Takes::Warning, Takes::GameLoss].into_iter().for_each(give);
        assert!(html().contains("<span class=\"tag fixed\">2 warnings, game loss</span>"));
        assert!(html().contains("<dt>Penalties</dt><dd>2 warnings, game loss"), "{}", html());
        hall.order(Undo::default());
        assert!(html().contains("<span class=\"tag fixed\">2 warnings</span>"), "{}", html());
    }

    /// Who was checked in by mistake could be taken back in the log alone, once something else was done.
    #[test]
    fn who_is_here_says_so_and_is_not_here_after_all_by_a_button_until_somebody_is_paired() {
        use scrutineer_desk::orders::{CheckIn, Pair, Undo};
        let hall = enrolled();
        let html = || page(&hall.looked(), &of(Some(1)), &PlayerLinks::new()).expect("a page");
        let back = "is not here after all</button>";
        assert!(html().contains("value=\"check-in\"") && !html().contains(back));
        for player in ["#1", "#2"] {
            hall.order(CheckIn { player: player.into() });
        }
        let seq = hall.store.load(hall.stream, false).expect("loaded").state.checked_in_at(1);
        let named = format!("name=\"seq\" value=\"{}\"", seq.expect("here"));
        let here = html();
        assert!(here.contains("<dd>takes part, here</dd>") && here.contains(back), "{here}");
        assert!(here.contains(&named) && !here.contains("value=\"check-in\""), "{here}");
        hall.order(Undo { seq, ..Undo::default() });
        assert!(html().contains("value=\"check-in\"") && !html().contains(back));
        hall.order(CheckIn { player: "#1".into() });
        hall.order(Pair::default());
        assert!(!html().contains(back), "who is paired is dropped");
    }

    /// The handbook said that names and divisions are put right in a closed tournament too, and its page
    /// offered neither.
    #[test]
    fn a_closed_tournament_offers_what_can_be_done_still() {
        use scrutineer_desk::orders::{Close, Describe, Rename, SetDivision};
        let hall = hall();
        hall.slip("1 2-0");
        hall.slip("3 2-0");
        hall.order(Close::default());
        let html = page(&hall.looked(), &of(Some(5)), &PlayerLinks::new()).expect("a page");
        let offered = |order: &str| html.contains(&format!("name=\"order\" value=\"{order}\""));
        assert!(offered("rename") && offered("set-division"), "{html}");
        for gone in ["drop", "bye", "penalty", "disqualify", "check-in", "late"] {
            assert!(!offered(gone), "{gone}: {html}");
        }
        let rename = Rename { player: "#5".into(), name: "Eva Ek".into(), ..Rename::default() };
        hall.order(rename);
        let (division, reason) = (Some("senior".to_string()), "born in 2001".to_string());
        hall.order(SetDivision { player: "#5".into(), division, reason, ..SetDivision::default() });
        let (title, federation) = (Some("FM".to_string()), Some("SWE".to_string()));
        hall.order(Describe { player: "#5".into(), title, federation, ..Describe::default() });
    }

    /// In the top 4 somebody who was not in it could be dropped, a bye be noted and somebody come late: each was
    /// refused, or said nothing.
    #[test]
    fn in_the_cut_nobody_comes_late_has_a_bye_or_drops_who_is_not_in_it() {
        use scrutineer_desk::orders::{Cut, Pair, Publish};
        let hall = hall();
        let html = |player| page(&hall.looked(), &of(Some(player)), &PlayerLinks::new());
        let html = |player| html(player).expect("a page");
        let offers = |html: &str| {
            ["late", "bye", "drop", "penalty", "disqualify"]
                .map(|verb| html.contains(&format!("name=\"order\" value=\"{verb}\"")))
        };
        assert_eq!(offers(&html(1)), [true; 5]);
        hall.all_in();
        hall.order(Cut { top: Some(4), ..Cut::default() });
        hall.order(Pair::default());
        hall.order(Publish {});
        let state = hall.store.load(hall.stream, false).expect("loaded").state;
        let through = &state.phases().last().expect("a cut").entrants;
        let other = state.players().iter().find(|one| !through.contains(&one.number));
        assert_eq!(offers(&html(through[0])), [false, false, true, true, true]);
        let other = other.expect("somebody is not in it").number;
        assert_eq!(offers(&html(other)), [false, false, false, true, true]);
    }

    #[test]
    fn who_comes_late_has_a_division_where_others_have() {
        use scrutineer_desk::orders::{Enroll, Person};
        let hall = hall();
        let late = || page(&hall.looked(), &of(None), &PlayerLinks::new()).expect("a page");
        assert!(!late().contains("late-division"));
        let division = Some("junior".to_string());
        let person = Person { name: "Yan".into(), division, ..Person::default() };
        hall.order(Enroll { people: vec![person], ..Enroll::default() });
        assert!(late().contains("id=\"late-division\"") && late().contains("value=\"junior\">"));
    }

    /// A division that is nearly called like another one was asked about at the command line alone: on the page
    /// somebody who came late could not be the first of a new one.
    #[test]
    fn who_comes_late_may_be_the_first_of_a_division_that_is_nearly_called_like_another() {
        use scrutineer_desk::orders::{Enroll, Person};
        let hall = hall();
        let division = Some("junior".to_string());
        let person = Person { name: "Yan".into(), division, ..Person::default() };
        hall.order(Enroll { people: vec![person], ..Enroll::default() });
        let late = |refused: Option<&str>| {
            let mut looked = hall.looked();
            looked.said.refused = refused.map(str::to_string);
            page(&looked, &of(None), &PlayerLinks::new()).expect("a page")
        };
        let typed = "<input type=\"text\" id=\"late-division\" name=\"division\"";
        assert!(late(None).contains(typed) && !late(None).contains("name=\"new_division\""));
        assert!(late(Some("division-alike")).contains("name=\"new_division\" value=\"true\""));
    }

    /// A desk of a card game has no boxes for what nobody there has.
    #[test]
    fn a_player_is_found_among_many_by_part_of_their_name() {
        use super::super::kit::with_people;
        use scrutineer_desk::orders::Person as Enrolled;
        let people =
            (0..30).map(|at| Enrolled { name: format!("Player {at}"), ..Enrolled::default() });
        let hall = with_people(&[], people.collect());
        let html = |search: &str| {
            let view = View { search: search.into(), ..View::default() };
            page(&hall.looked(), &view, &PlayerLinks::default()).expect("a page")
        };
        let rows = |html: &str| html.matches("?player=").count();
        assert_eq!((rows(&html("")), rows(&html(" PLÅYER  17"))), (30, 1));
        assert!(html("nobody").contains("No player is called so."));
    }

    #[test]
    fn titles_and_federations_are_asked_for_in_chess_and_where_somebody_has_one() {
        use scrutineer_desk::orders::Describe;
        let hall = enrolled();
        let html = || page(&hall.looked(), &of(Some(1)), &PlayerLinks::new()).expect("a page");
        assert!(!html().contains("one-title") && !html().contains("value=\"describe\""));
        let (title, federation) = (Some("WGM".to_string()), Some("SWE".to_string()));
        hall.order(Describe { player: "#1".into(), title, federation, ..Describe::default() });
        let html = html();
        assert!(html.contains("id=\"one-title\"") && html.contains("id=\"one-federation\""));
        assert!(
            html.contains("name=\"title\" value=\"WGM\"") && html.contains("WGM, SWE"),
            "{html}"
        );
    }

    /// A rating or an id that was entered wrongly could not be put right any more once somebody had played.
    #[test]
    fn a_rating_and_an_id_are_put_right_where_somebody_has_one() {
        use scrutineer_desk::orders::{Describe, Enroll, Person};
        let hall = enrolled();
        let html = || page(&hall.looked(), &of(Some(7)), &PlayerLinks::new()).expect("a page");
        let (name, rating, id) = ("Gus Gray".to_string(), Some(1876), Some("1460".to_string()));
        let person = Person { name, rating, id, ..Person::default() };
        hall.order(Enroll { people: vec![person], ..Enroll::default() });
        let before = html();
        assert!(before.contains("<summary>Rating and id…</summary>"), "{before}");
        assert!(!before.contains("id=\"title\""), "{before}");
        assert!(before.contains("name=\"rating\" size=\"6\" value=\"1876\""), "{before}");
        assert!(before.contains("name=\"id\" value=\"1460\""), "{before}");
        let (player, rating, id) = ("#7".into(), Some("1912".into()), Some("14600123".into()));
        hall.order(Describe { player, rating, id, ..Describe::default() });
        let after = html();
        assert!(after.contains("value=\"1912\"") && after.contains("value=\"14600123\""));
    }

    #[test]
    fn who_left_is_shown_alone_where_that_is_asked_for() {
        let hall = hall();
        let drop = scrutineer_desk::orders::Drop { player: "#5".into(), no_show: false };
        hall.order(drop);
        let show = |word: &str| {
            let view = View { show: Some(word.into()), ..View::default() };
            page(&hall.looked(), &view, &PlayerLinks::new()).expect("a page")
        };
        let rows = |html: &str| html.matches("players?player=").count();
        assert_eq!([rows(&show("")), rows(&show("here")), rows(&show("left"))], [6, 5, 1]);
        // Below "6 enrolled" an empty list said that nobody was enrolled.
        let empty = show("no-table");
        assert!(empty.contains("Nobody is in this list."), "{empty}");
        assert!(!empty.contains("Nobody is enrolled yet"), "{empty}");
    }

    #[test]
    fn who_played_before_is_offered_with_their_id_and_regulars_are_ticked_off() {
        let hall = enrolled();
        let new = scrutineer_desk::orders::New {
            title: "Last Friday".into(),
            rules: "mtr".into(),
            ..Default::default()
        };
        let (before, _) =
            scrutineer_desk::orders::open(&hall.asker, &hall.store, &new).expect("open");
        let named = [("Zoë Berg", Some("1204")), ("Ann Lee", None)];
        let people = named.map(|(name, id)| scrutineer_desk::orders::Person {
            name: name.into(),
            id: id.map(str::to_string),
            rating: id.map(|_| 1890),
            ..Default::default()
        });
        let order = scrutineer_desk::orders::Enroll { people: people.into(), ..Default::default() };
        let asked = scrutineer_desk::desk::Asked::default();
        let told =
            scrutineer_desk::orders::record(&hall.asker, &hall.store, before, asked, &order.into());
        told.0.expect("enrolled");
        let view = View { name: Some("ber".into()), ..View::default() };
        let html = page(&hall.looked(), &view, &PlayerLinks::new()).expect("a page");
        assert!(html.contains("name=\"id\" value=\"1204\""), "{html}");
        let json = known_json(&hall.looked(), "ber").expect("found");
        assert_eq!(
            (&json["people"][0]["id"], &json["people"][0]["rating"]),
            (&"1204".into(), &"1890".into())
        );
        let view = View { like: Some(before.to_string()), ..View::default() };
        let html = page(&hall.looked(), &view, &PlayerLinks::new()).expect("a page");
        assert!(html.contains("name=\"regular\" value=\"Zoë Berg\""), "{html}");
        assert!(!html.contains("name=\"regular\" value=\"Ann Lee\""), "she is here already");
    }

    #[test]
    fn a_name_that_is_html_is_only_shown() {
        let html = page(&enrolled().looked(), &of(Some(4)), &PlayerLinks::new()).expect("a page");
        assert!(!html.contains(HTML));
        assert!(html.contains("&#60;script&#62;alert(1)&#60;/script&#62; &#38; Co"), "{html}");
        assert!(!html.contains("Friday <b>"));
    }

    #[test]
    fn a_letter_with_a_mark_stands_beside_the_same_without() {
        let hall = enrolled();
        let people = ["Zoe Last", "Öztürk Can", "Olga Ost", "Pia Post"];
        let people = people.map(|name| scrutineer_desk::orders::Person {
            name: name.into(),
            ..Default::default()
        });
        hall.order(scrutineer_desk::orders::Enroll { people: people.into(), ..Default::default() });
        let html = page(&hall.looked(), &of(None), &PlayerLinks::new()).expect("a page");
        let at = ["Olga Ost", "Öztürk Can", "Pia Post", "Zoe Last"].map(|name| html.find(name));
        assert!(at.is_sorted() && at[0].is_some(), "{at:?}");
    }

    #[test]
    fn the_button_that_drops_says_who() {
        let html = page(&hall().looked(), &of(Some(1)), &PlayerLinks::new()).expect("a page");
        assert!(html.contains("Drop Ann Lee (1)?"));
        assert!(html.contains("<button class=\"sm\">Drop Ann Lee (1)</button>"), "{html}");
    }

    #[test]
    fn who_is_without_a_table_stands_in_a_group_of_their_own() {
        let hall = hall();
        hall.late("Kim Late");
        let html = page(&hall.looked(), &of(None), &PlayerLinks::new()).expect("a page");
        let group = html.find("Without a table").expect("the group");
        let kim = html.find("Kim Late").expect("named");
        let taking_part = html.find("Taking part, ").expect("the others");
        assert!(group < kim && kim < taking_part);
    }
}
