# exec

exec-claude-auth = `claude` is not logged in or its key was refused: run `claude` once and log in, or set `ANTHROPIC_API_KEY`
exec-claude-api-timeout = `claude` got no answer from the API in its own time limit
exec-claude-status = the API answered `claude` with HTTP status { $status }
exec-claude-connection = `claude` lost or could not make the connection to the API
exec-claude-error = `claude` reported an error
exec-claude-no-result = `claude` ended (exit code { $code }) without a result
exec-claude-unreadable = `claude` ended (exit code { $code }) without a result, and { $lines } lines of its output were not JSON
exec-claude-exit-after-result = `claude` gave a result but ended with exit code { $code }
