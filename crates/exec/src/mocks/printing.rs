//! The command line that stands in for one of the model's: it prints the answer of a mock, and ends as that says.

use std::io;

use eval_spec::mock::MockAnswer;

use super::session::MockSession;

/// A command that prints the answer and ends as it says.
pub(crate) fn printing(session: &MockSession, answer: &MockAnswer) -> io::Result<String> {
    let mut command = print(session, &answer.stdout, "")?;
    command.push_str(&print(session, answer.stderr.as_bytes(), " >&2")?);
    Ok(command + &format!("exit {}", answer.exit))
}

fn print(session: &MockSession, bytes: &[u8], to: &str) -> io::Result<String> {
    if bytes.is_empty() {
        return Ok(String::new());
    }
    let path = session.file("", bytes)?.display().to_string();
    let path = shlex::try_quote(&path).map_err(|_| io::ErrorKind::InvalidFilename)?.into_owned();
    Ok(format!("cat {path}{to}; "))
}
