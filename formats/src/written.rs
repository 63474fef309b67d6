//! What is written of a tournament in the format of another program.

/// A file that was written, and what it does not hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Written {
    /// The file.
    pub text: String,
    /// What is not in it, each as a sentence.
    pub left_out: Vec<String>,
}

scrutineer_engine::errors! {
    /// Why a tournament cannot be written as a report.
    #[derive(Clone, PartialEq, Eq)]
    pub enum WriteError -> &'static str {
        /// A match of more or fewer than two.
        NotTwo { round: String, seats: usize } = refused "not-as-report",
            "{round} has a match of {seats}, and a report is of two players each",
            "write it as CSV: `scrutineer export --csv <folder>`";
        /// More players than it has room for.
        TooMany { players: usize, most: usize } = too_large "report-too-large",
            "{players} players, and a report has room for {most}",
            "write it as CSV: `scrutineer export --csv <folder>`";
    }
}

/// A JSON text with a line end behind it.
pub(crate) fn json_text(value: &impl serde::Serialize) -> String {
    // Plain structures without maps of other keys than texts: there is nothing that can fail.
    let mut text = serde_json::to_string(value).unwrap_or_default();
    text.push('\n');
    text
}
