//! Lines of progress.

use std::time::Duration;

use eval_cli::terminal::progress::pace;
use eval_message::{Lang, Message};

#[test]
fn pace_and_the_time_that_is_left_follow_from_what_was_done() {
    let text = |seconds, done, left| {
        let pace = pace(Duration::from_secs(seconds), done, left);
        let parts: Vec<Message> = pace.into_iter().flat_map(|(rate, left)| [Some(rate), left]).flatten().collect();
        parts.iter().map(|part| part.text(Lang::En)).collect::<Vec<_>>().join(", ")
    };
    assert_eq!(text(4, 3, 30), "", "too early to say");
    assert_eq!(text(60, 0, 30), "");
    assert_eq!(text(60, 30, 15), "30 a minute, about 30 s left");
    assert_eq!(text(60, 3, 15), "3.0 a minute, about 5 min left");
    assert_eq!(text(600, 10, 240), "1.0 a minute, about 4.0 h left");
    assert_eq!(text(60, 30, 0), "30 a minute");
}
