//! References → variants.

use std::collections::HashMap;
use std::path::Path;

use eval_message::msg;
use eval_spec::source::DiagnosticSeverity;
use eval_spec::suite::{Delivery, VariantRef};
use eval_spec::variant::{Artifact, ArtifactKind, MOST_VARIANTS};
use eval_spec::{Context, Diagnostic, Diagnostics, Variant};

use super::alike_ids::{PlacedId, alike_ids};
use super::{Loaded, artifact, controls};

/// Reads one variant. Names are looked for in `skill_dir`; paths are read against the working
/// directory.
///
/// # Errors
/// There is no such artifact, or something is wrong with it.
pub fn variant(context: &Context, skill_dir: &Path, reference: &VariantRef) -> Result<Loaded<Variant>, Diagnostics> {
    one_of(context, skill_dir, reference, &[])
}

/// Reads a variant of a run; the first of `all` is the control.
fn one_of(
    context: &Context,
    skill_dir: &Path,
    reference: &VariantRef,
    all: &[VariantRef],
) -> Result<Loaded<Variant>, Diagnostics> {
    let name = variant_name(reference);
    check_name(&name, reference)?;
    let cwd = reference.cwd.as_ref().map(|path| context.absolute(path));
    if let Some(cwd) = cwd.as_ref().filter(|cwd| !cwd.is_dir()) {
        return Err(artifact::error(reference, msg!("load-not-a-directory", path = context.display(cwd))).into());
    }
    let skill_dir = context.absolute(skill_dir);
    let is_placebo = controls::is_placebo(&skill_dir, reference);
    let Loaded { value: artifact, mut warnings } = match is_placebo {
        true => controls::placebo_of(context, &skill_dir, reference, all)?,
        false => artifact::read(context, &skill_dir, reference)?,
    };
    if reference.delivery == Some(Delivery::Skill) && artifact.kind != ArtifactKind::Baseline {
        check_offered(&artifact, reference)?;
    }
    let is_text_alone = matches!(reference.delivery, None | Some(Delivery::SystemPrompt));
    if is_text_alone && !is_placebo && artifact.files.len() > 1 {
        let left = artifact.files.len() - 1;
        let warning =
            Diagnostic::warning(msg!("load-files-not-delivered", name = &name, count = left), reference.place.clone());
        warnings.push(warning.help(msg!("load-files-not-delivered-help")));
    }
    let mut skills = Vec::new();
    for skill in &reference.allowed_skills {
        let allowed = VariantRef { place: reference.place.clone(), ..VariantRef::new(skill) };
        let loaded = artifact::read(context, &skill_dir, &allowed)?;
        check_offered(&loaded.value, &allowed)?;
        warnings.extend(loaded.warnings);
        skills.push(loaded.value);
    }
    Ok(Loaded {
        value: Variant {
            name,
            artifact,
            cwd,
            delivery: reference.delivery,
            skills,
            permissions: reference.permissions,
        },
        warnings,
    })
}

/// An agent chooses a skill by its name and description.
fn check_offered(artifact: &Artifact, reference: &VariantRef) -> Result<(), Diagnostics> {
    match artifact.offered_skill() {
        Some(_) => Ok(()),
        None => {
            let message = msg!("load-skill-not-offered", name = super::decode::short(&reference.artifact));
            Err(artifact::error(reference, message).help(msg!("load-skill-not-offered-help")).into())
        }
    }
}

/// Reads all variants of a run; `refs` has the control first.
///
/// Names that were not given and would be the same (`old/review.md`, `new/review.md`) become the
/// references as written.
///
/// # Errors
/// Everything that is wrong with any of them, and names that are the same.
pub fn variants(context: &Context, skill_dir: &Path, refs: &[VariantRef]) -> Result<Loaded<Vec<Variant>>, Diagnostics> {
    if let Some(first) = refs.get(MOST_VARIANTS) {
        let too_many = msg!("load-variants-many", count = refs.len(), most = MOST_VARIANTS);
        return Err(artifact::error(first, too_many).help(msg!("load-variants-many-help")).into());
    }
    let (mut value, mut warnings, mut errors) = (Vec::new(), Vec::new(), Vec::new());
    let named = with_names(refs);
    for reference in &named {
        match one_of(context, skill_dir, reference, &named) {
            Ok(loaded) => {
                value.push(loaded.value);
                warnings.extend(loaded.warnings);
            }
            Err(Diagnostics(found)) => errors.extend(found),
        }
    }
    errors.extend(same_names(&named));
    let names = named.iter().filter_map(|of| Some(PlacedId { id: of.name.as_deref()?, place: of.place.as_ref() }));
    let (alike, doubtful): (Vec<_>, Vec<_>) =
        alike_ids(names).into_iter().partition(|of| of.severity == DiagnosticSeverity::Error);
    errors.extend(alike);
    warnings.extend(doubtful);
    match errors.is_empty() {
        true => Ok(Loaded { value, warnings }),
        false => Err(Diagnostics(errors)),
    }
}

fn check_name(name: &str, reference: &VariantRef) -> Result<(), Diagnostics> {
    const MAX_CHARS: usize = 200;
    let wrong = name.trim().is_empty() || name.chars().any(char::is_control) || name.chars().count() > MAX_CHARS;
    match wrong {
        true => Err(artifact::error(reference, msg!("load-variant-name", name = super::decode::short(name))).into()),
        false => Ok(()),
    }
}

/// The name of a variant in reports, where no other of the run has the same.
#[must_use]
pub fn variant_name(reference: &VariantRef) -> String {
    reference.name.clone().unwrap_or_else(|| short_name(&reference.artifact))
}

/// `v2` for `skills/v2.md`, `skills/v2/` and `skills/v2/SKILL.md`; others are their own name.
fn short_name(artifact: &str) -> String {
    if artifact.starts_with("git:") || !artifact.contains('/') {
        return artifact.to_owned();
    }
    let path = artifact.trim_end_matches('/').trim_end_matches("/SKILL.md");
    let last = path.rsplit('/').next().unwrap_or(path);
    let stem = last.rsplit_once('.').map_or(last, |(stem, _)| stem);
    match stem.is_empty() || stem == "." {
        true => artifact.to_owned(),
        false => stem.to_owned(),
    }
}

fn with_names(refs: &[VariantRef]) -> Vec<VariantRef> {
    let mut count: HashMap<String, usize> = HashMap::new();
    refs.iter().for_each(|r| *count.entry(variant_name(r)).or_default() += 1);
    let name = |r: &VariantRef| match (&r.name, count[&variant_name(r)]) {
        (Some(given), _) => given.clone(),
        (None, 1) => variant_name(r),
        (None, _) => r.artifact.clone(),
    };
    refs.iter().map(|r| VariantRef { name: Some(name(r)), ..r.clone() }).collect()
}

fn same_names(refs: &[VariantRef]) -> Vec<Diagnostic> {
    let mut first: HashMap<&str, &VariantRef> = HashMap::new();
    let mut errors = Vec::new();
    for reference in refs {
        let Some(name) = reference.name.as_deref() else { continue };
        let Some(earlier) = first.insert(name, reference) else { continue };
        let mut found =
            artifact::error(reference, msg!("load-variant-twice", name = name)).help(msg!("load-variant-twice-help"));
        if let Some(place) = &earlier.place {
            found = found.also(place.clone(), msg!("load-first-here"));
        }
        errors.push(found);
    }
    errors
}
