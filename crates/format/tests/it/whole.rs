//! Files that appear whole, and what a killed program leaves.

use std::collections::BTreeSet;
use std::fs::File;
use std::path::Path;
use std::time::{Duration, SystemTime};

use eval_format::{write_new, write_private, write_whole};
use tempfile::TempDir;

fn old(path: &Path) {
    let file = File::create(path).unwrap();
    file.set_modified(SystemTime::now() - Duration::from_secs(2 * 60 * 60)).unwrap();
}

#[test]
fn what_a_killed_program_left_goes_with_the_next_write() {
    type Write = fn(&Path) -> bool;
    let writes: [Write; 3] = [
        |path| write_whole(path, |to| to.write_all(b"{}")).is_ok(),
        |path| write_new(path, |to| to.write_all(b"{}")).unwrap(),
        |path| write_private(path, b"{}").is_ok(),
    ];
    for write in writes {
        let folder = TempDir::new().unwrap();
        let at = |name: &str| folder.path().join(name);
        ["a.json", ".write-abandoned.tmp", ".write-notes.md", "notes.tmp"].iter().for_each(|name| old(&at(name)));
        File::create(at(".write-underway.tmp")).unwrap();
        std::fs::create_dir(at(".write-folder.tmp")).unwrap();
        assert!(write(&at("report.json")));
        let left = std::fs::read_dir(folder.path()).unwrap().map(|of| of.unwrap().file_name().into_string().unwrap());
        let kept =
            ["a.json", ".write-notes.md", "notes.tmp", ".write-underway.tmp", ".write-folder.tmp", "report.json"];
        assert_eq!(left.collect::<BTreeSet<_>>(), kept.map(str::to_owned).into());
    }
}
