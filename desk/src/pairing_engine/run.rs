//! Running an engine: in a folder of its own, with a limit for its time and for what it writes.

use super::{ANSWER_BYTES, EngineError, INPUT, OUTPUT, PRINTED_BYTES, PairingEngine};
use std::fs::File;
use std::io::{ErrorKind, Read};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

/// How long an engine may take to say its version.
const VERSION: Duration = Duration::from_secs(10);
/// How often a running engine is looked at, at first and later.
const LOOKS: [Duration; 2] = [Duration::from_millis(2), Duration::from_millis(20)];

/// The files of a run.
struct Files {
    folder: PathBuf,
    /// A folder that goes with the run.
    _own: Option<tempfile::TempDir>,
}

impl Files {
    fn of(folder: Option<&Path>) -> Result<Files, EngineError> {
        let unusable = |folder: &Path, error: &std::io::Error| EngineError::Folder {
            folder: folder.display().to_string(),
            why: error.to_string(),
        };
        let files = match folder {
            Some(folder) => {
                std::fs::create_dir_all(folder).map_err(|error| unusable(folder, &error))?;
                Files { folder: folder.to_path_buf(), _own: None }
            }
            None => {
                let own = tempfile::Builder::new().prefix("scrutineer-engine-").tempdir();
                let own = own.map_err(|error| unusable(&std::env::temp_dir(), &error))?;
                Files { folder: own.path().to_path_buf(), _own: Some(own) }
            }
        };
        // What an earlier run left must not be taken for an answer.
        for name in ["answer.txt", "printed.txt", "errors.txt"] {
            match std::fs::remove_file(files.path(name)) {
                Err(error) if error.kind() != ErrorKind::NotFound => {
                    return Err(unusable(&files.folder, &error));
                }
                _ => {}
            }
        }
        Ok(files)
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }

    fn new_file(&self, name: &str) -> Result<File, EngineError> {
        File::create(self.path(name)).map_err(|error| self.unusable(&error))
    }

    fn unusable(&self, error: &std::io::Error) -> EngineError {
        EngineError::Folder { folder: self.folder.display().to_string(), why: error.to_string() }
    }

    fn length(&self, name: &str) -> u64 {
        std::fs::metadata(self.path(name)).map_or(0, |found| found.len())
    }

    /// The beginning of a file; none where there is none.
    fn read(&self, name: &str, most: u64) -> Option<Vec<u8>> {
        let (mut bytes, file) = (Vec::new(), File::open(self.path(name)).ok()?);
        file.take(most).read_to_end(&mut bytes).ok()?;
        Some(bytes)
    }

    /// The last line that an engine printed, for people.
    fn last_words(&self) -> String {
        let of = |name| {
            let bytes = self.read(name, PRINTED_BYTES).unwrap_or_default();
            let text = String::from_utf8_lossy(&bytes).into_owned();
            let last = text.lines().map(str::trim).rfind(|line| !line.is_empty())?;
            let printable = last.chars().filter(|c| !c.is_control());
            Some(printable.take(300).collect::<String>())
        };
        of("errors.txt").or_else(|| of("printed.txt")).unwrap_or_else(|| "it said nothing".into())
    }
}

/// What a run is, beside its files.
struct Run<'a> {
    engine: &'a str,
    limit: Duration,
}

impl Run<'_> {
    /// Starts a program and waits for its end, but no longer than it may take and write.
    fn done(&self, files: &Files, words: &[String]) -> Result<ExitStatus, EngineError> {
        let (program, arguments) = words.split_first().expect("a command has a first word");
        let mut command = Command::new(program);
        command.args(arguments).current_dir(&files.folder).stdin(Stdio::null());
        command.stdout(files.new_file("printed.txt")?).stderr(files.new_file("errors.txt")?);
        let own = std::env::vars_os().map(|(name, _)| name);
        // What this program is told in confidence is none of its affairs.
        for name in own.filter(|name| name.to_string_lossy().starts_with("SCRUTINEER")) {
            command.env_remove(name);
        }
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let mut child = command.spawn().map_err(|error| {
            let why = match error.kind() {
                ErrorKind::NotFound => "there is no such program".to_string(),
                _ => error.to_string(),
            };
            EngineError::NotStarted { program: program.clone(), why }
        })?;
        let ended = self.wait(files, &mut child);
        if ended.is_err() {
            stop(&mut child);
        }
        ended
    }

    fn wait(&self, files: &Files, child: &mut Child) -> Result<ExitStatus, EngineError> {
        let started = Instant::now();
        loop {
            let ended = child.try_wait().map_err(|error| files.unusable(&error))?;
            for (name, most) in [
                ("answer.txt", ANSWER_BYTES),
                ("printed.txt", PRINTED_BYTES),
                ("errors.txt", PRINTED_BYTES),
            ] {
                if files.length(name) > most {
                    return Err(EngineError::TooMuch { engine: self.engine.into(), most });
                }
            }
            if let Some(status) = ended {
                return Ok(status);
            }
            if started.elapsed() >= self.limit {
                let seconds = u32::try_from(self.limit.as_secs()).unwrap_or(u32::MAX);
                return Err(EngineError::TooSlow { engine: self.engine.into(), seconds });
            }
            std::thread::sleep(LOOKS[usize::from(started.elapsed() > Duration::from_millis(200))]);
        }
    }
}

/// Stops a program, and on Unix what it started itself.
fn stop(child: &mut Child) {
    #[cfg(unix)]
    if let Some(group) = i32::try_from(child.id()).ok().and_then(rustix::process::Pid::from_raw) {
        // It may have ended by itself.
        let _ = rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
    }
    let _ = child.kill();
    let _ = child.wait();
}

/// Asks an engine, and gives what it answers.
pub fn ask(engine: &PairingEngine, question: &str) -> Result<String, EngineError> {
    let files = Files::of(engine.folder.as_deref())?;
    let (input, answer) = (files.path("question.trf"), files.path("answer.txt"));
    std::fs::write(&input, question).map_err(|error| files.unusable(&error))?;
    let place = |word: &String| {
        let word = word.replace(INPUT, &input.to_string_lossy());
        word.replace(OUTPUT, &answer.to_string_lossy())
    };
    let words: Vec<String> = engine.words.iter().map(place).collect();
    let called = engine.called();
    let run = Run { engine: &called, limit: engine.limit };
    let status = run.done(&files, &words)?;
    if !status.success() {
        let (engine, how, said) = (called, status.to_string(), files.last_words());
        return Err(EngineError::Failed { engine, how, said });
    }
    let answers_in_file = engine.words.iter().any(|word| word.contains(OUTPUT));
    let from = if answers_in_file { "answer.txt" } else { "printed.txt" };
    let most = ANSWER_BYTES;
    let bytes = files.read(from, most + 1).unwrap_or_default();
    if bytes.len() as u64 > most {
        return Err(EngineError::TooMuch { engine: called, most });
    }
    if bytes.iter().all(u8::is_ascii_whitespace) {
        return Err(EngineError::Silent { engine: called, said: files.last_words() });
    }
    String::from_utf8(bytes).map_err(|_| EngineError::NoText { engine: called })
}

/// The first line that a program prints when it is asked nothing.
pub fn first_line(program: &str) -> Result<Option<String>, EngineError> {
    let files = Files::of(None)?;
    let run = Run { engine: program, limit: VERSION };
    match run.done(&files, &[program.to_owned()]) {
        Ok(_) | Err(EngineError::TooSlow { .. } | EngineError::TooMuch { .. }) => {}
        Err(error) => return Err(error),
    }
    let printed = files.read("printed.txt", PRINTED_BYTES).unwrap_or_default();
    Ok(String::from_utf8_lossy(&printed).lines().next().map(str::to_owned))
}
