//! A person asks that their name goes: what would be emptied everywhere, and that it is done.

use crate::answers::{ForgetAnswer, ForgottenElsewhere, ForgottenText, TournamentName};
use crate::asker::Asker;
use crate::desk::Asked;
use crate::forget::{
    Elsewhere, Known, PairingReason, Person, Plan, Text, elsewhere, mentions, plan, staff_called,
};
use crate::names::find_player;
use crate::orders::at_stream;
use crate::signed::{is_carried_on, refuse_other_log};
use crate::store::{Export, Store, StoreError, TournamentSummary};
use crate::verb_error::VerbError;
use scrutineer_engine::book::{BookError, Field, Opened};
use scrutineer_engine::error::Code;
use scrutineer_engine::event::{Event, PlayerNumber, Seq};
use scrutineer_engine::names::folded;
use scrutineer_engine::record::StreamId;
use scrutineer_replay::loaded::LoadedTournament;

/// What would be done, or was.
pub struct Work {
    /// The tournament.
    pub event: LoadedTournament,
    /// What of it is emptied there.
    pub plan: Plan,
    /// Other events, each with what it holds of them.
    pub others: Vec<Other>,
    /// Exports with names that hold what is emptied.
    pub exports: Vec<Export>,
    /// How many lines of the list of exports cannot be read.
    pub unreadable: u64,
    /// Texts that an earlier `forget` named in the log and, cut off, did not empty.
    pub unfinished: Vec<u32>,
    /// Whether this is a copy of somebody else's tournament.
    pub is_copy: bool,
}

/// Another tournament of the store.
pub struct Other {
    /// Which.
    pub stream: StreamId,
    /// Its title.
    pub title: String,
    /// What was found.
    pub found: Elsewhere,
}

/// What forgetting somebody would do in a tournament, and in these others.
///
/// # Errors
/// Where nobody is called so, or more than one is; and where it is a copy, which forgets what its tournament forgets.
pub fn look(
    asker: &Asker,
    store: &Store,
    stream: StreamId,
    (player, also): (&str, &[u32]),
    all: Vec<TournamentSummary>,
) -> Result<Work, VerbError> {
    store.check_own(stream).map_err(|error| VerbError {
        hint: Some(
            "ask whoever runs it to forget them there: this copy follows with the next that comes of its log"
                .into(),
        ),
        ..error.into()
    })?;
    let event = store.load(stream, true)?;
    let (person, name) = who(&event, player)?;
    let plan = plan(facts(&event), &event.book, person, &name, also)?;
    let kept = store.books().book(stream).map_err(store_error)?;
    let unfinished = event.state.forgotten().filter(|number| kept.entry(*number).is_some());
    let unfinished: Vec<u32> = unfinished.collect();
    let is_copy = !is_carried_on(&asker.keys, store, stream, &event.state)?;
    let mut others = Vec::new();
    if !plan.known.is_empty() {
        for summary in all {
            let (stream, title) = (summary.stream, summary.title);
            let book = store.books().book(stream).map_err(store_error)?;
            // Most tournaments have nothing of them: their logs need not be read.
            if stream == event.stream || !mentions(&book, &plan.known) {
                continue;
            }
            let other = store.load(stream, true)?;
            let found = elsewhere(facts(&other), &other.book, &plan.known);
            if found != Elsewhere::Nothing {
                others.push(Other { stream, title, found });
            }
        }
    }
    let (mut exports, mut unreadable) = (Vec::new(), 0);
    let emptied = others.iter().map(|other| match &other.found {
        Elsewhere::Found(plan) => (other.stream, plan.person),
        _ => (other.stream, None),
    });
    for (stream, person) in std::iter::once((event.stream, plan.person)).chain(emptied) {
        let noted = store.exports(stream)?;
        unreadable = noted.unreadable;
        // The receipt of somebody else holds no name of theirs.
        let holds_his = |export: &Export| {
            let only = export.player.map(Person::Player);
            export.names && (only.is_none() || only == person)
        };
        for export in noted.exports.into_iter().filter(holds_his) {
            if !exports.contains(&export) {
                exports.push(export);
            }
        }
    }
    exports.sort_by_key(|export| export.time);
    Ok(Work { event, plan, others, exports, unreadable, unfinished, is_copy })
}

fn store_error(error: BookError) -> VerbError {
    StoreError::from(error).into()
}

fn facts(event: &LoadedTournament) -> impl Iterator<Item = (Seq, &Event)> {
    event.log.iter().map(|(header, fact)| (header.seq, fact))
}

/// The player that is meant, also one whose enrollment was withdrawn; or one of the staff, or somebody
/// who only stands in a list of members, by their whole name.
fn who(event: &LoadedTournament, typed: &str) -> Result<(Option<Person>, String), VerbError> {
    let player = |number: PlayerNumber| Ok((Some(Person::Player(number)), String::new()));
    let wanted = folded(typed);
    let is_whole = |number: PlayerNumber| {
        let own = event.state.player(number).map(|player| event.book.text(&player.name));
        let own =
            own.and_then(|text| if let Opened::Text(text) = text { Some(text) } else { None });
        let called = [Some(event.name(number)), own.map(str::to_string)];
        wanted.trim_start_matches('#').parse() == Ok(number)
            || called.iter().flatten().any(|name| folded(name) == wanted)
    };
    let found = find_player(event, typed);
    match found.clone() {
        Ok(number) if is_whole(number) => return player(number),
        Err(fail) if fail.code != "unknown-player" => return Err(fail),
        _ => {}
    }
    let withdrawn = event.state.players().iter().filter(|player| player.withdrawn);
    if let Some(number) = withdrawn.map(|player| player.number).find(|number| is_whole(*number)) {
        return player(number);
    }
    let known = Known::by_name(typed);
    // As their name is found in texts: with or without accents, turned round.
    let called = event.state.players().iter().filter(|player| {
        matches!(event.book.text(&player.name), Opened::Text(text) if known.is_exactly(text))
    });
    match called.map(|player| player.number).collect::<Vec<_>>()[..] {
        [] => {}
        [number] => return player(number),
        [first, ..] => {
            let message = format!("several players are called {typed:?}");
            let hint = format!("`scrutineer players` lists them; type the number: \"#{first}\"");
            return Err(VerbError::new(Code::not_found("which-player"), message, hint));
        }
    }
    match staff_called(facts(event), &event.book, typed)[..] {
        [] => {}
        [person] => return Ok((Some(person), typed.to_string())),
        // One person may have had several numbers.
        [..] => return Ok((None, typed.to_string())),
    }
    if !known.is_empty() && event.book.entries().any(|entry| known.is_exactly(&entry.text)) {
        return Ok((None, typed.to_string()));
    }
    // Elsewhere a part of a name will do. This cannot be undone.
    let number = found?;
    let message = format!("{typed:?} is only a part of {}, player {number}", event.name(number));
    let hint = format!("type the whole name if that is who is meant, or the number: \"#{number}\"");
    Err(VerbError::new(Code::invalid("whole-name-needed"), message, hint))
}

impl Work {
    /// What they are called from now on.
    pub fn stand_in(&self) -> String {
        self.plan.person.map_or("nobody".into(), |person| person.to_string())
    }

    /// Refuses where the log of one of these tournaments is another one than was signed here.
    ///
    /// # Errors
    /// Which, and what is wrong with it.
    pub fn check_logs(&self, asker: &Asker, store: &Store) -> Result<(), VerbError> {
        for stream in self.streams() {
            let state = store.load(stream, false)?.state;
            refuse_other_log(asker, store, stream, &state)?;
        }
        Ok(())
    }

    /// The tournament and the others in which something was found.
    pub fn streams(&self) -> impl Iterator<Item = StreamId> {
        let others = self.others.iter().map(|other| other.stream);
        std::iter::once(self.event.stream).chain(others)
    }

    /// Whether nothing of them is left to be emptied.
    pub fn is_done(&self) -> bool {
        self.plan.emptied.is_empty() && self.others.is_empty() && self.unfinished.is_empty()
    }

    /// Whether a path names them.
    pub fn names_him(&self, path: &str) -> bool {
        let others = self.others.iter().filter_map(|other| match &other.found {
            Elsewhere::Found(plan) => Some(&plan.known),
            _ => None,
        });
        std::iter::once(&self.plan.known).chain(others).any(|known| known.is_in(path))
    }

    /// The tournament that was named goes last: as long as it is not done, its name can be typed again.
    ///
    /// # Errors
    /// Where the log or the private book cannot be written.
    pub fn carry_out(
        &self,
        asker: &Asker,
        store: &Store,
        tell: &mut dyn FnMut(&str),
    ) -> Result<(), VerbError> {
        let mut forget = |stream: StreamId, numbers: &[u32]| {
            let asked = Asked::default();
            let (done, said) =
                at_stream(asker, store, stream, asked, |at| Ok(at.desk.forget(numbers)?));
            said.iter().for_each(|note| tell(note));
            done
        };
        for other in &self.others {
            if let Elsewhere::Found(plan) = &other.found {
                forget(other.stream, &plan.numbers())?;
            }
        }
        store.forget_paths(&|path| self.names_him(path))?;
        forget(self.event.stream, &[self.plan.numbers(), self.unfinished.clone()].concat())?;
        Ok(())
    }

    /// The same for programs.
    pub fn answer(&self, done: bool, with_texts: bool) -> ForgetAnswer {
        let texts = |texts: &[Text]| -> Vec<ForgottenText> {
            let one = |text: &Text| ForgottenText {
                entry: text.entry,
                what: what(text).to_string(),
                seq: text.seq,
                because: why(text.because).to_string(),
                text: with_texts.then(|| text.text.clone()),
            };
            texts.iter().map(one).collect()
        };
        let elsewhere = self.others.iter().filter_map(|other| {
            let tournament = TournamentName::new(other.stream, &other.title);
            Some(match &other.found {
                Elsewhere::Found(plan) => ForgottenElsewhere::Found {
                    tournament,
                    player: plan.person.and_then(Person::player),
                    emptied: texts(&plan.emptied),
                    staying: texts(&plan.staying),
                },
                Elsewhere::Unclear(players) => {
                    ForgottenElsewhere::Unclear { tournament, unclear: players.clone() }
                }
                Elsewhere::Nothing => return None,
            })
        });
        ForgetAnswer {
            tournament: (&self.event).into(),
            player: self.plan.person.and_then(Person::player),
            actor: match self.plan.person {
                Some(Person::Staff(actor)) => Some(actor),
                _ => None,
            },
            stand_in: self.stand_in(),
            done,
            already: self.plan.emptied.is_empty() && self.others.is_empty(),
            emptied: texts(&self.plan.emptied),
            staying: texts(&self.plan.staying),
            namesakes: self.plan.namesakes.clone(),
            elsewhere: elsewhere.collect(),
            exports: self.exports.iter().map(Into::into).collect(),
            exports_unreadable: self.unreadable,
        }
    }
}

/// What a text is, in words.
pub fn what(text: &Text) -> &'static str {
    match text.field {
        Field::Title => "title of the tournament",
        Field::Name => "name",
        Field::PublisherId => "id with the publisher",
        Field::Staff => "name of somebody of the staff",
        Field::Reason => "reason",
        Field::Note => "note",
        Field::File => "name of the imported file",
        _ => "source of the tournament",
    }
}

/// Why a text is listed.
pub fn why(because: PairingReason) -> &'static str {
    match because {
        PairingReason::His => "theirs",
        PairingReason::NamesHim => "names them",
        PairingReason::Asked => "asked for",
        PairingReason::PartOfName => "part of their name",
        PairingReason::AboutHim => "about them",
        PairingReason::NameGone => "may name them",
    }
}
