//! Columns whose names say something else than what stands below them.

use std::collections::{BTreeMap, BTreeSet};

use super::Columns;
use crate::anysheet::grid::Row;
use crate::anysheet::names::{self, Role};
use crate::anysheet::result;

impl Columns {
    /// Where nobody else is named, clubs play: `Verein`, `Home club`.
    pub(super) fn clubs(&mut self, body: &[&Row], chosen: &BTreeMap<usize, Role>) {
        use Role::*;
        let of_players = [
            Name, FirstName, LastName, PlayerA, PlayerB, FirstA, FirstB, LastA, LastB, Pairing,
            Winner, Loser,
        ];
        if self.header.is_none() || of_players.iter().any(|role| self.has(*role)) {
            return;
        }
        // A column of many words that nobody knows may be that of persons.
        let may_be_persons = |at: &usize| {
            let cells = || body.iter().map(|row| row.get(*at)).filter(|cell| !cell.is_empty());
            let words = cells().filter(|cell| cell.contains(char::is_alphabetic)).count();
            let different: BTreeSet<&str> = cells().collect();
            self.roles[*at].is_none() && words * 2 > cells().count() && different.len() * 2 > words
        };
        if (0..self.roles.len()).any(|at| may_be_persons(&at)) {
            return;
        }
        for at in 0..self.roles.len() {
            if let Some(role) = names::club(&self.names[at]).filter(|_| !chosen.contains_key(&at)) {
                self.roles[at] = Some(role);
            }
        }
    }

    /// Whose name is in a list was said; who stands beside them, as partners do, is then nobody's opponent.
    pub(super) fn leave_out_others(&mut self, chosen: &BTreeMap<usize, Role>) {
        use Role::*;
        let of = |role: Role| chosen.iter().find(|(_, one)| **one == role).map(|(at, _)| *at);
        let Some(name) = of(Name).filter(|_| of(PlayerA).is_none() && of(PlayerB).is_none()) else {
            return;
        };
        for at in 0..self.roles.len() {
            let is_beside = matches!(self.roles[at], Some(PlayerA | PlayerB))
                && names::are_alike(&self.names[name], &self.names[at]);
            if is_beside {
                self.roles[at] = None;
            }
        }
    }

    /// A column such as `Win` beside two players has who won, where names or words for yes and no stand in it, or
    /// nothing but 1 and 0.
    pub(super) fn winners(&mut self, body: &[&Row], chosen: &BTreeMap<usize, Role>) {
        use Role::*;
        let [at] = self.all(Wins)[..] else { return };
        let is_record = [Losses, Draws, GamesB].into_iter().any(|role| self.has(role));
        if chosen.contains_key(&at) || is_record || self.says_results() || self.first_wins {
            return;
        }
        let mut cells = body.iter().map(|row| row.get(at)).filter(|cell| !cell.is_empty());
        let is_name = |cell: &str| {
            cell.chars().all(|c| !c.is_numeric())
                && matches!(result::read(cell), result::Cell::Bad | result::Cell::Open)
        };
        let are_flags = cells.clone().all(|cell| matches!(cell, "0" | "1"))
            && cells.clone().any(|cell| cell == "0");
        if cells.clone().next().is_some() && (are_flags || cells.all(is_name)) {
            self.roles[at] = Some(Winner);
        }
    }

    /// A rank of a player in a list of entries, such as a grade (`3d`, `5 kyu`) or a place in a ranking of many more, is
    /// no place of this tournament.
    pub(super) fn leave_out_ranks(&mut self, body: &[&Row], chosen: &BTreeMap<usize, Role>) {
        use Role::*;
        let [at] = self.all(Rank)[..] else { return };
        if chosen.contains_key(&at) || self.header.is_none() {
            return;
        }
        let cells = || body.iter().map(|row| row.get(at)).filter(|cell| !cell.is_empty());
        let are_grades =
            cells().filter(|cell| names::is_no_place(cell)).count() * 2 > cells().count();
        let is_more = [Points, Score, OfRound, PlayerA, PlayerB, Pairing, Result, Round]
            .into_iter()
            .any(|role| self.has(role));
        let places = || {
            let digits = |cell: &str| {
                let start = cell.trim_start_matches(|c: char| !c.is_ascii_digit());
                start.chars().take_while(char::is_ascii_digit).collect::<String>()
            };
            cells().filter_map(move |cell| digits(cell).parse::<usize>().ok())
        };
        let are_places =
            places().min().is_none_or(|first| first == 1) && places().all(|at| at <= body.len());
        if are_grades || !is_more && !are_places {
            self.roles[at] = None;
        }
    }

    /// A column such as `Gesamt` has the points, where none is called after them.
    pub(super) fn leave_out_totals(&mut self, chosen: &BTreeMap<usize, Role>) {
        let is_total =
            |at: &usize| !chosen.contains_key(at) && names::is_sum_of_points(&self.names[*at]);
        let (totals, others): (Vec<usize>, Vec<usize>) =
            self.all(Role::Points).into_iter().partition(is_total);
        if !others.is_empty() || self.has(Role::Score) {
            totals.into_iter().for_each(|at| self.roles[at] = None);
        }
    }

    /// Of two columns of one side that with numbers alone is no player's: `Heim`, `Gast`, `Heim`, `Gast`.
    pub(super) fn leave_out_numbers(&mut self, body: &[&Row], chosen: &BTreeMap<usize, Role>) {
        for role in [Role::PlayerA, Role::PlayerB] {
            let all = self.all(role);
            let are_numbers = |at: &usize| {
                let cells = || body.iter().map(|row| row.get(*at)).filter(|cell| !cell.is_empty());
                let is_number = |cell: &&str| cell.parse::<u16>().is_ok();
                !chosen.contains_key(at) && cells().filter(is_number).count() * 2 > cells().count()
            };
            let (numbers, names): (Vec<usize>, Vec<usize>) = all.into_iter().partition(are_numbers);
            if !names.is_empty() {
                numbers.into_iter().for_each(|at| self.roles[at] = None);
            }
        }
    }

    /// Of three columns of games with numbers none is a player's: each is a part of the match.
    pub(super) fn leave_out_sets(&mut self, chosen: &BTreeMap<usize, Role>) {
        let [one] = self.all(Role::GamesA)[..] else { return };
        let [other] = self.all(Role::GamesB)[..] else { return };
        let name = &self.names[one];
        let is_alike = |at: usize| {
            names::is_numbered(&self.names[at]) && names::are_alike(name, &self.names[at])
        };
        let is_third =
            |at: usize| self.roles[at].is_none() && self.names[at].contains('3') && is_alike(at);
        let is_chosen = [one, other].iter().any(|at| chosen.contains_key(at));
        let are_sets =
            names::is_numbered(name) && is_alike(other) && (0..self.names.len()).any(is_third);
        if are_sets && !is_chosen {
            self.roles[one] = None;
            self.roles[other] = None;
        }
    }

    /// `Jogo` is a number or a pairing: where its cells are pairs it is the latter.
    pub(super) fn pairings(&mut self, body: &[&Row], chosen: &BTreeMap<usize, Role>) {
        use Role::*;
        if [Pairing, PlayerA, PlayerB].into_iter().any(|role| self.has(role)) {
            return;
        }
        let is_one = |at: &usize| {
            self.roles[*at].is_none()
                && !chosen.contains_key(at)
                && names::may_be_pairing(&self.names[*at])
                && are_pairs(body, *at)
        };
        if let Some(at) = (0..self.roles.len()).find(is_one) {
            self.roles[at] = Some(Pairing);
        }
    }

    /// The only one of some columns in which two players each stand, such as `Ann - Bob`.
    pub(super) fn both(&self, body: &[&Row], of: &[usize]) -> Option<usize> {
        let mut found = of.iter().copied().filter(|at| are_pairs(body, *at));
        found.next().filter(|_| found.next().is_none())
    }
}

/// Whether most cells of a column have two players each.
fn are_pairs(body: &[&Row], at: usize) -> bool {
    let cells = || body.iter().map(|row| row.get(at)).filter(|cell| !cell.is_empty());
    cells().filter(|cell| names::pair(cell).is_some()).count() * 2 > cells().count()
}
