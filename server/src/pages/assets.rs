//! Styles and scripts: part of the program, each under a name that changes with its bytes.

use crate::kept::packed;
use axum::body::Bytes;
use std::sync::LazyLock;

/// A file that pages name.
struct Asset {
    /// As templates name it.
    name: &'static str,
    bytes: &'static [u8],
    mime: &'static str,
}

const CSS: &str = "text/css; charset=utf-8";
const JS: &str = "text/javascript; charset=utf-8";

macro_rules! assets {
    ($($name:literal $mime:ident),+ $(,)?) => {
        const ALL: &[Asset] = &[$(Asset {
            name: $name,
            bytes: include_bytes!(concat!("../../web/", $name)),
            mime: $mime,
        }),+];
    };
}

assets! {
    "tokens.css" CSS, "desk.css" CSS, "print.css" CSS, "screen.css" CSS, "overlay.css" CSS,
    "floor.css" CSS, "player.css" CSS, "clock.js" JS, "floor.js" JS, "player.js" JS,
    "keys.js" JS, "entry.js" JS, "queue.js" JS, "own.js" JS, "held.js" JS, "lines.js" JS, "combo.js" JS,
    "signup.js" JS, "live.js" JS, "stream.js" JS, "screen.js" JS, "overlay.js" JS, "season.js" JS,
    "notices.js" JS,
}

/// A file as it is served: a script names the scripts that it imports by the paths of those.
fn served(asset: &Asset) -> Vec<u8> {
    let Some(text) = std::str::from_utf8(asset.bytes).ok().filter(|_| asset.mime == JS) else {
        return asset.bytes.to_vec();
    };
    let imported = ALL.iter().filter(|other| text.contains(&format!("from \"./{}\"", other.name)));
    let named = imported.fold(text.to_string(), |text, other| {
        let (from, to) = (format!("\"./{}\"", other.name), format!("\"{}\"", hashed(other)));
        text.replace(&from, &to)
    });
    named.into_bytes()
}

/// The path of a file, with the hash of what is served there.
fn hashed(asset: &Asset) -> String {
    let hash = blake3::hash(&served(asset)).to_hex();
    let (stem, end) = asset.name.rsplit_once('.').unwrap_or((asset.name, ""));
    format!("/s/{stem}-{}.{end}", &hash[..12])
}

/// A file as it is sent.
pub struct Served {
    /// Its bytes.
    pub plain: Bytes,
    /// The same packed, as browsers unpack it.
    pub packed: Bytes,
    /// Its type.
    pub mime: &'static str,
}

/// The path under which each is served and what stands there, in the order of `ALL`.
static FILES: LazyLock<Vec<(String, Served)>> = LazyLock::new(|| {
    let file = |asset: &Asset| {
        let plain = served(asset);
        let packed = packed(&plain);
        (hashed(asset), Served { plain: plain.into(), packed, mime: asset.mime })
    };
    ALL.iter().map(file).collect()
});

/// The path of a file, such as `/s/desk-0f3c….css`; a name that is none is its own path.
pub fn path(name: &str) -> String {
    let at = ALL.iter().position(|asset| asset.name == name);
    at.and_then(|at| FILES.get(at)).map_or_else(|| format!("/s/{name}"), |(path, _)| path.clone())
}

/// What is served under this path, or under its last part.
pub fn find(path: &str) -> Option<&'static Served> {
    let wanted = path.rsplit('/').next()?;
    let found = FILES.iter().find(|(path, _)| path.rsplit('/').next() == Some(wanted));
    found.map(|(_, served)| served)
}

/// What a player's page is made of beside itself, which stays on their phone with it.
const OF_PLAYERS: [&str; 11] = [
    "tokens.css",
    "desk.css",
    "floor.css",
    "player.css",
    "keys.js",
    "clock.js",
    "player.js",
    "queue.js",
    "stream.js",
    "own.js",
    "notices.js",
];

/// The worker of players' pages, which names these files: it is another one whenever one of them is.
static WORKER: LazyLock<String> = LazyLock::new(|| {
    let script = include_str!("../../web/worker.js");
    let files = OF_PLAYERS.map(path).join(" ");
    let files = format!("{files} {}", super::icons::path(192));
    let version = blake3::hash(format!("{script}{files}").as_bytes()).to_hex();
    script.replacen("{version}", &version[..12], 1).replacen("{files}", &files, 1)
});

/// The worker of players' pages, as it is served.
pub fn worker() -> &'static str {
    &WORKER
}

/// Every path with its bytes.
pub fn all() -> impl Iterator<Item = (&'static str, &'static [u8])> {
    FILES.iter().map(|(path, served)| (path.as_str(), &served.plain[..]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_file_is_found_under_the_path_that_pages_name() {
        for asset in ALL {
            let found = find(&path(asset.name)).expect("it is there");
            assert_eq!((&found.plain[..], found.mime), (&served(asset)[..], asset.mime));
        }
        assert!(find("/s/desk.css").is_none(), "without its hash it would be kept too long");
        assert!(find("/s/../Cargo.toml").is_none());
    }

    #[test]
    fn a_script_imports_others_by_the_paths_under_which_they_are_served() {
        let found = find(&path("entry.js")).expect("the script");
        let text = std::str::from_utf8(&found.plain).expect("text");
        for name in ["queue.js", "own.js"] {
            assert!(text.contains(&format!("from \"{}\"", path(name))), "{name}");
        }
        assert!(!text.contains("from \"./"), "nothing else is imported");
    }

    #[test]
    fn the_worker_of_players_names_all_that_their_page_loads() {
        let named = |name: &str| worker().contains(&path(name));
        let page = include_str!("../../web/player.js");
        let imported = ALL.iter().filter(|one| page.contains(&format!("\"./{}\"", one.name)));
        assert!(imported.map(|one| one.name).chain(["player.js", "desk.css"]).all(named));
        assert!(!worker().contains("{version}"));
    }

    #[test]
    fn a_file_is_packed_into_less() {
        for asset in ALL {
            let found = find(&path(asset.name)).expect("it is there");
            assert!(found.packed.len() < found.plain.len(), "{}", asset.name);
        }
    }

    #[test]
    fn scripts_stay_small_and_name_no_other_place() {
        let scripts = ALL.iter().filter(|asset| asset.mime == JS);
        let lines = |asset: &Asset| asset.bytes.iter().filter(|byte| **byte == b'\n').count();
        let of_worker = include_str!("../../web/worker.js").lines().count();
        assert!(scripts.map(lines).sum::<usize>() + of_worker < 2_440);
        assert!(!worker().contains("http") && !worker().contains("{files}"));
        for asset in ALL {
            let text = std::str::from_utf8(asset.bytes).expect("text");
            let named = text.matches("http").count();
            assert_eq!(named, 0, "{} names a place elsewhere", asset.name);
        }
    }
}
