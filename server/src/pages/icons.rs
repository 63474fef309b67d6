//! The picture of the program, drawn in the sizes that phones ask for.

use axum::body::Bytes;
use flate2::{Compression, Crc, write::ZlibEncoder};
use std::io::Write as _;
use std::sync::LazyLock;

/// The sizes: of a screen's icon on Apple's phones, on others, and large.
pub const SIZES: [u32; 3] = [180, 192, 512];

/// The ground and what is drawn on it.
const GROUND: [u8; 3] = [0x0b, 0x5d, 0x4e];
const LINE: [u8; 3] = [0xff, 0xff, 0xff];

/// Lines from one point to another in a square of side 1, and half of how thick they are: two of a bracket who
/// become one, and the tick beside who won. All of it lies in the circle that no phone cuts off.
const LINES: [([f32; 2], [f32; 2], f32); 6] = [
    ([0.24, 0.30], [0.42, 0.30], 0.028),
    ([0.24, 0.56], [0.42, 0.56], 0.028),
    ([0.42, 0.30], [0.42, 0.56], 0.028),
    ([0.42, 0.43], [0.56, 0.43], 0.028),
    ([0.42, 0.66], [0.53, 0.77], 0.045),
    ([0.53, 0.77], [0.77, 0.45], 0.045),
];

/// How many colors there are from the ground to the lines: edges are smooth.
const SHADES: u8 = 32;

fn distance([x, y]: [f32; 2], [ax, ay]: [f32; 2], [bx, by]: [f32; 2]) -> f32 {
    let (dx, dy) = (bx - ax, by - ay);
    let along = (((x - ax) * dx + (y - ay) * dy) / (dx * dx + dy * dy)).clamp(0.0, 1.0);
    (x - ax - along * dx).hypot(y - ay - along * dy)
}

/// The shade of a point of a picture: 0 is the ground.
fn shade(x: u32, y: u32, size: u32) -> u8 {
    let size = size as f32;
    let at = [(x as f32 + 0.5) / size, (y as f32 + 0.5) / size];
    let inside = LINES.iter().map(|(from, to, half)| half - distance(at, *from, *to));
    let deepest = inside.fold(f32::MIN, f32::max);
    let covered = (deepest * size + 0.5).clamp(0.0, 1.0);
    (covered * f32::from(SHADES - 1)).round() as u8
}

/// A part of a PNG file.
fn chunk(out: &mut Vec<u8>, kind: &[u8; 4], data: &[u8]) {
    let mut sum = Crc::new();
    sum.update(kind);
    sum.update(data);
    out.extend((data.len() as u32).to_be_bytes());
    out.extend(kind);
    out.extend(data);
    out.extend(sum.sum().to_be_bytes());
}

fn png(size: u32) -> std::io::Result<Vec<u8>> {
    let mut out = b"\x89PNG\r\n\x1a\n".to_vec();
    let mut head = Vec::new();
    head.extend(size.to_be_bytes());
    head.extend(size.to_be_bytes());
    // Eight bits that name a color of the palette; nothing is interlaced.
    head.extend([8, 3, 0, 0, 0]);
    chunk(&mut out, b"IHDR", &head);
    let mixed = |at: u8, of: usize| {
        let (from, to) = (u32::from(GROUND[of]), u32::from(LINE[of]));
        let (at, all) = (u32::from(at), u32::from(SHADES - 1));
        ((from * (all - at) + to * at) / all) as u8
    };
    let palette: Vec<u8> =
        (0..SHADES).flat_map(|at| [mixed(at, 0), mixed(at, 1), mixed(at, 2)]).collect();
    chunk(&mut out, b"PLTE", &palette);
    let mut packer = ZlibEncoder::new(Vec::new(), Compression::best());
    for y in 0..size {
        // Each row says first that it is not filtered.
        let row: Vec<u8> = std::iter::once(0).chain((0..size).map(|x| shade(x, y, size))).collect();
        packer.write_all(&row)?;
    }
    chunk(&mut out, b"IDAT", &packer.finish()?);
    chunk(&mut out, b"IEND", &[]);
    Ok(out)
}

/// Each with the path under which it is served.
static ICONS: LazyLock<Vec<(String, Bytes)>> = LazyLock::new(|| {
    // Writing to memory does not fail.
    let drawn = |size: &u32| {
        let png = png(*size).unwrap_or_default();
        let hash = blake3::hash(&png).to_hex();
        (format!("/s/icon-{size}-{}.png", &hash[..12]), png.into())
    };
    SIZES.iter().map(drawn).collect()
});

/// The path of the picture in a size of [`SIZES`].
pub fn path(size: u32) -> &'static str {
    let at = SIZES.iter().position(|one| *one == size).unwrap_or(0);
    ICONS.get(at).map_or("", |(path, _)| path)
}

/// The picture at this path.
pub fn find(path: &str) -> Option<Bytes> {
    ICONS.iter().find(|(known, _)| known == path).map(|(_, png)| png.clone())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_icon_is_a_small_png_of_its_size_whose_middle_is_drawn_and_whose_rim_is_ground() {
        for size in SIZES {
            let png = find(path(size)).expect("it is there");
            assert!(png.starts_with(b"\x89PNG\r\n\x1a\n") && png.len() < 16_000, "{}", png.len());
            assert_eq!(png[16..24], [size.to_be_bytes(), size.to_be_bytes()].concat());
            let (ground, drawn) = (shade(0, 0, size), shade(size * 42 / 100, size / 2, size));
            assert_eq!((ground, drawn), (0, SHADES - 1));
        }
        // What phones may cut off has nothing: outside of a circle of four fifths.
        let size = 200;
        for (x, y) in (0..size).flat_map(|x| (0..size).map(move |y| (x, y))) {
            let far = (x as f32 - 99.5).hypot(y as f32 - 99.5) / 200.0;
            assert!(far < 0.4 || shade(x, y, size) == 0, "{x} {y}");
        }
        assert_eq!(find("/s/icon-192.png"), None);
    }
}
