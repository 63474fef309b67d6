//! What stands in the file, in its own words, each with the element that says it.

use super::division::Division;
use crate::build::{Oddities, Players};
use crate::xml::Element;
use crate::{Fault, ImportError, limits};
use scrutineer_engine::limits::TABLE;
use std::collections::BTreeMap;

/// A tournament as TOM keeps it.
pub(super) struct Tom<'t> {
    pub root: &'t Element<'t>,
    pub system: System,
    pub players: Vec<Player<'t>>,
    /// The same players with their names, for messages and for what is told of the file.
    pub list: Players,
    pub pods: Vec<Pod<'t>>,
    /// The first pod of each player.
    pub pod_of: Vec<Option<usize>>,
}

/// How many Swiss rounds TOM has for up to so many players of a pod's largest division, without a cut and before
/// one; behind the last row there is one more.
const SWISS_ALONE: [(usize, usize); 7] =
    [(8, 3), (16, 4), (32, 5), (64, 6), (128, 7), (256, 8), (512, 9)];
const BEFORE_CUT: [(usize, usize); 7] =
    [(8, 3), (12, 4), (32, 5), (64, 6), (128, 7), (226, 8), (409, 9)];

/// The status of somebody who left, and of somebody who was disqualified.
pub(super) const LEFT: &str = "1";
pub(super) const DISQUALIFIED: &str = "2";

/// The category of a pod of all divisions.
const OF_ALL: u8 = 10;

/// The most pods: TOM has one for each category.
const PODS: usize = 64;

/// How it is played, by the root's `type`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum System {
    SingleElimination,
    Swiss,
    SwissAndCut,
}

impl System {
    /// The `type` of the root, and of its Swiss rounds.
    pub fn code(self) -> u8 {
        match self {
            System::SingleElimination => 1,
            System::Swiss => 2,
            System::SwissAndCut => 3,
        }
    }
}

pub(super) struct Player<'t> {
    pub element: &'t Element<'t>,
    pub id: &'t str,
    pub year_of_birth: Option<u16>,
    pub seed: Option<u32>,
    pub dropped: Option<Dropped<'t>>,
}

/// Who left, after which round of their pod.
pub(super) struct Dropped<'t> {
    pub element: &'t Element<'t>,
    pub status: &'t str,
    /// None where the file does not say it.
    pub round: Option<u16>,
}

/// Players who are paired with each other.
pub(super) struct Pod<'t> {
    pub element: &'t Element<'t>,
    pub category: Option<u8>,
    /// Who is listed in it, and who plays in it without being listed.
    pub roster: Vec<usize>,
    pub rounds: Vec<Round<'t>>,
}

impl<'t> Pod<'t> {
    /// How many rounds come before the cut.
    pub fn swiss(&self) -> usize {
        self.rounds.iter().take_while(|round| !round.is_cut).count()
    }

    /// The divisions whose players it may have.
    pub fn divisions(&self) -> &'static [Division] {
        use Division::{Junior, Master, Senior};
        match self.category {
            Some(0) => &[Junior],
            Some(1) => &[Senior],
            Some(2) => &[Master],
            Some(8) => &[Junior, Senior],
            Some(9) => &[Senior, Master],
            _ => &Division::ALL,
        }
    }

    /// Its divisions in words, for the names of rounds.
    pub fn name(&self) -> String {
        let words: Vec<&str> = self.divisions().iter().map(|one| one.word()).collect();
        words.join(" and ")
    }
}

pub(super) struct Round<'t> {
    pub element: &'t Element<'t>,
    /// Its number in its pod; numbers run on through the cut.
    pub number: u16,
    pub is_cut: bool,
    pub matches: Vec<Match<'t>>,
}

impl Round<'_> {
    /// Whether everybody has a result.
    pub fn is_complete(&self) -> bool {
        self.matches.iter().all(|one| one.outcome != OPEN)
    }
}

pub(super) struct Match<'t> {
    pub element: &'t Element<'t>,
    pub outcome: u8,
    /// One or two.
    pub players: Vec<usize>,
    pub table: Option<u32>,
}

/// The outcome of a match without a result.
pub(super) const OPEN: u8 = 0;
/// Those of a match of two, and of somebody alone.
const OF_TWO: [u8; 7] = [OPEN, 1, 2, 3, 6, 9, 10];
const OF_ONE: [u8; 3] = [4, 5, 8];

impl<'t> Tom<'t> {
    /// Reads what stands in a tree.
    pub fn read(root: &'t Element<'t>, oddities: &mut Oddities) -> Result<Tom<'t>, ImportError> {
        let mut tom = Tom {
            root,
            system: system(root)?,
            players: Vec::new(),
            list: Players::default(),
            pods: Vec::new(),
            pod_of: Vec::new(),
        };
        let mut places: BTreeMap<&str, String> = BTreeMap::new();
        for element in root.list("players", "player") {
            let player = player(element, oddities)?;
            if let Some(other) = places.insert(player.id, element.place()) {
                let (player, round) = (player.id.to_owned(), "the list of players".to_owned());
                return Err(Fault::TwiceInRound { player, round, other }.at(element.place()));
            }
            let part = |name| element.value(name).unwrap_or_default();
            let name = format!("{} {}", part("firstname"), part("lastname"));
            let name = if name.trim().is_empty() { player.id } else { name.trim() };
            tom.list.add(player.id, name, &element.place())?;
            tom.players.push(player);
        }
        for element in root.list("pods", "pod") {
            if tom.pods.len() >= PODS {
                return Err(Fault::TooMany { what: "pods", limit: PODS }.at(element.place()));
            }
            let pod = tom.pod(element, oddities)?;
            tom.pods.push(pod);
        }
        tom.pod_of = vec![None; tom.players.len()];
        for (at, pod) in tom.pods.iter().enumerate() {
            pod.roster.iter().for_each(|player| {
                tom.pod_of[*player].get_or_insert(at);
            });
        }
        Ok(tom)
    }

    fn pod(
        &self,
        element: &'t Element<'t>,
        oddities: &mut Oddities,
    ) -> Result<Pod<'t>, ImportError> {
        let word = element.attribute("category");
        let category = word.and_then(|word| word.parse().ok());
        let category = category.filter(|code| matches!(code, 0..=2 | 8..=10));
        if category.is_none() {
            let word = crate::error::shortened(word.unwrap_or_default());
            let sentence = format!("The category {word:?} of the pod is none of TOM's.");
            oddities.add(&element.place(), sentence);
        }
        let mut pod = Pod { element, category, roster: Vec::new(), rounds: Vec::new() };
        let mut is_in = vec![false; self.players.len()];
        let mut enter = |roster: &mut Vec<usize>, player: usize| {
            if !std::mem::replace(&mut is_in[player], true) {
                roster.push(player);
            }
        };
        for group in element.list("subgroups", "subgroup") {
            for one in group.list("players", "player") {
                enter(&mut pod.roster, self.known(one)?);
            }
        }
        for (at, element) in element.list("rounds", "round").enumerate() {
            if at >= limits::ROUNDS {
                let fault = Fault::TooMany { what: "rounds", limit: limits::ROUNDS };
                return Err(fault.at(element.place()));
            }
            let round = self.round(at, element, oddities)?;
            if !round.is_cut && pod.rounds.iter().any(|before| before.is_cut) {
                let (what, found) = ("the type of the round".into(), "Swiss".into());
                let expected = "1, as of the round of the cut before".into();
                return Err(Fault::BadValue { what, found, expected }.at(element.place()));
            }
            for player in round.matches.iter().flat_map(|one| &one.players) {
                enter(&mut pod.roster, *player);
            }
            pod.rounds.push(round);
        }
        Ok(pod)
    }

    fn round(
        &self,
        at: usize,
        element: &'t Element<'t>,
        oddities: &mut Oddities,
    ) -> Result<Round<'t>, ImportError> {
        let place = at + 1;
        let number = match element.attribute("number") {
            None => place as u16,
            Some(word) => number(word, "the number of the round", element)?,
        };
        if usize::from(number) != place {
            let sentence = format!("Round {number} stands as round {place} of its pod.");
            oddities.add(&element.place(), sentence);
        }
        let is_cut = match element.attribute("type") {
            None => {
                oddities.add(&element.place(), "The round has no type: it is one of its kind.");
                self.system == System::SingleElimination
            }
            Some("1") => true,
            Some("2" | "3") => false,
            Some(found) => {
                let (what, found) = ("the type of the round".into(), found.into());
                let expected = "1 (of a cut), 2 or 3 (Swiss)".into();
                return Err(Fault::BadValue { what, found, expected }.at(element.place()));
            }
        };
        let mut matches = Vec::new();
        for element in element.list("matches", "match") {
            if matches.len() >= limits::TABLES {
                let fault = Fault::TooMany { what: "matches", limit: limits::TABLES };
                return Err(fault.at(element.place()));
            }
            matches.push(self.one(element)?);
        }
        Ok(Round { element, number, is_cut, matches })
    }

    fn one(&self, element: &'t Element<'t>) -> Result<Match<'t>, ImportError> {
        let seats = element.children.iter();
        let mut seats: Vec<&Element<'t>> =
            seats.filter(|one| matches!(one.name, "player" | "player1" | "player2")).collect();
        seats.sort_by_key(|seat| seat.name);
        // Some programs write an opponent without an id where there is none.
        seats.retain(|seat| seat.name != "player2" || seat.attribute("userid").is_some());
        let codes: &[u8] = match seats[..] {
            [_] => &OF_ONE,
            [_, _] => &OF_TWO,
            _ => {
                let (what, found) = ("the players of the match".into(), seats.len().to_string());
                let expected = "one player, or player1 and player2".into();
                return Err(Fault::BadValue { what, found, expected }.at(element.place()));
            }
        };
        let word = element.attribute("outcome").unwrap_or_default();
        let outcome = word.parse().ok().filter(|outcome| codes.contains(outcome));
        let outcome = outcome.ok_or_else(|| {
            let (what, found) = ("the outcome of the match".to_owned(), word.to_owned());
            let expected = match seats.len() {
                1 => "4 or 5 (a bye) or 8 (a loss), since there is one player",
                _ => "0 (open), 1, 2, 3 (a tie), 6, 9 or 10, since there are two players",
            };
            let expected = expected.to_owned();
            Fault::BadValue { what, found, expected }.at(element.place())
        })?;
        let players = seats.into_iter().map(|seat| self.known(seat)).collect::<Result<_, _>>()?;
        let table = match element.value("tablenumber") {
            None => None,
            Some(word) => {
                let found: u32 = number(word, "the table", element)?;
                if found > TABLE {
                    let (what, found) = ("the table".into(), found.to_string());
                    let fault = Fault::OutOfBounds { what, found, min: 0, max: TABLE.into() };
                    return Err(fault.at(element.place()));
                }
                Some(found).filter(|table| *table > 0)
            }
        };
        Ok(Match { element, outcome, players, table })
    }

    /// The player whom an element names.
    fn known(&self, element: &Element<'_>) -> Result<usize, ImportError> {
        let id = element.attribute("userid").or(element.attribute("id")).unwrap_or_default();
        let unknown = || Fault::UnknownPlayer { name: id.to_owned() }.at(element.place());
        self.list.known(id).ok_or_else(unknown)
    }

    /// Final places: who, in which category, in which place, and whether they did not finish.
    pub fn standings(&self) -> Result<Vec<Standing>, ImportError> {
        let mut standings = Vec::new();
        for pod in self.root.list("standings", "pod") {
            let category = pod.attribute("category").and_then(|word| word.parse().ok());
            let is_finished = pod.attribute("type") != Some("dnf");
            for element in pod.all("player") {
                let player = self.known(element)?;
                let place = match element.attribute("place") {
                    Some(word) if is_finished => Some(number(word, "the place", element)?),
                    _ => None,
                };
                standings.push(Standing { player, category, place, is_finished });
            }
        }
        Ok(standings)
    }

    /// How many Swiss rounds TOM has for a pod: by its largest division, as that was when TOM configured it, since
    /// whoever comes late adds no round.
    pub fn swiss_rounds(&self, pod: &Pod<'_>, divisions: &[Option<Division>]) -> usize {
        let of = |division: &Division| {
            let is_own = |at: &&usize| divisions.get(**at) == Some(&Some(*division));
            let here = || pod.roster.iter().filter(is_own).count();
            self.configured(pod, *division).unwrap_or_else(here)
        };
        let largest = pod.divisions().iter().map(of).max().unwrap_or(0);
        let players = if largest == 0 { pod.roster.len() } else { largest };
        let table = match self.system {
            System::Swiss => SWISS_ALONE,
            System::SingleElimination | System::SwissAndCut => BEFORE_CUT,
        };
        let found = table.iter().find(|(up_to, _)| players <= *up_to).map(|(_, rounds)| *rounds);
        let is_less = self.root.child("data").and_then(|data| data.value("lessswiss"));
        let less = usize::from(is_less == Some("true"));
        let data = pod.element.child("poddata");
        let more = data.and_then(|data| data.value("additionalrounds")?.parse::<usize>().ok());
        let more = more.unwrap_or(0).min(limits::ROUNDS);
        (found.unwrap_or(10) + more).saturating_sub(less).max(1)
    }

    /// How many players a division of a pod had when TOM configured it; none where the file does not say it. Where one
    /// pod has all divisions, it says the number of all at the juniors.
    fn configured(&self, pod: &Pod<'_>, division: Division) -> Option<usize> {
        pod.category.filter(|category| *category != OF_ALL)?;
        let own = self.root.list("finalsoptions", "categorycut").find(|element| {
            let key: Option<u8> = element.attribute("key").and_then(|key| key.parse().ok());
            key.and_then(Division::of_code) == Some(division)
        })?;
        own.value("playercount")?.parse::<usize>().ok().filter(|count| *count > 0)
    }

    /// How many players of each division the cut is for, where that is more than nobody.
    pub fn cuts(&self) -> Vec<(Option<Division>, u32)> {
        let cuts = self.root.list("finalsoptions", "categorycut").filter_map(|element| {
            let size = element.value("cut")?.parse().ok().filter(|size| *size > 1)?;
            let key = element.attribute("key").and_then(|key| key.parse().ok());
            Some((key.and_then(Division::of_code), size))
        });
        cuts.collect()
    }
}

/// A place in the final standings.
pub(super) struct Standing {
    pub player: usize,
    pub category: Option<u8>,
    pub place: Option<u32>,
    pub is_finished: bool,
}

fn system(root: &Element<'_>) -> Result<System, ImportError> {
    match root.attribute("type") {
        Some("1") => Ok(System::SingleElimination),
        Some("2") => Ok(System::Swiss),
        Some("3") => Ok(System::SwissAndCut),
        found => {
            let what = "the type of the tournament".into();
            let found = found.unwrap_or_default().into();
            let expected = "1 (single elimination), 2 (Swiss) or 3 (Swiss and a cut)".into();
            Err(Fault::BadValue { what, found, expected }.at(root.place()))
        }
    }
}

fn player<'t>(
    element: &'t Element<'t>,
    oddities: &mut Oddities,
) -> Result<Player<'t>, ImportError> {
    let Some(id) = element.attribute("userid") else {
        return Err(Fault::Missing { what: "the userid of the player".into() }.at(element.place()));
    };
    // Only the year is looked at, and nothing of it is kept.
    let year = |date: &str| {
        let parts = date.split(['/', '-', '.']);
        parts.map(str::trim).find(|part| part.len() == 4).and_then(|year| year.parse().ok())
    };
    let seed = element.value("seed").and_then(|word| word.parse().ok()).filter(|seed| *seed > 0);
    let left = element.child("dropped").filter(|left| left.value("status") != Some("0"));
    let dropped = match left {
        None => None,
        Some(left) => {
            let status = left.value("status").unwrap_or(LEFT);
            if ![LEFT, DISQUALIFIED].contains(&status) {
                let status = crate::error::shortened(status);
                let sentence = format!("The status {status:?} is read as having left.");
                oddities.add(&left.place(), sentence);
            }
            let round = left.value("round");
            let round =
                round.map(|word| number(word, "the round of the drop", left)).transpose()?;
            Some(Dropped { element: left, status, round })
        }
    };
    Ok(Player {
        element,
        id,
        year_of_birth: element.value("birthdate").and_then(year),
        seed,
        dropped,
    })
}

/// A whole number that stands at an element.
fn number<T: std::str::FromStr>(
    word: &str,
    what: &str,
    element: &Element<'_>,
) -> Result<T, ImportError> {
    word.parse().map_err(|_| {
        let (what, found) = (what.to_owned(), crate::error::shortened(word));
        Fault::BadValue { what, found, expected: "a whole number".into() }.at(element.place())
    })
}
