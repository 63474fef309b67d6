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
    /// Why a tournament cannot be written in a format of another program.
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
        /// The format is only written into a file of its own program.
        NeedsFile { program: &'static str } = refused "needs-its-file",
            "such a file is not made anew: it is written into the one that {program} has of this tournament",
            "save the tournament in that program and give its file too";
        /// A sheet is longer than spreadsheet programs open.
        TooLongForSheet { sheet: String, what: &'static str } = too_large "sheet-too-long",
            "{sheet} has more {what} than spreadsheet programs open",
            "write it as CSV: `scrutineer export --csv <folder>`";
        /// The format is not written into files.
        NotInto { format: String } = refused "not-written-into",
            "{format} is written anew, and into no file",
            "leave out the file; what stands in it and is not of the tournament is not kept";
        /// The file to write into cannot be read.
        IntoNotRead { why: String } = invalid "into-not-read",
            "the file to write into cannot be read: {why}",
            "save the tournament in its program again and give that file";
        /// The file to write into is no UTF-8, as what is written is.
        IntoNotUtf8 = invalid "into-not-read",
            "the file to write into is read, but it is no UTF-8, and only such a file is written into",
            "save it as UTF-8 in a text editor, with `encoding=\"UTF-8\"` in its first line where that names another one, \
             and give that file";
        /// Somebody who plays is not in the file to write into.
        NotInFile { player: String } = refused "not-in-its-file",
            "{player:?} plays, and is not in the file to write into",
            "give their name too, with `--roster`; who is missing there even so is enrolled in that program \
             under the id that they have here: save, and give that file. Where their id is another one there and right, \
             `scrutineer describe <player> --id <id>`";
        /// The file to write into tells something else of this tournament.
        DiffersFromFile { place: String, what: String } = refused "differs-from-its-file",
            "{place} of the file to write into: {what}",
            "correct it here or in that program, and write again";
        /// The file to write into is of another tournament than the one that this one came from.
        OfAnother { file: String, own: String } = refused "differs-from-its-file",
            "the file to write into is of tournament {file}, and this one came from {own}",
            "give the file that this tournament came from, as its program saved it last; another one of that \
             program is exported as the tournament that it is: `scrutineer tournaments` lists them";
    }
}

/// A JSON text with a line end behind it.
pub(crate) fn json_text(value: &impl serde::Serialize) -> String {
    // Plain structures without maps of other keys than texts: there is nothing that can fail.
    let mut text = serde_json::to_string(value).unwrap_or_default();
    text.push('\n');
    text
}
