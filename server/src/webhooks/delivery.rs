//! A delivery: what stands in it, how it is signed and sent.

use crate::connected::target;
use crate::elsewhere::Elsewhere;
use crate::house::{SECRET, Webhook, now};
use crate::live::Happened;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use scrutineer_engine::event::Seq;
use scrutineer_engine::record::StreamId;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use std::time::Duration;
use tokio::time::timeout;

/// How long a receiver may take for its answer.
pub const PATIENCE: Duration = Duration::from_secs(10);

/// What is called so is no event: a checkpoint that was signed.
pub(super) const CHECKPOINT: &str = "checkpoint";

/// What is sent.
pub(super) struct Delivery {
    /// Under which id: the same whenever it is sent again.
    pub(super) id: String,
    /// Up to which event whoever has it knows the tournament.
    pub(super) seq: Seq,
    /// Whether no checkpoint up to that event is told behind it: it is that one's, or tells that more was missed.
    pub(super) covers_signed: bool,
    body: String,
}

/// Why something was not delivered.
pub(super) struct Trouble {
    /// In words for the owner.
    pub(super) words: String,
    /// Whether the receiver says that it is gone for good.
    pub(super) is_gone: bool,
}

/// Returns what an event is called that those who watch are told of.
fn kind(name: &str) -> &str {
    match name {
        "published" => "round.published",
        "unpublished" => "round.unpublished",
        "result" => "result.recorded",
        "corrected" => "result.corrected",
        "missing" => "result.withdrawn",
        "pairing" => "pairing.changed",
        "standings" => "standings.announced",
        // Programs are told of players and disputes where somebody drops, and where one is opened.
        "player" => "player.dropped",
        "dispute" => "dispute.opened",
        CHECKPOINT => "checkpoint.signed",
        "closed" => "tournament.closed",
        "reopened" => "tournament.reopened",
        "forgotten" => "texts.forgotten",
        other => other,
    }
}

fn body(kind: &str, tournament: Value, seq: Value, number: u64, data: Value) -> String {
    json!({ "type": kind, "tournament": tournament, "seq": seq, "number": number, "data": data })
        .to_string()
}

fn id_of(hook: &Webhook, stream: StreamId, number: u64) -> String {
    format!("{}-{stream}-{number}", hook.id)
}

impl Delivery {
    /// Of something that happened, as programs are told of it.
    pub(super) fn of(hook: &Webhook, stream: StreamId, number: u64, what: &Happened) -> Delivery {
        // What the stream tells is JSON.
        let data = serde_json::from_slice(&what.data).unwrap_or_default();
        let body = body(kind(what.name), stream.to_string().into(), what.seq.into(), number, data);
        let covers_signed = what.name == CHECKPOINT;
        Delivery { id: id_of(hook, stream, number), seq: what.seq, covers_signed, body }
    }

    /// Of more than is told: the receiver reads where the tournament stands.
    pub(super) fn behind(
        hook: &Webhook,
        stream: StreamId,
        number: u64,
        (after, now): (Seq, Seq),
    ) -> Delivery {
        let data = json!({ "after": after });
        let body = body("behind", stream.to_string().into(), now.into(), number, data);
        Delivery { id: id_of(hook, stream, number), seq: now, covers_signed: true, body }
    }

    /// Of nothing, to try whether it arrives.
    pub(super) fn trial(hook: &Webhook, word: &str) -> Delivery {
        let body = body("webhook.tried", Value::Null, Value::Null, 0, json!({}));
        Delivery { id: format!("{}-tried-{word}", hook.id), seq: 0, covers_signed: false, body }
    }

    /// Sends it to a webhook. What is not a success is trouble; no other address is followed.
    pub(super) async fn send(
        &self,
        hook: &Webhook,
        named: &[String],
        line: &Elsewhere,
    ) -> Result<(), Trouble> {
        let trouble = |words: String| Trouble { words, is_gone: false };
        let to = target(&hook.url, named).map_err(|error| trouble(error.message))?;
        let time = now();
        let headers = [
            ("host", to.authority.clone()),
            ("content-type", "application/json".to_string()),
            ("user-agent", concat!("scrutineer/", env!("CARGO_PKG_VERSION")).to_string()),
            ("webhook-id", self.id.clone()),
            ("webhook-timestamp", time.to_string()),
            ("webhook-signature", signature(&hook.secret, &self.id, time, &self.body)),
        ];
        let line = line.beside(to.base);
        let answered = line.post(&to.path, &headers, self.body.clone().into_bytes());
        match timeout(PATIENCE, answered).await {
            Ok(Ok(200..=299)) => Ok(()),
            Ok(Ok(410)) => {
                let words = "it answered 410: it is gone, and wants no more".to_string();
                Err(Trouble { words, is_gone: true })
            }
            Ok(Ok(status)) => Err(trouble(format!("it answered {status}"))),
            Ok(Err(error)) => Err(trouble(error.message)),
            Err(_) => {
                let seconds = PATIENCE.as_secs();
                Err(trouble(format!("it did not answer within {seconds} seconds")))
            }
        }
    }
}

/// HMAC with SHA-256 (RFC 2104).
fn hmac(key: &[u8], message: &[u8]) -> [u8; 32] {
    let mut block = [0; 64];
    match key.len() <= block.len() {
        true => block[..key.len()].copy_from_slice(key),
        false => block[..32].copy_from_slice(&Sha256::digest(key)),
    }
    let padded = |with: u8| block.map(|byte| byte ^ with);
    let inner = Sha256::new().chain_update(padded(0x36)).chain_update(message).finalize();
    Sha256::new().chain_update(padded(0x5c)).chain_update(inner).finalize().into()
}

/// Returns the header that signs a delivery, as Standard Webhooks has it.
pub fn signature(secret: &str, id: &str, time: u64, body: &str) -> String {
    // A secret is what this program made.
    let key = STANDARD.decode(secret.strip_prefix(SECRET).unwrap_or(secret)).unwrap_or_default();
    let signed = hmac(&key, format!("{id}.{time}.{body}").as_bytes());
    format!("v1,{}", STANDARD.encode(signed))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_signature_is_that_of_the_standard() {
        // RFC 4231, cases 1 and 6.
        let hex = |bytes: [u8; 32]| scrutineer_engine::record::to_hex(&bytes);
        assert_eq!(
            hex(hmac(&[0x0b; 20], b"Hi There")),
            "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"
        );
        assert_eq!(
            hex(hmac(&[0xaa; 131], b"Test Using Larger Than Block-Size Key - Hash Key First")),
            "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54"
        );
        // The example of standardwebhooks.com.
        let signed = signature(
            "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
            "msg_p5jXN8AQM9LWM0D4loKWxJek",
            1_614_265_330,
            r#"{"test": 2432232314}"#,
        );
        assert_eq!(signed, "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=");
    }

    #[test]
    fn what_is_taken_back_has_a_type_of_its_own() {
        let kinds = ["unpublished", "missing", "reopened"].map(kind);
        assert_eq!(kinds, ["round.unpublished", "result.withdrawn", "tournament.reopened"]);
    }

    #[test]
    fn a_delivery_says_what_the_stream_says_and_has_one_id() {
        let hook = Webhook { id: "9f3a".into(), ..Webhook::default() };
        let what = Happened { seq: 57, name: "result", data: r#"{"round":4,"table":12}"#.into() };
        let one = Delivery::of(&hook, StreamId([7; 16]), 3, &what);
        let read: Value = serde_json::from_str(&one.body).expect("JSON");
        assert_eq!(
            (&read["type"], &read["seq"], &read["number"]),
            (&"result.recorded".into(), &57.into(), &3.into())
        );
        assert_eq!(read["data"]["table"], 12);
        assert_eq!(one.id, Delivery::behind(&hook, StreamId([7; 16]), 3, (1, 2)).id);
    }
}
