//! Webhooks over https: what a receiver's certificate has to be, and that nothing is said where it is not.

use super::client::{Server, friday};
use super::follow_push::until;
use super::webhooks::{Receiver, hook};
use rcgen::{BasicConstraints, Certificate, CertificateParams, IsCa, Issuer, KeyPair};
use serde_json::Value;
use std::io::Read;
use std::net::TcpListener;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use tokio_rustls::rustls::crypto::ring;
use tokio_rustls::rustls::pki_types::{PrivateKeyDer, PrivatePkcs8KeyDer};
use tokio_rustls::rustls::{ServerConfig, ServerConnection, StreamOwned};

/// An authority that signs certificates.
pub struct Authority {
    issuer: Issuer<'static, KeyPair>,
    /// Its own certificate, as a file has it.
    pub pem: String,
}

impl Authority {
    pub fn new() -> Authority {
        let key = KeyPair::generate().expect("a key");
        let mut own = CertificateParams::new(Vec::new()).expect("no names");
        own.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        let pem = own.self_signed(&key).expect("signed").pem();
        Authority { issuer: Issuer::new(own, key), pem }
    }

    fn signs(&self, name: &str) -> (Certificate, KeyPair) {
        let key = KeyPair::generate().expect("a key");
        let made = CertificateParams::new(vec![name.to_string()]).expect("a name");
        (made.signed_by(&key, &self.issuer).expect("signed"), key)
    }

    /// The certificate of somebody of this name, and its key, as files have them.
    pub fn files(&self, name: &str) -> [String; 2] {
        let (made, key) = self.signs(name);
        [made.pem(), key.serialize_pem()]
    }

    /// What somebody of this name greets with.
    pub fn config(&self, name: &str) -> Arc<ServerConfig> {
        let (made, key) = self.signs(name);
        let key = PrivateKeyDer::from(PrivatePkcs8KeyDer::from(key.serialize_der()));
        let config = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()))
            .with_safe_default_protocol_versions()
            .expect("versions")
            .with_no_client_auth()
            .with_single_cert(vec![made.der().clone()], key);
        Arc::new(config.expect("a certificate and its key"))
    }
}

/// A port at which a receiver speaks https under this certificate, and how many bytes reached it.
fn speaks(receiver: &Receiver, config: Arc<ServerConfig>) -> (u16, Arc<AtomicUsize>) {
    let listener = TcpListener::bind("127.0.0.1:0").expect("bound");
    let port = listener.local_addr().expect("an address").port();
    let (within, heard) = (receiver.within(), Arc::new(AtomicUsize::new(0)));
    let counted = Arc::clone(&heard);
    std::thread::spawn(move || {
        for socket in listener.incoming().flatten() {
            let Ok(greeted) = ServerConnection::new(Arc::clone(&config)) else { continue };
            let mut stream = StreamOwned::new(greeted, socket);
            // Who finds the certificate wanting hangs up.
            let mut first = [0; 1];
            if stream.read_exact(&mut first).is_ok() {
                counted.fetch_add(1, Ordering::Relaxed);
                let _ = within(&mut stream, first.to_vec());
            }
        }
    });
    (port, heard)
}

#[test]
fn a_webhook_over_https_gets_its_deliveries_and_a_wrong_certificate_gets_nothing() {
    let desk = friday();
    let (ours, theirs) = (Authority::new(), Authority::new());
    let file = desk.path("authorities.pem");
    std::fs::write(&file, &ours.pem).expect("written");
    let file = file.display().to_string();
    let server = Server::with(&desk, &["--webhooks-to", "localhost", "--authorities", &file]);
    let receiver = Receiver::new();
    let of = |config| {
        let (port, heard) = speaks(&receiver, config);
        let (id, secret) = hook(&server, &format!("https://localhost:{port}/hook"), None);
        (id, secret, heard)
    };
    let good = of(ours.config("localhost"));
    let other_name = of(ours.config("hooks.example.org"));
    let other_authority = of(theirs.config("localhost"));
    let order = r#"{"order":"result","slip":"1 2-0"}"#;
    let done = server.local("POST", "/api/v1/tournaments/Friday/orders", order);
    assert_eq!(done.status, 201, "{done:?}");
    let taken = receiver.gets(1);
    assert_eq!(taken[0].told().0, "result.recorded");
    assert!(taken[0].is_signed(&good.1) && taken[0].host.starts_with("localhost:"), "{taken:?}");
    let trouble = |id: &str| {
        let all = server.local("GET", "/api/v1/webhooks", "").json()["webhooks"].clone();
        let found = all.as_array().and_then(|all| all.iter().find(|one| one["id"] == id).cloned());
        found.map_or(Value::Null, |one| one["trouble"].clone())
    };
    for (id, _, heard) in [&other_name, &other_authority] {
        until("the trouble", 20, || {
            trouble(id).as_str().is_some_and(|why| why.contains("localhost is not trusted"))
        });
        assert_eq!(heard.load(Ordering::Relaxed), 0, "nothing was said");
    }
    assert_eq!(trouble(&good.0), Value::Null);
    // A page that is tried by hand says the same.
    let tried = server.local("POST", &format!("/api/v1/webhooks/{}/try", other_name.0), "{}");
    assert_eq!(tried.json()["delivered"], false, "{tried:?}");
    assert_eq!(receiver.taken().len(), 1);
}

#[test]
fn a_file_that_names_no_authority_keeps_the_server_from_starting() {
    let desk = friday();
    let file = desk.path("authorities.pem");
    std::fs::write(&file, "no certificate").expect("written");
    let file = file.display().to_string();
    let refused = desk.run(&["serve", "--listen", "127.0.0.1:0", "--authorities", &file]);
    assert!(refused.err.contains("names no authority"), "{}", refused.all());
}
