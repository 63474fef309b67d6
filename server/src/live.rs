//! What happens in a tournament, told to those who watch: frames with the number of their event,
//! so that a stream goes on exactly where it broke off. A frame is encoded once, for all of them.

use crate::gate::{Need, Role};
use crate::horizon::Horizons;
use axum::body::Bytes;
use scrutineer_desk::desk::write_slip;
use scrutineer_desk::floor::{Change, Floor};
pub use scrutineer_desk::horizon::is_out;
use scrutineer_desk::horizon::published;
use scrutineer_desk::orders::postponed_in;
use scrutineer_desk::store::{Store, StoreError};
use scrutineer_desk::verb_error::VerbError;
use scrutineer_engine::event::{
    ByeRequested, DropReason, Event, PlayerCheckedIn, PlayerDropped, PlayerNumber,
    PlayerReinstated, RoundNumber, Seq,
};
use scrutineer_engine::handler::{CommandError, read_events};
use scrutineer_engine::log::Head;
use scrutineer_engine::record::StreamId;
use scrutineer_engine::tournament::{Round, Tournament};
use scrutineer_projections::bracket_rounds::bracket_places;
use serde_json::{Value, json};
use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};
use tokio::sync::watch;

/// How many events back a stream goes on; who missed more loads the page again.
pub const RING: u64 = 4_096;

/// Returns where a tournament stands, as the frame `head` and the API say it.
pub fn head_json(state: &Tournament, seq: Seq, hash: &str) -> Value {
    head_of(state, state.last_round(), seq, hash)
}

/// The same as everybody may know it: of the last round that is out, whatever is drafted behind it.
fn public_head(state: &Tournament, seq: Seq, hash: &str) -> Value {
    let is_seen = |round: &&Round| !round.withdrawn && is_out(state, round);
    head_of(state, state.rounds().iter().rfind(is_seen), seq, hash)
}

fn head_of(state: &Tournament, round: Option<&Round>, seq: Seq, hash: &str) -> Value {
    json!({
        "seq": seq,
        "hash": hash,
        "round": round.map_or(0, |round| round.number),
        "missing": round.map_or(0, |round| round.open_matches),
        "postponed": round.map_or(0, |round| postponed_in(state, round.number)),
        "published": round.is_some_and(|round| is_out(state, round)),
    })
}

/// Returns the ETag of a head, without its quotation marks.
pub fn tag(seq: u64, hash: &str) -> String {
    format!("{seq}-{}", tag_hash(hash))
}

/// Returns what stands of a hash in an ETag.
pub fn tag_hash(hash: &str) -> &str {
    hash.get(..8).unwrap_or(hash)
}

/// Returns where a log stands: its ETag, without the quotation marks.
///
/// # Errors
/// Where it cannot be read.
pub fn tag_of(store: &Store, stream: StreamId) -> Result<String, StoreError> {
    let head = store.log().head(stream)?;
    Ok(tag(head.seq, &head.hash.to_string()))
}

/// Who is told of something.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum For {
    Everybody,
    /// Those who see drafts, and programs, which are told of what stands in the public log.
    Programs,
    /// Those who see drafts.
    Drafts,
    /// The staff, of what stands beside the log.
    Staff,
}

/// What those who watch are told of one event.
#[derive(Clone, Debug)]
struct Frame {
    seq: Seq,
    name: &'static str,
    told: For,
    bytes: Bytes,
    /// The players whom it concerns; their own page is told of it and of little else.
    players: Vec<PlayerNumber>,
}

/// Something that happened, as everybody may know it.
#[derive(Clone, Debug)]
pub struct Happened {
    /// Its number in the log.
    pub seq: Seq,
    /// What it is called.
    pub name: &'static str,
    /// The rest, as JSON.
    pub data: Bytes,
}

impl Frame {
    fn happened(&self) -> Happened {
        // As `encoded` writes it: the data are the last line, behind which one is empty.
        let at = self.bytes.windows(DATA.len()).position(|part| part == DATA);
        let data = at.map_or(0, |at| at + DATA.len())..self.bytes.len().saturating_sub(2);
        Happened { seq: self.seq, name: self.name, data: self.bytes.slice(data) }
    }

    /// Returns what a player's own page is told of it; none: nothing.
    fn own(&self, player: PlayerNumber) -> Option<Bytes> {
        match self.name {
            "published" | "unpublished" | "closed" | "reopened" | "forgotten" => {
                Some(self.bytes.clone())
            }
            // Where they were noted along, as each round is completed, they may be hidden: nothing of them is told.
            "standings" => Some(encoded(Some(self.seq), self.name, &json!({}))),
            name if self.players.contains(&player) => {
                let name = match name {
                    "corrected" | "missing" => "result",
                    other => other,
                };
                Some(encoded(Some(self.seq), &format!("own-{name}"), &json!({})))
            }
            _ => None,
        }
    }
}

/// Who watches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Viewer {
    /// Everybody: what is public.
    Everybody,
    /// Programs, which are told besides of who drops and of disputes: pages show that in the log alone.
    Programs,
    /// The staff who see no drafts: what is public, and what is told to staff beside the log.
    Staff,
    /// Those who see drafts.
    Drafts,
    /// A player, of what concerns them.
    Player(PlayerNumber),
}

impl Viewer {
    /// Who watches in a role.
    pub fn of(role: Role) -> Viewer {
        match role {
            _ if Need::Drafts.admits(role) => Viewer::Drafts,
            _ if Need::Staff.admits(role) => Viewer::Staff,
            _ => Viewer::Everybody,
        }
    }

    /// Whether they are of the staff.
    pub const fn is_staff(self) -> bool {
        matches!(self, Viewer::Staff | Viewer::Drafts)
    }

    /// Whether they know no more of the log than everybody.
    const fn knows_what_is_public(self) -> bool {
        matches!(self, Viewer::Everybody | Viewer::Programs | Viewer::Staff)
    }
}

/// What an event takes back or moves, as it stood before.
#[derive(Default)]
struct Taken {
    /// The round that is out in which it seats somebody anew, or no more, and whom.
    moved: Option<(RoundNumber, Vec<PlayerNumber>)>,
    /// The pairing whose result it was, or part of it.
    result: Option<Seq>,
    /// The pairing that was disputed.
    dispute: Option<Seq>,
    /// Who was penalized.
    penalized: Option<PlayerNumber>,
    /// The round that was out.
    round: Option<RoundNumber>,
    /// The round that was a draft.
    draft: Option<RoundNumber>,
    /// The player who was here, out or back, or asked for a bye.
    player: Option<PlayerNumber>,
    /// The pairing that was ruled about.
    ruled: Option<Seq>,
    /// Whether it was the closing.
    closing: bool,
    /// Whether it began a phase behind the first one.
    phase: bool,
}

impl Taken {
    fn by(state: &Tournament, event: &Event) -> Taken {
        let moved = moved(state, event);
        let Event::Withdrawn(one) = event else { return Taken { moved, ..Taken::default() } };
        let found = state.matches().find(|found| found.result() == Some(one.seq));
        let was_out = state.rounds().iter().find(|round| {
            round.published.is_some_and(|out| [out, round.opened].contains(&one.seq))
        });
        let was_draft = state
            .rounds()
            .iter()
            .find(|round| !round.withdrawn && round.published.is_none() && round.opened == one.seq);
        Taken {
            moved,
            draft: was_draft.map(|round| round.number),
            player: state.player_of(one.seq),
            ruled: state.ruled_match(one.seq),
            closing: state.closed() == Some(one.seq),
            phase: state.phases().iter().any(|of| of.number > 1 && of.started == one.seq),
            round: was_out.map(|round| round.number),
            result: found.map(|found| found.seq()),
            dispute: state.dispute(one.seq).map(|dispute| dispute.pairing),
            penalized: state.penalty(one.seq).map(|penalty| penalty.player),
        }
    }
}

/// Returns in which round that is published an event makes a table or a bye, or takes one back, and whose.
fn moved(state: &Tournament, event: &Event) -> Option<(RoundNumber, Vec<PlayerNumber>)> {
    let (round, players) = match event {
        Event::PairingMade(one) => {
            (one.round, one.seats.iter().map(|seat| seat.player).collect::<Vec<_>>())
        }
        Event::ByeGiven(one) => (one.round, vec![one.player]),
        Event::Withdrawn(one) => match state.match_at(one.seq) {
            Some(found) => {
                let players = found.seats().iter().map(|seat| seat.player).collect();
                (found.round().number, players)
            }
            None => {
                let bye = state.byes().find(|bye| bye.seq == one.seq)?;
                (state.rounds()[bye.round as usize].number, vec![bye.player])
            }
        },
        _ => return None,
    };
    state.round(round)?.published.map(|_| (round, players))
}

/// Returns the players whom an event concerns.
fn concerned(state: &Tournament, event: &Event, taken: &Taken) -> Vec<PlayerNumber> {
    if let Some((_, players)) = &taken.moved {
        return players.clone();
    }
    let pairing = match event {
        Event::ResultRecorded(one) => Some(one.pairing),
        Event::ResultCorrected(one) => Some(one.pairing),
        Event::ResultClaimed(one) => Some(one.pairing),
        Event::DisputeOpened(one) => Some(one.pairing),
        Event::DisputeRuled(one) => state.dispute(one.dispute).map(|dispute| dispute.pairing),
        Event::PlayerAdvanced(one) => Some(one.pairing),
        Event::Withdrawn(_) if taken.penalized.is_some() => {
            return taken.penalized.into_iter().collect();
        }
        // That it is prepared, or who goes on, stands on the page of each.
        Event::PhaseStarted(one) if one.phase > 1 => {
            return state.players().iter().map(|player| player.number).collect();
        }
        Event::Withdrawn(_) if taken.draft.is_some() || taken.phase => {
            return state.players().iter().map(|player| player.number).collect();
        }
        Event::Withdrawn(_) if taken.player.is_some() => return taken.player.into_iter().collect(),
        Event::Withdrawn(_) => taken.result.or(taken.dispute).or(taken.ruled),
        Event::PenaltyGiven(one) => return vec![one.player],
        Event::PlayerCheckedIn(one) => return vec![one.player],
        Event::PlayerDropped(one) => return vec![one.player],
        Event::PlayerReinstated(one) => return vec![one.player],
        Event::ByeRequested(one) => return vec![one.player],
        _ => None,
    };
    let found = pairing.and_then(|pairing| state.match_at(pairing));
    found.map_or(Vec::new(), |found| found.seats().iter().map(|seat| seat.player).collect())
}

/// What stands before the data of a frame.
const DATA: &[u8] = b"\ndata: ";

/// The bytes of a frame. JSON has no line in it, so nothing that somebody typed makes a frame.
pub fn encoded(seq: Option<Seq>, name: &str, data: &Value) -> Bytes {
    let id = seq.map_or(String::new(), |seq| format!("id: {seq}\n"));
    format!("{id}event: {name}\ndata: {data}\n\n").into()
}

/// Tells how many tables of a round have no result, and how many one that is to come later.
fn count_in(state: &Tournament, round: &Round, data: &mut Value) {
    data["missing"] = round.open_matches.into();
    data["postponed"] = postponed_in(state, round.number).into();
}

/// Returns what is told of an event, where anything is: its name, the rest, and whom. The state is the one
/// after it.
fn told(
    state: &Tournament,
    seq: Seq,
    hash: &str,
    event: &Event,
    taken: &Taken,
) -> Option<(&'static str, Value, For)> {
    let table = |pairing| {
        let found = state.match_at(pairing)?;
        Some((found.round(), json!({ "round": found.round().number, "table": found.table() })))
    };
    let result = |name, pairing, result| {
        let (round, mut data) = table(pairing)?;
        data["score"] = write_slip(result).into();
        count_in(state, round, &mut data);
        Some((name, data, For::Everybody))
    };
    if let Some((round, _)) = &taken.moved {
        let mut data = json!({ "round": round });
        count_in(state, state.round(*round)?, &mut data);
        return Some(("pairing", data, For::Everybody));
    }
    match event {
        Event::ResultRecorded(one) => result("result", one.pairing, &one.result),
        Event::ResultCorrected(one) => result("corrected", one.pairing, &one.result),
        // Whoever looks at its tables is to look away.
        Event::Withdrawn(_) if taken.round.is_some() => {
            Some(("unpublished", json!({ "round": taken.round }), For::Everybody))
        }
        Event::Withdrawn(_) if taken.phase => Some(("cut", json!({}), For::Drafts)),
        Event::Withdrawn(_) if taken.closing => Some(("reopened", json!({}), For::Everybody)),
        Event::Withdrawn(_) if taken.dispute.is_some() => {
            Some(("dispute", table(taken.dispute?)?.1, For::Drafts))
        }
        Event::Withdrawn(_) if taken.penalized.is_some() => {
            Some(("penalty", json!({ "player": taken.penalized }), For::Drafts))
        }
        Event::Withdrawn(_) if taken.draft.is_some() => {
            Some(("draft", json!({ "round": taken.draft }), For::Drafts))
        }
        Event::Withdrawn(_) if taken.player.is_some() => {
            Some(("player", json!({ "player": taken.player }), For::Drafts))
        }
        Event::Withdrawn(_) if taken.ruled.is_some() => {
            Some(("ruled", table(taken.ruled?)?.1, For::Drafts))
        }
        // Under a correction lies the result that it corrected.
        Event::Withdrawn(_) => match state.match_at(taken.result?)?.to_result() {
            Some(older) => result("corrected", taken.result?, &older),
            None => {
                let (round, mut data) = table(taken.result?)?;
                count_in(state, round, &mut data);
                Some(("missing", data, For::Everybody))
            }
        },
        Event::PairingsPublished(one) => {
            let mut data = json!({ "round": one.round });
            if let Some(places) = bracket_places(state, one.round) {
                data["places"] = places.into();
            }
            Some(("published", data, For::Everybody))
        }
        Event::StandingsAnnounced(one) => {
            let data = json!({ "round": one.through_round, "etag": tag(seq, hash) });
            Some(("standings", data, For::Everybody))
        }
        Event::TournamentClosed(_) => Some(("closed", json!({}), For::Everybody)),
        // Whoever looks at a name that is gone is to look away.
        Event::TextsForgotten(_) => Some(("forgotten", json!({}), For::Everybody)),
        Event::RoundOpened(one) => Some(("draft", json!({ "round": one.round }), For::Drafts)),
        Event::PhaseStarted(one) if one.phase > 1 => Some(("cut", json!({}), For::Drafts)),
        Event::ResultClaimed(one) => Some(("claim", table(one.pairing)?.1, For::Drafts)),
        Event::DisputeOpened(one) => Some(("dispute", table(one.pairing)?.1, For::Programs)),
        Event::DisputeRuled(one) => {
            Some(("ruled", table(state.dispute(one.dispute)?.pairing)?.1, For::Drafts))
        }
        Event::PlayerAdvanced(one) => Some(("ruled", table(one.pairing)?.1, For::Drafts)),
        Event::PenaltyGiven(one) => Some(("penalty", json!({ "player": one.player }), For::Drafts)),
        Event::PlayerDropped(PlayerDropped { player, why, .. }) => {
            let told = match why {
                DropReason::Disqualified => For::Drafts,
                _ => For::Programs,
            };
            Some(("player", json!({ "player": player }), told))
        }
        Event::PlayerCheckedIn(PlayerCheckedIn { player })
        | Event::PlayerReinstated(PlayerReinstated { player, .. })
        | Event::ByeRequested(ByeRequested { player, .. }) => {
            Some(("player", json!({ "player": player }), For::Drafts))
        }
        _ => None,
    }
}

/// Every event after one, each with the hash of its record.
fn events_after(
    store: &Store,
    stream: StreamId,
    after: Seq,
) -> impl Iterator<Item = Result<(Seq, String, Event), StoreError>> {
    read_events(store.log(), stream, after).map(|read| {
        let (record, event) = read.map_err(CommandError::from)?;
        Ok((record.header().seq, record.hash().to_string(), event))
    })
}

/// What was told of a tournament.
struct Told {
    /// The tournament as of the last event that was told.
    state: Tournament,
    hash: String,
    /// After which event the ring begins.
    since: Seq,
    ring: VecDeque<Frame>,
    /// What is told of as it is, and not as it came about: by name, each with the change it came by.
    states: Vec<(&'static str, u64, Frame)>,
    /// The players at whose table something was done, or whose message is elsewhere, each with the change it came by.
    at_tables: HashMap<PlayerNumber, u64>,
    /// How many changes there were of these.
    changes: u64,
    /// At which of these changes a name went that no event tells everybody of: it lies behind what is public.
    gone_at: u64,
    /// At which of these changes a round that was out became a draft again, and which: that lies behind what is
    /// public as well. None: it is out since.
    away: Option<(u64, RoundNumber)>,
    /// What came last, for those who have all before it: after which event, and what; for everybody, and
    /// for staff.
    latest: [(Seq, Bytes); 2],
    /// What everybody may know.
    public: Public,
    /// Whether this is another log than the one that was told of.
    is_gone: bool,
}

/// How far everybody knows a tournament.
#[derive(Default)]
struct Public {
    /// The last event that they may know.
    seq: Seq,
    /// Where the tournament stands for them, as the frame that says it.
    head: Bytes,
    /// How often that changed.
    changes: u64,
}

const NOTHING: (Seq, Bytes) = (Seq::MAX, Bytes::new());

impl Told {
    fn at(head: Head, state: Tournament) -> Told {
        let (since, hash) = (head.seq, head.hash.to_string());
        let (ring, states, at_tables) = (VecDeque::new(), Vec::new(), HashMap::new());
        let (latest, public) = ([NOTHING; 2], Public::default());
        let is_gone = false;
        let (changes, gone_at, away) = (0, 0, None);
        Told {
            state,
            hash,
            since,
            ring,
            states,
            at_tables,
            changes,
            gone_at,
            away,
            latest,
            public,
            is_gone,
        }
    }

    /// Looks how far everybody may know it.
    fn look(
        &mut self,
        store: &Store,
        stream: StreamId,
        horizons: &Horizons,
    ) -> Result<(), VerbError> {
        let horizon = horizons.of(store, stream)?;
        let is_whole = horizon.seq >= self.state.head();
        let (seq, hash) = match is_whole {
            true => (self.state.head(), self.hash.clone()),
            false => (horizon.seq, horizon.hash.to_string()),
        };
        // The pairings that are out and how many results are missing are known where results are hidden.
        // A copy has no more of them than its venue gives beside the log.
        let given = match horizons.shown(stream) {
            Some(_) => horizons.pairings(store, stream)?,
            None => None,
        };
        let mut json = match given {
            Some(given) => head_json(&given.state, seq, &hash),
            None => public_head(&self.state, seq, &hash),
        };
        if let Some(kept) = horizons.shown(stream) {
            let hidden = kept.shown.missing.iter().find(|(round, _)| json["round"] == **round);
            if let Some((_, missing)) = hidden {
                json["missing"] = (*missing).into();
            }
        }
        let head = match horizon == Head::EMPTY {
            true => Bytes::new(),
            false => encoded(Some(seq), "head", &json),
        };
        if (seq, &head) != (self.public.seq, &self.public.head) {
            self.public = Public { seq, head, changes: self.public.changes + 1 };
        }
        Ok(())
    }

    /// The last event that somebody may know.
    fn last(&self, viewer: Viewer) -> Seq {
        if viewer.knows_what_is_public() { self.public.seq } else { self.state.head() }
    }

    /// The ring as it is after a restart: what the log holds, told once more.
    fn reach_back(&mut self, store: &Store, stream: StreamId) -> Result<(), StoreError> {
        let until = self.state.head();
        let begin = Told::at(Head::default(), Tournament::default());
        let mut again = Told { since: until.saturating_sub(RING), ..begin };
        for read in events_after(store, stream, 0) {
            let (seq, hash, event) = read?;
            if seq > until {
                break;
            }
            again.tell(seq, hash, &event);
        }
        (self.since, self.ring) = (again.since, again.ring);
        Ok(())
    }

    fn tell(&mut self, seq: Seq, hash: String, event: &Event) {
        let taken = Taken::by(&self.state, event);
        self.state.evolve(event);
        self.hash = hash;
        if seq <= self.since {
            return;
        }
        self.since = self.since.max(seq.saturating_sub(RING));
        while self.ring.front().is_some_and(|first| first.seq <= self.since) {
            self.ring.pop_front();
        }
        if let Some((name, data, told)) = told(&self.state, seq, &self.hash, event, &taken) {
            let players = concerned(&self.state, event, &taken);
            let bytes = encoded(Some(seq), name, &data);
            self.ring.push_back(Frame { seq, name, told, bytes, players });
        }
    }

    /// Something is otherwise now that these players' own pages show.
    fn concern(&mut self, players: impl Iterator<Item = PlayerNumber>) {
        self.changes += 1;
        let change = self.changes;
        self.at_tables.extend(players.map(|player| (player, change)));
    }

    fn name_gone(&mut self) {
        self.changes += 1;
        self.gone_at = self.changes;
    }

    /// Looks whether a round that was out until now is a draft again. Its tables are nobody's to see any more, so
    /// everybody is told at once, without the number of an event that lies behind what is public.
    fn look_away(&mut self, before: Option<RoundNumber>) {
        let now = published(&self.state);
        let taken_back = before.filter(|round| now < Some(*round));
        match taken_back.filter(|_| self.public.seq < self.state.head()) {
            Some(round) => {
                self.changes += 1;
                self.away = Some((self.changes, round));
            }
            None => self.away = self.away.filter(|(_, round)| now < Some(*round)),
        }
    }

    /// Tells what was recorded since.
    fn follow(
        &mut self,
        store: &Store,
        stream: StreamId,
        horizons: &Horizons,
    ) -> Result<(), VerbError> {
        let viewers = [Viewer::Everybody, Viewer::Drafts];
        let before = viewers.map(|viewer| self.last(viewer));
        let out = published(&self.state);
        let mut forgotten = 0;
        for read in events_after(store, stream, self.state.head()) {
            let (seq, hash, event) = read?;
            if matches!(event, Event::TextsForgotten(_)) {
                forgotten = seq;
            }
            self.tell(seq, hash, &event);
        }
        self.look(store, stream, horizons)?;
        if forgotten > self.public.seq {
            self.name_gone();
        }
        self.look_away(out);
        let told =
            |one: usize| (before[one], self.after(before[one], viewers[one]).concat().into());
        self.latest = [told(0), told(1)];
        Ok(())
    }

    /// What concerns a player after an event.
    fn own_after(&self, seq: Seq, player: PlayerNumber) -> Bytes {
        let first = self.ring.partition_point(|frame| frame.seq <= seq);
        let own = self.ring.range(first..).filter_map(|frame| frame.own(player));
        own.collect::<Vec<Bytes>>().concat().into()
    }

    /// What happened after an event, as far as they may know it.
    fn frames(&self, seq: Seq, viewer: Viewer) -> impl Iterator<Item = &Frame> {
        let first = self.ring.partition_point(|frame| frame.seq <= seq);
        let last = self.last(viewer);
        let is_shown = move |frame: &&Frame| match (viewer, frame.told) {
            (Viewer::Drafts, _) => true,
            (_, For::Everybody) | (Viewer::Programs, For::Programs) => frame.seq <= last,
            _ => false,
        };
        self.ring.range(first..).filter(is_shown)
    }

    /// The same, and where the tournament stands now.
    fn after(&self, seq: Seq, viewer: Viewer) -> Vec<Bytes> {
        let (last, sees_drafts) = (self.last(viewer), viewer == Viewer::Drafts);
        let frames = self.frames(seq, viewer).map(|frame| frame.bytes.clone());
        let head = match sees_drafts {
            true => encoded(Some(last), "head", &head_json(&self.state, last, &self.hash)),
            false => self.public.head.clone(),
        };
        frames.chain([head]).collect()
    }
}

/// A tournament that somebody watches.
struct Watched {
    told: RwLock<Told>,
    /// Rings when something was told.
    bell: watch::Sender<()>,
}

impl Watched {
    fn read(&self) -> RwLockReadGuard<'_, Told> {
        self.told.read().unwrap_or_else(PoisonError::into_inner)
    }

    fn write(&self) -> RwLockWriteGuard<'_, Told> {
        self.told.write().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Somebody who watches a tournament.
pub struct Watching {
    watched: Arc<Watched>,
    bell: watch::Receiver<()>,
    viewer: Viewer,
    /// Up to which event they were told; none: they begin with where it stands.
    after: Option<Seq>,
    /// Up to which change they know what is told of as it is, and where everybody sees it stand.
    changes: (u64, u64),
    /// Whether they were told where the tournament stands.
    has_begun: bool,
}

impl Watching {
    /// What they do not know yet, at once; none: too much to tell, the page is to be loaded again.
    pub fn missed(&mut self) -> Option<Bytes> {
        let told = self.watched.read();
        let (now, after) = (told.last(self.viewer), self.after);
        let sees_drafts = self.viewer == Viewer::Drafts;
        let (before, latest) = &told.latest[usize::from(sees_drafts)];
        let is_public = self.viewer.knows_what_is_public();
        let knows_head = !is_public || self.changes.1 == told.public.changes;
        let events = match (after, self.viewer) {
            _ if told.is_gone => return None,
            (Some(after), _) if after > now || after < told.since.min(now) => return None,
            (after, Viewer::Player(player)) => told.own_after(after.unwrap_or(now), player),
            (Some(after), _) if after == now && self.has_begun && knows_head => Bytes::new(),
            (Some(after), _) if after == *before => latest.clone(),
            (after, _) => told.after(after.unwrap_or(now), self.viewer).concat().into(),
        };
        (self.after, self.has_begun) = (Some(now), true);
        let is_staff = self.viewer.is_staff();
        let away = told.away.filter(|(change, _)| is_public && *change > self.changes.0);
        let away = away.map(|(_, round)| encoded(None, "unpublished", &json!({ "round": round })));
        let news = told
            .states
            .iter()
            .filter(|(_, change, _)| *change > self.changes.0)
            .filter(|(.., frame)| is_staff || frame.told == For::Everybody);
        let mut news: Vec<&[u8]> = news.map(|(_, _, frame)| &frame.bytes[..]).collect();
        let own = match self.viewer {
            Viewer::Player(player) => told.at_tables.get(&player),
            _ => None,
        };
        if own.is_some_and(|change| *change > self.changes.0) {
            news.push(b"event: own-floor\ndata: {}\n\n");
        }
        if is_public && told.gone_at > self.changes.0 {
            news.push(b"event: forgotten\ndata: {}\n\n");
        }
        news.extend(away.as_deref());
        self.changes = (told.changes, told.public.changes);
        Some(if news.is_empty() {
            events
        } else {
            [&[&events[..]], &news[..]].concat().concat().into()
        })
    }

    /// Whether the tournament was removed.
    pub fn is_removed(&self) -> bool {
        self.watched.read().state.is_removed()
    }

    /// That the line is alive, with what everybody knows of where the tournament stands.
    pub fn alive(&self) -> Bytes {
        let told = self.watched.read();
        let head = String::from_utf8_lossy(&told.public.head);
        let data = head.lines().find_map(|line| line.strip_prefix("data: ")).unwrap_or("{}");
        format!("event: alive\ndata: {data}\n\n").into()
    }

    /// What happened since, each event by itself; none: more than is told, or the log is another one.
    pub fn happened(&mut self) -> Option<Vec<Happened>> {
        let told = self.watched.read();
        let now = told.last(self.viewer);
        let after = self.after.unwrap_or(now);
        if told.is_gone || after > now || after < told.since.min(now) {
            return None;
        }
        self.after = Some(now);
        Some(told.frames(after, self.viewer).map(Frame::happened).collect())
    }

    /// The last event that they may know.
    pub fn last(&self) -> Seq {
        self.watched.read().last(self.viewer)
    }

    /// Waits until something was told.
    pub async fn rung(&mut self) {
        // The bell is there as long as what it rings for.
        let _ = self.bell.changed().await;
    }
}

/// How far those who watch are from what was recorded: the most of any tournament.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Lag {
    /// How many events everybody does not know yet: the horizon lies before them, or they are about to be told.
    pub not_public: Seq,
    /// How many events nobody was told yet.
    pub not_told: Seq,
    /// How many tournaments hold something back from everybody: a draft, or hidden standings.
    pub held_back: usize,
}

/// The tournaments that somebody watches.
#[derive(Default)]
pub struct Live {
    watched: Mutex<HashMap<StreamId, Arc<Watched>>>,
    horizons: Arc<Horizons>,
}

impl Live {
    /// Nobody watches yet; what everybody may know, these say.
    pub fn within(horizons: Arc<Horizons>) -> Live {
        Live { watched: Mutex::default(), horizons }
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<StreamId, Arc<Watched>>> {
        self.watched.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Begins to watch; after an event that was told already, or with what comes.
    ///
    /// # Errors
    /// Where the log cannot be read.
    pub fn watch(
        &self,
        store: &Store,
        stream: StreamId,
        after: Option<Seq>,
        viewer: Viewer,
    ) -> Result<Watching, VerbError> {
        // Whatever comes from here on rings.
        let subscribed = |watched: &Arc<Watched>| (Arc::clone(watched), watched.bell.subscribe());
        let known = self.lock().get(&stream).map(subscribed);
        let (watched, bell) = match known {
            Some(known) => known,
            None => {
                let (head, state) = store.handler().load(stream).map_err(StoreError::from)?;
                let mut told = Told::at(head, Tournament::clone(&state));
                told.look(store, stream, &self.horizons)?;
                let told = RwLock::new(told);
                let made = Arc::new(Watched { told, bell: watch::Sender::new(()) });
                // Two may come at once: the first one's is everybody's.
                subscribed(self.lock().entry(stream).or_insert(made))
            }
        };
        let reaches = |told: &Told| {
            // Where everybody is told of less, what was hidden is told of later.
            let (now, last) = (told.state.head(), told.last(viewer));
            let after = after.unwrap_or(last);
            after >= told.since || after < now.saturating_sub(RING)
        };
        if !reaches(&watched.read()) {
            let mut told = watched.write();
            if !reaches(&told) {
                told.reach_back(store, stream)?;
            }
        }
        // What was recorded just now is about to be told.
        let recorded = store.log().head(stream).map_err(StoreError::from)?.seq;
        if recorded > watched.read().state.head() {
            self.publish(store, stream);
        }
        let changes = (watched.read().changes, 0);
        Ok(Watching { watched, bell, viewer, after, changes, has_begun: false })
    }

    /// Tells those who watch a tournament what was recorded. What cannot be read is told later.
    pub fn publish(&self, store: &Store, stream: StreamId) {
        let Some(watched) = self.lock().get(&stream).cloned() else { return };
        {
            let mut told = watched.write();
            // Read once nobody else tells: a head of before would look like that of a shorter log.
            let Ok(Head { seq: head, .. }) = store.log().head(stream) else { return };
            let before = told.state.head();
            told.is_gone |= head < before;
            if head == before
                || (!told.is_gone && told.follow(store, stream, &self.horizons).is_err())
            {
                return;
            }
        }
        watched.bell.send_replace(());
        // Where nobody is left, whoever comes back is told from the log.
        let mut all = self.lock();
        let told = watched.read();
        if told.is_gone || watched.bell.receiver_count() == 0 {
            all.remove(&stream);
        }
    }

    /// Tells those who watch a tournament what everybody may know now, where something else was chosen.
    pub fn chosen_anew(&self, store: &Store, stream: StreamId) {
        let Some(watched) = self.lock().get(&stream).cloned() else { return };
        {
            let mut told = watched.write();
            let is_gone = told.look(store, stream, &self.horizons).is_err();
            told.is_gone |= is_gone;
            told.latest = [NOTHING; 2];
        }
        watched.bell.send_replace(());
    }

    /// Tells everybody who watches a tournament that a name went that they may look at.
    pub fn name_gone(&self, stream: StreamId) {
        let Some(watched) = self.lock().get(&stream).cloned() else { return };
        watched.write().name_gone();
        watched.bell.send_replace(());
    }

    /// Tells those who watch a tournament of something as it is now, such as a clock: it is no event
    /// of the log. Whoever comes later is told of it by the stream's beginning.
    pub fn tell(&self, stream: StreamId, name: &'static str, data: &Value, is_public: bool) {
        let Some(watched) = self.lock().get(&stream).cloned() else { return };
        {
            let mut told = watched.write();
            told.changes += 1;
            let told_to = if is_public { For::Everybody } else { For::Staff };
            // What the staff are told besides takes nothing from what everybody is told.
            told.states.retain(|(known, _, last)| *known != name || last.told != told_to);
            let bytes = encoded(None, name, data);
            let frame = Frame { seq: 0, name, told: told_to, bytes, players: Vec::new() };
            let change = told.changes;
            told.states.push((name, change, frame));
        }
        watched.bell.send_replace(());
    }

    /// Tells the staff who watch any tournament that something beside it is otherwise now, such as how the other laptop
    /// stands. Whoever comes later has a page that says it.
    pub fn tell_staff(&self, name: &'static str) {
        let streams: Vec<StreamId> = self.lock().keys().copied().collect();
        for stream in streams {
            self.tell(stream, name, &json!({}), false);
        }
    }

    /// Tells the players of a table that something was done there on the floor, such as minutes that were
    /// given, and of a wish to drop whose it is; nobody else, and not what.
    pub fn tell_table(&self, stream: StreamId, floor: &Floor, change: &Change) {
        if let Change::WishDrop { player } | Change::EndWish { player } = change {
            return self.tell_player(stream, *player);
        }
        let Some(watched) = self.lock().get(&stream).cloned() else { return };
        {
            let mut told = watched.write();
            let Some((round, table)) = floor.told_at(&told.state, change) else { return };
            let found = told.state.at_table(round, table);
            let seats = found.map_or(Vec::new(), |found| found.seats().to_vec());
            told.concern(seats.into_iter().map(|seat| seat.player));
        }
        watched.bell.send_replace(());
    }

    /// Tells a player that something of theirs beside the log is elsewhere now, such as what they sent; nobody
    /// else, and not what.
    pub fn tell_player(&self, stream: StreamId, player: PlayerNumber) {
        let Some(watched) = self.lock().get(&stream).cloned() else { return };
        watched.write().concern(std::iter::once(player));
        watched.bell.send_replace(());
    }

    /// How far those who watch are from what was recorded.
    ///
    /// # Errors
    /// Where the log cannot be read.
    pub fn lag(&self, store: &Store) -> Result<Lag, VerbError> {
        let watched: Vec<(StreamId, Arc<Watched>)> =
            self.lock().iter().map(|(stream, one)| (*stream, Arc::clone(one))).collect();
        let mut lag = Lag::default();
        for (stream, one) in watched {
            // Everybody's first: what is recorded between the two makes it no smaller.
            let (public, told) = {
                let told = one.read();
                (told.public.seq, told.state.head())
            };
            let recorded = store.log().head(stream).map_err(StoreError::from)?.seq;
            lag.not_public = lag.not_public.max(recorded.saturating_sub(public));
            lag.not_told = lag.not_told.max(recorded.saturating_sub(told));
            lag.held_back += usize::from(told > public);
        }
        Ok(lag)
    }

    /// How many watch.
    pub fn count(&self) -> usize {
        self.lock().values().map(|watched| watched.bell.receiver_count()).sum()
    }

    /// Tells about everything that was recorded while the store was lent.
    pub fn catch_up(&self, store: &Store) {
        let streams: Vec<StreamId> = self.lock().keys().copied().collect();
        streams.into_iter().for_each(|stream| self.publish(store, stream));
    }
}

/// A tournament's state as its handler keeps it.
///
/// # Errors
/// Where the log cannot be read.
pub fn state_of(store: &Store, stream: StreamId) -> Result<Arc<Tournament>, StoreError> {
    Ok(store.handler().load(stream)?.1)
}

#[cfg(test)]
#[path = "live_tests.rs"]
mod tests;
