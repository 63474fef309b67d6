//! `serve`: the desk for browsers and programs, until somebody stops it.

use crate::args;
use crate::beside::Beside;
use crate::error::VerbError;
use crate::printable::printable;
use crate::session::{Session, hint_in, say};
use crate::{Answer, Report};
use qrcode::render::unicode::Dense1x2;
use qrcode::{EcLevel, QrCode};
use scrutineer_desk::asker::Asker;
use scrutineer_desk::keys::KeyFolder;
use scrutineer_desk::pairing_engine::PairingEngine;
use scrutineer_desk::standing::Is;
use scrutineer_desk::store::Store;
use scrutineer_engine::error::Code;
use scrutineer_server::connected::trust;
use scrutineer_server::demo;
use scrutineer_server::elsewhere::{Elsewhere, address};
use scrutineer_server::https;
use scrutineer_server::laptops::{become_desk_unserved, join};
use scrutineer_server::local::{Server, announced};
use scrutineer_server::other_program;
use scrutineer_server::request_log::RequestLog;
use scrutineer_server::serve::{Started, start};
use scrutineer_server::state::{Opener, Setup};
use std::io::Write;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;
use tokio::sync::watch;

/// Serves until Ctrl-C or an end by the system.
pub fn run(session: &Session, options: &args::Serve) -> Result<Report, VerbError> {
    if options.is_up {
        return Ok(is_up(session));
    }
    if options.open
        && !options.demo
        && Beside::of(session.folder()).is_some()
        && let Some(running) = announced(session.folder())
    {
        let room = format!("http://{}/", running.address);
        open_browser(&room);
        return Ok(Report::yes(format!("the desk runs already, at {room}\n")));
    }
    if options.second_code {
        return second_code(session);
    }
    if options.take_over
        && let Some(report) = take_over(session, options.even_if_heard)?
    {
        return Ok(report);
    }
    // Asked before there is a runtime: the client of a running server has its own.
    if !options.demo {
        not_served(session)?;
    }
    let runtime = runtime()?;
    if options.second.is_some() && session.store.in_folder().is_none() {
        let message = format!("{} is a database, and a folder is meant here", session.store);
        let hint = "a second laptop follows folders: start another server at the database";
        return Err(VerbError::new(Code::invalid("folder-is-meant"), message, hint));
    }
    runtime.block_on(async {
        if let Some(typed) = &options.second {
            let opener: Opener = Box::new(session.opener());
            join(session.folder(), &opener, typed).await?;
        }
        let ends = ending();
        let (end, ended) = watch::channel(false);
        tokio::spawn(async move {
            ends.await;
            end.send_replace(true);
        });
        let (mut listen, mut owners, mut has_taken_over) = (options.listen, Vec::new(), false);
        loop {
            let started = begin(session, options, listen, has_taken_over).await?;
            started.state.house.take_in(std::mem::take(&mut owners))?;
            let state = started.state.clone();
            listen = started.address;
            let stop = started.stop.clone();
            let watched = state.clone();
            let mut ended = ended.clone();
            let mut told = state.second.told();
            tokio::spawn(async move {
                while told.changed().await.is_ok() {
                    let text = told.borrow_and_update().clone();
                    say(&hint_in(&text));
                }
            });
            tokio::spawn(async move {
                tokio::select! {
                    _ = ended.wait_for(|ended| *ended) => {}
                    () = watched.second.taken_over() => {}
                }
                // Nobody listens any more where the server has ended by itself.
                let _ = stop.send(true);
            });
            started.serve().await?;
            has_taken_over = state.second.has_taken_over();
            if !has_taken_over {
                return Ok(Report::yes("the server has stopped, and the store is closed\n"));
            }
            // It followed, and is the desk now: with the house that it was given.
            owners = state.house.owners();
        }
    })
}

/// What the server, and whoever asks another one, waits with.
fn runtime() -> Result<tokio::runtime::Runtime, VerbError> {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build();
    runtime.map_err(|error| {
        let message = format!("the server cannot start: {error}");
        VerbError::new(Code::io("server-not-started"), message, "try it again")
    })
}

/// Starts the server, and says where it is.
async fn begin(
    session: &Session,
    options: &args::Serve,
    listen: SocketAddr,
    has_taken_over: bool,
) -> Result<Started, VerbError> {
    if let Some(file) = &options.authorities {
        trust(file)?;
    }
    // A name that was typed wrong makes a store too: it is said to be a new one.
    let is_new = !session.has_store();
    let (listen, setup) = match options.demo {
        true => invented(options)?,
        false => (listen, of_store(session, options)?),
    };
    let started = start(Setup { has_taken_over, ..setup }, listen).await?;
    if options.demo {
        let (state, shared) = (started.state.clone(), started.state.clone());
        let opened = state.act_alone(|state, store| demo::begin(&state.setup.asker, store));
        let stream = opened.await?;
        tokio::spawn(demo::play(shared, stream));
    }
    let owner = started.state.house.owner_link()?;
    greet(session, options, &started, (&owner, is_new));
    Ok(started)
}

/// Shows what is typed on a second laptop.
fn second_code(session: &Session) -> Result<Report, VerbError> {
    let server = Server::of(session.folder()).ok_or_else(|| {
        let hint = "start it: `scrutineer serve`; then ask for the code in another window";
        let message = format!("no server of {} runs", session.store);
        VerbError::new(Code::not_found("no-server"), message, hint)
    })?;
    let (typed, unreached) = server.second_code()?;
    if let Some(note) = unreached {
        say(&note);
    }
    Ok(Report::yes(format!(
        "on the second laptop, within an hour, once:\n\n  scrutineer serve --store second-store \
         --second {typed}\n"
    )))
}

/// Makes this laptop the desk. Where its server runs, that goes on as the desk; none: it is started.
fn take_over(session: &Session, is_sure: bool) -> Result<Option<Report>, VerbError> {
    if let Some(server) = Server::of(session.folder()) {
        let left = server.take_over(session.folder(), is_sure)?;
        let now = "this laptop is the desk now; its server shows where";
        return Ok(Some(Report::yes(format!("{now}\n{left}"))));
    }
    let folder = session.existing_store()?.folder();
    let opener: Opener = Box::new(session.opener());
    if let Some(left) = runtime()?.block_on(become_desk_unserved(folder, &opener, is_sure))? {
        say(&left);
    }
    Ok(None)
}

/// Refuses a second server of a store.
fn not_served(session: &Session) -> Result<(), VerbError> {
    if Beside::of(session.folder()).is_none() {
        return Ok(());
    }
    let message = format!("a server of {} runs already", session.store);
    let hint = "use it, or stop it with Ctrl-C where it was started";
    Err(VerbError::new(Code::busy("server-runs-already"), message, hint))
}

/// Whether the server of the store answers.
fn is_up(session: &Session) -> Report {
    match Beside::of(session.folder()) {
        Some(_) => Report::yes("the server of this store runs\n"),
        None => Report { text: "no server of this store runs\n".into(), answer: Answer::No },
    }
}

/// What a server of the store is started with that only this machine sees.
pub fn quiet(session: &Session) -> Setup {
    let folder = Some(session.folder().to_path_buf());
    let quiet = Setup::quiet(session.asker.clone(), Box::new(session.opener()), folder);
    Setup { next_mirror: Arc::clone(&session.next_mirror), ..quiet }
}

/// What a server of the store is started with.
fn of_store(session: &Session, options: &args::Serve) -> Result<Setup, VerbError> {
    let quiet = quiet(session);
    let asker = Asker { engine: engine(options)?, ..quiet.asker };
    Ok(Setup {
        asker,
        names: names(options),
        allow_plain_staff: options.allow_plain_staff,
        https: https(options),
        takes_name: !options.no_mdns,
        admin: options.admin,
        health: options.health,
        log: log(options),
        beside: beside(options)?,
        push: push(options)?,
        webhooks_to: Some(options.webhooks_to.clone()),
        ..quiet
    })
}

/// How long an engine may take: less than a command waits for the server.
const ENGINE_SECONDS: u32 = 50;

/// The engine that pairs Swiss rounds.
fn engine(options: &args::Serve) -> Result<Option<Arc<PairingEngine>>, VerbError> {
    let Some(command) = &options.engine else { return Ok(None) };
    let seconds = options.engine_seconds.unwrap_or(ENGINE_SECONDS);
    let engine = PairingEngine::named(command, Some(seconds), None)?;
    say(&printable(&format!("{} pairs Swiss rounds", engine.called())));
    Ok(Some(Arc::new(engine)))
}

/// The folder of another program.
fn beside(options: &args::Serve) -> Result<Option<other_program::Setup>, VerbError> {
    let Some(folder) = options.beside.clone() else { return Ok(None) };
    std::fs::read_dir(&folder).map_err(|error| VerbError::file(&folder, &error))?;
    Ok(Some(other_program::Setup { folder, tell: Box::new(|told| say(&printable(told))) }))
}

/// The public server to which is pushed.
fn push(options: &args::Serve) -> Result<Option<Elsewhere>, VerbError> {
    let (Some(typed), Some(file)) = (&options.push, &options.push_token) else { return Ok(None) };
    let token = std::fs::read_to_string(file).map_err(|error| VerbError::file(file, &error))?;
    let (base, _) = address(typed)?;
    Ok(Some(Elsewhere::new(base, Some(token.trim().to_string()))))
}

/// An invented tournament is shown to this machine alone.
fn invented(options: &args::Serve) -> Result<(SocketAddr, Setup), VerbError> {
    let listen = match options.listen.ip() {
        ip if ip.is_loopback() => options.listen,
        ip if ip.is_unspecified() => (Ipv4Addr::LOCALHOST, options.listen.port()).into(),
        _ => {
            let message = "an invented tournament is served on this machine alone";
            let hint = "leave --listen out, or type --listen 127.0.0.1:7780";
            return Err(VerbError::new(Code::invalid("demo-is-local"), message, hint));
        }
    };
    let asker = Asker { keys: KeyFolder::new(None), ..Asker::default() };
    let setup = Setup {
        names: names(options),
        admin: options.admin,
        health: options.health,
        log: log(options),
        webhooks_to: Some(options.webhooks_to.clone()),
        ..Setup::quiet(asker, Box::new(|| Ok(Store::in_memory())), None)
    };
    Ok((listen, setup))
}

/// Where https is spoken, and with which certificate.
fn https(options: &args::Serve) -> Option<https::Setup> {
    let (certificate, key) = (options.https_cert.clone()?, options.https_key.clone()?);
    Some(https::Setup { listen: options.https?, certificate, key })
}

/// Where a line of each request goes.
fn log(options: &args::Serve) -> Option<RequestLog> {
    options.log.then(|| RequestLog::to(std::io::stderr()))
}

/// The names of this machine, in small letters.
fn names(options: &args::Serve) -> Vec<String> {
    let own = std::fs::read_to_string("/proc/sys/kernel/hostname").ok();
    let own = own.or_else(|| std::env::var("COMPUTERNAME").ok());
    let own = own.map(|name| name.trim().to_string()).filter(|name| !name.is_empty());
    let own = own.into_iter().flat_map(|name| [format!("{name}.local"), name]);
    own.chain(options.names.iter().cloned()).map(|name| name.to_ascii_lowercase()).collect()
}

/// Says where the server is. The code holds the address and never the owner's link: it is for
/// everybody in the room.
fn greet(
    session: &Session,
    options: &args::Serve,
    started: &Started,
    (owner, is_new): (&str, bool),
) {
    let room = format!("{}/", started.state.origin().unwrap_or_default());
    let here = match started.address.ip() {
        ip if ip.is_unspecified() => {
            SocketAddr::new(Ipv4Addr::LOCALHOST.into(), started.address.port())
        }
        _ => started.address,
    };
    let link = format!("http://{here}/join/{owner}");
    let what = match options.demo {
        true => "an invented tournament, nothing is stored".to_string(),
        false if is_new => format!("a new store: {}", session.store),
        false => format!("the store {}", session.store),
    };
    let (doing, window) = match started.state.second.may_record() {
        Ok(()) => ("serving", "This window is the desk: keep it open. Ctrl-C in it stops the desk"),
        Err(refused) => {
            say(&refused.told());
            let window = match started.state.second.standing().is {
                Is::Following => {
                    "This window is the second laptop, and not the desk: keep it open. Whether it has what the \
                     desk records stands on each of its pages, and on those of the desk. Ctrl-C in it ends that, \
                     and its sign-in: started again it shows a new link"
                }
                _ => "This window is the desk no more, and records nothing. Ctrl-C in it ends it",
            };
            ("showing", window)
        }
    };
    let code =
        QrCode::with_error_correction_level(&room, EcLevel::M).map_or(String::new(), |code| {
            let mut drawn = code.render::<Dense1x2>();
            let drawn = drawn.quiet_zone(true);
            format!("{}\n", drawn.build())
        });
    let text = format!(
        "{doing} {what}\n\n  for everybody  {room}\n  for the owner  {link}\n\
         \x20                once, in a browser of this machine\n\n{code}{window}\n",
    );
    let mut out = anstream::stdout();
    // Whoever reads no more has seen the address.
    let _ = out.write_all(printable(&text).as_bytes()).and_then(|()| out.flush());
    if options.open {
        // Some launchers take their time, and the browser is to be answered.
        tokio::task::spawn_blocking(move || open_browser(&link));
    }
}

/// Opens the browser of this machine.
fn open_browser(link: &str) {
    if open::that_detached(link).is_err() {
        say(&format!("no browser could be started: open {link} by hand"));
    }
}

/// Returns what comes with Ctrl-C, or when the system ends the program. It is heeded from now on: whoever
/// ends a server that has only begun ends it in order.
pub fn ending() -> impl Future<Output = ()> {
    #[cfg(unix)]
    let signals = {
        use tokio::signal::unix::{SignalKind, signal};
        [SignalKind::interrupt(), SignalKind::terminate()].map(|kind| {
            let heeded = signal(kind);
            async move {
                match heeded {
                    Ok(mut signal) => drop(signal.recv().await),
                    // Where nobody can send it, it never comes.
                    Err(_) => std::future::pending().await,
                }
            }
        })
    };
    #[cfg(unix)]
    return async move {
        let [interrupted, terminated] = signals;
        tokio::select! {
            () = interrupted => {}
            () = terminated => {}
        }
    };
    // A window that is closed, or a system that goes down, waits for what this ends.
    #[cfg(windows)]
    {
        use tokio::signal::windows::{ctrl_c, ctrl_close, ctrl_shutdown};
        let heeded = (ctrl_c(), ctrl_close(), ctrl_shutdown());
        return async move {
            let (Ok(mut typed), Ok(mut closed), Ok(mut shut_down)) = heeded else {
                return std::future::pending().await;
            };
            tokio::select! {
                _ = typed.recv() => {}
                _ = closed.recv() => {}
                _ = shut_down.recv() => {}
            }
        };
    }
}
