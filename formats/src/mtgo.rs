//! The JSON in the pages of mtgo.com: the standings after the Swiss rounds, and the bracket that followed.

use std::collections::BTreeMap;

use super::build::{Oddities, Players, clean_name, day};
use super::deckcache::{Platform, seed};
use super::json::{Json, Node};
use super::outcome::{self, Won};
use super::source::*;
use super::{Fault, ImportError, check, limits, phases, sheet};
use scrutineer_engine::event::{How, PhaseKind, RoundWeight};

/// That JSON, alone or in its page.
pub(super) struct Mtgo;

/// Behind what it stands in a saved page.
const IN_PAGE: &str = "window.MTGO.decklists.data = ";

impl super::Format for Mtgo {
    fn name(&self) -> &'static str {
        "mtgo json"
    }

    fn detect(&self, file: &super::File) -> bool {
        let has = |word: &str| file.text.is_some_and(|text| text.contains(word));
        (file.text.is_some_and(|text| text.trim_start().starts_with('<')) && has(IN_PAGE))
            || file.has(&["tournament_cover_page_list"])
            || (file.has(&["description"]) && has("\"loginid\"") && !file.has(&["rounds"]))
    }

    fn read(&self, file: &super::File) -> Result<Source, ImportError> {
        let text = file.text()?;
        let text = match text.split_once(IN_PAGE) {
            Some((_, rest)) if text.trim_start().starts_with('<') => {
                rest.lines().next().unwrap_or_default().trim().trim_end_matches(';')
            }
            _ => text,
        };
        super::file::depth(text)?;
        read(text)
    }
}

/// What there must be.
const NEEDED: &str =
    "the bracket and the standings before it (a league and a preliminary show no matches)";

fn read(text: &str) -> Result<Source, ImportError> {
    let json = Json::read(text)?;
    let mut root = json.root();
    if let Some(list) = root.get("tournament_cover_page_list") {
        let pages = list.items()?;
        let [page] = &pages[..] else { return Err(list.bad("a list of one tournament")) };
        root = page.clone();
    }
    let brackets = root.list("brackets")?;
    let rows = root.list("standings")?;
    if brackets.is_empty() || rows.is_empty() {
        return Err(Fault::Missing { what: NEEDED.into() }.at(root.place.as_str()));
    }
    let name = root.need("description")?;
    let title = clean_name("the title", name.text()?).map_err(|fault| fault.at(name.place))?;
    let held_on = root.text_at("starttime")?.and_then(day);
    let mut reader = Reader::default();
    for row in &rows {
        reader.row(row)?;
    }
    let mut rounds = Vec::new();
    if brackets.len() > limits::ROUNDS {
        return Err(Fault::TooMany { what: "rounds", limit: limits::ROUNDS }.at("brackets"));
    }
    for bracket in &brackets {
        rounds.push(reader.round(bracket)?);
    }
    // The rounds stand in any order: the one with most matches was the first.
    rounds.sort_by_key(|round| std::cmp::Reverse(round.tables.len() + round.byes.len()));
    check::rounds(&reader.players, &rounds)?;
    let mut cut = phases::phase(PhaseKind::Elimination, rounds);
    let published = std::mem::take(&mut reader.published);
    seed(&mut cut, &published);
    let places = reader.places(&root.list("final_rank")?, &cut)?;
    let entrants = published.iter().map(|row| row.player).collect();
    let swiss = SourcePhase { kind: PhaseKind::Swiss, entrants, seeded: false, rounds: Vec::new() };
    let mut phases = vec![swiss, cut];
    let is_open = outcome::settle(&mut phases, &mut reader.oddities);
    let best_of = sheet::best_of(outcome::games(&phases));
    let id = root.word_at("event_id")?.unwrap_or(&title).to_owned();
    Ok(Source {
        platform: "mtgo".to_owned(),
        format: "mtgo json".to_owned(),
        identity: format!("mtgo event {id}"),
        title,
        held_on,
        finished: !is_open,
        scoresheet: sheet::games_sheet(best_of, outcome::games(&phases)),
        players: reader.players.list,
        phases,
        published_after: Some(0),
        published_digits: Platform::Mtgo.digits(&published),
        published,
        places,
        unknown: Platform::Mtgo.unknown(),
        oddities: reader.oddities.finish(),
        ..Source::default()
    })
}

#[derive(Default)]
struct Reader {
    players: Players,
    oddities: Oddities,
    published: Vec<PublishedRow>,
}

impl Reader {
    fn player(&mut self, node: &Node<'_>, name: &str) -> Result<usize, ImportError> {
        let name = node.need(name)?.text()?;
        let id = node.word_at("loginid")?;
        let key = id.map_or_else(|| format!("name {name}"), |id| format!("id {id}"));
        self.players.by_keys(&[key], name, &node.place)
    }

    fn row(&mut self, row: &Node<'_>) -> Result<(), ImportError> {
        let player = self.player(row, "login_name")?;
        let missing = |what: &str| Fault::Missing { what: what.into() }.at(row.place.as_str());
        let rank = row.count_at("rank")?.ok_or_else(|| missing("rank"))?;
        let points_tenths = row.tenths_at("score")?.ok_or_else(|| missing("score"))?;
        let values = row.published(&[
            ("opponentmatchwinpercentage", PublishedMeasure::Omw),
            ("gamewinpercentage", PublishedMeasure::Gw),
            ("opponentgamewinpercentage", PublishedMeasure::Ogw),
        ])?;
        if self.published.iter().any(|other| other.player == player) {
            self.oddities.add(&row.place, "The player stands in the standings already.");
            return Ok(());
        }
        self.published.push(PublishedRow { rank, player, points_tenths, record: None, values });
        Ok(())
    }

    fn round(&mut self, bracket: &Node<'_>) -> Result<SourceRound, ImportError> {
        let (mut tables, byes) = (Vec::new(), Vec::new());
        for game in bracket.list("matches")? {
            let sides = game.need("players")?.items()?;
            let [first, second] = &sides[..] else {
                return Err(game.need("players")?.bad("two players"));
            };
            let players = [self.player(first, "player")?, self.player(second, "player")?];
            let won = match (first.is("winner")?, second.is("winner")?) {
                (true, false) => Some(Won::Seat(0)),
                (false, true) => Some(Won::Seat(1)),
                _ => None,
            };
            let games =
                [first.score_at("wins")?.unwrap_or(0), second.score_at("wins")?.unwrap_or(0), 0];
            let result = match (won, games == [0; 3]) {
                (None, true) => outcome::open(),
                (won, _) => outcome::result(Some(games), won, How::Unknown),
            };
            let seats = players.map(|player| SourceSeat { player, role: 0 }).to_vec();
            tables.push(SourceTable { table: None, seats, result, place: game.place.clone() });
        }
        let name = match tables.len() {
            1 => "Finals".to_owned(),
            2 => "Semifinals".to_owned(),
            4 => "Quarterfinals".to_owned(),
            tables => format!("Round of {}", 2 * tables),
        };
        Ok(SourceRound { name, weight: RoundWeight::ONE, tables, byes })
    }

    /// The final places of those who were in the bracket.
    fn places(
        &self,
        ranks: &[Node<'_>],
        cut: &SourcePhase,
    ) -> Result<Vec<SourcePlace>, ImportError> {
        let mut places = BTreeMap::new();
        for node in ranks {
            let Some(id) = node.word_at("loginid")? else { continue };
            let player = self.players.known(&format!("id {id}"));
            let Some(player) = player.filter(|player| cut.entrants.contains(player)) else {
                continue;
            };
            if let Some(place) = node.count_at("rank")?.filter(|place| *place > 0) {
                places.entry(player).or_insert(place);
            }
        }
        Ok(places.into_iter().map(|(player, place)| SourcePlace { player, place }).collect())
    }
}
