//! `result`: one slip from the command line, or a stack of them from standard input.

use super::slips::{answered, enter};
use super::{AtDesk, Told, next};
use crate::args::Enter;
use crate::error::CliError;
use crate::names::Names;
use crate::{Answer, Report};
use scrutineer_desk::answers::{self, RefusedSlip, StackAnswer};
use scrutineer_desk::desk::open_round;
use scrutineer_engine::error::Code;
use std::io::{BufRead, IsTerminal, Read, Write};

/// The longest line that is read.
const LINE_BYTES: u64 = 2_000;

/// Enters a slip, or a stack.
pub fn run(at: &AtDesk<'_>, options: &Enter) -> Result<Report, CliError> {
    let names = at.names()?;
    if options.slip.is_empty() || options.slip == ["-"] {
        if at.is_trial {
            let message = "no slip is named, and slips from standard input are not tried";
            return Err(CliError::new(
                Code::invalid("bad-slip"),
                message,
                "name the table and the score: `result 12 2-1`",
            ));
        }
        return stack(at, &names);
    }
    // The shell keeps a quoted name together; a slip that is quoted whole is taken apart.
    let slip = match &options.slip[..] {
        [whole] => words(whole),
        slip => slip.to_vec(),
    };
    let (entered, line) = enter(at, &names, &slip)?;
    if at.session.json {
        let answer = answered("result", &names, &entered);
        return Ok(at.answer(Told::of(&entered.done, String::new(), answer)));
    }
    let mut text = line;
    if entered.missing == 0 {
        text.push_str(&format!("next: {}\n", next::step(at, &*at.state()?)?));
    }
    Ok(Report::yes(text))
}

fn words(line: &str) -> Vec<String> {
    line.split_whitespace().map(str::to_string).collect()
}

/// How a stack went.
#[derive(Default)]
struct Count {
    entered: usize,
    refused: usize,
}

/// An answer to each line as it comes; a line that is refused does not stop the rest.
fn stack(at: &AtDesk<'_>, names: &Names) -> Result<Report, CliError> {
    let stdin = std::io::stdin();
    if stdin.is_terminal() {
        let end = if cfg!(windows) { "Ctrl-Z and Enter end" } else { "Ctrl-D ends" };
        let _ = writeln!(anstream::stderr(), "table and score, one slip a line; {end}");
    }
    let mut input = stdin.lock();
    let mut count = Count::default();
    for number in 1.. {
        let Some(line) = next_line(&mut input)? else { break };
        if line.as_ref().is_ok_and(|line| line.trim().is_empty()) {
            continue;
        }
        let shown = line.as_deref().unwrap_or("").trim().to_string();
        let answer = line.and_then(|line| enter(at, names, &words(&line)));
        say(&match answer {
            Ok((entered, line)) => {
                count.entered += 1;
                match at.session.json {
                    true => at.text(Told::of(
                        &entered.done,
                        String::new(),
                        answered("result", names, &entered),
                    )),
                    false => line,
                }
            }
            // What the disk does is no line's fault, and holds for the next ones too.
            Err(fail) if fail.code.kind.is_of_the_store() => return Err(fail),
            Err(fail) => {
                count.refused += 1;
                refused(at, number, &shown, &fail)
            }
        });
    }
    summary(at, &count)
}

fn refused(at: &AtDesk<'_>, number: usize, line: &str, fail: &CliError) -> String {
    if at.session.json {
        let (slip, error) = (line.to_string(), fail.problem());
        return answers::line(&RefusedSlip { line: number, slip, error });
    }
    let shown: String = line.chars().filter(|c| !c.is_control()).take(60).collect();
    let hint = fail.hint.as_ref().map_or(String::new(), |hint| format!("  hint: {}\n", hint));
    format!("line {number} refused: {shown}: {}   [{}]\n{hint}", fail.message, fail.code)
}

fn summary(at: &AtDesk<'_>, count: &Count) -> Result<Report, CliError> {
    let answer = if count.refused > 0 { Answer::No } else { Answer::Yes };
    let state = at.state()?;
    let left = open_round(&state).map(|open| (open.open_matches, open.number));
    if at.session.json {
        let Count { entered, refused } = *count;
        let missing = left.map(|(missing, _)| missing);
        let text = answers::line(&StackAnswer { entered, refused, missing });
        return Ok(Report { text, answer });
    }
    let left = match left {
        Some((0, round)) => {
            format!("round {round} is complete\nnext: {}", next::step(at, &state)?)
        }
        Some((missing, round)) => format!("{missing} left in round {round}"),
        None => "no round is being played".into(),
    };
    let text = format!("{} entered, {} refused; {left}\n", count.entered, count.refused);
    Ok(Report { text, answer })
}

/// A line is answered before the next one is read.
fn say(answer: &str) {
    let mut out = anstream::stdout();
    let _ = out.write_all(answer.as_bytes()).and_then(|()| out.flush());
}

/// The next line; what is too long or no text is refused as a whole.
fn next_line(input: &mut impl BufRead) -> Result<Option<Result<String, CliError>>, CliError> {
    let failed = |error: std::io::Error| {
        let message = format!("cannot read standard input: {error}");
        CliError::new(Code::io("file-not-read"), message, "what was answered above is recorded")
    };
    let mut bytes = Vec::new();
    let read = input.by_ref().take(LINE_BYTES).read_until(b'\n', &mut bytes).map_err(failed)?;
    if read == 0 {
        return Ok(None);
    }
    let bad = |what: &str| {
        CliError::new(Code::invalid("bad-slip"), what, "write the table, then the score: `12 2-1`")
    };
    if read as u64 == LINE_BYTES && bytes.last() != Some(&b'\n') {
        loop {
            let (skipped, ends) = {
                let rest = input.fill_buf().map_err(failed)?;
                match rest.iter().position(|byte| *byte == b'\n') {
                    Some(at) => (at + 1, true),
                    None => (rest.len(), rest.is_empty()),
                }
            };
            input.consume(skipped);
            if ends {
                return Ok(Some(Err(bad("the line is too long for a slip"))));
            }
        }
    }
    // Editors on Windows begin a file with a mark that nobody sees.
    let line = bytes.strip_prefix("\u{feff}".as_bytes()).unwrap_or(&bytes);
    Ok(Some(String::from_utf8(line.to_vec()).map_err(|_| bad("the line is not UTF-8"))))
}
