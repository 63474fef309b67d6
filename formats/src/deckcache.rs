//! The deck-cache JSON: `Tournament`, `Rounds` and `Standings`, gathered from several platforms,
//! each with habits of its own.

pub(super) mod manatraders;
mod platform;
mod standings;
mod words;

use std::collections::{BTreeMap, BTreeSet};

use serde::Deserialize;

use super::build::{Oddities, Players, clean_name, day};
use super::sheet::{self, Games};
use super::source::*;
use super::{Fault, ImportError, check, limits, numbered, phases, ranking};
pub(super) use platform::{Platform, identity};
use scrutineer_engine::event::{ByeKind, How, MatchResult, PhaseKind, RoundWeight, UnknownFact};
use standings::Standing;
pub(super) use standings::{number, seed};
use words::{main_name, mirrored, number_of, played_beside, result, written};

/// The JSON in which events of several platforms are kept.
pub(super) struct DeckCache;

impl super::Format for DeckCache {
    fn name(&self) -> &'static str {
        "deck-cache json"
    }

    fn detect(&self, file: &super::File) -> bool {
        file.has(&["Tournament", "Rounds"])
    }

    fn read(&self, file: &super::File) -> Result<Source, ImportError> {
        read(file.text()?)
    }
}

#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
struct File<'a> {
    tournament: Tournament,
    rounds: Vec<Round>,
    #[serde(borrow)]
    standings: Option<Vec<Standing<'a>>>,
    decks: Option<Vec<Deck>>,
}

/// Whose a deck is and where it came in, such as `3rd Place`, or its record.
#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
struct Deck {
    player: Option<String>,
    result: Option<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
struct Tournament {
    date: Option<String>,
    name: String,
    uri: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
struct Round {
    round_name: String,
    matches: Vec<Match>,
}

#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
struct Match {
    player1: Option<String>,
    player2: Option<String>,
    result: String,
}

/// Who sits on one side of a match.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    Player(usize),
    /// The other side has a bye.
    Nobody,
}

/// Reads the file's text.
fn read(text: &str) -> Result<Source, ImportError> {
    assemble(serde_json::from_str(text).map_err(ImportError::json)?)
}

/// What a file of its own keys says.
fn assemble(file: File) -> Result<Source, ImportError> {
    let (platform, word) = Platform::at(&file.tournament.uri)?;
    let title = clean_name("the title", &file.tournament.name)
        .map_err(|fault| fault.at("Tournament.Name"))?;
    let mut reader = Reader {
        platform,
        players: Players::default(),
        oddities: Oddities::default(),
        one_unnamed: one_unnamed(platform, &file.rounds),
        unnamed: 0,
        begins_later: false,
    };
    let rounds = reader.rounds(&file.rounds)?;
    let rows = file.standings.unwrap_or_default();
    let told_apart = |name: &str| platform.is_unnamed(name) && !reader.one_unnamed;
    let published = standings::read(&rows, &mut reader.players, &mut reader.oddities, &told_apart)?;
    check::rounds(&reader.players, &rounds)?;
    let held_on = file.tournament.date.as_deref().and_then(day);
    if held_on.is_none() {
        reader.oddities.add("Tournament.Date", "The date is missing or cannot be read.");
    }
    let games = || rounds.iter().flat_map(|round| &round.tables).filter_map(games_of);
    let reported = rounds.iter().flat_map(|round| &round.byes).filter_map(reported_games);
    let best_of = sheet::best_of(games());
    let scoresheet = sheet::games_sheet(best_of, games().chain(reported));
    sheet::report(best_of, &rounds, &mut reader.oddities);
    reader.players.tell_alike(&mut reader.oddities);
    let phases = reader.phases(rounds, &published);
    let places = reader.places(&phases, &file.decks.unwrap_or_default());
    let mut unknown = platform.unknown();
    unknown.extend(reader.begins_later.then_some(UnknownFact::EarlierRounds));
    Ok(Source {
        file: String::new(),
        platform: word.to_owned(),
        format: "deck-cache json".to_owned(),
        identity: identity(word, &file.tournament.uri),
        title,
        held_on,
        rules: None,
        cut: None,
        planned_rounds: None,
        finished: true,
        scoresheet,
        published_after: standings::published_after(platform, &phases, &published),
        phases,
        places,
        players: reader.players.list,
        drops: Vec::new(),
        published_digits: platform.digits(&published),
        published,
        unknown,
        oddities: reader.oddities.finish(),
        ..Source::default()
    })
}

fn games_of(table: &SourceTable) -> Option<Games> {
    sheet::games_of(&table.result.score)
}

fn reported_games(bye: &SourceBye) -> Option<Games> {
    bye.reported.as_ref().and_then(sheet::games_of)
}

/// Whether a stand-in for a name can always be the same player: it never stands twice in a round.
fn one_unnamed(platform: Platform, rounds: &[Round]) -> bool {
    let unnamed =
        |name: &&Option<String>| name.as_deref().is_some_and(|name| platform.is_unnamed(name));
    rounds.iter().all(|round| {
        let sides = round.matches.iter().flat_map(|game| [&game.player1, &game.player2]);
        sides.filter(unnamed).count() <= 1
    })
}

struct Reader {
    platform: Platform,
    players: Players,
    oddities: Oddities,
    one_unnamed: bool,
    unnamed: usize,
    /// Whether rounds were played before the first one that the file has.
    begins_later: bool,
}

impl Reader {
    fn rounds(&mut self, rounds: &[Round]) -> Result<Vec<SourceRound>, ImportError> {
        if rounds.len() > limits::ROUNDS {
            return Err(Fault::TooMany { what: "rounds", limit: limits::ROUNDS }.at("Rounds"));
        }
        self.gaps(rounds.iter().filter_map(|round| number_of(&round.round_name)).collect())?;
        let mut read: Vec<SourceRound> = Vec::new();
        for (at, round) in rounds.iter().enumerate() {
            let place = format!("Rounds[{at}]");
            let round = self.round(round, &place)?;
            match read.last_mut().filter(|before| played_beside(&before.name, &round.name)) {
                Some(before) => {
                    let sentence = format!("{:?} is read as part of {:?}", round.name, before.name);
                    self.oddities.add(&place, sentence + ": one round of the cut.");
                    before.name = main_name(&before.name, &round.name).to_owned();
                    before.tables.extend(round.tables);
                    before.byes.extend(round.byes);
                }
                None => read.push(round),
            }
        }
        Ok(read)
    }

    /// Tells numbers that are missing at Melee, where drafts are left out on purpose, and refuses them elsewhere.
    fn gaps(&mut self, numbers: BTreeSet<i64>) -> Result<(), ImportError> {
        if self.platform != Platform::Melee {
            return numbered::refuse_gaps(numbers.iter().map(|number| (0, *number)), "Rounds", "");
        }
        let (mut missing, mut next) = (Vec::new(), 1);
        for number in numbers {
            match number - next {
                ..=0 => {}
                1 => missing.push(next.to_string()),
                _ => missing.push(format!("{next} to {}", number - 1)),
            }
            self.begins_later |= next == 1 && number > 1;
            next = number + 1;
        }
        if !missing.is_empty() {
            let sentence = format!(
                "The file does not have these rounds, as files of Melee leave out drafts: {}. What was played in \
                 them is not known.",
                missing.join(", ")
            );
            self.oddities.add("Rounds", sentence);
        }
        Ok(())
    }

    fn round(&mut self, round: &Round, place: &str) -> Result<SourceRound, ImportError> {
        if round.matches.len() > limits::TABLES {
            return Err(Fault::TooMany { what: "matches", limit: limits::TABLES }.at(place));
        }
        let name = clean_name("the round's name", &round.round_name)
            .map_err(|fault| fault.at(format!("{place}.RoundName")))?;
        let (tables, byes) = (Vec::new(), Vec::new());
        let mut read = SourceRound { name, weight: RoundWeight::ONE, tables, byes };
        let mut met = BTreeMap::new();
        for (at, game) in round.matches.iter().enumerate() {
            self.game(game, format!("{place}.Matches[{at}]"), &mut met, &mut read)?;
        }
        Ok(read)
    }

    fn game(
        &mut self,
        game: &Match,
        place: String,
        met: &mut BTreeMap<(usize, usize), usize>,
        round: &mut SourceRound,
    ) -> Result<(), ImportError> {
        let games = result(&game.result, &place)?;
        let first = self.side(game.player1.as_deref(), &place)?;
        let second = self.side(game.player2.as_deref(), &place)?;
        match (first, second) {
            (Side::Player(first), Side::Player(second)) => {
                self.table([first, second], games, place, met, round)
            }
            (Side::Player(player), Side::Nobody) => {
                self.bye(player, games, place, round);
                Ok(())
            }
            (Side::Nobody, Side::Player(player)) => {
                self.bye(player, mirrored(games), place, round);
                Ok(())
            }
            (Side::Nobody, Side::Nobody) => {
                self.oddities.add(&place, "A match without players was left out.");
                Ok(())
            }
        }
    }

    fn side(&mut self, name: Option<&str>, place: &str) -> Result<Side, ImportError> {
        let Some(name) = name.map(str::trim) else { return Ok(Side::Nobody) };
        let unnamed = self.platform.is_unnamed(name);
        let nobody = match self.platform {
            Platform::TopDeck if unnamed && !self.one_unnamed => return self.nameless(place),
            Platform::CardsRealm if unnamed => return self.nameless(place),
            Platform::CardsRealm => name.eq_ignore_ascii_case("bye"),
            _ => name.is_empty() || name == "-",
        };
        if nobody {
            return Ok(Side::Nobody);
        }
        self.players.named(name, place).map(Side::Player)
    }

    /// Somebody played, but the file does not say who.
    fn nameless(&mut self, place: &str) -> Result<Side, ImportError> {
        let (name, sentence) = if self.one_unnamed {
            (
                "(unnamed)".to_owned(),
                "A player has no name; they are taken to be the same throughout.",
            )
        } else {
            self.unnamed += 1;
            let name = format!("(unnamed {})", self.unnamed);
            (name, "A player has no name; they are taken to be another one each time.")
        };
        self.oddities.add(place, sentence);
        self.players.named(&name, place).map(Side::Player)
    }

    fn table(
        &mut self,
        [first, second]: [usize; 2],
        games: Games,
        place: String,
        met: &mut BTreeMap<(usize, usize), usize>,
        round: &mut SourceRound,
    ) -> Result<(), ImportError> {
        if first == second {
            return Err(Fault::AgainstSelf { player: self.players.name(first) }.at(place));
        }
        let pair = (first.min(second), first.max(second));
        if let Some(&earlier) = met.get(&pair) {
            return self.again(first, games, place, &mut round.tables[earlier], &round.name);
        }
        met.insert(pair, round.tables.len());
        let seats = [first, second].map(|player| SourceSeat { player, role: 0 }).to_vec();
        let result =
            MatchResult { how: How::Unknown, ..MatchResult::played(sheet::games_score(games)) };
        round.tables.push(SourceTable { table: None, seats, result, place });
        Ok(())
    }

    /// The same match once more: Melee lists every drawn one from either side. Of two results 0-0-0
    /// is the one that says nothing.
    fn again(
        &mut self,
        first: usize,
        games: Games,
        place: String,
        earlier: &mut SourceTable,
        round: &str,
    ) -> Result<(), ImportError> {
        let turned = earlier.seats[0].player != first;
        let oriented = if turned { mirrored(games) } else { games };
        let before = games_of(earlier).unwrap_or_default();
        const NOTHING: Games = [0; 3];
        if oriented != before && [oriented, before].contains(&NOTHING) {
            let taken = if before == NOTHING { oriented } else { before };
            earlier.result.score = sheet::games_score(taken);
            let (taken, other) = (written(taken), &earlier.place);
            let sentence = format!(
                "The match at {other} stands here again, once as 0-0-0; its result is taken to be \
                 {taken}."
            );
            self.oddities.add(&place, sentence);
            return Ok(());
        }
        if oriented != before {
            let names = earlier.seats.iter().map(|seat| self.players.name(seat.player));
            let what = names.collect::<Vec<_>>().join(" against ");
            let (first, second) = (written(before), written(oriented));
            let (round, other) = (round.to_owned(), earlier.place.clone());
            return Err(Fault::TwoResults { what, round, first, second, other }.at(place));
        }
        if !(turned && games[0] == games[1] && self.platform == Platform::Melee) {
            self.oddities.add(&place, format!("The match at {} stands here again.", earlier.place));
        }
        Ok(())
    }

    fn bye(&mut self, player: usize, games: Games, place: String, round: &mut SourceRound) {
        let [won, lost, drawn] = games;
        let usual_draw = self.platform == Platform::TopDeck && games == [0, 0, 1];
        if won == lost && !usual_draw {
            let sentence = format!("A bye with the score {won}-{lost}-{drawn} is read as a bye.");
            self.oddities.add(&place, sentence);
        }
        let kind = if won < lost { ByeKind::AwardedLoss } else { ByeKind::Assigned };
        let reported = Some(sheet::games_score(games));
        round.byes.push(SourceBye { player, kind, reported, place });
    }

    fn phases(&mut self, rounds: Vec<SourceRound>, published: &[PublishedRow]) -> Vec<SourcePhase> {
        let shown = match self.platform {
            Platform::Melee => ranking::starts(&rounds, published),
            _ => Vec::new(),
        };
        let mut phases = phases::split(rounds, &shown);
        if self.platform == Platform::Melee {
            self.join_denied_cut(&mut phases, published);
        }
        let mut first = 0;
        for phase in &phases {
            if shown.contains(&first) && phase.kind == PhaseKind::Swiss {
                let sentence = "A phase begins here: whoever is missing from this round stands \
                                below everybody who is in it, whatever their points.";
                self.oddities.add(&format!("Rounds[{first}]"), sentence);
            }
            first += phase.rounds.len();
        }
        // MTGO publishes the standings after the Swiss rounds, so they are the cut's seeding.
        if self.platform == Platform::Mtgo {
            let cuts = phases.iter_mut().filter(|phase| phase.kind == PhaseKind::Elimination);
            cuts.for_each(|phase| seed(phase, published));
            // Of the Swiss rounds it only tells how they ended.
            let entrants = published.iter().map(|row| row.player).collect();
            let (kind, rounds) = (PhaseKind::Swiss, Vec::new());
            phases.insert(0, SourcePhase { kind, entrants, seeded: false, rounds });
        }
        phases
    }

    /// Makes rounds that only look like a cut Swiss rounds again where the ranking is not that of a
    /// cut. Rounds that are named as a cut are one.
    fn join_denied_cut(&mut self, phases: &mut Vec<SourcePhase>, published: &[PublishedRow]) {
        let [.., swiss, cut] = &mut phases[..] else { return };
        let named = cut.rounds.iter().all(|round| phases::is_cut_name(&round.name));
        if !named && cut.kind.is_bracket() && ranking::denies_cut(&cut.rounds, published) {
            let sentence = "but players stand above others who were in it for longer: they are \
                            taken for Swiss rounds.";
            let first = cut.rounds.first().map_or("", |round| &round.name);
            self.oddities.add("Rounds", format!("{first:?} and later look like a cut, {sentence}"));
            swiss.rounds.append(&mut cut.rounds);
            phases.pop();
        }
    }

    /// The places of those who are in the bracket with which MTGO's files end.
    fn places(&self, phases: &[SourcePhase], decks: &[Deck]) -> Vec<SourcePlace> {
        let last = phases.last().filter(|phase| phase.kind == PhaseKind::Elimination);
        let Some(bracket) = last.filter(|_| self.platform == Platform::Mtgo) else {
            return Vec::new();
        };
        let place = |deck: &Deck| {
            let player = self.players.known(deck.player.as_deref()?)?;
            let text = deck.result.as_deref()?.strip_suffix(" Place")?;
            let place = text.trim_end_matches(|c: char| c.is_ascii_alphabetic()).parse().ok()?;
            bracket.entrants.contains(&player).then_some(SourcePlace { player, place })
        };
        decks.iter().filter_map(place).collect()
    }
}
