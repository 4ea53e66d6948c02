//! Environment variables that the two commands read, as a table for the docs. A test compares it with the source.

use eval_message::{MessageKey, key};

#[derive(Clone, Copy, Debug)]
pub struct Variable {
    pub name: &'static str,
    /// Commands that read it.
    pub read_by: ReadBy,
    /// Description.
    pub doc: MessageKey,
}

#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum ReadBy {
    Omk,
    EvalSkills,
    Both,
}

const fn variable(name: &'static str, read_by: ReadBy, doc: MessageKey) -> Variable {
    Variable { name, read_by, doc }
}

/// Variables, our own first.
pub const VARIABLES: &[Variable] = &[
    variable("OMK_HOME", ReadBy::Omk, key!("cli-variable-omk-home")),
    variable("OMK_EXECUTOR", ReadBy::Omk, key!("cli-variable-omk-executor")),
    variable("OMK_MODEL", ReadBy::Omk, key!("cli-variable-omk-model")),
    variable("OMK_LANG", ReadBy::Both, key!("cli-variable-omk-lang")),
    variable("OMK_BENCH_PORT", ReadBy::Both, key!("cli-variable-omk-bench-port")),
    variable("OMK_PASS_ENV", ReadBy::Both, key!("cli-variable-omk-pass-env")),
    variable("OMK_FIXED_TIME", ReadBy::Both, key!("cli-variable-omk-fixed-time")),
    variable("EVAL_SKILLS_HOME", ReadBy::EvalSkills, key!("cli-variable-eval-skills-home")),
    variable("ANTHROPIC_API_KEY", ReadBy::Both, key!("cli-variable-anthropic-key")),
    variable("ANTHROPIC_AUTH_TOKEN", ReadBy::Both, key!("cli-variable-anthropic-token")),
    variable("ANTHROPIC_BASE_URL", ReadBy::Both, key!("cli-variable-anthropic-base")),
    variable("CLAUDE_CODE_USE_BEDROCK", ReadBy::Both, key!("cli-variable-claude-bedrock")),
    variable("CLAUDE_CODE_USE_VERTEX", ReadBy::Both, key!("cli-variable-claude-vertex")),
    variable("CLAUDE_CODE_USE_FOUNDRY", ReadBy::Both, key!("cli-variable-claude-foundry")),
    variable("OPENAI_API_KEY", ReadBy::Both, key!("cli-variable-openai-key")),
    variable("OPENAI_BASE_URL", ReadBy::Both, key!("cli-variable-openai-base")),
    variable("CCV_PROXY_URL", ReadBy::Both, key!("cli-variable-ccv-proxy")),
    variable("HTTPS_PROXY", ReadBy::Both, key!("cli-variable-proxy")),
    variable("HTTP_PROXY", ReadBy::Both, key!("cli-variable-proxy")),
    variable("ALL_PROXY", ReadBy::Both, key!("cli-variable-proxy")),
    variable("NO_PROXY", ReadBy::Both, key!("cli-variable-no-proxy")),
    variable("NO_COLOR", ReadBy::Both, key!("cli-variable-no-color")),
    variable("CLICOLOR_FORCE", ReadBy::Both, key!("cli-variable-force-color")),
    variable("TERM", ReadBy::Both, key!("cli-variable-term")),
    variable("COLUMNS", ReadBy::Both, key!("cli-variable-columns")),
    variable("CI", ReadBy::Both, key!("cli-variable-ci")),
    variable("LC_ALL", ReadBy::Both, key!("cli-variable-locale")),
    variable("LC_MESSAGES", ReadBy::Both, key!("cli-variable-locale")),
    variable("LANG", ReadBy::Both, key!("cli-variable-locale")),
    variable("PATH", ReadBy::Both, key!("cli-variable-path")),
    variable("TMPDIR", ReadBy::Both, key!("cli-variable-tmpdir")),
    variable("USER", ReadBy::Omk, key!("cli-variable-user")),
    variable("LOGNAME", ReadBy::Omk, key!("cli-variable-user")),
];
