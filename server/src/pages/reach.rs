//! What a player can still reach, as the page of why shows it.

use crate::language::Language;
use scrutineer_engine::event::PlayerNumber;
use scrutineer_projections::reach::{Basis, Chance, End, Outlook, Reach};

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
}
