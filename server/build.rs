//! Packs the description for programs: as it is it would be a thirtieth of the whole program.

use std::io::Write as _;
use std::path::Path;

fn main() -> std::io::Result<()> {
    println!("cargo::rerun-if-changed=openapi.json");
    let into = std::env::var_os("OUT_DIR").ok_or_else(|| std::io::Error::other("no OUT_DIR"))?;
    let file = std::fs::File::create(Path::new(&into).join("openapi.json.gz"))?;
    let mut packer = flate2::write::GzEncoder::new(file, flate2::Compression::best());
    packer.write_all(&std::fs::read("openapi.json")?)?;
    packer.finish().map(drop)
}
