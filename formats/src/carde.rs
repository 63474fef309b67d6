//! The JSON of Carde.io's answers, on which several publishers run their own pages: an event with its phases and
//! rounds, the matches of each round, and a standings table in pages.

mod rows;

use std::collections::BTreeMap;

use super::build::{Oddities, Players, clean_name, day};
use super::json::{Json, Node};
use super::outcome::{self, Won};
use super::source::*;
use super::{Fault, ImportError, check, limits, numbered, phases, sheet};
use rows::{Found, games_of_seats, inside, record, round_of, rows, rows_of, seated, seats};
use scrutineer_engine::event::{ByeKind, How, MatchResult, PhaseKind, RoundWeight, UnknownFact};

/// That JSON.
pub(super) struct Carde;

impl super::Format for Carde {
    fn name(&self) -> &'static str {
        "carde json"
    }

    fn detect(&self, file: &super::File) -> bool {
        let has = |word: &str| file.text.is_some_and(|text| text.contains(word));
        let is_page = file.has(&["results"])
            && (has("\"user_event_status\"") || has("\"player_match_relationships\""));
        file.has(&["tournament_phases"])
            || is_page
            || is_list(file)
            || (has("\"user_event_status\"")
                && (file.has(&["standings"]) || file.lists(&["results", "page_size"])))
            || (file.has(&["event"]) && has("\"tournament_phases\""))
    }

    fn part(&self, file: &super::File) -> Option<super::Part> {
        let has = |word: &str| file.text.is_some_and(|text| text.contains(word));
        if file.has(&["tournament_phases"]) {
            return Some(super::Part::one("event"));
        }
        let is_page = file.has(&["results"]) && self.detect(file) || is_list(file);
        let matches = has("\"player_match_relationships\"");
        is_page.then(|| super::Part::many(if matches { "matches" } else { "standings" }))
    }

    fn read(&self, file: &super::File) -> Result<Source, ImportError> {
        read(file.name, file.text()?)
    }
}

/// Whether a file is a list of matches or of rows of standings, without the page around it.
fn is_list(file: &super::File) -> bool {
    file.lists(&["player_match_relationships"]) || file.lists(&["rank", "user_event_status"])
}

/// How the answers are put together.
const TOGETHER: &str = "the event with the matches of its rounds (as {\"event\": .., \"matches\": [..], \
                        \"standings\": [..]}, of each list all pages)";

fn read(file: &str, text: &str) -> Result<Source, ImportError> {
    let json = Json::read(text)?;
    let root = json.root();
    if root.get("event").is_none() && root.get("tournament_phases").is_none() {
        return standings_alone(file, &root);
    }
    let event = root.get("event").unwrap_or_else(|| root.clone());
    let name = event.need("name")?;
    let title = clean_name("the title", name.text()?).map_err(|fault| fault.at(name.place))?;
    let id = event.word_at("id")?.unwrap_or(&title).to_owned();
    let mut reader = Reader::default();
    let found = reader.rounds(&event)?;
    let games = rows(&root, "matches")?;
    let within: usize = found.iter().map(|round| round.matches.len()).sum();
    if games.is_empty() && within == 0 && found.iter().any(|round| round.is_begun) {
        return Err(Fault::Missing { what: TOGETHER.into() }.into());
    }
    let mut by_id: BTreeMap<String, usize> = BTreeMap::new();
    let mut rounds: Vec<SourceRound> = Vec::new();
    for (at, round) in found.iter().enumerate() {
        by_id.insert(round.id.clone(), at);
        let name = format!("Round {}", round.number);
        let (tables, byes) = (Vec::new(), Vec::new());
        rounds.push(SourceRound { name, weight: RoundWeight::ONE, tables, byes });
    }
    if games.len() + within > limits::TABLES {
        return Err(Fault::TooMany { what: "matches", limit: limits::TABLES }.at("matches"));
    }
    for game in &games {
        let at = round_of(game, &found, &by_id)?;
        if let Some(round) = rounds.get_mut(at) {
            reader.game(game, round)?;
        }
    }
    // What was asked for apart is the whole of a round; an event may have matches of its own.
    for (round, of) in rounds.iter_mut().zip(&found) {
        if round.tables.is_empty() && round.byes.is_empty() {
            for game in &of.matches {
                reader.game(game, round)?;
            }
        }
    }
    let standings = rows(&root, "standings")?;
    let published = reader.standings(&standings)?;
    reader.phases(&found, rounds, &published, &event, (id, title))
}

/// All pages of the standings, without the event: who took part, and where they came in.
fn standings_alone(file: &str, root: &Node<'_>) -> Result<Source, ImportError> {
    let together = || Fault::Missing { what: TOGETHER.into() }.into();
    let listed = match root.get("standings") {
        Some(list) => rows_of(&list, "standings")?,
        None => rows_of(root, "the answer")?,
    };
    let is_row = |row: &Node<'_>| row.get("rank").is_some() && seated(row).is_ok();
    if root.get("matches").is_some() || listed.is_empty() || !listed.iter().all(is_row) {
        return Err(together());
    }
    let mut reader = Reader::default();
    let published = reader.standings(&listed)?;
    reader
        .oddities
        .add("standings", "The event and its matches are missing: only the standings are known.");
    let title = clean_name("the title", &super::build::stem(file))?;
    let first: String =
        reader.players.list.iter().take(2).map(|player| format!(" {}", player.name)).collect();
    let entrants = (0..reader.players.list.len()).collect();
    let rounds = Vec::new();
    Ok(Source {
        platform: "carde".to_owned(),
        rules: Some("carde".to_owned()),
        format: "carde json".to_owned(),
        identity: format!("carde {title}{first}"),
        title,
        finished: true,
        scoresheet: sheet::games_sheet(None, std::iter::empty()),
        players: reader.players.list,
        published_after: Some(0),
        phases: vec![SourcePhase { kind: PhaseKind::Swiss, entrants, seeded: false, rounds }],
        published,
        published_digits: Some(8),
        unknown: {
            use UnknownFact::*;
            vec![SignUpOrder, Times, Drops, Games, EarlierRounds]
        },
        oddities: reader.oddities.finish(),
        ..Source::default()
    })
}

#[derive(Default)]
struct Reader {
    players: Players,
    oddities: Oddities,
    drops: Vec<usize>,
}

impl Reader {
    fn rounds<'a>(&mut self, event: &Node<'a>) -> Result<Vec<Found<'a>>, ImportError> {
        let mut listed = event.list("tournament_phases")?;
        let mut order = Vec::new();
        for (at, phase) in listed.drain(..).enumerate() {
            let place = i64::try_from(at).unwrap_or(i64::MAX);
            order.push((phase.whole_at("order_in_phases")?.unwrap_or(place), phase));
        }
        order.sort_by_key(|(order, _)| *order);
        let mut rounds = Vec::new();
        for (at, (_, phase)) in order.into_iter().enumerate() {
            let kind = match phase.text_at("round_type")? {
                Some("PLAYER_MEETING") => continue,
                Some("SWISS") | None => PhaseKind::Swiss,
                Some("RANKED_SINGLE_ELIMINATION" | "SINGLE_ELIMINATION") => PhaseKind::Elimination,
                Some(_) => {
                    let expected = "SWISS, RANKED_SINGLE_ELIMINATION or PLAYER_MEETING";
                    return Err(phase.need("round_type")?.bad(expected));
                }
            };
            for round in phase.list("rounds")? {
                if round.text_at("round_type")? == Some("PLAYER_MEETING") {
                    continue;
                }
                let status = round.text_at("status")?.unwrap_or("COMPLETE").to_uppercase();
                rounds.push(Found {
                    id: round.word_at("id")?.unwrap_or_default().to_owned(),
                    number: round.need("round_number")?.whole()?,
                    phase: at,
                    kind,
                    is_begun: status != "NOT_STARTED" && status != "UPCOMING",
                    is_over: status == "COMPLETE" || status == "COMPLETED",
                    matches: inside(&round)?,
                });
            }
        }
        if rounds.len() > limits::ROUNDS {
            return Err(Fault::TooMany { what: "rounds", limit: limits::ROUNDS }
                .at(event.place_of("tournament_phases")));
        }
        Ok(rounds)
    }

    fn player(&mut self, node: &Node<'_>, status: Option<&Node<'_>>) -> Result<usize, ImportError> {
        let id = if node.is_object() { node.need("id")?.word()? } else { node.word()? };
        let dropped = match status {
            Some(status) => status.text_at("registration_status")? == Some("DROPPED"),
            None => false,
        };
        let player = match self.players.known(id) {
            Some(player) => player,
            None => {
                let own = node.text_at("best_identifier")?;
                let handle = status.map_or(Ok(None), |status| status.text_at("best_identifier"))?;
                self.players.add(id, own.or(handle).unwrap_or(id), &node.place)?
            }
        };
        if dropped && !self.drops.contains(&player) {
            self.drops.push(player);
        }
        Ok(player)
    }

    fn game(&mut self, game: &Node<'_>, round: &mut SourceRound) -> Result<(), ImportError> {
        let place = game.place.clone();
        let (listed, mut players) = (seats(game)?, Vec::new());
        let has_relations = !game.list("player_match_relationships")?.is_empty();
        for seat in &listed {
            // Of `players` each may be the player, or their id alone.
            let is_seat = has_relations || seat.get("player").is_some();
            let player = if is_seat { seated(seat)? } else { seat.clone() };
            players.push(self.player(&player, seat.get("user_event_status").as_ref())?);
        }
        match players[..] {
            [] => {
                self.oddities.add(&place, "A match without players was left out.");
                Ok(())
            }
            [player] => {
                let kind = match (game.is("match_is_bye")?, game.is("match_is_loss")?) {
                    (false, true) => ByeKind::AwardedLoss,
                    _ => ByeKind::Assigned,
                };
                round.byes.push(SourceBye { player, kind, reported: None, place });
                Ok(())
            }
            [first, second] => {
                let result = self.result(game, &listed, [first, second])?;
                let table = game.count_at("table_number")?.filter(|table| *table > 0);
                let seats = [first, second].map(|player| SourceSeat { player, role: 0 }).to_vec();
                round.tables.push(SourceTable { table, seats, result, place });
                Ok(())
            }
            _ => Err(game
                .need("player_match_relationships")
                .unwrap_or_else(|_| game.clone())
                .bad("a match of two players")),
        }
    }

    fn result(
        &mut self,
        game: &Node<'_>,
        seats: &[Node<'_>],
        players: [usize; 2],
    ) -> Result<MatchResult, ImportError> {
        let agreed = game.is("match_is_intentional_draw")?;
        let winner = match game.get("winning_player") {
            Some(node) => Some((self.player(&node, None)?, node)),
            None => None,
        };
        let seat = match &winner {
            Some((winner, node)) => match players.iter().position(|one| one == winner) {
                Some(seat) => Some(seat),
                None => return Err(node.bad("one of the two players of the match")),
            },
            None => None,
        };
        let won = match seat {
            _ if game.is("match_is_loss")? => Won::BothLost,
            _ if agreed || game.is("match_is_unintentional_draw")? => Won::Draw,
            Some(seat) => Won::Seat(seat),
            None => return Ok(outcome::open()),
        };
        let of = |key: &str| game.score_at(key);
        let (by_winner, by_loser) = (of("games_won_by_winner")?, of("games_won_by_loser")?);
        let drawn = of("games_drawn")?.unwrap_or(0);
        let games = match (by_winner, by_loser) {
            (Some(most), Some(least)) if most >= 0 && least >= 0 && drawn >= 0 => Some(match won {
                Won::Seat(1) => [least, most, drawn],
                _ => [most, least, drawn],
            }),
            _ if drawn >= 0 => games_of_seats(seats)?.map(|[first, second]| [first, second, drawn]),
            _ => None,
        };
        let how = if agreed { How::AgreedDraw } else { How::Unknown };
        Ok(outcome::result(games, Some(won), how))
    }

    fn standings(&mut self, rows: &[Node<'_>]) -> Result<Vec<PublishedRow>, ImportError> {
        let (mut read, mut lengths) = (Vec::new(), Vec::new());
        for row in rows {
            let status = row.get("user_event_status");
            let player = self.player(&seated(row)?, status.as_ref())?;
            let rank = row.count_at("rank")?;
            let rank =
                rank.ok_or_else(|| Fault::Missing { what: "rank".into() }.at(row.place.as_str()))?;
            let points = match row.tenths_at("match_points")? {
                Some(points) => Some(points),
                None => status
                    .as_ref()
                    .map_or(Ok(None), |status| status.tenths_at("total_match_points"))?,
            };
            let Some(points_tenths) = points else {
                return Err(Fault::Missing { what: "match_points".into() }.at(row.place.as_str()));
            };
            let record = record(row)?;
            lengths.extend(
                record
                    .map(|[won, lost, drawn]| u64::from(won) + u64::from(lost) + u64::from(drawn)),
            );
            let named = [
                ("opponent_match_win_percentage", PublishedMeasure::Omw),
                ("game_win_percentage", PublishedMeasure::Gw),
                ("opponent_game_win_percentage", PublishedMeasure::Ogw),
            ];
            let values = row.published(&named)?;
            read.push(PublishedRow { rank, player, points_tenths, record, values });
        }
        lengths.sort_unstable();
        if lengths.first() != lengths.last() && !self.drops.is_empty() {
            return Ok(read);
        }
        if lengths.first() != lengths.last() {
            let sentence = "Players have unequal numbers of matches: the table may have been read while a round was \
                            played, and mix two rounds.";
            self.oddities.add("standings", sentence);
        }
        Ok(read)
    }

    fn phases(
        mut self,
        found: &[Found<'_>],
        mut rounds: Vec<SourceRound>,
        published: &[PublishedRow],
        event: &Node<'_>,
        (id, title): (String, String),
    ) -> Result<Source, ImportError> {
        let planned = found.iter().filter(|round| round.kind == PhaseKind::Swiss).count();
        // What is only announced has no matches yet.
        let has_matches = |round: &SourceRound| !round.tables.is_empty() || !round.byes.is_empty();
        let played = rounds.iter().rposition(has_matches);
        rounds.truncate(played.map_or(0, |last| last + 1));
        let mut listed = rounds.iter().zip(found);
        if let Some((_, round)) = listed.find(|(round, of)| of.is_begun && !has_matches(round)) {
            let what = format!("round {}: {TOGETHER}", round.number);
            return Err(Fault::Missing { what }.at("matches"));
        }
        if !rounds.is_empty() {
            check::rounds(&self.players, &rounds)?;
        }
        // Swiss rounds that were announced may have been left out before the cut.
        let played = rounds.into_iter().zip(found).filter(|(round, _)| has_matches(round));
        let played: Vec<(SourceRound, &Found<'_>)> = played.collect();
        let count = played.len();
        let mut by_phase: Vec<(usize, PhaseKind, Vec<SourceRound>)> = Vec::new();
        for (round, found) in played {
            match by_phase.last_mut().filter(|(phase, ..)| *phase == found.phase) {
                Some((_, _, rounds)) => rounds.push(round),
                None => by_phase.push((found.phase, found.kind, vec![round])),
            }
        }
        let mut phases: Vec<SourcePhase> =
            by_phase.into_iter().map(|(_, kind, rounds)| phases::phase(kind, rounds)).collect();
        let is_open = outcome::settle(&mut phases, &mut self.oddities);
        let all_over = found.iter().all(|round| round.is_over) && count == found.len();
        let rounds: Vec<SourceRound> =
            phases.iter().flat_map(|phase| phase.rounds.clone()).collect();
        let drops = numbered::drops(&self.drops, &rounds, "registration_status");
        let best_of = sheet::best_of(outcome::games(&phases));
        sheet::report(best_of, &rounds, &mut self.oddities);
        let points: Vec<(usize, i64)> =
            published.iter().map(|row| (row.player, row.points_tenths / 10)).collect();
        let held_on = event.text_at("start_datetime")?.and_then(day);
        let planned = u16::try_from(planned).ok().filter(|planned| *planned > 0);
        Ok(Source {
            platform: "carde".to_owned(),
            rules: Some("carde".to_owned()),
            format: "carde json".to_owned(),
            identity: format!("carde {id}"),
            title,
            held_on,
            planned_rounds: planned,
            finished: count > 0 && all_over && !is_open,
            scoresheet: sheet::games_sheet(best_of, outcome::games(&phases)),
            players: self.players.list,
            published_after: phases::published_after(&phases, &points),
            phases,
            drops,
            published: published.to_vec(),
            published_digits: (!published.is_empty()).then_some(8),
            unknown: {
                use UnknownFact::*;
                vec![SignUpOrder, Times, KindOfBye, HowItEnded]
            },
            oddities: self.oddities.finish(),
            ..Source::default()
        })
    }
}
