//! How to grade: what runs scripts, whether judges are on, and limits of time and memory.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Duration;

use eval_spec::JudgeMode;

/// What runs the files of `custom` assertions.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum CustomRuntime {
    /// The built-in engine: no files, no network, no processes.
    #[default]
    Embedded,
    /// Node.js, for files that import packages.
    Node {
        /// The program, such as `node`.
        program: PathBuf,
    },
}

impl GradingLimits {
    /// The limits while a `custom` file is loaded.
    pub(crate) fn of_loading(self) -> GradingLimits {
        GradingLimits { custom_time: self.custom_time.min(self.load_time), ..self }
    }
}

/// Limits of time and memory for one check.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GradingLimits {
    /// The time of one `custom` call.
    pub custom_time: Duration,
    /// The time of loading a `custom` file, if it is less than that of a call: nothing is graded yet,
    /// and the user waits.
    pub load_time: Duration,
    /// The memory of one `custom` call, in bytes.
    pub custom_memory: usize,
    /// The time of one `regex` match.
    pub regex_time: Duration,
}

impl Default for GradingLimits {
    fn default() -> GradingLimits {
        GradingLimits {
            custom_time: Duration::from_secs(30),
            load_time: Duration::from_secs(5),
            custom_memory: 256 << 20,
            regex_time: Duration::from_secs(1),
        }
    }
}

/// How to grade.
#[derive(Clone, Debug, Default)]
pub struct GraderSetup {
    /// What runs `custom` files.
    pub custom_runtime: CustomRuntime,
    /// Whether judges are on. Without them rubrics are not planned, and assertions that judges score are unscored.
    pub judging: bool,
    /// The mode of samples that set none.
    pub judge_mode: JudgeMode,
    /// Whether the executor answers tool calls from the samples' mocks; without it `mock_hit` is
    /// unscored, unless a trace shows that a mock was hit.
    pub mocks: bool,
    /// The environment of Node; only variables for finding programs, packages and the language are passed on.
    pub env: BTreeMap<String, String>,
    /// Limits of time and memory.
    pub limits: GradingLimits,
}
