//! Small tournaments as text, and the desk at which tests record events.
//!
//! ```text
//! players Ann Bob Cid            everybody, in the order of sign-up
//! round                          or `round weight 1/2`, or `phase single elimination` before it,
//!                                or `phase single elimination: Ann Bob` with its entrants by seed
//! Ann 2-1 Bob                    the first line of the scoresheet, seat by seat
//! Ann 2-1-1 Bob                  with a line of the table behind it
//! Ann 5-4,10-8 Bob               two lines of the scoresheet
//! Ann beats Bob                  a ruling; also `draws`, `forfeits to`
//! Ann 1-0 Bob so far             a match that still runs; `Ann meets Bob` where nothing is noted
//! Ann advances over Bob          by ruling, behind the match's result
//! Cid bye                        or awarded bye, half bye, zero bye, awarded loss, vacant
//! Cid bye 6                      with the score that the source reported
//! Bob drops                      after the round last opened; also `is disqualified`
//! ```

use num_rational::BigRational;
use scrutineer_engine::book::Commitment;
use scrutineer_engine::decide::validate;
use scrutineer_engine::event::*;
use scrutineer_engine::tournament::Tournament;
use scrutineer_projections::crosstable::Scope;
use scrutineer_projections::ruleset::{Library, Ruleset};
use scrutineer_projections::standings::{Detail, Standings};
use smallvec::SmallVec;
use std::sync::Arc;

/// Three rounds: Ann 9 points, Bob 6, Cid 3, Dee 0.
pub const FOUR: &str = "
    players Ann Bob Cid Dee
    round
    Ann 2-0 Bob
    Cid 2-0 Dee
    round
    Ann 2-0 Cid
    Bob 2-0 Dee
    round
    Ann 2-0 Dee
    Bob 2-0 Cid
    ";

/// `mtr` with these keys and measures on top.
pub fn on_mtr(more: &str) -> Arc<Ruleset> {
    let mut library = Library::shipped();
    let text =
        format!("name = \"T\"\nedition = \"1\"\nsource = \"a test\"\nextends = \"mtr\"\n{more}");
    let id = library.load_file("t.toml", &text).unwrap_or_else(|error| panic!("{error}"));
    Arc::new(library.ruleset(&id).expect("a ruleset"))
}

/// A text nobody looks at.
pub const WORDS: Commitment = Commitment { number: 1, digest: [0; 32] };

/// Where events are recorded, each only if it is legal.
#[derive(Clone, Default)]
pub struct Desk {
    pub events: Vec<Event>,
    pub state: Tournament,
}

impl Desk {
    /// Records an event if it is legal, and says its seq.
    pub fn offer(&mut self, event: impl Into<Event>) -> Option<Seq> {
        let event = event.into();
        validate(&self.state, &event).ok()?;
        self.state.evolve(&event);
        self.events.push(event);
        Some(self.state.head())
    }

    /// Records an event that has to be legal.
    pub fn record(&mut self, event: impl Into<Event>) -> Seq {
        let event = event.into();
        if let Err(refused) = validate(&self.state, &event) {
            panic!("{event:?} is refused: {refused}");
        }
        self.offer(event).expect("it was admitted")
    }

    pub fn open(sheet: Scoresheet) -> Desk {
        let mut desk = Desk::default();
        desk.record(TournamentOpened::new(WORDS, sheet));
        desk
    }
}

pub fn line(name: &str, per: Per, min: i32, max: i32) -> ScoreLine {
    ScoreLine { name: name.to_owned(), per, min, max, unit: "points".to_owned() }
}

/// Games won by each seat and games drawn.
pub fn games_sheet(best_of: Option<u8>) -> Scoresheet {
    let lines = vec![line("games", Per::Seat, 0, 9), line("drawn", Per::Table, 0, 9)];
    Scoresheet { lines, best_of }
}

/// Lines that each seat has.
pub fn seat_sheet(names: &[&str]) -> Scoresheet {
    let lines = names.iter().map(|name| line(name, Per::Seat, -999, 999)).collect();
    Scoresheet { lines, best_of: None }
}

pub fn enrolled(player: PlayerNumber) -> PlayerEnrolled {
    PlayerEnrolled { sign_up: Some(player), ..PlayerEnrolled::new(player, WORDS) }
}

/// A tournament told in text.
pub struct Told {
    pub desk: Desk,
    pub names: Vec<String>,
    round: RoundNumber,
    phase: (u16, PhaseKind),
    phase_round: u16,
    table: u32,
    table_lines: usize,
    last_pairing: Seq,
}

/// Reads a text against a scoresheet.
pub fn tell(sheet: Scoresheet, text: &str) -> Told {
    let mut told = Told {
        table_lines: sheet.table_lines(),
        desk: Desk::open(sheet),
        names: Vec::new(),
        round: 0,
        phase: (0, PhaseKind::Swiss),
        phase_round: 0,
        table: 0,
        last_pairing: 0,
    };
    for line in text.lines().map(str::trim).filter(|line| !line.is_empty()) {
        let words: Vec<&str> = line.split_whitespace().collect();
        told.take(&words);
    }
    told.complete();
    told
}

impl Told {
    fn take(&mut self, words: &[&str]) {
        match words {
            ["players", names @ ..] => names.iter().for_each(|name| self.enroll(name)),
            ["phase", rest @ ..] => {
                let rest = rest.join(" ");
                let (kind, names) = rest.split_once(':').unwrap_or((&rest, ""));
                let entrants = names.split_whitespace().map(|name| self.number(name)).collect();
                self.start_phase(kind, entrants);
            }
            ["round"] => self.open_round("1/1"),
            ["round", "weight", weight] => self.open_round(weight),
            [who, "drops"] => self.leave(who, DropReason::Left),
            [who, "is", "disqualified"] => self.leave(who, DropReason::Disqualified),
            [who, "advances", "over", _] => self.advance(who),
            [who, "meets", other] => drop(self.pair(who, other)),
            [who, "beats", other] => {
                self.rule(who, other, How::Played, [Ruling::Win, Ruling::Loss])
            }
            [who, "draws", other] => self.rule(who, other, How::Played, [Ruling::Draw; 2]),
            [who, "forfeits", "to", other] => {
                self.rule(who, other, How::Forfeit, [Ruling::Loss, Ruling::Win]);
            }
            [who, "and", other, "forfeit"] => {
                self.rule(who, other, How::Forfeit, [Ruling::Loss; 2]);
            }
            [who, score, other, "so", "far"] => {
                let (pairing, score) = (self.pair(who, other), self.score(score));
                self.desk.record(ScoreNoted { pairing, score });
            }
            [who, "bye", reported] => self.give_bye(who, "bye", Some(self.score(reported))),
            [who, kind @ ..] if ByeKind::of_words(kind).is_some() => {
                self.give_bye(who, &kind.join(" "), None);
            }
            [who, score, other] => {
                let (pairing, score) = (self.pair(who, other), self.score(score));
                self.desk.record(ResultRecorded { pairing, result: MatchResult::played(score) });
            }
            _ => panic!("nobody understands `{}`", words.join(" ")),
        }
    }

    pub fn number(&self, name: &str) -> PlayerNumber {
        let at = self.names.iter().position(|known| known == name);
        at.unwrap_or_else(|| panic!("nobody is called {name}")) as PlayerNumber + 1
    }

    fn enroll(&mut self, name: &str) {
        self.names.push(name.to_owned());
        self.desk.record(enrolled(self.names.len() as PlayerNumber));
    }

    /// Without entrants everybody is one.
    fn start_phase(&mut self, kind: &str, mut entrants: Vec<PlayerNumber>) {
        self.complete();
        let kind = match kind {
            "swiss" => PhaseKind::Swiss,
            "round robin" => PhaseKind::RoundRobin,
            "pods" => PhaseKind::Pods,
            "single elimination" => PhaseKind::Elimination,
            "double elimination" => PhaseKind::DoubleElimination,
            _ => panic!("no phase is called {kind}"),
        };
        self.phase = (self.phase.0 + 1, kind);
        self.phase_round = 0;
        if entrants.is_empty() {
            entrants = (1..=self.names.len() as PlayerNumber).collect();
        }
        self.desk.record(PhaseStarted { entrants, ..PhaseStarted::new(self.phase.0, kind) });
    }

    fn open_round(&mut self, weight: &str) {
        if self.phase.0 == 0 {
            self.start_phase("swiss", Vec::new());
        }
        self.complete();
        let (num, den) = weight.split_once('/').expect("a weight is written a/b");
        let read = |part: &str| part.parse().expect("a weight holds numbers");
        self.round += 1;
        self.phase_round += 1;
        self.table = 0;
        self.desk.record(RoundOpened {
            round: self.round,
            phase: self.phase.0,
            phase_round: self.phase_round,
            weight: RoundWeight { num: read(num), den: read(den) },
            drawn: None,
        });
    }

    /// Completes the round if every result is in.
    fn complete(&mut self) {
        let _ = self.desk.offer(RoundCompleted { round: self.round });
    }

    fn pair(&mut self, who: &str, other: &str) -> Seq {
        self.table += 1;
        let seats = [who, other].map(|name| Seat { player: self.number(name), role: 0 });
        self.last_pairing = self.desk.record(PairingMade {
            round: self.round,
            table: Some(self.table),
            seats: seats.into_iter().collect(),
            group: None,
            bracket_slot: None,
            origin: Origin::AS_GIVEN,
        });
        self.last_pairing
    }

    fn rule(&mut self, who: &str, other: &str, how: How, rulings: [Ruling; 2]) {
        let pairing = self.pair(who, other);
        let mut result = MatchResult::played(Score::default());
        result.rulings = rulings.into_iter().map(Some).collect();
        result.how = how;
        self.desk.record(ResultRecorded { pairing, result });
    }

    /// `2-1`, `2-1-1` (the third is the table's) or `5-4,10-8` (one pair for each line); a single
    /// number is what a source reported for a bye.
    fn score(&self, text: &str) -> Score {
        let mut score = Score::default();
        score.seats.extend([SmallVec::new(), SmallVec::new()]);
        for line in text.split(',') {
            let read = |part: &str| part.parse().unwrap_or_else(|_| panic!("{text} is no score"));
            let values: Vec<i32> = line.split('-').map(read).collect();
            score.seats[0].push(values[0]);
            score.seats[1].push(values.get(1).copied().unwrap_or(0));
            score.table.extend(values.get(2).copied());
        }
        score.table.resize(self.table_lines, 0);
        score
    }

    fn advance(&mut self, who: &str) {
        let (pairing, player) = (self.last_pairing, self.number(who));
        self.desk.record(PlayerAdvanced { pairing, player, reason: WORDS });
    }

    fn give_bye(&mut self, who: &str, kind: &str, reported: Option<Score>) {
        let words: Vec<&str> = kind.split(' ').collect();
        let kind = ByeKind::of_words(&words).unwrap_or_else(|| panic!("{kind} is no bye"));
        let (round, player, origin) = (self.round, self.number(who), Origin::AS_GIVEN);
        self.desk.record(ByeGiven { round, player, kind, reported, bracket_slot: None, origin });
    }

    fn leave(&mut self, who: &str, why: DropReason) {
        let (player, after_round) = (self.number(who), self.round);
        self.desk.record(PlayerDropped { player, why, after_round });
    }

    /// Its standings, after the last round.
    pub fn standings(&self, rules: &str) -> Standings {
        self.standings_in(rules, Scope::FINAL)
    }

    pub fn standings_in(&self, rules: &str, scope: Scope) -> Standings {
        let read = Library::shipped().ruleset(rules);
        let rules = Arc::new(read.unwrap_or_else(|error| panic!("{rules}: {error}")));
        self.ranked(&rules, scope)
    }

    /// As [`Told::standings`], under any ruleset.
    pub fn standings_under(&self, rules: &Arc<Ruleset>) -> Standings {
        self.ranked(rules, Scope::FINAL)
    }

    fn ranked(&self, rules: &Arc<Ruleset>, scope: Scope) -> Standings {
        let standings = Standings::of(&self.desk.state, rules, scope, Detail::All);
        standings.unwrap_or_else(|error| panic!("{}: {error}", rules.id))
    }

    /// The names in the order of the standings; tied players in one text.
    pub fn order(&self, standings: &Standings) -> Vec<String> {
        let mut places: Vec<(u32, String)> = Vec::new();
        for row in &standings.rows {
            let name = &self.names[row.player as usize - 1];
            match places.last_mut() {
                Some((rank, tied)) if *rank == row.rank => {
                    tied.push(' ');
                    tied.push_str(name);
                }
                _ => places.push((row.rank, name.clone())),
            }
        }
        places.into_iter().map(|(_, names)| names).collect()
    }

    /// A player's value of a measure.
    pub fn value(&self, standings: &Standings, name: &str, measure: &str) -> BigRational {
        let row = standings.row(self.number(name)).unwrap_or_else(|| panic!("{name} has no row"));
        let value = standings.value(row, measure);
        value.unwrap_or_else(|| panic!("{measure} is no measure of {}", standings.rules.id))
    }

    /// Asserts a table: a head `player measure …`, then a row of values for each player.
    pub fn assert_values(&self, standings: &Standings, table: &str) {
        let mut lines = table.lines().map(str::trim).filter(|line| !line.is_empty());
        let head: Vec<&str> = lines.next().expect("a head").split_whitespace().skip(1).collect();
        for line in lines {
            let mut cells = line.split_whitespace();
            let name = cells.next().expect("a name");
            for (measure, wanted) in head.iter().zip(cells).filter(|(_, cell)| *cell != ".") {
                let found = self.value(standings, name, measure);
                assert_eq!(found, number(wanted), "{measure} of {name}");
            }
        }
    }
}

/// `12`, `-3`, `53/2` or `0.6667` as an exact number.
pub fn number(text: &str) -> BigRational {
    let (num, den) = match (text.split_once('/'), text.split_once('.')) {
        (Some((num, den)), _) => (num.to_owned(), den.to_owned()),
        (_, Some((units, decimals))) => {
            (format!("{units}{decimals}"), format!("1{}", "0".repeat(decimals.len())))
        }
        _ => (text.to_owned(), "1".to_owned()),
    };
    let read = |part: &str| part.parse().unwrap_or_else(|_| panic!("{text} is no number"));
    BigRational::new(read(&num), read(&den))
}

trait OfWords: Sized {
    fn of_words(words: &[&str]) -> Option<Self>;
}

impl OfWords for ByeKind {
    fn of_words(words: &[&str]) -> Option<ByeKind> {
        Some(match words {
            ["bye"] => ByeKind::Assigned,
            ["awarded", "bye"] => ByeKind::Awarded,
            ["half", "bye"] => ByeKind::Half,
            ["zero", "bye"] => ByeKind::Zero,
            ["awarded", "loss"] => ByeKind::AwardedLoss,
            ["vacant"] => ByeKind::Vacant,
            _ => return None,
        })
    }
}
