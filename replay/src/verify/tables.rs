//! Every announced table is folded again, and held against the one that was kept.

use super::{Finding, Severity};
use crate::announced::{AnnouncedTable, standings_in};
use crate::kept::KeptError;
use scrutineer_engine::decide::validate;
use scrutineer_engine::event::{Event, StandingsAnnounced};
use scrutineer_engine::handler::read_events;
use scrutineer_engine::log::Log;
use scrutineer_engine::record::StreamId;
use scrutineer_engine::tournament::Tournament;
use scrutineer_projections::ruleset::{Ruleset, parse};
use scrutineer_projections::standings::FOLD_VERSION;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Which of the tables kept beside a log are not those that come out of it again, by the seq of
/// their announcements: another value, or other words beside the values.
///
/// # Errors
/// Where the log cannot be read.
pub fn altered_tables(
    log: &dyn Log,
    stream: StreamId,
    kept: &[AnnouncedTable],
) -> Result<BTreeSet<u64>, KeptError> {
    if kept.is_empty() {
        return Ok(BTreeSet::new());
    }
    let (mut tables, mut findings) = (Tables::new(kept), Vec::new());
    let (mut state, mut is_legal) = (Tournament::default(), true);
    for read in read_events(log, stream, 0) {
        let (record, event) = read?;
        is_legal &= validate(&state, &event).is_ok();
        if is_legal {
            tables.take(&state, record.header().seq, &event, &mut findings);
            state.evolve(&event);
        }
    }
    let altered = findings.iter().filter(|finding| finding.code == "table-altered");
    Ok(altered.map(|finding| finding.seq).collect())
}

/// The announcements of a tournament as far as it was read.
pub struct Tables<'a> {
    kept: BTreeMap<u64, &'a AnnouncedTable>,
    /// The hash of each table's line as it comes out again.
    made: BTreeMap<u64, blake3::Hash>,
    /// The ruleset as last read.
    rules: Option<Arc<Ruleset>>,
}

impl<'a> Tables<'a> {
    /// With the tables that were kept beside the log.
    pub fn new(kept: &'a [AnnouncedTable]) -> Tables<'a> {
        let kept = kept.iter().map(|table| (table.announced, table)).collect();
        Tables { kept, made: BTreeMap::new(), rules: None }
    }

    /// The hash of a table's line as it comes out again; none where it does not.
    pub fn made(&self, seq: u64) -> Option<&blake3::Hash> {
        self.made.get(&seq)
    }

    /// The tables that were kept and not announced as far as the log was read, by seq.
    pub(crate) fn not_announced(&self) -> impl Iterator<Item = u64> {
        self.kept.keys().copied()
    }

    /// Takes the next event, with the state before it.
    pub fn take(
        &mut self,
        state: &Tournament,
        seq: u64,
        event: &Event,
        findings: &mut Vec<Finding>,
    ) {
        if let Event::StandingsAnnounced(e) = event {
            let mut find = |severity, code, sentence| {
                findings.push(Finding { code, seq, sentence, severity });
            };
            self.announced(state, seq, e, &mut find);
        }
    }

    fn announced(
        &mut self,
        state: &Tournament,
        seq: u64,
        e: &StandingsAnnounced,
        find: &mut dyn FnMut(Severity, &'static str, String),
    ) {
        let round = e.through_round;
        let kept = self.kept.remove(&seq);
        let same = kept.is_some_and(|kept| kept.hash() == Ok(e.table));
        if kept.is_some() && !same {
            let sentence = format!(
                "the table kept beside the log is not the one announced after round {round}"
            );
            find(Severity::Error, "table-altered", sentence);
        }
        let version = e.fold_version;
        if version != FOLD_VERSION {
            let sentence = format!(
                "announced by version {version} of the fold, which nobody knows here: the table may \
                 say anything"
            );
            return find(Severity::Unchecked, "unknown-fold", sentence);
        }
        let rules = match self.rules(state) {
            Ok(rules) => rules,
            Err(why) => return find(Severity::Error, "not-folded", why),
        };
        if rules.hash != e.ruleset {
            let sentence = "announced under another ruleset than the log holds".to_string();
            return find(Severity::Error, "other-ruleset", sentence);
        }
        let standings = match standings_in(state, &rules, Some(round)) {
            Ok(standings) => standings,
            Err(why) => return find(Severity::Error, "not-folded", why.to_string()),
        };
        let again = AnnouncedTable::of(seq, &standings);
        if standings.hash() == e.table && standings.through == round {
            self.made.insert(seq, blake3::hash(again.to_line().as_bytes()));
            if same && kept != Some(&again) {
                // The hash covers ranks and values, not the words beside them.
                let sentence =
                    format!("the table kept beside the log has other words after round {round}");
                find(Severity::Error, "table-altered", sentence);
            }
            return;
        }
        let name = |player| format!("player {player}");
        let row = kept.filter(|_| same).and_then(|kept| kept.difference(&again, &name));
        let row = row.map_or(String::new(), |row| format!(": {row}"));
        let sentence =
            format!("the standings announced after round {round} do not come out again{row}");
        find(Severity::Error, "standings-differ", sentence);
    }

    fn rules(&mut self, state: &Tournament) -> Result<Arc<Ruleset>, String> {
        let files = state.ruleset().unwrap_or_default();
        if let Some(rules) = self.rules.as_ref().filter(|rules| rules.files == files) {
            return Ok(Arc::clone(rules));
        }
        let rules = Arc::new(parse(files).map_err(|error| error.to_string())?);
        self.rules = Some(Arc::clone(&rules));
        Ok(rules)
    }
}
