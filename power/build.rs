//! Compiles the library that is preloaded into the worker: it records what is done to the disk.

fn main() {
    println!("cargo:rerun-if-changed=recorder.c");
    let target = std::env::var("CARGO_CFG_TARGET_OS").unwrap_or_default();
    if target != "linux" {
        return;
    }
    let out = std::path::PathBuf::from(std::env::var_os("OUT_DIR").expect("cargo names it"));
    let compiler = cc::Build::new().get_compiler();
    let built = compiler
        .to_command()
        .args(["-shared", "-fPIC", "-O1", "-Wall", "-Wextra", "-Werror", "-pthread"])
        .args(["recorder.c", "-o"])
        .arg(out.join("recorder.so"))
        .status();
    assert!(built.is_ok_and(|status| status.success()), "the C compiler builds recorder.c");
}
