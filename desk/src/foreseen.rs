//! What would be, in words and for programs.

use crate::answers::{CommandTried, WhatIfAnswer};
use crate::movement::{because, moved};
use crate::names::Names;
use crate::table::{Align, Aligned};
use crate::what_if::{
    Anew, AsDrawn, CutChange, LaterRound, MadeCut, Repairing, WhatIf, players_of,
};
use scrutineer_engine::event::{PlayerNumber, RoundNumber};
use scrutineer_engine::tournament::Tournament;
use scrutineer_replay::again::Place;
use scrutineer_replay::loaded::LoadedTournament;
use std::collections::BTreeSet;

/// A command as typed, and what was said to it.
pub struct Step {
    /// The command.
    pub typed: String,
    /// The answer in words, or for programs.
    pub said: String,
}

/// All that is told.
pub struct Outcome {
    /// The tournament as it stands.
    pub event: LoadedTournament,
    /// The tournament as it would be.
    pub after: LoadedTournament,
    /// The commands that were tried.
    pub steps: Vec<Step>,
    /// What they would change.
    pub what_if: WhatIf,
    /// The least repair of the round that is being played, where one is to be made.
    pub repair: Option<Repairing>,
    /// What a command needs behind it where the store holds several tournaments.
    pub which: String,
}

impl Outcome {
    /// The same for programs.
    pub fn answer(&self) -> WhatIfAnswer {
        let tried = |step: &Step| CommandTried::new(&step.typed, &step.said);
        let commands = self.steps.iter().map(tried).collect();
        let Outcome { event, after, what_if, repair, .. } = self;
        WhatIfAnswer::of(event, after, commands, what_if, repair.as_ref())
    }
}

/// All of it in words.
pub fn text(outcome: &Outcome, names: &Names, shown: usize) -> String {
    let Outcome { event, what_if, .. } = outcome;
    let mut text = format!("What if, in {} after event {}:\n", event.title(), event.state.head());
    for (number, step) in (1..).zip(&outcome.steps) {
        let mut lines = step.said.lines().filter(|line| !line.is_empty());
        let first = lines.next().unwrap_or(&step.typed);
        text.push_str(&format!("  {number}. {first}\n"));
        lines.for_each(|line| text.push_str(&format!("     {}\n", line.trim())));
    }
    text.push('\n');
    text.push_str(&places(outcome, shown));
    for cut in &what_if.cuts {
        text.push_str(&format!("{}\n", made(names, cut)));
    }
    text.push_str(&drawn_again(names, &what_if.rounds, shown));
    for line in wrongly(names, &outcome.after.state, what_if) {
        text.push_str(&format!("{line}.\n"));
    }
    if let Some(repair) = &outcome.repair {
        text.push_str(&repaired(outcome, names, repair));
    }
    text.push_str("Nothing was recorded.\n");
    text
}

fn places(outcome: &Outcome, shown: usize) -> String {
    let Outcome { after, what_if, .. } = outcome;
    let found = &what_if.compared;
    let mut text = String::new();
    if what_if.nobody_moves() {
        let changed = what_if.before.hash() != what_if.after.hash();
        let values = if changed { ", though values behind them differ" } else { "" };
        text.push_str(&format!(
            "Nobody moves: all {} places are the same{values}.\n",
            found.unchanged
        ));
        return text + &cut_line(outcome);
    }
    let mut table = Aligned::new([
        ("player", Align::Left),
        ("now", Align::Right),
        ("then", Align::Right),
        ("", Align::Left),
        ("because", Align::Left),
    ]);
    for one in found.moves.iter().take(shown) {
        let (is, how) = match one.first {
            0 => ("-".to_string(), "takes a place".to_string()),
            first => (first.to_string(), moved(one, found.cut)),
        };
        table.row([after.name(one.player), is, one.second.to_string(), how, because(after, one)]);
    }
    for (player, place) in &what_if.out {
        let how = "takes no place".to_string();
        table.row([after.name(*player), place.to_string(), "-".into(), how, String::new()]);
    }
    text.push_str(&table.text());
    if found.moves.len() > shown {
        let rest = found.moves.len() - shown;
        text.push_str(&format!("  … and {rest} more, all of them with --all\n"));
    }
    text.push_str(&match found.unchanged {
        0 => "Everybody moves.\n".to_string(),
        1 => "One player stays where they are.\n".to_string(),
        count => format!("{count} players stay where they are.\n"),
    });
    text + &cut_line(outcome)
}

fn cut_line(outcome: &Outcome) -> String {
    let names = Names::of(&outcome.after.state, &outcome.after.book);
    let line = |cut: &CutChange| format!("Top {}: {}.\n", cut.size, cut_in_words(&names, cut));
    outcome.what_if.cut.as_ref().map_or(String::new(), line)
}

/// Who crosses the cut that is to come, and who is or would be tied across its line: `Ann enters,
/// Bob leaves`.
pub fn cut_in_words(names: &Names, cut: &CutChange) -> String {
    let crossing = [(&cut.enters, "enter"), (&cut.leaves, "leave")];
    let mut told: Vec<String> = crossing
        .into_iter()
        .filter(|(players, _)| !players.is_empty())
        .map(|(players, verb)| in_or_out(names, players, verb))
        .collect();
    let settled = [(&cut.no_longer_tied_in, "in"), (&cut.no_longer_tied_out, "out")];
    let are = |players: &[PlayerNumber]| {
        let are = if players.len() == 1 { "is" } else { "are" };
        format!("{} {are}", names.list(players, ", "))
    };
    let settled: Vec<String> = settled
        .into_iter()
        .filter(|(players, _)| !players.is_empty())
        .map(|(players, side)| format!("{} {side}", are(players)))
        .collect();
    if !settled.is_empty() {
        told.push(format!("{}, no longer tied across the line", settled.join(" and ")));
    }
    if !cut.newly_tied.is_empty() {
        told.push(format!("{} newly tied across the line", are(&cut.newly_tied)));
    }
    let told = if told.is_empty() { "the same".to_string() } else { told.join(", ") };
    match cut.across_a_tie {
        true => format!("{told}, and lots decide at the line"),
        false => told,
    }
}

fn in_or_out(names: &Names, players: &[PlayerNumber], verb: &str) -> String {
    let s = if players.len() == 1 { "s" } else { "" };
    format!("{} {verb}{s}", names.list(players, ", "))
}

/// A cut that was made and would have been another.
fn made(names: &Names, cut: &MadeCut) -> String {
    let MadeCut { phase, size, enters, leaves, by_lots, reseeded } = cut;
    if *by_lots {
        return format!(
            "Phase {phase} began with {size} players; lots that were not drawn would have decided who they are, or their seeds."
        );
    }
    match reseeded {
        true => format!(
            "Phase {phase} began with these {size} players; they would have had other seeds."
        ),
        false => format!(
            "Phase {phase} began with {} and would have begun with {} (of {size}); it stays as it is.",
            names.list(leaves, ", "),
            names.list(enters, ", "),
        ),
    }
}

/// A round in a few words: `round 3: 4 of 12 tables otherwise`; none where it would be the same.
fn round_in_words(round: &LaterRound) -> Option<String> {
    let (number, tables) = (round.round, round.tables);
    match &round.drawn {
        AsDrawn::Same | AsDrawn::NotDrawn => None,
        AsDrawn::Otherwise { drawn, instead } if round.otherwise() == 0 => {
            let is_bye = |place: &Place| place.bye.is_some();
            Some(match drawn.iter().chain(instead).all(is_bye) {
                true => format!("round {number}: other byes"),
                false => {
                    let more = scrutineer_projections::counted(
                        instead.iter().filter(|p| !is_bye(p)).count(),
                        "table",
                    );
                    format!("round {number}: {more} more")
                }
            })
        }
        AsDrawn::Otherwise { .. } => {
            Some(format!("round {number}: {} of {tables} tables otherwise", round.otherwise()))
        }
        AsDrawn::Unknown(why) => Some(format!("round {number}: {why}")),
    }
}

/// The rounds that would have been drawn otherwise, in a few words.
pub fn rounds_in_words(what_if: &WhatIf) -> Vec<String> {
    what_if.rounds.iter().filter_map(round_in_words).collect()
}

/// What becomes of a round that was drawn before a change was known.
fn fate(round: &LaterRound) -> String {
    if round.is_out {
        return "it is out and stays as it is".into();
    }
    let seen = match round.was_out {
        true => "it was out before, and was taken back",
        false => "nobody has seen it",
    };
    let anew = match round.anew {
        Anew::Pairing => "`pair --again` pairs it anew",
        // Paired again it would have the same tables.
        Anew::Cut => {
            "the cut before it would be another; undoing its pairings and the cut lets that be made again"
        }
        Anew::Judge => {
            "the cut before it would be another; who plays on is for the head judge to say, and set by hand"
        }
    };
    format!("{seen}: {anew}")
}

/// Whether a round that was drawn before a change was known can still be drawn with it.
pub fn is_to_draw_anew(round: &LaterRound) -> bool {
    !round.is_out && matches!(round.drawn, AsDrawn::Otherwise { .. } | AsDrawn::Unknown(_))
}

/// Whether pairing a round again draws it with what is known now.
pub fn is_to_pair_again(round: &LaterRound) -> bool {
    is_to_draw_anew(round) && round.anew == Anew::Pairing
}

/// A round of a bracket with players who by what is known now should not be in it.
pub struct WronglyIn {
    /// Whether it was played; otherwise it is being played.
    pub is_played: bool,
    /// Who is in it and should not be.
    pub out: Vec<PlayerNumber>,
    /// Who should be in it and is not.
    pub missing: Vec<PlayerNumber>,
}

impl WronglyIn {
    /// What is wrong with a round that is out, by who was paired in it and who would have been instead; none
    /// where it is in no bracket, or nobody is in it wrongly.
    pub fn of(
        state: &Tournament,
        round: RoundNumber,
        paired: &BTreeSet<PlayerNumber>,
        instead: &BTreeSet<PlayerNumber>,
    ) -> Option<WronglyIn> {
        let round = state.round(round)?;
        state.phase_of(round).filter(|phase| phase.kind.is_bracket())?;
        let out: Vec<PlayerNumber> = paired.difference(instead).copied().collect();
        let missing = instead.difference(paired).copied().collect();
        let is_played = round.open_matches == 0;
        (!out.is_empty()).then_some(WronglyIn { is_played, out, missing })
    }
}

/// Who was or is in a round of a bracket that is out, and by what is known now should not be: a line
/// for each round.
pub fn wrongly(names: &Names, state: &Tournament, what_if: &WhatIf) -> Vec<String> {
    let told = |later: &LaterRound| {
        let AsDrawn::Otherwise { drawn, instead } = &later.drawn else { return None };
        let found = WronglyIn::of(state, later.round, &players_of(drawn), &players_of(instead));
        let WronglyIn { is_played, out, missing } = found.filter(|_| later.is_out)?;
        let played = if is_played { "was played" } else { "is being played" };
        let were = if out.len() == 1 { "was" } else { "were" };
        Some(format!(
            "LOOK: round {} {played} by {}, who by this {were} out, without {}: the head judge \
             has to say what becomes of it",
            later.round,
            names.list(&out, " and "),
            names.list(&missing, " and "),
        ))
    };
    what_if.rounds.iter().filter_map(told).collect()
}

/// What was drawn and who went on before a change was known: a line for each.
pub fn stays(names: &Names, what_if: &WhatIf) -> Vec<String> {
    let mut told = rounds_that_stay(what_if);
    let otherwise = rounds_in_words(what_if);
    if !otherwise.is_empty() {
        told.push(format!("had it been known at once, {}", otherwise.join("; ")));
    }
    told.extend(cuts_that_stay(names, what_if));
    told
}

/// The cuts that were made before a change was known.
pub fn cuts_that_stay(names: &Names, what_if: &WhatIf) -> Vec<String> {
    what_if.cuts.iter().map(|cut| made(names, cut)).collect()
}

/// The rounds that were paired before a change was known.
pub fn rounds_that_stay(what_if: &WhatIf) -> Vec<String> {
    let (anew, stays): (Vec<&LaterRound>, Vec<&LaterRound>) =
        what_if.rounds.iter().partition(|round| is_to_draw_anew(round));
    let mut told = Vec::new();
    if let [first, .., last] = &stays[..] {
        let (first, last) = (first.round, last.round);
        told.push(format!(
            "rounds {first} to {last} were paired from the old result and stay as they are"
        ));
    } else if let [only] = &stays[..] {
        let round = only.round;
        told.push(format!("round {round} was paired from the old result and stays as it is"));
    }
    told.extend(anew.into_iter().map(|round| {
        format!("round {} was paired from the old result; {}", round.round, fate(round))
    }));
    told
}

/// The rounds that came after what changes; those that would be the same in one line.
fn drawn_again(names: &Names, rounds: &[LaterRound], shown: usize) -> String {
    if rounds.is_empty() {
        return String::new();
    }
    let mut text =
        "Had it been known at once, with the rounds before as they were played:\n".to_string();
    let plain = |round: &LaterRound| {
        let nothing = matches!(round.drawn, AsDrawn::Same | AsDrawn::NotDrawn);
        nothing && round.by_hand.is_empty()
    };
    let alike = |a: &LaterRound, b: &LaterRound| plain(a) && plain(b) && a.drawn == b.drawn;
    for run in rounds.chunk_by(alike) {
        let which = match run {
            [one] => format!("round {}", one.round),
            [first, .., last] => format!("rounds {} to {}", first.round, last.round),
            [] => continue,
        };
        let round = &run[0];
        let what = match &round.drawn {
            AsDrawn::Same => "the same tables".to_string(),
            AsDrawn::NotDrawn => "not paired here, so there is nothing to say".into(),
            AsDrawn::Unknown(why) => why.clone(),
            AsDrawn::Otherwise { .. } => {
                let (count, tables) = (round.otherwise(), round.tables);
                format!("{count} of {tables} tables otherwise; {}", fate(round))
            }
        };
        text.push_str(&format!("  {which}: {what}\n"));
        if let AsDrawn::Otherwise { drawn, instead } = &round.drawn {
            text.push_str(&listed(names, "paired", drawn, shown));
            text.push_str(&listed(names, "would be", instead, shown));
        }
        text.push_str(&listed(names, "by hand", &round.by_hand, shown));
    }
    text
}

/// Tables and byes, one a line.
fn listed(names: &Names, head: &str, places: &[Place], shown: usize) -> String {
    let mut sorted: Vec<&Place> = places.iter().collect();
    sorted.sort_by_key(|place| (place.bye.is_some(), place.table));
    let lines = sorted.iter().take(shown);
    let mut text: String =
        lines.map(|place| format!("    {head:<9} {}\n", place_in_words(names, place))).collect();
    if sorted.len() > shown {
        text.push_str(&format!("    … and {} more, all with --all\n", sorted.len() - shown));
    }
    text
}

fn place_in_words(names: &Names, place: &Place) -> String {
    match (place.bye, place.table) {
        (Some(kind), _) => format!("{}, {kind}", names.list(&place.players, ", ")),
        (None, Some(table)) => format!("table {table}: {}", names.against(&place.players)),
        (None, None) => names.against(&place.players),
    }
}

fn repaired(outcome: &Outcome, names: &Names, repair: &Repairing) -> String {
    let Repairing { round, out, broken, tables, kept, found, .. } = repair;
    let mut words = vec!["repair".to_string()];
    words.extend(out.iter().map(|&player| format!("--out {:?}", names.name(player))));
    words.extend(broken.iter().map(|table| format!("--table {table}")));
    words.push("--reason <why>".into());
    let command = words.join(" ");
    let (a, the) = match out.is_empty() {
        true => ("A".to_string(), "The".to_string()),
        false => {
            let who = format!("If {} does not play round {round}, ", names.list(out, " or "));
            (format!("{who}a"), format!("{who}the"))
        }
    };
    let found = match found {
        Err(error) => return format!("{a} repair of round {round} is not possible: {error}.\n"),
        Ok(_) if kept == tables => {
            return format!("{a} repair of round {round} would set the same tables again.\n");
        }
        Ok(found) => found,
    };
    let mut text = format!(
        "{the} least repair of round {round} leaves {kept} of {tables} tables as they are:\n"
    );
    for (table, seats) in &found.tables {
        text.push_str(&format!("  table {table}: {}\n", names.against(seats)));
    }
    for &player in &found.byes {
        text.push_str(&format!("  {} has the bye\n", names.name(player)));
    }
    let players = names.list(&repair.touched, " and ");
    match &broken[..] {
        [] => {}
        [one] => text.push_str(&format!(
            "  table {one} is broken up because a result of {players} changes; it may also stay\n"
        )),
        several => {
            let mut tables: Vec<u32> = several.to_vec();
            tables.sort_unstable();
            let tables: Vec<String> = tables.iter().map(u32::to_string).collect();
            text.push_str(&format!(
                "  tables {} are broken up because a result of {players} changes; they may also stay\n",
                tables.join(", "),
            ));
        }
    }
    if let Some(kept) = repair.kept_without {
        let (out, tables) = (names.list(out, " and "), repair.tables);
        text.push_str(&format!(
            "  without `--table`, only because of {out}, {kept} of {tables} tables stay\n"
        ));
    }
    text.push_str(&format!("  do it with: scrutineer {command}{}\n", outcome.which));
    text
}
