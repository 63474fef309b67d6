//! What the players of a tournament are called, made anew only once that changed.

use lru::LruCache;
use scrutineer_engine::book::{Book, Commitment};
use scrutineer_engine::event::PlayerNumber;
use scrutineer_engine::record::StreamId;
use scrutineer_engine::tournament::Tournament;
use scrutineer_replay::loaded::{names_alone, told_apart};
use std::num::NonZeroUsize;
use std::sync::{Arc, Mutex, PoisonError};

/// What the players of a tournament are called.
pub struct Called {
    /// As shown, by number: who is called like somebody else stands there with their number.
    pub(crate) shown: Arc<Vec<String>>,
    /// As typed: number and name of everybody whose enrollment stands.
    pub(crate) typed: Vec<(PlayerNumber, String)>,
}

impl Called {
    /// The names in a private book.
    pub fn of(state: &Tournament, book: &Book) -> Called {
        let names = names_alone(state, book);
        let all = state.players().iter().zip(&names);
        let here = all.filter(|(player, _)| !player.withdrawn);
        let typed = here.map(|(player, name)| (player.number, name.clone())).collect();
        Called { shown: Arc::new(told_apart(state, names)), typed }
    }
}

/// Of how many tournaments the names are kept.
const MOST_KEPT: NonZeroUsize = NonZeroUsize::new(64).unwrap();

/// The names of tournaments as they were made last: made anew only once somebody came, left or is called
/// otherwise. Whatever else is private, such as a note that came, leaves them as they are.
pub(crate) struct KeptNames(Mutex<LruCache<StreamId, Made>>);

/// Names, and what they were made from.
struct Made {
    book: Book,
    players: Vec<(Commitment, bool)>,
    called: Arc<Called>,
}

impl Default for KeptNames {
    fn default() -> KeptNames {
        KeptNames(Mutex::new(LruCache::new(MOST_KEPT)))
    }
}

impl KeptNames {
    /// The names of the players of a tournament.
    pub(crate) fn of(&self, state: &Tournament, book: &Book) -> Arc<Called> {
        let players = || state.players().iter().map(|player| (player.name, player.withdrawn));
        let kept = || self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(made) = kept().get_mut(&book.stream())
            && players().eq(made.players.iter().copied())
        {
            let is_same = |(name, _): (Commitment, _)| made.book.has_same(book, name.number);
            if made.book.is_clone_of(book) || players().all(is_same) {
                made.book = book.clone();
                return Arc::clone(&made.called);
            }
        }
        let called = Arc::new(Called::of(state, book));
        let made =
            Made { book: book.clone(), players: players().collect(), called: Arc::clone(&called) };
        kept().put(book.stream(), made);
        called
    }
}

#[cfg(test)]
mod tests {
    use crate::desk::{Enrolment, Latecomer};
    use crate::kit::Hall;

    #[test]
    fn who_comes_or_is_forgotten_is_called_so_at_once() {
        let hall = Hall::new();
        let loaded = || hall.store.load(hall.stream, false).expect("loaded");
        assert_eq!(*loaded().names, ["Ann", "Bob", "Cid", "Dee"]);
        let eva = Enrolment { name: "Eva".into(), ..Enrolment::default() };
        hall.at(|desk| desk.enroll(&[eva], Latecomer::AsRuled)).expect("enrolled");
        assert_eq!(loaded().name(5), "Eva");
        let of_ann = loaded().state.player(1).expect("Ann").name.number;
        hall.at(|desk| desk.forget(&[of_ann])).expect("forgotten");
        assert_eq!(*loaded().names, ["player 1", "Bob", "Cid", "Dee", "Eva"]);
    }
}
