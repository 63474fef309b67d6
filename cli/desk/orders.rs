//! What was typed, as orders.

use crate::args::{self, Desk as Verb, Dispute, Enroll, Late};
use crate::error::VerbError;
use crate::session::{Session, bounded, read_bounded};
use scrutineer_desk::desk::{DeskError, MAX_LIST, read_roster};
use scrutineer_desk::orders::{
    self, ByeAskedFor, HowDivided, New, Order, Person, RulesetText, Takes,
};
use scrutineer_engine::error::Code;
use std::path::Path;

/// The orders that a verb stands for, one after another; none: it asks for no order.
pub fn orders_of(session: &Session, verb: &Verb) -> Result<Vec<Order>, VerbError> {
    let one = |order: Order| Ok(vec![order]);
    match verb {
        Verb::New(_)
        | Verb::Players(_)
        | Verb::Pairings(_)
        | Verb::Disputes(_)
        | Verb::Dispute(Dispute::File(_)) => Ok(Vec::new()),
        Verb::Enroll(typed) => one(enroll(typed)?.into()),
        Verb::Late(typed) => one(late(typed).into()),
        Verb::Pair(typed) => {
            let args::Pair {
                dice,
                again,
                further,
                by_division,
                merge,
                together,
                rounds,
                engine,
                ..
            } = typed;
            let divisions = match (by_division, together) {
                (true, _) => Some(HowDivided::Apart),
                (false, true) => Some(HowDivided::Together),
                (false, false) => None,
            };
            one(orders::Pair {
                dice: dice.clone(),
                again: *again,
                further: *further,
                divisions,
                merge: merge.clone(),
                rounds: rounds.clone(),
                engine: engine.clone().filter(|typed| typed == orders::NO_ENGINE),
            }
            .into())
        }
        Verb::Publish(_) => one(orders::Publish {}.into()),
        Verb::Result(typed) => {
            one(orders::Enter { slip: typed.slip.join(" "), round: None }.into())
        }
        Verb::Correct(typed) => one(orders::Correct {
            slip: typed.slip.join(" "),
            reason: typed.reason.clone(),
            round: typed.round,
            dispute: typed.dispute,
            was: None,
        }
        .into()),
        Verb::Rename(typed) => one(orders::Rename {
            player: typed.player.clone(),
            name: typed.name.clone(),
            reason: typed.reason.clone(),
            same_name: typed.same_name,
        }
        .into()),
        Verb::CheckIn(typed) => {
            let here = |player: &String| orders::CheckIn { player: player.clone() }.into();
            Ok(typed.players.iter().map(here).collect())
        }
        Verb::Claim(typed) => one(orders::Claim { slip: typed.slip.join(" ") }.into()),
        Verb::NoteScore(typed) => one(orders::NoteScore { slip: typed.slip.join(" ") }.into()),
        Verb::NameStaff(typed) => {
            one(orders::NameStaff { actor: typed.actor, name: typed.name.clone() }.into())
        }
        Verb::Drop(typed) => {
            let drop = |player: &String| {
                orders::Drop { player: player.clone(), no_show: typed.no_show }.into()
            };
            Ok(typed.players.iter().map(drop).collect())
        }
        Verb::Bye(typed) => {
            let kind = match (typed.half, typed.zero, typed.full) {
                (true, ..) => ByeAskedFor::Half,
                (_, true, _) => ByeAskedFor::Zero,
                (_, _, true) => ByeAskedFor::Full,
                _ => ByeAskedFor::None,
            };
            one(orders::Bye { player: typed.player.clone(), round: typed.round, kind }.into())
        }
        Verb::Reinstate(typed) => one(orders::Reinstate {
            player: typed.player.clone(),
            now: typed.now,
            reason: typed.reason.clone(),
        }
        .into()),
        Verb::Disqualify(typed) => {
            let (player, reason) = (typed.player.clone(), typed.reason.clone());
            one(orders::Disqualify { player, reason }.into())
        }
        Verb::Penalty(typed) => one(orders::Penalty {
            player: typed.player.clone(),
            takes: Some(match typed.takes {
                args::Takes::Warning => Takes::Warning,
                args::Takes::GameLoss => Takes::GameLoss,
                args::Takes::MatchLoss => Takes::MatchLoss,
            }),
            now: typed.now,
            reason: typed.reason.clone(),
            round: None,
        }
        .into()),
        Verb::Repair(typed) => one(orders::Repair {
            out: typed.out.clone(),
            tables: typed.table.clone(),
            reason: typed.reason.clone(),
        }
        .into()),
        Verb::SetPairing(typed) => one(orders::SetPairing {
            players: typed.players.clone(),
            table: typed.table,
            reason: typed.reason.clone(),
        }
        .into()),
        Verb::KeepTable(typed) => {
            one(orders::KeepTable { player: typed.player.clone(), table: typed.table }.into())
        }
        Verb::Tables(typed) => one(orders::SetTables { ranges: typed.ranges.clone() }.into()),
        Verb::SetDivision(typed) => one(orders::SetDivision {
            player: typed.player.clone(),
            division: typed.division.clone(),
            reason: typed.reason.clone(),
            new_division: typed.new_division,
        }
        .into()),
        Verb::Describe(typed) => {
            // An empty word says that there is none.
            let word = |typed: &Option<String>, is_none: bool| {
                typed.clone().or_else(|| is_none.then(String::new))
            };
            one(orders::Describe {
                player: typed.player.clone(),
                title: word(&typed.title, typed.no_title),
                federation: word(&typed.federation, typed.no_federation),
                rating: word(&typed.rating, typed.no_rating),
                id: word(&typed.id, typed.no_id),
            }
            .into())
        }
        Verb::Cut(typed) => one(orders::Cut {
            division: typed.division.clone(),
            top: typed.top,
            points: typed.points,
            kind: typed.kind.clone(),
            decline: typed.decline.clone(),
            best_of: typed.best_of,
        }
        .into()),
        Verb::Advance(typed) => one(orders::Advance {
            table: typed.table,
            player: typed.player.clone(),
            reason: typed.reason.clone(),
            round: typed.round,
        }
        .into()),
        Verb::Dispute(Dispute::Open(typed)) => one(orders::Dispute {
            table: typed.table.clone(),
            claim: typed.claim.clone(),
            by: typed.by.clone(),
            round: typed.round,
        }
        .into()),
        Verb::Dispute(Dispute::Rule(typed)) => one(orders::Rule {
            dispute: typed.number,
            upheld: Some(typed.upheld),
            score: typed.score.clone(),
            reason: typed.reason.clone(),
        }
        .into()),
        Verb::AmendRules(typed) => {
            let (rules, files) = ruleset(session, &typed.rules)?;
            one(orders::AmendRules { rules, files, reason: typed.reason.clone() }.into())
        }
        Verb::Note(typed) => {
            one(orders::Note { text: typed.text.clone(), about: typed.about }.into())
        }
        Verb::Undo(typed) => {
            one(orders::Undo { seq: typed.seq, reason: Some(typed.reason.clone()) }.into())
        }
        Verb::Withdraw(typed) => {
            one(orders::Withdraw { seq: typed.seq, reason: typed.reason.clone() }.into())
        }
        Verb::Lots(_) => one(orders::Lots {}.into()),
        Verb::Reseed(typed) => one(orders::Reseed { reason: typed.reason.clone() }.into()),
        Verb::Announce(typed) => one(orders::Announce { through: typed.through }.into()),
        Verb::Close(typed) => one(orders::Close { unfinished: typed.unfinished }.into()),
    }
}

/// What a tournament is opened with: what is typed, and for the rest what the one is that it is to be like.
pub fn new(session: &Session, typed: &args::New) -> Result<New, VerbError> {
    let mut new = match &typed.like {
        Some(like) => {
            let store = session.store_to_read()?;
            let found = store.find(Some(like)).map_err(|error| {
                let mut fail = VerbError::from(error);
                if fail.code == "which-tournament" {
                    fail.hint = Some("name one with --like <title or id>".into());
                }
                fail
            });
            let event = store.load(found?, false)?;
            orders::like(&event).ok_or_else(|| {
                let message = format!("the log of {} has no opening", event.title());
                let hint = "name another tournament, or say --rules <id>";
                VerbError::new(Code::not_found("unknown-tournament"), message, hint)
            })?
        }
        None => New::default(),
    };
    if let Some(rules) = &typed.rules {
        (new.rules, new.files) = ruleset(session, rules)?;
        // A slip is what the rules read.
        new.slip = None;
    }
    new.best_of = typed.best_of.or(new.best_of);
    if !typed.phase.is_empty() {
        new.phases.clone_from(&typed.phase);
    }
    new.slip = typed.sheet.clone().or(new.slip);
    Ok(New { title: typed.title.clone(), held_on: typed.held_on.clone(), ..new })
}

/// The id of a ruleset as it is typed, and the texts that it needs where they are not shipped.
fn ruleset(session: &Session, typed: &str) -> Result<(String, Vec<RulesetText>), VerbError> {
    if typed.starts_with('+') {
        return Ok((typed.to_string(), Vec::new()));
    }
    let id = session.ruleset_id(typed)?;
    let files = session.ruleset_files(&id)?;
    let shipped = scrutineer_projections::ruleset::shipped_text;
    let own = files
        .into_iter()
        .filter(|file| !file.name.contains('+') && shipped(&file.name) != Some(file.text.as_str()));
    Ok((id, own.map(RulesetText::from).collect()))
}

fn enroll(typed: &Enroll) -> Result<orders::Enroll, VerbError> {
    let people = match &typed.csv {
        Some(path) => {
            let rows = read_roster(&list(path)?).map_err(DeskError::from)?;
            rows.into_iter().map(Person::from).collect()
        }
        None => named(typed)?,
    };
    Ok(orders::Enroll {
        people,
        now: typed.now,
        same_name: typed.person.same_name,
        leave_known: typed.csv.is_some(),
        new_division: typed.person.new_division,
    })
}

fn named(typed: &Enroll) -> Result<Vec<Person>, VerbError> {
    let person = &typed.person;
    let is_said = [&person.id, &person.title].into_iter().any(Option::is_some);
    let of_one = person.rating.is_some() || is_said || !person.member.is_empty();
    if of_one && typed.names.len() > 1 {
        let message = "a rating, a title, an id or members are those of one player";
        let hint = "enroll such players one by one, or from a CSV file";
        return Err(VerbError::new(Code::invalid("one-player-only"), message, hint));
    }
    // Nobody is called as a list that lies here.
    let is_list = |name: &&String| name.contains('.') && Path::new(name.trim()).is_file();
    if let Some(list) = typed.names.iter().find(is_list) {
        let message = format!("the name {list:?} is that of a file");
        let hint = format!("`scrutineer enroll --csv {list}` enrolls whom it lists");
        return Err(VerbError::new(Code::invalid("bad-name"), message, hint));
    }
    let one = |name: &String| Person {
        name: name.trim().to_string(),
        id: person.id.clone(),
        rating: person.rating,
        division: person.division.clone(),
        title: person.title.clone(),
        federation: person.federation.clone(),
        byes: person.byes,
        members: person.member.clone(),
    };
    Ok(typed.names.iter().map(one).collect())
}

fn list(path: &Path) -> Result<Vec<u8>, VerbError> {
    match path == Path::new("-") {
        true => bounded(std::io::stdin(), MAX_LIST).map_err(|error| VerbError::file(path, &error)),
        false => read_bounded(path, MAX_LIST),
    }
}

fn late(typed: &Late) -> orders::Late {
    let person = Person {
        name: typed.name.trim().to_string(),
        id: typed.id.clone(),
        rating: typed.rating,
        division: typed.division.clone(),
        title: typed.title.clone(),
        federation: typed.federation.clone(),
        ..Person::default()
    };
    let Late { losses, byes_missed, half_byes, now, same_name, new_division, .. } = *typed;
    orders::Late { person, losses, byes: byes_missed, half_byes, now, same_name, new_division }
}
