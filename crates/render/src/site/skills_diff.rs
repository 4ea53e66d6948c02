//! Two evaluations of callable skills side by side, on the page that comparisons have.

use eval_format::skills::EvaluationStatus;
use eval_history::DiffError;
use eval_history::skills::{FlippedTask, SkillDelta, SkillDiff, SkillSide, SkillStanding};
use eval_message::plain::clip;
use eval_message::{Lang, Message, msg};

use super::diff::{Comparability, ComparedRun, ComparisonHtml, DiffChoice, DiffParts, LISTED, page};
use super::frame::SiteFrame;
use super::words::minute;
use crate::skills::diff as told;

/// The page.
///
/// # Errors
/// When the template fails.
pub fn skills_diff_page(
    found: &Result<SkillDiff, DiffError>,
    of: &DiffChoice,
    at: &SiteFrame,
) -> std::io::Result<String> {
    let parts = |diff| DiffParts {
        sides: sides(diff, of, at),
        facts: facts(diff, at.lang),
        cautions: cautions(diff, at.lang),
        comparisons: comparisons(diff, at.lang),
    };
    page(found.as_ref().map(parts), of, at)
}

fn text(message: &Message, lang: Lang) -> String {
    message.text(lang).replace('`', "")
}

fn short(of: &str) -> String {
    clip(of, 60)
}

fn sides(diff: &SkillDiff, of: &DiffChoice, at: &SiteFrame) -> Vec<ComparedRun> {
    let side = |label, name: &str, of: &SkillSide| {
        let incomplete = of.status == EvaluationStatus::Interrupted;
        let about = format!("{} · {}", minute(&of.finished_at), short(&of.benchmark));
        ComparedRun {
            label,
            name: short(name),
            href: at.run(name),
            about,
            class: "doubt",
            verdict: if incomplete { msg!("site-incomplete").text(at.lang) } else { String::new() },
        }
    };
    vec![side("A", &of.a, &diff.a), side("B", &of.b, &diff.b)]
}

fn facts(diff: &SkillDiff, lang: Lang) -> Vec<Comparability> {
    let benchmark = match diff.same_benchmark {
        true => msg!("site-diff-benchmark-same", benchmark = short(&diff.b.benchmark)),
        false => msg!("site-diff-benchmark-other", a = short(&diff.a.benchmark), b = short(&diff.b.benchmark)),
    };
    let mut all = vec![Comparability { is_same: diff.same_benchmark, text: benchmark.text(lang) }];
    if diff.differs.is_empty() {
        all.push(Comparability { is_same: true, text: msg!("site-diff-skill-settings-same").text(lang) });
    }
    let differs = diff.differs.iter().map(|of| {
        let message = msg!("skills-report-diff-differs", what = short(&of.what), a = short(&of.a), b = short(&of.b));
        Comparability { is_same: false, text: text(&message, lang) }
    });
    all.extend(differs);
    all
}

/// Returns what else keeps the numbers from being comparable; settings that differ stand above.
fn cautions(diff: &SkillDiff, lang: Lang) -> Vec<String> {
    let mut others = diff.clone();
    others.differs.clear();
    let all = told::warnings(&others, short, lang).into_iter().chain(told::alone(diff, short, lang));
    all.map(|message| text(&message, lang)).collect()
}

fn comparisons(diff: &SkillDiff, lang: Lang) -> Vec<ComparisonHtml> {
    diff.skills.iter().map(|skill| comparison(skill, lang)).collect()
}

fn comparison(of: &SkillDelta, lang: Lang) -> ComparisonHtml {
    let class = match of.standing {
        SkillStanding::Regressed => "worse",
        SkillStanding::Lower | SkillStanding::Unmeasured => "doubt",
        SkillStanding::Higher => "better",
        SkillStanding::Same => "quiet",
    };
    let listed = |all: [&[FlippedTask]; 2]| {
        let tasks: Vec<&FlippedTask> = all.into_iter().flatten().collect();
        let mut shown: Vec<String> =
            tasks.iter().take(LISTED).map(|task| told::flip(task, clip).replace('`', "")).collect();
        if tasks.len() > LISTED {
            shown.push(format!("… +{}", tasks.len() - LISTED));
        }
        shown
    };
    let numbers = told::lines(of).map(|line| {
        let moved = format!("{} → {} ({} {})", line.a, line.b, line.diff, told::mark(line.better));
        format!("{}: {}", line.what.text(lang), moved.replace(" )", ")").replace("(-", "(\u{2212}"))
    });
    let uneven = told::uneven(of).map(|message| text(&message, lang));
    ComparisonHtml {
        title: text(&told::name(of, short), lang),
        class,
        sentence: text(&told::standing(of), lang),
        counts: text(&told::test(of), lang),
        more: numbers.chain(uneven).collect(),
        plot: String::new(),
        failing: listed([&of.newly_failing, &of.less_often]),
        passing: listed([&of.newly_passing, &of.more_often]),
        samples: Vec::new(),
        left_out: of.left_out.iter().take(LISTED).map(|task| short(&task.task)).collect(),
    }
}
