//! Who calls: the browser of a session, a program with a token, or the command line of this machine.

use crate::gate::{Need, Role, not_allowed};
use crate::house::{Grant, same, session_principal};
use crate::once::{header_of, key_of, once_id, one_header};
use crate::problem::Refusal;
use crate::problem::bad_request;
use crate::state::State;
use axum::extract::FromRequestParts;
use axum::http::{HeaderMap, header, request::Parts};
use scrutineer_desk::asker::Asker;
use scrutineer_desk::verb_error::VerbError;
use scrutineer_engine::error::Code;
use scrutineer_engine::record::StreamId;
use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;

/// The name of the session's cookie.
pub const COOKIE: &str = "scrutineer";
/// The same over https: no other name of the site, and nobody on a line without it, can set it.
pub const HOST_COOKIE: &str = "__Host-scrutineer";

/// The two ends of a connection.
#[derive(Clone, Copy, Debug)]
pub struct Ends {
    /// Who connected.
    pub remote: SocketAddr,
    /// To which address of this machine.
    pub local: SocketAddr,
    /// Whether nobody between them can listen: it is https.
    pub is_secure: bool,
}

/// Who calls.
#[derive(Clone, Debug)]
pub struct Who {
    /// In which role.
    pub role: Role,
    /// The name that the log has for them.
    pub name: Option<String>,
    /// Whose keys of idempotency they are.
    pub principal: String,
    /// Whether it is the command line of this machine, with its key.
    pub is_local: bool,
    /// From where.
    pub address: IpAddr,
    /// On which device, in a few words; none: nobody knows.
    pub device: Option<String>,
    /// The most that anybody is over their connection.
    pub most: Role,
    grant: Option<Grant>,
}

impl Who {
    /// Somebody who has not signed in.
    pub fn nobody(address: IpAddr) -> Who {
        let principal = "nobody".to_string();
        Who {
            role: Role::Public,
            name: None,
            principal,
            is_local: false,
            address,
            device: None,
            most: Role::Owner,
            grant: None,
        }
    }

    /// Somebody in a role, on a device.
    #[cfg(test)]
    pub fn in_role(role: Role) -> Who {
        let (name, device) = (Some("Bo Park".into()), Some("Linux, session 9f3a".into()));
        let principal = "session 9f3a".to_string();
        Who { role, name, principal, device, ..Who::nobody(IpAddr::from([127, 0, 0, 1])) }
    }

    /// Returns the role that they came by, where their connection makes them less here.
    pub fn lowered_from(&self) -> Option<Role> {
        let grant = self.grant.as_ref()?;
        (grant.role > self.role).then_some(grant.role)
    }

    /// Returns who asks at the desk.
    pub fn asker(&self, state: &State) -> Asker {
        Asker { person: self.name.clone(), ..state.setup.asker.clone() }
    }

    /// Returns what pages call them by in what they send late.
    pub fn signer(&self) -> String {
        once_id(&self.principal, "signer", "")
    }

    /// Refuses what somebody else entered, where its page says who did.
    ///
    /// # Errors
    /// `sign-in`, where it was not who is signed in now.
    pub fn check_signer(&self, signer: Option<&str>) -> Result<(), VerbError> {
        if signer.is_none_or(|signer| signer == self.signer()) {
            return Ok(());
        }
        let message = "who entered this is not signed in here any more";
        Err(VerbError::new(Code::sign_in("sign-in"), message, "sign in again, then it is sent"))
    }

    /// Returns who it is, as the list of changes says it.
    pub fn told(&self) -> String {
        match &self.name {
            _ if self.is_local => "the command line of this machine".to_string(),
            Some(name) => format!("{name}, {}", self.role.word()),
            None => self.role.word().to_string(),
        }
    }

    /// Returns the role in a tournament: a link for one of them is none in another.
    pub fn role_in(&self, stream: StreamId) -> Role {
        match &self.grant {
            Some(grant) if !grant.holds_in(stream) => Role::Public,
            _ => self.role,
        }
    }

    /// Returns what the link, session or token is called by which they are known.
    pub fn grant_id(&self) -> Option<&str> {
        self.grant.as_ref().map(|grant| grant.id.as_str())
    }

    /// Refuses whoever may not call a route that is no tournament's.
    ///
    /// # Errors
    /// `not-allowed` with who may.
    pub fn check(&self, need: Need) -> Result<(), VerbError> {
        match need {
            Need::Local if self.is_local => Ok(()),
            Need::Owner if self.grant.as_ref().is_some_and(|grant| grant.tournament.is_some()) => {
                Err(not_allowed(self.role, "the owner of the store may"))
            }
            need => need.check(self.role),
        }
    }

    /// As [`Who::check`], for what is of the whole store: who comes by a link for one tournament may not.
    ///
    /// # Errors
    /// `not-allowed` with who may.
    pub fn check_of_store(&self, need: Need) -> Result<(), VerbError> {
        self.check(need)?;
        match self.grant.as_ref().is_some_and(|grant| grant.tournament.is_some()) {
            true => Err(not_allowed(self.role, "those may who came by a link for the whole store")),
            false => Ok(()),
        }
    }

    /// Reads the key that a request needs which does something; the command line of this machine needs
    /// none.
    ///
    /// # Errors
    /// Where there is none, or it is no key.
    pub fn needed_key(&self, headers: &HeaderMap) -> Result<Option<String>, VerbError> {
        let key = key_of(one_header(headers, "Idempotency-Key")?)?;
        match key.is_none() && !self.is_local {
            true => Err(bad_request("an Idempotency-Key is needed: with it a repeat is harmless")),
            false => Ok(key),
        }
    }

    /// As [`Who::check`], in a tournament.
    ///
    /// # Errors
    /// `not-allowed` with who may.
    pub fn check_in(&self, need: Need, stream: StreamId) -> Result<(), VerbError> {
        need.check(self.role_in(stream)).map_err(|error| match &self.grant {
            Some(grant) if !grant.holds_in(stream) => {
                let message = "this token, link or account is for another tournament";
                VerbError { message: message.into(), ..error }
            }
            _ => error,
        })
    }
}

/// Returns the session that a request's cookies name: over https that of the name which no other site can set, and no
/// other.
pub fn session_in(headers: &HeaderMap, is_secure: bool) -> Option<&str> {
    cookie_in(headers, if is_secure { HOST_COOKIE } else { COOKIE })
}

/// Returns the sessions that a request's cookies name, over https and without it.
pub fn sessions_in(headers: &HeaderMap) -> impl Iterator<Item = &str> {
    [true, false].into_iter().filter_map(|is_secure| session_in(headers, is_secure))
}

/// Returns a cookie of a request.
pub fn cookie_in<'a>(headers: &'a HeaderMap, name: &str) -> Option<&'a str> {
    let all = headers.get_all(header::COOKIE).iter().filter_map(|value| value.to_str().ok());
    let mut each = all.flat_map(|value| value.split(';')).map(str::trim);
    each.find_map(|one| one.strip_prefix(name)?.strip_prefix('='))
}

/// Returns the token that a request is sent with. The name of its scheme has no case.
fn bearer_in(headers: &HeaderMap) -> Option<&str> {
    let (scheme, token) = header_of(headers, "authorization")?.split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then_some(token)
}

/// The most that somebody is: over plain http, which can be listened to in a room of strangers, not all.
const fn most(is_safe: bool, allow_plain_staff: bool) -> Role {
    if is_safe || allow_plain_staff { Role::Owner } else { Role::Scorekeeper }
}

/// Returns which device sends these headers: what kind it says it is, and a few digits of what it is known by, which
/// tell it from others.
pub fn device_in_words(headers: &HeaderMap, principal: &str) -> String {
    const KINDS: [&str; 7] = ["iPhone", "iPad", "Android", "Windows", "Macintosh", "CrOS", "Linux"];
    let says = headers.get(header::USER_AGENT).and_then(|value| value.to_str().ok());
    let kind = KINDS.into_iter().find(|kind| says.is_some_and(|says| says.contains(kind)));
    let (what, digits) = principal.split_once(' ').unwrap_or((principal, ""));
    let digits = digits.get(..4).unwrap_or(digits);
    match kind {
        Some(kind) => format!("{kind}, {what} {digits}"),
        None => format!("{what} {digits}"),
    }
}

impl FromRequestParts<Arc<State>> for Who {
    type Rejection = Refusal;

    async fn from_request_parts(parts: &mut Parts, state: &Arc<State>) -> Result<Who, Refusal> {
        let ends = parts.extensions.get::<Ends>().copied();
        if let Some(ends) = ends {
            state.phones.asked(ends.remote.ip(), ends.local.ip());
        }
        Ok(Who::of(state, &parts.headers, ends)?)
    }
}

impl Who {
    /// Returns who sends these headers, as the house knows them at this moment.
    ///
    /// # Errors
    /// `sign-in` where a token is not known; what the desk alone does, where this laptop follows it.
    pub fn of(state: &State, headers: &HeaderMap, ends: Option<Ends>) -> Result<Who, VerbError> {
        // Without its ends, as in a test of a part, a connection is one from outside.
        let address = ends.map_or(IpAddr::from([0, 0, 0, 0]), |ends| ends.remote.ip());
        let is_near = address.to_canonical().is_loopback();
        let is_secure = ends.is_some_and(|ends| ends.is_secure);
        let most = most(is_near || is_secure, state.setup.allow_plain_staff);
        let nobody = || Who { most, ..Who::nobody(address) };
        let (grant, principal) = match bearer_in(headers) {
            Some(key) if is_near && same(key, &state.local_key) => {
                let principal = "local".to_string();
                let name = state.setup.asker.person.clone();
                let (role, is_local) = (Role::Owner, true);
                return Ok(Who {
                    role,
                    name,
                    principal,
                    is_local,
                    address,
                    device: None,
                    most,
                    grant: None,
                });
            }
            Some(token) => match state.house.token_of(token) {
                Some(found) => found,
                None => {
                    // A laptop that follows has the desk's tokens once it is the desk.
                    state.second.is_the_desk()?;
                    let hint =
                        "the owner makes tokens; one that was taken back is not known either";
                    let code = Code::sign_in("sign-in");
                    return Err(VerbError::new(code, "this token is not known", hint));
                }
            },
            None => match session_in(headers, is_secure) {
                Some(secret) => match state.house.session(secret) {
                    Some(grant) => (grant, session_principal(secret)),
                    None => return Ok(nobody()),
                },
                None => return Ok(nobody()),
            },
        };
        let role = grant.role.min(most);
        let name = grant.name.clone();
        let device = Some(device_in_words(headers, &principal));
        // Who signs in anew by name goes on under the same keys; a device stays one.
        let principal = grant.account.as_ref().map_or(principal, |name| format!("account {name}"));
        let is_local = false;
        Ok(Who { role, name, principal, is_local, address, device, most, grant: Some(grant) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::http::HeaderValue;

    #[test]
    fn over_plain_http_from_elsewhere_nobody_is_more_than_a_scorekeeper() {
        for role in Role::ALL {
            assert_eq!(role.min(most(true, false)), role);
            assert_eq!(role.min(most(false, true)), role);
            assert!(role.min(most(false, false)) <= Role::Scorekeeper);
        }
        assert_eq!(Role::Judge.min(most(false, false)), Role::Judge);
    }

    #[test]
    fn the_scheme_of_a_token_is_known_in_any_case_and_no_other_scheme_is() {
        let token = |value: &'static str| {
            let value = HeaderValue::from_static(value);
            let headers = HeaderMap::from_iter([(header::AUTHORIZATION, value)]);
            bearer_in(&headers).map(str::to_string)
        };
        for value in ["Bearer scr_0", "bearer scr_0", "BEARER scr_0"] {
            assert_eq!(token(value).as_deref(), Some("scr_0"), "{value}");
        }
        for value in ["Basic scr_0", "scr_0", "Bearerscr_0"] {
            assert_eq!(token(value), None, "{value}");
        }
    }
}
