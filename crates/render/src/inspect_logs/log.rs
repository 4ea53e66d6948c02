//! The log of one variant.

use std::collections::BTreeSet;

use eval_format::{Report, Status, VariantSummary};
use eval_spec::Layer;
use eval_spec::hash::short_hash;
use serde_json::{Value, json};

use super::sample::{InspectTrial, JUDGED, share};
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

    /// The same whenever the report is exported.
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

    /// The means that the report has.
    fn results(&self, trials: &[Value]) -> Value {
        let summary = self.summary;
        let cases: BTreeSet<&str> = trials.iter().filter_map(|trial| trial["id"].as_str()).collect();
        let score = |name: &str, points: Option<f64>, scored: u64| {
            let unscored = u64::try_from(cases.len()).unwrap_or(u64::MAX).saturating_sub(scored);
            points.filter(|points| *points > 0.0).map(|points| {
                json!({
                    "name": name,
                    "scorer": name,
                    "scored_samples": scored,
                    "unscored_samples": unscored,
                    "params": {},
                    "metrics": { "mean": { "name": "mean", "value": share(points), "params": {} } },
                })
            })
        };
        let composite = score(COMPOSITE, summary.avg_composite_score, summary.scored_samples);
        let layers = Layer::ALL.iter().filter_map(|layer| {
            let of = summary.layers.get(*layer)?;
            score(layer.name(), of.mean, of.n)
        });
        let scores: Vec<Value> = composite.into_iter().chain(layers).collect();
        json!({
            "total_samples": summary.total_samples * u64::from(self.report.meta.repeat),
            "completed_samples": trials.iter().filter(|trial| trial["error"].is_null()).count(),
            "scores": scores,
            "headline": { "scorer": COMPOSITE, "score": COMPOSITE, "metric": "mean" },
        })
    }
}

/// Every score that a sample of the log has.
fn scorers(trials: &[Value]) -> Vec<Value> {
    let mut names: Vec<&str> = Vec::new();
    for name in trials.iter().filter_map(|trial| trial["scores"].as_object()).flat_map(|scores| scores.keys()) {
        if !names.contains(&name.as_str()) {
            names.push(name);
        }
    }
    // the order in which Inspect shows them
    names.sort_by_key(|name| (name.starts_with(JUDGED), **name != *COMPOSITE));
    let scorer = |name: &&str| json!({ "name": name, "options": {}, "metrics": [{ "name": "inspect_ai/mean", "options": {} }], "metadata": {} });
    names.iter().map(scorer).collect()
}
