//! Finding a player by what somebody typed.

use crate::answers::Player;
use crate::store::Called;
use crate::verb_error::VerbError;
use scrutineer_engine::book::Book;
use scrutineer_engine::error::Code;
use scrutineer_engine::event::PlayerNumber;
use scrutineer_engine::names::{folded, plain};
use scrutineer_engine::tournament::Tournament;
use scrutineer_replay::loaded::LoadedTournament;
use std::sync::Arc;

/// The players of an event by number, and what they are called.
pub struct Names(Arc<Called>);

impl Names {
    /// The names in a private book.
    pub fn of(state: &Tournament, book: &Book) -> Names {
        Names(Arc::new(Called::of(state, book)))
    }

    /// What a store keeps of a tournament's players.
    pub fn as_called(called: Arc<Called>) -> Names {
        Names(called)
    }

    /// A player's name.
    pub fn name(&self, number: PlayerNumber) -> String {
        let name = self.0.shown.get((number as usize).wrapping_sub(1));
        name.cloned().unwrap_or_else(|| format!("player {number}"))
    }

    /// A player, by number and name.
    pub fn player(&self, number: PlayerNumber) -> Player {
        Player { number, name: self.name(number) }
    }

    /// Several players, by number and name.
    pub fn players(&self, numbers: &[PlayerNumber]) -> Vec<Player> {
        numbers.iter().map(|&number| self.player(number)).collect()
    }

    /// `Ann against Bob`; at larger tables everybody.
    pub fn against(&self, seats: &[PlayerNumber]) -> String {
        self.list(seats, if seats.len() == 2 { " against " } else { ", " })
    }

    /// Several names, joined.
    pub fn list(&self, numbers: &[PlayerNumber], between: &str) -> String {
        numbers.iter().map(|&number| self.name(number)).collect::<Vec<_>>().join(between)
    }

    /// The one of these players who is meant by their name, or a part of it; none: no one, or several.
    pub fn find_among(&self, typed: &str, among: &[PlayerNumber]) -> Option<PlayerNumber> {
        match self.called(typed, among)[..] {
            [one] => Some(one),
            _ => None,
        }
    }

    /// Those of these players who may be meant by a name, or a part of one.
    fn called(&self, typed: &str, among: &[PlayerNumber]) -> Vec<PlayerNumber> {
        let wanted = folded(typed);
        let without_accents = plain(&wanted);
        let called = |number: &PlayerNumber| folded(&self.name(*number));
        let apart = |c: char| !c.is_alphanumeric();
        // Accents count where they are typed.
        let is_plain = wanted == without_accents;
        let tests: [&dyn Fn(&str) -> bool; 6] = [
            &|name| name == wanted,
            &|name| plain(name) == without_accents,
            &|name| !wanted.is_empty() && name.split(apart).any(|word| word == wanted),
            &|name| {
                let is_it = |word: &str| !word.is_empty() && word == without_accents;
                is_plain && plain(name).split(apart).any(is_it)
            },
            &|name| name.contains(&wanted),
            &|name| is_plain && plain(name).contains(&without_accents),
        ];
        for test in tests {
            let found: Vec<PlayerNumber> =
                among.iter().copied().filter(|number| test(&called(number))).collect();
            if !found.is_empty() {
                return found;
            }
        }
        Vec::new()
    }

    /// The player who is meant of those who sit at a table: whoever else is called so comes second.
    ///
    /// # Errors
    /// Where several of the table could be meant, or several of whom none sits there.
    pub fn find_at(
        &self,
        typed: &str,
        place: &str,
        seats: &[PlayerNumber],
    ) -> Result<PlayerNumber, VerbError> {
        let is_number = typed.trim().trim_start_matches('#').parse::<PlayerNumber>().is_ok();
        let here = if is_number { Vec::new() } else { self.called(typed, seats) };
        match &here[..] {
            [one] => return Ok(*one),
            [] => {}
            several => {
                let all = several.iter().map(|&one| (one, self.name(one))).collect::<Vec<_>>();
                return Err(ambiguous(typed, &all.iter().collect::<Vec<_>>()));
            }
        }
        self.find(typed).map_err(|mut fail| {
            if fail.code == "which-player" && !seats.is_empty() {
                let who = self.who_sits(seats);
                fail.code = Code::refused("not-at-table");
                fail.message.push_str(&format!("; none of them sits at {place}: {who}"));
                fail.hint = Some("look the table up in the pairings".into());
            }
            fail
        })
    }

    /// `Ann Lee (number 1) and Bob Park (number 2) do`.
    pub fn who_sits(&self, seats: &[PlayerNumber]) -> String {
        let mut all: Vec<String> =
            seats.iter().map(|&one| format!("{} (number {one})", self.name(one))).collect();
        let last = all.pop().unwrap_or_default();
        match all.is_empty() {
            true => format!("{last} does"),
            false => format!("{} and {last} do", all.join(", ")),
        }
    }

    /// The player that is meant: by number, by name, or by a part of it that only they have.
    pub fn find(&self, typed: &str) -> Result<PlayerNumber, VerbError> {
        let all = &self.0.typed;
        // A number is one also where somebody is called like it.
        let number = typed.trim().trim_start_matches('#').parse::<PlayerNumber>().ok();
        if let Some(number) = number.filter(|n| all.iter().any(|(number, _)| number == n)) {
            return Ok(number);
        }
        let wanted = folded(typed);
        let exact = |name: &str| folded(name) == wanted;
        let shown = all.iter().find(|(number, _)| exact(&self.name(*number)));
        if let Some((number, _)) = shown {
            return Ok(*number);
        }
        // Accents count where they are typed: `Jose` is José too, `José` is no Jose.
        let without_accents = plain(&wanted);
        let with_accents = wanted != without_accents;
        let plainly = |name: &str| plain(&folded(name)) == without_accents;
        let part = |name: &str| with_accents && folded(name).contains(&wanted);
        let plain_part = |name: &str| {
            !without_accents.is_empty() && plain(&folded(name)).contains(&without_accents)
        };
        // A whole word comes before a part of one: `Ann` is Ann Lee, and not Yann.
        let apart = |c: char| !c.is_alphanumeric();
        let word = |name: &str| {
            let is_it = |word: &str| !word.is_empty() && word == without_accents;
            plain(&folded(name)).split(apart).any(is_it)
        };
        let word_with =
            |name: &str| with_accents && folded(name).split(apart).any(|word| word == wanted);
        let tests: [&dyn Fn(&str) -> bool; 6] =
            [&exact, &plainly, &word_with, &word, &part, &plain_part];
        for test in tests {
            let found: Vec<&(PlayerNumber, String)> =
                all.iter().filter(|(_, name)| test(name)).collect();
            match &found[..] {
                [] => {}
                [(number, _)] => return Ok(*number),
                several => return Err(ambiguous(typed, several)),
            }
        }
        Err(unknown(typed, &without_accents, all))
    }
}

/// The player that is meant in an event that was read whole.
pub fn find_player(event: &LoadedTournament, typed: &str) -> Result<PlayerNumber, VerbError> {
    Names::of(&event.state, &event.book).find(typed)
}

fn ambiguous(typed: &str, several: &[&(PlayerNumber, String)]) -> VerbError {
    let shown = several.iter().take(8).map(|(number, name)| format!("{name} (number {number})"));
    let mut names = shown.collect::<Vec<_>>().join(", ");
    if several.len() > 8 {
        names.push_str(", …");
    }
    let message = format!("{} players could be meant by {typed:?}: {names}", several.len());
    let number = several.first().map_or(1, |(number, _)| *number);
    let hint = format!("type more of the name, or the number, such as \"#{number}\"");
    VerbError::new(Code::not_found("which-player"), message, hint)
}

fn unknown(typed: &str, wanted: &str, all: &[(PlayerNumber, String)]) -> VerbError {
    let likeness = |name: &str| strsim::jaro_winkler(&plain(name), wanted);
    let close = all.iter().map(|(_, name)| (likeness(name), name));
    let best = close.filter(|(likeness, _)| *likeness > 0.75);
    let best = best.max_by(|a, b| a.0.total_cmp(&b.0));
    let meant = best.map_or(String::new(), |(_, name)| format!("; did you mean {name:?}?"));
    let message = format!("no player is called {typed:?}{meant}");
    VerbError::new(Code::not_found("unknown-player"), message, "`scrutineer players` lists them")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_whole_word_of_a_name_comes_before_a_part_of_one() {
        let typed = ["Ann Kowalski", "Yann Berg", "Jo Anna", "Lee, José"];
        let typed = (1u32..).zip(typed.map(str::to_string)).collect::<Vec<_>>();
        let shown = typed.iter().map(|(_, name)| name.clone()).collect();
        let names = Names::as_called(Arc::new(Called { shown: Arc::new(shown), typed }));
        let found = |typed: &str| names.find(typed).map_err(|error| error.code.word);
        assert_eq!(found("Ann"), Ok(1));
        assert_eq!(found("ann"), Ok(1));
        assert_eq!(found("yan"), Ok(2));
        assert_eq!((found("jose"), found("José"), found("lee")), (Ok(4), Ok(4), Ok(4)));
        assert_eq!(found("an"), Err("which-player"));
        assert_eq!(names.find_among("ann", &[2, 1]), Some(1));
        assert_eq!(names.find_among("ann", &[2, 4]), Some(2), "Yann, where no Ann sits");
    }

    #[test]
    fn who_sits_at_the_table_is_meant_before_everybody_else_who_is_called_so() {
        let typed = ["Ann Smith", "Jo Smith", "Kim Smithers", "Bob Lee", "Cid Lee"];
        let typed = (1u32..).zip(typed.map(str::to_string)).collect::<Vec<_>>();
        let shown = typed.iter().map(|(_, name)| name.clone()).collect();
        let names = Names::as_called(Arc::new(Called { shown: Arc::new(shown), typed }));
        let at = |typed: &str, seats: &[u32]| {
            let found = names.find_at(typed, "table 3 of round 1", seats);
            found.map_err(|fail| (fail.code.word, fail.message))
        };
        assert_eq!(at("smith", &[2, 4]), Ok(2));
        assert_eq!(at("smith", &[3, 2]), Ok(2), "the whole word");
        assert_eq!(at("smith", &[3, 4]), Ok(3));
        // A number is nobody's name, and who sits elsewhere is told so where it is recorded.
        assert_eq!((at("#1", &[2, 4]), at("1", &[2, 4])), (Ok(1), Ok(1)));
        let (code, message) = at("smith", &[1, 2]).expect_err("both sit there");
        assert_eq!(code, "which-player");
        assert!(message.ends_with("Ann Smith (number 1), Jo Smith (number 2)"), "{message}");
        let (code, message) = at("smith", &[4, 5]).expect_err("neither sits there");
        assert_eq!(code, "not-at-table");
        assert_eq!(
            message,
            "2 players could be meant by \"smith\": Ann Smith (number 1), Jo Smith (number 2); none of \
             them sits at table 3 of round 1: Bob Lee (number 4) and Cid Lee (number 5) do"
        );
        assert_eq!(at("nobody", &[4, 5]).expect_err("nobody").0, "unknown-player");
    }
}
