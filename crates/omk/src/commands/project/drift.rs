//! What differs between the arms, before anything runs.

use std::collections::BTreeSet;

use eval_message::{Message, msg};
use eval_spec::suite::{ArmPart, Delivery, PermissionMode, Settings};
use eval_spec::variant::ArtifactKind;
use eval_spec::{Diagnostic, Suite, Variant};

use super::calls::Calls;

/// In what the treatments differ from the control.
pub(super) fn differences(suite: &Suite, calls: &Calls) -> Vec<ArmPart> {
    let found: BTreeSet<ArmPart> = each(suite, calls).into_iter().flat_map(|(_, parts)| parts).collect();
    found.into_iter().collect()
}

/// Differences that the settings don't declare: the result would be the sum of several.
pub(super) fn undeclared(suite: &Suite, calls: &Calls) -> Vec<Diagnostic> {
    let settings = &suite.settings;
    let place = |index: usize| settings.treatments.get(index).and_then(|of| of.place.clone());
    let errors = each(suite, calls).into_iter().enumerate().flat_map(|(index, (variant, parts))| {
        let undeclared = parts.into_iter().filter(|part| !settings.varies.contains(part));
        let control = &suite.variants[0].name;
        let error = move |part: ArmPart| {
            let message = message(part, &variant.name, control);
            let help = msg!("cli-drift-help", varies = with(settings, part), part = part.word());
            Diagnostic::error(message, place(index)).help(help)
        };
        undeclared.map(error).collect::<Vec<_>>()
    });
    errors.collect()
}

/// Variants that are the same in every part, unless that is asked for (`--aa`): a difference between them is chance.
pub(super) fn same_variants(suite: &Suite, calls: &Calls) -> Vec<Diagnostic> {
    if suite.settings.aa {
        return Vec::new();
    }
    let keys: Vec<_> = suite.variants.iter().map(|of| comparable(suite, of)).collect();
    let is_same = |a: usize, b: usize| keys[a] == keys[b] && !calls.work_elsewhere(a, b);
    let pair = |b: usize| (0..b).find(|a| is_same(*a, b)).map(|a| (a, b));
    let warning = |(a, b): (usize, usize)| {
        let [first, second] = [a, b].map(|at| &suite.variants[at].name);
        let place = b.checked_sub(1).and_then(|at| suite.settings.treatments.get(at)?.place.clone());
        Diagnostic::warning(msg!("cli-same-variants", a = first, b = second), place)
            .help(msg!("cli-same-variants-help"))
    };
    (1..suite.variants.len()).filter_map(pair).map(warning).collect()
}

/// What is compared of a variant, its working directory apart.
fn comparable(suite: &Suite, of: &Variant) -> (String, Option<Delivery>, BTreeSet<String>, PermissionMode) {
    // Nothing has no way to reach the model.
    let is_injected = of.artifact.kind != ArtifactKind::Baseline;
    let delivery = is_injected.then(|| suite.settings.delivery_of_variant(of));
    let skills = of.skills.iter().map(|skill| skill.hash()).collect();
    (of.artifact.hash(), delivery, skills, suite.settings.permissions_of_variant(of))
}

fn message(part: ArmPart, variant: &str, control: &str) -> Message {
    match part {
        ArmPart::Artifact => msg!("cli-drift-artifact", variant = variant, control = control),
        ArmPart::Delivery => msg!("cli-drift-delivery", variant = variant, control = control),
        ArmPart::AllowedSkills => msg!("cli-drift-skills", variant = variant, control = control),
        ArmPart::Cwd => msg!("cli-drift-cwd", variant = variant, control = control),
        ArmPart::Permissions => msg!("cli-drift-permissions", variant = variant, control = control),
    }
}

/// The setting with one part more.
fn with(settings: &Settings, part: ArmPart) -> String {
    let parts: BTreeSet<ArmPart> = settings.varies.iter().copied().chain([part]).collect();
    parts.into_iter().map(ArmPart::word).collect::<Vec<_>>().join(", ")
}

/// Each treatment with its differences from the control.
fn each<'s>(suite: &'s Suite, calls: &Calls) -> Vec<(&'s Variant, Vec<ArmPart>)> {
    let Some((control, treatments)) = suite.variants.split_first() else { return Vec::new() };
    let delivery = |of: &Variant| suite.settings.delivery_of_variant(of);
    let permissions = |of: &Variant| suite.settings.permissions_of_variant(of);
    let skills = |of: &Variant| of.skills.iter().map(|skill| skill.hash()).collect::<BTreeSet<_>>();
    let parts = |index: usize, of: &Variant| {
        // Nothing has no way to reach the model.
        let is_injected = [control, of].iter().all(|one| one.artifact.kind != ArtifactKind::Baseline);
        [
            (ArmPart::Artifact, of.artifact.hash() != control.artifact.hash()),
            (ArmPart::Delivery, is_injected && delivery(of) != delivery(control)),
            (ArmPart::AllowedSkills, skills(of) != skills(control)),
            (ArmPart::Cwd, calls.work_elsewhere(0, index + 1)),
            (ArmPart::Permissions, permissions(of) != permissions(control)),
        ]
    };
    let found = treatments.iter().enumerate().map(|(index, of)| {
        let differing = parts(index, of).into_iter().filter(|(_, differs)| *differs);
        (of, differing.map(|(part, _)| part).collect())
    });
    found.collect()
}
