//! A reason stands in one place: what it means, its numbers, its text, and what removes it.

/// Declares an enum of reasons.
///
/// Each entry is a variant with the values that its text shows, then `=>`, then its message, in which the values are
/// references, and, after a comma, its [remedy](super::Remedy) if one is known.
macro_rules! reasons {
    (
        $(#[$about:meta])*
        pub enum $name:ident {
            $($(#[$meaning:meta])* $variant:ident $({ $($value:ident: $type:ty),* $(,)? })? => $text:expr $(, $remedy:expr)?;)*
        }
    ) => {
        $(#[$about])*
        #[derive(Clone, Debug, PartialEq)]
        #[expect(missing_docs, reason = "a variant says what its values are")]
        pub enum $name {
            $($(#[$meaning])* $variant $({ $($value: $type),* })?,)*
        }

        impl $name {
            /// What removes it; `None` where nothing is known to, or where nothing needs to be removed.
            #[must_use]
            pub fn remedy(&self) -> Option<$crate::reason::Remedy> {
                match self {
                    $($name::$variant { .. } => $crate::reason::table::remedy!($($remedy)?),)*
                }
            }
        }

        impl From<&$name> for eval_message::Message {
            fn from(reason: &$name) -> eval_message::Message {
                match reason {
                    $($name::$variant $({ $($value),* })? => $text,)*
                }
            }
        }
    };
}

macro_rules! remedy {
    () => {
        None
    };
    ($remedy:expr) => {
        Some($remedy)
    };
}

pub(crate) use {reasons, remedy};
