//! Opening a tournament.

use super::{Desk, DeskError, Means, UNLIMITED, first_half};
use crate::store::Store;
use scrutineer_engine::book::{Commitment, Field};
use scrutineer_engine::decide::validate;
use scrutineer_engine::event::{
    Day, Per, PlannedPhase, RulesetFile, ScoreLine, Scoresheet, TournamentOpened,
};
use scrutineer_engine::handler::CommandError;
use scrutineer_engine::record::StreamId;
use scrutineer_engine::seed;
use scrutineer_engine::tournament::Tournament;
use scrutineer_projections::crosstable::score_lines;
use scrutineer_projections::ruleset::Ruleset;

/// What a new tournament is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Opening {
    /// Its title.
    pub title: String,
    /// The day on which it is held.
    pub held_on: Option<Day>,
    /// The ruleset and what it extends.
    pub ruleset: Vec<RulesetFile>,
    /// What is written on a slip.
    pub scoresheet: Scoresheet,
    /// The phases.
    pub plan: Vec<PlannedPhase>,
    /// The public key that signs its checkpoints.
    pub signer: Option<[u8; 32]>,
}

impl Opening {
    /// The usual slip for a ruleset: a value for each score line that it reads, games in a best
    /// of so many.
    pub fn scoresheet_for(rules: &Ruleset, best_of: u8) -> Scoresheet {
        let mut names = score_lines(rules);
        let games = names.iter().any(|name| name == "games");
        if games && !names.iter().any(|name| name == "drawn") {
            names.push("drawn".into());
        }
        let line = |name: String| {
            let (per, max, unit) = match name.as_str() {
                "games" => (Per::Seat, 99, "games"),
                "drawn" => (Per::Table, 99, "games"),
                _ => (Per::Seat, UNLIMITED, "points"),
            };
            ScoreLine { name, per, min: 0, max, unit: unit.into() }
        };
        Scoresheet {
            lines: names.into_iter().map(line).collect(),
            best_of: games.then_some(best_of),
        }
    }

    /// Whether a tournament can be opened like this.
    ///
    /// # Errors
    /// Where a scoresheet is not usable.
    pub fn check(&self) -> Result<(), DeskError> {
        let opened = self.opened(Commitment { number: 1, digest: [0; 32] }, [0; 32]);
        Ok(validate(&Tournament::default(), &opened.into()).map_err(CommandError::from)?)
    }

    fn opened(&self, title: Commitment, seed_commitment: [u8; 32]) -> TournamentOpened {
        TournamentOpened {
            title,
            held_on: self.held_on,
            scoresheet: self.scoresheet.clone(),
            ruleset: self.ruleset.clone(),
            plan: self.plan.clone(),
            seed_commitment: Some(seed_commitment),
            signer: self.signer,
        }
    }
}

impl<'a> Desk<'a> {
    /// Opens a tournament: its secret is kept before its commitment is recorded.
    ///
    /// # Errors
    /// Where secret or log cannot be written, or the scoresheet is not usable.
    pub fn open(
        store: &'a Store,
        means: Means<'a>,
        opening: &Opening,
    ) -> Result<Desk<'a>, DeskError> {
        Desk::open_as(store, means, None, opening, None)
    }

    /// As [`Desk::open`], by a person of this name, and under an id that is known beforehand.
    ///
    /// # Errors
    /// As for [`Desk::open`].
    pub fn open_as(
        store: &'a Store,
        means: Means<'a>,
        person: Option<&str>,
        opening: &Opening,
        id: Option<StreamId>,
    ) -> Result<Desk<'a>, DeskError> {
        opening.check()?;
        let stream = match id {
            Some(id) => id,
            None => StreamId(first_half((means.random)()?)),
        };
        let secret = (means.random)()?;
        store.keep_secret(stream, &secret)?;
        let desk = Desk::at(store, stream, means).of_person(person);
        let seed_commitment = seed::commitment(&secret);
        desk.record(&mut |_, words| {
            let title = words.say(Field::Title, &opening.title)?;
            let opened = opening.opened(title, seed_commitment);
            Ok(vec![opened.into()])
        })?;
        Ok(desk)
    }
}
