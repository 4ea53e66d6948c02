//! What an import carried over, in lines for people.

use eval_load::{ImportDifference, ImportedCases};
use eval_message::plain::clean;
use eval_message::{Lang, Message, msg};

/// How many tests and checks were carried over, and each difference, the most frequent first.
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
            imported.differences.iter().filter(|of| of.is_near == is_near).collect();
        if listed.is_empty() {
            continue;
        }
        lines.push(text(&head));
        listed.sort_by_key(|of| std::cmp::Reverse(of.count));
        lines.extend(listed.into_iter().map(|of| {
            let line = msg!(
                "import-difference",
                count = of.count,
                what = of.what.clone(),
                place = of.place.clone(),
                why = of.why.text(lang)
            );
            format!(" {}", text(&line))
        }));
    }
    lines
}
