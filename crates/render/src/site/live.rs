//! A run under way: how far it is, what it spent, what it waits for. It shows no verdict and no difference, since whoever
//! looks often enough sees one.

use askama::Template;
use eval_message::figures::percent;
use eval_message::plain::clip;
use eval_message::{Lang, Message, msg};
use eval_spec::Failure;
use eval_spec::units::Usd;

use super::frame::{SiteBase, SiteFrame, encoded};
use super::list::{LiveRow, progress};
use super::words::minute;
use crate::page::Frame;

/// Calls under way that are listed.
const LISTED: usize = 20;

/// What is known of a run that has no report yet.
#[derive(Clone, Debug)]
pub struct LiveView {
    /// The run, and how far it is.
    pub row: LiveRow,
    /// When it began, RFC 3339.
    pub started_at: String,
    /// Whether a program is at it.
    pub is_under_way: bool,
    /// Failures by class.
    pub failed: Vec<(Failure, usize)>,
    /// What was spent, in US dollars, as far as that is known.
    pub spent_usd: f64,
    /// The part of it that is estimated for calls that failed.
    pub assumed_usd: f64,
    /// Whether something was spent that is not known.
    pub is_more_unknown: bool,
    /// What may be spent.
    pub budget_usd: Option<f64>,
    /// Whether the run ends when it is decided: then the order of the samples is the only thing that it may show.
    pub stops_when_decided: bool,
    /// Where its sequence is; `None` where it doesn't end early.
    pub looks: Option<LiveLooks>,
    /// Calls under way: cell, whether a judge is asked, and for how many seconds.
    pub awaited: Vec<(String, bool, i64)>,
    /// How to go on with it.
    pub command: String,
}

/// The planned looks of a run: how far it is, never what they showed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LiveLooks {
    /// Looks so far.
    pub taken: usize,
    /// Looks of the whole plan.
    pub most: usize,
    /// Samples that are finished, in the drawn order without a gap.
    pub finished: usize,
    /// Samples of the whole plan, tripwires aside.
    pub planned: usize,
}

#[derive(Template)]
#[template(path = "site/live.html")]
struct LiveHtml {
    frame: Frame,
    base: SiteBase,
    title: String,
    about: String,
    reload: String,
    reload_href: String,
    events: String,
    finished: usize,
    planned: Option<u64>,
    progress_label: String,
    fields: Vec<(&'static str, String)>,
    note: String,
    awaited_title: String,
}

/// The page.
///
/// # Errors
/// When the template fails.
pub fn live_page(of: &LiveView, at: &SiteFrame) -> std::io::Result<String> {
    let lang = at.lang;
    let id = clip(&of.row.id, 80);
    let about = match of.is_under_way {
        true => msg!("site-live-running", time = minute(&of.started_at)),
        false => msg!("site-live-stopped", time = minute(&of.started_at), command = clip(&of.command, 160)),
    };
    let note = match of.stops_when_decided {
        true => msg!("site-live-note-stops"),
        false => msg!("site-live-note"),
    };
    let events = format!("/run/{}/events", encoded(&of.row.id));
    let page = LiveHtml {
        frame: at.frame(),
        base: SiteBase::of(at),
        title: id,
        about: about.text(lang).replace('`', ""),
        reload: msg!("site-live-reload").text(lang),
        reload_href: at.run(&of.row.id),
        events: if of.is_under_way { at.link(&events, &[]) } else { String::new() },
        finished: of.row.finished,
        planned: of.row.planned,
        progress_label: msg!("site-live-label").text(lang),
        fields: live_fields(of, lang),
        note: note.text(lang),
        awaited_title: msg!("site-live-awaited").text(lang),
    };
    page.render().map_err(std::io::Error::other)
}

/// The parts that change, by the ids of their elements.
#[must_use]
pub fn live_fields(of: &LiveView, lang: Lang) -> Vec<(&'static str, String)> {
    let text = |message: Message| message.text(lang);
    let share = of.row.planned.filter(|planned| *planned > 0).map(|planned| {
        #[expect(clippy::cast_precision_loss, reason = "a share for people")]
        let share = of.row.finished as f64 / planned as f64;
        percent(Some(share.min(1.0)))
    });
    let looks = of.looks.map(|of| ("live-looks", text(looks_text(of))));
    let begun = [("live-progress", progress(&of.row, lang)), ("live-share", share.unwrap_or_default())];
    let rest = [
        ("live-failed", text(failed(of, lang))),
        ("live-spent", estimated(of, text(spent(of)), lang)),
        ("live-awaited", awaited(of, lang)),
    ];
    begun.into_iter().chain(looks).chain(rest).collect()
}

fn looks_text(of: LiveLooks) -> Message {
    msg!(
        "site-live-looks",
        look = (of.taken + 1).min(of.most),
        looks = of.most,
        samples = of.finished,
        planned = of.planned
    )
}

fn failed(of: &LiveView, lang: Lang) -> Message {
    let count: usize = of.failed.iter().map(|(_, count)| count).sum();
    let class = |(failure, count): &(Failure, usize)| {
        format!("{} {count}", eval_analysis::measure::why_failed(*failure).text(lang))
    };
    let list: Vec<String> = of.failed.iter().map(class).collect();
    match count {
        0 => msg!("site-live-none-failed"),
        count => msg!("site-live-failed", count = count, list = list.join(if lang == Lang::Zh { "、" } else { ", " })),
    }
}

fn spent(of: &LiveView) -> Message {
    let known = Usd(of.spent_usd).to_string();
    match (of.budget_usd, of.is_more_unknown) {
        (Some(budget), false) => msg!("site-live-spent-of", spent = known, budget = Usd(budget).to_string()),
        (None, false) => msg!("site-live-spent", spent = known),
        (None, true) => msg!("site-live-spent-more", spent = known),
        (Some(budget), true) => msg!("site-live-spent-of-more", spent = known, budget = Usd(budget).to_string()),
    }
}

/// What was spent, and how much of it is estimated.
fn estimated(of: &LiveView, spent: String, lang: Lang) -> String {
    match of.assumed_usd > 0.0 {
        true => msg!("site-live-spent-assumed", spent = spent, assumed = Usd(of.assumed_usd).to_string()).text(lang),
        false => spent,
    }
}

/// A line for each call.
fn awaited(of: &LiveView, lang: Lang) -> String {
    let line = |(cell, is_judgement, seconds): &(String, bool, i64)| {
        let who = if *is_judgement { "judge" } else { "cell" };
        let seconds = format!("{seconds} s");
        msg!("site-live-call", who = who, cell = clip(cell, 80), seconds = seconds).text(lang)
    };
    let mut lines: Vec<String> = of.awaited.iter().take(LISTED).map(line).collect();
    if of.awaited.len() > LISTED {
        lines.push(format!("… +{}", of.awaited.len() - LISTED));
    }
    lines.join("\n")
}
