//! What everybody may see of a tournament, as its owner chooses it.

use super::frame::{Frame, Tab};
use super::{Looked, Person, render};
use askama::Template;
use scrutineer_desk::public::{Policy, Records, ShownName};
use scrutineer_desk::verb_error::VerbError;

#[derive(Template)]
#[template(path = "policies.html")]
struct PoliciesPage {
    frame: Frame,
    policy: Policy,
    /// The words for how much of names is shown, what they say, and whether it is this one.
    names: Vec<(&'static str, &'static str, bool)>,
    with_token: bool,
    /// Who wishes to be shown by less, and by how much.
    wishes: Vec<(Person, &'static str)>,
}

/// What is said of how much of a name is shown.
pub const fn label(shown: ShownName) -> &'static str {
    match shown {
        ShownName::Full => "Ann Lee: the whole name",
        ShownName::FirstLastInitial => "Ann L.",
        ShownName::Initials => "A. L.",
        ShownName::Number => "player 12",
    }
}

/// How names can be shown, and which of them this is.
pub fn choices(now: ShownName) -> Vec<(&'static str, &'static str, bool)> {
    ShownName::ALL.map(|one| (one.word(), label(one), one == now)).into()
}

/// The forms.
///
/// # Errors
/// Where the tournament cannot be read.
pub fn page(at: &Looked<'_>) -> Result<String, VerbError> {
    let event = at.load()?;
    let policy = at.policy.clone();
    let wishes = policy.wishes.iter();
    render(&PoliciesPage {
        frame: Frame::of(at, &event, Tab::None, "policies"),
        names: choices(policy.names),
        with_token: policy.records == Records::WithToken,
        wishes: wishes.map(|(who, shown)| (Person::of(&event, *who), label(*shown))).collect(),
        policy,
    })
}

#[cfg(test)]
mod tests {
    use super::super::kit::hall;
    use super::*;

    #[test]
    fn the_page_shows_what_is_chosen_and_who_wishes_less() {
        let hall = hall();
        let wishes = [(1, ShownName::Number)].into();
        let policy = Policy { names: ShownName::Initials, wishes, ..Policy::default() };
        let html = page(&Looked { policy, ..hall.looked() }).expect("a page");
        assert!(html.contains("value=\"initials\" selected"), "{html}");
        assert!(html.contains("Ann Lee</bdi>") && html.contains("player 12"), "{html}");
    }
}
