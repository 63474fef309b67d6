//! The tables of the hall, and those that players keep.

use super::{Desk, DeskError, Done, Objection};
use scrutineer_engine::event::{PlayerNumber, TableKept, TableRange, TablesSet};

impl Desk<'_> {
    /// A player keeps a table from the next pairing on, or (none) sits anywhere again.
    ///
    /// # Errors
    /// Where somebody else keeps it who takes part, or they keep it already.
    pub fn keep_table(&self, player: PlayerNumber, table: Option<u32>) -> Result<Done, DeskError> {
        self.record(&mut |state, _| {
            if state.kept_table(player) == table {
                return Err(Objection::TablesAsBefore.into());
            }
            let is_other = |(other, kept): &(PlayerNumber, u32)| {
                let is_here = state.player(*other).is_some_and(|one| one.dropped().is_none());
                *other != player && Some(*kept) == table && is_here
            };
            match state.kept_tables().find(is_other) {
                Some((player, table)) => Err(Objection::TableKept { table, player }.into()),
                None => Ok(vec![TableKept { player, table }.into()]),
            }
        })
    }

    /// Rounds are seated at these tables of the hall from the next pairing on; none: at 1, 2, 3 and so on.
    ///
    /// # Errors
    /// Where they are not in order, or are those of before.
    pub fn set_tables(&self, ranges: &[TableRange]) -> Result<Done, DeskError> {
        self.record(&mut |state, _| match state.tables() == ranges {
            true => Err(Objection::TablesAsBefore.into()),
            false => Ok(vec![TablesSet { ranges: ranges.to_vec() }.into()]),
        })
    }
}
