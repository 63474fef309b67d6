//! The saves of TOME, the tournament program of Fantasy Flight Games: a dump of its entities, with text behind it
//! that is no JSON.

use std::collections::BTreeMap;

use super::build::{Oddities, Players, clean_name};
use super::json::{Json, Node};
use super::outcome;
use super::source::*;
use super::{Fault, ImportError, check, limits, numbered, phases, sheet};
use scrutineer_engine::event::{
    ByeKind, How, MatchResult, Per, PhaseKind, RoundWeight, Scoresheet, UnknownFact,
};

/// Such a save.
pub(super) struct Tome;

/// What stands between the entities and the text behind them.
const SEPARATOR: &str = "^^";

impl super::Format for Tome {
    fn name(&self) -> &'static str {
        "tome"
    }

    fn detect(&self, file: &super::File) -> bool {
        let text = file.text.map(str::trim_start).filter(|text| text.starts_with('{'));
        text.is_some_and(|text| text.contains("\"entityGroupMap\""))
    }

    fn read(&self, file: &super::File) -> Result<Source, ImportError> {
        let text = file.text()?;
        read(text.split_once(SEPARATOR).map_or(text, |(json, _)| json))
    }
}

/// The entities of one kind, by their keys.
type Entities<'a> = BTreeMap<i64, Node<'a>>;

/// Those of tournaments that are there, each with the key of its own.
type Kept<'a> = BTreeMap<i64, (i64, Node<'a>)>;

fn entities<'a>(map: &Node<'a>, kind: &str) -> Result<Entities<'a>, ImportError> {
    let mut found = BTreeMap::new();
    for (key, group) in map.entries() {
        if key.split(':').next() != Some(kind) {
            continue;
        }
        for entity in group.list("entities")? {
            found.insert(entity.need("pk")?.whole()?, entity);
        }
    }
    Ok(found)
}

fn read(text: &str) -> Result<Source, ImportError> {
    let json = Json::read(text)?;
    let map = json.root().need("entityGroupMap")?;
    let tournaments = entities(&map, "Tournament")?;
    // Keys of what was never saved count down, others up: so the first one is the one without a parent.
    let mut main = tournaments.iter().filter(|(_, one)| one.get("parent_pk").is_none());
    let (Some((main, tournament)), None) = (main.next(), main.next()) else {
        let what = "one tournament without parent_pk".to_owned();
        return Err(Fault::Missing { what }.at(map.place));
    };
    let name = tournament.need("name")?;
    let title = clean_name("the title", name.text()?).map_err(|fault| fault.at(name.place))?;
    let mut reader = Reader::default();
    let participants = reader.kept(entities(&map, "Participant")?, &tournaments)?;
    if participants.is_empty() && reader.deleted > 0 {
        return Err(Fault::Missing { what: "tournament_pk".into() }.at(map.place_of("Participant")));
    }
    reader.participants(&participants, *main)?;
    let matches = reader.kept(entities(&map, "Match")?, &tournaments)?;
    reader.seats(&entities(&map, "MatchParticipant")?, &matches)?;
    reader.tell_deleted();
    let mut stages: Vec<(i64, PhaseKind)> = vec![(*main, kind(tournament)?)];
    let mut cuts: Vec<&i64> = tournaments.keys().filter(|pk| *pk != main).collect();
    cuts.sort_by_key(|pk| pk.unsigned_abs());
    for pk in cuts {
        if let Some(cut) = tournaments.get(pk) {
            stages.push((*pk, kind(cut)?));
        }
    }
    let mut played: BTreeMap<i64, Vec<(i64, &Node<'_>)>> = BTreeMap::new();
    for (pk, (tournament, game)) in &matches {
        played.entry(*tournament).or_default().push((*pk, game));
    }
    let mut phases = Vec::new();
    for (pk, kind) in &stages {
        let phase = reader.phase(*pk, *kind, played.remove(pk).unwrap_or_default())?;
        if !phase.rounds.is_empty() || phases.is_empty() {
            phases.push(phase);
        }
    }
    let rounds: Vec<SourceRound> = phases.iter().flat_map(|phase| phase.rounds.clone()).collect();
    if !rounds.is_empty() {
        check::rounds(&reader.players, &rounds)?;
    }
    let is_open = outcome::settle(&mut phases, &mut reader.oddities);
    let mut bounds = (0, 6);
    let played = rounds.iter().flat_map(|round| &round.tables).map(|table| &table.result.score);
    for value in played.flat_map(|score| score.seats.iter().flatten()) {
        bounds = (bounds.0.min(*value), bounds.1.max(*value));
    }
    let line = sheet::line("match_points", Per::Seat, bounds.0, bounds.1, "points");
    let drops = numbered::drops(&reader.gone, &rounds, "Participant");
    let cut = tournament.count_at("cut_size")?.filter(|cut| *cut > 0);
    let first = reader.players.list.iter().take(2).map(|one| format!(" {}", one.name));
    let is_cut = phases.len() > 1 || cut.is_none();
    Ok(Source {
        platform: "tome".to_owned(),
        rules: Some("netrunner".to_owned()),
        format: "tome".to_owned(),
        identity: format!("tome {title}{}", first.collect::<String>()),
        title,
        cut,
        finished: !rounds.is_empty() && !is_open && is_cut,
        scoresheet: Scoresheet { lines: vec![line], best_of: None },
        players: reader.players.list,
        phases,
        drops,
        unknown: {
            use UnknownFact::*;
            vec![SignUpOrder, Times, Tables, KindOfBye, HowItEnded]
        },
        oddities: reader.oddities.finish(),
        ..Source::default()
    })
}

/// How a tournament is played, by the number of its format.
fn kind(tournament: &Node<'_>) -> Result<PhaseKind, ImportError> {
    match tournament.whole_at("format_pk")? {
        None | Some(1) => Ok(PhaseKind::Swiss),
        Some(2) => Ok(PhaseKind::Elimination),
        Some(3) => Ok(PhaseKind::DoubleElimination),
        Some(_) => Err(tournament
            .need("format_pk")?
            .bad("1 (Swiss), 2 (single) or 3 (double elimination)")),
    }
}

/// A seat of a match.
struct Seat {
    at: i64,
    player: usize,
    role: u8,
    points: Option<i32>,
}

#[derive(Default)]
struct Reader {
    players: Players,
    oddities: Oddities,
    /// Everybody by each of their keys: a cut has keys of its own.
    by_key: BTreeMap<i64, usize>,
    /// The seeds of each tournament.
    seeds: BTreeMap<(i64, usize), i64>,
    seats: BTreeMap<i64, Vec<Seat>>,
    gone: Vec<usize>,
    /// How many players, matches and seats are of no tournament that is there.
    deleted: usize,
}

impl Reader {
    /// Those of the tournaments that are there: of one that was deleted a save keeps them, and they name none.
    fn kept<'a>(
        &mut self,
        all: Entities<'a>,
        tournaments: &Entities<'_>,
    ) -> Result<Kept<'a>, ImportError> {
        let mut kept = BTreeMap::new();
        for (pk, one) in all {
            match one.whole_at("tournament_pk")?.filter(|pk| tournaments.contains_key(pk)) {
                Some(tournament) => {
                    kept.insert(pk, (tournament, one));
                }
                None => self.deleted += 1,
            }
        }
        Ok(kept)
    }

    fn tell_deleted(&mut self) {
        if self.deleted > 0 {
            let sentence = format!(
                "The save keeps {} players, matches and seats of tournaments that were deleted: they were left out.",
                self.deleted
            );
            self.oddities.add("entityGroupMap", sentence);
        }
    }

    fn participants(&mut self, all: &Kept<'_>, main: i64) -> Result<(), ImportError> {
        let mut ordered: Vec<_> = all.iter().collect();
        ordered.sort_by_key(|(pk, (tournament, _))| (*tournament != main, pk.unsigned_abs()));
        let mut by_name: BTreeMap<String, Vec<usize>> = BTreeMap::new();
        // How many of one name each cut has so far.
        let mut met: BTreeMap<(i64, String), usize> = BTreeMap::new();
        for (pk, (tournament, one)) in ordered {
            let (pk, tournament) = (*pk, *tournament);
            let parts = [one.text_at("first_name")?, one.text_at("last_name")?];
            let name = parts.into_iter().flatten().collect::<Vec<_>>().join(" ");
            let alike = by_name.entry(name.clone()).or_default();
            let player = if tournament != main {
                let before = met.entry((tournament, name.clone())).or_default();
                let next = alike.get(*before).copied();
                *before += 1;
                next.ok_or_else(|| Fault::UnknownPlayer { name }.at(one.place.as_str()))?
            } else {
                let player = self.players.add(&pk.to_string(), &name, &one.place)?;
                let identity = |key: &str| one.text_at(key).map(|text| text.map(str::to_owned));
                let identities = [identity("identity2")?, identity("identity")?];
                if let Some(player) = self.players.list.get_mut(player) {
                    player.identities = identities;
                }
                alike.push(player);
                if one.get("is_active").is_some() && !one.is("is_active")? {
                    self.gone.push(player);
                }
                player
            };
            self.by_key.insert(pk, player);
            if let Some(seed) = one.whole_at("seed")?.filter(|seed| *seed > 0) {
                self.seeds.insert((tournament, player), seed);
            }
        }
        Ok(())
    }

    fn seats(&mut self, all: &Entities<'_>, matches: &Kept<'_>) -> Result<(), ImportError> {
        for one in all.values() {
            let game = one.whole_at("match_pk")?.filter(|game| matches.contains_key(game));
            let Some(game) = game else {
                self.deleted += 1;
                continue;
            };
            let Some(participant) = one.whole_at("participant_pk")? else { continue };
            let player = self.by_key.get(&participant).copied();
            let unknown = || Fault::UnknownPlayer { name: participant.to_string() };
            let player = player.ok_or_else(|| unknown().at(one.place.as_str()))?;
            let role = match one.whole_at("role")? {
                Some(1) => 1,
                Some(2) => 2,
                _ => 0,
            };
            let (at, points) =
                (one.whole_at("table_seat")?.unwrap_or(0), one.score_at("points_earned")?);
            self.seats.entry(game).or_default().push(Seat { at, player, role, points });
        }
        self.seats.values_mut().for_each(|seats| seats.sort_by_key(|seat| seat.at));
        Ok(())
    }

    fn phase(
        &mut self,
        tournament: i64,
        kind: PhaseKind,
        matches: Vec<(i64, &Node<'_>)>,
    ) -> Result<SourcePhase, ImportError> {
        if matches.len() > limits::TABLES {
            return Err(Fault::TooMany { what: "matches", limit: limits::TABLES }.at("Match"));
        }
        let mut listed = Vec::new();
        for (pk, game) in matches {
            let order = game.whole_at("order_index")?.unwrap_or(0);
            listed.push((game.need("round")?.whole()?, order, pk, game));
        }
        listed.sort_by_key(|(round, order, pk, _)| (*round, *order, pk.unsigned_abs()));
        let mut rounds: BTreeMap<i64, SourceRound> = BTreeMap::new();
        for (number, _, pk, game) in listed {
            let (tables, byes) = (Vec::new(), Vec::new());
            let name = format!("Round {number}");
            let empty = SourceRound { name, weight: RoundWeight::ONE, tables, byes };
            let round = rounds.entry(number).or_insert(empty);
            self.game(self.seats.get(&pk).map_or(&[][..], Vec::as_slice), game, round)?;
        }
        let mut phase = phases::phase(kind, rounds.into_values().collect());
        let seed = |player: &usize| self.seeds.get(&(tournament, *player)).copied();
        phase.seeded =
            kind.is_bracket() && phase.entrants.iter().all(|player| seed(player).is_some());
        if phase.seeded {
            phase.entrants.sort_by_key(seed);
        }
        Ok(phase)
    }

    fn game(
        &self,
        seats: &[Seat],
        game: &Node<'_>,
        round: &mut SourceRound,
    ) -> Result<(), ImportError> {
        let place = game.place.clone();
        match seats {
            [] => Ok(()),
            [one] => {
                let reported = one.points.map(|points| sheet::score(&[vec![points], vec![0]], &[]));
                round.byes.push(SourceBye {
                    player: one.player,
                    kind: ByeKind::Assigned,
                    reported,
                    place,
                });
                Ok(())
            }
            [first, second] => {
                let result = match (first.points, second.points) {
                    (Some(one), Some(other)) => MatchResult {
                        how: How::Unknown,
                        ..MatchResult::played(sheet::score(&[vec![one], vec![other]], &[]))
                    },
                    _ => outcome::open(),
                };
                let seat = |seat: &Seat| SourceSeat { player: seat.player, role: seat.role };
                let seats = vec![seat(first), seat(second)];
                round.tables.push(SourceTable { table: None, seats, result, place });
                Ok(())
            }
            _ => Err(game.bad("a match of two")),
        }
    }
}
