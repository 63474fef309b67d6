//! Storage in memory and in a folder keeps the same promises.

use scrutineer_engine::conformance;
use scrutineer_engine::files::MemoryFiles;
use scrutineer_engine::log::{Log, MemoryLog};
use scrutineer_store::FolderFiles;

use crate::kit::{Folder, codes, open};

#[test]
fn storage_in_memory_does_what_storage_promises() {
    conformance::log(&MemoryLog::new());
    conformance::texts(MemoryLog::new().texts());
    conformance::files(&MemoryFiles::new());
}

#[test]
fn storage_in_a_folder_does_what_storage_promises() {
    let folder = Folder::new();
    let log = open(&folder);
    conformance::texts(log.texts());
    log.close().unwrap();
    conformance::files(&FolderFiles::open(&folder.0).unwrap());
    let folder = Folder::new();
    let log = open(&folder);
    conformance::log(&log);
    assert_eq!(codes(&log), [""; 0]);
}
