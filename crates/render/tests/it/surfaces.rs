//! The same report on every surface: the sentence, the numbers, and no hole where a number isn't known.

use std::collections::{BTreeMap, BTreeSet};

use eval_analysis::RunStatus;
use eval_format::{IncompleteReason, Report, Tier};
use eval_message::Lang;
use eval_message::number::{bound, points, signed};
use eval_render::formats::format_named;
use eval_render::run_page::run_file;
use eval_render::{Show, brief_text, summary_text};
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

/// A dozen samples on which nothing differs say nothing of a spread; no interval and no range is made of them.
#[test]
fn ties_on_all_samples_are_said_as_what_they_are() {
    let report = World::new(12, &["v1", "v2"], 1, even).report();
    for (lang, said) in [
        (
            Lang::En,
            "Too little data to tell v2 from v1: 0.00 points on each of 12 samples (p = 1.000), and nothing is known of how \
             far other samples would spread.",
        ),
        (Lang::Zh, "数据太少，分不出 v2 与 v1：12 个用例上都是 0.00 分（p = 1.000），其他用例会有多大起伏无从得知。"),
    ] {
        let all = surfaces(&report, lang);
        for (surface, text) in &all {
            assert!(text.contains(said), "{surface}: {text}");
            assert!(!text.contains("anything from") && !text.contains("都有可能"), "{surface}: {text}");
        }
    }
}

/// The terminal, the page, the comment and Markdown, each without its marks.
fn surfaces(report: &Report, lang: Lang) -> [(&'static str, String); 4] {
    let show = Show { lang, width: 2000, color: false, exit_code: true };
    let page = texts(&run_file(report, lang).unwrap()).join(" ");
    [
        ("terminal", brief_text(report, show, None)),
        ("page", page),
        ("comment", rendered(report, "github", lang)),
        ("markdown", rendered(report, "markdown", lang)),
    ]
    .map(|(surface, text)| (surface, unticked(&text)))
}

/// Without marks of code, escapes and line breaks.
fn unticked(text: &str) -> String {
    let text: String = text.chars().filter(|c| !"`*\\".contains(*c)).collect();
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// A difference is over the pairs and a score over all that were scored: where these aren't the same, each says so.
#[test]
fn where_samples_are_left_out_every_surface_says_what_a_number_is_of() {
    let came = |at: At| if at.variant == 1 && at.sample < 4 { Came::Failed(Failure::Timeout) } else { gain(at) };
    let report = World::new(24, &["v1", "v2"], 1, came).report();
    assert_eq!((report.comparisons[0].n, report.summary["v1"].scored_samples), (20, 24));
    for (lang, said) in [(Lang::En, "4 left out; over 20 pairs: v1 "), (Lang::Zh, "未比较 4 个；20 对上：v1 ")]
    {
        for (surface, text) in surfaces(&report, lang) {
            assert!(text.contains(said), "{surface}: {text}");
        }
    }
    let report = World::new(24, &["v1", "v2"], 1, gain).report();
    for (surface, text) in surfaces(&report, Lang::En) {
        assert!(!text.contains("left out; over"), "{surface}: {text}");
    }
}

/// A negative number has one kind of sign, on a terminal as on a page.
#[test]
fn minus_is_a_minus_everywhere() {
    for Case { name, world, .. } in cases() {
        let report = world.report();
        for lang in [Lang::En, Lang::Zh] {
            let show = Show { lang, width: 2000, color: false, exit_code: true };
            let whole = ("summary", unticked(&summary_text(&report, show, None)));
            for (surface, text) in surfaces(&report, lang).into_iter().chain([whole]) {
                let chars: Vec<char> = text.chars().collect();
                let hyphen = |of: &[char]| {
                    !of[0].is_alphanumeric() && of[0] != '-' && of[1] == '-' && (of[2].is_ascii_digit() || of[2] == '$')
                };
                let at = chars.windows(3).position(hyphen);
                let around =
                    at.map(|at| chars[at.saturating_sub(30)..(at + 20).min(chars.len())].iter().collect::<String>());
                assert_eq!(around, None, "{name}, {surface}");
            }
        }
    }
}

/// What would end the code that a name is in becomes something that looks alike; where a name is in no code, it stays.
#[test]
fn backtick_in_the_name_of_a_variant_ends_no_code() {
    let report = World::new(24, &["v1", "v`2"], 1, gain).report();
    let show = Show { lang: Lang::En, width: 2000, color: false, exit_code: true };
    for text in [
        brief_text(&report, show, None),
        rendered(&report, "markdown", Lang::En),
        rendered(&report, "github", Lang::En),
    ] {
        assert!(text.contains("`vˋ2` is better than `v1`"), "{text}");
        assert!(
            text.lines().all(|line| line.matches('`').count() % 2 == 0 || line.starts_with("```"))
                || text.contains("v`2 "),
            "{text}"
        );
    }
    let page = texts(&run_file(&report, Lang::En).unwrap()).join(" ");
    assert!(page.contains("v`2 is better than v1"), "{page}");
}

/// Terminal, page, comment and Markdown name the same numbers of samples: to settle it, and if the gain is as seen.
#[test]
fn numbers_of_samples_are_the_same_everywhere() {
    let mut seen = 0;
    for Case { name, world, .. } in cases() {
        let report = world.report();
        for lang in [Lang::En, Lang::Zh] {
            let (about, nouns) = match lang {
                Lang::En => ("about ", ["sample", "more sample", "decide"]),
                Lang::Zh => ("约 ", ["个用例", "个", "对"]),
            };
            let show = Show { lang, width: 2000, color: false, exit_code: true };
            let whole = ("summary", unticked(&summary_text(&report, show, None)));
            let mut numbers: BTreeMap<String, BTreeSet<&str>> = BTreeMap::new();
            for (surface, text) in surfaces(&report, lang).into_iter().chain([whole]) {
                for (at, _) in text.match_indices(about) {
                    let rest = &text[at + about.len()..];
                    let digits: String = rest.chars().take_while(char::is_ascii_digit).collect();
                    let noun = rest[digits.len()..].trim_start();
                    if !digits.is_empty() && nouns.iter().any(|one| noun.starts_with(one)) {
                        numbers.entry(digits).or_default().insert(surface);
                    }
                }
            }
            seen += numbers.len();
            assert!(numbers.len() <= 2 * report.comparisons.len(), "{name}: {numbers:?}");
            if report.comparisons.len() == 1 {
                assert!(numbers.values().all(|surfaces| surfaces.len() == 5), "{name}: {numbers:?}");
            }
        }
    }
    assert!(seen > 5, "{seen}");
}
