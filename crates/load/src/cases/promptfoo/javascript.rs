//! Functions of `javascript` assertions, as promptfoo makes them of one line.

/// The body of the function. A text of several lines is one; of a line the last expression is what it returns.
pub(super) fn body(code: &str) -> String {
    let code = code.trim_end();
    if code.contains('\n') {
        return code.to_owned();
    }
    let line = code.trim().trim_end_matches(';');
    let declares = |word: &&str| line.strip_prefix(*word).is_some_and(|rest| rest.starts_with(char::is_whitespace));
    if !["const", "let", "var"].iter().any(declares) {
        return format!("return {line}");
    }
    match last_separator(line).map(|at| line.split_at(at + 1)) {
        Some((statements, expression)) if !expression.trim().is_empty() => {
            format!("{statements} return {}", expression.trim())
        }
        _ => line.to_owned(),
    }
}

/// The last semicolon outside of texts.
fn last_separator(line: &str) -> Option<usize> {
    let (mut quote, mut is_escaped, mut found) = (None, false, None);
    for (at, sign) in line.char_indices() {
        match sign {
            '\'' | '"' | '`' if !is_escaped => match quote {
                None => quote = Some(sign),
                Some(open) if open == sign => quote = None,
                Some(_) => {}
            },
            ';' if quote.is_none() => found = Some(at),
            _ => {}
        }
        is_escaped = sign == '\\' && !is_escaped;
    }
    found
}

/// Whether a function may read more of its context than the variables and its configuration.
pub(super) fn reads_beyond_vars(code: &str) -> bool {
    let rests = code.split("context").skip(1).map(|rest| rest.trim_start_matches('?').trim_start());
    rests.into_iter().any(|rest| !rest.starts_with(".vars") && !rest.starts_with(".config"))
}
