//! Pages made of one table each: settings, keys of samples, assertion types, executors, exit codes, variables.

use eval_cli::variables::{ReadBy, VARIABLES};
use eval_exec::{EXECUTORS, ExecutorKind, isolation};
use eval_grade::type_specs;
use eval_load::{ENVIRONMENT_KEYS, MATCH_KEYS, MOCK_KEYS, SAMPLE_KEYS, SETTING_KEYS, SampleKey, SettingShape};
use eval_message::Lang;
use eval_spec::suite::Settings;
use eval_spec::types::{FieldShape, FieldSpec};
use testkit::pages::table;

use super::{by, check, text};

/// Words in backticks.
fn words(lang: Lang, words: &[&str]) -> String {
    words.iter().map(|word| format!("`{word}`")).collect::<Vec<_>>().join(by(lang, ", ", "、"))
}

/// A range of numbers; the largest value of an integer type is no bound.
fn range(lang: Lang, low: f64, high: f64) -> String {
    match high >= f64::from(u32::MAX) {
        true => format!("{}{low}", by(lang, "from ", "不小于 ")),
        false => format!("{low}–{high}"),
    }
}

#[expect(clippy::cast_precision_loss, reason = "the bounds are small, or as good as none")]
fn setting_type(lang: Lang, shape: SettingShape) -> String {
    match shape {
        SettingShape::Path(_) => by(lang, "path", "路径").to_owned(),
        SettingShape::Text(_) => by(lang, "text", "文本").to_owned(),
        SettingShape::OneOf(of, _) => words(lang, of),
        SettingShape::Flag(_) => words(lang, &["true", "false"]),
        SettingShape::FlagOr(of, _) => words(lang, &[&["true", "false"], of].concat()),
        SettingShape::Whole(low, high, _) => {
            format!("{}{}", by(lang, "whole number, ", "整数，"), range(lang, low as f64, high as f64))
        }
        SettingShape::Number(low, high, _) => {
            format!("{}{}", by(lang, "number, ", "数字，"), range(lang, low, high))
        }
        SettingShape::Gap(_) => "`{ markers: [...] }`".to_owned(),
        SettingShape::Paths(_) => by(lang, "path or list of paths", "路径或路径列表").to_owned(),
        SettingShape::Hedging(_) => "`{ enabled, model, maxCandidates }`".to_owned(),
        SettingShape::Triggers(..) => by(lang, "[queries](../triggers.md)", "[查询](../triggers.md)").to_owned(),
        SettingShape::Words(of, _) => by(lang, "list of ", "列表，取自：").to_owned() + &words(lang, of),
        SettingShape::Texts(_) => by(lang, "list of texts", "文本列表").to_owned(),
        SettingShape::Variant(_) => by(lang, "[variant](../variants.md)", "[变体](../variants.md)").to_owned(),
        SettingShape::Variants(_) => by(lang, "[variants](../variants.md)", "[变体](../variants.md)的列表").to_owned(),
    }
}

/// The default of a setting, from the settings that hold when nothing is written; empty where there is none, or where
/// the description says what happens instead.
fn setting_default(key: &str, of: &Settings) -> String {
    let value = match key {
        "hedgingClassifier" => format!("maxCandidates: {}", of.hedging_classifier.max_candidates),
        "skillDir" => of.skill_dir.display().to_string(),
        "control" => "baseline".to_owned(),
        "varies" => of.varies.iter().map(|part| part.word()).collect::<Vec<_>>().join(", "),
        "delivery" => of.delivery.word().to_owned(),
        "permissions" => of.permissions.word().to_owned(),
        "sandbox" => of.sandbox.to_string(),
        "network" => of.network.word().to_owned(),
        "executor" => of.executor.clone(),
        "recordings" => "recordings".to_owned(),
        "judge" => of.judge.to_string(),
        "judgeRepeat" => of.judge_repeat.to_string(),
        "debiasLength" => of.debias_length.to_string(),
        "concurrency" => of.concurrency.to_string(),
        "repeat" => of.repeat.to_string(),
        "timeout" => (of.timeout_ms / 1000).to_string(),
        "retry" => of.retry.to_string(),
        "urlFetch" => of.url_fetch.to_string(),
        "allowMissingUrls" => of.allow_missing_urls.to_string(),
        "allowPrivateUrls" => of.allow_private_urls.to_string(),
        "cache" => of.cache.to_string(),
        "allowUnknownCost" => of.allow_unknown_cost.to_string(),
        "bootstrapSamples" => of.bootstrap_samples.to_string(),
        "ci" => of.ci.clone(),
        "minEffect" => of.min_effect.to_string(),
        "minPreference" => of.min_preference.to_string(),
        "trivialDiff" => of.trivial_diff.to_string(),
        "threshold" => of.threshold.to_string(),
        "stopWhenDecided" => of.planned_looks().is_some().to_string(),
        "gate" => serde_json::to_value(of.gate).unwrap().as_str().unwrap().to_owned(),
        "goal" => serde_json::to_value(of.goal).unwrap().as_str().unwrap().to_owned(),
        "margin" => of.margin.to_string(),
        "reportOnly" => of.report_only.to_string(),
        "maxFailureRate" => of.max_failure_rate.to_string(),
        "blind" => of.blind.to_string(),
        "texts" => of.texts.to_string(),
        "strictBaseline" => of.strict_baseline.to_string(),
        "customRuntime" => of.custom_runtime.clone(),
        "samples" | "treatments" | "model" | "effort" | "temperature" | "maxTokens" | "maxTurns" | "allowedTools"
        | "record" | "judgeModel" | "judgeModels" | "judgeExecutor" | "goldDir" | "rpm" | "tpm" | "budgetUsd"
        | "budgetPerSampleUsd" | "budgetPerSampleMs" | "seed" | "holdout" | "outputDir" | "triggers" | "minRecall"
        | "minPrecision" | "looks" | "maxSamples" | "maxGapRate" | "gapRateRegression" | "gap" | "kb" | "mcpConfig" => {
            return "–".to_owned();
        }
        _ => panic!("the default of `{key}` is in no row here"),
    };
    format!("`{value}`")
}

#[test]
fn settings() {
    let defaults = Settings::default();
    check("settings", |lang| {
        let rows = SETTING_KEYS.iter().map(|key| {
            let name = format!("`{}`", key.name);
            [name, setting_type(lang, key.shape), setting_default(key.name, &defaults), text(lang, key.doc)]
        });
        let intro = by(
            lang,
            "# Settings of eval.yaml\n\nEvery key is optional. [Settings](../settings.md) says where a value comes from.\n\n",
            "# eval.yaml 的设置\n\n每个键都可省略。值从哪里来，见[设置](../settings.md)。\n\n",
        );
        let head = match lang {
            Lang::En => ["key", "type", "default", "meaning"],
            Lang::Zh => ["键", "类型", "默认", "含义"],
        };
        intro.to_owned() + &table(head, rows)
    });
}

#[test]
fn sample_keys() {
    check("samples", |lang| {
        let keys = |keys: &[SampleKey]| {
            let required = |key: &SampleKey| if key.required { by(lang, "required", "必填") } else { "" };
            let head = match lang {
                Lang::En => ["key", "", "meaning"],
                Lang::Zh => ["键", "", "含义"],
            };
            let rows =
                keys.iter().map(|key| [format!("`{}`", key.name), required(key).to_owned(), text(lang, key.doc)]);
            table(head, rows)
        };
        let (intro, environment, mocks, matched) = match lang {
            Lang::En => (
                "# Keys of sample files\n\n[Write samples](../samples.md) shows how they are used.",
                "The keys of `environment`",
                "The keys of each of [`mocks`](../mocks.md)",
                "The keys of a mock's `match`",
            ),
            Lang::Zh => (
                "# 用例文件的键\n\n用法见[编写用例](../samples.md)。",
                "`environment` 的键",
                "[`mocks`](../mocks.md) 中每一项的键",
                "mock 的 `match` 的键",
            ),
        };
        let colon = by(lang, ":", "：");
        format!(
            "{intro}\n\n{}\n{environment}{colon}\n\n{}\n{mocks}{colon}\n\n{}\n{matched}{colon}\n\n{}",
            keys(SAMPLE_KEYS),
            keys(ENVIRONMENT_KEYS),
            keys(MOCK_KEYS),
            keys(MATCH_KEYS),
        )
    });
}

fn field(lang: Lang, of: &FieldSpec) -> String {
    let holds = match of.shape {
        FieldShape::Text | FieldShape::NonEmptyText => by(lang, "text", "文本").to_owned(),
        FieldShape::TextLike => by(lang, "text, number, `true` or `false`", "文本、数字、`true` 或 `false`").to_owned(),
        FieldShape::OneOf(of) => words(lang, of),
        FieldShape::Number(low, high) => format!("{}{}", by(lang, "number, ", "数字，"), range(lang, low, high)),
        FieldShape::WholeNumber(low) => format!("{}{low}", by(lang, "whole number, from ", "整数，不小于 ")),
        FieldShape::Texts => by(lang, "list of texts", "文本列表").to_owned(),
        FieldShape::Calls => by(
            lang,
            "list of calls, each a tool's name or `{tool, input_contains}`",
            "调用列表，每项是工具名或 `{tool, input_contains}`",
        )
        .to_owned(),
        FieldShape::Schema => "JSON Schema".to_owned(),
        FieldShape::Assertions => by(lang, "list of assertions", "断言列表").to_owned(),
        FieldShape::Any => by(lang, "any value", "任意值").to_owned(),
    };
    match of.required {
        true => format!("`{}`: {holds}", of.name),
        false => format!("[`{}`]: {holds}", of.name),
    }
}

#[test]
fn assertion_types() {
    check("assertions", |lang| {
        let rows = type_specs().into_iter().map(|spec| {
            let fields: Vec<String> = spec.fields.iter().map(|one| field(lang, one)).collect();
            let layer = if spec.name == "assert-set" { "–" } else { spec.layer.name() };
            [format!("`{}`", spec.name), fields.join("<br>"), text(lang, spec.summary), layer.to_owned()]
        });
        let intro = by(
            lang,
            "# Assertion types\n\nEvery assertion has a `type`, and may have a `weight` (more than 0; 1 unless given) and \
             `not: true`, which exchanges pass and fail. Fields in brackets are optional. \
             [Write assertions](../assertions.md) explains layers, weights and sets.\n\n",
            "# 断言类型\n\n每条断言都有 `type`，可以有 `weight`（大于 0，默认 1）和 `not: true`（交换通过与失败）。\
             方括号内的字段可省略。层、权重与断言组见[编写断言](../assertions.md)。\n\n",
        );
        let head = match lang {
            Lang::En => ["type", "fields", "passes when", "layer"],
            Lang::Zh => ["类型", "字段", "何时通过", "层"],
        };
        intro.to_owned() + &table(head, rows)
    });
}

/// The models of an executor, in backticks.
fn model(name: &str) -> String {
    if name.is_empty() { "–".to_owned() } else { format!("`{name}`") }
}

fn executor_rows(lang: Lang) -> impl Iterator<Item = [String; 5]> {
    EXECUTORS.iter().map(move |executor| {
        let answers = match executor.kind {
            ExecutorKind::Agent => by(lang, "an agent: tools, several turns", "智能体：有工具，可多轮"),
            ExecutorKind::Model => by(lang, "a model: no tools, one turn", "模型：没有工具，只有一轮"),
            ExecutorKind::Recordings => by(lang, "recordings", "录制的执行"),
            ExecutorKind::Program => by(lang, "a program", "程序"),
        };
        let name = format!("`{}`", executor.name);
        let (tested, judge) = (model(executor.default_model), model(executor.default_judge));
        [name, text(lang, executor.summary), answers.to_owned(), tested, judge]
    })
}

/// What each executor does with each channel through which more than the call may reach the model.
fn channels(lang: Lang, settings: &Settings) -> String {
    let executors: [&str; 5] = ["claude", "anthropic-api", "openai-api", "replay", "python3 model.py"];
    let columns = executors.map(|name| isolation(name, settings));
    let rows = columns[0].iter().enumerate().map(|(i, (channel, _))| {
        let states = columns.each_ref().map(|column| column[i].1.to_owned());
        let [claude, anthropic, openai, replay, command] = states;
        [format!("`{channel}`"), claude, anthropic, openai, replay, command]
    });
    let head = match lang {
        Lang::En => ["channel", "`claude`", "`anthropic-api`", "`openai-api`", "`replay`", "command line"],
        Lang::Zh => ["通道", "`claude`", "`anthropic-api`", "`openai-api`", "`replay`", "命令"],
    };
    table(head, rows)
}

#[test]
fn executors() {
    let strict = Settings::default();
    let open = Settings { strict_baseline: false, ..Settings::default() };
    check("executors", |lang| {
        let (intro, head, isolation, without) = match lang {
            Lang::En => (
                "# Executors\n\nAnything else in `--executor` is a command line. [Executors and models](../executors.md) shows \
                 how each is used.\n\n",
                ["executor", "asks", "answers", "model if none is named", "judge if none is named"],
                "## Isolation\n\nWhat `meta.skillIsolation` reports for each channel through which more than the call may reach the \
                 model: `cut` (omk closes it), `none` (the executor has no such channel), `unverified` (it may be open), `open` (the \
                 settings ask for it). [Variants](../variants.md#isolation) explains it.\n\n",
                "\nWith `--no-strict-baseline`:\n\n",
            ),
            Lang::Zh => (
                "# 执行器\n\n`--executor` 的其他任何值都是一条命令。用法见[执行器与模型](../executors.md)。\n\n",
                ["执行器", "调用什么", "由谁作答", "未指定的模型", "未指定的评委"],
                "## 隔离\n\n除调用本身外，还可能有内容经各通道到达模型。`meta.skillIsolation` 对每个通道的记录：`cut`（由 omk 切断）、\
                 `none`（该执行器没有这个通道）、`unverified`（可能开着）、`open`（按设置保持开放）。说明见[变体](../variants.md#隔离)。\n\n",
                "\n加上 `--no-strict-baseline`：\n\n",
            ),
        };
        let executors = table(head, executor_rows(lang));
        format!("{intro}{executors}\n{isolation}{}{without}{}", channels(lang, &strict), channels(lang, &open))
    });
}

#[test]
fn exit_codes() {
    check("exit-codes", |lang| {
        let intro = by(
            lang,
            "# Exit codes\n\nThose of both commands. [The verdict](../verdict.md) and [reports of skills](../skills-reports.md) say \
             which result ends with which code.\n\n",
            "# 退出码\n\n两个命令共用。哪种结果对应哪个退出码，见[判定](../verdict.md)和[技能的报告](../skills-reports.md)。\n\n",
        );
        let rows = eval_cli::exit::CODES.iter().map(|(code, key)| [code.to_string(), text(lang, *key)]);
        let head = match lang {
            Lang::En => ["code", "meaning"],
            Lang::Zh => ["退出码", "含义"],
        };
        intro.to_owned() + &table(head, rows)
    });
}

#[test]
fn environment_variables() {
    check("environment", |lang| {
        let rows = VARIABLES.iter().map(|variable| {
            let read_by = match variable.read_by {
                ReadBy::Omk => "`omk`",
                ReadBy::EvalSkills => "`eval-skills`",
                ReadBy::Both => by(lang, "both", "两者"),
            };
            [format!("`{}`", variable.name), read_by.to_owned(), text(lang, variable.doc)]
        });
        let intro = by(
            lang,
            "# Environment variables\n\nThe variables that the commands themselves read. Which variables reach the programs that they \
             start is said in [Executors and models](../executors.md#keys-and-secrets) and \
             [Adapters](../skills-adapters.md#the-sandbox).\n\n",
            "# 环境变量\n\n命令自身读取的变量。哪些变量会传给它们启动的程序，见[执行器与模型](../executors.md#密钥)\
             和[适配器](../skills-adapters.md#沙箱)。\n\n",
        );
        let head = match lang {
            Lang::En => ["variable", "read by", "meaning"],
            Lang::Zh => ["变量", "谁读取", "含义"],
        };
        intro.to_owned() + &table(head, rows)
    });
}

/// A variable that the source reads is in the table, and what the table lists is in the source.
#[test]
fn the_table_of_variables_is_complete() {
    let source = super::super::source();
    let literals: Vec<&str> = source.split('"').collect();
    let ours = ["OMK_", "EVAL_SKILLS_", "ANTHROPIC_", "OPENAI_", "CCV_", "LC_"];
    let is_name = |text: &str| text.len() > 1 && text.chars().all(|c| c.is_ascii_uppercase() || c == '_');
    let read = source.split("var(\"").skip(1).filter_map(|rest| rest.split('"').next()).filter(|name| is_name(name));
    let named =
        literals.iter().copied().filter(|name| is_name(name) && ours.iter().any(|start| name.starts_with(start)));
    let listed = |name: &str| VARIABLES.iter().any(|variable| variable.name == name);
    // Ends of names, what programs that omk starts are given, and what tests read.
    let others = [
        "HOME",
        "ANTHROPIC_",
        "OPENAI_",
        "LC_CTYPE",
        "OMK_PROCESS",
        "OMK_TEST_AXE",
        "OMK_TEST_CLAUDE",
        "OMK_TEST_CODEX",
        "OMK_TEST_GEMINI",
        "OMK_TEST_MCP_EVERYTHING",
        "OMK_TEST_MCP_SERVERS",
        "OMK_TEST_INSPECT",
        "OMK_TEST_OPENAI",
    ];
    let missing: Vec<&str> = read.chain(named).filter(|name| !listed(name) && !others.contains(name)).collect();
    assert!(missing.is_empty(), "eval_cli::variables lacks {missing:?}");
    for variable in VARIABLES {
        let uses = literals.iter().filter(|literal| **literal == variable.name).count();
        assert!(uses > 1, "no source but the table has `{}`", variable.name);
    }
}
