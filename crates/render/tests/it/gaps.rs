//! Knowledge gaps on every surface: no rate without the test set that it holds for.

use eval_format::skills::{RateInterval, RateMethod};
use eval_format::{
    CoverageMeasures, FileAccess, GapCurve, GapEntry, GapMeasures, GapTrendPoint, HedgingCounts, KnowledgeChange,
    Report, UnjudgedHedging, VariantCoverage, VariantGaps, WantedGap, gap_notice,
};
use eval_history::{diff, read_slim};
use eval_message::Lang;
use eval_render::formats::format_named;
use eval_render::run_page::{
    PageFrame, RowFilter, RowReader, RowsView, SamplePlace, SampleRow, SiteLinks, run_file, run_page, sample_page,
};
use eval_render::{Show, diff_text, summary_text};
use eval_spec::gap::{AccessKind, GapClass, HedgingVerdict, SignalKind};
use serde_json::{Value, json};

use crate::world::{World, facts};

/// `v1` met no gap; `v2` so many, on as many samples.
fn with_gaps(signals: usize) -> Report {
    let report = World::new(200, &["v1", "v2"], 1, |_| facts(3, 4)).report();
    let entry = |at: usize| signal(at, 0, "revenue_<b>schema</b> \u{202e}`x`");
    with_inventory(report, (1..=signals).map(entry).collect())
}

fn signal(sample: usize, run: u32, subject: &str) -> GapEntry {
    GapEntry {
        id: "g".to_owned(),
        decision: None,
        classifier_verdict: None,
        anchor: None,
        sample_id: format!("s{sample:03}"),
        run,
        turn: 2,
        sub_agent: None,
        kind: SignalKind::FailedSearch,
        subject: subject.to_owned(),
        calls: Vec::new(),
        class: GapClass::Knowledge,
        intent: None,
        place: None,
    }
}

/// The report where `v2` met these gaps.
fn with_inventory(mut report: Report, inventory: Vec<GapEntry>) -> Report {
    let ci = |low, high| Some(RateInterval { low, high, level: 0.95, method: RateMethod::Wilson });
    let measured = |rate: f64, ci, inventory| GapMeasures {
        low_before: 0,
        gap_rate: Some(rate),
        gap_rate_ci: ci,
        weighted_gap_rate: Some(rate),
        samples: 200,
        without_trace: 0,
        inventory,
        ..GapMeasures::default()
    };
    let set = report.meta.test_set.clone();
    let of = |measures| VariantGaps::new(set.clone(), measures);
    let none = of(measured(0.0, ci(0.0, 0.019), Vec::new()));
    let some = of(measured(0.375, ci(0.311, 0.444), inventory));
    report.analysis.gap = [("v1".to_owned(), none), ("v2".to_owned(), some)].into();
    report
}

fn rendered(report: &Report, format: &str, lang: Lang) -> String {
    let mut bytes = Vec::new();
    format_named::<Report>(format).unwrap().render(report, Show::file(lang), &mut bytes).unwrap();
    String::from_utf8(bytes).unwrap()
}

#[test]
fn every_surface_has_the_rates_with_interval_test_set_and_notice() {
    let report = with_gaps(3);
    let set = report.meta.test_set.path.clone();
    let title = |lang| if lang == Lang::En { "Knowledge gaps" } else { "知识缺口" };
    for lang in [Lang::En, Lang::Zh] {
        let show = Show { lang, width: 2000, color: false, exit_code: true };
        let page = run_file(&report, lang).unwrap().replace("&#39;", "'");
        for (surface, text) in [
            ("page", &page),
            ("markdown", &rendered(&report, "markdown", lang)),
            ("terminal", &summary_text(&report, show, None)),
        ] {
            // what is around a rate on its line holds the test set and both ends of the interval
            let line = text
                .split("<li>")
                .flat_map(str::lines)
                .find(|line| line.contains("37.5"))
                .unwrap_or_else(|| panic!("{surface}: {text}"));
            for part in ["31.1", "44.4", &set, "v2"] {
                assert!(line.contains(part), "{surface}: {part} in {line}");
            }
            // the rate and the weighted one, and nowhere else
            assert_eq!(text.matches("37.5").count(), 2, "{surface}: {text}");
            assert!(text.contains(&gap_notice().text(lang)), "{surface}: {text}");
            assert!(text.contains(title(lang)) && text.matches("s003").count() >= 1, "{surface}: {text}");
            assert!(
                (surface != "page" || !text.contains("<b>schema")) && text.contains("⟦U+202E⟧"),
                "{surface}: {text}"
            );
        }
        let [samples, gaps, method] = ["id=\"samples\"", "class=\"card extra gaps\"", "SHA-256"]
            .map(|part| page.find(part).unwrap_or(usize::MAX));
        assert!(samples < gaps && gaps < method, "behind the samples, before the provenance: {page}");
    }
}

#[test]
fn comment_and_test_results_have_the_rate_with_its_test_set_and_the_warning() {
    let report = with_gaps(3);
    let (set, notice) = (report.meta.test_set.id.clone(), gap_notice().text(Lang::En).replace('\'', "&apos;"));
    let comment = rendered(&report, "github", Lang::En);
    let line = comment.lines().find(|line| line.contains("gap rate")).unwrap_or_else(|| panic!("{comment}"));
    for part in ["37.5 %", &set, "200 samples", "holds for this test set only"] {
        assert!(line.replace(['\\', '\u{200b}'], "").replace("&#64;", "@").contains(part), "{part}: {line}");
    }
    let junit = rendered(&report, "junit", Lang::En);
    let line = junit
        .lines()
        .find(|line| line.contains("gapRate") && line.contains("37.5"))
        .unwrap_or_else(|| panic!("{junit}"));
    assert!(line.contains(&set) && line.contains("31.1 to 44.4"), "{line}");
    assert!(junit.replace("&#39;", "&apos;").contains(&notice), "{notice}: {junit}");
    let report = World::new(6, &["v1", "v2"], 1, |_| facts(3, 4)).report();
    for format in ["github", "junit"] {
        let text = rendered(&report, format, Lang::En).to_lowercase();
        assert!(!text.contains("gap rate") && !text.contains("gaprate"), "a run without a trace has none: {text}");
    }
}

#[test]
fn difference_has_gap_rate_and_coverage_of_both_sides_with_their_test_set() {
    let folder = tempfile::tempdir().unwrap();
    let slim = |report: &Report, id: &str| {
        let mut value: Value = serde_json::from_str(&rendered(report, "json", Lang::En)).unwrap();
        value["id"] = json!(id);
        let path = folder.path().join(format!("{id}.json"));
        std::fs::write(&path, value.to_string()).unwrap();
        read_slim(&path).unwrap()
    };
    let (before, after) = (measured(), with_gaps(75));
    let found = diff(&slim(&before, "a"), &slim(&after, "b"), &[], true).unwrap();
    let text = diff_text(&found, Show { lang: Lang::En, width: 2000, color: false, exit_code: true });
    let set = &after.meta.test_set.id;
    for part in [
        format!("`v2`: gap rate 37.5 % [31, 44], coverage 33.3 %, on {set}"),
        format!("`v2`: gap rate 37.5 % [31, 44], coverage –, on {set}"),
        gap_notice().text(Lang::En),
    ] {
        assert!(text.contains(&part), "{part}\n{text}");
    }
}

/// A page of the server for the run `r1`.
fn of_site() -> PageFrame {
    let links = SiteLinks {
        run: "r1".to_owned(),
        query: String::new(),
        path: "/run/r1".to_owned(),
        lang: String::new(),
        has_analyses: false,
    };
    PageFrame { lang: Lang::En, site: Some(links) }
}

#[test]
fn signals_beyond_the_first_are_on_the_pages_of_their_samples() {
    let report = with_gaps(150);
    let (analysis, results) = report.clone().take_results();
    let page = run_page(&analysis, &[], &RowsView::all(), &of_site()).unwrap();
    assert!(page.contains("href=\"/run/r1/sample/s040\"") && !page.contains("/sample/s041"), "{page}");
    assert!(page.contains("110 more, on the pages of their samples"), "{page}");
    let place = SamplePlace { beside: [None, None], number: None, filter: RowFilter::All };
    for result in &results {
        let page = sample_page(&analysis, result, place, &of_site()).unwrap();
        let is_listed = page.contains("nothing found for revenue_");
        assert_eq!(is_listed, ("s001".."s151").contains(&&*result.sample_id), "{}", result.sample_id);
    }
    let file = run_file(&report, Lang::En).unwrap();
    assert!(file.contains("s100, turn 2") && !file.contains("s101, turn 2"), "{file}");
    assert!(file.contains("50 more in analysis.gap"), "{file}");
    let markdown = rendered(&report, "markdown", Lang::En);
    assert!(
        markdown.contains("s050") && !markdown.contains("s051") && markdown.contains("100 more in `analysis.gap`"),
        "{markdown}"
    );
}

#[test]
fn same_signal_of_several_runs_is_one_line_and_each_sample_one_link() {
    let report = World::new(3, &["v1", "v2"], 3, |_| facts(3, 4)).report();
    let all = [(1, 0, "a"), (1, 0, "b"), (1, 1, "a"), (1, 2, "a"), (2, 0, "a")];
    let report = with_inventory(report, all.map(|(sample, run, subject)| signal(sample, run, subject)).to_vec());
    let (analysis, _) = report.take_results();
    let page = run_page(&analysis, &[], &RowsView::all(), &of_site()).unwrap();
    let (_, gaps) = page.split_once("class=\"card extra gaps\"").unwrap();
    let lines: Vec<&str> = gaps.lines().find(|line| line.contains("turn 2")).unwrap().split("<li>").skip(1).collect();
    let shown = |runs: &str, text: &str| format!("<bdi>s001 (run {runs}), turn 2: nothing found for {text}</bdi>");
    assert!(lines[0].starts_with("<a href=\"/run/r1/sample/s001\">"), "{gaps}");
    assert!(lines[0].contains(&shown("1, 2, 3", "a")) && lines[1].starts_with(&shown("1", "b")), "{gaps}");
    assert!(lines[2].contains("/sample/s002"), "{gaps}");
    assert!(lines.len() == 3 && !gaps.contains(" more, on the pages"), "{gaps}");
}

/// 40 KB and one for each sample, whatever agents didn't find.
#[test]
fn page_with_many_signals_stays_small() {
    let report = World::new(24, &["v1", "v2"], 3, |at| facts((at.sample + at.variant) % 5, 4)).report();
    let subject = |at: usize| format!("the {at}th of the things that an agent looked for in vain, in so many words");
    let all = (0..240).map(|at| signal(at / 10, 0, &subject(at)));
    let (analysis, results) = with_inventory(report, all.collect()).take_results();
    let reader = RowReader::new(&analysis);
    let rows: Vec<SampleRow> = results.iter().enumerate().map(|(at, of)| reader.row(at, of)).collect();
    let mut frame = of_site();
    frame.site.as_mut().unwrap().run = "2026-11-24T14-39-06-v1-v2".to_owned();
    let page = run_page(&analysis, &rows, &RowsView::all(), &frame).unwrap();
    assert!(page.len() <= 64 << 10, "{}", page.len());
}

#[test]
fn without_traces_there_is_no_section() {
    let report = World::new(3, &["v1", "v2"], 1, |_| facts(3, 4)).report();
    assert!(report.analysis.gap.is_empty());
    assert!(!run_file(&report, Lang::En).unwrap().contains("Knowledge gaps"));
    assert!(!rendered(&report, "markdown", Lang::En).contains("Knowledge gaps"));
}

#[test]
fn signal_of_several_runs_stands_once_with_its_runs() {
    let mut report = with_gaps(1);
    let set = report.meta.test_set.clone();
    let of = |run, turn| GapEntry { run, turn, ..report.analysis.gap["v2"].inventory()[0].clone() };
    let inventory = vec![of(0, 2), of(0, 2), of(2, 2), of(1, 5)];
    let measures = GapMeasures {
        gap_rate: Some(0.5),
        weighted_gap_rate: Some(0.5),
        samples: 2,
        inventory,
        ..GapMeasures::default()
    };
    report.analysis.gap = [("v2".to_owned(), VariantGaps::new(set, measures))].into();
    for (lang, lines) in [
        (Lang::En, ["s001 (run 1, 3), turn 2", "s001 (run 2), turn 5"]),
        (Lang::Zh, ["s001（第 1, 3 次），第 2 轮", "s001（第 2 次），第 5 轮"]),
    ] {
        let show = Show { lang, width: 2000, color: false, exit_code: true };
        let page = run_file(&report, lang).unwrap();
        for text in [page, rendered(&report, "markdown", lang), summary_text(&report, show, None)] {
            let text = text.replace("`s001`", "s001");
            for line in lines {
                assert_eq!(text.matches(line).count(), 1, "{line}: {text}");
            }
        }
    }
    assert!(!summary_text(&with_gaps(2), Show::file(Lang::En), None).contains("(run"), "one run has no number");
}

fn wanted(subject: &str, class: GapClass, signals: u64) -> WantedGap {
    WantedGap {
        subject: subject.to_owned(),
        ids: Vec::new(),
        samples: vec!["s001".to_owned()],
        signals,
        members: vec![subject.to_owned(), "schema of revenue".to_owned()],
        class,
        question: Some("Where does revenue stand?".to_owned()),
    }
}

#[test]
fn page_to_write_has_its_question_and_its_searches_and_code_stands_apart() {
    let report = measured();
    let show = Show { lang: Lang::En, width: 2000, color: false, exit_code: true };
    for (surface, text) in [
        ("page", run_file(&report, Lang::En).unwrap()),
        ("markdown", rendered(&report, "markdown", Lang::En)),
        ("terminal", summary_text(&report, show, None)),
    ] {
        let text = text.replace(['`', '\\'], "").replace("&quot;", "\"").replace("&#34;", "\"");
        for line in [
            "in vain): revenue_schema (1)",
            "\"Where does revenue stand?\" looked for revenue_schema, schema of revenue",
            "code that was looked for in vain (samples): parseInvoice (1)",
        ] {
            assert_eq!(text.matches(line).count(), 1, "{surface}: {line}\n{text}");
        }
    }
}

/// A report with all that a variant's gaps and coverage can have.
fn measured() -> Report {
    let mut report = with_gaps(75);
    let set = report.meta.test_set.clone();
    let doubt = |is_uncertainty| GapEntry {
        kind: SignalKind::Hedging,
        classifier_verdict: Some(HedgingVerdict { is_uncertainty, confidence: 0.9, reason: "why".to_owned() }),
        ..signal(1, 0, "I am not sure")
    };
    let failed = (1..=75).map(|at| signal(at, 0, "revenue_schema"));
    let measures = GapMeasures {
        gap_rate: Some(0.375),
        gap_rate_ci: Some(RateInterval { low: 0.311, high: 0.444, level: 0.95, method: RateMethod::Wilson }),
        weighted_gap_rate: Some(0.375),
        samples: 200,
        inventory: failed.chain([doubt(true), doubt(true)]).collect(),
        filtered: vec![doubt(false)],
        hedging: Some(HedgingCounts {
            found: 3,
            confirmed: 1,
            dropped: 1,
            unjudged: [(UnjudgedHedging::Budget, 1)].into(),
        }),
        wanted: vec![wanted("revenue_schema", GapClass::Knowledge, 74), wanted("parseInvoice", GapClass::Code, 1)],
        ..GapMeasures::default()
    };
    report.analysis.gap.insert("v2".to_owned(), VariantGaps::new(set.clone(), measures));
    let access = |how, sample: &str| FileAccess { how, sample_id: sample.to_owned(), lines: Vec::new() };
    let files = vec![
        ("a.md".to_owned(), vec![access(AccessKind::Read, "s001"), access(AccessKind::Match, "s002")]),
        ("b.md".to_owned(), vec![access(AccessKind::List, "s001")]),
        ("c.md".to_owned(), Vec::new()),
    ];
    let coverage = VariantCoverage::new(
        set,
        CoverageMeasures { samples: 200, looked_up: 2, files, ..CoverageMeasures::default() },
    );
    report.analysis.coverage.insert("v2".to_owned(), coverage);
    report
}

/// Each with a place in the report, what is put there, and the field that is named.
#[test]
fn numbers_that_nothing_can_have_measured_are_refused_with_their_place_and_the_way_out() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("r.json");
    let sound: Value = serde_json::from_str(&rendered(&measured(), "json", Lang::En)).unwrap();
    std::fs::write(&path, sound.to_string()).unwrap();
    eval_history::read(&path).unwrap();
    let most = json!(u64::MAX);
    let (gap, coverage) = ("/analysis/gap/v2", "/analysis/coverage/v2");
    for (block, pointer, value, field) in [
        (gap, "/gapRate", json!(7.77), "gapRate"),
        (gap, "/gapRate", json!(-0.1), "gapRate"),
        (gap, "/gapRate", json!(0.9), "gapRate"),
        (gap, "/gapRate", json!(null), "gapRate"),
        (gap, "/gapRateCi/low", json!(0.5), "gapRate"),
        (gap, "/gapRateCi/high", json!(1.5), "gapRate"),
        (gap, "/gapRateCi/level", json!(7), "gapRate"),
        (gap, "/gapRateCi", json!(null), "gapRateCi"),
        (gap, "/weightedGapRate", json!(null), "weightedGapRate"),
        (gap, "/weightedGapRate", json!(0.4), "weightedGapRate"),
        (gap, "/weightedGapRate", json!(0.1), "weightedGapRate"),
        (gap, "/samples", json!(201), "samples"),
        (gap, "/withoutTrace", json!(1), "withoutTrace"),
        (gap, "/withoutTrace", most.clone(), "withoutTrace"),
        (gap, "/testSet/sampleCount", most.clone(), "testSet.sampleCount"),
        (gap, "/testSet/path", json!("another.json"), "testSet"),
        (gap, "/kinds", json!({}), "kinds.signals"),
        (gap, "/kinds/failed_search/samples", json!(74), "kinds.samples"),
        (gap, "/kinds/failed_search/signals", most.clone(), "kinds.signals"),
        (gap, "/inventory", json!([]), "gapRate"),
        (gap, "/lowInARow", json!(3), "lowInARow"),
        ("/analysis/gap/v1", "/lowInARow", json!(0), "lowInARow"),
        ("/analysis/gap/v1", "/lowInARow", most.clone(), "lowInARow"),
        ("/analysis/gap/v1", "/gapRate", json!(0.01), "gapRate"),
        (gap, "/hedging/found", json!(4), "hedging.found"),
        (gap, "/hedging/unjudged", json!({"budget": u64::MAX, "failed": 1}), "hedging.found"),
        (gap, "/hedging/dropped", json!(2), "hedging.dropped"),
        (gap, "/filtered", json!([]), "hedging.dropped"),
        (gap, "/wanted/0/signals", json!(76), "wanted.signals"),
        (coverage, "/samples", json!(9999), "samples"),
        (coverage, "/lookedUp", json!(0), "files.accesses"),
        (coverage, "/lookedUp", json!(201), "lookedUp"),
        (coverage, "/coverage", json!(null), "coverage"),
        (coverage, "/coverage", json!(0.9), "coverage"),
        (coverage, "/accessed", json!(2), "accessed"),
        (coverage, "/total", json!(9), "total"),
        (coverage, "/total", most.clone(), "total"),
        (coverage, "/uncovered", json!([]), "total"),
        (coverage, "/files", json!([]), "accessed"),
    ] {
        let mut edited = sound.clone();
        let of = edited.pointer_mut(block).unwrap().as_object_mut().unwrap();
        let (parent, name) = pointer.rsplit_once('/').unwrap();
        match parent.is_empty() {
            true => drop(of.insert(name.to_owned(), value.clone())),
            false => *edited.pointer_mut(&format!("{block}{pointer}")).unwrap() = value.clone(),
        }
        std::fs::write(&path, edited.to_string()).unwrap();
        let why = eval_history::read_analysis(&path).unwrap_err().message().to_string();
        let place = format!("`{}.{field}`", block.trim_start_matches('/').replace('/', "."));
        let id = format!("--regrade {}`", sound["id"].as_str().unwrap());
        assert!(["r.json", &place, &id].iter().all(|part| why.contains(part)), "{pointer} {value}: {why}");
        eval_history::read(&path).unwrap_err();
    }
}

#[test]
fn counts_at_the_end_of_their_range_stop_no_page() {
    let mut report = measured();
    let set = report.meta.test_set.clone();
    let measures = GapMeasures {
        gap_rate: Some(1.0),
        weighted_gap_rate: Some(1.0),
        samples: u64::MAX,
        inventory: vec![signal(1, u32::MAX, "a"), signal(1, 0, "a")],
        hedging: Some(HedgingCounts {
            found: u64::MAX,
            unjudged: [(UnjudgedHedging::Budget, u64::MAX), (UnjudgedHedging::Failed, 7)].into(),
            ..HedgingCounts::default()
        }),
        ..GapMeasures::default()
    };
    report.analysis.gap.insert("v2".to_owned(), VariantGaps::new(set, measures));
    for lang in [Lang::En, Lang::Zh] {
        let texts = [run_file(&report, lang).unwrap(), summary_text(&report, Show::file(lang), None)];
        assert!(texts.iter().all(|text| text.contains(&u32::MAX.to_string())), "{texts:#?}");
    }
}

#[test]
fn rate_of_no_samples_is_not_measured() {
    let mut report = with_gaps(0);
    let measures = GapMeasures { gap_rate: Some(0.0), weighted_gap_rate: Some(0.0), ..GapMeasures::default() };
    let none = VariantGaps::new(report.meta.test_set.clone(), measures);
    assert_eq!(none.trend_point("v2", None).cells()[1], "–");
    report.analysis.gap = [("v2".to_owned(), none)].into();
    let text = summary_text(&report, Show::file(Lang::En), None);
    assert!(text.contains("no gap rate") && !text.contains("gap rate 0"), "{text}");
}

/// What is read from rates, run by run, and before which of them the knowledge base changed.
fn read_from(runs: &[(f64, bool)]) -> String {
    let set = with_gaps(0).meta.test_set;
    let change = KnowledgeChange {
        since: "before".to_owned(),
        added: vec!["docs/a.md".to_owned()],
        changed: None,
        removed: Vec::new(),
        artifact: false,
        commit: None,
    };
    let point = |(rate, is_changed): &(f64, bool)| {
        let rate = Some(*rate);
        let measures = GapMeasures { gap_rate: rate, weighted_gap_rate: rate, samples: 20, ..GapMeasures::default() };
        let mut point = VariantGaps::new(set.clone(), measures).trend_point("v1", None);
        point.knowledge_change = is_changed.then(|| change.clone());
        point
    };
    let points: Vec<GapTrendPoint> = runs.iter().map(point).collect();
    let curves = GapCurve::each(&points.iter().collect::<Vec<_>>());
    curves.iter().flat_map(|of| &of.readings).map(ToString::to_string).collect::<Vec<_>>().join("\n")
}

#[test]
fn shape_of_a_curve_is_put_down_to_the_knowledge_base_only_where_that_changed() {
    let shapes = ["converges", "hardly moved", "rose on the same samples"];
    for (runs, shape, is_near_zero) in [
        (&[(0.6, false), (0.4, true), (0.2, true)][..], Some(0), false),
        (&[(0.6, false), (0.3, true), (0.05, true)], Some(0), true),
        (&[(0.6, false), (0.6, true)], Some(1), false),
        (&[(0.2, false), (0.5, false)], Some(2), false),
        (&[(0.2, false), (0.5, true)], Some(2), false),
        (&[(0.0, false), (0.0, true)], None, true),
        // nothing changed that it could be put down to
        (&[(0.6, false), (0.6, false)], None, false),
        (&[(0.6, false), (0.2, false)], None, false),
        // it rose between
        (&[(0.6, false), (0.7, true), (0.3, true)], None, false),
        (&[(0.0, false)], None, false),
    ] {
        let text = read_from(runs);
        let found: Vec<usize> = (0..3).filter(|at| text.contains(shapes[*at])).collect();
        assert_eq!(found, shape.into_iter().collect::<Vec<_>>(), "{runs:?}: {text}");
        assert_eq!(text.contains("no finish line"), is_near_zero, "{runs:?}: {text}");
        let changes = runs.iter().filter(|(_, is_changed)| *is_changed).count();
        assert_eq!(text.contains('▼'), changes > 0, "{runs:?}: {text}");
    }
    assert!(read_from(&[(0.6, false), (0.4, true), (0.2, true)]).contains("before 2 runs"));
}

#[test]
fn samples_are_to_be_expanded_after_three_rates_of_at_most_ten_percent() {
    let set = with_gaps(0).meta.test_set;
    let domesticated = |rate: f64, before: u64| {
        let measures = GapMeasures { gap_rate: Some(rate), low_before: before, samples: 20, ..GapMeasures::default() };
        VariantGaps::new(set.clone(), measures).domesticated().is_some()
    };
    assert!(domesticated(0.1, 2) && domesticated(0.0, 7));
    assert!(!domesticated(0.1, 1) && !domesticated(0.11, 5));
}
