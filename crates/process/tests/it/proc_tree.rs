//! Processes in `/proc`.

use eval_process::has_variable;
use rustix::process::Pid;

#[test]
fn the_variable_of_one_program_is_not_found_in_another_whose_number_begins_alike() -> std::io::Result<()> {
    let mut child = std::process::Command::new("sleep").arg("60").env("MARK", "/run/12").spawn()?;
    let process = Pid::from_child(&child);
    let has = |beginning: &[u8]| has_variable(process, beginning);
    // The kernel sets the environment up a moment after the program has begun.
    let begun = std::time::Instant::now();
    while !has(b"MARK=") && begun.elapsed() < std::time::Duration::from_secs(10) {
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    assert!(has(b"MARK=/run/12\0") && has(b"MARK=/run/"));
    assert!(!has(b"MARK=/run/1\0") && !has(b"MARK=/run/1/"));
    child.kill()?;
    child.wait()?;
    Ok(())
}
