//! Secrets: which variables hold one, which programs get them, and how they are masked in texts.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::ffi::OsString;

use base64::Engine;
use base64::engine::general_purpose::{STANDARD_NO_PAD, URL_SAFE_NO_PAD};
use eval_spec::Context;
use eval_spec::credentials::{self, is_key};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

/// Shorter values can't be told from what texts say anyway.
const SHORTEST_SECRET: usize = 4;
/// A value shorter than this is masked where it is a word of its own.
const SHORTEST_ANYWHERE: usize = 8;
/// A shorter value isn't looked for in Base64: few letters would be left of it.
const SHORTEST_ENCODED: usize = 12;
/// What is set where no secret is needed.
const PLACEHOLDERS: [&str; 16] = [
    "none", "null", "test", "true", "false", "dummy", "fake", "empty", "local", "ollama", "basic", "bearer", "secret",
    "token", "no-key", "xxxx",
];

/// The replacement for a secret.
const MASK: &str = "***";

/// Variables that hand named secrets on to programs: `OMK_PASS_ENV=OPENAI_API_KEY,MY_TOKEN`.
pub(crate) const PASS_ENV: &str = "OMK_PASS_ENV";

/// Whether a variable of this name holds a secret: the name has a word for one at its end, or one
/// with no other meaning anywhere.
pub fn is_secret(name: &str) -> bool {
    const ENDS: &[&str] =
        &["KEY", "TOKEN", "SECRET", "CREDENTIAL", "CREDENTIALS", "KEY_ID", "AUTH", "PAT", "SK", "DSN"];
    const INSIDE: &[&str] = &[
        "PASSW",
        "PASSPHRASE",
        "APIKEY",
        "AUTHTOKEN",
        "ACCESSKEY",
        "SECRETKEY",
        "WEBHOOK",
        "CUSTOM_HEADERS",
        "COOKIE",
    ];
    let name = name.to_ascii_uppercase();
    let is_directory = matches!(name.as_str(), "PWD" | "OLDPWD" | "INIT_CWD");
    name.starts_with("AWS_")
        || INSIDE.iter().any(|word| name.contains(word))
        || (name.contains("PWD") && !is_directory)
        || ENDS.iter().any(|end| name.strip_suffix(end).is_some_and(|rest| rest.is_empty() || rest.ends_with('_')))
}

/// What our own variables begin with. One of them names the directory of reports and journals, which have the texts of all
/// artifacts.
const OURS: &str = "OMK";

/// The environment of a program: everything but our own variables and secrets, except those that `needs` says it needs and
/// those the user names in [`PASS_ENV`].
pub(crate) fn environment(context: &Context, needs: impl Fn(&str) -> bool) -> Vec<(OsString, OsString)> {
    let passed = passed(context);
    let is_open = |name: &str| !is_secret(name) && !name.strip_prefix(OURS).is_some_and(|rest| rest.starts_with('_'));
    let allowed = |name: &str| is_open(name) || needs(name) || passed.iter().any(|pass| pass == name);
    let entries = context.env.iter().filter(|(name, _)| allowed(name));
    entries.map(|(name, value)| (name.into(), value.into())).collect()
}

/// The secrets a program does not get, by name.
pub(crate) fn withheld(context: &Context) -> Vec<String> {
    let passed = passed(context);
    context.env.keys().filter(|name| is_secret(name) && !passed.contains(name)).cloned().collect()
}

fn passed(context: &Context) -> Vec<String> {
    let names = context.var(PASS_ENV).unwrap_or_default();
    names.split(',').map(|name| name.trim().to_owned()).filter(|name| !name.is_empty()).collect()
}

/// A text as it may be written down: without the values of variables that hold secrets.
pub fn masked(context: &Context, text: &str) -> String {
    Redact::new(context).clean(text).into_owned()
}

/// A text with a `*`, as in patterns, for each secret that it lost to [`masked`].
pub(crate) fn with_wildcards(text: &str) -> String {
    text.replace(MASK, "*")
}

/// The values of secret variables that are long enough to be masked wherever they stand, long ones first.
pub fn known_secrets(context: &Context) -> Vec<String> {
    let mut values = Redact::new(context).values;
    values.retain(|value| value.len() >= SHORTEST_ANYWHERE);
    values
}

/// Whether a text lost a secret to [`masked`].
pub fn has_mask(text: &str) -> bool {
    text.contains(MASK)
}

/// The values of secret variables that stand in one of `texts`.
pub fn in_inputs<'t>(context: &Context, texts: impl Iterator<Item = Cow<'t, str>>) -> BTreeSet<String> {
    let mut secrets = Redact::new(context).values;
    let mut found = BTreeSet::new();
    for text in texts {
        if secrets.is_empty() {
            break;
        }
        found.extend(secrets.extract_if(.., |secret| text.contains(secret.as_str())));
    }
    found
}

/// Takes secrets out of texts.
#[derive(Clone, Debug, Default)]
pub struct Redact {
    /// The secrets, long ones first.
    values: Vec<String>,
    /// Those that answers may say.
    in_inputs: BTreeSet<String>,
    /// Masking of passwords and keys in any address, not only of known ones.
    masks_addresses: bool,
}

impl Redact {
    /// Masks the values of all secret variables, and the credentials in their URLs.
    pub fn new(context: &Context) -> Redact {
        let mut values: Vec<String> = Vec::new();
        for (name, value) in &context.env {
            if is_secret(name) {
                values.push(value.trim().to_owned());
            } else {
                values.extend(credentials(value));
            }
        }
        Redact { values: usable(values), in_inputs: context.in_inputs.clone(), masks_addresses: false }
    }

    /// Masks one more value.
    pub fn and(mut self, value: Option<&str>) -> Redact {
        // Only the new value is rewritten: those that are here already hold every form of theirs.
        self.values.extend(usable(value.map(|value| value.trim().to_owned()).into_iter().collect()));
        Redact { values: in_order(self.values), ..self }
    }

    /// For answers, which are graded: what stands in the samples or artifacts is no secret to the model, and a check may ask
    /// for it (`postgres`).
    pub fn for_answers(&self) -> Redact {
        let values = self.values.iter().filter(|value| !self.in_inputs.contains(*value) && !is_region(value));
        Redact { values: values.cloned().collect(), ..Redact::default() }
    }

    /// For errors and logs: what a program or server quotes may hold addresses with passwords and keys that aren't ours.
    pub fn for_errors(&self) -> Redact {
        Redact { masks_addresses: true, ..self.clone() }
    }

    /// The text without secrets.
    pub fn clean<'a>(&self, text: &'a str) -> Cow<'a, str> {
        let mut text = Cow::Borrowed(text);
        for secret in &self.values {
            if text.contains(secret.as_str()) {
                match secret.len() < SHORTEST_ANYWHERE {
                    true => text = Cow::Owned(without_word(&text, secret)),
                    false => text = Cow::Owned(text.replace(secret.as_str(), MASK)),
                }
            }
        }
        if self.masks_addresses
            && let Some(masked) = credentials::masked(&text)
        {
            return Cow::Owned(masked);
        }
        text
    }

    /// The same value without secrets in any of its texts. Numbers, and words that its format knows, aren't texts.
    pub fn clean_value<T: Serialize + DeserializeOwned>(&self, value: T) -> T {
        if self.values.is_empty() && !self.masks_addresses {
            return value;
        }
        let Ok(mut tree) = serde_json::to_value(&value) else { return value };
        let mut places = Vec::new();
        self.find(&mut tree, &mut String::new(), &mut places);
        for place in &places {
            let Some(text) = tree.pointer_mut(place) else { continue };
            let clean = text.as_str().map(|text| Value::String(self.clean(text).into_owned()));
            let before = clean.map(|clean| std::mem::replace(text, clean));
            // How an answer ended may be the same word as a password.
            if T::deserialize(&tree).is_err()
                && let (Some(text), Some(before)) = (tree.pointer_mut(place), before)
            {
                *text = before;
            }
        }
        if places.is_empty() { value } else { T::deserialize(tree).unwrap_or(value) }
    }

    /// The places of texts with secrets below `at`. Names of a tool's arguments, which a model chooses, are masked at once.
    fn find(&self, value: &mut Value, at: &mut String, places: &mut Vec<String>) {
        let has_secret = |text: &str| matches!(self.clean(text), Cow::Owned(_));
        let length = at.len();
        match value {
            Value::String(text) if has_secret(text) => places.push(at.clone()),
            Value::String(_) | Value::Null | Value::Bool(_) | Value::Number(_) => {}
            Value::Array(all) => {
                for (index, value) in all.iter_mut().enumerate() {
                    at.push_str(&format!("/{index}"));
                    self.find(value, at, places);
                    at.truncate(length);
                }
            }
            Value::Object(all) => {
                if at.contains("/input") && all.keys().any(|name| has_secret(name)) {
                    let named = std::mem::take(all).into_iter();
                    *all = named.map(|(name, value)| (self.clean(&name).into_owned(), value)).collect();
                }
                let is_message = at.ends_with("/message") && all.keys().all(|name| name == "id" || name == "args");
                for (name, value) in all.iter_mut().filter(|(name, _)| !(is_message && *name == "id")) {
                    at.push('/');
                    at.push_str(&name.replace('~', "~0").replace('/', "~1"));
                    self.find(value, at, places);
                    at.truncate(length);
                }
            }
        }
    }
}

/// The values that aren't placeholders, each once, as they are, as JSON and URLs write them and as Base64 does; of one with several lines, each
/// line that is long enough to be the key of a file.
fn usable(mut values: Vec<String>) -> Vec<String> {
    const KEY_LINE: usize = 16;
    let lines = |value: &String| value.lines().skip(1).map(str::trim).map(str::to_owned).collect::<Vec<_>>();
    let lines = values.iter().flat_map(lines).filter(|line| line.len() >= KEY_LINE && !line.starts_with("-----"));
    values.extend(lines.collect::<Vec<_>>());
    let quoted = values.iter().map(|value| Value::from(value.as_str()).to_string());
    values.extend(quoted.map(|text| text[1..text.len() - 1].to_owned()).collect::<Vec<_>>());
    let in_url = |value: &String| url::form_urlencoded::byte_serialize(value.as_bytes()).collect::<String>();
    let in_urls = values.iter().map(in_url).flat_map(|text| [text.replace("%2F", "/"), text]);
    values.extend(in_urls.collect::<Vec<_>>());
    let encoded = values.iter().filter(|value| value.len() >= SHORTEST_ENCODED).flat_map(|value| encoded(value));
    values.extend(encoded.collect::<Vec<_>>());
    values
        .retain(|value| value.len() >= SHORTEST_SECRET && !PLACEHOLDERS.contains(&value.to_ascii_lowercase().as_str()));
    in_order(values)
}

/// Each once, and a secret that contains another one first.
fn in_order(mut values: Vec<String>) -> Vec<String> {
    values.sort_by(|one, other| other.len().cmp(&one.len()).then_with(|| one.cmp(other)));
    values.dedup();
    values
}

/// The texts that stand for a value in Base64, wherever it begins in what is encoded. The letters at the edges, which also
/// depend on what is around it, are left out.
fn encoded(value: &str) -> impl Iterator<Item = String> {
    const BITS: usize = 6;
    [STANDARD_NO_PAD, URL_SAFE_NO_PAD].into_iter().flat_map(move |alphabet| {
        (0..3).map(move |before| {
            let bytes = [&[0; 2][..before], value.as_bytes()].concat();
            let text = alphabet.encode(&bytes);
            text[(before * 8).div_ceil(BITS)..bytes.len() * 8 / BITS].to_owned()
        })
    })
}

/// The text with the mask for `secret` where it isn't part of a longer word.
fn without_word(text: &str, secret: &str) -> String {
    let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let mut clean = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(secret) {
        let (before, found) = rest.split_at(at);
        let after = &found[secret.len()..];
        clean.push_str(before);
        // As JSON writes the end of a line, the letter before is none.
        let is_escaped = ["\\n", "\\r", "\\t"].iter().any(|escape| clean.ends_with(escape));
        let joined = (!is_escaped && clean.ends_with(is_part)) || after.chars().next().is_some_and(is_part);
        clean.push_str(if joined { secret } else { MASK });
        rest = after;
    }
    clean.push_str(rest);
    clean
}

/// A region of a cloud, which is set beside its keys: `us-east-1`.
fn is_region(value: &str) -> bool {
    let parts: Vec<&str> = value.split('-').collect();
    let is_word = |part: &&str| part.len() >= 2 && part.bytes().all(|byte| byte.is_ascii_lowercase());
    matches!(parts.as_slice(), [words @ .., number] if words.len() >= 2 && words.iter().all(is_word) && number.len() == 1)
}

/// The secrets in a URL: its user and password together, which may be short, the password alone, encoded and decoded, and the
/// keys in its query.
fn credentials(value: &str) -> Vec<String> {
    let value = value.trim();
    let (Some((_, rest)), Ok(url)) = (value.split_once("://"), url::Url::parse(value)) else { return Vec::new() };
    let keys = url.query_pairs().filter(|(name, _)| is_key(name)).map(|(_, key)| key.into_owned());
    let mut secrets: Vec<String> = keys.collect();
    let authority = rest.split(['/', '?', '#']).next().unwrap_or(rest);
    let Some((user_info, _)) = authority.rsplit_once('@') else { return secrets };
    secrets.push(format!("://{user_info}@"));
    // As a header has it, in Base64.
    secrets.extend((user_info.len() >= SHORTEST_ENCODED).then(|| user_info.to_owned()));
    if let Some((_, password)) = user_info.split_once(':') {
        let form = format!("p={}", password.replace('+', "%2B").replace('&', "%26"));
        secrets.extend(url::form_urlencoded::parse(form.as_bytes()).map(|(_, meant)| meant.into_owned()));
        secrets.push(password.to_owned());
    }
    secrets
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn secrets_are_masked_in_base64_wherever_they_begin() {
        let context = testkit::calls::world(&[("MY_TOKEN", "tok?en>of~the*user")]);
        for before in ["", "a", "ab", "user:", "{\"token\": \""] {
            for alphabet in [STANDARD_NO_PAD, URL_SAFE_NO_PAD] {
                let text = alphabet.encode(format!("{before}tok?en>of~the*user and more"));
                let clean = masked(&context, &format!("said {text}."));
                assert!(clean.contains(MASK) && clean.len() < text.len(), "{before}: {clean}");
            }
        }
        assert_eq!(masked(&context, "GET /?k=tok%3Fen%3Eof%7Ethe*user"), format!("GET /?k={MASK}"));
        let address = "http://user:hunter-22@proxy/v1?api_key=k-0123456789&page=2";
        let context = testkit::calls::world(&[("MY_TOKEN", "tok?en>of~the*user"), ("PROXY", address)]);
        assert_eq!(masked(&context, "GET /v1?api_key=k-0123456789&page=2"), "GET /v1?api_key=***&page=2");
        assert!(masked(&context, &STANDARD_NO_PAD.encode("user:hunter-22")).starts_with(MASK));
        assert_eq!(masked(&context, "said dG9rZW4gb2YgYW5vdGhlciB1c2Vy"), "said dG9rZW4gb2YgYW5vdGhlciB1c2Vy");
    }

    #[test]
    fn secrets_are_known_by_their_names() {
        for name in [
            "ANTHROPIC_API_KEY",
            "GITHUB_TOKEN",
            "TOKEN",
            "AWS_REGION",
            "my_secret",
            "PGPASSWORD_PASSWORD",
            "PGPASSWORD",
            "MYSQL_PWD",
            "GH_PAT",
            "STRIPE_SK",
            "OPENAI_APIKEY",
            "npm_config__authToken",
            "SLACK_WEBHOOK",
            "SLACK_WEBHOOK_URL",
            "ANTHROPIC_CUSTOM_HEADERS",
            "SESSION_COOKIE",
            "SENTRY_DSN",
            "GPG_PASSPHRASE",
        ] {
            assert!(is_secret(name), "{name}");
        }
        for name in [
            "PATH",
            "HOME",
            "TOKENIZERS_PARALLELISM",
            "KEYBOARD",
            "SSH_AUTH_SOCK",
            "PWD",
            "OLDPWD",
            "GOPATH",
            "TASK",
            "CLASSPATH",
            "HTTPS_PROXY",
        ] {
            assert!(!is_secret(name), "{name}");
        }
    }
}
