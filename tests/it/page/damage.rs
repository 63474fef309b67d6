//! Bundles that were changed: by accident, and by somebody who knows the format.

use crate::random_tournaments::Dice;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use scrutineer_desk::keys::Key;
use scrutineer_engine::event::Event;
use scrutineer_engine::record::Record;
use scrutineer_replay::mirror::mirror;
use scrutineer_replay::trust::checkpoint::Signed;

/// The bundle itself, and many ways to change it.
pub fn many(good: &[u8], seed: u64) -> Vec<(String, Vec<u8>)> {
    let mut dice = Dice(seed.wrapping_mul(0x9E37_79B9) ^ good.len() as u64);
    let lines: Vec<Vec<u8>> =
        good.split_inclusive(|byte| *byte == b'\n').map(<[u8]>::to_vec).collect();
    let mut all = vec![("as it is".to_string(), good.to_vec())];
    for _ in 0..16 {
        let mut bytes = good.to_vec();
        let at = dice.below(bytes.len());
        bytes[at] ^= 1 << dice.below(8);
        all.push((format!("bit flipped at {at}"), bytes));
    }
    for _ in 0..4 {
        let at = dice.below(good.len());
        all.push((format!("cut off at {at}"), good[..at].to_vec()));
    }
    for mended in [false, true] {
        for (name, changed) in whole_lines(&lines, &mut dice) {
            let name = format!("{name}, {}", if mended { "end made anew" } else { "as it came" });
            all.push((name, joined(changed, mended)));
        }
    }
    for _ in 0..12 {
        let mut lines = lines.clone();
        let line = dice.below(lines.len() - 1);
        let at = dice.below(lines[line].len() - 1);
        lines[line][at] ^= 1 << dice.below(7);
        all.push((format!("bit flipped in line {}, end made anew", line + 1), joined(lines, true)));
    }
    for _ in 0..8 {
        let mut lines = lines.clone();
        let line = dice.below(lines.len() - 1);
        if let Some(name) = other_digit(&mut lines[line], &mut dice) {
            all.push((format!("{name} in line {}, end made anew", line + 1), joined(lines, true)));
        }
    }
    for _ in 0..8 {
        if let Some((name, lines)) = chained_anew(&lines, &mut dice) {
            all.push((name, joined(lines, true)));
        }
    }
    for _ in 0..8 {
        if let Some((name, lines)) = signed_anew(&lines, &mut dice) {
            all.push((name, joined(lines, true)));
        }
    }
    all
}

/// A checkpoint in other words or by another key, with a good signature.
fn signed_anew(lines: &[Vec<u8>], dice: &mut Dice) -> Option<(String, Vec<Vec<u8>>)> {
    let mut lines = lines.to_vec();
    let checkpoints: Vec<usize> =
        (0..lines.len()).filter(|at| lines[*at].starts_with(b"{\"checkpoint\":")).collect();
    let at = *checkpoints.get(dice.below(checkpoints.len().max(1)))?;
    let mut value: serde_json::Value = serde_json::from_slice(&lines[at]).ok()?;
    let signed = Signed::read(value["checkpoint"].as_str()?.as_bytes()).ok()?;
    let mut checkpoint = signed.checkpoint;
    let (own, other) = (Key::from_secret(&[7; 32]), Key::from_secret(&[9; 32]));
    let (name, keys) = match dice.below(9) {
        0 => ("signed by another key", vec![&other]),
        1 => ("signed by another key too", vec![&own, &other]),
        2 => ("signed as it was", vec![&own]),
        3 => {
            checkpoint.size = (checkpoint.size + dice.below(3) as u64).saturating_sub(1);
            ("with another size", vec![&own])
        }
        4 => {
            checkpoint.time.unix_micros += 1;
            ("with another time", vec![&own])
        }
        5 => {
            checkpoint.root[dice.below(32)] ^= 1;
            ("with another root", vec![&own])
        }
        6 => {
            checkpoint.head.0[dice.below(32)] ^= 1;
            ("with another head", vec![&own])
        }
        7 => {
            checkpoint.stream.0[dice.below(16)] ^= 1;
            ("of another tournament", vec![&own])
        }
        _ => {
            value["extends"].as_array_mut()?.pop();
            ("with less proof", vec![&own])
        }
    };
    let note = checkpoint.sign(keys.into_iter().map(Key::signing)).to_string();
    let line = format!(
        "{{\"checkpoint\":{},\"extends\":{}}}\n",
        serde_json::Value::from(note),
        value["extends"]
    );
    lines[at] = line.into_bytes();
    Some((format!("checkpoint in line {} {name}", at + 1), lines))
}

/// Lines as a file; with `mended` the last line says what stands before it now.
pub fn joined(mut lines: Vec<Vec<u8>>, mended: bool) -> Vec<u8> {
    if mended && lines.last().is_some_and(|line| line.starts_with(b"{\"end\":")) {
        lines.pop();
        let before = lines.concat();
        let hash = blake3::hash(&before);
        let end = format!("{{\"end\":{},\"blake3\":\"{hash}\"}}\n", lines.len());
        lines.push(end.into_bytes());
    }
    lines.concat()
}

fn whole_lines(lines: &[Vec<u8>], dice: &mut Dice) -> Vec<(String, Vec<Vec<u8>>)> {
    let mut all = Vec::new();
    for _ in 0..3 {
        let (a, b) = (dice.below(lines.len()), dice.below(lines.len()));
        let mut dropped = lines.to_vec();
        dropped.remove(a);
        all.push((format!("line {} dropped", a + 1), dropped));
        let mut twice = lines.to_vec();
        twice.insert(a, lines[a].clone());
        all.push((format!("line {} twice", a + 1), twice));
        let mut swapped = lines.to_vec();
        swapped.swap(a, b);
        all.push((format!("lines {} and {} swapped", a + 1, b + 1), swapped));
        let mut cut = lines[..a].to_vec();
        cut.extend(lines.last().cloned());
        all.push((format!("nothing from line {} to the end", a + 1), cut));
        let mut empty = lines.to_vec();
        empty.insert(a.max(1), b"\n".to_vec());
        all.push((format!("an empty line before line {}", a.max(1) + 1), empty));
        let mut spaced = lines.to_vec();
        spaced[a].insert(1, b' ');
        all.push((format!("a space in line {}", a + 1), spaced));
    }
    all
}

/// Another digit in place of one: the line stays JSON.
fn other_digit(line: &mut [u8], dice: &mut Dice) -> Option<String> {
    let digits: Vec<usize> = (0..line.len()).filter(|at| line[*at].is_ascii_digit()).collect();
    let at = *digits.get(dice.below(digits.len().max(1)))?;
    let was = line[at];
    line[at] = b'0' + (was - b'0' + 1 + dice.below(9) as u8) % 10;
    Some(format!("{} for {}", line[at] as char, was as char))
}

/// A byte of a record changed, and everything after it made to fit: hashes, mirrors, the header.
fn chained_anew(lines: &[Vec<u8>], dice: &mut Dice) -> Option<(String, Vec<Vec<u8>>)> {
    let mut lines = lines.to_vec();
    let records: Vec<usize> =
        (0..lines.len()).filter(|at| lines[*at].starts_with(b"{\"record\":")).collect();
    let chosen = dice.below(records.len());
    let mut name = String::new();
    let (mut head, mut previous) = (String::new(), None::<[u8; 32]>);
    for (position, &at) in records.iter().enumerate().skip(chosen) {
        let text = String::from_utf8(lines[at].clone()).ok()?;
        let encoded = text.split('"').nth(3)?;
        let mut bytes = STANDARD.decode(encoded).ok()?;
        if position == chosen {
            let byte = 27 + dice.below(bytes.len() - 27);
            bytes[byte] ^= 1 << dice.below(8);
            name = format!("record {}, byte {byte} changed and chained anew", position + 1);
        }
        if let Some(previous) = previous {
            bytes[67..99].copy_from_slice(&previous);
        }
        let hash = blake3::derive_key("scrutineer 2026 record v1", &bytes);
        previous = Some(hash);
        head = blake3::Hash::from(hash).to_hex().to_string();
        let said = Record::read(&bytes).ok().and_then(|record| {
            let header = record.header();
            let event = Event::decode_strict(header.kind, header.schema, record.payload()).ok()?;
            Some(mirror(&header, &event))
        });
        let said = said.unwrap_or_else(|| {
            let (_, said) = text.split_once("\"mirror\":").unwrap_or_default();
            said.trim_end().strip_suffix('}').unwrap_or_default().to_string()
        });
        let record = STANDARD.encode(&bytes);
        let line = format!("{{\"record\":\"{record}\",\"hash\":\"{head}\",\"mirror\":{said}}}\n");
        lines[at] = line.into_bytes();
    }
    let header = String::from_utf8(lines[0].clone()).ok()?;
    let (before, after) = header.split_once("\"head\":\"")?;
    lines[0] = format!("{before}\"head\":\"{head}{}", after.get(64..)?).into_bytes();
    Some((name, lines))
}
