//! Compiles the libraries that are preloaded: one records what a worker does to the disk, the other is a wrong
//! clock.

fn main() {
    let target = std::env::var("CARGO_CFG_TARGET_OS").unwrap_or_default();
    let out = std::path::PathBuf::from(std::env::var_os("OUT_DIR").expect("cargo names it"));
    for name in ["recorder", "clock"] {
        let source = format!("{name}.c");
        println!("cargo:rerun-if-changed={source}");
        if target != "linux" {
            continue;
        }
        let compiler = cc::Build::new().get_compiler();
        let built = compiler
            .to_command()
            .args(["-shared", "-fPIC", "-O1", "-Wall", "-Wextra", "-Werror", "-pthread"])
            .args([&source, "-o"])
            .arg(out.join(format!("{name}.so")))
            .status();
        assert!(built.is_ok_and(|status| status.success()), "the C compiler builds {source}");
    }
}
