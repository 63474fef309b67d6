//! Players on devices of their own: whose device it is that asks.

use crate::gate::Role;
use crate::once::once_id;
use crate::state::State;
use crate::who::cookie_in;
use axum::http::HeaderMap;
use scrutineer_desk::asker::Asker;
use scrutineer_desk::verb_error::VerbError;
use scrutineer_engine::error::Code;
use scrutineer_engine::event::PlayerNumber;
use scrutineer_engine::record::StreamId;
use scrutineer_replay::loaded::short_id;

/// The name of the cookie of a player's device.
pub const COOKIE: &str = "scrutineer-me";

/// Returns the secret of a player's device that a request's cookies name.
pub fn device_in(headers: &HeaderMap) -> Option<&str> {
    cookie_in(headers, COOKIE)
}

/// What is said of a device that is no player's.
pub const UNKNOWN: &str = "no link of this player was opened on this device";

/// Returns the refusal of a device that is no player's.
pub fn no_player() -> VerbError {
    let hint = "open the link of your strip or badge here; the desk makes another one";
    VerbError::new(Code::forbidden("not-allowed"), UNKNOWN, hint)
}

/// A player on their device.
#[derive(Clone, Debug)]
pub struct Holder {
    /// The tournament.
    pub stream: StreamId,
    /// The player.
    pub player: PlayerNumber,
    /// Everybody whose link was opened on this device.
    pub all: Vec<PlayerNumber>,
}

impl Holder {
    /// Returns who asks: the player who is named, or the first of the device.
    ///
    /// # Errors
    /// `not-allowed` where no link was opened on this device, or not that of the player who is named.
    pub fn of(
        state: &State,
        stream: StreamId,
        headers: &HeaderMap,
        asked: Option<PlayerNumber>,
    ) -> Result<Holder, VerbError> {
        state.second.leads_on(Role::Public)?;
        let device = device_in(headers);
        let all = device.map_or(Vec::new(), |device| state.house.players_of(stream, device));
        let player = match asked {
            Some(asked) => all.iter().find(|one| **one == asked),
            None => all.first(),
        };
        match player {
            Some(player) => Ok(Holder { stream, player: *player, all }),
            None => Err(state.second.is_the_rooms().err().unwrap_or_else(no_player)),
        }
    }

    /// Returns whose keys of idempotency they are.
    pub fn principal(&self) -> String {
        format!("player {}", self.player)
    }

    /// Returns what the page calls them by in what it sends late.
    pub fn signer(&self) -> String {
        once_id(&self.principal(), &self.stream.to_string(), "signer")
    }

    /// Returns who asks at the desk.
    pub fn asker(&self, state: &State) -> Asker {
        Asker { person: None, player: Some(self.player), ..state.setup.asker.clone() }
    }
}

/// The path that the link of a player leads to.
pub fn link_path(stream: StreamId, secret: &str) -> String {
    format!("/t/{}/me/{secret}", short_id(stream))
}
