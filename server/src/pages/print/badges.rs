//! Strips with the links of players: one for each, to be cut and given to them alone.

use super::super::code::{Svg, code};
use super::super::frame::{Frame, Tab};
use super::super::player::reports_by_phone;
use super::super::{Looked, Person, is_for_this_machine, render};
use super::fit::{Room, fit};
use super::{Paper, paper};
use crate::holder::link_path;
use crate::house::PlayerLinks;

use askama::Template;
use scrutineer_desk::verb_error::VerbError;
use scrutineer_engine::event::PlayerNumber;
use scrutineer_engine::names::listed;

/// How many strips are on a sheet.
const PER_SHEET: usize = 10;
/// The room of a name beside its code.
const NAME: Room = Room { wide: 46.0, high: 15.0, most: 14.0, bold: true };

#[derive(Template)]
#[template(path = "badges.html")]
struct BadgesPage {
    frame: Frame,
    /// The query of the language, where it was chosen: the strips are in it too.
    lang: String,
    here: usize,
    without_link: usize,
    without_device: usize,
    is_forgotten: bool,
    /// Whether nobody reaches this server but this machine.
    is_alone: bool,
    /// Whether players report results by them.
    for_results: bool,
}

/// How many players have a link and a device, and the forms that make links.
///
/// # Errors
/// Where the store cannot be read.
pub fn page(at: &Looked<'_>, links: &PlayerLinks, is_forgotten: bool) -> Result<String, VerbError> {
    let event = at.load()?;
    let players = event.state.players().iter();
    let here = players.filter(|one| !one.withdrawn && one.dropped().is_none());
    let here: Vec<PlayerNumber> = here.map(|one| one.number).collect();
    let without = |is: &dyn Fn(Option<&crate::house::PlayerLink>) -> bool| {
        here.iter().filter(|player| is(links.get(player))).count()
    };
    render(&BadgesPage {
        frame: Frame::of(at, &event, Tab::Print, "print/badges"),
        lang: at.taking(""),
        without_link: without(&|link| link.is_none()),
        without_device: without(&|link| link.is_none_or(|link| !link.is_bound())),
        here: here.len(),
        is_forgotten,
        is_alone: is_for_this_machine(&at.origin),
        for_results: reports_by_phone(&event.state),
    })
}

#[derive(Template)]
#[template(path = "print_badges.html")]
struct StripsPage {
    paper: Paper,
    /// What the strips are for.
    what: String,
    sheets: Vec<Vec<Strip>>,
}

struct Strip {
    player: Person,
    size: &'static str,
    link: String,
    code: Option<Svg>,
}

/// The strips of links that were made, by name.
///
/// # Errors
/// Where the store cannot be read.
pub fn strips(at: &Looked<'_>, made: &[(PlayerNumber, String)]) -> Result<String, VerbError> {
    let event = at.load()?;
    let strip = |(player, secret): &(PlayerNumber, String)| {
        let (player, link) =
            (Person::of(&event, *player), format!("{}{}", at.origin, link_path(at.stream, secret)));
        Strip { size: fit(&player.name, NAME), code: code(&link), player, link }
    };
    let mut strips: Vec<Strip> = made.iter().map(strip).collect();
    strips.sort_by_cached_key(|strip| (listed(&strip.player.name), strip.player.number));
    let (mut sheets, mut rest) = (Vec::new(), strips.into_iter().peekable());
    while rest.peek().is_some() {
        sheets.push(rest.by_ref().take(PER_SHEET).collect());
    }
    let paper = paper(at, &event, "badges", at.language.t("paper-badges"));
    let what = match reports_by_phone(&event.state) {
        true => at.language.t("badge-what"),
        false => at.language.t("badge-what-paper"),
    };
    render(&StripsPage { paper, what, sheets })
}

#[cfg(test)]
mod tests {
    use super::super::super::kit::{Hall, enrolled, hall, of_points, opened};
    use super::*;
    use scrutineer_desk::orders::{New, Person as Entrant};

    #[test]
    fn each_strip_has_the_link_of_one_player_and_slips_have_none() {
        let hall = hall();
        let made = [(1, "AAAABBBBCCCCDDDD".to_string()), (2, "EEEEFFFFGGGGHHHH".to_string())];
        let html = strips(&hall.looked(), &made).expect("a page");
        // It may be broken behind a slash.
        let html = html.replace("</span><wbr><span>", "");
        for (_, secret) in &made {
            assert_eq!(html.matches(&format!("/me/{secret}")).count(), 1, "{html}");
        }
        assert_eq!(html.matches("class=\"qr\"").count(), 2);
        let wanted = super::super::Wanted::default();
        let slips = super::super::page(&hall.looked(), "slips", wanted).expect("a page");
        assert!(!slips.contains("/me/"), "two opponents share a slip");
    }

    #[test]
    fn strips_promise_reports_where_phones_can_make_them() {
        let made = [(1, "AAAABBBBCCCCDDDD".to_string())];
        let told = |hall: &Hall| {
            let html = strips(&hall.looked(), &made).expect("a page");
            let page = page(&hall.looked(), &PlayerLinks::default(), false).expect("a page");
            (html.contains("report your result"), page.contains("reports results"))
        };
        assert_eq!(told(&enrolled()), (true, true));
        assert_eq!(told(&of_points()), (true, true), "two numbers");
        let slip = Some("match_points:0..100,kills".to_string());
        let new = New { rules: "netrunner".into(), slip, ..New::default() };
        let person = Entrant { name: "Ann Lee".into(), ..Entrant::default() };
        assert_eq!(told(&opened(new, vec![person])), (false, false), "paper");
    }

    #[test]
    fn the_strips_are_made_in_the_language_of_the_page_where_it_was_chosen() {
        let hall = hall();
        let action = "/print/badges?lang=de\"";
        let mut looked = hall.looked();
        let html = page(&looked, &PlayerLinks::default(), false).expect("a page");
        assert!(!html.contains(action), "{html}");
        (looked.language, looked.is_chosen) = (crate::language::Language::German, true);
        let html = page(&looked, &PlayerLinks::default(), false).expect("a page");
        // Both forms lead there, and back to it where they are refused.
        assert_eq!(html.matches(action).count(), 4, "{html}");
    }

    #[test]
    fn strips_are_cut_into_sheets() {
        let hall = hall();
        let many: Vec<(PlayerNumber, String)> =
            (0..=PER_SHEET).map(|at| (at as u32 % 6 + 1, format!("SECRET{at}"))).collect();
        let html = strips(&hall.looked(), &many).expect("a page");
        assert_eq!(html.matches("class=\"strips\"").count(), 2);
    }
}
