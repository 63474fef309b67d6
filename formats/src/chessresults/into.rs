//! An upload into which a tournament is written: whatever the tournament does not say otherwise stays in it, byte for
//! byte.

use super::write::{attributes, byes, left_out, pairing, points, seats, words_of, words_of_bye};
use super::{NOBODY, half_points, kind_of_bye, measures, result};
use crate::build::Oddities;
use crate::matched::matched;
use crate::opengotha::number;
use crate::source::{PublishedMeasure, PublishedRow, Source, SourceBye, SourceTable};
use crate::trf::{other_ranks_told, results_of};
use crate::xml::{self, Element};
use crate::xml_edit::{Edits, escaped};
use crate::{File, ImportError, WriteError, Written, check};
use scrutineer_engine::event::{ByeKind, MatchResult};
use std::collections::{BTreeMap, BTreeSet};

/// What a pairing of the file says: its round, and the numbers of white and black, of whom nobody is 0 or below.
type PairingKey = (i64, [i64; 2]);

struct Writer<'w, 't> {
    source: &'w Source,
    root: &'w Element<'t>,
    head: &'w Element<'t>,
    /// The number that each player has in the file.
    numbers: Vec<u32>,
    /// The pairings of the file that were not found here so far.
    before: BTreeMap<PairingKey, &'w Element<'t>>,
    edits: Edits<'t>,
    /// How many ranks the file has otherwise.
    other_ranks: usize,
    left_out: Vec<String>,
}

/// Writes it.
///
/// # Errors
/// Where the file cannot be read, is of teams, or tells of somebody else or of a later round.
pub(super) fn write(source: &Source, file: &File<'_>) -> Result<Written, WriteError> {
    let not_read = |why: String| WriteError::IntoNotRead { why };
    let text = file.text.ok_or(WriteError::IntoNotUtf8)?;
    let refused = |error: ImportError| not_read(error.to_string());
    let root = xml::parse(text).map_err(refused)?;
    let own = super::read(file.name, &root).map_err(refused)?;
    let head = root.list("tournamentdata", "tournament").next();
    let head = head.ok_or_else(|| not_read("it says nothing of its tournament".into()))?;
    if matches!(head.attribute("type"), Some("2" | "3")) {
        let what = "it is of teams, and what they come to is not written".to_owned();
        return Err(WriteError::DiffersFromFile { place: head.place(), what });
    }
    let mut writer = Writer {
        source,
        numbers: Vec::new(),
        before: pairings(&root).map_err(refused)?,
        root: &root,
        head,
        edits: Edits::of(text),
        other_ranks: 0,
        left_out: left_out(source),
    };
    writer.players(&own)?;
    writer.rounds()?;
    writer.says_of_itself();
    // A mark of the encoding is not part of the text.
    let mark = if file.bytes.starts_with("\u{feff}".as_bytes()) { "\u{feff}" } else { "" };
    let Writer { edits, left_out, .. } = writer;
    Ok(Written { text: format!("{mark}{}", edits.apply()), left_out })
}

/// The pairings of the file that have a player.
fn pairings<'w, 't>(
    root: &'w Element<'t>,
) -> Result<BTreeMap<PairingKey, &'w Element<'t>>, ImportError> {
    let mut all = BTreeMap::new();
    for one in root.list("playerpairings", "playerpairing") {
        let side = |key: &str| one.attribute(key).map_or(Ok(NOBODY), |_| number(one, key));
        let players = [side("whiteno")?, side("blackno")?];
        if players.iter().any(|player| *player > 0) {
            all.insert((number(one, "round")?, players), one);
        }
    }
    Ok(all)
}

impl Writer<'_, '_> {
    /// Finds everybody in the file, and says their points, ranks and tie-breaks there.
    fn players(&mut self, own: &Source) -> Result<(), WriteError> {
        let found = matched(self.source, own);
        let is_same = found.iter().flatten().any(|one| one.is_sure);
        let plays: BTreeSet<usize> = self
            .source
            .rounds()
            .flat_map(|(_, round)| check::appearances(round))
            .map(|one| one.0)
            .collect();
        let unknown = |at: &&usize| found.get(**at).is_none_or(Option::is_none);
        if let Some(at) = plays.iter().find(unknown).filter(|_| !is_same) {
            let player = self.source.players[*at].name.clone();
            return Err(WriteError::NotInFile { player });
        }
        let mut last = own.players.iter().filter_map(|player| player.sign_up).max().unwrap_or(0);
        let number = |one: &Option<crate::matched::Found>| match one {
            Some(one) => own.players[one.at].sign_up.unwrap_or(0),
            None => {
                last = last.saturating_add(1);
                last
            }
        };
        self.numbers = found.iter().map(number).collect();
        let measures = measures(self.head);
        let elements: Vec<&Element<'_>> = self.root.list("players", "player").collect();
        let mut new = Vec::new();
        for (at, found) in found.iter().enumerate() {
            let element = found.as_ref().and_then(|one| elements.get(one.at));
            match element {
                Some(element) => self.player(at, element, &measures),
                None => {
                    let number = self.numbers[at];
                    let all = attributes(self.source, at, &self.source.players[at], number, &[]);
                    new.extend(lines("player", &all));
                }
            }
        }
        self.append("players", new);
        let is_other = |at: &u8| {
            let code = self.head.attribute(&format!("tb{at}no")).filter(|code| *code != "0");
            code.is_some() && measures.iter().all(|(key, _)| *key != format!("tb{at}"))
        };
        if self.other_ranks > 0 {
            self.left_out.push(other_ranks_told(self.source, self.other_ranks));
        }
        let others = (1..=6).filter(is_other).count();
        if others > 0 {
            let what = "tie-breaks of other kinds, which stay as the file has them";
            self.left_out.push(format!("{what}: {others}"));
        }
        Ok(())
    }

    fn player(
        &mut self,
        at: usize,
        element: &Element<'_>,
        measures: &[(String, PublishedMeasure)],
    ) {
        let player = &self.source.players[at];
        for (key, own) in [("title", &player.title), ("fed", &player.federation)] {
            if let Some(own) = own.as_deref().filter(|own| element.attribute(key) != Some(*own)) {
                self.edits.set(element, key, own);
            }
        }
        let row = self.source.published.iter().find(|row| row.player == at);
        let Some(row) = row else { return };
        let rank = row.rank.to_string();
        self.other_ranks += usize::from(element.attribute("rank").is_some_and(|own| own != rank));
        self.number(element, "rank", &rank);
        self.number(element, "pts", &points(row.points_tenths));
        for (key, measure) in measures {
            if let Some(value) = value(row, *measure) {
                self.number(element, key, &value);
            }
        }
    }

    /// Says a number, where the file has another.
    fn number(&mut self, element: &Element<'_>, key: &str, own: &str) {
        let plain = |text: &str| {
            let text = text.replace(',', ".");
            match text.contains('.') {
                true => text.trim_end_matches('0').trim_end_matches('.').to_owned(),
                false => text,
            }
        };
        if element.attribute(key).map(plain) != Some(plain(own)) {
            self.edits.set(element, key, own);
        }
    }

    fn rounds(&mut self) -> Result<(), WriteError> {
        let mut new = Vec::new();
        for (round, (_, paired)) in (1..).zip(self.source.rounds()) {
            let numbers = paired.numbers();
            for (table, own) in paired.tables.iter().zip(&numbers) {
                let players = seats(paired, table)?;
                self.table(round, table, players, *own, &mut new);
            }
            let mut next = numbers.into_iter().max().unwrap_or(0);
            for bye in byes(self.source, round, paired) {
                next = next.saturating_add(1);
                self.bye(round, &bye, next, &mut new);
            }
        }
        let played = self.source.rounds().count();
        let (gone, later): (Vec<_>, Vec<_>) = std::mem::take(&mut self.before)
            .into_iter()
            .partition(|((round, _), _)| usize::try_from(*round).is_ok_and(|one| one <= played));
        if let Some(((round, _), element)) = later.first() {
            let what = format!("round {round} is paired there, and is not here");
            return Err(WriteError::DiffersFromFile { place: element.place(), what });
        }
        gone.into_iter().for_each(|(_, element)| self.edits.remove(element));
        self.append("playerpairings", new);
        Ok(())
    }

    fn table(
        &mut self,
        round: usize,
        table: &SourceTable,
        players: [usize; 2],
        own: u32,
        new: &mut Vec<String>,
    ) {
        let players = players.map(|player| self.numbers[player]);
        let found = self.before.remove(&(round as i64, players.map(i64::from)));
        let (points, forfeit) = words_of(&table.result);
        let Some(element) = found else {
            let players = players.map(|player| player.to_string());
            new.extend(lines("playerpairing", &pairing(round, own, players, points, forfeit)));
            return;
        };
        let stands = element.attribute("pairing").and_then(|own| own.parse().ok());
        if let Some(own) = table.table.filter(|own| stands != Some(*own)) {
            self.edits.set(element, "pairing", &own.to_string());
        }
        let says = of_element(element).map(|result| results_of(&result));
        let is_adjourned =
            element.attribute("forfeit").is_some_and(|own| own.eq_ignore_ascii_case("H"));
        if table.has_result() && says != Some(results_of(&table.result))
            || table.result.is_postponed() && !is_adjourned
        {
            self.say(element, points, forfeit);
        }
    }

    fn bye(&mut self, round: usize, bye: &SourceBye, own: u32, new: &mut Vec<String>) {
        let player = self.numbers[bye.player];
        let (other, points, forfeit) = words_of_bye(bye.kind);
        let is_own = |key: &&PairingKey| {
            let (of_round, [white, black]) = **key;
            let sides = [(white, black), (black, white)];
            of_round == round as i64 && sides.iter().any(|s| s.0 == i64::from(player) && s.1 <= 0)
        };
        let key = self.before.keys().find(is_own).copied();
        let Some((key, element)) = key.and_then(|key| self.before.remove_entry(&key)) else {
            let players = [player.to_string(), other.to_owned()];
            new.extend(lines("playerpairing", &pairing(round, own, players, points, forfeit)));
            return;
        };
        let (of_other, of_points) = match key.1[0] > 0 {
            true => ("blackno", "reswhite"),
            false => ("whiteno", "resblack"),
        };
        let nobody = key.1.into_iter().min().unwrap_or(NOBODY);
        let stands = half_points(element, of_points).ok();
        let stands = stands.map(|points| kind_of_bye(nobody, points));
        let as_written = match bye.kind {
            ByeKind::Vacant => ByeKind::Assigned,
            ByeKind::AwardedLoss => ByeKind::Zero,
            kind => kind,
        };
        if stands != Some(as_written) {
            self.edits.set(element, of_other, other);
            let [one, two] = points;
            self.say(element, if of_other == "blackno" { [one, two] } else { [two, one] }, forfeit);
        }
    }

    fn say(&mut self, element: &Element<'_>, [white, black]: [&str; 2], forfeit: &str) {
        self.edits.set(element, "reswhite", white);
        self.edits.set(element, "resblack", black);
        self.edits.set(element, "forfeit", forfeit);
    }

    /// What the file says of the tournament: how many rounds, how far it is, and whether it is over.
    fn says_of_itself(&mut self) {
        let (source, head) = (self.source, self.head);
        let count = |key: &str| head.attribute(key).and_then(|own| own.parse::<usize>().ok());
        let played = source.rounds().count();
        let planned = played.max(source.planned_rounds.map_or(0, usize::from));
        let listed = self.root.list("rounds", "round").count();
        if count("rounds").unwrap_or(0) < planned {
            self.edits.set(head, "rounds", &planned.to_string());
        }
        // A program that lists no rounds need not be told of further ones.
        let more = (listed + 1..=planned).filter(|_| listed > 0);
        self.append(
            "rounds",
            more.flat_map(|n| lines("round", &[("round", n.to_string())])).collect(),
        );
        let after = source.published_after.filter(|_| !source.published.is_empty());
        let told = [("currentround", Some(played)), ("rankinground", after.map(usize::from))];
        for (key, own) in told {
            if let Some(own) = own.filter(|own| count(key) != Some(*own)) {
                self.edits.set(head, key, &own.to_string());
            }
        }
        let ended = if source.finished { "J" } else { "N" };
        if (head.attribute("endstatus") == Some("J")) != source.finished {
            self.edits.set(head, "endstatus", ended);
        }
    }

    /// Adds to a list, which may be missing.
    fn append(&mut self, list: &str, new: Vec<String>) {
        match self.root.child(list) {
            _ if new.is_empty() => {}
            Some(element) => self.edits.append(element, &new),
            None => {
                let new = new.into_iter().map(|line| format!("\t{line}"));
                let first = std::iter::once(format!("<{list}>"));
                let whole: Vec<String> = first.chain(new).chain([format!("</{list}>")]).collect();
                self.edits.append(self.root, &whole);
            }
        }
    }
}

/// What a game of the file came to.
fn of_element(element: &Element<'_>) -> Option<MatchResult> {
    let halves = [half_points(element, "reswhite").ok()?, half_points(element, "resblack").ok()?];
    let forfeit = element.attribute("forfeit").unwrap_or_default();
    result(halves, forfeit, "", &mut Oddities::default()).ok()
}

/// A tie-break's value as the publisher prints it.
fn value(row: &PublishedRow, measure: PublishedMeasure) -> Option<String> {
    let value = row.values.iter().find(|value| value.measure == measure)?;
    Some(value.text.replace('.', ","))
}

/// An element in lines, each attribute in one.
fn lines(name: &str, attributes: &[(&str, String)]) -> Vec<String> {
    let inner = attributes.iter().map(|(name, value)| format!("    {name}=\"{}\"", escaped(value)));
    std::iter::once(format!("<{name}")).chain(inner).chain(["/>".to_owned()]).collect()
}
