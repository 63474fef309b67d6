//! A ruleset of one's own: another one with two values changed, and one written as a file.

use scrutineer::Library;
use std::error::Error;

const FILE: &str = r#"
name = "House rules"
edition = "2026"
source = "the notice board of the club"
extends = "mtr"

[settings]
percentage_floor = "1/4"
"#;

fn main() -> Result<(), Box<dyn Error>> {
    let mut library = Library::shipped();
    let changed = library.ruleset("mtr+settings.percentage_floor=1/4")?;
    library.load_file("house.toml", FILE)?;
    let house = library.ruleset("house")?;
    println!("{}: {}", house.id, house.keys["settings.percentage_floor"]);
    assert_eq!(house.keys["settings.percentage_floor"], changed.keys["settings.percentage_floor"]);
    Ok(())
}
