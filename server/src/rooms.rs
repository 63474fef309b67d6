//! Connections: how many there are, and in which of two rooms each is served. Who shows a cookie or a
//! token works at the desk; everybody else looks on from the gallery, which has threads of its own.

use axum::http::{HeaderMap, header};
use futures_util::FutureExt;
use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio::net::TcpStream;
use tokio::runtime::{Builder, Runtime};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::timeout;

/// How many connections are served at the desk at a time.
pub const AT_THE_DESK: usize = 2_000;
/// How many in the gallery.
pub const IN_THE_GALLERY: usize = 25_000;
/// How many of one address: a venue often shares one.
pub const FROM_ONE: usize = 2_000;
/// How much of a request is looked at to know the room: browsers send it in one piece.
pub(crate) const GLANCE: usize = 4_096;
/// How many readings of the store the gallery has at a time.
const READINGS: usize = 4;

/// A room.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Room {
    /// Where a tournament is run.
    Desk,
    /// Where others look on.
    Gallery,
}

/// Returns in which room a request belongs, as its first bytes say.
pub fn room_of(begin: &[u8]) -> Room {
    let shows = |line: &[u8]| {
        let name = line.split(|byte| *byte == b':').next().unwrap_or_default();
        name.eq_ignore_ascii_case(b"cookie") || name.eq_ignore_ascii_case(b"authorization")
    };
    match begin.split(|byte| *byte == b'\n').skip(1).any(shows) {
        true => Room::Desk,
        false => Room::Gallery,
    }
}

/// Returns whether a request shows who it is from.
pub fn shows_who(headers: &HeaderMap) -> bool {
    headers.contains_key(header::COOKIE) || headers.contains_key(header::AUTHORIZATION)
}

/// Waits for the first bytes of a connection; none: it says nothing.
pub async fn glance(socket: &TcpStream, patience: Duration) -> Option<Room> {
    // Nothing is waited for while this is held: a thousand who come at once would hold a thousand.
    let now = || {
        let mut begin = [0; GLANCE];
        let seen = socket.peek(&mut begin).now_or_never()?;
        Some(seen.ok().filter(|seen| *seen > 0).map(|seen| room_of(&begin[..seen])))
    };
    let looked = async {
        loop {
            socket.readable().await.ok()?;
            if let Some(room) = now() {
                return room;
            }
        }
    };
    timeout(patience, looked).await.ok()?
}

/// The places that there are.
pub struct Places {
    all: Arc<Semaphore>,
    desk: Arc<Semaphore>,
    by_address: Mutex<HashMap<IpAddr, usize>>,
}

impl Default for Places {
    fn default() -> Places {
        Places {
            all: Arc::new(Semaphore::new(AT_THE_DESK + IN_THE_GALLERY)),
            desk: Arc::new(Semaphore::new(AT_THE_DESK)),
            by_address: Mutex::default(),
        }
    }
}

/// A place that a connection takes as long as it is there.
pub struct Place {
    places: Arc<Places>,
    address: IpAddr,
    _taken: OwnedSemaphorePermit,
    _at_desk: Option<OwnedSemaphorePermit>,
}

impl Places {
    /// Gives a place, where one is left for that address.
    pub fn take(self: &Arc<Self>, address: IpAddr) -> Option<Place> {
        let taken = Arc::clone(&self.all).try_acquire_owned().ok()?;
        let mut known = self.by_address.lock().unwrap_or_else(PoisonError::into_inner);
        let mine = known.entry(address).or_insert(0);
        if *mine >= FROM_ONE {
            return None;
        }
        *mine += 1;
        drop(known);
        Some(Place { places: Arc::clone(self), address, _taken: taken, _at_desk: None })
    }

    /// How many connections there are, and how many of them at the desk.
    pub fn count(&self) -> (usize, usize) {
        let all = AT_THE_DESK + IN_THE_GALLERY - self.all.available_permits();
        (all, AT_THE_DESK - self.desk.available_permits())
    }
}

impl Place {
    /// Goes to the desk, where there is room.
    pub fn to_desk(mut self) -> Option<Place> {
        self._at_desk = Some(Arc::clone(&self.places.desk).try_acquire_owned().ok()?);
        Some(self)
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let mut known = self.places.by_address.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(mine) = known.get_mut(&self.address) {
            *mine -= 1;
            if *mine == 0 {
                known.remove(&self.address);
            }
        }
    }
}

/// The gallery's own threads, behind those of the desk where both are wanted.
///
/// # Errors
/// Where the system has no more threads.
pub fn gallery() -> std::io::Result<Runtime> {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    Builder::new_multi_thread()
        .worker_threads(cores.clamp(1, 4))
        .max_blocking_threads(READINGS)
        .thread_name("gallery")
        .on_thread_start(step_back)
        .enable_all()
        .build()
}

/// Lets the desk's threads go first. Only Linux has this for a thread alone.
pub(crate) fn step_back() {
    #[cfg(target_os = "linux")]
    {
        // Without it, it is only less good.
        let _ = rustix::process::nice(5);
    }
}

/// Allows as many open files as the system lets this program have: a connection is one.
pub fn more_files() {
    #[cfg(unix)]
    {
        use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
        let Rlimit { current, maximum } = getrlimit(Resource::Nofile);
        let wanted = maximum.map_or(u64::MAX, |most| most).min(1 << 16);
        if current.is_some_and(|current| current < wanted) {
            // Then there are as many as there were.
            let _ = setrlimit(Resource::Nofile, Rlimit { current: Some(wanted), maximum });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_shows_who_they_are_is_served_at_the_desk() {
        let with = |line: &str| format!("GET / HTTP/1.1\r\nHost: a\r\n{line}\r\n\r\n");
        assert_eq!(room_of(with("cookie: scrutineer=0").as_bytes()), Room::Desk);
        assert_eq!(room_of(with("Authorization: Bearer scr_0").as_bytes()), Room::Desk);
        assert_eq!(room_of(with("Accept: cookie").as_bytes()), Room::Gallery);
        assert_eq!(room_of(b"GET /cookie:1"), Room::Gallery);
        assert_eq!(room_of(b""), Room::Gallery);
    }

    #[test]
    fn all_places_are_taken_and_the_next_one_finds_none() {
        let places = Arc::new(Places::default());
        let addresses = (0..).map(|number| IpAddr::from([127, 0, 1, number]));
        let each = addresses.flat_map(|address| [address; FROM_ONE]);
        let all = AT_THE_DESK + IN_THE_GALLERY;
        let taken: Vec<Place> = each.take(all).map_while(|address| places.take(address)).collect();
        assert_eq!((taken.len(), places.count()), (all, (all, 0)));
        assert!(places.take(IpAddr::from([127, 0, 2, 1])).is_none());
    }

    #[test]
    fn an_address_has_so_many_places_and_gives_them_back() {
        let places = Arc::new(Places::default());
        let (one, other) = (IpAddr::from([127, 0, 0, 1]), IpAddr::from([127, 0, 0, 2]));
        let taken: Vec<Place> = (0..FROM_ONE).map_while(|_| places.take(one)).collect();
        assert_eq!(taken.len(), FROM_ONE);
        assert!(places.take(one).is_none() && places.take(other).is_some());
        let at_desk: Vec<Place> = taken.into_iter().map_while(Place::to_desk).collect();
        assert_eq!((at_desk.len(), places.count()), (FROM_ONE, (FROM_ONE, FROM_ONE)));
        assert!(places.take(other).and_then(Place::to_desk).is_none());
        drop(at_desk);
        assert!(places.take(one).is_some());
        assert!(places.by_address.lock().expect("free").is_empty());
    }
}
