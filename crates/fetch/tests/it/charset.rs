//! Encodings of texts.

use eval_fetch::internals::decoded;

const CHINESE: &str = "仅限员工使用的报销规则，金额超过五百元须经理批准。";

#[test]
fn text_is_decoded_by_its_true_encoding() {
    let gbk = encoding_rs::GBK.encode(CHINESE).0;
    let latin = encoding_rs::WINDOWS_1252.encode("Le café coûte 3 € à Genève, déjà réglé.").0;
    let utf16: Vec<u8> = [0xff, 0xfe].into_iter().chain("规则 a".encode_utf16().flat_map(u16::to_le_bytes)).collect();
    for (bytes, declared, text) in [
        (CHINESE.as_bytes(), None, CHINESE),
        (CHINESE.as_bytes(), Some("utf-8"), CHINESE),
        // Declared wrongly.
        (CHINESE.as_bytes(), Some("iso-8859-1"), CHINESE),
        (&gbk, Some("utf-8"), CHINESE),
        (&gbk, Some("gb2312"), CHINESE),
        (&gbk, Some("iso-8859-1"), CHINESE),
        (&gbk, Some("no-such-thing"), CHINESE),
        (&gbk, None, CHINESE),
        (&latin, None, "Le café coûte 3 € à Genève, déjà réglé."),
        (&utf16, Some("utf-8"), "规则 a"),
        // A declared encoding wins over a guess that fits as well.
        (b"The plan costs \xa3500 per user, \xb1 2.", Some("iso-8859-1"), "The plan costs £500 per user, ± 2."),
    ] {
        assert_eq!(decoded(bytes, declared, false), text, "{declared:?}");
    }
}

/// Browsers do the same.
#[test]
fn only_the_unreadable_letter_is_replaced() {
    let broken = |text: &[u8]| [text, b" \xff.", text].concat();
    let gbk = encoding_rs::GBK.encode(CHINESE).0;
    for (bytes, declared) in [
        (CHINESE.as_bytes(), Some("utf-8")),
        (CHINESE.as_bytes(), None),
        (CHINESE.as_bytes(), Some("iso-8859-1")),
        (&gbk, Some("gbk")),
    ] {
        let expected = format!("{CHINESE} \u{fffd}.{CHINESE}");
        assert_eq!(decoded(&broken(bytes), declared, false), expected, "{declared:?}");
    }
    assert_eq!(decoded(b"caf\xc3\xa9 \xff", Some("utf-8"), false), "café \u{fffd}");
}

#[test]
fn a_page_may_declare_its_encoding() {
    let page = format!("<meta charset=\"big5\"><p>{}", "繁體中文的規則");
    let bytes = encoding_rs::BIG5.encode(&page).0;
    assert_eq!(decoded(&bytes, None, true), page);
    // Servers declare Latin 1 when they don't know the encoding.
    assert_eq!(decoded(&bytes, Some("iso-8859-1"), true), page);
    let latin = b"<meta charset=windows-1252><p>The plan costs \xa3500 per user, at 5 \xb1 2 V \xb7 \xa9 2026.";
    let text = "<meta charset=windows-1252><p>The plan costs £500 per user, at 5 ± 2 V · © 2026.";
    assert_eq!(decoded(latin, None, true), text);
    assert_eq!(decoded(latin, Some("iso-8859-1"), true), text);
}

#[test]
fn valid_utf_8_is_not_read_as_utf_16() {
    let xml = "<?xml version=\"1.0\" encoding=\"utf-16\"?><class name=\"A\">500</class>\n";
    let html = "<!doctype html><meta charset=\"utf-16\"><p>Class A has a limit of 500.";
    for markup in [xml, html] {
        assert_eq!(decoded(markup.as_bytes(), None, true), markup);
    }
    let declared = "Class A: 500. ".repeat(2);
    assert_eq!(decoded(declared.as_bytes(), Some("utf-16"), false), declared);
    let wide: Vec<u8> = "Class A".encode_utf16().flat_map(u16::to_le_bytes).collect();
    assert_eq!(decoded(&wide, Some("utf-16le"), false), "Class A");
}

/// The bytes are the output of `printf 規則 | iconv -t ISO-2022-JP`.
#[test]
fn iso_2022_jp_is_recognised_by_its_escapes() {
    let bytes = b"\x1b$B5,B'\x1b(B";
    assert_eq!(decoded(bytes, Some("iso-2022-jp"), false), "規則");
    assert_eq!(decoded(b"Rules", Some("iso-2022-jp"), false), "Rules");
}

/// Text about an encoding isn't in it.
#[test]
fn only_markup_may_declare_its_encoding() {
    let text = "`Content-Type: text/plain; charset=big5`: café";
    let latin = encoding_rs::WINDOWS_1252.encode(text).0;
    assert_eq!(decoded(&latin, None, false), text);
}
