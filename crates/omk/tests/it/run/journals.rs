//! `omk journal prune`.

use std::fs::{File, FileTimes};
use std::time::{Duration, SystemTime};

use testkit::files;

use super::{says_better, with_agent};
use crate::fixtures::context::TestContext;

const DAY: Duration = Duration::from_secs(86_400);

#[test]
fn old_journals_are_removed_and_no_other() {
    let context = TestContext::with_agent();
    context.samples(1, &says_better());
    for _ in 0..3 {
        context.run(&with_agent(&["--report-only", "--no-cache"])).expect(0);
    }
    let folder = context.home().join("journal");
    let age = |nth: usize, days: u32| {
        let file = File::options().write(true).open(&files(&folder)[nth]).unwrap();
        file.set_times(FileTimes::new().set_modified(SystemTime::now() - DAY * days)).unwrap();
    };
    age(0, 40);
    age(1, 20);
    std::fs::write(folder.join("notes.txt"), "mine").unwrap();
    let plan = context.run(&["journal", "prune", "--dry-run"]).expect(0).stdout;
    assert!(plan.contains("1 of 3 journals would be removed"), "{plan}");
    assert_eq!(files(&folder).len(), 4);

    let oldest = files(&folder)[0].clone();
    // A run that writes has the file locked.
    let writing = File::open(&oldest).unwrap();
    writing.lock().unwrap();
    let kept = context.run(&["journal", "prune"]).expect(0);
    assert!(kept.stderr.contains("it stays") && kept.stdout.contains("0 of 3 journals removed"), "{kept:#?}");
    drop(writing);
    context.run(&["journal", "prune"]).expect(0);
    assert!(!oldest.exists() && files(&folder).len() == 3);

    let json = context.run(&["journal", "prune", "--keep", "1", "--json"]).expect(0).json();
    assert_eq!((json["removed"].as_array().unwrap().len(), &json["kept"]), (1, &serde_json::json!(1)));
    // The run that is left goes on, and reports stay.
    context.run(&["eval", "--resume", "latest", "--report-only"]).expect(0);
    assert_eq!(files(&context.home().join("reports")).len(), 3);
    context.run(&["journal", "prune", "--max-size", "0"]).expect(0);
    assert_eq!(files(&folder).len(), 1, "the file that is no journal stays");
}
