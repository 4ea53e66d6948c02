//! `--dry-run` leaves no trace.

use crate::cli::{AGENT, eval, project};
use crate::fixtures::context::tree;

#[test]
fn dry_run_writes_nothing() {
    let context = project(4);
    let quiet = |flags: &[&str]| {
        let before = tree(context.root());
        let commands: [&[&str]; 3] = [&["eval"], &["bench", "run"], &["bench", "ci"]];
        for command in commands {
            let run =
                context.run(&[command, &["--variants", "v1,v2", "--dry-run"], &AGENT[..], flags].concat()).expect(0);
            assert!(run.stdout.contains("8 calls"), "{run:?}");
        }
        assert!(tree(context.root()) == before, "{flags:?} changed something");
    };
    quiet(&[]);
    quiet(&["--record", "rec", "--output-dir", "out"]);
    assert!(!context.home().exists());
    // Now the home has a journal, a cache and reports.
    eval(&context, &["--report-only"]).expect(0);
    quiet(&[]);
}
