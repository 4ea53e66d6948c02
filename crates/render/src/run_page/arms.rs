//! The variants in a table: what each scores, by layer, and what its answers take, with the difference to the control.

use eval_format::{Analysis, Ci, Comparison, Difference, ResourceDifference, VariantSummary};
use eval_message::plain::clip;
use eval_message::{Lang, msg};
use eval_spec::Layer;
use eval_spec::units::Usd;

use crate::document::variants::{NUMBERS, VariantNumber, answered};
use crate::minus::{bound, duration, minus, percent, points, signed};

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
        let arm = |name: &String| {
            let compared = analysis.comparisons.iter().find(|of| &of.treatment == name);
            Some(Arm { head: clip(name, 32), of: analysis.summary.get(name)?, compared })
        };
        let arms: Vec<Arm> = analysis.meta.variants.iter().filter_map(arm).collect();
        let some = |is_known: fn(&VariantSummary) -> bool| arms.iter().any(|arm| is_known(arm.of));
        // the one score of another tool is no layer beside others
        let is_ours = analysis.meta.imported.is_none();
        let is_shown = |number: &&VariantNumber| match number.word {
            "interval" => false,
            "cost" => true,
            word => (is_ours || layer(word).is_none()) && some(number.is_known),
        };
        let numbers: Vec<&VariantNumber> = NUMBERS.iter().filter(is_shown).collect();
        let stable = some(|arm| arm.stability.is_some()).then(|| msg!("page-row-stable").text(lang));
        let head = |number: &&VariantNumber| match layer(number.word) {
            Some(layer) => msg!("report-md-layer", layer = layer.name()).text(lang),
            None => number.head("").text(lang),
        };
        let row = |arm: &Arm| {
            let cells = numbers.iter().map(|number| cell(number, arm, head(number), lang));
            let stable = stable.iter().map(|head| stability(arm, head.clone(), lang));
            ArmRow { name: arm.head.clone(), cells: cells.chain(stable).collect() }
        };
        ArmTable {
            rows: arms.iter().map(row).collect(),
            heads: numbers.iter().map(head).chain(stable.clone()).collect(),
        }
    }
}

fn layer(word: &str) -> Option<Layer> {
    Layer::ALL.into_iter().find(|layer| layer.name() == word)
}

fn cell(number: &VariantNumber, arm: &Arm, head: String, lang: Lang) -> ArmCell {
    let resources = arm.compared.and_then(|of| of.resources.as_ref());
    let difference_of = |diff: &Difference| (difference(diff), side(diff.mean, diff.ci));
    let (small, class) = match number.word {
        "score" => match arm.compared {
            Some(compared) => difference_of(&compared.diff),
            None => (own_interval(arm.of.ci, lang), ""),
        },
        "cost" => (resource(resources.and_then(|of| of.cost_usd), money), ""),
        "time" => (resource(resources.and_then(|of| of.duration_ms), time), ""),
        "tokens" => (resource(resources.and_then(|of| of.tokens), |value| minus(&format!("{value:+.0}"))), ""),
        "answered" if answered(arm.of).0 < answered(arm.of).1 => (String::new(), "doubt"),
        "checks" if arm.of.checks.unscored > 0 => {
            (msg!("page-unscored", count = arm.of.checks.unscored).text(lang), "")
        }
        word => {
            let diff = arm.compared.zip(layer(word)).and_then(|(compared, layer)| compared.layers.get(layer));
            diff.map(difference_of).unwrap_or_default()
        }
    };
    ArmCell { head, value: (number.text)(arm.of).text(lang), small, class }
}

fn own_interval(ci: Option<Ci>, lang: Lang) -> String {
    let range = |ci: Ci| msg!("report-range", low = points(ci.low), high = points(ci.high)).text(lang);
    ci.filter(|ci| !ci.degenerate).map(range).unwrap_or_default()
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

fn resource(change: Option<ResourceDifference>, show: fn(f64) -> String) -> String {
    let Some(change) = change else { return String::new() };
    match change.ci.filter(|ci| !ci.degenerate) {
        Some(ci) => format!("{} ({} … {})", show(change.mean), show(ci.low), show(ci.high)),
        None => show(change.mean),
    }
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
fn stability(arm: &Arm, head: String, lang: Lang) -> ArmCell {
    let Some(of) = arm.of.stability else {
        return ArmCell { head, value: "–".to_owned(), small: String::new(), class: "" };
    };
    let still = of.n.saturating_sub(of.wavering);
    let range = msg!("report-range", low = percent(1.0 - of.high), high = percent(1.0 - of.low)).text(lang);
    let share = percent(still as f64 / of.n.max(1) as f64);
    let value = msg!("report-of", part = still, whole = of.n).text(lang);
    ArmCell { head, value, small: format!("{share} ({range})"), class: "" }
}
