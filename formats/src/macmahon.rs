//! The XML in which MacMahon, version 3, keeps a tournament of Go, and as it is exported from there.

use super::build::{Oddities, Players, clean_name};
use super::by_round::ByRound;
use super::opengotha::{of_games, tell_criteria, tell_handicaps, tell_preliminary};
use super::source::*;
use super::xml::{self, Element};
use super::{Fault, File, ImportError, limits, sheet};
use scrutineer_engine::event::{ByeKind, How, MatchResult, Ruling, Score};
use std::collections::BTreeSet;

/// That XML.
pub(super) struct MacMahon;

impl super::Format for MacMahon {
    fn name(&self) -> &'static str {
        "macmahon xml"
    }

    fn ending(&self) -> &'static str {
        "xml"
    }

    fn detect(&self, file: &File) -> bool {
        let text = xml::text(file);
        let Some(text) = &text else { return false };
        xml::root(text).is_some_and(|root| match root.name {
            "TournamentData" => true,
            "Tournament" => {
                ["<GoPlayer", "<IndividualParticipant", "<TournamentRound", "<UpperMacMahonBar"]
                    .iter()
                    .any(|tag| text.contains(tag))
            }
            _ => false,
        })
    }

    fn read(&self, file: &File) -> Result<Source, ImportError> {
        xml::read(file, |root| read(file.name, root))
    }
}

/// What is told once, with how often it stands in the file.
#[derive(Default)]
struct Counted {
    handicaps: usize,
    preliminary: usize,
}

fn read(file: &str, root: &Element<'_>) -> Result<Source, ImportError> {
    let head = root.child("Tournament").unwrap_or(root);
    let title = head.value("Name").map_or_else(|| super::build::stem(file), str::to_owned);
    let title = clean_name("the title", &title).map_err(|fault| fault.at(head.place()))?;
    let planned = number(head, "NumberOfRounds")?.and_then(|rounds| u16::try_from(rounds).ok());
    let planned = planned.filter(|rounds| (1..=limits::ROUNDS).contains(&usize::from(*rounds)));
    let (mut oddities, mut counted) = (Oddities::default(), Counted::default());
    let rounds: Vec<&Element<'_>> =
        root.list("Roundlist", "Round").chain(root.all("TournamentRound")).collect();
    let pairings = rounds.iter().flat_map(|round| round.all("Pairing"));
    let seated: BTreeSet<&str> =
        pairings.flat_map(|one| [one.value("White"), one.value("Black")]).flatten().collect();
    let plays = |id: &str| seated.contains(id);
    let mut players = Players::default();
    let listed = root.list("Playerlist", "Player");
    for one in listed.chain(root.all("IndividualParticipant")) {
        player(one, &plays, &mut players, &mut counted)?;
    }
    let mut by_round = ByRound::default();
    for round in &rounds {
        let at = number(round, "RoundNumber")?;
        let missing = || Fault::Missing { what: "RoundNumber".into() }.at(round.place());
        let at = at.ok_or_else(missing)?;
        for one in round.all("Pairing") {
            pairing(one, at, &players, (&mut by_round, &mut counted, &mut oddities))?;
        }
    }
    tell_handicaps(counted.handicaps, &mut oddities);
    tell_preliminary(counted.preliminary, &mut oddities);
    tell_places(head, &mut oddities);
    let first: String =
        players.list.iter().take(2).map(|player| format!(" {}", player.name)).collect();
    Ok(Source {
        platform: "macmahon".to_owned(),
        format: "macmahon xml".to_owned(),
        identity: format!("macmahon {title}{first}"),
        title,
        ..of_games(players, by_round, planned, oddities)?
    })
}

/// Tells by what the places go, as its wall list says it; without one, bars say that they go by scores of MacMahon.
fn tell_places(head: &Element<'_>, oddities: &mut Oddities) {
    let bars = ["UpperMacMahonBar", "LowerMacMahonBar"];
    let bar = bars.into_iter().find(|bar| is(head, bar)).and_then(|bar| head.child(bar));
    let list = head.child("Walllist");
    let columns = list.into_iter().flat_map(|list| list.all("SortCriterionDescriptor"));
    let names: Vec<&str> = columns.filter_map(|one| one.value("ShortName")).collect();
    let has_scores = bar.is_some() || names.contains(&"Score");
    let criteria: Vec<&str> = names.iter().map(|name| criterion(name, has_scores)).collect();
    match (list, bar) {
        (Some(list), _) if !criteria.is_empty() => {
            tell_criteria(&list.place(), &criteria, oddities);
        }
        (_, Some(bar)) => tell_criteria(&bar.place(), &["MMS"], oddities),
        _ => {}
    }
}

/// A column of the wall list as OpenGotha calls it; with scores of MacMahon, opponents count theirs.
fn criterion(name: &str, has_scores: bool) -> &str {
    match (name, has_scores) {
        ("Points", _) => "NBW",
        ("Score", _) => "MMS",
        ("SOS", false) => "SOSW",
        ("SOSOS", false) => "SOSOSW",
        ("SOS", true) => "SOSM",
        ("SOSOS", true) => "SOSOSM",
        (other, _) => other,
    }
}

/// A number at a child.
fn number(of: &Element<'_>, name: &str) -> Result<Option<i64>, ImportError> {
    let Some(child) = of.child(name).filter(|child| !child.text.is_empty()) else {
        return Ok(None);
    };
    child.text.parse().map(Some).map_err(|_| {
        let (what, found) = (name.to_owned(), super::error::shortened(&child.text));
        Fault::BadValue { what, found, expected: "a whole number".into() }.at(child.place())
    })
}

/// Whether a child says yes.
fn is(of: &Element<'_>, name: &str) -> bool {
    of.value(name).is_some_and(|word| word.eq_ignore_ascii_case("true"))
}

/// A player; who is registered beforehand and plays nowhere is left out.
fn player(
    one: &Element<'_>,
    plays: &dyn Fn(&str) -> bool,
    players: &mut Players,
    counted: &mut Counted,
) -> Result<(), ImportError> {
    let place = one.place();
    let missing = |what: &str| Fault::Missing { what: what.into() }.at(place.as_str());
    let id = one.value("Id").ok_or_else(|| missing("Id"))?;
    if is(one, "PreliminaryRegistration") && !plays(id) {
        counted.preliminary += 1;
        return Ok(());
    }
    let own = one.child("GoPlayer").unwrap_or(one);
    let name = match (own.value("Surname"), own.value("FirstName")) {
        (Some(last), Some(first)) => format!("{last}, {first}"),
        (last, first) => last.or(first).ok_or_else(|| missing("Surname"))?.to_owned(),
    };
    if players.known(id).is_some() {
        let (player, round) = (name, "the list of players".to_owned());
        return Err(Fault::TwiceInRound { player, round, other: "above".into() }.at(place));
    }
    let rating = own.value("Rating").and_then(|rating| rating.parse().ok());
    let egd = own.value("EgdPin").filter(|pin| pin.len() >= 8).map(str::to_owned);
    if let Some(pin) = &egd {
        clean_name("the EGD PIN", pin).map_err(|fault| fault.at(place.as_str()))?;
    }
    let player = players.add(id, &name, &place)?;
    let player = &mut players.list[player];
    (player.rating, player.publisher_id) = (rating, egd);
    Ok(())
}

fn pairing(
    one: &Element<'_>,
    round: i64,
    players: &Players,
    (rounds, counted, oddities): (&mut ByRound, &mut Counted, &mut Oddities),
) -> Result<(), ImportError> {
    let of = |name: &str| -> Result<Option<usize>, ImportError> {
        let Some(id) = one.value(name).filter(|id| *id != "0") else { return Ok(None) };
        let unknown = || Fault::UnknownPlayer { name: super::error::shortened(id) };
        players.known(id).map(Some).ok_or_else(|| unknown().at(one.place()))
    };
    let (white, black) = (of("White")?, of("Black")?);
    if is(one, "PairingWithBye") {
        let missing = || Fault::Missing { what: "the player of the bye".into() }.at(one.place());
        let player = black.or(white).ok_or_else(missing)?;
        return rounds.bye(round, player, ByeKind::Assigned, one.place());
    }
    let missing = |what: &str| Fault::Missing { what: what.into() }.at(one.place());
    let white = white.ok_or_else(|| missing("White"))?;
    let black = black.ok_or_else(|| missing("Black"))?;
    counted.handicaps += usize::from(number(one, "Handicap")?.is_some_and(|stones| stones != 0));
    let table = number(one, "BoardNumber")?.and_then(|board| u32::try_from(board).ok());
    let result = result(one)?;
    rounds.game(round, table, [white, black], (result, one.place()), oddities)
}

/// A result: Black's part stands first; `!` or a mark of its own says that a referee gave it.
fn result(one: &Element<'_>) -> Result<MatchResult, ImportError> {
    let Some(child) = one.child("Result") else { return Ok(MatchResult::played(Score::default())) };
    let word = child.text.trim().trim_end_matches('!').trim();
    let (games, rulings) = match word {
        "" | "?-?" => return Ok(MatchResult::played(Score::default())),
        "0-1" => (Some([1, 0, 0]), [Ruling::Win, Ruling::Loss]),
        "1-0" => (Some([0, 1, 0]), [Ruling::Loss, Ruling::Win]),
        "½-½" | "0.5-0.5" | "1/2-1/2" => (Some([0, 0, 1]), [Ruling::Draw; 2]),
        "1-1" => (None, [Ruling::Win; 2]),
        "0-0" => (None, [Ruling::Loss; 2]),
        _ => {
            let found = super::error::shortened(&child.text);
            let expected = "1-0 (Black won), 0-1, ½-½, 1-1, 0-0 or ?-?".to_owned();
            return Err(Fault::BadResult { found, expected }.at(child.place()));
        }
    };
    let is_referees = child.text.trim().ends_with('!') || is(one, "ResultByReferee");
    Ok(match (is_referees, games) {
        (true, _) => sheet::ruled(How::Forfeit, rulings),
        (false, Some(games)) => sheet::single_game(games),
        (false, None) => sheet::ruled(How::Played, rulings),
    })
}
