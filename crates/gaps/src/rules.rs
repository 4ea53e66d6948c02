//! What a team says of gaps, ready to be looked for.

use eval_spec::call::{ToolCall, ToolStatus};
use eval_spec::gap::GapRules;
use regex::{Regex, RegexSet};

/// A team's rules ([`GapRules`]), compiled once for many conversations.
#[derive(Clone, Debug, Default)]
pub struct GapPatterns {
    pub(crate) markers: Vec<Regex>,
    tools: RegexSet,
    nothing: RegexSet,
}

impl GapPatterns {
    /// Compiles `rules`. A pattern that is no regular expression is left out: who reads settings refuses it.
    #[must_use]
    pub fn new(rules: &GapRules) -> GapPatterns {
        let valid = |patterns: Vec<String>| {
            RegexSet::new(patterns.iter().filter(|pattern| Regex::new(pattern).is_ok())).unwrap_or_default()
        };
        GapPatterns {
            markers: rules.markers.iter().filter_map(|marker| marker_pattern(marker)).collect(),
            tools: valid(rules.search_tools.iter().map(|name| name_pattern(name)).collect()),
            nothing: valid(rules.empty_result.clone()),
        }
    }

    /// Whether the team says that a tool of this name searches.
    pub(crate) fn is_search(&self, name: &str) -> bool {
        self.tools.is_match(name)
    }

    /// Whether a call of such a tool found nothing; `None` where the team didn't say how that looks, or the call failed.
    pub(crate) fn has_nothing(&self, call: &ToolCall) -> Option<bool> {
        let output =
            call.output.as_ref().filter(|output| !output.is_error && call.status != Some(ToolStatus::Failed))?;
        (!self.nothing.is_empty()).then(|| self.nothing.is_match(output.text.trim()))
    }
}

/// A mark of a team, as a word of its own: `TBD` isn't in `TBDs`.
fn marker_pattern(marker: &str) -> Option<Regex> {
    let edge =
        |letter: Option<char>| letter.is_some_and(|letter| letter.is_ascii_alphanumeric()).then_some(r"(?-u:\b)");
    let before = edge(marker.chars().next()).unwrap_or_default();
    let after = edge(marker.chars().next_back()).unwrap_or_default();
    Regex::new(&format!("(?i){before}{}{after}", regex::escape(marker))).ok()
}

fn name_pattern(name: &str) -> String {
    let parts: Vec<String> = name.split('*').map(regex::escape).collect();
    format!("(?is)^{}$", parts.join(".*"))
}
