//! Commands within limits of time and output.

use std::time::Duration;

use eval_process::{ProcessError, output_within};

fn output(script: &str) -> Result<String, ProcessError> {
    let mut command = std::process::Command::new("/bin/sh");
    command.args(["-c", script]);
    output_within(command, Duration::from_millis(300), 100).map(|(_, out)| String::from_utf8_lossy(&out).into_owned())
}

#[test]
fn a_command_that_hangs_is_stopped_at_its_time_limit() {
    assert!(matches!(output("sleep 60 & sleep 60"), Err(ProcessError::Timeout { .. })));
}

#[test]
fn the_output_of_a_command_is_returned_up_to_its_limit() {
    assert_eq!(output("echo hello; echo more >&2").ok().as_deref(), Some("hello\n"));
    assert!(matches!(output("yes"), Err(ProcessError::OutputTooLong)));
}
