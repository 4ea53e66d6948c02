//! A selection for people.

use eval_history::skills::Selection;
use eval_message::msg;
use eval_message::plain::clip;

use crate::skills::show;
use crate::terminal::{Show, TerminalPage};

/// The selection as a table, and who was left out.
#[must_use]
pub fn selection_text(of: &Selection, show: Show) -> String {
    let mut page = TerminalPage::new(show);
    page.title(&msg!("skills-report-selected", count = of.skills.len(), all = of.skills.len() + of.excluded.len()));
    let heads = [
        "#".to_owned(),
        show.text(&msg!("skills-report-skill")),
        show.text(&msg!("skills-report-completion")),
        show.text(&msg!("skills-report-errors")),
        show.text(&msg!("skills-report-p95")),
        show.text(&msg!("skills-report-composite")),
    ];
    let mut rows = vec![heads];
    rows.extend(of.skills.iter().map(|one| {
        let summary = &one.report.summary;
        [
            one.rank.to_string(),
            clip(&one.skill.id, 24),
            show::with_bounds(summary.completion_rate, summary.completion_interval.as_ref()),
            show::percent(summary.error_rate),
            show::time(summary.p95_latency_ms),
            show::score(summary.composite_score),
        ]
    }));
    if rows.len() > 1 {
        page.table(2, &rows);
    }
    if !of.excluded.is_empty() {
        page.gap();
        page.title(&msg!("skills-report-excluded", count = of.excluded.len()));
    }
    for one in &of.excluded {
        page.bullet(&format!("{}  {}", clip(&one.id, 32), clip(&show.text(&one.why.message()), 160)));
    }
    page.text
}
