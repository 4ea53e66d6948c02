//! One sample: what was asked, each check in each variant, all answers side by side, judges' reasons, calls of tools.

use crate::minus::{points, signed};
use eval_analysis::grouping::label_of;
use eval_format::{Analysis, AssertionDetail, Feedback, SampleResult, VariantResult, shown_feedback};
use eval_message::plain::{clip, visible};
use eval_message::{Lang, msg};
use eval_spec::Judged;
use serde_json::Value;

use super::difference::{TextPiece, differences, whole};
use super::rows::{direction, rate};
use super::timeline::Timeline;
use crate::document::ending::outcome;
use crate::document::text::harmless;
use crate::document::urls::url_line;
use crate::voice::unmarked;

/// Bytes of an answer or a prompt, and of what a judge said about it.
const MOST_TEXT: usize = 64 << 10;
const MOST_SAID: usize = 4 << 10;
/// Opinions that are shown, the newest.
const MOST_OPINIONS: usize = 200;
/// Columns of what a check found.
const FOUND: usize = 300;

pub(super) struct SampleView {
    /// The sample's id, as it is sent back with feedback.
    pub(super) id: String,
    pub(super) headline: Vec<ScoreLine>,
    pub(super) asked: String,
    /// Pages in the prompt in the place of URLs.
    pub(super) urls: Vec<String>,
    pub(super) rubrics: Vec<(String, String)>,
    /// Each variant by its name, and by as much of that as is shown.
    pub(super) arms: Vec<(String, String)>,
    pub(super) checks: Vec<CheckRow>,
    /// For each repeat, all variants' answers.
    pub(super) repeats: Vec<RepeatView>,
    pub(super) feedback: Vec<FeedbackView>,
    /// How many older opinions are not shown.
    pub(super) feedback_left: String,
    pub(super) command: String,
}

/// `v1 4.00 → v2 2.00`, with the direction.
pub(super) struct ScoreLine {
    pub(super) class: &'static str,
    pub(super) text: String,
}

/// A check, and how it ended in each variant.
pub(super) struct CheckRow {
    pub(super) label: String,
    pub(super) layer: String,
    pub(super) is_moved: bool,
    pub(super) cells: Vec<CheckCell>,
    pub(super) reasons: Vec<String>,
}

pub(super) struct CheckCell {
    pub(super) arm: String,
    pub(super) class: &'static str,
    pub(super) text: String,
    pub(super) found: String,
}

pub(super) struct RepeatView {
    pub(super) name: String,
    pub(super) answers: Vec<AnswerView>,
    pub(super) timeline: Option<Timeline>,
}

pub(super) struct AnswerView {
    pub(super) arm: String,
    pub(super) about: String,
    pub(super) is_answered: bool,
    pub(super) pieces: Vec<TextPiece>,
    pub(super) cut: String,
    pub(super) notes: Vec<String>,
}

pub(super) struct FeedbackView {
    pub(super) about: String,
    pub(super) comment: String,
}

type ArmResults<'r> = Vec<(&'r str, &'r VariantResult)>;

impl SampleView {
    pub(super) fn of(analysis: &Analysis, result: &SampleResult, lang: Lang) -> SampleView {
        let arms: ArmResults<'_> = analysis
            .meta
            .variants
            .iter()
            .filter_map(|name| Some((name.as_str(), result.variants.get(name)?)))
            .collect();
        let texts = result.texts.as_ref();
        let asked = texts.map(|texts| texts.prompt.as_str()).or(result.eval.as_ref().map(|eval| eval.prompt.as_str()));
        let rubric = texts.and_then(|of| of.rubric.as_ref()).map(|text| (String::new(), cut(text, MOST_TEXT)));
        let dimensions = texts.iter().flat_map(|of| &of.dimensions);
        let dimensions = dimensions.map(|of| (clip(&of.name, 60), cut(&of.rubric, MOST_TEXT)));
        let opinions = shown_feedback(&analysis.feedback, &result.sample_id);
        let left = opinions.len().saturating_sub(MOST_OPINIONS);
        let urls = analysis.meta.urls.iter().filter(|of| of.samples.contains(&result.sample_id));
        SampleView {
            id: result.sample_id.clone(),
            headline: headline(analysis, result, &arms, lang),
            asked: asked.map_or_else(|| msg!("page-no-texts").text(lang), |text| cut(text, MOST_TEXT)),
            urls: urls.map(|of| unmarked(&url_line(of), lang)).collect(),
            rubrics: rubric.into_iter().chain(dimensions).collect(),
            arms: arms.iter().map(|(name, _)| ((*name).to_owned(), clip(name, 40))).collect(),
            checks: checks(&arms, lang),
            repeats: repeats(&arms, analysis.meta.regrade_of.is_some(), lang),
            feedback: opinions[left..].iter().map(|of| feedback(of, lang)).collect(),
            feedback_left: if left > 0 { msg!("page-feedback-left", count = left).text(lang) } else { String::new() },
            command: command(&analysis.id, &result.sample_id),
        }
    }
}

/// The command that shows the same in a terminal.
fn command(report: &str, sample: &str) -> String {
    let quoted = |text: &str| shlex::try_quote(text).map_or_else(|_| "…".to_owned(), |text| visible(&text));
    format!("omk show {} {}", quoted(sample), quoted(report))
}

fn headline(analysis: &Analysis, result: &SampleResult, arms: &ArmResults<'_>, lang: Lang) -> Vec<ScoreLine> {
    let unknown = || msg!("report-unknown").text(lang);
    let score = |of: &VariantResult| of.composite_score.filter(|of| *of > 0.0).map_or_else(unknown, points);
    let Some(((control, first), treatments)) = arms.split_first() else { return Vec::new() };
    let before = format!("{} {}", clip(control, 40), score(first));
    if treatments.is_empty() {
        return vec![ScoreLine { class: "equal", text: before }];
    }
    let line = |(name, of): &(&str, &VariantResult)| {
        let comparison = analysis.comparisons.iter().find(|one| one.treatment == *name);
        let pair = comparison.and_then(|one| one.pairs.iter().find(|pair| pair.sample_id == result.sample_id));
        let excluded = comparison.and_then(|one| one.excluded.iter().find(|of| of.sample_id == result.sample_id));
        let (class, mark, word) = direction(pair.map(|pair| pair.diff), excluded.is_some());
        let difference = pair.map(|pair| format!(" {}", signed(pair.diff))).unwrap_or_default();
        let why = excluded.and_then(|of| of.why_keys.first()).map(|why| format!(": {}", harmless(why).text(lang)));
        let to = format!("{} {}", clip(name, 40), score(of));
        let text = format!("{before} → {to} ({mark} {}{difference}){}", word.text(lang), why.unwrap_or_default());
        ScoreLine { class, text }
    };
    treatments.iter().map(line).collect()
}

/// A text with what can't be seen in it made visible, and its end left out where it is too long.
pub(super) fn cut(text: &str, most: usize) -> String {
    let end = text.floor_char_boundary(most);
    let mut shown = visible(&text[..end]);
    if end < text.len() {
        shown.push('…');
    }
    shown
}

fn checks(arms: &ArmResults<'_>, lang: Lang) -> Vec<CheckRow> {
    let most = arms.iter().map(|(_, of)| of.assertions.details.len()).max().unwrap_or_default();
    let of = |at: usize| {
        let details: Vec<Option<&AssertionDetail>> = arms.iter().map(|(_, of)| of.assertions.details.get(at)).collect();
        check_row(arms, &details, lang)
    };
    let judged = judged_rows(arms, lang);
    (0..most).filter_map(of).chain(judged).collect()
}

fn check_row(arms: &ArmResults<'_>, details: &[Option<&AssertionDetail>], lang: Lang) -> Option<CheckRow> {
    let first = details.iter().flatten().next()?;
    let rates: Vec<Option<f64>> = details.iter().map(|of| rate(of.as_ref()?)).collect();
    let cells = arms.iter().zip(details).map(|((name, _), of)| check_cell(name, *of, lang));
    let layer = first.layer.map(|layer| msg!("report-md-layer", layer = layer.name()).text(lang)).unwrap_or_default();
    let reasons = arms.iter().zip(details).flat_map(|((name, _), of)| {
        let judged = of.and_then(|of| of.judged.as_ref());
        judged.map(|judged| opinions(name, judged, lang)).unwrap_or_default()
    });
    Some(CheckRow {
        label: clip(&label_of(&first.kind, first.not, &first.written), 120),
        layer,
        is_moved: rates.iter().any(|rate| *rate != rates[0]),
        reasons: reasons.collect(),
        cells: cells.collect(),
    })
}

fn check_cell(arm: &str, of: Option<&AssertionDetail>, lang: Lang) -> CheckCell {
    let arm = clip(arm, 40);
    let Some(of) = of else { return CheckCell { arm, class: "equal", text: "–".to_owned(), found: String::new() } };
    let (class, text) = match (of.passed_runs, of.evaluated_runs, of.passed) {
        (Some(passed), Some(runs), _) if runs > 0 => {
            let (class, mark) = match passed {
                0 => ("worse", "✗"),
                passed if passed == runs => ("better", "✓"),
                _ => ("doubt", "~"),
            };
            (class, format!("{mark} {passed}/{runs}"))
        }
        (_, _, None) if of.rating.is_some() => ("equal", of.rating.map_or_else(String::new, points)),
        (_, _, Some(true)) => ("better", format!("✓ {}", msg!("sample-passed").text(lang))),
        (_, _, Some(false)) => ("worse", format!("✗ {}", msg!("sample-failed").text(lang))),
        (_, _, None) => ("doubt", format!("– {}", msg!("sample-unavailable").text(lang))),
    };
    CheckCell { arm, class, text, found: found(of, lang) }
}

/// Returns what was measured, and why it failed.
fn found(of: &AssertionDetail, lang: Lang) -> String {
    let said = of.message_key.as_ref().map(|key| unmarked(&harmless(key), lang));
    let said = said.or_else(|| of.message.as_ref().map(|text| clip(text, FOUND)));
    let actual = of.actual.as_ref().filter(|_| said.is_none()).and_then(|actual| match actual {
        Value::Null | Value::Bool(_) | Value::Object(_) => None,
        Value::String(text) => Some(clip(text, FOUND)),
        other => Some(clip(&other.to_string(), FOUND)),
    });
    let actual =
        actual.filter(|text| !text.is_empty()).map(|actual| unmarked(&msg!("sample-found", actual = actual), lang));
    said.or(actual).unwrap_or_default()
}

/// The rubric or the dimensions as rows.
fn judged_rows(arms: &ArmResults<'_>, lang: Lang) -> Vec<CheckRow> {
    let most = arms.iter().map(|(_, of)| of.judged.len()).max().unwrap_or_default();
    let row = |at: usize| {
        let of: Vec<Option<&Judged>> = arms.iter().map(|(_, of)| of.judged.get(at)).collect();
        let name = of.iter().flatten().find_map(|judged| judged.dimension.as_ref());
        let label = match name {
            Some(name) => msg!("page-judge-of", dimension = clip(name, 60)),
            None => msg!("page-judge"),
        };
        let scores: Vec<Option<f64>> = of.iter().map(|judged| judged.as_ref()?.score).collect();
        let unknown = || msg!("report-unknown").text(lang);
        let cells = arms.iter().zip(&scores).map(|((arm, _), score)| CheckCell {
            arm: clip(arm, 40),
            class: if score.is_some() { "equal" } else { "doubt" },
            text: score.map_or_else(unknown, points),
            found: String::new(),
        });
        let reasons = arms.iter().zip(&of).flat_map(|((arm, result), judged)| {
            let runs = result.executions().iter().filter_map(|run| run.judged.get(at));
            let all: Vec<&Judged> =
                if result.runs.is_some() { runs.collect() } else { judged.iter().copied().collect() };
            all.into_iter().flat_map(|judged| opinions(arm, judged, lang)).collect::<Vec<_>>()
        });
        CheckRow {
            label: label.text(lang),
            layer: msg!("report-md-layer", layer = "judge").text(lang),
            is_moved: scores.iter().any(|score| *score != scores[0]),
            reasons: reasons.collect(),
            cells: cells.collect(),
        }
    };
    (0..most).map(row).collect()
}

fn opinions(arm: &str, judged: &Judged, lang: Lang) -> Vec<String> {
    let one = |opinion: &eval_spec::Opinion| {
        let score = opinion.score.map_or_else(|| msg!("report-unknown").text(lang), points);
        let why = opinion.why.as_ref().map(|why| harmless(why).text(lang));
        let said = match (why, &opinion.reply) {
            (Some(why), Some(reply)) => format!("{why} · {}", cut(reply.trim(), MOST_SAID)),
            (Some(why), None) => why,
            (None, _) => cut(opinion.reasoning.trim(), MOST_SAID),
        };
        format!("{} · {} · {score}: {said}", clip(arm, 40), clip(&opinion.judge, 40))
    };
    judged.opinions.iter().map(one).collect()
}

fn repeats(arms: &ArmResults<'_>, is_regrade: bool, lang: Lang) -> Vec<RepeatView> {
    let most = arms.iter().map(|(_, of)| of.executions().len()).max().unwrap_or_default();
    let one = |at: usize| {
        let runs: Vec<(&str, Option<&VariantResult>)> =
            arms.iter().map(|(name, of)| (*name, of.executions().get(at))).collect();
        let texts: Vec<String> = runs.iter().map(|(_, run)| run.map(answer).unwrap_or_default()).collect();
        let pieces = marked(&texts);
        let answers =
            runs.iter().zip(pieces).map(|((name, run), pieces)| answer_view(name, *run, pieces, is_regrade, lang));
        RepeatView {
            name: msg!("page-run", number = at + 1).text(lang),
            answers: answers.collect(),
            timeline: Timeline::of(&runs, lang),
        }
    };
    (0..most).map(one).collect()
}

/// The answers in pieces: the control's beside the first treatment's, every treatment's beside the control's.
fn marked(texts: &[String]) -> Vec<Vec<TextPiece>> {
    let Some((control, treatments)) = texts.split_first() else { return Vec::new() };
    let mut all = Vec::new();
    for treated in treatments {
        let [before, after] = differences(control, treated);
        if all.is_empty() {
            all.push(before);
        }
        all.push(after);
    }
    if all.is_empty() { vec![whole(control)] } else { all }
}

fn answer(of: &VariantResult) -> String {
    let partial = || of.error.as_ref().and_then(|error| error.partial_output.as_deref());
    cut(of.full_output.as_deref().or_else(partial).unwrap_or_default(), MOST_TEXT)
}

fn answer_view(
    name: &str,
    run: Option<&VariantResult>,
    pieces: Vec<TextPiece>,
    is_regrade: bool,
    lang: Lang,
) -> AnswerView {
    let Some(run) = run else {
        return AnswerView {
            arm: clip(name, 40),
            about: msg!("report-missing-not-run").text(lang),
            is_answered: false,
            pieces: Vec::new(),
            cut: String::new(),
            notes: Vec::new(),
        };
    };
    let length = run.full_output.as_ref().map_or(0, String::len);
    let error = run.error.as_ref().map(|error| {
        let detail = error.detail.as_deref().map(|detail| format!(" – {}", clip(detail, FOUND))).unwrap_or_default();
        format!("{}{detail}", harmless(&error.message_key).text(lang))
    });
    let missing =
        run.missing.iter().map(|missing| unmarked(&msg!("sample-missing", why = harmless(&missing.why_key)), lang));
    AnswerView {
        arm: clip(name, 40),
        about: about(run, is_regrade, lang),
        is_answered: run.ok,
        cut: if length > MOST_TEXT { msg!("page-answer-cut", bytes = length).text(lang) } else { String::new() },
        notes: error.into_iter().chain(missing).collect(),
        pieces: pieces.into_iter().filter(|piece| !piece.text.is_empty()).collect(),
    }
}

fn about(run: &VariantResult, is_regrade: bool, lang: Lang) -> String {
    let model = run.model.as_ref().map(|model| clip(model, 40));
    outcome(run, is_regrade).iter().map(|part| part.text(lang)).chain(model).collect::<Vec<_>>().join(" · ")
}

fn feedback(of: &Feedback, lang: Lang) -> FeedbackView {
    let stars = of.rating.map(|rating| {
        let rating = rating.min(Feedback::MOST_STARS);
        "★".repeat(rating.into()) + &"☆".repeat((Feedback::MOST_STARS - rating).into())
    });
    let when = of.at.get(..10).map(|day| clip(day, 10));
    let by = of.by.as_ref().map(|by| clip(by, 40));
    let preferred = of.than.as_ref().zip(of.preference).map(|(than, preference)| {
        let word = match preference {
            2.. => "much-better",
            1 => "better",
            0 => "alike",
            -1 => "worse",
            _ => "much-worse",
        };
        msg!("page-feedback-than", how = word, than = clip(than, 40)).text(lang)
    });
    // answers are compared on the page for blind reading, but by then the names may have been revealed
    let blind = match (of.blind, &preferred) {
        (true, _) => Some(msg!("page-feedback-blind").text(lang)),
        (false, Some(_)) => Some(msg!("page-feedback-open").text(lang)),
        (false, None) => None,
    };
    let all = [Some(clip(&of.variant, 40)), preferred, stars, by, when, blind];
    FeedbackView {
        about: all.into_iter().flatten().collect::<Vec<_>>().join(" · "),
        comment: of.comment.as_ref().map(|text| cut(text, Feedback::LONGEST_COMMENT)).unwrap_or_default(),
    }
}
