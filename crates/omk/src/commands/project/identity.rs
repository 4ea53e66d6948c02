//! The identity of a run: its plan, and the hashes of its inputs by name.

use std::collections::{BTreeSet, HashSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use eval_cli::judges::Seat;
use eval_exec::ExecutorKind;
use eval_format::{EarlierReading, Status};
use eval_grade::EXPECTATION_TEMPLATE;
use eval_history::{LookArm, LookQuestion, RunAnswers, TakenOver};
use eval_spec::hash::{canonical_json, sha256_hex};
use eval_spec::plan::Plan;
use eval_spec::record::EarlierLook;
use eval_spec::sample::EXPECTATION;
use eval_spec::surroundings::UncopiedFiles;
use eval_spec::{Cell, CellKey, Context, Suite, Variant};
use serde_json::{Value, json};

use super::Project;
use crate::commands::stored::directory;

impl Project {
    /// The plan: every cell in its order, with its fingerprint.
    pub(crate) fn plan(&self) -> Plan {
        let sample_ids: Vec<Arc<str>> = self.suite.samples.iter().map(|sample| sample.id.as_str().into()).collect();
        let subjects: Vec<Arc<str>> = self.suite.variants.iter().map(|variant| variant.name.as_str().into()).collect();
        let identity = self.executor.identity();
        eval_run::plan(
            &sample_ids,
            &subjects,
            self.order(),
            |sample, subject, repeat| {
                let key = CellKey {
                    sample: Arc::clone(&sample_ids[sample]),
                    subject: Arc::clone(&subjects[subject]),
                    repeat,
                };
                self.calls.call(key, sample, subject).fingerprint(identity).into()
            },
            &self.grading_hash(),
        )
    }

    /// A run that may end early runs whole samples, those first that are run in any case.
    fn order(&self) -> Vec<(usize, usize, u32)> {
        let Suite { samples, variants, settings, .. } = &self.suite;
        match settings.planned_looks().is_some() {
            true => {
                let heads = eval_analysis::task_heads(&self.suite, self.alike());
                let (is_first, head) = (|sample: usize| samples[sample].tripwire, |sample: usize| heads[sample]);
                eval_run::order_by_sample(
                    samples.len(),
                    variants.len(),
                    settings.repeat,
                    self.order_seed,
                    is_first,
                    head,
                )
            }
            false => eval_run::order(samples.len(), variants.len(), settings.repeat, self.order_seed),
        }
    }

    /// The samples that each planned look reads beyond those of the look before.
    pub(crate) fn looks(&self, plan: &Plan) -> Vec<Vec<String>> {
        let looks = eval_analysis::looked_at(&self.suite, self.alike(), plan);
        let names = |look: Vec<usize>| look.into_iter().map(|sample| self.suite.samples[sample].id.clone()).collect();
        looks.into_iter().map(names).collect()
    }

    /// Reports in which these artifacts were compared before the run with this id; of one that is complete, before its report was
    /// written.
    pub(crate) fn earlier_looks(&self, context: &Context, plan: &Plan, id: Option<&str>) -> Vec<EarlierLook> {
        if self.suite.settings.aa || self.suite.variants.len() < 2 {
            return Vec::new();
        }
        self.ask_earlier(context, plan, id, eval_history::earlier_looks)
    }

    /// How reports in which these artifacts were compared read their scores, before the run with this id was read.
    pub(crate) fn earlier_readings(&self, context: &Context, plan: &Plan, id: &str) -> Vec<EarlierReading> {
        if self.suite.settings.aa || self.suite.variants.len() < 2 {
            return Vec::new();
        }
        self.ask_earlier(context, plan, Some(id), eval_history::earlier_readings)
    }

    /// The reports from whose runs the run with this id took answers over.
    pub(crate) fn taken_over(&self, context: &Context, plan: &Plan, id: &str, answers: &RunAnswers) -> Vec<TakenOver> {
        self.ask_earlier(context, plan, Some(id), |directory, question| {
            eval_history::taken_over(directory, question, answers)
        })
    }

    /// Calls `ask` with the directory of reports, and with what a report is like that compared the same before.
    fn ask_earlier<T>(
        &self,
        context: &Context,
        plan: &Plan,
        id: Option<&str>,
        ask: impl FnOnce(&Path, &LookQuestion) -> T,
    ) -> T {
        let Suite { variants, settings, .. } = &self.suite;
        let arm = |variant: &Variant| LookArm {
            name: variant.name.clone(),
            hash: variant.artifact.hash(),
            text_hash: variant.artifact.text_hash(),
        };
        let directory = directory(context, settings);
        let own = id.and_then(|id| eval_format::report_path(id, &directory).ok()).filter(|path| path.exists());
        let is_complete =
            |path: &PathBuf| eval_history::read_analysis(path).is_ok_and(|report| report.status == Status::Complete);
        let until = own.filter(is_complete).and_then(|path| std::fs::metadata(path).ok()?.modified().ok());
        let kind = eval_exec::kind(&settings.executor);
        let question = LookQuestion {
            id,
            // a program is told any model, and recordings are found without one
            model: (!matches!(kind, ExecutorKind::Program | ExecutorKind::Recordings)).then_some(&settings.model),
            arms: variants.iter().map(arm).collect(),
            imported: None,
            samples: &self.sample_file.hashes.iter().cloned().collect(),
            not_read: &self.not_read(plan),
            until,
        };
        ask(&directory, &question)
    }

    /// The samples beyond the last look, by their ids.
    pub(crate) fn not_read(&self, plan: &Plan) -> BTreeSet<String> {
        let Some(part) = self.up_to_last_look(plan) else { return BTreeSet::new() };
        let read = part.cells.iter().map(|cell| &*cell.key.sample).collect::<HashSet<_>>();
        self.sample_file.hashes.iter().map(|(id, _)| id).filter(|id| !read.contains(&***id)).cloned().collect()
    }

    /// The part of `plan` that the looks read, and the tripwires; `None` for all of it.
    pub(crate) fn up_to_last_look(&self, plan: &Plan) -> Option<Plan> {
        self.suite.settings.max_samples?;
        let read: HashSet<usize> =
            eval_analysis::looked_at(&self.suite, self.alike(), plan).concat().into_iter().collect();
        let is_run = |cell: &&Cell| self.suite.samples[cell.sample].tripwire || read.contains(&cell.sample);
        let cells: Vec<Cell> = plan.cells.iter().filter(is_run).cloned().collect();
        (!read.is_empty() && cells.len() < plan.cells.len()).then(|| Plan { cells, hash: plan.hash.clone() })
    }

    /// Files that the copies of working directories lack.
    pub(crate) fn uncopied(&self) -> &[UncopiedFiles] {
        self.calls.uncopied()
    }

    /// The directories whose content decides answers.
    pub(crate) fn working_directories(&self) -> Vec<String> {
        self.calls.cwds().as_object().map(|trees| trees.keys().cloned().collect()).unwrap_or_default()
    }

    /// The pairs of answers that judges compare.
    pub(crate) fn pairs<'p>(&self, plan: &'p Plan) -> Vec<[&'p Cell; 2]> {
        eval_run::pairs(plan, |sample| self.grading.compared(sample) > 0)
    }

    /// The inputs by name, to tell what changed between two runs.
    pub(crate) fn inputs(&self) -> Value {
        let settings = &self.suite.settings;
        let samples: serde_json::Map<_, _> =
            self.sample_file.hashes.iter().map(|(id, hash)| (id.clone(), json!(hash))).collect();
        let variants: serde_json::Map<_, _> =
            self.suite.variants.iter().map(|variant| (variant.name.clone(), json!(variant.artifact.hash()))).collect();
        let permissions: serde_json::Map<_, _> = self
            .suite
            .variants
            .iter()
            .map(|variant| (variant.name.clone(), json!(settings.permissions_of_variant(variant))))
            .collect();
        let urls: serde_json::Map<_, _> =
            self.urls.iter().map(|of| (of.url.clone(), json!(of.page.as_ref().map(|page| &page.sha256)))).collect();
        json!({
            "samples": samples,
            "urls": urls,
            "variants": variants,
            "scripts": self.grading.script_hashes(),
            "executor": self.executor.identity(),
            "model": settings.model,
            "effort": settings.effort,
            "generation": settings.generation,
            "allowedTools": settings.allowed_tools,
            "permissions": permissions,
            "sandbox": settings.sandbox,
            "network": settings.network,
            "cwd": self.calls.cwds(),
            "judge": self.judged_by(),
            "customRuntime": settings.custom_runtime,
            // Only an explicit seed: the default one follows from the test set.
            "seed": settings.seed,
            "repeat": settings.repeat,
            // It decides the order.
            "looks": settings.planned_looks(),
            "maxSamples": settings.max_samples,
        })
    }

    /// Everything that determines the judges' scores.
    fn judged_by(&self) -> Value {
        let settings = &self.suite.settings;
        if self.judges.is_empty() {
            return json!(settings.judge);
        }
        let judge = |seat: &Seat| json!({"model": seat.model, "executor": seat.executor.identity()});
        let mut judged_by = json!({
            "judges": self.judges.iter().map(judge).collect::<Vec<_>>(),
            "repeat": settings.judge_repeat,
            "template": eval_grade::template_name(settings.debias_length),
            "hash": eval_grade::template_hash(settings.debias_length),
        });
        if self.is_pairwise() {
            judged_by["pairwise"] = json!({
                "mode": settings.judge_mode,
                "template": eval_grade::pairwise_template_name(settings.debias_length),
                "hash": eval_grade::pairwise_template_hash(settings.debias_length),
            });
        }
        if self.has_expectations() {
            judged_by["expectation"] =
                json!({"template": EXPECTATION_TEMPLATE, "hash": eval_grade::expectation_template_hash()});
        }
        judged_by
    }

    /// Whether the samples are evals of an `evals.json`, whose expectations judges have a template of their own for.
    pub(crate) fn has_expectations(&self) -> bool {
        let mut assertions = self.suite.samples.iter().flat_map(|sample| &sample.assertions);
        assertions.any(|assertion| assertion.kind == EXPECTATION)
    }

    /// Whether judges are asked about nothing but expectations, whose template has no length setting.
    pub(crate) fn has_only_expectations(&self) -> bool {
        let mut samples = self.suite.samples.iter().enumerate();
        samples.all(|(at, sample)| {
            let expectations = sample.assertions.iter().filter(|assertion| assertion.kind == EXPECTATION);
            self.grading.questions(at) == expectations.count()
        })
    }

    /// Whether judges compare answers to any sample.
    pub(crate) fn is_pairwise(&self) -> bool {
        (0..self.suite.samples.len()).any(|sample| self.grading.compared(sample) > 0)
    }

    /// The hashes of the judges' prompts, for scores and for comparisons, as reports have them.
    pub(crate) fn judge_prompts(&self) -> [Option<String>; 2] {
        let debias = self.suite.settings.debias_length;
        let of_scores = match self.has_expectations() {
            true => eval_grade::expectation_template_hash(),
            false => eval_grade::template_hash(debias),
        };
        [Some(of_scores), self.is_pairwise().then(|| eval_grade::pairwise_template_hash(debias))]
    }

    fn grading_hash(&self) -> String {
        let settings = &self.suite.settings;
        let what = json!({
            "samples": self.sample_file.hashes,
            "scripts": self.grading.script_hashes(),
            "customRuntime": settings.custom_runtime,
            "judge": self.judged_by(),
        });
        sha256_hex(canonical_json(&what).as_bytes())
    }
}
