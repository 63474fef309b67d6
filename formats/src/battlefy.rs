//! The JSON of Battlefy's own answers: a tournament with its stages, each with its matches.

use std::collections::{BTreeMap, BTreeSet};

use super::bracket::{self, Game, Side};
use super::build::{Oddities, Players, clean_name, day};
use super::json::{Json, Node};
use super::outcome::{self, Won};
use super::source::*;
use super::{Fault, ImportError, check, limits, numbered, phases, sheet};
use scrutineer_engine::event::{How, MatchResult, PhaseKind, UnknownFact};

/// That JSON.
pub(super) struct Battlefy;

impl super::Format for Battlefy {
    fn name(&self) -> &'static str {
        "battlefy json"
    }

    fn detect(&self, file: &super::File) -> bool {
        file.has(&["stageIDs", "stages"])
            || file.lists(&["stageIDs", "stages"])
            || (file.has(&["tournament", "stages"]) && !file.has(&["event"]))
    }

    fn read(&self, file: &super::File) -> Result<Source, ImportError> {
        read(file.text()?)
    }
}

/// A stage, or several that were played beside each other.
struct Stage {
    names: Vec<String>,
    kind: PhaseKind,
    games: Vec<Game>,
    seeds: BTreeMap<usize, i64>,
    planned: Option<u16>,
    /// Whether any match of it is listed, be it one that nobody is in yet.
    is_listed: bool,
    /// Where its matches would stand, though it was begun or has some.
    lacks: Option<String>,
}

/// How matches are put together that were asked for apart.
const TOGETHER: &str = "the list of the matches of a stage (as {\"tournament\": {..}, \"stages\": [..], \
                        \"matches\": [..]})";

fn read(text: &str) -> Result<Source, ImportError> {
    let json = Json::read(text)?;
    let mut root = json.root();
    if root.is_list() {
        let mut all = root.items()?;
        if all.len() > 1 {
            return Err(Fault::TooMany { what: "tournament", limit: 1 }.into());
        }
        root = all.pop().ok_or(Fault::Empty)?;
    }
    let tournament = root.get("tournament").unwrap_or_else(|| root.clone());
    let name = tournament.need("name")?;
    let title = clean_name("the title", name.text()?).map_err(|fault| fault.at(name.place))?;
    let held_on = tournament.text_at("startTime")?.and_then(day);
    let id = tournament.any(&["_id", "id"]);
    let id = id.map_or(Ok(title.as_str()), |id| id.word())?.to_owned();
    let mut reader = Reader::default();
    for team in root.list("teams")?.iter().chain(&tournament.list("teams")?) {
        if let (Some(id), Some(name)) = (team.word_at("_id")?, team.text_at("name")?) {
            reader.names.insert(id.to_owned(), name.to_owned());
            if let Some(players) = team.any(&["playerIDs", "players"]).filter(Node::is_list)
                && !players.items()?.is_empty()
            {
                reader.peopled.insert(id.to_owned());
            }
        }
    }
    let mut stages = reader.stages(&root, &tournament)?;
    let planned = stages.first().and_then(|stage| stage.planned);
    let is_swiss = stages.iter().any(|stage| stage.kind == PhaseKind::Swiss);
    let is_started = stages.iter().all(|stage| !stage.games.is_empty());
    stages.retain(|stage| !stage.games.is_empty());
    let count = stages.len();
    let (mut read, mut lacks_rounds) = (Vec::new(), false);
    for (at, stage) in stages.into_iter().enumerate() {
        let rounds = stage.planned.filter(|_| stage.kind == PhaseKind::Swiss).unwrap_or(0);
        let phase = reader.phase(stage, at + 1 == count)?;
        // What comes after Swiss rounds says that they are over, however many were planned.
        lacks_rounds = phase.rounds.len() < usize::from(rounds);
        read.push(phase);
    }
    let rounds: Vec<SourceRound> = read.iter().flat_map(|phase| phase.rounds.clone()).collect();
    if !rounds.is_empty() {
        check::rounds(&reader.players, &rounds)?;
    }
    let is_open = outcome::settle(&mut read, &mut reader.oddities);
    let best_of = reader.best_of().or_else(|| sheet::best_of(outcome::games(&read)));
    let scoresheet = sheet::games_sheet(best_of, outcome::games(&read));
    sheet::report(best_of, &rounds, &mut reader.oddities);
    Ok(Source {
        platform: "battlefy".to_owned(),
        rules: is_swiss.then(|| "battlefy".to_owned()),
        format: "battlefy json".to_owned(),
        identity: format!("battlefy {id}"),
        title,
        held_on,
        planned_rounds: planned,
        finished: !read.is_empty() && is_started && !is_open && !lacks_rounds,
        scoresheet,
        players: reader.players.list,
        phases: read,
        unknown: unknown(),
        oddities: reader.oddities.finish(),
        ..Source::default()
    })
}

fn unknown() -> Vec<UnknownFact> {
    use UnknownFact::*;
    vec![SignUpOrder, Times, Tables, KindOfBye, Drops, HowItEnded]
}

#[derive(Default)]
struct Reader {
    players: Players,
    oddities: Oddities,
    /// Names of teams that stand apart from the matches.
    names: BTreeMap<String, String>,
    /// How many games the series of all stages have.
    lengths: BTreeSet<i64>,
    /// Teams of which the list of teams names players.
    peopled: BTreeSet<String>,
    /// Teams that stand for nobody.
    nobody: BTreeSet<String>,
}

impl Reader {
    /// Best of how many games, where all series say the same.
    fn best_of(&self) -> Option<u8> {
        match self.lengths.iter().collect::<Vec<_>>()[..] {
            [length] => u8::try_from(*length).ok().filter(|length| length % 2 == 1 && *length < 64),
            _ => None,
        }
    }

    fn stages(
        &mut self,
        root: &Node<'_>,
        tournament: &Node<'_>,
    ) -> Result<Vec<Stage>, ImportError> {
        let mut apart: BTreeMap<String, Vec<Node<'_>>> = BTreeMap::new();
        for game in root.list("matches")? {
            let stage = game.need("stageID")?.word()?.to_owned();
            apart.entry(stage).or_default().push(game);
        }
        let mut stages: Vec<Stage> = Vec::new();
        let mut listed = root.need("stages").or_else(|_| tournament.need("stages"))?.items()?;
        let order = order_of(tournament)?;
        let place = |node: &Node<'_>| order.get(id_of(node).ok()??).copied();
        if listed.iter().all(|node| place(node).is_some()) {
            listed.sort_by_key(place);
        }
        for node in listed {
            let mut games = node.list("matches")?;
            let id = id_of(&node)?;
            games.extend(id.and_then(|id| apart.remove(id)).unwrap_or_default());
            if games.is_empty() {
                for group in node.list("groups")? {
                    games.extend(group.list("matches")?);
                }
            }
            if games.len() > limits::TABLES {
                return Err(
                    Fault::TooMany { what: "matches", limit: limits::TABLES }.at(node.place)
                );
            }
            let stage = self.stage(&node, games)?;
            match stages.last_mut().filter(|before| is_beside(before, &stage)) {
                Some(before) => {
                    before.names.extend(stage.names);
                    before.planned = before.planned.max(stage.planned);
                    before.games.extend(stage.games);
                    before.seeds.clear();
                }
                None => stages.push(stage),
            }
        }
        if let Some((stage, _)) = apart.first_key_value() {
            let (what, found) = ("stageID".into(), super::error::shortened(stage));
            let expected = "the _id of one of the stages".into();
            return Err(Fault::BadValue { what, found, expected }.at("matches"));
        }
        self.refuse_without_matches(&stages)?;
        for stage in stages.iter().filter(|stage| stage.names.len() > 1) {
            let sentence = format!("{} were played beside each other.", stage.names.join(", "));
            self.oddities.add("stages", sentence + " They are read as one phase.");
        }
        Ok(stages)
    }

    fn stage(&mut self, node: &Node<'_>, games: Vec<Node<'_>>) -> Result<Stage, ImportError> {
        let bracket = node.get("bracket");
        let word = |key: &str| {
            bracket
                .as_ref()
                .map_or(Ok(None), |bracket| bracket.text_at(key))
                .map(|text| text.unwrap_or(""))
        };
        let kind = match (word("type")?, word("style")?) {
            ("swiss" | "custom", _) => PhaseKind::Swiss,
            ("roundrobin", _) => PhaseKind::RoundRobin,
            ("elimination" | "", "double") => PhaseKind::DoubleElimination,
            ("elimination" | "", "single" | "") => PhaseKind::Elimination,
            (_, _) => {
                let bracket = node.need("bracket")?;
                let at = if word("type")? == "elimination" { "style" } else { "type" };
                return Err(bracket
                    .need(at)?
                    .bad("elimination (single, double), swiss or roundrobin"));
            }
        };
        if let Some(bracket) = &bracket {
            for series in bracket.list("series")? {
                self.lengths.extend(series.whole_at("numGames")?);
            }
        }
        let rounds = bracket.as_ref().map_or(Ok(None), |one| one.count_at("roundsCount"))?;
        let name = node.text_at("name")?.unwrap_or("A stage").to_owned();
        let planned = rounds.and_then(|rounds| u16::try_from(rounds).ok());
        let planned =
            planned.filter(|rounds| !kind.is_bracket() && usize::from(*rounds) <= limits::ROUNDS);
        let mut stage = Stage {
            names: vec![super::error::shortened(&name)],
            kind,
            games: Vec::new(),
            seeds: BTreeMap::new(),
            planned,
            is_listed: !games.is_empty(),
            lacks: (games.is_empty() && has_matches(node)?).then(|| node.place.clone()),
        };
        let mut numbers = BTreeSet::new();
        for game in games {
            numbers.insert((0, game.need("roundNumber")?.whole()?));
            self.game(&game, &mut stage)?;
        }
        if word("type")? == "swiss" {
            numbered::refuse_gaps(numbers, &node.place, "the matches of every round of a stage")?;
        }
        Ok(stage)
    }

    /// Refuses a stage without its matches, but behind the others: what was played there is not known then, which is
    /// told.
    fn refuse_without_matches(&mut self, stages: &[Stage]) -> Result<(), ImportError> {
        let last = stages.iter().rposition(|stage| stage.is_listed);
        for (at, stage) in stages.iter().enumerate() {
            let Some(place) = &stage.lacks else { continue };
            if last.is_none_or(|last| at < last) {
                return Err(Fault::Missing { what: TOGETHER.into() }.at(place.as_str()));
            }
            let sentence = format!(
                "The matches of {:?} are not in the file: what was played there is not known.",
                stage.names.join(", ")
            );
            self.oddities.add(place, sentence);
        }
        Ok(())
    }

    fn game(&mut self, game: &Node<'_>, stage: &mut Stage) -> Result<(), ImportError> {
        let round = game.need("roundNumber")?.whole()?;
        let side = match game.text_at("matchType")? {
            Some("loser") => Side::Losers,
            _ if game.is("inConsolationBracket")? => match stage.kind {
                PhaseKind::DoubleElimination => Side::Losers,
                _ => Side::Beside,
            },
            _ => Side::Winners,
        };
        let (mut players, mut scores, mut winner, mut gone) = (Vec::new(), Vec::new(), None, None);
        let mut is_bye = game.is("isBye")?;
        for (at, key) in ["top", "bottom"].into_iter().enumerate() {
            let Some(node) = game.get(key) else { continue };
            match self.team(&node)? {
                Team::Nobody => {}
                Team::Bye => is_bye = true,
                Team::Player(player) => {
                    players.push(player);
                    scores.push(node.score_at("score")?);
                    if let Some(seed) = node.whole_at("seedNumber")? {
                        stage.seeds.entry(player).or_insert(seed);
                    }
                }
            }
            if node.is("winner")? && winner.replace(at).is_some() {
                return Err(node.need("winner")?.bad("one winner of a match"));
            }
            if node.is("disqualified")? {
                gone = Some(at);
            }
        }
        let is_over = game.is("isComplete")? || winner.is_some() || game.is("doubleLoss")?;
        let place = game.place.clone();
        match players[..] {
            // A feeder is open, or a reset was not needed.
            [] => Ok(()),
            [_] if !is_bye && !is_over => Ok(()),
            [_] => {
                stage.games.push(Game::new((side, round), players, outcome::open(), place));
                Ok(())
            }
            _ => {
                let scores = match scores[..] {
                    [Some(first), Some(second)] => Some([first, second]),
                    _ => None,
                };
                let result = match is_over {
                    true => self.result(game, stage.kind, scores, winner, gone)?,
                    false => self.running(scores, &place),
                };
                stage.games.push(Game::new((side, round), players, result, place));
                Ok(())
            }
        }
    }

    fn running(&mut self, scores: Option<[i32; 2]>, place: &str) -> MatchResult {
        if let Some([first, second]) = scores.filter(|scores| *scores != [0, 0]) {
            let sentence =
                format!("The match is still being played; its score {first}-{second} is left out.");
            self.oddities.add(place, sentence);
        }
        outcome::open()
    }

    fn result(
        &mut self,
        game: &Node<'_>,
        kind: PhaseKind,
        scores: Option<[i32; 2]>,
        winner: Option<usize>,
        gone: Option<usize>,
    ) -> Result<MatchResult, ImportError> {
        let games = scores.map(|[first, second]| [first, second, 0]);
        if let Some([first, second]) = scores.filter(|scores| scores.iter().any(|score| *score < 0))
        {
            let sentence = format!("The score {first}-{second} is left out; the winner is taken.");
            self.oddities.add(&game.place, sentence);
        }
        let games = games.filter(|games| games.iter().all(|games| *games >= 0));
        let won = match (winner, gone) {
            _ if game.is("doubleLoss")? => Some(Won::BothLost),
            (Some(seat), _) => Some(Won::Seat(seat)),
            (None, Some(seat)) => Some(Won::Seat(1 - seat)),
            (None, None) if !kind.is_bracket() => games.is_none().then_some(Won::Draw),
            (None, None) => None,
        };
        let was_played = games.is_some_and(|games| games != [0; 3]);
        let how = if gone.is_some() && !was_played { How::Forfeit } else { How::Unknown };
        Ok(outcome::result(games, won, how))
    }

    fn team(&mut self, side: &Node<'_>) -> Result<Team, ImportError> {
        let team = side.get("team");
        let id = match &team {
            Some(team) => team.word_at("_id")?.or(side.word_at("teamID")?),
            None => side.word_at("teamID")?,
        };
        let Some(id) = id else { return Ok(Team::Nobody) };
        let own = team.as_ref().map_or(Ok(None), |team| team.text_at("name"))?;
        let name = own.map(str::to_owned).or_else(|| self.names.get(id).cloned());
        let players = team.as_ref().and_then(|team| team.get("playerIDs"));
        let is_empty = match players {
            Some(ids) => ids.items()?.is_empty(),
            None => !self.peopled.contains(id),
        };
        if is_empty && name.as_deref().is_some_and(is_bye) {
            if self.nobody.insert(id.to_owned()) {
                let name = super::error::shortened(name.as_deref().unwrap_or_default());
                let sentence = format!("{name:?} has no players: who meets it has a bye.");
                self.oddities.add(&side.place, sentence);
            }
            return Ok(Team::Bye);
        }
        if let Some(player) = self.players.known(id) {
            return Ok(Team::Player(player));
        }
        if name.is_none() {
            self.oddities.add(&side.place, "The team has no name here; its id stands for it.");
        }
        let name = name.unwrap_or_else(|| id.to_owned());
        self.players.add(id, &name, &side.place).map(Team::Player)
    }

    /// The stage as a phase. What an earlier bracket left open was not needed for what came after. A match of Swiss
    /// rounds or a round robin stays, since it stood in its round while the stage ran.
    fn phase(&mut self, mut stage: Stage, is_last: bool) -> Result<SourcePhase, ImportError> {
        if !is_last && stage.kind.is_bracket() {
            let oddities = &mut self.oddities;
            stage.games.retain(|game| {
                let is_open = game.players.len() > 1 && game.result == outcome::open();
                if is_open {
                    oddities.add(&game.place, "The match was not played; a later stage has begun.");
                }
                !is_open
            });
        }
        let rounds = match stage.kind.is_bracket() {
            true => bracket::rounds(stage.games, !is_last, &mut self.oddities)?,
            false => numbered::rounds(stage.games)?,
        };
        let mut phase = phases::phase(stage.kind, rounds);
        phase.seeded = !phase.entrants.is_empty()
            && phase.entrants.iter().all(|player| stage.seeds.contains_key(player));
        if phase.seeded {
            phase.entrants.sort_by_key(|player| stage.seeds.get(player).copied());
        }
        Ok(phase)
    }
}

/// Whether a stage says that it was begun, or that it has matches.
fn has_matches(stage: &Node<'_>) -> Result<bool, ImportError> {
    let ids = stage.get("matchIDs").filter(Node::is_list);
    let has_ids = !ids.map_or(Ok(Vec::new()), |ids| ids.items())?.is_empty();
    Ok(has_ids || stage.is("hasStarted")? || stage.get("startedAt").is_some())
}

/// A stage's id.
fn id_of<'a>(stage: &Node<'a>) -> Result<Option<&'a str>, ImportError> {
    stage.any(&["_id", "id"]).map(|id| id.word()).transpose()
}

/// The place of each stage in the order in which they are played, as the tournament says it.
fn order_of<'a>(tournament: &Node<'a>) -> Result<BTreeMap<&'a str, usize>, ImportError> {
    let listed = tournament.get("stageIDs").filter(Node::is_list);
    let ids = listed.map_or(Ok(Vec::new()), |ids| ids.items())?;
    let placed = ids.iter().enumerate();
    Ok(placed.filter_map(|(at, id)| Some((id.word().ok()?, at))).collect())
}

/// Who stands on a side of a match.
enum Team {
    /// Nobody yet.
    Nobody,
    /// A team that stands for a bye.
    Bye,
    Player(usize),
}

/// Whether the name of a team without players says that it is none, such as `BYE` or `BYE A`.
fn is_bye(name: &str) -> bool {
    let mut words = name.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    words.next().is_some_and(|word| word.eq_ignore_ascii_case("bye"))
}

/// Whether two stages were played beside each other, as groups are: alike, and nobody was in both.
fn is_beside(before: &Stage, stage: &Stage) -> bool {
    let players = |stage: &Stage| -> BTreeSet<usize> {
        stage.games.iter().flat_map(|game| game.players.iter().copied()).collect()
    };
    let (here, there) = (players(stage), players(before));
    before.kind == stage.kind && !here.is_empty() && !there.is_empty() && here.is_disjoint(&there)
}
