//! The Swiss rounds as manatraders.com answers them: an object with the matches of each round.

use super::{DeckCache, File, Match, Round, Tournament, assemble};
use crate::build::stem;
use crate::json::Json;
use crate::source::Source;
use crate::{Fault, Format, ImportError};

/// Those answers.
pub(crate) struct ManaTraders;

impl Format for ManaTraders {
    fn name(&self) -> &'static str {
        "manatraders json"
    }

    fn detect(&self, file: &crate::File) -> bool {
        let has = |word: &str| file.text.is_some_and(|text| text.contains(word));
        !file.keys.is_empty()
            && ["\"p1\"", "\"p2\"", "\"res\""].into_iter().all(has)
            && !DeckCache.detect(file)
    }

    fn read(&self, file: &crate::File) -> Result<Source, ImportError> {
        let json = Json::read(file.text()?)?;
        let mut rounds = Vec::new();
        for (name, node) in json.root().entries() {
            let mut matches = Vec::new();
            for game in node.items()? {
                let of = |key: &str| game.text_at(key).map(|name| name.map(str::to_owned));
                let missing = || Fault::Missing { what: "res".into() }.at(game.place.as_str());
                let result = game.text_at("res")?.ok_or_else(missing)?.to_owned();
                matches.push(Match { player1: of("p1")?, player2: of("p2")?, result });
            }
            rounds.push(Round { round_name: name.to_owned(), matches });
        }
        // Keys of an object have no order of their own: numbers tell it where all have one.
        let number = |round: &Round| round.round_name.rsplit(' ').next()?.parse::<u32>().ok();
        if rounds.iter().all(|round| number(round).is_some()) {
            rounds.sort_by_key(number);
        }
        let title = stem(file.name);
        let tournament =
            Tournament { date: None, name: title, uri: "https://www.manatraders.com".to_owned() };
        let source = assemble(File { tournament, rounds, standings: None, decks: None })?;
        let identity = format!("manatraders {}", source.title);
        Ok(Source { identity, format: "manatraders json".to_owned(), ..source })
    }
}
