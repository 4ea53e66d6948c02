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

/// Whether a function reads something of its context that isn't there: it would get `undefined`, and may pass always.
pub(super) fn reads_what_is_absent(code: &str) -> bool {
    /// Names of what an answer came with.
    const ABSENT: &[&str] = &["providerResponse", "logProbs"];
    const THERE: &[&str] = &["vars", "config", "prompt", "test"];
    let is_name = |of: char| of.is_alphanumeric() || of == '_' || of == '$';
    let word = |text: &str| text.split(|of| !is_name(of)).next().unwrap_or_default().to_owned();
    let member = |rest: &str| {
        let rest = rest.trim_start().trim_start_matches('?');
        rest.strip_prefix('.').map(|rest| word(rest.trim_start()))
    };
    let is_read = code.match_indices("context").any(|(at, found)| {
        let is_whole = !code[..at].ends_with(|of| is_name(of) || of == '.');
        is_whole
            && match member(&code[at + found.len()..]) {
                Some(name) if name == "test" => {
                    let rest = code[at + found.len()..].split_once("test").map_or("", |(_, rest)| rest);
                    member(rest).is_some_and(|name| name != "vars")
                }
                Some(name) => !THERE.contains(&name.as_str()),
                None => false,
            }
    });
    // `const { vars, trace } = context`
    let is_taken = code.match_indices('}').any(|(end, _)| {
        let from = code[end + 1..].trim_start().strip_prefix('=').map(str::trim_start);
        let is_context = from.is_some_and(|from| word(from) == "context" && member(&from["context".len()..]).is_none());
        let names = code[..end].rsplit_once('{').map_or("", |(_, names)| names);
        is_context
            && names
                .split(',')
                .map(|name| word(name.trim()))
                .any(|name| !name.is_empty() && !THERE.contains(&name.as_str()))
    });
    is_read || is_taken || ABSENT.iter().any(|name| code.contains(name))
}
