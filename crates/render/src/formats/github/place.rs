//! Place of an artifact's change: the file and line that a forge shows a note at.

use eval_format::{ArtifactMeta, Report};

/// A place in a file of an artifact.
pub(in crate::formats) struct Place {
    /// Relative to the working directory.
    pub(in crate::formats) path: String,
    /// From 1.
    pub(in crate::formats) line: usize,
}

/// The first line of a variant's artifact that the control's hasn't; `None` for what is no file below the working directory.
pub(in crate::formats) fn place_of(report: &Report, variant: &str) -> Option<Place> {
    let artifacts = report.meta.artifacts.as_ref()?;
    let artifact = artifacts.get(variant)?;
    let origin = artifact.origin.as_deref().filter(|origin| is_below(origin))?;
    let control = report.meta.variants.first().and_then(|control| artifacts.get(control));
    let (file, line) = first_difference(control, artifact);
    let folder = origin.trim_end_matches('/').trim_end_matches("/SKILL.md");
    let path = match (artifact.kind.as_str(), file) {
        ("directory", Some(file)) => format!("{folder}/{file}"),
        ("directory", None) => format!("{folder}/SKILL.md"),
        _ => origin.to_owned(),
    };
    Some(Place { path, line })
}

/// Not absolute, in the home, above the working directory, or out of a repository's history.
fn is_below(origin: &str) -> bool {
    !origin.starts_with(['/', '~']) && !origin.starts_with("git:") && !origin.split('/').any(|part| part == "..")
}

/// The first file that differs, and its first line that does.
fn first_difference<'a>(control: Option<&ArtifactMeta>, of: &'a ArtifactMeta) -> (Option<&'a str>, usize) {
    let earlier = |path: &str| {
        let files = control.map(|control| control.files.as_slice()).unwrap_or_default();
        // Two files of one variant each may have different names.
        let is_same =
            |one: &&eval_format::ArtifactFileMeta| one.path == path || (files.len() == 1 && of.files.len() == 1);
        files.iter().find(is_same)
    };
    let changed = of.files.iter().find(|file| earlier(&file.path).is_none_or(|one| one.hash != file.hash));
    let Some(file) = changed else { return (None, 1) };
    let text = |of: &eval_format::ArtifactFileMeta| of.text.clone().unwrap_or_default();
    let (before, now) = (earlier(&file.path).map(text).unwrap_or_default(), text(file));
    let same = before.lines().zip(now.lines()).take_while(|(before, now)| before == now).count();
    (Some(&file.path), (same + 1).min(now.lines().count().max(1)))
}
