//! Who asks at a desk.

use crate::keys::KeyFolder;

/// Who asks, and by what means.
#[derive(Clone, Debug, Default)]
pub struct Asker {
    /// The name; none: nobody says who they are.
    pub person: Option<String>,
    /// The keys that sign.
    pub keys: KeyFolder,
    /// The word of a rehearsal, from which time and random bytes come.
    pub rehearse: Option<String>,
    /// The tournament that is meant where none is named, as the asker's surroundings have it.
    pub named: Option<String>,
}
