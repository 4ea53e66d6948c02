//! What a diagnosis says: lines, each with its remedy.

use eval_cli::CommandError;
use eval_exec::{BuildError, EXECUTORS};
use eval_message::{Message, msg};
use eval_spec::source::{DiagnosticSeverity, Place};
use eval_spec::{Diagnostic, Diagnostics};

/// How good what a line tells is; the worst last.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum DoctorStatus {
    /// Neither good nor bad here.
    Info,
    /// As it should be.
    Ok,
    /// A run is possible, and may not show what it should.
    Warning,
    /// No run is possible, or none that is valid.
    Problem,
}

impl DoctorStatus {
    /// The word of `--json`.
    pub(super) fn word(self) -> &'static str {
        match self {
            DoctorStatus::Info => "info",
            DoctorStatus::Ok => "ok",
            DoctorStatus::Warning => "warning",
            DoctorStatus::Problem => "problem",
        }
    }
}

/// What a line is about, in the order of the screen.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum DoctorTopic {
    Settings,
    /// A program, by its name.
    Program(String),
    Credentials,
    Endpoint,
    Samples,
    Mocks,
    Environment,
    Skills,
    Isolation,
    Sandbox,
    Disk,
    Plan,
    Cost,
}

impl DoctorTopic {
    /// The word of `--json`.
    pub(super) fn word(&self) -> &'static str {
        match self {
            DoctorTopic::Settings => "settings",
            DoctorTopic::Program(_) => "program",
            DoctorTopic::Credentials => "credentials",
            DoctorTopic::Endpoint => "endpoint",
            DoctorTopic::Samples => "samples",
            DoctorTopic::Mocks => "mocks",
            DoctorTopic::Environment => "environment",
            DoctorTopic::Skills => "skills",
            DoctorTopic::Isolation => "isolation",
            DoctorTopic::Sandbox => "sandbox",
            DoctorTopic::Disk => "disk",
            DoctorTopic::Plan => "plan",
            DoctorTopic::Cost => "cost",
        }
    }

    /// The label before a line.
    pub(super) fn label(&self) -> Message {
        match self {
            DoctorTopic::Settings => msg!("doctor-topic-settings"),
            DoctorTopic::Program(name) => msg!("doctor-topic-program", name = name),
            DoctorTopic::Credentials => msg!("doctor-topic-credentials"),
            DoctorTopic::Endpoint => msg!("doctor-topic-endpoint"),
            DoctorTopic::Samples => msg!("doctor-topic-samples"),
            DoctorTopic::Mocks => msg!("doctor-topic-mocks"),
            DoctorTopic::Environment => msg!("doctor-topic-environment"),
            DoctorTopic::Skills => msg!("doctor-topic-skills"),
            DoctorTopic::Isolation => msg!("doctor-topic-isolation"),
            DoctorTopic::Sandbox => msg!("doctor-topic-sandbox"),
            DoctorTopic::Disk => msg!("doctor-topic-disk"),
            DoctorTopic::Plan => msg!("doctor-topic-plan"),
            DoctorTopic::Cost => msg!("doctor-topic-cost"),
        }
    }
}

/// One line of a diagnosis.
#[derive(Clone, Debug)]
pub(super) struct DoctorLine {
    pub(super) topic: DoctorTopic,
    pub(super) status: DoctorStatus,
    pub(super) text: Message,
    /// What to do about it.
    pub(super) remedy: Option<Message>,
    /// Where, in a file.
    pub(super) place: Option<Place>,
}

impl DoctorLine {
    fn new(topic: DoctorTopic, status: DoctorStatus, text: Message, remedy: Option<Message>) -> DoctorLine {
        DoctorLine { topic, status, text, remedy, place: None }
    }

    pub(super) fn info(topic: DoctorTopic, text: Message) -> DoctorLine {
        DoctorLine::new(topic, DoctorStatus::Info, text, None)
    }

    pub(super) fn ok(topic: DoctorTopic, text: Message) -> DoctorLine {
        DoctorLine::new(topic, DoctorStatus::Ok, text, None)
    }

    pub(super) fn warning(topic: DoctorTopic, text: Message, remedy: impl Into<Option<Message>>) -> DoctorLine {
        DoctorLine::new(topic, DoctorStatus::Warning, text, remedy.into())
    }

    pub(super) fn problem(topic: DoctorTopic, text: Message, remedy: impl Into<Option<Message>>) -> DoctorLine {
        DoctorLine::new(topic, DoctorStatus::Problem, text, remedy.into())
    }

    /// The line at a place of a file.
    pub(super) fn at(self, place: Option<Place>) -> DoctorLine {
        DoctorLine { place, ..self }
    }

    /// What was found in an input.
    pub(super) fn of(topic: DoctorTopic, found: &Diagnostic) -> DoctorLine {
        let status = match found.severity {
            DiagnosticSeverity::Warning => DoctorStatus::Warning,
            DiagnosticSeverity::Error => DoctorStatus::Problem,
        };
        DoctorLine::new(topic, status, found.message.clone(), found.help.clone()).at(found.place.clone())
    }

    /// Whether another line tells the same of the same place.
    pub(super) fn is_same(&self, other: &DoctorLine) -> bool {
        let at = |line: &DoctorLine| line.place.as_ref().map(|place| (place.file.name.clone(), place.span));
        self.text == other.text && at(self) == at(other)
    }
}

/// All that was found in inputs.
pub(super) fn of_diagnostics(topic: &DoctorTopic, Diagnostics(found): &Diagnostics) -> Vec<DoctorLine> {
    found.iter().map(|found| DoctorLine::of(topic.clone(), found)).collect()
}

/// Why a command could not do its work.
pub(super) fn of_failure(topic: DoctorTopic, failure: &CommandError) -> Vec<DoctorLine> {
    match failure {
        CommandError::Input(found) => of_diagnostics(&topic, found),
        CommandError::Usage { message, help } => vec![DoctorLine::problem(topic, message.clone(), help.clone())],
        CommandError::Executor { error, place, .. } => {
            let remedy = match error {
                BuildError::Unknown { .. } => {
                    let names: Vec<&str> = EXECUTORS.iter().map(|executor| executor.name).collect();
                    Some(msg!("doctor-executors", names = names.join(", ")))
                }
                _ => error.help().first().cloned(),
            };
            vec![DoctorLine::problem(topic, error.message().clone(), remedy).at(place.as_deref().cloned())]
        }
        other => vec![DoctorLine::problem(topic, msg!("doctor-failed", why = other.to_string()), None)],
    }
}

/// In the order of the topics; of each, what is well, then problems, then warnings.
pub(super) fn sort(lines: &mut [DoctorLine]) {
    let rank = |status| match status {
        DoctorStatus::Info | DoctorStatus::Ok => 0,
        DoctorStatus::Problem => 1,
        DoctorStatus::Warning => 2,
    };
    lines.sort_by(|a, b| (&a.topic, rank(a.status)).cmp(&(&b.topic, rank(b.status))));
}

/// The worst of all.
pub(super) fn worst(lines: &[DoctorLine]) -> DoctorStatus {
    lines.iter().map(|line| line.status).max().unwrap_or(DoctorStatus::Ok)
}
