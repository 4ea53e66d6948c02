//! The output under test, with cached values that several checks need.

use std::cell::OnceCell;

use eval_spec::call::ToolCall;
use eval_spec::halves::read_mended;
use eval_spec::{Judged, Output};
use serde_json::Value;

use crate::fold::{Folded, fold};
use crate::json::{self, JsonReading};

/// One output and the values computed from it so far.
pub(crate) struct GradedAnswer<'a> {
    pub(crate) output: &'a Output,
    judged: &'a [Judged],
    folded: OnceCell<Folded<'a>>,
    trimmed: OnceCell<Folded<'a>>,
    json: OnceCell<JsonReading>,
    calls: OnceCell<Vec<CallView<'a>>>,
}

/// One tool call, its texts folded.
pub(crate) struct CallView<'a> {
    pub(crate) call: &'a ToolCall,
    /// The texts of the arguments: every string, a command that is given as a list of words also as
    /// one text.
    pub(crate) inputs: Vec<String>,
    /// The text of the result; `None` when no result was seen.
    pub(crate) output: Option<String>,
}

impl<'a> GradedAnswer<'a> {
    /// `output` with the judges' opinions on the sample's questions.
    pub(crate) fn new(output: &'a Output, judged: &'a [Judged]) -> GradedAnswer<'a> {
        GradedAnswer {
            output,
            judged,
            folded: OnceCell::new(),
            trimmed: OnceCell::new(),
            json: OnceCell::new(),
            calls: OnceCell::new(),
        }
    }

    /// The judges' opinions on the question of that index; `None` when they weren't asked.
    pub(crate) fn judged(&self, question: usize) -> Option<&'a Judged> {
        self.judged.get(question)
    }

    pub(crate) fn text(&self) -> &'a str {
        &self.output.text
    }

    /// The text, folded.
    pub(crate) fn folded(&self) -> &Folded<'a> {
        self.folded.get_or_init(|| Folded::new(self.text()))
    }

    /// The text without white space around it, folded.
    pub(crate) fn trimmed(&self) -> &Folded<'a> {
        self.trimmed.get_or_init(|| Folded::new(self.text().trim()))
    }

    /// The whole text as JSON.
    pub(crate) fn json(&self) -> &JsonReading {
        self.json.get_or_init(|| json::read(self.text()))
    }

    /// Whether the agent's actions were recorded. An API that answers has no trace; an agent
    /// that called no tool still took turns.
    pub(crate) fn has_trace(&self) -> bool {
        !self.output.trace.is_empty()
    }

    /// The tool calls, sub-agents' included.
    pub(crate) fn calls(&self) -> &[CallView<'a>] {
        self.calls.get_or_init(|| self.output.trace.tool_calls().map(CallView::new).collect())
    }
}

impl<'a> CallView<'a> {
    fn new(call: &'a ToolCall) -> CallView<'a> {
        let mut inputs = Vec::new();
        collect_texts(&call.input, &mut inputs);
        // Some APIs give the arguments as a text that holds JSON; escapes would hide what is in it.
        if let Value::String(text) = &call.input
            && let Ok(arguments @ (Value::Object(_) | Value::Array(_))) = read_mended(text)
        {
            collect_texts(&arguments, &mut inputs);
        }
        CallView { call, inputs, output: call.output.as_ref().map(|output| fold(&output.text)) }
    }
}

fn collect_texts(value: &Value, texts: &mut Vec<String>) {
    match value {
        Value::String(text) => texts.push(fold(text)),
        Value::Array(items) => {
            let words: Option<Vec<&str>> = items.iter().map(Value::as_str).collect();
            texts.extend(words.filter(|words| words.len() > 1).map(|words| fold(&words.join(" "))));
            items.iter().for_each(|item| collect_texts(item, texts));
        }
        Value::Object(fields) => fields.values().for_each(|field| collect_texts(field, texts)),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}
