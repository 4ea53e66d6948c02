//! A skill's numbers over time, for a terminal.

use eval_history::skills::{SkillTrend, TrendPoint, TrendSeries};
use eval_message::plain::clip;
use eval_message::{Message, msg};

use crate::show::Show;
use crate::skills::show;
use crate::terminal::TerminalPage;
use crate::terminal::layout::sparkline;
use crate::view::evaluation::metrics::{Metric, TERMINAL};

/// A table and a line of little bars for each series.
#[must_use]
pub fn trend_text(of: &SkillTrend, show: Show) -> String {
    let mut page = TerminalPage::new(show);
    if of.series.is_empty() {
        page.line(0, &msg!("skills-report-trend-nothing", skill = clip(&of.skill, 60)));
    }
    for (i, series) in of.series.iter().enumerate() {
        let earlier = of.series[..i].iter().any(|before| before.benchmark == series.benchmark);
        page.title(&title(of, series, earlier));
        page.raw(2, &sparkline(series.points.iter().map(|point| point.completion_rate)));
        let heads = [msg!("skills-report-trend-when"), msg!("skills-report-version")].into_iter();
        let mut rows = vec![heads.chain(TERMINAL.map(Metric::name)).map(|head| show.text(&head)).collect()];
        rows.extend(series.points.iter().map(|point| row(show, point)));
        if rows.len() > 1 {
            page.table(2, &rows);
        }
        page.gap();
    }
    if of.series.iter().flat_map(|series| &series.points).any(|point| point.skill_changed == Some(true)) {
        page.line(0, &msg!("skills-report-trend-changed"));
    }
    page.text
}

fn title(of: &SkillTrend, series: &TrendSeries, is_later: bool) -> Message {
    let skill = clip(&of.skill, 40);
    let benchmark = clip(&series.benchmark, 40);
    let hash = clip(&series.benchmark_hash, 13);
    match is_later {
        false => msg!("skills-report-trend-series", skill = skill, benchmark = benchmark, hash = hash),
        true => msg!("skills-report-trend-other", skill = skill, benchmark = benchmark, hash = hash),
    }
}

fn row(show: Show, of: &TrendPoint) -> Vec<String> {
    let when: String = of.finished_at.chars().take(16).collect::<String>().replace('T', " ");
    let mark = match (of.is_complete, of.skill_changed) {
        (false, _) => format!(" {}", show.text(&msg!("skills-report-trend-partial"))),
        (true, Some(true)) => " *".to_owned(),
        (true, _) => String::new(),
    };
    vec![
        clip(&when, 16),
        format!("{}{mark}", clip(&of.skill_version, 12)),
        show::with_bounds(of.completion_rate, of.completion_interval.as_ref()),
        show::percent(of.error_rate),
        show::time(of.p95_latency_ms),
        show::score(of.composite_score),
    ]
}
