//! A tournament's standings under one ruleset beside those under another, and which of the differences
//! between the two move somebody.

use crate::orders::cut_of;
use crate::verb_error::VerbError;
use scrutineer_projections::compare::{Comparison, KeyDifference, compare, differences};
use scrutineer_projections::crosstable::{Scope, check_rulings};
use scrutineer_projections::cut::Cut;
use scrutineer_projections::ruleset::{Ruleset, changed};
use scrutineer_projections::standings::{Detail, Standings};
use scrutineer_replay::loaded::LoadedTournament;
use std::sync::Arc;

/// How many single differences are tried to find which one moves a player.
const MAX_TRIED: usize = 64;

/// Standings under two rulesets.
pub struct Compared {
    /// Under the first.
    pub first: Standings,
    /// Under the second.
    pub second: Standings,
    /// Who moves, and because of what.
    pub found: Comparison,
}

/// Compares a tournament's standings under two rulesets, wherever their texts are from. Without a `cut`
/// the plan's holds.
///
/// # Errors
/// Where one of them cannot rank what was recorded.
pub fn compared(
    event: &LoadedTournament,
    [first_rules, second_rules]: [&Arc<Ruleset>; 2],
    scope: Scope,
    cut: Option<u32>,
) -> Result<Compared, VerbError> {
    let fold = |rules: &Arc<Ruleset>| -> Result<Standings, VerbError> {
        check_rulings(&event.state, rules)?;
        Ok(Standings::of(&event.state, rules, scope, Detail::Order)?)
    };
    let first = fold(first_rules)?;
    cut_of(cut, first.rows.len())?;
    let second = fold(second_rules)?;
    let different = differences(first_rules, second_rules);
    let variants = variants(event, first_rules, &different, scope);
    let reported = shortened(first_rules, second_rules, different);
    let cuts = Cut::of(&event.state, &first, cut).and_then(|cut| {
        let second = Cut::of(&event.state, &second, Some(cut.size))?;
        Some([cut, second])
    });
    let found = compare(&first, &second, reported, &variants, cuts);
    Ok(Compared { first, second, found })
}

/// The first ruleset with keys set as in the second; none where the second has one of them not.
fn with_keys(first: &Ruleset, changes: &[&KeyDifference]) -> Option<Arc<Ruleset>> {
    let one = |change: &&KeyDifference| Some(format!("{}={}", change.key, change.second.as_ref()?));
    let changes: Vec<String> = changes.iter().map(one).collect::<Option<_>>()?;
    changed(&first.files, &changes.join("+")).ok().map(Arc::new)
}

/// Standings under the first ruleset with each single difference taken over.
fn variants(
    event: &LoadedTournament,
    first: &Ruleset,
    differences: &[KeyDifference],
    scope: Scope,
) -> Vec<(String, Standings)> {
    let one = |difference: &KeyDifference| {
        let rules = with_keys(first, &[difference])?;
        let standings = Standings::of(&event.state, &rules, scope, Detail::Order).ok()?;
        Some((difference.key.clone(), standings))
    };
    let settings_first = {
        let mut list: Vec<&KeyDifference> = differences.iter().collect();
        list.sort_by_key(|difference| !difference.key.starts_with("settings."));
        list
    };
    settings_first.into_iter().take(MAX_TRIED).filter_map(one).collect()
}

/// Only the settings that differ, and what does not follow from them, are worth telling: of the
/// settings, first the one from which most of the rest follows.
fn shortened(first: &Ruleset, second: &Ruleset, all: Vec<KeyDifference>) -> Vec<KeyDifference> {
    let mut told: Vec<&KeyDifference> = Vec::new();
    let mut left = all.clone();
    loop {
        let with = |one: &'_ KeyDifference| {
            let one = all.iter().find(|known| known.key == one.key)?;
            let changes: Vec<&KeyDifference> = told.iter().copied().chain([one]).collect();
            let rules = with_keys(first, &changes)?;
            Some((one, differences(&rules, second)))
        };
        let settings = left.iter().filter(|one| one.key.starts_with("settings.")).take(MAX_TRIED);
        let best = settings.filter_map(with).min_by_key(|(_, rest)| rest.len());
        match best.filter(|(_, rest)| rest.len() < left.len()) {
            Some((one, rest)) => {
                told.push(one);
                left = rest;
            }
            None => break,
        }
    }
    let is_told = |one: &KeyDifference| {
        told.iter().any(|known| known.key == one.key) || left.iter().any(|l| l.key == one.key)
    };
    all.iter().filter(|one| is_told(one)).cloned().collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kit::Hall;
    use scrutineer_projections::ruleset::{Library, parse};

    const LEAGUE: &str = "name = \"League\"\nedition = \"2027\"\nsource = \"league.example\"\n\
        extends = \"mtr\"\norder = [\"points\", \"ogw\", \"omw\"]\n\
        [settings]\npercentage_floor = \"1/4\"\n";

    /// An edition is in no library: its texts were all that was there.
    #[test]
    fn a_ruleset_that_is_in_no_library_differs_in_what_its_file_says_and_back_again() {
        let hall = Hall::new();
        let event = hall.store.load(hall.stream, true).expect("readable");
        let mut library = Library::shipped();
        let id = library.load_file("league.toml", LEAGUE).expect("a ruleset");
        // As an edition has it: the texts alone.
        let league = Arc::new(parse(&library.chain(&id).expect("texts")).expect("a ruleset"));
        let mtr = Arc::new(Library::shipped().ruleset("mtr").expect("shipped"));
        for pair in [[&mtr, &league], [&league, &mtr]] {
            let found = compared(&event, pair, Scope::default(), None).expect("ranked").found;
            let keys: Vec<&str> = found.differences.iter().map(|one| &one.key[..]).collect();
            assert_eq!(keys, ["order", "settings.percentage_floor"]);
        }
    }

    #[test]
    fn changes_of_changes_are_one_text_and_the_last_one_counts() {
        let library = Library::shipped();
        let once = library.ruleset("mtr+points.draw=0+points.win=4").expect("shipped");
        let again = changed(&once.files, "points.draw=2").expect("a ruleset");
        assert_eq!((&again.keys["points.draw"][..], &again.keys["points.win"][..]), ("2", "4"));
        assert_eq!(again.files.len(), once.files.len());
        assert!(changed(&once.files, "points.draw").is_err());
    }
}
