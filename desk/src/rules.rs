//! The ruleset by which a tournament is played, read once for all that are played by it.

use std::num::NonZeroUsize;
use std::sync::{Arc, LazyLock, Mutex, PoisonError};

use lru::LruCache;
use scrutineer_engine::event::RulesetFile;
use scrutineer_projections::ruleset::{Ruleset, RulesetError, hash, parse};

/// How many rulesets are kept: tournaments share a few, and reading one takes as long as some pages.
const MOST_KEPT: NonZeroUsize = NonZeroUsize::MIN.saturating_add(63);

/// Returns the ruleset of these files, as [`parse`] reads it.
///
/// # Errors
/// Where they are none for this version.
pub fn in_force(files: &[RulesetFile]) -> Result<Arc<Ruleset>, RulesetError> {
    static READ: LazyLock<Mutex<LruCache<[u8; 32], Arc<Ruleset>>>> =
        LazyLock::new(|| Mutex::new(LruCache::new(MOST_KEPT)));
    let kept = || READ.lock().unwrap_or_else(PoisonError::into_inner);
    let name = hash(files);
    if let Some(known) = kept().get(&name) {
        return Ok(Arc::clone(known));
    }
    let rules = Arc::new(parse(files)?);
    kept().put(name, Arc::clone(&rules));
    Ok(rules)
}
