//! K9: skills out of an OpenAPI document.

use serde_json::{Value, json};

use crate::context::TestContext;

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
fn k9_one_skill_for_each_operation_with_typed_parameters() {
    let context = TestContext::new();
    context.write("pets.yaml", PETS);
    let created = context.run(&["create", "--from-openapi", "pets.yaml"]).expect(0);
    created.says(&["`filter` is left out", "POST /upload is skipped", "`other.yaml#/Pet` leads out"]);
    assert_eq!(context.names("skills"), ["create_pet", "delete_pets_id", "get_pet_by_id"]);
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
fn k9_what_is_not_openapi_3_is_refused_and_nothing_is_overwritten() {
    let context = TestContext::new();
    let create = |file: &str| context.run(&["create", "--from-openapi", file]);
    context.write_json("swagger.json", &json!({"swagger": "2.0"}));
    create("swagger.json").expect(2).says(&["Swagger 2.0"]);
    context.write_json("other.json", &json!({"paths": {}}));
    create("other.json").expect(2).says(&["not an OpenAPI 3 document"]);
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

/// References in circles, far too many of them, and names that would leave the directory.
#[test]
fn k9_hostile_documents_are_bounded() {
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
