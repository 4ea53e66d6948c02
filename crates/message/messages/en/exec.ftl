# Executors: what they are, what they lack, how a call failed.

## What they are
exec-claude = Claude Code's command line, headless, with the whole trace of its tool calls
exec-codex = Codex's command line, headless, with the trace of its tool calls
exec-gemini = Gemini's command line, headless, with the trace of its tool calls
exec-anthropic-api = Anthropic's Messages API, or a server that speaks it
exec-openai-api = OpenAI's chat completions, or any compatible server
exec-gemini-api = Google's Gemini over HTTP
exec-openai-cli = the `openai` command of OpenAI's Python package, up to version 2.30
exec-openai-cli-gone = no `openai` command that asks models is in `PATH`: the Python package has none since version 2.31; use `openai-api`
exec-openai-cli-dash = the `openai` command takes no text that begins with `-`: use `openai-api`
exec-openai-cli-long = the `openai` command takes no text of { $kib } KiB or more: use `openai-api`
exec-replay = recorded executions, offline and free

## Which there are
exec-choice-ready = `{ $name }`: ready
exec-choice-missing = `{ $name }`: not ready: { $why }
exec-choice-command = any command line, such as `python3 model.py`: it gets JSON (`model`, `system`, `prompt`) on stdin and prints its answer
exec-unknown = there is no executor and no program `{ $name }`
exec-empty = the executor is empty
exec-missing-key = set `{ $name }` in the environment
exec-missing-key-or-base = set `{ $name }` in the environment, or `{ $base }` for a server that needs no key
exec-bad-base-url = `{ $name }` is not an `http://` or `https://` URL
exec-bad-key = `{ $name }` holds characters that no HTTP header can carry: check it for line breaks

## Command lines
exec-command-quotes = a quote in the command line `{ $line }` is not closed
exec-command-help = the words are split as a shell would, but no shell runs: for pipes and variables write `sh -c '…'`
exec-no-program = there is no program `{ $name }` in `PATH`
exec-no-program-file = `{ $name }` is not there or is not executable
exec-spawn = `{ $program }` could not be started
exec-wait = the program could not be waited for
exec-command-exit = the command ended with exit code { $code }
exec-command-signal = the command was ended by signal { $signal }
exec-command-withheld = the command seems to miss `{ $name }`, which is a secret: name it in `OMK_PASS_ENV` to hand it on
exec-command-timeout = the command gave no answer within { $seconds } s
exec-command-too-long = the program printed more than { $mib } MiB
exec-command-malformed = the command's JSON can't be read: { $why }

## HTTP
exec-http-client = no HTTP client can be made: { $why }
exec-http-timeout = `{ $host }` gave no answer within { $seconds } s
exec-http-unreachable = no connection to `{ $host }`: check the base URL and the network
exec-http-dropped = the connection to `{ $host }` broke off
exec-http-too-long = `{ $host }` sent more than { $mib } MiB
exec-http-not-json = `{ $host }` answered with what is not JSON: { $why }
exec-http-error-inside = `{ $host }` answered with an error inside a success
exec-http-auth = `{ $host }` refused the key (HTTP status { $status }): check it and what it may do
exec-http-no-credit = the account at `{ $host }` has no credit or quota left: add credit, then resume the run
exec-http-rate-limited = `{ $host }` had too many requests (HTTP status 429)
exec-http-server = `{ $host }` is in trouble (HTTP status { $status })
exec-http-redirect = `{ $host }` redirects elsewhere (HTTP status { $status }), and a key is not sent on: set the base URL to the final address
exec-http-rejected = `{ $host }` rejected the request (HTTP status { $status })
exec-no-content = the answer of `{ $host }` has no message in it
exec-unknown-stop = `{ $host }` stopped for a reason that is not known here: `{ $reason }`

## Prices
exec-prices-unusable = the prices in `{ $file }` can't be used: { $why }
exec-prices-version = `{ $file }` has version { $version }, and this program reads version { $reads }: write the prices in that form

## Recordings
exec-replay-no-folder = `replay` needs to know what to replay: give a folder with `--recordings DIR`
exec-replay-help = `--record DIR` writes recordings from any executor
exec-replay-empty = `{ $file }` holds no recording
exec-recordings-open = the recordings `{ $file }` can't be opened: { $why }
exec-recordings-read = the recordings `{ $file }` can't be read: { $why }
exec-recordings-version = the recordings `{ $file }` have version { $version }, and this program reads version { $reads }: replay them with the omk that wrote them, or record again
exec-recordings-line = line { $line } of `{ $file }` is not a recording: { $why }
exec-no-recording = there is no recording of `{ $key }` in `{ $file }`
exec-no-recording-torn = there is no recording of `{ $key }` in `{ $file }`, whose last line was cut short: it may have been there
exec-recording-prompt-changed = the prompt of `{ $sample }` changed since it was recorded
exec-recording-artifact-changed = the artifact of `{ $variant }` changed since it was recorded
exec-recording-both-changed = the prompt of `{ $sample }` and the artifact of `{ $variant }` changed since they were recorded
exec-recording-other-model = `{ $key }` was recorded with the model `{ $recorded }`, not with `{ $model }`
exec-recording-ambiguous = several recordings answer what `{ $key }` asks: { $recorded }; use the names they were recorded with, or name the model
exec-recorder-existing =
    { $count ->
        [one] `{ $file }` held a recording already; new ones follow it
       *[other] `{ $file }` held { $count } recordings already; new ones follow them
    }
exec-recorder-torn = the last line of `{ $file }` was cut short and has been removed
exec-recorder-replaced =
    { $count ->
        [one] a recording in `{ $file }` was made again; the new one is replayed, the old one stays in the file
       *[other] { $count } recordings in `{ $file }` were made again; the new ones are replayed, the old ones stay in the file
    }
exec-recorder-failed = not everything could be recorded in `{ $file }`: { $why }

## claude
exec-agent-missing = there is no program `{ $agent }` in `PATH`: install it with `npm install -g { $package }`, then run it once and log in
exec-agent-version = `{ $agent } --version` failed: { $why }
exec-agent-setting = `{ $agent }` has no `{ $setting }`: leave it out
exec-agent-strict = `{ $agent }` can't run with the settings of the user: leave `--no-strict-baseline` out
exec-agent-network = the network of `{ $agent }` can't be closed: { $why }
exec-agent-network-help = use `--network open`; or run where a process may have a network namespace of its own (as root, or with unprivileged user namespaces)
exec-agent-network-cloud-help = unset the variables of the cloud and use a key of the vendor, or use `--network open`
exec-agent-network-proxy-help = unset `{ $name }`, if the model can be reached without it, or use `--network open`
exec-agent-network-cloud = the address of its model isn't known, as with a cloud
exec-agent-network-proxy = its model is reached by the proxy of `{ $name }`
exec-agent-temperature = `{ $agent }` takes no temperature: leave it out, or use `{ $api }`
exec-agent-file = what `{ $agent }` needs for a call could not be set up in `{ $folder }`, below `TMPDIR` (a full disk, a path that is too long?)
exec-agent-copy = agents work in a copy of `{ $directory }` without the artifacts under test, and it could not be made
exec-agent-copy-pipe = `{ $path }` is a pipe, a socket or a device: reading it would wait for ever; remove it
exec-agent-no-login = `{ $agent }` is not logged in: there is no key in { $variables } and no login in `{ $file }`
exec-agent-no-login-help = start `{ $agent }` once and log in, or set one of the variables
exec-agent-copy-size = `{ $directory }` can't be copied for each call: more than { $files } files or { $gib } GiB without what Git ignores. Set `cwd` to a smaller directory, list what isn't needed in `.gitignore`, or accept that variants may see each other's artifacts (`--no-strict-baseline`)
exec-agent-timeout = `{ $agent }` was not done within { $seconds } s
exec-agent-auth = `{ $agent }` is not logged in or its key was refused: run `{ $agent }` once and log in, or set `{ $key }`
exec-agent-no-credit = the account of `{ $agent }` has no credit or quota left: add credit or wait for the quota, then resume the run
exec-agent-api-timeout = `{ $agent }` got no answer from the API in its own time limit
exec-agent-status = the API answered `{ $agent }` with HTTP status { $status }
exec-agent-connection = `{ $agent }` lost the connection to the API or could not make one
exec-agent-error = `{ $agent }` reported an error
exec-agent-own-answer = `{ $agent }` answered by itself, without asking a model: a prompt that begins with `/` is a command to it
exec-agent-no-result = `{ $agent }` ended without a result (exit code { $code })
exec-agent-unreadable = `{ $agent }` ended without a result (exit code { $code }), and { $lines } lines of its output were not JSON
exec-agent-exit-after-result = `{ $agent }` gave a result but ended with exit code { $code }

## Mocks

exec-mock-tool = sample `{ $sample }` has a mock of `{ $tool }`, which `{ $agent }` can't have answered; it can for `{ $tools }`
exec-mock-agent = sample `{ $sample }` has mocks, and the tool calls of `{ $agent }` can't be answered by omk
exec-mock-model = sample `{ $sample }` has mocks, and `{ $executor }` makes no tool calls that they could answer
exec-mock-agent-help = run such samples with an executor whose tools can be mocked: { $executors }, or remove their `mocks`
exec-mock-fail-help = the tool's success can't be answered, its failure can: give the mock an `exit` other than 0, or leave it out
exec-mock-not-shown = the model did not see the answer of the mock of `{ $tool }`: a hook of the artifact put something else in its place, or this version of the agent did
exec-mock-changed = a hook of the artifact (in a skill or in the settings of the project) changed a call of `{ $tool }` that mocks decide about, so that something else was run
exec-mock-absent = the agent refused a call of `{ $tool }` before its mock could answer: { $text }
exec-mock-unasked = the agent ran `{ $tool }` without asking omk, so that a real call was made where a mock should have answered or denied it
exec-lack-shared-memory = `shared-memory`: calls have no `/dev/shm` of their own ({ $why }); `landlock-write` keeps this machine's from them, so that what shares memory fails
exec-lack-terminals = `terminals`: calls have no terminals of their own ({ $why }); `landlock-write` keeps this machine's from them, so that what needs one fails
