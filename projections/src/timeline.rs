//! One sentence for each event, in the words of the hall.

use crate::bracket_rounds::bracket_round;
use crate::counted;
use crate::ruleset::called;
use scrutineer_engine::book::Commitment;
use scrutineer_engine::event::*;
use scrutineer_engine::tournament::{Round, Tournament};

/// Where names and other private words come from.
pub trait Words {
    /// A player's name.
    fn player(&self, number: PlayerNumber) -> String;
    /// The text behind a commitment.
    fn text(&self, commitment: &Commitment) -> String;

    /// The name that a player had in one event of the log; what they are called where it was erased.
    fn name(&self, number: PlayerNumber, name: &Commitment) -> String {
        let _ = number;
        self.text(name)
    }
}

/// Tells what happened in the event with this seq. `state` is the tournament after it.
pub fn sentence(state: &Tournament, seq: Seq, event: &Event, words: &dyn Words) -> String {
    let teller = Teller { state, words };
    teller.tell(seq, event)
}

struct Teller<'a> {
    state: &'a Tournament,
    words: &'a dyn Words,
}

impl Teller<'_> {
    fn tell(&self, seq: Seq, event: &Event) -> String {
        match event {
            Event::TournamentOpened(e) => {
                let rules = called(&e.ruleset);
                format!("{} is opened under {rules}", self.words.text(&e.title))
            }
            Event::Imported(e) => {
                let unknown: Vec<&str> = e.unknown.iter().map(|fact| fact.word()).collect();
                let unknown = match unknown.is_empty() {
                    true => String::new(),
                    false => format!("; unknown: {}", unknown.join(", ")),
                };
                format!("imported from {} ({}){unknown}", self.words.text(&e.file), e.format)
            }
            Event::PlayerEnrolled(e) => match e.from_round {
                1 => format!("{} takes part", self.words.name(e.player, &e.name)),
                round => {
                    let name = self.words.name(e.player, &e.name);
                    format!("{name} takes part from round {round}")
                }
            },
            Event::PlayerIdentified(e) => {
                format!("player {} is called {}", e.player, self.words.text(&e.name))
            }
            Event::PlayerDivisionChanged(e) => {
                let (who, why) = (self.words.player(e.player), self.words.text(&e.reason));
                match &e.division {
                    Some(division) => format!("{who} is of the division {division}: {why}"),
                    None => format!("{who} is of no division: {why}"),
                }
            }
            Event::PlayerDescribed(e) => {
                format!("{} {}", self.words.player(e.player), described(e))
            }
            Event::PlayerRated(e) => {
                let before = self.state.rating_before(e.player, seq);
                format!("{} {}", self.words.player(e.player), rated(e.rating, before))
            }
            Event::PlayerIdCorrected(e) => {
                let id = e.publisher_id.map(|id| self.words.text(&id));
                format!("{} {}", self.words.player(e.player), identified(id.as_deref()))
            }
            Event::DivisionsPaired(e) => divisions_paired(e),
            Event::DivisionRounds(e) => division_rounds(e),
            Event::TableKept(e) => format!("{} {}", self.words.player(e.player), table_kept(e)),
            Event::TablesSet(e) => tables_set(e),
            Event::ByeRequested(e) => {
                format!("{} {}", self.words.player(e.player), asks_for_bye(e))
            }
            Event::PlayerCheckedIn(e) => format!("{} is here", self.words.player(e.player)),
            Event::PlayerDropped(e) => {
                format!("{} {}", self.words.player(e.player), leaves(e))
            }
            Event::PlayerReinstated(e) => {
                format!("{} is back from round {}", self.words.player(e.player), e.from_round)
            }
            Event::PhaseStarted(e) if e.first_seed > 1 => {
                let more = counted(e.entrants.len(), "more entrant");
                format!("{more} of phase {}", e.phase)
            }
            Event::PhaseStarted(e) => {
                let passed = e.passed_over.iter().map(|over| {
                    let reason = self.words.text(&over.reason);
                    format!("; {} is passed over: {reason}", self.words.player(over.player))
                });
                let (phase, kind, players) = (e.phase, e.kind.spelled(), e.entrants.len());
                let passed: String = passed.collect();
                format!("phase {phase} begins: {kind}, {}{passed}", counted(players, "player"))
            }
            Event::PhaseEnded(e) => format!("phase {} is over", e.phase),
            Event::RoundOpened(e) => {
                let called = bracket_round(self.state, e.round);
                let called = called.map_or(String::new(), |called| format!(", the {called},"));
                format!("round {}{called} is opened{}", e.round, draw(e))
            }
            Event::PairingMade(e) => {
                let names: Vec<String> =
                    e.seats.iter().map(|seat| self.words.player(seat.player)).collect();
                let slot = slot(e.bracket_slot);
                let origin = self.origin(&e.origin);
                format!("{} {}{slot}{origin}", place(e.round, e.table), names.join(" against "))
            }
            Event::ByeGiven(e) => {
                let kind = e.kind.to_string();
                let a = if kind.starts_with(['a', 'u']) { "an" } else { "a" };
                let (slot, origin) = (slot(e.bracket_slot), self.origin(&e.origin));
                let who = self.words.player(e.player);
                format!("R{} {who} has {a} {kind}{slot}{origin}", e.round)
            }
            Event::EnginePaired(e) => {
                let engine = engine_called(&e.engine, e.version.as_deref());
                format!("round {} is paired by {engine}, started with {}", e.round, e.arguments)
            }
            Event::PairingsPublished(e) => format!("the pairings of round {} are out", e.round),
            Event::RoundCompleted(e) => format!("round {} is completed", e.round),
            Event::ResultClaimed(e) => {
                format!("{}, claimed by seat {}", self.result(e.pairing, &e.result), e.seat + 1)
            }
            Event::ScoreNoted(e) => {
                let so_far = MatchResult::played(e.score.clone());
                format!("{}, not finished", self.result(e.pairing, &so_far))
            }
            Event::ResultRecorded(e) => self.result(e.pairing, &e.result),
            Event::ResultCorrected(e) if plays_postponed(self.state, e) => {
                let (result, why) = (self.result(e.pairing, &e.result), self.words.text(&e.reason));
                format!("{result}, played (postponed by event {}): {why}", e.replaces)
            }
            Event::ResultCorrected(e) => {
                let after = e.dispute.map(|seq| format!(" after {}", self.dispute(seq)));
                format!(
                    "{}, corrected{} (event {} was wrong): {}",
                    self.result(e.pairing, &e.result),
                    after.unwrap_or_default(),
                    e.replaces,
                    self.words.text(&e.reason),
                )
            }
            Event::PenaltyGiven(e) => {
                let waits = e.pairing.is_none() && e.kind != PenaltyKind::Warning;
                let when = if waits { ", in their next match" } else { "" };
                let who = self.words.player(e.player);
                format!("{who}: {}{when}: {}", e.kind, self.words.text(&e.reason))
            }
            Event::PlayerAdvanced(e) => {
                let who = self.words.player(e.player);
                format!("{who} goes on by ruling: {}", self.words.text(&e.reason))
            }
            Event::DisputeOpened(e) => {
                let who = e.by.map_or("somebody".into(), |player| self.words.player(player));
                let (dispute, claim) = (self.dispute(seq), self.words.text(&e.claim));
                format!("{dispute}: {who} disputes {}: {claim}", self.table(e.pairing))
            }
            Event::DisputeRuled(e) => {
                let how = if e.upheld { "upheld" } else { "denied" };
                format!("{} is {how}: {}", self.dispute(e.dispute), self.words.text(&e.reason))
            }
            Event::LotsDrawn(e) => {
                let from = match (e.source, &e.seed) {
                    (_, Some((draw, _))) => format!("drawn from seed {draw}"),
                    (LotsSource::Seed, None) => "drawn from the seed".into(),
                    (source, None) => source.to_string(),
                };
                format!("lots for {}, {from}", counted(e.order.len(), "player"))
            }
            Event::StandingsAnnounced(e) => {
                format!("standings after round {} are announced", e.through_round)
            }
            Event::Withdrawn(e) => {
                format!("event {} is withdrawn: {}", e.seq, self.words.text(&e.reason))
            }
            Event::PlanAmended(e) => format!("the plan changes: {}", self.words.text(&e.reason)),
            Event::RulesetAmended(e) => {
                let rules = called(&e.ruleset);
                let from =
                    e.from_round.map_or(String::new(), |round| format!(" from round {round}"));
                format!("{rules} is in force{from}: {}", self.words.text(&e.reason))
            }
            Event::SignerChanged(e) => {
                format!("another key signs: {}", self.words.text(&e.reason))
            }
            Event::KeyRetired(e) => {
                let (records, why) = (counted(e.last_size, "record"), self.words.text(&e.reason));
                format!("a key is not to be trusted beyond {records}: {why}")
            }
            Event::LogRestored(e) => {
                let (records, why) = (counted(e.known_size, "record"), self.words.text(&e.reason));
                format!("the log was restored; {records} had been attested: {why}")
            }
            Event::SeedRecommitted(e) => {
                format!("the pairing commitment is replaced: {}", self.words.text(&e.reason))
            }
            Event::TournamentClosed(_) => "the tournament is closed".into(),
            Event::NoteAdded(e) => {
                let about = e.about.map_or(String::new(), |seq| format!(" on event {seq}"));
                format!("note{about}: {}", self.words.text(&e.note))
            }
            Event::TextsForgotten(e) => {
                let numbers = e.numbers.iter().map(u32::to_string).collect::<Vec<_>>().join(", ");
                let entries = if e.numbers.len() == 1 { "entry" } else { "entries" };
                format!("{} forgotten: {entries} {numbers}", counted(e.numbers.len(), "text"))
            }
            Event::StaffNamed(e) => {
                debug_assert!(seq > 0);
                format!("actor {} is {}", e.actor, self.words.text(&e.name))
            }
        }
    }

    /// The number by which people call the dispute that was opened at a seq.
    fn dispute(&self, seq: Seq) -> String {
        match self.state.disputes().iter().position(|dispute| dispute.seq == seq) {
            Some(at) => format!("dispute {}", at + 1),
            None => format!("the dispute of event {seq}"),
        }
    }

    /// Where a pairing or bye comes from, as far as it has to be said.
    fn origin(&self, origin: &Origin) -> String {
        match (origin.kind, origin.because) {
            (OriginKind::ByHand, _) => {
                let reason = origin.reason.map(|reason| format!(": {}", self.words.text(&reason)));
                format!(", set by hand{}", reason.unwrap_or_default())
            }
            (OriginKind::PairedRound, Some(PairingReason::Bracket)) => String::new(),
            (OriginKind::PairedRound, Some(because)) => format!(" ({because})"),
            _ => String::new(),
        }
    }

    fn table(&self, pairing: Seq) -> String {
        match self.state.match_at(pairing) {
            Some(found) => place(found.round().number, found.table()),
            None => format!("the match of event {pairing}"),
        }
    }

    /// A result as the hall reads it, the winner first.
    fn result(&self, pairing: Seq, result: &MatchResult) -> String {
        let Some(found) = self.state.match_at(pairing) else {
            return format!("result of event {pairing}, which does not stand");
        };
        let names: Vec<String> =
            found.seats().iter().map(|seat| self.words.player(seat.player)).collect();
        let at = place(found.round().number, found.table());
        let how = match result.how {
            How::Played | How::Unknown => String::new(),
            how => format!(" ({how})"),
        };
        if let (Some(points), [first, second]) = (result_of_chess(self.state, result), &names[..]) {
            return format!("{at} {first} {points} {second}{how}{}", served(result));
        }
        let ruled = format!("{}{}", rulings(result, false), served(result));
        let [first, second] = &names[..] else {
            let all: Vec<String> = names
                .iter()
                .enumerate()
                .map(|(seat, name)| format!("{name} {}", seat_score(result, seat)))
                .collect();
            return format!("{at} {}{how}{ruled}", all.join(", "));
        };
        let (own, other) = (seat_score(result, 0), seat_score(result, 1));
        let table = table_score(result);
        if own.is_empty() && other.is_empty() {
            return format!("{at} {first} against {second}{how}{ruled}");
        }
        let values = |seat: usize| result.score.seats.get(seat).and_then(|values| values.first());
        if values(1) > values(0) {
            let ruled = format!("{}{}", rulings(result, true), served(result));
            return format!("{at} {second} {other}-{own}{table} {first}{how}{ruled}");
        }
        format!("{at} {first} {own}-{other}{table} {second}{how}{ruled}")
    }
}

/// Whether a correction is no more than the result of a match that was postponed.
pub fn plays_postponed(state: &Tournament, e: &ResultCorrected) -> bool {
    let found = state.match_at(e.pairing).filter(|_| e.dispute.is_none());
    found.is_some_and(|found| found.was_postponed_by(e.replaces)) && !e.result.is_void()
}

/// How divisions are paired from now on.
pub fn divisions_paired(e: &DivisionsPaired) -> String {
    let group = |group: &Vec<String>| group.join(" and ");
    let merged: Vec<String> = e.merged.iter().map(group).collect();
    match (e.apart, merged.is_empty()) {
        (false, _) => "from now on all divisions are paired together".into(),
        (true, true) => "from now on each division is paired by itself".into(),
        (true, false) => {
            format!("from now on each division is paired by itself, {} as one", merged.join(", "))
        }
    }
}

/// How many rounds a division plays, such as `junior plays 4 rounds`.
pub fn division_rounds(e: &DivisionRounds) -> String {
    match e.rounds {
        Some(rounds) => format!("{} plays {}", e.division, counted(rounds, "round")),
        None => format!("{} plays as many rounds as everybody", e.division),
    }
}

/// Where somebody sits from now on, such as `keeps table 5`.
pub fn table_kept(e: &TableKept) -> String {
    match e.table {
        Some(table) => format!("keeps table {table}"),
        None => "keeps no table".into(),
    }
}

/// Which tables the hall has, such as `the hall has the tables 1-12 and 14-40`.
pub fn tables_set(e: &TablesSet) -> String {
    let ranges: Vec<String> = e.ranges.iter().map(TableRange::to_string).collect();
    match &ranges[..] {
        [] => "the tables are numbered from 1".into(),
        ranges => format!("the hall has the tables {}", ranges.join(", ")),
    }
}

/// What somebody is, such as `is GM, of SWE`.
pub fn described(e: &PlayerDescribed) -> String {
    match (&e.title, &e.federation) {
        (Some(title), Some(federation)) => format!("is {title}, of {federation}"),
        (Some(title), None) => format!("is {title}"),
        (None, Some(federation)) => format!("is of {federation}"),
        (None, None) => "has no title".into(),
    }
}

/// Which rating somebody has, and which they had before, such as `has the rating 1912 (was 1876)`.
pub fn rated(now: Option<i32>, before: Option<i32>) -> String {
    let was = before.map_or(String::new(), |before| format!(" (was {before})"));
    match now {
        Some(now) => format!("has the rating {now}{was}"),
        None => format!("has no rating{was}"),
    }
}

/// Which id with the publisher somebody has, such as `has the id 14600123`.
pub fn identified(id: Option<&str>) -> String {
    id.map_or("has no id".into(), |id| format!("has the id {id}"))
}

/// Which bye somebody asks for, such as `asks for a half bye in round 4`.
pub fn asks_for_bye(e: &ByeRequested) -> String {
    let article = if e.kind == ByeKind::Awarded { "an" } else { "a" };
    format!("asks for {article} {} in round {}", e.kind, e.round)
}

/// How and when somebody leaves, such as `drops after round 3`.
pub fn leaves(e: &PlayerDropped) -> String {
    let how = match e.why {
        DropReason::Left => "drops",
        DropReason::NoShow => "is dropped as a no-show",
        DropReason::Disqualified => "is disqualified",
    };
    match e.after_round {
        0 => format!("{how} before round 1"),
        round => format!("{how} after round {round}"),
    }
}

/// What a pairing engine is called, with its version where it said one.
pub fn engine_called(engine: &str, version: Option<&str>) -> String {
    match version {
        Some(version) => format!("{engine} {version}"),
        None => format!("{engine} of unknown version"),
    }
}

/// The pairing engine of somebody else that paired a round, with its version.
pub fn paired_by_engine(round: &Round) -> Option<String> {
    let (engine, version) = round.engine.as_ref()?;
    Some(engine_called(engine, version.as_deref()))
}

/// By which draw a round was made.
fn draw(opened: &RoundOpened) -> String {
    let Some(used) = &opened.drawn else { return String::new() };
    let dice = if used.dice.is_some() { " and public dice" } else { "" };
    if used.is_for_engine() {
        return format!(", to be paired by an engine, with seed {}{dice}", used.draw);
    }
    format!(", paired by {} {} from seed {}{dice}", used.method, used.version, used.draw)
}

/// The place in the bracket.
fn slot(slot: Option<u32>) -> String {
    slot.map_or(String::new(), |slot| format!(", place {slot} of the bracket"))
}

/// Penalties that a match took.
fn served(result: &MatchResult) -> String {
    match &result.penalties_served[..] {
        [] => String::new(),
        [one] => format!(", penalty of event {one} served"),
        several => {
            let seqs: Vec<String> = several.iter().map(Seq::to_string).collect();
            format!(", penalties of events {} served", seqs.join(", "))
        }
    }
}

/// A round, and a table where there is one, such as `R3 T12`.
pub fn place(round: RoundNumber, table: Option<u32>) -> String {
    table.map_or(format!("R{round}"), |table| format!("R{round} T{table}"))
}

/// A seat's values, such as `2`, or `5/10` where there are several lines.
pub fn seat_score(result: &MatchResult, seat: usize) -> String {
    let values = result.score.seats.get(seat).map(|values| values.to_vec()).unwrap_or_default();
    values.iter().map(i32::to_string).collect::<Vec<_>>().join("/")
}

/// The table's values where one is not 0, such as `-1` for a drawn game.
pub fn table_score(result: &MatchResult) -> String {
    match result.score.table.iter().any(|value| *value != 0) {
        true => result.score.table.iter().map(|value| format!("-{value}")).collect(),
        false => String::new(),
    }
}

/// The result of a single game as chess writes it, where the ruleset of the tournament has a first seat, which is
/// white; none: it is another result.
pub fn result_of_chess(state: &Tournament, result: &MatchResult) -> Option<&'static str> {
    use Ruling::{Draw, Loss, Win};
    let MatchResult { score, rulings, how, .. } = result;
    let games: Vec<&[i32]> = score.seats.iter().map(|values| &values[..]).collect();
    let drawn: i32 = score.table.iter().sum();
    let by_score = match (&games[..], drawn) {
        ([[1], [0]], 0) => Some([Win, Loss]),
        ([[0], [1]], 0) => Some([Loss, Win]),
        ([[0], [0]], 1) => Some([Draw, Draw]),
        ([] | [[], []] | [[0], [0]], 0) => None,
        _ => return None,
    };
    let ruled = match rulings[..] {
        [] => None,
        [Some(first), Some(second)] => Some([first, second]),
        _ => return None,
    };
    if by_score.is_some() && ruled.is_some() && by_score != ruled {
        return None;
    }
    let points = match (ruled.or(by_score)?, matches!(how, How::Forfeit | How::NoShow)) {
        ([Win, Loss], false) => "1-0",
        ([Loss, Win], false) => "0-1",
        ([Draw, Draw], false) => "½-½",
        ([Draw, Loss], false) => "½-0",
        ([Loss, Draw], false) => "0-½",
        ([Loss, Loss], false) => "0-0",
        ([Win, Loss], true) => "+/-",
        ([Loss, Win], true) => "-/+",
        ([Loss, Loss], true) => "-/-",
        _ => return None,
    };
    state.ruleset().is_some_and(has_first_seat).then_some(points)
}

/// Whether a ruleset names its first seat, by that line of its text: a sentence is told too often to read all of it.
fn has_first_seat(files: &[RulesetFile]) -> bool {
    let is_its =
        |line: &str| line.split_once('=').is_some_and(|(key, _)| key.trim() == "first_seat");
    files.iter().any(|file| file.text.lines().any(is_its))
}

/// What was ruled for each seat, the second one first where the names stand so.
fn rulings(result: &MatchResult, is_turned: bool) -> String {
    let word = |ruling: &Option<Ruling>| match ruling {
        None => "-".to_string(),
        Some(Ruling::Win) => "win".into(),
        Some(Ruling::Loss) => "loss".into(),
        Some(Ruling::Draw) => "draw".into(),
        Some(Ruling::NoResult) => "no result".into(),
        Some(Ruling::Place(place)) => format!("place {place}"),
    };
    match result.rulings.iter().any(Option::is_some) {
        true if result.is_postponed() => ", postponed".into(),
        true => {
            let mut words: Vec<String> = result.rulings.iter().map(word).collect();
            if is_turned {
                words.reverse();
            }
            format!(", ruled {}", words.join("/"))
        }
        false => String::new(),
    }
}
