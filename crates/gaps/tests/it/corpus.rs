//! How often signals are right: on cases that were labelled without sight of the detectors. `held-out` cases are never read to
//! mend a detector.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use eval_gaps::{AssistantTurn, Conversation, GapSignal, SIGNALS};
use eval_spec::call::{ToolCall, ToolOutput, ToolStatus};
use eval_spec::gap::SignalKind;
use serde::Deserialize;
use serde_json::Value;

#[derive(Deserialize)]
struct CorpusCase {
    id: String,
    part: String,
    language: String,
    signal: SignalKind,
    /// The development set it comes from, where its file names one: `b` of `hedging_b.jsonl`.
    #[serde(skip)]
    set: Option<String>,
    turns: Vec<CorpusTurn>,
    expected: Vec<ExpectedSignal>,
}

#[derive(Deserialize)]
struct CorpusTurn {
    user: Option<String>,
    assistant: Option<String>,
    #[serde(default)]
    calls: Vec<CorpusCall>,
}

#[derive(Deserialize)]
struct CorpusCall {
    id: String,
    tool: String,
    input: Value,
    output: Option<String>,
    status: Option<String>,
    #[serde(rename = "exitCode")]
    exit_code: Option<i64>,
}

#[derive(Deserialize)]
struct ExpectedSignal {
    turn: u32,
    #[serde(default)]
    calls: Vec<String>,
    text: Option<String>,
}

/// Precision and recall on the held-out cases that the guide publishes, and that no change may fall below.
const FLOORS: [(SignalKind, f64, f64); 4] = [
    (SignalKind::FailedSearch, 0.98, 0.99),
    (SignalKind::RepeatedFailure, 1.0, 1.0),
    (SignalKind::ExplicitMarker, 1.0, 1.0),
    (SignalKind::Hedging, 0.82, 0.89),
];

#[derive(Default, Clone, Copy)]
struct Counts {
    right: usize,
    wrong: usize,
    missed: usize,
}

impl Counts {
    fn precision(self) -> f64 {
        ratio(self.right, self.right + self.wrong)
    }

    fn recall(self) -> f64 {
        ratio(self.right, self.right + self.missed)
    }
}

#[expect(clippy::cast_precision_loss, reason = "a few hundred cases")]
fn ratio(part: usize, of: usize) -> f64 {
    part as f64 / of.max(1) as f64
}

fn cases() -> Vec<CorpusCase> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/corpus");
    let files = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let files = files.filter(|path| path.extension().is_some_and(|extension| extension == "jsonl"));
    files.flat_map(|path| cases_of(&path)).collect()
}

fn cases_of(path: &Path) -> Vec<CorpusCase> {
    let name = path.file_stem().unwrap().to_str().unwrap();
    let set = name.rsplit_once('_').map(|(_, end)| end.to_owned()).filter(|end| end.len() == 1);
    let case = |line: &str| CorpusCase { set: set.clone(), ..serde_json::from_str(line).unwrap() };
    fs::read_to_string(path).unwrap().lines().map(case).collect()
}

fn conversation(case: &CorpusCase) -> Conversation {
    let mut conversation = Conversation::default();
    for turn in &case.turns {
        conversation.prompts.extend(turn.user.clone());
        if turn.assistant.is_some() || !turn.calls.is_empty() {
            conversation.turns.push(AssistantTurn {
                number: u32::try_from(conversation.turns.len()).unwrap() + 1,
                thread: None,
                text: turn.assistant.clone().unwrap_or_default(),
                calls: turn.calls.iter().map(call).collect(),
                ..AssistantTurn::default()
            });
        }
    }
    conversation
}

fn call(of: &CorpusCall) -> ToolCall {
    let status = match of.status.as_deref() {
        Some("success") => Some(ToolStatus::Ok),
        Some("failed" | "unavailable") => Some(ToolStatus::Failed),
        Some("cancelled") => Some(ToolStatus::NotRun),
        _ => None,
    };
    let output = of.output.clone().map(|text| ToolOutput {
        text,
        is_error: status == Some(ToolStatus::Failed),
        note: None,
        exit_code: of.exit_code,
    });
    ToolCall {
        id: of.id.clone(),
        name: of.tool.clone(),
        input: of.input.clone(),
        output,
        status,
        ..ToolCall::default()
    }
}

fn is_same(found: &GapSignal, expected: &ExpectedSignal) -> bool {
    let same = |text: &str| text.split_whitespace().collect::<String>().replace('\u{2019}', "'").replace('`', "");
    match &expected.text {
        Some(text) => {
            let (text, subject) = (same(text), same(&found.subject));
            found.turn == expected.turn && (text.contains(&subject) || subject.contains(&text))
        }
        None => found.calls.iter().any(|call| expected.calls.contains(call)),
    }
}

fn count(case: &CorpusCase) -> Counts {
    let detector = SIGNALS.iter().find(|detector| detector.kind == case.signal).unwrap();
    let found = (detector.detect)(&conversation(case));
    let mut open: Vec<&ExpectedSignal> = case.expected.iter().collect();
    let mut counts = Counts::default();
    for signal in &found {
        match open.iter().position(|expected| is_same(signal, expected)) {
            Some(at) => {
                open.remove(at);
                counts.right += 1;
            }
            None => counts.wrong += 1,
        }
    }
    counts.missed = open.len();
    if case.part == "dev"
        && (counts.wrong > 0 || counts.missed > 0)
        && std::env::var_os("OMK_TEST_GAPS_VERBOSE").is_some()
    {
        println!("{}: found {:?}", case.id, found.iter().map(|s| (s.turn, &s.calls, &s.subject)).collect::<Vec<_>>());
    }
    counts
}

#[test]
fn signals_are_right_as_often_as_published() {
    let mut table: BTreeMap<(String, SignalKind, String), Counts> = BTreeMap::new();
    for case in cases() {
        let counts = count(&case);
        let part = [Some(case.part.clone()), case.set.clone()].into_iter().flatten().collect::<Vec<_>>().join(" ");
        for language in [case.language.clone(), "all".to_owned()] {
            let row = table.entry((part.clone(), case.signal, language)).or_default();
            row.right += counts.right;
            row.wrong += counts.wrong;
            row.missed += counts.missed;
        }
    }
    for ((part, kind, language), counts) in &table {
        let Counts { right, wrong, missed } = counts;
        let (precision, recall) = (counts.precision(), counts.recall());
        println!(
            "{part:8} {kind:?} {language}: precision {precision:.3}, recall {recall:.3} ({right} right, {wrong} wrong, {missed} missed)"
        );
    }
    for (kind, least_precision, least_recall) in FLOORS {
        let counts = table[&("held-out".to_owned(), kind, "all".to_owned())];
        let (precision, recall) = (counts.precision(), counts.recall());
        assert!(precision >= least_precision && recall >= least_recall, "{kind:?}: {precision} {recall}");
    }
}
