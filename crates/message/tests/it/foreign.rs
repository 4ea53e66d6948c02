//! Errors of the system, the JSON parser and the schema checker in Chinese. Real errors are compared, so that these
//! tests fail when their wording changes.

use eval_message::{Lang, msg};

fn chinese(error: &str) -> String {
    msg!("cli-io", what = "x", error = error).text(Lang::Zh)
}

#[test]
fn errors_of_the_system_are_translated() {
    // Numbers of Linux.
    let codes =
        [1, 2, 5, 8, 11, 12, 13, 17, 20, 21, 22, 24, 26, 27, 28, 30, 32, 36, 39, 40, 98, 101, 104, 110, 111, 113, 122];
    for code in codes {
        let error = std::io::Error::from_raw_os_error(code).to_string();
        let zh = chinese(&error);
        assert!(zh.ends_with(&format!("（系统错误 {code}）")), "{error}: {zh}");
        assert!(!zh.trim_start_matches('x').contains(|c: char| c.is_ascii_alphabetic()), "{error}: {zh}");
    }
    assert_eq!(chinese("a/b: No such file or directory (os error 2)"), "x：a/b: 没有这个文件或目录（系统错误 2）");
    let unknown = "Never heard of (os error 4711)";
    assert_eq!(chinese(unknown), format!("x：{unknown}"), "what isn't known stays");
    assert_eq!(
        msg!("cli-io", what = "x", error = "Permission denied (os error 13)").text(Lang::En),
        "x: Permission denied (os error 13)"
    );
}

#[test]
fn errors_of_the_json_parser_are_translated() {
    let deep = "[".repeat(200);
    let broken = [
        "",
        "{",
        "[1",
        "{\"a\":1,",
        "\"a",
        "1 2",
        "[1,]",
        "{\"a\" 1}",
        "[1 2]",
        "{\"a\":1 \"b\"}",
        "tru",
        "{1:2}",
        "\"\\x\"",
        "\"\n\"",
        "1.",
        "1e999",
        "\"\\ud800x\"",
        "\"\\ud800\"",
        &deep,
    ];
    for text in broken {
        let error = serde_json::from_str::<serde_json::Value>(text).unwrap_err().to_string();
        let zh = chinese(&error);
        assert!(zh.contains('第') && zh.ends_with(" 列）"), "{text:?}: {error}: {zh}");
    }
}

#[test]
fn errors_of_the_schema_checker_are_translated() {
    for (error, zh) in [
        ("\"a\" is not of type \"number\"", "\"a\" 的类型不是 \"number\""),
        ("\"queue: x\" is not one of \"a\", \"b\" or \"c\"", "\"queue: x\" 不是 \"a\", \"b\" or \"c\" 之一"),
        ("\"a\" is a required property", "缺少必需的属性 \"a\""),
        ("Additional properties are not allowed ('b' was unexpected)", "不允许其他属性（多出 'b'）"),
    ] {
        assert_eq!(
            msg!("grade-schema-invalid", error = error).text(Lang::Zh).split_once('：').unwrap().1,
            zh,
            "{error}"
        );
    }
    // User text is never translated.
    let quoted = msg!("grade-absent", value = "expected value at line 1 column 1").text(Lang::Zh);
    assert!(quoted.contains("expected value at line 1 column 1"), "{quoted}");
}
