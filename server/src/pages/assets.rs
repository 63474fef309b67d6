//! Styles and scripts: part of the program, each under a name that changes with its bytes.

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

/// The path under which each is served and its bytes there, in the order of `ALL`.
static FILES: LazyLock<Vec<(String, Vec<u8>)>> =
    LazyLock::new(|| ALL.iter().map(|asset| (hashed(asset), served(asset))).collect());

/// The path of a file, such as `/s/desk-0f3c….css`; a name that is none is its own path.
pub fn path(name: &str) -> String {
    let at = ALL.iter().position(|asset| asset.name == name);
    at.and_then(|at| FILES.get(at)).map_or_else(|| format!("/s/{name}"), |(path, _)| path.clone())
}

/// The bytes and the type of what is served under this path, or under its last part.
pub fn find(path: &str) -> Option<(&'static [u8], &'static str)> {
    let wanted = path.rsplit('/').next()?;
    let is_meant = |path: &&String| path.rsplit('/').next() == Some(wanted);
    let at = FILES.iter().position(|(path, _)| is_meant(&path))?;
    Some((&FILES.get(at)?.1, ALL.get(at)?.mime))
}

/// Every path with its bytes.
pub fn all() -> impl Iterator<Item = (&'static str, &'static [u8])> {
    FILES.iter().map(|(path, bytes)| (path.as_str(), bytes.as_slice()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_file_is_found_under_the_path_that_pages_name() {
        for asset in ALL {
            let (bytes, mime) = find(&path(asset.name)).expect("it is there");
            assert_eq!((bytes, mime), (&served(asset)[..], asset.mime));
        }
        assert_eq!(find("/s/desk.css"), None, "without its hash it would be kept too long");
        assert_eq!(find("/s/../Cargo.toml"), None);
    }

    #[test]
    fn a_script_imports_others_by_the_paths_under_which_they_are_served() {
        let (bytes, _) = find(&path("entry.js")).expect("the script");
        let text = std::str::from_utf8(bytes).expect("text");
        for name in ["queue.js", "own.js"] {
            assert!(text.contains(&format!("from \"{}\"", path(name))), "{name}");
        }
        assert!(!text.contains("from \"./"), "nothing else is imported");
    }

    #[test]
    fn scripts_stay_small_and_name_no_other_place() {
        let scripts = ALL.iter().filter(|asset| asset.mime == JS);
        let lines = |asset: &Asset| asset.bytes.iter().filter(|byte| **byte == b'\n').count();
        assert!(scripts.map(lines).sum::<usize>() < 2_080);
        for asset in ALL {
            let text = std::str::from_utf8(asset.bytes).expect("text");
            let named = text.matches("http").count();
            assert_eq!(named, 0, "{} names a place elsewhere", asset.name);
        }
    }
}
