//! How this program connects to other servers: over plain http or https, and, where somebody else says where,
//! to no address but those that may be connected to. A name is looked up once, and what was found is what is
//! connected to.

mod address;

use crate::https::Socket;
use address::look_up;
use axum::http::Uri;
use hyper_util::client::legacy::connect::{Connected, Connection};
use hyper_util::rt::TokioIo;
use scrutineer_desk::verb_error::VerbError;
use scrutineer_engine::error::Code;
use std::fmt;
use std::io;
use std::net::SocketAddr;
use std::path::Path;
use std::pin::Pin;
use std::sync::{Arc, OnceLock};
use std::task::{Context, Poll};
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tokio::time::timeout;
use tokio_rustls::TlsConnector;
use tokio_rustls::rustls::crypto::ring;
use tokio_rustls::rustls::pki_types::pem::PemObject;
use tokio_rustls::rustls::pki_types::{CertificateDer, ServerName};
use tokio_rustls::rustls::{ClientConfig, RootCertStore};
use tower::Service;

pub use address::{LONGEST_ADDRESS, check};
pub(crate) use address::{check_any_length, target};

/// How long one of the addresses of a name may take.
const ANSWERED_IN: Duration = Duration::from_secs(5);

/// The authorities of a file that are trusted beside those of the system.
static FURTHER: OnceLock<Vec<CertificateDer<'static>>> = OnceLock::new();
/// What certificates of others are held against, read when the first one is.
static TRUSTED: OnceLock<Arc<ClientConfig>> = OnceLock::new();

/// Trusts the authorities of a PEM file beside those of the system, before anything is connected to.
///
/// # Errors
/// `bad-authorities` where it has none, or cannot be read.
pub fn trust(file: &Path) -> Result<(), VerbError> {
    let bad = |why: String| {
        let hint = "--authorities names a PEM file with certificates of authorities";
        let message = format!("{} names no authority: {why}", file.display());
        VerbError::new(Code::invalid("bad-authorities"), message, hint)
    };
    let text = std::fs::read(file).map_err(|error| bad(error.to_string()))?;
    let found: Result<Vec<_>, _> = CertificateDer::pem_slice_iter(&text).collect();
    let found = found.map_err(|error| bad(error.to_string()))?;
    let mut tried = RootCertStore::empty();
    for one in &found {
        tried.add(one.clone()).map_err(|error| bad(error.to_string()))?;
    }
    if found.is_empty() {
        return Err(bad("there is no certificate in it".into()));
    }
    // Said twice, the first word stays: a process is started once.
    let _ = FURTHER.set(found);
    Ok(())
}

/// A refusal, on its way through what carries requests.
#[derive(Debug)]
pub struct Refused(pub VerbError);

impl fmt::Display for Refused {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.0.message)
    }
}

impl std::error::Error for Refused {}

fn unheard(message: String, hint: &str) -> Refused {
    Refused(VerbError::new(Code::unknown_outcome("elsewhere-not-heard"), message, hint))
}

/// What is trusted: those that the system trusts, and those of the file.
fn trusted() -> Result<Arc<ClientConfig>, Refused> {
    if let Some(known) = TRUSTED.get() {
        return Ok(Arc::clone(known));
    }
    let mut roots = RootCertStore::empty();
    // What of it cannot be read is trusted not.
    roots.add_parsable_certificates(rustls_native_certs::load_native_certs().certs);
    roots.add_parsable_certificates(FURTHER.get().into_iter().flatten().cloned());
    if roots.is_empty() {
        let hint =
            "install the system's certificates (`ca-certificates`), or start with --authorities";
        return Err(unheard(
            "this machine knows no authority that signs certificates".into(),
            hint,
        ));
    }
    let made = config(roots)?;
    Ok(Arc::clone(TRUSTED.get_or_init(|| made)))
}

fn config(roots: RootCertStore) -> Result<Arc<ClientConfig>, Refused> {
    let provider = Arc::new(ring::default_provider());
    let config =
        ClientConfig::builder_with_provider(provider).with_safe_default_protocol_versions();
    let config = config.map_err(|error| unheard(error.to_string(), "tell its developers"))?;
    let mut config = config.with_root_certificates(roots).with_no_client_auth();
    config.alpn_protocols = vec![b"http/1.1".to_vec()];
    Ok(Arc::new(config))
}

/// Connects to the servers of addresses.
#[derive(Clone, Default)]
pub struct Connector {
    /// Beside public addresses, the only ones that are connected to; none: any is.
    only_public_and: Option<Arc<[String]>>,
}

impl Connector {
    /// One that connects to public addresses alone, and to those that are named.
    pub fn guarded(named: &[String]) -> Connector {
        Connector { only_public_and: Some(named.into()) }
    }

    async fn connect(self, to: Uri) -> Result<TokioIo<Line>, BoxError> {
        let host = to.host().unwrap_or_default().trim_matches(['[', ']']).to_string();
        let is_secure = to.scheme_str() == Some("https");
        let port = to.port_u16().unwrap_or(if is_secure { 443 } else { 80 });
        let places = look_up(&host, port, self.only_public_and.as_deref()).await;
        let socket = first_of(&places.map_err(Refused)?).await?;
        // What is written is small and waited for.
        let _ = socket.set_nodelay(true);
        if !is_secure {
            return Ok(TokioIo::new(Line(Box::pin(socket))));
        }
        let name = ServerName::try_from(host.clone())?;
        let greeted = TlsConnector::from(trusted()?).connect(name, socket).await;
        let greeted = greeted.map_err(|error| {
            let message = format!("{host} is not trusted: {error}");
            unheard(message, "look at its certificate; --authorities names another authority")
        })?;
        Ok(TokioIo::new(Line(Box::pin(greeted))))
    }
}

/// Connects to the first of these that answers.
async fn first_of(places: &[SocketAddr]) -> io::Result<TcpStream> {
    let mut failed = io::Error::from(io::ErrorKind::NotFound);
    for place in places {
        match timeout(ANSWERED_IN, TcpStream::connect(place)).await {
            Ok(Ok(socket)) => return Ok(socket),
            Ok(Err(error)) => failed = error,
            Err(_) => failed = io::ErrorKind::TimedOut.into(),
        }
    }
    Err(failed)
}

type BoxError = Box<dyn std::error::Error + Send + Sync>;

impl Service<Uri> for Connector {
    type Response = TokioIo<Line>;
    type Error = BoxError;
    type Future = Pin<Box<dyn Future<Output = Result<TokioIo<Line>, BoxError>> + Send>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), BoxError>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, to: Uri) -> Self::Future {
        Box::pin(self.clone().connect(to))
    }
}

/// A connection to another server.
pub struct Line(Pin<Box<dyn Socket>>);

impl Connection for Line {
    fn connected(&self) -> Connected {
        Connected::new()
    }
}

impl AsyncRead for Line {
    fn poll_read(
        mut self: Pin<&mut Self>,
        at: &mut Context<'_>,
        into: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        self.0.as_mut().poll_read(at, into)
    }
}

impl AsyncWrite for Line {
    fn poll_write(
        mut self: Pin<&mut Self>,
        at: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        self.0.as_mut().poll_write(at, bytes)
    }

    fn poll_flush(mut self: Pin<&mut Self>, at: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.0.as_mut().poll_flush(at)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, at: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.0.as_mut().poll_shutdown(at)
    }
}

/// What was refused on the way of a request.
pub fn refused<'a>(error: &'a (dyn std::error::Error + 'static)) -> Option<&'a VerbError> {
    let mut at = Some(error);
    while let Some(error) = at {
        if let Some(Refused(found)) = error.downcast_ref() {
            return Some(found);
        }
        at = error.source();
    }
    None
}

/// Why a request got no answer: what the system said, rather than what part of a client passed it on.
pub fn cause(error: &(dyn std::error::Error + 'static)) -> String {
    let mut at = error;
    while let Some(behind) = at.source() {
        at = behind;
    }
    at.to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_without_an_authority_is_refused_by_name() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("ca.pem");
        let code = || trust(&file).map_or_else(|error| error.code.word, |()| "ok");
        assert_eq!(code(), "bad-authorities", "it is not there");
        for text in
            ["", "nothing", "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n"]
        {
            std::fs::write(&file, text).expect("written");
            assert_eq!(code(), "bad-authorities", "{text}");
        }
    }
}
