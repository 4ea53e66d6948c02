//! `eval.yaml`: evaluation as code.
//!
//! One table lists the keys, their types and their fields; reading, "did you mean" and the docs use it.

use std::path::{Path, PathBuf};

use eval_message::{MessageKey, key, msg};
use eval_spec::call::Generation;
use eval_spec::gap::GapRules;
use eval_spec::source::Place;
use eval_spec::suite::{
    ArmPart, Delivery, GateTier, Goal, HedgingClassifier, NetworkAccess, PermissionMode, USUAL_LOOKS, VariantRef,
    Written,
};
use eval_spec::{Context, Diagnostics, JudgeMode};

use super::decode::{self, Keys, closest};
use super::document::{decode_file, format_of};
use super::problems::Problems;
use super::tree::{self, Node, NodeData};
use super::{Loaded, file};
use crate::settings::SettingShape::{
    Flag, FlagOr, Gap, Hedging, Number, OneOf, Path as PathShape, Paths, Text, Texts, Triggers, Variant, Variants,
    Whole, Words,
};

/// One key of `eval.yaml`.
#[derive(Clone, Copy, Debug)]
pub struct SettingKey {
    /// The key.
    pub name: &'static str,
    /// Its type.
    pub shape: SettingShape,
    /// One line for people: a message key.
    pub doc: MessageKey,
}

/// The type of a key of `eval.yaml`, and its setter in [`Written`].
#[derive(Clone, Copy, Debug)]
pub enum SettingShape {
    /// A path, relative to the file's directory.
    Path(fn(&mut Written, PathBuf)),
    /// Text that is not empty.
    Text(fn(&mut Written, String)),
    /// One of these words.
    OneOf(&'static [&'static str], fn(&mut Written, String)),
    /// `true` or `false`.
    Flag(fn(&mut Written, bool)),
    /// `true`, `false`, or one of these words, which says `true` and how.
    FlagOr(&'static [&'static str], fn(&mut Written, bool, Option<&str>)),
    /// A whole number from the first to the second bound, both included.
    Whole(u64, u64, fn(&mut Written, u64)),
    /// A number from the first to the second bound, both included.
    Number(f64, f64, fn(&mut Written, f64)),
    /// A list of some of these words; a single one may be written without a list.
    Words(&'static [&'static str], fn(&mut Written, Vec<String>)),
    /// Queries: a path, a list of them, or `{queries, with}` with the skills beside; the setters of the file that they
    /// stand in and of those skills.
    Triggers(fn(&mut Written, PathBuf), fn(&mut Written, Vec<String>)),
    /// What counts as a gap: `{ markers, searchTools, emptyResult }`.
    Gap(fn(&mut Written, GapRules)),
    /// The classifier of hedging: `{ enabled, model, maxCandidates }`.
    Hedging(fn(&mut Written, HedgingClassifier)),
    /// A path or several, relative to the file's directory.
    Paths(fn(&mut Written, Vec<PathBuf>)),
    /// A list of texts.
    Texts(fn(&mut Written, Vec<String>)),
    /// A variant: a reference, or `{name, artifact, cwd}`.
    Variant(fn(&mut Written, VariantRef)),
    /// A list of variants; a single one may be written without a list.
    Variants(fn(&mut Written, Vec<VariantRef>)),
}

const U32: u64 = u32::MAX as u64;
/// More sentences than a run should pay for: a larger number is a typing error.
const MOST_CANDIDATES: u64 = 10_000;
/// More looks change next to nothing.
const MOST_LOOKS: u64 = 20;
/// The largest money bound: no run costs more.
const MAX_USD: f64 = 1e9;
/// A week: a longer time limit is a typing error.
const MAX_SECONDS: f64 = 604_800.0;

const fn setting(name: &'static str, doc: MessageKey, shape: SettingShape) -> SettingKey {
    SettingKey { name, shape, doc }
}

fn generation(written: &mut Written) -> &mut Generation {
    written.generation.get_or_insert_default()
}

fn judge(written: &mut Written, judge: bool, mode: Option<&str>) {
    written.judge = Some(judge);
    written.judge_mode = mode.and_then(JudgeMode::named);
}

/// As `u32`; the table's bounds are never above.
fn small(n: u64) -> u32 {
    u32::try_from(n).unwrap_or(u32::MAX)
}

/// The keys of `eval.yaml`, in the order of the docs.
pub const SETTING_KEYS: &[SettingKey] = &[
    setting("samples", key!("load-key-samples"), PathShape(|w, v| w.samples = Some(v))),
    setting("skillDir", key!("load-key-skill-dir"), PathShape(|w, v| w.skill_dir = Some(v))),
    setting("control", key!("load-key-control"), Variant(|w, v| w.control = Some(Some(v)))),
    setting("treatments", key!("load-key-treatments"), Variants(|w, v| w.treatments = Some(v))),
    setting("delivery", key!("load-key-delivery"), OneOf(Delivery::WORDS, |w, v| w.delivery = Delivery::named(&v))),
    setting("varies", key!("load-key-varies"), Words(ArmPart::WORDS, |w, v| w.varies = Some(ArmPart::all_named(&v)))),
    setting(
        "triggers",
        key!("load-key-triggers"),
        Triggers(|w, v| w.triggers = Some(Some(v)), |w, v| w.neighbours = Some(v)),
    ),
    setting("minRecall", key!("load-key-min-recall"), Number(0.0, 1.0, |w, v| w.min_recall = Some(Some(v)))),
    setting("minPrecision", key!("load-key-min-precision"), Number(0.0, 1.0, |w, v| w.min_precision = Some(Some(v)))),
    setting("maxGapRate", key!("load-key-max-gap-rate"), Number(0.0, 1.0, |w, v| w.max_gap_rate = Some(Some(v)))),
    setting(
        "gapRateRegression",
        key!("load-key-gap-rate-regression"),
        Number(0.0, 1.0, |w, v| w.gap_rate_regression = Some(Some(v))),
    ),
    setting("gap", key!("load-key-gap"), Gap(|w, v| w.gap = Some(v))),
    setting("hedgingClassifier", key!("load-key-hedging-classifier"), Hedging(|w, v| w.hedging_classifier = Some(v))),
    setting("kb", key!("load-key-kb"), Paths(|w, v| w.kb = Some(v))),
    setting("executor", key!("load-key-executor"), Text(|w, v| w.executor = Some(v))),
    setting("model", key!("load-key-model"), Text(|w, v| w.model = Some(v))),
    setting("effort", key!("load-key-effort"), Text(|w, v| w.effort = Some(Some(v)))),
    setting("temperature", key!("load-key-temperature"), Number(0.0, 2.0, |w, v| generation(w).temperature = Some(v))),
    setting("maxTokens", key!("load-key-max-tokens"), Whole(1, U32, |w, v| generation(w).max_tokens = Some(small(v)))),
    setting("maxTurns", key!("load-key-max-turns"), Whole(1, U32, |w, v| generation(w).max_turns = Some(small(v)))),
    setting("allowedTools", key!("load-key-allowed-tools"), Texts(|w, v| w.allowed_tools = Some(Some(v)))),
    setting(
        "permissions",
        key!("load-key-permissions"),
        OneOf(PermissionMode::WORDS, |w, v| w.permissions = PermissionMode::named(&v)),
    ),
    setting("sandbox", key!("load-key-sandbox"), Flag(|w, v| w.sandbox = Some(v))),
    setting(
        "network",
        key!("load-key-network"),
        OneOf(NetworkAccess::WORDS, |w, v| w.network = NetworkAccess::named(&v)),
    ),
    setting("recordings", key!("load-key-recordings"), PathShape(|w, v| w.recordings = Some(Some(v)))),
    setting("record", key!("load-key-record"), PathShape(|w, v| w.record = Some(Some(v)))),
    setting("judge", key!("load-key-judge"), FlagOr(JudgeMode::WORDS, judge)),
    setting("judgeModel", key!("load-key-judge-model"), Text(|w, v| w.judge_models = Some(vec![v]))),
    setting("judgeModels", key!("load-key-judge-models"), Texts(|w, v| w.judge_models = Some(v))),
    setting("judgeExecutor", key!("load-key-judge-executor"), Text(|w, v| w.judge_executor = Some(Some(v)))),
    setting("judgeRepeat", key!("load-key-judge-repeat"), Whole(1, 100, |w, v| w.judge_repeat = Some(small(v)))),
    setting("debiasLength", key!("load-key-debias-length"), Flag(|w, v| w.debias_length = Some(v))),
    setting("goldDir", key!("load-key-gold-dir"), PathShape(|w, v| w.gold_dir = Some(Some(v)))),
    setting(
        "concurrency",
        key!("load-key-concurrency"),
        Whole(1, 10_000, |w, v| w.concurrency = Some(small(v) as usize)),
    ),
    setting("repeat", key!("load-key-repeat"), Whole(1, 10_000, |w, v| w.repeat = Some(small(v)))),
    setting("timeout", key!("load-key-timeout"), Number(0.001, MAX_SECONDS, |w, v| w.timeout_ms = Some(millis(v)))),
    setting("retry", key!("load-key-retry"), Whole(0, 100, |w, v| w.retry = Some(small(v)))),
    setting("rpm", key!("load-key-rpm"), Whole(1, U32, |w, v| w.rpm = Some(Some(small(v))))),
    setting("tpm", key!("load-key-tpm"), Whole(1, u64::MAX, |w, v| w.tpm = Some(Some(v)))),
    setting("urlFetch", key!("load-key-url-fetch"), Flag(|w, v| w.url_fetch = Some(v))),
    setting("allowMissingUrls", key!("load-key-allow-missing-urls"), Flag(|w, v| w.allow_missing_urls = Some(v))),
    setting("allowPrivateUrls", key!("load-key-allow-private-urls"), Flag(|w, v| w.allow_private_urls = Some(v))),
    setting("mcpConfig", key!("load-key-mcp-config"), PathShape(|w, v| w.mcp_config = Some(Some(v)))),
    setting("cache", key!("load-key-cache"), Flag(|w, v| w.cache = Some(v))),
    setting("budgetUsd", key!("load-key-budget-usd"), Number(0.0, MAX_USD, |w, v| w.budget_usd = Some(Some(v)))),
    setting(
        "budgetPerSampleUsd",
        key!("load-key-budget-per-sample-usd"),
        Number(0.0, MAX_USD, |w, v| w.budget_per_sample_usd = Some(Some(v))),
    ),
    setting(
        "budgetPerSampleMs",
        key!("load-key-budget-per-sample-ms"),
        Whole(1, u64::MAX, |w, v| w.budget_per_sample_ms = Some(Some(v))),
    ),
    setting("allowUnknownCost", key!("load-key-allow-unknown-cost"), Flag(|w, v| w.allow_unknown_cost = Some(v))),
    setting("seed", key!("load-key-seed"), Whole(0, u64::MAX, |w, v| w.seed = Some(Some(v)))),
    setting(
        "bootstrapSamples",
        key!("load-key-bootstrap-samples"),
        Whole(1000, 10_000_000, |w, v| w.bootstrap_samples = Some(small(v))),
    ),
    setting("ci", key!("load-key-ci"), OneOf(&["expanded", "percentile", "bca", "t"], |w, v| w.ci = Some(v))),
    setting("minEffect", key!("load-key-min-effect"), Number(0.001, 4.0, |w, v| w.min_effect = Some(v))),
    setting("minPreference", key!("load-key-min-preference"), Number(0.001, 1.0, |w, v| w.min_preference = Some(v))),
    setting("trivialDiff", key!("load-key-trivial-diff"), Number(0.0, 4.0, |w, v| w.trivial_diff = Some(v))),
    setting("threshold", key!("load-key-threshold"), Number(1.0, 5.0, |w, v| w.threshold = Some(v))),
    setting("looks", key!("load-key-looks"), Whole(1, MOST_LOOKS, |w, v| w.looks = Some(small(v)))),
    setting("maxSamples", key!("load-key-max-samples"), Whole(1, u64::MAX, |w, v| w.max_samples = Some(Some(v)))),
    setting(
        "stopWhenDecided",
        key!("load-key-stop-when-decided"),
        Flag(|w, v| w.looks = w.looks.or(Some(if v { USUAL_LOOKS } else { 0 }))),
    ),
    setting("holdout", key!("load-key-holdout"), Number(0.001, 0.999, |w, v| w.holdout = Some(Some(v)))),
    setting("gate", key!("load-key-gate"), OneOf(GateTier::WORDS, |w, v| w.gate = GateTier::named(&v))),
    setting("goal", key!("load-key-goal"), OneOf(Goal::WORDS, |w, v| w.goal = Goal::named(&v))),
    setting("margin", key!("load-key-margin"), Number(0.001, 4.0, |w, v| w.margin = Some(v))),
    setting("reportOnly", key!("load-key-report-only"), Flag(|w, v| w.report_only = Some(v))),
    setting("maxFailureRate", key!("load-key-max-failure-rate"), Number(0.0, 1.0, |w, v| w.max_failure_rate = Some(v))),
    setting("outputDir", key!("load-key-output-dir"), PathShape(|w, v| w.output_dir = Some(Some(v)))),
    setting("blind", key!("load-key-blind"), Flag(|w, v| w.blind = Some(v))),
    setting("texts", key!("load-key-texts"), Flag(|w, v| w.texts = Some(v))),
    setting("strictBaseline", key!("load-key-strict-baseline"), Flag(|w, v| w.strict_baseline = Some(v))),
    setting(
        "customRuntime",
        key!("load-key-custom-runtime"),
        OneOf(&["embedded", "node"], |w, v| w.custom_runtime = Some(v)),
    ),
];

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "between 1 and a week's milliseconds")]
fn millis(seconds: f64) -> u64 {
    (seconds * 1000.0).round() as u64
}

/// Reads `eval.yaml` (or a `.json` of the same shape). Paths in it become absolute, read against the
/// file's directory.
///
/// # Errors
/// Everything that is wrong with the file, in file order.
pub fn eval_file(context: &Context, path: &Path) -> Result<Loaded<Written>, Diagnostics> {
    let path = context.absolute(path);
    let base = path.parent().unwrap_or(Path::new(""));
    decode_file(context, &path, msg!("load-settings-empty"), |root, problems| {
        if let NodeData::Null = root.data { None } else { settings(root, context, &path, base, problems) }
    })
}

/// Whether an `eval.yaml` may be ours: other tools have files of this name. One that can't be read is, so that it is read
/// again, and the errors are reported.
#[must_use]
pub fn is_eval_file(context: &Context, path: &Path) -> bool {
    let Ok(source) = file::read(context, &context.absolute(path)) else { return true };
    let mut problems = Problems::new(context, &source);
    let root = tree::parse(format_of(path), &source.text, 0, &mut problems);
    root.is_none_or(|root| !is_foreign(&root))
}

/// Whether a file with several keys has none of ours, or those of waza, whose files are called `eval.yaml`, too.
fn is_foreign(root: &Node) -> bool {
    let NodeData::Object(entries) = &root.data else { return false };
    let known: Vec<&str> = SETTING_KEYS.iter().map(|key| key.name).collect();
    let is_ours = |key: &str| {
        known.contains(&key) || FOREIGN.iter().any(|(foreign, _)| *foreign == key) || closest(key, &known).is_some()
    };
    let is_waza = ["tasks", "skill"].iter().all(|key| root.get(key).is_some());
    is_waza || (entries.len() > 1 && !entries.iter().any(|entry| is_ours(&entry.key)))
}

/// The place of the value of `key` in an `eval.yaml` that was read without errors; `None` if it has no
/// such key, or can't be read any more.
#[must_use]
pub fn setting_place(context: &Context, path: &Path, key: &str) -> Option<Place> {
    let source = file::read(context, &context.absolute(path)).ok()?;
    let mut problems = Problems::new(context, &source);
    let root = tree::parse(format_of(path), &source.text, 0, &mut problems)?;
    Some(problems.head(root.get(key)?.span))
}

fn settings(root: &Node, context: &Context, path: &Path, base: &Path, problems: &mut Problems) -> Option<Written> {
    let names: Vec<&str> = SETTING_KEYS.iter().map(|key| key.name).collect();
    let keys = Keys { known: &names, foreign: FOREIGN };
    let mut written = Written::default();
    if is_foreign(root) {
        let message = msg!("load-settings-foreign", path = problems.shown(path));
        problems.error_with_help(root.span, message, Some(msg!("load-settings-foreign-help")));
        return None;
    }
    let fields = decode::object(root, keys, problems)?;
    let mut reader = SettingReader { context, path, base, problems };
    for key in SETTING_KEYS {
        if let Some(node) = fields.get(key.name) {
            reader.set(key, node, &mut written);
        }
    }
    Some(written)
}

const FOREIGN: &[(&str, &str)] = &[
    ("variants", "treatments"),
    ("treatment", "treatments"),
    ("baseline", "control"),
    ("skills", "skillDir"),
    ("provider", "executor"),
    ("timeoutMs", "timeout"),
    ("timeout_ms", "timeout"),
    ("budget", "budgetUsd"),
    ("parallel", "concurrency"),
    ("runs", "repeat"),
    ("retries", "retry"),
    ("output", "outputDir"),
    ("noJudge", "judge"),
    ("judges", "judgeModels"),
    ("lengthDebias", "debiasLength"),
    ("gold", "goldDir"),
    ("noCache", "cache"),
];

/// The keys of a variant that is no bare reference.
const VARIANT_KEYS: [&str; 6] = ["name", "artifact", "cwd", "delivery", "allowedSkills", "permissions"];

struct SettingReader<'a> {
    context: &'a Context,
    path: &'a Path,
    base: &'a Path,
    problems: &'a mut Problems,
}

impl SettingReader<'_> {
    fn set(&mut self, key: &SettingKey, node: &Node, written: &mut Written) {
        let problems = &mut *self.problems;
        match key.shape {
            PathShape(set) => decode::path_text(node, problems).map(|path| set(written, self.base.join(path))),
            Text(set) => decode::filled_text(node, problems).map(|text| set(written, text)),
            OneOf(words, set) => decode::one_of(node, words, problems).map(|word| set(written, word.to_owned())),
            Flag(set) => decode::flag(node, problems).map(|flag| set(written, flag)),
            FlagOr(words, set) => match &node.data {
                NodeData::Text(word) if words.contains(&word.as_str()) => {
                    set(written, true, Some(word));
                    Some(())
                }
                NodeData::Text(word) if !["true", "false"].contains(&word.as_str()) => {
                    let known: Vec<&str> = ["true", "false"].iter().chain(words).copied().collect();
                    decode::one_of(node, &known, problems).map(drop)
                }
                _ => decode::flag(node, problems).map(|flag| set(written, flag, None)),
            },
            Whole(low, high, set) => decode::whole(node, low..=high, problems).map(|n| set(written, n)),
            Number(low, high, set) => decode::number(node, low..=high, problems).map(|n| set(written, n)),
            Triggers(set, set_neighbours) => self.triggers(node).map(|(path, neighbours)| {
                set(written, path);
                if !neighbours.is_empty() {
                    set_neighbours(written, neighbours);
                }
            }),
            Gap(set) => self.gap(node).map(|rules| set(written, rules)),
            Hedging(set) => self.hedging(node).map(|classifier| set(written, classifier)),
            Paths(set) => self.paths(node).map(|paths| set(written, paths)),
            Words(words, set) => decode::some_of(node, words, problems).map(|found| set(written, found)),
            Texts(set) => decode::texts(node, problems).map(|texts| set(written, texts)),
            Variant(set) => self.variant(node).map(|variant| set(written, variant)),
            Variants(set) => self.variants(node).map(|variants| set(written, variants)),
        };
    }

    /// The file of the queries (this one where they stand in it; they are checked when they are read as samples), and the
    /// skills beside.
    fn triggers(&mut self, node: &Node) -> Option<(PathBuf, Vec<String>)> {
        let (queries, neighbours) = match &node.data {
            NodeData::Object(_) => {
                let keys =
                    Keys { known: &["queries", "with"], foreign: &[("file", "queries"), ("neighbours", "with")] };
                let fields = decode::object(node, keys, self.problems)?;
                let with = fields.decoded("with", decode::texts, self.problems).unwrap_or_default();
                (fields.require("queries", self.problems)?, with.into_iter().map(|skill| self.based(skill)).collect())
            }
            _ => (node, Vec::new()),
        };
        let path = match &queries.data {
            NodeData::List(items) if items.is_empty() => {
                return decode::unexpected(queries, "list-of-queries", self.problems);
            }
            NodeData::List(_) => self.path.to_owned(),
            _ => self.base.join(decode::path_text(queries, self.problems)?),
        };
        Some((path, neighbours))
    }

    fn gap(&mut self, node: &Node) -> Option<GapRules> {
        let keys = Keys {
            known: &["markers", "searchTools", "emptyResult"],
            foreign: &[("marker", "markers"), ("searchTool", "searchTools"), ("emptyResults", "emptyResult")],
        };
        let fields = decode::object(node, keys, self.problems)?;
        let lists = ["markers", "searchTools", "emptyResult"].map(|key| fields.get(key));
        if lists.iter().all(Option::is_none) {
            self.problems.error(node.span, msg!("load-gap-empty"));
            return None;
        }
        let [markers, search_tools, empty_result] = lists.map(|list| match list {
            Some(list) => decode::texts(list, self.problems).map(|texts| (list.span, texts)),
            None => Some((node.span, Vec::new())),
        });
        let (markers, search_tools, empty_result) = (markers?, search_tools?, empty_result?);
        // one without a letter would be in every text
        let is_blank = |text: &&String| !text.chars().any(char::is_alphanumeric);
        if let Some(marker) = markers.1.iter().find(is_blank) {
            self.problems.error(markers.0, msg!("load-marker-letters", marker = marker));
            return None;
        }
        if let Some(tool) = search_tools.1.iter().find(is_blank) {
            self.problems.error(search_tools.0, msg!("load-search-tool-letters", tool = tool));
            return None;
        }
        for pattern in &empty_result.1 {
            if let Err(error) = regex::Regex::new(pattern) {
                let why = error.to_string();
                self.problems.error(empty_result.0, msg!("load-empty-result", pattern = pattern, why = why));
                return None;
            }
        }
        if search_tools.1.is_empty() && !empty_result.1.is_empty() {
            self.problems.error(empty_result.0, msg!("load-empty-result-alone"));
            return None;
        }
        let trimmed = |texts: &[String]| texts.iter().map(|text| text.trim().to_owned()).collect();
        Some(GapRules {
            markers: trimmed(&markers.1),
            search_tools: trimmed(&search_tools.1),
            empty_result: empty_result.1,
        })
    }

    /// The classifier of hedging; without a number, a run has the default one.
    fn hedging(&mut self, node: &Node) -> Option<HedgingClassifier> {
        let keys = Keys {
            known: &["enabled", "model", "maxCandidates"],
            foreign: &[("judge", "model"), ("max", "maxCandidates"), ("limit", "maxCandidates")],
        };
        let fields = decode::object(node, keys, self.problems)?;
        let most = |node: &Node, problems: &mut Problems| decode::whole(node, 1..=MOST_CANDIDATES, problems);
        let enabled = fields.decoded("enabled", decode::flag, self.problems);
        let model = fields.decoded("model", decode::filled_text, self.problems);
        let most = fields.decoded("maxCandidates", most, self.problems);
        let max_candidates = most.map_or_else(|| HedgingClassifier::default().max_candidates, small);
        Some(HedgingClassifier { enabled, model, max_candidates })
    }

    fn paths(&mut self, node: &Node) -> Option<Vec<PathBuf>> {
        let items = match &node.data {
            NodeData::List(items) => items.as_slice(),
            _ => std::slice::from_ref(node),
        };
        let paths: Vec<_> = items.iter().map(|item| decode::path_text(item, self.problems)).collect();
        paths.into_iter().map(|path| Some(self.base.join(path?))).collect()
    }

    fn variants(&mut self, node: &Node) -> Option<Vec<VariantRef>> {
        let items = match &node.data {
            NodeData::List(items) if items.is_empty() && !node.cut => {
                return decode::unexpected(node, "list-of-variants", self.problems);
            }
            NodeData::List(items) => items.as_slice(),
            NodeData::Text(_) | NodeData::Object(_) => std::slice::from_ref(node),
            _ => return decode::unexpected(node, "list-of-variants", self.problems),
        };
        let variants: Vec<_> = items.iter().map(|item| self.variant(item)).collect();
        variants.into_iter().collect()
    }

    fn variant(&mut self, node: &Node) -> Option<VariantRef> {
        if let NodeData::Text(_) = node.data {
            return self.reference(node);
        }
        if !matches!(node.data, NodeData::Object(_)) {
            return decode::unexpected(node, "variant", self.problems);
        }
        let keys = Keys {
            known: &VARIANT_KEYS,
            foreign: &[("skill", "artifact"), ("path", "artifact"), ("skills", "allowedSkills")],
        };
        let fields = decode::object(node, keys, self.problems)?;
        let name = fields.get("name").map(|node| decode::filled_text(node, self.problems));
        let cwd = fields.get("cwd").map(|node| decode::directory(node, self.base, self.problems));
        let delivery = fields
            .get("delivery")
            .map(|node| decode::one_of(node, Delivery::WORDS, self.problems).and_then(Delivery::named));
        let permissions = fields
            .get("permissions")
            .map(|node| decode::one_of(node, PermissionMode::WORDS, self.problems).and_then(PermissionMode::named));
        let allowed = fields.get("allowedSkills").map(|node| decode::texts(node, self.problems));
        let artifact = fields.require("artifact", self.problems)?;
        let reference = self.reference(artifact)?;
        // A key with a wrong value is no variant; a missing key is.
        let (name, cwd) =
            (name.map_or(Some(None), |name| name.map(Some))?, cwd.map_or(Some(None), |cwd| cwd.map(Some))?);
        let delivery = delivery.map_or(Some(None), |delivery| delivery.map(Some))?;
        let permissions = permissions.map_or(Some(None), |permissions| permissions.map(Some))?;
        let allowed_skills = allowed.map_or(Some(Vec::new()), |skills| skills)?;
        let allowed_skills = allowed_skills.into_iter().map(|skill| self.based(skill)).collect();
        Some(VariantRef { name, cwd, delivery, allowed_skills, permissions, ..reference })
    }

    /// A reference with its place; a path in it is read against the file's directory.
    fn reference(&mut self, node: &Node) -> Option<VariantRef> {
        let written = decode::path_text(node, self.problems)?;
        let artifact = self.based(written);
        Some(VariantRef { place: Some(self.problems.head(node.span)), ..VariantRef::new(artifact) })
    }

    /// A reference as written; a path in it is read against the file's directory.
    fn based(&self, written: String) -> String {
        let is_path = written.contains('/') && !written.starts_with("git:");
        match is_path && self.base != self.context.cwd {
            true => self.slashed(&self.base.join(written)),
            false => written,
        }
    }

    /// The shown form of a path, which still has to have a `/` in it to be read as one.
    fn slashed(&self, path: &Path) -> String {
        let shown = self.context.display(path);
        if shown.contains('/') { shown } else { format!("./{shown}") }
    }
}
