//! Variants that are made from another artifact: the version before it, and neutral text in its place.

use std::path::Path;

use eval_message::{Message, msg};
use eval_spec::suite::{Delivery, VariantRef};
use eval_spec::variant::{Artifact, ArtifactFile};
use eval_spec::{Context, Diagnostic, Diagnostics};

use super::artifact::{self, BASELINE, PLACEBO, PREVIOUS, error};
use super::git::{self, GitReference};
use super::{Loaded, placebo};

/// Hexadecimal digits that name a commit.
const COMMIT_DIGITS: usize = 12;

/// The control as a reference that means the same tomorrow: `previous` becomes `git:COMMIT:skill`, the latest version in
/// git that differs from the treatment as it is now. Other controls stay as they are.
///
/// # Errors
/// There is not one treatment, its skill can't be read, or git has no earlier version of it.
pub fn resolved_control(
    context: &Context,
    skill_dir: &Path,
    control: VariantRef,
    treatments: &[VariantRef],
) -> Result<VariantRef, Diagnostics> {
    let skill_dir = context.absolute(skill_dir);
    if control.artifact != PREVIOUS || is_skill(&skill_dir, PREVIOUS) {
        return Ok(control);
    }
    let treatment = only(&control, treatments)?;
    let now = artifact::read(context, &skill_dir, treatment)?.value;
    let written = treatment.artifact.as_str();
    let at = match written.strip_prefix("git:") {
        Some(rest) => GitReference::parse(context, &skill_dir, rest),
        None => Some(GitReference::new(context, &skill_dir, "HEAD", written)),
    };
    let Some(at) = at else { return Ok(control) };
    let wrong = |message| Diagnostics::from(error(&control, message));
    let changes = git::changes(context, &at).map_err(wrong)?;
    for commit in &changes.commits {
        let earlier = GitReference::new(context, &skill_dir, commit, at.written);
        // A commit that removed it has no version of it.
        let Ok(found) = git::read(context, &earlier) else { continue };
        if !git::same_files(&found.files, &now.files) {
            let commit = &commit[..COMMIT_DIGITS.min(commit.len())];
            let name = control.name.clone().or_else(|| Some(PREVIOUS.to_owned()));
            return Ok(VariantRef { artifact: format!("git:{commit}:{}", at.written), name, ..control });
        }
    }
    let name = super::decode::short(written);
    let none = error(&control, msg!("load-previous-none", name = name));
    Err(match changes.is_shallow {
        true => none.help(msg!("load-previous-shallow-help")),
        false => none.help(msg!("load-previous-none-help")),
    }
    .into())
}

/// Whether a variant is neutral text in place of another's.
pub(super) fn is_placebo(skill_dir: &Path, reference: &VariantRef) -> bool {
    reference.artifact == PLACEBO && !is_skill(skill_dir, PLACEBO)
}

/// Neutral text in place of that of the only other artifact.
pub(super) fn placebo_of(
    context: &Context,
    skill_dir: &Path,
    reference: &VariantRef,
    all: &[VariantRef],
) -> Result<Loaded<Artifact>, Diagnostics> {
    let real = artifact::read(context, skill_dir, only(reference, all)?)?.value;
    let mut warnings = Vec::new();
    let mut warn = |message: Message| warnings.push(Diagnostic::warning(message, reference.place.clone()));
    let language = placebo::Language::of(real.body.as_deref().unwrap_or_default());
    if language == placebo::Language::Other {
        warn(msg!("load-placebo-language"));
    }
    let is_delivered = !matches!(reference.delivery, None | Some(Delivery::SystemPrompt));
    let text = real.text().map(|file| file.path.as_str());
    let is_left = |file: &&ArtifactFile| Some(file.path.as_str()) != text && !placebo::is_prose(&file.path);
    let left = real.files.iter().filter(is_left).count();
    if is_delivered && left > 0 {
        warn(msg!("load-placebo-files", count = left));
    }
    Ok(Loaded { value: placebo::of(real, PLACEBO), warnings })
}

/// The one artifact that such a variant is made from.
fn only<'t>(made: &VariantRef, others: &'t [VariantRef]) -> Result<&'t VariantRef, Diagnostics> {
    let is_artifact = |of: &&VariantRef| of.artifact != BASELINE && of.artifact != made.artifact;
    let found: Vec<_> = others.iter().filter(is_artifact).collect();
    match found[..] {
        [one] => Ok(one),
        _ => {
            let word = made.artifact.as_str();
            let message = msg!("load-control-of-many", word = word, count = found.len());
            Err(error(made, message).help(msg!("load-control-of-many-help", word = word)).into())
        }
    }
}

/// Whether there is a skill of that name: it goes before the special meaning.
fn is_skill(skill_dir: &Path, name: &str) -> bool {
    skill_dir.join(format!("{name}.md")).is_file() || skill_dir.join(name).join("SKILL.md").is_file()
}
