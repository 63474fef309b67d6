//! A second laptop: it follows the desk, has everything that the desk has within moments, and becomes
//! the desk when somebody says so. An order is answered once a second laptop that keeps up has it too;
//! one that does not keep up is waited for a moment and then no more.

mod line;
mod name;
mod phone;
pub(crate) mod seal;
pub(crate) mod words;

pub use line::{Line, MAKE, TAKE, TAKE_ALL_THE_SAME, is_sure};
pub use name::NAME;
pub use seal::Key;
pub use words::LARGEST;

use crate::connected::cause;
use crate::failed::{self, Failed};
use crate::gate::{Need, Role};
use scrutineer_desk::standing::{Is, Standing};
use scrutineer_desk::verb_error::VerbError;
use scrutineer_engine::error::Code;
use scrutineer_engine::record::StreamId;
use std::collections::{HashMap, VecDeque};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::{Duration, Instant, SystemTime};
use tokio::sync::watch;
use tokio::time::{sleep, timeout};
use words::{Ask, Asked, Given, Said, Side, from_bytes, to_bytes};

/// How long an order waits for a second laptop that keeps up.
pub const WAITED_FOR: Duration = Duration::from_millis(250);
/// How long a second laptop is taken for near that was not heard.
const NEAR: Duration = Duration::from_secs(2);
/// How long the other laptop is listened for before it is taken over from, and before a command records.
pub(crate) const LOOKED_FOR: Duration = Duration::from_secs(2);
/// How long the other laptop takes for an answer, beside what it may wait for news.
pub(crate) const ANSWERED_IN: Duration = Duration::from_secs(10);

/// How long a desk that gives way records nothing, if nobody becomes the desk in its place.
pub(crate) const GIVES_WAY_FOR: Duration = Duration::from_secs(10);

/// How long nobody may have looked for the other laptop before something is recorded: a laptop that slept or hung was
/// replaced meanwhile, perhaps. Who takes over listens for it as long.
const AWAKE: Duration = LOOKED_FOR;
/// How long one that hung waits for an answer, and until it asks again.
const SOON: Duration = Duration::from_millis(500);
const AGAIN_IN: Duration = Duration::from_millis(100);

type Client = hyper_util::client::legacy::Client<
    hyper_util::client::legacy::connect::HttpConnector,
    axum::body::Body,
>;

/// What changed, by the number of the change.
#[derive(Default)]
pub(crate) struct Changed {
    /// When anything may have changed.
    pub(crate) all: u64,
    pub(crate) streams: HashMap<StreamId, u64>,
}

/// The tournaments that a change brought, each with its last event.
pub(crate) type Heads = Vec<(StreamId, u64)>;

/// What the desk has heard of its second laptop.
#[derive(Default)]
pub(crate) struct Heard {
    pub(crate) when: Option<Instant>,
    /// How many of its questions wait for news.
    pub(crate) waits: u32,
    /// Whether it did not keep up, and has not caught up yet.
    pub(crate) is_behind: bool,
    /// Why it does not keep what is recorded here, as it says, and when it said so last.
    pub(crate) trouble: Option<(String, Instant)>,
    /// What was given to it and may not have arrived.
    pub(crate) sent: VecDeque<(u64, Heads)>,
    /// What has arrived: the last event of each tournament.
    pub(crate) has: HashMap<StreamId, u64>,
}

/// What a second laptop has heard of its desk.
#[derive(Default)]
pub(crate) struct Following {
    pub(crate) when: Option<Instant>,
    pub(crate) trouble: Option<VerbError>,
    /// Up to where all of the desk is here.
    pub(crate) has: UpTo,
}

/// How far the desk was: which run of it, and how often the log and the house had changed there.
#[derive(Clone, Copy, Default)]
pub(crate) struct UpTo {
    pub(crate) run: u64,
    pub(crate) change: u64,
    pub(crate) house: u64,
}

impl UpTo {
    /// Whether nothing of the other is missing.
    pub(crate) fn reaches(self, other: UpTo) -> bool {
        self.run == other.run && self.change >= other.change && self.house >= other.house
    }
}

/// What a server knows of the other laptop.
pub struct Second {
    pub(crate) folder: Option<PathBuf>,
    pub(crate) standing: Mutex<Standing>,
    pub(crate) listens: OnceLock<SocketAddr>,
    /// Which run of this server counts its changes.
    pub(crate) run: u64,
    pub(crate) changes: watch::Sender<u64>,
    pub(crate) changed: Mutex<Changed>,
    pub(crate) arrived: watch::Sender<u64>,
    pub(crate) heard: Mutex<Heard>,
    pub(crate) following: Mutex<Following>,
    pub(crate) code: Mutex<Option<(Key, Instant)>>,
    pub(crate) has_taken_over: watch::Sender<bool>,
    /// What was last to be said in the window of this program.
    told: watch::Sender<String>,
    /// Until when nothing is recorded here, since the second laptop is to become the desk.
    gives_way: Mutex<Option<Instant>>,
    /// When the other laptop was looked for last, by the clock that goes on while a laptop sleeps.
    looked: Mutex<SystemTime>,
    pub(crate) name: Mutex<Option<name::Name>>,
    /// The names of phones that were taken, by their hashes, and when.
    phones: Mutex<HashMap<[u8; 32], u64>>,
    pub(crate) client: Client,
}

pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// What stands before the reason why the other laptop is not heard.
const UNHEARD: &str = "the other laptop does not answer: ";

fn unheard(error: impl std::fmt::Display) -> VerbError {
    let hint = "look whether it runs and is in the same network";
    let message = format!("{UNHEARD}{error}");
    VerbError::new(Code::unknown_outcome("second-not-heard"), message, hint)
}

/// Returns the refusal of what is no desk and answers all the same.
fn no_desk(at: SocketAddr) -> VerbError {
    let hint = "look whether it is the address of the other laptop, with its port";
    let message = format!("what answers at {at} is no Scrutineer desk");
    VerbError::new(Code::unknown_outcome("second-not-heard"), message, hint)
}

/// Returns whether the other laptop was not heard, rather than that it said something.
pub(crate) fn is_unheard(error: &VerbError) -> bool {
    error.code.word == "second-not-heard"
}

/// Refuses to record in the store of a folder that is not the desk's. The other laptop is asked first, where there
/// is one, as a server asks it that begins: this is for a command that records without a server. Gives what is
/// to be told where the other one did not say how it stands.
///
/// # Errors
/// As [`Standing::check`], and where how the store stands cannot be read or kept.
pub fn may_record_in(folder: &Path) -> Result<Option<String>, VerbError> {
    let standing = Standing::read(folder)?;
    standing.check()?;
    let Some(address) = standing.partner.and_then(|partner| partner.address) else {
        return Ok(None);
    };
    let second = Second::open(Some(folder.to_path_buf()))?;
    let unsaid = match tokio::runtime::Builder::new_current_thread().enable_all().build() {
        Ok(runtime) => runtime.block_on(second.look_round(LOOKED_FOR)),
        Err(error) => Some(unheard(error)),
    };
    second.may_record()?;
    match unsaid {
        // It may have said that it is the desk.
        Some(error) if error.code == "standing-not-kept" => Err(error),
        unsaid => Ok(unsaid.map(|error| not_said(address, &error))),
    }
}

/// What is told before something is recorded though the other laptop did not say how it stands.
fn not_said(address: SocketAddr, error: &VerbError) -> String {
    let why = match error.message.strip_prefix(UNHEARD) {
        Some(why) => format!("does not answer: {why}"),
        None => format!("did not say how it stands: {}", error.message),
    };
    format!(
        "the other laptop, at {address}, {why}. What is recorded now is on this laptop alone; \
         if the other one is the desk by now, work there"
    )
}

impl Second {
    /// Reads how the store of a folder stands.
    ///
    /// # Errors
    /// Where that cannot be read.
    pub fn open(folder: Option<PathBuf>) -> Result<Second, VerbError> {
        let standing = folder.as_deref().map(Standing::read).transpose()?.unwrap_or_default();
        let mut run = [0; 8];
        // A run that is taken for an earlier one would only be given less: the clock tells them apart.
        if getrandom::fill(&mut run).is_err() {
            run = crate::house::now().to_le_bytes();
        }
        let executor = hyper_util::rt::TokioExecutor::new();
        Ok(Second {
            folder,
            standing: Mutex::new(standing),
            listens: OnceLock::new(),
            run: u64::from_le_bytes(run) | 1,
            // What there is at the beginning is the first change.
            changes: watch::channel(1).0,
            changed: Mutex::new(Changed { all: 1, ..Changed::default() }),
            arrived: watch::channel(0).0,
            heard: Mutex::default(),
            following: Mutex::default(),
            code: Mutex::default(),
            has_taken_over: watch::channel(false).0,
            told: watch::channel(String::new()).0,
            gives_way: Mutex::default(),
            looked: Mutex::new(SystemTime::now()),
            name: Mutex::default(),
            phones: Mutex::default(),
            client: hyper_util::client::legacy::Client::builder(executor).build_http(),
        })
    }

    /// Returns how this store stands.
    pub fn standing(&self) -> Standing {
        lock(&self.standing).clone()
    }

    /// Refuses to record where this is not the desk.
    ///
    /// # Errors
    /// As [`Standing::check`]; `too-busy` while it gives way to the second laptop.
    pub fn may_record(&self) -> Result<(), VerbError> {
        self.is_the_desk()?;
        match *lock(&self.gives_way) {
            Some(until) if Instant::now() < until => {
                let message = "the second laptop becomes the desk at this moment: nothing was done";
                let hint = "send it again in a second";
                Err(VerbError::new(Code::busy("too-busy"), message, hint))
            }
            _ => Ok(()),
        }
    }

    /// Refuses what only the desk does.
    ///
    /// # Errors
    /// As [`Standing::check`].
    pub(crate) fn is_the_desk(&self) -> Result<(), VerbError> {
        lock(&self.standing).check().map_err(|refused| match &refused.hint {
            Some(hint) => {
                let hint = hint.text().replace("`scrutineer serve", &format!("`{}", self.serve()));
                VerbError { hint: Some(hint.into()), ..refused }
            }
            None => refused,
        })
    }

    /// Whether another laptop became the desk in the place of this one: what it knows gets old.
    pub(crate) fn is_replaced(&self) -> bool {
        lock(&self.standing).is == Is::TakenOver
    }

    /// Refuses a player, a screen or a link of the staff where this is not the desk, in words for whoever is in the room.
    ///
    /// # Errors
    /// `desk-is-elsewhere`.
    pub(crate) fn is_the_rooms(&self) -> Result<(), VerbError> {
        let standing = self.standing();
        if standing.is == Is::Desk {
            return Ok(());
        }
        let hint = match standing.partner.and_then(|partner| partner.address) {
            Some(address) => format!("http://{address}"),
            None => "ask the staff for the address of the desk".into(),
        };
        let code = Code::conflict("desk-is-elsewhere");
        Err(VerbError::new(code, "the desk is on another laptop now", hint))
    }

    /// Leads whoever is not of the staff to the laptop that became the desk in place of this one: what is known here
    /// gets old.
    ///
    /// # Errors
    /// As [`Second::is_the_rooms`].
    pub(crate) fn leads_on(&self, role: Role) -> Result<(), VerbError> {
        match self.is_replaced() && !Need::Staff.admits(role) {
            true => self.is_the_rooms(),
            false => Ok(()),
        }
    }

    /// Why somebody is refused who is of the staff perhaps: where this is not the desk, their sign-in and their link may be
    /// the desk's, and whoever is nobody here is told where that is.
    pub(crate) fn refused(&self, role: Role, error: VerbError) -> VerbError {
        let elsewhere = self.is_the_rooms().err().filter(|_| role == Role::Public);
        elsewhere.unwrap_or(error)
    }

    /// What is typed to serve this store.
    pub(crate) fn serve(&self) -> String {
        match self.folder.as_ref().map(|folder| folder.display().to_string()) {
            Some(folder) if folder.contains(' ') => {
                format!("scrutineer --store \"{folder}\" serve")
            }
            Some(folder) => format!("scrutineer --store {folder} serve"),
            None => "scrutineer serve".into(),
        }
    }

    /// Records nothing from now on for a while, or records again.
    pub(crate) fn give_way(&self, gives_way: bool) {
        *lock(&self.gives_way) = gives_way.then(|| Instant::now() + GIVES_WAY_FOR);
    }

    /// Returns whether this is the desk.
    pub fn is_desk(&self) -> bool {
        lock(&self.standing).is == Is::Desk
    }

    /// Says where this server listens.
    pub fn listens_at(&self, address: SocketAddr) {
        // It is said once, when the server starts.
        let _ = self.listens.set(address);
    }

    /// Waits until this laptop has become the desk.
    pub async fn taken_over(&self) {
        let mut taken = self.has_taken_over.subscribe();
        // The sender lives as long as this.
        let _ = taken.wait_for(|taken| *taken).await;
    }

    /// What is to be said in the window of this program from now on: that another laptop is the desk, or that the
    /// two parted.
    pub fn told(&self) -> watch::Receiver<String> {
        self.told.subscribe()
    }

    pub(crate) fn tell(&self, why: &VerbError) {
        self.told.send_replace(why.told());
    }

    /// Returns whether this laptop has become the desk while it followed.
    pub fn has_taken_over(&self) -> bool {
        *self.has_taken_over.borrow()
    }

    /// Changes how this store stands: it is on the disk before anybody sees it.
    pub(crate) fn change(
        &self,
        change: impl FnOnce(&mut Standing) -> Result<(), VerbError>,
    ) -> Result<(), VerbError> {
        let mut standing = lock(&self.standing);
        let mut changed = standing.clone();
        change(&mut changed)?;
        if changed != *standing {
            if let Some(folder) = &self.folder {
                changed.keep(folder)?;
            }
            *standing = changed;
        }
        Ok(())
    }

    /// Makes this laptop the desk.
    ///
    /// # Errors
    /// As [`Standing::take_over`].
    pub fn become_desk(&self, is_sure: bool) -> Result<(), VerbError> {
        self.change(|standing| standing.take_over(is_sure))?;
        self.has_taken_over.send_replace(true);
        Ok(())
    }

    pub(crate) fn side(&self) -> Side {
        let (standing, listens) = (self.standing(), self.listens.get().copied());
        // A desk that was not heard knows that itself.
        let trouble = lock(&self.following).trouble.clone();
        Side {
            term: standing.term,
            is_desk: standing.is == Is::Desk,
            listens: listens.unwrap_or_else(|| SocketAddr::from(([0, 0, 0, 0], 0))),
            trouble: trouble.filter(|why| !is_unheard(why)).map(|why| why.told()),
        }
    }

    /// Heeds how the other laptop stands: of two desks that of the later term goes on.
    pub(crate) fn heed(&self, from: &Side) -> Result<(), VerbError> {
        let was_desk = self.is_desk();
        self.change(|standing| {
            let Some(partner) = &mut standing.partner else { return Ok(()) };
            // A command asks too, and listens nowhere.
            let listens = Some(from.listens).filter(|listens| listens.port() != 0);
            if from.is_desk != (standing.is == Is::Desk) {
                partner.address = listens.or(partner.address);
            }
            if from.is_desk && from.term > standing.term {
                partner.address = listens.or(partner.address);
                // Who takes over after this is of a later term than both were.
                standing.term = from.term;
                if standing.is == Is::Desk {
                    (standing.is, standing.is_whole) = (Is::TakenOver, false);
                }
            }
            Ok(())
        })?;
        if let Some(refused) = self.is_the_desk().err().filter(|_| was_desk) {
            self.tell(&refused);
        }
        if !self.is_desk() {
            // The name belongs to the desk.
            drop(lock(&self.name).take());
            if from.is_desk && self.is_replaced() {
                lock(&self.following).when = Some(Instant::now());
            }
        } else if !from.is_desk && from.listens.port() != 0 {
            lock(&self.heard).trouble = from.trouble.clone().map(|why| (why, Instant::now()));
        }
        Ok(())
    }

    /// Notes that a tournament has changed, or that all may have; returns the number of the change.
    pub fn note(&self, stream: Option<StreamId>) -> u64 {
        let mut changed = lock(&self.changed);
        let now = *self.changes.borrow() + 1;
        match stream {
            Some(stream) => drop(changed.streams.insert(stream, now)),
            None => changed.all = now,
        }
        self.changes.send_replace(now);
        now
    }

    /// Returns whether a second laptop keeps up, so that orders wait until it has them.
    pub(crate) fn keeps_up(&self) -> bool {
        let heard = lock(&self.heard);
        let is_near = heard.waits > 0 || heard.when.is_some_and(|when| when.elapsed() < NEAR);
        is_near && !heard.is_behind && heard.trouble.is_none()
    }

    /// Waits until a second laptop that keeps up has a change; a moment at most.
    ///
    /// # Errors
    /// Where it has it not, and has become the desk while this laptop hung: what was recorded is on this one alone.
    pub async fn reached(&self, change: Option<u64>) -> Result<(), VerbError> {
        let Some(change) = change else { return Ok(()) };
        if self.keeps_up() {
            let mut arrived = self.arrived.subscribe();
            if timeout(WAITED_FOR, arrived.wait_for(|at| *at >= change)).await.is_ok() {
                return Ok(());
            }
            lock(&self.heard).is_behind = true;
        }
        self.wake().await;
        self.is_the_desk()
    }

    /// Notes that the second laptop has everything up to a change.
    pub(crate) fn has_arrived(&self, change: u64) {
        let mut heard = lock(&self.heard);
        heard.when = Some(Instant::now());
        while heard.sent.front().is_some_and(|(at, _)| *at <= change) {
            let Some((_, heads)) = heard.sent.pop_front() else { break };
            heard.has.extend(heads);
        }
        if change >= *self.changes.borrow() {
            heard.is_behind = false;
        }
        drop(heard);
        self.arrived.send_if_modified(|at| {
            let is_new = change > *at;
            *at = change.max(*at);
            is_new
        });
    }

    /// Asks the other laptop, under a key.
    pub(crate) async fn ask_with(
        &self,
        key: &Key,
        to: SocketAddr,
        ask: Ask,
        patience: Duration,
    ) -> Result<(Given, Side), VerbError> {
        let sealed = key.seal(b"", &to_bytes(&Asked { from: self.side(), ask })?)?;
        let about = seal::about(&sealed).to_vec();
        let request = axum::http::Request::post(format!("http://{to}/second"))
            .header("content-type", "application/octet-stream")
            .body(axum::body::Body::from(sealed))
            .map_err(unheard)?;
        let answered = async {
            let answer = self.client.request(request).await;
            let answer = answer.map_err(|error| unheard(cause(&error)))?;
            let status = answer.status().as_u16();
            let kind = answer.headers().get("content-type").cloned();
            let body = axum::body::Body::new(answer.into_body());
            let bytes = axum::body::to_bytes(body, LARGEST).await.map_err(unheard)?;
            Ok::<_, VerbError>((status, kind, bytes))
        };
        let (status, kind, bytes) = timeout(patience, answered).await.map_err(unheard)??;
        if status != 200 {
            return Err(failed::refused(&bytes).unwrap_or_else(|_| no_desk(to)));
        }
        // What is given is sealed; a page is of somebody else.
        if kind.is_none_or(|kind| kind != "application/octet-stream") {
            return Err(no_desk(to));
        }
        let said: Said = from_bytes(&key.open(&about, &bytes)?)?;
        let from = said.from.heard_at(to.ip());
        self.heed(&from)?;
        Ok((said.given.map_err(VerbError::from)?, from))
    }

    /// Refuses to take over from a desk that answers, where nobody says that it is meant.
    ///
    /// # Errors
    /// `desk-is-heard`; what else is in the way is told by the take-over itself.
    pub async fn may_take_over(&self, is_sure: bool) -> Result<(), VerbError> {
        if is_sure || self.standing().take_over(false).is_err() {
            return Ok(());
        }
        match self.ask_whom(Ask::Standing, LOOKED_FOR).await {
            Ok((_, from)) if from.is_desk => {
                let message = format!("the desk at {} runs and answers", from.listens);
                let hint = "work there, or switch it off; to take over from it all the same: \
                            `scrutineer serve --take-over --even-if-heard`";
                Err(VerbError::new(Code::conflict("desk-is-heard"), message, hint))
            }
            _ => Ok(()),
        }
    }

    /// Asks the other laptop.
    pub(crate) async fn ask(&self, ask: Ask, patience: Duration) -> Result<Given, VerbError> {
        Ok(self.ask_whom(ask, patience).await?.0)
    }

    /// Asks the other laptop, and gives how it stands too.
    async fn ask_whom(&self, ask: Ask, patience: Duration) -> Result<(Given, Side), VerbError> {
        let partner = self.standing().partner;
        let partner = partner.ok_or_else(|| unheard("there is none"))?;
        let key = Key::of_hex(&partner.key).ok_or_else(|| unheard("its key is damaged"))?;
        let to = partner.address.ok_or_else(|| unheard("nobody knows where it is"))?;
        self.ask_with(&key, to, ask, patience).await
    }

    /// Asks the other laptop, where there is one, whether it has taken over; gives why one that was asked did
    /// not say. Who does not answer has said nothing.
    pub async fn look_round(&self, patience: Duration) -> Option<VerbError> {
        let partner = self.standing().partner;
        // One that never listened anywhere has not taken over.
        let knows = partner.and_then(|partner| partner.address).filter(|at| at.port() != 0);
        if knows.is_none() || self.keeps_up() {
            return None;
        }
        self.ask(Ask::Standing, patience).await.err()
    }

    /// Notes that the other laptop was looked for.
    pub(crate) fn looked(&self) {
        *lock(&self.looked) = SystemTime::now();
    }

    fn is_awake(&self) -> bool {
        lock(&self.looked).elapsed().is_ok_and(|since| since < AWAKE)
    }

    /// Looks for the other laptop where nobody did for longer than is usual, before something is recorded.
    pub(crate) async fn wake(&self) {
        let knows = self.standing().partner.and_then(|partner| partner.address);
        if self.is_awake() || knows.is_none_or(|at| at.port() == 0) {
            return;
        }
        // The line that was open may be dead, and who becomes the desk takes a moment until it answers.
        let until = Instant::now() + LOOKED_FOR;
        while self.ask(Ask::Standing, SOON).await.is_err() && Instant::now() < until {
            sleep(AGAIN_IN).await;
        }
        self.looked();
    }

    /// Begins to be called by the name of the desk in this network, where this is the desk.
    pub fn take_name(&self) {
        if let Some(address) = self.listens.get().filter(|_| self.is_desk()) {
            *lock(&self.name) = name::Name::take(*address);
        }
    }
}

impl From<scrutineer_desk::store::TailError> for Failed {
    fn from(error: scrutineer_desk::store::TailError) -> Failed {
        VerbError::from(error).into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use scrutineer_desk::standing::Partner;

    #[test]
    fn who_heard_once_of_another_desk_takes_over_after_it_and_not_beside_it() {
        let second = Second::open(None).expect("opened");
        lock(&second.standing).partner = Some(Partner { key: "00".into(), address: None });
        let listens = SocketAddr::from(([192, 0, 2, 7], 7780));
        let other = Side { term: 1, is_desk: true, listens, trouble: None };
        second.heed(&other).expect("heeded");
        assert!(!second.is_desk(), "the later one goes on");
        second.become_desk(true).expect("taken over");
        assert!(second.side().term > other.term, "the other one hears of it, and ends");
    }

    #[test]
    fn a_command_that_asks_listens_nowhere_and_is_heeded_all_the_same() {
        let second = Second::open(None).expect("opened");
        let address = Some(SocketAddr::from(([192, 0, 2, 7], 7780)));
        lock(&second.standing).partner = Some(Partner { key: "00".into(), address });
        let listens = SocketAddr::from(([192, 0, 2, 7], 0));
        let command = Side { term: 1, is_desk: true, listens, trouble: None };
        second.heed(&command).expect("heeded");
        assert!(!second.is_desk(), "the later one goes on");
        assert_eq!(second.standing().partner.and_then(|partner| partner.address), address);
    }

    #[test]
    fn a_desk_that_listens_everywhere_is_where_it_was_heard() {
        let everywhere = SocketAddr::from(([0, 0, 0, 0], 7780));
        let heard = |listens| {
            let side = Side { term: 0, is_desk: true, listens, trouble: None };
            side.heard_at([10, 77, 0, 1].into()).listens.to_string()
        };
        assert_eq!(heard(everywhere), "10.77.0.1:7780");
        assert_eq!(heard(SocketAddr::from(([10, 77, 0, 9], 7781))), "10.77.0.9:7781");
    }
}
