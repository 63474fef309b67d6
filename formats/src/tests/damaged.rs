//! Files damaged at random, the same in every run.

#![allow(clippy::disallowed_methods, reason = "a person may ask for a longer run")]

use super::*;

/// A generator of our own (splitmix64): the same damage in every run.
pub(super) struct Random(pub u64);

impl Random {
    pub fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        usize::try_from((z ^ (z >> 31)) % limit.max(1) as u64).expect("below the limit")
    }

    fn damage(&mut self, bytes: &mut Vec<u8>) {
        const TOKENS: [&str; 18] = [
            "-",
            "\"",
            "null",
            "9999999999",
            "-1",
            "[",
            "{",
            "}",
            ",",
            ";",
            "\n",
            "\u{0}",
            "Bye",
            "0-0-0",
            "1e400",
            "\u{202e}",
            "#",
            "1",
        ];
        let (from, to) = (self.below(bytes.len()), self.below(bytes.len()));
        let range = from.min(to)..from.max(to).min(from.min(to) + 60);
        match self.below(6) {
            0 => bytes.truncate(from),
            1 => drop(bytes.drain(range)),
            2 => {
                let copy = bytes[range].to_vec();
                bytes.splice(to..to, copy);
            }
            3 if !bytes.is_empty() => bytes[from] ^= 1 << self.below(8),
            4 if !bytes.is_empty() => bytes[from] = b'0' + self.below(10) as u8,
            _ => {
                let token = TOKENS[self.below(TOKENS.len())];
                bytes.splice(from..from, token.bytes());
            }
        }
    }
}

/// Whatever is read gives legal events; whatever is not gives an error, and never a panic.
#[test]
fn damaged_files_are_refused_or_legal() {
    let mut random = Random(2026);
    // A longer run for those who have the time: runs for each sample.
    let runs = std::env::var("SCRUTINEER_FUZZ_RUNS").ok().and_then(|runs| runs.parse().ok());
    let (mut read_again, mut refused) = (0, 0);
    let tunx = &include_bytes!("../../fuzz-seeds/spring.tunx")[..];
    for seed in SEEDS.iter().map(|seed| seed.as_bytes()).chain([tunx]) {
        for _ in 0..runs.unwrap_or(1_500) {
            let mut bytes = seed.to_vec();
            for _ in 0..=random.below(3) {
                random.damage(&mut bytes);
            }
            match read("damaged", &bytes) {
                Ok(source) => {
                    legal_events(&source).expect("what is read can be recorded");
                    let own = File::new("damaged", &bytes);
                    // What is written into its own file changes nothing there.
                    let format = ALL.iter().find(|format| format.name() == source.format);
                    if matches!(&*source.format, "tdf" | "opengotha xml")
                        && let Some(Ok(written)) =
                            format.and_then(|format| format.write(&source, Some(&own)))
                    {
                        assert_eq!(written.text.as_bytes(), bytes);
                    }
                    if source.format == "trf" {
                        written_the_same(&source);
                    }
                    read_again += 1;
                }
                Err(error) => {
                    assert!(error.to_string().len() < 600);
                    refused += 1;
                }
            }
        }
    }
    assert!(read_again > 500 && refused > 500, "{read_again} read, {refused} refused");
}

/// What is written of a report is read, and written the same.
fn written_the_same(source: &Source) {
    for dialect in [crate::trf::Dialect::Programs, crate::trf::Dialect::Fide] {
        let written = crate::trf::write(source, dialect).expect("two players each").text;
        let again =
            read("again", written.as_bytes()).unwrap_or_else(|error| panic!("{error}\n{written}"));
        assert_eq!(crate::trf::write(&again, dialect).expect("written").text, written);
    }
}
