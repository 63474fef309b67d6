//! Tables of players beside the rounds: what they say of each, and the standings.

use super::columns::SheetKind;
use super::matches::known;
use super::names::Role;
use super::table::Table;
use super::{listed, passed_over, unread_table};
use crate::ImportError;
use crate::build::{Oddities, Players};
use crate::error::shortened;
use crate::source::PublishedRow;

/// Takes what the tables say of the players over; gives the standings, where every player of one is known.
pub(super) fn take(
    tables: &[Table],
    players: &mut Players,
    oddities: &mut Oddities,
) -> Result<Vec<PublishedRow>, ImportError> {
    let mut published = Vec::new();
    for table in tables {
        let mut own = Oddities::default();
        let Ok(listed) = listed::read(table.grid, &table.columns, &mut own) else {
            unread_table(table, oddities);
            continue;
        };
        let is_known = |name: &str| known(players, name).is_some();
        let list = &listed.players.list;
        let both = list.iter().filter(|player| is_known(&player.name)).count();
        // A list of other people, such as those who paid, or helpers.
        if both * 2 < players.list.len() || both == 0 {
            unread_table(table, oddities);
            continue;
        }
        let told = passed_over(table, false).into_iter().chain(listed.ratings);
        told.for_each(|odd| oddities.add(&odd.place, odd.sentence));
        let is_roster = table.columns.kind == SheetKind::Roster;
        let place = table.place();
        for player in list {
            let at = match known(players, &player.name) {
                Some(at) => at,
                None if is_roster => {
                    let name = shortened(&player.name);
                    oddities.add(
                        &place,
                        format!("{name:?} stands in the list of players and plays in no round."),
                    );
                    players.add(&player.name, &player.name, &place)?
                }
                None => continue,
            };
            if is_roster {
                players.list_as_player(at);
            }
            let own = &mut players.list[at];
            own.rating = own.rating.or(player.rating);
            own.division = own.division.take().or_else(|| player.division.clone());
            own.title = own.title.take().or_else(|| player.title.clone());
            own.federation = own.federation.take().or_else(|| player.federation.clone());
            own.publisher_id = own.publisher_id.take().or_else(|| player.publisher_id.clone());
            if is_roster {
                own.sign_up = own.sign_up.or(player.sign_up);
            }
        }
        if both == list.len() && published.is_empty() {
            let row = |row: PublishedRow| {
                let player = known(players, &list[row.player].name)?;
                Some(PublishedRow { player, ..row })
            };
            published = listed.published.into_iter().filter_map(row).collect();
        }
    }
    Ok(published)
}

/// The points of a cross table's own rows, to be compared; where they cannot be read that is told, and none are.
pub(super) fn of_cross(
    table: &Table,
    players: &Players,
    oddities: &mut Oddities,
) -> Vec<PublishedRow> {
    // A column that nobody filled says nothing.
    if table.body().all(|row| table.columns.get(row, Role::Points).is_empty()) {
        return Vec::new();
    }
    match listed::read(table.grid, &table.columns, &mut Oddities::default()) {
        Ok(listed) => {
            let list = &listed.players.list;
            let row = |row: PublishedRow| {
                let player = known(players, &list[row.player].name)?;
                Some(PublishedRow { player, ..row })
            };
            listed.published.into_iter().filter_map(row).collect()
        }
        Err(error) => {
            let place = if error.place.is_empty() { table.place() } else { error.place };
            oddities.add(&place, format!("The points are not compared: {}.", error.fault));
            Vec::new()
        }
    }
}
