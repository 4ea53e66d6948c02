//! A report as test results: suites of cases that passed, failed, broke or were skipped.

pub(crate) struct CaseList {
    pub(crate) name: String,
    pub(crate) suites: Vec<CaseSuite>,
}

pub(crate) struct CaseSuite {
    pub(crate) name: String,
    pub(crate) properties: Vec<(&'static str, String)>,
    pub(crate) cases: Vec<ListedCase>,
}

pub(crate) struct ListedCase {
    pub(crate) name: String,
    /// Group in viewers; `None` for those that stand alone.
    pub(crate) class: Option<String>,
    pub(crate) end: CaseEnd,
    /// How long it took, in milliseconds; `None` when unknown.
    pub(crate) time_ms: Option<f64>,
    /// Standard error of the program under test.
    pub(crate) stderr: Option<String>,
}

impl ListedCase {
    pub(crate) fn new(name: impl Into<String>, class: Option<&str>, end: CaseEnd) -> ListedCase {
        ListedCase { name: name.into(), class: class.map(str::to_owned), end, time_ms: None, stderr: None }
    }
}

pub(crate) enum CaseEnd {
    Passed,
    /// It was measured and is not good enough.
    Failed(CaseDetail),
    /// It could not be measured.
    Broken(CaseDetail),
    /// It was not measured.
    Skipped(CaseDetail),
}

pub(crate) struct CaseDetail {
    /// A word for programs.
    pub(crate) kind: String,
    /// A line for people.
    pub(crate) message: String,
    /// More than a line.
    pub(crate) details: Option<String>,
}
