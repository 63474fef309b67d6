//! What everybody may see of a tournament, as its owner chooses it.

use super::frame::{Frame, Message, Tab};
use super::{Looked, Person, render, set_apart};
use askama::Template;
use scrutineer_desk::public::{Policy, Records, ShownName};
use scrutineer_desk::verb_error::VerbError;
use scrutineer_replay::loaded::LoadedTournament;

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
        ShownName::Full => "the whole name",
        ShownName::FirstLastInitial => "first name and one letter, as in First L.",
        ShownName::Initials => "two letters, as in F. L.",
        ShownName::Number => "the number alone, as in player 12",
    }
}

/// How names can be shown, and which of them this is.
pub fn choices(now: ShownName) -> Vec<(&'static str, &'static str, bool)> {
    ShownName::ALL.map(|one| (one.word(), label(one), one == now)).into()
}

/// What was kept, in words: what is public by now, or how a player is shown.
pub fn kept(at: &Looked<'_>, event: &LoadedTournament) -> Option<Message> {
    let (policy, what) = (&at.policy, at.said.kept.as_deref()?);
    if what == "public" {
        let hidden = match policy.hidden_from {
            Some(round) => format!("standings are hidden from round {round} on"),
            None => "standings are shown".into(),
        };
        let records = match policy.records {
            Records::Public => "everybody reads the records",
            Records::WithToken => "programs with a token read the records",
        };
        let names = label(policy.names);
        return Some(Message::Floor(format!("kept. Names: {names}; {hidden}; {records}")));
    }
    let player = event.state.player(what.parse().ok()?)?.number;
    let shown = policy.wishes.get(&player).copied().unwrap_or_default();
    let name = set_apart(event.name(player));
    Some(Message::Floor(format!("kept. {name} is shown as: {}", label(shown))))
}

/// The forms.
///
/// # Errors
/// Where the tournament cannot be read.
pub fn page(at: &Looked<'_>) -> Result<String, VerbError> {
    let event = at.load()?;
    let policy = at.policy.clone();
    let wishes = policy.wishes.iter();
    let mut frame = Frame::of(at, &event, Tab::None, "policies");
    frame.message = frame.message.or_else(|| kept(at, &event));
    render(&PoliciesPage {
        frame,
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

    /// "Keep this" led back to the page without a word.
    #[test]
    fn what_was_kept_is_said() {
        let hall = hall();
        let policy = Policy { hidden_from: Some(2), ..Policy::default() };
        let mut looked = Looked { policy, ..hall.looked() };
        looked.said.kept = Some("public".into());
        let html = page(&looked).expect("a page");
        assert!(html.contains("kept. Names: the whole name; standings are hidden from round 2 on"));
        looked.policy.wishes = [(1, ShownName::Number)].into();
        looked.said.kept = Some("1".into());
        let players =
            super::super::players::page(&looked, &Default::default(), &Default::default());
        let html = players.expect("a page");
        assert!(html.contains("Ann Lee is shown as: the number alone"), "{html}");
    }

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
