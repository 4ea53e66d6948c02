//! Output of `omk power`: samples for differences, and differences for samples.

use crate::minus::{percent, points, signed};
use eval_format::PROGRESS_PAIRS;
use eval_history::power::PairSpread;
use eval_history::{PowerAnswer, SpreadOf};
use eval_message::plain::clip;
use eval_message::{Message, msg};

use super::TerminalPage;
use crate::document::diff::around;
use crate::document::text::NAME;
use crate::show::Show;

#[must_use]
pub fn power_text(answer: &PowerAnswer, show: Show) -> String {
    let mut page = TerminalPage::new(show);
    if let Some(pilot) = &answer.pilot {
        page.line(0, &msg!("report-power-pilot", id = clip(pilot, 60)));
    }
    if let Some(looks) = answer.looks {
        page.line(0, &msg!("report-power-looks", looks = looks));
    }
    for spread in &answer.spreads {
        page.gap();
        one(&mut page, answer, spread);
    }
    page.gap();
    if answer.pilot.is_some() {
        page.line(0, &msg!("report-power-pilot-note"));
    }
    page.line(0, &msg!("report-power-progress-note", pairs = PROGRESS_PAIRS));
    page.text
}

fn one(page: &mut TerminalPage, answer: &PowerAnswer, spread: &PairSpread) {
    let title = match (spread.layer, spread.pairs) {
        _ if spread.of == SpreadOf::Preferences => {
            msg!("report-power-preference", a = clip(&spread.control, NAME), b = clip(&spread.treatment, NAME))
        }
        (_, None) => msg!("report-power-given"),
        (None, _) => msg!("report-diff-pair", a = clip(&spread.control, NAME), b = clip(&spread.treatment, NAME)),
        (Some(layer), _) => msg!(
            "report-power-layer",
            a = clip(&spread.control, NAME),
            b = clip(&spread.treatment, NAME),
            layer = layer.name()
        ),
    };
    page.title(&title);
    page.raw(2, &seen(page.show, spread));
    if spread.sd.is_none_or(|sd| sd == 0.0) {
        return page.line(2, &msg!("report-power-no-spread"));
    }
    let risk = match spread.family {
        1 => msg!("report-power-risk", power = percent(answer.power), alpha = number(answer.alpha)),
        family => msg!(
            "report-power-risk-family",
            power = percent(answer.power),
            alpha = number(answer.alpha),
            each = number(spread.alpha_each),
            family = family
        ),
    };
    page.line(2, &risk);
    needed(page, spread);
    detectable(page, spread);
}

fn seen(show: Show, of: &PairSpread) -> String {
    let sd = of.sd.map_or_else(|| "–".to_owned(), points);
    let spread = match (of.of, of.sd_interval) {
        (SpreadOf::Scores, None) => msg!("report-power-sd", sd = sd),
        (SpreadOf::Scores, Some([low, high])) => {
            msg!("report-power-sd-interval", sd = sd, low = points(low), high = points(high))
        }
        (SpreadOf::Preferences, None) => msg!("report-power-sd-preference", sd = sd),
        (SpreadOf::Preferences, Some([low, high])) => {
            msg!("report-power-sd-preference-interval", sd = sd, low = points(low), high = points(high))
        }
    };
    let parts: [Option<Message>; 5] = [
        of.pairs.map(|pairs| msg!("report-power-pairs", count = pairs)),
        of.sd_each.map(|sd| msg!("report-power-sd-each", sd = points(sd))),
        of.correlation.map(|of| msg!("report-power-correlation", correlation = points(of))),
        Some(spread),
        of.observed.map(|of| msg!("report-power-observed", mean = signed(of.mean), interval = around(of.ci.as_ref()))),
    ];
    show.list(&parts.iter().flatten().map(|part| show.text(part)).collect::<Vec<_>>())
}

/// The most that two scores can differ by.
const WIDEST: f64 = 4.0;

/// As many digits as it has, and no more than matter.
fn number(of: f64) -> String {
    if of > 0.0 && of < 0.001 {
        return format!("{of:.1e}");
    }
    let text = format!("{of:.4}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

fn needed(page: &mut TerminalPage, of: &PairSpread) {
    let whole = |n: Option<u64>| n.map_or_else(|| "–".to_owned(), |n| n.to_string());
    let has_range = of.sd_interval.is_some();
    let first = match of.of {
        SpreadOf::Scores => msg!("report-power-difference"),
        SpreadOf::Preferences => msg!("report-power-true-preference"),
    };
    let head = [first, msg!("report-power-samples"), msg!("report-power-mean"), msg!("report-power-range")];
    let head = head.map(|head| page.show.text(&head));
    let has_mean = of.needed.iter().any(|one| one.mean_samples.is_some());
    let rows = of.needed.iter().map(|one| {
        let range = match (one.low, one.high) {
            (None, None) => String::new(),
            (low, high) => page.show.text(&msg!("report-range", low = whole(low), high = whole(high))),
        };
        let mean = one.mean_samples.map_or_else(String::new, |mean| format!("{mean:.0}"));
        [number(one.effect), whole(one.n), mean, range]
    });
    let shown = |row: [String; 4]| {
        let [effect, n, mean, range] = row;
        [Some(effect), Some(n), has_mean.then_some(mean), has_range.then_some(range)].into_iter().flatten().collect()
    };
    let rows: Vec<Vec<String>> = std::iter::once(head).chain(rows).map(shown).collect();
    page.table(4, &rows.iter().map(Vec::as_slice).collect::<Vec<_>>());
}

fn detectable(page: &mut TerminalPage, spread: &PairSpread) {
    let each = spread.detectable.iter().filter_map(|size| {
        Some(match size.difference? {
            difference if difference > WIDEST => msg!("report-power-beyond", n = size.n, most = points(WIDEST)),
            difference => msg!("report-power-with", n = size.n, difference = points(difference)),
        })
    });
    let list: Vec<Message> = each.collect();
    if !list.is_empty() {
        let message = match spread.of {
            SpreadOf::Scores => msg!("report-power-detectable", list = list),
            SpreadOf::Preferences => msg!("report-power-detectable-preference", list = list),
        };
        page.line(2, &message);
    }
}
