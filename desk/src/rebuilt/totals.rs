//! The sums over all tournaments of a rebuild.

use crate::answers::{RebuildAnswer, RebuildTotals};
use crate::rebuild::{Asked, TournamentFound};
use crate::table::{Align, Aligned};
use scrutineer_projections::counted;
use scrutineer_projections::ruleset::called;
use std::collections::BTreeMap;

/// How many tournaments with changes are shown where no report is asked for.
const SHOWN: usize = 20;

/// What was found over all tournaments.
#[derive(Default)]
pub struct Totals {
    /// Folded under the other ruleset; the rest was refused.
    events: u64,
    /// Left out: met before, in another store or file.
    pub repeated: u64,
    players: u64,
    moved: u64,
    unchanged: u64,
    winners: u64,
    cuts: u64,
    /// By code: how many, the first title, and why.
    refused: BTreeMap<&'static str, (u64, String, String)>,
    /// How many are copies of which another history was signed too, and the first title.
    rewritten: Option<(u64, String)>,
    changed: Vec<[String; 5]>,
    more: u64,
}

impl Totals {
    /// Counts a tournament.
    pub fn add(&mut self, event: &TournamentFound) {
        if event.is_rewritten {
            self.rewritten.get_or_insert_with(|| (0, event.title.clone())).0 += 1;
        }
        let found = match &event.found {
            Ok(found) => found,
            Err(cause) => {
                let first = || (0, event.title.clone(), cause.to_string());
                self.refused.entry(cause.code().word).or_insert_with(first).0 += 1;
                return;
            }
        };
        self.events += 1;
        self.players += u64::from(event.players);
        let moved = found.comparison.moves.len();
        self.moved += moved as u64;
        self.winners += u64::from(found.winner_changes());
        self.cuts += u64::from(found.cut_changes());
        if moved == 0 && !found.cut_changes() {
            self.unchanged += 1;
            return;
        }
        if self.changed.len() == SHOWN {
            self.more += 1;
            return;
        }
        let list = |players: &[u32]| -> String {
            players.iter().map(|player| event.name(*player)).collect::<Vec<_>>().join(", ")
        };
        let winner = match found.winner_changes() {
            true => format!("{}, not {}", list(&found.winners[1]), list(&found.winners[0])),
            false => String::new(),
        };
        let cut = found.cut.as_ref().filter(|_| found.cut_changes());
        let cut = cut.map_or(String::new(), |cut| {
            format!("top {}: {} for {}", cut.size, list(&cut.enters), list(&cut.leaves))
        });
        let moved = format!("{moved} of {}", event.players);
        let largest = found.largest_move().to_string();
        self.changed.push([event.title.clone(), moved, largest, winner, cut]);
    }

    /// How many tournaments could not be folded.
    pub fn refusals(&self) -> u64 {
        self.refused.values().map(|(count, ..)| count).sum()
    }

    /// The sums in words, with the tournaments that change where they are asked for.
    pub fn text(&self, asked: &Asked, with_events: bool) -> String {
        let mut text = String::new();
        if with_events && !self.changed.is_empty() {
            let mut table = Aligned::new([
                ("tournament", Align::Left),
                ("players moved", Align::Right),
                ("most places", Align::Right),
                ("winner", Align::Left),
                ("cut", Align::Left),
            ]);
            self.changed.iter().for_each(|row| table.row(row.clone()));
            text.push_str(&table.text());
            if self.more > 0 {
                text.push_str(&format!("   … {} more; --output writes them all\n", self.more));
            }
            text.push('\n');
        }
        let rules = called(&asked.after.files);
        let all = self.events + self.refusals();
        let of = if all == self.events { String::new() } else { format!("{} of ", self.events) };
        text.push_str(&format!("{of}{} under {rules}\n", counted(all, "tournament")));
        for (what, count) in [
            ("nobody moves", self.unchanged.to_string()),
            ("another winner", self.winners.to_string()),
            ("another cut", self.cuts.to_string()),
            ("players moved", format!("{} of {}", self.moved, self.players)),
            ("refused", self.refusals().to_string()),
        ] {
            text.push_str(&format!("  {what:<14} {count}\n"));
        }
        if let Some((count, title)) = &self.rewritten {
            text.push_str(&format!(
                "  {:<14} {count}, the first {title}: ranked as it was kept here; another history of it was \
                 signed too, as `review` says\n",
                "rewritten"
            ));
        }
        for (code, (count, title, why)) in &self.refused {
            text.push_str(&format!("    {count}, the first {title}: {why}   [{code}]\n"));
        }
        if self.repeated > 0 {
            let again = counted(self.repeated, "tournament");
            text.push_str(&format!("  left out: {again} that stood in an earlier store or file, or in a longer bundle\n"));
        }
        text
    }

    /// The sums for programs.
    pub fn answer(&self, asked: &Asked) -> RebuildAnswer {
        let refused = self.refused.iter().map(|(code, (count, ..))| (code.to_string(), *count));
        RebuildAnswer {
            totals: RebuildTotals {
                ruleset: (&*asked.after).into(),
                tournaments: self.events + self.refusals(),
                folded: self.events,
                repeated: self.repeated,
                unchanged: self.unchanged,
                winner_changes: self.winners,
                cut_changes: self.cuts,
                players: self.players,
                moved: self.moved,
                rewritten: self.rewritten.as_ref().map(|(count, _)| *count),
                refused: refused.collect(),
            },
        }
    }

    /// The codes for which tournaments could not be folded.
    pub fn codes(&self) -> impl Iterator<Item = &'static str> {
        self.refused.keys().copied()
    }
}
