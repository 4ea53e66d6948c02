//! A comparison that is read blind: all answers to one sample, and which is better. The page has no name, id, cost, length or
//! score: what isn't there can't be looked up.

use askama::Template;
use eval_format::{Analysis, SampleResult, letters};
use eval_message::plain::visible;
use eval_message::{Lang, Message, msg};

use super::frame::{SiteBase, SiteFrame};
use super::words::minute;
use crate::page::{Frame, words};

/// The longest text that is shown, in bytes.
const MOST_TEXT: usize = 64 << 10;

/// How far a reader is, and the answers to look at.
#[derive(Clone, Debug)]
pub struct BlindPlace<'r> {
    /// All sets of answers.
    pub total: usize,
    /// Sets that this reader has judged.
    pub judged: usize,
    /// Samples that have nothing to compare.
    pub left_out: usize,
    pub by: Option<String>,
    /// Key that tells opinions on these sides from those on others.
    pub round: String,
    /// `true` if the reader's last opinion doesn't count as blind.
    pub was_open: bool,
    /// The answers; `None` when all are judged.
    pub set: Option<BlindSet<'r>>,
}

#[derive(Clone, Debug)]
pub struct BlindSet<'r> {
    /// Number, from 1.
    pub number: usize,
    pub result: &'r SampleResult,
    /// The variants, in the order of their answers. They are not shown.
    pub variants: &'r [String],
    /// `true` if each answer is rated; else two are compared.
    pub is_rated: bool,
    pub given: GivenOpinion,
}

#[derive(Clone, Debug, Default)]
pub struct GivenOpinion {
    /// The button, 1 to 5, where two answers are compared.
    pub button: Option<u8>,
    pub stars: Vec<Option<u8>>,
    pub note: String,
}

/// Returns the name of the form's field for the stars of the answer at this place.
#[must_use]
pub fn stars_field(place: usize) -> String {
    format!("stars_{}", letters(place).to_lowercase())
}

#[derive(Template)]
#[template(path = "site/blind.html")]
struct BlindHtml {
    frame: Frame,
    base: SiteBase,
    title: String,
    words: BlindWords,
    by: String,
    round: String,
    progress: String,
    total: usize,
    judged: usize,
    notices: Vec<String>,
    again: String,
    set: Option<SetHtml>,
    reveal: RevealHtml,
}

struct SetHtml {
    number: usize,
    is_rated: bool,
    asked: String,
    rubrics: Vec<(String, String)>,
    answers: Vec<AnswerHtml>,
    buttons: Vec<ButtonHtml>,
    note: String,
    previous: Option<String>,
    next: Option<String>,
}

struct AnswerHtml {
    side: String,
    field: String,
    stars: u8,
    text: String,
    is_cut: bool,
}

struct ButtonHtml {
    value: u8,
    text: String,
    is_given: bool,
}

struct RevealHtml {
    is_open: bool,
    about: String,
}

words! {
    BlindWords {
        asked: "page-asked",
        good: "page-good",
        answer: "site-blind-answer",
        no_text: "sample-no-text",
        cut: "site-blind-cut",
        question: "site-blind-question",
        note: "site-blind-note",
        by: "site-blind-by",
        stars: "site-blind-stars",
        stars_of: "page-rating",
        store: "site-blind-store",
        previous: "page-previous",
        next: "page-next",
        again: "site-blind-again",
        reveal: "site-blind-reveal",
        reveal_button: "site-blind-reveal-button",
        empty: "site-blind-empty",
    }
    intro: String,
    keys: String,
}

/// The page.
///
/// # Errors
/// When the template fails.
pub fn blind_page(of: &BlindPlace<'_>, at: &SiteFrame) -> std::io::Result<String> {
    let lang = at.lang;
    let title = match &of.set {
        Some(set) if set.is_rated => msg!("site-blind-title-rated", number = set.number, total = of.total),
        Some(set) => msg!("site-blind-title", number = set.number, total = of.total),
        None if of.total == 0 => msg!("site-blind-start-title"),
        None => msg!("site-blind-done"),
    };
    let left_out = (of.left_out > 0).then(|| msg!("site-blind-left-out", count = of.left_out));
    let was_open = of.was_open.then(|| msg!("site-blind-was-open"));
    let (intro, keys) = match of.set.as_ref().is_some_and(|set| set.is_rated) {
        true => (msg!("site-blind-intro-rated"), msg!("site-blind-keys-rated")),
        false => (msg!("site-blind-intro"), msg!("site-blind-keys")),
    };
    let page = BlindHtml {
        frame: at.opinions_frame(),
        base: SiteBase::of(at),
        title: title.text(lang),
        words: BlindWords::of(lang, intro.text(lang), keys.text(lang)),
        by: of.by.clone().unwrap_or_default(),
        round: of.round.clone(),
        progress: msg!("site-blind-progress", judged = of.judged, total = of.total).text(lang),
        total: of.total,
        judged: of.judged,
        notices: was_open.into_iter().chain(left_out).map(|line| line.text(lang)).collect(),
        again: numbered(1, of, at),
        set: of.set.as_ref().map(|set| set_html(set, of, at)),
        reveal: RevealHtml { is_open: of.judged == of.total, about: msg!("site-blind-reveal-about").text(lang) },
    };
    page.render().map_err(std::io::Error::other)
}

fn numbered(number: usize, of: &BlindPlace<'_>, at: &SiteFrame) -> String {
    at.link(&at.path, &[("by", of.by.as_deref().unwrap_or_default()), ("n", &number.to_string())])
}

fn set_html(set: &BlindSet<'_>, of: &BlindPlace<'_>, at: &SiteFrame) -> SetHtml {
    let lang = at.lang;
    let texts = set.result.texts.as_ref();
    let asked = texts.map(|texts| texts.prompt.as_str()).or(set.result.eval.as_ref().map(|eval| eval.prompt.as_str()));
    let rubric = texts.and_then(|of| of.rubric.as_ref()).map(|text| (String::new(), shown(text).0));
    let dimensions = texts.iter().flat_map(|of| &of.dimensions).map(|of| (visible(&of.name), shown(&of.rubric).0));
    let answer = |(place, name): (usize, &String)| {
        let answer = set.result.variants.get(name).and_then(|of| of.answer());
        let (text, is_cut) = shown(answer.and_then(|of| of.full_output.as_deref()).unwrap_or_default());
        let stars = set.given.stars.get(place).copied().flatten().unwrap_or_default();
        AnswerHtml { side: letters(place), field: stars_field(place), stars, text, is_cut }
    };
    SetHtml {
        number: set.number,
        is_rated: set.is_rated,
        asked: asked.map_or_else(|| msg!("page-no-texts").text(lang), |text| shown(text).0),
        rubrics: rubric.into_iter().chain(dimensions).collect(),
        answers: set.variants.iter().enumerate().map(answer).collect(),
        buttons: if set.is_rated { Vec::new() } else { buttons(set.given.button, lang) },
        note: set.given.note.clone(),
        previous: (set.number > 1).then(|| numbered(set.number - 1, of, at)),
        next: (set.number < of.total).then(|| numbered(set.number + 1, of, at)),
    }
}

fn buttons(given: Option<u8>, lang: Lang) -> Vec<ButtonHtml> {
    let names = [
        msg!("site-blind-a-much"),
        msg!("site-blind-a"),
        msg!("site-blind-same"),
        msg!("site-blind-b"),
        msg!("site-blind-b-much"),
    ];
    let button =
        |(value, name): (u8, Message)| ButtonHtml { value, text: name.text(lang), is_given: given == Some(value) };
    (1..).zip(names).map(button).collect()
}

/// A text with what would turn or hide it made visible, and whether it is only its beginning.
fn shown(text: &str) -> (String, bool) {
    let end = text.floor_char_boundary(MOST_TEXT);
    (visible(&text[..end]), end < text.len())
}

#[derive(Template)]
#[template(path = "site/blind_start.html")]
struct BlindStartHtml {
    frame: Frame,
    base: SiteBase,
    title: String,
    lines: Vec<String>,
    button: String,
    back: String,
    back_href: String,
    can_start: bool,
}

/// The page that offers to read a comparison blind.
///
/// # Errors
/// When the template fails.
pub fn blind_start_page(analysis: &Analysis, revealed: Option<&str>, at: &SiteFrame) -> std::io::Result<String> {
    let lang = at.lang;
    let can_start = analysis.meta.variants.len() > 1;
    let about = if can_start { msg!("site-blind-start-about") } else { msg!("site-blind-start-solo") };
    let revealed = revealed.map(|when| msg!("site-blind-revealed", when = minute(when)));
    let run = at.path.strip_suffix("/blind").unwrap_or("/");
    let page = BlindStartHtml {
        frame: at.opinions_frame(),
        base: SiteBase::of(at),
        title: msg!("site-blind-start-title").text(lang),
        lines: revealed.into_iter().chain([about]).map(|line| line.text(lang)).collect(),
        button: msg!("site-blind-start-button").text(lang),
        back: msg!("site-blind-back").text(lang),
        back_href: at.link(run, &[]),
        can_start,
    };
    page.render().map_err(std::io::Error::other)
}
