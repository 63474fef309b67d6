//! Why a player stands where they stand.

use super::called::{place_of, placed, step_called};
use super::frame::{Frame, Tab};
use super::missing::postponed;
use super::reach::{Reached, disputed_in_words};
use super::standings::{Asked, View, through_in_words, told_through};
use super::{Looked, Person, render, set_apart};
use crate::gate::Need;
use crate::language::{Language, Said};
use askama::Template;
use scrutineer_desk::answers::{
    Bound, Exact, ExplainAnswer, MeetingOutcome, Skipped, Term, TermNote, Verdict, Whole,
};
use scrutineer_desk::looking::{explained, why_disqualified};
use scrutineer_desk::names::find_player;
use scrutineer_desk::verb_error::VerbError;
use scrutineer_engine::event::{PlayerNumber, RoundNumber};
use scrutineer_engine::tournament::{MatchView, Phase, Tournament};
use scrutineer_projections::divisions::DivisionPlaces;
use scrutineer_projections::explain::{LAST_PHASE, is_published, step_label};
use scrutineer_projections::measure::{self, Terms};
use scrutineer_projections::reach::Effort;
use scrutineer_projections::ruleset::{Outcome, RoundKind};
use scrutineer_projections::standings::Standings;

#[derive(Template)]
#[template(path = "why.html")]
struct WhyPage {
    frame: Frame,
    /// The tag of the language, where it was chosen.
    lang: &'static str,
    title: String,
    player: Person,
    /// Their places in their division and among all; empty where they have no division.
    places: String,
    /// How far the standings go.
    when: String,
    rules: String,
    not_now: Vec<String>,
    summary: String,
    own_head: String,
    other: Option<(Person, String)>,
    steps: Vec<Step>,
    measures: Vec<Measure>,
    /// What they can still reach, while something is open.
    reach: Option<Reached>,
    others: Vec<Other>,
    view: View,
    query: String,
}

struct Step {
    label: String,
    own: String,
    other: String,
    says: String,
    class: &'static str,
}

struct Other {
    player: Person,
    place: String,
    is_chosen: bool,
}

struct Measure {
    label: String,
    /// What it is, where its name is an abbreviation that most rules share.
    about: String,
    value: String,
    fraction: String,
    before: String,
    floor: bool,
    empty: bool,
    /// The round whose tables count as drawn, where the measure is taken so.
    as_drawn: Option<u16>,
    rounds: Vec<RoundTerm>,
    opponents: Vec<OpponentTerm>,
    parts: Vec<PartTerm>,
    /// The step from the score to a rating; empty where there is none.
    table: String,
    decides: bool,
}

struct RoundTerm {
    round: u16,
    kind: String,
    opponents: Vec<Person>,
    value: String,
    note: String,
}

struct OpponentTerm {
    round: u16,
    kind: String,
    opponent: Option<Person>,
    value: String,
    /// Whether the value counts.
    counts: bool,
    /// What was computed of them; empty where that is the whole number that counts.
    exactly: String,
    weight: String,
    note: String,
}

struct PartTerm {
    measure: String,
    value: String,
    factor: String,
    after: Option<u16>,
}

fn person(player: scrutineer_desk::answers::Player) -> Person {
    Person { number: player.number, name: player.name }
}

fn whole(whole: &Whole) -> String {
    match whole {
        Whole::Number(number) => number.to_string(),
        Whole::Text(text) => text.clone(),
    }
}

/// A value as a fraction; empty where it is a whole number or none.
fn fraction(exact: &Exact) -> String {
    match (&exact.num, &exact.den) {
        (Some(num), Some(den)) if *den != Whole::Number(1) => {
            format!("{}/{}", whole(num), whole(den))
        }
        _ => String::new(),
    }
}

/// A value as a fraction or a whole number.
fn exactly(exact: &Exact) -> String {
    match (&exact.num, &exact.den) {
        (Some(num), Some(Whole::Number(1))) => whole(num),
        _ => fraction(exact),
    }
}

/// Whether a value is the round in which somebody went out who did not.
fn is_still_in(exact: &Exact) -> bool {
    exact.text == "-"
}

/// A value in words.
fn valued(exact: &Exact, language: Language) -> String {
    match is_still_in(exact) {
        true => language.t("why-still-in"),
        false => exact.text.clone(),
    }
}

/// The phase that is the value of [`LAST_PHASE`]: its number and how it is played.
fn phase_in_words(state: &Tournament, exact: Option<&Exact>, language: Language) -> String {
    let is_it = |phase: &&Phase| {
        exact.is_some_and(|value| value.text.starts_with(&format!("{}, ", phase.number)))
    };
    let phase = state.phases().iter().find(is_it);
    phase.map_or("-".to_string(), |phase| {
        format!("{}, {}", phase.number, language.word("phase-kind", phase.kind.spelled()))
    })
}

/// Points as they are written, from twice as many.
fn halves(half_points: i64) -> String {
    match (half_points / 2, half_points % 2) {
        (whole, 0) => whole.to_string(),
        (0, _) => "\u{bd}".into(),
        (whole, _) => format!("{whole}\u{bd}"),
    }
}

fn round_note(note: TermNote, language: Language) -> String {
    language.t(match note {
        TermNote::Counted => return String::new(),
        TermNote::ByeSkipped => "note-bye-skipped",
        TermNote::NotOfInterest => "note-not-of-interest",
        TermNote::Averaged => "note-averaged",
        TermNote::Bounded => "note-bounded",
        TermNote::AsDraw => "note-as-draw",
    })
}

/// How a round came out; what it was, where nobody played it to an end.
fn came_out(term: &measure::RoundTerm, language: Language) -> String {
    let word = match (term.kind, term.outcome) {
        (RoundKind::Played, Outcome::Win) => "won",
        (RoundKind::Played, Outcome::Draw) => "drawn",
        (RoundKind::Played, Outcome::Loss) => "lost",
        (kind, _) => kind.word(),
    };
    language.word("kind", word)
}

fn skipped(note: Skipped, language: Language) -> String {
    language.t(match note {
        Skipped::NoOpponent => "skipped-no-opponent",
        Skipped::Unfinished => "skipped-unfinished",
        Skipped::Forfeited => "skipped-forfeited",
        Skipped::MetBefore => "skipped-met-before",
        Skipped::Lowest => "skipped-lowest",
        Skipped::Highest => "skipped-highest",
    })
}

fn bounded(bound: Bound, language: Language) -> String {
    language.t(match bound {
        Bound::Floor => "bound-floor",
        Bound::Cap => "bound-cap",
        Bound::DroppedCap => "bound-dropped-cap",
        Bound::OneOpponent => "bound-one-opponent",
    })
}

/// What a percentage is that everybody writes in short.
fn about(label: &str, language: Language) -> String {
    let key = match label {
        "MW%" => "about-mw",
        "OMW%" => "about-omw",
        "OOMW%" => "about-oomw",
        "GW%" => "about-gw",
        "OGW%" => "about-ogw",
        _ => return String::new(),
    };
    language.t(key)
}

impl Measure {
    fn of(
        one: scrutineer_desk::answers::MeasureExplained,
        deciding: Option<&str>,
        language: Language,
    ) -> Measure {
        let mut shown = Measure {
            decides: deciding == Some(&one.label[..]),
            fraction: fraction(&one.value),
            value: valued(&one.value, language),
            before: match one.before_bounds.text == one.value.text || is_still_in(&one.value) {
                true => String::new(),
                false => one.before_bounds.text.clone(),
            },
            floor: one.floor_counts,
            empty: one.nothing_to_average,
            as_drawn: one.as_drawn,
            about: about(&one.label, language),
            label: language.measure(&one.label),
            rounds: Vec::new(),
            opponents: Vec::new(),
            parts: Vec::new(),
            table: String::new(),
        };
        for term in one.terms {
            match term {
                Term::Round { round, kind, opponents, value, note } => {
                    let opponents = opponents.into_iter().map(person).collect();
                    let (value, note) = (value.text, round_note(note, language));
                    let kind = language.word("kind", &kind);
                    shown.rounds.push(RoundTerm { round, kind, opponents, value, note });
                }
                Term::Opponent {
                    round,
                    kind,
                    opponent,
                    value,
                    weight,
                    skipped: why,
                    bound,
                    before_bounds,
                } => {
                    let note = why.map(|why| skipped(why, language));
                    let note = note.or(bound.map(|bound| bounded(bound, language)));
                    shown.opponents.push(OpponentTerm {
                        round,
                        kind: language.word("kind", &kind),
                        opponent: opponent.map(person),
                        counts: why.is_none(),
                        exactly: before_bounds.map_or(fraction(&value), |before| exactly(&before)),
                        value: value.text,
                        weight: if weight.text == "1" { String::new() } else { weight.text },
                        note: note.unwrap_or_default(),
                    });
                }
                Term::Game { round, opponent, rating, half_points } => {
                    let note = language.a("why-scored", "points", halves(half_points));
                    shown.opponents.push(OpponentTerm {
                        round,
                        kind: note,
                        opponent: Some(person(opponent)),
                        counts: true,
                        exactly: String::new(),
                        value: rating.to_string(),
                        weight: String::new(),
                        note: String::new(),
                    });
                }
                Term::Table { mean, half_points, games, hundredths, difference } => {
                    let (points, sign) =
                        (halves(half_points), difference.map(|by| format!("{by:+}")));
                    let key = if sign.is_some() { "why-table" } else { "why-rated" };
                    let sign = sign.unwrap_or_default();
                    let args: [(&str, &dyn Said); 5] = [
                        ("mean", &mean.to_string()),
                        ("points", &points),
                        ("games", &games),
                        ("hundredths", &hundredths.to_string()),
                        ("difference", &sign),
                    ];
                    shown.table = language.with(key, args);
                }
                Term::Measure { measure, value, factor, after_round } => {
                    shown.parts.push(PartTerm {
                        measure: language.measure(&measure.replace(['_', '-'], " ")),
                        value: match fraction(&value) {
                            fraction if fraction.is_empty() => value.text,
                            fraction => format!("{} ({fraction})", value.text),
                        },
                        factor: factor.filter(|one| one != "1").unwrap_or_default(),
                        after: after_round,
                    });
                }
            }
        }
        shown
    }

    /// The same where its rounds say how they came out, and those of a ratio what each adds above and below the line.
    fn with_rounds(
        mut self,
        terms: &Terms,
        person: impl Fn(u32) -> Person,
        language: Language,
    ) -> Measure {
        match terms {
            Terms::Rounds(terms) => {
                for (shown, term) in self.rounds.iter_mut().zip(terms) {
                    shown.kind = came_out(term, language);
                }
            }
            Terms::Ratio { rounds, .. } => {
                self.rounds.extend(rounds.iter().map(|(above, below)| RoundTerm {
                    round: above.round,
                    kind: came_out(above, language),
                    opponents: above.opponents.iter().map(|index| person(*index)).collect(),
                    value: match above.note {
                        measure::TermNote::ByeSkipped | measure::TermNote::NotOfInterest => {
                            "–".into()
                        }
                        _ => format!("{}/{}", above.value, below.value),
                    },
                    note: round_note(above.note.into(), language),
                }));
            }
            _ => {}
        }
        self
    }

    /// The same where its rounds have among them those in which the player's match was postponed.
    fn with_postponed(mut self, later: &[(u16, Vec<Person>)], language: Language) -> Measure {
        if !self.rounds.is_empty() {
            self.rounds.extend(later.iter().map(|(round, opponents)| RoundTerm {
                round: *round,
                kind: language.t("slip-postponed"),
                opponents: opponents.clone(),
                value: "–".into(),
                note: language.t("note-postponed"),
            }));
            self.rounds.sort_by_key(|term| term.round);
        }
        self
    }
}

/// A player's places in their division and among all; empty where they have none or no division.
pub fn both_places(
    state: &Tournament,
    standings: &Standings,
    player: PlayerNumber,
    language: Language,
) -> String {
    let divided = DivisionPlaces::of(state, standings);
    let all = place_of(standings.everybody(), player, language);
    let Some((found, all)) = divided.of_player(player).zip(all) else {
        return String::new();
    };
    let place = placed(found.rows, found.at, language);
    let name = set_apart(found.name.to_string());
    language.with("division-places", [("place", &place), ("division", &name), ("all", &all)])
}

/// How far standings go, as far as it is told.
fn when(at: &Looked<'_>, asked: &Asked) -> String {
    let (state, through) = (&asked.event.state, asked.standings.through);
    match at.hides_results() {
        true => told_through(state, through, at.language),
        false => through_in_words(state, through, at.language),
    }
}

/// The same page of a player who takes no place: that they were disqualified, and to those why who read the notes.
fn disqualified(
    at: &Looked<'_>,
    asked: &Asked,
    player: PlayerNumber,
    after: RoundNumber,
    view: &View,
) -> Result<String, VerbError> {
    let (event, language) = (&asked.event, at.language);
    let person = Person::of(event, player);
    let name = set_apart(person.name.clone());
    let reason = match Need::Drafts.admits(at.role) {
        true => why_disqualified(&at.load_whole()?, player, after),
        false => None,
    };
    let reason = reason.map(|reason| language.a("why-reason", "reason", set_apart(reason)));
    let said = [Some(language.a("why-no-place", "name", &name)), reason];
    let after = match after {
        0 => language.t("told-before-rounds"),
        round => language.a("told-after", "round", round),
    };
    let mut frame = Frame::of(at, event, Tab::Standings, &format!("standings/{player}"));
    frame.view = view.query();
    let mut not_now = asked.not_now.clone();
    not_now.extend(at.hides_results().then(|| language.t("state-hidden")));
    render(&WhyPage {
        frame,
        lang: if at.is_chosen { language.tag() } else { "" },
        title: language.b("why-disqualified", "name", &name, "when", &after),
        player: person,
        places: String::new(),
        when: when(at, asked),
        rules: String::new(),
        not_now,
        summary: said.into_iter().flatten().collect::<Vec<_>>().join(" "),
        own_head: String::new(),
        other: None,
        steps: Vec::new(),
        measures: Vec::new(),
        reach: None,
        others: Vec::new(),
        view: view.clone(),
        query: at.taking(&view.query()),
    })
}

/// Why a player has their place, against the one above them or anybody.
///
/// # Errors
/// Where there is no such player, or they take no place.
pub fn page(
    at: &Looked<'_>,
    player: &str,
    against: Option<&str>,
    view: &View,
) -> Result<String, VerbError> {
    let asked = view.asked(at)?;
    let (event, standings) = (&asked.event, &asked.standings);
    let number = find_player(event, player)?;
    let mut out = standings.disqualified(&event.state).into_iter();
    let out = out.find(|(player, _)| *player == number).filter(|_| at.names_disqualified());
    if let Some((_, after)) = out {
        return disqualified(at, &asked, number, after, view);
    }
    let against = against.map(str::trim).filter(|typed| !typed.is_empty());
    let against = against.map(|typed| find_player(event, typed)).transpose()?;
    let against = against.filter(|other| *other != number);
    let explanation = explained(event, standings, number, against)?;
    let answer = ExplainAnswer::of(event, standings, &explanation);
    let language = at.language;
    let place_in = |player| place_of(&standings.rows, player, language).unwrap_or_default();
    let other = answer.against.map(|other| person(other.player));
    let other = other.map(|other| {
        let place = place_in(other.number);
        (other, place)
    });
    let deciding = answer.steps.iter().find(|step| step.verdict == Verdict::Decides);
    let text = |value: &Option<Exact>| {
        value.as_ref().map_or("-".to_string(), |value| valued(value, language))
    };
    let is_number = |value: &Option<Exact>| value.as_ref().is_some_and(|v| !is_still_in(v));
    let name = |other: &Person| set_apart(other.name.clone());
    let row = standings.rows.iter().find(|row| row.player == number);
    let of_rules = row.map(|row| &standings.layer(row).steps[..]).unwrap_or_default();
    let goes_by = |label: &str| {
        let step = of_rules.iter().find(|step| step_label(&standings.rules, step) == label);
        let called = step.map(|step| step_called(&standings.rules, step, language));
        called.unwrap_or_else(|| language.measure(label))
    };
    let summary = match (&other, deciding, answer.lots) {
        (None, ..) => language.t("why-nobody"),
        (Some((other, place)), Some(step), _) if step.step == LAST_PHASE => {
            language.with("why-phase", [("name", &name(other) as &dyn Said), ("place", place)])
        }
        (Some((other, place)), Some(step), _)
            if is_number(&step.own) && (step.other.is_none() || is_number(&step.other)) =>
        {
            let (own, theirs) = (text(&step.own), text(&step.other));
            let args: [(&str, &dyn Said); 5] = [
                ("step", &goes_by(&step.step)),
                ("name", &name(other)),
                ("place", place),
                ("own", &own),
                ("other", &theirs),
            ];
            language.with("why-decides-values", args)
        }
        (Some((other, place)), Some(step), _) => {
            let name = name(other);
            let args: [(&str, &dyn Said); 3] =
                [("step", &goes_by(&step.step)), ("name", &name), ("place", place)];
            language.with("why-decides", args)
        }
        (Some((other, _)), None, Some(true)) => {
            let is_published = is_published(&event.state);
            let key = if is_published { "why-published" } else { "why-lots" };
            language.a(key, "name", name(other))
        }
        (Some((other, _)), None, Some(false)) => {
            language.a("why-lots-pending", "name", name(other))
        }
        (Some((other, _)), None, None) => language.a("why-shared", "name", name(other)),
    };
    let deciding = deciding.map(|step| step.step.clone());
    let step = |step: &scrutineer_desk::answers::StepCompared| {
        let (says, class) = match step.verdict {
            Verdict::Tied => ("verdict-tied", ""),
            Verdict::Decides => ("verdict-decides", "dec"),
            Verdict::NotReached => ("verdict-not-reached", "dim"),
        };
        let met = step.met.iter().map(|met| {
            let how = match (met.outcome, met.theirs) {
                (MeetingOutcome::Win, _) => "why-met-win",
                (MeetingOutcome::Draw, _) => "why-met-draw",
                (MeetingOutcome::Loss, MeetingOutcome::Loss) => "why-met-both-lost",
                (MeetingOutcome::Loss, _) => "why-met-loss",
                (MeetingOutcome::None, _) => "why-met-open",
            };
            let met_in = language.a(how, "round", met.round);
            match met.forfeited {
                true => language.a("why-met-forfeited", "met", met_in),
                false => met_in,
            }
        });
        let says: Vec<String> = std::iter::once(language.t(says)).chain(met).collect();
        let says = says.join("; ");
        let said = |value: &Option<Exact>| match step.step == LAST_PHASE {
            true => phase_in_words(&event.state, value.as_ref(), language),
            false => text(value),
        };
        let (own, other) = (said(&step.own), said(&step.other));
        Step { label: goes_by(&step.step), own, other, says, class }
    };
    let others = standings.rows.iter().enumerate().filter(|(_, row)| row.player != number);
    let others = others.map(|(place, row)| Other {
        player: Person::of(event, row.player),
        place: placed(&standings.rows, place, language),
        is_chosen: other.as_ref().is_some_and(|(other, _)| other.number == row.player),
    });
    let steps = answer.steps.iter().map(step).collect();
    let counts = |round: u16| {
        let table = row.map(|row| &standings.layer(row).table);
        table.is_some_and(|table| table.rounds.iter().any(|(number, ..)| *number == round))
    };
    let is_own = |found: &MatchView<'_>| {
        let mut seats = found.seats().iter();
        seats.any(|seat| seat.player == number) && counts(found.round().number)
    };
    let opponents = |found: MatchView<'_>| {
        let others = found.seats().iter().filter(|seat| seat.player != number);
        let others: Vec<Person> = others.map(|seat| Person::of(event, seat.player)).collect();
        (found.round().number, others)
    };
    let later: Vec<(u16, Vec<Person>)> =
        postponed(&event.state).filter(is_own).map(opponents).collect();
    let entrants = &standings.layer(&explanation.row).table.entrants;
    let entrant = |index: u32| Person::of(event, entrants[index as usize].number);
    let measures =
        answer.measures.into_iter().zip(&explanation.measures).map(|(one, explained)| {
            Measure::of(one, deciding.as_deref(), language)
                .with_rounds(&explained.terms, entrant, language)
                .with_postponed(&later, language)
        });
    let place = place_in(number);
    let mut frame = Frame::of(at, event, Tab::Standings, &format!("standings/{number}"));
    frame.view = view.query();
    let is_staff = frame.is_staff;
    let name = set_apart(answer.player.name.clone());
    let args: [(&str, &dyn Said); 3] = [("name", &name), ("place", &place), ("of", &answer.of)];
    // What everybody is told while results are hidden is a place of earlier, which nobody takes for one of now.
    let is_hidden = at.hides_results();
    let when = when(at, &asked);
    let mut not_now = asked.not_now.clone();
    not_now.extend(is_hidden.then(|| language.t("state-hidden")));
    render(&WhyPage {
        frame,
        lang: if at.is_chosen { language.tag() } else { "" },
        title: match is_hidden {
            true => language.b("why-head-hidden", "name", &name, "when", &when),
            false => language.with("why-head-of", args),
        },
        places: match is_hidden {
            true => String::new(),
            false => both_places(&asked.event.state, standings, number, language),
        },
        own_head: place,
        player: person(answer.player),
        when: when.clone(),
        rules: answer.ruleset.id,
        not_now,
        summary,
        reach: match is_hidden {
            // Nobody can tell which results are missing.
            true => None,
            false => {
                let reach = view.reach(&asked, Effort::USUAL);
                let mut told = reach.and_then(|reach| Reached::of(&reach, number, language));
                if let Some(told) = told.as_mut().filter(|_| is_staff) {
                    let all = RoundNumber::MAX;
                    told.says.extend(disputed_in_words(&event.state, all, true, language));
                }
                told
            }
        },
        others: others.collect(),
        other,
        steps,
        measures: measures.collect(),
        view: view.clone(),
        query: at.taking(&view.query()),
    })
}

#[cfg(test)]
mod tests {
    use super::super::kit::hall;
    use super::*;

    #[test]
    fn the_page_says_what_each_end_of_a_match_would_make_of_somebody() {
        let hall = hall();
        let html = page(&hall.looked(), "#1", None, &View::default()).expect("a page");
        assert!(html.contains("What they can still reach") && html.contains("is drawn by agree"));
        // Of standings as they were it says nothing, and nothing of pairings that are not out.
        for (through, out) in [(Some(1), None), (None, Some(1))] {
            let view = View { through, out, ..View::default() };
            let then = page(&hall.looked(), "#1", None, &view).expect("a page");
            assert!(!then.contains("What they can still reach"), "{then}");
        }
    }

    /// It read "This was not done".
    #[test]
    fn who_was_disqualified_is_said_to_be_and_those_alone_read_why_who_read_the_notes() {
        let hall = hall();
        let reason = "stacked the deck".to_string();
        hall.order(scrutineer_desk::orders::Disqualify { player: "#2".into(), reason });
        let mut looked = hall.looked();
        let html = |at: &Looked<'_>| page(at, "#2", None, &View::default());
        let staff = html(&looked).expect("a page");
        assert!(staff.contains("Cid was disqualified after round 1"), "{staff}");
        let said = "takes no place in these standings. The reason that was noted: stacked";
        assert!(staff.contains(said), "{staff}");
        // Helpers and judges of the floor read no notes.
        for role in [crate::gate::Role::Helper, crate::gate::Role::Judge] {
            looked.role = role;
            let floor = html(&looked).expect("a page");
            assert!(floor.contains("was disqualified") && !floor.contains("stacked"), "{floor}");
        }
        looked.role = crate::gate::Role::Public;
        let public = html(&looked).expect("a page");
        assert!(public.contains("was disqualified") && !public.contains("stacked"), "{public}");
        assert!(!public.contains("name=\"against\""), "there is nothing to compare: {public}");
        looked.language = Language::German;
        assert!(html(&looked).expect("a page").contains("Cid wurde nach Runde 1 disqualifiziert"));
        // Where penalties are not public, nobody is told more than before.
        looked.policy.records = scrutineer_desk::public::Records::WithToken;
        assert_eq!(html(&looked).expect_err("refused").code.word, "no-place");
    }

    #[test]
    fn who_won_a_bracket_is_said_not_to_be_out_and_no_bound_is_told_of_that() {
        let hall = super::super::kit::planned(&["swiss:1", "single-elimination:2"]);
        let play = || hall.all_in();
        hall.order(scrutineer_desk::orders::Pair::default());
        play();
        hall.order(scrutineer_desk::orders::Cut::default());
        hall.order(scrutineer_desk::orders::Pair::default());
        play();
        let state = hall.store.load(hall.stream, false).expect("loaded").state;
        let seats = state.at_table(2, 1).expect("the final").seats();
        let [won, lost] = [0, 1].map(|seat| format!("#{}", seats[seat].player));
        let html = page(&hall.looked(), &won, Some(&lost), &View::default()).expect("a page");
        assert!(
            html.contains("Out in round decides against") && html.contains("not out"),
            "{html}"
        );
        assert!(!html.contains(": - to ") && !html.contains("before the bounds"), "{html}");
    }

    #[test]
    fn a_round_whose_match_was_postponed_is_not_left_out() {
        let hall = hall();
        hall.slip("1 postponed");
        let state = hall.store.load(hall.stream, false).expect("loaded").state;
        let player = format!("#{}", state.at_table(1, 1).expect("a table").seats()[0].player);
        hall.play_on();
        hall.play_on();
        let of = |looked: &Looked<'_>| page(looked, &player, None, &View::default()).expect("made");
        let mut looked = hall.looked();
        let html = of(&looked);
        assert!(html.contains("<td>postponed</td>"), "{html}");
        assert!(html.contains("counts for nobody yet"), "{html}");
        looked.language = Language::German;
        assert!(of(&looked).contains("zählt noch für niemanden"));
    }

    #[test]
    fn the_page_says_which_step_decides_and_against_whom() {
        let hall = hall();
        hall.play_on();
        let state = hall.store.load(hall.stream, false).expect("loaded").state;
        let seats = state.at_table(1, 1).expect("a table").seats();
        let [winner, loser] = [0, 1].map(|seat| format!("#{}", seats[seat].player));
        let html = page(&hall.looked(), &winner, Some(&loser), &View::default()).expect("a page");
        assert!(html.contains("<td>decides</td>"), "{html}");
        assert!(html.contains("decides against"));
    }

    /// It listed no round of the games, and said of those of the points that they were played.
    #[test]
    fn the_page_says_how_each_round_came_out_and_which_games_it_adds() {
        let hall = hall();
        hall.play_on();
        let state = hall.store.load(hall.stream, false).expect("loaded").state;
        let [won, lost] = [0, 1].map(|seat| {
            format!("#{}", state.at_table(1, 2).expect("a table").seats()[seat].player)
        });
        let mut looked = hall.looked();
        let of = |looked: &Looked<'_>, player: &str| {
            page(looked, player, None, &View::default()).expect("a page")
        };
        // It was 2-1.
        for (player, was, games) in [(&won, "won", "6/9"), (&lost, "lost", "3/9")] {
            let html = of(&looked, player);
            assert_eq!(html.matches(&format!("<td>{was}</td>")).count(), 2, "{html}");
            assert!(html.contains(&format!("data-head=\"Adds\">{games}</td>")), "{html}");
        }
        looked.language = Language::German;
        assert!(of(&looked, &won).contains("<td>gewonnen</td>"));
    }

    /// A page in German had `head-to-head`, `Wins` and `Buchholz cut 1` in it.
    #[test]
    fn the_steps_of_chess_are_named_in_the_readers_language() {
        let hall = super::super::kit::of_chess();
        hall.order(scrutineer_desk::orders::Publish {});
        hall.slip("1 1-0");
        let mut looked = hall.looked();
        looked.language = Language::German;
        let html = page(&looked, "#1", Some("#2"), &View::default()).expect("a page");
        for named in ["Buchholz, 1 Streichwert", "direkter Vergleich", "Siege"] {
            assert!(html.contains(named), "{named}: {html}");
        }
        for named in ["Buchholz cut 1", "head-to-head", "Wins"] {
            assert!(!html.contains(named), "{named}: {html}");
        }
        looked.language = Language::English;
        let html = page(&looked, "#1", Some("#2"), &View::default()).expect("a page");
        assert!(html.contains("Buchholz cut 1") && html.contains("head-to-head"), "{html}");
    }

    /// The page had an opponent's percentage as exactly 33/100 where 1/6 had been computed and the floor counted.
    #[test]
    fn an_opponent_of_whom_the_floor_counts_is_shown_with_what_was_computed_and_the_floor() {
        let hall = super::super::kit::enrolled();
        hall.order(scrutineer_desk::orders::Pair::default());
        hall.order(scrutineer_desk::orders::Publish {});
        hall.slip("1 1-1");
        let state = hall.store.load(hall.stream, false).expect("loaded").state;
        let drew = state.at_table(1, 1).expect("a table").seats()[0].player;
        hall.play_on();
        let state = hall.store.load(hall.stream, false).expect("loaded").state;
        let has = |found: &MatchView<'_>| found.seats().iter().any(|seat| seat.player == drew);
        let lost = state.matches().find(|found| found.round().number == 2 && has(found));
        let lost = lost.expect("their second match");
        let [first, second] = [0, 1].map(|seat| lost.seats()[seat].player);
        let (winner, slip) = if first == drew { (second, "0-2") } else { (first, "2-0") };
        hall.slip(&format!("{} {slip}", lost.table().expect("a table")));
        hall.play_on();
        let mut looked = hall.looked();
        let of = |looked: &Looked<'_>| {
            page(looked, &format!("#{winner}"), None, &View::default()).expect("a page")
        };
        for role in [crate::gate::Role::Owner, crate::gate::Role::Public] {
            looked.role = role;
            let html = of(&looked);
            assert!(html.contains("data-head=\"Exactly\">1/6</td>"), "{html}");
            assert!(html.contains("<b>33.0000%</b>"), "{html}");
            assert!(html.contains("<td class=\"soft small whole\">the floor</td>"), "{html}");
            assert!(!html.contains(">33/100</td>"), "{html}");
        }
        looked.language = Language::German;
        assert!(of(&looked).contains("whole\">der Mindestwert</td>"));
    }

    #[test]
    fn an_opponent_without_points_is_shown_with_none_and_the_floor() {
        let hall = hall();
        hall.play_on();
        let state = hall.store.load(hall.stream, false).expect("loaded").state;
        let winner = state.at_table(1, 1).expect("a table").seats()[0].player;
        let html = page(&hall.looked(), &format!("#{winner}"), None, &View::default());
        let html = html.expect("a page");
        assert!(html.contains("data-head=\"Exactly\">0</td>"), "{html}");
        assert!(html.contains("whole\">the floor</td>"), "{html}");
    }

    /// Her page was headed with her place of the round before, which looked like the one that was to be
    /// announced.
    #[test]
    fn while_results_are_hidden_no_heading_tells_a_place() {
        let hall = hall();
        hall.play_on();
        let mut looked = hall.looked();
        looked.role = crate::gate::Role::Public;
        let of = |looked: &Looked<'_>| page(looked, "#1", None, &View::default()).expect("a page");
        let html = of(&looked);
        assert!(html.contains("<h1>Why is Ann Lee ") && html.contains(" of 6?"), "{html}");
        looked.hidden = Some(4);
        let html = of(&looked);
        assert!(html.contains("<h1>Where Ann Lee stood after round 1"), "{html}");
        assert!(html.contains("results are hidden until they are announced"), "{html}");
        let (title, _) = html.split_once("</title>").expect("a title");
        assert!(!title.contains("of 6"), "{title}");
        assert!(!html.contains("results are missing"), "nobody can tell which are in: {html}");
    }

    /// Ten players of ten shared the first place, and each read that they were first.
    #[test]
    fn a_place_that_is_shared_is_told_so() {
        let hall = super::super::kit::enrolled();
        hall.order(scrutineer_desk::orders::Pair::default());
        hall.order(scrutineer_desk::orders::Publish {});
        let html = page(&hall.looked(), "#1", None, &View::default()).expect("a page");
        assert!(html.contains("<h1>Why is Ann Lee 1st (shared) of 6?"), "{html}");
    }

    #[test]
    fn nobody_is_compared_with_a_player_that_is_not_there() {
        let hall = hall();
        assert!(page(&hall.looked(), "#1", Some("nobody"), &View::default()).is_err());
        assert!(page(&hall.looked(), "#99", None, &View::default()).is_err());
    }
}
