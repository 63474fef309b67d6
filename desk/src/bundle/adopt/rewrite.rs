//! Another desk's numbers as they are here: events, players, entries of the private book.

use scrutineer_engine::book::{Commitment, PrivateEntry, commit};
use scrutineer_engine::error::Code;
use scrutineer_engine::event::{Event, PlayerNumber, Ref, RoundNumber, Seq, Traces};
use scrutineer_engine::record::Header;
use scrutineer_engine::rejection::Rejection;
use scrutineer_engine::tournament::Tournament;
use scrutineer_replay::loaded::LoadedTournament;
use std::collections::{BTreeMap, BTreeSet};

/// Why a command does not fit.
#[derive(Clone, Debug)]
pub(super) enum Why {
    /// The rules of the log say no.
    Rejected(Rejection),
    /// Both desks opened this round.
    RoundOnBoth { round: RoundNumber },
    /// It builds on an event that was not adopted.
    EventRefused { seq: Seq },
    /// It is about a player whose enrollment was not adopted.
    PlayerRefused { player: PlayerNumber },
    /// It is about a round that was not adopted.
    RoundRefused { round: RoundNumber },
    /// It is about a phase that was not adopted.
    PhaseRefused { phase: u16 },
    /// The bundle does not give its words.
    NoWords,
    /// Its words were forgotten on the other desk.
    Forgotten,
    /// The standings that the other desk announced cannot be folded here.
    Announced,
    /// Another command has its id.
    IdReused,
    /// The draw gives other tables here.
    DrawnElsewhere { round: RoundNumber },
}

impl Why {
    /// Why the log refuses it here.
    pub(super) fn of(state: &Tournament, events: &[Event], rejected: Rejection) -> Why {
        let round = events.iter().find_map(|event| match event {
            Event::RoundOpened(e) if state.round(e.round).is_some() => Some(e.round),
            _ => None,
        });
        match round {
            Some(round) => Why::RoundOnBoth { round },
            None => Why::Rejected(rejected),
        }
    }

    /// Code, sentence and hint.
    pub(super) fn told(&self) -> (Code, String, String) {
        let (code, sentence, hint) = match self {
            Why::Rejected(rejected) => {
                return (rejected.code(), rejected.to_string(), rejected.hint().into());
            }
            Why::RoundOnBoth { round } => (
                Code::refused("round-on-both-desks"),
                format!("round {round} was opened on both desks, and the one here stands"),
                "where the other one was played, withdraw this one and adopt again",
            ),
            Why::EventRefused { seq } => (
                Code::refused("builds-on-refused"),
                format!("it builds on event {seq} of the other desk, which was not adopted"),
                "see there",
            ),
            Why::PlayerRefused { player } => (
                Code::refused("builds-on-refused"),
                format!("player {player} of the other desk was not adopted"),
                "enroll them here, and enter it again",
            ),
            Why::RoundRefused { round } => (
                Code::refused("builds-on-refused"),
                format!("it is about round {round} of the other desk, which was not adopted"),
                "see there",
            ),
            Why::PhaseRefused { phase } => (
                Code::refused("builds-on-refused"),
                format!("it is about phase {phase} of the other desk, which was not adopted"),
                "see there",
            ),
            Why::NoWords => (
                Code::refused("words-missing"),
                "the bundle does not give its private texts".to_string(),
                "let the other desk hand over: `scrutineer export --handover`",
            ),
            Why::Forgotten => (
                Code::refused("words-forgotten"),
                "its private texts were forgotten on the other desk".to_string(),
                "nobody has them: where it still counts, enter it here without them",
            ),
            Why::Announced => (
                Code::refused("announced-elsewhere"),
                "the standings that it announces cannot be folded here".to_string(),
                "`scrutineer standings` says why",
            ),
            Why::IdReused => (
                Code::conflict("command-id-reused"),
                "something else was recorded here under its id".to_string(),
                "enter it again here",
            ),
            Why::DrawnElsewhere { round } => (
                Code::refused("paired-elsewhere"),
                format!(
                    "round {round} was paired from what the other desk knew: paired from the log \
                     here, other players meet"
                ),
                "pair the round here: `scrutineer pair`",
            ),
        };
        (code, sentence, hint.into())
    }
}

/// What the other desk's numbers are here.
pub(super) struct Numbers {
    events: BTreeMap<Seq, Seq>,
    players: BTreeMap<PlayerNumber, PlayerNumber>,
    /// Commitments of the common beginning, which stay as they are.
    shared: BTreeSet<Commitment>,
    /// Entries of the private book.
    entries: BTreeMap<u32, u32>,
    /// Which texts the other desk's log says were forgotten.
    traces: Traces,
    /// How many events both have.
    until: Seq,
}

impl Numbers {
    /// Those of the common beginning: they are the same.
    pub(super) fn shared(other: &LoadedTournament, count: usize) -> Numbers {
        let (mut players, mut shared) = (BTreeMap::new(), BTreeSet::new());
        let mut traces = Traces::default();
        other.log.iter().for_each(|(_, event)| traces.take(event));
        for (_, event) in &other.log[..count] {
            if let Event::PlayerEnrolled(e) = event {
                players.insert(e.player, e.player);
            }
            shared.extend(event.commitments().into_iter().map(|(_, words)| words));
        }
        let entries = shared.iter().map(|words| (words.number, words.number)).collect();
        let (events, until) = (BTreeMap::new(), count as Seq);
        Numbers { events, players, shared, entries, traces, until }
    }

    /// What a command's events and players are here, now that it is recorded.
    pub(super) fn learn(&mut self, command: &[(Header, Event)], first: Seq, here: &[Event]) {
        for ((seq, (header, there)), here) in (first..).zip(command).zip(here) {
            self.events.insert(header.seq, seq);
            if let (Event::PlayerEnrolled(there), Event::PlayerEnrolled(here)) = (there, here) {
                self.players.insert(there.player, here.player);
            }
            let pairs = there.commitments().into_iter().zip(here.commitments());
            self.entries.extend(pairs.map(|((_, there), (_, here))| (there.number, here.number)));
        }
    }

    /// Whether a command says nothing but that texts were forgotten, of which none came in here.
    pub(super) fn forgets_nothing(&self, command: &[(Header, Event)]) -> bool {
        command.iter().all(|(_, event)| match event {
            Event::TextsForgotten(e) => !e.numbers.iter().any(|n| self.entries.contains_key(n)),
            _ => false,
        })
    }

    /// The events of a command as they are here, and the words behind them. Here the
    /// log is at `head`, so many `players` are enrolled, and `next` is the number of the next entry.
    pub(super) fn rewrite(
        &self,
        other: &LoadedTournament,
        command: &[(Header, Event)],
        head: Seq,
        players: usize,
        next: u32,
    ) -> Result<(Vec<Event>, Vec<PrivateEntry>), Why> {
        let (mut private, mut failed) = (Vec::new(), None);
        let mut enrolled = self.players.clone();
        let mut free = players as PlayerNumber;
        let first = command.first().map_or(0, |(header, _)| header.seq);
        let last = command.last().map_or(0, |(header, _)| header.seq);
        let mut events: Vec<Event> = Vec::with_capacity(command.len());
        for (_, event) in command {
            let mut event = event.clone();
            if let Event::PlayerEnrolled(e) = &mut event {
                free += 1;
                enrolled.insert(e.player, free);
                if e.sign_up == Some(e.player) {
                    e.sign_up = Some(free);
                }
            }
            if let Event::TextsForgotten(e) = &mut event {
                let here = e.numbers.iter().filter_map(|number| self.entries.get(number));
                e.numbers = here.copied().collect();
            }
            event.each_ref(&mut |reference| {
                let changed = match reference {
                    Ref::Player(player) => match enrolled.get(player) {
                        Some(here) => {
                            *player = *here;
                            Ok(())
                        }
                        None => Err(Why::PlayerRefused { player: *player }),
                    },
                    Ref::Event(seq) if *seq <= self.until => Ok(()),
                    Ref::Event(seq) if (first..=last).contains(seq) => {
                        *seq = head + 1 + (*seq - first);
                        Ok(())
                    }
                    Ref::Event(seq) => match self.events.get(seq) {
                        Some(here) => {
                            *seq = *here;
                            Ok(())
                        }
                        None => Err(Why::EventRefused { seq: *seq }),
                    },
                    Ref::Words(_, words) if self.shared.contains(words) => Ok(()),
                    Ref::Words(_, words) => {
                        let why = match self.traces.is_forgotten(words.number) {
                            true => Why::Forgotten,
                            false => Why::NoWords,
                        };
                        again(other, words, next + private.len() as u32)
                            .map(|entry| private.push(entry))
                            .ok_or(why)
                    }
                };
                if let (Err(why), None) = (changed, &failed) {
                    failed = Some(why);
                }
            });
            events.push(event);
        }
        failed.map_or(Ok((events, private)), Err)
    }
}

/// Whether these can be the same events under other numbers, with announcements made again.
pub(super) fn alike(there: &[(Header, Event)], here: &[Event]) -> bool {
    let bare = |event: &Event| {
        let mut event = event.clone();
        if let Event::PlayerEnrolled(e) = &mut event {
            e.sign_up = None;
        }
        if let Event::TextsForgotten(e) = &mut event {
            e.numbers.clear();
        }
        event.each_ref(&mut |reference| match reference {
            Ref::Words(_, words) => *words = Commitment { number: 0, digest: [0; 32] },
            Ref::Event(seq) => *seq = 0,
            Ref::Player(player) => *player = 0,
        });
        event
    };
    let same = |a: &Event, b: &Event| match (a, b) {
        (Event::StandingsAnnounced(_), Event::StandingsAnnounced(_)) => true,
        _ => bare(a) == bare(b),
    };
    there.len() == here.len() && there.iter().zip(here).all(|((_, a), b)| same(a, b))
}

/// Commits to the same words with the same salt under another number.
fn again(other: &LoadedTournament, words: &mut Commitment, number: u32) -> Option<PrivateEntry> {
    let entry = other.book.entry(words.number)?;
    if commit(other.stream, entry) != *words {
        return None;
    }
    let entry = PrivateEntry { number, ..entry.clone() };
    *words = commit(other.stream, &entry);
    Some(entry)
}
