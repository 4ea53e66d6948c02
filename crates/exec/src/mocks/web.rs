//! Tools for the web, which agents offer in a form that nothing can answer in their place: a server offers others instead.

use serde_json::{Map, Value, json};

/// The name of the server.
pub(crate) const SERVER: &str = "web";

/// A tool that the server offers in the place of an agent's own.
pub(crate) struct WebTool {
    /// The agent's own tool.
    pub(crate) own: &'static str,
    /// Its name on the server.
    pub(crate) name: &'static str,
    pub(crate) description: &'static str,
    /// Names and descriptions of the arguments, all of them texts; the first is required.
    pub(crate) arguments: &'static [(&'static str, &'static str)],
}

/// All of them.
pub(crate) const STAND_INS: [WebTool; 2] = [
    WebTool {
        own: "WebFetch",
        name: "fetch",
        description: "Fetches the content of a URL and answers a prompt about it.",
        arguments: &[("url", "The URL to fetch content from"), ("prompt", "What to find out from the content")],
    },
    WebTool {
        own: "WebSearch",
        name: "search",
        description: "Searches the web.",
        arguments: &[("query", "The search query")],
    },
];

/// The agent's own tool that a tool of the server stands for.
pub fn stands_for(tool: &str) -> Option<&'static str> {
    let name = tool.strip_prefix("mcp__")?.strip_prefix(SERVER)?.strip_prefix("__")?;
    STAND_INS.iter().find(|of| of.name == name).map(|of| of.own)
}

impl WebTool {
    /// As the server lists it.
    pub(crate) fn listed(&self) -> Value {
        let properties: Map<String, Value> = self
            .arguments
            .iter()
            .map(|(name, description)| ((*name).to_owned(), json!({"type": "string", "description": description})))
            .collect();
        let required: Vec<&str> = self.arguments.iter().take(1).map(|(name, _)| *name).collect();
        let schema = json!({"type": "object", "properties": properties, "required": required});
        // Artifacts call the tool by the agent's own name.
        let description = format!("{} Use it wherever {} is meant.", self.description, self.own);
        json!({"name": self.name, "description": description, "inputSchema": schema})
    }
}
