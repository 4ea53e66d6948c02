//! HTTP: pages that are read, and those that are rejected.

use std::fs::Permissions;
use std::io::Write;
use std::os::unix::fs::PermissionsExt;
use std::process::{Command, Stdio};
use std::sync::{Arc, Mutex};

use eval_fetch::{FetchSetup, PAGE_TIMEOUT, fetch_all};
use eval_message::Lang;
use eval_spec::page::PageRoute;
use testkit::tools::tool;
use testkit::{WebReply, WebServer};

use crate::{fetched, world};

/// Packs bytes with the program `gzip`.
fn gzipped(bytes: &[u8]) -> Vec<u8> {
    let mut gzip = Command::new("gzip").arg("-c").stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let mut stdin = gzip.stdin.take().unwrap();
    let input = bytes.to_vec();
    let feed = std::thread::spawn(move || stdin.write_all(&input).unwrap());
    let output = gzip.wait_with_output().unwrap();
    feed.join().unwrap();
    output.stdout
}

fn pages(target: &str) -> WebReply {
    let packed =
        |bytes: &[u8]| WebReply::with("200 OK\r\nContent-Type: text/plain\r\nContent-Encoding: gzip", gzipped(bytes));
    let gbk = [0xb9, 0xe6, 0xd4, 0xf2, 0xa3, 0xba, 0xcf, 0xc8, 0xce, 0xca, 0xbe, 0xad, 0xc0, 0xed];
    match target {
        "/plain" => WebReply::page("text/plain", "Ask first.\n"),
        "/html" => WebReply::page("text/html; charset=utf-8", "<title>Rules</title><main><p>Ask <b>first</b>.</main>"),
        "/json" => WebReply::page("application/json", "{\"a\": 1}"),
        "/hop" => WebReply::redirect("/hop/2"),
        "/hop/2" => WebReply::redirect("plain-below"),
        "/signed" => WebReply::redirect("/plain?X-Amz-Signature=SECRET&token=t#part"),
        "/plain?X-Amz-Signature=SECRET&token=t" => WebReply::page("text/plain", "Signed."),
        "/controls" => WebReply::page("text/plain", "a\x1b]0;x\x07\tb\x0cc\u{9b}d"),
        "/hop/plain-below" => WebReply::page("text/markdown", "# Below"),
        "/meta" => WebReply::page("text/html", "<meta http-equiv=refresh content='0;url=/plain'>Redirecting…"),
        "/queue" => WebReply::page("text/html", "<meta http-equiv=refresh content='5;url=/queue'>The limit is 500."),
        "/trail" => WebReply::page("text/plain", "The limit is 500. \x01\n"),
        "/bad-redirect" => WebReply::redirect("http://u:SECRET@exa mple/x?token=SECRET"),
        "/loop" => WebReply::redirect("/loop"),
        "/packed" => packed("Unpacked. ".repeat(1000).as_bytes()),
        "/bomb" => packed(&vec![b'x'; 64 << 20]),
        "/brotli" => WebReply::with("200 OK\r\nContent-Type: text/plain\r\nContent-Encoding: br", "x"),
        "/endless" => WebReply::Endless,
        "/large" => WebReply::page("text/plain", vec![b'x'; (2 << 20) + 1]),
        "/gbk" => WebReply::page("text/plain; charset=utf-8", gbk),
        "/login" => WebReply::with("401 Unauthorized\r\nContent-Type: text/html", "Who are you?"),
        "/wiki" => WebReply::redirect("http://sso.example.com/authorize?next=1"),
        "/form" => WebReply::page("text/html", "<h1>Sign in</h1><form><input type=password></form>"),
        "/script" => WebReply::page("text/html", "<div id=app></div><script>render()</script>"),
        "/image" => WebReply::page("image/png", b"\x89PNG\r\n\x1a\n\0\0"),
        "/pdf" => WebReply::page("application/octet-stream", include_bytes!("../fixtures/rules.pdf")),
        "/broken.pdf" => WebReply::page("application/pdf", "%PDF-1.7 …"),
        "/file" => WebReply::redirect("file:///etc/passwd"),
        "/attributes" => {
            WebReply::page("text/html", format!("<p {}>", (0..150_000).map(|n| format!("a{n}=1 ")).collect::<String>()))
        }
        "/deep" => WebReply::page("text/html", "<div>".repeat(100_000)),
        _ => WebReply::with("404 Not Found\r\nContent-Type: text/html", "nothing"),
    }
}

#[tokio::test]
async fn pages_are_read_by_any_route() {
    let server = WebServer::start(pages);
    for (path, text) in [
        ("/plain", "Ask first."),
        ("/plain#part", "Ask first."),
        ("/html", "# Rules\n\nAsk **first**."),
        ("/json", "{\"a\": 1}"),
        ("/hop", "# Below"),
        ("/meta", "Ask first."),
        ("/gbk", "规则：先问经理"),
        // Control characters are removed.
        ("/controls", "a]0;x\tb\ncd"),
        // White space before a removed character at the end is trimmed, too.
        ("/trail", "The limit is 500."),
        ("/queue", "The limit is 500."),
    ] {
        let answer = fetched(&world(&[]), true, &[&server.url(path)]).await.remove(0);
        assert_eq!(answer.as_deref(), Ok(text), "{path}");
    }
    let packed = fetched(&world(&[]), true, &[&server.url("/packed")]).await.remove(0);
    assert_eq!(packed.map(|text| text.len()), Ok("Unpacked. ".len() * 1000 - 1));
}

#[tokio::test]
async fn a_page_records_its_origin() {
    let server = WebServer::start(pages);
    let context = world(&[]);
    let setup = FetchSetup { context: &context, servers: None, allow_private: true, timeout: PAGE_TIMEOUT };
    let page = fetch_all(setup, &[&server.url("/hop")]).await.remove(0).unwrap().page;
    assert_eq!(page.final_url, Some(server.url("/hop/plain-below")));
    assert_eq!((page.via, page.content_type.as_deref(), page.bytes), (PageRoute::Http, Some("text/markdown"), 7));
    // Computed by `printf '# Below' | sha256sum`.
    assert_eq!(page.sha256, "fc946c0e9da59115d9c18928245d7f19a5405c07a54e42b7fc1fc32cad158a3e");
}

/// The query of a redirect is often a key to the page.
#[tokio::test]
async fn the_final_url_has_no_query_and_no_fragment() {
    let server = WebServer::start(pages);
    let context = world(&[]);
    let setup = FetchSetup { context: &context, servers: None, allow_private: true, timeout: PAGE_TIMEOUT };
    let page = fetch_all(setup, &[&server.url("/signed")]).await.remove(0).unwrap();
    assert_eq!((page.text.as_str(), page.page.final_url), ("Signed.", Some(server.url("/plain"))));
}

#[tokio::test]
async fn urls_that_differ_in_the_fragment_are_fetched_once() {
    let server = WebServer::start(pages);
    let urls = ["/plain", "/json", "/plain#part", "/plain#other"].map(|path| server.url(path));
    let urls: Vec<&str> = urls.iter().map(String::as_str).collect();
    let texts = fetched(&world(&[]), true, &urls).await;
    assert_eq!(texts, ["Ask first.", "{\"a\": 1}", "Ask first.", "Ask first."].map(|text| Ok(text.to_owned())));
    let mut requests = server.requests();
    requests.sort();
    assert_eq!(requests, ["/json", "/plain"]);
}

#[tokio::test]
async fn a_server_in_trouble_gets_a_second_request() {
    let requested = Arc::new(Mutex::new(Vec::<String>::new()));
    let earlier = Arc::clone(&requested);
    let server = WebServer::start(move |target| {
        let mut earlier = earlier.lock().unwrap();
        let is_first = !earlier.iter().any(|path| path == target);
        earlier.push(target.to_owned());
        match target {
            "/busy" if is_first => WebReply::with("429 Too Many Requests\r\nRetry-After: 1", ""),
            "/down" if is_first => WebReply::with("503 Service Unavailable", ""),
            "/broken" if is_first => WebReply::Raw(Vec::new()),
            "/cut" if is_first => WebReply::Raw(b"HTTP/1.1 200 OK\r\nContent-Length: 50\r\n\r\nhalf".to_vec()),
            "/busy" | "/down" | "/broken" | "/cut" => WebReply::page("text/plain", "here"),
            "/long" => WebReply::with("429 Too Many Requests\r\nRetry-After: 600", ""),
            "/gone" => WebReply::with("404 Not Found", ""),
            _ => WebReply::with("502 Bad Gateway", ""),
        }
    });
    for (path, expected, requests) in [
        ("/busy", Ok("here"), 2),
        ("/down", Ok("here"), 2),
        ("/broken", Ok("here"), 2),
        ("/cut", Ok("here"), 2),
        ("/always", Err("HTTP status 502"), 2),
        ("/long", Err("HTTP status 429"), 1),
        ("/gone", Err("HTTP status 404"), 1),
    ] {
        let answer = fetched(&world(&[]), true, &[&server.url(path)]).await.remove(0);
        assert_eq!(answer.as_deref().map_err(String::as_str), expected, "{path}");
        assert_eq!(requested.lock().unwrap().iter().filter(|other| *other == path).count(), requests, "{path}");
    }
}

#[tokio::test]
async fn an_unknown_host_is_reported_in_the_language_of_the_user() {
    let context = world(&[]);
    for allow_private in [false, true] {
        let setup = FetchSetup { context: &context, servers: None, allow_private, timeout: PAGE_TIMEOUT };
        let refusal = fetch_all(setup, &["https://nothing.invalid/x"]).await.remove(0).unwrap_err();
        assert_eq!(refusal.text(Lang::En), "no connection: no address is known for the name `nothing.invalid`");
        assert_eq!(refusal.text(Lang::Zh), "无法连接：找不到域名 `nothing.invalid` 的地址");
    }
}

#[tokio::test]
async fn pages_without_text_to_read_are_rejected() {
    let server = WebServer::start(pages);
    for (path, why) in [
        ("/none", "HTTP status 404"),
        ("/loop", "more than 5 redirects"),
        ("/bomb", "more than 2 MiB"),
        ("/endless", "more than 2 MiB"),
        ("/large", "more than 2 MiB"),
        ("/brotli", "packed as `br`"),
        ("/login", "takes a sign-in (HTTP status 401)"),
        ("/wiki", "redirects to http://sso.example.com/authorize"),
        ("/form", "nothing but a form for it"),
        ("/script", "no text to read"),
        ("/image", "`image/png` is no text"),
        ("/pdf", "`pdftotext`, which is not installed"),
        ("/file", "`file` can't be fetched"),
        ("/bad-redirect", "redirects to `exa mple/x`, which is no address"),
        ("/deep", "nested too deep"),
        ("/attributes", "too many elements"),
    ] {
        let refusal = fetched(&world(&[]), true, &[&server.url(path)]).await.remove(0).unwrap_err();
        assert!(refusal.contains(why), "{path}: {refusal}");
    }
    let user = server.url("/plain").replace("://", "://me:secret@");
    let refusal = fetched(&world(&[]), true, &[&user]).await.remove(0).unwrap_err();
    assert!(refusal.contains("user name or password") && !refusal.contains("secret"), "{refusal}");
}

/// The file was made by Chromium's `--print-to-pdf`.
#[tokio::test]
async fn the_text_of_a_pdf_keeps_the_columns_of_its_tables() {
    if tool(&["pdftotext"]).is_none() {
        return;
    }
    let server = WebServer::start(pages);
    let context = world(&[("PATH", &std::env::var("PATH").unwrap())]);
    let text = fetched(&context, true, &[&server.url("/pdf")]).await.remove(0).unwrap();
    let lines: Vec<String> = text.lines().map(|line| line.split_whitespace().collect::<Vec<_>>().join(" ")).collect();
    let lines: Vec<&str> = lines.iter().map(String::as_str).filter(|line| !line.is_empty()).collect();
    let rules = ["Rules of expenses", "Ask the manager first.", "Class Limit", "A 500", "B 200"];
    assert_eq!(lines, [&rules[..], &["Second page: keep receipts for a year."]].concat());
    let refusal = fetched(&context, true, &[&server.url("/broken.pdf")]).await.remove(0).unwrap_err();
    assert!(refusal.contains("can't be read: `pdftotext`: Syntax Error"), "{refusal}");
}

#[tokio::test]
async fn a_pdf_program_that_hangs_floods_or_crashes_is_ended() {
    let server = WebServer::start(pages);
    // Twice the memory that it may have.
    let hog = "exec python3 -c 'bytearray(2 << 30)'";
    for (script, why) in [
        ("sleep 60", "within 2.5 s"),
        ("exec yes", "more than 2 MiB"),
        ("kill -SEGV $$", "signal: 11"),
        (hog, "MemoryError"),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let program = folder.path().join("pdftotext");
        std::fs::write(&program, format!("#!/bin/sh\n{script}\n")).unwrap();
        std::fs::set_permissions(&program, Permissions::from_mode(0o755)).unwrap();
        let path = format!("{}:{}", folder.path().display(), std::env::var("PATH").unwrap());
        let context = world(&[("PATH", &path)]);
        let limit = std::time::Duration::from_millis(2500);
        let setup = FetchSetup { context: &context, servers: None, allow_private: true, timeout: limit };
        let refusal = fetch_all(setup, &[&server.url("/pdf")]).await.remove(0).unwrap_err().message.to_string();
        assert!(refusal.contains(why), "{script}: {refusal}");
    }
}

#[tokio::test]
async fn a_body_that_takes_too_long_is_given_up() {
    let server = WebServer::start(|_| WebReply::Slow);
    let context = world(&[]);
    let limit = std::time::Duration::from_millis(2500);
    let setup = FetchSetup { context: &context, servers: None, allow_private: true, timeout: limit };
    let refusal = fetch_all(setup, &[&server.url("/slow")]).await.remove(0).unwrap_err().message.to_string();
    assert!(refusal.contains("within 2.5 s"), "{refusal}");
}

#[tokio::test]
async fn at_most_eight_pages_are_fetched_at_once() {
    let open = Arc::new(Mutex::new((0, 0)));
    let counted = Arc::clone(&open);
    let server = WebServer::start(move |target| {
        {
            let mut open = counted.lock().unwrap();
            open.0 += 1;
            open.1 = open.1.max(open.0);
        }
        // Leaves time for other requests to come in.
        std::thread::sleep(std::time::Duration::from_millis(100));
        counted.lock().unwrap().0 -= 1;
        WebReply::page("text/plain", target)
    });
    let urls: Vec<String> = (0..40).map(|n| server.url(&format!("/{n}"))).collect();
    let urls: Vec<&str> = urls.iter().map(String::as_str).collect();
    let texts = fetched(&world(&[]), true, &urls).await;
    // The order is that of the URLs, whatever the order of the answers.
    assert_eq!(texts, (0..40).map(|n| Ok(format!("/{n}"))).collect::<Vec<_>>());
    let most = open.lock().unwrap().1;
    assert!((2..=8).contains(&most), "{most} at once");
}

#[tokio::test]
async fn private_addresses_get_no_request() {
    let server = WebServer::start(pages);
    let port = server.port();
    let urls = [
        format!("http://127.0.0.1:{port}/plain"),
        format!("http://localhost:{port}/plain"),
        format!("http://[::1]:{port}/plain"),
        format!("http://[::ffff:127.0.0.1]:{port}/plain"),
        format!("http://2130706433:{port}/plain"),
        format!("http://0x7f.1:{port}/plain"),
        format!("http://0.0.0.0:{port}/plain"),
        "http://169.254.169.254/latest/meta-data/".to_owned(),
        "http://10.0.0.1/".to_owned(),
    ];
    let urls: Vec<&str> = urls.iter().map(String::as_str).collect();
    for (refusal, url) in fetched(&world(&[]), false, &urls).await.into_iter().zip(&urls) {
        assert!(refusal.as_ref().is_err_and(|why| why.contains("not public")), "{url}: {refusal:?}");
    }
    assert_eq!(server.requests(), Vec::<String>::new());
}

/// The proxy resolves names that only it knows; redirects are checked again.
#[tokio::test]
async fn redirects_of_a_public_page_to_this_machine_are_not_followed() {
    let inner = WebServer::start(pages);
    let to = inner.url("/plain");
    let port = inner.port();
    let targets = [
        to,
        format!("http://localhost:{port}/plain"),
        "http://[::1]/".to_owned(),
        // Names that only a proxy might know.
        format!("http://localhost.:{port}/plain"),
        format!("http://foo.localhost:{port}/plain"),
        "http://metadata.google.internal/".to_owned(),
        "http://vm/".to_owned(),
        "http://168.63.129.16/".to_owned(),
    ];
    let count = targets.len();
    let proxy = WebServer::start(move |target| match target {
        "http://docs.invalid/ok" => WebReply::page("text/plain", "by the proxy"),
        other => match other.strip_prefix("http://docs.invalid/").and_then(|path| path.parse::<usize>().ok()) {
            Some(number) => WebReply::redirect(&targets[number]),
            None => panic!("{other}"),
        },
    });
    let address = format!("http://127.0.0.1:{}", proxy.port());
    let world = world(&[("HTTP_PROXY", &address)]);
    let urls: Vec<String> = (0..count).map(|number| format!("http://docs.invalid/{number}")).collect();
    let urls: Vec<&str> = urls.iter().map(String::as_str).chain(["http://docs.invalid/ok"]).collect();
    let answers = fetched(&world, false, &urls).await;
    for (refusal, url) in answers[..count].iter().zip(&urls) {
        assert!(refusal.as_ref().is_err_and(|why| why.contains("not public")), "{url}: {refusal:?}");
    }
    assert_eq!(answers[count].as_deref(), Ok("by the proxy"));
    assert_eq!(inner.requests(), Vec::<String>::new());
    // The proxy isn't asked for private addresses.
    let refusal = fetched(&world, false, &["http://10.1.2.3/"]).await.remove(0).unwrap_err();
    assert!(refusal.contains("not public"), "{refusal}");
}
