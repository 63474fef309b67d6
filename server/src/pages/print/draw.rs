//! A bracket on paper: its rounds side by side, cut into sheets where there are many matches.

use super::super::bracket::{Bracket, Match, Seat, Stage};
use super::fit::{Room, fit, heights};

/// How many matches stand below each other, and how many rounds beside each other.
const DEEP: usize = 16;
const ACROSS: usize = 5;

/// A sheet of a bracket.
pub struct DrawSheet<'a> {
    /// What it is called, and which part of it this is.
    pub span: String,
    /// Its rounds.
    pub columns: Vec<DrawColumn<'a>>,
    /// Whether there is room for large letters.
    pub is_wide: bool,
}

/// A round of a bracket, or a part of it.
pub struct DrawColumn<'a> {
    /// What it is called.
    pub name: &'a str,
    /// How its matches lead into the next column, as [`Stage::leads`]; nothing in the last one.
    pub leads: &'static str,
    /// Its matches, each with the sizes of its names.
    pub matches: Vec<(&'a Match, Vec<&'static str>)>,
}

/// Cuts brackets into sheets: a part of the first rounds and all that comes of it on one, and so on
/// until one is left.
pub fn sheets<'a>(brackets: &'a [Bracket]) -> Vec<DrawSheet<'a>> {
    let mut sheets = Vec::new();
    let parts_of = |bracket: &'a Bracket| bracket.parts.iter().map(move |part| (bracket, part));
    for (bracket, own) in brackets.iter().flat_map(parts_of) {
        let called = match own.name.is_empty() {
            true => bracket.name.clone(),
            false => format!("{} · {}", bracket.name, own.name),
        };
        let stages = &own.stages;
        let mut from = 0;
        while from < stages.len() {
            let first = stages[from].matches.len().max(1);
            let parts = first.div_ceil(DEEP);
            // Only where each round has half the matches of the one before does a part of it go on.
            let halves = |at: &usize| {
                let before = stages[*at - 1].matches.len();
                stages[*at].matches.len() * 2 == before
            };
            let is_halved = (from + 1..stages.len()).take_while(halves).count();
            let fits = |count: usize| stages[from].matches.len() >> (count - 1) >= parts;
            let mut count = (is_halved + 1).min(ACROSS);
            while count > 1 && !fits(count) {
                count -= 1;
            }
            if parts == 1 && count == 1 {
                // Rounds of other sizes stand side by side as long as they are no deeper.
                let rest = &stages[from..];
                count = rest.iter().take(ACROSS).take_while(|s| s.matches.len() <= DEEP).count();
                count = count.max(1);
            }
            // Fewer rounds beside each other are wider: until every name can be read.
            let is_read = |count: usize| {
                let wide = wide(count);
                let all = stages[from..from + count].iter().flat_map(|stage| &stage.matches);
                all.flat_map(|one| &one.seats)
                    .all(|seat| heights(&seated(seat), room(wide, first)) == 1)
            };
            while count > 1 && !is_read(count) {
                count -= 1;
            }
            for part in 0..parts {
                let of = |stage: &Stage| {
                    let each = stage.matches.len().div_ceil(parts);
                    (part * each, ((part + 1) * each).min(stage.matches.len()))
                };
                let wide = wide(count);
                let shown = stages[from..from + count].iter().enumerate().map(|(at, stage)| {
                    let (begin, end) = of(stage);
                    let matches = stage.matches.get(begin..end).unwrap_or_default();
                    DrawColumn {
                        name: &stage.name,
                        leads: if at + 1 < count { stage.leads } else { "" },
                        matches: matches.iter().map(|one| (one, sizes(one, wide, first))).collect(),
                    }
                });
                let span = match parts {
                    1 => called.clone(),
                    _ => format!("{called} · {}/{parts}", part + 1),
                };
                let is_wide = first <= 8;
                sheets.push(DrawSheet { span, columns: shown.collect(), is_wide });
            }
            from += count;
        }
    }
    sheets
}

/// How wide a name is where so many rounds stand beside each other.
fn wide(count: usize) -> f32 {
    188.0 / count as f32 - 20.0
}

/// What stands in a seat.
fn seated(seat: &Seat) -> String {
    format!("{} {}", seat.name, seat.remark).trim_end().to_string()
}

/// The room of a name where so many matches of a first round stand below each other.
fn room(wide: f32, first: usize) -> Room {
    let (high, most) = if first <= 8 { (9.0, 11.0) } else { (4.4, 9.5) };
    Room { wide, high, most, bold: true }
}

fn sizes(one: &Match, wide: f32, first: usize) -> Vec<&'static str> {
    one.seats.iter().map(|seat| fit(&seated(seat), room(wide, first))).collect()
}

#[cfg(test)]
mod tests {
    use super::super::super::bracket::Part;
    use super::*;

    fn bracket(stages: &[usize]) -> Bracket {
        let seat = || Seat {
            seed: "1".into(),
            name: "Ann Lee".into(),
            score: String::new(),
            class: "",
            remark: String::new(),
        };
        let one = |_| Match { head: String::new(), is_played: false, seats: vec![seat(), seat()] };
        let stage = |(at, count): (usize, &usize)| Stage {
            name: format!("Round {at}"),
            leads: "",
            matches: (0..*count).map(one).collect(),
        };
        Bracket {
            name: "Top".into(),
            parts: vec![Part {
                name: String::new(),
                stages: stages.iter().enumerate().map(stage).collect(),
            }],
            seeds: Vec::new(),
        }
    }

    fn cut(stages: &[usize]) -> (usize, usize) {
        let brackets = [bracket(stages)];
        let sheets = sheets(&brackets);
        let columns = || sheets.iter().flat_map(|sheet| &sheet.columns);
        assert!(columns().all(|column| column.matches.len() <= DEEP));
        assert!(sheets.iter().all(|sheet| sheet.columns.len() <= ACROSS));
        (sheets.len(), columns().map(|column| column.matches.len()).sum())
    }

    #[test]
    fn every_match_of_a_bracket_stands_once_and_no_sheet_is_too_deep() {
        assert_eq!(cut(&[4, 2, 1]), (1, 7));
        assert_eq!(cut(&[16, 8, 4, 2, 1]), (1, 31));
        assert_eq!(cut(&[32, 16, 8, 4, 2, 1]), (3, 63));
        assert_eq!(cut(&[128, 64, 32, 16, 8, 4, 2, 1]), (9, 255));
        // Names that would be smaller than anybody reads have wider rounds, on more sheets.
        let mut long = bracket(&[16, 8, 4, 2, 1]);
        let seats = long.parts[0].stages.iter_mut().flat_map(|stage| &mut stage.matches);
        seats.flat_map(|one| &mut one.seats).for_each(|seat| {
            seat.name = "Maximiliane von Hohenlohe".into();
        });
        let long = [long];
        let cut_long = sheets(&long);
        assert!(cut_long.len() > 1);
        let matches = cut_long.iter().flat_map(|sheet| &sheet.columns).map(|c| c.matches.len());
        assert_eq!(matches.sum::<usize>(), 31);
        // Double elimination: the rounds of both halves.
        assert_eq!(cut(&[4, 4, 3, 2, 1, 1]).1, 15);
        assert_eq!(cut(&[]), (0, 0));
    }
}
