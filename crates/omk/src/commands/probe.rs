//! `omk sample --probe`: questions at the edges of a knowledge base, proposed by a model, for review.

use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;

use eval_cli::{CommandError, Terminal, exit};
use eval_gaps::alike;
use eval_grade::{ProbeQuestion, probe_questions};
use eval_load as load;
use eval_message::{Message, msg};
use eval_run::Stop;
use eval_spec::Context;
use eval_spec::hash::short_hash;
use eval_spec::knowledge::KnowledgeBase;
use serde_json::{Value, json};

use super::masking::mask;
use super::one_judge::{OneJudge, OneJudgeChoice, code, interruptible, runtime};
use super::sample::written;
use crate::cli::SampleArgs;

/// How much of the structure a model reads, in characters.
const STRUCTURE: usize = 60_000;
/// Headings of a file that it reads.
const HEADINGS: usize = 40;
/// How much of a file of principles it reads, in characters.
const PRINCIPLES: usize = 4_000;
/// Files that say what a project is about.
const STATING: [&str; 4] = ["CLAUDE.md", "AGENTS.md", "GEMINI.md", "SKILL.md"];

/// Has a model read the structure and propose questions.
pub(super) fn run(context: &Context, terminal: &Terminal, arguments: &SampleArgs) -> Result<u8, CommandError> {
    let kb: Vec<PathBuf> = arguments.kb.iter().map(|path| context.absolute(path)).collect();
    let base = load::knowledge_base(context, &kb, &context.cwd)?;
    if base.files.is_empty() {
        return Err(CommandError::usage(msg!("sample-no-kb"), msg!("sample-no-kb-help")));
    }
    let choice = OneJudgeChoice {
        executor: None,
        judge_model: arguments.judge_model.as_deref(),
        judge_executor: arguments.judge_executor.as_deref(),
        budget_usd: arguments.budget_usd,
        no_cache: arguments.no_cache,
    };
    let judge = OneJudge::new(context, &choice)?;
    let structure = structure(context, &base);
    terminal.note(&msg!("sample-asking", judge = judge.label(), files = base.files.len()));
    let stop = Stop::new();
    let through = judge.panel(context, &stop, eval_grade::is_usable_probe)?;
    let asking = probe_questions(&through.panel, context.lang, &structure, arguments.limit);
    let (answer, interrupted) = runtime()?.block_on(interruptible(asking, &stop))?;
    let questions = match answer.questions {
        Ok(questions) => questions,
        Err(_) if interrupted => return Ok(code(true)),
        Err(why) => return Ok(failed(terminal, &msg!("sample-no-questions", why = why.text(context.lang)))),
    };
    let drafts = drafts(&questions);
    if drafts.is_empty() {
        return Ok(failed(terminal, &msg!("sample-none-in-scope")));
    }
    let head = msg!("sample-probe-head", count = drafts.len(), judge = judge.label()).text(terminal.lang());
    let output = arguments.output.clone().unwrap_or_else(|| PathBuf::from("eval-samples.probe.yaml"));
    written(context, terminal, &output, &head, &drafts)?;
    terminal.say(&msg!("sample-probe-review"));
    Ok(code(interrupted))
}

/// Says why there are no drafts. Something was executed, and nothing came of it.
fn failed(terminal: &Terminal, why: &Message) -> u8 {
    terminal.error(why, None);
    exit::INVALID
}

/// File by file: its name, its headings, and what files of principles state.
fn structure(context: &Context, base: &KnowledgeBase) -> String {
    let mut text = String::new();
    for file in &base.files {
        text.push_str(&file.name);
        text.push('\n');
        let is_text =
            ["md", "mdx", "markdown", "rst", "txt"].iter().any(|of| file.path.extension().is_some_and(|e| e == *of));
        let content = if is_text { fs::read_to_string(&file.path).unwrap_or_default() } else { String::new() };
        let is_stating = file.path.file_name().is_some_and(|name| STATING.iter().any(|of| name == *of));
        if is_stating {
            text.extend(content.chars().take(PRINCIPLES));
            text.push('\n');
        } else {
            headings(&content).take(HEADINGS).for_each(|heading| {
                text.push_str("  ");
                text.push_str(heading);
                text.push('\n');
            });
        }
    }
    mask(context).text(&text).chars().take(STRUCTURE).collect()
}

/// The headings of Markdown; a line of code that looks like one is none.
fn headings(content: &str) -> impl Iterator<Item = &str> {
    let mut is_code = false;
    content.lines().filter(move |line| {
        let is_fence = line.trim_start().starts_with("```") || line.trim_start().starts_with("~~~");
        is_code ^= is_fence;
        let level = line.bytes().take_while(|&byte| byte == b'#').count();
        !is_code && (1..=6).contains(&level) && line[level..].starts_with(' ')
    })
}

/// One sample for each question; of questions that ask the same, the first.
fn drafts(all: &[ProbeQuestion]) -> Vec<Value> {
    let texts: Vec<&str> = all.iter().map(|of| of.question.as_str()).collect();
    let firsts: BTreeSet<usize> = alike(&texts).iter().filter_map(|places| places.first().copied()).collect();
    let kept = all.iter().enumerate().filter(|(at, _)| firsts.contains(at)).map(|(_, of)| of);
    kept.map(|of| {
        json!({
            "sample_id": format!("probe-{}", short_hash(of.question.as_bytes(), 8)),
            "prompt": of.question,
            "rubric": msg!("sample-probe-rubric", scope = of.scope.clone()).to_string(),
            "provenance": "llm-generated",
        })
    })
    .collect()
}
