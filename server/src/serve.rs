//! The server: its own accept loop with limits, who is served, and an end in order.

use crate::connection::{ANSWER_IN, NO_PLACE, READ_ON, Served};
use crate::guard::{as_problem, carry_aside, guard};
use crate::https::{self, Https};
use crate::kept::LINES;
use crate::local::{self, Running};
use crate::parameters::only_described;
use crate::routes::{no_method, routes};
use crate::state::{Setup, State, apart};
use crate::who::Ends;
use crate::{
    admin, follow, keeping, laptops, live_api, notices, other_files, publisher, rooms, webhooks,
};
use axum::Router;
use axum::http::StatusCode;
use axum::middleware;
use axum::routing::get;
use hyper_util::server::graceful::GracefulShutdown;
use scrutineer_desk::verb_error::VerbError;
use scrutineer_engine::error::Code;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;
use tokio::net::{TcpListener, TcpStream};
use tokio::runtime::Handle;
use tokio::sync::watch;
use tower_http::compression::CompressionLayer;
use tower_http::compression::predicate::{DefaultPredicate, NotForContentType, Predicate};
use tower_http::limit::RequestBodyLimitLayer;
use tower_http::timeout::TimeoutLayer;

/// How long an end in order takes at most.
const END_IN: Duration = Duration::from_secs(10);

/// A server that is about to serve.
pub struct Started {
    /// The address at which it listens.
    pub address: SocketAddr,
    /// What its requests share.
    pub state: Arc<State>,
    /// Stops it.
    pub stop: watch::Sender<bool>,
    listener: TcpListener,
    secure: Option<(TcpListener, Arc<Https>)>,
    admin: Option<TcpListener>,
    health: Option<TcpListener>,
}

/// Opens the store, and listens.
///
/// # Errors
/// Where the store cannot be opened, or the address is taken.
pub async fn start(mut setup: Setup, listen: SocketAddr) -> Result<Started, VerbError> {
    // A connection touches half of its buffers; in huge pages all of them would be there. Where the
    // system refuses that, only memory is lost.
    #[cfg(target_os = "linux")]
    let _ = rustix::thread::disable_transparent_huge_pages(true);
    let (stop, stopping) = watch::channel(false);
    let bound = TcpListener::bind(listen).await;
    let listener = bound.map_err(|error| not_listening(listen, &error))?;
    let address = listener.local_addr().map_err(|error| not_listening(listen, &error))?;
    let secure = match setup.https.clone() {
        Some(https) => Some(secure(https, &mut setup.names).await?),
        None => None,
    };
    let admin = match setup.admin {
        Some(at) => Some(admin::listen(at).await?),
        None => None,
    };
    let health = match setup.health {
        Some(at) => Some(admin::listen_for_balancers(at).await?),
        None => None,
    };
    let state = apart(move || State::open(setup, stopping)).await??;
    let _ = state.listens.set(address);
    if let Some((listener, https)) = &secure {
        let at = listener.local_addr().map_err(|error| not_listening(address, &error))?;
        let _ = state.secure.set((at, https.origin(at, &state.setup.names)));
    }
    let state = Arc::new(state);
    state.second.listens_at(address);
    // Before anything is recorded: another laptop may have taken over meanwhile.
    if !state.setup.has_taken_over {
        state.second.look_round(Duration::from_millis(1_500)).await;
    }
    if let Some(folder) = &state.setup.folder {
        let address = SocketAddr::new(near(address.ip()), address.port());
        let running = Running {
            address,
            key: state.local_key.clone(),
            process: std::process::id(),
            folder: local::known_by(folder),
        };
        local::announce(folder, &running).map_err(|error| {
            let message = format!("server.json cannot be written: {error}");
            VerbError::new(Code::io("server-not-started"), message, "look at the store's folder")
        })?;
    }
    Ok(Started { address, state, stop, listener, secure, admin, health })
}

/// Reads the certificate, and listens for https. The names that it is for are names of this machine.
async fn secure(
    setup: https::Setup,
    names: &mut Vec<String>,
) -> Result<(TcpListener, Arc<Https>), VerbError> {
    let at = setup.listen;
    let https = Arc::new(apart(move || Https::read(setup)).await??);
    names.extend_from_slice(https.names());
    let bound = TcpListener::bind(at).await;
    Ok((bound.map_err(|error| not_listening(at, &error))?, https))
}

/// Looks at the certificate's files from time to time, and takes a new one where it is there. One that
/// is not good is told among the changes, and the one before stays.
async fn renew(state: Arc<State>, https: Arc<Https>) {
    let mut seen = https.seen();
    loop {
        tokio::time::sleep(https::LOOK_EVERY).await;
        let now = https.seen();
        if now == seen {
            continue;
        }
        seen = now;
        let (state, https) = (Arc::clone(&state), Arc::clone(&https));
        let _ = apart(move || {
            let what = match https.renew() {
                Ok(()) => "https goes on with a new certificate".to_string(),
                // Also between the writing of the one file and the other.
                Err(error) => format!("https stays with the certificate before: {}", error.message),
            };
            // It is served all the same where that cannot be kept.
            let _ = state.house.note("the server", what);
        })
        .await;
    }
}

/// Takes a connection over https; none ever comes where that is not spoken.
async fn secure_taken(
    secure: Option<&(TcpListener, Arc<Https>)>,
) -> std::io::Result<(TcpStream, SocketAddr)> {
    match secure {
        Some((listener, _)) => listener.accept().await,
        None => std::future::pending().await,
    }
}

/// Where the command line reaches a server of this machine.
fn near(listened: IpAddr) -> IpAddr {
    match listened {
        any if any.is_unspecified() => IpAddr::V4(Ipv4Addr::LOCALHOST),
        own => own,
    }
}

fn not_listening(listen: SocketAddr, error: &std::io::Error) -> VerbError {
    let hint = "another server has it perhaps: name another one with --listen 0.0.0.0:7790";
    let message = format!("cannot listen at {listen}: {error}");
    VerbError::new(Code::io("server-not-started"), message, hint)
}

impl Started {
    /// Serves until it is stopped: then no connection is taken any more, streams say `bye`, what was
    /// begun is finished, and the store is closed.
    ///
    /// # Errors
    /// Where the system has no threads for it.
    pub async fn serve(self) -> Result<(), VerbError> {
        rooms::more_files();
        let gallery = rooms::gallery().map_err(|error| {
            let message = format!("the server cannot start: {error}");
            VerbError::new(Code::io("server-not-started"), message, "try it again")
        })?;
        if let Some(listener) = self.admin {
            let routes = admin::routes(Arc::clone(&self.state));
            tokio::spawn(admin::serve(listener, routes, self.state.stopping.clone()));
        }
        if let Some(listener) = self.health {
            let routes = admin::routes_for_balancers(Arc::clone(&self.state));
            tokio::spawn(admin::serve(listener, routes, self.state.stopping.clone()));
        }
        let app = app(Arc::clone(&self.state));
        #[cfg(feature = "postgres")]
        crate::others::attend(Arc::clone(&self.state));
        tokio::spawn(Arc::clone(&self.state).keep_behind());
        tokio::spawn(Arc::clone(&self.state).finish_forgetting());
        tokio::spawn(laptops::attend(Arc::clone(&self.state)));
        tokio::spawn(follow::say_anew(Arc::clone(&self.state)));
        if self.state.setup.webhooks_to.is_some() {
            tokio::spawn(webhooks::run(Arc::clone(&self.state)));
            tokio::spawn(notices::run(Arc::clone(&self.state)));
        }
        tokio::spawn(publisher::attend(Arc::clone(&self.state)));
        if self.state.setup.beside.is_some() {
            tokio::spawn(other_files::run(Arc::clone(&self.state)));
        }
        if self.state.setup.takes_name && !self.address.ip().is_loopback() {
            self.state.second.take_name();
        }
        if let Some((_, https)) = &self.secure {
            tokio::spawn(renew(Arc::clone(&self.state), Arc::clone(https)));
        }
        let desk = Handle::current();
        let graceful = GracefulShutdown::new();
        let mut stopping = self.state.stopping.clone();
        loop {
            let (taken, https) = tokio::select! {
                taken = self.listener.accept() => (taken, None),
                taken = secure_taken(self.secure.as_ref()) => {
                    (taken, self.secure.as_ref().map(|(_, https)| Arc::clone(https)))
                }
                _ = stopping.wait_for(|stops| *stops) => break,
            };
            let Ok((socket, remote)) = taken else {
                // Too many open files, such as: it passes.
                tokio::time::sleep(Duration::from_millis(20)).await;
                continue;
            };
            let Ok(local) = socket.local_addr() else { continue };
            let Some(place) = self.state.places.take(remote.ip()) else {
                // Whoever reads nothing is not waited for; nor is anybody greeted to be told that.
                if https.is_none() {
                    let _ = socket.try_write(NO_PLACE);
                }
                continue;
            };
            // What is written is small and waited for.
            let _ = socket.set_nodelay(true);
            let served = Served {
                state: Arc::clone(&self.state),
                app: app.clone(),
                ends: Ends { remote, local, is_secure: https.is_some() },
                watcher: graceful.watcher(),
            };
            match https {
                None => {
                    tokio::spawn(served.in_its_room(socket, place, gallery.handle().clone()));
                }
                Some(https) => {
                    gallery.spawn(served.greeted(socket, place, https, desk.clone()));
                }
            }
        }
        drop((self.listener, self.secure));
        if let Some(folder) = &self.state.setup.folder {
            local::withdraw(folder);
        }
        let _ = tokio::time::timeout(END_IN, graceful.shutdown()).await;
        self.state.close().await;
        gallery.shutdown_background();
        Ok(())
    }
}

/// Returns all that is served.
pub fn app(state: Arc<State>) -> Router {
    // What comes bit by bit is not held back to be packed.
    let no_streams = DefaultPredicate::new()
        .and(NotForContentType::const_new("text/event-stream"))
        .and(NotForContentType::const_new(LINES));
    let timed = routes(&state)
        .route_layer(middleware::from_fn(only_described))
        .layer(TimeoutLayer::with_status_code(StatusCode::GATEWAY_TIMEOUT, ANSWER_IN))
        // Before it is packed: what is packed says nothing to whoever reads it here.
        .layer(middleware::map_response(as_problem))
        .layer(CompressionLayer::new().compress_when(no_streams));
    let streams = Router::new()
        .route("/t/{id}/live", get(live_api::stream))
        .route("/t/{id}/me/live", get(live_api::own_stream))
        .route(
            "/api/v1/tournaments/{id}/live",
            get(live_api::stream).layer(middleware::from_fn(only_described)),
        )
        .method_not_allowed_fallback(no_method);
    timed
        .merge(streams)
        .layer(middleware::from_fn_with_state(Arc::clone(&state), keeping::serve))
        .layer(middleware::from_fn_with_state(Arc::clone(&state), carry_aside))
        // Each route has its own limit: this is what is not even read to be thrown away.
        .layer(RequestBodyLimitLayer::new(READ_ON))
        .layer(middleware::from_fn_with_state(Arc::clone(&state), guard))
        .with_state(state)
}
