//! The page and its verifier: written from docs/FORMAT.md, in another language, and in agreement
//! with ours on good bundles and damaged ones.

use crate::simulated::play_small;
use scrutineer_replay::bundle::{Give, write};
use scrutineer_replay::page;

#[test]
fn dump() {
    for seed in 0..12 {
        let (archive, stream) = play_small(seed);
        for (word, give) in [("none", Give::Nothing), ("roster", Give::Roster), ("private", Give::Handover)] {
            let mut out = Vec::new();
            write(&archive, stream, give, &mut out).unwrap();
            let html = page::html(std::str::from_utf8(&out).unwrap()).unwrap();
            std::fs::write(format!("/tmp/bundles/{seed}-{word}.bundle"), out).unwrap();
            std::fs::write(format!("/tmp/bundles/{seed}-{word}.html"), html).unwrap();
        }
    }
}
