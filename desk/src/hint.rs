//! What to do next, as data: words, commands in them, and how long to wait.

/// A hint. In its text a command stands between backticks and begins with the program's name; each
/// face shows it in its own way: a terminal as a line to type, a page as a button.
///
/// ```
/// use scrutineer_desk::hint::{Hint, HintPart};
/// let hint = Hint::from("look at them: `scrutineer log --limit 5`");
/// let [HintPart::Words("look at them: "), HintPart::Command(command)] = hint.parts()[..] else {
///     panic!("words and a command")
/// };
/// assert_eq!(command.verb(), "log");
/// assert_eq!(command.arguments(), ["--limit", "5"]);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hint {
    text: String,
    seconds: Option<u32>,
}

/// A part of a hint.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HintPart<'a> {
    /// Words to read.
    Words(&'a str),
    /// A command to give.
    Command(HintCommand<'a>),
}

/// What stands in a command that somebody else types, for their store.
const THEIR_STORE: &str = "<its store>";

/// A command of a hint. What stands in angle brackets is for its reader to fill in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HintCommand<'a>(&'a str);

impl<'a> HintCommand<'a> {
    /// Returns the verb and its arguments as they are typed.
    pub const fn typed(self) -> &'a str {
        self.0
    }

    /// Returns the verb.
    pub fn verb(self) -> String {
        self.words().0
    }

    /// Returns the arguments, without the quotation marks that a shell needs. An option that stands
    /// before the verb, such as `--store`, comes first.
    pub fn arguments(self) -> Vec<String> {
        self.words().1
    }

    fn words(self) -> (String, Vec<String>) {
        // Without the second quotation mark a word is what stands between spaces.
        let plain = || self.0.split_whitespace().map(str::to_string).collect();
        // What its reader fills in is one word.
        let typed = self.0.replace(THEIR_STORE, &format!("\"{THEIR_STORE}\""));
        let mut words = shlex::split(&typed).unwrap_or_else(plain);
        // Before the verb stand options with a value each.
        let before = words.iter().step_by(2).take_while(|word| word.starts_with("--")).count() * 2;
        match before < words.len() {
            true => (words.remove(before), words),
            false => (String::new(), words),
        }
    }
}

impl Hint {
    /// To wait so many seconds, and what else there is to know.
    ///
    /// ```
    /// use scrutineer_desk::hint::Hint;
    /// let hint = Hint::to_wait(42, "nothing was done");
    /// assert_eq!(hint.text(), "wait 42 seconds: nothing was done");
    /// assert_eq!(hint.seconds(), Some(42));
    /// assert_eq!(Hint::to_wait(1, "").text(), "wait 1 second");
    /// ```
    pub fn to_wait(seconds: u64, more: &str) -> Hint {
        let unit = if seconds == 1 { "second" } else { "seconds" };
        let colon = if more.is_empty() { "" } else { ": " };
        Hint {
            text: format!("wait {seconds} {unit}{colon}{more}"),
            seconds: Some(u32::try_from(seconds).unwrap_or(u32::MAX)),
        }
    }

    /// Returns how many seconds to wait, where that is what to do.
    pub const fn seconds(&self) -> Option<u32> {
        self.seconds
    }

    /// Returns the text, with its commands between backticks.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Returns the words and commands in their order.
    pub fn parts(&self) -> Vec<HintPart<'_>> {
        let mut parts = Vec::new();
        let mut words = 0;
        let mut at = 0;
        for (number, piece) in self.text.split('`').enumerate() {
            let command = piece.strip_prefix("scrutineer ").filter(|_| number % 2 == 1);
            let end = at + piece.len();
            if let Some(command) = command {
                if words + 1 < at {
                    parts.push(HintPart::Words(&self.text[words..at - 1]));
                }
                parts.push(HintPart::Command(HintCommand(command)));
                words = end + 1;
            }
            at = end + 1;
        }
        if words < self.text.len() {
            parts.push(HintPart::Words(&self.text[words..]));
        }
        parts
    }

    /// Returns the commands in their order.
    pub fn commands(&self) -> Vec<HintCommand<'_>> {
        let parts = self.parts().into_iter();
        parts
            .filter_map(|part| match part {
                HintPart::Command(command) => Some(command),
                HintPart::Words(_) => None,
            })
            .collect()
    }
}

impl std::fmt::Display for Hint {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.text)
    }
}

impl<T: Into<String>> From<T> for Hint {
    fn from(text: T) -> Hint {
        Hint { text: text.into(), seconds: None }
    }
}

#[cfg(test)]
mod tests {
    use super::{Hint, HintPart};

    #[test]
    fn words_between_backticks_that_are_no_command_stay_words() {
        let hint = Hint::from("enter the loss (such as `l-w`), or `scrutineer undo` and go on");
        let parts = hint.parts();
        let [HintPart::Words(before), HintPart::Command(undo), HintPart::Words(after)] = parts[..]
        else {
            panic!("{parts:?}")
        };
        assert_eq!(before, "enter the loss (such as `l-w`), or ");
        assert_eq!((undo.verb().as_str(), after), ("undo", " and go on"));
    }

    #[test]
    fn a_store_that_was_typed_is_an_argument_and_no_verb() {
        let hint = Hint::from("`scrutineer --store \"my store\" log --limit 5`");
        let [log] = hint.commands()[..] else { panic!("{hint}") };
        assert_eq!(log.verb(), "log");
        assert_eq!(log.arguments(), ["--store", "my store", "--limit", "5"]);
        let theirs = Hint::from("`scrutineer --store <its store> checkpoint`");
        let [checkpoint] = theirs.commands()[..] else { panic!("{theirs}") };
        assert_eq!(checkpoint.verb(), "checkpoint");
        assert_eq!(checkpoint.arguments(), ["--store", "<its store>"]);
    }
}
