//! Requests of other sites, to other hosts, for other files, too large, too many.

use std::io::Write;

use testkit::before_deadline;
use testkit::http_client::{connect, exchange, read_reply};

use super::{site, with_report};

#[test]
fn every_response_has_the_headers_and_no_cors() {
    let (context, id) = with_report();
    let site = site(&context, &[]);
    for path in ["/", "/trends", &format!("/api/run/{id}"), "/api/runs", "/nothing", "/run/none"] {
        let reply = site.get(path);
        let policy = reply.header("content-security-policy");
        for part in ["default-src 'none'", "frame-ancestors 'none'", "base-uri 'none'", "form-action 'self'"] {
            assert!(policy.contains(part), "{path}: {policy}");
        }
        assert!(!policy.contains("unsafe"), "{policy}");
        let names = ["x-content-type-options", "referrer-policy", "cache-control", "x-frame-options"];
        let values = names.map(|name| reply.header(name));
        assert_eq!(values, ["nosniff", "no-referrer", "no-store", "DENY"], "{path}");
        assert_eq!(reply.header("access-control-allow-origin"), "", "{path}");
    }
}

#[test]
fn requests_for_other_hosts_are_refused() {
    let (context, _) = with_report();
    let site = site(&context, &[]);
    let port = site.port;
    let asked = |target: &str, hosts: &str| {
        exchange(port, format!("GET {target} HTTP/1.1\r\n{hosts}Connection: close\r\n\r\n").as_bytes()).status
    };
    for own in ["127.0.0.1", "localhost", "[::1]"] {
        assert_eq!(asked("/", &format!("Host: {own}:{port}\r\n")), 200, "{own}");
    }
    let foreign = ["evil.test", "localhost", "127.0.0.1:1", "localhost.evil.test", "127.0.0.1.evil.test"];
    for host in foreign.map(|host| if host.contains('.') { format!("{host}:{port}") } else { host.to_owned() }) {
        assert_eq!(asked("/", &format!("Host: {host}\r\n")), 403, "{host}");
    }
    assert_eq!(asked("/", ""), 403, "no host at all");
    assert_eq!(asked("/", &format!("Host: localhost:{port}\r\nHost: evil.test\r\n")), 403, "two hosts");
    assert_eq!(asked(&format!("http://evil.test:{port}/"), &format!("Host: localhost:{port}\r\n")), 403);
}

#[test]
fn writes_of_other_sites_are_refused() {
    let (context, id) = with_report();
    let site = site(&context, &[]);
    let own = format!("Origin: http://127.0.0.1:{}", site.port);
    let path = format!("/api/run/{id}/feedback");
    let post = |headers: &[&str]| {
        let headers = [&["Content-Type: application/json"], headers].concat();
        site.send("POST", &path, &headers, br#"{"sample_id": "s001", "variant": "v1", "rating": 3}"#).status
    };
    let foreign: [&[&str]; 7] = [
        &["Origin: http://evil.test"],
        &["Origin: null"],
        &["Origin: http://localhost:1"],
        &["Sec-Fetch-Site: cross-site"],
        &["Sec-Fetch-Site: same-site", &own],
        &["Sec-Fetch-Site: cross-site", "Origin: null"],
        &["Sec-Fetch-Site: same-origin", "Origin: http://evil.test"],
    ];
    for headers in foreign {
        assert_eq!(post(headers), 403, "{headers:?}");
    }
    assert!(context.report().get("feedback").is_none(), "nothing was written");
    // a form's origin is null under the page's referrer policy
    for headers in
        [&[][..], &[&*own], &["Sec-Fetch-Site: same-origin", "Origin: null"], &["Sec-Fetch-Site: same-origin", &own]]
    {
        assert_eq!(post(headers), 200, "{headers:?}");
    }
    // what a form of another site can send without asking first
    let simple = site.send("POST", &path, &["Content-Type: text/plain"], b"{}");
    assert_eq!(simple.status, 415);
}

#[test]
fn addresses_lead_to_no_other_file() {
    let (context, id) = with_report();
    context.write(".home/secret.json", "{}");
    let site = site(&context, &[]);
    let tricks = [
        "../secret",
        "..%2fsecret",
        "%2e%2e%2fsecret",
        "..%5csecret",
        "%2fetc%2fpasswd",
        ".%00",
        "%00",
        "....//secret",
        ".hidden",
        "%252e%252e%252fsecret",
        "reports%2f..%2f..%2fsecret",
    ];
    for trick in tricks {
        for path in [
            format!("/run/{trick}"),
            format!("/api/run/{trick}"),
            format!("/run/{trick}/export/csv"),
            format!("/run/{id}/sample/{trick}"),
            format!("/run/{id}/export/{trick}"),
        ] {
            let status = site.get(&path).status;
            assert!([400, 404].contains(&status), "{path}: {status}");
        }
        let posted = site.send(
            "POST",
            &format!("/api/run/{trick}/feedback"),
            &["Content-Type: application/json"],
            br#"{"sample_id": "s001", "variant": "v1", "rating": 1}"#,
        );
        assert!([400, 404].contains(&posted.status), "{trick}: {}", posted.status);
    }
    assert_eq!(context.read(".home/secret.json"), "{}");
}

#[test]
fn methods_and_bodies_that_nothing_takes_are_refused() {
    let (context, id) = with_report();
    let site = site(&context, &[]);
    for method in ["POST", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE"] {
        let reply = site.send(method, "/", &[], b"");
        assert_eq!((reply.status, reply.header("allow")), (405, "GET, HEAD"), "{method}");
    }
    assert_eq!(site.send("GET", &format!("/api/run/{id}/feedback"), &[], b"").status, 405);
    let path = format!("/api/run/{id}/feedback");
    let head = |length: &str| {
        format!(
            "POST {path} HTTP/1.1\r\nHost: localhost:{}\r\nContent-Type: application/json\r\n{length}\r\n\r\n",
            site.port
        )
    };
    // 100 MB that never come: the answer doesn't wait for them
    let mut stream = connect(site.port);
    stream.write_all(head("Content-Length: 104857600").as_bytes()).unwrap();
    assert_eq!(read_reply(stream).status, 413);
    // without a length, what is too much is cut off
    let chunk = format!("10000\r\n{}\r\n", "x".repeat(0x10000));
    let chunked = [head("Transfer-Encoding: chunked").as_bytes(), chunk.repeat(4).as_bytes()].concat();
    assert!([413, 0].contains(&exchange(site.port, &chunked).status));
    assert_eq!(site.get("/").status, 200);
    assert!(context.report().get("feedback").is_none());
}

/// A head that never ends is cut off, and so is one that is too large.
#[test]
fn thousand_idle_connections_keep_nobody_out() {
    let (context, _) = with_report();
    let site = site(&context, &[]);
    let idle: Vec<_> = (0..1000)
        .map(|at| {
            let mut stream = connect(site.port);
            if at % 2 == 0 {
                let _ = stream.write_all(b"GET / HTTP/1.1\r\nHost: 127");
            }
            stream
        })
        .collect();
    before_deadline(|| {
        for _ in 0..20 {
            assert_eq!(site.get("/").status, 200);
        }
    });
    drop(idle);
    let long = format!("GET / HTTP/1.1\r\nX: {}\r\n\r\n", "x".repeat(1 << 20));
    assert!([431, 0].contains(&exchange(site.port, long.as_bytes()).status));
    assert_eq!(site.interrupt(), Some(0));
}

/// A run that has no report yet has a page at the same address.
#[test]
fn report_in_whose_place_is_a_pipe_a_folder_or_a_link_to_nothing_is_an_error() {
    let (context, id) = with_report();
    let path = context.report_path();
    let site = site(&context, &[]);
    assert_eq!(site.get(&format!("/run/{id}")).status, 200);
    let stored = std::fs::read(&path).unwrap();
    let place: [fn(&std::path::Path); 3] = [
        |path| assert!(std::process::Command::new("mkfifo").arg(path).status().unwrap().success()),
        |path| std::fs::create_dir(path).unwrap(),
        |path| std::os::unix::fs::symlink("/nonexistent/report.json", path).unwrap(),
    ];
    for put in place {
        if std::fs::remove_file(&path).is_err() {
            std::fs::remove_dir(&path).unwrap();
        }
        put(&path);
        for page in [format!("/run/{id}"), format!("/api/run/{id}"), format!("/run/{id}/sample/s001")] {
            let reply = site.get(&page);
            assert!((400..500).contains(&reply.status), "{page}: {}", reply.status);
            assert!(reply.text().contains(&*path.file_name().unwrap().to_string_lossy()), "{page}: {}", reply.text());
        }
    }
    std::fs::remove_file(&path).unwrap();
    std::fs::write(&path, stored).unwrap();
    assert_eq!(site.get(&format!("/run/{id}")).status, 200);
}

/// A copy may keep the size and the time of what it replaces.
#[test]
fn report_that_is_replaced_while_it_is_served_is_read_anew() {
    let (context, id) = with_report();
    let path = context.report_path();
    let site = site(&context, &[]);
    let sample = format!("/run/{id}/sample/s001");
    assert_eq!(site.get(&sample).status, 200);
    let (stored, time) = (std::fs::read_to_string(&path).unwrap(), path.metadata().unwrap().modified().unwrap());
    let other = context.path("other.json");
    for (word, link) in [("worser", false), ("madder", true)] {
        std::fs::write(&other, stored.replace("\"fullOutput\":\"better", &format!("\"fullOutput\":\"{word}"))).unwrap();
        std::fs::File::options().write(true).open(&other).unwrap().set_modified(time).unwrap();
        match link {
            false => std::fs::rename(&other, &path).unwrap(),
            true => {
                std::fs::remove_file(&path).unwrap();
                std::os::unix::fs::symlink(&other, &path).unwrap();
            }
        }
        let page = site.page(&sample);
        assert!(page.contains(word), "{word}: {page}");
    }
}
