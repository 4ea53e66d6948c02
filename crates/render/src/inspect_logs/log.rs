//! The log of one variant.

use std::collections::{BTreeMap, BTreeSet};

use eval_format::{Report, Status, VariantSummary};
use eval_spec::hash::short_hash;
use serde_json::{Value, json};

use super::sample::{InspectTrial, JUDGED};
use crate::view::comparison::executions;

/// The score that Inspect shows first, and `omk verdict` reads.
pub(super) const COMPOSITE: &str = "composite";

/// Digits of an id, as many as Inspect's own have.
const ID: usize = 22;

pub(super) struct LogOfVariant<'r> {
    report: &'r Report,
    variant: &'r str,
    summary: &'r VariantSummary,
}

impl<'r> LogOfVariant<'r> {
    /// `None` for a variant without a summary, which no report has.
    pub(super) fn of(report: &'r Report, variant: &'r str) -> Option<LogOfVariant<'r>> {
        Some(LogOfVariant { report, variant, summary: report.summary.get(variant)? })
    }

    pub(super) fn task(&self) -> &'r str {
        self.variant
    }

    pub(super) fn created(&self) -> &'r str {
        &self.report.meta.timestamp
    }

    /// Returns an id that is the same whenever the report is exported.
    pub(super) fn id(&self) -> String {
        short_hash(json!([self.report.id, self.variant]).to_string().as_bytes(), ID)
    }

    /// The executor and its model, as Inspect joins a provider and a model.
    fn model(&self) -> String {
        let meta = &self.report.meta;
        [meta.executor.as_str(), meta.model.as_str()]
            .into_iter()
            .filter(|part| !part.is_empty())
            .collect::<Vec<_>>()
            .join("/")
    }

    pub(super) fn document(&self) -> Value {
        let model = self.model();
        let own = executions(self.report).filter(|of| of.variant == self.variant && !of.sample.tripwire);
        let trials: Vec<Value> = own.filter_map(|of| InspectTrial { of: &of, model: &model }.document()).collect();
        let report = self.report;
        json!({
            "version": 2,
            "status": if report.status == Status::Complete { "success" } else { "cancelled" },
            "eval": self.eval(&model, &trials),
            "plan": self.plan(),
            "results": self.results(&trials),
            "stats": { "started_at": report.meta.timestamp, "completed_at": "" },
            "invalidated": false,
            "tags": [],
            "metadata": {},
            "samples": trials,
        })
    }

    fn eval(&self, model: &str, trials: &[Value]) -> Value {
        let Report { id, meta, .. } = self.report;
        let role =
            if meta.variants.first().is_some_and(|control| control == self.variant) { "control" } else { "treatment" };
        let mut ids: Vec<&Value> = Vec::new();
        for trial in trials {
            if ids.last() != Some(&&trial["id"]) {
                ids.push(&trial["id"]);
            }
        }
        json!({
            "eval_id": self.id(),
            "run_id": short_hash(id.as_bytes(), ID),
            "created": meta.timestamp,
            "task": self.variant,
            "task_id": self.id(),
            "task_version": 0,
            "dataset": { "name": meta.test_set.id, "location": meta.test_set.path, "samples": ids.len(), "sample_ids": ids },
            "model": model,
            "config": { "epochs": meta.repeat, "epochs_reducer": ["mean"], "fail_on_error": false },
            "packages": { "omk": meta.cli_version },
            "scorers": scorers(trials),
            "metadata": {
                "omk_report": id,
                "omk_role": role,
                "omk_artifact": meta.skill_hashes.get(self.variant),
                "omk_tier": self.report.verdict.tier.name(),
                "omk_seed": meta.seed,
                "omk_incomplete_reason": self.report.incomplete_reason,
            },
        })
    }

    fn plan(&self) -> Value {
        let meta = &self.report.meta;
        let generation = &meta.settings.generation;
        json!({
            "name": "plan",
            "steps": [{ "solver": format!("omk/{}", meta.executor), "params": {}, "params_passed": {} }],
            "config": { "temperature": generation.temperature, "max_tokens": generation.max_tokens },
        })
    }

    /// The means over the log's own samples, as Inspect computes them: over a sample's epochs first. Samples of one cluster
    /// and those that are held out count like all others, other than in the report.
    fn results(&self, trials: &[Value]) -> Value {
        let cases: BTreeSet<&str> = trials.iter().filter_map(|trial| trial["id"].as_str()).collect();
        let score = |name: &str| {
            let mut scored: BTreeMap<&str, (f64, f64)> = BTreeMap::new();
            for trial in trials {
                let value = trial["scores"][name]["value"].as_f64();
                if let (Some(id), Some(value)) = (trial["id"].as_str(), value) {
                    let (sum, epochs) = scored.entry(id).or_default();
                    (*sum, *epochs) = (*sum + value, *epochs + 1.0);
                }
            }
            let sum: f64 = scored.values().map(|(sum, epochs)| sum / epochs).sum();
            let mean = (!scored.is_empty()).then(|| sum / scored.len() as f64);
            json!({
                "name": name,
                "scorer": name,
                "scored_samples": scored.len(),
                "unscored_samples": cases.len() - scored.len(),
                "params": {},
                "metrics": { "mean": { "name": "mean", "value": mean, "params": {} } },
            })
        };
        json!({
            "total_samples": self.summary.total_samples * u64::from(self.report.meta.repeat),
            "completed_samples": trials.iter().filter(|trial| trial["error"].is_null()).count(),
            "scores": score_names(trials).into_iter().map(score).collect::<Vec<_>>(),
            "headline": { "scorer": COMPOSITE, "score": COMPOSITE, "metric": "mean" },
        })
    }
}

/// Every score that a sample of the log has, in the order in which Inspect shows them.
fn score_names(trials: &[Value]) -> Vec<&str> {
    let mut names: Vec<&str> = Vec::new();
    for name in trials.iter().filter_map(|trial| trial["scores"].as_object()).flat_map(|scores| scores.keys()) {
        if !names.contains(&name.as_str()) {
            names.push(name);
        }
    }
    names.sort_by_key(|name| (name.starts_with(JUDGED), **name != *COMPOSITE));
    names
}

fn scorers(trials: &[Value]) -> Vec<Value> {
    let scorer = |name: &str| json!({ "name": name, "options": {}, "metrics": [{ "name": "inspect_ai/mean", "options": {} }], "metadata": {} });
    score_names(trials).into_iter().map(scorer).collect()
}
