//! Forgetting a person: which private texts of a tournament are theirs or name them.
//!
//! The log holds commitments only, so whoever empties the texts has left nothing of them in it.

mod everywhere;
mod mention;

pub use everywhere::{Elsewhere, elsewhere};
pub use mention::Known;

use mention::Mention;
use scrutineer_engine::book::{Book, Field};
use scrutineer_engine::event::{Event, PlayerNumber, Ref, Seq};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

/// Why a text is emptied, or might be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PairingReason {
    /// It is their name, their id, or a member of their team.
    His,
    /// Their name or their id stands in it.
    NamesHim,
    /// Somebody asked for it.
    Asked,
    /// Only a part of their name stands in it, so that somebody else may be meant.
    PartOfName,
    /// It belongs to an event about them: a penalty, a dispute, a note about one of these.
    AboutHim,
    /// Their name is not known any more, so nobody can say whether a part of it stands in it.
    NameGone,
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
    pub because: PairingReason,
}

/// What forgetting a player would do to one tournament.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plan {
    /// Who it is here; none: they only stands in words.
    pub person: Option<Person>,
    /// By what they are known: names, former names, ids, members.
    pub known: Known,
    /// What is emptied, by number.
    pub emptied: Vec<Text>,
    /// What stays unless somebody asks for it, since nobody but people can say whether they are meant.
    pub staying: Vec<Text>,
    /// Other players who are called the same; their names stay.
    pub namesakes: Vec<PlayerNumber>,
}

impl Plan {
    /// The numbers of the entries that are emptied.
    pub fn numbers(&self) -> Vec<u32> {
        self.emptied.iter().map(|text| text.entry).collect()
    }
}

/// Somebody whose name has a place of its own in a tournament.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Person {
    /// A player, or a team with its members.
    Player(PlayerNumber),
    /// A judge or handler, by the number in the envelope of what they recorded.
    Staff(u32),
}

impl fmt::Display for Person {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Person::Player(number) => write!(f, "player {number}"),
            Person::Staff(actor) => write!(f, "actor {actor}"),
        }
    }
}

impl Person {
    /// Their number, where they are a player.
    #[must_use]
    pub const fn player(self) -> Option<PlayerNumber> {
        match self {
            Person::Player(number) => Some(number),
            Person::Staff(_) => None,
        }
    }
}

scrutineer_engine::errors! {
    /// Why a plan cannot be made.
    #[derive(Clone, PartialEq, Eq)]
    pub enum ForgetError -> &'static str {
        /// Texts of theirs are gone from the book, and a copy may have them.
        Lost { texts: usize } = damaged "words-lost",
            "the private texts have lost texts of theirs: {texts}",
            "bring them back first, `scrutineer restore --from <mirror or backup>`: forgotten now, \
             they would come back with a copy";
        /// There is no such entry, or it is empty.
        NoSuchEntry { entry: u32 } = not_found "no-such-entry",
            "the private texts of this tournament have no entry {entry} with a text",
            "--dry-run lists the entries";
        /// The entry is somebody else's.
        AnothersEntry { entry: u32, owner: Person } = invalid "anothers-entry",
            "entry {entry} belongs to {owner}", "forget that person themselves";
        /// Neither does the entry name them nor is it about them.
        NotAboutPerson { entry: u32, listed: Vec<u32> } = invalid "not-about-person",
            ["entry {entry} neither names them nor is about them; {}", may_be(.listed)],
            "--dry-run lists them with their words";
    }
}

fn may_be(listed: &[u32]) -> String {
    match listed {
        [] => "there is none that may".into(),
        [one] => format!("entry {one} may"),
        several => {
            let several: Vec<String> = several.iter().map(u32::to_string).collect();
            format!("entries {} may", several.join(", "))
        }
    }
}

/// What an entry is of somebody.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Part {
    Name,
    Id,
    Member,
}

/// Whose entries of the book these are, and to which event of the log each belongs.
#[derive(Debug, Default)]
pub(crate) struct Owners {
    /// By entry: whose it is, and what it is of them.
    of: BTreeMap<u32, (Person, Part)>,
    seqs: BTreeMap<u32, Seq>,
    /// The players that an event is about, by itself or by an event that it names.
    about: BTreeMap<Seq, BTreeSet<PlayerNumber>>,
}

impl Owners {
    pub(crate) fn take(&mut self, seq: Seq, event: &Event) {
        for (_, commitment) in event.commitments() {
            self.seqs.entry(commitment.number).or_insert(seq);
        }
        self.note_about(seq, event);
        match event {
            Event::PlayerEnrolled(enrolled) => {
                let player = Person::Player(enrolled.player);
                self.of.insert(enrolled.name.number, (player, Part::Name));
                if let Some(id) = &enrolled.publisher_id {
                    self.of.insert(id.number, (player, Part::Id));
                }
                for member in &enrolled.members {
                    self.of.insert(member.number, (player, Part::Member));
                }
            }
            Event::PlayerIdentified(identified) => {
                let player = Person::Player(identified.player);
                self.of.insert(identified.name.number, (player, Part::Name));
            }
            Event::PlayerIdCorrected(corrected) => {
                let player = Person::Player(corrected.player);
                if let Some(id) = &corrected.publisher_id {
                    self.of.insert(id.number, (player, Part::Id));
                }
            }
            Event::StaffNamed(named) => {
                self.of.insert(named.name.number, (Person::Staff(named.actor), Part::Name));
            }
            _ => {}
        }
    }

    fn note_about(&mut self, seq: Seq, event: &Event) {
        let mut players = BTreeSet::new();
        match event {
            // Lists of everybody say nothing about one of them.
            Event::PhaseStarted(started) => {
                players.extend(started.passed_over.iter().map(|over| over.player));
            }
            Event::LotsDrawn(_) | Event::StandingsAnnounced(_) => {}
            event => event.clone().each_ref(&mut |found| match found {
                Ref::Player(player) => players.extend([*player]),
                Ref::Event(other) => players.extend(self.about.get(other).into_iter().flatten()),
                Ref::Words(..) => {}
            }),
        }
        if !players.is_empty() {
            self.about.insert(seq, players);
        }
    }

    fn is_about(&self, seq: Option<Seq>, person: Option<Person>) -> bool {
        let player = person.and_then(Person::player);
        let players = seq.and_then(|seq| self.about.get(&seq));
        player.zip(players).is_some_and(|(player, players)| players.contains(&player))
    }

    pub(crate) fn of<'a>(log: impl IntoIterator<Item = (Seq, &'a Event)>) -> Owners {
        let mut owners = Owners::default();
        log.into_iter().for_each(|(seq, event)| owners.take(seq, event));
        owners
    }

    /// By what somebody is known in their own entries.
    pub(crate) fn known(&self, book: &Book, person: Person) -> Known {
        let mut known = Known::default();
        for entry in book.entries() {
            match self.of.get(&entry.number) {
                Some((owner, part)) if *owner == person => known.add(*part, &entry.text),
                _ => {}
            }
        }
        known
    }

    pub(crate) fn players(&self) -> BTreeSet<PlayerNumber> {
        self.of.values().filter_map(|(person, _)| person.player()).collect()
    }

    /// The staff who are called this, as somebody typed it.
    pub(crate) fn staff(&self, book: &Book, known: &Known) -> Vec<Person> {
        let staff = self.of.iter().filter(|(_, (person, _))| matches!(person, Person::Staff(_)));
        let called = staff.filter(|(entry, _)| {
            book.entry(**entry).is_some_and(|entry| known.is_exactly(&entry.text))
        });
        called.map(|(_, (person, _))| *person).collect::<BTreeSet<_>>().into_iter().collect()
    }
}

/// The judges and scorekeepers of a tournament who are called this.
pub fn staff_called<'a>(
    log: impl IntoIterator<Item = (Seq, &'a Event)>,
    book: &Book,
    name: &str,
) -> Vec<Person> {
    Owners::of(log).staff(book, &Known::by_name(name))
}

/// What forgetting somebody would do to a tournament: a player, one of the staff, or neither, such as a
/// member of a team, with the name that somebody typed. `also` are entries that are emptied besides:
/// of those that stay otherwise.
///
/// # Errors
/// Where one of these does not exist, is somebody else's, or has nothing to do with them.
pub fn plan<'a>(
    log: impl IntoIterator<Item = (Seq, &'a Event)>,
    book: &Book,
    person: Option<Person>,
    name: &str,
    also: &[u32],
) -> Result<Plan, ForgetError> {
    let owners = Owners::of(log);
    let is_his = |owner: &Person| Some(*owner) == person;
    let his = owners.of.iter().filter(|(_, (owner, _))| is_his(owner));
    match his.filter(|(entry, _)| book.lost(**entry)).count() {
        0 => {}
        texts => return Err(ForgetError::Lost { texts }),
    }
    for &entry in also {
        book.entry(entry).ok_or(ForgetError::NoSuchEntry { entry })?;
        let owner = owners.of.get(&entry).map(|(owner, _)| *owner);
        if let Some(owner) = owner.filter(|owner| Some(*owner) != person) {
            return Err(ForgetError::AnothersEntry { entry, owner });
        }
    }
    let mut known = Known::by_name(name);
    known.extend(person.map_or(Known::default(), |person| owners.known(book, person)));
    let plan = planned(&owners, book, person, known, also);
    let is_listed = |entry: &u32| plan.emptied.iter().any(|text| text.entry == *entry);
    if let Some(&entry) = also.iter().find(|entry| !is_listed(entry)) {
        let asked = plan.emptied.iter().filter(|text| text.because == PairingReason::Asked);
        let listed: BTreeSet<u32> = asked.chain(&plan.staying).map(|text| text.entry).collect();
        let listed = listed.into_iter().collect();
        return Err(ForgetError::NotAboutPerson { entry, listed });
    }
    Ok(plan)
}

/// Whether a book holds anything that may be theirs, so that its log is worth reading.
pub fn mentions(book: &Book, known: &Known) -> bool {
    book.entries().any(|entry| known.is_in(&entry.text))
}

/// Goes through the book for somebody who is known by these words.
pub(crate) fn planned(
    owners: &Owners,
    book: &Book,
    person: Option<Person>,
    known: Known,
    also: &[u32],
) -> Plan {
    let (mut emptied, mut staying, mut namesakes) = (Vec::new(), Vec::new(), BTreeSet::new());
    let name_gone = known.is_empty() && person.is_some();
    for entry in book.entries() {
        let owner = owners.of.get(&entry.number).copied();
        let mention = known.mention(&entry.text);
        let seq = owners.seqs.get(&entry.number).copied();
        let because = match owner {
            Some((owner, _)) if Some(owner) == person => PairingReason::His,
            // They play for a team, or judges too.
            Some((_, Part::Member) | (Person::Staff(_), _)) if mention == Mention::Exactly => {
                PairingReason::NamesHim
            }
            // Nobody else's name is emptied, also where it has theirs in it.
            Some((owner, _)) => {
                namesakes.extend(owner.player().filter(|_| mention == Mention::Exactly));
                continue;
            }
            None => match mention {
                Mention::Exactly | Mention::Whole => PairingReason::NamesHim,
                Mention::Part => PairingReason::PartOfName,
                Mention::None if owners.is_about(seq, person) => PairingReason::AboutHim,
                Mention::None if name_gone && is_words(entry.field) => PairingReason::NameGone,
                Mention::None => continue,
            },
        };
        let stays = matches!(
            because,
            PairingReason::PartOfName | PairingReason::AboutHim | PairingReason::NameGone
        );
        let is_asked = stays && also.contains(&entry.number);
        let because = if is_asked { PairingReason::Asked } else { because };
        let text = Text {
            entry: entry.number,
            field: entry.field,
            seq,
            text: entry.text.clone(),
            because,
        };
        if stays && !is_asked { staying.push(text) } else { emptied.push(text) }
    }
    Plan { person, known, emptied, staying, namesakes: namesakes.into_iter().collect() }
}

/// Words that somebody wrote, which may name anybody.
const fn is_words(field: Field) -> bool {
    matches!(field, Field::Title | Field::Reason | Field::Note | Field::File)
}
