//! The judges of a run: every question goes to each of them, as often as asked for.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use eval_spec::call::Generation;
use eval_spec::units::Usd;
use eval_spec::{Call, CellKey, Executor, Judged, Opinion, Output};
use futures::future::join_all;

use super::question::{Question, Which};
use super::reply::{self, Form};

/// Requests for one opinion, at most: one, and two more when a reply is unusable.
pub(super) const REQUESTS: u32 = 3;

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
    /// Opinions of each judge on each question.
    pub repeat: u32,
    /// Whether they are told that length is no quality.
    pub debias_length: bool,
    /// How long one request may take.
    pub timeout: Duration,
}

impl Panel {
    /// Asks all judges all questions about one answer, all at once; how many requests really go at once is
    /// for the executors to say.
    pub(crate) async fn ask(&self, questions: &[Question], key: &CellKey, answer: &str) -> Vec<Judged> {
        join_all(questions.iter().map(|question| self.ask_one(question, key, answer))).await
    }

    async fn ask_one(&self, question: &Question, key: &CellKey, answer: &str) -> Judged {
        let opinions = (0..self.judges.len()).flat_map(|judge| (0..self.repeat).map(move |repeat| (judge, repeat)));
        let opinions = opinions.map(|(judge, repeat)| self.opinion(judge, repeat, question, key, answer));
        let opinions = join_all(opinions).await;
        Judged {
            dimension: question.dimension.clone(),
            lang: question.lang,
            score: Judged::score_of(&opinions),
            opinions,
        }
    }

    async fn opinion(&self, place: usize, repeat: u32, question: &Question, key: &CellKey, answer: &str) -> Opinion {
        let judge = &self.judges[place];
        let mut opinion = Opinion {
            judge: judge.label.clone(),
            repeat,
            score: None,
            reasoning: String::new(),
            claims: Vec::new(),
            why: None,
            requests: 0,
            cost_usd: Some(Usd(0.0)),
        };
        for attempt in 0..REQUESTS {
            let which = Which { key, judge: place, repeat, attempt };
            let request = question.request(answer, self.debias_length, &which);
            let call = self.call(judge, key, request.system, request.prompt);
            opinion.requests += 1;
            let output = match judge.executor.call(&call).await {
                Ok(output) => output,
                Err(error) => {
                    // The executor has tried again what may pass; what it costs is not told.
                    opinion.cost_usd = opinion.cost_usd.filter(|_| !error.failure.may_have_cost());
                    opinion.why = Some(error.message);
                    break;
                }
            };
            opinion.cost_usd = sum(opinion.cost_usd, &output);
            match reply::read(&output, &request.id, question.form()) {
                Ok(reply) => {
                    opinion.score = Some(reply.score);
                    opinion.reasoning = reply.reasoning;
                    opinion.claims = reply.claims;
                    opinion.why = None;
                    break;
                }
                Err(why) => opinion.why = Some(why),
            }
        }
        opinion
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
            generation: Generation::default(),
            allowed_tools: Some(Vec::new()),
            timeout: self.timeout,
        }
    }
}

/// Whether a judge's reply to `call` can be used, whatever kind of reply was asked for.
#[must_use]
pub fn is_usable_reply(call: &Call, output: &Output) -> bool {
    let id = call.prompt.split("<<<").nth(1).and_then(|rest| rest.lines().next()).unwrap_or_default();
    Form::ALL.iter().any(|form| reply::read(output, id, *form).is_ok()) || reply::read_winner(output, id).is_ok()
}

pub(super) fn sum(so_far: Option<Usd>, output: &Output) -> Option<Usd> {
    Some(so_far? + output.cost?.usd)
}
