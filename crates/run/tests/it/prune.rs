//! Which journals are removed.

use std::path::PathBuf;
use std::time::{Duration, SystemTime};

use eval_run::{JournalLimits, StoredJournal};

#[test]
fn each_limit_alone_and_all_together_choose_the_oldest() {
    let now = SystemTime::UNIX_EPOCH + Duration::from_secs(1_000_000);
    let of = |age: u64, bytes: u64| StoredJournal {
        path: PathBuf::new(),
        id: age.to_string(),
        written: now - Duration::from_secs(age),
        bytes,
    };
    let all = [of(1, 10), of(20, 10), of(30, 100), of(40, 1)];
    let chosen = |limits: JournalLimits| limits.excess(&all, now).iter().map(|of| of.id.clone()).collect::<Vec<_>>();
    let none = JournalLimits::default();
    assert_eq!(chosen(none), [""; 0]);
    assert_eq!(chosen(JournalLimits { age: Some(Duration::from_secs(30)), ..none }), ["40"]);
    assert_eq!(chosen(JournalLimits { count: Some(1), ..none }), ["20", "30", "40"]);
    assert_eq!(chosen(JournalLimits { bytes: Some(20), ..none }), ["30", "40"]);
    assert_eq!(chosen(JournalLimits { age: Some(Duration::from_secs(25)), count: Some(9), bytes: None }), ["30", "40"]);
}
