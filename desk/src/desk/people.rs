//! Who takes part: sign-up, late entries, drops and returns, penalties.

use super::roster::as_others_have_it;
use super::seating::is_fixed;
use super::{Desk, DeskError, Done, Objection, Words, open_round};
use scrutineer_engine::book::{Commitment, Field};
use scrutineer_engine::event::{
    ByeGiven, ByeKind, ByeRequested, DropReason, Event, How, MatchResult, NoteAdded, Origin,
    PenaltyGiven, PenaltyKind, PhaseKind, PlayerDescribed, PlayerDropped, PlayerEnrolled,
    PlayerNumber, PlayerReinstated, ResultRecorded, RoundNumber, Ruling, Score, Seq, Withdrawn,
};
use scrutineer_engine::handler::CommandError;
use scrutineer_engine::record::Header;
use scrutineer_engine::rejection::Rejection;
use scrutineer_engine::tournament::{Availability, MatchView, Player, Tournament};
use scrutineer_pairing::{running_phase, winner};
use scrutineer_projections::reach::won_by_no_show;

/// Somebody signs up.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Enrolment {
    /// Their name.
    pub name: String,
    /// Their publisher's id.
    pub publisher_id: Option<String>,
    /// Their rating.
    pub rating: Option<i32>,
    /// Their division.
    pub division: Option<String>,
    /// Their title, such as `GM`.
    pub title: Option<String>,
    /// Their federation, such as `SWE`.
    pub federation: Option<String>,
    /// How many byes they bring.
    pub awarded_byes: u8,
    /// The members of a team.
    pub members: Vec<String>,
}

/// What somebody who comes late is given for the rounds they missed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Latecomer {
    /// What the ruleset says of rounds missed.
    AsRuled,
    /// A loss for each.
    Losses,
    /// A bye for each.
    Byes,
    /// A half bye for each.
    HalfByes,
}

/// How somebody joins.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Joining {
    /// In the round that is being played already.
    pub now: bool,
    /// Another person of the name may be there; otherwise somebody who waits for a later round plays
    /// from an earlier one on.
    pub same_name: bool,
}

impl Desk<'_> {
    /// Enrolls players in the order given. They take part from round one, or from the next round
    /// where one has been paired.
    ///
    /// # Errors
    /// Where the log refuses.
    pub fn enroll(&self, people: &[Enrolment], late: Latecomer) -> Result<Done, DeskError> {
        self.enroll_from(people, late, Joining::default())
    }

    /// Enrolls players, in the round that is being played already where [`Joining`] says so: then
    /// [`Desk::repair`] seats them, and who is enrolled from the next round on is enrolled anew.
    ///
    /// # Errors
    /// Where no round is being played, or the log refuses.
    pub fn enroll_from(
        &self,
        people: &[Enrolment],
        late: Latecomer,
        Joining { now, same_name }: Joining,
    ) -> Result<Done, DeskError> {
        self.record(&mut |state, words| {
            super::played_here(state)?;
            let from_round = match now {
                true => open_round(state).ok_or(Objection::NoOpenRound)?.number,
                false => state.next_round_number(),
            };
            let running = running_phase(state).filter(|phase| is_fixed(phase));
            if let Some(kind) = running.map(|phase| phase.kind) {
                return Err(Objection::TooLate { kind }.into());
            }
            let (mut events, mut given) = (Vec::new(), Vec::new());
            let first = state.players().len() as PlayerNumber + 1;
            // Another person of a name takes nobody's place.
            let (waiting, log) = match now && !same_name {
                true => (self.waiting_for_a_later_round(state, people)?, self.logged()?),
                false => (vec![None; people.len()], Vec::new()),
            };
            for ((player, person), waiting) in (first..).zip(people).zip(waiting) {
                let before = waiting.and_then(|number| state.player(number));
                let name = match before {
                    Some(before) => before.name,
                    None => words.say(Field::Name, &person.name)?,
                };
                let mut new = enrolled(player, from_round, name, person, words)?;
                let so_far = events.iter().filter_map(|event| match event {
                    Event::PlayerEnrolled(e) => e.division.as_deref(),
                    _ => None,
                });
                new.division = new.division.map(|typed| as_others_have_it(state, so_far, &typed));
                if let Some(before) = before {
                    let reason = words.say(Field::Reason, "plays from an earlier round on")?;
                    let byes = state.byes().filter(|bye| bye.player == before.number);
                    let seqs = byes.map(|bye| bye.seq).chain([before.enrolled]);
                    events.extend(seqs.map(|seq| Event::from(Withdrawn { seq, reason })));
                    as_before(&mut new, before, &log);
                }
                events.push(new.into());
                given.extend(described(player, person, before).map(Event::from));
                given.extend(missed(state, player, from_round, late, words)?);
            }
            events.extend(given);
            Ok(events)
        })
    }

    /// A player leaves, or did not appear. Their unfinished match goes to the opponent where they did
    /// not appear; otherwise they play it to its end. At a table of more than two the others play
    /// on.
    ///
    /// # Errors
    /// Where the log refuses.
    pub fn drop_player(&self, player: PlayerNumber, why: DropReason) -> Result<Done, DeskError> {
        self.record(&mut |state, _| self.dropping(state, player, why))
    }

    /// A player is removed by the head judge: they forfeit the match that they are playing, and takes
    /// no place. The reason stands in a note.
    ///
    /// # Errors
    /// Where the log refuses.
    pub fn disqualify(&self, player: PlayerNumber, reason: &str) -> Result<Done, DeskError> {
        self.record(&mut |state, words| {
            // Who left before can be disqualified all the same: as of the round of their drop.
            let change =
                state.player(player).and_then(|player| player.availability.last().copied());
            let mut events = match change {
                Some((seq, Availability::Dropped(was, after_round)))
                    if was != DropReason::Disqualified =>
                {
                    let reason = words.say(Field::Reason, reason)?;
                    let why = DropReason::Disqualified;
                    let drop = PlayerDropped { player, why, after_round };
                    vec![Withdrawn { seq, reason }.into(), drop.into()]
                }
                _ => self.dropping(state, player, DropReason::Disqualified)?,
            };
            let about = Some(state.head() + events.len() as u64);
            events.push(NoteAdded { note: words.say(Field::Note, reason)?, about }.into());
            Ok(events)
        })
    }

    /// A player takes part again. A drop since which nothing was paired is taken back as if it
    /// had never happened; otherwise they come back from the next round on, and the reason stands
    /// in a note. With `now` they take part in the round that is being played already, in which
    /// [`Desk::repair`] seats them; also who was to come back from the next round on.
    ///
    /// # Errors
    /// Where no round is being played, or the log refuses.
    pub fn reinstate(
        &self,
        player: PlayerNumber,
        now: bool,
        reason: &str,
    ) -> Result<Done, DeskError> {
        self.record(&mut |state, words| {
            let from_round = match now {
                true => open_round(state).ok_or(Objection::NoOpenRound)?.number,
                false => state.next_round_number(),
            };
            if now && let Some(kind) = self.shut_out_of(state, player)? {
                return Err(Objection::NotInPhase { player, kind }.into());
            }
            let found = state.player(player);
            let drop = found.and_then(|p| p.availability.last().copied());
            let last = state.last_round();
            // They have missed nothing: no round was paired since, and the one being played either has
            // them or can still seat them.
            let missed_nothing = |seq: Seq, after: RoundNumber| {
                last.is_none_or(|round| {
                    round.opened < seq && (after >= round.number || round.open_matches > 0)
                })
            };
            if let Some((seq, Availability::Dropped(_, after))) = drop
                && missed_nothing(seq, after)
            {
                return Ok(vec![
                    Withdrawn { seq, reason: words.say(Field::Reason, reason)? }.into(),
                ]);
            }
            let mut events = Vec::new();
            if let Some((seq, Availability::Reinstated(from))) = drop
                && from > from_round
            {
                events.push(Withdrawn { seq, reason: words.say(Field::Reason, reason)? }.into());
            }
            events.push(PlayerReinstated { player, from_round }.into());
            let about = Some(state.head() + events.len() as u64);
            events.push(NoteAdded { note: words.say(Field::Note, reason)?, about }.into());
            Ok(events)
        })
    }

    /// A player asks for a bye in a round that is not paired yet; in the place of another one that they
    /// asked for in the same round. Without a kind they play after all.
    ///
    /// # Errors
    /// Where the round is paired, a bracket runs, they have not asked for what is taken back, or the log
    /// refuses.
    pub fn request_bye(
        &self,
        player: PlayerNumber,
        round: RoundNumber,
        kind: Option<ByeKind>,
    ) -> Result<Done, DeskError> {
        self.record(&mut |state, words| {
            if let Some(phase) = running_phase(state).filter(|phase| phase.kind.is_bracket()) {
                return Err(Objection::ByeInBracket { kind: phase.kind }.into());
            }
            if round < state.next_round_number() {
                return Err(CommandError::from(Rejection::ByeTooLate { round }).into());
            }
            let same = |one: &ByeRequested| (one.player, one.round) == (player, round);
            let mut events = Vec::new();
            match state.bye_requests().iter().find(|(_, one)| same(one)) {
                None if kind.is_none() => {
                    return Err(Objection::NoByeRequested { player, round }.into());
                }
                Some((seq, one)) if kind != Some(one.kind) => {
                    let why = kind.map_or("they play after all", |_| "asked for another bye");
                    let reason = words.say(Field::Reason, why)?;
                    events.push(Withdrawn { seq: *seq, reason }.into());
                }
                _ => {}
            }
            events.extend(kind.map(|kind| Event::from(ByeRequested { player, round, kind })));
            Ok(events)
        })
    }

    /// The phase that is running, where no round of it can seat a player any more: who plays in it
    /// was fixed without them, or they are knocked out of it.
    ///
    /// # Errors
    /// Where the ruleset of the tournament cannot be read.
    pub fn shut_out_of(
        &self,
        state: &Tournament,
        player: PlayerNumber,
    ) -> Result<Option<PhaseKind>, DeskError> {
        let Some(phase) = running_phase(state).filter(|phase| is_fixed(phase)) else {
            return Ok(None);
        };
        let lives = match phase.kind {
            PhaseKind::Elimination => 1,
            PhaseKind::DoubleElimination => 2,
            _ => usize::MAX,
        };
        let rules = self.rules(state)?;
        let of_phase = state.matches().filter(|found| found.round().phase == phase.number);
        let own = of_phase.filter(|m| m.seats().iter().any(|seat| seat.player == player));
        let lost = own.filter(|m| winner(state, &rules, *m).is_some_and(|won| won != player));
        let is_out = lost.count() >= lives || !state.field(phase).contains(&player);
        Ok(is_out.then_some(phase.kind))
    }

    /// A player leaves; where they did not wish to, their opponent wins the match that they are playing.
    fn dropping(
        &self,
        state: &Tournament,
        player: PlayerNumber,
        why: DropReason,
    ) -> Result<Vec<Event>, DeskError> {
        let now = unfinished(state, player).filter(|found| found.seats().len() == 2);
        let lost = match (now, why) {
            (None, _) | (_, DropReason::Left) => None,
            (Some(found), DropReason::NoShow) => {
                let sheet = state.scoresheet(found.round()).cloned().unwrap_or_default();
                let winner = usize::from(found.seats()[0].player == player);
                let rules = self.rules(state)?;
                let result = won_by_no_show(&rules, &sheet, winner);
                Some(ResultRecorded { pairing: found.seq(), result }.into())
            }
            // How many games they had played nobody says.
            (Some(found), DropReason::Disqualified) => Some(forfeited(found, player)),
        };
        let after_round = belongs_to(state, player);
        Ok(lost.into_iter().chain([PlayerDropped { player, why, after_round }.into()]).collect())
    }

    /// A player is penalised: for the match that they are playing, or waiting for their next one.
    ///
    /// # Errors
    /// Where the log refuses, or they have no unfinished match now.
    pub fn penalise(
        &self,
        player: PlayerNumber,
        kind: PenaltyKind,
        now: bool,
        reason: &str,
    ) -> Result<Done, DeskError> {
        self.record(&mut |state, words| {
            let pairing = match now {
                true => {
                    let found = unfinished(state, player);
                    Some(found.ok_or(Objection::NoMatchNow { player })?.seq())
                }
                false => None,
            };
            let reason = words.say(Field::Reason, reason)?;
            Ok(vec![PenaltyGiven { player, kind, pairing, reason }.into()])
        })
    }
}

/// What was not typed anew of somebody who is enrolled a second time stays as it was.
fn as_before(new: &mut PlayerEnrolled, before: &Player, log: &[(Header, Event)]) {
    // What was put right since stands in no enrollment.
    new.publisher_id = new.publisher_id.or(before.publisher_id);
    new.rating = new.rating.or(before.rating);
    let at = (before.enrolled as usize).wrapping_sub(1);
    if let Some((_, Event::PlayerEnrolled(old))) = log.get(at) {
        new.division = new.division.take().or_else(|| old.division.clone());
        new.awarded_byes = new.awarded_byes.max(old.awarded_byes);
        if new.members.is_empty() {
            new.members = old.members.clone();
        }
    }
}

/// The title and the federation of somebody who is enrolled; what was not typed anew of somebody who is enrolled
/// a second time stays as it was. None where they have neither.
fn described(
    player: PlayerNumber,
    person: &Enrolment,
    before: Option<&Player>,
) -> Option<PlayerDescribed> {
    let title = person.title.clone().or_else(|| before?.title.clone());
    let federation = person.federation.clone().or_else(|| before?.federation.clone());
    let is_said = title.is_some() || federation.is_some();
    is_said.then_some(PlayerDescribed { player, title, federation })
}

fn enrolled(
    player: PlayerNumber,
    from_round: RoundNumber,
    name: Commitment,
    person: &Enrolment,
    words: &mut Words<'_>,
) -> Result<PlayerEnrolled, DeskError> {
    let id = person.publisher_id.as_deref();
    let publisher_id = id.map(|id| words.say(Field::PublisherId, id)).transpose()?;
    let members = person.members.iter().map(|member| words.say(Field::Name, member));
    Ok(PlayerEnrolled {
        player,
        name,
        publisher_id,
        sign_up: Some(player),
        from_round,
        awarded_byes: person.awarded_byes,
        rating: person.rating,
        division: person.division.clone(),
        members: members.collect::<Result<_, _>>()?,
    })
}

/// What somebody gave a late entrant for the rounds before.
fn missed(
    state: &Tournament,
    player: PlayerNumber,
    from_round: RoundNumber,
    late: Latecomer,
    words: &mut Words<'_>,
) -> Result<Vec<Event>, DeskError> {
    let (kind, why) = match late {
        Latecomer::AsRuled => return Ok(Vec::new()),
        Latecomer::Losses => (ByeKind::AwardedLoss, "came late: a loss for a round missed"),
        Latecomer::Byes => (ByeKind::Awarded, "came late: a bye for a round missed"),
        Latecomer::HalfByes => (ByeKind::Half, "came late: a half bye for a round missed"),
    };
    let rounds = state.rounds().iter().filter(|r| !r.withdrawn && r.number < from_round);
    let mut given = Vec::new();
    for round in rounds.map(|round| round.number) {
        let origin = Origin::by_hand(words.say(Field::Reason, why)?);
        let (reported, bracket_slot) = (None, None);
        given.push(ByeGiven { round, player, kind, reported, bracket_slot, origin }.into());
    }
    Ok(given)
}

/// The unfinished match of a player in the round that is being played.
pub(super) fn unfinished(state: &Tournament, player: PlayerNumber) -> Option<MatchView<'_>> {
    let open = open_round(state)?;
    state.matches().find(|found| {
        found.round().number == open.number
            && found.result().is_none()
            && found.seats().iter().any(|seat| seat.player == player)
    })
}

/// The last round that a player who leaves now belongs to: the one being played where they have a
/// table or a bye in it.
fn belongs_to(state: &Tournament, player: PlayerNumber) -> RoundNumber {
    let last = state.last_round().map_or(0, |round| round.number);
    let Some(open) = open_round(state) else { return last };
    let sits = state.matches().any(|found| {
        found.round().number == open.number
            && found.seats().iter().any(|seat| seat.player == player)
    });
    let has_bye = || {
        let of_open = |round: u32| {
            state.rounds().get(round as usize).is_some_and(|r| r.number == open.number)
        };
        state.byes().any(|bye| bye.player == player && of_open(bye.round))
    };
    match sits || has_bye() {
        true => last,
        false => last.saturating_sub(1),
    }
}

/// The player loses the match, whoever sits there besides wins.
fn forfeited(found: MatchView<'_>, player: PlayerNumber) -> Event {
    let ruling = |loses: bool| Some(if loses { Ruling::Loss } else { Ruling::Win });
    let rulings = found.seats().iter().map(|seat| ruling(seat.player == player)).collect();
    let how = How::Forfeit;
    let result = MatchResult { rulings, how, ..MatchResult::played(Score::default()) };
    ResultRecorded { pairing: found.seq(), result }.into()
}
