//! Sets that are written one by one.

/// The most sets of a match.
pub(super) const MOST: usize = 7;

/// The sets of a match that are written one by one, as won and lost: `6-4 3-6 7-6(5)` is 2-1. A set goes to four at
/// least, but for a last one that was played as one point.
pub(super) fn counted(text: &str) -> Option<[i32; 3]> {
    // `6/4 3/6` are sets as `6-4 3-6` are.
    let is_slashed = |part: &str| {
        part.split_once('/')
            .is_some_and(|(one, other)| one.parse::<u8>().is_ok() && other.parse::<u8>().is_ok())
    };
    let slashed =
        text.split_whitespace().take(MOST + 1).all(is_slashed).then(|| text.replace('/', "-"));
    let text = slashed.as_deref().unwrap_or(text);
    let mut bare = String::with_capacity(text.len());
    let mut depth = 0_u8;
    for c in text.chars() {
        match c {
            '(' | '[' => depth = depth.saturating_add(1),
            ')' | ']' => depth = depth.saturating_sub(1),
            c if depth == 0 => bare.push(c),
            _ => {}
        }
    }
    let parts = || bare.split([' ', ',', ';', '/']).filter(|part| !part.is_empty());
    let count = parts().take(MOST + 1).count();
    if !(2..=MOST).contains(&count) {
        return None;
    }
    let is_other = |part: &str| part.contains(':') != bare.contains(':');
    if parts().any(is_other) {
        return None;
    }
    let mut games = [0, 0, 0];
    for (at, part) in parts().enumerate() {
        let [one, other] = points(part)?;
        let is_point = at > 0 && at + 1 == count && matches!((one, other), (1, 0) | (0, 1));
        if one == other || one.max(other) < 4 && !is_point {
            return None;
        }
        games[usize::from(other > one)] += 1;
    }
    Some(games)
}

/// The points of one set.
pub(super) fn points(text: &str) -> Option<[u8; 2]> {
    let (one, other) = text.split_once(['-', ':', '\u{2013}'])?;
    Some([one.trim().parse().ok()?, other.trim().parse().ok()?])
}

/// The parts of a text of sets that are none where they may be times of day: `18:00` of `6:4 18:00`, `11:00` of
/// `5:4 11:00`.
pub(super) fn perhaps_hours(text: &str) -> impl Iterator<Item = &str> {
    let parts: Vec<&str> = text.split(' ').filter(|part| !part.is_empty()).collect();
    let most = |part: &str| points(part).map_or(0, |[one, other]| one.max(other));
    // Whoever plays sets to 6 plays none to 11 or 15.
    let is_behind = parts.len() == 2 && most(parts[0]) < 8;
    let may_be = move |(at, part): &(usize, &str)| {
        let is_full = part.ends_with(":00") || part.ends_with(":05");
        is_full || is_behind && *at == 1 || !may_end(part)
    };
    parts.into_iter().enumerate().filter(may_be).map(|(_, part)| part)
}

/// Whether a set of any of the usual lengths may end so: `11:9`, `12:10`, `21:15`.
fn may_end(text: &str) -> bool {
    let Some([one, other]) = points(text) else { return false };
    let (won, lost) = (one.max(other), one.min(other));
    won < 8
        || won - lost == 2
        || matches!(won, 11 | 15 | 21 | 25) && won - lost > 2
        || (won, lost) == (30, 29)
}

/// What is told of sets that are counted, once for a sheet; none where a text has none.
pub(super) fn told(text: &str) -> Option<String> {
    let [won, lost, _] = counted(text)?;
    let found = crate::error::shortened(text);
    Some(format!(
        "Of sets, as in {found:?}, is counted who won each: {won}-{lost}. Their points are not read."
    ))
}
