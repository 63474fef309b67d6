//! Whether a phone has reached this server yet. A firewall or a guest Wi-Fi keeps the first one out
//! without a word, so the desk says so until one is there.

use crate::addresses::in_the_room;
use std::net::{IpAddr, SocketAddr};
use std::sync::atomic::{AtomicBool, Ordering};

/// Whether another device has asked it for anything.
#[derive(Default)]
pub struct Phones {
    reached: AtomicBool,
}

impl Phones {
    /// Notes that somebody asked for something.
    pub fn asked(&self, remote: IpAddr, local: IpAddr) {
        let (remote, local) = (remote.to_canonical(), local.to_canonical());
        if !remote.is_loopback() && remote != local {
            self.reached.store(true, Ordering::Relaxed);
        }
    }

    /// Returns the address that the first phone is to open; none where one has, or the server is this
    /// machine's alone.
    pub fn awaited(&self, listens: Option<&SocketAddr>) -> Option<String> {
        let listens = listens.filter(|listens| !listens.ip().is_loopback())?;
        match self.reached.load(Ordering::Relaxed) {
            true => None,
            false => Some(format!("http://{}/", in_the_room(*listens))),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_phone_is_awaited_until_another_device_asks_and_never_where_nobody_else_can() {
        let (phones, room) = (Phones::default(), SocketAddr::from(([192, 168, 1, 5], 7780)));
        assert_eq!(phones.awaited(None), None, "nobody knows where it listens");
        assert_eq!(phones.awaited(Some(&room)).as_deref(), Some("http://192.168.1.5:7780/"));
        let own = room.ip();
        phones.asked(IpAddr::from([127, 0, 0, 1]), IpAddr::from([127, 0, 0, 1]));
        phones.asked(own, own);
        assert!(phones.awaited(Some(&room)).is_some(), "this machine is no phone");
        let local = SocketAddr::from(([127, 0, 0, 1], 7780));
        assert_eq!(phones.awaited(Some(&local)), None, "it listens to this machine alone");
        phones.asked(IpAddr::from([192, 168, 1, 9]), own);
        assert_eq!(phones.awaited(Some(&room)), None);
    }
}
