//! A report as it was at the start of a round.

/// The column in which rounds begin, and how wide they are.
const ROUNDS: usize = 91;
const WIDTH: usize = 10;

/// The text of a report, in whichever letters.
pub fn text_of(bytes: &[u8]) -> String {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let text = String::from_utf8(bytes.to_vec());
    let text = text.unwrap_or_else(|_| bytes.iter().map(|byte| *byte as char).collect());
    text.replace("\r\n", "\n").replace('\r', "\n")
}

fn is_player(line: &str) -> bool {
    line.starts_with("001 ")
}

/// How many rounds a report has.
pub fn rounds(text: &str) -> usize {
    let lengths =
        text.lines().filter(|line| is_player(line)).map(|line| line.trim_end().chars().count());
    lengths.max().map_or(0, |length| length.saturating_sub(ROUNDS).div_ceil(WIDTH))
}

pub fn players(text: &str) -> usize {
    text.lines().filter(|line| is_player(line)).count()
}

/// The report with so many rounds and the points of plain chess in them; what programs need to pair is said
/// where it was not.
pub fn back_to(text: &str, kept: usize) -> String {
    let has =
        |codes: &[&str]| text.lines().any(|line| codes.iter().any(|code| line.starts_with(code)));
    let mut cut = String::new();
    if !has(&["XXR", "142"]) {
        cut += &format!("XXR {}\n", rounds(text));
    }
    if kept == 0 && !has(&["XXC", "152"]) {
        cut += "XXC black1\n";
    }
    for line in text.lines() {
        match is_player(line) {
            true => cut += &player(line, kept),
            false => cut += line,
        }
        cut.push('\n');
    }
    cut
}

fn player(line: &str, kept: usize) -> String {
    let mut chars: Vec<char> = line.chars().collect();
    chars.resize(ROUNDS + WIDTH * kept, ' ');
    let worth = |block: &[char]| match block[7].to_ascii_uppercase() {
        '1' | 'W' | '+' | 'F' | 'U' => 10,
        '=' | 'D' | 'H' => 5,
        _ => 0,
    };
    let points: u32 = chars[ROUNDS..].chunks(WIDTH).map(worth).sum();
    let points = format!("{:>4}", format!("{}.{}", points / 10, points % 10));
    chars.splice(80..84, points.chars());
    let line: String = chars.into_iter().collect();
    format!("{:89}", line.trim_end())
}
