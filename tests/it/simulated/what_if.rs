//! What if: what is told of a change is what really making it gives, and nothing of it reaches
//! the store.

use super::{Played, bytes, many};
use crate::random_tournaments::Dice;
use scrutineer_desk::desk::{
    CutTo, Desk, DeskError, Enrolment, Joining, Latecomer, Means, Opening, Slip, Spot, open_round,
};
use scrutineer_desk::dispute::{DisputeFile, Moment, Then};
use scrutineer_desk::store::Store;
use scrutineer_desk::what_if::{AsDrawn, LaterRound, WhatIf, repairing};
use scrutineer_engine::book::{Book, BookError};
use scrutineer_engine::event::{
    DropReason, Event, PenaltyKind, PlayerNumber, RoundNumber, RulesetFile, Seq,
};
use scrutineer_engine::log::{Batch, Head};
use scrutineer_engine::record::{Actor, Header, Record, StreamId, Time};
use scrutineer_engine::tournament::Tournament;
use scrutineer_projections::ruleset::Library;
use scrutineer_projections::standings::Standings;
use scrutineer_replay::again::Place;
use scrutineer_replay::loaded::LoadedTournament;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicU64, Ordering};

/// Something that a scorekeeper could ask for.
#[derive(Clone, Debug)]
enum Change {
    Correct(RoundNumber, u32, &'static str),
    Result(u32, &'static str),
    Drop(PlayerNumber, DropReason),
    Reinstate(PlayerNumber),
    Disqualify(PlayerNumber),
    Penalty(PlayerNumber, PenaltyKind, bool),
    Rules(Vec<RulesetFile>),
    Withdraw(Seq),
    Repair(PlayerNumber),
    SetPairing(PlayerNumber, PlayerNumber),
    Late(bool),
    Dispute(RoundNumber, u32),
    Rule(u32, bool, Option<&'static str>),
    Advance(RoundNumber, u32, PlayerNumber),
    Close,
}

const SLIPS: &[&str] = &["2-0", "0-2", "2-1", "1-2", "1-1", "0-0-3", "w-l", "l-w", "d-d", "l-l"];

impl Change {
    fn random(dice: &mut Dice, state: &Tournament, rulesets: &[Vec<RulesetFile>]) -> Change {
        use Change::*;
        let player = 1 + dice.below(state.players().len().max(1)) as PlayerNumber;
        let other = 1 + dice.below(state.players().len().max(1)) as PlayerNumber;
        let tables: Vec<(RoundNumber, u32)> =
            state.matches().map(|m| (m.round().number, m.table().unwrap_or(0))).collect();
        let (round, table) = match tables.is_empty() {
            true => (1, 1),
            false => dice.pick(&tables),
        };
        let last = state.last_round().map_or(1, |round| round.number);
        let of_last: Vec<u32> =
            tables.iter().filter(|(round, _)| *round == last).map(|(_, table)| *table).collect();
        let open = if of_last.is_empty() { 1 } else { dice.pick(&of_last) };
        let by_games = state.opened().is_some_and(|opened| opened.scoresheet.best_of.is_some());
        let slips = if by_games { SLIPS } else { &SLIPS[6..] };
        let dispute = 1 + state.disputes().len() as u32 - u32::from(dice.chance(50));
        match dice.below(20) {
            0..5 => Correct(round, table, dice.pick(slips)),
            5 => Result(open, dice.pick(slips)),
            6 => Drop(player, DropReason::Left),
            7 => Drop(player, DropReason::NoShow),
            8 => Reinstate(player),
            9 => Disqualify(player),
            10 => Penalty(player, dice.pick(PenaltyKind::ALL), dice.chance(50)),
            11 | 12 => Rules(rulesets[dice.below(rulesets.len())].clone()),
            13 => Withdraw(state.head().saturating_sub(dice.below(12) as Seq)),
            14 => Repair(player),
            15 => SetPairing(player, other),
            16 => Late(dice.chance(30)),
            17 => Dispute(round, table),
            18 => {
                let (upheld, score) = (dice.chance(60), dice.pick(slips));
                Rule(dispute.max(1), upheld, (upheld && dice.chance(60)).then_some(score))
            }
            _ if dice.chance(50) => Advance(round, table, player),
            _ => Close,
        }
    }

    fn make(&self, desk: &Desk<'_>) -> Result<(), DeskError> {
        const WHY: &str = "what if";
        match self {
            Change::Correct(round, table, score) => {
                desk.correct(Some(*round), Slip { table: *table, score }, WHY, None).map(drop)
            }
            Change::Result(table, score) => desk.enter(Slip { table: *table, score }).map(drop),
            Change::Drop(player, why) => desk.drop_player(*player, *why).map(drop),
            Change::Reinstate(player) => desk.reinstate(*player, false, WHY).map(drop),
            Change::Disqualify(player) => desk.disqualify(*player, WHY).map(drop),
            Change::Penalty(player, kind, now) => {
                desk.penalise(*player, *kind, *now, WHY).map(drop)
            }
            Change::Rules(files) => desk.amend_ruleset(files, WHY).map(drop),
            Change::Withdraw(seq) => desk.withdraw(*seq, WHY).map(drop),
            Change::Repair(player) => desk.repair(&[*player], &[], WHY).map(drop),
            Change::SetPairing(one, other) => {
                desk.set_pairing(&[*one, *other], None, WHY).map(drop)
            }
            Change::Late(now) => {
                let gus = Enrolment { name: "Gus".into(), ..Enrolment::default() };
                desk.enroll_from(&[gus], Latecomer::Losses, Joining { now: *now, same_name: false })
                    .map(drop)
            }
            Change::Dispute(round, table) => {
                desk.dispute(Some(*round), Spot::Table(*table), None, "wrong").map(drop)
            }
            Change::Rule(number, upheld, score) => {
                desk.rule(*number, *upheld, score.map(|score| (None, score)), WHY).map(drop)
            }
            Change::Advance(round, table, player) => {
                desk.advance(Some(*round), *table, *player, WHY).map(drop)
            }
            Change::Close => desk.close().map(drop),
        }
    }

    fn kind(&self) -> String {
        let told = format!("{self:?}");
        told.split(['(', ' ']).next().unwrap_or_default().to_string()
    }
}

/// Random bytes of a desk: another word gives others.
struct Random(AtomicU64, u8);

impl Random {
    fn next(&self) -> Result<[u8; 32], BookError> {
        self.0.fetch_add(1, Ordering::Relaxed);
        Ok(*blake3::keyed_hash(&[self.1; 32], &self.0.load(Ordering::Relaxed).to_le_bytes())
            .as_bytes())
    }
}

/// A store that holds an event as it was after some of its commands.
fn as_it_was(played: &Played, dice: &mut Dice) -> (Store, StreamId) {
    let (stream, store) = (played.simulated.stream, Store::in_memory());
    let read: Result<Vec<Record>, _> = played.store.log().read(stream, 0).collect();
    let records = read.expect("readable");
    // In the middle of a round, or when its last result has come in.
    let opens = |(header, event): &(Header, Event)| match event {
        // The command that opens a round completes the one before.
        Event::RoundOpened(round) if round.round > 1 => {
            let of_command = |record: &&Record| record.header().command == header.command;
            Some(records.iter().find(of_command)?.header().seq as usize - 1)
        }
        _ => None,
    };
    let complete: Vec<usize> = played.event.log.iter().filter_map(opens).collect();
    let until = match dice.below(10) {
        0 => records.len(),
        1..5 if !complete.is_empty() => dice.pick(&complete),
        _ => dice.between(records.len() / 3, records.len()),
    };
    let mut head = Head::EMPTY;
    for command in records.chunk_by(|a, b| a.header().command == b.header().command) {
        if command[0].header().seq as usize > until {
            break;
        }
        let batch = Batch { records: command.to_vec(), command_digest: [0; 32], texts: Vec::new() };
        head = store.log().append(head, batch).expect("appended");
    }
    let entries: Vec<_> = played.event.book.entries().cloned().collect();
    store.books().append(stream, &entries).expect("kept");
    for secret in played.store.secrets(stream).expect("readable") {
        store.keep_secret(stream, &secret).expect("kept");
    }
    (store, stream)
}

fn load(store: &Store, stream: StreamId) -> LoadedTournament {
    store.load(stream, true).expect("it loads")
}

fn rulesets() -> Vec<Vec<RulesetFile>> {
    let library = Library::shipped();
    let ids =
        ["mtr", "mtr+settings.percentage_floor=1/2", "hgbts", "netrunner", "mtr+points.win=2"];
    ids.map(|id| library.chain(id).expect("it is shipped")).into()
}

/// What a store holds of an event.
fn kept(store: &Store, stream: StreamId) -> (Vec<Vec<u8>>, Book, Vec<[u8; 32]>) {
    let book = store.books().book(stream).expect("a book");
    (bytes(store, stream), book, store.secrets(stream).expect("readable"))
}

#[test]
fn what_if_tells_what_really_doing_it_gives() {
    let rulesets = rulesets();
    let (mut made, mut refused) = (BTreeMap::<String, u32>::new(), 0);
    let (mut moved, mut cuts, mut repairs, mut unseen) = (0, 0, 0, 0);
    for played in many(200) {
        let mut dice = Dice(played.simulation.seed ^ 0x0D15_0B7E);
        let (store, stream) = as_it_was(&played, &mut dice);
        let before = load(&store, stream);
        let changes: Vec<Change> = (0..dice.between(1, 4))
            .map(|_| Change::random(&mut dice, &before.state, &rulesets))
            .collect();
        let name = format!("{}, event {}, {changes:?}", played.name(), before.state.head());
        let was = kept(&store, stream);

        // What would be.
        let random = Random(AtomicU64::new(0), 1);
        let means = Means { actor: Actor(1), clock: &Time::default, random: &|| random.next() };
        let fork = store.fork(stream).expect("copied");
        let codes = |store: &Store| -> Vec<Option<&'static str>> {
            let desk = Desk::at(store, stream, means);
            changes.iter().map(|change| change.make(&desk).err().map(|e| e.code().word)).collect()
        };
        let would = codes(&fork);
        let after = load(&fork, stream);
        let size = dice.between(2, 8) as u32;
        let Ok(what_if) = WhatIf::of(&before, &after, Some(size)) else {
            // Results that are not there yet may be needed by a ruleset.
            continue;
        };
        let repair = repairing(&fork, &before, &after, &what_if.rounds, means).expect("told");
        repairs += u32::from(repair.is_some_and(|repair| repair.found.is_ok()));
        assert_eq!(load(&fork, stream).log, after.log, "a repair is tried elsewhere: {name}");
        assert!(was == kept(&store, stream), "the store is as it was: {name}");

        // What really is.
        let cut_before = cut(&store, stream, size, means);
        let is = codes(&store);
        if would.contains(&Some("no-secret")) {
            // A copy has no secret: nobody sees lots before they are drawn.
            unseen += 1;
            continue;
        }
        assert_eq!(would, is, "{name}");
        let really = load(&store, stream);
        assert!(really.log.len() == after.log.len(), "{name}");
        let hash = |event: &LoadedTournament| -> [u8; 32] {
            let nothing = WhatIf::of(event, event, None).expect("told");
            assert!(nothing.nobody_moves() && nothing.rounds.is_empty(), "{name}");
            nothing.after.hash()
        };
        assert_eq!(what_if.before.hash(), hash(&before), "{name}");
        assert_eq!(what_if.after.hash(), hash(&really), "{name}");
        check_moves(&what_if, &name);
        let cut_after = cut(&store, stream, size, means);
        if let (Some(first), Some(second), Some(change)) = (cut_before, cut_after, &what_if.cut)
            && first.len() == size as usize
            && !change.across_a_tie
            && change.no_longer_tied_in.is_empty()
            && change.no_longer_tied_out.is_empty()
        {
            // Lots may decide their order, not who they are.
            let set = |list: &[PlayerNumber]| -> BTreeSet<PlayerNumber> {
                list.iter().copied().collect()
            };
            let (first, second) = (set(&first), set(&second));
            assert_eq!(set(&change.enters), &second - &first, "{name}");
            assert_eq!(set(&change.leaves), &first - &second, "{name}");
            cuts += u32::from(!change.enters.is_empty());
        }
        moved += what_if.compared.moves.len();
        refused += is.iter().flatten().count();
        for (change, _) in changes.iter().zip(&is).filter(|(_, code)| code.is_none()) {
            *made.entry(change.kind()).or_default() += 1;
        }
    }
    println!("{made:?}, {refused} refused, {moved} moves, {cuts} cuts, {repairs} repairs");
    assert!(unseen < 20, "{unseen}");
    let all = ["Correct", "Drop", "Disqualify", "Penalty", "Rules", "Withdraw", "Late", "Dispute"];
    assert!(all.iter().all(|kind| made.get(*kind) > Some(&3)), "{made:?}");
    assert!(refused > 20 && moved > 300 && cuts >= 3 && repairs > 3, "{refused} {moved} {cuts}");
}

/// Who would make the cut, by really making it on a copy; none where it cannot be made now.
fn cut(store: &Store, stream: StreamId, size: u32, means: Means<'_>) -> Option<Vec<PlayerNumber>> {
    let fork = store.fork(stream).expect("copied");
    for secret in store.secrets(stream).expect("readable") {
        fork.keep_secret(stream, &secret).expect("kept");
    }
    let desk = Desk::at(&fork, stream, means);
    let to = CutTo { top: Some(size), points: None };
    desk.cut(to, None, None, &[]).ok().map(|(entrants, _)| entrants)
}

/// Everybody whose place differs is told, and nobody else.
fn check_moves(what_if: &WhatIf, name: &str) {
    let places = |standings: &Standings| -> BTreeMap<PlayerNumber, u32> {
        standings.rows.iter().map(|row| (row.player, row.rank)).collect()
    };
    let (first, second) = (places(&what_if.before), places(&what_if.after));
    let moved: BTreeMap<PlayerNumber, (u32, u32)> =
        what_if.compared.moves.iter().map(|one| (one.player, (one.first, one.second))).collect();
    for (player, rank) in &second {
        let was = first.get(player).copied().unwrap_or(0);
        let told = (was != *rank).then_some((was, *rank));
        assert_eq!(moved.get(player).copied(), told, "player {player}: {name}");
    }
    let gone = first.iter().filter(|(player, _)| !second.contains_key(player));
    let gone: BTreeMap<PlayerNumber, u32> = gone.map(|(p, rank)| (*p, *rank)).collect();
    assert_eq!(what_if.out.iter().copied().collect::<BTreeMap<_, _>>(), gone, "{name}");
}

/// Players who meet, or one who has the bye.
type Meetings = BTreeSet<BTreeSet<PlayerNumber>>;

fn meetings(state: &Tournament, round: RoundNumber) -> Meetings {
    let tables = state.matches().filter(|found| found.round().number == round);
    let seats = tables.map(|found| found.seats().iter().map(|seat| seat.player).collect());
    let byes = state.byes().filter(|bye| state.rounds()[bye.round as usize].number == round);
    seats.chain(byes.map(|bye| BTreeSet::from([bye.player]))).collect()
}

/// A round as it is told that it would have been drawn.
fn would_be(state: &Tournament, later: &LaterRound) -> Meetings {
    let mut all = meetings(state, later.round);
    let players =
        |place: &Place| -> BTreeSet<PlayerNumber> { place.players.iter().copied().collect() };
    match &later.drawn {
        AsDrawn::Same => {}
        AsDrawn::Otherwise { drawn, instead } => {
            for place in drawn {
                assert!(all.remove(&players(place)), "{place:?} was drawn");
            }
            all.extend(instead.iter().map(players));
        }
        other => panic!("{other:?}"),
    }
    all
}

/// Two desks that have the same secret and play the same event, but for one slip.
struct Twin {
    store: Store,
    stream: StreamId,
    random: Random,
}

impl Twin {
    fn new(players: u32, rules: &str) -> Twin {
        let (store, random) = (Store::in_memory(), Random(AtomicU64::new(0), 2));
        let library = Library::shipped();
        let ruleset = library.ruleset(rules).expect("it is shipped");
        let opening = Opening {
            title: "Twin".into(),
            held_on: None,
            ruleset: library.chain(rules).expect("it is shipped"),
            scoresheet: Opening::scoresheet_for(&ruleset, 3),
            plan: Vec::new(),
            signer: None,
        };
        let stream = {
            let next = || random.next();
            let means = Means { actor: Actor(1), clock: &Time::default, random: &next };
            let desk = Desk::open(&store, means, &opening).expect("it opens");
            let person = |n: u32| Enrolment { name: format!("P{n}"), ..Enrolment::default() };
            let people: Vec<Enrolment> = (1..=players).map(person).collect();
            desk.enroll(&people, Latecomer::AsRuled).expect("they enroll");
            desk.stream()
        };
        Twin { store, stream, random }
    }

    fn at<T>(&self, ask: impl FnOnce(&Desk<'_>) -> T) -> T {
        let next = || self.random.next();
        let means = Means { actor: Actor(1), clock: &Time::default, random: &next };
        ask(&Desk::at(&self.store, self.stream, means))
    }

    fn state(&self) -> std::sync::Arc<Tournament> {
        load(&self.store, self.stream).state
    }

    fn open_tables(&self) -> Vec<u32> {
        let state = self.state();
        let round = open_round(&state).expect("a round").number;
        let of_round = state.matches().filter(|found| found.round().number == round);
        let mut tables: Vec<u32> = of_round.filter_map(|found| found.table()).collect();
        tables.sort_unstable();
        tables
    }
}

/// The slip with the seats the other way round.
fn turned(slip: &str) -> &'static str {
    match slip {
        "2-0" => "0-2",
        "0-2" => "2-0",
        "2-1" => "1-2",
        _ => "2-1",
    }
}

/// The oracle is a desk at which the right result was entered in the first place.
#[test]
fn what_would_have_been_drawn_is_what_the_right_result_draws() {
    let (mut otherwise, mut same, mut cut_otherwise, mut by_lots) = (0, 0, 0, 0);
    for seed in 0..60u64 {
        let mut dice = Dice(seed ^ 0x7_0117);
        let players = dice.between(6, 21) as u32;
        let rules = dice.pick(&["mtr", "carde", "pokemon"]);
        let (wrong, right) = (Twin::new(players, rules), Twin::new(players, rules));
        let rounds = 3;
        let wrong_round = dice.between(1, rounds) as RoundNumber;
        let mut correction = None;
        for round in 1..=wrong_round {
            for twin in [&wrong, &right] {
                twin.at(|desk| desk.pair(None, false)).expect("paired");
            }
            assert_eq!(meetings(&wrong.state(), round), meetings(&right.state(), round));
            let tables = wrong.open_tables();
            let at = dice.below(tables.len());
            for (index, table) in tables.into_iter().enumerate() {
                let slip = dice.pick(&["2-0", "0-2", "2-1", "1-2"]);
                let is_wrong = round == wrong_round && index == at;
                let typed = if is_wrong { turned(slip) } else { slip };
                wrong.at(|desk| desk.enter(Slip { table, score: typed })).expect("entered");
                right.at(|desk| desk.enter(Slip { table, score: slip })).expect("entered");
                if is_wrong {
                    correction = Some((table, slip));
                }
            }
        }
        let is_cut = usize::from(wrong_round) == rounds;
        let mut entrants = Vec::new();
        for twin in [&wrong, &right] {
            if is_cut {
                let to = CutTo { top: Some(4), points: None };
                let cut = twin.at(|desk| desk.cut(to, None, None, &[])).expect("cut");
                entrants.push(cut.0);
            }
            twin.at(|desk| desk.pair(None, false)).expect("paired");
        }
        let (table, slip) = correction.expect("a wrong slip");
        let before = load(&wrong.store, wrong.stream);
        let fork = wrong.store.fork(wrong.stream).expect("copied");
        let next = || wrong.random.next();
        let means = Means { actor: Actor(1), clock: &Time::default, random: &next };
        let desk = Desk::at(&fork, wrong.stream, means);
        desk.correct(Some(wrong_round), Slip { table, score: slip }, "wrong", None).expect("right");
        let after = load(&fork, wrong.stream);
        let what_if = WhatIf::of(&before, &after, None).expect("told");
        let name = format!("{players} players, {rules}, seed {seed}");
        let [later] = &what_if.rounds[..] else { panic!("one round: {name}") };
        if let [cut] = &what_if.cuts[..]
            && cut.by_lots
        {
            // Only where the right result makes lots decide that the wrong one did not need.
            let order = right.state().lots().map(|lots| lots.order.clone());
            assert!(order.is_some() && before.state.lots().is_none(), "{name}");
            by_lots += 1;
            continue;
        }
        let told = would_be(&before.state, later);
        assert_eq!(told, meetings(&right.state(), later.round), "{name}");
        match later.drawn {
            AsDrawn::Same => same += 1,
            _ => otherwise += 1,
        }
        if let [first, second] = &entrants[..] {
            match &what_if.cuts[..] {
                [] => assert_eq!(first, second, "{name}"),
                [cut] => {
                    let mut told: BTreeSet<PlayerNumber> = first.iter().copied().collect();
                    cut.leaves.iter().for_each(|player| assert!(told.remove(player), "{name}"));
                    told.extend(&cut.enters);
                    assert_eq!(told, second.iter().copied().collect(), "{name}");
                    assert_eq!(cut.reseeded, cut.enters.is_empty(), "{name}");
                    cut_otherwise += 1;
                }
                _ => panic!("one cut: {name}"),
            }
        }
    }
    println!(
        "{otherwise} otherwise, {same} the same, {cut_otherwise} other cuts, {by_lots} by lots"
    );
    assert!(otherwise > 15 && cut_otherwise > 3, "{otherwise} {same} {cut_otherwise}");
}

/// The file of any dispute can be put together, and tells of each result what entering it gives.
#[test]
fn the_file_of_a_dispute_tells_what_each_result_would_give() {
    let (mut files, mut changes, mut stands) = (0, 0, 0);
    for played in many(60) {
        let mut dice = Dice(played.simulation.seed ^ 0x00D1_5B07);
        let (store, stream) = as_it_was(&played, &mut dice);
        let event = load(&store, stream);
        let random = Random(AtomicU64::new(0), 3);
        let next = || random.next();
        let means = Means { actor: Actor(1), clock: &Time::default, random: &next };
        let matches: Vec<Seq> = event.state.matches().map(|found| found.seq()).collect();
        if matches.is_empty() {
            continue;
        }
        let found = event.state.match_at(dice.pick(&matches)).expect("it stands");
        let (round, player) = (found.round().number, found.seats()[0].player);
        let desk = Desk::at(&store, stream, means);
        let by = dice.chance(70).then_some(player);
        desk.dispute(Some(round), Spot::Player(player), by, "it was wrong").expect("opened");
        let name = format!("{}, event {}", played.name(), event.state.head());
        let was = kept(&store, stream);
        let number = load(&store, stream).state.disputes().len() as u32;
        let file = DisputeFile::of(&store, stream, number, None, Some(4), means);
        let file = match file {
            Ok(file) => file,
            Err(error) => panic!("{name}: {error}"),
        };
        assert!(was == kept(&store, stream), "the store is as it was: {name}");
        assert!(file.events.contains(&file.dispute.seq), "{name}");
        assert!(file.events.contains(&file.dispute.pairing), "{name}");
        let opening = load(&store, stream).log.len() as u64;
        assert_eq!(file.at(Moment::Now).expect("standings").head, opening, "{name}");
        files += 1;
        for one in &file.plausible {
            match &one.then {
                Then::Stands => stands += 1,
                Then::Refused(_) => {}
                Then::Changes(told) => {
                    let fork = store.fork(stream).expect("copied");
                    let desk = Desk::at(&fork, stream, means);
                    let spot = Spot::Player(player);
                    match found.result() {
                        Some(_) => {
                            desk.correct_at(Some(round), spot, &one.slip, "right", None, None)
                        }
                        None => desk.enter_at(spot, &one.slip),
                    }
                    .expect("entered");
                    let really = load(&fork, stream);
                    let really = WhatIf::of(&event, &really, None).expect("told");
                    assert_eq!(told.after.hash(), really.after.hash(), "{name}");
                    changes += 1;
                }
            }
        }
        let twice = |then: &Then| matches!(then, Then::Stands);
        let standing = file.plausible.iter().filter(|one| twice(&one.then)).count();
        assert!(standing <= 1, "one result stands: {name}");
        let played = event.log.iter().any(|(_, fact)| matches!(fact, Event::ResultRecorded(_)));
        assert!(played || standing == 0, "{name}");
    }
    println!("{files} files, {changes} changes, {stands} stand");
    assert!(files > 40 && changes > 60 && stands > 20, "{files} {changes} {stands}");
}
