//! The workspace: a folder for each iteration, and in it one for each eval, configuration and run.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use eval_cli::Failure;
use eval_load::Eval;
use eval_message::msg;
use eval_spec::Context;

/// Characters of an id in a folder's name, at most.
const LONGEST: usize = 80;

/// Makes the next `iteration-N` in `workspace`; what is there is never touched.
pub(super) fn fresh(context: &Context, workspace: &Path) -> Result<PathBuf, Failure> {
    let failed = |error| Failure::io(msg!("cli-cannot-write", path = context.display(workspace)))(error);
    std::fs::create_dir_all(workspace).map_err(failed)?;
    let number = |name: &str| name.strip_prefix("iteration-")?.parse::<u64>().ok();
    let there = std::fs::read_dir(workspace).map_err(failed)?.flatten();
    let last = there.filter_map(|entry| number(&entry.file_name().to_string_lossy())).max().unwrap_or(0);
    let mut next = last.saturating_add(1);
    loop {
        let folder = workspace.join(format!("iteration-{next}"));
        match std::fs::create_dir(&folder) {
            Ok(()) => return Ok(folder),
            // Somebody else was faster.
            Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists && next < u64::MAX => next += 1,
            Err(error) => return Err(failed(error)),
        }
    }
}

/// A folder's name for each eval: ids are anybody's text, and two of them may differ in nothing that a file system
/// tells apart.
pub(super) fn names(evals: &[Eval]) -> Vec<String> {
    let mut taken = HashSet::new();
    evals
        .iter()
        .map(|eval| {
            let id = eval.id.as_str().map_or_else(|| eval.id.to_string(), str::to_owned);
            let safe = |c: char| if c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.') { c } else { '_' };
            let plain = format!("eval-{}", id.chars().take(LONGEST).map(safe).collect::<String>());
            let numbered = (2_u64..).map(|n| format!("{plain}-{n}"));
            let is_free = |name: &String| !taken.contains(&name.to_ascii_lowercase());
            let name = std::iter::once(plain.clone()).chain(numbered).find(is_free).unwrap_or_default();
            taken.insert(name.to_ascii_lowercase());
            name
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn every_id_has_a_folder_of_its_own_inside_the_iteration() {
        let ids = [
            json!(1),
            json!("../../x"),
            json!("a b"),
            json!("a_b"),
            json!("A_B"),
            json!(".."),
            json!("图"),
            json!("x".repeat(300)),
        ];
        let evals: Vec<Eval> =
            ids.into_iter().map(|id| Eval { id, name: None, expectations: Vec::new(), files: Vec::new() }).collect();
        let names = names(&evals);
        assert_eq!(names[..7], ["eval-1", "eval-.._.._x", "eval-a_b", "eval-a_b-2", "eval-A_B-3", "eval-..", "eval-_"]);
        assert!(names.iter().all(|name| !name.contains('/') && name.len() < 100));
    }
}
