//! Who took part in the tournaments of a store, found by the beginning of their name, with its accents or
//! without: somebody who signs up again is the same person.
//!
//! What was read of a tournament is kept as long as its log does not grow; what was forgotten is an event
//! of the log, so a forgotten name goes with the next question.

use super::{Store, StoreError};
use scrutineer_engine::book::{Commitment, Opened};
use scrutineer_engine::event::{Day, Event, IMPORTED_AT, PlayerNumber};
use scrutineer_engine::handler::read_events;
use scrutineer_engine::names::{folded, listed, sought};
use scrutineer_engine::record::StreamId;
use scrutineer_replay::loaded::text_or;
use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Mutex, PoisonError};

/// How many letters have to be typed.
pub const LETTERS: usize = 3;
/// How many are enough where one of them is beyond Latin, Greek and Cyrillic: `山田` is a whole name.
const FEW_LETTERS: usize = 2;
/// How many enrollments are kept in mind; tournaments beyond them are not looked at.
const KEPT: usize = 1_000_000;

/// Somebody who took part before.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Known {
    /// Their name, as in the last of those tournaments.
    pub name: String,
    /// Their id with the publisher.
    pub id: Option<String>,
    /// Their number, among the players of one tournament.
    pub number: Option<PlayerNumber>,
    /// Their rating, as it was known last.
    pub rating: Option<i32>,
    /// Their division, among the players of one tournament.
    pub division: Option<String>,
    /// Their title and their federation, as they were known last.
    pub described: [Option<String>; 2],
    /// In how many tournaments they took part.
    pub tournaments: usize,
    /// The title of the last one.
    pub last: String,
    /// The day on which it was held.
    pub held_on: Option<Day>,
}

/// A player of a tournament.
#[derive(Clone, Debug)]
struct Seen {
    name: String,
    folded: String,
    /// The name as it is looked for: without accents, and with umlauts spelled out.
    sought: String,
    number: PlayerNumber,
    id: Option<String>,
    rating: Option<i32>,
    division: Option<String>,
    described: [Option<String>; 2],
}

impl Seen {
    /// As somebody who played before.
    fn known(self, past: &Past) -> Known {
        Known {
            name: self.name,
            id: self.id,
            number: Some(self.number),
            rating: self.rating,
            division: self.division,
            described: self.described,
            tournaments: 1,
            last: past.title.clone(),
            held_on: past.held_on,
        }
    }
}

impl Known {
    /// Adds what is known of them from another tournament: the later one is right where both say something.
    fn join(&mut self, mut other: Known) {
        if other.held_on > self.held_on {
            std::mem::swap(self, &mut other);
        }
        self.tournaments += other.tournaments;
        self.id = self.id.take().or(other.id);
        self.rating = self.rating.or(other.rating);
        for (own, other) in self.described.iter_mut().zip(other.described) {
            *own = own.take().or(other);
        }
    }
}

/// What was read of a tournament.
struct Past {
    head: u64,
    title: String,
    held_on: Option<Day>,
    players: Vec<Seen>,
}

/// What was read of the tournaments of a store.
#[derive(Default)]
pub(crate) struct KnownPlayers(Mutex<HashMap<StreamId, Arc<Past>>>);

/// Reads who took part in a tournament, under the names that are right now.
fn read(store: &Store, stream: StreamId, head: u64) -> Result<Past, StoreError> {
    let mut book = store.books().book(stream)?;
    let mut past = Past { head, title: String::new(), held_on: None, players: Vec::new() };
    let (mut enrolled, mut is_imported, mut title) = (BTreeMap::new(), false, None);
    let (mut events, mut described) = (BTreeMap::new(), BTreeMap::new());
    for read in read_events(store.log(), stream, 0) {
        let (record, event) = read?;
        match event {
            Event::TournamentOpened(opened) => {
                title = Some(opened.title);
                past.held_on = opened.held_on;
            }
            Event::PlayerEnrolled(one) => {
                events.insert(record.header().seq, one.player);
                enrolled.insert(one.player, one);
            }
            Event::PlayerDivisionChanged(one) => {
                if let Some(known) = enrolled.get_mut(&one.player) {
                    known.division = one.division;
                }
            }
            Event::PlayerDescribed(one) => {
                described.insert(one.player, [one.title, one.federation]);
            }
            Event::PlayerIdentified(one) => {
                if let Some(known) = enrolled.get_mut(&one.player) {
                    known.name = one.name;
                }
            }
            Event::PlayerRated(one) => {
                if let Some(known) = enrolled.get_mut(&one.player) {
                    known.rating = one.rating;
                }
            }
            Event::PlayerIdCorrected(one) => {
                if let Some(known) = enrolled.get_mut(&one.player) {
                    known.publisher_id = one.publisher_id;
                }
            }
            Event::TextsForgotten(one) => book.forget(&one.numbers),
            Event::Imported(_) => is_imported = true,
            Event::Withdrawn(one) if is_imported && one.seq == IMPORTED_AT => enrolled.clear(),
            Event::Withdrawn(one) => {
                if let Some(player) = events.get(&one.seq) {
                    enrolled.remove(player);
                }
            }
            _ => {}
        }
    }
    // What was forgotten is no text any more.
    let text = |commitment: &Commitment| match book.text(commitment) {
        Opened::Text(text) => Some(text.to_string()),
        _ => None,
    };
    past.title = title.map_or_else(String::new, |title| text_or(&book, &title, "untitled"));
    past.players = enrolled
        .into_iter()
        .filter_map(|(number, one)| {
            let name = text(&one.name)?;
            let id = one.publisher_id.as_ref().and_then(text);
            let (rating, division) = (one.rating, one.division);
            let described = described.remove(&number).unwrap_or_default();
            let (folded, sought) = (folded(&name), sought(&name).join(" "));
            Some(Seen { number, folded, sought, id, name, rating, division, described })
        })
        .collect();
    Ok(past)
}

/// Whether a letter is Latin, Greek or Cyrillic, or one of the signs between those.
const fn is_of_an_alphabet(c: char) -> bool {
    matches!(c, '\0'..='\u{52f}' | '\u{1c80}'..='\u{1c8f}' | '\u{1d00}'..='\u{1fff}'
        | '\u{2c60}'..='\u{2c7f}' | '\u{2de0}'..='\u{2dff}' | '\u{a640}'..='\u{a69f}'
        | '\u{a720}'..='\u{a7ff}' | '\u{ab30}'..='\u{ab6f}')
}

/// Whether so much was typed that it is looked for.
fn is_enough(typed: &str) -> bool {
    let letters = || typed.chars().filter(|c| c.is_alphanumeric());
    let is_beyond = letters().any(|c| !is_of_an_alphabet(c));
    letters().count() >= if is_beyond { FEW_LETTERS } else { LETTERS }
}

/// Whether each word that was typed begins one of the name.
fn begins(name: &str, typed: &str) -> bool {
    let words = || name.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    let mut typed = typed.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    typed.all(|typed| words().any(|word| word.starts_with(typed)))
}

impl KnownPlayers {
    /// What is known of each tournament, read anew where its log grew.
    fn pasts(&self, store: &Store) -> Result<Vec<(StreamId, Arc<Past>)>, StoreError> {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let streams = store.log().streams()?;
        let mut all = Vec::with_capacity(streams.len());
        let mut count = 0;
        for stream in streams {
            let head = store.log().head(stream)?.seq;
            let known = kept.get(&stream).filter(|past| past.head == head).map(Arc::clone);
            let past = match known {
                Some(past) => past,
                // A log that only a newer version can read is nobody's.
                None => match read(store, stream, head) {
                    Err(error) if error.is_newer() => continue,
                    past => Arc::new(past?),
                },
            };
            count += past.players.len();
            if count > KEPT {
                break;
            }
            all.push((stream, past));
        }
        *kept = all.iter().map(|(stream, past)| (*stream, Arc::clone(past))).collect();
        Ok(all)
    }
}

/// Returns at most `most` people who took part in tournaments of the store and are not in this one, whose
/// name begins with what was typed, with its accents or without: those who came last first. Nobody where fewer
/// than [`LETTERS`] letters were typed, or than two where one of them is beyond Latin, Greek and Cyrillic.
///
/// # Errors
/// Where the store cannot be read.
pub fn known(
    store: &Store,
    this: StreamId,
    typed: &str,
    most: usize,
) -> Result<Vec<Known>, StoreError> {
    let typed = sought(typed);
    if !is_enough(&typed[0]) {
        return Ok(Vec::new());
    }
    let pasts = store.known_players().pasts(store)?;
    let here: Vec<&Seen> = pasts
        .iter()
        .filter(|(stream, _)| *stream == this)
        .flat_map(|(_, past)| &past.players)
        .collect();
    let is_here = |seen: &Seen| {
        here.iter().any(|other| match (&seen.id, &other.id) {
            (Some(id), Some(other)) => id == other,
            _ => seen.folded == other.folded,
        })
    };
    let mut found: BTreeMap<(Option<String>, String), Known> = BTreeMap::new();
    for (_, past) in pasts.iter().filter(|(stream, _)| *stream != this) {
        let is_meant = |seen: &&Seen| typed.iter().any(|typed| begins(&seen.sought, typed));
        let begin = past.players.iter().filter(is_meant);
        for seen in begin.filter(|seen| !is_here(seen)) {
            // The same id is the same person, whatever they were called; without one the name says who.
            let key = match &seen.id {
                Some(id) => (Some(id.clone()), String::new()),
                None => (None, seen.folded.clone()),
            };
            let one = Known { number: None, division: None, ..seen.clone().known(past) };
            match found.entry(key) {
                Entry::Vacant(free) => _ = free.insert(one),
                Entry::Occupied(mut known) => known.get_mut().join(one),
            }
        }
    }
    let mut found = join_by_name(found.into_values().collect());
    found.sort_by(|one, other| {
        let by_day = other.held_on.cmp(&one.held_on);
        by_day.then(other.tournaments.cmp(&one.tournaments)).then_with(|| one.name.cmp(&other.name))
    });
    found.truncate(most);
    Ok(found)
}

/// Who was enrolled without an id is the one with an id who is called so, where there is one alone.
fn join_by_name(all: Vec<Known>) -> Vec<Known> {
    let (mut with_id, without): (Vec<Known>, Vec<Known>) =
        all.into_iter().partition(|one| one.id.is_some());
    let mut apart = Vec::new();
    for one in without {
        let mut same = with_id.iter_mut().filter(|other| folded(&other.name) == folded(&one.name));
        match (same.next(), same.next()) {
            (Some(other), None) => other.join(one),
            _ => apart.push(one),
        }
    }
    with_id.extend(apart);
    with_id
}

/// Returns the players of a tournament, as they would be enrolled in another: the regulars, with the ratings,
/// divisions, titles and federations that they had.
///
/// # Errors
/// Where it cannot be read.
pub fn regulars(store: &Store, stream: StreamId) -> Result<Vec<Known>, StoreError> {
    let head = store.log().head(stream)?.seq;
    let past = read(store, stream, head)?;
    let mut all: Vec<Known> = past.players.iter().map(|seen| seen.clone().known(&past)).collect();
    all.sort_by_cached_key(|one| listed(&one.name));
    Ok(all)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::asker::Asker;
    use crate::desk::Asked;
    use crate::orders::{self, Describe, Enroll, New, Person, Rename, Undo};

    struct Room {
        store: Store,
        asker: Asker,
    }

    impl Room {
        fn new() -> Room {
            let asker = Asker { rehearse: Some("known".into()), ..Asker::default() };
            Room { store: Store::in_memory(), asker }
        }

        fn order(&self, stream: StreamId, order: impl Into<orders::Order>) {
            let order = order.into();
            let asked = Asked::default();
            let told = orders::record(&self.asker, &self.store, stream, asked, &order).0;
            told.unwrap_or_else(|error| panic!("{order:?}: {}", error.told()));
        }

        fn tournament(&self, day: &str, people: &[(&str, Option<&str>)]) -> StreamId {
            let new = New {
                title: format!("Friday {day}"),
                rules: "mtr".into(),
                held_on: Some(day.into()),
                ..New::default()
            };
            let (stream, _) = orders::open(&self.asker, &self.store, &new).expect("it opens");
            let person = |(name, id): &(&str, Option<&str>)| Person {
                name: name.to_string(),
                id: id.map(str::to_string),
                ..Person::default()
            };
            let people: Vec<Person> = people.iter().map(person).collect();
            if !people.is_empty() {
                self.order(stream, Enroll { people, ..Enroll::default() });
            }
            stream
        }

        fn known(&self, this: StreamId, typed: &str) -> Vec<(String, Option<String>, usize)> {
            let found = known(&self.store, this, typed, 8).expect("found");
            found.into_iter().map(|one| (one.name, one.id, one.tournaments)).collect()
        }
    }

    #[test]
    fn three_letters_of_any_word_find_who_played_before_with_their_id() {
        let room = Room::new();
        let id = Some("1204".to_string());
        room.tournament("2026-11-06", &[("Zoë van der Berg", Some("1204")), ("Bo Park", None)]);
        room.tournament("2026-11-13", &[("Zoë Berg", Some("1204")), ("Bo Park", None)]);
        let this = room.tournament("2026-11-20", &[]);
        assert_eq!(room.known(this, "ber"), [("Zoë Berg".to_string(), id.clone(), 2)]);
        assert_eq!(room.known(this, "ZOË B"), [("Zoë Berg".to_string(), id.clone(), 2)]);
        assert_eq!(room.known(this, "par"), [("Bo Park".to_string(), None, 2)]);
        for typed in ["", "be", "b e", "---", "xyz"] {
            assert_eq!(room.known(this, typed), [], "{typed:?}");
        }
        let person = Person { name: "Zoë Berg".into(), id, ..Person::default() };
        room.order(this, Enroll { people: vec![person], ..Enroll::default() });
        assert_eq!(room.known(this, "ber"), [], "they are enrolled already");
    }

    /// `zoe` and Enter enrolled a second person beside Zoë.
    #[test]
    fn a_name_is_found_without_its_accents_and_two_letters_find_one_that_has_no_more() {
        let room = Room::new();
        let names = ["Zoë Berg", "Ida Müller-Lüdenscheidt", "Małgorzata Nowak", "Séamus Ó Briain"];
        let others = ["山田 太郎", "김민수", "Łukasz Ðoković", "Ελένη Μ"];
        let all: Vec<(&str, Option<&str>)> =
            names.iter().chain(&others).map(|name| (*name, None)).collect();
        room.tournament("2026-11-06", &all);
        let this = room.tournament("2026-11-20", &[]);
        for (typed, name) in [
            ("zoe", names[0]),
            ("Zoë", names[0]),
            ("mull", names[1]),
            ("muell", names[1]),
            ("lued", names[1]),
            ("lud", names[1]),
            ("LÜD", names[1]),
            ("mal", names[2]),
            ("małg", names[2]),
            ("sea", names[3]),
            ("bri", names[3]),
            ("山田", others[0]),
            ("김민", others[1]),
            ("luk", others[2]),
            ("dok", others[2]),
            ("ελε", others[3]),
        ] {
            assert_eq!(room.known(this, typed), [(name.to_string(), None, 1)], "{typed}");
        }
        for typed in ["zo", "Zö", "山", "ελ", "김"] {
            assert_eq!(room.known(this, typed), [], "{typed}");
        }
    }

    #[test]
    fn who_had_no_id_once_is_the_one_of_that_name_where_there_is_one_alone() {
        let room = Room::new();
        room.tournament("2026-11-06", &[("Ann Lee", None)]);
        room.tournament("2026-11-13", &[("Ann Lee", Some("7"))]);
        let this = room.tournament("2026-11-20", &[]);
        assert_eq!(room.known(this, "ann"), [("Ann Lee".into(), Some("7".into()), 2)]);
        room.tournament("2026-11-14", &[("Ann Lee", Some("8"))]);
        assert_eq!(room.known(this, "ann").len(), 3, "which of the two it was nobody knows");
    }

    #[test]
    fn who_played_before_is_offered_with_the_rating_and_the_title_that_were_known_last() {
        let room = Room::new();
        for (day, rating, title) in [("2026-11-06", 2400, Some("IM")), ("2026-11-13", 2480, None)] {
            let before = room.tournament(day, &[]);
            let (name, title) = ("Ann Lee".to_string(), title.map(str::to_string));
            let person = Person { name, title, rating: Some(rating), ..Person::default() };
            room.order(before, Enroll { people: vec![person], ..Enroll::default() });
        }
        let this = room.tournament("2026-11-20", &[]);
        let ann = known(&room.store, this, "ann", 8).expect("found").remove(0);
        assert_eq!((ann.rating, ann.described), (Some(2480), [Some("IM".into()), None]));
    }

    #[test]
    fn names_that_were_put_right_or_taken_back_count_as_they_stand() {
        let room = Room::new();
        let before = room.tournament("2026-11-06", &[("Jan Kowalsky", None)]);
        let this = room.tournament("2026-11-20", &[]);
        assert_eq!(room.known(this, "kow").len(), 1);
        let rename =
            Rename { player: "#1".into(), name: "Jan Kowalski".into(), ..Rename::default() };
        room.order(before, rename);
        assert_eq!(room.known(this, "kowalski")[0].0, "Jan Kowalski");
        room.order(before, Undo::default());
        room.order(before, Undo::default());
        assert_eq!(room.known(this, "kow"), [], "their enrollment was taken back");
    }

    #[test]
    fn a_rating_and_an_id_that_were_put_right_are_offered_and_the_wrong_ones_are_not() {
        let room = Room::new();
        let before = room.tournament("2026-11-06", &[("Ann Lee", Some("7"))]);
        let (player, rating, id) = ("#1".into(), Some("1912".into()), Some("1460".into()));
        room.order(before, Describe { player, rating, id, ..Describe::default() });
        let this = room.tournament("2026-11-13", &[]);
        let ann = known(&room.store, this, "ann", 8).expect("found").remove(0);
        assert_eq!((ann.rating, ann.id), (Some(1912), Some("1460".into())));
    }

    #[test]
    fn who_was_forgotten_is_not_offered_any_more() {
        let room = Room::new();
        let before = room.tournament("2026-11-06", &[("Ann Lee", Some("7")), ("Bo Park", None)]);
        let this = room.tournament("2026-11-20", &[]);
        assert_eq!(room.known(this, "ann").len(), 1);
        let event = room.store.load(before, false).expect("loaded");
        let player = event.state.player(1).expect("Ann");
        let texts = [Some(player.name), player.publisher_id];
        let numbers: Vec<u32> = texts.iter().flatten().map(|text| text.number).collect();
        let asked = Asked::default();
        let forgotten = orders::at_stream(&room.asker, &room.store, before, asked, |at| {
            Ok(at.desk.forget(&numbers)?)
        });
        forgotten.0.unwrap_or_else(|error| panic!("{}", error.told()));
        assert_eq!(room.known(this, "ann"), []);
        assert_eq!(room.known(this, "par").len(), 1, "the others stay");
    }

    #[test]
    fn the_regulars_are_the_players_of_a_tournament_by_name() {
        let room = Room::new();
        let before = room.tournament("2026-11-06", &[("Zoë Berg", Some("4")), ("Ann Lee", None)]);
        let names: Vec<String> =
            regulars(&room.store, before).expect("read").into_iter().map(|one| one.name).collect();
        assert_eq!(names, ["Ann Lee", "Zoë Berg"]);
    }
}
