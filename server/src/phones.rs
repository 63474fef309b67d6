//! Whether a phone has reached this server yet. A firewall or a guest Wi-Fi keeps the first one out
//! without a word, so the desk says so until one is there.

use std::net::IpAddr;
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
    pub fn awaited(&self, found: Option<String>) -> Option<String> {
        let found = found.filter(|_| !self.reached.load(Ordering::Relaxed))?;
        Some(format!("{found}/"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_phone_is_awaited_until_another_device_asks_and_never_where_nobody_else_can() {
        let (phones, own) = (Phones::default(), IpAddr::from([192, 168, 1, 5]));
        let room = || Some("http://192.168.1.5:7780".to_string());
        assert_eq!(phones.awaited(None), None, "it listens to this machine alone");
        assert_eq!(phones.awaited(room()).as_deref(), Some("http://192.168.1.5:7780/"));
        phones.asked(IpAddr::from([127, 0, 0, 1]), IpAddr::from([127, 0, 0, 1]));
        phones.asked(own, own);
        assert!(phones.awaited(room()).is_some(), "this machine is no phone");
        phones.asked(IpAddr::from([192, 168, 1, 9]), own);
        assert_eq!(phones.awaited(room()), None);
    }
}
