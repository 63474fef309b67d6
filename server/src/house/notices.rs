//! Which phones want to be told what, and the key with which that is signed. An address belongs to the device
//! that gave it: where the player's link is freed or made anew, nothing goes there any more.

use super::rows::NotDecided;
use super::signed::{Signer, new_key};
use super::*;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use scrutineer_engine::event::{PlayerNumber, Seq};
use std::sync::OnceLock;

/// The addresses, by tournament and number.
pub(super) const NOTICES: Table = "notices";
/// How far each tournament was told, and the key under a name that is no tournament's.
pub(super) const TOLD: Table = "notices told";
const KEY: &str = "key";

/// Where a player's phone is told what happens.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PhoneAddress {
    /// The address at the service that carries it there.
    pub endpoint: String,
    /// The phone's public key, and its secret, in base64url.
    pub key: String,
    /// The same of the secret.
    pub secret: String,
    /// The language of its player, by its tag.
    pub language: String,
    /// Where the page came from, such as `https://desk.example.org`.
    pub origin: String,
    /// The hash of the device that gave it.
    pub device: String,
}

/// The addresses, as they are in memory too.
#[derive(Default)]
pub(super) struct Notices {
    addresses: Mutex<HashMap<String, BTreeMap<PlayerNumber, PhoneAddress>>>,
    /// The rows of how far each tournament was told, and of the key.
    told: Mutex<HashMap<String, String>>,
    /// The public key, once it was asked for.
    public: OnceLock<String>,
}

impl Notices {
    pub(super) fn take(&self, table: &str, key: &str, text: Option<&str>) -> Result<(), VerbError> {
        if table == TOLD {
            return put_into(&mut *self.told(), key, text);
        }
        let Some((stream, number)) = key.split_once('/') else { return Ok(()) };
        let Ok(number) = number.parse() else { return Ok(()) };
        let mut all = self.lock();
        let Some(text) = text else {
            let own = all.get_mut(stream);
            if own.is_some_and(|own| own.remove(&number).is_some() && own.is_empty()) {
                all.remove(stream);
            }
            return Ok(());
        };
        let address = serde_json::from_str(text).map_err(not_kept)?;
        all.entry(stream.to_string()).or_default().insert(number, address);
        Ok(())
    }

    pub(super) fn clear(&self) {
        self.lock().clear();
        self.told().clear();
    }

    fn told(&self) -> MutexGuard<'_, HashMap<String, String>> {
        self.told.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<String, BTreeMap<PlayerNumber, PhoneAddress>>> {
        self.addresses.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl House {
    fn told_row(&self, name: &str) -> Option<String> {
        self.notices.told().get(name).cloned()
    }

    /// Returns the key with which notices are signed, which is made when it is first needed.
    ///
    /// # Errors
    /// Where it cannot be made or kept.
    pub fn key_of_notices(&self) -> Result<Vec<u8>, VerbError> {
        self.deciding(|| {
            if let Some(known) = self.told_row(KEY) {
                return Ok(STANDARD.decode(known).map_err(not_kept)?);
            }
            let made = new_key().map_err(not_kept)?;
            self.keep(None, &[(TOLD, KEY, text_of(&STANDARD.encode(&made))?)])?;
            Ok(made)
        })
    }

    /// Returns the public key of that, with which browsers ask for an address.
    ///
    /// # Errors
    /// As [`House::key_of_notices`].
    pub fn public_key_of_notices(&self) -> Result<&str, VerbError> {
        if self.notices.public.get().is_none() {
            let signer = Signer::of(&self.key_of_notices()?).map_err(not_kept)?;
            let _ = self.notices.public.set(signer.public());
        }
        Ok(self.notices.public.get().map_or("", String::as_str))
    }

    /// Keeps where a player's phone is told, from an event on where nobody of the tournament was told before.
    ///
    /// # Errors
    /// Where it cannot be kept.
    pub fn tell_phone(
        &self,
        stream: StreamId,
        player: PlayerNumber,
        address: PhoneAddress,
        head: Seq,
    ) -> Result<(), VerbError> {
        let (name, place) = (stream.to_string(), format!("{stream}/{player}"));
        self.deciding(|| {
            let mut rows = vec![(NOTICES, &place[..], text_of(&address)?)];
            let is_first = self.phones_told(stream).is_empty();
            if is_first {
                rows.push((TOLD, &name, text_of(&head.to_string())?));
            }
            self.keep(None, &rows)
        })
    }

    /// Tells a player's phone nothing any more.
    ///
    /// # Errors
    /// Where that cannot be kept.
    pub fn end_telling(&self, stream: StreamId, player: PlayerNumber) -> Result<(), VerbError> {
        self.deciding(|| {
            let all = self.notices.lock();
            let is_known =
                all.get(&stream.to_string()).is_some_and(|all| all.contains_key(&player));
            drop(all);
            match is_known {
                true => self.keep(None, &[(NOTICES, &format!("{stream}/{player}"), None)]),
                false => Ok(()),
            }
        })
    }

    /// Forgets all phones of a tournament, whose links end. Within [`House::deciding`].
    pub(super) fn forget_phones(&self, stream: StreamId) -> Result<(), NotDecided> {
        let name = stream.to_string();
        let gone = self.notices.lock().get(&name).cloned().unwrap_or_default();
        let places: Vec<String> = gone.keys().map(|player| format!("{name}/{player}")).collect();
        let mut rows: Vec<_> = places.iter().map(|place| (NOTICES, place.as_str(), None)).collect();
        rows.push((TOLD, &name, None));
        self.keep(None, &rows)
    }

    /// Returns the tournaments of which some phone is told.
    pub fn told_tournaments(&self) -> Vec<StreamId> {
        self.notices.lock().keys().filter_map(|name| name.parse().ok()).collect()
    }

    /// Returns the phones that are told of a tournament: those whose device has its player's link still.
    pub fn phones_told(&self, stream: StreamId) -> Vec<(PlayerNumber, PhoneAddress)> {
        let links = self.player_links(stream);
        let all = self.notices.lock();
        let own = all.get(&stream.to_string()).into_iter().flatten();
        let holds = |player: &PlayerNumber, address: &PhoneAddress| {
            links.get(player).is_some_and(|link| link.is_of(&address.device))
        };
        let own = own.filter(|(player, address)| holds(player, address));
        own.map(|(player, address)| (*player, address.clone())).collect()
    }

    /// Returns the event up to which the phones of a tournament were told.
    ///
    /// # Errors
    /// Where it cannot be read.
    pub fn phones_told_to(&self, stream: StreamId) -> Result<Option<Seq>, VerbError> {
        Ok(self.told_row(&stream.to_string()).and_then(|row| row.parse().ok()))
    }

    /// Keeps that.
    ///
    /// # Errors
    /// Where it cannot be kept.
    pub fn keep_told_to(&self, stream: StreamId, seq: Seq) -> Result<(), VerbError> {
        let (name, text) = (stream.to_string(), text_of(&seq.to_string())?);
        self.deciding(|| self.keep(None, &[(TOLD, &name, text.clone())]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FRIDAY: StreamId = StreamId([7; 16]);

    #[test]
    fn a_phone_is_told_as_long_as_its_player_has_it_and_the_key_stays() {
        let folder = tempfile::tempdir().expect("a folder");
        let key = {
            let house = House::open(Some(folder.path())).expect("opened");
            let once = Once { id: "a".into(), body: [0; 32] };
            let links = house.make_player_links(FRIDAY, &[1, 2], "Olga", &once).expect("made");
            let (_, device) = house.bind_player(FRIDAY, &links[0].1, None, 1).expect("bound");
            let (endpoint, device) = ("https://push.example.org/1".into(), device_hash(&device));
            let address = PhoneAddress { endpoint, device, ..PhoneAddress::default() };
            house.tell_phone(FRIDAY, 1, address.clone(), 7).expect("kept");
            // Of a device that is not theirs.
            let other = PhoneAddress { device: "other".into(), ..address };
            house.tell_phone(FRIDAY, 2, other, 9).expect("kept");
            house.key_of_notices().expect("made")
        };
        let house = House::open(Some(folder.path())).expect("opened again");
        assert_eq!(house.key_of_notices().expect("kept"), key);
        let told: Vec<PlayerNumber> =
            house.phones_told(FRIDAY).into_iter().map(|(player, _)| player).collect();
        assert_eq!((told, house.phones_told_to(FRIDAY).expect("read")), (vec![1], Some(7)));
        house.keep_told_to(FRIDAY, 12).expect("kept");
        assert_eq!(house.phones_told_to(FRIDAY).expect("read"), Some(12));
        house.free_player(FRIDAY, 1, "Olga").expect("freed");
        assert!(house.phones_told(FRIDAY).is_empty());
        for player in [1, 2] {
            house.end_telling(FRIDAY, player).expect("ended");
        }
        assert!(house.told_tournaments().is_empty());
    }
}
