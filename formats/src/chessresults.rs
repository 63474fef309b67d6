//! The XML with which tournament programs upload to chess-results.com.
//!
//! Keys of the upload, dates of birth and addresses for mail stand in it, and are passed over.

mod into;
mod write;

use super::build::{Oddities, Players, clean_name, day};
use super::by_round::ByRound;
use super::opengotha::number;
use super::report::{ranked_otherwise, rules_of};
use super::source::*;
use super::xml::{self, Element};
use super::{Fault, File, ImportError, WriteError, Written, check, limits, sheet};
use scrutineer_engine::event::{ByeKind, How, MatchResult, PhaseKind, Ruling, Score, UnknownFact};

/// That XML.
pub(super) struct ChessResults;

impl super::Format for ChessResults {
    fn name(&self) -> &'static str {
        "chess-results xml"
    }

    fn ending(&self) -> &'static str {
        "xml"
    }

    fn detect(&self, file: &File) -> bool {
        let text = xml::text(file);
        let root = text.as_deref().and_then(xml::root);
        root.is_some_and(|root| root.name.eq_ignore_ascii_case("chessresults"))
    }

    fn read(&self, file: &File) -> Result<Source, ImportError> {
        xml::read(file, |root| read(file.name, root))
    }

    fn writes_into(&self) -> bool {
        true
    }

    fn write(&self, source: &Source, into: Option<&File>) -> Option<Result<Written, WriteError>> {
        Some(match into {
            Some(file) => into::write(source, file),
            None => write::write(source),
        })
    }
}

fn read(name: &str, root: &Element<'_>) -> Result<Source, ImportError> {
    let head = root.list("tournamentdata", "tournament").next();
    let said = |key: &str| head.and_then(|head| head.attribute(key));
    let count = |key: &str| said(key).and_then(|value| value.parse::<u16>().ok());
    let mut oddities = Oddities::default();
    let title = said("name").map_or_else(|| super::build::stem(name), str::to_owned);
    let place = head.map_or_else(String::new, Element::place);
    let title = clean_name("the title", &title).map_err(|fault| fault.at(place.as_str()))?;
    let held_on = said("from").and_then(|date| {
        let part = |range: std::ops::Range<usize>| date.get(range);
        let plain = || Some(format!("{}-{}-{}", part(0..4)?, part(4..6)?, part(6..date.len())?));
        // Chess-Results itself writes it with points.
        plain().and_then(|date| day(&date)).or_else(|| super::trf::held_on(date))
    });
    let kind = said("type");
    let is_of_teams = matches!(kind, Some("2" | "3"));
    let mut players = Players::default();
    let measures = if is_of_teams { Vec::new() } else { head.map_or_else(Vec::new, measures) };
    let rules = rules_of(held_on);
    let tie_breaks = (1..=6).filter_map(|at| said(&format!("tb{at}no"))?.parse().ok());
    if let Some(named) = named_tie_breaks(tie_breaks).filter(|_| !is_of_teams) {
        oddities.add(&place, ranked_otherwise(&named, rules));
    }
    let mut published = Vec::new();
    for one in root.list("players", "player") {
        let row = player(one, &measures, &mut players, &mut oddities)?;
        published.extend(row);
    }
    if is_of_teams || published.len() < players.list.len() {
        // Players of a team without an opponent have points of a round in which they do not stand.
        if !published.is_empty() && !is_of_teams {
            oddities.add("", "Without points and ranks of all nothing is compared.");
        }
        published.clear();
    }
    published.sort_by_key(|row: &PublishedRow| row.rank);
    let mut rounds = ByRound::default();
    for pairing in root.list("playerpairings", "playerpairing") {
        add_pairing(pairing, is_of_teams, &players, &mut rounds, &mut oddities)?;
    }
    if is_of_teams || root.child("teams").is_some_and(|teams| !teams.children.is_empty()) {
        oddities.add(
            "",
            "The teams are left out: what stands here are the games of their players. Since points count \
             byes of teams, they are not compared.",
        );
    }
    let (rounds, is_open) = rounds.finish();
    if !rounds.is_empty() {
        check::rounds(&players, &rounds)?;
    }
    let games = rounds.iter().flat_map(|round| &round.tables);
    let scoresheet =
        sheet::games_sheet(Some(1), games.filter_map(|table| sheet::games_of(&table.result.score)));
    let mut unknown = vec![UnknownFact::Times];
    if rounds.iter().flat_map(|round| &round.tables).any(|table| table.table.is_none()) {
        unknown.push(UnknownFact::Tables);
    }
    unknown.push(UnknownFact::Drops);
    let planned = count("rounds").filter(|rounds| *rounds > 0);
    let played = rounds.len();
    let is_over = said("endstatus") == Some("J")
        || planned.is_none_or(|rounds| usize::from(rounds) <= played);
    let after = count("rankinground").filter(|after| usize::from(*after) <= played);
    let after = after.or_else(|| u16::try_from(played).ok()).filter(|_| !published.is_empty());
    let identity = match said("key").filter(|key| *key != "0") {
        Some(key) => format!("chess-results {}", super::error::shortened(key)),
        None => {
            let date = held_on.map_or_else(String::new, |day| format!(" {day}"));
            let first = players.list.iter().take(2).map(|player| format!(" {}", player.name));
            format!("chess-results {title}{date}{}", first.collect::<String>())
        }
    };
    let kind = match kind {
        Some("1" | "2") => PhaseKind::RoundRobin,
        _ => PhaseKind::Swiss,
    };
    Ok(Source {
        platform: "chess-results".to_owned(),
        format: "chess-results xml".to_owned(),
        identity,
        title,
        held_on,
        rules: Some(rules.to_owned()),
        planned_rounds: planned,
        finished: !is_open && played > 0 && is_over,
        scoresheet,
        phases: vec![SourcePhase {
            kind,
            entrants: (0..players.list.len()).collect(),
            seeded: true,
            rounds,
        }],
        players: players.list,
        published,
        published_after: after,
        unknown,
        oddities: oddities.finish(),
        ..Source::default()
    })
}

/// The tie-breaks whose numbers are known, each by the attribute of its values. Of one that stands there twice, or
/// with settings of its own, it is not known what it leaves out.
fn measures(head: &Element<'_>) -> Vec<(String, PublishedMeasure)> {
    let code = |at: u8| head.attribute(&format!("tb{at}no"));
    let is_sure = |at: &u8| {
        let is_once = (1..=6).filter(|other| code(*other) == code(*at)).count() == 1;
        is_once && head.attribute(&format!("tb{at}_detail")).is_none()
    };
    let all = (1..=6)
        .filter(is_sure)
        .filter_map(|at| Some((format!("tb{at}"), measure_of(code(at)?.parse().ok()?)?)));
    all.collect()
}

/// The tie-break of a number, where it is known.
fn measure_of(number: u16) -> Option<PublishedMeasure> {
    match number {
        37 | 84 => Some(PublishedMeasure::Buchholz),
        52 | 85 => Some(PublishedMeasure::SonnebornBerger),
        _ => None,
    }
}

/// Tie-breaks by their numbers, with the names of those that are known; none where there are none. What each leaves
/// out is not said by its number, so none is sure to be one of ours.
pub(super) fn named_tie_breaks(numbers: impl Iterator<Item = u16>) -> Option<String> {
    let named = |number: u16| match measure_of(number) {
        Some(measure) => format!("{number} ({})", measure.word()),
        None => number.to_string(),
    };
    let all: Vec<String> = numbers.filter(|number| *number > 0).map(named).collect();
    (!all.is_empty()).then(|| format!("the tie-breaks {} of Swiss-Manager", all.join(", ")))
}

/// Adds a player; gives their row of the standings where they have points and a rank.
fn player(
    one: &Element<'_>,
    measures: &[(String, PublishedMeasure)],
    players: &mut Players,
    oddities: &mut Oddities,
) -> Result<Option<PublishedRow>, ImportError> {
    let place = one.place();
    let own = number(one, "no")?;
    let number = u32::try_from(own).ok().filter(|number| *number > 0).ok_or_else(|| {
        let (what, found) = ("no".to_owned(), own.to_string());
        Fault::OutOfBounds { what, found, min: 1, max: i64::from(u32::MAX) }.at(place.as_str())
    })?;
    let last = one.attribute("lastname").unwrap_or_default();
    let first = one.attribute("firstname").unwrap_or_default();
    let name = match (last.is_empty(), first.is_empty()) {
        (false, false) => format!("{last}, {first}"),
        _ => format!("{last}{first}"),
    };
    let key = number.to_string();
    if players.known(&key).is_some() {
        let (round, other) = ("the list of players".to_owned(), "above".to_owned());
        return Err(Fault::TwiceInRound { player: key, round, other }.at(place));
    }
    let index = players.add_named(number, &name, &place, oddities)?;
    let player = &mut players.list[index];
    player.sign_up = Some(number);
    let rating = |key: &str| one.attribute(key)?.parse().ok().filter(|rating: &i32| *rating > 0);
    player.rating = ["rtg", "rtgfide", "rtgnat"].into_iter().find_map(rating);
    let is_id = |id: &&str| id.chars().any(|c| c.is_alphanumeric() && c != '0');
    player.publisher_id = one.attribute("fideid").filter(is_id).map(str::to_owned);
    let word = |key: &str| one.attribute(key).map(str::trim).filter(|word| !word.is_empty());
    player.title = word("title").map(str::to_owned);
    player.federation = word("fed").map(str::to_owned);
    if let Some(id) = &player.publisher_id {
        clean_name("fideid", id).map_err(|fault| fault.at(place.as_str()))?;
    }
    let rank = one.attribute("rank").and_then(|rank| rank.parse().ok()).filter(|rank| *rank > 0);
    let (Some(rank), Some(points)) = (rank, one.attribute("pts")) else { return Ok(None) };
    let points_tenths = super::build::tenths(points).ok_or_else(|| {
        let (what, found) = ("pts".to_owned(), super::error::shortened(points));
        Fault::BadValue { what, found, expected: "a number such as 4,5".to_owned() }.at(place)
    })?;
    let value = |(key, measure): &(String, PublishedMeasure)| {
        let text = one.attribute(key)?.replace(',', ".");
        let (whole, part) = text.split_once('.').unwrap_or((&text, "0"));
        let plain = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
        let is_number = plain(whole) && plain(part) && text.len() <= limits::NUMBER_CHARS;
        is_number.then_some(PublishedValue { measure: *measure, text })
    };
    let values = measures.iter().filter_map(value).collect();
    Ok(Some(PublishedRow { rank, player: index, points_tenths, record: None, values }))
}

/// Who is not paired; -1 is the opponent of a bye.
const NOBODY: i64 = -2;

fn add_pairing(
    pairing: &Element<'_>,
    is_of_teams: bool,
    players: &Players,
    rounds: &mut ByRound,
    oddities: &mut Oddities,
) -> Result<(), ImportError> {
    let place = pairing.place();
    let side = |key: &str| -> Result<Result<usize, i64>, ImportError> {
        // Some programs leave out who is nobody.
        let own = pairing.attribute(key).map_or(Ok(NOBODY), |_| number(pairing, key))?;
        if own <= 0 {
            return Ok(Err(own));
        }
        let unknown = || Fault::UnknownPlayer { name: own.to_string() }.at(place.as_str());
        players.known(&own.to_string()).map(Ok).ok_or_else(unknown)
    };
    let round = number(pairing, "round")?;
    let halves = [half_points(pairing, "reswhite")?, half_points(pairing, "resblack")?];
    let (player, other, own) = match (side("whiteno")?, side("blackno")?) {
        (Ok(white), Ok(black)) => {
            // Of a match of teams it is the match's number, and that of the board begins anew.
            let table = pairing.attribute("pairing").filter(|_| !is_of_teams);
            let table = table.and_then(|table| table.parse().ok());
            let forfeit = pairing.attribute("forfeit").unwrap_or_default();
            let result = result(halves, forfeit, &place, oddities)?;
            return rounds.game(round, table, [white, black], (result, place), oddities);
        }
        (Ok(player), Err(other)) => (player, other, halves[0]),
        (Err(other), Ok(player)) => (player, other, halves[1]),
        (Err(_), Err(_)) => {
            oddities.add(&place, "A pairing without players was left out.");
            return Ok(());
        }
    };
    if (other, own) == (-1, Some(1)) {
        oddities
            .add(&place, "A bye of the pairing that counts half a point is read as a half bye.");
    }
    rounds.bye(round, player, kind_of_bye(other, own), place)
}

/// The kind of a bye by who stands for the opponent, and by the own points in halves.
fn kind_of_bye(other: i64, own: Option<u8>) -> ByeKind {
    match (other, own) {
        (-1, None | Some(2)) => ByeKind::Assigned,
        (_, Some(2)) => ByeKind::Awarded,
        (_, Some(1)) => ByeKind::Half,
        _ => ByeKind::Zero,
    }
}

/// Points of a game, in halves: with a point, a comma, or as a fraction; none where nothing stands there.
fn half_points(pairing: &Element<'_>, key: &str) -> Result<Option<u8>, ImportError> {
    let Some(found) = pairing.attribute(key) else { return Ok(None) };
    let plain = found.replace(',', ".");
    let (whole, part) = plain.split_once('.').unwrap_or((&plain, ""));
    match (whole, part.trim_end_matches('0')) {
        ("1", "") => Ok(Some(2)),
        ("0" | "", "5") | ("½" | "1/2", "") => Ok(Some(1)),
        ("0", "") => Ok(Some(0)),
        _ => {
            let found = super::error::shortened(found);
            let expected = format!("{key} as 1.0, 0.5, 0.0 or nothing");
            Err(Fault::BadResult { found, expected }.at(pairing.place()))
        }
    }
}

/// The result of a match: K is won without play, D lost by both, H adjourned, and U not rated.
fn result(
    halves: [Option<u8>; 2],
    forfeit: &str,
    place: &str,
    oddities: &mut Oddities,
) -> Result<MatchResult, ImportError> {
    let is_forfeit = match forfeit.to_uppercase().as_str() {
        "" | "U" | "N" => false,
        "K" | "D" | "+" | "-" => true,
        "H" => return Ok(MatchResult::played(Score::default())),
        _ => {
            let (what, found) = ("forfeit".to_owned(), super::error::shortened(forfeit));
            let expected = "K, D, U, H or nothing".to_owned();
            return Err(Fault::BadValue { what, found, expected }.at(place));
        }
    };
    let halves = match halves {
        [None, None] if forfeit.eq_ignore_ascii_case("D") => [0, 0],
        [None, None] => return Ok(MatchResult::played(Score::default())),
        [Some(one), None] => [one, 2 - one],
        [None, Some(one)] => [2 - one, one],
        [Some(one), Some(other)] => [one, other],
    };
    let ruling = |half: u8| match half {
        2 => Ruling::Win,
        1 => Ruling::Draw,
        _ => Ruling::Loss,
    };
    Ok(match halves {
        rulings if is_forfeit => sheet::ruled(How::Forfeit, rulings.map(ruling)),
        [2, 0] => sheet::single_game([1, 0, 0]),
        [0, 2] => sheet::single_game([0, 1, 0]),
        [1, 1] => sheet::single_game([0, 0, 1]),
        rulings => {
            oddities
                .add(place, "Two results that do not fit together are read as a ruling for each.");
            sheet::ruled(How::Played, rulings.map(ruling))
        }
    })
}
