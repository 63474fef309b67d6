//! What every error tells beside its sentence: a stable code, and of what kind it is.

/// The kind of an error. Exit codes and HTTP statuses follow from it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum ErrorKind {
    /// What was named does not exist.
    NotFound,
    /// What was typed or sent has the wrong form.
    Invalid,
    /// A rule of the log, of the desk or of a proof says no.
    Refused,
    /// Something else stands where this would go.
    Conflict,
    /// It was computed from what is no longer the latest.
    Stale,
    /// Nobody has signed in.
    SignIn,
    /// They are signed in and may not.
    Forbidden,
    /// More than is read or kept.
    TooLarge,
    /// Too many requests in too short a time.
    SlowDown,
    /// Others are being served; it works later.
    Busy,
    /// It may have been recorded or not.
    UnknownOutcome,
    /// What is kept is damaged.
    Damaged,
    /// A disk or a network failed, or a file cannot be had.
    Io,
    /// A fault of this program.
    Internal,
}

impl ErrorKind {
    /// The word that programs read.
    pub const fn word(self) -> &'static str {
        match self {
            ErrorKind::NotFound => "not-found",
            ErrorKind::Invalid => "invalid",
            ErrorKind::Refused => "refused",
            ErrorKind::Conflict => "conflict",
            ErrorKind::Stale => "stale",
            ErrorKind::SignIn => "sign-in",
            ErrorKind::Forbidden => "forbidden",
            ErrorKind::TooLarge => "too-large",
            ErrorKind::SlowDown => "slow-down",
            ErrorKind::Busy => "busy",
            ErrorKind::UnknownOutcome => "unknown-outcome",
            ErrorKind::Damaged => "damaged",
            ErrorKind::Io => "io",
            ErrorKind::Internal => "internal",
        }
    }

    /// The kind that has this word.
    pub fn of_word(word: &str) -> Option<ErrorKind> {
        use ErrorKind::*;
        let all = [
            NotFound,
            Invalid,
            Refused,
            Conflict,
            Stale,
            SignIn,
            Forbidden,
            TooLarge,
            SlowDown,
            Busy,
            UnknownOutcome,
            Damaged,
            Io,
            Internal,
        ];
        all.into_iter().find(|kind| kind.word() == word)
    }

    /// Whether the store or the machine failed, so that the next request would fail as well.
    pub const fn is_of_the_store(self) -> bool {
        use ErrorKind::*;
        matches!(self, Busy | UnknownOutcome | Damaged | Io | Internal)
    }
}

/// A stable code with its kind. Programs and documents name errors by it.
///
/// ```
/// use scrutineer_engine::error::{Code, ErrorKind};
/// const CLOSED: Code = Code::refused("closed");
/// assert_eq!((CLOSED.word, CLOSED.kind), ("closed", ErrorKind::Refused));
/// assert!(CLOSED == "closed");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Code {
    /// Lower-case words with hyphens.
    pub word: &'static str,
    /// The kind of the error.
    pub kind: ErrorKind,
}

macro_rules! of_kind {
    ($($name:ident = $kind:ident),+) => {
        impl Code {
            $(
                #[doc = concat!("A code of the kind [`ErrorKind::", stringify!($kind), "`].")]
                pub const fn $name(word: &'static str) -> Code {
                    Code { word, kind: ErrorKind::$kind }
                }
            )+
        }
    };
}

of_kind! {
    not_found = NotFound, invalid = Invalid, refused = Refused, conflict = Conflict, stale = Stale,
    too_large = TooLarge, busy = Busy, unknown_outcome = UnknownOutcome, damaged = Damaged, io = Io,
    internal = Internal, sign_in = SignIn, forbidden = Forbidden, slow_down = SlowDown
}

impl std::fmt::Display for Code {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.word)
    }
}

impl PartialEq<&str> for Code {
    fn eq(&self, other: &&str) -> bool {
        self.word == *other
    }
}

impl PartialEq<str> for Code {
    fn eq(&self, other: &str) -> bool {
        self.word == other
    }
}

impl serde::Serialize for Code {
    fn serialize<S: serde::Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(self.word)
    }
}

/// Declares an error: for each case the kind and the stable code, the message, and what to do next.
///
/// Behind `=` the three stand by themselves, and the code is listed in `CODES`; behind `=>` they are
/// taken out of what the case holds. A message with arguments stands in brackets.
#[macro_export]
macro_rules! errors {
    ($(#[$meta:meta])* pub enum $name:ident -> $next:ty { $(
        $(#[$doc:meta])* $case:ident $({ $($field:tt)* })? $(( $($held:tt)* ))?
        $( = $kind:ident $code:literal, $($message:literal)? $([ $($said:tt)* ])?, $hint:expr )?
        $( => $taken:tt $its_code:expr, $($its:literal)? $([ $($its_said:tt)* ])?, $its_hint:expr )?
    ;)+ }) => {
        $(#[$meta])*
        #[derive(Debug, thiserror::Error)]
        #[non_exhaustive]
        #[allow(missing_docs, reason = "the fields are the words of the message")]
        pub enum $name { $(
            $(#[$doc])*
            $( #[error($($message)? $($($said)*)?)] )?
            $( #[error($($its)? $($($its_said)*)?)] )?
            $case $({ $($field)* })? $(( $($held)* ))?
        ),+ }

        impl $name {
            /// Every code of its own.
            pub const CODES: &'static [$crate::error::Code] = &[ $( $($crate::error::Code::$kind($code),)? )+ ];

            /// The stable code, for programs and documents.
            #[allow(unused_variables)]
            pub fn code(&self) -> $crate::error::Code {
                match self { $(
                    $( Self::$case { .. } => $crate::error::Code::$kind($code), )?
                    $( Self::$case $taken => $its_code, )?
                )+ }
            }

            /// What to do next.
            #[allow(unused_variables)]
            pub fn hint(&self) -> $next {
                match self { $(
                    $( Self::$case { .. } => $hint, )?
                    $( Self::$case $taken => $its_hint, )?
                )+ }
            }
        }
    };
}
