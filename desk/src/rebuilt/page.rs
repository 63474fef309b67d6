//! All that a rebuild found as one page, which refers to nothing outside of itself.

use crate::answers::{AtCut, Passing, Player, PlayerRebuilt};
use crate::rebuild::TournamentFound;
use scrutineer_replay::loaded::short_id;
use scrutineer_replay::page::escaped;

const STYLE: &str = "\
:root { color-scheme: light dark; --paper: #fbfaf6; --ink: #1d1b16; --soft: #5f5a4e; --line: #dcd8cd; --accent: #0b5d4e; }\n\
@media (prefers-color-scheme: dark) { :root { --paper: #161512; --ink: #f0ede4; --soft: #b5afa1; --line: #3a372f; --accent: #6fcfb8; } }\n\
body { font: 16px/1.5 system-ui, \"Segoe UI\", Roboto, \"Noto Sans\", \"Liberation Sans\", sans-serif; color: var(--ink); background: var(--paper); max-width: 64rem; margin: 0 auto; padding: 1rem; }\n\
a { color: var(--accent); text-underline-offset: 2px; }\n\
details { border-bottom: 1px solid var(--line); padding: 0.3rem 0; }\n\
summary { cursor: pointer; }\n\
.soft { color: var(--soft); }\n\
.bad { color: #b3261e; }\n\
@media (prefers-color-scheme: dark) { .bad { color: #ff8a80; } }\n\
.wide { overflow-x: auto; }\n\
table { border-collapse: collapse; font-variant-numeric: tabular-nums; margin: 0.4rem 0; }\n\
th, td { padding: 0.2rem 0.8rem 0.2rem 0; text-align: left; vertical-align: baseline; }\n\
.number { text-align: right; }\n\
@media print { details { break-inside: avoid; } }\n";

/// The beginning of a page about a ruleset.
pub fn head(rules: &str) -> String {
    let rules = escaped(rules);
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; \
         style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"referrer\" content=\"no-referrer\">\n\
         <title>Who moves under {rules}</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n<main>\n\
         <h1>Who moves under {rules}</h1>\n\
         <p class=\"soft\">Every tournament was ranked again from what was recorded. Those in which \
         nobody moves are counted and not shown. <a href=\"#sums\">All together</a></p>\n"
    )
}

/// What stands there of a tournament, where something changes in it, or it was refused.
pub fn tournament(source: &str, event: &TournamentFound, no_names: bool) -> String {
    let title = format!(
        "<strong dir=\"auto\">{}</strong> <span class=\"soft\">{}{}</span>{}",
        escaped(&event.title),
        short_id(event.stream),
        if source.is_empty() { String::new() } else { format!(", {}", escaped(source)) },
        if event.is_rewritten { " <strong class=\"bad\">rewritten</strong>" } else { "" }
    );
    let found = match &event.found {
        Ok(found) => found,
        Err(cause) => {
            let (why, code) = (escaped(&cause.to_string()), cause.code());
            return format!("<p>{title}: refused: {why} <code>{code}</code></p>\n");
        }
    };
    let moved = found.comparison.moves.len();
    if moved == 0 && !found.cut_changes() {
        let said = format!("<p>{title}: nobody moves</p>\n");
        return if event.is_rewritten { said } else { String::new() };
    }
    let winner = if found.winner_changes() { ", another winner" } else { "" };
    let cut = if found.cut_changes() { ", another cut" } else { "" };
    let of = event.players;
    let mut html = format!(
        "<details>\n<summary>{title}: {moved} of {of} players move{winner}{cut}</summary>\n\
         <div class=\"wide\"><table><thead><tr><th scope=\"col\">Player</th>\
         <th scope=\"col\" class=\"number\">Place before</th>\
         <th scope=\"col\" class=\"number\">Place after</th>\
         <th scope=\"col\">Because</th><th scope=\"col\">At the cut</th></tr></thead>\n<tbody>\n"
    );
    html.extend(PlayerRebuilt::all(source, event, no_names).iter().map(line));
    html.push_str("</tbody></table></div>\n</details>\n");
    html
}

/// The end of the page, with the sums.
pub fn foot(sums: &str) -> String {
    let sums = escaped(sums);
    format!("<h2 id=\"sums\">All together</h2>\n<pre>{sums}</pre>\n</main>\n</body>\n</html>\n")
}

fn name(player: Option<&Player>) -> String {
    player.map_or(String::new(), |player| format!("<bdi>{}</bdi>", escaped(&player.name)))
}

/// A player who moves, or makes or misses the cut.
fn line(row: &PlayerRebuilt) -> String {
    let place = |place: Option<u32>| place.map_or(String::new(), |place| place.to_string());
    let passes = row.passing.as_ref().map_or("", |passing| match passing {
        Passing::Passes => "passes",
        Passing::PassedBy => "passed by",
        Passing::NowLevel => "now level with",
        Passing::NoLongerLevel => "no longer level with",
        Passing::CameIn => "came in:",
        Passing::Gone => "gone:",
    });
    let step = match (&row.step_before, &row.step_after) {
        (Some(before), Some(after)) if before == after => format!(" on {}", escaped(after)),
        (Some(before), Some(after)) => {
            format!(": {} decides, not {}", escaped(after), escaped(before))
        }
        _ => String::new(),
    };
    let at_cut = row.at_cut.as_ref().map_or("", |at| match at {
        AtCut::Enters => "enters",
        AtCut::Leaves => "leaves",
    });
    format!(
        "<tr><th scope=\"row\">{}</th><td class=\"number\">{}</td><td class=\"number\">{}</td>\
         <td>{passes} {}{step}</td><td>{at_cut}</td></tr>\n",
        name(row.player.as_ref()),
        place(row.place_before),
        place(row.place_after),
        name(row.other.as_ref()),
    )
}
