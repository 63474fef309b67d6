//! The model of a disk: what a power cut leaves of what was done.
//!
//! - A file's bytes and length are kept up to the last sync of that file that worked; a sync covers
//!   what was written before it began.
//! - A name (made, changed, removed) is kept once its folder was synced, not before, and not by a
//!   sync of the file.
//! - Of what was not synced anything may be there or not: each piece of a file in any state it went
//!   through, any of the lengths it had, any of the changed names.
//! - After a sync that failed, the bytes it should have written are in memory only. A later sync
//!   writes them no more, unless they were written again.

mod file;
mod folder;
#[cfg(test)]
mod tests;

use crate::tape::Entry;
use file::FileNode;
use folder::{FolderNode, NameChange};
use std::collections::{BTreeMap, HashMap};
use std::fs;
use std::io;
use std::path::Path;

/// The number of a file or folder in the model.
type Id = usize;

/// What the power cut does with what was not synced.
#[derive(Clone, Debug)]
pub enum Cut {
    /// Nothing of it is there.
    Strict,
    /// All of it is there: what was killed, and not the machine.
    Lax,
    /// Some of it is there.
    Random(fastrand::Rng),
}

/// Files and folders below one folder, by path; folders before what is in them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Image {
    /// Every folder.
    pub folders: Vec<String>,
    /// Every file with its bytes.
    pub files: BTreeMap<String, Vec<u8>>,
}

/// A disk with what was done to it.
#[derive(Clone, Debug)]
pub struct Disk {
    nodes: Vec<Node>,
    /// The files by their numbers with the operating system.
    known: HashMap<u64, Id>,
    /// How many entries were taken.
    taken: usize,
}

#[derive(Clone, Debug)]
enum Node {
    File(FileNode),
    Folder(FolderNode),
}

const ROOT: Id = 0;

impl Default for Disk {
    fn default() -> Disk {
        Disk { nodes: vec![Node::Folder(FolderNode::default())], known: HashMap::new(), taken: 0 }
    }
}

impl Disk {
    /// A disk on which all this is safe.
    pub fn holding(image: &Image) -> Disk {
        let mut disk = Disk::default();
        for path in &image.folders {
            disk.put_safe(path, Node::Folder(FolderNode::default()));
        }
        for (path, bytes) in &image.files {
            disk.put_safe(path, Node::File(FileNode::holding(bytes.clone())));
        }
        disk
    }

    fn put_safe(&mut self, path: &str, node: Node) {
        let id = self.add(node);
        if let Ok((folder, name)) = self.place(path) {
            folder.put_safe(name, id);
        }
    }

    /// The worker has ended and another begins: numbers of files may be given again.
    pub fn next_tape(&mut self) {
        self.known.clear();
        self.taken = 0;
        for node in &mut self.nodes {
            match node {
                Node::File(file) => file.count_anew(),
                Node::Folder(folder) => folder.count_anew(),
            }
        }
    }

    /// Takes one entry of a tape.
    ///
    /// # Errors
    /// Says what can't have happened, or is not modelled.
    pub fn take(&mut self, entry: &Entry) -> Result<(), String> {
        let at = self.taken;
        self.taken += 1;
        match entry {
            Entry::Open { file, path, creates, empties } => {
                self.open(at, *file, path, *creates, *empties)
            }
            Entry::Write { file, offset, data } => {
                self.file(*file)?.write(at, *offset, data.clone());
                Ok(())
            }
            Entry::SetLen { file, len } => {
                self.file(*file)?.set_len(at, *len);
                Ok(())
            }
            Entry::Sync { file, covers, worked } => self.sync(*file, *covers, *worked),
            Entry::Rename { from, to } => self.rename(at, from, to),
            Entry::Remove { path } | Entry::RemoveFolder { path } => {
                self.change(at, path, |name, _| NameChange::Remove { name })
            }
            Entry::MakeFolder { path } => {
                let id = self.add(Node::Folder(FolderNode::default()));
                self.change(at, path, |name, _| NameChange::Put { name, id })
            }
            Entry::Mark { .. } => Ok(()),
            Entry::Unknown { what } => Err(format!("{what} is not modelled")),
        }
    }

    fn open(
        &mut self,
        at: usize,
        number: u64,
        path: &str,
        creates: bool,
        empties: bool,
    ) -> Result<(), String> {
        let there = self.find(path);
        let id = match there {
            Some(id) => id,
            None if creates => {
                let id = self.add(Node::File(FileNode::default()));
                self.change(at, path, |name, _| NameChange::Put { name, id })?;
                id
            }
            None => return Err(format!("{path} was opened and is not there")),
        };
        self.known.insert(number, id);
        if let (true, Node::File(file)) = (empties, &mut self.nodes[id]) {
            file.set_len(at, 0);
        }
        Ok(())
    }

    fn sync(&mut self, number: u64, covers: usize, worked: bool) -> Result<(), String> {
        let id = *self.known.get(&number).ok_or("an unknown file was synced")?;
        match (&mut self.nodes[id], worked) {
            (Node::File(file), true) => file.synced(covers),
            (Node::File(file), false) => file.sync_failed(covers),
            (Node::Folder(folder), true) => folder.synced(covers),
            (Node::Folder(_), false) => {}
        }
        Ok(())
    }

    fn rename(&mut self, at: usize, from: &str, to: &str) -> Result<(), String> {
        let id = self.find(from).ok_or_else(|| format!("{from} was renamed and is not there"))?;
        let (from_folder, from_name) = split(from);
        let (to_folder, to_name) = split(to);
        if from_folder != to_folder {
            return Err(format!("a rename from {from} to another folder, {to}, is not modelled"));
        }
        let (from, to) = (from_name.to_string(), to_name.to_string());
        self.folder_at(from_folder)?.change(at, NameChange::Rename { from, to, id });
        Ok(())
    }

    fn change(
        &mut self,
        at: usize,
        path: &str,
        change: impl FnOnce(String, Id) -> NameChange,
    ) -> Result<(), String> {
        let (folder, name) = self.place(path)?;
        folder.change(at, change(name.to_string(), ROOT));
        Ok(())
    }

    fn add(&mut self, node: Node) -> Id {
        self.nodes.push(node);
        self.nodes.len() - 1
    }

    fn file(&mut self, number: u64) -> Result<&mut FileNode, String> {
        let id = *self.known.get(&number).ok_or("an unknown file was written")?;
        match &mut self.nodes[id] {
            Node::File(file) => Ok(file),
            Node::Folder(_) => Err("a folder was written to".to_string()),
        }
    }

    fn find(&self, path: &str) -> Option<Id> {
        let names = path.split('/').filter(|name| !name.is_empty());
        names.into_iter().try_fold(ROOT, |id, name| match &self.nodes[id] {
            Node::Folder(folder) => folder.now(name),
            Node::File(_) => None,
        })
    }

    fn folder_at(&mut self, path: &str) -> Result<&mut FolderNode, String> {
        let id = self.find(path).ok_or_else(|| format!("there is no folder {path}"))?;
        match &mut self.nodes[id] {
            Node::Folder(folder) => Ok(folder),
            Node::File(_) => Err(format!("{path} is a file")),
        }
    }

    fn place<'a>(&mut self, path: &'a str) -> Result<(&mut FolderNode, &'a str), String> {
        let (folder, name) = split(path);
        Ok((self.folder_at(folder)?, name))
    }

    /// What stands on the disk when the power is cut now.
    pub fn image(&self, cut: &mut Cut) -> Image {
        let mut image = Image::default();
        self.collect(ROOT, "", cut, &mut image);
        image
    }

    fn collect(&self, id: Id, path: &str, cut: &mut Cut, image: &mut Image) {
        match &self.nodes[id] {
            Node::File(file) => {
                image.files.insert(path.to_string(), file.image(cut));
            }
            Node::Folder(folder) => {
                if id != ROOT {
                    image.folders.push(path.to_string());
                }
                for (name, id) in folder.image(cut) {
                    let below = if path.is_empty() { name } else { format!("{path}/{name}") };
                    self.collect(id, &below, cut, image);
                }
            }
        }
    }
}

/// A path's folder and its name.
fn split(path: &str) -> (&str, &str) {
    path.rsplit_once('/').unwrap_or(("", path))
}

impl Image {
    /// What stands below a folder.
    ///
    /// # Errors
    /// Where it can't be read.
    pub fn of(folder: &Path) -> io::Result<Image> {
        let mut image = Image::default();
        image.gather(folder, "")?;
        Ok(image)
    }

    fn gather(&mut self, folder: &Path, path: &str) -> io::Result<()> {
        let mut names = Vec::new();
        for entry in fs::read_dir(folder)? {
            names.push(entry?.file_name().to_string_lossy().into_owned());
        }
        names.sort();
        for name in names {
            let below = if path.is_empty() { name.clone() } else { format!("{path}/{name}") };
            let at = folder.join(&name);
            if at.is_dir() {
                self.folders.push(below.clone());
                self.gather(&at, &below)?;
            } else {
                self.files.insert(below, fs::read(at)?);
            }
        }
        Ok(())
    }

    /// Writes it below a folder, which is made.
    ///
    /// # Errors
    /// Where it can't be written.
    pub fn write(&self, folder: &Path) -> io::Result<()> {
        fs::create_dir_all(folder)?;
        for path in &self.folders {
            fs::create_dir_all(folder.join(path))?;
        }
        for (path, bytes) in &self.files {
            fs::write(folder.join(path), bytes)?;
        }
        Ok(())
    }
}
