use super::accounts::{FREE_TRIES, MOST_ACCOUNTS};
use super::grants::WRONG_CODES;
use super::*;
use scrutineer_desk::hint::Hint;
use scrutineer_desk::shown::Shown;
use scrutineer_engine::book::Commitment;
use scrutineer_engine::event::{NoteAdded, TextsForgotten};
use scrutineer_engine::tournament::Tournament;

fn judge() -> Grant {
    Grant { role: Role::Judge, ..Grant::default() }
}

fn once(id: &str, body: &str) -> Once {
    Once { id: id.into(), body: *blake3::hash(body.as_bytes()).as_bytes() }
}

pub(super) fn made(house: &House, kind: Kind) -> String {
    house.make(kind, judge(), "Olga", None).expect("made").secret
}

#[test]
fn an_owners_link_makes_one_browser_the_owners_and_no_second_one() {
    let house = House::open(None).expect("opened");
    let secret = house.owner_link().expect("made");
    let (session, grant) = house.join(&secret, None, "a", 60).expect("joined");
    assert_eq!(grant.role, Role::Owner);
    assert_eq!(house.session(&session).map(|grant| grant.role), Some(Role::Owner));
    assert_eq!(house.join(&secret, None, "a", 60).expect_err("used").code, "no-such-link");
}

#[test]
fn what_is_kept_is_there_after_a_restart_and_holds_no_secret() {
    let folder = tempfile::tempdir().expect("a folder");
    let password = "the hall closes at six";
    let (code, session, token) = {
        let house = House::open(Some(folder.path())).expect("opened");
        let code = made(&house, Kind::Link);
        let (session, _) = house.join(&code, Some("Ann".into()), "a", 60).expect("joined");
        house.put_account("Eva", Some(password), Role::Judge, None, "Olga").expect("made");
        (code, session, made(&house, Kind::Token))
    };
    let house = House::open(Some(folder.path())).expect("opened again");
    assert_eq!(house.session(&session).and_then(|grant| grant.name), Some("Ann".into()));
    assert!(house.token_of(&token).is_some() && house.token_of("scr_0").is_none());
    assert!(house.sign_in("eva", password, "a", 60).is_ok());
    // However it is typed.
    for typed in
        [format!(" {} ", code.to_lowercase()), code.replace('-', ""), code.replace('-', " ")]
    {
        assert!(house.linked(&typed, "a").is_ok(), "{typed:?}");
    }
    assert!(house.linked(&code[..8], "a").is_err(), "seven of its letters");
    let bytes = std::fs::read(folder.path().join("house.redb")).expect("read");
    for secret in [&code[..], &session, &token, password] {
        let found = bytes.windows(secret.len()).any(|part| part == secret.as_bytes());
        assert!(!found, "a secret stands in the file");
    }
}

#[test]
fn an_address_that_guesses_is_told_to_wait_and_others_are_not() {
    let house = House::open(None).expect("opened");
    let code = made(&house, Kind::Link);
    // A minute may end in between: then it begins anew.
    let guess = || (0..=WRONG_CODES).map(|_| house.linked("AAAA-AAAA", "a").unwrap_err()).last();
    let told = [guess(), guess()].into_iter().flatten().any(|error| error.code == "slow-down");
    assert!(told);
    assert!(house.linked(&code, "b").is_ok());
}

#[test]
fn a_grant_that_is_over_or_of_another_tournament_does_not_hold() {
    let house = House::open(None).expect("opened");
    let over = Grant { until: Some(1), ..judge() };
    let token = house.make(Kind::Token, over, "Olga", None).expect("made").secret;
    assert!(house.token_of(&token).is_none() && house.listed(Kind::Token).is_empty());
    let one = StreamId([1; 16]);
    let grant = Grant { tournament: Some(one.to_string()), ..judge() };
    assert!(grant.holds_in(one) && !grant.holds_in(StreamId([2; 16])));
}

#[test]
fn what_is_made_twice_under_a_key_is_one() {
    let folder = tempfile::tempdir().expect("a folder");
    let house = House::open(Some(folder.path())).expect("opened");
    let make = |house: &House, body: &str| {
        house.make(Kind::Token, judge(), "Olga", Some(&once("k", body)))
    };
    let (first, again) = (make(&house, "a").expect("made"), make(&house, "a").expect("again"));
    assert_eq!(first, again);
    assert_eq!(make(&house, "b").expect_err("another body").code, "command-id-reused");
    drop(house);
    // Its secret is known to nobody here any more, and goes on to work for whoever has it.
    let house = House::open(Some(folder.path())).expect("opened again");
    let refused = make(&house, "a").expect_err("told once");
    assert_eq!(refused.code, "made-already");
    assert!(refused.message.contains(&first.id), "it is taken back by its id: {refused:?}");
    assert!(house.token_of(&first.secret).is_some());
    house.take_back(Kind::Token, &first.id, "Olga").expect("taken back");
    assert!(house.token_of(&first.secret).is_none());
}

/// A request that was sent again late was told a token that holds no longer; after a restart it made another one, though
/// somebody had taken it back.
#[test]
fn what_was_taken_back_is_not_told_again_nor_made_again_under_its_key() {
    for kind in [Kind::Link, Kind::Token] {
        let folder = tempfile::tempdir().expect("a folder");
        let make = |house: &House, key: &str, body: &str| {
            house.make(kind, judge(), "Olga", Some(&once(key, body)))
        };
        let house = House::open(Some(folder.path())).expect("opened");
        let made = make(&house, "k", "a").expect("made");
        house.take_back(kind, &made.id, "Olga").expect("taken back");
        let code = |house: &House, body| make(house, "k", body).expect_err("refused").code.word;
        assert_eq!((code(&house, "a"), code(&house, "b")), ("made-already", "command-id-reused"));
        drop(house);
        let house = House::open(Some(folder.path())).expect("opened again");
        assert_eq!((code(&house, "a"), code(&house, "b")), ("made-already", "command-id-reused"));
        assert!(house.listed(kind).is_empty());
        assert_ne!(make(&house, "l", "a").expect("under a new key").secret, made.secret);
    }
}

/// It was told as a repeat, and its sender looked for a secret that was never theirs.
#[test]
fn something_else_under_a_key_is_told_as_such_after_a_restart_too() {
    for kind in [Kind::Link, Kind::Token] {
        let folder = tempfile::tempdir().expect("a folder");
        let make =
            |house: &House, body: &str| house.make(kind, judge(), "Olga", Some(&once("k", body)));
        let house = House::open(Some(folder.path())).expect("opened");
        let made = make(&house, "a judge for Friday").expect("made");
        drop(house);
        let house = House::open(Some(folder.path())).expect("opened again");
        let code = |body: &str| make(&house, body).expect_err("made before").code.word;
        assert_eq!(code("a judge for Friday"), "made-already", "{kind:?}");
        assert_eq!(code("an owner"), "command-id-reused", "{kind:?}");
        let bytes = house.image().expect("read");
        for word in [&made.secret[..], "a judge for Friday"] {
            let is_there = bytes.windows(word.len()).any(|part| part == word.as_bytes());
            assert!(!is_there, "{kind:?}: {word} stands in the file");
        }
    }
}

#[test]
fn what_is_taken_back_holds_no_longer_and_who_did_it_is_kept() {
    let house = House::open(None).expect("opened");
    let token = made(&house, Kind::Token);
    assert!(house.token_of(&token).is_some());
    let listed = house.listed(Kind::Token);
    assert!(listed[0].used.is_some());
    house.take_back(Kind::Token, &listed[0].id, "Pia").expect("taken back");
    assert!(house.token_of(&token).is_none());
    let again = house.take_back(Kind::Token, &listed[0].id, "Pia").expect_err("gone");
    assert_eq!(again.code, "no-such-token");
    // What has no id of its own is taken back by nobody.
    assert!(house.take_back(Kind::Token, "", "Pia").is_err());
    let told: Vec<Change> = house.changed_after(0).expect("read");
    let told: Vec<(&str, bool)> =
        told.iter().map(|one| (&one.by[..], one.what.contains(&listed[0].id))).collect();
    assert_eq!(told, [("Olga", true), ("Pia", true)]);
    assert_eq!(house.last_changes(1).expect("read")[0].seq, 2);
}

#[test]
fn sessions_of_an_account_end_with_its_role_and_its_password() {
    let house = House::open(None).expect("opened");
    let password = "the hall closes at six";
    assert!(house.put_account("Eva", None, Role::Judge, None, "Olga").is_err(), "no password");
    let short = house.put_account("Eva", Some("short"), Role::Judge, None, "Olga");
    assert_eq!(short.expect_err("short").code, "bad-password");
    assert!(house.put_account("Eva", Some(password), Role::Judge, None, "Olga").expect("made"));
    let sign_in = |password: &str| house.sign_in("EVA", password, "a", 60);
    let (session, grant) = sign_in(password).expect("signed in");
    assert_eq!((grant.role, grant.name.as_deref()), (Role::Judge, Some("Eva")));
    assert_eq!(house.accounts()[0].sessions, 1);
    assert!(!house.put_account("Eva", None, Role::Helper, None, "Olga").expect("changed"));
    assert!(house.session(&session).is_none(), "the role is another one");
    let (session, grant) = sign_in(password).expect("signed in again");
    assert_eq!(grant.role, Role::Helper);
    house.remove_account("Eva", "Olga").expect("removed");
    assert!(house.session(&session).is_none() && sign_in(password).is_err());
    let (left, _) = house.join(&made(&house, Kind::Link), None, "a", 60).expect("joined");
    house.sign_out(&left).expect("signed out");
    assert!(house.session(&left).is_none());
}

#[test]
fn one_account_too_many_is_not_made_and_those_that_are_there_are_still_changed() {
    let house = House::open(None).expect("opened");
    let password = Some("the hall closes at six");
    house.put_account("Eva", password, Role::Judge, None, "Olga").expect("made");
    {
        // Each password takes its time, so the others have hers.
        let mut known = house.known();
        let eva = known.accounts.values().next().cloned().expect("there");
        let others = (2..MOST_ACCOUNTS).map(|at| (format!("judge {at}"), eva.clone()));
        known.accounts.extend(others);
    }
    assert!(house.put_account("The last", password, Role::Judge, None, "Olga").expect("made"));
    let more = house.put_account("One more", password, Role::Judge, None, "Olga");
    assert_eq!(more.expect_err("too many").code, "too-many");
    assert!(!house.put_account("Eva", None, Role::Helper, None, "Olga").expect("changed"));
}

#[test]
fn whoever_guesses_a_password_is_made_slower_and_nobody_else_is() {
    let house = House::open(None).expect("opened");
    let password = "the hall closes at six";
    house.put_account("Eva", Some(password), Role::Judge, None, "Olga").expect("made");
    for _ in 0..FREE_TRIES {
        let wrong = house.sign_in("Eva", "guessed", "a", 60).expect_err("wrong");
        assert_eq!(wrong.code, "wrong-password");
    }
    // The right one as well: it is not looked at.
    let slower = house.sign_in("Eva", password, "a", 60).expect_err("slower");
    let seconds = slower.hint.as_ref().and_then(Hint::seconds).expect("how long");
    assert!(slower.code == "slow-down" && (1..=60).contains(&seconds), "{slower:?}");
    // An hour for whoever goes on, and not the minute of the beginning.
    for tries in house.known().tries.values_mut() {
        (tries.count, tries.last) = (FREE_TRIES + 6, now());
    }
    let slower = house.sign_in("Eva", password, "a", 60).expect_err("slower");
    let seconds = slower.hint.as_ref().and_then(Hint::seconds).expect("how long");
    assert!((3_590..=3_600).contains(&seconds), "{slower:?}");
    assert!(slower.told().contains(&format!("wait {seconds} seconds")), "{slower:?}");
    assert!(house.sign_in("Eva", password, "b", 60).is_ok());
    assert_eq!(house.sign_in("Nobody", "guessed", "a", 60).expect_err("no").code, "wrong-password");
    // Nor is the memory filled by names that nobody can have.
    house.sign_in(&"x".repeat(100_000), "guessed", "a", 60).expect_err("nobody");
    assert!(house.known().tries.keys().all(|(name, _)| name.len() < 1_000));
}

/// What is shown of a tournament whose players are called this.
fn shown(names: &[String]) -> Shown {
    Shown { texts: (1..).zip(names.iter().cloned()).collect(), ..Shown::default() }
}

fn holds(folder: &Path, file: &str, word: &str) -> bool {
    let bytes = std::fs::read(folder.join(file)).expect("read");
    bytes.windows(word.len()).any(|part| part == word.as_bytes())
}

/// Somebody was forgotten, their name was gone from the pages of the publisher, and stood in its file for good.
#[test]
fn a_name_that_a_venue_shows_no_longer_stands_in_no_byte_of_the_house_and_of_its_copy() {
    let folder = tempfile::tempdir().expect("a folder");
    let house = House::open(Some(folder.path())).expect("opened");
    let (friday, monday) = (StreamId([7; 16]), StreamId([8; 16]));
    let mut names: Vec<String> = (0..300).map(|at| format!("Guest {at} of the hall")).collect();
    names[200] = "Rolf Abendroth".into();
    let token = made(&house, Kind::Token);
    // Some of its pages are let go in between, as they are day by day.
    for at in 1..=3 {
        house.keep_shown(friday, at, &shown(&names)).expect("kept");
        house.keep_shown(monday, at, &shown(&names[..150])).expect("kept");
    }
    assert!(house.rows.add_to_floor(friday, 0, "Olga is at table 3").expect("kept"));
    assert!(holds(folder.path(), "house.redb", "Abendroth"));
    names[200] = "player 201".into();
    house.keep_shown(friday, 4, &shown(&names)).expect("kept");
    let later = made(&house, Kind::Token);
    house.write_copy(folder.path()).expect("copied");
    for file in ["house.redb", "house.copy"] {
        assert!(!holds(folder.path(), file, "Abendroth"), "{file}");
        assert!(holds(folder.path(), file, "Guest 7 of the hall"), "{file}");
    }
    drop(house);
    let again = House::open(Some(folder.path())).expect("opened");
    assert!(again.token_of(&token).is_some() && again.token_of(&later).is_some());
    for (stream, names) in [(friday, &names[..]), (monday, &names[..150])] {
        assert_eq!(again.policies.shown(stream).expect("kept").shown, shown(names));
    }
    assert_eq!(again.rows.floor(friday, 0).expect("read"), ["Olga is at table 3"]);
}

/// A venue that came back from a backup showed a name again that the publisher's own log forgets.
#[test]
fn what_the_log_of_a_copy_forgets_is_taken_out_of_what_is_shown_beside_it() {
    let folder = tempfile::tempdir().expect("a folder");
    let house = House::open(Some(folder.path())).expect("opened");
    let stream = StreamId([7; 16]);
    let names = ["Ann Lee", "Rolf Abendroth"].map(String::from);
    house.keep_shown(stream, 1, &shown(&names)).expect("kept");
    let (mut now, note) = (Tournament::default(), Commitment { number: 2, digest: [0; 32] });
    now.evolve(&NoteAdded { note, about: None }.into());
    assert!(!house.forget_shown(stream, &now).expect("looked"));
    now.evolve(&TextsForgotten { numbers: vec![2] }.into());
    assert!(house.forget_shown(stream, &now).expect("taken out"));
    assert!(!house.forget_shown(stream, &now).expect("nothing is left"));
    let left = house.policies.shown(stream).expect("kept");
    assert_eq!((left.at, &left.shown), (1, &shown(&names[..1])));
    assert!(!holds(folder.path(), "house.redb", "Abendroth"));
}
