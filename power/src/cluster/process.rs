//! Processes of a cluster: started as the user postgres, found by the folder they work in, and ended.

use super::network::Network;
use rustix::process::{Pid, Signal, geteuid, kill_process};
use std::fs::{self, File};
use std::io;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

/// Ends what works in a folder when this program ends: it then reads the end of its input.
const UNDERTAKER: &str = r#"
read -r end
ours() {
  for p in /proc/[0-9]*; do
    case "$(readlink "$p/cwd" 2>/dev/null)" in "$1"|"$1"/*) echo "${p#/proc/}";; esac
  done
}
servers=""
for p in $(ours "$1"); do
  case "$(readlink "/proc/$p/exe" 2>/dev/null)" in
    */bin/postgres) servers="$servers $p";;
    *) kill -9 "$p" 2>/dev/null;;
  esac
done
for p in $servers; do kill -QUIT "$p" 2>/dev/null; kill -CONT "$p" 2>/dev/null; done
for turn in 1 2 3 4 5 6; do [ -z "$(ours "$1")" ] && break; sleep 0.5; done
for p in $(ours "$1"); do kill -9 "$p" 2>/dev/null; done
sleep 0.2
for i in 1 2 3; do
  umount "$1/n$i/disk" 2>/dev/null
  [ -n "$2" ] && ip netns del "$2$i" 2>/dev/null
done
[ -n "$2" ] && ip link del "$2" 2>/dev/null
[ "$3" = keep ] || rm -rf "$1"
true
"#;

/// Ends a cluster.
pub struct Undertaker {
    shell: Child,
}

impl Undertaker {
    /// It waits for the end of this program.
    ///
    /// # Errors
    /// Where there is no shell.
    pub fn new(folder: &Path, network: Option<&Network>, keeps: bool) -> io::Result<Undertaker> {
        let mut command = Command::new("sh");
        command.args(["-c", UNDERTAKER, "sh"]).arg(folder).arg(network.map_or("", Network::name));
        // Ctrl-C in the terminal is for us, not for it.
        command.process_group(0).current_dir("/").stdin(Stdio::piped()).stdout(Stdio::null());
        command.arg(if keeps { "keep" } else { "" }).stderr(Stdio::null());
        Ok(Undertaker { shell: command.spawn()? })
    }
}

impl Drop for Undertaker {
    fn drop(&mut self) {
        drop(self.shell.stdin.take());
        drop(self.shell.wait());
    }
}

/// Starts a program that works in a folder and writes its log there.
pub fn spawn(folder: &Path, space: Option<&str>, words: &[&str]) -> io::Result<Child> {
    let log = File::options().create(true).append(true).open(folder.join("log"))?;
    let mut all: Vec<&str> = Vec::new();
    if let Some(space) = space {
        all.extend(["ip", "netns", "exec", space]);
    }
    if is_root() {
        all.extend(["setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups"]);
    }
    all.extend(words);
    let program = program(all[0]).ok_or_else(|| io::Error::other(format!("no {}", all[0])))?;
    let mut command = Command::new(program);
    let path = format!("{}:/usr/sbin:/sbin", std::env::var("PATH").unwrap_or_default());
    command.args(&all[1..]).current_dir(folder).env("PATH", path).env("HOME", folder);
    command.process_group(0).stdin(Stdio::null()).stdout(log.try_clone()?).stderr(log).spawn()
}

/// Processes that work in a folder or below.
pub fn of_folder(folder: &Path) -> Vec<Pid> {
    let all = fs::read_dir("/proc").into_iter().flatten().flatten();
    let ours = all.filter(|one| {
        fs::read_link(one.path().join("cwd")).is_ok_and(|works| works.starts_with(folder))
    });
    ours.filter_map(|one| Pid::from_raw(one.file_name().to_str()?.parse().ok()?)).collect()
}

/// Sends a signal; a process that is gone does not mind.
pub fn signal(pid: Pid, what: Signal) {
    let _gone = kill_process(pid, what);
}

/// Sends a signal to a child that this program started.
pub fn signal_child(child: &Child, what: Signal) {
    signal(Pid::from_child(child), what);
}

/// Whether this program may do everything.
pub fn is_root() -> bool {
    geteuid().is_root()
}

/// Where a program is.
pub fn program(name: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let folders = std::env::split_paths(&path).chain(["/usr/sbin".into(), "/sbin".into()]);
    folders.map(|folder| folder.join(name)).find(|program| program.exists())
}

/// PostgreSQL refuses root, so that its folders belong to the user postgres.
///
/// # Errors
/// Where there is no such user.
pub fn give_to_postgres(folder: &Path) -> io::Result<()> {
    run("chmod", &["755".as_ref(), folder.as_os_str()])?;
    if is_root() {
        run("chown", &["-R".as_ref(), "postgres:postgres".as_ref(), folder.as_os_str()])?;
    }
    Ok(())
}

/// Mounts a disk of its own, which lies in a file; false where that is not allowed.
pub fn mount(file: &Path, folder: &Path) -> bool {
    let made = || {
        fs::create_dir_all(folder)?;
        File::create(file)?.set_len(8 << 30)?;
        run("mkfs.ext4", &["-q".as_ref(), "-m".as_ref(), "0".as_ref(), file.as_os_str()])?;
        run("mount", &["-o".as_ref(), "loop".as_ref(), file.as_os_str(), folder.as_os_str()])
    };
    made().is_ok()
}

/// Takes all of a disk's free bytes with a file, or frees them.
pub fn fill(ballast: &Path, full: bool) -> bool {
    if !full {
        return fs::remove_file(ballast).is_ok();
    }
    let script = "a=$(df --output=avail -B1 \"$(dirname \"$1\")\" | tail -1)
        while [ \"$a\" -gt 0 ] && ! fallocate -l \"$a\" \"$1\" 2>/dev/null; do a=$((a - 4194304)); done
        dd if=/dev/zero of=\"$1\" bs=65536 oflag=append conv=notrunc 2>/dev/null; true";
    let words = ["-c", script, "sh"].map(AsRef::as_ref);
    run("sh", &[&words[..], &[ballast.as_os_str()]].concat()).is_ok()
}

fn run(name: &str, words: &[&std::ffi::OsStr]) -> io::Result<()> {
    let program = program(name).ok_or_else(|| io::Error::other(format!("no {name}")))?;
    let done = Command::new(program).args(words).stdin(Stdio::null()).output()?;
    if done.status.success() {
        return Ok(());
    }
    Err(io::Error::other(format!("{name}: {}", String::from_utf8_lossy(&done.stderr))))
}
