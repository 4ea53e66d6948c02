//! The calculator of the HTTP service, in Rust.

use std::iter::Peekable;
use std::str::Chars;

use serde_json::Value;

/// Solves a task; an error if the task or the expression is unknown.
pub fn solve(task: &Value) -> Result<Value, String> {
    if let Some(expression) = task["expression"].as_str() {
        return evaluate(expression).map(|value| Value::String(value.to_string()));
    }
    let text = task["text"].as_str().ok_or("no text")?;
    match task["operation"].as_str() {
        Some("reverse") => Ok(Value::String(text.chars().rev().collect())),
        Some("palindrome") => {
            let letters: Vec<char> = text.to_lowercase().chars().filter(|letter| letter.is_alphanumeric()).collect();
            Ok(Value::Bool(letters.iter().eq(letters.iter().rev())))
        }
        _ => Err("unknown operation".to_owned()),
    }
}

fn evaluate(expression: &str) -> Result<f64, String> {
    let text = expression.replace("**", "^");
    let mut rest = text.chars().peekable();
    let value = total(&mut rest)?;
    match next(&mut rest) {
        None => Ok(value),
        Some(symbol) => Err(format!("unexpected {symbol}")),
    }
}

type Rest<'a> = Peekable<Chars<'a>>;

fn next(rest: &mut Rest<'_>) -> Option<char> {
    while rest.next_if(|symbol| symbol.is_whitespace()).is_some() {}
    rest.peek().copied()
}

fn take(rest: &mut Rest<'_>, symbols: &str) -> Option<char> {
    next(rest).filter(|symbol| symbols.contains(*symbol)).and_then(|_| rest.next())
}

fn total(rest: &mut Rest<'_>) -> Result<f64, String> {
    let mut value = product(rest)?;
    while let Some(symbol) = take(rest, "+-") {
        let other = product(rest)?;
        value = if symbol == '+' { value + other } else { value - other };
    }
    Ok(value)
}

fn product(rest: &mut Rest<'_>) -> Result<f64, String> {
    let mut value = signed(rest)?;
    while let Some(symbol) = take(rest, "*/%") {
        let other = signed(rest)?;
        value = match symbol {
            '*' => value * other,
            _ if other == 0.0 => return Err("division by zero".to_owned()),
            '/' => value / other,
            _ => value % other,
        };
    }
    Ok(value)
}

fn signed(rest: &mut Rest<'_>) -> Result<f64, String> {
    if take(rest, "-").is_some() {
        return Ok(-signed(rest)?);
    }
    take(rest, "+");
    let value = atom(rest)?;
    Ok(if take(rest, "^").is_some() { value.powf(signed(rest)?) } else { value })
}

fn atom(rest: &mut Rest<'_>) -> Result<f64, String> {
    if take(rest, "(").is_some() {
        let value = total(rest)?;
        return take(rest, ")").map(|_| value).ok_or_else(|| "a parenthesis is missing".to_owned());
    }
    next(rest);
    let mut digits = String::new();
    while let Some(digit) = rest.next_if(|symbol| symbol.is_ascii_digit() || *symbol == '.') {
        digits.push(digit);
    }
    digits.parse().map_err(|_| format!("{digits:?} is not a number"))
}
