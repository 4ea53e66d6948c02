//! Failing MCP servers, and the programs and URLs that servers get.

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

/// Returns servers with one for `docs.invalid` at this address.
fn server_at(url: String) -> UrlServers {
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

fn thirty_urls() -> Vec<String> {
    (0..30).map(|number| format!("https://docs.invalid/{number}")).collect()
}

/// A cloned project may hold programs, and `PATH` may have relative folders.
#[test]
fn a_bare_command_name_never_starts_a_program_of_the_project() {
    let folder = tempfile::tempdir().unwrap();
    let (project, linked) = (folder.path().join("project"), folder.path().join("linked"));
    std::fs::create_dir_all(project.join("bin")).unwrap();
    std::os::unix::fs::symlink(project.join("bin"), &linked).unwrap();
    let program = project.join("bin/docs");
    std::fs::write(&program, "").unwrap();
    std::fs::set_permissions(&program, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
    let transport = ServerTransport::Program { command: "docs".to_owned(), args: Vec::new(), env: BTreeMap::new() };
    let server = UrlServer { transport, ..server_at(String::new()).servers.remove(0) };
    let program_at = |cwd: &Path, path: &str, home: &Path| {
        let context = Context { cwd: cwd.to_owned(), ..world(&[("PATH", path), ("HOME", home.to_str().unwrap())]) };
        program_of(&server, &project.join(".mcp.json"), &context)
    };
    let [below, elsewhere] = [project.join("bin"), linked].map(|folder| folder.display().to_string());
    let home = folder.path().join("home");
    for path in [below.as_str(), &elsewhere, "bin", ".:bin::", "bin/../bin"] {
        assert_eq!(program_at(&project, path, &home), None, "{path}");
        assert_eq!(program_at(&project.join("bin"), path, &home), None, "{path}");
    }
    // A file in the user's own home is trusted.
    assert_eq!(program_at(&project, &below, &project), Some(program));
}

/// Each attempt to start would run into the time limit again.
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
    let all = refusals(&server_at(url), Duration::from_secs(1), &thirty_urls()).await;
    assert!(all.iter().all(|refusal| refusal.message == all[0].message), "{all:?}");
    assert!(all[0].message.to_string().contains("MCP server `docs`"), "{all:?}");
    assert_eq!(connections.load(Ordering::Relaxed), 1);
}

#[tokio::test]
async fn a_server_that_requires_a_sign_in_is_called_once() {
    let server = WebServer::start(|_| WebReply::with("401 Unauthorized", ""));
    let all = refusals(&server_at(server.url("/mcp")), Duration::from_secs(20), &thirty_urls()).await;
    assert!(all.iter().all(|refusal| refusal.message == all[0].message), "{all:?}");
    assert_eq!(server.requests(), ["/mcp"]);
}

/// The server's log and reports would show it.
#[tokio::test]
async fn no_server_gets_the_password_of_a_url() {
    let server = WebServer::start(|_| WebReply::with("500 Internal Server Error", ""));
    let urls = ["https://me:secret@docs.invalid/x".to_owned()];
    let refusal = refusals(&server_at(server.url("/mcp")), Duration::from_secs(20), &urls).await.remove(0);
    assert!(refusal.message.to_string().contains("user name or password"), "{refusal:?}");
    assert_eq!(server.requests(), Vec::<String>::new());
}
