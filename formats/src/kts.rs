//! The `.Tournament` XML of Konami's KTS.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use super::build::{Oddities, Players, clean_name, day};
use super::outcome::{self, Won};
use super::source::*;
use super::xml::{self, Element};
use super::{Fault, File, ImportError, check, limits, numbered, phases, sheet};
use scrutineer_engine::event::{ByeKind, DropReason, How, PhaseKind, RoundWeight, UnknownFact};

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

/// Whether a child says `True`.
fn is_true(element: &Element<'_>, name: &str) -> bool {
    said(element, name).is_some_and(|word| word.eq_ignore_ascii_case("true"))
}

/// The id that an element holds, in a child or as its own text.
fn id_text<'a>(element: &'a Element<'_>) -> &'a str {
    said(element, "ID").unwrap_or_else(|| element.text.trim())
}

/// An id as it is compared: the list of players fills it up with zeros in front, matches do not. Of nobody it is empty.
fn plain(id: &str) -> &str {
    if id.eq_ignore_ascii_case("bye") {
        return "";
    }
    let is_number = id.bytes().all(|digit| digit.is_ascii_digit());
    if is_number { id.trim_start_matches('0') } else { id }
}

/// Whether every match is one of playoffs, as where KTS runs a single elimination from the first round; rounds that
/// somebody missed who came late are marked as none.
fn is_knockout(root: &Element<'_>) -> bool {
    let mut matches = root.list("Matches", "TournMatch").filter(|one| !is_lost(one)).peekable();
    matches.peek().is_some() && matches.all(|one| is_true(one, "PlayoffMatch"))
}

fn read(file: &str, root: &Element<'_>) -> Result<Source, ImportError> {
    let title = said(root, "Name").map_or_else(|| super::build::stem(file), str::to_owned);
    let title = clean_name("the title", &title).map_err(|fault| fault.at(root.place()))?;
    // It is the number of the first round of the cut, not who is in it.
    let cut_from = said(root, "PlayoffRound").and_then(|text| text.parse::<u64>().ok());
    let mut reader = Reader {
        cut_from: cut_from.filter(|round| *round > 0),
        is_knockout: is_knockout(root),
        ..Reader::default()
    };
    for one in root.list("TournamentPlayers", "TournPlayer") {
        reader.player(one)?;
    }
    let phases = reader.phases(root)?;
    let held_on = said(root, "Date").and_then(day);
    let date = held_on.map_or_else(String::new, |day| format!(" {day}"));
    let identity = match said(root, "ID") {
        Some(id) => format!("kts {id}"),
        None => format!("kts {title}{date}"),
    };
    let is_final = is_true(root, "Finalized");
    let source = reader.finish(phases, is_final)?;
    Ok(Source { identity, title, held_on, ..source })
}

/// A row of the standings.
struct Row {
    player: usize,
    rank: u32,
    /// Points, opponents' percentage and that of their opponents in one number, by which KTS orders its Swiss rounds.
    packed: u64,
}

#[derive(Default)]
struct Reader {
    players: Players,
    oddities: Oddities,
    rows: Vec<Row>,
    drops: Vec<SourceDrop>,
    /// Whether the file says who left.
    tells_drops: bool,
    /// How many players are still in.
    active: usize,
    /// The number of the first round of the cut, once it was made.
    cut_from: Option<u64>,
    is_knockout: bool,
}

/// The rounds by their numbers, those of the cut last: they run on, or begin anew.
type Rounds = BTreeMap<(bool, u64), SourceRound>;

impl Reader {
    fn player(&mut self, one: &Element<'_>) -> Result<(), ImportError> {
        let place = one.place();
        let own = one.child("Player").unwrap_or(one);
        let missing = || Fault::Missing { what: "ID".into() }.at(place.as_str());
        // Ten digits with zeros in front: a text.
        let id = said(own, "ID").ok_or_else(missing)?;
        if self.players.known(plain(id)).is_some() {
            let (player, round) = (super::error::shortened(id), "TournamentPlayers".to_owned());
            return Err(Fault::TwiceInRound { player, round, other: "above".into() }.at(place));
        }
        let names = [said(own, "FirstName"), said(own, "LastName")];
        let name = names.into_iter().flatten().collect::<Vec<_>>().join(" ");
        let name = if name.is_empty() { id } else { name.as_str() };
        let player = self.players.add(plain(id), name, &place)?;
        if let Some(player) = self.players.list.get_mut(player) {
            player.publisher_id = Some(id.to_owned());
        }
        self.left(player, one)?;
        self.row(player, one)
    }

    /// Whether a player left. Who was not in the cut, or lost in it, did not: they were out.
    fn left(&mut self, player: usize, one: &Element<'_>) -> Result<(), ImportError> {
        let round = number(one, "DropRound")?;
        self.tells_drops |= round.is_some();
        let reason = said(one, "DropReason").unwrap_or("Drop").to_lowercase();
        let Some(round) = round.filter(|round| *round > 0 && reason != "active") else {
            self.active += 1;
            return Ok(());
        };
        let why = match reason.as_str() {
            // Of a single elimination, it is what a loss is called.
            "cut" if self.is_knockout => return Ok(()),
            // During the Swiss rounds some are cut, who do not play on.
            "drop" | "cut" | "topx" => DropReason::Left,
            _ if reason.starts_with("disq") => DropReason::Disqualified,
            _ => return Ok(()),
        };
        let (after_round, place) = (u16::try_from(round).unwrap_or(u16::MAX), one.place());
        self.drops.push(SourceDrop { player, why, after_round, place });
        Ok(())
    }

    fn row(&mut self, player: usize, one: &Element<'_>) -> Result<(), ImportError> {
        let (rank, packed) = (number(one, "Rank")?, number(one, "Points")?);
        let rank = rank.and_then(|rank| u32::try_from(rank).ok()).filter(|rank| *rank > 0);
        let (Some(rank), Some(packed)) = (rank, packed) else { return Ok(()) };
        let (points, _) = unpacked(packed);
        // KTS itself writes points there, others wins.
        let is_other = |wins: &u64| *wins != points && wins.saturating_mul(3) != points;
        if let Some(wins) = number(one, "Wins")?.filter(is_other) {
            let sentence = format!("{points} points are not 3 for each of {wins} wins.");
            self.oddities.add(&one.place(), sentence);
        }
        self.rows.push(Row { player, rank, packed });
        Ok(())
    }

    /// The Swiss rounds, and the cut behind them; or a single elimination from the first round.
    fn phases(&mut self, root: &Element<'_>) -> Result<Vec<SourcePhase>, ImportError> {
        let mut rounds = Rounds::new();
        for one in root.list("Matches", "TournMatch") {
            self.game(one, &mut rounds)?;
        }
        // KTS takes it away as soon as there is another one.
        if rounds.len() == 1 && rounds.remove(&(false, 0)).is_some() {
            let sentence = "Round 0 seats everybody before the first round: it was left out.";
            self.oddities.add(&root.place(), sentence);
        }
        let numbers = rounds
            .keys()
            .map(|(is_cut, round)| (i64::from(*is_cut), i64::try_from(*round).unwrap_or(i64::MAX)));
        numbered::refuse_gaps(numbers, &root.place(), "")?;
        let (mut swiss, mut cut) = (Vec::new(), Vec::new());
        for ((is_cut, _), round) in rounds {
            if is_cut { cut.push(round) } else { swiss.push(round) }
        }
        check::numbers_once(&mut swiss);
        check::numbers_once(&mut cut);
        let mut phases = Vec::new();
        if !swiss.is_empty() || cut.is_empty() {
            let entrants = (0..self.players.list.len()).collect();
            phases.push(SourcePhase { entrants, ..phases::phase(PhaseKind::Swiss, swiss) });
        }
        if !cut.is_empty() {
            phases.push(self.cut(cut, !phases.is_empty()));
        }
        Ok(phases)
    }

    /// The cut, which KTS seeds by the order after the Swiss rounds where that leaves nobody equal; a single
    /// elimination from the first round is shuffled.
    fn cut(&self, rounds: Vec<SourceRound>, has_swiss: bool) -> SourcePhase {
        let mut phase = phases::phase(PhaseKind::Elimination, rounds);
        let order: BTreeMap<usize, u64> =
            self.rows.iter().map(|row| (row.player, in_order(row.packed))).collect();
        let own = |player: &usize| order.get(player).copied();
        let different: BTreeSet<u64> = phase.entrants.iter().filter_map(own).collect();
        phase.seeded = has_swiss && different.len() == phase.entrants.len();
        if phase.seeded {
            phase.entrants.sort_by_key(|player| Reverse(own(player)));
        }
        phase
    }

    fn game(&mut self, one: &Element<'_>, rounds: &mut Rounds) -> Result<(), ImportError> {
        let place = one.place();
        let missing = || Fault::Missing { what: "Round".into() }.at(place.as_str());
        let number = number(one, "Round")?.ok_or_else(missing)?;
        let is_cut = self.is_knockout
            || is_true(one, "PlayoffMatch")
            || self.cut_from.is_some_and(|from| number >= from);
        if rounds.len() >= limits::ROUNDS && !rounds.contains_key(&(is_cut, number)) {
            return Err(Fault::TooMany { what: "rounds", limit: limits::ROUNDS }.at(place));
        }
        let seated = self.seated(one)?;
        if is_cut && seated.len() == 1 && is_lost(one) {
            let sentence =
                "A round that somebody missed who came late is none of a cut: it was left out.";
            self.oddities.add(&place, sentence);
            return Ok(());
        }
        let name = format!("Round {number}");
        let (tables, byes) = (Vec::new(), Vec::new());
        let empty = SourceRound { name, weight: RoundWeight::ONE, tables, byes };
        let round = rounds.entry((is_cut, number)).or_insert(empty);
        match seated[..] {
            [] => self.oddities.add(&place, "A match without players was left out."),
            [(player, _)] => {
                let kind = if is_lost(one) { ByeKind::AwardedLoss } else { ByeKind::Assigned };
                round.byes.push(SourceBye { player, kind, reported: None, place });
            }
            [first, second] => {
                round.tables.push(table(one, [first, second])?);
            }
            _ => {
                let (what, found) = ("the match".to_owned(), format!("{} players", seated.len()));
                return Err(
                    Fault::BadValue { what, found, expected: "one or two".into() }.at(place)
                );
            }
        }
        Ok(())
    }

    /// Who plays in a match, each with their id.
    fn seated<'a>(&self, one: &'a Element<'_>) -> Result<Vec<(usize, &'a str)>, ImportError> {
        let mut seated = Vec::new();
        for own in one.all("Player") {
            let id = plain(id_text(own));
            if id.is_empty() {
                continue;
            }
            let unknown = || Fault::UnknownPlayer { name: super::error::shortened(id) };
            let known = self.players.known(id);
            seated.push((known.ok_or_else(|| unknown().at(own.place()))?, id));
        }
        Ok(seated)
    }

    /// The standings; ranks of a file with a cut are the final ones, and those after the Swiss rounds come from the
    /// packed points.
    fn published(&self, has_cut: bool) -> Vec<PublishedRow> {
        let mut order: Vec<u64> = self.rows.iter().map(|row| in_order(row.packed)).collect();
        order.sort_unstable();
        let row = |row: &Row| {
            let behind = order.partition_point(|other| *other <= in_order(row.packed));
            let after_swiss = u32::try_from(order.len() - behind + 1).unwrap_or(u32::MAX);
            let (points, values) = unpacked(row.packed);
            PublishedRow {
                rank: if has_cut { after_swiss } else { row.rank },
                player: row.player,
                points_tenths: i64::try_from(points).unwrap_or(i64::MAX).saturating_mul(10),
                record: None,
                values,
            }
        };
        self.rows.iter().map(row).collect()
    }

    /// Nobody left before the last round in which they stand, or after the last one there is.
    fn settle_drops(&mut self, rounds: &[SourceRound]) {
        let mut last: BTreeMap<usize, u16> = BTreeMap::new();
        for (number, round) in (1u16..).zip(rounds) {
            last.extend(check::appearances(round).map(|(player, _)| (player, number)));
        }
        let most = u16::try_from(rounds.len()).unwrap_or(u16::MAX);
        for drop in &mut self.drops {
            let played = last.get(&drop.player).copied().unwrap_or(0);
            if drop.after_round < played {
                let name = self.players.name(drop.player);
                let sentence = format!(
                    "{name:?} is said to have left after round {}, and plays in round {played}.",
                    drop.after_round
                );
                self.oddities.add(&drop.place, sentence);
            }
            drop.after_round = drop.after_round.max(played).min(most);
        }
    }

    fn finish(
        mut self,
        mut phases: Vec<SourcePhase>,
        is_final: bool,
    ) -> Result<Source, ImportError> {
        let rounds: Vec<SourceRound> =
            phases.iter().flat_map(|phase| phase.rounds.clone()).collect();
        if !rounds.is_empty() {
            check::rounds(&self.players, &rounds)?;
        }
        self.settle_drops(&rounds);
        let is_open = outcome::settle(&mut phases, &mut self.oddities);
        let swiss = phases.first().filter(|phase| !phase.kind.is_bracket());
        let after = swiss.map_or(rounds.len(), |phase| phase.rounds.len());
        // Where it was made and is not paired yet, it is for those who are still in.
        let to_come = self.cut_from.filter(|_| !is_final && swiss.is_some()).map(|_| self.active);
        let cut = phases.get(1);
        let size = cut.map_or(to_come, |cut| Some(cut.entrants.len()));
        // Ranks of an open file are not final.
        let published = if is_final { self.published(cut.is_some()) } else { Vec::new() };
        let mut places = Vec::new();
        if let Some(cut) = cut.filter(|_| is_final) {
            let entrants: BTreeSet<usize> = cut.entrants.iter().copied().collect();
            let rows = self.rows.iter().filter(|row| entrants.contains(&row.player));
            places.extend(rows.map(|row| SourcePlace { player: row.player, place: row.rank }));
        }
        let mut unknown =
            vec![UnknownFact::SignUpOrder, UnknownFact::Times, UnknownFact::KindOfBye];
        unknown.extend((!self.tells_drops).then_some(UnknownFact::Drops));
        unknown.extend([UnknownFact::Games, UnknownFact::HowItEnded]);
        unknown.extend((rounds.is_empty() && is_final).then_some(UnknownFact::EarlierRounds));
        Ok(Source {
            platform: "kts".to_owned(),
            rules: Some("yugioh".to_owned()),
            format: "kts".to_owned(),
            cut: size.and_then(|size| u32::try_from(size).ok()).filter(|size| *size > 1),
            finished: is_final && !is_open,
            scoresheet: sheet::games_sheet(Some(1), std::iter::empty()),
            players: self.players.list,
            phases,
            drops: self.drops,
            published_after: u16::try_from(after).ok().filter(|_| !published.is_empty()),
            published_digits: (!published.is_empty()).then_some(3),
            published,
            places,
            unknown,
            oddities: self.oddities.finish(),
            ..Source::default()
        })
    }
}

/// A match of two.
fn table(one: &Element<'_>, seated: [(usize, &str); 2]) -> Result<SourceTable, ImportError> {
    let result = match outcome_of(one, seated.map(|(_, id)| id))? {
        Some(won) => outcome::result(None, Some(won), How::Unknown),
        None => outcome::open(),
    };
    let table = number(one, "Table")?.and_then(|table| u32::try_from(table).ok());
    let table = table.filter(|table| *table > 0);
    let seats = seated.map(|(player, _)| SourceSeat { player, role: 0 }).to_vec();
    Ok(SourceTable { table, seats, result, place: one.place() })
}

/// Whether a bye is no win: who comes late gets one for each round that they missed, and nobody is its winner. One
/// that was never reported, as others write it, is a win.
fn is_lost(one: &Element<'_>) -> bool {
    let winner = one.child("Winner").map_or("", id_text);
    match said(one, "Status").unwrap_or_default().to_lowercase().as_str() {
        "winner" => !winner.is_empty() && plain(winner).is_empty(),
        "doubleloss" | "double loss" => true,
        _ => false,
    }
}

/// How a match came out: by the winner's id, or by a status that says so.
fn outcome_of(one: &Element<'_>, ids: [&str; 2]) -> Result<Option<Won>, ImportError> {
    if let Some(winner) = one.child("Winner").filter(|winner| !plain(id_text(winner)).is_empty()) {
        let seat = ids.iter().position(|own| *own == plain(id_text(winner)));
        let bad = || {
            let (what, found) = ("Winner".to_owned(), super::error::shortened(id_text(winner)));
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

/// The most points that stand alone: more are packed with percentages.
const MOST_POINTS: u64 = 999;

/// Points, which an export packs with two percentages in tenths: 12562531 is 12, 56.2 % and 53.1 %.
fn unpacked(points: u64) -> (u64, Vec<PublishedValue>) {
    if points <= MOST_POINTS {
        return (points, Vec::new());
    }
    let tenths = points / 1_000 % 1_000;
    let text = format!("0.{tenths:03}");
    (points / 1_000_000, vec![PublishedValue { measure: PublishedMeasure::Omw, text }])
}

/// Points as they are ordered: those that are not packed as if they had no percentages.
fn in_order(points: u64) -> u64 {
    if points <= MOST_POINTS { points * 1_000_000 } else { points }
}
