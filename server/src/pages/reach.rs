//! What a player can still reach, as the page of why shows it.

use super::called::{round_called, within};
use crate::language::Language;
use scrutineer_engine::event::{PlayerNumber, RoundNumber};
use scrutineer_engine::tournament::{MatchView, Tournament};
use scrutineer_projections::reach::{Basis, Chance, End, Outlook, Reach, disputed};

/// What a player can still reach.
pub struct Reached {
    /// The head of the column of the cut; none where no cut is to come.
    pub cut: Option<String>,
    /// Whether a sample was taken.
    pub is_sampled: bool,
    /// All in all, then with each end of their match.
    pub rows: Vec<Row>,
    /// What is missing, and what the places were taken from.
    pub says: Vec<String>,
}

/// What can be reached in one case.
pub struct Row {
    /// The case.
    pub case: String,
    /// The places.
    pub places: String,
    /// Those of the sample.
    pub sampled: String,
    /// What is said of the cut.
    pub chance: String,
    /// The class of its tag.
    pub class: &'static str,
}

/// Which results of the rounds up to one are disputed, in a sentence each. It is for the staff: everybody else is
/// told how many are not settled.
pub fn disputed_in_words(
    state: &Tournament,
    through: RoundNumber,
    is_staff: bool,
    language: Language,
) -> Vec<String> {
    let of_rounds = disputed(state).filter(|found| found.round().number <= through);
    let told = |found: MatchView<'_>| {
        let table = found.table().map_or("?".to_string(), |table| table.to_string());
        let round = within(&round_called(state, found.round().number, language), language);
        language.b("reach-disputed", "table", table, "round", round)
    };
    match is_staff {
        true => of_rounds.map(told).collect(),
        false => match of_rounds.count() {
            0 => Vec::new(),
            matches => vec![language.a("standings-unsettled", "matches", matches)],
        },
    }
}

impl Reached {
    /// What a player can reach; none where they are not in the phase.
    pub fn of(reach: &Reach, player: PlayerNumber, language: Language) -> Option<Reached> {
        let one = reach.player(player)?;
        let word = |end: End| match end {
            End::Win => "reach-win",
            End::Draw => "reach-draw",
            End::AgreedDraw => "reach-agreed-draw",
            End::Loss => "reach-loss",
        };
        let mut rows = vec![Row::of("reach-all", &one.outlook, language)];
        rows.extend(one.ends.iter().map(|(end, outlook)| Row::of(word(*end), outlook, language)));
        let (missing, rounds) = (reach.missing, reach.rounds_left);
        let basis = match reach.basis {
            Basis::Counted(count) => language.a("reach-counted", "count", count),
            Basis::Sampled(count) => language.a("reach-sample", "count", count),
            Basis::Bounds => language.t("reach-bounds"),
        };
        Some(Reached {
            cut: reach.cut.map(|cut| language.a("reach-cut", "size", cut)),
            is_sampled: matches!(reach.basis, Basis::Sampled(_)),
            rows,
            says: vec![
                match rounds {
                    Some(rounds) => {
                        language.b("reach-missing", "missing", missing, "rounds", rounds)
                    }
                    None => language.t("reach-missing-unknown"),
                },
                basis,
                language.t("reach-as-long"),
            ],
        })
    }
}

impl Row {
    fn of(case: &str, outlook: &Outlook, language: Language) -> Row {
        let places = |best: u32, worst: u32| {
            let (first, last) = (language.place(best), language.place(worst));
            match best == worst {
                true => first,
                false => language.b("reach-from-to", "best", first, "worst", last),
            }
        };
        let (chance, class) = match outlook.chance {
            None => ("", ""),
            Some(Chance::Clinched) => ("reach-clinched", "out"),
            Some(Chance::Open) => ("reach-open", ""),
            Some(Chance::Out) => ("reach-out", "hid"),
        };
        Row {
            case: language.t(case),
            places: places(outlook.best, outlook.worst),
            sampled: outlook.seen.map_or(String::new(), |(best, worst)| places(best, worst)),
            chance: if chance.is_empty() { String::new() } else { language.t(chance) },
            class,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::kit::planned;
    use super::*;
    use scrutineer_desk::looking::reachable;
    use scrutineer_desk::orders::{Correct, Pair, Publish};
    use scrutineer_projections::reach::Effort;

    #[test]
    fn nobody_has_clinched_and_nobody_is_out_whom_a_postponed_match_still_moves() {
        let hall = planned(&["swiss:2", "single-elimination:2"]);
        hall.order(Pair::default());
        hall.order(Publish {});
        hall.slip("1 postponed");
        hall.play_on();
        // Both win their second match, so whoever wins the first one has won all.
        let state = hall.store.load(hall.stream, false).expect("loaded").state;
        let first = state.at_table(1, 1).expect("a table");
        let late: Vec<PlayerNumber> = first.seats().iter().map(|seat| seat.player).collect();
        for found in state.matches().filter(|found| found.round().number == 2) {
            let score = if late.contains(&found.seats()[1].player) { "0-2" } else { "2-0" };
            hall.slip(&format!("{} {score}", found.table().expect("a table")));
        }
        let reach = || {
            let event = hall.store.load(hall.stream, false).expect("loaded");
            let rules = crate::pages::rules_of(&event, None).expect("rules");
            reachable(&event, &rules, None, Effort::USUAL).expect("it can be told")
        };
        let before = reach();
        assert_eq!(before.missing, 1);
        let chances = |reach: &Reach| -> Vec<(PlayerNumber, Option<Chance>)> {
            let mut all: Vec<_> =
                reach.players.iter().map(|one| (one.player, one.outlook.chance)).collect();
            all.sort_by_key(|(player, _)| *player);
            all
        };
        let open = |(_, chance): &(PlayerNumber, Option<Chance>)| *chance == Some(Chance::Open);
        assert!(chances(&before).iter().any(open), "{before:?}");
        let says = Reached::of(&before, 1, Language::English).expect("they are in it").says;
        assert!(says[0].starts_with("One result is missing"), "{says:?}");
        for slip in ["1 2-0", "1 1-1", "1 0-2"] {
            let (slip, reason) = (slip.to_string(), "played".to_string());
            hall.order(Correct { slip, reason, round: Some(1), ..Correct::default() });
            let after = reach();
            assert_eq!(after.missing, 0);
            for (said, is) in chances(&before).iter().zip(chances(&after)) {
                assert!(open(said) || *said == is, "{said:?} is {is:?}");
            }
        }
    }

    /// Somebody had clinched and somebody was out by a result that was disputed, and the ruling turned both round.
    #[test]
    fn nobody_has_clinched_and_nobody_is_out_by_a_result_that_is_disputed() {
        use super::super::{Looked, standings, why};
        use crate::gate::Role;
        use scrutineer_desk::orders::Rule;
        let hall = planned(&["swiss:1", "single-elimination:2"]);
        hall.order(Pair::default());
        hall.order(Publish {});
        for slip in ["1 2-0", "2 2-0", "3 2-1"] {
            hall.slip(slip);
        }
        let reach = || {
            let event = hall.store.load(hall.stream, false).expect("loaded");
            let rules = crate::pages::rules_of(&event, None).expect("rules");
            reachable(&event, &rules, None, Effort::USUAL).expect("it can be told")
        };
        let chance = |reach: &Reach, player| {
            reach.player(player).and_then(|one| one.outlook.chance).expect("a cut is to come")
        };
        let state = hall.store.load(hall.stream, false).expect("loaded").state;
        let at = |table| state.at_table(1, table).expect("a table").seats()[0].player;
        let (sure, other) = (at(1), at(3));
        assert_eq!(chance(&reach(), sure), Chance::Clinched);
        assert_eq!(chance(&reach(), other), Chance::Out);
        hall.dispute(3);
        let before = reach();
        assert_eq!(before.missing, 1);
        assert!(matches!(before.basis, Basis::Counted(2..)), "every score that the slip takes");
        for player in [sure, at(2), other] {
            assert_eq!(chance(&before, player), Chance::Open, "2-0 makes three alike: {player}");
        }
        let told = |role, word: &str| {
            let at = Looked { role, ..hall.looked() };
            let standings = standings::page(&at, &standings::View::default(), "", 0);
            let why = why::page(&at, &format!("#{other}"), None, &standings::View::default());
            [standings, why].map(|html| html.expect("a page").contains(word))
        };
        let why = "The result of table 3 in round 1 is disputed";
        assert_eq!(told(Role::Owner, why), [true; 2]);
        assert_eq!(told(Role::Public, why), [false; 2]);
        let clinched = ">clinched</span>";
        assert_eq!(told(Role::Public, clinched), [false; 2]);
        assert_eq!(told(Role::Public, "One result is missing or not settled"), [false, true]);
        let (score, reason) = (Some("2-0".to_string()), "the slip shows it".to_string());
        hall.order(Rule { dispute: 1, upheld: Some(true), score, reason });
        assert_eq!(reach().missing, 0);
        assert_eq!(told(Role::Owner, why), [false; 2]);
    }
}
