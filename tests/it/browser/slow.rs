//! Phones on a slow line, in a real browser.

use super::seen;

/// What a first load may cost, in bytes, and when there is something to read, in milliseconds.
const MOST_BYTES: u64 = 60_000;
const LATEST: u64 = 2_500;

#[test]
fn a_slow_phone_reads_where_it_sits_within_two_and_a_half_seconds_and_60_kilobytes() {
    let Some(seen) = seen("slow.mjs", "SCRUTINEER_SLOW") else { return };
    for page in ["player", "pairings", "standings"] {
        let (bytes, paint) = (&seen[page]["bytes"], &seen[page]["paint"]);
        println!("{page}: {bytes} bytes, first useful paint after {paint} ms");
        let is_small = bytes.as_u64().is_some_and(|bytes| bytes > 0 && bytes <= MOST_BYTES);
        assert!(is_small, "{page}: {}", seen[page]);
        let is_soon = paint.as_u64().is_some_and(|paint| paint > 0 && paint <= LATEST);
        assert!(is_soon, "{page}: {}", seen[page]);
    }
    assert_eq!(seen["broken"], serde_json::json!([]), "errors in the browser's console");
}
