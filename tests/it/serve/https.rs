//! https as phones speak it: the certificate, cookies, links, who may do what, and those who stall.

use super::client::{Answer, Server, answered, friday};
use crate::cli::desk::Desk;
use rcgen::{CertificateParams, KeyPair};
use std::io::{Read, Write};
use std::net::{IpAddr, Ipv4Addr, SocketAddr, TcpListener, TcpStream, UdpSocket};
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio_rustls::rustls::pki_types::{CertificateDer, ServerName};
use tokio_rustls::rustls::{
    ClientConfig, ClientConnection, RootCertStore, StreamOwned, crypto::ring,
};

const NAME: &str = "desk.example.org";

/// A certificate that a test trusts, in two files of its desk.
struct Certificate {
    der: CertificateDer<'static>,
    files: [String; 2],
}

impl Certificate {
    fn write(desk: &Desk) -> Certificate {
        let files = ["cert.pem", "key.pem"].map(|name| desk.path(name));
        let key = KeyPair::generate().expect("a key");
        let made = CertificateParams::new(vec![NAME.to_string()]).expect("a name");
        let made = made.self_signed(&key).expect("signed");
        std::fs::write(&files[0], made.pem()).expect("written");
        std::fs::write(&files[1], key.serialize_pem()).expect("written");
        let files = files.map(|file| file.display().to_string());
        Certificate { der: made.der().clone(), files }
    }

    /// Sends a request over https, and gives the answer.
    fn ask(&self, to: SocketAddr, request: &[u8]) -> std::io::Result<Answer> {
        let mut roots = RootCertStore::empty();
        roots.add(self.der.clone()).expect("a certificate");
        let config = ClientConfig::builder_with_provider(Arc::new(ring::default_provider()))
            .with_safe_default_protocol_versions()
            .expect("versions")
            .with_root_certificates(roots)
            .with_no_client_auth();
        let name = ServerName::try_from(NAME).expect("a name");
        let client = ClientConnection::new(Arc::new(config), name).expect("a client");
        let socket = TcpStream::connect(to)?;
        socket.set_read_timeout(Some(Duration::from_secs(60)))?;
        let mut stream = StreamOwned::new(client, socket);
        stream.write_all(request)?;
        let mut text = String::new();
        // A server that hangs up says no goodbye of TLS's own.
        match stream.read_to_string(&mut text) {
            Err(error) if error.kind() != std::io::ErrorKind::UnexpectedEof => return Err(error),
            _ => {}
        }
        let (head, body) =
            text.split_once("\r\n\r\n").ok_or_else(|| std::io::Error::other("no answer"))?;
        let status = head.split(' ').nth(1).and_then(|status| status.parse().ok());
        let status = status.ok_or_else(|| std::io::Error::other("no status"))?;
        Ok(Answer { status, head: head.to_string(), body: body.to_string() })
    }
}

fn free(ip: IpAddr) -> SocketAddr {
    let free = TcpListener::bind((ip, 0)).and_then(|free| free.local_addr());
    free.expect("a free port")
}

fn serving(desk: &Desk, certificate: &Certificate, listen: &str, https: SocketAddr) -> Server {
    let (https, [cert, key]) = (https.to_string(), &certificate.files);
    let more = ["--https", &https, "--https-cert", cert, "--https-key", key];
    Server::at(desk, listen, &more)
}

#[test]
fn pages_links_and_cookies_over_https_are_of_https_and_the_command_line_finds_the_server() {
    let desk = friday();
    let certificate = Certificate::write(&desk);
    let https = free(Ipv4Addr::LOCALHOST.into());
    let server = serving(&desk, &certificate, "127.0.0.1:0", https);
    let host = format!("{NAME}:{}", https.port());
    let send = |method: &str, path: &str, headers: &[(&str, &str)], body: &str| {
        let headers = [&[("Host", host.as_str())], headers].concat();
        let request = server.request(method, path, &headers, body);
        certificate.ask(https, &request).expect("it answers")
    };
    // The second one is kept.
    for _ in 0..2 {
        assert_eq!(send("GET", "/t/Friday/standings", &[], "").status, 200);
    }
    // The name of the certificate is this machine's, another one is not.
    let other = server.request("GET", "/", &[("Host", "evil.example.org")], "");
    assert_eq!(certificate.ask(https, &other).expect("it answers").status, 403);
    // Who comes in gets a cookie that never leaves https; over plain http one that works there.
    let form = ("Content-Type", "application/x-www-form-urlencoded");
    let (own, plain) = (format!("https://{host}"), format!("http://{host}"));
    let refused = send("POST", &server.owner, &[form, ("Origin", &plain)], "name=Olga");
    assert_eq!(refused.code(), "other-origin");
    let joined = send("POST", &server.owner, &[form, ("Origin", &own)], "name=Olga");
    let cookie = joined.header("set-cookie").expect("a cookie").to_string();
    assert!(cookie.ends_with("; Secure") && cookie.contains("HttpOnly"), "{cookie}");
    assert!(cookie.starts_with("__Host-") && cookie.contains("; Path=/;"), "{cookie}");
    let cookie = cookie.split(';').next().expect("a value");
    let desk_page = send("GET", "/t/Friday/desk", &[("Cookie", cookie)], "");
    assert_eq!(desk_page.status, 200, "{desk_page:?}");
    let other_name = cookie.trim_start_matches("__Host-");
    let nobody = send("GET", "/t/Friday/desk", &[("Cookie", other_name)], "");
    assert_eq!(nobody.status, 403, "what another site can set is nobody's: {nobody:?}");
    let left = send("POST", "/leave", &[form, ("Origin", &own), ("Cookie", cookie)], "");
    assert!(left.header("set-cookie").is_none_or(|gone| gone.ends_with("; Secure")), "{left:?}");
    let up = desk.run(&["serve", "--is-up"]);
    assert!(up.out.contains("runs"), "{}", up.all());
    let told = desk.run(&["result", "1 2-0"]);
    assert!(!told.err.contains("server-not-heard"), "{}", told.all());
    server.stop();
}

#[test]
fn who_stalls_or_speaks_plain_http_at_the_port_of_https_is_not_waited_for() {
    let desk = friday();
    let certificate = Certificate::write(&desk);
    let https = free(Ipv4Addr::LOCALHOST.into());
    let server = serving(&desk, &certificate, "127.0.0.1:0", https);
    let plain = answered(https, b"GET / HTTP/1.1\r\nHost: a\r\n\r\n").expect("it answers");
    assert_eq!(plain.status, 400);
    assert!(plain.body.contains("https://"), "{plain:?}");
    let begun = Instant::now();
    // One says nothing, one says half of a greeting, one greets and asks for nothing.
    let hello: &[u8] = &[22, 3, 1, 1, 0, 1, 0, 0];
    let stalled: Vec<TcpStream> = [&[][..], hello, hello, hello]
        .into_iter()
        .map(|said| {
            let mut socket = TcpStream::connect(https).expect("connected");
            socket.write_all(said).expect("written");
            socket.set_read_timeout(Some(Duration::from_secs(30))).expect("set");
            socket
        })
        .collect();
    let request = server.request("GET", "/", &[("Host", NAME)], "");
    assert_eq!(certificate.ask(https, &request).expect("it answers").status, 200);
    assert!(begun.elapsed() < Duration::from_secs(8), "the others waited for them");
    for mut socket in stalled {
        // It ends, with or without a word.
        let mut said = Vec::new();
        if let Err(error) = socket.read_to_end(&mut said) {
            assert_ne!(error.kind(), std::io::ErrorKind::WouldBlock, "it is still waited for");
        }
    }
    let waited = begun.elapsed();
    assert!(waited > Duration::from_secs(8) && waited < Duration::from_secs(25), "{waited:?}");
    server.stop();
}

#[test]
fn a_renewed_certificate_is_served_without_a_restart_and_a_bad_one_is_not() {
    let desk = friday();
    let first = Certificate::write(&desk);
    let https = free(Ipv4Addr::LOCALHOST.into());
    let server = serving(&desk, &first, "127.0.0.1:0", https);
    let request = server.request("GET", "/", &[("Host", NAME)], "");
    assert_eq!(first.ask(https, &request).expect("it answers").status, 200);
    std::fs::write(&first.files[1], "half a key").expect("written");
    std::thread::sleep(Duration::from_secs(3));
    assert_eq!(first.ask(https, &request).expect("it answers").status, 200);
    let second = Certificate::write(&desk);
    let until = Instant::now() + Duration::from_secs(20);
    while second.ask(https, &request).is_err() {
        assert!(Instant::now() < until, "the new certificate is never served");
        std::thread::sleep(Duration::from_millis(200));
    }
    first.ask(https, &request).expect_err("the first one is gone");
    server.stop();
}

#[test]
fn a_certificate_that_is_wanting_is_refused_before_anything_is_served() {
    let desk = friday();
    let [cert, key] = Certificate::write(&desk).files;
    let refused = |cert: &str, key: &str| {
        let words = ["serve", "--listen", "127.0.0.1:0", "--https", "127.0.0.1:0"];
        let files = ["--https-cert", cert, "--https-key", key];
        desk.run(&[&words[..], &files].concat()).err
    };
    assert!(refused(&key, &key).contains("bad-certificate"));
    assert!(refused(&cert, &cert).contains("bad-https-key"));
    assert!(refused("nowhere.pem", &key).contains("https-file"));
    let alone = desk.run(&["serve", "--https", "127.0.0.1:0"]);
    assert!(alone.err.contains("--https-cert"), "{}", alone.all());
}

/// The address of this machine in its network, which is as another machine's to the server; none: it has
/// no network.
pub fn own() -> Option<IpAddr> {
    let socket = UdpSocket::bind("0.0.0.0:0").ok()?;
    socket.connect("192.0.2.1:9").ok()?;
    Some(socket.local_addr().ok()?.ip()).filter(|ip| !ip.is_loopback() && !ip.is_unspecified())
}

#[test]
fn from_another_machine_a_head_judge_is_one_over_https_alone() {
    let Some(ip) = own() else { return };
    let desk = friday();
    let certificate = Certificate::write(&desk);
    let https = free(Ipv4Addr::UNSPECIFIED.into());
    let server = serving(&desk, &certificate, "0.0.0.0:0", https);
    let token = server.token("head-judge");
    let asks = |host: &str| {
        let headers = [("Host", host), ("Authorization", token.as_str())];
        let headers = [&headers[..], &[("Idempotency-Key", host)]].concat();
        let close = r#"{"order":"close"}"#;
        server.request("POST", "/api/v1/tournaments/Friday/orders", &headers, close)
    };
    let plain = SocketAddr::new(ip, server.address.port());
    let plain = answered(plain, &asks(&plain.to_string())).expect("it answers");
    assert_eq!(plain.code(), "not-allowed");
    let secure = SocketAddr::new(ip, https.port());
    let secure = certificate.ask(secure, &asks(NAME)).expect("it answers");
    assert!(!secure.body.contains("not-allowed"), "{secure:?}");
    server.stop();
}
