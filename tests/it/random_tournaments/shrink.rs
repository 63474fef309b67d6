//! A smaller tournament with the same fault, and how it is printed.

use super::compare::Difference;
use crate::script::Desk;
use scrutineer_engine::event::*;

/// Leaves out one event after another as long as there is still a difference.
pub fn shrink(
    desk: Desk,
    difference: Difference,
    differs: impl Fn(&Desk) -> Option<Difference>,
) -> (Desk, Difference) {
    let (mut small, mut difference) = (desk, difference);
    loop {
        let before = small.events.len();
        for at in (1..small.events.len()).rev() {
            if at >= small.events.len() {
                continue;
            }
            let candidate = without(&small.events, at);
            if let Some(still) = differs(&candidate) {
                (small, difference) = (candidate, still);
            }
        }
        if small.events.len() == before {
            return (small, difference);
        }
    }
}

/// The events without the one at a position, without all that refer to it, and without what is
/// no longer legal.
pub fn without(events: &[Event], at: usize) -> Desk {
    let mut desk = Desk::default();
    let mut places: Vec<Option<Seq>> = Vec::new();
    for (position, event) in events.iter().enumerate() {
        let moved = |seq: Seq| places.get(seq as usize - 1).copied().flatten();
        let event = if position == at { None } else { moved_to(event, moved) };
        places.push(event.and_then(|event| desk.offer(event)));
    }
    desk
}

/// The event with the seqs that it names at their new places; none where one is gone.
pub fn moved_to(event: &Event, moved: impl Fn(Seq) -> Option<Seq>) -> Option<Event> {
    let mut event = event.clone();
    match &mut event {
        Event::ResultRecorded(e) => e.pairing = moved(e.pairing)?,
        Event::ResultCorrected(e) => {
            (e.pairing, e.replaces) = (moved(e.pairing)?, moved(e.replaces)?);
        }
        Event::ScoreNoted(e) => e.pairing = moved(e.pairing)?,
        Event::PlayerAdvanced(e) => e.pairing = moved(e.pairing)?,
        Event::Withdrawn(e) => e.seq = moved(e.seq)?,
        _ => {}
    }
    Some(event)
}

/// One line for each event.
pub fn script(events: &[Event]) -> String {
    (1..).zip(events).map(|(seq, event)| format!("{seq:4}  {}\n", line(event))).collect()
}

fn line(event: &Event) -> String {
    match event {
        Event::TournamentOpened(e) => {
            let lines: Vec<&str> = e.scoresheet.lines.iter().map(|l| l.name.as_str()).collect();
            format!("opened: {} best of {:?}", lines.join(" "), e.scoresheet.best_of)
        }
        Event::PlayerEnrolled(e) => {
            format!("player {} from round {}, sign-up {:?}", e.player, e.from_round, e.sign_up)
        }
        Event::PlayerDropped(e) => {
            format!("player {}: {} after round {}", e.player, e.why.word(), e.after_round)
        }
        Event::ByeRequested(e) => {
            format!("player {} asks for {} in round {}", e.player, e.kind.word(), e.round)
        }
        Event::PlayerReinstated(e) => format!("player {} back from {}", e.player, e.from_round),
        Event::PhaseStarted(e) => format!("phase {}: {} {:?}", e.phase, e.kind.word(), e.entrants),
        Event::RoundOpened(e) => {
            format!(
                "round {} of phase {}, weight {}/{}",
                e.round, e.phase, e.weight.num, e.weight.den
            )
        }
        Event::PairingMade(e) => {
            let seats: Vec<PlayerNumber> = e.seats.iter().map(|seat| seat.player).collect();
            format!("round {}: {seats:?}", e.round)
        }
        Event::ByeGiven(e) => format!(
            "round {}: player {} {}{}",
            e.round,
            e.player,
            e.kind.word(),
            e.reported.as_ref().map_or(String::new(), |score| format!(", {}", slip(score)))
        ),
        Event::ResultRecorded(e) => format!("result of {}: {}", e.pairing, result(&e.result)),
        Event::ResultCorrected(e) => format!("corrected {}: {}", e.pairing, result(&e.result)),
        Event::ScoreNoted(e) => format!("noted for {}: {}", e.pairing, slip(&e.score)),
        Event::PlayerAdvanced(e) => format!("player {} advances in {}", e.player, e.pairing),
        Event::LotsDrawn(e) => format!("lots {:?}", e.order),
        Event::Withdrawn(e) => format!("withdrawn: {}", e.seq),
        Event::Imported(e) => format!("imported, unknown: {:?}", e.unknown),
        other => other.word().to_owned(),
    }
}

fn slip(score: &Score) -> String {
    let seats: Vec<String> = score.seats.iter().map(|seat| format!("{:?}", &seat[..])).collect();
    format!("{} table {:?}", seats.join(" "), &score.table[..])
}

fn result(result: &MatchResult) -> String {
    let rulings: Vec<String> = result.rulings.iter().flatten().map(|r| format!("{r:?}")).collect();
    let grade = result.grade.as_deref().unwrap_or("");
    format!("{} {} {} {grade}", slip(&result.score), result.how.word(), rulings.join("/"))
}
