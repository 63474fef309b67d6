//! `explain`: the steps of the order beside a neighbour's, and what each value is made of.

use crate::Report;
use crate::args;
use crate::error::VerbError;
use crate::printable::printable;
use crate::session::{Session, dated, load};
use num_traits::One;
use scrutineer_desk::answers::{Dated, ExplainAnswer, line};
use scrutineer_desk::looking::{disqualified, explained};
use scrutineer_desk::names::find_player;
use scrutineer_desk::table::{Align, Aligned};
use scrutineer_engine::event::{PlayerNumber, RoundNumber};
use scrutineer_engine::tournament::MatchView;
use scrutineer_projections::cut::{Cut, stays_out};
use scrutineer_projections::divisions::DivisionPlaces;
use scrutineer_projections::explain::{
    Explanation, MeasureExplained, Shown, Verdict, as_divided, as_drawn, is_below_others,
    is_published, of_opponents, shown,
};
use scrutineer_projections::measure::{
    self, Bound, Notes, OpponentTerm, PerformanceTerms, RoundTerm, Skipped, TermNote, Terms,
};
use scrutineer_projections::ordinal;
use scrutineer_projections::ratio::Fraction;
use scrutineer_projections::ruleset::called;
use scrutineer_projections::ruleset::{
    Combine, Formula, Measure, Outcome, PerformanceBy, RoundKind,
};
use scrutineer_projections::standings::{Decided, Layer, Row, Standings};
use scrutineer_replay::loaded::LoadedTournament;
use std::io::Write;

/// Says why a player stands where they stand.
pub fn run(session: &Session, options: &args::Explain) -> Result<Report, VerbError> {
    let store = session.store_to_read()?;
    let (event, standings) = session.standings(&store, &options.view)?;
    let player = find_player(&event, &options.player)?;
    let against = match &options.against {
        Some(name) => Some(find_player(&event, name)?),
        None => None,
    };
    let both = || [player].into_iter().chain(against);
    if both().any(|one| standings.position(one).is_none()) {
        let whole = load(&store, event.stream, event.as_of, true)?;
        if let Some(refused) = both().find_map(|one| disqualified(&whole, &standings, one)) {
            return Err(refused);
        }
    }
    let explanation = explained(&event, &standings, player, against)?;
    if !session.json {
        meant(&event, &standings, &options.player, player);
    }
    Ok(Report::yes(match session.json {
        true => line(&Dated::of(&event, ExplainAnswer::of(&event, &standings, &explanation))),
        false => dated(&event, text(&event, &standings, &explanation)),
    }))
}

/// A bare number is a player's; whoever means a place is told who stands there.
fn meant(event: &LoadedTournament, standings: &Standings, typed: &str, player: PlayerNumber) {
    let Ok(number) = typed.trim().parse::<u32>() else { return };
    let at = |row: &&Row| row.rank == number && row.player != player;
    let stands = standings.row(player).is_some_and(|row| row.rank == number);
    if let Some(other) = standings.rows.iter().find(at).filter(|_| !stands && number == player) {
        let (name, other) = (event.name(player), event.name(other.player));
        let place = ordinal(number);
        let note = format!("player {number} is {name}; {place} is {other}: `explain {other:?}`");
        let _ = writeln!(anstream::stderr(), "note: {}", printable(&note));
    }
}

/// A tournament with its standings, and the layer of the player that is spoken of.
struct View<'a> {
    event: &'a LoadedTournament,
    standings: &'a Standings,
    layer: &'a Layer,
}

/// The explanation in words.
pub fn text(event: &LoadedTournament, standings: &Standings, explanation: &Explanation) -> String {
    let mut text = opening(event, standings, explanation);
    text.push_str(&steps(event, explanation));
    let view = View { event, standings, layer: standings.layer(&explanation.row) };
    text.push_str(&postponed(&view, explanation.row.player));
    for measure in &explanation.measures {
        text.push('\n');
        text.push_str(&measure_text(&view, explanation.row.index, measure));
    }
    text
}

/// The player's matches that are to be played later: nothing of them counts so far.
fn postponed(view: &View<'_>, player: PlayerNumber) -> String {
    let event = view.event;
    let counts = |round: RoundNumber| view.layer.table.rounds.iter().any(|one| one.0 == round);
    let line = |found: MatchView<'_>| {
        let round = found.round().number;
        let seats = found.seats();
        let is_own = found.is_postponed() && seats.iter().any(|seat| seat.player == player);
        let others = seats.iter().filter(|seat| seat.player != player);
        let others: Vec<String> = others.map(|seat| event.name(seat.player)).collect();
        (is_own && counts(round)).then(|| {
            format!(
                "The match against {} in round {round} is postponed and counts for nothing so far.\n",
                others.join(", ")
            )
        })
    };
    let lines: String = event.state.matches().filter_map(line).collect();
    if lines.is_empty() { lines } else { format!("\n{lines}") }
}

fn opening(event: &LoadedTournament, standings: &Standings, explanation: &Explanation) -> String {
    let row = &explanation.row;
    let name = event.name(row.player);
    let shared = standings.rows.iter().filter(|other| other.rank == row.rank).count() > 1;
    let place = format!("{}{}", if shared { "shared " } else { "" }, ordinal(row.rank));
    let divided = DivisionPlaces::of(&event.state, standings);
    let division = divided.of_player(row.player).map_or(String::new(), |found| {
        format!(" and {} of {} in {}", ordinal(found.row().rank), found.rows.len(), found.name)
    });
    let cut = Cut::of(&event.state, standings, None);
    let cut = cut.map(|cut| at_cut(event, standings, &cut, row.player));
    let kept = match standings.layer(row).stage.through {
        through if is_below_others(&event.state, standings, row) => format!(
            " Nothing after round {through} counts for them: that is the bracket of another division."
        ),
        through if row.layer > 0 => {
            format!(" Nothing after round {through} counts for them: they did not advance.")
        }
        _ => String::new(),
    };
    format!(
        "{name} is {place} of {}{division} after round {}{} ({}).{kept}\n\n",
        standings.rows.len(),
        standings.through,
        cut.unwrap_or_default(),
        called(&standings.rules.files),
    )
}

/// Where a player stands to the cut, counted by those who could go on.
fn at_cut(
    event: &LoadedTournament,
    standings: &Standings,
    cut: &Cut,
    player: PlayerNumber,
) -> String {
    let size = cut.size;
    let stays = |player| stays_out(&event.state, standings.through, player);
    if let Some(why) = stays(player) {
        return format!(", not in the cut to {size}: {why}");
    }
    if cut.is_another() {
        let is_in = if cut.went_on.contains(&player) { "in" } else { "not in" };
        return format!(
            ", {is_in} the cut to {size} that was made; these standings would make another"
        );
    }
    let rank = standings.row(player).map(|row| row.rank);
    if cut.tie.is_some() && cut.tie == rank {
        return format!(", in a tie across the cut to {size}");
    }
    if cut.has(player) {
        return format!(", inside the cut to {size}");
    }
    let behind = standings.rows.iter().skip(cut.rows).map(|row| row.player);
    let before = behind.take_while(|other| *other != player).filter(|p| stays(*p).is_none());
    match before.count() + 1 {
        1 => format!(", one place below the cut to {size}"),
        below => format!(", {below} places below the cut to {size}"),
    }
}

fn steps(event: &LoadedTournament, explanation: &Explanation) -> String {
    let own = &explanation.row;
    let head = |row: &scrutineer_projections::standings::Row| {
        format!("{} {}", row.rank, event.name(row.player))
    };
    let Some(other) = &explanation.against else {
        return "There is nobody to compare with.\n".into();
    };
    let (own_head, other_head) = (head(own), head(other));
    let mut table = Aligned::new([
        ("", Align::Left),
        ("tiebreaker", Align::Left),
        (&other_head[..], Align::Right),
        (&own_head[..], Align::Right),
        ("", Align::Left),
    ]);
    for (number, step) in (1..).zip(&explanation.steps) {
        let cell = |value: &Option<Shown>| value.as_ref().map_or("-".into(), |v| v.text.clone());
        let verdict = match step.verdict {
            Verdict::Tied => "tied".to_string(),
            Verdict::NotReached => "not reached".to_string(),
            Verdict::Decides if step.measure.is_none() => "decides".to_string(),
            Verdict::Decides => format!("decides{}", margin(&step.own, &step.other)),
        };
        let cells = [number.to_string(), step.label.clone(), cell(&step.other), cell(&step.own)];
        table.row(cells.into_iter().chain([verdict]));
    }
    let mut text = table.text();
    let (own_name, other_name) = (event.name(own.player), event.name(other.player));
    for met in explanation.steps.iter().flat_map(|step| &step.met) {
        let how = match (met.outcome, met.theirs) {
            (Outcome::Win, _) => format!("{own_name} won"),
            (Outcome::Loss, Outcome::Loss) => "both lost".into(),
            (Outcome::Loss, _) => format!("{other_name} won"),
            (Outcome::Draw, _) => "a draw".into(),
            (Outcome::None, _) => "no result".into(),
        };
        let how = how + if met.forfeited { " by forfeit" } else { "" };
        text.push_str(&format!("  They met in round {}: {how}.\n", met.round));
    }
    match explanation.lots {
        Some(Decided::Lots) if is_published(&event.state) => {
            text.push_str("  The order in the file decided.\n");
        }
        Some(Decided::Lots) => text.push_str("  Lots decided.\n"),
        Some(_) => text.push_str("  Lots will decide; they have not been drawn.\n"),
        None => {}
    }
    text
}

fn margin(own: &Option<Shown>, other: &Option<Shown>) -> String {
    let (Some(own), Some(other)) = (own, other) else { return String::new() };
    if own.text == "-" || other.text == "-" {
        return String::new();
    }
    let difference = match own.value > other.value {
        true => &own.value - &other.value,
        false => &other.value - &own.value,
    };
    if own.text.ends_with('%') {
        let text = scrutineer_projections::ratio::decimal(&difference, 4, true);
        return format!(", by {} percentage points", text.trim_end_matches('%'));
    }
    let show = scrutineer_projections::ruleset::Show { percent: false, decimals: 4 };
    format!(", by {}", shown(&difference, show))
}

fn measure_text(view: &View<'_>, index: u32, explained: &MeasureExplained) -> String {
    let measure = &view.standings.rules.measures[explained.measure];
    let mut text = format!("{} {}", measure.label, explained.value.text);
    if !explained.value.value.is_integer() {
        text.push_str(&format!(" ({})", explained.value.value));
    }
    if let Some(round) = as_drawn(view.layer, measure) {
        text.push_str(&format!(", as if every table of round {round} had been drawn,"));
    }
    text.push_str(&match &explained.terms {
        Terms::Rounds(terms) => round_terms(view, measure, terms),
        Terms::Ratio { num, den, rounds } => {
            let part = |(at, value): &(usize, _)| {
                let measure = &view.standings.rules.measures[*at];
                format!("{} {}", measure.label.to_lowercase(), shown(value, measure.show))
            };
            text.push_str(&format!(" is {} over {}", part(num), part(den)));
            text.push_str(&note(explained, as_divided(view.layer, measure, index)));
            text.push('\n');
            return text + &divided_terms(view, rounds);
        }
        Terms::Sum(terms) => {
            let part = |(at, factor, value): &(usize, Fraction, _)| {
                let measure = &view.standings.rules.measures[*at];
                format!("{factor} x {} {}", measure.label, shown(value, measure.show))
            };
            format!(" is {}", terms.iter().map(part).collect::<Vec<_>>().join(" + "))
        }
        Terms::Opponents(terms) => {
            return text + &opponent_terms(view, explained, terms);
        }
        Terms::Fact => String::new(),
        Terms::Performance(terms) => return text + &performance(view, terms),
        Terms::AsLeft { after: Some(round), .. } => {
            format!(" is what it was after round {round}, with which they left")
        }
        Terms::AsLeft { of, after: None, value } => {
            let (rules, layer) = (&view.standings.rules, view.layer);
            let (state, table) = (&view.event.state, &layer.table);
            // Who is still there has the value that is computed of their opponents.
            if let Some(Terms::Opponents(terms)) =
                measure::terms(state, rules, table, &layer.measured, *of, index)
            {
                return text + &opponent_terms(view, explained, &terms);
            }
            let measure = &rules.measures[*of];
            format!(" is {} {}", measure.label, shown(value, measure.show))
        }
    });
    text.push_str(&note(explained, as_divided(view.layer, measure, index)));
    text.trim_end().to_string() + "\n"
}

/// The games of a performance, and the step from the score to a rating.
fn performance(view: &View<'_>, terms: &PerformanceTerms) -> String {
    let half = |half_points: i64| match (half_points / 2, half_points % 2) {
        (whole, 0) => whole.to_string(),
        (0, _) => "\u{bd}".into(),
        (whole, _) => format!("{whole}\u{bd}"),
    };
    let (count, PerformanceTerms { mean, hundredths, difference, .. }) = (terms.games.len(), terms);
    let games = scrutineer_projections::counted(count, "game");
    let mut text = match terms.by {
        PerformanceBy::Mean => format!(" is the mean rating of the opponents of {games}:\n"),
        PerformanceBy::Score => format!(
            " is {mean}, the mean of the ratings, and {difference:+}, which FIDE's table has for {} of {games} ({hundredths} in a hundred):\n",
            half(terms.half_points),
        ),
        PerformanceBy::Perfect => format!(
            " is the lowest rating that is expected to score {} of {games}, by FIDE's table of each difference:\n",
            half(terms.half_points),
        ),
    };
    for game in &terms.games {
        let name = view.event.name(view.layer.table.entrants[game.opponent as usize].number);
        text.push_str(&format!(
            "  round {}: {} against {name}, {}\n",
            game.round,
            half(game.half_points),
            game.rating
        ));
    }
    text
}

fn bound_in_words(bound: Bound) -> &'static str {
    match bound {
        Bound::Floor => "the floor",
        Bound::Cap => "the cap",
        Bound::DroppedCap => "the cap for players who dropped",
        Bound::OneOpponent => "the bound of one opponent",
    }
}

/// What floor, cap and rounding did to a value.
fn note(explained: &MeasureExplained, divided: Option<String>) -> String {
    let notes = explained.notes;
    if notes.has(Notes::EMPTY) {
        return ": there is nothing to divide by, for which the ruleset states this value".into();
    }
    let Some(bound) = notes.bound() else { return String::new() };
    let what = bound_in_words(bound);
    let before = divided.map_or(String::new(), |divided| format!("{divided} = "));
    format!(": {before}{}, so {what} counts", explained.before.text)
}

/// What each round adds above and below the line, such as `6/9`.
fn divided_terms(view: &View<'_>, rounds: &[(RoundTerm, RoundTerm)]) -> String {
    let mut table =
        Aligned::new([("", Align::Left), ("", Align::Left), ("", Align::Left), ("", Align::Right)]);
    for (above, below) in rounds {
        let skipped = matches!(above.note, TermNote::ByeSkipped | TermNote::NotOfInterest);
        let divided = match skipped {
            true => "-".to_string(),
            false => format!("{}/{}", above.value, below.value),
        };
        let what = kind_words(above.kind, above.outcome);
        table.row([format!("R{}", above.round), opponents(view, above), what, divided]);
    }
    without_head(table.text())
}

/// Who sat at the table.
fn opponents(view: &View<'_>, term: &RoundTerm) -> String {
    let name = |index: &u32| view.event.name(view.layer.table.entrants[*index as usize].number);
    term.opponents.iter().map(name).collect::<Vec<_>>().join(", ")
}

fn round_terms(view: &View<'_>, measure: &Measure, terms: &[RoundTerm]) -> String {
    let mut text = " is the sum of\n".to_string();
    let mut table = Aligned::new([
        ("", Align::Left),
        ("", Align::Left),
        ("", Align::Left),
        ("", Align::Right),
        ("", Align::Left),
    ]);
    for term in terms {
        let who = opponents(view, term);
        let why = match term.note {
            TermNote::Counted => "",
            TermNote::ByeSkipped => "skipped: byes do not count here",
            TermNote::NotOfInterest => "skipped: does not count here",
            TermNote::Averaged => "the average of the rounds played",
            TermNote::Bounded => "at the bound of one round",
            TermNote::AsDraw => "a bye asked for at the end, counted as a draw",
        };
        let skipped = matches!(term.note, TermNote::ByeSkipped | TermNote::NotOfInterest);
        let value = if skipped { "-".into() } else { shown(&term.value, measure.show) };
        let what = kind_words(term.kind, term.outcome);
        table.row([format!("R{}", term.round), who, what, value, why.into()]);
    }
    text.push_str(&without_head(table.text()));
    text
}

/// The rows of a table whose head is empty.
fn without_head(text: String) -> String {
    text.split_once('\n').map_or(text.clone(), |(_, rows)| rows.to_string())
}

fn kind_words(kind: RoundKind, outcome: scrutineer_projections::ruleset::Outcome) -> String {
    use scrutineer_projections::ruleset::Outcome;
    match (kind, outcome) {
        (RoundKind::Played, Outcome::Win) => "won".into(),
        (RoundKind::Played, Outcome::Draw) => "drawn".into(),
        (RoundKind::Played, Outcome::Loss) => "lost".into(),
        (kind, _) => kind.word().replace('_', " "),
    }
}

fn opponent_terms(view: &View<'_>, explained: &MeasureExplained, terms: &[OpponentTerm]) -> String {
    let rules = &view.standings.rules;
    let Some(spec) = of_opponents(rules, &rules.measures[explained.measure]) else {
        return String::new();
    };
    let counted = terms.iter().filter(|term| term.skipped.is_none()).count();
    let of = &rules.measures[spec.of];
    let what = if spec.combine == Combine::Mean { "average" } else { "sum" };
    let mut text = match counted {
        0 if explained.notes.has(Notes::EMPTY) => {
            ": no opponent counts, for which the ruleset states this value\n".into()
        }
        0 => format!(": no opponent counts{}\n", note(explained, None).replace(':', ",")),
        1 => format!(" is one opponent's {}\n", of.label),
        _ => format!(" is the {what} of {counted} opponents' {}\n", of.label),
    };
    let mut table = Aligned::new([
        ("", Align::Left),
        ("", Align::Left),
        ("", Align::Right),
        ("", Align::Right),
        ("", Align::Left),
    ]);
    for term in terms {
        table.row(opponent_cells(view, spec.of, of, term));
    }
    text.push_str(&without_head(table.text()));
    text
}

fn opponent_cells(view: &View<'_>, at: usize, of: &Measure, term: &OpponentTerm) -> [String; 5] {
    let round = format!("R{}", term.round);
    let who = match term.opponent {
        Some(index) => view.event.name(view.layer.table.entrants[index as usize].number),
        None => term.kind.word().replace('_', " "),
    };
    if let Some(skipped) = term.skipped {
        let why = match skipped {
            Skipped::NoOpponent => "skipped: no opponent",
            Skipped::Unfinished => "skipped: no result yet",
            Skipped::Forfeited => "skipped: forfeited",
            Skipped::MetBefore => "skipped: met before, counts once",
            Skipped::Lowest => "left out by the cut",
            Skipped::Highest => "left out: the highest",
        };
        return [round, who, String::new(), String::new(), why.into()];
    }
    let mut why = String::new();
    let (mut divided, mut value) = (String::new(), shown(&term.value, of.show));
    if let (Some(index), Some(column)) = (term.opponent, view.layer.measured.column(at)) {
        divided = as_divided(view.layer, of, index).unwrap_or_default();
        let notes = column.notes(index);
        if let Some(bound) = notes.bound() {
            why = format!("counted as {value}, {}", bound_in_words(bound));
            value = shown(&column.value_before(index), of.show);
        } else if notes.has(Notes::EMPTY) {
            why = "nothing to divide by or to average".into();
            divided = String::new();
        }
        if let Some(after) = view.layer.table.entrants[index as usize].left_after {
            let counts_since = matches!(&of.formula, Formula::Total(total) if total.last_requested_byes_draw)
                && view.layer.table.rounds.iter().any(|one| one.0 > after);
            let dropped = match counts_since {
                true => "has dropped, the rounds since count as drawn",
                false => "has dropped, the rounds they were in count",
            };
            why = if why.is_empty() { dropped.into() } else { format!("{why}; {dropped}") };
        }
    }
    if term.bounded {
        let what = bound_in_words(Bound::OneOpponent);
        why = format!("counted as {}, {what}", shown(&term.value, of.show));
    }
    if !term.weight.is_one() {
        why = format!(
            "x {} {why}",
            shown(
                &term.weight,
                scrutineer_projections::ruleset::Show { percent: false, decimals: 4 }
            )
        );
    }
    [round, who, divided, value, why]
}
