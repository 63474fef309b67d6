//! `dispute file`: all that a head judge needs, on one page that a phone can show.

use super::dispute_facts::{Facts, wrapped};
use super::disputes::{age, claim, correcting, is_uncorrected, logged, place, seen_at, standing};
use super::slips::told;
use super::{AtDesk, Told, cut_of, dated, load};
use crate::answers::{
    Changes, Dated, DisputeFileAnswer, DisputeRuling, DisputeStandings, DisputedPlace, LogLine,
    PlaceAround, PlausibleResult, Problem,
};
use crate::desk::write_slip;
use crate::dispute::{DisputeFile, Moment, Plausible, Then};
use crate::floor::Floor;
use crate::foreseen::{cut_in_words, rounds_in_words};
use crate::names::Names;
use crate::table::{Align, Aligned};
use crate::verb_error::VerbError;
use crate::what_if::{MadeCut, WhatIf, cut_by_now};
use scrutineer_engine::event::{Event, PlayerNumber};
use scrutineer_projections::explain::value_of;
use scrutineer_projections::ruleset::Step;
use scrutineer_projections::standings::{Row, Standings};
use scrutineer_projections::timeline::{Words, sentence};
use scrutineer_replay::as_of::{AsOf, utc};
use scrutineer_replay::loaded::LoadedTournament;
use scrutineer_replay::mirror::in_words;
use scrutineer_replay::staff::Staff;

/// How many rows stand above and below a player.
const AROUND: usize = 1;
/// How many names of those who move stand in a line.
const MOVERS: usize = 4;

/// Prints the file of a dispute; with what was done on the floor, where that is known.
pub fn file(
    at: &AtDesk<'_>,
    number: u32,
    as_of: Option<AsOf>,
    cut: Option<u32>,
    floor: Option<&Floor>,
) -> Result<Told, VerbError> {
    let stream = at.desk.stream();
    let event = load(at.store, stream, as_of, true)?;
    let names = Names::of(&event.state, &event.book);
    let file = DisputeFile::of(at.store, stream, number, as_of, cut, at.means);
    let file = file.map_err(|error| at.refused(&names, error))?;
    if let Some(now) = file.at(Moment::Now) {
        cut_of(cut, now.rows.len())?;
    }
    let facts = Facts::of(&event, &file, &names, floor);
    let page = Page { at, names: &names, event: &event, file: &file, facts: &facts };
    let answer = Dated::of(&event, page.answer());
    let text = dated(&event, page.text());
    Ok(Told::only(text, answer))
}

struct Page<'a> {
    at: &'a AtDesk<'a>,
    names: &'a Names,
    event: &'a LoadedTournament,
    file: &'a DisputeFile,
    facts: &'a Facts,
}

/// As much of a name as a column of the page holds.
fn shortened(name: &str) -> String {
    const NAME: usize = 20;
    match name.chars().count() > NAME {
        true => name.chars().take(NAME - 1).chain(['…']).collect(),
        false => name.to_string(),
    }
}

impl Page<'_> {
    fn text(&self) -> String {
        let Page { at, names, event, file, facts } = self;
        let mut text = self.head();
        text.push('\n');
        text.push_str(&match &file.result {
            Some(result) => {
                wrapped(&format!("Recorded: {}", told(names, &file.seats, result)), "", "  ")
            }
            None => "No result is recorded.\n".into(),
        });
        text.push_str(&self.players());
        text.push_str("\nWhat happened at this table\n");
        let (staff, undone) = (Staff::of(event), event.taken_back());
        for &seq in &file.events {
            let Some((header, fact)) = logged(event, seq) else { continue };
            let told = sentence(&event.state, seq, fact, *event);
            let undone =
                undone.get(&seq).map_or(String::new(), |by| format!("; undone in event {by}"));
            let line = format!("{}  {}: {told}{undone}", utc(header.time), staff.who(header));
            text.push_str(&wrapped(&line, &format!("{seq:>5}  "), "         "));
        }
        text.push_str(&facts.text(&names.list(&file.seats, ", then ")));
        for (moment, head) in
            [(Moment::Disputed, "Standings when it was disputed"), (Moment::Now, "Standings now")]
        {
            text.push_str(&self.around(moment, head));
        }
        text.push_str(&self.changes());
        if event.as_of.is_some() {
            return text;
        }
        if file.dispute.ruled.is_none() {
            let command = at.command(&format!(
                "dispute rule {} --upheld --score <score> --reason <why>",
                file.number
            ));
            text.push_str(&wrapped(
                &format!("next: {command}   (or --denied --reason <why>)"),
                "",
                "  ",
            ));
        } else if is_uncorrected(&event.state, &file.dispute) {
            let correct = correcting(&event.state, file.number, &file.dispute);
            let next = format!("next: {}", at.command(&correct));
            text.push_str("It is upheld, and its result stands uncorrected.\n");
            text.push_str(&wrapped(&next, "", "  "));
        }
        text
    }

    fn head(&self) -> String {
        let Page { at, names, event, file, .. } = self;
        let state = &event.state;
        let mut text = format!(
            "Dispute {}, {}: {}",
            file.number,
            place(state, &file.dispute),
            standing(state, &file.dispute)
        );
        text = wrapped(&format!("{text} · {}", event.title()), "", "  ");
        let who = file.dispute.by.map_or("somebody".into(), |player| names.name(player));
        if let Some((header, _)) = logged(event, file.dispute.seq) {
            let (time, age) = (utc(header.time), age(header.time, seen_at(event, at)));
            let opened = format!("by {who}, {time}, {age} ago (event {})", file.dispute.seq);
            text.push_str(&wrapped(&opened, "  ", "    "));
        }
        text.push_str(&wrapped(&format!("Claim: {}", claim(event, &file.dispute)), "  ", "    "));
        if let Some((header, Event::DisputeRuled(ruling))) =
            file.dispute.ruled.and_then(|(seq, _)| logged(event, seq))
        {
            let how = if ruling.upheld { "Upheld" } else { "Denied" };
            let (time, why) = (utc(header.time), event.text(&ruling.reason));
            text.push_str(&wrapped(&format!("{how} {time}: {why}"), "  ", "    "));
        }
        text
    }

    /// The players of the match, with place and record at each moment.
    fn players(&self) -> String {
        let mut table = Aligned::new([
            ("player", Align::Left),
            ("when paired", Align::Left),
            ("when disputed", Align::Left),
            ("now", Align::Left),
        ]);
        let at = |player: PlayerNumber, moment| {
            let row = self.file.at(moment).and_then(|standings| standings.row(player));
            row.map_or("-".into(), |row| format!("{}.  {}", row.rank, row.record))
        };
        for &player in &self.file.seats {
            table.row([
                shortened(&self.names.name(player)),
                at(player, Moment::Paired),
                at(player, Moment::Disputed),
                at(player, Moment::Now),
            ]);
        }
        table.text()
    }

    /// The rows around the players of the match.
    fn around(&self, moment: Moment, head: &str) -> String {
        let Some(standings) = self.file.at(moment) else { return String::new() };
        let same = |other: &Standings| other.hash() == standings.hash();
        if moment == Moment::Now && self.file.at(Moment::Disputed).is_some_and(same) {
            return format!("\n{head}: the same\n");
        }
        let measure = standings.steps().iter().find_map(|step| match step {
            Step::Measure { measure, .. } => Some(*measure),
            Step::HeadToHead { .. } => None,
        });
        let label = measure.map_or("", |at| &standings.rules.measures[at].label[..]);
        let mut table = Aligned::new([
            ("#", Align::Right),
            ("player", Align::Left),
            ("record", Align::Left),
            (label, Align::Right),
        ]);
        let mut last = None;
        for at in self.near(standings) {
            if last.is_some_and(|last| at > last + 1) {
                table.row(["".to_string(), "…".into(), String::new(), String::new()]);
            }
            last = Some(at);
            let row: &Row = &standings.rows[at];
            let value = measure.and_then(|measure| value_of(standings, measure, row));
            table.row([
                row.rank.to_string(),
                shortened(&self.names.name(row.player)),
                row.record.to_string(),
                value.map_or(String::new(), |value| value.text),
            ]);
        }
        let (through, players) = (standings.through, standings.rows.len());
        format!("\n{head} (round {through}, {players} players)\n{}", table.text())
    }

    /// The places that are shown, each once and in their order.
    fn near(&self, standings: &Standings) -> Vec<usize> {
        let mut near: Vec<usize> = Vec::new();
        for &player in &self.file.seats {
            let Some(at) = standings.position(player) else { continue };
            near.extend(at.saturating_sub(AROUND)..=(at + AROUND).min(standings.rows.len() - 1));
        }
        near.sort_unstable();
        near.dedup();
        near
    }

    fn changes(&self) -> String {
        if self.file.plausible.is_empty() {
            return String::new();
        }
        let mut text = "\nIf the result were\n".to_string();
        for one in &self.file.plausible {
            let line = format!("{}: {}", self.slip(one), self.then(&one.then));
            text.push_str(&wrapped(&line, "  ", "      "));
        }
        text
    }

    fn slip(&self, one: &Plausible) -> String {
        match one.winner {
            Some(player) => format!("{} wins ({})", self.names.name(player), one.slip),
            None => format!("a draw ({})", one.slip),
        }
    }

    fn then(&self, then: &Then) -> String {
        match then {
            // What stands may have come after the cut.
            Then::Stands => match cut_by_now(self.event) {
                Some(cut) => format!("as it stands; {}", self.cut_made(&cut)),
                None => "as it stands".into(),
            },
            Then::Refused(error) => error.to_string(),
            Then::Changes(what_if) => self.changed(what_if),
        }
    }

    /// Places, cut and later tables in one line.
    fn changed(&self, what_if: &WhatIf) -> String {
        let moves = &what_if.compared.moves;
        let of_match = |player: &PlayerNumber| self.file.seats.contains(player);
        let mut sorted: Vec<_> = moves.iter().collect();
        sorted.sort_by_key(|one| (!of_match(&one.player), one.second));
        let moved = sorted
            .iter()
            .take(MOVERS)
            .map(|one| format!("{} {} -> {}", self.names.name(one.player), one.first, one.second));
        let mut parts: Vec<String> = vec![moved.collect::<Vec<_>>().join(", ")];
        match moves.len() {
            0 => parts[0] = "nobody moves".into(),
            all if all > MOVERS => parts[0].push_str(&format!(" and {} more", all - MOVERS)),
            _ => {}
        }
        if let Some(cut) = &what_if.cut {
            parts.push(format!("top {}: {}", cut.size, cut_in_words(self.names, cut)));
        }
        parts.extend(what_if.cuts.iter().map(|cut| self.cut_made(cut)));
        parts.extend(rounds_in_words(what_if));
        parts.join("; ")
    }

    /// A cut that was made and would have been another.
    fn cut_made(&self, cut: &MadeCut) -> String {
        let names = |players: &[PlayerNumber]| self.names.list(players, ", ");
        match cut.reseeded {
            _ if cut.by_lots => format!("lots had decided the cut to phase {}", cut.phase),
            true => format!("phase {} had other seeds", cut.phase),
            false => format!(
                "phase {} had begun with {} for {}",
                cut.phase,
                names(&cut.enters),
                names(&cut.leaves)
            ),
        }
    }

    fn answer(&self) -> DisputeFileAnswer {
        let Page { names, event, file, facts, .. } = self;
        let (staff, undone) = (Staff::of(event), event.taken_back());
        let happened = |&seq: &u64| Some(LogLine::of(event, &staff, &undone, logged(event, seq)?));
        let standings = |(moment, standings): &(Moment, Standings)| {
            let of_match = |&n: &PlayerNumber| {
                let row = standings.row(n);
                let record = row.map(|row| row.record.into());
                DisputedPlace { player: names.player(n), rank: row.map(|row| row.rank), record }
            };
            let row = |at: usize| {
                let Row { rank, player, record, .. } = standings.rows[at];
                PlaceAround { rank, player: names.player(player), record: record.into() }
            };
            DisputeStandings {
                when: match moment {
                    Moment::Paired => "paired",
                    Moment::Disputed => "disputed",
                    Moment::Now => "now",
                },
                seq: standings.head,
                through: standings.through,
                players: file.seats.iter().map(of_match).collect(),
                around: self.near(standings).into_iter().map(row).collect(),
            }
        };
        let plausible = |one: &Plausible| {
            let (what_if, error) = match &one.then {
                Then::Stands => (None, None),
                Then::Changes(what_if) => (Some(Changes::of(event, what_if)), None),
                Then::Refused(error) => {
                    (None, Some(Problem::new(error, error.code(), error.hint())))
                }
            };
            PlausibleResult {
                winner: one.winner.map(|n| names.player(n)),
                slip: one.slip.clone(),
                stands: matches!(one.then, Then::Stands),
                what_if,
                error,
            }
        };
        let ruling = file.dispute.ruled.and_then(|(seq, _)| logged(event, seq));
        let ruling = ruling.and_then(|(header, fact)| match fact {
            Event::DisputeRuled(ruling) => Some(DisputeRuling {
                upheld: ruling.upheld,
                reason: event.text(&ruling.reason),
                seq: header.seq,
                time: in_words(header.time),
                by: staff.who(header),
            }),
            _ => None,
        });
        let opened = logged(event, file.dispute.seq).map(|(header, _)| in_words(header.time));
        DisputeFileAnswer {
            dispute: file.number,
            seq: file.dispute.seq,
            state: standing(&event.state, &file.dispute),
            opened,
            by: file.dispute.by.map(|n| names.player(n)),
            claim: claim(event, &file.dispute),
            ruling,
            corrected_in: file.dispute.corrections.to_vec(),
            round: file.round,
            table: file.table,
            players: names.players(&file.seats),
            result: file.result.as_ref().map(write_slip),
            claims: facts.claims.clone(),
            slips: facts.slips.clone(),
            next_round: facts.next_round.clone(),
            floor: facts.floor.clone(),
            events: file.events.iter().filter_map(happened).collect(),
            standings: file.standings.iter().map(standings).collect(),
            plausible: file.plausible.iter().map(plausible).collect(),
        }
    }
}
