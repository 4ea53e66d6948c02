//! Knowledge gaps on every surface: no rate without the test set that it holds for.

use eval_format::skills::{RateInterval, RateMethod};
use eval_format::{GapEntry, GapMeasures, Report, VariantGaps, gap_notice};
use eval_message::Lang;
use eval_render::formats::format_named;
use eval_render::run_page::{PageFrame, RowsView, SiteLinks, run_file, run_page};
use eval_render::{Show, summary_text};
use eval_spec::gap::SignalKind;

use crate::world::{World, facts};

/// `v1` met no gap; `v2` so many, on as many samples.
fn with_gaps(signals: usize) -> Report {
    let mut report = World::new(200, &["v1", "v2"], 1, |_| facts(3, 4)).report();
    let entry = |at: usize| GapEntry {
        id: None,
        decision: None,
        anchor: None,
        sample_id: format!("s{at:03}"),
        run: 0,
        turn: 2,
        sub_agent: None,
        kind: SignalKind::FailedSearch,
        subject: "revenue_<b>schema</b> \u{202e}`x`".to_owned(),
        calls: Vec::new(),
        intent: None,
    };
    let ci = |low, high| Some(RateInterval { low, high, level: 0.95, method: RateMethod::Wilson });
    let measured = |rate: f64, ci, inventory| GapMeasures {
        low_before: 0,
        gap_rate: Some(rate),
        gap_rate_ci: ci,
        weighted_gap_rate: Some(rate),
        samples: 200,
        without_trace: 0,
        inventory,
    };
    let set = report.meta.test_set.clone();
    let of = |measures| VariantGaps::new(set.clone(), measures);
    let none = of(measured(0.0, ci(0.0, 0.019), Vec::new()));
    let some = of(measured(0.375, ci(0.311, 0.444), (1..=signals).map(entry).collect()));
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
fn signals_lead_to_their_samples_and_only_the_first_hundred_are_listed() {
    let report = with_gaps(150);
    let (analysis, _) = report.clone().take_results();
    let links =
        SiteLinks { run: "r1".to_owned(), query: String::new(), path: "/run/r1".to_owned(), lang: String::new() };
    let frame = PageFrame { lang: Lang::En, site: Some(links) };
    let page = run_page(&analysis, &[], &RowsView::all(), &frame).unwrap();
    assert!(page.contains("href=\"/run/r1/sample/s100\"") && !page.contains("/sample/s101"), "{page}");
    assert!(page.contains("50 more in analysis.gap"), "{page}");
    let markdown = rendered(&report, "markdown", Lang::En);
    assert!(
        markdown.contains("s050") && !markdown.contains("s051") && markdown.contains("100 more in `analysis.gap`"),
        "{markdown}"
    );
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

#[test]
fn rates_that_nothing_can_have_measured_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("r.json");
    let sound = rendered(&with_gaps(3), "json", Lang::En);
    std::fs::write(&path, &sound).unwrap();
    eval_format::read_analysis(&path).unwrap();
    for (from, to, field) in [
        ("\"gapRate\": 0.375", "\"gapRate\": 7.77", "gapRate"),
        ("\"gapRate\": 0.375", "\"gapRate\": -0.1", "gapRate"),
        ("\"gapRate\": 0.375", "\"gapRate\": 0.9", "gapRate"),
        ("\"low\": 0.311", "\"low\": 0.5", "gapRate"),
        ("\"high\": 0.444", "\"high\": 1.5", "gapRate"),
        ("\"weightedGapRate\": 0.375", "\"weightedGapRate\": 0.4", "weightedGapRate"),
        ("\"samples\": 3\n", "\"samples\": 500\n", "kinds.samples"),
    ] {
        assert!(sound.contains(from), "{from}: {sound}");
        std::fs::write(&path, sound.replace(from, to)).unwrap();
        let why = eval_format::read_analysis(&path).unwrap_err().message().to_string();
        assert!(why.contains("r.json") && why.contains(field) && why.contains("--regrade"), "{to}: {why}");
        eval_format::read(&path).unwrap_err();
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
