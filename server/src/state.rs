//! What all requests share: the store, the house, those who watch. Commands of one tournament run one
//! after another; reading waits for nobody.

use crate::addresses::in_the_room;
use crate::asides::Asides;
use crate::counted::Counted;
use crate::editions::Editions;
use crate::elsewhere::Elsewhere;
use crate::floor::{self, Floors};
use crate::horizon::Horizons;
use crate::house::House;
use crate::https;
use crate::kept::Pages;
use crate::live::Live;
#[cfg(feature = "postgres")]
use crate::node::Node;
use crate::other_program::{self, OtherProgram};
use crate::phones::Phones;
use crate::problem::too_busy;
use crate::pushing::Pushing;
use crate::request_log::RequestLog;
use crate::rooms::Places;
use crate::season::Season;
use crate::second::Second;
use crate::uploads::Uploads;
use crate::venues::{Copied, Venues};
use scrutineer_desk::asker::Asker;
use scrutineer_desk::edition;
use scrutineer_desk::floor::Floor;
use scrutineer_desk::review::Reviews;
use scrutineer_desk::standing::Is;
use scrutineer_desk::store::{Store, StoreError};
use scrutineer_desk::verb_error::VerbError;
use scrutineer_engine::error::Code;
use scrutineer_engine::record::StreamId;
use scrutineer_store::Mirror;
use std::collections::HashMap;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::Duration;
use tokio::sync::{
    OwnedMutexGuard, OwnedRwLockReadGuard, OwnedRwLockWriteGuard, OwnedSemaphorePermit, RwLock,
    Semaphore, oneshot, watch,
};
use tokio::time::timeout;

/// How many commands of a tournament wait at most.
pub const QUEUE: usize = 256;
/// How long a command waits at most.
pub const PATIENCE: Duration = Duration::from_secs(2);
/// How many long readings there are at a time.
const LONG: usize = 4;
/// How long one of them waits.
const LONG_PATIENCE: Duration = Duration::from_secs(10);

/// How long what was sent under a key is in memory alone.
const BEHIND: Duration = Duration::from_secs(2);
/// How many of these times later a changed house is written for mirrors too.
const COPIED_EVERY: u64 = 30;

/// Opens the store; asked again after it was lent.
pub type Opener = Box<dyn Fn() -> Result<Store, VerbError> + Send + Sync>;

/// What a server is started with.
pub struct Setup {
    /// Who asks where nobody says more: the keys, and the word of a rehearsal.
    pub asker: Asker,
    /// Opens the store.
    pub opener: Opener,
    /// What that does about the store's mirror the next time, once.
    pub next_mirror: Arc<Mutex<Mirror>>,
    /// The store's folder; none: it is in memory.
    pub folder: Option<PathBuf>,
    /// Names by which this machine may be called, beside its addresses.
    pub names: Vec<String>,
    /// Whether staff over plain http may be more than scorekeepers.
    pub allow_plain_staff: bool,
    /// Where https is spoken, and with which certificate; none: nowhere.
    pub https: Option<https::Setup>,
    /// Whether the desk takes the name `scrutineer.local` in its network.
    pub takes_name: bool,
    /// Whether this laptop has become the desk just now: it has asked the other one already.
    pub has_taken_over: bool,
    /// Where those who run it ask how it is.
    pub admin: Option<SocketAddr>,
    /// Where load balancers ask whether it is ready.
    pub health: Option<SocketAddr>,
    /// Where a line of each request goes.
    pub log: Option<RequestLog>,
    /// The files of another program that are followed; none: none are.
    pub beside: Option<other_program::Setup>,
    /// The public server to which its tournaments are pushed.
    pub push: Option<Elsewhere>,
    /// Where webhooks may deliver beside public addresses: machines, or machines with a port; none: nothing is
    /// delivered.
    pub webhooks_to: Option<Vec<String>>,
}

impl Setup {
    /// What a server is started with that only this machine sees, and that tells nobody of anything.
    pub fn quiet(asker: Asker, opener: Opener, folder: Option<PathBuf>) -> Setup {
        Setup {
            asker,
            opener,
            next_mirror: Arc::default(),
            folder,
            names: Vec::new(),
            allow_plain_staff: false,
            https: None,
            takes_name: false,
            has_taken_over: false,
            admin: None,
            health: None,
            log: None,
            beside: None,
            push: None,
            webhooks_to: None,
        }
    }
}

/// The commands of one tournament.
struct Lane {
    places: Arc<Semaphore>,
    turn: Arc<tokio::sync::Mutex<()>>,
    /// How often it changed, as far as pages may show it.
    changes: Arc<AtomicU64>,
}

/// Whose turn it is in a lane: the next one waits until this is dropped.
struct Turn {
    _place: OwnedSemaphorePermit,
    _turn: OwnedMutexGuard<()>,
}

/// What came of commands whose tournament was looked for.
enum Found<T, A> {
    /// They were carried out, or refused.
    Done(Result<T, VerbError>, Option<u64>),
    /// Others have the turn of this tournament.
    Waits(StreamId, A),
}

/// The lane of what is no tournament's; it changes with each of them.
const ALL: StreamId = StreamId([0; 16]);

/// What all requests share.
pub struct State {
    /// What it was started with.
    pub setup: Setup,
    /// Who is who.
    pub house: House,
    /// What is known of the database that it shares with other servers; none: the store is its own.
    #[cfg(feature = "postgres")]
    pub node: Option<Node>,
    /// The floors of the tournaments.
    pub floors: Floors,
    /// Whether a phone has reached the server.
    pub phones: Phones,
    /// What the public may know.
    pub horizons: Arc<Horizons>,
    /// What was found in all tournaments.
    pub reviews: Reviews,
    /// Those who watch.
    pub live: Live,
    /// The other laptop, where there is one.
    pub second: Second,
    /// The venues that push to this server.
    pub venues: Venues,
    /// Whether this server pushes to another one, and how that goes.
    pub pushing: Pushing,
    /// How the files of another program are followed.
    pub other_program: OtherProgram,
    /// The season that is ranked under other rules.
    pub season: Season,
    /// The editions of rules that are here.
    pub editions: Editions,
    /// Held by whoever enrolls the store or ends that.
    pub enrolling: tokio::sync::Mutex<()>,
    /// Files that were sent and wait for a word.
    pub uploads: Uploads,
    /// What pages say that must not stand in their address.
    pub asides: Asides,
    /// What everybody sees alike.
    pub pages: Pages,
    /// The connections.
    pub places: Arc<Places>,
    /// What is counted.
    pub counted: Counted,
    /// The key of the command line on this machine.
    pub local_key: String,
    /// The address at which the server listens, once it does.
    pub listens: OnceLock<SocketAddr>,
    /// Where it listens for https, and the origin of the links that lead there.
    pub secure: OnceLock<(SocketAddr, String)>,
    /// Whether the server stops.
    pub stopping: watch::Receiver<bool>,
    /// Who is who in the logs into which orders were recorded.
    pub named: Mutex<HashMap<StreamId, scrutineer_replay::staff::Named>>,
    slot: Arc<RwLock<Option<Store>>>,
    lanes: Mutex<HashMap<StreamId, Arc<Lane>>>,
    long: Arc<Semaphore>,
}

/// A store that is not lent for as long as this is held.
pub struct Held(OwnedRwLockReadGuard<Option<Store>>);

impl Held {
    /// Returns the store.
    ///
    /// # Errors
    /// `too-busy` where it is not there.
    pub fn store(&self) -> Result<&Store, VerbError> {
        self.0.as_ref().ok_or_else(too_busy)
    }
}

/// Returns the refusal of a fault of this program.
fn broken() -> VerbError {
    let hint = "tell its developers what was asked for";
    VerbError::new(
        Code::internal("request-not-done"),
        "this request could not be carried out",
        hint,
    )
}

/// Does work that waits for the disk on a thread of its own, to its end also where who waits for it
/// goes away, and gives what comes of it.
///
/// # Errors
/// `request-not-done` where the work panics.
pub fn apart<T: Send + 'static>(
    work: impl FnOnce() -> T + Send + 'static,
) -> impl Future<Output = Result<T, VerbError>> {
    let (done, is_done) = oneshot::channel();
    // A box, so that what the runtime does about it is compiled once and not for each kind of work.
    let work: Box<dyn FnOnce() + Send> = Box::new(move || _ = done.send(work()));
    tokio::task::spawn_blocking(work);
    async { is_done.await.map_err(|_| broken()) }
}

/// The origin of links over plain http.
fn plain_origin(at: SocketAddr) -> String {
    format!("http://{}", in_the_room(at))
}

impl State {
    /// Opens the store and the house.
    ///
    /// # Errors
    /// Where one of them cannot be opened.
    pub fn open(setup: Setup, stopping: watch::Receiver<bool>) -> Result<State, VerbError> {
        let store = (setup.opener)()?;
        #[cfg(feature = "postgres")]
        let node = store.database().map(Node::at).transpose()?;
        #[cfg(feature = "postgres")]
        let shared = store.database().map(House::in_database).transpose()?;
        #[cfg(not(feature = "postgres"))]
        let shared = None;
        // No laptop follows a database.
        let second = Second::open(setup.folder.clone().filter(|_| shared.is_none()))?;
        // Who follows keeps the desk's house as it is, and has one of its own in memory.
        let follows = second.standing().is == Is::Following;
        let house = match shared {
            Some(house) => house,
            None => House::open(setup.folder.as_deref().filter(|_| !follows))?,
        };
        if setup.allow_plain_staff {
            let what = "staff may be more than scorekeepers over plain http: --allow-plain-staff";
            house.note("the server", what)?;
        }
        let pushing = Pushing::open(setup.folder.as_deref(), setup.push.clone())?;
        let season = Season::open(setup.folder.as_deref(), store.shared_files())?;
        let editions =
            setup.folder.as_deref().map(|at| edition::Editions::of(store.shared_files(), at));
        let editions = Editions::of(editions);
        let floors = Floors::default();
        floors.tidy(&house, &store, floor::now())?;
        let horizons = Arc::new(Horizons::of_house(&house));
        for (stream, kept) in house.policies().all_shown() {
            floors.show(stream, Floor::of(kept.shown.floor.clone()));
        }
        Ok(State {
            setup,
            second,
            venues: Venues::default(),
            pushing,
            other_program: OtherProgram::default(),
            season,
            editions,
            enrolling: tokio::sync::Mutex::default(),
            house,
            #[cfg(feature = "postgres")]
            node,
            floors,
            phones: Phones::default(),
            live: Live::within(Arc::clone(&horizons)),
            horizons,
            reviews: Reviews::default(),
            uploads: Uploads::default(),
            asides: Asides::default(),
            pages: Pages::default(),
            places: Arc::default(),
            counted: Counted::default(),
            local_key: crate::house::secret()?,
            listens: OnceLock::new(),
            secure: OnceLock::new(),
            stopping,
            slot: Arc::new(RwLock::new(Some(store))),
            named: Mutex::default(),
            lanes: Mutex::default(),
            long: Arc::new(Semaphore::new(LONG)),
        })
    }

    /// Returns where others find this server: over https, where it speaks that. None: it serves this
    /// machine alone.
    pub fn found(&self) -> Option<String> {
        let is_open = |at: &SocketAddr| !at.ip().is_loopback();
        let secure = self.secure.get().filter(|(at, _)| is_open(at));
        let plain = || self.listens.get().filter(|at| is_open(at)).map(|at| plain_origin(*at));
        secure.map(|(_, origin)| origin.clone()).or_else(plain)
    }

    /// As [`State::found`], or where this machine finds it.
    pub fn origin(&self) -> Option<String> {
        let plain = || self.listens.get().map(|at| plain_origin(*at));
        let near = || self.secure.get().map(|(_, origin)| origin.clone()).or_else(plain);
        self.found().or_else(near)
    }

    /// Returns how the floor of a tournament stands.
    ///
    /// # Errors
    /// Where it cannot be read.
    pub fn floor(&self, stream: StreamId) -> Result<Arc<Floor>, VerbError> {
        self.floors.of(&self.house, stream)
    }

    /// Takes out of what a venue shows of a copy what the copy's own log says was forgotten, and away the reports
    /// of a season in which it may stand.
    ///
    /// # Errors
    /// Where the log cannot be read, or what is shown cannot be kept.
    pub(crate) fn forget_shown(&self, store: &Store, stream: StreamId) -> Result<(), VerbError> {
        let Some(kept) = self.horizons.shown(stream) else { return Ok(()) };
        let forgotten = store.now_forgotten(stream, kept.shown.events_behind())?;
        if self.house.forget_shown(stream, &forgotten)? {
            self.changed(stream);
            self.season.forget()?;
        }
        Ok(())
    }

    /// Empties what the logs say was forgotten and is still there, as after a backup was brought back: in the
    /// private texts, and beside copies. Nobody is shown it meanwhile.
    pub(crate) async fn finish_forgetting(self: Arc<Self>) {
        let shared = Arc::clone(&self);
        let done = self.read_long(move |store| {
            for stream in store.log().streams().map_err(StoreError::from)? {
                // One that cannot be read says so wherever it is looked at.
                let _ = store.finish_forgetting(stream);
                let _ = shared.forget_shown(store, stream);
            }
            shared.house.clear_at_start()
        });
        // What could not be done now is done at the next start.
        let _ = done.await;
    }

    /// Returns how a copy stands; none: the tournament is run here, or came in as a bundle and nothing is known
    /// against it.
    ///
    /// # Errors
    /// Where it cannot be read.
    pub fn copied(&self, store: &Store, stream: StreamId) -> Result<Option<Copied>, VerbError> {
        let (followed, fork) = (store.followed(stream)?, store.rewritten(stream)?);
        let venue = followed.as_ref().filter(|known| known.is_pushed());
        let heard = venue.and_then(|venue| self.venues.heard(stream, &venue.from));
        let is_followed = followed.is_some();
        Ok((is_followed || fork.is_some()).then(|| Copied {
            heard,
            is_followed,
            is_pushed: venue.is_some(),
            is_forked: fork.is_some(),
            is_said: fork.as_ref().is_some_and(|fork| fork.is_said()),
            restored: fork.and_then(|fork| fork.restored),
        }))
    }

    /// The place of the store.
    #[cfg(feature = "postgres")]
    pub(crate) fn slot(&self) -> &RwLock<Option<Store>> {
        &self.slot
    }

    /// Returns what is in the way of writing; none: nothing is.
    pub fn trouble(&self) -> Option<String> {
        #[cfg(feature = "postgres")]
        return self.node.as_ref().and_then(Node::trouble);
        #[cfg(not(feature = "postgres"))]
        None
    }

    /// Returns whether this server does what is done once for the whole store.
    pub(crate) fn does_for_all(&self) -> bool {
        #[cfg(feature = "postgres")]
        return self.node.as_ref().is_none_or(Node::does_for_all);
        #[cfg(not(feature = "postgres"))]
        true
    }

    /// Waits a moment for a database that is away.
    async fn is_there(&self) -> Result<(), VerbError> {
        #[cfg(feature = "postgres")]
        if let Some(node) = &self.node {
            return node.is_there().await;
        }
        Ok(())
    }

    async fn held(&self) -> Result<Held, VerbError> {
        self.is_there().await?;
        let held = timeout(PATIENCE, Arc::clone(&self.slot).read_owned()).await;
        Ok(Held(held.map_err(|_| too_busy())?))
    }

    /// Reads the store.
    ///
    /// # Errors
    /// What `read` says, or `too-busy` while the store is lent.
    pub async fn read<T: Send + 'static>(
        &self,
        read: impl FnOnce(&Store) -> Result<T, VerbError> + Send + 'static,
    ) -> Result<T, VerbError> {
        let held = self.held().await?;
        apart(move || held.store().and_then(read)).await?
    }

    /// As [`State::read`], for what takes long: a few of them run at a time.
    ///
    /// # Errors
    /// As [`State::read`].
    pub async fn read_long<T: Send + 'static>(
        &self,
        read: impl FnOnce(&Store) -> Result<T, VerbError> + Send + 'static,
    ) -> Result<T, VerbError> {
        let place = timeout(LONG_PATIENCE, Arc::clone(&self.long).acquire_owned()).await;
        let place = place.map_err(|_| too_busy())?.map_err(|_| too_busy())?;
        self.read(move |store| {
            let _place = place;
            read(store)
        })
        .await
    }

    fn lane(&self, stream: StreamId) -> Arc<Lane> {
        let mut lanes = self.lanes.lock().unwrap_or_else(PoisonError::into_inner);
        let lane = lanes.entry(stream).or_insert_with(|| {
            let turn = Arc::new(tokio::sync::Mutex::new(()));
            let (places, changes) = (Arc::new(Semaphore::new(QUEUE)), Arc::default());
            Arc::new(Lane { places, turn, changes })
        });
        Arc::clone(lane)
    }

    /// Carries out commands of a tournament when its turn comes, answers, and tells those who watch.
    /// Whoever goes away in between changes nothing about it.
    ///
    /// # Errors
    /// What `act` says, or `too-busy`: then nothing was done.
    pub async fn act<T: Send + 'static>(
        self: &Arc<Self>,
        stream: StreamId,
        act: impl FnOnce(&State, &Store) -> Result<T, VerbError> + Send + 'static,
    ) -> Result<T, VerbError> {
        self.second.wake().await;
        let lane = self.lane(stream);
        let place = Arc::clone(&lane.places).try_acquire_owned().map_err(|_| too_busy())?;
        let turn = timeout(PATIENCE, Arc::clone(&lane.turn).lock_owned()).await;
        let Ok(turn) = turn else {
            // Whoever has it may wait for a database that has gone away.
            self.is_there().await?;
            return Err(too_busy());
        };
        let held = self.held().await?;
        let (answer, answered) = oneshot::channel();
        let state = Arc::clone(self);
        let turn = Turn { _place: place, _turn: turn };
        let work = apart(move || {
            state.in_turn(&held, stream, turn, act, move |done, change| {
                let _ = answer.send((done, change));
            });
        });
        // It is answered before it has ended.
        drop(work);
        let (done, change) = answered.await.map_err(|_| broken())?;
        self.second.reached(change).await?;
        done
    }

    /// As [`State::act`], for a tournament that is looked for first: where its turn is free, it is found
    /// and changed on one thread.
    ///
    /// # Errors
    /// What `find` or `act` says, or `too-busy`: then nothing was done.
    pub async fn act_found<T: Send + 'static, A>(
        self: &Arc<Self>,
        find: impl FnOnce(&Store) -> Result<StreamId, VerbError> + Send + 'static,
        act: A,
    ) -> Result<T, VerbError>
    where
        A: FnOnce(&State, &Store, StreamId) -> Result<T, VerbError> + Send + 'static,
    {
        self.second.wake().await;
        let held = self.held().await?;
        let (answer, answered) = oneshot::channel();
        let state = Arc::clone(self);
        let work = apart(move || {
            let said = match held.store().and_then(find) {
                Err(error) => Found::Done(Err(error), None),
                Ok(stream) => match state.free_turn(stream) {
                    None => Found::Waits(stream, act),
                    Some(turn) => {
                        let act = |state: &State, store: &Store| act(state, store, stream);
                        return state.in_turn(&held, stream, turn, act, move |done, change| {
                            let _ = answer.send(Found::Done(done, change));
                        });
                    }
                },
            };
            let _ = answer.send(said);
        });
        drop(work);
        match answered.await.map_err(|_| broken())? {
            Found::Waits(stream, act) => {
                self.act(stream, move |state, store| act(state, store, stream)).await
            }
            Found::Done(done, change) => {
                self.second.reached(change).await?;
                done
            }
        }
    }

    /// The turn of a tournament's commands, where nobody has it.
    fn free_turn(&self, stream: StreamId) -> Option<Turn> {
        let lane = self.lane(stream);
        let place = Arc::clone(&lane.places).try_acquire_owned().ok()?;
        let turn = Arc::clone(&lane.turn).try_lock_owned().ok()?;
        Some(Turn { _place: place, _turn: turn })
    }

    /// Carries out commands of a tournament whose turn it is.
    fn in_turn<T>(
        &self,
        held: &Held,
        stream: StreamId,
        turn: Turn,
        act: impl FnOnce(&State, &Store) -> Result<T, VerbError>,
        answer: impl FnOnce(Result<T, VerbError>, Option<u64>),
    ) {
        let Ok(store) = held.store() else { return answer(Err(too_busy()), None) };
        let head = || store.log().head(stream).ok();
        let before = head();
        let done = self.second.may_record().and_then(|()| act(self, store));
        let change = match stream {
            ALL => Some(self.second.note(None)),
            stream => (head() != before).then(|| self.second.note(Some(stream))),
        };
        self.changed(stream);
        #[cfg(feature = "postgres")]
        if let Some((node, head)) = self.node.as_ref().zip(head()) {
            node.wrote(stream, head);
        }
        // Whoever asked is answered before anybody is told, and whoever waits does not wait for that.
        answer(done, change);
        drop(turn);
        self.live.publish(store, stream);
    }

    /// Reads or keeps what lies beside the store.
    ///
    /// # Errors
    /// What `work` says.
    pub async fn beside<T: Send + 'static>(
        self: &Arc<Self>,
        work: impl FnOnce(&State) -> Result<T, VerbError> + Send + 'static,
    ) -> Result<T, VerbError> {
        let state = Arc::clone(self);
        apart(move || work(&state)).await?
    }

    /// As [`State::act`], for what is no tournament's.
    ///
    /// # Errors
    /// As [`State::act`].
    pub async fn act_alone<T: Send + 'static>(
        self: &Arc<Self>,
        act: impl FnOnce(&State, &Store) -> Result<T, VerbError> + Send + 'static,
    ) -> Result<T, VerbError> {
        let state = Arc::clone(self);
        self.act(ALL, move |_, store| act(&state, store)).await
    }

    /// Returns how many orders wait for their turn or have it: of all tournaments, and of the one that
    /// has most.
    pub fn waiting(&self) -> (usize, usize) {
        let lanes = self.lanes.lock().unwrap_or_else(PoisonError::into_inner);
        let each = lanes.values().map(|lane| QUEUE - lane.places.available_permits());
        each.fold((0, 0), |(sum, most), of| (sum + of, most.max(of)))
    }

    /// Returns a tournament whose order keeps its turn for longer than this.
    pub async fn stuck(&self, patience: Duration) -> Option<StreamId> {
        let lanes: Vec<_> = {
            let lanes = self.lanes.lock().unwrap_or_else(PoisonError::into_inner);
            lanes.iter().map(|(stream, lane)| (*stream, Arc::clone(&lane.turn))).collect()
        };
        for (stream, turn) in lanes {
            if timeout(patience, turn.lock()).await.is_err() {
                return Some(stream);
            }
        }
        None
    }

    /// Returns how often a tournament changed, or any of them; it goes on counting.
    pub fn changes(&self, stream: Option<StreamId>) -> Arc<AtomicU64> {
        Arc::clone(&self.lane(stream.unwrap_or(ALL)).changes)
    }

    /// Notes that pages of a tournament may look otherwise now. Whoever changes what they show
    /// without an order says so here.
    pub fn changed(&self, stream: StreamId) {
        if stream == ALL {
            return self.changed_all();
        }
        for one in [stream, ALL] {
            self.lane(one).changes.fetch_add(1, Ordering::Release);
        }
    }

    /// As [`State::changed`], of every tournament: one was opened, or the store was lent.
    pub fn changed_all(&self) {
        let lanes = self.lanes.lock().unwrap_or_else(PoisonError::into_inner);
        lanes.values().for_each(|lane| _ = lane.changes.fetch_add(1, Ordering::Release));
    }

    /// Waits until all that is being recorded is recorded.
    ///
    /// # Errors
    /// `too-busy` where that takes too long.
    pub async fn settled(&self) -> Result<(), VerbError> {
        let slot = timeout(PATIENCE, self.slot.write()).await;
        slot.map(drop).map_err(|_| too_busy())
    }

    /// Finishes what is being done, closes the store, and keeps everybody waiting until `returned`
    /// resolves and its lock is free again.
    ///
    /// # Errors
    /// `too-busy` where what is being done takes too long.
    pub async fn lend(self: &Arc<Self>, returned: oneshot::Receiver<()>) -> Result<(), VerbError> {
        self.second.may_record()?;
        if self.house.is_shared() {
            // Nothing is locked, and whoever asks works beside this server.
            return Ok(());
        }
        let mut slot = self.whole_slot().await?;
        let (closed, is_closed) = oneshot::channel();
        let state = Arc::clone(self);
        // One task closes and opens it, which goes on where who asked for it goes away in between.
        tokio::spawn(async move {
            let store = slot.take();
            let done = apart(move || drop(store)).await;
            let _ = closed.send(done);
            // Gone without a word is given back too.
            let _ = returned.await;
            state.open_again(&mut slot).await;
        });
        is_closed.await.map_err(|_| broken())?
    }

    /// The place of the store, once what is being done is finished.
    async fn whole_slot(&self) -> Result<OwnedRwLockWriteGuard<Option<Store>>, VerbError> {
        let slot = timeout(Duration::from_secs(20), Arc::clone(&self.slot).write_owned()).await;
        slot.map_err(|_| too_busy())
    }

    /// Opens the store anew: it may hold other things than are known of it.
    async fn opened_anew(self: &Arc<Self>) -> Result<Store, VerbError> {
        let state = Arc::clone(self);
        let opened = apart(move || {
            (state.setup.opener)().inspect(|store| {
                state.changed_all();
                state.horizons.begin_anew();
                state.second.note(None);
                state.live.catch_up(store);
            })
        });
        opened.await?
    }

    /// The same in its place, until it is open or the server stops.
    async fn open_again(self: &Arc<Self>, slot: &mut OwnedRwLockWriteGuard<Option<Store>>) {
        while !*self.stopping.borrow() {
            match self.opened_anew().await {
                Ok(store) => {
                    **slot = Some(store);
                    return;
                }
                // Somebody has it still, or what was done left nothing to open: both may pass.
                Err(_) => tokio::time::sleep(Duration::from_millis(50)).await,
            }
        }
    }

    /// Closes the store, and opens it with another mirror, or none.
    ///
    /// # Errors
    /// Why it is not mirrored so: it goes on as before. `too-busy` where what is being done takes too long.
    pub(crate) async fn mirror(self: &Arc<Self>, mirror: Mirror) -> Result<(), VerbError> {
        let mut slot = self.whole_slot().await?;
        let state = Arc::clone(self);
        // To its end, also where who asked for it goes away in between.
        let done = tokio::spawn(async move {
            let next = |mirror| {
                *state.setup.next_mirror.lock().unwrap_or_else(PoisonError::into_inner) = mirror;
            };
            let store = slot.take();
            let _ = apart(move || drop(store)).await;
            next(mirror);
            match state.opened_anew().await {
                Ok(store) => {
                    *slot = Some(store);
                    Ok(())
                }
                Err(error) => {
                    next(Mirror::AsBefore);
                    state.open_again(&mut slot).await;
                    Err(error)
                }
            }
        });
        done.await.map_err(|_| broken())?
    }

    /// Opens the store for whoever has it lent.
    ///
    /// # Errors
    /// Why it cannot be opened.
    pub fn opened(&self) -> Result<Store, VerbError> {
        (self.setup.opener)()
    }

    /// Writes the house as it stands beside the journal, where the store is in a folder.
    ///
    /// # Errors
    /// Where it cannot be written.
    pub async fn copy_house(self: &Arc<Self>) -> Result<(), VerbError> {
        self.beside(|state| match &state.setup.folder {
            Some(folder) if state.second.is_desk() && !state.house.is_shared() => {
                state.house.write_copy(folder)
            }
            _ => Ok(()),
        })
        .await
    }

    /// Keeps what is written behind, until the server stops.
    pub async fn keep_behind(self: Arc<Self>) {
        let mut stopping = self.stopping.clone();
        let mut changes = self.house.changes();
        for turn in 1_u64.. {
            tokio::select! {
                () = tokio::time::sleep(BEHIND) => {}
                _ = stopping.wait_for(|stops| *stops) => return,
            }
            // What cannot be kept now is kept the next time.
            let _ = self.beside(|state| state.house.keep_sent()).await;
            if turn % COPIED_EVERY == 0 && changes.has_changed().unwrap_or(false) {
                changes.mark_unchanged();
                let _ = self.copy_house().await;
            }
        }
    }

    /// Closes the store once everything that was begun is done.
    pub async fn close(self: &Arc<Self>) {
        let _ = self.beside(|state| state.house.keep_sent()).await;
        let _ = self.copy_house().await;
        let slot = timeout(Duration::from_secs(10), self.slot.write()).await;
        if let Ok(mut slot) = slot {
            let store = slot.take();
            let _ = apart(move || drop(store)).await;
        }
    }
}

#[cfg(test)]
#[path = "state_tests.rs"]
mod tests;
