//! `omk prices [MODEL]`: the prices that costs and budgets are computed with.

use eval_cli::{CommandError, Terminal, exit};
use eval_exec::{Price, Prices};
use eval_message::msg;
use eval_spec::Context;
use serde_json::{Value, json};

pub(crate) fn run(context: &Context, terminal: &Terminal, model: Option<&str>) -> Result<u8, CommandError> {
    let prices = eval_cli::prices::prices(context)?;
    let file = context.display(&context.home.join("prices.json"));
    let rows: Vec<(&str, &Price)> = match model {
        Some(model) => prices.price(model).map(|price| (model, price)).into_iter().collect(),
        None => prices.models().collect(),
    };
    if let (Some(model), true) = (model, rows.is_empty()) {
        return Err(CommandError::usage(msg!("cli-prices-none", model = model), msg!("cli-prices-own", file = &file)));
    }
    terminal.say(&msg!("cli-prices-head"));
    for (model, price) in &rows {
        terminal.text(&line(model, price, prices.as_of(model)));
    }
    for (name, model) in prices.aliases().filter(|_| model.is_none()) {
        terminal.text(&format!("{name} = {model}"));
    }
    terminal.say(&msg!("cli-prices-own", file = &file));
    terminal.json(|| document(&prices, &rows));
    Ok(exit::OK)
}

fn line(model: &str, price: &Price, day: Option<&str>) -> String {
    let amount = |amount: Option<f64>| amount.map_or_else(|| "-".to_owned(), |usd| usd.to_string());
    let [input, output] = [price.input, price.output].map(|usd| amount(Some(usd)));
    let [read, write] = [price.cache_read, price.cache_write].map(amount);
    let day = day.unwrap_or("prices.json");
    format!("{model:<32} {input:>7} {output:>7} {read:>7} {write:>7}  {day}")
}

fn document(prices: &Prices, rows: &[(&str, &Price)]) -> Value {
    let row = |(model, price): &(&str, &Price)| {
        json!({
            "model": model,
            "input": price.input,
            "output": price.output,
            "cacheRead": price.cache_read,
            "cacheWrite": price.cache_write,
            "asOf": prices.as_of(model),
        })
    };
    rows.iter().map(row).collect()
}
