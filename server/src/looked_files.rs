//! What is seen of a file before it is stored, and how it is stored.

use crate::gate::Need;
use crate::posted::{Fields, field};
use crate::state::State;
use crate::uploads::Sent;
use crate::who::Who;
use scrutineer_desk::bundle::{ImportError, Imported, Signatures, is_other_history};
use scrutineer_desk::follow::bring_in;
use scrutineer_desk::incoming::{Checked, Understood, understand};
use scrutineer_desk::keys::KeyFolder;
use scrutineer_desk::rehearsal::now;
use scrutineer_desk::store::{Added, Prepared, Store, StoreError, TournamentSummary};
use scrutineer_desk::verb_error::VerbError;
use scrutineer_engine::record::{Actor, StreamId};
use scrutineer_formats::{Asked, Preview, is_bundle, preview};
use scrutineer_projections::counted;
use scrutineer_projections::ruleset::{Library, called};
use scrutineer_replay::bundle::Held;
use scrutineer_replay::loaded::short_id;
use scrutineer_replay::verify::Against;
use std::fmt::Write;
use std::sync::Arc;

/// The most columns of a sheet that a page lets somebody choose.
pub const COLUMNS_SHOWN: usize = 40;
/// What the format of a bundle is called.
pub const BUNDLE: &str = "Scrutineer";

/// How a file is to be read, as somebody says it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct View {
    /// Which file of the upload, from 0.
    pub file: usize,
    /// The ruleset; none: as the file or its platform says.
    pub rules: Option<String>,
    /// What the columns of a sheet hold, such as `round=1,player_a=2`.
    pub columns: Option<String>,
    /// Whether it is looked at by itself, and not with others that may be other versions of it.
    pub is_alone: bool,
}

impl View {
    /// The view of a form's fields: columns in one text, or each as it was picked.
    pub fn of(fields: &Fields) -> View {
        let text = |name: &str| field(fields, name).map(str::trim).map(str::to_string);
        let picked = || {
            field(fields, "pick")?;
            let mut all = String::new();
            for at in 1..=COLUMNS_SHOWN {
                let named = format!("c{at}");
                let Some((_, word)) = fields.iter().find(|(name, _)| *name == named) else {
                    continue;
                };
                let word = if word.is_empty() { "ignore" } else { word };
                let sign = if all.is_empty() { "" } else { "," };
                // A text takes whatever is written into it.
                let _ = write!(all, "{sign}{word}={at}");
            }
            Some(all)
        };
        View {
            file: field(fields, "file").and_then(|at| at.parse().ok()).unwrap_or(0),
            rules: text("rules"),
            columns: picked().or_else(|| text("columns")),
            is_alone: false,
        }
        .without_nothing()
    }

    fn without_nothing(mut self) -> View {
        for one in [&mut self.rules, &mut self.columns] {
            *one = one.take().filter(|text| !text.is_empty());
        }
        self
    }

    fn asked(&self) -> Asked {
        Asked { columns: self.columns.clone() }
    }
}

/// What is seen of a file.
#[derive(Default)]
pub struct Seen {
    /// How it was understood; none: it cannot be recorded.
    pub understood: Option<Understood>,
    /// The comparison with its published standings, where it has some, or why there is none.
    pub checked: Option<Result<Checked, String>>,
    /// What would become of it.
    pub would: Option<Added>,
    /// What its columns are taken for, where it is a sheet.
    pub sheet: Option<Preview>,
    /// Why it cannot be stored.
    pub refused: Option<VerbError>,
}

/// Looks at a file beside what the store has; nothing is stored, but that a bundle is another history of a
/// tournament that was signed. `known` are the tournaments of the store.
pub fn look(
    store: &Store,
    keys: &KeyFolder,
    known: &[TournamentSummary],
    sent: &Sent,
    view: &View,
    compares: bool,
) -> Seen {
    if is_bundle(&sent.bytes) {
        return match read_bundle(store, keys, &sent.bytes) {
            Ok((_, understood, would)) => {
                Seen { understood: Some(understood), would: Some(would), ..Seen::default() }
            }
            Err(error) => Seen { refused: Some(error), ..Seen::default() },
        };
    }
    let asked = view.asked();
    let sheet = preview(&sent.name, &sent.bytes, &asked)
        // A choice that names no columns is refused below; the sheet is shown all the same.
        .or_else(|_| preview(&sent.name, &sent.bytes, &Asked::default()));
    let mut seen = Seen { sheet: sheet.ok().flatten(), ..Seen::default() };
    let looked = prepared(sent, view).and_then(|(prepared, mut understood)| {
        let source = &prepared.source;
        let publishes = !source.published.is_empty() || !source.places.is_empty();
        seen.checked = (compares && publishes).then(|| Checked::of(&prepared));
        let would = store.would_add(&prepared, known).map_err(VerbError::from);
        let beside = would.as_ref().map(|would| understood.beside(store, would));
        let beside = beside.unwrap_or(Ok(()));
        let alike = store.alike(&prepared, known)?;
        understood.alike(alike.as_ref());
        seen.understood = Some(understood);
        beside?;
        would
    });
    match looked {
        Ok(would) => seen.would = Some(would),
        Err(error) => seen.refused = Some(error),
    }
    seen
}

fn prepared(sent: &Sent, view: &View) -> Result<(Prepared, Understood), VerbError> {
    let (library, rules) = (Library::shipped(), view.rules.as_deref());
    let (mut prepared, understood) =
        understand(&sent.name, &sent.bytes, &view.asked(), rules, &library)?;
    if view.is_alone {
        prepared.by_hand();
    }
    Ok((prepared, understood))
}

/// Reads a bundle, which another store gave: what is wrong in it is found before anything of it is taken in.
fn read_bundle(
    store: &Store,
    keys: &KeyFolder,
    bytes: &[u8],
) -> Result<(Held, Understood, Added), VerbError> {
    let mut held = Held::check(bytes, &Against::default()).map_err(ImportError::from)?;
    let checked = held.checked();
    let (records, texts) = (checked.records, checked.entries);
    let wrong = match (checked.holds(), checked.unchecked()) {
        (false, _) => Some(ImportError::NotInOrder),
        (true, 0) => None,
        (true, _) => Some(ImportError::NotChecked),
    };
    if let Some(wrong) = wrong {
        return Err(VerbError::of_bundle(wrong, checked));
    }
    let event = held.open().map_err(ImportError::from)?.ok_or(ImportError::NotInOrder)?;
    let (stream, state) = (event.stream, &event.state);
    let understood = Understood {
        title: event.title(),
        format: BUNDLE.into(),
        held_on: state.opened().and_then(|opened| opened.held_on),
        rules: called(state.ruleset().unwrap_or_default()),
        players: state.players().iter().filter(|player| !player.withdrawn).count(),
        rounds: state.rounds().iter().filter(|round| !round.withdrawn).count(),
        matches: state.matches().count(),
        ..Understood::default()
    };
    if is_other_history(store, stream, &mut held)? {
        bring_in(store, keys, &mut held, Signatures::Wanted)?;
    }
    let head = store.log().head(stream).map_err(StoreError::from)?.seq;
    let would = match head {
        0 => Added::New(stream),
        head if head < records => {
            Added::Renewed(stream, vec![format!("{} more", counted(records - head, "event"))])
        }
        _ if texts > 0 => {
            let texts = counted(texts, "private text");
            Added::Renewed(stream, vec![format!("of {texts} those that are missing here")])
        }
        _ => Added::Known(stream),
    };
    Ok((held, understood, would))
}

/// Stores a bundle that somebody sent: as a tournament of its own, or behind the beginning of it that is here.
///
/// # Errors
/// Why it is not stored: then nothing of it is.
pub async fn store_bundle(state: &Arc<State>, who: &Who, sent: Sent) -> Result<Added, VerbError> {
    who.check_of_store(Need::HeadJudge)?;
    let by = who.told();
    let keys = state.setup.asker.keys.clone();
    let looked = state.read_long(move |store| {
        let (held, _, would) = read_bundle(store, &keys, &sent.bytes)?;
        Ok((held, would))
    });
    let (mut held, would) = looked.await?;
    let (Added::New(stream) | Added::Known(stream) | Added::Renewed(stream, _)) = would;
    let bring = move |state: &State, store: &Store| {
        let keys = &state.setup.asker.keys;
        let added = match bring_in(store, keys, &mut held, Signatures::Wanted)? {
            Imported::New { .. } => Added::New(stream),
            Imported::Extended { had, records } => {
                Added::Renewed(stream, vec![format!("{} more", counted(records - had, "event"))])
            }
            Imported::Known { words: 0, secrets: 0, .. } => Added::Known(stream),
            Imported::Known { words, .. } => {
                Added::Renewed(stream, vec![counted(words, "private text")])
            }
        };
        let what = format!("a bundle was brought in: tournament {}", short_id(stream));
        state.house.note(&by, what)?;
        Ok(added)
    };
    match would {
        Added::New(_) => state.act_alone(bring).await,
        _ => state.act(stream, bring).await,
    }
}

/// Stores a file that somebody sent, as a tournament of its own or behind an older version of it; the same file
/// is stored once.
///
/// # Errors
/// Why it is not stored: then nothing of it is.
pub async fn store(
    state: &Arc<State>,
    who: &Who,
    sent: Sent,
    view: View,
) -> Result<(Added, Understood), VerbError> {
    who.check_of_store(Need::HeadJudge)?;
    let by = who.told();
    let note = move |state: &State, _: &Store, added: &Added| {
        let (stream, what) = match added {
            Added::New(stream) => (*stream, "imported"),
            Added::Renewed(stream, _) => (*stream, "brought up to date from a file"),
            Added::Known(_) => return Ok(()),
        };
        state.house.note(&by, format!("{what}: tournament {}", short_id(stream)))
    };
    bring(state, move |_| prepared(&sent, &view), note).await
}

/// Brings a file in as it was read beside the store: as a tournament of its own, or behind an older version of it.
/// What else is to be done is done in the same turn.
///
/// # Errors
/// Why it is not stored: then nothing of it is.
pub async fn bring(
    state: &Arc<State>,
    read: impl FnOnce(&Store) -> Result<(Prepared, Understood), VerbError> + Send + 'static,
    then: impl FnOnce(&State, &Store, &Added) -> Result<(), VerbError> + Send + 'static,
) -> Result<(Added, Understood), VerbError> {
    let looked = state.read_long(move |store| {
        let (prepared, mut understood) = read(store)?;
        let would = store.would_add(&prepared, &store.events()?)?;
        understood.beside(store, &would)?;
        Ok((prepared, understood, would))
    });
    let (prepared, understood, would) = looked.await?;
    let add = move |state: &State, store: &Store| {
        // What was recorded since is seen: it is looked at again when its turn comes.
        let added = store.add(prepared, &mut store.events()?, Actor(0), now())?;
        then(state, store, &added)?;
        Ok(added)
    };
    let (turn, added) = match would {
        Added::New(_) => (None, state.act_alone(add).await?),
        Added::Known(stream) | Added::Renewed(stream, _) => {
            (Some(stream), state.act(stream, add).await?)
        }
    };
    tell(state, turn, &added).await?;
    Ok((added, understood))
}

/// Tells those who watch a tournament that changed in the turn of another one.
async fn tell(state: &Arc<State>, turn: Option<StreamId>, added: &Added) -> Result<(), VerbError> {
    match added {
        Added::Renewed(stream, _) if turn != Some(*stream) => {
            state.act(*stream, |_, _| Ok(())).await
        }
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn view(fields: &[(&str, &str)]) -> View {
        let fields: Fields = fields.iter().map(|(a, b)| (a.to_string(), b.to_string())).collect();
        View::of(&fields)
    }

    #[test]
    fn columns_that_are_picked_are_said_as_the_command_line_says_them() {
        let picked =
            [("pick", "1"), ("c1", "round"), ("c2", ""), ("c3", "player_a"), ("file", "2")];
        let found = view(&picked);
        assert_eq!(found.columns.as_deref(), Some("round=1,ignore=2,player_a=3"));
        assert_eq!((found.file, found.rules), (2, None));
        assert_eq!(view(&picked[1..]).columns, None, "nobody pressed the button below the columns");
        let kept = view(&[("columns", "round=1"), ("rules", " mtr ")]);
        assert_eq!(
            (kept.columns.as_deref(), kept.rules.as_deref()),
            (Some("round=1"), Some("mtr"))
        );
        assert_eq!(view(&[("columns", ""), ("rules", " ")]), View::default());
    }

    #[test]
    fn a_sheet_that_only_a_person_can_read_is_shown_with_its_question() {
        let store = Store::in_memory();
        let bytes = "Runde;Spieler;Farbe;Ergebnis\n1;Ann;Ben;2-0\n1;Cid;Dee;2-1\n".into();
        let sent = Sent { name: "abend.csv".into(), bytes };
        let seen = look(&store, &KeyFolder::new(None), &[], &sent, &View::default(), true);
        let sheet = seen.sheet.expect("a sheet");
        assert_eq!(sheet.question.expect("a question").role, "player_b");
        assert_eq!(seen.refused.expect("refused").code.word, "which-column");
        let columns = Some("round=1,player_a=2,player_b=3,result=4".to_string());
        let seen = look(
            &store,
            &KeyFolder::new(None),
            &[],
            &sent,
            &View { columns, ..View::default() },
            true,
        );
        assert!(seen.refused.is_none(), "{:?}", seen.refused);
        let understood = seen.understood.expect("understood");
        assert_eq!((understood.players, understood.rounds, understood.matches), (4, 1, 2));
        assert!(matches!(seen.would, Some(Added::New(_))));
        let none = Some("round=9".to_string());
        let seen = look(
            &store,
            &KeyFolder::new(None),
            &[],
            &sent,
            &View { columns: none, ..View::default() },
            true,
        );
        assert!(seen.sheet.is_some() && seen.refused.is_some(), "the sheet is shown all the same");
    }
}
