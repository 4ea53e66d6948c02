//! Preferences from the judges' comparisons of two answers.

use eval_message::{Lang, msg};
use eval_spec::{Pair, PairJudged, PairOpinion, PairReply, PairVerdict, Shown};

fn reply(winner: Option<Shown>) -> PairReply {
    let why = winner.is_none().then(|| msg!("grade-reply-not-json"));
    PairReply { winner, reasoning: String::new(), why, reply: None, failure: None, requests: 1, cost_usd: None }
}

fn opinion(judge: &str, repeat: u32, winners: [Option<Shown>; 2]) -> PairOpinion {
    let [forward, reversed] = winners.map(reply);
    PairOpinion { judge: judge.to_owned(), repeat, forward, reversed }
}

fn pair(questions: Vec<Vec<PairOpinion>>) -> Pair {
    let judged = |opinions| PairJudged { dimension: None, lang: Lang::En, opinions };
    let questions = questions.into_iter().map(judged).collect();
    Pair { sample: "s".into(), repeat: 0, earlier: "a".into(), later: "b".into(), questions }
}

const LATER: [Option<Shown>; 2] = [Some(Shown::Second), Some(Shown::First)];
const EARLIER: [Option<Shown>; 2] = [Some(Shown::First), Some(Shown::Second)];
const FIRST: [Option<Shown>; 2] = [Some(Shown::First), Some(Shown::First)];
const HALF_TIE: [Option<Shown>; 2] = [Some(Shown::Tie), Some(Shown::First)];

#[test]
fn orders_that_disagree_are_a_tie() {
    let verdict = |winners| opinion("j", 0, winners).verdict();
    assert_eq!(verdict(LATER), Some(PairVerdict::Later));
    assert_eq!(verdict(EARLIER), Some(PairVerdict::Earlier));
    assert_eq!(verdict(FIRST), Some(PairVerdict::Inconsistent));
    assert_eq!(verdict(HALF_TIE), Some(PairVerdict::Inconsistent));
    assert_eq!(verdict([Some(Shown::Tie); 2]), Some(PairVerdict::Tie));
    assert_eq!(verdict([None, Some(Shown::First)]), None);
}

#[test]
fn repeats_are_averaged_before_judges_and_judges_before_questions() {
    // j: (1 + 1 + 0)/3, k: −1; the second question: 1. ((2/3 − 1)/2 + 1)/2 = 5/12.
    let first = vec![opinion("j", 0, LATER), opinion("j", 1, LATER), opinion("j", 2, FIRST), opinion("k", 0, EARLIER)];
    let preference = pair(vec![first, vec![opinion("j", 0, LATER)]]).preference();
    assert!((preference.unwrap_or_default() - 5.0 / 12.0).abs() < 1e-12);
    // The same judge named twice is two judges.
    let twice = pair(vec![vec![opinion("j", 0, LATER), opinion("j", 0, EARLIER)]]);
    assert_eq!(twice.preference(), Ok(0.0));
}

#[test]
fn one_opinion_missing_is_no_preference() {
    let one = pair(vec![vec![opinion("j", 0, LATER), opinion("k", 0, [Some(Shown::Second), None])]]);
    assert_eq!(one.preference(), Err(Some(msg!("grade-reply-not-json"))));
    assert_eq!(pair(Vec::new()).preference(), Err(None));
}
