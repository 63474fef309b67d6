//! The XML in which OpenGotha keeps a tournament of Go.
//!
//! The organizer's address on the net and the number of their network card, which stand in it, are passed over.

mod write;

use super::build::{Oddities, Players, clean_name, day};
use super::by_round::ByRound;
use super::source::*;
use super::xml::{self, Element};
use super::{ByeAsked, Fault, File, ImportError, WriteError, Written, check, sheet};
use scrutineer_engine::event::{
    ByeKind, Day, How, MatchResult, PhaseKind, Ruling, Score, UnknownFact,
};
use std::collections::BTreeSet;

/// That XML.
pub(super) struct OpenGotha;

impl super::Format for OpenGotha {
    fn name(&self) -> &'static str {
        "opengotha xml"
    }

    fn ending(&self) -> &'static str {
        "xml"
    }

    fn detect(&self, file: &File) -> bool {
        const OWN: [&str; 6] = [
            "dataVersion",
            "fullVersionNumber",
            "gothaVersion",
            "externalIPAddress",
            "runningMode",
            "saveDT",
        ];
        let text = xml::text(file);
        let Some(text) = &text else { return false };
        let root = xml::root(text).filter(|root| root.name == "Tournament");
        root.is_some_and(|root| {
            let has = |(name, _): &(String, String)| OWN.contains(&name.as_str());
            root.attributes.iter().any(has) || text.contains("<TournamentParameterSet")
        })
    }

    fn read(&self, file: &File) -> Result<Source, ImportError> {
        xml::read(file, |root| read(file.name, root))
    }

    fn writes_into(&self) -> bool {
        true
    }

    fn write(&self, source: &Source, into: Option<&File>) -> Option<Result<Written, WriteError>> {
        Some(write::write(source, into))
    }
}

/// The rating of those of whom nobody said one: the lowest.
const NO_RATING: i32 = -900;

/// What is told once, with how often it stands in the file.
#[derive(Default)]
struct Counted {
    handicaps: usize,
    unknown_colours: usize,
    preliminary: usize,
}

fn read(name: &str, root: &Element<'_>) -> Result<Source, ImportError> {
    let general = root.child("TournamentParameterSet");
    let general = general.and_then(|set| set.child("GeneralParameterSet"));
    let said = |key: &str| general.and_then(|general| general.attribute(key));
    let (mut oddities, mut counted) = (Oddities::default(), Counted::default());
    let title = said("name").or(said("shortName")).map(str::to_owned);
    let title = title.unwrap_or_else(|| super::build::stem(name));
    let place = general.map_or_else(String::new, Element::place);
    let title = clean_name("the title", &title).map_err(|fault| fault.at(place.as_str()))?;
    let held_on = said("beginDate").and_then(held_on);
    let planned = said("numberOfRounds").and_then(|rounds| rounds.parse::<u16>().ok());
    let players = players(root, &mut counted, &mut oddities)?;
    let away = away(root, &players);
    let mut rounds = ByRound::default();
    for game in root.list("Games", "Game") {
        add_game(game, &players, &mut rounds, &mut counted, &mut oddities)?;
    }
    for bye in root.list("ByePlayers", "ByePlayer") {
        let player = known(bye, "player", &players)?;
        rounds.bye(number(bye, "roundNumber")?, player, ByeKind::Assigned, bye.place())?;
    }
    tell(root, &counted, &mut oddities);
    let placement = root.child("TournamentParameterSet");
    let placement = placement.and_then(|set| set.child("PlacementParameterSet"));
    if let Some(list) = placement.and_then(|set| set.child("PlacementCriteria")) {
        let names = list.all("PlacementCriterion").filter_map(|one| one.attribute("name"));
        let names: Vec<&str> = names.filter(|name| *name != "NULL").collect();
        tell_criteria(&list.place(), &names, &mut oddities);
    }
    if let Some(value) = said("genNBW2ValueBye").filter(|value| *value != "2") {
        oddities
            .add(&place, format!("A bye counts {value} half points here; it is read as a bye."));
    }
    let date = held_on.map_or_else(String::new, |day| format!(" {day}"));
    let mut source = of_games(players, rounds, planned.filter(|rounds| *rounds > 0), oddities)?;
    source.report.asked = absences(source.rounds().count(), source.planned_rounds, away);
    Ok(Source {
        platform: "opengotha".to_owned(),
        format: "opengotha xml".to_owned(),
        identity: format!("opengotha {title}{date}"),
        title,
        held_on,
        ..source
    })
}

/// What the games of a Go tournament say, whatever program wrote them.
pub(super) fn of_games(
    players: Players,
    rounds: ByRound,
    planned_rounds: Option<u16>,
    oddities: Oddities,
) -> Result<Source, ImportError> {
    let (rounds, is_open) = rounds.finish();
    if !rounds.is_empty() {
        check::rounds(&players, &rounds)?;
    }
    let games = rounds.iter().flat_map(|round| &round.tables);
    let scoresheet =
        sheet::games_sheet(Some(1), games.filter_map(|table| sheet::games_of(&table.result.score)));
    let mut unknown = vec![UnknownFact::SignUpOrder, UnknownFact::Times];
    if rounds.iter().flat_map(|round| &round.tables).any(|table| table.table.is_none()) {
        unknown.push(UnknownFact::Tables);
    }
    unknown.push(UnknownFact::Drops);
    Ok(Source {
        rules: Some("go".to_owned()),
        planned_rounds,
        finished: !is_open
            && !rounds.is_empty()
            && planned_rounds.is_none_or(|all| usize::from(all) <= rounds.len()),
        scoresheet,
        phases: phases(PhaseKind::Swiss, players.list.len(), rounds),
        players: players.list,
        unknown,
        oddities: oddities.finish(),
        ..Source::default()
    })
}

/// The only phase; none where nobody takes part.
pub(super) fn phases(
    kind: PhaseKind,
    players: usize,
    rounds: Vec<SourceRound>,
) -> Vec<SourcePhase> {
    let entrants: Vec<usize> = (0..players).collect();
    let phase = SourcePhase { kind, entrants, seeded: false, rounds };
    [phase].into_iter().filter(|_| players > 0).collect()
}

/// The first day; what stands there where nobody said one is long ago.
pub(super) fn held_on(text: &str) -> Option<Day> {
    day(text).filter(|day| day.year > 1901)
}

/// How games and byes name a player: in capitals, without blanks.
fn key(name: &str) -> String {
    name.to_uppercase().chars().filter(|c| !c.is_whitespace()).collect()
}

/// What a player is known by here: where Turkish is spoken an i becomes another capital.
fn read_key(name: &str) -> String {
    key(name).replace('İ', "I")
}

/// Rounds to come, up to the last that is planned, of which a player says to be away.
pub(super) fn absences(
    paired: usize,
    planned: Option<u16>,
    away: impl IntoIterator<Item = (usize, Vec<u16>)>,
) -> Vec<ByeAsked> {
    let is_to_come = |round: &u16| {
        usize::from(*round) > paired && planned.is_some_and(|planned| *round <= planned)
    };
    let asked = away.into_iter().flat_map(|(player, mut rounds)| {
        rounds.sort_unstable();
        rounds.dedup();
        rounds.retain(is_to_come);
        rounds.into_iter().map(move |round| ByeAsked { round, player, kind: ByeKind::Zero })
    });
    asked.collect()
}

/// The rounds of which each player says to be away: a character for each round.
fn away(root: &Element<'_>, players: &Players) -> Vec<(usize, Vec<u16>)> {
    let of = |one: &Element<'_>| {
        let part = |name| one.attribute(name).unwrap_or_default();
        let player = players.known(&read_key(&format!("{}{}", part("name"), part("firstName"))))?;
        let rounds = (1..).zip(part("participating").chars());
        Some((player, rounds.filter(|(_, is)| *is == '0').map(|(round, _)| round).collect()))
    };
    root.list("Players", "Player").filter_map(of).collect()
}

fn players(
    root: &Element<'_>,
    counted: &mut Counted,
    oddities: &mut Oddities,
) -> Result<Players, ImportError> {
    let games = root.list("Games", "Game");
    let games =
        games.flat_map(|game| ["whitePlayer", "blackPlayer"].map(|key| game.attribute(key)));
    let byes = root.list("ByePlayers", "ByePlayer").map(|bye| bye.attribute("player"));
    let named: BTreeSet<String> = games.chain(byes).flatten().map(read_key).collect();
    let mut players = Players::default();
    for one in root.list("Players", "Player") {
        let last = one.attribute("name").unwrap_or_default();
        let first = one.attribute("firstName").unwrap_or_default();
        let own = read_key(&format!("{last}{first}"));
        let is_preliminary = one.attribute("registeringStatus") == Some("PRE");
        if is_preliminary && !named.contains(&own) {
            counted.preliminary += 1;
            continue;
        }
        let name = match (last.is_empty(), first.is_empty()) {
            (false, false) => format!("{last}, {first}"),
            _ => format!("{last}{first}"),
        };
        let place = one.place();
        if players.known(&own).is_some() {
            let (round, other) = ("the list of players".to_owned(), "above".to_owned());
            return Err(Fault::TwiceInRound { player: name, round, other }.at(place));
        }
        let player = match name.is_empty() {
            true => players.add_named(players.list.len() + 1, &name, &place, oddities)?,
            false => players.add(&own, &name, &place)?,
        };
        let player = &mut players.list[player];
        player.rating = one
            .attribute("rating")
            .and_then(|rating| rating.parse().ok())
            .filter(|rating| *rating != NO_RATING);
        player.publisher_id = one.attribute("egfPin").map(str::to_owned);
        if let Some(id) = &player.publisher_id {
            clean_name("the EGF PIN", id).map_err(|fault| fault.at(place.as_str()))?;
        }
    }
    Ok(players)
}

fn known(of: &Element<'_>, attribute: &str, players: &Players) -> Result<usize, ImportError> {
    let name = needed(of, attribute)?;
    let unknown = || Fault::UnknownPlayer { name: super::error::shortened(name) }.at(of.place());
    players.known(&read_key(name)).ok_or_else(unknown)
}

pub(super) fn needed<'e>(of: &'e Element<'_>, attribute: &str) -> Result<&'e str, ImportError> {
    of.attribute(attribute).ok_or_else(|| {
        Fault::Missing { what: format!("{attribute} of <{}>", of.name) }.at(of.place())
    })
}

pub(super) fn number(of: &Element<'_>, attribute: &str) -> Result<i64, ImportError> {
    let found = needed(of, attribute)?;
    found.parse().map_err(|_| {
        let (what, expected) = (attribute.to_owned(), "a whole number".to_owned());
        Fault::BadValue { what, found: super::error::shortened(found), expected }.at(of.place())
    })
}

fn add_game(
    game: &Element<'_>,
    players: &Players,
    rounds: &mut ByRound,
    counted: &mut Counted,
    oddities: &mut Oddities,
) -> Result<(), ImportError> {
    let seats = [known(game, "whitePlayer", players)?, known(game, "blackPlayer", players)?];
    let table = game.attribute("tableNumber").and_then(|table| table.parse().ok());
    counted.handicaps +=
        usize::from(game.attribute("handicap").is_some_and(|stones| stones != "0"));
    counted.unknown_colours += usize::from(game.attribute("knownColor") == Some("false"));
    let result = match game.attribute("result") {
        None => MatchResult::played(Score::default()),
        Some(word) => result(word).ok_or_else(|| {
            let found = super::error::shortened(word);
            let expected = "RESULT_WHITEWINS, _BLACKWINS, _EQUAL, _BOTHWIN, _BOTHLOSE, each also with \
                            _BYDEF, or RESULT_UNKNOWN";
            Fault::BadResult { found, expected: expected.to_owned() }.at(game.place())
        })?,
    };
    rounds.game(number(game, "roundNumber")?, table, seats, (result, game.place()), oddities)
}

/// The result of a word such as `RESULT_WHITEWINS_BYDEF`.
fn result(word: &str) -> Option<MatchResult> {
    let word = word.trim().to_uppercase();
    let word = word.strip_prefix("RESULT_").unwrap_or(&word);
    let (word, is_default) = match word.strip_suffix("_BYDEF") {
        Some(word) => (word, true),
        None => (word, false),
    };
    let (games, rulings) = match word {
        "UNKNOWN" => return Some(MatchResult::played(Score::default())),
        "WHITEWINS" => (Some([1, 0, 0]), [Ruling::Win, Ruling::Loss]),
        "BLACKWINS" => (Some([0, 1, 0]), [Ruling::Loss, Ruling::Win]),
        "EQUAL" => (Some([0, 0, 1]), [Ruling::Draw; 2]),
        "BOTHWIN" => (None, [Ruling::Win; 2]),
        "BOTHLOSE" | "BOTHLOOSE" => (None, [Ruling::Loss; 2]),
        _ => return None,
    };
    Some(match (is_default, games) {
        (true, _) => sheet::ruled(How::Forfeit, rulings),
        (false, Some(games)) => sheet::single_game(games),
        (false, None) => sheet::ruled(How::Played, rulings),
    })
}

/// Tells of handicaps, which are not recorded.
pub(super) fn tell_handicaps(count: usize, oddities: &mut Oddities) {
    if count > 0 {
        let sentence = format!("{count} games were played with a handicap, which is not recorded.");
        oddities.add("", sentence);
    }
}

/// Tells that the places go by other criteria than those of the ruleset `go`, such as scores of MacMahon.
pub(super) fn tell_criteria(place: &str, criteria: &[&str], oddities: &mut Oddities) {
    if !["NBW", "SOSW", "SOSOSW"].starts_with(criteria) {
        let named = criteria.join(", ");
        let sentence = format!(
            "The places go by {named}, and are not computed here: standings go by go (wins, SOS, SOSOS)."
        );
        oddities.add(place, sentence);
    }
}

/// Tells of those who are registered beforehand, who do not take part.
pub(super) fn tell_preliminary(count: usize, oddities: &mut Oddities) {
    if count > 0 {
        let sentence = format!("{count} players are registered beforehand only, and left out.");
        oddities.add("", sentence);
    }
}

fn tell(root: &Element<'_>, counted: &Counted, oddities: &mut Oddities) {
    tell_handicaps(counted.handicaps, oddities);
    tell_preliminary(counted.preliminary, oddities);
    if counted.unknown_colours > 0 {
        let count = counted.unknown_colours;
        let sentence =
            format!("Of {count} games the colours are not known; the first seat says nothing.");
        oddities.add("", sentence);
    }
    if let Some(teams) = root.child("Teams").filter(|teams| !teams.children.is_empty()) {
        oddities.add(
            &teams.place(),
            "The teams are left out: what stands here are the games of their players.",
        );
    }
}
