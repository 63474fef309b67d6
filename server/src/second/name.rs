//! The name of the desk in a network: `scrutineer.local` leads to whichever laptop is the desk.

use mdns_sd::{ServiceDaemon, ServiceInfo};
use std::net::{IpAddr, SocketAddr};

/// What the desk is called.
pub const NAME: &str = "scrutineer.local";

/// The name, held by this laptop.
pub struct Name(ServiceDaemon);

impl Name {
    /// Takes the name for this address, or for all of this machine's where a server listens at all of
    /// them; none where the network does not let it.
    pub fn take(address: SocketAddr) -> Option<Name> {
        let daemon = ServiceDaemon::new().ok()?;
        daemon.register(service(address)?).ok()?;
        Some(Name(daemon))
    }
}

/// What is said of this address in the network.
fn service(address: SocketAddr) -> Option<ServiceInfo> {
    let (ip, host) = (address.ip(), format!("{NAME}."));
    let none: &[(&str, &str)] = &[];
    let of = |ips: &[IpAddr]| {
        let (kind, port) = ("_http._tcp.local.", address.port());
        ServiceInfo::new(kind, "Scrutineer", &host, ips, port, none).ok()
    };
    match ip.is_unspecified() {
        true => of(&[]).map(ServiceInfo::enable_addr_auto),
        false => of(&[ip]),
    }
}

impl Drop for Name {
    fn drop(&mut self) {
        // A network that is gone has forgotten the name too.
        let _ = self.0.shutdown();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_server_that_listens_everywhere_is_called_at_the_addresses_of_its_machine() {
        let everywhere = service(SocketAddr::from(([0, 0, 0, 0], 7780))).expect("a service");
        assert!(everywhere.is_addr_auto() && everywhere.get_addresses().is_empty());
        let one = service(SocketAddr::from(([10, 77, 0, 1], 7780))).expect("a service");
        assert!(!one.is_addr_auto());
        assert_eq!(one.get_addresses().len(), 1);
    }
}
