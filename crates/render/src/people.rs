//! What people's opinions come to beside the judges', in the words of terminal and page.

use crate::minus::{percent, points, signed};
use eval_analysis::{GoldDispute, PeopleReport, PersonRating, PreferenceCounts};
use eval_format::{GoldAgreement, Settled};
use eval_message::plain::clip;
use eval_message::{Lang, Message, msg};

use crate::terminal::names::NAME;
use crate::terminal::{Show, TerminalPage, people_agreement};

/// Ratings below which agreement is hardly more than a guess.
const FEW: u64 = 20;
/// The longest comment, answer and reason in a terminal, in columns.
const LINE: usize = 300;

/// The sentences: how many said something, how far they agree with the judge, whose answers they prefer.
pub(crate) fn sentences(of: &PeopleReport, show: Show) -> Vec<String> {
    let lang = show.lang;
    let mut all = vec![msg!("people-count", readers = of.readers, ratings = of.ratings.len()).text(lang)];
    let blind = of.ratings.iter().filter(|of| of.given.blind).count();
    if !of.ratings.is_empty() {
        all.push(msg!("people-blind", blind = blind, ratings = of.ratings.len()).text(lang));
    }
    match &of.agreement {
        Some(agreement) => all.extend(agreed(agreement, show)),
        None => all.push(msg!("people-no-agreement").text(lang)),
    }
    all.extend(Some(of.unjudged).filter(|of| *of > 0).map(|count| msg!("people-unjudged", count = count).text(lang)));
    all.extend(Some(of.withdrawn).filter(|of| *of > 0).map(|count| msg!("people-withdrawn", count = count).text(lang)));
    all.extend(
        of.agreement_as_given
            .as_ref()
            .map(|given| msg!("people-as-given", agreement = people_agreement(given, show)).text(lang)),
    );
    all.extend(of.preferences.iter().flat_map(|of| preferred(of, lang)));
    all
}

fn agreed(of: &GoldAgreement, show: Show) -> Vec<String> {
    let few = (of.n < FEW).then(|| msg!("people-few", n = of.n, enough = FEW).text(show.lang));
    std::iter::once(people_agreement(of, show)).chain(few).collect()
}

fn preferred(of: &PreferenceCounts, lang: Lang) -> Vec<String> {
    let (treatment, control) = (clip(&of.treatment, NAME), clip(&of.control, NAME));
    let counts = msg!(
        "people-preferred",
        treatment = treatment,
        control = control,
        better = of.better,
        worse = of.worse,
        alike = of.alike,
        blind = of.blind,
        opinions = of.opinions
    );
    let interval = |share: [f64; 3]| share.map(percent);
    let share = of.share.map(interval).map(|[share, low, high]| {
        msg!(
            "people-share",
            treatment = clip(&of.treatment, NAME),
            share = share,
            low = low,
            high = high,
            n = of.better + of.worse
        )
        .text(lang)
    });
    let judged = of.judge_share.map(interval).map(|[_, low, high]| {
        msg!("people-judge-share", agrees = of.judge_agrees, judged = of.judged, low = low, high = high).text(lang)
    });
    [Some(counts.text(lang)), share, judged].into_iter().flatten().collect()
}

/// `ann: 2 ★, judge: 4.00, judge − person +2.00`.
pub(crate) fn scores(of: &PersonRating) -> Message {
    msg!(
        "people-scores",
        person = clip(&of.annotator, 40),
        rating = u32::from(of.given.rating.unwrap_or_default()),
        judge = points(of.judge),
        difference = signed(of.difference())
    )
}

/// Who is wrong, once that is settled.
pub(crate) fn settled(of: &PersonRating) -> Option<Message> {
    of.given.settled.map(|settled| match settled {
        Settled::GoldWrong => msg!("people-settled-gold"),
        Settled::JudgeWrong => msg!("people-settled-judge"),
    })
}

/// Where gold and judge disagree, for a terminal.
#[must_use]
pub fn gold_disputes_text(all: &[GoldDispute], report: &str, dir: &str, show: Show) -> String {
    let mut page = TerminalPage::new(show);
    page.title(&msg!("people-disputes", count = all.len()));
    for of in all {
        let who = msg!(
            "people-gold-scores",
            person = clip(&of.annotator, 40),
            question = clip(&of.question, 40),
            score = points(of.person),
            judge = points(of.judge),
            difference = signed(of.judge - of.person)
        );
        let (sample, variant) = (clip(&of.sample_id, NAME), clip(&of.variant, NAME));
        let head = msg!("people-dispute", sample = sample, variant = variant, scores = who.text(show.lang));
        page.bullet(&head.text(show.lang));
    }
    if !all.is_empty() {
        page.bullet(&msg!("people-gold-settle-with", report = report, dir = dir).text(show.lang));
    }
    page.text
}

/// People's opinions and their disagreements with the judge, for a terminal.
#[must_use]
pub fn people_text(of: &PeopleReport, report: &str, show: Show) -> String {
    let lang = show.lang;
    let mut page = TerminalPage::new(show);
    page.title(&msg!("people-title"));
    sentences(of, show).iter().for_each(|line| page.bullet(line));
    let disputed: Vec<&PersonRating> = of.ratings.iter().filter(|of| of.is_disputed()).collect();
    if disputed.is_empty() {
        page.bullet(&msg!("people-no-disputes").text(lang));
        return page.text;
    }
    page.title(&msg!("people-disputes", count = disputed.len()));
    for of in &disputed {
        let (sample, variant) = (clip(&of.given.sample_id, NAME), clip(&of.given.variant, NAME));
        let head = msg!("people-dispute", sample = sample, variant = variant, scores = scores(of).text(lang));
        page.bullet(&head.text(lang));
        let comment = of.given.comment.as_ref().map(|text| msg!("people-said", text = clip(text, LINE)));
        let reasons = of.reasons.iter().map(|text| msg!("people-judge-said", text = clip(text, LINE)));
        for line in comment.into_iter().chain(reasons).chain(settled(of)) {
            page.line(4, &line);
        }
    }
    page.bullet(&msg!("people-settle-with", report = report).text(lang));
    page.text
}
