//! The parser's own words on a help page, in the reader's language.

use eval_message::Lang;

/// What the parser's own renderer says in English, and how to say it in Chinese.
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

/// A rendered help page with the parser's own words in `lang` as well; `headings` are the Chinese names of the
/// groups of options.
#[must_use]
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
