//! How a tournament of OpenGotha is written: anew, or its games and byes into a file of its own, of which all else
//! stays (the parameters of its pairing, and what it says of players).

use super::{OpenGotha, key};
use crate::source::*;
use crate::trf::results;
use crate::xml::{self, Element};
use crate::xml_edit::{Edits, escaped};
use crate::{File, Format, WriteError, Written, check, sheet};
use scrutineer_engine::event::{ByeKind, How, Ruling};
use std::collections::{BTreeMap, BTreeSet};

/// Characters of `participating`: one a round.
const ROUNDS: usize = 20;

/// What the program wants to find in a file, as it makes it for a Swiss tournament: a person sets it there.
const PARAMETERS: &str = concat!(
    "        <HandicapParameterSet hdBasedOnMMS=\"true\" hdCeiling=\"0\" hdCorrection=\"0\" hdNoHdRankThreshold=\"30K\"/>\n",
    "        <PlacementParameterSet>\n",
    "            <PlacementCriteria>\n",
    "                <PlacementCriterion name=\"NBW\" number=\"1\"/>\n",
    "                <PlacementCriterion name=\"SOSW\" number=\"2\"/>\n",
    "                <PlacementCriterion name=\"SOSOSW\" number=\"3\"/>\n",
    "                <PlacementCriterion name=\"NULL\" number=\"4\"/>\n",
    "                <PlacementCriterion name=\"NULL\" number=\"5\"/>\n",
    "                <PlacementCriterion name=\"NULL\" number=\"6\"/>\n",
    "            </PlacementCriteria>\n",
    "        </PlacementParameterSet>\n",
    "        <PairingParameterSet paiBaAvoidDuplGame=\"500000000000000\" paiBaBalanceWB=\"1000000\" ",
    "paiBaDeterministic=\"true\" paiBaRandom=\"0\" paiMaAdditionalPlacementCritSystem1=\"Rating\" ",
    "paiMaAdditionalPlacementCritSystem2=\"Rating\" paiMaAvoidMixingCategories=\"0\" ",
    "paiMaCompensateDUDD=\"true\" paiMaDUDDLowerMode=\"MID\" paiMaDUDDUpperMode=\"MID\" ",
    "paiMaDUDDWeight=\"100000000\" paiMaLastRoundForSeedSystem1=\"2\" paiMaMaximizeSeeding=\"5000000\" ",
    "paiMaMinimizeScoreDifference=\"100000000000\" paiMaSeedSystem1=\"SPLITANDSLIP\" ",
    "paiMaSeedSystem2=\"SPLITANDSLIP\" paiSeAvoidSameGeo=\"0\" paiSeBarThresholdActive=\"true\" ",
    "paiSeDefSecCrit=\"20000000000000\" paiSeMinimizeHandicap=\"0\" paiSeNbWinsThresholdActive=\"true\" ",
    "paiSePreferMMSDiffRatherThanSameClub=\"0\" paiSePreferMMSDiffRatherThanSameCountry=\"0\" ",
    "paiSeRankThreshold=\"30K\" paiStandardNX1Factor=\"0.5\"/>\n",
    "    </TournamentParameterSet>\n",
);

/// How a player stands in such a file.
struct Named {
    last: String,
    first: String,
    key: String,
}

/// Writes a tournament.
pub fn write(source: &Source, into: Option<&File<'_>>) -> Result<Written, WriteError> {
    let (mut named, renamed) = named(source);
    let mut left_out = left_out(source);
    let Some(file) = into else {
        if source.held_on.is_none() {
            left_out
                .push("the day, without which the program takes no file: 1900-01-01".to_owned());
        }
        let games = source.rounds().map(|(_, round)| round.tables.len()).sum::<usize>();
        if games > 0 && !seats_are_colors(source) {
            left_out.push(format!("colors of games, written as not known: {games}"));
        }
        if renamed > 0 {
            left_out.push(format!("names that had to be told apart: {renamed}"));
        }
        return Ok(Written { text: anew(source, &named)?, left_out });
    };
    let not_read = |why: &str| WriteError::IntoNotRead { why: why.to_owned() };
    let text = file.text.ok_or(WriteError::IntoNotUtf8)?;
    let root = xml::parse(text).map_err(|error| not_read(&error.to_string()))?;
    if !Format::detect(&OpenGotha, file) {
        return Err(not_read("it is no file of OpenGotha"));
    }
    let known: BTreeSet<String> = root
        .list("Players", "Player")
        .map(|one| {
            let part = |name| one.attribute(name).unwrap_or_default();
            key(&format!("{}{}", part("name"), part("firstName")))
        })
        .collect();
    as_in_file(&mut named, source, &known);
    let plays: BTreeSet<usize> =
        source.rounds().flat_map(|(_, round)| check::appearances(round)).map(|one| one.0).collect();
    if let Some(player) = plays.iter().find(|player| !known.contains(&named[**player].key)) {
        return Err(WriteError::NotInFile { player: source.players[*player].name.clone() });
    }
    let old = root.list("Games", "Game").map(|game| (game_key(game), game)).collect();
    let (games, byes) = lists(source, &named, &old)?;
    let mut edits = Edits::of(text);
    let is_same = |name: &str, item: &str, lines: &[String]| {
        let has = root.list(name, item).map(|one| &text[one.whole.clone()]);
        has.collect::<Vec<_>>() == lines.iter().map(|line| line.trim()).collect::<Vec<_>>()
    };
    // Who is the same in both, in whatever order of attributes, stays as it is.
    let before = super::read(file.name, &root).map_err(|error| not_read(&error.to_string()))?;
    if says(&before) != says(source) {
        for (name, item, lines) in [("Games", "Game", games), ("ByePlayers", "ByePlayer", byes)] {
            if is_same(name, item, &lines) {
                continue;
            }
            let whole = list(name, &lines);
            match (root.child(name), root.child("Games")) {
                (Some(old), _) => edits.replace(old, &lines),
                (None, Some(games)) if !lines.is_empty() => edits.after(games, &whole),
                (None, None) if !lines.is_empty() => edits.append(&root, &whole),
                _ => {}
            }
        }
    }
    // The mark before the text is no part of it.
    let mark = if file.bytes.starts_with("\u{feff}".as_bytes()) { "\u{feff}" } else { "" };
    Ok(Written { text: format!("{mark}{}", edits.apply()), left_out })
}

/// What a tournament says of its rounds, by names: for each round who met, and how it came out.
fn says(source: &Source) -> BTreeSet<String> {
    let name = |player: usize| key(&source.players[player].name.replacen(", ", "", 1));
    let mut all = BTreeSet::new();
    for (number, (_, round)) in (1..).zip(source.rounds()) {
        for table in &round.tables {
            let seats: Vec<String> = table.seats.iter().map(|seat| name(seat.player)).collect();
            all.insert(format!("{number} {:?} {seats:?} {}", table.table, result(table)));
        }
        let byes = round.byes.iter().filter(|bye| is_written(bye));
        all.extend(byes.map(|bye| format!("{number} bye {}", name(bye.player))));
    }
    all
}

/// The players as such a file names them, and how many had to be told apart.
fn named(source: &Source) -> (Vec<Named>, usize) {
    let (mut taken, mut renamed) = (BTreeSet::new(), 0);
    let of = |player: &SourcePlayer| {
        let (last, own) = player.name.split_once(", ").unwrap_or((&player.name, ""));
        let mut first = own.to_owned();
        let mut number = 2;
        while !taken.insert(key(&format!("{last}{first}"))) {
            first = format!("{own} {number}").trim().to_owned();
            number += 1;
        }
        renamed += usize::from(first != own);
        Named { last: last.to_owned(), key: key(&format!("{last}{first}")), first }
    };
    (source.players.iter().map(of).collect(), renamed)
}

/// Names players as the file does where it has their whole name in one part, such as `Gómez, José`.
fn as_in_file(named: &mut [Named], source: &Source, known: &BTreeSet<String>) {
    let mut taken: BTreeSet<String> = named.iter().map(|own| own.key.clone()).collect();
    for (own, player) in named.iter_mut().zip(&source.players) {
        let whole = key(&player.name);
        if !known.contains(&own.key) && known.contains(&whole) && taken.insert(whole.clone()) {
            own.key = whole;
        }
    }
}

/// The rank of a rating as the European Go Federation has it: 2050 is 1D, 100 points are a rank.
fn rank(rating: i32) -> String {
    let rank = ((rating.saturating_add(950)).div_euclid(100) - 30).clamp(-30, 8);
    if rank >= 0 { format!("{}D", rank + 1) } else { format!("{}K", -rank) }
}

fn anew(source: &Source, named: &[Named]) -> Result<String, WriteError> {
    let (games, byes) = lists(source, named, &BTreeMap::new())?;
    let mut players = Vec::new();
    for (at, (player, named)) in source.players.iter().zip(named).enumerate() {
        let rating = player.rating.unwrap_or(super::NO_RATING);
        let rank = rank(rating);
        players.push(format!(
            "<Player agaExpirationDate=\"\" agaId=\"\" club=\"\" country=\"\" egfPin=\"{}\" ffgLicence=\"\" \
             ffgLicenceStatus=\"\" firstName=\"{}\" grade=\"{rank}\" name=\"{}\" participating=\"{}\" \
             rank=\"{rank}\" rating=\"{rating}\" ratingOrigin=\"MAN\" registeringStatus=\"FIN\" \
             smmsCorrection=\"0\"/>",
            escaped(player.publisher_id.as_deref().unwrap_or_default()),
            escaped(&named.first),
            escaped(&named.last),
            participating(source, at),
        ));
    }
    let played = source.rounds().count();
    let planned = played.max(source.planned_rounds.map_or(0, usize::from)).max(1);
    let day = source.held_on.map_or_else(|| "1900-01-01".to_owned(), |day| day.to_string());
    let title = escaped(&source.title);
    let general = format!(
        "<GeneralParameterSet bInternet=\"false\" basicTime=\"60\" beginDate=\"{day}\" canByoYomiTime=\"300\" \
         complementaryTimeSystem=\"STDBYOYOMI\" director=\"\" endDate=\"{day}\" fischerTime=\"10\" \
         genCountNotPlayedGamesAsHalfPoint=\"false\" genMMBar=\"9D\" genMMFloor=\"30K\" \
         genMMS2ValueAbsent=\"0\" genMMS2ValueBye=\"2\" genMMZero=\"30K\" genNBW2ValueAbsent=\"0\" \
         genNBW2ValueBye=\"2\" genRoundDownNBWMMS=\"true\" komi=\"7.5\" location=\"\" name=\"{title}\" \
         nbMovesCanTime=\"15\" numberOfCategories=\"1\" numberOfRounds=\"{planned}\" shortName=\"{title}\" \
         size=\"19\" stdByoYomiTime=\"30\"/>"
    );
    let mut text = String::from(
        "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"no\"?>\n\
         <Tournament dataVersion=\"201\" fullVersionNumber=\"3.51\" runningMode=\"SAL\">\n",
    );
    let all = [("Players", players), ("Games", games), ("ByePlayers", byes)];
    for line in all.iter().flat_map(|(name, lines)| list(name, lines)) {
        text += &format!("    {line}\n");
    }
    text += &format!("    <TournamentParameterSet>\n        {general}\n");
    text += PARAMETERS;
    text += "</Tournament>\n";
    Ok(text)
}

/// A list as lines, its items further in.
fn list(name: &str, items: &[String]) -> Vec<String> {
    if items.is_empty() {
        return vec![format!("<{name}/>")];
    }
    let first = [format!("<{name}>")].into_iter();
    let items = items.iter().map(|item| format!("    {item}"));
    first.chain(items).chain([format!("</{name}>")]).collect()
}

/// For each round whether they are there: as they were in those that are paired, and until they left in those to come.
fn participating(source: &Source, player: usize) -> String {
    let mut there: Vec<bool> = Vec::new();
    for (_, round) in source.rounds() {
        let byes = round.byes.iter().filter(|bye| !is_written(bye)).map(|bye| bye.player);
        let absent: Vec<usize> = byes.collect();
        let mut present = check::appearances(round).map(|one| one.0);
        there.push(present.any(|one| one == player) && !absent.contains(&player));
    }
    let left = source.drops.iter().any(|drop| drop.player == player);
    there.resize(ROUNDS.max(there.len()), !left);
    for bye in source.report.asked.iter().filter(|bye| bye.player == player) {
        if let Some(is) = there.get_mut(usize::from(bye.round).saturating_sub(1)) {
            *is = false;
        }
    }
    there.into_iter().map(|is| if is { '1' } else { '0' }).collect()
}

/// Whether a bye stands among those of the file; of the others the player is absent.
fn is_written(bye: &SourceBye) -> bool {
    !matches!(bye.kind, ByeKind::Zero | ByeKind::AwardedLoss)
}

/// A game by its round and players.
type GameKey = [String; 3];

fn game_key(game: &Element<'_>) -> GameKey {
    ["roundNumber", "whitePlayer", "blackPlayer"]
        .map(|name| key(game.attribute(name).unwrap_or_default()))
}

/// Whether the first seat is that of black or of white: in the files of other programs that name their ruleset, and
/// in a tournament whose ruleset has a first seat, which names it here then.
fn seats_are_colors(source: &Source) -> bool {
    source.rules.is_some() && source.format != "csv"
}

/// The games and the byes; of games that stood in the file before, the handicap and whether colors are known.
fn lists(
    source: &Source,
    named: &[Named],
    old: &BTreeMap<GameKey, &Element<'_>>,
) -> Result<(Vec<String>, Vec<String>), WriteError> {
    let (mut games, mut byes) = (Vec::new(), Vec::new());
    let are_colors = seats_are_colors(source);
    for (number, (_, round)) in (1..).zip(source.rounds()) {
        for (table, own) in round.tables.iter().zip(round.numbers()) {
            let [white, black] = table.seats[..] else {
                let (round, seats) = (round.name.clone(), table.seats.len());
                return Err(WriteError::NotTwo { round, seats });
            };
            let [mut white, mut black] = [white, black].map(|seat| &named[seat.player].key);
            let of = |white: &String, black: &String| {
                old.get(&[format!("{number}"), white.clone(), black.clone()])
            };
            let mut result = result(table);
            // The colors that the file has stay in it, as its handicap does.
            let before = of(white, black).or_else(|| {
                let turned = of(black, white)?;
                (white, black) = (black, white);
                result = turned_round(&result);
                Some(turned)
            });
            let kept = |name: &str, usual: &str| {
                let own = before.and_then(|game| game.attribute(name)).unwrap_or(usual);
                escaped(own).to_string()
            };
            games.push(format!(
                "<Game blackPlayer=\"{}\" handicap=\"{}\" knownColor=\"{}\" result=\"{}\" \
                 roundNumber=\"{number}\" tableNumber=\"{own}\" whitePlayer=\"{}\"/>",
                escaped(black),
                kept("handicap", "0"),
                kept("knownColor", if are_colors { "true" } else { "false" }),
                result,
                escaped(white),
            ));
        }
        for bye in round.byes.iter().filter(|bye| is_written(bye)) {
            let player = escaped(&named[bye.player].key).to_string();
            byes.push(format!("<ByePlayer player=\"{player}\" roundNumber=\"{number}\"/>"));
        }
    }
    Ok((games, byes))
}

/// The word for a result with the colors the other way round.
fn turned_round(result: &str) -> String {
    match result.split_once("WHITE") {
        Some((before, behind)) => format!("{before}BLACK{behind}"),
        None => result.replace("BLACK", "WHITE"),
    }
}

/// The word for a match's result.
fn result(table: &SourceTable) -> String {
    let word = match results(table) {
        ['1' | '+', '0' | '-'] => "WHITEWINS",
        ['0' | '-', '1' | '+'] => "BLACKWINS",
        ['=', '='] => "EQUAL",
        ['1' | '+', '1' | '+'] => "BOTHWIN",
        ['0' | '-', '0' | '-'] => "BOTHLOSE",
        _ => return "RESULT_UNKNOWN".to_owned(),
    };
    let is_default = matches!(table.result.how, How::Forfeit | How::NoShow);
    format!("RESULT_{word}{}", if is_default { "_BYDEF" } else { "" })
}

fn left_out(source: &Source) -> Vec<String> {
    let tables = || source.rounds().flat_map(|(_, round)| &round.tables);
    let byes = |kinds: &[ByeKind]| {
        let all = source.rounds().flat_map(|(_, round)| &round.byes);
        all.filter(|bye| kinds.contains(&bye.kind)).count()
    };
    let is_more = |table: &&SourceTable| {
        let games = sheet::games_of(&table.result.score);
        games.is_some_and(|games| games.iter().sum::<i32>() > 1)
    };
    let is_lost = |table: &&SourceTable| table.has_result() && result(table) == "RESULT_UNKNOWN";
    let none = |table: &&SourceTable| table.result.rulings.contains(&Some(Ruling::NoResult));
    let found = [
        (
            tables().filter(is_more).count(),
            "scores of matches, of which only the winner is written",
        ),
        (
            tables().filter(is_lost).count(),
            "results that are no win and no draw, written as unknown",
        ),
        (tables().filter(none).count(), "matches that do not count"),
        (
            tables().filter(|table| table.table.is_none()).count(),
            "tables without a number, counted through",
        ),
        (
            byes(&[ByeKind::Awarded, ByeKind::Half, ByeKind::Vacant]),
            "byes of other kinds, written as byes",
        ),
        (byes(&[ByeKind::Zero, ByeKind::AwardedLoss]), "byes of no point, written as absent"),
        (
            source.report.asked.iter().filter(|bye| bye.kind != ByeKind::Zero).count(),
            "byes of points that are asked for, written as absent",
        ),
        (
            source.players.iter().filter(|one| one.division.is_some()).count(),
            "divisions of players",
        ),
        (source.described(), "titles and federations of players"),
        (source.drops.len(), "players who left"),
        (source.published.len(), "rows of the standings, which the program makes itself"),
        (source.phases.len().saturating_sub(1), "further phases, written as rounds of one"),
        (source.weighed_rounds(), "rounds that count more or less than others"),
        (source.rounds().count().saturating_sub(ROUNDS), "rounds more than the program has"),
    ];
    let told = found.into_iter().filter(|(count, _)| *count > 0);
    told.map(|(count, what)| format!("{what}: {count}")).collect()
}
