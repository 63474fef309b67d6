//! What the organizer chose to show everybody: names, records, standings.

use scrutineer_engine::event::{DropReason, Event, PlayerNumber, RoundNumber, Seq};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use utoipa::ToSchema;

/// How much of a name everybody sees; each shows less than the one before.
#[derive(
    Clone,
    Copy,
    Debug,
    Default,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Hash,
    Serialize,
    Deserialize,
    ToSchema,
)]
#[serde(rename_all = "kebab-case")]
pub enum ShownName {
    /// All of it.
    #[default]
    Full,
    /// `Ann L.`; a name of one word by its first letter, as nobody knows which name it is.
    FirstLastInitial,
    /// `A. L.`
    Initials,
    /// `player 12`.
    Number,
}

impl ShownName {
    /// Each of them, with the one first that shows most.
    pub const ALL: [ShownName; 4] =
        [ShownName::Full, ShownName::FirstLastInitial, ShownName::Initials, ShownName::Number];

    /// Returns its word.
    pub const fn word(self) -> &'static str {
        match self {
            ShownName::Full => "full",
            ShownName::FirstLastInitial => "first-last-initial",
            ShownName::Initials => "initials",
            ShownName::Number => "number",
        }
    }

    /// Returns the one with this word.
    pub fn of_word(word: &str) -> Option<ShownName> {
        ShownName::ALL.into_iter().find(|shown| shown.word() == word)
    }

    /// Returns a player's name as everybody sees it.
    pub fn of(self, name: &str, number: PlayerNumber) -> String {
        // `Lee, Ann` is Ann Lee.
        let (last, first) = match name.split_once(',') {
            Some((last, first)) if !first.trim().is_empty() => (last, first),
            _ => {
                let (first, last) =
                    name.trim().rsplit_once(char::is_whitespace).unwrap_or(("", name));
                (last, first)
            }
        };
        let first = first.split_whitespace().next();
        let initial = |word: &str| {
            let letter = word.trim().chars().next();
            letter.map_or(String::new(), |letter| format!("{}.", letter.to_uppercase()))
        };
        match (self, first) {
            (ShownName::Full, _) => name.to_string(),
            (ShownName::FirstLastInitial, Some(first)) => format!("{first} {}", initial(last)),
            (ShownName::Initials, Some(first)) => format!("{} {}", initial(first), initial(last)),
            (ShownName::FirstLastInitial | ShownName::Initials, None) => initial(last),
            (ShownName::Number, _) => format!("player {number}"),
        }
    }
}

/// Who may read the records of a tournament.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Records {
    /// Everybody, as far as they are public.
    #[default]
    Public,
    /// Programs with a token. Then pages of the public leave penalties and disqualifications out.
    WithToken,
}

impl Records {
    /// Returns its word.
    pub const fn word(self) -> &'static str {
        match self {
            Records::Public => "public",
            Records::WithToken => "with-token",
        }
    }
}

/// What everybody may see of a tournament.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Policy {
    /// How much of names.
    pub names: ShownName,
    /// Who reads the records.
    pub records: Records,
    /// From which round on standings are hidden, until they are announced or the tournament is closed.
    pub hidden_from: Option<RoundNumber>,
    /// Players who wish to be shown by less, by number: whichever shows less counts.
    pub wishes: BTreeMap<PlayerNumber, ShownName>,
}

impl Policy {
    /// Returns how much of a player's name everybody sees.
    pub fn shown(&self, player: PlayerNumber) -> ShownName {
        self.wishes.get(&player).map_or(self.names, |wish| self.names.max(*wish))
    }
}

/// Takes the penalties that it served out of a result.
pub(crate) fn without_served(event: &mut Event) {
    match event {
        Event::ResultRecorded(one) => one.result.penalties_served.clear(),
        Event::ResultCorrected(one) => one.result.penalties_served.clear(),
        Event::ResultClaimed(one) => one.result.penalties_served.clear(),
        _ => {}
    }
}

/// Returns the events that pages of the public leave out, and what withdraws them: notes, who is of the
/// staff, what one player claims of a match, which is between them, their opponent and the desk; where records
/// are for tokens alone also penalties and disqualifications.
pub fn left_out<'a>(
    log: impl IntoIterator<Item = (Seq, &'a Event)>,
    records: Records,
) -> BTreeSet<Seq> {
    let has_penalties = records == Records::Public;
    let mut out = BTreeSet::new();
    for (seq, event) in log {
        let is_out = match event {
            Event::NoteAdded(_) | Event::StaffNamed(_) | Event::ResultClaimed(_) => true,
            Event::PenaltyGiven(_) => !has_penalties,
            Event::PlayerDropped(one) => !has_penalties && one.why == DropReason::Disqualified,
            Event::Withdrawn(one) => out.contains(&one.seq),
            _ => false,
        };
        if is_out {
            out.insert(seq);
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_shown_by_as_much_as_was_chosen() {
        let shown = |name: &str| ShownName::ALL.map(|how| how.of(name, 12));
        assert_eq!(shown("Ann Lee"), ["Ann Lee", "Ann L.", "A. L.", "player 12"]);
        assert_eq!(shown("Lee, Ann Marie"), ["Lee, Ann Marie", "Ann L.", "A. L.", "player 12"]);
        let maria = ["María de la Cruz", "María C.", "M. C.", "player 12"];
        assert_eq!(shown("María de la Cruz"), maria);
        assert_eq!(shown("Özil"), ["Özil", "Ö.", "Ö.", "player 12"]);
        assert_eq!(shown("山田太郎"), ["山田太郎", "山.", "山.", "player 12"]);
        assert_eq!(shown("Lee,"), ["Lee,", "L.", "L.", "player 12"]);
    }

    #[test]
    fn whichever_shows_less_counts() {
        let (names, wishes) = (ShownName::Initials, [(1, ShownName::Number), (2, ShownName::Full)]);
        let policy = Policy { names, wishes: wishes.into(), ..Policy::default() };
        assert_eq!(
            [1, 2, 3].map(|player| policy.shown(player)),
            [ShownName::Number, ShownName::Initials, ShownName::Initials]
        );
    }
}
