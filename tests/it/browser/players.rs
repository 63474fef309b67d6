//! Players on their phones, in a real browser.

use super::seen;
use serde_json::json;

#[test]
fn two_phones_report_without_a_network_and_with_one_and_each_report_arrives_once() {
    let Some(seen) = seen("players.mjs", "SCRUTINEER_SHOTS") else { return };
    assert_eq!(seen["bound"], true);
    assert_eq!(seen["a second phone"], 403);
    assert_eq!(seen["draft"], 0, "nothing of what is not out");
    assert_eq!(seen["table"], "Table 1");
    assert_eq!(seen["moved"], "Table 9");
    assert_eq!(seen["unsent"], true);
    assert_eq!(seen["nothing is claimed"], 0);
    assert_eq!(seen["claims"], 1, "the second thought alone, once");
    let sent = seen["sent"].as_str().expect("words");
    assert!(sent.contains("you won 2–1") && sent.contains("It is recorded when"), "{sent}");
    assert_eq!(seen["no answer"], json!([1, 0, 0]), "it may be recorded: nothing is taken back");
    assert_eq!(seen["no answer, opened again"], json!([1, 0, 0]));
    assert_eq!(seen["meant instead"], json!([1, 1, 1]), "the new one alone was never sent");
    assert_eq!(seen["claims then"], 3, "what was not answered once, and what was meant instead");
    assert_eq!(seen["on its way"], 0, "what is being sent is not taken back");
    assert_eq!(seen["too much"], false, "who is told to slow down has a network");
    let recorded = seen["recorded"].to_string();
    assert!(recorded.contains("you won 2–1") && recorded.contains("1–2 verloren"), "{recorded}");
    assert_eq!(seen["result"], "2-1");
    assert_eq!(seen["minutes"], "5 minutes more");
    assert!(seen["penalized"].as_str().is_some_and(|one| one.contains("Round 1: warning")));
    assert_eq!(seen["back"], true);
    assert_eq!(seen["nobody's page"], 0);
    assert_eq!(seen["reason told"], false);
    assert_eq!(seen["without scripts"], true);
    assert_eq!(seen["alerts"], json!(["Confirm", "Drop"]));
    assert_eq!(seen["a second tap"], 0, "it opens nothing");
    assert_eq!(seen["confirmed"], "2-0");
    assert_eq!(seen["phones"], 4);
    assert_eq!(seen["strips"], 2, "those without a phone");
    assert_eq!(seen["findings"], json!([]), "what is hard to see or to reach");
    assert_eq!(seen["broken"], json!([]), "errors in the browser's console");
}

/// Two reports that had waited on phones made the result of a match that nobody had played, once the round was paired anew;
/// and that something was refused went from the phone by itself, where the same round came out again.
#[test]
fn what_waited_on_phones_is_recorded_of_no_other_match_and_they_say_so_until_it_is_reported_again()
{
    let Some(seen) = seen("stale.mjs", "SCRUTINEER_SHOTS") else { return };
    assert_eq!(seen["waits"], true);
    let refused = |at: usize| seen["refused"][at].as_str().unwrap_or_default().to_string();
    let english = "was not recorded: you sit elsewhere now in round 1; look where you sit now";
    assert!(refused(0).contains(english), "{}", refused(0));
    let german = "wurde nicht aufgenommen: Du sitzt jetzt woanders. Sieh nach, wo";
    assert!(refused(1).contains(german), "{}", refused(1));
    assert_eq!(seen["claims"], json!([0, 0]), "neither a report nor a result");
    assert_eq!(seen["published again"], json!([true, true]));
    assert_eq!(seen["opened again"], true);
    assert_eq!(seen["reported again"], 1);
    assert_eq!(seen["broken"], json!([]), "errors in the browser's console");
}

/// Where a line was refused, as by a proxy, pages tried again for ever and showed what they had.
#[test]
fn pages_whose_line_is_refused_ask_for_what_they_show() {
    let Some(seen) = seen("polled.mjs", "SCRUTINEER_SHOTS") else { return };
    let away = "not connected since hh:mm";
    assert_eq!(seen["before"], json!([away, away, away]));
    assert!(seen["seconds"].as_f64() < Some(45.0), "{}", seen["seconds"]);
    let new = format!("{away}, something new");
    assert_eq!(seen["after"], json!([away, away, new]), "as of when they asked");
    assert_eq!(seen["loaded anew"], 0, "nothing moves under the reader");
    assert_eq!(seen["in German"], "keine Verbindung seit hh:mm");
    assert_eq!(seen["live again"], json!([true, true, true]), "they went on trying");
}

/// A page of a copy that stood open said for hours that something was new, and the overlay of a stream nothing at all.
#[test]
fn open_pages_of_a_copy_whose_log_was_rewritten_load_again_by_themselves() {
    let Some(seen) = seen("copied.mjs", "SCRUTINEER_SHOTS") else { return };
    // A stream never shows a page that loads: the overlay takes over what is new.
    assert_eq!(seen["loaded anew"], json!([true, true, false]));
}
