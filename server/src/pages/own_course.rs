//! How a player stands in a tournament that goes on without them, or in their bracket: whether they are through, out, not in
//! the cut, or wait. Only what the rounds that are out say of them.

use super::bracket::has_won;
use super::called::{round_called, within};
use super::{Looked, set_apart};
use crate::language::Said;
use scrutineer_desk::desk::match_of_player;
use scrutineer_desk::orders::cuts_of_divisions;
use scrutineer_engine::event::{ByeKind, PhaseKind, PlayerNumber, RoundNumber, Seq};
use scrutineer_engine::tournament::{MatchView, Phase, Round, Tournament};
use scrutineer_projections::bracket_rounds::bracket_places;
use scrutineer_projections::divisions::division_of_phase;
use scrutineer_projections::ruleset::Ruleset;
use scrutineer_replay::loaded::LoadedTournament;
use std::sync::Arc;

/// How a player stands behind the last round that is out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OwnCourse<'a> {
    /// They sit in it, or should.
    Plays,
    /// They have a bye in it, of this kind.
    HasBye(ByeKind),
    /// They take part from a later round on.
    From(RoundNumber),
    /// Their division is paired later, in the program that pairs it.
    NotPaired,
    /// Their division has played so many rounds, which are all of its own.
    PlayedAll(u16),
    /// Another division plays its bracket; whether the cut of their own is to come.
    Other { plays: &'a str, cut_to_come: bool },
    /// They were passed over in a cut.
    PassedOver,
    /// They are not among those who went on: so many, of everybody or of their division.
    NotIn { top: usize, division: Option<&'a str> },
    /// They lost in this round of their bracket, and are out.
    Out(RoundNumber),
    /// They are in their bracket still, and wait; where one match decides whom they meet next, for that.
    Through { of: Option<Seq> },
    /// They won their bracket.
    Won { division: Option<&'a str>, is_all: bool },
}

impl OwnCourse<'_> {
    /// Whether they play no more.
    pub const fn is_over(&self) -> bool {
        matches!(
            self,
            OwnCourse::PassedOver
                | OwnCourse::NotIn { .. }
                | OwnCourse::Out(_)
                | OwnCourse::Won { .. }
        )
    }

    /// Whether a cut left them out.
    pub const fn is_cut(&self) -> bool {
        matches!(self, OwnCourse::PassedOver | OwnCourse::NotIn { .. })
    }
}

/// The rounds of a phase that stand and are out.
fn rounds_of<'a>(
    state: &'a Tournament,
    phase: &'a Phase,
    last: RoundNumber,
) -> impl DoubleEndedIterator<Item = &'a Round> {
    let of_phase = move |round: &&Round| {
        !round.withdrawn && round.phase == phase.number && round.number <= last
    };
    state.rounds().iter().filter(of_phase)
}

fn bye_of(state: &Tournament, player: PlayerNumber, number: RoundNumber) -> Option<ByeKind> {
    let is_of = |at: u32| state.rounds().get(at as usize).is_some_and(|of| of.number == number);
    state.byes().find(|bye| bye.player == player && is_of(bye.round)).map(|bye| bye.kind)
}

/// How a player stands whom a cut leaves out.
fn left_out<'a>(state: &'a Tournament, cut: &'a Phase, player: PlayerNumber) -> OwnCourse<'a> {
    match cut.passed_over.contains(&player) {
        true => OwnCourse::PassedOver,
        false => {
            OwnCourse::NotIn { top: cut.entrants.len(), division: division_of_phase(state, cut) }
        }
    }
}

/// How a player stands behind a round, the last one that is out; whoever asks may know of the log up to this event
/// that a phase began.
pub fn own_course<'a>(
    state: &'a Tournament,
    rules: &Arc<Ruleset>,
    player: PlayerNumber,
    last: RoundNumber,
    public: Seq,
) -> OwnCourse<'a> {
    let round = state.round(last);
    let Some((round, phase)) = round.and_then(|round| Some((round, state.phase_of(round)?))) else {
        return OwnCourse::Plays;
    };
    let is_shown =
        |one: &&Phase| !one.withdrawn && rounds_of(state, one, last).next_back().is_some();
    let shown: Vec<&Phase> = state.phases().iter().filter(is_shown).collect();
    let has = |one: &&&Phase| state.field(one).contains(&player);
    if let Some(own) = shown.iter().rfind(|one| one.kind.is_bracket() && has(one)) {
        return in_bracket(state, rules, own, player, last);
    }
    let Some(known) = state.player(player) else { return OwnCourse::Plays };
    let own = known.division.as_deref();
    let is_theirs = |one: &&&Phase| {
        let division = division_of_phase(state, one);
        division.is_none() || division == own
    };
    // A cut says who goes on before its first round is out.
    let begun = state.phases().iter().rfind(|one| !one.withdrawn && one.number > 1);
    let begun = begun.filter(|one| one.number > phase.number && one.started <= public);
    if let Some(cut) = begun.filter(|one| is_theirs(&one) && !has(&one)) {
        return left_out(state, cut, player);
    }
    if match_of_player(state, last, player).is_some() {
        return OwnCourse::Plays;
    }
    if let Some(kind) = bye_of(state, player, last) {
        return OwnCourse::HasBye(kind);
    }
    if known.from_round > last {
        return OwnCourse::From(known.from_round);
    }
    if phase.number == 1 || has(&&phase) {
        let rounds = known.division.as_deref().and_then(|own| state.rounds_of_division(own));
        let has_played = state.has_played_its_rounds(known, phase.number, round.phase_round);
        let plays = match is_paired_later(state, round, own) {
            true => OwnCourse::NotPaired,
            false => OwnCourse::Plays,
        };
        return rounds.filter(|_| has_played).map_or(plays, OwnCourse::PlayedAll);
    }
    // Some cut leaves them out, or is no business of theirs.
    match shown.iter().filter(|one| one.number > 1).rfind(is_theirs) {
        Some(cut) => left_out(state, cut, player),
        None => {
            let to_come = cuts_of_divisions(state, rules);
            let waits = to_come.waiting.iter().any(|one| Some(one.name) == own);
            let plays = division_of_phase(state, phase).unwrap_or_default();
            // In another program it may be that they have none.
            let is_here = state.imported().is_none();
            OwnCourse::Other { plays, cut_to_come: is_here && to_come.is_sure && waits }
        }
    }
}

/// Whether a round is being played in another program, and nobody of a division has a table or a bye in it yet.
fn is_paired_later(state: &Tournament, round: &Round, division: Option<&str>) -> bool {
    let of_round = |at: u32| state.rounds().get(at as usize).map(|of| of.number);
    let seats = state.matches().filter(|found| found.round().number == round.number);
    let seated = seats.flat_map(|found| found.seats()).map(|seat| seat.player);
    let byes = state.byes().filter(|bye| of_round(bye.round) == Some(round.number));
    let mut here = seated.chain(byes.map(|bye| bye.player));
    let is_theirs = |player: PlayerNumber| {
        state.player(player).is_some_and(|one| one.division.as_deref() == division)
    };
    state.imported().is_some()
        && division.is_some()
        && round.completed.is_none()
        && !here.any(is_theirs)
}

/// The matches of a player in a phase, as far as its rounds are out, each with whether they won it.
fn own_matches<'a>(
    state: &'a Tournament,
    rules: &Ruleset,
    phase: &'a Phase,
    player: PlayerNumber,
    last: RoundNumber,
) -> Vec<(RoundNumber, MatchView<'a>, Option<bool>)> {
    let own = rounds_of(state, phase, last)
        .filter_map(|round| Some((round.number, match_of_player(state, round.number, player)?)));
    let with_end = own.map(|(number, found)| {
        let seat = found.seats().iter().position(|seat| seat.player == player).unwrap_or(0);
        (number, found, has_won(state, rules, found, seat))
    });
    with_end.collect()
}

fn in_bracket<'a>(
    state: &'a Tournament,
    rules: &Ruleset,
    phase: &'a Phase,
    player: PlayerNumber,
    last: RoundNumber,
) -> OwnCourse<'a> {
    let own = own_matches(state, rules, phase, player, last);
    let lost = |all: &[(RoundNumber, MatchView<'_>, Option<bool>)]| {
        all.iter().filter(|(.., won)| *won == Some(false)).count()
    };
    let lives = if phase.kind == PhaseKind::DoubleElimination { 2 } else { 1 };
    let lost_last = own.iter().rfind(|(.., won)| *won == Some(false)).map(|(number, ..)| *number);
    if let Some(number) = lost_last.filter(|_| lost(&own) >= lives) {
        return OwnCourse::Out(number);
    }
    let Some(of_phase) = rounds_of(state, phase, last).next_back() else {
        return OwnCourse::Plays;
    };
    let now = own.last().filter(|(number, ..)| *number == of_phase.number);
    if now.is_some_and(|(.., won)| won.is_none()) {
        return OwnCourse::Plays;
    }
    let bye = bye_of(state, player, of_phase.number);
    let is_won = match phase.kind {
        PhaseKind::Elimination => {
            bracket_places(state, of_phase.number) == Some(2) && (now.is_some() || bye.is_some())
        }
        // Who is left when everybody else has lost twice.
        _ => {
            let field = state.field(phase);
            let mut others = field.iter().filter(|other| **other != player);
            let is_out = |other: &PlayerNumber| {
                lost(&own_matches(state, rules, phase, *other, last)) >= lives
                    || state.player(*other).is_some_and(|one| one.dropped().is_some())
            };
            now.is_some() && others.all(is_out)
        }
    };
    if is_won {
        let plan = state.opened().map_or(0, |opened| opened.plan.len());
        let division = division_of_phase(state, phase).filter(|_| phase.number > 1);
        let is_all = division.is_none() && plan <= usize::from(phase.number);
        return OwnCourse::Won { division, is_all };
    }
    if now.is_some() || phase.kind == PhaseKind::DoubleElimination {
        let of = now.and_then(|(_, found, _)| beside(state, phase, of_phase, *found));
        let of = of.map(|found| found.seq());
        return OwnCourse::Through { of };
    }
    match bye {
        Some(kind) if of_phase.number == last => OwnCourse::HasBye(kind),
        Some(_) => OwnCourse::Through { of: None },
        None => OwnCourse::Plays,
    }
}

/// The match whose winner meets the winner of this one, in a bracket that is not seeded anew; none: that is a bye, or
/// not known.
fn beside<'a>(
    state: &'a Tournament,
    phase: &Phase,
    round: &Round,
    found: MatchView<'a>,
) -> Option<MatchView<'a>> {
    if phase.kind != PhaseKind::Elimination {
        return None;
    }
    let own = found.bracket_slot()?;
    let of_round = state.matches().filter(|other| other.round().number == round.number);
    let mut slots: Vec<(u32, Option<MatchView<'a>>)> =
        of_round.filter_map(|other| Some((other.bracket_slot()?, Some(other)))).collect();
    let byes = state.byes().filter(|bye| {
        state.rounds().get(bye.round as usize).is_some_and(|of| of.number == round.number)
    });
    slots.extend(byes.filter_map(|bye| Some((bye.bracket_slot?, None))));
    slots.sort_by_key(|(slot, _)| *slot);
    let at = slots.iter().position(|(slot, _)| *slot == own)?;
    slots.get(at ^ 1)?.1
}

/// The same in a player's words, who still has so many matches that were postponed or are disputed; none: there is nothing
/// to say beside their table.
pub fn in_words(
    at: &Looked<'_>,
    event: &LoadedTournament,
    course: OwnCourse<'_>,
    has_table: bool,
    later: usize,
) -> Option<String> {
    let (state, w) = (&event.state, at.language);
    let said = match course {
        OwnCourse::Plays if has_table => return None,
        OwnCourse::Plays => w.t("me-no-table"),
        OwnCourse::HasBye(ByeKind::Assigned) => w.t("me-bye"),
        OwnCourse::HasBye(kind) => w.a("me-bye-of", "kind", w.word("bye", kind.word())),
        OwnCourse::NotPaired => w.t("me-not-paired"),
        OwnCourse::From(round) => w.a("me-from-round", "round", round),
        OwnCourse::PlayedAll(rounds) => w.a("me-played-all", "rounds", rounds),
        OwnCourse::Other { cut_to_come: true, .. } => w.t("me-cut-to-come"),
        OwnCourse::Other { plays, .. } => {
            w.a("me-other-bracket", "division", set_apart(plays.to_string()))
        }
        OwnCourse::PassedOver => w.t("me-passed-over"),
        OwnCourse::NotIn { top, division: None } => w.b("me-not-in", "top", top, "later", later),
        OwnCourse::NotIn { top, division: Some(division) } => {
            let division = set_apart(division.to_string());
            let args: [(&str, &dyn Said); 3] =
                [("top", &top), ("division", &division), ("later", &later)];
            w.with("me-not-in-of", args)
        }
        OwnCourse::Out(round) => {
            let round = within(&round_called(state, round, w), w);
            w.b("me-out-in", "round", round, "later", later)
        }
        OwnCourse::Through { of } => {
            // Whether a match of others is over is hidden where results are.
            let of = of.filter(|_| at.hidden.is_none()).and_then(|seq| state.match_at(seq));
            match of.filter(|found| found.result().is_none()) {
                Some(found) => {
                    let names = found.seats().iter().map(|seat| set_apart(event.name(seat.player)));
                    w.a("me-through-waits", "names", names.collect::<Vec<_>>().join(" – "))
                }
                None => w.t("me-through"),
            }
        }
        OwnCourse::Won { division: Some(division), .. } => {
            w.a("me-won-of", "division", set_apart(division.to_string()))
        }
        OwnCourse::Won { is_all, .. } => w.t(if is_all { "me-won-all" } else { "me-won-bracket" }),
    };
    Some(said)
}

#[cfg(test)]
mod tests {
    use super::super::kit::{Hall, planned, with_people};
    use super::super::{bracket, desk, player, standings};
    use super::*;
    use crate::holder::Holder;
    use crate::language::Language;
    use scrutineer_desk::orders::{
        Close, Cut, HowDivided, Pair, Person, Publish, Rule, SetPairing,
    };

    fn state(hall: &Hall) -> Arc<Tournament> {
        hall.store.load(hall.stream, false).expect("loaded").state
    }

    fn own(hall: &Hall, at: &Looked<'_>, player: PlayerNumber) -> String {
        let holder = Holder { stream: hall.stream, player, all: vec![player] };
        player::page(at, &holder, &player::Said::default(), &[], None).expect("a page")
    }

    /// Every table of the round that is open is won by its first seat; the players in their order.
    fn played(hall: &Hall) -> Vec<[PlayerNumber; 2]> {
        let state = state(hall);
        let last = state.last_round().expect("a round").number;
        let of_round: Vec<_> =
            state.matches().filter(|found| found.round().number == last).collect();
        for found in of_round.iter().filter(|found| found.result().is_none()) {
            hall.slip(&format!("{} 2-0", found.table().expect("a table")));
        }
        of_round.iter().map(|found| [0, 1].map(|seat| found.seats()[seat].player)).collect()
    }

    fn next(hall: &Hall) {
        hall.order(Pair::default());
        hall.order(Publish {});
    }

    #[test]
    fn who_is_not_in_the_cut_is_told_so_with_their_place_and_nobody_is_sent_to_the_desk() {
        let hall = planned(&["swiss:2", "single-elimination:4"]);
        next(&hall);
        played(&hall);
        next(&hall);
        played(&hall);
        hall.order(Cut::default());
        let everybody = 1..=6;
        let told = |word: &str| {
            let html = |player| own(&hall, &hall.looked(), player);
            everybody.clone().filter(|player| html(*player).contains(word)).count()
        };
        next(&hall);
        assert_eq!(told("You are not in the top 4: your tournament is over."), 2);
        assert_eq!(told("Your place: 5th") + told("Your place: 6th"), 2);
        assert_eq!(told("go to the desk"), 0);
        // The winner of one semi-final waits for the other one, and whoever lost is out.
        let semi = state(&hall);
        let semi: Vec<_> = semi.matches().filter(|found| found.round().number == 3).collect();
        let [one, lost] = [0, 1].map(|seat| semi[0].seats()[seat].player);
        hall.slip(&format!("{} 2-0", semi[0].table().expect("a table")));
        let html = own(&hall, &hall.looked(), one);
        assert!(html.contains("You are through. You wait for the match of"), "{html}");
        assert!(own(&hall, &hall.looked(), lost).contains("You are out in the semi-final"));
        let mut hidden = hall.looked();
        hidden.hidden = Some(1);
        let html = own(&hall, &hidden, one);
        assert!(html.contains("You are in it still") && !html.contains("You wait for"), "{html}");
        played(&hall);
        next(&hall);
        let [[first, second]] = played(&hall)[..] else { panic!("a final") };
        let html = own(&hall, &hall.looked(), first);
        assert!(html.contains("You won the tournament."), "{html}");
        assert!(own(&hall, &hall.looked(), second).contains("You are out in the final"));
    }

    #[test]
    fn a_bye_that_is_only_drafted_moves_no_place_on_a_phone() {
        let person = |name: &str| Person { name: name.into(), ..Person::default() };
        let people = ["Ann", "Bob", "Cid", "Dee", "Eva"].map(person).to_vec();
        let hall = with_people(&["swiss:3"], people);
        next(&hall);
        played(&hall);
        let place = |player| {
            let html = own(&hall, &hall.looked(), player);
            let (_, told) = html.split_once("Your place: ").expect("a place");
            told.split('<').next().expect("its end").to_string()
        };
        let before: Vec<String> = (1..=5).map(place).collect();
        hall.order(Pair::default());
        assert_eq!((1..=5).map(place).collect::<Vec<_>>(), before);
    }

    /// Their phone said that they were not in the top 4, and 4th.
    #[test]
    fn who_is_not_in_the_cut_reads_no_place_in_it_where_a_result_is_corrected_behind_it() {
        use scrutineer_desk::orders::Correct;
        let hall = planned(&["swiss:2", "single-elimination:4"]);
        next(&hall);
        played(&hall);
        next(&hall);
        played(&hall);
        hall.order(Cut::default());
        let entrants = state(&hall).phases()[1].entrants.clone();
        // Each table of round 2 the other way round: somebody who is out has more points now than some who are in.
        for table in 1..=3 {
            let (slip, reason) = (format!("{table} 0-2"), "swapped".to_string());
            hall.order(Correct { slip, reason, round: Some(2), ..Correct::default() });
        }
        for player in (1..=6).filter(|player| !entrants.contains(player)) {
            let html = own(&hall, &hall.looked(), player);
            let place =
                ["5th", "6th"].iter().any(|place| html.contains(&format!("Your place: {place}")));
            let shared = html.contains("Your place: 5th (shared)");
            assert!(place || shared, "{html}");
        }
    }

    /// The log and the standings said who had not advanced, and their phones showed the table of the round before.
    #[test]
    fn who_is_not_in_the_cut_is_told_so_at_once_and_not_before_the_cut_is_public() {
        let hall = planned(&["swiss:2", "single-elimination:4"]);
        for _ in 0..2 {
            next(&hall);
            played(&hall);
        }
        let told = |at: &Looked<'_>, word: &str| {
            (1..=6).filter(|player| own(&hall, at, *player).contains(word)).count()
        };
        let [out, seat, drops] =
            ["your tournament is over", "<section class=\"seat", "value=\"wish-drop\""];
        let all = |at: &Looked<'_>| [out, seat, drops].map(|word| told(at, word));
        assert_eq!(all(&hall.looked()), [0, 6, 6]);
        hall.order(Cut::default());
        assert_eq!(all(&hall.looked()), [2, 4, 4]);
        let mut hidden = hall.looked();
        hidden.public_head = Some(scrutineer_engine::log::Head::EMPTY);
        assert_eq!(all(&hidden), [0, 6, 6], "nobody knows of the cut yet");
        hall.order(Pair::default());
        assert_eq!(all(&hall.looked()), [2, 4, 4], "nor is the draft behind it told");
    }

    #[test]
    fn a_bye_that_is_worth_less_is_called_what_it_is() {
        use scrutineer_desk::orders::{Bye, ByeAskedFor};
        let hall = planned(&[]);
        for (player, kind) in [("#1", ByeAskedFor::Zero), ("#2", ByeAskedFor::Half)] {
            hall.order(Bye { player: player.into(), round: 1, kind });
        }
        next(&hall);
        for (player, words) in [(1, "no table in this round: zero bye."), (2, ": half bye.")] {
            let html = own(&hall, &hall.looked(), player);
            assert!(html.contains(words) && !html.contains("You have a bye"), "{html}");
        }
    }

    #[test]
    fn who_has_a_postponed_match_left_is_not_told_that_their_tournament_is_over() {
        let hall = planned(&["swiss:2", "single-elimination:4"]);
        next(&hall);
        let seats = state(&hall);
        let seats = seats.at_table(1, 1).expect("a table").seats();
        let later = [0, 1].map(|seat| seats[seat].player);
        hall.slip("1 postponed");
        played(&hall);
        next(&hall);
        // They lose their other match, so that they miss the cut.
        let now = state(&hall);
        for found in now.matches().filter(|found| found.round().number == 2) {
            let score = if later.contains(&found.seats()[0].player) { "0-2" } else { "2-0" };
            hall.slip(&format!("{} {score}", found.table().expect("a table")));
        }
        hall.order(Cut::default());
        next(&hall);
        let html = |language, player| {
            let mut looked = hall.looked();
            looked.language = language;
            own(&hall, &looked, player)
        };
        let english = (1..=6).map(|player| (player, html(Language::English, player)));
        let out: Vec<_> = english.filter(|(_, html)| html.contains("not in the top 4")).collect();
        assert_eq!(out.len(), 2);
        assert!(out.iter().any(|(player, _)| later.contains(player)), "{later:?}");
        for (player, html_of) in out {
            let is_later = later.contains(&player);
            assert_eq!(html_of.contains("your tournament is over"), !is_later, "{html_of}");
            let is_told = html_of.contains("Round 1: your match against")
                && html_of.contains("is postponed and still to be played.");
            assert_eq!(is_told, is_later, "{html_of}");
            let place = " of 6 by now. 1 match is postponed and counts for nobody yet";
            assert!(html_of.contains(place), "{html_of}");
            let german = html(Language::German, player);
            assert_eq!(german.contains("Dein Turnier ist zu Ende"), !is_later, "{german}");
            assert!(german.contains(" von 6, Zwischenstand. 1 Partie ist verlegt"), "{german}");
        }
    }

    /// The phone told the place of the round before as the one by now, and the printed standings another one.
    #[test]
    fn before_the_first_result_of_a_round_a_place_is_of_the_one_before_whatever_is_postponed() {
        let hall = planned(&["swiss:3"]);
        next(&hall);
        hall.slip("1 postponed");
        played(&hall);
        next(&hall);
        let told = |language, words: &str| {
            let mut looked = hall.looked();
            looked.language = language;
            (1..=6).filter(|player| own(&hall, &looked, *player).contains(words)).count()
        };
        let (english, german) = (Language::English, Language::German);
        let (by_now, later) = (" of 6 by now. 1 match is", ". 1 match is postponed and counts");
        let after = format!(" of 6, after round 1{later}");
        assert_eq!([told(english, &after), told(english, by_now)], [6, 0]);
        let (by_now_in_german, after_in_german) =
            (" von 6, Zwischenstand. 1 Partie", " von 6, nach Runde 1. 1 Partie ist verlegt");
        assert_eq!([told(german, after_in_german), told(german, by_now_in_german)], [6, 0]);
        // The first result moves places.
        let now = state(&hall);
        let found = now.matches().find(|found| found.round().number == 2).expect("a match");
        hall.slip(&format!("{} 2-0", found.table().expect("a table")));
        assert_eq!([told(english, &after), told(english, by_now)], [0, 6]);
    }

    /// The winner of the final read that places could change, and who was third that theirs was final.
    #[test]
    fn who_won_the_bracket_is_first_for_good_and_a_postponed_match_moves_others_alone() {
        let hall = planned(&["swiss:1", "single-elimination:2"]);
        next(&hall);
        hall.slip("1 postponed");
        played(&hall);
        hall.order(Cut::default());
        next(&hall);
        let [[first, second]] = played(&hall)[..] else { panic!("a final") };
        let others: Vec<PlayerNumber> =
            (1..=6).filter(|player| ![first, second].contains(player)).collect();
        let told = |player, words: &str| own(&hall, &hall.looked(), player).contains(words);
        let later = "1 match is postponed and counts for nobody yet: places can change when";
        assert!(told(first, "You won the tournament.") && told(first, "Your place: 1st of 6"));
        let html = own(&hall, &hall.looked(), first);
        assert!(!html.contains(" of 6 by now") && !html.contains(later), "{html}");
        assert!(told(second, "Your place: 2nd of 6 by now. 1 match is postponed"));
        hall.order(Close::default());
        assert!(told(first, "Your final place: 1st of 6") && !told(first, later));
        for player in others {
            let html = own(&hall, &hall.looked(), player);
            assert!(html.contains("Your final place: ") && html.contains(later), "{html}");
            assert!(!html.contains(" of 6 by now"), "{html}");
        }
    }

    #[test]
    fn who_lost_a_match_that_is_disputed_is_not_told_that_their_tournament_is_over() {
        let hall = planned(&["swiss:1", "single-elimination:4"]);
        next(&hall);
        played(&hall);
        hall.order(Cut::default());
        next(&hall);
        let now = state(&hall);
        let found = now.matches().find(|found| found.round().number == 2).expect("a semi-final");
        let (table, lost) = (found.table().expect("a table"), found.seats()[1].player);
        hall.slip(&format!("{table} 2-0"));
        let told = |words: &str| own(&hall, &hall.looked(), lost).contains(words);
        let over = "You are out in the semi-final: your tournament is over.";
        let open = "You lost in the semi-final, and the result is disputed";
        assert!(told(over) && !told(open));
        hall.dispute(table);
        assert!(told(open) && !told("your tournament is over"));
        let reason = "seen by a judge".to_string();
        hall.order(Rule { dispute: 1, upheld: Some(false), score: None, reason });
        assert!(told(over) && !told(open));
    }

    /// Who won a semi-final that was played again read that their tournament was over.
    #[test]
    fn who_was_set_into_a_bracket_plays_on_in_it_and_whom_they_replaced_is_out() {
        let hall = planned(&["swiss:1", "single-elimination:4"]);
        next(&hall);
        played(&hall);
        hall.order(Cut::default());
        next(&hall);
        let now = state(&hall);
        let entrants = &now.phase(2).expect("a cut").entrants;
        let set = (1..=6).find(|player| !entrants.contains(player)).expect("not in the cut");
        let semi = now.matches().find(|found| found.round().number == 2).expect("a semi-final");
        let [stays, replaced] = [0, 1].map(|seat| semi.seats()[seat].player);
        let players = [stays, set].map(|player| player.to_string()).to_vec();
        hall.order(SetPairing { players, table: None, reason: "a ruling".into() });
        hall.slip(&format!("{} 0-2", semi.table().expect("a table")));
        played(&hall);
        let told = |player, words: &str| own(&hall, &hall.looked(), player).contains(words);
        let over = "You are not in the top 4: your tournament is over.";
        assert!(told(set, "You are in it still") && told(replaced, over));
        let event = hall.store.load(hall.stream, false).expect("loaded");
        let shown = bracket::brackets(&event, Language::English).expect("a bracket");
        let seeds: Vec<PlayerNumber> = shown[0].seeds.iter().map(|one| one.player.number).collect();
        assert!(seeds.contains(&set) && !seeds.contains(&replaced), "{seeds:?}");
        next(&hall);
        let [[first, second]] = played(&hall)[..] else { panic!("a final") };
        assert!([first, second].contains(&set));
        assert!(told(first, "You won the tournament.") && told(second, "You are out in the final"));
    }

    #[test]
    fn divisions_with_brackets_one_after_the_other_are_told_of_their_own() {
        let person = |at: usize| Person {
            name: format!("Player {at}"),
            division: Some(if at < 6 { "junior" } else { "senior" }.into()),
            ..Person::default()
        };
        let hall = with_people(&[], (0..12).map(person).collect());
        hall.order(Pair { divisions: Some(HowDivided::Apart), ..Pair::default() });
        hall.order(Publish {});
        let html = own(&hall, &hall.looked(), 1);
        assert!(!html.contains("of junior") && !html.contains("(shared)"), "no place yet: {html}");
        played(&hall);
        next(&hall);
        played(&hall);
        let cut = |division: &str| Cut {
            division: Some(division.into()),
            top: Some(2),
            ..Cut::default()
        };
        hall.order(cut("senior"));
        next(&hall);
        let [[first, second]] = played(&hall)[..] else { panic!("a final") };
        // The juniors wait, the seniors are told.
        let html = own(&hall, &hall.looked(), 1);
        assert!(html.contains("The cut of yours has not been made yet"), "{html}");
        let words = [(first, "You won: first of senior."), (second, "You are out in the final")];
        for (player, word) in words {
            assert!(own(&hall, &hall.looked(), player).contains(word), "{word}");
        }
        let left = (7..=12).find(|player| ![first, second].contains(player)).expect("a senior");
        let html = own(&hall, &hall.looked(), left);
        assert!(html.contains("You are not in the top 2 of senior"), "{html}");
        // The desk names who would go on of the juniors, though the last phase is the seniors' own.
        let html = desk::page(&hall.looked()).expect("a page");
        assert!(html.contains("The top 2 by now: ") && !html.contains("by now: ."), "{html}");
        hall.order(cut("junior"));
        next(&hall);
        let html = own(&hall, &hall.looked(), first);
        assert!(html.contains("You won: first of senior."), "{html}");
        // Nobody kept the champion from the bracket of the juniors.
        let view = standings::View::default();
        let html = standings::page(&hall.looked(), &view, "", 0).expect("a page");
        assert!(html.contains("another division’s bracket"), "{html}");
        assert_eq!(html.matches("did not advance").count(), 1, "{html}");
    }
}
