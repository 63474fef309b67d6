//! A pairing program of somebody else, as its user names it: a command that is given a tournament in
//! FIDE's TRF and answers with pairs. It is started as it is typed, without a shell; nothing else ever
//! names a program that is run.

mod run;

use scrutineer_projections::timeline::engine_called;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// How long an engine may take where nobody says otherwise: 1,000 players take a minute.
pub const SECONDS: u32 = 120;
/// The longest that anybody can allow one.
pub const MOST_SECONDS: u32 = 3_600;
/// How many words a command may have.
const MOST_WORDS: usize = 32;
/// How much of an answer is read.
pub const ANSWER_BYTES: u64 = scrutineer_engine::limits::ENGINE_ANSWER as u64;
/// How much an engine may print beside it.
pub const PRINTED_BYTES: u64 = 1 << 20;

/// What an engine is given, as a word of its command.
const INPUT: &str = "{input}";
/// Where an engine answers, as a word of its command; without it on its standard output.
const OUTPUT: &str = "{output}";

scrutineer_engine::errors! {
    /// Why an engine gave no answer. Nothing was recorded.
    #[derive(Clone, PartialEq, Eq)]
    pub enum EngineError -> &'static str {
        /// The command is none.
        Command { why: String } = invalid "bad-engine", "--engine names no pairing engine: {why}",
            "such as `--engine bbpPairings.exe`, `--engine py4swiss` or `--engine 'java -jar javafo.jar {input} -p {output}'`";
        /// The program cannot be started.
        NotStarted { program: String, why: String } = not_found "engine-not-started",
            "{program} cannot be started: {why}", "check the name, or type the whole path";
        /// It ended in failure.
        Failed { engine: String, how: String, said: String } = refused "engine-failed",
            "{engine} gave up ({how}): {said}",
            "look at what it was given and what it said: `pair --engine <command> --engine-folder <folder>` leaves both there";
        /// It took too long.
        TooSlow { engine: String, seconds: u32 } = refused "engine-too-slow",
            "{engine} had no answer after {seconds} seconds and was stopped",
            "allow it longer: `--engine-seconds <seconds>`";
        /// It ended well and left nothing.
        Silent { engine: String, said: String } = refused "engine-silent",
            "{engine} ended without an answer: {said}",
            "say where it answers, as {output} in the command; without it its standard output is read";
        /// More than any answer is.
        TooMuch { engine: String, most: u64 } = refused "engine-answer-too-long",
            "{engine} wrote more than the {most} bytes that are read and was stopped",
            "check that the command pairs a round and does nothing else";
        /// An answer that is no text.
        NoText { engine: String } = refused "engine-answer-garbled",
            "what {engine} answered is no text", "check that the command pairs a round and does nothing else";
        /// The folder in which it runs.
        Folder { folder: String, why: String } = io "engine-folder",
            "the folder {folder} in which the engine runs cannot be used: {why}", "name another one: `--engine-folder <folder>`";
    }
}

/// A pairing engine that can be asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PairingEngine {
    /// The program and its words, with the places of the files.
    words: Vec<String>,
    /// What it is called.
    pub name: String,
    /// Its version, as it says.
    pub version: Option<String>,
    /// How long it may take.
    pub limit: Duration,
    /// Where it runs and leaves its files; none: where nobody finds them again.
    folder: Option<PathBuf>,
}

/// The engines that are known, by how their program is called.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Known {
    Bbp,
    Py4Swiss,
    Other,
}

impl PairingEngine {
    /// The engine of a command as it was typed, asked for its version where it is one that says it.
    ///
    /// # Errors
    /// Where it is no command, or the program cannot be started.
    pub fn named(
        typed: &str,
        seconds: Option<u32>,
        folder: Option<&Path>,
    ) -> Result<PairingEngine, EngineError> {
        let wrong = |why: &str| EngineError::Command { why: why.into() };
        let mut words = shlex::split(typed).ok_or_else(|| wrong("a quote is not closed"))?;
        let program = words.first().ok_or_else(|| wrong("it is empty"))?.clone();
        if words.len() > MOST_WORDS {
            return Err(wrong("it has more than 32 words"));
        }
        let seconds = seconds.unwrap_or(SECONDS);
        if !(1..=MOST_SECONDS).contains(&seconds) {
            return Err(wrong("--engine-seconds is 1 to 3600"));
        }
        let known = known(&program);
        if !words.iter().any(|word| word.contains(INPUT)) {
            words.extend(
                usual_words(known, &words[1..])
                    .ok_or_else(|| wrong("say where its files go, as {input} and {output}"))?,
            );
        }
        // It runs in a folder of its own, and what is meant is meant from here.
        for (at, word) in words.iter_mut().enumerate() {
            // A program without a path is looked for where programs are.
            let may_be_here = at > 0 || Path::new(word.as_str()).components().count() > 1;
            if may_be_here
                && Path::new(word.as_str()).is_file()
                && let Ok(path) = std::path::absolute(word.as_str())
            {
                *word = path.to_string_lossy().into_owned();
            }
        }
        let folder = folder
            .map(std::path::absolute)
            .transpose()
            .map_err(|error| wrong(&error.to_string()))?;
        let name = match known {
            Known::Bbp => "bbpPairings".into(),
            Known::Py4Swiss => "py4swiss".into(),
            Known::Other => called(&words),
        };
        let limit = Duration::from_secs(seconds.into());
        let mut engine = PairingEngine { words, name, version: None, limit, folder };
        engine.version = match known {
            Known::Bbp => run::first_line(&engine.words[0])?.as_deref().and_then(bbp_version),
            Known::Py4Swiss => py4swiss_version(&engine.words[0]),
            Known::Other => None,
        };
        Ok(engine)
    }

    /// Its name and version.
    pub fn called(&self) -> String {
        engine_called(&self.name, self.version.as_deref())
    }

    /// What it is started with: of a file its name alone, since where it lies is nobody's affair.
    pub fn arguments(&self) -> String {
        let shown = |word: &String| {
            let name = word.rsplit(['/', '\\']).next().unwrap_or_default();
            name.chars().map(|c| if c.is_control() { ' ' } else { c }).collect::<String>()
        };
        let words: Vec<String> = self.words[1..].iter().map(shown).collect();
        words.join(" ").chars().take(200).collect::<String>().trim().to_owned()
    }

    /// Asks it, and gives its answer word for word.
    ///
    /// # Errors
    /// Where it has none.
    pub fn ask(&self, question: &str) -> Result<String, EngineError> {
        run::ask(self, question)
    }
}

fn known(program: &str) -> Known {
    let stem = stem(program).to_lowercase();
    match stem {
        stem if stem.starts_with("bbppairings") => Known::Bbp,
        stem if stem.starts_with("py4swiss") => Known::Py4Swiss,
        _ => Known::Other,
    }
}

fn stem(program: &str) -> String {
    let stem = Path::new(program).file_stem();
    stem.map_or_else(String::new, |stem| stem.to_string_lossy().into_owned())
}

/// The words that an engine is usually given, behind those that were typed.
fn usual_words(known: Known, typed: &[String]) -> Option<Vec<String>> {
    let words: &[&str] = match known {
        Known::Bbp if typed.is_empty() => &["--dutch", INPUT, "-p", OUTPUT],
        Known::Bbp => &[INPUT, "-p", OUTPUT],
        Known::Py4Swiss => &["-t", INPUT, "-p", OUTPUT],
        Known::Other => return None,
    };
    Some(words.iter().map(|word| (*word).to_string()).collect())
}

/// What an engine that is not known is called: its program, or what that runs.
fn called(words: &[String]) -> String {
    const RUNNERS: [&str; 8] = ["java", "python", "python3", "node", "mono", "wine", "sh", "bash"];
    let program = stem(&words[0]);
    let own = words.iter().skip(1).find(|word| !word.starts_with('-') && !word.contains('{'));
    let name = match own.filter(|_| RUNNERS.contains(&program.as_str())) {
        Some(own) => stem(own),
        None => program,
    };
    let name: String = name.chars().filter(|c| !c.is_control()).take(60).collect();
    if name.trim().is_empty() { "engine".into() } else { name.trim().into() }
}

/// The version in what bbpPairings prints of itself, such as `BBP Pairings (…) - v5.0.1 (Built …)`.
fn bbp_version(line: &str) -> Option<String> {
    let said = line.split_once(" - ")?.1;
    let release = said.split(" (Built").next().unwrap_or(said).trim();
    let number =
        release.strip_prefix('v').filter(|number| number.starts_with(|c: char| c.is_ascii_digit()));
    let version = number.unwrap_or(said);
    Some(version.chars().filter(|c| !c.is_control()).take(100).collect())
}

/// The version of py4swiss, which it does not print: that of the package that lies beside its command.
fn py4swiss_version(program: &str) -> Option<String> {
    let program = match Path::new(program).components().count() {
        1 => std::env::split_paths(&std::env::var_os("PATH")?)
            .map(|folder| folder.join(program))
            .find(|path| path.is_file())?,
        _ => PathBuf::from(program),
    };
    let home = program.parent()?.parent()?;
    let pythons = std::fs::read_dir(home.join("lib")).into_iter().flatten().flatten();
    let folders = pythons.map(|python| python.path().join("site-packages"));
    let folders = folders.chain([home.join("Lib").join("site-packages")]);
    let packages =
        folders.flat_map(|folder| std::fs::read_dir(folder).into_iter().flatten().flatten());
    packages.into_iter().find_map(|package| {
        let name = package.file_name().to_string_lossy().into_owned();
        let version = name.strip_prefix("py4swiss-")?.strip_suffix(".dist-info")?;
        Some(version.to_owned())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_version_of_bbp_pairings_is_read_of_its_first_line() {
        let line = |version: &str| {
            let url = "https://github.com/BieremaBoyzProgramming/bbpPairings";
            format!("BBP Pairings ({url}) - {version} (Built Feb 01 2026 10:00:00)")
        };
        assert_eq!(bbp_version(&line("v5.0.1")).as_deref(), Some("5.0.1"));
        let own = "non-release build (Built Feb 01 2026 10:00:00)";
        assert_eq!(bbp_version(&line("non-release build")).as_deref(), Some(own));
        assert_eq!(bbp_version("something else"), None);
    }

    #[test]
    fn an_engine_is_called_by_what_it_is() {
        let called = |typed: &str| called(&shlex::split(typed).expect("words"));
        assert_eq!(called("java -jar /opt/eva/javafo.jar {input} -p {output}"), "javafo");
        assert_eq!(called("/opt/eva/pairer --now {input}"), "pairer");
        assert_eq!(called("python3 -m {input}"), "python3");
    }

    #[test]
    fn a_command_says_where_the_files_go_unless_it_is_known() {
        let of = |typed: &str| PairingEngine::named(typed, None, None).map(|one| one.arguments());
        let own = of("pairer --at=/home/eva/x.ini {input} x");
        assert_eq!(own.unwrap_or_default(), "x.ini {input} x");
        assert_eq!(of("py4swiss-is-not-here").unwrap_or_default(), "-t {input} -p {output}");
        for (typed, why) in [
            ("", "it is empty"),
            ("pairer 'in", "a quote is not closed"),
            ("pairer", "say where its files go, as {input} and {output}"),
        ] {
            let refused = EngineError::Command { why: why.into() };
            assert_eq!(of(typed), Err(refused), "{typed}");
        }
        let gone = of("bbpPairings-that-is-not-here").expect_err("no such program");
        assert_eq!(gone.code().word, "engine-not-started");
    }
}
