//! People's opinions on a run beside its judges: agreement, preferences, and disagreements to settle one by one.

use askama::Template;
use eval_analysis::{PeopleReport, PersonRating};
use eval_format::{Analysis, SampleResult};
use eval_message::msg;
use eval_message::plain::{clip, visible};

use super::frame::{SiteBase, SiteFrame, sample_segment};
use super::words::minute;
use crate::document::people::{scores, sentences, settled};
use crate::page::{Frame, words};
use crate::voice::unmarked;

/// The longest text that is shown, in bytes.
const MOST_TEXT: usize = 64 << 10;

#[derive(Clone, Debug)]
pub struct DisputePlace<'r> {
    /// Number, from 1.
    pub number: usize,
    pub rating: &'r PersonRating,
    pub result: &'r SampleResult,
}

#[derive(Template)]
#[template(path = "site/people.html")]
struct PeopleHtml {
    frame: Frame,
    base: SiteBase,
    title: String,
    words: PeopleWords,
    sentences: Vec<String>,
    run: (String, String),
    blind: (String, String),
    heading: String,
    dispute: Option<DisputeHtml>,
}

struct DisputeHtml {
    sample: (String, String),
    variant: String,
    by: String,
    sample_id: String,
    variant_name: String,
    asked: String,
    answer: String,
    scores: String,
    comment: String,
    reasons: Vec<String>,
    settled: String,
    previous: Option<String>,
    next: Option<String>,
}

words! {
    PeopleWords {
        asked: "page-asked",
        answer: "site-blind-answer",
        comment: "page-comment",
        reasons: "people-reasons",
        gold: "people-gold-wrong",
        gold_about: "people-gold-wrong-about",
        judge: "people-judge-wrong",
        judge_about: "people-judge-wrong-about",
        bias: "people-settle-bias",
        none: "people-no-disputes",
        previous: "page-previous",
        next: "page-next",
        command: "people-gold-command",
    }
    gold_command: String,
}

/// The page; `count` disagreements there are in all, and those that nobody settled come first.
///
/// # Errors
/// When the template fails.
pub fn people_page(
    analysis: &Analysis,
    of: &PeopleReport,
    count: usize,
    dispute: Option<&DisputePlace<'_>>,
    revealed: Option<&str>,
    at: &SiteFrame,
) -> std::io::Result<String> {
    let lang = at.lang;
    let revealed = revealed.map(|when| msg!("site-blind-revealed", when = minute(when)).text(lang));
    let said = sentences(of).into_iter().map(|line| unmarked(&line, lang));
    let run = at.path.strip_suffix("/people").unwrap_or("/");
    let id = shlex::try_quote(&analysis.id).map_or_else(|_| "…".to_owned(), |id| visible(&id));
    let page = PeopleHtml {
        frame: at.opinions_frame(),
        base: SiteBase::of(at),
        title: msg!("people-title").text(lang),
        words: PeopleWords::of(lang, format!("omk gold import {id} --gold-dir gold")),
        sentences: said.chain(revealed).collect(),
        run: (at.link(run, &[]), msg!("site-blind-back").text(lang)),
        blind: (at.link(&format!("{run}/blind"), &[]), msg!("site-blind-start-title").text(lang)),
        heading: match dispute {
            Some(of) => msg!("people-dispute-of", number = of.number, count = count).text(lang),
            None => msg!("people-disputes", count = count).text(lang),
        },
        dispute: dispute.map(|of| dispute_html(of, count, run, at)),
    };
    page.render().map_err(std::io::Error::other)
}

fn dispute_html(of: &DisputePlace<'_>, count: usize, run: &str, at: &SiteFrame) -> DisputeHtml {
    let lang = at.lang;
    let given = &of.rating.given;
    let asked = of.result.texts.as_ref().map(|texts| shown(&texts.prompt));
    let answers = of.result.variants.get(&given.variant).map(|of| of.executions());
    let run_rated = answers.and_then(|all| {
        let at = |(place, run): &(u32, &eval_format::VariantResult)| run.repeat.unwrap_or(*place) == of.rating.repeat;
        (0..).zip(all).find(at).and_then(|(_, run)| run.full_output.as_deref())
    });
    let link = |number: usize| at.link(&at.path, &[("n", &number.to_string())]);
    DisputeHtml {
        sample: (
            at.link(&format!("{run}/sample/{}", sample_segment(&given.sample_id)), &[]),
            clip(&given.sample_id, 80),
        ),
        variant: clip(&given.variant, 60),
        by: given.by.clone().unwrap_or_default(),
        sample_id: given.sample_id.clone(),
        variant_name: given.variant.clone(),
        asked: asked.unwrap_or_else(|| msg!("page-no-texts").text(lang)),
        answer: run_rated.map_or_else(|| msg!("sample-no-text").text(lang), shown),
        scores: scores(of.rating).text(lang),
        comment: given.comment.as_deref().map(shown).unwrap_or_default(),
        reasons: of.rating.reasons.iter().map(|text| shown(text)).collect(),
        settled: settled(of.rating).map(|of| of.text(lang)).unwrap_or_default(),
        previous: (of.number > 1).then(|| link(of.number - 1)),
        next: (of.number < count).then(|| link(of.number + 1)),
    }
}

/// A text with what would turn or hide it made visible.
fn shown(text: &str) -> String {
    visible(&text[..text.floor_char_boundary(MOST_TEXT)])
}
