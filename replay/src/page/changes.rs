//! Corrections, disputes and rulings, one sentence for each.

use super::words::{Told, isolated, ruleset_named};
use crate::as_of::utc;
use crate::staff::at_a_desk;
use scrutineer_engine::event::*;
use scrutineer_engine::record::Header;
use scrutineer_engine::tournament::Round;
use scrutineer_projections::counted;
use scrutineer_projections::timeline::{asks_for_bye, leaves, rated, table_kept, tables_set};

impl Told<'_> {
    /// A sentence for each event that changed or ruled something.
    pub fn changes(&self) -> Vec<String> {
        let rounds = self.event.state.rounds().iter();
        let unseen: Vec<&Round> = rounds.filter(|round| self.is_unseen(round)).collect();
        let told = |(header, event): &(Header, Event)| {
            let sentence = change(self, &unseen, header.seq, event)?;
            let by = at_a_desk(header)
                .then(|| format!(", {}, {}", utc(header.time), isolated(&self.staff.who(header))));
            Some(format!("Record {}{}: {sentence}", header.seq, by.unwrap_or_default()))
        };
        self.event.log.iter().filter_map(told).collect()
    }
}

/// What an event changed or ruled; nothing where it did neither, or where it names a pairing of a
/// round that the players have not seen.
fn change(told: &Told, unseen: &[&Round], seq: Seq, event: &Event) -> Option<String> {
    let pairing = match event {
        Event::PairingMade(_) => Some(seq),
        Event::PenaltyGiven(e) => e.pairing,
        Event::PlayerAdvanced(e) => Some(e.pairing),
        Event::DisputeOpened(e) => Some(e.pairing),
        Event::ResultCorrected(e) => Some(e.pairing),
        _ => None,
    };
    if pairing.is_some_and(|pairing| told.is_of(unseen, pairing)) {
        return None;
    }
    Some(match event {
        Event::PlanAmended(_) => "the plan of the phases changes".into(),
        Event::RulesetAmended(e) => {
            let rules = ruleset_named(&e.ruleset).unwrap_or("no ruleset".into());
            let from = e.from_round.map_or(String::new(), from);
            format!("{rules} is in force{from}")
        }
        Event::SignerChanged(_) => "another key signs the checkpoints".into(),
        Event::SeedRecommitted(_) => "the pairing commitment is replaced".into(),
        Event::KeyRetired(e) => {
            format!("a key is not to be trusted beyond {}", counted(e.last_size, "record"))
        }
        Event::LogRestored(e) => {
            let known = counted(e.known_size, "record");
            format!("the log was restored from a copy; {known} had been attested")
        }
        Event::PlayerDropped(e) => format!("{} {}", told.name(e.player), leaves(e)),
        Event::PlayerDivisionChanged(e) => {
            let who = told.name(e.player);
            match &e.division {
                Some(division) => format!("{who} is of the division {}", isolated(division)),
                None => format!("{who} is of no division"),
            }
        }
        Event::PlayerRated(e) => {
            let before = told.event.state.rating_before(e.player, seq);
            format!("{} {}", told.name(e.player), rated(e.rating, before))
        }
        Event::DivisionsPaired(e) => match e.apart {
            true => "divisions are paired apart from now on".into(),
            false => "all divisions are paired together from now on".into(),
        },
        Event::DivisionRounds(e) => match e.rounds {
            Some(rounds) => {
                format!("{} plays {}", isolated(&e.division), counted(rounds, "round"))
            }
            None => format!("{} plays as many rounds as everybody", isolated(&e.division)),
        },
        Event::TableKept(e) => format!("{} {}", told.name(e.player), table_kept(e)),
        Event::TablesSet(e) => tables_set(e),
        Event::ByeRequested(e) => format!("{} {}", told.name(e.player), asks_for_bye(e)),
        Event::PlayerReinstated(e) => {
            format!("{} is back{}", told.name(e.player), from(e.from_round))
        }
        Event::PairingMade(e) if e.origin.kind == OriginKind::ByHand => {
            format!("{}: set by hand", match_of(told, seq))
        }
        Event::ResultCorrected(e) => correction(told, e),
        Event::PenaltyGiven(e) => {
            let at = e.pairing.map(|pairing| format!(", {}", match_of(told, pairing)));
            let waits = e.pairing.is_none() && e.kind != PenaltyKind::Warning;
            let waits = if waits { " in the next match" } else { "" };
            let who = told.name(e.player);
            format!("{who} gets a {}{waits}{}", e.kind, at.unwrap_or_default())
        }
        Event::PlayerAdvanced(e) => {
            format!("{} goes on by ruling, {}", told.name(e.player), match_of(told, e.pairing))
        }
        Event::DisputeOpened(e) => {
            let who = e.by.map_or("somebody".into(), |player| told.name(player));
            format!("{who} disputes {}", match_of(told, e.pairing))
        }
        Event::DisputeRuled(e) => {
            let how = if e.upheld { "upheld" } else { "denied" };
            format!("the dispute of record {} is {how}", e.dispute)
        }
        Event::LotsDrawn(e) if e.first_place == 1 => match e.source {
            LotsSource::Seed => "lots are drawn, from the seed".into(),
            source => format!("lots are drawn, {source}"),
        },
        Event::Withdrawn(e) => {
            let what = told.at(e.seq).map_or("it", undone);
            format!("record {} is withdrawn: {what} never happened", e.seq)
        }
        _ => return None,
    })
}

fn correction(told: &Told, e: &ResultCorrected) -> String {
    let wrong = match told.at(e.replaces) {
        Some(Event::ResultRecorded(wrong)) => Some(&wrong.result),
        Some(Event::ResultCorrected(wrong)) => Some(&wrong.result),
        _ => None,
    };
    let not = wrong.map(|wrong| format!(", not {}", told.came_out(wrong)));
    let after = e.dispute.map(|seq| format!(", after the dispute of record {seq}"));
    let (at, right) = (match_of(told, e.pairing), told.came_out(&e.result));
    format!("{at}: {right}{}{}", not.unwrap_or_default(), after.unwrap_or_default())
}

/// A match, also one that does not stand: where it was, and whose.
fn match_of(told: &Told, pairing: Seq) -> String {
    let Some(Event::PairingMade(made)) = told.at(pairing) else {
        return format!("the match of record {pairing}");
    };
    let names: Vec<String> = made.seats.iter().map(|seat| told.name(seat.player)).collect();
    let table = made.table.map_or(String::new(), |table| format!(" table {table}"));
    format!("round {}{table}, {}", made.round, names.join(" against "))
}

fn from(round: RoundNumber) -> String {
    format!(" from round {round}")
}

/// What is taken back when this is withdrawn.
fn undone(event: &Event) -> &'static str {
    match event {
        Event::PlayerEnrolled(_) => "that enrollment",
        Event::PlayerDropped(_) => "that drop",
        Event::PlayerReinstated(_) => "that return",
        Event::ByeRequested(_) => "that request",
        Event::PlayerCheckedIn(_) => "that check-in",
        Event::PhaseStarted(_) => "that start of a phase",
        Event::PhaseEnded(_) => "that end of a phase",
        Event::RoundOpened(_) => "that round",
        Event::PairingsPublished(_) => "that publishing",
        Event::RoundCompleted(_) => "that completion",
        Event::PairingMade(_) => "that pairing",
        Event::ByeGiven(_) => "that bye",
        Event::ResultRecorded(_) => "that result",
        Event::ResultCorrected(_) => "that correction",
        Event::PenaltyGiven(_) => "that penalty",
        Event::PlayerAdvanced(_) | Event::DisputeRuled(_) => "that ruling",
        Event::DisputeOpened(_) => "that dispute",
        Event::LotsDrawn(_) => "that draw of lots",
        Event::TournamentClosed(_) => "that closing",
        _ => "it",
    }
}
