//! What an agent without a network reaches all the same: its model, and our own server for mocks.
//!
//! A listener in the agent's network namespace stands for each. An address of this machine keeps its port there. For any other
//! address the agent is told of a proxy, which leads to that address and refuses all others.

use std::ffi::OsString;
use std::io;
use std::sync::Arc;
use std::time::Duration;

use eval_message::msg;
use eval_process::ClosedNetwork;
use eval_spec::Context;
use eval_spec::suite::{NetworkAccess, Settings};
use tokio::io::{AsyncReadExt, AsyncWriteExt, copy_bidirectional};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinSet;
use url::{Host, Url};

use super::AgentCli;
use crate::executor_type::BuildError;

/// The port of the proxy in an agent's namespace, which has no other server on it unless the model is there.
const PROXY_PORTS: [u16; 2] = [3128, 3129];
/// The variables that name a proxy.
const PROXY_VARIABLES: [&str; 6] = ["HTTPS_PROXY", "https_proxy", "HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"];
/// The longest beginning of a request to the proxy, in bytes.
const MAX_HEAD: usize = 16 << 10;
/// How long a request to the proxy may take to say where it goes.
const PATIENCE: Duration = Duration::from_secs(30);

/// Where connections to one port of the namespace lead.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Route {
    /// The port in the namespace.
    port: u16,
    /// The host outside.
    host: String,
    /// Its port.
    target: u16,
    /// Whether it is a proxy, which is asked for the address.
    is_proxy: bool,
}

impl Route {
    /// To a server on this machine by an address that says its port.
    pub(super) fn to_local(address: &str) -> Option<Route> {
        let url = Url::parse(address).ok()?;
        let target = url.port_or_known_default()?;
        Some(Route { port: target, host: url.host_str()?.to_owned(), target, is_proxy: false })
    }

    /// To the model that an agent asks.
    fn to_model(address: &Url) -> Option<Route> {
        let is_here = match address.host()? {
            Host::Domain(name) => name == "localhost",
            Host::Ipv4(ip) => ip.is_loopback(),
            Host::Ipv6(ip) => ip.is_loopback(),
        };
        let target = address.port_or_known_default()?;
        let free = PROXY_PORTS.into_iter().find(|port| *port != target)?;
        let host = address.host_str()?.trim_matches(['[', ']']).to_owned();
        Some(Route { port: if is_here { target } else { free }, host, target, is_proxy: !is_here })
    }

    /// The one under these settings; `None` where agents have the network.
    pub(super) fn of(cli: &AgentCli, context: &Context, settings: &Settings) -> Result<Option<Route>, BuildError> {
        if settings.network == NetworkAccess::Open {
            return Ok(None);
        }
        let refused = |why: String, help| BuildError::Invalid {
            message: msg!("exec-agent-network", agent = cli.name, why = why),
            help: vec![help],
        };
        if let Some(why) = eval_process::closed_network_error() {
            return Err(refused(why, msg!("exec-agent-network-help")));
        }
        let address = super::access(cli, context)?.and_then(|access| access.address);
        let route = address.as_ref().and_then(Route::to_model);
        let route = route.ok_or_else(|| {
            refused(msg!("exec-agent-network-cloud").text(context.lang), msg!("exec-agent-network-cloud-help"))
        })?;
        let proxy = PROXY_VARIABLES.into_iter().find(|name| context.var(name).is_some_and(|value| !value.is_empty()));
        match proxy.filter(|_| route.is_proxy) {
            Some(name) => {
                let why = msg!("exec-agent-network-proxy", name = name).text(context.lang);
                Err(refused(why, msg!("exec-agent-network-proxy-help", name = name)))
            }
            None => Ok(Some(route)),
        }
    }

    /// Tells an agent of the proxy, and of no other.
    pub(super) fn tell(&self, environment: &mut Vec<(OsString, OsString)>) {
        environment.retain(|(name, _)| !PROXY_VARIABLES.iter().any(|known| name == known));
        if self.is_proxy {
            let address = format!("http://127.0.0.1:{}", self.port);
            environment.extend(PROXY_VARIABLES[..4].iter().map(|name| (name.into(), address.clone().into())));
            for name in ["NO_PROXY", "no_proxy"] {
                environment.retain(|(known, _)| known != name);
                environment.push((name.into(), "127.0.0.1,localhost".into()));
            }
        }
    }
}

/// The ports that lead out of a namespace by these routes.
pub(super) fn ports(routes: &[Route]) -> Vec<u16> {
    routes.iter().map(|route| route.port).collect()
}

/// Leads what connects in the namespace to its routes, until it is dropped.
pub(super) async fn relay(network: ClosedNetwork, routes: Vec<Route>) -> io::Result<()> {
    let mut serving = JoinSet::new();
    for (listener, route) in network.listeners().await?.into_iter().zip(routes) {
        serving.spawn(serve(listener, Arc::new(route)));
    }
    serving.join_all().await;
    Ok(())
}

async fn serve(listener: TcpListener, route: Arc<Route>) {
    let mut connections = JoinSet::new();
    loop {
        tokio::select! {
            accepted = listener.accept() => match accepted {
                Ok((stream, _)) => drop(connections.spawn(connect(stream, Arc::clone(&route)))),
                // Too many open files: some will close.
                Err(_) => tokio::time::sleep(Duration::from_millis(50)).await,
            },
            Some(_) = connections.join_next() => {}
        }
    }
}

/// Whatever breaks ends the connection, which the agent sees.
async fn connect(inside: TcpStream, route: Arc<Route>) {
    drop(match route.is_proxy {
        true => by_proxy(inside, &route).await,
        false => directly(inside, &route, &[]).await,
    });
}

async fn directly(mut inside: TcpStream, route: &Route, head: &[u8]) -> io::Result<()> {
    let mut outside = TcpStream::connect((route.host.as_str(), route.target)).await?;
    outside.write_all(head).await?;
    copy_bidirectional(&mut inside, &mut outside).await.map(drop)
}

/// `CONNECT HOST:PORT`, or a request with a whole address: all of the connection goes to the one host that is allowed.
async fn by_proxy(mut inside: TcpStream, route: &Route) -> io::Result<()> {
    let head = tokio::time::timeout(PATIENCE, head(&mut inside)).await??;
    let line = String::from_utf8_lossy(&head);
    let mut words = line.split_ascii_whitespace();
    let (method, target) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
    let is_tunnel = method == "CONNECT";
    let address = Url::parse(&if is_tunnel { format!("https://{target}") } else { target.to_owned() });
    let is_allowed = address.is_ok_and(|address| {
        let host = address.host_str().map(|host| host.trim_matches(['[', ']']));
        host == Some(&route.host) && address.port_or_known_default() == Some(route.target)
    });
    match (is_allowed, is_tunnel) {
        (false, _) => {
            inside.write_all(b"HTTP/1.1 403 Forbidden\r\ncontent-length: 0\r\nconnection: close\r\n\r\n").await
        }
        (true, true) => {
            inside.write_all(b"HTTP/1.1 200 Connection established\r\n\r\n").await?;
            directly(inside, route, &[]).await
        }
        (true, false) => directly(inside, route, &head).await,
    }
}

/// A request up to the end of its head.
async fn head(stream: &mut TcpStream) -> io::Result<Vec<u8>> {
    let mut head = Vec::new();
    while !head.ends_with(b"\r\n\r\n") {
        if head.len() >= MAX_HEAD {
            return Err(io::Error::other("no request"));
        }
        head.push(stream.read_u8().await?);
    }
    Ok(head)
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "tests")]
mod tests {
    use super::*;

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
}
