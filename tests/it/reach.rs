//! What can still be reached is what filling in all results that are missing gives.

use crate::random_tournaments::Dice;
use crate::script::{Desk, WORDS, enrolled, games_sheet};
use scrutineer_engine::event::*;
use scrutineer_projections::crosstable::Scope;
use scrutineer_projections::reach::{Basis, Chance, Effort, End, Outlook, Reach};
use scrutineer_projections::ruleset::{Library, Ruleset, Ties};
use scrutineer_projections::standings::{Detail, Standings};
use smallvec::smallvec;
use std::collections::BTreeMap;
use std::sync::Arc;

const RULESETS: [&str; 5] = ["mtr", "fide-buchholz-2026", "pokemon", "flesh-and-blood", "topdeck"];
const TOURNAMENTS: u64 = 10_000;

/// A small Swiss tournament whose last paired round lacks results; a match may be postponed, a result be disputed.
struct Small {
    desk: Desk,
    cut: usize,
    /// How many rounds are planned behind the last that is paired.
    to_come: u16,
    open: Vec<(Seq, [PlayerNumber; 2])>,
    /// Best of how many games; none: slips hold rulings alone.
    best_of: Option<i32>,
}

/// All results that such a slip takes, each with how it ends for the first seat.
fn results(best_of: Option<i32>) -> Vec<(MatchResult, End)> {
    let Some(most) = best_of else {
        let ruled = |first, second, end| {
            let rulings = smallvec![Some(first), Some(second)];
            (MatchResult { rulings, ..MatchResult::played(Score::default()) }, end)
        };
        return vec![
            ruled(Ruling::Win, Ruling::Loss, End::Win),
            ruled(Ruling::Draw, Ruling::Draw, End::AgreedDraw),
            ruled(Ruling::Loss, Ruling::Win, End::Loss),
        ];
    };
    let mut list = Vec::new();
    let needed = most / 2 + 1;
    for won in 0..=needed {
        for lost in 0..=needed {
            for drawn in 0..=most {
                if won + lost + drawn > most || (won == needed && lost == needed) {
                    continue;
                }
                let score = Score {
                    seats: smallvec![smallvec![won], smallvec![lost]],
                    table: smallvec![drawn],
                };
                let end = match won - lost {
                    1.. => End::Win,
                    0 if won == 0 && drawn == most => End::AgreedDraw,
                    0 => End::Draw,
                    _ => End::Loss,
                };
                list.push((MatchResult::played(score), end));
            }
        }
    }
    list
}

fn play(seed: u64, ruled: bool) -> Small {
    let dice = &mut Dice(seed ^ 0x2EAC4);
    let players = dice.between(4, 8);
    let (paired, to_come) = (dice.between(1, 4), u16::from(dice.chance(20)));
    let best_of = (!ruled).then(|| dice.pick(&[1, 3]));
    let sheet = if ruled { Scoresheet::default() } else { games_sheet(best_of.map(|n| n as u8)) };
    let cut = dice.between(1, players - 1);
    let planned = |kind, rounds, players| PlannedPhase { kind, rounds, players, scoresheet: None };
    let mut desk = Desk::default();
    let mut opened = TournamentOpened::new(WORDS, sheet);
    opened.plan = vec![
        planned(PhaseKind::Swiss, Some(paired as u16 + to_come), None),
        planned(PhaseKind::Elimination, None, Some(cut as u32)),
    ];
    desk.record(opened);
    for player in 1..=players as PlayerNumber {
        let from_round = if dice.chance(5) { 2 } else { 1 };
        desk.record(PlayerEnrolled { from_round, ..enrolled(player) });
    }
    desk.record(PhaseStarted {
        entrants: (1..=players as PlayerNumber).collect(),
        ..PhaseStarted::new(1, PhaseKind::Swiss)
    });
    let all = results(best_of);
    // As many results stay away as can be counted through by the slow way too.
    let most_open = match all.len() {
        18 => usize::from(dice.chance(30)) + usize::from(dice.chance(3)),
        4 => dice.between(0, 2),
        _ => dice.between(0, 3),
    };
    // Some postpone a match of a round before; it takes the place of one that is missing.
    let later = if dice.chance(15) { dice.between(1, paired) } else { paired };
    let most_open = most_open - usize::from(later < paired).min(most_open);
    // Or somebody disputes a result; it takes the place of one that is missing too.
    let disputes = dice.chance(15);
    let most_open = most_open - usize::from(disputes).min(most_open);
    let mut open = Vec::new();
    for round in 1..=paired as RoundNumber {
        let is_last = usize::from(round) == paired;
        let left = if is_last { most_open } else { usize::from(usize::from(round) == later) };
        let found = play_round(&mut desk, dice, round, left, &all);
        if !is_last || dice.chance(10) {
            found.iter().for_each(|(pairing, _)| enter(&mut desk, *pairing, postponed()));
        }
        open.extend(found);
        let leaves = dice.between(1, players) as PlayerNumber;
        if dice.chance(12) {
            let why = dice.pick(&[DropReason::Left, DropReason::NoShow, DropReason::Disqualified]);
            desk.offer(PlayerDropped { player: leaves, after_round: round, why });
        }
    }
    let settled = desk.state.matches().filter(|found| found.result().is_some());
    let settled: Vec<(Seq, [PlayerNumber; 2])> = settled
        .filter(|found| !found.is_postponed())
        .map(|found| (found.seq(), [0, 1].map(|seat| found.seats()[seat].player)))
        .collect();
    if disputes && !settled.is_empty() {
        let (pairing, seats) = dice.pick(&settled);
        desk.record(DisputeOpened { pairing, by: Some(seats[0]), claim: WORDS });
        open.push((pairing, seats));
        open.sort_unstable();
    }
    if dice.chance(10) {
        let mut order: Vec<PlayerNumber> = (1..=players as PlayerNumber).collect();
        dice.shuffle(&mut order);
        desk.offer(LotsDrawn { source: LotsSource::ByHand, order, first_place: 1, seed: None });
    }
    Small { desk, cut, to_come, open, best_of }
}

fn postponed() -> MatchResult {
    let rulings = smallvec![Some(Ruling::NoResult); 2];
    let grade = Some(POSTPONED.into());
    MatchResult { rulings, grade, ..MatchResult::played(Score::default()) }
}

fn is_postponed(desk: &Desk, pairing: Seq) -> bool {
    desk.state.match_at(pairing).is_some_and(|found| found.is_postponed())
}

/// Enters a result, in the place of the one by which the match was postponed.
fn enter(desk: &mut Desk, pairing: Seq, result: MatchResult) {
    let replaced = desk.state.match_at(pairing).and_then(|found| found.result());
    let (reason, dispute) = (WORDS, None);
    match replaced {
        None => desk.record(ResultRecorded { pairing, result }),
        Some(replaces) => {
            desk.record(ResultCorrected { pairing, replaces, result, reason, dispute })
        }
    };
}

/// Pairs a round at random, with byes, and enters its results but for so many.
fn play_round(
    desk: &mut Desk,
    dice: &mut Dice,
    round: RoundNumber,
    without: usize,
    all: &[(MatchResult, End)],
) -> Vec<(Seq, [PlayerNumber; 2])> {
    if round > 1 {
        desk.record(RoundCompleted { round: round - 1 });
    }
    desk.record(RoundOpened {
        round,
        phase: 1,
        phase_round: round,
        weight: RoundWeight::ONE,
        drawn: None,
    });
    let here = desk.state.players().iter().filter(|player| player.takes_part_in(round));
    let mut waiting: Vec<PlayerNumber> = here.map(|player| player.number).collect();
    dice.shuffle(&mut waiting);
    let bye = |desk: &mut Desk, player, kind| {
        let origin = Origin::AS_GIVEN;
        desk.record(ByeGiven { round, player, kind, reported: None, bracket_slot: None, origin });
    };
    if dice.chance(15)
        && let Some(player) = waiting.pop()
    {
        bye(desk, player, dice.pick(&[ByeKind::Awarded, ByeKind::Half, ByeKind::Zero]));
    }
    let mut open = Vec::new();
    while let Some(first) = waiting.pop() {
        let Some(second) = waiting.pop() else {
            bye(desk, first, ByeKind::Assigned);
            break;
        };
        let table = Some(1 + waiting.len() as u32 / 2);
        let seats = [first, second].map(|player| Seat { player, role: 0 }).into();
        let (group, bracket_slot, origin) = (None, None, Origin::AS_GIVEN);
        let pairing = desk.record(PairingMade { round, table, seats, group, bracket_slot, origin });
        if open.len() < without {
            open.push((pairing, [first, second]));
        } else {
            let (result, _) = all[dice.below(all.len())].clone();
            desk.record(ResultRecorded { pairing, result });
        }
    }
    open
}

/// Places and cuts that occurred: best, worst, in each time, never.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Found(u32, u32, bool, bool);

type Table = BTreeMap<(PlayerNumber, Option<End>), Found>;

/// A player's place and cut in finished standings: plain counting of who is before them.
fn note(
    small: &Small,
    standings: &Standings,
    ended: &[(PlayerNumber, Option<End>)],
    into: &mut Table,
) {
    let gone = |player| small.desk.state.player(player).is_some_and(|p| p.dropped().is_some());
    for row in &standings.rows {
        let others = || standings.rows.iter().filter(|other| other.player != row.player);
        let rivals = || others().filter(|other| !gone(other.player));
        let before = rivals().filter(|other| other.rank < row.rank).count();
        let level = rivals().filter(|other| other.rank == row.rank).count();
        let sharing = others().filter(|other| other.rank == row.rank).count() as u32;
        let found = Found(
            row.rank,
            row.rank + if standings.rules.ties == Ties::Lots { sharing } else { 0 },
            !gone(row.player) && before + level < small.cut,
            gone(row.player) || before >= small.cut,
        );
        let mut keys = vec![None];
        // With a match that was postponed and one that is being played it goes by the latter.
        if let Some((_, Some(end))) = ended.iter().rfind(|(player, _)| *player == row.player) {
            keys.push(Some(*end));
            if *end == End::AgreedDraw {
                keys.push(Some(End::Draw));
            }
        }
        for key in keys {
            let known = into.entry((row.player, key)).or_insert(found);
            known.0 = known.0.min(found.0);
            known.1 = known.1.max(found.1);
            known.2 &= found.2;
            known.3 &= found.3;
        }
    }
}

fn for_the_other(end: End) -> End {
    match end {
        End::Win => End::Loss,
        End::Loss => End::Win,
        drawn => drawn,
    }
}

/// Fills in the results from one match on in every way.
fn fill(
    small: &Small,
    rules: &Arc<Ruleset>,
    all: &[(MatchResult, End)],
    desk: &Desk,
    ended: &mut Vec<(PlayerNumber, Option<End>)>,
    into: &mut Table,
) {
    let Some((pairing, [first, second])) = small.open.get(ended.len() / 2) else {
        let standings =
            Standings::of(&desk.state, rules, Scope::FINAL, Detail::Order).expect("standings");
        return note(small, &standings, ended, into);
    };
    for (result, end) in all {
        let mut desk = desk.clone();
        enter(&mut desk, *pairing, result.clone());
        ended.extend([(*first, Some(*end)), (*second, Some(for_the_other(*end)))]);
        fill(small, rules, all, &desk, ended, into);
        ended.truncate(ended.len() - 2);
    }
    if is_postponed(desk, *pairing) {
        // Nobody plays it before the cut.
        ended.extend([(*first, None), (*second, None)]);
        fill(small, rules, all, desk, ended, into);
        ended.truncate(ended.len() - 2);
    }
}

fn reach(small: &Small, rules: &Arc<Ruleset>, effort: Effort, seed: u64) -> Reach {
    let mut dice = Dice(seed);
    let mut below = |end| dice.below(end as usize) as u64;
    let found = Reach::of(&small.desk.state, rules, None, effort, &mut below);
    found.expect("it can be folded").expect("a Swiss is played")
}

fn outlooks(reach: &Reach) -> BTreeMap<(PlayerNumber, Option<End>), Outlook> {
    let of = |player: &scrutineer_projections::reach::PlayerReach| {
        let ends = player.ends.iter().map(|(end, outlook)| (Some(*end), *outlook));
        let all = ends.chain([(None, player.outlook)]);
        all.map(|(end, outlook)| ((player.player, end), outlook)).collect::<Vec<_>>()
    };
    reach.players.iter().flat_map(of).collect()
}

fn chance(found: Found) -> Chance {
    match (found.2, found.3) {
        (true, _) => Chance::Clinched,
        (_, true) => Chance::Out,
        _ => Chance::Open,
    }
}

fn rulesets() -> Vec<Arc<Ruleset>> {
    let library = Library::shipped();
    RULESETS.iter().map(|id| Arc::new(library.ruleset(id).expect("it is shipped"))).collect()
}

/// Whether what is said holds of what was found, in every word and place.
fn agree(said: &Outlook, found: Found, is_exact: bool) -> bool {
    let told = said.chance.unwrap_or(chance(found));
    if is_exact {
        return (said.best, said.worst, told) == (found.0, found.1, chance(found));
    }
    let seen = said.seen.is_none_or(|(best, worst)| found.0 <= best && worst <= found.1);
    let word = told == Chance::Open || told == chance(found);
    said.best <= found.0 && found.1 <= said.worst && word && seen
}

#[test]
fn what_can_be_reached_is_what_all_missing_results_give() {
    let rulesets = rulesets();
    let threads = std::thread::available_parallelism().map_or(1, |count| count.get() as u64);
    let sweep = |from: u64| {
        let mut tally = BTreeMap::new();
        for seed in (from..TOURNAMENTS).step_by(threads as usize) {
            let rules = &rulesets[(seed % 5) as usize];
            compare(seed, rules, &mut tally);
        }
        tally
    };
    let tallies: Vec<BTreeMap<&str, u64>> = std::thread::scope(|scope| {
        let running: Vec<_> = (0..threads).map(|from| scope.spawn(move || sweep(from))).collect();
        running.into_iter().map(|one| one.join().expect("no thread fails")).collect()
    });
    let mut tally: BTreeMap<&str, u64> = BTreeMap::new();
    for (word, count) in tallies.into_iter().flatten() {
        *tally.entry(word).or_default() += count;
    }
    println!("{TOURNAMENTS} tournaments: {tally:?}");
    for word in ["counted", "clinched", "open", "out", "by bounds", "bounds leave open", "later"] {
        assert!(tally.get(word).is_some_and(|count| *count > 1_000), "{word}: {tally:?}");
    }
    assert!(tally["disputed"] > 1_000, "{tally:?}");
}

fn compare(seed: u64, rules: &Arc<Ruleset>, tally: &mut BTreeMap<&'static str, u64>) {
    let mut count = |word, more| *tally.entry(word).or_default() += more;
    let small = play(seed, rules.id.starts_with("fide"));
    count("disputed", small.desk.state.open_disputes().count() as u64);
    if small.to_come > 0 {
        count("later", later(seed, &small, rules));
        return;
    }
    let all = results(small.best_of);
    let mut found = Table::new();
    fill(&small, rules, &all, &small.desk, &mut Vec::new(), &mut found);
    let exact = reach(&small, rules, Effort { counted: u64::MAX, sampled: 0 }, seed);
    let Basis::Counted(combinations) = exact.basis else { panic!("{seed}: {:?}", exact.basis) };
    count("counted", combinations);
    // With nothing counted the bounds have to hold.
    let bound = reach(&small, rules, Effort { counted: 0, sampled: 20 }, seed);
    for (said, is_exact) in [(outlooks(&exact), true), (outlooks(&bound), false)] {
        assert_eq!(said.keys().collect::<Vec<_>>(), found.keys().collect::<Vec<_>>(), "{seed}");
        for (who, outlook) in said {
            let found = found[&who];
            let where_ = format!("seed {seed}, {}, {who:?}, cut {}", rules.id, small.cut);
            assert!(agree(&outlook, found, is_exact), "{where_}: {outlook:?} is {found:?}");
            match (is_exact, outlook.chance) {
                (true, Some(Chance::Clinched)) => count("clinched", 1),
                (true, Some(Chance::Open)) => count("open", 1),
                (true, _) => count("out", 1),
                (false, Some(Chance::Open)) if chance(found) != Chance::Open => {
                    count("bounds leave open", 1);
                }
                (false, _) => count("by bounds", 1),
            }
        }
    }
}

/// With a round to come nothing that is said is made false by some ways in which it goes on.
fn later(seed: u64, small: &Small, rules: &Arc<Ruleset>) -> u64 {
    let said = reach(small, rules, Effort::USUAL, seed);
    assert_eq!(said.basis, Basis::Bounds, "{seed}");
    let said = outlooks(&said);
    let all = results(small.best_of);
    let dice = &mut Dice(seed ^ 0x1A7E2);
    let mut found = Table::new();
    for _ in 0..8 {
        let mut desk = small.desk.clone();
        let mut ended = Vec::new();
        for (pairing, [first, second]) in &small.open {
            if is_postponed(&desk, *pairing) && dice.chance(25) {
                ended.extend([(*first, None), (*second, None)]);
                continue;
            }
            let (result, end) = all[dice.below(all.len())].clone();
            enter(&mut desk, *pairing, result);
            ended.extend([(*first, Some(end)), (*second, Some(for_the_other(end)))]);
        }
        let round = desk.state.next_round_number();
        play_round(&mut desk, dice, round, 0, &all);
        let standings =
            Standings::of(&desk.state, rules, Scope::FINAL, Detail::Order).expect("standings");
        note(small, &standings, &ended, &mut found);
    }
    let mut certain = 0;
    for (who, found) in found {
        let outlook = said[&who];
        let chance = outlook.chance.unwrap_or(Chance::Open);
        // A few ways of going on leave out others: only what is certain can be wrong.
        let holds = match chance {
            Chance::Clinched => found.2,
            Chance::Out => found.3,
            Chance::Open => true,
        };
        let within = outlook.best <= found.0 && found.1 <= outlook.worst;
        assert!(holds && within, "seed {seed}, {}, {who:?}: {outlook:?} is {found:?}", rules.id);
        certain += u64::from(chance != Chance::Open);
    }
    certain
}

/// Each end of the match that is being played was told the same bound, as wide as both matches together.
#[test]
fn who_has_a_postponed_match_beside_another_is_told_what_each_end_makes_of_them() {
    let rules = Arc::new(Library::shipped().ruleset("mtr").expect("it is shipped"));
    let planned = |kind, rounds, players| PlannedPhase { kind, rounds, players, scoresheet: None };
    let mut desk = Desk::default();
    let mut opened = TournamentOpened::new(WORDS, games_sheet(Some(3)));
    opened.plan = vec![
        planned(PhaseKind::Swiss, Some(3), None),
        planned(PhaseKind::Elimination, None, Some(1)),
    ];
    desk.record(opened);
    for player in 1..=4 {
        desk.record(enrolled(player));
    }
    desk.record(PhaseStarted {
        entrants: (1..=4).collect(),
        ..PhaseStarted::new(1, PhaseKind::Swiss)
    });
    let all = results(Some(3));
    let (won, lost) = (Some(End::Win), Some(End::Loss));
    let rounds =
        [[(1, 2, None), (3, 4, won)], [(1, 4, won), (2, 3, lost)], [(1, 3, None), (2, 4, won)]];
    let mut open = Vec::new();
    for (round, tables) in (1..).zip(rounds) {
        if round > 1 {
            desk.record(RoundCompleted { round: round - 1 });
        }
        let (weight, drawn) = (RoundWeight::ONE, None);
        desk.record(RoundOpened { round, phase: 1, phase_round: round, weight, drawn });
        for (table, (first, second, end)) in (1..).zip(tables) {
            let seats = [first, second].map(|player| Seat { player, role: 0 }).into();
            let (table, group, bracket_slot) = (Some(table), None, None);
            let origin = Origin::AS_GIVEN;
            let made = PairingMade { round, table, seats, group, bracket_slot, origin };
            let pairing = desk.record(made);
            match all.iter().find(|(_, of)| Some(*of) == end) {
                Some((result, _)) => enter(&mut desk, pairing, result.clone()),
                None => open.push((pairing, [first, second])),
            }
        }
        if round == 1 {
            enter(&mut desk, open[0].0, postponed());
        }
    }
    let small = Small { desk, cut: 1, to_come: 0, open, best_of: Some(3) };
    let mut found = Table::new();
    fill(&small, &rules, &all, &small.desk, &mut Vec::new(), &mut found);
    let said = outlooks(&reach(&small, &rules, Effort { counted: 0, sampled: 0 }, 1));
    for (who, outlook) in &said {
        assert!(agree(outlook, found[who], false), "{who:?}: {outlook:?} is {:?}", found[who]);
    }
    let told = |player, end| said[&(player, Some(end))];
    // Player 3 has 6 points, and the others come to 6 at the most where they lose.
    assert_eq!(told(1, End::Win).chance, Some(Chance::Open));
    assert_eq!(told(1, End::Loss).chance, Some(Chance::Out));
    assert_eq!((told(1, End::Loss).best, told(1, End::Loss).worst), (2, 3));
    assert_eq!(told(2, End::Loss).chance, Some(Chance::Out));
    assert_eq!(told(3, End::Win).chance, Some(Chance::Clinched));
}
