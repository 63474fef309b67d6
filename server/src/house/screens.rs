//! The links of screens: one for each tournament, which shows what the desk says to show and does nothing.
//! The desk shows it again and again, so it is kept as it is.

use super::*;

/// The codes, by tournament.
pub(super) const SCREENS: Table = "screens";

/// The links of screens, as far as they are kept in memory.
#[derive(Default)]
pub(super) struct Screens(Mutex<HashMap<String, String>>);

impl Screens {
    pub(super) fn take(&self, key: &str, text: Option<&str>) -> Result<(), VerbError> {
        put_into(&mut *self.lock(), key, text)
    }

    pub(super) fn clear(&self) {
        self.lock().clear();
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<String, String>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl House {
    /// Returns the code of the link of a tournament's screen, where one was made.
    pub fn screen(&self, stream: StreamId) -> Option<String> {
        self.screens.lock().get(&stream.to_string()).cloned()
    }

    /// Returns whether a code is that of the link of a tournament's screen.
    pub fn is_screen(&self, stream: StreamId, code: &str) -> bool {
        let is_own = || self.screen(stream).filter(|own| same(own, code));
        self.found_anew(is_own).is_some()
    }

    /// Makes the link of a tournament's screen; one that was there ends.
    ///
    /// # Errors
    /// Where it cannot be kept.
    pub fn make_screen(&self, stream: StreamId, by: &str) -> Result<String, VerbError> {
        let code = players::link_secret()?;
        let (id, text) = (stream.to_string(), text_of(&code)?);
        self.deciding(|| {
            let what = format!("made a link for the screen of {}", short_id(stream));
            self.keep([(by, what)], &[(SCREENS, &id, text.clone())])
        })?;
        Ok(code)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_link_of_a_screen_is_there_after_a_restart_and_a_new_one_ends_it() {
        let folder = tempfile::tempdir().expect("a folder");
        let (one, other) = (StreamId([1; 16]), StreamId([2; 16]));
        let first = {
            let house = House::open(Some(folder.path())).expect("opened");
            assert_eq!(house.screen(one), None);
            house.make_screen(one, "Ann").expect("made")
        };
        let house = House::open(Some(folder.path())).expect("opened");
        assert!(house.is_screen(one, &first) && !house.is_screen(other, &first));
        let second = house.make_screen(one, "Ann").expect("made");
        assert!(house.is_screen(one, &second) && !house.is_screen(one, &first));
        let last = house.last_changes(1).expect("read");
        assert!(last[0].what.starts_with("made a link for the screen of"), "{last:?}");
    }
}
