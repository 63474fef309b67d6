//! What people hold in their hands of a checkpoint.

use crate::kit::*;
use scrutineer_engine::record::to_hex;
use scrutineer_replay::trust::checkpoint::CheckpointError;
use scrutineer_replay::trust::held::*;

#[test]
fn what_stands_on_a_sheet_can_be_typed_with_and_without_its_words() {
    let hall = Hall::new();
    let signed = hall.sign();
    let wanted = Shown::of(&signed.checkpoint);
    let short = signed.checkpoint.short();
    let (size, root) = (signed.checkpoint.size, to_hex(&signed.checkpoint.root));
    let typed = [
        short.clone(),
        format!("checkpoint {short}"),
        format!("the checkpoint of {short}"),
        format!("  {size}\n{}", &root[..32]),
        format!("{size} {}", root[..32].to_uppercase()),
    ];
    for typed in typed {
        assert_eq!(Shown::read(&typed), Some(Ok(wanted.clone())), "{typed:?}");
    }
    let whole = Shown::read(&format!("{size} {root}")).expect("digits").expect("enough");
    assert!(Held::Shown(whole).is(&signed.checkpoint));
    for few in [format!("{size} {}", &root[..28]), format!("{size} {root}00")] {
        let read = Shown::read(&few);
        assert!(matches!(read, Some(Err(CheckpointError::Digits { .. }))), "{few:?}: {read:?}");
    }
    for size in ["0", "00", "99999999999999999999"] {
        let read = Shown::read(&format!("{size} {}", &root[..32]));
        let wanted = Some(Err(CheckpointError::Size { typed: size.into() }));
        assert_eq!(read, wanted, "the digits are right");
    }
    for name in ["round-3.txt", "118", "118 round 3.txt", "round 3.txt", ""] {
        assert_eq!(Shown::read(name), None, "{name:?}");
    }
}

/// Thirty-two digits are looked at, each of them.
#[test]
fn no_other_digit_passes_for_what_a_sheet_shows() {
    let hall = Hall::new();
    let checkpoint = hall.sign().checkpoint;
    let (size, digits) = (checkpoint.size, to_hex(&checkpoint.root)[..32].to_string());
    let shown = |digits: &str| {
        let read = Shown::read(&format!("{size} {digits}")).expect("digits");
        Held::Shown(read.expect("enough of them"))
    };
    for place in 0..digits.len() {
        let other = if &digits[place..=place] == "0" { "1" } else { "0" };
        let mut changed = digits.clone();
        changed.replace_range(place..=place, other);
        assert!(!shown(&changed).begins(&hall.history()), "digit {place}");
    }
    assert!(shown(&digits).begins(&hall.history()));
}
