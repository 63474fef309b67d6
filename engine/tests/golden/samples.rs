//! One event for every kind, every code and every field that may be absent.

use scrutineer_engine::book::Commitment;
use scrutineer_engine::event::*;
use smallvec::{SmallVec, smallvec};

/// An event with its name in `events.txt` and the names of its fields, in their order.
pub struct Sample {
    pub name: String,
    pub event: Event,
    pub fields: Vec<String>,
}

const NAME: Commitment = Commitment { number: 1, digest: [0xaa; 32] };
const REASON: Commitment = Commitment { number: 300, digest: [0xbb; 32] };

pub fn all() -> Vec<Sample> {
    let mut list = List::default();
    about_the_event(&mut list);
    about_players(&mut list);
    about_rounds(&mut list);
    about_results(&mut list);
    about_standings(&mut list);
    list.0
}

#[derive(Default)]
struct List(Vec<Sample>);

impl List {
    fn add<T: serde::Serialize + Into<Event>>(&mut self, name: impl Into<String>, event: T) {
        let fields = fields(&event);
        self.0.push(Sample { name: name.into().replace(' ', "-"), event: event.into(), fields });
    }
}

/// The keys of the outermost object, in the order in which they are written.
fn fields(event: &impl serde::Serialize) -> Vec<String> {
    let text = serde_json::to_string(event).expect("it has a JSON form");
    let (mut depth, mut keys) = (0, Vec::new());
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            b'{' | b'[' => depth += 1,
            b'}' | b']' => depth -= 1,
            b':' if depth == 1 => {
                let before = text[..at].trim_end_matches('"');
                keys.push(before[before.rfind('"').map_or(0, |quote| quote + 1)..].to_owned());
            }
            _ => {}
        }
    }
    keys
}

fn line(name: &str, per: Per, min: i32, max: i32) -> ScoreLine {
    ScoreLine { name: name.to_owned(), per, min, max, unit: "games".to_owned() }
}

fn sheet() -> Scoresheet {
    let lines = vec![line("games", Per::Seat, 0, 2), line("drawn", Per::Table, 0, 3)];
    Scoresheet { lines, best_of: Some(3) }
}

fn planned(kind: PhaseKind) -> PlannedPhase {
    PlannedPhase { kind, rounds: None, players: None, scoresheet: None }
}

fn ruleset() -> Vec<RulesetFile> {
    let file = |name: &str, text: &str| RulesetFile { name: name.into(), text: text.into() };
    vec![file("mine", "extends = \"common\"\n"), file("common", "# ½\n")]
}

fn about_the_event(list: &mut List) {
    let bare = TournamentOpened {
        title: NAME,
        held_on: None,
        scoresheet: Scoresheet::default(),
        ruleset: Vec::new(),
        plan: Vec::new(),
        seed_commitment: None,
        signer: None,
    };
    list.add("tournament-opened", bare.clone());
    let bounds = line("objective", Per::Seat, i32::MIN, i32::MAX);
    let own = Scoresheet { lines: vec![bounds], best_of: None };
    let final_phase = PlannedPhase {
        rounds: Some(3),
        players: Some(8),
        scoresheet: Some(own),
        ..planned(PhaseKind::Elimination)
    };
    let full = TournamentOpened {
        held_on: Some(Day { year: 2026, month: 11, day: 21 }),
        scoresheet: sheet(),
        ruleset: ruleset(),
        plan: vec![planned(PhaseKind::Swiss), final_phase],
        seed_commitment: Some([0xcc; 32]),
        signer: Some([0xdd; 32]),
        ..bare
    };
    list.add("tournament-opened-full", full);
    let plan = PhaseKind::ALL.iter().copied().map(planned).collect();
    list.add("plan-amended-every-kind", PlanAmended { plan, reason: REASON });
    let amended = RulesetAmended { ruleset: ruleset(), from_round: None, reason: REASON };
    list.add("ruleset-amended", amended.clone());
    list.add("ruleset-amended-from-round", RulesetAmended { from_round: Some(4), ..amended });
    list.add("signer-changed", SignerChanged { signer: [0xdd; 32], reason: REASON });
    let retired = KeyRetired { key: [0xdd; 32], last_size: 57, reason: REASON };
    list.add("key-retired", retired);
    let restored = LogRestored { known_size: 57, known_root: [0xd0; 32], reason: REASON };
    list.add("log-restored", restored);
    let seed_commitment = [0xcc; 32];
    list.add("seed-recommitted", SeedRecommitted { seed_commitment, reason: REASON });
    imported(list);
    list.add("tournament-closed", TournamentClosed {});
    list.add("note-added", NoteAdded { note: REASON, about: None });
    list.add("note-added-about", NoteAdded { note: REASON, about: Some(65_536) });
    list.add("staff-named", StaffNamed { actor: 9, name: NAME });
    list.add("texts-forgotten", TextsForgotten { numbers: vec![2, 300, 70_000] });
}

fn imported(list: &mut List) {
    let nothing_unknown = Imported {
        source_file: [0x11; 32],
        source_event: REASON,
        format: "csv".into(),
        file: NAME,
        unknown: Vec::new(),
    };
    list.add("imported", nothing_unknown.clone());
    let unknown = UnknownFact::ALL.to_vec();
    list.add("imported-every-fact-unknown", Imported { unknown, ..nothing_unknown });
}

fn about_players(list: &mut List) {
    let bare = PlayerEnrolled {
        player: 1,
        name: NAME,
        publisher_id: None,
        sign_up: None,
        from_round: 1,
        awarded_byes: 0,
        rating: None,
        division: None,
        members: Vec::new(),
    };
    list.add("player-enrolled", bare.clone());
    let full = PlayerEnrolled {
        player: u32::MAX,
        publisher_id: Some(REASON),
        sign_up: Some(251),
        from_round: u16::MAX,
        awarded_byes: u8::MAX,
        rating: Some(-1_500),
        division: Some("senior".into()),
        members: vec![NAME, REASON],
        ..bare
    };
    list.add("player-enrolled-full", full);
    list.add("player-identified", PlayerIdentified { player: 2, name: NAME });
    list.add("player-checked-in", PlayerCheckedIn { player: 250 });
    for &why in DropReason::ALL {
        let dropped = PlayerDropped { player: 3, why, after_round: 2 };
        list.add(format!("player-dropped-{why}"), dropped);
    }
    list.add("player-reinstated", PlayerReinstated { player: 3, from_round: 5 });
    let kinds = [ByeKind::Awarded, ByeKind::Half, ByeKind::Zero];
    for kind in kinds {
        list.add(format!("bye-requested-{kind}"), ByeRequested { player: 251, round: 4, kind });
    }
    let division = Some("senior".to_string());
    let changed = PlayerDivisionChanged { player: 3, division, reason: REASON };
    list.add("player-division-changed", changed.clone());
    let none = PlayerDivisionChanged { division: None, ..changed };
    list.add("player-division-changed-none", none);
    let merged = vec![vec!["junior".into(), "senior".into()], Vec::new()];
    list.add("divisions-paired-apart", DivisionsPaired { apart: true, merged });
    list.add("divisions-paired-together", DivisionsPaired::default());
    let (title, federation) = (Some("GM".to_string()), Some("SWE".to_string()));
    list.add("player-described", PlayerDescribed { player: 251, title, federation });
    list.add("player-described-not", PlayerDescribed { player: 1, title: None, federation: None });
    list.add("player-rated", PlayerRated { player: 251, rating: Some(-1_912) });
    list.add("player-rated-not", PlayerRated { player: 1, rating: None });
    let publisher_id = Some(NAME);
    list.add("player-id-corrected", PlayerIdCorrected { player: 251, publisher_id });
    list.add("player-id-corrected-none", PlayerIdCorrected { player: 1, publisher_id: None });
    list.add("table-kept", TableKept { player: 251, table: Some(7) });
    list.add("table-kept-no-more", TableKept { player: 251, table: None });
    let ranges = vec![TableRange { first: 1, last: 12 }, TableRange { first: 14, last: 14 }];
    list.add("tables-set", TablesSet { ranges });
    list.add("tables-set-as-usual", TablesSet { ranges: Vec::new() });
    let (division, rounds) = ("junior".to_string(), Some(4));
    list.add("division-rounds", DivisionRounds { division: division.clone(), rounds });
    list.add("division-rounds-of-all", DivisionRounds { division, rounds: None });
}

fn about_rounds(list: &mut List) {
    for &kind in PhaseKind::ALL {
        let started = PhaseStarted {
            phase: 1,
            kind,
            first_seed: 1,
            entrants: vec![2, 1],
            group_sizes: Vec::new(),
            passed_over: Vec::new(),
            scoresheet: None,
        };
        list.add(format!("phase-started-{kind}"), started);
    }
    let full = PhaseStarted {
        phase: 2,
        kind: PhaseKind::Pods,
        first_seed: 8_001,
        entrants: vec![0, 250, 251, 65_535, 65_536, u32::MAX],
        group_sizes: vec![4, 3],
        passed_over: vec![PassedOver { player: 9, reason: REASON }],
        scoresheet: Some(sheet()),
    };
    list.add("phase-started-full", full);
    list.add("phase-ended", PhaseEnded { phase: 2 });
    round_opened(list);
    pairings_and_byes(list);
    list.add("pairings-published", PairingsPublished { round: 300 });
    list.add("round-completed", RoundCompleted { round: 1 });
    let paired = EnginePaired {
        round: 3,
        engine: "bbpPairings".into(),
        version: Some("5.0.1".into()),
        arguments: "--dutch {input} -p {output}".into(),
        input: [0xe5; 32],
        output: "2\n1 4\n3 0\n".into(),
    };
    list.add("engine-paired", paired.clone());
    list.add("engine-paired-bare", EnginePaired { version: None, output: String::new(), ..paired });
}

fn round_opened(list: &mut List) {
    let bare =
        RoundOpened { round: 1, phase: 1, phase_round: 1, weight: RoundWeight::ONE, drawn: None };
    list.add("round-opened", bare.clone());
    let drawn =
        DrawUsed { method: "swiss".into(), version: 1, draw: 7, seed: [0xee; 32], dice: None };
    list.add("round-opened-drawn", RoundOpened { drawn: Some(drawn.clone()), ..bare.clone() });
    let drawn = DrawUsed { dice: Some(vec![4, 2, 255]), ..drawn };
    let weight = RoundWeight { num: 1, den: 2 };
    list.add("round-opened-with-dice", RoundOpened { drawn: Some(drawn), weight, ..bare });
}

fn pairings_and_byes(list: &mut List) {
    for &kind in OriginKind::ALL {
        let pairing = PairingMade {
            round: 1,
            table: None,
            seats: smallvec![Seat { player: 1, role: 0 }, Seat { player: 2, role: 0 }],
            group: None,
            bracket_slot: None,
            origin: Origin { kind, because: None, reason: None },
        };
        list.add(format!("pairing-made-{kind}"), pairing);
    }
    let full = PairingMade {
        round: 2,
        table: Some(17),
        seats: (1..=4).map(|player| Seat { player, role: player as u8 }).collect(),
        group: Some(3),
        bracket_slot: Some(1),
        origin: Origin::by_hand(REASON),
    };
    list.add("pairing-made-full", full);
    let bye = |kind| ByeGiven {
        round: 1,
        player: 5,
        kind,
        reported: None,
        bracket_slot: None,
        origin: Origin::drawn(PairingReason::LowestPoints),
    };
    for &kind in ByeKind::ALL {
        list.add(format!("bye-given-{kind}"), bye(kind));
    }
    let reported = Some(score());
    for &because in PairingReason::ALL {
        let origin = Origin::drawn(because);
        let bracket_slot = Some(3);
        let word = because.word().replace(' ', "-");
        list.add(
            format!("bye-given-because-{word}"),
            ByeGiven { origin, bracket_slot, ..bye(ByeKind::Assigned) },
        );
    }
    let origin = Origin { kind: OriginKind::AsGiven, because: None, reason: Some(REASON) };
    list.add("bye-given-reported", ByeGiven { reported, origin, ..bye(ByeKind::Awarded) });
}

fn score() -> Score {
    Score { seats: smallvec![smallvec![2], smallvec![1]], table: smallvec![0] }
}

fn about_results(list: &mut List) {
    let result = MatchResult::played(score());
    for &how in How::ALL {
        let result = MatchResult { how, ..result.clone() };
        list.add(format!("result-recorded-{how}"), ResultRecorded { pairing: 8, result });
    }
    rulings(list);
    edges(list);
    list.add("result-recorded-full", ResultRecorded { pairing: 8, result: full_result() });
    let claimed = ResultClaimed { pairing: 8, seat: 1, result: result.clone() };
    list.add("result-claimed", claimed);
    list.add("score-noted", ScoreNoted { pairing: 8, score: score() });
    let corrected =
        ResultCorrected { pairing: 8, replaces: 10, result, reason: REASON, dispute: None };
    list.add("result-corrected", corrected.clone());
    list.add("result-corrected-disputed", ResultCorrected { dispute: Some(11), ..corrected });
    for &kind in PenaltyKind::ALL {
        let penalty = PenaltyGiven { player: 1, kind, pairing: None, reason: REASON };
        list.add(format!("penalty-given-{kind}"), penalty);
    }
    let kind = PenaltyKind::GameLoss;
    let at_table = PenaltyGiven { player: 1, kind, pairing: Some(8), reason: REASON };
    list.add("penalty-given-at-a-table", at_table);
    list.add("player-advanced", PlayerAdvanced { pairing: 8, player: 2, reason: REASON });
    list.add("dispute-opened", DisputeOpened { pairing: 8, by: None, claim: REASON });
    list.add(
        "dispute-opened-by-a-player",
        DisputeOpened { pairing: 8, by: Some(2), claim: REASON },
    );
    for upheld in [false, true] {
        let ruled = DisputeRuled { dispute: 11, upheld, reason: REASON };
        list.add(if upheld { "dispute-ruled-upheld" } else { "dispute-ruled" }, ruled);
    }
}

fn rulings(list: &mut List) {
    let ruled = |rulings| MatchResult {
        rulings,
        how: How::Forfeit,
        ..MatchResult::played(Score::default())
    };
    let every = [
        ("win", Ruling::Win),
        ("loss", Ruling::Loss),
        ("draw", Ruling::Draw),
        ("no-result", Ruling::NoResult),
        ("first-place", Ruling::Place(1)),
        ("last-place", Ruling::Place(MAX_PLACE)),
    ];
    for (word, ruling) in every {
        let result = ruled(smallvec![Some(ruling), None]);
        list.add(format!("result-recorded-ruled-{word}"), ResultRecorded { pairing: 8, result });
    }
}

/// Where the spelling of a number changes its length.
fn edges(list: &mut List) {
    let values: SmallVec<[i32; 2]> =
        smallvec![0, -1, 1, 125, -125, -126, 126, 32_767, -32_768, 32_768, i32::MIN, i32::MAX];
    let score = Score { seats: smallvec![values, smallvec![]], table: smallvec![] };
    list.add("score-noted-edges", ScoreNoted { pairing: u64::MAX, score });
    for seq in [250, 251, 65_535, 65_536, u64::from(u32::MAX), u64::from(u32::MAX) + 1] {
        list.add(format!("withdrawn-{seq}"), Withdrawn { seq, reason: REASON });
    }
}

fn full_result() -> MatchResult {
    let part = Part { number: 1, score: score(), rulings: smallvec![Some(Ruling::Win), None] };
    MatchResult {
        score: score(),
        rulings: smallvec![Some(Ruling::Place(2)), Some(Ruling::Place(1))],
        how: How::Conceded,
        grade: Some("timed".into()),
        penalties_served: vec![7, 300],
        parts: vec![part, Part { number: 2, score: Score::default(), rulings: smallvec![] }],
    }
}

fn about_standings(list: &mut List) {
    for &source in LotsSource::ALL {
        let lots = LotsDrawn { source, first_place: 1, order: vec![3, 1, 2], seed: None };
        list.add(format!("lots-drawn-{source}"), lots);
    }
    let seed = Some((12, [0xee; 32]));
    let order = vec![250, 251];
    let lots = LotsDrawn { source: LotsSource::Seed, first_place: 4, order, seed };
    list.add("lots-drawn-with-seed", lots);
    let announced = StandingsAnnounced {
        head: 20,
        through_round: 3,
        ruleset: [0x33; 32],
        fold_version: 1,
        table: [0x44; 32],
    };
    list.add("standings-announced", announced);
    list.add("withdrawn", Withdrawn { seq: 9, reason: REASON });
}
