//! Who signs up: names that can be used, and lists of players as files.

use super::{Desk, DeskError, Done, Enrolment, Objection, open_round};
use scrutineer_engine::book::{Book, Commitment, Field, Opened};
use scrutineer_engine::event::{
    Event, NoteAdded, PlayerDescribed, PlayerDivisionChanged, PlayerIdCorrected, PlayerIdentified,
    PlayerNumber, PlayerRated,
};
use scrutineer_engine::limits;
use scrutineer_engine::names::{folded, listed};
use scrutineer_engine::tournament::{Player, Tournament};
use scrutineer_projections::divisions::{find_division, mistyped};
use std::collections::{BTreeMap, BTreeSet};

/// The most rows of a list of players: as many as a tournament has.
pub const MAX_ROWS: usize = limits::PLAYERS as usize;
/// The most bytes of a list of players.
pub const MAX_LIST: usize = 16 << 20;
/// The most byes that somebody brings.
pub const MAX_BYES: u8 = 10;
/// How many bad rows are named.
const NAMED: usize = 20;

const COLUMNS: [&str; 8] =
    ["name", "id", "rating", "title", "federation", "division", "byes", "members"];

impl Desk<'_> {
    /// Whether these can be enrolled: names that can be printed, and unless `same_name` nobody
    /// who is there already, not even after a drop. With `now` they may be there, as long as they
    /// take part from the next round on only.
    ///
    /// # Errors
    /// The first that cannot.
    pub fn can_enroll(
        &self,
        people: &[Enrolment],
        same_name: bool,
        now: bool,
    ) -> Result<(), DeskError> {
        let state = self.state()?;
        let known = self.known_names(&state, alike)?;
        // Whoever waits for a later round plays from an earlier one on under the name that they have.
        let exactly = self.known_names(&state, folded)?;
        let waits = |name: &str| exactly.get(&folded(name)).is_some_and(|one| waits(&state, *one));
        let mut names = BTreeSet::new();
        for person in people {
            all_usable(person)?;
            if person.awarded_byes > MAX_BYES {
                let (name, byes) = (person.name.clone(), person.awarded_byes);
                return Err(Objection::TooManyByes { name, byes }.into());
            }
            if same_name {
                continue;
            }
            let name = alike(&person.name);
            if let Some(&player) = known.get(&name)
                && !(now && waits(&person.name))
            {
                return Err(Objection::NameTaken { name: person.name.clone(), player }.into());
            }
            if !names.insert(name) {
                return Err(Objection::NamedTwice { name: person.name.clone() }.into());
            }
        }
        Ok(())
    }

    /// For each of a list the player who is enrolled already under the same name, and not under another id;
    /// none for who is new, and with `now` for who takes part from the next round on only. A name that is
    /// nearly the same tells nothing.
    ///
    /// # Errors
    /// Where a name stands in the list twice: one of the two may be new.
    pub fn here_already(
        &self,
        people: &[Enrolment],
        now: bool,
    ) -> Result<Vec<Option<PlayerNumber>>, DeskError> {
        let mut names = BTreeSet::new();
        if let Some(twice) = people.iter().find(|person| !names.insert(alike(&person.name))) {
            return Err(Objection::NamedTwice { name: twice.name.clone() }.into());
        }
        let state = self.state()?;
        let book = self.store.book_of(self.stream, &state)?;
        let mut here: BTreeMap<String, Vec<&Player>> = BTreeMap::new();
        for player in state.players().iter().filter(|player| !player.withdrawn) {
            here.entry(folded(as_typed(&book, &player.name))).or_default().push(player);
        }
        let same_id = |player: &Player, person: &Enrolment| {
            let id = player.publisher_id.as_ref().map(|id| as_typed(&book, id));
            match (id.filter(|id| !id.is_empty()), &person.publisher_id) {
                (Some(id), Some(typed)) => folded(id) == folded(typed),
                _ => true,
            }
        };
        let of = |person: &Enrolment| {
            let named = here.get(&folded(&person.name))?;
            let found = named.iter().find(|player| same_id(player, person))?;
            Some(found.number).filter(|number| !(now && waits(&state, *number)))
        };
        Ok(people.iter().map(of).collect())
    }

    /// Whether no division of these is one that there is, or another of theirs, with a slip of the hand.
    ///
    /// # Errors
    /// The first that is.
    pub fn can_have_divisions<'p>(
        &self,
        divisions: impl Iterator<Item = &'p str>,
    ) -> Result<(), DeskError> {
        let state = self.state()?;
        let mut known: Vec<&str> = scrutineer_projections::divisions::divisions(&state);
        for typed in divisions {
            if known.iter().any(|name| folded(name) == folded(typed)) {
                continue;
            }
            if let Some(near) = mistyped(known.iter().copied(), typed) {
                let [typed, near] = [typed, near].map(str::to_string);
                return Err(Objection::DivisionAlike { typed, near }.into());
            }
            known.push(typed);
        }
        Ok(())
    }

    /// How many of a list are enrolled already, by their names.
    ///
    /// # Errors
    /// Where the tournament cannot be read.
    pub fn known_of(&self, people: &[Enrolment]) -> Result<usize, DeskError> {
        let known = self.known_names(&*self.state()?, alike)?;
        Ok(people.iter().filter(|person| known.contains_key(&alike(&person.name))).count())
    }

    /// For each of a list the player of this name who takes part from a later round on only.
    pub(super) fn waiting_for_a_later_round(
        &self,
        state: &Tournament,
        people: &[Enrolment],
    ) -> Result<Vec<Option<PlayerNumber>>, DeskError> {
        let known = self.known_names(state, folded)?;
        let mut taken = BTreeSet::new();
        let of = |person: &Enrolment| known.get(&folded(&person.name)).copied();
        let waiting = |person| of(person).filter(|&n| waits(state, n)).filter(|n| taken.insert(*n));
        Ok(people.iter().map(waiting).collect())
    }

    /// Everybody whose enrollment stands, by name as people compare it.
    fn known_names(
        &self,
        state: &Tournament,
        compared: fn(&str) -> String,
    ) -> Result<BTreeMap<String, PlayerNumber>, DeskError> {
        let book = self.store.book_of(self.stream, state)?;
        let here = state.players().iter().filter(|player| !player.withdrawn);
        Ok(here.map(|p| (compared(as_typed(&book, &p.name)), p.number)).collect())
    }
}

/// A name as it is asked about: `Jose Nunez` may be José Núñez. In other scripts a mark makes another letter.
fn alike(name: &str) -> String {
    let folded = folded(name);
    let is_latin =
        |c: char| !c.is_alphabetic() || c < '\u{250}' || ('\u{1e00}'..'\u{1f00}').contains(&c);
    match folded.chars().all(is_latin) {
        true => listed(&folded),
        false => folded,
    }
}

/// A name as it was typed, not as it is shown; empty where it is gone.
fn as_typed<'a>(book: &'a Book, name: &Commitment) -> &'a str {
    match book.text(name) {
        Opened::Text(text) => text,
        _ => "",
    }
}

/// Whether somebody came after the round that is being played was paired, and takes part from a
/// later one on.
pub fn waits(state: &Tournament, player: PlayerNumber) -> bool {
    let came_late =
        |player: &Player, round| player.from_round > round && player.availability.is_empty();
    let round = open_round(state).map(|open| open.number);
    state.player(player).zip(round).is_some_and(|(player, round)| came_late(player, round))
}

impl Desk<'_> {
    /// A player's name was misspelt. The old one stays in the private book until they are forgotten;
    /// the reason, where there is one, stands in a note.
    ///
    /// # Errors
    /// Where the name cannot be one, is what they are called already, or unless `same_name` is
    /// somebody else's.
    pub fn rename(
        &self,
        player: PlayerNumber,
        name: &str,
        same_name: bool,
        reason: Option<&str>,
    ) -> Result<Done, DeskError> {
        usable(name)?;
        self.record(&mut |state, words| {
            let book = self.store.book_of(self.stream, state)?;
            let here = state.players().iter().filter(|player| !player.withdrawn);
            for other in here {
                let called = as_typed(&book, &other.name);
                if other.number == player && called == name {
                    let name = name.into();
                    return Err(Objection::SameName { name, player }.into());
                }
                if other.number != player && !same_name && alike(called) == alike(name) {
                    let (name, player) = (name.into(), other.number);
                    return Err(Objection::NameTaken { name, player }.into());
                }
            }
            let identified = PlayerIdentified { player, name: words.say(Field::Name, name)? };
            let mut events = vec![identified.into()];
            if let Some(reason) = reason {
                let (note, about) = (words.say(Field::Note, reason)?, Some(state.head() + 1));
                events.push(NoteAdded { note, about }.into());
            }
            Ok(events)
        })
    }
}

impl Desk<'_> {
    /// A player's division was wrong. One that others have in another case is written as they have it.
    ///
    /// # Errors
    /// Where it cannot be one, or is theirs already.
    pub fn set_division(
        &self,
        player: PlayerNumber,
        division: Option<&str>,
        reason: &str,
    ) -> Result<Done, DeskError> {
        division.map_or(Ok(()), |typed| usable_word("division", typed))?;
        self.record(&mut |state, words| {
            let none = std::iter::empty();
            let division = division.map(|typed| as_others_have_it(state, none, typed));
            if state.player(player).is_some_and(|known| known.division == division) {
                return Err(Objection::SameDivision { player }.into());
            }
            let reason = words.say(Field::Reason, reason)?;
            Ok(vec![PlayerDivisionChanged { player, division, reason }.into()])
        })
    }

    /// A player's title, federation, rating and id, where those that were said are wrong or none were. What is not
    /// named stays.
    ///
    /// # Errors
    /// Where one cannot be one, all are as they were, or the id is somebody else's.
    pub fn describe(
        &self,
        player: PlayerNumber,
        said: &Description<'_>,
    ) -> Result<Done, DeskError> {
        let typed = [("title", said.title), ("federation", said.federation), ("id", said.id)];
        for (what, word) in typed {
            word.filter(|word| !word.is_empty()).map_or(Ok(()), |word| usable_word(what, word))?;
        }
        self.record(&mut |state, words| {
            let known = state.player(player);
            let now = |typed: Option<&str>, before: Option<&String>| match typed {
                Some("") => None,
                Some(word) => Some(word.to_string()),
                None => before.cloned(),
            };
            let before = [
                known.and_then(|one| one.title.as_ref()),
                known.and_then(|one| one.federation.as_ref()),
            ];
            let [title, federation] = [now(said.title, before[0]), now(said.federation, before[1])];
            let mut events: Vec<Event> = Vec::new();
            if (title.as_ref(), federation.as_ref()) != (before[0], before[1]) {
                events.push(PlayerDescribed { player, title, federation }.into());
            }
            let is_other = |rating: &Option<i32>| known.and_then(|one| one.rating) != *rating;
            if let Some(rating) = said.rating.filter(is_other) {
                events.push(PlayerRated { player, rating }.into());
            }
            if let Some(id) = said.id
                && self.is_other_id(state, player, id)?
            {
                let id = Some(id).filter(|id| !id.is_empty());
                let publisher_id = id.map(|id| words.say(Field::PublisherId, id)).transpose()?;
                events.push(PlayerIdCorrected { player, publisher_id }.into());
            }
            match events.is_empty() {
                true => Err(Objection::SameDescription { player }.into()),
                false => Ok(events),
            }
        })
    }

    /// Whether this is not the id that a player has.
    ///
    /// # Errors
    /// Where somebody else has it.
    fn is_other_id(
        &self,
        state: &Tournament,
        player: PlayerNumber,
        id: &str,
    ) -> Result<bool, DeskError> {
        let book = self.store.book_of(self.stream, state)?;
        let of =
            |one: &Player| one.publisher_id.map_or(String::new(), |id| as_typed(&book, &id).into());
        if state.player(player).is_some_and(|known| of(known) == id) {
            return Ok(false);
        }
        let mut others =
            state.players().iter().filter(|one| !one.withdrawn && one.number != player);
        match others.find(|one| !id.is_empty() && folded(&of(one)) == folded(id)) {
            Some(other) => Err(Objection::IdTaken { id: id.into(), player: other.number }.into()),
            None => Ok(true),
        }
    }
}

/// What is said of a player anew; what is not said stays.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Description<'a> {
    /// Their title; empty: they have none.
    pub title: Option<&'a str>,
    /// Their federation; empty: it is not known.
    pub federation: Option<&'a str>,
    /// Their rating; the inner none: they have none.
    pub rating: Option<Option<i32>>,
    /// Their id with the publisher; empty: they have none.
    pub id: Option<&'a str>,
}

/// A division as others have it who differ in the case of letters alone: those who are enrolled, or are
/// about to be.
pub(super) fn as_others_have_it<'a>(
    state: &'a Tournament,
    mut others: impl Iterator<Item = &'a str>,
    typed: &str,
) -> String {
    let same = |other: &&str| folded(other) == folded(typed);
    let found = find_division(state, typed).or_else(|| others.find(same));
    found.unwrap_or(typed).to_string()
}

/// Whether all that is said of somebody in words can be kept.
fn all_usable(person: &Enrolment) -> Result<(), Objection> {
    let Enrolment { name, publisher_id, title, federation, division, members, .. } = person;
    usable(name)?;
    members.iter().try_for_each(|member| usable_word(&format!("member of {name}"), member))?;
    let words = [
        ("id", publisher_id),
        ("title", title),
        ("federation", federation),
        ("division", division),
    ];
    words.into_iter().try_for_each(|(what, word)| match word {
        Some(word) => usable_word(&format!("{what} of {name}"), word),
        None => Ok(()),
    })
}

fn usable(name: &str) -> Result<(), Objection> {
    let Some(why) = Field::Name.objection(name) else { return Ok(()) };
    Err(Objection::BadName { name: shown(name), why })
}

/// The same for a word beside the name, such as the id.
fn usable_word(what: &str, word: &str) -> Result<(), Objection> {
    let Some(why) = Field::Name.objection(word) else { return Ok(()) };
    Err(Objection::BadWord { what: what.to_string(), word: shown(word), why })
}

/// The beginning of a word that cannot be kept.
fn shown(word: &str) -> String {
    word.chars().take(40).filter(|c| !c.is_control()).collect()
}

/// Reads a list of players: CSV whose head names the columns, of which only `name` is needed; or a sheet as
/// anybody keeps it, with a head in one of the languages in which an import reads one.
///
/// # Errors
/// Every row that cannot be read, by its line.
pub fn read_roster(bytes: &[u8]) -> Result<Vec<Enrolment>, Objection> {
    let known = |head: &str| COLUMNS.contains(&head);
    let is_ours = match std::str::from_utf8(bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes)) {
        Ok(text) => {
            let head = text.lines().next().unwrap_or("").to_lowercase();
            let mut cells = head.split([',', ';', '\t']).map(|cell| cell.trim().trim_matches('"'));
            cells.all(known)
        }
        Err(_) => !scrutineer_formats::is_workbook(bytes),
    };
    match read_ours(bytes) {
        Err(Objection::BadRows { rows }) if !is_ours => match read_sheet(bytes) {
            Some(people) => people,
            None => Err(Objection::BadRows { rows }),
        },
        read => read,
    }
}

/// Reads a sheet of players alone, or whoever stands in a workbook, as an import does; none where it is neither.
fn read_sheet(bytes: &[u8]) -> Option<Result<Vec<Enrolment>, Objection>> {
    let is_workbook = scrutineer_formats::is_workbook(bytes);
    let read = match scrutineer_formats::read("the list", bytes) {
        Ok(read) => read,
        Err(error) if error.code() == "own-sheet" => {
            let rows = "this is what `export --csv` printed; of the workbook of `export --xlsx` the players are read";
            return Some(Err(Objection::BadRows { rows: rows.into() }));
        }
        Err(error) if is_workbook => {
            return Some(Err(Objection::BadRows { rows: error.to_string() }));
        }
        Err(_) => return None,
    };
    if read.players.is_empty() || !is_workbook && read.rounds().next().is_some() {
        return None;
    }
    if read.players.len() > MAX_ROWS {
        let rows = format!("the list has more rows than the {MAX_ROWS} that are read");
        return Some(Err(Objection::BadRows { rows }));
    }
    let people = read.players.into_iter().map(|player| Enrolment {
        name: player.name,
        publisher_id: player.publisher_id,
        rating: player.rating,
        division: player.division,
        title: player.title,
        federation: player.federation,
        ..Enrolment::default()
    });
    let people: Vec<Enrolment> = people.collect();
    let wrong = people.iter().find_map(|person| all_usable(person).err());
    Some(match wrong {
        Some(bad) => Err(Objection::BadRows { rows: bad.to_string() }),
        None => Ok(people),
    })
}

/// Reads a list whose head has our own names of columns.
fn read_ours(bytes: &[u8]) -> Result<Vec<Enrolment>, Objection> {
    let bad = |line: u64, what: &str| Objection::BadRows { rows: format!("line {line}: {what}") };
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let text = std::str::from_utf8(bytes).map_err(|error| {
        let line = bytes[..error.valid_up_to()].iter().filter(|byte| **byte == b'\n').count();
        bad(line as u64 + 1, "is not UTF-8; save the list as UTF-8")
    })?;
    // Spreadsheets write commas, semicolons or tabs, whichever their country likes.
    let head = text.lines().next().unwrap_or("");
    let delimiter = [b';', b'\t'].into_iter().find(|by| head.contains(char::from(*by)));
    let mut reader = csv::ReaderBuilder::new()
        .trim(csv::Trim::All)
        .flexible(true)
        .delimiter(delimiter.unwrap_or(b','))
        .from_reader(text.as_bytes());
    let head = reader.headers().map_err(|error| bad(1, &error.to_string()))?.clone();
    let head: Vec<String> = head.iter().map(str::to_lowercase).collect();
    if let Some(unknown) = head.iter().find(|column| !COLUMNS.contains(&&column[..])) {
        let known = COLUMNS.join(", ");
        return Err(bad(1, &format!("there is no column {unknown:?}, only {known}")));
    }
    if let Some((at, _)) = head.iter().enumerate().find(|(at, name)| head[..*at].contains(name)) {
        return Err(bad(1, &format!("the column {} stands there twice", head[at])));
    }
    if !head.iter().any(|column| column == "name") {
        return Err(bad(1, "the column `name` is missing"));
    }
    let (mut people, mut faults) = (Vec::new(), Vec::new());
    for (at, row) in reader.records().enumerate() {
        if at == MAX_ROWS {
            let line = row.as_ref().ok().and_then(csv::StringRecord::position);
            let what = format!("has one row more than the {MAX_ROWS} that are read");
            return Err(bad(line.map_or(0, csv::Position::line), &what));
        }
        match row {
            // What a spreadsheet leaves below a list.
            Ok(row) if row.iter().all(str::is_empty) => {}
            Ok(row) => {
                let line = row.position().map_or(0, csv::Position::line);
                if row.len() > head.len() {
                    let (cells, columns) = (row.len(), head.len());
                    faults.push(format!("line {line}: {cells} cells under {columns} columns"));
                    continue;
                }
                match person(&head, &row) {
                    Ok(person) => people.push(person),
                    Err(what) => faults.push(format!("line {line}: {what}")),
                }
            }
            Err(error) => {
                let line = error.position().map_or(0, csv::Position::line);
                faults.push(format!("line {line}: {error}"));
            }
        }
    }
    if people.is_empty() && faults.is_empty() {
        return Err(bad(2, "there is no row"));
    }
    if faults.is_empty() {
        return Ok(people);
    }
    let more = faults.len().saturating_sub(NAMED);
    faults.truncate(NAMED);
    if more > 0 {
        faults.push(format!("and {more} more rows"));
    }
    Err(Objection::BadRows { rows: faults.join("\n  ") })
}

fn person(head: &[String], row: &csv::StringRecord) -> Result<Enrolment, String> {
    let mut person = Enrolment::default();
    for (column, cell) in head.iter().zip(row).filter(|(_, cell)| !cell.is_empty()) {
        match &column[..] {
            "name" => person.name = cell.into(),
            "id" => person.publisher_id = Some(cell.into()),
            "rating" => {
                let rating = cell.parse().map_err(|_| format!("rating {cell:?} is no number"))?;
                person.rating = Some(rating);
            }
            "title" => person.title = Some(cell.into()),
            "federation" => person.federation = Some(cell.into()),
            "division" => person.division = Some(cell.into()),
            "byes" => {
                let byes = cell.parse().ok().filter(|byes| *byes <= MAX_BYES);
                person.awarded_byes =
                    byes.ok_or_else(|| format!("byes {cell:?}: 0 to {MAX_BYES}"))?;
            }
            _ => person.members = cell.split(';').map(|member| member.trim().into()).collect(),
        }
    }
    all_usable(&person).map_err(|bad| bad.to_string())?;
    Ok(person)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_is_read_whole() {
        let text = "Name,rating,byes,members\nAnn,1500,1,\n\"Bob, Jr\",,,Bo; Rob\n";
        let people = read_roster(text.as_bytes()).expect("it is good");
        assert_eq!((people[0].rating, people[0].awarded_byes), (Some(1500), 1));
        assert_eq!((&people[1].name[..], people[1].members.len()), ("Bob, Jr", 2));
    }

    /// A table was copied out of a spreadsheet, and refused for a control character: the tabs in it.
    #[test]
    fn a_table_of_a_spreadsheet_is_read_with_a_head_in_many_languages() {
        for (text, told) in [
            ("Name\tRating\tVerein\nAnn Lee\t1500\tSK Hafen\nBob Smith\t\t\n", [Some(1500), None]),
            (
                "Spieler;Wertungszahl;Klasse\nAnn Lee;1500;U12\nBob Smith;1400;U12\n",
                [Some(1500), Some(1400)],
            ),
            (
                "Vorname\tNachname\tElo\nAnn\tLee\t1500\nBob\tSmith\t1400\n",
                [Some(1500), Some(1400)],
            ),
            ("Nom,Elo\nAnn Lee,1500\nBob Smith,1400\n", [Some(1500), Some(1400)]),
        ] {
            let people = read_roster(text.as_bytes()).unwrap_or_else(|bad| panic!("{text}: {bad}"));
            let names: Vec<&str> = people.iter().map(|one| &one.name[..]).collect();
            assert_eq!(names, ["Ann Lee", "Bob Smith"], "{text}");
            assert_eq!([people[0].rating, people[1].rating], told, "{text}");
        }
        // Matches are no list of players, whatever their columns are called.
        let matches = "Runde;Spieler A;Spieler B;Ergebnis\n1;Ann;Bob;2-0\n";
        assert!(read_roster(matches.as_bytes()).is_err());
    }

    /// A chess club's list had titles and federations, and they had to be typed into a report by hand.
    #[test]
    fn a_list_of_a_chess_club_brings_titles_and_federations() {
        for text in [
            "name,title,federation\nAnn Lee,GM,SWE\nBob Smith,,\n",
            "Name\tTitel\tVerband\tElo\nAnn Lee\tGM\tSWE\t2510\nBob Smith\t\t\t\n",
            "Nr.;Name;Tit.;Land\n1;Ann Lee;GM;SWE\n2;Bob Smith;;\n",
            "Nom;Titre;Fédération\nAnn Lee;GM;SWE\nBob Smith;;\n",
            "Nombre;Título;Federación\nAnn Lee;GM;SWE\nBob Smith;-;-\n",
            "Nome;Titolo;Federazione\nAnn Lee;GM;SWE\nBob Smith;;\n",
            "Nome;Título;Federação\nAnn Lee;GM;SWE\nBob Smith;;\n",
            "Name,FIDE title,FED\nAnn Lee,GM,SWE\nBob Smith,,\n",
        ] {
            let people = read_roster(text.as_bytes()).unwrap_or_else(|bad| panic!("{text}: {bad}"));
            let of = |at: usize| (people[at].title.as_deref(), people[at].federation.as_deref());
            assert_eq!([of(0), of(1)], [(Some("GM"), Some("SWE")), (None, None)], "{text}");
        }
        // A country where somebody lives is no federation, and nobody asked that it be shown.
        for text in ["Name;Land\nAnn Lee;Schweden\n", "Name,Country\nAnn Lee,Sweden\n"] {
            let people = read_roster(text.as_bytes()).unwrap_or_else(|bad| panic!("{text}: {bad}"));
            assert_eq!(people[0].federation, None, "{text}");
        }
    }

    /// As an import takes it: cells that are empty to the end of a row may be left out.
    #[test]
    fn a_short_row_of_a_list_is_a_player() {
        let text = "name,rating,id\nAnn\n\nBob,1500\n,,\n";
        let people = read_roster(text.as_bytes()).expect("it is good");
        let told: Vec<_> = people.iter().map(|one| (&one.name[..], one.rating)).collect();
        assert_eq!(told, [("Ann", None), ("Bob", Some(1500))]);
    }

    #[test]
    fn of_a_player_who_cannot_be_enrolled_the_word_is_named_that_is_wrong() {
        let empty = || Some(String::new());
        let fay = || Enrolment { name: "Fay".into(), ..Enrolment::default() };
        for (what, person) in [
            ("id of Fay", Enrolment { publisher_id: empty(), ..fay() }),
            ("title of Fay", Enrolment { title: empty(), ..fay() }),
            ("federation of Fay", Enrolment { federation: empty(), ..fay() }),
            ("division of Fay", Enrolment { division: empty(), ..fay() }),
            ("member of Fay", Enrolment { members: vec![String::new()], ..fay() }),
            ("name", Enrolment::default()),
        ] {
            let refused = all_usable(&person).expect_err(what);
            assert_eq!(refused.to_string(), format!("the {what} \"\" is empty"));
            assert_eq!(refused.code(), "bad-name", "{what}");
        }
        assert_eq!(all_usable(&fay()), Ok(()));
    }

    #[test]
    fn every_bad_row_is_named_by_its_line() {
        for (text, said) in [
            ("", "line 1"),
            ("name\n", "line 2: there is no row"),
            ("nam\nAnn\n", "no column \"nam\""),
            ("name,name\nAnn,Bob\n", "twice"),
            ("rating\n7\n", "`name` is missing"),
            (
                "name,rating\nAnn,x\nBob,1,2\n",
                "line 2: rating \"x\" is no number\n  line 3: 3 cells",
            ),
            ("name,byes\nAnn,11\n", "line 2: byes \"11\""),
            ("name,id\n,7\n", "line 2: the name \"\" is empty"),
        ] {
            let refused = read_roster(text.as_bytes()).expect_err(text).to_string();
            assert!(refused.contains(said), "{text:?}: {refused}");
        }
        assert!(
            read_roster(b"name\nAndr\xe9\n").expect_err("latin").to_string().contains("line 2")
        );
    }
}
