//! A desk that understands a line of text.
//!
//! ```text
//! start 4                     open (best of three), enroll four, start a Swiss phase
//! open [best 5]               open sheet games 0 9       import            plan finals
//! enroll 2 [from 3]            enrolled 7     the raw event with that number
//! phase 1 1 2 3 4             more 1 5 6 7   phase 1 goes on with seed 5      end 1
//! round 1: 1-2 3-4 5          tables 1 and 2 and a bye; as the first round of phase 1
//! open seeded                 open, and commit to the seeds of the secret 7 7 7 …
//! drawn 1 2 7                 open round 1 with the seed of draw 2 of the secret 7 7 7 …
//! signer 3                    the key 3 3 3 … signs
//! retire 3                    it must no longer be trusted
//! reseeded 8                  commit to the seeds of the secret 8 8 8 …
//! drawn 1 2 7 dice 42         the same, with public dice
//! drawn lots 1 7: 1 2         lots with the seed of draw 1 of the secret 7 7 7 …
//! round 2 of 3.1: 1-2         ... of phase 3      opened 2 of 3.1 weight 1/2
//! pair 1 3 5-6                table 3 of round 1; table `-`: as given, without a number
//! bye 1 5 awarded loss        publish 1      complete [1]
//! result 1 3 2-0-1            table 3 of round 1; likewise correct, advance 1 3 5
//! record 8 2-0                the pairing of event 8; likewise so far 8 1-0, claim 8 1 2-0
//! ruled 8 win,loss            no score; `-` for a seat where nothing is ruled, `3` for place 3
//! parts 8 3                   a part with 3 seats        served 8 12
//! replace 8 9 2-0 [over 12]   dispute 8 [3]              rule 12
//! asks 3 4 half               a bye in round 4; also full, zero, and any
//! drop 3 2    back 3 4        name 3         here 3      penalty 3 [8]
//! lots 1 2 3                  lots from 3: 4 5           announce 9 1
//! withdraw 9  close           note [9]       nothing     many 70000
//! plan of 3   a plan of three phases         division 1 9   enrolled with a word of 9 letters
//! division of 1 junior                       apart junior+senior, together   how divisions are paired
//! ```
//!
//! and a line that only looks: `open matches 1`, `see 8` (the result of a pairing, its seq in
//! brackets), `seats 1`, `out 3`, `takes part 3 1`, `goes on 8`, `entrants 1`, `order`, `closed?`,
//! `completed? 1`, `ruling 12`, `disputes` (the open ones, each with its number).

use scrutineer_engine::book::Commitment;
use scrutineer_engine::command::Command;
use scrutineer_engine::decide::{decide, validate};
use scrutineer_engine::event::*;
use scrutineer_engine::handler::{CommandError, CommandHandler, Request};
use scrutineer_engine::log::MemoryLog;
use scrutineer_engine::record::{Actor, CommandId, StreamId, Time};
use scrutineer_engine::seed;
use scrutineer_engine::tournament::Tournament;
use smallvec::{SmallVec, smallvec};

pub const WORDS: Commitment = Commitment { number: 1, digest: [0; 32] };

/// A log and what has been asked of it so far.
#[derive(Default)]
pub struct Desk {
    log: MemoryLog,
    asked: u128,
    pub state: Tournament,
}

impl Desk {
    /// The answer to a line: `ok`, the seqs that were recorded, `[code]`, or what was asked for.
    pub fn ask(&mut self, line: &str) -> String {
        let words: Vec<&str> = line.split([' ', ':']).filter(|word| !word.is_empty()).collect();
        if let Some(seen) = self.look(&words) {
            return seen;
        }
        if let ["start", players] = words[..] {
            let players = format!("enroll {players}");
            return ["open", &players, "phase 1"].map(|line| self.ask(line))[2].clone();
        }
        self.command(read(&words))
    }

    fn command(&mut self, command: Command) -> String {
        let before = self.state.clone();
        let decided = decide(&self.state, &command);
        assert_eq!(self.state, before, "deciding changed the state");
        self.asked += 1;
        let request = Request {
            stream: StreamId([1; 16]),
            id: CommandId(self.asked),
            actor: Actor(1),
            time: Time::default(),
            private: Vec::new(),
            command,
            expected: None,
        };
        let answer = CommandHandler::new(&self.log).handle(&request);
        for event in decided.iter().flatten().filter(|_| answer.is_ok()) {
            assert_eq!(validate(&self.state, event), Ok(()), "decided and not admitted");
            self.state.evolve(event);
        }
        match answer {
            Ok(answer) if answer.first_seq == answer.last_seq => format!("ok {}", answer.last_seq),
            Ok(answer) => format!("ok {}..{}", answer.first_seq, answer.last_seq),
            Err(CommandError::Rejected(why)) => {
                assert!(!why.to_string().is_empty() && !why.hint().is_empty());
                format!("[{}]", why.code())
            }
            Err(other) => format!("{other}"),
        }
    }

    fn look(&self, words: &[&str]) -> Option<String> {
        let state = &self.state;
        Some(match *words {
            ["open", "matches", round] => match state.round(number(round)) {
                Some(round) => round.open_matches.to_string(),
                None => "none".to_owned(),
            },
            ["see", pairing] => self.result_of(number(pairing)),
            ["seats", round] => self.seats(number(round)),
            ["out", player] => match state.player(number(player)) {
                None => "nobody".to_owned(),
                Some(player) => player
                    .dropped()
                    .map_or("no".to_owned(), |(why, after)| format!("{why} after round {after}")),
            },
            ["rating", player] => {
                let rating = state.player(number(player)).and_then(|player| player.rating);
                rating.map_or("none".to_owned(), |rating| rating.to_string())
            }
            ["rating", player, "before", seq] => {
                let rating = state.rating_before(number(player), number(seq));
                rating.map_or("none".to_owned(), |rating| rating.to_string())
            }
            ["takes", "part", player, round] => {
                let player = state.player(number(player));
                yes_or_no(player.is_some_and(|player| player.takes_part_in(number(round))))
            }
            ["goes", "on", pairing] => state
                .match_at(number(pairing))
                .and_then(|found| found.advanced())
                .map_or("nobody".to_owned(), |player| player.to_string()),
            ["entrants", phase] => list(&state.phase(number(phase))?.entrants),
            ["order"] => state.lots().map_or("none".to_owned(), |lots| list(&lots.order)),
            ["closed?"] => yes_or_no(state.is_closed()),
            ["completed?", round] => {
                yes_or_no(state.round(number(round)).is_some_and(|r| r.completed.is_some()))
            }
            ["disputes"] => {
                let open = state.open_disputes().map(|(number, open)| (number, open.seq));
                open.map(|(number, seq)| format!("{number}: {seq}")).collect::<Vec<_>>().join(" ")
            }
            ["ruling", dispute] => match state.dispute(number(dispute)) {
                None => "none".to_owned(),
                Some(dispute) => {
                    dispute.ruled.map_or("open".to_owned(), |(seq, _)| format!("ruled by {seq}"))
                }
            },
            _ => return None,
        })
    }

    fn result_of(&self, pairing: Seq) -> String {
        let Some(found) = self.state.match_at(pairing) else { return "gone".to_owned() };
        let score = found.score().map_or("nothing".to_owned(), |score| {
            let games = |seat| score.seat(seat, 0).to_string();
            [games(0), games(1), score.table(0).to_string()].join("-")
        });
        match found.result() {
            Some(seq) => format!("{score} ({seq})"),
            None => score,
        }
    }

    fn seats(&self, round: RoundNumber) -> String {
        let tables = self.state.matches().filter(|found| found.round().number == round);
        let byes = self.state.byes();
        let byes = byes.filter(|bye| self.state.rounds()[bye.round as usize].number == round);
        let seats = tables.map(|found| {
            let players = found.seats().iter().map(|seat| seat.player.to_string());
            players.collect::<Vec<_>>().join("-")
        });
        seats.chain(byes.map(|bye| bye.player.to_string())).collect::<Vec<_>>().join(" ")
    }
}

fn read(words: &[&str]) -> Command {
    one(match *words {
        ["open"] => opened(games_sheet(3)).into(),
        ["open", "best", games] => opened(games_sheet(number(games))).into(),
        ["open", "seeded"] => TournamentOpened {
            seed_commitment: Some(seed::commitment(&[7; 32])),
            ..opened(games_sheet(3))
        }
        .into(),
        ["signer", key] => SignerChanged { signer: [number(key); 32], reason: WORDS }.into(),
        ["retire", key] => {
            KeyRetired { key: [number(key); 32], last_size: 3, reason: WORDS }.into()
        }
        ["reseeded", secret] => {
            let seed_commitment = seed::commitment(&[number(secret); 32]);
            SeedRecommitted { seed_commitment, reason: WORDS }.into()
        }
        ["drawn", "lots", draw, secret, ref order @ ..] => {
            LotsDrawn { seed: Some(revealed(draw, secret)), ..lots(1, order) }.into()
        }
        ["drawn", round, draw, secret] => {
            let (draw, seed) = revealed(draw, secret);
            drawn(round, (draw, seed), None)
        }
        ["drawn", round, draw, secret, "dice", dice] => {
            drawn(round, revealed(draw, secret), Some(dice.as_bytes().to_vec()))
        }
        ["engine", round, said] => {
            let (engine, arguments) = ("pairer".to_owned(), "{input}".to_owned());
            let (round, output) = (number(round), said.replace('_', " "));
            EnginePaired { round, engine, version: None, arguments, input: [0; 32], output }.into()
        }
        ["open", "sheet", name, min, max] => opened(sheet(name, min, max)).into(),
        ["import"] => imported().into(),
        ["enroll", count] => return enroll(number(count), 1),
        ["enroll", count, "from", round] => return enroll(number(count), number(round)),
        ["enrolled", player] => enrolled(number(player), 1).into(),
        ["phase", phase, ref entrants @ ..] => phase_started(phase, 1, entrants).into(),
        ["more", phase, seed, ref entrants @ ..] => {
            phase_started(phase, number(seed), entrants).into()
        }
        ["end", phase] => PhaseEnded { phase: number(phase) }.into(),
        ["round", round, "of", place, ref tables @ ..] => return round_of(round, place, tables),
        ["round", round, ref tables @ ..] => return round_of(round, &format!("1.{round}"), tables),
        ["opened", round, "of", place, "weight", weight] => weighed(round, place, weight).into(),
        ["pair", round, table, seats] => pairing(round, table, seats).into(),
        ["bye", round, player, ref kind @ ..] => bye(round, player, &kind.join(" ")).into(),
        ["publish", round] => PairingsPublished { round: number(round) }.into(),
        ["complete"] => return Command::CompleteRound,
        ["complete", round] => RoundCompleted { round: number(round) }.into(),
        ["plan", name] => planned(name).into(),
        ["plan", "of", count] => {
            let phase = planned("finals").plan.swap_remove(0);
            PlanAmended { plan: vec![phase; number(count)], reason: WORDS }.into()
        }
        ["division", player, letters] => {
            let division = Some("x".repeat(number(letters)));
            PlayerEnrolled { division, ..enrolled(number(player), 1) }.into()
        }
        ["division", "of", player, division] => {
            let division = Some(division.to_string());
            PlayerDivisionChanged { player: number(player), division, reason: WORDS }.into()
        }
        ["rounds", "of", division, "all"] => rounds_of(division, None).into(),
        ["rounds", "of", division, rounds] => rounds_of(division, Some(number(rounds))).into(),
        ["title", player, letters] => {
            let title = Some("x".repeat(number(letters)));
            let player = number(player);
            PlayerDescribed { player, federation: title.clone(), title }.into()
        }
        ["rates", player, rating] => {
            let rating = (rating != "not").then(|| number(rating));
            PlayerRated { player: number(player), rating }.into()
        }
        ["id", player, word] => {
            let publisher_id = (word != "none").then_some(WORDS);
            PlayerIdCorrected { player: number(player), publisher_id }.into()
        }
        ["keep", player, "none"] => TableKept { player: number(player), table: None }.into(),
        ["keep", player, table] => {
            TableKept { player: number(player), table: Some(number(table)) }.into()
        }
        ["tables", ref ranges @ ..] => {
            let range = |(first, last): (&str, &str)| TableRange {
                first: number(first),
                last: number(last),
            };
            let ranges =
                ranges.iter().filter_map(|range| range.split_once('-')).map(range).collect();
            TablesSet { ranges }.into()
        }
        ["together"] => DivisionsPaired::default().into(),
        ["together", ref groups @ ..] => merged(false, groups).into(),
        ["apart", ref groups @ ..] => merged(true, groups).into(),
        ["close"] => TournamentClosed {}.into(),
        ["note"] => NoteAdded { note: WORDS, about: None }.into(),
        ["note", seq] => NoteAdded { note: WORDS, about: Some(number(seq)) }.into(),
        ["withdraw", seq] => Withdrawn { seq: number(seq), reason: WORDS }.into(),
        ["announce", head, round] => announced(head, round).into(),
        ["lots", "from", place, ref order @ ..] => lots(number(place), order).into(),
        ["lots", ref order @ ..] => lots(1, order).into(),
        ["nothing"] => return Command::Record(Vec::new()),
        ["many", count] => return Command::Record(vec![large_note(number(count))]),
        _ => return at_a_table(words),
    })
}

fn at_a_table(words: &[&str]) -> Command {
    let reason = WORDS;
    one(match *words {
        ["result", round, table, score] => {
            let (round, table) = (number(round), number(table));
            return Command::Result { round, table, result: played(score) };
        }
        ["correct", round, table, score] => {
            let (round, table, result) = (number(round), number(table), played(score));
            return Command::Correct { round, table, result, reason, dispute: None };
        }
        ["advance", round, table, player] => {
            let (round, table, player) = (number(round), number(table), number(player));
            return Command::Advance { round, table, player, reason };
        }
        ["ruled", pairing, rulings] => recorded(pairing, ruled(rulings)),
        ["record", pairing, score] => recorded(pairing, played(score)),
        ["parts", pairing, seats] => recorded(pairing, with_part(number(seats))),
        ["served", pairing, penalty] => {
            let penalties_served = vec![number(penalty)];
            recorded(pairing, MatchResult { penalties_served, ..played("2-0") })
        }
        ["replace", pairing, replaces, score] => replaced(pairing, replaces, score, None),
        ["replace", pairing, replaces, score, "over", dispute] => {
            replaced(pairing, replaces, score, Some(number(dispute)))
        }
        ["claim", pairing, seat, result] => {
            ResultClaimed { pairing: number(pairing), seat: number(seat), result: played(result) }
                .into()
        }
        ["so", "far", pairing, so_far] => {
            ScoreNoted { pairing: number(pairing), score: score(so_far) }.into()
        }
        ["dispute", pairing] => disputed(pairing, None),
        ["dispute", pairing, player] => disputed(pairing, Some(number(player))),
        ["rule", dispute] => DisputeRuled { dispute: number(dispute), upheld: true, reason }.into(),
        _ => about_a_player(words),
    })
}

fn about_a_player(words: &[&str]) -> Event {
    let penalty = |player, pairing| PenaltyGiven {
        player: number(player),
        kind: PenaltyKind::GameLoss,
        pairing,
        reason: WORDS,
    };
    match *words {
        ["drop", player, round] => {
            let (player, after_round) = (number(player), number(round));
            PlayerDropped { player, why: DropReason::Left, after_round }.into()
        }
        ["back", player, round] => {
            PlayerReinstated { player: number(player), from_round: number(round) }.into()
        }
        ["asks", player, round, kind] => {
            let kind = match kind {
                "full" => ByeKind::Awarded,
                "half" => ByeKind::Half,
                "zero" => ByeKind::Zero,
                _ => ByeKind::Assigned,
            };
            ByeRequested { player: number(player), round: number(round), kind }.into()
        }
        ["name", player] => PlayerIdentified { player: number(player), name: WORDS }.into(),
        ["here", player] => PlayerCheckedIn { player: number(player) }.into(),
        ["penalty", player] => penalty(player, None).into(),
        ["penalty", player, pairing] => penalty(player, Some(number(pairing))).into(),
        _ => panic!("nobody understands {words:?}"),
    }
}

fn number<T: std::str::FromStr>(word: &str) -> T {
    word.parse().unwrap_or_else(|_| panic!("{word:?} is no number"))
}

fn drawn(round: &str, (draw, seed): (u32, [u8; 32]), dice: Option<Vec<u8>>) -> Event {
    let method = "score-group-random".to_owned();
    let drawn = Some(DrawUsed { method, version: 1, draw, seed, dice });
    RoundOpened { drawn, ..weighed(round, &format!("1.{round}"), "1/1") }.into()
}

fn revealed(draw: &str, secret: &str) -> (u32, [u8; 32]) {
    let draw = number(draw);
    (draw, seed::reveal(&[number(secret); 32], draw).expect("a draw that is served"))
}

fn one(event: Event) -> Command {
    Command::Record(vec![event])
}

fn yes_or_no(yes: bool) -> String {
    if yes { "yes" } else { "no" }.to_owned()
}

fn list(numbers: &[u32]) -> String {
    numbers.iter().map(u32::to_string).collect::<Vec<_>>().join(" ")
}

pub fn line(name: &str, per: Per, max: i32) -> ScoreLine {
    ScoreLine { name: name.to_owned(), per, min: 0, max, unit: "games".to_owned() }
}

/// Games won by each seat and games drawn.
pub fn games_sheet(best_of: u8) -> Scoresheet {
    let lines = vec![line("games", Per::Seat, 9), line("drawn", Per::Table, 9)];
    Scoresheet { lines, best_of: Some(best_of) }
}

fn sheet(name: &str, min: &str, max: &str) -> Scoresheet {
    let (min, max) = (number(min), number(max));
    let line = |name: &str| ScoreLine { min, max, ..line(name, Per::Seat, 0) };
    Scoresheet { lines: name.split(',').map(line).collect(), best_of: None }
}

pub fn opened(scoresheet: Scoresheet) -> TournamentOpened {
    TournamentOpened::new(WORDS, scoresheet)
}

pub fn imported() -> Imported {
    let (source_file, source_event) = ([1; 32], WORDS);
    Imported { source_file, source_event, format: "csv".into(), file: WORDS, unknown: Vec::new() }
}

pub fn enrolled(player: PlayerNumber, from_round: RoundNumber) -> PlayerEnrolled {
    PlayerEnrolled { from_round, ..PlayerEnrolled::new(player, WORDS) }
}

fn enroll(count: usize, from_round: RoundNumber) -> Command {
    Command::Enrol(vec![enrolled(0, from_round); count])
}

fn phase_started(phase: &str, first_seed: u32, entrants: &[&str]) -> PhaseStarted {
    PhaseStarted {
        first_seed,
        entrants: entrants.iter().map(|player| number(player)).collect(),
        ..PhaseStarted::new(number(phase), PhaseKind::Swiss)
    }
}

pub fn round_opened(round: &str, place: &str) -> RoundOpened {
    let (phase, phase_round) = place.split_once('.').expect("phase.round");
    RoundOpened {
        round: number(round),
        phase: number(phase),
        phase_round: number(phase_round),
        weight: RoundWeight::ONE,
        drawn: None,
    }
}

fn weighed(round: &str, place: &str, weight: &str) -> RoundOpened {
    let (num, den) = weight.split_once('/').expect("num/den");
    let weight = RoundWeight { num: number(num), den: number(den) };
    RoundOpened { weight, ..round_opened(round, place) }
}

fn round_of(number_of: &str, place: &str, tables: &[&str]) -> Command {
    let round = round_opened(number_of, place);
    let (pairings, byes): (Vec<&str>, Vec<&str>) = tables.iter().partition(|t| t.contains('-'));
    let pairings = (1u32..).zip(pairings);
    Command::OpenRound {
        round,
        pairings: pairings.map(|(at, seats)| pairing(number_of, &at.to_string(), seats)).collect(),
        byes: byes.into_iter().map(|player| bye(number_of, player, "bye")).collect(),
    }
}

pub fn pairing(round: &str, table: &str, seats: &str) -> PairingMade {
    let kind = if table == "-" { OriginKind::AsGiven } else { OriginKind::ByHand };
    PairingMade {
        round: number(round),
        table: table.parse().ok(),
        seats: seats.split('-').map(|player| Seat { player: number(player), role: 0 }).collect(),
        group: None,
        bracket_slot: None,
        origin: Origin { kind, because: None, reason: None },
    }
}

fn bye(round: &str, player: &str, kind: &str) -> ByeGiven {
    let kind = ByeKind::from_word(kind).expect("a kind of bye");
    let (round, player) = (number(round), number(player));
    ByeGiven { round, player, kind, reported: None, bracket_slot: None, origin: Origin::AS_GIVEN }
}

/// `2-0` or `2-0-1`: games of each seat, games drawn.
fn score(text: &str) -> Score {
    let values: Vec<i32> = text.split('-').map(number).collect();
    let seats = values[..2].iter().map(|&games| SmallVec::from_slice(&[games])).collect();
    Score { seats, table: smallvec![values.get(2).copied().unwrap_or(0)] }
}

/// A score; with `,` instead of `-` the bare values of each seat, one line each.
fn played(text: &str) -> MatchResult {
    if let Some((first, second)) = text.split_once(',') {
        let seats = smallvec![smallvec![number(first)], smallvec![number(second)]];
        return MatchResult::played(Score { seats, table: SmallVec::new() });
    }
    MatchResult::played(score(text))
}

fn ruled(rulings: &str) -> MatchResult {
    let ruling = |word: &str| match word {
        "win" => Some(Ruling::Win),
        "loss" => Some(Ruling::Loss),
        word => word.parse().ok().map(Ruling::Place),
    };
    let rulings = rulings.split(',').map(ruling).collect();
    MatchResult { rulings, how: How::Forfeit, ..MatchResult::played(Score::default()) }
}

fn with_part(seats: usize) -> MatchResult {
    let score = Score { seats: smallvec![smallvec![1]; seats], table: SmallVec::new() };
    let part = Part { number: 1, score, rulings: SmallVec::new() };
    MatchResult { parts: vec![part], ..played("2-0") }
}

fn recorded(pairing: &str, result: MatchResult) -> Event {
    ResultRecorded { pairing: number(pairing), result }.into()
}

fn replaced(pairing: &str, replaces: &str, score: &str, dispute: Option<Seq>) -> Event {
    let (pairing, replaces, result) = (number(pairing), number(replaces), played(score));
    ResultCorrected { pairing, replaces, result, reason: WORDS, dispute }.into()
}

fn disputed(pairing: &str, by: Option<PlayerNumber>) -> Event {
    DisputeOpened { pairing: number(pairing), by, claim: WORDS }.into()
}

fn lots(first_place: u32, order: &[&str]) -> LotsDrawn {
    let order = order.iter().map(|player| number(player)).collect();
    LotsDrawn { source: LotsSource::ByHand, first_place, order, seed: None }
}

fn rounds_of(division: &str, rounds: Option<u16>) -> DivisionRounds {
    DivisionRounds { division: division.to_string(), rounds }
}

/// Divisions that are paired as one: `junior+senior`.
fn merged(apart: bool, groups: &[&str]) -> DivisionsPaired {
    let group = |group: &&str| group.split('+').map(str::to_string).collect();
    DivisionsPaired { apart, merged: groups.iter().map(group).collect() }
}

fn planned(name: &str) -> PlanAmended {
    let phase = PlannedPhase {
        kind: PhaseKind::Elimination,
        rounds: None,
        players: None,
        scoresheet: Some(sheet(name, "0", "1")),
    };
    PlanAmended { plan: vec![phase], reason: WORDS }
}

fn announced(head: &str, round: &str) -> StandingsAnnounced {
    StandingsAnnounced {
        head: number(head),
        through_round: number(round),
        ruleset: [0; 32],
        fold_version: 1,
        table: [0; 32],
    }
}

fn large_note(count: usize) -> Event {
    let text = "x".repeat(count);
    let ruleset = vec![RulesetFile { name: "large".to_owned(), text }];
    RulesetAmended { ruleset, from_round: None, reason: WORDS }.into()
}
