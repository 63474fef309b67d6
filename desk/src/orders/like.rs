//! A new tournament with every setting of an earlier one.

use super::New;
use super::opening::usual_line;
use super::order::RulesetText;
use crate::desk::Opening;
use crate::rules::in_force;
use scrutineer_engine::event::{Per, PlannedPhase, ScoreLine, Scoresheet};
use scrutineer_projections::ruleset::Library;
use scrutineer_replay::loaded::LoadedTournament;

/// Returns what opens a tournament like this one, with its title and without its day; none where its log
/// has no opening.
pub fn like(event: &LoadedTournament) -> Option<New> {
    let opened = event.state.opened()?;
    let rules = event.state.ruleset().unwrap_or(&opened.ruleset);
    let shipped = Library::shipped().ids();
    // Changes that were typed behind a ruleset stand in its id; shipped texts are those of now.
    let is_own = |name: &String| !name.contains('+') && !shipped.contains(name);
    let own = rules.iter().filter(|file| is_own(&file.name)).cloned();
    let sheet = &opened.scoresheet;
    let read = in_force(rules).ok();
    let usual = read.map(|rules| Opening::scoresheet_for(&rules, sheet.best_of.unwrap_or(3)));
    let is_usual = sheet.lines.is_empty() || usual.as_ref() == Some(sheet);
    Some(New {
        title: event.title(),
        rules: rules.first().map(|file| file.name.clone()).unwrap_or_default(),
        files: own.map(RulesetText::from).collect(),
        best_of: sheet.best_of,
        phases: opened.plan.iter().map(|phase| phase_as_typed(phase, sheet)).collect(),
        held_on: None,
        slip: (!is_usual).then(|| slip_as_typed(sheet)),
    })
}

/// A phase as it is typed: `single-elimination:8:bo5`.
fn phase_as_typed(phase: &PlannedPhase, sheet: &Scoresheet) -> String {
    let count = phase.players.or(phase.rounds.map(u32::from));
    let count = count.map_or(String::new(), |count| format!(":{count}"));
    let own = phase.scoresheet.as_ref().and_then(|own| own.best_of);
    let games = own.filter(|games| Some(*games) != sheet.best_of);
    let games = games.map_or(String::new(), |games| format!(":bo{games}"));
    format!("{}{count}{games}", phase.kind.spelled())
}

/// A slip as it is typed: `games,drawn/table`, `objective:0..10,survival`.
fn slip_as_typed(sheet: &Scoresheet) -> String {
    let line = |line: &ScoreLine| {
        let per = if line.per == Per::Table { "/table" } else { "" };
        let range = match (line.min, line.max) == (0, usual_line(&line.name).1) {
            true => String::new(),
            false => format!(":{}..{}", line.min, line.max),
        };
        format!("{}{per}{range}", line.name)
    };
    sheet.lines.iter().map(line).collect::<Vec<_>>().join(",")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::asker::Asker;
    use crate::orders::open;
    use crate::store::Store;

    #[test]
    fn a_tournament_like_another_is_opened_with_the_same_settings() {
        let store = Store::in_memory();
        let asker = Asker { rehearse: Some("like".into()), ..Asker::default() };
        let own = "name = \"Ours\"\nedition = \"2026\"\nsource = \"ours\"\nextends = \"mtr\"\n";
        let given = [
            New { rules: "mtr".into(), ..New::default() },
            New {
                rules: "mtr+settings.percentage_floor=1/2".into(),
                best_of: Some(5),
                phases: ["swiss:4", "single-elimination:8:bo3", "single-elimination:2"]
                    .map(String::from)
                    .into(),
                ..New::default()
            },
            New {
                rules: "ours".into(),
                files: vec![RulesetText { id: "ours".into(), text: own.into() }],
                slip: Some("games,drawn/table".into()),
                ..New::default()
            },
            New {
                rules: "mtr".into(),
                slip: Some("games,drawn/table:0..3,objective:-5..50,kills".into()),
                ..New::default()
            },
        ];
        // What the rules read is no choice of anybody's.
        let slips = [None, None, None, Some("games,drawn/table:0..3,objective:-5..50,kills")];
        for (new, slip) in given.into_iter().zip(slips) {
            let new = New { title: "Friday".into(), ..new };
            let (first, _) =
                open(&asker, &store, &new).unwrap_or_else(|e| panic!("{new:?}: {e:?}"));
            let event = store.load(first, false).expect("loaded");
            let again = like(&event).expect("an opening");
            assert_eq!(again.slip.as_deref(), slip);
            let (second, _) =
                open(&asker, &store, &again).unwrap_or_else(|e| panic!("{again:?}: {e:?}"));
            let state = store.load(second, false).expect("loaded").state;
            let [before, after] = [&event.state, &state].map(|one| one.opened().expect("opened"));
            assert_eq!(before.ruleset, after.ruleset, "{new:?}");
            assert_eq!(before.scoresheet, after.scoresheet, "{new:?}");
            assert_eq!(before.plan, after.plan, "{new:?}");
        }
    }
}
