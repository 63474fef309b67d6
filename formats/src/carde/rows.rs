//! The rows of Carde.io's answers, and which round a match is of.

use std::collections::BTreeMap;

use crate::json::Node;
use crate::pages::{self, Lists};
use crate::{Fault, ImportError};
use scrutineer_engine::event::PhaseKind;

/// Refuses some pages of more than there are, of the matches of each round.
fn whole(pages: &[Node<'_>], what: &str) -> Result<(), ImportError> {
    let (mut lists, mut seen) = (Lists::default(), std::collections::BTreeSet::new());
    for page in pages {
        let count = page.any(&["count", "total"]).map(|node| node.whole()).transpose()?;
        let rows = page.need("results")?.items()?;
        let round = rows.first().map_or(Ok(None), round_word)?.unwrap_or_default();
        let number = page.word_at("current_page_number")?;
        if number.is_some_and(|number| !seen.insert((round.to_owned(), number.to_owned()))) {
            return Err(page.need("current_page_number")?.bad("each page once, of one event"));
        }
        let is_last = page.any(&["next", "next_page_number"]).is_none();
        lists.add(round.to_owned(), rows.len(), count, is_last, &page.place);
    }
    lists.refuse_some(what)
}

/// The rows of a list, of a page, or of a list of pages.
pub fn rows<'a>(root: &Node<'a>, key: &str) -> Result<Vec<Node<'a>>, ImportError> {
    root.get(key).map_or(Ok(Vec::new()), |node| rows_of(&node, key))
}

/// The rows of this list, page, or list of pages.
pub fn rows_of<'a>(node: &Node<'a>, key: &str) -> Result<Vec<Node<'a>>, ImportError> {
    let parts = pages::listed(node)?;
    if parts.first().is_none_or(|part| part.get("results").is_none()) {
        return Ok(parts);
    }
    whole(&parts, key)?;
    let mut rows = Vec::new();
    for part in parts {
        rows.extend(part.need("results")?.items()?);
    }
    Ok(rows)
}

/// The id of a match's round, or its number.
fn round_word<'a>(game: &Node<'a>) -> Result<Option<&'a str>, ImportError> {
    if let Some(node) = game.any(&["tournament_round", "round", "round_id"]) {
        return node.get("id").unwrap_or(node).word().map(Some);
    }
    game.word_at("round_number")
}

/// The matches that stand in a round of the event.
pub fn inside<'a>(round: &Node<'a>) -> Result<Vec<Node<'a>>, ImportError> {
    Ok(rows(round, "matches")?.into_iter().filter(Node::is_object).collect())
}

/// Who sits on a seat, or is of a row: their object or id; some answers have them in their registration alone.
pub fn seated<'a>(seat: &Node<'a>) -> Result<Node<'a>, ImportError> {
    let is_known = |node: &Node<'a>| !node.is_object() || node.get("id").is_some();
    if let Some(player) = seat.get("player").filter(is_known) {
        return Ok(player);
    }
    let user = seat.get("user_event_status").and_then(|status| status.get("user"));
    user.filter(is_known).map_or_else(|| seat.need("player"), Ok)
}

/// The seats of a match, in their order. Older answers have them in `players`, where the newer ones have ids.
pub fn seats<'a>(game: &Node<'a>) -> Result<Vec<Node<'a>>, ImportError> {
    let mut listed = game.list("player_match_relationships")?;
    if listed.is_empty() {
        listed = game.list("players")?;
    }
    let mut ordered = Vec::new();
    for (at, seat) in listed.into_iter().enumerate() {
        let place = i64::try_from(at).unwrap_or(i64::MAX);
        ordered.push((seat.whole_at("player_order")?.unwrap_or(place), seat));
    }
    ordered.sort_by_key(|(order, _)| *order);
    Ok(ordered.into_iter().map(|(_, seat)| seat).collect())
}

/// How many games each of two seats won, where these say it themselves: -1 is none yet, and 0 on both says nothing.
pub fn games_of_seats(seats: &[Node<'_>]) -> Result<Option<[i32; 2]>, ImportError> {
    let [first, second] = seats else { return Ok(None) };
    let games = [first.score_at("games_won")?, second.score_at("games_won")?];
    Ok(match games {
        [Some(first), Some(second)] if first.min(second) >= 0 && first.max(second) > 0 => {
            Some([first, second])
        }
        _ => None,
    })
}

/// A round as the event announces it.
pub struct Found<'a> {
    pub id: String,
    pub number: i64,
    pub phase: usize,
    pub kind: PhaseKind,
    pub is_begun: bool,
    pub is_over: bool,
    /// Its matches, where they stand in it.
    pub matches: Vec<Node<'a>>,
}

/// Which round a match is of: by the round's id or number, or the only one.
pub fn round_of(
    game: &Node<'_>,
    found: &[Found<'_>],
    by_id: &BTreeMap<String, usize>,
) -> Result<usize, ImportError> {
    if let Some(node) = game.any(&["tournament_round", "round", "round_id"]) {
        let id = node.get("id").unwrap_or_else(|| node.clone());
        if let Some(at) = by_id.get(id.word()?) {
            return Ok(*at);
        }
    }
    if let Some(number) = game.whole_at("round_number")? {
        let at = found.iter().position(|round| round.number == number);
        return at.ok_or_else(|| {
            let (what, found) = ("round_number".into(), number.to_string());
            let expected = "the number of a round of the event".into();
            Fault::BadValue { what, found, expected }.at(game.place_of("round_number"))
        });
    }
    match found {
        [_] => Ok(0),
        _ => Err(Fault::Missing { what: "round_number, or the id of its round,".into() }
            .at(game.place.as_str())),
    }
}

/// Wins, losses and draws: the words are in this order, the counters have names.
pub fn record(row: &Node<'_>) -> Result<Option<[u32; 3]>, ImportError> {
    if let Some(node) = row.any(&["record", "match_record"]) {
        return node.record().map(Some);
    }
    let Some(status) = row.get("user_event_status") else { return Ok(None) };
    let of = |key: &str| status.count_at(key);
    Ok(match (of("matches_won")?, of("matches_lost")?, of("matches_drawn")?) {
        (Some(won), Some(lost), Some(drawn)) => Some([won, lost, drawn]),
        _ => None,
    })
}
