//! A project whose every execution was recorded beforehand, so that every score is known by hand.
//!
//! Scores are whole hundredths of a layer: seven checks whose weights add up to any number from 0 to 100. A layer
//! with `k` hundredths scores `1 + 0.04·k` points.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, LazyLock};
use std::time::Duration;

use eval_exec::Recorder;
use eval_message::msg;
use eval_spec::call::{Generation, Step, ToolCall, Trace};
use eval_spec::{Call, CellKey, ExecError, Failure, Identity, Layer, Outcome, Output};
use serde_json::{Value, json};

use crate::context::{Finished, TestContext, files};

/// Words and weights of the seven checks of a layer.
const CHECKS: [(&str, u32); 7] =
    [("alpha", 37), ("bravo", 32), ("charlie", 16), ("delta", 8), ("echo", 4), ("foxtrot", 2), ("golf", 1)];

/// One execution.
#[derive(Clone, Copy, Debug)]
pub(crate) struct At {
    /// From 0; the sample's id is `s001` for 0.
    pub(crate) sample: usize,
    /// From 0, the control.
    pub(crate) variant: usize,
    /// From 0.
    pub(crate) repeat: u32,
}

/// How it went.
#[derive(Clone, Debug)]
pub(crate) enum Came {
    /// It came to this output.
    To(Box<Output>),
    /// Infrastructure failed.
    Failed(Failure),
}

/// An answer with so many hundredths of the fact layer.
pub(crate) fn fact(hundredths: u32) -> Came {
    both(hundredths, 0)
}

/// An answer with so many hundredths of the fact and of the behaviour layer.
pub(crate) fn both(fact: u32, behavior: u32) -> Came {
    let call = |name: &str| {
        Step::Tool(ToolCall {
            id: name.to_owned(),
            name: name.to_owned(),
            input: json!({}),
            output: None,
            parent: None,
            mock: None,
        })
    };
    let steps = words(behavior).into_iter().map(call).collect();
    let output = Output { latency_ms: Some(1000), ..Output::text(format!("answer {}", words(fact).join(" "))) };
    Came::To(Box::new(Output { trace: Trace { turns: Some(1), steps }, ..output }))
}

/// An end without an answer.
pub(crate) fn ended(outcome: Outcome) -> Came {
    Came::To(Box::new(Output { outcome, latency_ms: Some(1000), ..Output::text("I") }))
}

/// The checks that have to pass to reach `hundredths`.
fn words(hundredths: u32) -> Vec<&'static str> {
    assert!(hundredths <= 100, "{hundredths} hundredths");
    let (mut left, mut words) = (hundredths, Vec::new());
    // without `alpha` the weights are powers of two and reach 63
    for (word, weight) in CHECKS {
        let taken = if word == "alpha" { hundredths > 63 } else { weight <= left };
        if taken {
            left -= weight;
            words.push(word);
        }
    }
    assert_eq!(left, 0);
    words
}

fn assertions(layers: &[Layer]) -> Value {
    let kind = |layer: &Layer| if *layer == Layer::Fact { "contains" } else { "tools_called" };
    let of = |layer| CHECKS.map(|(word, weight)| json!({"type": kind(layer), "value": word, "weight": weight}));
    layers.iter().flat_map(of).collect()
}

/// A project and the executions prepared for it.
pub(crate) struct Prepared {
    pub(crate) context: TestContext,
    variants: Vec<String>,
    repeats: u32,
}

impl Prepared {
    /// `samples` samples with checks in `layers`, each run `repeats` times with each of `variants`, the control first.
    pub(crate) fn new(
        samples: usize,
        variants: &[&str],
        repeats: u32,
        layers: &[Layer],
        came: impl Fn(At) -> Came,
    ) -> Prepared {
        let sample = |i| json!({"sample_id": format!("s{i:03}"), "prompt": format!("question {i}"), "assertions": assertions(layers)});
        Prepared::with_samples((1..=samples).map(sample).collect(), variants, repeats, came)
    }

    /// Any samples.
    pub(crate) fn with_samples(samples: Value, variants: &[&str], repeats: u32, came: impl Fn(At) -> Came) -> Prepared {
        let mut context = TestContext::new();
        context.env("OMK_FIXED_TIME", "2026-03-24T15:30:45Z");
        context.write("eval-samples.json", &samples.to_string());
        let variants = variants.iter().map(|&name| name.to_owned()).collect();
        let prepared = Prepared { context, variants, repeats };
        for name in &prepared.variants {
            prepared.context.write(&format!("skills/{name}.md"), &artifact(name));
        }
        prepared.record(samples.as_array().unwrap(), came);
        prepared
    }

    /// Two variants, `v1` and `v2`, whose fact layers score the pairs of hundredths, one pair per sample.
    pub(crate) fn pairs(pairs: &[(u32, u32)]) -> Prepared {
        Prepared::new(pairs.len(), &["v1", "v2"], 1, &[Layer::Fact], |at| {
            let (control, treatment) = pairs[at.sample];
            fact(if at.variant == 0 { control } else { treatment })
        })
    }

    fn record(&self, samples: &[Value], came: impl Fn(At) -> Came) {
        let recorder = Recorder::create(&self.context.path("recordings")).unwrap();
        let identity = Identity { executor: "prepared".to_owned(), ..Identity::default() };
        for (sample, written) in samples.iter().enumerate() {
            for (variant, name) in self.variants.iter().enumerate() {
                for repeat in 0..self.repeats {
                    let result = match came(At { sample, variant, repeat }) {
                        Came::To(output) => Ok(*output),
                        Came::Failed(failure) => Err(ExecError::new(failure, msg!("report-missing-crashed"))),
                    };
                    recorder.record(&call(written, name, repeat), &identity, &result);
                }
            }
        }
        assert_eq!(recorder.notes(), []);
    }

    /// Runs `omk eval` on it with more `flags`.
    pub(crate) fn eval(&self, flags: &[&str]) -> Finished {
        self.run("eval", flags)
    }

    /// Runs `omk COMMAND` with the variants, the recordings and more `flags`.
    pub(crate) fn run(&self, command: &str, flags: &[&str]) -> Finished {
        let (variants, repeats) = (self.variants.join(","), self.repeats.to_string());
        let mut arguments: Vec<&str> = command.split(' ').collect();
        arguments.extend(["--variants", &variants, "--executor", "replay", "--recordings", "recordings"]);
        arguments.extend(["--repeat", &repeats]);
        arguments.extend(flags);
        self.context.run(&arguments)
    }

    /// Runs `omk eval`, checks its exit code, and gives its report, which has to be [sound](checked).
    #[track_caller]
    pub(crate) fn report(&self, code: i32, flags: &[&str]) -> Value {
        let output = self.context.path("out");
        let _ = std::fs::remove_dir_all(&output);
        self.eval(&[&["--output-dir", "out"], flags].concat()).expect(code);
        let [path] = <[PathBuf; 1]>::try_from(files(&output)).expect("one report");
        checked(&path)
    }
}

/// A report that the published schema accepts, and whose verdict follows from what it says it read (T10).
#[track_caller]
pub(crate) fn checked(path: &Path) -> Value {
    static SCHEMA: LazyLock<jsonschema::Validator> = LazyLock::new(|| {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../schemas/report.schema.json");
        jsonschema::validator_for(&serde_json::from_slice(&fs::read(path).unwrap()).unwrap()).unwrap()
    });
    let value = serde_json::from_slice(&fs::read(path).unwrap()).unwrap();
    let errors: Vec<String> = SCHEMA.iter_errors(&value).map(|e| format!("{}: {e}", e.instance_path())).collect();
    assert_eq!(errors, Vec::<String>::new());
    let report = eval_format::read(path).unwrap();
    assert_eq!(eval_verdict::verdict(&report.verdict.inputs), report.verdict);
    value
}

fn artifact(name: &str) -> String {
    format!("The artifact {name}.\n")
}

fn call(sample: &Value, variant: &str, repeat: u32) -> Call {
    let text = |field: &str| Arc::from(sample[field].as_str().unwrap());
    Call {
        key: CellKey { sample: text("sample_id"), subject: variant.into(), repeat },
        model: String::new(),
        effort: None,
        system: Some(Arc::from(artifact(variant))),
        prompt: text("prompt"),
        cwd: None,
        cwd_fingerprint: None,
        generation: Generation::default(),
        allowed_tools: None,
        timeout: Duration::from_secs(1),
    }
}
