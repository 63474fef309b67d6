//! Who asks at a desk.

use crate::keys::KeyFolder;
use crate::pairing_engine::PairingEngine;
use scrutineer_engine::event::PlayerNumber;
use std::sync::Arc;

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
    /// The pairing engine that pairs the round that is asked for, where its user named one. It comes from
    /// a command that somebody typed on this machine, and from nowhere else.
    pub engine: Option<Arc<PairingEngine>>,
}
