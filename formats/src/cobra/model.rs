//! What stands in a file of Cobra.

use serde::de::value::SeqAccessDeserializer;
use serde::de::{Error, MapAccess, SeqAccess, Unexpected, Visitor};
use serde::{Deserialize, Deserializer};
use serde_json::value::RawValue;
use std::collections::BTreeSet;
use std::fmt;
use std::marker::PhantomData;

use crate::deckcache::number;
use crate::source::*;
use crate::{Fault, ImportError, limits, sheet};

/// All of it.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct File<'a> {
    pub name: String,
    pub date: Option<String>,
    #[serde(default, deserialize_with = "whole")]
    pub cut_to_top: Option<u32>,
    #[serde(deserialize_with = "count")]
    pub preliminary_rounds: usize,
    #[serde(borrow)]
    pub players: Vec<Player<'a>>,
    #[serde(default, deserialize_with = "seeded")]
    pub elimination_players: Vec<Seeded>,
    pub rounds: Vec<Vec<Match>>,
}

/// A whole number, also between quotation marks, as other programs write it; none where nothing stands there.
fn whole<'de, D: Deserializer<'de>, T: TryFrom<i64>>(reader: D) -> Result<Option<T>, D::Error> {
    struct Whole<T>(PhantomData<T>);
    impl<T: TryFrom<i64>> Visitor<'_> for Whole<T> {
        type Value = Option<T>;
        fn expecting(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
            to.write_str("a whole number")
        }
        fn visit_i64<E: Error>(self, number: i64) -> Result<Option<T>, E> {
            let own = T::try_from(number).ok();
            own.map(Some).ok_or_else(|| E::invalid_value(Unexpected::Signed(number), &self))
        }
        fn visit_u64<E: Error>(self, number: u64) -> Result<Option<T>, E> {
            match i64::try_from(number) {
                Ok(number) => self.visit_i64(number),
                Err(_) => Err(E::invalid_value(Unexpected::Unsigned(number), &self)),
            }
        }
        fn visit_str<E: Error>(self, text: &str) -> Result<Option<T>, E> {
            match text.trim() {
                "" => Ok(None),
                number => match number.parse() {
                    Ok(number) => self.visit_i64(number),
                    Err(_) => Err(E::invalid_value(Unexpected::Str(text), &self)),
                },
            }
        }
        fn visit_unit<E>(self) -> Result<Option<T>, E> {
            Ok(None)
        }
    }
    reader.deserialize_any(Whole::<T>(PhantomData))
}

/// The same where it must stand.
fn count<'de, D: Deserializer<'de>>(reader: D) -> Result<usize, D::Error> {
    whole(reader)?.ok_or_else(|| D::Error::invalid_type(Unexpected::Unit, &"a whole number"))
}

/// Who was in the cut. A program that fills these files too writes `{}` where nobody was.
fn seeded<'de, D: Deserializer<'de>>(reader: D) -> Result<Vec<Seeded>, D::Error> {
    struct Listed;
    impl<'de> Visitor<'de> for Listed {
        type Value = Vec<Seeded>;
        fn expecting(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
            to.write_str("a list of players")
        }
        fn visit_seq<A: SeqAccess<'de>>(self, list: A) -> Result<Vec<Seeded>, A::Error> {
            Vec::deserialize(SeqAccessDeserializer::new(list))
        }
        fn visit_map<A: MapAccess<'de>>(self, mut object: A) -> Result<Vec<Seeded>, A::Error> {
            match object.next_key::<String>()? {
                None => Ok(Vec::new()),
                Some(key) => Err(Error::unknown_field(&key, &[])),
            }
        }
        fn visit_unit<E>(self) -> Result<Vec<Seeded>, E> {
            Ok(Vec::new())
        }
    }
    reader.deserialize_any(Listed)
}

/// A player with their row of the standings.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Player<'a> {
    pub id: Option<Id>,
    pub name: Option<String>,
    #[serde(default, deserialize_with = "whole")]
    pub rank: Option<u32>,
    #[serde(default, deserialize_with = "whole")]
    pub match_points: Option<i64>,
    pub corp_identity: Option<String>,
    pub runner_identity: Option<String>,
    #[serde(borrow)]
    pub strength_of_schedule: Option<&'a RawValue>,
    #[serde(borrow)]
    pub extended_strength_of_schedule: Option<&'a RawValue>,
}

/// Who was in the cut.
#[derive(Deserialize)]
pub struct Seeded {
    pub id: Option<Id>,
    #[serde(default, deserialize_with = "whole")]
    pub seed: Option<u32>,
    #[serde(default, deserialize_with = "whole")]
    pub rank: Option<u32>,
}

/// A match.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Match {
    #[serde(default, deserialize_with = "whole")]
    pub table: Option<u32>,
    #[serde(default)]
    pub player1: Side,
    #[serde(default)]
    pub player2: Side,
    pub intentional_draw: Option<bool>,
    pub two_for_one: Option<bool>,
    pub elimination_game: Option<bool>,
    /// The table, as a program writes it that fills these files too.
    #[serde(default, deserialize_with = "whole")]
    table_number: Option<u32>,
    corp: Option<OneSide>,
    runner: Option<OneSide>,
    corp_player: Option<Id>,
    runner_player: Option<Id>,
    #[serde(default, deserialize_with = "whole")]
    corp_score: Option<i64>,
    #[serde(default, deserialize_with = "whole")]
    runner_score: Option<i64>,
}

/// Who plays one side of a match, as early versions of that program write it.
#[derive(Deserialize)]
struct OneSide {
    id: Option<Id>,
    #[serde(default, deserialize_with = "whole")]
    score: Option<i64>,
}

/// Who sits on one side of it, and their points.
#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Side {
    pub id: Option<Id>,
    #[serde(default, deserialize_with = "whole")]
    pub runner_score: Option<i64>,
    #[serde(default, deserialize_with = "whole")]
    pub corp_score: Option<i64>,
    #[serde(default, deserialize_with = "whole")]
    pub combined_score: Option<i64>,
    pub role: Option<String>,
    pub winner: Option<bool>,
    /// Whether the combined score is not in the file.
    #[serde(skip)]
    pub is_summed: bool,
}

/// Cobra numbers its players; a file without names may have words instead.
#[derive(Deserialize)]
#[serde(untagged)]
pub enum Id {
    Number(i64),
    Word(String),
}

impl Id {
    /// As it stands in the file.
    pub fn key(&self) -> String {
        match self {
            Id::Number(number) => number.to_string(),
            Id::Word(word) => word.trim().to_owned(),
        }
    }
}

/// What stands for a player where there is none.
const NOBODY: [&str; 5] = ["0", "-1", "", "BYE", "(BYE)"];

impl File<'_> {
    /// Gives the matches of all programs that write such files one shape: two sides with their combined score, and
    /// no id where nobody sits.
    pub fn settle(&mut self) {
        let ids: BTreeSet<String> =
            self.players.iter().filter_map(|player| Some(player.id.as_ref()?.key())).collect();
        let is_nobody = |id: &Id| {
            let key = id.key();
            NOBODY.contains(&key.to_uppercase().as_str()) && !ids.contains(&key)
        };
        for game in self.rounds.iter_mut().flatten() {
            game.table = game.table.or(game.table_number);
            game.seat_sides();
            for side in [&mut game.player1, &mut game.player2] {
                side.id.take_if(|id| is_nobody(id));
                let all = [side.runner_score, side.corp_score];
                if side.combined_score.is_none() && side.winner.is_none() && all != [None; 2] {
                    side.combined_score =
                        all.into_iter().flatten().try_fold(0_i64, i64::checked_add);
                    side.is_summed = true;
                }
            }
        }
    }
}

impl Match {
    /// Seats players who stand by their sides, as two players.
    fn seat_sides(&mut self) {
        let corp = self.corp.take().map(|one| (one.id, one.score));
        let corp = corp.or_else(|| Some((Some(self.corp_player.take()?), self.corp_score)));
        let runner = self.runner.take().map(|one| (one.id, one.score));
        let runner = runner.or_else(|| Some((Some(self.runner_player.take()?), self.runner_score)));
        if self.player1.id.is_some() || self.player2.id.is_some() {
            return;
        }
        if let (Some((corp, corp_score)), Some((runner, runner_score))) = (corp, runner) {
            let role = |word: &str| Some(word.to_owned());
            self.player1 = Side { id: corp, corp_score, role: role("corp"), ..Side::default() };
            self.player2 =
                Side { id: runner, runner_score, role: role("runner"), ..Side::default() };
        }
    }

    /// Whether nothing is said of it yet, as where a program writes 0 until a match is played.
    pub fn is_unplayed(&self) -> bool {
        [&self.player1, &self.player2]
            .iter()
            .all(|side| side.is_summed && side.combined_score == Some(0))
    }

    /// Whether it is of the cut.
    pub fn is_elimination(&self) -> bool {
        self.elimination_game == Some(true)
    }
}

impl Player<'_> {
    /// The player's row; none without a rank or points.
    pub fn row(&self, player: usize, place: &str) -> Result<Option<PublishedRow>, ImportError> {
        let named = [
            ("strengthOfSchedule", PublishedMeasure::Sos, self.strength_of_schedule),
            (
                "extendedStrengthOfSchedule",
                PublishedMeasure::Esos,
                self.extended_strength_of_schedule,
            ),
        ];
        let mut values = Vec::new();
        for (key, measure, raw) in named {
            if let Some(raw) = raw {
                let text = number(raw, &format!("{place}.{key}"))?;
                values.push(PublishedValue { measure, text });
            }
        }
        let (Some(rank), Some(points)) = (self.rank, self.match_points) else { return Ok(None) };
        let points_tenths = points.saturating_mul(10);
        Ok(Some(PublishedRow { rank, player, points_tenths, record: None, values }))
    }
}

/// The points at a key.
pub fn points(key: &str, value: Option<i64>, place: &str) -> Result<i32, ImportError> {
    let Some(value) = value else {
        return Err(Fault::Missing { what: key.to_owned() }.at(place));
    };
    sheet::in_limits(value).ok_or_else(|| {
        let max = i64::from(limits::SCORE);
        let (what, found) = (key.to_owned(), value.to_string());
        Fault::OutOfBounds { what, found, min: -max, max }.at(place)
    })
}
