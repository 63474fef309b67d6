//! Passwords that stand in no address: those of the environment and of libpq's file.

use std::path::PathBuf;

/// The password of `PGPASSWORD`, or of the line of `PGPASSFILE` or `~/.pgpass` that fits.
pub(crate) fn find(host: &str, port: u16, database: &str, user: &str) -> Option<String> {
    if let Ok(password) = std::env::var("PGPASSWORD") {
        return Some(password);
    }
    let file = std::env::var_os("PGPASSFILE").map(PathBuf::from);
    let file = file.or_else(|| Some(PathBuf::from(std::env::var_os("HOME")?).join(".pgpass")))?;
    let text = std::fs::read_to_string(file).ok()?;
    // A socket in a folder is called localhost there.
    let host = if host.starts_with('/') { "localhost" } else { host };
    let wanted = [host, &port.to_string(), database, user];
    text.lines().find_map(|line| fitting(line, &wanted))
}

/// The password of a line `host:port:database:user:password`, where `*` stands for all.
fn fitting(line: &str, wanted: &[&str; 4]) -> Option<String> {
    if line.starts_with('#') {
        return None;
    }
    let mut fields = vec![String::new()];
    let mut letters = line.chars();
    while let Some(letter) = letters.next() {
        match (letter, fields.len()) {
            ('\\', _) => fields.last_mut()?.extend(letters.next()),
            (':', 1..=4) => fields.push(String::new()),
            _ => fields.last_mut()?.push(letter),
        }
    }
    let [host, port, database, user, password] = <[String; 5]>::try_from(fields).ok()?;
    let fits = [host, port, database, user];
    let fits = fits.iter().zip(wanted).all(|(field, wanted)| field == "*" || field == wanted);
    fits.then_some(password)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_that_fits_has_the_password() {
        let wanted = ["db", "5432", "open", "desk"];
        let of = |line| fitting(line, &wanted);
        assert_eq!(of("db:5432:open:desk:a:b").as_deref(), Some("a:b"));
        assert_eq!(of("*:*:*:desk:a\\:\\\\b").as_deref(), Some("a:\\b"));
        for other in ["", "#db:5432:open:desk:x", "db:5432:open:x", "db:1:open:desk:x"] {
            assert_eq!(of(other), None, "{other}");
        }
    }
}
