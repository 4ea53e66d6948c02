//! The answers of a variant to a sample: text, opinions of judges, calls of tools.

use crate::minus::points;
use eval_format::{ErrorResult, VariantResult};
use eval_message::msg;
use eval_message::plain::{clean, clip};
use eval_spec::Judged;
use eval_spec::call::{ToolCall, ToolStatus};

use crate::document::ending::outcome;
use crate::document::text::{NAME, harmless};
use crate::terminal::layout::wrap;
use crate::terminal::page::TerminalPage;

/// Lines of an answer, and columns of a line: a five-megabyte line is no answer that anybody reads.
const LINES: usize = 400;
const LINE: usize = 2000;
/// The deepest indentation that is kept.
const DEEPEST: usize = 16;
/// Calls of tools, columns of their arguments and of their results.
const CALLS: usize = 100;
const ARGUMENTS: usize = 160;
const RESULT: usize = 240;

pub(super) fn answers(page: &mut TerminalPage, name: &str, of: &VariantResult, is_regrade: bool) {
    let runs = of.executions();
    for (at, run) in runs.iter().enumerate() {
        if at > 0 {
            page.gap();
        }
        let number = (runs.len() > 1).then_some(at + 1);
        one(page, name, run, number, is_regrade);
    }
}

fn one(page: &mut TerminalPage, name: &str, of: &VariantResult, number: Option<usize>, is_regrade: bool) {
    let (variant, about) = (clip(name, NAME), outcome(of, is_regrade));
    page.title(&match number {
        Some(number) => msg!("sample-run", variant = variant, number = number, about = about),
        None => msg!("sample-answer", variant = variant, about = about),
    });
    match (&of.full_output, &of.error) {
        (Some(output), _) if !output.trim().is_empty() => text(page, 2, output),
        (_, Some(error)) => failed(page, error),
        _ => page.line(2, &msg!("sample-no-text")),
    }
    for missing in of.missing.iter().take(CALLS) {
        page.line(2, &msg!("sample-missing", why = harmless(&missing.why_key)));
    }
    let of_checks = of.assertions.details.iter().filter_map(|check| check.judged.as_ref());
    of.judged.iter().chain(of_checks).for_each(|judged| opinions(page, judged));
    tools(page, &of.tool_calls);
}

fn failed(page: &mut TerminalPage, error: &ErrorResult) {
    page.line(2, &harmless(&error.message_key));
    error.detail.iter().for_each(|detail| text(page, 2, detail));
    if let Some(partial) = error.partial_output.as_ref().filter(|partial| !partial.trim().is_empty()) {
        page.line(2, &msg!("sample-partial"));
        text(page, 4, partial);
    }
}

/// Text of others behind a bar, its lines and indentation kept: nothing in it can pass for our own words.
pub(super) fn text(page: &mut TerminalPage, indent: usize, text: &str) {
    let bar = format!("{}│", " ".repeat(indent));
    let all: Vec<&str> = text.trim_matches('\n').lines().collect();
    for line in all.iter().take(LINES) {
        let kept = clip(line, LINE);
        if kept.is_empty() {
            page.text.push_str(&format!("{bar}\n"));
            continue;
        }
        let lead = (line.len() - line.trim_start_matches(' ').len()).min(DEEPEST);
        let room = page.show.columns().saturating_sub(indent + 2 + lead);
        for part in wrap(&kept, room, 0).lines() {
            page.text.push_str(&format!("{bar} {}{part}\n", " ".repeat(lead)));
        }
    }
    if all.len() > LINES {
        page.line(indent, &msg!("sample-more-lines", count = all.len() - LINES));
    }
}

/// Writes the judges' scores and reasons.
fn opinions(page: &mut TerminalPage, of: &Judged) {
    let show = page.show;
    for opinion in &of.opinions {
        let judge = clip(&opinion.judge, NAME);
        let question = of.dimension.as_ref().map(|name| clip(name, NAME)).unwrap_or_default();
        let score = opinion.score.map_or_else(|| show.text(&msg!("report-unknown")), points);
        page.line(
            2,
            &msg!(
                "sample-opinion",
                judge = judge,
                asked = if question.is_empty() { "none".to_owned() } else { question },
                score = score
            ),
        );
        if let Some(why) = &opinion.why {
            page.line(4, &harmless(why));
        }
        opinion.reply.iter().for_each(|reply| text(page, 4, reply));
        if !opinion.reasoning.trim().is_empty() {
            text(page, 4, &opinion.reasoning);
        }
    }
}

fn tools(page: &mut TerminalPage, calls: &[ToolCall]) {
    if calls.is_empty() {
        return;
    }
    page.line(2, &msg!("sample-tools", count = calls.len()));
    for (at, call) in calls.iter().take(CALLS).enumerate() {
        let input = clip(&call.input.to_string(), ARGUMENTS);
        page.raw(4, &format!("{}. {} {input}", at + 1, clip(&call.name, NAME)));
        match &call.output {
            None => page.line(7, &msg!("sample-no-result")),
            Some(output) => {
                let said = clip(&output.text, RESULT);
                let note = output.note.as_ref().map(|note| clip(note, RESULT)).unwrap_or_default();
                let said = [said, note].into_iter().filter(|text| !text.is_empty()).collect::<Vec<_>>().join(" · ");
                let said = if said.is_empty() { page.show.text(&msg!("sample-empty-result")) } else { said };
                page.line(
                    7,
                    &match (call.status, output.is_error) {
                        (Some(ToolStatus::NotRun), _) => msg!("sample-tool-not-run", text = clean(&said)),
                        (_, true) => msg!("sample-tool-failed", text = clean(&said)),
                        (_, false) => msg!("sample-tool-result", text = clean(&said)),
                    },
                );
            }
        }
    }
    if calls.len() > CALLS {
        page.line(4, &msg!("sample-more-calls", count = calls.len() - CALLS));
    }
}
