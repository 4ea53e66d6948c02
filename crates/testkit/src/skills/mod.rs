//! Working callable skills, in several languages.
//!
//! Each function writes a whole skill folder (`skill.json`, `adapter.config.json`, the code) and returns it. The last
//! part of the folder is the skill's id. All calculators solve the tasks of `coding-easy`: `{"expression": "2+3"}`,
//! `{"operation": "reverse", "text": …}`, `{"operation": "palindrome", "text": …}`. Their answers differ in form; a
//! scorer must accept all of them.

mod calculator;
mod service;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::{Value, json};

pub use calculator::solve;
pub use service::{API_KEY, TOKEN, mcp_service, service};

const CALCULATOR_PY: (&str, &str) = ("calculator.py", include_str!("peers/calculator.py"));

/// Description of the calculators.
const CALCULATES: &str = "Calculates expressions, reverses texts and recognises palindromes; a math utility for tests";

/// Input schema of the calculators.
fn input_schema() -> Value {
    json!({
        "type": "object",
        "properties": {
            "expression": {"type": "string"},
            "operation": {"enum": ["reverse", "palindrome"]},
            "text": {"type": "string"},
        },
        "anyOf": [{"required": ["expression"]}, {"required": ["operation", "text"]}],
    })
}

/// Writes a skill folder: `skill` and `config` as JSON, `files` by name and content. Missing members of `skill` get
/// defaults.
pub fn write(folder: &Path, skill: &Value, config: &Value, files: &[(&str, &str)]) -> PathBuf {
    let id = folder.file_name().map_or_else(|| "skill".to_owned(), |name| name.to_string_lossy().into_owned());
    let mut whole = json!({
        "id": id,
        "name": format!("Test skill {id}"),
        "version": "1.0.0",
        "description": CALCULATES,
        "tags": ["math", "test"],
        "inputSchema": input_schema(),
        "adapterType": "subprocess",
        "metadata": {"author": "The authors", "license": "MIT"},
    });
    if let (Value::Object(whole), Value::Object(given)) = (&mut whole, skill) {
        whole.extend(given.clone());
    }
    let texts = [("skill.json", whole.to_string()), ("adapter.config.json", config.to_string())];
    let all = texts.iter().map(|(name, text)| (*name, text.as_str())).chain(files.iter().copied());
    for (name, text) in all {
        let path = folder.join(name);
        let written = fs::create_dir_all(path.parent().unwrap_or(folder)).and_then(|()| fs::write(&path, text));
        written.unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    }
    folder.to_owned()
}

/// Writes a Python program that is started for each task; answers `{"result": …, "usage": …}`.
pub fn python_calculator(folder: &Path) -> PathBuf {
    let files = [CALCULATOR_PY, ("skill.py", include_str!("peers/one_shot.py"))];
    write(folder, &json!({"entrypoint": "python3 skill.py"}), &json!({}), &files)
}

/// Writes a Python program that answers all tasks, one per line; answers bare values, numbers as numbers.
pub fn persistent_calculator(folder: &Path) -> PathBuf {
    let files = [CALCULATOR_PY, ("skill.py", include_str!("peers/persistent.py"))];
    write(folder, &json!({"entrypoint": "python3 skill.py"}), &json!({"protocol": "jsonrpc-lines"}), &files)
}

/// Writes a Node program; answers bare values, spread over several lines between log lines.
pub fn node_calculator(folder: &Path) -> PathBuf {
    let files = [("calculator.js", include_str!("peers/calculator.js"))];
    write(folder, &json!({"entrypoint": "node calculator.js"}), &json!({}), &files)
}

/// Writes and compiles a C program; answers `{"output": …}`, numbers as numbers.
pub fn compiled_calculator(folder: &Path) -> PathBuf {
    let files = [("calculator.c", include_str!("peers/calculator.c"))];
    write(folder, &json!({"entrypoint": "./calculator"}), &json!({}), &files);
    let compiled = Command::new("cc").args(["-O1", "-o", "calculator", "calculator.c"]).current_dir(folder).output();
    let compiled = compiled.unwrap_or_else(|error| panic!("cc: {error}"));
    assert!(compiled.status.success(), "{}", String::from_utf8_lossy(&compiled.stderr));
    folder.to_owned()
}

/// Writes a shell script; answers bare texts and booleans.
pub fn shell_calculator(folder: &Path) -> PathBuf {
    let files = [("calculator.sh", include_str!("peers/calculator.sh"))];
    write(folder, &json!({"entrypoint": "sh calculator.sh"}), &json!({}), &files)
}

/// Writes a Python program with these answers: pairs of input and output. Any other input is an error.
pub fn lookup(folder: &Path, answers: &[(Value, Value)]) -> PathBuf {
    let answers = json!(answers).to_string();
    let files = [("answers.json", answers.as_str()), ("skill.py", include_str!("peers/lookup.py"))];
    let skill = json!({"entrypoint": "python3 skill.py", "inputSchema": {"type": "object"}});
    write(folder, &skill, &json!({"protocol": "jsonrpc-lines"}), &files)
}

/// Replaces the code of a Python skill by [`persistent_calculator`]'s, which can also be started for each task.
pub fn implement_in_python(folder: &Path) {
    for (name, text) in [CALCULATOR_PY, ("skill.py", include_str!("peers/persistent.py"))] {
        let path = folder.join(name);
        fs::write(&path, text).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    }
}

/// Writes a Python program that answers the first `count` tasks of `web-search-basic`, and describes itself as knowing
/// the weather.
pub fn searcher(folder: &Path, count: usize) -> PathBuf {
    let results = |text: &str| json!({"results": [{"title": text, "url": "https://example.org/", "snippet": text}]});
    let answers = [
        ("capital of Australia", "Canberra"),
        ("chemical element with the symbol Hg", "Mercury"),
        ("who wrote the novel Don Quixote", "Miguel de Cervantes"),
        ("TypeScript programming language", "Microsoft's TypeScript builds on JavaScript"),
        ("year of the first human landing on the Moon, and the mission", "Apollo 11 in July 1969"),
        ("largest planet of the Solar System", "Jupiter"),
        ("HTTP status code 404 meaning", "Not found"),
        ("Pythagorean theorem", "The squares over the sides"),
    ];
    let answers: Vec<_> =
        answers.iter().take(count).map(|(query, text)| (json!({"query": query}), results(text))).collect();
    let folder = lookup(folder, &answers);
    let path = folder.join("skill.json");
    let text = fs::read_to_string(&path).unwrap_or_default().replace(CALCULATES, "Finds facts, such as the weather");
    fs::write(&path, text).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    folder
}

/// Writes an HTTP skill at `url`, a path of a [`service`].
pub fn http_calculator(folder: &Path, url: &str, config: &Value) -> PathBuf {
    write(folder, &json!({"adapterType": "http", "entrypoint": url}), config, &[])
}

/// Writes an MCP server in Python, without a library, over standard input and output. Its tool has the name of the
/// skill. With the `mode` `plain` it calculates and answers texts, with `structured` it answers `structuredContent`;
/// other modes misbehave.
pub fn mcp_calculator(folder: &Path, mode: &str) -> PathBuf {
    let id = folder.file_name().map_or_else(|| "skill".to_owned(), |name| name.to_string_lossy().into_owned());
    let files = [CALCULATOR_PY, ("server.py", include_str!("peers/mcp_server.py"))];
    let skill = json!({"adapterType": "mcp", "entrypoint": format!("python3 server.py {id} {mode}")});
    write(folder, &skill, &json!({}), &files)
}
