//! `players`: the roster.

use super::{AtDesk, Seen, Told, When, dated};
use crate::answers::{ByeToCome, Dated, PlayersAnswer, RosterRow};
use crate::desk::{open_round, without_seat};
use crate::table::{Align, Aligned};
use crate::verb_error::VerbError;
use scrutineer_engine::event::{ByeRequested, DropReason, How, PlayerNumber, RoundNumber};
use scrutineer_engine::tournament::Player;
use scrutineer_pairing::running_phase;
use scrutineer_projections::crosstable::Scope;
use scrutineer_projections::standings::{Detail, Standings};
use std::collections::BTreeSet;

/// Lists the players.
pub fn players(at: &AtDesk<'_>, when: &When) -> Result<Told, VerbError> {
    let Seen { event, through, names } = at.seen(when)?;
    let state = &event.state;
    let rules = at.desk.rules(state)?;
    let played = state.last_round().is_some();
    // A roster is shown even where results cannot be ranked.
    let scope = Scope { through: through.or(when.out), final_order: None };
    let standings = match played {
        true => Standings::of(state, &rules, scope, Detail::Order).ok(),
        false => None,
    };
    let record = |player: &Player| {
        let standings = standings.as_ref()?;
        match standings.row(player.number) {
            Some(row) => Some(row.record),
            None => standings.record_without_row(player.number),
        }
    };
    let until = through.unwrap_or(RoundNumber::MAX);
    let has_come = |player: &&Player| {
        let has_row = || standings.as_ref().is_some_and(|s| s.row(player.number).is_some());
        player.from_round <= until || has_row()
    };
    let here = state.players().iter().filter(|player| !player.withdrawn);
    let here: Vec<&Player> = match through {
        Some(_) => here.filter(has_come).collect(),
        None => here.collect(),
    };
    let is_now = through.is_none() && when.out.is_none();
    let byes_to_come = |player: &Player| -> Vec<ByeToCome> {
        let own = state.byes_to_come().filter(|(_, bye)| is_now && bye.player == player.number);
        let told = |bye: ByeRequested| ByeToCome { round: bye.round, kind: bye.kind.to_string() };
        let mut byes: Vec<ByeToCome> = own.map(|(_, bye)| told(bye)).collect();
        byes.sort_by_key(|bye| bye.round);
        byes
    };
    let open = open_round(state).filter(|_| is_now).map(|open| open.number);
    let without = open.map_or(Vec::new(), |round| without_seat(state, round));
    let kept = |player: &Player| state.kept_table(player.number).filter(|_| is_now);
    let is_checked = here.iter().any(|player| player.checked_in);
    // Who sat at a table was there, also where nobody checked them in.
    let played_at_table = state.matches().filter(|one| one.how() == How::Played);
    let seats = played_at_table.flat_map(|one| one.seats().iter().map(|seat| seat.player));
    let sat: BTreeSet<PlayerNumber> = seats.collect();
    let told = |player: &Player| event.described(player);
    let described = [0, 1].map(|at| here.iter().any(|player| told(player)[at].is_some()));
    let rated = here.iter().any(|player| player.rating.is_some());
    let mut head = vec![("number", Align::Right), ("player", Align::Left)];
    let columns = [("title", Align::Left), ("federation", Align::Left)];
    let columns = columns.into_iter().zip(described).filter(|(_, is_there)| *is_there);
    head.extend(columns.map(|(column, _)| column));
    head.extend(rated.then_some(("rating", Align::Right)));
    head.extend(played.then_some(("record", Align::Left)));
    head.push(("", Align::Left));
    let mut table = Aligned::new(head);
    for player in &here {
        let mut cells = vec![player.number.to_string(), names.name(player.number)];
        let words = told(player).into_iter().zip(described).filter(|(_, is_there)| *is_there);
        cells.extend(words.map(|(word, _)| word.unwrap_or_default()));
        let rating = || player.rating.map_or(String::new(), |rating| rating.to_string());
        cells.extend(rated.then(rating));
        cells.extend(played.then(|| record(player).map_or(String::new(), |r| r.to_string())));
        let mut remarks = remarks(player, until);
        if is_checked && through.is_none() && player.dropped().is_none() {
            let missing = (!sat.contains(&player.number)).then_some("not here yet");
            let word = if player.checked_in { Some("here") } else { missing };
            word.into_iter().for_each(|word| remarks.insert(0, word.into()));
        }
        remarks.extend(kept(player).map(|table| format!("keeps table {table}")));
        remarks.extend(
            byes_to_come(player)
                .into_iter()
                .map(|bye| format!("{} in round {}", bye.kind, bye.round)),
        );
        if let Some((_, from)) = without.iter().find(|(n, _)| *n == player.number) {
            let round = open.unwrap_or(0);
            remarks.extend(
                (*from > player.from_round.max(round)).then(|| format!("back from round {from}")),
            );
            remarks.push(format!("no table in round {round}"));
        }
        cells.push(remarks.join(", "));
        table.row(cells);
    }
    let next = through.map_or(state.next_round_number(), |round| round.saturating_add(1));
    let running = running_phase(state).filter(|_| through.is_none()).map(|phase| phase.number);
    let has_played_out = |player: &Player| {
        running.is_some_and(|phase| {
            state.has_played_its_rounds(player, phase, state.next_of_phase(phase))
        })
    };
    let takes_part = |player: &&&Player| player.takes_part_in(next) && !has_played_out(player);
    let taking_part = here.iter().filter(takes_part).count();
    let all = here.len();
    let foot = match state.is_closed() && through.is_none() {
        true => format!("{taking_part} of {all} stayed to the end"),
        false => format!("{taking_part} of {all} take part in round {next}"),
    };
    let text = format!("{}\n{foot}\n", table.text().trim_end());
    let row = |player: &&Player| {
        let dropped = player.dropped_by(until);
        let [title, federation] = told(player);
        RosterRow {
            player: names.player(player.number),
            rating: player.rating,
            division: player.division.clone(),
            title,
            federation,
            keeps_table: kept(player),
            byes: player.awarded_byes,
            byes_requested: byes_to_come(player),
            from_round: player.from_round,
            record: record(player).map(Into::into),
            dropped: dropped.map(|(why, _)| why.to_string()),
            after_round: dropped.map(|(_, after)| after),
            checked_in: player.checked_in,
            without_table: without.iter().any(|(n, _)| *n == player.number),
        }
    };
    let answer = PlayersAnswer { verb: "players", players: here.iter().map(row).collect() };
    Ok(Told::only(dated(&event, text), Dated::of(&event, answer)))
}

fn remarks(player: &Player, until: RoundNumber) -> Vec<String> {
    let mut words = Vec::new();
    if let Some((why, after)) = player.dropped_by(until) {
        let how = match why {
            DropReason::Left => "dropped",
            DropReason::NoShow => "no-show",
            DropReason::Disqualified => "disqualified",
        };
        words.push(match after {
            0 => format!("{how} before round 1"),
            after => format!("{how} after round {after}"),
        });
    }
    if player.from_round > 1 {
        words.push(format!("from round {}", player.from_round));
    }
    match player.awarded_byes {
        0 => {}
        1 => words.push("1 bye".into()),
        byes => words.push(format!("{byes} byes")),
    }
    words.extend(player.division.clone());
    words
}
