//! Comparing two answers: every judge sees both, once in each order, and says which is better.

use eval_spec::{CellKey, PairJudged, PairOpinion, PairReply};
use futures::future::{join, join_all};

use super::pair_texts::PairTexts;
use super::panel::{JudgeAnswers, Panel};
use super::question::{JudgeRequest, Question};
use super::reply;

/// Which of the requests about two answers it is.
#[derive(Clone, Copy)]
struct PairRequestPlace<'a> {
    /// The cell of the later answer.
    key: &'a CellKey,
    /// The earlier answer's variant.
    against: &'a str,
    judge: usize,
    repeat: u32,
    /// Whether the later variant's answer is shown first.
    reversed: bool,
    attempt: u32,
}

impl Panel {
    /// Asks all judges all questions about two answers, in both orders, all at once.
    pub(crate) async fn compare(
        &self,
        questions: &[Question],
        cells: (&str, &CellKey),
        answers: [&str; 2],
    ) -> Vec<PairJudged> {
        join_all(questions.iter().map(|question| self.compare_by(question, cells, answers))).await
    }

    async fn compare_by(&self, question: &Question, cells: (&str, &CellKey), answers: [&str; 2]) -> PairJudged {
        let compare = |judge, repeat| self.comparison(judge, repeat, question, cells, answers);
        let opinions = self.each_opinion(compare).await;
        PairJudged { dimension: question.dimension.clone(), lang: question.lang, opinions }
    }

    async fn comparison(
        &self,
        judge: usize,
        repeat: u32,
        question: &Question,
        (against, key): (&str, &CellKey),
        [earlier, later]: [&str; 2],
    ) -> PairOpinion {
        let which = |reversed| PairRequestPlace { key, against, judge, repeat, reversed, attempt: 0 };
        let forward = self.one_order(question, [earlier, later], which(false));
        let reversed = self.one_order(question, [later, earlier], which(true));
        let (forward, reversed) = join(forward, reversed).await;
        PairOpinion { judge: self.judges[judge].label.clone(), repeat, forward, reversed }
    }

    async fn one_order(&self, question: &Question, shown: [&str; 2], which: PairRequestPlace<'_>) -> PairReply {
        let request = |attempt| request(question, shown, self.debias_length, &PairRequestPlace { attempt, ..which });
        let asked = self.ask_until_read(&self.judges[which.judge], which.key, request, reply::read_winner).await;
        let JudgeAnswers { reply, requests, cost_usd } = asked;
        let (winner, reasoning, silent) = match reply {
            Ok((winner, reasoning)) => (Some(winner), reasoning, None),
            Err(silent) => (None, String::new(), Some(silent)),
        };
        let failure = silent.as_ref().and_then(|silent| silent.failure);
        let (why, reply) = silent.map(|silent| (silent.why, silent.reply)).unzip();
        PairReply { winner, reasoning, why, reply: reply.flatten(), failure, requests, cost_usd }
    }
}

/// The request about two answers, in the order in which they are shown. As in [`Question::request`], the authors of
/// the answers can't know its id.
fn request(question: &Question, shown: [&str; 2], debias_length: bool, which: &PairRequestPlace<'_>) -> JudgeRequest {
    written(question, shown, debias_length, id(question, shown, which))
}

pub fn written(question: &Question, shown: [&str; 2], debias_length: bool, id: String) -> JudgeRequest {
    let own = PairTexts::of(question.lang);
    let length = if debias_length { own.length } else { "" };
    let system = [own.rules, own.asked, own.steps, length, own.reply];
    let answers = own.answers.into_iter().zip(shown);
    JudgeRequest::new(id, &system, question.titled_material().chain(answers), own.last)
}

fn id(question: &Question, shown: [&str; 2], which: &PairRequestPlace<'_>) -> String {
    let PairRequestPlace { key, against, judge, repeat, reversed, attempt } = which;
    let place = format!("pair\u{0}{key}\u{0}{against}\u{0}{judge}\u{0}{repeat}\u{0}{reversed}\u{0}{attempt}");
    question.fresh_id(place, &shown)
}
