//! What programs can ask for, described for programs: OpenAPI 3.1, made from the routes, the types of
//! the answers and the codes of the refusals.

mod said;
mod shapes;

use crate::gate::{Need, Role};
use crate::kept::LINES;
use crate::problems::{self, Code};
use crate::routes::table;
use said::{Gives, SAID, Said};
use serde_json::{Map, Value, json};
use std::collections::BTreeSet;
use std::sync::OnceLock;

/// Requests that are sent by a test, in their order, with the answers that they were given.
const EXAMPLES: &str = include_str!("openapi/examples.json");

/// The kind of a refusal.
const PROBLEM: &str = "application/problem+json";

/// Where every path begins.
pub const BASE: &str = "/api/v1";

/// Returns the description.
pub fn document() -> &'static Value {
    static MADE: OnceLock<Value> = OnceLock::new();
    MADE.get_or_init(|| document_with(&examples()))
}

/// Returns the examples, in the order in which they are sent.
pub fn examples() -> Vec<Value> {
    // The file is this program's own, and a test reads it.
    serde_json::from_str(EXAMPLES).unwrap_or_default()
}

/// Returns the description with these examples.
pub fn document_with(examples: &[Value]) -> Value {
    let mut paths = Map::new();
    for said in SAID {
        let path = paths.entry(said.path).or_insert_with(|| json!({}));
        path[said.method.to_ascii_lowercase()] = operation(said, examples);
    }
    json!({
        "openapi": "3.1.0",
        "info": {
            "title": "Scrutineer",
            "version": env!("CARGO_PKG_VERSION"),
            "summary": "Run and read tournaments over HTTP.",
            "description": "A refusal has a stable code, which has one status wherever it occurs. A path \
                            lists the codes with which it is known to refuse. Any other of docs/REFUSALS.md \
                            may come, as its `default` says: a program that does not know a code goes by \
                            the status.",
            "license": { "name": "MIT OR Apache-2.0", "identifier": "MIT OR Apache-2.0" },
        },
        "servers": [{ "url": BASE, "description": "the server of a store" }],
        "security": [{ "token": [] }, {}],
        "paths": paths,
        "components": {
            "securitySchemes": {
                "token": {
                    "type": "http",
                    "scheme": "bearer",
                    "description": "A token, `scr_…`, that the owner makes for a role.",
                },
            },
            "responses": {
                "Refused": {
                    "description": "refused: any other code of docs/REFUSALS.md",
                    "content": { PROBLEM: { "schema": reference("ProblemDetails") } },
                },
            },
            "schemas": shapes::components(),
        },
    })
}

/// Returns who may call a route: the roles, and in words.
fn who_may(need: Need) -> (Vec<&'static str>, &'static str) {
    let roles = Role::ALL.into_iter().filter(|role| need.admits(*role));
    (roles.map(Role::word).collect(), need.who())
}

/// Returns what a path asks of whoever calls it; the stream stands in no table.
fn need_of(said: &Said) -> Need {
    let path = format!("{BASE}{}", said.path);
    let table = table();
    let found = table.iter().find(|route| route.path == path && route.method == said.method);
    found.map_or(Need::Anyone, |route| route.need)
}

fn operation(said: &Said, examples: &[Value]) -> Value {
    let need = need_of(said);
    let (roles, who) = who_may(need);
    let own: Vec<&Value> = examples.iter().filter(|one| one["id"] == said.id).collect();
    let mut operation = json!({
        "operationId": said.id,
        "summary": said.says,
        "description": format!("Who may: {who}. {}", said.more).trim_end(),
        "x-roles": roles,
        "parameters": parameters(said),
        "responses": responses(said, need, &own),
    });
    if matches!(need, Need::Anyone | Need::Published) {
        operation["security"] = json!([{}, { "token": [] }]);
    }
    if let Some(of) = said.takes {
        let (kind, schema) = match of {
            said::FILE | said::OPTIONAL_FILE => {
                ("application/octet-stream", json!({ "type": "string", "format": "binary" }))
            }
            said::TEXT => ("text/plain", json!({ "type": "string" })),
            of => ("application/json", reference(of)),
        };
        let mut content = json!({ "schema": schema });
        let asked = own.iter().filter(|one| !one["body"].is_null());
        let shown: Map<String, Value> =
            asked.map(|one| (name_of(one), json!({ "value": one["body"] }))).collect();
        if !shown.is_empty() {
            content["examples"] = shown.into();
        }
        operation["requestBody"] =
            json!({ "required": of != said::OPTIONAL_FILE, "content": { kind: content } });
        // Orders may be sent one a line.
        if of == said::ORDERS {
            operation["requestBody"]["content"][LINES] = json!({ "schema": reference("Order") });
        }
    }
    operation
}

fn name_of(example: &Value) -> String {
    example["name"].as_str().unwrap_or_default().replace(' ', "-")
}

fn reference(name: &str) -> Value {
    json!({ "$ref": format!("#/components/schemas/{name}") })
}

fn parameters(said: &Said) -> Value {
    let in_path = said.path.split(['{', '}']).skip(1).step_by(2).map(|name| {
        let (about, kind) = said::in_path(name);
        json!({ "name": name, "in": "path", "required": true, "description": about,
            "schema": { "type": kind } })
    });
    let in_query = said.query.iter().map(|(name, about)| {
        json!({ "name": name, "in": "query", "required": said.needed.contains(name),
            "description": about, "schema": { "type": said::kind_of(said.path, name) } })
    });
    let in_head = said.headers.iter().map(|(name, about, required)| {
        json!({ "name": name, "in": "header", "required": required, "description": about,
            "schema": { "type": "string" } })
    });
    in_path.chain(in_query).chain(in_head).collect()
}

/// Returns the codes with which a path can refuse: its own, those of who may, of a name that leads
/// nowhere, of a key.
fn codes(said: &Said, need: Need) -> BTreeSet<&'static str> {
    let mut codes: BTreeSet<&str> = said.codes.iter().copied().collect();
    // A parameter that a path does not take is a bad request everywhere.
    codes.extend(["bad-request", "other-host", "sign-in", "too-busy"]);
    if need != Need::Anyone {
        codes.insert("not-allowed");
    }
    if said.path.contains("{id}") {
        codes.insert("unknown-tournament");
    }
    if said.method != "GET" {
        codes.extend(["other-origin", "too-large"]);
    }
    if said.takes == Some(said::ORDERS) {
        codes.extend(problems::of_orders());
    }
    codes
}

/// Returns every code that is told of a path.
pub fn codes_told() -> BTreeSet<&'static str> {
    SAID.iter().flat_map(|said| codes(said, need_of(said))).collect()
}

fn responses(said: &Said, need: Need, examples: &[&Value]) -> Value {
    let mut all = Map::new();
    for (status, Gives { what, kind, of }) in said.gives {
        let response =
            all.entry(status.to_string()).or_insert_with(|| json!({ "description": what }));
        if !kind.is_empty() {
            let schema = match of {
                &"" if kind.starts_with("text/") => json!({ "type": "string" }),
                &"" => json!({ "type": "string", "format": "binary" }),
                of => reference(of),
            };
            let mut content = json!({ "schema": schema });
            add_examples(&mut content, *status, kind, examples);
            response["content"][*kind] = content;
        }
    }
    let known: Vec<&Code> =
        codes(said, need).iter().filter_map(|code| problems::find(code)).collect();
    let statuses: BTreeSet<u16> = known.iter().map(|code| code.status).collect();
    for status in statuses {
        let words = known.iter().filter(|code| code.status == status).map(|code| &code.word[..]);
        let told = words.map(|word| format!("`{word}`")).collect::<Vec<_>>().join(", ");
        let mut content = json!({ "schema": reference("ProblemDetails") });
        add_examples(&mut content, status, PROBLEM, examples);
        all.insert(
            status.to_string(),
            json!({
                "description": format!("refused: {told}"),
                "content": { PROBLEM: content },
            }),
        );
    }
    all.insert("default".into(), json!({ "$ref": "#/components/responses/Refused" }));
    all.into()
}

/// Adds the answers that examples were given: of many orders a list, which is told by lines.
fn add_examples(content: &mut Value, status: u16, kind: &str, examples: &[&Value]) {
    let by_lines = kind == LINES;
    let own = examples.iter().filter(|one| {
        one["status"] == status && !one["answer"].is_null() && one["answer"].is_array() == by_lines
    });
    let shown: Map<String, Value> =
        own.map(|one| (name_of(one), json!({ "value": one["answer"] }))).collect();
    if !shown.is_empty() {
        content["examples"] = shown.into();
    }
}
