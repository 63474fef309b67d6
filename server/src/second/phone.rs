//! A phone that comes from the laptop that was the desk: that one names it to this one, sealed with the key that both
//! have, so that nobody else can name one. The name stands in the address, and whoever presses the button there first
//! is that phone: each name is taken once, and within the hour.

use super::{Key, Second, lock};
use crate::house::now;
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;

/// How long a phone is known by such a name, in seconds: longer than it takes to press a button, also where the clocks
/// of the two laptops differ.
const GOOD_FOR: u64 = 60 * 60;
/// How many names are remembered that were taken; where there are more none is taken, until some are too old.
const REMEMBERED: usize = 100_000;

impl Second {
    fn key_of_phones(&self) -> Option<Key> {
        Some(Key::of_hex(&self.standing().partner?.key)?.of_phones())
    }

    /// Returns the name of a phone for the other laptop, by the secret of its device; none: there is no other one.
    pub(crate) fn phone_named(&self, device: &str) -> Option<String> {
        self.phone_named_at(device, now())
    }

    fn phone_named_at(&self, device: &str, at: u64) -> Option<String> {
        let message = [&at.to_le_bytes()[..], device.as_bytes()].concat();
        let sealed = self.key_of_phones()?.seal(b"", &message).ok()?;
        Some(URL_SAFE_NO_PAD.encode(sealed))
    }

    /// Returns the secret of the device that the other laptop named; none: it named none so, or long ago.
    pub(crate) fn phone_of(&self, name: &str) -> Option<String> {
        let sealed = URL_SAFE_NO_PAD.decode(name).ok()?;
        let message = self.key_of_phones()?.open(b"", &sealed).ok()?;
        let (at, device) = message.split_first_chunk::<8>()?;
        let is_good = u64::from_le_bytes(*at).abs_diff(now()) <= GOOD_FOR;
        String::from_utf8(device.to_vec()).ok().filter(|_| is_good)
    }

    /// Takes a name that is good, and returns whether nobody had taken it before.
    pub(crate) fn takes_phone(&self, name: &str) -> bool {
        let (now, mut taken) = (now(), lock(&self.phones));
        // One that a clock made that is ahead is good for longer.
        taken.retain(|_, at| now.abs_diff(*at) <= 2 * GOOD_FOR);
        taken.len() < REMEMBERED
            && taken.insert(*blake3::hash(name.as_bytes()).as_bytes(), now).is_none()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use scrutineer_desk::standing::Partner;

    fn with_key(key: &Key) -> Second {
        let second = Second::open(None).expect("opened");
        lock(&second.standing).partner = Some(Partner { key: key.to_hex(), address: None });
        second
    }

    #[test]
    fn a_phone_is_named_between_two_laptops_for_an_hour_and_by_nobody_else() {
        let key = Key::new().expect("random");
        let (first, second) = (with_key(&key), with_key(&key));
        let stranger = with_key(&Key::new().expect("random"));
        let name = first.phone_named("0123abcd").expect("a name");
        assert!(!name.contains("0123abcd"), "{name}");
        assert_eq!(second.phone_of(&name).as_deref(), Some("0123abcd"));
        assert_eq!(stranger.phone_of(&name), None);
        let alone = Second::open(None).expect("opened");
        assert_eq!((alone.phone_named("0123abcd"), alone.phone_of(&name)), (None, None));
        // Neither a device's secret nor what the laptops say to each other is such a name.
        let said = [&now().to_le_bytes()[..], b"0123abcd"].concat();
        let said = URL_SAFE_NO_PAD.encode(key.seal(b"", &said).expect("sealed"));
        for none in ["0123abcd", "", "ABCDEFGHJKLMNPQR", said.as_str()] {
            assert_eq!(second.phone_of(none), None, "{none}");
        }
        for (at, is_good) in [(now() - GOOD_FOR / 2, true), (now() - GOOD_FOR - 60, false)] {
            let name = first.phone_named_at("0123abcd", at).expect("a name");
            assert_eq!(second.phone_of(&name).is_some(), is_good);
        }
    }

    #[test]
    fn a_name_makes_one_phone_its_players_and_a_new_one_of_the_same_phone_another() {
        let key = Key::new().expect("random");
        let (first, second) = (with_key(&key), with_key(&key));
        for name in [(); 2].map(|()| first.phone_named("0123abcd").expect("a name")) {
            assert_eq!([second.takes_phone(&name), second.takes_phone(&name)], [true, false]);
        }
    }
}
