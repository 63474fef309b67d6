//! A tournament's standings under its own rules and under others.

use super::frame::{Frame, Tab};
use super::moves::Moves;
use super::{Looked, clock_of, render, rules_of};
use crate::editions::rules_of as rules_named;
use crate::gate::Role;
use crate::reading::up_to;
use askama::Template;
use scrutineer_desk::compared::{Compared, compared};
use scrutineer_desk::edition::Edition;
use scrutineer_desk::horizon::last_out;
use scrutineer_desk::orders::scope;
use scrutineer_desk::verb_error::VerbError;
use scrutineer_engine::event::RoundNumber;
use scrutineer_projections::ruleset::{Library, called, hash};
use scrutineer_replay::loaded::LoadedTournament;
use scrutineer_replay::trust::note::fingerprint;
use std::sync::Arc;

#[derive(Template)]
#[template(path = "compare.html")]
struct ComparePage {
    frame: Frame,
    own: String,
    typed: String,
    rulesets: Vec<String>,
    refused: Option<(String, String)>,
    found: Option<Found>,
    /// The edition that is compared with.
    edition: Option<EditionShown>,
    /// Editions that can be: how they are named, and which they are.
    editions: Vec<(String, String)>,
}

/// An edition of rules, with what is to be known before it is taken.
struct EditionShown {
    rules: String,
    titled: String,
    time: String,
    fingerprint: String,
    /// Whether somebody has named its key here.
    is_kept: bool,
    /// Whether whoever looks may amend the rules of this tournament.
    may_amend: bool,
}

impl EditionShown {
    fn of(at: &Looked<'_>, event: &LoadedTournament, edition: &Edition, is_kept: bool) -> Self {
        let own = hash(event.state.ruleset().unwrap_or_default());
        let is_open = !event.state.is_closed() && event.state.imported().is_none();
        EditionShown {
            rules: rules_named(edition),
            titled: edition.titled(),
            time: clock_of(&edition.time),
            fingerprint: fingerprint(&edition.key),
            is_kept,
            may_amend: is_open && at.role >= Role::HeadJudge && own != edition.rules.hash,
        }
    }
}

struct Found {
    other: String,
    differences: Vec<(String, String, String)>,
    moves: Moves,
    cut: Option<u32>,
}

fn found(
    event: &LoadedTournament,
    other: &str,
    edition: Option<&Edition>,
    out: Option<RoundNumber>,
) -> Result<Found, VerbError> {
    let scope = up_to(scope(&event.state, None)?, out);
    let other = match edition {
        Some(edition) => Arc::new(edition.rules.clone()),
        None => rules_of(event, Some(other))?,
    };
    let pair = [&rules_of(event, None)?, &other];
    let Compared { first, second, found } = compared(event, pair, scope, None)?;
    let value = |value: &Option<String>| value.clone().unwrap_or_else(|| "nothing".into());
    let differs = found.differences.iter();
    Ok(Found {
        other: called(&other.files),
        differences: differs
            .map(|one| (one.key.clone(), value(&one.first), value(&one.second)))
            .collect(),
        moves: Moves::of(event, [&first, &second], &found, ["Here", "There"]),
        cut: found.cut,
    })
}

/// Who would stand elsewhere under other rules.
///
/// # Errors
/// Where the tournament cannot be read; what cannot be folded stands on the page.
pub fn page(at: &Looked<'_>, rules: Option<&str>) -> Result<String, VerbError> {
    let event = at.load()?;
    let own = rules_of(&event, None)?;
    let typed = rules.map(str::trim).unwrap_or_default().to_string();
    let out = last_out(&event.state).filter(|_| !at.sees_drafts());
    let named = at.editions.called(&typed);
    let edition = named.as_ref().ok().and_then(Option::as_ref);
    let shown = edition.map(|(edition, is_kept)| EditionShown::of(at, &event, edition, *is_kept));
    let compared = (!typed.is_empty()).then(|| {
        let edition = named.clone()?.map(|(edition, _)| edition);
        found(&event, &typed, edition.as_deref(), out)
    });
    let (found, refused) = match compared {
        None => (None, None),
        Some(Ok(found)) => (Some(found), None),
        Some(Err(error)) => {
            let hint = error.hint.map_or(String::new(), |hint| hint.to_string());
            (None, Some((error.message, hint)))
        }
    };
    render(&ComparePage {
        frame: Frame::of(at, &event, Tab::Standings, "compare"),
        own: called(&own.files),
        typed,
        rulesets: Library::shipped().ids(),
        refused,
        found,
        edition: shown,
        editions: at.editions.all().map(|one| (rules_named(one), one.titled())).collect(),
    })
}

#[cfg(test)]
mod tests {
    use super::super::kit::hall;
    use super::*;

    #[test]
    fn an_edition_is_shown_with_its_signer_and_what_it_changes_and_taken_only_with_its_key() {
        use crate::editions::Known;
        use scrutineer_desk::edition::{read, sign};
        use scrutineer_desk::keys::Key;
        let hall = hall();
        hall.play_on();
        let files = Library::shipped().chain("carde").expect("shipped");
        let time = scrutineer_engine::record::Time { unix_micros: 1_795_262_400_000_000 };
        let signed = sign(&files, Some("mtr"), time, &Key::from_secret(&[7; 32])).expect("signed");
        let edition = Arc::new(read(signed.as_bytes(), None).expect("an edition"));
        let named = rules_named(&edition);
        let mut looked = hall.looked();
        let waits = Known { offered: vec![Arc::clone(&edition)], ..Known::default() };
        looked.editions = Arc::new(waits);
        let html = page(&looked, Some(&named)).expect("a page");
        assert!(html.contains(&fingerprint(&edition.key)) && html.contains("in place of mtr"));
        assert!(html.contains("Nobody has named its key here") && !html.contains("amend-rules"));
        looked.editions = Arc::new(Known { kept: vec![edition], ..Known::default() });
        let html = page(&looked, Some(&named)).expect("a page");
        assert!(html.contains("amend-rules") && html.contains(&named), "{html}");
        looked.role = Role::Scorekeeper;
        assert!(!page(&looked, Some(&named)).expect("a page").contains("amend-rules"));
        let gone = page(&hall.looked(), Some(&named)).expect("a page");
        assert!(gone.contains("no edition of rules"), "{gone}");
    }

    /// Every single difference was tried as the edition itself, so that the first one seemed to explain all
    /// the others: what it changes stood nowhere.
    #[test]
    fn an_edition_differs_in_what_its_file_says_and_so_does_the_old_ruleset_once_it_is_in_force() {
        use crate::editions::Known;
        use scrutineer_desk::edition::{read, sign};
        use scrutineer_desk::keys::Key;
        use scrutineer_desk::orders::{AmendRules, RulesetText};
        let hall = hall();
        hall.play_on();
        let mut library = Library::shipped();
        let text = "name = \"League\"\nedition = \"2027\"\nsource = \"league.example\"\n\
            extends = \"mtr\"\norder = [\"points\", \"ogw\", \"omw\"]\n\
            [settings]\npercentage_floor = \"1/4\"\n";
        let id = library.load_file("league27.toml", text).expect("a ruleset");
        let files = library.chain(&id).expect("its texts");
        let time = scrutineer_engine::record::Time { unix_micros: 1_795_262_400_000_000 };
        let signed = sign(&files, Some("mtr"), time, &Key::from_secret(&[7; 32])).expect("signed");
        let edition = Arc::new(read(signed.as_bytes(), None).expect("an edition"));
        let mut looked = hall.looked();
        looked.editions = Arc::new(Known { kept: vec![Arc::clone(&edition)], ..Known::default() });
        let rows = |html: &str, keys: [&str; 2]| {
            keys.iter().all(|key| html.contains(&format!(">{key}<")))
                && !html.contains("nothing_to_average")
                && !html.contains("measures.")
        };
        let keys = ["order", "settings.percentage_floor"];
        let html = page(&looked, Some(&rules_named(&edition))).expect("a page");
        assert!(rows(&html, keys), "{html}");
        let text = |file: &scrutineer_engine::event::RulesetFile| RulesetText {
            id: file.name.clone(),
            text: file.text.clone(),
        };
        hall.order(AmendRules {
            rules: id,
            files: files.iter().map(text).collect(),
            reason: "the league's".into(),
        });
        let html = page(&hall.looked(), Some("mtr")).expect("a page");
        assert!(rows(&html, keys), "{html}");
    }

    #[test]
    fn another_floor_is_told_and_unknown_rules_are_refused_on_the_page() {
        let hall = hall();
        hall.play_on();
        let html = page(&hall.looked(), Some("mtr+settings.percentage_floor=1/2")).expect("a page");
        assert!(html.contains("percentage_floor"), "{html}");
        let html = page(&hall.looked(), Some("no-such-rules")).expect("a page");
        assert!(html.contains("role=\"alert\""));
    }
}
