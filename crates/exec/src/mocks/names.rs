//! Names of the tools of MCP servers.

use eval_spec::mock::Mocks;

/// Server and tool of a name such as `mcp__SERVER__TOOL`.
pub(crate) fn parts(tool: &str) -> Option<(&str, &str)> {
    tool.strip_prefix("mcp__")?.split_once("__").filter(|(server, tool)| !server.is_empty() && !tool.is_empty())
}

/// The tool of one of the mocks that has this name where it is `shown` to the model.
pub(super) fn named_by(mocks: &Mocks, name: &str, shown: impl Fn(&str) -> String) -> Option<String> {
    let tools = mocks.mocks.iter().map(|mock| &mock.tool).filter(|tool| parts(tool).is_some());
    tools.into_iter().find(|tool| shown(tool) == name).cloned()
}
