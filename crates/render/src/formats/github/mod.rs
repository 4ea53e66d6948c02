//! The comment on a pull request: the verdict, what got worse, and the rest folded. It fits a phone (three columns) and a
//! forge's limits (60 lines, 20 KB), and has a hidden marker by which the next run finds and replaces it.
//!
//! Text of models is in fences only, longer than any run of backticks in it: no mention, link or image is born from it.

pub(super) mod annotations;
mod place;

use std::fmt::Write as _;
use std::io::{Result, Write};

use crate::minus::{percent, points, signed};
use eval_format::{Comparison, Report, SampleDifference, Tier};
use eval_message::plain::{clean, clip, shortened};
use eval_message::{Lang, Message, Separator, msg};
use eval_verdict::replacement;

use crate::document::cached_control;
use crate::document::difference::apart;
use crate::document::gaps::gap_line;
use crate::document::story::{Story, of_this_run, story, treatments_of};
use crate::document::variants;
use crate::formats::spec::FormatSpec;
use crate::markdown::{inline, laid_out, name, voice};
use crate::run_page::anchor;
pub(super) use place::{Place, place_of};

pub(in crate::formats) const FORMAT: FormatSpec = FormatSpec {
    name: "github",
    extension: "md",
    about: || msg!("report-format-github"),
    comparison: Some(|report, show, to| write(report, show.lang, to)),
    evaluation: None,
};

/// Lines and bytes of a comment.
const LINES: usize = 60;
const BYTES: usize = 20_000;
/// Samples that got worse with a line, and those of them with both answers.
const WORSE: usize = 5;
const SHOWN: usize = 2;
/// Lines and characters of an answer.
const ANSWER: (usize, usize) = (5, 500);
/// Treatments with a sentence.
const TREATMENTS: usize = 4;
/// Doubts and better samples that are listed.
const LISTED: usize = 5;

/// The lines that a link to the page takes, where it is somewhere, and the verdict before this one, with their words: who
/// writes the comment knows the link and the verdict, but not the language.
fn places(lang: Lang) -> String {
    let (page, earlier) = (msg!("comment-page").text(lang), msg!("comment-earlier").text(lang));
    format!("<!-- omk:page {page} -->\n<!-- omk:earlier {earlier} -->")
}

fn write(report: &Report, lang: Lang, to: &mut dyn Write) -> Result<()> {
    // What is shown least of gives way.
    let forms = [(SHOWN, LISTED), (1, LISTED), (0, LISTED), (0, 1), (0, 0)];
    let mut text = String::new();
    for (answers, listed) in forms {
        text = Comment { report, lang }.text(answers, listed);
        if text.lines().count() <= LINES && text.len() <= BYTES {
            break;
        }
    }
    to.write_all(text.as_bytes())
}

/// The marker of a suite's comment: the sample file and the project that it is of.
fn marker(report: &Report) -> String {
    let set = &report.meta.test_set;
    let file = set.id.split('@').next().unwrap_or_default();
    let suite = match &set.project {
        Some(project) => format!("{file}@{project}"),
        None => file.to_owned(),
    };
    let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '@');
    let suite: String = suite.chars().map(|c| if is_plain(c) { c } else { '_' }).take(80).collect();
    format!("<!-- omk:{suite} -->")
}

struct Comment<'r> {
    report: &'r Report,
    lang: Lang,
}

impl Comment<'_> {
    fn text(&self, answers: usize, listed: usize) -> String {
        let mut text = format!("{}\n", marker(self.report));
        let stories = story(self.report, self.lang);
        self.alert(&mut text, &stories);
        let comparison = self.report.comparisons.iter().min_by_key(|of| self.tier_of(&of.treatment));
        self.table(&mut text, comparison);
        // What agents looked for is their text.
        if let Some(line) = gap_line(self.report, 0) {
            let _ = writeln!(text, "{}\n", self.said(&line));
        }
        if let Some(comparison) = comparison {
            self.worse(&mut text, comparison, answers);
        }
        self.folded(&mut text, &stories, comparison, listed);
        let _ = writeln!(text, "{}", places(self.lang));
        let (id, version) = (clip(&self.report.id, 80), clip(&self.report.meta.cli_version, 20));
        let _ = writeln!(text, "\n<sub>{}</sub>", self.own(&msg!("report-md-foot", id = id, version = version)));
        text
    }

    fn tier_of(&self, treatment: &str) -> Option<Tier> {
        let of = self.report.verdict.per_treatment.iter().find(|of| of.treatment == treatment);
        of.map(|of| of.tier)
    }

    /// The verdict as an alert, of which the kind says how good it is.
    fn alert(&self, text: &mut String, stories: &[Story]) {
        let kind = self.kind(stories);
        let _ = writeln!(text, "> [!{kind}]");
        let names = treatments_of(stories);
        let shown = names.len().min(TREATMENTS);
        let is_shown = |of: &&Story| of.treatment.as_ref().is_none_or(|name| names[..shown].contains(&name));
        for of in stories.iter().filter(is_shown) {
            let _ = writeln!(text, "> **{}** {}  ", of.tag, self.said(&of.sentence));
        }
        if names.len() > shown {
            let more = msg!("report-brief-more-treatments", count = names.len() - shown);
            let _ = writeln!(text, "> {}  ", self.own(&more));
        }
        let Some(first) = stories.first() else { return };
        let next = first.next.as_ref().map(|next| self.own(&msg!("report-brief-next", text = self.advice(next))));
        let gate = self.said(&first.gate);
        let left_out = stories.iter().find_map(|of| of.left_out.as_ref()).map(|of| self.said(of));
        let replaced = replacement(&self.report.verdict).map(|of| self.said(&of));
        let lines = replaced.into_iter().chain(next).chain([gate]).chain(left_out);
        lines.for_each(|line| _ = writeln!(text, ">\n> {line}"));
        text.push('\n');
    }

    fn advice(&self, next: &Message) -> String {
        of_this_run(&self.said(next), &self.report.id)
    }

    fn kind(&self, stories: &[Story]) -> &'static str {
        let verdict = &self.report.verdict;
        let goal = stories.iter().find_map(|of| of.goal);
        match (verdict.valid, verdict.tier, goal) {
            (false, ..) => "CAUTION",
            (true, _, Some(true)) if verdict.exit_code == 0 => "TIP",
            (true, Tier::Progress, _) => "TIP",
            (true, Tier::Solo, _) if verdict.exit_code == 0 => "TIP",
            (true, Tier::Noise, _) => "NOTE",
            (true, Tier::Underpowered, _) => "IMPORTANT",
            (true, Tier::Cautious, _) => "WARNING",
            (true, Tier::Regress | Tier::Solo, _) => "CAUTION",
        }
    }

    /// Writes the numbers of the control, and of the treatment that comes off worst.
    fn table(&self, text: &mut String, comparison: Option<&Comparison>) {
        let names: Vec<&String> = match comparison {
            Some(of) => vec![&of.control, &of.treatment],
            None => self.report.meta.variants.iter().take(1).collect(),
        };
        text.push_str(&laid_out(&[variants::table(self.report, names.into_iter())], self.lang));
        text.push('\n');
        if let Some(apart) = comparison.and_then(|of| apart(self.report, of)) {
            let _ = writeln!(text, "<sub>{}</sub>\n", self.said(&apart));
        }
    }

    /// Writes the samples that got worse with the checks that fell, and both answers of the first.
    fn worse(&self, text: &mut String, of: &Comparison, answers: usize) {
        let worse = &of.moved.worse;
        if worse.is_empty() {
            return;
        }
        let _ = writeln!(text, "**{}**\n", self.own(&msg!("comment-worse", count = of.losses)));
        worse.iter().take(WORSE).for_each(|one| _ = writeln!(text, "- {}", self.moved(of, one)));
        text.push('\n');
        worse.iter().take(answers).for_each(|one| self.answers(text, of, one));
    }

    fn moved(&self, of: &Comparison, one: &SampleDifference) -> String {
        let mark = if one.diff < 0.0 { '▼' } else { '▲' };
        let scores = format!("{} → {}", points(one.control), points(one.treatment));
        let checks = of.checks.iter().filter(|check| check.check.sample_id == one.sample_id);
        let fell = checks.filter(|check| (check.treatment_rate < check.control_rate) == (one.diff < 0.0));
        let checks: Vec<String> = fell
            .take(2)
            .map(|of| {
                let rates = format!("{} → {}", percent(of.control_rate), percent(of.treatment_rate));
                format!("{} {rates}", inline(&shortened(&of.check.label, 80)))
            })
            .collect();
        let checks = if checks.is_empty() {
            String::new()
        } else {
            format!(": {}", checks.join(Separator::Semicolon.text(self.lang)))
        };
        format!("{mark} {} {} ({scores}){checks}", self.linked(one), signed(one.diff))
    }

    /// A sample's name between the marks of its place on the page, which become a link where the page is.
    fn linked(&self, one: &SampleDifference) -> String {
        let name = name(&one.sample_id);
        let place = self.report.results.iter().position(|sample| sample.sample_id == one.sample_id);
        place.map_or_else(|| name.clone(), |at| format!("<!-- omk:[ -->{name}<!-- omk:]{} -->", anchor(at)))
    }

    fn answers(&self, text: &mut String, of: &Comparison, one: &SampleDifference) {
        let Some(sample) = self.report.results.iter().find(|sample| sample.sample_id == one.sample_id) else { return };
        let summary = self.own(&msg!("comment-answers", sample = crate::markdown::html(&one.sample_id)));
        let _ = writeln!(text, "<details><summary>{summary}</summary>\n");
        for variant in [&of.control, &of.treatment] {
            let answer = sample.variants.get(variant).map(|of| of.output_preview.as_str()).unwrap_or_default();
            let _ = writeln!(text, "{}\n{}", name(variant), fenced(answer));
        }
        let _ = writeln!(text, "</details>\n");
    }

    /// Writes what got better, doubts, where the control is from, and commands.
    fn folded(&self, text: &mut String, stories: &[Story], comparison: Option<&Comparison>, listed: usize) {
        let _ = writeln!(text, "<details><summary>{}</summary>\n", self.own(&msg!("comment-more")));
        let doubts = stories.iter().flat_map(|of| &of.doubts);
        doubts.take(listed).for_each(|doubt| _ = writeln!(text, "- {}", self.said(doubt)));
        if let Some(of) = comparison {
            of.moved.better.iter().take(listed).for_each(|one| _ = writeln!(text, "- {}", self.moved(of, one)));
        }
        if let Some(of) = cached_control(self.report) {
            let _ = writeln!(text, "- {}", self.said(&of));
        }
        let diff = comparison.and_then(|of| of.moved.worse.first()).map(|one| one.sample_id.as_str());
        let is_word = |id: &&str| id.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.'));
        let show = diff.filter(is_word).map_or_else(|| "omk failures".to_owned(), |id| format!("omk show {id}"));
        let _ = writeln!(text, "\n{}", fenced(&format!("{show} {0}.json\nomk diff {0}.json", clean(&self.report.id))));
        let _ = writeln!(text, "</details>\n");
    }

    fn own(&self, of: &Message) -> String {
        of.text(self.lang)
    }

    fn said(&self, of: &Message) -> String {
        voice(self.lang).text(of)
    }
}

/// The beginning of a text in a fence that nothing in it ends.
fn fenced(text: &str) -> String {
    let visible: Vec<String> = text.lines().take(ANSWER.0 + 1).map(clean).collect();
    let mut body = shortened(&visible.iter().take(ANSWER.0).cloned().collect::<Vec<_>>().join("\n"), ANSWER.1);
    if visible.len() > ANSWER.0 && !body.ends_with('…') {
        body.push('…');
    }
    let longest = body.split(|c| c != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat(longest.max(2) + 1);
    format!("{fence}text\n{body}\n{fence}")
}
