//! Connections out of a namespace.

use std::sync::Arc;

use eval_exec::internals::{Route, serve};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use url::Url;

/// What a proxy to a server that says `hello` answers to this request.
fn asked(request: impl Fn(u16) -> String) -> String {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let server = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let target = server.local_addr().unwrap().port();
        let proxy = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let mut agent = TcpStream::connect(proxy.local_addr().unwrap()).await.unwrap();
        let greeting = async {
            let (mut stream, _) = server.accept().await.unwrap();
            stream.write_all(b"hello").await.unwrap();
        };
        let route = Route { port: 1, host: "127.0.0.1".to_owned(), target, is_proxy: true };
        let serving = serve(proxy, Arc::new(route));
        let asking = async {
            agent.write_all(request(target).as_bytes()).await.unwrap();
            let mut answer = vec![0; 256];
            let mut length = 0;
            while !String::from_utf8_lossy(&answer[..length]).contains("hello") {
                match agent.read(&mut answer[length..]).await.unwrap() {
                    0 => break,
                    more => length += more,
                }
            }
            String::from_utf8_lossy(&answer[..length]).into_owned()
        };
        tokio::select! {
            answer = asking => answer,
            () = serving => unreachable!("it serves for ever"),
            () = async { greeting.await; std::future::pending().await } => unreachable!("it waits"),
        }
    })
}

#[test]
fn proxy_leads_to_the_one_address_and_refuses_all_others() {
    let tunnel = |host: &'static str| move |port: u16| format!("CONNECT {host}:{port} HTTP/1.1\r\nhost: x\r\n\r\n");
    assert!(asked(tunnel("127.0.0.1")).ends_with("\r\n\r\nhello"));
    assert!(asked(|port| format!("GET http://127.0.0.1:{port}/v1 HTTP/1.1\r\n\r\n")).ends_with("hello"));
    for other in [
        asked(tunnel("127.0.0.2")),
        asked(|port| format!("CONNECT 127.0.0.1:{} HTTP/1.1\r\n\r\n", port ^ 1)),
        asked(|_| "GET http://example.com/ HTTP/1.1\r\n\r\n".to_owned()),
        asked(|_| "GET /v1 HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n".to_owned()),
    ] {
        assert!(other.starts_with("HTTP/1.1 403"), "{other}");
    }
}

#[test]
fn servers_of_this_machine_keep_their_port_and_others_have_a_proxy() {
    let route = |address: &str| Route::to_model(&Url::parse(address).unwrap()).unwrap();
    let here = route("http://localhost:8080/v1");
    assert_eq!((here.port, here.target, here.is_proxy), (8080, 8080, false));
    let vendor = route("https://api.anthropic.com");
    assert_eq!((vendor.port, vendor.target, vendor.is_proxy), (3128, 443, true));
    assert_eq!(route("http://gateway:3128").port, 3129);
    let mut environment = vec![("ALL_PROXY".into(), "socks5://elsewhere".into())];
    vendor.tell(&mut environment);
    let named = |name: &str| environment.iter().find(|(known, _)| known == name).map(|(_, value)| value.clone());
    assert_eq!(named("HTTPS_PROXY"), Some("http://127.0.0.1:3128".into()));
    assert_eq!(named("ALL_PROXY"), None);
}
