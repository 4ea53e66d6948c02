//! The table of formats, and what is common to all of them.

use std::collections::BTreeSet;

use eval_trace::{AgentExit, FORMATS, SkippedRecords};

#[test]
fn every_format_has_a_name_of_its_own_and_a_source() {
    let names: BTreeSet<&str> = FORMATS.iter().map(|format| format.name).collect();
    assert_eq!(names.len(), FORMATS.len());
    assert!(FORMATS.iter().all(|format| !format.source.is_empty()));
}

#[test]
fn unknown_records_and_torn_lines_are_counted() {
    for format in FORMATS {
        let mut reader = format.reader();
        reader.push(b"{\"type\":\"of-a-later-version\"}\n[7,null]\nnot json\n");
        assert_eq!(reader.skipped(), SkippedRecords { unreadable: 1, unknown: 3 }, "{}", format.name);
        assert!(reader.transcript().trace().is_empty() && reader.transcript().setup().is_none());
        reader.push(b"{\"type\":\"result\",\"sub");
        let error = reader.finish(&AgentExit { code: Some(0), stderr: "" }).unwrap_err();
        assert_eq!(error.failure, eval_spec::Failure::Crashed, "{}", format.name);
    }
}

#[test]
fn an_empty_stream_has_no_partial_output() {
    for format in FORMATS {
        assert_eq!(format.reader().partial(), None, "{}", format.name);
    }
}
