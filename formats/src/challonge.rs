//! The JSON of Challonge's own answers: version 1, in which every object is wrapped in its name, 2.1, and the bracket
//! that its pages show.

mod fields;
mod public;
mod write;

use std::collections::{BTreeMap, BTreeSet};

use super::bracket::{self, Game, Side, Waiting};
use super::build::{self, Oddities, Players, clean_name};
use super::json::{Json, Node};
use super::outcome::{self, Won};
use super::sheet::{self, Games};
use super::source::*;
use super::{Fault, File, ImportError, WriteError, Written, check, limits, numbered, phases};
use fields::{Entry, entries, held_on, scores};
use scrutineer_engine::event::{How, PhaseKind, UnknownFact};

/// That JSON.
pub(super) struct Challonge;

impl super::Format for Challonge {
    fn name(&self) -> &'static str {
        "challonge json"
    }

    fn detect(&self, file: &File) -> bool {
        let is_whole = file.has(&["tournament"])
            || file.has(&["data"])
            || file.has(&["participants", "matches"])
            || file.has(&["id", "name", "tournament_type"]);
        list_of(file).is_some() || (is_whole && says_kind(file))
    }

    fn part(&self, file: &File) -> Option<super::Part> {
        if let Some(list) = list_of(file) {
            return Some(super::Part::many(list));
        }
        let has = |word: &str| file.text.is_some_and(|text| text.contains(word));
        // Version 1 may bring all along inside of the tournament, 2.1 behind it.
        let is_whole = match file.has(&["data"]) {
            true => has_type(file, "participant"),
            false => has("\"participants\"") && has("\"matches\""),
        };
        let is_one = file.keys == ["tournament"]
            || file.has(&["data"])
            || file.has(&["id", "name", "tournament_type"]);
        (is_one && !is_whole && self.detect(file)).then(|| super::Part::one("tournament"))
    }

    fn read(&self, file: &File) -> Result<Source, ImportError> {
        read(file.name, file.text()?)
    }

    fn write(&self, source: &Source, _: Option<&File>) -> Option<Result<Written, WriteError>> {
        Some(write::write(source))
    }
}

/// What stands before the rounds in which somebody was not paired, in the field that Challonge leaves to programs.
const ABSENT: &str = "not paired in rounds ";

/// Whether a file says how the tournament is played.
fn says_kind(file: &File) -> bool {
    let has = |word: &str| file.text.is_some_and(|text| text.contains(word));
    has("\"tournament_type\"") || has("\"tournamentType\"")
}

/// Whether a file of version 2.1 has objects of a type.
fn has_type(file: &File, of: &str) -> bool {
    let has = |word: &str| file.text.is_some_and(|text| text.contains(word));
    [of, &format!("{of}s")]
        .iter()
        .any(|of| has(&format!("\"type\":\"{of}\"")) || has(&format!("\"type\": \"{of}\"")))
}

/// Whether a file is a list of participants or of matches, each wrapped in its name or not.
fn list_of(file: &File) -> Option<&'static str> {
    let is_data = file.has(&["data"]) && !says_kind(file);
    if file.item_keys == ["match"]
        || file.lists(&["player1_id", "player2_id", "scores_csv"])
        || is_data && has_type(file, "match")
    {
        Some("matches")
    } else if file.item_keys == ["participant"]
        || file.lists(&["id", "tournament_id", "seed"])
        || is_data && has_type(file, "participant")
    {
        Some("participants")
    } else {
        None
    }
}

/// How the parts of a tournament are put together where they were asked for apart.
const TOGETHER: &str = "the tournament, its participants or its matches (as {\"tournament\": .., \
                        \"participants\": [..], \"matches\": [..]})";

fn read(file: &str, text: &str) -> Result<Source, ImportError> {
    let json = Json::read(text)?;
    let root = json.root();
    if root.is_list() {
        return Err(Fault::Missing { what: TOGETHER.into() }.into());
    }
    let whole = root.any(&["tournament", "data"]).unwrap_or_else(|| root.clone());
    let tournament = Entry::of(whole, "tournament")?;
    let title = title(&tournament, file, &root)?;
    let id = tournament.id.or(tournament.fields.text_at("url")?).unwrap_or(&title).to_owned();
    let held_on = held_on(&tournament)?;
    let state = tournament.text(&["state"])?.unwrap_or("complete");
    let mut reader = Reader { is_over: state == "complete", ..Reader::default() };
    let matches = reader.listed(&root, &tournament)?;
    if matches.len() > limits::TABLES {
        return Err(Fault::TooMany { what: "matches", limit: limits::TABLES }.at("matches"));
    }
    let kind = kind(&tournament)?;
    let mut phases = reader.phases(&matches, kind, kind_of_groups(&root, &tournament)?)?;
    let rounds: Vec<SourceRound> = phases.iter().flat_map(|phase| phase.rounds.clone()).collect();
    if !rounds.is_empty() {
        check::rounds(&reader.players, &rounds)?;
    }
    let is_open = outcome::settle(&mut phases, &mut reader.oddities);
    let best_of = sheet::best_of(outcome::games(&phases));
    let drops = reader.drops(&rounds, &phases);
    if !drops.is_empty() {
        let sentence = format!(
            "Not active any more: {}. The file says neither when they left nor why: they are read as having left \
             after their last match, by their own wish.",
            drops.len()
        );
        reader.oddities.add("participants", sentence);
    }
    check::drops(&reader.players, &rounds, &drops, true)?;
    let swiss_rounds = match tournament.fields.get("swiss_options") {
        Some(options) => options.whole_at("rounds")?,
        None => tournament.fields.whole_at("swiss_rounds")?,
    };
    let planned = swiss_rounds.and_then(|rounds| u16::try_from(rounds).ok());
    let planned = planned.filter(|rounds| {
        kind == PhaseKind::Swiss && (1..=limits::ROUNDS).contains(&usize::from(*rounds))
    });
    Ok(Source {
        platform: "challonge".to_owned(),
        format: "challonge json".to_owned(),
        identity: format!("challonge {id}"),
        title,
        held_on,
        planned_rounds: planned,
        finished: reader.is_over && !is_open && !rounds.is_empty(),
        scoresheet: sheet::games_sheet(best_of, outcome::games(&phases)),
        players: reader.players.list,
        phases,
        drops,
        places: reader.places,
        unknown: {
            use UnknownFact::*;
            vec![SignUpOrder, Times, Tables, KindOfBye, HowItEnded]
        },
        oddities: reader.oddities.finish(),
        ..Source::default()
    })
}

/// The title. The bracket of a page may have none: there it stands beside it in the page.
fn title(tournament: &Entry<'_>, file: &str, root: &Node<'_>) -> Result<String, ImportError> {
    let name = tournament.fields.text_at("name").ok().flatten();
    if name.is_none() && root.get("matches_by_round").is_some() {
        return Ok(clean_name("the title", &build::stem(file))?);
    }
    let name = tournament.fields.need("name")?;
    clean_name("the title", name.text()?).map_err(|fault| fault.at(name.place))
}

fn kind(tournament: &Entry<'_>) -> Result<PhaseKind, ImportError> {
    let node = tournament.fields.any(&["tournament_type", "tournamentType"]);
    let Some(node) = node else {
        return tournament.fields.need("tournament_type").map(|_| PhaseKind::Swiss);
    };
    let expected = "single elimination, double elimination, round robin or swiss";
    kind_called(node.text()?).ok_or_else(|| node.bad(expected))
}

/// What a kind is called; of a page what draws it, such as `SingleEliminationPlotter`.
fn kind_called(word: &str) -> Option<PhaseKind> {
    let word = word.trim().to_lowercase().replace(['_', ' '], "");
    match word.strip_suffix("plotter").unwrap_or(&word) {
        "swiss" => Some(PhaseKind::Swiss),
        "roundrobin" => Some(PhaseKind::RoundRobin),
        "singleelimination" => Some(PhaseKind::Elimination),
        "doubleelimination" => Some(PhaseKind::DoubleElimination),
        _ => None,
    }
}

/// How groups are played, where the file says that.
fn kind_of_groups(
    root: &Node<'_>,
    tournament: &Entry<'_>,
) -> Result<Option<PhaseKind>, ImportError> {
    let options = tournament.fields.get("group_stage_options");
    let said = options.and_then(|options| options.get("stage_type"));
    let groups = public::groups(root)?;
    let of_group = |group: &Node<'_>| {
        let own = group.get("tournament").and_then(|own| own.get("tournament_type"));
        let word = own.or_else(|| group.get("requested_plotter"))?;
        kind_called(word.text().ok()?)
    };
    let said = said.and_then(|said| kind_called(said.text().ok()?));
    Ok(said.or_else(|| groups.first().and_then(of_group)))
}

#[derive(Default)]
struct Reader {
    players: Players,
    oddities: Oddities,
    /// Everybody by their id, and by those that they have in groups.
    by_id: BTreeMap<String, usize>,
    seeds: BTreeMap<usize, i64>,
    places: Vec<SourcePlace>,
    gone: BTreeSet<usize>,
    /// Who was not paired, and in which round from 1, as files of this program say.
    absent: BTreeSet<(usize, usize)>,
    /// Whether the tournament is over.
    is_over: bool,
}

impl Reader {
    /// The matches, after everybody was read who takes part.
    fn listed<'a>(
        &mut self,
        root: &Node<'a>,
        tournament: &Entry<'a>,
    ) -> Result<Vec<Entry<'a>>, ImportError> {
        let participants =
            entries(root, tournament, "participants", "participant", &mut self.oddities)?;
        let matches = entries(root, tournament, "matches", "match", &mut self.oddities)?;
        if let (Some(participants), Some(matches)) = (participants, matches) {
            for participant in &participants {
                self.participant(participant)?;
            }
            return Ok(matches);
        }
        let Some(bracket) = public::bracket(root)? else {
            return Err(Fault::Missing { what: TOGETHER.into() }.into());
        };
        for person in &bracket.people {
            let player = self.participant(&person.entry)?;
            self.by_id.extend(person.ids.iter().map(|id| ((*id).to_owned(), player)));
        }
        if !bracket.is_seeded {
            self.seeds.clear();
        }
        Ok(bracket.matches)
    }

    fn participant(&mut self, entry: &Entry<'_>) -> Result<usize, ImportError> {
        let place = entry.fields.place.clone();
        let Some(id) = entry.id else { return Err(Fault::Missing { what: "id".into() }.at(place)) };
        let name = entry.text(&["name", "display_name", "username", "challonge_username"])?;
        let name = name.ok_or_else(|| Fault::Missing { what: "name".into() }.at(place.as_str()))?;
        let player = self.players.add(id, name, &place)?;
        let groups = entry.fields.list("group_player_ids")?;
        let groups = groups.iter().map(|id| id.word()).collect::<Result<Vec<_>, _>>()?;
        for id in groups.into_iter().chain([id]) {
            let other = self.by_id.insert(id.to_owned(), player).filter(|other| *other != player);
            if let Some(other) = other {
                let (round, other) = ("the list of participants".into(), self.players.name(other));
                let player = id.to_owned();
                return Err(Fault::TwiceInRound { player, round, other }.at(place));
            }
        }
        if let Some(seed) = entry.fields.whole_at("seed")? {
            self.seeds.insert(player, seed);
        }
        if let Some(rank) = entry.fields.count_at("final_rank")?.filter(|rank| *rank > 0) {
            self.places.push(SourcePlace { player, place: rank });
        }
        let states = entry.fields.get("states").unwrap_or_else(|| entry.fields.clone());
        if states.get("active").is_some() && !states.is("active")? {
            self.gone.insert(player);
        }
        let absent = entry.text(&["misc"]).ok().flatten().and_then(|own| own.strip_prefix(ABSENT));
        let rounds = absent.into_iter().flat_map(|rounds| rounds.split(", "));
        self.absent.extend(rounds.filter_map(|round| Some((player, round.parse::<usize>().ok()?))));
        Ok(player)
    }

    fn player(&self, id: &str, place: &str) -> Result<usize, ImportError> {
        let player = self.by_id.get(id).copied();
        player.ok_or_else(|| Fault::UnknownPlayer { name: super::error::shortened(id) }.at(place))
    }

    fn phases(
        &mut self,
        matches: &[Entry<'_>],
        kind: PhaseKind,
        kind_of_groups: Option<PhaseKind>,
    ) -> Result<Vec<SourcePhase>, ImportError> {
        let said = kind_of_groups.unwrap_or(PhaseKind::RoundRobin);
        let (mut groups, mut of_groups, mut last) = (Vec::new(), Vec::new(), Vec::new());
        let (mut waiting_in_groups, mut waiting) = (Vec::new(), Vec::new());
        for entry in matches {
            let group = entry.group()?;
            let game = self.game(entry, if group.is_some() { said } else { kind })?;
            if game.is_none() {
                let waiting = if group.is_some() { &mut waiting_in_groups } else { &mut waiting };
                waiting.extend(self.waiting(entry)?);
            }
            match (group, game) {
                (Some(group), Some(game)) => {
                    groups.push(group);
                    of_groups.push(game);
                }
                (_, game) => last.extend(game),
            }
        }
        let mut phases = Vec::new();
        if !of_groups.is_empty() {
            let is_double = of_groups.iter().any(|game| game.side == Side::Losers);
            let kind = if is_double { PhaseKind::DoubleElimination } else { said };
            if kind == PhaseKind::DoubleElimination {
                // Each group has a final of its own.
                let mut by_group: BTreeMap<&str, Vec<&mut Game>> = BTreeMap::new();
                for (group, game) in groups.iter().zip(&mut of_groups) {
                    by_group.entry(group).or_default().push(game);
                }
                by_group.into_values().for_each(part_finals);
            }
            let is_over = self.is_over || !last.is_empty();
            phases.push(self.phase((of_groups, &waiting_in_groups, is_over), kind, true)?);
        }
        if !last.is_empty() || phases.is_empty() {
            let seeded = phases.is_empty();
            if kind == PhaseKind::DoubleElimination {
                part_finals(last.iter_mut().collect());
            }
            let is_over = self.is_over;
            phases.push(self.phase((last, &waiting, is_over), kind, seeded)?);
        }
        Ok(phases)
    }

    fn phase(
        &mut self,
        (games, waiting, is_over): (Vec<Game>, &[Waiting], bool),
        kind: PhaseKind,
        is_first: bool,
    ) -> Result<SourcePhase, ImportError> {
        let mut phase = if kind.is_bracket() {
            let rounds = bracket::rounds_with(games, waiting, is_over, &mut self.oddities)?;
            phases::phase(kind, rounds)
        } else {
            numbered::refuse_gaps(games.iter().map(|game| (0, game.round)), "matches", "")?;
            let mut rounds = numbered::rounds(games)?;
            if kind == PhaseKind::Swiss {
                let here = |player: usize| !self.gone.contains(&player);
                let absent = |player, round| self.absent.contains(&(player, round));
                let players = self.players.list.len();
                numbered::add_byes(&mut rounds, players, &here, &absent, &mut self.oddities);
            }
            phases::phase(kind, rounds)
        };
        if is_first {
            let listed: BTreeSet<usize> = phase.entrants.iter().copied().collect();
            phase.entrants.extend((0..self.players.list.len()).filter(|one| !listed.contains(one)));
            phase.seeded = phase.entrants.iter().all(|player| self.seeds.contains_key(player));
            if phase.seeded {
                phase.entrants.sort_by_key(|player| self.seeds.get(player).copied());
            }
        }
        Ok(phase)
    }

    /// Who waits in a match of the second round for who wins one of the first.
    fn waiting(&self, entry: &Entry<'_>) -> Result<Option<Waiting>, ImportError> {
        let fields = &entry.fields;
        let round = fields.whole_at("round")?.filter(|round| *round == 2 && !entry.is_beside);
        let is_to_come = entry.text(&["state"])?.is_some_and(|state| state != "complete");
        let (Some(round), true) = (round, is_to_come) else { return Ok(None) };
        let known = entry.player("player1")?.or(entry.player("player2")?);
        Ok(known.and_then(|id| Some((self.by_id.get(id).copied()?, round))))
    }

    /// A match; none where it has no players yet.
    fn game(&mut self, entry: &Entry<'_>, kind: PhaseKind) -> Result<Option<Game>, ImportError> {
        let (fields, place) = (&entry.fields, entry.fields.place.clone());
        let (Some(first), Some(second)) = (entry.player("player1")?, entry.player("player2")?)
        else {
            return Ok(None);
        };
        let players = [self.player(first, &place)?, self.player(second, &place)?];
        let round = match entry.is_beside {
            true => fields.whole_at("round")?.unwrap_or(0),
            false => fields.need("round")?.whole()?,
        };
        let (side, round) = match round {
            _ if entry.is_beside => (Side::Beside, round.saturating_abs()),
            0 if kind.is_bracket() => (Side::Beside, 0),
            ..0 => (Side::Losers, round.saturating_neg()),
            _ => (Side::Winners, round),
        };
        let state = entry.text(&["state"])?.unwrap_or("complete");
        let winner = entry.winner()?.map(|id| self.player(id, &place)).transpose()?;
        let result = match state {
            "complete" => {
                let seat = winner.map(|winner| players.iter().position(|one| *one == winner));
                let seat = match seat {
                    Some(None) => return Err(fields.bad("a winner who plays in the match")),
                    Some(Some(seat)) => Some(seat),
                    None => None,
                };
                let is_forfeit = fields.is("forfeited")?;
                let won = match seat {
                    Some(seat) => Won::Seat(seat),
                    None if is_forfeit => Won::BothLost,
                    None => Won::Draw,
                };
                let how = if is_forfeit { How::Forfeit } else { How::Unknown };
                let games = games_of(entry)?;
                if games.is_none() && !scores(entry)?.is_empty() {
                    let sentence = "A score below zero is left out; who won is kept.";
                    self.oddities.add(&place, sentence);
                }
                let result = outcome::result(games, Some(won), how);
                let is_scored = !result.score.seats.is_empty();
                if is_scored && !is_forfeit && !result.rulings.is_empty() {
                    let sentence = "The score says otherwise: who won is read as a ruling over it.";
                    self.oddities.add(&place, sentence);
                }
                result
            }
            "open" | "pending" => outcome::open(),
            _ => return Err(fields.need("state")?.bad("pending, open or complete")),
        };
        Ok(Some(Game::new((side, round), players.to_vec(), result, place)))
    }

    /// Who is not active left after their last round.
    fn drops(&self, rounds: &[SourceRound], phases: &[SourcePhase]) -> Vec<SourceDrop> {
        if phases.iter().all(|phase| phase.kind.is_bracket()) {
            return Vec::new();
        }
        let gone: Vec<usize> = self.gone.iter().copied().collect();
        numbered::drops(&gone, rounds, "participants")
    }
}

/// The second match of a grand final, which is played where whoever came from the losers won the first one, has the
/// number of that: it is a round later. These are the matches of one bracket.
fn part_finals(mut games: Vec<&mut Game>) {
    games.retain(|game| game.side == Side::Winners);
    let last = games.iter().map(|game| game.round).max();
    games.retain(|game| Some(game.round) == last);
    if let [first, second] = &mut games[..] {
        let is_in_both = |player: &usize| second.players.contains(player);
        if first.players.iter().all(is_in_both) {
            second.round = second.round.saturating_add(1);
        }
    }
}

/// The games of a match: its score, or the sets that each won.
fn games_of(entry: &Entry<'_>) -> Result<Option<Games>, ImportError> {
    let sets = scores(entry)?;
    if sets.iter().flatten().any(|score| *score < 0) {
        return Ok(None);
    }
    Ok(match sets[..] {
        [] => None,
        [[first, second]] => Some([first, second, 0]),
        _ => {
            let count = |is: &dyn Fn(&[i32; 2]) -> bool| {
                i32::try_from(sets.iter().filter(|set| is(set)).count()).unwrap_or(0)
            };
            Some([
                count(&|[first, second]| first > second),
                count(&|[first, second]| first < second),
                count(&|[first, second]| first == second),
            ])
        }
    })
}
