//! A comparison that is read blind: two answers to one sample, and which is better. The page has no name, id, cost, length
//! or score: what isn't there can't be looked up.

use askama::Template;
use eval_format::{Analysis, SampleResult};
use eval_message::plain::visible;
use eval_message::{Lang, Message, msg};

use super::frame::{SiteBase, SiteFrame};
use super::words::minute;
use crate::page::Frame;

/// The longest text that is shown, in bytes.
const MOST_TEXT: usize = 64 << 10;

/// How far a reader is, and the pair to look at.
#[derive(Clone, Debug)]
pub struct BlindPlace<'r> {
    /// All pairs.
    pub total: usize,
    /// Those that this reader has judged.
    pub judged: usize,
    /// The reader's name.
    pub by: Option<String>,
    /// What tells opinions on these sides from those on others.
    pub round: String,
    /// The pair; `None` when all are judged.
    pub pair: Option<BlindPair<'r>>,
}

/// Two answers.
#[derive(Clone, Debug)]
pub struct BlindPair<'r> {
    /// Its number, from 1.
    pub number: usize,
    /// The sample's results.
    pub result: &'r SampleResult,
    /// The variants, the one on the left first. They are not shown.
    pub sides: [&'r str; 2],
    /// What the reader said of it before.
    pub given: Option<GivenOpinion>,
}

/// An opinion on a pair.
#[derive(Clone, Debug)]
pub struct GivenOpinion {
    /// The button, 1 to 5.
    pub button: u8,
    /// The note.
    pub note: String,
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
    again: String,
    pair: Option<PairHtml>,
    reveal: RevealHtml,
}

struct PairHtml {
    number: usize,
    asked: String,
    rubrics: Vec<(String, String)>,
    answers: [AnswerHtml; 2],
    buttons: Vec<ButtonHtml>,
    note: String,
    previous: Option<String>,
    next: Option<String>,
}

struct AnswerHtml {
    side: &'static str,
    stars: &'static str,
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

struct BlindWords {
    intro: String,
    asked: String,
    good: String,
    answer: String,
    no_text: String,
    cut: String,
    question: String,
    note: String,
    by: String,
    stars: String,
    stars_of: String,
    keys: String,
    previous: String,
    next: String,
    again: String,
    reveal: String,
    reveal_button: String,
    empty: String,
}

impl BlindWords {
    fn of(lang: Lang) -> BlindWords {
        let say = |message: Message| message.text(lang);
        BlindWords {
            intro: say(msg!("site-blind-intro")),
            asked: say(msg!("page-asked")),
            good: say(msg!("page-good")),
            answer: say(msg!("site-blind-answer")),
            no_text: say(msg!("sample-no-text")),
            cut: say(msg!("site-blind-cut")),
            question: say(msg!("site-blind-question")),
            note: say(msg!("site-blind-note")),
            by: say(msg!("site-blind-by")),
            stars: say(msg!("site-blind-stars")),
            stars_of: say(msg!("page-rating")),
            keys: say(msg!("site-blind-keys")),
            previous: say(msg!("page-previous")),
            next: say(msg!("page-next")),
            again: say(msg!("site-blind-again")),
            reveal: say(msg!("site-blind-reveal")),
            reveal_button: say(msg!("site-blind-reveal-button")),
            empty: say(msg!("site-blind-empty")),
        }
    }
}

/// The page.
///
/// # Errors
/// When the template fails.
pub fn blind_page(of: &BlindPlace<'_>, at: &SiteFrame) -> std::io::Result<String> {
    let lang = at.lang;
    let title = match &of.pair {
        Some(pair) => msg!("site-blind-title", number = pair.number, total = of.total),
        None if of.total == 0 => msg!("site-blind-start-title"),
        None => msg!("site-blind-done"),
    };
    let page = BlindHtml {
        frame: at.opinions_frame(),
        base: SiteBase::of(at),
        title: title.text(lang),
        words: BlindWords::of(lang),
        by: of.by.clone().unwrap_or_default(),
        round: of.round.clone(),
        progress: msg!("site-blind-progress", judged = of.judged, total = of.total).text(lang),
        total: of.total,
        judged: of.judged,
        again: at.with("n", "1"),
        pair: of.pair.as_ref().map(|pair| pair_html(pair, of, at)),
        reveal: RevealHtml { is_open: of.judged == of.total, about: msg!("site-blind-reveal-about").text(lang) },
    };
    page.render().map_err(std::io::Error::other)
}

fn pair_html(pair: &BlindPair<'_>, of: &BlindPlace<'_>, at: &SiteFrame) -> PairHtml {
    let lang = at.lang;
    let texts = pair.result.texts.as_ref();
    let asked = texts.map(|texts| texts.prompt.as_str()).or(pair.result.eval.as_ref().map(|eval| eval.prompt.as_str()));
    let rubric = texts.and_then(|of| of.rubric.as_ref()).map(|text| (String::new(), shown(text).0));
    let dimensions = texts.iter().flat_map(|of| &of.dimensions).map(|of| (visible(&of.name), shown(&of.rubric).0));
    let answer = |side: usize| {
        let result = pair.result.variants.get(pair.sides[side]);
        let (text, is_cut) = shown(result.and_then(|of| of.full_output.as_deref()).unwrap_or_default());
        AnswerHtml { side: ["A", "B"][side], stars: ["stars_a", "stars_b"][side], text, is_cut }
    };
    let names = [
        msg!("site-blind-a-much"),
        msg!("site-blind-a"),
        msg!("site-blind-same"),
        msg!("site-blind-b"),
        msg!("site-blind-b-much"),
    ];
    let given = pair.given.as_ref();
    let button = |(value, name): (u8, Message)| ButtonHtml {
        value,
        text: name.text(lang),
        is_given: given.is_some_and(|of| of.button == value),
    };
    let link = |number: usize| at.with("n", &number.to_string());
    PairHtml {
        number: pair.number,
        asked: asked.map_or_else(|| msg!("page-no-texts").text(lang), |text| shown(text).0),
        rubrics: rubric.into_iter().chain(dimensions).collect(),
        answers: [answer(0), answer(1)],
        buttons: (1..=5).zip(names).map(button).collect(),
        note: given.map(|of| of.note.clone()).unwrap_or_default(),
        previous: (pair.number > 1).then(|| link(pair.number - 1)),
        next: (pair.number < of.total).then(|| link(pair.number + 1)),
    }
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
