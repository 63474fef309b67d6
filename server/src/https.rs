//! https: the certificate and its key, which are read again when their files change, and the greeting
//! before a request can be read.

use crate::addresses::in_the_room;
use crate::rooms::{GLANCE, Room, room_of};
use arc_swap::ArcSwap;
use scrutineer_desk::verb_error::VerbError;
use scrutineer_engine::error::Code;
use std::io::Cursor;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::pin::Pin;
use std::sync::Arc;
use std::time::{Duration, SystemTime};
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt, join, split};
use tokio::net::TcpStream;
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::crypto::ring;
use tokio_rustls::rustls::pki_types::pem::{Error as PemError, PemObject};
use tokio_rustls::rustls::pki_types::{CertificateDer, PrivateKeyDer};
use tokio_rustls::rustls::{Error as TlsError, ServerConfig};
use x509_cert::Certificate;
use x509_cert::der::Decode;
use x509_cert::ext::pkix::SubjectAltName;
use x509_cert::ext::pkix::name::GeneralName;

/// How often the files are looked at.
pub const LOOK_EVERY: Duration = Duration::from_secs(2);
/// The largest file that is read: a chain has a few kilobytes.
pub const LARGEST: u64 = 1 << 20;
/// The first byte of whoever speaks TLS.
const HELLO: u8 = 22;
/// What whoever speaks plain http here is told.
const NOT_PLAIN: &[u8] = b"HTTP/1.1 400 Bad Request\r\ncontent-type: text/plain; charset=utf-8\r\n\
    content-length: 57\r\nconnection: close\r\n\r\n\
    This port speaks https: begin the address with https://.\n";

/// What https is served with.
#[derive(Clone, Debug)]
pub struct Setup {
    /// Where it listens.
    pub listen: SocketAddr,
    /// The file with the certificate and those that lead to a known authority.
    pub certificate: PathBuf,
    /// The file with its key.
    pub key: PathBuf,
}

/// When the two files were written and how long they are: a change shows in one of these.
pub type Seen = [Option<(SystemTime, u64)>; 2];

/// A certificate with its key, as new connections are greeted with it.
pub struct Https {
    setup: Setup,
    serves: ArcSwap<ServerConfig>,
    names: Vec<String>,
}

/// A certificate that was read.
#[derive(Debug)]
struct Read {
    config: ServerConfig,
    names: Vec<String>,
}

/// What requests are read from, and answers written to.
pub trait Socket: AsyncRead + AsyncWrite + Send {}
impl<T: AsyncRead + AsyncWrite + Send> Socket for T {}
/// A connection, as it is served alike over http and https.
pub type Line = Pin<Box<dyn Socket>>;

impl Https {
    /// Reads the certificate and its key.
    ///
    /// # Errors
    /// As the files are wanting: `https-file`, `bad-certificate`, `certificate-over`, `bad-https-key`.
    pub fn read(setup: Setup) -> Result<Https, VerbError> {
        let Read { config, names } = read(&setup, SystemTime::now())?;
        Ok(Https { setup, serves: ArcSwap::from_pointee(config), names })
    }

    /// Returns the names that the certificate is for, in small letters.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// Returns the name by which links lead here: the certificate's own, or one of this machine's that
    /// its `*` stands for.
    pub fn name<'a>(&'a self, known: &'a [String]) -> Option<&'a str> {
        let own = self.names.iter().find(|name| !name.starts_with('*'));
        let meant = || {
            let ends = self.names.iter().filter_map(|name| name.strip_prefix("*."));
            let ends: Vec<&str> = ends.collect();
            known
                .iter()
                .find(|name| name.split_once('.').is_some_and(|(_, rest)| ends.contains(&rest)))
        };
        own.or_else(meant).map(String::as_str)
    }

    /// Returns the origin of links that lead here over https.
    pub fn origin(&self, at: SocketAddr, known: &[String]) -> String {
        let at = in_the_room(at);
        match (self.name(known), at.port()) {
            (Some(name), 443) => format!("https://{name}"),
            (Some(name), port) => format!("https://{name}:{port}"),
            (None, _) => format!("https://{at}"),
        }
    }

    /// Greets a connection, and gives its first bytes' room and all that it sends. Whoever takes longer for
    /// that is not waited for.
    pub async fn greet(&self, socket: TcpStream, patience: Duration) -> Option<(Room, Line)> {
        let acceptor = TlsAcceptor::from(self.serves.load_full());
        let greeted = async {
            let mut first = [0];
            socket.peek(&mut first).await.ok().filter(|seen| *seen == 1)?;
            if first != [HELLO] {
                let _ = socket.try_write(NOT_PLAIN);
                return None;
            }
            let mut stream = acceptor.accept(socket).await.ok()?;
            let mut begin = vec![0; GLANCE];
            let seen = stream.read(&mut begin).await.ok().filter(|seen| *seen > 0)?;
            begin.truncate(seen);
            begin.shrink_to_fit();
            let room = room_of(&begin);
            let (reads, writes) = split(stream);
            let line: Line = Box::pin(join(Cursor::new(begin).chain(reads), writes));
            Some((room, line))
        };
        tokio::time::timeout(patience, greeted).await.ok()?
    }

    /// Returns what the files are now.
    pub fn seen(&self) -> Seen {
        [&self.setup.certificate, &self.setup.key].map(|file| {
            let known = std::fs::metadata(file).ok()?;
            Some((known.modified().ok()?, known.len()))
        })
    }

    /// Reads the files again. Where they are not good, the certificate before stays.
    ///
    /// # Errors
    /// As [`Https::read`].
    pub fn renew(&self) -> Result<(), VerbError> {
        let Read { config, .. } = read(&self.setup, SystemTime::now())?;
        self.serves.store(Arc::new(config));
        Ok(())
    }
}

/// Tells somebody for whom there is no place at the desk.
pub async fn no_place(mut socket: Line, said: &[u8]) {
    let told = async {
        socket.write_all(said).await?;
        socket.shutdown().await
    };
    // Whoever reads nothing is not waited for.
    let _ = tokio::time::timeout(Duration::from_secs(1), told).await;
}

fn file(path: &Path) -> Result<Vec<u8>, VerbError> {
    let unread = |why: String| {
        let hint = "name the file with --https-cert or --https-key, and let this user read it";
        VerbError::new(Code::io("https-file"), format!("{}: {why}", path.display()), hint)
    };
    let known = std::fs::metadata(path).map_err(|error| unread(error.to_string()))?;
    if known.len() > LARGEST {
        return Err(unread(format!("it has more than {LARGEST} bytes")));
    }
    std::fs::read(path).map_err(|error| unread(error.to_string()))
}

fn no_certificate(path: &Path, why: &str) -> VerbError {
    let hint = "--https-cert names a PEM file that begins with -----BEGIN CERTIFICATE-----";
    let message = format!("{} is no certificate: {why}", path.display());
    VerbError::new(Code::invalid("bad-certificate"), message, hint)
}

fn no_key(path: &Path, why: &str) -> VerbError {
    let hint = "--https-key names the PEM file of the certificate's own key, without a password";
    let message = format!("{} is not the certificate's key: {why}", path.display());
    VerbError::new(Code::invalid("bad-https-key"), message, hint)
}

/// Reads a certificate and its key.
fn read(setup: &Setup, now: SystemTime) -> Result<Read, VerbError> {
    let bad = |why: &str| no_certificate(&setup.certificate, why);
    let chain: Result<Vec<_>, PemError> =
        CertificateDer::pem_slice_iter(&file(&setup.certificate)?).collect();
    let chain = chain.map_err(|error| bad(&error.to_string()))?;
    let first = chain.first().ok_or_else(|| bad("there is none in it"))?;
    let told = Certificate::from_der(first).map_err(|error| bad(&error.to_string()))?;
    let told = told.tbs_certificate();
    let until = told.validity().not_after;
    if until.to_system_time() < now {
        let hint = "put a renewed one in its place; a running server takes it by itself";
        let message = format!("{} was good until {until}", setup.certificate.display());
        return Err(VerbError::new(Code::invalid("certificate-over"), message, hint));
    }
    let names = match told.get_extension::<SubjectAltName>() {
        Ok(Some((_, names))) => names.0,
        Ok(None) => Vec::new(),
        Err(error) => return Err(bad(&error.to_string())),
    };
    let names = names.iter().filter_map(|name| match name {
        GeneralName::DnsName(name) => Some(name.as_str().to_ascii_lowercase()),
        _ => None,
    });
    let names = names.collect();
    let key = PrivateKeyDer::from_pem_slice(&file(&setup.key)?)
        .map_err(|error| no_key(&setup.key, &error.to_string()))?;
    let provider = Arc::new(ring::default_provider());
    let config =
        ServerConfig::builder_with_provider(provider).with_safe_default_protocol_versions();
    let config = config.map_err(|error| bad(&error.to_string()))?.with_no_client_auth();
    let mut config = config.with_single_cert(chain, key).map_err(|error| match error {
        TlsError::InvalidCertificate(_) => bad(&error.to_string()),
        TlsError::InconsistentKeys(_) => no_key(&setup.key, "it belongs to another certificate"),
        error => no_key(&setup.key, &error.to_string()),
    })?;
    config.alpn_protocols = vec![b"http/1.1".to_vec()];
    Ok(Read { config, names })
}

#[cfg(test)]
mod tests {
    use super::*;
    use rcgen::{CertificateParams, KeyPair, date_time_ymd};

    struct Files {
        _folder: tempfile::TempDir,
        setup: Setup,
    }

    impl Files {
        fn new() -> Files {
            let folder = tempfile::tempdir().expect("a folder");
            let at = |name: &str| folder.path().join(name);
            let (certificate, key) = (at("cert.pem"), at("key.pem"));
            let setup = Setup { listen: ([127, 0, 0, 1], 0).into(), certificate, key };
            let files = Files { _folder: folder, setup };
            files.write(&["Desk.Example.org"], 2099);
            files
        }

        fn write(&self, names: &[&str], until: i32) {
            let key = KeyPair::generate().expect("a key");
            let names: Vec<String> = names.iter().map(|name| name.to_string()).collect();
            let mut made = CertificateParams::new(names).expect("names");
            made.not_after = date_time_ymd(until, 1, 1);
            let made = made.self_signed(&key).expect("signed");
            std::fs::write(&self.setup.certificate, made.pem()).expect("written");
            std::fs::write(&self.setup.key, key.serialize_pem()).expect("written");
        }

        fn code(&self) -> String {
            let read = Https::read(self.setup.clone());
            read.map_or_else(|error| error.code.to_string(), |_| "ok".into())
        }
    }

    #[test]
    fn what_is_wanting_in_the_files_has_a_code_of_its_own() {
        let files = Files::new();
        let (certificate, key) = (&files.setup.certificate, &files.setup.key);
        assert_eq!(files.code(), "ok");
        let good = std::fs::read(certificate).expect("read");
        for (text, code) in [
            (&b""[..], "bad-certificate"),
            (b"nothing of the kind", "bad-certificate"),
            (b"-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n", "bad-certificate"),
            (&good[..good.len() / 2], "bad-certificate"),
        ] {
            std::fs::write(certificate, text).expect("written");
            assert_eq!(files.code(), code, "{}", String::from_utf8_lossy(text));
        }
        std::fs::write(certificate, &good).expect("written");
        let other = KeyPair::generate().expect("a key").serialize_pem();
        for text in [&b""[..], &good, other.as_bytes()] {
            std::fs::write(key, text).expect("written");
            assert_eq!(files.code(), "bad-https-key", "{}", String::from_utf8_lossy(text));
        }
        std::fs::write(key, vec![b' '; LARGEST as usize + 1]).expect("written");
        assert_eq!(files.code(), "https-file");
        std::fs::remove_file(key).expect("removed");
        assert_eq!(files.code(), "https-file");
        files.write(&["desk.example.org"], 2020);
        assert_eq!(files.code(), "certificate-over");
    }

    #[test]
    fn links_lead_to_the_name_of_the_certificate() {
        let files = Files::new();
        let known = ["laptop".to_string(), "friday.example.org".to_string()];
        let name = || {
            let https = Https::read(files.setup.clone()).expect("good");
            https.name(&known).map(str::to_string)
        };
        assert_eq!(name().as_deref(), Some("desk.example.org"));
        files.write(&["*.example.org"], 2099);
        assert_eq!(name().as_deref(), Some("friday.example.org"));
        let origin = |port| {
            let https = Https::read(files.setup.clone()).expect("good");
            https.origin(([192, 0, 2, 7], port).into(), &known)
        };
        assert_eq!(origin(443), "https://friday.example.org");
        assert_eq!(origin(7443), "https://friday.example.org:7443");
        files.write(&["*.example.com", "192.0.2.7"], 2099);
        assert_eq!((name(), origin(7443)), (None, "https://192.0.2.7:7443".to_string()));
    }

    #[test]
    fn a_new_certificate_is_taken_and_a_bad_one_leaves_the_one_before() {
        let files = Files::new();
        let https = Https::read(files.setup.clone()).expect("good");
        let (first, seen) = (https.serves.load_full(), https.seen());
        files.write(&["another.longer.name.example.org"], 2099);
        assert_ne!(https.seen(), seen);
        https.renew().expect("good");
        let second = https.serves.load_full();
        assert!(!Arc::ptr_eq(&first, &second));
        std::fs::write(&files.setup.key, "half").expect("written");
        https.renew().expect_err("bad");
        assert!(Arc::ptr_eq(&second, &https.serves.load_full()));
    }
}
