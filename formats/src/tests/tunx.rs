//! Swiss-Manager's binary files.

use super::*;

/// A file of these players and pairings, each as white, black and result.
struct Tunx<'a> {
    title: &'a str,
    kind: u8,
    rounds: u16,
    current: u8,
    players: &'a [[&'a str; 2]],
    pairings: &'a [[i32; 3]],
    tie_breaks: &'a [u8],
}

const SIX: [[&str; 2]; 5] =
    [["Lindberg", "Ann"], ["Okafor", "Ben"], ["Núñez", "Diego"], ["Иванова", "Дарья"], ["Ito", ""]];

const SPRING: Tunx = Tunx {
    title: "Spring Open",
    kind: 0,
    rounds: 3,
    current: 3,
    players: &SIX,
    pairings: &[
        [1, 3, 1],
        [4, 2, 3],
        [5, -1, 9],
        [2, 1, 2],
        [3, 5, 5],
        [4, -1, 9],
        [1, 4, 4],
        [5, 2, 6],
        [3, -2, 3],
    ],
    tie_breaks: &[],
};

fn text(bytes: &mut Vec<u8>, text: &str) {
    let units: Vec<u16> = text.encode_utf16().collect();
    bytes.extend(u16::try_from(units.len()).expect("short").to_le_bytes());
    bytes.extend(units.into_iter().flat_map(u16::to_le_bytes));
}

impl Tunx<'_> {
    fn bytes(&self) -> Vec<u8> {
        let marker = |bytes: &mut Vec<u8>, kind: u8| bytes.extend([kind, 0xff, 0x89, 0x44]);
        let at = |bytes: &[u8]| u32::try_from(bytes.len()).expect("short").to_le_bytes();
        let mut bytes = Vec::new();
        marker(&mut bytes, 0x93);
        bytes.resize(0x20, 0);
        bytes.extend(4_321u32.to_le_bytes());
        bytes.resize(0x6c, 0);
        for nth in 0..132 {
            match nth {
                0 => text(&mut bytes, self.title),
                7 => text(&mut bytes, "c:\\users\\somebody\\spring.tunx"),
                _ => text(&mut bytes, ""),
            }
        }
        marker(&mut bytes, 0x95);
        let mut settings = [0; 0x80];
        settings[..2].copy_from_slice(&self.rounds.to_le_bytes());
        settings[0x0b] = self.kind;
        settings[0x11] = self.current;
        settings[0x13] = u8::try_from(self.players.len()).expect("few");
        settings[0x1b] = u8::try_from(self.tie_breaks.len()).expect("few");
        for (at, number) in self.tie_breaks.iter().enumerate() {
            settings[0x1d + 2 * at] = *number;
        }
        settings[0x47..0x4b].copy_from_slice(&20_260_307u32.to_le_bytes());
        bytes.extend(settings);
        let mut index = vec![at(&bytes)];
        marker(&mut bytes, 0xa3);
        index.push(at(&bytes));
        marker(&mut bytes, 0xa5);
        for (nth, [last, first]) in self.players.iter().enumerate() {
            text(&mut bytes, last);
            text(&mut bytes, first);
            (2..30).for_each(|_| text(&mut bytes, ""));
            let mut numbers = [0; 110];
            let rating = if nth == 4 { 0 } else { 2_000 - 10 * u16::try_from(nth).expect("few") };
            numbers[0x08..0x0a].copy_from_slice(&rating.to_le_bytes());
            numbers[0x0a..0x0c].copy_from_slice(&1_500u16.to_le_bytes());
            let id = if nth == 4 { 0 } else { 7_000_001 + u32::try_from(nth).expect("few") };
            numbers[0x18..0x1c].copy_from_slice(&id.to_le_bytes());
            bytes.extend(numbers);
        }
        index.push(at(&bytes));
        marker(&mut bytes, 0xb3);
        for pairing in self.pairings {
            let two = |number: i32| i16::try_from(number).expect("small").to_le_bytes();
            bytes.extend(pairing.iter().flat_map(|number| two(*number)));
            bytes.extend([0; 15]);
        }
        index.push(at(&bytes));
        marker(&mut bytes, 0xd3);
        bytes.extend(index.concat());
        bytes.extend([0; 12]);
        marker(&mut bytes, 0xe3);
        bytes
    }

    fn read(&self) -> Result<Source, ImportError> {
        read("event.TUNX", &self.bytes())
    }
}

const NOT_KNOWN: &str = "What the result 6 means is not known: it gives no points. Look it up in Swiss-Manager, and \
                         `correct` it here.";

/// A number that nobody has explained decides nothing, for a match or for somebody alone, and is told each time.
#[test]
fn results_that_nobody_has_explained_give_no_points_and_are_told() {
    for number in [6, 15, 17] {
        let pairings = [[1, 3, number], [4, 2, 3], [5, -2, number]];
        let source = Tunx { rounds: 1, current: 1, pairings: &pairings, ..SPRING };
        let source = source.read().expect("read");
        let expected = NOT_KNOWN.replace('6', &number.to_string());
        let told: Vec<(&str, &str)> =
            source.oddities.iter().map(|odd| (&odd.place[..4], odd.sentence.as_str())).collect();
        assert_eq!(told, [("byte", expected.as_str()); 2]);
        let place = &source.oddities[0].place;
        assert!(place.ends_with(", round 1, table 1"), "{place}");
        let round = source.rounds().next().expect("a round").1;
        assert_eq!(round.tables[0].result.rulings[..], [Some(Ruling::NoResult); 2]);
        assert_eq!(round.byes[0].kind, ByeKind::Zero);
        legal_events(&source).expect("legal");
    }
}

#[test]
fn pairings_without_rounds_are_cut_where_everybody_was_named() {
    let source = SPRING.read().expect("read");
    let lines = [
        "1: Lindberg, Ann-Núñez, Diego 1,0 (0) [Win, Loss]",
        "1: Иванова, Дарья-Okafor, Ben 0,1 (0) [Loss, Win]",
        "1: Ito bye ",
        "2: Okafor, Ben-Lindberg, Ann 0,0 (1) [Draw, Draw]",
        "2: Núñez, Diego-Ito  () [Loss, Win]",
        "2: Иванова, Дарья bye ",
        "3: Lindberg, Ann-Иванова, Дарья  () [Win, Loss]",
        "3: Ito-Okafor, Ben  () [NoResult, NoResult]",
        "3: Núñez, Diego zero bye ",
    ];
    assert_eq!(sheet_of(&source), lines);
    let told: Vec<&str> = source.oddities.iter().map(|odd| odd.sentence.as_str()).collect();
    assert_eq!(told, [NOT_KNOWN]);
    assert_eq!(source.title, "Spring Open");
    assert_eq!(source.held_on.map(|day| day.to_string()).as_deref(), Some("2026-03-07"));
    assert_eq!(source.identity, "chess-results 4321");
    assert!(source.finished);
    let [ann, .., ito] = &source.players[..] else { panic!("five") };
    assert_eq!((ann.rating, ann.publisher_id.as_deref()), (Some(2_000), Some("7000001")));
    assert_eq!((ito.rating, &ito.publisher_id), (Some(1_500), &None), "a national rating");
    assert!(!format!("{source:?}").contains("somebody"), "paths of the owner's disk are not kept");
    legal_events(&source).expect("legal where they stand");
    assert!(SPRING.bytes() == include_bytes!("../../fuzz-seeds/spring.tunx"), "the seed to fuzz");
}

#[test]
fn a_round_under_way_is_open_and_rounds_to_come_are_none() {
    let pairings = [[1, 3, 0], [4, 2, 0], [5, -1, 0], [4, -2, 0], [4, -2, 0]];
    let source = Tunx { current: 1, pairings: &pairings, ..SPRING }.read().expect("read");
    assert_eq!(source.rounds().count(), 1);
    assert!(!source.finished);
    assert_eq!(source.planned_rounds, Some(3));
    assert_eq!(source.oddities.len(), 2, "{:?}", source.oddities);
    legal_events(&source).expect("legal where they stand");
    let before = Tunx { current: 0, pairings: &[], ..SPRING }.read().expect("read");
    assert_eq!((before.rounds().count(), before.finished), (0, false));
    legal_events(&before).expect("legal where they stand");
}

#[test]
fn who_came_late_is_read_where_the_cut_is_sure_and_refused_where_it_is_not() {
    // Five is named from the second round on, against somebody whom the first round named.
    let sure = [[1, 3, 1], [4, 2, 3], [2, 5, 1], [1, 4, 1], [3, -1, 9]];
    let source = Tunx { current: 2, pairings: &sure, ..SPRING }.read().expect("read");
    let lengths: Vec<usize> =
        source.rounds().map(|(_, round)| round.tables.len() + round.byes.len()).collect();
    assert_eq!(lengths, [2, 3]);
    assert!(source.oddities[0].sentence.contains("1 of 5 players"), "{:?}", source.oddities);
    legal_events(&source).expect("legal where they stand");
    // Here they may as well have had a bye in the first.
    let unsure = [[1, 3, 1], [4, 2, 3], [5, -1, 9], [2, 1, 1], [3, 4, 1]];
    let refused = Tunx { current: 2, pairings: &unsure, ..SPRING }.read().expect_err("unsure");
    assert!(refused.to_string().contains("late entries"), "{refused}");
    assert!(refused.place.starts_with("byte "), "{refused:?}");
}

#[test]
fn what_a_section_does_not_hold_is_refused_with_its_place() {
    let whole = SPRING.bytes();
    for end in (4..whole.len()).step_by(7) {
        if let Err(error) = read("cut.TUNX", &whole[..end]) {
            assert!(error.place.starts_with("byte "), "{error}");
            let is_cut = error.to_string().contains("what is there ends at byte");
            assert!(!is_cut || error.hint().contains("in the program that wrote it"), "{error}");
        }
    }
    let nobody = Tunx { pairings: &[[1, 17, 1]], ..SPRING }.read().expect_err("nobody");
    assert!(nobody.to_string().contains("is \"17\"; expected 1 to 5, -1 or -2"), "{nobody}");
    let mut more = whole.clone();
    let settings = whole.windows(4).position(|four| four == [0x95, 0xff, 0x89, 0x44]);
    more[settings.expect("there") + 4 + 0x14] = 0xff;
    let refused = read("more.TUNX", &more).expect_err("65,285 players").to_string();
    assert!(refused.contains("a text of a player"), "{refused}");
    let own = Tunx { pairings: &[[1, 1, 1]], players: &SIX[..1], current: 1, ..SPRING };
    assert!(own.read().expect_err("themselves").to_string().contains("against themselves"));
}

/// Swiss-Manager's own tie-breaks were passed over without a word.
#[test]
fn tie_breaks_of_a_tunx_are_told_by_their_numbers() {
    let source = Tunx { tie_breaks: &[84, 68], ..SPRING }.read().expect("read");
    let told: Vec<&str> = source.oddities.iter().map(|odd| odd.sentence.as_str()).collect();
    let expected = "The ranks go by the tie-breaks 84 (Buchholz), 68 of Swiss-Manager; without \
                    `--rules` standings here go by fide-buchholz-2026 (BH/C1, BH, DE, WIN, SB).";
    assert!(told.contains(&expected), "{told:?}");
    let without = SPRING.read().expect("read");
    assert!(without.oddities.iter().all(|odd| !odd.sentence.contains("tie-breaks")));
}

/// Every example is read. Runs where `SCRUTINEER_FORMATS` names the examples' folder.
#[test]
fn every_example_of_a_tunx_is_read() {
    let (mut files, mut rounds, mut late) = (0, 0, 0);
    for (name, bytes) in examples("tunx", &["tunx"]) {
        let source = read(&name, &bytes).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(source.format, "swiss-manager tunx", "{name}");
        legal_events(&source).unwrap_or_else(|error| panic!("{name}: {error}"));
        for oddity in &source.oddities {
            eprintln!("{name} {}: {}", oddity.place, oddity.sentence);
            late += usize::from(oddity.sentence.contains("are not named"));
        }
        // The rest of a round is one bye where their number is odd.
        for (_, round) in source.rounds() {
            let assigned = round.byes.iter().filter(|bye| bye.kind == ByeKind::Assigned).count();
            let zero = round.byes.len() - assigned;
            assert_eq!(assigned, (source.players.len() - zero) % 2, "{name} {}", round.name);
        }
        (files, rounds) = (files + 1, rounds + source.rounds().count());
    }
    eprintln!("{files} files, {rounds} rounds, {late} of them with late entries");
}
