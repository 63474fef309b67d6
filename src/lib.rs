//! Runs tournaments as a log of events that nothing changes, and shows how every place came about.
//!
//! Everything that is recorded (who plays, who meets whom, what came out, what was corrected and
//! why) is an event in an append-only log. Standings are a fold over that log under a ruleset, so
//! the same log can be ranked by other rules, as of any moment, and verified by anyone.
//!
//! A tournament of four players, from the opening to the standings:
//!
//! ```
//! use scrutineer::*;
//!
//! let library = Library::shipped();
//! let rules = std::sync::Arc::new(library.ruleset("mtr")?);
//! let store = Store::in_memory();
//! let opening = Opening {
//!     title: "Friday".into(),
//!     held_on: None,
//!     ruleset: library.chain("mtr")?,
//!     scoresheet: Opening::scoresheet_for(&rules, 3),
//!     plan: Vec::new(),
//!     signer: None,
//! };
//! let desk = Desk::open(&store, Means::of_machine(Actor(1)), &opening)?;
//! let people = ["Ada", "Grace", "Edsger", "Barbara"]
//!     .map(|name| Enrolment { name: name.into(), ..Enrolment::default() });
//! desk.enroll(&people, Latecomer::AsRuled)?;
//! for _round in 1..=2 {
//!     desk.pair(None, false)?;
//!     desk.publish()?;
//!     desk.enter(Slip { table: 1, score: "2-0" })?;
//!     desk.enter(Slip { table: 2, score: "2-1" })?;
//! }
//! desk.close()?;
//!
//! let played = store.load(desk.stream(), false)?;
//! let standings = Standings::of(&played.state, &rules, Scope::default(), Detail::All)?;
//! let first = &standings.rows[0];
//! assert_eq!(standings.value(first, "points").unwrap().to_string(), "6");
//! println!("{} is first", played.name(first.player));
//!
//! // Everything that follows from the records is made again, and compared.
//! assert!(verify_tournament(&store, desk.stream())?.holds());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The folder `examples` has a dozen short programs: a ruleset of one's own, published standings
//! checked, what a change would do, a bundle verified, a season under other rules, and more.
//!
//! With `default-features = false` nothing of the command is compiled. What is not named here is in
//! the crates themselves, which may change more often: [`engine`], [`projections`], [`pairing`],
//! [`formats`], [`replay`], [`desk`].

pub use scrutineer_desk as desk;
pub use scrutineer_engine as engine;
pub use scrutineer_formats as formats;
pub use scrutineer_pairing as pairing;
pub use scrutineer_projections as projections;
pub use scrutineer_replay as replay;

pub use scrutineer_desk::bundle::write_file as write_bundle_file;
pub use scrutineer_desk::desk::{
    Asked, Desk, DeskError, Done, Enrolment, Entered, Latecomer, Means, Opening, Paired, Slip, Spot,
};
pub use scrutineer_desk::rebuild::{Asked as RebuildAsked, rebuild_store};
pub use scrutineer_desk::simulate::{Simulated, Simulation};
pub use scrutineer_desk::store::{Prepared, Store, StoreError, prepare, prepare_source};
pub use scrutineer_desk::verify::verify_tournament;
pub use scrutineer_desk::what_if::WhatIf;
pub use scrutineer_engine::event::{Event, PlayerNumber, RoundNumber, Seq};
pub use scrutineer_engine::log::{Head, Log, MemoryLog};
pub use scrutineer_engine::record::{Actor, CommandId, StreamId, Time};
pub use scrutineer_engine::tournament::Tournament;
pub use scrutineer_formats::{Format, Source};
pub use scrutineer_projections::compare::{Comparison, compare};
pub use scrutineer_projections::crosstable::Scope;
pub use scrutineer_projections::explain::{Explanation, explain};
pub use scrutineer_projections::ruleset::{Library, Ruleset};
pub use scrutineer_projections::standings::{Detail, Standings};
pub use scrutineer_replay::as_of::{Moment, Timeline};
pub use scrutineer_replay::bundle::{Against, Give, check as check_bundle, write as write_bundle};
pub use scrutineer_replay::loaded::LoadedTournament;
pub use scrutineer_replay::published::check as check_published;
