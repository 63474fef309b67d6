//! Result slips in cutting order: the sheets are cut as one pile, the piles are put on each other, and
//! the slips lie in the order of the tables.

use super::super::code::{Svg, code};
use super::fit::{Room, fit, heights};
use scrutineer_desk::answers::RoundTable;

/// A slip of a table.
pub struct Slip {
    /// Its number.
    pub table: u32,
    /// Who sits there.
    pub players: Vec<SlipPlayer>,
    /// The division of its players, where there are divisions.
    pub division: String,
    /// What a scanner types.
    pub code: Option<Svg>,
}

/// A player of a slip.
pub struct SlipPlayer {
    /// Their name.
    pub name: String,
    /// Their points; empty where nobody is to know them.
    pub points: String,
    /// The class of the size of their name.
    pub size: &'static str,
}

/// How many slips are on a sheet: what was asked for, or six; of tables with more than two players
/// four.
pub fn per_sheet(asked: Option<u16>, most_players: usize) -> usize {
    match (asked, most_players) {
        (_, 3..) | (Some(4), _) => 4,
        (Some(8), _) => 8,
        _ => 6,
    }
}

/// The room of a name on a slip, beside so many columns to tick.
fn room(per_sheet: usize, players: usize, boxes: usize) -> Room {
    let high = match (per_sheet, players) {
        (8, _) => 8.5,
        (6, _) => 11.5,
        (_, 3..) => 13.0,
        _ => 17.0,
    };
    Room { wide: 89.0 - 1.5 - boxes as f32 * 11.0, high, most: 14.0, bold: true }
}

/// Whether every name of these tables has room on slips of which so many are on a sheet.
pub fn fits(tables: &[RoundTable], per_sheet: usize, boxes: usize) -> bool {
    tables.iter().all(|table| {
        let room = room(per_sheet, table.players.len(), boxes);
        table.players.iter().all(|seat| heights(&seat.player.name, room) == 1)
    })
}

/// The slip of a table; so many columns to tick stand beside the names, and points only where everybody may
/// know them.
pub fn slip(
    table: &RoundTable,
    per_sheet: usize,
    boxes: usize,
    with_points: bool,
    division: String,
) -> Slip {
    let room = room(per_sheet, table.players.len(), boxes);
    let player = |seat: &scrutineer_desk::answers::Seated| SlipPlayer {
        name: seat.player.name.clone(),
        points: if with_points { seat.points.clone() } else { String::new() },
        size: fit(&seat.player.name, room),
    };
    Slip {
        table: table.table,
        players: table.players.iter().map(player).collect(),
        division,
        // A scanner types it into the field of the entry page; it names the table and nobody.
        code: (table.table > 0).then(|| code(&table.table.to_string())).flatten(),
    }
}

/// Which slip lies at each place of each sheet.
pub fn cutting_order(count: usize, per_sheet: usize) -> Vec<Vec<Option<usize>>> {
    let sheets = count.div_ceil(per_sheet);
    let slip = |sheet: usize, place: usize| Some(place * sheets + sheet).filter(|at| *at < count);
    (0..sheets).map(|sheet| (0..per_sheet).map(|place| slip(sheet, place)).collect()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slips_cut_as_a_stack_lie_in_the_order_of_the_tables() {
        for count in [0, 1, 5, 6, 7, 11, 12, 250] {
            for per_sheet in [4, 6, 8] {
                let sheets = cutting_order(count, per_sheet);
                let pile = |place: usize| sheets.iter().map(move |sheet| sheet[place]);
                let stack: Vec<usize> = (0..per_sheet).flat_map(pile).flatten().collect();
                assert_eq!(stack, (0..count).collect::<Vec<_>>(), "{count} tables");
                assert_eq!(sheets.len(), count.div_ceil(per_sheet));
            }
        }
    }

    #[test]
    fn four_six_or_eight_are_on_a_sheet_and_four_where_a_table_has_four_players() {
        let asked = [None, Some(4), Some(6), Some(8), Some(9), Some(0)];
        assert_eq!(asked.map(|asked| per_sheet(asked, 2)), [6, 4, 6, 8, 6, 6]);
        assert_eq!(per_sheet(Some(8), 4), 4);
    }
}
