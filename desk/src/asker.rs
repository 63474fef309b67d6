//! Who asks at a desk.

use crate::keys::KeyFolder;
use scrutineer_engine::event::PlayerNumber;

/// Who asks, and by what means.
#[derive(Clone, Debug, Default)]
pub struct Asker {
    /// The name; none: nobody says who they are.
    pub person: Option<String>,
    /// The player who asks, where one does on a device of their own.
    pub player: Option<PlayerNumber>,
    /// The keys that sign.
    pub keys: KeyFolder,
    /// The word of a rehearsal, from which time and random bytes come.
    pub rehearse: Option<String>,
    /// The tournament that is meant where none is named, as the asker's surroundings have it.
    pub named: Option<String>,
}
