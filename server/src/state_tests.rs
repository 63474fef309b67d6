//! Turns, places and changes.

use super::*;
use crate::pages::kit::state;
use std::time::Instant;

/// An order that keeps its turn until the sender is gone, and has it when this returns.
async fn busy(state: &Arc<State>, stream: StreamId) -> std::sync::mpsc::Sender<()> {
    let (over, until) = std::sync::mpsc::channel::<()>();
    let (begins, begun) = oneshot::channel();
    let state = Arc::clone(state);
    tokio::spawn(async move {
        let act = state.act(stream, move |_, _| {
            let _ = begins.send(());
            let _ = until.recv();
            Ok(())
        });
        act.await
    });
    begun.await.expect("it has its turn");
    over
}

fn run<T>(test: impl Future<Output = T>) -> T {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build();
    runtime.expect("threads").block_on(test)
}

#[test]
fn who_waits_too_long_for_a_turn_is_told_that_nothing_was_done() {
    run(async {
        let (state, stream) = (state(), StreamId([1; 16]));
        let over = busy(&state, stream).await;
        let begun = Instant::now();
        let refused = state.act(stream, |_, _| Ok(())).await.expect_err("it waited");
        assert_eq!(refused.code, "too-busy");
        assert!(begun.elapsed() >= PATIENCE && begun.elapsed() < PATIENCE * 2);
        assert_eq!(state.stuck(Duration::from_millis(10)).await, Some(stream));
        // Others go on.
        assert!(state.act(StreamId([2; 16]), |_, _| Ok(())).await.is_ok());
        drop(over);
        assert!(state.act(stream, |_, _| Ok(())).await.is_ok());
        assert_eq!(state.stuck(PATIENCE).await, None);
    });
}

#[test]
fn who_finds_no_place_in_the_queue_is_told_so_at_once() {
    run(async {
        let (state, stream) = (state(), StreamId([1; 16]));
        let over = busy(&state, stream).await;
        let each = (1..QUEUE + 1).map(|_| {
            let state = Arc::clone(&state);
            tokio::spawn(async move { state.act(stream, |_, _| Ok(())).await.is_ok() })
        });
        let waiting: Vec<_> = each.collect();
        while state.waiting().1 < QUEUE {
            tokio::task::yield_now().await;
        }
        let refused = state.act(stream, |_, _| Ok(())).await.expect_err("no place");
        assert_eq!((refused.code.word, state.waiting()), ("too-busy", (QUEUE, QUEUE)));
        drop(over);
        for one in waiting {
            // On a busy machine some of them wait too long.
            one.await.expect("it ends");
        }
    });
}

#[test]
fn what_changes_one_tournament_leaves_the_pages_of_others() {
    run(async {
        let (state, one, other) = (state(), StreamId([1; 16]), StreamId([2; 16]));
        let counts =
            || [None, Some(one), Some(other)].map(|of| state.changes(of).load(Ordering::Acquire));
        let before = counts();
        state.act(one, |_, _| Ok(())).await.expect("done");
        assert_eq!(counts(), [before[0] + 1, before[1] + 1, before[2]]);
        state.act_alone(|_, _| Ok(())).await.expect("done");
        assert_eq!(counts(), [before[0] + 2, before[1] + 2, before[2] + 1]);
    });
}
