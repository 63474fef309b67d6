//! What the numbers of kinds are for.

/// What the kinds from `first` to `last` are for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KindRange {
    /// The first number.
    pub first: u16,
    /// The last number.
    pub last: u16,
    /// What their events are about.
    pub about: &'static str,
}

/// Every number that a kind can have, in order and without gaps. A new kind takes a free number of the
/// range that it belongs to; a range never comes to mean anything else.
pub const KIND_RANGES: [KindRange; 9] = [
    range(0, 0, "nothing"),
    range(1, 99, "a tournament"),
    range(100, 199, "seating and the venue"),
    range(200, 299, "clocks"),
    range(300, 399, "messages"),
    range(400, 499, "accounts and roles"),
    range(500, 599, "a season"),
    range(600, 32_767, "what is to come"),
    range(32_768, u16::MAX, "trials of one's own"),
];

const fn range(first: u16, last: u16, about: &'static str) -> KindRange {
    KindRange { first, last, about }
}

impl KindRange {
    /// The range of a kind.
    pub fn of(kind: u16) -> KindRange {
        let found = KIND_RANGES.into_iter().find(|range| kind <= range.last);
        // The last range ends with the last number.
        found.unwrap_or(KIND_RANGES[KIND_RANGES.len() - 1])
    }
}

impl std::fmt::Display for KindRange {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if self.first < self.last {
            return write!(f, "{} to {}: {}", self.first, self.last, self.about);
        }
        write!(f, "{}: {}", self.first, self.about)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::event::Event;

    #[test]
    fn the_ranges_hold_every_number_once() {
        let next = KIND_RANGES.iter().try_fold(0_u32, |next, range| {
            (u32::from(range.first) == next && range.first <= range.last)
                .then_some(u32::from(range.last) + 1)
        });
        assert_eq!(next, Some(1 << 16));
        for kind in [0, 1, 99, 100, 599, 600, 32_767, 32_768, u16::MAX] {
            let range = KindRange::of(kind);
            assert!((range.first..=range.last).contains(&kind), "{kind}: {range}");
        }
    }

    /// A range that is reserved stays free until what it is for is there.
    #[test]
    fn every_kind_so_far_is_a_tournaments_or_about_its_tables() {
        for (kind, name) in Event::KINDS {
            let about = match name.starts_with("Table") {
                true => "seating and the venue",
                false => "a tournament",
            };
            assert_eq!(KindRange::of(*kind).about, about, "{kind} {name}");
        }
    }
}
