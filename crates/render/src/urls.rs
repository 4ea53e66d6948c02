//! URLs of prompts and contexts, and the pages that stand in their place.

use eval_history::PlannedUrl;
use eval_message::plain::clip;
use eval_message::{Lang, Message, msg};
use eval_spec::page::{FetchedPage, InlinedUrl, PageRoute};

use crate::terminal::harmless;

/// The most columns of a URL in a line.
const URL: usize = 120;
/// The most URLs that are listed.
const LISTED: usize = 20;
/// The most samples that a line names.
const SAMPLES: usize = 8;

/// What stands in the place of each URL, where it is from, and which samples name it; the last line counts what is left out.
pub(crate) fn url_lines(urls: &[InlinedUrl], lang: Lang) -> Vec<Message> {
    let more = urls.len().saturating_sub(LISTED);
    let more = (more > 0).then(|| msg!("page-and-more", count = more));
    urls.iter().take(LISTED).map(|of| url_line(of, lang)).chain(more).collect()
}

/// The line of one URL.
pub(crate) fn url_line(of: &InlinedUrl, lang: Lang) -> Message {
    let url = clip(&of.url, URL);
    let samples = samples(&of.samples, lang);
    let said = match (&of.page, &of.missing) {
        (Some(page), _) => fetched(page, lang),
        (None, Some(why)) => msg!("page-url-missing", why = harmless(why).text(lang)).text(lang),
        (None, None) => msg!("page-url-missing", why = "–").text(lang),
    };
    let rest = of.followed_by.as_deref().map(|rest| msg!("page-url-followed", rest = clip(rest, URL)).text(lang));
    msg!("page-url", url = url, samples = samples, what = format!("{said}{}", rest.unwrap_or_default()))
}

fn fetched(page: &FetchedPage, lang: Lang) -> String {
    let kind = page.content_type.as_deref().map_or_else(|| "–".to_owned(), |kind| clip(kind, 40));
    let (time, hash) = (format!("{:.0}", page.fetched_at), clip(&page.sha256, 12));
    let bytes = page.bytes.to_string();
    let text = match &page.via {
        PageRoute::Http => msg!("page-url-http", bytes = bytes, kind = kind, time = time, hash = hash),
        PageRoute::Mcp(server) => {
            msg!("page-url-mcp", bytes = bytes, server = clip(server, 40), time = time, hash = hash)
        }
    };
    let to = page.final_url.as_deref().map(|to| msg!("page-url-final", url = clip(to, URL)).text(lang));
    format!("{}{}", text.text(lang), to.unwrap_or_default())
}

/// The URLs that a run would fetch, a line each.
pub(crate) fn planned_lines(urls: &[PlannedUrl], lang: Lang) -> Vec<String> {
    let line = |of: &PlannedUrl| {
        let (url, samples) = (clip(&of.url, URL), samples(&of.samples, lang));
        match &of.via {
            PageRoute::Http => msg!("report-plan-url-http", url = url, samples = samples),
            PageRoute::Mcp(server) => {
                msg!("report-plan-url-mcp", url = url, samples = samples, server = clip(server, 40))
            }
        }
        .text(lang)
    };
    let more = urls.len().saturating_sub(LISTED);
    let more = (more > 0).then(|| msg!("page-and-more", count = more).text(lang));
    urls.iter().take(LISTED).map(line).chain(more).collect()
}

fn samples(ids: &[String], lang: Lang) -> String {
    let separator = if lang == Lang::Zh { "、" } else { ", " };
    let names: Vec<String> = ids.iter().take(SAMPLES).map(|id| clip(id, 32)).collect();
    let more = if ids.len() > SAMPLES { "…" } else { "" };
    format!("{}{more}", names.join(separator))
}
