//! Another history: records are altered, and everything after them is hashed, chained, mirrored and
//! proved again. Without the organizer's key its checkpoints are left out, signed by another key, or
//! kept as they were; with it all of them are signed anew.

use super::files::Place;
use super::parts::{Parts, public};
use super::{ORGANISER, Row, STRANGER, row};
use scrutineer_engine::event::{ByeKind, DrawUsed, DropReason, Event, OriginKind, RulesetFile};
use scrutineer_engine::record::{Actor, CommandId, Header, Record};

const OPEN: &[&str] = &["bundle", "verify", "open.bundle"];
const BY_KEY: &[&str] = &["bundle", "verify", "open.bundle", "--key", "keys/current"];
const BY_ROUND_1: &[&str] = &["bundle", "verify", "open.bundle", "--known", "round-1.txt"];
const BY_LAST: &[&str] = &["bundle", "verify", "open.bundle", "--known", "last.txt"];
const STORE: &[&str] = &["verify", "--tournament", "Spring Open"];
const STORE_BY_LAST: &[&str] = &["verify", "--tournament", "Spring Open", "--known", "last.txt"];

pub fn rows() -> Vec<Row> {
    let mut all = by_themselves();
    all.extend(envelopes());
    all.extend(held_against());
    all.extend(in_a_store());
    all.extend(of_no_version());
    all.extend(rulesets());
    all
}

/// A false table announced by a version of the fold that nobody knows, and signed.
pub fn unknown_fold(parts: &mut Parts) {
    other_fold(parts, 3);
}

/// The same under a version that no release ever wrote.
pub fn fold_before_any(parts: &mut Parts) {
    other_fold(parts, 1);
}

fn other_fold(parts: &mut Parts, version: u32) {
    let table = parts.tables.last_mut().expect("a table");
    let at = table.announced as usize - 1;
    (table.rows[0].1, table.rows[1].1) = (table.rows[1].1, table.rows[0].1);
    let hash = table.hash().expect("a hash");
    parts.change(at, |event| {
        let Event::StandingsAnnounced(e) = event else { panic!("a table") };
        (e.fold_version, e.table) = (version, hash);
    });
    parts.sign_again(ORGANISER);
}

/// A round drawn by a method that nobody knows, and signed.
fn unknown_method(parts: &mut Parts, change: impl FnOnce(&mut DrawUsed)) {
    let at = parts.at("RoundOpened", 1);
    parts.change(at, |event| {
        let Event::RoundOpened(e) = event else { panic!("a round") };
        change(e.drawn.as_mut().expect("it was drawn"));
    });
    parts.sign_again(ORGANISER);
}

fn method_version(parts: &mut Parts) {
    unknown_method(parts, |drawn| drawn.version = 2);
}

pub fn method_name(parts: &mut Parts) {
    unknown_method(parts, |drawn| drawn.method = "by-sympathy".into());
}

/// Another text under a name that looks like a shipped ruleset's.
pub fn like_shipped(parts: &mut Parts) {
    other_ruleset(parts, |file| file.name = "m\u{442}r".into());
}

/// Another ruleset from the first on, with the tables that follow from it, and signed.
fn other_ruleset(parts: &mut Parts, change: impl FnOnce(&mut RulesetFile)) {
    parts.change(0, |event| {
        let Event::TournamentOpened(opened) = event else { panic!("the opening") };
        change(&mut opened.ruleset[0]);
    });
    parts.announce_again();
    parts.sign_again(ORGANISER);
}

/// Everything fits, and a reader who knows the shipped rulesets is told that this is none of them.
fn rulesets() -> Vec<Row> {
    vec![
        row(
            "a ruleset has the name of a shipped one with another letter",
            |p| p.parts("open.bundle", like_shipped),
            OPEN,
            (0, "[ruleset-not-shipped]"),
        ),
        row(
            "a ruleset has the name of a shipped one and another text",
            |p| {
                p.parts("open.bundle", |parts| {
                    other_ruleset(parts, |file| file.text.push_str("# another edition\n"));
                });
            },
            OPEN,
            (0, "[ruleset-not-shipped]"),
        ),
        row(
            "a store's ruleset has the name of a shipped one and a space",
            |p| signed_store(p, |parts| other_ruleset(parts, |file| file.name.push(' '))),
            &["standings", "--tournament", "Spring Open"],
            (0, "mtr  (not shipped)"),
        ),
    ]
}

/// The organizer's store, and what their keys remember.
fn signed_store(place: &Place, change: fn(&mut Parts)) {
    place.store(change);
    std::fs::remove_dir_all(place.desk.path("keys/signed")).expect("removed");
}

/// What no version wrote cannot be checked, and the organizer signs it: it is never verified.
fn of_no_version() -> Vec<Row> {
    vec![
        row(
            "a table of a fold that nobody knows, signed by the organizer",
            |p| p.parts("open.bundle", unknown_fold),
            BY_KEY,
            (3, "[unknown-fold]"),
        ),
        row(
            "a table of a fold that nobody knows, and no key is named",
            |p| p.parts("open.bundle", unknown_fold),
            OPEN,
            (3, "[unknown-fold]"),
        ),
        row(
            "a table of a fold before any release, signed by the organizer",
            |p| p.parts("open.bundle", fold_before_any),
            BY_KEY,
            (3, "[unknown-fold]"),
        ),
        row(
            "a bundle with a table of a fold before any release is taken in",
            |p| p.parts("open.bundle", fold_before_any),
            &["--store", "theirs", "bundle", "import", "open.bundle"],
            (3, "[bundle-not-checked]"),
        ),
        row(
            "a store with a table of a fold before any release, signed by the organizer",
            |p| signed_store(p, fold_before_any),
            &["verify"],
            (3, "[unknown-fold]"),
        ),
        row(
            "a round under a version of its method that nobody knows, signed by the organizer",
            |p| p.parts("open.bundle", method_version),
            BY_KEY,
            (3, "[unknown-method]"),
        ),
        row(
            "a round under a method that nobody knows, signed by the organizer",
            |p| p.parts("open.bundle", method_name),
            BY_KEY,
            (3, "[unknown-method]"),
        ),
        row(
            "a bundle with a table of a fold that nobody knows is taken in",
            |p| p.parts("open.bundle", unknown_fold),
            &["--store", "theirs", "bundle", "import", "open.bundle"],
            (3, "[bundle-not-checked]"),
        ),
        row(
            "the commands of a bundle with a table of a fold that nobody knows are asked for",
            |p| p.parts("handover.bundle", unknown_fold),
            &["adopt", "handover.bundle", "--dry-run"],
            (3, "[bundle-not-checked]"),
        ),
        row(
            "a bundle with a table of a fold that nobody knows is counted in a season",
            |p| p.parts("open.bundle", unknown_fold),
            &["rebuild", "--rules", "carde", "--season", "open.bundle"],
            (3, "[bundle-not-checked]"),
        ),
        row(
            "a store with a table of a fold that nobody knows, signed by the organizer",
            |p| signed_store(p, unknown_fold),
            STORE,
            (3, "[unknown-fold]"),
        ),
        row(
            "a store with a version of a method that nobody knows, signed by the organizer",
            |p| signed_store(p, method_version),
            STORE,
            (3, "[unknown-method]"),
        ),
        row(
            "a store with a method that nobody knows, signed by the organizer",
            |p| signed_store(p, method_name),
            STORE,
            (3, "[unknown-method]"),
        ),
    ]
}

/// Changes the bundle without names; the checkpoints are left out.
fn unsigned(place: &Place, change: impl FnOnce(&mut Parts)) {
    place.parts("open.bundle", |parts| {
        parts.notes.clear();
        change(parts);
    });
}

/// As [`unsigned`], where no program can read every event any more.
fn bytes(place: &Place, change: impl FnOnce(&mut Parts)) {
    place.bytes("open.bundle", |bytes| {
        let mut parts = Parts::of(bytes);
        parts.notes.clear();
        change(&mut parts);
        *bytes = parts.spell_as(bytes);
    });
}

/// Changes an event of this kind in the unsigned bundle.
fn event(place: &Place, kind: &str, which: usize, change: impl FnOnce(&mut Event)) {
    unsigned(place, |parts| {
        let at = parts.at(kind, which);
        parts.change(at, change);
    });
}

macro_rules! changed {
    ($kind:ident, $which:expr, |$event:ident| $change:expr) => {
        |place| {
            event(place, stringify!($kind), $which, |found| {
                let Event::$kind($event) = found else { panic!("{found:?}") };
                $change;
            })
        }
    };
}

/// What follows from the records no longer comes out, whoever made them.
fn by_themselves() -> Vec<Row> {
    vec![
        row(
            "a result is turned round",
            |p| unsigned(p, Parts::turn_round),
            OPEN,
            (1, "[pairing-differs]"),
        ),
        row(
            "a result is another, and the tables announced are not",
            |p| unsigned(p, Parts::shade_result),
            OPEN,
            (1, "[standings-differ]"),
        ),
        row(
            "another score than can be",
            changed!(ResultRecorded, 0, |e| e.result.score.seats[0][0] = 9),
            OPEN,
            (1, "[not-legal]"),
        ),
        row(
            "a result of a match that nobody paired",
            changed!(ResultRecorded, 0, |e| e.pairing = 1),
            OPEN,
            (1, "[not-legal]"),
        ),
        row(
            "a correction is taken out",
            |p| {
                unsigned(p, |parts| {
                    let at = parts.at("ResultCorrected", 0);
                    parts.take_out(at);
                });
            },
            OPEN,
            (1, "[not-legal]"),
        ),
        row(
            "a correction is of another event",
            changed!(ResultCorrected, 0, |e| e.replaces -= 1),
            OPEN,
            (1, "[not-legal]"),
        ),
        row(
            "a drop is of another player",
            changed!(PlayerDropped, 0, |e| e.player = 1),
            OPEN,
            (1, "[pairing-differs]"),
        ),
        row(
            "a drop is a disqualification",
            changed!(PlayerDropped, 0, |e| e.why = DropReason::Disqualified),
            OPEN,
            (1, "[standings-differ]"),
        ),
        row(
            "a player is enrolled twice",
            changed!(PlayerEnrolled, 2, |e| e.player = 2),
            OPEN,
            (1, "[not-legal]"),
        ),
        row(
            "two players have exchanged their numbers",
            |p| {
                unsigned(p, |parts| {
                    for (kind, which) in [("PlayerEnrolled", 1), ("PlayerEnrolled", 2)] {
                        let at = parts.at(kind, which);
                        parts.change(at, |event| {
                            let Event::PlayerEnrolled(e) = event else { panic!() };
                            e.name.number = 1;
                        });
                    }
                });
            },
            OPEN,
            (1, "[commitment-twice]"),
        ),
        row(
            "two players are exchanged between tables",
            |p| {
                unsigned(p, |parts| {
                    let (a, b) = (parts.at("PairingMade", 0), parts.at("PairingMade", 1));
                    let seat = |parts: &Parts, at: usize| {
                        let Event::PairingMade(e) = parts.event(at) else { panic!("a pairing") };
                        e.seats[0].player
                    };
                    let players = [seat(parts, b), seat(parts, a)];
                    for (at, player) in [a, b].into_iter().zip(players) {
                        parts.change(at, |event| {
                            let Event::PairingMade(e) = event else { panic!("a pairing") };
                            e.seats[0].player = player;
                        });
                    }
                });
            },
            OPEN,
            (1, "[pairing-differs]"),
        ),
        row(
            "two tables have exchanged their numbers",
            |p| {
                unsigned(p, |parts| {
                    for (which, table) in [(0, 2), (1, 1)] {
                        let at = parts.at("PairingMade", which);
                        parts.change(at, |event| {
                            let Event::PairingMade(e) = event else { panic!("a pairing") };
                            e.table = Some(table);
                        });
                    }
                });
            },
            OPEN,
            (1, "[pairing-differs]"),
        ),
        row(
            "a bye is another player's",
            changed!(ByeGiven, 0, |e| e.player = 1 + e.player % 5),
            OPEN,
            (1, "[not-legal]"),
        ),
        row(
            "a bye is a loss",
            changed!(ByeGiven, 0, |e| e.kind = ByeKind::AwardedLoss),
            OPEN,
            (1, "[pairing-differs]"),
        ),
        row(
            "a round has another number",
            changed!(RoundOpened, 1, |e| e.round = 3),
            OPEN,
            (1, "[not-legal]"),
        ),
        row(
            "rounds 2 and 3 have exchanged their numbers",
            |p| {
                unsigned(p, |parts| {
                    for (which, round) in [(1, 3), (2, 2)] {
                        let at = parts.at("RoundOpened", which);
                        parts.change(at, |event| {
                            let Event::RoundOpened(e) = event else { panic!("a round") };
                            (e.round, e.phase_round) = (round, round);
                        });
                    }
                });
            },
            OPEN,
            (1, "[not-legal]"),
        ),
        row(
            "a round was drawn with another seed",
            changed!(RoundOpened, 0, |e| e.drawn.as_mut().expect("drawn").seed[0] ^= 1),
            OPEN,
            (1, "[not-legal]"),
        ),
        row(
            "a round was drawn with dice that nobody threw",
            changed!(RoundOpened, 0, |e| {
                e.drawn.as_mut().expect("drawn").dice = Some(b"6 6 6".to_vec());
            }),
            OPEN,
            (1, "[pairing-differs]"),
        ),
        row(
            "tables are said to be drawn, and no seed is shown",
            changed!(RoundOpened, 0, |e| e.drawn = None),
            OPEN,
            (1, "[paired-without-seed]"),
        ),
        row(
            "a table is drawn for another reason",
            changed!(PairingMade, 0, |e| {
                use scrutineer_engine::event::PairingReason;
                e.origin.because = Some(PairingReason::RematchUnavoidable);
            }),
            OPEN,
            (1, "[pairing-differs]"),
        ),
        row(
            "a drawn table is said to come from elsewhere",
            changed!(PairingMade, 0, |e| {
                e.origin.kind = OriginKind::AsGiven;
                e.origin.because = None;
            }),
            OPEN,
            (1, "[pairing-differs]"),
        ),
        row(
            "another secret of the draws is committed to",
            changed!(TournamentOpened, 0, |e| e.seed_commitment = Some([3; 32])),
            OPEN,
            (1, "[not-legal]"),
        ),
        row(
            "the ruleset in force is another",
            changed!(TournamentOpened, 0, |e| {
                let text = &mut e.ruleset[0].text;
                text.push_str("# another edition\n");
            }),
            OPEN,
            (1, "[other-ruleset]"),
        ),
        row(
            "another table was announced",
            changed!(StandingsAnnounced, 0, |e| e.table[0] ^= 1),
            OPEN,
            (1, "[standings-differ]"),
        ),
        row(
            "a table was announced after another round",
            changed!(StandingsAnnounced, 2, |e| e.through_round = 1),
            OPEN,
            (1, "[standings-differ]"),
        ),
        row(
            "a table was announced under another ruleset",
            changed!(StandingsAnnounced, 0, |e| e.ruleset[0] ^= 1),
            OPEN,
            (1, "[other-ruleset]"),
        ),
        row(
            "an announcement is of another moment",
            changed!(StandingsAnnounced, 1, |e| e.head -= 1),
            OPEN,
            (1, "[not-legal]"),
        ),
        row(
            "something is recorded after the close",
            |p| {
                unsigned(p, |parts| {
                    let from = parts.at("PlayerDropped", 0);
                    let last = parts.records.last().expect("a record").header().command;
                    let header = parts.records[from].header();
                    let header = Header { command: CommandId(last.0 ^ 1), ..header };
                    let again = Record::seal(header, parts.records[from].payload());
                    parts.records.push(again.expect("a record"));
                    parts.chain();
                });
            },
            OPEN,
            (1, "[not-legal]"),
        ),
        row(
            "the end of a tournament is taken out",
            |p| unsigned(p, Parts::cut_off),
            BY_LAST,
            (1, "[log-shorter]"),
        ),
    ]
}

/// What stands around the events.
fn envelopes() -> Vec<Row> {
    vec![
        row(
            "an event is of a kind that nobody knows",
            |p| {
                bytes(p, |parts| {
                    let at = parts.at("NoteAdded", 0);
                    parts.envelope(at, |header| header.kind = 9_999);
                })
            },
            OPEN,
            (1, "[unreadable]"),
        ),
        row(
            "an event is of a later version of its kind",
            |p| {
                bytes(p, |parts| {
                    let at = parts.at("NoteAdded", 0);
                    parts.envelope(at, |header| header.schema = 2);
                })
            },
            OPEN,
            (1, "[unreadable]"),
        ),
        row(
            "an event is of another kind of the same form",
            |p| {
                bytes(p, |parts| {
                    let at = parts.at("RoundCompleted", 0);
                    parts.envelope(at, |header| header.kind = 43);
                })
            },
            OPEN,
            (1, "[not-legal]"),
        ),
        row(
            "a byte stands behind an event",
            |p| {
                bytes(p, |parts| {
                    let at = parts.at("NoteAdded", 0);
                    parts.payload(at, |payload| payload.push(0));
                })
            },
            OPEN,
            (1, "[unreadable]"),
        ),
        row(
            "a number of an event is spelled longer than it need be",
            |p| {
                bytes(p, |parts| {
                    let at = parts.at("RoundCompleted", 0);
                    parts.payload(at, |payload| *payload = vec![251, payload[0], 0]);
                })
            },
            OPEN,
            (1, "[unreadable]"),
        ),
        row(
            "two commands have one id",
            |p| {
                bytes(p, |parts| {
                    let (a, b) = (parts.at("ResultRecorded", 0), parts.at("NoteAdded", 0));
                    let command = parts.records[a].header().command;
                    parts.envelope(b, |header| header.command = command);
                })
            },
            OPEN,
            (1, "[command-twice]"),
        ),
    ]
}

/// What only somebody finds who holds something.
fn held_against() -> Vec<Row> {
    vec![
        row(
            "another history under the old checkpoints",
            |p| p.parts("open.bundle", Parts::shade),
            OPEN,
            (1, "[log-forked]"),
        ),
        row(
            "another history signed by a stranger",
            |p| {
                p.parts("open.bundle", |parts| {
                    parts.shade();
                    parts.sign_again(STRANGER);
                });
            },
            OPEN,
            (1, "[checkpoint-not-signed]"),
        ),
        row(
            "another history with another organizer's key",
            |p| {
                p.parts("open.bundle", |parts| {
                    parts.name_signer(STRANGER);
                    parts.shade();
                    parts.sign_again(STRANGER);
                });
            },
            BY_KEY,
            (1, "[key-not-signed]"),
        ),
        row(
            "another history with another organizer's key, held against a checkpoint",
            |p| {
                p.parts("open.bundle", |parts| {
                    parts.name_signer(STRANGER);
                    parts.shade();
                    parts.sign_again(STRANGER);
                });
            },
            BY_LAST,
            (1, "[known-other-key]"),
        ),
        row(
            "the organizer writes another history and signs it",
            |p| {
                p.parts("open.bundle", |parts| {
                    parts.shade();
                    parts.sign_again(ORGANISER);
                });
            },
            BY_LAST,
            (1, "[log-re-signed]"),
        ),
        row(
            "the organizer writes another name under round 1 and signs it",
            |p| {
                p.parts("open.bundle", |parts| {
                    parts.envelope(2, |header| header.actor = Actor(9));
                    parts.announce_again();
                    parts.sign_again(ORGANISER);
                });
            },
            BY_ROUND_1,
            (1, "[log-re-signed]"),
        ),
        row(
            "the organizer takes a note out and signs the rest",
            |p| {
                p.parts("open.bundle", |parts| {
                    let at = parts.at("StandingsAnnounced", 0);
                    parts.envelope(at, |header| header.time.unix_micros -= 1);
                    parts.sign_again(ORGANISER);
                });
            },
            BY_LAST,
            (1, "[log-re-signed]"),
        ),
        row(
            "the bundle is one of another tournament of the same organizer",
            |p| p.desk.write("open.bundle", &p.read("other-open.bundle")),
            BY_LAST,
            (1, "[known-other-tournament]"),
        ),
        row(
            "records of one's own behind the true ones",
            |p| {
                p.parts("open.bundle", |parts| {
                    let at = parts.at("NoteAdded", 0);
                    let header = parts.records[at].header();
                    let header = Header { command: CommandId(header.command.0 ^ 1), ..header };
                    let again = Record::seal(header, parts.records[at].payload());
                    parts.records.push(again.expect("a record"));
                    parts.chain();
                });
            },
            BY_KEY,
            (1, "only: the key"),
        ),
        row(
            "records of one's own behind the true ones, signed by a key of one's own",
            |p| {
                p.parts("open.bundle", |parts| {
                    use scrutineer_engine::event::SignerChanged;
                    let note = parts.at("NoteAdded", 0);
                    let Event::NoteAdded(reason) = parts.event(note) else { panic!("a note") };
                    let event = SignerChanged { signer: public(STRANGER), reason: reason.note };
                    let event = Event::from(event);
                    let header = parts.records[note].header();
                    let command = CommandId(header.command.0 ^ 1);
                    let header = Header { command, kind: event.kind(), ..header };
                    let payload = event.encode().expect("it fits");
                    parts.records.push(Record::seal(header, &payload).expect("a record"));
                    parts.chain();
                    let history = parts.history();
                    let checkpoint = history.checkpoint(history.size()).expect("a command ends");
                    parts.notes.push(super::parts::sign(checkpoint, STRANGER));
                });
            },
            BY_KEY,
            (1, "only: the key"),
        ),
    ]
}

/// The same in a store: its journal is written anew.
fn in_a_store() -> Vec<Row> {
    vec![
        row(
            "a store with a result turned round",
            |p| {
                p.store(|parts| {
                    parts.notes.clear();
                    parts.turn_round();
                });
            },
            STORE,
            (1, "[pairing-differs]"),
        ),
        row(
            "a store with another history under its old checkpoints",
            |p| p.store(Parts::shade),
            STORE,
            (1, "[log-forked]"),
        ),
        row(
            "a store with another history signed by a stranger",
            |p| {
                p.store(|parts| {
                    parts.shade();
                    parts.sign_again(STRANGER);
                });
            },
            STORE,
            (1, "[checkpoint-not-signed]"),
        ),
        row(
            "a store with another history signed by the organizer",
            |p| {
                p.store(|parts| {
                    parts.shade();
                    parts.sign_again(ORGANISER);
                });
            },
            STORE_BY_LAST,
            (1, "[log-re-signed]"),
        ),
        row(
            "a store with another organizer's key",
            |p| {
                p.store(|parts| {
                    parts.name_signer(STRANGER);
                    parts.announce_again();
                    parts.sign_again(STRANGER);
                });
            },
            STORE_BY_LAST,
            (1, "[known-other-key]"),
        ),
        row(
            "a store that has lost its end",
            |p| {
                p.store(|parts| {
                    parts.cut_off();
                });
            },
            STORE,
            (1, "[log-shorter]"),
        ),
        row(
            "a store without checkpoints that has lost its end",
            |p| {
                p.store(|parts| {
                    parts.cut_off();
                    parts.notes.clear();
                });
            },
            STORE_BY_LAST,
            (1, "[log-shorter]"),
        ),
        row(
            "a store in which a drop never happened",
            |p| {
                p.store(|parts| {
                    parts.notes.clear();
                    let at = parts.at("PlayerDropped", 0);
                    parts.change(at, |event| {
                        let Event::PlayerDropped(e) = event else { panic!("a drop") };
                        e.player = 1;
                    });
                });
            },
            STORE,
            (1, "[pairing-differs]"),
        ),
        row(
            "a store whose events have other texts committed to",
            |p| {
                p.store(|parts| {
                    parts.notes.clear();
                    let at = parts.at("PlayerEnrolled", 0);
                    parts.change(at, |event| {
                        let Event::PlayerEnrolled(e) = event else { panic!("a player") };
                        e.name.digest[0] ^= 1;
                    });
                });
            },
            STORE,
            (1, "[book-altered]"),
        ),
        row(
            "a store in which a round was drawn without its seed",
            |p| {
                p.store(|parts| {
                    parts.notes.clear();
                    let at = parts.at("RoundOpened", 2);
                    parts.change(at, |event| {
                        let Event::RoundOpened(e) = event else { panic!("a round") };
                        e.drawn = None;
                    });
                });
            },
            STORE,
            (1, "[paired-without-seed]"),
        ),
    ]
}
