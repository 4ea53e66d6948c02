//! Sample files: formats, prompts sent, hashes.

use std::collections::BTreeSet;
use std::fs;

use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use crate::fixtures::context::{Finished, TestContext, files};
use crate::run::isolation::with_claude;

fn sha256(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

/// A project whose agent stores its questions, one file per call in `asked/`.
fn asking() -> TestContext {
    let context = TestContext::new();
    fs::create_dir(context.path("asked")).unwrap();
    context.script("agent", "cat > asked/$$\necho an answer\n");
    context
}

/// Runs the samples once, without any artifact.
fn run(context: &TestContext, more: &[&str]) -> Finished {
    run_with(context, "./agent", more)
}

fn run_with(context: &TestContext, executor: &str, more: &[&str]) -> Finished {
    let one = ["eval", "--control", "baseline", "--executor", executor, "--no-judge", "--no-cache", "--report-only"];
    context.run(&[&one, more].concat())
}

/// The prompts that the agent received, and all of its input as text.
fn asked(context: &TestContext) -> (BTreeSet<String>, String) {
    let texts: Vec<String> =
        files(&context.path("asked")).iter().map(|path| fs::read_to_string(path).unwrap()).collect();
    let prompts = texts.iter().map(|text| {
        let question: Value = serde_json::from_str(text).unwrap();
        question["prompt"].as_str().unwrap().to_owned()
    });
    (prompts.collect(), texts.concat())
}

const TWO_JSON: &str = r#"[
  {"sample_id": "a", "prompt": "one", "assertions": [{"type": "contains", "value": "x", "weight": 2}]},
  {"sample_id": "b", "prompt": "two", "context": "c\nd"}
]"#;

const TWO_YAML: &str = "
- sample_id: a
  prompt: one
  assertions:
    - { type: contains, value: x, weight: 2 }
- sample_id: b
  prompt: two
  context: |-
    c
    d
";

#[test]
fn json_and_yaml_samples_load_as_list_and_as_object() {
    let indented: String = TWO_YAML.trim_start().lines().map(|line| format!("  {line}\n")).collect();
    let files = [
        ("eval-samples.json", TWO_JSON.to_owned()),
        ("eval-samples.json", format!("{{\"samples\": {TWO_JSON}}}")),
        ("eval-samples.yaml", TWO_YAML.to_owned()),
        ("eval-samples.yml", format!("samples:\n{indented}")),
        ("eval-samples.yaml", TWO_JSON.to_owned()),
    ];
    let hashes = files.map(|(name, text)| {
        let context = asking();
        context.write(name, &text);
        run(&context, &[]).expect(0);
        assert_eq!(asked(&context).0, BTreeSet::from(["one".to_owned(), "two\n\n```\nc\nd\n```".to_owned()]));
        let meta = &context.report()["meta"];
        assert_eq!(meta["testSet"]["path"], name, "found without `--samples`");
        meta["sampleHashes"].clone()
    });
    assert!(hashes.iter().all(|hash| *hash == hashes[0]), "{hashes:#?}");
}

#[test]
fn every_field_is_accepted_and_ids_and_prompts_are_checked() {
    let context = asking();
    let all = json!([{
        "sample_id": "s001", "prompt": "p", "context": "c", "cwd": "work", "rubric": "r",
        "assertions": [{"type": "contains", "value": "x", "weight": 0.5, "not": true}],
        "dimensions": {"security": "finds it"},
        "capability": ["a"], "difficulty": "easy", "construct": "our own", "provenance": "human",
        "mocks": [{"tool": "Bash", "match": {"command_glob": "git *"}, "return": {"stdout": "ok", "exit": 0}}],
        "mocksStrict": true, "tripwire": true,
        "environment": {"cli_available": ["git"], "files_available": ["a.txt"], "notes": "n"}
    }]);
    let of_claude = with_claude("true");
    fs::create_dir(of_claude.path("work")).unwrap();
    of_claude.write("eval-samples.json", &all.to_string());
    run_with(&of_claude, "claude", &[]).expect(0);

    for (text, position, expected) in [
        ("[{\"sample_id\": \"a\", \"prompt\": \"\"}]", "1:31", "empty text"),
        ("[{\"prompt\": \"p\"}]", "1:2", "missing key `sample_id`"),
        ("[{\"sample_id\": \"a\"}]", "1:2", "missing key `prompt`"),
        ("[{\"sample_id\": \"a\", \"prompt\": \"p\"},\n {\"sample_id\": \"a\", \"prompt\": \"q\"}]", "2:16", "twice"),
        ("[{\"sample_id\": \"a\", \"prompt\": \"p\", \"difficulty\": \"harder\"}]", "1:50", "`easy`, `medium`, `hard`"),
        ("[{\"sample_id\": \"a\", \"prompt\": \"p\", \"provenance\": \"me\"}]", "1:50", "`human`"),
        ("[{\"sample_id\": \"a\", \"prompt\": \"p\", \"cwd\": \"none\"}]", "1:43", "not a directory"),
        ("{\"tests\": []}", "1:2", "`samples`"),
        ("[]", "1:1", "no samples"),
    ] {
        context.write("wrong.json", text);
        let wrong = run(&context, &["--samples", "wrong.json"]).expect(2);
        assert!(wrong.stderr.contains(&format!("[wrong.json:{position}]")), "{text}: {wrong:#?}");
        assert!(wrong.stderr.contains(expected), "{text}: {wrong:#?}");
    }
}

#[test]
fn zero_or_several_sample_files_are_an_error() {
    let context = asking();
    let none = run(&context, &[]).expect(2);
    assert!(none.stderr.contains("there is no sample file") && none.stderr.contains("--samples"), "{none:?}");
    context.write("eval-samples.json", TWO_JSON);
    context.write("eval-samples.yaml", TWO_YAML);
    let both = run(&context, &[]).expect(2);
    assert!(both.stderr.contains("eval-samples.json") && both.stderr.contains("eval-samples.yaml"), "{both:?}");
}

#[test]
fn agent_skills_evals_are_read_and_not_modified() {
    let context = asking();
    let text = json!({
        "skill_name": "review",
        "evals": [
            {"id": 1, "prompt": "Review a.js", "expected_output": "A review", "files": ["a.js"],
             "expectations": ["Names the injection", "Suggests parameters"]},
            {"id": 2, "prompt": "Review b.js", "assertions": ["Says it is fine"]}
        ]
    })
    .to_string();
    context.write("evals/evals.json", &text);
    run(&context, &["--samples", "evals/evals.json"]).expect(0);
    assert_eq!(fs::read_to_string(context.path("evals/evals.json")).unwrap(), text);
    let expected = ["Already available:\n- files: a.js\n\nReview a.js".to_owned(), "Review b.js".to_owned()];
    assert_eq!(asked(&context).0, BTreeSet::from(expected));
    // Every expectation is an assertion of its own, which the hash is taken over.
    let hashes = context.report()["meta"]["sampleHashes"].clone();
    let canonical = r#"{"assertions":[{"type":"expectation","value":"Names the injection"},{"type":"expectation","value":"Suggests parameters"}],"environment":{"cli_available":[],"files_available":["a.js"],"notes":null},"prompt":"Review a.js"}"#;
    assert_eq!(hashes["1"], sha256(canonical.as_bytes())[..12]);
    let canonical = br#"{"assertions":[{"type":"expectation","value":"Says it is fine"}],"prompt":"Review b.js"}"#;
    assert_eq!(hashes["2"], sha256(canonical)[..12]);
    // What only a judge can score needs one, and that is said before anything is paid for.
    let arguments = ["eval", "--control", "baseline", "--executor", "./agent", "--samples", "evals/evals.json"];
    let refused = context.run(&arguments).expect(2);
    assert!(refused.stderr.contains("`--judge-executor`"), "{}", refused.stderr);
}

#[test]
fn prompt_is_sent_byte_for_byte() {
    let prompts = [
        ("plain", json!({"prompt": "question"}), "question".to_owned()),
        ("context", json!({"prompt": "question", "context": "code"}), "question\n\n```\ncode\n```".to_owned()),
        (
            "white space stays",
            json!({"prompt": "  question \n", "context": "\n\tcode\r\n "}),
            "  question \n\n\n```\n\n\tcode\r\n \n```".to_owned(),
        ),
        (
            "any character",
            json!({"prompt": "审查 \"$HOME\" `id` \\n \u{1F600} \u{7f}\u{1}", "context": "```\nfence\n```"}),
            "审查 \"$HOME\" `id` \\n \u{1F600} \u{7f}\u{1}\n\n```\n```\nfence\n```\n```".to_owned(),
        ),
        (
            "environment",
            json!({"prompt": "question", "context": "code", "environment":
                {"cli_available": ["git", "node"], "files_available": ["a.txt", "b/c.txt"], "notes": "the server runs"}}),
            "Already available:\n- command-line programs: git, node\n- files: a.txt, b/c.txt\n- the server runs\n\n\
             question\n\n```\ncode\n```"
                .to_owned(),
        ),
        (
            "a part of it",
            json!({"prompt": "question 2", "environment": {"notes": "the server runs"}}),
            "Already available:\n- the server runs\n\nquestion 2".to_owned(),
        ),
        ("nothing declared", json!({"prompt": "question 3", "environment": {}}), "question 3".to_owned()),
    ];
    let context = asking();
    let samples: Vec<Value> = prompts
        .iter()
        .map(|(id, sample, _)| {
            let mut sample = sample.clone();
            sample["sample_id"] = json!(id);
            sample
        })
        .collect();
    context.write("eval-samples.json", &json!(samples).to_string());
    run(&context, &[]).expect(0);
    let expected: BTreeSet<String> = prompts.into_iter().map(|(_, _, prompt)| prompt).collect();
    assert_eq!(asked(&context).0, expected);
}

#[test]
fn metadata_and_scoring_fields_are_not_sent_to_the_model() {
    let context = asking();
    let sample = json!([{
        "sample_id": "SECRET-id", "prompt": "question", "rubric": "SECRET rubric", "tripwire": true,
        "dimensions": {"SECRET-dimension": "SECRET"},
        "assertions": [{"type": "contains", "value": "SECRET value"}],
        "capability": ["SECRET-capability"], "difficulty": "hard", "construct": "SECRET", "provenance": "llm-generated"
    }]);
    context.write("eval-samples.json", &sample.to_string());
    run(&context, &[]).expect(0);
    let (prompts, whole) = asked(&context);
    assert_eq!(prompts, BTreeSet::from(["question".to_owned()]));
    for word in ["SECRET", "hard", "tripwire", "llm-generated"] {
        assert!(!whole.contains(word), "`{word}` in {whole}");
    }
}

/// `(sampleHashes, testSet.id)` of the samples, written as JSON under `name`.
fn hashes(name: &str, samples: &Value) -> (Value, String) {
    let context = with_claude("true");
    context.write(name, &samples.to_string());
    run_with(&context, "claude", &["--samples", name]).expect(0);
    let meta = &context.report()["meta"];
    (meta["sampleHashes"].clone(), meta["testSet"]["id"].as_str().unwrap().to_owned())
}

#[test]
fn sample_hashes_match_an_independent_computation() {
    let samples = json!([
        {"sample_id": "z", "prompt": "审查", "context": "c", "rubric": "r \"q\"",
         "assertions": [{"weight": 2, "type": "contains", "value": "x"}],
         "mocks": [{"tool": "Bash", "return": "ok"}],
         "environment": {"notes": "n", "cli_available": ["git"]}},
        {"sample_id": "a", "prompt": "p", "dimensions": {"b": "1", "a": "2"}}
    ]);
    let z = r#"{"assertions":[{"type":"contains","value":"x","weight":2}],"context":"c","environment":{"cli_available":["git"],"files_available":[],"notes":"n"},"mocks":[{"return":"ok","tool":"Bash"}],"prompt":"审查","rubric":"r \"q\""}"#;
    let a = r#"{"dimensions":{"a":"2","b":"1"},"prompt":"p"}"#;
    let (found, id) = hashes("my-tests.json", &samples);
    assert_eq!(found, json!({"z": sha256(z.as_bytes())[..12], "a": sha256(a.as_bytes())[..12]}));
    let all = format!("a\0{}\nz\0{}\n", sha256(a.as_bytes()), sha256(z.as_bytes()));
    assert_eq!(id, format!("my-tests.json@{}", &sha256(all.as_bytes())[..8]));
}

#[test]
fn scoring_fields_change_sample_hashes_and_metadata_does_not() {
    let one = json!({"sample_id": "a", "prompt": "p", "assertions": [{"type": "contains", "value": "x"}]});
    let with = |changes: Value| {
        let mut sample = one.clone();
        for (key, value) in changes.as_object().unwrap() {
            sample[key] = value.clone();
        }
        hashes("s.json", &json!([sample]))
    };
    let plain = with(json!({}));
    for metadata in [json!({"difficulty": "hard"}), json!({"construct": "quality"}), json!({"provenance": "human"})] {
        assert_eq!(with(metadata.clone()), plain, "{metadata}");
    }
    for change in [
        json!({"prompt": "p2"}),
        json!({"context": "c"}),
        json!({"rubric": "r"}),
        json!({"dimensions": {"d": "r"}}),
        json!({"assertions": [{"type": "contains", "value": "x", "weight": 2}]}),
        json!({"mocks": [{"tool": "*", "return": ""}]}),
        json!({"mocksStrict": true}),
        json!({"environment": {"notes": "n"}}),
        json!({"capability": ["a", "b"]}),
        json!({"cluster": "c"}),
        json!({"tripwire": true}),
    ] {
        let changed = with(change.clone());
        assert_ne!(changed.0, plain.0, "{change}");
        assert_ne!(changed.1, plain.1, "{change}");
    }
    assert_ne!(with(json!({"sample_id": "b"})).1, plain.1);
}
