//! URLs in prompts and contexts, which are replaced by what stands there before anything is planned.
//!
//! Texts are stored beside the journals, which have their hashes: a run that is resumed asks with the same texts.

use std::collections::BTreeMap;
use std::path::PathBuf;

use eval_cli::{CommandError, Terminal};
use eval_fetch::{FetchRefusal, FetchSetup, PAGE_TIMEOUT, PageText, fetch_all, program_of, server_of};
use eval_format::{Report, write_private};
use eval_history::PlannedUrl;
use eval_load as load;
use eval_load::{SampleFile, UrlInText};
use eval_message::plain::clean;
use eval_message::{Message, msg};
use eval_spec::credentials::masked_address;
use eval_spec::hash::sha256_hex;
use eval_spec::mock::{Mock, MockConditions};
use eval_spec::page::{ComparedTexts, InlinedTexts, InlinedUrl, PageRoute};
use eval_spec::source::{DiagnosticSeverity, Place, Span};
use eval_spec::suite::Settings;
use eval_spec::url_server::{ServerTransport, UrlServer, UrlServers};
use eval_spec::{Context, Diagnostic, Diagnostics, Sample};

use super::{Chosen, KnownUrls, Named, at, project_folder};
use crate::commands::pages::{self, StoredPages};
use crate::commands::project::purpose::Purpose;

/// The file with MCP servers that a project may have.
const MCP_FILE: &str = ".mcp.json";

/// The URLs of the samples, and what stands in their place.
#[derive(Default)]
pub(super) struct FetchedUrls {
    pub(super) urls: Vec<InlinedUrl>,
    /// What would be fetched, where nothing is.
    pub(super) planned: Vec<PlannedUrl>,
    /// Texts by the URLs of pages.
    texts: BTreeMap<String, String>,
    /// Their hashes.
    hashes: BTreeMap<String, String>,
    /// Whether the samples' URLs are fetched at all.
    is_on: bool,
}

/// A URL, and where the samples name it.
struct NamedUrl {
    /// That of the page.
    url: String,
    /// Whether nobody can say where it ends.
    is_open: bool,
    /// The text that follows one of its uses at once, and which.
    followed_by: Option<(String, usize)>,
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
        if sample.keeps_urls || !self.is_on {
            return sample;
        }
        let is_page = |of: &UrlInText| !of.is_open && !is_mocked(&sample, of);
        let page = |of: &UrlInText| self.texts.get(of.page()).filter(|_| is_page(of)).cloned();
        let prompt = load::with_pages(&sample.prompt, page);
        let context = sample.context.as_deref().map(|text| load::with_pages(text, page));
        let is_same = prompt == sample.prompt && context == sample.context;
        let texts = [Some(&sample.prompt), sample.context.as_ref()];
        let urls = texts.into_iter().flatten().flat_map(|text| load::urls_in(text)).filter(is_page);
        let identity = |of: UrlInText| self.hashes.get(of.page()).cloned().unwrap_or_else(|| of.page().to_owned());
        let compared = ComparedTexts {
            prompt: load::without_urls(&sample.prompt, is_page),
            context: sample.context.as_deref().map(|text| load::without_urls(text, is_page)),
            pages: urls.map(identity).collect(),
        };
        sample.compared = (!compared.pages.is_empty()).then(|| Box::new(compared));
        sample.inlined = (!is_same).then(|| Box::new(InlinedTexts { prompt, context }));
        sample
    }

    fn add(&mut self, url: &str, sha256: &str, text: String) {
        self.hashes.insert(url.to_owned(), sha256.to_owned());
        self.texts.insert(url.to_owned(), text);
    }
}

/// Fetches the URLs of `samples`; for a run that is resumed, takes the texts that it began with (`known`).
pub(super) fn fetch(
    context: &Context,
    (settings, named): (&Settings, &Named),
    purpose: &Purpose,
    known: Option<&KnownUrls>,
    samples: &[Sample],
    warnings: &mut Vec<Diagnostic>,
) -> Result<FetchedUrls, CommandError> {
    let asked = if settings.url_fetch { named_urls(samples) } else { Vec::new() };
    let mut fetched = FetchedUrls { is_on: settings.url_fetch, ..FetchedUrls::default() };
    if asked.is_empty() {
        return Ok(fetched);
    }
    let mut results = UrlResults::default();
    let mut wanted = Vec::new();
    let before = known.map(|known| {
        let by_url = known_of(context, &asked, &known.urls);
        // Secrets of another shell are masked in other places. What has changed is found as a change of the samples.
        let is_same = asked.len() == known.urls.len();
        by_url.into_iter().enumerate().map(|(at, of)| of.or(known.urls.get(at).filter(|_| is_same))).collect::<Vec<_>>()
    });
    let mut stored = known.map(|known| StoredPages::new(context, settings, &known.run));
    for (at, of) in asked.iter().enumerate() {
        let before = before.as_ref().map(|before| before[at]);
        if before.is_none() {
            warnings.extend(doubt(context, of));
        }
        match before {
            // A URL that the run didn't know is a change of the samples, and is found as one.
            Some(None) => {}
            Some(Some(before)) if before.page.is_none() => results.add(at, before.clone()),
            Some(Some(before)) => {
                let hash = before.page.as_ref().map(|page| page.sha256.as_str()).unwrap_or_default();
                match stored.as_mut().and_then(|stored| stored.text(hash)) {
                    Some(text) => {
                        fetched.add(&of.url, hash, text);
                        results.add(at, before.clone());
                    }
                    None => wanted.push((at, of)),
                }
            }
            None if of.is_open => results.refuse(context, settings, (at, of), open(context, of), warnings),
            None => wanted.push((at, of)),
        }
    }
    let urls: Vec<&str> = wanted.iter().map(|(_, of)| of.url.as_str()).collect();
    let needs_no_consent = match known {
        // The file may have changed since a run began that is resumed.
        Some(known) => known.names_servers,
        None => settings.mcp_config.is_some() && named.mcp_config.is_none(),
    };
    let servers = servers(context, settings, named, &urls, needs_no_consent || purpose.asks_nothing())?;
    if known.is_none() && settings.allow_private_urls && named.allow_private_urls.is_some() {
        warnings.push(
            Diagnostic::warning(msg!("cli-urls-private"), named.allow_private_urls.clone())
                .help(msg!("cli-urls-private-help")),
        );
    }
    let unasked = |of: &NamedUrl| servers.iter().flat_map(|servers| nearly(servers, &of.url)).collect::<Vec<_>>();
    if purpose.asks_nothing() {
        for (_, of) in &wanted {
            warnings.extend(unasked(of).into_iter().map(|why| warning(failed(of, why, unfit_help()))));
        }
        let planned = |(_, of): &(usize, &NamedUrl)| PlannedUrl {
            url: shown_url(context, &of.url),
            samples: samples_of(of),
            via: server_of(servers.as_ref(), &of.url).map_or(PageRoute::Http, |of| PageRoute::Mcp(of.name.clone())),
        };
        fetched.planned = wanted.iter().map(planned).collect();
        fetched.urls = results.into_urls()?;
        return Ok(fetched);
    }
    let answers = if urls.is_empty() { Vec::new() } else { fetch_now(context, settings, servers.as_ref(), &urls)? };
    for ((at, of), answer) in wanted.into_iter().zip(answers) {
        let url = shown_url(context, &of.url);
        let before = before.as_ref().and_then(|before| before[at]);
        let unfit = unasked(of);
        let had = before.and_then(|of| of.page.as_ref()).map(|page| page.sha256.as_str());
        match answer {
            Ok(PageText { page, .. }) if had.is_some_and(|had| had != page.sha256) => {
                results.errors.push(failed(of, msg!("cli-url-changed", url = url), lost_help(context, had)));
            }
            Ok(PageText { mut page, text, server_failed }) => {
                warnings.extend(server_failed.into_iter().map(|why| warning(failed(of, why, None))));
                warnings.extend(unfit.into_iter().map(|why| warning(failed(of, why, unfit_help()))));
                page.final_url = page.final_url.map(|url| shown_url(context, &url));
                pages::store(context, &page.sha256, &text)?;
                fetched.add(&of.url, &page.sha256, text);
                results.add(at, before.cloned().unwrap_or_else(|| inlined(context, of, Some(page), None)));
            }
            Err(refusal) if had.is_some() => {
                let text = msg!("cli-url-lost", url = url, why = refusal.text(context.lang));
                results.errors.push(failed(of, text, lost_help(context, had)));
            }
            Err(refusal) => {
                let why = unfit.iter().map(|of| of.text(context.lang)).collect();
                let refusal = UrlRefusal {
                    text: refusal.text(context.lang),
                    message: refusal.message,
                    help: refusal.help,
                    notes: why,
                };
                results.refuse(context, settings, (at, of), refusal, warnings);
            }
        }
    }
    fetched.urls = results.into_urls()?;
    Ok(fetched)
}

/// What to do where the text with this hash is gone.
fn lost_help(context: &Context, sha256: Option<&str>) -> Option<Message> {
    let path = pages::path(context, sha256.unwrap_or_default());
    Some(msg!("cli-url-lost-help", path = context.display(&path)))
}

/// Why a URL has no page.
struct UrlRefusal {
    text: String,
    message: Message,
    help: Option<Box<Message>>,
    /// Which servers were nearly asked.
    notes: Vec<String>,
}

/// What became of the URLs so far, by their place among those of the samples.
#[derive(Default)]
struct UrlResults {
    urls: Vec<(usize, InlinedUrl)>,
    errors: Vec<Diagnostic>,
}

impl UrlResults {
    fn add(&mut self, at: usize, of: InlinedUrl) {
        self.urls.push((at, of));
    }

    /// An error, or a URL that stays as text where that is allowed.
    fn refuse(
        &mut self,
        context: &Context,
        settings: &Settings,
        (at, of): (usize, &NamedUrl),
        refusal: UrlRefusal,
        warnings: &mut Vec<Diagnostic>,
    ) {
        let url = shown_url(context, &of.url);
        let why = std::iter::once(refusal.text).chain(refusal.notes).collect::<Vec<_>>();
        let why = why.join(msg!("cli-url-and").text(context.lang).as_str());
        if settings.allow_missing_urls {
            warnings.push(warning(failed(of, msg!("cli-url-missing", url = url, why = why), None)));
            return self.add(at, inlined(context, of, None, Some(refusal.message)));
        }
        let help = refusal.help.map(|help| *help).or_else(|| Some(msg!("cli-url-failed-help")));
        self.errors.push(failed(of, msg!("cli-url-failed", url = url, why = why), help));
    }

    fn into_urls(mut self) -> Result<Vec<InlinedUrl>, CommandError> {
        if !self.errors.is_empty() {
            return Err(CommandError::Input(Diagnostics(self.errors)));
        }
        self.urls.sort_by_key(|(at, _)| *at);
        Ok(self.urls.into_iter().map(|(_, of)| of).collect())
    }
}

fn inlined(
    context: &Context,
    of: &NamedUrl,
    page: Option<eval_spec::page::FetchedPage>,
    missing: Option<Message>,
) -> InlinedUrl {
    let url = shown_url(context, &of.url);
    InlinedUrl {
        url,
        samples: samples_of(of),
        page,
        missing,
        followed_by: of.followed_by.as_ref().map(|(rest, _)| rest.clone()),
    }
}

fn warning(of: Diagnostic) -> Diagnostic {
    Diagnostic { severity: DiagnosticSeverity::Warning, ..of }
}

/// A URL as people are shown it: without passwords and keys.
fn shown_url(context: &Context, url: &str) -> String {
    eval_exec::masked(context, &masked_address(url))
}

/// What is to be said of a URL that text follows at once.
fn doubt(context: &Context, of: &NamedUrl) -> Option<Diagnostic> {
    let (rest, at) = of.followed_by.as_ref().filter(|_| !of.is_open)?;
    let url = shown_url(context, &of.url);
    let UrlUse { sample, place, .. } = of.uses.get(*at)?;
    let message = msg!("cli-url-doubtful", url = &url, rest = rest, sample = sample);
    Some(Diagnostic::warning(message, place.clone()).help(msg!("cli-url-doubtful-help", url = url, rest = rest)))
}

/// Why a URL isn't fetched of which nobody can say where it ends.
fn open(context: &Context, of: &NamedUrl) -> UrlRefusal {
    let url = shown_url(context, &of.url);
    let rest = of.followed_by.as_ref().map(|(rest, _)| rest.clone()).unwrap_or_default();
    let message = msg!("cli-url-open", rest = &rest);
    let help = msg!("cli-url-open-help", url = url, rest = rest);
    UrlRefusal { text: message.text(context.lang), message, help: Some(Box::new(help)), notes: Vec::new() }
}

/// What an earlier run knew of each URL. Two may be written alike where their secrets are masked; the run had them in the same
/// order.
fn known_of<'k>(context: &Context, asked: &[NamedUrl], known: &'k [InlinedUrl]) -> Vec<Option<&'k InlinedUrl>> {
    let mut alike: BTreeMap<String, usize> = BTreeMap::new();
    let of = |of: &NamedUrl| {
        let url = shown_url(context, &of.url);
        let nth = alike.entry(url.clone()).or_default();
        *nth += 1;
        known.iter().filter(|of| of.url == url).nth(*nth - 1)
    };
    asked.iter().map(of).collect()
}

/// The samples as a run asked them that has this report: with the pages that it was given, as far as they are still stored.
pub(crate) fn as_asked(context: &Context, report: &Report, file: SampleFile) -> SampleFile {
    let asked = named_urls(&file.samples);
    let mut fetched = FetchedUrls { is_on: true, ..FetchedUrls::default() };
    let in_report = pages::in_prompts(report);
    for (of, before) in asked.iter().zip(known_of(context, &asked, &report.meta.urls)) {
        let hash = before.and_then(|before| Some(before.page.as_ref()?.sha256.as_str()));
        let text = |hash| pages::stored(context, hash).or_else(|| in_report.get(hash).cloned());
        if let Some((hash, text)) = hash.and_then(|hash| Some((hash, text(hash)?))) {
            fetched.add(&of.url, hash, text);
        }
    }
    if fetched.texts.is_empty() { file } else { file.inlined(|of| fetched.inline(of)) }
}

/// Whether one of the sample's own mocks is for this URL, or for its page: its agent fetches it itself, and is given the
/// mock's answer.
fn is_mocked(sample: &Sample, of: &UrlInText) -> bool {
    let call = |mock: &Mock, url: &str| Mock {
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
    let covers = |mock: &Mock, url: &str| eval_exec::covers(&by_url(mock), &call(mock, url), &[]);
    for_urls.into_iter().any(|mock| covers(mock, &of.url) || covers(mock, of.page()))
}

/// The URLs to fetch, each once, in the order of the samples.
fn named_urls(samples: &[Sample]) -> Vec<NamedUrl> {
    let mut found: Vec<NamedUrl> = Vec::new();
    let mut places: BTreeMap<(String, bool), usize> = BTreeMap::new();
    for sample in samples.iter().filter(|sample| !sample.keeps_urls) {
        let texts = [
            ("prompt", Some(&sample.prompt), &sample.prompt_place),
            ("context", sample.context.as_ref(), &sample.context_place),
        ];
        for (field, text, place) in texts {
            let Some(text) = text else { continue };
            let mut read = [0, 0];
            for of in load::urls_in(text) {
                let place = place.as_ref().map(|place| narrowed(place, text, &of, &mut read));
                let place = place.or_else(|| sample.place.clone());
                if is_mocked(sample, &of) {
                    continue;
                }
                let url = of.page().to_owned();
                let at = *places.entry((url.clone(), of.is_open)).or_insert_with(|| {
                    found.push(NamedUrl { url, is_open: of.is_open, followed_by: None, uses: Vec::new() });
                    found.len() - 1
                });
                let named = &mut found[at];
                let followed_by = of.followed_by.map(|rest| (rest, named.uses.len()));
                named.followed_by = named.followed_by.take().or(followed_by);
                named.uses.push(UrlUse { sample: sample.id.clone(), field, place });
            }
        }
    }
    found
}

/// The place of a URL in a text, or the text's first line where the file writes the URL in another way; `read` is how far
/// the text and the file are read.
fn narrowed(place: &Place, text: &str, of: &UrlInText, read: &mut [usize; 2]) -> Place {
    let Span { start, len } = place.span;
    let written = place.file.text.get(start..start + len).unwrap_or_default();
    // It may stand before in what is no URL to fetch.
    let before = text[read[0]..of.range.end].matches(&of.url).count().saturating_sub(1);
    read[0] = of.range.end;
    let span = match written[read[1]..].match_indices(&of.url).nth(before) {
        Some((found, url)) => {
            let at = read[1] + found;
            read[1] = at + url.len();
            Span { start: start + at, len: url.len() }
        }
        None => Span { start, len: written.lines().next().map_or(0, str::len) },
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
    wanted: &[&str],
    needs_no_consent: bool,
) -> Result<Option<UrlServers>, CommandError> {
    if wanted.is_empty() {
        return Ok(None);
    }
    let Some(servers) = configured(context, settings, named)? else { return Ok(None) };
    let is_needed = wanted.iter().any(|url| server_of(Some(&servers), url).is_some());
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

/// Each server with what is started or asked for it, and what it is given: variables of the environment by their names,
/// everything else as it is written, but what seems to be a secret.
fn shown(context: &Context, servers: &UrlServers) -> String {
    let line = |of: &UrlServer| {
        let (what, given) = match &of.written {
            ServerTransport::Program { command, args, env } => {
                let found = program_of(of, &servers.file, context);
                let program = match &found {
                    Some(path) => path.display().to_string(),
                    None => msg!("cli-mcp-no-program", name = command).text(context.lang),
                };
                let line = std::iter::once(program).chain(without_secrets(args)).collect::<Vec<_>>().join(" ");
                let value = |name: &str, value: &str| match value.contains("${") || !eval_exec::is_secret(name) {
                    true => format!("{name}={value}"),
                    false => format!("{name}=***"),
                };
                (line, env.iter().map(|(name, of)| value(name, of)).collect::<Vec<_>>())
            }
            ServerTransport::Address { url, headers } => {
                // A value that isn't of the environment goes where the file says, and may be a secret.
                let header = |(name, value): (&String, &String)| match value.contains("${") {
                    true => format!("{name}: {value}"),
                    false => name.clone(),
                };
                (url.clone(), headers.iter().map(header).collect())
            }
        };
        let given = given.join(", ");
        let text = match given.is_empty() {
            true => msg!("cli-mcp-server", name = &of.name, what = what),
            false => msg!("cli-mcp-server-with", name = &of.name, what = what, given = given),
        };
        clean(&eval_exec::masked(context, &masked_address(&text.text(context.lang))))
    };
    servers.servers.iter().map(line).collect::<Vec<_>>().join("; ")
}

/// Arguments without the values of flags and headers whose names are those of secrets. What could be more than a secret, as
/// a command of a shell or a path, is shown: somebody is to consent to it.
fn without_secrets(args: &[String]) -> impl Iterator<Item = String> {
    let is_secret = |name: &str| {
        let name = name.trim_start_matches('-').replace('-', "_");
        eval_exec::is_secret(&name) || name.eq_ignore_ascii_case("authorization")
    };
    let is_value = |text: &str| {
        let text = text.trim_start();
        let text = text.strip_prefix("Bearer ").or_else(|| text.strip_prefix("Basic ")).unwrap_or(text);
        !text.is_empty() && text.bytes().all(|of| of.is_ascii_alphanumeric() || b"._~+=-".contains(&of))
    };
    let mut is_next = false;
    args.iter().map(move |arg| {
        if std::mem::take(&mut is_next) && !arg.starts_with('-') && is_value(arg) {
            return "***".to_owned();
        }
        is_next = arg.starts_with('-') && is_secret(arg);
        match arg.find(['=', ':']) {
            Some(at) if is_secret(&arg[..at]) && is_value(&arg[at + 1..]) => format!("{}***", &arg[..=at]),
            _ => arg.clone(),
        }
    })
}

fn unfit_help() -> Option<Message> {
    Some(msg!("cli-mcp-unfit-help"))
}

/// Why servers that seem to be meant for a URL aren't asked for it; nothing where one is.
fn nearly(servers: &UrlServers, url: &str) -> Vec<Message> {
    if server_of(Some(servers), url).is_some() {
        return Vec::new();
    }
    let is_for = |server: &UrlServer, patterns: Vec<String>| {
        let mut server = UrlServer { patterns, ..server.clone() };
        server.tool.regex = None;
        server_of(Some(&UrlServers { servers: vec![server], ..servers.clone() }), url).is_some()
    };
    let why = |server: &UrlServer| {
        let name = &server.name;
        if is_for(server, server.patterns.clone()) {
            let regex = server.tool.regex.clone().unwrap_or_default();
            return Some(msg!("cli-mcp-unfit-regex", server = name, regex = regex));
        }
        let (pattern, plain) = server
            .patterns
            .iter()
            .map(|pattern| (pattern, plain(pattern)))
            .find(|(pattern, plain)| plain != *pattern && is_for(server, vec![plain.clone()]))?;
        Some(msg!("cli-mcp-unfit-pattern", server = name, pattern = pattern, plain = plain))
    };
    servers.servers.iter().filter_map(why).collect()
}

/// The host and path that a pattern seems to mean which is written as a regular expression, with a port that URLs leave out,
/// or with a scheme.
fn plain(pattern: &str) -> String {
    let mut plain = pattern.trim().trim_start_matches('^').trim_end_matches('$').to_owned();
    for (written, meant) in
        [("(?i)", ""), ("\\.", "."), ("\\/", "/"), ("\\-", "-"), (".*", "*"), (".+", "*"), ("s?://", "://")]
    {
        plain = plain.replace(written, meant);
    }
    let rest = plain.split_once("://").map_or(plain.as_str(), |(_, rest)| rest);
    let (host, path) = rest.split_once('/').map_or((rest, None), |(host, path)| (host, Some(path)));
    let host = host.strip_suffix(":443").or_else(|| host.strip_suffix(":80")).unwrap_or(host);
    path.map_or_else(|| host.to_owned(), |path| format!("{host}/{path}"))
}

/// The file that says that its owner consented to a configuration at this place with this content and these programs:
/// elsewhere, those that it names by relative paths are other ones, and so may be those of another `PATH`.
fn consent_path(context: &Context, servers: &UrlServers) -> PathBuf {
    let mut key = [servers.file.as_os_str().as_encoded_bytes(), b"\0", servers.sha256.as_bytes()].concat();
    for program in servers.servers.iter().filter_map(|of| program_of(of, &servers.file, context)) {
        key.push(0);
        key.extend(program.as_os_str().as_encoded_bytes());
    }
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
    urls: &[&str],
) -> Result<Vec<Result<PageText, FetchRefusal>>, CommandError> {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build();
    let runtime = runtime.map_err(CommandError::io(msg!("cli-runtime")))?;
    let setup = FetchSetup { context, servers, allow_private: settings.allow_private_urls, timeout: PAGE_TIMEOUT };
    let fetched = runtime.block_on(fetch_all(setup, urls));
    // A lookup of a name that hangs keeps nobody waiting.
    runtime.shutdown_background();
    Ok(fetched)
}
