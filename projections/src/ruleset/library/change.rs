//! A change of single values, written as an expression: `mtr+points.draw=0`.
//!
//! It becomes a small ruleset that extends the one it names, so that it is read, hashed and
//! recorded like any other.

use crate::ratio::Fraction;
use crate::ruleset::parse::{Fault, Head, RulesetError};
use scrutineer_engine::event::RulesetFile;

/// Lines of the text before the first change.
const HEAD_LINES: u32 = 4;

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
    let whole = !value.contains(['/', '.']) && Fraction::read(value).is_some();
    if whole && let Ok(number) = value.parse::<i64>() {
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
