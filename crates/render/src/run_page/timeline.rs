//! Calls of tools of one repeat, the variants' side by side: calls that are alike are on one row.

use eval_format::VariantResult;
use eval_message::plain::clip;
use eval_message::{Lang, Message, msg};
use eval_spec::call::{ToolCall, ToolStatus};
use serde_json::Value;

use crate::minus::duration;

/// Bytes of what a tool was given or returned.
const MOST_TEXT: usize = 4 << 10;
/// Calls of one execution.
const MOST_CALLS: usize = 200;
/// How well two calls fit: the same tool with the same input, or the same tool.
const SAME: u32 = 3;
const SIMILAR: u32 = 2;

pub(super) struct Timeline {
    pub(super) title: String,
    pub(super) arms: Vec<String>,
    pub(super) rows: Vec<TimelineRow>,
    /// Note that some are left out.
    pub(super) more: String,
}

pub(super) struct TimelineRow {
    /// `true` if a variant has none.
    pub(super) is_alone: bool,
    pub(super) cells: Vec<TimelineCell>,
}

pub(super) struct TimelineCell {
    pub(super) arm: String,
    pub(super) call: Option<TimelineCall>,
}

pub(super) struct TimelineCall {
    pub(super) number: usize,
    pub(super) name: String,
    pub(super) class: &'static str,
    pub(super) about: String,
    pub(super) input: String,
    pub(super) output: String,
    pub(super) is_nested: bool,
}

/// Indexes of calls, one for each variant.
pub type CallRow = Vec<Option<usize>>;

impl Timeline {
    /// Of executions of the variants, the control's first; `None` where none called a tool.
    pub(super) fn of(runs: &[(&str, Option<&VariantResult>)], lang: Lang) -> Option<Timeline> {
        let calls: Vec<&[ToolCall]> =
            runs.iter().map(|(_, run)| run.map_or(&[][..], |run| run.tool_calls.as_slice())).collect();
        let left_out: usize = calls.iter().map(|of| of.len().saturating_sub(MOST_CALLS)).sum();
        let arms: Vec<String> = runs.iter().map(|(name, _)| clip(name, 40)).collect();
        let counts: Vec<String> = arms.iter().zip(&calls).map(|(arm, of)| format!("{arm} {}", of.len())).collect();
        let shown: Vec<&[ToolCall]> = calls.iter().map(|of| &of[..of.len().min(MOST_CALLS)]).collect();
        let rows: Vec<TimelineRow> = aligned(&shown).iter().map(|row| timeline_row(row, &arms, &shown, lang)).collect();
        let alone = rows.iter().filter(|row| row.is_alone).count();
        (!rows.is_empty()).then(|| Timeline {
            title: msg!("page-tools", list = counts.join(" · "), alone = alone).text(lang),
            arms,
            rows,
            more: if left_out > 0 { msg!("page-tools-more", count = left_out).text(lang) } else { String::new() },
        })
    }
}

fn timeline_row(row: &CallRow, arms: &[String], calls: &[&[ToolCall]], lang: Lang) -> TimelineRow {
    let cell = |((arm, calls), at): ((&String, &&[ToolCall]), &Option<usize>)| TimelineCell {
        arm: arm.clone(),
        call: at.map(|at| call_view(at, calls, lang)),
    };
    TimelineRow {
        is_alone: row.iter().any(Option::is_none),
        cells: arms.iter().zip(calls).zip(row).map(cell).collect(),
    }
}

/// Rows of all variants' calls, each variant's in its own order: every treatment is aligned with the control.
pub fn aligned(calls: &[&[ToolCall]]) -> Vec<CallRow> {
    let Some((control, treatments)) = calls.split_first() else { return Vec::new() };
    let mut rows: Vec<CallRow> = (0..control.len()).map(|at| alone(calls.len(), 0, at)).collect();
    // calls that the control doesn't have, before each of the control's
    let mut between: Vec<Vec<CallRow>> = vec![Vec::new(); control.len() + 1];
    for (arm, treated) in treatments.iter().enumerate() {
        let partners = partners(control, treated);
        for (at, partner) in partners.iter().enumerate() {
            let next = partners[at..].iter().flatten().next().copied().unwrap_or(control.len());
            match partner {
                Some(place) => rows[*place][arm + 1] = Some(at),
                None => between[next].push(alone(calls.len(), arm + 1, at)),
            }
        }
    }
    let last = between.pop().unwrap_or_default();
    between.into_iter().zip(rows).flat_map(|(before, row)| before.into_iter().chain([row])).chain(last).collect()
}

fn alone(arms: usize, arm: usize, at: usize) -> CallRow {
    let mut row = vec![None; arms];
    row[arm] = Some(at);
    row
}

/// For each call of a treatment, that of the control which is alike: the pairing in order that fits best.
fn partners(control: &[ToolCall], treated: &[ToolCall]) -> Vec<Option<usize>> {
    let fit = |a: &ToolCall, b: &ToolCall| match a.name == b.name {
        true if a.input == b.input => SAME,
        true => SIMILAR,
        false => 0,
    };
    // best[i][j]: of the control's calls from i on and the treatment's from j on
    let mut best = vec![vec![0; treated.len() + 1]; control.len() + 1];
    for i in (0..control.len()).rev() {
        for j in (0..treated.len()).rev() {
            let fits = fit(&control[i], &treated[j]);
            let together = if fits > 0 { fits + best[i + 1][j + 1] } else { 0 };
            best[i][j] = together.max(best[i + 1][j]).max(best[i][j + 1]);
        }
    }
    let mut found = vec![None; treated.len()];
    let (mut i, mut j) = (0, 0);
    while i < control.len() && j < treated.len() {
        let fits = fit(&control[i], &treated[j]);
        if fits > 0 && best[i][j] == fits + best[i + 1][j + 1] {
            found[j] = Some(i);
            (i, j) = (i + 1, j + 1);
        } else if best[i][j] == best[i + 1][j] {
            i += 1;
        } else {
            j += 1;
        }
    }
    found
}

fn call_view(at: usize, calls: &[ToolCall], lang: Lang) -> TimelineCall {
    let call = &calls[at];
    let input = match &call.input {
        Value::Object(fields) if fields.len() == 1 => match fields.values().next() {
            Some(Value::String(text)) => text.clone(),
            _ => call.input.to_string(),
        },
        other => other.to_string(),
    };
    let (class, status) = status(call);
    #[expect(clippy::cast_precision_loss, reason = "milliseconds, for people")]
    let took = call.duration_ms.map(|ms| duration(ms as f64));
    let mock = call.mock.map(|_| msg!("page-tool-mock").text(lang));
    let about = [status.map(|of| of.text(lang)), since_the_first(call, calls, lang), took, mock];
    TimelineCall {
        number: at + 1,
        name: clip(&call.name, 60),
        class,
        about: about.into_iter().flatten().collect::<Vec<_>>().join(" · ").replace('`', ""),
        input: cut(&input),
        output: call.output.as_ref().map(|output| cut(&output.text)).unwrap_or_default(),
        is_nested: call.parent.is_some(),
    }
}

fn status(call: &ToolCall) -> (&'static str, Option<Message>) {
    match (call.status, &call.output) {
        (Some(ToolStatus::Failed), _) => ("worse", Some(msg!("page-tool-failed"))),
        (Some(ToolStatus::NotRun), _) => ("doubt", Some(msg!("page-tool-not-run"))),
        (Some(ToolStatus::NoMatch), _) => ("doubt", Some(msg!("page-tool-no-match"))),
        (Some(ToolStatus::Ok), _) => ("equal", None),
        (None, Some(output)) if output.is_error => ("worse", Some(msg!("page-tool-failed"))),
        (None, Some(_)) => ("equal", None),
        (None, None) => ("doubt", Some(msg!("sample-no-result"))),
    }
}

/// When a call was made, from the first one on.
fn since_the_first(call: &ToolCall, calls: &[ToolCall], lang: Lang) -> Option<String> {
    let first = calls.iter().filter_map(|call| call.started_at).min()?;
    let elapsed = call.started_at?.as_millisecond() - first.as_millisecond();
    #[expect(clippy::cast_precision_loss, reason = "milliseconds, for people")]
    let time = duration(elapsed.max(0) as f64);
    (elapsed > 0).then(|| msg!("page-tool-at", time = time).text(lang))
}

fn cut(text: &str) -> String {
    super::sample::cut(text, MOST_TEXT)
}
