//! Files that appear whole, and what a killed program leaves.

use std::collections::BTreeSet;
use std::fs::File;
use std::path::Path;
use std::time::{Duration, SystemTime};

use eval_format::{bounded, write_bounded, write_new, write_private, write_whole};
use eval_spec::files::read_regular;
use tempfile::TempDir;

fn aged(path: &Path, minutes: u64) -> File {
    let file = File::create(path).unwrap();
    file.set_modified(SystemTime::now() - Duration::from_secs(60 * minutes)).unwrap();
    file
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
        let old = ["a.json", ".write-abandoned.tmp", ".write-notes.md", "notes.tmp"];
        old.iter().for_each(|name| drop(aged(&at(name), 120)));
        // whose program was killed a moment ago, and whose program writes slowly
        drop(aged(&at(".write-killed.tmp"), 2));
        let slow = aged(&at(".write-slow.tmp"), 2);
        slow.try_lock().unwrap();
        // as after a jump of the clock
        let jumped = aged(&at(".write-jumped.tmp"), 60 * 24 * 365);
        jumped.try_lock().unwrap();
        File::create(at(".write-underway.tmp")).unwrap();
        std::fs::create_dir(at(".write-folder.tmp")).unwrap();
        assert!(write(&at("report.json")));
        let left = std::fs::read_dir(folder.path()).unwrap().map(|of| of.unwrap().file_name().into_string().unwrap());
        let kept = [
            "a.json",
            ".write-notes.md",
            "notes.tmp",
            ".write-underway.tmp",
            ".write-folder.tmp",
            "report.json",
            ".write-slow.tmp",
            ".write-jumped.tmp",
        ];
        assert_eq!(left.collect::<BTreeSet<_>>(), kept.map(str::to_owned).into());
    }
}

#[test]
fn file_at_the_limit_is_read_and_one_above_it_is_not_written() {
    const MOST: u64 = 1 << 20;
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("r.json");
    let write = |bytes: usize| {
        write_bounded(&path, MOST, |to| vec![b' '; bytes].chunks(1000).try_for_each(|part| to.write_all(part)))
    };
    write(1 << 20).unwrap();
    assert_eq!(read_regular(&path, MOST).unwrap().len() as u64, MOST);
    let error = write((1 << 20) + 1).unwrap_err().to_string();
    assert!(error.contains("more than 1 MiB, which no command reads") && error.contains("in parts"), "{error}");
    assert_eq!(read_regular(&path, MOST).unwrap().len() as u64, MOST, "what was there stays");
    let make =
        |bytes: usize| bounded(MOST, |to| vec![b' '; bytes].chunks(1000).try_for_each(|part| to.write_all(part)));
    assert_eq!(make(1 << 20).unwrap().len() as u64, MOST);
    assert!(make((1 << 20) + 1).unwrap_err().to_string().contains("more than 1 MiB"));
}
