//! The surroundings of a command: what was read at the start, and the flags of every command.

use std::path::{Path, PathBuf};

use eval_cli::{CommandError, Terminal};
use eval_load::Loaded;
use eval_serve::Store;
use eval_spec::callable::{SkillsConfig, SkillsSettings};
use eval_spec::{Context, Diagnostics};

use crate::cli::SkillsGlobal;
use crate::files::{configuration, store_failure};

/// The surroundings of a command: what was read at the start, and the flags of every command.
#[derive(Clone, Copy)]
pub(crate) struct Session<'a> {
    pub(crate) context: &'a Context,
    pub(crate) terminal: &'a Terminal,
    pub(crate) global: &'a SkillsGlobal,
}

impl Session<'_> {
    /// The configuration files, merged.
    pub(crate) fn config(&self) -> Result<Loaded<SkillsConfig>, Diagnostics> {
        configuration(self.context, self.global.config.as_deref())
    }

    /// The configuration files with `flags` above them.
    pub(crate) fn merged(&self, flags: SkillsConfig) -> Result<SkillsConfig, CommandError> {
        Ok(flags.over(self.config()?.value))
    }

    /// [`Session::merged`] with the defaults below.
    pub(crate) fn settings(&self, flags: SkillsConfig) -> Result<SkillsSettings, CommandError> {
        Ok(self.merged(flags)?.resolve(&self.context.cwd))
    }

    /// Opens the store of the flag, else of the configuration, which must exist.
    pub(crate) fn store(&self, flag: Option<&Path>) -> Result<Store, CommandError> {
        Store::open_existing(&self.store_path(flag)?).map_err(|error| store_failure(self.context, &error))
    }

    /// The path of the store: the flag, else the configuration, else the default.
    pub(crate) fn store_path(&self, flag: Option<&Path>) -> Result<PathBuf, CommandError> {
        let settings = self.settings(SkillsConfig::default())?;
        Ok(self.context.absolute(flag.unwrap_or(&settings.store)))
    }
}
