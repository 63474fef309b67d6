//! What a report does not hold of a tournament.

use super::{Dialect, MOST_POINTS_TENTHS, NAME, fits_code, fits_id, fits_title, results};
use crate::sheet;
use crate::source::{PublishedRow, Source, SourcePlayer, SourceTable};
use crate::trf::title;
use scrutineer_engine::event::{ByeKind, How};

/// What the file does not hold of a tournament.
pub fn left_out(source: &Source, dialect: Dialect) -> Vec<String> {
    let mut left_out = Vec::new();
    let mut tell = |count: usize, what: &str| {
        if count > 0 {
            left_out.push(format!("{what}: {count}"));
        }
    };
    let players =
        |is: &dyn Fn(&SourcePlayer) -> bool| source.players.iter().filter(|one| is(one)).count();
    let tables = |is: &dyn Fn(&SourceTable) -> bool| {
        source.rounds().flat_map(|(_, round)| &round.tables).filter(|table| is(table)).count()
    };
    let byes = |kinds: &[ByeKind]| {
        let all = source.rounds().flat_map(|(_, round)| &round.byes);
        all.filter(|bye| kinds.contains(&bye.kind)).count()
    };
    tell(source.numbered_tables(), "numbers of tables");
    let is_one_game = |table: &SourceTable| {
        let score = &table.result.score;
        let is_nothing = score.seats.iter().flatten().chain(&score.table).all(|value| *value == 0);
        let one = sheet::games_of(score);
        is_nothing || matches!(one, Some([1, 0, 0] | [0, 1, 0] | [0, 0, 1]))
    };
    tell(
        tables(&|table| !is_one_game(table)),
        "scores of matches, of which only the winner is written",
    );
    let is_told = |how: How| matches!(how, How::Played | How::Forfeit);
    tell(
        tables(&|table| !is_told(table.result.how)),
        "how matches ended otherwise than by play or forfeit",
    );
    // Written as games, which they are; of a forfeit an engine is told, since one of them takes no two zeros.
    let is_double_loss = |table: &SourceTable| results(table) == ['0', '0'];
    tell(
        tables(&is_double_loss),
        "double losses, which a pairing engine is told as forfeits and with which py4swiss refuses the report",
    );
    tell(
        tables(&|table| table.result.grade.is_some() && !table.result.is_postponed()),
        "grades of results",
    );
    tell(
        tables(&|table| table.result.is_postponed()),
        "postponed matches, written without a result, with which programs refuse the report until they are played",
    );
    tell(
        tables(&|table| table.result.is_void() && !table.result.is_postponed()),
        "matches that do not count, written as byes of no point",
    );
    tell(tables(&|table| table.seats.iter().any(|seat| seat.role != 0)), "roles of seats");
    tell(source.weighed_rounds(), "rounds that count more or less than others");
    let reported = source.rounds().flat_map(|(_, round)| &round.byes);
    tell(reported.filter(|bye| bye.reported.is_some()).count(), "scores of byes");
    tell(byes(&[ByeKind::Vacant]), "opponents who were gone, written as byes");
    tell(byes(&[ByeKind::AwardedLoss]), "awarded losses, written as byes of no point");
    tell(players(&|one| one.division.is_some()), "divisions of players");
    tell(players(&|one| one.identities.iter().any(Option::is_some)), "players with what they play");
    tell(usize::from(source.cut.is_some()), "the cut to come");
    tell(players(&|one| one.name.chars().count() > NAME), "names that were shortened");
    let is_lost = |id: &str| !fits_id(id);
    tell(
        players(&|one| one.publisher_id.as_deref().is_some_and(is_lost)),
        "ids that are not FIDE's",
    );
    tell(
        players(&|one| {
            one.title.as_deref().and_then(title).is_some_and(|title| !fits_title(&title, dialect))
        }),
        "titles that are not FIDE's",
    );
    tell(
        players(&|one| one.federation.as_deref().is_some_and(|code| !fits_code(code))),
        "federations without a code of three letters",
    );
    let is_short = |code: &str| fits_code(code) && code.chars().count() < 3;
    tell(
        players(&|one| one.federation.as_deref().is_some_and(is_short)),
        "federations of fewer than three letters, written as they are",
    );
    tell(
        players(&|one| one.rating.is_some_and(|rating| !(0..=9_999).contains(&rating))),
        "ratings without room",
    );
    tell(source.drops.len(), "players who left, who are only told to be absent in the next round");
    tell(source.places.len(), "final places");
    let values = source.published.iter().filter(|row| !row.values.is_empty()).count();
    tell(values, "players with tie-breaks");
    tell(source.phases.len().saturating_sub(1), "further phases, written as rounds of one");
    let is_too_high = |row: &&PublishedRow| !(0..=MOST_POINTS_TENTHS).contains(&row.points_tenths);
    tell(source.published.iter().filter(is_too_high).count(), "points without room");
    left_out
}
