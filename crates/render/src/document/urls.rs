//! URLs of prompts and contexts, and the pages that stand in their place.

use eval_format::Report;
use eval_history::PlannedUrl;
use eval_message::plain::clip;
use eval_message::{Arg, Message, Separator, msg};
use eval_spec::page::{FetchedPage, InlinedUrl, PageRoute};

use super::block::{Block, item, title};
use super::text::{NAME, harmless};

/// The most columns of a URL in a line.
const URL: usize = 120;
/// The most URLs that are listed.
const LISTED: usize = 20;
/// The most samples that a line names.
const SAMPLES: usize = 8;

pub(super) fn blocks<R>(report: &Report<R>) -> Vec<Block> {
    let lines = listed(&report.meta.urls, url_line);
    let title = (!lines.is_empty()).then(|| title(msg!("page-extra-urls")));
    title.into_iter().chain(lines.into_iter().map(item)).collect()
}

/// Returns a line for each of the first URLs; the last one counts what is left out.
fn listed<T>(urls: &[T], line: impl Fn(&T) -> Message) -> Vec<Message> {
    let more = urls.len().saturating_sub(LISTED);
    let more = (more > 0).then(|| msg!("page-and-more", count = more));
    urls.iter().take(LISTED).map(line).chain(more).collect()
}

/// Returns what stands in the place of a URL, where it is from, and which samples name it.
pub(crate) fn url_line(inlined: &InlinedUrl) -> Message {
    let page = match (&inlined.page, &inlined.missing) {
        (Some(page), _) => fetched(page),
        (None, Some(why)) => msg!("page-url-missing", why = harmless(why)).into(),
        (None, None) => msg!("page-url-missing", why = "–").into(),
    };
    let rest = inlined.followed_by.as_deref().map(|rest| msg!("page-url-followed", rest = clip(rest, URL)).into());
    let parts = Arg::List(Separator::None, std::iter::once(page).chain(rest).collect());
    msg!("page-url", url = clip(&inlined.url, URL), samples = samples(&inlined.samples), what = parts)
}

fn fetched(page: &FetchedPage) -> Arg {
    let kind = page.content_type.as_deref().map_or_else(|| "–".to_owned(), |kind| clip(kind, 40));
    let (time, hash) = (format!("{:.0}", page.fetched_at), clip(&page.sha256, 12));
    let bytes = page.bytes.to_string();
    let route = match &page.via {
        PageRoute::Http => msg!("page-url-http", bytes = bytes, kind = kind, time = time, hash = hash),
        PageRoute::Mcp(server) => {
            msg!("page-url-mcp", bytes = bytes, server = clip(server, 40), time = time, hash = hash)
        }
    };
    let to = page.final_url.as_deref().map(|url| msg!("page-url-final", url = clip(url, URL)).into());
    Arg::List(Separator::None, std::iter::once(route.into()).chain(to).collect())
}

/// Returns the URLs that a run would fetch, a line each.
pub(crate) fn planned_lines(urls: &[PlannedUrl]) -> Vec<Message> {
    listed(urls, |planned| {
        let (url, samples) = (clip(&planned.url, URL), samples(&planned.samples));
        match &planned.via {
            PageRoute::Http => msg!("report-plan-url-http", url = url, samples = samples),
            PageRoute::Mcp(server) => {
                msg!("report-plan-url-mcp", url = url, samples = samples, server = clip(server, 40))
            }
        }
    })
}

fn samples(ids: &[String]) -> Arg {
    let names: Vec<String> = ids.iter().take(SAMPLES).map(|id| clip(id, NAME)).collect();
    let more = if ids.len() > SAMPLES { "…" } else { "" };
    Arg::List(Separator::None, vec![names.into(), more.into()])
}
