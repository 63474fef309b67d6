//! What readers of a tournament ask for: its standings, why somebody stands where they stand, what
//! orders would do. The same for the command, pages and programs.

use crate::asker::Asker;
use crate::bundle::Covered;
use crate::desk::{Desk, DeskError, Means};
use crate::foreseen::{Outcome, Step};
use crate::keys::KeyFolder;
use crate::orders::{AtDesk, Order, UNNAMED, When, cut_of, load, scope};
use crate::rehearsal::Chance;
use crate::rules::in_force;
use crate::store::Store;
use crate::told::Told;
use crate::verb_error::VerbError;
use crate::what_if::{WhatIf, repairing};
use scrutineer_engine::error::Code;
use scrutineer_engine::event::{DropReason, PlayerNumber, RoundNumber};
use scrutineer_engine::handler::CommandError;
use scrutineer_engine::record::StreamId;
use scrutineer_engine::rejection::Rejection;
use scrutineer_engine::tournament::{Availability, Tournament};
use scrutineer_pairing::dice::Dice;
use scrutineer_projections::crosstable::{Scope, check_rulings};
use scrutineer_projections::divisions::{divisions, find_division};
use scrutineer_projections::explain::{Explanation, explain};
use scrutineer_projections::reach::{Effort, Reach};
use scrutineer_projections::ruleset::{Library, Ruleset};
use scrutineer_projections::standings::{Detail, Standings};
use scrutineer_replay::bundle::{Give, Written, write};
use scrutineer_replay::loaded::LoadedTournament;
use scrutineer_replay::page;
use std::collections::BTreeSet;
use std::io::Write;
use std::sync::Arc;

/// What stands for a reason that nobody has to give for what does not happen.
pub const NO_REASON: &str = "what if";

/// What is said of one of several orders, under the number of its line in an answer.
pub fn of_line(number: usize, message: &str) -> String {
    format!("line {number}: {message}")
}

/// A tournament with its standings.
pub struct Table {
    /// The tournament, as it was known.
    pub event: LoadedTournament,
    /// Its standings.
    pub standings: Standings,
    rules: Arc<Ruleset>,
}

impl Table {
    /// Returns the standings of a tournament that was loaded.
    ///
    /// # Errors
    /// Where there is no such round, or the ruleset cannot rank what was recorded.
    pub fn of(
        event: LoadedTournament,
        rules: Arc<Ruleset>,
        through: Option<u16>,
    ) -> Result<Table, VerbError> {
        let scope = scope(&event.state, through)?;
        check_rulings(&event.state, &rules)?;
        let standings = Standings::of(&event.state, &rules, scope, Detail::All)?;
        Ok(Table { event, standings, rules })
    }

    /// Returns the same, through an earlier round; 0: before the first.
    ///
    /// # Errors
    /// Where the ruleset cannot rank what was recorded.
    pub fn through(self, round: u16) -> Result<Table, VerbError> {
        let scope = Scope { through: Some(round), final_order: None };
        let standings = Standings::of(&self.event.state, &self.rules, scope, Detail::All)?;
        Ok(Table { standings, ..self })
    }
}

/// Returns the standings of a tournament, under its own ruleset or a shipped one.
///
/// # Errors
/// Where it cannot be read or ranked, or there is no such ruleset, round or moment.
pub fn standings(
    store: &Store,
    stream: StreamId,
    when: &When,
    rules: Option<&str>,
) -> Result<Table, VerbError> {
    let event = load(store, stream, when.as_of, false)?;
    let rules = match rules {
        Some(name) => Arc::new(Library::shipped().ruleset(name)?),
        None => in_force(event.state.ruleset().unwrap_or_default())?,
    };
    Table::of(event, rules, when.through)
}

/// Returns the division that somebody typed.
///
/// # Errors
/// Where no player has it.
pub fn division_of<'a>(state: &'a Tournament, typed: &str) -> Result<&'a str, VerbError> {
    let found = find_division(state, typed.trim());
    found.ok_or_else(|| match divisions(state) {
        all if all.is_empty() => no_divisions(),
        all => VerbError::new(
            Code::not_found("unknown-division"),
            format!("no player has the division {typed:?}"),
            format!("name one of these: {}", all.join(", ")),
        ),
    })
}

/// Returns the refusal where no player has a division.
pub fn no_divisions() -> VerbError {
    VerbError::new(
        Code::not_found("no-divisions"),
        "no player has a division",
        "`enroll <name> --division <division>` enrolls with one",
    )
}

/// Returns why a player stands where they stand, beside a neighbor or somebody else.
///
/// # Errors
/// Where there is no such player, one of them takes no place, or they are to be compared with themselves.
pub fn explained(
    event: &LoadedTournament,
    standings: &Standings,
    player: PlayerNumber,
    against: Option<PlayerNumber>,
) -> Result<Explanation, VerbError> {
    let mut both = [player].into_iter().chain(against);
    if let Some(without) = both.find(|number| standings.position(*number).is_none()) {
        return Err(no_place(event, without));
    }
    if against == Some(player) {
        let message = format!("{} cannot be compared with themselves", event.name(player));
        return Err(VerbError::new(
            Code::invalid("same-player"),
            message,
            "name another player behind --against",
        ));
    }
    explain(&event.state, standings, player, against).ok_or_else(|| no_place(event, player))
}

/// Returns the refusal where somebody takes no place, or nobody has the number.
pub fn no_place(event: &LoadedTournament, player: PlayerNumber) -> VerbError {
    if event.state.player(player).is_none_or(|one| one.withdrawn) {
        let unknown = CommandError::from(Rejection::UnknownPlayer { player });
        return DeskError::from(unknown).into();
    }
    VerbError::new(
        Code::refused("no-place"),
        format!("{} takes no place in these standings", event.name(player)),
        "who takes a place stands in the standings of that round",
    )
}

/// Returns the refusal where a player of these standings was disqualified and takes no place, for whoever may read
/// why; none where they were not. The tournament was loaded with its log.
pub fn disqualified(
    event: &LoadedTournament,
    standings: &Standings,
    player: PlayerNumber,
) -> Option<VerbError> {
    let all = standings.disqualified(&event.state);
    let (_, after) = *all.iter().find(|(other, _)| *other == player)?;
    let when = match after {
        0 => "before round 1".to_string(),
        round => format!("after round {round}"),
    };
    let why = why_disqualified(event, player, after);
    let why = why.map_or(String::new(), |why| format!("; the reason that was noted: {why}"));
    Some(VerbError::new(
        Code::refused("no-place"),
        format!(
            "{} was disqualified {when} and takes no place in these standings{why}",
            event.name(player)
        ),
        "who takes a place stands in the standings of that round",
    ))
}

/// Returns why a player was disqualified after a round, as it was noted; none where it was not, or the tournament
/// was loaded without its log.
pub fn why_disqualified(
    event: &LoadedTournament,
    player: PlayerNumber,
    after: RoundNumber,
) -> Option<String> {
    let it = Availability::Dropped(DropReason::Disqualified, after);
    let changes = &event.state.player(player)?.availability;
    let (seq, _) = changes.iter().rfind(|(_, change)| *change == it)?;
    let row = event.log.iter().find(|(header, _)| header.seq == *seq)?;
    Told::of(event, BTreeSet::new()).note_of_drop(row)
}

/// Returns what everybody can still reach. The sample, where one is taken, is the same for the same
/// log. Without a `cut` the plan's holds.
///
/// # Errors
/// Where no Swiss and no round robin is played, the ruleset cannot rank what was recorded, or
/// everybody makes the cut.
pub fn reachable(
    event: &LoadedTournament,
    rules: &Arc<Ruleset>,
    cut: Option<u32>,
    effort: Effort,
) -> Result<Reach, VerbError> {
    check_rulings(&event.state, rules)?;
    let mut dice = Dice::new(&[0; 32], "reach", 1, &event.state.head().to_le_bytes());
    let mut below = |end| dice.below(end);
    let found = Reach::of(&event.state, rules, cut, effort, &mut below)?;
    let found = found.ok_or_else(|| {
        VerbError::new(
            Code::refused("nothing-to-reach"),
            "what can be reached is told of a Swiss or a round robin, and none is played",
            "`standings` shows the places; `pairings` the bracket or the pods",
        )
    })?;
    cut_of(cut, found.players.len())?;
    Ok(found)
}

/// Tries something on a copy of a tournament, and says what it would change.
///
/// # Errors
/// Why it is refused.
pub fn foreseen(
    asker: &Asker,
    store: &Store,
    stream: StreamId,
    cut: Option<u32>,
    try_all: impl FnOnce(&AtDesk<'_>) -> Result<Vec<Step>, VerbError>,
) -> Result<Outcome, VerbError> {
    let event = store.load(stream, true)?;
    let chance = Chance::of(asker.rehearse.as_deref(), store)?;
    let (clock, random) = (|| chance.now(), || chance.random());
    let means = Means { actor: UNNAMED, clock: &clock, random: &random };
    let fork = store.fork(stream)?;
    let steps = try_all(&AtDesk::trial(asker, &fork, stream, means))?;
    let after = fork.load(stream, true)?;
    let what_if = WhatIf::of(&event, &after, cut).map_err(DeskError::from)?;
    cut_of(cut, what_if.before.rows.len())?;
    let repair = repairing(&fork, &event, &after, &what_if.rounds, means)?;
    let which = AtDesk::new(asker, store, Desk::at(store, stream, means), means)?.which();
    Ok(Outcome { event, after, steps, what_if, repair, which })
}

/// Tries orders on a copy of a tournament, and says what they would change. None of them may show a
/// pairing before it is made.
///
/// # Errors
/// Which of them is refused, and why.
pub fn tried(
    asker: &Asker,
    store: &Store,
    stream: StreamId,
    cut: Option<u32>,
    orders: &[Order],
) -> Result<Outcome, VerbError> {
    foreseen(asker, store, stream, cut, |at| {
        let tried = |order: &Order| {
            if matches!(
                order,
                Order::Pair(_) | Order::Lots(_) | Order::Reseed(_) | Order::Remove(_)
            ) {
                return Err(not_foreseen(&format!("`{}`", order.verb())));
            }
            let told = at.carry_out(order).map_err(|error| match error.code.word {
                "no-secret" => not_foreseen(&format!("`{}`", order.verb())),
                _ => error,
            })?;
            let typed = serde_json::to_string(order).unwrap_or_default();
            Ok(Step { typed, said: told.text })
        };
        let each = (1..).zip(orders).map(|(line, order)| {
            tried(order).map_err(|error: VerbError| match orders.len() {
                1 => error,
                _ => VerbError { message: of_line(line, &error.message), ..error },
            })
        });
        each.collect()
    })
}

/// Returns the refusal of what would show a pairing that is not made yet.
pub fn not_foreseen(which: &str) -> VerbError {
    VerbError::new(
        Code::invalid("no-what-if"),
        format!("{which} would show a pairing that is not made yet"),
        "whoever sees a pairing before it is made can choose: pair it, and `withdraw` undoes it",
    )
}

/// Writes what is public of a tournament as a bundle without names. One that is over is signed to its end where the
/// key is here, and what was signed is noted beside the key.
///
/// # Errors
/// Where it cannot be read or written.
pub fn bundle(
    (store, public): (&Store, &Store),
    stream: StreamId,
    keys: &KeyFolder,
    to: &mut dyn Write,
) -> Result<(), VerbError> {
    write(&Covered::of((store, public), stream, keys), stream, Give::Nothing, to)?;
    Ok(())
}

/// Writes a tournament into one file with every private text: for another desk that carries it on, with the
/// secret of its pairings too. One that is over is signed to its end where the key is here, and what was signed is
/// noted beside the key.
///
/// # Errors
/// Where it cannot be read or written.
pub fn private_bundle(
    store: &Store,
    stream: StreamId,
    give: Give,
    keys: &KeyFolder,
    to: &mut dyn Write,
) -> Result<(), VerbError> {
    write(&Covered::of((store, store), stream, keys), stream, give, to)?;
    Ok(())
}

/// A page that shows a tournament and checks itself.
pub struct CheckedPage {
    /// The page.
    pub html: String,
    /// The bundle in it.
    pub bundle: Vec<u8>,
    /// What that holds.
    pub written: Written,
}

/// Makes the page that checks itself, with these names.
///
/// # Errors
/// Where the tournament cannot be read.
pub fn checked_page(store: &Store, stream: StreamId, give: Give) -> Result<CheckedPage, VerbError> {
    let mut bundle = Vec::new();
    let written = write(store, stream, give, &mut bundle)?;
    // Of a copy whose log was rewritten where it is run it says so, where that is proved.
    let fork = store.rewritten(stream)?.filter(|fork| !fork.is_said());
    let other = fork.map(|fork| (fork.to_string(), fork.checkpoint));
    let other = other.as_ref().map(|(known, checkpoint)| (&checkpoint[..], &known[..]));
    let html = std::str::from_utf8(&bundle).ok();
    let html = html.and_then(|bundle| page::html(bundle, other));
    let html = html.ok_or_else(|| {
        let message = "the tournament's records cannot be read one after the other";
        let hint = "`scrutineer verify` says what is wrong with them";
        VerbError::new(Code::damaged("log-not-read"), message, hint)
    })?;
    Ok(CheckedPage { html, bundle, written })
}

#[cfg(test)]
mod tests {
    use super::{explained, standings};
    use crate::kit::Hall;
    use crate::orders::When;

    #[test]
    fn who_takes_no_place_is_named_and_a_number_that_nobody_has_is_said() {
        let hall = Hall::new();
        hall.at(|desk| desk.disqualify(4, "hit somebody").expect("disqualified"));
        let table =
            standings(&hall.store, hall.stream, &When::default(), None).expect("it is ranked");
        let refused = |player, against| {
            let found = explained(&table.event, &table.standings, player, against);
            found.err().map(|error| (error.code.word, error.message))
        };
        let no_place = Some(("no-place", "Dee takes no place in these standings".to_string()));
        let unknown = Some(("unknown-player", "there is no player 99".to_string()));
        assert_eq!(refused(3, Some(2)), None);
        assert_eq!((refused(4, None), refused(3, Some(4))), (no_place.clone(), no_place));
        assert_eq!((refused(99, None), refused(3, Some(99))), (unknown.clone(), unknown));
        assert_eq!(refused(3, Some(3)).map(|(code, _)| code), Some("same-player"));
    }
}
