//! Opinions of people beside the judges'.

use eval_analysis::{GoldDispute, PeopleReport, PersonRating, PreferenceCounts};
use eval_format::{GoldAgreement, Settled};
use eval_message::plain::clip;
use eval_message::{Message, msg};

use super::block::{Block, item, line, title};
use super::gold::people_agreement;
use super::text::NAME;
use crate::minus::{percent, points, signed};

/// Ratings below which agreement is hardly more than a guess.
const FEW: u64 = 20;
/// The longest comment and reason, in columns.
const LINE: usize = 300;

/// Returns the sentences: how many said something, how far they agree with the judge, whose answers they prefer.
pub(crate) fn sentences(people: &PeopleReport) -> Vec<Message> {
    let ratings = people.ratings.len();
    let blind = people.ratings.iter().filter(|rating| rating.given.blind).count();
    let mut all = vec![msg!("people-count", readers = people.readers, ratings = ratings)];
    all.extend((ratings > 0).then(|| msg!("people-blind", blind = blind, ratings = ratings)));
    all.extend(people.agreement.as_ref().map_or_else(|| vec![msg!("people-no-agreement")], agreed));
    all.extend((people.unjudged > 0).then(|| msg!("people-unjudged", count = people.unjudged)));
    all.extend((people.withdrawn > 0).then(|| msg!("people-withdrawn", count = people.withdrawn)));
    let given = people.agreement_as_given.as_ref();
    all.extend(given.map(|given| msg!("people-as-given", agreement = people_agreement(given))));
    all.extend(people.preferences.iter().flat_map(preferred));
    all
}

fn agreed(agreement: &GoldAgreement) -> Vec<Message> {
    let few = (agreement.n < FEW).then(|| msg!("people-few", n = agreement.n, enough = FEW));
    std::iter::once(people_agreement(agreement)).chain(few).collect()
}

fn preferred(counts: &PreferenceCounts) -> Vec<Message> {
    let (treatment, control) = (clip(&counts.treatment, NAME), clip(&counts.control, NAME));
    let share = counts.share.map(|share| share.map(percent)).map(|[share, low, high]| {
        let n = counts.better + counts.worse;
        msg!("people-share", treatment = &treatment, share = share, low = low, high = high, n = n)
    });
    let judged = counts.judge_share.map(|share| share.map(percent)).map(|[_, low, high]| {
        msg!("people-judge-share", agrees = counts.judge_agrees, judged = counts.judged, low = low, high = high)
    });
    let counts = msg!(
        "people-preferred",
        treatment = &treatment,
        control = control,
        better = counts.better,
        worse = counts.worse,
        alike = counts.alike,
        blind = counts.blind,
        opinions = counts.opinions
    );
    [Some(counts), share, judged].into_iter().flatten().collect()
}

/// Returns `ann: 2 ★, judge: 4.00, judge − person +2.00`.
pub(crate) fn scores(rating: &PersonRating) -> Message {
    msg!(
        "people-scores",
        person = clip(&rating.annotator, 40),
        rating = u32::from(rating.given.rating.unwrap_or_default()),
        judge = points(rating.judge),
        difference = signed(rating.difference())
    )
}

/// Returns who is wrong, once that is settled.
pub(crate) fn settled(rating: &PersonRating) -> Option<Message> {
    rating.given.settled.map(|settled| match settled {
        Settled::GoldWrong => msg!("people-settled-gold"),
        Settled::JudgeWrong => msg!("people-settled-judge"),
    })
}

/// Returns the opinions and their disagreements with the judge of a report.
pub(crate) fn blocks(people: &PeopleReport, report: &str) -> Vec<Block> {
    let mut blocks = vec![title(msg!("people-title"))];
    blocks.extend(sentences(people).into_iter().map(item));
    let disputed: Vec<&PersonRating> = people.ratings.iter().filter(|rating| rating.is_disputed()).collect();
    if disputed.is_empty() {
        blocks.push(item(msg!("people-no-disputes")));
        return blocks;
    }
    blocks.push(title(msg!("people-disputes", count = disputed.len())));
    for rating in disputed {
        blocks.push(dispute(&rating.given.sample_id, &rating.given.variant, scores(rating)));
        let comment = rating.given.comment.as_ref().map(|text| msg!("people-said", text = clip(text, LINE)));
        let reasons = rating.reasons.iter().map(|text| msg!("people-judge-said", text = clip(text, LINE)));
        blocks.extend(comment.into_iter().chain(reasons).chain(settled(rating)).map(|text| line(4, text)));
    }
    blocks.push(item(msg!("people-settle-with", report = report)));
    blocks
}

/// Returns where gold of a directory and the judges of a report disagree.
pub(crate) fn gold_disputes(all: &[GoldDispute], report: &str, dir: &str) -> Vec<Block> {
    let dispute = |gold: &GoldDispute| {
        let scores = msg!(
            "people-gold-scores",
            person = clip(&gold.annotator, 40),
            question = clip(&gold.question, 40),
            score = points(gold.person),
            judge = points(gold.judge),
            difference = signed(gold.judge - gold.person)
        );
        dispute(&gold.sample_id, &gold.variant, scores)
    };
    let settle = (!all.is_empty()).then(|| item(msg!("people-gold-settle-with", report = report, dir = dir)));
    let title = title(msg!("people-disputes", count = all.len()));
    std::iter::once(title).chain(all.iter().map(dispute)).chain(settle).collect()
}

fn dispute(sample: &str, variant: &str, scores: Message) -> Block {
    item(msg!("people-dispute", sample = clip(sample, NAME), variant = clip(variant, NAME), scores = scores))
}
