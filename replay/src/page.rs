//! One page that shows a tournament and checks itself: standings, rounds, what was corrected and
//! ruled; below it the bundle, and the verifier that checks it in the reader's browser.
//!
//! The page refers to nothing outside of itself and reads without JavaScript. With it, the script
//! replaces everything by what it makes of the checked records. What the page shows and what it
//! proves stands in docs/PAGE.md.

mod changes;
mod script;
mod words;

use crate::bundle::{self, Piece, Read};
use crate::loaded::LoadedTournament;
use crate::staff::Staff;
use crate::trust::checkpoint::Signed;
use std::fmt::Write;
use std::ops::ControlFlow;
pub use words::result_text;
use words::{Grid, Told};

const TEMPLATE: &str = include_str!("../page/page.html");
const PLACES: [&str; 6] =
    ["{{title}}", "{{style}}", "{{script}}", "{{other}}", "{{main}}", "{{bundle}}"];
const STYLE: &str = include_str!("../page/page.css");

/// The page of a bundle: what it shows is what the bundle holds, names only as far as it gives
/// them. `other` is the checkpoint of another history of the tournament, and what is known of that in a
/// sentence, where whoever gives the page knows of one. None where there is no event in it.
pub fn html(bundle: &str, other: Option<(&str, &str)>) -> Option<String> {
    let mut input = bundle.as_bytes();
    // Reading from memory does not fail.
    let event = bundle::open(&mut input).ok()??;
    let (mut table, mut attested) = (None, None);
    let mut input = bundle.as_bytes();
    let read = bundle::read(&mut input, &mut |_, read| {
        match read {
            Read::Piece(Piece::Table(last)) => table = Some(last),
            Read::Piece(Piece::Checkpoint { note, .. }) => {
                let signed = Signed::read(note.as_bytes()).ok();
                attested = signed.filter(|signed| is_of(&event, signed)).or(attested.take());
            }
            _ => {}
        }
        ControlFlow::Continue(())
    });
    read.ok()?;
    let (table, attested) = (table.as_ref(), attested.as_ref());
    let told = Told { staff: Staff::of(&event), event: &event, table, attested };
    Some(filled(&told, bundle, other))
}

/// Whether a checkpoint is of these records: one of records that were lost is not shown.
fn is_of(event: &LoadedTournament, signed: &Signed) -> bool {
    let found = &signed.checkpoint;
    let next = usize::try_from(found.size).ok().and_then(|size| event.log.get(size));
    let there = match next {
        Some((header, _)) => Some(header.previous),
        None => (found.size == event.log.len() as u64).then_some(event.head),
    };
    there == Some(found.head)
}

/// That another history was signed, with its checkpoint, which the script holds against the records.
fn rewritten((other, known): (&str, &str)) -> String {
    format!(
        "<p class=bad>✗ The log of this tournament was rewritten: whoever gave this page has a checkpoint of another \
         history of it, and says: <span id=known-of-it>{}</span>.</p>\n<pre id=other hidden>{}</pre>\n",
        escaped(known),
        escaped(other)
    )
}

/// The page of what is told, its bundle and its script.
fn filled(told: &Told, bundle: &str, other: Option<(&str, &str)>) -> String {
    // The script stands beside the style, which it has too: so it hardly weighs twice in a compressed page.
    let style: String = STYLE.lines().map(str::trim_start).collect();
    let script = script::inline(&with(["", &style, "", "", "", ""]));
    let records = escaped(&bundle::packed(bundle));
    let other = other.map_or(String::new(), rewritten);
    with([&escaped(&told.title()), &style, &script, &other, &main(told), &records])
}

/// The template with title, style, script, another history, main part and bundle in their places.
fn with(pieces: [&str; 6]) -> String {
    // In this order, so that nothing inside a piece is taken for the place of another one.
    let mut rest = TEMPLATE;
    let mut page =
        String::with_capacity(TEMPLATE.len() + pieces.iter().map(|p| p.len()).sum::<usize>());
    for (place, piece) in PLACES.into_iter().zip(pieces) {
        let (before, after) = rest.split_once(place).unwrap_or((rest, ""));
        page.push_str(before);
        page.push_str(piece);
        rest = after;
    }
    page.push_str(rest);
    page
}

fn main(told: &Told) -> String {
    let mut html = String::new();
    line(&mut html, "h1", &told.title());
    line(&mut html, "p class=about", &told.about());
    if let Some((heading, lines, grid)) = told.standings() {
        html.push_str("<section class=standings>\n");
        line(&mut html, "h2", &heading);
        lines.iter().for_each(|below| line(&mut html, "p", below));
        grid.iter().for_each(|grid| table(&mut html, grid));
        html.push_str("</section>\n");
    }
    for round in told.rounds() {
        let (heading, times, grid) = told.round(round);
        html.push_str("<section class=round>\n");
        line(&mut html, "h2", &heading);
        times.iter().for_each(|times| line(&mut html, "p", times));
        table(&mut html, &grid);
        html.push_str("</section>\n");
    }
    html.push_str("<section class=changes>\n");
    line(&mut html, "h2", "Changes and rulings");
    let changes = told.changes();
    if changes.is_empty() {
        line(&mut html, "p", "There were none.");
    } else {
        html.push_str("<ul>\n");
        changes.iter().for_each(|change| line(&mut html, "li", change));
        html.push_str("</ul>\n");
    }
    html.push_str("</section>\n<section class=records>\n");
    line(&mut html, "h2", "Records");
    told.records().iter().for_each(|words| line(&mut html, "p class=hash", words));
    html.push_str("</section>\n");
    html
}

/// One element with a text; `open` is the tag and its attributes.
fn line(html: &mut String, open: &str, text: &str) {
    let tag = open.split(' ').next().unwrap_or(open);
    // Writing to a string cannot fail.
    let _ = writeln!(html, "<{open}>{}</{tag}>", drawn(text));
}

fn table(html: &mut String, grid: &Grid) {
    html.push_str("<div class=wide><table>\n<thead><tr>");
    let cell = |html: &mut String, tag: &str, column: usize, text: &str| {
        let class = match &grid.head[column][..] {
            "player" | "opponent" | "players" => " class=name",
            "decided by" => " class=why",
            "result" => " class=result",
            _ => " class=number",
        };
        let _ = write!(html, "<{tag}{class}>{}</{tag}>", drawn(text));
    };
    for (column, text) in grid.head.iter().enumerate() {
        cell(html, "th", column, text);
    }
    html.push_str("</tr></thead>\n<tbody>\n");
    for row in &grid.rows {
        html.push_str("<tr>");
        for (column, text) in row.iter().enumerate().take(grid.head.len()) {
            cell(html, "td", column, text);
        }
        html.push_str("</tr>\n");
    }
    html.push_str("</tbody></table></div>\n");
}

/// Words that are drawn, as HTML: what stands between U+2068 and U+2069 keeps the direction of its
/// letters to itself.
fn drawn(text: &str) -> String {
    escaped(text).replace('\u{2068}', "<bdi>").replace('\u{2069}', "</bdi>")
}

/// Text as HTML that stands within an element, and not in an attribute: nothing in it is taken for
/// markup.
pub fn escaped(text: &str) -> String {
    let mut html = String::with_capacity(text.len() + text.len() / 16);
    for letter in text.chars() {
        match letter {
            '&' => html.push_str("&amp;"),
            '<' => html.push_str("&lt;"),
            '>' => html.push_str("&gt;"),
            // A browser would read a line feed in place of it.
            '\r' => html.push_str("&#13;"),
            // HTML has no way to say it.
            '\0' => html.push('\u{fffd}'),
            letter => html.push(letter),
        }
    }
    html
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_that_somebody_typed_becomes_markup() {
        let typed = "</script><!-- \"O'Neil\" & <b>";
        let safe = escaped(typed);
        assert!(!safe.contains(['<', '>']), "{safe}");
        assert_eq!(safe.matches('&').count(), 6);
    }

    #[test]
    fn the_template_has_every_place_once_and_in_order() {
        let at: Vec<usize> = PLACES.iter().filter_map(|place| TEMPLATE.find(place)).collect();
        assert_eq!(at.len(), PLACES.len());
        assert!(at.is_sorted(), "{at:?}");
        assert!(PLACES.iter().all(|place| TEMPLATE.matches(place).count() == 1));
    }
}
