//! The samples and the skills, as far as they can be judged without a run.

use std::collections::BTreeSet;
use std::path::Path;

use eval_format::{SampleQuality, Severity};
use eval_load as load;
use eval_message::{Lang, msg};
use eval_spec::suite::{Settings, VariantRef};
use eval_spec::variant::{Artifact, ArtifactKind};
use eval_spec::{Context, Sample};

use super::super::mock_findings::mock_findings;
use super::finding::{DoctorLine, DoctorTopic, of_diagnostics};

/// Samples that a line names.
const NAMED: usize = 3;

/// The samples, and what their file says of itself.
pub(super) fn samples(context: &Context, settings: &Settings) -> (Vec<Sample>, Vec<DoctorLine>) {
    let topic = DoctorTopic::Samples;
    match load::samples(context, &settings.samples, &eval_grade::type_specs()) {
        Err(found) => (Vec::new(), of_diagnostics(&topic, &found)),
        Ok(loaded) => {
            let samples = loaded.value.samples;
            let file = context.display(&settings.samples);
            let read = DoctorLine::ok(topic.clone(), msg!("doctor-samples", file = file, count = samples.len()));
            let warned = loaded.warnings.iter().map(|found| DoctorLine::of(topic.clone(), found));
            let lines = std::iter::once(read).chain(warned).collect();
            (samples, lines)
        }
    }
}

/// The mocks of all samples.
pub(super) fn mocks(settings: &Settings, samples: &[Sample]) -> Vec<DoctorLine> {
    let count: usize = samples.iter().map(|sample| sample.mocks.len()).sum();
    let found = mock_findings(settings, samples);
    match found.is_empty() && count > 0 {
        true => vec![DoctorLine::ok(DoctorTopic::Mocks, msg!("doctor-mocks", count = count))],
        false => found.iter().map(|found| DoctorLine::of(DoctorTopic::Mocks, found)).collect(),
    }
}

/// The defects that the samples show before a run.
pub(super) fn quality(quality: &SampleQuality, lang: Lang) -> Vec<DoctorLine> {
    let line = |found: &eval_format::QualityFinding| {
        let named: Vec<&str> =
            found.items.iter().flat_map(|item| &item.sample_ids).map(String::as_str).take(NAMED).collect();
        let text = match named.is_empty() {
            true => found.message_key.clone(),
            false => msg!("doctor-quality", finding = found.message_key.text(lang), samples = named.join(", ")),
        };
        match found.severity {
            Severity::Info => DoctorLine::info(DoctorTopic::Samples, text),
            _ => DoctorLine::warning(DoctorTopic::Samples, text, found.advice.message_key.clone()),
        }
    };
    quality.findings.iter().map(line).collect()
}

/// The skills of the variants, and those that they are offered besides.
pub(super) fn skills(context: &Context, settings: &Settings) -> Vec<DoctorLine> {
    let topic = DoctorTopic::Skills;
    let mut lines = Vec::new();
    let (mut seen, mut linted) = (BTreeSet::new(), 0);
    for reference in settings.control.iter().chain(&settings.treatments) {
        match load::variants(context, &settings.skill_dir, std::slice::from_ref(reference)) {
            Err(failure) => {
                // The text of a skill is checked although another file of it can't be read.
                let folder =
                    Path::new(&reference.artifact).parent().filter(|_| reference.artifact.ends_with("SKILL.md"));
                let text = folder.map(|folder| load::lint_folder(context, folder)).unwrap_or_default();
                let errors = of_diagnostics(&topic, &failure);
                let text = text.iter().map(|warning| DoctorLine::of(topic.clone(), warning));
                let text: Vec<DoctorLine> = text.filter(|text| !errors.iter().any(|line| line.is_same(text))).collect();
                lines.extend(errors.into_iter().chain(text));
            }
            Ok(loaded) => {
                lines.extend(loaded.warnings.iter().map(|found| DoctorLine::of(topic.clone(), found)));
                for variant in &loaded.value {
                    for artifact in std::iter::once(&variant.artifact).chain(&variant.skills) {
                        if artifact.kind == ArtifactKind::Baseline || !seen.insert(identity(reference, artifact)) {
                            continue;
                        }
                        linted += usize::from(artifact.kind == ArtifactKind::Directory);
                        let found = load::lint_skill(context, artifact);
                        lines.extend(found.iter().map(|found| DoctorLine::of(topic.clone(), found)));
                    }
                }
            }
        }
    }
    if lines.is_empty() {
        let plain = seen.len() - linted;
        lines.push(match (linted, plain) {
            (0, 0) => DoctorLine::info(topic, msg!("doctor-no-skills")),
            (0, plain) => DoctorLine::info(topic, msg!("doctor-skills-plain", count = plain)),
            (linted, 0) => DoctorLine::ok(topic, msg!("doctor-skills", count = linted)),
            (linted, plain) => DoctorLine::ok(topic, msg!("doctor-skills-some", count = linted, plain = plain)),
        });
    }
    lines
}

/// The same file is one skill, whichever variants have it.
fn identity(reference: &VariantRef, artifact: &Artifact) -> String {
    let path = artifact.path.as_ref().map(|path| path.display().to_string());
    path.unwrap_or_else(|| format!("{} {}", reference.artifact, artifact.reference))
}
