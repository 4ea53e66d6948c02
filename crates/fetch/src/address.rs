//! Which addresses are public, and a resolver that gives no others.

use std::error::Error;
use std::fmt;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};

use reqwest::dns::{Addrs, Name, Resolve, Resolving};

/// An address that is not public.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PrivateAddress {
    pub host: String,
    pub address: IpAddr,
}

impl fmt::Display for PrivateAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}` is {}, which is not public", self.host, self.address)
    }
}

impl Error for PrivateAddress {}

/// A name that has no address.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownHost(pub String);

impl fmt::Display for UnknownHost {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "no address of `{}` is known", self.0)
    }
}

impl Error for UnknownHost {}

/// Resolves names, and fails for one of whose addresses any is not public unless that is allowed. The client connects to what this returns, so that
/// no later answer of the name's owner can lead elsewhere.
pub(crate) struct HostLookup {
    /// Whether addresses may be given that are not public.
    pub(crate) allow_private: bool,
    /// The host of the proxy, which may be anywhere: it is the user's.
    pub(crate) proxy: Option<String>,
}

impl Resolve for HostLookup {
    fn resolve(&self, name: Name) -> Resolving {
        let is_any = self.allow_private || self.proxy.as_deref() == Some(name.as_str());
        Box::pin(async move {
            let addresses = match is_any {
                true => addresses(name.as_str()).await?,
                false => lookup(name.as_str()).await?,
            };
            Ok(Box::new(addresses.into_iter()) as Addrs)
        })
    }
}

/// The addresses of a name, all of them public.
///
/// # Errors
/// One is not ([`PrivateAddress`]), or the name has none.
pub async fn lookup(host: &str) -> Result<Vec<SocketAddr>, Box<dyn Error + Send + Sync>> {
    let found = addresses(host).await?;
    match found.iter().find(|of| !is_public(of.ip())) {
        Some(of) => Err(Box::new(PrivateAddress { host: host.to_owned(), address: of.ip() })),
        None => Ok(found),
    }
}

async fn addresses(host: &str) -> Result<Vec<SocketAddr>, UnknownHost> {
    let found = tokio::net::lookup_host((host, 0)).await.map(Iterator::collect).unwrap_or_default();
    match Vec::is_empty(&found) {
        true => Err(UnknownHost(host.to_owned())),
        false => Ok(found),
    }
}

/// Whether a name can only be one of this machine, or of a network of its owner's (RFC 6761, 6762, 8375, and `internal`).
pub fn is_local_name(host: &str) -> bool {
    const ZONES: [&str; 4] = ["localhost", "local", "internal", "home.arpa"];
    let host = host.trim_end_matches('.').to_ascii_lowercase();
    let is_below = |zone: &str| host.strip_suffix(zone).is_some_and(|rest| rest.is_empty() || rest.ends_with('.'));
    !host.contains('.') || ZONES.iter().any(|zone| is_below(zone))
}

/// Whether an address is one of the public internet: none of this machine, of a network of its owner's, or of a special use.
pub fn is_public(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(address) => is_public_v4(address),
        IpAddr::V6(address) => is_public_v6(address),
    }
}

/// By the registries of special-purpose addresses (RFC 6890).
fn is_public_v4(address: Ipv4Addr) -> bool {
    let [a, b, c, _] = address.octets();
    let is_special = match (a, b, c) {
        // This network; private; loopback; multicast and reserved.
        (0 | 10 | 127 | 224..=255, ..)
        // Shared (CGNAT), link-local, private.
        | (100, 64..=127, _) | (169, 254, _) | (172, 16..=31, _) | (192, 168, _)
        // Protocol assignments, documentation, the old relay of 6to4.
        | (192, 0, 0 | 2) | (198, 51, 100) | (203, 0, 113) | (192, 88, 99)
        // Benchmarks.
        | (198, 18..=19, _) => true,
        _ => false,
    };
    // What Azure's machines are told about themselves.
    !is_special && address != Ipv4Addr::new(168, 63, 129, 16)
}

fn is_public_v6(address: Ipv6Addr) -> bool {
    if let Some(inner) = embedded(address) {
        return is_public_v4(inner);
    }
    let [first, second, ..] = address.segments();
    // Only 2000::/3 is assigned to the public; in it are documentation, benchmarks and other special uses.
    let is_unicast = (0x2000..0x4000).contains(&first);
    let is_special = (first == 0x2001 && (second < 0x0200 || second == 0x0db8)) || (first == 0x3fff && second < 0x1000);
    is_unicast && !is_special
}

/// The IPv4 address that an IPv6 address stands for: mapped, compatible, translated (NAT64), or tunnelled (6to4).
fn embedded(address: Ipv6Addr) -> Option<Ipv4Addr> {
    let v4 = |high: u16, low: u16| {
        let [a, b] = high.to_be_bytes();
        let [c, d] = low.to_be_bytes();
        Ipv4Addr::new(a, b, c, d)
    };
    match address.segments() {
        [0, 0, 0, 0, 0, 0 | 0xffff, high, low] | [0x64, 0xff9b, 0, 0, 0, 0, high, low] => Some(v4(high, low)),
        [0x2002, high, low, ..] => Some(v4(high, low)),
        _ => None,
    }
}
