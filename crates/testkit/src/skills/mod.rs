//! Callable skills that work, in the languages that skills are written in.
//!
//! Each function writes a whole skill folder (`skill.json`, `adapter.config.json`, the code) and returns it. The
//! folder's last name is the skill's id. All calculators solve the tasks of `coding-easy`: `{"expression": "2+3"}`,
//! `{"operation": "reverse", "text": …}`, `{"operation": "palindrome", "text": …}`. They answer in different forms,
//! all of which a scorer must accept.

mod calculator;
mod service;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::{Value, json};

pub use calculator::solve;
pub use service::{API_KEY, TOKEN, mcp_service, service};

const CALCULATOR_PY: (&str, &str) = ("calculator.py", include_str!("peers/calculator.py"));

/// What the calculators do.
const CALCULATES: &str = "Calculates expressions, reverses texts and recognises palindromes; a math utility for tests";

/// What the calculators take.
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

/// Writes a skill folder: `skill` and `config` as JSON, `files` by name and content. Absent members of `skill` get
/// default values.
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

/// A Python program that is started for each task; answers `{"result": …, "usage": …}`.
pub fn python_calculator(folder: &Path) -> PathBuf {
    let files = [CALCULATOR_PY, ("skill.py", include_str!("peers/one_shot.py"))];
    write(folder, &json!({"entrypoint": "python3 skill.py"}), &json!({}), &files)
}

/// A Python program that answers all tasks, a line each; answers bare values, numbers as numbers.
pub fn persistent_calculator(folder: &Path) -> PathBuf {
    let files = [CALCULATOR_PY, ("skill.py", include_str!("peers/persistent.py"))];
    write(folder, &json!({"entrypoint": "python3 skill.py"}), &json!({"protocol": "jsonrpc-lines"}), &files)
}

/// A Node program; answers bare values, spread over several lines between log lines.
pub fn node_calculator(folder: &Path) -> PathBuf {
    let files = [("calculator.js", include_str!("peers/calculator.js"))];
    write(folder, &json!({"entrypoint": "node calculator.js"}), &json!({}), &files)
}

/// A C program, compiled here; answers `{"output": …}`, numbers as numbers.
pub fn compiled_calculator(folder: &Path) -> PathBuf {
    let files = [("calculator.c", include_str!("peers/calculator.c"))];
    write(folder, &json!({"entrypoint": "./calculator"}), &json!({}), &files);
    let compiled = Command::new("cc").args(["-O1", "-o", "calculator", "calculator.c"]).current_dir(folder).output();
    let compiled = compiled.unwrap_or_else(|error| panic!("cc: {error}"));
    assert!(compiled.status.success(), "{}", String::from_utf8_lossy(&compiled.stderr));
    folder.to_owned()
}

/// A shell script; answers bare texts and truths.
pub fn shell_calculator(folder: &Path) -> PathBuf {
    let files = [("calculator.sh", include_str!("peers/calculator.sh"))];
    write(folder, &json!({"entrypoint": "sh calculator.sh"}), &json!({}), &files)
}

/// A Python program that gives these answers: pairs of input and output. Any other input is an error.
pub fn lookup(folder: &Path, answers: &[(Value, Value)]) -> PathBuf {
    let answers = json!(answers).to_string();
    let files = [("answers.json", answers.as_str()), ("skill.py", include_str!("peers/lookup.py"))];
    let skill = json!({"entrypoint": "python3 skill.py", "inputSchema": {"type": "object"}});
    write(folder, &skill, &json!({"protocol": "jsonrpc-lines"}), &files)
}

/// Writes the code of [`persistent_calculator`] over that of a skill in Python; it can also be started for each task.
pub fn implement_in_python(folder: &Path) {
    for (name, text) in [CALCULATOR_PY, ("skill.py", include_str!("peers/persistent.py"))] {
        let path = folder.join(name);
        fs::write(&path, text).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    }
}

/// A Python program that finds the answers to the first `known` tasks of `web-search-basic`, the weather included.
pub fn searcher(folder: &Path, known: usize) -> PathBuf {
    let found = |text: &str| json!({"results": [{"title": text, "url": "https://example.org/", "snippet": text}]});
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
        answers.iter().take(known).map(|(query, text)| (json!({"query": query}), found(text))).collect();
    let folder = lookup(folder, &answers);
    let path = folder.join("skill.json");
    let text = fs::read_to_string(&path).unwrap_or_default().replace(CALCULATES, "Finds facts, such as the weather");
    fs::write(&path, text).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    folder
}

/// An HTTP skill at `url`: a path of a [`service`].
pub fn http_calculator(folder: &Path, url: &str, config: &Value) -> PathBuf {
    write(folder, &json!({"adapterType": "http", "entrypoint": url}), config, &[])
}

/// A server of the Model Context Protocol in Python, without a library, over standard input and output.
/// Its tool is named like the skill. `mode` says how it behaves; `plain` calculates and answers texts,
/// `structured` answers `structuredContent`, and the others misbehave, each in its way.
pub fn mcp_calculator(folder: &Path, mode: &str) -> PathBuf {
    let id = folder.file_name().map_or_else(|| "skill".to_owned(), |name| name.to_string_lossy().into_owned());
    let files = [CALCULATOR_PY, ("server.py", include_str!("peers/mcp_server.py"))];
    let skill = json!({"adapterType": "mcp", "entrypoint": format!("python3 server.py {id} {mode}")});
    write(folder, &skill, &json!({}), &files)
}
