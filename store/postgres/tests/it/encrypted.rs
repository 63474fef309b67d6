//! Connections that are encrypted, as the address says.

use std::fs;
use std::process::Command;

use crate::server::{Server, give_to_postgres, options};
use rcgen::{CertificateParams, KeyPair};
use scrutineer_engine::conformance::stream;
use scrutineer_engine::log::{Head, Log};
use scrutineer_postgres::{Address, PostgresLog};

#[test]
fn an_address_says_whether_the_connection_is_encrypted_and_whom_it_trusts() {
    let Some(mut server) = Server::start() else { return };
    server.database("open");
    let signed = |name: &str| {
        let key = KeyPair::generate().expect("a key");
        let made = CertificateParams::new(vec![name.to_string()]).expect("a name");
        (made.self_signed(&key).expect("a certificate").pem(), key.serialize_pem())
    };
    let folder = tempfile::tempdir().expect("a folder");
    let (certificate, key) = signed("localhost");
    let (own, other) = (folder.path().join("own.pem"), folder.path().join("other.pem"));
    fs::write(&own, &certificate).expect("written");
    fs::write(&other, signed("localhost").0).expect("written");
    fs::write(server.data().join("server.crt"), &certificate).expect("written");
    fs::write(server.data().join("server.key"), &key).expect("written");
    let only = Command::new("chmod").arg("600").arg(server.data().join("server.key")).status();
    assert!(only.expect("chmod runs").success());
    give_to_postgres(&server.data());
    server.set("ssl = on");
    server.set("listen_addresses = '127.0.0.1'");
    server.stop();
    server.run();

    let mut superuser = server.connect("open");
    let mut is_encrypted = |host: &str, options_of: &str| {
        let address = format!("postgres://desk@{host}:{}/open?{options_of}", server.port());
        let address = Address::parse(&address).expect("an address");
        let log = match PostgresLog::open(address, options()) {
            Ok(log) => log,
            Err(error) => return Err(error.to_string()),
        };
        assert_eq!(log.head(stream(1)), Ok(Head::EMPTY));
        let ask = "SELECT bool_and(ssl) FROM pg_stat_ssl JOIN pg_stat_activity USING (pid) \
                   WHERE usename = 'desk' AND client_addr IS NOT NULL";
        Ok(superuser.query_one(ask, &[]).expect("a row").get::<_, bool>(0))
    };
    let trusting = |file: &std::path::Path| format!("sslrootcert={}", file.display());
    let (own, other) = (trusting(&own), trusting(&other));
    assert_eq!(is_encrypted("localhost", "sslmode=disable"), Ok(false));
    assert_eq!(is_encrypted("localhost", ""), Ok(true));
    assert_eq!(is_encrypted("127.0.0.1", "sslmode=require"), Ok(true));
    assert_eq!(is_encrypted("localhost", &format!("sslmode=verify-full&{own}")), Ok(true));
    assert_eq!(is_encrypted("127.0.0.1", &format!("sslmode=verify-ca&{own}")), Ok(true));
    for (host, refused) in [
        ("127.0.0.1", format!("sslmode=verify-full&{own}")),
        ("localhost", format!("sslmode=verify-full&{other}")),
        ("localhost", format!("sslmode=verify-ca&{other}")),
        ("localhost", format!("sslmode=require&{other}")),
    ] {
        let error = is_encrypted(host, &refused).expect_err(&refused);
        assert!(error.contains("certificate"), "{refused}: {error}");
    }
}
