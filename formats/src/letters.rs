//! The letters of a text, in whichever encoding a program saved it.

/// A file's text without a byte-order mark, and what is to be told of its encoding. None where the
/// bytes are no text.
pub(crate) fn text(bytes: &[u8]) -> Option<(String, Option<&'static str>)> {
    let (text, told) = match bytes {
        [0xff, 0xfe, ..] | [0xfe, 0xff, ..] => (of_16_bits(bytes)?, None),
        // Without a mark: a Latin letter in two bytes has nothing in one of them.
        [_, 0, _, 0, ..] => (utf16(bytes, u16::from_le_bytes)?, None),
        [0, _, 0, _, ..] => (utf16(bytes, u16::from_be_bytes)?, None),
        _ => match std::str::from_utf8(bytes) {
            Ok(text) => (text.to_owned(), None),
            Err(_) if is_of_mac(bytes) => {
                (of_mac(bytes), Some("The file is no UTF-8: its letters are read as Mac Roman."))
            }
            Err(_) => (
                of_8_bits(bytes),
                Some("The file is no UTF-8: its letters are read as Windows-1252."),
            ),
        },
    };
    let is_text = |c: char| !c.is_control() || matches!(c, '\t' | '\n' | '\r' | '\u{b}' | '\u{c}');
    let text = text.strip_prefix('\u{feff}').unwrap_or(&text).to_owned();
    // UTF-8 is taken as it is: what has a control character in a name is refused there.
    (told.is_none() && std::str::from_utf8(bytes).is_ok() || text.chars().all(is_text))
        .then_some((text, told))
}

/// Whether bytes are as those of UTF-16: with its mark, or with a nothing in every second one.
pub(crate) fn is_16_bits(bytes: &[u8]) -> bool {
    matches!(bytes, [0xff, 0xfe, ..] | [0xfe, 0xff, ..] | [_, 0, _, 0, ..] | [0, _, 0, _, ..])
}

/// UTF-16 that begins with its mark.
pub(crate) fn of_16_bits(bytes: &[u8]) -> Option<String> {
    match bytes {
        [0xff, 0xfe, rest @ ..] => utf16(rest, u16::from_le_bytes),
        [0xfe, 0xff, rest @ ..] => utf16(rest, u16::from_be_bytes),
        _ => None,
    }
}

/// Text in Windows-1252, the encoding of older programs.
pub(crate) fn of_8_bits(bytes: &[u8]) -> String {
    // From 0x80 to 0x9f; elsewhere a byte is the character of that number.
    const OWN: [char; 32] = [
        '€', '\u{81}', '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', '\u{8d}', 'Ž',
        '\u{8f}', '\u{90}', '‘', '’', '“', '”', '•', '–', '—', '˜', '™', 'š', '›', 'œ', '\u{9d}',
        'ž', 'Ÿ',
    ];
    let of = |byte: &u8| byte.checked_sub(0x80).and_then(|at| OWN.get(usize::from(at)).copied());
    // A mark of UTF-8 is no letter, also where what follows is something else.
    let bytes = bytes.strip_prefix("\u{feff}".as_bytes()).unwrap_or(bytes);
    bytes.iter().map(|byte| of(byte).unwrap_or_else(|| char::from(*byte))).collect()
}

/// Whether bytes stand inside words that are letters in Mac Roman and signs in Windows-1252, and none that is the
/// other way round.
fn is_of_mac(bytes: &[u8]) -> bool {
    let inside = |at: &usize| {
        let before = at.checked_sub(1).and_then(|at| bytes.get(at));
        let behind = bytes.get(at + 1);
        let is_letter = |byte: Option<&u8>| byte.is_some_and(u8::is_ascii_alphabetic);
        let starts = before.is_none_or(|byte| !byte.is_ascii_alphanumeric() && *byte < 0x80);
        is_letter(before)
            && (is_letter(behind) || behind.is_none_or(|byte| b",;\t\r\n ".contains(byte)))
            || starts && behind.is_some_and(u8::is_ascii_lowercase)
    };
    let found = |byte: fn(&u8) -> bool| {
        (0..bytes.len()).filter(|at| byte(&bytes[*at])).filter(inside).count()
    };
    // Signs of Windows-1252; an apostrophe and a dash may well stand in a name.
    let signs = found(
        |byte| matches!(byte, 0x80 | 0x84..=0x88 | 0x8b | 0x8d | 0x8f..=0x91 | 0x93..=0x95 | 0x98 | 0x99 | 0x9d),
    );
    // Signs that stand so in no name: Š, Ž or Ÿ, which are ä, é and ü of Mac Roman, behind a small letter or within a
    // word that goes on in small ones.
    let is_small = |at: usize| bytes.get(at).is_some_and(u8::is_ascii_lowercase);
    let is_inside =
        |at: &usize| is_small(at - 1) || bytes[at - 1].is_ascii_uppercase() && is_small(at + 1);
    // ƒ before a small letter at the start of a word is É, and § right behind a vowel is ß.
    let is_mark = |at: &usize| match bytes[*at] {
        // Behind a vowel it is rather ź of Windows-1250 than ü.
        0x9f if b"aeiouy".contains(&bytes[at - 1]) => false,
        0x8a | 0x8e | 0x9f => is_inside(at),
        0x83 => !bytes[at - 1].is_ascii_alphanumeric() && is_small(at + 1),
        0xa7 => b"aeiouy".contains(&bytes[at - 1]),
        _ => false,
    };
    let capitals = (1..bytes.len()).filter(is_mark).count();
    signs + capitals > 0 && found(|byte| *byte >= 0xc0) == 0
}

/// Text in Mac Roman.
fn of_mac(bytes: &[u8]) -> String {
    const OWN: &str = "ÄÅÇÉÑÖÜáàâäãåçéèêëíìîïñóòôöõúùûü†°¢£§•¶ß®©™´¨≠ÆØ∞±≤≥¥µ∂∑∏π∫ªºΩæø¿¡¬√ƒ≈∆«»…\u{a0}ÀÃÕŒœ–—“”‘’÷◊ÿŸ⁄€‹›ﬁﬂ‡·‚„‰ÂÊÁËÈÍÎÏÌÓÔ\u{f8ff}ÒÚÛÙıˆ˜¯˘˙˚¸˝˛ˇ";
    let own: Vec<char> = OWN.chars().collect();
    let of = |byte: &u8| byte.checked_sub(0x80).and_then(|at| own.get(usize::from(at)).copied());
    bytes.iter().map(|byte| of(byte).unwrap_or_else(|| char::from(*byte))).collect()
}

fn utf16(bytes: &[u8], of: fn([u8; 2]) -> u16) -> Option<String> {
    let (pairs, rest) = bytes.as_chunks::<2>();
    let units = pairs.iter().map(|pair| of(*pair));
    let text: Result<String, _> = char::decode_utf16(units).collect();
    text.ok().filter(|_| rest.is_empty())
}

/// The lines of a text, for places in it that come one after another.
pub(crate) struct Lines<'t> {
    text: &'t str,
    at: usize,
    line: u64,
}

impl Lines<'_> {
    /// From the first line on.
    pub fn of(text: &str) -> Lines<'_> {
        Lines { text, at: 0, line: 1 }
    }

    /// The line of the first byte from `at` on that ends no line: a reader of rows stops before the end of one.
    pub fn of_byte(&mut self, at: u64) -> u64 {
        let bytes = self.text.as_bytes();
        let mut to = usize::try_from(at).unwrap_or(usize::MAX).min(bytes.len());
        while matches!(bytes.get(to), Some(b'\r' | b'\n')) {
            to += 1;
        }
        let passed = bytes.get(self.at..to).unwrap_or_default();
        self.line += passed.iter().filter(|byte| **byte == b'\n').count() as u64;
        self.at = self.at.max(to);
        self.line
    }
}
