//! Programs that stay.

use std::fs;
use std::sync::Arc;
use std::time::Duration;

use eval_spec::callable::{AdapterConfig, Protocol};
use eval_spec::{ExecError, Executor, Failure, Output};
use serde_json::{Value, json};

use super::{Bench, PYTHON, soon, value};
use crate::call;

const LOOP: &str = "
import json, os, sys, time
def answer(request, result, **more):
    print(json.dumps({'jsonrpc': '2.0', 'id': request['id'], 'result': result, **more}), flush=True)
for line in sys.stdin:
    request = json.loads(line)
    params = request['params']
    do = params.get('do')
";

fn worker(bench: &Bench, code: &str, workers: Option<u32>) -> Arc<dyn Executor> {
    bench.file("skill.py", &format!("{LOOP}{code}"));
    let config = AdapterConfig { protocol: Protocol::JsonRpcLines, workers, ..AdapterConfig::default() };
    bench.subprocess("python3 skill.py", config)
}

/// Asks one after the other, in one runtime.
fn in_turn(executor: &dyn Executor, inputs: &[Value], limit: Duration) -> Vec<Result<Output, ExecError>> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let mut results = Vec::new();
        for input in inputs {
            let mut asked = call(&input.to_string());
            asked.timeout = limit;
            results.push(executor.call(&asked).await);
        }
        results
    })
}

fn failures(results: &[Result<Output, ExecError>]) -> Vec<Option<Failure>> {
    results.iter().map(|result| result.as_ref().err().map(|error| error.failure)).collect()
}

const LONG: Duration = Duration::from_secs(20);

#[test]
fn one_process_answers_all() {
    let bench = Bench::new();
    let code = "
    print('log line', {'not': 'json'}); print('said', params['n'], file=sys.stderr, flush=True)
    answer(request, [os.getpid(), params['n']], usage={'totalTokens': 2})";
    let results = in_turn(&*worker(&bench, code, None), &[json!({"n": 1}), json!({"n": 2}), json!({"n": 3})], LONG);
    let outputs: Vec<Output> = results.into_iter().map(Result::unwrap).collect();
    let pids: Vec<Value> = outputs.iter().map(|output| value(output)[0].clone()).collect();
    assert!(pids.iter().all(|pid| *pid == pids[0]), "{pids:?}");
    assert_eq!(value(&outputs[2])[1], 3);
    let runs: Vec<_> = outputs.iter().map(|output| output.skill.as_ref().unwrap()).collect();
    assert!(runs[0].start_ms.is_some() && runs[1].start_ms.is_none(), "it was started for the first");
    assert_eq!((runs[2].tokens, runs[2].enforced.is_empty()), (Some(2), false));
    assert!(!runs[2].stderr.contains("said 1"), "{:?}", runs[2].stderr);
}

#[test]
fn an_error_does_not_end_the_worker_but_a_crash_and_a_timeout_do() {
    let bench = Bench::new();
    let code = "
    if do == 'error': print(json.dumps({'jsonrpc': '2.0', 'id': request['id'], 'error': {'code': 1, 'message': 'no'}}), flush=True)
    elif do == 'crash': sys.exit('it broke')
    elif do == 'hang': time.sleep(300)
    elif do == 'wrong': request['id'] += 100; answer(request, 1)
    else: answer(request, os.getpid())";
    let asked = ["", "error", "", "crash", "", "hang", "", "wrong", ""].map(|what| json!({"do": what}));
    let results = in_turn(&*worker(&bench, code, None), &asked, Duration::from_secs(3));
    assert_eq!(
        failures(&results),
        [
            None,
            Some(Failure::Skill),
            None,
            Some(Failure::Crashed),
            None,
            Some(Failure::Timeout),
            None,
            Some(Failure::Skill),
            None
        ]
    );
    let pid = |n: usize| value(results[n].as_ref().unwrap()).to_string();
    assert_eq!(pid(0), pid(2));
    assert!(pid(2) != pid(4) && pid(4) != pid(6) && pid(6) != pid(8));
    for n in [0, 4, 6] {
        assert!(soon(|| !super::lives(&pid(n))), "worker {n} lives");
    }
    let crash = results[3].as_ref().unwrap_err();
    assert_eq!(crash.detail.as_deref(), Some("it broke"));
    let words = results[7].as_ref().unwrap_err().to_string();
    let ids: Vec<u64> = words.split(|c: char| !c.is_ascii_digit()).filter_map(|word| word.parse().ok()).collect();
    assert!(ids.iter().any(|id| ids.contains(&(id + 100))), "{words}");
}

#[test]
fn worker_that_ended_while_idle_is_replaced() {
    let bench = Bench::new();
    let executor = worker(&bench, "\n    answer(request, os.getpid()); break", None);
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let asked = call("{}");
        let first = value(&executor.call(&asked).await.unwrap()).to_string();
        let gone = first.clone();
        // Until the runtime has waited for it, it is there, but doesn't live.
        assert!(tokio::task::spawn_blocking(move || soon(|| !super::lives(&gone))).await.unwrap());
        let second = value(&executor.call(&asked).await.unwrap()).to_string();
        assert_ne!(first, second);
    });
}

#[test]
fn a_worker_that_answers_once_and_ends_is_followed_by_another() {
    let bench = Bench::new();
    // Whether its end is seen before, while or after the next request is written, is chance.
    for code in
        ["answer(request, os.getpid()); break", "answer(request, os.getpid()); print('bye'); time.sleep(0.02); break"]
    {
        let asked = vec![json!({}); 12];
        let results = in_turn(&*worker(&bench, &format!("\n    {code}"), None), &asked, LONG);
        assert!(failures(&results).iter().all(Option::is_none), "{:?}", failures(&results));
    }
}

#[test]
fn worker_that_ends_on_a_request_fails_the_call() {
    let bench = Bench::new();
    let code = "
    if do == 'crash': sys.exit(3)
    elif do == 'kill': os.kill(os.getpid(), 9)
    elif do == 'leave': sys.exit(0)
    else: answer(request, os.getpid())";
    let asked = ["", "crash", "", "kill", "", "leave", ""].map(|what| json!({"do": what}));
    let results = in_turn(&*worker(&bench, code, None), &asked, LONG);
    assert_eq!(
        failures(&results),
        [None, Some(Failure::Crashed), None, Some(Failure::Crashed), None, Some(Failure::Skill), None]
    );
}

#[test]
fn repeated_answer_is_not_taken_for_the_next_one() {
    let bench = Bench::new();
    let code = "\n    answer(request, params['n']); answer(request, 'again')";
    let results = in_turn(&*worker(&bench, code, None), &[json!({"n": 1}), json!({"n": 2})], LONG);
    let values: Vec<Value> = results.into_iter().map(|result| value(&result.unwrap())).collect();
    assert_eq!(values, [1, 2]);
}

#[test]
fn endless_output_is_not_read_endlessly() {
    let bench = Bench::new();
    for noise in ["'x' * 65535 + '\\n'", "'x' * 65536"] {
        let code = format!("\n    while True: sys.stdout.write({noise})");
        let results = in_turn(&*worker(&bench, &code, None), &[json!({})], LONG);
        let error = results[0].as_ref().unwrap_err();
        assert_eq!(error.failure, Failure::Skill);
        assert!(error.to_string().contains("8 MiB"), "{error}");
    }
}

#[test]
fn as_many_workers_as_allowed_and_waiting_is_not_latency() {
    let bench = Bench::new();
    let code = "\n    time.sleep(0.3); answer(request, os.getpid())";
    for (workers, most) in [(None, 1), (Some(2), 2)] {
        let executor = worker(&bench, code, workers);
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        let outputs = runtime.block_on(async {
            let mut asked = call("{}");
            // Less than all of them take, one after the other.
            asked.timeout = Duration::from_millis(1500);
            futures::future::join_all((0..6).map(|_| executor.call(&asked))).await
        });
        let outputs: Vec<Output> = outputs.into_iter().map(Result::unwrap).collect();
        let mut pids: Vec<String> = outputs.iter().map(|output| output.text.clone()).collect();
        pids.sort();
        pids.dedup();
        assert_eq!(pids.len(), most, "{pids:?}");
        assert!(outputs.iter().all(|output| output.latency_ms.unwrap() >= 300));
    }
}

#[test]
fn workers_end_with_the_run() {
    let bench = Bench::new();
    let executor = worker(&bench, "\n    answer(request, os.getpid())", None);
    let results = in_turn(&*executor, &[json!({})], LONG);
    let pid = results[0].as_ref().unwrap().text.clone();
    assert!(super::lives(&pid), "it stays");
    drop((executor, results));
    assert!(soon(|| !super::lives(&pid)));
}

/// The only error of a call, in words, which must not be a timeout's unless it says so.
fn told(code: &str, limit: Duration) -> (Failure, String) {
    let bench = Bench::new();
    let results = in_turn(&*worker(&bench, &format!("\n    {code}"), None), &[json!({"n": 1}), json!({"n": 2})], limit);
    let error = results.into_iter().find_map(Result::err).unwrap();
    assert!(error.partial.is_some());
    (error.failure, error.to_string())
}

#[test]
fn invalid_json_ends_the_call_with_a_reason() {
    for (code, words) in [
        ("answer(request, float('nan'))", "expected value at line 1 column"),
        (
            "print('{\"jsonrpc\":\"2.0\",\"id\":%d,\"result\":' % request['id'] + '[' * 200 + ']' * 200 + '}', flush=True)",
            "recursion limit",
        ),
        (
            "print(json.dumps({'jsonrpc': '2.0', 'id': request['id'], 'result': [1]}, indent=1), flush=True)",
            "not one line",
        ),
        (
            "print(json.dumps({'jsonrpc': '2.0', 'id': request['id']})[:-1] + ',\\n\"result\":1}', flush=True)",
            "not one line",
        ),
    ] {
        // A limit that would hang the tests if it were waited for.
        let (failure, told) = told(code, Duration::from_secs(600));
        assert_eq!(failure, Failure::Skill, "{code}: {told}");
        assert!(told.contains(words), "{code}: {told}");
    }
}

#[test]
fn answer_to_another_request_is_reported() {
    // The same id each time: the second is stale, and nothing else comes.
    let (failure, words) =
        told("first = globals().setdefault('first', request['id']); answer({'id': first}, 1)", Duration::from_secs(2));
    assert_eq!(failure, Failure::Timeout);
    assert!(words.matches("id ").count() >= 2, "{words}");
    let (failure, words) = told(
        "first = globals().setdefault('first', request['id']); answer({'id': first}, 1); answer({'id': first}, 2)",
        Duration::from_secs(600),
    );
    assert_eq!(failure, Failure::Skill);
    assert!(words.matches("id ").count() >= 2, "{words}");
    let (failure, words) = told(
        "sys.stdout.write('{\"jsonrpc\":\"2.0\",\"id\":%d,\"result\":1}' % request['id']); sys.stdout.flush()",
        Duration::from_secs(2),
    );
    assert_eq!(failure, Failure::Skill);
    assert!(words.contains("line break"), "{words}");
}

#[test]
fn answer_that_comes_before_its_request_is_not_taken() {
    let bench = Bench::new();
    // Once a request waits in its input, it answers the id that would be next, and only then reads.
    bench.file(
        "skill.py",
        "
import json, os, select
def answer(id, result):
    os.write(1, (json.dumps({'jsonrpc': '2.0', 'id': id, 'result': result}) + '\\n').encode())
last = 0
while True:
    if not select.select([0], [], [], 60)[0]: break
    answer(last + 1, 'early')
    line = b''
    while not line.endswith(b'\\n'):
        piece = os.read(0, 1)
        if not piece: raise SystemExit
        line += piece
    request = json.loads(line)
    last = request['id']
    answer(last, request['params']['n'])
",
    );
    let config = AdapterConfig { protocol: Protocol::JsonRpcLines, ..AdapterConfig::default() };
    let asked = [json!({"n": 1}), json!({"n": 2}), json!({"n": 3})];
    let results = in_turn(&*bench.subprocess("python3 skill.py", config), &asked, LONG);
    let values: Vec<Value> = results.into_iter().map(|result| value(&result.unwrap())).collect();
    assert_eq!(values, [1, 2, 3]);
}

#[test]
fn log_line_is_not_taken_for_the_answer() {
    let bench = Bench::new();
    let code = "
    print(json.dumps({'id': request['id'], 'result': 'wrong'}))
    print('INFO got', json.dumps({'jsonrpc': '2.0', 'id': request['id'], 'result': 'wrong'}))
    answer(request, params['n'])";
    let results = in_turn(&*worker(&bench, code, None), &[json!({"n": 1}), json!({"n": 2})], LONG);
    let values: Vec<Value> = results.into_iter().map(|result| value(&result.unwrap())).collect();
    assert_eq!(values, [1, 2]);
    let code = "\n    print(json.dumps({'id': request['id'], 'result': params['n']}), flush=True)";
    let results = in_turn(&*worker(&bench, code, None), &[json!({"n": 1}), json!({"n": 2})], LONG);
    let values: Vec<Value> = results.into_iter().map(|result| value(&result.unwrap())).collect();
    assert_eq!(values, [1, 2], "without `jsonrpc`, where nothing better comes");
}

const PAUSE: Duration = Duration::from_millis(300);

/// Waits for the file `go`, and says that it waits.
const WAITING: &str = "
import os, time
open(os.environ['TMPDIR'] + '/waits', 'w').close()
while not os.path.exists('go'): time.sleep(0.005)
";

/// Asks a program that begins with [`WAITING`], which waits at least for [`PAUSE`]. While it does, this process serves the
/// call, unless it is `busy`.
fn answer_after_pause(bench: &Bench, executor: &dyn Executor, busy: bool) -> Result<Output, ExecError> {
    let waits = || fs::read_dir(&bench.scratch).unwrap().any(|folder| folder.unwrap().path().join("waits").exists());
    let pause = async {
        if busy {
            assert!(soon(waits));
            std::thread::sleep(PAUSE);
        } else {
            while !waits() {
                tokio::time::sleep(Duration::from_millis(5)).await;
            }
            // The first one lasts long enough; in the second one the pipe is polled after that.
            tokio::time::sleep(PAUSE).await;
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        bench.file("go", "");
    };
    let mut request = call("{}");
    request.timeout = LONG;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    // The call comes first: it asks for its program, and hears of it when the pause leaves it the thread.
    let (result, ()) = runtime.block_on(futures::future::join(executor.call(&request), pause));
    let folders = fs::read_dir(&bench.scratch).unwrap().map(|folder| folder.unwrap().path());
    folders.for_each(|folder| drop(fs::remove_file(folder.join("waits"))));
    fs::remove_file(bench.directory.join("go")).unwrap();
    result
}

#[cfg(target_os = "linux")]
#[test]
fn time_before_the_first_request_counts_as_start() {
    let pause = u64::try_from(PAUSE.as_millis()).unwrap();
    for busy in [false, true] {
        let bench = Bench::new();
        let executor = worker(&bench, "", None);
        bench.file("skill.py", &format!("{WAITING}{LOOP}\n    answer(request, 1)"));
        let begun = std::time::Instant::now();
        let output = answer_after_pause(&bench, &*executor, busy).unwrap();
        let whole = begun.elapsed().as_millis();
        let (start, latency) = (output.skill.unwrap().start_ms.unwrap(), output.latency_ms.unwrap());
        assert!(start >= pause, "busy: {busy}: {start}");
        assert!(u128::from(start + latency) <= whole, "busy: {busy}: {start} and {latency} are apart");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn latency_of_a_program_that_never_reads_or_answers_once_counts_from_its_start() {
    let pause = u64::try_from(PAUSE.as_millis()).unwrap();
    for busy in [false, true] {
        let bench = Bench::new();
        let executor = worker(&bench, "", None);
        bench.file("skill.py", &format!("{WAITING}raise SystemExit(3)"));
        let error = answer_after_pause(&bench, &*executor, busy).unwrap_err();
        assert!(error.partial.as_ref().unwrap().latency_ms.unwrap() >= pause, "busy: {busy}: {error:?}");
        bench.file("skill.py", &format!("{WAITING}{PYTHON}answer(1)"));
        let executor = bench.subprocess("python3 skill.py", AdapterConfig::default());
        let output = answer_after_pause(&bench, &*executor, busy).unwrap();
        assert!(output.latency_ms.unwrap() >= pause, "busy: {busy}: {output:?}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn slow_start_does_not_count_towards_the_time_limit() {
    let staying = || AdapterConfig { protocol: Protocol::JsonRpcLines, ..AdapterConfig::default() };
    let bench = Bench::new();
    bench.file("skill.py", &format!("import time; time.sleep(2.2)\n{LOOP}\n    answer(request, 1)"));
    let limit = Duration::from_secs(2);
    let results = in_turn(&*bench.subprocess("python3 skill.py", staying()), &[json!({}), json!({})], limit);
    assert_eq!(failures(&results), [None, None], "{results:?}");
    bench.file("skill.py", "import time; time.sleep(600)");
    let never = &*bench.subprocess("python3 skill.py", staying());
    let error = in_turn(never, &[json!({})], Duration::from_millis(100)).pop().unwrap().unwrap_err();
    assert_eq!(error.failure, Failure::Timeout);
    assert!(error.to_string().contains("begun to read"), "{error}");
}

#[test]
fn output_without_an_answer_is_reported() {
    let (failure, words) =
        told("print(json.dumps({'jsonrpc': '2.0', 'id': request['id']}), flush=True)", Duration::from_secs(600));
    assert_eq!(failure, Failure::Skill);
    assert!(words.contains("neither `result` nor `error`"), "{words}");
    let bench = Bench::new();
    let code = "\n    print({'jsonrpc': '2.0', 'id': request['id'], 'result': 1}, flush=True)";
    let results = in_turn(&*worker(&bench, code, None), &[json!({})], Duration::from_secs(1));
    let error = results[0].as_ref().unwrap_err();
    assert_eq!(error.failure, Failure::Timeout);
    assert!(error.detail.as_ref().unwrap().contains("{'jsonrpc'"), "{error:?}");
}
