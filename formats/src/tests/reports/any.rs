//! Any tournament that a report can hold is read as it was written, and what it cannot hold is told.

use super::super::*;
use super::text_of;
use crate::report::{ByeAsked, ChessReport, ReportMark, ReportRecord};
use crate::source::{PublishedRow, SourceBye, SourcePhase, SourcePlayer, SourceSeat};
use crate::trf::{Dialect, write};
use scrutineer_engine::event::{Day, RoundWeight, Score};

/// A small sequence of numbers that looks like chance.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, end: usize) -> usize {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % end
    }

    fn one_in(&mut self, many: usize) -> bool {
        self.below(many) == 0
    }

    fn shuffled(&mut self, count: usize) -> Vec<usize> {
        let mut list: Vec<usize> = (0..count).collect();
        (1..count).rev().for_each(|at| list.swap(at, self.below(at + 1)));
        list
    }
}

/// A tournament of which a report holds all.
fn holdable(seed: u64) -> Source {
    let mut numbers = Numbers(seed);
    let count = 2 + numbers.below(9);
    let order = numbers.shuffled(count);
    let players: Vec<SourcePlayer> = order.iter().map(|at| player(&mut numbers, *at)).collect();
    let paired = numbers.below(6);
    let mut report = ChessReport::default();
    let mut rounds: Vec<SourceRound> = Vec::new();
    for at in 0..paired {
        let is_last = at + 1 == paired;
        let (tables, byes) = round(&mut numbers, count, is_last);
        for table in &tables {
            let is_game = table.result.how == How::Played && table.has_result();
            if is_game && numbers.one_in(9) {
                let first = table.seats.iter().map(|seat| seat.player).min().unwrap_or_default();
                report.unrated.push(ReportMark { round: at as u16 + 1, player: first });
            }
        }
        rounds.push(SourceRound {
            name: format!("Round {}", at + 1),
            weight: RoundWeight::ONE,
            tables,
            byes,
        });
    }
    let is_open =
        rounds.last().is_some_and(|round| !round.tables.iter().all(SourceTable::has_result));
    if !is_open && numbers.one_in(2) {
        let player = numbers.below(count);
        let kind = [ByeKind::Half, ByeKind::Zero, ByeKind::Awarded][numbers.below(3)];
        report.asked.push(ByeAsked { round: paired as u16 + 1, player, kind });
    }
    report.records = records(&mut numbers);
    let published = (0..count).map(|player| PublishedRow {
        rank: player as u32 + 1,
        player,
        points_tenths: numbers.below(999) as i64,
        record: None,
        values: Vec::new(),
    });
    let published: Vec<_> = published.collect();
    let kind = [PhaseKind::Swiss, PhaseKind::RoundRobin][numbers.below(2)];
    let mut entrants: Vec<usize> = (0..count).collect();
    entrants.sort_by_key(|at| players[*at].sign_up);
    Source {
        title: format!("Títle of {seed}"),
        held_on: numbers.one_in(2).then_some(Day { year: 2026, month: 2, day: 28 }),
        planned_rounds: Some(paired as u16 + 1 + numbers.below(3) as u16),
        players,
        phases: vec![SourcePhase { kind, entrants, seeded: true, rounds }],
        published,
        report,
        format: "trf".into(),
        ..Source::default()
    }
}

fn player(numbers: &mut Numbers, at: usize) -> SourcePlayer {
    let names = ["Ødegård, Åse", "O'Neill, Bo", "Žižka", "Li, Wei 3", "de la Cruz, María José"];
    let titles = ["GM", "IM", "FM", "CM", "WGM", "WIM", "WFM", "WCM"];
    SourcePlayer {
        name: format!("{} {at}", names[numbers.below(names.len())]),
        sign_up: Some(at as u32 + 1),
        rating: numbers.one_in(2).then(|| 1 + numbers.below(2999) as i32),
        publisher_id: numbers.one_in(2).then(|| format!("{}", 1_000 + numbers.below(99_999_999))),
        title: numbers.one_in(2).then(|| titles[numbers.below(titles.len())].into()),
        federation: numbers.one_in(2).then(|| "FIN".into()),
        sex: [None, Some('m'), Some('w')][numbers.below(3)],
        ..SourcePlayer::default()
    }
}

fn round(numbers: &mut Numbers, count: usize, is_last: bool) -> (Vec<SourceTable>, Vec<SourceBye>) {
    let mut here = numbers.shuffled(count);
    let mut tables = Vec::new();
    let mut byes = Vec::new();
    while let Some(white) = here.pop() {
        let black = if numbers.one_in(4) { None } else { here.pop() };
        let Some(black) = black else {
            let kinds = [ByeKind::Assigned, ByeKind::Awarded, ByeKind::Half, ByeKind::Zero];
            let kind = kinds[numbers.below(4)];
            byes.push(SourceBye { player: white, kind, reported: None, place: String::new() });
            continue;
        };
        let ruled = |how, rulings| crate::sheet::ruled(how, rulings);
        let result = match numbers.below(if is_last { 8 } else { 7 }) {
            0 => ruled(How::Forfeit, [Ruling::Win, Ruling::Loss]),
            1 => ruled(How::Forfeit, [Ruling::Loss, Ruling::Win]),
            2 => ruled(How::Forfeit, [Ruling::Loss; 2]),
            3 | 4 => crate::sheet::single_game([1, 0, 0]),
            5 => crate::sheet::single_game([0, 1, 0]),
            6 => crate::sheet::single_game([0, 0, 1]),
            _ => MatchResult::played(Score::default()),
        };
        let seats = [white, black].map(|player| SourceSeat { player, role: 0 }).to_vec();
        tables.push(SourceTable { table: None, seats, result, place: String::new() });
    }
    // In the last round somebody was paired, or it would be one to come.
    if is_last && tables.is_empty() {
        byes[0].kind = ByeKind::Assigned;
    }
    tables.sort_by_key(|table| table.seats.iter().map(|seat| seat.player).min());
    byes.sort_by_key(|bye| bye.player);
    (tables, byes)
}

/// Records in the order in which they are written.
fn records(numbers: &mut Numbers) -> Vec<ReportRecord> {
    let all = [
        ("022", "Åbo"),
        ("032", "FIN"),
        ("052", "sometime in spring"),
        ("102", "Virtanen, Aino"),
        ("122", "40/90 + 30"),
        ("152", "B"),
        ("202", "PTS,BH/C1,SB"),
        ("XXC", "black1"),
        ("013", "Rooks                              1    2"),
        ("260", "  1   3    1    2"),
        ("XXA", "   1  1.0  0.5"),
        ("XXP", "1 2"),
    ];
    let kept = all.into_iter().filter(|_| numbers.one_in(2));
    kept.map(|(code, text)| ReportRecord { code: code.into(), text: text.into() }).collect()
}

/// What of a tournament a report is to give back: not where it stood in the file, and what every report has.
fn told(source: &Source) -> Source {
    let mut told = source.clone();
    for round in told.phases.iter_mut().flat_map(|phase| &mut phase.rounds) {
        round.tables.iter_mut().for_each(|table| table.place.clear());
        round.byes.iter_mut().for_each(|bye| bye.place.clear());
    }
    Source {
        file: String::new(),
        platform: String::new(),
        format: String::new(),
        identity: String::new(),
        rules: None,
        scoresheet: Default::default(),
        unknown: Vec::new(),
        oddities: Vec::new(),
        finished: false,
        published_after: None,
        published_digits: None,
        ..told
    }
}

#[test]
fn any_tournament_that_a_report_can_hold_is_read_as_it_was_written() {
    for seed in 0..500 {
        let truth = holdable(seed);
        let written = write(&truth, Dialect::Programs).expect("written");
        assert_eq!(written.left_out, [] as [String; 0], "{seed}");
        let again = read("again.trf", written.text.as_bytes())
            .unwrap_or_else(|error| panic!("{seed}: {error}"));
        assert_eq!(told(&again), told(&truth), "{seed}\n{}", written.text);
        assert_eq!(write(&again, Dialect::Programs).expect("written"), written, "{seed}");
        let fide = text_of(&truth, Dialect::Fide);
        let again =
            read("again.trf", fide.as_bytes()).unwrap_or_else(|error| panic!("{seed}: {error}"));
        let without = |mut source: Source| {
            source.report.records.clear();
            source
        };
        assert_eq!(without(told(&again)), without(told(&truth)), "{seed}\n{fide}");
        assert_eq!(text_of(&again, Dialect::Fide), fide, "{seed}");
    }
}

type Change = (&'static str, fn(&mut Source));

/// What no report holds, each with a word of what is told of it.
const CHANGES: [Change; 18] = [
    ("numbers of tables", |source| table(source).table = Some(1)),
    ("scores of matches", |source| {
        table(source).result = crate::sheet::ruled(How::Played, [Ruling::Win, Ruling::Loss]);
        table(source).result.score = crate::sheet::games_score([2, 1, 0]);
    }),
    ("how matches ended", |source| table(source).result.how = How::Conceded),
    ("grades", |source| table(source).result.grade = Some("timed".into())),
    ("roles", |source| table(source).seats[0].role = 1),
    ("count more or less", |source| {
        source.phases[0].rounds[0].weight = RoundWeight { num: 2, den: 1 };
    }),
    ("divisions", |source| source.players[0].division = Some("senior".into())),
    ("what they play", |source| source.players[0].identities[0] = Some("Weyland".into())),
    ("shortened", |source| source.players[0].name = "Long ".repeat(9)),
    ("not FIDE's", |source| source.players[0].publisher_id = Some("abc".into())),
    ("titles", |source| source.players[0].title = Some("2N".into())),
    ("federations", |source| source.players[0].federation = Some("Åland".into())),
    ("ratings", |source| source.players[0].rating = Some(12_345)),
    ("the cut", |source| source.cut = Some(4)),
    ("no gaps", |source| source.players[0].sign_up = Some(99)),
    ("not paired", |source| {
        let round = &mut source.phases[0].rounds[0];
        round.byes.clear();
        round.tables.pop();
    }),
    ("not known", |source| source.published.clear()),
    ("further phases", |source| source.phases.push(source.phases[0].clone())),
];

fn table(source: &mut Source) -> &mut SourceTable {
    &mut source.phases[0].rounds[0].tables[0]
}

#[test]
fn what_a_report_cannot_hold_is_told() {
    let mut tried = 0;
    for seed in 0..60 {
        let truth = holdable(seed);
        let has_table =
            truth.phases[0].rounds.first().is_some_and(|round| !round.tables.is_empty());
        if !has_table {
            continue;
        }
        for (words, change) in CHANGES {
            let mut source = truth.clone();
            change(&mut source);
            let left_out = write(&source, Dialect::Programs).expect("written").left_out;
            let found = left_out.iter().any(|what| what.contains(words));
            assert!(found, "{seed}: {words}: {left_out:?}");
            tried += 1;
        }
    }
    assert!(tried > 300, "{tried}");
}
