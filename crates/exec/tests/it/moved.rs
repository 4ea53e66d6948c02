//! Paths of a directory that has moved.

use std::path::Path;

use eval_exec::internals::moved;
use eval_exec::names_path;

#[test]
fn a_directory_is_named_by_its_whole_path() {
    let from = Path::new("/no/such/project");
    let is = |text: &str, moved_to: &str| assert_eq!(moved(text, from, Path::new("/tmp/c")), moved_to, "{text}");
    is("Read /no/such/project/a.txt, then (/no/such/project).", "Read /tmp/c/a.txt, then (/tmp/c).");
    is("`/no/such/project` and x/no/such/project", "`/tmp/c` and x/no/such/project");
    for other in ["/no/such/project2", "/no/such/project-b/x", "/home/no/such/project", "/no/such/project.old/x"] {
        is(other, other);
        assert!(!names_path(other, from), "{other}");
    }
    assert!(names_path("in /no/such/project", from) && !names_path("/a/b", Path::new("/")));
}
