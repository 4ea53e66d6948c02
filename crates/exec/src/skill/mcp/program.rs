//! What the client needs of a program: that it runs, and can be spoken to.

use eval_spec::{BoxFuture, ExecError};
use tokio::io::{AsyncRead, AsyncWrite};

/// A program that can be started.
pub(crate) trait Program: Send + Sync {
    /// Starts it.
    ///
    /// # Errors
    /// It can't be started.
    fn start(&self) -> BoxFuture<'_, Result<Box<dyn Started>, ExecError>>;
}

/// A pipe into a program.
pub(crate) type Stdin = Box<dyn AsyncWrite + Send + Unpin>;

/// A pipe out of a program.
pub(crate) type Stdout = Box<dyn AsyncRead + Send + Unpin>;

/// A program that runs; it and everything it started is killed when this is dropped.
pub(crate) trait Started: Send + Sync {
    /// Its standard input and output; taken once.
    fn pipes(&mut self) -> (Stdin, Stdout);
    /// The end of its standard error so far.
    fn stderr(&self) -> String;
    /// What holds its process, by name.
    fn enforced(&self) -> Vec<String>;
}
