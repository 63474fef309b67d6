//! Addresses to which deliveries may go: public ones, and those that `serve` was told of. A name is looked
//! up once, and what was found is what is connected to.

use axum::http::Uri;
use scrutineer_desk::verb_error::VerbError;
use scrutineer_engine::error::Code;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};

/// The longest address of a webhook, in bytes.
pub const LONGEST_ADDRESS: usize = 500;

/// Where a delivery goes.
pub(crate) struct Target {
    /// The name or the address of the machine.
    host: String,
    port: u16,
    /// What stands behind that.
    pub(crate) path: String,
    /// The machine with its port, as it was typed.
    pub(crate) authority: String,
    /// The way there and the machine, such as `https://hooks.example.org`.
    pub(crate) base: String,
}

fn bad_address(what: &str) -> VerbError {
    let hint = "it looks like this: https://hooks.example.org/scrutineer";
    VerbError::new(Code::invalid("bad-address"), format!("the address {what}"), hint)
}

/// Reads the address of a webhook.
fn read(typed: &str) -> Result<Target, VerbError> {
    let uri: Uri = typed.parse().map_err(|_| bad_address("cannot be read"))?;
    let (scheme, port) = match uri.scheme_str() {
        Some("http") => ("http", 80),
        Some("https") => ("https", 443),
        _ => return Err(bad_address("begins with https:// or http://")),
    };
    let authority = uri.authority().map_or("", |authority| authority.as_str());
    let host = uri.host().unwrap_or_default().trim_matches(['[', ']']).to_ascii_lowercase();
    if authority.contains('@') || host.is_empty() {
        return Err(bad_address("names a machine, and nobody who signs in there"));
    }
    Ok(Target {
        host,
        port: uri.port_u16().unwrap_or(port),
        path: uri.path_and_query().map_or("/", |path| path.as_str()).to_string(),
        authority: authority.to_string(),
        base: format!("{scheme}://{authority}"),
    })
}

/// Whether everybody's network leads to an address, and none that is this machine's or its room's.
fn is_public(ip: IpAddr) -> bool {
    match ip {
        IpAddr::V4(ip) => is_public_v4(ip),
        IpAddr::V6(ip) => match ip.to_ipv4_mapped() {
            Some(ip) => is_public_v4(ip),
            None => is_public_v6(ip),
        },
    }
}

fn is_public_v4(ip: Ipv4Addr) -> bool {
    let [a, b, c, _] = ip.octets();
    let is_special = ip.is_private()
        || ip.is_loopback()
        || ip.is_link_local()
        || ip.is_documentation()
        // This network, those of carriers, of protocols, of measurements; many and later ones.
        || matches!((a, b, c), (0, ..) | (100, 64..128, _) | (192, 0, 0) | (198, 18..20, _) | (224.., ..));
    !is_special
}

fn is_public_v6(ip: Ipv6Addr) -> bool {
    let [a, b, ..] = ip.segments();
    // What is given out to everybody, without examples and what leads on to another address.
    (0x2000..0x4000).contains(&a)
        && a != 0x2002
        && !(a == 0x2001 && (b < 0x200 || b == 0xdb8))
        && a != 0x3fff
}

fn not_public(host: &str) -> VerbError {
    let message = format!("{host} is an address of this machine or of its own network");
    let hint = "start `serve` with --webhooks-to and this address, if deliveries are to go there";
    VerbError::new(Code::invalid("address-not-public"), message, hint)
}

/// Whether `serve` was told of a machine: by name, or by name and port.
fn is_named(host: &str, port: u16, named: &[String]) -> bool {
    let whole = if host.contains(':') { format!("[{host}]") } else { host.to_string() };
    let with_port = format!("{whole}:{port}");
    named.iter().any(|one| {
        let one = one.to_ascii_lowercase();
        one == host || one == whole || one == with_port
    })
}

/// Looks a machine up, and gives where to connect to: beside those that are named, public addresses alone;
/// where nobody is kept out, any.
///
/// # Errors
/// `elsewhere-not-heard` where its name leads nowhere, `address-not-public`.
pub(crate) async fn look_up(
    host: &str,
    port: u16,
    only_public_and: Option<&[String]>,
) -> Result<Vec<SocketAddr>, VerbError> {
    let nowhere = |_| {
        let code = Code::unknown_outcome("elsewhere-not-heard");
        VerbError::new(code, "its name leads nowhere", "look whether it is spelled right")
    };
    let found = tokio::net::lookup_host((host, port)).await.map_err(nowhere)?;
    let host = host.to_ascii_lowercase();
    let is_open = only_public_and.is_none_or(|named| is_named(&host, port, named));
    let mut found: Vec<SocketAddr> = found.filter(|one| is_open || is_public(one.ip())).collect();
    // Not every network that gives out addresses of IPv6 leads anywhere.
    found.sort_by_key(SocketAddr::is_ipv6);
    if found.is_empty() { Err(not_public(&host)) } else { Ok(found) }
}

/// Reads the address of a webhook, and refuses one that is not public unless `serve` was told of it.
/// What a name leads to is looked at when it is connected to.
///
/// # Errors
/// `bad-address`, `address-not-public`.
pub(crate) fn target(typed: &str, named: &[String]) -> Result<Target, VerbError> {
    if typed.len() > LONGEST_ADDRESS {
        return Err(bad_address(&format!("is longer than {LONGEST_ADDRESS} bytes")));
    }
    open_to(typed, named)
}

fn open_to(typed: &str, named: &[String]) -> Result<Target, VerbError> {
    let target = read(typed)?;
    let is_near = match target.host.parse::<IpAddr>() {
        Ok(ip) => !is_public(ip),
        Err(_) => target.host == "localhost" || target.host.ends_with(".localhost"),
    };
    match is_near && !is_named(&target.host, target.port, named) {
        true => Err(not_public(&target.host)),
        false => Ok(target),
    }
}

/// Refuses an address to which nothing may be delivered.
///
/// # Errors
/// `bad-address`, `address-not-public`.
pub fn check(typed: &str, named: &[String]) -> Result<(), VerbError> {
    target(typed, named).map(drop)
}

/// The same of an address that is not a webhook's, however long it is.
///
/// # Errors
/// `bad-address`, `address-not-public`.
pub(crate) fn check_any_length(typed: &str, named: &[String]) -> Result<(), VerbError> {
    open_to(typed, named).map(drop)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn code(typed: &str, named: &[&str]) -> &'static str {
        let named: Vec<String> = named.iter().map(ToString::to_string).collect();
        check(typed, &named).map_or_else(|error| error.code.word, |()| "ok")
    }

    #[test]
    fn only_public_addresses_are_taken_and_those_that_serve_was_told_of() {
        for public in [
            "http://hooks.example.org/scrutineer?of=friday",
            "https://hooks.example.org/",
            "https://93.184.216.34:8443/",
            "http://93.184.216.34:8080",
            "http://[2606:2800:220:1::1]/",
        ] {
            assert_eq!(code(public, &[]), "ok", "{public}");
        }
        for near in [
            "127.0.0.1",
            "127.9.9.9",
            "localhost",
            "a.localhost",
            "10.1.2.3",
            "172.16.0.1",
            "192.168.178.1",
            "169.254.169.254",
            "100.64.0.1",
            "0.0.0.0",
            "192.0.0.8",
            "198.18.0.1",
            "224.0.0.1",
            "255.255.255.255",
            "203.0.113.5",
            "[::1]",
            "[::]",
            "[fe80::1]",
            "[fd00::1]",
            "[::ffff:127.0.0.1]",
            "[::ffff:10.0.0.1]",
            "[2002:7f00:1::]",
            "[64:ff9b::a00:1]",
            "[2001:db8::1]",
            "[2001::1]",
            "[ff02::1]",
        ] {
            assert_eq!(code(&format!("http://{near}/hook"), &[]), "address-not-public", "{near}");
            assert_eq!(code(&format!("http://{near}/hook"), &[near]), "ok", "{near} is named");
        }
        let near = "http://LOCALHOST:8090/";
        assert_eq!(code(near, &["localhost:8090"]), "ok");
        assert_eq!(code(near, &["localhost:8091", "10.0.0.1"]), "address-not-public");
        assert_eq!(code("https://10.0.0.1/", &[]), "address-not-public");
        assert_eq!(code("https://localhost/", &["localhost:443"]), "ok");
        let long = format!("http://example.org/{}", "x".repeat(LONGEST_ADDRESS));
        for wrong in
            ["", "hooks.example.org", "ftp://a/", "http://", "http://a b/", "http://me@a/", &long]
        {
            assert_eq!(code(wrong, &[]), "bad-address", "{wrong}");
        }
    }

    #[test]
    fn a_name_that_leads_into_the_own_network_is_not_connected_to() {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
        let runtime = runtime.expect("a runtime");
        // As a name would that somebody set up to lead here.
        let look_up = |typed: &str, named: &[String]| {
            let to = read(typed).expect("an address");
            runtime.block_on(look_up(&to.host, to.port, Some(named)))
        };
        let refused = look_up("http://localhost:8090/", &[]).expect_err("it is near");
        assert_eq!(refused.code.word, "address-not-public");
        // Written as a number, which the system takes for an address.
        let refused = look_up("http://2130706433/", &[]).expect_err("it is near");
        assert!(["address-not-public", "elsewhere-not-heard"].contains(&refused.code.word));
        assert!(
            !look_up("http://localhost:8090/", &["localhost".into()]).expect("named").is_empty()
        );
    }
}
