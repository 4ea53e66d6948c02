//! 300 random data sets have the tiers, doubts and numbers that an independent script computes from the written rules:
//! `crates/verdict/tests/tier_oracle`.

mod data_set;
mod mirrored;

use std::collections::BTreeSet;

use eval_format::report::Note;
use eval_format::{Analysis, DiffInputs, Layers, PartInputs, Tier, TreatmentInputs, TreatmentVerdict};
use eval_spec::Layer;
use rayon::prelude::*;
use serde_json::Value;

use self::data_set::DataSet;

const STORED: &str = include_str!("../../tier_oracle/data_sets.json");
/// Reasons that the script knows, beside doubts and alarms.
const COMPARED: &[&str] =
    &["why-few-pairs", "why-layer-below", "why-loss-lost", "why-loss-of-clusters", "why-loss-unseen", "why-small-loss"];
/// The script stores eight decimals.
const NEAR: f64 = 1e-6;

#[test]
fn tiers_doubts_and_numbers_are_those_of_an_independent_script() {
    let stored: Value = serde_json::from_str(STORED).unwrap();
    let resamples = u32::try_from(stored["resamples"].as_u64().unwrap()).unwrap();
    let sets = stored["sets"].as_array().unwrap();
    assert_eq!(sets.len(), 300);
    let compared = |(place, set): (usize, &Value)| {
        let report = DataSet::new(set).report(resamples);
        let differences = differences(&report, &set["expected"]);
        (!differences.is_empty()).then(|| format!("set {place}, {}: {}", set["kind"], differences.join("; ")))
    };
    let unlike: Vec<String> = sets.par_iter().enumerate().filter_map(compared).collect();
    assert!(unlike.is_empty(), "{} sets differ:\n{}", unlike.len(), unlike.join("\n"));
}

/// Lists what the report says otherwise than the script.
fn differences(report: &Analysis, expected: &Value) -> Vec<String> {
    let mut comparison = Comparison::default();
    comparison.same("tier", &tier(report.verdict.tier), &expected["tier"]);
    let treatments = expected["treatments"].as_array().unwrap();
    for (place, expected) in treatments.iter().enumerate() {
        comparison.prefix = format!("v{} ", place + 1);
        comparison.treatment(&report.verdict.inputs.treatments[place], &report.verdict.per_treatment[place], expected);
    }
    comparison.differences
}

#[derive(Default)]
struct Comparison {
    prefix: String,
    differences: Vec<String>,
}

impl Comparison {
    fn treatment(&mut self, inputs: &TreatmentInputs, verdict: &TreatmentVerdict, expected: &Value) {
        self.same("tier", &tier(verdict.tier), &expected["tier"]);
        self.same("reasons", &Value::from_iter(reasons(verdict)), &expected["reasons"]);
        let reached = verdict.goal.as_ref().map(|goal| goal.reached);
        self.same("opens", &Value::from(reached), &expected["opens"]);
        self.difference("", &inputs.diff, expected);
        if inputs.diff.over_samples.is_some() {
            self.number("mean over samples", inputs.diff.over_samples, &expected["overSamples"]);
        }
        if !expected["p"].is_null() {
            self.number("p", inputs.diff.p, &expected["p"]);
        }
        self.risks(inputs, expected);
        self.missing(inputs, expected);
        self.parts(inputs, expected);
    }

    fn difference(&mut self, name: &str, diff: &DiffInputs, expected: &Value) {
        self.same(&format!("{name}n"), &Value::from(diff.n), &expected["n"]);
        self.number(&format!("{name}mean"), diff.mean, &expected["mean"]);
        self.number(&format!("{name}low"), diff.low, &expected["low"]);
        self.number(&format!("{name}high"), diff.high, &expected["high"]);
    }

    /// Compares the chances of kinds that no sample shows.
    fn risks(&mut self, inputs: &TreatmentInputs, expected: &Value) {
        let unseen = inputs.unseen.as_ref().unwrap();
        let risk = &expected["risk"];
        self.number("no gain", Some(unseen.no_gain), &risk["noGain"]);
        self.number("no loss", Some(unseen.no_loss), &risk["noLoss"]);
        self.number("worse", Some(unseen.worse), &risk["worse"]);
        self.number("better", Some(unseen.better), &risk["better"]);
        self.number("worse than the margin", unseen.worse_than_margin, &risk["worseThanMargin"]);
        self.number("control's room", unseen.control_room, &expected["rooms"]["control"]);
        self.number("treatment's room", unseen.treatment_room, &expected["rooms"]["treatment"]);
        if !expected["needed"].is_null() {
            self.same("samples needed", &Value::from(unseen.pairs_for_gain), &expected["needed"]);
        }
    }

    fn missing(&mut self, inputs: &TreatmentInputs, expected: &Value) {
        let missing = inputs.missing.unwrap_or_default();
        let bounds = inputs.missing.map_or([inputs.diff.low, inputs.diff.high], |missing| [missing.low, missing.high]);
        self.number("low*", bounds[0], &expected["lowStar"]);
        self.number("high*", bounds[1], &expected["highStar"]);
        let again = [missing.again.control, missing.again.treatment];
        self.same("asked again", &Value::from(again.to_vec()), &expected["again"]);
        match &missing.floor {
            Some(floor) => self.difference("floor ", floor, &expected["floor"]),
            None => self.same("floor", &Value::Null, &expected["floor"]),
        }
    }

    fn parts(&mut self, inputs: &TreatmentInputs, expected: &Value) {
        let Layers { fact, behavior, judge } = &inputs.layers;
        for (layer, inputs) in [(Layer::Fact, fact), (Layer::Behavior, behavior), (Layer::Judge, judge)] {
            let mean = inputs.as_ref().and_then(|inputs| inputs.mean);
            self.number(&format!("{layer:?}'s mean"), mean, &expected["layerMeans"][layer.name()]);
            let diff = inputs.as_ref().map(|inputs| &inputs.diff);
            self.part(layer.name(), diff, &expected["parts"][0]);
        }
        for (inputs, expected) in
            [&inputs.capabilities, &inputs.dimensions].into_iter().zip([1, 2].map(|i| &expected["parts"][i]))
        {
            for PartInputs { name, diff, .. } in inputs {
                self.part(name, diff.as_ref(), expected);
            }
        }
    }

    /// Compares a part of at least six samples.
    fn part(&mut self, name: &str, diff: Option<&DiffInputs>, expected: &Value) {
        if let (Some(diff), true) = (diff, expected[name].is_object()) {
            self.difference(&format!("{name}'s "), diff, &expected[name]);
        }
    }

    fn same(&mut self, name: &str, actual: &Value, expected: &Value) {
        if actual != expected {
            self.differences.push(format!("{}{name} is {actual}, not {expected}", self.prefix));
        }
    }

    /// Compares with a number, or with the ends of a band.
    fn number(&mut self, name: &str, actual: Option<f64>, expected: &Value) {
        let ends = [&expected[0], &expected[1]].map(Value::as_f64);
        let band = expected.as_f64().map(|point| (point, point)).or(ends[0].zip(ends[1]));
        let is_within = match (actual, band) {
            (Some(actual), Some((low, high))) => (low - NEAR..=high + NEAR).contains(&actual),
            (actual, band) => actual.is_none() && band.is_none(),
        };
        if !is_within {
            self.differences.push(format!("{}{name} is {actual:?}, not {expected}", self.prefix));
        }
    }
}

fn tier(tier: Tier) -> Value {
    serde_json::to_value(tier).unwrap()
}

/// Returns the names of the reasons that the script knows. All that is missing is one doubt; a layer that fell under the gate
/// is the only reason.
fn reasons<'v>(verdict: &'v TreatmentVerdict) -> BTreeSet<&'v str> {
    let name = |reason: &'v Note| match reason.message_key.id.strip_prefix("report-")? {
        "doubt-unanswered" | "doubt-lost" | "doubt-asked-again" => Some("doubt-missing"),
        "why-loss-unseen-ever" => Some("why-loss-unseen"),
        name if name.starts_with("doubt-") || name.starts_with("alarm-") || COMPARED.contains(&name) => Some(name),
        _ => None,
    };
    let names: BTreeSet<&str> = verdict.reasons.iter().filter_map(name).collect();
    if names.contains("why-layer-below") { BTreeSet::from(["why-layer-below"]) } else { names }
}
