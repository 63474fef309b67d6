//! Writes seeds: `golden_seeds <folder>`.

#[path = "src/golden.rs"]
mod golden;

fn main() -> std::io::Result<()> {
    golden::fill(std::path::Path::new(&std::env::args().nth(1).expect("a folder")))
}
