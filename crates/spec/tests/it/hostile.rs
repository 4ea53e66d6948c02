//! Files that were not written by friends: nothing panics, nothing takes long, and every failure
//! has a position.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

use eval_spec::Diagnostics;
use eval_spec::load;
use eval_spec::source::Severity;
use proptest::prelude::*;

use crate::world::{TYPES, World, draw};

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

/// A small generator of random numbers (xorshift64*), so that a seed names a file for ever.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_F491_4F6C_DD1D)
    }

    fn below(&mut self, n: usize) -> usize {
        usize::try_from(self.next() % n.max(1) as u64).unwrap()
    }
}

/// What gets inserted: pieces that mean something to a parser or a decoder.
const PIECES: &[&str] = &[
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
        let at = random.below(bytes.len() + 1);
        let end = (at + random.below(12)).min(bytes.len());
        match random.below(9) {
            0 => bytes.truncate(at),
            1 => drop(bytes.drain(at..end)),
            2 => {
                let piece = PIECES[random.below(PIECES.len())];
                drop(bytes.splice(at..at, piece.bytes()));
            }
            3 => {
                let piece = PIECES[random.below(PIECES.len())];
                drop(bytes.splice(at..end, piece.bytes()));
            }
            4 => {
                let copy = bytes[at..(at + random.below(200)).min(bytes.len())].to_vec();
                let to = random.below(bytes.len() + 1);
                drop(bytes.splice(to..to, copy));
            }
            5 if at < bytes.len() => bytes[at] = u8::try_from(random.below(256)).unwrap(),
            6 if at < bytes.len() => bytes[at] ^= 1 << random.below(8),
            7 => swap_lines(&mut bytes, random),
            _ => {
                let deep = PIECES[random.below(4)].repeat(random.below(300));
                drop(bytes.splice(at..at, deep.bytes()));
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

/// The kinds of files there are: name, a valid one.
const KINDS: [(&str, &str); 3] =
    [("eval-samples.yaml", SAMPLES_YAML), ("eval-samples.json", SAMPLES_JSON), ("eval.yaml", SETTINGS)];

fn load_kind(world: &World, name: &str, bytes: &[u8]) -> Result<(), Diagnostics> {
    let path = world.write(name, bytes);
    match name {
        "eval.yaml" => load::eval_file(&world.context, &path).map(drop),
        _ => load::samples(&world.context, &path, TYPES).map(drop),
    }
}

/// `Err` says what is wrong with how the load failed.
fn is_well_behaved(result: &Result<(), Diagnostics>) -> Result<(), String> {
    let Err(diagnostics) = result else { return Ok(()) };
    if !diagnostics.0.iter().any(|d| d.severity == Severity::Error) {
        return Err("failed without an error".to_owned());
    }
    for diagnostic in &diagnostics.0 {
        let Some(place) = &diagnostic.place else { return Err(format!("no position: {}", diagnostic.message)) };
        if place.span.start + place.span.len > place.file.text.len() {
            return Err(format!("outside of the file: {}", diagnostic.message));
        }
    }
    // Drawing slices the text at every place.
    draw(&diagnostics.0);
    Ok(())
}

#[test]
fn valid_ones_are_valid() {
    let world = World::new();
    for (name, valid) in KINDS {
        load_kind(&world, name, valid.as_bytes()).map_err(|e| e.to_string()).unwrap();
    }
}

/// Must show 6: ten thousand files, three kinds, each named by its seed.
#[test]
fn ten_thousand_malformed_files() {
    let world = World::new();
    let mut failed = 0;
    for seed in 1..=10_000_u64 {
        let mut random = Random(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15));
        let (name, valid) = KINDS[random.below(KINDS.len())];
        let bytes = mutate(valid, &mut random);
        let outcome = catch_unwind(AssertUnwindSafe(|| {
            let result = load_kind(&world, name, &bytes);
            (is_well_behaved(&result), result.is_err())
        }));
        let shown = || format!("seed {seed}, {name}:\n{}", String::from_utf8_lossy(&bytes));
        match outcome {
            Ok((Ok(()), is_err)) => failed += usize::from(is_err),
            Ok((Err(why), _)) => panic!("{why}\n{}", shown()),
            Err(_) => panic!("a panic\n{}", shown()),
        }
    }
    assert!(failed > 7_000, "only {failed} of 10000 files were refused: the mutations do too little");
}

/// Texts that make careless parsers quadratic, exponential, or overflow the stack.
#[test]
fn bombs_end_soon() {
    let world = World::new();
    let n = 100_000;
    let bombs = [
        "[".repeat(n),
        "{\"a\":".repeat(n),
        "{a: ".repeat(n),
        "- ".repeat(n),
        "? ".repeat(n),
        "- - ? ".repeat(n / 3),
        "&a ".repeat(n),
        "!!str ".repeat(n),
        "a: ".repeat(n),
        "\"".repeat(n),
        "'".repeat(n),
        "\\".repeat(n),
        "#".repeat(n),
        "#\n".repeat(n),
        "\n".repeat(n),
        "---\n".repeat(n / 4),
        "%YAML 1.2\n".repeat(n / 8),
        format!("a: |\n{}", "  x\n".repeat(n)),
        format!("a: \"{}", "x\n\n".repeat(n)),
        format!("[{}]", "{},".repeat(n)),
        format!("[{}]", "[],".repeat(n)),
        format!("{{{}}}", (0..n / 4).map(|i| format!("\"k{i}\": 1,")).collect::<String>()),
        format!("{{{}}}", "\"same\": 1,".repeat(n / 4)),
        (0..n / 8).map(|i| format!("- &a{i} [*a{}]\n", i.saturating_sub(1))).collect(),
        format!("- &a {}\n{}", "x".repeat(1_000_000), "- *a\n".repeat(1000)),
        format!("\"{}\": 1", "k".repeat(n)),
        format!("{}: 1", "k".repeat(n)),
        format!("[1{}]", "0".repeat(n)),
        "\t".repeat(n),
        "[,".repeat(n),
        "- a\n  b\n".repeat(n / 8),
        "[a, ".repeat(99),
    ];
    for bomb in &bombs {
        for name in ["a.yaml", "a.json", "eval.yaml"] {
            let start = Instant::now();
            let result = load_kind(&world, name, bomb.as_bytes());
            let took = start.elapsed();
            let head: String = bomb.chars().take(30).collect();
            assert!(took < Duration::from_secs(30), "{name} {head:?} took {took:?}");
            is_well_behaved(&result).unwrap_or_else(|why| panic!("{name} {head:?}: {why}"));
            assert!(result.is_err(), "{name} {head:?} was accepted");
        }
    }
}

proptest! {
    #[test]
    fn any_bytes(bytes in prop::collection::vec(any::<u8>(), 0..200), kind in 0..KINDS.len()) {
        let result = load_kind(&World::new(), KINDS[kind].0, &bytes);
        prop_assert_eq!(is_well_behaved(&result), Ok(()));
    }

    #[test]
    fn any_words(words in prop::collection::vec(prop::sample::select(PIECES), 0..60), kind in 0..KINDS.len()) {
        let result = load_kind(&World::new(), KINDS[kind].0, words.concat().as_bytes());
        prop_assert_eq!(is_well_behaved(&result), Ok(()));
    }
}
