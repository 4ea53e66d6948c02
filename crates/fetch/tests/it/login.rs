//! Redirects to sign-in pages.

use eval_fetch::internals::leads_to_login;
use url::Url;

#[test]
fn redirects_to_sign_in_pages_are_recognised() {
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
        // Pages on such hosts are judged by their content.
        "https://wiki.example.com/docs/auth/overview",
        "https://id.wikipedia.org/wiki/X",
        "https://account.example.com/cas/oauth2/",
    ] {
        assert!(!leads(wiki, other), "{other}");
    }
    // Documentation about signing in.
    assert!(!leads("https://docs.example.com/auth/login", "https://docs.example.com/en/auth/login/"));
}
