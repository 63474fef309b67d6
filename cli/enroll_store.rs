//! `enroll-store`: where this store is enrolled, at its running server or without one.

use crate::Report;
use crate::args;
use crate::error::VerbError;
use crate::session::Session;
use scrutineer_desk::answers::{PublisherEnded, PublisherStands, line};
use scrutineer_engine::error::Code;
use scrutineer_server::enrolled::{self, Enrolled, link};
use scrutineer_server::local::Server;
use serde_json::{Value, json};

/// Where the server of a store says how it stands.
const PATH: &str = "/api/v1/publisher";

/// Enrolls, ends, or says how it stands.
pub fn run(session: &Session, options: &args::EnrollStore) -> Result<Report, VerbError> {
    let folder = session.existing_store()?.folder();
    if let Some(typed) = &options.link {
        // What is mistyped is told before anybody is asked.
        link(typed)?;
    }
    if let Some(server) = Server::of(folder) {
        return at_server(session, &server, options);
    }
    if options.end || options.link.is_some() {
        session.may_record_in(folder)?;
    }
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let runtime = runtime.map_err(|error| {
        let message = format!("the other server cannot be asked: {error}");
        VerbError::new(Code::io("server-not-started"), message, "try it again")
    })?;
    runtime.block_on(async {
        if options.end {
            let (was, untold) = enrolled::end(folder).await?;
            let ended = PublisherEnded { address: was.address, told: untold.is_none() };
            return Ok(told(session, line(&ended), ended_in_words(&ended.address, ended.told)));
        }
        let enrolled = match &options.link {
            Some(typed) => Some(enrolled::enroll(folder, typed, options.only.clone()).await?),
            None => enrolled::enrolled(folder)?,
        };
        let stands = stands(enrolled.as_ref());
        let mut text = in_words(&json!(stands));
        if enrolled.is_some() {
            text.push_str("  no server of this store runs: `scrutineer serve` pushes to it\n");
        }
        Ok(told(session, line(&stands), text))
    })
}

fn stands(enrolled: Option<&Enrolled>) -> PublisherStands {
    PublisherStands {
        address: enrolled.map(|it| it.address.clone()),
        name: enrolled.map(|it| it.name.clone()),
        only: enrolled.and_then(|it| it.only.clone()),
        ..PublisherStands::default()
    }
}

fn at_server(
    session: &Session,
    server: &Server,
    options: &args::EnrollStore,
) -> Result<Report, VerbError> {
    let answer = match &options.link {
        _ if options.end => server.ask_json("DELETE", PATH, None)?,
        Some(link) => {
            let wanted = json!({ "link": link, "only": options.only });
            server.ask_json("POST", PATH, Some(&wanted))?
        }
        None => server.ask_json("GET", PATH, None)?,
    };
    let text = match options.end {
        true => {
            ended_in_words(answer["address"].as_str().unwrap_or_default(), answer["told"] == true)
        }
        false => in_words(&answer),
    };
    Ok(told(session, line(&answer), text))
}

fn told(session: &Session, json: String, text: String) -> Report {
    Report::yes(if session.json { json } else { text })
}

fn ended_in_words(address: &str, told: bool) -> String {
    let there = match told {
        true => "here and there".to_string(),
        false => format!("here; {address} did not answer, so its owner has to end it there"),
    };
    format!("the enrollment at {address} is ended {there}\n")
}

fn in_words(stands: &Value) -> String {
    let Some(address) = stands["address"].as_str() else {
        return "this store is enrolled nowhere: `scrutineer enroll-store <link>`\n".into();
    };
    let name = stands["name"].as_str().map_or(String::new(), |name| format!(" as {name}"));
    let only = match stands["only"].as_str() {
        Some(only) => format!("tournaments whose titles have \"{only}\""),
        None => "all tournaments".to_string(),
    };
    let mut text = format!("enrolled at {address}{name}: {only}, as far as they are public\n");
    if let Some(heard) = stands["heard"].as_u64() {
        let (there, not) = (&stands["there"], &stands["not_pushed"]);
        text.push_str(&format!("  last heard {heard} s ago; {there} there, {not} not pushed\n"));
    }
    if let Some(error) = stands["error"]["message"].as_str() {
        text.push_str(&format!("  it does not work: {error}\n"));
    }
    text
}
