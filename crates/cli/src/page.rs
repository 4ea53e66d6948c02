//! Translation of the fixed texts of a help page.

use eval_message::Lang;

/// The parser's fixed English texts with their Chinese translations.
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

/// A rendered help page with the parser's fixed texts in `lang`; `headings` are the names of groups of options, English and
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
