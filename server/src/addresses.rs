//! The addresses of this machine, and the one that somebody asked.

use axum::http::{HeaderMap, Uri, header};
use std::net::{IpAddr, Ipv4Addr, SocketAddr, UdpSocket};

/// The name of a host without its port.
pub fn bare(host: &str) -> &str {
    match host.strip_prefix('[') {
        Some(rest) => rest.split(']').next().unwrap_or(rest),
        None => host.split(':').next().unwrap_or(host),
    }
}

/// The host that a request is for, as it was sent.
pub fn host_of<'a>(headers: &'a HeaderMap, uri: &'a Uri) -> Option<&'a str> {
    let sent = headers.get(header::HOST).and_then(|value| value.to_str().ok());
    sent.or_else(|| uri.authority().map(|authority| authority.as_str()))
}

/// The address from which this machine would send to the internet. Nothing is sent for it.
fn towards_the_internet() -> Option<Ipv4Addr> {
    let socket = UdpSocket::bind((Ipv4Addr::UNSPECIFIED, 0)).ok()?;
    socket.connect((Ipv4Addr::new(192, 0, 2, 1), 9)).ok()?;
    match socket.local_addr().ok()?.ip() {
        IpAddr::V4(own) => Some(own),
        IpAddr::V6(_) => None,
    }
}

/// An address of this machine in a network that leads nowhere else, such as a hotspot of its own: one
/// that was given out before one that it gave itself.
fn in_a_network_of_its_own() -> Option<Ipv4Addr> {
    let all = if_addrs::get_if_addrs().ok()?.into_iter().filter(|one| one.is_oper_up());
    let own = all.filter_map(|one| match one.ip() {
        IpAddr::V4(own) if !own.is_loopback() => Some(own),
        _ => None,
    });
    own.min_by_key(|own| (own.is_link_local(), !own.is_private()))
}

/// Returns the address by which others in the room reach a server that listens at `listened`.
pub fn in_the_room(listened: SocketAddr) -> SocketAddr {
    let own = || towards_the_internet().or_else(in_a_network_of_its_own);
    let ip = match listened.ip() {
        any if any.is_unspecified() => IpAddr::V4(own().unwrap_or(Ipv4Addr::LOCALHOST)),
        ip => ip,
    };
    SocketAddr::new(ip, listened.port())
}
