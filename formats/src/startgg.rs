//! The sets of start.gg's GraphQL answers, however deep they stand in them.

mod found;
mod of;
mod running;

use std::collections::{BTreeMap, BTreeSet};

use super::bracket::{self, Game, Side};
use super::build::{Oddities, Players, clean_name};
use super::error::shortened;
use super::json::{Json, Node};
use super::outcome::{self, Won};
use super::pages;
use super::sheet::{self, Games};
use super::source::*;
use super::{Fault, ImportError, check, numbered, phases};
use found::Found;
use of::Of;
use running::Waiting;
use scrutineer_engine::event::{How, MatchResult, PhaseKind, UnknownFact};

/// Those answers.
pub(super) struct StartGg;

impl super::Format for StartGg {
    fn name(&self) -> &'static str {
        "start.gg json"
    }

    fn detect(&self, file: &super::File) -> bool {
        let text = file.text.map(str::trim_start).filter(|text| text.starts_with(['{', '[']));
        let has = |word: &str| text.is_some_and(|text| text.contains(word));
        has("\"slots\"") && has("\"entrant\"") && (has("\"fullRoundText\"") || has("\"winnerId\""))
    }

    fn part(&self, file: &super::File) -> Option<super::Part> {
        let has = |word: &str| file.text.is_some_and(|text| text.contains(word));
        (has("\"pageInfo\"") && self.detect(file)).then(|| super::Part::many(""))
    }

    fn read(&self, file: &super::File) -> Result<Source, ImportError> {
        read(file.name, file.text()?)
    }
}

fn read(file: &str, text: &str) -> Result<Source, ImportError> {
    let json = Json::read(text)?;
    let root = json.root();
    let mut found = Found::default();
    found.walk(&root)?;
    let mut reader = Reader::default();
    let mut event: Option<&str> = None;
    found.sets.iter().try_for_each(|set| set.need("id").map(|_| ()))?;
    for set in pages::once(&found.sets, "id", known, winner, &mut reader.oddities)? {
        let of = found.of_set(set)?;
        if let Some(own) = found.event_of(set, &of)? {
            let first = *event.get_or_insert(own);
            if first != own {
                return Err(of_another_event(set, own, first));
            }
        }
        reader.set(set, of)?;
    }
    found.refuse_some()?;
    reader.standings(&found.standings)?;
    let name = |node: &Option<Node<'_>>| -> Result<Option<String>, ImportError> {
        node.as_ref()
            .map_or(Ok(None), |node| node.text_at("name"))
            .map(|name| name.map(str::to_owned))
    };
    let names = [name(&found.tournament)?, name(&found.event)?];
    let title = names.into_iter().flatten().collect::<Vec<_>>().join(": ");
    let title = if title.is_empty() { super::build::stem(file) } else { title };
    let title = clean_name("the title", &title).map_err(|fault| fault.at("name"))?;
    let own = found.event.as_ref().map_or(Ok(None), |event| event.word_at("id"))?;
    let identity = match own.or(event) {
        Some(id) => format!("start.gg event {id}"),
        None => format!("start.gg {title}"),
    };
    reader.is_over = match found.event.as_ref().and_then(|event| event.get("state")) {
        Some(state) => matches!(state.word()?, "3" | "COMPLETED"),
        None => false,
    };
    let mut phases = reader.phases()?;
    let rounds: Vec<SourceRound> = phases.iter().flat_map(|phase| phase.rounds.clone()).collect();
    check::rounds(&reader.players, &rounds)?;
    let is_open = outcome::settle(&mut phases, &mut reader.oddities);
    let best_of = reader.best_of().or_else(|| sheet::best_of(outcome::games(&phases)));
    sheet::report(best_of, &rounds, &mut reader.oddities);
    let mut scoresheet = sheet::games_sheet(best_of, outcome::games(&phases));
    // Phases of which no set is there yet may be to come.
    if !reader.is_over {
        sheet::leave_room(&mut scoresheet);
    }
    let mut unknown = vec![UnknownFact::SignUpOrder, UnknownFact::Times, UnknownFact::Tables];
    unknown.extend([UnknownFact::KindOfBye, UnknownFact::Drops]);
    // Before the first set is over nothing says it.
    let is_begun = rounds.iter().flat_map(|round| &round.tables).any(SourceTable::has_result);
    if is_begun && !reader.has_games {
        unknown.push(UnknownFact::Games);
    }
    unknown.push(UnknownFact::HowItEnded);
    Ok(Source {
        platform: "start.gg".to_owned(),
        format: "start.gg json".to_owned(),
        identity,
        title,
        held_on: found.held_on(),
        finished: !is_open && (reader.is_over || !reader.is_waiting),
        scoresheet,
        players: reader.players.list,
        phases,
        places: reader.places,
        unknown,
        oddities: reader.oddities.finish(),
        ..Source::default()
    })
}

/// A set is of another event than those before it.
fn of_another_event(set: &Node<'_>, own: &str, first: &str) -> ImportError {
    let expected = format!("{}, as the sets before: one event in a file", shortened(first));
    match set.get("eventId") {
        Some(said) => said.bad(&expected),
        None => {
            let (what, found) = ("the event".to_owned(), shortened(own));
            Fault::BadValue { what, found, expected }.at(set.place.as_str())
        }
    }
}

/// How much is known of a set: whether it was won, and how many of its entrants.
fn known(set: &Node<'_>) -> Result<(bool, usize), ImportError> {
    let slots = set.list("slots")?;
    let entrants = slots.iter().filter(|slot| slot.get("entrant").is_some()).count();
    Ok((is_done(set)? && set.get("winnerId").is_some(), entrants))
}

/// What the people of an entrant call themselves, where the entrant has no name: `Team | Tag`.
fn tags(entrant: &Node<'_>) -> Result<Option<String>, ImportError> {
    let mut tags = Vec::new();
    for one in entrant.list("participants")? {
        let player = one.get("player");
        let said = |key: &str| -> Result<Option<&str>, ImportError> {
            let of_player = player.as_ref().map_or(Ok(None), |player| player.text_at(key))?;
            Ok(one.text_at(key)?.or(of_player).filter(|text| !text.trim().is_empty()))
        };
        tags.extend(match (said("prefix")?, said("gamerTag")?) {
            (Some(prefix), Some(tag)) => Some(format!("{prefix} | {tag}")),
            (_, tag) => tag.map(str::to_owned),
        });
    }
    Ok((!tags.is_empty()).then(|| tags.join(" / ")))
}

/// Who won a set.
fn winner<'a>(set: &Node<'a>) -> Result<Option<&'a str>, ImportError> {
    set.word_at("winnerId")
}

/// Whether a set is over.
fn is_done(set: &Node<'_>) -> Result<bool, ImportError> {
    match set.get("state") {
        Some(state) => Ok(matches!(state.word()?, "3" | "COMPLETED")),
        None => Ok(set.get("winnerId").is_some()),
    }
}

/// A phase, or a group where no phase is named: how it is played where that is said, and its matches.
#[derive(Default)]
struct Phase {
    kind: Option<PhaseKind>,
    games: Vec<Game>,
    /// The sets that are to come, as far as not both entrants are known yet.
    waiting: Vec<Waiting>,
    /// Which of the games were played in each group.
    of_group: BTreeMap<String, Vec<usize>>,
    /// Whether it has rounds of those who lost once, be it that nobody is in them yet.
    has_losers: bool,
    /// Who plays in it.
    players: BTreeSet<usize>,
    /// How many groups it is put together of; 0 where its sets name their phase by its id.
    groups: usize,
    /// What its phase is called, where nothing says the id.
    name: Option<String>,
    /// Its place among the others.
    order: Option<i64>,
    /// When the first of its sets was over, and the least id of that time, where it has no id that says its place.
    begun: Option<(i64, u64)>,
}

#[derive(Default)]
struct Reader {
    players: Players,
    oddities: Oddities,
    /// By what their sets are known, in the order of the ids.
    phases: BTreeMap<(u64, String), Phase>,
    lengths: BTreeSet<i64>,
    has_games: bool,
    /// Whether there are sets to come that are not read yet.
    is_waiting: bool,
    /// Whether the event is over.
    is_over: bool,
    places: Vec<SourcePlace>,
}

impl Reader {
    fn best_of(&self) -> Option<u8> {
        match self.lengths.iter().collect::<Vec<_>>()[..] {
            [length] => u8::try_from(*length).ok().filter(|length| length % 2 == 1 && *length < 64),
            _ => None,
        }
    }

    /// An entrant by their id; a name may stand twice.
    fn entrant(&mut self, node: &Node<'_>) -> Result<usize, ImportError> {
        let id = node.need("id")?.word()?;
        match self.players.known(id) {
            Some(player) => Ok(player),
            None => {
                let tags = tags(node)?;
                let name = node.text_at("name")?.or(tags.as_deref()).unwrap_or(id);
                self.players.add(id, name, &node.place)
            }
        }
    }

    fn set(&mut self, set: &Node<'_>, of: Of<'_>) -> Result<(), ImportError> {
        let game = self.game(set)?;
        let group = of.group.or(of.called).unwrap_or_default().to_owned();
        let waiting = match game {
            None if !is_done(set)? => Some(self.waiting(set, group.clone())?),
            _ => None,
        };
        let phase = self.phases.entry(of.key()).or_default();
        phase.kind = phase.kind.or(of.kind);
        phase.order = phase.order.or(of.order);
        if of.phase.is_none() {
            phase.groups = 1;
            phase.name = phase.name.take().or_else(|| of.name.map(str::to_owned));
        }
        if of.phase.is_none() && of.group.is_none() {
            let over = set.whole_at("completedAt").ok().flatten().unwrap_or(i64::MAX);
            let id = set.word_at("id")?.and_then(|id| id.parse().ok()).unwrap_or(u64::MAX);
            phase.begun = Some(phase.begun.map_or((over, id), |begun| begun.min((over, id))));
        }
        phase.has_losers |= set.whole_at("round")?.is_some_and(|round| round < 0);
        phase.players.extend(game.iter().flat_map(|game| &game.players));
        if game.is_some() {
            let at = phase.games.len();
            phase.of_group.entry(group).or_default().push(at);
        }
        phase.games.extend(game);
        phase.waiting.extend(waiting);
        Ok(())
    }

    /// A set of which not both entrants are known yet.
    fn waiting(&mut self, set: &Node<'_>, group: String) -> Result<Waiting, ImportError> {
        let slots = set.list("slots")?;
        let known = slots.iter().find_map(|slot| slot.get("entrant"));
        let player = known.map(|entrant| self.entrant(&entrant)).transpose()?;
        Ok(Waiting { step: step(set).ok(), player, group })
    }

    fn game(&mut self, set: &Node<'_>) -> Result<Option<Game>, ImportError> {
        let (mut players, mut ids, mut scores) = (Vec::new(), Vec::new(), Vec::new());
        for slot in set.list("slots")? {
            let Some(entrant) = slot.get("entrant") else { continue };
            players.push(self.entrant(&entrant)?);
            ids.push(entrant.need("id")?.word()?);
            let score = slot.get("standing").and_then(|one| one.get("stats"));
            let score = score.and_then(|stats| stats.get("score"));
            scores.push(score.map_or(Ok(None), |score| score.score_at("value"))?);
        }
        let is_done = is_done(set)?;
        if players.len() > 2 {
            return Err(set.need("slots")?.bad("two slots"));
        }
        let winner = set.get("winnerId");
        if players.len() < 2 {
            let won = winner.map_or(Ok(None), |winner| winner.word().map(Some))?;
            // Who wins a set without anybody else has a bye.
            if !is_done || won.is_none_or(|won| !ids.contains(&won)) {
                return Ok(None);
            }
            let bye = Game::new(step(set)?, players, outcome::open(), set.place.clone());
            return Ok(Some(bye));
        }
        let step = step(set)?;
        let winner = match winner {
            Some(node) => {
                let id = node.word()?;
                let seat = ids.iter().position(|own| *own == id);
                Some(seat.ok_or_else(|| node.bad("the id of one of the two entrants"))?)
            }
            None => None,
        };
        let result = match (is_done, winner) {
            (true, Some(seat)) => self.result(set, &ids, &scores, seat)?,
            _ => outcome::open(),
        };
        if let Some(length) = set.whole_at("totalGames")?.filter(|length| *length > 0) {
            self.lengths.insert(length);
        }
        Ok(Some(Game::new(step, players, result, set.place.clone())))
    }

    fn result(
        &mut self,
        set: &Node<'_>,
        ids: &[&str],
        scores: &[Option<i32>],
        seat: usize,
    ) -> Result<MatchResult, ImportError> {
        let gone = scores.iter().any(|score| score.is_some_and(|score| score < 0));
        let is_dq = gone || set.text_at("displayScore")?.is_some_and(|text| text.trim() == "DQ");
        let games: Option<Games> = match scores {
            _ if is_dq => None,
            [Some(first), Some(second)] => Some([*first, *second, 0]),
            _ => by_games(set, ids)?,
        };
        self.has_games |= games.is_some();
        let how = if is_dq { How::Forfeit } else { How::Unknown };
        Ok(outcome::result(games, Some(Won::Seat(seat)), how))
    }

    fn standings(&mut self, rows: &[Node<'_>]) -> Result<(), ImportError> {
        let mut seen = BTreeSet::new();
        for row in rows {
            let player = self.entrant(&row.need("entrant")?)?;
            let place = row.count_at("placement")?.filter(|place| *place > 0);
            if let Some(place) = place.filter(|_| seen.insert(player)) {
                self.places.push(SourcePlace { player, place });
            }
        }
        Ok(())
    }

    fn phases(&mut self) -> Result<Vec<SourcePhase>, ImportError> {
        let mut all = self.joined();
        all.iter().try_for_each(refuse_gaps)?;
        all.iter_mut().for_each(Phase::part_finals);
        if !self.is_over {
            let held = running::held_back(&mut all);
            self.is_waiting |= !held.is_empty();
            bracket::tell_ahead(held.iter().flat_map(|phase| &phase.games), &mut self.oddities);
        }
        for phase in all.iter().filter(|phase| phase.groups > 1) {
            let place = phase.games.first().map_or("", |game| game.place.as_str());
            let sentence = format!(
                "{} groups in which nobody is twice were played beside each other: they are read as one phase.",
                phase.groups
            );
            self.oddities.add(place, sentence);
        }
        self.leave_out_what_was_not_needed(&mut all);
        let last = all.len().saturating_sub(1);
        let all = all.into_iter().enumerate();
        all.map(|(at, phase)| self.phase(phase, at < last)).collect()
    }

    /// The phases in their order, groups of one phase and those beside each other put together.
    fn joined(&mut self) -> Vec<Phase> {
        let mut phases: Vec<Phase> = std::mem::take(&mut self.phases).into_values().collect();
        self.is_waiting |= phases.iter().any(Phase::is_waiting);
        phases.retain(|phase| !phase.games.is_empty());
        phases.sort_by_key(|phase| (phase.order.unwrap_or(0), phase.begun));
        let mut all: Vec<Phase> = Vec::new();
        let mut by_name: BTreeMap<String, usize> = BTreeMap::new();
        for phase in phases {
            let of_name = phase.name.as_ref().and_then(|name| by_name.get(name).copied());
            let before = of_name.and_then(|at| all.get_mut(at));
            if let Some(before) = before.filter(|before| before.players.is_disjoint(&phase.players))
            {
                before.add(phase);
                continue;
            }
            if let Some(before) = all.last_mut().filter(|before| is_beside(before, &phase)) {
                before.groups += phase.groups;
                before.add(phase);
                continue;
            }
            by_name.extend(phase.name.clone().map(|name| (name, all.len())));
            all.push(phase);
        }
        all
    }

    fn phase(&mut self, phase: Phase, is_before_others: bool) -> Result<SourcePhase, ImportError> {
        let kind = phase.kind.unwrap_or(match phase.has_losers {
            true => PhaseKind::DoubleElimination,
            false => PhaseKind::Elimination,
        });
        let rounds = match kind.is_bracket() {
            true => {
                let waiting = phase.in_second_round();
                let is_over = is_before_others || self.is_over;
                bracket::rounds_with(phase.games, &waiting, is_over, &mut self.oddities)?
            }
            false => self.numbered(kind, phase.games)?,
        };
        let read = phases::phase(kind, rounds);
        if phase.kind.is_none() {
            phases::tell_lost(&read, |player| self.players.name(player), &mut self.oddities);
        }
        Ok(read)
    }

    /// The rounds of a phase without a bracket.
    fn numbered(
        &mut self,
        kind: PhaseKind,
        mut games: Vec<Game>,
    ) -> Result<Vec<SourceRound>, ImportError> {
        games.iter_mut().for_each(|game| game.round = number_of(game));
        let mut rounds = numbered::rounds(games)?;
        // Where sets show some byes, they show all.
        if kind == PhaseKind::Swiss && rounds.iter().all(|round| round.byes.is_empty()) {
            let players = self.players.list.len();
            numbered::add_byes_of_swiss(&mut rounds, players, false, &mut self.oddities);
        }
        Ok(rounds)
    }

    /// Leaves out the open sets of a bracket of whoever plays in a later phase, such as the final of a pool of which both
    /// go on. Any other open set may still be played, or counts for nobody where somebody played on in that phase without
    /// it: left out, their first set would be one of a later round, and a bye before it.
    fn leave_out_what_was_not_needed(&mut self, phases: &mut [Phase]) {
        let mut later: BTreeSet<usize> = BTreeSet::new();
        for phase in phases.iter_mut().rev() {
            let (is_bracket, played) = (phase.is_bracket(), phase.played());
            phase.games.retain(|game| {
                let is_left_out = is_bracket
                    && game.is_open()
                    && !running::is_left_behind(game, &played)
                    && game.players.iter().any(|player| later.contains(player));
                if is_left_out {
                    let sentence = "The set was not played; a later phase has begun.";
                    self.oddities.add(&game.place, sentence);
                }
                !is_left_out
            });
            later.extend(&phase.players);
        }
    }
}

impl Phase {
    /// Adds the sets of another group.
    fn add(&mut self, group: Phase) {
        self.kind = self.kind.or(group.kind);
        self.has_losers |= group.has_losers;
        let before = self.games.len();
        for (name, games) in group.of_group {
            let own = self.of_group.entry(name).or_default();
            own.extend(games.into_iter().map(|at| at + before));
        }
        self.waiting.extend(group.waiting);
        self.games.extend(group.games);
        self.players.extend(group.players);
    }
}

/// Whether two groups were played beside each other, as pools are: alike, not of two phases, and nobody is in both.
fn is_beside(before: &Phase, phase: &Phase) -> bool {
    before.groups > 0
        && phase.groups > 0
        && before.kind == phase.kind
        && before.name == phase.name
        && before.players.is_disjoint(&phase.players)
}

/// The side of a bracket on which a set is played, and its round there: twice its number, since the reset of a final
/// has the final's own.
fn step(set: &Node<'_>) -> Result<(Side, i64), ImportError> {
    let text = set.text_at("fullRoundText")?.unwrap_or_default().to_lowercase();
    let round = set.need("round")?.whole()?;
    let step = round.unsigned_abs().min(1 << 32);
    let step = i64::try_from(step).unwrap_or(0) * 2 + i64::from(text.contains("reset"));
    Ok((if round < 0 { Side::Losers } else { Side::Winners }, step))
}

/// The number of a round without a bracket.
fn number_of(game: &Game) -> i64 {
    game.round / 2
}

/// Refuses Swiss rounds of which one is missing. A phase may begin with a later number, as one that goes on from
/// another.
fn refuse_gaps(phase: &Phase) -> Result<(), ImportError> {
    if phase.kind != Some(PhaseKind::Swiss) {
        return Ok(());
    }
    let numbers = || phase.games.iter().map(number_of);
    let first = numbers().min().unwrap_or(1).max(1);
    let needed = "the sets of every round of a phase";
    numbered::refuse_gaps_from(first, numbers().map(|number| (0, number)), "sets", needed)
}

/// The games that each won, where games are listed.
fn by_games(set: &Node<'_>, ids: &[&str]) -> Result<Option<Games>, ImportError> {
    let mut games: Games = [0; 3];
    for game in set.list("games")? {
        let Some(winner) = game.word_at("winnerId")? else { continue };
        if let Some(won) =
            ids.iter().position(|id| *id == winner).and_then(|seat| games.get_mut(seat))
        {
            *won += 1;
        }
    }
    Ok(Some(games).filter(|games| *games != [0; 3]))
}
