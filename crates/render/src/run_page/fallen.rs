//! Checks that the treatment passes less often.

use crate::minus::percent;
use eval_format::{Analysis, CheckFall};
use eval_message::plain::clip;
use eval_message::{Lang, msg};

use super::frame::PageFrame;

pub(super) struct Fallen {
    pub(super) text: String,
    pub(super) samples: Vec<(String, Option<String>)>,
    pub(super) more: String,
}

pub(super) fn fallen(analysis: &Analysis, page: &PageFrame, lang: Lang) -> Vec<Fallen> {
    let several = analysis.comparisons.len() > 1;
    let all = analysis.comparisons.iter().flat_map(|of| of.fallen_checks.iter().map(move |fall| (of, fall)));
    let one = |(of, fall): (&eval_format::Comparison, &CheckFall)| {
        let check = if several { format!("{}: {}", clip(&of.treatment, 24), fall.label) } else { fall.label.clone() };
        let message = msg!(
            "page-fallen",
            check = clip(&check, 90),
            control = percent(fall.control_rate),
            treatment = percent(fall.treatment_rate)
        );
        let link = |id: &String| (clip(id, 40), page.site.as_ref().map(|site| site.sample(id)));
        let named = u64::try_from(fall.named.len()).unwrap_or(u64::MAX);
        let more = match fall.samples.saturating_sub(named) {
            0 => String::new(),
            more => msg!("page-and-more", count = more).text(lang),
        };
        Fallen { text: message.text(lang), samples: fall.named.iter().map(link).collect(), more }
    };
    all.take(10).map(one).collect()
}
