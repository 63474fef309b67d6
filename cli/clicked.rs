//! The program started by a double click: nobody typed anything, so its name says what is meant, and
//! its window stays until it was read.

use std::ffi::OsString;
use std::io::Write;
use std::path::Path;

/// What the program is called where it is given away to be clicked on.
const NAME: &str = "scrutineer-desk";

/// The words that are meant by a double click: the desk in the browser, in a folder of the user's own.
/// Nothing where somebody typed words, or the program has another name.
pub fn words(program: &Path, typed: usize, home: Option<&Path>) -> Option<Vec<OsString>> {
    // A second download is called `scrutineer-desk (1)`.
    let name = program.file_stem()?.to_str()?.to_ascii_lowercase();
    if typed > 0 || !name.starts_with(NAME) {
        return None;
    }
    let mut words = vec![OsString::from("scrutineer"), "serve".into(), "--open".into()];
    // Not beside the program, which may lie in a folder of downloads, nor among documents, which
    // other programs copy away while they are written.
    if let Some(home) = home.filter(|home| !home.as_os_str().is_empty()) {
        words.extend(["--store".into(), home.join("Scrutineer").into_os_string()]);
    }
    Some(words)
}

/// As [`words`], of this program as it was started. A store that the environment names is used.
pub fn meant() -> Option<Vec<OsString>> {
    if !cfg!(feature = "serve") {
        return None;
    }
    let program = std::env::current_exe().ok()?;
    let home = match std::env::var_os("SCRUTINEER_STORE") {
        Some(_) => None,
        None => std::env::home_dir(),
    };
    words(&program, std::env::args_os().count().saturating_sub(1), home.as_deref())
}

/// Waits until somebody has read what stands in the window, which is gone with the program.
pub fn wait() {
    let mut out = anstream::stdout();
    let _ = write!(out, "\nPress Enter to close this window. ").and_then(|()| out.flush());
    let _ = std::io::stdin().read_line(&mut String::new());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_its_name_without_a_word_means_the_desk() {
        let home = Path::new("home");
        let meant = |program: &str, typed| words(Path::new(program), typed, Some(home));
        for program in ["a/scrutineer-desk", "Scrutineer-Desk.EXE", "scrutineer-desk (1).exe"] {
            let words = meant(program, 0).expect("the desk");
            let store = home.join("Scrutineer").into_os_string();
            assert_eq!(words[1..], ["serve".into(), "--open".into(), "--store".into(), store]);
        }
        assert_eq!(meant("scrutineer-desk.exe", 1), None, "somebody typed a verb");
        assert_eq!(meant("scrutineer.exe", 0), None);
        let words = words(Path::new("scrutineer-desk"), 0, None).expect("the desk");
        assert_eq!(words.len(), 3, "where there is no home the store is where it always is");
    }
}
