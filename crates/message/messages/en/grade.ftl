# Texts of the crate `eval-grade`.

## What each assertion type checks, one line

grade-type-contains = the output contains `value`, in any case
grade-type-not-contains = the output does not contain `value`, in any case
grade-type-contains-all = the output contains all of `values`, in any case
grade-type-contains-any = the output contains at least one of `values`, in any case
grade-type-regex = the ECMAScript pattern `pattern` matches somewhere in the output (`flags`: `i` unless given, `""` makes case matter); at most 1 s, else not evaluated
grade-type-equals = the output, trimmed, is `value`; case matters; a number must read as written (`3.10` needs quotes)
grade-type-not-equals = the output, trimmed, is not `value`; case matters
grade-type-starts-with = the output, trimmed, starts with `value`, in any case
grade-type-ends-with = the output, trimmed, ends with `value`, in any case
grade-type-json-valid = the whole output is JSON (with `extract: fenced`, its one fenced JSON block)
grade-type-json-schema = the output is JSON that `schema` accepts (draft 4 to 2020-12; 7 if `$schema` is absent); `format` is asserted, nothing is fetched; `extract` as in `json_valid`
grade-type-rouge-n-min = ROUGE-N recall, the share of the n-grams of `reference` that the output has, is at least `threshold` (default 0.5; `n` default 1; Lin 2004)
grade-type-bleu-min = unsmoothed BLEU-4 against `reference` is at least `threshold` (default 0.5; Papineni et al. 2002); below four tokens it is 0
grade-type-levenshtein-max = at most `value` characters inserted, deleted or replaced turn the output, trimmed, into `reference`
grade-type-tool-output-contains = some tool call (of `tool`, if given) returned `value`, in any case
grade-type-tool-input-contains = some tool call (of `tool`, if given) has `value` in its arguments, in any case
grade-type-tool-input-not-contains = no tool call (of `tool`, if given) has `value` in its arguments, in any case
grade-type-semantic-similarity = a judge finds the output as close to `reference` as `threshold` (1–5, default 3)
grade-type-faithfulness = a judge finds what the output states supported by the sample's `context`, at least to `threshold` (1–5, default 3); `mode`: `score`, or `claims` for statement by statement
grade-type-answer-relevancy = a judge finds that the output answers the sample's `prompt`, at least to `threshold` (1–5, default 3)
grade-type-context-recall = a judge finds the key facts of `reference`, or of the `context`, in the output, at least to `threshold` (1–5, default 3); `mode` as in `faithfulness`
grade-type-expectation = whether what an `evals.json` expects holds of the output, to a judge
grade-type-min-length = the output has at least `value` characters (Unicode scalar values)
grade-type-max-length = the output has at most `value` characters (Unicode scalar values)
grade-type-word-count-min = the output has at least `value` words (UAX #29); each Han or Kana character is one
grade-type-word-count-max = the output has at most `value` words (UAX #29); each Han or Kana character is one
grade-type-cost-max = the execution cost at most `value` US dollars; not evaluated if the cost is unknown
grade-type-latency-max = the execution took at most `value` milliseconds, queueing aside
grade-type-turns-min = the agent took at least `value` turns
grade-type-turns-max = the agent took at most `value` turns
grade-type-tools-called = the agent called the tool `value`, and every one of `values` (at least one of the two); names are exact
grade-type-tools-not-called = the agent called neither the tool `value` nor any of `values` (at least one of the two); names are exact
grade-type-tools-count-min = the agent made at least `value` tool calls, its sub-agents' included
grade-type-tools-count-max = the agent made at most `value` tool calls, its sub-agents' included
grade-type-tool-sequence = the agent's own tool calls are those of `values`, as `mode` says: `strict` (the default) exactly these in this order, `unordered` exactly these in any order, `in_order` these in this order with others between them, `superset` at least these, `subset` none but these; sub-agents' calls are left out
grade-type-tool-call-f1 = the agent's own tool calls match those of `values` with an F1 of at least `threshold` (0–1, default 0.5), in any order; sub-agents' calls are left out
grade-type-skill-used = the agent loaded the skill `value`, that of its own variant where there is none
grade-type-skill-not-used = the agent did not load the skill `value`, that of its own variant where there is none
grade-type-mock-hit = the mock `value` (`Bash:2`: the second one for `Bash`) answered at least `threshold` calls (default 1); not evaluated while mocks are not in force
grade-type-custom = the default function of the `.mjs` file `fn` says so; it finds the other fields in `assertion`
grade-type-assert-set = `mode: any` or `mode: all` of the assertions in `children` pass; the set counts once, in the layer of its children, or as behavior if they have several

## What is wrong with an assertion

grade-type-unknown = there is no assertion type `{ $kind }`
grade-weight = `weight` must be a number greater than 0
grade-field-missing = `{ $field }` is missing
grade-field-not-text = `{ $field }` must be text
grade-field-empty = `{ $field }` must not be empty
grade-field-not-texts = `{ $field }` must be a list of texts, none of them empty
grade-field-not-calls = `{ $field }` must be a list of calls, each the name of a tool or an object with `tool` and, if wanted, `input_contains` (text or a list of texts)
grade-field-not-number = `{ $field }` must be a number, and not a negative one
grade-field-not-whole = `{ $field }` must be a whole number, and not a negative one
grade-field-not-share = `{ $field }` must be a number from 0 to 1
grade-field-not-score = `threshold` must be a number from 1 to 5
grade-field-zero = `{ $field }` must be at least 1
grade-regex-flag = `{ $flag }` is not a flag of a regular expression here; use some of `dgimsuvy`, each once, and not both `u` and `v`
grade-regex-invalid = the pattern does not compile: { $error }
grade-regex-foreign = `{ $written }` is syntax of another regex flavour: ECMAScript has none like it, or reads it as something else
grade-regex-foreign-form = in ECMAScript, write `{ $form }`
grade-regex-foreign-mode = in ECMAScript, write `{ $form }` with `flags: { $flags }`
grade-regex-foreign-letters = in ECMAScript, write `{ $form }`; for the letters of all scripts, `\p{"{"}L{"}"}` with `flags: { $flags }`
grade-regex-foreign-literal = leave out the slashes: write `{ $pattern }` with `flags: { $flags }`; if the slashes are to be matched, write `{ $path }`
grade-regex-foreign-slashes = leave out the slashes: write `{ $pattern }`; if the slashes are to be matched, write `{ $path }`
grade-regex-foreign-flags = leave out `{ $modifiers }` and write `flags: "{ $flags }"`
grade-regex-foreign-none = ECMAScript has no such syntax; write the pattern without it
grade-equals-number = `{ $source }` is a number and reads as `{ $text }`; put quotes around it to compare with what is written
grade-json-extract = `extract` can only be `fenced`
grade-schema-shape = `schema` must be an object or a boolean
grade-schema-invalid = the schema does not compile: { $error }
grade-schema-idle = `{ $keyword }` checks nothing in { $draft }: name another draft with `$schema` ("https://json-schema.org/draft/2020-12/schema" is the newest), or leave it out
grade-schema-misspelt = `{ $written }` is no keyword of JSON Schema, and would check nothing; did you mean `{ $meant }`?
grade-schema-two-drafts = `{ $new }` says something in 2020-12 only, and `{ $old }` (as it is written here) in older drafts only: name the draft with `$schema`, and write both as it has them
grade-tools-unnamed = name the tool in `value`, or several in `values`
grade-mock-name = `value` must name a mock as tool and number, such as `Bash:2` for the second mock of `Bash`
grade-mock-absent = the sample has no mock number { $number } for `{ $tool }`; it has { $count } of them
grade-rouge-reference = the reference has { $count } words, too few for ROUGE-{ $n }; give a longer reference or a smaller `n`
grade-set-empty = `children` must hold at least one assertion
grade-set-mode = `mode` must be `any` or `all`
grade-sequence-mode = `mode` is one of { $modes }
grade-custom-missing = `{ $file }` can't be read: { $error }
grade-custom-outside = `{ $file }` is not a file in the folder of the samples; put it there
grade-node-missing = `{ $program }` does not start: { $error }; install Node.js or use `--custom-runtime embedded`

## What was measured

grade-found = `{ $value }` is in the output, after { $at } characters
grade-absent = `{ $value }` is not in the output
grade-all-found = all { $count } texts are in the output
grade-some-found = { $found } of { $count } texts are in the output; `{ $first }` is not
grade-regex-matches = `{ $pattern }` matches `{ $text }`, after { $at } characters
grade-regex-no-match = `{ $pattern }` does not match
grade-equal = the output is `{ $value }`
grade-not-equal = the output is `{ $actual }`, not `{ $value }`
grade-affix = there stands `{ $actual }`, compared with `{ $value }`
grade-json-is-valid = it is JSON
grade-json-invalid = the output is not JSON: { $error }
grade-json-invalid-but-fenced = the output is not JSON: { $error }; its one fenced block would pass: set `extract: fenced` to read that
grade-json-no-block = the output has no fenced JSON block
grade-json-blocks = the output has { $count } fenced JSON blocks, where one is expected
grade-schema-accepts = the schema accepts it
grade-schema-rejects = the schema rejects it at `{ $at }`: { $error }
grade-schema-rejects-unlisted = the schema rejects it, with too many violations to list
grade-rouge = ROUGE-{ $n } recall { $actual }, threshold { $limit }
grade-bleu = BLEU-4 { $actual }, threshold { $limit }
grade-idle = `{ $kind }` of `{ $sample }` { $passes ->
    [yes] passes whatever is answered
   *[no] fails whatever is answered
  }: so it does on an empty answer, on the prompt and on a text of other signs
grade-idle-help = { $passes ->
    [yes] ask for more, or leave it out: it counts as a pass of every variant
   *[no] ask for less, or leave it out: it counts as a failure of every variant
  }
grade-idle-more = { $count ->
    [one] 1 more check comes
   *[other] { $count } more checks come
  } out the same whatever is answered
grade-bleu-reference = the reference has { $words ->
    [one] 1 word
   *[other] { $words } words
  }; BLEU compares runs of four, so no answer can have more than 0
grade-bleu-reference-help = `rouge_n_min` and `levenshtein_max` compare short texts
grade-bleu-short = BLEU-4 is 0 below four tokens; the reference has { $reference }, the output { $output }
grade-levenshtein = edit distance { $actual }, limit { $limit }
grade-levenshtein-over = edit distance over the limit { $limit }
grade-length-min = length { $actual }, at least { $limit } asked for
grade-length-max = length { $actual }, at most { $limit } allowed
grade-words-min = words: { $actual }, at least { $limit } asked for
grade-words-max = words: { $actual }, at most { $limit } allowed
grade-cost = cost ${ $actual }, limit ${ $limit }
grade-latency = { $actual } ms, limit { $limit } ms
grade-turns-min = turns: { $actual }, at least { $limit } asked for
grade-turns-max = turns: { $actual }, at most { $limit } allowed
grade-calls-min = tool calls: { $actual }, at least { $limit } asked for
grade-calls-max = tool calls: { $actual }, at most { $limit } allowed
grade-tools-all-called = every tool asked for was called
grade-tools-none-called = none of the tools was called
grade-tool-called = `{ $tool }` was called
grade-tool-not-called = `{ $tool }` was not called
grade-tool-output-found = `{ $value }` is in what call { $call }, of `{ $tool }`, returned
grade-tool-output-absent = `{ $value }` is in no result of the tool calls searched ({ $count })
grade-tool-input-found = `{ $value }` is in the arguments of call { $call }, of `{ $tool }`
grade-tool-input-absent = `{ $value }` is in no arguments of the tool calls searched ({ $count })
grade-calls-match = the calls are as listed: { $calls }
grade-call-missing = a call of `{ $expected }` is missing
grade-call-extra = call { $call }, of `{ $tool }`, is not listed, or not as often
grade-call-other = call { $call } is of `{ $tool }`; listed is `{ $expected }`
grade-call-f1 = F1 of the tool calls { $actual } (precision { $precision }, recall { $recall }), threshold { $limit }
grade-call-f1-none = no tool was called: F1 0, threshold { $limit }
grade-mock-hits = mock `{ $value }` hits: { $actual }, at least { $limit } asked for
grade-set = { $passed } of { $count } assertions inside pass
grade-custom-said = { $text }
grade-custom-true = the function returned true
grade-custom-false = the function returned false

## Why a check is unscored

grade-judging-off = judging is off
grade-cost-unknown = the cost is unknown
grade-latency-unknown = the latency is unknown
grade-skill-used = the agent loaded the skill `{ $skill }`
grade-skill-not-used = the agent did not load the skill `{ $skill }`
grade-own-skill-used = the agent loaded the skill
grade-own-skill-not-used = the agent loaded no skill of its variant
grade-no-trace = the executor gives no trace
grade-no-turns = the executor gives no turns
grade-no-mocks = the executor does not answer tool calls from mocks
grade-tool-output-unseen = not in the results that were seen, and those of other calls ({ $count }) were not
grade-regex-timeout = matching `{ $pattern }` took more than { $seconds } s
grade-regex-broke = matching `{ $pattern }` failed: { $error }
grade-json-unreadable = the output is JSON, but a schema can't be applied to it: { $error }
grade-schema-gave-up = a pattern of the schema took too many steps on this output
grade-schema-too-long = following the references of the schema took too long on this output
grade-levenshtein-too-long = reference and output are too long for an edit distance: use a lower `value` or a shorter reference
grade-custom-timeout = `{ $file }` took more than { $seconds } s
grade-custom-given-up = `{ $file }` took more than { $seconds } s { $count } times, and is not started again in this run. Correct it, then grade the same answers anew: `omk eval --regrade latest`.
grade-custom-memory = `{ $file }` needs more than { $mib } MiB of memory
grade-custom-never = the promise of `{ $file }` never settles
grade-custom-threw = `{ $file }` failed: { $error }
grade-custom-commonjs = `{ $file }` is written as CommonJS ({ $error }); write `export default function (output, context)` for `module.exports`, and `import` for `require`
grade-custom-no-function = `{ $file }` has no default export that is a function; write `export default function (output, context)`
grade-custom-improper = the function must return a boolean or an object with a boolean `pass`; it returned `{ $found }`
grade-custom-engine = the engine for custom assertions failed: { $error }
grade-check-broke = the check `{ $kind }` itself failed on this output; please report it

## Judges

grade-needs-context = this type needs the sample's `context`: the text that the answer is held against
grade-needs-facts = this type needs the sample's `context`, or a `reference` that lists the facts
grade-judged = score { $score } of 5, threshold { $threshold }
grade-judged-mode = `mode` is `score` or `claims`
grade-reply-refused = the judge refused
grade-reply-truncated = the judge's reply was cut
grade-reply-empty = the judge replied nothing
grade-reply-not-json = the judge's reply is not one JSON object, or has a field twice
grade-reply-wrong-id = the judge's reply doesn't carry the id of the request
grade-reply-no-reasoning = the judge gave no reasons
grade-reply-no-field = the judge's reply has no `{ $field }`
grade-reply-score-first = the judge gave the score before the reasons
grade-reply-winner = the winner is `{ $winner }`, not "A", "B" or "tie"
grade-reply-groups = groups in the reply are missing, have fewer than two members, unknown or repeated ones, or lack a reason or a confidence from 0 to 1
grade-reply-questions = questions in the reply are missing, empty or longer than { $most } characters
grade-reply-name = the reply's name is `{ $name }`, not one line of at most { $most } characters
grade-reply-score = the judge's score is not a whole number from 1 to 5: { $score }
grade-reply-claims = the judge's `claims` is not a list of statements that are supported or not
grade-reply-passed = the judge's `passed` is { $passed }, not true or false
grade-reply-no-claims = the judge found no statement
