//! Detects redirects and pages that ask for a sign-in.

use url::Url;

/// First labels of the hosts of sign-in pages. `auth`, `id` and `account` are missing: such hosts also have pages to
/// read, so the page's content decides.
const HOSTS: [&str; 10] = ["login", "signin", "sign-in", "logon", "sso", "accounts", "idp", "passport", "adfs", "saml"];

/// Path segments of sign-in pages.
const PATHS: [&str; 15] = [
    "login",
    "login.html",
    "login.php",
    "login.jsp",
    "login.action",
    "log-in",
    "log_in",
    "signin",
    "sign-in",
    "sign_in",
    "logon",
    "sso",
    "saml",
    "saml2",
    "authorize",
];

pub fn leads_to_login(from: &Url, to: &Url) -> bool {
    is_login(to) && !is_login(from)
}

fn is_login(url: &Url) -> bool {
    let host = url.host_str().unwrap_or_default().to_ascii_lowercase();
    let is_host = host.split_once('.').is_some_and(|(first, _)| HOSTS.contains(&first));
    let mut parts = url.path_segments().into_iter().flatten().map(str::to_ascii_lowercase);
    is_host || parts.any(|part| PATHS.contains(&part.as_str()))
}

/// Returns `true` if a title or heading is about signing in.
pub(crate) fn names_sign_in(text: &str) -> bool {
    const CHINESE: [&str; 3] = ["登录", "登入", "登陆"];
    const ENGLISH: [&str; 7] =
        [" sign in ", " signin ", " log in ", " login ", " log on ", " logon ", " single sign on "];
    let words = text.to_lowercase().split(|c: char| !c.is_alphanumeric()).collect::<Vec<_>>().join(" ");
    let words = format!(" {words} ");
    CHINESE.iter().any(|phrase| text.contains(phrase)) || ENGLISH.iter().any(|phrase| words.contains(phrase))
}
