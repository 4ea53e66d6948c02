//! What tokens cost. The table is `data/prices.json`; a user's file of the same shape goes over it.
//!
//! Prices are list prices in United States dollars per million tokens: no tiers for long contexts, no
//! batch or contract discounts. A model that is not in the table has no price: unknown is not 0.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use eval_message::{Message, msg};
use eval_spec::call::{Cost, CostSource, Usage};
use eval_spec::files;
use eval_spec::units::Usd;
use serde::Deserialize;

/// What a model's tokens cost, in United States dollars per million.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Price {
    /// Input tokens.
    pub input: f64,
    /// Output tokens.
    pub output: f64,
    /// Input tokens read from the vendor's cache; as `input` when absent.
    #[serde(default)]
    pub cache_read: Option<f64>,
    /// Input tokens written to the vendor's cache; as `input` when absent.
    #[serde(default)]
    pub cache_write: Option<f64>,
}

/// Prices by model.
#[derive(Clone, Debug, Default)]
pub struct Prices {
    models: BTreeMap<String, Price>,
    aliases: BTreeMap<String, String>,
    /// The days of the built-in prices, by how the names of models begin.
    as_of: BTreeMap<String, String>,
    /// The models whose price is the user's own.
    own: BTreeSet<String>,
}

/// Why a price file can't be used.
#[derive(Debug, thiserror::Error)]
#[error("{message}")]
pub struct PricesError {
    /// The file and the problem.
    pub message: Message,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct PriceFile {
    version: u32,
    #[serde(default, rename = "source")]
    _source: Option<String>,
    #[serde(default)]
    models: BTreeMap<String, Price>,
    #[serde(default)]
    aliases: BTreeMap<String, String>,
    #[serde(default)]
    as_of: BTreeMap<String, String>,
}

const BUILT_IN: &str = include_str!("../data/prices.json");
const VERSION: u32 = 1;

impl Prices {
    /// The table of this repository.
    pub fn built_in() -> Prices {
        // A test reads the file, so this is never empty.
        serde_json::from_str::<PriceFile>(BUILT_IN).map_or_else(|_| Prices::default(), Prices::from)
    }

    /// The table of this repository with the user's file over it, if there is one at `path`
    /// (`<home>/prices.json`), which errors call `shown`.
    ///
    /// # Errors
    /// The file can't be read, is not of the right shape or version, or has a price that is no
    /// amount of money.
    pub fn with_file(path: &Path, shown: &str) -> Result<Prices, PricesError> {
        let text = match files::read_regular_text(path, files::LARGEST_TEXT) {
            Ok(text) => text,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Prices::built_in()),
            Err(error) => return Err(unusable(shown, error.to_string())),
        };
        let file: PriceFile = serde_json::from_str(&text).map_err(|error| unusable(shown, error.to_string()))?;
        if file.version != VERSION {
            return Err(PricesError {
                message: msg!("exec-prices-version", file = shown, version = file.version, reads = VERSION),
            });
        }
        if let Some(name) = file.models.iter().find_map(|(name, price)| (!price.is_money()).then_some(name)) {
            return Err(unusable(shown, format!("`{name}`: a price is a number of at least 0")));
        }
        let mut prices = Prices::built_in();
        prices.own = file.models.keys().cloned().collect();
        prices.models.extend(file.models);
        prices.aliases.extend(file.aliases);
        Ok(prices)
    }

    /// The price of a model: by its exact name, as an alias, without the date or `-latest` at its end.
    pub fn price(&self, model: &str) -> Option<&Price> {
        let named = |name: &str| self.models.get(name).or_else(|| self.models.get(self.aliases.get(name)?));
        named(model).or_else(|| named(undated(model)?))
    }

    /// All models with a price, by name.
    pub fn models(&self) -> impl Iterator<Item = (&str, &Price)> {
        self.models.iter().map(|(name, price)| (name.as_str(), price))
    }

    /// The other names of models, with the model that each stands for.
    pub fn aliases(&self) -> impl Iterator<Item = (&str, &str)> {
        self.aliases.iter().map(|(name, model)| (name.as_str(), model.as_str()))
    }

    /// The day that a built-in price is of; `None` for one of the user's own.
    pub fn as_of(&self, model: &str) -> Option<&str> {
        let dated = self.as_of.iter().filter(|(beginning, _)| model.starts_with(beginning.as_str()));
        let longest = dated.max_by_key(|(beginning, _)| beginning.len());
        longest.filter(|_| !self.own.contains(model)).map(|(_, day)| day.as_str())
    }

    /// What a call cost; `None` for a model without a price.
    pub fn cost(&self, model: &str, usage: &Usage) -> Option<Cost> {
        let price = self.price(model)?;
        #[expect(clippy::cast_precision_loss, reason = "2^53 tokens are out of reach")]
        let part = |tokens: u64, dollars: f64| tokens as f64 * dollars / 1e6;
        let usd = part(usage.input_tokens, price.input)
            + part(usage.output_tokens, price.output)
            + part(usage.cache_read_tokens, price.cache_read.unwrap_or(price.input))
            + part(usage.cache_write_tokens, price.cache_write.unwrap_or(price.input));
        Some(Cost { usd: Usd(usd), source: CostSource::PriceTable })
    }
}

impl Prices {
    /// What threads with models of their own cost together; those that tell none have the model that `answered`. `None` where
    /// one of them has no price.
    pub(crate) fn cost_of_all(&self, threads: &[(Option<String>, Usage)], answered: &str) -> Option<Cost> {
        let cost = |(model, usage): &(Option<String>, Usage)| self.cost(model.as_deref().unwrap_or(answered), usage);
        let all = threads.iter().map(cost).collect::<Option<Vec<Cost>>>()?;
        let usd = all.iter().map(|cost| cost.usd.0).sum();
        Some(Cost { usd: Usd(usd), source: CostSource::PriceTable })
    }
}

impl From<PriceFile> for Prices {
    fn from(file: PriceFile) -> Prices {
        Prices { models: file.models, aliases: file.aliases, as_of: file.as_of, own: BTreeSet::new() }
    }
}

impl Price {
    fn is_money(&self) -> bool {
        let amounts = [Some(self.input), Some(self.output), self.cache_read, self.cache_write];
        amounts.into_iter().flatten().all(|amount| amount.is_finite() && amount >= 0.0)
    }
}

fn unusable(shown: &str, why: String) -> PricesError {
    PricesError { message: msg!("exec-prices-unusable", file = shown, why = why) }
}

/// `claude-x-20250929`, `claude-x@20250929`, `gpt-x-2024-08-06`, `claude-x-latest` → the name before.
fn undated(model: &str) -> Option<&str> {
    if let Some(name) = model.strip_suffix("-latest") {
        return Some(name);
    }
    let shapes: [&[usize]; 2] = [&[8], &[4, 2, 2]];
    shapes.iter().find_map(|shape| strip_digits(model, shape))
}

/// The text before groups of so many digits, each after `-` or `@`.
fn strip_digits<'a>(model: &'a str, groups: &[usize]) -> Option<&'a str> {
    let mut rest = model;
    for &digits in groups.iter().rev() {
        let (name, group) = rest.rsplit_once(['-', '@'])?;
        if group.len() != digits || !group.bytes().all(|byte| byte.is_ascii_digit()) {
            return None;
        }
        rest = name;
    }
    Some(rest).filter(|name| !name.is_empty())
}
