//! What a check finds.

/// How bad a finding is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// Good to know.
    Information,
    /// Something could not be checked: a version wrote it that this one does not know. Nobody may
    /// call it verified.
    Unchecked,
    /// Something does not hold.
    Error,
}

impl Severity {
    /// As it stands in front of a finding.
    pub const fn word(self) -> &'static str {
        match self {
            Severity::Information => "note",
            Severity::Unchecked => "not checked",
            Severity::Error => "error",
        }
    }
}

/// Something that verification found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// A stable code.
    pub code: &'static str,
    /// The event it is about; 0: the whole log.
    pub seq: u64,
    /// What was found.
    pub sentence: String,
    /// How bad it is.
    pub severity: Severity,
}
