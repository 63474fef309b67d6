//! JSON as programs send it: every body of `/api/v1` that is JSON is read here, and nothing in it is guessed.

use crate::problem::bad_request;
use scrutineer_desk::verb_error::VerbError;
use serde::de::{DeserializeOwned, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::fmt;

/// What is said of a body of which nothing else can be said.
pub const UNREAD: &str = "this cannot be read";

/// Reads the object that a body is; `unread` says what cannot be done with another one.
///
/// # Errors
/// Where it is no object, has a key twice, or holds something else than is asked for.
pub fn object_of<T: DeserializeOwned>(body: &[u8], unread: &str) -> Result<T, VerbError> {
    let value = value_of(body, unread)?;
    if !value.is_object() {
        return Err(bad_request(format!("{unread}: an object is expected")));
    }
    serde_json::from_slice(body).map_err(|error| {
        let why = T::deserialize(&value).err().map_or(String::new(), |error| error.to_string());
        bad_request(match wrong_field::<T>(&value, &why) {
            Some(field) => format!("{unread}: `{field}`: {error}"),
            None => format!("{unread}: {error}"),
        })
    })
}

/// Returns the field whose value is wrong, which the message does not name: without it something else is said.
pub fn wrong_field<'a, T: DeserializeOwned>(object: &'a Value, why: &str) -> Option<&'a String> {
    let is_of_value = |why: &str| why.starts_with("invalid") || why.starts_with("unknown variant");
    let fields = object.as_object().filter(|_| is_of_value(why))?;
    let is_said_without = |name: &str| {
        let mut rest = fields.clone();
        rest.remove(name);
        T::deserialize(&Value::Object(rest)).is_err_and(|error| error.to_string() == why)
    };
    fields.keys().filter(|name| *name != "order").find(|name| !is_said_without(name))
}

/// Reads a body in which no object has a key twice.
///
/// # Errors
/// Where one has, or it is no JSON.
pub fn value_of(body: &[u8], unread: &str) -> Result<Value, VerbError> {
    let read: Result<Strict, _> = serde_json::from_slice(body);
    read.map(|Strict(value)| value).map_err(|error| bad_request(format!("{unread}: {error}")))
}

/// Refuses a list within what was sent where an object was read: its values were taken as fields, by their order.
///
/// # Errors
/// Which field holds it.
pub fn check_objects(sent: &Value, read: &impl Serialize, unread: &str) -> Result<(), VerbError> {
    let read = serde_json::to_value(read).unwrap_or_default();
    match list_for_object(sent, &read, "") {
        Some(field) => {
            Err(bad_request(format!("{unread}: `{field}`: an object is expected, and no list")))
        }
        None => Ok(()),
    }
}

fn list_for_object<'a>(sent: &'a Value, read: &Value, field: &'a str) -> Option<&'a str> {
    match (sent, read) {
        (Value::Array(_), Value::Object(_)) => Some(field),
        (Value::Array(sent), Value::Array(read)) => {
            sent.iter().zip(read).find_map(|(sent, read)| list_for_object(sent, read, field))
        }
        (Value::Object(sent), Value::Object(read)) => {
            sent.iter().find_map(|(key, sent)| list_for_object(sent, read.get(key)?, key))
        }
        _ => None,
    }
}

/// A value in which no object has a key twice.
struct Strict(Value);

impl<'de> Deserialize<'de> for Strict {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Strict, D::Error> {
        from.deserialize_any(Reader).map(Strict)
    }
}

struct Reader;

impl<'de> Visitor<'de> for Reader {
    type Value = Value;

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("JSON")
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_i64<E>(self, value: i64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_u64<E>(self, value: u64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_f64<E>(self, value: f64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_str<E>(self, value: &str) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut all: A) -> Result<Value, A::Error> {
        let mut list = Vec::new();
        while let Some(Strict(value)) = all.next_element()? {
            list.push(value);
        }
        Ok(Value::Array(list))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut all: A) -> Result<Value, A::Error> {
        let mut object = Map::new();
        while let Some(key) = all.next_key::<String>()? {
            if object.contains_key(&key) {
                return Err(A::Error::custom(format!("`{key}` stands twice in one object")));
            }
            let Strict(value) = all.next_value()?;
            object.insert(key, value);
        }
        Ok(Value::Object(object))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use scrutineer_desk::orders::New;
    use serde_json::json;

    #[test]
    fn what_is_sent_is_read_as_it_stands_and_a_key_that_stands_twice_is_named() {
        let text = r#"{"a":[1,-2,0.5,"x",null,true,{"b":{}}],"c":{"a":1}}"#;
        let there: Value = serde_json::from_str(text).expect("JSON");
        assert_eq!(value_of(text.as_bytes(), "unread").expect("read"), there);
        for twice in [r#"{"a":1,"a":1}"#, r#"[{"b":{"a":1,"c":2,"a":3}}]"#] {
            let error = value_of(twice.as_bytes(), "unread").expect_err("twice");
            assert!(error.message.starts_with("unread: `a` stands twice"), "{}", error.message);
            assert!(error.message.contains("line 1 column"), "{}", error.message);
        }
    }

    #[test]
    fn a_list_is_no_object_also_within_one() {
        let told =
            |body: &str| object_of::<New>(body.as_bytes(), "unread").expect_err("refused").message;
        assert_eq!(told(r#"["Friday","mtr"]"#), "unread: an object is expected");
        assert_eq!(told("[]"), "unread: an object is expected");
        let sent = json!({ "people": [{ "name": "Ann" }, ["Bob"]] });
        let taken = json!({ "people": [{ "name": "Ann" }, { "name": "Bob" }], "now": false });
        let error = check_objects(&sent, &taken, "unread").expect_err("a list");
        assert_eq!(error.message, "unread: `people`: an object is expected, and no list");
        check_objects(&taken, &taken, "unread").expect("objects are objects");
    }
}
