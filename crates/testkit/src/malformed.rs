//! Malformed inputs: seeded mutations of valid sample files and settings.

use std::fmt;

/// Kinds of files: name, and a valid example.
pub const KINDS: [(&str, &str); 3] =
    [("eval-samples.yaml", SAMPLES_YAML), ("eval-samples.json", SAMPLES_JSON), ("eval.yaml", SETTINGS)];

/// A file that is most likely malformed.
#[derive(Clone)]
pub struct Malformed {
    /// Seed it is generated from; the same file in every version.
    pub seed: u64,
    /// Name of the kind in [`KINDS`].
    pub name: &'static str,
    pub bytes: Vec<u8>,
}

impl Malformed {
    /// Generates the file of a seed: a valid one of one kind, changed in one to four places.
    pub fn generate(seed: u64) -> Malformed {
        let mut random = Random(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15));
        let (name, valid) = KINDS[random.below(KINDS.len())];
        Malformed { seed, name, bytes: mutate(valid, &mut random) }
    }
}

impl fmt::Debug for Malformed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "seed {}, {}:\n{}", self.seed, self.name, String::from_utf8_lossy(&self.bytes))
    }
}

const SAMPLES_YAML: &str = r#"# samples
- sample_id: s001
  prompt: 审查这段代码的安全性
  context: |
    function auth(u, p) { db.query('SELECT * FROM users WHERE name=' + u); }
  rubric: "应识别 SQL 注入风险\n并建议参数化查询"
  assertions: &shared
    - { type: contains, value: SQL 注入, weight: 1 }
    - type: assert-set
      mode: any
      children:
        - { type: contains_all, values: [参数化, "prepared statement"] }
        - { type: regex, pattern: "bind\\(.*\\?", not: true }
  difficulty: hard
  mocks:
    - { tool: Bash, match: { command_glob: 'git *' }, return: { stdout: ok, exit: 0 } }
- sample_id: s002
  prompt: >
    folded
    text
  assertions: *shared
  dimensions: { security: finds it, actionability: fixes it }
  environment: { cli_available: [git], notes: "ready" }
"#;

const SAMPLES_JSON: &str = r#"{
  "samples": [
    {
      "sample_id": "s001",
      "prompt": "Review this code \u00e9\ud83d\ude00",
      "context": "function auth(u, p) {\n\t}",
      "assertions": [
        { "type": "contains", "value": "SQL injection", "weight": 1 },
        { "type": "json_schema", "schema": { "type": "object", "required": ["a"], "maximum": 1.5e3 } },
        { "type": "assert-set", "mode": "all", "children": [{ "type": "min_length", "value": 10, "not": false }] }
      ],
      "dimensions": { "security": "Should identify injection" },
      "mocks": [{ "tool": "*", "return_seq": ["a", { "stderr": "b", "exit": 1 }], "return": "" }],
      "tripwire": false
    },
    { "sample_id": "s002", "prompt": "x", "rubric": "y", "capability": ["a", "b"], "provenance": "human" }
  ]
}
"#;

const SETTINGS: &str = "samples: eval-samples.json
skillDir: skills
control: baseline
treatments:
  - v1
  - { name: second, artifact: 'git:HEAD~1:v2' }
executor: claude
temperature: 0.5
concurrency: 4
timeout: 600
retry: 2
budgetUsd: 1.5
allowedTools: [Read, \"Bash\"]
ci: expanded
threshold: 3.5
judge: true
";

/// A small random number generator (xorshift64*), stable across versions.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_F491_4F6C_DD1D)
    }

    fn below(&mut self, n: usize) -> usize {
        usize::try_from(self.next() % n.max(1) as u64).unwrap_or(0)
    }
}

/// Insertions that mean something to a parser or a decoder.
pub const PIECES: &[&str] = &[
    "{",
    "}",
    "[",
    "]",
    ":",
    ": ",
    ",",
    "\"",
    "'",
    "\\",
    "\\u",
    "\\ud800",
    "\n",
    "\r",
    "\t",
    "  ",
    "- ",
    "? ",
    "#",
    "&a ",
    "*a",
    "*shared",
    "<<: *shared",
    "!!int ",
    "!x ",
    "---\n",
    "...\n",
    "%YAML 1.2\n",
    "|",
    ">",
    "|2-\n",
    "@",
    "`",
    "~",
    "null",
    "true",
    "no",
    "0x1F",
    "1e999",
    ".nan",
    "-0",
    "007",
    "99999999999999999999",
    "\u{0}",
    "\u{feff}",
    "\u{85}",
    "\u{2028}",
    "\u{202e}",
    "é",
    "注",
    "😀",
    "sample_id",
    "prompt",
    "assertions",
    "type",
    "children",
    "mode",
    "weight",
    "concurrency",
    "control",
    "treatments",
    "//",
    "/*",
    "NaN",
    "True",
];

fn mutate(valid: &str, random: &mut Random) -> Vec<u8> {
    let mut bytes = valid.as_bytes().to_vec();
    for _ in 0..=random.below(4) {
        let start = random.below(bytes.len() + 1);
        let end = (start + random.below(12)).min(bytes.len());
        match random.below(9) {
            0 => bytes.truncate(start),
            1 => drop(bytes.drain(start..end)),
            2 => {
                let piece = PIECES[random.below(PIECES.len())];
                drop(bytes.splice(start..start, piece.bytes()));
            }
            3 => {
                let piece = PIECES[random.below(PIECES.len())];
                drop(bytes.splice(start..end, piece.bytes()));
            }
            4 => {
                let copy = bytes[start..(start + random.below(200)).min(bytes.len())].to_vec();
                let to = random.below(bytes.len() + 1);
                drop(bytes.splice(to..to, copy));
            }
            5 if start < bytes.len() => bytes[start] = random.next().to_le_bytes()[0],
            6 if start < bytes.len() => bytes[start] ^= 1 << random.below(8),
            7 => swap_lines(&mut bytes, random),
            _ => {
                let deep = PIECES[random.below(4)].repeat(random.below(300));
                drop(bytes.splice(start..start, deep.bytes()));
            }
        }
    }
    bytes
}

fn swap_lines(bytes: &mut Vec<u8>, random: &mut Random) {
    let mut lines: Vec<Vec<u8>> = bytes.split(|b| *b == b'\n').map(<[u8]>::to_vec).collect();
    let (a, b) = (random.below(lines.len()), random.below(lines.len()));
    lines.swap(a, b);
    *bytes = lines.join(&b'\n');
}
