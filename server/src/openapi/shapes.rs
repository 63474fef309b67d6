//! The schemas of what is asked for and answered, from the types themselves.

use crate::{
    api, enrolled, exports, house, imports, player_links, private_api, problem, proofs, publisher,
    reads, screens_api, season_api, staff_api, webhooks,
};
use scrutineer_desk::answers::{
    EditionOffered, EditionsOffered, PublisherEnded, PublisherRefused, PublisherStands,
    SeasonStands, request_schema, schema, schemas,
};
use scrutineer_desk::floor::Change;
use scrutineer_desk::orders::{New, Order};
use scrutineer_desk::public::Policy;
use serde_json::{Map, Value, json};

/// Answers of the desk that paths give: what they are called here, and there.
const OF_DESK: &[(&str, &str)] = &[
    ("WhatIf", "what-if"),
    ("Players", "players"),
    ("Pairings", "pairings"),
    ("Standings", "standings"),
    ("Explanation", "explain"),
    ("Reach", "reach"),
    ("Disputes", "disputes"),
    ("Forgotten", "forget"),
    ("DisputeFile", "dispute-file"),
    ("Comparison", "compare"),
    ("Checkpoint", "checkpoint"),
    ("Ruleset", "rules-show"),
    ("RulesetChecked", "rules-check"),
    ("Review", "review"),
];

/// The verbs whose answers are shaped each in a way of its own; those of `disqualify`, `late` and
/// `set-pairing` are like others of them.
const ORDERS: &[&str] = &[
    "advance",
    "amend-rules",
    "announce",
    "bye",
    "check-in",
    "claim",
    "close",
    "correct",
    "cut",
    "describe",
    "dispute-open",
    "dispute-rule",
    "drop",
    "enroll",
    "keep-table",
    "lots",
    "name-staff",
    "new",
    "note",
    "note-score",
    "pair",
    "penalty",
    "publish",
    "reinstate",
    "rename",
    "repair",
    "remove",
    "reseed",
    "set-division",
    "tables",
    "undo",
    "withdraw",
];

/// Every schema from a type: its name, itself, and what stands before the names of its parts.
fn each() -> Vec<(String, Value, &'static str)> {
    let of_desk = schemas();
    let desk = |name: &str| of_desk.get(name).cloned().unwrap_or_default();
    let read = OF_DESK.iter().map(|(name, answer)| (name.to_string(), desk(answer), ""));
    let orders = ORDERS.iter().map(|verb| (format!("Answer-{verb}"), desk(verb), ""));
    let own = [
        ("Tournaments", schema::<api::Tournaments>(), ""),
        ("Stands", schema::<api::Stands>(), ""),
        ("Lines", schema::<api::Lines>(), ""),
        ("ImportDone", schema::<imports::ImportDone>(), ""),
        ("Exports", schema::<exports::Exports>(), ""),
        ("ProblemDetails", schema::<problem::Details>(), ""),
        ("Steps", schema::<reads::Steps>(), ""),
        ("Traced", schema::<reads::Traced>(), ""),
        ("Records", schema::<reads::Records>(), ""),
        ("LogPart", schema::<scrutineer_desk::follow::LogPart>(), ""),
        ("Checkpoints", schema::<reads::Checkpoints>(), ""),
        ("Screens", schema::<screens_api::Screens>(), ""),
        ("Brackets", schema::<proofs::Brackets>(), ""),
        ("Proof", schema::<proofs::Proof>(), ""),
        ("PlayerReceipt", schema::<proofs::PlayerReceipt>(), ""),
        ("Rulesets", schema::<reads::Rulesets>(), ""),
        ("LinkMade", schema::<staff_api::LinkMade>(), ""),
        ("TokenMade", schema::<staff_api::TokenMade>(), ""),
        ("Links", schema::<staff_api::Links>(), ""),
        ("Tokens", schema::<staff_api::Tokens>(), ""),
        ("Sessions", schema::<staff_api::Sessions>(), ""),
        ("Accounts", schema::<staff_api::Accounts>(), ""),
        ("AccountChanges", schema::<staff_api::Changes>(), ""),
        ("Webhooks", schema::<webhooks::Webhooks>(), ""),
        ("WebhookListed", schema::<house::WebhookListed>(), ""),
        ("WebhookMade", schema::<webhooks::WebhookMade>(), ""),
        ("WebhookTried", schema::<webhooks::Tried>(), ""),
        ("WantedWebhook", request_schema::<webhooks::WantedWebhook>(), ""),
        ("WebhookPaused", request_schema::<webhooks::Paused>(), ""),
        ("PlayerLinksMade", schema::<player_links::PlayerLinksMade>(), ""),
        ("Claims", schema::<private_api::Claims>(), ""),
        ("WantedForget", request_schema::<private_api::WantedForget>(), ""),
        ("PlayerLinks", schema::<player_links::PlayerLinksListed>(), ""),
        ("PublisherStands", schema::<PublisherStands>(), ""),
        ("PublisherRefused", schema::<PublisherRefused>(), ""),
        ("PublisherEnded", schema::<PublisherEnded>(), ""),
        ("WantedPublisher", request_schema::<publisher::WantedPublisher>(), ""),
        ("SeasonStands", schema::<SeasonStands>(), ""),
        ("WantedSeason", request_schema::<season_api::WantedSeason>(), ""),
        ("EditionsOffered", schema::<EditionsOffered>(), ""),
        ("EditionOffered", schema::<EditionOffered>(), ""),
        ("Stores", schema::<enrolled::Stores>(), ""),
        ("StoreLinkMade", schema::<enrolled::StoreLinkMade>(), ""),
        ("WantedStore", request_schema::<publisher::stores::WantedStore>(), ""),
        ("WantedPlayerLinks", request_schema::<player_links::WantedPlayerLinks>(), ""),
        ("WantedScreenLink", request_schema::<screens_api::WantedScreenLink>(), ""),
        ("Wanted", request_schema::<staff_api::Wanted>(), ""),
        ("Policy", request_schema::<Policy>(), "Policy"),
        ("WantedAccount", request_schema::<staff_api::WantedAccount>(), ""),
        // What is asked for and what is answered are called alike here and there.
        ("FloorChange", request_schema::<Change>(), "Floor"),
        ("New", request_schema::<New>(), "Order"),
        ("Order", request_schema::<Order>(), "Order"),
    ];
    let own = own.into_iter().map(|(name, of, before)| (name.to_string(), of, before));
    read.chain(orders).chain(own).collect()
}

/// Every schema, by its name.
pub fn components() -> Value {
    let mut all = Map::new();
    for (name, one, before) in each() {
        let (one, parts) = apart(&name, &one, before);
        for (part, of) in parts {
            all.entry(part).or_insert(of);
        }
        all.insert(name, one);
    }
    all.insert("OrderAnswer".into(), answer_to_order());
    all.insert(
        "OrderLine".into(),
        json!({
            "description": "What one of several orders answers: its place among them, its status, and the answer or \
                            why it is refused.",
            "allOf": [
                {
                    "type": "object",
                    "required": ["line", "status"],
                    "properties": {
                        "line": { "type": "integer", "description": "Its place among them, from 1." },
                        "status": { "type": "integer", "description": "The status that it would have by itself." },
                    },
                },
                {
                    "anyOf": [
                        { "$ref": "#/components/schemas/OrderAnswer" },
                        { "$ref": "#/components/schemas/ProblemDetails" },
                    ],
                },
            ],
        }),
    );
    all.insert("Anything".into(), json!({ "description": "An object." , "type": "object" }));
    all.insert(
        "Orders".into(),
        json!({
            "description": "One order, or many.",
            "oneOf": [
                { "$ref": "#/components/schemas/Order" },
                { "type": "array", "items": { "$ref": "#/components/schemas/Order" } },
                { "$ref": "#/components/schemas/OrderList" },
            ],
        }),
    );
    all.insert(
        "OrderList".into(),
        json!({
            "description": "Many orders, as one object.",
            "type": "object",
            "required": ["orders"],
            "additionalProperties": false,
            "properties": {
                "orders": {
                    "type": "array",
                    "items": { "$ref": "#/components/schemas/Order" },
                    "description": "Each of them, in order.",
                },
            },
        }),
    );
    // A key of JSON is a text, also where it is the number of a player.
    all["Policy"]["properties"]["wishes"]["propertyNames"] =
        json!({ "type": "string", "pattern": "^[1-9][0-9]*$" });
    // Over HTTP `order` names the verb, and whom lots put in an order are `drawn`.
    let lots = all["LotsAnswer"].to_string().replace("\"order\"", "\"drawn\"");
    all.insert("LotsAnswer".into(), serde_json::from_str(&lots).unwrap_or_default());
    flatten_orders(&mut all);
    all.into()
}

/// What is told of every order, and what its verb answers.
fn answer_to_order() -> Value {
    let each =
        ORDERS.iter().map(|verb| json!({ "$ref": format!("#/components/schemas/Answer-{verb}") }));
    let lines = json!({
        "description": "The verb's answer; of what was recorded before and cannot be told again as it \
                        was, the numbers alone.",
        "type": "object",
        "required": ["repeated"],
        "properties": { "repeated": { "type": "boolean", "enum": [true] } },
    });
    let each: Vec<Value> = each.chain([lines]).collect();
    json!({
        "description": "What an order answers: what is told of every order, and the answer of its verb.",
        "allOf": [
            {
                "type": "object",
                "required": ["order", "by", "repeated", "next", "first_seq", "last_seq", "tournament", "notes"],
                "properties": {
                    "order": { "type": "string", "description": "The verb." },
                    "by": { "type": ["string", "null"], "description": "Who recorded it, as the log calls them; null where nothing was recorded." },
                    "repeated": { "type": "boolean", "description": "Whether it had been recorded before." },
                    "next": { "type": ["string", "null"], "description": "What is usually typed next." },
                    "first_seq": { "type": ["integer", "null"], "description": "The first event that was recorded." },
                    "last_seq": { "type": ["integer", "null"], "description": "The last event that was recorded." },
                    "tournament": { "$ref": "#/components/schemas/TournamentName" },
                    "notes": { "type": "array", "items": { "type": "string" }, "description": "What the scorekeeper should know." },
                },
            },
            { "anyOf": each },
        ],
    })
}

/// A schema, and its parts, which stand beside it.
///
/// `Dated` is of another answer each time.
fn apart(name: &str, one: &Value, before: &str) -> (Value, Vec<(String, Value)>) {
    let text = one.to_string().replace("#/$defs/Dated\"", &format!("#/$defs/Dated{name}\""));
    let text = text.replace("#/$defs/", &format!("#/components/schemas/{before}"));
    // What was written a line before is read.
    let mut one: Value = serde_json::from_str(&text).unwrap_or_default();
    let Some(object) = one.as_object_mut() else { return (one, Vec::new()) };
    object.remove("$schema");
    let parts = match object.remove("$defs") {
        Some(Value::Object(parts)) => parts,
        _ => Map::new(),
    };
    let parts = parts.into_iter().map(|(part, of)| match &part[..] {
        "Dated" => (format!("Dated{name}"), of),
        part => (format!("{before}{part}"), of),
    });
    (one, parts.collect())
}

/// Makes of each order one object that has its verb: what takes no unknown field would refuse `order`
/// where it stood beside.
fn flatten_orders(all: &mut Map<String, Value>) {
    let Some(each) = all.get("Order").and_then(|order| order["oneOf"].as_array()).cloned() else {
        return;
    };
    let (mut variants, mut mapping) = (Vec::new(), Map::new());
    for variant in each {
        let parts = variant["allOf"].as_array().cloned().unwrap_or_default();
        let named = parts.iter().find_map(|part| part["$ref"].as_str());
        let Some(named) = named else { continue };
        let name = named.rsplit('/').next().unwrap_or_default().to_string();
        let of_type = name.strip_prefix("Order").unwrap_or(&name);
        let verb = Order::VERBS.iter().find(|(known, _)| *known == of_type);
        let Some((_, verb)) = verb else { continue };
        let Some(mut of) = all.get(&name).cloned() else { continue };
        if !of["properties"].is_object() {
            of["properties"] = json!({});
        }
        of["properties"]["order"] =
            json!({ "type": "string", "enum": [verb], "description": "The verb." });
        let mut required = of["required"].as_array().cloned().unwrap_or_default();
        required.insert(0, "order".into());
        of["required"] = required.into();
        if let Some(about) = variant.get("description") {
            of["description"] = about.clone();
        }
        all.insert(name.clone(), of);
        variants.push(json!({ "$ref": named }));
        mapping.insert(verb.to_string(), named.into());
    }
    all.insert(
        "Order".into(),
        json!({
            "description": "What is asked for at the desk of a tournament: `order` names the verb.",
            "oneOf": variants,
            "discriminator": { "propertyName": "order", "mapping": mapping },
        }),
    );
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_called_alike_is_alike_and_every_order_is_there() {
        let mut known: Map<String, Value> = Map::new();
        for (name, one, before) in each() {
            let (one, parts) = apart(&name, &one, before);
            for (name, of) in parts.into_iter().chain([(name, one)]) {
                let other = known.get(&name).filter(|other| **other != of);
                assert!(other.is_none(), "{name} is two things: {of} and {other:?}");
                known.insert(name, of);
            }
        }
        let all = components();
        let mapping = all["Order"]["discriminator"]["mapping"].as_object().expect("a mapping");
        let verbs: Vec<&str> = Order::VERBS.iter().map(|(_, verb)| *verb).collect();
        assert!(
            verbs.iter().all(|verb| mapping.contains_key(*verb)) && mapping.len() == verbs.len()
        );
    }
}
