//! A notice as it is encrypted for one phone (RFC 8291, in the coding of RFC 8188): the service that carries it
//! reads nothing of it.

use ring::agreement::{ECDH_P256, EphemeralPrivateKey, UnparsedPublicKey, agree_ephemeral};
use ring::error::Unspecified;
use ring::rand::{SecureRandom, SystemRandom};
use ring::{aead, hkdf};

/// The length of a phone's public key, and of the secret that comes with it.
pub const KEY: usize = 65;
/// The same of the secret.
pub const SECRET: usize = 16;
/// The longest notice, in bytes: services carry 4,096 of what is sealed.
pub const LONGEST: usize = 3_000;

const SALT: usize = 16;
/// One record holds all of it.
const RECORD: u32 = 4_096;

/// So many bytes of a key.
struct Length(usize);

impl hkdf::KeyType for Length {
    fn len(&self) -> usize {
        self.0
    }
}

fn expanded<const N: usize>(key: &hkdf::Prk, about: &[&[u8]]) -> Result<[u8; N], Unspecified> {
    let mut out = [0; N];
    key.expand(about, Length(N))?.fill(&mut out)?;
    Ok(out)
}

/// Encrypts a notice for whoever has the key, as the body of a request.
///
/// # Errors
/// Where the key is none, or the system gives nothing random.
pub fn sealed(message: &[u8], theirs: &[u8], secret: &[u8]) -> Result<Vec<u8>, Unspecified> {
    let random = SystemRandom::new();
    let own = EphemeralPrivateKey::generate(&ECDH_P256, &random)?;
    let public = own.compute_public_key()?;
    let mut salt = [0; SALT];
    random.fill(&mut salt)?;
    let to = UnparsedPublicKey::new(&ECDH_P256, theirs);
    agree_ephemeral(own, &to, |shared| {
        written(message, shared, (theirs, secret), public.as_ref(), &salt)
    })?
}

/// The body, once both keys have agreed on a secret.
fn written(
    message: &[u8],
    shared: &[u8],
    (theirs, secret): (&[u8], &[u8]),
    own: &[u8],
    salt: &[u8; SALT],
) -> Result<Vec<u8>, Unspecified> {
    if message.len() > LONGEST || secret.len() != SECRET {
        return Err(Unspecified);
    }
    let agreed = hkdf::Salt::new(hkdf::HKDF_SHA256, secret).extract(shared);
    let key: [u8; 32] = expanded(&agreed, &[b"WebPush: info\0", theirs, own])?;
    let key = hkdf::Salt::new(hkdf::HKDF_SHA256, salt).extract(&key);
    let content: [u8; 16] = expanded(&key, &[b"Content-Encoding: aes128gcm\0"])?;
    let nonce: [u8; aead::NONCE_LEN] = expanded(&key, &[b"Content-Encoding: nonce\0"])?;
    // What ends the last record, before nothing that fills it up.
    let mut text = [message, &[2]].concat();
    let key = aead::LessSafeKey::new(aead::UnboundKey::new(&aead::AES_128_GCM, &content)?);
    let nonce = aead::Nonce::assume_unique_for_key(nonce);
    key.seal_in_place_append_tag(nonce, aead::Aad::empty(), &mut text)?;
    let length = [u8::try_from(own.len()).map_err(|_| Unspecified)?];
    Ok([&salt[..], &RECORD.to_be_bytes(), &length, own, &text].concat())
}

#[cfg(test)]
mod tests {
    use super::*;
    use base64::Engine;
    use base64::engine::general_purpose::URL_SAFE_NO_PAD;

    fn bytes(text: &str) -> Vec<u8> {
        URL_SAFE_NO_PAD.decode(text).expect("base64url")
    }

    #[test]
    fn the_example_of_the_standard_comes_out_byte_for_byte() {
        // RFC 8291, appendix A; the shared secret is of its two private keys.
        let own = bytes(
            "BP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A8",
        );
        let theirs = bytes(
            "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
        );
        let shared = bytes("kyrL1jIIOHEzg3sM2ZWRHDRB62YACZhhSlknJ672kSs");
        let secret = bytes("BTBZMqHH6r4Tts7J_aSIgg");
        let salt = bytes("DGv6ra1nlYgDCS1FRnbzlw").try_into().expect("16 bytes");
        let message = b"When I grow up, I want to be a watermelon";
        let written = written(message, &shared, (&theirs, &secret), &own, &salt).expect("written");
        assert_eq!(
            URL_SAFE_NO_PAD.encode(written),
            "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmY\
             WAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexS\
             gSxsj_Qulcy4a-fN"
        );
    }

    #[test]
    fn two_of_the_same_notice_differ_and_a_key_that_is_none_is_refused() {
        let random = SystemRandom::new();
        let phone = EphemeralPrivateKey::generate(&ECDH_P256, &random).expect("a key");
        let phone = phone.compute_public_key().expect("its public one");
        let seal = |key: &[u8], secret: &[u8]| sealed(b"table 7", key, secret);
        let [one, two] = [(); 2].map(|()| seal(phone.as_ref(), &[7; SECRET]).expect("sealed"));
        assert_eq!((one == two, one.len()), (false, two.len()));
        assert!(seal(&[4; KEY], &[7; SECRET]).is_err(), "no point of the curve");
        assert!(seal(&[], &[7; SECRET]).is_err() && seal(phone.as_ref(), b"short").is_err());
        let long = vec![b'x'; LONGEST + 1];
        assert!(sealed(&long, phone.as_ref(), &[7; SECRET]).is_err());
        assert!(sealed(&long[1..], phone.as_ref(), &[7; SECRET]).expect("sealed").len() < 4_096);
    }
}
