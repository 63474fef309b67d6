//! Results: one table's slip entered or corrected, and who goes on by ruling.

use super::is_played;
use super::order::{Advance, Correct, Enter};
use super::people::begun_anew;
use super::{AtDesk, Told, next};
use crate::answers::{AdvanceAnswer, ResultAnswer};
use crate::claims::{claims_from, passed_over};
use crate::desk::{Entered, Spot, dispute_of, write_slip};
use crate::foreseen::{is_to_draw_anew, is_to_pair_again, stays, wrongly};
use crate::glance::postponed_in;
use crate::names::Names;
use crate::verb_error::VerbError;
use crate::what_if::{Anew, AsDrawn, LaterRound, WhatIf};
use scrutineer_engine::error::Code;
use scrutineer_engine::event::{
    How, MatchResult, PenaltyKind, PlayerNumber, RoundNumber, Ruling, Score,
};
use scrutineer_engine::tournament::{MatchView, Penalty, Tournament};
use scrutineer_pairing::running_phase;
use scrutineer_projections::bracket_rounds::round_in_words;
use scrutineer_projections::compare::Move;
use scrutineer_projections::counted;
use scrutineer_replay::as_of::{Moment, Timeline};
use std::cmp::Ordering;

/// How many are named of those who move behind the closing.
const SHOWN_MOVES: usize = 8;

/// Splits what was typed into the table, the player or both, and the score.
///
/// Where a table is named, a name is looked for among those who sit there first: `seated` gives them.
pub fn split(
    slip: &str,
    names: &Names,
    seated: &dyn Fn(u32) -> Vec<PlayerNumber>,
) -> Result<(Spot, String), VerbError> {
    let words: Vec<String> = slip.split_whitespace().map(str::to_string).collect();
    let words = &words[..];
    let no_score = || {
        let message = format!("{:?} says no score", words.join(" "));
        VerbError::new(
            Code::invalid("bad-slip"),
            message,
            "write the table or a player, then the score: `12 2-1`",
        )
    };
    if let Some((table, rest)) = table_of(words) {
        if rest.is_empty() {
            return Err(no_score());
        }
        let begins = rest.iter().position(|word| is_score(word)).unwrap_or(0);
        let player = (begins > 0).then(|| {
            let typed = rest[..begins].join(" ");
            names.find_among(&typed, &seated(table)).map_or_else(|| names.find(&typed), Ok)
        });
        return Ok(match player {
            Some(Ok(player)) => (Spot::PlayerAt(table, player), rest[begins..].join(" ")),
            _ => (Spot::Table(table), rest.join(" ")),
        });
    }
    // A name may have several words, and one of them may look like a score.
    let begins = (1..words.len()).rev().filter(|&at| is_score(&words[at]));
    let mut last_fail = None;
    for begins in begins {
        match names.find(&words[..begins].join(" ")) {
            Ok(player) => return Ok((Spot::Player(player), words[begins..].join(" "))),
            Err(fail) => last_fail = Some(fail),
        }
    }
    Err(last_fail.unwrap_or_else(no_score))
}

/// Who sits at each table of a round; of the last one where none is named.
pub fn seated(
    state: &Tournament,
    round: Option<RoundNumber>,
) -> impl Fn(u32) -> Vec<PlayerNumber> + '_ {
    let round = round.or(state.last_round().map(|last| last.number));
    move |table| {
        let found = round.and_then(|round| state.at_table(round, table));
        found.map_or(Vec::new(), |found| found.seats().iter().map(|seat| seat.player).collect())
    }
}

/// The table that a slip begins with, as people write it and as it is printed, and what follows:
/// `13`, `13:`, `T13`, `table 13`.
fn table_of(words: &[String]) -> Option<(u32, &[String])> {
    let (first, rest) = words.split_first()?;
    if first.eq_ignore_ascii_case("table") && !rest.is_empty() {
        return table_of(rest);
    }
    let number = first.trim_end_matches(':');
    let number = number.strip_prefix(['t', 'T']).unwrap_or(number);
    Some((number.parse().ok()?, rest))
}

/// Whether a word can begin a score.
pub fn is_score(word: &str) -> bool {
    let word = word.to_lowercase();
    // A single letter may be the end of a name.
    let rulings = ["w", "l", "d", "win", "loss", "draw"];
    let ruled = || word.contains('-') && word.split('-').all(|part| rulings.contains(&part));
    let words = [
        "id",
        "void",
        "postponed",
        "place",
        "conceded",
        "forfeit",
        "no-show",
        "agreed",
        "draw",
        "tie",
    ];
    word.starts_with(|c: char| c.is_ascii_digit() || "-+½".contains(c))
        || words.contains(&word.as_str())
        || ruled()
        || word.contains('=')
}

/// Enters a slip.
pub fn result(at: &AtDesk<'_>, order: &Enter) -> Result<Told, VerbError> {
    let names = at.names()?;
    let (spot, score) = split(&order.slip, &names, &seated(&*at.state()?, None))?;
    if let Some(round) = order.round {
        is_played(&*at.state()?, round)?;
    }
    let entered = at.desk.enter_at(spot, &score).map_err(|error| at.refused(&names, error))?;
    let state = at.state()?;
    let round = round_in_words(&state, entered.round);
    let left = match entered.missing {
        0 => match postponed_in(&state, entered.round) {
            0 => format!("{round} is complete"),
            later => format!("{round} is complete, {} postponed", counted(later, "match")),
        },
        left => format!("{left} left in {round}"),
    };
    let text = format!(
        "{}   {left}   (event {})\n{}",
        line(&names, &entered),
        entered.done.first_seq,
        remarks(&names, &state, &entered)
    );
    let mut told = Told::of(&entered.done, text, answered("result", &names, &entered));
    told.notes.extend(reported(at, &names, &state, &entered)?);
    if entered.missing == 0 {
        told.next = Some(next::step(at, &state)?);
    }
    Ok(told)
}

/// What players had reported of a match for which another result is entered, and who; none: nothing else.
fn reported(
    at: &AtDesk<'_>,
    names: &Names,
    state: &Tournament,
    entered: &Entered,
) -> Result<Option<String>, VerbError> {
    let Some(found) = state.at_table(entered.round, entered.table) else { return Ok(None) };
    let opened = found.round().opened;
    // Directly behind the opening nobody sits anywhere; how an engine paired may stand there.
    if !state.has_said_since(opened + 1) {
        return Ok(None);
    }
    let claims = claims_from(at.store, at.desk.stream(), opened, state.head())?;
    let over = passed_over(&claims, found);
    let Some(first) = over.first() else { return Ok(None) };
    let who = match over.len() {
        1 => names.name(found.seats()[usize::from(*first)].player),
        _ => "both".into(),
    };
    let said = claims.get(&(found.seq(), *first)).map(|claim| &claim.result);
    Ok(said.map(|said| format!("{who} reported {}", told(names, &entered.seats, said))))
}

/// `table 12: Ann 2-1 Bob`.
pub fn line(names: &Names, entered: &Entered) -> String {
    format!("table {}: {}", entered.table, told(names, &entered.seats, &entered.result))
}

/// Who won more games by the score of a match of two; none: neither, or no games are kept.
fn won_by_games(state: &Tournament, entered: &Entered) -> Option<usize> {
    let games = games_of(state, entered)?;
    match games[0].cmp(&games[1]) {
        Ordering::Greater => Some(0),
        Ordering::Less => Some(1),
        Ordering::Equal => None,
    }
}

/// The games of a match of two as typed; none where no games are kept, or none were typed.
fn games_of(state: &Tournament, entered: &Entered) -> Option<[i32; 2]> {
    let sheet = state.scoresheet(state.round(entered.round)?)?;
    let (_, line) = (sheet.best_of?, sheet.seat_line("games")?);
    match &entered.result.score.seats[..] {
        [first, second] => Some([*first.get(line)?, *second.get(line)?]),
        _ => None,
    }
}

/// What a ruling of who goes on makes of a result: it stands, whatever was typed.
fn against_the_ruling(names: &Names, state: &Tournament, entered: &Entered) -> Option<String> {
    let goes_on = state.at_table(entered.round, entered.table)?.advanced()?;
    let who = names.name(goes_on);
    let ruled = |ruling| entered.result.rulings.iter().position(|r| *r == Some(ruling));
    let won = match entered.result.rulings.is_empty() {
        true => won_by_games(state, entered),
        false => ruled(Ruling::Win),
    };
    let other = won.map(|seat| entered.seats[seat]).filter(|winner| *winner != goes_on);
    Some(match other {
        Some(winner) => format!(
            "  LOOK: {who} goes on by ruling, and {} won; where the ruling was wrong, `log` names its event: `withdraw <event> --reason <why>`\n",
            names.name(winner)
        ),
        None => format!("  {who} goes on by ruling\n"),
    })
}

/// What the scorekeeper should look at again.
pub fn remarks(names: &Names, state: &Tournament, entered: &Entered) -> String {
    let mut text = against_the_ruling(names, state, entered).unwrap_or_default();
    if let ([first, second], true) = (&entered.seats[..], entered.turned)
        && !entered.result.score.seats.is_empty()
    {
        let (first, second) = (names.name(*first), names.name(*second));
        text.push_str(&format!(
            "  turned round: {second} has the second seat, {first} the first\n"
        ));
    }
    for penalty in &entered.served {
        let who = names.name(penalty.player);
        let seat = entered.seats.iter().position(|player| *player == penalty.player);
        text.push_str(&match penalty.kind {
            PenaltyKind::MatchLoss if seat.is_some() && won_by_games(state, entered) == seat => {
                format!(
                    "  LOOK: {who} serves a match loss, and the games count as typed, won by {who}: \
                     `correct` says how many they are\n"
                )
            }
            PenaltyKind::MatchLoss => format!("  {who} serves a match loss\n"),
            _ => match games_of(state, entered).zip(seat.filter(|seat| *seat < 2)) {
                Some((games, seat)) => {
                    let other = names.name(entered.seats[1 - seat]);
                    let own = |p: &&Penalty| p.player == penalty.player && p.kind == penalty.kind;
                    let lost = entered.served.iter().filter(own).count() as i32;
                    let (won, kind) = (counted(games[1 - seat].max(0) as usize, "game"), penalty.kind);
                    match games[1 - seat] >= lost {
                        true => format!("  {who} serves a {kind}: the score holds it, {other} has {won}\n"),
                        false => format!(
                            "  LOOK: {who} serves a {kind}, and the score does not hold it: {other} \
                             has {won}; `correct` puts it right\n"
                        ),
                    }
                }
                None => format!("  {who} serves a {}: the score has to hold it\n", penalty.kind),
            },
        });
    }
    if let Some((player, games, best_of)) = lost_by_penalties(state, entered) {
        let who = names.name(player);
        text.push_str(&format!(
            "  {games} game losses alone lose a best of {best_of}: {who} cannot have won it\n"
        ));
    }
    text
}

/// Who cannot win a match of so many games any more, because of the games that they lose by
/// penalties, and how many those are.
fn lost_by_penalties(state: &Tournament, entered: &Entered) -> Option<(PlayerNumber, usize, u8)> {
    let best_of = state.scoresheet(state.round(entered.round)?)?.best_of?;
    let games = |player: PlayerNumber| {
        let own = entered.served.iter().filter(|penalty| penalty.player == player);
        own.filter(|penalty| penalty.kind == PenaltyKind::GameLoss).count()
    };
    let all = entered.seats.iter().map(|&player| (player, games(player)));
    let lost = all.max_by_key(|(_, games)| *games)?;
    (lost.1 > usize::from(best_of / 2)).then_some((lost.0, lost.1, best_of))
}

/// A result for programs.
pub fn answered(verb: &'static str, names: &Names, entered: &Entered) -> ResultAnswer {
    ResultAnswer::new(verb, names.players(&entered.seats), entered)
}

/// A result as people read it, in the order of the seats.
pub fn told(names: &Names, seats: &[PlayerNumber], result: &MatchResult) -> String {
    let how = match result.how {
        How::Played | How::Unknown => String::new(),
        how => format!(" ({how})"),
    };
    let score = write_slip(&MatchResult {
        rulings: Default::default(),
        how: How::Played,
        ..result.clone()
    });
    let no_score = result.score == Score::default() || score.is_empty();
    let ruled: Vec<&str> = result.rulings.iter().flatten().map(|ruling| word(*ruling)).collect();
    let placed = matches!(result.rulings.first(), Some(Some(Ruling::Place(_))));
    if let ([first, second], false) = (seats, placed) {
        let (first, second) = (names.name(*first), names.name(*second));
        if !no_score {
            let ruled = match ruled.is_empty() || is_ruled_as_scored(result) {
                true => String::new(),
                false => format!(", ruled {}", ruled.join("-")),
            };
            return format!("{first} {score} {second}{ruled}{how}");
        }
        return match result.rulings[..] {
            [Some(Ruling::Win), Some(Ruling::Loss)] => format!("{first} beats {second}{how}"),
            [Some(Ruling::Loss), Some(Ruling::Win)] => format!("{second} beats {first}{how}"),
            [Some(Ruling::Win), Some(Ruling::Win)] => format!("{first} and {second} both win{how}"),
            [Some(first_has @ (Ruling::Win | Ruling::Draw | Ruling::Loss)), Some(second_has)]
                if first_has != second_has =>
            {
                let (one, other) = (word(first_has), word(second_has));
                format!("{first} has a {one}, {second} a {other}{how}")
            }
            [Some(Ruling::Draw), _] => format!("{first} and {second} draw{how}"),
            [Some(Ruling::Loss), _] => format!("{first} and {second} both lose{how}"),
            _ if result.is_postponed() => format!("{first} and {second}: postponed{how}"),
            _ => format!("{first} and {second}: no result{how}"),
        };
    }
    let places = seats.iter().zip(&result.rulings).map(|(&player, ruling)| match ruling {
        Some(Ruling::Place(place)) => format!("{} {place}.", names.name(player)),
        Some(ruling) => format!("{} {}", names.name(player), word(*ruling)),
        None => names.name(player),
    });
    match no_score {
        true => format!("{}{how}", places.collect::<Vec<_>>().join(", ")),
        false => format!("{}: {score}{how}", names.list(seats, ", ")),
    }
}

/// Whether rulings say no more of one game than its score does: under rules that go by rulings alone a slip is
/// recorded with both.
fn is_ruled_as_scored(result: &MatchResult) -> bool {
    let Score { seats, table } = &result.score;
    let first_line = |values: &[i32]| values.first().copied().unwrap_or(0);
    let games: Vec<i32> = seats.iter().map(|values| first_line(values)).collect();
    let own = match (&games[..], first_line(table)) {
        ([1, 0], 0) => [Ruling::Win, Ruling::Loss],
        ([0, 1], 0) => [Ruling::Loss, Ruling::Win],
        ([0, 0] | [], 1) => [Ruling::Draw; 2],
        _ => return false,
    };
    result.rulings.iter().copied().eq(own.map(Some))
}

fn word(ruling: Ruling) -> &'static str {
    match ruling {
        Ruling::Win => "win",
        Ruling::Loss => "loss",
        Ruling::Draw => "draw",
        Ruling::NoResult => "no result",
        Ruling::Place(_) => "place",
    }
}

/// Corrects a result.
pub fn correct(at: &AtDesk<'_>, order: &Correct) -> Result<Told, VerbError> {
    let names = at.names()?;
    let before = at.state()?;
    let seated = seated(&before, order.round);
    let (spot, score) = split(&order.slip, &names, &seated)?;
    let was = order.was.as_deref().map(|was| match spot {
        Spot::Table(table) | Spot::PlayerAt(table, _) => {
            split(&format!("{table} {was}"), &names, &seated).unwrap_or((spot, was.to_string()))
        }
        Spot::Player(_) => (spot, was.to_string()),
    });
    let was = was.as_ref().map(|(spot, was)| (*spot, &was[..]));
    let refused = |error| at.refused(&names, error);
    let dispute = order.dispute.map(|number| Ok(dispute_of(&before, number)?.seq)).transpose();
    let dispute = dispute.map_err(refused)?;
    let corrected = at.desk.correct_at(order.round, spot, &score, &order.reason, dispute, was);
    let corrected = corrected.map_err(refused)?;
    let was = before.at_table(corrected.round, corrected.table).and_then(|m| m.to_result());
    let was = was.map_or(String::new(), |was| format!(", it was {}", write_slip(&was)));
    let text = format!(
        "round {} {}{was}\n{}",
        corrected.round,
        line(&names, &corrected),
        remarks(&names, &before, &corrected)
    );
    let later = is_late(&before, corrected.round) || before.is_closed();
    let answer = answered("correct", &names, &corrected);
    let mut told = Told::of(&corrected.done, text, answer).next(at.command("standings"));
    let found = before.at_table(corrected.round, corrected.table);
    if let Some(player) = found.and_then(|found| found.advanced()) {
        let name = names.name(player);
        told.notes.push(format!(
            "the ruling that {name} goes on still stands; withdraw it if it was wrong: `log`"
        ));
    }
    if later {
        late(at, &names, corrected.round, corrected.done.first_seq, &mut told);
    }
    Ok(told)
}

/// Whether a round was paired or a cut made since a round was played.
pub fn is_late(state: &Tournament, round: RoundNumber) -> bool {
    let last = state.phases().iter().rev().find(|phase| !phase.withdrawn);
    let next_phase = last.zip(state.round(round)).is_some_and(|(p, of)| p.number > of.phase);
    next_phase || state.last_round().is_some_and(|last| last.number > round)
}

/// Tells what was paired and who went on before a result of this round was put right by the command
/// that begins at `seq`. What players have seen stays; what nobody has seen is drawn anew. That the
/// tournament is closed is told with who moves.
pub fn late(at: &AtDesk<'_>, names: &Names, round: RoundNumber, seq: u64, told: &mut Told) {
    // What is only tried says this of all its commands together.
    if at.is_trial {
        return;
    }
    let found = || {
        let stream = at.desk.stream();
        let after = at.store.load(stream, true).ok()?;
        let timeline = Timeline::read(at.store.log(), stream).ok()?;
        let before = timeline.as_of(Moment::Seq(seq.checked_sub(1)?)).ok()?;
        let before = at.store.load_as_of(stream, before, true).ok()?;
        let found = WhatIf::of(&before, &after, None).ok()?;
        Some((found, after))
    };
    // The correction is recorded, whatever can be said about what it would have changed.
    match found() {
        Some((found, after)) => {
            if after.state.is_closed() {
                told.notes.push(behind_closing(names, &found.compared.moves));
            }
            told.notes.extend(wrongly(names, &after.state, &found));
            told.notes.extend(stays(names, &found));
            told.notes.extend(played_again(at, names, &after.state, &found));
            if found.rounds.iter().any(is_to_pair_again) {
                told.next = Some(at.command("pair --again"));
            }
            let phase = running_phase(&after.state).map(|phase| phase.number);
            let is_paired =
                after.state.rounds().iter().any(|r| Some(r.phase) == phase && !r.withdrawn);
            let is_behind_it =
                |later: &LaterRound| is_to_draw_anew(later) && later.anew == Anew::Cut;
            let is_draft = found.rounds.iter().any(is_behind_it);
            let is_other = found.cuts.iter().any(|cut| Some(cut.phase) == phase);
            if (!is_paired || is_draft) && is_other {
                told.notes.extend(begun_anew(at, &after.state));
            }
        }
        None if at.state().is_ok_and(|state| is_late(&state, round)) => {
            told.notes.push(format!("round {} was paired from the old result", round + 1));
        }
        None => {}
    }
}

/// That a tournament is closed, and who moves in its final standings all the same.
fn behind_closing(names: &Names, moves: &[Move]) -> String {
    let one = |one: &Move| format!("{} {}→{}", names.name(one.player), one.first, one.second);
    let shown: Vec<String> = moves.iter().take(SHOWN_MOVES).map(one).collect();
    let more = match moves.len() - shown.len() {
        0 => String::new(),
        more => format!(", {more} more"),
    };
    match shown.is_empty() {
        true => "the tournament is closed: nobody moves in its final standings".into(),
        false => {
            let moved = shown.join(", ");
            format!("the tournament is closed: in its final standings move {moved}{more}")
        }
    }
}

/// What is typed so that the last round of a bracket is played again by who belongs in it, in this order;
/// none: nobody is in it wrongly, or more than one table of it would change.
fn played_again(
    at: &AtDesk<'_>,
    names: &Names,
    state: &Tournament,
    found: &WhatIf,
) -> Option<String> {
    let mut changed = found.rounds.iter().filter_map(|later| match &later.drawn {
        AsDrawn::Otherwise { drawn, instead } => Some((later, drawn, instead)),
        _ => None,
    });
    let (later, drawn, instead) = changed.next().filter(|(later, ..)| later.is_out)?;
    let round = state.last_round().filter(|last| last.number == later.round)?;
    let is_bracket = state.phase_of(round).is_some_and(|phase| phase.kind.is_bracket());
    // A round that is complete, and no closing behind it, is followed by something else.
    let is_last = round.completed.is_none() || state.is_closed();
    let ([out], [new]) = (&drawn[..], &instead[..]) else { return None };
    let seats =
        |found: &MatchView<'_>| found.seats().iter().map(|seat| seat.player).collect::<Vec<_>>();
    let table =
        state.at_table(later.round, out.table?).filter(|found| seats(found) == out.players)?;
    if changed.next().is_some() || !is_bracket || !is_last || new.bye.is_some() {
        return None;
    }
    let undone = [state.closed(), table.result()].into_iter().flatten();
    let mut steps: Vec<String> = undone.map(|seq| format!("undo {seq}")).collect();
    let players = new.players.iter().map(|&player| format!("{:?}", names.name(player)));
    steps.push(format!("set-pairing {}", players.collect::<Vec<_>>().join(" ")));
    let typed = |step: &String| format!("`{}`", at.command(&format!("{step} --reason <why>")));
    let steps: Vec<String> = steps.iter().map(typed).collect();
    let (round, steps) = (round_in_words(state, later.round), steps.join(", then "));
    Some(format!("where {round} is to be played again: {steps}, then its result"))
}

/// Lets a player go on by ruling.
pub fn advance(at: &AtDesk<'_>, order: &Advance) -> Result<Told, VerbError> {
    let names = at.names()?;
    let state = at.state()?;
    let seats = seated(&state, order.round)(order.table);
    let place = format!("table {}", order.table);
    let player = names.find_at(&order.player, &place, &seats)?;
    let done = at.desk.advance(order.round, order.table, player, &order.reason);
    let done = done.map_err(|error| at.refused(&names, error))?;
    let text = format!("{} goes on from table {}\n", names.name(player), order.table);
    let answer =
        AdvanceAnswer { verb: "advance", table: order.table, player: names.player(player) };
    let next = next::step(at, &*at.state()?)?;
    Ok(Told::of(&done, text, answer).next(next))
}
