//! Words that are no command, told in a sentence.

use crate::error::VerbError;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use scrutineer_engine::error::Code;
use std::fmt::Write;

/// The commands as the help lists them.
pub const GROUPS: [(&str, &[&str]); 6] = [
    ("Begin", &["new", "import", "demo", "help"]),
    (
        "Run",
        &[
            "enroll",
            "players",
            "check-in",
            "pair",
            "publish",
            "pairings",
            "result",
            "claim",
            "note-score",
            "correct",
            "bye",
            "drop",
            "reinstate",
            "late",
            "penalty",
            "disqualify",
            "rename",
            "set-division",
            "describe",
            "repair",
            "set-pairing",
            "keep-table",
            "tables",
            "dispute",
            "disputes",
            "cut",
            "advance",
            "lots",
            "announce",
            "note",
            "undo",
            "withdraw",
            "amend-rules",
            "name-staff",
            "reseed",
            "close",
            #[cfg(feature = "serve")]
            "serve",
            #[cfg(feature = "serve")]
            "publish-to",
            #[cfg(feature = "serve")]
            "enroll-store",
        ],
    ),
    (
        "Look",
        &[
            "tournaments",
            "standings",
            "explain",
            "explain-pairing",
            "reach",
            "what-if",
            "replay",
            "trace",
            "log",
            "show",
            "review",
        ],
    ),
    ("Rules", &["rules", "compare", "rebuild", "simulate"]),
    (
        "Trust",
        &[
            "verify",
            "checkpoint",
            "prove",
            "check-receipt",
            "check-pairing",
            #[cfg(feature = "serve")]
            "follow",
            "diff",
            "keys",
        ],
    ),
    ("Store", &["export", "bundle", "adopt", "forget", "backup", "restore", "store", "snapshots"]),
];

/// The command with its verbs in groups.
pub fn in_groups(command: clap::Command) -> clap::Command {
    let longest = GROUPS.iter().flat_map(|(_, verbs)| verbs.iter()).map(|verb| verb.len()).max();
    let indent = longest.unwrap_or(0) + 4;
    let mut text = String::new();
    for (heading, verbs) in GROUPS {
        let _ = writeln!(text, "{heading}:");
        for verb in verbs {
            let about = command.find_subcommand(verb).and_then(|found| found.get_about());
            let about =
                about.map_or("Print this, or the help of a command".into(), ToString::to_string);
            let _ = writeln!(text, "  {verb:0$}{about}", indent - 2);
        }
        text.push('\n');
    }
    let (before, after) =
        ("{about-with-newline}\n{usage-heading} {usage}", "{options}{after-help}");
    command.help_template(format!("{before}\n\n{text}Options:\n{after}"))
}

/// The code of what was typed wrongly.
pub const BAD_USAGE: Code = Code::invalid("bad-usage");

/// What people type for a command that is called otherwise.
const MEANT: [(&str, &str); 27] = [
    ("add", "enroll"),
    ("delete", "withdraw"),
    ("draw", "check-pairing"),
    ("end", "close"),
    ("event", "tournaments"),
    ("events", "tournaments"),
    ("finish", "close"),
    ("history", "log"),
    ("kick", "drop"),
    ("list", "players"),
    ("match", "pairings"),
    ("matches", "pairings"),
    ("next", "pair"),
    ("print", "pairings"),
    ("rank", "standings"),
    ("ranking", "standings"),
    ("register", "enroll"),
    ("remove", "drop"),
    ("round", "pair"),
    ("score", "result"),
    ("show-standings", "standings"),
    ("signup", "enroll"),
    ("start", "new"),
    ("stats", "standings"),
    ("status", "standings"),
    ("tables", "pairings"),
    ("winner", "standings"),
];

/// The refusal with what a scorekeeper is likely to have meant, and without a usage in which all that
/// is set otherwise stands as if it had to be typed.
pub fn for_people(mut error: clap::Error) -> clap::Error {
    let word = match error.get(ContextKind::InvalidSubcommand) {
        Some(ContextValue::String(word)) => word.to_lowercase(),
        _ => String::new(),
    };
    let meant = MEANT.iter().find(|(typed, _)| *typed == word).map(|(_, verb)| *verb);
    if !word.is_empty() {
        let similar = match error.get(ContextKind::SuggestedSubcommand) {
            Some(ContextValue::Strings(verbs)) => nearest(&word, verbs),
            _ => None,
        };
        let verb = meant.map(str::to_string).or(similar);
        match verb {
            Some(verb) => {
                let verb = ContextValue::Strings(vec![verb]);
                error.insert(ContextKind::SuggestedSubcommand, verb);
            }
            None => drop(error.remove(ContextKind::SuggestedSubcommand)),
        }
    }
    if error.kind() == ErrorKind::MissingRequiredArgument {
        error.insert(ContextKind::Usage, ContextValue::None);
    }
    error
}

/// The verb that was mistyped; none where none is so near that it is likely.
fn nearest(word: &str, verbs: &[String]) -> Option<String> {
    let far = |verb: &str| match word.starts_with(verb) || verb.starts_with(word) {
        true => 0,
        false => strsim::damerau_levenshtein(word, verb),
    };
    let near = verbs.iter().filter(|verb| far(verb) <= 2 && far(verb) * 3 <= word.len());
    near.min_by_key(|verb| (far(verb), strsim::damerau_levenshtein(word, verb))).cloned()
}

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
pub fn refused(error: &clap::Error) -> VerbError {
    let (message, tip) = in_words(error);
    VerbError::new(
        BAD_USAGE,
        message,
        tip.unwrap_or_else(|| "`--help` behind the command says how it is written".into()),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn every_verb_stands_in_one_group_of_the_help_on_one_line() {
        let command = crate::args::Args::command();
        let mut known: Vec<&str> = command.get_subcommands().map(clap::Command::get_name).collect();
        known.push("help");
        let mut listed: Vec<&str> = GROUPS.iter().flat_map(|(_, verbs)| *verbs).copied().collect();
        known.sort_unstable();
        listed.sort_unstable();
        assert_eq!(listed, known);
        let help = in_groups(command.clone()).render_help().to_string();
        let (verbs, _) = help.split_once("Options:").expect("the options stand behind");
        assert!(verbs.lines().all(|line| line.chars().count() < 80), "{verbs}");
    }
}
