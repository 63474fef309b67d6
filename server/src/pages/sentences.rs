//! What happened in an event of the log, in a sentence of the reader's language.
//!
//! English is what [`sentence`] says; the messages for it are held against that by a test.

use super::Spoken;
use super::called::{stage_of, within};
use crate::language::{Language, Said};
use scrutineer_engine::event::*;
use scrutineer_engine::tournament::Tournament;
use scrutineer_engine::{book::Commitment, record::Header};
use scrutineer_projections::bracket_rounds::bracket_places;
use scrutineer_projections::ruleset::called;
use scrutineer_projections::timeline::{
    Words, plays_postponed, result_of_chess, seat_score, sentence, table_score,
};
use scrutineer_replay::loaded::LoadedTournament;
use scrutineer_replay::staff::Staff;

/// What happened in an event of the log, in a sentence.
pub fn told_in(event: &LoadedTournament, seq: u64, logged: &Event, language: Language) -> String {
    match language {
        Language::English => sentence(&event.state, seq, logged, &Spoken(event)),
        language => Teller { event, language }.tell(seq, logged),
    }
}

/// Who recorded something, as the log names them.
pub fn by_in(staff: &Staff<'_>, header: &Header, language: Language) -> String {
    let who = staff.who(header);
    match who.strip_prefix("actor ").and_then(|number| number.parse::<u32>().ok()) {
        Some(number) => language.a("told-actor", "number", number),
        None if who == "import" => language.t("told-import"),
        None => who,
    }
}

/// A kind of event in the words of a language.
pub fn kind_in(kind: &str, language: Language) -> String {
    match language {
        Language::English => kind.to_string(),
        language => language.word("logged", &kind.replace('\'', "")),
    }
}

struct Teller<'a> {
    event: &'a LoadedTournament,
    language: Language,
}

impl Teller<'_> {
    fn state(&self) -> &Tournament {
        &self.event.state
    }

    fn player(&self, number: PlayerNumber) -> String {
        self.given(Spoken(self.event).player(number))
    }

    fn name(&self, number: PlayerNumber, name: &Commitment) -> String {
        self.given(Words::name(&Spoken(self.event), number, name))
    }

    fn text(&self, commitment: &Commitment) -> String {
        self.given(Spoken(self.event).text(commitment))
    }

    /// Where something was played: the round and the table.
    fn place(&self, round: RoundNumber, table: Option<u32>) -> String {
        match table {
            Some(table) => self.language.b("told-at", "round", round, "table", table),
            None => self.language.a("told-at-round", "round", round),
        }
    }

    /// Private words, or that they are not given.
    fn given(&self, text: String) -> String {
        match &text[..] {
            "(not public)" => self.language.t("told-not-public"),
            "(not given)" => self.language.t("told-not-given"),
            "(erased)" => self.language.t("told-erased"),
            _ => text,
        }
    }

    fn why(&self, key: &str, reason: &Commitment) -> String {
        self.language.a(key, "why", self.text(reason))
    }

    fn tell(&self, seq: Seq, event: &Event) -> String {
        let w = self.language;
        match event {
            Event::TournamentOpened(e) => {
                let (title, rules) = (self.text(&e.title), called(&e.ruleset));
                w.b("told-opened", "title", title, "rules", rules)
            }
            Event::Imported(e) => {
                let unknown: Vec<String> =
                    e.unknown.iter().map(|fact| w.word("unknown", fact.word())).collect();
                let unknown = match unknown.is_empty() {
                    true => String::new(),
                    false => w.a("told-unknown", "facts", unknown.join(", ")),
                };
                let file = self.text(&e.file);
                format!("{}{unknown}", w.b("told-imported", "file", file, "format", &e.format))
            }
            Event::PlayerEnrolled(e) => {
                let name = self.name(e.player, &e.name);
                match e.from_round {
                    1 => w.a("told-enrolled", "name", name),
                    round => w.b("told-enrolled-from", "name", name, "round", round),
                }
            }
            Event::PlayerIdentified(e) => {
                w.b("told-called", "number", e.player, "name", self.text(&e.name))
            }
            Event::PlayerDivisionChanged(e) => {
                let (name, why) = (self.player(e.player), self.text(&e.reason));
                match &e.division {
                    Some(division) => {
                        let args: [(&str, &dyn Said); 3] =
                            [("name", &name), ("division", division), ("why", &why)];
                        w.with("told-division", args)
                    }
                    None => w.b("told-division-none", "name", name, "why", why),
                }
            }
            Event::PlayerDescribed(e) => {
                let name = self.player(e.player);
                match (&e.title, &e.federation) {
                    (Some(title), Some(federation)) => {
                        let args: [(&str, &dyn Said); 3] =
                            [("name", &name), ("title", title), ("federation", federation)];
                        w.with("told-described", args)
                    }
                    (Some(title), None) => w.b("told-title", "name", name, "title", title),
                    (None, Some(federation)) => {
                        w.b("told-federation", "name", name, "federation", federation)
                    }
                    (None, None) => w.a("told-title-none", "name", name),
                }
            }
            Event::PlayerRated(e) => {
                let name = self.player(e.player);
                match (e.rating, self.state().rating_before(e.player, seq)) {
                    (Some(rating), Some(was)) => {
                        let args: [(&str, &dyn Said); 3] =
                            [("name", &name), ("rating", &rating), ("was", &was)];
                        w.with("told-rated-was", args)
                    }
                    (Some(rating), None) => w.b("told-rated", "name", name, "rating", rating),
                    (None, Some(was)) => w.b("told-rated-not-was", "name", name, "was", was),
                    (None, None) => w.a("told-rated-not", "name", name),
                }
            }
            Event::PlayerIdCorrected(e) => match &e.publisher_id {
                Some(id) => w.b("told-id", "name", self.player(e.player), "id", self.text(id)),
                None => w.a("told-id-none", "name", self.player(e.player)),
            },
            Event::DivisionsPaired(e) => self.divisions_paired(e),
            Event::DivisionRounds(e) => match e.rounds {
                Some(rounds) => {
                    let division = &e.division;
                    w.b("told-division-rounds", "division", division, "rounds", rounds)
                }
                None => w.a("told-division-rounds-all", "division", &e.division),
            },
            Event::TableKept(e) => match e.table {
                Some(table) => {
                    w.b("told-keeps-table", "name", self.player(e.player), "table", table)
                }
                None => w.a("told-keeps-no-table", "name", self.player(e.player)),
            },
            Event::TablesSet(e) if e.ranges.is_empty() => w.t("told-tables-from-1").to_string(),
            Event::TablesSet(e) => {
                let ranges: Vec<String> = e.ranges.iter().map(TableRange::to_string).collect();
                w.a("told-tables", "tables", ranges.join(", "))
            }
            Event::ByeRequested(e) => {
                let args: [(&str, &dyn Said); 3] = [
                    ("name", &self.player(e.player)),
                    ("bye", &w.word("a", e.kind.word())),
                    ("round", &e.round),
                ];
                w.with("told-asks-bye", args)
            }
            Event::PlayerCheckedIn(e) => w.a("told-here", "name", self.player(e.player)),
            Event::PlayerDropped(e) => {
                let when = match e.after_round {
                    0 => w.t("told-before-rounds"),
                    round => w.a("told-after", "round", round),
                };
                let key = match e.why {
                    DropReason::Left => "told-leaves",
                    DropReason::NoShow => "told-leaves-no-show",
                    DropReason::Disqualified => "told-leaves-disqualified",
                };
                w.b(key, "name", self.player(e.player), "when", when)
            }
            Event::PlayerReinstated(e) => {
                w.b("told-back", "name", self.player(e.player), "round", e.from_round)
            }
            Event::PhaseStarted(e) if e.first_seed > 1 => {
                w.b("told-more-entrants", "players", e.entrants.len(), "phase", e.phase)
            }
            Event::PhaseStarted(e) => {
                let passed = e.passed_over.iter().map(|over| {
                    let (name, why) = (self.player(over.player), self.text(&over.reason));
                    w.b("told-passed-over", "name", name, "why", why)
                });
                let args: [(&str, &dyn Said); 3] = [
                    ("phase", &e.phase),
                    ("kind", &w.word("phase-kind", e.kind.spelled())),
                    ("players", &e.entrants.len()),
                ];
                format!("{}{}", w.with("told-phase", args), passed.collect::<String>())
            }
            Event::PhaseEnded(e) => w.a("told-phase-over", "phase", e.phase),
            Event::RoundOpened(e) => {
                let opened = match bracket_places(self.state(), e.round) {
                    Some(places) => {
                        let stage = within(&stage_of(places, w), w);
                        w.b("told-stage-opened", "round", e.round, "stage", stage)
                    }
                    None => w.a("told-round-opened", "round", e.round),
                };
                format!("{opened}{}", self.drawn(e))
            }
            Event::PairingMade(e) => {
                let names: Vec<String> =
                    e.seats.iter().map(|seat| self.player(seat.player)).collect();
                let names = names.join(&format!(" {} ", w.t("told-against")));
                let (slot, origin) = (self.slot(e.bracket_slot), self.origin(&e.origin));
                format!("{} {names}{slot}{origin}", self.place(e.round, e.table))
            }
            Event::ByeGiven(e) => {
                let (name, bye) = (self.player(e.player), w.word("a", e.kind.word()));
                let told = w.b("told-bye", "name", name, "bye", bye);
                let (slot, origin) = (self.slot(e.bracket_slot), self.origin(&e.origin));
                format!("{} {told}{slot}{origin}", self.place(e.round, None))
            }
            Event::EnginePaired(e) => {
                let engine = match &e.version {
                    Some(version) => format!("{} {version}", e.engine),
                    None => w.a("told-engine-unknown", "engine", &e.engine),
                };
                let args: [(&str, &dyn Said); 3] =
                    [("round", &e.round), ("engine", &engine), ("arguments", &e.arguments)];
                w.with("told-engine", args)
            }
            Event::PairingsPublished(e) => w.a("told-published", "round", e.round),
            Event::RoundCompleted(e) => w.a("told-completed", "round", e.round),
            Event::ResultClaimed(e) => {
                let result = self.result(e.pairing, &e.result);
                w.b("told-claimed", "result", result, "seat", e.seat + 1)
            }
            Event::ScoreNoted(e) => {
                let so_far = MatchResult::played(e.score.clone());
                w.a("told-so-far", "result", self.result(e.pairing, &so_far))
            }
            Event::ResultRecorded(e) => self.result(e.pairing, &e.result),
            Event::ResultCorrected(e) => {
                let (result, why) = (self.result(e.pairing, &e.result), self.text(&e.reason));
                let dispute = e.dispute.map(|seq| self.dispute(seq));
                let key = match dispute {
                    Some(_) => "told-corrected-dispute",
                    None if plays_postponed(self.state(), e) => "told-played-postponed",
                    None => "told-corrected",
                };
                let dispute = dispute.unwrap_or_default();
                let args: [(&str, &dyn Said); 4] = [
                    ("result", &result),
                    ("dispute", &dispute),
                    ("event", &e.replaces),
                    ("why", &why),
                ];
                w.with(key, args)
            }
            Event::PenaltyGiven(e) => {
                let waits = e.pairing.is_none() && e.kind != PenaltyKind::Warning;
                let args: [(&str, &dyn Said); 3] = [
                    ("name", &self.player(e.player)),
                    ("kind", &w.word("penalty", e.kind.word())),
                    ("why", &self.text(&e.reason)),
                ];
                w.with(if waits { "told-penalty-next" } else { "told-penalty" }, args)
            }
            Event::PlayerAdvanced(e) => {
                w.b("told-goes-on", "name", self.player(e.player), "why", self.text(&e.reason))
            }
            Event::DisputeOpened(e) => {
                let who = e.by.map_or(w.t("told-somebody"), |player| self.player(player));
                let args: [(&str, &dyn Said); 4] = [
                    ("dispute", &self.dispute(seq)),
                    ("name", &who),
                    ("match", &self.table(e.pairing)),
                    ("claim", &self.text(&e.claim)),
                ];
                w.with("told-disputed", args)
            }
            Event::DisputeRuled(e) => {
                let key = if e.upheld { "told-upheld" } else { "told-denied" };
                w.b(key, "dispute", self.dispute(e.dispute), "why", self.text(&e.reason))
            }
            Event::LotsDrawn(e) => {
                let from = match (e.source, &e.seed) {
                    (_, Some((draw, _))) => w.a("told-lots-seed-n", "seed", draw.to_string()),
                    (LotsSource::Seed, None) => w.t("told-lots-seed"),
                    (source, None) => w.word("lots", source.word()),
                };
                w.b("told-lots", "players", e.order.len(), "source", from)
            }
            Event::StandingsAnnounced(e) => w.a("told-announced", "round", e.through_round),
            Event::Withdrawn(e) => {
                w.b("told-withdrawn", "event", e.seq, "why", self.text(&e.reason))
            }
            Event::PlanAmended(e) => self.why("told-plan", &e.reason),
            Event::RulesetAmended(e) => {
                let (rules, why) = (called(&e.ruleset), self.text(&e.reason));
                match e.from_round {
                    None => w.b("told-rules", "rules", rules, "why", why),
                    Some(round) => {
                        let args: [(&str, &dyn Said); 3] =
                            [("rules", &rules), ("round", &round), ("why", &why)];
                        w.with("told-rules-from", args)
                    }
                }
            }
            Event::SignerChanged(e) => self.why("told-signer", &e.reason),
            Event::KeyRetired(e) => {
                w.b("told-key-retired", "records", e.last_size, "why", self.text(&e.reason))
            }
            Event::LogRestored(e) => {
                w.b("told-restored", "records", e.known_size, "why", self.text(&e.reason))
            }
            Event::SeedRecommitted(e) => self.why("told-seed", &e.reason),
            Event::TournamentClosed(_) => w.t("told-closed"),
            Event::NoteAdded(e) => {
                let note = self.text(&e.note);
                match e.about {
                    Some(seq) => w.b("told-note-on", "event", seq, "note", note),
                    None => w.a("told-note", "note", note),
                }
            }
            Event::TextsForgotten(e) => {
                let numbers: Vec<String> = e.numbers.iter().map(u32::to_string).collect();
                w.b("told-forgotten", "texts", numbers.len(), "numbers", numbers.join(", "))
            }
            Event::StaffNamed(e) => {
                w.b("told-staff", "number", e.actor, "name", self.text(&e.name))
            }
        }
    }

    fn divisions_paired(&self, e: &DivisionsPaired) -> String {
        let w = self.language;
        let and = format!(" {} ", w.t("word-and"));
        let merged: Vec<String> = e.merged.iter().map(|group| group.join(&and)).collect();
        match (e.apart, merged.is_empty()) {
            (false, _) => w.t("told-divisions-together"),
            (true, true) => w.t("told-divisions-apart"),
            (true, false) => w.a("told-divisions-merged", "groups", merged.join(", ")),
        }
    }

    /// By which draw a round was made.
    fn drawn(&self, opened: &RoundOpened) -> String {
        let w = self.language;
        let Some(used) = &opened.drawn else { return String::new() };
        let dice = if used.dice.is_some() { w.t("told-dice") } else { String::new() };
        let seed = used.draw.to_string();
        if used.is_for_engine() {
            return format!("{}{dice}", w.a("told-drawn-engine", "seed", seed));
        }
        let args: [(&str, &dyn Said); 3] =
            [("method", &used.method), ("version", &used.version.to_string()), ("seed", &seed)];
        format!("{}{dice}", w.with("told-drawn", args))
    }

    fn slot(&self, slot: Option<u32>) -> String {
        slot.map_or(String::new(), |slot| self.language.a("told-slot", "slot", slot))
    }

    /// Where a pairing or bye comes from, as far as it has to be said.
    fn origin(&self, origin: &Origin) -> String {
        match (origin.kind, origin.because) {
            (OriginKind::ByHand, _) => match &origin.reason {
                Some(reason) => self.why("told-by-hand-why", reason),
                None => self.language.t("told-by-hand"),
            },
            (OriginKind::PairedRound, Some(PairingReason::Bracket)) => String::new(),
            (OriginKind::PairedRound, Some(because)) => {
                format!(" ({})", self.language.word("because", because.word()))
            }
            _ => String::new(),
        }
    }

    fn dispute(&self, seq: Seq) -> String {
        match self.state().disputes().iter().position(|dispute| dispute.seq == seq) {
            Some(at) => self.language.a("told-dispute-n", "number", at + 1),
            None => self.language.a("told-dispute-of", "event", seq),
        }
    }

    fn table(&self, pairing: Seq) -> String {
        match self.state().match_at(pairing) {
            Some(found) => self.place(found.round().number, found.table()),
            None => self.language.a("told-match-of", "event", pairing),
        }
    }

    /// A result as the hall reads it, the winner first.
    fn result(&self, pairing: Seq, result: &MatchResult) -> String {
        let w = self.language;
        let Some(found) = self.state().match_at(pairing) else {
            return w.a("told-no-match", "event", pairing);
        };
        let names: Vec<String> =
            found.seats().iter().map(|seat| self.player(seat.player)).collect();
        let at = self.place(found.round().number, found.table());
        let how = match result.how {
            How::Played | How::Unknown => String::new(),
            how => format!(" ({})", w.word("how", how.word())),
        };
        if let (Some(points), [first, second]) = (result_of_chess(self.state(), result), &names[..])
        {
            return format!("{at} {first} {points} {second}{how}{}", self.served(result));
        }
        let ruled = format!("{}{}", self.rulings(result, false), self.served(result));
        let [first, second] = &names[..] else {
            let all = names.iter().enumerate();
            let all = all.map(|(seat, name)| format!("{name} {}", seat_score(result, seat)));
            return format!("{at} {}{how}{ruled}", all.collect::<Vec<_>>().join(", "));
        };
        let (own, other) = (seat_score(result, 0), seat_score(result, 1));
        let table = table_score(result);
        if own.is_empty() && other.is_empty() {
            return format!("{at} {first} {} {second}{how}{ruled}", w.t("told-against"));
        }
        let values = |seat: usize| result.score.seats.get(seat).and_then(|values| values.first());
        if values(1) > values(0) {
            let ruled = format!("{}{}", self.rulings(result, true), self.served(result));
            return format!("{at} {second} {other}-{own}{table} {first}{how}{ruled}");
        }
        format!("{at} {first} {own}-{other}{table} {second}{how}{ruled}")
    }

    /// What was ruled for each seat, the second one first where the names stand so.
    fn rulings(&self, result: &MatchResult, is_turned: bool) -> String {
        let w = self.language;
        let word = |ruling: &Option<Ruling>| match ruling {
            None => "-".to_string(),
            Some(Ruling::Win) => w.t("word-win"),
            Some(Ruling::Loss) => w.t("word-loss"),
            Some(Ruling::Draw) => w.t("word-draw"),
            Some(Ruling::NoResult) => w.t("word-open"),
            Some(Ruling::Place(place)) => w.a("told-place", "place", *place),
        };
        if result.rulings.iter().all(Option::is_none) {
            return String::new();
        }
        if result.is_postponed() {
            return format!(", {}", w.t("slip-postponed"));
        }
        let mut words: Vec<String> = result.rulings.iter().map(word).collect();
        if is_turned {
            words.reverse();
        }
        w.a("told-ruled", "rulings", words.join("/"))
    }

    /// Penalties that a match took.
    fn served(&self, result: &MatchResult) -> String {
        let seqs: Vec<String> = result.penalties_served.iter().map(Seq::to_string).collect();
        match seqs.is_empty() {
            true => String::new(),
            false => self.language.b("told-served", "count", seqs.len(), "events", seqs.join(", ")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::kit::{Hall, enrolled, hall, planned};
    use super::*;
    use scrutineer_desk::orders::{
        Bye, ByeAskedFor, Close, Cut, Describe, Drop, HowDivided, Late, Note, Pair, Penalty,
        Person, Publish, SetDivision, Takes, Undo,
    };

    /// A log of many kinds of event.
    fn told_logs() -> Vec<Hall> {
        let long = hall();
        long.slip("1 2-0");
        long.order(Undo::default());
        let person = Person { name: "Gus Gray".into(), ..Person::default() };
        long.order(Late { person, ..Late::default() });
        let (player, reason) = (|number: u32| format!("#{number}"), || "late".to_string());
        for takes in [Some(Takes::Warning), Some(Takes::GameLoss)] {
            long.order(Penalty {
                player: player(5),
                takes,
                reason: reason(),
                ..Penalty::default()
            });
        }
        long.correct("2 1-2");
        long.correct("2 postponed");
        long.correct("2 1-2");
        long.dispute(2);
        let division = Some("junior".to_string());
        long.order(SetDivision {
            player: player(1),
            division,
            reason: reason(),
            ..SetDivision::default()
        });
        for (rating, id) in [("1876", "7"), ("1912", "8"), ("", ""), ("1900", "9")] {
            let [rating, id] = [rating, id].map(|typed| Some(typed.to_string()));
            long.order(Describe { player: player(3), rating, id, ..Describe::default() });
        }
        long.order(Drop { player: player(6), no_show: false });
        long.order(Bye { player: player(2), round: 2, kind: ByeAskedFor::Half });
        long.order(Note { text: "quiet".into(), ..Note::default() });
        long.play_on();
        let apart = enrolled();
        for number in 1..=6 {
            let division = Some(if number < 4 { "junior" } else { "senior" }.to_string());
            apart.order(SetDivision {
                player: player(number),
                division,
                reason: reason(),
                ..SetDivision::default()
            });
        }
        let (divisions, rounds) = (Some(HowDivided::Apart), vec!["junior=1, senior=2".into()]);
        apart.order(Pair { divisions, rounds, ..Pair::default() });
        let bracket = planned(&["swiss:1", "single-elimination:4"]);
        let play = || bracket.all_in();
        for step in 0..3 {
            if step == 1 {
                bracket.order(Cut::default());
            }
            bracket.order(Pair::default());
            bracket.order(Publish {});
            play();
        }
        bracket.order(Close::default());
        vec![long, apart, bracket]
    }

    #[test]
    fn the_messages_say_in_english_what_the_log_says_and_in_german_nothing_of_it() {
        let mut kinds = std::collections::BTreeSet::new();
        for hall in told_logs() {
            let event = hall.store.load(hall.stream, true).expect("loaded");
            for (header, logged) in &event.log {
                let said = |language| Teller { event: &event, language }.tell(header.seq, logged);
                let english = told_in(&event, header.seq, logged, Language::English);
                assert_eq!(said(Language::English), english);
                let german = told_in(&event, header.seq, logged, Language::German);
                let has = |word: &str| german.split([' ', ',']).any(|one| one == word);
                let words = ["is", "the", "has", "round", "against", "and", "of", "from", "out"];
                // What somebody typed stays as they typed it.
                let is_ours = logged.commitments().is_empty();
                assert!(!is_ours || !words.into_iter().any(has), "{german}");
                assert!(!german.contains("told-"), "{german}");
                kinds.insert(logged.word());
            }
        }
        assert!(kinds.len() > 18, "{kinds:?}");
    }

    #[test]
    fn what_is_not_public_is_said_to_be_so_in_the_readers_language() {
        let hall = hall();
        hall.correct("2 1-2");
        let head = hall.store.log().head(hall.stream).expect("a head");
        let public = hall.store.public(hall.stream, head, &Default::default()).expect("public");
        let event = public.load(hall.stream, true).expect("loaded");
        let is_one = |one: &Event| matches!(one, Event::ResultCorrected(_));
        let (header, logged) = event.log.iter().find(|(_, one)| is_one(one)).expect("one");
        let told = |language| told_in(&event, header.seq, logged, language);
        assert!(told(Language::German).ends_with(": (nicht öffentlich)"));
        assert!(told(Language::English).ends_with(": (not public)"));
    }

    #[test]
    fn every_kind_of_event_has_a_word_in_every_language() {
        for kind in Event::WORDS {
            assert_ne!(kind_in(kind, Language::German), kind.replace('\'', ""), "{kind}");
            assert_eq!(kind_in(kind, Language::English), *kind);
        }
    }
}
