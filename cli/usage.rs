//! Words that are no command, told in a sentence.

use crate::fail::Fail;
use clap::error::ErrorKind;

/// The code of what was typed wrongly.
pub const BAD_USAGE: &str = "bad-usage";

/// What is wrong with what was typed, and a tip where there is one.
pub fn in_words(error: &clap::Error) -> (String, Option<String>) {
    if error.kind() == ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand {
        return ("another word has to stand behind it".to_string(), None);
    }
    let all = error.render().to_string();
    let mut lines = all.lines().map(str::trim);
    let first = lines.by_ref().find(|line| !line.is_empty()).unwrap_or_default();
    let first = first.trim_start_matches("error: ").to_string();
    // What is missing stands below, one a line.
    let listed: Vec<&str> = lines.by_ref().take_while(|line| !line.is_empty()).collect();
    let message = match listed.is_empty() {
        true => first,
        false => format!("{first} {}", listed.join(", ")),
    };
    // That a word could be meant as a value helps nobody here.
    let mut tips = lines.filter_map(|line| line.strip_prefix("tip: "));
    let tip = tips.find(|tip| !tip.starts_with("to pass ")).map(str::to_string);
    (message, tip)
}

/// The refusal of words that are no command, as programs read it.
pub fn refused(error: &clap::Error) -> Fail {
    let (message, tip) = in_words(error);
    Fail::new(
        BAD_USAGE,
        message,
        tip.unwrap_or_else(|| "`--help` behind the command says how it is written".into()),
    )
}
