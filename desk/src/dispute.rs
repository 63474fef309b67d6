//! All that a head judge needs of a dispute: the match, what happened at its table, where its
//! players stood and stand, and what a correction would change.

use crate::claims::claims;
use crate::desk::{Desk, DeskError, Means, Objection, Spot, dispute_of, write_slip};
use crate::rules::in_force;
use crate::store::Store;
use crate::what_if::WhatIf;
use scrutineer_engine::event::{Event, MatchResult, PlayerNumber, RoundNumber, Scoresheet, Seq};
use scrutineer_engine::record::StreamId;
use scrutineer_engine::tournament::{Dispute, MatchView, Tournament};
use scrutineer_projections::crosstable::{Scope, outcomes};
use scrutineer_projections::ruleset::{Outcome, Ruleset};
use scrutineer_projections::standings::{Detail, Standings};
use scrutineer_projections::timeline::Words;
use scrutineer_replay::as_of::AsOf;
use scrutineer_replay::loaded::LoadedTournament;
use std::collections::BTreeSet;
use std::sync::Arc;

/// A moment at which one looks at the standings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Moment {
    /// When the round of the match was paired.
    Paired,
    /// When the dispute was opened.
    Disputed,
    /// Now.
    Now,
}

/// A result that the match may have had.
#[derive(Clone, Debug)]
pub struct Plausible {
    /// Who would have won; none: a draw.
    pub winner: Option<PlayerNumber>,
    /// The slip, in the order of the seats.
    pub slip: String,
    /// What it would change.
    pub then: Then,
}

/// What another result would change.
#[derive(Clone, Debug)]
pub enum Then {
    /// Nothing: it is the result that stands.
    Stands,
    /// This.
    Changes(Box<WhatIf>),
    /// It cannot be entered.
    Refused(DeskError),
}

/// All that is to be known of a dispute.
#[derive(Clone, Debug)]
pub struct DisputeFile {
    /// The number by which people call it.
    pub number: u32,
    /// The dispute.
    pub dispute: Dispute,
    /// The round of its match.
    pub round: RoundNumber,
    /// Its table, where it is known.
    pub table: Option<u32>,
    /// Who sits there, in the order of the seats.
    pub seats: Vec<PlayerNumber>,
    /// The result that stands.
    pub result: Option<MatchResult>,
    /// Everything that happened at this table, by seq.
    pub events: Vec<Seq>,
    /// The standings at each moment, where they can be folded.
    pub standings: Vec<(Moment, Standings)>,
    /// What each plausible result would change, those that somebody claims among them; none at a table of
    /// more than two.
    pub plausible: Vec<Plausible>,
}

impl DisputeFile {
    /// Puts together the file of a dispute. Each plausible result is entered on a copy of the
    /// event; `as_of`: as it was then; `cut` is how many make the cut that is to come, where it is not as the plan says.
    ///
    /// # Errors
    /// Where there is no such dispute, or the tournament cannot be read.
    pub fn of(
        store: &Store,
        stream: StreamId,
        number: u32,
        as_of: Option<AsOf>,
        cut: Option<u32>,
        means: Means<'_>,
    ) -> Result<DisputeFile, DeskError> {
        let event = match as_of {
            Some(as_of) => store.load_as_of(stream, as_of, true)?,
            None => store.load(stream, true)?,
        };
        let dispute = dispute_of(&event.state, number)?.clone();
        let Some(found) = event.state.match_at(dispute.pairing) else {
            return Err(Objection::NoSuchDispute { number }.into());
        };
        let rules = in_force(event.state.ruleset().unwrap_or_default())?;
        let opened = found.round().opened;
        let moments = [
            (Moment::Paired, opened.saturating_sub(1)),
            (Moment::Disputed, dispute.seq),
            (Moment::Now, event.state.head()),
        ];
        let at = |(moment, head)| Some((moment, standings_at(&event, head)?));
        let mut plausible = Vec::new();
        let try_one = |slip: &str| try_slip(store, &event, found, slip, cut, means);
        let stands = ended(&event.state, &rules, found);
        // What somebody says it was comes before what it may have been.
        let written = found.to_result().map(|result| write_slip(&result));
        for slip in said(&event, &dispute, found) {
            if written.as_ref() == Some(&slip) {
                continue;
            }
            let Ok((what_if, after)) = try_one(&slip) else { continue };
            let Some(winner) = after.match_at(found.seq()).and_then(|m| ended(&after, &rules, m))
            else {
                continue;
            };
            plausible.push(Plausible { winner, slip, then: Then::Changes(Box::new(what_if)) });
        }
        let is_said = |winner| plausible.iter().any(|one: &Plausible| one.winner == winner);
        let mut likely = slips(&event.state, &rules, found);
        likely.retain(|(winner, _)| stands == Some(*winner) || !is_said(*winner));
        for (winner, slip) in likely {
            let then = match stands == Some(winner) {
                true => Then::Stands,
                false => match try_one(&slip) {
                    Ok((what_if, _)) => Then::Changes(Box::new(what_if)),
                    Err(error) => Then::Refused(error),
                },
            };
            plausible.push(Plausible { winner, slip, then });
        }
        // The claimant's own wish comes first.
        plausible.sort_by_key(|one| one.winner.is_none() || one.winner != dispute.by);
        Ok(DisputeFile {
            number,
            round: found.round().number,
            table: found.table(),
            seats: found.seats().iter().map(|seat| seat.player).collect(),
            result: found.to_result(),
            events: events_of(&event, found),
            standings: moments.into_iter().filter_map(at).collect(),
            plausible,
            dispute,
        })
    }

    /// The standings at a moment.
    pub fn at(&self, moment: Moment) -> Option<&Standings> {
        self.standings.iter().find(|(at, _)| *at == moment).map(|(_, standings)| standings)
    }
}

fn standings_at(event: &LoadedTournament, head: Seq) -> Option<Standings> {
    let known = event.log.iter().take_while(|(header, _)| header.seq <= head);
    let state = Tournament::of(known.map(|(_, event)| event));
    let rules = in_force(state.ruleset()?).ok()?;
    let scope = Scope { through: None, final_order: None };
    Standings::of(&state, &rules, scope, Detail::Order).ok()
}

/// Everything that names a match, or something that happened in it.
fn events_of(event: &LoadedTournament, found: MatchView<'_>) -> Vec<Seq> {
    let pairing = found.seq();
    // Those of a match that was moved to another table stand at its pairing of before.
    let claims = claims(event).into_iter().filter(|((of, _), _)| *of == pairing);
    let claims: BTreeSet<Seq> = claims.map(|(_, claim)| claim.header.seq).collect();
    let served: Vec<Seq> = found.to_result().map_or(Vec::new(), |result| result.penalties_served);
    let mut of_match = BTreeSet::from([pairing]);
    let mut seqs = Vec::new();
    for (header, logged) in &event.log {
        let is_of = match logged {
            Event::ResultClaimed(e) => e.pairing == pairing || claims.contains(&header.seq),
            Event::ScoreNoted(e) => e.pairing == pairing,
            Event::ResultRecorded(e) => e.pairing == pairing,
            Event::ResultCorrected(e) => e.pairing == pairing,
            Event::PlayerAdvanced(e) => e.pairing == pairing,
            Event::PenaltyGiven(e) => e.pairing == Some(pairing) || served.contains(&header.seq),
            Event::DisputeOpened(e) => e.pairing == pairing,
            Event::DisputeRuled(e) => of_match.contains(&e.dispute),
            Event::NoteAdded(e) => e.about.is_some_and(|about| of_match.contains(&about)),
            Event::Withdrawn(e) => of_match.contains(&e.seq),
            _ => header.seq == pairing,
        };
        if is_of {
            of_match.insert(header.seq);
            seqs.push(header.seq);
        }
    }
    seqs
}

/// Who won, or none for a draw; nothing where it came out otherwise, or has no result.
pub(crate) fn ended(
    state: &Tournament,
    rules: &Ruleset,
    found: MatchView<'_>,
) -> Option<Option<PlayerNumber>> {
    let outcomes = outcomes(state, rules, found);
    let won = outcomes.iter().position(|outcome| *outcome == Outcome::Win);
    match won {
        Some(seat) => Some(Some(found.seats().get(seat)?.player)),
        None => outcomes.iter().all(|outcome| *outcome == Outcome::Draw).then_some(None),
    }
}

/// The scores that somebody says the match ended with, in the order of the seats, each once: what its players
/// reported, and those in the words of the claim. Where it is a player's own they may mean either order.
fn said(event: &LoadedTournament, dispute: &Dispute, found: MatchView<'_>) -> Vec<String> {
    let mut said: Vec<String> = match found.seats().len() {
        2 => {
            let claims = claims(event);
            (0..2)
                .filter_map(|seat| claims.get(&(found.seq(), seat)))
                .map(|one| write_slip(&one.result))
                .collect()
        }
        _ => Vec::new(),
    };
    if let [first, second] = found.seats() {
        let of_log = event.log.iter().find(|(header, _)| header.seq == dispute.seq);
        let claim = match of_log {
            Some((_, Event::DisputeOpened(opened))) => event.text(&opened.claim).replace('–', "-"),
            _ => String::new(),
        };
        let is_score = |word: &&str| {
            let numbers: Vec<&str> = word.split('-').collect();
            let is_number = |one: &&str| !one.is_empty() && one.bytes().all(|b| b.is_ascii_digit());
            (2..=3).contains(&numbers.len()) && numbers.iter().all(is_number)
        };
        let words = claim.split(|c: char| c.is_whitespace() || matches!(c, ',' | ';' | ':' | '.'));
        let turned = |slip: &str| {
            let mut numbers: Vec<&str> = slip.split('-').collect();
            numbers.swap(0, 1);
            numbers.join("-")
        };
        // A claim of a thousand scores is tried no further.
        for slip in words.filter(is_score).take(2) {
            // Who claims it means their own games first; somebody else those of the first seat.
            let is_second = dispute.by == Some(second.player);
            said.push(if is_second { turned(slip) } else { slip.to_string() });
            let is_own = is_second || dispute.by == Some(first.player);
            said.extend(is_own.then(|| if is_second { slip.to_string() } else { turned(slip) }));
        }
    }
    let mut seen = BTreeSet::new();
    said.retain(|slip| seen.insert(slip.clone()));
    said
}

/// A result for each way in which a match of two can end, in the order of the seats: the score
/// as it stands or turned round, as near to what was written as can be.
fn slips(
    state: &Tournament,
    rules: &Ruleset,
    found: MatchView<'_>,
) -> Vec<(Option<PlayerNumber>, String)> {
    let [first, second] = found.seats() else { return Vec::new() };
    let sheet = state.scoresheet(found.round()).cloned().unwrap_or_default();
    let (stands, ended) = (found.to_result(), ended(state, rules, found));
    let won = ended.flatten();
    let in_bracket = state.phase_of(found.round()).is_some_and(|phase| phase.kind.is_bracket());
    let won_by = |seat: usize, player: PlayerNumber| {
        let slip = match &stands {
            Some(result) if won == Some(player) => write_slip(result),
            _ => win(&sheet, stands.as_ref().filter(|_| won.is_some()), seat),
        };
        (Some(player), slip)
    };
    let mut slips = vec![won_by(0, first.player), won_by(1, second.player)];
    if !in_bracket {
        let slip = match &stands {
            Some(result) if ended == Some(None) => write_slip(result),
            _ => drawn(&sheet),
        };
        slips.push((None, slip));
    }
    slips
}

/// That seat wins: the score of the other one's win turned round; otherwise as close as it gets.
fn win(sheet: &Scoresheet, lost: Option<&MatchResult>, seat: usize) -> String {
    let scored = lost.filter(|result| result.rulings.is_empty() && result.score.seats.len() == 2);
    if let Some(result) = scored {
        let mut turned = MatchResult::played(result.score.clone());
        turned.score.seats.reverse();
        return write_slip(&turned);
    }
    let score = match (sheet.seat_line("games"), sheet.best_of) {
        (Some(0), Some(best_of)) if sheet.seat_lines() == 1 => Some((best_of / 2 + 1, best_of / 2)),
        _ => None,
    };
    match (score, seat) {
        (Some((won, lost)), 0) => format!("{won}-{lost}"),
        (Some((won, lost)), _) => format!("{lost}-{won}"),
        (None, 0) => "w-l".into(),
        (None, _) => "l-w".into(),
    }
}

fn drawn(sheet: &Scoresheet) -> String {
    match (sheet.seat_line("games"), sheet.best_of) {
        (Some(0), Some(best_of)) if sheet.seat_lines() == 1 && best_of > 1 => {
            format!("{0}-{0}", best_of / 2)
        }
        _ => "d-d".into(),
    }
}

/// What would be if this were the result.
fn try_slip(
    store: &Store,
    event: &LoadedTournament,
    found: MatchView<'_>,
    slip: &str,
    cut: Option<u32>,
    means: Means<'_>,
) -> Result<(WhatIf, Arc<Tournament>), DeskError> {
    let fork = store.fork_until(event.stream, event.state.head())?;
    let desk = Desk::at(&fork, event.stream, means);
    let (round, spot) = (found.round().number, Spot::Player(found.seats()[0].player));
    match found.result() {
        Some(_) => desk.correct_at(Some(round), spot, slip, "what if", None, None)?,
        None => desk.enter_at(spot, slip)?,
    };
    let after = fork.load(event.stream, true)?;
    let what_if = WhatIf::of(event, &after, cut)?;
    Ok((what_if, after.state))
}
