//! A file of a tournament that the store holds in an older version: what is new in it is recorded behind, what
//! changed becomes a correction with the file as its reason, and nothing is overwritten.

use super::add::{AddError, Prepared};
use scrutineer_engine::book::{Commitment, Field, Opened, PrivateEntry, commit};
use scrutineer_engine::decide::{taken_after_removal, validate};
use scrutineer_engine::event::*;
use scrutineer_engine::limits::TABLE;
use scrutineer_engine::names::folded;
use scrutineer_engine::record::{CommandId, Header};
use scrutineer_engine::rejection::Rejection;
use scrutineer_engine::tournament::{MatchView, Player, Tournament};
use scrutineer_formats::{SourcePlayer, standings};
use scrutineer_projections::counted;
use scrutineer_replay::loaded::{LoadedTournament, short_id, text_or};
use scrutineer_store::texts::system_salt;
use std::collections::{BTreeMap, BTreeSet};

/// How the note begins that stands before what a newer version of a file brought.
const READ_AGAIN: &str = "read again: ";

/// How many events are named at most that have to be withdrawn before what a file takes back.
const BACK: usize = 3;

/// Who said who they are, what was forgotten, and that pairings are out, builds nothing.
fn builds_nothing(event: &Event) -> bool {
    taken_after_removal(event) || matches!(event, Event::PairingsPublished(_))
}

/// What was recorded here in an imported tournament, beside what its files brought: the first command, and
/// those of newer versions.
pub fn built_on(event: &LoadedTournament) -> impl Iterator<Item = &(Header, Event)> {
    // The first command brought it in.
    let ours = |command: &&[(Header, Event)]| {
        !is_newer_file(event, command) && !command.iter().all(|(_, event)| builds_nothing(event))
    };
    by_command(event).skip(1).filter(ours).flatten()
}

/// The commands by which versions of its file were read, the latest last.
pub fn read_by(event: &LoadedTournament) -> Vec<CommandId> {
    let (first, later) = (by_command(event).take(1), by_command(event).skip(1));
    let all = first.chain(later.filter(|command| is_newer_file(event, command)));
    all.map(|command| command[0].0.command).collect()
}

/// Whether something was taken back since a command.
pub fn is_taken_back_since(event: &LoadedTournament, command: CommandId) -> bool {
    let mut since = event.log.iter().rev().take_while(|(header, _)| header.command != command);
    since.any(|(_, event)| matches!(event, Event::Withdrawn(_)))
}

fn by_command(event: &LoadedTournament) -> impl Iterator<Item = &[(Header, Event)]> {
    event.log.chunk_by(|(one, _), (other, _)| one.command == other.command)
}

/// Whether a command is a newer version of the file.
fn is_newer_file(event: &LoadedTournament, command: &[(Header, Event)]) -> bool {
    match command.first() {
        Some((_, Event::NoteAdded(note))) => {
            text_or(&event.book, &note.note, "").starts_with(READ_AGAIN)
        }
        _ => false,
    }
}

/// What a newer version of a file brings.
#[derive(Debug, Default)]
pub struct Renewed {
    /// The events behind those that are there.
    pub events: Vec<Event>,
    /// Their words.
    pub private: Vec<PrivateEntry>,
    /// What is brought, in words.
    pub told: Vec<String>,
}

/// What an event of an import is about: the same in each version of its file.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum About {
    Phase(u16, u32),
    Round(RoundNumber),
    Pairing(RoundNumber, Vec<PlayerNumber>),
    Bye(RoundNumber, PlayerNumber),
    Completed(RoundNumber),
    Dropped(PlayerNumber),
    PhaseEnded(u16),
    Closed,
}

impl About {
    fn of(event: &Event) -> Option<About> {
        Some(match event {
            Event::PhaseStarted(e) => About::Phase(e.phase, e.first_seed),
            Event::RoundOpened(e) => About::Round(e.round),
            Event::PairingMade(e) => About::Pairing(e.round, seated(e)),
            Event::ByeGiven(e) => About::Bye(e.round, e.player),
            Event::RoundCompleted(e) => About::Completed(e.round),
            Event::PlayerDropped(e) => About::Dropped(e.player),
            Event::PhaseEnded(e) => About::PhaseEnded(e.phase),
            Event::TournamentClosed(_) => About::Closed,
            _ => return None,
        })
    }

    /// The same of another player in the place of one; none where it is not about that one.
    fn of_another(&self, one: PlayerNumber, other: PlayerNumber) -> Option<About> {
        Some(match self {
            About::Pairing(round, players) if players.contains(&one) => {
                let put = |player: &PlayerNumber| if *player == one { other } else { *player };
                let mut players: Vec<PlayerNumber> = players.iter().map(put).collect();
                players.sort_unstable();
                About::Pairing(*round, players)
            }
            About::Bye(round, player) if *player == one => About::Bye(*round, other),
            // Who dropped at this desk need not have dropped in the file.
            _ => return None,
        })
    }
}

fn seated(made: &PairingMade) -> Vec<PlayerNumber> {
    let mut players: Vec<_> = made.seats.iter().map(|seat| seat.player).collect();
    players.sort_unstable();
    players
}

/// Who plays first, such as white: the first seat, or whom their role says; none where that is not known.
fn plays_first(mut seats: impl Iterator<Item = (PlayerNumber, u8)>) -> Option<PlayerNumber> {
    let (one, other) = (seats.next()?, seats.next()?);
    Some(if one.1 == 2 || other.1 == 1 { other.0 } else { one.0 })
}

/// What stands of what files are about. What was taken back here is as if it had never been, and a round takes
/// its tables, byes and end along.
fn known(there: &LoadedTournament) -> BTreeMap<About, Seq> {
    let (undone, state) = (there.taken_back(), &there.state);
    let byes: BTreeSet<Seq> = state.byes().map(|bye| bye.seq).collect();
    let rounds = || state.rounds().iter().filter(|round| !round.withdrawn);
    let stands = |about: &About, seq: Seq| match about {
        About::Pairing(..) => state.match_at(seq).is_some(),
        About::Bye(..) => byes.contains(&seq),
        About::Round(_) => rounds().any(|round| round.opened == seq),
        About::Completed(_) => rounds().any(|round| round.completed == Some(seq)),
        _ => !undone.contains_key(&seq),
    };
    let all = there.log.iter().filter_map(|(header, event)| Some((About::of(event)?, header.seq)));
    all.filter(|(about, seq)| stands(about, *seq)).collect()
}

/// What a file that was prepared brings to its tournament, of which an older version is there.
///
/// # Errors
/// Where the file takes back what was recorded, or what it brings cannot follow; with what to do.
pub fn renewed(there: &LoadedTournament, prepared: &Prepared) -> Result<Renewed, AddError> {
    let mut known = known(there);
    // What was typed at this desk is not in the file yet, and no file takes it back by not knowing of it.
    let ours: BTreeSet<Seq> = built_on(there).map(|(header, _)| header.seq).collect();
    let mut bringing = Bringing {
        there,
        prepared,
        numbers: numbers(there, prepared),
        state: (*there.state).clone(),
        renewed: Renewed::default(),
        next_entry: there.book.next_number()?,
        pairings: BTreeMap::new(),
        resulted: BTreeSet::new(),
        said_before: said_before(there, &ours),
        people: People::of(there, prepared, &ours),
        ours,
        may_be_mended: false,
        moved: BTreeSet::new(),
        paired: BTreeMap::new(),
    };
    let mended = bringing.mended(&known).unwrap_or_default();
    bringing.may_be_mended = !mended.is_empty();
    let is_built_on = !bringing.ours.is_empty();
    let cannot = |why: String| AddError::CannotRenew {
        file: prepared.source.file.clone(),
        title: there.title(),
        id: short_id(there.stream),
        why: why + &mended,
        is_built_on,
    };
    if bringing.has_nobody_in_common() {
        let why = "nobody of its players is enrolled here: it may be another tournament of that title and day, which a \
                   title or a day of its own in the file tells apart";
        return Err(cannot(why.into()));
    }
    let words = format!("{READ_AGAIN}{}", prepared.source.file);
    let note = bringing.words(Field::Note, &words).map_err(&cannot)?;
    bringing.push(NoteAdded { note, about: None }.into()).map_err(&cannot)?;
    let phase_gone = bringing.phase_gone(&known, |_| false);
    let begun_early = bringing.phase_gone(&known, |phase| bringing.begins_elsewhere(phase));
    // What cannot follow comes of that.
    let cannot_follow = |why: String| cannot(begun_early.clone().unwrap_or(why));
    bringing.open_again(&mut known).map_err(&cannot_follow)?;
    let mut gone = known.clone();
    gone.retain(|_, seq| !bringing.ours.contains(seq));
    bringing.pair_again(&mut gone).map_err(&cannot)?;
    let moved = bringing.move_tables(&known).map_err(&cannot)?;
    let turned = bringing.turn_tables(&known, &moved).map_err(&cannot)?;
    for about in moved.into_iter().chain(turned) {
        known.remove(&about);
        gone.remove(&about);
        bringing.moved.insert(about);
    }
    bringing.bring_back(&mut gone).map_err(&cannot)?;
    // Once more behind it: a table that is paired again makes room only then.
    bringing.remove_who_is_gone(&mut gone).map_err(&cannot)?;
    for (at, event) in (1..).zip(&prepared.events) {
        if let Some(about) = bringing.bring(at, event, &known).map_err(&cannot_follow)? {
            gone.remove(&about);
        }
    }
    bringing.requests_that_are_gone().map_err(&cannot)?;
    bringing.remove_who_is_gone(&mut gone).map_err(&cannot)?;
    // The end of its round goes with a result.
    if let Some(error) = bringing.result_gone() {
        return Err(error);
    }
    if let Some(why) = phase_gone {
        return Err(cannot(why));
    }
    if let Some((about, seq)) = gone.first_key_value() {
        let way = bringing.way_back(*seq);
        return Err(cannot(format!("it takes back {}{way}", bringing.told(about))));
    }
    bringing.tell_ends();
    bringing.tell_other_numbers();
    Ok(bringing.renewed)
}

/// For each player of the file the number that they have in the store; a new one gets the next. A player is
/// known by name, of two who share one by the publisher's id or in their order; and one whose name was mended by
/// that id.
pub(crate) fn numbers(there: &LoadedTournament, prepared: &Prepared) -> Vec<PlayerNumber> {
    type Key = fn(&str, &str) -> Option<(String, String)>;
    const KEYS: [Key; 3] = [
        |name, id| Some((folded(name), id.into())),
        |name, _| Some((folded(name), String::new())),
        |_, id| (!id.is_empty()).then(|| (String::new(), id.into())),
    ];
    let (all, players) = (there.state.players(), &prepared.source.players);
    let mut found: Vec<Option<PlayerNumber>> = vec![None; players.len()];
    for key in KEYS {
        let taken: BTreeSet<PlayerNumber> = found.iter().flatten().copied().collect();
        let mut left: BTreeMap<(String, String), Vec<PlayerNumber>> = BTreeMap::new();
        for (number, player) in (1..).zip(all).collect::<Vec<_>>().into_iter().rev() {
            let id = player.publisher_id.map_or(String::new(), |id| text_or(&there.book, &id, ""));
            let key = key(&text_or(&there.book, &player.name, ""), &id);
            let is_left = !player.withdrawn && !taken.contains(&number);
            left.entry(key.filter(|_| is_left).unwrap_or_default()).or_default().push(number);
        }
        left.remove(&(String::new(), String::new()));
        for (found, player) in found.iter_mut().zip(players).filter(|(found, _)| found.is_none()) {
            let key = key(&player.name, player.publisher_id.as_deref().unwrap_or_default());
            *found = key.and_then(|key| left.get_mut(&key)?.pop());
        }
    }
    let mut next = all.len() as PlayerNumber;
    let number = |found: Option<PlayerNumber>| {
        found.unwrap_or_else(|| {
            next += 1;
            next
        })
    };
    found.into_iter().map(number).collect()
}

/// A match that has another table in the file.
struct Move {
    about: About,
    /// Its pairing in the store.
    seq: Seq,
    /// Its table here, in words.
    from: String,
    /// Its table in the file.
    to: u32,
    /// Why it stays at its table all the same; none: it can be paired anew.
    stays: Option<&'static str>,
}

struct Bringing<'a> {
    there: &'a LoadedTournament,
    prepared: &'a Prepared,
    numbers: Vec<PlayerNumber>,
    state: Tournament,
    renewed: Renewed,
    next_entry: u32,
    /// By the place of a pairing in the file its seq in the store.
    pairings: BTreeMap<Seq, Seq>,
    /// The pairings of which the file has a result.
    resulted: BTreeSet<Seq>,
    /// What was recorded here.
    ours: BTreeSet<Seq>,
    /// The results that the file's older versions had, by pairing.
    said_before: BTreeMap<Seq, MatchResult>,
    /// Who is known by what.
    people: People,
    /// Whether a name may be mended in the file: then that is put right, and nothing is taken back for it.
    may_be_mended: bool,
    /// The pairings that are made again at another table.
    moved: BTreeSet<About>,
    /// What is paired anew in a round that was there: where that is told, the tables and the byes.
    paired: BTreeMap<RoundNumber, (usize, [usize; 2])>,
}

/// By what the players of a file and those of the store are known.
struct People {
    /// The rating and the id that the file's older versions had.
    said_before: BTreeMap<PlayerNumber, (Option<i32>, Option<Commitment>)>,
    /// How often a name, or an id behind nothing, stands in the store and in the file.
    counts: BTreeMap<(String, String), [usize; 2]>,
}

impl People {
    fn of(there: &LoadedTournament, prepared: &Prepared, ours: &BTreeSet<Seq>) -> People {
        let (mut said_before, mut counts) = (BTreeMap::new(), BTreeMap::new());
        for (header, event) in &there.log {
            match event {
                Event::PlayerEnrolled(e) => {
                    said_before.insert(e.player, (e.rating, e.publisher_id));
                }
                Event::PlayerRated(e) if !ours.contains(&header.seq) => {
                    said_before.entry(e.player).or_default().0 = e.rating;
                }
                Event::PlayerIdCorrected(e) if !ours.contains(&header.seq) => {
                    said_before.entry(e.player).or_default().1 = e.publisher_id;
                }
                _ => {}
            }
        }
        let mut count = |key: (String, String), at: usize| {
            counts.entry(key).or_insert([0, 0])[at] += 1;
        };
        for player in there.state.players().iter().filter(|player| !player.withdrawn) {
            count(named(&text_or(&there.book, &player.name, "")), 0);
            if let Some(id) = player.publisher_id {
                count(with_id(&text_or(&there.book, &id, "")), 0);
            }
        }
        for player in &prepared.source.players {
            count(named(&player.name), 1);
            player.publisher_id.iter().for_each(|id| count(with_id(id), 1));
        }
        People { said_before, counts }
    }

    /// Whether a name says without doubt who somebody is, and nobody else has the id that they have now.
    fn are_sure_of(&self, as_in: &SourcePlayer, id: &str) -> bool {
        let count = |key| self.counts.get(&key).copied().unwrap_or_default();
        count(named(&as_in.name)) == [1, 1] && count(with_id(id)) == [0, 1]
    }
}

fn named(name: &str) -> (String, String) {
    (folded(name), String::new())
}

fn with_id(id: &str) -> (String, String) {
    (String::new(), folded(id))
}

/// The commands that take events back, one after the other.
fn in_words(all: &[Seq]) -> String {
    let one = |seq: &Seq| format!("`withdraw {seq} --reason <why>`");
    all.iter().map(one).collect::<Vec<_>>().join(", then ")
}

/// What is to be withdrawn for an event to be: that one alone, or at most so many that build on it before it, such
/// as the end of its round before a result, or the closing before an end. The state goes along.
fn withdrawals(state: &mut Tournament, event: Seq, most: usize) -> Option<Vec<Seq>> {
    let reason = Commitment { number: 0, digest: [0; 32] };
    let (mut waiting, mut all, closed) = (vec![event], Vec::new(), state.closed());
    let mut ends = state.phases().iter().filter_map(|phase| phase.ended);
    let ended = ends.find(|ended| Some(ended + 1) == closed);
    while let Some(seq) = waiting.pop() {
        let event = Withdrawn { seq, reason }.into();
        match validate(state, &event) {
            Ok(()) => {
                state.evolve(&event);
                all.push(seq);
            }
            Err(Rejection::StillNeeded { by, .. }) if waiting.len() + all.len() < most => {
                waiting.extend([seq, by]);
            }
            // What is closed is opened first.
            Err(Rejection::Closed) if waiting.len() + all.len() < most => {
                waiting.extend([seq, state.closed()?]);
            }
            Err(_) => return None,
        }
    }
    // With the closing the end of the phase that came with it is taken back.
    if closed.is_some_and(|closed| all.contains(&closed)) {
        all.retain(|seq| Some(*seq) != ended);
    }
    Some(all)
}

/// Whether a match is still to be played, though its round is over: its source has no result of it.
pub(crate) fn is_open(result: &MatchResult) -> bool {
    result.how == How::Unknown && result.is_void()
}

/// How a match of two came out, seat by seat, by its rulings or the first line of its score; none where that
/// does not say it.
pub(crate) fn won(result: &MatchResult) -> Option<[Ruling; 2]> {
    if let [Some(one @ (Ruling::Win | Ruling::Loss | Ruling::Draw)), Some(other)] =
        result.rulings[..]
    {
        return Some([one, other]);
    }
    let [one, other] = &result.score.seats[..] else { return None };
    Some(match one.first()?.cmp(other.first()?) {
        std::cmp::Ordering::Greater => [Ruling::Win, Ruling::Loss],
        std::cmp::Ordering::Less => [Ruling::Loss, Ruling::Win],
        std::cmp::Ordering::Equal => [Ruling::Draw, Ruling::Draw],
    })
}

/// Whether a result that stands and one of a file, which may say only who won, are no two.
pub(crate) fn says_the_same(stands: &MatchResult, in_file: &MatchResult) -> bool {
    let has_no_other_score = stands.score == in_file.score || !stands.rulings.is_empty();
    has_no_other_score && won(stands).is_some() && won(stands) == won(in_file)
}

/// A result of one order of seats in another one.
pub(crate) fn turned(
    result: &MatchResult,
    from: &[PlayerNumber],
    to: &[PlayerNumber],
) -> MatchResult {
    let at = |player: &PlayerNumber| from.iter().position(|one| one == player);
    let order: Vec<usize> = to.iter().filter_map(at).collect();
    let mut seated = result.clone();
    turn(&mut seated.score.seats, &order);
    turn(&mut seated.rulings, &order);
    for part in &mut seated.parts {
        turn(&mut part.score.seats, &order);
        turn(&mut part.rulings, &order);
    }
    seated
}

/// What each seat has, in another order of the seats.
fn turn<T: Clone>(seats: &mut [T], order: &[usize]) {
    let was = seats.to_vec();
    if was.len() == order.len() {
        seats.iter_mut().zip(order).for_each(|(seat, at)| seat.clone_from(&was[*at]));
    }
}

/// The results that came out of files, the last one of each pairing.
fn said_before(there: &LoadedTournament, ours: &BTreeSet<Seq>) -> BTreeMap<Seq, MatchResult> {
    let undone = there.taken_back();
    let of_files = there
        .log
        .iter()
        .filter(|(header, _)| !ours.contains(&header.seq) && !undone.contains_key(&header.seq));
    let results = of_files.filter_map(|(_, event)| match event {
        Event::ResultRecorded(e) => Some((e.pairing, e.result.clone())),
        Event::ResultCorrected(e) => Some((e.pairing, e.result.clone())),
        _ => None,
    });
    results.collect()
}

impl Bringing<'_> {
    fn push(&mut self, event: Event) -> Result<Seq, String> {
        validate(&self.state, &event).map_err(|why| self.why(&why))?;
        self.state.evolve(&event);
        self.renewed.events.push(event);
        Ok(self.state.head())
    }

    /// Why an event cannot follow, with the name of whom it is about, and with what makes room for them.
    fn why(&self, why: &Rejection) -> String {
        let text = why.to_string();
        let (player, room) = match *why {
            Rejection::TwiceInRound { player, round } => (player, self.room(player, round)),
            Rejection::NotTakingPart { player, .. } => (player, String::new()),
            Rejection::Closed => return text + &self.opening(),
            Rejection::NoSuchPhase { phase } => return text + &self.going_on(phase),
            Rejection::RoundCompleted { round } => return text + &self.open_round(round),
            _ => return text,
        };
        text.replacen(&format!("player {player}"), &self.name(player), 1) + &room
    }

    /// What opens a tournament again that was closed; empty where it is open.
    fn opening(&self) -> String {
        let closed = self.there.state.closed();
        closed.map_or(String::new(), |seq| format!("; {} opens it again here", in_words(&[seq])))
    }

    /// What opens a round again that is over here, such as one that was paired otherwise since; empty where nothing does.
    fn open_round(&self, round: RoundNumber) -> String {
        let state = &self.there.state;
        let rounds = state.rounds().iter().filter(|one| one.number == round && !one.withdrawn);
        let completed = rounds.rev().find_map(|one| one.completed);
        let all = completed.and_then(|seq| withdrawals(&mut (**state).clone(), seq, BACK));
        all.map_or(String::new(), |all| format!("; {} opens it again here", in_words(&all)))
    }

    /// What lets a phase go on that is over here; empty where nothing does.
    fn going_on(&self, phase: u16) -> String {
        let state = &self.there.state;
        let ended = state.phase(phase).and_then(|phase| phase.ended);
        let all = ended.filter(|_| !self.may_be_mended);
        let all = all.and_then(|ended| withdrawals(&mut (**state).clone(), ended, BACK));
        all.map_or(String::new(), |all| format!("; {} lets it go on here", in_words(&all)))
    }

    /// How the table is free that a player has in a round: a match without a result is paired again, and what was paired
    /// here is taken back. Empty where it cannot be.
    fn room(&self, player: PlayerNumber, round: RoundNumber) -> String {
        if self.may_be_mended {
            return String::new();
        }
        let is_theirs = |found: &MatchView<'_>| {
            found.round().number == round && found.seats().iter().any(|seat| seat.player == player)
        };
        let found = self.state.matches().find(is_theirs).map(|found| found.seq());
        let of_round = |index: u32| self.state.rounds()[index as usize].number == round;
        let bye = self.state.byes().find(|bye| bye.player == player && of_round(bye.round));
        let place = found.or(bye.map(|bye| bye.seq));
        if let Some(own) = place.filter(|seq| self.ours.contains(seq)) {
            let called = match found {
                Some(pairing) => format!("the pairing of {}", self.called(pairing)),
                None => format!("the bye of {}", self.name(player)),
            };
            let all = withdrawals(&mut (*self.there.state).clone(), own, BACK);
            return all.map_or(String::new(), |all| {
                format!("; {} takes back {called} here, and makes room", in_words(&all))
            });
        }
        let way = found.and_then(|pairing| {
            let all = self.without_result(pairing, |_| false)?;
            (!all.is_empty()).then(|| (self.called(pairing), in_words(&all)))
        });
        way.map_or(String::new(), |(called, all)| {
            format!("; {all} takes back the result of {called} here, and makes room")
        })
    }

    fn words(&mut self, field: Field, text: &str) -> Result<Commitment, String> {
        let entry = PrivateEntry::new(self.next_entry, field, text, &mut system_salt)
            .map_err(|why| why.to_string())?;
        self.next_entry += 1;
        let commitment = commit(self.there.stream, &entry);
        self.renewed.private.push(entry);
        Ok(commitment)
    }

    /// What the file says of the tournament, each as what it is about.
    fn in_file(&self) -> BTreeSet<About> {
        let events = self.prepared.events.iter();
        events.filter_map(|event| About::of(&self.numbered(event))).collect()
    }

    /// What there is to say where one player is missing in the file, and a new one sits in all of their places: that
    /// may be a name that was mended.
    fn mended(&self, known: &BTreeMap<About, Seq>) -> Option<String> {
        let all = self.there.state.players();
        let mut missing = (1..)
            .zip(all)
            .filter(|(number, player)| !player.withdrawn && !self.numbers.contains(number));
        let mut new = self.numbers.iter().filter(|number| **number as usize > all.len());
        let ((one, _), None) = (missing.next()?, missing.next()) else { return None };
        let (other, None) = (*new.next()?, new.next()) else { return None };
        let in_file = self.in_file();
        let mut places = known.keys().filter_map(|about| about.of_another(one, other)).peekable();
        places.peek()?;
        places.all(|about| in_file.contains(&about)).then(|| {
            let (was, is, id) = (self.there.name(one), self.name(other), short_id(self.there.stream));
            format!(
                ". {is} sits in all places of {was}: if that is the name mended, `scrutineer rename \"{was}\" \
                 \"{is}\" --tournament {id}`, and import it again"
            )
        })
    }

    fn name(&self, player: PlayerNumber) -> String {
        let at = self.numbers.iter().position(|number| *number == player);
        at.map_or_else(
            || self.there.name(player).to_string(),
            |at| self.prepared.source.players[at].name.clone(),
        )
    }

    /// An event of the file with the numbers of the store.
    fn numbered(&self, event: &Event) -> Event {
        let mut event = event.clone();
        event.each_ref(&mut |reference| match reference {
            Ref::Player(player) => {
                *player = self.numbers.get(*player as usize - 1).copied().unwrap_or(*player);
            }
            Ref::Event(seq) => *seq = self.pairings.get(seq).copied().unwrap_or(*seq),
            Ref::Words(..) => {}
        });
        event
    }

    /// The same with words of the store's own book.
    fn put_over(&mut self, event: &Event) -> Result<Event, String> {
        let mut event = self.numbered(event);
        let mut made = Vec::new();
        for (field, commitment) in event.commitments() {
            let text = self.prepared.text(commitment.number).to_string();
            made.push(self.words(field, &text)?);
        }
        let mut made = made.into_iter();
        event.each_ref(&mut |reference| {
            if let Ref::Words(_, commitment) = reference {
                *commitment = made.next().unwrap_or(*commitment);
            }
        });
        Ok(event)
    }

    /// Brings an event of the file; says what it is about, where that is there already.
    fn bring(
        &mut self,
        at: Seq,
        event: &Event,
        known: &BTreeMap<About, Seq>,
    ) -> Result<Option<About>, String> {
        match event {
            Event::TournamentOpened(_) | Event::Imported(_) => return Ok(None),
            Event::PlayerEnrolled(enrolled) => {
                return self.enroll(event, enrolled.player).map(|()| None);
            }
            Event::ResultRecorded(recorded) => {
                let pairing = self.pairings.get(&recorded.pairing).copied();
                let Some(pairing) = pairing else { return Ok(None) };
                // A match that was postponed has none: one that the file had before is not taken back so.
                let had_one = self.said_before.get(&pairing).is_some_and(|said| !is_open(said));
                if had_one && is_open(&recorded.result) {
                    return Ok(None);
                }
                self.resulted.insert(pairing);
                let result = self.as_seated(recorded.pairing, pairing, &recorded.result);
                return self.result(pairing, result).map(|()| None);
            }
            Event::LotsDrawn(lots) => {
                let order: Vec<_> =
                    lots.order.iter().map(|one| self.numbers[*one as usize - 1]).collect();
                let before = self.state.lots().map_or(&[][..], |lots| &lots.order);
                let stands = before.get(lots.first_place as usize - 1..);
                if !stands.is_some_and(|stands| stands.starts_with(&order)) {
                    let event = self.put_over(event)?;
                    self.push(event)?;
                }
                return Ok(None);
            }
            Event::PlayerDescribed(_) => {
                let event = self.numbered(event);
                let Event::PlayerDescribed(said) = &event else { return Ok(None) };
                let known = self.state.player(said.player);
                let is_said =
                    |one: &Player| (&one.title, &one.federation) == (&said.title, &said.federation);
                if !known.is_some_and(is_said) {
                    self.push(event)?;
                }
                return Ok(None);
            }
            Event::DivisionRounds(said) => {
                if self.state.rounds_of_division(&said.division) != said.rounds {
                    self.push(event.clone())?;
                }
                return Ok(None);
            }
            Event::ByeRequested(_) => {
                let event = self.numbered(event);
                let Event::ByeRequested(asked) = &event else { return Ok(None) };
                return self.request(*asked).map(|()| None);
            }
            _ => {}
        }
        let Some(about) = About::of(&self.numbered(event)) else { return Ok(None) };
        self.refuse_other_kind(event)?;
        // Whoever is back and leaves once more leaves anew.
        let is_back = matches!(about, About::Dropped(player)
            if self.state.player(player).is_some_and(|one| one.dropped().is_none()));
        if let Some(seq) = known.get(&about).filter(|_| !is_back) {
            if self.is_of_standings() && self.is_other_row(event, *seq) {
                let words = format!("{} has it otherwise", self.prepared.source.file);
                let reason = self.words(Field::Reason, &words)?;
                self.push(Withdrawn { seq: *seq, reason }.into())?;
                let row = self.put_over(event)?;
                self.push(row)?;
                let told = format!("{} is corrected", self.told(&about));
                self.renewed.told.push(told);
            }
            if let Some((stands, _)) = self.bye_otherwise(event, known) {
                self.give_otherwise(event, *seq, stands)?;
            }
            if matches!(event, Event::PlayerDropped(_))
                && let Event::PlayerDropped(dropped) = self.numbered(event)
            {
                self.rule_otherwise(dropped, *seq)?;
            }
            if matches!(event, Event::PairingMade(_)) {
                self.pairings.insert(at, *seq);
            }
            return Ok(Some(about));
        }
        if let About::Pairing(round, players) = &about {
            players.iter().try_for_each(|player| self.seat(*player, *round))?;
        } else if let About::Bye(round, player) = &about {
            self.seat(*player, *round)?;
        }
        let is_out = matches!(event, Event::PlayerDropped(e) if e.why == DropReason::Disqualified);
        let mut event = self.put_over(event)?;
        if let Event::PairingMade(made) = &mut event {
            self.counts_on(made);
        }
        let seq = self
            .push(event)
            .map_err(|why| format!("{} cannot follow: {why}", self.told(&about)))?;
        if let About::Pairing(..) = about {
            self.pairings.insert(at, seq);
        }
        let is_row = matches!(about, About::Bye(..)) && self.is_of_standings();
        let is_told =
            matches!(about, About::Round(_) | About::Dropped(_) | About::Closed | About::Phase(..));
        if is_row || is_told {
            let told = match &about {
                About::Dropped(player) if is_out => {
                    format!("{} is disqualified", self.name(*player))
                }
                about => self.told(about),
            };
            self.renewed.told.push(told);
        } else if let About::Pairing(round, _) | About::Bye(round, _) = about
            && known.contains_key(&About::Round(round))
            && !self.moved.contains(&about)
        {
            self.tell_paired(round, matches!(about, About::Bye(..)));
        }
        Ok(known.contains_key(&about).then_some(about))
    }

    /// Refuses a phase that is played otherwise in the file: nothing changes how one is played that was begun.
    fn refuse_other_kind(&self, event: &Event) -> Result<(), String> {
        let Event::PhaseStarted(started) = event else { return Ok(()) };
        let known = self.there.state.phase(started.phase).filter(|phase| !phase.withdrawn);
        match known.filter(|known| known.kind != started.kind) {
            None => Ok(()),
            Some(known) => Err(format!(
                "phase {} is a {} in it, and a {} here: `scrutineer tournaments remove` makes room for importing it anew",
                started.phase, started.kind, known.kind
            )),
        }
    }

    /// Whether somebody who is out was disqualified in the file and only left here, or the other way: the one takes no
    /// place. What was ruled here since stands until the file says something new.
    fn is_ruled_otherwise(&self, dropped: &PlayerDropped) -> bool {
        let is_out = |why: DropReason| why == DropReason::Disqualified;
        let says = is_out(dropped.why);
        let stands = self.state.player(dropped.player).and_then(Player::dropped);
        if stands.is_none_or(|(why, _)| is_out(why) == says) {
            return false;
        }
        let undone = self.there.taken_back();
        let in_file = |(header, event): &(Header, Event)| match event {
            Event::PlayerDropped(e)
                if e.player == dropped.player
                    && !self.ours.contains(&header.seq)
                    && !undone.contains_key(&header.seq) =>
            {
                Some(is_out(e.why))
            }
            _ => None,
        };
        let said_before = self.there.log.iter().rev().find_map(in_file);
        said_before.map_or(says, |before| before != says)
    }

    /// Records that somebody left as the file has it now, in the place of how they left here.
    fn rule_otherwise(&mut self, dropped: PlayerDropped, stands: Seq) -> Result<(), String> {
        if !self.is_ruled_otherwise(&dropped) {
            return Ok(());
        }
        let told = match dropped.why {
            DropReason::Disqualified => format!("{} is disqualified", self.name(dropped.player)),
            _ => format!("{} drops, and is not disqualified", self.name(dropped.player)),
        };
        let words = format!("{} has it otherwise", self.prepared.source.file);
        let reason = self.words(Field::Reason, &words)?;
        self.push(Withdrawn { seq: stands, reason }.into())
            .and_then(|_| self.push(dropped.into()))
            .map_err(|why| format!("{told}, which cannot follow: {why}"))?;
        self.renewed.told.push(told);
        Ok(())
    }

    /// Tells in one line for each round what is paired anew where the round was there already, such as the tables of
    /// a division that begins it later.
    fn tell_paired(&mut self, round: RoundNumber, is_bye: bool) {
        let told = &mut self.renewed.told;
        let (at, count) = self.paired.entry(round).or_insert((told.len(), [0, 0]));
        count[usize::from(is_bye)] += 1;
        let line = match *count {
            [0, byes] => {
                let is = if byes == 1 { "is" } else { "are" };
                format!("{} in round {round} {is} given", counted(byes, "bye"))
            }
            [1, 0] => format!("1 table of round {round} is paired"),
            [tables, 0] => format!("{tables} tables of round {round} are paired"),
            [tables, byes] => {
                let (tables, byes) = (counted(tables, "table"), counted(byes, "bye"));
                format!("{tables} and {byes} of round {round} are paired")
            }
        };
        match told.get_mut(*at) {
            Some(before) => *before = line,
            None => told.push(line),
        }
    }

    /// Tables of a file without numbers are counted through: where that number is another one's here, since the
    /// round was paired otherwise before, the first free one is theirs.
    fn counts_on(&self, made: &mut PairingMade) {
        let is_counted = self.prepared.source.unknown.contains(&UnknownFact::Tables);
        let is_taken = |table| self.state.at_table(made.round, table).is_some();
        if made.table.is_some_and(|table| is_counted && is_taken(table)) {
            made.table = (1..=TABLE).find(|table| !is_taken(*table));
        }
    }

    /// Whoever dropped at this desk and is paired in the file takes part again.
    fn seat(&mut self, player: PlayerNumber, round: RoundNumber) -> Result<(), String> {
        let one = self.state.player(player).filter(|one| !one.takes_part_in(round));
        if let Some((why, _)) = one.and_then(Player::dropped) {
            let name = self.name(player);
            // That is a ruling, which no file takes back.
            if why == DropReason::Disqualified {
                return Err(format!(
                    "it pairs {name}, who was disqualified here: take them out there, or `reinstate` \
                     them here"
                ));
            }
            self.push(PlayerReinstated { player, from_round: round }.into())
                .map_err(|why| format!("{name} cannot come back: {why}"))?;
            self.renewed.told.push(format!("{name} is back: the file pairs them in round {round}"));
        }
        Ok(())
    }

    fn enroll(&mut self, event: &Event, own: PlayerNumber) -> Result<(), String> {
        let number = self.numbers[own as usize - 1];
        if self.state.player(number).is_some() {
            let as_in = &self.prepared.source.players[own as usize - 1];
            self.rename(number, as_in)?;
            return self.put_right(number, as_in);
        }
        let mut event = self.put_over(event)?;
        if let Event::PlayerEnrolled(enrolled) = &mut event {
            // They were not there before, nor in a round for which they were given a loss since they came late.
            let first = self.prepared.events.iter().find_map(|event| match event {
                Event::PairingMade(e) if e.seats.iter().any(|seat| seat.player == own) => {
                    Some(e.round)
                }
                Event::ByeGiven(e) if e.player == own && e.kind != ByeKind::AwardedLoss => {
                    Some(e.round)
                }
                _ => None,
            });
            let missed = self.prepared.events.iter().rev().find_map(|event| match event {
                Event::ByeGiven(e) if e.player == own => Some(e.round),
                _ => None,
            });
            let next = || self.state.last_round().map_or(1, |round| round.number + 1);
            // The round behind those may be paired already for others, and for them later.
            enrolled.from_round = first.or(missed.map(|last| last + 1)).unwrap_or_else(next);
        }
        let name = self.name(number);
        self.push(event).map_err(|why| format!("{name} cannot come in: {why}"))?;
        self.renewed.told.push(format!("{name} is enrolled"));
        Ok(())
    }

    /// A name that the file has otherwise than before is mended, where the publisher's id says who it is. What
    /// somebody is called here since stays, until the file says something new.
    fn rename(&mut self, player: PlayerNumber, as_in: &SourcePlayer) -> Result<(), String> {
        let is_name = |one: &&(Header, Event)| match &one.1 {
            Event::PlayerEnrolled(e) => e.player == player,
            Event::PlayerIdentified(e) => e.player == player && !self.ours.contains(&one.0.seq),
            _ => false,
        };
        let there = self.there;
        let said_before = match there.log.iter().rfind(is_name).map(|(_, event)| event) {
            Some(Event::PlayerEnrolled(e)) => e.name,
            Some(Event::PlayerIdentified(e)) => e.name,
            _ => return Ok(()),
        };
        let text = |words: Commitment| match there.book.text(&words) {
            Opened::Text(text) => Some(text),
            _ => None,
        };
        let known = self.state.player(player);
        let id = known.and_then(|known| text(known.publisher_id?));
        let called = known.and_then(|known| text(known.name));
        // Whoever was forgotten has no name any more.
        let (Some(before), Some(called)) = (text(said_before), called) else { return Ok(()) };
        if as_in.publisher_id.as_deref().is_none_or(|said| id != Some(said))
            || [before, called].contains(&&as_in.name[..])
        {
            return Ok(());
        }
        let told = format!("{called} is {} from now on", as_in.name);
        let name = self.words(Field::Name, &as_in.name)?;
        self.push(PlayerIdentified { player, name }.into())?;
        self.renewed.told.push(told);
        Ok(())
    }

    /// A rating or an id that the file has otherwise than before is put right, an id where the name says who it is.
    /// What was put right here since stays, until the file says something new; and a file that says none says nothing.
    fn put_right(&mut self, player: PlayerNumber, as_in: &SourcePlayer) -> Result<(), String> {
        let there = self.there;
        let text = |words: Commitment| match there.book.text(&words) {
            Opened::Text(text) => Some(text),
            _ => None,
        };
        let Some(known) = there.state.player(player) else { return Ok(()) };
        let said_before = self.people.said_before.get(&player).copied().unwrap_or_default();
        let mut told = Vec::new();
        let is_new = |rating: &i32| ![known.rating, said_before.0].contains(&Some(*rating));
        if let Some(rating) = as_in.rating.filter(is_new) {
            self.push(PlayerRated { player, rating: Some(rating) }.into())?;
            let was = known.rating.map_or(String::new(), |was| format!(" (was {was})"));
            told.push(format!("the rating {rating}{was}"));
        }
        // Whoever was forgotten has no name and no id any more.
        let is_known =
            text(known.name).is_some() && known.publisher_id.is_none_or(|id| text(id).is_some());
        let is_new = |id: &&str| {
            let has = [known.publisher_id, said_before.1].map(|id| id.and_then(text));
            !id.is_empty() && !has.contains(&Some(*id)) && self.people.are_sure_of(as_in, id)
        };
        if let Some(id) = as_in.publisher_id.as_deref().filter(|id| is_known && is_new(id)) {
            let publisher_id = Some(self.words(Field::PublisherId, id)?);
            self.push(PlayerIdCorrected { player, publisher_id }.into())?;
            told.push(format!("the id {id}"));
        }
        if !told.is_empty() {
            let name = there.name(player);
            self.renewed.told.push(format!("{name} has {}", told.join(" and ")));
        }
        Ok(())
    }

    /// Refuses what the file has no longer a result of, where an older version had one, and says how it goes on.
    fn result_gone(&self) -> Option<AddError> {
        let is_gone = |pairing: &&Seq| {
            let had_one = self.said_before.get(*pairing).is_some_and(|said| !is_open(said));
            let stands = self.state.match_at(**pairing).and_then(MatchView::to_result);
            let has_one = stands.is_some_and(|stands| !is_open(&stands));
            had_one && has_one && !self.resulted.contains(*pairing)
        };
        let found = self.pairings.values().find(is_gone)?;
        let (found, called) = (self.state.match_at(*found)?, self.called(*found));
        let table = found.table().map_or(String::new(), |table| format!(", table {table}"));
        let way = match self.without_result(found.seq(), is_open) {
            Some(all) => format!(
                "enter it there again; or take it back here, and the file is taken: {}",
                in_words(&all)
            ),
            None => {
                let why = match self.there.state.is_closed() {
                    true => "the tournament is closed",
                    false => "later rounds build on it",
                };
                format!("enter it there again: {why}, here it can only be corrected")
            }
        };
        Some(AddError::ResultGone {
            file: self.prepared.source.file.clone(),
            what: format!("{called} (round {}{table})", found.round().number),
            way,
        })
    }

    /// How that is taken back here which the file takes back; empty where it cannot be.
    fn way_back(&self, seq: Seq) -> String {
        let all = withdrawals(&mut (*self.there.state).clone(), seq, BACK);
        // Without their row a player would stand in a list of places with none.
        all.filter(|_| !self.may_be_mended && !self.is_of_standings())
            .map_or(String::new(), |all| format!("; {} takes it back here too", in_words(&all)))
    }

    /// Whether a phase begins with another round in the file.
    fn begins_elsewhere(&self, phase: u16) -> bool {
        let in_file = self.prepared.events.iter().find_map(|event| match event {
            Event::RoundOpened(e) if e.phase == phase => Some(e.round),
            _ => None,
        });
        let mut rounds = self.there.state.rounds().iter();
        let first = rounds.find(|round| round.phase == phase && !round.withdrawn);
        in_file.zip(first).is_some_and(|(in_file, first)| in_file != first.number)
    }

    /// What there is to say where the file does not have a phase that was begun, or has it later, as where that was too
    /// early: the end of the one before, which goes on then, is taken back too. Where that end alone is left, it is
    /// that.
    fn phase_gone(
        &self,
        known: &BTreeMap<About, Seq>,
        is_later: impl Fn(u16) -> bool,
    ) -> Option<String> {
        let in_file = self.in_file();
        let is_gone = |about: &About| match about {
            About::Phase(phase, _) => !in_file.contains(about) || is_later(*phase),
            About::PhaseEnded(phase) => {
                !in_file.contains(about) || is_later(phase.saturating_add(1))
            }
            _ => false,
        };
        let of_files = known.iter().filter(|(_, seq)| !self.ours.contains(seq));
        let gone: Vec<(&About, Seq)> = of_files
            .filter(|(about, _)| is_gone(about))
            .map(|(about, seq)| (about, *seq))
            .collect();
        // The end that came with the closing goes with it.
        let is_closed = self.there.state.is_closed();
        let is_end = |about: &About| !is_closed && matches!(about, About::PhaseEnded(_));
        let begun = gone.iter().find(|(about, _)| matches!(about, About::Phase(..)));
        let (about, seq) = *begun.or_else(|| gone.iter().find(|(about, _)| is_end(about)))?;
        let mut state = (*self.there.state).clone();
        let mut all = withdrawals(&mut state, seq, BACK).unwrap_or_default();
        if let (About::Phase(phase, _), false) = (about, all.is_empty()) {
            let before = About::PhaseEnded(phase.saturating_sub(1));
            let end = gone.iter().find(|(about, _)| **about == before);
            let end = end.and_then(|(_, end)| withdrawals(&mut state, *end, 1));
            all.extend(end.unwrap_or_default());
        }
        let way = match all.is_empty() || self.may_be_mended {
            true => String::new(),
            false => format!("; {} takes it back here too", in_words(&all)),
        };
        Some(format!("it takes back {}{way}", self.told(about)))
    }

    /// What is to be withdrawn for a match to have no result any more, or one that may stay: the result with each that
    /// it replaced, which would stand again, and the end of its round before the first.
    fn without_result(&self, pairing: Seq, stays: fn(&MatchResult) -> bool) -> Option<Vec<Seq>> {
        let (mut state, mut all) = ((*self.there.state).clone(), Vec::new());
        loop {
            let found = state.match_at(pairing)?;
            let goes = found.to_result().is_some_and(|result| !stays(&result));
            match found.result().filter(|_| goes) {
                Some(result) => all.extend(withdrawals(&mut state, result, 1)?),
                None => return Some(all),
            }
        }
    }

    /// Tells of the ends that come in anew where nothing else does. A file that is followed says them whenever it
    /// says a result of the desk, which it may take back.
    fn tell_ends(&mut self) {
        if !self.renewed.told.is_empty() || !self.prepared.is_by_hand {
            return;
        }
        let is_end =
            |event: &&Event| matches!(event, Event::RoundCompleted(_) | Event::PhaseEnded(_));
        let ends = self.renewed.events.iter().filter(is_end).filter_map(About::of);
        let told = ends.map(|about| format!("{} is recorded", self.told(&about))).collect();
        self.renewed.told = told;
    }

    /// A file of which every result was in closed the tournament, or its last round: where a newer one has further
    /// rounds, further matches of that round or other rows of standings, a bye counts otherwise, or somebody leaves or is
    /// back, it goes on.
    fn open_again(&mut self, known: &mut BTreeMap<About, Seq>) -> Result<(), String> {
        let last = self.state.last_round().map(|round| (round.number, round.phase));
        let (last, phase_of_last) = last.unwrap_or_default();
        let is_unknown = |event: &Event| {
            let about = About::of(&self.numbered(event));
            about.is_some_and(|about| !known.contains_key(&about))
        };
        let is_match_of_last = |event: &Event| match event {
            Event::PairingMade(e) => e.round == last && is_unknown(event),
            _ => false,
        };
        let has_more = self.prepared.events.iter().any(is_match_of_last);
        let further = self.prepared.events.iter().find_map(|event| match event {
            Event::RoundOpened(e) if e.round > last => Some(e.phase),
            Event::ByeGiven(_) if self.is_of_standings() => {
                let about = About::of(&self.numbered(event))?;
                let is_other = known.get(&about).is_none_or(|seq| self.is_other_row(event, *seq));
                is_other.then_some(1)
            }
            _ => None,
        });
        let is_out = |player: &PlayerNumber| {
            self.state.player(*player).is_some_and(|one| one.dropped().is_some())
        };
        // Whoever left, or was disqualified, takes part no longer before the end.
        let leaves = |event: &Event| match self.numbered(event) {
            Event::PlayerDropped(e) => {
                self.state.player(e.player).is_some_and(|one| one.dropped().is_none())
                    || self.is_ruled_otherwise(&e)
            }
            _ => false,
        };
        let has_more_to_say = has_more
            || self.prepared.events.iter().any(leaves)
            || self.prepared.events.iter().any(|event| self.bye_otherwise(event, known).is_some())
            || self.who_are_back(known).iter().any(is_out);
        let Some(phase) = further.or(has_more_to_say.then_some(phase_of_last)) else {
            return Ok(());
        };
        let closed = self.state.closed().filter(|seq| !self.ours.contains(seq));
        if self.state.closed().is_some() && closed.is_none() {
            return Ok(());
        }
        let mut undone: Vec<Seq> = closed.into_iter().collect();
        if closed.is_some() {
            known.remove(&About::Closed);
            undone.extend(known.remove(&About::PhaseEnded(phase)));
        }
        if has_more {
            undone.extend(known.remove(&About::Completed(last)));
        }
        if undone.is_empty() {
            return Ok(());
        }
        let reason =
            self.words(Field::Reason, &format!("{} goes on", self.prepared.source.file))?;
        for seq in undone {
            self.push(Withdrawn { seq, reason }.into())?;
        }
        Ok(())
    }

    /// Whether there are standings alone, with a row for each player in the place of a bye.
    fn is_of_standings(&self) -> bool {
        let opened = self.state.opened();
        opened.is_some_and(|opened| opened.scoresheet.seat_line(standings::PLACE) == Some(0))
            && self.state.matches().next().is_none()
    }

    /// Whether the row of a player is another one than stands.
    fn is_other_row(&self, event: &Event, seq: Seq) -> bool {
        let log = &self.there.log;
        let at = log.binary_search_by_key(&seq, |(header, _)| header.seq);
        match (event, at.ok().map(|at| &log[at])) {
            (Event::ByeGiven(bye), Some((_, Event::ByeGiven(stands)))) => {
                bye.reported != stands.reported
            }
            _ => false,
        }
    }

    /// A bye that the file says somebody asked for, in the place of another one of that round.
    fn request(&mut self, asked: ByeRequested) -> Result<(), String> {
        let ByeRequested { player, round, kind } = asked;
        if round < self.state.next_round_number()
            || self.state.bye_requested(player, round) == Some(kind)
        {
            return Ok(());
        }
        self.take_back_request(player, round)?;
        let name = self.name(player);
        self.push(asked.into())
            .map_err(|why| format!("{name} cannot have a {kind} in round {round}: {why}"))?;
        self.renewed.told.push(format!("{name} asks for a {kind} in round {round}"));
        Ok(())
    }

    fn take_back_request(
        &mut self,
        player: PlayerNumber,
        round: RoundNumber,
    ) -> Result<(), String> {
        let is_it = |one: &ByeRequested| (one.player, one.round) == (player, round);
        let found = self.state.bye_requests().iter().find(|(_, one)| is_it(one));
        let Some(seq) = found.map(|(seq, _)| *seq) else { return Ok(()) };
        let words = format!("{} has it otherwise", self.prepared.source.file);
        let reason = self.words(Field::Reason, &words)?;
        self.push(Withdrawn { seq, reason }.into()).map(drop)
    }

    /// Byes of rounds to come that an older version of the file had, and this one has no longer.
    fn requests_that_are_gone(&mut self) -> Result<(), String> {
        let of_file = self.prepared.events.iter().filter_map(|event| match event {
            Event::ByeRequested(e) => Some((self.numbers[e.player as usize - 1], e.round)),
            _ => None,
        });
        let of_file: BTreeSet<(PlayerNumber, RoundNumber)> = of_file.collect();
        let gone = self.state.byes_to_come().filter(|(seq, one)| {
            !self.ours.contains(seq) && !of_file.contains(&(one.player, one.round))
        });
        for (player, round) in gone.map(|(_, one)| (one.player, one.round)).collect::<Vec<_>>() {
            self.take_back_request(player, round)?;
            let name = self.name(player);
            self.renewed.told.push(format!("{name} plays in round {round}"));
        }
        Ok(())
    }

    /// A result with the seats in the order in which they stand in the store.
    fn as_seated(&self, of_file: Seq, pairing: Seq, result: &MatchResult) -> MatchResult {
        let made = of_file.checked_sub(1).map(|at| &self.prepared.events[at as usize]);
        let from: Vec<PlayerNumber> = match made {
            Some(Event::PairingMade(made)) => {
                made.seats.iter().map(|seat| self.numbers[seat.player as usize - 1]).collect()
            }
            _ => Vec::new(),
        };
        let found = self.state.match_at(pairing);
        let to: Vec<PlayerNumber> =
            found.map_or(Vec::new(), |found| found.seats().iter().map(|one| one.player).collect());
        turned(result, &from, &to)
    }

    fn result(&mut self, pairing: Seq, result: MatchResult) -> Result<(), String> {
        let Some(found) = self.state.match_at(pairing) else { return Ok(()) };
        let (round, was, stands) = (found.round().number, found.result(), found.to_result());
        // What is open in the file says nothing of what was typed here.
        if was.is_some() && is_open(&result) {
            return Ok(());
        }
        // What somebody corrected here since stands until the file says something new.
        let is_old = was.is_some() && self.said_before.get(&pairing) == Some(&result);
        // What was typed here says how it ended, and the file who won: that is no other result.
        let is_ours = was.is_some_and(|seq| self.ours.contains(&seq));
        let is_same = stands.as_ref().is_some_and(|stands| says_the_same(stands, &result));
        if stands.as_ref() == Some(&result) || is_old || (is_ours && is_same) {
            return Ok(());
        }
        let table = self.called(pairing);
        match was {
            Some(replaces) => {
                let words = format!("{} has it otherwise", self.prepared.source.file);
                let reason = self.words(Field::Reason, &words)?;
                let event = ResultCorrected { pairing, replaces, result, reason, dispute: None };
                self.push(event.into()).map_err(|why| {
                    format!("the result of {table} in round {round} cannot be corrected: {why}")
                })?;
                let became =
                    if stands.as_ref().is_some_and(is_open) { "recorded" } else { "corrected" };
                self.renewed
                    .told
                    .push(format!("the result of {table} in round {round} is {became}"));
                Ok(())
            }
            None => {
                let told = match is_open(&result) {
                    true => format!("{table} in round {round} is to be played later"),
                    false => format!("the result of {table} in round {round} is recorded"),
                };
                let event = ResultRecorded { pairing, result };
                self.push(event.into()).map_err(|why| {
                    format!("the result of {table} in round {round} cannot be recorded: {why}")
                })?;
                self.renewed.told.push(told);
                Ok(())
            }
        }
    }

    fn called(&self, pairing: Seq) -> String {
        let found = self.state.match_at(pairing);
        let seats = found
            .map_or(Vec::new(), |found| found.seats().iter().map(|seat| seat.player).collect());
        seats.into_iter().map(|player| self.name(player)).collect::<Vec<_>>().join(" – ")
    }

    /// Tells how many starting numbers are others in a newer report: a log keeps those with which players came.
    fn tell_other_numbers(&mut self) {
        let source = &self.prepared.source;
        let is_other = |(as_in, number): &(&SourcePlayer, &PlayerNumber)| {
            let known = self.there.state.player(**number).and_then(|player| player.sign_up);
            known.is_some() && as_in.sign_up.is_some() && as_in.sign_up != known
        };
        let count = source.players.iter().zip(&self.numbers).filter(is_other).count();
        if source.format == "trf" && count > 0 {
            self.renewed.told.push(format!(
                "starting numbers of players that are others in the file, and stay here as they were: {count}; \
                 `export --format trf --roster --into {}` writes those of the file",
                source.file
            ));
        }
    }

    fn told(&self, about: &About) -> String {
        match about {
            About::Phase(phase, _) => format!("phase {phase} begins"),
            About::Round(round) => format!("round {round} is paired"),
            About::Pairing(round, players) => {
                let names: Vec<String> = players.iter().map(|one| self.name(*one)).collect();
                format!("{} in round {round}", names.join(" – "))
            }
            About::Bye(_, player) if self.is_of_standings() => {
                format!("the row of {}", self.name(*player))
            }
            About::Bye(round, player) => {
                format!("the bye of {} in round {round}", self.name(*player))
            }
            About::Completed(round) => format!("the end of round {round}"),
            About::Dropped(player) => format!("{} drops", self.name(*player)),
            About::PhaseEnded(phase) => format!("the end of phase {phase}"),
            About::Closed => "the tournament is closed".into(),
        }
    }

    /// The last round may be paired otherwise in the file: then tables and byes that it no longer has are
    /// taken back, as long as they have no result.
    fn pair_again(&mut self, gone: &mut BTreeMap<About, Seq>) -> Result<(), String> {
        let Some(last) = self.there.state.last_round().map(|round| round.number) else {
            return Ok(());
        };
        let in_file = self.in_file();
        if !in_file.contains(&About::Round(last)) {
            return Ok(());
        }
        let is_other = |(about, seq): &(&About, &Seq)| match about {
            About::Pairing(round, _) => {
                let found = self.there.state.match_at(**seq);
                *round == last && found.is_some_and(|found| found.result().is_none())
            }
            About::Bye(round, _) => *round == last && !self.is_of_standings(),
            _ => false,
        };
        let other = gone.iter().filter(|(about, _)| !in_file.contains(about)).filter(is_other);
        let other: Vec<(About, Seq)> = other.map(|(about, seq)| (about.clone(), *seq)).collect();
        for (about, seq) in other {
            let words = format!("{} pairs the round otherwise", self.prepared.source.file);
            let reason = self.words(Field::Reason, &words)?;
            let told = self.told(&about);
            if let Err(why) = self.push(Withdrawn { seq, reason }.into()) {
                return Err(format!("{told} cannot be taken back: {why}{}", self.way_back(seq)));
            }
            self.renewed.told.push(format!("{told} is taken back"));
            gone.remove(&about);
        }
        Ok(())
    }

    /// Tables of the running round may have other numbers in the file: as long as they have no result, their
    /// pairings are taken back and made again there. What is to be made again is returned.
    fn move_tables(&mut self, known: &BTreeMap<About, Seq>) -> Result<Vec<About>, String> {
        let running = self.there.state.last_round().filter(|round| round.completed.is_none());
        let Some(round) = running.map(|round| round.number) else { return Ok(Vec::new()) };
        // Numbers that were counted through say nothing.
        if self.prepared.source.unknown.contains(&UnknownFact::Tables) {
            return Ok(Vec::new());
        }
        let words = format!("{} has another table", self.prepared.source.file);
        let (mut moved, mut others): (Vec<Move>, Vec<Move>) = self
            .prepared
            .events
            .iter()
            .filter_map(|event| self.moved(event, round, known))
            .partition(|one| one.stays.is_none());
        // A table at which somebody stays is nobody else's.
        loop {
            let is_moved = |seq: Seq| moved.iter().any(|one| one.seq == seq);
            let is_taken = |one: &Move| {
                let there = self.state.at_table(round, one.to);
                there.is_some_and(|found| !is_moved(found.seq()))
            };
            let Some(at) = moved.iter().position(is_taken) else { break };
            others.push(moved.remove(at));
        }
        for one in &others {
            let why = one.stays.unwrap_or("another match stays there");
            let (called, from, to) = (self.called(one.seq), &one.from, one.to);
            self.renewed.told.push(format!(
                "{called} in round {round} stays at {from}, and the file has table {to}: {why}"
            ));
        }
        for one in &moved {
            let reason = self.words(Field::Reason, &words)?;
            let (called, from, to) = (self.called(one.seq), &one.from, one.to);
            self.push(Withdrawn { seq: one.seq, reason }.into())
                .map_err(|why| format!("{called} cannot go to table {to}: {why}"))?;
            self.renewed
                .told
                .push(format!("{called} in round {round} goes from {from} to table {to}"));
        }
        Ok(moved.into_iter().map(|one| one.about).collect())
    }

    /// Where the first seat means something, such as white, a game of the running round that the file has the other way
    /// round is taken back, with the result that a file brought, and made again; what is to be made again is returned.
    /// In earlier rounds it stays, and is told.
    fn turn_tables(
        &mut self,
        known: &BTreeMap<About, Seq>,
        moved: &[About],
    ) -> Result<Vec<About>, String> {
        if self.prepared.rules.first_seat.is_none() && !self.prepared.source.is_of_go() {
            return Ok(Vec::new());
        }
        // Who did not play had no colors.
        let unplayed = self.prepared.events.iter().filter_map(|event| match event {
            Event::ResultRecorded(e) if matches!(e.result.how, How::Forfeit | How::NoShow) => {
                Some(e.pairing)
            }
            _ => None,
        });
        let unplayed: BTreeSet<Seq> = unplayed.collect();
        let mut turned = Vec::new();
        for (_, event) in (1..).zip(&self.prepared.events).filter(|(at, _)| !unplayed.contains(at))
        {
            let Event::PairingMade(made) = self.numbered(event) else { continue };
            let Some(about) = About::of(&made.clone().into()) else { continue };
            let Some(seq) = known.get(&about).copied().filter(|seq| !self.ours.contains(seq))
            else {
                continue;
            };
            let found = self.state.match_at(seq).filter(|found| {
                let stands = found.seats().iter().map(|seat| (seat.player, seat.role));
                let in_file = made.seats.iter().map(|seat| (seat.player, seat.role));
                plays_first(stands) != plays_first(in_file) && !moved.contains(&about)
            });
            let Some(found) = found else { continue };
            let (round, is_over) = (found.round().number, found.round().completed.is_some());
            let is_typed = found.result().is_some_and(|seq| self.ours.contains(&seq));
            let called = self.called(seq);
            let all = withdrawals(&mut self.state.clone(), seq, 1);
            match all.filter(|_| !is_over && !is_typed) {
                Some(all) => {
                    let words = format!("{} has it the other way round", self.prepared.source.file);
                    for seq in all {
                        let reason = self.words(Field::Reason, &words)?;
                        self.push(Withdrawn { seq, reason }.into())?;
                    }
                    self.renewed.told.push(format!("{called} in round {round} is turned round"));
                    turned.push(about);
                }
                None => {
                    let why =
                        if is_over { "the round is over" } else { "something was recorded at it" };
                    self.renewed.told.push(format!(
                        "{called} in round {round} stays as it is, and the file has it the other way round: {why}"
                    ));
                }
            }
        }
        Ok(turned)
    }

    /// The kind of a bye that the file has otherwise, as it stands and as the file has it, where that counts otherwise.
    fn bye_otherwise(
        &self,
        event: &Event,
        known: &BTreeMap<About, Seq>,
    ) -> Option<(ByeKind, ByeKind)> {
        let Event::ByeGiven(bye) = self.numbered(event) else { return None };
        let seq = known.get(&About::Bye(bye.round, bye.player))?;
        let is_theirs = !self.ours.contains(seq) && !self.is_of_standings();
        let stands = self.there.state.byes().find(|one| one.seq == *seq).filter(|_| is_theirs)?;
        let worth = |kind: ByeKind| match kind {
            ByeKind::Assigned | ByeKind::Awarded | ByeKind::Vacant => 2,
            ByeKind::Half => 1,
            ByeKind::Zero | ByeKind::AwardedLoss => 0,
        };
        (worth(stands.kind) != worth(bye.kind)).then_some((stands.kind, bye.kind))
    }

    /// Gives a bye anew that the file has of another kind.
    fn give_otherwise(&mut self, event: &Event, seq: Seq, stands: ByeKind) -> Result<(), String> {
        let Event::ByeGiven(bye) = self.put_over(event)? else { return Ok(()) };
        let called = self.told(&About::Bye(bye.round, bye.player));
        let words = format!("{} has it otherwise", self.prepared.source.file);
        let reason = self.words(Field::Reason, &words)?;
        let (kind, mut probe) = (bye.kind, self.state.clone());
        let both = [Withdrawn { seq, reason }.into(), bye.into()];
        let refused = both.iter().find_map(|event| {
            let refused = validate(&probe, event).err();
            probe.evolve(event);
            refused
        });
        if let Some(refused) = refused {
            let why = self.why(&refused);
            let sentence = format!("{called} stays a {stands}, and the file has a {kind}: {why}");
            self.renewed.told.push(sentence);
            return Ok(());
        }
        for event in both {
            self.push(event)?;
        }
        self.renewed.told.push(format!("{called} is a {kind} (was a {stands})"));
        Ok(())
    }

    /// A match of the running round that has another table in the file; what was paired here stays as it is.
    fn moved(
        &self,
        event: &Event,
        round: RoundNumber,
        known: &BTreeMap<About, Seq>,
    ) -> Option<Move> {
        let (made, to) = match event {
            Event::PairingMade(made) if made.round == round => (made, made.table?),
            _ => return None,
        };
        let about = About::of(&self.numbered(&made.clone().into()))?;
        let seq = *known.get(&about).filter(|seq| !self.ours.contains(seq))?;
        let found = self.state.match_at(seq).filter(|found| found.table() != Some(to))?;
        let from = found.table().map_or("no table".into(), |table| format!("table {table}"));
        let reason = Commitment { number: 0, digest: [0; 32] };
        let stays = match validate(&self.state, &Withdrawn { seq, reason }.into()) {
            Ok(()) => None,
            Err(_) if found.result().is_some() => Some("it has a result"),
            Err(_) => Some("something was recorded at it"),
        };
        Some(Move { about, seq, from, to, stays })
    }

    /// Who dropped by an older version of the file, and does not by this one.
    fn who_are_back(&self, known: &BTreeMap<About, Seq>) -> Vec<PlayerNumber> {
        let in_file = self.in_file();
        let of_files = known.iter().filter(|(_, seq)| !self.ours.contains(seq));
        let back = of_files.filter_map(|(about, _)| match about {
            About::Dropped(player) if !in_file.contains(about) => Some(*player),
            _ => None,
        });
        // Whom the file does not have at all is not back.
        back.filter(|player| self.numbers.contains(player)).collect()
    }

    /// Whoever dropped and does not in the file is back, before anything else is brought.
    fn bring_back(&mut self, gone: &mut BTreeMap<About, Seq>) -> Result<(), String> {
        for player in self.who_are_back(gone) {
            gone.remove(&About::Dropped(player));
            // In the file they never left: they take part from the round behind which they dropped.
            let dropped = self.state.player(player).and_then(|player| player.dropped());
            let Some((_, after)) = dropped else { continue };
            let name = self.name(player);
            self.push(PlayerReinstated { player, from_round: after + 1 }.into())
                .map_err(|why| format!("{name} cannot come back: {why}"))?;
            self.renewed.told.push(format!("{name} is back"));
        }
        Ok(())
    }

    /// Whether a file with players has none of several who are enrolled.
    fn has_nobody_in_common(&self) -> bool {
        let all = self.there.state.players();
        let enrolled = all.iter().filter(|player| !player.withdrawn).count();
        let is_new = |number: &PlayerNumber| *number as usize > all.len();
        enrolled > 1 && !self.numbers.is_empty() && self.numbers.iter().all(is_new)
    }

    /// Whom an older version of the file enrolled, and this one does not have, is not enrolled, where they had no table
    /// and no bye.
    fn remove_who_is_gone(&mut self, gone: &mut BTreeMap<About, Seq>) -> Result<(), String> {
        let there = self.there;
        let enrolled = there.log.iter().filter_map(|(header, event)| match event {
            Event::PlayerEnrolled(e) => Some((header.seq, e.player)),
            _ => None,
        });
        // Whoever was forgotten has no name by which the file could know them.
        let has_name = |player: &Player| matches!(there.book.text(&player.name), Opened::Text(_));
        let missing = enrolled.filter(|(seq, player)| {
            self.state.player(*player).is_some_and(|one| !one.withdrawn && has_name(one))
                && !self.numbers.contains(player)
                && !self.ours.contains(seq)
        });
        for (seq, player) in missing.collect::<Vec<_>>() {
            gone.remove(&About::Dropped(player));
            let reason = Commitment { number: 0, digest: [0; 32] };
            if validate(&self.state, &Withdrawn { seq, reason }.into()).is_err() {
                continue;
            }
            let words = format!("{} has them no longer", self.prepared.source.file);
            let reason = self.words(Field::Reason, &words)?;
            self.push(Withdrawn { seq, reason }.into())?;
            self.renewed.told.push(format!("{} is no longer enrolled", there.name(player)));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests;
