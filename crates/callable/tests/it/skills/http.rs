//! Services.

use std::collections::BTreeMap;
use std::time::Duration;

use eval_exec::BuildError;
use eval_spec::callable::{
    AdapterConfig, AdapterType, Auth, AuthKind, BodyEncoding, CallableSkill, FormMember, HttpMethod, Parameter,
    ParameterPlace, ParameterStyle, RequestBody, RequestMapping,
};
use eval_spec::{ExecError, Failure, Outcome, Output};
use serde_json::{Value, json};
use testkit::{Behaviour, FakeApi, FakeReply, ReplyScript};

use super::{Bench, ask, ask_within, value};
use crate::all_words;

const TOKEN: &str = "tok-0123456789-very-secret";

fn bench() -> Bench {
    Bench::with(None, &[("MY_SERVICE", TOKEN)])
}

fn skill(bench: &Bench, api: &FakeApi, config: AdapterConfig) -> CallableSkill {
    let config = AdapterConfig { base_url: Some(api.url.clone()), ..config };
    bench.skill(AdapterType::Http, "/run", config)
}

fn auth(kind: AuthKind) -> AdapterConfig {
    let auth = vec![Auth { kind, token_env_key: "MY_SERVICE".to_owned() }];
    AdapterConfig { auth, ..AdapterConfig::default() }
}

fn asked(reply: FakeReply, input: &str) -> Result<Output, ExecError> {
    let (bench, api) = (bench(), FakeApi::start(ReplyScript::always(reply)));
    ask(&*bench.build(&skill(&bench, &api, auth(AuthKind::Bearer))).unwrap(), input)
}

#[test]
fn the_input_is_posted_with_the_skills_name() {
    let (bench, api) = (bench(), FakeApi::start(ReplyScript::always(FakeReply::raw(200, r#"{"result": 5}"#))));
    let executor = bench.build(&skill(&bench, &api, AdapterConfig::default())).unwrap();
    let output = ask(&*executor, r#"{"expression":"2+3"}"#).unwrap();
    assert_eq!((output.outcome, value(&output)), (Outcome::Answered, json!({"result": 5})));
    assert!(output.latency_ms.is_some() && output.skill.unwrap().enforced.is_empty());
    let request = &api.requests()[0];
    assert_eq!((request.method.as_str(), request.path.as_str()), ("POST", "/run"));
    assert_eq!(request.body, json!({"skillId": "tested", "version": "1.2.3", "input": {"expression": "2+3"}}));
    assert_eq!(request.headers["content-type"], "application/json");
    assert_eq!(executor.identity().base_url.as_deref(), Some(format!("{}/run", api.url).as_str()));
}

#[test]
fn token_is_sent_only_where_it_is_configured() {
    let kinds = [
        (AuthKind::Bearer, "authorization", format!("Bearer {TOKEN}")),
        (AuthKind::ApiKey { header: "X-API-Key".to_owned() }, "x-api-key", TOKEN.to_owned()),
    ];
    for (kind, header, expected) in kinds {
        let (bench, api) = (bench(), FakeApi::start(ReplyScript::always(FakeReply::raw(500, format!("no, {TOKEN}")))));
        let executor = bench.build(&skill(&bench, &api, auth(kind))).unwrap();
        let error = ask(&*executor, "{}").unwrap_err();
        assert_eq!(api.requests()[0].headers[header], expected);
        assert!(!all_words(&error).contains(TOKEN), "{error:?}");
        assert!(!format!("{:?}", executor.identity()).contains(TOKEN));
        assert_eq!(error.detail.as_deref(), Some("no, ***"));
    }
    let (bench, api) = (bench(), FakeApi::start(ReplyScript::always(FakeReply::raw(200, "1"))));
    let skill = skill(&bench, &api, auth(AuthKind::ApiKeyQuery { parameter: "key".to_owned() }));
    ask(&*bench.build(&skill).unwrap(), "{}").unwrap();
    assert_eq!(api.requests()[0].query, format!("key={TOKEN}"));
}

#[test]
fn missing_token_is_a_build_error() {
    let (mut bench, api) = (bench(), FakeApi::start(ReplyScript::happy()));
    for text in [None, Some(" ")] {
        bench.context.env.remove("MY_SERVICE");
        bench.context.env.extend(text.map(|text| ("MY_SERVICE".to_owned(), text.to_owned())));
        let error = bench.build(&skill(&bench, &api, auth(AuthKind::Bearer))).map(drop).unwrap_err();
        assert!(matches!(&error, BuildError::Missing { .. }) && error.to_string().contains("MY_SERVICE"), "{error}");
    }
    assert_eq!(api.count(), 0);
}

#[test]
fn a_body_that_is_not_utf8_is_the_skills_error() {
    use std::io::{Read, Write};
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}", listener.local_addr().unwrap());
    let serving = std::thread::spawn(move || {
        let (mut stream, _) = listener.accept().unwrap();
        let _ = stream.read(&mut [0; 4096]).unwrap();
        stream.write_all(b"HTTP/1.1 200 OK\r\ncontent-length: 6\r\nconnection: close\r\n\r\n\"caf\xe9\"").unwrap();
    });
    let bench = bench();
    let skill = bench.skill(AdapterType::Http, &address, AdapterConfig::default());
    let error = ask(&*bench.build(&skill).unwrap(), "{}").unwrap_err();
    serving.join().unwrap();
    assert_eq!(error.failure, Failure::Skill);
    assert!(error.to_string().contains("UTF-8"), "{error}");
}

#[test]
fn any_body_is_an_answer() {
    let rows = [("25", json!(25)), (" [1]\n", json!([1])), ("plain text\n", json!("plain text\n")), ("", Value::Null)];
    for (body, expected) in rows {
        assert_eq!(value(&asked(FakeReply::raw(200, body), "{}").unwrap()), expected);
    }
    let output = asked(FakeReply::raw(201, r#"{"result":1,"usage":{"totalTokens":9}}"#), "{}").unwrap();
    assert_eq!(output.skill.unwrap().tokens, Some(9));
}

#[test]
fn skill_statuses_are_classified() {
    let rows = [
        (429, Failure::RateLimited),
        (502, Failure::Server),
        (503, Failure::Server),
        (504, Failure::Server),
        (400, Failure::Skill),
        (401, Failure::Skill),
        (404, Failure::Skill),
        (500, Failure::Skill),
        (302, Failure::Skill),
    ];
    for (status, failure) in rows {
        let error = asked(FakeReply::raw(status, "words").header("retry-after", "3"), "{}").unwrap_err();
        assert_eq!((error.failure, error.status), (failure, Some(status)), "{error}");
        if status >= 400 {
            assert_eq!((error.retry_after_ms, error.detail.as_deref()), (Some(3000), Some("words")));
        }
    }
}

#[test]
fn broken_connections_silence_and_floods_are_reported() {
    for behaviour in [Behaviour::Drop, Behaviour::HalfBody] {
        let error = asked(FakeReply::raw(200, "a long answer").behaving(behaviour), "{}").unwrap_err();
        assert_eq!(error.failure, Failure::Dropped, "{behaviour:?}");
    }
    let flood = asked(FakeReply::raw(200, "x".repeat(17 << 20)), "{}").unwrap_err();
    assert!(flood.to_string().contains("16 MiB"), "{flood}");
    let (bench, silent) =
        (bench(), FakeApi::start(ReplyScript::always(FakeReply::text("never").behaving(Behaviour::Silence))));
    let executor = bench.build(&skill(&bench, &silent, AdapterConfig::default())).unwrap();
    let error = ask_within(&*executor, "{}", Duration::from_millis(150)).unwrap_err();
    assert_eq!(error.failure, Failure::Timeout);
    assert!(error.partial.unwrap().latency_ms.unwrap() >= 150);
    let free = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let nobody = bench.skill(AdapterType::Http, &format!("http://{free}/"), AdapterConfig::default());
    assert_eq!(ask(&*bench.build(&nobody).unwrap(), "{}").unwrap_err().failure, Failure::Unreachable);
}

#[test]
fn redirects_are_followed_on_the_same_server_only() {
    let elsewhere = FakeApi::start(ReplyScript::always(FakeReply::raw(200, "2")));
    let location = format!("{}/run/", elsewhere.url);
    let script = ReplyScript::with(move |request| match request.path.as_str() {
        "/run" if request.body["input"] == "away" => FakeReply::raw(307, "").header("location", &location),
        "/run" if request.body["input"] == "round" => FakeReply::raw(307, "").header("location", "/run"),
        "/run" if request.body["input"] == "get" => FakeReply::raw(302, "").header("location", "/run/"),
        "/run" => FakeReply::raw(308, "").header("location", "/run/"),
        _ => FakeReply::raw(200, "1"),
    });
    let (bench, api) = (bench(), FakeApi::start(script));
    let executor = bench.build(&skill(&bench, &api, auth(AuthKind::Bearer))).unwrap();
    assert_eq!(value(&ask(&*executor, "\"here\"").unwrap()), 1);
    assert_eq!(api.requests()[1].body["input"], "here", "the body goes along");
    for input in ["\"away\"", "\"round\"", "\"get\""] {
        let error = ask(&*executor, input).unwrap_err();
        assert_eq!(error.failure, Failure::Skill);
        assert!(error.to_string().contains("redirects"), "{error}");
    }
    assert_eq!(elsewhere.count(), 0);
}

fn parameter(name: &str, place: ParameterPlace, explode: bool) -> Parameter {
    let (name, style) = (name.to_owned(), place.default_style());
    Parameter { field: name.clone(), name, place, style, explode, allow_reserved: false }
}

fn mapped(method: HttpMethod, body: Option<BodyEncoding>) -> AdapterConfig {
    let parameters = vec![
        parameter("petId", ParameterPlace::Path, true),
        parameter("tags", ParameterPlace::Query, true),
        parameter("ids", ParameterPlace::Query, false),
        parameter("X-Trace", ParameterPlace::Header, true),
        parameter("session", ParameterPlace::Cookie, true),
        parameter("Authorization", ParameterPlace::Header, true),
    ];
    let body = body.map(|encoding| RequestBody { field: "body".to_owned(), encoding, members: BTreeMap::new() });
    AdapterConfig { request: Some(RequestMapping { method, parameters, body }), ..auth(AuthKind::Bearer) }
}

fn mapped_request(
    method: HttpMethod,
    body: Option<BodyEncoding>,
    input: &Value,
) -> Result<testkit::Request, ExecError> {
    let (bench, api) = (bench(), FakeApi::start(ReplyScript::always(FakeReply::raw(200, ""))));
    let config = AdapterConfig { base_url: Some(format!("{}/v1/", api.url)), ..mapped(method, body) };
    let skill = bench.skill(AdapterType::Http, "/pets/{petId}?fixed=1", config);
    let output = ask(&*bench.build(&skill).unwrap(), &input.to_string())?;
    assert_eq!(value(&output), Value::Null);
    Ok(api.requests()[0].clone())
}

#[test]
fn mapping_puts_each_member_into_its_parameter() {
    let input = json!({"petId": "a/b c", "tags": ["x", "y&z"], "ids": [1, 2], "X-Trace": true, "session": "s;1",
        "Authorization": "Bearer mine", "body": {"name": "Rex"}});
    let request = mapped_request(HttpMethod::Patch, Some(BodyEncoding::Json), &input).unwrap();
    assert_eq!((request.method.as_str(), request.body), ("PATCH", json!({"name": "Rex"})));
    assert_eq!(request.path, "/v1/pets/a%2Fb%20c");
    assert_eq!(request.query, "fixed=1&tags=x&tags=y%26z&ids=1,2");
    assert_eq!(request.headers["x-trace"], "true");
    assert_eq!(request.headers["cookie"], "session=s%3B1");
    assert_eq!(request.headers["authorization"], format!("Bearer {TOKEN}"), "not the input's");
    let request = mapped_request(HttpMethod::Get, None, &json!({"petId": 7, "body": {"name": "Rex"}})).unwrap();
    assert_eq!((request.method.as_str(), request.body), ("GET", Value::Null));
    assert!(!request.headers.contains_key("cookie"));
}

/// The request that a skill with this configuration sends.
fn sent(config: AdapterConfig, entrypoint: &str, input: &Value) -> testkit::Request {
    let (bench, api) = (bench(), FakeApi::start(ReplyScript::always(FakeReply::raw(200, ""))));
    let config = AdapterConfig { base_url: Some(api.url.clone()), ..config };
    ask(&*bench.build(&bench.skill(AdapterType::Http, entrypoint, config)).unwrap(), &input.to_string()).unwrap();
    api.requests()[0].clone()
}

/// The table *Style Examples* of the OpenAPI Specification 3.1.2 and 3.2.0, compared cell by cell; cells that are `n/a` are left
/// out. The empty text is 3.0.3's column `empty`: a path can't have it, so it is in the unit below. (3.0.3 differs in
/// `label` without `explode`, an error that 3.0.4 corrects.)
#[test]
fn styles_are_those_of_the_specifications_table() {
    use ParameterPlace::{Cookie, Header, Path, Query};
    use ParameterStyle::{DeepObject, Form, Label, Matrix, PipeDelimited, Simple, SpaceDelimited};
    let (text, list) = (json!("blue"), json!(["blue", "black", "brown"]));
    let object = json!({"R": 100, "G": 200, "B": 150});
    for (place, style, explode, expected) in [
        (Path, Matrix, false, [";color=blue", ";color=blue,black,brown", ";color=R,100,G,200,B,150"]),
        (Path, Matrix, true, [";color=blue", ";color=blue;color=black;color=brown", ";R=100;G=200;B=150"]),
        (Path, Label, false, [".blue", ".blue,black,brown", ".R,100,G,200,B,150"]),
        (Path, Label, true, [".blue", ".blue.black.brown", ".R=100.G=200.B=150"]),
        (Path, Simple, false, ["blue", "blue,black,brown", "R,100,G,200,B,150"]),
        (Path, Simple, true, ["blue", "blue,black,brown", "R=100,G=200,B=150"]),
        (Header, Simple, false, ["blue", "blue,black,brown", "R,100,G,200,B,150"]),
        (Header, Simple, true, ["blue", "blue,black,brown", "R=100,G=200,B=150"]),
        (Query, Form, false, ["color=blue", "color=blue,black,brown", "color=R,100,G,200,B,150"]),
        (Query, Form, true, ["color=blue", "color=blue&color=black&color=brown", "R=100&G=200&B=150"]),
        (Query, SpaceDelimited, false, ["", "color=blue%20black%20brown", "color=R%20100%20G%20200%20B%20150"]),
        (Query, PipeDelimited, false, ["", "color=blue%7Cblack%7Cbrown", "color=R%7C100%7CG%7C200%7CB%7C150"]),
        (Query, DeepObject, true, ["", "", "color%5BR%5D=100&color%5BG%5D=200&color%5BB%5D=150"]),
        (Cookie, Form, false, ["color=blue", "color=blue,black,brown", "color=R,100,G,200,B,150"]),
        (Query, DeepObject, false, ["", "", "color%5BR%5D=100&color%5BG%5D=200&color%5BB%5D=150"]),
        (Cookie, Form, true, ["color=blue", "color=blue; color=black; color=brown", "R=100; G=200; B=150"]),
    ] {
        for (value, expected) in [&text, &list, &object].into_iter().zip(expected).filter(|(_, cell)| !cell.is_empty())
        {
            let color = Parameter { style, ..parameter("color", place, explode) };
            let request = RequestMapping { method: HttpMethod::Get, parameters: vec![color], body: None };
            let entrypoint = if place == Path { "/{color}" } else { "/" };
            let config = AdapterConfig { request: Some(request), ..AdapterConfig::default() };
            let request = sent(config, entrypoint, &json!({"color": value}));
            let found = match place {
                Path => &request.path[1..],
                Query => &request.query,
                Header => &request.headers["color"],
                Cookie => &request.headers["cookie"],
            };
            assert_eq!(found, expected, "{style:?} {explode}");
        }
    }
}

/// The column `empty` of the same table: an empty text. A list or an object without values is left out, as RFC 6570 has it.
#[test]
fn empty_values_are_those_of_the_specifications_table() {
    use ParameterPlace::{Header, Path, Query};
    for (place, style, expected) in [
        (Path, ParameterStyle::Matrix, ";color"),
        (Path, ParameterStyle::Label, "."),
        (Path, ParameterStyle::Simple, ""),
        (Header, ParameterStyle::Simple, ""),
    ] {
        for explode in [false, true] {
            let color = Parameter { style, ..parameter("color", place, explode) };
            assert_eq!(color.text(&json!({"color": ""})).as_deref(), Some(expected), "{style:?} {explode}");
            assert_eq!(color.text(&json!({"color": []})), None, "{style:?} {explode}");
            assert_eq!(color.text(&json!({"color": {}})), None, "{style:?} {explode}");
        }
    }
    for explode in [false, true] {
        let color = parameter("color", Query, explode);
        assert_eq!(color.pairs(&json!({"color": ""})), [("color".to_owned(), String::new())]);
        assert!(color.pairs(&json!({"color": []})).is_empty() && color.pairs(&json!({"color": {}})).is_empty());
    }
}

#[test]
fn reserved_characters_stay_where_a_parameter_or_a_form_allows_them() {
    let url = Parameter { allow_reserved: true, ..parameter("u r", ParameterPlace::Query, true) };
    let request = RequestMapping { method: HttpMethod::Get, parameters: vec![url], body: None };
    let config = AdapterConfig { request: Some(request), ..AdapterConfig::default() };
    let value = "http://a/b?c=d,e&f+g#[h] %2F 100%";
    let expected = "http://a/b?c=d,e%26f%2Bg%23%5Bh%5D%20%2F%20100%25";
    assert_eq!(sent(config, "/", &json!({"u r": [value, "a/b"]})).query, format!("u%20r={expected}&u%20r=a/b"));
    let reserved = |place| Parameter { allow_reserved: true, ..parameter("p", place, false) };
    let request = RequestMapping {
        method: HttpMethod::Get,
        parameters: vec![reserved(ParameterPlace::Path), reserved(ParameterPlace::Cookie)],
        body: None,
    };
    let config = AdapterConfig { request: Some(request), ..AdapterConfig::default() };
    let text = "a/b?c:d@e,f;g=h+i#j[k] %20%2e%2E";
    let received = sent(config.clone(), "/x/{p}/y", &json!({"p": text}));
    assert_eq!(received.path, "/x/a%2Fb%3Fc:d@e,f;g=h+i%23j%5Bk%5D%20%20%252e%252E/y");
    assert_eq!(received.headers["cookie"], "p=a/b?c:d@e%2Cf%3Bg=h+i#j[k]%20%20%2e%2E");
    // An encoded dot doesn't lead to another path, either.
    assert_eq!(sent(config, "/x/{p}/y", &json!({"p": "%2e%2E"})).path, "/x/%252e%252E/y");
    let style = Some((ParameterStyle::Form, true));
    let member = FormMember { style, allow_reserved: true, ..FormMember::default() };
    let (_, text) = posted(BodyEncoding::Form, &[("url", member)], json!({"url": value, "plain": "a/b"}));
    assert_eq!(text, format!("url={expected}&plain=a%2Fb"));
}

#[test]
fn parts_of_a_multipart_body_have_their_styles_and_headers() {
    let styled = |style, explode| FormMember { style: Some((style, explode)), ..FormMember::default() };
    let members = [
        ("csv", styled(ParameterStyle::Form, false)),
        ("pipes", styled(ParameterStyle::PipeDelimited, false)),
        ("deep", styled(ParameterStyle::DeepObject, true)),
        ("named", FormMember { headers: vec![("X-Kind".to_owned(), "a b".to_owned())], ..FormMember::default() }),
    ];
    let body = json!({"csv": ["a b", "c/d"], "pipes": [1, 2], "deep": {"k": "v w"}, "named": "n", "list": [1, 2]});
    let (kind, text) = posted(BodyEncoding::Multipart, &members, body);
    let boundary = kind.strip_prefix("multipart/form-data; boundary=").unwrap();
    let parts: Vec<&str> = text.split(&format!("--{boundary}")).collect();
    for (i, expected) in [
        "name=\"csv\"\r\n\r\na b,c/d\r\n",
        "name=\"pipes\"\r\n\r\n1|2\r\n",
        "name=\"deep[k]\"\r\n\r\nv w\r\n",
        "name=\"named\"\r\nX-Kind: a b\r\n\r\nn\r\n",
        "name=\"list\"\r\n\r\n1\r\n",
        "name=\"list\"\r\n\r\n2\r\n",
    ]
    .into_iter()
    .enumerate()
    {
        assert!(parts[i + 1].ends_with(expected), "{expected}: {text}");
    }
}

#[test]
fn values_are_encoded_and_empty_ones_left_out() {
    let styled = |name: &str, style| Parameter { style, ..parameter(name, ParameterPlace::Query, false) };
    let parameters = vec![
        styled("list", ParameterStyle::Form),
        styled("none", ParameterStyle::Form),
        styled("deep", ParameterStyle::DeepObject),
        styled("json", ParameterStyle::Json),
    ];
    let request = RequestMapping { method: HttpMethod::Get, parameters, body: None };
    let config = AdapterConfig { request: Some(request), ..AdapterConfig::default() };
    let input = json!({"list": ["a,b", "c&d"], "none": [], "deep": {"x y": {"z": [1, 2]}, "no": null, "l": [{"a": 1}]},
        "json": {"a": "b"}});
    let request = sent(config, "/?fixed=1", &input);
    let deep = "deep%5Bx%20y%5D%5Bz%5D%5B%5D=1&deep%5Bx%20y%5D%5Bz%5D%5B%5D=2&deep%5Bl%5D%5B0%5D%5Ba%5D=1";
    let expected = format!("fixed=1&list=a%2Cb,c%26d&{deep}&json=%7B%22a%22%3A%22b%22%7D");
    assert_eq!(request.query, expected);
}

fn posted(encoding: BodyEncoding, members: &[(&str, FormMember)], body: Value) -> (String, String) {
    let members = members.iter().map(|(name, member)| ((*name).to_owned(), member.clone())).collect();
    let body_of = RequestBody { field: "body".to_owned(), encoding, members };
    let request = RequestMapping { method: HttpMethod::Post, parameters: Vec::new(), body: Some(body_of) };
    let config = AdapterConfig { request: Some(request), ..AdapterConfig::default() };
    let request = sent(config, "/", &json!({"body": body}));
    (request.headers["content-type"].clone(), String::from_utf8_lossy(&request.bytes).into_owned())
}

#[test]
fn forms_are_written_as_their_members_say() {
    let deep = FormMember { style: Some((ParameterStyle::DeepObject, true)), ..FormMember::default() };
    let body = json!({"a": "x y", "l": [1, 2], "o": {"b": 1}, "meta": {"k": "v"}, "no": null});
    let (kind, text) = posted(BodyEncoding::Form, &[("meta", deep)], body);
    assert_eq!(kind, "application/x-www-form-urlencoded");
    assert_eq!(text, "a=x%20y&l=1&l=2&o=%7B%22b%22%3A1%7D&meta%5Bk%5D=v");
}

#[test]
fn multipart_has_a_part_for_each_value_and_files_have_names() {
    let file = FormMember { is_file: true, ..FormMember::default() };
    let image = FormMember { content_type: Some("image/png".to_owned()), ..file.clone() };
    let body = json!({
        "name": "Rex", "tags": ["a", "b"], "meta": {"k": 1}, "note": "text",
        "photo": {"base64": "iVBORw==", "filename": "a\"b.png"},
    });
    let (kind, text) = posted(BodyEncoding::Multipart, &[("photo", image), ("note", file.clone())], body);
    let boundary = kind.strip_prefix("multipart/form-data; boundary=").unwrap();
    let parts: Vec<&str> = text.split(&format!("--{boundary}")).collect();
    assert_eq!(parts.len(), 8, "{text}");
    assert_eq!(parts[1], "\r\nContent-Disposition: form-data; name=\"name\"\r\n\r\nRex\r\n");
    assert!(parts[3].ends_with("name=\"tags\"\r\n\r\nb\r\n"), "{text}");
    assert!(parts[4].ends_with("name=\"meta\"\r\nContent-Type: application/json\r\n\r\n{\"k\":1}\r\n"), "{text}");
    let note = "name=\"note\"; filename=\"note\"\r\nContent-Type: application/octet-stream\r\n\r\ntext\r\n";
    assert!(parts[5].ends_with(note), "{text}");
    assert!(parts[6].contains("filename=\"a%22b.png\"\r\nContent-Type: image/png\r\n\r\n"), "{text}");
    assert_eq!(parts[7], "--\r\n");

    let raw = || BodyEncoding::Raw("application/octet-stream".to_owned());
    let (kind, text) = posted(raw(), &[], json!({"base64": "aGk="}));
    assert_eq!((kind.as_str(), text.as_str()), ("application/octet-stream", "hi"));
    assert_eq!(posted(raw(), &[], json!("as it is")).1, "as it is");
    for (encoding, body) in [
        (raw(), json!(5)),
        (raw(), json!({"base64": "no base64!"})),
        (raw(), json!({"base64": "aGk=", "text": "hi"})),
        (BodyEncoding::Form, json!("a=b")),
        (BodyEncoding::Multipart, json!({"f": 5})),
    ] {
        let members = BTreeMap::from([("f".to_owned(), file.clone())]);
        let body_of = RequestBody { field: "body".to_owned(), encoding, members };
        let request = RequestMapping { method: HttpMethod::Post, parameters: Vec::new(), body: Some(body_of) };
        let (bench, api) = (bench(), FakeApi::start(ReplyScript::happy()));
        let skill = skill(&bench, &api, AdapterConfig { request: Some(request), ..AdapterConfig::default() });
        let error = ask(&*bench.build(&skill).unwrap(), &json!({"body": body}).to_string()).unwrap_err();
        assert_eq!((error.failure, api.count()), (Failure::Rejected, 0), "{body}: {error}");
    }
}

#[test]
fn several_credentials_are_sent_and_masked() {
    let bench =
        Bench::with(None, &[("LOGIN", "user:pass-word-1"), ("SID", "sid-0123456789"), ("APP", "app-0123456789")]);
    let api = FakeApi::start(ReplyScript::always(FakeReply::raw(500, "no, pass-word-1 dXNlcjpwYXNzLXdvcmQtMQ==")));
    let one = |kind, variable: &str| Auth { kind, token_env_key: variable.to_owned() };
    let auth = vec![
        one(AuthKind::Basic, "LOGIN"),
        one(AuthKind::ApiKeyCookie { name: "session".to_owned() }, "SID"),
        one(AuthKind::ApiKeyQuery { parameter: "app".to_owned() }, "APP"),
    ];
    let parameters =
        vec![parameter("session", ParameterPlace::Cookie, true), parameter("theme", ParameterPlace::Cookie, true)];
    let request = Some(RequestMapping { method: HttpMethod::Get, parameters, body: None });
    let skill = skill(&bench, &api, AdapterConfig { auth: auth.clone(), request, ..AdapterConfig::default() });
    let error = ask(&*bench.build(&skill).unwrap(), r#"{"session": "mine", "theme": "dark"}"#).unwrap_err();
    let request = &api.requests()[0];
    // RFC 7617: the base64 of `user:pass-word-1`.
    assert_eq!(request.headers["authorization"], "Basic dXNlcjpwYXNzLXdvcmQtMQ==");
    assert_eq!(request.headers["cookie"], "session=sid-0123456789; theme=dark");
    assert_eq!(request.query, "app=app-0123456789");
    assert_eq!(error.detail.as_deref(), Some("no, *** ***"));
    for (variable, value) in [("LOGIN", "user"), ("SID", "a b")] {
        let mut bench = Bench::with(None, &[("LOGIN", "user:pass"), ("SID", "sid"), ("APP", "app")]);
        bench.context.env.insert(variable.to_owned(), value.to_owned());
        let skill =
            bench.skill(AdapterType::Http, &api.url, AdapterConfig { auth: auth.clone(), ..AdapterConfig::default() });
        let error = bench.build(&skill).map(drop).unwrap_err().to_string();
        assert!(error.contains(variable), "{error}");
    }
}

#[test]
fn uppercase_scheme_is_accepted() {
    let (bench, api) = (bench(), FakeApi::start(ReplyScript::always(FakeReply::raw(200, "25"))));
    let config = AdapterConfig { base_url: Some("http://127.0.0.1:9/wrong".to_owned()), ..AdapterConfig::default() };
    let skill = bench.skill(AdapterType::Http, &api.url.replace("http://", "HTTP://"), config);
    assert_eq!(value(&ask(&*bench.build(&skill).unwrap(), "{}").unwrap()), json!(25));
    let skill = bench.skill(AdapterType::Mcp, &api.url.replace("http://", "HTTP://"), AdapterConfig::default());
    assert_eq!(bench.build(&skill).unwrap().identity().base_url.as_deref(), Some(&*api.url), "no program");
}

#[test]
fn all_digits_of_numbers_are_sent() {
    let (bench, api) =
        (bench(), FakeApi::start(ReplyScript::always(FakeReply::raw(200, "{\"n\": 15511210043330985984000001}"))));
    let skill = bench.skill(AdapterType::Http, &api.url, AdapterConfig::default());
    let output = ask(&*bench.build(&skill).unwrap(), "{}").unwrap();
    assert_eq!(output.text, "{\"n\":15511210043330985984000001}");
}

#[test]
fn input_that_changes_the_address_is_not_sent() {
    for id in [json!(".."), json!("."), json!(""), Value::Null] {
        let error = mapped_request(HttpMethod::Get, None, &json!({"petId": id})).unwrap_err();
        assert_eq!(error.failure, Failure::Rejected, "{error}");
    }
    let error = mapped_request(HttpMethod::Get, None, &json!({"petId": 1, "X-Trace": "a\r\nHost: b"})).unwrap_err();
    assert_eq!(error.failure, Failure::Rejected, "{error}");
}

#[test]
fn invalid_address_is_a_build_error() {
    let bench = bench();
    for entrypoint in ["run", "/run", "ftp://host/run", "http://", "python3 skill.py"] {
        let skill = bench.skill(AdapterType::Http, entrypoint, AdapterConfig::default());
        assert!(bench.build(&skill).is_err(), "{entrypoint}");
    }
}
