//! Moments as people type them.

use super::{AsOfError, Moment, Timeline};
use chrono::{
    DateTime, Datelike, Days, FixedOffset, NaiveDate, NaiveDateTime, NaiveTime, TimeZone, Utc,
};
use scrutineer_engine::record::Time;

/// The longest text that is looked at; a time with an offset has 35 characters at most.
pub const LONGEST: usize = 64;

/// The microseconds after the beginning of a second that belong to it.
const WHOLE_SECOND: i64 = 999_999;

/// What somebody means who types `57`, `14:05`, `2026-11-21 14:05`, with or without seconds, or
/// `2026-11-21T14:05:00Z`. Behind a time may stand its zone, `UTC` or an offset such as `+01:00`;
/// one without is of `zone`.
///
/// A time without a day is the last such time before the latest record, if the tournament had been
/// opened by then; otherwise it is on the day of that record. So an evening that goes on past
/// midnight can be asked for `23:10`, and a question about "now" does not lead to yesterday.
///
/// A time without a fraction takes in its whole second, since that is how times are printed: what
/// the log shows at 14:05:12 was there at 14:05:12.
///
/// # Errors
/// Where it is no moment.
pub fn parse(text: &str, zone: &impl TimeZone, timeline: &Timeline) -> Result<Moment, AsOfError> {
    let text = text.trim();
    let not_a_moment = || {
        let text = text.chars().take(LONGEST).collect();
        AsOfError::NotAMoment { text }
    };
    if text.len() > LONGEST {
        return Err(not_a_moment());
    }
    if !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit()) {
        return text.parse().map(Moment::Seq).map_err(|_| not_a_moment());
    }
    if let Ok(time) = DateTime::parse_from_rfc3339(text) {
        let rest = if text.contains('.') { 0 } else { WHOLE_SECOND };
        return Ok(Moment::Time(Time { unix_micros: time.timestamp_micros() + rest }));
    }
    match with_zone(text) {
        Some((time, zone)) => local(time, &zone, timeline).map_err(|_| not_a_moment()),
        None => local(text, zone, timeline),
    }
}

/// A time and the zone that stands behind it, where one does.
fn with_zone(text: &str) -> Option<(&str, FixedOffset)> {
    if let Some(time) = text.strip_suffix("UTC").or_else(|| text.strip_suffix('Z')) {
        return Some((time.trim_end(), FixedOffset::east_opt(0)?));
    }
    let (time, offset) = text.split_at_checked(text.len().checked_sub("+01:00".len())?)?;
    let (sign, clock) = offset.split_at_checked(1)?;
    let minutes = NaiveTime::parse_from_str(clock, "%H:%M").ok()?;
    let east = minutes.signed_duration_since(NaiveTime::MIN).num_seconds() as i32;
    let zone = match sign {
        "+" => FixedOffset::east_opt(east),
        "-" => FixedOffset::west_opt(east),
        _ => None,
    };
    Some((time.trim_end(), zone?))
}

/// What a time on a clock of `zone` means.
fn local(text: &str, zone: &impl TimeZone, timeline: &Timeline) -> Result<Moment, AsOfError> {
    let not_a_moment = || AsOfError::NotAMoment { text: text.into() };
    let in_zone = |local: NaiveDateTime| {
        // Where the clocks were put back a time was there twice; what was recorded by the later
        // one was recorded by it.
        let found = zone.from_local_datetime(&local).latest();
        let time = found.ok_or(AsOfError::SkippedTime { text: text.into() })?;
        Ok(Time { unix_micros: time.timestamp_micros() + WHOLE_SECOND })
    };
    if let Some(local) = day_and_time(text) {
        return in_zone(local).map(Moment::Time);
    }
    let (Some(clock), Some((opened, latest))) = (clock(text), timeline.span()) else {
        return Err(not_a_moment());
    };
    let day = local_day(latest, zone).ok_or_else(not_a_moment)?;
    let that_day = in_zone(day.and_time(clock))?;
    if that_day > latest
        && let Some(before) = day.checked_sub_days(Days::new(1))
        && let Ok(earlier) = in_zone(before.and_time(clock))
        && earlier >= opened
    {
        return Ok(Moment::Time(earlier));
    }
    Ok(Moment::Time(that_day))
}

fn day_and_time(text: &str) -> Option<NaiveDateTime> {
    let (day, time) = text.split_once([' ', 'T'])?;
    let day = NaiveDate::parse_from_str(day, "%Y-%m-%d").ok()?;
    Some(day.and_time(clock(time.trim())?))
}

fn clock(text: &str) -> Option<NaiveTime> {
    let read = |format| NaiveTime::parse_from_str(text, format).ok();
    read("%H:%M").or_else(|| read("%H:%M:%S"))
}

fn local_day(time: Time, zone: &impl TimeZone) -> Option<NaiveDate> {
    let time = DateTime::<Utc>::from_timestamp_micros(time.unix_micros)?;
    Some(time.with_timezone(zone).date_naive())
}

/// A time as it is printed everywhere: `2026-11-21 14:05:12 UTC`, which [`parse`] reads; one outside
/// of the years 0 to 9999 is a stroke.
pub fn utc(time: Time) -> String {
    let known = DateTime::<Utc>::from_timestamp_micros(time.unix_micros);
    let known = known.filter(|time| (0..=9999).contains(&time.year()));
    known.map_or("-".into(), |time| time.format("%Y-%m-%d %H:%M:%S UTC").to_string())
}
