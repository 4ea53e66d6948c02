//! A report as test results: suites of cases that passed, failed, broke or were skipped.

/// All suites.
pub(crate) struct CaseList {
    /// What was tested.
    pub(crate) name: String,
    /// The suites, in their order.
    pub(crate) suites: Vec<CaseSuite>,
}

/// Cases that belong together.
pub(crate) struct CaseSuite {
    /// Its name.
    pub(crate) name: String,
    /// What else is known of it.
    pub(crate) properties: Vec<(&'static str, String)>,
    /// The cases, in their order.
    pub(crate) cases: Vec<ListedCase>,
}

/// One case.
pub(crate) struct ListedCase {
    /// Its name.
    pub(crate) name: String,
    /// What groups it in viewers; `None` for those that stand alone.
    pub(crate) class: Option<String>,
    /// How it ended.
    pub(crate) end: CaseEnd,
    /// How long it took, in milliseconds; `None` when unknown.
    pub(crate) time_ms: Option<f64>,
    /// What the program under test wrote to standard error.
    pub(crate) stderr: Option<String>,
}

impl ListedCase {
    /// A case without time and output.
    pub(crate) fn new(name: impl Into<String>, class: Option<&str>, end: CaseEnd) -> ListedCase {
        ListedCase { name: name.into(), class: class.map(str::to_owned), end, time_ms: None, stderr: None }
    }
}

/// How a case ended.
pub(crate) enum CaseEnd {
    /// As it should.
    Passed,
    /// It was measured and is not good enough.
    Failed(CaseDetail),
    /// It could not be measured.
    Broken(CaseDetail),
    /// It was not measured.
    Skipped(CaseDetail),
}

/// Why a case did not pass.
pub(crate) struct CaseDetail {
    /// A word for programs.
    pub(crate) kind: String,
    /// A line for people.
    pub(crate) message: String,
    /// More than a line.
    pub(crate) details: Option<String>,
}
