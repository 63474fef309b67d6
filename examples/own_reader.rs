//! A reader for a format of one's own: lines such as `1: Ada 2-1 Grace`, a match each.

use scrutineer::engine::event::{MatchResult, PhaseKind, RoundWeight, Score};
use scrutineer::formats::{Fault, File, ImportError, SourcePhase, SourcePlayer, SourceRound};
use scrutineer::formats::{SourceSeat, SourceTable, read_as};
use scrutineer::*;
use std::error::Error;

struct Lines;

impl Format for Lines {
    fn name(&self) -> &'static str {
        "lines"
    }

    fn detect(&self, file: &File) -> bool {
        file.text.is_some_and(|text| text.starts_with("1: "))
    }

    fn read(&self, file: &File) -> Result<Source, ImportError> {
        let (name, text) = (file.name, file.text()?);
        let mut source = Source {
            file: name.into(),
            platform: "lines".into(),
            format: "lines".into(),
            identity: name.into(),
            title: "Kitchen table".into(),
            rules: Some("mtr".into()),
            ..Source::default()
        };
        let mut rounds: Vec<SourceRound> = Vec::new();
        for line in text.lines() {
            let bad = || ImportError::from(Fault::UnknownFormat { found: line.into() });
            let words: Vec<&str> = line.split_whitespace().collect();
            let [round, one, score, other] = words[..] else { return Err(bad()) };
            let round: usize = round.trim_end_matches(':').parse().map_err(|_| bad())?;
            let (a, b) = score.split_once('-').ok_or_else(bad)?;
            let games = |text: &str| text.parse::<i32>().map_err(|_| bad());
            let seats = [one, other].map(|name| {
                let known = source.players.iter().position(|player| player.name == name);
                let player = known.unwrap_or(source.players.len());
                if known.is_none() {
                    let name = name.into();
                    source.players.push(SourcePlayer { name, ..SourcePlayer::default() });
                }
                SourceSeat { player, role: 0 }
            });
            if round > rounds.len() {
                rounds.push(SourceRound {
                    name: format!("Round {round}"),
                    weight: RoundWeight::ONE,
                    tables: Vec::new(),
                    byes: Vec::new(),
                });
            }
            let score = Score {
                seats: [[games(a)?], [games(b)?]].map(|games| games.as_slice().into()).into(),
                // No game was drawn.
                table: [0].as_slice().into(),
            };
            rounds.last_mut().ok_or_else(bad)?.tables.push(SourceTable {
                table: None,
                seats: seats.into(),
                result: MatchResult::played(score),
                place: line.into(),
            });
        }
        let entrants = (0..source.players.len()).collect();
        source.phases =
            vec![SourcePhase { kind: PhaseKind::Swiss, entrants, seeded: false, rounds }];
        Ok(source)
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let text = "1: Ada 2-1 Grace\n1: Kurt 0-2 Edsger\n2: Ada 2-0 Edsger\n2: Grace 2-0 Kurt\n";
    let mut source = read_as("kitchen.txt", text.as_bytes(), &[&Lines])?;
    source.scoresheet = Opening::scoresheet_for(&Library::shipped().ruleset("mtr")?, 3);
    source.finished = true;
    let prepared = prepare_source(source, text.as_bytes(), None, &Library::shipped())?;
    let standings =
        Standings::of(&prepared.state, &prepared.rules, Scope::default(), Detail::Order)?;
    let names = prepared.names();
    assert_eq!(names[standings.rows[0].player as usize - 1], "Ada");
    println!("{} is first", names[standings.rows[0].player as usize - 1]);
    Ok(())
}
