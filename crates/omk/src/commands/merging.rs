//! Which missing things are one in other words, as a model says where one may be asked.

use eval_cli::{CommandError, Terminal};
use eval_grade::{SameThings, is_usable_merge, merge_things};
use eval_message::msg;
use eval_run::Stop;
use eval_spec::Context;

use super::masking::mask;
use super::one_judge::{OneJudge, OneJudgeChoice, interruptible, runtime};
use crate::cli::MergingArgs;

/// Things that are compared, the first ones.
const MOST: usize = 60;

/// Groups of `things` that are one, by their places, and whether the user interrupted. Without a model, and without a usable reply,
/// there is none.
pub(super) fn same_things(
    context: &Context,
    terminal: &Terminal,
    arguments: &MergingArgs,
    things: &[&str],
) -> Result<(Vec<SameThings>, bool), CommandError> {
    let Some(model) = arguments.judge_model.as_deref().filter(|_| things.len() > 1) else {
        return Ok((Vec::new(), false));
    };
    let choice = OneJudgeChoice {
        executor: None,
        judge_model: Some(model),
        judge_executor: arguments.judge_executor.as_deref(),
        budget_usd: arguments.budget_usd,
        no_cache: arguments.no_cache,
    };
    let judge = OneJudge::new(context, &choice)?;
    let mask = mask(context);
    let shown: Vec<String> = things.iter().take(MOST).map(|thing| mask.text(thing)).collect();
    terminal.note(&msg!("gaps-merging-asking", judge = judge.label(), count = shown.len(), all = things.len()));
    let stop = Stop::new();
    let through = judge.panel(context, &stop, is_usable_merge)?;
    let asking = merge_things(&through.panel, context.lang, &shown);
    let (answer, interrupted) = runtime()?.block_on(interruptible(asking, &stop))?;
    let groups = answer.groups.unwrap_or_else(|why| {
        terminal.note(&msg!("gaps-merging-none", why = why.text(context.lang)));
        Vec::new()
    });
    Ok((groups, interrupted))
}
