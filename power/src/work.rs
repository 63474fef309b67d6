//! The workloads: what a worker does to a store while it is recorded.

use crate::store::{Kind, Marks, Size, Tried, Writer};
use scrutineer_engine::handler::Request;
use scrutineer_engine::record::StreamId;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};

/// What is done to a store.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Workload {
    /// A store is begun, closed and opened again.
    Creation,
    /// One writer appends small commands to a few streams.
    Steady,
    /// 64 writers append at once, some to the same stream.
    Group,
    /// Commands of 50,000 events among small ones.
    Large,
    /// One command of as many bytes as a command may have.
    Largest,
    /// Payloads of 60 KiB, the most there may be.
    Values,
    /// Segments of the journal are sealed after a few commands.
    Rollover,
    /// Players are enrolled; their names go into the private book.
    Names,
    /// As names, in a store with snapshots and secrets.
    Snapshots,
    /// As rollover and names, with a mirror.
    Mirror,
    /// Writers append until they are stopped.
    Endless,
    /// A store is opened, and held until standard input ends.
    Hold,
}

/// A journal's frame has at most this many bytes beside its header.
const MOST_BYTES: usize = 512 * 1024 * 1024;

/// The longest payload, in bytes.
const LONGEST: usize = 60 * 1024;

impl Workload {
    /// How its store is opened.
    #[must_use]
    pub fn kind(self) -> Kind {
        match self {
            Workload::Snapshots => Kind::Store,
            Workload::Mirror => Kind::Mirror,
            _ => Kind::Log,
        }
    }

    fn segment_bytes(self) -> u64 {
        match self {
            Workload::Rollover | Workload::Endless | Workload::Mirror => 8 * 1024,
            Workload::Group => 64 * 1024,
            _ => 1024 * 1024,
        }
    }

    /// Its name, as it is asked for.
    #[must_use]
    pub fn name(self) -> String {
        use clap::ValueEnum;
        self.to_possible_value().map_or_else(String::new, |value| value.get_name().to_string())
    }
}

/// What a worker is told.
#[derive(Debug, clap::Args)]
pub struct Order {
    /// What to do.
    workload: Workload,
    /// Where the store's folder stands.
    #[arg(long)]
    base: PathBuf,
    /// Where to say what was done.
    #[arg(long)]
    marks: PathBuf,
    /// Commands and sizes come from this.
    #[arg(long)]
    seed: u64,
    /// Open the store again after it has refused something, and go on.
    #[arg(long)]
    reopen: bool,
}

/// Does it.
///
/// # Errors
/// What the store says where it does not open.
pub fn work(order: &Order) -> Result<(), String> {
    let marks = Marks::open(&order.marks).map_err(|error| error.to_string())?;
    let workload = order.workload;
    let opens = if matches!(workload, Workload::Creation | Workload::Mirror) { 3 } else { 1 };
    let mut rng = fastrand::Rng::with_seed(order.seed);
    let mut unanswered = None;
    for _ in 0..opens {
        let mut more = true;
        while more {
            let store =
                Tried::open(&order.base.join("store"), workload.kind(), workload.segment_bytes())
                    .inspect_err(|error| marks.say(&format!("refused {error}")))?;
            let writer = Writer { store: &store, marks: &marks };
            more = !one_opening(workload, writer, &mut rng, &mut unanswered) && order.reopen;
            drop(store);
            if more {
                marks.say("reopened");
            } else if workload == Workload::Mirror {
                marks.say("mirrored");
            }
        }
    }
    Ok(())
}

/// Says whether everything was accepted.
fn one_opening(
    workload: Workload,
    writer: Writer<'_>,
    rng: &mut fastrand::Rng,
    unanswered: &mut Option<Request>,
) -> bool {
    // A command's id is never used again, whoever goes on in this store.
    let base = u128::from(rng.u64(..)) << 32;
    match workload {
        Workload::Creation => steady(writer, rng, base, 3),
        Workload::Steady | Workload::Rollover => steady(writer, rng, base, 150),
        Workload::Group => group(writer, base, 64, 6),
        Workload::Large => large(writer, base),
        Workload::Largest => largest(writer, base),
        Workload::Values => values(writer, rng, base),
        Workload::Names => names(writer, base, 60, unanswered),
        Workload::Snapshots => snapshots(writer, rng, base),
        Workload::Mirror => (0..12).all(|turn| {
            steady(writer, rng, base + turn * 100, 3)
                && writer.enroll(stream(9), base + turn * 100 + 50).is_ok()
        }),
        Workload::Endless => endless(writer, base),
        Workload::Hold => hold(writer, base),
    }
}

fn stream(number: u8) -> StreamId {
    StreamId([number; 16])
}

/// After a refusal it goes on for a while, to see that all is refused then.
fn steady(writer: Writer<'_>, rng: &mut fastrand::Rng, base: u128, commands: u32) -> bool {
    let mut refused = 0;
    for command in 0..commands {
        let size = Size { parts: rng.u32(1..=4), bytes: rng.usize(20..900) };
        let to = stream(rng.u8(1..=4));
        refused += u32::from(writer.append(to, base + u128::from(command), size).is_err());
        if refused > 8 {
            break;
        }
    }
    refused == 0
}

fn group(writer: Writer<'_>, base: u128, writers: u32, commands: u32) -> bool {
    let refused = AtomicBool::new(false);
    std::thread::scope(|scope| {
        for number in 0..writers {
            let refused = &refused;
            scope.spawn(move || {
                let own = stream(10 + number as u8);
                for command in 0..commands {
                    // Every third command goes to a stream that all share.
                    let to = if command % 3 == 2 { stream(1) } else { own };
                    let size = Size { parts: 1 + command % 3, bytes: 60 + 7 * number as usize };
                    let id = base + u128::from(number * 10_000 + command);
                    if writer.append(to, id, size).is_err() {
                        refused.store(true, Ordering::Relaxed);
                    }
                }
            });
        }
    });
    !refused.load(Ordering::Relaxed)
}

fn large(writer: Writer<'_>, base: u128) -> bool {
    (0..6).all(|command| {
        let size = match command % 2 {
            0 => Size { parts: 3, bytes: 200 },
            _ => Size { parts: 50_000, bytes: 90 },
        };
        writer.append(stream(1 + command % 4), base + u128::from(command), size).is_ok()
    })
}

fn largest(writer: Writer<'_>, base: u128) -> bool {
    // A record's header and hash come on top of its payload.
    let parts = (MOST_BYTES - 36) / (LONGEST + 103 + 32);
    let small = Size { parts: 2, bytes: 200 };
    let whole = Size { parts: parts as u32, bytes: LONGEST };
    let sizes = [small, whole, small];
    (0..).zip(sizes).all(|(command, size)| writer.append(stream(1), base + command, size).is_ok())
}

fn values(writer: Writer<'_>, rng: &mut fastrand::Rng, base: u128) -> bool {
    (0..40).all(|command| {
        let size = Size { parts: rng.u32(1..=4), bytes: LONGEST };
        writer.append(stream(rng.u8(1..=3)), base + command, size).is_ok()
    })
}

/// What was refused is sent again when the store was opened again, as a client does.
fn names(writer: Writer<'_>, base: u128, commands: u32, unanswered: &mut Option<Request>) -> bool {
    if let Some(request) = unanswered.take()
        && writer.send(&request).is_err()
    {
        return false;
    }
    let mut refused = 0;
    for command in 0..commands {
        let to = stream(1 + (command % 3) as u8);
        let sent = writer.request(to, base + u128::from(command));
        let sent = sent.and_then(|request| match writer.send(&request) {
            Err(error) => {
                unanswered.get_or_insert(request);
                Err(error)
            }
            done => done,
        });
        refused += u32::from(sent.is_err());
        if refused > 8 {
            break;
        }
    }
    refused == 0
}

fn snapshots(writer: Writer<'_>, rng: &mut fastrand::Rng, base: u128) -> bool {
    use scrutineer_engine::handler::CommandHandler;
    use scrutineer_engine::record::RecordHash;
    let Tried::Store(store) = writer.store else { return false };
    (0..40_u8).all(|command| {
        let to = stream(1 + command % 3);
        let mut done = writer.enroll(to, base + u128::from(command)).is_ok();
        if command % 4 == 1 {
            let state = CommandHandler::new(store.log()).load(to);
            let state = state.expect("what was just written is read");
            done &= store.take_snapshot(to, state.0, &state.1).is_ok();
        }
        if command % 10 == 5 {
            let mut secret = [0; 32];
            rng.fill(&mut secret);
            match store.keep_secret(to, &secret) {
                Ok(()) => writer.marks.say(&format!("secret {to} {}", RecordHash(secret))),
                Err(_) => done = false,
            }
        }
        done
    })
}

fn endless(writer: Writer<'_>, base: u128) -> bool {
    std::thread::scope(|scope| {
        for number in 0..6 {
            scope.spawn(move || {
                for command in 0.. {
                    let to = stream(1 + number % 4);
                    let id = base + (u128::from(number) << 24) + command;
                    let size = Size { parts: 1 + (command % 5) as u32, bytes: 150 };
                    let done = match number {
                        0 => writer.enroll(stream(9), id).is_ok(),
                        _ => writer.append(to, id, size).is_ok(),
                    };
                    if !done {
                        return;
                    }
                }
            });
        }
    });
    false
}

fn hold(writer: Writer<'_>, base: u128) -> bool {
    let done = steady(writer, &mut fastrand::Rng::with_seed(1), base, 5);
    println!("open");
    let mut line = String::new();
    let ended = std::io::stdin().read_line(&mut line).is_ok();
    done && ended && steady(writer, &mut fastrand::Rng::with_seed(2), base + 1_000, 5)
}
