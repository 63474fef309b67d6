//! A new tournament with every setting of an earlier one.

use super::New;
use super::opening::usual_line;
use super::order::RulesetText;
use crate::desk::Opening;
use crate::rules::in_force;
use scrutineer_engine::event::{Day, Per, PlannedPhase, ScoreLine, Scoresheet};
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

/// What a tournament like one of this title may be called: a title that ends in a number has the next one that
/// is free, one that ends in a day or a year those of today. None for every other: two of one title are taken
/// for each other.
pub fn next_title(title: &str, today: Day, taken: &[&str]) -> Option<String> {
    let title = title.trim_end();
    let is_free = |new: &String| new != title && !taken.contains(&&new[..]);
    let [year, month, day] = [u32::from(today.year), today.month.into(), today.day.into()];
    // The part behind the last space: a title may be nothing else.
    let begins = title.rfind(char::is_whitespace).map_or(0, |at| at + 1);
    let (before, last) = title.split_at(begins);
    for (sign, day_first) in [('-', false), ('.', true), ('/', true)] {
        let parts: Vec<&str> = last.split(sign).collect();
        let [one, two, three] = parts[..] else { continue };
        let digits = |part: &str, most: usize| {
            (1..=most).contains(&part.len()) && part.bytes().all(|byte| byte.is_ascii_digit())
        };
        let is_day = match day_first {
            false => one.len() == 4 && digits(one, 4) && digits(two, 2) && digits(three, 2),
            true => digits(one, 2) && digits(two, 2) && three.len() == 4 && digits(three, 4),
        };
        if is_day {
            let new = match (day_first, sign) {
                (true, _) if one.len() == 1 || two.len() == 1 => {
                    format!("{before}{day}{sign}{month}{sign}{year}")
                }
                (true, _) => format!("{before}{day:02}{sign}{month:02}{sign}{year}"),
                (false, _) => format!("{before}{year}-{month:02}-{day:02}"),
            };
            return Some(new).filter(is_free);
        }
    }
    let digits = title.bytes().rev().take_while(u8::is_ascii_digit).count();
    let (before, number) = title.split_at(title.len() - digits);
    // What stands behind a point or a sign is part of something else.
    if number.is_empty() || number.len() > 6 || before.ends_with(['.', ',', '/', '-', ':']) {
        return None;
    }
    let counted: u32 = number.parse().ok()?;
    if number.len() == 4 && (1900..2100).contains(&counted) {
        return Some(format!("{before}{year}")).filter(is_free);
    }
    let width = number.len();
    (counted + 1..).take(10_000).map(|next| format!("{before}{next:0width$}")).find(is_free)
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

    /// A league had two tournaments "League Night 1", and nobody knew which was meant.
    #[test]
    fn a_tournament_like_another_is_called_by_the_next_number_or_the_day() {
        let today = Day { year: 2026, month: 11, day: 27 };
        let taken = ["League Night 1", "League Night 2", "Friday 009", "Open 2026-11-27"];
        for (title, next) in [
            ("League Night 1", Some("League Night 3")),
            ("Friday 009", Some("Friday 010")),
            ("#7", Some("#8")),
            ("League 2026-11-20", Some("League 2026-11-27")),
            ("Liga 20.11.2026", Some("Liga 27.11.2026")),
            ("Liga 3.1.2026", Some("Liga 27.11.2026")),
            ("Club 20/11/2026", Some("Club 27/11/2026")),
            ("Summer Open 2025", Some("Summer Open 2026")),
            ("Summer Open 2026", None),
            ("Open 2026-11-27", None),
            ("Open 2026-11-20", None),
            ("Friday Night", None),
            ("League (3)", None),
            ("Edition 1.5", None),
            ("Number 12345678", None),
        ] {
            assert_eq!(next_title(title, today, &taken).as_deref(), next, "{title}");
        }
    }

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
