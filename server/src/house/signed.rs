//! Who sends notices: the key of this house, and what it signs for the services that carry them (VAPID,
//! RFC 8292), so that nobody else sends any to the phones that gave their address here.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use ring::error::Unspecified;
use ring::rand::SystemRandom;
use ring::signature::{ECDSA_P256_SHA256_FIXED_SIGNING, EcdsaKeyPair, KeyPair};
use serde_json::json;

/// How long a signature is good, in seconds: services take a day at most.
const GOOD_FOR: u64 = 12 * 60 * 60;

/// The key with which a house signs.
pub struct Signer(EcdsaKeyPair);

/// Makes a key, as it is kept.
///
/// # Errors
/// Where the system gives nothing random.
pub fn new_key() -> Result<Vec<u8>, Unspecified> {
    let made = EcdsaKeyPair::generate_pkcs8(&ECDSA_P256_SHA256_FIXED_SIGNING, &SystemRandom::new());
    Ok(made?.as_ref().to_vec())
}

impl Signer {
    /// The key that was kept.
    ///
    /// # Errors
    /// Where it is none.
    pub fn of(kept: &[u8]) -> Result<Signer, Unspecified> {
        let random = SystemRandom::new();
        let pair = EcdsaKeyPair::from_pkcs8(&ECDSA_P256_SHA256_FIXED_SIGNING, kept, &random);
        pair.map(Signer).map_err(|_| Unspecified)
    }

    /// Its public key, as browsers ask for it.
    pub fn public(&self) -> String {
        URL_SAFE_NO_PAD.encode(self.0.public_key())
    }

    /// What stands before a request to a service; `from` is where its people find us.
    ///
    /// # Errors
    /// Where the system gives nothing random.
    pub fn header(&self, to: &str, from: &str, now: u64) -> Result<String, Unspecified> {
        let part = |part: serde_json::Value| URL_SAFE_NO_PAD.encode(part.to_string());
        let head = part(json!({ "typ": "JWT", "alg": "ES256" }));
        let text = part(json!({ "aud": to, "exp": now + GOOD_FOR, "sub": from }));
        let signed = format!("{head}.{text}");
        let signature = self.0.sign(&SystemRandom::new(), signed.as_bytes())?;
        let signature = URL_SAFE_NO_PAD.encode(signature);
        Ok(format!("vapid t={signed}.{signature}, k={}", self.public()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ring::signature::{ECDSA_P256_SHA256_FIXED, UnparsedPublicKey};
    use serde_json::Value;

    #[test]
    fn a_header_is_signed_by_the_key_that_it_names_for_one_service_and_half_a_day() {
        let kept = new_key().expect("made");
        let signer = Signer::of(&kept).expect("a key");
        let header = signer.header("https://push.example.org", "https://desk.example.org", 1_000);
        let header = header.expect("signed");
        let (token, key) = header.split_once(", k=").expect("a key");
        assert_eq!(key, Signer::of(&kept).expect("the same").public());
        let (signed, signature) =
            token.strip_prefix("vapid t=").and_then(|token| token.rsplit_once('.')).expect("JWT");
        let bytes = |text: &str| URL_SAFE_NO_PAD.decode(text).expect("base64url");
        let known = UnparsedPublicKey::new(&ECDSA_P256_SHA256_FIXED, bytes(key));
        known.verify(signed.as_bytes(), &bytes(signature)).expect("good");
        assert!(known.verify(b"another text", &bytes(signature)).is_err());
        let (head, text) = signed.split_once('.').expect("two parts");
        let read = |part| serde_json::from_slice::<Value>(&bytes(part)).expect("JSON");
        assert_eq!(read(head), json!({ "typ": "JWT", "alg": "ES256" }));
        let text = read(text);
        assert_eq!(
            (&text["aud"], &text["exp"]),
            (&"https://push.example.org".into(), &44_200.into())
        );
        assert!(Signer::of(b"none").is_err());
    }
}
