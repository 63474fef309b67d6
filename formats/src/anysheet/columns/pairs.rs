//! Which columns of names are the two players of a match, and which say more of one player, such as their team.

use std::collections::BTreeMap;

use super::Columns;
use crate::anysheet::grid::Row;
use crate::anysheet::names::{self, Role, Whose};

impl Columns {
    /// Two columns of names are both players where they are called alike, or where the sheet has matches. Otherwise one
    /// of them is the player's, and the others, such as a team, are not read.
    pub(super) fn names_of(&mut self, body: &[&Row], chosen: &BTreeMap<usize, Role>) {
        use Role::*;
        self.leave_out_teams(chosen);
        self.leave_out_partners(body, chosen);
        if self.has(PlayerA) || self.has(PlayerB) {
            return;
        }
        let found = self.all(Name);
        let is_both = match found[..] {
            [one, other] => self.are_both(body, one, other),
            _ => false,
        };
        if is_both {
            self.in_order(Name, [PlayerA, PlayerB]);
        } else if !self.has_matches(body) || self.is_of_one(body) {
            self.one_name(chosen);
        }
    }

    fn are_both(&self, body: &[&Row], one: usize, other: usize) -> bool {
        let has_matches = self.has_matches(body);
        if names::are_alike(&self.names[one], &self.names[other]) {
            return has_matches || !(self.is_ranked() && self.has_record(body));
        }
        // Where somebody of a team sits is no match.
        let is_seated = self.has(Role::Table)
            && names::whose(&self.names[one]) == names::whose(&self.names[other]);
        (has_matches || is_seated) && !self.is_of_one(body)
    }

    /// Whether columns say who met whom, or how that ended.
    pub(super) fn has_matches(&self, body: &[&Row]) -> bool {
        use Role::*;
        let of_match = [
            Round, Result, GamesA, GamesB, PointsA, PointsB, Winner, Pairing, FirstA, FirstB,
            LastA, LastB,
        ];
        of_match.into_iter().any(|role| self.has(role))
            || self.has(Score) && !self.are_counts(body, Score)
            || [Points, Games, Score, Wins].into_iter().any(|role| self.is_twice(role))
    }

    /// Whether a rank or a record is there, which is one player's.
    pub(super) fn is_of_one(&self, body: &[&Row]) -> bool {
        self.is_ranked() || self.has_record(body)
    }

    fn is_ranked(&self) -> bool {
        self.all(Role::Rank).len() == 1
    }

    /// Whether points, wins or losses of one player are there.
    fn has_record(&self, body: &[&Row]) -> bool {
        use Role::*;
        [Points, Wins, Losses, Score].into_iter().any(|role| self.are_counts(body, role))
    }

    /// Whether two columns of a role are called alike, as those of both players.
    fn is_twice(&self, role: Role) -> bool {
        let [one, other] = self.all(role)[..] else { return false };
        names::are_alike(&self.names[one], &self.names[other])
    }

    /// Whether a number each stands in the only column of a role, and no score of two.
    fn are_counts(&self, body: &[&Row], role: Role) -> bool {
        let [at] = self.all(role)[..] else { return false };
        let is_count = |cell: &str| {
            cell.contains(char::is_numeric)
                && cell.chars().all(|c| c.is_numeric() || matches!(c, '.' | ','))
        };
        let mut cells =
            body.iter().map(|row| row.get(at)).filter(|cell| !cell.is_empty()).peekable();
        cells.peek().is_some() && cells.all(is_count)
    }

    /// Of several columns of names the player's stays, or where there is none what they call themselves, or the team.
    fn one_name(&mut self, chosen: &BTreeMap<usize, Role>) {
        use Role::*;
        let found = self.all(Name).into_iter().filter(|at| !chosen.contains_key(at));
        let found: Vec<(usize, Whose)> =
            found.map(|at| (at, names::whose(&self.names[at]))).collect();
        let best = found.iter().map(|(_, whose)| *whose).min();
        let parts = [FirstName, LastName].into_iter().filter(|role| self.has(*role)).count();
        for (at, whose) in found {
            // A team beside a first name is no part of the name.
            let is_beside = match whose {
                Whose::Player => false,
                Whose::Handle => parts == 2,
                Whose::Team => parts > 0,
            };
            if is_beside || Some(whose) != best {
                self.roles[at] = None;
            }
        }
    }

    /// Of a match with both players and the team of each the players are read.
    fn leave_out_teams(&mut self, chosen: &BTreeMap<usize, Role>) {
        let sides = [Role::PlayerA, Role::PlayerB].map(|role| self.all(role));
        let is_team =
            |at: &usize| !chosen.contains_key(at) && names::whose(&self.names[*at]) == Whose::Team;
        let teams = sides.each_ref().map(|side| match side[..] {
            [one, other] if is_team(&one) != is_team(&other) => {
                Some(if is_team(&one) { one } else { other })
            }
            _ => None,
        });
        if let [Some(one), Some(other)] = teams {
            self.roles[one] = None;
            self.roles[other] = None;
        }
    }

    /// Players with numbers beside a team, or beside a rank and a record, play together: nobody of a row met anybody.
    fn leave_out_partners(&mut self, body: &[&Row], chosen: &BTreeMap<usize, Role>) {
        use Role::*;
        let found = [self.all(PlayerA), self.all(PlayerB)].concat();
        let is_numbered =
            |at: &usize| !chosen.contains_key(at) && names::is_numbered(&self.names[*at]);
        if found.is_empty()
            || self.header.is_none()
            || !found.iter().all(is_numbered)
            || self.has_matches(body)
            || [Table, Date].into_iter().any(|role| self.has(role))
        {
            return;
        }
        let is_team = |at: &usize| names::whose(&self.names[*at]) == Whose::Team;
        let has_team = self.all(Name).iter().any(is_team);
        let is_list = match self.is_ranked() {
            true => has_team || self.has_record(body),
            false => has_team && found.len() > 1 && !self.has_scores(body),
        };
        if !is_list {
            return;
        }
        found.into_iter().for_each(|at| self.roles[at] = None);
        // Of teams without names one of the players may stand for them.
        if has_team && self.are_numbers(body, Name) {
            self.all(Name).into_iter().for_each(|at| self.roles[at] = None);
        }
    }

    /// Whether scores of two stand in a column that holds nothing else.
    fn has_scores(&self, body: &[&Row]) -> bool {
        use Role::*;
        (0..self.roles.len()).any(|at| {
            matches!(self.roles[at], None | Some(Games | Score | Points))
                && super::are_scores_of_two(body, at)
        })
    }
}
