//! What the events say, read in the most naive way: events that were withdrawn never happened,
//! and of several results for one pairing the last one stands.

use scrutineer_engine::event::*;
use std::collections::BTreeSet;

/// What stands once every event has been read.
pub struct Facts {
    pub players: Vec<Player>,
    pub rounds: Vec<Round>,
    /// The slip of the event; a phase may have its own.
    pub sheet: Scoresheet,
    pub phases: Vec<Phase>,
    pub closed: bool,
    /// The phases planned.
    pub plan: Vec<PlannedPhase>,
    /// What an import did not know.
    pub unknown: Vec<UnknownFact>,
    pub lots: Option<Vec<PlayerNumber>>,
}

pub struct Phase {
    pub number: u16,
    pub kind: PhaseKind,
    /// In the order of their seeds.
    pub entrants: Vec<PlayerNumber>,
    pub sheet: Option<Scoresheet>,
    pub ended: bool,
}

pub struct Player {
    pub number: PlayerNumber,
    pub from_round: RoundNumber,
    pub sign_up: Option<u32>,
    pub rating: Option<i32>,
    /// When they left and came back, in the order in which it was recorded.
    pub comings_and_goings: Vec<Availability>,
}

#[derive(Clone, Copy)]
pub enum Availability {
    Left { after: RoundNumber, why: DropReason },
    Back { from: RoundNumber },
}

pub struct Round {
    pub number: RoundNumber,
    pub phase: u16,
    pub kind: PhaseKind,
    /// Who plays in its phase, where that is a later one than the first and lists them.
    pub entrants: Option<Vec<PlayerNumber>>,
    pub weight: RoundWeight,
    pub sheet: Scoresheet,
    pub tables: Vec<Table>,
    pub byes: Vec<ByeGiven>,
}

pub struct Table {
    pub seats: Vec<PlayerNumber>,
    pub result: Option<MatchResult>,
    pub noted: Option<Score>,
    pub advanced: Option<PlayerNumber>,
}

impl Player {
    /// Whether they are gone, once the changes for which `known` holds have been read.
    pub fn gone(&self, round: RoundNumber) -> bool {
        let mut gone = false;
        for change in &self.comings_and_goings {
            match *change {
                Availability::Left { after, .. } if round > after => gone = true,
                Availability::Back { from } if round >= from => gone = false,
                _ => {}
            }
        }
        gone
    }

    fn takes_part_by(&self, last: RoundNumber) -> bool {
        let comes_back = self.comings_and_goings.iter().filter_map(|change| match *change {
            Availability::Back { from } => Some(from.max(self.from_round)),
            Availability::Left { .. } => None,
        });
        let mut comes = comes_back.chain([self.from_round]);
        comes.any(|round| round <= last && !self.gone(round))
    }

    /// Whether they take part in a round up to and with `last`, or sits or has a bye in one.
    pub fn is_entrant(&self, facts: &Facts, last: RoundNumber) -> bool {
        let mut rounds = facts.rounds.iter().filter(|round| round.number <= last);
        self.takes_part_by(last)
            || rounds.any(|round| {
                round.tables.iter().any(|table| table.seats.contains(&self.number))
                    || round.byes.iter().any(|bye| bye.player == self.number)
            })
    }

    /// Why and after which round they are away once the round `through` is over: of everything that
    /// says since when they are away or back, and that is so by then, what was recorded last.
    fn away(&self, through: RoundNumber) -> Option<(DropReason, RoundNumber)> {
        let mut away = None;
        for change in &self.comings_and_goings {
            match *change {
                Availability::Left { after, why } if after <= through => away = Some((why, after)),
                Availability::Back { from } if from <= through => away = None,
                _ => {}
            }
        }
        away
    }

    /// How they left, if they are away once the round `through` is over.
    pub fn left(&self, through: RoundNumber) -> Option<DropReason> {
        self.away(through).map(|(why, _)| why)
    }

    /// After which round they left, if they are away once the round `through` is over.
    pub fn left_after(&self, through: RoundNumber) -> Option<RoundNumber> {
        self.away(through).map(|(_, after)| after)
    }
}

impl Facts {
    /// Reads a list of events, the first of which has seq 1.
    pub fn read(events: &[Event]) -> Facts {
        let withdrawn: BTreeSet<Seq> = events
            .iter()
            .filter_map(|event| match event {
                Event::Withdrawn(e) => Some(e.seq),
                _ => None,
            })
            .collect();
        let all: Vec<(Seq, &Event)> = (1..).zip(events).collect();
        let standing: Vec<(Seq, &Event)> =
            all.iter().copied().filter(|(seq, _)| !withdrawn.contains(seq)).collect();
        let log = Log { all, standing };
        Facts {
            players: log.players(),
            rounds: log.rounds(),
            sheet: log.sheet(),
            phases: log.phases(),
            closed: log.holds(|event| matches!(event, Event::TournamentClosed(_))),
            plan: log.plan(),
            unknown: log.unknown(),
            lots: log.lots(),
        }
    }
}

/// The events with their seqs: all of them, and those that were not withdrawn.
struct Log<'a> {
    all: Vec<(Seq, &'a Event)>,
    standing: Vec<(Seq, &'a Event)>,
}

impl Log<'_> {
    fn plan(&self) -> Vec<PlannedPhase> {
        let mut plans = self.standing.iter().filter_map(|(_, event)| match event {
            Event::TournamentOpened(e) => Some(&e.plan),
            Event::PlanAmended(e) => Some(&e.plan),
            _ => None,
        });
        plans.next_back().cloned().unwrap_or_default()
    }

    fn players(&self) -> Vec<Player> {
        let mut players = Vec::new();
        for (_, event) in &self.standing {
            if let Event::PlayerEnrolled(e) = event {
                players.push(Player {
                    number: e.player,
                    from_round: e.from_round,
                    sign_up: e.sign_up,
                    rating: e.rating,
                    comings_and_goings: self.availability(e.player),
                });
            }
        }
        players
    }

    fn availability(&self, player: PlayerNumber) -> Vec<Availability> {
        let mut availability = Vec::new();
        for (_, event) in &self.standing {
            match event {
                Event::PlayerDropped(e) if e.player == player => {
                    availability.push(Availability::Left { after: e.after_round, why: e.why });
                }
                Event::PlayerReinstated(e) if e.player == player => {
                    availability.push(Availability::Back { from: e.from_round });
                }
                _ => {}
            }
        }
        availability
    }

    fn rounds(&self) -> Vec<Round> {
        let mut rounds = Vec::new();
        for (opened, event) in &self.standing {
            if let Event::RoundOpened(e) = event {
                let phase = self.phase(e.phase);
                rounds.push(Round {
                    number: e.round,
                    phase: e.phase,
                    kind: phase.kind,
                    entrants: Some(self.entrants(e.phase))
                        .filter(|all| e.phase > 1 && !all.is_empty()),
                    weight: e.weight,
                    sheet: phase.scoresheet.clone().unwrap_or_else(|| self.sheet()),
                    tables: self.tables(*opened, e.round),
                    byes: self.byes(*opened, e.round),
                });
            }
        }
        rounds
    }

    fn phase(&self, number: u16) -> &PhaseStarted {
        let mut starts = self.standing.iter().filter_map(|(_, event)| match event {
            Event::PhaseStarted(e) if e.phase == number && e.first_seed == 1 => Some(e),
            _ => None,
        });
        starts.next_back().expect("a round was opened in a phase that was never started")
    }

    fn entrants(&self, number: u16) -> Vec<PlayerNumber> {
        let parts = self.standing.iter().filter_map(|(_, event)| match event {
            Event::PhaseStarted(e) if e.phase == number => Some(&e.entrants),
            _ => None,
        });
        parts.flatten().copied().collect()
    }

    fn phases(&self) -> Vec<Phase> {
        let starts = self.standing.iter().filter_map(|(_, event)| match event {
            Event::PhaseStarted(e) if e.first_seed == 1 => Some(e),
            _ => None,
        });
        let phase = |e: &PhaseStarted| Phase {
            number: e.phase,
            kind: e.kind,
            entrants: self.entrants(e.phase),
            sheet: e.scoresheet.clone(),
            ended: self
                .holds(|event| matches!(event, Event::PhaseEnded(end) if end.phase == e.phase)),
        };
        starts.map(phase).collect()
    }

    /// Whether an event like this stands.
    fn holds(&self, is_it: impl Fn(&Event) -> bool) -> bool {
        self.standing.iter().any(|(_, event)| is_it(event))
    }

    fn unknown(&self) -> Vec<UnknownFact> {
        let lists = self.standing.iter().filter_map(|(_, event)| match event {
            Event::Imported(e) => Some(&e.unknown),
            _ => None,
        });
        lists.flatten().copied().collect()
    }

    fn sheet(&self) -> Scoresheet {
        let opened = self.standing.iter().find_map(|(_, event)| match event {
            Event::TournamentOpened(e) => Some(e.scoresheet.clone()),
            _ => None,
        });
        opened.expect("the tournament was never opened")
    }

    /// The seq at which the round was opened to which something recorded at `seq` belongs: the
    /// last opening of that number before it, also one that was withdrawn later.
    fn opening(&self, round: RoundNumber, seq: Seq) -> Option<Seq> {
        let openings = self.all.iter().filter(|(at, event)| {
            *at < seq && matches!(event, Event::RoundOpened(e) if e.round == round)
        });
        openings.map(|(at, _)| *at).next_back()
    }

    fn tables(&self, opened: Seq, round: RoundNumber) -> Vec<Table> {
        let mut tables = Vec::new();
        for (seq, event) in &self.standing {
            match event {
                Event::PairingMade(e)
                    if e.round == round && self.opening(round, *seq) == Some(opened) =>
                {
                    tables.push(self.table(*seq, e));
                }
                _ => {}
            }
        }
        tables
    }

    fn table(&self, pairing: Seq, e: &PairingMade) -> Table {
        let mut table = Table {
            seats: e.seats.iter().map(|seat| seat.player).collect(),
            result: None,
            noted: None,
            advanced: None,
        };
        for (_, event) in &self.standing {
            match event {
                Event::ResultRecorded(e) if e.pairing == pairing => {
                    table.result = Some(e.result.clone());
                }
                Event::ResultCorrected(e) if e.pairing == pairing => {
                    table.result = Some(e.result.clone());
                }
                Event::ScoreNoted(e) if e.pairing == pairing => table.noted = Some(e.score.clone()),
                Event::PlayerAdvanced(e) if e.pairing == pairing => table.advanced = Some(e.player),
                _ => {}
            }
        }
        table
    }

    fn byes(&self, opened: Seq, round: RoundNumber) -> Vec<ByeGiven> {
        let mut byes = Vec::new();
        for (seq, event) in &self.standing {
            match event {
                Event::ByeGiven(e)
                    if e.round == round && self.opening(round, *seq) == Some(opened) =>
                {
                    byes.push(e.clone());
                }
                _ => {}
            }
        }
        byes
    }

    fn lots(&self) -> Option<Vec<PlayerNumber>> {
        let mut lots: Option<Vec<PlayerNumber>> = None;
        for (_, event) in &self.standing {
            if let Event::LotsDrawn(e) = event {
                match &mut lots {
                    Some(drawn) if e.first_place > 1 => drawn.extend(&e.order),
                    _ => lots = Some(e.order.clone()),
                }
            }
        }
        lots
    }
}
