//! A selection for people.

use eval_history::skills::Selection;
use eval_message::msg;
use eval_message::plain::clip;

use crate::show::Show;
use crate::terminal::TerminalPage;
use crate::view::evaluation::metrics::{Metric, TERMINAL};

/// The selection as a table, and who was left out.
#[must_use]
pub fn selection_text(of: &Selection, show: Show) -> String {
    let mut page = TerminalPage::new(show);
    page.title(&msg!("skills-report-selected", count = of.skills.len(), all = of.skills.len() + of.excluded.len()));
    let names = [msg!("skills-report-skill")].into_iter().chain(TERMINAL.map(Metric::name));
    let mut rows: Vec<Vec<String>> = vec![["#".to_owned()].into_iter().chain(names.map(|of| show.text(&of))).collect()];
    rows.extend(of.skills.iter().map(|one| {
        let metrics = TERMINAL.map(|metric| metric.text(&one.report.summary));
        [one.rank.to_string(), clip(&one.skill.id, 24)].into_iter().chain(metrics).collect()
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
