//! A change of single values, written as an expression: `mtr+points.draw=0`.
//!
//! It becomes a small ruleset that extends the one it names, so that it is read, hashed and
//! recorded like any other.

use crate::ratio::Fraction;
use crate::ruleset::parse::{Fault, Head, RulesetError, head};
use scrutineer_engine::event::RulesetFile;

/// Lines of the text before the first change.
const HEAD_LINES: u32 = 4;

/// The base and the changes of a ruleset that is such an expression and says just that; none for any
/// other.
pub(super) fn of(files: &[RulesetFile]) -> Option<(&str, &str)> {
    let [own, base, ..] = files else { return None };
    let (id, changes) = own.name.split_once('+')?;
    let made = file(&own.name, id, changes, &head(base).ok()?).ok()?;
    (id == base.name && made == *own).then_some((id, changes))
}

/// The text of an expression's ruleset: one change to a line.
pub(super) fn file(
    expression: &str,
    base: &str,
    changes: &str,
    head: &Head,
) -> Result<RulesetFile, RulesetError> {
    let mut text = String::new();
    let name = format!("{} with {}", head.name, changes.replace('+', ", "));
    for (key, value) in [
        ("name", name.as_str()),
        ("edition", &head.edition),
        ("source", &head.source),
        ("extends", base),
    ] {
        text += &format!("{key} = {}\n", quoted(value));
    }
    for (index, part) in changes.split('+').enumerate() {
        let line = line(part).map_err(|(message, hint)| {
            let mut fault = Fault::general(message, Some(hint));
            place(&mut fault, expression, index);
            RulesetError::from(fault)
        })?;
        text += &line;
    }
    Ok(RulesetFile { name: expression.to_owned(), text })
}

fn line(part: &str) -> Result<String, (String, String)> {
    let example = || "such as mtr+points.draw=0+settings.percentage_floor=1/3".to_owned();
    let Some((key, value)) = part.split_once('=') else {
        return Err((format!("`{part}` is no change: key=value is expected"), example()));
    };
    let (key, value) = (key.trim(), value.trim());
    let bare = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-';
    if key.is_empty() || !key.split('.').all(|step| !step.is_empty() && step.bytes().all(bare)) {
        return Err((format!("`{key}` is no key"), example()));
    }
    if value.is_empty() {
        return Err((format!("`{key}` is given no value"), example()));
    }
    Ok(format!("{key} = {}\n", written(key, value)))
}

/// A whole number, true or false as they are, everything else as a text; orders and other lists
/// with commas.
fn written(key: &str, value: &str) -> String {
    let last = key.rsplit('.').next().unwrap_or(key);
    let lists = ["order", "running_order", "phases", "ratio", "outcomes", "kinds", "except"];
    if lists.contains(&last) {
        let items: Vec<String> = value.split(',').map(|item| quoted(item.trim())).collect();
        return format!("[{}]", items.join(", "));
    }
    if Fraction::read(value).is_some()
        && let Ok(number) = value.parse::<i64>()
    {
        return number.to_string();
    }
    match value {
        "true" | "false" => value.to_owned(),
        _ => quoted(value),
    }
}

/// A TOML text on one line.
fn quoted(text: &str) -> String {
    let mut quoted = String::from("\"");
    for letter in text.chars() {
        match letter {
            '"' | '\\' => quoted.extend(['\\', letter]),
            letter if letter.is_control() => quoted += &format!("\\u{:04X}", letter as u32),
            letter => quoted.push(letter),
        }
    }
    quoted + "\""
}

/// Faults in an expression's text are told at the part of the expression.
pub(super) fn retell(mut error: RulesetError, expression: &str) -> RulesetError {
    if !expression.contains('+') {
        return error;
    }
    for fault in error.faults.iter_mut().filter(|fault| fault.file == expression) {
        let index = fault.line.saturating_sub(HEAD_LINES + 1) as usize;
        place(fault, expression, index);
    }
    error
}

/// Puts a fault at the numbered change of the expression.
fn place(fault: &mut Fault, expression: &str, index: usize) {
    let before: usize =
        expression.split('+').take(index + 1).map(|part| part.chars().count() + 1).sum();
    fault.file = expression.to_owned();
    fault.line = 1;
    fault.column = u32::try_from(before + 1).unwrap_or(u32::MAX);
    if let Some(part) = expression.split('+').nth(index + 1) {
        fault.message = format!("{} (in `{part}`)", fault.message);
    }
}

#[cfg(test)]
mod tests {
    use super::{line, written};

    #[test]
    fn a_value_is_written_as_its_kind() {
        for (key, value, text) in [
            ("points.win", "3", "3"),
            ("points.win", "-3", "-3"),
            ("points.win", "007", "7"),
            ("points.draw", "1/2", "\"1/2\""),
            ("points.draw", "0.5", "\"0.5\""),
            // Larger than any number of a ruleset: it is told as it was typed.
            ("points.draw", "99999999999", "\"99999999999\""),
            ("draw.flag", "true", "true"),
            ("draw.flag", "false", "false"),
            ("draw.flag", "True", "\"True\""),
            ("name", "a \"b\" \\ c\td \u{1} \u{7f}", r#""a \"b\" \\ c\u0009d \u0001 \u007F""#),
            // A letter beyond four digits stands as it is.
            ("name", "Zürich \u{1F3C6}", "\"Zürich \u{1F3C6}\""),
            ("order", "points, omw", "[\"points\", \"omw\"]"),
            ("measures.x.kinds", "played", "[\"played\"]"),
        ] {
            assert_eq!(written(key, value), text, "{key}={value}");
        }
    }

    #[test]
    fn a_change_has_a_key_and_a_value() {
        assert_eq!(line(" points.draw = 0 ").as_deref(), Ok("points.draw = 0\n"));
        assert_eq!(line("points.by-score_2=x").as_deref(), Ok("points.by-score_2 = \"x\"\n"));
        for part in ["points.draw", "=3", ".=3", "points..draw=3", "a b=3", "p\u{e4}=3", "p="] {
            assert!(line(part).is_err(), "{part}");
        }
    }
}
