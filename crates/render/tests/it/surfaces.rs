//! The same report on every surface: the sentence, the numbers, and no hole where a number isn't known.

use eval_analysis::RunStatus;
use eval_format::{IncompleteReason, Report, Tier};
use eval_message::Lang;
use eval_message::number::{bound, points, signed};
use eval_render::formats::format_named;
use eval_render::run_page::run_file;
use eval_render::{Show, brief_text};
use eval_spec::suite::Goal;
use eval_spec::{Failure, Layer};

use crate::world::{At, Came, World, facts};

/// What `v2` gains by answering as `v1` does with one point more.
fn gain(at: At) -> Came {
    facts(if at.variant == 0 { 1 + at.sample % 2 } else { 4 }, 4)
}

fn loss(at: At) -> Came {
    gain(At { variant: 1 - at.variant, ..at })
}

fn even(_: At) -> Came {
    facts(4, 4)
}

/// Differences to both sides that cancel out.
fn small(at: At) -> Came {
    let misses = at.sample % 16 == [5, 3][at.variant];
    facts(4 - usize::from(misses), 4)
}

struct Case {
    name: &'static str,
    world: World,
    /// The tier; `None` where nothing follows.
    tier: Option<Tier>,
}

fn cases() -> Vec<Case> {
    let case = |name, world, tier| Case { name, world, tier };
    let two = |samples, came: fn(At) -> Came| World::new(samples, &["v1", "v2"], 1, came);
    let mut invalid = two(24, |at| if at.variant == 1 { Came::NotRun } else { gain(at) });
    invalid.ended = RunStatus::Incomplete { reason: IncompleteReason::BudgetExhausted, detail: None };
    let mut not_worse = two(64, small);
    not_worse.suite.settings.goal = Goal::NotWorse;
    let mut unpriced = two(24, gain);
    for sample in 0..24 {
        for variant in 0..2 {
            let output = unpriced.output(At { sample, variant, repeat: 0 });
            (output.cost, output.usage, output.latency_ms) = (None, None, None);
        }
    }
    let judgeless = World::new(24, &["v1", "v2"], 1, |at| {
        Came::To(vec![(Layer::Fact, 1.0, Some(at.sample % 2 == 0)), (Layer::Judge, 1.0, None)])
    });
    vec![
        case("progress", two(24, gain), Some(Tier::Progress)),
        case("regress", two(24, loss), Some(Tier::Regress)),
        case("cautious", two(12, gain), Some(Tier::Cautious)),
        case("underpowered", two(4, gain), Some(Tier::Underpowered)),
        case("noise", two(64, small), Some(Tier::Noise)),
        case("solo, passed", World::new(24, &["v1"], 1, even), Some(Tier::Solo)),
        case("solo, failed", World::new(24, &["v1"], 1, |_| facts(1, 4)), Some(Tier::Solo)),
        case("no verdict", invalid, None),
        case("not worse", not_worse, Some(Tier::Noise)),
        case("one sample", two(1, gain), Some(Tier::Underpowered)),
        case("four arms", World::new(30, &["a", "b", "c", "d"], 1, |at| facts((at.sample + at.variant) % 5, 4)), None),
        case("unknown cost", unpriced, Some(Tier::Progress)),
        case("no judge", judgeless, None),
        case("all ties", two(30, even), Some(Tier::Underpowered)),
        case("all failed", two(12, |_| Came::Failed(Failure::Timeout)), None),
    ]
}

/// The texts of a page, without its tags, style and script.
fn texts(page: &str) -> Vec<String> {
    let body = page.split_once("<body>").unwrap().1.split_once("<script>").unwrap().0;
    let body = body.replace("<wbr>", "");
    let all = body.split('<').filter_map(|piece| Some(piece.split_once('>')?.1.trim().to_owned()));
    let unescaped = |text: String| {
        text.replace("&#34;", "\"")
            .replace("&#39;", "'")
            .replace("&#60;", "<")
            .replace("&#62;", ">")
            .replace("&#38;", "&")
    };
    all.filter(|text| !text.is_empty()).map(unescaped).collect()
}

fn rendered(report: &Report, format: &str, lang: Lang) -> String {
    let mut bytes = Vec::new();
    format_named::<Report>(format).unwrap().render(report, Show::file(lang), &mut bytes).unwrap();
    String::from_utf8(bytes).unwrap()
}

/// Without what marks a surface: code, emphasis, escapes, the kind of minus, and line breaks.
fn bare(text: &str) -> String {
    let text: String = text.chars().filter(|c| !"`*\\".contains(*c)).collect();
    text.replace('\u{2212}', "-").replace("&lt;", "<").split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn every_surface_says_the_same_sentence_and_numbers() {
    for Case { name, world, tier } in cases() {
        let report = world.report();
        if let Some(tier) = tier {
            assert_eq!((report.verdict.tier, report.verdict.valid), (tier, true), "{name}");
        }
        for lang in [Lang::En, Lang::Zh] {
            let page = run_file(&report, lang).unwrap();
            let show = Show { lang, width: 2000, color: false, exit_code: true };
            let terminal = bare(&brief_text(&world.analyse(), show, None));
            let (comment, markdown) =
                (bare(&rendered(&report, "github", lang)), bare(&rendered(&report, "markdown", lang)));
            let next = rendered(&report, "github", lang);
            assert!(
                !next.lines().take_while(|line| !line.starts_with('|')).any(|line| line.contains("\\`")),
                "{name}: {next}"
            );
            let whole = bare(&texts(&page).join(" "));
            let story = page.split("<p class=\"said\">").nth(1).unwrap().split_once("<span>").unwrap().1;
            let sentence =
                bare(&texts(&format!("<body><p>{}</p><script>", story.split_once("</span>").unwrap().0)).join(" "));
            assert!(sentence.chars().count() > 15, "{name}: {sentence}");
            for (surface, text) in [("terminal", &terminal), ("comment", &comment), ("markdown", &markdown)] {
                assert!(text.contains(&sentence), "{name}, {surface}: `{sentence}` in {text}");
            }
            numbers(name, &report, &whole, &[&comment, &markdown, &terminal]);
        }
    }
}

/// The scores of each variant and the mean difference with its interval, as the JSON report has them.
fn numbers(name: &str, report: &Report, page: &str, others: &[&String]) {
    let variants = report.meta.variants.iter().take(2).filter_map(|variant| report.summary.get(variant));
    for score in variants.filter(|of| of.planned_scores > 0).filter_map(|of| of.avg_composite_score) {
        let score = points(score);
        assert!(page.contains(&score), "{name}: {score} in {page}");
        assert!(others.iter().filter(|text| text.contains(&score)).count() >= 2, "{name}: {score} in {others:?}");
    }
    for of in &report.comparisons {
        let Some(mean) = of.diff.mean else { continue };
        let mean = bare(&signed(mean));
        assert!(page.matches(&mean).count() >= 2, "{name}: {mean}, in the plot's caption and the table: {page}");
        if let Some(ci) = of.diff.ci.filter(|ci| !ci.degenerate) {
            let range = format!("({} … {})", bare(&bound(ci.low)), bare(&bound(ci.high)));
            assert!(page.contains(&range), "{name}: {range} in {page}");
        }
        let counts = page.contains(&format!("▲ {}", of.wins)) && page.contains(&format!("▼ {}", of.losses));
        assert!(of.pairs.is_empty() || counts, "{name}: {} {} in {page}", of.wins, of.losses);
    }
}

#[test]
fn what_isnt_known_is_said_and_never_0_or_a_word_of_the_machine() {
    for Case { name, world, .. } in cases() {
        let report = world.report();
        for lang in [Lang::En, Lang::Zh] {
            let page = run_file(&report, lang).unwrap();
            let texts = texts(&page);
            for text in &texts {
                let words: Vec<&str> = text.split(|c: char| !c.is_ascii_alphanumeric()).collect();
                for wrong in ["NaN", "nan", "undefined", "null", "None", "inf", "infinity"] {
                    assert!(!words.contains(&wrong), "{name}: `{wrong}` in {text}");
                }
                assert!(!text.contains("()") && !text.contains("( … )") && !text.contains("（）"), "{name}: {text}");
            }
            assert!(!page.contains("NaN%") && !page.contains("inf%") && !page.contains("=\"NaN"), "{name}");
            // cells of tables
            for cell in page.split("<td").skip(1).filter_map(|cell| cell.split("</td>").next()) {
                let text = cell.split_once('>').unwrap().1;
                let is_corner = cell.starts_with('>') && text.is_empty();
                let shown: String =
                    text.split('<').filter_map(|of| of.split_once('>').map(|(_, text)| text).or(Some(of))).collect();
                assert!(is_corner || !shown.trim().is_empty(), "{name}: an empty cell {cell}");
                assert!(
                    !["0", "$0", "$0.0000", "0 ms", "0.00"].contains(&shown.trim()) || name == "all ties",
                    "{name}: {cell}"
                );
            }
        }
    }
}

#[test]
fn report_without_samples_has_a_page() {
    let mut report = World::new(1, &["v1", "v2"], 1, even).report();
    report.results.clear();
    for lang in [Lang::En, Lang::Zh] {
        let page = run_file(&report, lang).unwrap();
        assert!(page.contains("id=\"samples\"") && !page.contains("NaN"), "{page}");
    }
}
