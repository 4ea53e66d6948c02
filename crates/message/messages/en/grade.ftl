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
grade-field-not-number = `{ $field }` must be a number, and not a negative one
grade-field-not-whole = `{ $field }` must be a whole number, and not a negative one
grade-field-not-share = `{ $field }` must be a number from 0 to 1
grade-field-not-score = `threshold` must be a number from 1 to 5
grade-field-zero = `{ $field }` must be at least 1
grade-regex-flag = `{ $flag }` is not a flag of a regular expression here; use some of `dgimsuvy`, each once, and not both `u` and `v`
grade-regex-invalid = the pattern does not compile: { $error }
grade-equals-number = `{ $source }` is a number and reads as `{ $text }`; put quotes around it to compare with what is written
grade-json-extract = `extract` can only be `fenced`
grade-schema-shape = `schema` must be an object or a boolean
grade-schema-invalid = the schema does not compile: { $error }
grade-tools-unnamed = name the tool in `value`, or several in `values`
grade-mock-name = `value` must name a mock as tool and number, such as `Bash:2` for the second mock of `Bash`
grade-mock-absent = the sample has no mock number { $number } for `{ $tool }`; it has { $count } of them
grade-rouge-reference = the reference has { $count } words, too few for ROUGE-{ $n }; give a longer reference or a smaller `n`
grade-set-empty = `children` must hold at least one assertion
grade-set-mode = `mode` must be `any` or `all`
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
grade-mock-hits = mock `{ $value }` hits: { $actual }, at least { $limit } asked for
grade-set = { $passed } of { $count } assertions inside pass
grade-custom-said = { $text }
grade-custom-true = the function returned true
grade-custom-false = the function returned false

## Why a check is unscored

grade-judging-off = judging is off
grade-cost-unknown = the cost is unknown
grade-latency-unknown = the latency is unknown
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
grade-custom-memory = `{ $file }` needs more than { $mib } MiB of memory
grade-custom-never = the promise of `{ $file }` never settles
grade-custom-threw = `{ $file }` failed: { $error }
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
grade-reply-name = the reply's name is `{ $name }`, not one line of at most { $most } characters
grade-reply-score = the judge's score is not a whole number from 1 to 5: { $score }
grade-reply-claims = the judge's `claims` is not a list of statements that are supported or not
grade-reply-passed = the judge's `passed` is { $passed }, not true or false
grade-reply-no-claims = the judge found no statement
