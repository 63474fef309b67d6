//! What an edition would change in a tournament.

use crate::answers::{EditionEffect, Problem, RulesetName, TournamentName};
use crate::edition::Edition;
use crate::hint::Hint;
use crate::rebuild::{Rebuilt, TournamentFound};
use scrutineer_engine::tournament::Tournament;
use scrutineer_projections::ruleset::hash;

/// The id of a ruleset without the changes that were typed behind it.
fn base(id: &str) -> Option<&str> {
    id.split([' ', '+']).next()
}

/// What it would change in a tournament that was folded under it; none where it is not meant: the tournament
/// is over, or is played by another ruleset than it replaces.
pub fn effect(found: &TournamentFound, edition: &Edition, is_copy: bool) -> Option<EditionEffect> {
    let before = found.before.as_ref();
    let in_force = before.is_some_and(|before| before.hash == edition.rules.hash);
    let is_meant = |replaces: &String| before.is_none_or(|it| base(&it.id) == Some(replaces));
    if found.closed || !(in_force || edition.replaces.as_ref().is_none_or(is_meant)) {
        return None;
    }
    let rebuilt = found.found.as_ref();
    Some(EditionEffect {
        tournament: TournamentName::new(found.stream, found.title.clone()),
        ruleset: before.map(RulesetName::from),
        in_force,
        is_copy,
        players: found.players,
        moved: rebuilt.ok().map(|rebuilt| rebuilt.comparison.moves.len()),
        winner_changes: rebuilt.is_ok_and(Rebuilt::winner_changes),
        cut_changes: rebuilt.is_ok_and(Rebuilt::cut_changes),
        error: rebuilt.err().map(|cause| Problem::new(cause, cause.code(), None::<Hint>)),
    })
}

/// Whether an edition is the next one of the ruleset by which a tournament is played that is not over: it
/// says that it replaces that one, or has its id.
pub fn is_due(edition: &Edition, state: &Tournament) -> bool {
    let own = state.ruleset().unwrap_or_default();
    let id = own.first().and_then(|file| base(&file.name));
    let is_next = id.is_some_and(|id| match &edition.replaces {
        Some(replaces) => replaces == id,
        None => edition.id == id,
    });
    is_next && !state.is_closed() && state.imported().is_none() && hash(own) != edition.rules.hash
}

/// What it would change, in words.
pub fn would(rebuilt: &Rebuilt, players: u32) -> String {
    in_words(
        rebuilt.comparison.moves.len(),
        players,
        (rebuilt.winner_changes(), rebuilt.cut_changes()),
    )
}

fn in_words(moved: usize, players: u32, (winner, cut): (bool, bool)) -> String {
    if moved == 0 {
        return "nobody would move".into();
    }
    let winner = if winner { ", and others would be first" } else { "" };
    let cut = if cut { ", and others would make the cut" } else { "" };
    format!("{moved} of {players} players would move{winner}{cut}")
}

impl EditionEffect {
    /// What it would change, in words.
    pub fn would(&self) -> String {
        match (&self.error, self.moved) {
            (Some(error), _) => {
                format!("cannot be ranked by it: {}   [{}]", error.message, error.code)
            }
            (None, Some(0)) if self.in_force => "is played by it already".into(),
            (None, moved) => {
                in_words(moved.unwrap_or(0), self.players, (self.winner_changes, self.cut_changes))
            }
        }
    }
}
