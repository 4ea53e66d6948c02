//! `--aa`: the same artifact in both arms, so that a difference is chance.

use serde_json::{Value, json};

use super::flat;
use crate::fixtures::context::TestContext;
use crate::fixtures::scores::{better, number};

/// An agent whose every third answer lacks what the check asks for, whatever the artifact.
fn wavering() -> TestContext {
    let context = TestContext::with_agent();
    context.script(
        "agent",
        r#"cat > /dev/null
calls="$(dirname "$0")/calls"
echo >> "$calls"
if [ $(( $(wc -l < "$calls") % 3 )) = 0 ]; then echo no; else echo yes; fi
"#,
    );
    context.samples(24, &json!([{"type": "contains", "value": "yes"}]));
    context
}

fn eval(context: &TestContext, code: i32, flags: &[&str]) -> (String, Value) {
    let shown = context.run(&[&["eval", "--details", "--executor", "./agent", "--aa"], flags].concat()).expect(code);
    (shown.stdout, context.report())
}

#[test]
fn run_with_one_artifact_twice_says_which_samples_waver() {
    let context = wavering();
    // Each run asks anew, both arms at the same time.
    for flags in [["--control", "v1"], ["--variants", "v1,v2"]] {
        let (text, report) = eval(&context, 0, &flags);
        assert_eq!(report["meta"]["variants"], json!(["v1", "v1-again"]));
        assert_eq!(
            (&report["meta"]["settings"]["aa"], &report["meta"]["settings"]["cache"]),
            (&json!(true), &json!(false))
        );
        let hashes = &report["meta"]["skillHashes"];
        assert_eq!(hashes["v1"], hashes["v1-again"]);
        assert!(!["PROGRESS", "REGRESS"].contains(&report["verdict"]["tier"].as_str().unwrap()), "{text}");
        let of = &report["comparisons"][0];
        assert!(number(&of["diff"]["sd"]) > 1.0, "{of:#}");
        let text = flat(&text);
        let most = of["moved"]["better"][0]["sample_id"].as_str().unwrap();
        let decisive = format!("about {} samples decide", of["power"]["decisive"]);
        let sd = format!("{:.2} points over 24 tasks", number(&of["diff"]["sd"]));
        for says in ["the same artifact twice", most, &decisive, &sd, "exit code 0: no false alarm"] {
            assert!(text.contains(says), "{says}: {text}");
        }
    }
    let again = context.run(&["report", "verdict", "latest", "--json"]).expect(0).json();
    assert_eq!(again["agrees"], true, "{again:#}");
    // Two artifacts differ by more than chance: only another run with one plans by this one.
    for (flags, is_planned) in [(["--control", "v1", "--aa"].as_slice(), true), (&["--variants", "v1,v2"], false)] {
        let plan = context.run(&[&["eval", "--executor", "./agent", "--dry-run", "--json"], flags].concat()).expect(0);
        assert_eq!(plan.json()["power"].is_object(), is_planned, "{flags:?}: {}", plan.stdout);
    }
    let shown = eval(&context, 0, &["--control", "v1", "--lang", "zh"]).0;
    assert!(shown.contains("同一份资产运行两次") && shown.contains("没有误报"), "{shown}");
}

#[test]
fn steady_artifact_doesnt_waver() {
    let context = TestContext::with_agent();
    context.samples(24, &json!([{"type": "contains", "value": "plain"}]));
    let (text, report) = eval(&context, 0, &["--control", "v1"]);
    assert!(text.contains("no sample wavers"), "{text}");
    assert_eq!(report["comparisons"][0]["ties"], 24);
    assert!(report["meta"]["settings"]["aa"] == true);
}

#[test]
fn one_artifact_takes_no_other_beside_it() {
    let context = wavering();
    context.run(&["eval", "--executor", "./agent", "--aa", "--control", "v1", "--treatment", "v2"]).expect(2);
    context.run(&["eval", "--resume", "latest", "--aa"]).expect(2);
}

#[test]
fn progress_with_one_artifact_is_a_false_alarm() {
    let report = better(42).report(0, &[]);
    let mut inputs = report["verdict"]["inputs"].clone();
    inputs["limits"]["aa"] = json!(true);
    let inputs: eval_format::VerdictInputs = serde_json::from_value(inputs).unwrap();
    let verdict = eval_verdict::verdict(&inputs);
    assert_eq!((verdict.tier, verdict.exit_code), (eval_format::Tier::Progress, 1));
}

/// Each call of the agent is counted, so that a warning after the first one would be seen.
#[test]
fn variants_that_are_the_same_are_named_before_the_first_call() {
    let context = TestContext::with_agent();
    let text = std::fs::read_to_string(context.path("skills/v1.md")).unwrap();
    context.write("skills/copy.md", &text);
    context.samples(3, &json!([{"type": "contains", "value": "plain"}]));
    let flat_stderr = |variants: &str, flags: &[&str]| {
        let base = ["eval", "--executor", "./agent", "--report-only", "--variants", variants];
        let done = context.run(&[&base, flags].concat()).expect(0);
        done.stderr.split_whitespace().collect::<Vec<_>>().join(" ")
    };
    let said = "warning: `v1` and `copy` are the same: artifact and everything else that reaches the model";
    let dry = flat_stderr("v1,copy", &["--dry-run"]);
    assert!(dry.contains(said) && dry.contains("`--aa`"), "{dry}");
    let run = flat_stderr("v2,v1,copy", &[]);
    assert!(run.contains(said), "{run}");
    context.script("agent", "echo gone >&2; exit 1");
    let first = context.run(&["eval", "--executor", "./agent", "--variants", "v1,copy", "--no-cache"]);
    let flat = first.stderr.split_whitespace().collect::<Vec<_>>().join(" ");
    let [warned, failed] = [said, "gone"].map(|text| flat.find(text).unwrap_or_else(|| panic!("{text}: {flat}")));
    assert!(warned < failed, "{flat}");
    let chinese = flat_stderr("v1,copy", &["--dry-run", "--lang", "zh"]);
    assert!(chinese.contains("`v1` 与 `copy` 完全相同"), "{chinese}");
    let differing = flat_stderr("v1,v2", &["--dry-run"]);
    assert!(!differing.contains("are the same"), "{differing}");
    let meant = context.run(&["eval", "--executor", "./agent", "--control", "v1", "--aa", "--dry-run"]).expect(0);
    assert!(!meant.stderr.contains("are the same"), "{meant:?}");
}
