//! Who moves between two rankings, in words.

use scrutineer_projections::compare::{AtCut, Move, Passing};
use scrutineer_projections::ruleset::without_section;
use scrutineer_replay::loaded::LoadedTournament;

/// Which way somebody moves, and what that means at the cut.
pub fn moved(one: &Move, cut: Option<u32>) -> String {
    let by = one.first.abs_diff(one.second);
    let direction = if one.second < one.first { "up" } else { "down" };
    let cut = cut.unwrap_or(0);
    let at_cut = match one.at_cut {
        Some(AtCut::Enters) => format!(", enters the top {cut}"),
        Some(AtCut::Leaves) => format!(", leaves the top {cut}"),
        None => String::new(),
    };
    format!("{direction} {by}{at_cut}")
}

/// Whom they pass, and through which step.
pub fn because(event: &LoadedTournament, one: &Move) -> String {
    let key = one.because.first().map_or("", |key| without_section(key));
    let (Some(other), Some(before), Some(after)) = (one.passes, &one.first_step, &one.second_step)
    else {
        return key.to_string();
    };
    let (other, passing) = other;
    let passes = match passing {
        Passing::Passes => "passes",
        Passing::PassedBy => "passed by",
        Passing::NowLevel => "now level with",
        Passing::NoLongerLevel => "no longer level with",
    };
    let key = if key.is_empty() { String::new() } else { format!(" ({key})") };
    let step = match before == after {
        true => match passing {
            Passing::Passes => format!("now ahead on {after}"),
            Passing::PassedBy => format!("now behind on {after}"),
            Passing::NowLevel | Passing::NoLongerLevel => format!("on {after}"),
        },
        false => format!("{after} decides, not {before}"),
    };
    format!("{passes} {}: {step}{key}", event.name(other))
}
