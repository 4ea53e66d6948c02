//! The files of a knowledge base: those of the settings, else those that the project declares.

use std::path::{Path, PathBuf};

use eval_message::msg;
use eval_spec::hash::short_hash;
use eval_spec::knowledge::{KnowledgeBase, KnowledgeFile};
use eval_spec::{Context, Diagnostic, Diagnostics};
use ignore::WalkBuilder;

/// What a project declares without a setting.
const DECLARED: &str = ".claude/knowledge";
/// Larger files are told apart by their size, and so are all files after the first 256 MiB.
const CONTENT_LIMIT: u64 = 32 << 20;
const TOTAL_CONTENT_LIMIT: u64 = 256 << 20;
/// Texts are read up to this size, all files together.
const TOTAL_TEXT_LIMIT: u64 = 64 << 20;

/// The files in the files and folders `kb`; where there are none, those of `.claude/knowledge` in `base`, if it has any. Hidden
/// files and what Git ignores are left out, unless they are named.
///
/// # Errors
/// A path of `kb` is missing, can't be read, or has no file.
pub fn knowledge_base(context: &Context, kb: &[PathBuf], base: &Path) -> Result<KnowledgeBase, Diagnostics> {
    let mut files = Vec::new();
    let mut problems = Vec::new();
    for path in kb {
        match files_of(path) {
            Ok(found) if found.is_empty() => {
                problems.push(Diagnostic::error(msg!("load-kb-empty", path = context.display(path)), None));
            }
            Ok(found) => files.extend(found),
            Err(why) => {
                let message = msg!("load-kb-unreadable", path = context.display(path), why = why.to_string());
                problems.push(Diagnostic::error(message, None).help(msg!("load-kb-help")));
            }
        }
    }
    if !problems.is_empty() {
        return Err(Diagnostics(problems));
    }
    let mut roots: Vec<PathBuf> = kb.iter().map(|path| path.components().collect()).collect();
    if kb.is_empty() {
        let declared = base.join(DECLARED);
        files = files_of(&declared).unwrap_or_default();
        roots.extend((!files.is_empty()).then_some(declared));
    }
    files.sort();
    files.dedup();
    let mut content = 0;
    let named =
        |path: PathBuf| KnowledgeFile { name: context.display(&path), hash: content_hash(&path, &mut content), path };
    Ok(KnowledgeBase { cwd: context.cwd.clone(), roots, files: files.into_iter().map(named).collect() })
}

/// The file itself, or the files of a folder.
fn files_of(path: &Path) -> Result<Vec<PathBuf>, ignore::Error> {
    let path: PathBuf = path.components().collect();
    let mut files = Vec::new();
    for entry in WalkBuilder::new(path).require_git(true).build() {
        let entry = entry?;
        if entry.file_type().is_some_and(|kind| kind.is_file()) {
            files.push(entry.into_path());
        }
    }
    Ok(files)
}

/// The texts of a knowledge base with the names of their files; what is no text, and what is too large, is left out.
#[must_use]
pub fn knowledge_texts(base: &KnowledgeBase) -> Vec<(String, String)> {
    let mut total = 0;
    let text = |file: &KnowledgeFile| {
        total += file.path.metadata().ok()?.len();
        (total <= TOTAL_TEXT_LIMIT).then_some(())?;
        let text = String::from_utf8(std::fs::read(&file.path).ok()?).ok()?;
        (!text.contains('\0')).then(|| (file.name.clone(), text))
    };
    base.files.iter().filter_map(text).collect()
}

/// What tells a file's contents apart; `content` is how much was read of the files before it.
fn content_hash(path: &Path, content: &mut u64) -> Option<String> {
    let size = path.metadata().ok().filter(std::fs::Metadata::is_file)?.len();
    if size > CONTENT_LIMIT || *content + size > TOTAL_CONTENT_LIMIT {
        return Some(short_hash(format!("{size} bytes").as_bytes(), 12));
    }
    *content += size;
    Some(short_hash(&std::fs::read(path).ok()?, 12))
}
