//! Reading one file: bounded, UTF-8, with its name as people see it.

use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use eval_message::msg;
use eval_spec::source::{Place, SourceFile, Span};
use eval_spec::{Context, Diagnostic, Diagnostics};

use super::decode::closest;

/// The largest file that is read as samples or settings.
pub(super) const MAX_BYTES: u64 = 64 * 1024 * 1024;

/// The file's text, without a byte order mark.
pub(super) fn read(context: &Context, path: &Path) -> Result<Arc<SourceFile>, Diagnostics> {
    let name = context.display(path);
    let bytes = read_bytes(path, MAX_BYTES).map_err(|problem| problem.at(context, path))?;
    text(name, bytes)
}

/// What lies beside `path` under nearly its name.
pub(super) fn near(path: &Path) -> Option<PathBuf> {
    let (folder, wanted) = (path.parent()?, path.file_name()?.to_str()?);
    let mut names: Vec<String> =
        std::fs::read_dir(folder).ok()?.flatten().filter_map(|entry| entry.file_name().into_string().ok()).collect();
    names.sort_unstable();
    let known: Vec<&str> = names.iter().map(String::as_str).filter(|name| !name.starts_with('.')).collect();
    closest(wanted, &known).map(|name| folder.join(name))
}

/// `bytes` as a source file, if they are UTF-8.
pub(super) fn text(name: String, mut bytes: Vec<u8>) -> Result<Arc<SourceFile>, Diagnostics> {
    if bytes.starts_with(b"\xef\xbb\xbf") {
        bytes.drain(..3);
    }
    if is_utf16(&bytes) {
        let message = msg!("load-utf16", path = name.as_str());
        // Without its text: an excerpt would be noise.
        let place = Place { file: Arc::new(SourceFile { name, text: String::new() }), span: Span::default() };
        return Err(Diagnostic::error(message, place).help(msg!("load-not-utf8-help")).into());
    }
    match String::from_utf8(bytes) {
        Ok(text) => Ok(Arc::new(SourceFile { name, text })),
        Err(error) => Err(not_utf8(name, &error).into()),
    }
}

/// By the byte order mark, or because every other byte of the beginning is 0, which no text in UTF-8 has.
fn is_utf16(bytes: &[u8]) -> bool {
    let zeros = |at: usize| bytes.iter().skip(at).step_by(2).take(2).filter(|byte| **byte == 0).count();
    bytes.starts_with(b"\xff\xfe")
        || bytes.starts_with(b"\xfe\xff")
        || (bytes.len() >= 4 && matches!((zeros(0), zeros(1)), (2, 0) | (0, 2)))
}

fn not_utf8(name: String, error: &std::string::FromUtf8Error) -> Diagnostic {
    let start = error.utf8_error().valid_up_to();
    // Up to `start` the replaced text equals the bytes, so the offset points at the first wrong one.
    let file = Arc::new(SourceFile { name, text: String::from_utf8_lossy(error.as_bytes()).into_owned() });
    let place = Place { file, span: Span { start, len: char::REPLACEMENT_CHARACTER.len_utf8() } };
    Diagnostic::error(msg!("load-not-utf8"), place).help(msg!("load-not-utf8-help"))
}

/// Why a file could not be read.
#[derive(Debug)]
pub(super) enum ReadProblem {
    Missing,
    Directory,
    NotRegular,
    TooLarge { limit: u64 },
    Io(std::io::Error),
}

impl ReadProblem {
    /// The error of reading `path`, with what lies beside it under nearly its name where it isn't there.
    pub(super) fn at(&self, context: &Context, path: &Path) -> Diagnostic {
        let near = if let ReadProblem::Missing = self { near(path) } else { None };
        let help = near.map(|near| msg!("load-did-you-mean", suggestion = context.display(&near)));
        Diagnostic { help, ..self.diagnostic(&context.display(path)) }
    }

    pub(super) fn diagnostic(&self, name: &str) -> Diagnostic {
        let message = match self {
            ReadProblem::Missing => msg!("load-file-missing", path = name),
            ReadProblem::Directory => msg!("load-file-is-directory", path = name),
            ReadProblem::NotRegular => msg!("load-file-not-regular", path = name),
            ReadProblem::TooLarge { limit } => {
                msg!("load-file-too-large", path = name, mib = *limit / 1024 / 1024)
            }
            ReadProblem::Io(error) => msg!("load-file-unreadable", path = name, detail = error.to_string()),
        };
        Diagnostic::error(message, None)
    }
}

impl From<std::io::Error> for ReadProblem {
    fn from(error: std::io::Error) -> ReadProblem {
        match error.kind() {
            std::io::ErrorKind::NotFound | std::io::ErrorKind::NotADirectory => ReadProblem::Missing,
            _ => ReadProblem::Io(error),
        }
    }
}

/// At most `limit` bytes of a regular file; more is refused.
///
/// Devices and pipes are refused before they are opened: they may never end, or never begin.
pub(super) fn read_bytes(path: &Path, limit: u64) -> Result<Vec<u8>, ReadProblem> {
    let metadata = std::fs::metadata(path)?;
    if metadata.is_dir() {
        return Err(ReadProblem::Directory);
    }
    if !metadata.is_file() {
        return Err(ReadProblem::NotRegular);
    }
    if metadata.len() > limit {
        return Err(ReadProblem::TooLarge { limit });
    }
    let mut bytes = Vec::with_capacity(usize::try_from(metadata.len()).unwrap_or(0));
    File::open(path)?.take(limit + 1).read_to_end(&mut bytes)?;
    match bytes.len() as u64 > limit {
        true => Err(ReadProblem::TooLarge { limit }),
        false => Ok(bytes),
    }
}

/// The first bytes of a regular file that has as many.
pub(super) fn read_beginning<const N: usize>(path: &Path) -> Option<[u8; N]> {
    let mut bytes = [0; N];
    // A pipe would wait for its writer.
    let file = std::fs::metadata(path).ok()?.is_file().then(|| File::open(path).ok()).flatten();
    file?.read_exact(&mut bytes).ok()?;
    Some(bytes)
}

/// `path` against the working directory, without the `.` that would stay in every message.
pub(crate) fn absolute(context: &Context, path: &Path) -> PathBuf {
    context.absolute(path).components().collect()
}
