//! A tool of a server that is called for what it returns, and scored by nobody.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use eval_exec::BuildError;
use eval_message::msg;
use eval_spec::callable::CallableSkill;
use eval_spec::{Context, ExecError};
use reqwest::header::{HeaderName, HeaderValue};
use rmcp::model::{ContentBlock, ResourceContents};
use serde_json::{Map, Value};

use super::Mcp;
use super::connection::McpServer;
use crate::host::SkillHost;

/// A tool of a server. The first call opens the connection, and all calls share it.
pub struct McpTool(Mcp);

/// What a tool returned.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ToolAnswer {
    /// Its texts, those of embedded resources too.
    pub texts: Vec<String>,
    /// `structuredContent`.
    pub structured: Option<Value>,
}

impl McpTool {
    /// The tool that `skill` describes; `headers` go with every request to a server that is an address.
    ///
    /// # Errors
    /// The entrypoint is no address and no program that can be found, or a header can't be sent.
    pub fn new(
        skill: &CallableSkill,
        headers: &BTreeMap<String, String>,
        host: &Arc<SkillHost>,
        context: &Context,
    ) -> Result<McpTool, BuildError> {
        let mut mcp = Mcp::new(skill, host, context)?;
        if let McpServer::Address(server) = &mut mcp.server {
            for (name, value) in headers {
                let unusable = || BuildError::invalid(msg!("skills-exec-http-header", name = name));
                let mut value = HeaderValue::from_str(value).map_err(|_| unusable())?;
                value.set_sensitive(true);
                server.headers.insert(HeaderName::try_from(name).map_err(|_| unusable())?, value);
            }
        }
        Ok(McpTool(mcp))
    }

    /// Calls the tool.
    ///
    /// # Errors
    /// The server can't be reached, the tool fails, or there is no answer in time.
    pub async fn call(&self, arguments: Map<String, Value>, timeout: Duration) -> Result<ToolAnswer, ExecError> {
        let (result, _, _) = self.0.ask(Some(arguments), timeout).await?;
        let texts = result.content.into_iter().filter_map(text).collect();
        Ok(ToolAnswer { texts, structured: result.structured_content })
    }
}

fn text(part: ContentBlock) -> Option<String> {
    match part {
        ContentBlock::Text(text) => Some(text.text),
        ContentBlock::Resource(embedded) => match embedded.resource {
            ResourceContents::TextResourceContents { text, .. } => Some(text),
            _ => None,
        },
        _ => None,
    }
}
