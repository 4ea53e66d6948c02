//! `omk init`: a small code-review project to start from. Files that exist are never touched.

use std::fs::Permissions;
use std::io::{ErrorKind, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use eval_spec::{Context, msg};

use crate::cli::InitArgs;
use crate::exit::{self, Failure};
use crate::terminal::Terminal;

/// The files of the scaffold: those of `examples/code-review`, recordings included, so that the first
/// comparison runs without an account.
const FILES: &[(&str, &str)] = &[
    ("eval.yaml", include_str!("../../../../examples/code-review/eval.yaml")),
    ("eval-samples.yaml", include_str!("../../../../examples/code-review/eval-samples.yaml")),
    ("skills/v1.md", include_str!("../../../../examples/code-review/skills/v1.md")),
    ("skills/v2/SKILL.md", include_str!("../../../../examples/code-review/skills/v2/SKILL.md")),
    ("recordings/executions.jsonl", include_str!("../../../../examples/code-review/recordings/executions.jsonl")),
];

/// Fills a directory and says what to do next.
pub(crate) fn run(context: &Context, terminal: &Terminal, arguments: &InitArgs) -> Result<u8, Failure> {
    let directory = arguments.dir.as_deref().unwrap_or(Path::new("."));
    let mut written = Vec::new();
    for (name, content) in FILES {
        let path = context.absolute(directory).join(name);
        let created =
            create(&path, content).map_err(Failure::io(msg!("cli-cannot-write", path = context.display(&path))))?;
        let shown = context.display(&path);
        match created {
            true => terminal.say(&msg!("cli-init-created", path = &shown)),
            false => terminal.say(&msg!("cli-init-kept", path = &shown)),
        }
        written.push(serde_json::json!({"path": shown, "created": created}));
    }
    terminal.json(|| serde_json::json!({"files": written}));
    terminal.text(&next(terminal, directory));
    Ok(exit::OK)
}

/// The commands to type now, a line each.
fn next(terminal: &Terminal, directory: &Path) -> String {
    let enter = format!("cd {}", shlex_quote(&directory.display().to_string()));
    let steps = msg!("cli-init-steps").text(terminal.lang());
    let lines = (directory != Path::new(".")).then_some(enter.as_str()).into_iter().chain(steps.lines());
    let lines: String = lines.map(|line| format!("\n  {line}")).collect();
    format!("{}{lines}", msg!("cli-init-next").text(terminal.lang()))
}

/// Whether the file was created; `false` when it was there already. It appears whole or not at all.
fn create(path: &Path, content: &str) -> std::io::Result<bool> {
    let directory = path.parent().unwrap_or(Path::new("."));
    std::fs::create_dir_all(directory)?;
    let mut file = tempfile::Builder::new().permissions(Permissions::from_mode(0o644)).tempfile_in(directory)?;
    file.write_all(content.as_bytes())?;
    match file.persist_noclobber(path) {
        Ok(_) => Ok(true),
        Err(error) if error.error.kind() == ErrorKind::AlreadyExists => Ok(false),
        Err(error) => Err(error.error),
    }
}

fn shlex_quote(text: &str) -> String {
    shlex::try_quote(text).map_or_else(|_| text.to_owned(), std::borrow::Cow::into_owned)
}
