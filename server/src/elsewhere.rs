//! Another server, as this program asks it.

use crate::connected::{Connector, cause, refused};
use crate::failed;
use axum::body::Body;
use axum::body::Bytes;
use axum::http::Request;
use scrutineer_desk::verb_error::VerbError;
use scrutineer_engine::error::{Code, ErrorKind};
use std::time::Duration;

/// How often a request waits for the quota of its token.
const WAITS: u32 = 8;
/// In how many seconds such a quota is full again; who is told to wait for longer is not told so by one.
const FULL_AGAIN: u64 = 4;
/// The longest answer that is read, in bytes.
pub const LARGEST: usize = 64 << 20;
/// How long an answer takes, beside what it may wait for news.
const ANSWERED_IN: Duration = Duration::from_secs(30);

/// What it takes as an answer: also of a page it reads as a program why there is none.
const TAKES: &str = "application/problem+json, */*";

type Client = hyper_util::client::legacy::Client<Connector, Body>;

/// Another server.
#[derive(Clone)]
pub struct Elsewhere {
    base: String,
    token: Option<String>,
    client: Client,
}

/// Returns the refusal of a server that does not answer.
pub fn unheard(base: &str, error: impl std::fmt::Display) -> VerbError {
    let message = format!("{base} does not answer: {error}");
    VerbError::new(Code::unknown_outcome("elsewhere-not-heard"), message, "look whether it runs")
}

fn not_an_address(typed: &str, what: &str) -> VerbError {
    let hint = "name a server, or the page of a tournament: http://example.org:7780/t/7b9adae3";
    VerbError::new(Code::invalid("bad-address"), format!("{typed:?} {what}"), hint)
}

/// Reads the address of a server, or of a page of a tournament there: the server, and the name of the
/// tournament.
///
/// # Errors
/// `bad-address` where it is neither.
pub fn address(typed: &str) -> Result<(String, Option<String>), VerbError> {
    let typed = typed.trim();
    let (scheme, bare) = match typed.split_once("://") {
        Some((scheme @ ("http" | "https"), bare)) => (scheme, bare),
        Some(_) => return Err(not_an_address(typed, "is no address of http or https")),
        None => ("http", typed),
    };
    let (host, path) = bare.split_once('/').unwrap_or((bare, ""));
    let path = path.split(['?', '#']).next().unwrap_or_default();
    let parts: Vec<&str> = path.split('/').filter(|part| !part.is_empty()).collect();
    let tournament = match parts[..] {
        [] | ["api", "v1"] | ["api", "v1", "tournaments"] => None,
        ["t", name, ..] | ["api", "v1", "tournaments", name, ..] => Some(name.to_string()),
        _ => return Err(not_an_address(typed, "is no page of a tournament")),
    };
    let base = format!("{scheme}://{host}");
    let is_whole = base.parse::<axum::http::Uri>().is_ok_and(|uri| uri.host().is_some());
    match is_whole && !host.contains('@') {
        true => Ok((base, tournament)),
        false => Err(not_an_address(typed, "is no address")),
    }
}

fn client(connector: Connector) -> Client {
    let executor = hyper_util::rt::TokioExecutor::new();
    hyper_util::client::legacy::Client::builder(executor).build(connector)
}

impl Elsewhere {
    /// The server at this address, with what it knows this program by.
    pub fn new(base: String, token: Option<String>) -> Elsewhere {
        Elsewhere { base, token, client: client(Connector::default()) }
    }

    /// Servers of which somebody else says where they are: none but those at public addresses, and those
    /// that are named.
    pub fn guarded(named: &[String]) -> Elsewhere {
        Elsewhere { base: String::new(), token: None, client: client(Connector::guarded(named)) }
    }

    /// Another one, to which this program may have a connection already.
    pub fn beside(&self, base: String) -> Elsewhere {
        Elsewhere { base, token: None, client: self.client.clone() }
    }

    /// Returns its address.
    pub fn base(&self) -> &str {
        &self.base
    }

    /// Asks it, and gives what it answers.
    ///
    /// # Errors
    /// What it refuses, or that it does not answer.
    pub async fn ask(
        &self,
        method: &str,
        path: &str,
        body: Vec<u8>,
        waits: u64,
    ) -> Result<Bytes, VerbError> {
        match self.answer(method, path, body, waits).await? {
            (200..=299, bytes) => Ok(bytes),
            (status, bytes) => Err(self.refusal(status, &bytes)),
        }
    }

    /// Gives a page; none where it has no such page for everybody, or none as the tournament stands, such as a
    /// checkpoint before anything was signed.
    ///
    /// # Errors
    /// What it refuses, that it does not answer, or cannot now.
    pub async fn page(&self, path: &str) -> Result<Option<Bytes>, VerbError> {
        match self.answer("GET", path, Vec::new(), 0).await? {
            (200..=299, bytes) => Ok(Some(bytes)),
            (403 | 404 | 410, _) => Ok(None),
            (status, bytes) => match self.refusal(status, &bytes) {
                refused if refused.code.kind == ErrorKind::Refused => Ok(None),
                refused => Err(refused),
            },
        }
    }

    /// What it refuses, as it said it.
    fn refusal(&self, status: u16, bytes: &[u8]) -> VerbError {
        failed::refused(bytes)
            .unwrap_or_else(|_| unheard(&self.base, format!("it says {status}, and not why")))
    }

    /// Posts a body to a path under headers of its own, and gives the status of the answer. What else is
    /// answered is not read, and no other address is followed. It waits for as long as its caller does.
    ///
    /// # Errors
    /// Where it does not answer, or may not be connected to, in words for whoever wants it told.
    pub async fn post(
        &self,
        path: &str,
        headers: &[(&str, String)],
        body: Vec<u8>,
    ) -> Result<u16, VerbError> {
        let unheard = |error: &(dyn std::error::Error + 'static)| {
            let nobody = || {
                let code = Code::unknown_outcome("elsewhere-not-heard");
                VerbError::new(code, "nobody answers there", "look whether it runs")
            };
            refused(error).cloned().unwrap_or_else(nobody)
        };
        let request = Request::post(format!("{}{path}", self.base));
        let request = headers.iter().fold(request, |all, (name, value)| all.header(*name, value));
        let request = request.body(Body::from(body)).map_err(|error| unheard(&error))?;
        let answer = self.client.request(request).await.map_err(|error| unheard(&error))?;
        Ok(answer.status().as_u16())
    }

    /// Asks, and again as long as a token has used up its quota there.
    async fn answer(
        &self,
        method: &str,
        path: &str,
        body: Vec<u8>,
        waits: u64,
    ) -> Result<(u16, Bytes), VerbError> {
        for _ in 0..WAITS {
            let (status, bytes, seconds) = self.once(method, path, body.clone(), waits).await?;
            let seconds = seconds.filter(|seconds| *seconds <= FULL_AGAIN);
            match seconds.filter(|_| status == 429 && self.token.is_some()) {
                Some(seconds) => tokio::time::sleep(Duration::from_secs(seconds)).await,
                None => return Ok((status, bytes)),
            }
        }
        let (status, bytes, _) = self.once(method, path, body, waits).await?;
        Ok((status, bytes))
    }

    /// Asks once: the status, the body, and the seconds to wait where the answer says so.
    async fn once(
        &self,
        method: &str,
        path: &str,
        body: Vec<u8>,
        waits: u64,
    ) -> Result<(u16, Bytes, Option<u64>), VerbError> {
        let unheard = |error: &dyn std::fmt::Display| unheard(&self.base, error);
        let request = Request::builder().method(method).uri(format!("{}{path}", self.base));
        let mut request = request.header("accept", TAKES);
        if let Some(token) = &self.token {
            request = request.header("authorization", format!("Bearer {token}"));
        }
        if !body.is_empty() {
            request = request.header("content-type", "application/json");
        }
        let request = request.body(Body::from(body)).map_err(|error| unheard(&error))?;
        let answered = async {
            let answer = self.client.request(request).await;
            let answer = answer.map_err(|error| match refused(&error) {
                Some(refused) => unheard(&refused.message),
                None => unheard(&cause(&error)),
            })?;
            let status = answer.status().as_u16();
            let seconds = answer.headers().get("retry-after");
            let seconds = seconds.and_then(|value| value.to_str().ok()?.parse().ok());
            let read = axum::body::to_bytes(Body::new(answer.into_body()), LARGEST).await;
            Ok::<_, VerbError>((status, read.map_err(|error| unheard(&error))?, seconds))
        };
        let patience = ANSWERED_IN + Duration::from_secs(waits);
        tokio::time::timeout(patience, answered).await.map_err(|error| unheard(&error))?
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_of_more_than_64_mib_is_not_read() {
        use std::io::{Read, Write};
        let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("bound");
        let base = format!("http://{}", listener.local_addr().expect("an address"));
        std::thread::spawn(move || {
            for (socket, length) in listener.incoming().zip([LARGEST, LARGEST + 1]) {
                let mut socket = socket.expect("connected");
                let _ = socket.read(&mut [0; 4_096]);
                let head = format!("HTTP/1.1 200 OK\r\nContent-Length: {length}\r\n");
                let body = vec![b'x'; length];
                let _ = socket.write_all(format!("{head}Connection: close\r\n\r\n").as_bytes());
                let _ = socket.write_all(&body);
            }
        });
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
        let runtime = runtime.expect("a runtime");
        let elsewhere = Elsewhere::new(base, None);
        let ask = || runtime.block_on(elsewhere.ask("GET", "/", Vec::new(), 0));
        assert_eq!(ask().expect("read").len(), LARGEST);
        assert_eq!(ask().expect_err("too long").code.word, "elsewhere-not-heard");
    }

    /// A venue of many tournaments pushes faster than its token may at once.
    #[test]
    fn who_has_used_up_the_quota_of_their_token_waits_as_long_as_is_said() {
        use std::io::{Read, Write};
        let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("bound");
        let base = format!("http://{}", listener.local_addr().expect("an address"));
        std::thread::spawn(move || {
            for (socket, head) in listener.incoming().zip(["429 x\r\nRetry-After: 1", "200 OK"]) {
                let mut socket = socket.expect("connected");
                let _ = socket.read(&mut [0; 4_096]);
                let answer = format!("HTTP/1.1 {head}\r\nContent-Length: 2\r\n");
                let _ = socket.write_all(format!("{answer}Connection: close\r\n\r\nok").as_bytes());
            }
        });
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
        let runtime = runtime.expect("a runtime");
        let elsewhere = Elsewhere::new(base, Some("scr_0".into()));
        let begun = std::time::Instant::now();
        let told = runtime.block_on(elsewhere.ask("PUT", "/", b"{}".to_vec(), 0));
        assert_eq!(told.expect("answered"), &b"ok"[..]);
        assert!(begun.elapsed() >= Duration::from_secs(1));
    }

    /// Whatever was refused counted as a page that is no more, and its file was taken away.
    #[test]
    fn what_is_no_page_for_everybody_is_none_and_what_is_refused_is_told_as_it_was_said() {
        use std::io::{Read, Write};
        let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("bound");
        let base = format!("http://{}", listener.local_addr().expect("an address"));
        let said = |code: &str, kind: &str| {
            format!(
                "{{\"code\":\"{code}\",\"kind\":\"{kind}\",\"detail\":\"why\",\"hint\":\"go there\"}}"
            )
        };
        let answers = [
            (200, "a page".to_string()),
            (403, said("not-allowed", "forbidden")),
            (404, said("no-such-page", "not-found")),
            (410, String::new()),
            (409, said("nothing-signed", "refused")),
            (409, said("desk-is-elsewhere", "conflict")),
            (429, said("slow-down", "slow-down")),
            (503, "<html>".to_string()),
        ];
        std::thread::spawn(move || {
            for (socket, (status, body)) in listener.incoming().zip(answers) {
                let mut socket = socket.expect("connected");
                let _ = socket.read(&mut [0; 4_096]);
                let head = format!("HTTP/1.1 {status} x\r\nContent-Length: {}\r\n", body.len());
                let _ =
                    socket.write_all(format!("{head}Connection: close\r\n\r\n{body}").as_bytes());
            }
        });
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
        let runtime = runtime.expect("a runtime");
        let elsewhere = Elsewhere::new(base, None);
        let page = || runtime.block_on(elsewhere.page("/"));
        assert_eq!(page().expect("read").as_deref(), Some(&b"a page"[..]));
        for status in [403, 404, 410, 409] {
            assert_eq!(page().expect("none"), None, "{status}");
        }
        let refused = page().expect_err("refused");
        assert_eq!(refused.code, Code::conflict("desk-is-elsewhere"));
        assert_eq!((&refused.message[..], refused.hint.is_some()), ("why", true));
        assert_eq!(page().expect_err("too many").code.word, "slow-down");
        assert_eq!(page().expect_err("no page").code.word, "elsewhere-not-heard");
    }

    #[test]
    fn an_address_is_that_of_a_server_or_of_a_page_of_a_tournament() {
        let of = |typed: &str| address(typed).map_err(|error| error.code.word);
        let server = Ok(("http://example.org:7780".to_string(), None));
        for typed in ["example.org:7780", "http://example.org:7780/", "example.org:7780/api/v1"] {
            assert_eq!(of(typed), server, "{typed}");
        }
        let friday = Ok(("http://example.org".to_string(), Some("Friday".to_string())));
        for typed in [
            "http://example.org/t/Friday",
            "example.org/t/Friday/standings?lang=de#top",
            "http://example.org/api/v1/tournaments/Friday/log",
        ] {
            assert_eq!(of(typed), friday, "{typed}");
        }
        let secure = Ok(("https://example.org".to_string(), Some("Friday".to_string())));
        assert_eq!(of("https://example.org/t/Friday"), secure);
        for typed in ["", "ftp://example.org", "http://", "example.org/staff", "a b", "me@host:1"] {
            assert_eq!(of(typed), Err("bad-address"), "{typed}");
        }
    }
}
