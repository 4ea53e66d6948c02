//! PDF → text, by `pdftotext` in a sandbox: a hostile file can't harm this process.

use std::ffi::OsString;
use std::path::Path;

use eval_message::msg;
use eval_process::{
    OutputFlow, ProcessError, ProcessState, ResourceLimits, Supervisor, command, communicate, programs,
};
use eval_spec::Context;

use crate::refusal::{FetchRefusal, MAX_PAGE, too_large};

/// Part of Debian's `poppler-utils`.
const PROGRAM: &str = "pdftotext";

/// Reads standard input, writes standard output; keeps columns side by side, without page breaks.
const ARGUMENTS: [&str; 6] = ["-layout", "-nopgbrk", "-enc", "UTF-8", "-", "-"];

/// A PDF of 2 MiB needs a fraction of these.
const LIMITS: ResourceLimits = ResourceLimits {
    cpu_seconds: Some(15),
    memory_bytes: Some(1 << 30),
    file_bytes: Some(64 << 20),
    processes: Some(4),
    scratch_bytes: Some(128 << 20),
};

/// Converts a PDF. The caller limits the time.
pub(crate) async fn read(context: &Context, bytes: &[u8]) -> Result<String, FetchRefusal> {
    let program = programs::find(PROGRAM, context)
        .ok_or_else(|| FetchRefusal::new(msg!("fetch-pdf", program = PROGRAM)).help(msg!("fetch-pdf-help")))?;
    let failed = |why: String| FetchRefusal::new(msg!("fetch-pdf-failed", program = PROGRAM, why = why));
    let text = converted(&program, context, bytes).await.map_err(|error| match error {
        ProcessError::OutputTooLong => too_large(),
        ProcessError::Spawn(why) | ProcessError::Wait(why) => failed(why.to_string()),
        ProcessError::Timeout { stderr } => failed(stderr),
    })?;
    text.map_err(failed)
}

/// Returns the text, or the program's error message.
async fn converted(program: &Path, context: &Context, bytes: &[u8]) -> Result<Result<String, String>, ProcessError> {
    let scratch = tempfile::tempdir().map_err(ProcessError::Spawn)?;
    let folder = scratch.path().canonicalize().map_err(ProcessError::Spawn)?;
    let arguments = ARGUMENTS.map(OsString::from);
    let path = context.var("PATH").map(|path| (OsString::from("PATH"), OsString::from(path)));
    let environment: Vec<_> = path.into_iter().collect();
    let supervisor = Supervisor::start(folder.clone(), true, None).map_err(ProcessError::Spawn)?;
    let command = command(program, &arguments, &environment, &folder);
    let mut process = supervisor.spawn(command, LIMITS, &[], false).await.map_err(ProcessError::Spawn)?;
    let (mut text, mut state) = (Vec::new(), ProcessState::default());
    let mut read = |bytes: &[u8]| {
        text.extend_from_slice(bytes);
        if text.len() > MAX_PAGE { OutputFlow::TooLong } else { OutputFlow::Incomplete }
    };
    communicate(&mut process.child, bytes, &mut read, &mut state).await?;
    let said = state.stderr.text();
    let said = said.trim().lines().next_back();
    Ok(match state.exit {
        Some((status, _)) if status.success() => Ok(String::from_utf8_lossy(&text).into_owned()),
        Some((status, _)) => Err(said.map_or_else(|| status.to_string(), str::to_owned)),
        None => Err(said.unwrap_or_default().to_owned()),
    })
}
