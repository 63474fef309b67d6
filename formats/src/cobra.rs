//! The JSON that the tournament software Cobra exports for Netrunner.

mod model;
pub(super) mod strength;
mod write;

use std::collections::{BTreeMap, BTreeSet};

use super::build::{Oddities, Players, clean_name, day};
use super::source::*;
use super::{Fault, ImportError, WriteError, Written, check, limits, phases};
use super::{outcome, sheet};
use model::{File, Id, Match, Player, Seeded, Side, points};
use scrutineer_engine::event::{
    ByeKind, How, MatchResult, Per, PhaseKind, RoundWeight, Ruling, Score, Scoresheet, UnknownFact,
};

/// That JSON.
pub(super) struct Cobra;

impl super::Format for Cobra {
    fn name(&self) -> &'static str {
        "cobra json"
    }

    fn detect(&self, file: &super::File) -> bool {
        file.has(&["preliminaryRounds", "rounds"])
    }

    fn read(&self, file: &super::File) -> Result<Source, ImportError> {
        read(file.text()?)
    }

    fn writes_into(&self) -> bool {
        true
    }

    fn write(
        &self,
        source: &Source,
        into: Option<&super::File>,
    ) -> Option<Result<Written, WriteError>> {
        Some(write::write(source, into))
    }
}

/// The grade of a match of which one game decided both.
const TWO_FOR_ONE: &str = "two-for-one";

/// Whether the slips of a tournament are of match points, as Cobra's are.
fn counts_points(source: &Source) -> bool {
    source.scoresheet.lines.first().is_some_and(|line| line.name == COMBINED)
}

/// The lines of the slip: the combined score, and each side's where every played match has them.
const COMBINED: &str = "match_points";
const SIDES: [&str; 2] = ["runner", "corp"];

/// Reads the file's text.
fn read(text: &str) -> Result<Source, ImportError> {
    let mut file: File = serde_json::from_str(text).map_err(ImportError::json)?;
    file.settle();
    let title = clean_name("the title", &file.name).map_err(|fault| fault.at("name"))?;
    let [played, complete] = with_sides(&file);
    let mut reader = Reader {
        players: Players::default(),
        oddities: Oddities::default(),
        sides: complete == played,
        held_back: false,
    };
    if complete > 0 && !reader.sides {
        let other = played - complete;
        let sentence = format!(
            "Of {other} of {played} matches the points of runner and corp are missing or do not add up to the \
             combined score: they are recorded of no match, and the combined score of each."
        );
        reader.oddities.add("rounds", sentence);
    }
    let published = reader.published(&file.players)?;
    let mut rounds = reader.rounds(&file)?;
    reader.byes_left_out(&published, &mut rounds, first_elimination(&file));
    // Before the first round there is none.
    if !rounds.is_empty() {
        check::rounds(&reader.players, &rounds)?;
    }
    let scoresheet = scoresheet(reader.sides, &rounds);
    let held_on = file.date.as_deref().and_then(day);
    let mut phases = reader.phases(&file, rounds, &published)?;
    let is_open = outcome::settle(&mut phases, &mut reader.oddities);
    let has_cut = phases.iter().any(|phase| phase.kind.is_bracket());
    // A cut that is not read yet does not open again what its file of before closed.
    let is_over = !is_open && file.rounds.len() >= file.preliminary_rounds;
    let is_told = is_over && !has_cut && !reader.held_back && !file.rounds.is_empty();
    if let Some(cut) = file.cut_to_top.filter(|cut| *cut > 0 && is_told) {
        let sentence = format!(
            "The file names a cut of {cut} players and no game of it: the tournament is read as over, as where \
             no cut was played."
        );
        reader.oddities.add("cutToTop", sentence);
    }
    let places = reader.places(&file.elimination_players)?;
    // A final that was not played has a winner all the same where the file has the first place.
    let is_won = phases::is_decided(&phases, &[]) || places.iter().any(|one| one.place == 1);
    let digits = fewer_digits(&published);
    let date = held_on.map_or_else(String::new, |day| format!(" {day}"));
    Ok(Source {
        file: String::new(),
        platform: "cobra".to_owned(),
        format: "cobra json".to_owned(),
        identity: format!("cobra {title}{date}"),
        title,
        held_on,
        rules: None,
        cut: file.cut_to_top.filter(|cut| *cut > 0),
        planned_rounds: None,
        finished: is_over && is_won && phases.iter().any(|phase| !phase.rounds.is_empty()),
        scoresheet,
        players: reader.players.list,
        phases,
        drops: Vec::new(),
        published,
        places,
        published_after: u16::try_from(first_elimination(&file)).ok(),
        published_digits: digits,
        unknown: unknown(),
        oddities: reader.oddities.finish(),
        ..Source::default()
    })
}

/// How many digits strengths of schedule are rounded to, where a program prints fewer than Cobra does.
fn fewer_digits(published: &[PublishedRow]) -> Option<u8> {
    let values = published.iter().flat_map(|row| &row.values);
    let digits = values.filter_map(|value| Some(value.text.split_once('.')?.1.len()));
    digits.max().and_then(|most| u8::try_from(most).ok()).filter(|most| (3..9).contains(most))
}

fn unknown() -> Vec<UnknownFact> {
    use UnknownFact::*;
    vec![SignUpOrder, Times, KindOfBye, Drops, HowItEnded]
}

/// How many matches were played, and at how many of them runner's and corp's points stand and add up to the
/// combined score: some events report only the latter.
fn with_sides(file: &File) -> [usize; 2] {
    let swiss = file.rounds.iter().flatten().filter(|game| !game.is_elimination());
    let played = swiss.filter(|game| game.player1.id.is_some() && game.player2.id.is_some());
    // One that is not over says nothing yet.
    let played = played.map(|game| [&game.player1, &game.player2]);
    let played = played.filter(|sides| sides.iter().any(|side| side.combined_score.is_some()));
    let complete = |side: &Side| match (side.runner_score, side.corp_score, side.combined_score) {
        (Some(runner), Some(corp), Some(all)) => runner.checked_add(corp) == Some(all),
        _ => false,
    };
    played.fold([0, 0], |[played, whole], sides| {
        [played + 1, whole + usize::from(sides.into_iter().all(complete))]
    })
}

fn scoresheet(sides: bool, rounds: &[SourceRound]) -> Scoresheet {
    let played = rounds.iter().flat_map(|round| &round.tables).map(|table| &table.result.score);
    let byes = rounds.iter().flat_map(|round| &round.byes).filter_map(|bye| bye.reported.as_ref());
    let mut bounds = (0, 6);
    for value in played.chain(byes).flat_map(|score| score.seats.iter().flatten()) {
        bounds = (bounds.0.min(*value), bounds.1.max(*value));
    }
    let names = [COMBINED].into_iter().chain(SIDES.into_iter().filter(|_| sides));
    let line = |name| sheet::line(name, Per::Seat, bounds.0, bounds.1, "points");
    Scoresheet { lines: names.map(line).collect(), best_of: None }
}

/// How many rounds come before the elimination games: standings are theirs.
fn first_elimination(file: &File) -> usize {
    let elimination = |round: &Vec<Match>| round.iter().any(Match::is_elimination);
    file.rounds.iter().position(elimination).unwrap_or(file.rounds.len())
}

/// Whether losers of a cut are out, which nothing but its games say; none while nothing says it yet: of a first round
/// alone, that somebody who lost there has a place. Cobra gives places once a round is over, so that where losers play
/// on the second round says it.
fn is_single(cut: &[SourceRound], has_place: impl Fn(usize) -> bool) -> Option<bool> {
    let [only] = cut else { return Some(phases::are_knockout(cut)) };
    if only.tables.len() < 2 {
        return Some(true);
    }
    let mut lost = only.tables.iter().flat_map(phases::losers);
    lost.any(has_place).then_some(true)
}

/// Whether a cut is of three players: the second and the third seed play for the final against the first one, of whom
/// the first round of such a file says nothing.
fn is_of_three(file: &File) -> bool {
    match file.cut_to_top.filter(|cut| *cut > 0) {
        Some(cut) => cut == 3,
        None => file.elimination_players.len() == 3,
    }
}

/// The most rounds of a cut before which byes are added.
const BYES: usize = 32;

struct Reader {
    players: Players,
    oddities: Oddities,
    sides: bool,
    /// Whether the first round of a cut is not read yet.
    held_back: bool,
}

impl Reader {
    fn published(&mut self, players: &[Player]) -> Result<Vec<PublishedRow>, ImportError> {
        let mut rows = Vec::new();
        for (at, player) in players.iter().enumerate() {
            let place = format!("players[{at}]");
            // Somebody without an id is in no match.
            let key = player.id.as_ref().map_or_else(|| format!("{place}.id"), Id::key);
            if self.players.known(&key).is_some() {
                let (player, round) = (key, "the list of players".to_owned());
                let other = "above".to_owned();
                return Err(Fault::TwiceInRound { player, round, other }.at(place));
            }
            let name = player.name.as_deref().unwrap_or(&key);
            let index = self.players.add(&key, name, &place)?;
            let identities = [&player.corp_identity, &player.runner_identity];
            if let Some(one) = self.players.list.get_mut(index) {
                one.identities =
                    identities.map(|own| own.clone().filter(|own| !own.trim().is_empty()));
            }
            rows.extend(player.row(index, &place)?);
        }
        Ok(rows)
    }

    fn known(&self, id: &Id, place: &str) -> Result<usize, ImportError> {
        let key = id.key();
        self.players.known(&key).ok_or_else(|| Fault::UnknownPlayer { name: key }.at(place))
    }

    fn rounds(&mut self, file: &File) -> Result<Vec<SourceRound>, ImportError> {
        if file.rounds.len() > limits::ROUNDS {
            return Err(Fault::TooMany { what: "rounds", limit: limits::ROUNDS }.at("rounds"));
        }
        let numbered = file.rounds.iter().enumerate();
        let last = file.rounds.len().saturating_sub(1);
        numbered.map(|(at, matches)| self.round(at, matches, at == last)).collect()
    }

    fn round(
        &mut self,
        at: usize,
        matches: &[Match],
        is_last: bool,
    ) -> Result<SourceRound, ImportError> {
        if matches.len() > limits::TABLES {
            let fault = Fault::TooMany { what: "matches", limit: limits::TABLES };
            return Err(fault.at(format!("rounds[{at}]")));
        }
        let name = format!("Round {}", at + 1);
        let (tables, byes) = (Vec::new(), Vec::new());
        let mut round = SourceRound { name, weight: RoundWeight::ONE, tables, byes };
        let mut taken: BTreeMap<u32, usize> = BTreeMap::new();
        for (index, game) in matches.iter().enumerate() {
            let place = format!("rounds[{at}][{index}]");
            // A table 0 is read as unknown, at however many matches it stands.
            let table = game.table.filter(|table| *table > 0);
            if let Some(other) = table.and_then(|table| taken.insert(table, index)) {
                return Err(self.taken(matches, [other, index], &round.name, place));
            }
            self.game(game, place, is_last, &mut round)?;
        }
        Ok(round)
    }

    /// Adds the byes of a program that leaves them out: whoever has more points than their matches gave them had as
    /// many byes as make up for it, in the first rounds in which they have no match.
    fn byes_left_out(
        &mut self,
        published: &[PublishedRow],
        rounds: &mut [SourceRound],
        first_elimination: usize,
    ) {
        let swiss = &mut rounds[..first_elimination];
        if swiss.iter().any(|round| !round.byes.is_empty()) {
            return;
        }
        let mut here: Vec<BTreeSet<usize>> = Vec::new();
        let mut given: BTreeMap<usize, i64> = BTreeMap::new();
        // A match is of one game of three points, or of two where somebody has more.
        let mut whole = 3;
        for round in swiss.iter() {
            let mut seated = BTreeSet::new();
            for table in &round.tables {
                seated.extend(table.seats.iter().map(|seat| seat.player));
                for (seat, lines) in table.seats.iter().zip(&table.result.score.seats) {
                    let points = lines.first().map_or(0, |points| i64::from(*points));
                    *given.entry(seat.player).or_default() += points;
                    whole = if points > 3 { 6 } else { whole };
                }
            }
            here.push(seated);
        }
        for row in published {
            let missing = row.points_tenths / 10 - given.get(&row.player).copied().unwrap_or(0);
            let count = usize::try_from(missing / whole).unwrap_or(0);
            if missing % whole != 0 || count == 0 {
                continue;
            }
            let is_absent = |number: &usize| !here[*number].contains(&row.player);
            let absent: Vec<usize> = (0..here.len()).filter(is_absent).collect();
            if count > absent.len() {
                continue;
            }
            for number in absent.into_iter().take(count) {
                let place = format!("rounds[{number}]");
                let name = super::error::shortened(&self.players.list[row.player].name);
                let sentence = format!(
                    "{name:?} has no match here, and more points than their matches gave: that is read as a bye."
                );
                self.oddities.add(&place, sentence);
                let (kind, reported) = (ByeKind::Assigned, None);
                swiss[number].byes.push(SourceBye { player: row.player, kind, reported, place });
            }
        }
    }

    fn taken(
        &self,
        matches: &[Match],
        [earlier, later]: [usize; 2],
        round: &str,
        place: String,
    ) -> ImportError {
        let written = |at: usize| {
            let (first, second) = (&matches[at].player1, &matches[at].player2);
            let points = |side: &Side| side.combined_score.map_or("?".into(), |p| p.to_string());
            format!("{}-{}", points(first), points(second))
        };
        let what = format!("table {}", matches[later].table.unwrap_or(0));
        let (round, first, second) = (round.to_owned(), written(earlier), written(later));
        let other = format!("match {} of the round", earlier + 1);
        Fault::TwoResults { what, round, first, second, other }.at(place)
    }

    fn game(
        &mut self,
        game: &Match,
        place: String,
        is_last: bool,
        round: &mut SourceRound,
    ) -> Result<(), ImportError> {
        let (first, second) = (&game.player1, &game.player2);
        match (&first.id, &second.id) {
            (Some(_), Some(_)) => round.tables.push(self.table(game, place, is_last)?),
            (Some(id), None) => round.byes.push(self.bye(id, [first, second], place)?),
            (None, Some(id)) => round.byes.push(self.bye(id, [second, first], place)?),
            (None, None) => self.oddities.add(&place, "A match without players was left out."),
        }
        Ok(())
    }

    fn table(
        &mut self,
        game: &Match,
        place: String,
        is_last: bool,
    ) -> Result<SourceTable, ImportError> {
        let mut seats = Vec::new();
        for side in [&game.player1, &game.player2] {
            let Some(id) = &side.id else { continue };
            let role = match side.role.as_deref() {
                Some("corp") => 1,
                Some("runner") => 2,
                _ => 0,
            };
            seats.push(SourceSeat { player: self.known(id, &place)?, role });
        }
        let table = self.table_number(game, &place);
        let result = self.result(game, &place, is_last)?;
        Ok(SourceTable { table, seats, result, place })
    }

    fn table_number(&mut self, game: &Match, place: &str) -> Option<u32> {
        if game.table == Some(0) {
            self.oddities.add(place, "Table 0 is read as unknown.");
        }
        game.table.filter(|table| *table > 0)
    }

    fn result(
        &mut self,
        game: &Match,
        place: &str,
        is_last: bool,
    ) -> Result<MatchResult, ImportError> {
        let how = if game.intentional_draw == Some(true) { How::AgreedDraw } else { How::Unknown };
        let (first, second) = (&game.player1, &game.player2);
        let grade = (game.two_for_one == Some(true)).then(|| TWO_FOR_ONE.to_owned());
        let mut result = MatchResult { how, grade, ..MatchResult::played(Score::default()) };
        if is_last && game.is_unplayed() {
            return Ok(outcome::open());
        }
        if first.combined_score.is_some() || second.combined_score.is_some() {
            let lines = [self.lines(first, place)?, self.lines(second, place)?];
            result.score = sheet::score(&lines, &[]);
            return Ok(result);
        }
        // Elimination games name the winner and no points; then that is all that is recorded.
        let rulings = match (first.winner, second.winner) {
            (Some(true), Some(false) | None) => [Ruling::Win, Ruling::Loss],
            (Some(false) | None, Some(true)) => [Ruling::Loss, Ruling::Win],
            // Of the last round it is still to be played.
            (None, None) if is_last && how != How::AgreedDraw => return Ok(outcome::open()),
            _ if game.is_elimination() || how == How::AgreedDraw => {
                self.oddities.add(place, "The match has neither a score nor a winner.");
                [Ruling::NoResult; 2]
            }
            _ => return Ok(MatchResult::played(Score::default())),
        };
        result.rulings = rulings.into_iter().map(Some).collect();
        Ok(result)
    }

    fn lines(&self, side: &Side, place: &str) -> Result<Vec<i32>, ImportError> {
        let combined = points("combinedScore", side.combined_score, place)?;
        let mut lines = vec![combined];
        if self.sides {
            lines.push(points("runnerScore", side.runner_score, place)?);
            lines.push(points("corpScore", side.corp_score, place)?);
        }
        Ok(lines)
    }

    /// The side without an id is nobody; their points are read as zero where they are missing.
    fn bye(&self, id: &Id, sides: [&Side; 2], place: String) -> Result<SourceBye, ImportError> {
        let player = self.known(id, &place)?;
        let reported = match sides[0].combined_score {
            None => None,
            Some(_) => {
                let lines = sides.map(|side| self.reported(side, &place));
                let [own, nobody] = lines;
                Some(sheet::score(&[own?, nobody?], &[]))
            }
        };
        Ok(SourceBye { player, kind: ByeKind::Assigned, reported, place })
    }

    fn reported(&self, side: &Side, place: &str) -> Result<Vec<i32>, ImportError> {
        let known = |value: Option<i64>| Some(value.unwrap_or(0));
        let mut lines = vec![points("combinedScore", known(side.combined_score), place)?];
        if self.sides {
            lines.push(points("runnerScore", known(side.runner_score), place)?);
            lines.push(points("corpScore", known(side.corp_score), place)?);
        }
        Ok(lines)
    }

    fn phases(
        &mut self,
        file: &File,
        mut rounds: Vec<SourceRound>,
        published: &[PublishedRow],
    ) -> Result<Vec<SourcePhase>, ImportError> {
        let first = first_elimination(file);
        if first != file.preliminary_rounds.min(rounds.len()) {
            let sentence = format!("{first} rounds come before the elimination games.");
            self.oddities.add("preliminaryRounds", sentence);
        }
        let mut cut = rounds.split_off(first);
        let placed = file.elimination_players.iter().filter(|one| one.rank.is_some());
        let placed = placed.filter_map(|one| self.players.known(&one.id.as_ref()?.key()));
        let placed: BTreeSet<usize> = placed.collect();
        let single = is_single(&cut, |player| placed.contains(&player));
        let place = format!("rounds[{first}]");
        let is_known = single != Some(true) || self.byes_of_cut(&mut cut, file, published, &place);
        let waits = match (single, is_known) {
            (None, _) => {
                "Nothing says yet whether the losers of this round are out: it is read once one of them has a place, \
                 or the next round is there."
            }
            (_, false) => {
                "Nothing says yet who waits for the winner of this match in a cut of three: it is read once the next \
                 round is there."
            }
            _ => "",
        };
        if !waits.is_empty() {
            self.oddities.add(&place, waits);
            cut.clear();
            self.held_back = true;
        }
        let mut phases = Vec::new();
        if !rounds.is_empty() {
            phases.push(phases::phase(PhaseKind::Swiss, rounds));
        }
        // Of a roster alone nothing was played.
        if phases.is_empty() && cut.is_empty() && !self.players.list.is_empty() {
            let entrants = (0..self.players.list.len()).collect();
            phases.push(SourcePhase { entrants, ..phases::phase(PhaseKind::Swiss, Vec::new()) });
        }
        if !cut.is_empty() {
            let kind = match single {
                Some(true) => PhaseKind::Elimination,
                _ => PhaseKind::DoubleElimination,
            };
            let mut phase = phases::phase(kind, cut);
            self.seed(&mut phase, &file.elimination_players, published)?;
            phases.push(phase);
        }
        Ok(phases)
    }

    /// Gives whoever plays first in a later round of a single elimination a bye in each one before, since Cobra lists
    /// matches alone. So it is in a cut of three, of which the first round alone is one match: whether it is known who
    /// waits there.
    fn byes_of_cut(
        &self,
        cut: &mut [SourceRound],
        file: &File,
        published: &[PublishedRow],
        place: &str,
    ) -> bool {
        let bye = |player: usize, place: String| {
            let (kind, reported) = (ByeKind::Assigned, None);
            SourceBye { player, kind, reported, place }
        };
        if let [only] = cut {
            let here: BTreeSet<usize> =
                check::appearances(only).map(|(player, _)| player).collect();
            if here.len() != 2 || !is_of_three(file) {
                return true;
            }
            let waiting = self.first_seed(&here, file, published);
            only.byes.extend(waiting.map(|player| bye(player, place.to_owned())));
            return waiting.is_some();
        }
        // A cut of more rounds is none that anybody plays.
        let rounds = cut.len().min(BYES);
        let mut seen: BTreeSet<usize> = BTreeSet::new();
        for at in 0..rounds {
            let (before, now) = cut.split_at_mut(at);
            let here = now.iter().take(1).flat_map(check::appearances);
            let new: Vec<(usize, String)> = here
                .filter(|(player, _)| !seen.contains(player))
                .map(|(player, place)| (player, place.to_owned()))
                .collect();
            for round in before {
                round.byes.extend(new.iter().map(|(player, place)| bye(*player, place.clone())));
            }
            seen.extend(new.into_iter().map(|(player, _)| player));
        }
        true
    }

    /// Who waits for the winner of these two in a cut of three: whom the file has in the cut beside them, otherwise the
    /// only one who stands above both after the Swiss rounds.
    fn first_seed(
        &self,
        here: &BTreeSet<usize>,
        file: &File,
        published: &[PublishedRow],
    ) -> Option<usize> {
        let ids = file.elimination_players.iter().filter_map(|one| one.id.as_ref());
        let listed = ids.filter_map(|id| self.players.known(&id.key()));
        let listed: BTreeSet<usize> = listed.filter(|player| !here.contains(player)).collect();
        let best = published.iter().filter(|row| here.contains(&row.player)).map(|row| row.rank);
        let best = best.min().unwrap_or(0);
        let above = published.iter().filter(|row| row.rank < best).map(|row| row.player);
        let candidates = if listed.is_empty() { above.collect() } else { listed };
        Some(*candidates.first()?).filter(|_| candidates.len() == 1)
    }

    /// The places after the elimination games.
    fn places(&self, seeded: &[Seeded]) -> Result<Vec<SourcePlace>, ImportError> {
        let mut places = Vec::new();
        for (at, entrant) in seeded.iter().enumerate() {
            let Some(id) = &entrant.id else { continue };
            let player = self.known(id, &format!("eliminationPlayers[{at}]"))?;
            places.extend(entrant.rank.map(|place| SourcePlace { player, place }));
        }
        Ok(places)
    }

    /// Seeds the cut as the file says. While it runs the file says none: they are by the ranks of the Swiss rounds.
    fn seed(
        &self,
        phase: &mut SourcePhase,
        seeded: &[Seeded],
        published: &[PublishedRow],
    ) -> Result<(), ImportError> {
        let mut seeds = BTreeMap::new();
        for (at, entrant) in seeded.iter().enumerate() {
            let place = format!("eliminationPlayers[{at}]");
            if let (Some(id), Some(seed)) = (&entrant.id, entrant.seed) {
                seeds.insert(self.known(id, &place)?, seed);
            }
        }
        if !phase.entrants.iter().all(|player| seeds.contains_key(player)) {
            seeds = published.iter().map(|row| (row.player, row.rank)).collect();
        }
        phase.seeded = phase.entrants.iter().all(|player| seeds.contains_key(player));
        if phase.seeded {
            phase.entrants.sort_by_key(|player| seeds.get(player).copied());
        }
        Ok(())
    }
}
