//! `create --from-openapi`: skills from an OpenAPI document.

use serde_json::{Value, json};

use crate::fixtures::context::{TestContext, tree};

const PETS: &str = r##"
openapi: 3.0.3
info: { title: Swagger Petstore, version: "1.2" }
servers: [{ url: "https://{region}.example.com/v1/", variables: { region: { default: eu } } }]
security: [{ key: [] }]
paths:
  /pets/{id}:
    parameters:
      - $ref: '#/components/parameters/Id'
    get:
      operationId: getPetById
      summary: One pet
      tags: [pets]
      parameters:
        - { name: fields, in: query, explode: false, schema: { type: array, items: { type: string } } }
        - { name: id, in: query, schema: { type: string, nullable: true } }
        - { name: X-Trace, in: header, schema: { type: string } }
        - { name: filter, in: query, style: deepObject, schema: { type: object } }
      responses:
        200: { description: ok, content: { application/json: { schema: { $ref: '#/components/schemas/Pet' } } } }
    delete:
      responses: { '204': { description: gone } }
      security: [{ oauth: [x] }]
  /pets:
    post:
      operationId: createPet
      requestBody: { required: true, content: { application/json: { schema: { $ref: '#/components/schemas/Pet' } } } }
      responses:
        default: { description: x, content: { application/json: { schema: { $ref: 'other.yaml#/Pet' } } } }
  /upload:
    post:
      requestBody: { required: true, content: { multipart/form-data: { schema: { type: object } } } }
      responses: { '200': { description: ok } }
components:
  parameters:
    Id: { name: id, in: path, required: true, description: The number, schema: { type: integer, minimum: 0, exclusiveMinimum: true } }
  securitySchemes:
    key: { type: apiKey, in: query, name: appid }
    oauth: { type: oauth2, flows: {} }
  schemas:
    Pet:
      type: object
      required: [name]
      properties:
        name: { type: string, example: Rex }
        parent: { $ref: '#/components/schemas/Pet' }
"##;

fn read(context: &TestContext, name: &str) -> Value {
    serde_json::from_str(&context.read(name)).unwrap()
}

#[test]
fn each_operation_becomes_a_skill_with_typed_parameters() {
    let context = TestContext::new();
    context.write("pets.yaml", PETS);
    let created = context.run(&["create", "--from-openapi", "pets.yaml"]).expect(0);
    created.says(&["`other.yaml#/Pet` leads out"]);
    assert_eq!(context.names("skills"), ["create_pet", "delete_pets_id", "get_pet_by_id", "post_upload"]);
    context.run(&["lint", "--strict"]).expect(0);

    let get = read(&context, "skills/get_pet_by_id/skill.json");
    assert_eq!((&get["entrypoint"], &get["version"]), (&json!("/pets/{id}"), &json!("1.2.0")));
    let input = &get["inputSchema"];
    assert_eq!(input["required"], json!(["id"]));
    assert_eq!(
        input["properties"]["id"],
        json!({"type": "integer", "exclusiveMinimum": 0, "description": "The number"})
    );
    assert_eq!(input["properties"]["id_query"]["type"], json!(["string", "null"]));
    let output = &get["outputSchema"];
    assert_eq!(output["allOf"][0]["$ref"], "#/$defs/Pet");
    assert_eq!(output["$defs"]["Pet"]["properties"]["parent"]["$ref"], "#/$defs/Pet");

    assert_eq!(
        read(&context, "skills/get_pet_by_id/adapter.config.json"),
        json!({
            "baseUrl": "https://eu.example.com/v1",
            "authType": "api-key",
            "authTokenEnvKey": "SWAGGER_PETSTORE_API_KEY",
            "authQuery": "appid",
            "request": {"method": "GET", "parameters": [
                {"name": "id", "in": "path"},
                {"name": "fields", "in": "query", "explode": false},
                {"name": "id", "in": "query", "field": "id_query"},
                {"name": "X-Trace", "in": "header"},
                {"name": "filter", "in": "query", "style": "deepObject"},
            ]},
        })
    );
    let delete = read(&context, "skills/delete_pets_id/adapter.config.json");
    assert_eq!((&delete["authType"], &delete["request"]["method"]), (&json!("bearer"), &json!("DELETE")));
    let create = read(&context, "skills/create_pet/adapter.config.json");
    assert_eq!(create["request"], json!({"method": "POST", "body": {"field": "body"}}));
    let starter = read(&context, "skills/create_pet/tests/basic.eval.json");
    assert_eq!(starter["tasks"][0]["inputData"], json!({"body": {"name": "Rex"}}));
}

#[test]
fn other_documents_are_refused_and_nothing_is_overwritten() {
    let context = TestContext::new();
    let create = |file: &str| context.run(&["create", "--from-openapi", file]);
    context.write_json("swagger.json", &json!({"swagger": "2.0"}));
    create("swagger.json").expect(2).says(&["no operation"]);
    context.write_json("swagger.json", &json!({"swaggerVersion": "1.2"}));
    create("swagger.json").expect(2).says(&["nor a Swagger 2.0 document"]);
    context.write_json("other.json", &json!({"paths": {}}));
    create("other.json").expect(2).says(&["neither an OpenAPI 3"]);
    context.write_json("empty.json", &json!({"openapi": "3.1.0", "paths": {}}));
    create("empty.json").expect(2).says(&["no operation"]);
    context.write("broken.yaml", "openapi: [");
    create("broken.yaml").expect(2);
    create("missing.yaml").expect(2).says(&["missing.yaml"]);
    context.write("pets.yaml", PETS);
    context.write("skills/create_pet/skill.json", "mine");
    create("pets.yaml").expect(2).says(&["skills/create_pet/skill.json"]);
    assert_eq!(context.names("skills"), ["create_pet"]);
}

/// Circular references, far too many references, and names that would leave the directory.
#[test]
fn hostile_documents_are_bounded() {
    let context = TestContext::new();
    let schemas: serde_json::Map<String, Value> = (0..2_000)
        .map(|i| {
            (format!("S{i}"), json!({"properties": {"next": {"$ref": format!("#/components/schemas/S{}", i + 1)}}}))
        })
        .collect();
    let operation = json!({
        "operationId": "../../../evil",
        "responses": {"200": {"content": {"application/json": {"schema": {"$ref": "#/components/schemas/S0"}}}}},
        "parameters": [{"$ref": "#/components/parameters/loop"}],
    });
    let document = json!({
        "openapi": "3.1.0",
        "servers": [{"url": "https://user:secret@example.com"}],
        "paths": {"/x": {"get": operation, "post": operation}},
        "components": {"schemas": schemas, "parameters": {"loop": {"$ref": "#/components/parameters/loop"}}},
    });
    context.write_json("api.json", &document);
    context.run(&["create", "--from-openapi", "api.json"]).expect(0).says(&["more than 300", "`baseUrl`"]);
    assert_eq!(context.names("."), ["api.json", "skills"]);
    assert_eq!(context.names("skills"), ["evil", "evil_2"]);
    assert!(!context.read("skills/evil/adapter.config.json").contains("secret"));
    context.run(&["lint", "--strict"]).expect(0);
}

/// A document with one operation whose request and response are `S`.
fn with_schemas(schemas: &Value) -> Value {
    let content = json!({"application/json": {"schema": {"$ref": "#/components/schemas/S"}}});
    json!({
        "openapi": "3.1.0",
        "servers": [{"url": "https://api.example.com/v1"}],
        "paths": {"/x": {"get": {
            "requestBody": {"required": true, "content": content},
            "responses": {"200": {"content": content}},
        }}},
        "components": {"schemas": schemas},
    })
}

/// Recursive and unbounded schemas are cut, and our own loader accepts every created skill.
#[test]
fn created_skills_are_bounded_and_loadable() {
    let s = || json!({"$ref": "#/components/schemas/S"});
    let of = |count: usize, one: &Value| Value::Array(vec![one.clone(); count]);
    let members = |next: &Value| {
        let names: Vec<String> = (0..30).map(|i| format!("m{i}")).collect();
        let properties: Value = names.iter().map(|name| (name.clone(), next.clone())).collect();
        json!({"type": "object", "required": names, "properties": properties})
    };
    let chain: serde_json::Map<String, Value> = (0..20)
        .map(|i| {
            let name = if i == 0 { "S".to_owned() } else { format!("T{i}") };
            (name, members(&json!({"$ref": format!("#/components/schemas/T{}", (i + 1).min(19))})))
        })
        .collect();
    let variables: Value =
        (0..60).map(|i| (format!("v{i}"), json!({"default": format!("{{v{}}}", i + 1).repeat(3)}))).collect();
    let mut laughing = with_schemas(&json!({"S": {}}));
    laughing["servers"] = json!([{"url": "https://{v0}", "variables": variables}]);
    let mut header = with_schemas(&json!({"S": {}}));
    header["components"]["securitySchemes"] =
        json!({"key": {"type": "apiKey", "in": "header", "name": "X-Key\r\nHost: evil"}});
    header["security"] = json!([{"key": []}]);
    let mut path = with_schemas(&json!({"S": {}}));
    path["paths"]["/y\r\n z"] = json!({"get": {"operationId": "y", "tags": ["a\u{0}b"], "responses": {}}});
    path["paths"]["https://other.example.com@evil"] = json!({"get": {"operationId": "z", "responses": {}}});
    for (name, document) in [
        ("all of itself", with_schemas(&json!({"S": {"allOf": of(30, &s())}}))),
        ("members of itself", with_schemas(&json!({"S": members(&s())}))),
        ("one of two", with_schemas(&json!({"S": {"anyOf": of(40, &json!({"allOf": of(40, &s())}))}}))),
        ("a chain", with_schemas(&Value::Object(chain))),
        ("a long text", with_schemas(&json!({"S": {"enum": ["y".repeat(4_000_000)]}}))),
        ("a list of itself", with_schemas(&json!({"S": {"type": "array", "items": s()}}))),
        ("variables of variables", laughing),
        ("a header with more lines", header),
        ("odd paths", path),
    ] {
        let context = TestContext::new();
        context.write_json("api.json", &document);
        context.run(&["create", "--from-openapi", "api.json"]).expect(0);
        context.run(&["lint", "--strict"]).expect(0);
        let bytes: usize = tree(&context.path("skills")).iter().flat_map(|(_, content)| content).map(Vec::len).sum();
        assert!(bytes < 1_000_000, "{name}: {bytes}");
        let dry = ["eval", "--skills", "skills", "--benchmark", "skills/get_x/tests/basic.eval.json", "--dry-run"];
        context.run(&dry).expect(0);
    }
}

#[test]
fn mutating_operations_are_named_and_never_suggested() {
    let context = TestContext::new();
    let operation = json!({"responses": {"204": {"description": "done"}}});
    let mut document = json!({
        "openapi": "3.1.0",
        "servers": [{"url": "https://api.example.com/v1"}],
        "paths": {"/pets/{id}": {"delete": operation, "put": operation}},
    });
    context.write_json("api.json", &document);
    let created = context.run(&["create", "--from-openapi", "api.json"]).expect(0);
    let created = created.says(&["2 of the skills", "changes data at api.example.com", "`baseUrl`"]);
    assert!(created.stdout.trim_end().ends_with("--dry-run"), "{created:?}");
    let starter = read(&context, "skills/delete_pets_id/tests/basic.eval.json");
    assert_eq!(starter["tasks"][0]["tags"], json!(["starter", "changes-data"]));
    assert!(starter["tasks"][0]["description"].as_str().unwrap().contains("api.example.com"));

    document["paths"]["/pets"] = json!({"get": operation});
    context.write_json("api.json", &document);
    let created = context.run(&["create", "--from-openapi", "api.json", "--output-dir", "other"]).expect(0);
    let next = created.stdout.lines().last().unwrap();
    assert!(next.contains("other/get_pets ") && !next.contains("--dry-run"), "{created:?}");
}

#[test]
fn operations_without_latin_letters_have_distinct_ids() {
    let context = TestContext::new();
    let operation = json!({"responses": {"200": {"description": "ok"}}});
    let named = json!({"operationId": "查询weather", "responses": {"200": {"description": "ok"}}});
    let paths = json!({"/天气": {"get": operation}, "/新闻": {"get": operation}, "/plain": {"get": named}});
    context.write_json("api.json", &json!({"openapi": "3.1.0", "paths": paths}));
    let created = context.run(&["create", "--from-openapi", "api.json"]).expect(0);
    created.says(&["`GET /天气` is `get_1`", "`GET /新闻` is `get_2`", "`查询weather` is `get_plain`"]);
    assert_eq!(context.names("skills"), ["get_1", "get_2", "get_plain"]);
}

/// Paths, operations, parameters, bodies, answers and schemas in files of their own, as DigitalOcean's document has them.
#[test]
fn a_document_over_files_is_read_whole() {
    let context = TestContext::new();
    context.write(
        "api/api.yaml",
        "openapi: 3.0.3\ninfo: {title: Things, version: '1'}\nservers: [{url: 'https://api.example.com/v1'}]\n\
         paths:\n  /things/{id}:\n    $ref: 'paths/thing.yaml'\n  /things:\n    post:\n      $ref: 'paths/create.yaml'\n\
         components:\n  schemas:\n    $ref: 'models/all.json'\n",
    );
    context.write(
        "api/paths/thing.yaml",
        "get:\n  operationId: getThing\n  parameters:\n    - $ref: '../shared.yaml#/parameters/Lang'\n  responses:\n    \
         '200':\n      $ref: '../shared.yaml#/responses/Thing'\n",
    );
    context.write(
        "api/paths/create.yaml",
        "operationId: createThing\nrequestBody:\n  $ref: '../shared.yaml#/bodies/Thing'\nresponses:\n  '204': {description: ok}\n",
    );
    context.write(
        "api/shared.yaml",
        "parameters:\n  Lang: {name: lang, in: query, required: true, schema: {type: string}}\nbodies:\n  Thing:\n    \
         required: true\n    content:\n      application/json:\n        schema:\n          $ref: './models/thing.yaml'\n\
         responses:\n  Thing:\n    description: ok\n    content:\n      Application/JSON; charset=utf-8:\n        schema:\n          \
         $ref: 'api.yaml#/components/schemas/Thing'\n",
    );
    context.write("api/models/all.json", r#"{"Thing": {"$ref": "thing.yaml"}}"#);
    context.write("api/models/thing.yaml", "type: object\nrequired: [zip]\nproperties:\n  $ref: 'members.yaml'\n");
    context.write("api/models/members.yaml", "zip: {type: string, example: 090}\nparent:\n  $ref: 'thing.yaml'\n");
    let created = context.run(&["create", "--from-openapi", "api/api.yaml"]).expect(0);
    assert!(!created.stderr.contains("can't be"), "{created:?}");
    assert!(created.stdout.contains("6 more files are read, such as `models/all.json`"), "{created:?}");
    context.run(&["lint", "--strict"]).expect(0);
    let get = read(&context, "skills/get_thing/skill.json");
    assert_eq!(get["inputSchema"]["required"], json!(["lang", "id"]));
    assert_eq!(get["outputSchema"]["$defs"]["thing"]["properties"]["parent"]["$ref"], "#/$defs/thing");
    let create = read(&context, "skills/create_thing/tests/basic.eval.json");
    assert_eq!(create["tasks"][0]["inputData"], json!({"body": {"zip": "090"}}));
}

#[test]
fn what_a_reference_loses_is_named() {
    let context = TestContext::new();
    context.write("secret.json", r#"{"Q": {"name": "q", "in": "query"}}"#);
    let lost = |reference: &str| json!({"$ref": reference});
    let document = json!({
        "openapi": "3.0.3",
        "servers": [{"url": "https://api.example.com"}],
        "paths": {
            "/a": {"get": {
                "parameters": [
                    lost("#/components/parameters/Nope"),
                    lost("#/components/parameters/Loop"),
                    lost("../secret.json#/Q"),
                    lost("missing.json#/Q"),
                    lost("https://example.com/common.json#/Q"),
                    {"name": "x", "in": "querystring"},
                ],
                "responses": {"200": lost("#/components/responses/Nothing")},
            }, "trace": {"responses": {}}},
            "/b": {"post": {"requestBody": lost("missing.json#/Body"), "responses": {"204": {"description": "ok"}}}},
            "/c": lost("missing.json#/c"),
            "/d": {"get": lost("missing.json#/d")},
        },
        "components": {"parameters": {"Loop": lost("#/components/parameters/Loop")}},
    });
    context.write_json("api/api.json", &document);
    let created = context.run(&["create", "--from-openapi", "api/api.json"]).expect(0);
    created.says(&[
        "`#/components/parameters/Nope`",
        "`#/components/parameters/Loop`",
        "outside of the document's folder",
        "`missing.json` can't be read",
        "`https://example.com/common.json#/Q`",
        "the parameter `x` in `querystring` is left out",
        "nothing is known of its answer, since `#/components/responses/Nothing`",
        "TRACE /a is skipped",
        "POST /b: the body is left out, since `missing.json#/Body`",
        "/c is skipped: `missing.json#/c`",
        "GET /d is skipped: `missing.json#/d`",
    ]);
    assert_eq!(context.names("skills"), ["get_a", "post_b"]);
    let starter = read(&context, "skills/get_a/tests/basic.eval.json");
    assert_eq!(starter["tasks"][0]["expectedOutput"]["schema"], json!({"not": {"type": "string"}}));
}

/// Words of other drafts and extensions check nothing; a schema that is none isn't used.
#[test]
fn starters_of_odd_schemas_are_accepted_by_eval() {
    let context = TestContext::new();
    for (name, schema) in [
        ("another draft", json!({"$recursiveAnchor": "x", "$id": "http://[", "type": "object", "x-go": 1})),
        ("beside a reference", json!({"$ref": "#/components/schemas/Other", "type": "object", "required": ["a"]})),
        ("a list of items", json!({"type": "array", "items": [{"$ref": "#/components/schemas/Other"}]})),
        ("an unknown type", json!({"type": "any"})),
        ("required as in draft 3", json!({"type": "object", "required": true})),
        ("a pattern of no language", json!({"type": "string", "pattern": "(["})),
    ] {
        for version in ["3.0.3", "3.1.0"] {
            let mut document = with_schemas(&json!({"S": schema, "Other": {"type": "object"}}));
            document["openapi"] = version.into();
            context.write_json("api.json", &document);
            context.run(&["create", "--from-openapi", "api.json", "--force"]).expect(0);
            let dry = ["eval", "--skills", "skills", "--benchmark", "skills/get_x/tests/basic.eval.json", "--dry-run"];
            let tried = context.run(&dry);
            assert_eq!(tried.code, 0, "{name}, {version}: {tried:?}");
        }
    }
}

const SWAGGER: &str = r##"
swagger: 2.0
info: { title: Pets, version: "1" }
host: HOST
basePath: /v2/
schemes: [http, ws]
consumes: [application/json, application/xml]
produces: [application/json]
securityDefinitions:
  login: { type: basic }
  session: { type: apiKey, in: header, name: X-Session }
security: [{ login: [], session: [] }]
parameters:
  Tags: { name: tags, in: query, type: array, items: { type: string }, collectionFormat: pipes, x-example: [a, b] }
  Pet: { name: pet, in: body, required: true, schema: { $ref: '#/definitions/Pet' } }
responses:
  Pet: { description: ok, schema: { $ref: '#/definitions/Pet' } }
paths:
  /pets/{id}:
    parameters:
      - { name: id, in: path, required: true, type: integer }
      - { name: lang, in: query, required: true, type: string, enum: [en, de] }
    get:
      parameters:
        - $ref: '#/parameters/Tags'
        - { name: ids, in: query, type: array, items: { type: integer } }
        - { name: all, in: query, type: array, items: { type: integer }, collectionFormat: multi }
        - { name: tabs, in: query, type: array, items: { type: integer }, collectionFormat: tsv }
        - { name: Accept, in: header, required: true, type: string, default: application/json }
        - $ref: '#/parameters/Nope'
      responses: { 200: { $ref: '#/responses/Pet' } }
    put:
      parameters: [{ $ref: '#/parameters/Pet' }]
      responses: { 204: { description: ok } }
  /pets/{id}/photo:
    post:
      consumes: [multipart/form-data]
      schemes: [https]
      security: []
      parameters:
        - { name: id, in: path, required: true, type: integer }
        - { name: note, in: formData, type: string, description: A note }
        - { name: file, in: formData, required: true, type: file }
      responses: { 200: { description: ok, schema: { type: file } } }
  /login:
    post:
      parameters:
        - { name: user, in: formData, required: true, type: string }
        - { name: Authorization, in: header, required: true, type: string }
        - { name: roles, in: formData, type: array, items: { type: string } }
      security: []
      responses: { default: { description: x } }
definitions:
  Pet:
    type: object
    required: [name]
    properties: { name: { type: string, x-nullable: true, example: Rex } }
"##;

#[test]
fn swagger_2_is_read_as_openapi_3() {
    let context = TestContext::new();
    context.write("pets.yaml", &SWAGGER.replace("HOST", "api.example.com"));
    let created = context.run(&["create", "--from-openapi", "pets.yaml"]).expect(0);
    created.says(&["`tabs` is left out", "`#/parameters/Nope`"]);
    assert_eq!(context.names("skills"), ["get_pets_id", "post_login", "post_pets_id_photo", "put_pets_id"]);
    context.run(&["lint", "--strict"]).expect(0);

    let get = read(&context, "skills/get_pets_id/skill.json");
    let input = &get["inputSchema"]["properties"];
    assert_eq!(input["lang"], json!({"type": "string", "enum": ["en", "de"]}));
    assert_eq!(get["outputSchema"]["$defs"]["Pet"]["properties"]["name"]["type"], json!(["string", "null"]));
    let config = read(&context, "skills/get_pets_id/adapter.config.json");
    assert_eq!(config["baseUrl"], "http://api.example.com/v2");
    assert_eq!(
        config["auth"],
        json!([
            {"authType": "basic", "authTokenEnvKey": "PETS_LOGIN_BASIC_AUTH"},
            {"authType": "api-key", "authTokenEnvKey": "PETS_SESSION_API_KEY", "authHeader": "X-Session"},
        ])
    );
    assert_eq!(
        config["request"]["parameters"],
        json!([
            {"name": "id", "in": "path"},
            {"name": "lang", "in": "query"},
            {"name": "tags", "in": "query", "style": "pipeDelimited"},
            {"name": "ids", "in": "query", "explode": false},
            {"name": "all", "in": "query"},
            {"name": "Accept", "in": "header"},
        ])
    );
    let starter = read(&context, "skills/get_pets_id/tests/basic.eval.json");
    let input = json!({"id": 1, "lang": "en", "tags": ["a", "b"], "Accept": "application/json"});
    assert_eq!(starter["tasks"][0]["inputData"], input);

    let put = read(&context, "skills/put_pets_id/adapter.config.json");
    assert_eq!(put["request"]["body"], json!({"field": "body"}));
    let put = read(&context, "skills/put_pets_id/skill.json");
    assert_eq!(put["inputSchema"]["properties"]["body"], json!({"$ref": "#/$defs/Pet"}));
    assert_eq!(put["inputSchema"]["required"], json!(["id", "lang", "body"]));

    let photo = read(&context, "skills/post_pets_id_photo/adapter.config.json");
    assert_eq!(photo["baseUrl"], "https://api.example.com/v2");
    assert_eq!(photo["authType"], Value::Null);
    let body = json!({"field": "body", "contentType": "multipart/form-data", "encoding": {"file": {"file": true}}});
    assert_eq!(photo["request"]["body"], body);
    let photo = read(&context, "skills/post_pets_id_photo/skill.json");
    let body = &photo["inputSchema"]["properties"]["body"];
    assert_eq!(body["properties"]["note"], json!({"type": "string", "description": "A note"}));
    assert_eq!(body["properties"]["file"]["anyOf"][1]["properties"]["base64"]["type"], "string");

    let login = read(&context, "skills/post_login/adapter.config.json");
    assert_eq!(login["authHeader"], "Authorization", "the token is no part of an input");
    let kind = "application/x-www-form-urlencoded";
    let body = json!({"field": "body", "contentType": kind, "encoding": {"roles": {"explode": false}}});
    assert_eq!(login["request"]["body"], body);
}

/// The skills of a Swagger 2.0 document call its service with both credentials.
#[test]
fn created_skills_of_swagger_2_call_the_service() {
    use testkit::{FakeApi, FakeReply, ReplyScript};
    let api = FakeApi::start(ReplyScript::always(FakeReply::raw(200, r#"{"name": "Rex"}"#)));
    let context = TestContext::new();
    let keys = [("PETS_LOGIN_BASIC_AUTH", "user:pass"), ("PETS_SESSION_API_KEY", "key-0123456789")];
    context.write("pets.yaml", &SWAGGER.replace("HOST", api.url.trim_start_matches("http://")));
    context.run(&["create", "--from-openapi", "pets.yaml"]).expect(0);
    let benchmark = "skills/get_pets_id/tests/basic.eval.json";
    context.run_with(&["eval", "--skills", "skills/get_pets_id", "--benchmark", benchmark], &keys).expect(0);
    let request = &api.requests()[0];
    assert_eq!((request.path.as_str(), request.query.as_str()), ("/v2/pets/1", "lang=en&tags=a%7Cb"));
    assert_eq!(request.headers["authorization"], "Basic dXNlcjpwYXNz");
    assert_eq!(request.headers["x-session"], "key-0123456789");
    assert!(
        !tree(&context.path(""))
            .iter()
            .flat_map(|(_, content)| content)
            .any(|bytes| contains(bytes, b"key-0123456789"))
    );
}

fn contains(bytes: &[u8], part: &[u8]) -> bool {
    bytes.windows(part.len()).any(|window| window == part)
}

/// What a document says of forms, files, cookies, styles and credentials reaches the adapter.
#[test]
fn forms_files_and_styles_are_built() {
    let context = TestContext::new();
    let key = |place: &str, name: &str| json!({"type": "apiKey", "in": place, "name": name});
    let post = |kind: &str, media: Value| json!({"requestBody": {"required": true, "content": {kind: media}}, "responses": {"204": {"description": "ok"}}});
    let binary = json!({"type": "string", "format": "binary"});
    let upload = json!({
        "schema": {"$ref": "#/components/schemas/Upload"},
        "encoding": {"photo": {"contentType": "image/png"}, "meta": {"contentType": "application/json"}},
    });
    let deep = json!({
        "schema": {"type": "object", "properties": {"expand": {"type": "array"}, "meta": {"type": "object"}}},
        "encoding": {"meta": {"style": "deepObject", "explode": true}, "expand": {"style": "new"}},
    });
    let parameters = json!([
        {"name": "sid", "in": "cookie", "schema": {"type": "string"}},
        {"name": "filter", "in": "query", "content": {"application/json": {"schema": {"type": "object"}}}},
        {"name": "page", "in": "query", "style": "form", "schema": {"type": "object"}},
        {"name": "bad", "in": "query", "style": "matrix", "schema": {"type": "string"}},
    ]);
    context.write("shared.json", r#"{"get": {"responses": {"204": {"description": "ok"}}}}"#);
    let document = json!({
        "openapi": "3.0.3",
        "info": {"title": "Things"},
        "servers": [{"url": "//api.example.com/v1"}],
        "security": [{"digest": []}, {"user": [], "app": []}, {"user": []}],
        "paths": {
            "/things{id}": {"get": {
                "parameters": [{"name": "id", "in": "path", "style": "matrix", "schema": {"type": "array"}}],
                "responses": {"204": {"description": "ok"}},
            }},
            "/upload": {"post": post("multipart/form-data", upload)},
            "/raw": {"post": post("application/octet-stream", json!({"schema": binary}))},
            "/xml": {"post": post("application/xml", json!({"schema": {"type": "object"}, "example": {"a": 1}}))},
            "/form": {"post": post("application/x-www-form-urlencoded", deep)},
            "/shared": {"$ref": "shared.json", "parameters": parameters},
        },
        "components": {
            "schemas": {"Upload": {"type": "object", "required": ["photo"], "properties": {"photo": binary, "all": {
                "type": "array", "items": binary}, "meta": {"type": "object"}}}},
            "securitySchemes": {
                "digest": {"type": "http", "scheme": "digest"},
                "user": key("cookie", "user"),
                "app": key("cookie", "app"),
            },
        },
    });
    context.write_json("api.json", &document);
    let created = context.run(&["create", "--from-openapi", "api.json"]).expect(0);
    created.says(&["`baseUrl`, which is `https://api.example.com/v1`", "`bad` is left out", "its style `new`"]);
    context.run(&["lint", "--strict"]).expect(0);
    let config = |id: &str| read(&context, &format!("skills/{id}/adapter.config.json"));
    let input =
        |id: &str| read(&context, &format!("skills/{id}/tests/basic.eval.json"))["tasks"][0]["inputData"].clone();
    assert_eq!(
        config("get_shared")["request"]["parameters"],
        json!([
            {"name": "sid", "in": "cookie"},
            {"name": "filter", "in": "query", "style": "json"},
            {"name": "page", "in": "query"},
        ])
    );
    let keys: Vec<Value> = config("post_raw")["auth"].as_array().unwrap().clone();
    assert_eq!(keys[1], json!({"authType": "api-key", "authTokenEnvKey": "THINGS_APP_API_KEY", "authCookie": "app"}));
    let upload = &config("post_upload")["request"]["body"];
    assert_eq!(
        upload["encoding"],
        json!({"all": {"file": true}, "photo": {"file": true, "contentType": "image/png"}, "meta": {"contentType": "application/json"}})
    );
    assert_eq!(input("post_upload"), json!({"body": {"photo": "x"}}));
    assert_eq!(config("post_raw")["request"]["body"]["contentType"], "application/octet-stream");
    assert_eq!(input("post_xml"), json!({"body": "x"}), "an example that is no text can't be sent");
    let form = &config("post_form")["request"]["body"];
    assert_eq!(form["encoding"], json!({"meta": {"style": "deepObject", "explode": true}}));
    let path = &config("get_things_id")["request"]["parameters"];
    assert_eq!(*path, json!([{"name": "id", "in": "path", "style": "matrix"}]));
    for id in ["post_upload", "post_raw", "post_xml", "post_form"] {
        let skill = format!("skills/{id}");
        let benchmark = format!("{skill}/tests/basic.eval.json");
        let keys = [("THINGS_USER_API_KEY", "key"), ("THINGS_APP_API_KEY", "key")];
        let dry = ["eval", "--skills", &skill, "--benchmark", &benchmark, "--dry-run"];
        context.run_with(&dry, &keys).expect(0);
    }
}

#[test]
fn reserved_characters_and_headers_of_parts_reach_the_adapter() {
    let context = TestContext::new();
    let text = json!({"type": "string"});
    let header = |schema: Value| json!({"schema": schema});
    let upload = json!({
        "schema": {"type": "object", "properties": {"tags": {"type": "array", "items": text}, "doc": text}},
        "encoding": {
            "tags": {"explode": false, "allowReserved": true},
            "doc": {"headers": {
                "X-Kind": header(json!({"type": "string", "default": "plain"})),
                "X-Limit": {"$ref": "#/components/headers/Limit"},
                "X-Other": header(text.clone()),
                "Content-Type": header(text.clone()),
            }},
        },
    });
    let form = json!({"schema": {"type": "object", "properties": {"url": text}}, "encoding": {"url": {"allowReserved": true}}});
    let ok = json!({"204": {"description": "ok"}});
    let reserved = |place: &str, name: &str| json!({"name": name, "in": place, "allowReserved": true, "schema": text});
    let document = json!({
        "openapi": "3.1.0", "info": {"title": "T"}, "servers": [{"url": "https://api.example.com"}],
        "paths": {
            "/go": {"get": {"parameters": [reserved("query", "to"), reserved("header", "X-To")], "responses": ok}},
            "/up": {"post": {"requestBody": {"content": {"multipart/form-data": upload}}, "responses": ok}},
            "/form": {"post": {"requestBody": {"content": {"application/x-www-form-urlencoded": form}}, "responses": ok}},
        },
        "components": {"headers": {"Limit": {"schema": {"type": "integer"}, "example": 5}}},
    });
    context.write_json("api.json", &document);
    let created = context.run(&["create", "--from-openapi", "api.json"]).expect(0);
    created.says(&["POST /up", "the part `doc` is sent without the header `X-Other`"]);
    context.run(&["lint", "--strict"]).expect(0);
    let request = |id: &str| read(&context, &format!("skills/{id}/adapter.config.json"))["request"].clone();
    assert_eq!(
        request("get_go")["parameters"],
        json!([{"name": "to", "in": "query", "allowReserved": true}, {"name": "X-To", "in": "header"}])
    );
    assert_eq!(
        request("post_up")["body"]["encoding"],
        json!({"tags": {"explode": false}, "doc": {"headers": {"X-Kind": "plain", "X-Limit": "5"}}})
    );
    assert_eq!(request("post_form")["body"]["encoding"], json!({"url": {"allowReserved": true}}));
}

/// Before OpenAPI 3.2, `allowReserved` had a meaning in queries only.
#[test]
fn reserved_characters_of_paths_and_cookies_reach_the_adapter_of_openapi_3_2() {
    let context = TestContext::new();
    let text = json!({"type": "string"});
    let reserved =
        |place: &str| json!({"name": place, "in": place, "required": true, "allowReserved": true, "schema": text});
    let parameters: Vec<Value> = ["path", "query", "header", "cookie"].map(reserved).into();
    for (version, expected) in [
        ("3.1.1", [false, true, false, false]),
        ("3.2.0", [true, true, false, true]),
        ("3.3.0", [true, true, false, true]),
    ] {
        let document = json!({
            "openapi": version, "info": {"title": "T"}, "servers": [{"url": "https://api.example.com"}],
            "paths": {"/go/{path}": {"get": {
                "operationId": format!("v{}", version.replace('.', "")), "parameters": parameters, "responses": {"204": {"description": "ok"}},
            }}},
        });
        context.write_json("api.json", &document);
        let created = context.run(&["create", "--from-openapi", "api.json", "--json"]).expect(0);
        let id = format!("v{}", version.replace('.', ""));
        let config = read(&context, &format!("skills/{id}/adapter.config.json"));
        let allowed = config["request"]["parameters"].as_array().unwrap_or_else(|| panic!("{created:#?}")).iter();
        assert_eq!(
            allowed.map(|parameter| parameter["allowReserved"] == true).collect::<Vec<_>>(),
            expected,
            "{version}"
        );
    }
    context.run(&["lint", "--strict"]).expect(0);
}

/// A document that asks for credentials it doesn't describe never becomes a skill that calls without any, unsaid.
#[test]
fn security_without_a_scheme_is_named_with_its_line() {
    let context = TestContext::new();
    let document = |security: &str, local: &str| {
        format!(
            "openapi: 3.0.3\ninfo: {{title: T}}\nservers: [{{url: https://api.example.com}}]\nsecurity: {security}\npaths:\n  \
             /a:\n    get:\n      responses: {{'204': {{description: ok}}}}\n{local}components:\n  securitySchemes:\n    \
             bearer: {{type: http, scheme: bearer}}\n"
        )
    };
    let local = "      security: [{bearer: []}, {gone: []}]\n";
    for (text, said) in [
        (document("[{lost: []}]", ""), "api.yaml:4: `security` names `lost`"),
        (document("[{bearer: [], lost: []}]", ""), "api.yaml:4: `security` names `lost`"),
        (document("[{bearer: []}]", local), "api.yaml:9: `security` names `gone`"),
        (document("{bearer: []}", ""), "api.yaml:4: `security` is no list of objects"),
        (document("[bearer]", ""), "api.yaml:4: `security` is no list of objects"),
    ] {
        context.write("api.yaml", &text);
        context.run(&["create", "--from-openapi", "api.yaml", "--force"]).expect(0).says(&[said]);
        let config = read(&context, "skills/get_a/adapter.config.json");
        assert_eq!(config.get("authType").is_some(), text.contains(local), "{text}: {config}");
    }
}
