//! Counts in words.

use std::fmt::Display;

/// `1 record`, `2 records`, `2 private entries`, `0 matches`: a number and what it counts, which is
/// given for one.
pub fn counted<N: Display + PartialEq + From<u8>>(count: N, noun: &str) -> String {
    if count == N::from(1) {
        return format!("1 {noun}");
    }
    let before_last = noun.chars().rev().nth(1);
    match noun.strip_suffix('y') {
        Some(stem) if !before_last.is_some_and(|letter| "aeiou".contains(letter)) => {
            format!("{count} {stem}ies")
        }
        _ if ["s", "x", "ch", "sh"].iter().any(|end| noun.ends_with(end)) => {
            format!("{count} {noun}es")
        }
        _ => format!("{count} {noun}s"),
    }
}

/// A place in words: `1st`, `22nd`, `113th`.
pub fn ordinal(rank: u32) -> String {
    let ending = match (rank % 10, rank % 100) {
        (_, 11..=13) => "th",
        (1, _) => "st",
        (2, _) => "nd",
        (3, _) => "rd",
        _ => "th",
    };
    format!("{rank}{ending}")
}

#[cfg(test)]
mod tests {
    use super::{counted, ordinal};

    #[test]
    fn eleventh_twelfth_and_thirteenth_end_alike() {
        let told = [1, 2, 3, 4, 11, 12, 13, 21, 22, 113].map(ordinal);
        let told: Vec<&str> = told.iter().map(String::as_str).collect();
        assert_eq!(
            told,
            ["1st", "2nd", "3rd", "4th", "11th", "12th", "13th", "21st", "22nd", "113th"]
        );
    }

    #[test]
    fn one_is_one_and_the_rest_are_many() {
        assert_eq!(counted(1u64, "record"), "1 record");
        assert_eq!(counted(0u32, "record"), "0 records");
        assert_eq!(counted(2usize, "private entry"), "2 private entries");
        assert_eq!(counted(3u16, "match"), "3 matches");
        assert_eq!(counted(12u64, "key"), "12 keys");
        assert_eq!(counted(2u64, "bye"), "2 byes");
    }
}
