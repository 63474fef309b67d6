//! How far a key stands for a log: by its own checkpoints, and by those of the keys that it let
//! take its place.

use super::checkpoint::Signed;
use super::history::History;
use super::note::PublicKey;
use scrutineer_engine::event::Seq;
use std::collections::BTreeMap;

/// How far a key stands for a log.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Attested {
    /// For how many of the first records; none: no checkpoint that holds is its own.
    pub size: Option<u64>,
    /// The keys that stand for it, each with the event that appointed it: a checkpoint of the key
    /// that it replaced covers that event.
    pub successors: Vec<(Seq, PublicKey)>,
    /// The event that retired the key, and the records up to which its checkpoints count.
    pub retired: Option<(Seq, u64)>,
}

/// How far a key, or who stands for it, signed these checkpoints of a log. One whose records are
/// others, or whose key was retired before, counts for nothing.
pub fn attested(history: &History, signed: &[Signed], key: &PublicKey) -> Attested {
    let mut signs: BTreeMap<PublicKey, u64> = BTreeMap::new();
    for one in signed {
        let size = one.checkpoint.size;
        if history.checkpoint(size) != Some(one.checkpoint) {
            continue;
        }
        let mut keys = history.signed_by(one);
        if !keys.contains(key) && one.is_signed_by(key) {
            keys.push(*key);
        }
        for key in keys.iter().filter(|key| history.retired(key, size).is_none()) {
            let most = signs.entry(*key).or_default();
            *most = size.max(*most);
        }
    }
    let mut found = Attested { retired: history.retired(key, u64::MAX), ..Attested::default() };
    let Some(own) = signs.get(key).copied() else { return found };
    let mut stand = BTreeMap::from([(*key, own)]);
    for pair in history.signers().windows(2) {
        let ((_, old), (seq, new)) = (pair[0], pair[1]);
        let appoints = stand.get(&old).is_some_and(|size| *size >= seq);
        if appoints && !stand.contains_key(&new) {
            stand.insert(new, signs.get(&new).copied().unwrap_or(0));
            found.successors.push((seq, new));
        }
    }
    found.size = stand.values().copied().max();
    found
}
