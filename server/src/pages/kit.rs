//! A tournament to make pages from: a round with one result, a second player of the same name, and
//! one whose name is HTML.

use super::{Looked, Said};
use crate::state::{Setup, State};
use scrutineer_desk::asker::Asker;
use scrutineer_desk::desk::Asked;
use scrutineer_desk::orders::{
    self, Correct, Dispute, Enroll, Enter, Late, New, Order, Pair, Person, Publish,
};
use scrutineer_desk::store::Store;
use scrutineer_engine::record::StreamId;
use scrutineer_replay::loaded::short_id;
use std::sync::Arc;
use tokio::sync::watch;

/// A name that would be a script.
pub const HTML: &str = "<script>alert(1)</script> & Co";

pub struct Hall {
    pub store: Store,
    pub stream: StreamId,
    pub asker: Asker,
    base: String,
}

impl Hall {
    pub fn order(&self, order: impl Into<Order>) {
        let order = order.into();
        let told = orders::record(&self.asker, &self.store, self.stream, Asked::default(), &order);
        told.0.unwrap_or_else(|error| panic!("{order:?}: {}", error.told()));
    }

    pub fn slip(&self, slip: &str) {
        self.order(Enter { slip: slip.into(), ..Enter::default() });
    }

    /// The tables without a result get one.
    pub fn all_in(&self) {
        let state = self.store.load(self.stream, false).expect("loaded").state;
        let open = state.matches().filter(|found| found.result().is_none());
        open.filter_map(|found| found.table()).for_each(|table| self.slip(&format!("{table} 2-0")));
    }

    pub fn looked(&self) -> Looked<'_> {
        Looked {
            store: &self.store,
            stream: self.stream,
            asker: &self.asker,
            role: crate::gate::Role::Owner,
            own_role: crate::gate::Role::Owner,
            lowered_from: None,
            base: &self.base,
            signer: "s1".into(),
            form_key: "k1".into(),
            awaited: None,
            floor: Default::default(),
            said: Said::default(),
            second: None,
            stands: String::new(),
            publisher: None,
            other_program: None,
            given_up: Vec::new(),
            editions: Default::default(),
            copied: None,
            screen: None,
            policy: Default::default(),
            pairings: None,
            hidden: None,
            public_head: None,
            prepared: None,
            language: crate::language::Language::English,
            is_chosen: false,
            printed: String::new(),
            aside: None,
            origin: "http://192.0.2.7:7780".into(),
        }
    }

    /// Plays the round that is open, every first seat winning, and pairs and publishes the next.
    pub fn play_on(&self) {
        let state = self.store.load(self.stream, false).expect("loaded").state;
        let round = state.last_round().expect("a round").number;
        let of_round = state.matches().filter(|found| found.round().number == round);
        let open: Vec<u32> =
            of_round.filter(|found| found.result().is_none()).filter_map(|m| m.table()).collect();
        open.into_iter().for_each(|table| self.slip(&format!("{table} 2-0")));
        self.order(Pair::default());
        self.order(Publish {});
    }

    /// Somebody comes late and is not seated.
    pub fn late(&self, name: &str) {
        let person = Person { name: name.into(), ..Person::default() };
        self.order(Late { person, now: true, ..Late::default() });
    }

    /// The result of a table of the last round is put right.
    pub fn correct(&self, slip: &str) {
        let reason = "read the wrong way round".to_string();
        self.order(Correct { slip: slip.into(), reason, ..Correct::default() });
    }

    /// Somebody disputes a table of the last round.
    pub fn dispute(&self, table: u32) {
        let claim = "it was a draw".to_string();
        self.order(Dispute { table: table.to_string(), claim, ..Dispute::default() });
    }
}

/// What requests share, with a store and a house in memory.
pub fn state() -> Arc<State> {
    let setup = Setup::quiet(Asker::default(), Box::new(|| Ok(Store::in_memory())), None);
    Arc::new(State::open(setup, watch::channel(false).1).expect("opened"))
}

/// From now on nothing can be kept of the floors: their table is one of something else.
pub fn break_floors(state: &State, stream: StreamId) {
    state.floor(stream).expect("read before");
    state.house.break_floors();
}

/// A tournament that was opened, and its players.
pub fn enrolled() -> Hall {
    planned(&[])
}

/// As [`enrolled`], with phases that are planned.
pub fn planned(phases: &[&str]) -> Hall {
    let names = ["Ann Lee", "Cid", "Dee", HTML, "Eva", "Fay"];
    with_people(
        phases,
        names.map(|name| Person { name: name.into(), ..Person::default() }).to_vec(),
    )
}

/// The same with players of one's own.
pub fn with_people(phases: &[&str], people: Vec<Person>) -> Hall {
    under("mtr", phases, people)
}

/// Two in round 1 of a tournament of chess.
pub fn of_chess() -> Hall {
    let names = ["Ann Lee", "Cid"];
    let people = names.map(|name| Person { name: name.into(), ..Person::default() }).to_vec();
    let hall = under("fide-swiss-2026", &[], people);
    hall.order(Pair::default());
    hall
}

/// Round 1 of a tournament whose slip is one line of points.
pub fn of_points() -> Hall {
    let names = ["Ann Lee", "Cid", "Dee", "Eva"];
    let people = names.map(|name| Person { name: name.into(), ..Person::default() }).to_vec();
    let slip = Some("match_points:0..100".to_string());
    let hall = opened(New { rules: "netrunner".into(), slip, ..New::default() }, people);
    hall.order(Pair::default());
    hall.order(Publish {});
    hall
}

/// The same under rules of one's own.
pub fn under(rules: &str, phases: &[&str], people: Vec<Person>) -> Hall {
    let phases = phases.iter().map(|phase| phase.to_string()).collect();
    opened(New { rules: rules.into(), phases, ..New::default() }, people)
}

/// A tournament that was opened like this, but for its title, and its players.
pub fn opened(new: New, people: Vec<Person>) -> Hall {
    let store = Store::in_memory();
    let asker = Asker {
        person: Some("Bo Park".into()),
        rehearse: Some("pages".into()),
        ..Asker::default()
    };
    let new = New { title: "Friday <b>".into(), ..new };
    let (stream, _) = orders::open(&asker, &store, &new).expect("it opens");
    let base = format!("/t/{}", short_id(stream));
    let hall = Hall { store, stream, asker, base };
    hall.order(Enroll { people, ..Enroll::default() });
    hall
}

/// The same in round 1, with one of three results.
pub fn hall() -> Hall {
    let hall = enrolled();
    hall.order(Pair::default());
    hall.order(Publish {});
    hall.slip("2 2-1");
    hall
}

/// A name as it stands in a page.
pub fn escaped(name: &str) -> String {
    name.replace('&', "&#38;").replace('<', "&#60;").replace('>', "&#62;")
}

/// What an attribute of a page says where it stands first.
pub fn field<'a>(html: &'a str, name: &str) -> &'a str {
    let begin = html.find(&format!("{name}=\"")).map_or(0, |at| at + name.len() + 2);
    html[begin..].split('"').next().unwrap_or_default()
}
