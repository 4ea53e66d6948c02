//! `omk sample`: drafts of samples, for review.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use eval_cli::{CommandError, Terminal, exit};
use eval_format::{GapGroup, Observation, write_new};
use eval_message::{Message, msg};
use eval_spec::Context;
use eval_spec::hash::sha256_hex;
use serde_json::{Value, json};

use super::observe::stored;
use crate::cli::SampleArgs;

pub(crate) fn run(context: &Context, terminal: &Terminal, arguments: &SampleArgs) -> Result<u8, CommandError> {
    match &arguments.from_traces {
        Some(observation) => from_traces(context, terminal, arguments, observation),
        None => super::probe::run(context, terminal, arguments),
    }
}

/// Drafts samples from what was missing in sessions: what the user asked there is a question that the knowledge base could
/// not answer.
fn from_traces(
    context: &Context,
    terminal: &Terminal,
    arguments: &SampleArgs,
    observation: &str,
) -> Result<u8, CommandError> {
    let observation = stored(context, &arguments.analyses, observation)?;
    let drafts = drafts(&observation, arguments.limit as usize);
    if drafts.is_empty() {
        return Err(CommandError::usage(msg!("sample-nothing"), msg!("sample-nothing-help")));
    }
    let head = msg!("sample-head", count = drafts.len(), id = observation.id.clone()).text(terminal.lang());
    let output = arguments.output.clone().unwrap_or_else(|| PathBuf::from("eval-samples.draft.yaml"));
    written(context, terminal, &output, &head, &drafts)?;
    terminal.say(&msg!("sample-review"));
    Ok(exit::OK)
}

/// Writes drafts into a file that isn't there yet.
pub(super) fn written(
    context: &Context,
    terminal: &Terminal,
    output: &Path,
    head: &str,
    drafts: &[Value],
) -> Result<(), CommandError> {
    let path = context.absolute(output);
    let shown = context.display(&path);
    let text = file(head, drafts);
    let is_new = write_new(&path, |file| file.write_all(text.as_bytes()))
        .map_err(|error| CommandError::io(msg!("cli-cannot-write", path = &shown))(std::io::Error::other(error)))?;
    if !is_new {
        return Err(CommandError::usage(msg!("sample-exists", path = &shown), msg!("sample-exists-help")));
    }
    terminal.json(|| json!({ "file": &shown, "samples": drafts }));
    terminal.say(&msg!("sample-written", count = drafts.len(), path = &shown));
    Ok(())
}

/// One sample for each question, the most wanted thing first. Each gap has one before any has a second one.
fn drafts(of: &Observation, limit: usize) -> Vec<Value> {
    let mut asked = BTreeSet::new();
    let mut all = Vec::new();
    let prompts = |group: &'_ GapGroup| -> Vec<String> {
        let texts = group.evidence.iter().filter_map(|of| of.prompt.clone());
        texts.filter(|text| !text.trim().is_empty()).rev().collect()
    };
    // The latest prompt stands last, so that it is taken first.
    let mut waiting: Vec<(&GapGroup, Vec<String>)> =
        of.inbox.iter().filter(|group| !group.is_closed()).map(|group| (group, prompts(group))).collect();
    while all.len() < limit && waiting.iter().any(|(_, prompts)| !prompts.is_empty()) {
        for (group, prompts) in &mut waiting {
            let next = std::iter::from_fn(|| prompts.pop()).find(|prompt| !asked.contains(prompt));
            if let Some(prompt) = next.filter(|_| all.len() < limit) {
                all.push(draft(group, &prompt));
                asked.insert(prompt);
            }
        }
    }
    all
}

fn draft(group: &GapGroup, prompt: &str) -> Value {
    let rubric: Message = msg!("sample-rubric", subject = group.subject.clone());
    let mut sample = json!({
        "sample_id": format!("trace-{}", &sha256_hex(prompt.as_bytes())[..8]),
        "prompt": prompt,
        "rubric": rubric.to_string(),
        "provenance": "production-trace",
    });
    if !group.skills.is_empty() {
        sample["capability"] = json!(group.skills);
    }
    sample
}

/// YAML, whose values are written as JSON, which is YAML: nothing that a user wrote can break out of its quotes.
fn file(head: &str, drafts: &[Value]) -> String {
    let mut text: String = head.lines().map(|line| format!("# {line}\n")).collect();
    for draft in drafts {
        let fields = draft.as_object().into_iter().flatten();
        for (at, (key, value)) in fields.enumerate() {
            let lead = if at == 0 { "- " } else { "  " };
            _ = writeln!(text, "{lead}{key}: {value}");
        }
    }
    text
}
