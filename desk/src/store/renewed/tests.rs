//! Versions of a file of TOM, one after the other.

use crate::against::Against;
use crate::asker::Asker;
use crate::desk::Asked;
use crate::incoming::understand;
use crate::orders::{Close, Correct, Describe, Enter, Order, SetPairing, Undo, Withdraw, record};
use crate::outgoing::{format_called, given, written};
use crate::store::{AddError, Added, Prepared, Store, TournamentSummary, prepare};
use scrutineer_engine::event::{DropReason, PlayerDropped, TournamentClosed};
use scrutineer_engine::record::{Actor, StreamId, Time};
use scrutineer_engine::tournament::Tournament;
use scrutineer_formats::File;
use scrutineer_projections::crosstable::Scope;
use scrutineer_projections::ruleset::Library;
use scrutineer_projections::standings::{Detail, Standings};

/// A cup of TOM: in the last round of its oldest division two tables play.
const CUP: &str = include_str!("../../../../formats/fuzz-seeds/pods.tdf");

/// Where the last round stands in the cup.
fn last_round() -> std::ops::Range<usize> {
    let (start, end) = (CUP.find("<round number=\"4\"").expect("round 4"), "</round>");
    start..start + CUP[start..].find(end).expect("its end") + end.len()
}

/// The cup before its last round was paired.
fn before() -> String {
    let round = last_round();
    format!("{}{}", CUP[..round.start].trim_end(), &CUP[round.end..])
}

/// The cup with its last round as it is changed.
fn with_last(change: impl Fn(&str) -> String) -> String {
    let round = last_round();
    format!("{}{}{}", &CUP[..round.start], change(&CUP[round.clone()]), &CUP[round.end..])
}

/// The two tables of the last round have each other's number.
fn swapped() -> String {
    with_last(|round| {
        let tag = |table: u32| format!("<tablenumber>{table}<");
        round.replace(&tag(1), "<other>").replace(&tag(2), &tag(1)).replace("<other>", &tag(2))
    })
}

/// The outcome of both tables of the last round.
fn with_outcomes(outcomes: [u8; 2]) -> String {
    let [one, other] = outcomes.map(|outcome| format!("outcome=\"{outcome}\""));
    with_last(|round| round.replacen("outcome=\"0\"", &one, 1).replacen("outcome=\"0\"", &other, 1))
}

/// The same file, saved once more with a change that means nothing.
fn saved_again(text: &str, minutes: u32) -> String {
    text.replace("<roundtime>30<", &format!("<roundtime>{minutes}<"))
}

/// A store that is beside TOM.
struct Beside {
    store: Store,
    known: Vec<TournamentSummary>,
}

impl Beside {
    /// With these versions of the cup, all of which are taken.
    fn of(versions: &[&str]) -> Beside {
        let mut beside = Beside { store: Store::in_memory(), known: Vec::new() };
        versions.iter().for_each(|version| drop(beside.saved(version)));
        beside
    }

    fn prepared(text: &str) -> Prepared {
        let name = if text.contains("012 Spring Open") { "open.trf" } else { "cup.tdf" };
        let mut prepared =
            prepare(name, text.as_bytes(), None, &Library::shipped()).expect("it can be read");
        prepared.alone();
        prepared
    }

    fn add(&mut self, text: &str) -> Result<Added, AddError> {
        self.take(Beside::prepared(text))
    }

    fn take(&mut self, prepared: Prepared) -> Result<Added, AddError> {
        let time = Time { unix_micros: 1_000_000 };
        self.store.add(prepared, &mut self.known, Actor(0), time)
    }

    /// What became of a version that somebody imported by itself.
    fn imported(&mut self, text: &str) -> Added {
        let mut prepared = Beside::prepared(text);
        prepared.by_hand();
        self.known = self.store.events().expect("they are listed");
        let would = self.store.would_add(&prepared, &self.known).expect("it would be taken");
        let became = self.take(prepared).expect("it is taken");
        assert_eq!(would, became);
        became
    }

    /// What a version brought.
    fn saved(&mut self, text: &str) -> Vec<String> {
        match self.add(text) {
            Ok(Added::Renewed(_, told)) => told,
            Ok(Added::New(_) | Added::Known(_)) => Vec::new(),
            Err(error) => panic!("it is taken: {error}"),
        }
    }

    /// Why a version is not taken, with what to do.
    fn refused(&mut self, text: &str) -> String {
        let error = self.add(text).expect_err("it is not taken");
        format!("{error}; {}", error.hint().unwrap_or_default())
    }

    fn stream(&self) -> StreamId {
        self.known[0].stream
    }

    fn order(&self, order: impl Into<Order>) {
        self.try_order(order).expect("it is carried out");
    }

    /// What is said where an order is refused.
    fn try_order(&self, order: impl Into<Order>) -> Result<(), String> {
        let (asker, asked) = (Asker::default(), Asked::default());
        let (told, _) = record(&asker, &self.store, self.stream(), asked, &order.into());
        told.map(drop).map_err(|error| error.message)
    }

    fn withdraw(&self, seq: u64) {
        self.order(Withdraw { seq, reason: "taken back".into() });
    }

    fn state(&self) -> Tournament {
        (*self.store.load(self.stream(), true).expect("it is there").state).clone()
    }

    /// The end of the last round.
    fn end(&self) -> u64 {
        let state = self.state();
        state.last_round().and_then(|round| round.completed).expect("an end")
    }

    /// The result that stands at a table.
    fn result_at(&self, round: u16, table: u32) -> Option<u64> {
        self.state().at_table(round, table).expect("a match").result()
    }

    fn result(&self, slip: &str) {
        self.order(Enter { slip: slip.into(), round: None });
    }

    /// Who sits at a table of the last round.
    fn at(&self, table: u32) -> Vec<String> {
        let there = self.store.load(self.stream(), true).expect("it is there");
        let found = there.state.at_table(4, table).expect("a match");
        found.seats().iter().map(|seat| there.name(seat.player)).collect()
    }

    fn against(&self, text: &str) -> Against {
        let there = self.store.load(self.stream(), true).expect("it is there");
        let prepared = Beside::prepared(text);
        Against::of(&there, &prepared.rules, &prepared)
    }
}

/// The number of a table was changed in TOM: the phones sent people to the old one.
#[test]
fn open_tables_of_the_running_round_get_the_numbers_that_the_file_has_now() {
    let mut beside = Beside::of(&[CUP]);
    let (first, second) = (beside.at(1), beside.at(2));
    let told = beside.saved(&swapped());
    assert!(
        told.iter().any(|told| told.ends_with("in round 4 goes from table 1 to table 2")),
        "{told:?}"
    );
    assert_eq!((beside.at(1), beside.at(2)), (second.clone(), first.clone()));
    // A result that is typed by its table is that of who sits there now.
    beside.result("1 1-0");
    let version = saved_again(&swapped(), 35);
    assert_eq!(beside.saved(&version), Vec::<String>::new());
    assert_eq!(beside.against(&version).lacks, ["table 1 in round 4"]);
    // Whoever has a result stays, and nobody sits down on top of them.
    let told = beside.saved(CUP);
    let (one, other) = (second.join(" – "), first.join(" – "));
    assert_eq!(
        told,
        [
            format!("{one} in round 4 stays at table 1, and the file has table 2: it has a result"),
            format!(
                "{other} in round 4 stays at table 2, and the file has table 1: another match stays there"
            ),
        ]
    );
    assert_eq!((beside.at(1), beside.at(2)), (second.clone(), first.clone()));
    let against = beside.against(CUP);
    assert_eq!(against.lacks, ["table 1 (table 2 there) in round 4"]);
    assert_eq!(
        against.tables,
        [
            format!("{} sit at table 2, there at 1", first.join(" – ")),
            format!("{} sit at table 1, there at 2", second.join(" – ")),
        ]
    );
}

/// The events that a refusal names as what is to be withdrawn.
fn named(why: &str) -> Vec<u64> {
    let seqs = why.split("`withdraw ").skip(1);
    let seqs = seqs.map(|text| text.split(' ').next().expect("a number"));
    seqs.map(|seq| seq.parse().expect("a number")).collect()
}

/// A round was unpaired in TOM, and undone here: when it was paired again there it was refused for good.
#[test]
fn a_round_that_is_unpaired_there_and_undone_here_comes_in_anew_when_it_is_paired_again() {
    let before = before();
    for is_withdrawn in [true, false] {
        let mut beside = Beside::of(&[&before, CUP]);
        let unpaired = saved_again(&before, 35);
        // Each refusal names what comes first: the cut's round, its start, and the end of the Swiss rounds.
        while let Err(error) = beside.add(&unpaired) {
            let (why, all) = (error.to_string(), named(&error.to_string()));
            assert!(why.contains("it takes back") && !all.is_empty(), "{why}");
            if is_withdrawn {
                for seq in all {
                    beside.order(Withdraw { seq, reason: "unpaired in TOM".into() });
                }
            } else {
                beside.order(Undo { seq: all.last().copied(), reason: None });
            }
        }
        beside.saved(&unpaired);
        let told = beside.saved(&saved_again(CUP, 40));
        assert!(told.contains(&"round 4 is paired".to_string()), "{told:?}");
        assert_eq!(beside.at(1), ["Ada Quist", "Dora Lind"]);
        // The very bytes that were there before it was unpaired.
        beside.result("1 1-0");
        beside.saved(CUP);
    }
}

/// Nobody can remove a tournament in which something was recorded: that is no advice.
#[test]
fn a_version_that_is_not_taken_names_only_what_can_be_done() {
    let mut beside = Beside::of(&[CUP]);
    let unpaired = before();
    assert!(beside.refused(&unpaired).contains("tournaments remove"));
    beside.result("1 1-0");
    let why = beside.refused(&unpaired);
    assert!(!why.contains("tournaments remove") && why.contains("it takes back"), "{why}");
}

/// A backup that was put back had the bytes of the first version, and nobody heard what it lacks.
#[test]
fn the_first_version_put_back_is_held_against_what_stands() {
    let mut beside = Beside::of(&[CUP, &with_outcomes([1, 1])]);
    let why = beside.refused(CUP);
    assert!(why.contains("cup.tdf has no result any more of Ada Quist – Dora Lind"), "{why}");
    // What was typed here alone is named as lacking.
    let mut beside = Beside::of(&[CUP]);
    beside.result("1 1-0");
    beside.saved(CUP);
    assert_eq!(beside.against(CUP).lacks, ["table 1 in round 4"]);
}

/// The copy held the other result, and nobody heard which.
#[test]
fn a_result_that_the_file_has_otherwise_is_named_with_both() {
    let version = with_outcomes([2, 1]);
    let mut beside = Beside::of(&[CUP, &version]);
    assert_eq!(beside.against(&version), Against::default());
    beside.order(Correct {
        slip: "1 1-0".into(),
        reason: "read the wrong way round".into(),
        ..Correct::default()
    });
    assert_eq!(
        beside.against(&version).lacks,
        ["table 1 in round 4 (here Ada Quist 1-0 Dora Lind, there Ada Quist 0-1 Dora Lind)"]
    );
    assert_eq!(
        beside.saved(&saved_again(&version, 35)),
        Vec::<String>::new(),
        "the correction stands"
    );
}

/// A chess report of an open.
const REPORT: &str = include_str!("../../../../formats/fuzz-seeds/chess.trf");

/// Ratings and ids that were wrong were put right in the report, and stayed wrong here without a word.
#[test]
fn a_rating_and_an_id_that_the_file_has_otherwise_are_put_right_and_told_in_one_line() {
    let mut beside = Beside::of(&[REPORT]);
    let mended = REPORT.replace(" 2105 ", " 2112 ").replace("1700002", "1700022");
    let mended = mended.replace(" 1875 ", " 1912 ").replace("1700006", "1700066");
    let told = beside.saved(&mended);
    assert_eq!(
        told,
        [
            "Okafor, Ben has the rating 2112 (was 2105) and the id 1700022",
            "Ito, Kenji has the rating 1912 (was 1875)",
            "Wójcik, Ewa has the id 1700066",
        ]
    );
    let rating = |beside: &Beside, player| {
        let there = beside.store.load(beside.stream(), true).expect("it is there");
        there.state.player(player).and_then(|one| one.rating)
    };
    assert_eq!((rating(&beside, 2), rating(&beside, 4)), (Some(2112), Some(1912)));
    assert_eq!(beside.saved(&mended), Vec::<String>::new());
    // What was put right here stands until the file says something new.
    let (player, rated) = ("#2".to_string(), Some("2120".to_string()));
    beside.order(Describe { player, rating: rated, ..Describe::default() });
    assert_eq!(beside.saved(&mended.replace(" 2210 ", " 2211 ")).len(), 1);
    assert_eq!(rating(&beside, 2), Some(2120));
    let newer = mended.replace(" 2112 ", " 2130 ");
    let told = beside.saved(&newer);
    assert!(told.contains(&"Okafor, Ben has the rating 2130 (was 2120)".to_string()), "{told:?}");
    // A file without a rating says nothing of it.
    assert_eq!(beside.saved(&newer.replace(" 1640 ", "    0 ")), Vec::<String>::new());
    assert_eq!(rating(&beside, 6), Some(1640));
}

/// The report that was written anew then had the old numbers, without a word.
#[test]
fn starting_numbers_that_a_newer_report_has_otherwise_are_told() {
    let mut beside = Beside::of(&[REPORT]);
    let other =
        REPORT.replace("   5 ", "   @ ").replace("   6 ", "   5 ").replace("   @ ", "   6 ");
    let told = beside.saved(&other);
    assert_eq!(
        told,
        [
            "starting numbers of players that are others in the file, and stay here as they were: 2; \
             `export --format trf --roster --into cup.tdf` writes those of the file"
        ]
    );
}

/// Of two of one name nobody can say whose id was mended, and an id is nobody else's.
#[test]
fn an_id_is_put_right_only_where_the_name_says_whose_it_is_and_nobody_has_it() {
    let id = |beside: &Beside, player| {
        let there = beside.store.load(beside.stream(), true).expect("it is there");
        let id = there.state.player(player).and_then(|one| one.publisher_id).expect("an id");
        super::text_or(&there.book, &id, "")
    };
    let mended = |text: &str| text.replace("\"104\"", "\"1040\"");
    let mut beside = Beside::of(&[CUP]);
    assert_eq!(beside.saved(&mended(CUP)), ["Dora Lind has the id 1040"]);
    assert_eq!(id(&beside, 4), "1040");
    // Emil Sato is called like Dora Lind.
    let namesakes = CUP.replace("<firstname>Emil<", "<firstname>Dora<");
    let namesakes = namesakes.replace("<lastname>Sato<", "<lastname>Lind<");
    let mut beside = Beside::of(&[&namesakes]);
    assert_eq!(beside.saved(&mended(&namesakes)), Vec::<String>::new());
    assert_eq!(id(&beside, 4), "104");
    // The new id is that of somebody who has another one in the file.
    let mut beside = Beside::of(&[CUP]);
    let (player, taken) = ("#5".to_string(), Some("1040".to_string()));
    beside.order(Describe { player, id: taken, ..Describe::default() });
    assert_eq!(beside.saved(&mended(CUP)), Vec::<String>::new());
    assert_eq!((id(&beside, 4), id(&beside, 5)), ("104".into(), "1040".into()));
}

/// A file that runs plans no more rounds than it has: who left before further ones came dropped early all the same.
#[test]
fn who_drops_between_two_versions_counts_as_in_the_file_of_all_rounds() {
    let head = "# event: Autumn Cup\n# date: 2026-10-03\n# rules: pokemon\n";
    let two = "round,player_a,player_b,ruling,kind\n1,Ann,Bob,a,\n1,Cid,Dee,a,\n2,Ann,Cid,a,\n2,Bob,Dee,a,\n";
    let three = format!("{two}2,Ann,,,drop\n3,Bob,Cid,a,\n3,Dee,,,bye\n");
    let all = format!("{head}{three}4,Cid,Dee,a,\n4,Bob,,,bye\n");
    let running = |rows: &str| format!("{head}# finished: no\n{rows}");
    let beside = Beside::of(&[&running(two), &running(&three), &all]);
    let there = beside.store.load(beside.stream(), true).expect("it is there");
    let prepared = Beside::prepared(&all);
    let hash = |state: &Tournament| {
        let standings = Standings::of(state, &prepared.rules, Scope::FINAL, Detail::All);
        standings.expect("it folds").hash()
    };
    assert_eq!(hash(&there.state), hash(&prepared.state));
}

/// A league of two weeks, of which somebody has two results.
fn league(first: &str, last: &str) -> String {
    format!(
        "Week,Home,Away,Result\n1,Ann,Bob,{first}\n1,Cy,Di,2-0\n2,Ann,Cy,2-0\n2,Bob,Di,{last}\n"
    )
}

/// The correction alone was offered: then the result of before stood again, and the file was refused all the same.
#[test]
fn a_corrected_result_that_is_gone_in_the_file_goes_with_the_one_of_before_or_stays() {
    let mut beside = Beside::of(&[CUP, &with_outcomes([1, 0]), &with_outcomes([2, 0])]);
    let corrected = beside.result_at(4, 1).expect("a result");
    let all = named(&beside.refused(CUP));
    assert!(all.len() == 2 && all[0] == corrected, "{all:?}");
    all.into_iter().for_each(|seq| beside.withdraw(seq));
    assert_eq!(beside.saved(CUP), Vec::<String>::new());
    assert_eq!(beside.result_at(4, 1), None);
    // Behind an earlier round, and behind the end, the result of before stays: nothing is offered.
    for (last, why) in [("", "later rounds build on it"), ("2-0", "the tournament is closed")] {
        let mut beside = Beside::of(&[&league("2-1", last), &league("1-2", last)]);
        let refused = beside.refused(&league("", last));
        assert!(refused.contains("has no result any more of Ann – Bob"), "{refused}");
        assert!(refused.contains(why) && !refused.contains("withdraw"), "{refused}");
    }
}

/// The file that was read last was known by its bytes, whatever was taken back of it since.
#[test]
fn what_was_taken_back_comes_in_anew_with_the_file_that_was_read_last() {
    let newest = with_outcomes([2, 0]);
    let mut beside = Beside::of(&[CUP, &with_outcomes([1, 0]), &newest]);
    let stream = beside.stream();
    assert_eq!(beside.imported(&newest), Added::Known(stream));
    beside.withdraw(beside.result_at(4, 1).expect("a result"));
    // A folder that is followed again, as after a restart, says nothing new.
    assert_eq!(beside.saved(&newest), Vec::<String>::new());
    let told = vec!["the result of Ada Quist – Dora Lind in round 4 is corrected".to_string()];
    assert_eq!(beside.imported(&newest), Added::Renewed(stream, told));
    assert_eq!(beside.imported(&newest), Added::Known(stream));
    // So do results and ends out of the file that made the tournament.
    let league = "# event: League\n# finished: no\nround,player_a,player_b,games_a,games_b\n1,Ann,Bob,2,1\n1,Cy,Di,2,0\n\
                  2,Ann,Cy,2,0\n2,Bob,Di,2,0\n";
    let mut beside = Beside::of(&[league]);
    let (stream, end) = (beside.stream(), beside.end());
    beside.withdraw(end);
    beside.withdraw(beside.result_at(2, 1).expect("a result"));
    let told = vec!["the result of Ann – Cy in round 2 is recorded".to_string()];
    assert_eq!(beside.imported(league), Added::Renewed(stream, told));
    beside.withdraw(beside.end());
    let told = vec!["the end of round 2 is recorded".to_string()];
    assert_eq!(beside.imported(league), Added::Renewed(stream, told));
}

/// "Player 3 already has a table" named nobody, and nothing to do.
#[test]
fn a_round_that_is_paired_again_over_a_result_names_who_has_it_and_what_takes_it_back() {
    let again = with_last(|round| {
        let other = round.replace("\"104\"", "\"other\"").replace("\"102\"", "\"104\"");
        other.replace("\"other\"", "\"102\"")
    });
    let mut beside = Beside::of(&[CUP]);
    beside.result("1 1-0");
    let result = beside.result_at(4, 1).expect("a result");
    let why = beside.refused(&again);
    let said = format!(
        "Ada Quist already has a table or a bye in round 4; `withdraw {result} --reason <why>` takes back the result \
         of Ada Quist – Dora Lind here, and makes room"
    );
    assert!(why.contains(&said), "{why}");
    beside.withdraw(result);
    beside.saved(&again);
    assert_eq!(beside.at(1), ["Ada Quist", "Bo Ferrar"]);
    assert_eq!(beside.at(2), ["Cem Oduya", "Dora Lind"]);
}

/// Tables that were paired here were in the way of the file, and what was named took back their results alone.
#[test]
fn a_pairing_of_the_desk_that_is_in_the_way_of_the_file_is_named_with_what_takes_it_back() {
    let mut beside = Beside::of(&[CUP]);
    let players = ["Ada Quist", "Bo Ferrar"].map(String::from).to_vec();
    beside.order(SetPairing { players, table: None, reason: "tried".into() });
    let again = saved_again(CUP, 35);
    for _ in 0..2 {
        let why = beside.refused(&again);
        assert!(why.contains("takes back the pairing of"), "{why}");
        named(&why).into_iter().for_each(|seq| beside.withdraw(seq));
    }
    beside.saved(&again);
    assert_eq!(beside.at(1), ["Ada Quist", "Dora Lind"]);
}

/// Who came late, with a loss for the round that they missed, was late or not by when TOM had saved.
#[test]
fn who_comes_late_is_late_whenever_the_file_was_saved() {
    let (first, second) = (masters_after(1), masters_after(2));
    let (first, second) = (&first[..], &second[..]);
    for versions in [&[first][..], &[CUP], &[first, second], &[second, CUP]] {
        let state = Beside::of(versions).state();
        let late: Vec<u16> =
            state.players().iter().map(|one| one.from_round).filter(|from| *from > 1).collect();
        assert_eq!(late, [2]);
    }
}

/// The cup when its oldest division has played so many of its Swiss rounds; nobody has left.
fn masters_after(rounds: usize) -> String {
    let masters = CUP.find("<pod category=\"2\" stage").expect("their pod");
    let mut all = CUP[masters..].match_indices("<round number=");
    let from = masters + all.nth(rounds).expect("a round more").0;
    let to = masters + CUP[masters..].find("</rounds>").expect("the end of theirs");
    let text = format!("{}{}", CUP[..from].trim_end(), &CUP[to..]);
    text.replace("<status>1<", "<status>0<")
}

/// Two divisions are paired side by side, and one of them began round 2 when that of the other one was over: its
/// pairings were thrown away, since nothing else came with them.
#[test]
fn a_division_that_is_paired_into_a_round_that_is_there_is_seated_and_told() {
    let second = masters_after(2);
    let at = second.rfind("<round number=\"2\"").expect("their round 2");
    let open = second[at..].replace("outcome=\"1\"", "outcome=\"0\"");
    let open = format!("{}{}", &second[..at], open.replace("outcome=\"10\"", "outcome=\"0\""));
    let mut beside = Beside::of(&[&masters_after(1)]);
    assert!(beside.state().at_table(2, 2).is_none());
    assert_eq!(beside.saved(&open), ["2 tables and 1 bye of round 2 are paired"]);
    assert!(beside.state().at_table(2, 2).is_some() && beside.state().at_table(2, 3).is_some());
    assert_eq!(beside.saved(&saved_again(&open, 35)), Vec::<String>::new());
    // With their results they are told before them, and once.
    let mut beside = Beside::of(&[&masters_after(1)]);
    let told = beside.saved(&second);
    assert_eq!(told.len(), 3, "{told:?}");
    assert_eq!(told[0], "2 tables and 1 bye of round 2 are paired");
}

/// The cup with its final.
fn played() -> String {
    let text = with_outcomes([1, 1]);
    let end = text.rfind("</rounds>").expect("the last rounds");
    let last = "<round number=\"5\" type=\"1\" stage=\"8\" ><matches><match outcome=\"1\"><player1 userid=\"101\"/>\
                <player2 userid=\"103\"/><tablenumber>1</tablenumber></match></matches></round>";
    format!("{}{last}{}", &text[..end], &text[end..])
}

/// TOM had ended the tournament: whatever was mended there afterwards was refused, with nothing to do about it.
#[test]
fn a_file_that_is_mended_after_the_end_goes_on_or_names_what_opens_the_tournament_again() {
    let open = played();
    let over = open.replace("stage=\"4\" version", "stage=\"5\" version");
    let mut beside = Beside::of(&[CUP, &over]);
    assert!(beside.state().is_closed());
    // It is not over there any more.
    let why = beside.refused(&open);
    let all = named(&why);
    assert!(why.contains("it takes back the end of phase 2"), "{why}");
    // With the closing the end of the phase is taken back.
    assert_eq!(all, beside.state().closed().into_iter().collect::<Vec<_>>(), "{why}");
    all.into_iter().for_each(|seq| beside.withdraw(seq));
    assert_eq!(beside.saved(&open), Vec::<String>::new());
    assert!(!beside.state().is_closed());
    // Somebody is disqualified after the end.
    let out = "<standings><pod category=\"2\" type=\"dnf\"><player id=\"104\" /></pod></standings><finalsoptions>";
    let disqualified = over.replace("<finalsoptions>", out);
    let told = ["Dora Lind is disqualified", "the tournament is closed"];
    let mut beside = Beside::of(&[CUP, &over]);
    assert_eq!(beside.saved(&disqualified), told);
    assert!(beside.state().is_closed());
    // Who closed it here opens it again.
    let mut beside = Beside::of(&[CUP, &open]);
    beside.order(Close { unfinished: true });
    let closed = beside.state().closed().expect("it is closed");
    let why = beside.refused(&disqualified);
    let said =
        format!("the tournament is closed; `withdraw {closed} --reason <why>` opens it again here");
    assert!(why.contains(&said), "{why}");
}

/// The masters' cut was paired while the others had a round to play: it was begun here, every later version was
/// refused, and what the refusal named did not suffice.
#[test]
fn a_cut_waits_for_the_last_swiss_round_of_another_division_and_one_that_did_not_is_taken_back() {
    let back = CUP.replace("<status>1<", "<status>0<");
    let third = |outcome: u8| {
        let end = back.find("</rounds>").expect("their last round");
        let round = format!(
            "<round number=\"3\" type=\"3\" stage=\"2\" ><matches><match outcome=\"5\"><player userid=\"203\"/>\
             <tablenumber>0</tablenumber></match><match outcome=\"{outcome}\"><player1 userid=\"201\"/>\
             <player2 userid=\"202\"/><tablenumber>3</tablenumber></match></matches></round>"
        );
        format!("{}{round}{}", &back[..end], &back[end..])
    };
    let paired = "1 table and 1 bye of round 3 are paired".to_string();
    let mut beside = Beside::of(&[&masters_after(3)]);
    assert_eq!(beside.saved(&back), Vec::<String>::new());
    assert!(beside.state().phase(2).is_none());
    assert!(beside.saved(&third(0)).contains(&paired));
    let told = beside.saved(&third(1));
    assert!(told.contains(&"round 4 is paired".to_string()), "{told:?}");
    // Where it was begun, its round, its start and the end of the Swiss rounds are named.
    let mut beside = Beside::of(&[CUP]);
    let why = beside.refused(&third(0));
    let all = named(&why);
    assert!(why.contains("it takes back phase 2 begins") && all.len() == 3, "{why}");
    all.into_iter().for_each(|seq| beside.withdraw(seq));
    assert!(beside.saved(&third(0)).contains(&paired));
    // Whoever withdrew the cut alone is told of that end.
    let mut beside = Beside::of(&[CUP]);
    let all = named(&beside.refused(&third(0)));
    all[..2].iter().for_each(|seq| beside.withdraw(*seq));
    let why = beside.refused(&third(0));
    assert_eq!(named(&why), all[2..], "{why}");
}

/// Two divisions of four after a Swiss round, each with its cut as far as it is: when each round of it was paired, and
/// its outcome.
fn two_divisions(cuts: [&[(&str, u8)]; 2]) -> String {
    let pod = |category: u8, first: usize, cut: &[(&str, u8)]| {
        let one = |outcome: u8, table: usize, [one, other]: [usize; 2]| {
            format!(
                "<match outcome=\"{outcome}\"><player1 userid=\"{one}\"/><player2 userid=\"{other}\"/>\
                 <tablenumber>{table}</tablenumber></match>"
            )
        };
        let swiss = one(1, first, [first, first + 1]) + &one(1, first + 2, [first + 2, first + 3]);
        let mut rounds = format!(
            "<round number=\"1\" type=\"3\" stage=\"8\"><matches>{swiss}</matches></round>"
        );
        for (number, (time, outcome)) in (2..).zip(cut) {
            let matches = match number {
                2 => {
                    one(*outcome, 1, [first, first + 3]) + &one(*outcome, 2, [first + 2, first + 1])
                }
                _ => one(*outcome, 1, [first, first + 2]),
            };
            rounds += &format!(
                "<round number=\"{number}\" type=\"1\" stage=\"6\"><pairtime>{time}</pairtime>\
                 <matches>{matches}</matches></round>"
            );
        }
        format!("<pod category=\"{category}\" stage=\"0\"><rounds>{rounds}</rounds></pod>")
    };
    let player = |id: u8| {
        format!(
            "<player userid=\"{id}\"><firstname>P</firstname><lastname>{id}</lastname></player>"
        )
    };
    let players: String = (1..=8).map(player).collect();
    let pods = pod(1, 1, cuts[0]) + &pod(2, 5, cuts[1]);
    format!(
        "<tournament type=\"3\" stage=\"4\"><data><name>Cup</name></data><players>{players}</players>\
         <pods>{pods}</pods></tournament>"
    )
}

/// The other division had its next round paired when they came: they were to come in behind it, and every version in
/// which they had an opponent was refused.
#[test]
fn who_comes_late_plays_in_a_round_that_was_paired_for_another_division_before() {
    let before = two_divisions([&[], &[]]);
    let pair = |number: u8, [one, other]: [u8; 2]| {
        format!(
            "<match outcome=\"0\"><player1 userid=\"{one}\"/><player2 userid=\"{other}\"/>\
             <tablenumber>{number}</tablenumber></match>"
        )
    };
    let second = |matches: [String; 2]| {
        let matches = matches.concat();
        format!(
            "<round number=\"2\" type=\"3\" stage=\"6\"><matches>{matches}</matches></round></rounds>"
        )
    };
    let late = "<match outcome=\"8\"><player userid=\"9\"/><tablenumber>0</tablenumber></match></matches></round></rounds></pod></pods>";
    let listed =
        "<player userid=\"9\"><firstname>P</firstname><lastname>9</lastname></player></players>";
    let came = before
        .replacen("</rounds>", &second([pair(1, [1, 3]), pair(2, [2, 4])]), 1)
        .replace("</players>", listed)
        .replace("</matches></round></rounds></pod></pods>", late);
    let end = came.rfind("</rounds>").expect("theirs");
    let paired = second([pair(3, [5, 9]), pair(4, [6, 8])]);
    let paired = format!("{}{paired}{}", &came[..end], &came[end + "</rounds>".len()..]);
    let mut beside = Beside::of(&[&before, &came]);
    assert_eq!(beside.state().player(9).map(|one| one.from_round), Some(2));
    beside.saved(&paired);
    assert_eq!(beside.state().matches().filter(|found| found.round().number == 2).count(), 4);
}

/// The seniors stand first in the file: once they were paired too, the phase of the masters became theirs, and with a
/// result in it no version was taken any more.
#[test]
fn a_cut_that_was_begun_stays_before_one_that_is_paired_after_it_whatever_its_time() {
    for time in ["11/14/2026 15:30:00", "11/14/2026 15:00:00", "11/14/2026 14:30:00"] {
        let [open, over] = [0, 1].map(|outcome| ("11/14/2026 15:00:00", outcome));
        let [opened, won] = [0, 1].map(|outcome| (time, outcome));
        let (first, both) = (two_divisions([&[], &[open]]), two_divisions([&[opened], &[open]]));
        let mut beside = Beside::of(&[&first]);
        assert_eq!(beside.saved(&both), Vec::<String>::new());
        // Theirs waits for the masters' final.
        let told = beside.saved(&two_divisions([&[opened], &[over]]));
        assert_eq!(told.len(), 2, "{told:?}");
        assert!(beside.state().phase(3).is_none());
        beside.saved(&two_divisions([&[won], &[over, over]]));
        beside.saved(&two_divisions([&[won, won], &[over, over]]));
        let state = beside.state();
        let first = |phase: u16| state.phase(phase).map(|phase| phase.entrants[0]);
        assert_eq!((first(2), first(3)), (Some(5), Some(1)));
        assert!(
            state.last_round().is_some_and(|last| last.number == 5 && last.completed.is_some())
        );
    }
}

/// TOM's last file has them among those who did not finish: they kept the place of somebody who left.
#[test]
fn who_is_disqualified_in_a_newer_version_and_only_left_before_takes_no_place() {
    let disqualified = |text: &str| text.replacen("<status>1<", "<status>2<", 1);
    let mut beside = Beside::of(&[CUP]);
    let how = |beside: &Beside| beside.state().player(5).and_then(|one| one.dropped());
    assert_eq!(how(&beside), Some((DropReason::Left, 2)));
    assert_eq!(beside.saved(&disqualified(CUP)), ["Emil Sato is disqualified"]);
    assert_eq!(how(&beside), Some((DropReason::Disqualified, 2)));
    let again = saved_again(&disqualified(CUP), 35);
    assert_eq!(beside.saved(&again), Vec::<String>::new());
    assert_eq!(beside.saved(CUP), ["Emil Sato drops, and is not disqualified"]);
    assert_eq!(how(&beside), Some((DropReason::Left, 2)));
    // So it is after the end.
    let over = played().replace("stage=\"4\" version", "stage=\"5\" version");
    let mut beside = Beside::of(&[CUP, &over]);
    let told = ["Emil Sato is disqualified", "the tournament is closed"];
    assert_eq!(beside.saved(&disqualified(&over)), told);
    assert!(beside.state().is_closed());
}

/// Whatever stood right before the closing was left out of what is to be withdrawn, though only an end of a phase goes
/// with it.
#[test]
fn what_stands_right_before_the_closing_and_is_no_end_of_a_phase_is_named_too() {
    let mut state = Beside::of(&[CUP]).state();
    let (player, why) = (1, DropReason::Left);
    state.evolve(&PlayerDropped { player, why, after_round: 4 }.into());
    let dropped = state.head();
    state.evolve(&TournamentClosed {}.into());
    let all = super::withdrawals(&mut state, dropped, super::BACK);
    assert_eq!(all, Some(vec![dropped + 1, dropped]));
}

/// The log knew the seeds, and the file got none.
#[test]
fn the_seeds_of_the_cut_are_written_into_a_file_in_which_it_is_not_paired_yet() {
    let without = |text: &str, tags: &[&str]| {
        let lines = text.lines().filter(|line| !tags.iter().any(|tag| line.contains(tag)));
        lines.map(|line| format!("{line}\n")).collect::<String>()
    };
    let into = without(&before(), &["<order>", "<seed>"]);
    let write = |cup: &str| {
        let beside = Beside::of(&[cup]);
        let (event, standings) = given(&beside.store, beside.stream(), true).expect("they stand");
        let tdf = format_called("tdf").expect("it is written");
        let file = File::new("cup.tdf", into.as_bytes());
        written(&event, &standings, tdf, Some(&file)).expect("it is written")
    };
    let with_seeds = write(CUP);
    for (id, seed) in [(101, 1), (102, 2), (103, 3), (104, 4)] {
        let player = with_seeds.text.split(&format!("<player userid=\"{id}\">")).nth(1);
        let player = player.and_then(|player| player.split("</player>").next()).expect("theirs");
        assert!(player.contains(&format!("<seed>{seed}</seed>")), "{player}");
    }
    let seeds = |left_out: &[String]| left_out.iter().any(|what| what == "seeds of the cut: 4");
    assert!(!seeds(&with_seeds.left_out), "{:?}", with_seeds.left_out);
    // A file that has none says nothing of them.
    let unseeded = write(&without(CUP, &["<seed>"]));
    assert!(!unseeded.text.contains("<seed>") && seeds(&unseeded.left_out));
}

/// "Brought up to date: The Harbour Cup" was printed, and nothing was called so.
#[test]
fn a_title_that_is_another_one_in_a_newer_file_stays_and_is_told_as_it_stands() {
    let mut beside = Beside::of(&[&before()]);
    let renamed = CUP.replace("<name>Harbour", "<name>The Harbour");
    let asked = scrutineer_formats::Asked::default();
    let read = understand("cup.tdf", renamed.as_bytes(), &asked, None, &Library::shipped());
    let (prepared, mut understood) = read.expect("it can be read");
    assert_eq!(understood.title, "The Harbour Cup \"Six\"");
    let added = beside.take(prepared).expect("it is taken");
    assert!(matches!(added, Added::Renewed(..)), "{added:?}");
    understood.beside(&beside.store, &added).expect("it is there");
    assert_eq!(understood.title, "Harbour Cup \"Six\"");
}

/// Nothing in a log changes how a phase is played: the places of a double elimination came out as those of a single one.
#[test]
fn a_phase_that_is_played_otherwise_in_a_newer_version_is_refused_with_what_to_do() {
    let cup = |kind: &str, rest: &str| {
        format!(
            "# event: Cup\n# date: 2026-11-14\n# phases: {kind}\n# finished: no\nround,player_a,player_b,games_a,games_b\n\
             1,Ann,Bob,2,0\n1,Cid,Dan,2,1\n{rest}"
        )
    };
    let mut beside = Beside::of(&[&cup("single elimination", "")]);
    let why = beside.refused(&cup("double elimination", "2,Ann,Cid,,\n2,Bob,Dan,,\n"));
    assert!(
        why.contains("phase 1 is a double elimination in it, and a single elimination here"),
        "{why}"
    );
    assert!(why.contains("tournaments remove"), "{why}");
}

/// The sheet of a tournament that runs has room for what its files will say, and took a slip of the finger too.
#[test]
fn no_more_games_are_typed_than_the_matches_of_an_imported_tournament_have() {
    let cup = |results: [&str; 2]| {
        format!(
            "# event: Cup\n# finished: no\nround,table,player_a,player_b,games_a,games_b\n1,1,Ann,Bob,2,1\n\
             1,2,Cid,Dan,2,0\n2,1,Ann,Cid,{}\n2,2,Bob,Dan,{}\n",
            results[0], results[1]
        )
    };
    let mut beside = Beside::of(&[&cup([",", ","])]);
    let typed =
        |beside: &Beside, slip: &str| beside.try_order(Enter { slip: slip.into(), round: None });
    let why = typed(&beside, "2 20-1").expect_err("best of three");
    assert!(why.contains("20 is not between 0 and 4"), "{why}");
    // Where the file has longer matches, so may others be.
    assert_eq!(beside.saved(&cup(["5,1", ","])).len(), 1);
    typed(&beside, "2 5-2").expect("as long as that");
}

/// Whoever was removed before they played stayed, and had a place in the standings.
#[test]
fn who_is_removed_before_their_first_table_is_no_longer_enrolled() {
    let late = "<player userid=\"999\"><firstname>Zoe</firstname><lastname>Adler</lastname>\
                <birthdate>03/09/1990</birthdate></player></players>";
    let with_late = CUP.replacen("</players>", late, 1);
    let mut beside = Beside::of(&[&with_late]);
    let enrolled = |beside: &Beside| {
        beside.state().players().iter().filter(|player| !player.withdrawn).count()
    };
    let all = enrolled(&beside);
    assert_eq!(beside.saved(CUP), ["Zoe Adler is no longer enrolled"]);
    assert_eq!(enrolled(&beside), all - 1);
    assert_eq!(beside.saved(&with_late), ["Zoe Adler is enrolled"]);
}

/// A report of chess in the middle of its second round: Ann and Cid play with these colors, and Cid had that bye.
fn open_chess([ann, cid]: [&str; 2], bye: &str) -> String {
    let line = |number: u8, name: &str, points: &str, rounds: [&str; 2]| {
        let (title, federation, id, born) = ("", "", "", "");
        format!(
            "001 {number:>4}  {title:>3} {name:<33} 1900 {federation:3} {id:>11} {born:10} {points:>4} {number:>4}  \
             {}  {}\n",
            rounds[0], rounds[1]
        )
    };
    let (ann, cid, bye) =
        (format!("   3 {ann:3}"), format!("   1 {cid:3}"), format!("0000 - {bye}"));
    "012 Spring Open\n042 2026/11/20\nXXR 3\n".to_owned()
        + &line(1, "Ann Lee", "1.0", ["   2 w 1", &ann])
        + &line(2, "Bob Ray", "1.0", ["   1 b 0", "0000 - U"])
        + &line(3, "Cid Orr", "0.0", [&bye, &cid])
}

/// The log kept the colors of before, and every file that was written for the engine had them.
#[test]
fn colors_and_byes_that_a_newer_report_has_otherwise_are_put_right_while_the_round_runs() {
    let mut beside = Beside::of(&[&open_chess(["w", "b"], "Z")]);
    let told = beside.saved(&open_chess(["b", "w"], "Z"));
    assert_eq!(told, ["Ann Lee – Cid Orr in round 2 is turned round"]);
    let state = beside.state();
    let found = state.matches().last().expect("the game of round 2");
    assert_eq!(found.seats()[0].player, 3, "Cid has white");
    let told = beside.saved(&open_chess(["b", "w"], "H"));
    assert_eq!(told, ["the bye of Cid Orr in round 1 is a half bye (was a zero bye)"]);
    // After the end it is given all the same; colors of a round that is over stay, and are told.
    let ended = open_chess(["b 0", "w 1"], "H").replace("XXR 3", "XXR 2");
    beside.saved(&ended);
    let told = beside.saved(&open_chess(["w 0", "b 1"], "Z").replace("XXR 3", "XXR 2"));
    let is_told = |words: &str| told.iter().any(|one| one.contains(words));
    assert!(
        is_told("is a zero bye") && is_told("the other way round: the round is over"),
        "{told:?}"
    );
    assert!(beside.state().is_closed());
}

/// A result that is corrected after the next round was played puts another one into it: nothing was named that helps.
#[test]
fn a_round_that_is_over_and_paired_otherwise_names_what_opens_it_again() {
    let cup = |second: &str, third: &str| {
        format!(
            "# event: Cup\n# finished: no\nround,player_a,player_b,games_a,games_b\n1,Ann,Bob,2,0\n1,Cid,Dan,2,0\n\
             {second}{third}"
        )
    };
    let third = "3,Ann,Dan,,\n3,Bob,Cid,,\n";
    let mut beside = Beside::of(&[&cup("2,Ann,Cid,2,0\n2,Bob,Dan,2,0\n", third)]);
    let again = cup("2,Ann,Dan,2,0\n2,Bob,Cid,2,0\n", "3,Ann,Cid,,\n3,Bob,Dan,,\n");
    for _ in 0..4 {
        let all = named(&beside.refused(&again));
        assert!(!all.is_empty(), "{}", beside.refused(&again));
        all.into_iter().for_each(|seq| beside.withdraw(seq));
        if beside.add(&again).is_ok() {
            return;
        }
    }
    panic!("what is named lets it come in");
}

/// The second event took all players of the first one out.
#[test]
fn a_file_without_any_player_of_the_tournament_is_another_one() {
    let event = |players: &str| {
        format!("# event: League\n# date: 2026-11-28\n# finished: no\nName\n{players}")
    };
    let mut beside = Beside::of(&[&event("Ann\nBob\nCid\n")]);
    let why = beside.refused(&event("Dan\nEva\n"));
    assert!(why.contains("nobody of its players is enrolled here"), "{why}");
    assert_eq!(beside.saved(&event("Ann\nEva\n")).len(), 3, "two leave and one comes");
}
