//! What results count: XXS of JaVaFo, BB* of bbpPairings, 162 of TRF26.

use crate::build::tenths;
use crate::report::{ChessReport, PointSystem, ReportRecord};

/// The records that say what results count.
pub const CODES: [&str; 8] = ["162", "BBW", "BBD", "BBL", "BBZ", "BBF", "BBU", "XXS"];

/// The points of a report's records, where one says any; or the code of a record that says none that can
/// be understood, and what stands there.
pub fn read(report: &ChessReport) -> Result<Option<PointSystem>, (String, String)> {
    let mut system = PointSystem::default();
    // A bye of the pairing is a win until something else is said of it.
    let mut bye = None;
    for record in &report.records {
        let fault = || (record.code.clone(), record.text.clone());
        match record.code.as_str() {
            "162" => fide(&record.text, &mut system, &mut bye).ok_or_else(fault)?,
            "XXS" => javafo(&record.text, &mut system, &mut bye).ok_or_else(fault)?,
            code @ ("BBW" | "BBD" | "BBL" | "BBZ" | "BBF" | "BBU") => {
                let points = value(&record.text).ok_or_else(fault)?;
                match code {
                    "BBW" => win(&mut system, points),
                    "BBD" => draw(&mut system, points),
                    "BBL" => system.loss = [points; 2],
                    "BBZ" => system.zero_bye = points,
                    "BBF" => system.forfeit_loss = points,
                    _ => bye = Some(points),
                }
            }
            _ => {}
        }
    }
    system.bye = bye.unwrap_or(system.win[0]);
    Ok(Some(system).filter(|system| *system != PointSystem::default()))
}

/// Points of up to 99.9, in tenths.
fn value(text: &str) -> Option<u16> {
    let points = tenths(text.trim()).filter(|points| (0..=999).contains(points))?;
    u16::try_from(points).ok()
}

fn win(system: &mut PointSystem, points: u16) {
    system.win = [points; 2];
    (system.forfeit_win, system.full_bye) = (points, points);
}

fn draw(system: &mut PointSystem, points: u16) {
    (system.draw, system.half_bye) = ([points; 2], points);
}

/// Pairs of a symbol and a value, which stand in columns but of which some programs shift the values.
fn fide(text: &str, system: &mut PointSystem, bye: &mut Option<u16>) -> Option<()> {
    let mut words = text.split_whitespace();
    while let Some(symbol) = words.next() {
        let points = value(words.next()?)?;
        match symbol {
            "W" => win(system, points),
            "D" => draw(system, points),
            "L" => system.loss = [points; 2],
            "P" => *bye = Some(points),
            // One program writes Z, another A, for who was not there.
            "Z" | "A" => (system.zero_bye, system.forfeit_loss) = (points, points),
            // Of no meaning for points that are counted from results.
            "X" => {}
            _ => return None,
        }
    }
    Some(())
}

fn javafo(text: &str, system: &mut PointSystem, bye: &mut Option<u16>) -> Option<()> {
    for word in text.split_whitespace() {
        let (code, points) = word.split_once('=')?;
        let points = value(points)?;
        match code {
            "WW" => system.win[0] = points,
            "BW" => system.win[1] = points,
            "WD" => system.draw[0] = points,
            "BD" => system.draw[1] = points,
            "WL" => system.loss[0] = points,
            "BL" => system.loss[1] = points,
            "ZPB" => system.zero_bye = points,
            "HPB" => system.half_bye = points,
            "FPB" => system.full_bye = points,
            "PAB" => *bye = Some(points),
            "FW" => system.forfeit_win = points,
            "FL" => system.forfeit_loss = points,
            "W" => win(system, points),
            "D" => draw(system, points),
            "L" => {
                system.loss = [points; 2];
                (system.zero_bye, system.forfeit_loss) = (points, points);
            }
            _ => return None,
        }
        // JaVaFo's bye is a point whatever a win is.
        if bye.is_none() {
            *bye = Some(10);
        }
    }
    Some(())
}

impl PointSystem {
    /// What a block's result counts for a player of white or of black.
    pub(super) fn of(&self, result: char, is_black: bool) -> u16 {
        let seat = usize::from(is_black);
        match result {
            '1' | 'W' => self.win[seat],
            '=' | 'D' => self.draw[seat],
            '0' | 'L' => self.loss[seat],
            '+' => self.forfeit_win,
            '-' => self.forfeit_loss,
            'U' => self.bye,
            'F' => self.full_bye,
            'H' => self.half_bye,
            'Z' => self.zero_bye,
            _ => 0,
        }
    }

    /// Whether it can be said without naming colors, forfeits won and byes asked for: as TRF26 and
    /// bbpPairings do.
    pub(super) fn is_plain(&self) -> bool {
        let same = |[white, black]: [u16; 2]| white == black;
        same(self.win)
            && same(self.draw)
            && same(self.loss)
            && [self.forfeit_win, self.full_bye] == self.win
            && self.half_bye == self.draw[0]
    }

    /// As TRF26 says it; none where it has no words for it.
    pub(super) fn as_fide(&self) -> Option<ReportRecord> {
        if !self.is_plain() || self.zero_bye != self.forfeit_loss {
            return None;
        }
        let all = [
            ('W', self.win[0]),
            ('D', self.draw[0]),
            ('L', self.loss[0]),
            ('Z', self.zero_bye),
            ('P', self.bye),
        ];
        let groups: Vec<String> = all
            .iter()
            .map(|(symbol, points)| format!("{symbol:>2}{:>4}", decimal(*points)))
            .collect();
        Some(record("162", groups.join("   ")))
    }

    /// As pairing programs say it.
    pub(super) fn as_programs(&self) -> Vec<ReportRecord> {
        let mut all = Vec::new();
        if self.is_plain() {
            let bbp = [
                ("BBW", self.win[0]),
                ("BBD", self.draw[0]),
                ("BBL", self.loss[0]),
                ("BBZ", self.zero_bye),
                ("BBF", self.forfeit_loss),
                ("BBU", self.bye),
            ];
            all.extend(bbp.map(|(code, points)| record(code, format!("{:>4}", decimal(points)))));
        }
        let javafo = [
            ("WW", self.win[0]),
            ("BW", self.win[1]),
            ("WD", self.draw[0]),
            ("BD", self.draw[1]),
            ("WL", self.loss[0]),
            ("BL", self.loss[1]),
            ("ZPB", self.zero_bye),
            ("HPB", self.half_bye),
            ("FPB", self.full_bye),
            ("PAB", self.bye),
            ("FW", self.forfeit_win),
            ("FL", self.forfeit_loss),
        ];
        let words = javafo.map(|(code, points)| format!("{code}={}", decimal(points)));
        all.push(record("XXS", words.join(" ")));
        all
    }
}

fn record(code: &str, text: String) -> ReportRecord {
    ReportRecord { code: code.to_owned(), text }
}

/// What a result counts with white and with black, told once where it is the same.
pub fn of_colors([white, black]: [u16; 2]) -> String {
    match white == black {
        true => decimal(white),
        false => format!("{} with white and {} with black", decimal(white), decimal(black)),
    }
}

/// Tenths as a number with one digit behind the point.
pub fn decimal(tenths: u16) -> String {
    format!("{}.{}", tenths / 10, tenths % 10)
}
