//! Stores that are enrolled here: a link, good once, becomes the token of a venue.

use super::grants::as_typed;
use super::rows::NotDecided;
use super::*;
use scrutineer_engine::error::Code;

/// Whether this is a token as a store makes one for itself.
fn is_token(token: &str) -> bool {
    let digits = token.strip_prefix("scr_").unwrap_or_default();
    digits.len() == 64 && digits.bytes().all(|byte| byte.is_ascii_hexdigit())
}

impl House {
    /// Makes a link the token of a venue. The same token again is given the same answer, so a lost answer
    /// costs nothing. Other tokens of a venue of this name end: a store has one.
    ///
    /// # Errors
    /// Where the link is none, enrolls no store, or is used up.
    pub fn enroll_store(
        &self,
        typed: &str,
        token: &str,
        address: &str,
    ) -> Result<Grant, VerbError> {
        if !is_token(token) {
            let hint = "enroll with this program: `scrutineer enroll-store <link>`";
            let message = "a store makes its token of 64 random hexadecimal digits";
            return Err(VerbError::new(Code::invalid("bad-request"), message, hint));
        }
        self.deciding(|| self.store_enrolled(typed, token, address))
    }

    fn store_enrolled(&self, typed: &str, token: &str, address: &str) -> Result<Grant, NotDecided> {
        let key = hashed(token);
        let there = self.known().of(Kind::Token).get(&key).cloned();
        match there {
            Some(grant) if grant.role == Role::Venue => return Ok(grant),
            Some(_) => {
                let (message, hint) = ("this token is another one's", "enroll again");
                return Err(VerbError::new(Code::invalid("bad-request"), message, hint).into());
            }
            None => {}
        }
        let link = self.linked_here(typed, address)?;
        if link.role != Role::Venue {
            let message = format!("this link makes a browser a {}'s", link.role.word());
            let hint =
                "open it in a browser; a link that enrolls a store is made on the page /stores";
            return Err(VerbError::new(Code::refused("link-of-another-kind"), message, hint).into());
        }
        let is_of_before = |grant: &Grant| grant.role == Role::Venue && grant.name == link.name;
        let known = self.known().of(Kind::Token).clone();
        let before: Vec<&String> =
            known.iter().filter(|(_, grant)| is_of_before(grant)).map(|(key, _)| key).collect();
        let grant = Grant {
            role: Role::Venue,
            name: link.name.clone(),
            id: to_hex(&random::<4>()?),
            made: now_in_micros(),
            ..Grant::default()
        };
        let link_key = hashed(&as_typed(typed));
        let mut rows = vec![(Kind::Link.table(), link_key.as_str(), None)];
        rows.extend(before.iter().map(|key| (Kind::Token.table(), key.as_str(), None)));
        rows.push((Kind::Token.table(), key.as_str(), text_of(&grant)?));
        let name = link.name.as_deref().unwrap_or_default();
        let replaced = if before.is_empty() { "" } else { ", in place of its token of before" };
        let what = format!("enrolled the store of {name} as token {}{replaced}", grant.id);
        self.keep([(&format!("whoever used link {}", link.id)[..], what)], &rows)?;
        Ok(grant)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn linked(house: &House, role: Role, name: &str) -> String {
        let grant = Grant { role, name: Some(name.into()), once: true, ..Grant::default() };
        house.make(Kind::Link, grant, "Olga", None).expect("made").secret
    }

    fn token(digit: char) -> String {
        format!("scr_{}", digit.to_string().repeat(64))
    }

    #[test]
    fn a_link_enrolls_one_store_and_a_lost_answer_is_given_again() {
        let house = House::open(None).expect("opened");
        let link = linked(&house, Role::Venue, "Card club");
        assert!(house.join(&link, None, "here", 60).is_err(), "it signs nobody in");
        let first = house.enroll_store(&link, &token('a'), "here").expect("enrolled");
        assert_eq!(first.name.as_deref(), Some("Card club"));
        assert_eq!(house.enroll_store(&link, &token('a'), "here").expect("again"), first);
        let other = house.enroll_store(&link, &token('b'), "here").expect_err("used up");
        assert_eq!(other.code.word, "no-such-link");
        assert_eq!(house.token_of(&token('a')).map(|(grant, _)| grant.role), Some(Role::Venue));
    }

    #[test]
    fn a_new_link_of_the_same_store_ends_its_token_of_before_and_no_other() {
        let house = House::open(None).expect("opened");
        let enroll = |name: &str, digit: char| {
            let link = linked(&house, Role::Venue, name);
            house.enroll_store(&link, &token(digit), "here").expect("enrolled")
        };
        enroll("Card club", 'a');
        enroll("Another club", 'b');
        enroll("Card club", 'c');
        let there = ['a', 'b', 'c'].map(|digit| house.token_of(&token(digit)).is_some());
        assert_eq!(there, [false, true, true]);
    }

    #[test]
    fn what_is_no_link_of_a_store_and_no_token_of_one_enrolls_nothing() {
        let house = House::open(None).expect("opened");
        let judge = linked(&house, Role::Judge, "Eva");
        let code = |typed: &str, token: &str| {
            house.enroll_store(typed, token, "here").expect_err("refused").code.word
        };
        assert_eq!(code(&judge, &token('a')), "link-of-another-kind");
        let link = linked(&house, Role::Venue, "Card club");
        for bad in ["", "scr_1", &"a".repeat(68)] {
            assert_eq!(code(&link, bad), "bad-request", "{bad}");
        }
        // Whoever knows the token of an owner makes it none of a venue.
        let owner = Grant { role: Role::Owner, ..Grant::default() };
        let owner = house.make(Kind::Token, owner, "Olga", None).expect("made").secret;
        house.enroll_store(&link, &owner, "here").expect_err("it is there already");
        assert_eq!(house.token_of(&owner).map(|(grant, _)| grant.role), Some(Role::Owner));
    }
}
