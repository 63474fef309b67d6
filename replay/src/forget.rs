//! Forgetting a person: which private texts of an event are his or name him.
//!
//! The log holds commitments only, so whoever empties the texts has left nothing of him in it.

mod everywhere;
mod mention;

pub use everywhere::{Elsewhere, elsewhere};
pub use mention::Known;

use mention::Mention;
use scrutineer_engine::book::{Book, Field};
use scrutineer_engine::event::{Event, PlayerNumber, Seq};
use std::collections::{BTreeMap, BTreeSet};

/// Why a text is emptied, or might be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Because {
    /// It is his name, his id, or a member of his team.
    His,
    /// His name or his id stands in it.
    NamesHim,
    /// Somebody asked for it.
    Asked,
    /// Only a part of his name stands in it, so that somebody else may be meant.
    PartOfName,
}

/// A private text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Text {
    /// Its number in the book.
    pub entry: u32,
    /// What it is.
    pub field: Field,
    /// The event of the log that it belongs to; none: no event does.
    pub seq: Option<Seq>,
    /// The words.
    pub text: String,
    /// Why it is listed.
    pub because: Because,
}

/// What forgetting a player would do to one event.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plan {
    /// The player; none: he only stands in words here.
    pub player: Option<PlayerNumber>,
    /// By what he is known: names, former names, ids, members.
    pub known: Known,
    /// What is emptied, by number.
    pub emptied: Vec<Text>,
    /// What stays, since only a part of his name stands in it.
    pub partly: Vec<Text>,
    /// Other players who are called the same; their names stay.
    pub namesakes: Vec<PlayerNumber>,
}

impl Plan {
    /// The numbers of the entries that are emptied.
    pub fn numbers(&self) -> Vec<u32> {
        self.emptied.iter().map(|text| text.entry).collect()
    }
}

/// Why a plan cannot be made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ForgetError {
    /// There is no such entry, or it is empty.
    #[error("the private book of this event has no entry {entry} with a text")]
    NoSuchEntry {
        /// Its number.
        entry: u32,
    },
    /// The entry is another player's.
    #[error("entry {entry} belongs to player {player}")]
    AnothersEntry {
        /// Its number.
        entry: u32,
        /// Whose it is.
        player: PlayerNumber,
    },
}

impl ForgetError {
    /// The stable code.
    pub const fn code(&self) -> &'static str {
        match self {
            ForgetError::NoSuchEntry { .. } => "no-such-entry",
            ForgetError::AnothersEntry { .. } => "anothers-entry",
        }
    }

    /// What to do next.
    pub const fn hint(&self) -> &'static str {
        match self {
            ForgetError::NoSuchEntry { .. } => "--dry-run lists the entries",
            ForgetError::AnothersEntry { .. } => "forget that player himself",
        }
    }
}

/// What an entry is of a player.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Part {
    Name,
    Id,
    Member,
}

/// Whose entries of the book these are, and to which event of the log each belongs.
#[derive(Debug, Default)]
pub(crate) struct Owners {
    /// By entry: the player whose it is, and what it is of him.
    of: BTreeMap<u32, (PlayerNumber, Part)>,
    seqs: BTreeMap<u32, Seq>,
}

impl Owners {
    pub(crate) fn take(&mut self, seq: Seq, event: &Event) {
        for (_, commitment) in event.commitments() {
            self.seqs.entry(commitment.number).or_insert(seq);
        }
        match event {
            Event::PlayerEnrolled(enrolled) => {
                let player = enrolled.player;
                self.of.insert(enrolled.name.number, (player, Part::Name));
                if let Some(id) = &enrolled.publisher_id {
                    self.of.insert(id.number, (player, Part::Id));
                }
                for member in &enrolled.members {
                    self.of.insert(member.number, (player, Part::Member));
                }
            }
            Event::PlayerIdentified(identified) => {
                self.of.insert(identified.name.number, (identified.player, Part::Name));
            }
            _ => {}
        }
    }

    pub(crate) fn of<'a>(log: impl IntoIterator<Item = (Seq, &'a Event)>) -> Owners {
        let mut owners = Owners::default();
        log.into_iter().for_each(|(seq, event)| owners.take(seq, event));
        owners
    }

    /// By what a player is known in his own entries.
    pub(crate) fn known(&self, book: &Book, player: PlayerNumber) -> Known {
        let mut known = Known::default();
        for entry in book.entries() {
            match self.of.get(&entry.number) {
                Some((owner, part)) if *owner == player => known.add(*part, &entry.text),
                _ => {}
            }
        }
        known
    }

    pub(crate) fn players(&self) -> BTreeSet<PlayerNumber> {
        self.of.values().map(|(player, _)| *player).collect()
    }
}

/// What forgetting somebody would do to an event: a player, or nobody who plays by himself, such as
/// a member of a team, with the name that somebody typed. `also` are entries that are emptied
/// besides.
///
/// # Errors
/// Where one of these does not exist or is another player's.
pub fn plan<'a>(
    log: impl IntoIterator<Item = (Seq, &'a Event)>,
    book: &Book,
    player: Option<PlayerNumber>,
    name: &str,
    also: &[u32],
) -> Result<Plan, ForgetError> {
    let owners = Owners::of(log);
    for &entry in also {
        book.entry(entry).ok_or(ForgetError::NoSuchEntry { entry })?;
        let owner = owners.of.get(&entry).map(|(owner, _)| *owner);
        if let Some(other) = owner.filter(|owner| Some(*owner) != player) {
            return Err(ForgetError::AnothersEntry { entry, player: other });
        }
    }
    let mut known = Known::by_name(name);
    known.extend(player.map_or(Known::default(), |player| owners.known(book, player)));
    Ok(planned(&owners, book, player, known, also))
}

/// Whether a book holds anything that may be his, so that its log is worth reading.
pub fn mentions(book: &Book, known: &Known) -> bool {
    book.entries().any(|entry| known.is_in(&entry.text))
}

/// Goes through the book for somebody who is known by these words.
pub(crate) fn planned(
    owners: &Owners,
    book: &Book,
    player: Option<PlayerNumber>,
    known: Known,
    also: &[u32],
) -> Plan {
    let (mut emptied, mut partly, mut namesakes) = (Vec::new(), Vec::new(), BTreeSet::new());
    for entry in book.entries() {
        let owner = owners.of.get(&entry.number).copied();
        let mention = known.mention(&entry.text);
        let because = match owner {
            Some((owner, _)) if Some(owner) == player => Because::His,
            // He plays for a team.
            Some((_, Part::Member)) if mention == Mention::Exactly => Because::NamesHim,
            // Nobody else's name is emptied, also where it has his in it.
            Some((owner, _)) => {
                namesakes.extend((mention == Mention::Exactly).then_some(owner));
                continue;
            }
            None if also.contains(&entry.number) => Because::Asked,
            None => match mention {
                Mention::Exactly | Mention::Whole => Because::NamesHim,
                Mention::Part => Because::PartOfName,
                Mention::None => continue,
            },
        };
        let text = Text {
            entry: entry.number,
            field: entry.field,
            seq: owners.seqs.get(&entry.number).copied(),
            text: entry.text.clone(),
            because,
        };
        if because == Because::PartOfName { partly.push(text) } else { emptied.push(text) }
    }
    Plan { player, known, emptied, partly, namesakes: namesakes.into_iter().collect() }
}
