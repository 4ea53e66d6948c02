//! T11, T12: people's scores, from files to the verdict.

use std::fs;
use std::path::PathBuf;

use serde_json::{Value, json};
use testkit::{FakeApi, Reply, Script};

use crate::fixtures::context::{Finished, TestContext, files};

const JUDGE: &str = "judge-1";

/// What people think of an output: control and treatment of a sample, from its number.
type Taste = fn(usize) -> (u8, u8);

/// People see as much gain as loss.
fn no_gain(i: usize) -> (u8, u8) {
    [(2, 3), (4, 3), (3, 3), (3, 4), (4, 3), (2, 2), (4, 4), (3, 4), (4, 3), (3, 3)][i % 10]
}

/// People see a gain nearly everywhere.
fn gain(i: usize) -> (u8, u8) {
    [(2, 3), (3, 5), (3, 3), (3, 4), (4, 5), (2, 4), (4, 5), (3, 4), (4, 5), (2, 4)][i % 10]
}

/// Two skills, samples with a rubric each, and a server that answers for model and judge.
struct Court {
    context: TestContext,
    api: FakeApi,
    taste: Taste,
}

/// The sample's number and whether it is the treatment's, from an output.
fn of_output(output: &str) -> (usize, bool) {
    let number = output.rsplit(' ').next().unwrap().parse().unwrap();
    (number, output.starts_with("better"))
}

fn human(taste: Taste, output: &str) -> u8 {
    let (number, treated) = of_output(output);
    let (control, treatment) = taste(number);
    if treated { treatment } else { control }
}

impl Court {
    /// The judge is told what people think, and whether the output is the treatment's.
    fn new(n: usize, taste: Taste, judge: impl Fn(u8, bool) -> u8 + Send + Sync + 'static) -> Court {
        let mut context = TestContext::new();
        context.write("skills/v1.md", "plain");
        context.write("skills/v2.md", "better");
        let sample = |i| json!({"sample_id": format!("s{i:03}"), "prompt": format!("question {i}"), "rubric": "names the cause"});
        context.write("eval-samples.json", &(1..=n).map(sample).collect::<Value>().to_string());
        let api = FakeApi::start(Script::with(move |request| {
            let text = |i: usize| request.body["messages"][i]["content"].as_str().unwrap().to_owned();
            if request.body["model"] != JUDGE {
                return Reply::text(format!("{} answer to {}", text(0), text(1)));
            }
            let prompt = text(1);
            let id = prompt.split_once("<<<").unwrap().1.lines().next().unwrap().to_owned();
            let answer = prompt.rsplit_once(&format!("<<<{id}\n")).unwrap().1;
            let answer = answer.split_once(&format!("\n{id}>>>")).unwrap().0;
            let score = judge(human(taste, answer), of_output(answer).1);
            Reply::text(json!({"id": id, "reasoning": "because", "score": score}).to_string())
        }));
        context.env("OPENAI_API_KEY", "sk-judge-0123456789abcdef");
        context.env("OPENAI_BASE_URL", &format!("{}/v1", api.url));
        Court { context, api, taste }
    }

    /// A judge that says what people say.
    fn honest(n: usize, taste: Taste) -> Court {
        Court::new(n, taste, |human, _| human)
    }

    fn eval(&self, flags: &[&str]) -> Finished {
        let base = ["eval", "--executor", "openai-api", "--model", "m", "--judge-model", JUDGE, "--concurrency", "4"];
        let variants = if flags.contains(&"--control") { &[][..] } else { &["--variants", "v1,v2"] };
        self.context.run(&[&base, variants, flags].concat())
    }

    fn gold(&self, arguments: &[&str]) -> Finished {
        self.context.run(&[&["gold"], arguments, &["--gold-dir", "gold"]].concat())
    }

    fn compare(&self) -> Value {
        self.gold(&["compare", "latest", "--json"]).expect(0).json()
    }

    fn files(&self) -> Vec<PathBuf> {
        files(&self.context.path("gold"))
    }

    /// Scores every open question as people would.
    fn fill(&self) {
        self.fill_with(|human| Some(f64::from(human)));
    }

    fn fill_with(&self, score: impl Fn(u8) -> Option<f64>) {
        for path in self.files() {
            let mut file: Value = serde_json::from_str(&fs::read_to_string(&path).unwrap()).unwrap();
            for entry in file["annotations"].as_array_mut().unwrap() {
                let given = score(human(self.taste, entry["output"].as_str().unwrap()));
                for value in entry["scores"].as_object_mut().unwrap().values_mut().filter(|value| value.is_null()) {
                    *value = json!(given);
                }
            }
            fs::write(&path, file.to_string()).unwrap();
        }
    }
}

fn tier(report: &Value) -> &str {
    report["verdict"]["tier"].as_str().unwrap()
}

/// The keys of the reasons for the only treatment's tier.
fn reasons(report: &Value) -> Vec<&str> {
    let reasons = report["verdict"]["perTreatment"][0]["reasons"].as_array().unwrap();
    reasons.iter().map(|reason| reason["messageKey"]["id"].as_str().unwrap()).collect()
}

#[test]
fn t12_a_biased_judge_buys_a_verdict_and_gold_takes_it_back() {
    let court = Court::new(40, no_gain, |human, treated| human + u8::from(treated));
    court.eval(&[]).expect(0);
    assert_eq!(tier(&court.context.report()), "PROGRESS", "the judge alone is believed");

    let begun = court.gold(&["init", "latest", "--samples", "20", "--annotator", "ann"]).expect(0);
    assert!(begun.stdout.contains("40 outputs to score in `gold`, 20 samples"), "{begun:?}");
    let open = court.gold(&["validate", "latest"]).expect(0);
    assert!(open.stdout.contains("20 files, 40 annotations, 0 scores, 40 still open"), "{open:?}");
    court.fill();
    let valid = court.gold(&["validate", "latest"]).expect(0);
    assert!(valid.stdout.contains("40 of 40 annotations fit the report"), "{valid:?}");

    let calls = court.api.count();
    let held = court.eval(&["--gold-dir", "gold"]).expect(1);
    assert_eq!(court.api.count(), calls, "writing gold changes no answer: all come from the cache");
    let report = court.context.report();
    let gold = &report["gold"];
    assert_eq!((tier(&report), &gold["counts"]["used"]), ("CAUTIOUS", &json!(40)));
    assert!(reasons(&report).contains(&"report-doubt-gold-interval"), "{:?}", reasons(&report));
    assert!(held.stdout.contains("people's scores don't confirm"), "{}", held.stdout);

    let difference = &gold["differences"][0];
    assert_eq!(
        (&difference["judge"], &difference["labelled"], &difference["unlabelled"]),
        (&json!(1.0), &json!(20), &json!(20))
    );
    let bound = |name: &str| difference["ci"][name].as_f64().unwrap();
    assert!(bound("low") < 0.0 && bound("high") > 0.0 && bound("high") < 0.6, "{difference}");
    // one point too many on one of two outputs of each sample
    assert_eq!(
        (&gold["overall"]["bias"]["value"], &gold["overall"]["meanAbsoluteDifference"]),
        (&json!(0.5), &json!(0.5))
    );
    assert_eq!((&gold["overall"]["n"], &gold["overall"]["samples"]), (&json!(40), &json!(20)));

    // T10: the verdict follows from the stored numbers
    let id = report["id"].as_str().unwrap();
    assert!(court.context.run(&["report", "verdict", id]).expect(1).stdout.contains("CAUTIOUS"));
    // and a stored report says the same as the run did
    assert_eq!(court.compare(), *gold);
}

#[test]
fn t12_an_honest_judge_keeps_its_verdict() {
    let court = Court::honest(40, gain);
    court.eval(&["--report-only"]).expect(0);
    court.gold(&["init", "latest", "--samples", "24"]).expect(0);
    court.fill();
    let held = court.eval(&["--gold-dir", "gold"]).expect(0);
    let report = court.context.report();
    assert_eq!((tier(&report), &report["gold"]["overall"]["alpha"]["value"]), ("PROGRESS", &json!(1.0)));
    assert!(held.stdout.contains("judge and people"), "{}", held.stdout);
    assert!(report["gold"]["differences"][0]["untied"].as_u64().unwrap() >= 10);
    // the same by eval.yaml, which says that the gold is there
    court.context.write("eval.yaml", "goldDir: gold\n");
    court.eval(&[]).expect(0);
    assert_eq!(court.context.report()["gold"], report["gold"]);
}

#[test]
fn t12_a_handful_of_labels_confirms_nothing() {
    let court = Court::honest(40, gain);
    court.eval(&[]).expect(0);
    court.gold(&["init", "latest", "--samples", "6"]).expect(0);
    court.fill();
    court.eval(&["--gold-dir", "gold"]).expect(1);
    let report = court.context.report();
    assert_eq!((tier(&report), reasons(&report).contains(&"report-doubt-gold-few")), ("CAUTIOUS", true));
}

#[test]
fn t11_a_judge_that_people_disagree_with_is_not_sound() {
    // it sees the gain, but on outputs where people see none, and scores the others at random
    let court = Court::new(40, gain, |human, treated| if treated { 9 - human.max(4) } else { 6 - human });
    court.eval(&["--report-only"]).expect(0);
    court.gold(&["init", "latest"]).expect(0);
    court.fill();
    court.eval(&["--gold-dir", "gold", "--threshold", "1"]).expect(1);
    let report = court.context.report();
    assert!(report["gold"]["overall"]["alpha"]["ci"]["low"].as_f64().unwrap() < 0.4);
    assert!(reasons(&report).contains(&"report-doubt-gold-alpha"), "{:?} {}", reasons(&report), report["gold"]);
}

#[test]
fn t11_outputs_that_changed_make_their_scores_stale() {
    let court = Court::honest(24, gain);
    court.eval(&[]).expect(0);
    court.gold(&["init", "latest"]).expect(0);
    court.fill();
    court.context.write("skills/v2.md", "better, much better");
    let held = court.eval(&["--gold-dir", "gold"]).expect(1);
    let report = court.context.report();
    let counts = &report["gold"]["counts"];
    assert_eq!((&counts["used"], &counts["stale"]), (&json!(24), &json!(24)), "the control's outputs are the same");
    assert_eq!(report["gold"]["leftOut"][0]["reason"], "stale");
    assert!(held.stdout.contains("24 annotations are stale"), "{}", held.stdout);
    assert_eq!(tier(&report), "CAUTIOUS", "nobody scored what the treatment says now");
    court.context.write("skills/v1.md", "plainer");
    court.eval(&["--gold-dir", "gold"]).expect(1);
    let report = court.context.report();
    assert_eq!(report["gold"]["overall"]["alpha"]["why"], "too-few");
    assert!(reasons(&report).contains(&"report-doubt-gold-undefined"), "{:?}", reasons(&report));
}

#[test]
fn t11_constant_scores_have_no_agreement_and_break_nothing() {
    for (judge, people) in [(4, Some(4.0)), (4, None), (0, Some(4.0))] {
        let court = Court::new(8, gain, move |human, _| if judge == 0 { human } else { judge });
        court.eval(&["--report-only"]).expect(0);
        court.gold(&["init", "latest"]).expect(0);
        court.fill_with(|human| Some(people.unwrap_or(f64::from(human))));
        let compared = court.gold(&["compare", "latest"]).expect(0);
        assert!(compared.stdout.contains("undefined, no variance"), "{judge} {people:?}: {}", compared.stdout);
        let overall = &court.compare()["overall"];
        assert_eq!((&overall["kappa"]["value"], &overall["kappa"]["why"]), (&Value::Null, &json!("no-variance")));
        assert_eq!(overall["alpha"]["value"].is_null(), judge == 4 && people.is_some());
        court.eval(&["--report-only", "--gold-dir", "gold"]).expect(0);
    }
}

#[test]
fn t11_a_judge_can_t_vouch_for_itself() {
    let court = Court::new(40, no_gain, |human, treated| human + u8::from(treated));
    court.eval(&[]).expect(0);
    // the judge scores everything as it did; a person scores half of it
    court.gold(&["init", "latest", "--annotator", "openai/Judge-1-20260101"]).expect(0);
    for path in court.files() {
        let mut file: Value = serde_json::from_str(&fs::read_to_string(&path).unwrap()).unwrap();
        for entry in file["annotations"].as_array_mut().unwrap() {
            let output = entry["output"].as_str().unwrap();
            entry["scores"]["rubric"] = json!(human(court.taste, output) + u8::from(of_output(output).1));
        }
        fs::write(&path, file.to_string()).unwrap();
    }
    let alone = court.compare();
    assert_eq!((&alone["overall"]["alpha"]["value"], &alone["withoutJudges"]["n"]), (&json!(1.0), &json!(0)));
    court.eval(&["--gold-dir", "gold"]).expect(1);
    assert!(reasons(&court.context.report()).contains(&"report-doubt-gold-undefined"));

    court.gold(&["init", "latest", "--annotator", "ann", "--samples", "20"]).expect(0);
    court.fill();
    let both = court.compare();
    assert_eq!((&both["overall"]["n"], &both["withoutJudges"]["n"]), (&json!(80), &json!(40)));
    assert!(both["withoutJudges"]["alpha"]["value"].as_f64() < both["overall"]["alpha"]["value"].as_f64());
    assert_eq!(both["annotators"][1]["judge"], "openai-api:judge-1");
    assert!(both["amongAnnotators"]["value"].is_number());
    let text = court.gold(&["compare", "latest"]).expect(0).stdout.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(text.contains("`openai/Judge-1-20260101` seems to be the judge `openai-api:judge-1`"), "{text}");
    court.eval(&["--gold-dir", "gold"]).expect(1);
    assert_eq!(court.context.report()["gold"]["differences"][0]["labelled"], 20, "the judge labels nothing");
}

#[test]
fn t11_a_blind_template_tells_no_variant_and_is_placed_all_the_same() {
    let court = Court::honest(12, gain);
    court.eval(&[]).expect(1);
    court.gold(&["init", "latest", "--blind", "--annotator", "ann"]).expect(0);
    let mut first = 0;
    for path in court.files() {
        let text = fs::read_to_string(&path).unwrap();
        assert!(!text.contains("\"variant\"") && !text.contains("\"v1\"") && !text.contains("\"repeat\""), "{text}");
        let file: Value = serde_json::from_str(&text).unwrap();
        assert_eq!((&file["prompt"].is_string(), &file["criteria"]["rubric"]), (&true, &json!("names the cause")));
        first += usize::from(of_output(file["annotations"][0]["output"].as_str().unwrap()).1);
    }
    assert!((1..12).contains(&first), "the treatment is neither always first nor never: {first}");
    court.fill();
    let compared = court.compare();
    assert_eq!((&compared["counts"]["used"], &compared["overall"]["alpha"]["value"]), (&json!(24), &json!(1.0)));
}

#[test]
fn t11_nothing_that_is_scored_is_overwritten() {
    let court = Court::honest(4, gain);
    court.eval(&["--report-only"]).expect(0);
    court.gold(&["init", "latest", "--annotator", "ann", "--samples", "2"]).expect(0);
    court.fill_with(|_| Some(4.5));
    let before: Vec<String> = court.files().iter().map(|path| fs::read_to_string(path).unwrap()).collect();
    let again = court.gold(&["init", "latest", "--annotator", "ann", "--samples", "2"]).expect(0);
    assert!(again.stdout.contains("nothing new to score") && again.stdout.contains("4 outputs were there already"));
    let after: Vec<String> = court.files().iter().map(|path| fs::read_to_string(path).unwrap()).collect();
    assert_eq!(after, before);
    // more samples include the earlier ones, and a second person is added
    court.gold(&["init", "latest", "--annotator", "ann", "--samples", "3"]).expect(0);
    assert_eq!(court.files().len(), 3);
    court.gold(&["init", "latest", "--annotator", "bob", "--samples", "2"]).expect(0);
    let report = court.gold(&["validate", "latest", "--json"]).expect(0).json();
    assert_eq!((&report["annotations"], &report["scores"], &report["open"]), (&json!(10), &json!(4), &json!(6)));
    assert_eq!(report["annotators"], json!(["ann", "bob"]));
    // a file that can't be read is not replaced
    let broken = court.files().remove(0);
    fs::write(&broken, "{ \"annotations\": [").unwrap();
    court.gold(&["init", "latest", "--annotator", "cid"]).expect(2);
    assert_eq!(fs::read_to_string(&broken).unwrap(), "{ \"annotations\": [");
}

/// Samples that are meant to fail are in no mean, so nobody is asked to score them, and scores of them that there are
/// change nothing: neither in the run nor when its report is compared.
#[test]
fn t11_tripwires_stand_apart_from_gold() {
    let court = Court::new(24, gain, |human, treated| 6 - human.max(1 + u8::from(treated)));
    let path = court.context.path("eval-samples.json");
    let counted: Value = serde_json::from_str(&fs::read_to_string(&path).unwrap()).unwrap();
    let mut samples = counted.clone();
    for (i, sample) in samples.as_array_mut().unwrap().iter_mut().enumerate().filter(|(i, _)| i % 4 == 1) {
        sample["tripwire"] = json!(true);
        sample["sample_id"] = json!(format!("wire{i}"));
    }
    // Scored as if they counted, with and without the hash of the output.
    court.eval(&["--report-only"]).expect(0);
    court.gold(&["init", "latest", "--annotator", "ann"]).expect(0);
    court.fill();
    let wires: Vec<PathBuf> =
        court.files().into_iter().enumerate().filter(|(i, _)| i % 4 == 1).map(|of| of.1).collect();
    for (i, file) in wires.iter().enumerate() {
        let mut value: Value = serde_json::from_str(&fs::read_to_string(file).unwrap()).unwrap();
        value["sample_id"] = json!(format!("wire{}", 4 * i + 1));
        if i % 2 == 0 {
            for entry in value["annotations"].as_array_mut().unwrap() {
                entry.as_object_mut().unwrap().remove("outputSha256");
            }
        }
        fs::remove_file(file).unwrap();
        court.context.write(&format!("gold/wire{}.json", 4 * i + 1), &value.to_string());
    }
    fs::write(&path, samples.to_string()).unwrap();
    court.eval(&["--report-only", "--gold-dir", "gold"]).expect(0);
    let held = court.context.report();
    let gold = &held["gold"];
    assert_eq!(court.compare(), *gold, "the run and its report say the same");
    assert_eq!((&gold["counts"]["used"], &gold["counts"]["tripwire"]), (&json!(36), &json!(12)));
    assert_eq!(gold["leftOut"][0]["reason"], "tripwire");
    assert_eq!((&gold["overall"]["samples"], &gold["differences"][0]["labelled"]), (&json!(18), &json!(18)));
    let text = court.gold(&["compare", "latest"]).expect(0).stdout.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(text.contains("12 annotations are about tripwires"), "{text}");

    // Nobody is asked to score them.
    fs::remove_dir_all(court.context.path("gold")).unwrap();
    court.gold(&["init", "latest", "--annotator", "ann"]).expect(0);
    assert_eq!(court.files().len(), 18);
    court.fill();
    // Where all are scored, the numbers are those of the suite without tripwires.
    let numbers = |gold: &Value| ["overall", "means", "differences"].map(|part| gold[part].clone());
    let with = numbers(&court.compare());
    let without: Value =
        counted.as_array().unwrap().iter().enumerate().filter(|(i, _)| i % 4 != 1).map(|of| of.1.clone()).collect();
    fs::write(&path, without.to_string()).unwrap();
    court.eval(&["--report-only", "--gold-dir", "gold"]).expect(0);
    assert_eq!(numbers(&court.context.report()["gold"]), with);
    assert_eq!(numbers(gold), with);
}

#[test]
fn t11_a_judge_is_known_by_every_name_of_its_model() {
    let court = Court::honest(4, gain);
    court.eval(&["--report-only"]).expect(0);
    let executors = eval_exec::EXECUTORS.iter().map(|executor| format!("{}:judge-1", executor.name));
    let mut names: Vec<String> = executors.collect();
    names.extend(["judge-1:latest", "acme/Judge1-20260101", "ann", "judge-12", "other:judge-1"].map(str::to_owned));
    for name in &names {
        court.gold(&["init", "latest", "--annotator", name]).expect(0);
    }
    court.fill();
    let annotators = court.compare()["annotators"].clone();
    let people: Vec<&str> = (annotators.as_array().unwrap().iter())
        .filter(|of| of["judge"].is_null())
        .map(|of| of["name"].as_str().unwrap())
        .collect();
    assert_eq!(people, ["ann", "judge-12", "other:judge-1"], "{annotators}");
}

/// A directory is called what somebody called it, which may not paint the terminal.
#[test]
fn t11_names_of_files_are_printed_harmless() {
    let court = Court::honest(2, gain);
    court.eval(&["--report-only"]).expect(0);
    let hostile = "go\u{1b}[2J\u{1b}]0;title\u{7}ld\u{202e}\nPROGRESS";
    for arguments in [&["gold", "init", "latest"][..], &["gold", "validate"]] {
        let finished = court.context.run(&[arguments, &["--gold-dir", hostile]].concat()).expect(0);
        assert!(finished.stdout.contains("`gold PROGRESS`"), "{finished:?}");
        assert!(!finished.stdout.contains(['\u{1b}', '\u{7}', '\u{202e}']), "{finished:?}");
        assert!(!finished.stdout.contains("\nPROGRESS"), "{finished:?}");
    }
    let begun = court.context.run(&["gold", "init", "latest", "--gold-dir", "other"]).expect(0);
    assert!(begun.stdout.contains("\n  omk gold compare latest --gold-dir other\n"), "{begun:?}");
}

#[test]
fn t11_the_simplest_form_is_compared_with_the_only_output_there_is() {
    let court = Court::honest(8, gain);
    court.eval(&["--control", "v1", "--report-only"]).expect(0);
    for i in 1..=8 {
        let content = json!({"annotator": "ann", "scores": {"rubric": gain(i).0}});
        court.context.write(&format!("gold/s{i:03}.json"), &content.to_string());
    }
    let compared = court.compare();
    let counts = &compared["counts"];
    assert_eq!((&counts["used"], &counts["unverified"], &compared["overall"]["n"]), (&json!(8), &json!(8), &json!(8)));
    assert_eq!(compared["overall"]["alpha"]["value"], 1.0);
    // two variants: which of them was it?
    court.eval(&["--report-only"]).expect(0);
    let compared = court.compare();
    assert_eq!((&compared["counts"]["used"], &compared["counts"]["unplaced"]), (&json!(0), &json!(8)));
    let told = court.gold(&["compare", "latest", "--variant", "v1", "--json"]).expect(0).json();
    assert_eq!(told["overall"]["alpha"]["value"], 1.0);
    let wrong = court.gold(&["compare", "latest", "--variant", "v3"]).expect(2);
    assert!(wrong.stderr.contains("no variant `v3`") && wrong.stderr.contains("`v1`, `v2`"), "{wrong:?}");
}

#[test]
fn t11_broken_gold_stops_a_run_before_anything_is_paid() {
    let court = Court::honest(4, gain);
    court
        .context
        .write("gold/s001.json", "{\n  \"annotator\": \"ann\",\n  \"scores\": {\"rubrik\": 4, \"rubric\": \"5\"}\n}\n");
    court.context.write("gold/s002.json", "[]");
    let wrong = court.eval(&["--gold-dir", "gold"]).expect(2);
    for part in ["gold/s001.json:3:14", "did you mean `rubric`?", "found the text `5`", "gold/s002.json:1:1"] {
        assert!(wrong.stderr.contains(part), "no `{part}` in\n{}", wrong.stderr);
    }
    assert_eq!(court.api.count(), 0);
    let validated = court.gold(&["validate", "--json"]).expect(2).json();
    assert_eq!(validated["diagnostics"][0]["line"], 3, "{validated}");
    // without a report nobody knows the questions
    assert_eq!(validated["diagnostics"].as_array().unwrap().len(), 2);

    fs::remove_dir_all(court.context.path("gold")).unwrap();
    let missing = court.eval(&["--gold-dir", "gold"]).expect(2);
    assert!(missing.stderr.contains("no directory `gold`"), "{missing:?}");
    court.context.write("eval.yaml", "goldDir: nowhere\n");
    assert!(court.eval(&[]).expect(2).stderr.contains("eval.yaml:1:10"));
    fs::remove_file(court.context.path("eval.yaml")).unwrap();

    court.context.write("elsewhere.json", "{\"annotator\": \"ann\", \"scores\": {\"rubric\": 4}}");
    fs::create_dir(court.context.path("gold")).unwrap();
    std::os::unix::fs::symlink("../elsewhere.json", court.context.path("gold/s001.json")).unwrap();
    assert!(court.gold(&["validate"]).expect(2).stderr.contains("leads out of the gold directory"));
    fs::remove_file(court.context.path("gold/s001.json")).unwrap();
    let huge = fs::File::create(court.context.path("gold/s001.json")).unwrap();
    huge.set_len(1 << 34).unwrap();
    assert!(court.gold(&["validate"]).expect(2).stderr.contains("larger than 64 MiB"));
}

/// Programs read their directory, so what stands in it decides whether the cache may answer for them.
#[test]
fn t11_gold_in_the_project_is_no_input_of_the_programs_that_run_there() {
    let context = TestContext::with_agent();
    context.script("judge", "cat > /dev/null\necho no\n");
    context.write("eval-samples.json", r#"[{"sample_id": "s001", "prompt": "x", "rubric": "y"}]"#);
    context.write("gold/s001.json", r#"{"annotator": "ann", "variant": "v1", "scores": {"rubric": 4}}"#);
    let run = || {
        let flags =
            ["--variants", "v1,v2", "--executor", "./agent", "--judge-executor", "./judge", "--gold-dir", "gold"];
        context.run(&[&["eval", "--report-only"], &flags[..]].concat());
        context.report()["summary"]["v1"]["cached"].clone()
    };
    assert_eq!(run(), 0);
    context.write("gold/s001.json", r#"{"annotator": "ann", "variant": "v1", "scores": {"rubric": 5}}"#);
    assert_eq!(run(), 1);
    assert_eq!(context.report()["gold"]["counts"]["unjudged"], 1, "the judge says nothing usable");
}

#[test]
fn t11_a_report_without_judges_has_nothing_to_score() {
    let court = Court::honest(2, gain);
    court.eval(&["--no-judge", "--report-only"]).expect(0);
    assert!(court.gold(&["init", "latest"]).expect(2).stderr.contains("no output that a judge scored"));
    assert!(court.gold(&["init", "none"]).expect(2).stderr.contains("no report `none`"));
    let empty = TestContext::new();
    assert!(empty.run(&["gold", "init", "latest", "--gold-dir", "g"]).expect(2).stderr.contains("there is no report"));
}
