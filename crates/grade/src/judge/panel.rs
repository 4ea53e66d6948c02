//! The judges of a run: every question goes to each of them, as often as asked for.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use eval_message::{Lang, Message, msg};
use eval_spec::call::Generation;
use eval_spec::units::Usd;
use eval_spec::{Call, CellKey, Executor, Failure, Judged, Opinion, Output};
use futures::future::join_all;

use super::pair_texts::PairTexts;
use super::question::{JudgeRequest, Question, RequestPlace};
use super::reply::{self, ReplyForm};
use super::texts::JudgePrompt;
use crate::excerpt::{EVIDENCE, excerpt};

/// Requests for one opinion, at most: one, and two more when a reply is unusable.
const REQUESTS: u32 = 3;

/// One judge.
#[derive(Clone)]
pub struct Judge {
    /// `executor:model`, as reports name it.
    pub label: String,
    /// Who answers.
    pub executor: Arc<dyn Executor>,
    /// The model's name.
    pub model: String,
    /// Its working directory, where that matters.
    pub cwd: Option<PathBuf>,
}

/// All judges, and how they are asked.
#[derive(Clone)]
pub struct Panel {
    /// The judges, in the order of the report.
    pub judges: Vec<Judge>,
    /// Opinions of each judge on each question, at least 1.
    pub repeat: u32,
    /// Whether the prompt says that length is no quality.
    pub debias_length: bool,
    /// How long one request may take.
    pub timeout: Duration,
}

/// The result of asking one judge one question.
pub(super) struct JudgeAnswers<R> {
    /// Its reply, or why there is no usable one.
    pub(super) reply: Result<R, Silent>,
    /// Requests made, those included that failed or were unusable when the same was asked before.
    pub(super) requests: u32,
    /// What they cost together; `None` when that is unknown.
    pub(super) cost_usd: Option<Usd>,
}

/// Why there is no usable reply.
pub(super) struct Silent {
    pub(super) why: Message,
    /// First characters of the last reply; `None` when none came back.
    pub(super) reply: Option<String>,
    /// The failure of the request; `None` when a reply came back.
    pub(super) failure: Option<Failure>,
}

impl Panel {
    /// Asks all judges all questions about one answer, all at once; how many requests really go at once is
    /// for the executors to say.
    pub(crate) async fn ask(&self, questions: &[Question], key: &CellKey, answer: &str) -> Vec<Judged> {
        join_all(questions.iter().map(|question| self.ask_one(question, key, answer))).await
    }

    async fn ask_one(&self, question: &Question, key: &CellKey, answer: &str) -> Judged {
        let opinions = self.each_opinion(|judge, repeat| self.opinion(judge, repeat, question, key, answer)).await;
        Judged {
            dimension: question.dimension.clone(),
            lang: question.lang,
            score: Judged::score_of(&opinions),
            opinions,
        }
    }

    /// The results of `ask` for each repeat of each judge, by the judge's index; all are asked at once.
    pub(super) async fn each_opinion<T, F: Future<Output = T>>(&self, ask: impl Fn(usize, u32) -> F) -> Vec<T> {
        let places = (0..self.judges.len()).flat_map(|judge| (0..self.repeat).map(move |repeat| (judge, repeat)));
        join_all(places.map(|(judge, repeat)| ask(judge, repeat))).await
    }

    async fn opinion(&self, place: usize, repeat: u32, question: &Question, key: &CellKey, answer: &str) -> Opinion {
        let judge = &self.judges[place];
        let request = |attempt| {
            let which = RequestPlace { key, judge: place, repeat, attempt };
            question.request(answer, self.debias_length, &which)
        };
        let read = |output: &Output, id: &str| reply::read(output, id, question.form());
        let JudgeAnswers { reply, requests, cost_usd } = self.ask_until_read(judge, key, request, read).await;
        let (score, reasoning, claims, silent) = match reply {
            Ok(reply) => (Some(reply.score), reply.reasoning, reply.claims, None),
            Err(silent) => (None, String::new(), Vec::new(), Some(silent)),
        };
        let failure = silent.as_ref().and_then(|silent| silent.failure);
        let (why, reply) = silent.map(|silent| (silent.why, silent.reply)).unzip();
        let (judge, reply) = (judge.label.clone(), reply.flatten());
        Opinion { judge, repeat, score, reasoning, claims, why, reply, failure, requests, cost_usd }
    }

    /// Has `judge` answer until a reply can be read, [`REQUESTS`] times at most; `request` makes the request of each
    /// attempt. A failed request is not made again: its executor has tried again what may pass.
    pub(super) async fn ask_until_read<R>(
        &self,
        judge: &Judge,
        key: &CellKey,
        request: impl Fn(u32) -> JudgeRequest,
        read: impl Fn(&Output, &str) -> Result<R, Message>,
    ) -> JudgeAnswers<R> {
        let (mut attempts, mut requests, mut cost_usd) = (0, 0, Some(Usd(0.0)));
        loop {
            let JudgeRequest { id, system, prompt } = request(attempts);
            attempts += 1;
            let call = self.call(judge, key, system, prompt);
            let result = judge.executor.call(&call).await;
            let before = judge.executor.failures_before(&call).len();
            requests += 1 + u32::try_from(before).unwrap_or(u32::MAX / 2);
            let output = match result {
                Ok(output) => output,
                Err(error) => {
                    // Its cost is unknown.
                    cost_usd = cost_usd.filter(|_| !error.failure.may_have_cost());
                    let silent = Silent { why: error.message, reply: None, failure: Some(error.failure) };
                    return JudgeAnswers { reply: Err(silent), requests, cost_usd };
                }
            };
            cost_usd = sum(cost_usd, &output);
            let reply = read(&output, &id);
            if reply.is_ok() || attempts >= REQUESTS {
                let shown = || Some(excerpt(&output.text, EVIDENCE)).filter(|text| !text.trim().is_empty());
                let reply = reply.map_err(|why| Silent { why, reply: shown(), failure: None });
                return JudgeAnswers { reply, requests, cost_usd };
            }
        }
    }

    pub(super) fn call(&self, judge: &Judge, key: &CellKey, system: String, prompt: String) -> Call {
        Call {
            key: key.clone(),
            model: judge.model.clone(),
            effort: None,
            system: Some(system.into()),
            prompt: prompt.into(),
            cwd: judge.cwd.clone(),
            cwd_fingerprint: None,
            surroundings: None,
            generation: Generation::default(),
            allowed_tools: Some(Vec::new()),
            timeout: self.timeout,
        }
    }
}

/// Checks that a judge's reply has the form that `call` asks for: a score where statements are asked for is not usable.
///
/// # Errors
/// Why it is unusable.
pub fn check_reply(call: &Call, output: &Output) -> Result<(), Message> {
    let id = id_of(call);
    // The prompt contains text of others; the system text is ours, and ends with the form of the reply.
    let system = call.system.as_deref().unwrap_or_default();
    let asks = |instruction: &dyn Fn(Lang) -> &'static str| {
        [Lang::En, Lang::Zh].iter().any(|lang| system.ends_with(&instruction(*lang).replace("{id}", id)))
    };
    if asks(&|lang| PairTexts::of(lang).reply) {
        return reply::read_winner(output, id).map(drop);
    }
    let form = ReplyForm::ALL.into_iter().find(|form| asks(&|lang| form.instruction(JudgePrompt::of(lang))));
    let form = form.ok_or_else(|| msg!("grade-reply-wrong-id"))?;
    reply::read(output, id, form).map(drop)
}

/// The id of a request, from its prompt.
pub(super) fn id_of(call: &Call) -> &str {
    call.prompt.split("<<<").nth(1).and_then(|rest| rest.lines().next()).unwrap_or_default()
}

fn sum(so_far: Option<Usd>, output: &Output) -> Option<Usd> {
    Some(so_far? + output.cost?.usd)
}
