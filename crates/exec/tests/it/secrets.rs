//! Names of secrets.

use eval_exec::is_secret;

#[test]
fn secrets_are_known_by_their_names() {
    for name in [
        "ANTHROPIC_API_KEY",
        "GITHUB_TOKEN",
        "TOKEN",
        "AWS_REGION",
        "my_secret",
        "PGPASSWORD_PASSWORD",
        "PGPASSWORD",
        "MYSQL_PWD",
        "GH_PAT",
        "STRIPE_SK",
        "OPENAI_APIKEY",
        "npm_config__authToken",
        "SLACK_WEBHOOK",
        "SLACK_WEBHOOK_URL",
        "ANTHROPIC_CUSTOM_HEADERS",
        "SESSION_COOKIE",
        "SENTRY_DSN",
        "GPG_PASSPHRASE",
    ] {
        assert!(is_secret(name), "{name}");
    }
    for name in [
        "PATH",
        "HOME",
        "TOKENIZERS_PARALLELISM",
        "KEYBOARD",
        "SSH_AUTH_SOCK",
        "PWD",
        "OLDPWD",
        "GOPATH",
        "TASK",
        "CLASSPATH",
        "HTTPS_PROXY",
    ] {
        assert!(!is_secret(name), "{name}");
    }
}
