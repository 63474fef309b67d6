//! The second laptop: it asks for what it lacks, keeps it as the desk has it, and says how far it is.

use super::something_else;
use crate::enrolled;
use crate::second::words::{Ask, Given, News, Pages};
use crate::second::{
    ANSWERED_IN, Following, GIVES_WAY_FOR, Key, LOOKED_FOR, Second, UpTo, is_unheard, lock,
};
use crate::state::{Opener, State};
use scrutineer_desk::sign::go_on_from_desk;
use scrutineer_desk::standing::{Is, Partner, Standing};
use scrutineer_desk::store::{Besides, HOUSE, SentHead, Store, StoreError};
use scrutineer_desk::verb_error::VerbError;
use scrutineer_engine::error::Code;
use scrutineer_engine::log::Head;
use scrutineer_engine::record::StreamId;
use scrutineer_projections::counted;
use scrutineer_replay::loaded::short_id;
use scrutineer_store::files::{Readers, read_plain, replace};
use std::net::{SocketAddr, ToSocketAddrs};
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::time::timeout;

/// How long a desk that does not answer is left alone.
const PAUSE: Duration = Duration::from_millis(500);

/// How long before a desk goes on that gave way nobody becomes the desk any more.
const NEVER_LATER: Duration = Duration::from_secs(2);
/// How long is waited for what a desk has answered that gives way.
const CAUGHT_UP_IN: Duration = Duration::from_secs(5);

/// Reads where the desk is and with which code: `192.168.1.5:7780/7KQM-…`; without a code it is the desk
/// that was followed before.
fn read(typed: &str) -> Result<(SocketAddr, Option<Key>), VerbError> {
    let wrong = |what: &str| {
        let hint = "the desk shows what to type; there, not here: `scrutineer serve --second-code`";
        VerbError::new(Code::invalid("bad-second"), format!("{typed:?} {what}"), hint)
    };
    let bare = typed.trim().trim_start_matches("http://").trim_end_matches('/');
    let (address, code) = match bare.split_once('/') {
        Some((address, code)) => {
            let key =
                Key::of_code(code).ok_or_else(|| wrong("has no code of 20 letters and digits"))?;
            (address, Some(key))
        }
        None => (bare, None),
    };
    let found = address.to_socket_addrs().ok().and_then(|mut all| all.next());
    Ok((found.ok_or_else(|| wrong("is no address with a port"))?, code))
}

/// Makes the store of a folder one that follows a desk.
///
/// # Errors
/// Where the folder holds a desk of its own, or the desk does not know the code.
pub async fn join(folder: &Path, opener: &Opener, typed: &str) -> Result<(), VerbError> {
    let (address, code) = read(typed)?;
    let second = Second::open(Some(folder.to_path_buf()))?;
    let standing = second.standing();
    let has_own = || -> Result<bool, VerbError> {
        let streams = opener()?.log().streams().map_err(StoreError::from)?;
        Ok(!streams.is_empty())
    };
    if standing.partner.is_none() && folder.join("journal").exists() && has_own()? {
        let message = format!("{} is a desk of its own", folder.display());
        let hint = "name a new folder: `scrutineer serve --store second-store --second …`";
        return Err(VerbError::new(Code::conflict("second-not-empty"), message, hint));
    }
    let key = match code {
        Some(code) => match second.ask_with(&code, address, Ask::Key, ANSWERED_IN).await? {
            (Given::Key(key), _) => key,
            _ => return Err(something_else()),
        },
        None => {
            let key = standing.partner.map(|partner| partner.key).ok_or_else(|| {
                let hint = "at the desk, not here: `scrutineer serve --second-code`";
                let message = "the desk has to give a code first";
                VerbError::new(Code::invalid("bad-second"), message, hint)
            })?;
            if let Some(key) = Key::of_hex(&key).filter(|_| standing.is == Is::Desk) {
                // Where the other one has become the desk, this one hears of it here.
                let _ = second.ask_with(&key, address, Ask::Standing, LOOKED_FOR).await;
                if second.is_desk() {
                    let message =
                        format!("this laptop is the desk, and the one at {address} is not");
                    let hint = "start it as that, without --second: `scrutineer serve`";
                    return Err(VerbError::new(Code::conflict("desk-already"), message, hint));
                }
            }
            key
        }
    };
    // A store is begun in a folder where nothing else is.
    drop(opener()?);
    second.change(|standing| {
        let is_whole = standing.is_whole && standing.is == Is::Following;
        let partner = Some(Partner { key, address: Some(address) });
        let term = standing.term;
        *standing = Standing { is: Is::Following, term, is_whole, partner, parted: None };
        Ok(())
    })
}

impl Following {
    /// Notes what is in the way, or that nothing is. While nobody is heard, what was in the way before is so still.
    fn note(&mut self, trouble: Option<VerbError>) {
        let is_in_the_way = |why: &VerbError| !is_unheard(why);
        if trouble.as_ref().is_none_or(is_in_the_way)
            || !self.trouble.as_ref().is_some_and(is_in_the_way)
        {
            self.trouble = trouble;
        }
    }
}

/// Notes what is in the way, or that nothing is. That the two laptops parted is kept: whoever types a command is told.
async fn note(state: &Arc<State>, trouble: Option<VerbError>) {
    let parted = match &trouble {
        None => Some(None),
        Some(why) => (why.code == "desks-parted").then(|| Some(why.message.clone())),
    };
    let is_new = state.second.standing().parted.is_none();
    let kept = match parted {
        Some(parted) => state.beside(|state| {
            state.second.change(|standing| {
                standing.parted = parted;
                Ok(())
            })
        }),
        None => return lock(&state.second.following).note(trouble),
    };
    let trouble = kept.await.err().or(trouble);
    if let Some(why) = trouble.as_ref().filter(|_| is_new) {
        state.second.tell(why);
    }
    lock(&state.second.following).note(trouble);
}

/// Looks whether all that is here stands at the laptop, too, that has become the desk in place of this one; false: it
/// was not heard.
pub async fn compare(state: &Arc<State>) -> bool {
    let compared = async {
        let streams = state.read(|store| Ok(store.log().streams().map_err(StoreError::from)?));
        for stream in streams.await? {
            let (after, has) = state
                .read(move |store| {
                    let head = store.log().head(stream).map_err(StoreError::from)?;
                    Ok((head, store.besides(stream)?))
                })
                .await?;
            ask(state, Ask::Tail { stream: stream.0, after: after.into(), has }).await?;
        }
        Ok(())
    };
    let trouble: Option<VerbError> = Result::err(compared.await);
    let is_heard = !trouble.as_ref().is_some_and(is_unheard);
    note(state, trouble).await;
    is_heard
}

/// Follows the desk until the server stops or this laptop is the desk.
pub async fn run(state: &Arc<State>) {
    let mut stopping = state.stopping.clone();
    let mut at = UpTo::default();
    while state.second.standing().is == Is::Following {
        let step = tokio::select! {
            step = step(state, &mut at) => step,
            _ = stopping.wait_for(|stops| *stops) => return,
        };
        let is_well = step.is_ok();
        if is_well {
            let mut following = lock(&state.second.following);
            (following.when, following.has) = (Some(Instant::now()), at);
        }
        note(state, step.err()).await;
        if !is_well {
            tokio::time::sleep(PAUSE).await;
        }
    }
}

async fn ask(state: &Arc<State>, ask: Ask) -> Result<Given, VerbError> {
    state.second.ask(ask, ANSWERED_IN).await
}

/// Makes this laptop the desk. A desk that is heard gives way: what it has answered comes here first. Gives what is
/// said of what stays there.
///
/// # Errors
/// `desk-is-heard` where nobody says that it is meant; as [`Standing::take_over`].
pub async fn take_over(state: &Arc<State>, is_sure: bool) -> Result<Option<String>, VerbError> {
    let second = &state.second;
    second.may_take_over(is_sure).await?;
    let before = second.standing();
    let replaces = before.clone().take_over(is_sure).is_ok();
    let began = Instant::now();
    // A desk that hangs is not waited for.
    let gives_way = match replaces {
        true => second.ask(Ask::GiveWay, LOOKED_FOR).await.ok(),
        false => None,
    };
    let mut left = left_unheard(&before);
    if let Some(Given::GivesWay { run, change, house }) = gives_way {
        let last = UpTo { run, change, house };
        let has_all = || lock(&second.following).has.reaches(last);
        // Where the two parted it never comes.
        let may_come = || before.is == Is::Following && second.standing().parted.is_none();
        let comes = async {
            while !has_all() && may_come() {
                tokio::time::sleep(Duration::from_millis(10)).await;
            }
        };
        // Whoever says that it is meant goes on without what does not come.
        let _ = timeout(CAUGHT_UP_IN, comes).await;
        left = match has_all() {
            true => Some(Vec::new()),
            false => {
                let counts = async {
                    let there = heads_there(second).await?;
                    let unlike = state.read(move |store| unlike(store, &there)).await?;
                    left_there(second, unlike).await
                };
                // It is counted while the desk gives way.
                let most = (GIVES_WAY_FOR - NEVER_LATER).saturating_sub(began.elapsed()) / 2;
                timeout(most, counts).await.ok().and_then(Result::ok)
            }
        };
        // This one may have hung: a desk that waited in vain has gone on, and has what is not here.
        if began.elapsed() > GIVES_WAY_FOR - NEVER_LATER {
            let message = "the desk was not relieved in time and goes on: nothing was changed";
            let hint = "try it again";
            return Err(VerbError::new(Code::busy("too-busy"), message, hint));
        }
    }
    state.beside(move |state| state.second.become_desk(is_sure)).await?;
    if replaces {
        // A desk that runs hears at once that it is the desk no more.
        let _ = second.ask(Ask::Standing, PAUSE).await;
    }
    Ok(told(left))
}

/// Makes the store of a folder the desk's, which no server has: nothing comes here first from a desk that is heard.
/// Gives what is said of what stays there.
///
/// # Errors
/// As [`take_over`]; a store that is the desk's stays it.
pub async fn take_over_unserved(
    folder: &Path,
    opener: &Opener,
    is_sure: bool,
) -> Result<Option<String>, VerbError> {
    let second = Second::open(Some(folder.to_path_buf()))?;
    second.may_take_over(is_sure).await?;
    let before = second.standing();
    if before.is == Is::Desk {
        return Ok(None);
    }
    before.clone().take_over(is_sure)?;
    let gives_way = is_sure && second.ask(Ask::GiveWay, LOOKED_FOR).await.is_ok();
    let left = match gives_way {
        true => {
            let counts = async {
                let there = heads_there(&second).await?;
                let unlike = unlike(&opener()?, &there)?;
                left_there(&second, unlike).await
            };
            timeout(CAUGHT_UP_IN, counts).await.ok().and_then(Result::ok)
        }
        false => left_unheard(&before),
    };
    second.become_desk(is_sure)?;
    if gives_way {
        let _ = second.ask(Ask::Standing, PAUSE).await;
    }
    Ok(told(left))
}

/// How many events of which tournaments stay on the other laptop; none: nobody knows.
type Left = Option<Vec<(u64, String)>>;

/// What stays on a laptop that is not heard: nothing, as far as is known, where all of it came and nothing parted.
fn left_unheard(before: &Standing) -> Left {
    (before.is_whole && before.parted.is_none()).then(Vec::new)
}

/// What is said of it; none: nothing stays there.
fn told(left: Left) -> Option<String> {
    let what = match left {
        None => "may hold events that are not here, and did not say how many".to_string(),
        Some(left) => {
            let all: u64 = left.iter().map(|(events, _)| events).sum();
            let are = match all {
                0 => return None,
                1 => "is",
                _ => "are",
            };
            let of = |(events, title): &(u64, String)| {
                format!("{} of {title:?}", counted(*events, "event"))
            };
            let each: Vec<String> = left.iter().map(of).collect();
            format!("holds {} that {are} not here", each.join(" and "))
        }
    };
    Some(format!(
        "the other laptop {what}. To look at what stays there, on that laptop: `scrutineer --store <its store> log`; \
         to bring it over: `scrutineer --store <its store> export --handover` there, then \
         `scrutineer adopt <its handover>` here"
    ))
}

/// A tournament that ends otherwise at the desk than here.
struct Unlike {
    stream: StreamId,
    title: String,
    /// How many events it has there.
    there: u64,
    /// Those here, as far as there are as many there.
    here: Vec<SentHead>,
    besides: Besides,
}

/// Returns where each tournament ends at the desk.
async fn heads_there(second: &Second) -> Result<Vec<([u8; 16], SentHead)>, VerbError> {
    // Of a run that there is none of, all of them are news.
    match second.ask(Ask::News { desk: 0, seen: 0, house: u64::MAX }, ANSWERED_IN).await? {
        Given::News(news) => Ok(news.changed),
        _ => Err(something_else()),
    }
}

/// Returns the tournaments that end otherwise here.
fn unlike(store: &Store, there: &[([u8; 16], SentHead)]) -> Result<Vec<Unlike>, VerbError> {
    let mut unlike = Vec::new();
    for (stream, head) in there {
        let stream = StreamId(*stream);
        if store.log().head(stream).map_err(StoreError::from)? == Head::from(*head) {
            continue;
        }
        let mut here = Vec::new();
        for record in store.log().read(stream, 0) {
            let record = record.map_err(StoreError::from)?;
            here.push(SentHead { seq: record.header().seq, hash: record.hash().0 });
        }
        let title = match here.is_empty() {
            true => short_id(stream),
            false => store.summary(stream)?.title,
        };
        here.retain(|one| one.seq <= head.seq);
        let besides = store.besides(stream)?;
        unlike.push(Unlike { stream, title, there: head.seq, here, besides });
    }
    Ok(unlike)
}

/// Asks the desk up to where it has the same, and counts what it has behind that.
async fn left_there(second: &Second, unlike: Vec<Unlike>) -> Result<Vec<(u64, String)>, VerbError> {
    let mut left = Vec::new();
    for Unlike { stream, title, there, here, besides } in unlike {
        let (mut same, mut most, mut looked) = (0, here.len(), here.len());
        while same < most {
            let (after, has) = (here[looked - 1], besides.clone());
            match second.ask(Ask::Tail { stream: stream.0, after, has }, ANSWERED_IN).await {
                Ok(_) => same = looked,
                Err(why) if why.code == "desks-parted" => most = looked - 1,
                Err(why) => return Err(why),
            }
            looked = (same + most).div_ceil(2);
        }
        left.push((there - same as u64, title));
    }
    left.retain(|(events, _)| *events > 0);
    Ok(left)
}

async fn step(state: &Arc<State>, at: &mut UpTo) -> Result<(), VerbError> {
    let asked = Ask::News { desk: at.run, seen: at.change, house: at.house };
    let Given::News(news) = ask(state, asked).await? else { return Err(something_else()) };
    let is_new = news.desk != at.run;
    if is_new {
        begin(state, &news).await?;
    }
    for (stream, head) in &news.changed {
        catch_up(state, StreamId(*stream), head.seq).await?;
    }
    // It was set up as the second laptop by somebody: of two histories that of its desk goes on, also where this machine
    // signed the other one.
    if !state.second.standing().is_whole {
        for (stream, _) in &news.changed {
            let (stream, shared) = (StreamId(*stream), Arc::clone(state));
            let goes_on = state
                .read(move |store| Ok(go_on_from_desk(store, stream, &shared.setup.asker.keys)?));
            goes_on.await?;
        }
    }
    if is_new || news.house != at.house {
        take_house(state).await?;
    }
    *at = UpTo { run: news.desk, change: news.at, house: news.house };
    state
        .beside(|state| {
            state.second.change(|standing| {
                standing.is_whole = true;
                Ok(())
            })
        })
        .await
}

/// Takes the keys, and looks whether nothing is here that the desk does not have.
async fn begin(state: &Arc<State>, news: &News) -> Result<(), VerbError> {
    let known: Vec<[u8; 16]> = news.changed.iter().map(|(stream, _)| *stream).collect();
    state
        .read(move |store| {
            let streams = store.log().streams().map_err(StoreError::from)?;
            match streams.into_iter().find(|stream| !known.contains(&stream.0)) {
                Some(stream) => Err(store.parted(stream, 1).into()),
                None => Ok(()),
            }
        })
        .await?;
    let Given::Keys(keys) = ask(state, Ask::Keys).await? else { return Err(something_else()) };
    state
        .beside(move |state| {
            let folder = &state.setup.asker.keys;
            Ok(keys.iter().try_for_each(|key| folder.take_in(key))?)
        })
        .await
}

/// Takes in what is missing of a tournament.
async fn catch_up(state: &Arc<State>, stream: StreamId, desks: u64) -> Result<(), VerbError> {
    loop {
        let here = state.read(move |store| {
            let head = store.log().head(stream).map_err(StoreError::from)?;
            if head.seq > desks {
                return Err(store.parted(stream, desks + 1).into());
            }
            Ok((head, store.besides(stream)?))
        });
        let (head, has) = here.await?;
        let asked = Ask::Tail { stream: stream.0, after: head.into(), has };
        let Given::Tail(tail) = ask(state, asked).await? else { return Err(something_else()) };
        let (more, shared) = (tail.more, Arc::clone(state));
        state
            .read(move |store| {
                store.take_tail(stream, &tail)?;
                shared.changed(stream);
                shared.live.publish(store, stream);
                Ok(())
            })
            .await?;
        if !more {
            return Ok(());
        }
    }
}

/// Takes in who may do what, as the desk has it now.
async fn take_house(state: &Arc<State>) -> Result<(), VerbError> {
    let Some(file) = state.setup.folder.as_ref().map(|folder| folder.join(HOUSE)) else {
        return Ok(());
    };
    let mut image = read_plain(&file, crate::second::words::LARGEST as u64).unwrap_or_default();
    let pages = Pages::digests(&image);
    let Given::House(pages, enrolled) = ask(state, Ask::House { pages }).await? else {
        return Err(something_else());
    };
    if !pages.put_into(&mut image) {
        return Err(something_else());
    }
    state
        .beside(move |state| {
            if let Some(folder) = &state.setup.folder {
                enrolled::take(folder, enrolled.as_deref())?;
            }
            replace(&file, &image, Readers::Owner).map_err(|error| {
                let message = format!("{} cannot be written: {error}", file.display());
                VerbError::new(Code::io("house-not-kept"), message, "look at the disk")
            })
        })
        .await
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_stays_on_the_other_laptop_is_told_by_its_number_or_as_not_known() {
        let said = |left: Left| told(left).unwrap_or_default();
        assert_eq!(said(Some(Vec::new())), "");
        let friday = || (1, "Friday".to_string());
        let one = said(Some(vec![friday()]));
        assert!(one.starts_with("the other laptop holds 1 event of \"Friday\" that is not here. "));
        let two = said(Some(vec![friday(), (12, "Cup".to_string())]));
        assert!(two.contains("1 event of \"Friday\" and 12 events of \"Cup\" that are not here"));
        assert!(said(None).contains("did not say how many"));
    }
}
