//! Prints the result of an import.

use eval_load::{ImportDifference, ImportedCases};
use eval_message::plain::clean;
use eval_message::{Lang, Message, msg};

/// Formats how many tests and checks were imported, and the differences, the most frequent first.
#[must_use]
pub fn carried_lines(imported: &ImportedCases, lang: Lang) -> Vec<String> {
    let (tests, checks) = (imported.tests, imported.checks);
    let text = |message: &Message| clean(&message.text(lang));
    let all = tests.whole + tests.partly + tests.not;
    let mut counts = vec![msg!("import-tests", all = all, whole = tests.whole, partly = tests.partly, not = tests.not)];
    if tests.unchecked > 0 {
        counts.push(msg!("import-unchecked", count = tests.unchecked));
    }
    let all = checks.same + checks.nearly + checks.not;
    counts.push(msg!("import-checks", all = all, same = checks.same, nearly = checks.nearly, not = checks.not));
    let mut lines: Vec<String> = counts.iter().map(text).collect();
    for (is_near, head) in [(false, msg!("import-lacking")), (true, msg!("import-near"))] {
        let mut listed: Vec<&ImportDifference> =
            imported.differences.iter().filter(|difference| difference.is_near == is_near).collect();
        if listed.is_empty() {
            continue;
        }
        lines.push(text(&head));
        listed.sort_by_key(|difference| std::cmp::Reverse(difference.count));
        lines.extend(listed.into_iter().map(|difference| {
            let line = msg!(
                "import-difference",
                count = difference.count,
                what = difference.what.clone(),
                place = difference.place.clone(),
                why = difference.why.text(lang)
            );
            format!(" {}", text(&line))
        }));
    }
    lines
}
