//! The address of a database: one host, which leads to the primary.

use std::fmt;
use std::path::PathBuf;

use tokio_postgres::Config;
use tokio_postgres::config::{Host, SslMode};

use crate::error::{DatabaseError, Trouble, told};
use crate::password;
use crate::tls::{Tls, Trust};

/// Where a database is, and how it is reached.
#[derive(Clone)]
pub struct Address {
    pub(crate) config: Config,
    pub(crate) tls: Tls,
    host: String,
    port: u16,
    database: String,
    user: String,
}

const SCHEMES: [&str; 2] = ["postgres://", "postgresql://"];

impl Address {
    /// Whether this is meant as the address of a database, and not as a folder.
    pub fn is_meant(text: &str) -> bool {
        SCHEMES.iter().any(|scheme| text.get(..scheme.len()).is_some_and(|start| start == *scheme))
    }

    /// Reads `postgres://user:password@host:port/database?option=value`, with the options of libpq.
    /// Without a password, `PGPASSWORD` and the file of passwords are asked, as libpq does.
    ///
    /// # Errors
    /// [`DatabaseError::SeveralHosts`] where it names more than one host: clients reach PostgreSQL
    /// through one service that knows the primary. [`DatabaseError::Address`] where it can't be read.
    ///
    /// ```
    /// use scrutineer_postgres::Address;
    ///
    /// let address = Address::parse("postgres://desk@db.example.org/open").expect("an address");
    /// assert_eq!(address.to_string(), "postgres://desk@db.example.org:5432/open");
    /// let several = Address::parse("postgres://desk@one,two/open").expect_err("refused");
    /// assert_eq!(several.code(), "several-hosts");
    /// ```
    pub fn parse(text: &str) -> Result<Address, DatabaseError> {
        let bad = |why: &str| DatabaseError::Address { why: why.to_string() };
        if !Address::is_meant(text) {
            return Err(bad("it does not begin with postgres://"));
        }
        let (start, options) = text.split_once('?').unwrap_or((text, ""));
        let mut mode = String::from("prefer");
        let mut roots = None;
        let mut others = Vec::new();
        for option in options.split('&').filter(|option| !option.is_empty()) {
            match option.split_once('=') {
                Some(("sslmode", value)) => mode = value.to_string(),
                Some(("sslrootcert", value)) => roots = Some(PathBuf::from(unescaped(value)?)),
                _ => others.push(option),
            }
        }
        let mut config: Config = format!("{start}?{}", others.join("&"))
            .parse()
            .map_err(|error: tokio_postgres::Error| bad(&told(&error)))?;
        let hosts = names(&config);
        if hosts.len() > 1 || config.get_ports().len() > 1 || config.get_hostaddrs().len() > 1 {
            return Err(DatabaseError::SeveralHosts { hosts: hosts.join(", ") });
        }
        let host = match (hosts.into_iter().next(), config.get_hostaddrs()) {
            (Some(host), _) => host,
            (None, [address, ..]) => address.to_string(),
            (None, []) => {
                let host = usual_host();
                config.host(host);
                host.to_string()
            }
        };
        if config.get_user().is_none() {
            let user =
                ["PGUSER", "USER", "USERNAME"].iter().find_map(|name| std::env::var(name).ok());
            config.user(&user.ok_or_else(|| bad("it names no user"))?);
        }
        let user = config.get_user().unwrap_or_default().to_string();
        let database = config.get_dbname().unwrap_or(&user).to_string();
        config.dbname(&database);
        let port = config.get_ports().first().copied().unwrap_or(5432);
        let trust = match (mode.as_str(), roots) {
            ("disable", _) => None,
            ("allow" | "prefer", _) | ("require", None) => Some(Trust::Anybody),
            ("verify-ca" | "require", roots) => Some(Trust::Signed(roots)),
            ("verify-full", roots) => Some(Trust::Named(roots)),
            _ => {
                return Err(bad(&format!(
                    "sslmode is not {mode}, but disable, prefer, require, verify-ca or verify-full"
                )));
            }
        };
        config.ssl_mode(match mode.as_str() {
            "disable" => SslMode::Disable,
            // A socket in a folder is this machine's own.
            "allow" | "prefer" if host.starts_with('/') => SslMode::Disable,
            "allow" | "prefer" => SslMode::Prefer,
            _ => SslMode::Require,
        });
        let tls = Tls::new(trust)?;
        if config.get_password().is_none()
            && let Some(password) = password::find(&host, port, &database, &user)
        {
            config.password(password);
        }
        Ok(Address { config, tls, host, port, database, user })
    }

    /// What a request that failed means for somebody who opens the log.
    pub(crate) fn failed(&self, trouble: Trouble) -> DatabaseError {
        let (user, address) = (self.user.clone(), self.to_string());
        match trouble {
            Trouble::Refused { code, reason } if code == "42501" => {
                DatabaseError::NoRights { user, reason }
            }
            Trouble::Refused { reason, .. } => DatabaseError::Refused { address, reason },
            Trouble::Fenced(finding) => DatabaseError::Fenced(*finding),
            passing => DatabaseError::Unreachable { address, reason: passing.reason() },
        }
    }

    /// The host, or the folder of its socket.
    pub fn host(&self) -> &str {
        &self.host
    }

    /// The port.
    pub const fn port(&self) -> u16 {
        self.port
    }

    /// The name of the database.
    pub fn database(&self) -> &str {
        &self.database
    }

    /// The role that logs in.
    pub fn user(&self) -> &str {
        &self.user
    }
}

/// The address without its password and its options.
impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Address { host, port, database, user, .. } = self;
        let host = if host.contains(':') { format!("[{host}]") } else { host.replace('/', "%2F") };
        write!(f, "postgres://{user}@{host}:{port}/{database}")
    }
}

impl fmt::Debug for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Address({self})")
    }
}

impl std::str::FromStr for Address {
    type Err = DatabaseError;

    fn from_str(text: &str) -> Result<Address, DatabaseError> {
        Address::parse(text)
    }
}

fn names(config: &Config) -> Vec<String> {
    let names = config.get_hosts().iter().flat_map(|host| match host {
        // Behind `host=` the parser leaves them in one.
        Host::Tcp(names) => names.split(',').map(str::to_string).collect::<Vec<_>>(),
        #[cfg(unix)]
        Host::Unix(folder) => vec![folder.display().to_string()],
    });
    names.collect()
}

/// Where a server of this machine listens if nothing else is said.
fn usual_host() -> &'static str {
    const SOCKETS: &str = "/var/run/postgresql";
    if cfg!(unix) && std::path::Path::new(SOCKETS).is_dir() { SOCKETS } else { "localhost" }
}

/// The value of an option, without the escapes of addresses.
fn unescaped(value: &str) -> Result<String, DatabaseError> {
    let bad = || DatabaseError::Address { why: format!("{value} has a broken escape") };
    let mut bytes = Vec::new();
    let mut rest = value.bytes();
    while let Some(byte) = rest.next() {
        if byte != b'%' {
            bytes.push(byte);
            continue;
        }
        let digits = [rest.next().ok_or_else(bad)?, rest.next().ok_or_else(bad)?];
        let digits = std::str::from_utf8(&digits).map_err(|_| bad())?;
        bytes.push(u8::from_str_radix(digits, 16).map_err(|_| bad())?);
    }
    String::from_utf8(bytes).map_err(|_| bad())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn code(text: &str) -> &'static str {
        Address::parse(text).expect_err(text).code().word
    }

    #[test]
    fn several_hosts_are_refused_however_they_are_written() {
        for text in [
            "postgres://u@one,two/db",
            "postgresql://u@one:5432,two:5433/db",
            "postgres://u@one/db?host=two",
            "postgres:///db?user=u&host=one,two",
            "postgres://u@one/db?hostaddr=10.0.0.1,10.0.0.2",
            "postgres://u@one/db?port=1,2",
        ] {
            assert_eq!(code(text), "several-hosts", "{text}");
        }
        let refused = Address::parse("postgres://u@one,two/db").expect_err("refused");
        assert!(refused.to_string().contains("one, two") && refused.hint().contains("HAProxy"));
    }

    #[test]
    fn an_address_tells_its_parts_and_keeps_its_password() {
        let address = Address::parse("postgresql://desk:secret@db:6432/open?sslmode=require");
        let address = address.expect("an address");
        assert_eq!((address.host(), address.port()), ("db", 6432));
        assert_eq!((address.database(), address.user()), ("open", "desk"));
        assert_eq!(format!("{address} {address:?}").matches("secret").count(), 0);
        assert_eq!(address.to_string(), "postgres://desk@db:6432/open");

        let socket = Address::parse("postgres://desk@%2Ftmp%2Fpg/open").expect("an address");
        assert_eq!(socket.host(), "/tmp/pg");
        assert_eq!(socket.to_string(), "postgres://desk@%2Ftmp%2Fpg:5432/open");
        assert!(Address::parse(&socket.to_string()).is_ok());
    }

    #[test]
    fn what_is_no_address_is_refused() {
        for text in [
            "/var/lib/store",
            "mysql://u@h/db",
            "postgres://u@h:port/db",
            "postgres://u@h/db?sslmode=always",
            "postgres://u@h/db?colour=red",
        ] {
            assert_eq!(code(text), "database-address", "{text}");
        }
        let missing = "postgres://u@h/db?sslmode=verify-full&sslrootcert=/no/such%20file";
        assert_eq!(code(missing), "database-certificates");
    }
}
