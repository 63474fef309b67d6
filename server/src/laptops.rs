//! The desk and its second laptop: what one asks and the other gives, and the page about both.

mod follow;
mod given;
mod pages;

pub use follow::{join, take_over as become_desk, take_over_unserved as become_desk_unserved};
pub use given::{CODE_LASTS, post};
pub use pages::{code, page, status, take_over};

use crate::state::State;
use scrutineer_desk::standing::Is;
use scrutineer_desk::verb_error::VerbError;
use scrutineer_engine::error::Code;
use std::sync::Arc;
use std::time::Duration;

/// Goes on asking that, or follows the desk, until the server stops.
pub async fn attend(state: Arc<State>) {
    if state.second.standing().is == Is::Following {
        return follow::run(&state).await;
    }
    let (mut stopping, mut is_compared) = (state.stopping.clone(), false);
    let mut told = state.second.alarm();
    let mut before = told;
    loop {
        tokio::select! {
            () = tokio::time::sleep(Duration::from_secs(1)) => {}
            _ = stopping.wait_for(|stops| *stops) => return,
        }
        // Of a laptop that hung only its own clock is sure: what it holds of the other one is of before.
        state.second.wake().await;
        state.second.look_round(Duration::from_millis(500)).await;
        state.second.looked();
        // What was recorded here beside the other one is told on both.
        if !is_compared && state.second.standing().is == Is::TakenOver {
            is_compared = follow::compare(&state).await;
        }
        // Pages load anew for what lasts, and not for each moment in which the other one is slow.
        let now = state.second.alarm();
        if told != now && before == now {
            told = now;
            state.live.tell_staff("second");
        }
        before = now;
    }
}

/// Returns the refusal of a given thing that was not asked for.
fn something_else() -> VerbError {
    let message = "the other laptop gave something else than it was asked for";
    VerbError::new(
        Code::damaged("second-not-read"),
        message,
        "look whether both run the same version",
    )
}
