//! What is wrong with the samples themselves: each check finds what it should, and leaves alone what it should.

use std::path::PathBuf;

use eval_format::{InsightKind, QualityFinding, SampleCheck, SampleQuality};
use eval_history::{PlanPreview, preview};
use eval_message::Lang;
use eval_spec::mock::Mock;
use eval_spec::page::ComparedTexts;
use eval_spec::units::Usd;
use eval_spec::{Assertion, CheckOutcome, Judged, Layer, Opinion, Sample};
use serde_json::{Value, json};

use crate::world::{At, Came, World, fact, facts, sample};

/// What a plan says of samples, each with other words than the others.
fn of(samples: Vec<Sample>) -> SampleQuality {
    let mut world = World::new(0, &["v1", "v2"], 1, |_| fact(true));
    world.suite.samples = samples;
    plan(&world).sample_quality
}

fn plan(world: &World) -> PlanPreview {
    preview(&world.suite, &world.plan, "replay", None, None, None)
}

fn asks(id: usize, prompt: &str) -> Sample {
    Sample { prompt: prompt.to_owned(), ..sample(&format!("s{id:03}")) }
}

fn assertion(written: &Value) -> Assertion {
    let children = written["children"].as_array().map_or(&[][..], Vec::as_slice);
    Assertion {
        kind: written["type"].as_str().unwrap().to_owned(),
        weight: 1.0,
        not: written["not"] == true,
        written: written.as_object().unwrap().clone(),
        children: children.iter().map(assertion).collect(),
        base: PathBuf::from("."),
        place: None,
        field_places: Default::default(),
    }
}

fn checked(id: usize, prompt: &str, assertions: &Value) -> Sample {
    let assertions = assertions.as_array().unwrap().iter().map(assertion).collect();
    Sample { assertions, ..asks(id, prompt) }
}

fn found<'q>(quality: &'q SampleQuality, kind: &str) -> Option<&'q QualityFinding> {
    quality.findings.iter().find(|finding| json!(finding.kind) == kind)
}

fn ids(finding: &QualityFinding) -> Vec<Vec<&str>> {
    finding.items.iter().map(|item| item.sample_ids.iter().map(String::as_str).collect()).collect()
}

fn why<'q>(quality: &'q SampleQuality, kind: &str) -> &'q str {
    &quality.not_checked.iter().find(|of| json!(of.kind) == kind).unwrap().why.message_key.id
}

const LONG: &str =
    "A customer writes that the parcel arrived late and one of two cups was broken; answer in a friendly tone";

#[test]
fn samples_are_alike_where_their_pages_are_however_the_urls_look() {
    let about = |id, url: &str, page: &str| {
        let compared = ComparedTexts { prompt: format!("{LONG}  "), context: None, pages: vec![page.to_owned()] };
        Sample { compared: Some(Box::new(compared)), ..asks(id, &format!("{LONG} {url}")) }
    };
    let quality = of(vec![
        about(1, "https://a.example/feature-1", "one"),
        about(2, "https://a.example/feature-2", "two"),
        about(3, "https://quite-another.example/address?of=the-same", "one"),
    ]);
    assert_eq!(ids(found(&quality, "near_duplicates").unwrap()), [["s001", "s003"]]);
}

#[test]
fn the_words_of_a_url_give_no_answer_away() {
    let asks_for = json!([{"type": "contains", "value": "refund policy"}]);
    let prompt = "What does https://a.example/ say? refund policy";
    let mut sample = checked(1, prompt, &asks_for);
    assert!(found(&of(vec![sample.clone()]), "leaky_prompts").is_some());
    let compared =
        ComparedTexts { prompt: "What does   say?".to_owned(), context: None, pages: vec!["one".to_owned()] };
    sample.compared = Some(Box::new(compared));
    assert!(found(&of(vec![sample]), "leaky_prompts").is_none());
}

#[test]
fn the_same_words_in_another_dress_are_a_duplicate() {
    let quality = of(vec![
        asks(1, "Review  this CODE！"),
        asks(2, "review this code!"),
        asks(3, "审查这段代码，\n列出问题"),
        asks(4, "审查这段代码， 列出问题"),
        asks(5, "Review that code!"),
    ]);
    let finding = found(&quality, "near_duplicates").unwrap();
    assert_eq!(ids(finding), [["s001", "s002"], ["s003", "s004"]]);
    // two of five repeat another: 30 · min(1, 2 · 2/5)
    assert_eq!((finding.affected, finding.checked, finding.points), (2, 5, 24.0));
    assert_eq!(quality.score, Some(76.0));
}

#[test]
fn nearly_the_same_is_named_with_its_likeness_in_both_languages() {
    let chinese =
        "客户来信说包裹迟到了三天，两个杯子里有一个碎了，请用友好的语气写一封回信，并说明退款需要多长时间才能到账";
    let quality = of(vec![
        asks(1, LONG),
        asks(2, &LONG.replace("friendly", "friendlier")),
        asks(3, chinese),
        asks(4, &chinese.replace("退款", "赔款")),
    ]);
    let finding = found(&quality, "near_duplicates").unwrap();
    let mut pairs = ids(finding);
    pairs.sort();
    assert_eq!(pairs, [["s001", "s002"], ["s003", "s004"]]);
    let likeness: Vec<f64> = finding.items.iter().map(|item| item.value.unwrap()).collect();
    assert!(likeness.iter().all(|likeness| (0.8..1.0).contains(likeness)), "{likeness:?}");
}

#[test]
fn what_differs_where_it_matters_is_no_duplicate() {
    let document =
        "The contract may be ended by either side with three months' notice to the end of a quarter. ".repeat(4);
    let about = |id, prompt: &str| Sample { context: Some(document.clone()), ..asks(id, prompt) };
    let at = |id, dir: &str| Sample { cwd: Some(dir.into()), ..asks(id, "Make the tests of this project pass") };
    let mocked = |id, answer: &str| {
        let written = json!({"tool": "Bash", "return": answer}).as_object().unwrap().clone();
        Sample {
            mocks: vec![Mock { tool: "Bash".to_owned(), written, ..Mock::default() }],
            ..asks(id, "Is the service up?")
        }
    };
    let quality = of(vec![
        about(1, "Who may end the contract?"),
        about(2, "When does the notice run out?"),
        at(3, "/one"),
        at(4, "/two"),
        mocked(5, "active"),
        mocked(6, "failed"),
        asks(7, "What is 17 × 23?"),
        asks(8, "What is 18 × 23?"),
        asks(9, "if (a < b) return a;"),
        asks(10, "if (a > b) return a;"),
    ]);
    assert_eq!(found(&quality, "near_duplicates"), None);
}

#[test]
fn a_frame_that_all_samples_share_makes_no_duplicates() {
    let frame = "You are given one support ticket. Read it with care, decide which team it belongs to, and reply with the \
                 name of the team alone, in lower case, without any other word or mark. The ticket:";
    let tickets = [
        "The invoice lists my old address twice",
        "Nothing happens when I press the export button",
        "Can we get another twenty seats by Monday",
        "My colleague left and took the admin rights along",
        "The app forgets my language after each update",
        "You charged the card that I removed in May",
    ];
    let samples = || tickets.iter().enumerate().map(|(i, ticket)| asks(i, &format!("{frame} {ticket}")));
    assert_eq!(found(&of(samples().collect()), "near_duplicates"), None);
    // what stands in the frame twice is still a duplicate
    let again = asks(9, &format!("{frame} {}", tickets[2]));
    let quality = of(samples().chain([again]).collect());
    assert_eq!(ids(found(&quality, "near_duplicates").unwrap()), [["s002", "s009"]]);
}

#[test]
fn samples_that_are_meant_to_fail_are_left_out() {
    let mut trap = asks(2, "Review this code");
    trap.tripwire = true;
    let quality = of(vec![asks(1, "Review this code"), trap]);
    assert_eq!((quality.samples, why(&quality, "near_duplicates")), (1, "quality-why-one-sample"));
    assert_eq!((quality.score, quality.why.unwrap().message_key.id.as_ref()), (None, "quality-why-nothing"));
}

#[test]
fn duplicates_among_thousands_are_found() {
    let words = ["amber", "basalt", "cobalt", "damask", "ember", "fathom", "garnet", "harbor", "indigo", "jasper"];
    let text = |mut i: usize| {
        let mut said = String::new();
        for _ in 0..24 {
            i = i.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            said += words[(i >> 33) % 10];
            said += ["-", " ", "; "][(i >> 41) % 3];
        }
        said
    };
    let mut samples: Vec<Sample> = (0..2000).map(|i| asks(i, &text(i))).collect();
    samples.push(asks(2000, &text(700)));
    samples.push(asks(2001, &format!("{} please", text(1234))));
    let quality = of(samples);
    assert_eq!(ids(found(&quality, "near_duplicates").unwrap()), [["s700", "s2000"], ["s1234", "s2001"]]);
}

/// Words that look as if drawn at random.
fn words(seed: usize, count: usize) -> String {
    let letters = |x: usize| (0..5).map(|at| char::from(b'a' + (x >> (5 * at) & 15) as u8)).collect::<String>();
    let word = |at: usize| letters((seed * 1000 + at + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 20);
    (0..count).map(word).collect::<Vec<_>>().join(" ")
}

/// Long contexts that many samples share must hide no duplicate, and make none.
#[test]
fn questions_about_few_documents_are_duplicates_when_the_questions_are() {
    let question = |i: usize| match i % 100 {
        // the same of the same document, and of another one
        98 => format!("{} please", words(i - 8, 10)),
        99 => format!("{} please", words(i - 7, 10)),
        _ => words(i, 10),
    };
    let document =
        |i: usize| format!("{} {}", words(1_000_000 + i % 4, 400), if i.is_multiple_of(8) { "note" } else { "" });
    let of = of((0..1600).map(|i| Sample { context: Some(document(i)), ..asks(i, &question(i)) }).collect());
    let duplicates = found(&of, "near_duplicates").unwrap();
    let expected: Vec<Vec<String>> =
        (0..16).map(|i| vec![format!("s{:03}", i * 100 + 90), format!("s{:03}", i * 100 + 98)]).collect();
    let mut found = ids(duplicates);
    found.sort_unstable();
    let mut expected: Vec<Vec<&str>> = expected.iter().map(|pair| pair.iter().map(String::as_str).collect()).collect();
    expected.sort_unstable();
    assert_eq!(duplicates.affected, 16);
    assert_eq!(found, expected);
}

/// Texts that are half alike fill the same crowds as those that are nearly the same.
#[test]
fn duplicates_among_the_half_similar_are_found() {
    let prompt = |i: usize| {
        let (own, of) = if i % 100 == 99 { (words(i - 50, 6), i - 50) } else { (words(i, 6), i) };
        format!("{} {own}{}", words(2_000_000 + of % 5, 9), if i % 100 == 99 { "!" } else { "" })
    };
    let of = of((0..2000).map(|i| asks(i, &prompt(i))).collect());
    assert_eq!(found(&of, "near_duplicates").unwrap().affected, 20);
}

#[test]
fn rubrics_that_ask_for_nothing_are_ambiguous() {
    let rubric = |id, text: &str| Sample { rubric: Some(text.to_owned()), ..asks(id, &format!("question {id}")) };
    let mut dimensions = rubric(4, "good");
    dimensions.dimensions = vec![("security".to_owned(), "是否识别出注入漏洞".to_owned())];
    let quality = of(vec![
        rubric(1, "Good answer\u{1b}[31m"),
        rubric(2, "Should identify SQL injection"),
        rubric(3, "回答质量"),
        dimensions,
    ]);
    let finding = found(&quality, "ambiguous_rubrics").unwrap();
    assert_eq!((ids(finding), finding.checked), (vec![vec!["s001"], vec!["s003"]], 4));
    assert_eq!(finding.items[0].detail.message, "`Good answer` asks for nothing definite");
    assert_eq!(why(&of(vec![asks(1, "a")]), "ambiguous_rubrics"), "quality-why-no-rubric");
}

#[test]
fn capabilities_need_six_samples() {
    let named = |id: usize, name: &str| {
        let mut sample = asks(id, &format!("question {id}"));
        sample.metadata.capability = vec![name.to_owned()];
        sample
    };
    let mut samples: Vec<Sample> =
        (0..6).map(|id| named(id, if id % 2 == 0 { "Routing" } else { "routing" })).collect();
    samples.extend([named(7, "tone"), named(8, "tone"), named(9, "sums")]);
    let quality = of(samples);
    let finding = found(&quality, "thin_capabilities").unwrap();
    assert_eq!((finding.affected, finding.checked), (2, 3));
    assert_eq!(ids(finding), [vec!["s009"], vec!["s007", "s008"]]);
    assert_eq!(finding.items[0].detail.message, "`sums`: 1 sample");
    assert_eq!(why(&of(vec![asks(1, "a")]), "thin_capabilities"), "quality-why-no-capability");
}

#[test]
fn prompts_that_hold_the_answer_are_leaky() {
    let quality = of(vec![
        checked(1, "Is this SQL injection, and why?", &json!([{"type": "contains", "value": "sql Injection"}])),
        checked(2, "这是 SQL 注入吗？", &json!([{"type": "contains_any", "values": ["参数化", "注入"]}])),
        checked(
            3,
            "Mention parameterized queries and escaping.",
            &json!([
            {"type": "contains_all", "values": ["parameterized", "escaping"]}, {"type": "max_length", "value": 99}]),
        ),
        checked(
            4,
            "Why is the sky blue? It is blue since air scatters short waves most.",
            &json!([
            {"type": "semantic_similarity", "reference": "air scatters short waves most"}]),
        ),
        checked(
            5,
            "Tell me of the Rayleigh effect",
            &json!([
            {"type": "assert-set", "mode": "all", "not": true, "children": [
                {"type": "not_contains", "value": "Rayleigh"}, {"type": "min_length", "value": 3}]}]),
        ),
    ]);
    let finding = found(&quality, "leaky_prompts").unwrap();
    assert_eq!(ids(finding), [["s001"], ["s002"], ["s003"], ["s004"], ["s005"]]);
    let said = "`sql Injection` (assertion 1) stands in the prompt: 1 of 1 checks for a text given away";
    assert_eq!(finding.items[0].detail.message, said);
    assert_eq!(finding.points, 25.0);
}

#[test]
fn what_only_looks_like_a_leak_is_left_alone() {
    let quality = of(vec![
        // the answer must not have it
        checked(
            1,
            "Explain recursion without the word stack",
            &json!([
            {"type": "not_contains", "value": "stack"}, {"type": "contains", "value": "stack", "not": true}]),
        ),
        // short and common words, and words within words
        checked(
            2,
            "Is the answer true, yes or no? A user generates it.",
            &json!([
            {"type": "contains", "value": "yes"}, {"type": "contains", "value": "true"},
            {"type": "contains", "value": "rate"}]),
        ),
        // a text to be transformed
        checked(3, "Translate into French: the harbour is closed", &json!([{"type": "contains", "value": "harbour"}])),
        checked(4, "把下面的句子改写得更礼貌：退款什么时候到账", &json!([{"type": "contains", "value": "退款"}])),
        // one word of three is the topic
        checked(
            5,
            "What does garbage collection cost?",
            &json!([
            {"type": "contains", "value": "garbage"}, {"type": "contains", "value": "pause"},
            {"type": "contains", "value": "throughput"}]),
        ),
        // the answers to choose from
        checked(
            6,
            "Which team is it, billing or shipping? Ticket: my card",
            &json!([
            {"type": "contains", "value": "billing"}]),
        ),
        checked(
            7,
            "Which team is it, billing or shipping? Ticket: my cup",
            &json!([
            {"type": "contains", "value": "shipping"}]),
        ),
        checked(8, "Ticket: the invoice", &json!([{"type": "contains", "value": "billing"}])),
        checked(9, "Ticket: the parcel", &json!([{"type": "contains", "value": "shipping"}])),
        // the context is what the answer is drawn from
        Sample {
            context: Some("Payment is due within 14 days".to_owned()),
            ..checked(
                10,
                "When is it due?",
                &json!([
            {"type": "contains", "value": "14 days"}]),
            )
        },
        // tools are told what to work on
        checked(11, "Delete notes.txt", &json!([{"type": "tool_input_contains", "value": "notes.txt"}])),
    ]);
    assert_eq!(found(&quality, "leaky_prompts").map(ids), None);
    assert!(quality.passed.contains(&SampleCheck::LeakyPrompts));
}

#[test]
fn words_that_most_prompts_are_about_give_nothing_away() {
    let about = |id: usize| {
        checked(
            id,
            &format!("In Kubernetes, what does part {id} do?"),
            &json!([
        {"type": "contains", "value": "kubernetes"}]),
        )
    };
    assert_eq!(found(&of((0..6).map(about).collect()), "leaky_prompts"), None);
}

fn priced(world: &mut World, price: impl Fn(At) -> f64) {
    for sample in 0..world.suite.samples.len() {
        for variant in 0..world.suite.variants.len() {
            let at = At { sample, variant, repeat: 0 };
            let usd = price(at);
            world.output(at).cost.as_mut().unwrap().usd = Usd(usd);
            world.output(at).latency_ms = Some(if sample == 4 { 90_000 } else { 1000 + sample as u64 * 20 });
        }
    }
}

#[test]
fn what_costs_or_takes_far_more_is_named_and_takes_no_points() {
    let mut world = World::new(20, &["v1", "v2"], 1, |at| facts(1 + at.sample % 3, 4));
    // a variant that is dearer makes no sample dear
    priced(&mut world, |at| {
        let base = 0.01 + at.sample as f64 * 0.0002;
        base * if at.variant == 1 { 3.5 } else { 1.0 } * if at.sample == 7 { 20.0 } else { 1.0 }
    });
    let report = world.report();
    let insight = report.analysis.insights.iter().find(|insight| insight.kind == InsightKind::HighCost).unwrap();
    assert_eq!(insight.sample_ids, ["s008"]);
    assert!(insight.message.starts_with("1/20 samples cost far more than the others, at least 3 times"), "{insight:?}");
    let quality = report.analysis.sample_quality;
    let cost = found(&quality, "cost_outliers").unwrap();
    let latency = found(&quality, "latency_outliers").unwrap();
    assert_eq!((ids(cost), ids(latency)), (vec![vec!["s008"]], vec![vec!["s005"]]));
    assert_eq!((cost.points, latency.points, quality.score), (0.0, 0.0, Some(100.0)));
    assert!((15.0..25.0).contains(&cost.items[0].value.unwrap()), "{cost:?}");
}

#[test]
fn an_unknown_price_is_no_outlier_and_says_so() {
    let mut world = World::new(12, &["v1"], 1, |at| facts(1 + at.sample % 3, 4));
    for sample in 0..12 {
        world.output(At { sample, variant: 0, repeat: 0 }).cost = None;
    }
    let quality = world.report().analysis.sample_quality;
    assert_eq!(why(&quality, "cost_outliers"), "quality-why-no-cost");
    assert_eq!(why(&quality, "item_discrimination"), "quality-why-few-runs");
}

#[test]
fn a_sample_on_which_the_worse_runs_win_is_named() {
    // better runs (higher repeat) pass more of each sample; the last sample goes the other way
    let world = World::new(6, &["v1", "v2"], 20, |at| {
        let better = (at.repeat + (at.sample * 3 + at.variant) % 4) / 6;
        facts(if at.sample == 5 { 4 - better.min(4) } else { better.min(4) }, 4)
    });
    let quality = world.report().analysis.sample_quality;
    let finding = found(&quality, "item_discrimination").unwrap();
    assert_eq!((ids(finding), finding.checked), (vec![vec!["s006"]], 6));
    assert!(finding.items[0].value.unwrap() < -0.5);
    assert_eq!(why(&quality, "question_discrimination"), "quality-why-few-samples");
}

#[test]
fn a_question_that_goes_against_the_others_is_named() {
    // the third check passes on the samples on which the others fail
    let world = World::new(40, &["v1", "v2"], 1, |at| {
        let good = at.sample % 2 == 0;
        let noise = at.sample % 7 == 0;
        Came::To(vec![
            (Layer::Fact, 1.0, Some(good != noise)),
            (Layer::Fact, 1.0, Some(good)),
            (Layer::Fact, 1.0, Some(!good)),
        ])
    });
    let quality = world.report().analysis.sample_quality;
    let finding = found(&quality, "question_discrimination").unwrap();
    assert!(finding.items[0].detail.message.starts_with("`contains word 2`: correlation"), "{finding:?}");
    assert_eq!(finding.items[0].total_samples, 40);
}

#[test]
fn rubrics_on_which_judges_are_far_apart_are_ambiguous() {
    let mut world = World::new(8, &["v1", "v2"], 1, |_| {
        Came::To(vec![(Layer::Fact, 1.0, Some(true)), (Layer::Judge, 1.0, Some(true))])
    });
    for sample in 0..8 {
        world.suite.samples[sample].rubric = Some("Should name the cause".to_owned());
        for variant in 0..2 {
            let scores = if sample == 3 { [1.0, 4.0] } else { [4.0, 4.0] };
            let opinion = |(judge, score): (&str, f64)| Opinion {
                judge: judge.to_owned(),
                repeat: 0,
                score: Some(score),
                reasoning: String::new(),
                claims: Vec::new(),
                why: None,
                reply: None,
                failure: None,
                requests: 1,
                cost_usd: None,
            };
            let opinions = ["a", "b"].into_iter().zip(scores).map(opinion).collect();
            let check = &mut world.record(At { sample, variant, repeat: 0 }).grade.as_mut().unwrap().checks[1];
            check.outcome = CheckOutcome::Rated { ratio: eval_spec::units::Ratio::new(0.6).unwrap() };
            check.judged = Some(Box::new(Judged { dimension: None, lang: Lang::En, score: Some(2.5), opinions }));
        }
    }
    let quality = world.report().analysis.sample_quality;
    let finding = found(&quality, "ambiguous_rubrics").unwrap();
    assert_eq!(ids(finding), [["s004"]]);
    assert!(finding.items[0].detail.message.contains("standard deviation of 2.12 points"), "{finding:?}");
}

#[test]
fn the_score_can_be_redone_from_what_is_listed() {
    let quality = of((0..40)
        .map(|i| {
            let prompt = if i % 4 == 0 { "Review this".to_owned() } else { format!("question number {i}") };
            Sample {
                rubric: Some(if i % 3 == 0 { "good" } else { "must cite the law" }.to_owned()),
                ..asks(i, &prompt)
            }
        })
        .collect());
    let mut sum = 0.0;
    for finding in &quality.findings {
        let share = finding.affected as f64 / finding.checked as f64;
        let points = (finding.weight * (2.0 * share).min(1.0) * 10.0).round() / 10.0;
        assert_eq!(finding.points, points);
        sum += points;
    }
    assert!(quality.findings.len() == 2 && (100.0 - sum - quality.score.unwrap()).abs() < 1e-9, "{quality:?}");
}

#[test]
fn what_is_listed_is_bounded_and_the_total_stands_beside_it() {
    let quality = of((0..300)
        .map(|i| asks(i, if i < 200 { "Review this" } else { "x" }))
        .chain((300..400).map(|i| Sample { rubric: Some("good".to_owned()), ..asks(i, &format!("question {i}")) }))
        .collect());
    let rubrics = found(&quality, "ambiguous_rubrics").unwrap();
    assert_eq!((rubrics.items.len(), rubrics.total_items), (20, 100));
    let duplicates = found(&quality, "near_duplicates").unwrap();
    assert_eq!((duplicates.items[0].sample_ids.len(), duplicates.items[0].total_samples), (10, 200));
}
