//! URLs in prompts and contexts, which are replaced by what stands there before anything is planned.
//!
//! Texts are stored in the cache by their hashes, which the journal has: a run that is resumed asks with the same texts.

use std::collections::BTreeMap;
use std::path::PathBuf;

use eval_cli::{CommandError, Terminal};
use eval_fetch::{FetchRefusal, FetchSetup, PAGE_TIMEOUT, PageText, fetch_all, server_of};
use eval_format::write_private;
use eval_history::PlannedUrl;
use eval_load as load;
use eval_load::SampleFile;
use eval_message::{Message, msg};
use eval_spec::hash::sha256_hex;
use eval_spec::mock::{Mock, MockConditions};
use eval_spec::page::{InlinedTexts, InlinedUrl, PageRoute};
use eval_spec::source::{DiagnosticSeverity, Place, Span};
use eval_spec::suite::Settings;
use eval_spec::url_server::UrlServers;
use eval_spec::{Context, Diagnostic, Diagnostics, Sample};

use super::{Chosen, Named, at, project_folder};
use crate::commands::pages;
use crate::commands::project::purpose::Purpose;

/// The file with MCP servers that a project may have.
const MCP_FILE: &str = ".mcp.json";

/// The URLs of the samples, and what stands in their place.
#[derive(Default)]
pub(super) struct FetchedUrls {
    pub(super) urls: Vec<InlinedUrl>,
    /// What would be fetched, where nothing is.
    pub(super) planned: Vec<PlannedUrl>,
    /// Texts by URL.
    texts: BTreeMap<String, String>,
}

/// A URL, and where the samples name it.
struct NamedUrl {
    url: String,
    uses: Vec<UrlUse>,
}

/// A place of a URL.
struct UrlUse {
    sample: String,
    /// `prompt` or `context`.
    field: &'static str,
    place: Option<Place>,
}

impl FetchedUrls {
    /// The sample with pages in place of its URLs.
    pub(super) fn inline(&self, mut sample: Sample) -> Sample {
        if !sample.keeps_urls && !self.texts.is_empty() {
            let page = |url: &str| self.texts.get(url).filter(|_| !is_mocked(&sample, url)).cloned();
            let prompt = load::with_pages(&sample.prompt, page);
            let context = sample.context.as_deref().map(|text| load::with_pages(text, page));
            let is_same = prompt == sample.prompt && context == sample.context;
            sample.inlined = (!is_same).then(|| Box::new(InlinedTexts { prompt, context }));
        }
        sample
    }
}

/// Fetches the URLs of `samples`; for a run that is resumed, takes the texts that it began with (`known_urls`).
pub(super) fn fetch(
    context: &Context,
    (settings, named): (&Settings, &Named),
    purpose: &Purpose,
    known_urls: Option<&[InlinedUrl]>,
    samples: &[Sample],
    warnings: &mut Vec<Diagnostic>,
) -> Result<FetchedUrls, CommandError> {
    if !settings.url_fetch {
        return Ok(FetchedUrls::default());
    }
    let asked = named_urls(samples, warnings);
    if asked.is_empty() {
        return Ok(FetchedUrls::default());
    }
    let known = |url: &str| known_urls.map(|known| known.iter().find(|of| of.url == eval_exec::masked(context, url)));
    let is_missing = |of: &NamedUrl| known(&of.url).is_some_and(|of| of.is_none_or(|of| of.page.is_none()));
    // A URL that the run didn't know is a change of the samples, and is found as one.
    let (missing, wanted): (Vec<_>, Vec<_>) = asked.into_iter().partition(is_missing);
    let mut fetched = FetchedUrls::default();
    fetched.urls.extend(missing.iter().filter_map(|of| known(&of.url).flatten().cloned()));
    let (stored, wanted): (Vec<_>, Vec<_>) = wanted.into_iter().partition(|of| {
        let hash = known(&of.url).flatten().and_then(|of| of.page.as_ref()).map(|page| &page.sha256);
        let text = hash.and_then(|hash| pages::stored(context, hash));
        text.map(|text| fetched.texts.insert(of.url.clone(), text)).is_some()
    });
    fetched.urls.extend(stored.iter().filter_map(|of| known(&of.url).flatten().cloned()));
    if wanted.is_empty() {
        return Ok(fetched);
    }
    // The file may have changed since a run began that is resumed.
    let is_named = known_urls.is_none() && settings.mcp_config.is_some() && named.mcp_config.is_none();
    let servers = servers(context, settings, named, &wanted, is_named || purpose.asks_nothing())?;
    if purpose.asks_nothing() {
        let planned = |of: &NamedUrl| PlannedUrl {
            url: eval_exec::masked(context, &of.url),
            samples: samples_of(of),
            via: server_of(servers.as_ref(), &of.url).map_or(PageRoute::Http, |of| PageRoute::Mcp(of.name.clone())),
        };
        fetched.planned = wanted.iter().map(planned).collect();
        return Ok(fetched);
    }
    let mut errors = Vec::new();
    for (of, result) in wanted.iter().zip(fetch_now(context, settings, servers.as_ref(), &wanted)?) {
        let url = eval_exec::masked(context, &of.url);
        let before = known(&of.url).flatten().and_then(|of| of.page.as_ref());
        match result {
            Ok(PageText { page, .. }) if before.is_some_and(|before| before.sha256 != page.sha256) => {
                let message = msg!("cli-url-changed", url = url);
                errors.push(failed(of, message, Some(msg!("cli-url-changed-help"))));
            }
            Ok(PageText { page, text, server_failed }) => {
                if let Some(why) = server_failed {
                    warnings.push(Diagnostic { severity: DiagnosticSeverity::Warning, ..failed(of, why, None) });
                }
                pages::store(context, &page.sha256, &text)?;
                fetched.urls.push(InlinedUrl { url, samples: samples_of(of), page: Some(page), missing: None });
                fetched.texts.insert(of.url.clone(), text);
            }
            Err(refusal) if settings.allow_missing_urls => {
                let text = msg!("cli-url-missing", url = &url, why = refusal.text(context.lang));
                warnings.push(Diagnostic { severity: DiagnosticSeverity::Warning, ..failed(of, text, None) });
                let missing = Some(refusal.message);
                fetched.urls.push(InlinedUrl { url, samples: samples_of(of), page: None, missing });
            }
            Err(refusal) => {
                let text = msg!("cli-url-failed", url = url, why = refusal.text(context.lang));
                errors.push(failed(
                    of,
                    text,
                    refusal.help.map(|help| *help).or_else(|| Some(msg!("cli-url-failed-help"))),
                ));
            }
        }
    }
    match errors.is_empty() {
        true => Ok(fetched),
        false => Err(CommandError::Input(Diagnostics(errors))),
    }
}

/// The samples as an earlier run asked them: with the pages that it was given, as far as they are still stored.
pub(crate) fn as_asked(context: &Context, urls: &[InlinedUrl], file: SampleFile) -> SampleFile {
    let text = |of: &InlinedUrl| Some((of.url.clone(), pages::stored(context, &of.page.as_ref()?.sha256)?));
    let fetched = FetchedUrls { texts: urls.iter().filter_map(text).collect(), ..FetchedUrls::default() };
    if fetched.texts.is_empty() { file } else { file.inlined(|of| fetched.inline(of)) }
}

/// Whether one of the sample's own mocks is for this URL: its agent fetches it itself, and is given the mock's answer.
fn is_mocked(sample: &Sample, url: &str) -> bool {
    let call = |mock: &Mock| Mock {
        tool: mock.tool.clone(),
        conditions: MockConditions { url: Some(url.to_owned()), ..MockConditions::default() },
        ..Mock::default()
    };
    // What else it asks of a call is seen when the call is made.
    let by_url = |mock: &Mock| {
        let MockConditions { url, url_glob, .. } = mock.conditions.clone();
        let always = mock.always.clone().or_else(|| mock.sequence.first().cloned());
        let conditions = MockConditions { url, url_glob, ..MockConditions::default() };
        Mock { tool: mock.tool.clone(), conditions, always, ..Mock::default() }
    };
    let for_urls =
        sample.mocks.iter().filter(|mock| mock.conditions.url.is_some() || mock.conditions.url_glob.is_some());
    for_urls.into_iter().any(|mock| eval_exec::covers(&by_url(mock), &call(mock), &[]))
}

/// The URLs to fetch, each once, in the order of the samples.
fn named_urls(samples: &[Sample], warnings: &mut Vec<Diagnostic>) -> Vec<NamedUrl> {
    let mut found: Vec<NamedUrl> = Vec::new();
    let mut places: BTreeMap<String, usize> = BTreeMap::new();
    for sample in samples.iter().filter(|sample| !sample.keeps_urls) {
        let texts = [
            ("prompt", Some(&sample.prompt), &sample.prompt_place),
            ("context", sample.context.as_ref(), &sample.context_place),
        ];
        for (field, text, place) in texts {
            for of in text.into_iter().flat_map(|text| load::urls_in(text)) {
                if is_mocked(sample, &of.url) {
                    continue;
                }
                let place = place.as_ref().map(|place| narrowed(place, &of.url)).or_else(|| sample.place.clone());
                if of.is_doubtful {
                    let message = msg!("cli-url-doubtful", sample = &sample.id, url = &of.url);
                    warnings.push(Diagnostic::warning(message, place.clone()).help(msg!("cli-url-doubtful-help")));
                }
                let at = *places.entry(of.url.clone()).or_insert_with(|| {
                    found.push(NamedUrl { url: of.url, uses: Vec::new() });
                    found.len() - 1
                });
                found[at].uses.push(UrlUse { sample: sample.id.clone(), field, place });
            }
        }
    }
    found
}

/// The place of a URL in a text, or the text's first line where the file writes the URL in another way.
fn narrowed(place: &Place, url: &str) -> Place {
    let Span { start, len } = place.span;
    let text = place.file.text.get(start..start + len).unwrap_or_default();
    let span = match text.find(url) {
        Some(found) => Span { start: start + found, len: url.len() },
        None => Span { start, len: text.lines().next().map_or(0, str::len) },
    };
    Place { file: place.file.clone(), span }
}

fn samples_of(of: &NamedUrl) -> Vec<String> {
    let mut samples: Vec<String> = of.uses.iter().map(|of| of.sample.clone()).collect();
    samples.dedup();
    samples
}

/// An error about a URL, at each of its places.
fn failed(of: &NamedUrl, message: Message, help: Option<Message>) -> Diagnostic {
    let place = of.uses.first().and_then(|of| of.place.clone());
    let label = |of: &UrlUse| msg!("cli-url-used", field = of.field, sample = &of.sample);
    let also = of.uses.iter().filter_map(|of| Some((of.place.clone()?, label(of))));
    Diagnostic { help, also: also.collect(), ..Diagnostic::error(message, place) }
}

/// The servers that are asked for URLs: those of the file that a flag names (`needs_no_consent`), or of one that the project
/// names or has, if somebody consented to it.
fn servers(
    context: &Context,
    settings: &Settings,
    named: &Named,
    wanted: &[NamedUrl],
    needs_no_consent: bool,
) -> Result<Option<UrlServers>, CommandError> {
    let Some(servers) = configured(context, settings, named)? else { return Ok(None) };
    let is_needed = wanted.iter().any(|of| server_of(Some(&servers), &of.url).is_some());
    if needs_no_consent || !is_needed || consent_path(context, &servers).is_file() {
        return Ok(Some(servers));
    }
    let file = context.display(&servers.file);
    let help = msg!("cli-mcp-untrusted-help", file = &file);
    Err(CommandError::usage(msg!("cli-mcp-untrusted", file = &file, servers = shown(context, &servers)), help))
}

/// The servers of the settings' file, or of the project's `.mcp.json`.
fn configured(context: &Context, settings: &Settings, named: &Named) -> Result<Option<UrlServers>, CommandError> {
    let own = project_folder(context, settings).join(MCP_FILE);
    let path = match &settings.mcp_config {
        Some(path) => path.clone(),
        None if own.is_file() => own,
        None => return Ok(None),
    };
    Ok(Some(load::url_servers(context, &path).map_err(|found| at(found, &named.mcp_config))?.value))
}

/// Each server with what is started or asked for it.
fn shown(context: &Context, servers: &UrlServers) -> String {
    let line = |name: &str, what: String| format!("`{name}`: {}", eval_exec::masked(context, &what));
    servers.servers.iter().map(|of| line(&of.name, of.transport.shown())).collect::<Vec<_>>().join("; ")
}

/// The file that says that its owner consented to a configuration at this place with this content: elsewhere, the programs
/// that it names by relative paths are other ones.
fn consent_path(context: &Context, servers: &UrlServers) -> PathBuf {
    let key = [servers.file.as_os_str().as_encoded_bytes(), b"\0", servers.sha256.as_bytes()].concat();
    context.home.join("mcp-consent").join(sha256_hex(&key))
}

/// `--trust-mcp`: remembers that the servers may be started, as long as their file stays as it is.
pub(crate) fn trust(context: &Context, terminal: &Terminal, chosen: &Chosen) -> Result<(), CommandError> {
    let servers = configured(context, &chosen.settings, &chosen.named)?;
    let Some(servers) = servers.filter(|of| !of.servers.is_empty()) else {
        return Err(CommandError::usage(msg!("cli-mcp-nothing"), msg!("cli-mcp-nothing-help")));
    };
    let path = consent_path(context, &servers);
    let failed = CommandError::io(msg!("cli-cannot-write", path = context.display(&path)));
    write_private(&path, format!("{}\n", servers.file.display()).as_bytes()).map_err(failed)?;
    let file = context.display(&servers.file);
    terminal.note(&msg!("cli-mcp-trusted", file = file, servers = shown(context, &servers)));
    Ok(())
}

fn fetch_now(
    context: &Context,
    settings: &Settings,
    servers: Option<&UrlServers>,
    wanted: &[NamedUrl],
) -> Result<Vec<Result<PageText, FetchRefusal>>, CommandError> {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build();
    let runtime = runtime.map_err(CommandError::io(msg!("cli-runtime")))?;
    let urls: Vec<&str> = wanted.iter().map(|of| of.url.as_str()).collect();
    let setup = FetchSetup { context, servers, allow_private: settings.allow_private_urls, timeout: PAGE_TIMEOUT };
    let fetched = runtime.block_on(fetch_all(setup, &urls));
    // A lookup of a name that hangs keeps nobody waiting.
    runtime.shutdown_background();
    Ok(fetched)
}
