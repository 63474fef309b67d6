//! A table of a sheet.

use super::above;
use super::columns::Columns;
use super::grid::{Grid, NoValue, Row};
use super::names::Role;
use crate::{Fault, ImportError};

/// A table with what its columns hold.
#[derive(Debug)]
pub(super) struct Table<'g> {
    pub grid: &'g Grid,
    pub columns: Columns,
    /// The round that the sheet's name or a line above the columns names.
    pub round: Option<u16>,
}

impl Table<'_> {
    /// The row of the columns' names.
    pub fn place(&self) -> String {
        self.grid.place(&self.grid.rows[self.columns.header.unwrap_or(0)])
    }

    /// The rows below the columns' names.
    pub fn body(&self) -> impl Iterator<Item = &Row> {
        self.grid.rows.iter().skip(self.columns.header.map_or(0, |at| at + 1))
    }

    /// Refuses a formula without its value, and an error, in a column on which matches rest.
    pub fn refuse_unknown(
        &self,
        is_read: impl Fn(usize, Option<Role>) -> bool,
    ) -> Result<(), ImportError> {
        let is_read = |at: usize| is_read(at, self.columns.roles.get(at).copied().flatten());
        let unknown = |row: &&Row| self.grid.unknown.range((row.line, 0)..(row.line + 1, 0));
        let of_row = |row| {
            let mut found = unknown(&row).filter(|((_, at), _)| is_read(*at));
            found.next().map(|((_, at), why)| (row, *at, why))
        };
        let Some((row, at, why)) = self.body().find_map(of_row) else { return Ok(()) };
        let (found, expected) = match why {
            NoValue::Formula => (
                "a formula",
                "its value, which the file does not have: open the file in a spreadsheet and save it",
            ),
            NoValue::Error(error) => (
                error.as_str(),
                "a value: mend its formula or type the value; where nothing should stand, empty the cell",
            ),
        };
        let (what, found) = (self.columns.label(at), found.to_owned());
        Err(Fault::BadValue { what, found, expected: expected.to_owned() }.at(self.grid.place(row)))
    }

    /// The columns that were not read, but for signs between two: those with a name, and those in which something
    /// stands.
    pub fn unread(&self) -> impl Iterator<Item = usize> {
        let Columns { roles, names, read, .. } = &self.columns;
        let stands = |at: usize| {
            roles[at].is_none()
                && self.body().any(|row| row.get(at).contains(char::is_alphanumeric))
        };
        (0..roles.len())
            .filter(move |at| !read[*at].get() && (!names[*at].is_empty() || stands(*at)))
    }

    /// Whether it says in which round its matches are.
    pub fn has_round(&self) -> bool {
        let is_heading = |row: &Row| {
            let mut cells = row.filled();
            let first = cells.next();
            cells.next().is_none() && first.is_some_and(|(_, cell)| above::heading(cell).is_some())
        };
        self.round.is_some() || self.columns.has(Role::Round) || self.body().any(is_heading)
    }
}
