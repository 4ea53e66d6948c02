//! Measures executors without the engine: `cargo bench -p eval-exec --bench throughput -- http|command|recordings [N]`.
//!
//! - `http`: N calls (2000), 32 at once, to a server that answers in 50 ms. Start one with testkit's
//!   `fake_api` and put its URL into `OPENAI_BASE_URL`, so that its CPU time is not counted here.
//! - `command`: N starts (1000) of `true`, 8 at once. Compare: `seq 1000 | xargs -P8 -n1 true`.
//! - `recordings`: writes N recordings (100,000) of 2 KB, opens them, and replays each.
#![expect(clippy::print_stdout, clippy::unwrap_used, reason = "a program for people")]

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use eval_exec::{Build, Prices, Recorder, Recordings};
use eval_message::Lang;
use eval_spec::call::Generation;
use eval_spec::context::Clock;
use eval_spec::suite::Written;
use eval_spec::{Call, CellKey, Context, Executor, Identity, Output};
use futures::StreamExt;

fn main() {
    // cargo adds `--bench`
    let arguments: Vec<String> = std::env::args().skip(1).filter(|argument| !argument.starts_with('-')).collect();
    let count = |usual: u32| arguments.get(1).map_or(usual, |text| text.parse().unwrap());
    match arguments.first().map(String::as_str) {
        Some("http") => calls(&*executor("openai-api", None), count(2000), 32),
        Some("command") => calls(&*executor("true", None), count(1000), 8),
        Some("recordings") => recordings(count(100_000)),
        _ => println!("throughput http|command|recordings [N]"),
    }
}

fn executor(name: &str, recordings: Option<&std::path::Path>) -> Arc<dyn Executor> {
    let context = Context {
        cwd: std::env::current_dir().unwrap(),
        home: std::env::temp_dir(),
        env: std::env::vars().collect::<BTreeMap<_, _>>(),
        lang: Lang::En,
        stdout_is_terminal: false,
        stderr_is_terminal: false,
        outputs: Vec::new(),
        clock: Clock::System,
        in_inputs: std::collections::BTreeSet::new(),
    };
    let mut settings = Written::default().resolve();
    settings.recordings = recordings.map(Into::into);
    let b = Build { context: &context, settings: &settings, prices: Arc::new(Prices::built_in()) };
    eval_exec::build(name, &b).unwrap()
}

fn call(n: u32) -> Call {
    Call {
        key: CellKey { sample: format!("s{}", n / 2).into(), subject: ["a", "b"][n as usize % 2].into(), repeat: 0 },
        model: "m".to_owned(),
        effort: None,
        system: Some("be brief".into()),
        prompt: format!("prompt number {}", n / 2).into(),
        cwd: None,
        cwd_fingerprint: None,
        surroundings: None,
        generation: Generation::default(),
        allowed_tools: None,
        timeout: Duration::from_secs(60),
    }
}

fn calls(executor: &dyn Executor, count: u32, at_once: usize) {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap();
    let (started, cpu) = (Instant::now(), cpu());
    runtime.block_on(async {
        let one = |n| async move { drop(executor.call(&call(n)).await.unwrap()) };
        futures::stream::iter(0..count).map(one).buffer_unordered(at_once).for_each(|()| async {}).await;
    });
    report(&format!("{count} calls, {at_once} at once"), started, cpu);
}

fn recordings(count: u32) {
    let folder = tempfile::tempdir().unwrap();
    let (started, used) = (Instant::now(), cpu());
    let recorder = Recorder::create(folder.path()).unwrap();
    let output = Ok(Output::text("an answer of two kilobytes ".repeat(75)));
    (0..count).for_each(|n| recorder.record(&call(n), &Identity::default(), &output));
    report("written", started, used);
    let (started, used) = (Instant::now(), cpu());
    println!("{} recordings", Recordings::open(folder.path()).unwrap().len());
    report("opened", started, used);
    drop(recorder);
    calls(&*executor("replay", Some(folder.path())), count, 8);
}

/// Seconds of CPU so far, of this process and of the children it waited for.
fn cpu() -> f64 {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let fields = stat.rsplit(')').next().unwrap_or_default().split_whitespace();
    fields.skip(11).take(4).filter_map(|ticks| ticks.parse::<f64>().ok()).sum::<f64>() / 100.0
}

fn report(what: &str, started: Instant, before: f64) {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap_or_default();
    println!(
        "{what}: {:.2} s, {:.2} s CPU, peak memory {}",
        started.elapsed().as_secs_f64(),
        cpu() - before,
        peak.trim()
    );
}
