//! What many tournaments say about their formats, side by side.

use num_rational::BigRational;
use scrutineer_desk::simulate::{Format, Simulation};
use scrutineer_desk::table::{Align, Aligned};
use scrutineer_projections::counted;

/// A format and what became of it.
type Found<'a> = (&'a Simulation, Format);

/// The formats as a table, and for each who made the cut by points.
pub fn text(found: &[Found<'_>]) -> String {
    let [(first, _), ..] = found else { return String::new() };
    let events = found.first().map_or(0, |(_, format)| format.events);
    let cut = first.cut.map_or(String::new(), |cut| format!(", cut to {cut}"));
    let mut text = format!(
        "{} of {}, {}{cut}, seeds {} to {}\n\n",
        counted(events, "simulated tournament"),
        counted(first.players, "player"),
        first.kind,
        first.seed,
        first.seed.wrapping_add(events - 1),
    );
    text.push_str(&side_by_side(found));
    for (simulation, format) in found.iter().filter(|(_, format)| !format.at_cut.is_empty()) {
        text.push_str(&format!("\npoints and the cut, {}\n", called(simulation, found)));
        text.push_str(&by_points(format));
    }
    text
}

/// What tells a format from the others, or its ruleset where it is the only one.
fn called(simulation: &Simulation, found: &[Found<'_>]) -> String {
    let rules = scrutineer_projections::ruleset::called(&simulation.rules.files);
    let rounds = simulation.rounds().map(|rounds| counted(rounds, "round"));
    let several_rules = found.iter().any(|(other, _)| other.rules.id != simulation.rules.id);
    let several_rounds = found.iter().any(|(other, _)| other.rounds() != simulation.rounds());
    match (several_rules, several_rounds, rounds) {
        (false, true, Some(rounds)) => rounds,
        (true, false, _) => rules,
        (_, _, Some(rounds)) => format!("{rules}, {rounds}"),
        (_, _, None) => rules,
    }
}

fn side_by_side(found: &[Found<'_>]) -> String {
    let names: Vec<String> =
        found.iter().map(|(simulation, _)| called(simulation, found)).collect();
    let head = std::iter::once(("", Align::Left));
    let mut table = Aligned::new(head.chain(names.iter().map(|name| (&name[..], Align::Right))));
    let mut row = |label: &str, value: &dyn Fn(&Format) -> String| {
        let cells = found.iter().map(|(_, format)| value(format));
        table.row(std::iter::once(label.to_string()).chain(cells));
    };
    let has_cut = found.iter().any(|(_, format)| !format.at_cut.is_empty());
    let share = |part: u64, whole: u64| percent(part, whole);
    row("the strongest player wins", &|f| share(f.strongest_won, f.events));
    let into = if has_cut { "makes the cut" } else { "comes into the first eight" };
    row(&format!("the strongest player {into}"), &|f| share(f.strongest_in, f.events));
    let into = if has_cut { "who make the cut" } else { "in the first eight" };
    row(&format!("of the strongest eight, {into}"), &|f| mean(f.strongest_eight_in, f.events));
    if has_cut {
        let lowest = |f: &Format| f.lowest_in.first().copied();
        row("points of the last one in: fewest", &|f| points(f, lowest(f)));
        row("   half of the tournaments at least", &|f| points(f, f.median_lowest_in()));
        row("   most", &|f| points(f, f.lowest_in.last().copied()));
        row("the cut runs through a group of points", &|f| share(f.cut_within_points, f.events));
    }
    row("rounds", &|f| mean(f.rounds, f.events));
    row("rematches paired", &|f| f.rematches.to_string());
    row("second byes paired", &|f| f.second_byes.to_string());
    row("pairs with different points, per tournament", &|f| mean(f.cross_group, f.events));
    table.text()
}

fn by_points(format: &Format) -> String {
    let head = [("points", Align::Right), ("in", Align::Right), ("out", Align::Right)];
    let mut table = Aligned::new(head.into_iter().chain([("made the cut", Align::Right)]));
    // Where everybody is out there is nothing to see.
    let lowest = format.at_cut.iter().find(|(_, at)| at.inside > 0).map_or(0, |(at, _)| *at);
    for (&sum, at) in format.at_cut.range(lowest..).rev() {
        let (inside, outside) = (at.inside.to_string(), at.outside.to_string());
        let share = percent(at.inside, at.inside + at.outside);
        table.row([points(format, Some(sum)), inside, outside, share]);
    }
    table.text()
}

fn percent(part: u64, whole: u64) -> String {
    let tenths = (part * 1000 + whole / 2) / whole.max(1);
    format!("{}.{}%", tenths / 10, tenths % 10)
}

fn mean(sum: u64, count: u64) -> String {
    let hundredths = (sum * 100 + count / 2) / count.max(1);
    match hundredths % 100 {
        0 => (hundredths / 100).to_string(),
        rest => format!("{}.{rest:02}", hundredths / 100),
    }
}

fn points(format: &Format, sum: Option<i64>) -> String {
    let Some(sum) = sum else { return "-".into() };
    BigRational::new(sum.into(), format.points_den.max(1).into()).to_string()
}
