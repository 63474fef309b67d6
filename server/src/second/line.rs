//! What is said of the other laptop: in a line on pages, and for programs.

use super::{Second, lock};
use crate::addresses::in_the_room;
use crate::problem::{bad_request, plain};
use scrutineer_desk::standing::Is;
use scrutineer_desk::verb_error::VerbError;
use scrutineer_engine::record::StreamId;
use serde_json::{Value, json};
use std::net::SocketAddr;
use std::time::{Duration, Instant};

/// After how long without a word it is said that the other laptop is not heard.
const QUIET: Duration = Duration::from_secs(8);

/// What is sent for a code.
pub const MAKE: &str = "make=code";
/// What is sent to make a laptop the desk.
pub const TAKE: &str = "make=desk";
/// The same where that is meant though the desk is heard.
pub const TAKE_ALL_THE_SAME: &str = "make=desk&sure=true";

/// Reads what is sent to make a laptop the desk: whether that is meant though the desk is heard.
///
/// # Errors
/// Where it is something else.
pub fn is_sure(body: &[u8]) -> Result<bool, VerbError> {
    match body {
        body if body == TAKE.as_bytes() => Ok(false),
        body if body == TAKE_ALL_THE_SAME.as_bytes() => Ok(true),
        _ => Err(bad_request(format!("a laptop is made the desk by the form {TAKE}"))),
    }
}

/// What is said of the other laptop.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// Whether somebody has to see it: it stands above every page then.
    pub is_alarm: bool,
    /// Whether another laptop became the desk in place of this one, so that what is printed here is of before.
    pub is_replaced: bool,
    /// What.
    pub text: String,
}

impl Line {
    /// What somebody has to see.
    pub(crate) fn alarm(text: impl Into<String>) -> Line {
        Line { is_alarm: true, is_replaced: false, text: text.into() }
    }
}

/// What is said where no other laptop reaches this one: where it listens, and where others would find it.
fn unreached(listens: SocketAddr, in_the_room: SocketAddr) -> Option<&'static str> {
    let is_own = |address: SocketAddr| address.ip().to_canonical().is_loopback();
    match (is_own(listens), is_own(in_the_room)) {
        (true, _) => Some(
            "this server listens on this machine alone, so no other laptop reaches it: stop it, start it where \
             the room reaches it, as `scrutineer serve` does without --listen, and make a new code then",
        ),
        (false, true) => Some(
            "this laptop is in no network, so no other laptop reaches it: bring it into the network of the room, \
             and make a new code then",
        ),
        (false, false) => None,
    }
}

/// A refusal as it is said within a paragraph.
fn on_a_page(why: &str) -> String {
    plain(why).replace("\nhint: ", ". To go on: ")
}

fn ago(when: Instant) -> String {
    match when.elapsed().as_secs() {
        0..=1 => "1 s ago".to_string(),
        seconds @ 2..=99 => format!("{seconds} s ago"),
        seconds => format!("{} min ago", seconds / 60),
    }
}

impl Second {
    /// Returns what is said of the other laptop on the pages of a tournament; none: there is none.
    pub fn line(&self, tournament: Option<StreamId>) -> Option<Line> {
        let standing = self.standing();
        if let Err(refused) = self.is_the_desk() {
            let todo = match standing.is {
                Is::Following => {
                    "Work at the desk; if that laptop is gone, this one becomes the desk by a button"
                }
                _ => "Work there",
            };
            let following = lock(&self.following);
            let has_all = following.has.change > 0 && following.trouble.is_none();
            let has_all =
                if has_all { ", and all that it had recorded by then is here" } else { "" };
            let heard = following.when.map_or(String::new(), |when| {
                format!(" The desk was heard {}{has_all}.", ago(when))
            });
            let trouble = following.trouble.as_ref();
            let trouble =
                trouble.map_or(String::new(), |why| format!(" {}.", on_a_page(&why.told())));
            let text = format!("{}. {todo}.{heard}{trouble}", refused.message);
            return Some(Line { is_replaced: standing.is == Is::TakenOver, ..Line::alarm(text) });
        }
        standing.partner.as_ref()?;
        let heard = lock(&self.heard);
        if let Some((why, when)) = &heard.trouble {
            let keeps = match when.elapsed() < QUIET {
                true => "it does not keep".to_string(),
                false => format!("it was last heard {}, and did not keep", ago(*when)),
            };
            let why = on_a_page(why);
            let text =
                format!("{keeps} what is recorded here, which is on this laptop alone: {why}.");
            return Some(Line::alarm(text));
        }
        let up_to = tournament.and_then(|stream| heard.has.get(&stream));
        let up_to = up_to.map_or(String::new(), |seq| format!(" up to event {seq}"));
        let keeps_up = |when: &str| Line {
            is_alarm: false,
            ..Line::alarm(format!("it has everything{up_to}, heard {when}"))
        };
        Some(match heard.when {
            _ if heard.waits > 0 && !heard.is_behind => keeps_up("1 s ago"),
            Some(when) if when.elapsed() < QUIET && !heard.is_behind => keeps_up(&ago(when)),
            when => {
                let heard = match when.map(ago) {
                    None if standing.term > 1 => {
                        let text = "none has been heard since this laptop became the desk or was started: what is \
                                    recorded is on it alone. Work goes on; add one with a new code, or start \
                                    the one that there is.";
                        return Some(Line::alarm(text));
                    }
                    None => "it has not been heard since this desk was started".to_string(),
                    Some(when) if up_to.is_empty() => format!("it was last heard {when}"),
                    Some(when) => format!("it was last heard {when}, and has all{up_to}"),
                };
                let alone = "What is recorded now is on this laptop alone. Look whether the other one \
                             runs and is in this network; work goes on without it";
                Line::alarm(format!("{heard}. {alone}."))
            }
        })
    }

    /// Whether that line is an alarm, and whether the other laptop says that it is the desk or that it keeps nothing:
    /// pages that are open are told when this changes.
    pub(crate) fn alarm(&self) -> Option<(bool, bool)> {
        let says = !self.is_desk() || lock(&self.heard).trouble.is_some();
        self.line(None).map(|line| (line.is_alarm, says))
    }

    /// The same as pages carry it: whoever comes back to a line sees whether what their page says still holds.
    pub(crate) fn stands(&self) -> String {
        self.alarm().map_or(String::new(), |(is_alarm, says)| format!("{is_alarm}-{says}"))
    }

    /// Where the desk is, as long as it is heard there: browsers are led to it. None: it is this one, or nobody knows.
    pub(crate) fn desk_heard(&self) -> Option<SocketAddr> {
        let is_heard = lock(&self.following).when.is_some_and(|when| when.elapsed() < QUIET);
        let standing = is_heard.then(|| self.standing()).filter(|known| known.is != Is::Desk)?;
        let desk = standing.partner?.address?;
        // Whoever reaches this laptop from elsewhere reaches none that listens on this machine alone.
        let is_own = |address: &SocketAddr| address.ip().to_canonical().is_loopback();
        (!is_own(&desk) || self.listens.get().is_some_and(is_own)).then_some(desk)
    }

    /// Returns how many changes of this desk the second laptop has not got yet; 0 where there is none.
    pub(crate) fn behind(&self) -> u64 {
        let standing = self.standing();
        match standing.is == Is::Desk && standing.partner.is_some() {
            true => self.changes.borrow().saturating_sub(*self.arrived.borrow()),
            false => 0,
        }
    }

    /// Returns that line for programs.
    pub(crate) fn status(&self) -> Value {
        let standing = self.standing();
        let (heard, following) = (lock(&self.heard), lock(&self.following));
        let when = if standing.is == Is::Desk { heard.when } else { following.when };
        json!({
            "is": standing.is,
            "term": standing.term,
            "other": standing.partner.and_then(|partner| partner.address),
            "heard_ms": when.map(|when| when.elapsed().as_millis() as u64),
            "has_everything": match standing.is {
                Is::Desk => *self.arrived.borrow() >= *self.changes.borrow(),
                _ => following.has.change > 0 && following.trouble.is_none(),
            },
            "is_behind": heard.is_behind,
            "trouble": match standing.is {
                Is::Desk => heard.trouble.as_ref().map(|(why, _)| why.clone()),
                _ => following.trouble.as_ref().map(VerbError::told),
            },
        })
    }

    /// Where others reach this laptop.
    pub(crate) fn address(&self) -> String {
        self.listens.get().map_or(String::new(), |address| in_the_room(*address).to_string())
    }

    /// Says why no other laptop reaches this one; none: one in the same network does.
    pub(crate) fn unreached(&self) -> Option<&'static str> {
        self.listens.get().and_then(|address| unreached(*address, in_the_room(*address)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Where the second laptop was not heard, and then was the desk, open pages went on saying the first.
    #[test]
    fn open_pages_are_told_that_the_desk_is_elsewhere_also_where_they_have_an_alarm() {
        let second = Second::open(None).expect("opened");
        let partner = scrutineer_desk::standing::Partner { key: "00".into(), address: None };
        lock(&second.standing).partner = Some(partner);
        let before = second.alarm();
        lock(&second.standing).is = Is::TakenOver;
        let now = second.alarm();
        assert!(before.is_some_and(|(is_alarm, _)| is_alarm) && now != before, "{now:?}");
    }

    #[test]
    fn who_listens_on_this_machine_alone_or_in_no_network_is_told_that_nobody_comes() {
        let said = |listens: &str, room: &str| {
            let address = |typed: &str| typed.parse::<SocketAddr>().expect("an address");
            unreached(address(listens), address(room)).unwrap_or_default()
        };
        assert!(said("127.0.0.1:7780", "127.0.0.1:7780").contains("this machine alone"));
        assert!(said("[::1]:7780", "[::1]:7780").contains("this machine alone"));
        assert!(said("0.0.0.0:7780", "127.0.0.1:7780").contains("in no network"));
        assert_eq!(said("0.0.0.0:7780", "192.168.1.5:7780"), "");
        assert_eq!(said("192.168.1.5:7780", "192.168.1.5:7780"), "");
    }
}
