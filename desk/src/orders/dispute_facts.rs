//! What a dispute's file says of how the result came about: what both players reported, who typed the
//! slip, as what the next round took them, and what was done on the floor.

use super::disputes::logged;
use crate::answers::{
    DisputeClaim, DisputeFloor, DisputeFloorLine, DisputeNext, DisputeSlip, DisputeUndone,
};
use crate::claims::claims;
use crate::desk::write_slip;
use crate::dispute::{DisputeFile, ended};
use crate::floor::Floor;
use crate::names::Names;
use crate::rules::in_force;
use scrutineer_engine::event::{Event, OriginKind, PlayerNumber, Seq};
use scrutineer_engine::record::Time;
use scrutineer_engine::tournament::Tournament;
use scrutineer_projections::crosstable::Scope;
use scrutineer_projections::standings::{Detail, Standings};
use scrutineer_replay::again::{Place, standing_place};
use scrutineer_replay::loaded::LoadedTournament;
use scrutineer_replay::mirror::in_words;
use scrutineer_replay::staff::{Staff, at_a_desk};

/// How wide a page is.
const WIDTH: usize = 80;

/// A paragraph of the page: the first line stands at `first`, those that follow it at `rest`.
pub fn wrapped(text: &str, first: &str, rest: &str) -> String {
    let options = textwrap::Options::new(WIDTH).initial_indent(first).subsequent_indent(rest);
    textwrap::wrap(text, options).iter().map(|line| format!("{}\n", line.trim_end())).collect()
}

/// What is known beside the results.
pub struct Facts {
    /// What each player reported last.
    pub claims: Vec<DisputeClaim>,
    /// Each slip that was typed, the first one first.
    pub slips: Vec<DisputeSlip>,
    /// As what the next round took each player.
    pub next_round: Vec<DisputeNext>,
    /// What was done on the floor; none: nothing is known of it.
    pub floor: Option<DisputeFloor>,
}

impl Facts {
    /// Puts them together.
    pub fn of(
        event: &LoadedTournament,
        file: &DisputeFile,
        names: &Names,
        floor: Option<&Floor>,
    ) -> Facts {
        Facts {
            claims: claimed(event, file, names, floor),
            slips: typed(event, file),
            next_round: next_round(event, file, names),
            floor: floor.map(|floor| on_floor(event, file, floor)),
        }
    }

    /// Returns them in lines for people: what was said, typed and done in the order of its time, and then as what
    /// the next round took the players.
    pub fn text(&self, players: &str) -> String {
        let mut lines: Vec<(&str, String)> = Vec::new();
        let device = |claim: &DisputeClaim| {
            claim.device.as_ref().map_or(String::new(), |device| format!(" on {device}"))
        };
        for claim in &self.claims {
            let (who, at, by) = (&claim.player.name, short(&claim.time), &claim.by);
            let (score, device) = (&claim.score, device(claim));
            let told = format!("{who} reported {score}, {at}, taken by {by}{device}");
            lines.push((claim.time.as_str(), told));
        }
        for slip in &self.slips {
            let how = if slip.corrected { "corrected to" } else { "slip typed as" };
            let (score, at, by) = (&slip.score, short(&slip.time), &slip.by);
            let undone = slip.undone.as_ref().map_or(String::new(), |undone| {
                let (seq, by, at) = (undone.seq, &undone.by, short(&undone.time));
                format!("; undone in event {seq} by {by}, {at}")
            });
            let told = format!("{how} {score} by {by}, {at} (event {}){undone}", slip.seq);
            lines.push((slip.time.as_str(), told));
        }
        for line in self.floor.iter().flat_map(|floor| &floor.done) {
            let by = line.by.as_ref().map_or(String::new(), |by| format!(", by {by}"));
            let told = format!("{}: {}{by}", short(&line.time), line.what);
            lines.push((line.time.as_str(), told));
        }
        lines.sort_by_key(|(time, _)| *time);
        let mut text: String = lines.iter().map(|(_, line)| lined(line)).collect();
        for next in &self.next_round {
            let took = next.paired_as.map_or(String::new(), |took| format!(" as {took}"));
            let against = next.against.iter().map(|one| one.name.clone()).collect::<Vec<_>>();
            let place = match next.table {
                Some(table) => format!("table {table} against {}", against.join(", ")),
                None => "a bye".to_string(),
            };
            let (round, who) = (next.round, &next.player.name);
            text.push_str(&lined(&format!("round {round} paired {who}{took}: {place}")));
        }
        let head = format!("How the result came about (scores: {players})");
        match text.is_empty() {
            true => text,
            false => format!("\n{}{text}", wrapped(&head, "", "  ")),
        }
    }
}

fn lined(text: &str) -> String {
    wrapped(text, "  ", "    ")
}

/// The time of an answer to the second, as it is typed.
fn short(time: &str) -> String {
    time.get(..19).map_or(time.to_string(), |time| format!("{} UTC", time.replace('T', " ")))
}

fn claimed(
    event: &LoadedTournament,
    file: &DisputeFile,
    names: &Names,
    floor: Option<&Floor>,
) -> Vec<DisputeClaim> {
    let (staff, claims) = (Staff::of(event), claims(event));
    let of_seat = |(seat, player): (u8, &PlayerNumber)| {
        let claim = claims.get(&(file.dispute.pairing, seat))?;
        let seq = claim.header.seq;
        Some(DisputeClaim {
            player: names.player(*player),
            score: write_slip(&claim.result),
            seq,
            time: in_words(claim.header.time),
            by: staff.who(&claim.header),
            device: floor.and_then(|floor| floor.device(seq)).map(str::to_string),
        })
    };
    (0..).zip(&file.seats).filter_map(of_seat).collect()
}

fn typed(event: &LoadedTournament, file: &DisputeFile) -> Vec<DisputeSlip> {
    let (staff, undone) = (Staff::of(event), event.taken_back());
    let taken = |seq: &Seq| {
        let (header, _) = logged(event, *undone.get(seq)?)?;
        let time = in_words(header.time);
        Some(DisputeUndone { seq: header.seq, time, by: staff.who(header) })
    };
    let of_log = event.log.iter().filter_map(|(header, logged)| {
        let (pairing, result, corrected) = match logged {
            Event::ResultRecorded(e) => (e.pairing, &e.result, false),
            Event::ResultCorrected(e) => (e.pairing, &e.result, true),
            _ => return None,
        };
        // What came in as a file was typed by nobody here.
        (pairing == file.dispute.pairing && at_a_desk(header)).then(|| DisputeSlip {
            score: write_slip(result),
            corrected,
            seq: header.seq,
            time: in_words(header.time),
            by: staff.who(header),
            undone: taken(&header.seq),
        })
    });
    of_log.collect()
}

/// As what the next round took the players: by the result that stood when it was paired, or when
/// they were seated by hand.
fn next_round(event: &LoadedTournament, file: &DisputeFile, names: &Names) -> Vec<DisputeNext> {
    let state = &event.state;
    let Some(next) = state.round(file.round + 1).filter(|round| !round.withdrawn) else {
        return Vec::new();
    };
    let of_player = |&player: &PlayerNumber| {
        let is_theirs = |place: &Place| place.players.contains(&player);
        let place = standing_place(&event.log, state, next.number, is_theirs)?;
        let known = match place.origin.kind {
            OriginKind::ByHand => place.seq,
            OriginKind::PairedRound | OriginKind::AsGiven => next.opened,
        };
        let before = event.log.iter().take_while(|(header, _)| header.seq < known);
        let then = Tournament::of(before.map(|(_, logged)| logged));
        let rules = in_force(then.ruleset().unwrap_or_default()).ok();
        let found = then.match_at(file.dispute.pairing);
        let won = rules.as_ref().zip(found).and_then(|(rules, found)| ended(&then, rules, found));
        let scope = Scope { through: None, final_order: None };
        let standings =
            rules.and_then(|rules| Standings::of(&then, &rules, scope, Detail::Order).ok());
        let row = standings.as_ref().and_then(|standings| standings.row(player));
        let others = place.players.iter().filter(|seat| **seat != player);
        Some(DisputeNext {
            player: names.player(player),
            round: next.number,
            table: place.table,
            against: others.map(|seat| names.player(*seat)).collect(),
            paired_as: won.map(|won| match won {
                Some(winner) if winner == player => "winner",
                Some(_) => "loser",
                None => "drawn",
            }),
            record: row.map(|row| row.record.into()),
        })
    };
    file.seats.iter().filter_map(of_player).collect()
}

fn on_floor(event: &LoadedTournament, file: &DisputeFile, floor: &Floor) -> DisputeFloor {
    let until = event.as_of.map_or(i64::MAX, |as_of| as_of.time.unix_micros / 1_000);
    let table = file.table.unwrap_or(0);
    let known = floor.about(file.round, table).filter(|entry| entry.at <= until);
    let line = |entry: &crate::floor::Entry| DisputeFloorLine {
        time: in_words(Time { unix_micros: entry.at.saturating_mul(1_000) }),
        by: entry.by.clone(),
        what: entry.change.told(),
    };
    let done: Vec<DisputeFloorLine> = known.map(line).collect();
    DisputeFloor { extension: floor.extension(file.round, table), done }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::answers::Player;

    #[test]
    fn a_time_is_told_to_the_second() {
        let time = in_words(Time { unix_micros: 0 });
        assert_eq!(short(&time), "1970-01-01 00:00:00 UTC");
    }

    /// It stood below what a player reported later, and nothing said that it had been taken back.
    #[test]
    fn a_slip_that_was_undone_says_so_and_stands_before_what_was_reported_later() {
        let at = |second: u32| format!("2026-11-29T16:12:{second:02}.000000Z");
        let (by, score) = ("Bo".to_string(), "2-0".to_string());
        let claim = DisputeClaim {
            player: Player { number: 1, name: "Ann".into() },
            score: "2-1".into(),
            seq: 14,
            time: at(40),
            by: by.clone(),
            device: None,
        };
        let undone = Some(DisputeUndone { seq: 13, time: at(30), by: by.clone() });
        let slip = DisputeSlip { score, corrected: false, seq: 12, time: at(25), by, undone };
        let (claims, slips) = (vec![claim], vec![slip]);
        let facts = Facts { claims, slips, next_round: Vec::new(), floor: None };
        let text = facts.text("Ann, then Bea");
        let squeezed = |text: &str| text.split_whitespace().collect::<String>();
        let typed = "slip typed as 2-0 by Bo, 2026-11-29 16:12:25 UTC (event 12); undone in event \
                     13 by Bo, 2026-11-29 16:12:30 UTC Ann reported 2-1";
        assert!(squeezed(&text).contains(&squeezed(typed)), "{text}");
    }
}
