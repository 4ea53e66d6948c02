//! Pages that ask for a sign-in, where a text was expected.

use url::Url;

/// Names that hosts of sign-in pages begin with. Others that they have (`auth`, `id`, `account`) are those of pages to read as
/// well: what stands there decides.
const HOSTS: [&str; 10] = ["login", "signin", "sign-in", "logon", "sso", "accounts", "idp", "passport", "adfs", "saml"];

/// Parts of the paths of sign-in pages.
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

/// Whether a redirect from one page to another leads to a sign-in.
pub(crate) fn leads_to_login(from: &Url, to: &Url) -> bool {
    is_login(to) && !is_login(from)
}

fn is_login(url: &Url) -> bool {
    let host = url.host_str().unwrap_or_default().to_ascii_lowercase();
    let is_host = host.split_once('.').is_some_and(|(first, _)| HOSTS.contains(&first));
    let mut parts = url.path_segments().into_iter().flatten().map(str::to_ascii_lowercase);
    is_host || parts.any(|part| PATHS.contains(&part.as_str()))
}

/// Whether a title or heading says that it is about signing in.
pub(crate) fn names_sign_in(text: &str) -> bool {
    const CHINESE: [&str; 3] = ["登录", "登入", "登陆"];
    const ENGLISH: [&str; 7] =
        [" sign in ", " signin ", " log in ", " login ", " log on ", " logon ", " single sign on "];
    let words = text.to_lowercase().split(|of: char| !of.is_alphanumeric()).collect::<Vec<_>>().join(" ");
    let words = format!(" {words} ");
    CHINESE.iter().any(|of| text.contains(of)) || ENGLISH.iter().any(|of| words.contains(of))
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "tests")]

    use super::*;

    #[test]
    fn redirects_to_sign_in_pages_are_known() {
        let leads = |from: &str, to: &str| leads_to_login(&Url::parse(from).unwrap(), &Url::parse(to).unwrap());
        let wiki = "https://wiki.example.com/prd/feature-x";
        for login in [
            "https://login.example.com/?next=x",
            "https://sso.example.com/",
            "https://accounts.google.com/v3/signin/identifier",
            "https://wiki.example.com/users/sign_in",
            "https://wiki.example.com/login?from=/prd",
            "https://login.microsoftonline.com/common/oauth2/authorize",
            "https://x.example.com/Login.action",
        ] {
            assert!(leads(wiki, login), "{login}");
        }
        for other in [
            "https://wiki.example.com/prd/feature-x/",
            "https://wiki.example.com/blog-in",
            "https://author.example.com/",
            // What stands there decides.
            "https://wiki.example.com/docs/auth/overview",
            "https://id.wikipedia.org/wiki/X",
            "https://account.example.com/cas/oauth2/",
        ] {
            assert!(!leads(wiki, other), "{other}");
        }
        // Documentation about it.
        assert!(!leads("https://docs.example.com/auth/login", "https://docs.example.com/en/auth/login/"));
    }
}
