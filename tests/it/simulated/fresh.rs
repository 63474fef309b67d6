//! The same log gives the same bytes of output, also in a fresh process and another folder.

use crate::cli::desk::Desk;

const ASKED: [&[&str]; 8] = [
    &["standings"],
    &["standings", "--through", "3", "--json"],
    &["pairings"],
    &["pairings", "--round", "2", "--json"],
    &["explain", "1"],
    &["log"],
    &["check-pairing", "--json"],
    &["tournaments"],
];

fn simulated() -> (Desk, String) {
    let desk = Desk::new();
    let said =
        desk.run(&["simulate", "--players", "21", "--cut", "4", "--drops", "8%", "--seed", "7"]);
    assert_eq!(said.code, 0, "{}", said.all());
    (desk, said.out)
}

/// The books and what stands in the journal behind a segment's head, which names the store.
fn kept(desk: &Desk) -> Vec<Vec<u8>> {
    const HEAD: usize = 64;
    let files = desk.kept().into_iter().filter(|(path, _)| !path.ends_with("FORMAT"));
    let bytes = files.map(|(path, bytes)| match path.extension().is_some_and(|end| end == "seg") {
        true => bytes[HEAD..].to_vec(),
        false => bytes,
    });
    bytes.collect()
}

#[test]
fn the_same_log_gives_the_same_output_in_a_fresh_process() {
    let (one, said_one) = simulated();
    let (two, said_two) = simulated();
    assert_eq!(said_one, said_two);
    assert!(kept(&one) == kept(&two), "journal and books");
    for words in ASKED {
        let first = one.run(words);
        assert_eq!(first.code, 0, "{}", first.all());
        assert_eq!(first.out, one.run(words).out, "{words:?} twice");
        assert_eq!(first.out, two.run(words).out, "{words:?} in the other folder");
    }
}

#[test]
fn a_simulation_is_not_stored_twice_and_formats_not_at_all() {
    let desk = Desk::new();
    let many = ["simulate", "--players", "8", "--rounds", "3", "--times", "5", "--cut", "4"];
    let said = desk.run(&many);
    assert_eq!((said.code, desk.path("store").exists()), (0, false), "{}", said.all());
    let mut on_one: Vec<&str> = many.to_vec();
    on_one.extend(["--threads", "1"]);
    assert_eq!(said.out, desk.run(&on_one).out);
    let once = ["simulate", "--players", "8"];
    assert_eq!(desk.run(&once).code, 0);
    let again = desk.run(&once);
    assert_eq!(again.code, 1, "{}", again.all());
    assert!(again.err.contains("[simulated-before]"), "{}", again.all());
    for (words, code) in [
        (["--players", "1"], "simulated-players"),
        (["--cut", "65"], "simulated-cut"),
        (["--rounds", "0"], "simulated-rounds"),
        (["--times", "0"], "no-times"),
    ] {
        let said = desk.run(&["simulate", words[0], words[1]]);
        assert!(said.code == 2 && said.err.contains(code), "{}", said.all());
    }
    let verified = desk.run(&["verify"]);
    assert_eq!(verified.code, 0, "{}", verified.all());
}
