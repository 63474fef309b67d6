//! `tables`, `keep-table`: where in the hall rounds are seated.

use super::order::{KeepTable, SetTables};
use super::{AtDesk, Told};
use crate::answers::{KeepTableAnswer, TablesAnswer};
use crate::desk::{open_round, untouched};
use crate::names::Names;
use crate::verb_error::VerbError;
use scrutineer_engine::error::Code;
use scrutineer_engine::event::{PlayerNumber, TableKept, TableRange, TablesSet};
use scrutineer_engine::tournament::Tournament;
use scrutineer_pairing::kept_twice;
use scrutineer_projections::timeline::{table_kept, tables_set};

/// A player keeps a table, or no longer.
pub fn keep_table(at: &AtDesk<'_>, order: &KeepTable) -> Result<Told, VerbError> {
    let names = at.names()?;
    let (number, table) = (names.find(&order.player)?, order.table);
    let done = at.desk.keep_table(number, table).map_err(|error| at.refused(&names, error))?;
    let said = table_kept(&TableKept { player: number, table });
    let text = format!("{} {said} from the next pairing on\n", names.name(number));
    let player = names.player(number);
    let answer = KeepTableAnswer { verb: "keep-table", player, table };
    let mut told = Told::of(&done, text, answer);
    let state = at.state()?;
    told.notes.extend(as_it_is_paired(&state));
    Ok(told)
}

/// Which tables the hall has.
pub fn set_tables(at: &AtDesk<'_>, order: &SetTables) -> Result<Told, VerbError> {
    let read = |typed: &String| {
        range(typed).ok_or_else(|| {
            VerbError::new(
                Code::invalid("bad-tables"),
                format!("{typed:?} is no table and no range of tables"),
                "`tables 1-12 14-40` leaves out table 13",
            )
        })
    };
    let ranges = order.ranges.iter().map(read).collect::<Result<Vec<_>, _>>()?;
    let names = at.names()?;
    let done = at.desk.set_tables(&ranges).map_err(|error| at.refused(&names, error))?;
    let ranges: Vec<String> = ranges.iter().map(TableRange::to_string).collect();
    let state = at.state()?;
    let text = tables_set(&TablesSet { ranges: state.tables().to_vec() });
    let answer = TablesAnswer { verb: "tables", ranges };
    let mut told = Told::of(&done, format!("{text} from the next pairing on\n"), answer);
    told.notes.extend(as_it_is_paired(&state));
    Ok(told)
}

/// A table or some tables, as they are typed: `14`, `1-12`.
fn range(typed: &str) -> Option<TableRange> {
    let (first, last) = typed.split_once('-').unwrap_or((typed, typed));
    Some(TableRange { first: first.trim().parse().ok()?, last: last.trim().parse().ok()? })
}

/// Which tables several players keep who are here, as far as `is_told` asks for them.
pub fn shared_tables(
    state: &Tournament,
    names: &Names,
    is_told: impl Fn(&(u32, Vec<PlayerNumber>)) -> bool,
) -> Vec<String> {
    let said = |(table, keepers): (u32, Vec<PlayerNumber>)| {
        let keepers: Vec<String> = keepers.into_iter().map(|one| names.name(one)).collect();
        let keepers = keepers.join(" and ");
        format!(
            "{keepers} keep table {table}: whoever of them is paired first sits there; \
             `keep-table <player> <table>` gives one of them another"
        )
    };
    kept_twice(state).into_iter().filter(is_told).map(said).collect()
}

/// That the round that is paired stays at its tables.
pub fn as_it_is_paired(state: &Tournament) -> Option<String> {
    let round = open_round(state)?.number;
    untouched(state, round)
        .then(|| format!("round {round} stays as it is paired; `pair --again` pairs it anew"))
}
