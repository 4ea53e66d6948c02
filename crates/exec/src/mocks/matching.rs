//! Which mock answers a call.

use std::path::{Component, Path, PathBuf};

use eval_spec::mock::{Mock, MockConditions};
use regex::Regex;
use serde_json::{Map, Value};

/// The keys under which tools name a file.
pub(super) const PATHS: [&str; 4] = ["file_path", "path", "absolute_path", "notebook_path"];

/// Whether a mock is for this call of an agent that works in `root`.
pub(crate) fn matches(mock: &Mock, tool: &str, input: &Value, root: &Path) -> bool {
    (mock.tool == "*" || mock.tool == tool) && holds(&mock.conditions, input, root)
}

fn holds(conditions: &MockConditions, input: &Value, root: &Path) -> bool {
    let MockConditions { file_path, file_path_endswith, url, url_glob, command_glob, input: part, input_contains } =
        conditions;
    let is = |condition: &Option<String>, holds: &dyn Fn(&str) -> bool| condition.as_deref().is_none_or(holds);
    let path = PATHS.iter().find_map(|key| input[*key].as_str());
    let (address, command) = (input["url"].as_str(), input["command"].as_str());
    is(file_path, &|wanted| path.is_some_and(|path| is_path(path, wanted, root)))
        && is(file_path_endswith, &|end| path.is_some_and(|path| ends_with(path, end)))
        && is(url, &|wanted| address == Some(wanted))
        && is(url_glob, &|pattern| address.is_some_and(|address| fits(address, pattern)))
        && is(command_glob, &|pattern| command.is_some_and(|command| fits(command, pattern)))
        && part.as_ref().is_none_or(|part| input.as_object().is_some_and(|input| has_all(input, part, root)))
        && input_contains.iter().all(|text| mentions(input, &text.to_lowercase()))
}

/// The same path, or the same file of the working directory.
fn is_path(path: &str, wanted: &str, root: &Path) -> bool {
    let below_root = |path: &str| -> PathBuf {
        let path = Path::new(path).strip_prefix(root).unwrap_or(Path::new(path));
        path.components().filter(|part| *part != Component::CurDir).collect()
    };
    path == wanted || below_root(path) == below_root(wanted)
}

fn ends_with(path: &str, end: &str) -> bool {
    path.strip_suffix(end).is_some_and(|before| before.is_empty() || before.ends_with('/') || end.starts_with('/'))
}

/// `*` stands for any text; everything else for itself.
fn fits(text: &str, pattern: &str) -> bool {
    let pattern = regex::escape(pattern).replace(r"\*", "(?s:.*)");
    Regex::new(&format!("^{pattern}$")).is_ok_and(|pattern| pattern.is_match(text))
}

/// Whether an input has this part. Agents name the files of their working directory now by one path, now by another: a path is
/// the same file, not the same text.
fn has_all(input: &Map<String, Value>, part: &Map<String, Value>, root: &Path) -> bool {
    part.iter().all(|(key, wanted)| match (input.get(key), wanted) {
        (Some(Value::String(path)), Value::String(wanted)) if PATHS.contains(&key.as_str()) => {
            is_path(path, wanted, root)
        }
        _ => has(input, &Map::from_iter([(key.clone(), wanted.clone())])),
    })
}

/// Whether every key of `part` has its value, or, for objects, the part of it.
fn has(whole: &Map<String, Value>, part: &Map<String, Value>) -> bool {
    part.iter().all(|(key, wanted)| match (whole.get(key), wanted) {
        (Some(Value::Object(whole)), Value::Object(part)) => has(whole, part),
        (Some(found), wanted) => found == wanted,
        (None, _) => false,
    })
}

fn mentions(value: &Value, text: &str) -> bool {
    match value {
        Value::String(found) => found.to_lowercase().contains(text),
        Value::Array(all) => all.iter().any(|value| mentions(value, text)),
        Value::Object(all) => all.values().any(|value| mentions(value, text)),
        Value::Null | Value::Bool(_) | Value::Number(_) => false,
    }
}

/// Whether every call that `later` is for is one that `earlier` is for, too, and answers; `arguments` are those that calls of
/// the later one's tool always have. What can't be said is no.
pub fn covers(earlier: &Mock, later: &Mock, arguments: &[&str]) -> bool {
    let is_used_up = earlier.always.is_none();
    (earlier.tool == "*" || earlier.tool == later.tool)
        && !is_used_up
        && implies(&later.conditions, &earlier.conditions, arguments)
}

/// Whether all of the `wanted` conditions hold wherever these hold.
fn implies(these: &MockConditions, wanted: &MockConditions, arguments: &[&str]) -> bool {
    let MockConditions { file_path, file_path_endswith, url, url_glob, command_glob, input: part, input_contains } =
        wanted;
    let is = |condition: &Option<String>, holds: &dyn Fn(&str) -> bool| condition.as_deref().is_none_or(holds);
    let argument = |name: &str| these.input.as_ref()?.get(name)?.as_str();
    let path = these.file_path.as_deref().or_else(|| PATHS.iter().find_map(|name| argument(name)));
    let address = these.url.as_deref().or_else(|| argument("url"));
    let always = |name: &str, pattern: &str| arguments.contains(&name) && pattern.chars().all(|c| c == '*');
    // A star of the later pattern is any text, which only a star takes.
    let fits_all = |given: Option<&str>, pattern: &str| given.is_some_and(|given| fits(given, pattern));
    is(file_path, &|wanted| path.is_some_and(|path| is_path(path, wanted, Path::new(""))))
        && is(file_path_endswith, &|end| {
            [path, these.file_path_endswith.as_deref()].into_iter().flatten().any(|path| ends_with(path, end))
        })
        && is(url, &|wanted| address == Some(wanted))
        && is(url_glob, &|pattern| {
            always("url", pattern) || fits_all(address, pattern) || fits_all(these.url_glob.as_deref(), pattern)
        })
        && is(command_glob, &|pattern| {
            always("command", pattern)
                || fits_all(argument("command"), pattern)
                || fits_all(these.command_glob.as_deref(), pattern)
        })
        && part
            .as_ref()
            .is_none_or(|part| these.input.as_ref().is_some_and(|input| has_all(input, part, Path::new(""))))
        && input_contains
            .iter()
            .all(|text| these.input_contains.iter().any(|of| of.to_lowercase().contains(&text.to_lowercase())))
}

#[cfg(test)]
mod tests {
    use eval_spec::mock::MockAnswer;
    use serde_json::json;

    use super::*;

    #[expect(clippy::needless_pass_by_value, reason = "written in place")]
    fn holds_for(conditions: MockConditions, input: Value) -> bool {
        matches(&Mock { tool: "*".to_owned(), conditions, ..Mock::default() }, "Any", &input, Path::new("/home/dev/a"))
    }

    #[test]
    fn paths_are_those_of_the_working_directory() {
        let mock = |path: &str| MockConditions { file_path: Some(path.to_owned()), ..MockConditions::default() };
        assert!(holds_for(mock("/etc/app.conf"), json!({"file_path": "/etc/app.conf"})));
        assert!(holds_for(mock("conf/a.yaml"), json!({"file_path": "/home/dev/a/conf/a.yaml"})));
        assert!(holds_for(mock("./conf/a.yaml"), json!({"path": "conf/a.yaml"})));
        assert!(!holds_for(mock("a.yaml"), json!({"file_path": "/home/dev/a/conf/a.yaml"})));
        assert!(!holds_for(mock("a.yaml"), json!({"command": "cat a.yaml"})));
    }

    /// A recording has the model's own input, a hook the whole path.
    #[test]
    fn paths_in_an_input_are_those_of_the_working_directory_too() {
        let mock = |part: Value| MockConditions { input: part.as_object().cloned(), ..MockConditions::default() };
        let relative = || mock(json!({"file_path": "docs/a.md", "limit": 3}));
        assert!(holds_for(relative(), json!({"file_path": "/home/dev/a/docs/a.md", "limit": 3})));
        assert!(!holds_for(relative(), json!({"file_path": "/home/dev/a/docs/a.md", "limit": 4})));
        assert!(!holds_for(relative(), json!({"file_path": "/home/dev/b/docs/a.md", "limit": 3})));
        assert!(holds_for(mock(json!({"path": "/home/dev/a/docs"})), json!({"path": "./docs"})));
        assert!(!holds_for(mock(json!({"pattern": "docs"})), json!({"pattern": "/home/dev/a/docs"})));
    }

    #[test]
    fn ends_of_paths_begin_at_a_name() {
        let mock = |end: &str| MockConditions { file_path_endswith: Some(end.to_owned()), ..MockConditions::default() };
        assert!(holds_for(mock("conf/a.yaml"), json!({"file_path": "/x/conf/a.yaml"})));
        assert!(holds_for(mock("/a.yaml"), json!({"file_path": "/x/conf/a.yaml"})));
        assert!(!holds_for(mock("a.yaml"), json!({"file_path": "/x/conf/data.yaml"})));
    }

    #[test]
    fn stars_of_patterns_span_lines_and_nothing_else_is_special() {
        let mock =
            |pattern: &str| MockConditions { command_glob: Some(pattern.to_owned()), ..MockConditions::default() };
        assert!(holds_for(mock("psql *"), json!({"command": "psql -c '\nselect 1'"})));
        assert!(holds_for(mock("jq '.[0]' *"), json!({"command": "jq '.[0]' x.json"})));
        assert!(!holds_for(mock("psql"), json!({"command": "psql -c 1"})));
        assert!(!holds_for(mock("p?ql*"), json!({"command": "psql"})));
        let url = MockConditions { url_glob: Some("https://a.example/*?x=1".to_owned()), ..MockConditions::default() };
        assert!(holds_for(url.clone(), json!({"url": "https://a.example/b/c?x=1"})));
        assert!(!holds_for(url, json!({"url": "https://a.example/b/c&x=1"})));
    }

    #[test]
    fn parts_of_the_input_and_texts_in_it_all_hold() {
        let part = json!({"query": {"repo": "a"}, "limit": 3});
        let both = MockConditions {
            input: part.as_object().cloned(),
            input_contains: vec!["OPEN".to_owned()],
            ..MockConditions::default()
        };
        let call = json!({"query": {"repo": "a", "is": "x"}, "limit": 3, "labels": [{"state": "open"}]});
        assert!(holds_for(both.clone(), call.clone()));
        let mut other = call.clone();
        other["query"]["repo"] = json!("b");
        assert!(!holds_for(both.clone(), other));
        let mut closed = call;
        closed["labels"] = json!([]);
        assert!(!holds_for(both, closed));
    }

    fn mock(conditions: &Value) -> Mock {
        let text = |name: &str| conditions[name].as_str().map(str::to_owned);
        let conditions = MockConditions {
            file_path: text("file_path"),
            file_path_endswith: text("file_path_endswith"),
            url: text("url"),
            url_glob: text("url_glob"),
            command_glob: text("command_glob"),
            input: conditions["input"].as_object().cloned(),
            input_contains: text("input_contains").into_iter().collect(),
        };
        Mock { tool: "Any".to_owned(), conditions, always: Some(MockAnswer::default()), ..Mock::default() }
    }

    #[test]
    fn mock_is_covered_by_an_earlier_one_that_is_for_all_of_its_calls() {
        for (earlier, later, is_covered) in [
            (json!({}), json!({"url": "a"}), true),
            (json!({"command_glob": "*"}), json!({"input_contains": "a"}), true),
            (json!({"command_glob": "git *"}), json!({"command_glob": "git push *"}), true),
            (json!({"command_glob": "git push *"}), json!({"command_glob": "git *"}), false),
            (json!({"command_glob": "a*b"}), json!({"command_glob": "a*"}), false),
            (json!({"command_glob": "git *"}), json!({"input": {"command": "git log"}}), true),
            (json!({"url_glob": "*"}), json!({}), false),
            (json!({"url_glob": "https://a/*"}), json!({"url": "https://a/b"}), true),
            (json!({"url_glob": "https://a/*"}), json!({"url": "https://b/b"}), false),
            (json!({"file_path_endswith": "a.conf"}), json!({"file_path": "./etc/a.conf"}), true),
            (json!({"file_path_endswith": "a.conf"}), json!({"file_path_endswith": "etc/a.conf"}), true),
            (json!({"file_path_endswith": "etc/a.conf"}), json!({"file_path_endswith": "a.conf"}), false),
            (json!({"file_path": "a.conf"}), json!({"file_path": "./a.conf"}), true),
            (json!({"file_path": "a.conf"}), json!({}), false),
            (json!({"input": {"a": 1}}), json!({"input": {"a": 1, "b": 2}}), true),
            (json!({"input": {"a": 1, "b": 2}}), json!({"input": {"a": 1}}), false),
            (json!({"input_contains": "Err"}), json!({"input_contains": "an error"}), true),
            (json!({"input_contains": "an error"}), json!({"input_contains": "Err"}), false),
        ] {
            assert_eq!(covers(&mock(&earlier), &mock(&later), &["command"]), is_covered, "{earlier} {later}");
        }
        let mut used_up = mock(&json!({}));
        used_up.sequence.extend(used_up.always.take());
        assert!(!covers(&used_up, &mock(&json!({})), &[]));
    }
}
