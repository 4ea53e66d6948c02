//! How much a skill may keep in its own folders, and what the sandbox can't keep it from.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::time::Duration;

use eval_spec::Failure;
use eval_spec::callable::{AdapterConfig, AdapterType, Protocol, SandboxLimits};
use serde_json::json;

use super::containment::holds;
use super::{Bench, PYTHON, ask_within, soon, value};

fn config(scratch_mb: u64, protocol: Protocol) -> AdapterConfig {
    let limits = SandboxLimits { scratch_mb: Some(scratch_mb), ..SandboxLimits::default() };
    AdapterConfig { limits, protocol, ..AdapterConfig::default() }
}

/// Ways to fill a folder beyond 8 MiB, each of which stops there and waits.
const FILLINGS: [(&str, &str); 6] = [
    ("files", "for n in range(64): open(f'{tmp}/{n}', 'wb').write(bytes(1 << 20))"),
    ("home", "for n in range(64): open(f\"{os.environ['HOME']}/{n}\", 'wb').write(bytes(1 << 20))"),
    (
        "removed files that stay open",
        "kept = []
for n in range(64):
    kept.append(open(f'{tmp}/x', 'wb', buffering=0)); kept[-1].write(bytes(1 << 20)); os.remove(f'{tmp}/x')",
    ),
    (
        "a directory that can't be read",
        "os.mkdir(f'{tmp}/closed'); os.chmod(f'{tmp}/closed', 0o300)
for n in range(64): open(f'{tmp}/closed/{n}', 'wb').write(bytes(1 << 20))",
    ),
    ("empty files", "for n in range(4000): open(f'{tmp}/{n}', 'w').close()"),
    (
        "folders too deep to read",
        "os.chdir(tmp)
for n in range(40): os.mkdir('d' * 200); os.chdir('d' * 200)",
    ),
];

#[test]
fn skill_that_fills_its_folders_is_killed() {
    let bench = Bench::new();
    if !holds(&bench, "scratch-size") {
        return;
    }
    let persistent = FILLINGS[..1].iter().map(|filling| (filling, Protocol::JsonRpcLines));
    for ((how, code), protocol) in FILLINGS.iter().map(|filling| (filling, Protocol::JsonRpc)).chain(persistent) {
        bench.file("skill.py", &format!("{PYTHON}tmp = os.environ['TMPDIR']\n{code}\ntime.sleep(30)"));
        let executor = bench.subprocess("python3 skill.py", config(8, protocol));
        let error = ask_within(&*executor, "{}", Duration::from_secs(25)).unwrap_err();
        assert_eq!(error.failure, Failure::Skill, "{how}: {error}");
        assert!(
            error.to_string().contains("more than 8 MiB") && error.to_string().contains("scratchMb"),
            "{how}: {error}"
        );
    }
    let is_left = |folder: fs::DirEntry| fs::read_dir(folder.path()).is_ok_and(|mut left| left.next().is_some());
    assert!(soon(|| !fs::read_dir(&bench.scratch).unwrap().flatten().any(is_left)), "the folders are emptied");
}

#[test]
fn a_file_with_many_names_a_hole_and_links_outside_count_for_what_they_take() {
    let bench = Bench::new();
    if !holds(&bench, "scratch-size") {
        return;
    }
    let code = "
tmp = os.environ['TMPDIR']
open(f'{tmp}/x', 'wb').write(bytes(3 << 20))
for n in range(20): os.link(f'{tmp}/x', f'{tmp}/name{n}')
with open(f'{tmp}/hole', 'w') as hole: hole.truncate(200 << 20)
os.symlink('/usr', f'{tmp}/usr'); os.symlink(tmp, f'{tmp}/self')
time.sleep(1.5)
answer('kept')";
    bench.file("skill.py", &format!("{PYTHON}{code}"));
    let output =
        ask_within(&*bench.subprocess("python3 skill.py", config(8, Protocol::JsonRpc)), "{}", Duration::from_secs(20));
    assert_eq!(value(&output.unwrap()), "kept");
}

#[test]
fn metadata_of_files_elsewhere_is_reported_as_unguarded() {
    let bench = Bench::new();
    let victim = bench.file("victim", "");
    let output = bench.python("os.chmod(params['input'], 0o640); answer(1)", &json!(victim).to_string()).unwrap();
    let is_guarded = output.skill.unwrap().enforced.iter().any(|guard| guard == "file-metadata");
    assert_eq!(is_guarded, fs::metadata(&victim).unwrap().permissions().mode() & 0o777 != 0o640);
    let skill = bench.skill(AdapterType::Subprocess, "python3 skill.py", AdapterConfig::default());
    assert_ne!(bench.host.not_enforced(&skill).iter().any(|guard| guard == "file-metadata"), is_guarded);
    // What no system has is no reason for a warning in every run.
    assert!(!bench.host.unavailable_guards().iter().any(|line| line.to_string().contains("file-metadata")));
    assert!(Bench::with(Some(false), &[]).host.not_enforced(&skill).is_empty(), "nothing was asked for");
}
