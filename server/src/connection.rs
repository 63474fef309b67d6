//! A connection: how long it may take, how much is read of it, and what is answered at once.

use crate::gate::Role;
use crate::guard::{check_host, note, set_headers};
use crate::https::{self, Https, Line};
use crate::other_sites;
use crate::rooms::{self, Place, Room};
use crate::state::State;
use crate::uploads::MOST_BYTES;
use crate::who::Ends;
use axum::Router;
use axum::body::Body;
use axum::http::{HeaderName, HeaderValue, Request, header};
use axum::response::Response;
use futures_util::StreamExt;
use hyper::body::{Body as HttpBody, Bytes, Frame, Incoming, SizeHint};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::Watcher;
use std::convert::Infallible;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};
use std::time::{Duration, Instant};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpStream;
use tokio::runtime::Handle;
use tokio::time::timeout_at;
use tokio_io_timeout::TimeoutStream;
use tower::ServiceExt;

/// How long somebody takes for the headers of a request.
pub const HEADERS_IN: Duration = Duration::from_secs(10);
/// How long a request takes.
pub const ANSWER_IN: Duration = Duration::from_secs(30);
/// How much is read and thrown away of a body that nobody wants: four of the largest uploads.
pub const READ_ON: usize = 4 * MOST_BYTES;
/// How much is read and written of one at once; a line and headers that are longer are refused.
pub const BUFFER: usize = 8 * 1_024;
/// How long somebody takes to read some of an answer: who takes nothing for so long is cut off.
pub const TAKEN_IN: Duration = Duration::from_secs(20);
/// What somebody is told for whom there is no place.
pub const NO_PLACE: &[u8] = b"HTTP/1.1 503 Service Unavailable\r\nretry-after: 2\r\n\
    content-type: application/problem+json\r\ncontent-length: 70\r\nconnection: close\r\n\r\n\
    {\"status\":503,\"code\":\"too-busy\",\"detail\":\"too many are here already\"}\n";

/// What a connection is served with.
pub struct Served {
    /// What requests share.
    pub state: Arc<State>,
    /// The routes.
    pub app: Router,
    /// Its ends.
    pub ends: Ends,
    /// Sees to its end in order.
    pub watcher: Watcher,
}

impl Served {
    /// Serves a connection at the desk, or has the gallery serve it.
    pub async fn in_its_room(self, socket: TcpStream, place: Place, gallery: Handle) {
        let mut stopping = self.state.stopping.clone();
        let room = tokio::select! {
            room = rooms::glance(&socket, HEADERS_IN) => room,
            // Who has said nothing yet is not waited for.
            _ = stopping.wait_for(|stops| *stops) => None,
        };
        match room {
            None => {}
            Some(Room::Gallery) => drop(gallery.spawn(self.moved(socket, place))),
            Some(Room::Desk) => match place.to_desk() {
                Some(place) => self.connection(Box::pin(socket), place, Room::Desk).await,
                None => drop(socket.try_write(NO_PLACE)),
            },
        }
    }

    /// As [`Served::in_its_room`], over https. It begins in the gallery, whose threads do the arithmetic of
    /// a greeting, so that a thousand who come at once do not hold the desk.
    pub async fn greeted(self, socket: TcpStream, place: Place, https: Arc<Https>, desk: Handle) {
        let mut stopping = self.state.stopping.clone();
        let greeted = tokio::select! {
            greeted = https.greet(socket, HEADERS_IN) => greeted,
            _ = stopping.wait_for(|stops| *stops) => None,
        };
        match greeted {
            None => {}
            Some((Room::Gallery, line)) => self.connection(line, place, Room::Gallery).await,
            Some((Room::Desk, line)) => match place.to_desk() {
                Some(place) => drop(desk.spawn(self.connection(line, place, Room::Desk))),
                None => https::no_place(line, NO_PLACE).await,
            },
        }
    }

    /// A connection that goes over to other threads.
    async fn moved(self, socket: TcpStream, place: Place) {
        let Ok(socket) = socket.into_std().and_then(TcpStream::from_std) else { return };
        self.connection(Box::pin(socket), place, Room::Gallery).await;
    }

    async fn connection(self, socket: Line, place: Place, room: Room) {
        let Served { state, app, ends, watcher } = self;
        let socket = taken_in(socket, TAKEN_IN);
        let service = service_fn(move |mut request: Request<Incoming>| {
            if ends.is_secure {
                // As a proxy says it that speaks https before this server.
                let way = HeaderName::from_static("x-forwarded-proto");
                request.headers_mut().insert(way, HeaderValue::from_static("https"));
            }
            let quick = quick(&state, &request, ends);
            // Who has come in meanwhile goes on at the desk, by their next connection.
            let goes = room == Room::Gallery && rooms::shows_who(request.headers());
            let app = app.clone();
            // In a box of its own, which is gone when it is answered: a stream goes on without it.
            Box::pin(async move {
                let mut answer = match quick {
                    Some(answer) => answer,
                    None => {
                        let mut request = arriving(request);
                        request.extensions_mut().insert(ends);
                        app.oneshot(request).await?
                    }
                };
                if goes {
                    let close = HeaderValue::from_static("close");
                    answer.headers_mut().insert(header::CONNECTION, close);
                }
                Ok::<_, Infallible>(answer)
            })
        });
        let mut builder = http1::Builder::new();
        builder.timer(TokioTimer::new()).header_read_timeout(HEADERS_IN).max_buf_size(BUFFER);
        // Whoever goes away in the middle is no fault. What is kept in a name here is there twice.
        let io = TokioIo::new(Box::pin(socket));
        let _ = watcher.watch(builder.serve_connection(io, service)).await;
        drop(place);
    }
}

/// A connection that ends when nothing of what is written is taken for so long.
fn taken_in<T: AsyncRead + AsyncWrite>(socket: T, patience: Duration) -> TimeoutStream<T> {
    let mut socket = TimeoutStream::new(socket);
    socket.set_write_timeout(Some(patience));
    socket
}

/// The body of a request. Most programs write all of it before they read: where it is refused, the rest
/// is read and thrown away, so that they are told why and not cut off.
struct Arriving {
    /// None once its end was read.
    body: Option<Incoming>,
    /// The deadline of the request.
    until: Instant,
    /// Whether it comes: who waits to be asked for it sends nothing before.
    comes: bool,
}

fn arriving(request: Request<Incoming>) -> Request<Body> {
    let comes = !request.headers().contains_key(header::EXPECT);
    let until = Instant::now() + ANSWER_IN;
    request.map(|body| Body::new(Arriving { body: Some(body), until, comes }))
}

impl HttpBody for Arriving {
    type Data = Bytes;
    type Error = hyper::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, hyper::Error>>> {
        self.comes = true;
        let Some(body) = self.body.as_mut() else { return Poll::Ready(None) };
        let frame = ready!(Pin::new(body).poll_frame(context));
        if !matches!(frame, Some(Ok(_))) {
            self.body = None;
        }
        Poll::Ready(frame)
    }

    fn is_end_stream(&self) -> bool {
        self.body.as_ref().is_none_or(|body| body.is_end_stream())
    }

    fn size_hint(&self) -> SizeHint {
        self.body.as_ref().map_or(SizeHint::with_exact(0), |body| body.size_hint())
    }
}

impl Drop for Arriving {
    fn drop(&mut self) {
        let Some(body) = self.body.take().filter(|body| !body.is_end_stream()) else { return };
        let is_bounded = body.size_hint().lower() <= READ_ON as u64;
        if let (true, Ok(here)) = (self.comes && is_bounded, Handle::try_current()) {
            here.spawn(timeout_at(self.until.into(), throw_away(body)));
        }
    }
}

/// Reads a body to its end, or as much as is read on, and keeps nothing of it.
async fn throw_away(body: Incoming) {
    let (mut parts, mut left) = (Body::new(body).into_data_stream(), READ_ON);
    while let Some(Ok(part)) = parts.next().await {
        if part.len() > left {
            break;
        }
        left -= part.len();
    }
}

/// What is answered without a look at the routes, as it is kept.
fn quick(state: &State, request: &Request<Incoming>, ends: Ends) -> Option<Response> {
    let (uri, headers, begun) = (request.uri(), request.headers(), Instant::now());
    if state.second.is_replaced() {
        return None;
    }
    let (mut answer, route) = state.pages.quick(request.method(), uri, headers)?;
    check_host(state, headers, uri, Some(ends)).ok()?;
    set_headers(&mut answer, &route);
    if let Some(is_public) = other_sites::is_public(request.method(), &route, headers) {
        other_sites::tell(answer.headers_mut(), is_public);
    }
    let who = ("nobody", Role::Public.word());
    note(state, (request.method(), &route, uri.path()), who, answer.status(), begun);
    Some(answer)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::future::poll_fn;
    use tokio::net::TcpListener;

    #[test]
    fn who_takes_nothing_is_cut_off() {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
        runtime.expect("a thread").block_on(async {
            let listener = TcpListener::bind("127.0.0.1:0").await.expect("listening");
            let address = listener.local_addr().expect("an address");
            let theirs = TcpStream::connect(address).await.expect("connected");
            let (ours, _) = listener.accept().await.expect("accepted");
            let mut socket = Box::pin(taken_in(ours, Duration::from_millis(50)));
            let cut = loop {
                let write = poll_fn(|at| socket.as_mut().poll_write(at, &[0; 1 << 16]));
                if let Err(error) = write.await {
                    break error;
                }
            };
            assert_eq!(cut.kind(), std::io::ErrorKind::TimedOut);
            drop(theirs);
        });
    }
}
