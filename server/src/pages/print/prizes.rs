//! Ranges of places that have a prize: `1, 2, 3-4, 5-8`.

use scrutineer_desk::verb_error::VerbError;
use scrutineer_engine::error::Code;

/// The most ranges that are read.
const MOST: usize = 64;

/// Ranges of places, the first one best.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Prizes(Vec<(u32, u32)>);

impl Prizes {
    /// Reads ranges that rise and do not overlap.
    ///
    /// # Errors
    /// Where they are none.
    pub fn read(typed: &str) -> Result<Prizes, VerbError> {
        let mut ranges: Vec<(u32, u32)> = Vec::new();
        for part in typed.split([',', ';', ' ']).filter(|part| !part.is_empty()) {
            let (first, last) = part.split_once(['-', '–']).unwrap_or((part, part));
            let place = |text: &str| text.parse::<u32>().ok().filter(|place| *place > 0);
            let range = place(first).zip(place(last)).filter(|(first, last)| first <= last);
            let before = ranges.last().map_or(0, |(_, last)| *last);
            match range.filter(|(first, _)| *first > before && ranges.len() < MOST) {
                Some(range) => ranges.push(range),
                None => {
                    let message = format!("{part:?} is no range of places behind place {before}");
                    let hint = "write places and ranges that rise, such as 1, 2, 3-4, 5-8";
                    return Err(VerbError::new(Code::invalid("bad-prizes"), message, hint));
                }
            }
        }
        Ok(Prizes(ranges))
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The range of a place: its number from 0, and how it is written. Who shares a place has its prize.
    pub fn of(&self, place: u32) -> Option<(usize, String)> {
        let at = self.0.iter().position(|(first, last)| (*first..=*last).contains(&place))?;
        let (first, last) = self.0[at];
        let text = if first == last { first.to_string() } else { format!("{first}–{last}") };
        Some((at, text))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_rise_and_each_place_has_one() {
        let prizes = Prizes::read("1, 2, 3-4,5–8").expect("ranges");
        let of = |place| prizes.of(place).map(|(at, text)| format!("{at}: {text}"));
        assert_eq!(
            [1, 3, 4, 8].map(of),
            ["0: 1", "2: 3–4", "2: 3–4", "3: 5–8"].map(|t| Some(t.into()))
        );
        assert_eq!((of(9), of(0)), (None, None));
        assert!(Prizes::read("").expect("none").is_empty());
        for bad in ["0", "2-1", "1-4, 3", "x", "1-", "4000000000-5000000000"] {
            assert_eq!(Prizes::read(bad).expect_err(bad).code.word, "bad-prizes");
        }
    }
}
