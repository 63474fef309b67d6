//! A file of another program that comes in: how it was understood, and its published standings beside
//! computed ones, before anything of it is stored.

use crate::answers::{ImportAnswer, Problem, TournamentName, Unmatched};
use crate::store::{
    AddError, Added, Alike, Prepared, Store, StoreError, TournamentSummary, Way, of_platform,
    prepare_source,
};
use scrutineer_engine::event::Day;
use scrutineer_formats::{Asked, Oddity, SourceTable, read_with};
use scrutineer_projections::ruleset::{Library, called};
use scrutineer_replay::loaded::short_id;
use scrutineer_replay::published::{Check, CheckedRow, Difference, Verdict, check};

/// Where an oddity stands of a tournament that the store has under other rules.
pub const OTHER_RULES: &str = "the ruleset in the store";

/// Where it stands that the store may have an older version of the file under another name.
pub const OTHER_NAME: &str = "the store";

/// How a file was understood.
#[derive(Clone, Debug, Default)]
pub struct Understood {
    /// What a sheet is called that goes by its file's name; otherwise nothing.
    pub file: String,
    /// The tournament's title.
    pub title: String,
    /// The day on which it was held: of a tournament that the store has, the day that it has there.
    pub held_on: Option<Day>,
    /// Whether the file says a day that is not understood.
    pub says_day: bool,
    /// Whether the store has the tournament, whose day no file changes.
    pub is_there: bool,
    /// Its ruleset.
    pub rules: String,
    /// Whether nobody named the ruleset: it goes by the score lines.
    pub is_guessed: bool,
    /// Whether somebody or the file named it.
    pub is_said: bool,
    /// The format that it was recognized as.
    pub format: String,
    /// How many players it has.
    pub players: usize,
    /// How many rounds.
    pub rounds: usize,
    /// How many matches.
    pub matches: usize,
    /// How many of them have no result so far.
    pub open: usize,
    /// What it does not hold, in words.
    pub unknown: Vec<String>,
    /// What looks wrong in it.
    pub oddities: Vec<Oddity>,
    /// Whether it is a sheet, above whose columns a person can say what it does not.
    pub is_sheet: bool,
}

/// Reads a file, and prepares it under the ruleset that somebody asks for, or its own.
///
/// # Errors
/// Where it cannot be recorded; nothing is stored in any case.
pub fn understand(
    name: &str,
    bytes: &[u8],
    asked: &Asked,
    rules: Option<&str>,
    library: &Library,
) -> Result<(Prepared, Understood), AddError> {
    let source = read_with(name, bytes, asked)?;
    let prepared = prepare_source(source, bytes, rules, library)?;
    let source = &prepared.source;
    let nobody = rules.is_none() && source.rules.is_none();
    let tables = source.rounds().map(|(_, round)| round.tables.len());
    let (rounds, matches) = tables.fold((0, 0), |(rounds, all), one| (rounds + 1, all + one));
    let understood = Understood {
        file: Some(&source.file)
            .filter(|file| source.identity.ends_with(file.as_str()))
            .cloned()
            .unwrap_or_default(),
        title: source.title.clone(),
        held_on: source.held_on,
        says_day: source.held_on.is_none() && source.report.has(&["042"]),
        is_there: false,
        rules: called(&prepared.rules.files),
        is_guessed: nobody && of_platform(source, library).is_none(),
        is_said: !nobody,
        format: source.format.clone(),
        players: source.players.len(),
        rounds,
        matches,
        open: source
            .rounds()
            .flat_map(|(_, round)| &round.tables)
            .filter(|one| is_open(one))
            .count(),
        unknown: source.unknown.iter().map(|fact| fact.to_string()).collect(),
        oddities: source.oddities.clone(),
        is_sheet: source.platform == "csv",
    };
    Ok((prepared, understood))
}

/// Whether a match has no result so far, to be played or postponed.
fn is_open(table: &SourceTable) -> bool {
    table.result.is_void() || !table.has_result()
}

impl Understood {
    /// On which day it was held, in words; or how a person says it where nothing does.
    pub fn day(&self) -> String {
        match (self.held_on, self.is_sheet) {
            (Some(day), _) => format!("held on {day}"),
            (None, _) if self.is_there => {
                "no day: it came in without one, and a file that comes in again changes none".into()
            }
            (None, true) => {
                "no day was found: a line above the columns such as `# date: 2026-10-02` says it"
                    .into()
            }
            (None, false) if self.says_day => {
                "no day was found: what the file says of it (042) does not say for sure which"
                    .into()
            }
            (None, false) => "no day was found: the file says none".into(),
        }
    }

    /// Adds to what is odd that the store has the tournament out of another file, or under other rules than those
    /// that were named, and what to do: a file that comes in again changes no rules, and no day.
    ///
    /// # Errors
    /// Where the tournament cannot be read.
    pub fn beside(&mut self, store: &Store, added: &Added) -> Result<(), StoreError> {
        let (Added::Known(stream) | Added::Renewed(stream, _)) = added else { return Ok(()) };
        let there = store.summary(*stream)?;
        (self.held_on, self.is_there) = (there.held_on, true);
        if matches!(added, Added::Known(_)) {
            let other = there.file.filter(|file| *file != self.file && !self.file.is_empty());
            if let Some(other) = other {
                let (title, id) = (&there.title, short_id(*stream));
                let sentence = format!(
                    "It is {title} ({id}), which came in as {other}: nothing in it is new. If it is another \
                     tournament, `# event: <its title>` above the columns says so."
                );
                self.oddities.insert(0, Oddity { place: OTHER_NAME.into(), sentence });
            }
        }
        // No file changes the title either, nor the rules.
        (self.title, self.is_guessed) = (there.title, false);
        if !self.is_said {
            self.rules = there.ruleset;
            return Ok(());
        }
        let there = store.load(*stream, false)?;
        let is = called(there.state.ruleset().unwrap_or_default());
        if is != self.rules {
            let (rules, id) = (&self.rules, short_id(*stream));
            let sentence = format!(
                "It stays {is}, not {rules}: a file that comes in again changes no rules. \
                 `scrutineer standings --rules {rules} --tournament {id}` shows it under them, `scrutineer \
                 amend-rules {rules} --reason <why> --tournament {id}` counts every round by them; or \
                 `scrutineer tournaments remove {id} --reason <why>`, then import it anew."
            );
            self.oddities.insert(0, Oddity { place: OTHER_RULES.into(), sentence });
        }
        Ok(())
    }

    /// Adds to what is odd that the store may have an older version of the file under another name, or the rounds
    /// before it.
    pub fn alike(&mut self, other: Option<&Alike>) {
        let Some(Alike { there: TournamentSummary { stream, title, file, .. }, way }) = other
        else {
            return;
        };
        let (id, file) = (short_id(*stream), file.as_deref().unwrap_or(title));
        let whole = |why: &str, then: String| {
            format!(
                "All that {title} ({id}) has stands in it too: as it {why}, it is a second tournament. If it is a newer \
                 version of that one, {then}: then it brings {id} up to date."
            )
        };
        let sentence = match way {
            Way::Name => whole(
                "is a file of another name, and a sheet without a day goes by its file's name",
                format!("call it {file}"),
            ),
            Way::Title(said) => whole(
                "is called otherwise",
                format!("call it {file} and write `# event: {said}` above its columns"),
            ),
            Way::Day(day) => {
                whole("has another day", format!("`# date: {day}` above its columns says so"))
            }
            Way::Without { title } => {
                let what = if *title { "a title" } else { "a day" };
                let told = whole(
                    &format!("has {what} above its columns, which that one did not have"),
                    format!("leave it out and call it {file}"),
                );
                format!(
                    "{told} To have {what}, `scrutineer tournaments remove {id} --reason <why>`, then import this one."
                )
            }
            Way::Rounds { first, are_of_one_file } => {
                let then = match are_of_one_file {
                    true => format!("write its matches into {file} too, and import that"),
                    false => "import the sheets of all its rounds together".to_owned(),
                };
                format!(
                    "{title} ({id}) is there, and this begins with {first}: alone it is a second tournament. If it goes \
                     on with that one, {then}: then {id} is brought up to date."
                )
            }
        };
        self.oddities.insert(0, Oddity { place: OTHER_NAME.into(), sentence });
    }

    /// Returns the same for programs.
    pub fn answer(
        &self,
        file: String,
        checked: Option<&Checked>,
        renewed: Vec<String>,
        error: Option<Problem>,
    ) -> ImportAnswer {
        let count = |of: fn(&Checked) -> usize| checked.map_or(0, of);
        ImportAnswer {
            file,
            tournament: TournamentName { id: None, title: Some(self.title.clone()) },
            rules: self.rules.clone(),
            format: self.format.clone(),
            players: self.players,
            rounds: self.rounds,
            matches: self.matches,
            unknown: self.unknown.clone(),
            rows: count(|found| found.rows),
            matched: count(|found| found.matched),
            stale: count(|found| found.stale),
            mismatched: count(|found| found.mismatched),
            places: count(|found| found.places),
            same_places: count(|found| found.same_places),
            renewed,
            unmatched: checked.map_or(Vec::new(), |found| found.unmatched.clone()),
            oddities: self.oddities.iter().map(Into::into).collect(),
            error,
        }
    }
}

/// Counts of a comparison with published standings, and its differences in words.
#[derive(Clone, Debug, Default)]
pub struct Checked {
    /// How many published rows were compared.
    pub rows: usize,
    /// How many of them match in every value.
    pub matched: usize,
    /// Which values of a row were compared, such as `points` and `OMW%`.
    pub compared: Vec<&'static str>,
    /// How many have the values of an earlier round.
    pub stale: usize,
    /// How many differ.
    pub mismatched: usize,
    /// How many have the published rank.
    pub same_rank: usize,
    /// Whether rows were published of rounds that are missing.
    pub rounds_missing: bool,
    /// How many published places were compared.
    pub places: usize,
    /// How many of them are the computed ones.
    pub same_places: usize,
    /// What differs, a sentence each.
    pub sentences: Vec<String>,
    /// The rows and places that are not the published ones, for programs.
    pub unmatched: Vec<Unmatched>,
}

impl Checked {
    /// Compares the standings in a file with computed ones.
    ///
    /// # Errors
    /// Why there is nothing to compare, in words.
    pub fn of(prepared: &Prepared) -> Result<Checked, String> {
        let name = |number: u32| prepared.source.players[number as usize - 1].name.clone();
        match check(&prepared.source, &prepared.state, &prepared.rules) {
            Ok(found) => Ok(Checked::new(&found, name)),
            Err(error) => Err(error.to_string()),
        }
    }

    fn new(found: &Check, name: impl Fn(u32) -> String) -> Checked {
        let (mut sentences, mut unmatched) = (Vec::new(), Vec::new());
        for row in &found.rows {
            match &row.verdict {
                Verdict::Matched => {}
                Verdict::Stale { through } => {
                    let name = name(row.player);
                    sentences.push(format!(
                        "stale: {name} has the values after round {through}, and had left by then"
                    ));
                    unmatched.push(Unmatched::Stale { player: name, stale_after: *through });
                }
                Verdict::Mismatched(differences) => {
                    let told: Vec<String> = differences
                        .iter()
                        .map(|d| format!("{} {} computed {}", d.measure, d.published, d.computed))
                        .collect();
                    sentences.push(format!("differs: {}: {}", name(row.player), told.join(", ")));
                    unmatched.extend(differences.iter().map(|d| {
                        let Difference { measure, published, computed } = d.clone();
                        let (player, measure) = (name(row.player), measure.to_string());
                        Unmatched::Differs { player, measure, published, computed }
                    }));
                }
            }
        }
        for one in found.places.iter().filter(|one| one.computed != Some(one.place)) {
            let computed = one.computed.map_or("none".into(), |place| place.to_string());
            let (name, place) = (name(one.player), one.place);
            sentences.push(format!("differs: {name}: place {place} computed {computed}"));
            let (measure, published) = ("place".into(), place.to_string());
            unmatched.push(Unmatched::Differs { player: name, measure, published, computed });
        }
        sentences.extend(ranked_otherwise(found, &name));
        if found.other_gw {
            let sentence = "the file's GW% of a player's own has another floor than the ruleset's: \
                            it was computed under another edition";
            sentences.push(sentence.to_string());
        }
        Checked {
            rows: found.rows.len(),
            rounds_missing: found.rounds_missing,
            places: found.places.len(),
            same_places: found.same_places(),
            matched: found.matched(),
            compared: found.compared.clone(),
            stale: found.stale(),
            mismatched: found.mismatched(),
            same_rank: found.same_rank(),
            sentences,
            unmatched,
        }
    }

    /// Returns whether every row and every place is the published one.
    pub fn is_whole(&self) -> bool {
        self.matched == self.rows && self.same_places == self.places
    }

    /// Returns the counts as a sentence.
    pub fn in_words(&self) -> String {
        let Checked { rows, matched, stale, mismatched, same_rank, places, same_places, .. } = self;
        let compared = match &self.compared[..] {
            [] => "no value, since the ruleset has none of those that were published".to_string(),
            some => some.join(", "),
        };
        let rounds_missing = &self.rounds_missing;
        let of_rows = match rows {
            0 if *rounds_missing || *places == 0 => {
                Some("the rounds behind the published standings are missing".to_string())
            }
            0 => None,
            _ => Some(format!(
                "published standings: {matched} of {rows} rows match in {compared}; {stale} \
                 stale, {mismatched} differ; {same_rank} have the published rank"
            )),
        };
        let of_places = format!("{same_places} of {places} final places are the published ones");
        let of_places = (*places > 0).then_some(of_places);
        of_rows.into_iter().chain(of_places).collect::<Vec<_>>().join("; ")
    }
}

/// How many who have another rank than the published one are named.
const RANKS_NAMED: usize = 3;

/// Who has another rank than the published one, in a sentence.
fn ranked_otherwise(found: &Check, name: impl Fn(u32) -> String) -> Option<String> {
    let others = found.rows.iter().filter(|row| row.computed_rank != Some(row.rank));
    let told = |row: &CheckedRow| {
        let computed = row.computed_rank.map_or("none".into(), |rank| rank.to_string());
        format!("{} {} computed {computed}", name(row.player), row.rank)
    };
    let all: Vec<String> = others.map(told).collect();
    let (named, more) = all.split_at(all.len().min(RANKS_NAMED));
    let more = match more.len() {
        0 => String::new(),
        more => format!(", and {more} more"),
    };
    (!named.is_empty()).then(|| format!("rank: {}{more}", named.join(", ")))
}
