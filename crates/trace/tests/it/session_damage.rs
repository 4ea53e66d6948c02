//! Session files that are damaged, odd or too large: what is whole still counts, and nothing panics.

use eval_trace::sessions::{LineKind, SESSION_FORMATS};
use serde_json::{Value, json};

use crate::session_files::{files, format_of, read};

/// The damage costs the line and what only it has: everything else is as in the file without the line.
#[test]
fn a_damaged_line_costs_nothing_but_itself() {
    let mut damaged = 0;
    for (name, bytes) in files() {
        let format = format_of(&name, &bytes).unwrap();
        let text = String::from_utf8(bytes).unwrap();
        let lines: Vec<&str> = text.lines().collect();
        let is_by_line = |line: &&str| serde_json::from_str::<Value>(line).is_ok_and(|value| value.is_object());
        if lines.iter().filter(|line| is_by_line(line)).count() < 2
            || format.name == "markdown"
            || format.name == "specstory"
        {
            continue;
        }
        for place in (0..lines.len()).filter(|&place| is_by_line(&lines[place])) {
            let half = &lines[place]
                [..(0..=lines[place].len() / 2).rev().find(|&end| lines[place].is_char_boundary(end)).unwrap()];
            let with = |line: &[&str]| [&lines[..place], line, &lines[place + 1..]].concat().join("\n");
            let torn = match place % 4 {
                0 => half.to_owned(),
                1 => lines[place][1..].to_owned(),
                2 => format!("{half}\0"),
                _ => lines[place].replacen(':', "\u{fffd}", 1),
            };
            let (found, without) = (read(format, with(&[&torn]).as_bytes()), read(format, with(&[]).as_bytes()));
            assert_eq!(found.events, without.events, "{name}, line {place}: {torn}");
            // Torn lines side by side may be one.
            let least = without.unreadable.max(1);
            assert!(
                found.unreadable >= least && found.unreadable <= without.unreadable + 1,
                "{name}, line {place}: {torn}"
            );
            damaged += 1;
        }
    }
    assert!(damaged > 400, "{damaged}");
}

#[test]
fn any_prefix_and_any_changed_byte_is_read_without_a_panic() {
    let mut state = 0x2545_f491_4f6c_dd1d_u64;
    let mut random = move |below: usize| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        usize::try_from(state % below as u64).unwrap()
    };
    for (name, bytes) in files() {
        let format = format_of(&name, &bytes).unwrap();
        for _ in 0..8 {
            read(format, &bytes[..random(bytes.len())]);
            let mut changed = bytes.clone();
            for _ in 0..3 {
                let place = random(changed.len());
                changed[place] = u8::try_from(random(256)).unwrap();
            }
            read(format, &changed);
            _ = format_of(&name, &changed);
        }
    }
}

/// Every value in turn as every other type.
#[test]
fn values_of_any_type_are_read_without_a_panic() {
    let others = [
        json!(null),
        json!(true),
        json!(-1),
        json!(1e300),
        json!(""),
        json!("{"),
        json!([]),
        json!([[1]]),
        json!({}),
        json!({"a": {"b": []}}),
    ];
    for (name, bytes) in files() {
        let format = format_of(&name, &bytes).unwrap();
        let text = String::from_utf8(bytes).unwrap();
        let Some(document) = serde_json::from_str::<Value>(&text).ok().or_else(|| {
            let records = text.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
            Some(Value::Array(records.filter(|record| record.to_string().len() < 4000).collect()))
        }) else {
            continue;
        };
        let mut paths = Vec::new();
        pointers(&document, &mut String::new(), &mut paths);
        for (number, path) in paths.iter().enumerate().step_by(1 + paths.len() / 100) {
            let mut changed = document.clone();
            *changed.pointer_mut(path).unwrap() = others[number % others.len()].clone();
            let lines = match &changed {
                Value::Array(records) => records.iter().map(Value::to_string).collect::<Vec<_>>().join("\n"),
                other => other.to_string(),
            };
            read(format, lines.as_bytes());
        }
    }
}

fn pointers(of: &Value, at: &mut String, found: &mut Vec<String>) {
    if !at.is_empty() {
        found.push(at.clone());
    }
    let mut inner = |key: &str, value: &Value| {
        let length = at.len();
        at.push('/');
        at.push_str(&key.replace('~', "~0").replace('/', "~1"));
        pointers(value, at, found);
        at.truncate(length);
    };
    match of {
        Value::Array(all) => all.iter().enumerate().for_each(|(place, value)| inner(&place.to_string(), value)),
        Value::Object(all) => all.iter().for_each(|(key, value)| inner(key, value)),
        _ => {}
    }
}

#[test]
fn marks_of_editors_and_crashes_change_nothing() {
    for (name, bytes) in files() {
        let format = format_of(&name, &bytes).unwrap();
        let text = String::from_utf8(bytes.clone()).unwrap();
        let figures = read(format, &bytes).figures("");
        let marked = format!("\u{feff}{}", text.replace('\n', "\r\n"));
        assert_eq!(format_of(&name, marked.as_bytes()).map(|format| format.name), Some(format.name), "{name}");
        assert_eq!(read(format, marked.as_bytes()).figures(""), figures, "{name} with a mark and CRLF");
        let padded = format!("{text}\0\0\0\0");
        assert_eq!(read(format, padded.as_bytes()).figures(""), figures, "{name} with zeros at its end");
    }
}

#[test]
fn long_lines_and_deep_ones_are_read_without_a_panic() {
    let long = "x".repeat(20 << 20);
    let lines = [
        format!("{{\"type\":\"user\",\"message\":{{\"role\":\"user\",\"content\":\"{long}\"}}}}"),
        "[".repeat(1 << 20),
        "{\"a\":".repeat(1 << 20),
        format!("{}1{}", "{\"type\":".repeat(1 << 16), "}".repeat(1 << 16)),
        long,
    ];
    for format in SESSION_FORMATS {
        for line in &lines {
            let (mut reader, mut events) = ((format.reader)(), Vec::new());
            reader.line(line, &mut events);
            reader.end(&mut events);
        }
        _ = (format.is_one)(&lines[3]);
    }
}

#[test]
fn a_document_above_the_limit_is_unreadable_and_not_kept() {
    let line = format!("  \"{}\",", "x".repeat(1 << 20));
    for name in ["atif", "otel", "swe-agent", "gemini-session"] {
        let format = SESSION_FORMATS.iter().find(|format| format.name == name).unwrap();
        let (mut reader, mut events) = ((format.reader)(), Vec::new());
        reader.line("{\"steps\": [", &mut events);
        (0..260).for_each(|_| _ = reader.line(&line, &mut events));
        reader.line("  \"and an end\"]}", &mut events);
        assert_eq!(reader.end(&mut events), LineKind::Unreadable, "{name}");
        assert_eq!(events, [], "{name}");
    }
}
