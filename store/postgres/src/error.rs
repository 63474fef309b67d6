//! Why a database can't be used, and why a single request failed.

use scrutineer_engine::error::Code;
use scrutineer_engine::log::{AppendError, LogError, what_to_do};

scrutineer_engine::errors! {
    /// Why the log of a database can't be opened.
    #[derive(Clone, PartialEq, Eq)]
    pub enum DatabaseError -> &'static str {
        /// A client that chooses among hosts by itself may write to one that was replaced.
        SeveralHosts { hosts: String } = invalid "several-hosts",
            "the address of the database names several hosts: {hosts}",
            "name one: that of HAProxy, which leads to the primary only. Whoever chooses among hosts \
             can write to a server that has been replaced, and what it takes is lost";
        /// It can't be read as an address.
        Address { why: String } = invalid "database-address",
            "this is no address of a database: {why}",
            "write it as postgres://user@host:5432/database";
        /// A file of certificates can't be read.
        Certificates { file: String, why: String } = invalid "database-certificates",
            "the certificates in {file} can't be read: {why}",
            "name a file in PEM with sslrootcert=<file> in the address";
        /// Nobody answers there, or not as a database that works.
        Unreachable { address: String, reason: String } = io "database-unreachable",
            "the database {address} does not answer: {reason}",
            "check that it runs and that the address is right";
        /// It is older than what is tested.
        TooOld { found: String } = refused "database-too-old",
            "the server is PostgreSQL {found}", "PostgreSQL 15 or later is needed";
        /// There are no tables yet.
        NotMigrated { address: String } = refused "database-not-migrated",
            "the database {address} has no tables of Scrutineer yet",
            "run `scrutineer store migrate --store <address>` as the owner of the database";
        /// The tables are of an earlier version.
        OlderSchema { found: u32, known: u32 } = refused "database-schema-older",
            "the database has tables of version {found}, and this program needs version {known}",
            "run `scrutineer store migrate --store <address>` as the owner of the database";
        /// The tables are of a later version.
        NewerSchema { found: u32, known: u32 } = refused "database-schema-newer",
            "the database has tables of version {found}, and this program knows {known}",
            "install the version of Scrutineer that migrated the database, or a later one";
        /// The owner may not make the roles.
        NoRoles { owner: String, reason: String } = forbidden "database-roles",
            [
                "{owner} may not make the roles of the database ({reason}). A superuser types: \
                 CREATE ROLE scrutineer_server NOLOGIN; CREATE ROLE scrutineer_private NOLOGIN; \
                 GRANT scrutineer_private TO {};", quoted(owner)
            ],
            "let a superuser of the server type these statements, then migrate again";
        /// The login is no member of the server's role.
        NoRights { user: String, reason: String } = forbidden "database-rights",
            ["{user} may not use the log of this database ({reason})"],
            "let the owner of the database or a superuser type: GRANT scrutineer_server TO <login>;";
        /// What this node keeps for itself can't be read.
        Node { file: String, why: String } = io "node-not-read",
            "{file}, in which this node keeps what it has seen of the database, can't be read: {why}",
            "check the folder of the node. Without this file it takes any database for the right one";
        /// It is not the database that was seen before.
        Fenced(LogError) => (finding) finding.code().unwrap_or(Code::io("database-refused")), "{0}",
            finding.code().and_then(what_to_do).unwrap_or("look at docs/OPERATIONS.md");
        /// The server refused something else.
        Refused { address: String, reason: String } = io "database-refused",
            "the database {address} refused: {reason}",
            "the server's own log says more";
    }
}

impl DatabaseError {
    /// Whether it may be otherwise soon: another server takes over, or HAProxy is about to find it.
    pub(crate) fn is_passing(&self) -> bool {
        match self {
            DatabaseError::Unreachable { .. } => true,
            DatabaseError::Fenced(finding) => matches!(finding, LogError::Replaced { .. }),
            _ => false,
        }
    }
}

impl From<DatabaseError> for LogError {
    fn from(error: DatabaseError) -> LogError {
        if let DatabaseError::Fenced(finding) = error {
            return finding;
        }
        LogError::Database { reason: format!("{error}; {}", error.hint()) }
    }
}

/// What a node says where commits wait.
const NO_STANDBY: &str = "no standby confirms what is recorded, so that it would be on one machine only; it goes on \
     once a standby runs";

/// A name as it stands in a statement.
fn quoted(name: &str) -> String {
    format!("\"{}\"", name.replace('"', "\"\""))
}

/// Why a request got no answer, or which answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Trouble {
    /// It was surely not carried out, and may be another time.
    NotDone { reason: String },
    /// It may have been carried out: the connection ended, or no standby has it.
    Unknown { reason: String },
    /// No standby confirms what is recorded, and nobody knows when one will. It may have been carried out.
    NoStandby { is_unknown: bool },
    /// The server refused it, under this code of the SQL standard.
    Refused { code: String, reason: String },
    /// It is not the database that was seen before, so that nothing was asked of it.
    Fenced(Box<LogError>),
}

impl Trouble {
    /// Whether the same request may have another answer soon.
    pub(crate) fn is_passing(&self) -> bool {
        match self {
            Trouble::NotDone { .. } | Trouble::Unknown { .. } => true,
            // The next connection may lead to the one that took its place.
            Trouble::Fenced(finding) => matches!(**finding, LogError::Replaced { .. }),
            Trouble::Refused { .. } | Trouble::NoStandby { .. } => false,
        }
    }

    /// Whether what was asked for may have been carried out.
    pub(crate) fn is_unknown(&self) -> bool {
        matches!(self, Trouble::Unknown { .. } | Trouble::NoStandby { is_unknown: true })
    }

    /// Why a command was not appended, or whether it was. What a try that was cut off recorded is lost
    /// where the stream is behind.
    pub(crate) fn of_append(self, is_unknown: bool) -> AppendError {
        match LogError::from(self) {
            found @ LogError::Forked { .. } => found.into(),
            other if is_unknown => AppendError::Unknown { reason: other.to_string() },
            other => other.into(),
        }
    }

    /// What went wrong, in the words of the server where it said something.
    pub(crate) fn reason(&self) -> String {
        match self {
            Trouble::NotDone { reason }
            | Trouble::Unknown { reason }
            | Trouble::Refused { reason, .. } => reason.clone(),
            Trouble::NoStandby { .. } => NO_STANDBY.to_string(),
            Trouble::Fenced(finding) => finding.to_string(),
        }
    }
}

impl From<tokio_postgres::Error> for Trouble {
    fn from(error: tokio_postgres::Error) -> Trouble {
        let Some(said) = error.as_db_error() else {
            return Trouble::Unknown { reason: told(&error) };
        };
        let (code, reason) = (said.code().code(), said.message().to_string());
        match code {
            // Given up, or undone for the sake of another: nothing of it stands.
            "57014" | "55P03" | "40001" | "40P01" => Trouble::NotDone { reason },
            // A server that follows another one writes nothing, and one that is full takes nobody.
            "25006" | "53300" | "57P03" => Trouble::NotDone { reason },
            // A server that shuts down says so also to somebody whose commit is durable already.
            _ if code.starts_with("57P") || code.starts_with("08") => Trouble::Unknown { reason },
            _ => Trouble::Refused { code: code.to_string(), reason },
        }
    }
}

/// What was found to be fenced off.
impl From<LogError> for Trouble {
    fn from(finding: LogError) -> Trouble {
        Trouble::Fenced(Box::new(finding))
    }
}

impl From<Trouble> for LogError {
    fn from(trouble: Trouble) -> LogError {
        match trouble {
            Trouble::Fenced(finding) => *finding,
            other => LogError::Database { reason: other.reason() },
        }
    }
}

/// An error with what is behind it.
pub(crate) fn told(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut behind = error.source();
    while let Some(error) = behind {
        let more = error.to_string();
        if !text.ends_with(&more) {
            text = format!("{text}: {more}");
        }
        behind = error.source();
    }
    text
}
