//! The JSON of Melee's own answers: matches and standings of rounds, as its pages ask for them.

mod result;
mod rows;

use std::collections::BTreeMap;

use super::build::{Oddities, Players, clean_name, day};
use super::deckcache::Platform;
use super::json::{Json, Node};
use super::outcome;
use super::pages::{once, refuse_two};
use super::source::*;
use super::{Fault, ImportError, check, limits, numbered, phases, sheet};
use rows::{Rows, kind, when};
use scrutineer_engine::event::{ByeKind, MatchResult, PhaseKind, RoundWeight, UnknownFact};

/// That JSON.
pub(super) struct Melee;

impl super::Format for Melee {
    fn name(&self) -> &'static str {
        "melee json"
    }

    fn detect(&self, file: &super::File) -> bool {
        part_of(file).is_some()
    }

    fn part(&self, file: &super::File) -> Option<super::Part> {
        part_of(file).flatten()
    }

    fn read(&self, file: &super::File) -> Result<Source, ImportError> {
        read(file.name, file.text()?)
    }
}

/// Whether a file is of these answers, and which part of them it is; none of the two where it is whole.
fn part_of(file: &super::File) -> Option<Option<super::Part>> {
    let text = file.text.filter(|text| text.trim_start().starts_with(['{', '[']))?;
    let has = |words: &[&str]| words.iter().all(|word| text.contains(word));
    let matches = has(&["\"Competitors\"", "\"RoundNumber\""])
        || has(&["\"Player1Username\"", "\"RoundNumber\""]);
    let standings = has(&["\"OpponentMatchWinPercentage\"", "\"Rank\"", "\"Team\""]);
    if file.has(&["matches"]) || file.has(&["standings"]) {
        return (matches || standings).then_some(None);
    }
    match (matches, standings) {
        (true, _) => Some(Some(super::Part::many("matches"))),
        (false, true) => Some(Some(super::Part::many("standings"))),
        (false, false) => None,
    }
}

/// How the answers are put together.
const TOGETHER: &str = "the matches of every round (as {\"tournament\": {\"Name\": ..}, \"matches\": [..], \
                        \"standings\": [..]}, of each list all pages, or their files together)";

/// When a round was played: the place of its phase, and its number.
type When = (i64, i64);

fn read(file: &str, text: &str) -> Result<Source, ImportError> {
    let json = Json::read(text)?;
    let root = json.root();
    let mut rows = Rows::default();
    rows.collect(&root)?;
    rows.refuse_some()?;
    refuse_two(&rows.matches, "TournamentId")?;
    if rows.matches.is_empty() {
        return Err(Fault::Missing { what: TOGETHER.into() }.into());
    }
    let tournament = root.get("tournament");
    let said = tournament.as_ref().map_or(Ok(None), |node| node.text_at("Name"))?;
    let title = clean_name("the title", said.unwrap_or(&super::build::stem(file)))
        .map_err(|fault| fault.at("tournament.Name"))?;
    let held_on = match &tournament {
        Some(node) => node.text_at("StartDate")?.and_then(day),
        None => None,
    };
    let mut reader = Reader::default();
    let (mut rounds, mut kinds) = (BTreeMap::new(), BTreeMap::new());
    let oddities = &mut reader.oddities;
    for game in once(&rows.matches, "ID", result::is_reported, result::said, oddities)? {
        let when = when(game)?;
        let name = game.text_at("RoundName")?.map(str::to_owned);
        let name = name.unwrap_or_else(|| format!("Round {}", when.1));
        let (tables, byes) = (Vec::new(), Vec::new());
        let empty = SourceRound { name, weight: RoundWeight::ONE, tables, byes };
        reader.game(game, when, rounds.entry(when).or_insert(empty))?;
    }
    for row in rows.matches.iter().chain(&rows.standings) {
        if let Some(kind) = kind(row)? {
            kinds.insert(row.whole_at("PhaseSortOrder")?.unwrap_or(0), kind);
        }
    }
    numbered::refuse_gaps(rounds.keys().copied(), "", TOGETHER)?;
    let last = rows.standings.iter().map(when).collect::<Result<Vec<_>, _>>()?.into_iter().max();
    for row in &rows.standings {
        if Some(when(row)?) == last {
            reader.row(row)?;
        }
    }
    let id = rows.matches[0].word_at("TournamentId")?;
    let identity = match id {
        Some(id) => format!("melee melee.gg/Tournament/View/{id}"),
        None => format!("melee {title}"),
    };
    let after = last.and_then(|last| rounds.keys().position(|when| *when == last));
    let after = after.and_then(|after| u16::try_from(after + 1).ok());
    let phases = by_phase(rounds, &kinds);
    let status = tournament.as_ref().map_or(Ok(None), |node| node.text_at("StatusDescription"))?;
    reader.has_ended = status.is_some_and(|status| status.eq_ignore_ascii_case("ended"));
    reader.finish(phases, (title, identity, held_on), after)
}

/// The phases in their order; of one of which nothing says how it was played, the rounds tell.
fn by_phase(
    rounds: BTreeMap<When, SourceRound>,
    kinds: &BTreeMap<i64, PhaseKind>,
) -> Vec<SourcePhase> {
    let mut listed: Vec<(i64, Vec<SourceRound>)> = Vec::new();
    for ((phase, _), round) in rounds {
        match listed.last_mut().filter(|(last, _)| *last == phase) {
            Some((_, rounds)) => rounds.push(round),
            None => listed.push((phase, vec![round])),
        }
    }
    let split = |(phase, rounds): (i64, Vec<SourceRound>)| match kinds.get(&phase) {
        Some(kind) => vec![phases::phase(*kind, rounds)],
        None => phases::split(rounds, &[]),
    };
    listed.into_iter().flat_map(split).collect()
}

/// A result in a message.
fn written(result: &MatchResult) -> String {
    match (phases::winning_seat(result), sheet::games_of(&result.score)) {
        (_, Some([first, second, drawn])) => format!("{first}-{second}-{drawn}"),
        (Some(seat), None) => format!("won by the {} of them", ["first", "second"][seat.min(1)]),
        (None, None) => "won by nobody".to_owned(),
    }
}

#[derive(Default)]
struct Reader {
    players: Players,
    oddities: Oddities,
    published: Vec<PublishedRow>,
    gone: Vec<usize>,
    /// Whether Melee says that the tournament has ended.
    has_ended: bool,
    /// Who met whom in a round, and at which of its tables.
    met: BTreeMap<(When, [usize; 2]), usize>,
}

impl Reader {
    /// Who a team is: a player, or several under one name.
    fn team(&mut self, team: &Node<'_>) -> Result<usize, ImportError> {
        let members = team.list("Players")?;
        let (mut names, mut keys) = (Vec::new(), Vec::new());
        if let Some(id) = team.word_at("ID")? {
            keys.push(format!("team {id}"));
        }
        for member in &members {
            let username = member.text_at("Username")?;
            let name = member.text_at("DisplayName")?.or(username);
            names.push(name.ok_or_else(|| {
                Fault::Missing { what: "DisplayName".into() }.at(member.place.as_str())
            })?);
            if let (Some(username), [_]) = (username, &members[..]) {
                keys.push(format!("user {username}"));
            }
        }
        let joined = names.join(" / ");
        let name = team.text_at("Name")?.filter(|_| members.len() != 1).unwrap_or(&joined);
        if keys.is_empty() {
            keys.push(format!("name {name}"));
        }
        let player = self.players.by_keys(&keys, name, &team.place)?;
        let status = team.text_at("StatusDescription")?.unwrap_or_default().to_lowercase();
        if status.starts_with("drop") && !self.gone.contains(&player) {
            self.gone.push(player);
        }
        Ok(player)
    }

    fn game(
        &mut self,
        game: &Node<'_>,
        when: When,
        round: &mut SourceRound,
    ) -> Result<(), ImportError> {
        if round.tables.len() + round.byes.len() >= limits::TABLES {
            let fault = Fault::TooMany { what: "matches", limit: limits::TABLES };
            return Err(fault.at(game.place.as_str()));
        }
        let (seats, games) = match game.get("Competitors") {
            Some(list) => self.competitors(game, &list)?,
            None => self.named(game)?,
        };
        let place = game.place.clone();
        match seats[..] {
            [] => {
                self.oddities.add(&place, "A match without players was left out.");
                Ok(())
            }
            [player] => {
                let said = result::words(game)?.to_lowercase();
                let is_loss = game.word_at("LossReason")?.is_some_and(|why| why != "0")
                    || said.contains("loss");
                let kind = if is_loss { ByeKind::AwardedLoss } else { ByeKind::Assigned };
                let reported = games.filter(|games| *games != [0; 3]).map(sheet::games_score);
                round.byes.push(SourceBye { player, kind, reported, place });
                Ok(())
            }
            [first, second] => {
                let names = [first, second].map(|player| self.players.name(player));
                let result = result::of(game, games, &names)?;
                let table = game.count_at("TableNumber")?.filter(|table| *table > 0);
                let seats = [first, second].map(|player| SourceSeat { player, role: 0 }).to_vec();
                let met = SourceTable { table, seats, result, place };
                let pair = [first.min(second), first.max(second)];
                if let Some(earlier) = self.met.get(&(when, pair)).copied() {
                    return self.again(met, &mut round.tables[earlier], &round.name);
                }
                self.met.insert((when, pair), round.tables.len());
                round.tables.push(met);
                Ok(())
            }
            _ => Err(game.need("Competitors")?.bad("a match of two players or teams")),
        }
    }

    /// The same match under another id: a drawn one may be listed from either side. One that has no result says
    /// nothing.
    fn again(
        &mut self,
        mut game: SourceTable,
        earlier: &mut SourceTable,
        round: &str,
    ) -> Result<(), ImportError> {
        let is_turned = game.seats.first() != earlier.seats.first();
        if is_turned {
            game.seats.reverse();
            game.result.score.seats.reverse();
            game.result.rulings.reverse();
        }
        let is_same = game.result == earlier.result;
        let is_drawn = phases::winning_seat(&game.result).is_none();
        match (earlier.has_result(), game.has_result()) {
            (true, true) if !is_same => {
                let names = earlier.seats.iter().map(|seat| self.players.name(seat.player));
                let what = names.collect::<Vec<_>>().join(" against ");
                let [first, second] = [&earlier.result, &game.result].map(written);
                let (round, other) = (round.to_owned(), earlier.place.clone());
                return Err(Fault::TwoResults { what, round, first, second, other }.at(game.place));
            }
            (true, true) if is_turned && is_drawn => {}
            (has_result, _) => {
                let sentence = format!("The match at {} stands here again.", earlier.place);
                self.oddities.add(&game.place, sentence);
                if !has_result {
                    *earlier = SourceTable { table: earlier.table.or(game.table), ..game };
                }
            }
        }
        Ok(())
    }

    /// Who plays, and the games that each won.
    fn competitors(
        &mut self,
        game: &Node<'_>,
        list: &Node<'_>,
    ) -> Result<(Vec<usize>, Option<sheet::Games>), ImportError> {
        let (mut seats, mut won) = (Vec::new(), Vec::new());
        for one in list.items()? {
            let Some(team) = one.get("Team") else { continue };
            seats.push(self.team(&team)?);
            won.push(one.score_at("GameWins")?);
        }
        let drawn = game.score_at("GameDraws")?.unwrap_or(0);
        let games = match won[..] {
            [Some(first), Some(second)] => Some([first, second, drawn]),
            [Some(first)] => Some([first, 0, drawn]),
            _ => None,
        };
        Ok((seats, games))
    }

    /// Who plays, in the older answers that name both players in the match itself.
    fn named(
        &mut self,
        game: &Node<'_>,
    ) -> Result<(Vec<usize>, Option<sheet::Games>), ImportError> {
        let mut seats = Vec::new();
        for side in ["Player1", "Player2"] {
            let of = |key: &str| game.text_at(&format!("{side}{key}"));
            let username = of("Username")?;
            let Some(name) = of("")?.or(username).filter(|name| *name != "-") else { continue };
            let key = username.map_or(format!("name {name}"), |user| format!("user {user}"));
            seats.push(self.players.by_keys(&[key], name, &game.place_of(side))?);
        }
        Ok((seats, None))
    }

    fn row(&mut self, row: &Node<'_>) -> Result<(), ImportError> {
        let player = self.team(&row.need("Team")?)?;
        let missing = |what: &str| Fault::Missing { what: what.into() }.at(row.place.as_str());
        let rank = row.count_at("Rank")?.ok_or_else(|| missing("Rank"))?;
        let points_tenths = row.tenths_at("Points")?.ok_or_else(|| missing("Points"))?;
        let of = |key: &str| row.count_at(key);
        let record = match (of("MatchWins")?, of("MatchLosses")?, of("MatchDraws")?) {
            (Some(won), Some(lost), Some(drawn)) => Some([won, lost, drawn]),
            _ => row.get("MatchRecord").map(|node| node.record()).transpose()?,
        };
        let named = [
            ("OpponentMatchWinPercentage", PublishedMeasure::Omw),
            ("TeamGameWinPercentage", PublishedMeasure::Gw),
            ("OpponentGameWinPercentage", PublishedMeasure::Ogw),
        ];
        let values = row.published(&named)?;
        self.published.push(PublishedRow { rank, player, points_tenths, record, values });
        Ok(())
    }

    fn finish(
        mut self,
        mut phases: Vec<SourcePhase>,
        (title, identity, held_on): (String, String, Option<scrutineer_engine::event::Day>),
        after: Option<u16>,
    ) -> Result<Source, ImportError> {
        phases.iter_mut().for_each(|phase| check::numbers_once(&mut phase.rounds));
        let rounds: Vec<SourceRound> =
            phases.iter().flat_map(|phase| phase.rounds.clone()).collect();
        check::rounds(&self.players, &rounds)?;
        let is_open = outcome::settle(&mut phases, &mut self.oddities);
        let best_of = sheet::best_of(outcome::games(&phases));
        sheet::report(best_of, &rounds, &mut self.oddities);
        let points: Vec<(usize, i64)> =
            self.published.iter().map(|row| (row.player, row.points_tenths / 10)).collect();
        let after = after.or_else(|| phases::published_after(&phases, &points));
        let has_tables =
            rounds.iter().flat_map(|round| &round.tables).all(|table| table.table.is_some());
        let mut unknown = vec![UnknownFact::SignUpOrder, UnknownFact::Times];
        unknown.extend((!has_tables).then_some(UnknownFact::Tables));
        unknown.push(UnknownFact::KindOfBye);
        let drops = numbered::drops(&self.gone, &rounds, "StatusDescription");
        unknown.extend(drops.is_empty().then_some(UnknownFact::Drops));
        unknown.push(UnknownFact::HowItEnded);
        Ok(Source {
            platform: "melee".to_owned(),
            format: "melee json".to_owned(),
            identity,
            title,
            held_on,
            finished: !is_open && (self.has_ended || phases::is_decided(&phases, &drops)),
            scoresheet: sheet::games_sheet(best_of, outcome::games(&phases)),
            players: self.players.list,
            published_after: after.filter(|_| !self.published.is_empty()),
            phases,
            drops,
            published_digits: Platform::Melee.digits(&self.published),
            published: self.published,
            unknown,
            oddities: self.oddities.finish(),
            ..Source::default()
        })
    }
}
