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
    "tokens.css" CSS, "desk.css" CSS, "print.css" CSS, "screen.css" CSS,
    "keys.js" JS, "entry.js" JS, "queue.js" JS, "combo.js" JS, "live.js" JS, "screen.js" JS,
}

/// The path under which each is served, in the order of `ALL`.
static PATHS: LazyLock<Vec<String>> = LazyLock::new(|| {
    let path = |asset: &Asset| {
        let hash = blake3::hash(asset.bytes).to_hex();
        let (stem, end) = asset.name.rsplit_once('.').unwrap_or((asset.name, ""));
        format!("/s/{stem}-{}.{end}", &hash[..12])
    };
    ALL.iter().map(path).collect()
});

/// The path of a file, such as `/s/desk-0f3c….css`; a name that is none is its own path.
pub fn path(name: &str) -> String {
    let at = ALL.iter().position(|asset| asset.name == name);
    at.and_then(|at| PATHS.get(at)).cloned().unwrap_or_else(|| format!("/s/{name}"))
}

/// The bytes and the type of what is served under this path, or under its last part.
pub fn find(path: &str) -> Option<(&'static [u8], &'static str)> {
    let wanted = path.rsplit('/').next()?;
    let is_meant = |path: &&String| path.rsplit('/').next() == Some(wanted);
    let at = PATHS.iter().position(|path| is_meant(&path))?;
    ALL.get(at).map(|asset| (asset.bytes, asset.mime))
}

/// Every path with its bytes.
pub fn all() -> impl Iterator<Item = (&'static str, &'static [u8])> {
    PATHS.iter().map(String::as_str).zip(ALL.iter().map(|asset| asset.bytes))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_file_is_found_under_the_path_that_pages_name() {
        for asset in ALL {
            let (bytes, mime) = find(&path(asset.name)).expect("it is there");
            assert_eq!((bytes, mime), (asset.bytes, asset.mime));
        }
        assert_eq!(find("/s/desk.css"), None, "without its hash it would be kept too long");
        assert_eq!(find("/s/../Cargo.toml"), None);
    }

    #[test]
    fn scripts_stay_small_and_name_no_other_place() {
        let scripts = ALL.iter().filter(|asset| asset.mime == JS);
        let lines = |asset: &Asset| asset.bytes.iter().filter(|byte| **byte == b'\n').count();
        assert!(scripts.map(lines).sum::<usize>() < 1_500);
        for asset in ALL {
            let text = std::str::from_utf8(asset.bytes).expect("text");
            let named = text.matches("http").count();
            assert_eq!(named, 0, "{} names a place elsewhere", asset.name);
        }
    }
}
