//! A player's own page: where they sit, what they report, what became of it. Nothing stands there that is not
//! out.

use super::called::{counted_in, counts_next, place_of, prepared_called, within};
use super::clock::{ClockShown, announcements};
use super::code::{Svg, code};
use super::entry::{is_for_phones, only_line, pad};
use super::frame::{Frame, Tab};
use super::missing::postponed_in_words;
use super::own_course::{self, OwnCourse, own_course};
use super::proved::Proved;
use super::standings::{View, told_through};
use super::why::both_places;
use super::{
    Looked, Person, assets, is_chess, render, round_called, ruled, rules_of, said_score, said_slip,
    set_apart,
};
use crate::holder::Holder;
use crate::house::{Waiting, Whereabouts};
use crate::language::Language;
use crate::live::is_out;
use crate::once::floor_key;
use askama::Template;
use scrutineer_desk::claims::{Claims, agree, claims_from, is_said_by};
use scrutineer_desk::desk::{match_of_player, open_round};
use scrutineer_desk::floor::Call;
use scrutineer_desk::orders::is_uncorrected;
use scrutineer_desk::reported::{SeenFrom, seen_from};
use scrutineer_desk::verb_error::VerbError;
use scrutineer_engine::book::Opened;
use scrutineer_engine::event::{DropReason, MatchResult, PlayerNumber, RoundNumber, Seq};
use scrutineer_engine::tournament::{Dispute, MatchView, Player, Round, Tournament};
use scrutineer_projections::bracket_rounds::bracket_places;
use scrutineer_replay::loaded::LoadedTournament;
use std::cmp::Ordering;

/// What became of what a player did last.
#[derive(Clone, Debug, Default)]
pub struct Said {
    /// What was done, by its word.
    pub done: Option<String>,
    /// The code of why it was not done.
    pub refused: Option<String>,
    /// The same in words, with what to do.
    pub why: Option<String>,
}

/// Whether a phone is told what happens while its page is closed.
pub struct Notices {
    /// The key of this house, with which browsers ask for an address.
    pub key: String,
    /// Whether this one is.
    pub is_told: bool,
}

#[derive(Template)]
#[template(path = "player_link.html")]
struct LinkPage<'a> {
    frame: Frame,
    secret: &'a str,
    name: String,
    /// Those whose device this is already.
    others: String,
    /// What the link is for, and what it means where somebody else reads it.
    about: String,
    not_you: String,
    query: String,
}

/// Asks whoever opens a link whether they are its player.
///
/// # Errors
/// Where the store cannot be read.
pub fn link_page(
    at: &Looked<'_>,
    secret: &str,
    player: PlayerNumber,
    others: &[PlayerNumber],
) -> Result<String, VerbError> {
    let event = at.load()?;
    let name = |player: &PlayerNumber| set_apart(event.name(*player));
    render(&LinkPage {
        frame: frame(at, &event, &format!("me/{secret}")),
        secret,
        name: name(&player),
        others: others.iter().map(name).collect::<Vec<_>>().join(", "),
        about: match reports_by_phone(&event.state) {
            true => at.language.t("me-bind-about"),
            false => at.language.t("me-bind-about-paper"),
        },
        not_you: at.language.t("me-not-you"),
        query: at.taking(""),
    })
}

/// Asks on the desk's laptop whether a phone is that of these players, as the laptop before it says: one of them could
/// have sent its address to somebody else.
///
/// # Errors
/// Where the store cannot be read.
pub fn led_page(
    at: &Looked<'_>,
    named: &str,
    player: PlayerNumber,
    all: &[PlayerNumber],
) -> Result<String, VerbError> {
    let event = at.load()?;
    let names: Vec<String> = all.iter().map(|one| set_apart(event.name(*one))).collect();
    render(&LinkPage {
        frame: frame(at, &event, &format!("me/{named}")),
        secret: named,
        name: names.join(&format!(" {} ", at.language.t("word-and"))),
        others: String::new(),
        about: at.language.t("me-led-about"),
        not_you: at.language.t("me-led-not-you"),
        query: at.taking(&format!("?player={player}")),
    })
}

#[derive(Template)]
#[template(path = "offline.html")]
struct OfflinePage<'a> {
    w: Language,
    /// The player's page.
    back: &'a str,
}

/// What a phone shows that has no network, and kept nothing.
///
/// # Errors
/// Where a template cannot be filled.
pub fn offline_page(back: &str, language: Language) -> Result<String, VerbError> {
    render(&OfflinePage { w: language, back })
}

/// The frame of a page that one player alone reads.
fn frame(at: &Looked<'_>, event: &LoadedTournament, path: &str) -> Frame {
    let mut frame = Frame::of(at, event, Tab::None, path);
    frame.scripts = ["keys.js"].map(assets::path).into();
    frame.styles.push(assets::path("floor.css"));
    frame.styles.push(assets::path("player.css"));
    frame
}

#[derive(Template)]
#[template(path = "player.html")]
struct PlayerPage {
    frame: Frame,
    /// Where its forms come back to.
    back: String,
    player: Person,
    /// The last round that is out, and whether the tournament is closed: what is sent of another is over.
    last: RoundNumber,
    is_closed: bool,
    /// Whether their name is that number.
    is_number: bool,
    /// Everybody whose link was opened on this device.
    others: Vec<Person>,
    lang: String,
    query: String,
    done: Option<String>,
    refused: Option<String>,
    announced: Vec<String>,
    notes: Vec<String>,
    seat: Option<Seat>,
    clock: Option<ClockShown>,
    extra: i32,
    can_claim: bool,
    choices: Vec<Choices>,
    /// What is typed where no button says it.
    numbers: Option<Numbers>,
    /// The open calls of a judge to their table, and those of theirs of earlier rounds.
    calls: Vec<OpenCall>,
    /// Whether they may call one to the table where they sit.
    can_call: bool,
    can_check_in: bool,
    /// Whether they may say that the match that is played is wrong: nobody has yet, or it is decided.
    can_dispute: bool,
    disputes: Vec<String>,
    penalties: Vec<String>,
    rounds: Vec<RoundShown>,
    /// The earlier matches that they may say are wrong: each round, its pairing, and what is chosen.
    earlier: Vec<(RoundNumber, Seq, String)>,
    /// Their places in their division and among all; empty where there is nothing to say.
    places: String,
    is_in: bool,
    /// Whether there is something to drop from, and whether they wish to.
    may_drop: bool,
    wishes: bool,
    has_receipt: bool,
    notices: Option<Notices>,
    /// The newest result that can be looked up: its round, and the address as a code.
    proof: Option<(String, Svg)>,
}

impl PlayerPage {
    /// Whether a button has a score, and does not only say who won.
    fn has_scores(&self) -> bool {
        self.choices.iter().any(|group| !group.legend.is_empty())
    }
}

/// Where a player sits in the round that is out.
struct Seat {
    round: String,
    number: RoundNumber,
    /// The match, by the seq of its pairing: what is sent of it is of no other.
    pairing: Seq,
    table: u32,
    /// `White` or `Black`; empty where the seats are alike.
    color: String,
    against: Vec<Person>,
    /// The result that stands, what they reported and what the other did, each in words; empty: nothing.
    result: String,
    own: String,
    theirs: String,
    /// What becomes of the reports.
    stands: String,
    /// Whether that is something to do about.
    is_bad: bool,
}

/// A call of a judge that is open.
struct OpenCall {
    words: String,
    /// Whether it is the one of theirs that they take back next.
    is_next: bool,
}

/// Scores that mean the same for a player.
struct Choices {
    /// What they mean; empty where a button says it.
    legend: String,
    scores: Vec<Score>,
}

struct Score {
    slip: &'static str,
    label: String,
    words: String,
}

struct RoundShown {
    number: RoundNumber,
    /// What it is called, and the same where that is no number alone.
    called: String,
    short: String,
    against: Vec<Person>,
    result: String,
    /// What they reported of it, where the desk has another result.
    reported: Option<String>,
    /// Where its record is looked up; none: records are not for everybody, or there is no result yet.
    proved: Option<Proved>,
}

/// A result in a player's words.
fn in_words(seen: &SeenFrom, own: u8, is_chess: bool, language: Language) -> String {
    let said = said_slip(&seen.slip, is_chess, language);
    // Who did not come follows from who won; chess calls it a forfeit.
    let is_of_one = !is_chess && !seen.both_lost && seen.outcome.is_some_and(Ordering::is_ne);
    let no_show = seen.slip.strip_suffix(" no-show").filter(|_| is_of_one);
    // Chess writes a result as White has it, for Black too.
    let is_black = is_chess && own == 1;
    let score = match &said[..] {
        "1–0" if is_black => "0–1".into(),
        "0–1" if is_black => "1–0".into(),
        "1–0" | "0–1" | "½–½" | "½–0" | "0–½" | "0–0" => said,
        // The signs of a forfeit say who won, which the words say already.
        "+/−" | "−/+" | "−/−" => language.t("me-by-forfeit"),
        _ => beside_who_won(no_show.unwrap_or(&seen.slip), language),
    };
    let key = match seen.outcome {
        Some(_) if seen.both_lost => "me-both-lost",
        Some(Ordering::Greater) if no_show.is_some() => "me-won-no-show",
        Some(Ordering::Less) if no_show.is_some() => "me-lost-no-show",
        Some(Ordering::Greater) => "me-won",
        Some(Ordering::Equal) => "me-drew",
        Some(Ordering::Less) => "me-lost",
        None => return score,
    };
    // A ruling alone leaves the place of the score empty.
    language.a(key, "score", score).replace("  ", " ").trim_end_matches([',', ' ']).to_string()
}

/// What a slip says beside who won, in a player's words; empty where that is all.
fn beside_who_won(slip: &str, language: Language) -> String {
    let said = |word: &str| match word {
        "void" => language.t("me-no-result"),
        "conceded" | "forfeit" | "no-show" => language.word("me-by", word),
        other => said_score(other, language),
    };
    let beside = slip.split(' ').filter(|word| ruled(word, language).is_none());
    beside.map(said).collect::<Vec<_>>().join(" ")
}

fn seat_of(found: MatchView<'_>, player: PlayerNumber) -> u8 {
    let at = found.seats().iter().position(|seat| seat.player == player);
    at.and_then(|at| u8::try_from(at).ok()).unwrap_or(0)
}

fn against(event: &LoadedTournament, found: MatchView<'_>, player: PlayerNumber) -> Vec<Person> {
    let others = found.seats().iter().filter(|seat| seat.player != player);
    others.map(|seat| Person::of(event, seat.player)).collect()
}

/// The two numbers of a slip that has one line.
struct Numbers {
    own: String,
    theirs: String,
    range: String,
}

/// The numbers that a slip of two asks its player for; none: it is another slip.
fn numbers(state: &Tournament, round: &Round, other: &str, language: Language) -> Option<Numbers> {
    let line = only_line(state.scoresheet(round)?)?;
    Some(Numbers {
        own: language.a("me-number-own", "line", &line.name),
        theirs: language.b("me-number-theirs", "line", &line.name, "name", other),
        range: language.b("me-number-range", "low", line.min, "high", line.max),
    })
}

/// Whether players report results on their phones in a tournament, as far as its slip says.
pub fn reports_by_phone(state: &Tournament) -> bool {
    let of_round = state.last_round().and_then(|round| state.scoresheet(round));
    let sheet = of_round.or(state.opened().map(|opened| &opened.scoresheet));
    sheet.is_none_or(is_for_phones)
}

/// The scores that a slip of two has, by what they mean for its player.
fn choices(event: &LoadedTournament, round: &Round, other: &str, at: &Looked<'_>) -> Vec<Choices> {
    let language = at.language;
    let in_bracket = event.state.phase_of(round).is_some_and(|phase| phase.kind.is_bracket());
    let keys = event.state.scoresheet(round).map_or(Vec::new(), |sheet| pad(sheet, !in_bracket));
    let legends = [
        (1, language.t("me-you-won")),
        (0, language.a("me-they-won", "name", other)),
        (2, language.t("me-draw")),
    ];
    let groups = legends.into_iter().map(|(column, legend)| {
        let own = keys.iter().filter(|key| key.digit % 3 == column);
        let score = |key: &super::entry::PadKey| {
            let label = match key.slip {
                "id" => language.t("me-agreed"),
                "w-l" | "l-w" | "d-d" => legend.clone(),
                slip => said_score(slip, language),
            };
            let words = if label == legend { label.clone() } else { format!("{legend}: {label}") };
            Score { slip: key.slip, label, words }
        };
        let scores: Vec<Score> = own.map(score).collect();
        let is_said = scores.iter().any(|one| one.label == legend);
        Choices { scores, legend: if is_said { String::new() } else { legend } }
    });
    groups.filter(|group| !group.scores.is_empty()).collect()
}

/// What a player's table has been told, as far as it is theirs to know.
fn seat(
    at: &Looked<'_>,
    event: &LoadedTournament,
    found: MatchView<'_>,
    player: PlayerNumber,
    claims: &Claims,
) -> Seat {
    let (language, own) = (at.language, seat_of(found, player));
    let is_chess = is_chess(event);
    let said = |result: &MatchResult| in_words(&seen_from(result, own), own, is_chess, language);
    let claim = |seat: u8| claims.get(&(found.seq(), seat)).map(|claim| claim.result.clone());
    let others = against(event, found, player);
    let name = others.first().map_or(String::new(), |one| set_apart(one.name.clone()));
    let is_two = found.seats().len() == 2;
    let (mine, theirs) = (claim(own), claim(1 - own.min(1)).filter(|_| is_two));
    let result = found.to_result();
    let of_match = |one: &&Dispute| !one.withdrawn && one.pairing == found.seq();
    let disputed = event.state.disputes().iter().rfind(of_match);
    let (stands, is_bad) = match (&result, &mine, &theirs) {
        // What the head judge decides, or has decided, calls for nothing more.
        (Some(_), ..) if disputed.is_some() => {
            let ruling = disputed.map_or("", |one| match one.ruled {
                None => "me-ruled-open",
                Some(_) if is_uncorrected(&event.state, one) => "me-ruled-uncorrected",
                Some(_) => "me-judge-decided",
            });
            (language.t(ruling), false)
        }
        (Some(_), ..) if decided_otherwise(&event.state, found, own, claims).is_some() => {
            (language.t("me-desk-decided"), true)
        }
        (Some(_), ..) => (String::new(), false),
        (None, Some(mine), Some(theirs)) if is_said_by(mine, theirs) => {
            (language.t("me-both-same"), false)
        }
        (None, Some(_), Some(_)) => (language.t("me-differ"), true),
        (None, Some(_), None) => (language.a("me-waits-for", "name", &name), false),
        (None, None, Some(_)) => (language.a("me-they-reported", "name", &name), false),
        (None, None, None) => (String::new(), false),
    };
    Seat {
        round: round_called(&event.state, found.round().number, language),
        number: found.round().number,
        pairing: found.seq(),
        table: found.table().unwrap_or(0),
        color: match is_chess && is_two {
            true => language.t(if own == 0 { "white" } else { "black" }),
            false => String::new(),
        },
        // What the other one says is told once their own report is in, or it would be no second word.
        theirs: match (&mine, &theirs, &result) {
            (Some(mine), Some(theirs), None) if !is_said_by(mine, theirs) => {
                language.b("me-they-say", "name", &name, "words", said(theirs))
            }
            _ => String::new(),
        },
        own: mine.as_ref().filter(|_| result.is_none() || is_bad).map_or(String::new(), said),
        result: result.as_ref().map_or(String::new(), said),
        against: others,
        stands,
        is_bad,
    }
}

/// What was reported from a seat of a match that has another result, where nobody disputes it.
fn decided_otherwise<'a>(
    state: &Tournament,
    found: MatchView<'_>,
    seat: u8,
    claims: &'a Claims,
) -> Option<&'a MatchResult> {
    let (mine, result) = (&claims.get(&(found.seq(), seat))?.result, found.to_result()?);
    let is_of_match = |one: &Dispute| !one.withdrawn && one.pairing == found.seq();
    let is_disputed = state.disputes().iter().any(is_of_match);
    (!is_said_by(mine, &result) && !is_disputed).then_some(mine)
}

/// The rounds of a player that are out, the newest first; one of them may stand above.
fn rounds(
    at: &Looked<'_>,
    event: &LoadedTournament,
    player: PlayerNumber,
    (last, above): (RoundNumber, Option<RoundNumber>),
    claims: &Claims,
) -> Result<Vec<RoundShown>, VerbError> {
    let (state, language) = (&event.state, at.language);
    let is_chess = is_chess(event);
    // Whether a match is over that has no result in a copy: its venue hides that.
    let is_copy = at.copied.is_some_and(|copied| copied.is_followed);
    let open = if is_copy && at.hides_results() { "state-hidden" } else { "word-open" };
    let out = state.rounds().iter().filter(|round| !round.withdrawn && round.number <= last);
    let mut shown = Vec::new();
    for round in out {
        let called = round_called(state, round.number, language);
        let short = match bracket_places(state, round.number) {
            Some(_) => called.clone(),
            None => round.number.to_string(),
        };
        if let Some(found) = match_of_player(state, round.number, player) {
            let own = seat_of(found, player);
            let seen = found.to_result().map(|result| seen_from(&result, own));
            let reported = decided_otherwise(state, found, own, claims)
                .filter(|_| above != Some(round.number))
                .map(|mine| in_words(&seen_from(mine, own), own, is_chess, language));
            let result = match seen {
                Some(seen) => in_words(&seen, own, is_chess, language),
                None => language.t(open),
            };
            shown.push(RoundShown {
                number: round.number,
                called,
                short,
                against: against(event, found, player),
                result,
                reported,
                proved: match at.has_public_records() {
                    true => Proved::of(at, found)?.filter(|one| {
                        // The page ends where results are hidden.
                        at.hidden.is_none_or(|public| one.seq <= public)
                    }),
                    false => None,
                },
            });
            continue;
        }
        let mut byes = state.byes().filter(|bye| {
            bye.player == player && state.rounds()[bye.round as usize].number == round.number
        });
        if let Some(bye) = byes.next() {
            let result = language.word("bye", bye.kind.word());
            let (number, against) = (round.number, Vec::new());
            let (reported, proved) = (None, None);
            shown.push(RoundShown { number, called, short, against, result, reported, proved });
        }
    }
    shown.reverse();
    Ok(shown)
}

/// Whether somebody disputes a match, and nobody has ruled.
fn is_disputed(state: &Tournament, pairing: u64) -> bool {
    let open = |one: &Dispute| !one.withdrawn && one.pairing == pairing && one.ruled.is_none();
    state.disputes().iter().any(open)
}

fn disputes(
    at: &Looked<'_>,
    event: &LoadedTournament,
    player: PlayerNumber,
    last: RoundNumber,
) -> Vec<String> {
    let language = at.language;
    let told = event.state.disputes().iter().filter(|one| !one.withdrawn).filter_map(|one| {
        let found = event.state.match_at(one.pairing)?;
        let number = found.round().number;
        if number > last || !found.seats().iter().any(|seat| seat.player == player) {
            return None;
        }
        let who = match one.by {
            Some(by) if by == player => "me-dispute-own",
            Some(_) => "me-dispute-theirs",
            None => "me-dispute-judges",
        };
        let by = one.by.map_or(String::new(), |by| set_apart(event.name(by)));
        let called = round_called(&event.state, number, language);
        let who = match who {
            "me-dispute-theirs" => language.b("me-dispute-theirs", "round", called, "name", by),
            "me-dispute-own" => language.a("me-dispute-own", "round", called),
            _ => language.a("me-dispute-judges", "round", called),
        };
        let ruled = language.t(match one.ruled {
            None => "me-ruled-open",
            Some((_, true)) if is_uncorrected(&event.state, one) => "me-ruled-uncorrected",
            Some((_, true)) => "me-ruled-upheld",
            Some((_, false)) => "me-ruled-rejected",
        });
        Some(format!("{who} {ruled}"))
    });
    told.collect()
}

/// The penalties of a player that stand. Why is said to them at their table.
fn penalties(at: &Looked<'_>, event: &LoadedTournament, player: PlayerNumber) -> Vec<String> {
    let (state, language) = (&event.state, at.language);
    let own = state.penalties().iter().filter(|one| one.player == player && !one.withdrawn);
    let told = own.map(|one| {
        let round = state.rounds().iter().rfind(|round| round.opened <= one.seq);
        let kind = language.word("penalty", one.kind.word());
        let given = round.map(|round| round.number);
        let waits = counts_next(state, one.seq);
        let counted = counted_in(state, one.seq).or(given.filter(|_| !waits));
        match (waits, counted, given) {
            (false, Some(counted), _) => {
                let called = round_called(state, counted, language);
                language.b("me-penalty", "round", called, "kind", kind)
            }
            (true, _, Some(given)) => {
                let given = round_called(state, given, language);
                language.b("me-penalty-waits", "round", given, "kind", kind)
            }
            (true, _, None) => language.a("me-penalty-first", "kind", kind),
            _ => language.a("me-penalty-before", "kind", kind),
        }
    });
    told.collect()
}

/// How a report stands that the desk has: without a result it is what one player says, and the other may say
/// something else.
fn reported_as(
    one: &Waiting,
    round: RoundNumber,
    state: &Tournament,
    claims: &Claims,
) -> &'static str {
    let Some(found) = match_of_player(state, round, one.player) else { return "me-away-recorded" };
    match agree(claims, found.seq()) {
        _ if found.result().is_some() => "me-away-recorded",
        Some(false) => "me-away-differs",
        Some(true) | None => "me-away-reported",
    }
}

/// A field of something that was sent from afar; empty: it has none of this name.
fn field_of<'a>(one: &'a Waiting, name: &str) -> &'a str {
    let found = one.fields.iter().find(|(known, _)| known == name);
    found.map_or("", |(_, text)| text)
}

/// Where something is that was sent to the desk from afar, and whether the desk has ended it since.
fn on_its_way(
    (one, is_ended): (&Waiting, bool),
    state: &Tournament,
    claims: &Claims,
    language: Language,
) -> String {
    let field = |name: &str| field_of(one, name);
    let round: RoundNumber = field("round").parse().unwrap_or_default();
    let what = match field("do") {
        "claim" => {
            let score = said_score(field("slip"), language);
            let called = round_called(state, round, language);
            language.b("me-away-claim", "round", called, "score", score)
        }
        "check-in" => language.t("me-away-check-in"),
        "call" => language.t("me-away-call"),
        "end-call" => language.t("me-call-back"),
        "dispute" => language.t("me-away-dispute"),
        "wish-drop" => language.t("me-away-drop"),
        _ => language.t("me-away-stay"),
    };
    let place = match one.is {
        Whereabouts::Sent => language.t("me-away-sent"),
        Whereabouts::AtTheDesk => language.t("me-away-at-the-desk"),
        Whereabouts::Recorded if field("do") == "claim" => {
            language.t(reported_as(one, round, state, claims))
        }
        Whereabouts::Recorded if is_ended => language.t("me-away-ended"),
        Whereabouts::Recorded => language.t("me-away-recorded"),
        Whereabouts::Refused => {
            let (code, message) = one.why();
            let said = code.and_then(|code| language.refusal(code));
            language.a("me-away-refused", "why", said.unwrap_or_else(|| message.to_owned()))
        }
    };
    format!("{what}: {place}")
}

/// What they sent last to a copy of whether they wish to drop, and whether they do by it; none: nothing of it stands.
fn wish_sent(sent: &[Waiting]) -> Option<(&Waiting, bool)> {
    let mut stands = sent.iter().filter(|one| one.is != Whereabouts::Refused);
    stands.find_map(|one| match field_of(one, "do") {
        "wish-drop" => Some((one, true)),
        "end-wish" => Some((one, false)),
        _ => None,
    })
}

/// What became of what they did last, in their words.
fn said(said: &Said, language: Language) -> (Option<String>, Option<String>) {
    const DONE: [(&str, &str); 9] = [
        ("sent", "me-done-sent"),
        ("claim", "me-done-claim"),
        ("recorded", "me-done-recorded"),
        ("check-in", "me-done-check-in"),
        ("call", "me-done-call"),
        ("end-call", "me-done-end-call"),
        ("dispute", "me-done-dispute"),
        ("wish-drop", "me-done-wish"),
        ("end-wish", "me-done-stay"),
    ];
    const REFUSED: [(&str, &str); 4] = [
        ("slow-down", "me-no-slow-down"),
        ("closed", "me-no-closed"),
        ("too-busy", "me-no-busy"),
        ("not-allowed", "me-no-link"),
    ];
    let of = |list: &[(&str, &str)], word: &Option<String>| {
        let found = list.iter().find(|(known, _)| Some(*known) == word.as_deref());
        found.map(|(_, key)| language.t(key))
    };
    let refused = of(&REFUSED, &said.refused);
    let refused = refused.or_else(|| said.refused.as_ref().and(said.why.clone()));
    (of(&DONE, &said.done), refused)
}

/// Whether somebody is called to this table of this round.
fn is_call_to(call: &Call, state: &Tournament, place: Option<(RoundNumber, u32)>) -> bool {
    place.is_some() && call.round.zip(call.at_table(state)) == place
}

/// The open calls to a player's table, and those of theirs of whichever round, the oldest first.
fn calls(
    at: &Looked<'_>,
    state: &Tournament,
    player: PlayerNumber,
    here: Option<(RoundNumber, u32)>,
) -> Vec<OpenCall> {
    let w = at.language;
    let next = at.floor.open_calls().find(|call| call.is_by(player)).map(|call| call.call);
    let is_told = |call: &&Call| call.is_by(player) || is_call_to(call, state, here);
    let shown = |call: &Call| {
        let said = w.t(if call.is_taken { "me-call-taken" } else { "me-called" });
        let words = match call.round.filter(|_| !is_call_to(call, state, here)) {
            Some(round) => {
                w.b("me-call-earlier", "round", round_called(state, round, w), "call", said)
            }
            None => said,
        };
        OpenCall { words, is_next: next == Some(call.call) }
    };
    at.floor.open_calls().filter(is_told).map(shown).collect()
}

/// A player's places by the standings that are out; empty where there is no result yet, or nothing to say.
fn places(
    at: &Looked<'_>,
    event: &LoadedTournament,
    player: PlayerNumber,
    last: RoundNumber,
    course: OwnCourse<'_>,
) -> Result<String, VerbError> {
    let (state, w) = (&event.state, at.language);
    if at.pairings.is_some() || last == 0 || at.hidden == Some(0) {
        return Ok(String::new());
    }
    let plays_on = !state.is_closed() && !course.is_over();
    // A bye that is only drafted is nobody's to see: it is as it stood before the draft.
    let draft = state.last_round().filter(|round| round.number > last);
    let before_draft = draft.map(|round| (round.opened - 1).to_string());
    // A bye of a round that has no result yet says nothing of who stands where.
    let is_begun =
        state.matches().any(|found| found.round().number == last && found.result().is_some());
    let is_of_before = plays_on && !is_begun;
    let last = if is_of_before { last - 1 } else { last };
    if last == 0 {
        return Ok(String::new());
    }
    // Where results are hidden it is the place that was told last, and says of when.
    let view = View { is_public: true, ..View::default() };
    let view = match at.hidden {
        Some(public) => View { as_of: Some(public.to_string()), ..view },
        // Otherwise it is that of the standings that everybody reads, by which the cut was made.
        None => View { as_of: before_draft, out: is_of_before.then_some(last), ..view },
    };
    let asked = match view.asked(at) {
        // Who plays on has a page, also where rules cannot count what a file says.
        Err(_) if plays_on => return Ok(String::new()),
        asked => asked?,
    };
    if !asked.event.state.matches().any(|found| found.result().is_some()) {
        return Ok(String::new());
    }
    let both = both_places(state, &asked.standings, player, w);
    let all = asked.standings.everybody();
    let place = match place_of(all, player, w).filter(|_| both.is_empty()) {
        Some(place) if state.is_closed() => {
            w.b("me-final-place", "place", place, "players", all.len())
        }
        Some(place) => w.b("me-place", "place", place, "players", all.len()),
        None => both,
    };
    let (known, through) = (&asked.event.state, asked.standings.through);
    // No other match takes the first place from who won all of a bracket.
    let later = match course {
        OwnCourse::Won { is_all: true, .. } => String::new(),
        _ => postponed_in_words(known, through, w),
    };
    let told = match at.hidden {
        _ if place.is_empty() => return Ok(place),
        None if later.is_empty() && !plays_on || state.is_closed() => place,
        None if !later.is_empty() && !is_of_before => w.a("me-place-now", "place", place),
        _ => w.b("me-place-then", "place", place, "when", told_through(known, through, w)),
    };
    Ok(if later.is_empty() { told } else { format!("{told}. {later}") })
}

/// The page of a player.
///
/// # Errors
/// Where the store cannot be read.
pub fn page(
    at: &Looked<'_>,
    holder: &Holder,
    last_done: &Said,
    sent: &[Waiting],
    notices: Option<Notices>,
) -> Result<String, VerbError> {
    // A copy has pairings that are out from its venue, though not yet the log in which they stand.
    let loaded;
    let event = match &at.pairings {
        Some(pairings) => pairings,
        None => {
            loaded = at.load()?;
            &loaded
        }
    };
    let (state, language, player) = (&event.state, at.language, holder.player);
    // Whoever of the staff plays too sees no draft here either.
    let out = |round: &Round| round.number - RoundNumber::from(!is_out(state, round));
    let last = state.last_round().map_or(0, out);
    let round = state.round(last).filter(|round| is_out(state, round));
    let known = state.player(player);
    let dropped = known.and_then(|known| known.dropped());
    // What another program runs goes on where its file is followed.
    let is_live = state.imported().is_none() || at.other_program.is_some();
    let course = match last > 0 && dropped.is_none() && is_live {
        true => {
            let public = at.public_head.map_or(Seq::MAX, |head| head.seq);
            own_course(state, &rules_of(event, None)?, player, last, public)
        }
        false => OwnCourse::Plays,
    };
    // Whom a cut left out has no table any more, though that of the round before is the last one that is out.
    let found = round.filter(|_| !course.is_cut());
    let found = found.and_then(|round| match_of_player(state, round.number, player));
    // A report of the round before may come late; those before it are read over and over for nobody.
    let before = (1..last).rev().find_map(|number| match_of_player(state, number, player));
    let claims = match before.or(found).or_else(|| match_of_player(state, last, player)) {
        Some(first) => claims_from(at.store, at.stream, first.round().opened, state.head())?,
        None => Claims::new(),
    };
    let is_in = dropped.is_none() && !state.is_closed() && is_live;
    let prepared = state.last_round().filter(|round| round.number > last);
    // Of reports of one match the last one counts; what was sent last stands first.
    let reported = |one: &Waiting| {
        let field = |name: &str| one.fields.iter().find(|(known, _)| known == name).cloned();
        field("do").filter(|(_, what)| what == "claim").and_then(|_| field("round"))
    };
    let is_last = |(at, one): &(usize, &Waiting)| {
        let round = reported(one);
        round.is_none() || sent[..*at].iter().all(|later| reported(later) != round)
    };
    // As soon as a copy has from its venue what was done of a wish, the floor says how it stands: the desk ends it too.
    let on_floor = at.floor.wishes().any(|(one, _)| one == player);
    let is_told = |one: &Waiting| {
        let key = floor_key(&holder.principal(), holder.stream, &one.id);
        at.floor.done_under(&key).is_some()
    };
    let told = wish_sent(sent).filter(|(one, _)| is_told(one));
    let wishes = match wish_sent(sent) {
        Some((_, wishes)) if told.is_none() => wishes,
        _ => on_floor,
    };
    let ended = told.filter(|(_, wished)| *wished && !on_floor && dropped.is_none());
    let is_ended = |one: &Waiting| ended.is_some_and(|(ended, _)| ended.id == one.id);
    let shown = sent.iter().enumerate().filter(is_last).map(|(_, one)| one);
    let mut notes: Vec<String> =
        shown.map(|one| on_its_way((one, is_ended(one)), state, &claims, language)).collect();
    let is_forgotten =
        |one: &Player| matches!(event.book.text(&one.name), Opened::Erased | Opened::Missing);
    if known.is_some_and(is_forgotten) {
        let plays_on = is_in && !course.is_over();
        let key = if plays_on { "me-forgotten" } else { "me-forgotten-out" };
        notes.push(language.a(key, "player", player));
    }
    match dropped {
        Some((DropReason::Disqualified, _)) => notes.push(language.t("me-is-disqualified")),
        Some(_) if found.is_some_and(|found| found.result().is_none()) => {
            notes.push(language.t("me-is-out-after"));
        }
        Some(_) => notes.push(language.t("me-is-out")),
        None => {}
    }
    let later: Vec<MatchView<'_>> = (1..=last)
        .filter(|_| is_in)
        .filter_map(|number| match_of_player(state, number, player))
        .filter(|found| found.is_postponed())
        .collect();
    // Who lost it may still be said to have won.
    let last_own = (1..=last).rev().find_map(|number| match_of_player(state, number, player));
    let is_contested = last_own.is_some_and(|own| is_disputed(state, own.seq()));
    let in_words = || match course {
        OwnCourse::Out(round) if is_contested => {
            let round = within(&round_called(state, round, language), language);
            Some(language.a("me-out-disputed", "round", round))
        }
        _ => {
            let later = later.len() + usize::from(is_contested);
            own_course::in_words(at, event, course, found.is_some(), later)
        }
    };
    if state.is_closed() {
        notes.push(language.t("me-is-over"));
        notes.extend(in_words().filter(|_| matches!(course, OwnCourse::Won { .. })));
    } else if is_in && course.is_over() {
        notes.extend(in_words());
    } else if prepared.is_some() {
        let number = prepared.map_or(0, |round| round.number);
        notes.push(language.a("round-prepared", "round", prepared_called(state, number, language)));
    } else if last == 0 && is_in {
        let here = known.is_some_and(|known| known.checked_in);
        notes.push(language.t(if here { "me-is-here" } else { "me-sign-up" }));
    } else if is_in {
        notes.extend(in_words());
    }
    notes.extend(later.iter().map(|found| {
        let others = against(event, *found, player).into_iter();
        let names: Vec<String> = others.map(|other| set_apart(other.name)).collect();
        let round = round_called(state, found.round().number, language);
        language.b("me-later", "round", round, "names", names.join(", "))
    }));
    let to_come = state.byes_to_come().filter(|(_, bye)| bye.player == player);
    notes.extend(to_come.map(|(_, bye)| {
        let kind = language.word("bye", bye.kind.word());
        language.b("me-bye-to-come", "round", bye.round, "kind", kind)
    }));
    let open = open_round(state).filter(|open| round.is_some_and(|one| one.number == open.number));
    let seat = found.map(|found| seat(at, event, found, player, &claims));
    let other = seat.as_ref().and_then(|seat| seat.against.first());
    let other = other.map_or(String::new(), |one| set_apart(one.name.clone()));
    let is_two = found.is_some_and(|found| found.seats().len() == 2);
    let table = found.and_then(|found| found.table());
    let here = table.map(|table| (last, table));
    let can_call = found.is_some()
        && !state.is_closed()
        && !at.floor.open_calls().any(|call| is_call_to(call, state, here));
    let (done, refused) = said(last_done, language);
    let mut frame = frame(at, event, "me");
    frame.view = format!("?player={player}");
    frame.signer = holder.signer();
    frame.is_mine = true;
    frame.scripts.extend(["clock.js", "player.js"].map(assets::path));
    let above = found.map(|found| found.round().number);
    let rounds = rounds(at, event, player, (last, above), &claims)?;
    let earlier = rounds.iter().filter_map(|one| {
        let pairing = match_of_player(state, one.number, player)?.seq();
        let is_above = seat.as_ref().is_some_and(|seat| seat.number == one.number);
        if one.against.is_empty() || is_above || is_disputed(state, pairing) {
            return None;
        }
        let names: Vec<String> =
            one.against.iter().map(|other| set_apart(other.name.clone())).collect();
        let words = format!("{}: {}, {}", one.called, names.join(", "), one.result);
        Some((one.number, pairing, words))
    });
    let earlier: Vec<(RoundNumber, Seq, String)> = earlier.collect();
    render(&PlayerPage {
        back: format!("{}{}", frame.back, at.taking(&frame.view)),
        frame,
        lang: if at.is_chosen { format!("&lang={}", language.tag()) } else { String::new() },
        query: at.taking(""),
        player: Person::of(event, player),
        last,
        is_closed: state.is_closed(),
        is_number: event.name(player) == language.a("player-number", "player", player),
        others: holder.all.iter().map(|one| Person::of(event, *one)).collect(),
        done,
        refused,
        announced: announcements(event, &at.floor, language)
            .into_iter()
            .map(|(_, text)| text)
            .collect(),
        notes,
        clock: open.and_then(|open| ClockShown::of(&at.floor, open.number, crate::floor::now())),
        extra: table.map_or(0, |table| at.floor.extension(last, table)),
        can_claim: seat.is_some() && is_two && !state.is_closed(),
        choices: match round.filter(|_| is_two) {
            Some(round) => choices(event, round, &other, at),
            None => Vec::new(),
        },
        numbers: round.filter(|_| is_two).and_then(|one| numbers(state, one, &other, language)),
        seat,
        calls: calls(at, state, player, here),
        can_call,
        can_check_in: last == 0
            && prepared.is_none()
            && is_in
            && known.is_some_and(|known| !known.checked_in),
        can_dispute: found.is_some_and(|found| !is_disputed(state, found.seq())),
        disputes: disputes(at, event, player, last),
        penalties: penalties(at, event, player),
        proof: rounds
            .iter()
            .find_map(|one| Some((one.called.clone(), code(&one.proved.as_ref()?.address(at))?))),
        rounds,
        earlier,
        places: places(at, event, player, last, course)?,
        may_drop: is_in && (!course.is_over() || !later.is_empty()),
        wishes,
        is_in,
        has_receipt: last > 0,
        notices: notices.filter(|_| !state.is_closed()),
    })
}

#[cfg(test)]
mod tests {
    use super::super::kit::{Hall, escaped, hall};
    use super::*;
    use scrutineer_desk::floor::{Change, Entry, Floor};
    use scrutineer_desk::orders::{Penalty, Takes};
    use std::sync::Arc;

    fn own(hall: &Hall, at: &Looked<'_>, player: PlayerNumber) -> String {
        let holder = Holder { stream: hall.stream, player, all: vec![player] };
        page(at, &holder, &Said::default(), &[], None).expect("a page")
    }

    #[test]
    fn a_dispute_about_an_earlier_round_is_opened_on_ones_own_page() {
        let hall = hall();
        let first = |html: &str| html.contains("Dispute an earlier match");
        assert!(
            !first(&own(&hall, &hall.looked(), 1)),
            "the match that is played has its own form"
        );
        hall.play_on();
        let html = own(&hall, &hall.looked(), 1);
        let state = hall.store.load(hall.stream, false).expect("loaded").state;
        let [pairing, now] = [1, 2]
            .map(|round| match_of_player(&state, round, 1).expect("a match of each round").seq());
        let option = format!("<option value=\"1-{pairing}\">Round 1: ");
        assert!(first(&html) && html.contains(&option), "{html}");
        assert!(!html.contains("<option value=\"2-"), "{html}");
        // What is sent of the match that is played names it too: a report, and a dispute.
        let field = format!("<input type=\"hidden\" name=\"pairing\" value=\"{now}\">");
        assert_eq!(html.matches(&field).count(), 2, "{html}");
    }

    /// Who reported a draw read twice in German that nobody had won.
    #[test]
    fn how_a_game_of_chess_ended_is_said_once_on_a_phone_and_a_draw_is_called_one() {
        let hall = super::super::kit::of_chess();
        hall.order(scrutineer_desk::orders::Publish {});
        let mut looked = hall.looked();
        looked.language = Language::German;
        let html = own(&hall, &looked, 1);
        assert!(html.contains(">Unentschieden</button>"), "{html}");
        assert!(html.contains("<fieldset class=\"scores\"><div>"), "{html}");
        assert!(!html.contains("Niemand") && !html.contains("<legend>Du hast"), "{html}");
    }

    #[test]
    fn who_wins_with_black_reads_the_result_as_chess_writes_it() {
        let hall = super::super::kit::of_chess();
        hall.order(scrutineer_desk::orders::Publish {});
        let state = hall.store.load(hall.stream, false).expect("loaded").state;
        let black = state.at_table(1, 1).expect("a table").seats()[1].player;
        hall.slip("1 0-1");
        let html = own(&hall, &hall.looked(), black);
        assert!(html.contains("you won 0–1") && !html.contains("you won 1–0"), "{html}");
    }

    /// Their page alone did not say which color somebody has; it read "du hast −/+ verloren", and bade them put
    /// their games first where a button has none.
    #[test]
    fn a_player_of_chess_reads_their_color_and_a_forfeit_in_words() {
        let hall = super::super::kit::of_chess();
        hall.order(scrutineer_desk::orders::Publish {});
        let state = hall.store.load(hall.stream, false).expect("loaded").state;
        let seats = state.at_table(1, 1).expect("a table").seats();
        let [white, black] = [0, 1].map(|seat| seats[seat].player);
        let mut looked = hall.looked();
        assert!(own(&hall, &looked, black).contains("<b>Black</b> against <bdi>"));
        looked.language = Language::German;
        let html = own(&hall, &looked, white);
        assert!(html.contains("<b>Weiß</b> gegen <bdi>"), "{html}");
        assert!(html.contains("Es gilt, wenn ihr") && !html.contains("Spiele zuerst"), "{html}");
        hall.slip("1 w-l forfeit");
        assert!(own(&hall, &looked, white).contains("du hast kampflos gewonnen"));
        assert!(own(&hall, &looked, black).contains("du hast kampflos verloren"));
        let games = super::super::kit::hall();
        let html = own(&games, &games.looked(), 1);
        assert!(html.contains("Your own games first. It counts when"), "{html}");
        assert!(html.contains("<p class=\"vs\">against "), "its seats are alike: {html}");
    }

    /// Their page said "you lost void", and in German "du hast verlegt verloren" and "du hast niemand gewinnt
    /// verloren".
    #[test]
    fn nobody_reads_that_they_alone_lost_a_match_that_nobody_won() {
        let hall = hall();
        let state = hall.store.load(hall.stream, false).expect("loaded").state;
        let player = state.at_table(1, 2).expect("a table").seats()[1].player;
        let mut looked = hall.looked();
        let told = [
            ("2 void", "void", "ohne Ergebnis"),
            ("2 postponed", "postponed", "verlegt"),
            ("2 l-l", "both lost", "beide haben verloren"),
            ("2 --", "both lost by forfeit", "beide haben kampflos verloren"),
            ("2 d-d", "a draw", "unentschieden"),
            ("2 w-l", "you lost", "du hast verloren"),
            (
                "2 w-l no-show",
                "you lost by no-show",
                "du hast verloren, weil du nicht erschienen bist",
            ),
            (
                "2 l-w no-show",
                "you won by no-show",
                "du hast gewonnen, weil die andere Seite nicht erschien",
            ),
            ("2 l-l no-show", "both lost by no-show", "beide haben durch Nichterscheinen verloren"),
            ("2 0-2 conceded", "you won 2–0 by concession", "du hast 2–0 durch Aufgabe gewonnen"),
        ];
        for (slip, english, german) in told {
            hall.correct(slip);
            for (language, words) in [(Language::English, english), (Language::German, german)] {
                looked.language = language;
                let html = own(&hall, &looked, player);
                assert!(html.contains(&format!("</b> {words}</p>")), "{slip}: {html}");
            }
        }
    }

    #[test]
    fn whoever_was_forgotten_plays_on_only_as_long_as_they_do() {
        let hall = hall();
        let state = hall.store.load(hall.stream, false).expect("loaded").state;
        let name = state.player(1).expect("a player").name.number;
        hall.store.books().forget(hall.stream, &[name]).expect("forgotten");
        let plays_on = || {
            let html = own(&hall, &hall.looked(), 1);
            ["You play on as number 1.", "You were number 1."].map(|words| html.contains(words))
        };
        assert_eq!(plays_on(), [true, false]);
        hall.order(scrutineer_desk::orders::Drop { player: "#1".into(), no_show: false });
        assert_eq!(plays_on(), [false, true]);
    }

    /// Below the table of the next round stood a code that did not say of which round it was.
    #[test]
    fn the_code_of_a_result_says_of_which_round_it_is() {
        let hall = hall();
        let state = hall.store.load(hall.stream, false).expect("loaded").state;
        let player = state.at_table(1, 2).expect("a table").seats()[0].player;
        hall.play_on();
        let html = own(&hall, &hall.looked(), player);
        assert!(html.contains("<p>Round 1: whoever scans the code sees"), "{html}");
    }

    fn sent(what: &[(&str, &str)], is: Whereabouts) -> Waiting {
        let fields = what.iter().map(|(name, text)| (name.to_string(), text.to_string()));
        Waiting { fields: fields.collect(), is, ..Waiting::default() }
    }

    /// The page said that a wish can be taken back until then, and had no button for it: a copy knows of wishes by
    /// what was sent to it alone.
    #[test]
    fn who_wished_to_drop_on_a_copy_takes_it_back_there() {
        let hall = hall();
        let holder = Holder { stream: hall.stream, player: 1, all: vec![1] };
        let offers = |sent: &[Waiting]| {
            let html = page(&hall.looked(), &holder, &Said::default(), sent, None).expect("a page");
            ["wish-drop", "end-wish"].map(|act| html.contains(&format!("value=\"{act}\"")))
        };
        let one = |what, is| sent(&[("do", what)], is);
        let (drop, stay) =
            (one("wish-drop", Whereabouts::AtTheDesk), one("end-wish", Whereabouts::Sent));
        assert_eq!(offers(&[]), [true, false]);
        assert_eq!(offers(std::slice::from_ref(&drop)), [false, true]);
        assert_eq!(offers(&[stay, drop]), [true, false], "the newest stands first");
        assert_eq!(offers(&[one("wish-drop", Whereabouts::Refused)]), [true, false]);
    }

    /// The desk let them stay, and their page at a copy went on saying that they wish to drop.
    #[test]
    fn a_wish_that_the_desk_ended_is_told_as_ended_on_a_copy_and_may_be_sent_again() {
        let hall = hall();
        let holder = Holder { stream: hall.stream, player: 1, all: vec![1] };
        let wish = sent(&[("do", "wish-drop")], Whereabouts::Recorded);
        let wish = [Waiting { id: "w".into(), ..wish }];
        let key = Some(floor_key(&holder.principal(), hall.stream, "w"));
        let wished = Entry { at: 1, by: None, key, change: Change::WishDrop { player: 1 } };
        let stays = Entry { at: 2, by: None, key: None, change: Change::EndWish { player: 1 } };
        let mut looked = hall.looked();
        let mut told = |floor: Vec<Entry>| {
            looked.floor = Arc::new(Floor::of(floor));
            let html = page(&looked, &holder, &Said::default(), &wish, None).expect("a page");
            let says = ["Your wish to drop: ended by the desk", "value=\"end-wish\""];
            says.map(|words| html.contains(words))
        };
        assert_eq!(told(Vec::new()), [false, true], "its venue has not said yet how it stands");
        assert_eq!(told(vec![wished.clone()]), [false, true]);
        assert_eq!(told(vec![wished.clone(), stays]), [true, false]);
        hall.order(scrutineer_desk::orders::Drop { player: "#1".into(), no_show: false });
        assert_eq!(told(vec![wished]), [false, false], "it was granted: they are out");
    }

    /// Of two reports that were sent of one match the page told where the older one was.
    #[test]
    fn of_what_was_sent_of_one_match_the_last_report_is_told() {
        let hall = hall();
        let holder = Holder { stream: hall.stream, player: 1, all: vec![1] };
        let one = |slip, is| sent(&[("do", "claim"), ("round", "1"), ("slip", slip)], is);
        let all = [one("2-1", Whereabouts::Sent), one("2-0", Whereabouts::AtTheDesk)];
        let html = page(&hall.looked(), &holder, &Said::default(), &all, None).expect("a page");
        assert!(html.contains("2–1: sent; the desk has not fetched it yet"), "{html}");
        assert!(!html.contains("2–0: at the desk"), "{html}");
    }

    /// A second form stood beside a dispute that was open already, and whoever used it was refused.
    #[test]
    fn a_match_that_is_disputed_has_no_second_form_until_it_is_ruled() {
        use scrutineer_desk::orders::Rule;
        let hall = hall();
        hall.dispute(2);
        let state = || hall.store.load(hall.stream, false).expect("loaded").state;
        let player = state().at_table(1, 2).expect("a table").seats()[0].player;
        let form = |html: &str| html.matches("name=\"do\" value=\"dispute\"").count();
        let html = own(&hall, &hall.looked(), player);
        assert_eq!(form(&html), 0, "{html}");
        let elsewhere = state().at_table(1, 1).expect("a table").seats()[0].player;
        assert_eq!(form(&own(&hall, &hall.looked(), elsewhere)), 1, "theirs is another match");
        hall.play_on();
        let html = own(&hall, &hall.looked(), player);
        assert_eq!(form(&html), 1, "the match that is played has a form: {html}");
        assert!(!html.contains("Dispute an earlier match"), "{html}");
        let rule =
            Rule { dispute: 1, upheld: Some(false), score: None, reason: "seen by a judge".into() };
        hall.order(rule);
        let html = own(&hall, &hall.looked(), player);
        assert!(html.contains("<option value=\"1-"), "{html}");
    }

    /// Behind the cut no round is open, and the word that results are hidden went from players' own pages alone.
    #[test]
    fn behind_a_cut_that_nobody_knows_of_results_are_hidden_still() {
        use scrutineer_desk::orders::{Cut, Pair, Publish};
        let hall = super::super::kit::planned(&["swiss:1", "single-elimination:4"]);
        hall.order(Pair::default());
        hall.order(Publish {});
        let mut looked = hall.looked();
        looked.role = crate::gate::Role::Public;
        let public = hall.store.log().head(hall.stream).expect("a head");
        (looked.hidden, looked.public_head) = (Some(public.seq), Some(public));
        hall.all_in();
        hall.order(Cut::default());
        let is_told = || {
            let html = own(&hall, &looked, 1);
            let head = html.split("</header>").next().unwrap_or_default();
            let told = ["Round 1", "results are hidden until they are announced"];
            assert!(told.iter().all(|words| head.contains(words)), "{head}");
            assert!(!head.contains("Semi"), "{head}");
        };
        is_told();
        // Nor does a draft behind it stand there.
        hall.order(Pair::default());
        is_told();
    }

    /// Nobody comes to a table of a tournament that is over; what was wrong there is disputed still.
    #[test]
    fn a_closed_tournament_has_no_judge_to_call() {
        use scrutineer_desk::orders::Close;
        let hall = hall();
        hall.all_in();
        let offers = || {
            let html = own(&hall, &hall.looked(), 1);
            ["call", "dispute"].map(|act| html.contains(&format!("name=\"do\" value=\"{act}\"")))
        };
        assert_eq!(offers(), [true, true]);
        hall.order(Close::default());
        assert_eq!(offers(), [false, true]);
    }

    #[test]
    fn whoever_called_a_judge_takes_the_call_back_and_nobody_elses() {
        let hall = hall();
        let event = hall.store.load(hall.stream, true).expect("loaded");
        let found = event.state.at_table(1, 1).expect("a table");
        let [one, other] = [0, 1].map(|seat| found.seats()[seat].player);
        let change = Change::Call { table: Some(1), what: None, round: Some(1) };
        let by = Some(format!("player {one}"));
        let mut looked = hall.looked();
        looked.floor = Arc::new(Floor::of([Entry { at: 1, by, key: None, change }]));
        assert!(own(&hall, &looked, one).contains("value=\"end-call\""));
        let html = own(&hall, &looked, other);
        assert!(html.contains("A judge is called") && !html.contains("end-call"), "{html}");
        let floor = super::super::floor::page(&looked, &Default::default()).expect("a page");
        let name = escaped(&event.name(one));
        assert!(floor.contains(&format!("called by {name}")), "{floor}");
        assert!(floor.contains("/disputes\"") && floor.contains("/desk\""), "the tabs lead on");
        let log = super::super::log::page(&looked, &Default::default()).expect("a page");
        assert!(log.contains("1<span class=\"sr\"> call<"), "every page says that it waits: {log}");
    }

    /// The caller's page had a fresh form alone, while the desk and the floor still listed the call of the round before.
    #[test]
    fn a_call_of_an_earlier_round_stays_on_its_callers_page_and_is_taken_back_there() {
        let hall = hall();
        let event = hall.store.load(hall.stream, true).expect("loaded");
        let found = event.state.at_table(1, 1).expect("a table");
        let [one, other] = [0, 1].map(|seat| found.seats()[seat].player);
        let call = |table, round| {
            let change = Change::Call { table: Some(table), what: None, round: Some(round) };
            Entry { at: 1, by: Some(format!("player {one}")), key: None, change }
        };
        hall.play_on();
        let mut looked = hall.looked();
        looked.floor = Arc::new(Floor::of([call(1, 1)]));
        let acts = |html: &str| {
            ["end-call", "call"].map(|act| html.matches(&format!("value=\"{act}\"")).count())
        };
        let html = own(&hall, &looked, one);
        assert!(html.contains("Round 1, still open: A judge is called to your table."), "{html}");
        assert_eq!(acts(&html), [1, 1], "a judge can be called to the table of now too");
        let html = own(&hall, &looked, other);
        assert!(!html.contains("still open") && acts(&html) == [0, 1], "{html}");
        looked.language = Language::German;
        let html = own(&hall, &looked, one);
        assert!(html.contains("Runde 1, noch offen: An deinen Tisch ist jemand gerufen."));
        let state = hall.store.load(hall.stream, false).expect("loaded").state;
        let now = match_of_player(&state, 2, one).and_then(|found| found.table());
        looked.floor = Arc::new(Floor::of([call(1, 1), call(now.expect("a table"), 2)]));
        let html = own(&hall, &looked, one);
        assert_eq!(acts(&html), [1, 0], "the older one is taken back first: {html}");
    }

    /// Without divisions no place was told before the closing.
    #[test]
    fn who_plays_on_reads_their_place_and_after_which_round_also_without_divisions() {
        let hall = hall();
        let told = |looked: &Looked<'_>, words: &str| {
            let html = own(&hall, looked, 1);
            assert!(html.contains(words), "{words}: {html}");
        };
        told(&hall.looked(), " of 6, in round 1<");
        hall.slip("1 2-0");
        hall.slip("3 2-0");
        let public = hall.store.load(hall.stream, false).expect("loaded").state.head();
        hall.play_on();
        let mut looked = hall.looked();
        told(&looked, " of 6, after round 1<");
        hall.all_in();
        told(&looked, " of 6, after round 2<");
        looked.policy.hidden_from = Some(2);
        looked.hidden = Some(public);
        told(&looked, " of 6, after round 1<");
        looked.language = Language::German;
        told(&looked, " von 6, nach Runde 1<");
    }

    /// The floor and the desk sent a judge to the table where the match had been, and whoever called lost sight of it.
    #[test]
    fn a_players_call_follows_their_match_to_the_table_where_it_is_by_now() {
        let hall = hall();
        let event = hall.store.load(hall.stream, true).expect("loaded");
        let found = event.state.at_table(1, 1).expect("a table");
        let players = [0, 1].map(|seat| found.seats()[seat].player);
        let change = Change::Call { table: Some(1), what: None, round: Some(1) };
        let by = Some(format!("player {}", players[0]));
        let mut looked = hall.looked();
        looked.floor = Arc::new(Floor::of([Entry { at: 1, by, key: None, change }]));
        hall.order(scrutineer_desk::orders::SetPairing {
            players: players.map(|player| format!("#{player}")).to_vec(),
            table: Some(12),
            reason: "stairs".into(),
        });
        assert!(own(&hall, &looked, players[0]).contains("value=\"end-call\""));
        assert!(own(&hall, &looked, players[1]).contains("A judge is called"));
        let desk = super::super::desk::page(&looked).expect("a page");
        assert!(desk.contains("Table 12 calls a judge"), "{desk}");
        let state = hall.store.load(hall.stream, false).expect("loaded").state;
        let told = crate::floor::whole(&looked.floor, &state, 1);
        assert_eq!(told["calls"][0]["table"], 12, "{told}");
    }

    #[test]
    fn a_game_loss_is_told_by_the_match_in_which_it_counts() {
        let hall = hall();
        let event = hall.store.load(hall.stream, true).expect("loaded");
        let player = event.state.at_table(1, 2).expect("a table").seats()[0].player;
        let (takes, reason) = (Some(Takes::GameLoss), "late".to_string());
        let penalty = Penalty { player: format!("#{player}"), takes, reason, ..Penalty::default() };
        hall.order(penalty);
        let waits = "Round 1, given: game loss; it counts in your next match";
        let html = own(&hall, &hall.looked(), player);
        assert!(html.contains(waits), "{html}");
        hall.play_on();
        let sheet = super::super::floor::page(&hall.looked(), &Default::default()).expect("a page");
        assert!(sheet.contains("game loss, given in round 1, counts in this match"), "{sheet}");
        hall.slip(&format!("#{player} 2-1"));
        hall.play_on();
        let html = own(&hall, &hall.looked(), player);
        assert!(html.contains("Round 2: game loss") && !html.contains(waits), "{html}");
        let sheet = super::super::floor::page(&hall.looked(), &Default::default()).expect("a page");
        assert!(sheet.contains("game loss in round 2"), "{sheet}");
    }
}
