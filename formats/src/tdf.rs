//! The files of TOM, the program with which Play! Pokémon events are run: `.tdf`, in every state from set-up to
//! the final standings.
//!
//! A match's outcome says how it ended; the stages of rounds mean other things in other versions, and nothing
//! is decided from them but that a pod has no further Swiss round. Birth dates, the organizer and times are not kept.

mod division;
mod model;
mod phases;
mod write;

use super::build::{Oddities, day};
use super::source::*;
use super::{File, ImportError, WriteError, Written, check, sheet, xml};
use division::Division;
use model::{DISQUALIFIED, LEFT, Standing, System, Tom};
use phases::Phases;
use scrutineer_engine::event::{Day, DropReason, UnknownFact};
use std::borrow::Cow;
use std::collections::BTreeMap;

/// What stands before the id of a tournament in its identity.
const IDENTITY: &str = "tom ";

/// Such a file.
pub(super) struct Tdf;

impl super::Format for Tdf {
    fn name(&self) -> &'static str {
        "tdf"
    }

    fn ending(&self) -> &'static str {
        "tdf"
    }

    fn detect(&self, file: &File) -> bool {
        xml::text(file).is_some_and(|text| is_one(&text))
    }

    fn read(&self, file: &File) -> Result<Source, ImportError> {
        let text = xml::text(file).map_or_else(|| file.text().map(Cow::Borrowed), Ok)?;
        read(file.name, &text)
    }

    fn writes_into(&self) -> bool {
        true
    }

    fn write(&self, source: &Source, into: Option<&File>) -> Option<Result<Written, WriteError>> {
        Some(write::write(source, into))
    }
}

fn is_one(text: &str) -> bool {
    let has = |root: &xml::Element<'_>, name| root.attribute(name).is_some();
    xml::root(text).is_some_and(|root| {
        root.name == "tournament"
            && has(&root, "type")
            && (has(&root, "stage") || has(&root, "gametype"))
    })
}

/// Reads a text strictly.
fn read(name: &str, text: &str) -> Result<Source, ImportError> {
    let root = xml::parse(text)?;
    let mut oddities = Oddities::default();
    let tom = Tom::read(&root, &mut oddities)?;
    let data = root.child("data");
    let value = |name| data.and_then(|data| data.value(name));
    let held_on = value("startdate").and_then(|word| held_on(word, data, &mut oddities));
    let standings = tom.standings()?;
    let divisions = divisions(&tom, &standings, held_on);
    let found = Phases::of(&tom, &divisions);
    let phases = found.phases(&tom, &mut oddities);
    let rounds: Vec<SourceRound> = phases.iter().flat_map(|phase| phase.rounds.clone()).collect();
    // Before the first round there is none.
    if !rounds.is_empty() {
        check::rounds(&tom.list, &rounds)?;
    }
    let drops = drops(&tom, &found, &rounds, &standings, &mut oddities);
    check::drops(&tom.list, &rounds, &drops, true)?;
    let is_open = rounds.iter().flat_map(|round| &round.tables).any(|table| !table.has_result());
    let is_final = root.attribute("stage") == Some("5");
    if is_final && is_open {
        oddities
            .add(&root.place(), "The tournament is said to be over, and a match has no result.");
    }
    let games = rounds.iter().flat_map(|round| &round.tables);
    let games = games.filter_map(|table| sheet::games_of(&table.result.score));
    let scoresheet = sheet::games_sheet(Some(1), games);
    let title = value("name").map_or_else(|| super::build::stem(name), str::to_owned);
    let title = super::build::clean_name("the title", &title);
    let place = data.map_or_else(|| root.place(), |data| data.place());
    let title = title.map_err(|fault| fault.at(place))?;
    let identity = match value("id") {
        Some(id) => format!("{IDENTITY}{id}"),
        None => format!(
            "{IDENTITY}{title}{}",
            held_on.map_or_else(String::new, |day| format!(" {day}"))
        ),
    };
    let cuts = tom.cuts();
    let places = places(&standings, &root, &mut oddities);
    let has_begun = !rounds.is_empty();
    let division_rounds = division_rounds(&tom, &divisions, is_final);
    let goes_on = if is_final { Vec::new() } else { found.going_on(&tom, &divisions) };
    let mut players = tom.list.list;
    for (at, player) in players.iter_mut().enumerate() {
        player.publisher_id = Some(tom.players[at].id.to_owned());
        player.division = divisions[at].map(|division| division.word().to_owned());
        // At the first pairing TOM puts them into another order.
        player.sign_up = u32::try_from(at + 1).ok().filter(|_| !has_begun);
    }
    let sign_up = has_begun.then_some(UnknownFact::SignUpOrder);
    let always = [UnknownFact::Times, UnknownFact::Games, UnknownFact::HowItEnded];
    Ok(Source {
        platform: "tom".to_owned(),
        format: "tdf".to_owned(),
        identity,
        title,
        held_on,
        rules: Some("pokemon".to_owned()),
        cut: match cuts[..] {
            [(_, size)] if tom.system == System::SwissAndCut => Some(size),
            _ => None,
        },
        finished: is_final && !is_open,
        scoresheet,
        players,
        phases,
        drops,
        division_rounds,
        goes_on,
        places,
        unknown: sign_up.into_iter().chain(always).collect(),
        oddities: oddities.finish(),
        ..Source::default()
    })
}

/// The division of each player.
fn divisions(tom: &Tom<'_>, standings: &[Standing], held_on: Option<Day>) -> Vec<Option<Division>> {
    let of = |(at, player): (usize, &model::Player<'_>)| {
        let allowed = tom.pod_of[at].map(|pod| tom.pods[pod].divisions());
        division::division(player.year_of_birth, allowed.unwrap_or(&Division::ALL), held_on)
    };
    let mut divisions: Vec<_> = tom.players.iter().enumerate().map(of).collect();
    for one in standings.iter().rev() {
        let said = one.category.and_then(Division::of_code);
        divisions[one.player] = said.or(divisions[one.player]);
    }
    divisions
}

/// How many rounds each division plays before a cut, where the pods have different numbers: those that TOM has for
/// its pod, and once all is over those that it had.
fn division_rounds(
    tom: &Tom<'_>,
    divisions: &[Option<Division>],
    is_final: bool,
) -> Vec<(String, u16)> {
    let of = |pod: &model::Pod<'_>| match is_final || pod.swiss() < pod.rounds.len() {
        true => pod.swiss(),
        false => tom.swiss_rounds(pod, divisions).max(pod.swiss()),
    };
    let rounds: Vec<usize> = tom.pods.iter().map(of).collect();
    if tom.system == System::SingleElimination || rounds.iter().min() == rounds.iter().max() {
        return Vec::new();
    }
    // A division is in one pod.
    let mut all: BTreeMap<&str, u16> = BTreeMap::new();
    for (pod, rounds) in tom.pods.iter().zip(rounds) {
        for division in pod.roster.iter().filter_map(|player| divisions[*player]) {
            let rounds = u16::try_from(rounds).unwrap_or(u16::MAX);
            let most = all.entry(division.word()).or_default();
            *most = rounds.max(*most);
        }
    }
    all.into_iter().map(|(division, rounds)| (division.to_owned(), rounds)).collect()
}

/// Who left. Somebody who plays on after the round that the file names left after the last one that they play.
fn drops(
    tom: &Tom<'_>,
    found: &Phases<'_>,
    rounds: &[SourceRound],
    standings: &[Standing],
    oddities: &mut Oddities,
) -> Vec<SourceDrop> {
    let mut last = vec![0; tom.players.len()];
    for (number, round) in (1..).zip(rounds) {
        check::appearances(round).for_each(|(player, _)| last[player] = number);
    }
    let (mut is_out, mut is_placed) = (vec![false; last.len()], vec![false; last.len()]);
    for one in standings {
        let list = if one.is_finished { &mut is_placed } else { &mut is_out };
        list[one.player] = true;
    }
    let mut drops = Vec::new();
    for (at, player) in tom.players.iter().enumerate() {
        let Some(left) = &player.dropped else {
            if is_out[at] {
                let (why, after_round) = (DropReason::Disqualified, last[at]);
                let place = player.element.place();
                drops.push(SourceDrop { player: at, why, after_round, place });
            }
            continue;
        };
        let place = left.element.place();
        let pod = tom.pod_of[at];
        let said = left.round.unwrap_or(0);
        let after = pod.map_or(0, |pod| found.round_of(tom, pod, at, said));
        let after = u16::try_from(after).unwrap_or(u16::MAX);
        if after < last[at] && left.round.is_some() {
            let name = tom.list.name(at);
            let sentence =
                format!("{name:?} is said to have left after round {said}, and plays on.");
            oddities.add(&place, sentence);
        }
        let (why, odd) = how_they_left(left.status, is_out[at], is_placed[at]);
        if let Some(odd) = odd {
            oddities.add(&place, format!("{:?} {odd}", tom.list.name(at)));
        }
        drops.push(SourceDrop { player: at, why, after_round: after.max(last[at]), place });
    }
    drops
}

/// How somebody left who is marked so, by whether they stand among those who did not finish and among those who
/// have a place, and what is odd in it. Who left has a place; the others were disqualified.
fn how_they_left(
    status: &str,
    is_out: bool,
    is_placed: bool,
) -> (DropReason, Option<&'static str>) {
    match status {
        LEFT if is_out => {
            (DropReason::Left, Some("left, and stands among those who did not finish."))
        }
        LEFT => (DropReason::Left, None),
        // The standings are TOM's last word.
        DISQUALIFIED if is_placed && !is_out => (
            DropReason::Left,
            Some("is marked as disqualified, and stands among those who finished."),
        ),
        DISQUALIFIED => (DropReason::Disqualified, None),
        _ if is_out => (DropReason::Disqualified, None),
        _ => (DropReason::Left, None),
    }
}

/// The final places, which are those of each division.
fn places(
    standings: &[Standing],
    root: &xml::Element<'_>,
    oddities: &mut Oddities,
) -> Vec<SourcePlace> {
    let by_division =
        standings.iter().all(|one| one.category.and_then(Division::of_code).is_some());
    let mut categories: Vec<Option<u8>> =
        standings.iter().filter(|one| one.is_finished).map(|one| one.category).collect();
    categories.dedup();
    if !by_division && categories.len() > 1 {
        let place = root.child("standings").map_or_else(|| root.place(), |list| list.place());
        oddities.add(&place, "The standings are of other groups than divisions, and are left out.");
        return Vec::new();
    }
    let place = |one: &Standing| Some(SourcePlace { player: one.player, place: one.place? });
    standings.iter().filter_map(place).collect()
}

/// The day of a date as TOM writes it, month first; other programs write the day first.
fn held_on(word: &str, data: Option<&xml::Element<'_>>, oddities: &mut Oddities) -> Option<Day> {
    let word = word.split([' ', 'T']).next().unwrap_or_default();
    let parts: Vec<&str> = word.split('/').collect();
    let found = match parts[..] {
        [month, date, year] => {
            let as_written = day(&format!("{year}-{month:0>2}-{date:0>2}"));
            as_written.or_else(|| {
                let swapped = day(&format!("{year}-{date:0>2}-{month:0>2}"))?;
                let place = data.map_or_else(String::new, |data| data.place());
                oddities.add(&place, format!("The date {word:?} is read with the day first."));
                Some(swapped)
            })
        }
        _ => day(word),
    };
    if found.is_none() {
        let word = super::error::shortened(word);
        let place = data.map_or_else(String::new, |data| data.place());
        oddities.add(&place, format!("The date {word:?} is none."));
    }
    found
}
