//! The bytes of a stream as lines and records.

use eval_spec::call::Step;
use eval_trace::claude::STREAM_JSON;
use eval_trace::{SkippedRecords, TranscriptReader};

/// Returns a line in which the assistant says `text`, which is written as inside a string of JSON.
fn line(text: &str) -> String {
    format!(r#"{{"type":"assistant","message":{{"content":[{{"type":"text","text":"{text}"}}]}}}}"#)
}

/// Returns the texts of the assistant after the last line.
fn texts(reader: TranscriptReader) -> Vec<String> {
    let steps = reader.partial().map(|output| output.trace.steps).unwrap_or_default();
    let texts = steps.into_iter().filter_map(|step| match step {
        Step::Text { text } => Some(text),
        _ => None,
    });
    texts.collect()
}

#[test]
fn a_character_cut_by_a_chunk_border_survives() {
    let stream = format!("{}\n{}", line("审查"), line("基线"));
    for border in 0..=stream.len() {
        let mut reader = STREAM_JSON.reader();
        reader.push(&stream.as_bytes()[..border]);
        reader.push(&stream.as_bytes()[border..]);
        assert_eq!(texts(reader), ["审查", "基线"], "cut at byte {border}");
    }
}

#[test]
fn a_line_above_the_limit_is_cut_and_unreadable() {
    let piece = "x".repeat(1 << 20);
    for (pieces, unreadable) in [(15, 0), (40, 1)] {
        let whole = line(&piece.repeat(pieces));
        let mut reader = STREAM_JSON.reader();
        whole.as_bytes().chunks(1 << 20).for_each(|bytes| reader.push(bytes));
        reader.push(b"\n");
        assert_eq!(reader.skipped(), SkippedRecords { unreadable, unknown: 0 }, "{pieces} MiB");
    }
}

#[test]
fn halves_of_characters_cost_no_line() {
    let read = |line: &str| {
        let mut reader = STREAM_JSON.reader();
        reader.push(format!("{line}\n").as_bytes());
        let unreadable = reader.skipped().unreadable;
        (texts(reader).pop(), unreadable)
    };
    for (written, text) in [
        (r"cut \ud83d", "cut \u{fffd}"),
        (r"\ude00 \ud83d\ude00 \\ud83d \n", "\u{fffd} \u{1f600} \\ud83d \n"),
        (r"\ud83d\ud83d\ude00", "\u{fffd}\u{1f600}"),
    ] {
        assert_eq!(read(&line(written)), (Some(text.to_owned()), 0), "{written}");
    }
    for torn in [r#"{"a": "\ud83d"#, r#"{"a": "\"#] {
        assert_eq!(read(torn), (None, 1), "{torn}");
    }
}
