//! What is public of a tournament, as a store of its own: whoever reads there can find nothing else.

use super::announced::Announced;
use super::checkpoints::Checkpoints;
use super::{Place, Store, StoreError};
use crate::public::{Policy, Records, ShownName, left_out};
use scrutineer_engine::book::{Book, Field, Kept, MemoryTexts, PrivateEntry};
use scrutineer_engine::event::{Event, PlayerNumber, Seq, TextsForgotten};
use scrutineer_engine::handler::{CommandHandler, FoldedStates, read_events};
use scrutineer_engine::log::{Head, Log};
use scrutineer_engine::record::{StreamId, from_hex, to_hex};
use scrutineer_engine::tournament::Tournament;
use scrutineer_replay::as_of::Past;
use scrutineer_replay::kept::KeptError;
use scrutineer_replay::loaded::{LoadedTournament, text_or};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// What stands in the place of reasons, notes and other words that are nobody else's business.
pub const PRIVATE: &str = "(not public)";

/// The texts of a tournament as everybody sees them: its title, names by as much as was chosen, those of
/// whoever looks in full, and nothing that was said of anybody.
fn shown(
    log: &dyn Log,
    mut book: Book,
    state: &Tournament,
    (policy, own): (&Policy, &[PlayerNumber]),
) -> Result<Book, StoreError> {
    let mut owners: BTreeMap<u32, PlayerNumber> =
        state.players().iter().map(|player| (player.name.number, player.number)).collect();
    let is_other =
        |entry: &PrivateEntry| entry.field == Field::Name && !owners.contains_key(&entry.number);
    // Names that somebody had before, and those of members: whose they are stands in the log alone.
    if book.entries().any(is_other) {
        for read in read_events(log, book.stream(), 0) {
            match read?.1 {
                Event::PlayerEnrolled(one) => {
                    let all = one.members.iter().chain([&one.name]);
                    owners.extend(all.map(|name| (name.number, one.player)));
                }
                Event::PlayerIdentified(one) => {
                    owners.insert(one.name.number, one.player);
                }
                _ => {}
            }
        }
    }
    let now = |player: PlayerNumber| state.player(player).map(|player| player.name);
    let (mut instead, mut staff) = (Vec::new(), Vec::new());
    for entry in book.entries() {
        let text = match (entry.field, owners.get(&entry.number)) {
            (Field::Title, _) => continue,
            (Field::Name, Some(&player)) => {
                let is_now = now(player).is_some_and(|name| name.number == entry.number);
                let how =
                    if own.contains(&player) { ShownName::Full } else { policy.shown(player) };
                match how {
                    ShownName::Full if is_now => continue,
                    how if is_now => how.of(&entry.text, player),
                    // What somebody was called before is said to nobody.
                    how => now(player).map_or(PRIVATE.into(), |name| {
                        let is_erased = format!("player {player}");
                        how.of(&text_or(&book, &name, &is_erased), player)
                    }),
                }
            }
            // They are called by their numbers.
            (Field::Staff, _) => {
                staff.push(entry.number);
                continue;
            }
            _ => PRIVATE.to_string(),
        };
        instead.push((entry.number, text));
    }
    instead.into_iter().for_each(|(number, text)| book.show_instead(number, text));
    staff.into_iter().for_each(|number| book.put(number, Kept::Taken));
    Ok(book)
}

/// What opens a text that was committed to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Salt {
    /// The code of its field.
    pub field: u8,
    /// Its salt, in hexadecimal digits.
    pub salt: String,
}

impl Salt {
    /// What opens an entry.
    pub fn of(entry: &PrivateEntry) -> Salt {
        Salt { field: entry.field.code(), salt: to_hex(&entry.salt) }
    }

    fn entry(&self, number: u32, text: &str) -> Option<PrivateEntry> {
        let (field, salt) = (Field::from_code(self.field)?, from_hex(&self.salt)?);
        Some(PrivateEntry { number, field, salt, text: text.to_string() })
    }
}

/// The texts of a copy as its venue shows them, by their numbers, with what opens those that are not masked.
#[derive(Clone, Copy, Debug)]
pub struct Given<'a> {
    /// The texts.
    pub texts: &'a BTreeMap<u32, String>,
    /// What opens them.
    pub salts: &'a BTreeMap<u32, Salt>,
}

/// What is kept of a copy beside that, such as names and staff of a bundle that was brought in, is for those who keep
/// it: its venue shows what everybody sees, and takes back what it forgets.
///
/// A venue whose store came back from a backup may show a text again that the log here says was forgotten: it stays so.
fn shown_by_others(mut book: Book, given: Given<'_>, now: &Tournament) -> Book {
    let own: Vec<u32> = book.entries().map(|entry| entry.number).collect();
    own.into_iter().for_each(|number| book.put(number, Kept::Taken));
    for (number, text) in given.texts.iter().filter(|(number, _)| !now.is_forgotten(**number)) {
        match given.salts.get(number).and_then(|salt| salt.entry(*number, text)) {
            Some(entry) => book.put(*number, Kept::Entry(entry)),
            None => {
                book.put(*number, Kept::Taken);
                book.show_instead(*number, text.clone());
            }
        }
    }
    book
}

/// The texts of a copy for those who keep it: titles and the names of players as its venue shows them, and all else as it
/// stands in their own store, such as reasons, notes and staff of a bundle that was brought in.
pub fn for_keepers(mut shown: Book, own: &Book) -> Book {
    for (number, kept) in own.kept() {
        let field = match kept {
            Kept::Entry(entry) => entry.field,
            Kept::Erased(field) => *field,
            Kept::Taken => continue,
        };
        if !matches!(field, Field::Title | Field::Name) {
            shown.put(*number, kept.clone());
        }
    }
    shown
}

impl Store {
    /// Returns what is public of a tournament up to its horizon, as a store that can only be read: its
    /// records until then, no secret, and no text but what the policy shows.
    ///
    /// # Errors
    /// Where the log or the private texts cannot be read.
    pub fn public(
        &self,
        stream: StreamId,
        horizon: Head,
        policy: &Policy,
    ) -> Result<Store, StoreError> {
        self.public_as(stream, horizon, policy, None)
    }

    /// As [`Store::public`], with texts that somebody else shows, by their numbers: it is a copy, and has none.
    ///
    /// # Errors
    /// As [`Store::public`].
    pub fn public_as(
        &self,
        stream: StreamId,
        horizon: Head,
        policy: &Policy,
        given: Option<Given<'_>>,
    ) -> Result<Store, StoreError> {
        let states = Arc::clone(&self.public_states);
        // Most often all of it is public: then nothing has to be folded a second time.
        let (head, state) = self.handler().load(stream)?;
        if head == horizon {
            states.share(stream, (head, state));
        }
        self.public_with(stream, horizon, (policy, given, &[]), states)
    }

    /// Returns all of a tournament as these of its players are shown it, who see only what is about them: no
    /// secret, and no text but what the policy shows and their own names.
    ///
    /// # Errors
    /// As [`Store::public`].
    pub fn for_players(
        &self,
        stream: StreamId,
        policy: &Policy,
        players: &[PlayerNumber],
    ) -> Result<Store, StoreError> {
        let head = self.log().head(stream)?;
        self.public_with(stream, head, (policy, None, players), Arc::clone(&self.states))
    }

    /// Returns the pairings that are out behind the horizon, where results are hidden: a tournament
    /// up to another event, in which behind the horizon nothing happened but that rounds were paired.
    ///
    /// # Errors
    /// As [`Store::public`].
    pub fn public_pairings(
        &self,
        stream: StreamId,
        horizon: Head,
        until: Head,
        policy: &Policy,
    ) -> Result<LoadedTournament, StoreError> {
        let public = self.public_with(stream, until, (policy, None, &[]), Arc::default())?;
        let LoadedTournament { mut log, book, head, .. } = public.load(stream, true)?;
        let mut stays = BTreeSet::new();
        // Of a cut whose first round is not out nobody knows.
        let opened: BTreeSet<u16> = log
            .iter()
            .filter_map(|(header, event)| match event {
                Event::RoundOpened(one) if header.seq > horizon.seq => Some(one.phase),
                _ => None,
            })
            .collect();
        for (header, event) in log.iter_mut().filter(|(header, _)| header.seq > horizon.seq) {
            let is_pairing = match event {
                // Who is in it stands in its pairings; the order of their seeds is that of the standings.
                Event::PhaseStarted(one) if opened.contains(&one.phase) => {
                    one.entrants.sort_unstable();
                    one.passed_over.clear();
                    true
                }
                Event::PlayerEnrolled(_)
                | Event::PlayerIdentified(_)
                | Event::PlayerDivisionChanged(_)
                | Event::PlayerDescribed(_)
                | Event::PlayerRated(_)
                | Event::PlayerIdCorrected(_)
                | Event::DivisionsPaired(_)
                | Event::DivisionRounds(_)
                | Event::TableKept(_)
                | Event::TablesSet(_)
                | Event::ByeRequested(_)
                | Event::RoundOpened(_)
                | Event::EnginePaired(_)
                | Event::PairingMade(_)
                | Event::ByeGiven(_)
                | Event::PairingsPublished(_) => true,
                Event::Withdrawn(one) => one.seq <= horizon.seq || stays.contains(&one.seq),
                _ => false,
            };
            if is_pairing {
                stays.insert(header.seq);
            } else {
                // Something that changes nothing, in the place of what is hidden.
                *event = Event::TextsForgotten(TextsForgotten { numbers: Vec::new() });
            }
        }
        Ok(LoadedTournament::of(stream, head, log, book))
    }

    fn public_with(
        &self,
        stream: StreamId,
        until: Head,
        (policy, given, own): (&Policy, Option<Given<'_>>, &[PlayerNumber]),
        states: Arc<FoldedStates>,
    ) -> Result<Store, StoreError> {
        let log = self.shared_log();
        // All of the log says what was forgotten, also what is not public of it.
        let now = self.now(stream)?;
        let book = self.book_of(stream, &now)?;
        let wordless = Past::alone(Arc::clone(&log), stream, until, MemoryTexts::new());
        let state = CommandHandler::with(&wordless, Arc::clone(&states)).load(stream)?.1;
        let book = match given {
            Some(given) => shown_by_others(book, given, &now),
            None => shown(&wordless, book, &state, (policy, own))?,
        };
        let texts = MemoryTexts::holding(book);
        let public = Past::alone(log, stream, until, texts);
        Ok(Store {
            names: Arc::clone(&self.public_names),
            states,
            leaves_out: policy.records == Records::WithToken,
            ..self.only(public)
        })
    }

    /// Returns a tournament as it stood at an event, as a store that can only be read, without a text: everybody is
    /// their number. What is read there never changes, whatever its policy becomes: of penalties nobody is told.
    pub fn numbers_at(&self, stream: StreamId, head: Head) -> Store {
        let past = Past::alone(self.shared_log(), stream, head, MemoryTexts::new());
        Store { leaves_out: true, ..self.only(past) }
    }

    /// A store in which nothing else is than this, with what was signed and announced of it.
    fn only(&self, past: Past<'static>) -> Store {
        Store {
            log: Place::Public(Arc::new(past)),
            announced: Announced(self.announced.0.clone()),
            checkpoints: Checkpoints(self.checkpoints.0.clone()),
            ..Store::in_memory()
        }
    }

    fn shared_log(&self) -> Arc<dyn Log> {
        match &self.log {
            Place::Folder(log) => Arc::clone(log) as Arc<dyn Log>,
            Place::ReadOnly(log) => Arc::clone(log) as Arc<dyn Log>,
            Place::Mended(log) => Arc::clone(log) as Arc<dyn Log>,
            Place::Memory(log) => Arc::clone(log) as Arc<dyn Log>,
            #[cfg(feature = "postgres")]
            Place::Database(log) => Arc::clone(log) as Arc<dyn Log>,
            Place::Public(log) => Arc::clone(log) as Arc<dyn Log>,
        }
    }

    /// Returns the last event that readers know; none: they know all of the log.
    pub(super) fn last_public(&self, stream: StreamId) -> Result<Option<Seq>, KeptError> {
        match &self.log {
            Place::Public(log) => Ok(Some(log.head(stream)?.seq)),
            _ => Ok(None),
        }
    }

    /// Returns the events of a log that its readers here are not told of.
    pub fn left_out(&self, event: &LoadedTournament) -> BTreeSet<Seq> {
        let log = event.log.iter().map(|(header, event)| (header.seq, event));
        let records = if self.leaves_out { Records::WithToken } else { Records::Public };
        match self.log {
            Place::Public(_) => left_out(log, records),
            _ => BTreeSet::new(),
        }
    }

    /// Whether its readers are not told of penalties and disqualifications.
    pub const fn leaves_out(&self) -> bool {
        self.leaves_out
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kit::Hall;
    use crate::orders::moment;
    use scrutineer_engine::event::DropReason;
    use scrutineer_replay::bundle::{Give, write};
    use scrutineer_replay::kept::Kept;

    #[test]
    fn a_public_store_has_no_word_that_is_not_public() {
        let hall = Hall::new();
        hall.at(|desk| desk.disqualify(2, "stacked the deck").expect("disqualified"));
        hall.at(|desk| desk.note("a quiet word", None).expect("noted"));
        for (table, score) in [(1, "2-0"), (2, "1-2")] {
            let _ = hall.at(|desk| desk.enter(crate::desk::Slip { table, score }));
        }
        let _ = hall.at(|desk| desk.drop_player(1, DropReason::Left));
        let head = hall.public_head();
        let policy = Policy { names: ShownName::Initials, ..Policy::default() };
        let public = hall.store.public(hall.stream, head, &policy).expect("made");
        let event = public.load(hall.stream, true).expect("loaded");
        assert_eq!((event.names[0].as_str(), event.title().as_str()), ("A.", "Trust"));
        let mut words: Vec<String> = event
            .log
            .iter()
            .map(|(header, logged)| {
                scrutineer_projections::timeline::sentence(&event.state, header.seq, logged, &event)
            })
            .collect();
        let mut bundle = Vec::new();
        write(&public, hall.stream, Give::Nothing, &mut bundle).expect("written");
        words.push(String::from_utf8(bundle).expect("text"));
        words.extend(
            public.books().book(hall.stream).expect("read").entries().map(|e| e.text.clone()),
        );
        let all = words.concat();
        assert!(all.contains(PRIVATE) && all.contains("A."));
        for word in ["stacked", "quiet", "Bob", "Cid", "Dee"] {
            assert!(!all.contains(word), "{word}");
        }
        assert!(Kept::secrets(&public, hall.stream).expect("read").is_empty());
    }

    /// A publisher brought a bundle with names and staff in beside a copy, and everybody read them.
    #[test]
    fn of_a_copy_everybody_sees_what_its_venue_shows_and_no_name_that_was_brought_in() {
        let hall = Hall::new();
        let known = hall.store.load(hall.stream, false).expect("loaded");
        let ann = known.state.player(1).expect("Ann").name.number;
        let (texts, salts) = (BTreeMap::from([(ann, "A.".to_string())]), BTreeMap::new());
        let given = Some(Given { texts: &texts, salts: &salts });
        let (head, policy) = (hall.public_head(), Policy::default());
        let public = hall.store.public_as(hall.stream, head, &policy, given).expect("made");
        assert_eq!(public.load(hall.stream, true).expect("loaded").names[0], "A.");
        let left = public.books().book(hall.stream).expect("read");
        assert_eq!(left.entries().count(), 0, "texts that the venue does not show");
    }

    #[test]
    fn a_public_store_ends_at_the_horizon_whatever_is_asked_for() {
        let hall = Hall::empty();
        hall.at(|desk| desk.pair(None, false).expect("paired"));
        let end = hall.sign().checkpoint.size;
        let public = hall.store.public(hall.stream, hall.public_head(), &Policy::default());
        let public = public.expect("made");
        let head = public.log().head(hall.stream).expect("read").seq;
        assert!(head < end && public.checkpoints(hall.stream).expect("read").is_empty());
        assert!(public.load(hall.stream, false).expect("loaded").state.rounds().is_empty());
        assert!(moment(&public, hall.stream, Some(&end.to_string())).is_err());
        assert_eq!(public.log().read(hall.stream, 0).count() as u64, head);
        hall.at(|desk| desk.publish().expect("published"));
        let public = hall.store.public(hall.stream, hall.public_head(), &Policy::default());
        let public = public.expect("made");
        assert_eq!(public.checkpoints(hall.stream).expect("read").len(), 1);
        assert_eq!(public.load(hall.stream, false).expect("loaded").names[0], "Ann");
    }

    #[test]
    fn what_somebody_was_called_before_is_not_told() {
        let hall = Hall::empty();
        hall.at(|desk| desk.rename(1, "Anna Lee", false, None).expect("renamed"));
        for names in ShownName::ALL {
            let policy = Policy { names, ..Policy::default() };
            let public = hall.store.public(hall.stream, hall.public_head(), &policy).expect("made");
            let event = public.load(hall.stream, true).expect("loaded");
            let told: String = event
                .log
                .iter()
                .map(|(header, logged)| {
                    scrutineer_projections::timeline::sentence(
                        &event.state,
                        header.seq,
                        logged,
                        &event,
                    )
                })
                .collect();
            assert!(!told.contains("Ann takes part"), "{told}");
            assert!(told.contains(&names.of("Anna Lee", 1)), "{told}");
        }
    }
}
