//! JUnit XML of test runners: tests pass or fail; properties may hold scores.

use std::collections::{BTreeMap, BTreeSet};
use std::io::BufRead;
use std::sync::Arc;

use eval_format::UnknownFact;
use eval_message::{Message, msg};
use quick_xml::events::{BytesStart, Event};
use quick_xml::{Reader, XmlVersion};

use crate::error::ResultsError;
use crate::format::{ReadOptions, ResultFormat};
use crate::row::{ForeignRow, PlaceUnit, ReadResults, RowEnd, RowScore, ScoreDirections, milliseconds};
use crate::source::{ResultSource, RowSink};

pub(super) const FORMAT: ResultFormat = ResultFormat { name: "junit", tool: None, files: "*.xml", detect, read };

/// Length at which the text of a failure is cut, in bytes.
const MAX_TEXT: usize = 32 << 10;
/// Properties that hold the answer.
const ANSWERS: [&str; 4] = ["answer", "output", "reply", "response"];
/// Name of the dimension whose values are test suites.
const SUITE: &str = "suite";
/// Values of `status` for tests that did not run.
const NOT_RUN: [&str; 3] = ["notrun", "disabled", "skipped"];
/// Prefix of the message in pytest's second entry for a test whose teardown failed.
const TEARDOWN: &str = "failed on teardown";

fn detect(source: &ResultSource) -> bool {
    let head = source.head_text();
    head.trim_start().starts_with('<') && (head.contains("<testsuite") || head.contains("<testcase"))
}

fn read(
    format: &'static ResultFormat,
    source: &ResultSource,
    options: &ReadOptions,
) -> Result<ReadResults, ResultsError> {
    let by_suite = options.by.as_deref() == Some(SUITE);
    let mut rows: Vec<ForeignRow> = Vec::new();
    let mut skipped = 0_u64;
    cases(source, &mut |case| {
        if case.is_skipped && case.error.is_none() {
            skipped += 1;
            return;
        }
        let row = case.row(by_suite);
        match (&row.end, rows.last_mut()) {
            (RowEnd::Failed(why), Some(last))
                if why.starts_with(TEARDOWN) && last.id == row.id && last.arm == row.arm =>
            {
                last.end = row.end;
            }
            _ => rows.push(row),
        }
    })?;
    let notes: Vec<Message> =
        (skipped > 0).then(|| msg!("results-skipped", file = &source.shown, count = skipped)).into_iter().collect();
    let mut sink = RowSink::new(source);
    rows.into_iter().try_for_each(|row| sink.push(row))?;
    Ok(ReadResults {
        format,
        file: source.shown.clone(),
        sha256: source.sha256()?,
        tool_version: None,
        unit: PlaceUnit::Record("testcase"),
        rows: sink.rows(),
        overall: Some("pass".into()),
        directions: ScoreDirections::default(),
        unknown: vec![
            UnknownFact::Grader,
            UnknownFact::Models,
            UnknownFact::Order,
            UnknownFact::Seed,
            UnknownFact::Prompts,
            UnknownFact::Cost,
        ],
        notes,
    })
}

/// A `testcase` element.
#[derive(Default)]
struct JunitCase {
    number: u64,
    suite: String,
    class: String,
    name: String,
    seconds: Option<f64>,
    failure: Option<String>,
    error: Option<String>,
    is_skipped: bool,
    properties: Vec<(String, String)>,
}

impl JunitCase {
    fn row(self, by_suite: bool) -> ForeignRow {
        // some runners write the suite as the class, too
        let class = if by_suite && self.class == self.suite { "" } else { self.class.as_str() };
        let id = if class.is_empty() { self.name.clone() } else { format!("{class}::{}", self.name) };
        let passed = RowScore::passed("pass", self.failure.is_none());
        let numbers = self.properties.iter().filter_map(|(name, value)| {
            let number = value.trim().parse().ok().filter(|number: &f64| number.is_finite())?;
            (name != "pass").then(|| RowScore::number(name, number))
        });
        let scores = std::iter::once(passed).chain(numbers).collect();
        let answer = self.properties.iter().find(|(name, _)| ANSWERS.contains(&name.as_str()));
        ForeignRow {
            position: self.number,
            id: Some(id.into()),
            suite: (!by_suite).then(|| self.suite.as_str().into()),
            arm: by_suite.then(|| (SUITE.into(), self.suite.as_str().into())).into_iter().collect(),
            answer: answer.map(|(_, value)| value.clone()),
            end: self.error.map_or(RowEnd::Graded, RowEnd::Failed),
            scores,
            reason: self.failure,
            latency_ms: self.seconds.and_then(milliseconds),
            ..ForeignRow::default()
        }
    }
}

/// Calls `each` with every test case. The suites' own counts are ignored: they are often wrong.
fn cases(source: &ResultSource, each: &mut dyn FnMut(JunitCase)) -> Result<(), ResultsError> {
    let mut reader = Reader::from_reader(source.reader()?);
    let mut buffer = Vec::new();
    let mut suites: Vec<String> = Vec::new();
    let (mut case, mut number): (Option<JunitCase>, u64) = (None, 0);
    let mut begin = |element: &BytesStart<'_>, suites: &[String]| -> Result<JunitCase, String> {
        number += 1;
        let [class, name, time, status] = attributes(element, ["classname", "name", "time", "status"])?;
        Ok(JunitCase {
            number,
            suite: suites.last().cloned().unwrap_or_default(),
            class: class.unwrap_or_default(),
            name: name.unwrap_or_default(),
            seconds: time.and_then(|time| time.parse().ok()),
            is_skipped: status.is_some_and(|status| NOT_RUN.contains(&status.to_lowercase().as_str())),
            ..JunitCase::default()
        })
    };
    // inside `error`: true; inside `failure`: false
    let mut in_error: Option<bool> = None;
    let mut depth = 0_u64;
    loop {
        buffer.clear();
        let failed = |why: String, offset: u64| Err(bad_xml(source, offset, &why));
        let offset = reader.buffer_position();
        let event = match reader.read_event_into(&mut buffer) {
            Ok(event) => event,
            Err(error) => return failed(error.to_string(), reader.error_position()),
        };
        match &event {
            Event::Start(_) => depth += 1,
            Event::End(_) => depth = depth.saturating_sub(1),
            _ => {}
        }
        let outcome = match &event {
            Event::Eof => break,
            Event::Start(element) => match element.local_name().as_ref() {
                b"testsuite" => attributes(element, ["name"]).map(|[name]| suites.push(name.unwrap_or_default())),
                b"testcase" => begin(element, &suites).map(|begun| case = Some(begun)),
                name => read_child(name, element, case.as_mut()).map(|is_error| in_error = is_error),
            },
            Event::Empty(element) => match element.local_name().as_ref() {
                b"testcase" => begin(element, &suites).map(&mut *each),
                name => read_child(name, element, case.as_mut()).map(drop),
            },
            Event::End(element) => {
                match element.local_name().as_ref() {
                    b"testsuite" => drop(suites.pop()),
                    b"testcase" => case.take().into_iter().for_each(&mut *each),
                    b"failure" | b"error" => in_error = None,
                    _ => {}
                }
                Ok(())
            }
            Event::Text(part) => {
                part.decode().map_err(|error| error.to_string()).map(|text| set_text(case.as_mut(), in_error, &text))
            }
            Event::CData(part) => {
                part.decode().map_err(|error| error.to_string()).map(|text| set_text(case.as_mut(), in_error, &text))
            }
            _ => Ok(()),
        };
        if let Err(why) = outcome {
            return failed(why, offset);
        }
    }
    match depth {
        0 => Ok(()),
        _ => Err(bad_xml(source, reader.buffer_position(), "the file ends inside of an element")),
    }
}

/// Reads an element inside a case. If its text is needed, returns whether it is an error's; else `None`.
fn read_child(name: &[u8], element: &BytesStart<'_>, case: Option<&mut JunitCase>) -> Result<Option<bool>, String> {
    let Some(case) = case else { return Ok(None) };
    match name {
        b"failure" | b"error" => {
            let [message] = attributes(element, ["message"])?;
            let is_error = name == b"error";
            let reason = if is_error { &mut case.error } else { &mut case.failure };
            *reason = Some(message.unwrap_or_default());
            Ok(Some(is_error))
        }
        b"skipped" => {
            case.is_skipped = true;
            Ok(None)
        }
        b"property" => {
            let [name, value] = attributes(element, ["name", "value"])?;
            if let (Some(name), Some(value)) = (name, value)
                && case.properties.len() < 200
            {
                case.properties.push((name, value));
            }
            Ok(None)
        }
        _ => Ok(None),
    }
}

fn set_text(case: Option<&mut JunitCase>, in_error: Option<bool>, text: &str) {
    let (Some(case), Some(is_error)) = (case, in_error) else { return };
    let reason = if is_error { &mut case.error } else { &mut case.failure };
    if let Some(text_so_far) = reason
        && text_so_far.is_empty()
        && !text.trim().is_empty()
    {
        let end = text.floor_char_boundary(MAX_TEXT.min(text.len()));
        text_so_far.push_str(text[..end].trim());
    }
}

fn attributes<const N: usize>(element: &BytesStart<'_>, names: [&str; N]) -> Result<[Option<String>; N], String> {
    let mut values = [const { None }; N];
    for attribute in element.attributes() {
        let attribute = attribute.map_err(|error| error.to_string())?;
        let Some(index) = names.iter().position(|name| name.as_bytes() == attribute.key.as_ref()) else { continue };
        let value = attribute.normalized_value(XmlVersion::Implicit1_0).map_err(|error| error.to_string())?;
        values[index] = Some(value.into_owned());
    }
    Ok(values)
}

fn bad_xml(source: &ResultSource, offset: u64, why: &str) -> ResultsError {
    let place = format!("{}:{}", source.shown, line_of(source, offset));
    ResultsError::new(msg!("results-bad-xml", place = place, why = why)).help(msg!("results-bad-xml-help"))
}

/// Returns the line of the byte at `offset`.
fn line_of(source: &ResultSource, offset: u64) -> u64 {
    let Ok(mut reader) = source.reader() else { return 1 };
    let (mut line, mut left) = (1, offset);
    while let Ok(bytes) = reader.fill_buf() {
        let length = bytes.len().min(usize::try_from(left).unwrap_or(usize::MAX));
        if length == 0 {
            break;
        }
        line += bytes[..length].iter().map(|byte| u64::from(*byte == b'\n')).sum::<u64>();
        reader.consume(length);
        left -= u64::try_from(length).unwrap_or(left);
    }
    line
}

/// Adds the suite to the ids of tests that several suites of a file have: each becomes a case of its own. If all these
/// suites have the same tests, or the files name the suites differently, the tests stay repeats. A note says which.
pub(crate) fn qualify_by_suite(files: &mut [ReadResults]) {
    type Suites = BTreeMap<Arc<str>, BTreeSet<Arc<str>>>;
    let is_junit = |file: &&mut ReadResults| file.format.name == FORMAT.name;
    let by_id = |file: &ReadResults| {
        let mut suites = Suites::new();
        for row in &file.rows {
            if let (Some(id), Some(suite)) = (&row.id, &row.suite) {
                suites.entry(Arc::clone(id)).or_default().insert(Arc::clone(suite));
            }
        }
        suites
    };
    let all: Vec<Suites> = files.iter_mut().filter(is_junit).map(|file| by_id(file)).collect();
    let several = || all.iter().flatten().filter(|(_, suites)| suites.len() > 1);
    let ids: BTreeSet<Arc<str>> = several().map(|(id, _)| Arc::clone(id)).collect();
    if ids.is_empty() {
        return;
    }
    let mut tests: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    let shared: BTreeSet<&str> = several().flat_map(|(_, suites)| suites.iter().map(|suite| &**suite)).collect();
    for (id, suites) in all.iter().flatten() {
        for suite in suites.iter().filter(|suite| shared.contains(&***suite)) {
            tests.entry(suite).or_default().insert(id);
        }
    }
    let mut sets = tests.values();
    let first = sets.next();
    let are_repeats = sets.all(|set| Some(set) == first);
    // a suite's name may contain the time of its run
    let are_in_all_files = |suites: &Suites| {
        ids.iter()
            .filter_map(|id| suites.get(id))
            .flatten()
            .all(|suite| all.iter().all(|other| other.values().any(|names| names.contains(suite))))
    };
    let are_qualified = !are_repeats && all.iter().all(are_in_all_files);
    for file in files.iter_mut().filter(is_junit) {
        let mut count = 0;
        for row in file.rows.iter_mut().filter(|row| row.id.iter().any(|name| ids.contains(name))) {
            count += 1;
            if let (true, Some(id), Some(suite)) = (are_qualified, &row.id, &row.suite) {
                row.id = Some(format!("{suite}::{id}").into());
            }
        }
        file.notes.extend((count > 0).then(|| match are_qualified {
            true => msg!("results-suites-named", file = &file.file, count = count),
            false => msg!("results-suites-repeat", file = &file.file, count = count),
        }));
    }
}

/// Reads tests that differ only in a final number (`test[case-0]`, `test[1-3]`) as trials of one case, if at least half of
/// the numbered tests have all numbers and none has others. As separate tests they would count one case several times. All
/// files decide together: an arm that ran once, or lost a trial, has the same cases as the others.
pub(crate) fn merge_numbered_tests(files: &mut [ReadResults]) {
    let is_junit = |file: &&mut ReadResults| file.format.name == FORMAT.name;
    for split in [last_number, number_of_count] {
        let mut trials: BTreeMap<String, BTreeSet<u32>> = BTreeMap::new();
        let rows = files.iter_mut().filter(is_junit).flat_map(|file| &file.rows);
        for (base, number) in rows.filter_map(|row| split(row.id.as_deref()?)) {
            trials.entry(base).or_default().insert(number);
        }
        let Some(all) = trials.values().max_by_key(|numbers| numbers.len()) else { continue };
        let complete = trials.values().filter(|numbers| *numbers == all).count();
        let are_subsets = trials.values().all(|numbers| numbers.is_subset(all));
        if all.len() < 2 || !are_subsets || complete * 2 < trials.len() {
            continue;
        }
        for file in files.iter_mut().filter(is_junit) {
            let mut seen = BTreeSet::new();
            for row in &mut file.rows {
                if let Some((base, number)) = row.id.as_deref().and_then(split) {
                    // the same number again is a repeat without a number
                    let is_first = seen.insert((row.arm.clone(), base.clone(), number));
                    row.id = Some(base.into());
                    row.trial = is_first.then(|| Arc::from(number.to_string()));
                }
            }
            file.notes.extend((!seen.is_empty()).then(|| msg!("results-numbered", file = &file.file)));
        }
        return;
    }
}

/// Splits `test[case-2]` into `test[case]` and 2.
fn last_number(id: &str) -> Option<(String, u32)> {
    let (base, number) = id.strip_suffix(']')?.rsplit_once('-')?;
    Some((format!("{base}]"), number.parse().ok()?))
}

/// Splits `test[2-3]`, the second of three, into `test` and 2.
fn number_of_count(id: &str) -> Option<(String, u32)> {
    let (rest, total) = id.strip_suffix(']')?.rsplit_once('-')?;
    let end = rest.rfind(['[', '-'])?;
    let (number, count): (u32, u32) = (rest[end + 1..].parse().ok()?, total.parse().ok()?);
    let base = if rest[end..].starts_with('[') { rest[..end].to_owned() } else { format!("{}]", &rest[..end]) };
    (1..=count).contains(&number).then_some((base, number))
}
