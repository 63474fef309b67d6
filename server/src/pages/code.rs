//! Codes that a camera reads.

use qrcode::{Color, EcLevel, QrCode};
use std::fmt::Write;

/// A code that a camera reads: the side in squares, and the dark ones as a path.
pub struct Svg {
    /// How many squares a side has.
    pub side: usize,
    /// The dark squares.
    pub path: String,
}

/// Returns the code of a text; none where it is too long for one.
pub fn code(text: &str) -> Option<Svg> {
    let code = QrCode::with_error_correction_level(text.as_bytes(), EcLevel::M).ok()?;
    let side = code.width();
    let mut path = String::new();
    for (y, row) in code.into_colors().chunks(side).enumerate() {
        let mut x = 0;
        while x < side {
            let dark = row[x..].iter().take_while(|color| **color == Color::Dark).count();
            if dark > 0 {
                // A text takes whatever is written into it.
                let _ = write!(path, "M{x} {y}h{dark}v1h-{dark}z");
            }
            x += dark.max(1);
        }
    }
    Some(Svg { side, path })
}
