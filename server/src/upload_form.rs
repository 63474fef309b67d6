//! Forms with files (`multipart/form-data`, RFC 7578), as browsers send them: their parts are pieces of the
//! body, which is not copied.

use crate::posted::Fields;
use crate::problem::bad_request;
use crate::uploads::Sent;
use axum::body::Bytes;
use scrutineer_desk::verb_error::VerbError;

/// The longest mark between parts.
const MOST_MARK: usize = 70;
/// How many parts a form has.
const MOST_PARTS: usize = 256;
/// How long the head of a part is.
const MOST_HEAD: usize = 4 << 10;
/// How long a field is that is no file.
const MOST_FIELD: usize = 8 << 10;

/// A form with its fields and its files.
#[derive(Debug, Default)]
pub struct Form {
    /// The fields that are no files.
    pub fields: Fields,
    /// The files that were chosen.
    pub files: Vec<Sent>,
}

fn none(what: &str) -> VerbError {
    bad_request(format!("this is no form with files: {what}"))
}

/// Reads a form of this `Content-Type`.
///
/// # Errors
/// Where it is none, with what is wrong in it.
pub fn read(kind: &str, body: &Bytes) -> Result<Form, VerbError> {
    let mark = mark(kind)?;
    let (mut form, mut at, mut parts) = (Form::default(), 0, 0);
    // The first mark has no line end before it.
    if !body.starts_with(&mark[2..]) {
        return Err(none("it does not begin with its boundary"));
    }
    at += mark.len() - 2;
    loop {
        match body.get(at..at + 2) {
            Some(b"--") => return Ok(form),
            Some(b"\r\n") => at += 2,
            _ => return Err(none("it breaks off, or its boundary is not alone in its line")),
        }
        parts += 1;
        if parts > MOST_PARTS {
            return Err(none("it has too many parts"));
        }
        let head_end = find(&body[at..body.len().min(at + MOST_HEAD)], b"\r\n\r\n");
        let head_end = head_end.ok_or_else(|| none("a part has no head, or a long one"))?;
        let head = std::str::from_utf8(&body[at..at + head_end])
            .map_err(|_| none("the head of a part is no UTF-8"))?;
        at += head_end + 4;
        // The mark of an empty part begins with the end of its head.
        let begin = at - 2;
        let end = find(&body[begin..], &mark).ok_or_else(|| none("a part has no end"))?;
        let value = body.slice(at..at.max(begin + end));
        at = begin + end + mark.len();
        let (name, file) = named(head)?;
        match file {
            // A form whose file nobody chose sends an empty one.
            Some(file) if file.is_empty() && value.is_empty() => {}
            Some(file) => form.files.push(Sent { name: file, bytes: value }),
            None if value.len() > MOST_FIELD => return Err(none("a field is too long")),
            None => {
                let text = std::str::from_utf8(&value).map_err(|_| none("a field is no UTF-8"))?;
                form.fields.push((name, text.to_string()));
            }
        }
    }
}

/// The mark between parts with the line end before it.
fn mark(kind: &str) -> Result<Vec<u8>, VerbError> {
    let (name, rest) = kind.split_once(';').unwrap_or((kind, ""));
    if !name.trim().eq_ignore_ascii_case("multipart/form-data") {
        return Err(none("its Content-Type is another one"));
    }
    let named = rest.split(';').find_map(|one| {
        let (name, value) = one.trim().split_once('=')?;
        name.eq_ignore_ascii_case("boundary").then(|| value.trim_matches('"'))
    });
    let mark = named.filter(|mark| !mark.is_empty() && mark.len() <= MOST_MARK);
    let mark = mark.ok_or_else(|| none("it names no boundary"))?;
    Ok([b"\r\n--", mark.as_bytes()].concat())
}

/// Where something stands first.
fn find(bytes: &[u8], what: &[u8]) -> Option<usize> {
    let mut from = 0;
    while let Some(at) = bytes[from..].iter().position(|byte| *byte == what[0]) {
        if bytes[from + at..].starts_with(what) {
            return Some(from + at);
        }
        from += at + 1;
    }
    None
}

/// The name of a part, and the name of its file where it is one, without folders before it.
fn named(head: &str) -> Result<(String, Option<String>), VerbError> {
    let is_meant = |line: &&str| {
        line.split_once(':')
            .is_some_and(|(name, _)| name.eq_ignore_ascii_case("content-disposition"))
    };
    let line = head.split("\r\n").find(is_meant).unwrap_or_default();
    let value = |wanted: &str| {
        let (_, rest) = line.split_once(&format!(" {wanted}=\""))?;
        // Browsers write these three signs so, and nothing else.
        let value = rest.split('"').next()?;
        Some(value.replace("%22", "\"").replace("%0D", " ").replace("%0A", " "))
    };
    let name = value("name").ok_or_else(|| none("a part has no name"))?;
    let file = value("filename");
    let file = file.map(|file| file.rsplit(['/', '\\']).next().unwrap_or_default().to_string());
    Ok((name, file))
}

#[cfg(test)]
mod tests {
    use super::*;

    const KIND: &str = "multipart/form-data; boundary=\"x-mark\"";

    fn body(text: &str) -> Bytes {
        Bytes::from(text.replace('\n', "\r\n"))
    }

    #[test]
    fn fields_and_files_are_read_as_browsers_send_them() {
        let text = "--x-mark\nContent-Disposition: form-data; name=\"rules\"\n\nmtr\n--x-mark\n\
                    Content-Disposition: form-data; name=\"file\"; filename=\"C:\\a\\Jan%22s.csv\"\n\
                    Content-Type: text/csv\n\nround,a\n1,--x-mar\n\n--x-mark\n\
                    Content-Disposition: form-data; name=\"file\"; filename=\"\"\n\n\n--x-mark\n\
                    Content-Disposition: form-data; name=\"empty\"\n\n\n--x-mark--\n";
        let form = read(KIND, &body(text)).expect("a form");
        let fields = [("rules", "mtr"), ("empty", "")].map(|(a, b)| (a.to_string(), b.to_string()));
        assert_eq!(form.fields, fields);
        assert_eq!(form.files.len(), 1, "nobody chose a second file");
        assert_eq!(form.files[0].name, "Jan\"s.csv");
        assert_eq!(form.files[0].bytes, "round,a\r\n1,--x-mar\r\n");
    }

    #[test]
    fn what_is_no_such_form_is_refused_and_not_stumbled_over() {
        let whole = "--x-mark\nContent-Disposition: form-data; name=\"a\"\n\nb\n--x-mark--\n";
        let whole = body(whole);
        assert!(read(KIND, &whole).is_ok());
        let end = whole.len() - b"--\r\n".len();
        for cut in 0..end {
            assert!(read(KIND, &whole.slice(..cut)).is_err(), "cut at {cut}");
        }
        for kind in ["", "text/plain", "multipart/form-data", "multipart/form-data; boundary="] {
            assert!(read(kind, &whole).is_err(), "{kind}");
        }
        let nameless = body("--x-mark\nContent-Type: text/csv\n\nb\n--x-mark--\n");
        assert!(read(KIND, &nameless).is_err());
        let many =
            "--x-mark\nContent-Disposition: form-data; name=\"a\"\n\nb\n".repeat(MOST_PARTS + 1);
        assert!(read(KIND, &body(&format!("{many}--x-mark--"))).is_err());
    }
}
