//! What is another each time, as a placeholder.

/// Stands for a date and time, and is as wide.
const TIME: &str = "<day and time here>";

/// A line of output with placeholders: hashes of records (salts are random), hashes of rulesets
/// (they change with every comment in their texts), times, durations, the version.
pub fn line(line: &str) -> String {
    let version = env!("CARGO_PKG_VERSION");
    let line = line
        .replace(&format!("scrutineer {version}"), "scrutineer <version>")
        .replace(&format!("\"program\":\"{version}\""), "\"program\":\"<version>\"");
    let line = replace_runs(&line, 64, |_| true, "<hash>");
    let after_word = |before: &str| {
        let mut words = before.trim_end().rsplit(' ');
        let last = words.next().unwrap_or("");
        let second = words.next().unwrap_or("");
        let counted =
            second.trim_start_matches('(').parse::<u64>().is_ok() && last.starts_with("record");
        last.ends_with("head") || second == "ruleset" || counted
    };
    let line = replace_runs(&line, 8, after_word, "<hash8>");
    let line = replace_fours(&line, after_word);
    durations(&times(&base64(&line)))
}

/// A root or a signature, which follow from the hashes, as a placeholder.
fn base64(text: &str) -> String {
    let is_one = |word: &&str| {
        let digit = |c: char| c.is_ascii_alphanumeric() || "+/=".contains(c);
        word.len() >= 44 && word.ends_with('=') && word.chars().all(digit)
    };
    let found = text.split(' ').find(is_one);
    found.map_or(text.to_string(), |found| text.replace(found, "<base64>"))
}

/// Eight groups of four hexadecimal digits as a placeholder, where the text before them asks for it.
fn replace_fours(text: &str, wanted: impl Fn(&str) -> bool) -> String {
    let is_hex = |byte: u8| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte);
    let is_one = |part: &str| {
        part.bytes().enumerate().all(|(at, byte)| match at % 5 {
            4 => byte == b' ',
            _ => is_hex(byte),
        })
    };
    let mut at = (0..text.len()).filter(|at| text.is_char_boundary(*at) && wanted(&text[..*at]));
    at.find(|at| text.get(*at..at + 39).is_some_and(is_one)).map_or_else(
        || text.to_string(),
        |at| format!("{}<digits>{}", &text[..at], &text[at + 39..]),
    )
}

/// Replaces runs of exactly `length` hexadecimal digits where the text before them asks for it.
fn replace_runs(text: &str, length: usize, wanted: impl Fn(&str) -> bool, by: &str) -> String {
    let is_hex = |byte: u8| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte);
    let bytes = text.as_bytes();
    let (mut out, mut at) = (String::new(), 0);
    while at < bytes.len() {
        let run = bytes[at..].iter().take_while(|byte| is_hex(**byte)).count();
        let is_word = at == 0 || !bytes[at - 1].is_ascii_alphanumeric();
        let ends = bytes.get(at + run).is_none_or(|byte| !byte.is_ascii_alphanumeric());
        if run == length && is_word && ends && wanted(&text[..at]) {
            out.push_str(by);
            at += run;
        } else {
            let next = text[at..].chars().next().map_or(1, char::len_utf8).max(run);
            out.push_str(&text[at..at + next]);
            at += next;
        }
    }
    out
}

/// `2026-11-21 10:43:06` and `2026-11-21T10:43:06.123456Z` as placeholders.
fn times(text: &str) -> String {
    let shape = |part: &str, shape: &str| {
        let fits = |(byte, like): (u8, u8)| match like {
            b'0' => byte.is_ascii_digit(),
            like => byte == like,
        };
        part.bytes().zip(shape.bytes()).all(fits)
    };
    let shapes = [("0000-00-00 00:00:00", TIME), ("0000-00-00T00:00:00.000000Z", "<time>")];
    let (mut out, mut rest) = (String::new(), text);
    while let Some(first) = rest.chars().next() {
        let found = shapes
            .iter()
            .find(|(like, _)| rest.get(..like.len()).is_some_and(|part| shape(part, like)));
        if let Some((like, by)) = found {
            out.push_str(by);
            rest = &rest[like.len()..];
        } else {
            out.push(first);
            rest = &rest[first.len_utf8()..];
        }
    }
    out
}

/// `, 12 ms)` as a placeholder.
fn durations(text: &str) -> String {
    let Some(before) = text.strip_suffix(" ms)") else { return text.to_string() };
    let start = before.trim_end_matches(|c: char| c.is_ascii_digit());
    format!("{start}<n> ms)")
}

#[test]
fn only_what_changes_is_replaced() {
    let hash = "ab".repeat(32);
    assert_eq!(line(&format!("hash {hash}")), "hash <hash>");
    assert_eq!(line(&format!("hash {hash}0")), format!("hash {hash}0"));
    assert_eq!(line("  1  2026-11-21 10:43:06  import"), format!("  1  {TIME}  import"));
    assert_eq!(line("{\"time\":\"2026-11-21T10:43:06.123456Z\"}"), "{\"time\":\"<time>\"}");
    let fours = "e6ee 9e4d f151 2243 e6ee 9e4d f151 2243";
    assert_eq!(line(&format!("第3回 · ruleset mtr {fours}")), "第3回 · ruleset mtr <digits>");
    assert_eq!(line(&format!("table {fours}")), format!("table {fours}"));
    assert_eq!(line("records, head afde4d43: ok"), "records, head <hash8>: ok");
    assert_eq!(line(&format!("c.txt (1 record {fours}): yes")), "c.txt (1 record <digits>): yes");
    assert_eq!(line(&format!("\u{2014} a {}=", "A".repeat(91))), "\u{2014} a <base64>");
    assert_eq!(line("outside (engine, 17 ms)"), "outside (engine, <n> ms)");
}
