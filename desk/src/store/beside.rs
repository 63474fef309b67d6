//! The side files of a store, with the errors of what is kept.

use super::Turn;
use scrutineer_engine::files::{FileError, MemoryFiles, SideFile, SideFiles};
use scrutineer_replay::kept::KeptError;
use scrutineer_store::FolderFiles;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The side files of a store.
#[derive(Clone)]
pub struct Beside {
    /// The files.
    pub files: Arc<dyn SideFiles>,
    /// The store's folder, or the node folder of a database: who writes there takes turns.
    folder: Option<PathBuf>,
}

impl Beside {
    /// Those of the store in a folder.
    pub fn in_store(store: &Path) -> Beside {
        Beside::among(FolderFiles::of(store), store)
    }

    /// These files, which are those of the store in this folder.
    pub fn among(files: FolderFiles, store: &Path) -> Beside {
        Beside { files: Arc::new(files), folder: Some(store.to_path_buf()) }
    }

    /// Those of a database, of which this machine keeps what is its own in this folder.
    #[cfg(feature = "postgres")]
    pub fn of_database(files: Arc<dyn SideFiles>, node: &Path) -> Beside {
        Beside { files, folder: Some(node.to_path_buf()) }
    }

    /// Files in memory.
    pub fn in_memory() -> Beside {
        Beside { files: Arc::new(MemoryFiles::new()), folder: None }
    }

    /// The folder of who takes turns; none: nobody does.
    #[cfg(feature = "postgres")]
    pub fn folder(&self) -> Option<&Path> {
        self.folder.as_deref()
    }

    /// Waits until nobody else writes beside the log.
    pub fn turn(&self) -> Result<Turn, KeptError> {
        self.folder.as_deref().map_or_else(|| Ok(Turn::alone()), Turn::at)
    }

    /// The bytes of a file; none where there is no such file.
    pub fn get(&self, file: SideFile, most: u64) -> Result<Vec<u8>, KeptError> {
        let bytes = self.files.get(file, most).map_err(self.failed("read", file))?;
        Ok(bytes.unwrap_or_default())
    }

    /// What is told of a file of which something failed.
    pub fn failed(
        &self,
        action: &'static str,
        file: SideFile,
    ) -> impl FnOnce(FileError) -> KeptError + use<> {
        let file = self.files.called(file);
        move |error| KeptError::of_file(action, file, error)
    }
}
