//! Translates the fixed texts of a help page.

use eval_message::Lang;

/// Fixed English texts of the parser, with translations.
const FIXED: &[(&str, &str)] = &[
    ("Usage: ", "用法："),
    ("Usage:", "用法："),
    ("Commands:", "命令："),
    ("Arguments:", "参数："),
    ("Options:", "选项："),
    ("[OPTIONS]", "[选项]"),
    ("<COMMAND>", "<命令>"),
    ("[possible values: ", "[可用的值："),
    ("[aliases: ", "[别名："),
    ("[alias: ", "[别名："),
];

/// Translates the parser's fixed texts in a rendered help page; `headings` are names of groups of options, English and
/// Chinese.
pub fn rendered(page: &str, lang: Lang, headings: &[(&str, &str)]) -> String {
    let headings = headings.iter().map(|(_, chinese)| (format!("{chinese}:"), format!("{chinese}：")));
    match lang {
        Lang::En => page.to_owned(),
        Lang::Zh => {
            let page = FIXED.iter().fold(page.to_owned(), |page, (english, chinese)| page.replace(english, chinese));
            headings.fold(page, |page, (narrow, wide)| page.replace(&narrow, &wide))
        }
    }
}
