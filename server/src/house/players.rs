//! The links of players: one for each player of a tournament, bound to the first device that says that it
//! is theirs. Links and devices are kept as hashes.

use super::grants::{LETTERS, made_already, made_otherwise};
use super::rows::NotDecided;
use super::sent::{SENT, row_of};
use super::*;
use scrutineer_desk::hint::Hint;
use scrutineer_engine::event::PlayerNumber;

/// The links, by tournament and number.
pub(super) const PLAYERS: Table = "players";

/// How much a player sends in a minute at most: reports, calls, wishes.
pub const MOST_A_MINUTE: u32 = 6;
/// How many requests are remembered that made links, so that what they made can be printed again.
const MOST_MADE: usize = 64;

/// The link of a player.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PlayerLink {
    /// The hash of its secret.
    link: String,
    /// When it was made, in microseconds since 1970.
    made: u64,
    /// The hash of the device to which it is bound.
    #[serde(default)]
    device: Option<String>,
    /// How many events the log had when the device was bound.
    #[serde(default)]
    seen: u64,
}

impl PlayerLink {
    /// Returns whether a device is bound to it.
    pub fn is_bound(&self) -> bool {
        self.device.is_some()
    }

    /// Returns whether it is bound to a device that was bound before an event.
    pub fn was_bound_before(&self, seq: u64) -> bool {
        self.is_bound() && self.seen < seq
    }

    /// Returns whether it is bound to the device of this hash.
    pub(super) fn is_of(&self, device: &str) -> bool {
        self.device.as_deref() == Some(device)
    }

    /// The same, bound to a device of which nothing but its hash came: it never counts as known before a round.
    pub(super) fn bound_elsewhere(self, device: &str) -> PlayerLink {
        PlayerLink { device: Some(device.to_string()), seen: u64::MAX, ..self }
    }

    /// The same as its venue has it, with the device to which it was bound here.
    pub(super) fn keeping(self, known: &PlayerLink) -> PlayerLink {
        match self.device.is_none() && self.link == known.link {
            true => PlayerLink { device: known.device.clone(), seen: known.seen, ..self },
            false => self,
        }
    }

    /// Returns whether two are bound to one device.
    pub fn shares_its_device(&self, other: &PlayerLink) -> bool {
        self.is_bound() && self.device == other.device
    }
}

/// Returns what is kept of a device's secret.
pub fn device_hash(device: &str) -> String {
    hashed(device)
}

/// The links of the players of a tournament.
pub type PlayerLinks = BTreeMap<PlayerNumber, PlayerLink>;

/// Links that were made: the number of each player, and the secret of their link.
pub type LinksMade = Arc<Vec<(PlayerNumber, String)>>;

/// The links of players, as far as they are kept in memory.
#[derive(Default)]
pub(super) struct Players(Mutex<Holders>);

#[derive(Default)]
struct Holders {
    links: HashMap<String, PlayerLinks>,
    /// What was made by which request, the oldest first, since the program was started.
    made: Vec<(String, [u8; 32], LinksMade)>,
    /// How much each player sent in a minute.
    sent: HashMap<(StreamId, PlayerNumber), (u64, u32)>,
}

impl Players {
    pub(super) fn take(&self, key: &str, text: Option<&str>) -> Result<(), VerbError> {
        let Some((stream, number)) = key.split_once('/') else { return Ok(()) };
        let Ok(number) = number.parse() else { return Ok(()) };
        let mut holders = self.lock();
        let Some(text) = text else {
            let links = holders.links.get_mut(stream);
            if links.is_some_and(|links| links.remove(&number).is_some() && links.is_empty()) {
                holders.links.remove(stream);
            }
            return Ok(());
        };
        let link = serde_json::from_str(text).map_err(not_kept)?;
        holders.links.entry(stream.to_string()).or_default().insert(number, link);
        Ok(())
    }

    pub(super) fn clear(&self) {
        self.lock().links.clear();
    }

    fn lock(&self) -> MutexGuard<'_, Holders> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Returns the secret of a link: sixteen letters and digits that nobody takes for others, 80 bits.
pub(super) fn link_secret() -> Result<String, VerbError> {
    let letters = random::<16>()?;
    Ok(letters.iter().map(|byte| char::from(LETTERS[usize::from(byte % 32)])).collect())
}

/// The refusal of what is no link of a player here.
pub(super) fn no_such_link() -> VerbError {
    let hint = "ask the desk for a new one";
    VerbError::new(
        Code::not_found("no-such-link"),
        "this link is no player's, or another one was made",
        hint,
    )
}

/// The refusal of a link that belongs to another device.
pub(super) fn link_taken() -> VerbError {
    let hint = "open it on the device on which it was opened first, or ask the desk to free it";
    VerbError::new(Code::forbidden("link-taken"), "this link belongs to another device", hint)
}

fn key_of(stream: StreamId, player: PlayerNumber) -> String {
    format!("{stream}/{player}")
}

impl House {
    /// Makes a link for each of these players; one that they had ends, and so does its device. The same
    /// request again is given what it was given, as long as the program runs.
    ///
    /// # Errors
    /// Where they cannot be kept, or something was made under the key: something else, or by a server that
    /// ran before.
    pub fn make_player_links(
        &self,
        stream: StreamId,
        players: &[PlayerNumber],
        by: &str,
        once: &Once,
    ) -> Result<LinksMade, VerbError> {
        self.deciding(|| self.player_links_made(stream, players, by, once))
    }

    fn player_links_made(
        &self,
        stream: StreamId,
        players: &[PlayerNumber],
        by: &str,
        once: &Once,
    ) -> Result<LinksMade, NotDecided> {
        if let Some((_, body, made)) =
            self.players.lock().made.iter().find(|(id, ..)| *id == once.id)
        {
            return match *body == once.body {
                true => Ok(Arc::clone(made)),
                false => Err(made_otherwise().into()),
            };
        }
        match self.was_made_by(once) {
            Some(true) => return Err(made_already("links were made").into()),
            Some(false) => return Err(made_otherwise().into()),
            None => {}
        }
        let mut made = Vec::with_capacity(players.len());
        let mut rows = Vec::with_capacity(players.len());
        for player in players {
            let secret = link_secret()?;
            let link = PlayerLink {
                link: hashed(&secret),
                made: now_in_micros(),
                ..PlayerLink::default()
            };
            rows.push((key_of(stream, *player), text_of(&link)?));
            made.push((*player, secret));
        }
        let mut kept: Vec<_> =
            rows.iter().map(|(key, text)| (PLAYERS, key.as_str(), text.clone())).collect();
        let (key, text) = row_of(once);
        if !players.is_empty() {
            kept.push((SENT, &key, Some(text)));
        }
        let what = format!("made links for {} of the players of {stream}", players.len());
        self.keep([(by, what)], &kept)?;
        let made = Arc::new(made);
        let mut holders = self.players.lock();
        if holders.made.len() >= MOST_MADE {
            holders.made.remove(0);
        }
        holders.made.push((once.id.clone(), once.body, Arc::clone(&made)));
        Ok(made)
    }

    /// Returns what a request made, as long as the program remembers it.
    pub fn links_made(&self, id: &str) -> Option<LinksMade> {
        let holders = self.players.lock();
        let found = holders.made.iter().find(|(known, ..)| known == id);
        found.map(|(_, _, made)| Arc::clone(made))
    }

    /// Returns the links of the players of a tournament.
    pub fn player_links(&self, stream: StreamId) -> PlayerLinks {
        self.players.lock().links.get(&stream.to_string()).cloned().unwrap_or_default()
    }

    /// Returns the link of a player.
    pub fn link_of_player(&self, stream: StreamId, player: PlayerNumber) -> Option<PlayerLink> {
        self.players.lock().links.get(&stream.to_string())?.get(&player).cloned()
    }

    /// Returns whose link this is, and whether it is bound to this device already.
    ///
    /// # Errors
    /// Where it is nobody's, or belongs to another device.
    pub fn linked_player(
        &self,
        stream: StreamId,
        secret: &str,
        device: Option<&str>,
    ) -> Result<(PlayerNumber, bool), VerbError> {
        self.tried_anew(|| self.linked_player_here(stream, secret, device))
    }

    fn linked_player_here(
        &self,
        stream: StreamId,
        secret: &str,
        device: Option<&str>,
    ) -> Result<(PlayerNumber, bool), VerbError> {
        // Typed from a strip it may come in small letters.
        let (link, device) = (hashed(&secret.to_ascii_uppercase()), device.map(hashed));
        let holders = self.players.lock();
        let links = holders.links.get(&stream.to_string()).ok_or_else(no_such_link)?;
        let found = links.iter().find(|(_, known)| known.link == link);
        let (player, known) = found.ok_or_else(no_such_link)?;
        match (&known.device, &device) {
            (None, _) => Ok((*player, false)),
            (Some(bound), Some(device)) if bound == device => Ok((*player, true)),
            _ => Err(link_taken()),
        }
    }

    /// Binds a link to a device, and gives the device's secret: the one that it has already, or a new one.
    /// The log has so many events now.
    ///
    /// # Errors
    /// As [`House::linked_player`], or where it cannot be kept.
    pub fn bind_player(
        &self,
        stream: StreamId,
        secret: &str,
        device: Option<&str>,
        seen: u64,
    ) -> Result<(PlayerNumber, String), VerbError> {
        self.deciding(|| self.player_bound(stream, secret, device, seen))
    }

    fn player_bound(
        &self,
        stream: StreamId,
        secret: &str,
        device: Option<&str>,
        seen: u64,
    ) -> Result<(PlayerNumber, String), NotDecided> {
        let (player, is_bound) = self.linked_player_here(stream, secret, device)?;
        let device = match device {
            // One that this house knows nothing of is none: it could be anybody's.
            Some(device) if !self.players_here(stream, device).is_empty() => device.to_string(),
            _ => super::secret()?,
        };
        if is_bound {
            return Ok((player, device));
        }
        let link = self.link_of_player(stream, player).ok_or_else(no_such_link)?;
        let link = PlayerLink { device: Some(hashed(&device)), seen, ..link };
        self.keep_link(stream, player, &link)?;
        Ok((player, device))
    }

    /// Keeps the link of a player.
    pub(super) fn keep_link(
        &self,
        stream: StreamId,
        player: PlayerNumber,
        link: &PlayerLink,
    ) -> Result<(), NotDecided> {
        self.keep(None, &[(PLAYERS, &key_of(stream, player), text_of(link)?)])
    }

    /// Returns the players who hold a device: mostly one, of one phone in a family some.
    pub fn players_of(&self, stream: StreamId, device: &str) -> Vec<PlayerNumber> {
        let found = || Some(self.players_here(stream, device)).filter(|found| !found.is_empty());
        self.found_anew(found).unwrap_or_default()
    }

    fn players_here(&self, stream: StreamId, device: &str) -> Vec<PlayerNumber> {
        let device = Some(hashed(device));
        let holders = self.players.lock();
        let links = holders.links.get(&stream.to_string()).into_iter().flatten();
        links.filter(|(_, link)| link.device == device).map(|(player, _)| *player).collect()
    }

    /// Frees the link of a player from its device: the next one that opens it is theirs.
    ///
    /// # Errors
    /// Where they have none, or it cannot be kept.
    pub fn free_player(
        &self,
        stream: StreamId,
        player: PlayerNumber,
        by: &str,
    ) -> Result<(), VerbError> {
        self.deciding(|| {
            let Some(link) = self.link_of_player(stream, player) else {
                let hint = "make one: it is bound to the first device that opens it";
                let message = format!("player {player} has no link");
                return Err(VerbError::new(Code::not_found("no-such-link"), message, hint).into());
            };
            let link = PlayerLink { device: None, seen: 0, ..link };
            let what = format!("freed the link of player {player} of {stream} from its device");
            self.keep([(by, what)], &[(PLAYERS, &key_of(stream, player), text_of(&link)?)])
        })
    }

    /// Counts something that a player sends.
    ///
    /// # Errors
    /// `slow-down` where it is too much in a minute.
    pub fn count_of_player(&self, stream: StreamId, player: PlayerNumber) -> Result<(), VerbError> {
        let now = now();
        let minute = now / 60;
        let mut holders = self.players.lock();
        if holders.sent.len() >= grants::MOST_REMEMBERED {
            holders.sent.retain(|_, (since, _)| *since == minute);
        }
        let sent = holders.sent.entry((stream, player)).or_insert((minute, 0));
        if sent.0 != minute {
            *sent = (minute, 0);
        }
        if sent.1 >= MOST_A_MINUTE {
            let message = format!("more than {MOST_A_MINUTE} in a minute are too many");
            let hint = Hint::to_wait(60 - now % 60, "nothing was done");
            return Err(VerbError::new(SLOW_DOWN, message, hint));
        }
        sent.1 += 1;
        Ok(())
    }

    /// Ends the links of tournaments that are over, as `is_over` says of their ids.
    ///
    /// # Errors
    /// Where that cannot be kept.
    pub fn end_player_links(&self, is_over: impl Fn(&str) -> bool) -> Result<(), VerbError> {
        let over = || {
            let holders = self.players.lock();
            let over = holders.links.iter().filter(|(stream, _)| is_over(stream));
            let key = |stream: &String, player: &PlayerNumber| format!("{stream}/{player}");
            over.map(|(stream, links)| links.keys().map(|one| key(stream, one)).collect())
                .collect::<Vec<Vec<String>>>()
        };
        let ended: Vec<StreamId> = {
            let holders = self.players.lock();
            let over = holders.links.keys().filter(|stream| is_over(stream));
            over.filter_map(|stream| stream.parse().ok()).collect()
        };
        self.deciding(|| {
            for keys in over() {
                let rows: Vec<_> = keys.iter().map(|key| (PLAYERS, key.as_str(), None)).collect();
                self.keep(None, &rows)?;
            }
            ended.iter().try_for_each(|stream| self.forget_phones(*stream))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FRIDAY: StreamId = StreamId([7; 16]);

    fn once(id: &str) -> Once {
        Once { id: id.into(), body: [0; 32] }
    }

    fn made(house: &House, id: &str, players: &[PlayerNumber]) -> LinksMade {
        house.make_player_links(FRIDAY, players, "Olga", &once(id)).expect("made")
    }

    #[test]
    fn a_link_is_bound_to_the_first_device_and_a_second_one_is_refused_until_it_is_freed() {
        let house = House::open(None).expect("opened");
        let links = made(&house, "a", &[1, 2]);
        let (_, ann) = &links[0];
        assert_eq!(ann.len(), 16, "80 bits");
        assert_eq!(house.linked_player(FRIDAY, ann, None).expect("hers"), (1, false));
        let (player, device) = house.bind_player(FRIDAY, ann, None, 9).expect("bound");
        assert_eq!((player, house.players_of(FRIDAY, &device)), (1, vec![1]));
        for other in [None, Some("another device")] {
            let refused = house.bind_player(FRIDAY, ann, other, 10).expect_err("bound");
            assert_eq!(refused.code, "link-taken");
        }
        assert_eq!(house.bind_player(FRIDAY, ann, Some(&device), 10).expect("again").1, device);
        let link = house.link_of_player(FRIDAY, 1).expect("hers");
        assert!(link.was_bound_before(10) && !link.was_bound_before(9));
        house.free_player(FRIDAY, 1, "Olga").expect("freed");
        assert!(house.players_of(FRIDAY, &device).is_empty());
        let (_, second) =
            house.bind_player(FRIDAY, ann, Some("another device"), 20).expect("bound");
        assert_ne!(second, "another device", "a device takes no secret that it brings along");
        assert!(!house.link_of_player(FRIDAY, 1).expect("hers").was_bound_before(20));
        assert_eq!(house.linked_player(FRIDAY, "X", None).expect_err("none").code, "no-such-link");
    }

    #[test]
    fn two_links_on_one_device_are_known_as_such() {
        let house = House::open(None).expect("opened");
        let links = made(&house, "a", &[1, 2, 3]);
        let (_, device) = house.bind_player(FRIDAY, &links[0].1, None, 1).expect("bound");
        let (_, same) = house.bind_player(FRIDAY, &links[1].1, Some(&device), 1).expect("bound");
        house.bind_player(FRIDAY, &links[2].1, None, 1).expect("bound");
        assert_eq!((device == same, house.players_of(FRIDAY, &same)), (true, vec![1, 2]));
        let [one, two, three] =
            [1, 2, 3].map(|player| house.link_of_player(FRIDAY, player).expect("a link"));
        assert!(one.shares_its_device(&two) && !one.shares_its_device(&three));
    }

    #[test]
    fn links_are_there_after_a_restart_as_hashes_and_a_new_one_ends_the_old_one() {
        let folder = tempfile::tempdir().expect("a folder");
        let (first, device) = {
            let house = House::open(Some(folder.path())).expect("opened");
            let links = made(&house, "a", &[1]);
            assert_eq!(made(&house, "a", &[1]), links, "the same request again");
            let otherwise = Once { id: "a".into(), body: [1; 32] };
            let refused = house.make_player_links(FRIDAY, &[1], "Olga", &otherwise);
            assert_eq!(refused.expect_err("another").code, "command-id-reused");
            let (_, device) = house.bind_player(FRIDAY, &links[0].1, None, 1).expect("bound");
            (links[0].1.clone(), device)
        };
        let bytes = std::fs::read(folder.path().join("house.redb")).expect("read");
        for secret in [&first, &device] {
            assert!(!bytes.windows(secret.len()).any(|part| part == secret.as_bytes()));
        }
        let house = House::open(Some(folder.path())).expect("opened again");
        // Sent again now, a request ends no link that a player has.
        for (body, code) in [([0; 32], "made-already"), ([1; 32], "command-id-reused")] {
            let again = Once { id: "a".into(), body };
            let refused = house.make_player_links(FRIDAY, &[1], "Olga", &again);
            assert_eq!(refused.expect_err("made before").code, code);
        }
        assert_eq!(house.players_of(FRIDAY, &device), [1]);
        made(&house, "b", &[1]);
        assert!(house.linked_player(FRIDAY, &first, Some(&device)).is_err());
        assert!(house.players_of(FRIDAY, &device).is_empty());
        house.end_player_links(|stream| stream == FRIDAY.to_string()).expect("ended");
        assert!(house.player_links(FRIDAY).is_empty());
    }

    #[test]
    fn a_player_who_sends_one_too_many_in_a_minute_waits_and_others_do_not() {
        let house = House::open(None).expect("opened");
        let sent = |_| house.count_of_player(FRIDAY, 1);
        // Where a minute ends in between, the next one is begun.
        let is_refused = |_| (0..=MOST_A_MINUTE).map(sent).any(|sent| sent.is_err());
        assert!((0..3).any(is_refused) && house.count_of_player(FRIDAY, 2).is_ok());
        let error = house.count_of_player(FRIDAY, 1).expect_err("one too many");
        assert_eq!(error.code, "slow-down");
        let seconds = error.hint.as_ref().and_then(Hint::seconds);
        assert!(seconds.is_some_and(|seconds| (1..=60).contains(&seconds)), "{error:?}");
    }
}
