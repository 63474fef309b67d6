//! Requests to a node: one connection each, closed behind the answer.

use std::io::{self, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::time::Duration;

/// Sends a request, and returns the status and the body of the answer.
///
/// # Errors
/// Where no whole answer comes.
pub fn asked(
    address: SocketAddr,
    method: &str,
    path: &str,
    headers: &[(&str, &str)],
    body: &str,
    patience: Duration,
) -> io::Result<(u16, String)> {
    let mut socket = TcpStream::connect_timeout(&address, Duration::from_secs(2))?;
    socket.set_read_timeout(Some(patience))?;
    let mut request = format!("{method} {path} HTTP/1.1\r\nHost: {address}\r\n");
    for (name, value) in headers {
        request += &format!("{name}: {value}\r\n");
    }
    request += &format!("Connection: close\r\nContent-Length: {}\r\n\r\n{body}", body.len());
    socket.write_all(request.as_bytes())?;
    let mut answer = Vec::new();
    socket.read_to_end(&mut answer)?;
    let answer = String::from_utf8_lossy(&answer);
    let half = || io::Error::other("half an answer");
    let (head, body) = answer.split_once("\r\n\r\n").ok_or_else(half)?;
    let status = head.split(' ').nth(1).and_then(|status| status.parse().ok()).ok_or_else(half)?;
    let length = head.lines().find_map(|line| {
        line.to_ascii_lowercase().strip_prefix("content-length: ")?.parse::<usize>().ok()
    });
    match length {
        Some(length) if body.len() < length => Err(half()),
        _ => Ok((status, body.to_string())),
    }
}
