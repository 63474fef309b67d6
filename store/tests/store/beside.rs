//! What stands beside the journal goes along into a copy, and into a copy that is made again.

use std::fs;
use std::path::Path;
use std::time::SystemTime;

use scrutineer_store::backup;

use crate::kit::{Folder, filled};

fn changed(file: &Path) -> SystemTime {
    fs::metadata(file).unwrap().modified().unwrap()
}

#[test]
fn a_copy_has_what_stands_beside_the_journal() {
    let (folder, _) = filled(5);
    fs::write(folder.0.join("hall.toml"), "tables = 40\n").unwrap();
    fs::create_dir_all(folder.0.join("tables/deeper")).unwrap();
    fs::write(folder.0.join("tables/1.txt"), "one").unwrap();
    fs::write(folder.0.join("tables/2.txt"), "two").unwrap();
    let copy = Folder::new();
    let names = ["hall.toml", "tables", "nothing of that name"];
    backup(&folder.0, &copy.0, &names).unwrap();
    for name in ["hall.toml", "tables/1.txt", "tables/2.txt"] {
        let read = |folder: &Folder| fs::read(folder.0.join(name)).unwrap();
        assert_eq!(read(&copy), read(&folder), "{name}");
    }
    assert!(!copy.0.join("tables/deeper").exists(), "a folder in a folder is none of ours");

    // Of a folder the files that have grown are copied again; a file is copied where it differs.
    fs::write(folder.0.join("hall.toml"), "tables = 41\n").unwrap();
    fs::write(folder.0.join("tables/1.txt"), "one, and more").unwrap();
    fs::write(folder.0.join("tables/2.txt"), "TWO").unwrap();
    let same = changed(&copy.0.join("tables/2.txt"));
    backup(&folder.0, &copy.0, &names).unwrap();
    let read = |name: &str| fs::read_to_string(copy.0.join(name)).unwrap();
    assert_eq!(read("hall.toml"), "tables = 41\n");
    assert_eq!(read("tables/1.txt"), "one, and more");
    assert_eq!((&read("tables/2.txt")[..], changed(&copy.0.join("tables/2.txt"))), ("two", same));
    let same = changed(&copy.0.join("hall.toml"));
    backup(&folder.0, &copy.0, &names).unwrap();
    assert_eq!(changed(&copy.0.join("hall.toml")), same, "it was there already");

    let large = fs::File::create(folder.0.join("hall.toml")).unwrap();
    large.set_len(64 * 1024 * 1024).unwrap();
    backup(&folder.0, &copy.0, &names).unwrap();
    assert_eq!(fs::metadata(copy.0.join("hall.toml")).unwrap().len(), 64 * 1024 * 1024);
    large.set_len(64 * 1024 * 1024 + 1).unwrap();
    let refused = backup(&folder.0, &copy.0, &names).unwrap_err();
    assert!(refused.to_string().contains("longer than anything"), "{refused}");
}
