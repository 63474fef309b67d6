//! The command line beside a running server: where it finds it, orders that are passed on, and the
//! store that is lent for what needs it alone.

use crate::connected::cause;
use crate::failed::{self, Failed};
use crate::gate::Need;
use crate::laptops::become_desk;
use crate::problem::{Refusal, bad_request};
use crate::second::{TAKE, TAKE_ALL_THE_SAME, is_sure};
use crate::state::State;
use crate::who::Who;
use axum::body::{Body, Bytes};
use axum::extract::State as Shared;
use axum::response::{IntoResponse, Response};
use futures_util::stream;
use scrutineer_desk::asker::Asker;
use scrutineer_desk::keys::KeyFolder;
use scrutineer_desk::orders::{self, New, Order, Told};
use scrutineer_desk::verb_error::VerbError;
use scrutineer_engine::error::Code;
use scrutineer_store::{Mirror, remembered};
use serde::{Deserialize, Serialize};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::sync::oneshot;

/// The file in a store's folder that says where its server is.
const FILE: &str = "server.json";

/// How long the command line waits for a server that is there.
const ANSWERED_IN: Duration = Duration::from_secs(60);
/// How often is looked whether a server that begins anew is there.
const LOOK_EVERY: Duration = Duration::from_millis(20);
/// The longest answer that is read.
const MOST_BYTES: usize = 1 << 30;

/// Where the server of a store is, and the key by which it knows the command line.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Running {
    /// Its address on this machine.
    pub address: SocketAddr,
    /// The key.
    pub key: String,
    /// Its process.
    pub process: u32,
    /// By what the system knows the store's folder: a copy of the folder has this file too, and no server. None where
    /// the system does not say it.
    #[serde(default)]
    pub folder: Option<(u64, u64)>,
}

/// By what the system knows a folder.
pub fn known_by(folder: &Path) -> Option<(u64, u64)> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;
        std::fs::metadata(folder).ok().map(|found| (found.dev(), found.ino()))
    }
    #[cfg(not(unix))]
    {
        let _ = folder;
        None
    }
}

/// Says in a store's folder where its server is.
///
/// # Errors
/// Where the file cannot be written.
pub fn announce(folder: &Path, running: &Running) -> std::io::Result<()> {
    let (file, text) = (folder.join(FILE), serde_json::to_string(running)?);
    // One that was left behind may belong to another user's umask.
    let _ = std::fs::remove_file(&file);
    let mut options = std::fs::OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt;
        options.mode(0o600);
    }
    use std::io::Write;
    options.open(&file)?.write_all(text.as_bytes())
}

/// Takes that back.
pub fn withdraw(folder: &Path) {
    // A file that is gone already says what it should.
    let _ = std::fs::remove_file(folder.join(FILE));
}

/// Returns where the server of a store is, as its folder says; it may be gone.
pub fn announced(folder: &Path) -> Option<Running> {
    let running: Running = serde_json::from_slice(&std::fs::read(folder.join(FILE)).ok()?).ok()?;
    let is_its_own = running.folder.is_none_or(|known| Some(known) == known_by(folder));
    is_its_own.then_some(running)
}

/// Who asks, as it is passed on.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
struct Asking {
    person: Option<String>,
    keys: Option<PathBuf>,
    rehearse: Option<String>,
    named: Option<String>,
}

impl From<&Asker> for Asking {
    fn from(asker: &Asker) -> Asking {
        let Asker { person, keys, rehearse, named, .. } = asker.clone();
        Asking { person, keys: keys.folder().map(Path::to_path_buf), rehearse, named }
    }
}

impl From<Asking> for Asker {
    fn from(asking: Asking) -> Asker {
        let Asking { person, keys, rehearse, named } = asking;
        Asker { person, keys: KeyFolder::new(keys), rehearse, named, ..Asker::default() }
    }
}

/// Orders that the command line passes on.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Passed {
    asker: Asking,
    tournament: Option<String>,
    #[serde(default)]
    new: Option<New>,
    #[serde(default)]
    orders: Vec<Order>,
}

/// What is said to them.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Answered {
    stream: String,
    answers: Vec<Result<Told, Failed>>,
    notes: Vec<String>,
    failed: Option<Failed>,
}

/// Carries out what the command line passes on, and gives all that is told.
///
/// # Errors
/// Where it is not the command line, or the orders cannot be read.
pub async fn orders(
    Shared(state): Shared<Arc<State>>,
    who: Who,
    body: Bytes,
) -> Result<Response, Refusal> {
    who.check(Need::Local)?;
    let passed: Passed = serde_json::from_slice(&body)
        .map_err(|error| bad_request(format!("these are no orders: {error}")))?;
    // The server runs the engine that it was started with, whoever asks.
    let engine = state.setup.asker.engine.clone();
    let asker = Asker { engine, ..Asker::from(passed.asker) };
    let answered = if let Some(new) = passed.new {
        let done = state.act_alone(move |_, store| orders::open(&asker, store, &new));
        let (stream, told) = done.await?;
        let answers = vec![Ok(told)];
        Answered { stream: stream.to_string(), answers, notes: Vec::new(), failed: None }
    } else {
        let name = passed.tournament;
        let stream = state.read(move |store| Ok(store.find(name.as_deref())?)).await?;
        let done = state.act(stream, move |_, store| {
            Ok(orders::record_all(&asker, store, stream, &passed.orders))
        });
        let (answers, notes) = done.await?;
        let (answers, failed) = match answers {
            Ok(answers) => (answers, None),
            Err(error) => (Vec::new(), Some(error.into())),
        };
        let goes_on = |mut told: Told| {
            state.other_program.goes_on(stream, &mut told);
            told
        };
        let answers =
            answers.into_iter().map(|one| one.map(goes_on).map_err(Failed::from)).collect();
        Answered { stream: stream.to_string(), answers, notes, failed }
    };
    Ok(axum::Json(answered).into_response())
}

/// Lends the store for as long as the answer is listened to.
///
/// # Errors
/// Where it is not the command line, or the store is in use for too long.
pub async fn lend(Shared(state): Shared<Arc<State>>, who: Who) -> Result<Response, Refusal> {
    who.check(Need::Local)?;
    let (give_back, returned) = oneshot::channel::<()>();
    state.lend(returned).await?;
    // The body never ends: it is dropped, and `give_back` with it, when its reader goes.
    let body = stream::unfold((Some(give_back), true), |(held, first)| async move {
        if !first {
            std::future::pending::<()>().await;
        }
        Some((Ok::<_, std::convert::Infallible>(Bytes::from_static(b"lent\n")), (held, false)))
    });
    Ok(Body::from_stream(body).into_response())
}

/// A server that is there, as the command line speaks to it.
pub struct Server {
    running: Running,
    runtime: tokio::runtime::Runtime,
}

/// What is said to orders that were passed on: for each of them, and the notes.
pub struct Heard {
    /// In which tournament, by its id.
    pub stream: String,
    /// The answer to each.
    pub answers: Vec<Result<Told, VerbError>>,
    /// What is to be known beside them.
    pub notes: Vec<String>,
}

type Client =
    hyper_util::client::legacy::Client<hyper_util::client::legacy::connect::HttpConnector, Body>;

/// A store that the server has closed, until this is dropped.
pub struct Lent {
    _body: Body,
    _server: Server,
}

fn unheard(error: impl std::fmt::Display) -> VerbError {
    let hint =
        "look whether it was done: `scrutineer log`; a server that hangs is stopped with Ctrl-C";
    let message = format!("the server of this store does not answer: {error}");
    VerbError::new(Code::unknown_outcome("server-not-heard"), message, hint)
}

impl Server {
    /// Returns the server of a store, where one runs.
    pub fn of(folder: &Path) -> Option<Server> {
        let running = announced(folder)?;
        // A file that was left behind leads nowhere, and is as none.
        let patience = Duration::from_secs(2);
        std::net::TcpStream::connect_timeout(&running.address, patience).ok()?;
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().ok()?;
        let server = Server { running, runtime };
        // Another program may listen there by now: it does not know the key.
        let known = server.ask("GET", "/local/hello", Vec::new());
        known.is_ok_and(|(status, _)| status == 200).then_some(server)
    }

    fn request(&self, method: &str, path: &str, body: Vec<u8>) -> Result<(u16, Body), VerbError> {
        let request = axum::http::Request::builder()
            .method(method)
            .uri(format!("http://{}{path}", self.running.address))
            .header("authorization", format!("Bearer {}", self.running.key))
            .header("content-type", "application/json")
            .body(Body::from(body))
            .map_err(unheard)?;
        self.runtime.block_on(async {
            let executor = hyper_util::rt::TokioExecutor::new();
            let client: Client = hyper_util::client::legacy::Client::builder(executor).build_http();
            let answer = tokio::time::timeout(ANSWERED_IN, client.request(request)).await;
            let answer = answer.map_err(unheard)?.map_err(|error| unheard(cause(&error)))?;
            Ok((answer.status().as_u16(), Body::new(answer.into_body())))
        })
    }

    fn ask(&self, method: &str, path: &str, body: Vec<u8>) -> Result<(u16, Bytes), VerbError> {
        let (status, body) = self.request(method, path, body)?;
        let read = axum::body::to_bytes(body, MOST_BYTES);
        Ok((status, self.runtime.block_on(read).map_err(unheard)?))
    }

    /// Sends something that programs may send too, and gives what is answered.
    ///
    /// # Errors
    /// Where it is refused.
    pub fn ask_json(
        &self,
        method: &str,
        path: &str,
        body: Option<&serde_json::Value>,
    ) -> Result<serde_json::Value, VerbError> {
        let body = body.map_or(Vec::new(), |body| body.to_string().into_bytes());
        let (status, bytes) = self.ask(method, path, body)?;
        match status {
            200..=299 => serde_json::from_slice(&bytes).map_err(unheard),
            _ => Err(refused(&bytes)),
        }
    }

    fn pass(&self, passed: &Passed) -> Result<Answered, VerbError> {
        let body = serde_json::to_vec(passed).map_err(unheard)?;
        let (status, bytes) = self.ask("POST", "/local/orders", body)?;
        match status {
            200 => serde_json::from_slice(&bytes).map_err(unheard),
            _ => Err(refused(&bytes)),
        }
    }

    /// Passes orders on.
    ///
    /// # Errors
    /// Where none of them was carried out.
    pub fn orders(
        &self,
        asker: &Asker,
        tournament: Option<&str>,
        orders: Vec<Order>,
    ) -> Result<Heard, VerbError> {
        let tournament = tournament.map(str::to_string);
        let answered = self.pass(&Passed { asker: asker.into(), tournament, new: None, orders })?;
        let Answered { stream, answers, notes, failed } = answered;
        let answers = answers.into_iter().map(|one| one.map_err(VerbError::from)).collect();
        match failed {
            Some(failed) => Err(failed.into()),
            None => Ok(Heard { stream, answers, notes }),
        }
    }

    /// Passes an opening on, and gives the tournament's id.
    ///
    /// # Errors
    /// Why it is not opened.
    pub fn open(&self, asker: &Asker, new: New) -> Result<(String, Told), VerbError> {
        let (tournament, new) = (None, Some(new));
        let orders = Vec::new();
        let answered = self.pass(&Passed { asker: asker.into(), tournament, new, orders })?;
        let told = answered.answers.into_iter().next();
        let told = told.unwrap_or_else(|| Err(unheard("nothing was said").into()));
        Ok((answered.stream, told?))
    }

    /// Has who may do what written beside the journal as it stands now.
    ///
    /// # Errors
    /// Where it cannot be written.
    pub fn copy_house(&self) -> Result<(), VerbError> {
        match self.ask("POST", "/local/house", Vec::new())? {
            (200, _) => Ok(()),
            (_, bytes) => Err(refused(&bytes)),
        }
    }

    /// Has the store mirrored in a folder from now on; none: nowhere.
    ///
    /// # Errors
    /// Where it cannot be: it goes on as before.
    pub fn mirror(&self, folder: Option<&Path>) -> Result<(), VerbError> {
        let body = serde_json::to_vec(&folder).map_err(unheard)?;
        match self.ask("POST", "/local/mirror", body)? {
            (200, _) => Ok(()),
            (_, bytes) => Err(refused(&bytes)),
        }
    }

    /// Has the laptop become the desk, and waits until the server, which begins anew with another key, answers as
    /// that. Gives what is said of what stays on the other laptop.
    ///
    /// # Errors
    /// As [`take_over`], and where it does not answer again.
    pub fn take_over(&self, folder: &Path, is_sure: bool) -> Result<String, VerbError> {
        let body = if is_sure { TAKE_ALL_THE_SAME } else { TAKE };
        let left = match self.ask("POST", "/local/take-over", body.into())? {
            (200, bytes) => String::from_utf8_lossy(&bytes).into_owned(),
            (_, bytes) => return Err(refused(&bytes)),
        };
        let since = Instant::now();
        let is_new = |server: Server| server.running.key != self.running.key;
        while !Server::of(folder).is_some_and(is_new) {
            if since.elapsed() > ANSWERED_IN {
                return Err(unheard("this laptop has become the desk, and it begins anew"));
            }
            std::thread::sleep(LOOK_EVERY);
        }
        Ok(left)
    }

    /// Has a code made for a second laptop, and gives what is typed there, with what is to be known where no
    /// other laptop reaches this one.
    ///
    /// # Errors
    /// Where this is not the desk.
    pub fn second_code(&self) -> Result<(String, Option<String>), VerbError> {
        let (status, bytes) = self.ask("POST", "/second/code", crate::second::MAKE.into())?;
        let said: serde_json::Value = serde_json::from_slice(&bytes).map_err(unheard)?;
        match (status, said["second"].as_str()) {
            (201, Some(typed)) => {
                Ok((typed.to_string(), said["note"].as_str().map(str::to_string)))
            }
            _ => Err(refused(&bytes)),
        }
    }

    /// Has the store lent, until what is given is dropped.
    ///
    /// # Errors
    /// Where the server does not lend it.
    pub fn lend(self) -> Result<Lent, VerbError> {
        let (status, body) = self.request("POST", "/local/lend", Vec::new())?;
        if status == 200 {
            return Ok(Lent { _body: body, _server: self });
        }
        let read = axum::body::to_bytes(body, MOST_BYTES);
        let bytes = self.runtime.block_on(read).map_err(unheard)?;
        Err(refused(&bytes))
    }
}

fn refused(bytes: &[u8]) -> VerbError {
    failed::refused(bytes).unwrap_or_else(unheard)
}

/// Writes who may do what beside the journal as it stands now, for a copy of the store.
///
/// # Errors
/// Where it is not the command line, or it cannot be written.
pub async fn copy_house(
    Shared(state): Shared<Arc<State>>,
    who: Who,
) -> Result<&'static str, Refusal> {
    who.check(Need::Local)?;
    state.copy_house().await?;
    Ok("copied\n")
}

/// Has the store mirrored in a folder from now on, or nowhere any more, where that is not so already.
///
/// # Errors
/// Where it is not the command line, or the store cannot be mirrored there.
pub async fn mirror(
    Shared(state): Shared<Arc<State>>,
    who: Who,
    body: Bytes,
) -> Result<&'static str, Refusal> {
    who.check(Need::Local)?;
    let folder: Option<PathBuf> = serde_json::from_slice(&body)
        .map_err(|error| bad_request(format!("this is no folder: {error}")))?;
    let known = state.beside(|state| Ok(state.setup.folder.as_deref().map(remembered))).await?;
    let stands = match known {
        Some(Ok(kept)) => kept.map(|kept| kept.folder) == folder,
        _ => false,
    };
    if !stands {
        state.mirror(folder.map_or(Mirror::Off, Mirror::In)).await?;
    }
    Ok("mirrored\n")
}

/// Makes this laptop the desk in place of the one that it follows, and says what stays there.
///
/// # Errors
/// Where it is not the command line, or it has never had everything.
pub async fn take_over(
    Shared(state): Shared<Arc<State>>,
    who: Who,
    body: axum::body::Bytes,
) -> Result<String, Refusal> {
    who.check(Need::Local)?;
    let sure = is_sure(&body)?;
    let left = become_desk(&state, sure).await?;
    Ok(left.map_or_else(String::new, |left| format!("{left}\n")))
}

/// Says that the server is there and knows the key.
///
/// # Errors
/// Where it does not.
pub async fn hello(who: Who) -> Result<&'static str, Refusal> {
    who.check(Need::Local)?;
    Ok("scrutineer\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A command in the copy of a folder recorded in the store that was copied.
    #[test]
    #[cfg(unix)]
    fn the_copy_of_a_folder_has_no_server_though_it_has_the_file_of_one() {
        let [store, copy] = [(); 2].map(|()| tempfile::TempDir::new().expect("a folder"));
        let running = Running {
            address: SocketAddr::from(([127, 0, 0, 1], 7_780)),
            key: "k".into(),
            process: 1,
            folder: known_by(store.path()),
        };
        announce(store.path(), &running).expect("announced");
        std::fs::copy(store.path().join(FILE), copy.path().join(FILE)).expect("copied");
        assert_eq!(announced(store.path()), Some(running));
        assert_eq!(announced(copy.path()), None);
    }
}
