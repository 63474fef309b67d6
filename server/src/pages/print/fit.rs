//! How large a name is set on paper: as large as there is room, and never below 7 points, which nobody reads.
//! What has no room in those gets more of it: none is cut off.
//!
//! The browser that prints is not asked: widths are those of a wide face, so that a name fits in
//! every usual one.

/// The sizes in points; each has its class in `print.css`, such as `f125` for 12.5.
const SIZES: [(f32, &str); 7] = [
    (18.0, "f18"),
    (14.0, "f14"),
    (12.5, "f125"),
    (11.0, "f11"),
    (9.5, "f95"),
    (8.0, "f8"),
    (SMALLEST, "f7"),
];
/// The smallest size.
const SMALLEST: f32 = 7.0;
/// How many millimeters a point is.
const POINT: f32 = 25.4 / 72.0;
/// How high a line is, in heights of the letters.
const LINE: f32 = 1.06;

/// A place for a text: its width and height in millimeters, and the largest letters in it.
#[derive(Clone, Copy, Debug)]
pub struct Room {
    /// How wide it is.
    pub wide: f32,
    /// How high it is.
    pub high: f32,
    /// The largest size, in points.
    pub most: f32,
    /// Whether the letters are bold.
    pub bold: bool,
}

/// How wide a letter is, in parts of its size.
fn width(letter: char) -> f32 {
    match letter {
        // Marks that stand over others, and what nobody sees.
        '\u{ad}' | '\u{300}'..='\u{36f}' | '\u{200b}'..='\u{200f}' | '\u{fe00}'..='\u{fe0f}' => 0.0,
        'i' | 'j' | 'l' | 'I' | '\'' | '’' | '|' | '.' | ',' | ':' | ' ' => 0.34,
        'f' | 't' | 'r' | '-' | '(' | ')' => 0.44,
        'm' | 'w' | 'W' | 'M' => 0.99,
        'a'..='z' => 0.63,
        'A'..='Z' => 0.75,
        '0'..='9' => 0.64,
        '\u{1100}'..='\u{11ff}' | '\u{2e80}'..='\u{a4cf}' | '\u{ac00}'..='\u{d7ff}' => 1.0,
        '\u{f900}'..='\u{faff}' | '\u{fe30}'..='\u{ffef}' | '\u{1f000}'.. => 1.25,
        letter if letter.is_uppercase() => 0.8,
        _ => 0.68,
    }
}

/// How many lines a text takes in letters of a size, and how many its room has.
fn lines(text: &str, room: Room, size: f32) -> (f32, f32) {
    let bold = if room.bold { 1.12 } else { 1.0 };
    // A line ends behind a space, which it does not show, or behind a hyphen.
    let parts = text.split_inclusive([' ', '-']);
    let wide = |part: &str| part.trim_end().chars().map(width).sum::<f32>() * bold;
    let em = size * POINT;
    let most = (room.high / (em * LINE)).floor();
    // As a browser breaks it: part behind part, and one that is too long within itself.
    let (mut lines, mut used) = (1.0, 0.0);
    for part in parts {
        let wide = wide(part) * em;
        if used + wide <= room.wide {
            used += wide;
        } else {
            let own = (wide / room.wide).ceil();
            lines += if used > 0.0 { own } else { own - 1.0 };
            used = wide - (own - 1.0) * room.wide;
        }
        used += if part.ends_with(' ') { width(' ') * bold * em } else { 0.0 };
    }
    (lines, most)
}

/// Returns the class of the size in which a text fits its room; the smallest where it fits in none.
pub fn fit(text: &str, room: Room) -> &'static str {
    let fits = |size: f32| {
        let (lines, most) = lines(text, room, size);
        lines <= most
    };
    let size = SIZES.iter().filter(|(size, _)| *size <= room.most).find(|(size, _)| fits(*size));
    size.map_or("f7", |(_, class)| class)
}

/// Returns how many times its height a text needs at least, in the smallest letters: 1 where it fits.
pub fn heights(text: &str, room: Room) -> usize {
    let (lines, _) = lines(text, room, SMALLEST);
    (lines * SMALLEST * POINT * LINE / room.high).ceil().max(1.0) as usize
}

/// Makes the names of a sheet even: all as small as most have to be, and smaller only those that are
/// longer, which are one in eight, and one where there are fewer.
pub fn even<'a>(sizes: impl Iterator<Item = &'a mut &'static str>) {
    let at = |class: &str| SIZES.iter().position(|(_, known)| *known == class);
    let mut known: Vec<(usize, &mut &'static str)> =
        sizes.filter_map(|size| Some((at(size)?, size))).collect();
    let mut all: Vec<usize> = known.iter().map(|(at, _)| *at).collect();
    all.sort_unstable();
    // Nobody reads from a wall what is smaller than this.
    let least = at("f8").unwrap_or_default();
    let longer = (all.len() / 8).max(1);
    let common = all.len().saturating_sub(longer + 1);
    let Some(common) = all.get(common).map(|at| *at.min(&least)) else { return };
    for (own, size) in &mut known {
        **size = SIZES[(*own).max(common)].1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ROOM: Room = Room { wide: 47.0, high: 6.1, most: 14.0, bold: false };

    #[test]
    fn longer_names_are_set_smaller_and_none_larger_than_there_is_room() {
        assert_eq!(fit("Ann Lee", ROOM), "f14");
        let small = fit("Maximiliane von Hohenlohe-Waldenburg", ROOM);
        assert!(["f95", "f8"].contains(&small), "{small}");
        assert_eq!(fit(&"Wm".repeat(100), ROOM), "f7", "nobody reads smaller letters");
        assert_eq!(heights("Ann Lee", ROOM), 1);
        assert!(heights(&"Wm".repeat(100), ROOM) > 2, "it gets lines instead");
        assert_eq!(fit("Ann Lee", Room { most: 11.0, ..ROOM }), "f11");
    }

    #[test]
    fn a_name_of_two_words_takes_two_lines_where_there_are_two() {
        let one = fit("Małgorzata Zieliński-Wójcik", ROOM);
        let two = fit("Małgorzata Zieliński-Wójcik", Room { high: 12.0, ..ROOM });
        assert_eq!((one, two), ("f8", "f14"));
    }

    #[test]
    fn names_of_a_sheet_are_of_one_size_and_only_the_longest_are_smaller() {
        let mut sizes = ["f14", "f125", "f14", "f11", "f14", "f125", "f14", "f14", "f7", ""];
        even(sizes.iter_mut());
        assert_eq!(sizes, ["f11", "f11", "f11", "f11", "f11", "f11", "f11", "f11", "f7", ""]);
        let mut few = ["f18", "f18", "f7", "f18"];
        even(few.iter_mut());
        assert_eq!(few, ["f18", "f18", "f7", "f18"], "one long name leaves the others large");
        let mut long = ["f7"; 3];
        even(long.iter_mut());
        assert_eq!(long, ["f7"; 3]);
    }

    #[test]
    fn nothing_on_paper_is_set_in_letters_that_nobody_reads() {
        let css = include_str!("../../../web/print.css");
        let sizes = css.split(&['{', ';'][..]).filter_map(|part| {
            let size = part.trim().strip_prefix("font-size:")?.trim().strip_suffix("pt")?;
            Some(size.parse::<f32>().expect("a size"))
        });
        let sizes: Vec<f32> = sizes.collect();
        assert!(sizes.len() > 50 && sizes.iter().all(|size| *size >= SMALLEST), "{sizes:?}");
        assert!(SIZES.iter().all(|(size, _)| *size >= SMALLEST));
    }

    #[test]
    fn every_size_has_its_class() {
        let css = include_str!("../../../web/print.css");
        for (size, class) in SIZES {
            assert!(css.contains(&format!(".{class} {{ font-size: {size}pt; }}")), "{class}");
        }
    }
}
