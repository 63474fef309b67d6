//! Work on many threads, handed over in order.

use rayon::ThreadPoolBuilder;
use rayon::prelude::*;
use std::sync::{Mutex, PoisonError};

/// What each piece of work below `count` gives, in order, done on so many threads. At most `ahead`
/// pieces are done and not handed over, so memory stays bounded; each thread begins with a state of
/// its own and keeps it.
pub fn in_order<S: Send, T: Send>(
    count: usize,
    threads: usize,
    ahead: usize,
    begin: impl Fn() -> S + Sync,
    work: impl Fn(&mut S, usize) -> T + Sync,
) -> impl Iterator<Item = T> {
    // Without a pool of its own the work is done on the threads of the process.
    let pool = ThreadPoolBuilder::new().num_threads(threads.min(count).max(1)).build().ok();
    let states: Mutex<Vec<S>> = Mutex::default();
    let ahead = ahead.max(1);
    (0..count).step_by(ahead).flat_map(move |from| {
        let one = |at: usize| {
            let lock = || states.lock().unwrap_or_else(PoisonError::into_inner);
            let kept = lock().pop();
            let mut state = kept.unwrap_or_else(&begin);
            let done = work(&mut state, at);
            lock().push(state);
            done
        };
        let piece = from..count.min(from + ahead);
        // Pieces differ in size, so each can be taken by whoever is free, to the last one.
        let all = || piece.into_par_iter().with_max_len(1).map(one).collect::<Vec<T>>();
        match &pool {
            Some(pool) => pool.install(all),
            None => all(),
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicUsize, Ordering};

    fn squares(count: usize, threads: usize, ahead: usize) -> Vec<usize> {
        in_order(count, threads, ahead, || (), |(), at| at * at).collect()
    }

    #[test]
    fn they_come_in_order_whatever_the_threads() {
        let wanted: Vec<usize> = (0..500).map(|at| at * at).collect();
        for (threads, ahead) in [(1, 1), (2, 1), (3, 7), (16, 64)] {
            assert_eq!(squares(500, threads, ahead), wanted, "{threads} threads, {ahead} ahead");
        }
        assert_eq!(squares(0, 4, 4), Vec::<usize>::new());
    }

    #[test]
    fn no_more_than_so_many_are_ahead() {
        let (begun, taken) = (AtomicUsize::new(0), AtomicUsize::new(0));
        let work = |(): &mut (), _| {
            let begun = begun.fetch_add(1, Ordering::SeqCst) + 1;
            let taken = taken.load(Ordering::SeqCst);
            assert!(begun <= taken + 5, "{begun} begun, {taken} handed over");
        };
        for () in in_order(300, 4, 5, || (), work) {
            taken.fetch_add(1, Ordering::SeqCst);
        }
        assert_eq!(taken.load(Ordering::SeqCst), 300);
    }

    #[test]
    fn no_thread_begins_twice() {
        let begun = AtomicUsize::new(0);
        let begin = || begun.fetch_add(1, Ordering::SeqCst);
        assert_eq!(in_order(500, 3, 7, begin, |_, at| at).count(), 500);
        assert!(begun.load(Ordering::SeqCst) <= 3);
    }

    #[test]
    fn it_ends_when_nobody_wants_more() {
        assert_eq!(in_order(1_000_000, 3, 10, || (), |(), at| at).take(20).count(), 20);
    }

    #[test]
    #[should_panic]
    fn a_panic_is_no_standstill() {
        let work = |(): &mut (), at| assert!(at != 7, "the seventh");
        in_order(100, 2, 4, || (), work).for_each(drop);
    }
}
