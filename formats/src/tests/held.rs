//! Random tournaments, written in every format that writes and read again: what a format holds is the same,
//! and what is not the same was told.

use super::damaged::Random;
use super::*;
use crate::sheet;

/// What a random tournament may have.
#[derive(Clone, Copy)]
struct May {
    /// Matches of several games, and forfeits.
    games: bool,
    /// A cut after the Swiss rounds.
    cut: bool,
    /// A round that counts twice.
    weighs: bool,
}

fn pick<'a, T>(random: &mut Random, of: &'a [T]) -> &'a T {
    &of[random.below(of.len())]
}

/// A tournament as no file has it: of four to nine players, with byes, forfeits, drops, and what else there may be.
fn tournament(random: &mut Random, may: May) -> Source {
    const NAMES: [&str; 9] = [
        "Ash, Ann",
        "Bay, Ben",
        "Cove, Cem",
        "Dune, Dot",
        "Elm, Eli",
        "Fen, Fay",
        "Glen, Gus",
        "Hill, Hal",
        "Isle & Sons, Ivy",
    ];
    let count = 4 + random.below(6);
    let players: Vec<SourcePlayer> = (0..count)
        .map(|at| SourcePlayer {
            name: NAMES[at].to_owned(),
            publisher_id: (random.below(4) == 0).then(|| format!("{}", 10_000_000 + at)),
            rating: (random.below(3) == 0).then(|| 1_200 + 10 * at as i32),
            division: (random.below(8) == 0).then(|| "senior".to_owned()),
            title: (random.below(4) == 0).then(|| "WGM".to_owned()),
            federation: (random.below(4) == 0).then(|| "SWE".to_owned()),
            ..SourcePlayer::default()
        })
        .collect();
    let mut here: Vec<usize> = (0..count).collect();
    let (mut rounds, mut drops) = (Vec::new(), Vec::new());
    let has_tables = random.below(2) == 0;
    for number in 1..=1 + random.below(4) {
        let mut order = here.clone();
        for at in (1..order.len()).rev() {
            order.swap(at, random.below(at + 1));
        }
        rounds.push(round(random, number, &order, has_tables, may));
        if here.len() > 4 && random.below(4) == 0 {
            let player = here.remove(random.below(here.len()));
            let (why, place) = (DropReason::Left, String::new());
            drops.push(SourceDrop { player, why, after_round: number as u16, place });
        }
    }
    let entrants = (0..count).collect();
    let mut phases = vec![SourcePhase { kind: PhaseKind::Swiss, entrants, seeded: false, rounds }];
    if may.cut {
        phases.push(final_of([here[0], here[1]], random));
    }
    let most = if may.games { Some(3) } else { Some(1) };
    let played = phases.iter().flat_map(|phase| &phase.rounds).flat_map(|round| &round.tables);
    let games: Vec<sheet::Games> =
        played.filter_map(|table| sheet::games_of(&table.result.score)).collect();
    Source {
        platform: "csv".to_owned(),
        format: "csv".to_owned(),
        identity: "csv Random Open".to_owned(),
        title: "Random Open".to_owned(),
        held_on: (random.below(2) == 0).then_some(Day { year: 2026, month: 5, day: 9 }),
        finished: true,
        scoresheet: sheet::games_sheet(most, games.into_iter()),
        players,
        phases,
        drops,
        ..Source::default()
    }
}

fn round(
    random: &mut Random,
    number: usize,
    order: &[usize],
    has_tables: bool,
    may: May,
) -> SourceRound {
    let (mut tables, mut byes) = (Vec::new(), Vec::new());
    for (at, pair) in order.chunks(2).enumerate() {
        let place = String::new();
        if let [player] = pair {
            let kind = *pick(
                random,
                &[ByeKind::Assigned, ByeKind::Assigned, ByeKind::Half, ByeKind::Zero],
            );
            byes.push(SourceBye { player: *player, kind, reported: None, place });
            continue;
        }
        let seats = pair.iter().map(|player| SourceSeat { player: *player, role: 0 }).collect();
        let table = has_tables.then_some(at as u32 + 1);
        tables.push(SourceTable { table, seats, result: result(random, may), place });
    }
    let num = if may.weighs && number == 2 { 2 } else { 1 };
    let weight = RoundWeight { num, den: 1 };
    SourceRound { name: format!("Round {number}"), weight, tables, byes }
}

fn result(random: &mut Random, may: May) -> MatchResult {
    const ONE: [sheet::Games; 3] = [[1, 0, 0], [0, 1, 0], [0, 0, 1]];
    const MORE: [sheet::Games; 5] = [[2, 0, 0], [2, 1, 0], [1, 2, 0], [1, 1, 1], [0, 2, 0]];
    match (random.below(8), may.games) {
        (0, _) => sheet::ruled(How::Forfeit, [Ruling::Win, Ruling::Loss]),
        (1, true) => sheet::ruled(How::NoShow, [Ruling::Loss; 2]),
        (_, true) => MatchResult::played(sheet::games_score(*pick(random, &MORE))),
        (_, false) => sheet::single_game(*pick(random, &ONE)),
    }
}

fn final_of(players: [usize; 2], random: &mut Random) -> SourcePhase {
    let result = MatchResult::played(sheet::games_score(*pick(random, &[[2, 0, 0], [1, 2, 0]])));
    let seats = players.map(|player| SourceSeat { player, role: 0 }).to_vec();
    let table = SourceTable { table: None, seats, result, place: String::new() };
    let (weight, byes) = (RoundWeight::ONE, Vec::new());
    let round = SourceRound { name: "Final".to_owned(), weight, tables: vec![table], byes };
    let entrants = players.to_vec();
    SourcePhase { kind: PhaseKind::Elimination, entrants, seeded: true, rounds: vec![round] }
}

/// What a source says of one thing, as lines that can be compared.
fn facts(source: &Source) -> Vec<(&'static str, Vec<String>)> {
    let name = |player: usize| source.players[player].name.clone();
    let mut facts: Vec<(&str, Vec<String>)> = vec![
        ("title", vec![source.title.clone()]),
        ("day", vec![format!("{:?}", source.held_on)]),
        ("players", sorted(source.players.iter().map(|one| one.name.clone()))),
    ];
    let of = |is: &dyn Fn(&SourcePlayer) -> Option<String>| {
        sorted(source.players.iter().filter_map(|one| Some(format!("{} {}", one.name, is(one)?))))
    };
    facts.push(("ids", of(&|one| one.publisher_id.clone())));
    facts.push(("ratings", of(&|one| one.rating.map(|rating| rating.to_string()))));
    facts.push(("divisions", of(&|one| one.division.clone())));
    facts.push(("titles", of(&|one| one.title.clone())));
    facts.push(("federations", of(&|one| one.federation.clone())));
    let drops = source.drops.iter().map(|one| format!("{} {}", name(one.player), one.after_round));
    facts.push(("left", sorted(drops)));
    let kinds = source.phases.iter().map(|one| format!("{:?} {}", one.kind, one.rounds.len()));
    facts.push(("phases", kinds.collect()));
    let weights = source.rounds().map(|(_, round)| format!("{:?}", round.weight));
    facts.push(("weights", weights.collect()));
    let (mut met, mut won, mut games, mut numbers, mut byes) =
        (Vec::new(), Vec::new(), Vec::new(), Vec::new(), Vec::new());
    for (number, (_, round)) in (1..).zip(source.rounds()) {
        for table in &round.tables {
            let own: Vec<String> = table.seats.iter().map(|seat| name(seat.player)).collect();
            let pair = format!("{number}: {}", sorted(own.clone().into_iter()).join(" - "));
            numbers.push(format!("{pair} {:?}", table.table));
            won.push(format!("{pair} {}", winner(&table.result, &own)));
            let score = sheet::games_of(&table.result.score).filter(|games| *games != [0; 3]);
            let score = score.map(|[one, other, drawn]| match own.is_sorted() {
                true => [one, other, drawn],
                false => [other, one, drawn],
            });
            games.push(format!("{pair} {score:?}"));
            met.push(pair);
        }
        for bye in &round.byes {
            byes.push(format!("{number}: {} {}", name(bye.player), bye.kind));
        }
    }
    for (what, lines) in [
        ("pairings", met),
        ("winners", won),
        ("scores", games),
        ("tables", numbers),
        ("byes", byes),
    ] {
        facts.push((what, sorted(lines.into_iter())));
    }
    facts
}

fn sorted(lines: impl Iterator<Item = String>) -> Vec<String> {
    let mut lines: Vec<String> = lines.collect();
    lines.sort();
    lines
}

/// Who won, and whether they came to play.
fn winner(result: &MatchResult, names: &[String]) -> String {
    let rulings: Vec<Option<Ruling>> = result.rulings.to_vec();
    if !rulings.is_empty() && rulings.iter().all(|one| *one == Some(Ruling::Loss)) {
        return "both lost".to_owned();
    }
    if let Some(seat) = crate::phases::winning_seat(result) {
        return names[seat].clone();
    }
    let is_open = rulings.is_empty() && result.score == Score::default();
    if is_open { "open".to_owned() } else { "drawn".to_owned() }
}

/// The words with which a format may tell that it does not hold a thing.
fn words_for(what: &str) -> &'static [&'static str] {
    match what {
        "ids" | "ratings" => &["id", "rating"],
        "divisions" => &["division"],
        "titles" => &["title"],
        "federations" => &["federation"],
        "left" => &["left", "bye"],
        "phases" => &["phase", "cut", "group", "elimination"],
        "weights" => &["more"],
        "winners" => &["result", "ruling", "forfeit", "both", "winner"],
        "scores" => &["score", "games", "ruling", "forfeit"],
        "tables" => &["table"],
        "byes" => &["bye", "phase", "left"],
        _ => &[],
    }
}

/// Writes and reads a tournament: what differs was told, and written again it is the same text.
fn holds_or_tells(format: &dyn Format, truth: &Source) -> Vec<String> {
    let Ok(written) = format.write(truth, None).expect("it writes") else { return Vec::new() };
    let name = format.name();
    let again = read("random.txt", written.text.as_bytes());
    let again = again.unwrap_or_else(|error| panic!("{name}: {error}\n{}", written.text));
    legal_events(&again).unwrap_or_else(|error| panic!("{name}: {error}"));
    let mut silent = Vec::new();
    for ((what, before), (_, after)) in facts(truth).iter().zip(facts(&again)) {
        let words = words_for(what);
        let is_told = written.left_out.iter().any(|told| {
            words.iter().any(|word| told.split([' ', ',']).any(|own| own.starts_with(word)))
        });
        if *before != after && !is_told {
            silent.push(format!(
                "{name}: {what}\n  {before:?}\n  {after:?}\n  told: {:?}",
                written.left_out
            ));
        }
    }
    let write = |source: &Source| {
        let written = format.write(source, None).expect("it writes");
        written.unwrap_or_else(|error| panic!("{name}: {error}")).text
    };
    let twice = write(&again);
    let thrice = write(&read("random.txt", twice.as_bytes()).expect("what was written is read"));
    assert_eq!(thrice, twice, "{name}");
    if written.left_out.is_empty() && twice != written.text {
        let lines = written.text.lines().zip(twice.lines());
        let other: Vec<_> = lines.filter(|(one, other)| one != other).take(3).collect();
        silent.push(format!("{name}: written again\n{other:?}"));
    }
    silent
}

#[test]
fn what_a_format_does_not_hold_of_a_random_tournament_is_told() {
    let mut random = Random(20);
    let writing: [&dyn Format; 6] = [
        &trf::Trf,
        &trf::Trf26,
        &crate::chessresults::ChessResults,
        &opengotha::OpenGotha,
        &cobra::Cobra,
        &challonge::Challonge,
    ];
    let mut silent = std::collections::BTreeMap::new();
    for run in 0..300 {
        let may = May { games: run % 2 == 0, cut: run % 5 == 0, weighs: run % 3 == 0 };
        let truth = tournament(&mut random, may);
        legal_events(&truth).expect("a random tournament is legal");
        for format in writing {
            for told in holds_or_tells(format, &truth) {
                let head = told.lines().next().unwrap_or_default().to_owned();
                silent.entry(head).or_insert((run, told));
            }
        }
    }
    let told: Vec<String> =
        silent.values().map(|(run, told)| format!("run {run}: {told}")).collect();
    assert!(told.is_empty(), "{}", told.join("\n\n"));
}
