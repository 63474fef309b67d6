//! The name of the desk in a network: `scrutineer.local` leads to whichever laptop is the desk.

use mdns_sd::{ServiceDaemon, ServiceInfo};
use std::net::SocketAddr;

/// What the desk is called.
pub const NAME: &str = "scrutineer.local";

/// The name, held by this laptop.
pub struct Name(ServiceDaemon);

impl Name {
    /// Takes the name for this address; none where the network does not let it.
    pub fn take(address: SocketAddr) -> Option<Name> {
        let daemon = ServiceDaemon::new().ok()?;
        let (host, ip) = (format!("{NAME}."), address.ip());
        let none: &[(&str, &str)] = &[];
        let service =
            ServiceInfo::new("_http._tcp.local.", "Scrutineer", &host, ip, address.port(), none);
        daemon.register(service.ok()?).ok()?;
        Some(Name(daemon))
    }
}

impl Drop for Name {
    fn drop(&mut self) {
        // A network that is gone has forgotten the name too.
        let _ = self.0.shutdown();
    }
}
