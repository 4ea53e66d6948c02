//! The texts of fetched pages, beside the journals by their hashes, which journals and reports have.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io;
use std::path::PathBuf;
use std::time::{Duration, SystemTime};

use eval_cli::CommandError;
use eval_format::{Report, write_private};
use eval_message::msg;
use eval_run::stored_journals;
use eval_spec::Context;
use eval_spec::hash::sha256_hex;
use eval_spec::page::pages_in;
use eval_spec::suite::Settings;

use super::stored::directory;

/// A page that was stored so recently may be of a run that has no journal yet.
const NEW: Duration = Duration::from_secs(86_400);

fn folder(context: &Context) -> PathBuf {
    context.home.join("journal").join("pages")
}

/// Where the text with this hash is.
pub(super) fn path(context: &Context, sha256: &str) -> PathBuf {
    folder(context).join(format!("{sha256}.txt"))
}

pub(super) fn store(context: &Context, sha256: &str, text: &str) -> Result<(), CommandError> {
    let path = path(context, sha256);
    write_private(&path, text.as_bytes())
        .map_err(CommandError::io(msg!("cli-cannot-write", path = context.display(&path))))
}

/// The text with this hash, if it is still there and unchanged.
pub(super) fn stored(context: &Context, sha256: &str) -> Option<String> {
    let is_hash = sha256.len() == 64 && sha256.bytes().all(|byte| byte.is_ascii_hexdigit());
    let path = is_hash.then(|| path(context, sha256))?;
    fs::read_to_string(path).ok().filter(|text| sha256_hex(text.as_bytes()) == sha256)
}

/// The texts that a run began with.
pub(super) struct StoredPages<'a> {
    context: &'a Context,
    report: PathBuf,
    /// Those in the prompts of the run's report, by their hashes, once they are looked for.
    in_report: Option<BTreeMap<String, String>>,
}

impl<'a> StoredPages<'a> {
    /// Those of the run with this id.
    pub(super) fn new(context: &'a Context, settings: &Settings, run: &str) -> StoredPages<'a> {
        let report = directory(context, settings).join(format!("{run}.json"));
        StoredPages { context, report, in_report: None }
    }

    /// The text with this hash; one that is gone is taken from the run's report, if that has the prompts.
    pub(super) fn text(&mut self, sha256: &str) -> Option<String> {
        if let Some(text) = stored(self.context, sha256) {
            return Some(text);
        }
        let report = &self.report;
        let pages = self
            .in_report
            .get_or_insert_with(|| eval_history::read(report).map(|of| in_prompts(&of)).unwrap_or_default());
        let text = pages.get(sha256)?.clone();
        // Where it isn't stored again, it is found in the report again.
        let _ = store(self.context, sha256, &text);
        Some(text)
    }
}

/// The texts of pages in the prompts of a report, by their hashes.
pub(super) fn in_prompts(report: &Report) -> BTreeMap<String, String> {
    let prompts = report.results.iter().filter_map(|of| Some(of.texts.as_ref()?.prompt.as_str()));
    prompts.flat_map(pages_in).map(|text| (sha256_hex(text.as_bytes()), text)).collect()
}

/// Removes the texts that no journal names: their runs can no longer be resumed.
pub(crate) fn prune(context: &Context) -> Result<(), CommandError> {
    let folder = folder(context);
    let failed = || msg!("cli-cannot-read", path = context.display(&folder));
    let entries = match fs::read_dir(&folder) {
        Ok(entries) => entries,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        Err(error) => return Err(CommandError::io(failed())(error)),
    };
    let named: RefCell<BTreeSet<String>> = RefCell::default();
    stored_journals(&context.home, |header| {
        let hashes = header.urls.iter().filter_map(|of| of.page.as_ref()).map(|page| page.sha256.clone());
        named.borrow_mut().extend(hashes);
        false
    })?;
    let (named, now) = (named.into_inner(), SystemTime::now());
    for entry in entries {
        let entry = entry.map_err(CommandError::io(failed()))?;
        let name = entry.file_name();
        let hash = name.to_str().and_then(|name| name.strip_suffix(".txt")).filter(|hash| hash.len() == 64);
        let written = entry.metadata().and_then(|of| of.modified()).map_err(CommandError::io(failed()))?;
        let is_old = now.duration_since(written).is_ok_and(|age| age > NEW);
        if hash.is_some_and(|hash| !named.contains(hash)) && is_old {
            fs::remove_file(entry.path()).map_err(CommandError::io(failed()))?;
        }
    }
    Ok(())
}
