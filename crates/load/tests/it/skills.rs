//! Callable skills, benchmarks and strategies: what decides a hash, and what a file's keys become.

use std::path::Path;

use eval_load as load;
use eval_spec::callable::{AdapterType, AuthKind, Filters, Scorer, ScorerType, SortKey, SortOrder, Strategy};
use serde_json::{Value, json};

use crate::world::{World, lines};

fn skill(world: &World) -> String {
    let skills = load::callable_skills(&world.context, &["skills/x".into()]).map_err(|e| e.to_string()).unwrap();
    skills.value[0].hash.to_string()
}

#[test]
fn the_hash_of_a_skill_is_of_what_can_decide_its_answers() {
    let world = World::new();
    let manifest = json!({"id": "x", "version": "1.0.0", "adapterType": "subprocess", "entrypoint": "./run"});
    world.write("skills/x/skill.json", manifest.to_string());
    world.write("skills/x/run", "a");
    let before = skill(&world);
    for other in [".git/HEAD", "__pycache__/x.pyc", "node_modules/y/z.js", "reports/r.json", "eval-skills.db-wal"] {
        world.write(&format!("skills/x/{other}"), "new");
        assert_eq!(skill(&world), before, "{other}");
    }
    world.write("skills/x/run", "b");
    let after = skill(&world);
    assert_ne!(after, before);
    world.write("shared.txt", "1");
    std::os::unix::fs::symlink("../../shared.txt", world.path("skills/x/linked")).unwrap();
    let linked = skill(&world);
    world.write("shared.txt", "2");
    assert!(linked != after && skill(&world) != linked, "a link counts by what it leads to");
}

#[test]
fn adapter_config_reaches_its_fields() {
    let world = World::new();
    let manifest = json!({"id": "x", "version": "1.0.0", "adapterType": "http", "entrypoint": "/a"});
    world.write("skills/x/skill.json", manifest.to_string());
    let config = |auth: Value| {
        let mut config = json!({"baseUrl": "http://localhost", "authTokenEnvKey": "KEY"});
        config.as_object_mut().unwrap().extend(auth.as_object().unwrap().clone());
        world.write("skills/x/adapter.config.json", config.to_string());
        let skills = load::callable_skills(&world.context, &["skills".into()]).map_err(|e| e.to_string()).unwrap();
        let auth = skills.value[0].config.auth[0].clone();
        assert_eq!((auth.token_env_key.as_str(), skills.value[0].adapter), ("KEY", AdapterType::Http));
        auth.kind
    };
    assert_eq!(config(json!({"authType": "bearer"})), AuthKind::Bearer);
    assert_eq!(config(json!({"authType": "apiKey"})), AuthKind::ApiKey { header: "X-API-Key".to_owned() });
    let own = json!({"authType": "api-key", "authHeader": "X-Own"});
    assert_eq!(config(own), AuthKind::ApiKey { header: "X-Own".to_owned() });
    let query = json!({"authType": "api-key", "authQuery": "appid"});
    assert_eq!(config(query), AuthKind::ApiKeyQuery { parameter: "appid".to_owned() });
    let cookie = json!({"authType": "api-key", "authCookie": "sid"});
    assert_eq!(config(cookie), AuthKind::ApiKeyCookie { name: "sid".to_owned() });
    assert_eq!(config(json!({"authType": "basic"})), AuthKind::Basic);
}

#[test]
fn several_credentials_go_into_different_places() {
    let world = World::new();
    let manifest = json!({"id": "x", "version": "1.0.0", "adapterType": "http", "entrypoint": "http://localhost/a"});
    world.write("skills/x/skill.json", manifest.to_string());
    let config = |config: Value| {
        world.write("skills/x/adapter.config.json", config.to_string());
        let skills = load::callable_skills(&world.context, &["skills".into()]);
        skills.map(|skills| skills.value[0].config.auth.len()).map_err(|errors| errors.to_string())
    };
    let key = |place: &str, name: &str| json!({"authType": "api-key", "authTokenEnvKey": "KEY", place: name});
    let bearer = || json!({"authType": "bearer", "authTokenEnvKey": "TOKEN"});
    let basic = || json!({"authType": "basic", "authTokenEnvKey": "TOKEN"});
    assert_eq!(config(json!({"auth": [bearer(), key("authHeader", "X-App"), key("authCookie", "X-App")]})), Ok(3));
    for wrong in [
        json!({"auth": [bearer(), basic()]}),
        json!({"auth": [key("authHeader", "X-App"), key("authHeader", "x-app")]}),
        json!({"auth": [bearer()], "authType": "bearer", "authTokenEnvKey": "TOKEN"}),
        json!({"auth": [{"authType": "api-key", "authTokenEnvKey": "KEY", "authHeader": "a", "authCookie": "b"}]}),
        json!({"auth": [{"authType": "bearer", "authTokenEnvKey": "KEY", "token": "secret"}]}),
        json!({"auth": "bearer"}),
    ] {
        let said = config(wrong.clone()).unwrap_err();
        assert!(said.contains("adapter.config.json:1:"), "{wrong}: {said}");
    }
}

#[test]
fn a_style_is_allowed_where_openapi_has_it() {
    let world = World::new();
    let manifest = json!({"id": "x", "version": "1.0.0", "adapterType": "http", "entrypoint": "http://localhost/{a}"});
    world.write("skills/x/skill.json", manifest.to_string());
    let config = |request: Value| {
        world.write("skills/x/adapter.config.json", json!({"request": request}).to_string());
        let skills = load::callable_skills(&world.context, &["skills".into()]);
        skills.map(|skills| skills.value[0].config.request.clone().unwrap()).map_err(|errors| errors.to_string())
    };
    let path = |style: &str| json!({"name": "a", "in": "path", "style": style});
    let query = |style: &str| json!({"name": "q", "in": "query", "style": style});
    let request = config(json!({"method": "GET", "parameters": [path("matrix"), query("deepObject")]})).unwrap();
    assert!(request.parameters.iter().all(|parameter| !parameter.explode));
    let body =
        json!({"contentType": "multipart/form-data", "encoding": {"f": {"file": true, "contentType": "image/png"}}});
    let request = config(json!({"method": "POST", "parameters": [path("label")], "body": body})).unwrap();
    assert!(request.body.unwrap().members["f"].is_file);
    for (parameters, body, said) in [
        (json!([path("form")]), json!({}), "the style `form`"),
        (json!([path("simple"), query("matrix")]), json!({}), "the style `matrix`"),
        (json!([path("simple"), query("tsv")]), json!({}), "tsv"),
        (json!([path("simple")]), json!({"contentType": "multipart/mixed"}), "multipart/mixed"),
        (json!([path("simple")]), json!({"contentType": "image/*"}), "image/*"),
    ] {
        let error = config(json!({"method": "POST", "parameters": parameters, "body": body})).unwrap_err();
        assert!(error.contains(said), "{error}");
    }
}

#[test]
fn what_a_skill_may_write_is_relative_to_its_folder_or_home() {
    let world = World::new();
    let write = |sandbox: Value| {
        let manifest = json!({"id": "x", "version": "1.0.0", "adapterType": "subprocess", "entrypoint": "./run", "sandbox": sandbox});
        world.write("skills/x/skill.json", manifest.to_string());
        load::callable_skills(&world.context, &["skills/x".into()])
    };
    let skills = write(json!({"write": ["data", "/var/lib/x"]})).map_err(|e| e.to_string()).unwrap();
    let folder = skills.value[0].directory.clone();
    assert_eq!(skills.value[0].config.writable, [folder.join("data"), "/var/lib/x".into()]);
    assert!(!skills.value[0].config.may_use_sockets);
    let skills = write(json!({"sockets": true})).map_err(|e| e.to_string()).unwrap();
    assert!(skills.value[0].config.may_use_sockets);
    assert!(write(json!({"sockets": ["/run"]})).is_err());
    assert!(write(json!({"write": "data"})).is_err() && write(json!({"write": [""]})).is_err());
}

fn benchmark(world: &World, file: &Value) -> eval_spec::callable::Benchmark {
    world.write("b/bench.json", file.to_string());
    let loaded = load::benchmark(&world.context, "b/bench.json", None, ScorerType::ExactMatch);
    loaded.map_err(|e| e.to_string()).unwrap().value
}

#[test]
fn the_hash_of_a_benchmark_is_of_what_decides_a_score() {
    let world = World::new();
    world.write("b/scorer.mjs", "export default () => 1;");
    let file = |change: &dyn Fn(&mut Value)| {
        let mut file = json!({"id": "b", "name": "n", "tasks": [
            {"id": "1", "inputData": {"a": 1, "b": 2}, "expectedOutput": {"value": "x"}, "tags": ["t"]},
            {"id": "2", "inputData": {}, "expectedOutput": {"type": "custom", "customScorerPath": "scorer.mjs"}},
        ]});
        change(&mut file);
        benchmark(&world, &file).hash
    };
    let before = file(&|_| {});
    let same: [&dyn Fn(&mut Value); 4] = [
        &|f| f["name"] = "other".into(),
        &|f| f["tasks"][0]["tags"] = json!([]),
        &|f| f["tasks"][0]["description"] = "new".into(),
        &|f| f["tasks"][0]["inputData"] = json!({"b": 2, "a": 1}),
    ];
    for (i, change) in same.into_iter().enumerate() {
        assert_eq!(file(change), before, "{i}");
    }
    let other: [&dyn Fn(&mut Value); 5] = [
        &|f| f["tasks"][0]["inputData"] = json!({"a": 1}),
        &|f| f["tasks"][0]["expectedOutput"]["value"] = "y".into(),
        &|f| f["tasks"][0]["evaluator"] = json!({"caseSensitive": false}),
        &|f| f["tasks"][0]["timeoutMs"] = 5.into(),
        &|f| f["maxLatencyMs"] = 5.into(),
    ];
    for (i, change) in other.into_iter().enumerate() {
        assert_ne!(file(change), before, "{i}");
    }
    world.write("b/scorer.mjs", "export default () => 0;");
    assert_ne!(file(&|_| {}), before, "a custom scorer's content counts");
}

#[test]
fn a_number_that_would_become_another_one_is_refused() {
    let world = World::new();
    let refused = |ending: &str, task: &str| {
        let name = format!("b/big.{ending}");
        world.write(&name, format!("{{\"id\": \"b\", \"tasks\": [{{\"id\": \"1\", {task}}}]}}"));
        let loaded = load::benchmark(&world.context, &name, None, ScorerType::ExactMatch);
        loaded.err().map(|errors| format!("{errors} {}", errors.0[0].help.as_ref().unwrap()))
    };
    let expecting = |value: &str| format!("\"inputData\": {{}}, \"expectedOutput\": {{\"value\": {value}}}");
    let given = |value: &str| format!("\"inputData\": [{value}], \"expectedOutput\": {{\"value\": 1}}");
    for ending in ["json", "yaml"] {
        for task in [
            expecting("15511210043330985984000000"),
            expecting("[3.14159265358979323846]"),
            expecting("9007199254740993.0"),
            given("15511210043330985984000000"),
        ] {
            let said = refused(ending, &task).unwrap();
            assert!(said.contains("more digits") && said.contains("in quotes"), "{said}");
        }
        for task in [
            expecting("18446744073709551615"),
            expecting("[1e25, 0.1, 0.10000000000000001, 0.30000000000000004, -2.5e-3]"),
            expecting("\"15511210043330985984000000\""),
            given("3.14159265358979323846"),
        ] {
            assert_eq!(refused(ending, &task), None, "{task}");
        }
    }
}

#[test]
fn the_type_of_evaluator_wins_over_that_of_expected_output() {
    let world = World::new();
    let of = |task: Value| {
        let mut whole = json!({"id": "1", "inputData": {}});
        whole.as_object_mut().unwrap().extend(task.as_object().unwrap().clone());
        benchmark(&world, &json!({"id": "b", "tasks": [whole]})).tasks[0].scorer.clone()
    };
    let both =
        json!({"expectedOutput": {"type": "exact", "keywords": ["a"], "value": 1}, "evaluator": {"type": "contains"}});
    assert_eq!(of(both), Scorer::Contains { keywords: vec!["a".to_owned()], case_sensitive: false });
    let exact = json!({"expectedOutput": {"value": 1, "caseSensitive": true}, "evaluator": {"caseSensitive": false}});
    assert_eq!(of(exact), Scorer::Exact { value: json!(1), case_sensitive: false });
}

#[test]
fn every_built_in_benchmark_is_right() {
    let world = World::new();
    let all = load::benchmarks(&world.context, None, ScorerType::ExactMatch).map_err(|e| e.to_string()).unwrap();
    let ids: Vec<&str> = all.value.iter().map(|benchmark| benchmark.id.as_str()).collect();
    assert_eq!(ids, ["coding-easy", "skill-quality", "web-search-basic", "gaia-v1", "toolbench-lite"]);
    let tasks: Vec<usize> = all.value.iter().map(|benchmark| benchmark.tasks.len()).collect();
    assert_eq!(tasks[..3], [20, 5, 8]);
    assert!(all.warnings.is_empty());
}

#[test]
fn a_strategy_is_read_from_yaml_and_json() {
    let world = World::new();
    let yaml = "filters:\n  minCompletionRate: 0.8\n  maxErrorRate: 0.1\n  maxLatencyP95Ms: 5000\n  adapterTypes: [http, subprocess]\n  requiredTags: [production-ready]\nsortBy: compositeScore\norder: desc\ntopK: 5\n";
    let expected = Strategy {
        filters: Filters {
            min_completion_rate: Some(0.8),
            max_error_rate: Some(0.1),
            max_latency_p95_ms: Some(5000.0),
            adapter_types: Some(vec![AdapterType::Http, AdapterType::Subprocess]),
            required_tags: vec!["production-ready".to_owned()],
        },
        sort_by: SortKey::CompositeScore,
        order: Some(SortOrder::Desc),
        top_k: Some(5),
    };
    let read = |name: &str, text: &str| {
        world.write(name, text);
        load::strategy(&world.context, Path::new(name))
    };
    let yaml = read("strategy.yaml", yaml).map_err(|e| e.to_string()).unwrap().value;
    assert_eq!(yaml, expected);
    let json = read("s.json", r#"{"sortBy": "latency"}"#).map_err(|e| e.to_string()).unwrap().value;
    assert_eq!((json.sort_by, json.order, json.top_k), (SortKey::Latency, None, None));
    for (text, wrong) in [
        ("", "expected a strategy"),
        ("sortby: latency\n", "unknown key `sortby`"),
        ("sortBy: speed\n", "`speed` is not one of"),
        ("topK: 0\n", "0 is out of range"),
        ("filters: { minCompletionRate: 80 }\n", "80 is out of range"),
        ("filters: { adapterTypes: [soap] }\n", "`soap` is not one of"),
    ] {
        let told = lines(read("strategy.yaml", text));
        assert!(told.contains(wrong), "{text}: {told}");
    }
}

#[test]
fn a_program_outside_of_the_skill_is_part_of_its_hash() {
    let world = World::new();
    let hash = || load::callable_skills(&world.context, &[world.path("sk")]).unwrap().value[0].hash.clone();
    let manifest = |entrypoint: &str| {
        let manifest = json!({"id": "adder", "name": "adder", "version": "1.0.0", "description": "d", "tags": [],
            "inputSchema": {}, "outputSchema": {}, "adapterType": "mcp", "entrypoint": entrypoint, "metadata": {}});
        world.write("sk/skill.json", manifest.to_string());
    };
    world.write("server.py", "1\n");
    manifest("python3 ../server.py");
    let first = hash();
    assert_eq!(first, hash());
    world.write("server.py", "2\n");
    assert_ne!(first, hash());
}
