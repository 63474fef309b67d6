//! What players sent to a public server, until the desk of their tournament has said what became of it.

use super::rows::NotDecided;
use super::*;
use scrutineer_engine::event::PlayerNumber;

pub(super) const INBOX: Table = "inbox";

/// How much of a tournament waits at most.
pub const MOST_WAITING: usize = 1_000;
/// How long what was settled is still shown, in seconds.
const SHOWN_FOR: u64 = 48 * 60 * 60;

/// Where something is that a player sent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Whereabouts {
    /// It lies here.
    #[default]
    Sent,
    /// The venue has fetched it.
    AtTheDesk,
    /// It is done there.
    Recorded,
    /// It was refused there.
    Refused,
}

/// Something that a player sent from afar.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Waiting {
    /// Under which id: what is sent again under it is not done again.
    pub id: String,
    /// In which tournament.
    pub tournament: String,
    /// Who sent it.
    pub player: PlayerNumber,
    /// From which device, as a hash.
    pub device: String,
    /// What, as the page of a player sends it.
    pub fields: Vec<(String, String)>,
    /// When, in seconds since 1970.
    pub at: u64,
    /// Where it is.
    #[serde(default)]
    pub is: Whereabouts,
    /// Why it was refused.
    #[serde(default)]
    pub why: String,
}

/// A refusal as a venue sends it to a copy, which has the player's words for its code.
pub fn coded(code: &str, message: &str) -> String {
    format!("[{code}] {message}")
}

impl Waiting {
    /// Why it was refused: the code, which venues of before do not send, and the message.
    pub fn why(&self) -> (Option<&str>, &str) {
        let coded = self.why.strip_prefix('[').and_then(|rest| rest.split_once("] "));
        coded.map_or((None, &self.why), |(code, message)| (Some(code), message))
    }

    fn key(&self) -> String {
        format!("{}/{}", self.tournament, self.id)
    }

    fn is_open(&self) -> bool {
        matches!(self.is, Whereabouts::Sent | Whereabouts::AtTheDesk)
    }
}

/// What waits, as it is in memory too.
#[derive(Default)]
pub(super) struct Inbox(Mutex<BTreeMap<String, Waiting>>);

impl Inbox {
    pub(super) fn take(&self, key: &str, text: Option<&str>) -> Result<(), VerbError> {
        put_into(&mut *self.lock(), key, text)
    }

    pub(super) fn clear(&self) {
        self.lock().clear();
    }

    fn lock(&self) -> MutexGuard<'_, BTreeMap<String, Waiting>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl House {
    /// Keeps something that a player sent; false where it is there already.
    ///
    /// # Errors
    /// `too-busy` where too much waits, `command-id-reused` where something else was sent under its id.
    pub fn put_in_inbox(&self, one: Waiting) -> Result<bool, VerbError> {
        self.deciding(|| self.inbox_put(&one))
    }

    fn inbox_put(&self, one: &Waiting) -> Result<bool, NotDecided> {
        let (mut waits, mut over) = (0, Vec::new());
        {
            let inbox = self.inbox.lock();
            if let Some(known) = inbox.get(&one.key()) {
                return match known.fields == one.fields {
                    true => Ok(false),
                    false => Err(grants::made_otherwise().into()),
                };
            }
            for (key, known) in inbox.iter() {
                waits += usize::from(known.is_open() && known.tournament == one.tournament);
                if !known.is_open() && known.at + SHOWN_FOR < one.at {
                    over.push(key.clone());
                }
            }
        }
        if waits >= MOST_WAITING {
            return Err(crate::problem::too_busy().into());
        }
        let (key, text) = (one.key(), text_of(one)?);
        let mut rows = vec![(INBOX, key.as_str(), text)];
        rows.extend(over.iter().map(|key| (INBOX, key.as_str(), None)));
        self.keep(None, &rows)?;
        Ok(true)
    }

    /// Returns what waits for the desks of these tournaments, the oldest first.
    pub fn waiting(&self, is_theirs: impl Fn(&str) -> bool) -> Vec<Waiting> {
        let inbox = self.inbox.lock();
        let open = inbox.values().filter(|one| one.is_open() && is_theirs(&one.tournament));
        let mut open: Vec<Waiting> = open.cloned().collect();
        open.sort_by_key(|one| one.at);
        open
    }

    /// Returns what a player sent, the newest first.
    pub fn sent_by(&self, stream: StreamId, player: PlayerNumber) -> Vec<Waiting> {
        let (inbox, tournament) = (self.inbox.lock(), stream.to_string());
        let own = inbox.values().filter(|one| one.player == player && one.tournament == tournament);
        let mut own: Vec<Waiting> = own.cloned().collect();
        own.sort_by_key(|one| std::cmp::Reverse(one.at));
        own
    }

    /// Keeps where something is by now; returns whose it is, where it was elsewhere before.
    ///
    /// # Errors
    /// Where it cannot be kept.
    pub fn moved_on(
        &self,
        stream: StreamId,
        id: &str,
        is: Whereabouts,
        why: &str,
    ) -> Result<Option<PlayerNumber>, VerbError> {
        let key = format!("{stream}/{id}");
        self.deciding(|| {
            let Some(mut one) = self.inbox.lock().get(&key).cloned() else { return Ok(None) };
            if one.is == is || !one.is_open() {
                return Ok(None);
            }
            (one.is, one.why) = (is, why.chars().take(300).collect());
            self.keep(None, &[(INBOX, &key, text_of(&one)?)])?;
            Ok(Some(one.player))
        })
    }

    /// Binds the link of a player to a device that came in by a public server: what is sent by it waits
    /// for the desk, and never makes a result with another player's.
    ///
    /// # Errors
    /// `link-taken` where it belongs to another device, `no-such-link` where they have none.
    pub fn bind_elsewhere(
        &self,
        stream: StreamId,
        player: PlayerNumber,
        device: &str,
    ) -> Result<(), VerbError> {
        self.deciding(|| {
            let link = self.link_of_player(stream, player).ok_or_else(players::no_such_link)?;
            if link.is_bound() {
                return match link.is_of(device) {
                    true => Ok(()),
                    false => Err(players::link_taken().into()),
                };
            }
            self.keep_link(stream, player, &link.bound_elsewhere(device))
        })
    }

    /// Takes the links of a tournament as its venue has them. One that was bound here stays so, until
    /// its venue has it bound to another device.
    ///
    /// # Errors
    /// Where they cannot be kept.
    pub fn take_links(&self, stream: StreamId, links: &PlayerLinks) -> Result<(), VerbError> {
        self.deciding(|| {
            for (player, link) in links {
                let known = self.link_of_player(stream, *player);
                let link = known.map_or(link.clone(), |known| link.clone().keeping(&known));
                if self.link_of_player(stream, *player).as_ref() != Some(&link) {
                    self.keep_link(stream, *player, &link)?;
                }
            }
            Ok(())
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FRIDAY: StreamId = StreamId([7; 16]);

    fn waiting(id: usize) -> Waiting {
        let (id, tournament) = (id.to_string(), FRIDAY.to_string());
        Waiting { id, tournament, player: 1, at: 10, ..Waiting::default() }
    }

    #[test]
    fn what_waits_is_there_once_until_it_is_settled_and_not_more_than_may_be() {
        let house = House::open(None).expect("opened");
        for id in 0..MOST_WAITING {
            assert!(house.put_in_inbox(waiting(id)).expect("kept"));
        }
        assert!(!house.put_in_inbox(waiting(3)).expect("again"), "it is there");
        let fields = vec![("do".to_string(), "call".to_string())];
        let other = Waiting { fields, ..waiting(3) };
        assert_eq!(house.put_in_inbox(other).expect_err("another").code.word, "command-id-reused");
        let refused = house.put_in_inbox(waiting(MOST_WAITING)).expect_err("too many");
        assert_eq!(refused.code.word, "too-busy");
        let moves =
            |is| house.moved_on(FRIDAY, "3", is, "").expect("kept").is_some_and(|of| of == 1);
        assert!(moves(Whereabouts::Recorded), "whose it is is told");
        assert!(!moves(Whereabouts::AtTheDesk), "settled is settled");
        assert!(house.put_in_inbox(waiting(MOST_WAITING)).expect("there is room"));
        assert_eq!(house.waiting(|_| true).len(), MOST_WAITING);
        assert!(house.waiting(|_| false).is_empty());
        let own = house.sent_by(FRIDAY, 1);
        assert!(own.iter().any(|one| one.id == "3" && one.is == Whereabouts::Recorded));
    }

    #[test]
    fn a_device_from_afar_is_bound_once_and_never_counts_as_known_before_a_round() {
        let house = House::open(None).expect("opened");
        let once = Once { id: "a".into(), body: [0; 32] };
        house.make_player_links(FRIDAY, &[1], "Olga", &once).expect("made");
        house.bind_elsewhere(FRIDAY, 1, "ab").expect("bound");
        house.bind_elsewhere(FRIDAY, 1, "ab").expect("the same");
        let refused = house.bind_elsewhere(FRIDAY, 1, "cd").expect_err("another");
        assert_eq!(refused.code.word, "link-taken");
        let refused = house.bind_elsewhere(FRIDAY, 2, "cd").expect_err("none");
        assert_eq!(refused.code.word, "no-such-link");
        let link = house.link_of_player(FRIDAY, 1).expect("a link");
        assert!(link.is_bound() && !link.was_bound_before(u64::MAX));
    }
}
