//! What the page says of a tournament: headings, lines and tables, in their order.
//!
//! The verifier in the page makes the same words again from the records and puts them in place of
//! these (docs/PAGE.md), so a change here is a change of `replay/page/shown.js` too.

use crate::announced::{AnnouncedTable, DecidedBy, PhaseSteps, TableRow};
use crate::as_of::utc;
use crate::loaded::{LoadedTournament, short_id, text_or};
use crate::staff::{Staff, at_a_desk};
use crate::trust::checkpoint::Signed;
use crate::trust::digits;
use num_rational::BigRational;
use num_traits::One;
use scrutineer_engine::book::Opened;
use scrutineer_engine::event::*;
use scrutineer_engine::names::unturned;
use scrutineer_engine::record::{Header, RecordHash};
use scrutineer_engine::tournament::{MatchView, Round};
use scrutineer_projections::counted;
use scrutineer_projections::ratio::decimal;
use scrutineer_projections::ruleset;
use scrutineer_projections::timeline::result_of_chess;
use std::collections::BTreeMap;

/// The measure of the shipped rulesets that says in which round a player went out of a bracket.
const KNOCKED_OUT: &str = "knocked_out";

/// What the page is made of.
pub struct Told<'a> {
    /// Who did it.
    pub staff: Staff<'a>,
    /// The tournament with its log, and names as far as they are given.
    pub event: &'a LoadedTournament,
    /// The table of the last announcement, where it was kept.
    pub table: Option<&'a AnnouncedTable>,
    /// The last checkpoint, where there is one.
    pub attested: Option<&'a Signed>,
}

/// A table of the page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Grid {
    /// What the columns hold.
    pub head: Vec<String>,
    /// The rows, each as long as the head.
    pub rows: Vec<Vec<String>>,
}

impl Told<'_> {
    /// A player's name, or a stand-in.
    pub fn name(&self, number: PlayerNumber) -> String {
        isolated(&self.event.name(number))
    }

    /// The event with this seq.
    pub fn at(&self, seq: Seq) -> Option<&Event> {
        let at = usize::try_from(seq.checked_sub(1)?).ok()?;
        self.event.log.get(at).map(|(_, event)| event)
    }

    /// What the tournament is called.
    pub fn title(&self) -> String {
        let LoadedTournament { stream, state, book, .. } = self.event;
        let stand_in = format!("Tournament {}", short_id(*stream));
        state.opened().map_or(stand_in.clone(), |opened| text_or(book, &opened.title, &stand_in))
    }

    /// The day, the size, the ruleset, and when the last record was made.
    pub fn about(&self) -> String {
        let players = self.event.state.players().iter().filter(|player| !player.withdrawn).count();
        let opened = self.event.state.opened();
        let day = opened.and_then(|opened| opened.held_on).map(|day| day.to_string());
        let rules = self.event.state.ruleset().and_then(ruleset_named);
        let (players, rounds) =
            (counted(players as u64, "player"), counted(self.rounds().len() as u64, "round"));
        let as_of = self.event.log.last().map(|(header, _)| format!("as of {}", utc(header.time)));
        let parts = [day, Some(players), self.nameless(), Some(rounds), rules, as_of];
        parts.into_iter().flatten().collect::<Vec<_>>().join(" · ")
    }

    /// How many names a page with names does not give.
    fn nameless(&self) -> Option<String> {
        let LoadedTournament { state, book, .. } = self.event;
        book.entries().next()?;
        let players = state.players().iter().filter(|player| !player.withdrawn);
        let nameless = players.filter(|p| !matches!(book.text(&p.name), Opened::Text(_))).count();
        (nameless > 0).then(|| format!("{} not given", counted(nameless as u64, "name")))
    }

    /// The rounds that stand and are not for the desk alone, by number.
    pub fn rounds(&self) -> Vec<&Round> {
        let rounds = self.event.state.rounds().iter();
        let mut rounds: Vec<&Round> =
            rounds.filter(|round| !round.withdrawn && !self.is_unseen(round)).collect();
        rounds.sort_by_key(|round| round.number);
        rounds
    }

    /// Whether a round stands and the players have not seen it: it is drawn, and neither published
    /// nor completed, nor has anybody a result in it.
    pub fn is_unseen(&self, round: &Round) -> bool {
        let mut matches = self.event.state.matches();
        !round.withdrawn
            && round.published.is_none()
            && round.completed.is_none()
            && !matches.any(|one| one.round().opened == round.opened && one.result().is_some())
    }

    /// Whether a pairing is of one of these rounds: made after it was opened, since a round of its
    /// number that was opened before is withdrawn.
    pub fn is_of(&self, rounds: &[&Round], pairing: Seq) -> bool {
        let Some(Event::PairingMade(made)) = self.at(pairing) else { return false };
        rounds.iter().any(|round| round.number == made.round && round.opened < pairing)
    }

    /// Heading, lines and rows of the standings that were last announced and of which the table is
    /// there. Of later ones a line says how many there are: whoever takes lines out of a file shall not
    /// choose which standings count as the last.
    pub fn standings(&self) -> Option<(String, Vec<String>, Option<Grid>)> {
        let shown = self.table.map_or(0, |table| table.announced);
        let announced = self.event.state.announcements();
        let later = announced.iter().filter(|(seq, _)| *seq > shown).count() as u64;
        let what = if shown > 0 { "later announced table" } else { "announced table" };
        let missing = (later > 0).then(|| format!("Not in this file: {}", counted(later, what)));
        match self.last_standings() {
            Some((heading, mut lines, grid)) => {
                lines.extend(missing);
                Some((heading, lines, Some(grid)))
            }
            None => Some(("Standings".into(), vec![missing?], None)),
        }
    }

    fn last_standings(&self) -> Option<(String, Vec<String>, Grid)> {
        let table = self.table?;
        let Some(Event::StandingsAnnounced(event)) = self.at(table.announced) else {
            return None;
        };
        let after = match event.through_round {
            0 => "before round 1".to_string(),
            round => format!("after round {round}"),
        };
        let when = self.when(table.announced).map_or(String::new(), |when| format!(", {when},"));
        let line = format!(
            "Announced in record {}{when} under {}, table {}",
            table.announced,
            self.ruleset_called(&event.ruleset),
            digits(&event.table),
        );
        let corrected = self.corrected_since(table.announced, event.through_round);
        let lines = std::iter::once(line).chain(corrected).collect();
        let grid = self.standings_grid(table, event.through_round);
        Some((format!("Standings {after}"), lines, grid))
    }

    /// Which records corrected results of these rounds after an announcement, whose table does not count them.
    fn corrected_since(&self, announced: Seq, through: RoundNumber) -> Option<String> {
        let of_these = |pairing: Seq| matches!(self.at(pairing), Some(Event::PairingMade(made)) if made.round <= through);
        let corrects = |(header, event): &&(Header, Event)| {
            header.seq > announced
                && matches!(event, Event::ResultCorrected(e) if of_these(e.pairing))
        };
        let all = self.event.log.iter().filter(corrects);
        let all: Vec<String> = all.map(|(header, _)| header.seq.to_string()).collect();
        (!all.is_empty()).then(|| {
            let all = all.join(", ");
            format!("Results were corrected since, which this table does not count: record {all}")
        })
    }

    /// What the ruleset with this hash is named; the first digits of the hash where it is not known.
    fn ruleset_called(&self, hash: &[u8; 32]) -> String {
        let files = self.event.log.iter().filter_map(|(_, event)| match event {
            Event::TournamentOpened(opened) => Some(&opened.ruleset),
            Event::RulesetAmended(amended) => Some(&amended.ruleset),
            _ => None,
        });
        let mut same = files.filter(|files| &ruleset::hash(files) == hash);
        let named = same.next().and_then(|files| ruleset_named(files));
        named.unwrap_or_else(|| digits(hash))
    }

    /// For each phase its last round that an announcement knew.
    fn last_rounds(&self, announced: Seq, through: RoundNumber) -> BTreeMap<u16, RoundNumber> {
        let before = self.event.log.iter().take_while(|(header, _)| header.seq < announced);
        // A number that was given again is the later round's.
        let phases: BTreeMap<RoundNumber, u16> = before
            .filter_map(|(_, event)| match event {
                Event::RoundOpened(opened) if opened.round <= through => {
                    Some((opened.round, opened.phase))
                }
                _ => None,
            })
            .collect();
        phases.into_iter().map(|(round, phase)| (phase, round)).collect()
    }

    fn standings_grid(&self, table: &AnnouncedTable, through: RoundNumber) -> Grid {
        let last_rounds = self.last_rounds(table.announced, through);
        let mut columns: Vec<(&str, &str)> = Vec::new();
        for (id, label) in table.phases.iter().flat_map(|phase| &phase.steps) {
            let Some(id) = id else { continue };
            if !columns.iter().any(|(other, _)| other == id) {
                columns.push((id, label));
            }
        }
        let phases = table.phases.len() > 1;
        let mut head = vec!["#".to_string(), "player".into()];
        head.extend(phases.then(|| "phase".to_string()));
        head.extend(columns.iter().map(|(_, label)| isolated(label)));
        head.push("decided by".into());
        let rank = |at: usize| table.rows.get(at).map(|row| row.0);
        let rows = table.rows.iter().enumerate().map(|(at, row)| {
            let TableRow(place, player, phase, values, decided) = row;
            let own = table.phases.iter().find(|own| own.phase == *phase);
            let steps = own.map_or(&[][..], |own: &PhaseSteps| &own.steps);
            let before = at.checked_sub(1).and_then(rank);
            let is_shared = before == Some(*place) || rank(at + 1) == Some(*place);
            let mut cells = vec![format!("{}{place}", if is_shared { "=" } else { "" })];
            cells.push(self.name(*player));
            cells.extend(phases.then(|| phase.to_string()));
            cells.extend(columns.iter().map(|(id, _)| {
                let step = steps.iter().position(|(own, _)| own.as_deref() == Some(*id));
                let value = step.and_then(|step| {
                    let value = values.get(step)?.as_deref()?;
                    let last = last_rounds.get(phase).copied().unwrap_or_default();
                    let is_still_in = *id == KNOCKED_OUT && is_beyond(value, last);
                    (!is_still_in).then_some(())?;
                    Some(rounded(value, &steps.get(step)?.1))
                });
                value.unwrap_or_default()
            }));
            cells.push(decided_by(decided.as_ref(), steps));
            cells
        });
        Grid { head, rows: rows.collect() }
    }

    /// When something was recorded, where that says when it happened.
    fn when(&self, seq: Seq) -> Option<String> {
        let at = usize::try_from(seq.checked_sub(1)?).ok()?;
        let (header, _) = self.event.log.get(at)?;
        at_a_desk(header).then(|| utc(header.time))
    }

    /// When a round was paired, published and completed; none of what came in as a file.
    fn times(&self, round: &Round) -> Option<String> {
        let steps = [
            ("paired", Some(round.opened)),
            ("published", round.published),
            ("completed", round.completed),
        ];
        let when = |(what, seq): (&str, Option<Seq>)| Some(format!("{what} {}", self.when(seq?)?));
        let times: Vec<String> = steps.into_iter().filter_map(when).collect();
        (!times.is_empty()).then(|| times.join(" · "))
    }

    /// Heading, times and rows of a round.
    pub fn round(&self, round: &Round) -> (String, Option<String>, Grid) {
        let phase = self.event.state.phase_of(round);
        let standing = self.event.state.phases().iter().filter(|phase| !phase.withdrawn).count();
        let phase = phase.filter(|_| standing > 1);
        let kind = phase.map_or(String::new(), |phase| format!(" · {}", phase.kind));
        let open = if round.completed.is_none() { " · not completed" } else { "" };
        let of_round = |found: &MatchView| found.round().opened == round.opened;
        let mut matches: Vec<MatchView> = self.event.state.matches().filter(of_round).collect();
        matches.sort_by_key(|found| (found.table().is_none(), found.table(), found.seq()));
        let pairs = matches.iter().all(|found| found.seats().len() == 2);
        let head: &[&str] = match pairs {
            true => &["table", "player", "result", "opponent"],
            false => &["table", "players", "result"],
        };
        let mut rows: Vec<Vec<String>> = Vec::new();
        for found in matches {
            let number = found.table().map_or(String::new(), |table| table.to_string());
            let names = found.seats().iter().map(|seat| self.name(seat.player));
            let names: Vec<String> = names.collect();
            let result = self.result(found);
            rows.push(match (&names[..], pairs) {
                ([one, two], true) => vec![number, one.clone(), result, two.clone()],
                _ => vec![number, names.join(" · "), result],
            });
        }
        let rounds = self.event.state.rounds();
        let at = rounds.iter().position(|other| other.opened == round.opened);
        for bye in self.event.state.byes().filter(|bye| Some(bye.round as usize) == at) {
            let mut row = vec![String::new(), self.name(bye.player), bye.kind.to_string()];
            row.extend(pairs.then(String::new));
            rows.push(row);
        }
        let head = head.iter().map(|text| text.to_string()).collect();
        (format!("Round {}{kind}{open}", round.number), self.times(round), Grid { head, rows })
    }

    /// The result that stands.
    fn result(&self, found: MatchView) -> String {
        match found.result().and_then(|seq| self.at(seq)) {
            Some(Event::ResultRecorded(recorded)) => self.came_out(&recorded.result),
            Some(Event::ResultCorrected(corrected)) => {
                format!("{}, corrected", self.came_out(&corrected.result))
            }
            _ => "no result".into(),
        }
    }

    /// A result by its seats, in chess as it is written there: `1-0`, `+/- (no-show)`.
    pub fn came_out(&self, result: &MatchResult) -> String {
        match (result_of_chess(&self.event.state, result), result.how) {
            (None, _) => result_text(result),
            (Some(points), How::Played | How::Unknown) => points.into(),
            (Some(points), how) => format!("{points} ({how})"),
        }
    }

    /// How many records there are and the hash of the last one; what was last signed over them.
    pub fn records(&self) -> Vec<String> {
        let records = |count: u64| counted(count, "record");
        let LoadedTournament { head, log, .. } = self.event;
        let mut lines = vec![format!("{}, head {head}", records(log.len() as u64))];
        lines.extend(self.attested.map(|signed| {
            let (size, root) = (signed.checkpoint.size, RecordHash(signed.checkpoint.root));
            format!("Last checkpoint: {}, root {root}", records(size))
        }));
        lines
    }
}

/// A result by its seats: `2-1`, `2-0-1`, `ruled win/loss (no-show)`.
pub fn result_text(result: &MatchResult) -> String {
    let lines = |values: &[i32]| values.iter().map(i32::to_string).collect::<Vec<_>>().join("/");
    let seats: Vec<String> = result.score.seats.iter().map(|values| lines(values)).collect();
    let mut parts: Vec<String> = Vec::new();
    if seats.iter().any(|seat| !seat.is_empty()) {
        let counts = result.score.table.iter().any(|value| *value != 0);
        let table = result.score.table.iter().filter(|_| counts);
        let table: String = table.map(|value| format!("-{value}")).collect();
        parts.push(format!("{}{table}", seats.join("-")));
    }
    if result.is_postponed() {
        parts.push("postponed".into());
    } else if result.rulings.iter().any(Option::is_some) {
        let words = result.rulings.iter();
        let words = words.map(|one| one.map_or("-".into(), |ruling| ruling.to_string()));
        parts.push(format!("ruled {}", words.collect::<Vec<String>>().join("/")));
    }
    if !matches!(result.how, How::Played | How::Unknown) {
        parts.push(format!("({})", result.how));
    }
    match parts.is_empty() {
        true => "no score".into(),
        false => parts.join(" "),
    }
}

/// What people typed, so that the direction of its letters turns round nothing beside it.
pub(crate) fn isolated(text: &str) -> String {
    format!("\u{2068}{}\u{2069}", unturned(text))
}

/// A ruleset's id, and that it is not shipped where it is none that comes with the program; nothing
/// where there is none.
pub(crate) fn ruleset_named(files: &[RulesetFile]) -> Option<String> {
    let is_shipped = ruleset::shipped_hashes().contains(&ruleset::hash(files));
    let not_shipped = if is_shipped { "" } else { " (not shipped)" };
    Some(format!("{}{not_shipped}", isolated(&files.first()?.name)))
}

/// Whether a fraction is a round beyond the last one: nobody has gone out in that.
fn is_beyond(fraction: &str, last: RoundNumber) -> bool {
    fraction
        .parse::<BigRational>()
        .is_ok_and(|value| value > BigRational::from_integer(last.into()))
}

fn decided_by(decided: Option<&DecidedBy>, steps: &[(Option<String>, String)]) -> String {
    match decided {
        None => String::new(),
        Some(DecidedBy::Step(at)) => {
            steps.get(*at as usize).map_or(String::new(), |(_, label)| isolated(label))
        }
        Some(DecidedBy::Word(word)) => match &word[..] {
            "phase" => "did not advance".into(),
            "lots pending" => "tied, lots not drawn".into(),
            word => word.into(),
        },
    }
}

/// A fraction as people read it: whole, or with four digits behind the point, halves away from 0.
/// What is labelled with a `%` is a percentage.
pub fn rounded(fraction: &str, label: &str) -> String {
    let percent = label.ends_with('%');
    match fraction.parse::<BigRational>() {
        Ok(value) if value.denom().is_one() && !percent => value.numer().to_string(),
        Ok(value) => decimal(&value, 4, percent),
        Err(_) => fraction.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::rounded;

    #[test]
    fn values_are_rounded_for_the_eye_only() {
        for (fraction, shown) in [
            ("9", "9"),
            ("-1", "-1"),
            ("2/3", "0.6667"),
            ("-2/3", "-0.6667"),
            ("1/20000", "0.0001"),
            ("1/20001", "0.0000"),
            ("-1/20001", "0.0000"),
            ("199999/20000", "10.0000"),
        ] {
            assert_eq!(rounded(fraction, "Points"), shown, "{fraction}");
        }
        for (fraction, shown) in [("1", "100.0000%"), ("133/300", "44.3333%"), ("0", "0.0000%")] {
            assert_eq!(rounded(fraction, "OMW%"), shown, "{fraction}");
        }
    }
}
