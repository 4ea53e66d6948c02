//! Servers that fail, and what they are given.

use std::collections::BTreeMap;
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use eval_fetch::{FetchRefusal, FetchSetup, fetch_all, program_of};
use eval_spec::Context;
use eval_spec::url_server::{FetchTool, ServerTransport, UrlServer, UrlServers};
use testkit::{WebReply, WebServer};

use crate::world;

/// Servers of a file with one that is at an address and is for `docs.invalid`.
fn at(url: String) -> UrlServers {
    let transport = ServerTransport::Address { url, headers: BTreeMap::new() };
    let server = UrlServer {
        name: "docs".to_owned(),
        written: transport.clone(),
        transport,
        patterns: vec!["docs.invalid".to_owned()],
        tool: FetchTool { name: "fetch_doc".to_owned(), ..FetchTool::default() },
    };
    UrlServers { file: PathBuf::from("/nowhere/.mcp.json"), sha256: String::new(), servers: vec![server] }
}

async fn refusals(servers: &UrlServers, timeout: Duration, urls: &[String]) -> Vec<FetchRefusal> {
    let context = world(&[]);
    let setup = FetchSetup { context: &context, servers: Some(servers), allow_private: true, timeout };
    let urls: Vec<&str> = urls.iter().map(String::as_str).collect();
    fetch_all(setup, &urls).await.into_iter().map(Result::unwrap_err).collect()
}

fn many() -> Vec<String> {
    (0..30).map(|number| format!("https://docs.invalid/{number}")).collect()
}

/// A clone puts what it likes below its own folder, and a relative folder of `PATH` is there, too.
#[test]
fn a_bare_name_is_no_program_of_the_project() {
    let folder = tempfile::tempdir().unwrap();
    let (project, linked) = (folder.path().join("project"), folder.path().join("linked"));
    std::fs::create_dir_all(project.join("bin")).unwrap();
    std::os::unix::fs::symlink(project.join("bin"), &linked).unwrap();
    let program = project.join("bin/docs");
    std::fs::write(&program, "").unwrap();
    std::fs::set_permissions(&program, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
    let transport = ServerTransport::Program { command: "docs".to_owned(), args: Vec::new(), env: BTreeMap::new() };
    let server = UrlServer { transport, ..at(String::new()).servers.remove(0) };
    let found = |cwd: &Path, path: &str, home: &Path| {
        let context = Context { cwd: cwd.to_owned(), ..world(&[("PATH", path), ("HOME", home.to_str().unwrap())]) };
        program_of(&server, &project.join(".mcp.json"), &context)
    };
    let [below, elsewhere] = [project.join("bin"), linked].map(|of| of.display().to_string());
    let home = folder.path().join("home");
    for path in [below.as_str(), &elsewhere, "bin", ".:bin::", "bin/../bin"] {
        assert_eq!(found(&project, path, &home), None, "{path}");
        assert_eq!(found(&project.join("bin"), path, &home), None, "{path}");
    }
    // The owner's own file is beside all of their programs.
    assert_eq!(found(&project, &below, &project), Some(program));
}

/// Each attempt to start would take as long again.
#[tokio::test]
async fn a_server_that_does_not_answer_has_failed_for_all_urls() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}/mcp", listener.local_addr().unwrap());
    let connections = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&connections);
    std::thread::spawn(move || {
        let mut open = Vec::new();
        for stream in listener.incoming().flatten() {
            counted.fetch_add(1, Ordering::Relaxed);
            open.push(stream);
        }
    });
    let found = refusals(&at(url), Duration::from_secs(1), &many()).await;
    assert!(found.iter().all(|refusal| refusal.message == found[0].message), "{found:?}");
    assert!(found[0].message.to_string().contains("MCP server `docs`"), "{found:?}");
    assert_eq!(connections.load(Ordering::Relaxed), 1);
}

#[tokio::test]
async fn a_server_that_takes_a_sign_in_is_asked_once() {
    let server = WebServer::start(|_| WebReply::with("401 Unauthorized", ""));
    let found = refusals(&at(server.url("/mcp")), Duration::from_secs(20), &many()).await;
    assert!(found.iter().all(|refusal| refusal.message == found[0].message), "{found:?}");
    assert_eq!(server.requests(), ["/mcp"]);
}

/// They would stand in its log, and in reports.
#[tokio::test]
async fn no_server_is_given_a_password_of_a_url() {
    let server = WebServer::start(|_| WebReply::with("500 Internal Server Error", ""));
    let urls = ["https://me:secret@docs.invalid/x".to_owned()];
    let found = refusals(&at(server.url("/mcp")), Duration::from_secs(20), &urls).await.remove(0);
    assert!(found.message.to_string().contains("user name or password"), "{found:?}");
    assert_eq!(server.requests(), Vec::<String>::new());
}
