//! The log: what happened, in sentences, the newest first, all of it or what is about a player, a table
//! or a round, or what was changed.

use super::frame::{Frame, Tab};
use super::sentences::{by_in, kind_in, told_in};
use super::{Looked, Person, day_and_clock, render};
use crate::asides::KEY;
use crate::gate::{Need, Role, may_take_back};
use crate::language::Language;
use askama::Template;
use scrutineer_desk::desk::{is_undoable, undone_commands};
use scrutineer_desk::names::find_player;
use scrutineer_desk::store::PRIVATE;
use scrutineer_desk::told::{Filter, Told};
use scrutineer_desk::verb_error::VerbError;
use scrutineer_engine::event::{Event, PlayerNumber, ResultRecorded, RoundNumber, Seq};
use scrutineer_engine::names::listed;
use scrutineer_engine::record::Header;
use scrutineer_engine::tournament::Player;
use scrutineer_replay::loaded::LoadedTournament;
use scrutineer_replay::staff::Staff;
use serde::Deserialize;

/// How many commands stand on a page.
const ON_A_PAGE: usize = 100;
/// How many sentences of a command are shown at once.
const SHOWN: usize = 3;

/// What is looked for.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(default)]
pub struct View {
    /// Only what came before this event.
    pub before: Option<u64>,
    /// Words that it speaks of.
    pub search: String,
    /// Its kind.
    pub kind: String,
    /// Who recorded it.
    pub person: String,
    /// A player whom it is about.
    pub player: String,
    /// A table that it is about.
    pub table: Option<u32>,
    /// A round that it is about.
    pub round: Option<RoundNumber>,
    /// Only what was corrected, renamed, ruled or undone, with what did it.
    pub changed: bool,
    /// The key of what of it is asked for beside the address.
    pub aside: Option<String>,
}

impl View {
    fn is_whole(&self) -> bool {
        *self == View { before: self.before, aside: self.aside.clone(), ..View::default() }
    }

    /// The query that asks for the same from an event on.
    fn query(&self, before: u64) -> String {
        let text = crate::query::encoded;
        let mut query = format!("?before={before}");
        let mut part = |name: &str, value: &str| {
            if !value.is_empty() {
                query.push_str(&format!("&{name}={}", text(value)));
            }
        };
        match &self.aside {
            Some(key) => part(KEY, key),
            None => {
                part("search", &self.search);
                part("person", &self.person);
                part("player", &self.player);
            }
        }
        part("kind", &self.kind);
        part("table", &self.table.map_or(String::new(), |table| table.to_string()));
        part("round", &self.round.map_or(String::new(), |round| round.to_string()));
        part("changed", if self.changed { "1" } else { "" });
        query
    }
}

#[derive(Template)]
#[template(path = "log.html")]
struct LogPage {
    frame: Frame,
    commands: Vec<Command>,
    older: Option<String>,
    view: View,
    /// The tag of the language, where it was chosen.
    lang: &'static str,
    /// The kinds of its events, as they are asked for and in words.
    kinds: Vec<(&'static str, String)>,
    /// The rounds and the players, each with whether it is the one that is asked for.
    rounds: Vec<(RoundNumber, bool)>,
    players: Vec<(Person, bool)>,
    events: u64,
}

/// What was recorded together.
struct Command {
    first: u64,
    last: u64,
    time: String,
    by: String,
    sentences: Vec<Sentence>,
    /// What stays out of sight until somebody asks.
    more: Vec<Sentence>,
    can_undo: bool,
    moves: bool,
}

struct Sentence {
    seq: u64,
    text: String,
    undone_in: Option<u64>,
    /// The event that corrected it.
    corrected_in: Option<u64>,
    /// The result that stood before.
    was: Option<String>,
    /// What was taken back, in its own sentence.
    took_back: Option<String>,
}

/// A log as its page tells it.
struct Page<'a> {
    event: &'a LoadedTournament,
    language: Language,
    staff: Staff<'a>,
    log: Told<'a>,
    role: Role,
    /// The last command of whoever looks.
    own_last: Option<(Seq, Seq)>,
    /// The first events of the commands that were undone.
    undone: std::collections::BTreeSet<Seq>,
}

impl<'a> Page<'a> {
    fn of(event: &'a LoadedTournament, at: &Looked<'_>) -> Result<Page<'a>, VerbError> {
        let own_last = match at.sees_drafts() {
            true => at.at_desk(|desk| Ok(desk.desk.own_last()?)).0?,
            false => None,
        };
        let (log, staff) = (Told::of(event, at.store.left_out(event)), Staff::of(event));
        let undone = undone_commands(&event.log);
        Ok(Page { event, language: at.language, staff, log, role: at.role, own_last, undone })
    }

    fn sentence(&self, header: &Header, logged: &Event) -> Sentence {
        // With its names: where another one has won, the two would read alike.
        let result = |seq| match self.log.at(seq)? {
            Event::ResultRecorded(e) => Some(e.clone()),
            Event::ResultCorrected(e) => {
                Some(ResultRecorded { pairing: e.pairing, result: e.result.clone() })
            }
            _ => None,
        };
        let taken = self.log.took_back(logged);
        Sentence {
            seq: header.seq,
            text: self.told(header.seq, logged),
            undone_in: self.log.undone_in(header.seq),
            corrected_in: self.log.corrected_in(header.seq),
            was: match logged {
                Event::ResultCorrected(e) => {
                    result(e.replaces).map(|was| self.told(e.replaces, &was.into()))
                }
                _ => None,
            },
            took_back: taken.map(|(seq, taken)| self.told(seq, taken)),
        }
    }

    fn told(&self, seq: Seq, logged: &Event) -> String {
        told_in(self.event, seq, logged, self.language)
    }

    /// Whether an event speaks of some words in the reader's language.
    fn speaks_of(&self, (header, logged): &(Header, Event), words: &str) -> bool {
        let has = |text: String| text.to_lowercase().contains(words);
        has(self.told(header.seq, logged)) || has(by_in(&self.staff, header, self.language))
    }

    fn command(&self, rows: &[(Header, Event)], asked: &Filter, words: &str) -> Option<Command> {
        let (first, _) = rows.first()?;
        let (last, _) = rows.last()?;
        let is_meant = |row: &&(Header, Event)| words.is_empty() || self.speaks_of(row, words);
        let asked_for = rows.iter().filter(|row| self.log.is_asked(row, asked)).filter(is_meant);
        let mut asked_for: Vec<&(Header, Event)> = asked_for.collect();
        // What a closing completes on its way stands behind it.
        asked_for.sort_by_key(|(_, logged)| !matches!(logged, Event::TournamentClosed(_)));
        let mut sentences: Vec<Sentence> =
            asked_for.into_iter().map(|(header, logged)| self.sentence(header, logged)).collect();
        if sentences.is_empty() {
            return None;
        }
        let more = match sentences.len() > SHOWN + 1 {
            true => sentences.split_off(SHOWN),
            false => Vec::new(),
        };
        let is_own_last = self.own_last.is_some_and(|(own, _)| own == first.seq);
        let may = may_take_back(self.role, rows.iter().map(|(_, logged)| logged))
            || is_own_last && Need::Drafts.admits(self.role);
        let moves = |logged: &Event| {
            matches!(
                logged,
                Event::ResultCorrected(_) | Event::Withdrawn(_) | Event::PlayerDropped(_)
            )
        };
        Some(Command {
            first: first.seq,
            last: last.seq,
            time: day_and_clock(first.time),
            by: by_in(&self.staff, first, self.language),
            sentences,
            more,
            can_undo: may && is_undoable(&self.event.state, &self.undone, rows),
            moves: rows.iter().any(|(_, logged)| moves(logged)),
        })
    }
}

/// The players who can be asked for, by name, each with whether it is the one that is asked for. Of those who are not
/// named, such as who was taken back from the list, nobody knows who they are: their word stands there once.
fn choices(
    event: &LoadedTournament,
    asked: Option<PlayerNumber>,
    language: Language,
) -> Vec<(Person, bool)> {
    let unnamed = language.t("told-not-public");
    let said = |name: String| if name == PRIVATE { unnamed.clone() } else { name };
    let one = |player: &Player| {
        let Person { number, name } = Person::of(event, player.number);
        (Person { number, name: said(name) }, asked == Some(number))
    };
    let mut players: Vec<(Person, bool)> = event.state.players().iter().map(one).collect();
    players.sort_by_cached_key(|(one, is_asked)| (listed(&one.name), !*is_asked));
    players.dedup_by(|(next, _), (one, _)| next.name == one.name && one.name == unnamed);
    players
}

/// What happened before an event, or last; with a filter only what is asked for.
///
/// # Errors
/// Where the store cannot be read, or there is no such player.
pub fn page(at: &Looked<'_>, view: &View) -> Result<String, VerbError> {
    let event = at.load_whole()?;
    let log = Page::of(&event, at)?;
    let typed = Some(view.player.trim()).filter(|typed| !typed.is_empty());
    let player = typed.map(|typed| find_player(&event, typed)).transpose()?;
    let text = |text: &str| text.trim().to_string();
    let asked = Filter {
        player,
        table: view.table,
        round: view.round,
        kind: text(&view.kind),
        person: text(&view.person),
        // The log itself speaks English.
        words: if at.language == Language::English { text(&view.search) } else { String::new() },
        changed: view.changed,
    };
    let words = match at.language {
        Language::English => String::new(),
        _ => text(&view.search).to_lowercase(),
    };
    log.log.check(&asked)?;
    let mut parts: Vec<&[(Header, Event)]> = Vec::new();
    let mut from = 0;
    for (end, (header, _)) in event.log.iter().enumerate() {
        if header.part == header.parts {
            parts.push(&event.log[from..=end]);
            from = end + 1;
        }
    }
    let is_before = |part: &&&[(Header, Event)]| {
        view.before.is_none_or(|seq| part.first().is_some_and(|(header, _)| header.seq < seq))
    };
    let all = parts.iter().rev().filter(is_before);
    let all = all.filter_map(|rows| log.command(rows, &asked, &words));
    let mut commands: Vec<Command> = all.take(ON_A_PAGE + 1).collect();
    let is_more = commands.len() > ON_A_PAGE;
    commands.truncate(ON_A_PAGE);
    let rounds = super::rounds_of(&event).into_iter();
    let out = at.store.left_out(&event);
    let shown = event.log.iter().filter(|(header, _)| !out.contains(&header.seq));
    let kinds: std::collections::BTreeSet<&'static str> =
        shown.map(|(_, logged)| logged.word()).collect();
    render(&LogPage {
        frame: Frame::of(at, &event, Tab::Log, "log"),
        older: commands.last().filter(|_| is_more).map(|last| view.query(last.first)),
        commands,
        view: view.clone(),
        lang: if at.is_chosen { at.language.tag() } else { "" },
        kinds: kinds.into_iter().map(|kind| (kind, kind_in(kind, at.language))).collect(),
        rounds: rounds.map(|round| (round, view.round == Some(round))).collect(),
        players: choices(&event, player, at.language),
        events: event.state.head(),
    })
}

#[cfg(test)]
mod tests {
    use super::super::kit::{HTML, enrolled, hall};
    use super::*;
    use scrutineer_desk::orders::{self, Close, Undo};

    #[test]
    fn each_sentence_has_its_person_and_an_undo() {
        let html = page(&hall().looked(), &View::default()).expect("a page");
        assert!(html.contains("Bo Park"));
        assert!(html.contains("value=\"undo\""));
        assert!(!html.contains(HTML));
    }

    #[test]
    fn an_undo_has_no_undo_of_its_own_on_the_page_it_leads_to_nor_in_the_log() {
        let hall = hall();
        hall.order(Undo::default());
        let mut looked = hall.looked();
        let head = hall.store.load(hall.stream, false).expect("loaded").state.head();
        looked.said.done = Some(head - 1);
        let html = page(&looked, &View::default()).expect("a page");
        assert!(html.contains("undone: "), "{html}");
        assert!(
            !html.contains("<button class=\"sm\">Undo</button>"),
            "it would be refused: {html}"
        );
        assert!(!html.contains(&format!("name=\"seq\" value=\"{}\"", head - 1)), "{html}");
        let event = hall.store.load(hall.stream, true).expect("loaded");
        let is_out = |(_, one): &&(Header, Event)| matches!(one, Event::PairingsPublished(_));
        looked.said.done = event.log.iter().find(is_out).map(|(header, _)| header.seq);
        let html = page(&looked, &View::default()).expect("a page");
        assert!(html.contains("<button class=\"sm\">Undo</button>"), "{html}");
    }

    #[test]
    fn what_was_undone_stays_crossed_out_and_names_what_undid_it() {
        let hall = hall();
        hall.order(Undo::default());
        let html = page(&hall.looked(), &View::default()).expect("a page");
        assert!(html.contains("class=\"undone\""), "{html}");
        assert!(html.contains("undone by event"));
    }

    #[test]
    fn a_closing_that_came_too_early_is_undone_in_the_log_and_nothing_before_it() {
        let hall = hall();
        hall.all_in();
        hall.order(Close::default());
        let html = page(&hall.looked(), &View::default()).expect("a page");
        assert_eq!(html.matches("name=\"order\" value=\"undo\"").count(), 1, "{html}");
    }

    /// An undone closing offered to be undone once more, and was refused; the closing itself stood behind
    /// "2 more", and the strip had no way back.
    #[test]
    fn a_closing_is_seen_and_undone_in_one_step_and_offers_that_once() {
        let hall = hall();
        hall.all_in();
        let before = hall.store.load(hall.stream, false).expect("loaded").state.head();
        hall.order(Close::default());
        let mut looked = hall.looked();
        looked.said.done = Some(before + 1);
        let html = page(&looked, &View::default()).expect("a page");
        let strip = html.split("data-said").nth(1).and_then(|rest| rest.split("<h1").next());
        let strip = strip.expect("a strip");
        assert!(strip.contains("the tournament is closed"), "{strip}");
        assert!(strip.contains("<button class=\"sm\">Undo</button>"), "{strip}");
        let row = html.split(&format!("<tr id=\"e{}\">", before + 1)).nth(1).expect("its row");
        let row = row.split("</tr>").next().expect("its row");
        let told = row.find("the tournament is closed").expect("told");
        assert!(told < row.find("<details>").unwrap_or(usize::MAX), "{row}");
        hall.order(Undo { seq: Some(before + 1), reason: None });
        let html = page(&looked, &View::default()).expect("a page");
        let form = format!("name=\"seq\" value=\"{}\"", before + 1);
        assert!(!html.contains(&form), "it would be refused: {html}");
    }

    /// Its undo was offered, and refused since the new pairing builds on the round that it completed.
    #[test]
    fn a_round_that_was_paired_anew_offers_no_undo_of_its_old_pairing() {
        let hall = hall();
        hall.all_in();
        let before = hall.store.load(hall.stream, false).expect("loaded").state.head();
        hall.order(orders::Pair::default());
        let form = format!("name=\"seq\" value=\"{}\"", before + 1);
        let is_offered = || page(&hall.looked(), &View::default()).expect("a page").contains(&form);
        assert!(is_offered());
        hall.order(orders::Pair { again: true, ..orders::Pair::default() });
        assert!(!is_offered(), "it would be refused");
    }

    #[test]
    fn a_search_leaves_out_what_does_not_speak_of_it() {
        let hall = hall();
        let html = page(&hall.looked(), &View { search: "takes part".into(), ..View::default() })
            .expect("a page");
        assert!(html.contains("Ann Lee takes part"));
        assert!(!html.contains("pairings of round 1 are out"));
    }

    /// A player read on the German page of the log that somebody "takes part".
    #[test]
    fn the_log_is_german_where_its_reader_is() {
        let hall = hall();
        hall.correct("2 1-2");
        hall.order(Undo::default());
        let mut looked = hall.looked();
        (looked.role, looked.language) = (Role::Public, crate::language::Language::German);
        let of = |view: View| page(&looked, &view).expect("a page");
        let html = of(View::default());
        assert!(html.contains("Ann Lee nimmt teil") && html.contains("zurückgenommen durch"));
        assert!(html.contains("<option value=\"result corrected\">Ergebnis berichtigt"), "{html}");
        for english in ["takes part", "undone by", " is ", "corrected by", "lang=\"en\""] {
            let main = html.split("<main").nth(1).expect("a page").split("</main>").next();
            let main = main.unwrap_or_default().replace("data-said lang=\"en\"", "");
            assert!(!main.contains(english), "{english}: {main}");
        }
        let found = of(View { search: "NIMMT teil".into(), ..View::default() });
        assert_eq!(found.matches("nimmt teil").count(), 6, "{found}");
        assert!(!found.contains("Paarungen von Runde"));
        let kind = of(View { kind: "result corrected".into(), ..View::default() });
        assert!(kind.contains("berichtigt (Ereignis") && !kind.contains("nimmt teil"), "{kind}");
    }

    /// The German page offered "(not public)" twice.
    #[test]
    fn who_is_not_named_is_offered_once_in_the_readers_language() {
        let hall = enrolled();
        for name in ["Kim Late", "Lou Late"] {
            let person = orders::Person { name: name.into(), ..orders::Person::default() };
            hall.order(orders::Enroll { people: vec![person], ..orders::Enroll::default() });
            hall.order(Undo::default());
        }
        let head = hall.store.log().head(hall.stream).expect("a head");
        let public = hall.store.public(hall.stream, head, &Default::default()).expect("public");
        for (language, word) in
            [(Language::German, "(nicht öffentlich)"), (Language::English, "(not public)")]
        {
            let role = Role::Public;
            let looked = Looked { store: &public, role, language, ..hall.looked() };
            let html = page(&looked, &View::default()).expect("a page");
            let offered = |word: &str| html.matches(&format!(">{word}</option>")).count();
            assert_eq!(offered(word), 1, "{html}");
            assert_eq!(offered("(not public)"), usize::from(language == Language::English));
            assert_eq!(offered("Ann Lee"), 1);
        }
    }

    /// By its table a denied dispute read as one that was never decided, and by their name a disqualification had
    /// no reason.
    #[test]
    fn a_ruling_and_a_note_are_found_by_the_player_and_the_table_of_what_they_are_about() {
        let hall = hall();
        hall.dispute(2);
        let reason = "the slip shows it".to_string();
        hall.order(orders::Rule { dispute: 1, upheld: Some(false), score: None, reason });
        let state = hall.store.load(hall.stream, false).expect("loaded").state;
        let seat = |table| state.at_table(1, table).expect("a table").seats()[1].player;
        let (player, reason) = (format!("#{}", seat(1)), "marked cards".to_string());
        hall.order(orders::Disqualify { player: player.clone(), reason });
        let of = |view: View| page(&hall.looked(), &view).expect("a page");
        let by_player = View { player: format!("#{}", seat(2)), ..View::default() };
        for view in [by_player, View { table: Some(2), ..View::default() }] {
            let html = of(view);
            assert!(html.contains("dispute 1 is denied: the slip shows it"), "{html}");
            assert!(!html.contains("marked cards"), "{html}");
        }
        let html = of(View { player, search: "cards".into(), ..View::default() });
        assert!(html.contains(": marked cards"), "{html}");
    }

    /// Only the opening of the round was crossed out: discarded tables read like those that stand.
    #[test]
    fn of_a_round_that_is_paired_anew_all_that_was_discarded_is_crossed_out() {
        let one = |name: &str| orders::Person { name: name.into(), ..orders::Person::default() };
        let people = ["Ann Lee", "Cid", "Dee", "Eva", "Fay"].map(one).to_vec();
        let hall = super::super::kit::with_people(&[], people);
        hall.order(orders::Pair::default());
        hall.order(orders::Publish {});
        hall.order(orders::Pair { again: true, ..orders::Pair::default() });
        hall.order(orders::Publish {});
        let head = hall.store.log().head(hall.stream).expect("a head");
        let public = hall.store.public(hall.stream, head, &Default::default()).expect("public");
        for (store, role) in [(&hall.store, Role::Owner), (&public, Role::Public)] {
            let looked = Looked { store, role, ..hall.looked() };
            let undone = |view: View| {
                let html = page(&looked, &view).expect("a page");
                html.matches("<p class=\"undone\">").count()
            };
            let round = View { round: Some(1), ..View::default() };
            assert_eq!(undone(View { table: Some(1), ..round.clone() }), 1, "{role:?}");
            // The opening, two tables, the bye, and that they were out.
            assert_eq!(undone(round), 5, "{role:?}");
        }
    }

    #[test]
    fn a_filter_leaves_what_is_about_a_player_a_table_or_a_round_and_what_was_changed() {
        let hall = hall();
        hall.correct("2 1-2");
        let of = |view: View| page(&hall.looked(), &view).expect("a page");
        let state = hall.store.load(hall.stream, false).expect("loaded").state;
        let seat = |table| state.at_table(1, table).expect("a table").seats()[0].player;
        let player = View { player: format!("#{}", seat(2)), ..View::default() };
        let html = of(player);
        assert!(html.contains("takes part") && html.contains("corrected"), "{html}");
        assert_eq!(html.matches("takes part").count(), 1, "only their own");
        let other = of(View { player: format!("#{}", seat(1)), ..View::default() });
        assert!(!other.contains(", corrected"), "{other}");
        let html = of(View { table: Some(2), ..View::default() });
        assert!(html.contains("corrected") && !html.contains("takes part"));
        let html = of(View { round: Some(1), ..View::default() });
        assert!(html.contains("corrected") && !html.contains("takes part"));
        let html = of(View { changed: true, ..View::default() });
        let was = html.split("<s>").nth(1).and_then(|behind| behind.split("</s>").next());
        assert!(
            was.is_some_and(|was| was.contains(" 2-1 ")),
            "the old one stands beside it: {html}"
        );
        assert!(html.contains("corrected by event"), "what was corrected is named too");
        assert!(!html.contains("takes part") && !html.contains("are out"));
        assert!(
            page(&hall.looked(), &View { player: "nobody".into(), ..View::default() }).is_err()
        );
    }
}
