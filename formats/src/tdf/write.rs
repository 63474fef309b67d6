//! Writes a tournament into TOM's own file of it. Whatever the tournament does not say otherwise stays as TOM
//! wrote it, byte for byte.

mod players;
mod rounds;
mod wanted;

use super::model::{Pod, Tom};
use crate::build::Oddities;
use crate::source::Source;
use crate::written::{WriteError, Written};
use crate::xml::Element;
use crate::xml_edit::Edits;
use crate::{File, xml};
use scrutineer_engine::names::folded;
use std::collections::{BTreeMap, BTreeSet};
use wanted::Wanted;

/// Writes it.
///
/// # Errors
/// Without a file of TOM, or where that file is of another tournament.
pub(super) fn write(source: &Source, into: Option<&File<'_>>) -> Result<Written, WriteError> {
    let Some(into) = into else { return Err(WriteError::NeedsFile { program: "TOM" }) };
    let not_read = |why: String| WriteError::IntoNotRead { why };
    let Some(text) = into.text else { return Err(WriteError::IntoNotUtf8) };
    let own = super::read(into.name, text).map_err(|error| not_read(error.to_string()))?;
    let root = xml::parse(text).map_err(|error| not_read(error.to_string()))?;
    let tom = Tom::read(&root, &mut Oddities::default());
    let tom = tom.map_err(|error| not_read(error.to_string()))?;
    // Players alone do not say which tournament it is: a club has the same ones each month.
    if let (Some(file), Some(from)) = (id_of(&own.identity), id_of(&source.identity))
        && file != from
    {
        return Err(WriteError::OfAnother { file: file.to_owned(), own: from.to_owned() });
    }
    let mut index: Vec<Option<usize>> = source
        .players
        .iter()
        .map(|player| tom.list.known(player.publisher_id.as_deref()?))
        .collect();
    let other_ids = known_by_name(source, &own, &mut index);
    let mut writer = Writer {
        source,
        own: &own,
        pods: pods(&tom, &own, source, &index),
        stamp: stamp(&tom),
        tom: &tom,
        index,
        other_ids,
        edits: Edits::of(text),
        left_out: BTreeMap::new(),
    };
    let wanted = Wanted::of(&writer)?;
    writer.rounds(&wanted)?;
    writer.left(&wanted);
    writer.tell();
    // A mark of the encoding is not part of the text.
    let mark = &into.bytes[..into.bytes.len() - text.len()];
    let mark = std::str::from_utf8(mark).unwrap_or_default();
    let left_out = writer.left_out.iter().map(|(what, count)| match count {
        0 => (*what).to_owned(),
        count => format!("{what}: {count}"),
    });
    let left_out = left_out.collect();
    Ok(Written { text: format!("{mark}{}", writer.edits.apply()), left_out })
}

/// Under which id TOM has the tournament of this identity, or its title and day; none: it is not TOM's.
fn id_of(identity: &str) -> Option<&str> {
    identity.strip_prefix(super::IDENTITY)
}

/// Finds whom TOM has under another id, mended there or here, by their name: who alone is called so on both sides. Says
/// how many they are.
fn known_by_name(source: &Source, own: &Source, index: &mut [Option<usize>]) -> usize {
    let taken: BTreeSet<usize> = index.iter().flatten().copied().collect();
    let mut called: BTreeMap<String, [Vec<usize>; 2]> = BTreeMap::new();
    for (side, players) in [&source.players, &own.players].into_iter().enumerate() {
        for (at, player) in players.iter().enumerate() {
            called.entry(folded(&player.name)).or_default()[side].push(at);
        }
    }
    let mut found = 0;
    for both in called.values() {
        if let [[one], [other]] = [&both[0][..], &both[1][..]]
            && index[*one].is_none()
            && !taken.contains(other)
        {
            index[*one] = Some(*other);
            found += 1;
        }
    }
    found
}

struct Writer<'w, 't> {
    source: &'w Source,
    /// What the file says before anything is written into it.
    own: &'w Source,
    tom: &'w Tom<'t>,
    /// TOM's player for each of the source.
    index: Vec<Option<usize>>,
    /// How many of them are known by their name.
    other_ids: usize,
    /// The pod of each of TOM's players.
    pods: Vec<Option<usize>>,
    /// The time that stands where something new has one.
    stamp: String,
    edits: Edits<'w>,
    /// What is not in the file, with how often; 0: that is not counted.
    left_out: BTreeMap<&'static str, usize>,
}

impl Writer<'_, '_> {
    fn leave_out(&mut self, what: &'static str) {
        *self.left_out.entry(what).or_default() += 1;
    }

    /// Tells what of the tournament such a file has no room for, or keeps as it is.
    fn tell(&mut self) {
        let source = self.source;
        let mut tell = |count: usize, what: &'static str| {
            if count > 0 {
                self.left_out.insert(what, count);
            }
        };
        let unknown = self.index.iter().filter(|player| player.is_none());
        tell(unknown.count(), "players who are not in TOM's file, and play in no round");
        tell(
            self.other_ids,
            "ids of players whom TOM's file has under another one, by which they stay there",
        );
        let is_one_game =
            |games: crate::sheet::Games| matches!(games, [1, 0, 0] | [0, 1, 0] | [0, 0, 1]);
        let scores = source.rounds().flat_map(|(_, round)| &round.tables);
        let scores = scores.filter_map(|table| crate::sheet::games_of(&table.result.score));
        tell(
            scores.filter(|games| !is_one_game(*games)).count(),
            "scores of matches, of which only the winner is written",
        );
        tell(source.weighed_rounds(), "rounds that count more or less than others");
        tell(source.described(), "titles and federations of players");
        tell(source.published.len(), "rows of the standings, which TOM makes itself");
        if !self.edits.is_empty() {
            self.left_out.insert("times: what was written has the last one of TOM's file", 0);
        }
        if source.finished && !self.own.finished {
            self.left_out.insert("the end of the tournament: end it in TOM", 0);
        }
        if source.title != self.own.title {
            self.left_out.insert("the title: TOM's file keeps its own", 0);
        }
    }
}

/// The pod of each of TOM's players: where they are listed or play, otherwise that of their division, where there
/// is just one.
fn pods(
    tom: &Tom<'_>,
    own: &Source,
    source: &Source,
    index: &[Option<usize>],
) -> Vec<Option<usize>> {
    let mut divisions: Vec<Option<&str>> =
        own.players.iter().map(|player| player.division.as_deref()).collect();
    for (player, at) in source.players.iter().zip(index) {
        if let (Some(at), Some(division)) = (at, &player.division) {
            divisions[*at].get_or_insert(division);
        }
    }
    let fits = |pod: &Pod<'_>, division: Option<&str>| {
        tom.pods.len() == 1 || pod.divisions().iter().any(|one| Some(one.word()) == division)
    };
    let by_division = |at: usize| {
        let mut fitting = (0..tom.pods.len()).filter(|pod| fits(&tom.pods[*pod], divisions[at]));
        fitting.next().filter(|_| fitting.next().is_none())
    };
    (0..tom.players.len()).map(|at| tom.pod_of[at].or_else(|| by_division(at))).collect()
}

/// The last time that stands in a file: there is no clock here.
fn stamp(tom: &Tom<'_>) -> String {
    let rounds = tom.pods.iter().rev().flat_map(|pod| pod.rounds.iter().rev());
    let paired = rounds.clone().find_map(|round| round.element.value("pairtime"));
    let matches = rounds.flat_map(|round| round.matches.iter().rev());
    let reported = || matches.clone().find_map(|one| one.element.value("timestamp"));
    let players = tom.players.iter().rev();
    let entered = || players.clone().find_map(|one| one.element.value("lastmodifieddate"));
    let day = || tom.root.child("data").and_then(|data| data.value("startdate"));
    let found = paired.or_else(reported).or_else(entered).map(str::to_owned);
    found.unwrap_or_else(|| day().map_or_else(String::new, |day| format!("{day} 00:00:00")))
}

/// An element of one line.
fn line(name: &str, value: &str) -> String {
    format!("<{name}>{}</{name}>", crate::xml_edit::escaped(value))
}

/// A list of lines as the children of an element, whose first tag this is.
fn block(tag: &str, lines: impl IntoIterator<Item = String>) -> Vec<String> {
    let name = tag.split(' ').next().unwrap_or_default();
    let inner = lines.into_iter().map(|line| format!("\t{line}"));
    let first = std::iter::once(format!("<{tag}>"));
    first.chain(inner).chain(std::iter::once(format!("</{name}>"))).collect()
}

/// The value of a number that stands in an element.
fn count(element: Option<&Element<'_>>, name: &str) -> usize {
    element.and_then(|element| element.value(name)?.parse().ok()).unwrap_or(0)
}
