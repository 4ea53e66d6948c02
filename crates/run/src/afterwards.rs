//! After the cells: questions that the report can do without, as many at once as cells may be.

use futures::{StreamExt, stream};

use eval_spec::Event;

use crate::guard::Guard;

/// Asks all `questions`, in order; `None` where the run was asked to stop before the last answer was there. What was
/// answered by then is in the journal.
pub async fn ask_afterwards<Q, T, F: Future<Output = T>>(
    guard: &Guard,
    on_event: &(dyn Fn(Event) + Sync),
    questions: Vec<Q>,
    ask: impl Fn(Q) -> F,
) -> Option<Vec<T>> {
    let stop = guard.stop();
    on_event(Event::ClassifyingStarted { total: questions.len() });
    let one = |question| {
        let asking = ask(question);
        async move {
            if stop.is_draining() {
                return None;
            }
            tokio::select! {
                biased;
                () = stop.killed() => None,
                answer = asking => Some(answer),
            }
        }
    };
    let mut turns = stream::iter(questions).map(one).buffered(guard.limits().concurrency.max(1));
    let (mut answers, mut is_whole) = (Vec::new(), true);
    while let Some(turn) = turns.next().await {
        match turn {
            Some(answer) => answers.push(answer),
            None => is_whole = false,
        }
        on_event(Event::PairFinished { done: answers.len() });
    }
    on_event(Event::ComparingFinished);
    is_whole.then_some(answers)
}
