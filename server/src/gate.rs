//! Who may do what: the roles, and one table for the orders.

use scrutineer_desk::floor::Change;
use scrutineer_desk::orders::Order;
use scrutineer_desk::verb_error::VerbError;
use scrutineer_engine::error::Code;
use scrutineer_engine::event::Event;
use serde::{Deserialize, Serialize};

/// In what role somebody looks at a tournament or works on it.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
#[serde(rename_all = "kebab-case")]
pub enum Role {
    /// Nobody signed in.
    #[default]
    Public,
    /// The server of a venue, which pushes its tournaments here and reads what everybody reads.
    Venue,
    /// Enrolls players and puts their names right.
    Helper,
    /// Takes results, gives penalties, opens disputes.
    Judge,
    /// Runs the rounds.
    Scorekeeper,
    /// Rules, and may take back anything.
    HeadJudge,
    /// Whose store it is.
    Owner,
}

impl Role {
    /// Every role, with the fewest rights first.
    pub const ALL: [Role; 7] = [
        Role::Public,
        Role::Venue,
        Role::Helper,
        Role::Judge,
        Role::Scorekeeper,
        Role::HeadJudge,
        Role::Owner,
    ];

    /// Returns what it is called.
    pub const fn word(self) -> &'static str {
        match self {
            Role::Public => "public",
            Role::Venue => "venue",
            Role::Helper => "helper",
            Role::Judge => "judge",
            Role::Scorekeeper => "scorekeeper",
            Role::HeadJudge => "head judge",
            Role::Owner => "owner",
        }
    }

    /// Returns the role that is called so; also with a hyphen.
    pub fn of_word(word: &str) -> Option<Role> {
        Role::ALL.into_iter().find(|role| role.word().replace(' ', "-") == word.replace(' ', "-"))
    }
}

/// What a route asks of whoever calls it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Need {
    /// Nothing: standings, published pairings and brackets are for everybody.
    Anyone,
    /// Nothing; whoever may not see drafts gets what is public.
    Published,
    /// Any of the staff.
    Staff,
    /// Any of the staff, who only look: at a copy too, in which nothing is recorded.
    Looking,
    /// Those who may see drafts and try changes: scorekeepers and above.
    Drafts,
    /// The owner and head judges.
    HeadJudge,
    /// The owner alone.
    Owner,
    /// The player whose link was opened on this device.
    Player,
    /// The link of a screen.
    Screen,
    /// What the order itself asks for, as [`may`] has it.
    ByOrder,
    /// The command line of this machine, with the key of `server.json`.
    Local,
    /// The other one of two laptops, with the key of both.
    Second,
    /// A venue that pushes its tournaments here.
    Venue,
}

impl Need {
    /// Returns what a page of the staff asks of those who open it, by its path below the
    /// tournament's. The table of routes has it from here, and so have the pages that lead there.
    pub fn of_staff_page(path: &str) -> Need {
        match path.split('/').next().unwrap_or_default() {
            "cross" | "moved" | "places" | "print" | "replay" | "screen-link" | "what-if" => {
                Need::Drafts
            }
            // The list is for all of the staff; a file says what each ruling would change.
            "disputes" if path.contains('/') => Need::Drafts,
            "export" => Need::HeadJudge,
            "policies" => Need::Owner,
            _ => Need::Staff,
        }
    }

    /// Returns whether a role is enough.
    pub const fn admits(self, role: Role) -> bool {
        match self {
            Need::Anyone | Need::Published => true,
            Need::Staff | Need::Looking | Need::ByOrder => {
                !matches!(role, Role::Public | Role::Venue)
            }
            Need::Drafts => matches!(role, Role::Scorekeeper | Role::HeadJudge | Role::Owner),
            Need::HeadJudge => matches!(role, Role::HeadJudge | Role::Owner),
            Need::Owner => matches!(role, Role::Owner),
            Need::Venue => matches!(role, Role::Venue),
            // A role never is: the key itself is asked for.
            Need::Local | Need::Second | Need::Player | Need::Screen => false,
        }
    }

    /// Returns who may, in words.
    pub const fn who(self) -> &'static str {
        match self {
            Need::Anyone | Need::Published => "everybody may",
            Need::Staff | Need::Looking | Need::ByOrder => "the staff of the tournament may",
            Need::Drafts => "the owner, head judges and scorekeepers may",
            Need::HeadJudge => "the owner and head judges may",
            Need::Owner => "the owner may, at this machine",
            Need::Player => "the player may, on the device on which their link was opened",
            Need::Screen => "whoever has the link of the screen may",
            Need::Local => "the command line of this machine may",
            Need::Venue => "a venue may, with a token for it",
            Need::Second => "the second laptop may, with its key",
        }
    }

    /// Returns whether a role that may call such a route knows more there than is public.
    pub const fn shows_all(self, role: Role) -> bool {
        match self {
            Need::Published => Need::Drafts.admits(role),
            _ => Need::Staff.admits(role),
        }
    }

    /// Refuses a role that is not enough.
    ///
    /// # Errors
    /// [`not_allowed`] with who may.
    pub fn check(self, role: Role) -> Result<(), VerbError> {
        if self.admits(role) { Ok(()) } else { Err(not_allowed(role, self.who())) }
    }
}

/// Returns the least role that may give an order; judges and helpers have orders of their own.
const fn least(verb: &str) -> (Role, &'static str) {
    const HEAD: (Role, &str) = (Role::HeadJudge, "the owner and head judges may");
    match verb.as_bytes() {
        b"result" | b"penalty" | b"dispute" | b"claim" | b"note-score" => {
            (Role::Judge, "the owner, head judges, scorekeepers and judges may")
        }
        // What a judge undoes is held against what they recorded.
        b"undo" => (Role::Judge, "the owner, head judges, scorekeepers and judges may"),
        b"enroll" | b"late" | b"rename" | b"set-division" | b"describe" | b"drop" | b"check-in" => {
            (Role::Helper, "the owner, head judges, scorekeepers and helpers may")
        }
        b"pair" | b"publish" | b"repair" | b"set-pairing" | b"cut" | b"announce" | b"correct"
        | b"withdraw" | b"lots" | b"note" | b"reinstate" | b"bye" | b"keep-table" | b"tables" => {
            (Role::Scorekeeper, "the owner, head judges and scorekeepers may")
        }
        // rule, disqualify, advance, amend-rules, name-staff, reseed, remove, close, and whatever comes.
        _ => HEAD,
    }
}

/// Refuses an order that a role may not give.
///
/// # Errors
/// [`not_allowed`] with who may.
pub fn may(role: Role, order: &Order) -> Result<(), VerbError> {
    may_give(role, order.verb())
}

/// As [`may`], of every order of a verb.
///
/// # Errors
/// As [`may`].
pub fn may_give(role: Role, verb: &str) -> Result<(), VerbError> {
    let (at_least, who) = least(verb);
    let enough = match at_least {
        Role::Judge => role >= Role::Judge,
        Role::Helper => role == Role::Helper || role >= Role::Scorekeeper,
        at_least => role >= at_least,
    };
    if enough { Ok(()) } else { Err(not_allowed(role, who)) }
}

/// Returns whether a role may take these events back: a head judge whatever it is, a scorekeeper what they
/// could have typed, which are results, penalties, drops and check-ins.
pub fn may_take_back<'a>(role: Role, events: impl IntoIterator<Item = &'a Event>) -> bool {
    let is_typed = |event: &Event| {
        matches!(
            event,
            Event::ResultRecorded(_)
                | Event::ResultCorrected(_)
                | Event::PenaltyGiven(_)
                | Event::PlayerDropped(_)
                | Event::PlayerCheckedIn(_)
        )
    };
    role >= Role::HeadJudge || role == Role::Scorekeeper && events.into_iter().all(is_typed)
}

/// Refuses what a role may not do on the floor.
///
/// # Errors
/// [`not_allowed`] with who may.
pub fn may_change(role: Role, change: &Change) -> Result<(), VerbError> {
    let (at_least, who) = match change.is_for_the_room() {
        true => (Role::Scorekeeper, "the owner, head judges and scorekeepers may"),
        false => (Role::Judge, "the owner, head judges, scorekeepers and judges may"),
    };
    if role >= at_least { Ok(()) } else { Err(not_allowed(role, who)) }
}

/// What is said to those who have not signed in.
pub const NOBODY: &str = "nobody has signed in here";

/// Returns the refusal of somebody whose role is not enough.
pub fn not_allowed(role: Role, who: &str) -> VerbError {
    let message = match role {
        Role::Public => NOBODY.to_string(),
        Role::Owner => "an owner may not do this".to_string(),
        role => format!("a {} may not do this", role.word()),
    };
    VerbError::new(Code::forbidden("not-allowed"), message, who)
}

#[cfg(test)]
mod tests {
    use super::*;
    use scrutineer_engine::event::{DropReason, PairingsPublished, PlayerDropped};

    fn order(json: &str) -> Order {
        serde_json::from_str(json).expect("an order")
    }

    #[test]
    fn each_role_gives_its_own_orders_and_no_others() {
        let result = order(r#"{"order":"result","slip":"1 2-0"}"#);
        let drop = order(r#"{"order":"drop","player":"Ann"}"#);
        let pair = order(r#"{"order":"pair"}"#);
        let close = order(r#"{"order":"close"}"#);
        let allowed = |order: &Order| Role::ALL.map(|role| may(role, order).is_ok());
        assert_eq!(allowed(&result), [false, false, false, true, true, true, true]);
        assert_eq!(allowed(&drop), [false, false, true, false, true, true, true]);
        assert_eq!(allowed(&pair), [false, false, false, false, true, true, true]);
        assert_eq!(allowed(&close), [false, false, false, false, false, true, true]);
    }

    #[test]
    fn a_scorekeeper_takes_back_what_they_could_have_typed_and_a_judge_nothing() {
        let drop = PlayerDropped { player: 1, why: DropReason::Left, after_round: 1 };
        let drop = Event::PlayerDropped(drop);
        let may = |events: &[Event]| Role::ALL.map(|role| may_take_back(role, events));
        assert_eq!(
            may(std::slice::from_ref(&drop)),
            [false, false, false, false, true, true, true]
        );
        let publish = Event::PairingsPublished(PairingsPublished { round: 1 });
        assert_eq!(may(&[drop, publish]), [false, false, false, false, false, true, true]);
    }

    #[test]
    fn a_judge_extends_and_a_scorekeeper_sets_the_clock() {
        let more = Change::Extend { table: 1, minutes: 3, round: None };
        let start = Change::StartClock { minutes: 50, round: None };
        let allowed = |change: &Change| Role::ALL.map(|role| may_change(role, change).is_ok());
        assert_eq!(allowed(&more), [false, false, false, true, true, true, true]);
        assert_eq!(allowed(&start), [false, false, false, false, true, true, true]);
    }

    #[test]
    fn a_role_is_found_by_its_word() {
        for role in Role::ALL {
            assert_eq!(Role::of_word(role.word()), Some(role));
        }
        assert_eq!(Role::of_word("head-judge"), Some(Role::HeadJudge));
        assert_eq!(Role::of_word("king"), None);
    }
}
