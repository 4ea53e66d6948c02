//! `omk init`: a small project to start from, in the user's language. Existing files are never touched, and files that would conflict
//! with them are left out.

use std::path::Path;

use eval_cli::{CommandError, Terminal, exit};
use eval_format::write_new;
use eval_message::plain::clean;
use eval_message::{Lang, msg};
use eval_spec::Context;

use crate::cli::InitArgs;

struct ScaffoldFile {
    name: &'static str,
    content: &'static str,
    /// Names with the same meaning for `omk eval`, which refuses two of them in one directory.
    same: &'static [&'static str],
}

/// A project to start from: one of the examples.
struct Scaffold {
    parts: [ScaffoldFile; 4],
    /// Answers to exactly these samples with exactly these skills, so that the first comparison runs without an account.
    recordings: ScaffoldFile,
}

macro_rules! scaffold {
    ($example:literal) => {
        Scaffold {
            parts: [
                ScaffoldFile {
                    name: "eval.yaml",
                    content: include_str!(concat!("../../../../examples/", $example, "/eval.yaml")),
                    same: &["eval.yml"],
                },
                ScaffoldFile {
                    name: SAMPLES,
                    content: include_str!(concat!("../../../../examples/", $example, "/eval-samples.yaml")),
                    same: &["eval-samples.json", "eval-samples.yml"],
                },
                ScaffoldFile {
                    name: "skills/v1.md",
                    content: include_str!(concat!("../../../../examples/", $example, "/skills/v1.md")),
                    same: &["skills/v1/SKILL.md"],
                },
                ScaffoldFile {
                    name: "skills/v2/SKILL.md",
                    content: include_str!(concat!("../../../../examples/", $example, "/skills/v2/SKILL.md")),
                    same: &["skills/v2.md"],
                },
            ],
            recordings: ScaffoldFile {
                name: "recordings/executions.jsonl",
                content: include_str!(concat!("../../../../examples/", $example, "/recordings/executions.jsonl")),
                same: &[],
            },
        }
    };
}

/// The sample file's name, as the scaffold's eval.yaml has it.
const SAMPLES: &str = "eval-samples.yaml";

fn scaffold(lang: Lang) -> Scaffold {
    match lang {
        Lang::En => scaffold!("mail-to-ticket"),
        Lang::Zh => scaffold!("mail-to-ticket-zh"),
    }
}

/// Fills a directory and prints the next commands.
pub(crate) fn run(context: &Context, terminal: &Terminal, arguments: &InitArgs) -> Result<u8, CommandError> {
    let directory = arguments.dir.as_deref().unwrap_or(Path::new("."));
    let root = context.absolute(directory);
    let Scaffold { parts, recordings } = scaffold(terminal.lang());
    let is_own = parts.iter().all(|part| is_ours(&root, part));
    let mut written = Vec::new();
    for part in parts.iter().chain(is_own.then_some(&recordings)) {
        let path = root.join(existing_name(&root, part));
        let created = write_new(&path, |file| file.write_all(content(&root, &parts, part).as_bytes()));
        let cannot = CommandError::io(msg!("cli-cannot-write", path = context.display(&path)));
        let created = created.map_err(|error| cannot(error.source))?;
        let shown = context.display(&path);
        match created {
            true => terminal.say(&msg!("cli-init-created", path = &shown)),
            false => terminal.say(&msg!("cli-init-kept", path = &shown)),
        }
        written.push(serde_json::json!({"path": shown, "created": created}));
    }
    terminal.json(|| serde_json::json!({"files": written}));
    terminal.text(&next(terminal, directory, is_own));
    Ok(exit::OK)
}

/// The name of the existing file for a part, else the part's own.
fn existing_name(root: &Path, part: &ScaffoldFile) -> &'static str {
    let exists = |name: &&&str| root.join(name).symlink_metadata().is_ok();
    part.same.iter().find(exists).copied().unwrap_or(part.name)
}

/// Whether a part is missing or unchanged: the recorded answers are valid only for the scaffold's own texts.
fn is_ours(root: &Path, part: &ScaffoldFile) -> bool {
    match existing_name(root, part) {
        name if name == part.name => {
            let path = root.join(name);
            path.symlink_metadata().is_err() || std::fs::read(path).is_ok_and(|text| text == part.content.as_bytes())
        }
        _ => false,
    }
}

/// A part's text; eval.yaml names the existing sample file.
fn content(root: &Path, parts: &[ScaffoldFile], part: &ScaffoldFile) -> String {
    let samples = parts.iter().find(|part| part.name == SAMPLES).map_or(SAMPLES, |part| existing_name(root, part));
    match part.name {
        "eval.yaml" => part.content.replacen(SAMPLES, samples, 1),
        _ => part.content.to_owned(),
    }
}

/// The next commands, a line each; without recordings there is nothing to replay.
fn next(terminal: &Terminal, directory: &Path, has_recordings: bool) -> String {
    let enter = clean(&format!("cd {}", shlex_quote(&directory.display().to_string())));
    let steps = if has_recordings { msg!("cli-init-steps") } else { msg!("cli-init-steps-own") };
    let steps = steps.text(terminal.lang());
    let lines = (directory != Path::new(".")).then_some(enter.as_str()).into_iter().chain(steps.lines());
    let lines: String = lines.map(|line| format!("\n  {line}")).collect();
    format!("{}{lines}", msg!("cli-init-next").text(terminal.lang()))
}

pub(super) fn shlex_quote(text: &str) -> String {
    shlex::try_quote(text).map_or_else(|_| text.to_owned(), std::borrow::Cow::into_owned)
}
