//! `eval-skills find`: the skills of a tree, filtered and ranked.

use std::collections::BTreeMap;
use std::path::Path;

use eval_cli::{CommandError, Terminal, exit};
use eval_history::skills::has_tag;
use eval_load as load;
use eval_message::msg;
use eval_message::plain::{clean, clip};
use eval_render::terminal::wrap;
use eval_serve::{CompletionRate, Store, StoreError};
use eval_spec::Context;
use eval_spec::callable::{CallableSkill, SkillsConfig, Sourced};
use serde_json::{Value, json};

use crate::cli::FindArgs;
use crate::files::store_failure;
use crate::search;
use crate::session::Session;

const LIMIT: u32 = 20;

struct FoundSkill {
    skill: CallableSkill,
    /// Its relevance for the query; `None` without a query.
    score: Option<f64>,
    /// Its newest completion rate on each benchmark.
    rates: Vec<CompletionRate>,
}

impl FoundSkill {
    /// The mean of its newest completion rates over benchmarks; `None` when there are none.
    fn completion(&self) -> Option<f64> {
        let known = self.rates.iter().filter_map(|of| of.rate);
        let (sum, count) = known.fold((0.0, 0.0), |(sum, count), rate| (sum + rate, count + 1.0));
        (count > 0.0).then_some(sum / count)
    }

    /// Whether the skill's files have changed since a rate was measured.
    fn is_stale(&self, of: &CompletionRate) -> bool {
        of.skill_hash != *self.skill.hash
    }
}

/// Prints the skills that fit, the best first.
pub(crate) fn run(session: &Session<'_>, arguments: &FindArgs) -> Result<u8, CommandError> {
    let &Session { context, terminal, .. } = session;
    let flags = SkillsConfig {
        skills_dir: arguments.skills_dir.clone().map(Sourced::flag),
        store: arguments.store.clone().map(Sourced::flag),
        ..SkillsConfig::default()
    };
    let settings = session.settings(flags)?;
    let skills = terminal.loaded(load::scan_skills(context, &settings.skills_dir)?);
    let history = history(&settings.store).map_err(|error| store_failure(context, &error))?;
    let total = skills.len();
    let has_history = !history.is_empty();
    let mut found = ranked(skills, arguments, history);
    let fitting = found.len();
    found.truncate(usize::try_from(arguments.limit.unwrap_or(LIMIT)).unwrap_or(usize::MAX));
    terminal.json(|| document(context, &found, fitting));
    show(context, terminal, &found, fitting);
    if total == 0 {
        terminal.note(&msg!("skills-load-no-skill", path = context.display(&settings.skills_dir)));
    }
    if fitting == 0 && total > 0 && arguments.min_completion.is_some() && !has_history {
        terminal.note(&msg!("skills-cli-find-no-history", store = context.display(&settings.store)));
    }
    Ok(exit::OK)
}

/// The newest completion rates by skill; empty without a store.
fn history(path: &Path) -> Result<BTreeMap<String, Vec<CompletionRate>>, StoreError> {
    let store = match Store::open_existing(path) {
        Err(StoreError::Missing { .. }) => return Ok(BTreeMap::new()),
        store => store?,
    };
    let mut rates: BTreeMap<String, Vec<CompletionRate>> = BTreeMap::new();
    for newest in store.completion_rates()? {
        rates.entry(newest.skill.clone()).or_default().push(newest);
    }
    Ok(rates)
}

/// By relevance with words, else by completion rate, skills without history last; ties by id.
fn ranked(
    skills: Vec<CallableSkill>,
    arguments: &FindArgs,
    mut history: BTreeMap<String, Vec<CompletionRate>>,
) -> Vec<FoundSkill> {
    let scores: Option<BTreeMap<usize, f64>> =
        arguments.query.as_ref().map(|query| search::rank(&skills, query).into_iter().collect());
    let found = skills.into_iter().enumerate().filter_map(|(i, skill)| {
        let score = match &scores {
            Some(scores) => Some(*scores.get(&i)?),
            None => None,
        };
        let rates = history.remove(&*skill.id).unwrap_or_default();
        Some(FoundSkill { skill, score, rates })
    });
    let mut found: Vec<FoundSkill> = found.filter(|found| fits(found, arguments)).collect();
    found.sort_by(|a, b| {
        let key = |of: &FoundSkill| of.score.or_else(|| of.completion()).unwrap_or(-1.0);
        key(b).total_cmp(&key(a)).then_with(|| a.skill.id.cmp(&b.skill.id))
    });
    found
}

fn fits(found: &FoundSkill, arguments: &FindArgs) -> bool {
    arguments.tag.iter().all(|tag| has_tag(&found.skill.tags, tag))
        && arguments.adapter.as_deref().is_none_or(|adapter| adapter == found.skill.adapter.name())
        && arguments.min_completion.is_none_or(|least| found.completion().is_some_and(|rate| rate >= least))
}

fn document(context: &Context, found: &[FoundSkill], fitting: usize) -> Value {
    let rate = |found: &FoundSkill, of: &CompletionRate| {
        json!({
            "benchmark": of.benchmark,
            "completionRate": of.rate,
            "evaluation": of.evaluation,
            "finishedAt": of.finished_at,
            "stale": found.is_stale(of),
        })
    };
    let one = |found: &FoundSkill| {
        json!({
            "id": &*found.skill.id,
            "name": found.skill.name,
            "version": found.skill.version,
            "description": found.skill.description,
            "tags": found.skill.tags,
            "adapterType": found.skill.adapter.name(),
            "path": context.display(&found.skill.file),
            "score": found.score,
            "completionRate": found.completion(),
            "completionRates": found.rates.iter().map(|of| rate(found, of)).collect::<Vec<_>>(),
        })
    };
    json!({"total": fitting, "skills": found.iter().map(one).collect::<Vec<_>>()})
}

fn show(context: &Context, terminal: &Terminal, found: &[FoundSkill], fitting: usize) {
    const ID: usize = 32;
    const ADAPTER: usize = 10;
    let longest = found.iter().map(|found| found.skill.id.len()).max().unwrap_or(0).min(ID);
    let is_stale = |of: &FoundSkill| of.rates.iter().any(|rate| rate.rate.is_some() && of.is_stale(rate));
    for one in found {
        let skill = &one.skill;
        let mark = if is_stale(one) { "*" } else { " " };
        let rate = one.completion().map_or_else(|| "   –".to_owned(), |rate| format!("{:3.0}%", rate * 100.0));
        let id = clip(&skill.id, ID);
        let head = format!("{id:longest$}  {:ADAPTER$}  {rate}{mark} ", skill.adapter.name());
        let tags = match skill.tags.is_empty() {
            true => String::new(),
            false => format!(" [{}]", skill.tags.join(", ")),
        };
        let text = match skill.description.trim() {
            "" => skill.name.clone(),
            description => description.to_owned(),
        };
        let path = clean(&context.display(&skill.directory));
        terminal.text(&wrap(
            &format!("{head}{}", clean(&format!("{text}{tags}"))),
            terminal.width,
            head.chars().count(),
        ));
        terminal.text(&format!("{:longest$}  {path}", ""));
    }
    if found.iter().any(is_stale) {
        terminal.say(&msg!("skills-cli-find-stale"));
    }
    match (found.len(), fitting) {
        (0, _) => terminal.say(&msg!("skills-cli-find-none")),
        (shown, fitting) if shown < fitting => {
            terminal.say(&msg!("skills-cli-find-more", shown = shown, count = fitting));
        }
        _ => {}
    }
}
