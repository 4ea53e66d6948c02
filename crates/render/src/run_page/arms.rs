//! The variants in a table: what each scores, by layer, and what its answers take, with the difference to the control.

use crate::minus::{bound, minus, percent, points, signed};
use eval_format::{Analysis, Ci, Comparison, Difference, ResourceDifference, VariantSummary};
use eval_message::plain::clip;
use eval_message::{Lang, Message, msg};
use eval_spec::Layer;
use eval_spec::units::Usd;

use crate::terminal::layout::duration;

pub(super) struct ArmTable {
    pub(super) heads: Vec<String>,
    pub(super) rows: Vec<ArmRow>,
}

pub(super) struct ArmRow {
    pub(super) name: String,
    pub(super) cells: Vec<ArmCell>,
}

pub(super) struct ArmCell {
    pub(super) head: String,
    pub(super) value: String,
    /// An interval, or the difference to the control.
    pub(super) small: String,
    pub(super) class: &'static str,
}

/// One variant: its summary, and its comparison with the control.
struct Arm<'r> {
    head: String,
    of: &'r VariantSummary,
    compared: Option<&'r Comparison>,
}

impl ArmTable {
    pub(super) fn of(analysis: &Analysis, lang: Lang) -> ArmTable {
        let compared = |name: &String| analysis.comparisons.iter().find(|of| &of.treatment == name);
        let arm = |name: &String| {
            Some(Arm { head: clip(name, 32), of: analysis.summary.get(name)?, compared: compared(name) })
        };
        let arms: Vec<Arm> = analysis.meta.variants.iter().filter_map(arm).collect();
        let some = |is: fn(&VariantSummary) -> bool| arms.iter().any(|arm| is(arm.of));
        let (mut heads, mut rows): (Vec<String>, Vec<ArmRow>) =
            (Vec::new(), arms.iter().map(|arm| ArmRow { name: arm.head.clone(), cells: Vec::new() }).collect());
        let mut add = |name: Message, is_there: bool, cell: &dyn Fn(&Arm) -> (String, String, &'static str)| {
            if !is_there {
                return;
            }
            let head = name.text(lang);
            for (row, arm) in rows.iter_mut().zip(&arms) {
                let (value, small, class) = cell(arm);
                row.cells.push(ArmCell { head: head.clone(), value, small, class });
            }
            heads.push(head);
        };
        add(msg!("report-row-score"), some(|of| of.planned_scores > 0), &|arm| score(arm, lang));
        // the one score of another tool is no layer beside others
        let is_ours = analysis.meta.imported.is_none();
        for layer in Layer::ALL {
            let is_there = is_ours && arms.iter().any(|arm| arm.of.layers.get(layer).is_some());
            let name = msg!("report-md-layer", layer = layer.name());
            add(name, is_there, &|arm| layer_cell(arm, layer, lang));
        }
        add(msg!("page-row-cost"), true, &|arm| {
            let value = arm.of.avg_cost_usd.map_or_else(|| unknown(lang), |usd| Usd(usd).to_string());
            resource(value, arm.compared.and_then(|of| of.resources.cost_usd), money)
        });
        add(msg!("page-row-time"), some(|of| of.avg_duration_ms.is_some()), &|arm| {
            #[expect(clippy::cast_precision_loss, reason = "milliseconds, for people")]
            let value = arm.of.avg_duration_ms.map_or_else(|| unknown(lang), |ms| duration(ms as f64));
            resource(value, arm.compared.and_then(|of| of.resources.duration_ms), time)
        });
        add(msg!("page-row-tokens"), some(|of| of.avg_total_tokens.is_some()), &|arm| {
            let value = arm.of.avg_total_tokens.map_or_else(|| unknown(lang), |tokens| tokens.to_string());
            resource(value, arm.compared.and_then(|of| of.resources.tokens), |value| minus(&format!("{value:+.0}")))
        });
        add(msg!("page-row-stable"), some(|of| of.stability.is_some()), &|arm| stability(arm, lang));
        add(msg!("report-row-answered"), true, &|arm| {
            let (answered, total) = (arm.of.outcomes.answered, arm.of.outcomes.total());
            let class = if answered < total { "doubt" } else { "" };
            (msg!("report-of", part = answered, whole = total).text(lang), String::new(), class)
        });
        add(msg!("report-row-checks"), some(|of| of.checks.passed + of.checks.failed > 0), &|arm| {
            let checks = arm.of.checks;
            let unscored = match checks.unscored {
                0 => String::new(),
                count => msg!("page-unscored", count = count).text(lang),
            };
            let text = msg!("report-of", part = checks.passed, whole = checks.passed + checks.failed).text(lang);
            (text, unscored, "")
        });
        ArmTable { heads, rows }
    }
}

fn unknown(lang: Lang) -> String {
    msg!("report-unknown").text(lang)
}

fn score(arm: &Arm, lang: Lang) -> (String, String, &'static str) {
    let value = arm.of.avg_composite_score.filter(|_| arm.of.planned_scores > 0);
    let value = value.map_or_else(|| unknown(lang), points);
    match arm.compared {
        Some(of) => (value, difference(&of.diff), side(of.diff.mean, of.diff.ci)),
        None => (value, own_interval(arm.of.ci, lang), ""),
    }
}

fn own_interval(ci: Option<Ci>, lang: Lang) -> String {
    let range = |ci: Ci| msg!("report-range", low = points(ci.low), high = points(ci.high)).text(lang);
    ci.filter(|ci| !ci.degenerate).map(range).unwrap_or_default()
}

fn layer_cell(arm: &Arm, layer: Layer, lang: Lang) -> (String, String, &'static str) {
    let Some(of) = arm.of.layers.get(layer) else { return ("–".to_owned(), String::new(), "") };
    let value = of.mean.map_or_else(|| unknown(lang), points);
    let diff = arm.compared.and_then(|of| of.layers.get(layer));
    let side = diff.map_or("", |diff| side(diff.mean, diff.ci));
    (value, diff.map(difference).unwrap_or_default(), side)
}

/// `+0.42 (+0.18 … +0.66)`.
pub(super) fn difference(diff: &Difference) -> String {
    let Some(mean) = diff.mean else { return String::new() };
    match diff.ci.filter(|ci| !ci.degenerate) {
        Some(ci) => format!("{} ({} … {})", signed(mean), bound(ci.low), bound(ci.high)),
        None => signed(mean),
    }
}

/// A class only where the interval excludes 0.
fn side(mean: Option<f64>, ci: Option<Ci>) -> &'static str {
    match (mean, ci.filter(|ci| !ci.degenerate)) {
        (Some(_), Some(ci)) if ci.low > 0.0 => "better",
        (Some(_), Some(ci)) if ci.high < 0.0 => "worse",
        _ => "",
    }
}

fn resource(value: String, of: Option<ResourceDifference>, show: fn(f64) -> String) -> (String, String, &'static str) {
    let Some(of) = of else { return (value, String::new(), "") };
    let text = match of.ci.filter(|ci| !ci.degenerate) {
        Some(ci) => format!("{} ({} … {})", show(of.mean), show(ci.low), show(ci.high)),
        None => show(of.mean),
    };
    (value, text, "")
}

fn money(usd: f64) -> String {
    let sign = if usd < 0.0 { "−" } else { "+" };
    // a line may end between two signs
    format!("{sign}\u{2060}{}", Usd(usd.abs()))
}

fn time(ms: f64) -> String {
    let sign = if ms < 0.0 { "−" } else { "+" };
    format!("{sign}{}", duration(ms.abs()))
}

#[expect(clippy::cast_precision_loss, reason = "counts of samples")]
fn stability(arm: &Arm, lang: Lang) -> (String, String, &'static str) {
    let Some(of) = arm.of.stability else { return ("–".to_owned(), String::new(), "") };
    let still = of.n.saturating_sub(of.wavering);
    let range = msg!("report-range", low = percent(1.0 - of.high), high = percent(1.0 - of.low)).text(lang);
    let share = percent(still as f64 / of.n.max(1) as f64);
    (msg!("report-of", part = still, whole = of.n).text(lang), format!("{share} ({range})"), "")
}
