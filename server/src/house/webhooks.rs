//! Addresses that are told what happens: made, paused, removed, and how far each was told. Their secrets are
//! kept as they are, since every delivery is signed with one.

use super::rows::NotDecided;
use super::*;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use scrutineer_engine::event::Seq;

pub(super) const WEBHOOKS: Table = "webhooks";
pub(super) const REACHED: Table = "webhooks reached";

/// How many a store has at most.
pub const MOST_WEBHOOKS: usize = 16;
/// How long one waits after each try that failed, in seconds; after one more it is paused. Together a day
/// and a half.
pub const PAUSES: [u64; 7] = [2, 20, 200, 1_800, 4 * 3_600, 8 * 3_600, 24 * 3_600];

/// What begins a secret.
pub const SECRET: &str = "whsec_";

/// An address that is told what happens.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Webhook {
    /// By what it is called.
    pub id: String,
    /// The address.
    pub url: String,
    /// With what its deliveries are signed.
    pub secret: String,
    /// The only tournament of which it is told; none: of all of them.
    pub tournament: Option<String>,
    /// When it was made, in microseconds since 1970.
    pub made: u64,
    /// The request that made it, and the digest of what that asked for.
    pub asked: Option<(String, [u8; 32])>,
    /// How often the delivery that is next was tried in vain.
    pub tries: u32,
    /// Not before when it is tried again, in seconds since 1970.
    pub next: u64,
    /// Why it was not delivered.
    pub trouble: Option<String>,
    /// Since when nothing is delivered, in seconds since 1970; none: it is.
    pub paused: Option<u64>,
    /// How much was delivered, and when the last of it, in seconds since 1970.
    pub delivered: u64,
    /// When something was delivered last.
    pub last: Option<u64>,
}

/// A webhook, without its secret.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct WebhookListed {
    /// By what it is called.
    pub id: String,
    /// The address.
    pub url: String,
    /// The id of the only tournament of which it is told; null: of all of them.
    pub tournament: Option<String>,
    /// When it was made, in UTC.
    pub made: String,
    /// `delivering`, `retrying` where the last try failed, or `paused`: nothing is delivered.
    pub is: &'static str,
    /// Since when it is paused, in UTC.
    pub paused: Option<String>,
    /// How much was delivered.
    pub delivered: u64,
    /// When something was delivered last, in UTC.
    pub last: Option<String>,
    /// How often the delivery that is next was tried in vain.
    pub tries: u32,
    /// Not before when it is tried again, in UTC.
    pub next: Option<String>,
    /// Why it was not delivered.
    pub trouble: Option<String>,
}

/// How far one was told of a tournament.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reached {
    /// The last event that it knows, or knows that it is not told of.
    pub seq: Seq,
    /// How many deliveries that took.
    pub number: u64,
    /// How many records the last checkpoint stands for that it was told of, or is not told of; none: what was signed
    /// up to that event.
    #[serde(default)]
    pub signed: Option<Seq>,
}

impl Webhook {
    /// Notes that a delivery failed: it is tried again ever later, and at last no more.
    pub fn fail(&mut self, trouble: String, is_over: bool, now: u64) {
        self.trouble = Some(trouble);
        let pause = PAUSES.get(self.tries as usize).filter(|_| !is_over);
        self.tries = self.tries.saturating_add(1);
        match pause {
            Some(pause) => self.next = now + pause,
            None => self.paused = Some(now),
        }
    }

    /// Notes that it goes on: the next delivery is tried at once.
    pub fn go_on(&mut self) {
        (self.tries, self.next, self.trouble, self.paused) = (0, 0, None, None);
    }

    fn in_words(&self) -> String {
        let only = self.tournament.as_deref().map_or("", |_| ", for one tournament");
        format!("webhook {} to {}{only}", self.id, self.url)
    }
}

impl From<Webhook> for WebhookListed {
    fn from(one: Webhook) -> WebhookListed {
        let is = match (one.paused, one.tries) {
            (Some(_), _) => "paused",
            (None, 0) => "delivering",
            (None, _) => "retrying",
        };
        WebhookListed {
            id: one.id,
            url: one.url,
            tournament: one.tournament,
            made: told_time(one.made / 1_000_000),
            is,
            paused: one.paused.map(told_time),
            delivered: one.delivered,
            last: one.last.map(told_time),
            tries: one.tries,
            next: (is == "retrying").then(|| told_time(one.next)),
            trouble: one.trouble,
        }
    }
}

/// All of them, as they are in memory too.
#[derive(Default)]
pub(super) struct Webhooks {
    all: Mutex<HashMap<String, Webhook>>,
    reached: Mutex<HashMap<String, Reached>>,
}

impl Webhooks {
    pub(super) fn take(&self, table: &str, key: &str, text: Option<&str>) -> Result<(), VerbError> {
        match table {
            WEBHOOKS => put_into(&mut *self.all(), key, text),
            _ => put_into(&mut *self.reached(), key, text),
        }
    }

    pub(super) fn clear(&self) {
        self.all().clear();
        self.reached().clear();
    }

    fn all(&self) -> MutexGuard<'_, HashMap<String, Webhook>> {
        self.all.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn reached(&self) -> MutexGuard<'_, HashMap<String, Reached>> {
        self.reached.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn place(id: &str, stream: StreamId) -> String {
    format!("{id}/{stream}")
}

fn no_such_webhook(id: &str) -> VerbError {
    let hint = "it may have been removed already";
    VerbError::new(Code::not_found("no-such-webhook"), format!("there is no webhook {id}"), hint)
}

impl House {
    /// Makes one, which is told what comes behind these heads. The same request again is given what it was
    /// given.
    ///
    /// # Errors
    /// `too-many` where there are so many, `command-id-reused` where something else was made under the
    /// key, or where it cannot be kept.
    pub fn make_webhook(
        &self,
        url: &str,
        tournament: Option<String>,
        heads: &[(StreamId, Seq)],
        by: &str,
        once: Option<&Once>,
    ) -> Result<Webhook, VerbError> {
        self.deciding(|| self.webhook_made(url, tournament.clone(), heads, by, once))
    }

    fn webhook_made(
        &self,
        url: &str,
        tournament: Option<String>,
        heads: &[(StreamId, Seq)],
        by: &str,
        once: Option<&Once>,
    ) -> Result<Webhook, NotDecided> {
        let asked = once.map(|once| (once.id.clone(), once.body));
        let known = once.and_then(|once| {
            let is_it = |one: &&Webhook| one.asked.as_ref().is_some_and(|(id, _)| *id == once.id);
            self.webhooks.all().values().find(is_it).cloned()
        });
        match known {
            Some(known) if known.asked == asked => return Ok(known),
            Some(_) => return Err(grants::made_otherwise().into()),
            None => {}
        }
        if self.webhooks.all().len() >= MOST_WEBHOOKS {
            let message = format!("too many webhooks: {MOST_WEBHOOKS} is the most");
            return Err(
                VerbError::new(Code::too_large("too-many"), message, "remove one first").into()
            );
        }
        let secret = format!("{SECRET}{}", STANDARD.encode(random::<32>()?));
        let (id, url) = (to_hex(&random::<4>()?), url.to_string());
        let made = now_in_micros();
        let one = Webhook { id, url, secret, tournament, made, asked, ..Webhook::default() };
        let change = Some((by, format!("made {}", one.in_words())));
        let reached = |(stream, seq): &(StreamId, Seq)| {
            (place(&one.id, *stream), Reached { seq: *seq, number: 0, signed: None })
        };
        let reached: Vec<(String, Reached)> = heads.iter().map(reached).collect();
        let mut rows = vec![(WEBHOOKS, &one.id[..], text_of(&one)?)];
        for (place, reached) in &reached {
            rows.push((REACHED, place, text_of(reached)?));
        }
        self.keep(change, &rows)?;
        Ok(one)
    }

    /// The addresses that are told nothing of a tournament any more, since they did not take it. Whoever paused one
    /// by hand knows it.
    pub fn given_up(&self, stream: StreamId) -> Vec<String> {
        let id = stream.to_string();
        let is_of = |hook: &Webhook| hook.tournament.as_ref().is_none_or(|only| *only == id);
        let all = self.webhooks().into_iter();
        let given_up = all.filter(|hook| hook.paused.is_some() && hook.tries > 0 && is_of(hook));
        given_up.map(|hook| hook.url).collect()
    }

    /// Returns all of them, the newest first.
    pub fn webhooks(&self) -> Vec<Webhook> {
        let mut all: Vec<Webhook> = self.webhooks.all().values().cloned().collect();
        all.sort_by_key(|one| (std::cmp::Reverse(one.made), one.id.clone()));
        all
    }

    /// Returns how many are paused.
    pub fn paused_webhooks(&self) -> usize {
        self.webhooks.all().values().filter(|one| one.paused.is_some()).count()
    }

    /// Returns one of them.
    ///
    /// # Errors
    /// `no-such-webhook`.
    pub fn webhook(&self, id: &str) -> Result<Webhook, VerbError> {
        self.webhooks.all().get(id).cloned().ok_or_else(|| no_such_webhook(id))
    }

    /// Removes one.
    ///
    /// # Errors
    /// `no-such-webhook`, or where that cannot be kept.
    pub fn remove_webhook(&self, id: &str, by: &str) -> Result<(), VerbError> {
        self.deciding(|| {
            let one = self.webhook(id)?;
            let places = self.webhooks.reached();
            let own = |place: &&String| place.split('/').next() == Some(id);
            let own: Vec<String> = places.keys().filter(own).cloned().collect();
            drop(places);
            let mut rows: Vec<_> =
                own.iter().map(|place| (REACHED, place.as_str(), None)).collect();
            rows.push((WEBHOOKS, id, None));
            self.keep([(by, format!("removed {}", one.in_words()))], &rows)
        })
    }

    fn change_webhook(
        &self,
        id: &str,
        told: Option<(&str, &str)>,
        change: impl Fn(&mut Webhook),
    ) -> Result<Webhook, VerbError> {
        self.deciding(|| {
            let mut one = self.webhook(id)?;
            change(&mut one);
            let told = told.map(|(by, what)| (by, format!("{what} {}", one.in_words())));
            self.keep(told, &[(WEBHOOKS, id, text_of(&one)?)])?;
            Ok(one)
        })
    }

    /// Pauses one, or lets it go on at once.
    ///
    /// # Errors
    /// `no-such-webhook`, or where that cannot be kept.
    pub fn pause_webhook(&self, id: &str, pauses: bool, by: &str) -> Result<Webhook, VerbError> {
        match pauses {
            true => self.change_webhook(id, Some((by, "paused")), |one| {
                one.paused = one.paused.or(Some(now()));
            }),
            false => self.change_webhook(id, Some((by, "let go on")), Webhook::go_on),
        }
    }

    /// Keeps why a delivery failed; `is_over`: it is not to be tried again.
    ///
    /// # Errors
    /// `no-such-webhook`, or where that cannot be kept.
    pub fn webhook_failed(
        &self,
        id: &str,
        trouble: String,
        is_over: bool,
    ) -> Result<(), VerbError> {
        self.change_webhook(id, None, |one| one.fail(trouble.clone(), is_over, now())).map(drop)
    }

    /// Returns how far one was told of a tournament; none: it never was looked at.
    pub fn webhook_reached(&self, id: &str, stream: StreamId) -> Option<Reached> {
        self.webhooks.reached().get(&place(id, stream)).copied()
    }

    /// Keeps how far one was told of a tournament, in how many deliveries more.
    ///
    /// # Errors
    /// `no-such-webhook`, or where that cannot be kept.
    pub fn webhook_delivered(
        &self,
        id: &str,
        stream: StreamId,
        reached: Reached,
        more: u64,
    ) -> Result<(), VerbError> {
        let place = place(id, stream);
        self.deciding(|| {
            let mut one = self.webhook(id)?;
            if more > 0 {
                // Who paused it meanwhile did so knowingly.
                let paused = one.paused;
                one.go_on();
                (one.paused, one.last, one.delivered) = (paused, Some(now()), one.delivered + more);
            }
            let rows = [(WEBHOOKS, id, text_of(&one)?), (REACHED, &place, text_of(&reached)?)];
            self.keep(None, &rows)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FRIDAY: StreamId = StreamId([7; 16]);

    #[test]
    fn a_receiver_that_is_dead_is_tried_ever_later_for_a_day_and_a_half_and_then_paused() {
        let (mut one, mut now) = (Webhook::default(), 1_000);
        let begun = now;
        for pause in PAUSES {
            one.fail("it answered 500".into(), false, now);
            assert_eq!((one.paused, one.next), (None, now + pause));
            now = one.next;
        }
        one.fail("it answered 500".into(), false, now);
        assert_eq!((one.tries, one.paused), (8, Some(now)));
        let hours = (now - begun) / 3_600;
        assert!((36..37).contains(&hours), "{hours}");
        one.go_on();
        assert_eq!((one.tries, one.next, one.paused), (0, 0, None));
        one.fail("it is gone".into(), true, now);
        assert_eq!(one.paused, Some(now), "who says so is not asked again");
    }

    #[test]
    fn one_asked_for_twice_is_one_and_there_are_not_more_than_may_be() {
        let house = House::open(None).expect("opened");
        let once = Once { id: "a".into(), body: [0; 32] };
        let make = |once: &Once| house.make_webhook("http://a/", None, &[], "Olga", Some(once));
        assert_eq!(make(&once).expect("made"), make(&once).expect("again"));
        let refused = make(&Once { body: [1; 32], ..once }).expect_err("another");
        assert_eq!(refused.code.word, "command-id-reused");
        for _ in 1..MOST_WEBHOOKS {
            house.make_webhook("http://a/", None, &[], "Olga", None).expect("made");
        }
        let refused =
            house.make_webhook("http://a/", None, &[], "Olga", None).expect_err("too many");
        assert_eq!(refused.code.word, "too-many");
    }

    #[test]
    fn how_far_it_was_told_is_there_after_a_restart_and_gone_with_it() {
        let folder = tempfile::tempdir().expect("a folder");
        let open = || House::open(Some(folder.path())).expect("opened");
        let (house, reached) = (open(), Reached { seq: 57, number: 12, signed: None });
        let one = house.make_webhook("http://a/", None, &[], "Olga", None).expect("made");
        house.webhook_failed(&one.id, "it answered 500".into(), false).expect("kept");
        drop(house);
        let house = open();
        assert_eq!(house.webhook(&one.id).expect("there").tries, 1);
        house.webhook_delivered(&one.id, FRIDAY, reached, 3).expect("kept");
        drop(house);
        let house = open();
        assert_eq!(house.webhook_reached(&one.id, FRIDAY), Some(reached));
        let there = house.webhook(&one.id).expect("there");
        assert_eq!((there.tries, there.trouble, there.delivered), (0, None, 3));
        house.remove_webhook(&one.id, "Olga").expect("removed");
        assert_eq!(house.webhook(&one.id).expect_err("gone").code.word, "no-such-webhook");
        assert_eq!(house.webhook_reached(&one.id, FRIDAY), None);
        let told = house.last_changes(9).expect("read");
        assert!(told[0].what.starts_with("removed webhook") && !told[1].what.contains(SECRET));
    }
}
