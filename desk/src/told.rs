//! The log in sentences, each with what took it back, and which of them somebody asks for.

use crate::answers::LogLine;
use crate::orders::no_such_round;
use crate::verb_error::VerbError;
use scrutineer_engine::error::Code;
use scrutineer_engine::event::{Event, PairingMade, PlayerNumber, Ref, RoundNumber, Seq};
use scrutineer_engine::record::Header;
use scrutineer_projections::timeline::{Words, sentence};
use scrutineer_replay::loaded::LoadedTournament;
use scrutineer_replay::replay::rounds_concerned;
use scrutineer_replay::staff::Staff;
use std::collections::{BTreeMap, BTreeSet};

/// Which events of a log are asked for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Filter {
    /// A player whom they are about.
    pub player: Option<PlayerNumber>,
    /// A table that they are about.
    pub table: Option<u32>,
    /// A round that they are about.
    pub round: Option<RoundNumber>,
    /// Their kind in words, or a part of it, such as `result`.
    pub kind: String,
    /// Who recorded them, or a part of their name.
    pub person: String,
    /// Words of their sentence, or of who recorded them.
    pub words: String,
    /// Only what was corrected, renamed, ruled or undone, with what did it.
    pub changed: bool,
}

/// How many people a hint names.
const MOST_PEOPLE: usize = 12;

/// Whether a text has a part, in whatever case.
fn has(text: &str, part: &str) -> bool {
    text.to_lowercase().contains(&part.to_lowercase())
}

/// A log with what is known of its events beside each other.
pub struct Told<'a> {
    event: &'a LoadedTournament,
    staff: Staff<'a>,
    undone: BTreeMap<Seq, Seq>,
    corrected: BTreeMap<Seq, Seq>,
    rounds: Vec<RoundNumber>,
    /// What its readers are not told of.
    out: BTreeSet<Seq>,
}

impl<'a> Told<'a> {
    /// Returns the log of a tournament that was loaded with it, without what its readers are not told of.
    pub fn of(event: &'a LoadedTournament, out: BTreeSet<Seq>) -> Told<'a> {
        let undone = event.taken_back();
        let corrections = event.log.iter().filter_map(|(header, logged)| match logged {
            Event::ResultCorrected(e) => Some((e.replaces, header.seq)),
            _ => None,
        });
        let corrected = corrections.filter(|(_, seq)| !undone.contains_key(seq)).collect();
        let rounds = rounds_concerned(&event.log);
        Told { event, staff: Staff::of(event), undone, corrected, rounds, out }
    }

    /// Returns the event of a number.
    pub fn at(&self, seq: Seq) -> Option<&'a Event> {
        let at = usize::try_from(seq.checked_sub(1)?).ok()?;
        self.event.log.get(at).map(|(_, logged)| logged)
    }

    /// Returns who recorded something.
    pub fn by(&self, header: &Header) -> String {
        self.staff.who(header)
    }

    /// Returns the event that took this one back.
    pub fn undone_in(&self, seq: Seq) -> Option<Seq> {
        self.undone.get(&seq).copied()
    }

    /// Returns the event that corrected this one, where its correction stands.
    pub fn corrected_in(&self, seq: Seq) -> Option<Seq> {
        self.corrected.get(&seq).copied()
    }

    /// Returns the event that this one took back, with its number.
    pub fn took_back(&self, logged: &Event) -> Option<(Seq, &'a Event)> {
        match logged {
            Event::Withdrawn(e) => self.at(e.seq).map(|taken| (e.seq, taken)),
            _ => None,
        }
    }

    /// Returns the result that a correction took the place of, in its own sentence; none where this
    /// corrects none.
    pub fn stood_before(&self, logged: &Event) -> Option<String> {
        let Event::ResultCorrected(e) = logged else { return None };
        self.at(e.replaces).map(|replaced| self.sentence(e.replaces, replaced))
    }

    /// Returns what was noted of a player's drop by the command that has it: why they were disqualified stands
    /// there.
    pub fn note_of_drop(&self, (header, logged): &(Header, Event)) -> Option<String> {
        if !matches!(logged, Event::PlayerDropped(_)) {
            return None;
        }
        let behind = self.event.log.iter().skip(usize::try_from(header.seq).ok()?);
        let rest = header.parts.saturating_sub(header.part) as usize;
        behind.take(rest).find_map(|(_, noted)| match noted {
            Event::NoteAdded(e) if e.about == Some(header.seq) => Some(self.event.text(&e.note)),
            _ => None,
        })
    }

    fn sentence(&self, seq: Seq, logged: &Event) -> String {
        sentence(&self.event.state, seq, logged, self.event)
    }

    /// Returns a line of the log for programs.
    pub fn line(&self, row: &(Header, Event)) -> LogLine {
        LogLine::of(self.event, &self.staff, &self.undone, row)
    }

    /// The players whom an event is about, and its table. Lists of everybody are about nobody. What speaks of
    /// another event, such as a ruling, a note or a withdrawal, is about the same as that one.
    fn about(&self, (header, logged): &(Header, Event)) -> (Vec<PlayerNumber>, Option<u32>) {
        let (mut players, mut table) = (Vec::new(), None);
        let (mut seq, mut logged) = (header.seq, logged);
        let speaks_of = |logged: &Event| match logged {
            Event::Withdrawn(e) => Some(e.seq),
            Event::DisputeRuled(e) => Some(e.dispute),
            Event::NoteAdded(e) => e.about,
            _ => None,
        };
        while let Some(of) = speaks_of(logged) {
            let Some(earlier) = self.at(of).filter(|_| of < seq) else { return (players, table) };
            (seq, logged) = (of, earlier);
        }
        // Tables that were taken back are in the log alone.
        let mut sit_at = |made: &PairingMade, players: &mut Vec<PlayerNumber>| {
            players.extend(made.seats.iter().map(|seat| seat.player));
            table = table.or(made.table);
        };
        match logged {
            Event::PhaseStarted(_) | Event::LotsDrawn(_) | Event::StandingsAnnounced(_) => {}
            Event::PairingMade(made) => sit_at(made, &mut players),
            logged => logged.clone().each_ref(&mut |found| match found {
                Ref::Player(player) => players.push(*player),
                Ref::Event(seq) => {
                    if let Some(Event::PairingMade(made)) = self.at(*seq) {
                        sit_at(made, &mut players);
                    }
                }
                Ref::Words(..) => {}
            }),
        }
        (players, table)
    }

    fn is_change(&self, seq: Seq, logged: &Event) -> bool {
        let changes = matches!(
            logged,
            Event::ResultCorrected(_)
                | Event::Withdrawn(_)
                | Event::PlayerIdentified(_)
                | Event::PlayerDivisionChanged(_)
                | Event::PlayerRated(_)
                | Event::PlayerIdCorrected(_)
                | Event::PlayerAdvanced(_)
                | Event::DisputeRuled(_)
                | Event::PlanAmended(_)
                | Event::RulesetAmended(_)
                | Event::SeedRecommitted(_)
                | Event::TextsForgotten(_)
        );
        changes || self.undone.contains_key(&seq) || self.corrected.contains_key(&seq)
    }

    /// Refuses a filter that no log, or not this one, can have an event for: a word typed wrongly
    /// looks like a quiet tournament otherwise.
    ///
    /// # Errors
    /// Where there is no such kind, round, table or person.
    pub fn check(&self, asked: &Filter) -> Result<(), VerbError> {
        let Filter { table, round, kind, person, .. } = asked;
        let told = || self.event.log.iter().filter(|(header, _)| !self.out.contains(&header.seq));
        if !Event::WORDS.iter().any(|word| has(word, kind)) {
            let kinds: BTreeSet<&str> = told().map(|(_, logged)| logged.word()).collect();
            let kinds: Vec<&str> = kinds.into_iter().collect();
            let hint = format!("this log has {}", kinds.join(", "));
            let message = format!("no kind of event is called {kind}");
            return Err(VerbError::new(Code::invalid("no-such-kind"), message, hint));
        }
        let rounds = self.event.state.rounds();
        if let Some(round) = round.filter(|round| !rounds.iter().any(|of| of.number == *round)) {
            let last = self.event.state.last_round().map_or(0, |last| last.number);
            return Err(no_such_round(round, last));
        }
        let seats = |logged: &Event| match logged {
            Event::PairingMade(e) => e.table,
            _ => None,
        };
        if let Some(table) =
            table.filter(|table| !told().any(|(_, logged)| seats(logged) == Some(*table)))
        {
            let last = told().filter_map(|(_, logged)| seats(logged)).max();
            let hint = match last {
                None => "no round has been paired by then".to_string(),
                Some(last) => format!("the last table was {last}"),
            };
            let message = format!("no round has a table {table}");
            return Err(VerbError::new(Code::not_found("no-such-table"), message, hint));
        }
        if !person.is_empty() && !told().any(|(header, _)| has(&self.by(header), person)) {
            let people: BTreeSet<String> = told().map(|(header, _)| self.by(header)).collect();
            let mut people: Vec<String> = people.into_iter().collect();
            let more = people.len().saturating_sub(MOST_PEOPLE);
            people.truncate(MOST_PEOPLE);
            let more = if more > 0 { format!(" and {more} more") } else { String::new() };
            let hint = format!("it was recorded by {}{more}", people.join(", "));
            let message = format!("nobody who recorded something is called {person}");
            return Err(VerbError::new(Code::not_found("no-such-person"), message, hint));
        }
        Ok(())
    }

    /// Whether an event is asked for, and its readers are told of it.
    pub fn is_asked(&self, row: &(Header, Event), asked: &Filter) -> bool {
        let (header, logged) = row;
        let Filter { player, table, round, kind, person, words, changed } = asked;
        if self.out.contains(&header.seq) {
            return false;
        }
        let at = usize::try_from(header.seq - 1).unwrap_or(usize::MAX);
        let of_round = || self.rounds.get(at).copied();
        let is_about = || {
            let (players, of_table) = self.about(row);
            player.is_none_or(|player| players.contains(&player))
                && table.is_none_or(|table| of_table == Some(table))
        };
        round.is_none_or(|round| of_round() == Some(round))
            && (!changed || self.is_change(header.seq, logged))
            && (player.is_none() && table.is_none() || is_about())
            && has(logged.word(), kind)
            && (person.is_empty() || has(&self.by(header), person))
            && (words.is_empty()
                || has(&self.sentence(header.seq, logged), words)
                || has(&self.by(header), words))
    }
}
