//! Writes pages of invented tournaments into a folder, to look at them in a browser:
//! `cargo run -p scrutineer-server --example pages -- /tmp/pages`.

use scrutineer_desk::asker::Asker;
use scrutineer_desk::desk::Asked;
use scrutineer_desk::orders::{
    self, Correct, Cut, Dispute, Drop, Enroll, Enter, Late, New, Order, Pair, Person, Publish,
    Repair,
};
use scrutineer_desk::store::Store;
use scrutineer_desk::verb_error::VerbError;
use scrutineer_engine::record::StreamId;
use scrutineer_server::pages::{self, Looked, Said};
use scrutineer_server::reader::Reader;
use std::error::Error;
use std::path::Path;

const NAMES: [&str; 23] = [
    "Søren Bækgaard",
    "Björn Åkesson",
    "Chloé Lefèvre",
    "Diego Núñez",
    "Ewa Wójcik",
    "Femi Adebayo",
    "Greta Lindqvist",
    "Hugo Martín",
    "İpek Yılmaz",
    "Jan Kowalski",
    "John Miller",
    "John Parker",
    "Kenji Itō",
    "Léa Dubois",
    "مريم حداد",
    "Noah Fischer",
    "Olga Šimková",
    "Priya Raman",
    "Quentin Moreau",
    "Rita O’Connor",
    "Tomás Ribeiro",
    "Maximiliane von Hohenlohe-Waldenburg",
    "Zoë van der Berg",
];

struct Hall {
    store: Store,
    asker: Asker,
    stream: StreamId,
}

impl Hall {
    fn order(&self, order: impl Into<Order>) {
        let order = order.into();
        let told =
            orders::record(&self.asker, &self.store, self.stream, Asked::default(), &order).0;
        if let Err(error) = told {
            eprintln!("{order:?}: {}", error.told());
        }
    }

    /// Enters results at the open tables, all but so many.
    fn play(&self, but: usize) -> Result<(), Box<dyn Error>> {
        let state = self.store.load(self.stream, false)?.state;
        let round = state.last_round().map_or(0, |round| round.number);
        let open = state.matches().filter(|m| m.round().number == round && m.result().is_none());
        let mut open: Vec<u32> = open.filter_map(|found| found.table()).collect();
        open.sort_unstable();
        let scores = ["2-0", "2-1", "1-2", "0-2", "2-1", "1-1"];
        for table in open.iter().take(open.len().saturating_sub(but)) {
            let at = (*table as usize + usize::from(round) * 5) % 5;
            self.order(Enter { slip: format!("{table} {}", scores[at]), ..Enter::default() });
        }
        Ok(())
    }

    fn round(&self) {
        self.order(Pair::default());
        self.order(Publish {});
    }

    fn write(&self, to: &Path, name: &str) -> Result<(), Box<dyn Error>> {
        let mut looked = Looked {
            store: &self.store,
            role: scrutineer_server::gate::Role::Owner,
            stream: self.stream,
            asker: &self.asker,
            base: "/t/7b9adae3",
            form_key: "example".into(),
            said: Said::default(),
            language: scrutineer_server::language::Language::English,
            is_chosen: false,
            origin: "http://192.0.2.7:7780".into(),
        };
        let view = pages::standings::View::default();
        let replay = pages::replay::View { player: Some("#10".into()), ..Default::default() };
        let trial = pages::what_if::Trial {
            slip: Some("3 0-2".into()),
            round: Some(1),
            ..pages::what_if::Trial::default()
        };
        let made = [
            ("desk", pages::desk::page(&looked)),
            ("entry", pages::entry::page(&looked, Default::default())),
            ("missing", pages::missing::page(&looked)),
            ("round", pages::round::page(&looked, None)),
            (
                "players",
                pages::players::page(
                    &looked,
                    &pages::players::View { player: Some(11), ..Default::default() },
                ),
            ),
            ("standings", pages::standings::page(&looked, &view, "")),
            ("why", pages::why::page(&looked, "#10", None, &view)),
            ("log", pages::log::page(&looked, &Default::default())),
            ("disputes", pages::disputes::list(&looked)),
            ("dispute", pages::disputes::file(&looked, 1)),
            ("what-if", pages::what_if::page(&looked, &trial)),
            ("replay", pages::replay::page(&looked, &replay)),
            ("bracket", pages::bracket::page(&looked)),
            ("compare", pages::compare::page(&looked, Some("mtr+settings.percentage_floor=1/2"))),
            ("rules", pages::rules::page(&looked)),
            ("tournaments", pages::tournaments::page(&self.store, &Reader::default(), looked.role)),
            ("new", pages::tournaments::new_page(&self.store, "example", None, &looked.said)),
        ];
        let wanted = pages::print::Wanted { dispute: Some(1), per_sheet: None };
        for (what, _) in pages::print::ALL {
            write(to, &format!("{name}-print-{what}"), pages::print::page(&looked, what, wanted))?;
        }
        let screen = pages::screen::page(&looked, &pages::screen::Show::default());
        write(to, &format!("{name}-screen"), screen)?;
        for (page, html) in made {
            write(to, &format!("{name}-{page}"), html)?;
        }
        looked.said = Said {
            why: Some("best of 3 cannot end 3-0".into()),
            hint: Some("type it again".into()),
            typed: Some("7 3-0".into()),
            ..Said::default()
        };
        write(
            to,
            &format!("{name}-refused"),
            pages::entry::page(&looked, pages::entry::View::default()),
        )
    }
}

/// Writes a page, or says why there is none. Its files lie beside it.
fn write(to: &Path, name: &str, html: Result<String, VerbError>) -> Result<(), Box<dyn Error>> {
    match html {
        Ok(html) => std::fs::write(to.join(format!("{name}.html")), html.replace("\"/s/", "\"s/"))?,
        Err(error) => eprintln!("{name}: {}", error.told()),
    }
    Ok(())
}

fn main() -> Result<(), Box<dyn Error>> {
    let to = std::env::args().nth(1).unwrap_or_else(|| "target/pages".into());
    let to = Path::new(&to);
    std::fs::create_dir_all(to.join("s"))?;
    for (path, bytes) in pages::assets::all() {
        std::fs::write(to.join(path.trim_start_matches('/')), bytes)?;
    }
    let store = Store::in_memory();
    let asker = Asker {
        person: Some("Ann Lindberg".into()),
        rehearse: Some("pages".into()),
        ..Asker::default()
    };
    let new = New {
        title: "Friday at the Anchor".into(),
        rules: "mtr".into(),
        phases: vec!["swiss:5".into(), "single-elimination:8".into()],
        held_on: Some("2026-11-20".into()),
        ..New::default()
    };
    let (stream, _) = orders::open(&asker, &store, &new).map_err(|error| error.told())?;
    let hall = Hall { store, asker, stream };
    let people = NAMES.map(|name| Person { name: name.into(), ..Person::default() }).to_vec();
    hall.order(Enroll { people, ..Enroll::default() });
    hall.write(to, "enrolled")?;
    hall.round();
    hall.play(0)?;
    hall.order(Correct {
        slip: "3 1-2".into(),
        reason: "read the wrong way round".into(),
        ..Correct::default()
    });
    hall.order(Dispute {
        table: "2".into(),
        claim: "the third game was won in extra turns".into(),
        ..Dispute::default()
    });
    hall.round();
    hall.play(0)?;
    hall.order(Drop { player: "#19".into(), no_show: false });
    hall.order(Pair::default());
    let person = Person { name: "Kim Late".into(), ..Person::default() };
    hall.order(Late { person, now: true, ..Late::default() });
    hall.write(to, "draft")?;
    hall.order(Repair { reason: "came late".into(), ..Repair::default() });
    hall.order(Publish {});
    hall.play(4)?;
    hall.write(to, "playing")?;
    hall.play(0)?;
    for _ in 4..=5 {
        hall.round();
        hall.play(0)?;
    }
    hall.order(Cut::default());
    hall.round();
    hall.play(2)?;
    hall.write(to, "bracket")?;
    Ok(())
}
