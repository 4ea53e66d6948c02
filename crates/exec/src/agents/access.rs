//! What an agent needs to reach its model.

use eval_message::msg;
use eval_process::programs::find;
use eval_spec::Context;
use eval_spec::suite::Settings;
use url::Url;

use super::AgentCli;
use crate::access::{Access, Credential, ask_version};
use crate::executor_type::BuildError;

/// The version of the agent's program; `None` where it isn't installed.
pub(crate) fn version(cli: &AgentCli, context: &Context) -> Option<Result<String, BuildError>> {
    let program = find(cli.name, context)?;
    let environment = cli.environment.of(context, &Settings::default());
    let asked = ask_version(&program, cli.version, &environment, context);
    Some(asked.map_err(|why| cli.no_version(why)))
}

/// Where its requests go, and what it would log in with.
pub(crate) fn access(cli: &AgentCli, context: &Context) -> Result<Option<Access>, BuildError> {
    let endpoint = (cli.endpoint)(context)?;
    let variables: Vec<&str> = std::iter::once(cli.key).chain(cli.tokens.iter().copied()).collect();
    let has_key = variables.iter().any(|name| context.var(name).is_some());
    let [with_key, with_login] = cli.vendor;
    let vendor = if has_key { with_key } else { with_login };
    let is_vendor = endpoint.base_url.is_none();
    let address = if is_vendor { vendor } else { &endpoint.address };
    let base = Url::parse(address).map_err(|_| BuildError::invalid(msg!("exec-bad-base-url", name = cli.name)))?;
    let access = Access::new(&variables, context, &base, is_vendor || !cli.keyless);
    if let Some((cloud, _)) = cli.environment.clouds_on(context).first() {
        let credential = Some(Credential::Cloud(cloud));
        return Ok(Some(Access { credential, address: None, ..access }));
    }
    let login = || {
        let home = cli.home.as_ref()?;
        let file = home.of_user(context).join(home.credentials.first()?);
        file.is_file().then_some(Credential::File(file))
    };
    Ok(Some(Access { credential: access.credential.clone().or_else(login), ..access }))
}

/// Refuses a run whose calls would all be answered with "not logged in", some of them after a minute.
///
/// Only where nothing of the user's but the files of a login reaches the agent.
pub(super) fn check_login(cli: &AgentCli, context: &Context) -> Result<(), BuildError> {
    // There it may be in the keychain.
    if cfg!(target_os = "macos") {
        return Ok(());
    }
    let Some(Access { credential: None, needs_credential: true, variables, .. }) = access(cli, context)? else {
        return Ok(());
    };
    let variables: Vec<String> = variables.iter().map(|name| format!("`{name}`")).collect();
    let file = cli.home.as_ref().and_then(|home| Some(home.of_user(context).join(home.credentials.first()?)));
    let file = file.map(|file| context.display(&file)).unwrap_or_default();
    Err(BuildError::Missing {
        message: msg!("exec-agent-no-login", agent = cli.name, variables = variables.join(", "), file = file),
        help: vec![msg!("exec-agent-no-login-help", agent = cli.name)],
    })
}
