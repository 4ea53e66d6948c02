//! Files that are no files, or too large.
use std::fs::File;

use eval_spec::files::{LARGEST_REPORT, read_regular, read_regular_text};
use tempfile::TempDir;

#[test]
fn a_file_above_the_limit_is_refused_before_it_is_read() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("sparse.json");
    File::create(&path).unwrap().set_len(LARGEST_REPORT + 1).unwrap();
    let error = read_regular(&path, LARGEST_REPORT).unwrap_err().to_string();
    assert!(error.contains("2049 MiB") && error.contains("2048 MiB"), "{error}");
}

#[test]
fn a_file_at_the_limit_is_read_and_text_is_utf8() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("text");
    std::fs::write(&path, "text").unwrap();
    assert_eq!(read_regular(&path, 4).unwrap(), b"text");
    assert!(read_regular(&path, 3).is_err());
    std::fs::write(&path, b"\xff").unwrap();
    assert!(read_regular_text(&path, 4).unwrap_err().to_string().contains("UTF-8"));
}

#[cfg(unix)]
#[test]
fn a_device_is_refused_and_a_directory_gets_the_systems_words() {
    let error = read_regular("/dev/zero".as_ref(), 1 << 20).unwrap_err().to_string();
    assert!(error.contains("not a regular file"), "{error}");
    let error = read_regular("/".as_ref(), 1 << 20).unwrap_err().to_string();
    assert!(error.contains("Is a directory"), "{error}");
}

#[test]
fn a_report_above_the_limit_names_the_limit() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("r.json");
    File::create(&path).unwrap().set_len(LARGEST_REPORT + 1).unwrap();
    let error = eval_format::read(&path).err().unwrap().message().to_string();
    assert!(error.contains("2048 MiB are read"), "{error}");
}
