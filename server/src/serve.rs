//! The server: its own accept loop with limits, who is served, and an end in order.

use crate::live_api;
use crate::local::{self, Running};
use crate::problem::{Refusal, bad_request, too_large};
use crate::routes::{LIST_BODY, routes};
use crate::state::{Setup, State};
use crate::who::{COOKIE, Ends, session_in};
use axum::Router;
use axum::body::Body;
use axum::extract::{Request, State as Shared};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, Uri, header};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use hyper_util::rt::{TokioExecutor, TokioIo, TokioTimer};
use hyper_util::server::conn::auto::Builder;
use hyper_util::server::graceful::GracefulShutdown;
use hyper_util::service::TowerToHyperService;
use scrutineer_desk::verb_error::VerbError;
use scrutineer_engine::error::Code;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;
use tokio::net::TcpListener;
use tokio::sync::{Semaphore, watch};
use tower_http::compression::CompressionLayer;
use tower_http::compression::predicate::{DefaultPredicate, NotForContentType, Predicate};
use tower_http::limit::RequestBodyLimitLayer;
use tower_http::timeout::TimeoutLayer;

/// How many connections are served at a time.
const CONNECTIONS: usize = 2_000;
/// How long somebody takes for the headers of a request.
const HEADERS_IN: Duration = Duration::from_secs(10);
/// How long a request takes.
const ANSWER_IN: Duration = Duration::from_secs(30);
/// How much is read of one at once.
const BUFFER: usize = 16 * 1_024;
/// How long an end in order takes at most.
const END_IN: Duration = Duration::from_secs(10);

/// What a page may load: nothing but what this server has, and nothing that stands in the page.
const CONTENT_SECURITY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; \
     img-src 'self' data:; connect-src 'self'; manifest-src 'self'; form-action 'self'; \
     base-uri 'none'; frame-ancestors 'none'";

/// A server that is about to serve.
pub struct Started {
    /// The address at which it listens.
    pub address: SocketAddr,
    /// What its requests share.
    pub state: Arc<State>,
    /// Stops it.
    pub stop: watch::Sender<bool>,
    listener: TcpListener,
}

/// Opens the store, and listens.
///
/// # Errors
/// Where the store cannot be opened, or the address is taken.
pub async fn start(setup: Setup, listen: SocketAddr) -> Result<Started, VerbError> {
    let (stop, stopping) = watch::channel(false);
    let bound = TcpListener::bind(listen).await;
    let listener = bound.map_err(|error| not_listening(listen, &error))?;
    let address = listener.local_addr().map_err(|error| not_listening(listen, &error))?;
    let opened = tokio::task::spawn_blocking(move || State::open(setup, stopping)).await;
    let state = opened.map_err(|error| {
        VerbError::new(Code::internal("request-not-done"), error.to_string(), "start it again")
    })??;
    let state = Arc::new(state);
    if let Some(folder) = &state.setup.folder {
        let address = SocketAddr::new(near(address.ip()), address.port());
        let running =
            Running { address, key: state.local_key.clone(), process: std::process::id() };
        local::announce(folder, &running).map_err(|error| {
            let message = format!("server.json cannot be written: {error}");
            VerbError::new(Code::io("server-not-started"), message, "look at the store's folder")
        })?;
    }
    Ok(Started { address, state, stop, listener })
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
    pub async fn serve(self) {
        let app = app(Arc::clone(&self.state));
        tokio::spawn(Arc::clone(&self.state).keep_behind());
        let (graceful, places) = (GracefulShutdown::new(), Arc::new(Semaphore::new(CONNECTIONS)));
        let mut builder = Builder::new(TokioExecutor::new()).http1_only();
        builder.http1().timer(TokioTimer::new()).header_read_timeout(HEADERS_IN);
        builder.http1().max_buf_size(BUFFER);
        let mut stopping = self.state.stopping.clone();
        loop {
            let Ok(place) = Arc::clone(&places).acquire_owned().await else { break };
            let taken = tokio::select! {
                taken = self.listener.accept() => taken,
                _ = stopping.wait_for(|stops| *stops) => break,
            };
            let Ok((socket, remote)) = taken else {
                // Too many open files, such as: it passes.
                tokio::time::sleep(Duration::from_millis(20)).await;
                continue;
            };
            let Ok(local) = socket.local_addr() else { continue };
            // What is written is small and waited for.
            let _ = socket.set_nodelay(true);
            let ends = Ends { remote, local };
            let service = tower::ServiceBuilder::new()
                .map_request(move |request: axum::http::Request<_>| {
                    let mut request = request.map(Body::new);
                    request.extensions_mut().insert(ends);
                    request
                })
                .service(app.clone());
            let service = TowerToHyperService::new(service);
            let served = builder.serve_connection(TokioIo::new(socket), service).into_owned();
            let served = graceful.watch(served);
            tokio::spawn(async move {
                // Whoever goes away in the middle is no fault.
                let _ = served.await;
                drop(place);
            });
        }
        drop(self.listener);
        if let Some(folder) = &self.state.setup.folder {
            local::withdraw(folder);
        }
        let _ = tokio::time::timeout(END_IN, graceful.shutdown()).await;
        self.state.close().await;
    }
}

/// Returns all that is served.
pub fn app(state: Arc<State>) -> Router {
    let no_streams = DefaultPredicate::new().and(NotForContentType::const_new("text/event-stream"));
    let timed = routes()
        .layer(TimeoutLayer::with_status_code(StatusCode::GATEWAY_TIMEOUT, ANSWER_IN))
        .layer(CompressionLayer::new().compress_when(no_streams));
    let streams = Router::new()
        .route("/t/{id}/live", get(live_api::stream))
        .route("/api/v1/tournaments/{id}/live", get(live_api::stream));
    timed
        .merge(streams)
        .layer(RequestBodyLimitLayer::new(LIST_BODY))
        .layer(middleware::from_fn_with_state(Arc::clone(&state), guard))
        .with_state(state)
}

/// Keeps out what comes from other sites, and sets the headers of every answer.
async fn guard(Shared(state): Shared<Arc<State>>, request: Request, next: Next) -> Response {
    let path = request.uri().path().to_string();
    let refused = check_host(&state, &request).and_then(|()| check_origin(&request));
    let mut response = match refused {
        Ok(()) => as_problem(next.run(request).await).await,
        Err(error) => Refusal::from(error).into_response(),
    };
    let headers = response.headers_mut();
    for (name, value) in [
        (header::CONTENT_SECURITY_POLICY, CONTENT_SECURITY),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::REFERRER_POLICY, "no-referrer"),
        (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
        (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
    ] {
        headers.insert(name, HeaderValue::from_static(value));
    }
    if !path.starts_with("/s/") && !headers.contains_key(header::CACHE_CONTROL) {
        headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("private, no-cache"));
    }
    response
}

/// Refusals of what stands before the routes, told like all others.
async fn as_problem(response: Response) -> Response {
    let status = response.status();
    let kind = response.headers().get(header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok());
    let is_told = kind.is_some_and(|kind| !kind.starts_with("text/plain"));
    if is_told || !(status.is_client_error() || status.is_server_error()) {
        return response;
    }
    let error = match status {
        StatusCode::PAYLOAD_TOO_LARGE => too_large(),
        StatusCode::GATEWAY_TIMEOUT => {
            let hint = "send it again under its key, or look at the log";
            let message = "this takes longer than a request may; it may be done or not";
            VerbError::new(Code::unknown_outcome("outcome-unknown"), message, hint)
        }
        _ => {
            let said = axum::body::to_bytes(response.into_body(), 4_096).await.unwrap_or_default();
            bad_request(String::from_utf8_lossy(&said).into_owned())
        }
    };
    Refusal::from(error).into_response()
}

/// The name of a host without its port.
fn bare(host: &str) -> &str {
    match host.strip_prefix('[') {
        Some(rest) => rest.split(']').next().unwrap_or(rest),
        None => host.split(':').next().unwrap_or(host),
    }
}

fn host_of<'a>(headers: &'a HeaderMap, uri: &'a Uri) -> Option<&'a str> {
    let sent = headers.get(header::HOST).and_then(|value| value.to_str().ok());
    sent.or_else(|| uri.authority().map(|authority| authority.as_str()))
}

/// Refuses a name that is not this machine's: another site's name may lead here.
fn check_host(state: &State, request: &Request) -> Result<(), VerbError> {
    let wrong = |host: &str| {
        let hint = "use the address that the server printed";
        let message = format!("{host:?} is no name of this server");
        VerbError::new(Code::forbidden("other-host"), message, hint)
    };
    let Some(host) = host_of(request.headers(), request.uri()) else { return Err(wrong("")) };
    let name = bare(host).to_ascii_lowercase();
    let local = request.extensions().get::<Ends>().map(|ends| ends.local.ip().to_canonical());
    let is_known = match name.parse::<IpAddr>() {
        Ok(address) => address.is_loopback() || local == Some(address.to_canonical()),
        Err(_) => name == "localhost" || state.setup.names.contains(&name),
    };
    if is_known { Ok(()) } else { Err(wrong(host)) }
}

/// Refuses what another site makes a browser send.
fn check_origin(request: &Request) -> Result<(), VerbError> {
    if matches!(*request.method(), Method::GET | Method::HEAD | Method::OPTIONS) {
        return Ok(());
    }
    let headers = request.headers();
    let text = |name: &str| headers.get(name).and_then(|value| value.to_str().ok());
    let is_own = match (text("sec-fetch-site"), text("origin")) {
        (Some(site), _) => matches!(site, "same-origin" | "none"),
        (None, Some(origin)) => {
            let host = host_of(headers, request.uri());
            origin.split_once("://").map(|(_, host)| host) == host
        }
        // No browser: then nothing comes by itself that says who it is.
        (None, None) => session_in(headers).is_none(),
    };
    if is_own {
        return Ok(());
    }
    let hint = "post from a page of this server, or with a token";
    let message = format!("this comes from another site, or with the cookie `{COOKIE}` from none");
    Err(VerbError::new(Code::forbidden("other-origin"), message, hint))
}
