//! The standings in the file, as the platform published them.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::value::RawValue;

use crate::build::{Oddities, Players};
use crate::error::shortened;
use crate::source::*;
use crate::{Fault, ImportError, json, limits, phases};

use super::Platform;

#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
pub struct Standing<'a> {
    rank: u32,
    player: String,
    points: i64,
    wins: Option<u32>,
    losses: Option<u32>,
    draws: Option<u32>,
    #[serde(rename = "OMWP", borrow)]
    omw: Option<&'a RawValue>,
    #[serde(rename = "GWP", borrow)]
    gw: Option<&'a RawValue>,
    #[serde(rename = "OGWP", borrow)]
    ogw: Option<&'a RawValue>,
}

/// Reads the rows; whoever stands only here is a player too. Rows of players who are `told_apart`
/// by the rounds alone are left out.
pub fn read(
    rows: &[Standing],
    players: &mut Players,
    oddities: &mut Oddities,
    told_apart: &dyn Fn(&str) -> bool,
) -> Result<Vec<PublishedRow>, ImportError> {
    if rows.len() > limits::PLAYERS {
        return Err(Fault::TooMany { what: "rows", limit: limits::PLAYERS }.at("Standings"));
    }
    let mut listed = BTreeMap::new();
    let mut published = Vec::with_capacity(rows.len());
    for (at, row) in rows.iter().enumerate() {
        let place = format!("Standings[{at}]");
        if told_apart(&row.player) {
            oddities.add(
                &place,
                "The row was left out: who of the unnamed players it is of is unknown.",
            );
            continue;
        }
        let player = players.named(&row.player, &format!("{place}.Player"))?;
        if let Some(other) = listed.insert(player, at) {
            let sentence = format!("The player stands in Standings[{other}] already.");
            oddities.add(&place, sentence);
        }
        published.push(row.read(player, &place)?);
    }
    if !published.is_empty() {
        report_missing(players.list.len() - listed.len(), oddities);
    }
    Ok(published)
}

fn report_missing(missing: usize, oddities: &mut Oddities) {
    if missing > 0 {
        let sentence = format!("{missing} players of the rounds are not in the standings.");
        oddities.add("Standings", sentence);
    }
}

impl Standing<'_> {
    fn read(&self, player: usize, place: &str) -> Result<PublishedRow, ImportError> {
        let named = [
            ("OMWP", PublishedMeasure::Omw, self.omw),
            ("GWP", PublishedMeasure::Gw, self.gw),
            ("OGWP", PublishedMeasure::Ogw, self.ogw),
        ];
        let mut values = Vec::with_capacity(named.len());
        for (key, measure, raw) in named {
            let Some(raw) = raw.filter(|raw| raw.get() != "null") else { continue };
            let text = number(raw, &format!("{place}.{key}"))?;
            values.push(PublishedValue { measure, text });
        }
        let record = match (self.wins, self.losses, self.draws) {
            (Some(won), Some(lost), Some(drawn)) => Some([won, lost, drawn]),
            _ => None,
        };
        let points_tenths = self.points.saturating_mul(10);
        Ok(PublishedRow { rank: self.rank, player, points_tenths, record, values })
    }
}

/// A published number as it is printed, with or without quotation marks.
pub fn number(raw: &RawValue, place: &str) -> Result<String, ImportError> {
    let text = raw.get();
    let text = text.strip_prefix('"').and_then(|text| text.strip_suffix('"')).unwrap_or(text);
    if json::is_decimal(text) {
        return Ok(text.to_owned());
    }
    let (what, found) = ("the number".to_owned(), shortened(text));
    Err(Fault::BadValue { what, found, expected: "a decimal such as 0.6667".into() }.at(place))
}

/// Orders a phase's entrants by the rank that they have in the published standings.
pub fn seed(phase: &mut SourcePhase, published: &[PublishedRow]) {
    let ranks: BTreeMap<usize, u32> = published.iter().map(|row| (row.player, row.rank)).collect();
    phase.seeded = phase.entrants.iter().all(|player| ranks.contains_key(player));
    if phase.seeded {
        phase.entrants.sort_by_key(|player| ranks.get(player).copied());
    }
}

/// After how many rounds of the file the standings were published.
pub fn published_after(
    platform: Platform,
    phases: &[SourcePhase],
    published: &[PublishedRow],
) -> Option<u16> {
    // MTGO's are those of the Swiss rounds, of which the file has none.
    if platform == Platform::Mtgo {
        return Some(0);
    }
    let points: Vec<(usize, i64)> =
        published.iter().map(|row| (row.player, row.points_tenths / 10)).collect();
    phases::published_after(phases, &points)
}
