//! Work on many threads, handed over in order.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError, mpsc};

/// How far the work is.
struct Progress {
    next: usize,
    taken: usize,
    stopped: bool,
}

impl Progress {
    fn is_over(&self, count: usize) -> bool {
        self.stopped || self.next >= count
    }

    /// Whether there is more to do, but not before something was handed over.
    fn is_full(&self, count: usize, ahead: usize) -> bool {
        !self.is_over(count) && self.next >= self.taken + ahead
    }

    fn next(&mut self, count: usize, ahead: usize) -> Option<usize> {
        if self.is_over(count) || self.is_full(count, ahead) {
            return None;
        }
        self.next += 1;
        Some(self.next - 1)
    }
}

/// What the threads share.
struct Shared {
    progress: Mutex<Progress>,
    moved: Condvar,
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, Progress> {
        self.progress.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The next piece of work; none if all are begun, or as many as may be ahead.
    fn next(&self, count: usize, ahead: usize) -> Option<usize> {
        self.lock().next(count, ahead)
    }

    /// The next piece of work, as soon as it is at most `ahead` before what was handed over.
    fn wait(&self, count: usize, ahead: usize) -> Option<usize> {
        let is_full = |progress: &mut Progress| progress.is_full(count, ahead);
        let waited = self.moved.wait_while(self.lock(), is_full);
        waited.unwrap_or_else(PoisonError::into_inner).next(count, ahead)
    }

    fn tell(&self, change: impl FnOnce(&mut Progress)) {
        change(&mut self.lock());
        self.moved.notify_all();
    }
}

/// A thread that ends by a panic must not leave the others waiting for its piece.
struct Alarm<'a>(&'a Shared);

impl Drop for Alarm<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.tell(|progress| progress.stopped = true);
        }
    }
}

/// Does each piece of work below `count` on so many threads, this one among them, and hands over on
/// this one what they give, in order, until `take` breaks. At most `ahead` pieces are begun and not
/// handed over, so memory stays bounded; each thread begins with a state of its own.
pub fn in_order<S, T: Send>(
    count: usize,
    threads: usize,
    ahead: usize,
    begin: &(dyn Fn() -> S + Sync),
    work: &(dyn Fn(&mut S, usize) -> T + Sync),
    take: &mut dyn FnMut(T) -> ControlFlow<()>,
) {
    let progress = Mutex::new(Progress { next: 0, taken: 0, stopped: false });
    let shared = Shared { progress, moved: Condvar::new() };
    let ahead = ahead.max(1);
    std::thread::scope(|scope| {
        let (done, others) = mpsc::channel();
        for _ in 1..threads.min(count) {
            let (done, shared) = (done.clone(), &shared);
            scope.spawn(move || {
                let _alarm = Alarm(shared);
                let mut own = begin();
                while let Some(at) = shared.wait(count, ahead) {
                    // Nobody waits for it any more once the receiver has gone.
                    let _ = done.send((at, work(&mut own, at)));
                }
            });
        }
        drop(done);
        let _alarm = Alarm(&shared);
        let mut own = begin();
        let mut early = BTreeMap::new();
        let mut wanted = 0;
        // Working here too spares a thread that would be woken for every piece.
        loop {
            match shared.next(count, ahead) {
                Some(at) => drop(early.insert(at, work(&mut own, at))),
                // The piece that is wanted is another's; if none comes, all is done.
                None => match others.recv() {
                    Ok((at, found)) => drop(early.insert(at, found)),
                    Err(mpsc::RecvError) => return,
                },
            }
            early.extend(others.try_iter());
            while let Some(found) = early.remove(&wanted) {
                wanted += 1;
                if take(found).is_break() {
                    return shared.tell(|progress| progress.stopped = true);
                }
            }
            shared.tell(|progress| progress.taken = wanted);
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicUsize, Ordering};

    fn squares(count: usize, threads: usize, ahead: usize) -> Vec<usize> {
        let mut all = Vec::new();
        in_order(count, threads, ahead, &|| (), &|(), at| at * at, &mut |square| {
            all.push(square);
            ControlFlow::Continue(())
        });
        all
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
        in_order(300, 4, 5, &|| (), &work, &mut |()| {
            taken.fetch_add(1, Ordering::SeqCst);
            ControlFlow::Continue(())
        });
        assert_eq!(taken.load(Ordering::SeqCst), 300);
    }

    #[test]
    fn it_ends_when_nobody_wants_more() {
        let mut seen = 0;
        in_order(1_000_000, 3, 10, &|| (), &|(), at| at, &mut |_| {
            seen += 1;
            if seen == 20 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        assert_eq!(seen, 20);
    }

    #[test]
    #[should_panic]
    fn a_panic_is_no_standstill() {
        let work = |(): &mut (), at| assert!(at != 7, "the seventh");
        in_order(100, 2, 4, &|| (), &work, &mut |()| ControlFlow::Continue(()));
    }
}
