//! `eval-skills init`: a configuration file with comments, and the directories of a project. Existing files are
//! never touched.

use std::io::ErrorKind;
use std::path::Path;

use eval_cli::{CommandError, exit};
use eval_format::write_new;
use eval_load as load;
use eval_message::msg;
use serde_json::json;

use crate::cli::SkillsInitArgs;
use crate::files;
use crate::session::Session;

const CONFIG: &str = include_str!("../../templates/eval-skills.config.yaml");
const DIRECTORIES: [&str; 3] = ["skills", "benchmarks", "reports"];

/// Creates what is missing and says what to do next.
pub(crate) fn run(session: &Session<'_>, arguments: &SkillsInitArgs) -> Result<u8, CommandError> {
    let &Session { context, terminal, .. } = session;
    let directory = arguments.dir.as_deref().unwrap_or(Path::new("."));
    let root: std::path::PathBuf = context.absolute(directory).components().collect();
    let cannot = |path: &Path| CommandError::io(msg!("cli-cannot-write", path = context.display(path)));
    let mut parts = vec![{
        let path = root.join(load::PROJECT_CONFIG);
        let written = write_new(&path, |file| file.write_all(CONFIG.as_bytes()));
        let is_new = written.map_err(|error| CommandError::file(context, &error.into()))?;
        (path, is_new, "")
    }];
    for name in DIRECTORIES {
        let path = root.join(name);
        let is_new = match std::fs::create_dir(&path) {
            Ok(()) => true,
            Err(error) if error.kind() == ErrorKind::AlreadyExists && path.is_dir() => false,
            Err(error) => return Err(cannot(&path)(error)),
        };
        parts.push((path, is_new, "/"));
    }
    let shown = |path: &Path, end: &str| format!("{}{end}", context.display(path));
    for (path, is_new, end) in &parts {
        match is_new {
            true => terminal.say(&msg!("cli-init-created", path = shown(path, end))),
            false => terminal.say(&msg!("cli-init-kept", path = shown(path, end))),
        }
    }
    let list: Vec<_> =
        parts.iter().map(|(path, is_new, _)| json!({"path": context.display(path), "created": is_new})).collect();
    terminal.json(|| json!({"files": list}));
    terminal.say(&msg!("cli-init-next"));
    if directory != Path::new(".") {
        terminal.text(&format!("  cd {}", files::quoted(&directory.display().to_string())));
    }
    for line in msg!("skills-cli-init-steps").text(terminal.lang()).lines() {
        terminal.text(&format!("  {line}"));
    }
    Ok(exit::OK)
}
