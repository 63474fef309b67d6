//! The `.Tournament` XML of Konami's KTS.

use std::collections::BTreeMap;

use super::build::{Oddities, Players, clean_name, day};
use super::outcome::{self, Won};
use super::source::*;
use super::xml::{self, Element};
use super::{Fault, File, ImportError, check, limits, numbered, phases, sheet};
use scrutineer_engine::event::{ByeKind, How, PhaseKind, RoundWeight, UnknownFact};

/// That XML.
pub(super) struct Kts;

impl super::Format for Kts {
    fn name(&self) -> &'static str {
        "kts"
    }

    fn ending(&self) -> &'static str {
        "Tournament"
    }

    fn detect(&self, file: &File) -> bool {
        let text = xml::text(file);
        let root = text.as_deref().and_then(xml::root);
        root.is_some_and(|root| root.name == "Tournament")
            && text.is_some_and(|text| {
                ["<TournPlayer", "<TournMatch", "<TournamentPlayers"]
                    .iter()
                    .any(|tag| text.contains(tag))
            })
    }

    fn read(&self, file: &File) -> Result<Source, ImportError> {
        xml::read(file, |root| read(file.name, root))
    }
}

/// The text of a child, where there is one.
fn said<'a>(element: &'a Element<'_>, name: &str) -> Option<&'a str> {
    element.value(name).map(str::trim).filter(|text| !text.is_empty())
}

/// A number from 0 on at a child.
fn number(element: &Element<'_>, name: &str) -> Result<Option<u64>, ImportError> {
    let Some(text) = said(element, name) else { return Ok(None) };
    let number = text.parse::<u64>().map(Some);
    number.map_err(|_| {
        let (what, found) = (name.to_owned(), super::error::shortened(text));
        let place = element.child(name).map_or_else(|| element.place(), Element::place);
        Fault::BadValue { what, found, expected: "a number from 0 on".into() }.at(place)
    })
}

fn read(file: &str, root: &Element<'_>) -> Result<Source, ImportError> {
    let title = said(root, "Name").map_or_else(|| super::build::stem(file), str::to_owned);
    let title = clean_name("the title", &title).map_err(|fault| fault.at(root.place()))?;
    let mut reader = Reader::default();
    for one in root.list("TournamentPlayers", "TournPlayer") {
        reader.player(one)?;
    }
    let mut rounds: BTreeMap<u64, SourceRound> = BTreeMap::new();
    for one in root.list("Matches", "TournMatch") {
        reader.game(one, &mut rounds)?;
    }
    let numbers = rounds.keys().map(|round| (0, i64::try_from(*round).unwrap_or(i64::MAX)));
    numbered::refuse_gaps(numbers, &root.place(), "")?;
    let rounds: Vec<SourceRound> = rounds.into_values().collect();
    if !rounds.is_empty() {
        check::rounds(&reader.players, &rounds)?;
    }
    let is_final = said(root, "Finalized").is_some_and(|word| word.eq_ignore_ascii_case("true"));
    let has_rounds = !rounds.is_empty();
    let entrants = (0..reader.players.list.len()).collect();
    let mut phases = vec![SourcePhase { entrants, ..phases::phase(PhaseKind::Swiss, rounds) }];
    let is_open = outcome::settle(&mut phases, &mut reader.oddities);
    let held_on = said(root, "Date").and_then(day);
    let date = held_on.map_or_else(String::new, |day| format!(" {day}"));
    let identity = match said(root, "ID") {
        Some(id) => format!("kts {id}"),
        None => format!("kts {title}{date}"),
    };
    let mut unknown = vec![UnknownFact::SignUpOrder, UnknownFact::Times, UnknownFact::KindOfBye];
    unknown.extend([UnknownFact::Drops, UnknownFact::Games, UnknownFact::HowItEnded]);
    if !has_rounds && is_final {
        unknown.push(UnknownFact::EarlierRounds);
    }
    // Ranks of an open file are not final.
    let published = if is_final { reader.published } else { Vec::new() };
    let after = phases.first().map_or(0, |phase| phase.rounds.len());
    Ok(Source {
        platform: "kts".to_owned(),
        rules: Some("yugioh".to_owned()),
        format: "kts".to_owned(),
        identity,
        title,
        held_on,
        finished: is_final && !is_open,
        scoresheet: sheet::games_sheet(Some(1), std::iter::empty()),
        players: reader.players.list,
        phases,
        published_after: u16::try_from(after).ok().filter(|_| !published.is_empty()),
        published_digits: (!published.is_empty()).then_some(3),
        published,
        unknown,
        oddities: reader.oddities.finish(),
        ..Source::default()
    })
}

#[derive(Default)]
struct Reader {
    players: Players,
    oddities: Oddities,
    published: Vec<PublishedRow>,
}

impl Reader {
    fn player(&mut self, one: &Element<'_>) -> Result<(), ImportError> {
        let place = one.place();
        let own = one.child("Player").unwrap_or(one);
        let missing = || Fault::Missing { what: "ID".into() }.at(place.as_str());
        // Ten digits with zeros in front: a text.
        let id = said(own, "ID").ok_or_else(missing)?;
        if self.players.known(id).is_some() {
            let (player, round) = (super::error::shortened(id), "TournamentPlayers".to_owned());
            return Err(Fault::TwiceInRound { player, round, other: "above".into() }.at(place));
        }
        let names = [said(own, "FirstName"), said(own, "LastName")];
        let name = names.into_iter().flatten().collect::<Vec<_>>().join(" ");
        let name = if name.is_empty() { id } else { name.as_str() };
        let player = self.players.add(id, name, &place)?;
        if let Some(player) = self.players.list.get_mut(player) {
            player.publisher_id = Some(id.to_owned());
        }
        let (rank, points) = (number(one, "Rank")?, number(one, "Points")?);
        let rank = rank.and_then(|rank| u32::try_from(rank).ok()).filter(|rank| *rank > 0);
        let (Some(rank), Some(points)) = (rank, points) else { return Ok(()) };
        let (points, values) = unpacked(points);
        if let Some(wins) = number(one, "Wins")?.filter(|wins| wins.saturating_mul(3) != points) {
            let sentence = format!("{points} points are not 3 for each of {wins} wins.");
            self.oddities.add(&place, sentence);
        }
        let points_tenths = i64::try_from(points).unwrap_or(i64::MAX).saturating_mul(10);
        self.published.push(PublishedRow { rank, player, points_tenths, record: None, values });
        Ok(())
    }

    fn game(
        &mut self,
        one: &Element<'_>,
        rounds: &mut BTreeMap<u64, SourceRound>,
    ) -> Result<(), ImportError> {
        let place = one.place();
        let missing = || Fault::Missing { what: "Round".into() }.at(place.as_str());
        let round = number(one, "Round")?.ok_or_else(missing)?;
        if rounds.len() >= limits::ROUNDS && !rounds.contains_key(&round) {
            return Err(Fault::TooMany { what: "rounds", limit: limits::ROUNDS }.at(place));
        }
        let (mut players, mut ids) = (Vec::new(), Vec::new());
        for own in one.all("Player") {
            let id = said(own, "ID").unwrap_or_else(|| own.text.trim());
            if id.is_empty() || id == "0" || id.eq_ignore_ascii_case("bye") {
                continue;
            }
            let known = self.players.known(id);
            let unknown = || Fault::UnknownPlayer { name: super::error::shortened(id) };
            players.push(known.ok_or_else(|| unknown().at(own.place()))?);
            ids.push(id);
        }
        let name = format!("Round {round}");
        let (tables, byes) = (Vec::new(), Vec::new());
        let empty = SourceRound { name, weight: RoundWeight::ONE, tables, byes };
        let round = rounds.entry(round).or_insert(empty);
        match players[..] {
            [] => self.oddities.add(&place, "A match without players was left out."),
            [player] => {
                round.byes.push(SourceBye {
                    player,
                    kind: ByeKind::Assigned,
                    reported: None,
                    place,
                });
            }
            [first, second] => {
                let result = match outcome_of(one, &ids)? {
                    Some(won) => outcome::result(None, Some(won), How::Unknown),
                    None => outcome::open(),
                };
                let table = number(one, "Table")?.and_then(|table| u32::try_from(table).ok());
                let table = table.filter(|table| {
                    *table > 0 && round.tables.iter().all(|one| one.table != Some(*table))
                });
                let seats = [first, second].map(|player| SourceSeat { player, role: 0 }).to_vec();
                round.tables.push(SourceTable { table, seats, result, place });
            }
            _ => {
                let (what, found) = ("the match".to_owned(), format!("{} players", players.len()));
                return Err(
                    Fault::BadValue { what, found, expected: "one or two".into() }.at(place)
                );
            }
        }
        Ok(())
    }
}

/// How a match came out: by the winner's id, or by a status that says so.
fn outcome_of(one: &Element<'_>, ids: &[&str]) -> Result<Option<Won>, ImportError> {
    let winner = one.child("Winner");
    let id = winner.map(|winner| said(winner, "ID").unwrap_or_else(|| winner.text.trim()));
    if let (Some(winner), Some(id)) = (winner, id.filter(|id| !id.is_empty() && *id != "0")) {
        let seat = ids.iter().position(|own| *own == id);
        let bad = || {
            let (what, found) = ("Winner".to_owned(), super::error::shortened(id));
            Fault::BadValue { what, found, expected: "the ID of one of the two players".into() }
                .at(winner.place())
        };
        return Ok(Some(Won::Seat(seat.ok_or_else(bad)?)));
    }
    let status = said(one, "Status").unwrap_or_default().to_lowercase();
    Ok(match status.as_str() {
        "draw" | "tie" => Some(Won::Draw),
        "doubleloss" | "double loss" => Some(Won::BothLost),
        _ => None,
    })
}

/// Points, which an export packs with two percentages in tenths: 12562531 is 12, 56.2 % and 53.1 %.
fn unpacked(points: u64) -> (u64, Vec<PublishedValue>) {
    if points <= 999 {
        return (points, Vec::new());
    }
    let tenths = points / 1_000 % 1_000;
    let text = format!("0.{tenths:03}");
    (points / 1_000_000, vec![PublishedValue { measure: PublishedMeasure::Omw, text }])
}
