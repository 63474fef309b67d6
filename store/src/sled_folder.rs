//! The folder `sled/` of a store: the one in use, those set aside, and copies made to be safe.
//!
//! Everything in it can be deleted while the store is closed. A sled that failed may go on
//! writing by path for a while, so its folder is renamed and its name is never used again.

use std::fs::{self, File, TryLockError};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// How many folders of failed sleds are kept for whoever wants to look at them.
const KEPT_ASIDE: usize = 2;

/// How long is waited for a sled that was closed a moment ago.
const RELEASE: Duration = Duration::from_secs(10);

/// The folder in use, or the name for the first one.
pub(crate) fn live(root: &Path) -> io::Result<(PathBuf, bool)> {
    let found = numbered(root, "live-")?;
    match found.last() {
        Some((_, path)) => Ok((path.clone(), true)),
        None => Ok((root.join(format!("live-{}", next_number(root)?)), false)),
    }
}

/// Moves every folder in use aside, and gives the name for a new one.
pub(crate) fn set_aside(root: &Path) -> io::Result<PathBuf> {
    fs::create_dir_all(root)?;
    let next = next_number(root)?;
    for (number, path) in numbered(root, "live-")? {
        let copy = root.join(format!("copy-{number}"));
        let aside = root.join(format!("aside-{number}"));
        fs::rename(&path, &aside)?;
        if copy.is_dir() {
            // The copy is what sled found before it changed anything: better evidence.
            fs::remove_dir_all(&aside)?;
            fs::rename(&copy, &aside)?;
        }
    }
    let aside = numbered(root, "aside-")?;
    let surplus = aside.len().saturating_sub(KEPT_ASIDE);
    for (_, path) in &aside[..surplus] {
        fs::remove_dir_all(path)?;
    }
    Ok(root.join(format!("live-{next}")))
}

/// Copies the folder in use before sled opens it; `beat` is called while it is being copied.
pub(crate) fn copy_live(root: &Path, live: &Path, beat: &dyn Fn()) -> io::Result<()> {
    let Some(copy) = copy_of(root, live) else {
        return Ok(());
    };
    if copy.is_dir() {
        // A copy from the last time, which nobody came to check: older and better evidence.
        return Ok(());
    }
    let unfinished = root.join("copying");
    if unfinished.is_dir() {
        fs::remove_dir_all(&unfinished)?;
    }
    let copied = copy_folder(live, &unfinished, beat);
    if copied.is_err() {
        // On a full disk it would take the room in which the tournament goes on.
        let _ = fs::remove_dir_all(&unfinished);
    }
    copied?;
    fs::rename(unfinished, copy)
}

/// Waits, not for ever, until nobody holds sled's own lock. The store's lock is ours, so it can
/// only be what was closed a moment ago in this process: sled lets go of its file a little after
/// it was dropped.
pub(crate) fn wait_until_free(live: &Path) {
    let Ok(file) = File::open(live.join("db")) else { return };
    let begun = Instant::now();
    while let Err(TryLockError::WouldBlock) = file.try_lock() {
        if begun.elapsed() > RELEASE {
            return;
        }
        std::thread::sleep(Duration::from_millis(2));
    }
}

/// Deletes the copy: sled was opened and agrees with the journal.
pub(crate) fn drop_copy(root: &Path, live: &Path) -> io::Result<()> {
    match copy_of(root, live) {
        Some(copy) if copy.is_dir() => fs::remove_dir_all(copy),
        _ => Ok(()),
    }
}

/// Snapshots that sled was still writing make it fail to open.
pub(crate) fn remove_unfinished(live: &Path) -> io::Result<()> {
    if !live.is_dir() {
        return Ok(());
    }
    for entry in fs::read_dir(live)? {
        let path = entry?.path();
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        if name.starts_with("snap.") && name.ends_with(".generating") {
            fs::remove_file(&path)?;
        }
    }
    Ok(())
}

/// sled's own flush does not wait for the disk; this does.
pub(crate) fn sync_files(folder: &Path) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            sync_files(&path)?;
        } else {
            crate::files::sync_file(&path)?;
        }
    }
    Ok(())
}

fn copy_of(root: &Path, live: &Path) -> Option<PathBuf> {
    let name = live.file_name()?.to_str()?;
    Some(root.join(format!("copy-{}", name.strip_prefix("live-")?)))
}

fn copy_folder(from: &Path, to: &Path, beat: &dyn Fn()) -> io::Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let path = entry?.path();
        let Some(name) = path.file_name() else {
            continue;
        };
        if path.is_dir() {
            copy_folder(&path, &to.join(name), beat)?;
        } else {
            copy_file(&path, &to.join(name), beat)?;
        }
    }
    Ok(())
}

fn copy_file(from: &Path, to: &Path, beat: &dyn Fn()) -> io::Result<()> {
    let (mut from, mut to) = (File::open(from)?, File::create(to)?);
    let mut piece = vec![0; 4 * 1024 * 1024];
    loop {
        let len = from.read(&mut piece)?;
        if len == 0 {
            return Ok(());
        }
        to.write_all(&piece[..len])?;
        beat();
    }
}

fn next_number(root: &Path) -> io::Result<u64> {
    let mut last = 0;
    for prefix in ["live-", "aside-", "copy-"] {
        for (number, _) in numbered(root, prefix)? {
            last = last.max(number);
        }
    }
    Ok(last + 1)
}

fn numbered(root: &Path, prefix: &str) -> io::Result<Vec<(u64, PathBuf)>> {
    if !root.is_dir() {
        return Ok(Vec::new());
    }
    let mut found = Vec::new();
    for entry in fs::read_dir(root)? {
        let path = entry?.path();
        let name = path.file_name().and_then(|name| name.to_str());
        let number = name.and_then(|name| name.strip_prefix(prefix)?.parse().ok());
        if let Some(number) = number {
            found.push((number, path));
        }
    }
    found.sort();
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(folder: &Path) -> Vec<String> {
        let names = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name());
        let mut names: Vec<String> = names.map(|name| name.into_string().unwrap()).collect();
        names.sort();
        names
    }

    /// A sled that failed may go on writing by path: no name is used twice, and few are kept.
    #[test]
    fn each_sled_has_a_name_of_its_own() {
        let root = tempfile::tempdir().unwrap();
        let (first, exists) = live(root.path()).unwrap();
        assert!(first.ends_with("live-1") && !exists);
        fs::create_dir(&first).unwrap();
        assert_eq!(live(root.path()).unwrap(), (first, true));
        for number in 2..=12 {
            let next = set_aside(root.path()).unwrap();
            assert!(next.ends_with(format!("live-{number}")), "{next:?}");
            let mut kept: Vec<_> = (1..number).rev().take(2).collect();
            kept.reverse();
            let mut kept: Vec<String> =
                kept.into_iter().map(|number| format!("aside-{number}")).collect();
            kept.sort();
            assert_eq!(names(root.path()), kept);
            fs::create_dir(next).unwrap();
        }
    }

    #[test]
    fn only_unfinished_snapshots_are_removed() {
        let live = tempfile::tempdir().unwrap();
        let kept = ["a.generating", "db", "snap.000000000000003F"];
        for name in kept.iter().chain(&["snap.0000000000000F00.generating"]) {
            fs::write(live.path().join(name), "").unwrap();
        }
        remove_unfinished(live.path()).unwrap();
        assert_eq!(names(live.path()), kept);
        remove_unfinished(&live.path().join("nothing")).unwrap();
    }

    /// What could be copied of it would only take room.
    #[cfg(unix)]
    #[test]
    fn a_copy_that_fails_leaves_nothing() {
        let root = tempfile::tempdir().unwrap();
        let live = root.path().join("live-4");
        fs::create_dir_all(&live).unwrap();
        fs::write(live.join("db"), "all of it").unwrap();
        std::os::unix::fs::symlink("nowhere", live.join("snap")).unwrap();
        assert!(copy_live(root.path(), &live, &|| {}).is_err());
        assert_eq!(names(root.path()), ["live-4"]);
    }

    /// A copy that was begun and not finished is made anew; one that is there is left as it is.
    #[test]
    fn a_copy_is_what_was_found_first() {
        let root = tempfile::tempdir().unwrap();
        let live = root.path().join("live-4");
        fs::create_dir_all(live.join("blobs")).unwrap();
        fs::write(live.join("blobs/one"), "as it was").unwrap();
        fs::create_dir_all(root.path().join("copying")).unwrap();
        fs::write(root.path().join("copying/half"), "").unwrap();
        let copied = || fs::read_to_string(root.path().join("copy-4/blobs/one")).unwrap();
        for text in ["as it was", "changed since"] {
            fs::write(live.join("blobs/one"), text).unwrap();
            copy_live(root.path(), &live, &|| {}).unwrap();
            assert_eq!(names(root.path()), ["copy-4", "live-4"]);
            assert_eq!(names(&root.path().join("copy-4")), ["blobs"]);
            assert_eq!(copied(), "as it was");
        }
        drop_copy(root.path(), &live).unwrap();
        assert_eq!(names(root.path()), ["live-4"]);
        drop_copy(root.path(), &live).unwrap();
    }
}
