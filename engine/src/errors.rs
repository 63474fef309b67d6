//! How an error is declared.

/// Declares an error: for each case its stable code, its message, and what to do next.
///
/// Behind `=` the three stand by themselves, and the code is listed in `CODES`; behind `=>` they are
/// taken out of what the case holds. A message with arguments stands in brackets.
#[macro_export]
macro_rules! errors {
    ($(#[$meta:meta])* pub enum $name:ident -> $next:ty { $(
        $(#[$doc:meta])* $case:ident $({ $($field:tt)* })? $(( $($held:tt)* ))?
        $( = $code:literal, $($message:literal)? $([ $($said:tt)* ])?, $hint:expr )?
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
            pub const CODES: &'static [&'static str] = &[ $( $($code,)? )+ ];

            /// The stable code, for programs and documents.
            #[allow(unused_variables)]
            pub fn code(&self) -> &'static str {
                match self { $(
                    $( Self::$case { .. } => $code, )?
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
