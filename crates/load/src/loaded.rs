use eval_spec::Diagnostic;

/// A value that was read, and the warnings about its file.
#[derive(Clone, Debug)]
pub struct Loaded<T> {
    /// The value.
    pub value: T,
    /// The warnings, in file order.
    pub warnings: Vec<Diagnostic>,
}
