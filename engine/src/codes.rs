//! Enums whose stored form is a stable number, never their position in the source.

/// Declares an enum stored as one byte. The numbers are the storage format: a released one keeps
/// its meaning for ever, and a number that is not listed is refused when read.
macro_rules! codes {
    (
        $(#[$meta:meta])*
        pub enum $name:ident { $( $(#[$vmeta:meta])* $variant:ident = $code:literal $word:literal ),+ $(,)? }
    ) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum $name { $( $(#[$vmeta])* $variant ),+ }

        impl $name {
            /// Every value, in the order of the stored codes.
            pub const ALL: &'static [$name] = &[ $( $name::$variant ),+ ];

            /// The stored number.
            pub const fn code(self) -> u8 {
                match self { $( $name::$variant => $code ),+ }
            }

            /// The value stored as `code`, if there is one.
            pub const fn from_code(code: u8) -> Option<$name> {
                match code { $( $code => Some($name::$variant), )+ _ => None }
            }

            /// The field's own word for it.
            pub const fn word(self) -> &'static str {
                match self { $( $name::$variant => $word ),+ }
            }

            /// The value whose word this is.
            pub fn from_word(word: &str) -> Option<$name> {
                Self::ALL.iter().copied().find(|value| value.word() == word)
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(self.word())
            }
        }

        impl serde::Serialize for $name {
            fn serialize<S: serde::Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
                crate::readable::code(self.code(), self, to)
            }
        }

        impl<'de> serde::Deserialize<'de> for $name {
            fn deserialize<D: serde::Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
                let code = <u8 as serde::Deserialize>::deserialize(from)?;
                Self::from_code(code).ok_or_else(|| {
                    serde::de::Error::custom(format_args!(
                        concat!("{} is no code of a ", stringify!($name)), code
                    ))
                })
            }
        }
    };
}
