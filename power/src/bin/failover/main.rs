//! `cargo run -p scrutineer-power --bin failover`: a cluster of databases, its faults, and what was lost.

#[cfg(target_os = "linux")]
mod asked;

#[cfg(target_os = "linux")]
fn main() -> std::process::ExitCode {
    asked::run_all()
}

#[cfg(not(target_os = "linux"))]
fn main() {
    eprintln!("skipped: a cluster is started on Linux only");
}
