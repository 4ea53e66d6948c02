//! Every reason and every piece of advice has words of its own, in both languages.

use std::collections::BTreeMap;

use eval_format::{
    EarlierGaps, GapGuardInputs, KnownMessage, Limits, ReadingOutcome, RepeatPlan, TestSet, Tier, UnknownFact,
};
use eval_message::{CATALOGUES, Lang, Message};
use eval_spec::Layer;
use eval_spec::suite::Written;
use eval_verdict::advice::{MoreOf, SamplePlan};
use eval_verdict::reason::{Alarm, DifferenceRange, Doubt, Evidence, GainPlan, Invalid, Remedy, ShareGap};
use eval_verdict::{Advice, Reason};

/// Whether the catalogues of a language have a message.
fn has(lang: Lang, key: &str) -> bool {
    let sources = CATALOGUES.iter().map(|(_, english, chinese)| if lang == Lang::En { english } else { chinese });
    sources.into_iter().any(|source| source.lines().any(|line| line.split(" =").next() == Some(key)))
}

/// A sample of each variant. A variant without one is a pattern that the match lacks: this doesn't compile then.
macro_rules! one_of_each {
    ($kind:ty, $($pattern:pat => $sample:expr),* $(,)?) => {{
        fn is_complete(of: &$kind) -> bool {
            match of { $($pattern => true,)* }
        }
        let all: Vec<$kind> = vec![$({
            let sample = $sample;
            assert!(matches!(&sample, $pattern) && is_complete(&sample), "{sample:?}");
            sample
        }),*];
        all
    }};
}

const RANGE: DifferenceRange = DifferenceRange::Interval { low: Some(0.1), high: Some(0.4) };
const EQUAL: DifferenceRange = DifferenceRange::AllEqual { n: 7, value: Some(0.3), p: Some(0.02) };
const GAP: ShareGap = ShareGap { control: 0.1, treatment: 0.3, limit: 5 };

fn v() -> String {
    "v1".to_owned()
}

fn guarded() -> GapGuardInputs {
    let set = TestSet {
        path: "s.json".to_owned(),
        id: "s.json@01234567".to_owned(),
        sample_count: 9,
        project: None,
        llm_generated: false,
    };
    GapGuardInputs::new(set.clone(), Some(0.5), Some(EarlierGaps::new(Some("r1".to_owned()), set, 0.1)))
}

fn limits() -> Limits {
    Limits::new(&Written::default().resolve())
}

fn invalid() -> Vec<Invalid> {
    one_of_each!(Invalid,
        Invalid::Interrupted => Invalid::Interrupted,
        Invalid::BudgetExhausted => Invalid::BudgetExhausted,
        Invalid::Aborted => Invalid::Aborted,
        Invalid::JudgeFailed => Invalid::JudgeFailed,
        Invalid::RecordsMissing => Invalid::RecordsMissing,
        Invalid::Failures { .. } => Invalid::Failures { failed: 3, ran: 9, limit: 0.2 },
        Invalid::DeadVariant { .. } => Invalid::DeadVariant { variant: v() },
        Invalid::NoAnswer { .. } => Invalid::NoAnswer { executions: 9 },
        Invalid::UnscoredVariant { .. } => Invalid::UnscoredVariant { variant: v() },
        Invalid::NotDelivered { .. } => Invalid::NotDelivered { variant: v() },
        Invalid::ArtifactLeak { .. } => Invalid::ArtifactLeak { variant: v(), runs: 2 },
        Invalid::Opinions { .. } => Invalid::Opinions { missing: 3, planned: 9, limit: 0.2 },
        Invalid::Pairs { .. } => Invalid::Pairs { unjudged: 3, answered: 9, limit: 0.2 },
    )
}

fn whys() -> Vec<Evidence> {
    let (mean, threshold, limit) = (3.0, 3.5, 0.2);
    one_of_each!(Evidence,
        Evidence::FewPairs { .. } => Evidence::FewPairs { n: 3, needed: 6 },
        Evidence::Unscored { .. } => Evidence::Unscored { variant: v(), outcome: "refused", count: 3, total: 9 },
        Evidence::LossMayBeMadeUp { needed: Some(_), .. } => Evidence::LossMayBeMadeUp { n: 12, needed: Some(40) },
        Evidence::LossMayBeMadeUp { needed: None, .. } => Evidence::LossMayBeMadeUp { n: 12, needed: None },
        Evidence::RefusedFirst { .. } => {
            Evidence::RefusedFirst { variant: v(), of_variant: 0.4, control: "c".to_owned(), of_control: 0.05 }
        },
        Evidence::LooserLimits { .. } => Evidence::LooserLimits {
            set: Limits { threshold: 3.0, ..limits() }, defaults: limits(), tier: "CAUTIOUS"
        },
        Evidence::ReadBefore { .. } => Evidence::ReadBefore {
            report: String::new(),
            changed: BTreeMap::from([("--holdout".to_owned(), [Some("0.3".to_owned()), None])]),
            outcome: ReadingOutcome { valid: true, reached: false, tier: Tier::Underpowered },
        },
        Evidence::LookNumber { .. } => Evidence::LookNumber { number: 3, same_samples: 1, risk: 0.0083 },
        Evidence::LookWithout { .. } => Evidence::LookWithout { number: 2, risk: 0.0125, samples: 9, mean: None },
        Evidence::LossOfClusters { .. } => Evidence::LossOfClusters { over: 0.1 },
        Evidence::SmallLoss { .. } => Evidence::SmallLoss { mean: Some(-0.04), limit: 0.2 },
        Evidence::Below { range: DifferenceRange::Interval { .. } } => Evidence::Below { range: RANGE },
        Evidence::Below { range: DifferenceRange::AllEqual { .. } } => Evidence::Below { range: EQUAL },
        Evidence::Above { range: DifferenceRange::Interval { .. } } => Evidence::Above { range: RANGE },
        Evidence::Above { range: DifferenceRange::AllEqual { .. } } => Evidence::Above { range: EQUAL },
        Evidence::Inside { range: DifferenceRange::Interval { .. }, .. } => Evidence::Inside { range: RANGE, limit },
        Evidence::Inside { range: DifferenceRange::AllEqual { .. }, .. } => Evidence::Inside { range: EQUAL, limit },
        Evidence::Wide { range: DifferenceRange::Interval { .. }, .. } => Evidence::Wide { range: RANGE, limit },
        Evidence::Wide { range: DifferenceRange::AllEqual { .. }, .. } => Evidence::Wide { range: EQUAL, limit },
        Evidence::LayerBelow { .. } => Evidence::LayerBelow { layer: Layer::Fact, fell_by: Some(0.5), mean, threshold },
        Evidence::MoreSamplesHelp { plan: None, .. } => {
            Evidence::MoreSamplesHelp { needed: 90, n: 30, limit: 0.2, plan: None }
        },
        Evidence::MoreSamplesHelp { plan: Some(_), .. } => {
            Evidence::MoreSamplesHelp { needed: 90, n: 30, limit: 0.2, plan: Some(PLAN) }
        },
        Evidence::AcrossBorder { .. } => Evidence::AcrossBorder { limit },
        Evidence::Hopeless { .. } => Evidence::Hopeless { limit },
        Evidence::FirstGapRate { .. } => Evidence::FirstGapRate { of: guarded(), variant: v() },
        Evidence::Saturated => Evidence::Saturated,
        Evidence::Preference { .. } => Evidence::Preference { preference: Some(0.2), low: None, high: Some(0.3), n: 9 },
        Evidence::PreferenceAsPoints { .. } => Evidence::PreferenceAsPoints { preference: 0.2 },
        Evidence::PreferenceDecides { .. } => Evidence::PreferenceDecides { n: 3, needed: 6 },
        Evidence::SoloUnscored { .. } => Evidence::SoloUnscored { variant: v() },
        Evidence::SoloUnder { .. } => Evidence::SoloUnder { variant: v(), mean, threshold },
        Evidence::FewerTasks { .. } => Evidence::FewerTasks { samples: 21, tasks: 7 },
        Evidence::OneOfFile { .. } => Evidence::OneOfFile { treatments: 12 },
        Evidence::RestsOnFile { .. } => Evidence::RestsOnFile {
            tool: "promptfoo".to_owned(), score: "score".to_owned(), unknown: UnknownFact::ALL.to_vec()
        },
        Evidence::LossCouldTurnElsewhere { .. } => Evidence::LossCouldTurnElsewhere { tool: v(), samples: 12, planned: 60 },
        Evidence::LossCouldTurn { .. } => Evidence::LossCouldTurn { samples: 12, planned: 60 },
        Evidence::NotWorse { .. } => Evidence::NotWorse { control: v(), margin: 0.2, low: Some(-0.1) },
        Evidence::SoloReached { .. } => Evidence::SoloReached { variant: v(), mean, threshold },
    )
}

fn doubts() -> Vec<Doubt> {
    let (low, high, mean, threshold) = (0.1, 0.4, 3.0, 3.5);
    one_of_each!(Doubt,
        Doubt::Unanswered { .. } => Doubt::Unanswered { control: 0, treatment: 4, mean: Some(0.1), low: Some(-0.2), high: Some(0.4) },
        Doubt::LostElsewhere { .. } => Doubt::LostElsewhere {
            tool: "promptfoo".to_owned(), samples: 12, planned: 60, low: Some(-0.2), high: Some(0.9)
        },
        Doubt::LeftOut { .. } => Doubt::LeftOut { tool: v(), samples: 12, planned: 60, low: Some(-0.2), high: Some(0.7) },
        Doubt::LostRuns { .. } => Doubt::LostRuns { samples: 12, planned: 60, low: Some(-0.2), high: Some(0.9) },
        Doubt::LowRecall { .. } => Doubt::LowRecall { share: 0.7, limit: 0.9 },
        Doubt::LowPrecision { .. } => Doubt::LowPrecision { share: 0.7, limit: 0.9 },
        Doubt::GapRateHigh { .. } => Doubt::GapRateHigh { of: guarded(), limit: 0.2 },
        Doubt::GapRateRisen { .. } => Doubt::GapRateRisen { of: guarded(), limit: 0.2 },
        Doubt::GapRateOfOtherSamples { .. } => Doubt::GapRateOfOtherSamples { of: guarded() },
        Doubt::GapRateUnmeasured { .. } => Doubt::GapRateUnmeasured { of: guarded() },
        Doubt::NeverLoaded { .. } => Doubt::NeverLoaded { executions: 30 },
        Doubt::UnseenKind { needed: Some(_), .. } => {
            Doubt::UnseenKind { n: 24, risk: 0.0915, most: 0.05, needed: Some(34) }
        },
        Doubt::UnseenKind { needed: None, .. } => Doubt::UnseenKind { n: 24, risk: 0.0915, most: 0.05, needed: None },
        Doubt::UnseenDifference { .. } => Doubt::UnseenDifference { n: 24, risk: 0.117, most: 0.05, limit: 0.2 },
        Doubt::GainOfClusters { .. } => Doubt::GainOfClusters { mean: 0.48, over: 0.03 },
        Doubt::ClustersHide { .. } => Doubt::ClustersHide { over: -0.3, limit: 0.2 },
        Doubt::DimensionFell { .. } => {
            Doubt::DimensionFell { name: "safe".to_owned(), n: 40, mean: Some(-2.0), high: Some(-1.2) }
        },
        Doubt::DimensionCollapsed { .. } => {
            Doubt::DimensionCollapsed { name: "safe".to_owned(), n: 3, mean: Some(-2.0) }
        },
        Doubt::LayerCollapsed { .. } => Doubt::LayerCollapsed { layer: Layer::Judge, n: 4, mean: Some(-2.0) },
        Doubt::AskedAgain { .. } => Doubt::AskedAgain {
            variant: v(), control: "v0".to_owned(), runs: 7, of_control: 1, low: Some(-0.05), high: Some(0.9)
        },
        Doubt::Redrawn { .. } => Doubt::Redrawn {
            variant: v(), control: "v0".to_owned(), runs: 7, of_control: 1, low: Some(-0.05), high: Some(0.9)
        },
        Doubt::NothingToLose { .. } => Doubt::NothingToLose { variant: v(), room: 0.1, limit: 0.2 },
        Doubt::LossNotExcluded { low: Some(_), .. } => Doubt::LossNotExcluded { low: Some(-0.3), margin: 0.2 },
        Doubt::LossNotExcluded { low: None, .. } => Doubt::LossNotExcluded { low: None, margin: 0.2 },
        Doubt::LayerFell { .. } => Doubt::LayerFell { layer: Layer::Fact, n: 20, mean: Some(-1.2), high: Some(-0.4) },
        Doubt::CapabilityFell { .. } => Doubt::CapabilityFell { name: v(), n: 8, mean: Some(-4.0), high: Some(-2.0) },
        Doubt::CapabilityCollapsed { .. } => Doubt::CapabilityCollapsed { name: v(), n: 3, mean: Some(-2.0) },
        Doubt::Trivial { .. } => Doubt::Trivial { diff: 0.05, limit: 0.1 },
        Doubt::FewPairs { .. } => Doubt::FewPairs { n: 9, needed: 20 },
        Doubt::LayerUnderGate { .. } => Doubt::LayerUnderGate { layer: Layer::Fact, mean, threshold },
        Doubt::LayerMissing { .. } => Doubt::LayerMissing { layer: Layer::Judge },
        Doubt::OnlyByInterval { .. } => Doubt::OnlyByInterval { tier: "UNDERPOWERED" },
        Doubt::InvalidRun => Doubt::InvalidRun,
        Doubt::ScoresSilent => Doubt::ScoresSilent,
        Doubt::GoldPairwise => Doubt::GoldPairwise,
        Doubt::GoldAlpha { .. } => Doubt::GoldAlpha { alpha: 0.5, low: 0.2, limit: 0.4 },
        Doubt::GoldUndefined { .. } => Doubt::GoldUndefined { n: 3 },
        Doubt::GoldUnderGate { .. } => Doubt::GoldUnderGate { variant: v(), mean, threshold },
        Doubt::GoldWorse { .. } => Doubt::GoldWorse { low, high },
        Doubt::GoldUnconfirmed { .. } => Doubt::GoldUnconfirmed { low, high },
        Doubt::GoldNone => Doubt::GoldNone,
        Doubt::GoldFew { .. } => Doubt::GoldFew { n: 3, needed: 10 },
        Doubt::HoldoutFew { .. } => Doubt::HoldoutFew { train: 9, held_out: 1 },
        Doubt::HoldoutLost { .. } => Doubt::HoldoutLost { train: 0.5, held_out: -0.1, n: 9 },
        Doubt::HoldoutGap { .. } => Doubt::HoldoutGap { gap: 0.3, low, high },
    )
}

fn alarms() -> Vec<Alarm> {
    let (missing, planned, limit, alpha) = (9, 40, 10, 0.2);
    one_of_each!(Alarm,
        Alarm::ScoresMissing { .. } => Alarm::ScoresMissing { variant: v(), missing, planned, limit },
        Alarm::OverBudget { .. } => Alarm::OverBudget { variant: v(), count: 2 },
        Alarm::ChecksUnlike { .. } => Alarm::ChecksUnlike { samples: 2, checks: vec!["regex".to_owned()] },
        Alarm::LayerUnscored { .. } => Alarm::LayerUnscored { variant: v(), layer: Layer::Fact, share: 0.2, limit },
        Alarm::ChecksUnscoredDiffer { .. } => Alarm::ChecksUnscoredDiffer { gap: GAP },
        Alarm::CachedDiffer { .. } => Alarm::CachedDiffer { gap: GAP },
        Alarm::ControlDrifted { .. } => Alarm::ControlDrifted { n: 8, mean: Some(0.4), low: Some(0.1), high: Some(0.7) },
        Alarm::ControlMayHaveDrifted { .. } => Alarm::ControlMayHaveDrifted { n: 8, mean: 0.3, low: -0.1 },
        Alarm::ModelsDiffer { .. } => Alarm::ModelsDiffer { model: "m".to_owned(), control: 0.1, treatment: 0.3 },
        Alarm::ModelsUnnamed { .. } => Alarm::ModelsUnnamed { control: 0.1, treatment: 0.3 },
        Alarm::VersionsDiffer { .. } => Alarm::VersionsDiffer { versions: vec![("2.1.330".to_owned(), 4, 2)] },
        Alarm::ProgramReplaced { .. } => Alarm::ProgramReplaced { control: 1, treatment: 2 },
        Alarm::FilesChanged { .. } => Alarm::FilesChanged { control: 1, treatment: 2 },
        Alarm::ToolsDiffer { .. } => Alarm::ToolsDiffer { tool: "Bash".to_owned(), control: 0.1, treatment: 0.3 },
        Alarm::ServerFailed { .. } => {
            Alarm::ServerFailed { variant: v(), server: "docs".to_owned(), failed: 1, executions: 4 }
        },
        Alarm::OpinionsMissing { .. } => Alarm::OpinionsMissing { variant: v(), missing, planned, limit },
        Alarm::OpinionsMissingDiffer { .. } => Alarm::OpinionsMissingDiffer { gap: GAP },
        Alarm::Agreement { .. } => Alarm::Agreement { alpha, limit: 0.4 },
        Alarm::PairAgreement { .. } => Alarm::PairAgreement { alpha, limit: 0.4 },
        Alarm::PairsMissing { .. } => Alarm::PairsMissing { missing, planned, limit },
        Alarm::Position { .. } => Alarm::Position { share: 0.8, low: 0.7, high: 0.9 },
    )
}

fn reasons() -> Vec<Reason> {
    let kinds = [
        invalid().into_iter().map(Reason::from).collect::<Vec<_>>(),
        whys().into_iter().map(Reason::from).collect(),
        doubts().into_iter().map(Reason::from).collect(),
        alarms().into_iter().map(Reason::from).collect(),
    ];
    let all: Vec<Reason> = kinds.into_iter().flatten().collect();
    let kinds = one_of_each!(Reason,
        Reason::Invalid(_) => all[0].clone(),
        Reason::Evidence(_) => Evidence::Saturated.into(),
        Reason::Doubt(_) => Doubt::GoldNone.into(),
        Reason::Alarm(_) => Alarm::CachedDiffer { gap: GAP }.into(),
        Reason::RarelyLoaded { .. } => Reason::RarelyLoaded { variant: v(), loaded: 3, executions: 30 },
        Reason::SelfPreference { .. } => Reason::SelfPreference { judges: vec!["anthropic:judge".to_owned()] },
    );
    all.into_iter().chain(kinds.into_iter().skip(4)).collect()
}

const PLAN: GainPlan = GainPlan { gain: 0.3, needed: 41 };

fn plans() -> Vec<SamplePlan> {
    one_of_each!(SamplePlan,
        SamplePlan::First { .. } => SamplePlan::First { n: 3, needed: 20 },
        SamplePlan::Settle { plan: None, .. } => {
            SamplePlan::Settle { n: 30, needed: 90, limit: 0.2, plan: None }
        },
        SamplePlan::Settle { plan: Some(_), .. } => {
            SamplePlan::Settle { n: 30, needed: 90, limit: 0.2, plan: Some(PLAN) }
        },
        SamplePlan::ForGain { .. } => SamplePlan::ForGain { n: 30, plan: PLAN },
        SamplePlan::Some { .. } => SamplePlan::Some { n: 30 },
        SamplePlan::Hopeless => SamplePlan::Hopeless,
    )
}

fn advice() -> Vec<Advice> {
    let treatment = v;
    let plan = SamplePlan::Some { n: 30 };
    let all = one_of_each!(Advice,
        Advice::Resume => Advice::Resume,
        Advice::RaiseBudget => Advice::RaiseBudget,
        Advice::MendDelivery => Advice::MendDelivery,
        Advice::SeparateArtifacts => Advice::SeparateArtifacts,
        Advice::MendFirstCall => Advice::MendFirstCall,
        Advice::MendFailedJudge => Advice::MendFailedJudge,
        Advice::MakeRecords => Advice::MakeRecords,
        Advice::ReadNoAnswers => Advice::ReadNoAnswers,
        Advice::MendFailures => Advice::MendFailures,
        Advice::MendJudges { .. } => Advice::MendJudges { is_invalid: false },
        Advice::ReplaceJudges => Advice::ReplaceJudges,
        Advice::SettleJudges => Advice::SettleJudges,
        Advice::MendChecks { .. } => Advice::MendChecks { treatment: treatment(), checks: vec!["regex".to_owned()] },
        Advice::RunAfresh { .. } => Advice::RunAfresh { treatment: treatment() },
        Advice::CheckExcluded { .. } => Advice::CheckExcluded { treatment: treatment() },
        Advice::RaiseLayer { .. } => Advice::RaiseLayer { treatment: treatment() },
        Advice::MendRuntime { .. } => Advice::MendRuntime { treatment: treatment() },
        Advice::RepeatElsewhere { .. } => Advice::RepeatElsewhere { tool: "promptfoo".to_owned() },
        Advice::RepeatLost { .. } => Advice::RepeatLost { treatment: treatment() },
        Advice::RaisePart { .. } => Advice::RaisePart { treatment: treatment() },
        Advice::MendJudge { .. } => Advice::MendJudge { treatment: treatment() },
        Advice::HoldOutMore => Advice::HoldOutMore,
        Advice::MendDescription { .. } => Advice::MendDescription { treatment: treatment() },
        Advice::TuneLess { .. } => Advice::TuneLess { treatment: treatment() },
        Advice::WeighCost { .. } => Advice::WeighCost { treatment: treatment() },
        Advice::MendOutcomes { .. } => Advice::MendOutcomes { variant: v(), outcome: "refused" },
        Advice::ReadLosses { doubted: false, .. } => Advice::ReadLosses { treatment: treatment(), doubted: false },
        Advice::ReadLosses { doubted: true, .. } => Advice::ReadLosses { treatment: treatment(), doubted: true },
        Advice::RunBothAgain { .. } => Advice::RunBothAgain { treatment: treatment() },
        Advice::ReadClusters { .. } => Advice::ReadClusters { treatment: treatment() },
        Advice::AddEasierSamples { .. } => Advice::AddEasierSamples { treatment: treatment() },
        Advice::ReadLayer { .. } => Advice::ReadLayer { treatment: treatment() },
        Advice::AddSamples { .. } => Advice::AddSamples { treatment: treatment(), plan },
        Advice::Repeat { .. } => Advice::Repeat {
            treatment: treatment(), n: 40, needed: 90, runs: 2, plan: RepeatPlan { repeat: 4, samples: 38 },
        },
        Advice::TryRepeats => Advice::TryRepeats,
        Advice::NarrowInterval { .. } => Advice::NarrowInterval {
            treatment: treatment(), samples: 0.7, repeats: Some(0.9), opinions: None, best: MoreOf::Samples,
        },
        Advice::AddHarderSamples { .. } => Advice::AddHarderSamples { treatment: treatment() },
        Advice::KeepSimpler { .. } => Advice::KeepSimpler { treatment: treatment(), limit: 0.2 },
        Advice::Ship { .. } => Advice::Ship { treatment: treatment() },
        Advice::ShipAndReadLosses { .. } => Advice::ShipAndReadLosses { treatment: treatment() },
        Advice::ShipNotWorse { .. } => Advice::ShipNotWorse { treatment: v(), margin: 0.2 },
        Advice::AddControl { .. } => Advice::AddControl { variant: v() },
    );
    let is_planned = |of: &Advice| !matches!(of, Advice::AddSamples { .. });
    let plans = plans().into_iter().map(|plan| Advice::AddSamples { treatment: v(), plan });
    all.into_iter().filter(is_planned).chain(plans).collect()
}

#[test]
fn every_reason_and_advice_has_its_own_text_in_both_languages() {
    let of_reasons = reasons().into_iter().map(|reason| (Message::from(&reason), format!("{reason:?}")));
    let of_advice = advice().into_iter().map(|advice| (Message::from(&advice), format!("{advice:?}")));
    let mut owners: BTreeMap<String, String> = BTreeMap::new();
    for (message, owner) in of_reasons.chain(of_advice) {
        for lang in [Lang::En, Lang::Zh] {
            assert!(has(lang, &message.id), "{lang:?} has no text `{}`", message.id);
            assert!(!message.text(lang).contains("{$"), "an argument lacks: {}", message.text(lang));
        }
        let other = owners.insert(message.id.to_string(), owner.clone());
        assert!(other.is_none(), "`{}` is the text of {owner} and of {other:?}", message.id);
    }
}

#[test]
fn every_alarm_has_a_remedy_and_every_remedy_a_reason() {
    let reasons = reasons();
    assert!(reasons.iter().filter(|reason| reason.is_alarm()).all(|alarm| alarm.remedy().is_some()));
    for remedy in Remedy::ALL {
        assert!(reasons.iter().any(|reason| reason.remedy() == Some(remedy)), "nothing asks for {remedy:?}");
    }
}

#[test]
fn known_messages_are_there() {
    for (known, key) in KnownMessage::all() {
        assert!([Lang::En, Lang::Zh].into_iter().all(|lang| has(lang, key)), "`{key}`");
        let message: Message = serde_json::from_value(serde_json::json!({ "id": key })).unwrap();
        assert_eq!(KnownMessage::of(&message), Some(*known));
    }
}

/// An interval that begins at 0 doesn't lie above 0.
#[test]
fn bound_of_what_is_not_worse_is_in_the_interval() {
    let why = Evidence::NotWorse { control: "v1".to_owned(), margin: 0.2, low: Some(0.0) };
    let said = |lang| eval_message::Message::from(&why).text(lang);
    assert_eq!(said(Lang::En), "the difference to `v1` is 0.00 or more; a loss of more than 0.20 is excluded");
    assert!(said(Lang::Zh).contains("不低于 0.00"), "{}", said(Lang::Zh));
}
