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

/// Returns the address by which others in the room reach a server that listens at `listened`. Nothing
/// is sent for it.
pub fn in_the_room(listened: SocketAddr) -> SocketAddr {
    let own = || {
        let socket = UdpSocket::bind((Ipv4Addr::UNSPECIFIED, 0)).ok()?;
        socket.connect((Ipv4Addr::new(192, 0, 2, 1), 9)).ok()?;
        Some(socket.local_addr().ok()?.ip())
    };
    let ip = match listened.ip() {
        any if any.is_unspecified() => own().unwrap_or(IpAddr::V4(Ipv4Addr::LOCALHOST)),
        ip => ip,
    };
    SocketAddr::new(ip, listened.port())
}
