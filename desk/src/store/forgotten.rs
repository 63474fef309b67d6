//! Texts that a log says were forgotten and that still stand beside it: `forget` was cut off, an older copy of the
//! private texts came back, or another desk forgot somebody.

use super::{Followed, Store, StoreError};
use scrutineer_engine::book::{Book, Commitment};
use scrutineer_engine::event::{Event, TextsForgotten};
use scrutineer_engine::handler::read_events;
use scrutineer_engine::record::{StreamId, to_hex};
use scrutineer_engine::tournament::Tournament;
use std::sync::Arc;

/// The numbers of the texts that a log says were forgotten and that its book still has.
fn unfinished(book: &Book, state: &Tournament) -> Vec<u32> {
    state.forgotten().filter(|number| book.entry(*number).is_some()).collect()
}

impl Store {
    /// Returns the private texts of a tournament as anybody may read them: what its log says was forgotten is
    /// erased, whatever the files beside it still hold.
    ///
    /// # Errors
    /// Where the log or the book cannot be read.
    pub fn book(&self, stream: StreamId) -> Result<Book, StoreError> {
        let now = self.now(stream)?;
        self.book_of(stream, &now)
    }

    /// As [`Store::book`], of a tournament whose state, as it is now, is known.
    pub(crate) fn book_of(&self, stream: StreamId, state: &Tournament) -> Result<Book, StoreError> {
        let mut book = self.books().book(stream)?;
        let left = unfinished(&book, state);
        // What nothing is emptied in stays a clone of the one that is kept.
        if !left.is_empty() {
            book.forget(&left);
        }
        Ok(book)
    }

    /// A tournament as it is now.
    pub(super) fn now(&self, stream: StreamId) -> Result<Arc<Tournament>, StoreError> {
        self.start(stream)?;
        Ok(self.handler().load(stream)?.1)
    }

    /// A tournament as it is now. Of a copy that was begun anew, what was forgotten in the log before it is forgotten
    /// too, where this log, or what `behind` has behind it, commits to the very same texts.
    ///
    /// # Errors
    /// Where the log, or what is remembered of the copy, cannot be read.
    pub fn now_forgotten(
        &self,
        stream: StreamId,
        behind: impl IntoIterator<Item = Event>,
    ) -> Result<Arc<Tournament>, StoreError> {
        let mut now = self.now(stream)?;
        let stays = self.remembered(stream)?.unwrap_or_default().forgotten;
        if !stays.is_empty() {
            let mut same = self.committed(stream)?;
            let behind = behind.into_iter().flat_map(|event| event.commitments());
            same.extend(behind.map(|(_, text)| text));
            same.retain(|text| stays.contains(&to_hex(&text.digest)));
            let numbers = same.iter().map(|text| text.number).collect();
            Arc::make_mut(&mut now).evolve(&TextsForgotten { numbers }.into());
        }
        Ok(now)
    }

    /// What the events of a tournament commit to.
    fn committed(&self, stream: StreamId) -> Result<Vec<Commitment>, StoreError> {
        let mut all = Vec::new();
        for read in read_events(self.log(), stream, 0) {
            all.extend(read?.1.commitments().into_iter().map(|(_, text)| text));
        }
        Ok(all)
    }

    /// Has what is forgotten in a copy stay so in another store, in which the copy is begun anew; returns how many texts
    /// those are. A tournament that is run in one of the two is left as it is.
    ///
    /// # Errors
    /// Where one of the two cannot be read, or the other one cannot be written.
    pub(super) fn stay_forgotten_in(
        &self,
        to: &Store,
        stream: StreamId,
    ) -> Result<usize, StoreError> {
        let Some(own) = self.followed(stream)? else { return Ok(0) };
        let there = to.remembered(stream)?;
        if there.is_none() && to.log().head(stream)?.seq > 0 {
            return Ok(0);
        }
        let now = self.now_forgotten(stream, [])?;
        let mut texts = self.committed(stream)?;
        texts.retain(|text| now.is_forgotten(text.number));
        let mut forgotten = own.forgotten;
        forgotten.extend(texts.iter().map(|text| to_hex(&text.digest)));
        if forgotten.is_empty() {
            return Ok(0);
        }
        let count = forgotten.len();
        let anew = || Followed { from: own.from, ..Followed::default() };
        let mut there = there.unwrap_or_else(anew);
        there.forgotten.append(&mut forgotten);
        to.keep_followed(stream, &there)?;
        Ok(count)
    }

    /// Empties the texts that the log says were forgotten and that the book still has, and says how many those
    /// were: no event is needed for it.
    ///
    /// # Errors
    /// Where the log cannot be read, or the book cannot be read or written.
    pub fn finish_forgetting(&self, stream: StreamId) -> Result<usize, StoreError> {
        let book = self.books().book(stream)?;
        if book.entries().next().is_none() {
            return Ok(0);
        }
        // Not as one that is read again and again: of a large store all are looked at, one after another.
        let (state, _) = self.fold(self.log(), stream, None)?;
        match &unfinished(&book, &state)[..] {
            [] => Ok(0),
            left => Ok(self.books().forget(stream, left)?),
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::desk::{Desk, Enrolment, Latecomer};
    use crate::follow::{Copy, part_behind};
    use crate::forgetting::look;
    use crate::kit::Hall;
    use crate::orders::moment;
    use crate::public::Policy;
    use crate::shown::Shown;
    use crate::store::{Followed, Given, Salt, Store};
    use scrutineer_engine::event::TextsForgotten;
    use std::collections::BTreeMap;

    /// A hall in which the log forgets Ann, and the book that came back from a backup still has her name; with
    /// the number of her text.
    fn came_back() -> (Hall, u32) {
        let hall = Hall::new();
        let state = hall.store.load(hall.stream, false).expect("loaded").state;
        let ann = state.player(1).expect("Ann").name.number;
        let forgets = |desk: &Desk<'_>| {
            desk.record(&mut |_, _| Ok(vec![TextsForgotten { numbers: vec![ann] }.into()]))
        };
        hall.at(forgets).expect("recorded");
        let kept = hall.store.books().book(hall.stream).expect("read");
        assert_eq!(kept.entry(ann).expect("it came back").text, "Ann");
        (hall, ann)
    }

    #[test]
    fn a_name_that_the_log_forgets_is_read_nowhere_though_an_older_book_came_back() {
        let (hall, ann) = came_back();
        let (store, stream) = (&hall.store, hall.stream);
        for keep_log in [false, true] {
            let event = store.load(stream, keep_log).expect("loaded");
            assert_eq!(*event.names, ["player 1", "Bob", "Cid", "Dee"]);
            assert!(event.book.entry(ann).is_none() && event.book.erased().any(|one| one == ann));
        }
        // Also as of a moment before it was forgotten.
        let before = moment(store, stream, Some("9")).expect("there").0.expect("a moment");
        let event = store.load_as_of(stream, before, false).expect("loaded");
        assert_eq!(event.names[0], "player 1");
        let public = store.public(stream, hall.public_head(), &Policy::default()).expect("made");
        assert_eq!(public.load(stream, true).expect("loaded").names[0], "player 1");
        let own = store.for_players(stream, &Policy::default(), &[1]).expect("made");
        assert_eq!(own.load(stream, true).expect("loaded").names[0], "player 1");
        // The name is free again: nobody here is called so.
        let again = Enrolment { name: "Ann".into(), ..Enrolment::default() };
        let here = hall.at(|desk| desk.here_already(std::slice::from_ref(&again), false));
        assert_eq!(here.expect("looked up"), [None]);
        let enrolled = hall.at(|desk| desk.enroll(&[again], Latecomer::AsRuled)).expect("enrolled");
        assert!(!enrolled.events.is_empty());
    }

    #[test]
    fn what_a_venue_shows_beside_a_copy_never_has_a_text_that_the_log_forgets() {
        let (hall, ann) = came_back();
        let kept = hall.store.books().book(hall.stream).expect("read");
        let entries: Vec<_> = kept.entries().collect();
        let texts: BTreeMap<u32, String> =
            entries.iter().map(|entry| (entry.number, entry.text.clone())).collect();
        let salts = entries.iter().map(|entry| (entry.number, Salt::of(entry))).collect();
        for salts in [salts, BTreeMap::new()] {
            let given = Some(Given { texts: &texts, salts: &salts });
            let (head, policy) = (hall.public_head(), Policy::default());
            let public = hall.store.public_as(hall.stream, head, &policy, given).expect("made");
            let event = public.load(hall.stream, true).expect("loaded");
            assert_eq!(*event.names, ["player 1", "Bob", "Cid", "Dee"]);
            assert!(event.book.entry(ann).is_none());
        }
    }

    /// At a publisher, `forget` said of a copy that the player was forgotten already, and nothing was done.
    #[test]
    fn nobody_is_forgotten_in_a_copy_and_its_keeper_is_sent_to_the_venue() {
        let (hall, _) = came_back();
        let followed = Followed { from: Followed::pushed_by("Friday"), ..Followed::default() };
        hall.store.keep_followed(hall.stream, &followed).expect("kept");
        let asker = crate::asker::Asker::default();
        for player in ["3", "1", "Bob"] {
            let looked = look(&asker, &hall.store, hall.stream, (player, &[]), Vec::new());
            let refused = looked.err().expect("refused");
            assert_eq!(refused.code.word, "is-a-copy");
            assert!(
                refused
                    .hint
                    .is_some_and(|hint| hint.to_string().starts_with("ask whoever runs it"))
            );
        }
    }

    /// A publisher accepted a log that was restored from a backup, and its pages had the names again that were
    /// forgotten behind it.
    #[test]
    fn who_was_forgotten_stays_so_in_a_copy_that_is_begun_anew_from_an_older_log() {
        let hall = Hall::new();
        let (store, stream) = (&hall.store, hall.stream);
        let older = part_behind((store, store), stream, 0, &hall.keys).expect("given");
        let names = store.load(stream, false).expect("loaded").state;
        let [ann, bob] = [1, 2].map(|number| names.player(number).expect("there").name.number);
        let forgets = |desk: &Desk<'_>| {
            desk.record(&mut |_, _| Ok(vec![TextsForgotten { numbers: vec![ann] }.into()]))
        };
        hall.at(forgets).expect("recorded");
        let (anew, next) = (Store::in_memory(), Store::in_memory());
        let stay = |from: &Store, to: &Store| from.stay_forgotten_in(to, stream).expect("kept");
        assert_eq!(stay(store, &anew), 0, "it is run here");
        let followed = Followed { from: Followed::pushed_by("Friday"), ..Followed::default() };
        store.keep_followed(stream, &followed).expect("kept");
        assert_eq!(stay(store, &anew), 1);
        // Also where that one is copied before anything has come.
        assert_eq!(anew.remembered_alone().expect("read"), [stream]);
        assert_eq!(stay(&anew, &Store::in_memory()), 1);
        let mut copy = Copy::of(&anew, stream, &followed.from, None).expect("a copy");
        assert!(copy.take(&older).expect("taken").is_some());
        assert!(!anew.now(stream).expect("read").is_forgotten(ann), "this log knows nothing of it");
        let texts = [(ann, "Ann".to_string()), (bob, "Bob".to_string())].into();
        let mut shown = Shown { texts, ..Shown::default() };
        let now = anew.now_forgotten(stream, shown.events_behind()).expect("read");
        assert!(shown.forget(&now) && !shown.forget(&now));
        assert_eq!(shown.texts.into_keys().collect::<Vec<u32>>(), [bob]);
        // Nor does the name come back where that one is begun anew in its turn.
        assert_eq!((stay(&anew, &next), stay(&anew, &next)), (1, 1));
    }

    #[test]
    fn a_forgetting_that_was_not_finished_is_finished_once_and_records_nothing() {
        let (hall, ann) = came_back();
        let head = hall.store.log().head(hall.stream).expect("read");
        let asker = crate::asker::Asker::default();
        let work = look(&asker, &hall.store, hall.stream, ("1", &[]), Vec::new()).expect("looked");
        assert_eq!((work.unfinished.clone(), work.is_done()), (vec![ann], false));
        assert_eq!(hall.store.finish_forgetting(hall.stream).expect("finished"), 1);
        let kept = hall.store.books().book(hall.stream).expect("read");
        assert!(kept.entry(ann).is_none() && kept.entries().any(|entry| entry.text == "Bob"));
        assert_eq!(hall.store.finish_forgetting(hall.stream).expect("finished"), 0);
        assert_eq!(hall.store.log().head(hall.stream).expect("read"), head);
    }
}
